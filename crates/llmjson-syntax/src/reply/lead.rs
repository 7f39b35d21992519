//! The words before a value, which may say that it is an example, an answer, a correction.
//!
//! Replies often hold several values: the input repeated, a draft, an example of the format, the
//! answer, a correction of it. The last telling word before a value says most about which it is.
//! A heading or the label of a numbered item is a name, in which such a word counts only if it is
//! the whole of it: `Draft:` is one, `1. Draft picks of 2024:` is not.

use alloc::vec::Vec;

use crate::parser::look::Look;
use crate::parser::state::reader::Reader;
use crate::reply::before::{Before, Stance, last_line};
use crate::reply::cues::Cue;
use crate::reply::doubt;
use crate::reply::label::{Form, Label};
use crate::reply::words::Words;
use crate::tape::readings::{Lead, Reading};

/// The longest text before the first value that counts as its lead.
const PREFACE_BYTES: usize = 400;

impl Reader<'_> {
    /// Notes what is said before each of the values, which stand in the order of the text but for
    /// those that lie in others.
    pub(crate) fn read_leads(&self, candidates: &mut [Reading]) {
        let mut order: Vec<usize> = (0..candidates.len()).collect();
        order.sort_by_key(|&index| candidates[index].span.start);
        let (mut behind, mut series) = (0, 0);
        let mut last: Option<(usize, Label)> = None;
        for (place, index) in order.into_iter().enumerate() {
            let candidate = &mut candidates[index];
            let (start, end) = (candidate.span.start as usize, candidate.span.end as usize);
            let before = self.look.before_value(behind.min(start), start);
            let label = Label::of(&before);
            candidate.lead = lead(&before, label.form, place > 0);
            candidate.headed = label.form != Form::None;
            candidate.first = place == 0 && self.look.is_payload(start, candidate.fenced);
            if let Some((other, previous)) = &last
                && previous.is_parallel_to(&label)
            {
                if candidates[*other].series == 0 {
                    series += 1;
                    candidates[*other].series = series;
                }
                candidates[index].series = candidates[*other].series;
            }
            last = Some((index, label));
            if candidates[index].complete {
                behind = behind.max(end);
            }
        }
    }
}

impl Look<'_> {
    /// Returns whether the first value of a reply stands where the value that was asked for does, at the beginning of
    /// a code fence or behind a colon: `true` at 6 of `Here: {`.
    fn is_payload(&self, start: usize, fenced: bool) -> bool {
        let before = self.text_before(start);
        if fenced {
            let line = last_line(before);
            return line.trim_start().starts_with(['`', '~']);
        }
        before.is_empty() || before.len() <= PREFACE_BYTES && before.ends_with(':')
    }
}

/// Returns the announcement before a value, which with `later` stands behind another one:
/// [`Answer`](Lead::Answer) of `The answer is`.
pub(crate) fn lead(before: &Before<'_>, form: Form, later: bool) -> Lead {
    let words = Words::of(before.text);
    let taken_back = || {
        words
            .sentences()
            .any(|one| doubt::takes_back(&one, |_| false))
    };
    let corrected = later && taken_back();
    let sentence = words.clone().last_sentence();
    let cues = sentence.cues();
    let only = |wanted: fn(Cue) -> bool| sentence.is_only(wanted);
    let inline = before.stance == Stance::Inline;
    let choice = cues.first().is_some_and(|one| one.cue == Cue::Choice);
    // `Draft:`, `Bad example:`, `Option 1:`
    if before.stance != Stance::Apart && (only(is_set_aside) || choice && form != Form::None) {
        return Lead::Aside;
    }
    let headed = matches!(form, Form::Numbered | Form::Heading | Form::Bold);
    let fixed = |cue| matches!(cue, Cue::Correction | Cue::Retraction | Cue::Regret);
    // `## Answer` announces, while `## Example of a good answer` is a title like any other.
    if headed && !only(fixed) {
        let has = |wanted: fn(Cue) -> bool| cues.iter().any(|one| wanted(one.cue));
        let answers = has(|cue| matches!(cue, Cue::Answer | Cue::Outcome)) && !has(is_set_aside);
        return if answers { Lead::Answer } else { Lead::Plain };
    }
    let conditional = later && cues.iter().any(|one| one.cue == Cue::Condition);
    // `If you prefer, you could use:` behind an answer, or a sentence that would cast doubt on an only value.
    if conditional || !headed && doubt::of_sentence(&sentence, before.stance).is_some() {
        return Lead::Aside;
    }
    for one in cues.iter().rev() {
        let near = sentence.len() - one.end <= 2;
        match one.cue {
            cue if fixed(cue) => return Lead::Correction,
            // `The final answer is:`
            Cue::Answer | Cue::Outcome if !corrected && (near || !inline) => return Lead::Answer,
            Cue::Draft if near && inline => return Lead::Aside,
            _ => {}
        }
    }
    if corrected {
        Lead::Correction
    } else {
        Lead::Plain
    }
}

/// Returns whether a label of such words alone says that its value is no answer: `true` of the cue of `draft`.
fn is_set_aside(cue: Cue) -> bool {
    matches!(cue, Cue::Draft | Cue::Wrong | Cue::Sample | Cue::Example)
}

#[cfg(test)]
mod tests {
    use alloc::string::String;
    use alloc::vec::Vec;

    use super::{PREFACE_BYTES, lead};
    use crate::parser::look::ask;
    use crate::parser::state::test_reader::with_reader;
    use crate::reply::before::{Before, Stance};
    use crate::reply::found::read_values;
    use crate::reply::label::Form;
    use crate::tape::readings::{Lead, Reading};

    /// Asserts what the words before a value announce, if it is the first one and if it is a later one.
    fn announces(text: &str, stance: Stance, form: Form, first: Lead, later: Lead) {
        let before = Before {
            text,
            stance,
            fenced: false,
        };
        let found = [false, true].map(|later| lead(&before, form, later));
        assert_eq!(found, [first, later], "{text:?}");
    }

    #[test]
    fn labels_set_values_aside() {
        let aside = |text, stance, form| announces(text, stance, form, Lead::Aside, Lead::Aside);
        aside("Draft:", Stance::Led, Form::Plain);
        aside("Bad example:", Stance::Led, Form::Plain);
        aside("draft", Stance::Inline, Form::None);
        aside("## Draft", Stance::Led, Form::Heading);
        aside("Option 1:", Stance::Led, Form::Plain);
        aside("something like", Stance::Inline, Form::None);
        aside("the draft is", Stance::Inline, Form::None);
        let plain = |text, stance, form| announces(text, stance, form, Lead::Plain, Lead::Plain);
        plain("Draft.", Stance::Apart, Form::None);
        plain("Option 1 is cheap:", Stance::Led, Form::None);
        plain("the draft is red:", Stance::Led, Form::None);
        plain("the draft is red and blue", Stance::Inline, Form::None);
    }

    #[test]
    fn answers_are_announced() {
        let answer = |text, stance, form| announces(text, stance, form, Lead::Answer, Lead::Answer);
        answer("The answer:", Stance::Led, Form::Plain);
        answer("The final answer is:", Stance::Led, Form::None);
        answer("the answer is", Stance::Inline, Form::None);
        answer("the answer red blue", Stance::Inline, Form::None);
        answer("the answer red blue white:", Stance::Led, Form::None);
        answer("## Answer", Stance::Led, Form::Heading);
        answer("**Result**", Stance::Led, Form::Bold);
        answer("1. Output", Stance::Led, Form::Numbered);
        let plain = |text, stance, form| announces(text, stance, form, Lead::Plain, Lead::Plain);
        plain("## Example of a good answer", Stance::Led, Form::Heading);
        plain("the answer red blue white", Stance::Inline, Form::None);
        let far = "colours show the answer red green blue white";
        plain(far, Stance::Inline, Form::None);
        plain("## Draft picks of 2024", Stance::Led, Form::Heading);
        plain("## Something like this", Stance::Led, Form::Heading);
        plain("Here it is:", Stance::Led, Form::None);
        plain("", Stance::Apart, Form::None);
    }

    #[test]
    fn corrections_are_announced() {
        let correction =
            |text, form| announces(text, Stance::Led, form, Lead::Correction, Lead::Correction);
        correction("Correction:", Form::Plain);
        correction("## Correction", Form::Heading);
        correction("Oops, I meant:", Form::Plain);
        let later = |text, first| {
            announces(text, Stance::Led, Form::None, first, Lead::Correction);
        };
        // Only what stands behind another value can correct it.
        later("Oops. Here it is:", Lead::Plain);
        later("Oops. The answer is:", Lead::Answer);
    }

    #[test]
    fn alternatives_stand_behind_answers() {
        let text = "If you prefer, use:";
        announces(text, Stance::Led, Form::None, Lead::Plain, Lead::Aside);
    }

    /// Reads what is said before the values of a text.
    fn read(text: &str) -> Vec<Reading> {
        with_reader(text, |reader| {
            let mut found = read_values(reader).candidates;
            // Values that lie in others are added behind them.
            found.reverse();
            reader.read_leads(&mut found);
            found.reverse();
            found
        })
    }

    #[test]
    fn leads_are_read_in_the_order_of_the_text() {
        let text = "Oops. Here it is:\n[1]\nOops. Here it is:\n[2]\n[3] The answer is [4] red [5]";
        let found = read(text);
        let leads: Vec<Lead> = found.iter().map(|one| one.lead).collect();
        let expected = [
            Lead::Plain,
            Lead::Correction,
            Lead::Plain,
            Lead::Answer,
            Lead::Plain,
        ];
        assert_eq!(leads, expected);
        let headed: Vec<bool> = found.iter().map(|one| one.headed).collect();
        assert_eq!(headed, [true, true, false, false, false]);
        let first: Vec<bool> = found.iter().map(|one| one.first).collect();
        assert_eq!(first, [true, false, false, false, false]);
        assert!(!read("Red [1]")[0].first);
    }

    #[test]
    fn series_are_numbered() {
        let text =
            "Option A:\n[1]\nOption B:\n[2]\nOption C:\n[3]\n# One\n[4]\n# Two\n[5]\nred [6]";
        let series: Vec<u32> = read(text).iter().map(|one| one.series).collect();
        assert_eq!(series, [1, 1, 1, 2, 2, 0]);
    }

    #[test]
    fn values_stand_where_they_were_asked_for() {
        let long = |length: usize| "a".repeat(length - 1) + ":";
        for (text, fenced, expected) in [
            ("", false, true),
            ("Here:\n", false, true),
            ("Here", false, false),
            (&*long(PREFACE_BYTES), false, true),
            (&*long(PREFACE_BYTES + 1), false, false),
            ("Here:\n```json\n", true, true),
            ("  ~~~\n", true, true),
            ("```\nx:\n", true, false),
            ("", true, false),
        ] {
            let text = String::from(text);
            let found = ask(&text, |look| look.is_payload(text.len(), fenced));
            assert_eq!(found, expected, "{text:?}");
        }
    }
}

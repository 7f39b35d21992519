//! The words before a value, which may say that it is an example, an answer, a correction.
//!
//! Replies often hold several values: the input repeated, a draft, an example of the format, the
//! answer, a correction of it. The last telling word before a value says most about which it is.
//! A heading or the label of a numbered item is a name, in which such a word counts only if it is
//! the whole of it: `Draft:` is one, `1. Draft picks of 2024:` is not.

use alloc::vec::Vec;

use crate::parser::look::Look;
use crate::reply::before::{Before, Stance, last_line};
use crate::reply::cues::Cue;
use crate::reply::doubt;
use crate::reply::label::{Form, Label};
use crate::reply::words::Words;
use crate::tape::readings::{Lead, Reading};

/// The longest text before the first value that counts as its lead.
const PREFACE_BYTES: usize = 400;

impl Look<'_> {
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
            let before = self.before_value(behind.min(start), start);
            let label = Label::of(&before);
            candidate.lead = lead(&before, label.form, place > 0);
            candidate.headed = label.form != Form::None;
            candidate.first = place == 0 && self.is_payload(start, candidate.fenced);
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

    /// Returns `true` if the first value of a reply stands where the value that was asked for does:
    /// at the beginning of a code fence, or right behind its lead.
    fn is_payload(&self, start: usize, fenced: bool) -> bool {
        let before = self.text_before(start);
        if fenced {
            let line = last_line(before);
            return line.trim_start().starts_with(['`', '~']);
        }
        before.is_empty() || before.len() <= PREFACE_BYTES && before.ends_with(':')
    }
}

/// Returns the announcement before a value; with `later` if it stands behind another one.
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
        let answers = cues
            .iter()
            .any(|one| matches!(one.cue, Cue::Answer | Cue::Outcome));
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

/// Returns `true` if a label of such words alone says that its value is no answer.
fn is_set_aside(cue: Cue) -> bool {
    matches!(cue, Cue::Draft | Cue::Wrong | Cue::Sample | Cue::Example)
}

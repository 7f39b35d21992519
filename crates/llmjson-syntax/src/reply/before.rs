//! The text before a value: the words, the label, their position relative to the value, and their
//! meaning.
//!
//! Replies often hold several values: the input repeated, a draft, an example of the format, the
//! answer, a correction of it. The last significant word before a value is the best evidence for
//! which it is. A heading or the label of a numbered item is a name, in which this word counts only
//! if it is the whole name: `Draft:` counts, `1. Draft picks of 2024:` does not.

use alloc::vec::Vec;

use crate::parser::look::Look;
use crate::parser::state::reader::Reader;
use crate::reply::lexicon::{Cue, cue_of};
use crate::reply::says::{Stance, of_sentence, takes_back};
use crate::reply::words::{Sentence, Words};
use crate::tape::marks::{Mark, marks_before};
use crate::tape::readings::{Lead, Reading};

/// The ends of tokens with which a turn begins or ends.
const TURNS: [&str; 2] = ["|>", "[/INST]"];

/// Number of bytes before a value in which words about it are looked for.
const LEAD_BYTES: usize = 200;

/// The longest text before the first value that counts as its lead.
const PREFACE_BYTES: usize = 400;

/// The longest line that opens a code fence.
const LINE_BYTES: usize = 80;

/// A line is a label only if it is no longer.
const LABEL_BYTES: usize = 80;

/// Maximum number of words in a label without any marks.
const PLAIN_WORDS: usize = 6;

/// The text before a value, without the marks that open it.
#[derive(Clone, Debug)]
pub(crate) struct Before<'t> {
    pub(crate) text: &'t str,
    pub(crate) words: Words,
    pub(crate) stance: Stance,
    /// `true` if a code fence opens right before the value.
    pub(crate) fenced: bool,
}

impl<'r> Look<'r> {
    /// Returns the text from `from` on before the value at `start`, and how the value stands to it: `Answer:` and
    /// [`Led`](Stance::Led) at 8 of `Answer: {`.
    pub(crate) fn before_value(&self, marks: &[Mark], from: usize, start: usize) -> Before<'r> {
        let mut from = from.max(start.saturating_sub(LEAD_BYTES));
        while !self.text.is_char_boundary(from) {
            from += 1;
        }
        // What stands before a token of a chat template was said in another turn, or was thought.
        let near = marks_before(marks, start).iter().rev();
        let mut near = near.take_while(|mark| mark.end > from);
        let ends_turn = |mark: &Mark| TURNS.iter().any(|end| self.text[..mark.end].ends_with(end));
        let is_turn = |mark: &&Mark| mark.ends_thought() || ends_turn(mark);
        from = near.find(is_turn).map_or(from, |mark| mark.end.min(start));
        self.charge(start - from);
        let mut text = &self.text[from..start];
        // A fence on the line before: the words above it lead in the value.
        let fence = self.fence_before(marks, start);
        if let Some(fence) = fence {
            let end = text.len().saturating_sub(start - fence.start);
            text = &text[..end];
        }
        let fenced = fence.is_some();
        let text = text.trim_end_matches([' ', '\t']);
        let text = text.trim_end_matches(['`', '\'', '"', '(', '“']);
        let words = text.trim_end();
        let breaks = fenced || words.is_empty() || text[words.len()..].contains('\n');
        let bare = words.trim_end_matches(['*', '_', '`']);
        let ended = |words: &str| words.ends_with(['.', '!', '?', '。', '！', '？', ')', '}', ']']);
        // `The answer is: {"a": 1}`
        let stance = if bare.ends_with([':', '：', '>', '→']) && !bare.is_empty() {
            Stance::Led
        // `as in {"a": 1}`, and `e.g. {"a": 1}`, whose full stop ends no sentence.
        } else if !breaks && (!bare.ends_with(['.', '!', '?']) || is_short(bare)) {
            Stance::Inline
        // `That is done. {"a": 1}`, or a value at the beginning.
        } else if words.is_empty() || ended(bare) {
            Stance::Apart
        } else {
            Stance::Led
        };
        Before {
            text: words,
            words: Words::of(words),
            stance,
            fenced,
        }
    }
}

impl Look<'_> {
    /// Returns the code fence on the line before a place, or on its own: at the end of `~~~json\n`.
    pub(crate) fn fence_before(&self, marks: &[Mark], place: usize) -> Option<Mark> {
        let last = marks_before(marks, place).last();
        let mark = *last.filter(|mark| mark.is_fence())?;
        let between = self.text.get(mark.end..place)?;
        let is_near = between.len() <= LINE_BYTES && !between.trim_end().contains('\n');
        let is_line = between.contains('\n') || self.line_begins(mark.start);
        (is_near && is_line).then_some(mark)
    }
}

/// Returns whether the full stop at the end of a text belongs to its last word: `true` of `ready (e.g.` and of
/// `wait...`, `false` of `Done.`
fn is_short(text: &str) -> bool {
    let mut words = text
        .trim_end_matches('.')
        .rsplit(|c: char| c.is_whitespace() || c == '(');
    let last = words.next().unwrap_or_default();
    matches!(last, "e.g" | "E.g" | "i.e" | "eg" | "ex" | "vs") || text.ends_with("...")
}

/// Returns the last line of a text: `b` of `a\nb`.
pub(crate) fn last_line(text: &str) -> &str {
    text.rfind('\n').map_or(text, |at| &text[at + 1..])
}

/// The form of a label.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Form {
    /// No label.
    #[default]
    None,
    /// A name before a colon.
    Plain,
    /// Bold text.
    Bold,
    /// A heading of markdown.
    Heading,
    /// An item of a list with numbers.
    Numbered,
}

/// The label of a value.
#[derive(Clone, Debug, Default)]
pub(crate) struct Label {
    pub(crate) form: Form,
    words: Words,
}

impl Label {
    /// Returns the label on the last line before a value: a plain one of `Option A:`, none of a whole sentence.
    pub(crate) fn of(before: &Before<'_>) -> Self {
        let line = last_line(before.text).trim();
        if line.is_empty() || line.len() > LABEL_BYTES {
            return Self::default();
        }
        let number = line.trim_start_matches('(');
        let digits = number.trim_start_matches(|c: char| c.is_ascii_digit());
        let numbered = digits.len() < number.len() && digits.starts_with(['.', ')']);
        let marked = line.trim_start_matches(['-', ' ']);
        let words = Words::of(line);
        let count = words.all().len();
        let form = match line.as_bytes()[0] {
            // `1. First:`, `(2)`
            _ if numbered && (before.stance != Stance::Inline || digits.len() == 1) => {
                Form::Numbered
            }
            _ if before.stance == Stance::Inline => Form::None,
            b'#' => Form::Heading,
            _ if marked.starts_with("**") || marked.starts_with("__") => Form::Bold,
            // `Option A:`. More words than that are a sentence that leads in the value.
            _ if count <= PLAIN_WORDS && before.stance == Stance::Led => Form::Plain,
            _ => Form::None,
        };
        Self { form, words }
    }

    /// Returns whether two labels are of one shape, as those of the steps of a plan or of options are: `Step 1:` and
    /// `Step 2:`. They are of the same form, with a word in common at the beginning or end, or both set off and of the
    /// same length.
    pub(crate) fn is_parallel_to(&self, other: &Self) -> bool {
        if self.form == Form::None || self.form != other.form {
            return false;
        }
        let (one, two) = (self.words.all(), other.words.all());
        let (last, others_last) = (one.len().saturating_sub(1), two.len().saturating_sub(1));
        let shared = |at: usize, other: usize| {
            let word = one.word(at);
            !word.is_empty() && word == two.word(other) && !is_common(word)
        };
        // `## Before` and `## After` are parallel without a word in common, while `Input:` and `Answer:` are
        // not.
        let set_off = self.form != Form::Plain && one.len() == two.len();
        set_off || shared(0, 0) || shared(last, others_last)
    }
}

/// Returns whether a word may begin or end any line: `the` may, `option` may not.
fn is_common(word: &str) -> bool {
    matches!(
        cue_of(word),
        Some(Cue::Break | Cue::Subject | Cue::Is | Cue::Range)
    )
}

impl Reader<'_> {
    /// Notes what is said before each of the values, which stand in the order of the text but for
    /// those that lie in others.
    pub(crate) fn read_leads(&self, candidates: &mut [Reading]) {
        let mut order: Vec<usize> = (0..candidates.len()).collect();
        order.sort_by_key(|&index| candidates[index].span.start);
        let (mut behind, mut series) = (0, 0);
        let mut last: Option<(usize, Label)> = None;
        for (place, index) in order.into_iter().enumerate() {
            let span = candidates[index].span;
            // A list of values is announced as the first of them is.
            if let Some((other, _)) = &last
                && candidates[*other].span.start == span.start
            {
                let Reading {
                    lead,
                    headed,
                    first,
                    ..
                } = candidates[*other];
                let list = &mut candidates[index];
                (list.lead, list.headed, list.first) = (lead, headed, first);
                continue;
            }
            let (start, end) = (span.start as usize, span.end as usize);
            let candidate = &mut candidates[index];
            let marks = &self.readings.marks;
            let before = self.look.before_value(marks, behind.min(start), start);
            let label = Label::of(&before);
            candidate.lead = before.lead(label.form, place > 0);
            candidate.headed = label.form != Form::None;
            let begins = || match candidate.fenced {
                true => before.fenced,
                false => self.look.is_payload(start),
            };
            candidate.first = place == 0 && begins();
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
    /// Returns whether the first value of a reply stands where the value that was asked for does, at the beginning or
    /// behind a colon: `true` at 6 of `Here: {`.
    fn is_payload(&self, start: usize) -> bool {
        let before = self.text_before(start);
        before.is_empty() || before.len() <= PREFACE_BYTES && before.ends_with(':')
    }
}

impl Before<'_> {
    /// Returns the announcement before a value, which with `later` stands behind another one: an
    /// [`Answer`](Lead::Answer) of `The answer is`.
    fn lead(&self, form: Form, later: bool) -> Lead {
        const SET_ASIDE: &[Cue] = &[Cue::Draft, Cue::Wrong, Cue::Sample, Cue::Example];
        const FIXED: &[Cue] = &[Cue::Correction, Cue::Retraction, Cue::Regret];
        const ANSWERS: &[Cue] = &[Cue::Answer, Cue::Outcome];
        let taken_back = |one: Sentence<'_>| takes_back(&one, |_| false);
        let corrected = later && self.words.sentences().any(taken_back);
        let sentence = self.words.last();
        let inline = self.stance == Stance::Inline;
        let first = sentence.cues.first();
        let choice = first.is_some_and(|one| one.cue == Cue::Choice) && form != Form::None;
        // `Draft:`, `Bad example:`, `Option 1:`
        if self.stance != Stance::Apart && (choice || sentence.is_only(SET_ASIDE)) {
            return Lead::Aside;
        }
        let headed = matches!(form, Form::Numbered | Form::Heading | Form::Bold);
        // `## Answer` announces, while `## Example of a good answer` is a title like any other.
        if headed && !sentence.is_only(FIXED) {
            return match sentence.has(ANSWERS) && !sentence.has(SET_ASIDE) {
                true => Lead::Answer,
                false => Lead::Plain,
            };
        }
        // `If you prefer, you could use:` behind an answer, or a sentence that would cast doubt on an only value.
        let conditional = later && sentence.has(&[Cue::Condition]);
        if conditional || !headed && of_sentence(&sentence, self.stance).is_some() {
            return Lead::Aside;
        }
        for one in sentence.cues.iter().rev() {
            let near = sentence.len() - one.end <= 2;
            match one.cue {
                cue if FIXED.contains(&cue) => return Lead::Correction,
                // `The final answer is:`
                cue if ANSWERS.contains(&cue) && !corrected && (near || !inline) => {
                    return Lead::Answer;
                }
                Cue::Draft if near && inline => return Lead::Aside,
                _ => {}
            }
        }
        match corrected {
            true => Lead::Correction,
            false => Lead::Plain,
        }
    }
}

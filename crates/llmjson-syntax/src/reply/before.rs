//! The text before a value: its label, its stance, and whether it sets the value aside.

use alloc::vec::Vec;

use crate::parser::look::Look;
use crate::parser::state::reader::Reader;
use crate::tape::marks::{Mark, marks_before};
use crate::tape::readings::Reading;
use crate::zones::context::{Stance, Use, judge_before, last_line, stance, takes_back};
use crate::zones::lexicon::words;

/// The ends of the tokens that begin or end a turn.
const TURNS: [&str; 2] = ["|>", "[/INST]"];

/// Number of bytes before a value that are searched for words about it.
const LEAD_BYTES: usize = 200;

/// Maximum length of the text before the first value that counts as its introduction.
const PREFACE_BYTES: usize = 400;

/// Maximum length of a line that opens a code fence.
const LINE_BYTES: usize = 80;

/// Maximum length of a line that may be a label.
const LABEL_BYTES: usize = 80;

/// Maximum number of words, including a number, of a heading that may be the word `Draft` or
/// `Example` rather than a title.
const TITLE_WORDS: usize = 2;

/// Maximum number of words in an unmarked label.
const PLAIN_WORDS: usize = 6;

/// The text before a value, without the marks that open it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Before<'t> {
    pub(crate) text: &'t str,
    pub(crate) stance: Stance,
    /// `true` if a code fence opens directly before the value.
    pub(crate) fenced: bool,
}

impl<'r> Look<'r> {
    /// Returns the text from `from` on before the value at `start`, and the value's stance: `Answer:` and
    /// [`Led`](Stance::Led) at 8 of `Answer: {`.
    pub(crate) fn before_value(&self, marks: &[Mark], from: usize, start: usize) -> Before<'r> {
        let lead = match self.work_is_used_up() {
            true => 0,
            false => LEAD_BYTES,
        };
        let mut from = from.max(start.saturating_sub(lead)).min(start);
        while !self.text.is_char_boundary(from) {
            from += 1;
        }
        // Text before a token of a chat template belongs to another turn, or to the reasoning.
        let near = marks_before(marks, start).iter().rev();
        let mut near = near.take_while(|mark| mark.end > from);
        let ends_turn = |mark: &Mark| TURNS.iter().any(|end| self.text[..mark.end].ends_with(end));
        let is_turn = |mark: &&Mark| mark.ends_thought() || ends_turn(mark);
        from = near.find(is_turn).map_or(from, |mark| mark.end.min(start));
        self.charge(start - from);
        let mut text = &self.text[from..start];
        // A fence on the previous line: the words above it introduce the value.
        let fence = self.fence_before(marks, start);
        if let Some(fence) = fence {
            let end = text.len().saturating_sub(start - fence.start);
            text = &text[..end];
        }
        let fenced = fence.is_some();
        let stance = stance(text, fenced);
        let text = text.trim_end_matches([' ', '\t']);
        let text = text.trim_end_matches(['`', '\'', '"', '(', '“']).trim_end();
        Before {
            text,
            stance,
            fenced,
        }
    }
}

impl Look<'_> {
    /// Returns the code fence on the line before a place, or on the same line: at the end of
    /// `~~~json\n`.
    pub(crate) fn fence_before(&self, marks: &[Mark], place: usize) -> Option<Mark> {
        let last = marks_before(marks, place).last();
        let mark = *last.filter(|mark| mark.is_fence())?;
        let between = self.text.get(mark.end..place)?;
        let is_near = between.len() <= LINE_BYTES && !between.trim_end().contains('\n');
        let is_line = between.contains('\n') || self.line_begins(mark.start);
        (is_near && is_line).then_some(mark)
    }
}

/// The form of a label.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Form {
    /// No label.
    #[default]
    None,
    /// A word or phrase before a colon.
    Plain,
    /// Bold text.
    Bold,
    /// A Markdown heading.
    Heading,
    /// An item of a numbered list.
    Numbered,
}

/// The label of a value.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Label<'t> {
    pub(crate) form: Form,
    line: &'t str,
}

impl<'t> Label<'t> {
    /// Returns the label on the last line before a value: a plain one for `Option A:`, but none for
    /// a whole sentence.
    pub(crate) fn of(before: &Before<'t>) -> Self {
        let line = last_line(before.text).trim();
        if line.is_empty() || line.len() > LABEL_BYTES {
            return Self::default();
        }
        let number = line.trim_start_matches('(');
        let digits = number.trim_start_matches(|c: char| c.is_ascii_digit());
        let numbered = digits.len() < number.len() && digits.starts_with(['.', ')']);
        let marked = line.trim_start_matches(['-', ' ']);
        let form = match line.as_bytes()[0] {
            // `1. First:`, `(2)`
            _ if numbered && (before.stance != Stance::Inline || digits.len() == 1) => {
                Form::Numbered
            }
            _ if before.stance == Stance::Inline => Form::None,
            b'#' => Form::Heading,
            _ if marked.starts_with("**") || marked.starts_with("__") => Form::Bold,
            // `Option A:`. More words form a sentence that introduces the value.
            _ if words(line).count() <= PLAIN_WORDS && before.stance == Stance::Led => Form::Plain,
            _ => Form::None,
        };
        Self { form, line }
    }

    /// Returns `true` if two labels have the same shape, as the labels of steps or options do:
    /// `Step 1:` and `Step 2:`. They have the same form, with a word in common at the beginning or
    /// end, or both are set off and equally long.
    pub(crate) fn is_parallel_to(&self, other: &Self) -> bool {
        if self.form == Form::None || self.form != other.form {
            return false;
        }
        let (one, two) = (
            || words(self.line).map(|word| word.text),
            || words(other.line).map(|word| word.text),
        );
        let shared = |one: Option<&str>, two: Option<&str>| {
            one.zip(two)
                .is_some_and(|(one, two)| one.eq_ignore_ascii_case(two) && one.len() > 3)
        };
        // `## Before` and `## After` are parallel without a word in common, while `Input:` and `Answer:` are not.
        let set_off = self.form != Form::Plain && one().count() == two().count();
        set_off || shared(one().next(), two().next()) || shared(one().last(), two().last())
    }
}

impl Reader<'_> {
    /// Reads the label and the announcement before each value. Values are in the order of the text, except nested ones.
    pub(crate) fn read_leads(&self, candidates: &mut [Reading]) {
        let mut order: Vec<usize> = (0..candidates.len()).collect();
        order.sort_by_key(|&index| candidates[index].span.start);
        let (mut behind, mut series) = (0, 0);
        let mut last: Option<(usize, Label<'_>)> = None;
        for (place, index) in order.into_iter().enumerate() {
            let span = candidates[index].span;
            // An array of values has the announcement of its first value.
            if let Some((other, _)) = &last
                && candidates[*other].span.start == span.start
            {
                let Reading {
                    mentioned,
                    headed,
                    first,
                    ..
                } = candidates[*other];
                let list = &mut candidates[index];
                (list.mentioned, list.headed, list.first) = (mentioned, headed, first);
                continue;
            }
            let (start, end) = (span.start as usize, span.end as usize);
            let candidate = &mut candidates[index];
            let marks = &self.readings.marks;
            let before = self.look.before_value(marks, behind.min(start), start);
            let label = Label::of(&before);
            let announced = judge_before(before.text, before.stance);
            let is_title = matches!(label.form, Form::Numbered | Form::Heading | Form::Bold)
                && words(label.line).count() > TITLE_WORDS;
            candidate.mentioned =
                !is_title && (announced == Use::Aside || announced == Use::Ambiguous && place > 0);
            candidate.headed = label.form != Form::None;
            let begins = || match candidate.fenced {
                true => before.fenced,
                false => self.look.is_payload(start),
            };
            candidate.first = place == 0 && begins();
            // `{"a": 1} Wait, that is wrong. {"a": 2}`
            if let Some((other, _)) = &last {
                let from = candidates[*other].span.end as usize;
                let between = self.look.text.get(from..start);
                let between = between.filter(|text| text.len() <= LEAD_BYTES);
                let between = between.unwrap_or_default();
                // The words of the sentence that contains the next value are about that value.
                // So is its title.
                let end = match before.stance {
                    Stance::Inline => between.rfind(['.', '!', '?', ';', '\n']),
                    _ if is_title => between.trim_end().rfind('\n'),
                    _ => Some(between.len()),
                };
                let between = &between[..end.unwrap_or(0)];
                candidates[*other].mentioned |= !candidates[index].mentioned && takes_back(between);
            }
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
    /// Returns `true` if the first value of a reply is in the usual place of an answer, at the
    /// beginning or after a colon: `true` at 6 of `Here: {`.
    fn is_payload(&self, start: usize) -> bool {
        let before = self.text_before(start);
        before.is_empty() || before.len() <= PREFACE_BYTES && before.ends_with(':')
    }
}

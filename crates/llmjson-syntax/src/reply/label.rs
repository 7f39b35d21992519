//! The labels of values: headings, numbers, names before a colon.

use crate::reply::before::{Before, Stance, last_line};
use crate::reply::cues::Cue;

use crate::reply::words::Words;

/// A line is a label only if it is no longer.
const LABEL_BYTES: usize = 80;

/// Maximum number of words in a label without any marks.
const PLAIN_WORDS: usize = 6;

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
        let form = match line.as_bytes()[0] {
            // `1. First:`, `(2)`
            _ if numbered && (before.stance != Stance::Inline || digits.len() == 1) => {
                Form::Numbered
            }
            _ if before.stance == Stance::Inline => Form::None,
            b'#' => Form::Heading,
            _ if marked.starts_with("**") || marked.starts_with("__") => Form::Bold,
            // `Option A:`. More words than that are a sentence that leads in the value.
            _ if words.len() <= PLAIN_WORDS && before.stance == Stance::Led => Form::Plain,
            _ => Form::None,
        };
        Self { form, words }
    }

    /// Returns `true` if two labels are of one shape, as those of the steps of a plan, of options
    /// or of states are: of the same form, with a word in common at the beginning or end, or both
    /// set off and of the same length.
    pub(crate) fn is_parallel_to(&self, other: &Self) -> bool {
        if self.form == Form::None || self.form != other.form {
            return false;
        }
        let (one, two) = (&self.words, &other.words);
        let (last, others_last) = (one.len().saturating_sub(1), two.len().saturating_sub(1));
        let shared = |at: usize, other: usize| {
            let word = one.word(at);
            !word.is_empty() && word == two.word(other) && !is_common(one, at)
        };
        // `## Before` and `## After` are parallel without a word in common, while `Input:` and `Answer:` are
        // not.
        let set_off = self.form != Form::Plain && one.len() == two.len();
        set_off || shared(0, 0) || shared(last, others_last)
    }
}

/// Returns `true` if a word may begin or end any line.
fn is_common(words: &Words, at: usize) -> bool {
    matches!(
        words.cue_of(at),
        Some(Cue::Break | Cue::Subject | Cue::Is | Cue::Range)
    )
}

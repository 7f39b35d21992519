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

    /// Returns whether two labels are of one shape, as those of the steps of a plan or of options are: `Step 1:` and
    /// `Step 2:`. They are of the same form, with a word in common at the beginning or end, or both set off and of the
    /// same length.
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

/// Returns whether a word may begin or end any line: `the` may, `option` may not.
fn is_common(words: &Words, at: usize) -> bool {
    matches!(
        words.cue_of(at),
        Some(Cue::Break | Cue::Subject | Cue::Is | Cue::Range)
    )
}

#[cfg(test)]
mod tests {
    use alloc::format;
    use alloc::string::String;

    use super::*;

    fn label(text: &str, stance: Stance) -> Label {
        Label::of(&Before {
            text,
            stance,
            fenced: false,
        })
    }

    #[test]
    fn the_last_line_may_be_a_label() {
        use Stance::{Apart, Inline, Led};
        let long = |length: usize| -> String { format!("#{}", "x".repeat(length - 1)) };
        for (text, stance, form) in [
            ("Option A:", Led, Form::Plain),
            ("Option A:", Apart, Form::None),
            ("Option A:", Inline, Form::None),
            ("That was a long line.\nOption A:", Led, Form::Plain),
            ("one two three four five six:", Led, Form::Plain),
            ("one two three four five six seven:", Led, Form::None),
            ("", Led, Form::None),
            ("1. First:", Led, Form::Numbered),
            ("1. First", Inline, Form::None),
            ("(2)", Apart, Form::Numbered),
            ("2)", Inline, Form::Numbered),
            ("12.", Inline, Form::Numbered),
            ("1 a:", Led, Form::Plain),
            (". a:", Led, Form::Plain),
            ("1", Apart, Form::None),
            ("# Title", Apart, Form::Heading),
            ("# Title", Inline, Form::None),
            ("**A:**", Led, Form::Bold),
            ("- **A:**", Led, Form::Bold),
            ("__A__", Apart, Form::Bold),
            ("*A*", Apart, Form::None),
            (&long(80), Led, Form::Heading),
            (&long(81), Led, Form::None),
        ] {
            assert_eq!(label(text, stance).form, form, "{text} {stance:?}");
        }
    }

    #[test]
    fn labels_of_one_shape_are_parallel() {
        for (one, other, expected) in [
            ("Step 1:", "Step 2:", true),
            ("First option:", "Second option:", true),
            ("Input:", "Answer:", false),
            ("## Red", "## Blue", true),
            ("## Red it", "## Blue", false),
            ("## Step red one", "## Step blue", true),
            ("## red plan", "## a blue plan", true),
            ("**Red**", "## Blue", false),
            ("The red:", "The blue:", false),
            ("Red is:", "Blue is:", false),
            ("and red:", "and blue:", false),
            ("in red:", "in blue:", false),
            (":", ":", false),
            ("", "", false),
            (
                "one two three four five six seven:",
                "one two three four five six seven:",
                false,
            ),
        ] {
            let (one, other) = (label(one, Stance::Led), label(other, Stance::Led));
            assert_eq!(one.is_parallel_to(&other), expected, "{one:?} {other:?}");
            assert_eq!(other.is_parallel_to(&one), expected, "{other:?} {one:?}");
        }
    }
}

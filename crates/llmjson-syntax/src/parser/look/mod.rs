//! Lookahead into a text: the text, the expected keys, and the work budget.
//!
//! A question that the text answers by itself is a method of [`Look`], and changes only the budget.
//! Code that writes nodes or records, or depends on the text parsed so far, is a method of the
//! [`Reader`](crate::parser::state::reader::Reader), which holds a `Look`.

pub(crate) mod brackets;
pub(crate) mod charged;
pub(crate) mod comment;
pub(crate) mod habits;
pub(crate) mod names;
pub(crate) mod notice;
pub(crate) mod quotes;
pub(crate) mod rows;
pub(crate) mod scalars;
pub(crate) mod tokens;
pub(crate) mod trivia;
pub(crate) mod window;

use core::cell::Cell;

use crate::base::expected_names::ExpectedNames;
use crate::base::work::Work;

/// Maximum distance in bytes of a lookahead from a quote or a word.
pub(crate) const LOOK_AHEAD: usize = 256;

/// Lookahead over one text.
#[derive(Clone, Copy)]
pub(crate) struct Look<'t> {
    pub(crate) text: &'t str,
    pub(crate) bytes: &'t [u8],
    /// Expected keys, as evidence where a string's end is doubtful.
    pub(crate) names: Option<&'t ExpectedNames>,
    /// The work of lookahead, in addition to the steps of reading. All lookaheads at one text share
    /// it.
    pub(crate) work: &'t Cell<Work>,
}

impl<'t> Look<'t> {
    /// Creates a view of `text` whose lookahead is charged to the work budget `work`.
    pub(crate) const fn new(text: &'t str, work: &'t Cell<Work>) -> Self {
        Self {
            text,
            bytes: text.as_bytes(),
            names: None,
            work,
        }
    }

    /// Returns the same lookahead with expected keys.
    pub(crate) const fn with_names(self, names: Option<&'t ExpectedNames>) -> Self {
        Self { names, ..self }
    }
}

/// Asks a question of a text, for tests.
#[cfg(test)]
pub(crate) fn ask<T>(text: &str, question: impl FnOnce(Look<'_>) -> T) -> T {
    let account = crate::base::limits::Limits::DEFAULT.account(text.len());
    question(Look::new(text, &account))
}

/// Asserts that a question has these answers, each of a text.
#[cfg(test)]
pub(crate) fn answers<T: PartialEq + core::fmt::Debug>(
    question: impl Fn(Look<'_>) -> T,
    table: &[(&str, T)],
) {
    for (text, answer) in table {
        assert_eq!(ask(text, &question), *answer, "{text:?}");
    }
}

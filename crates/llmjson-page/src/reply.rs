//! The parts of one reply that are shown.

use llmjson::Parsed;
use llmjson::syntax::{Document, ValueRef};
use llmjson::{
    report::{Coercion, FormatNote, Refusal, Violation},
    syntax::{Class, Span},
};

/// A reply and what became of it.
///
/// ```
/// let parsed = llmjson::parse("Sure: {city: 'Oslo'", None);
/// let reply = llmjson_page::Reply::of(&parsed);
/// let page = llmjson_page::page("reply.txt", &reply);
/// assert!(page.starts_with("<!doctype html>") && page.contains("read an unquoted key"));
/// assert!(llmjson_page::cell(&reply).starts_with("<div"));
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Reply<'p> {
    /// The text, its value and the repairs.
    pub document: &'p Document<'p>,
    /// Another value that is shown in place of the document's, such as one that is still coming.
    pub value: Option<ValueRef<'p>>,
    /// The changes made to fit the schema.
    pub coercions: &'p [Coercion],
    /// The violations of the schema.
    pub violations: &'p [Violation],
    /// The texts that have their format as it is meant, but not by the letter.
    pub format_notes: &'p [FormatNote],
    /// The changes that the policy does not allow.
    pub refused: &'p [Refusal],
    /// Rejections by others than the schema, such as validators of a type.
    pub rejected: Vec<Rejected>,
    /// `true` if the text was whole.
    pub is_complete: bool,
    /// `true` if there is a schema.
    pub has_schema: bool,
    /// The feedback for the model.
    pub feedback: Option<String>,
}

/// A note about a place in the text: the name of its kind, what it says, and how sure the value is for all that.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReplyNote {
    /// The stable name of its kind, such as `duplicate_key`.
    pub name: &'static str,
    /// Its meaning for people: lower case, without a full stop.
    pub sentence: &'static str,
    /// The certainty that it changes nothing about what was meant.
    pub class: Class,
    /// The span in the text.
    pub span: Span,
}

/// A rejection of a value by others than the schema.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rejected {
    /// The path of the value, as in `$input.days`.
    pub path: String,
    /// The problem there, such as `expected a prime`.
    pub message: String,
}

impl<'p> Reply<'p> {
    /// Returns what is shown of a document without a schema.
    #[must_use]
    pub fn read(document: &'p Document<'p>) -> Self {
        Self {
            document,
            value: None,
            coercions: &[],
            violations: &[],
            format_notes: &[],
            refused: &[],
            rejected: Vec::new(),
            is_complete: document.is_complete(),
            has_schema: false,
            feedback: None,
        }
    }

    /// Returns what is shown of a result; it has a schema if that was said or something about it is
    /// on record.
    #[must_use]
    pub fn of(parsed: &'p Parsed<'p>) -> Self {
        let (coercions, violations) = (parsed.coercions(), parsed.violations());
        Self {
            coercions,
            violations,
            format_notes: parsed.format_notes(),
            refused: parsed.refused(),
            is_complete: parsed.is_complete(),
            has_schema: !coercions.is_empty() || !violations.is_empty(),
            ..Self::read(parsed.document())
        }
    }

    /// Returns how sure it is that the value is the one that was meant.
    #[must_use]
    pub fn certainty(&self) -> Class {
        let formats = self.format_notes.iter().map(|_| FormatNote::CLASS);
        let coercions = self.coercions.iter().map(|coercion| coercion.class);
        (formats.chain(coercions)).fold(self.document.certainty(), Class::max)
    }

    /// Returns what is worth knowing about the text although nothing was changed.
    #[must_use]
    pub fn notes(&self) -> Vec<ReplyNote> {
        let of_text = self.document.notes().iter().map(|note| ReplyNote {
            name: note.kind.name(),
            sentence: note.kind.sentence(),
            class: note.class,
            span: note.span,
        });
        let of_formats = self.format_notes.iter().map(|note| ReplyNote {
            name: FormatNote::NAME,
            sentence: FormatNote::SENTENCE,
            class: FormatNote::CLASS,
            span: note.span,
        });
        of_text.chain(of_formats).collect()
    }

    /// Returns the value that is shown.
    pub(crate) fn root(&self) -> Option<ValueRef<'p>> {
        self.value.or_else(|| self.document.root())
    }

    /// Returns `true` if something does not fit.
    #[must_use]
    pub fn is_unfit(&self) -> bool {
        !self.violations.is_empty() || !self.rejected.is_empty()
    }
}

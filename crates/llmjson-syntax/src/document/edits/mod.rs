//! A text's repairs as edits, and the repaired text.

mod account;
mod align;
mod comment;
mod options;
mod parts;
mod token;

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use crate::base::limits::LimitReached;
use crate::base::repair::{Class, RepairKind};
use crate::base::span::Span;
use crate::document::Document;

pub use options::{Comments, EditOptions, Unfinished};

use account::Recorded;
#[cfg(feature = "laws")]
pub(crate) use align::{Change, Role};

/// An edit that a repair makes to the text.
///
/// Together, the edits of a document turn its text into strict JSON of its value. They are in text
/// order and do not overlap; edits at the same place apply in order.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Edit {
    /// The replaced span; empty for an insertion.
    pub span: Span,
    /// The replacement; empty if text is removed.
    pub replacement: Cow<'static, str>,
    /// The kind of the repair. If several repairs make one edit, the kind of the least certain one.
    pub kind: RepairKind,
    /// The class of the repair.
    pub class: Class,
}

/// The error for a text without a value that can be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct NoValue {
    /// The offset of the first byte that is not white space, or of the end if there is none.
    pub offset: u32,
    /// The limit that prevented a value from being read, if any.
    pub limit: Option<LimitReached>,
}

impl fmt::Display for NoValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.limit {
            Some(limit) => write!(f, "{limit}"),
            None => write!(f, "no JSON value from byte {} on", self.offset),
        }
    }
}

impl core::error::Error for NoValue {}

impl Document<'_> {
    /// Returns the edits that the repairs make, in text order; empty for strict JSON, and if there
    /// is no value.
    ///
    /// ```
    /// let document = llmjson_syntax::parse("{'a': 1,}");
    /// let edits = document.edits();
    /// let shown: Vec<_> = edits.iter().map(|edit| (edit.span.range(), &*edit.replacement)).collect();
    /// assert_eq!(shown, [(1..4, "\"a\""), (7..8, "")]);
    /// assert_eq!(edits[0].kind.name(), "other_quotes");
    /// ```
    #[must_use]
    pub fn edits(&self) -> Vec<Edit> {
        self.edits_with(EditOptions::default())
    }

    /// Returns the edits, with options for comments and truncated parts.
    #[must_use]
    pub fn edits_with(&self, options: impl Into<EditOptions>) -> Vec<Edit> {
        let edit = |(change, record): Recorded| {
            let record = self.repairs().get(record);
            Edit {
                span: Span::of(change.start, change.end),
                replacement: change.text,
                kind: record.map_or(RepairKind::StrayText, |record| record.kind),
                class: record.map_or(Class::Guess, |record| record.class),
            }
        };
        changes(self, options.into())
            .into_iter()
            .map(edit)
            .collect()
    }

    /// Returns the repaired text: strict JSON of the value, with the white space, the order and the
    /// number spellings of the text. All duplicate keys are kept.
    ///
    /// This is the value as parsed, without any coercions.
    ///
    /// ```
    /// let text = "{\n  name: 'Ada', // born 1815\n  tags: [\"a\",]\n";
    /// let document = llmjson_syntax::parse(text);
    /// let repaired = document.repaired_text().expect("there is a value");
    /// assert_eq!(repaired, "{\n  \"name\": \"Ada\", \n  \"tags\": [\"a\"]}\n");
    /// ```
    ///
    /// # Errors
    ///
    /// If there is no value.
    pub fn repaired_text(&self) -> Result<Cow<'_, str>, NoValue> {
        self.repaired_text_with(EditOptions::default())
    }

    /// Returns the repaired text, with options for comments and truncated parts.
    ///
    /// ```
    /// use llmjson_syntax::{Unfinished, parse};
    ///
    /// let document = parse("{\"a\": 1,\"b\":");
    /// assert_eq!(document.repaired_text().expect("a value"), "{\"a\": 1}");
    /// let completed = document.repaired_text_with(Unfinished::Complete);
    /// assert_eq!(completed.expect("a value"), "{\"a\": 1,\"b\":null}");
    /// ```
    ///
    /// # Errors
    ///
    /// If there is no value.
    pub fn repaired_text_with(
        &self,
        options: impl Into<EditOptions>,
    ) -> Result<Cow<'_, str>, NoValue> {
        if self.root().is_none() {
            let text = self.text();
            return Err(NoValue {
                offset: (text.len() - text.trim_start().len()) as u32,
                limit: self.limit(),
            });
        }
        let (text, mut at, mut repaired) = (self.text(), 0, String::new());
        let mut is_changed = false;
        // One at a time: all of them together may be many times as long as the text.
        align::align(self, options.into(), |change| {
            if !is_changed {
                repaired.reserve(text.len());
            }
            is_changed = true;
            repaired.push_str(text.get(at..change.start).unwrap_or_default());
            repaired.push_str(&change.text);
            at = change.end;
        });
        if !is_changed {
            return Ok(Cow::Borrowed(text));
        }
        repaired.push_str(text.get(at..).unwrap_or_default());
        Ok(Cow::Owned(repaired))
    }
}

/// The changes that turn the text of a document into strict JSON of its value, in order.
pub(crate) fn changes(document: &Document<'_>, options: EditOptions) -> Vec<Recorded> {
    let mut changes = Vec::new();
    align::align(document, options, |change| changes.push(change));
    account::recorded(document.text(), changes, document.repairs())
}

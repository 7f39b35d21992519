//! Lifetimes for which strings of a document can be borrowed.

use std::borrow::Cow;

use llmjson_syntax::Span;
use llmjson_syntax::cursor::Entry;
use serde::de::Visitor;

use super::error::Error;

/// A source from which strings can be borrowed for `'de`.
pub(super) trait Lend<'d, 'de>: Copy {
    /// Returns the content of a string.
    fn text(self, entry: &Entry<'_, 'd>) -> Lent<'d, 'de>;

    /// Returns a key.
    fn name(self, entry: &Entry<'_, 'd>) -> Lent<'d, 'de>;
}

/// A string, borrowed for as long as possible.
pub(super) enum Lent<'d, 'de> {
    Long(&'de str),
    Short(Cow<'d, str>),
}

impl<'de> Lent<'_, 'de> {
    #[inline(always)]
    pub(super) fn visit<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self {
            Self::Long(text) => visitor.visit_borrowed_str(text),
            Self::Short(Cow::Borrowed(text)) => visitor.visit_str(text),
            Self::Short(Cow::Owned(text)) => visitor.visit_string(text),
        }
    }
}

/// The text that was read, which outlives the document.
#[derive(Clone, Copy)]
pub(super) struct LentText<'de>(pub(super) &'de str);

impl<'de> LentText<'de> {
    /// Returns the text at a span: a string without escapes is a slice of the source.
    #[inline]
    fn at(self, span: Option<Span>, escaped: bool) -> Option<&'de str> {
        if escaped {
            return None;
        }
        self.0.get(span?.range())
    }
}

impl<'d, 'de> Lend<'d, 'de> for LentText<'de> {
    #[inline(always)]
    fn text(self, entry: &Entry<'_, 'd>) -> Lent<'d, 'de> {
        match self.at(entry.span(), entry.is_escaped()) {
            Some(text) => Lent::Long(text),
            None => Lent::Short(entry.decoded()),
        }
    }

    #[inline(always)]
    fn name(self, entry: &Entry<'_, 'd>) -> Lent<'d, 'de> {
        match self.at(entry.name_span(), entry.has_escaped_name()) {
            Some(text) => Lent::Long(text),
            None => Lent::Short(entry.name()),
        }
    }
}

/// The document itself, with its text and its side text.
#[derive(Clone, Copy)]
pub(super) struct InDocument;

impl<'d> Lend<'d, 'd> for InDocument {
    #[inline(always)]
    fn text(self, entry: &Entry<'_, 'd>) -> Lent<'d, 'd> {
        match entry.decoded() {
            Cow::Borrowed(text) => Lent::Long(text),
            owned => Lent::Short(owned),
        }
    }

    #[inline(always)]
    fn name(self, entry: &Entry<'_, 'd>) -> Lent<'d, 'd> {
        match entry.name() {
            Cow::Borrowed(text) => Lent::Long(text),
            owned => Lent::Short(owned),
        }
    }
}

//! The marks that the search for values in a reply has passed: fences, comments, reasoning, tags.

/// The kind of a mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MarkKind {
    /// A line that opens a code fence; it ends after the language.
    Fence,
    /// A line that closes a code fence.
    FenceEnd,
    /// A comment, which is a zone as a whole.
    Comment,
    /// The beginning of reasoning.
    Thought,
    /// The end of reasoning.
    ThoughtEnd,
    /// A whole block of reasoning whose marks are not tags.
    Reasoning,
    /// Another tag or special token.
    Tag,
}

/// A mark, and its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Mark {
    pub(crate) kind: MarkKind,
    pub(crate) start: usize,
    pub(crate) end: usize,
}

impl Mark {
    /// Returns `true` if a code fence begins or ends there.
    pub(crate) const fn is_fence(&self) -> bool {
        matches!(self.kind, MarkKind::Fence | MarkKind::FenceEnd)
    }

    /// Returns `true` if it may occur between tokens: a comment, a tag.
    pub(crate) const fn is_trivia(&self) -> bool {
        matches!(self.kind, MarkKind::Comment | MarkKind::Tag)
    }

    /// Returns `true` if reasoning has ended after it.
    pub(crate) const fn ends_thought(&self) -> bool {
        matches!(self.kind, MarkKind::ThoughtEnd | MarkKind::Reasoning)
    }
}

/// Returns the marks that begin at a place or after it.
pub(crate) fn marks_from(marks: &[Mark], place: usize) -> &[Mark] {
    &marks[marks.partition_point(|mark| mark.start < place)..]
}

/// Returns the marks that begin before a place.
pub(crate) fn marks_before(marks: &[Mark], place: usize) -> &[Mark] {
    &marks[..marks.partition_point(|mark| mark.start < place)]
}

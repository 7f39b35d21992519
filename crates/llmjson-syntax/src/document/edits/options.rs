//! Options for writing a text as JSON.

/// The treatment of a member or number that was truncated before it had a value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Unfinished {
    /// Drops it, as [`Document::root`](crate::Document::root) does: `{"a": 2., "b":` becomes
    /// `{"a": 2}`.
    #[default]
    Drop,
    /// Completes it with null or the digit 0: `{"a": 2.0, "b":null}`.
    Complete,
}

/// The treatment of the comments of a text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Comments {
    /// Drops them: the output is strict JSON.
    #[default]
    Drop,
    /// Keeps them: the output is JSON with comments (JSONC). `// …` and `/* … */` are kept, and
    /// `# …` becomes `// …`. Other comments are dropped, and so are unclosed block comments,
    /// notices of omitted text, and comments in text that is rewritten or skipped as a whole.
    Keep,
}

/// The options of [`Document::edits_with`](crate::Document::edits_with) and
/// [`repaired_text_with`](crate::Document::repaired_text_with). Each single choice converts to
/// them.
///
/// ```
/// use llmjson_syntax::{Comments, EditOptions, Unfinished, parse};
///
/// let document = parse("{'a': 1, # one\n'b': // two");
/// let repaired = document.repaired_text_with(Comments::Keep);
/// assert_eq!(repaired.expect("a value"), "{\"a\": 1} // one\n");
/// let options = EditOptions::from(Comments::Keep).with_unfinished(Unfinished::Complete);
/// let completed = document.repaired_text_with(options);
/// assert_eq!(completed.expect("a value"), "{\"a\": 1, // one\n\"b\":null}");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct EditOptions {
    /// The treatment of truncated parts.
    pub unfinished: Unfinished,
    /// The treatment of comments.
    pub comments: Comments,
}

impl EditOptions {
    /// Sets the treatment of truncated parts.
    #[must_use]
    pub const fn with_unfinished(self, unfinished: Unfinished) -> Self {
        Self { unfinished, ..self }
    }

    /// Sets the treatment of comments.
    #[must_use]
    pub const fn with_comments(self, comments: Comments) -> Self {
        Self { comments, ..self }
    }
}

impl From<Unfinished> for EditOptions {
    fn from(unfinished: Unfinished) -> Self {
        Self::default().with_unfinished(unfinished)
    }
}

impl From<Comments> for EditOptions {
    fn from(comments: Comments) -> Self {
        Self::default().with_comments(comments)
    }
}

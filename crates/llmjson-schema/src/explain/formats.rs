//! Notes about strings that match their format only leniently.

use std::collections::HashSet;

use llmjson_syntax::{Class, NodeId, Span, ValueRef};

use crate::base::formats::FormatStrictness;
use crate::base::path::Path;
use crate::base::report::{Found, Violation};
use crate::base::text::SharedText;
use crate::base::undeclared::Undeclared;
use crate::schema::Schema;

/// A note that a string matches its format leniently but not strictly. The string is unchanged.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct FormatNote {
    /// The path of the string.
    pub path: Path,
    /// The type that the schema expects there, as in a [`Violation`].
    pub expected: SharedText,
    /// The string.
    pub value: NodeId,
    /// The span of the string, or of the innermost enclosing value that appears in the parsed text.
    pub span: Span,
}

impl FormatNote {
    /// The stable name of these notes, in addition to the names of
    /// [`NoteKind`](llmjson_syntax::NoteKind).
    pub const NAME: &str = "meant_format";
    /// The certainty that the string has the intended meaning: an omitted offset or day may mean
    /// something else to some readers.
    pub const CLASS: Class = Class::Likely;
    /// The meaning of the note for people: lower case, without a full stop.
    pub const SENTENCE: &str = "a text has its format as it is meant, but not by the letter";
}

impl Schema {
    /// Returns a note for each string that matches its format
    /// [leniently](FormatStrictness::Lenient) but not strictly, in document order. Empty if the
    /// schema checks formats strictly.
    ///
    /// ```
    /// use llmjson_schema::Schema;
    ///
    /// let schema = Schema::from_text(r#"{"items": {"format": "time"}}"#)?;
    /// let document = llmjson_syntax::parse(r#"["10:00:00Z", "10:00", "25:00"]"#);
    /// let notes = schema.format_notes(document.root().expect("a list"));
    /// assert_eq!(notes.len(), 1);
    /// assert_eq!(notes[0].path.to_string(), "$input[1]");
    /// # Ok::<(), llmjson_schema::SchemaError>(())
    /// ```
    #[must_use]
    pub fn format_notes(&self, root: ValueRef<'_>) -> Vec<FormatNote> {
        let strict = self.with_formats(FormatStrictness::Strict);
        if strict.is_same(self) {
            return Vec::new();
        }
        let found = strict.violations(root, Undeclared::Keep);
        if !found.iter().any(is_about_format) {
            return Vec::new();
        }
        let wrong = self.violations(root, Undeclared::Keep);
        let wrong = wrong.iter().filter(|one| is_about_format(one));
        let wrong: HashSet<_> = wrong.filter_map(|one| place(one.found)).collect();
        let found = found.into_iter().filter(is_about_format);
        let notes = found.filter_map(|one| {
            let value = place(one.found).filter(|value| !wrong.contains(value))?;
            Some(FormatNote {
                span: one.path.span_in(root).unwrap_or(Span { start: 0, end: 0 }),
                path: one.path,
                expected: one.expected,
                value,
            })
        });
        notes.collect()
    }
}

fn is_about_format(violation: &Violation) -> bool {
    violation.keyword == "format"
}

fn place(found: Found) -> Option<NodeId> {
    match found {
        Found::Value(id) => Some(id),
        Found::Missing => None,
    }
}

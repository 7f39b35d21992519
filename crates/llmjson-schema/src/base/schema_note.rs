//! Notes about schemas.

/// A note about a usable schema.
///
/// ```
/// use llmjson_schema::{Schema, SchemaNoteKind};
///
/// let tool = r#"{"name": "f", "input_schema": {"type": "object", "colour": "red"}}"#;
/// let schema = Schema::from_text(tool)?;
/// assert_eq!(schema.as_json(), r#"{"type": "object", "colour": "red"}"#);
/// let notes: Vec<_> = schema.notes().iter().map(|note| (note.kind, &*note.keyword)).collect();
/// assert_eq!(notes, [
///     (SchemaNoteKind::Wrapper, "input_schema"),
///     (SchemaNoteKind::UnknownKeyword, "colour"),
/// ]);
/// # Ok::<(), llmjson_schema::SchemaError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SchemaNote {
    /// The kind of note.
    pub kind: SchemaNoteKind,
    /// The JSON Pointer to the place, in the schema as given.
    pub pointer: String,
    /// The keyword that the note is about.
    pub keyword: String,
    /// The message: lower case, without a full stop.
    pub message: String,
}

/// The kind of a [`SchemaNote`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum SchemaNoteKind {
    /// The schema was in a provider's wrapper, such as a tool's `input_schema`, which was removed.
    Wrapper,
    /// The schema contains an unknown keyword.
    UnknownKeyword,
}

llmjson_syntax::named!(SchemaNoteKind:
    "schema_wrapper" => Wrapper,
    "unknown_keyword" => UnknownKeyword,
);

impl SchemaNote {
    pub(crate) fn new(kind: SchemaNoteKind, pointer: String, name: &str, message: String) -> Self {
        Self {
            kind,
            pointer,
            keyword: name.to_owned(),
            message,
        }
    }
}

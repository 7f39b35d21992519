//! The wording of a schema's expectations.

/// The wording of a schema's expectations, in violations and feedback.
///
/// ```
/// use llmjson_schema::{Schema, Wording};
///
/// let schema = Schema::from_text(r#"{"type": "integer", "minimum": 1, "maximum": 100}"#)?;
/// assert_eq!(schema.expected(), "integer & Minimum<1> & Maximum<100>");
///
/// let schema = schema.with_wording(Wording::Plain);
/// assert_eq!(schema.expected(), "a whole number from 1 to 100");
/// # Ok::<(), llmjson_schema::SchemaError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Wording {
    /// Types with tags, as typia writes them: `integer & Minimum<1> & Maximum<100>`.
    #[default]
    Tags,
    /// Plain words: `a whole number from 1 to 100`. Keywords without an equivalent in words (`if`,
    /// `not`, `contains`) are written as in the schema.
    Plain,
}

llmjson_syntax::named!(Wording: "tags" => Tags, "plain" => Plain);

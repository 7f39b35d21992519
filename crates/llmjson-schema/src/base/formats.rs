//! The strictness of `format` checks.

/// The strictness with which a string is checked against its `format`.
///
/// ```
/// use llmjson_schema::{FormatStrictness, Schema};
///
/// let schema = Schema::from_text(r#"{"format": "date-time"}"#)?;
/// let is_valid = |schema: &Schema, text: &str| schema.validate(&text.into()).is_ok();
/// assert!(is_valid(&schema, "2025-05-01 10:00"));
/// assert!(!is_valid(&schema, "2025-13-01 10:00"));
///
/// let schema = schema.with_formats(FormatStrictness::Strict);
/// assert!(!is_valid(&schema, "2025-05-01 10:00"));
/// assert!(is_valid(&schema, "2025-05-01T10:00:00Z"));
/// # Ok::<(), llmjson_schema::SchemaError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum FormatStrictness {
    /// Accepts common variants. A `date-time` or `time` needs neither seconds nor an offset, and a
    /// space may replace the `T`; a `uuid` needs no hyphens, and may be a URN; a `duration` may be
    /// `HH:MM:SS`, be negative, or have a fraction. Each variant is [noted](crate::FormatNote). A
    /// date must exist in the calendar.
    ///
    /// Coercion adds missing seconds and the `T`, so that every RFC 3339 parser accepts the string.
    /// It never adds or removes an offset.
    #[default]
    Lenient,
    /// Accepts only what the format's specification allows.
    Strict,
    /// Accepts the same variants as `Lenient`, and coercion leaves them unchanged.
    AsWritten,
}

impl FormatStrictness {
    /// Returns `true` if the format has variants that only lenient checks accept.
    pub(crate) fn matter_for(format: &str) -> bool {
        matches!(
            format,
            "date-time"
                | "duration"
                | "partial-date-time"
                | "partial-time"
                | "time"
                | "uuid"
                | "zoned-date-time"
        )
    }
}

llmjson_syntax::named!(FormatStrictness: "lenient" => Lenient, "strict" => Strict, "as_written" => AsWritten);

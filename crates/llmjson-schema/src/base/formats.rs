//! The closeness with which formats are taken.

/// The closeness with which the formats of texts are taken.
///
/// ```
/// use llmjson_schema::{Formats, Schema};
///
/// let schema = Schema::from_text(r#"{"format": "date-time"}"#)?;
/// let is_valid = |schema: &Schema, text: &str| schema.validate(&text.into()).is_ok();
/// assert!(is_valid(&schema, "2025-05-01 10:00"));
/// assert!(!is_valid(&schema, "2025-13-01 10:00"));
///
/// let schema = schema.with_formats(Formats::Letter);
/// assert!(!is_valid(&schema, "2025-05-01 10:00"));
/// assert!(is_valid(&schema, "2025-05-01T10:00:00Z"));
/// # Ok::<(), llmjson_schema::SchemaError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Formats {
    /// The meaning of their specifications. A `date-time` or `time` needs neither seconds nor an
    /// offset, and a space may stand in place of the `T`; a `uuid` needs no hyphens, and may be a
    /// URN; a `duration` may be `HH:MM:SS`, or have a sign or a fraction. What is not by the letter
    /// is [noted](crate::FormatNote). A day that there is not in the calendar is none.
    ///
    /// Coercion writes seconds and the `T` where they are missing, so that every reader of RFC 3339 takes the text. An
    /// offset is never added or taken away.
    #[default]
    Meant,
    /// The letter of their specifications.
    Letter,
    /// The meaning of their specifications, and what has its format in that way stays as it is written.
    AsWritten,
}

impl Formats {
    /// Returns `true` if some texts have a format as it is meant, and not by the letter.
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

llmjson_syntax::named!(Formats: "meant" => Meant, "letter" => Letter, "as_written" => AsWritten);

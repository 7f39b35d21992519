//! Parses a reply against a schema: read, choose, coerce, validate.

mod candidates;
mod choose;
mod convert;
mod echo;
mod fit_value;
mod fitted;
mod parsed;
mod telemetry;

use llmjson_schema::{Schema, document_from_value};
use llmjson_syntax::{Document, InvalidUtf8, Parser};
use serde_json::Value;

use crate::policy::{Handling, LENIENT, Policy};

pub use candidates::{ParsedCandidate, parse_all};
pub use choose::fit;
pub use fit_value::fit_value;
pub(crate) use parsed::Fitted;
pub use parsed::Parsed;

/// Parses a reply, and coerces its value to the schema if one is given.
///
/// Any text gives a result. If the reply may mean several values, the one that satisfies the schema
/// with the fewest changes is chosen; without a schema, the most substantial one, and the last of
/// equals.
///
/// ```
/// # use llmjson_reply as llmjson;
/// use llmjson::Schema;
///
/// let schema = Schema::compile(&serde_json::json!({
///     "type": "object",
///     "properties": {"city": {"type": "string"}, "days": {"type": "integer"}},
///     "required": ["city", "days"]
/// }))?;
/// let parsed = llmjson::parse("Sure!\n```json\n{city: 'Paris', days: \"3\",}\n```", Some(&schema));
/// assert!(parsed.conforms() && parsed.is_complete());
/// assert_eq!(parsed.to_json().as_deref(), Some(r#"{"city":"Paris","days":3}"#));
/// assert_eq!(parsed.coercions()[0].kind.name(), "text_to_number");
/// # Ok::<(), llmjson::SchemaError>(())
/// ```
#[must_use]
pub fn parse<'t>(text: &'t str, schema: Option<&Schema>) -> Parsed<'t> {
    LENIENT.parse(text, schema)
}

impl Policy {
    /// Parses a reply as [`parse`] does, with the changes that the policy allows.
    ///
    /// An interpretation that the policy allows is preferred to any other one. If there is none,
    /// the best one is returned but does not [conform](Parsed::conforms), and
    /// [`refused`](Parsed::refused) gives the reasons.
    ///
    /// ```
    /// # use llmjson_reply as llmjson;
    /// use llmjson::Policy;
    ///
    /// let parsed = Policy::tool().parse("{'sum': 12", None);
    /// assert_eq!(parsed.to_json().as_deref(), Some(r#"{"sum":12}"#));
    /// assert!(!parsed.conforms());
    /// let failure = parsed.into_result().unwrap_err();
    /// assert_eq!(
    ///     failure.to_string(),
    ///     "not allowed: the text ended before its value did (truncated) at line 1, column 11 (byte 10)"
    /// );
    /// ```
    #[must_use]
    pub fn parse<'t>(&self, text: &'t str, schema: Option<&Schema>) -> Parsed<'t> {
        let parsed = read(text, schema, self);
        self.emit(&parsed);
        parsed
    }

    /// Parses the bytes of a reply as [`parse_bytes`] does, with the changes that the policy
    /// allows: see [`parse`](Self::parse).
    ///
    /// # Errors
    ///
    /// See [`parse_bytes`].
    ///
    /// ```
    /// # use llmjson_reply as llmjson;
    /// use llmjson::Policy;
    ///
    /// let parsed = Policy::tool().parse_bytes(b"{'name': 'Jos\xC3", None)?;
    /// assert_eq!(parsed.refused()[0].name(), "truncated");
    /// # Ok::<(), llmjson::syntax::InvalidUtf8>(())
    /// ```
    pub fn parse_bytes<'t>(
        &self,
        bytes: &'t [u8],
        schema: Option<&Schema>,
    ) -> Result<Parsed<'t>, InvalidUtf8> {
        if let Ok(text) = std::str::from_utf8(bytes) {
            return Ok(self.parse(text, schema));
        }
        let names = schema.map(|schema| schema.names().clone());
        let document = Parser::expecting(self.limits(), names).parse_bytes(bytes)?;
        let parsed = fit(document, schema, self);
        self.emit(&parsed);
        Ok(parsed)
    }

    /// Parses the arguments of a tool call as [`arguments`] does, with the changes that the policy
    /// allows: see [`parse`](Self::parse). Truncated arguments are refused unless the policy
    /// [allows](Self::allow_truncated) them.
    #[must_use]
    pub fn arguments<'t>(&self, text: &'t str, schema: Option<&Schema>) -> Parsed<'t> {
        if !self.allows_truncated() && self.truncated() == Handling::Accept {
            let refusing = self.clone().with_truncated(Handling::Refuse);
            return refusing.arguments(text, schema);
        }
        if matches!(text.trim(), "" | "null") && self.takes_blank_arguments() {
            let empty = fit(llmjson_syntax::parse("{}"), schema, self);
            if empty.conforms() {
                self.emit(&empty);
                return empty;
            }
        }
        self.parse(text, schema)
    }

    /// Coerces a value to a schema as [`coerce`] does, with the changes that the policy allows. For
    /// a [`Document`], the policy also judges how it was parsed.
    #[must_use]
    pub fn coerce<'t>(&self, value: impl Into<Input<'t>>, schema: &Schema) -> Parsed<'t> {
        let Input(document) = value.into();
        let mut parsed = Fitted::of(document, Some(schema), self);
        parsed.leave_out_invalid(schema, self);
        parsed.schema = Some(self.asks(schema).clone());
        self.emit(&parsed);
        parsed
    }
}

/// Parses a reply without calling observers.
#[inline]
pub fn read<'t>(text: &'t str, schema: Option<&Schema>, policy: &Policy) -> Parsed<'t> {
    match policy.ways.find {
        None => read_ranked(text, schema, policy),
        Some(find) => match find(text, schema, policy) {
            Some(found) => Fitted::found(found, policy).under(schema, policy),
            None => read_ranked(text, schema, policy),
        },
    }
}

#[inline]
fn read_ranked<'t>(text: &'t str, schema: Option<&Schema>, policy: &Policy) -> Parsed<'t> {
    let names = schema.map(|schema| schema.names().clone());
    let mut document = Parser::expecting(policy.limits(), names).parse(text);
    // There is no schema. Moving a document costs as much as reading a line.
    if schema.is_none() && document.reading_count() <= 1 && policy.allows_all() {
        policy.inform(&mut document);
        let mut parsed = Fitted::unread(document, Vec::new());
        parsed.allows_truncated = policy.allows_truncated();
        return parsed;
    }
    fit(document, schema, policy)
}

/// Returns the result of [`read`] for the text of a document that has already been read.
pub(crate) fn read_document<'t>(
    document: Document<'t>,
    schema: Option<&Schema>,
    policy: &Policy,
) -> Parsed<'t> {
    let find = policy.ways.find;
    let found = find.and_then(|find| find(document.text(), schema, policy));
    let found = found.map(|found| Fitted::found(found, policy).into_owned());
    match found {
        Some(fitted) => fitted.under(schema, policy),
        None => fit(document, schema, policy),
    }
}

/// Parses the bytes of a reply, which should be UTF-8. Use it for bytes from a socket or a file.
///
/// An incomplete character at the end is dropped, and the value counts as truncated.
///
/// # Errors
///
/// If any other byte is not UTF-8, with its offset; nothing is replaced.
///
/// ```
/// # use llmjson_reply as llmjson;
/// let parsed = llmjson::parse_bytes(b"{'name': 'Jos\xC3", None)?;
/// assert_eq!(parsed.to_json().as_deref(), Some(r#"{"name":"Jos"}"#));
/// assert!(!parsed.is_complete());
///
/// assert_eq!(llmjson::parse_bytes(b"[\xFF]", None).unwrap_err().offset, 1);
/// # Ok::<(), llmjson::syntax::InvalidUtf8>(())
/// ```
pub fn parse_bytes<'t>(
    bytes: &'t [u8],
    schema: Option<&Schema>,
) -> Result<Parsed<'t>, InvalidUtf8> {
    LENIENT.parse_bytes(bytes, schema)
}

/// Parses the arguments of a tool call. Blank input and `null`, which models write for tools
/// without parameters, are read as `{}` if the schema requires nothing. Truncated arguments do not
/// [conform](Parsed::conforms).
///
/// ```
/// # use llmjson_reply as llmjson;
/// assert_eq!(llmjson::arguments("", None).to_json().as_deref(), Some("{}"));
/// assert_eq!(llmjson::parse("", None).to_json(), None);
/// assert!(!llmjson::arguments("{to: 'Ada', cents: 12", None).conforms());
/// ```
#[must_use]
pub fn arguments<'t>(text: &'t str, schema: Option<&Schema>) -> Parsed<'t> {
    LENIENT.arguments(text, schema)
}

/// Coerces a value to a schema: a [`serde_json::Value`] from another library, or a [`Document`].
/// Numbers are as exact as in the given value.
///
/// ```
/// # use llmjson_reply as llmjson;
/// use llmjson::Schema;
///
/// let schema = Schema::compile(&serde_json::json!({"type": "array", "items": {"type": "integer"}}))?;
/// let parsed = llmjson::coerce(&serde_json::json!(["1", 2]), &schema);
/// assert_eq!(parsed.to_json().as_deref(), Some("[1,2]"));
/// # Ok::<(), llmjson::SchemaError>(())
/// ```
#[must_use]
pub fn coerce<'t>(value: impl Into<Input<'t>>, schema: &Schema) -> Parsed<'t> {
    LENIENT.coerce(value, schema)
}

/// The value that [`coerce`] takes: a [`serde_json::Value`] or a [`Document`].
#[derive(Debug)]
pub struct Input<'t>(Document<'t>);

impl<'t> From<Document<'t>> for Input<'t> {
    fn from(document: Document<'t>) -> Self {
        Self(document)
    }
}

impl From<&Value> for Input<'_> {
    fn from(value: &Value) -> Self {
        Self(document_from_value(value))
    }
}

impl From<Value> for Input<'_> {
    fn from(value: Value) -> Self {
        Self::from(&value)
    }
}

//! A reply and a schema: read, choose, coerce, validate.

mod candidates;
mod choose;
mod convert;
pub(crate) mod fitted;
mod telemetry;

use llmjson_schema::{Coercion, Failure, Refusal, Schema, Violation, document_from_value};
use llmjson_syntax::{Class, Document, InvalidUtf8, Limits, Note, Parser, Repair, ValueRef};
use serde_json::Value;

use crate::conservative;
use crate::policy::{Policy, Search};

pub use candidates::{Candidate, parse_all, parse_all_with};
pub(crate) use choose::fit;
use fitted::Fitted;

/// The policy of the functions that take none.
pub(crate) static LENIENT: Policy = Policy::lenient();

/// The result of reading a reply: the best value, how it was read, what was changed to fit the
/// schema, and what still does not fit.
///
/// It borrows the reply. There is always one of these, whatever the text; ask
/// [`conforms`](Self::conforms), or take [`into_result`](Self::into_result).
#[derive(Clone, Debug)]
pub struct Parsed<'t> {
    pub(crate) document: Document<'t>,
    pub(crate) schema: Option<Schema>,
    pub(crate) coercions: Vec<Coercion>,
    pub(crate) violations: Vec<Violation>,
    pub(crate) refused: Vec<Refusal>,
    /// How long the feedback may be.
    pub(crate) feedback_bytes: u32,
}

/// Reads a reply, and with a schema makes its value fit.
///
/// Any text gives a result. If a reply may mean several values, the one that fits the schema with
/// the fewest changes is taken; without a schema the most substantial one, of equals the last.
///
/// ```
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
    parse_with(text, schema, &LENIENT)
}

/// Reads a reply as [`parse`] does, as far as a policy allows.
///
/// Of what the reply may mean, a reading that the policy allows is taken before any other one.
/// Where it allows none, the best is shown all the same, but does not
/// [conform](Parsed::conforms), and [`refused`](Parsed::refused) says why.
///
/// ```
/// use llmjson::Policy;
///
/// let parsed = llmjson::parse_with("{'sum': 12", None, &Policy::tool());
/// assert_eq!(parsed.to_json().as_deref(), Some(r#"{"sum":12}"#));
/// assert!(!parsed.conforms());
/// let failure = parsed.into_result().unwrap_err();
/// assert_eq!(
///     failure.to_string(),
///     "not allowed: the text ended before its value did (truncated) at line 1, column 11 (byte 10)"
/// );
/// ```
#[must_use]
pub fn parse_with<'t>(text: &'t str, schema: Option<&Schema>, policy: &Policy) -> Parsed<'t> {
    let parsed = read(text, schema, policy);
    policy.tell(&parsed);
    parsed
}

/// Reads a reply and tells nobody.
#[inline]
pub(crate) fn read<'t>(text: &'t str, schema: Option<&Schema>, policy: &Policy) -> Parsed<'t> {
    match policy.search() {
        Search::Ranked => read_ranked(text, schema, policy),
        Search::InOrder => read_in_order(text, schema, policy),
    }
}

#[cold]
fn read_in_order<'t>(text: &'t str, schema: Option<&Schema>, policy: &Policy) -> Parsed<'t> {
    match conservative::search(text, schema, policy) {
        Some(fitted) => fitted.under(schema),
        None => read_ranked(text, schema, policy),
    }
}

#[inline]
fn read_ranked<'t>(text: &'t str, schema: Option<&Schema>, policy: &Policy) -> Parsed<'t> {
    let names = schema.map(|schema| schema.names().clone());
    let mut document = Parser::expecting(policy.limits(), names).parse(text);
    // Nothing is asked of the value. Moving a document about costs as much as reading a line.
    if schema.is_none() && document.reading_count() <= 1 && policy.allows_all() {
        policy.inform(&mut document);
        return Fitted::unread(document, Vec::new());
    }
    fit(document, schema, policy)
}

/// What [`read`] makes of the text of a document that was read already.
pub(crate) fn read_document<'t>(
    document: Document<'t>,
    schema: &Schema,
    policy: &Policy,
) -> Parsed<'t> {
    let in_order = match policy.search() {
        Search::Ranked => None,
        Search::InOrder => conservative::search(document.text(), Some(schema), policy),
    };
    let in_order = in_order.map(Fitted::into_owned);
    match in_order {
        Some(fitted) => fitted.under(Some(schema)),
        None => fit(document, Some(schema), policy),
    }
}

/// Reads the bytes of a reply, which should be UTF-8: [`parse`] for what comes from a socket or file.
///
/// A character that the end of the bytes cuts off is dropped, and the value counts as truncated.
///
/// # Errors
///
/// Any other byte that is not UTF-8 is an error with its offset; nothing is replaced.
///
/// ```
/// let parsed = llmjson::parse_bytes(b"{'name': 'Jos\xC3", None)?;
/// assert_eq!(parsed.to_json().as_deref(), Some(r#"{"name":"Jos"}"#));
/// assert!(!parsed.is_complete());
///
/// assert_eq!(llmjson::parse_bytes(b"[\xFF]", None).unwrap_err().offset, 1);
/// # Ok::<(), llmjson::stream::InvalidUtf8>(())
/// ```
pub fn parse_bytes<'t>(
    bytes: &'t [u8],
    schema: Option<&Schema>,
) -> Result<Parsed<'t>, InvalidUtf8> {
    if let Ok(text) = std::str::from_utf8(bytes) {
        return Ok(parse(text, schema));
    }
    let names = schema.map(|schema| schema.names().clone());
    let document = Parser::expecting(LENIENT.limits(), names).parse_bytes(bytes)?;
    Ok(fit(document, schema, &LENIENT))
}

/// Reads the arguments of a tool call. Blank text and `null`, which models write for a tool
/// without parameters, are `{}` where the schema requires nothing.
///
/// ```
/// assert_eq!(llmjson::arguments("", None).to_json().as_deref(), Some("{}"));
/// assert_eq!(llmjson::parse("", None).to_json(), None);
/// ```
#[must_use]
pub fn arguments<'t>(text: &'t str, schema: Option<&Schema>) -> Parsed<'t> {
    arguments_with(text, schema, &LENIENT)
}

/// Reads the arguments of a tool call as [`arguments`] does, as far as a policy allows: see
/// [`parse_with`].
#[must_use]
pub fn arguments_with<'t>(text: &'t str, schema: Option<&Schema>, policy: &Policy) -> Parsed<'t> {
    if matches!(text.trim(), "" | "null") && policy.takes_blank_arguments() {
        let empty = fit(llmjson_syntax::parse("{}"), schema, policy);
        if empty.conforms() {
            policy.tell(&empty);
            return empty;
        }
    }
    parse_with(text, schema, policy)
}

/// Coerces a value to a schema: a [`serde_json::Value`] that another library read, or a
/// [`Document`]. Exact as far as the given value is.
///
/// ```
/// use llmjson::Schema;
///
/// let schema = Schema::compile(&serde_json::json!({"type": "array", "items": {"type": "integer"}}))?;
/// let parsed = llmjson::coerce(&serde_json::json!(["1", 2]), &schema);
/// assert_eq!(parsed.to_json().as_deref(), Some("[1,2]"));
/// # Ok::<(), llmjson::SchemaError>(())
/// ```
#[must_use]
pub fn coerce<'t>(value: impl Into<Input<'t>>, schema: &Schema) -> Parsed<'t> {
    coerce_with(value, schema, &LENIENT)
}

/// Coerces a value to a schema as [`coerce`] does, as far as a policy allows. Of a [`Document`] the
/// policy also judges how it was read.
#[must_use]
pub fn coerce_with<'t>(
    value: impl Into<Input<'t>>,
    schema: &Schema,
    policy: &Policy,
) -> Parsed<'t> {
    let Input(document) = value.into();
    let mut parsed = Fitted::of(document, Some(schema), policy);
    parsed.schema = Some(schema.clone());
    policy.tell(&parsed);
    parsed
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

impl<'t> Parsed<'t> {
    /// Returns the value, or `None` if the reply has none.
    #[must_use]
    pub fn value(&self) -> Option<ValueRef<'_>> {
        self.document.root()
    }

    /// The value and the record of how it was read.
    #[must_use]
    pub fn document(&self) -> &Document<'t> {
        &self.document
    }

    /// The value and the record of how it was read.
    #[must_use]
    pub fn into_document(self) -> Document<'t> {
        self.document
    }

    /// Returns the same result with its own copy of the text.
    #[must_use]
    pub fn into_owned(self) -> Parsed<'static> {
        Parsed {
            document: self.document.into_owned(),
            schema: self.schema,
            coercions: self.coercions,
            violations: self.violations,
            refused: self.refused,
            feedback_bytes: self.feedback_bytes,
        }
    }

    /// Returns every change made to read the text as JSON.
    #[must_use]
    pub fn repairs(&self) -> &[Repair] {
        self.document.repairs()
    }

    /// Returns the notes: what is worth knowing although nothing was repaired.
    #[must_use]
    pub fn notes(&self) -> &[Note] {
        self.document.notes()
    }

    /// Returns every change made to fit the value to the schema.
    #[must_use]
    pub fn coercions(&self) -> &[Coercion] {
        &self.coercions
    }

    /// Returns every way in which the value still does not satisfy the schema.
    #[must_use]
    pub fn violations(&self) -> &[Violation] {
        &self.violations
    }

    /// Returns everything about the reply that the policy does not allow: repairs, that it was cut off,
    /// names that come twice. Always empty without a policy.
    #[must_use]
    pub fn refused(&self) -> &[Refusal] {
        &self.refused
    }

    /// Returns whether there is a value, it satisfies the schema if there is one, and the policy
    /// allows it.
    #[must_use]
    pub fn conforms(&self) -> bool {
        self.document.root().is_some() && self.violations.is_empty() && self.refused.is_empty()
    }

    /// Returns whether the text of the value ended as it should. If not, the value is a beginning
    /// of what was meant; who acts on it should refuse.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.document.is_complete()
    }

    /// Returns whether [`certainty`](Self::certainty) is [`Class::Certain`]: all that was done to
    /// get the value has one reading only, and its text was not cut off.
    #[must_use]
    pub fn is_certain(&self) -> bool {
        self.certainty() == Class::Certain
    }

    /// Returns how sure it is that the value is the one that was meant: the least sure class among
    /// repairs and coercions. A value whose text was cut off is never certain, since its last
    /// number or word may have lost its end.
    ///
    /// ```
    /// use llmjson::report::Class;
    ///
    /// assert_eq!(llmjson::parse("{a: 'x'}", None).certainty(), Class::Certain);
    /// assert_eq!(llmjson::parse("{a: [1, 12", None).certainty(), Class::Likely);
    /// ```
    #[must_use]
    pub fn certainty(&self) -> Class {
        let coercions = self.coercions.iter().map(|coercion| coercion.class);
        coercions.fold(self.document.certainty(), Class::max)
    }

    /// Returns the value as compact JSON, or `None` if the reply has none.
    #[must_use]
    pub fn to_json(&self) -> Option<String> {
        self.document.to_json()
    }

    /// Returns the value if there is one, it satisfies the schema and the policy allows it.
    ///
    /// A value whose text was cut off counts if it fits: ask [`is_complete`](Self::is_complete).
    ///
    /// # Errors
    ///
    /// Why there is no value, what does not fit, or what is not allowed, for
    /// [`stringify()`](crate::stringify).
    #[expect(
        clippy::result_large_err,
        reason = "a failure holds the document; it is the result"
    )]
    pub fn into_result(self) -> Result<Document<'t>, Failure<'t>> {
        if self.conforms() {
            return Ok(self.document);
        }
        Err(self.into_failure())
    }

    /// Returns why the value does not conform.
    pub(crate) fn into_failure(self) -> Failure<'t> {
        let failure = Failure::new(self.document, self.schema.as_ref(), self.violations);
        let limits = Limits::DEFAULT.with_feedback_bytes(self.feedback_bytes);
        failure.with_refusals(self.refused).with_limits(limits)
    }
}

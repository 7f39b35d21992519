//! A reply and a schema: read, choose, coerce, validate.

use std::cmp::Reverse;

use llmjson_schema::{
    CoerceOptions, Coercion, Failure, Schema, Undeclared, Violation, document_from_value,
    fit as fit_document,
};
use llmjson_syntax::{Class, Document, Note, Parser, Repair, ValueRef};
use serde_json::Value;

/// What came of a reply: the best value, how it was read, what was changed to fit the schema, and
/// what still does not fit.
///
/// It borrows the reply. There is always one of these, whatever the text; ask
/// [`conforms`](Self::conforms), or take [`into_result`](Self::into_result).
#[derive(Clone, Debug)]
pub struct Parsed<'t> {
    document: Document<'t>,
    schema: Option<Schema>,
    coercions: Vec<Coercion>,
    violations: Vec<Violation>,
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
    let document = match schema {
        Some(schema) => Parser::new().with_names(schema.names().clone()).parse(text),
        None => llmjson_syntax::parse(text),
    };
    fit(document, schema)
}

/// Reads all values of a reply, in the order of the text, and makes each fit. Where each stands and
/// in what, [`syntax::parse_all`](llmjson_syntax::parse_all) tells.
///
/// ```
/// let reply = "First {\"n\": 1}, then:\n```json\n{\"n\": 2}\n```";
/// let all = llmjson::parse_all(reply, None);
/// let values: Vec<_> = all.iter().filter_map(|one| one.to_json()).collect();
/// assert_eq!(values, [r#"{"n":1}"#, r#"{"n":2}"#]);
/// ```
#[must_use]
pub fn parse_all<'t>(text: &'t str, schema: Option<&Schema>) -> Vec<Parsed<'t>> {
    llmjson_syntax::parse_all(text)
        .into_iter()
        .map(|candidate| fit(candidate.into_document(), schema))
        .collect()
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
    if matches!(text.trim(), "" | "null") {
        let empty = fit(llmjson_syntax::parse("{}"), schema);
        if empty.conforms() {
            return empty;
        }
    }
    parse(text, schema)
}

/// Makes a value fit a schema: a [`serde_json::Value`] that another library read, or a
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
    let Input(document) = value.into();
    let (document, coercions, violations) = fit_root(document, schema);
    Parsed {
        document,
        schema: Some(schema.clone()),
        coercions,
        violations,
    }
}

/// A value to make fit: see [`coerce`].
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
    /// The value; `None` if there is none.
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

    /// Every liberty taken to read the text.
    #[must_use]
    pub fn repairs(&self) -> &[Repair] {
        self.document.repairs()
    }

    /// What is worth knowing though nothing had to be put right.
    #[must_use]
    pub fn notes(&self) -> &[Note] {
        self.document.notes()
    }

    /// Every change made to fit the schema.
    #[must_use]
    pub fn coercions(&self) -> &[Coercion] {
        &self.coercions
    }

    /// Every way in which the value still does not fit the schema.
    #[must_use]
    pub fn violations(&self) -> &[Violation] {
        &self.violations
    }

    /// Whether there is a value and, with a schema, it fits.
    #[must_use]
    pub fn conforms(&self) -> bool {
        self.document.root().is_some() && self.violations.is_empty()
    }

    /// Whether the text of the value ended as it should. If not, the value is a beginning of what
    /// was meant; who acts on it should refuse.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.document.is_complete()
    }

    /// Whether all that was done to get the value has one reading only.
    #[must_use]
    pub fn is_certain(&self) -> bool {
        self.worst_class()
            .is_none_or(|class| class == Class::Certain)
    }

    /// The least sure class among repairs and coercions; `None` without any.
    #[must_use]
    pub fn worst_class(&self) -> Option<Class> {
        let coercions = self.coercions.iter().map(|coercion| coercion.kind.class());
        coercions.chain(self.document.worst_class()).max()
    }

    /// The value as compact JSON. `None` without a value.
    #[must_use]
    pub fn to_json(&self) -> Option<String> {
        self.document.to_json()
    }

    /// The value, if there is one and it fits.
    ///
    /// A value whose text was cut off counts if it fits: ask [`is_complete`](Self::is_complete).
    ///
    /// # Errors
    ///
    /// Why there is no value, or what does not fit, for [`stringify()`](crate::stringify).
    #[expect(
        clippy::result_large_err,
        reason = "a failure holds the document; it is the result"
    )]
    pub fn into_result(self) -> Result<Document<'t>, Failure<'t>> {
        if self.conforms() {
            return Ok(self.document);
        }
        Err(Failure::new(
            self.document,
            self.schema.as_ref(),
            self.violations,
        ))
    }
}

/// Chooses among the values that the reply may mean and makes the chosen one fit.
fn fit<'t>(document: Document<'t>, schema: Option<&Schema>) -> Parsed<'t> {
    let Some(schema) = schema else {
        let (coercions, violations) = (Vec::new(), Vec::new());
        return Parsed {
            document,
            schema: None,
            coercions,
            violations,
        };
    };
    let readings = document.reading_count();
    let mut best = if readings <= 1 {
        fit_root(document, schema)
    } else {
        fit_readings(document, readings, schema)
    };
    if !best.2.is_empty() || best.0.root().is_none() {
        best = fit_verbatim(best, schema);
    }
    let (document, coercions, violations) = best;
    Parsed {
        document,
        schema: Some(schema.clone()),
        coercions,
        violations,
    }
}

type Fitted<'t> = (Document<'t>, Vec<Coercion>, Vec<Violation>);

/// Makes a document's value fit.
fn fit_root<'t>(mut document: Document<'t>, schema: &Schema) -> Fitted<'t> {
    let options = CoerceOptions::default();
    let (coercions, violations) = fit_document(&mut document, schema, &options, Undeclared::Allow);
    (document, coercions, violations)
}

/// Tries each value that the reply may mean. The first that fits untouched is taken, else the one
/// that fits with the fewest changes, else the one that needs the fewest corrections.
fn fit_readings<'t>(mut document: Document<'t>, readings: usize, schema: &Schema) -> Fitted<'t> {
    let mut best: Option<(Cost, usize)> = None;
    for reading in 0..readings {
        document.choose_reading(reading);
        let cost;
        (document, cost) = {
            let (document, coercions, violations) = fit_root(document, schema);
            let cost = Cost::of(&document, &coercions, &violations, reading);
            (document, cost)
        };
        if best.as_ref().is_none_or(|(least, _)| cost < *least) {
            best = Some((cost, reading));
        }
    }
    let (_, reading) = best.unwrap_or_default();
    document.choose_reading(reading);
    fit_root(document, schema)
}

/// What one reading costs; less is better. The order of the fields is that of their weight.
#[derive(Default, PartialEq, Eq, PartialOrd, Ord)]
struct Cost {
    violations: usize,
    thought: bool,
    guesses: usize,
    likely: usize,
    certain: usize,
    complete: Reverse<bool>,
    /// Its place among the readings without a schema.
    place: usize,
}

impl Cost {
    fn of(
        document: &Document<'_>,
        coercions: &[Coercion],
        violations: &[Violation],
        place: usize,
    ) -> Self {
        let count = |class| {
            coercions
                .iter()
                .filter(|one| one.kind.class() == class)
                .count()
        };
        Self {
            violations: violations.len(),
            thought: document.is_thought(),
            guesses: count(Class::Guess),
            likely: count(Class::Likely),
            certain: count(Class::Certain),
            complete: Reverse(document.is_complete()),
            place,
        }
    }
}

/// What was read does not fit; where a text is wanted, the reply itself may be it, and an
/// enumerated value or a number may stand there without quotes.
fn fit_verbatim<'t>(fitted: Fitted<'t>, schema: &Schema) -> Fitted<'t> {
    let (document, ..) = &fitted;
    let Some(text) = document.borrowed_text() else {
        return fitted;
    };
    if document.limit().is_some() || text.trim().is_empty() || !schema.takes_scalar() {
        return fitted;
    }
    let verbatim = fit_root(Document::verbatim(text), schema);
    if verbatim.2.is_empty() {
        verbatim
    } else {
        fitted
    }
}

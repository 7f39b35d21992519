//! Values that look like what a member takes.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use llmjson_schema::{Schema, to_value};
use llmjson_syntax::{Kind, ValueRef};
use serde_json::{Map, Value};

use crate::tools::extend::{Candidate, FieldMatcher};
use crate::tools::field::Field;
use crate::tools::report::Layer;

/// Finds the member that a value looks like, whatever its name is, if there is only one.
///
/// A text of the member's `format` (dates, times, addresses of mail, of the web and of computers,
/// UUIDs) or `pattern`, or a value of its `enum`, has a score of 0.9; a value of its type alone 0.5 if
/// the member is required, else 0.4. That of a list or object never is enough. A value that breaks the
/// member's bounds has none.
///
/// ```
/// use llmjson::tools::{BindError, Contextual, Contract, Extensions, Tool};
///
/// let tool = Tool::new("invite", "Invites somebody.")
///     .with_extensions(Extensions::new().with_matcher(Contextual::new()));
/// let schema = r#"{"type": "object", "properties": {
///     "email": {"type": "string", "format": "email"},
///     "day": {"type": "string", "format": "date"},
///     "note": {"type": "string"}
/// }}"#;
/// let contract = Contract::new(tool, schema)?;
/// let bound = contract.bind_value(r#"{"whom": "bob@example.com", "on": "2026-05-01"}"#);
/// let bound = bound.or_else(BindError::accept_uncertain)?;
/// assert_eq!(
///     bound.report.canonical_arguments(),
///     r#"{"email":"bob@example.com","day":"2026-05-01"}"#
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
#[must_use]
pub struct Contextual {
    threshold: f64,
    margin: f64,
    rules: Arc<Mutex<HashMap<String, Option<Schema>>>>,
}

const THRESHOLD: f64 = 0.5;

const MARGIN: f64 = 0.2;

/// A value that few other members would take.
const TELLING: f64 = 0.9;

/// A value of the type of a required member.
const NEEDED: f64 = 0.5;

/// A value of the type.
const POSSIBLE: f64 = 0.4;

/// So many rules of members are kept compiled.
const RULES_MAX: usize = 1_024;

/// The keywords that say what a scalar looks like.
const RULES: [&str; 10] = [
    "type",
    "format",
    "pattern",
    "minLength",
    "maxLength",
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "multipleOf",
];

/// Formats that few texts have by chance.
const TELLING_FORMATS: [&str; 10] = [
    "date",
    "date-time",
    "time",
    "duration",
    "email",
    "idn-email",
    "ipv4",
    "ipv6",
    "uri",
    "uuid",
];

impl Default for Contextual {
    fn default() -> Self {
        Self {
            threshold: THRESHOLD,
            margin: MARGIN,
            rules: Arc::default(),
        }
    }
}

impl Contextual {
    /// A score of 0.5 is enough if it is ahead of the next one by 0.2.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the least score that is enough, from 0 to 1: with 0.9 the type alone never is.
    pub fn with_threshold(mut self, threshold: f64) -> Self {
        self.threshold = threshold;
        self
    }

    /// Sets how far the best score has to be ahead of the next one.
    pub fn with_margin(mut self, margin: f64) -> Self {
        self.margin = margin;
        self
    }

    /// How much a value looks like what a member takes; `None` if it is none.
    fn score(&self, value: ValueRef<'_>, field: &Field<'_>) -> Option<f64> {
        if let Some(allowed) = field.keyword("enum").and_then(Value::as_array) {
            let value = to_value(value).ok()?;
            return allowed.contains(&value).then_some(TELLING);
        }
        if let Some(allowed) = field.keyword("const") {
            return (to_value(value).ok()? == *allowed).then_some(TELLING);
        }
        if !self.keeps_rules(value, field) {
            return None;
        }
        let format = field.format();
        let has_format = format.is_some_and(|format| TELLING_FORMATS.contains(&format));
        let is_telling = has_format || field.keyword("pattern").is_some();
        let is_container = matches!(value.kind(), Kind::Array | Kind::Object);
        Some(match value.kind() {
            Kind::Null => return None,
            Kind::String if is_telling => TELLING,
            _ if field.is_required() && !is_container => NEEDED,
            _ => POSSIBLE,
        })
    }

    /// Whether a value is of the type, format and bounds of a member.
    fn keeps_rules(&self, value: ValueRef<'_>, field: &Field<'_>) -> bool {
        let rules = RULES.iter().filter_map(|rule| {
            let asked = field.keyword(rule)?;
            Some(((*rule).to_owned(), asked.clone()))
        });
        let rules = Value::Object(rules.collect::<Map<_, _>>());
        let text = rules.to_string();
        let mut known = self.rules.lock().unwrap_or_else(PoisonError::into_inner);
        if known.len() >= RULES_MAX {
            known.clear();
        }
        let schema = known.entry(text);
        let schema = schema.or_insert_with(|| Schema::compile(&rules).ok());
        let schema = schema.clone();
        drop(known);
        schema.is_some_and(|schema| schema.is_valid(value))
    }
}

impl FieldMatcher for Contextual {
    fn name(&self) -> &str {
        Layer::Contextual.name()
    }

    fn candidates(&self, _: &str, value: ValueRef<'_>, open: &[Field<'_>]) -> Vec<Candidate> {
        let scores = open.iter().map(|field| self.score(value, field));
        let scores = scores.enumerate();
        let scores = scores.filter_map(|(field, score)| Some((field, score?)));
        scores
            .map(|(field, score)| Candidate { field, score })
            .collect()
    }

    fn threshold(&self) -> f64 {
        self.threshold
    }

    fn margin(&self) -> f64 {
        self.margin
    }

    fn layer(&self) -> Layer {
        Layer::Contextual
    }
}

impl fmt::Debug for Contextual {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Contextual")
            .field("threshold", &self.threshold)
            .field("margin", &self.margin)
            .finish_non_exhaustive()
    }
}

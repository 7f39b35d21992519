//! Matches values to the fields whose schema they satisfy.

use std::cell::LazyCell;
use std::collections::HashMap;
use std::fmt;
use std::slice;
use std::sync::{Arc, Mutex, PoisonError};

use llmjson_schema::{Schema, to_value};
use llmjson_syntax::{Kind, ValueRef};
use serde_json::{Map, Value};

use crate::field::Field;
use crate::layer::Layer;

/// Matches a value to the only field whose schema it satisfies, whatever its key.
///
/// | value | score |
/// |---|---|
/// | equal to a value of `enum` or to `const` | 0.9 |
/// | string that satisfies `pattern` or a `format` such as `date`, `email`, `ipv4`, `uri`, `uuid` | 0.9 |
/// | scalar of the type of a required field | 0.5 |
/// | other value of the type of a field | 0.4 |
///
/// Values that violate a bound such as `maximum` or `maxLength`, and null, have no score. With the
/// default threshold of 0.5, arrays and objects never match by type.
///
/// ```
/// # mod llmjson { pub mod tools { pub use llmjson_tools::*; } }
/// use llmjson::tools::{BindError, Contextual, Contract, Extensions, Tool};
///
/// let tool = Tool::new("invite", "Invites a person.")
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
    /// Compiled rules of fields, by their JSON text; `None` if they do not compile.
    rules: Arc<Mutex<HashMap<String, Option<Schema>>>>,
}

/// The default threshold.
const THRESHOLD: f64 = 0.5;

/// The default margin.
const MARGIN: f64 = 0.2;

/// Score of a value that satisfies `enum`, `const`, `pattern` or a distinctive format.
const DISTINCTIVE: f64 = 0.9;

/// Score of a scalar of the type of a required field.
const REQUIRED: f64 = 0.5;

/// Score of any other value of the type of a field.
const OF_TYPE: f64 = 0.4;

/// Maximum number of compiled rules in the cache. When it is full, it is emptied.
const RULES_MAX: usize = 1_024;

/// The keywords that constrain scalars. Other keywords are ignored.
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

/// Formats that few strings have by chance.
const DISTINCTIVE_FORMATS: [&str; 10] = [
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
    /// Creates a matcher with a threshold of 0.5 and a margin of 0.2.
    ///
    /// With a threshold of 0.9, a value never matches only by its type.
    pub fn new() -> Self {
        Self::default()
    }

    fn scorer(&self, _: &str, value: ValueRef<'_>) -> impl Fn(&Field<'_>) -> Option<f64> {
        let converted = LazyCell::new(move || to_value(value).ok());
        move |field| {
            let values = field.keyword("enum").and_then(Value::as_array);
            let allowed = match field.keyword("const") {
                _ if values.is_some() => values.map(Vec::as_slice),
                value => value.map(slice::from_ref),
            };
            match allowed {
                Some(allowed) => {
                    let is_allowed = allowed.contains(converted.as_ref()?);
                    is_allowed.then_some(DISTINCTIVE)
                }
                None => self.score_by_rules(value, field),
            }
        }
    }

    /// Returns the score of a value for a field without `enum` and `const`, or `None` if the value violates
    /// the rules of the field or is null.
    fn score_by_rules(&self, value: ValueRef<'_>, field: &Field<'_>) -> Option<f64> {
        if !self.satisfies_rules(value, field) {
            return None;
        }
        let format = field.format();
        let has_format = format.is_some_and(|format| DISTINCTIVE_FORMATS.contains(&format));
        let is_distinctive = has_format || field.keyword("pattern").is_some();
        let is_container = matches!(value.kind(), Kind::Array | Kind::Object);
        match value.kind() {
            Kind::Null => None,
            Kind::String if is_distinctive => Some(DISTINCTIVE),
            _ if field.is_required() && !is_container => Some(REQUIRED),
            _ => Some(OF_TYPE),
        }
    }

    /// Returns `true` if a value satisfies the keywords of a field that are in [`RULES`].
    fn satisfies_rules(&self, value: ValueRef<'_>, field: &Field<'_>) -> bool {
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

impl_matcher!(Contextual, Layer::Contextual);

impl fmt::Debug for Contextual {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Contextual")
            .field("threshold", &self.threshold)
            .field("margin", &self.margin)
            .finish_non_exhaustive()
    }
}

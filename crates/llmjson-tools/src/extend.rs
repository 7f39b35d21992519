//! Extension points of binding: name matchers, coercers, format normalizers, schema renderers and
//! issue reporters.

mod answer;
pub(super) mod apply;
mod names;
mod path_map;
mod rename;
mod values;

use std::fmt;
use std::sync::Arc;

use llmjson_schema::Path;
use llmjson_syntax::ValueRef;
use serde_json::Value;

use super::contract::Contract;
use super::field::Field;
use super::layer::Layer;
use super::report::BindReport;

/// Proposes declared fields for an undeclared member.
///
/// A match is *uncertain*: the value is bound, but [`bind`](Contract::bind) returns it as
/// [`BindError::Uncertain`](super::BindError::Uncertain), and the caller decides whether to accept it.
///
/// Matchers are called for undeclared members at every depth, for up to 65,536 pairs of a key and
/// an open field in a call; members beyond that limit stay undeclared. If several members match one
/// field, their values must be equal, or none of them is renamed. A member is not renamed if its
/// value does not satisfy the field's schema. Matchers are not called in
/// [`MatchingMode::Exact`](super::MatchingMode::Exact).
///
/// [`Fuzzy`](super::Fuzzy), [`Semantic`](super::Semantic) and [`Contextual`](super::Contextual) are
/// ready-made matchers.
///
/// ```
/// # mod llmjson { pub mod syntax { pub use llmjson_syntax::*; } pub use llmjson_reply::*; pub mod tools { pub use llmjson_tools::*; } }
/// use llmjson::syntax::ValueRef;
/// use llmjson::tools::{BindError, FieldCandidate, Contract, Extensions, Field, FieldMatcher, Tool};
///
/// /// Matches a field by the first letters of its name.
/// struct Prefix;
///
/// impl FieldMatcher for Prefix {
///     fn name(&self) -> &str {
///         "prefix"
///     }
///
///     fn candidates(&self, name: &str, _: ValueRef<'_>, open: &[Field<'_>]) -> Vec<FieldCandidate> {
///         let matches = |(_, field): &(usize, &Field<'_>)| field.name().starts_with(name);
///         let fields = open.iter().enumerate().filter(matches);
///         fields.map(|(field, _)| FieldCandidate::new(field, 0.6)).collect()
///     }
/// }
///
/// let tool = Tool::new("send", "Sends.")
///     .with_extensions(Extensions::new().with_matcher(Prefix));
/// let schema = r#"{"type": "object", "properties": {
///     "recipient": {"type": "string"}, "text": {"type": "string"}
/// }}"#;
/// let contract = Contract::new(tool, schema)?;
/// let bound = contract.bind_value(r#"{"rec": "Bob"}"#).or_else(BindError::accept_uncertain)?;
/// assert_eq!(bound.value["recipient"], "Bob");
/// assert_eq!(bound.report.uncertain()[0].score, Some(0.6));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait FieldMatcher: Send + Sync {
    /// Returns the matcher's name for reports.
    fn name(&self) -> &str;

    /// Returns the fields that an undeclared member may stand for, in any order. `open` holds the
    /// declared fields of the same object that have no value yet.
    ///
    /// The candidate with the highest score matches if that score reaches the
    /// [`threshold`](Self::threshold) and exceeds the second highest by the [`margin`](Self::margin).
    fn candidates(
        &self,
        name: &str,
        value: ValueRef<'_>,
        open: &[Field<'_>],
    ) -> Vec<FieldCandidate>;

    /// Returns the lowest score that matches, from 0 to 1. The default is 0.5.
    fn threshold(&self) -> f64 {
        0.5
    }

    /// Returns the minimum difference between the highest score and the second highest. The default
    /// is 0.1.
    fn margin(&self) -> f64 {
        0.1
    }

    /// Returns the layer that reports show for matches by this matcher. The default is
    /// [`Layer::Custom`].
    fn layer(&self) -> Layer {
        Layer::Custom
    }
}

/// A field that a [`FieldMatcher`] proposes for an undeclared member.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct FieldCandidate {
    /// The index of the field in the slice of open fields. A candidate with an index out of bounds is
    /// ignored.
    pub field: usize,
    /// The score, from 0 to 1. A candidate with a score of 0 is ignored.
    pub score: f64,
}

impl FieldCandidate {
    /// Creates a candidate.
    #[must_use]
    pub fn new(field: usize, score: f64) -> Self {
        Self { field, score }
    }
}

/// Converts values of declared fields before the built-in coercion.
///
/// A coercer is called once for each declared member and array item, down to a depth of 128, after
/// members have been renamed. The value it returns is coerced and validated like a value from the
/// model; coercers are not called for values inside it.
///
/// ```
/// # mod llmjson { pub mod syntax { pub use llmjson_syntax::*; } pub use llmjson_reply::*; pub mod tools { pub use llmjson_tools::*; } }
/// use llmjson::syntax::ValueRef;
/// use llmjson::tools::{Coerced, Coercer, Contract, Extensions, Field, Tool};
/// use serde_json::json;
///
/// /// Converts `5 min` to seconds.
/// struct Minutes;
///
/// impl Coercer for Minutes {
///     fn name(&self) -> &str {
///         "minutes"
///     }
///
///     fn coerce(&self, value: ValueRef<'_>, field: &Field<'_>) -> Coerced {
///         let text = value.as_str().unwrap_or_default();
///         match text.strip_suffix(" min") {
///             Some(minutes) if field.name().ends_with("seconds") => match minutes.parse::<u32>() {
///                 Ok(minutes) => Coerced::Value(json!(minutes * 60)),
///                 Err(_) => Coerced::Refused("Write the seconds as a number.".to_owned()),
///             },
///             _ => Coerced::NotMine,
///         }
///     }
/// }
///
/// let tool = Tool::new("wait", "Waits.").with_extensions(Extensions::new().with_coercer(Minutes));
/// let schema = r#"{"type": "object", "properties": {"seconds": {"type": "integer"}}}"#;
/// let contract = Contract::new(tool, schema)?;
/// let bound = contract.bind_value(r#"{"seconds": "5 min"}"#)?;
/// assert_eq!(bound.value, json!({"seconds": 300}));
/// assert_eq!(bound.report.repairs()[0].changes, ["minutes"]);
///
/// let error = contract.bind_value(r#"{"seconds": "some min"}"#).unwrap_err();
/// assert!(error.explain().contains("Write the seconds as a number."));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Coercer: Send + Sync {
    /// Returns the coercer's name for reports.
    fn name(&self) -> &str;

    /// Converts a value that the model wrote.
    fn coerce(&self, value: ValueRef<'_>, field: &Field<'_>) -> Coerced;
}

/// The result of a [`Coercer`] for one value.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Coerced {
    /// The coercer does not apply; the next one is called.
    NotMine,
    /// The converted value.
    Value(Value),
    /// The value is invalid, with a reason that becomes feedback for the model.
    Refused(String),
}

/// Normalizes strings of a format before validation. Implemented for closures.
///
/// Reports list a changed string as the repair `format_normalized`.
///
/// ```
/// # mod llmjson { pub mod tools { pub use llmjson_tools::*; } }
/// use llmjson::tools::{Contract, Extensions, FormatNormalizer, Tool};
///
/// struct Upper;
///
/// impl FormatNormalizer for Upper {
///     fn normalize(&self, text: &str) -> Option<String> {
///         Some(text.to_uppercase())
///     }
/// }
///
/// let tool = Tool::new("book", "Books a flight.")
///     .with_extensions(Extensions::new().with_normalizer("iata", Upper));
/// let schema = r#"{"type": "object", "properties": {
///     "to": {"type": "string", "format": "iata", "pattern": "^[A-Z]{3}$"}
/// }}"#;
/// let bound = Contract::new(tool, schema)?.bind_value(r#"{"to": "osl"}"#)?;
/// assert_eq!(bound.value["to"], "OSL");
/// assert_eq!(bound.report.repairs()[0].changes, ["format_normalized"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait FormatNormalizer: Send + Sync {
    /// Returns the normalized string, or `None` to leave the string unchanged.
    fn normalize(&self, text: &str) -> Option<String>;
}

impl<F: Fn(&str) -> Option<String> + Send + Sync> FormatNormalizer for F {
    fn normalize(&self, text: &str) -> Option<String> {
        self(text)
    }
}

/// Renders a tool's schema for the model, replacing [`Contract::schema_value`]. Binding still uses
/// the contract's schema.
///
/// ```
/// # mod llmjson { pub mod tools { pub use llmjson_tools::*; } }
/// use llmjson::tools::{Contract, Extensions, SchemaRenderer, Tool};
/// use serde_json::{Value, json};
///
/// struct Bare;
///
/// impl SchemaRenderer for Bare {
///     fn render(&self, contract: &Contract) -> Value {
///         json!({"type": "object", "title": contract.name()})
///     }
/// }
///
/// let tool = Tool::new("stop", "Stops.").with_extensions(Extensions::new().with_renderer(Bare));
/// let schema = r#"{"type": "object", "properties": {"why": {}}, "required": ["why"]}"#;
/// let contract = Contract::new(tool, schema)?;
/// assert_eq!(contract.schema_value(), json!({"type": "object", "title": "stop"}));
/// assert!(contract.bind_value("{}").is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait SchemaRenderer: Send + Sync {
    /// Returns the schema to show.
    fn render(&self, contract: &Contract) -> Value;
}

/// Writes the feedback for the model, replacing [`BindReport::explain`].
///
/// ```
/// # mod llmjson { pub mod tools { pub use llmjson_tools::*; } }
/// use llmjson::tools::{BindReport, Contract, Extensions, IssueReporter, Tool};
///
/// struct Terse;
///
/// impl IssueReporter for Terse {
///     fn explain(&self, report: &BindReport) -> String {
///         let lines = report.issues().iter().map(|issue| format!("{}: {}", issue.path, issue.code));
///         lines.collect::<Vec<_>>().join("; ")
///     }
/// }
///
/// let tool = Tool::new("stop", "Stops.").with_extensions(Extensions::new().with_reporter(Terse));
/// let schema = r#"{"type": "object", "properties": {"why": {}}, "required": ["why"]}"#;
/// let contract = Contract::new(tool, schema)?;
/// let error = contract.bind_value("{}").unwrap_err();
/// assert_eq!(error.explain(), "$input.why: missing_required");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait IssueReporter: Send + Sync {
    /// Returns the feedback.
    fn explain(&self, report: &BindReport) -> String;
}

/// A set of binding extensions, for one tool or for all tools of a registry.
///
/// A panic in a matcher, coercer or normalizer becomes an issue of the call (`extension_failed`);
/// after 16 panics in one call, no more extensions are called. If a renderer or reporter panics,
/// the built-in schema or feedback is used.
///
/// ```
/// # mod llmjson { pub mod tools { pub use llmjson_tools::*; } }
/// use llmjson::tools::{Contract, Extensions, Tool};
/// use serde_json::json;
///
/// let digits = |text: &str| Some(text.chars().filter(char::is_ascii_digit).collect());
/// let extensions = Extensions::new().with_normalizer("phone", digits);
/// let schema = json!({"type": "object", "properties": {
///     "phone": {"type": "string", "format": "phone", "pattern": "^[0-9]+$"}
/// }});
/// let contract = Contract::new(Tool::new("call", "Calls.").with_extensions(extensions), &schema)?;
/// let bound = contract.bind_value(r#"{"phone": "131-2005-7004"}"#)?;
/// assert_eq!(bound.value, json!({"phone": "13120057004"}));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Default)]
#[must_use]
pub struct Extensions {
    /// Called before the built-in comparison of names.
    pub(super) first_matchers: Vec<Arc<dyn FieldMatcher>>,
    /// Called for names that the built-in comparison does not match.
    pub(super) matchers: Vec<Arc<dyn FieldMatcher>>,
    pub(super) coercers: Vec<Arc<dyn Coercer>>,
    pub(super) normalizers: Vec<(Box<str>, Arc<dyn FormatNormalizer>)>,
    pub(super) renderer: Option<Arc<dyn SchemaRenderer>>,
    pub(super) reporter: Option<Arc<dyn IssueReporter>>,
    pub(super) redaction: Option<Redaction>,
}

/// Returns `true` if the value at a path is omitted from serialized reports.
pub(super) type Redaction = Arc<dyn Fn(&Path) -> bool + Send + Sync>;

impl Extensions {
    /// Creates an empty set.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a matcher for names that the built-in comparison does not match.
    ///
    /// Matchers are called in the order in which they are added, and the first that matches decides. The
    /// recommended order is [`Fuzzy`](super::Fuzzy), [`Semantic`](super::Semantic),
    /// [`Contextual`](super::Contextual).
    ///
    /// ```
    /// # mod llmjson { pub mod tools { pub use llmjson_tools::*; } }
    /// use llmjson::tools::{Contextual, Contract, Extensions, Fuzzy, Layer, Tool};
    ///
    /// let extensions = Extensions::new().with_matcher(Fuzzy::new()).with_matcher(Contextual::new());
    /// let schema = r#"{"type": "object", "properties": {
    ///     "recipient": {"type": "string"}, "day": {"type": "string", "format": "date"}
    /// }}"#;
    /// let contract = Contract::new(Tool::new("t", "").with_extensions(extensions), schema)?;
    /// let report = contract.report(r#"{"recipeint": "Bob", "on": "2026-05-01"}"#);
    /// let layers: Vec<_> = report.uncertain().iter().map(|field| field.layer).collect();
    /// assert_eq!(layers, [Some(Layer::Fuzzy), Some(Layer::Contextual)]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn with_matcher(mut self, matcher: impl FieldMatcher + 'static) -> Self {
        self.matchers.push(Arc::new(matcher));
        self
    }

    /// Adds a matcher that is called before the built-in comparison of names.
    ///
    /// ```
    /// # mod llmjson { pub mod tools { pub use llmjson_tools::*; } }
    /// use llmjson::tools::{Contract, Extensions, Semantic, Tool};
    ///
    /// // The built-in comparison would match `phone_number`.
    /// let matcher = Semantic::new().with_synonyms(["phone", "fax"]);
    /// let extensions = Extensions::new().with_first_matcher(matcher);
    /// let schema = r#"{"type": "object", "properties": {
    ///     "phone_number": {"type": "string"}, "fax": {"type": "string"}
    /// }}"#;
    /// let contract = Contract::new(Tool::new("t", "").with_extensions(extensions), schema)?;
    /// let report = contract.report(r#"{"phone": "1"}"#);
    /// assert_eq!(report.canonical_arguments(), r#"{"fax":"1"}"#);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn with_first_matcher(mut self, matcher: impl FieldMatcher + 'static) -> Self {
        self.first_matchers.push(Arc::new(matcher));
        self
    }

    /// Adds a coercer. Coercers are called in the order in which they are added, until one returns
    /// something other than [`Coerced::NotMine`].
    pub fn with_coercer(mut self, coercer: impl Coercer + 'static) -> Self {
        self.coercers.push(Arc::new(coercer));
        self
    }

    /// Adds a normalizer for strings of fields whose keyword `format` is `format`.
    pub fn with_normalizer(
        mut self,
        format: impl Into<Box<str>>,
        normalizer: impl FormatNormalizer + 'static,
    ) -> Self {
        self.normalizers.push((format.into(), Arc::new(normalizer)));
        self
    }

    /// Sets the renderer that replaces [`Contract::schema_value`].
    pub fn with_renderer(mut self, renderer: impl SchemaRenderer + 'static) -> Self {
        self.renderer = Some(Arc::new(renderer));
        self
    }

    /// Sets the reporter that replaces [`BindReport::explain`].
    pub fn with_reporter(mut self, reporter: impl IssueReporter + 'static) -> Self {
        self.reporter = Some(Arc::new(reporter));
        self
    }

    /// Redacts values from serialized reports, at every path for which `is_secret` returns true.
    ///
    /// The feedback still contains them, since the model wrote these values.
    ///
    /// ```
    /// # mod llmjson { pub use llmjson_reply::*; pub mod tools { pub use llmjson_tools::*; } }
    /// use llmjson::tools::{Contract, Extensions, Tool};
    ///
    /// let secret = |path: &llmjson::report::Path| path.to_string() == "$input.key";
    /// let extensions = Extensions::new().with_redaction(secret);
    /// let schema = r#"{"type": "object", "properties": {"key": {"type": "integer"}}}"#;
    /// let contract = Contract::new(Tool::new("t", "").with_extensions(extensions), schema)?;
    /// let report = contract.report(r#"{"key": "xyz"}"#);
    /// assert!(!serde_json::to_string(&report)?.contains("xyz"));
    /// assert!(report.explain().contains("xyz"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn with_redaction(
        mut self,
        is_secret: impl Fn(&Path) -> bool + Send + Sync + 'static,
    ) -> Self {
        self.redaction = Some(Arc::new(is_secret));
        self
    }

    /// Returns `true` if no extension changes the arguments.
    pub(super) fn bind_nothing(&self) -> bool {
        self.first_matchers.is_empty()
            && self.matchers.is_empty()
            && self.coercers.is_empty()
            && self.normalizers.is_empty()
    }

    /// Removes the normalizers of formats that do not occur in a schema.
    pub(super) fn for_schema(mut self, schema: &Value) -> Self {
        (self.normalizers).retain(|(format, _)| has_format(schema, format));
        self
    }

    /// Appends a registry's extensions to a tool's, which take precedence.
    pub(super) fn and(mut self, others: &Self) -> Self {
        self.first_matchers
            .extend_from_slice(&others.first_matchers);
        self.matchers.extend_from_slice(&others.matchers);
        self.coercers.extend_from_slice(&others.coercers);
        self.normalizers.extend_from_slice(&others.normalizers);
        self.renderer = self.renderer.or_else(|| others.renderer.clone());
        self.reporter = self.reporter.or_else(|| others.reporter.clone());
        self.redaction = self.redaction.or_else(|| others.redaction.clone());
        self
    }
}

impl fmt::Debug for Extensions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = |matchers: &[Arc<dyn FieldMatcher>]| -> Vec<String> {
            let names = matchers.iter().map(|one| one.name().to_owned());
            names.collect()
        };
        let formats: Vec<_> = self.normalizers.iter().map(|(name, _)| name).collect();
        f.debug_struct("Extensions")
            .field("first_matchers", &names(&self.first_matchers))
            .field("matchers", &names(&self.matchers))
            .field("coercers", &self.coercers.len())
            .field("normalizers", &formats)
            .finish_non_exhaustive()
    }
}

/// Returns `true` if a format occurs anywhere in a schema.
fn has_format(schema: &Value, format: &str) -> bool {
    match schema {
        Value::Object(members) => {
            let own = members.get("format").and_then(Value::as_str);
            own == Some(format) || members.values().any(|value| has_format(value, format))
        }
        Value::Array(items) => items.iter().any(|item| has_format(item, format)),
        _ => false,
    }
}

//! What others may add to binding: matchers of names, coercers, normalizers of formats, and other
//! words for schemas and issues.

mod answer;
mod apply;
mod names;
mod places;
mod rename;
mod values;

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use llmjson_schema::Path;
use llmjson_syntax::ValueRef;
use serde_json::Value;

use super::contract::Contract;
use super::field::Field;
use super::report::{BindReport, Layer};

pub(super) use apply::read;

/// Finds the members that a name which nobody declares may stand for.
///
/// What it finds is *uncertain*: the value is bound, but [`bind`](Contract::bind) gives it as
/// [`BindError::Uncertain`](super::BindError::Uncertain), so that the caller has to look.
///
/// Matchers are asked about undeclared members at every depth, up to 65,536 pairs of such a name and an
/// open member in a call; what is beyond that stays undeclared. Where several names stand for one
/// member they have to say the same, else it is given to none of them. A value that does not fit the
/// member is not given its name. Names that have to be [exact](super::MatchingMode::Exact) are nobody's
/// business.
///
/// [`Fuzzy`](super::Fuzzy), [`Semantic`](super::Semantic) and [`Contextual`](super::Contextual) are
/// ready to use.
///
/// ```
/// use llmjson::syntax::ValueRef;
/// use llmjson::tools::{BindError, Candidate, Contract, Extensions, Field, FieldMatcher, Tool};
///
/// /// Takes the first letters of names for the names.
/// struct Beginnings;
///
/// impl FieldMatcher for Beginnings {
///     fn name(&self) -> &str {
///         "beginnings"
///     }
///
///     fn candidates(&self, name: &str, _: ValueRef<'_>, open: &[Field<'_>]) -> Vec<Candidate> {
///         let begins = |(_, field): &(usize, &Field<'_>)| field.name().starts_with(name);
///         let fields = open.iter().enumerate().filter(begins);
///         fields.map(|(field, _)| Candidate { field, score: 0.6 }).collect()
///     }
/// }
///
/// let tool = Tool::new("send", "Sends.")
///     .with_extensions(Extensions::new().with_matcher(Beginnings));
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
    /// Its name, for reports.
    fn name(&self) -> &str;

    /// The members that a name may stand for, in any order. `open` are the declared members of the
    /// same object that have no value yet.
    ///
    /// The best one is taken if its score reaches the [`threshold`](Self::threshold) and is ahead of
    /// the next one by the [`margin`](Self::margin).
    fn candidates(&self, name: &str, value: ValueRef<'_>, open: &[Field<'_>]) -> Vec<Candidate>;

    /// The least score that is enough: one half, if nothing else is said.
    fn threshold(&self) -> f64 {
        0.5
    }

    /// How far the best score has to be ahead of the next one: a tenth, if nothing else is said.
    fn margin(&self) -> f64 {
        0.1
    }

    /// How members that it finds are shown in reports.
    fn layer(&self) -> Layer {
        Layer::Custom
    }
}

/// A member that a name may stand for: see [`FieldMatcher`].
#[derive(Clone, Debug, PartialEq)]
pub struct Candidate {
    /// Its place in the list of open members.
    pub field: usize,
    /// How well it fits, from 0 to 1.
    pub score: f64,
}

/// Converts values of a declared member, before anything else does.
///
/// Members at every depth are asked about, items of lists too, down to 128 levels, each once and under the
/// name that it gets in the end. What a coercer gives is coerced and validated like what the model
/// wrote; a coercer is not asked about what is within it.
///
/// ```
/// use llmjson::syntax::ValueRef;
/// use llmjson::tools::{Coerced, Coercer, Contract, Extensions, Field, Tool};
/// use serde_json::json;
///
/// /// Reads `5 min` where seconds are asked for.
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
    /// Its name, for reports.
    fn name(&self) -> &str;

    /// The value that is meant by one that the model wrote.
    fn coerce(&self, value: ValueRef<'_>, field: &Field<'_>) -> Coerced;
}

/// What a [`Coercer`] says of a value.
#[derive(Clone, Debug, PartialEq)]
pub enum Coerced {
    /// Another one may know.
    NotMine,
    /// This is meant.
    Value(Value),
    /// It can be nothing that the member takes; the reason is told to the model.
    Refused(String),
}

/// Writes the texts of a format in their usual way, before they are validated. A function is one.
///
/// A text that changed is a repair of the name `format_normalized`.
///
/// ```
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
    /// The text that is meant; `None` to leave it as it is.
    fn normalize(&self, text: &str) -> Option<String>;
}

impl<F: Fn(&str) -> Option<String> + Send + Sync> FormatNormalizer for F {
    fn normalize(&self, text: &str) -> Option<String> {
        self(text)
    }
}

/// Writes the schema of a tool for others to read. Binding is not concerned.
///
/// ```
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
    /// The schema.
    fn render(&self, contract: &Contract) -> Value;
}

/// Tells the model what is wrong with a call, in place of [`BindReport::explain`].
///
/// ```
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
    /// The text.
    fn explain(&self, report: &BindReport) -> String;
}

/// What others add to binding, for one tool or for all tools of a registry.
///
/// What panics in them while a call is bound becomes an issue of the call (`extension_failed`); after 16
/// panics no extension is asked any more. In place of a renderer or reporter that panics there is the
/// usual schema or text.
///
/// ```
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
    /// Asked before the built-in comparison of names.
    pub(super) first_matchers: Vec<Arc<dyn FieldMatcher>>,
    /// Asked for names of which that makes nothing.
    pub(super) matchers: Vec<Arc<dyn FieldMatcher>>,
    pub(super) coercers: Vec<Arc<dyn Coercer>>,
    pub(super) normalizers: Vec<(Box<str>, Arc<dyn FormatNormalizer>)>,
    pub(super) renderer: Option<Arc<dyn SchemaRenderer>>,
    pub(super) reporter: Option<Arc<dyn IssueReporter>>,
    pub(super) redaction: Option<Redaction>,
}

/// Whether the value at a place is left out of what is written about a call.
pub(super) type Redaction = Arc<dyn Fn(&Path) -> bool + Send + Sync>;

impl Extensions {
    /// None.
    pub fn new() -> Self {
        Self::default()
    }

    /// Asks a matcher about names of which the built-in comparison makes nothing. Of several the
    /// first that finds a member decides: [`Fuzzy`](super::Fuzzy) is best asked first, then
    /// [`Semantic`](super::Semantic), then [`Contextual`](super::Contextual).
    ///
    /// ```
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

    /// Asks a matcher about every undeclared name before the built-in comparison does.
    ///
    /// ```
    /// use llmjson::tools::{Contract, Extensions, Semantic, Tool};
    ///
    /// // Not `phone_number`, of which it is a part.
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

    /// Asks a coercer about the value of every declared member. Of several the first that answers
    /// decides.
    pub fn with_coercer(mut self, coercer: impl Coercer + 'static) -> Self {
        self.coercers.push(Arc::new(coercer));
        self
    }

    /// Writes the texts of a format, as the keyword `format` names it, in their usual way.
    pub fn with_normalizer(
        mut self,
        format: impl Into<Box<str>>,
        normalizer: impl FormatNormalizer + 'static,
    ) -> Self {
        self.normalizers.push((format.into(), Arc::new(normalizer)));
        self
    }

    /// Writes the schema of tools in place of [`Contract::schema_value`].
    pub fn with_renderer(mut self, renderer: impl SchemaRenderer + 'static) -> Self {
        self.renderer = Some(Arc::new(renderer));
        self
    }

    /// Tells the model what is wrong with a call.
    pub fn with_reporter(mut self, reporter: impl IssueReporter + 'static) -> Self {
        self.reporter = Some(Arc::new(reporter));
        self
    }

    /// Leaves the values at some places out of what is serialized of reports: secrets, say. What the
    /// model is told, who wrote them, still holds them.
    ///
    /// ```
    /// use llmjson::tools::{Contract, Extensions, Tool};
    ///
    /// let secret = |path: &llmjson::Path| path.to_string() == "$input.key";
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

    /// Whether nothing takes part in binding.
    pub(super) fn bind_nothing(&self) -> bool {
        self.first_matchers.is_empty()
            && self.matchers.is_empty()
            && self.coercers.is_empty()
            && self.normalizers.is_empty()
    }

    /// Without the normalizers of formats that a schema does not have.
    pub(super) fn for_schema(mut self, schema: &Value) -> Self {
        (self.normalizers).retain(|(format, _)| has_format(schema, format));
        self
    }

    /// Those of a tool, and then those of its registry.
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

/// Whether a format is named anywhere in a schema.
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

/// Calls an extension. A panic in it ends there.
pub(super) fn guarded<R>(call: impl FnOnce() -> R) -> Result<R, String> {
    catch_unwind(AssertUnwindSafe(call)).map_err(|payload| {
        let text = payload
            .downcast_ref::<&str>()
            .map(|text| (*text).to_owned());
        let text = text.or_else(|| payload.downcast_ref::<String>().cloned());
        text.unwrap_or_else(|| "a panic without a message".to_owned())
    })
}

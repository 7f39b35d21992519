//! A tool and its compiled argument schema.

mod declare;
mod export;

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use llmjson_schema::{Path, Schema, SchemaError};
use serde_json::Value;

use super::checks::{self, Findings, TargetCheck};
use super::extend::Extensions;
use super::field::{Declared, Field};
use super::handler::Handler;
use super::tool::Tool;
use llmjson_reply::{Policy, policy::Names};
use llmjson_targets::{Lint, LintCode, Severity};

/// The contract of a tool: its name, description, policy and compiled schema. Cheap to clone and to
/// share between threads.
#[derive(Clone)]
pub struct Contract {
    inner: Arc<Inner>,
}

struct Inner {
    name: Box<str>,
    description: Box<str>,
    schema: Schema,
    /// The schema as a value, to look up fields.
    declared: Declared,
    groups: Vec<Vec<Box<str>>>,
    policy: Policy,
    extensions: Extensions,
    handler: Option<Handler>,
    warnings: Vec<Lint>,
}

/// The keyword that lists groups of members of which at least one is required.
pub(super) const REQUIRED_ANY: &str = "x-required-any";

/// The schema of a tool's arguments.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum SchemaSource {
    /// A value. It loses digits beyond the precision of `f64`, and keeps the members' order only
    /// with serde_json's feature `preserve_order`.
    Value(Value),
    /// A schema as strict JSON.
    Text(String),
    /// A compiled schema.
    Compiled(Schema),
}

impl SchemaSource {
    /// Returns the schema of a Rust type.
    #[cfg(feature = "schemars")]
    pub(super) fn of<T>(tool: &Tool) -> Result<Self, Lint>
    where
        T: serde::de::DeserializeOwned + schemars::JsonSchema + 'static,
    {
        let schema = llmjson_reply::internal::schema::<T>().map_err(|error| {
            let message = format!("the schema of the type cannot be used: {}", error.message);
            Lint::new(Severity::Error, LintCode::Schema, message)
                .with_tool(&*tool.name)
                .with_pointer(error.pointer)
        });
        schema.map(Self::Compiled)
    }

    fn compile(&self) -> Result<Schema, SchemaError> {
        match self {
            Self::Value(value) => Schema::compile(value),
            Self::Text(text) => Schema::from_text(text),
            Self::Compiled(schema) => Ok(schema.clone()),
        }
    }

    fn text(&self) -> Cow<'_, str> {
        match self {
            Self::Value(value) => value.to_string().into(),
            Self::Text(text) => text.trim().into(),
            Self::Compiled(schema) => schema.as_json().into(),
        }
    }
}

macro_rules! sources {
    ($($given:ty: $source:expr;)*) => {$(
        impl From<$given> for SchemaSource {
            fn from(given: $given) -> Self {
                $source(given)
            }
        }
    )*};
}

sources! {
    Value: Self::Value;
    &Value: |given: &Value| Self::Value(given.clone());
    String: Self::Text;
    &str: |given: &str| Self::Text(given.to_owned());
    Schema: Self::Compiled;
    &Schema: |given: &Schema| Self::Compiled(given.clone());
}

impl Contract {
    /// Compiles the contract of a tool.
    ///
    /// ```
    /// # mod llmjson { pub mod tools { pub use llmjson_tools::*; } }
    /// use llmjson::tools::{Contract, Tool};
    ///
    /// let schema = r#"{"type": "object", "properties": {"city": {"type": "string"}}}"#;
    /// let contract = Contract::new(Tool::new("weather", "Tells the weather."), schema)?;
    /// let bound = contract.bind_value(r#"{"City": "Oslo"}"#)?;
    /// assert_eq!(bound.report.canonical_arguments(), r#"{"city":"Oslo"}"#);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If any lint of the tool is an error; it then has all lints.
    pub fn new(tool: Tool, schema: impl Into<SchemaSource>) -> Result<Self, ContractError> {
        Self::within(tool, schema.into(), &RegistryDefaults::default())
    }

    /// Compiles the contract of a tool whose arguments are a Rust type: see
    /// [`RegistryBuilder::register`](super::RegistryBuilder::register).
    ///
    /// ```
    /// # mod llmjson { pub mod tools { pub use llmjson_tools::*; } }
    /// use llmjson::tools::{Contract, Tool};
    ///
    /// #[derive(serde::Deserialize, schemars::JsonSchema)]
    /// struct Weather {
    ///     #[schemars(extend("x-aliases" = ["town"]))]
    ///     city: String,
    /// }
    ///
    /// let contract = Contract::of::<Weather>(Tool::new("weather", "Tells the weather."))?;
    /// let bound = contract.bind::<Weather>(r#"{"Town": "Oslo"}"#)?;
    /// assert_eq!(bound.value.city, "Oslo");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// See [`new`](Self::new). Also if the type's schema is invalid.
    #[cfg(feature = "schemars")]
    pub fn of<T>(tool: Tool) -> Result<Self, ContractError>
    where
        T: serde::de::DeserializeOwned + schemars::JsonSchema + 'static,
    {
        let source = SchemaSource::of::<T>(&tool);
        let source = source.map_err(|lint| ContractError::of(vec![lint]))?;
        Self::new(tool, source)
    }

    /// Compiles the contract of a tool from elsewhere, such as an MCP server. Only a schema that
    /// does not compile or does not allow an object is an error; other errors become
    /// [`warnings`](Self::warnings).
    ///
    /// ```
    /// # mod llmjson { pub mod tools { pub use llmjson_tools::*; } }
    /// use llmjson::tools::{Contract, Tool};
    ///
    /// let schema = r#"{"type": "object", "properties": {"city": {}}, "required": ["town"]}"#;
    /// assert!(Contract::new(Tool::new("weather", ""), schema).is_err());
    /// let contract = Contract::tolerant(Tool::new("weather", ""), schema)?;
    /// assert_eq!(contract.warnings()[0].code.name(), "contradiction");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If the schema is unusable; the error has all lints of the tool.
    pub fn tolerant(tool: Tool, schema: impl Into<SchemaSource>) -> Result<Self, ContractError> {
        let defaults = RegistryDefaults::default();
        Self::compile(tool, schema.into(), &defaults, Strictness::Tolerant)
    }

    /// Compiles the contract of a tool with the defaults of a registry.
    pub(super) fn within(
        tool: Tool,
        source: SchemaSource,
        defaults: &RegistryDefaults,
    ) -> Result<Self, ContractError> {
        Self::compile(tool, source, defaults, Strictness::Strict)
    }

    pub(super) fn compile(
        tool: Tool,
        source: SchemaSource,
        defaults: &RegistryDefaults,
        strictness: Strictness,
    ) -> Result<Self, ContractError> {
        let name = tool.name.clone();
        let mut findings = Findings::of(&name);
        let schema = declared_schema(&tool, source, &defaults.targets, &mut findings);
        let is_refused = match strictness {
            Strictness::Strict => findings.has_errors(),
            Strictness::Tolerant => findings.has_schema_errors(),
        };
        let mut lints = findings.into_lints();
        let Some(schema) = schema.filter(|_| !is_refused) else {
            return Err(ContractError::of(lints));
        };
        for lint in &mut lints {
            lint.severity = Severity::Warning;
        }
        let declared = Declared::new(&schema);
        let policy = tool.settled_policy();
        let groups = groups_of(declared.value());
        let extensions = tool.extensions.and(&defaults.extensions);
        let extensions = extensions.for_schema(declared.value());
        Ok(Self {
            inner: Arc::new(Inner {
                name: tool.name,
                description: tool.description,
                schema,
                declared,
                groups,
                policy,
                extensions,
                handler: tool.handler,
                warnings: lints,
            }),
        })
    }

    /// Returns the name of the tool.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.inner.name
    }

    /// Returns the description of the tool.
    #[must_use]
    pub fn description(&self) -> &str {
        &self.inner.description
    }

    /// Returns the arguments' schema, with the aliases, examples and groups of the [`Tool`].
    #[must_use]
    pub fn schema(&self) -> &Schema {
        &self.inner.schema
    }

    /// Returns the policy for a call's arguments.
    #[must_use]
    pub fn policy(&self) -> &Policy {
        &self.inner.policy
    }

    /// Returns the groups of members of which at least one must be present.
    #[must_use]
    pub fn required_any(&self) -> &[Vec<Box<str>>] {
        &self.inner.groups
    }

    /// Returns the lints that do not prevent the tool's use.
    #[must_use]
    pub fn warnings(&self) -> &[Lint] {
        &self.inner.warnings
    }

    /// Returns the field at a path, or `None` if the schema does not declare it.
    #[must_use]
    pub fn field(&self, path: &Path) -> Option<Field<'_>> {
        Field::at(&self.inner.declared, path)
    }

    /// Returns the arguments as a whole as a field.
    pub(super) fn root(&self) -> Field<'_> {
        Field::root(&self.inner.declared)
    }

    pub(super) fn extensions(&self) -> &Extensions {
        &self.inner.extensions
    }

    pub(super) fn handler(&self) -> Option<&Handler> {
        self.inner.handler.as_ref()
    }

    pub(super) fn is_exact(&self) -> bool {
        self.inner.policy.names() == Names::Exact
    }
}

impl fmt::Debug for Contract {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Contract")
            .field("name", &self.inner.name)
            .field("schema", &self.inner.schema)
            .finish_non_exhaustive()
    }
}

/// The options of a registry that apply to all of its tools.
#[derive(Debug, Default)]
pub(super) struct RegistryDefaults {
    pub(super) extensions: Extensions,
    pub(super) targets: Vec<TargetCheck>,
}

/// The errors that prevent the use of a tool.
#[derive(Clone, Copy)]
pub(super) enum Strictness {
    Strict,
    Tolerant,
}

/// Adds the aliases, examples and groups of a tool to its schema, compiles it, and checks both.
fn declared_schema(
    tool: &Tool,
    mut source: SchemaSource,
    targets: &[TargetCheck],
    findings: &mut Findings<'_>,
) -> Option<Schema> {
    let text = source.text().into_owned();
    let document = llmjson_syntax::parse(&text);
    let mut declared = None;
    if document.repairs().is_empty() {
        declared = declare::into_schema(tool, &document);
    }
    let document = match &declared {
        Some(text) => llmjson_syntax::parse(text),
        None => document,
    };
    if let Some(text) = &declared {
        source = SchemaSource::Text(text.clone());
    }
    let schema = source.compile().map_err(|error| {
        let message = format!("the schema cannot be used: {}", error.message);
        findings.error(LintCode::Schema, error.pointer, message);
    });
    let schema = schema.ok();
    checks::check(tool, &document, schema.as_ref(), targets, findings);
    schema
}

fn groups_of(source: &Value) -> Vec<Vec<Box<str>>> {
    let groups = source.get(REQUIRED_ANY).and_then(Value::as_array);
    let groups = groups.into_iter().flatten().filter_map(Value::as_array);
    let members = |group: &Vec<Value>| {
        let names = group.iter().filter_map(Value::as_str);
        names.map(Into::into).collect()
    };
    groups.map(members).collect()
}

/// The error for unusable tools, with all of their lints.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ContractError {
    lints: Vec<Lint>,
}

impl ContractError {
    pub(super) fn of(lints: Vec<Lint>) -> Self {
        Self { lints }
    }

    /// Returns all lints, including warnings, in the order of the tools.
    #[must_use]
    pub fn lints(&self) -> &[Lint] {
        &self.lints
    }

    pub(super) fn into_lints(self) -> Vec<Lint> {
        self.lints
    }
}

/// Writes one line for each error.
impl fmt::Display for ContractError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let errors = self.lints.iter();
        let errors = errors.filter(|lint| lint.severity == Severity::Error);
        for (at, lint) in errors.enumerate() {
            let line_end = if at == 0 { "" } else { "\n" };
            write!(f, "{line_end}{lint}")?;
        }
        Ok(())
    }
}

impl std::error::Error for ContractError {}

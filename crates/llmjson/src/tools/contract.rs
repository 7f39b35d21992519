//! A tool and the compiled schema of its arguments.

mod declare;
mod export;
mod insert;

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use llmjson_schema::{Path, Schema, SchemaError};
use serde_json::Value;

#[cfg(feature = "schemars")]
pub(super) use declare::ALIASES;
#[cfg(feature = "schemars")]
pub(super) use insert::Insertions;

use super::checks::{self, Findings, Meant, Problem, ProblemCode, Severity};
use super::extend::Extensions;
use super::field::Field;
use super::tool::Tool;
use crate::policy::{Names, Policy};

/// The contract of one tool: everything about it, compiled once. Cheap to clone, shared between
/// threads.
#[derive(Clone)]
pub struct Contract {
    inner: Arc<Inner>,
}

struct Inner {
    name: Box<str>,
    description: Box<str>,
    schema: Schema,
    /// The schema, to look up what it says about fields.
    source: Value,
    groups: Vec<Vec<Box<str>>>,
    policy: Policy,
    extensions: Extensions,
    warnings: Vec<Problem>,
}

/// The keyword that lists groups of members of which one is needed.
pub(super) const REQUIRED_ANY: &str = "x-required-any";

/// The schema of a tool's arguments, in any form.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum SchemaSource {
    /// A value. It keeps neither the order of members nor every digit.
    Value(Value),
    /// A JSON text, which has to be strict.
    Text(String),
    /// One that was compiled before.
    Compiled(Schema),
}

impl SchemaSource {
    /// That of a Rust type, with the other names that serde knows.
    #[cfg(feature = "schemars")]
    pub(super) fn of<T>() -> Result<Self, SchemaError>
    where
        T: serde::de::DeserializeOwned + schemars::JsonSchema + 'static,
    {
        let schema = crate::typed::schema::<T>()?;
        let text = super::serde_aliases::into_schema::<T>(schema.as_json());
        Ok(text.map_or(Self::Compiled(schema), Self::Text))
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

impl From<Value> for SchemaSource {
    fn from(value: Value) -> Self {
        Self::Value(value)
    }
}

impl From<&Value> for SchemaSource {
    fn from(value: &Value) -> Self {
        Self::Value(value.clone())
    }
}

impl From<&str> for SchemaSource {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<String> for SchemaSource {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<Schema> for SchemaSource {
    fn from(schema: Schema) -> Self {
        Self::Compiled(schema)
    }
}

impl From<&Schema> for SchemaSource {
    fn from(schema: &Schema) -> Self {
        Self::Compiled(schema.clone())
    }
}

impl Contract {
    /// Compiles the contract of a tool.
    ///
    /// ```
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
    /// Everything because of which the tool cannot be used.
    pub fn new(tool: Tool, schema: impl Into<SchemaSource>) -> Result<Self, ContractError> {
        Self::within(tool, schema.into(), &Around::default())
    }

    /// Compiles the contract of a tool whose arguments are a Rust type: see
    /// [`RegistryBuilder::register`](super::RegistryBuilder::register).
    ///
    /// ```
    /// use llmjson::tools::{Contract, Tool};
    ///
    /// #[derive(serde::Deserialize, schemars::JsonSchema)]
    /// struct Weather {
    ///     #[serde(alias = "town")]
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
    /// As [`new`](Self::new), and if the schema of the type cannot be used.
    #[cfg(feature = "schemars")]
    pub fn of<T>(tool: Tool) -> Result<Self, ContractError>
    where
        T: serde::de::DeserializeOwned + schemars::JsonSchema + 'static,
    {
        let source = SchemaSource::of::<T>().map_err(|error| {
            let message = format!("the schema of the type cannot be used: {}", error.message);
            let problem = Problem::error(&tool.name, ProblemCode::Schema, message);
            ContractError::of(vec![problem.at(error.pointer)])
        })?;
        Self::new(tool, source)
    }

    /// Compiles the contract of a tool that somebody else declared, as a server does: it cannot be
    /// used only if its schema cannot be compiled or takes no object. What else would be an error is
    /// among the [`warnings`](Self::warnings).
    ///
    /// ```
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
    /// Everything that is wrong with the tool, if its schema cannot be used at all.
    pub fn tolerant(tool: Tool, schema: impl Into<SchemaSource>) -> Result<Self, ContractError> {
        let around = Around::default();
        Self::compile(tool, schema.into(), &around, Strictness::Tolerant)
    }

    /// The same with what the registry adds.
    pub(super) fn within(
        tool: Tool,
        source: SchemaSource,
        around: &Around,
    ) -> Result<Self, ContractError> {
        Self::compile(tool, source, around, Strictness::Strict)
    }

    fn compile(
        tool: Tool,
        source: SchemaSource,
        around: &Around,
        strictness: Strictness,
    ) -> Result<Self, ContractError> {
        let name = tool.name.clone();
        let mut findings = Findings::of(&name);
        let schema = declared_schema(&tool, source, &around.targets, &mut findings);
        let is_refused = match strictness {
            Strictness::Strict => findings.has_errors(),
            Strictness::Tolerant => findings.has_schema_errors(),
        };
        let mut problems = findings.into_problems();
        let Some(schema) = schema.filter(|_| !is_refused) else {
            return Err(ContractError::of(problems));
        };
        for problem in &mut problems {
            problem.severity = Severity::Warning;
        }
        let source: Value = serde_json::from_str(schema.as_json()).unwrap_or_default();
        let policy = tool.settled_policy();
        let groups = groups_of(&source);
        let extensions = tool.extensions.and(&around.extensions);
        let extensions = extensions.for_schema(&source);
        Ok(Self {
            inner: Arc::new(Inner {
                name: tool.name,
                description: tool.description,
                schema,
                source,
                groups,
                policy,
                extensions,
                warnings: problems,
            }),
        })
    }

    /// The name of the tool.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.inner.name
    }

    /// What the tool does.
    #[must_use]
    pub fn description(&self) -> &str {
        &self.inner.description
    }

    /// The schema of the arguments, with all that was declared beside it.
    #[must_use]
    pub fn schema(&self) -> &Schema {
        &self.inner.schema
    }

    /// What may be done to the arguments of a call.
    #[must_use]
    pub fn policy(&self) -> &Policy {
        &self.inner.policy
    }

    /// The groups of members of which at least one is needed.
    #[must_use]
    pub fn required_any(&self) -> &[Vec<Box<str>>] {
        &self.inner.groups
    }

    /// What is not quite right with the tool.
    #[must_use]
    pub fn warnings(&self) -> &[Problem] {
        &self.inner.warnings
    }

    /// What the schema says about the member at a place, if it says anything.
    #[must_use]
    pub fn field(&self, path: &Path) -> Option<Field<'_>> {
        Field::at(&self.inner.source, path)
    }

    /// The arguments as a whole, as a field.
    pub(super) fn root(&self) -> Field<'_> {
        Field::root(&self.inner.source)
    }

    pub(super) fn extensions(&self) -> &Extensions {
        &self.inner.extensions
    }

    /// Whether names have to be exact.
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

/// What a registry adds to its tools.
#[derive(Debug, Default)]
pub(super) struct Around {
    pub(super) extensions: Extensions,
    pub(super) targets: Vec<Meant>,
}

/// Whether a tool can be used of which something is wrong.
#[derive(Clone, Copy)]
enum Strictness {
    Strict,
    Tolerant,
}

/// Compiles the schema of a tool with all that was declared beside it, and checks both.
fn declared_schema(
    tool: &Tool,
    mut source: SchemaSource,
    targets: &[Meant],
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
        findings.error(ProblemCode::Schema, error.pointer, message);
    });
    let schema = schema.ok();
    checks::check(tool, &document, schema.as_ref(), targets, findings);
    schema
}

/// The groups that a schema lists itself.
fn groups_of(source: &Value) -> Vec<Vec<Box<str>>> {
    let groups = source.get(REQUIRED_ANY).and_then(Value::as_array);
    let groups = groups.into_iter().flatten().filter_map(Value::as_array);
    let members = |group: &Vec<Value>| {
        let names = group.iter().filter_map(Value::as_str);
        names.map(Into::into).collect()
    };
    groups.map(members).collect()
}

/// Tools that cannot be used, and everything because of which.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ContractError {
    problems: Vec<Problem>,
}

impl ContractError {
    pub(super) fn of(problems: Vec<Problem>) -> Self {
        Self { problems }
    }

    /// Everything that is wrong, warnings included, in the order of the tools.
    #[must_use]
    pub fn problems(&self) -> &[Problem] {
        &self.problems
    }

    pub(super) fn into_problems(self) -> Vec<Problem> {
        self.problems
    }
}

/// One line for each problem because of which a tool cannot be used.
impl fmt::Display for ContractError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let errors = self.problems.iter();
        let errors = errors.filter(|problem| problem.severity == Severity::Error);
        for (at, problem) in errors.enumerate() {
            let line_end = if at == 0 { "" } else { "\n" };
            write!(f, "{line_end}{problem}")?;
        }
        Ok(())
    }
}

impl std::error::Error for ContractError {}

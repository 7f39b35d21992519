//! The tools of a program by their names.

use std::collections::HashMap;
use std::sync::Arc;

use llmjson_schema::similar::nearest_names;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::arguments::Arguments;
use super::bind::{BindError, Bound, UnknownTool};
use super::checks::{Meant, Problem, ProblemCode, Severity};
use super::contract::{Around, Contract, ContractError, SchemaSource};
use super::extend::Extensions;
use super::list::ToolList;
use super::target::SchemaTarget;
use super::tool::Tool;

/// The tools of a program. Immutable, cheap to clone, shared between threads.
#[derive(Clone, Debug, Default)]
pub struct Registry {
    inner: Arc<Inner>,
}

#[derive(Debug, Default)]
struct Inner {
    contracts: Vec<Contract>,
    places: HashMap<Box<str>, usize>,
    /// What was wrong before there were contracts.
    warnings: Vec<Problem>,
}

/// So many names are told where there is no tool of a name.
const NEAREST_MAX: usize = 3;

impl Registry {
    /// Starts a registry.
    pub fn builder() -> RegistryBuilder {
        RegistryBuilder::default()
    }

    /// The contract of a tool. Takes the same time however many tools there are.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Contract> {
        let place = self.inner.places.get(name)?;
        self.inner.contracts.get(*place)
    }

    /// The contracts of all tools, in the order in which they were registered.
    pub fn contracts(&self) -> impl ExactSizeIterator<Item = &Contract> {
        self.inner.contracts.iter()
    }

    /// Everything that is not quite right with the tools, though they can be used.
    pub fn warnings(&self) -> impl Iterator<Item = &Problem> {
        let of_contracts = self.contracts().flat_map(Contract::warnings);
        self.inner.warnings.iter().chain(of_contracts)
    }

    /// The contract of a tool.
    ///
    /// # Errors
    ///
    /// If there is no tool of that name, with the nearest names.
    pub fn contract(&self, name: &str) -> Result<&Contract, UnknownTool> {
        self.get(name).ok_or_else(|| self.unknown(name))
    }

    /// Binds the arguments of a call to a type: see [`Contract::bind`].
    ///
    /// # Errors
    ///
    /// If there is no tool of that name, and for the reasons of [`Contract::bind`].
    pub fn bind<'t, T: DeserializeOwned>(
        &self,
        name: &str,
        arguments: impl Into<Arguments<'t>>,
    ) -> Result<Bound<T>, BindError<T>> {
        let contract = self.contract(name).map_err(BindError::UnknownTool)?;
        contract.bind(arguments)
    }

    /// Binds the arguments of a call as a value: see [`Contract::bind_value`].
    ///
    /// # Errors
    ///
    /// If there is no tool of that name, and for the reasons of [`Contract::bind_value`].
    pub fn bind_value<'t>(
        &self,
        name: &str,
        arguments: impl Into<Arguments<'t>>,
    ) -> Result<Bound<Value>, BindError<Value>> {
        let contract = self.contract(name).map_err(BindError::UnknownTool)?;
        contract.bind_value(arguments)
    }

    #[cold]
    fn unknown(&self, name: &str) -> UnknownTool {
        let names = self.contracts().map(Contract::name);
        let nearest = nearest_names(name, names, NEAREST_MAX);
        UnknownTool {
            name: name.to_owned(),
            nearest: nearest.into_iter().map(str::to_owned).collect(),
        }
    }
}

/// Collects tools for a [`Registry`].
#[derive(Debug, Default)]
#[must_use]
pub struct RegistryBuilder {
    tools: Vec<(Tool, SchemaSource)>,
    around: Around,
    problems: Vec<Problem>,
}

impl RegistryBuilder {
    /// Adds a tool whose arguments are a Rust type, by the schema that the type derives.
    ///
    /// What schemars is told about fields (`description`, `example`, `range`, `regex`, `extend`) is in
    /// that schema. Other names of fields for serde (`#[serde(alias = "…")]`) are added to it, also of
    /// structs within the type, where the code that serde derived can be asked for them: not with
    /// `flatten` or `untagged`, nor for fields whose types take none of the values made up for that.
    /// There, and for other names of an enum's variants, say it in the schema, with
    /// `#[schemars(extend("x-aliases" = ["other"]))]` at a field or
    /// `#[schemars(extend("x-aliases" = {"Variant": "other"}))]` at an enum, or with
    /// [`Tool::with_alias`].
    ///
    /// ```
    /// use llmjson::tools::{Registry, Tool};
    ///
    /// #[derive(serde::Deserialize, schemars::JsonSchema)]
    /// struct Weather {
    ///     city: String,
    ///     days: Option<u8>,
    /// }
    ///
    /// let registry = Registry::builder()
    ///     .register::<Weather>(Tool::new("weather", "Tells the weather."))
    ///     .build()?;
    /// let bound = registry.bind::<Weather>("weather", r#"{"City": "Oslo", "days": null}"#)?;
    /// assert_eq!((bound.value.city.as_str(), bound.value.days), ("Oslo", None));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[cfg(feature = "schemars")]
    pub fn register<T: DeserializeOwned + schemars::JsonSchema + 'static>(
        mut self,
        tool: Tool,
    ) -> Self {
        match SchemaSource::of::<T>() {
            Ok(schema) => self.tools.push((tool, schema)),
            Err(error) => {
                let message = format!("the schema of the type cannot be used: {}", error.message);
                let problem = Problem::error(&tool.name, ProblemCode::Schema, message);
                self.problems.push(problem.at(error.pointer));
            }
        }
        self
    }

    /// Adds a tool and the schema of its arguments.
    pub fn register_schema(mut self, tool: Tool, schema: impl Into<SchemaSource>) -> Self {
        self.tools.push((tool, schema.into()));
        self
    }

    /// Adds the tools of a list in JSON: see [`ToolList::parse`]. What is wrong with the list is told
    /// with all else when the registry is built.
    ///
    /// ```
    /// use llmjson::tools::Registry;
    ///
    /// let anthropic = r#"[{"name": "weather", "input_schema": {"type": "object", "properties": {"city": {"type": "string"}}}}]"#;
    /// let registry = Registry::builder().register_list(anthropic).build()?;
    /// assert!(registry.bind_value("weather", r#"{"City": "Oslo"}"#).is_ok());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn register_list(self, text: &str) -> Self {
        let list = ToolList::parse(text);
        self.register_parsed(list)
    }

    /// Adds the operations of an API: see [`ToolList::parse_openapi`].
    pub fn register_openapi(self, text: &str) -> Self {
        let list = ToolList::parse_openapi(text);
        self.register_parsed(list)
    }

    /// Adds the tools of a list.
    pub fn register_tools(mut self, list: ToolList) -> Self {
        let (tools, warnings) = list.into_parts();
        self.tools.extend(tools);
        self.problems.extend(warnings);
        self
    }

    fn register_parsed(mut self, list: Result<ToolList, ContractError>) -> Self {
        match list {
            Ok(list) => return self.register_tools(list),
            Err(error) => self.problems.extend(error.into_problems()),
        }
        self
    }

    /// Adds to how the calls of all tools are bound; what a tool has of its own comes first.
    pub fn with_extensions(mut self, extensions: Extensions) -> Self {
        self.around.extensions = extensions;
        self
    }

    /// Tells for a provider what of the tools' schemas it does not take as it stands, as warnings.
    pub fn with_target(mut self, target: SchemaTarget) -> Self {
        self.around.targets.push(Meant::For(target));
        self
    }

    /// The same, and refuses tools whose schemas cannot be [rendered](SchemaTarget::render) for the
    /// provider completely: see [`Rendered::unsupported`](crate::tools::Rendered::unsupported).
    ///
    /// ```
    /// use llmjson::tools::{Registry, SchemaTarget, Tool};
    ///
    /// let schema = r#"{"type": "object", "properties": {"city": {"type": "string", "minLength": 1}}}"#;
    /// let builder = || Registry::builder().register_schema(Tool::new("weather", ""), schema);
    /// assert_eq!(builder().build()?.warnings().count(), 0);
    /// // It has to be written in another way, which can be done.
    /// let registry = builder().with_required_target(SchemaTarget::OpenAiStrict).build()?;
    /// assert!(registry.warnings().all(|problem| problem.code.name() == "target"));
    /// assert!(registry.warnings().count() > 0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn with_required_target(mut self, target: SchemaTarget) -> Self {
        self.around.targets.push(Meant::Required(target));
        self
    }

    /// Compiles the contracts of all tools.
    ///
    /// # Errors
    ///
    /// Everything because of which some of them cannot be used.
    pub fn build(self) -> Result<Registry, ContractError> {
        let Self {
            tools,
            around,
            mut problems,
        } = self;
        let mut inner = Inner::default();
        let is_error = |problem: &Problem| problem.severity == Severity::Error;
        let mut failed = problems.iter().any(is_error);
        inner.warnings.clone_from(&problems);
        for (tool, source) in tools {
            let name = tool.name.clone();
            let place = inner.contracts.len();
            if inner.places.insert(name.clone(), place).is_some() {
                let message = "there are several tools of this name";
                problems.push(Problem::error(&name, ProblemCode::Name, message));
                failed = true;
            }
            match Contract::within(tool, source, &around) {
                Ok(contract) => {
                    problems.extend_from_slice(contract.warnings());
                    inner.contracts.push(contract);
                }
                Err(error) => {
                    problems.extend(error.into_problems());
                    failed = true;
                }
            }
        }
        if failed {
            return Err(ContractError::of(problems));
        }
        Ok(Registry {
            inner: Arc::new(inner),
        })
    }
}

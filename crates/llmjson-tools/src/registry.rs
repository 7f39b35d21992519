//! A program's tools by name.

use std::collections::HashMap;
use std::sync::Arc;

use llmjson_schema::internal::similar::nearest_names;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::arguments::Arguments;
use super::bind::{BindError, Bound, UnknownTool};
use super::checks::TargetCheck;
use super::contract::{Contract, ContractError, RegistryDefaults, SchemaSource, Strictness};
use super::extend::Extensions;
use super::list::ToolList;
use super::report::BindReport;
use super::tool::Tool;
use llmjson_targets::SchemaTarget;
use llmjson_targets::{Lint, LintCode, Severity};

/// A program's tools. Immutable, and cheap to clone and to share between threads.
#[derive(Clone, Debug, Default)]
pub struct Registry {
    inner: Arc<Inner>,
}

#[derive(Debug, Default)]
struct Inner {
    contracts: Vec<Contract>,
    places: HashMap<Box<str>, usize>,
    /// The indices of the tools by the letters and digits of their names; `None` if several share
    /// them.
    spellings: HashMap<String, Option<usize>>,
    /// Warnings about lists of tools.
    warnings: Vec<Lint>,
}

impl Inner {
    fn note(&mut self, name: Box<str>) -> bool {
        let place = self.contracts.len();
        let spelling = self.spellings.entry(letters(&name));
        spelling
            .and_modify(|place| *place = None)
            .or_insert(Some(place));
        self.places.insert(name, place).is_none()
    }
}

/// The namespace under which some models know their tools, and which they write before a name.
const NAMESPACE: &str = "functions.";

/// The maximum number of similar names in an error for an unknown tool.
const NEAREST_MAX: usize = 3;

impl Registry {
    /// Returns a builder for a registry.
    pub fn builder() -> RegistryBuilder {
        RegistryBuilder::default()
    }

    /// Returns the contract of a tool, in constant time, or `None` if it is not registered.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Contract> {
        let place = self.inner.places.get(name)?;
        self.inner.contracts.get(*place)
    }

    /// Returns the contract of the only tool whose name has the same letters and digits, regardless
    /// of case and separators, optionally after `functions.`.
    pub(crate) fn spelled_like(&self, name: &str) -> Option<&Contract> {
        let alike = |name: &str| {
            let letters = Some(letters(name)).filter(|letters| !letters.is_empty())?;
            let place = self.inner.spellings.get(&letters).copied()??;
            self.inner.contracts.get(place)
        };
        alike(name).or_else(|| alike(name.strip_prefix(NAMESPACE)?))
    }

    /// Returns the contracts of all tools, in order of registration.
    pub fn contracts(&self) -> impl ExactSizeIterator<Item = &Contract> {
        self.inner.contracts.iter()
    }

    /// Returns the lints of all tools that do not prevent their use.
    pub fn warnings(&self) -> impl Iterator<Item = &Lint> {
        let of_contracts = self.contracts().flat_map(Contract::warnings);
        self.inner.warnings.iter().chain(of_contracts)
    }

    /// Returns the contract of a tool.
    ///
    /// # Errors
    ///
    /// If there is no tool with that name; the error has the most similar names.
    pub fn contract(&self, name: &str) -> Result<&Contract, UnknownTool> {
        self.get(name).ok_or_else(|| self.unknown(name))
    }

    /// Binds the arguments of a call to a type. See [`Contract::bind`].
    ///
    /// A tool also matches another spelling of its name, `getWeather` for `get_weather`, if no
    /// other tool has the same letters and digits and its policy does not require exact names, and
    /// a name with the namespace prefix `functions.`, which some models write. The report then has
    /// the [called](BindReport::called) name. A part of the name or a similar name never matches.
    ///
    /// # Errors
    ///
    /// If there is no such tool, or if [`Contract::bind`] fails.
    pub fn bind<'t, T: DeserializeOwned>(
        &self,
        name: &str,
        arguments: impl Into<Arguments<'t>>,
    ) -> Result<Bound<T>, BindError<T>> {
        let report = self.report(name, arguments);
        report.map_err(BindError::UnknownTool)?.bound()
    }

    /// Returns the report on a call's arguments, whether or not they can be bound. See
    /// [`bind`](Self::bind).
    ///
    /// # Errors
    ///
    /// If there is no such tool.
    pub fn report<'t>(
        &self,
        name: &str,
        arguments: impl Into<Arguments<'t>>,
    ) -> Result<BindReport, UnknownTool> {
        if let Some(contract) = self.get(name) {
            return Ok(contract.report(arguments));
        }
        let alike = self.spelled_like(name).filter(|one| !one.is_exact());
        let report = alike.ok_or_else(|| self.unknown(name))?.report(arguments);
        Ok(report.with_called(name))
    }

    /// Binds the arguments of a call to a `Value`. See [`bind`](Self::bind) and
    /// [`Contract::bind_value`].
    ///
    /// # Errors
    ///
    /// If there is no such tool, or if [`Contract::bind_value`] fails.
    pub fn bind_value<'t>(
        &self,
        name: &str,
        arguments: impl Into<Arguments<'t>>,
    ) -> Result<Bound<Value>, BindError<Value>> {
        self.bind(name, arguments)
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

/// Returns a name in lower case, without spaces and punctuation between its words. Only ASCII is
/// folded: a name with a look-alike or invisible letter is a different name.
pub fn letters(name: &str) -> String {
    let letters = name
        .chars()
        .filter(|one| *one != ' ' && !one.is_ascii_punctuation());
    letters.map(|one| one.to_ascii_lowercase()).collect()
}

/// A builder for a [`Registry`].
#[derive(Debug, Default)]
#[must_use]
pub struct RegistryBuilder {
    tools: Vec<(Tool, SchemaSource)>,
    defaults: RegistryDefaults,
    lints: Vec<Lint>,
    is_tolerant: bool,
}

impl RegistryBuilder {
    /// Adds a tool whose arguments are a Rust type, with the schema that schemars derives.
    ///
    /// The schema reflects the schemars attributes of fields (`description`, `example`, `range`,
    /// `regex`, `extend`). schemars ignores serde aliases, so declare other names with
    /// `#[schemars(extend("x-aliases" = ["other"]))]` on a field,
    /// `#[schemars(extend("x-aliases" = {"Variant": "other"}))]` on an enum, or
    /// [`Tool::with_alias`].
    ///
    /// ```
    /// # mod llmjson { pub mod tools { pub use llmjson_tools::*; } }
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
        match SchemaSource::of::<T>(&tool) {
            Ok(schema) => self.tools.push((tool, schema)),
            Err(lint) => self.lints.push(lint),
        }
        self
    }

    /// Adds a tool and its arguments' schema.
    pub fn register_schema(mut self, tool: Tool, schema: impl Into<SchemaSource>) -> Self {
        self.tools.push((tool, schema.into()));
        self
    }

    /// Adds the tools of a JSON tool list. See [`ToolList::parse`]. [`build`](Self::build) returns
    /// the lints of the list.
    ///
    /// ```
    /// # mod llmjson { pub mod tools { pub use llmjson_tools::*; } }
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

    /// Adds the operations of an API as tools. See [`ToolList::parse_openapi`].
    pub fn register_openapi(self, text: &str) -> Self {
        let list = ToolList::parse_openapi(text);
        self.register_parsed(list)
    }

    /// Adds the tools of a parsed list.
    pub fn register_tools(mut self, list: ToolList) -> Self {
        let (tools, warnings) = list.into_parts();
        self.tools.extend(tools);
        self.lints.extend(warnings);
        self
    }

    fn register_parsed(mut self, list: Result<ToolList, ContractError>) -> Self {
        match list {
            Ok(list) => return self.register_tools(list),
            Err(error) => self.lints.extend(error.into_lints()),
        }
        self
    }

    /// Sets the extensions for all tools. A tool's own extensions take precedence.
    pub fn with_extensions(mut self, extensions: Extensions) -> Self {
        self.defaults.extensions = extensions;
        self
    }

    /// Checks schemas for a provider: unsupported features are warnings.
    pub fn with_target(mut self, target: SchemaTarget) -> Self {
        self.defaults.targets.push(TargetCheck::Warn(target));
        self
    }

    /// Checks schemas for a provider: features that its dialect cannot express are errors, and
    /// features that must be rewritten are warnings. See
    /// [`Rendered::unsupported`](crate::Rendered::unsupported).
    ///
    /// ```
    /// # mod llmjson { pub mod tools { pub use llmjson_tools::*; } }
    /// use llmjson::tools::{Registry, SchemaTarget, Tool};
    ///
    /// let schema = r#"{"type": "object", "properties": {"city": {"type": "string", "minLength": 1}}}"#;
    /// let builder = || Registry::builder().register_schema(Tool::new("weather", ""), schema);
    /// assert_eq!(builder().build()?.warnings().count(), 0);
    /// // The schema must be rewritten, which is possible.
    /// let registry = builder().with_required_target(SchemaTarget::OpenAiStrict).build()?;
    /// assert!(registry.warnings().all(|lint| lint.code.is_of_provider()));
    /// assert!(registry.warnings().count() > 0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn with_required_target(mut self, target: SchemaTarget) -> Self {
        self.defaults.targets.push(TargetCheck::Require(target));
        self
    }

    /// Takes tools from elsewhere despite problems, as [`Contract::tolerant`] does. Tools with
    /// unusable schemas and tools with a repeated name are left out. All problems are then
    /// [warnings](Registry::warnings).
    ///
    /// ```
    /// # mod llmjson { pub mod tools { pub use llmjson_tools::*; } }
    /// use llmjson::tools::{Registry, Tool};
    ///
    /// let registry = Registry::builder()
    ///     .register_schema(Tool::new("odd", ""), r#"{"type": 3}"#)
    ///     .register_schema(Tool::new("weather", ""), r#"{"properties": {"city": {}}, "required": ["town"]}"#)
    ///     .tolerant()
    ///     .build()?;
    /// assert!(registry.get("odd").is_none() && registry.get("weather").is_some());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn tolerant(mut self) -> Self {
        self.is_tolerant = true;
        self
    }

    /// Compiles the contracts of all tools.
    ///
    /// # Errors
    ///
    /// If any lint is an error; it then has all lints of all tools.
    pub fn build(self) -> Result<Registry, ContractError> {
        let Self {
            tools,
            defaults,
            mut lints,
            is_tolerant,
        } = self;
        let mut inner = Inner::default();
        let is_error = |lint: &Lint| lint.severity == Severity::Error;
        let mut failed = !is_tolerant && lints.iter().any(is_error);
        inner.warnings.clone_from(&lints);
        for (tool, source) in tools {
            let name = tool.name.clone();
            if is_tolerant {
                match Contract::compile(tool, source, &defaults, Strictness::Tolerant) {
                    Ok(_) if inner.places.contains_key(&name) => {}
                    Ok(contract) => {
                        inner.note(name);
                        inner.contracts.push(contract);
                    }
                    Err(error) => inner.warnings.extend(error.into_lints()),
                }
                continue;
            }
            if !inner.note(name.clone()) {
                let message = "there are several tools with this name";
                lints.push(Lint::new(Severity::Error, LintCode::Name, message).with_tool(name));
                failed = true;
            }
            match Contract::within(tool, source, &defaults) {
                Ok(contract) => {
                    lints.extend_from_slice(contract.warnings());
                    inner.contracts.push(contract);
                }
                Err(error) => {
                    lints.extend(error.into_lints());
                    failed = true;
                }
            }
        }
        if failed {
            return Err(ContractError::of(lints));
        }
        Ok(Registry {
            inner: Arc::new(inner),
        })
    }
}

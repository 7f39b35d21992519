//! Arrays of tools, and the lookup of called tools. Nothing here reads a file.

use std::collections::BTreeSet;

use llmjson::policy::Undeclared;
use llmjson::tools::{Arguments, Contract, Lint, MatchingMode, Registry, Severity, Tool, ToolList};

use crate::args::preset;
use crate::bind::CallOutcome;
use crate::input::{CommandError, Source, without_mark};
use crate::terminal::tell;

/// The rules by which the calls of all tools of a list are bound.
#[derive(Clone, Debug)]
pub(crate) struct Rules {
    /// The name of a preset.
    pub(crate) policy: String,
    pub(crate) mode: Option<MatchingMode>,
    pub(crate) unknown: Option<Undeclared>,
}

impl Default for Rules {
    fn default() -> Self {
        Self {
            policy: "tool".to_owned(),
            mode: None,
            unknown: None,
        }
    }
}

impl Rules {
    pub(crate) fn of_policy(name: &str) -> Self {
        Self {
            policy: name.to_owned(),
            ..Self::default()
        }
    }

    fn apply(&self, tool: Tool) -> Tool {
        let mut tool = tool.with_policy(preset(&self.policy));
        if let Some(mode) = self.mode {
            tool = tool.with_matching(mode);
        }
        match self.unknown {
            Some(unknown) => tool.with_undeclared(unknown),
            None => tool,
        }
    }
}

/// The tools of a list that can be used, and the lints of the others.
#[derive(Clone, Debug)]
pub(crate) struct Tools {
    registry: Registry,
    lints: Vec<Lint>,
}

impl Tools {
    /// Reads the text of a file with [`read`](Self::read) or [`read_any`](Self::read_any). Tools that
    /// cannot be used are reported, as warnings unless one of them is `called`.
    pub(crate) fn of_file(
        text: &str,
        list: &Source,
        rules: &Rules,
        read: fn(&str, &Rules) -> Result<Self, String>,
        called: Option<&str>,
    ) -> Result<Self, CommandError> {
        let tools = read(text, rules).map_err(|reasons| {
            let (others, last) = reasons.rsplit_once('\n').unwrap_or(("", &reasons));
            for reason in others.lines() {
                tell(&format!("{}: {reason}", list.name()));
            }
            list.error(last)
        })?;
        let is_called = called.is_some_and(|name| tools.is_broken(name));
        let kind = if is_called { "" } else { "warning: " };
        for lint in tools.lints() {
            tell(&format!("{}: {kind}{lint}", list.name()));
        }
        Ok(tools)
    }

    /// Reads a list of tools.
    ///
    /// # Errors
    ///
    /// The reasons why the text is not an array of tools, one per line.
    pub(crate) fn read(text: &str, rules: &Rules) -> Result<Self, String> {
        let text = without_mark(text);
        if text.trim().is_empty() {
            return Err("the text is empty, expected an array of tools".to_owned());
        }
        let list = ToolList::parse(text).map_err(|error| error.to_string())?;
        let tools = list.with_each(|tool| rules.apply(tool)).into_tools();
        let build = |skip: &BTreeSet<String>| {
            let tools = tools.iter();
            let tools = tools.filter(|(tool, _)| !skip.contains(tool.name()));
            let tools = tools.cloned();
            let builder = tools.fold(Registry::builder(), |builder, (tool, schema)| {
                builder.register_schema(tool, schema)
            });
            builder.build()
        };
        let error = match build(&BTreeSet::new()) {
            Ok(registry) => return Ok(Self::of(registry)),
            Err(error) => error,
        };
        let lints = error.lints().to_vec();
        let broken = lints.iter();
        let broken = broken.filter(|lint| lint.severity == Severity::Error);
        let broken = broken.map(|lint| lint.tool.clone()).collect();
        let registry = build(&broken).map_err(|error| error.to_string())?;
        Ok(Self { registry, lints })
    }

    /// No tools.
    pub(crate) fn none() -> Self {
        Self::of(Registry::default())
    }

    /// Reads a list of tools that may be empty.
    ///
    /// # Errors
    ///
    /// As [`read`](Self::read); and if none of the tools in the list can be used.
    pub(crate) fn read_any(text: &str, rules: &Rules) -> Result<Self, String> {
        let is_empty = |one: char| one.is_whitespace() || "[]".contains(one);
        match without_mark(text).trim_matches(is_empty) {
            "" if text.contains('[') => Ok(Self::none()),
            _ => {
                let tools = Self::read(text, rules)?;
                let lines = tools.lints().map(ToString::to_string);
                let reasons = lines.collect::<Vec<_>>().join("\n");
                // Without any tool, calls of every name would be found.
                match tools.contracts().count() {
                    0 if !reasons.is_empty() => Err(reasons),
                    _ => Ok(tools),
                }
            }
        }
    }

    pub(crate) const fn registry(&self) -> &Registry {
        &self.registry
    }

    /// Returns a single tool, whose arguments a schema describes.
    ///
    /// # Errors
    ///
    /// The reasons why the tool cannot be used, one per line.
    pub(crate) fn of_schema(name: &str, schema: &str, rules: &Rules) -> Result<Self, String> {
        let builder = Registry::builder().register_schema(rules.apply(Tool::new(name, "")), schema);
        let registry = builder.build().map_err(|error| error.to_string())?;
        Ok(Self::of(registry))
    }

    fn of(registry: Registry) -> Self {
        Self {
            lints: Vec::new(),
            registry,
        }
    }

    /// Returns the lints of tools that cannot be used.
    pub(crate) fn lints(&self) -> impl Iterator<Item = &Lint> {
        let lints = self.lints.iter();
        lints.filter(|lint| lint.severity == Severity::Error)
    }

    /// The tools that can be used.
    pub(crate) fn contracts(&self) -> impl Iterator<Item = &Contract> {
        self.registry.contracts()
    }

    /// Returns `true` if a tool of that name cannot be used: see [`lints`](Self::lints).
    pub(crate) fn is_broken(&self, name: &str) -> bool {
        self.lints().any(|lint| lint.tool == name)
    }

    /// Binds the arguments of a call to the tool that is meant.
    pub(crate) fn bind(&self, name: &str, arguments: Arguments<'_>) -> CallOutcome {
        match self.registry.report(name, arguments) {
            Ok(report) => CallOutcome::Known(Box::new(report)),
            Err(unknown) => CallOutcome::Unknown(unknown),
        }
    }
}

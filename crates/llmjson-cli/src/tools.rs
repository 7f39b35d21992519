//! Lists of tools, and finding the one that was called. Nothing here reads a file.

use std::collections::BTreeSet;

use llmjson::tools::{Contract, MatchingMode, Problem, Registry, Severity, Tool, UnknownTool};
use llmjson::{Document, Kind, Unknown, ValueRef};

use crate::args::preset;
use crate::input::{read_json, without_mark};

/// How the calls of all tools of a list are bound.
#[derive(Clone, Debug)]
pub(crate) struct Rules {
    /// The name of a preset.
    pub(crate) policy: String,
    pub(crate) mode: Option<MatchingMode>,
    pub(crate) unknown: Option<Unknown>,
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
    fn tool(&self, name: &str, description: &str) -> Tool {
        let mut tool = Tool::new(name, description).with_policy(preset(&self.policy));
        if let Some(mode) = self.mode {
            tool = tool.with_matching(mode);
        }
        match self.unknown {
            Some(unknown) => tool.with_unknown(unknown),
            None => tool,
        }
    }
}

/// The tools of a list that can be used, and what is wrong with the others.
#[derive(Clone, Debug)]
pub(crate) struct Tools {
    registry: Registry,
    problems: Vec<Problem>,
}

impl Tools {
    /// Reads a list of tools.
    ///
    /// # Errors
    ///
    /// Why the text is no list of tools.
    pub(crate) fn read(text: &str, rules: &Rules) -> Result<Self, String> {
        let document = read_json(without_mark(text))?;
        let listed = listed(&document)?;
        let build = |skip: &BTreeSet<String>| {
            let mut builder = Registry::builder();
            for one in listed.iter().filter(|one| !skip.contains(&one.name)) {
                let tool = rules.tool(&one.name, &one.description);
                builder = builder.register_schema(tool, one.schema.as_str());
            }
            builder.build()
        };
        let error = match build(&BTreeSet::new()) {
            Ok(registry) => return Ok(Self::of(registry)),
            Err(error) => error,
        };
        let problems = error.problems().to_vec();
        let broken = problems.iter();
        let broken = broken.filter(|problem| problem.severity == Severity::Error);
        let broken = broken.map(|problem| problem.tool.clone()).collect();
        let registry = build(&broken).map_err(|error| error.to_string())?;
        Ok(Self { registry, problems })
    }

    /// The one tool whose arguments a schema describes.
    ///
    /// # Errors
    ///
    /// Everything because of which the tool cannot be used.
    pub(crate) fn of_schema(name: &str, schema: &str, rules: &Rules) -> Result<Self, String> {
        let builder = Registry::builder().register_schema(rules.tool(name, ""), schema);
        let registry = builder.build().map_err(|error| error.to_string())?;
        Ok(Self::of(registry))
    }

    fn of(registry: Registry) -> Self {
        Self {
            problems: Vec::new(),
            registry,
        }
    }

    /// What is wrong with tools that cannot be used.
    pub(crate) fn problems(&self) -> impl Iterator<Item = &Problem> {
        let problems = self.problems.iter();
        problems.filter(|problem| problem.severity == Severity::Error)
    }

    /// The tools that can be used.
    pub(crate) fn contracts(&self) -> impl Iterator<Item = &Contract> {
        self.registry.contracts()
    }

    /// The contract of the tool that was called.
    pub(crate) fn find(&self, name: &str) -> Found<'_> {
        if self.problems().any(|problem| problem.tool == name) {
            return Found::Broken;
        }
        match self.registry.contract(name) {
            Ok(contract) => Found::Tool(contract),
            Err(unknown) => Found::Unknown(unknown),
        }
    }
}

/// What there is of a name.
pub(crate) enum Found<'t> {
    Tool(&'t Contract),
    /// A tool that cannot be used: see [`Tools::problems`].
    Broken,
    /// No tool.
    Unknown(UnknownTool),
}

struct Listed {
    name: String,
    description: String,
    schema: String,
}

fn listed(document: &Document<'_>) -> Result<Vec<Listed>, String> {
    let root = document.root().ok_or("a list of tools is asked for")?;
    let list = root.get("tools").unwrap_or(root);
    if list.kind() != Kind::Array {
        let found = list.kind().name();
        return Err(format!("a list of tools is asked for, this is {found}"));
    }
    let tool = |(at, item): (usize, ValueRef<'_>)| {
        let item = item.get("function").unwrap_or(item);
        let text = |name: &str| Some(item.get(name)?.as_str()?.into_owned());
        let schema = ["parameters", "input_schema", "inputSchema"];
        let schema = schema.iter().find_map(|name| item.get(name));
        Ok(Listed {
            name: text("name").ok_or_else(|| format!("the tool at /{at} has no name"))?,
            description: text("description").unwrap_or_default(),
            schema: schema.map_or_else(|| r#"{"type":"object"}"#.to_owned(), ValueRef::to_json),
        })
    };
    list.items().enumerate().map(tool).collect()
}

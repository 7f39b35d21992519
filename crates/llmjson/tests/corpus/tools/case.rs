//! The cases of tools. Knows what their parts are, not what they mean.

use std::fmt::Write as _;

use llmjson::policy::FinishReason;
use llmjson::tools::{Arguments, BindError, BindReport, Contract, ContractError, Lint, Registry};
use serde_json::Value;

use super::tool;
use crate::cases;

/// The arguments of a call, and the tool that was called.
pub(crate) struct Case {
    source: cases::Case,
    pub(crate) text: String,
    registry: Registry,
    /// The name of the tool that was called.
    called: String,
    finish: Option<FinishReason>,
}

impl Case {
    pub(crate) fn of(source: &cases::Case) -> Self {
        let tool = source.get("tool").expect("a case has a tool");
        let (name, registry) = tool::register(tool);
        let registry = registry.unwrap_or_else(|error| panic!("{}: {error}", source.name()));
        let call = source.get("call").unwrap_or("null");
        let call: Value = serde_json::from_str(call).unwrap();
        let named = |word: &str| call[word].as_str().map(str::to_owned);
        Self {
            source: source.clone(),
            text: source
                .get("reply")
                .expect("a call has arguments")
                .to_owned(),
            registry,
            called: named("tool").unwrap_or(name),
            finish: named("finish_reason").map(|reason| FinishReason::named(&reason)),
        }
    }

    fn arguments(&self) -> Arguments<'_> {
        let arguments = Arguments::from(&self.text);
        match &self.finish {
            Some(reason) => arguments.with_finish_reason(reason.clone()),
            None => arguments,
        }
    }

    pub(crate) fn contract(&self) -> Option<&Contract> {
        self.registry.get(&self.called)
    }

    pub(crate) fn bind(&self) -> Result<BindReport, BindError<Value>> {
        let bound = self.registry.bind_value(&self.called, self.arguments());
        bound.map(|bound| bound.report)
    }

    pub(crate) fn name(&self) -> String {
        self.source.name()
    }

    /// The folders and the file that the case is in, from the outermost on.
    pub(crate) fn verdict(&self) -> Vec<&str> {
        self.source.verdict()
    }

    /// All that a caller can see of the call.
    pub(crate) fn outcome(&self) -> String {
        let mut out = String::new();
        let bound = self.bind();
        let report = match &bound {
            Ok(report) => Some(report),
            Err(error) => error.report(),
        };
        if let Some(report) = report {
            writeln!(out, "arguments: {}", report.canonical_arguments()).unwrap();
            let json = serde_json::to_string_pretty(report).unwrap();
            writeln!(out, "report: {json}").unwrap();
        }
        if let Err(error) = &bound {
            writeln!(out, "error: {error}\nexplanation:\n{}", error.explain()).unwrap();
        }
        out
    }
}

/// A tool that is the case itself.
pub(crate) struct Listed {
    pub(crate) source: cases::Case,
    pub(crate) registry: Result<Registry, ContractError>,
}

impl Listed {
    pub(crate) fn of(source: &cases::Case) -> Self {
        let (_, registry) = tool::register(source.get("tool").expect("a case has a tool"));
        let source = source.clone();
        Self { source, registry }
    }

    /// Everything that is wrong with it.
    pub(crate) fn lints(&self) -> Vec<Lint> {
        match &self.registry {
            Ok(registry) => registry.warnings().cloned().collect(),
            Err(error) => error.lints().to_vec(),
        }
    }
}

/// All files whose cases are calls or tools.
pub(crate) fn files() -> Vec<cases::CaseFile> {
    let mut files = cases::read_all();
    files.retain(|file| file.is_in("tools"));
    files
}

/// All tools that are cases, in the order of their names.
pub(crate) fn tools() -> Vec<Listed> {
    let files = files();
    let cases = files.iter().flat_map(|file| &file.cases);
    cases
        .filter(|case| case.get("reply").is_none())
        .map(Listed::of)
        .collect()
}

/// All calls that are cases, in the order of their names.
pub(crate) fn all() -> Vec<Case> {
    let files = files();
    let cases = files.iter().flat_map(|file| &file.cases);
    cases
        .filter(|case| case.get("reply").is_some())
        .map(Case::of)
        .collect()
}

//! The files of a case. Knows where they lie and how they are read, not what they mean.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use llmjson::policy::FinishReason;
use llmjson::tools::{
    Arguments, BindError, BindReport, Contract, ContractError, Problem, Registry,
};
use serde_json::Value;

use crate::tool;

/// The arguments of a call, and the tool that was called.
pub(crate) struct Case {
    /// The path within the folder of cases, without its ending.
    pub(crate) path: PathBuf,
    pub(crate) text: String,
    registry: Registry,
    /// The name of the tool that was called.
    called: String,
    finish: Option<FinishReason>,
}

impl Case {
    fn read(path: PathBuf) -> Self {
        let whole = root().join(&path);
        let text = fs::read_to_string(whole.with_extension("txt")).expect("arguments are UTF-8");
        let own = fs::read_to_string(whole.with_extension("tool.json"));
        let tool = own.or_else(|_| fs::read_to_string(whole.with_file_name("tool.json")));
        let tool = tool.unwrap_or_else(|_| panic!("{path:?} has no tool"));
        let (name, registry) = tool::register(&tool);
        let registry = registry.unwrap_or_else(|error| panic!("{path:?}: {error}"));
        let call = fs::read_to_string(whole.with_extension("call.json"));
        let call: Value = call.map_or(Value::Null, |text| serde_json::from_str(&text).unwrap());
        let named = |word: &str| call[word].as_str().map(str::to_owned);
        Self {
            path,
            text,
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
        self.path.to_str().expect("names are plain").to_owned()
    }

    pub(crate) fn verdict(&self) -> &str {
        let first = self.path.iter().next().and_then(|name| name.to_str());
        first.expect("a case lies in a folder")
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
    /// The path within the folder of cases, without its ending.
    pub(crate) path: PathBuf,
    pub(crate) registry: Result<Registry, ContractError>,
}

impl Listed {
    /// Everything that is wrong with it.
    pub(crate) fn problems(&self) -> Vec<Problem> {
        match &self.registry {
            Ok(registry) => registry.warnings().cloned().collect(),
            Err(error) => error.problems().to_vec(),
        }
    }
}

/// The folders in which tools are the cases.
const OF_TOOLS: [&str; 2] = ["unusable", "warned"];

/// All tools that are cases, in the order of their names.
pub(crate) fn tools() -> Vec<Listed> {
    let paths = stems_of(".tool.json").into_iter();
    let paths = paths.filter(|path| OF_TOOLS.iter().any(|folder| path.starts_with(folder)));
    let read = |path: PathBuf| {
        let text = fs::read_to_string(root().join(&path).with_extension("tool.json")).unwrap();
        let (_, registry) = tool::register(&text);
        Listed { path, registry }
    };
    paths.map(read).collect()
}

/// All calls that are cases, in the order of their names.
pub(crate) fn all() -> Vec<Case> {
    let cases: Vec<_> = stems_of(".txt").into_iter().map(Case::read).collect();
    assert!(!cases.is_empty(), "the corpus lies beside the crates");
    cases
}

fn stems_of(ending: &str) -> Vec<PathBuf> {
    let files = files().into_iter();
    let stems = files.filter_map(|path| Some(path.to_str()?.strip_suffix(ending)?.into()));
    stems.collect()
}

/// The folder of cases.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/tools")
}

/// All files, in the order of their names.
pub(crate) fn files() -> Vec<PathBuf> {
    let root = root();
    let (mut found, mut folders) = (Vec::new(), vec![root.clone()]);
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                found.push(path.strip_prefix(&root).unwrap().to_owned());
            }
        }
    }
    found.sort();
    found
}

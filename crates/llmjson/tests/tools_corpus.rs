//! Reads every case of `corpus/tools`, checks its verdict, compares what came of it with the snapshot
//! beside it, and checks the laws on the case and on every prefix of it.
//!
//! A case is the text of the arguments of a call, `<name>.txt`. Beside it lies what is known of the call,
//! `<name>.call.json`, if there is anything to know: the name of the tool that was called and why the model
//! stopped writing. The tool is `<name>.tool.json`, or else `tool.json` in the same folder; its members are
//! those of `Tool`, see `tool`. The first folder is the verdict. To accept new snapshots:
//! `INSTA_UPDATE=always cargo test -p llmjson --test tools_corpus`.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

use llmjson::tools::{
    Arguments, BindError, BindReport, Contract, FieldStatus, IssueCode, Layer, MatchingMode,
    Registry, Tool,
};
use llmjson::{FinishReason, Policy, Unknown, laws};
use serde_json::Value;

/// What only the caller's own code gives.
const CODES_OF_CALLERS: &[IssueCode] = &[IssueCode::CheckFailed, IssueCode::ExtensionFailed];
const LAYERS_OF_CALLERS: &[Layer] = &[
    Layer::Fuzzy,
    Layer::Semantic,
    Layer::Contextual,
    Layer::Custom,
];
const STATUSES_OF_CALLERS: &[FieldStatus] = &[FieldStatus::Uncertain];

struct Case {
    /// The path within the folder of cases, without its ending.
    path: PathBuf,
    text: String,
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
        let (name, registry) = register(&tool.unwrap_or_else(|_| panic!("{path:?} has no tool")));
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

    fn contract(&self) -> Option<&Contract> {
        self.registry.get(&self.called)
    }

    fn bind(&self) -> Result<BindReport, BindError<Value>> {
        let bound = self.registry.bind_value(&self.called, self.arguments());
        bound.map(|bound| bound.report)
    }

    fn name(&self) -> String {
        self.path.to_str().expect("names are plain").to_owned()
    }

    fn verdict(&self) -> &str {
        let first = self.path.iter().next().and_then(|name| name.to_str());
        first.expect("a case lies in a folder")
    }

    /// All that a caller can see of the call.
    fn outcome(&self) -> String {
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

/// Registers the tool of a case; gives its name, too.
fn register(text: &str) -> (String, Registry) {
    let document = llmjson::syntax::parse(text);
    let root = document.root().expect("a tool is an object");
    assert_eq!(document.repairs(), [], "a tool is strict JSON");
    let schema = root.get("parameters").expect("a tool has parameters");
    let options: Value = serde_json::from_str(text).unwrap();
    let tool = tool(&options);
    let name = tool.name().to_owned();
    let builder = Registry::builder().register_schema(tool, schema.to_json());
    let registry = builder.build();
    let registry = registry.unwrap_or_else(|error| panic!("{name}: {error}"));
    (name, registry)
}

/// A tool as its file describes it.
fn tool(options: &Value) -> Tool {
    let text = |name: &str| options[name].as_str();
    let known = [
        "name",
        "description",
        "parameters",
        "policy",
        "matching",
        "unknown",
        "defaults",
        "aliases",
        "examples",
        "required_any",
    ];
    for name in options.as_object().unwrap().keys() {
        assert!(known.contains(&name.as_str()), "there is no option {name}");
    }
    let mut tool = Tool::new(text("name").unwrap(), text("description").unwrap());
    if let Some(name) = text("policy") {
        tool = tool.with_policy(Policy::named(name).expect("there is such a preset"));
    }
    if let Some(mode) = text("matching") {
        let modes = [MatchingMode::Layered, MatchingMode::Exact];
        let mode = modes.into_iter().find(|one| one.name() == mode);
        tool = tool.with_matching(mode.expect("there is such a mode"));
    }
    if let Some(unknown) = text("unknown") {
        tool = tool.with_unknown(match unknown {
            "reject" => Unknown::Reject,
            "ignore" => Unknown::Drop,
            "keep" => Unknown::KeepForbidden,
            other => panic!("there is no {other}"),
        });
    }
    if options["defaults"] == true {
        tool = tool.with_defaults();
    }
    for group in options["required_any"].as_array().into_iter().flatten() {
        let names = group.as_array().unwrap().iter();
        tool = tool.with_required_any(names.map(|name| name.as_str().unwrap()));
    }
    let table = |name: &str| options[name].as_object().cloned().unwrap_or_default();
    for (member, others) in table("aliases") {
        for other in others.as_array().unwrap() {
            tool = tool.with_alias(&*member, other.as_str().unwrap());
        }
    }
    for (member, example) in table("examples") {
        tool = tool.with_example(&*member, example);
    }
    tool
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/tools")
}

/// All files, in the order of their names.
fn files() -> Vec<PathBuf> {
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

fn all() -> Vec<Case> {
    let texts = files().into_iter();
    let texts = texts.filter(|path| path.extension().is_some_and(|end| end == "txt"));
    let cases: Vec<_> = texts
        .map(|path| Case::read(path.with_extension("")))
        .collect();
    assert!(!cases.is_empty(), "the corpus lies beside the crates");
    cases
}

/// Does something with every case, and fails with the names of all cases for which it failed.
fn for_each_case(check: impl Fn(&Case)) {
    let cases = all();
    let failed = cases.iter();
    let failed = failed.filter(|case| catch_unwind(AssertUnwindSafe(|| check(case))).is_err());
    let failed: Vec<_> = failed.map(Case::name).collect();
    assert!(failed.is_empty(), "these cases failed: {failed:#?}");
}

#[test]
fn folders_are_verdicts() {
    for_each_case(|case| {
        let (name, bound) = (case.name(), case.bind());
        match case.verdict() {
            "bound" => {
                let report = bound.unwrap_or_else(|error| panic!("{name}: {error}"));
                assert_eq!(report.issues(), [], "{name}");
            }
            "refused" => match bound.expect_err(&name) {
                BindError::Arguments(report) => {
                    let codes = report.issues().iter().map(|issue| issue.code.name());
                    // The second folder is one of the issues.
                    let code = case.path.iter().nth(1).and_then(|name| name.to_str());
                    let code = code.expect("names are plain");
                    let codes: Vec<_> = codes.collect();
                    assert!(codes.contains(&code), "{name}: {codes:?}");
                }
                BindError::UnknownTool(_) => assert!(name.contains("unknown_tool"), "{name}"),
                other => panic!("{name}: {other}"),
            },
            "uncertain" => {
                let error = bound.expect_err(&name);
                assert!(matches!(error, BindError::Uncertain(_)), "{name}: {error}");
            }
            other => panic!("{other} is no verdict"),
        }
    });
}

#[test]
fn snapshots_stay() {
    for_each_case(|case| {
        let path = root().join(&case.path);
        let mut settings = insta::Settings::new();
        settings.set_snapshot_path(path.parent().unwrap());
        settings.set_prepend_module_to_snapshot(false);
        settings.set_omit_expression(true);
        let stem = path.file_name().and_then(|name| name.to_str()).unwrap();
        settings.bind(|| insta::assert_snapshot!(stem, case.outcome()));
    });
}

#[test]
fn laws_hold_for_every_prefix() {
    for_each_case(|case| {
        let Some(contract) = case.contract() else {
            return;
        };
        let cuts = case.text.char_indices().map(|(cut, _)| cut);
        for cut in cuts.chain([case.text.len()]) {
            laws::every_call(&case.text[..cut], contract);
        }
    });
}

#[test]
fn everything_has_a_case() {
    let mut found = BTreeSet::new();
    for case in all() {
        let bound = case.bind();
        let report = match &bound {
            Ok(report) => report,
            Err(BindError::UnknownTool(unknown)) => {
                found.insert(unknown.issue().code.name());
                continue;
            }
            Err(error) => error.report().expect("the model can put it right"),
        };
        found.extend(report.issues().iter().map(|issue| issue.code.name()));
        for field in report.fields() {
            found.insert(field.status.name());
            found.extend(field.layer.map(Layer::name));
        }
    }
    let codes = IssueCode::ALL.iter();
    let codes = codes.filter(|code| !CODES_OF_CALLERS.contains(code));
    let layers = Layer::ALL.iter();
    let layers = layers.filter(|layer| !LAYERS_OF_CALLERS.contains(layer));
    let statuses = FieldStatus::ALL.iter();
    let statuses = statuses.filter(|status| !STATUSES_OF_CALLERS.contains(status));
    let names = (codes.map(|code| code.name()))
        .chain(layers.map(|layer| layer.name()))
        .chain(statuses.map(|status| status.name()));
    let missing: Vec<_> = names.filter(|name| !found.contains(name)).collect();
    assert!(missing.is_empty(), "without a case: {missing:?}");
}

#[test]
fn every_file_belongs_to_a_case() {
    let cases: Vec<_> = all().iter().map(|case| case.path.clone()).collect();
    for path in files() {
        let name = path.to_str().expect("names are plain");
        let own = [".txt", ".snap", ".call.json", ".tool.json"];
        let stem = own.iter().find_map(|end| name.strip_suffix(end));
        let belongs = match stem {
            Some(stem) => cases.contains(&PathBuf::from(stem)),
            None => {
                let shared = path.file_name().is_some_and(|name| name == "tool.json");
                shared && cases.iter().any(|case| case.parent() == path.parent())
            }
        };
        assert!(belongs, "{name} belongs to no case");
    }
}

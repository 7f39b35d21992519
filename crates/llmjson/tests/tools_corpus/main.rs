//! Reads every case of `corpus/tools`, checks its verdict, compares what came of it with the snapshot
//! beside it, and checks the laws on the case and on every prefix of it.
//!
//! A case is the text of the arguments of a call, `<name>.txt`. Beside it lies what is known of the call,
//! `<name>.call.json`, if there is anything to know: the name of the tool that was called and why the model
//! stopped writing. The tool is `<name>.tool.json`, or else `tool.json` in the same folder; its members are
//! those of `Tool`, see `tool.rs`. The first folder is the verdict. In `unusable` and `warned` the tool is
//! the case. To accept new snapshots: `INSTA_UPDATE=always cargo test -p llmjson --test tools_corpus`.

mod case;
mod extensions;
mod tool;

use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

use llmjson::laws;
use llmjson::tools::{BindError, FieldStatus, IssueCode, Layer, Severity};

use case::{Case, Listed};

/// What only the caller's own rules give.
const CODES_OF_CALLERS: &[IssueCode] = &[IssueCode::CheckFailed];

/// Does something with every case, and fails with the names of all cases for which it failed.
fn for_each_case(check: impl Fn(&Case)) {
    let cases = case::all();
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
fn folders_of_tools_are_verdicts() {
    for Listed { path, registry } in case::tools() {
        let usable = !path.starts_with("unusable");
        assert_eq!(registry.is_ok(), usable, "{path:?}: {registry:?}");
    }
    for listed in case::tools() {
        // The second folder is one of the problems, those of warned tools warnings.
        let is_warning = listed.path.starts_with("warned");
        let wanted = if is_warning {
            Severity::Warning
        } else {
            Severity::Error
        };
        let folder = listed.path.iter().nth(1).and_then(|name| name.to_str());
        let problems = listed.problems();
        let found = problems
            .iter()
            .any(|problem| problem.severity == wanted && Some(problem.code.name()) == folder);
        assert!(found, "{:?}: {problems:?}", listed.path);
    }
}

#[test]
fn snapshots_stay() {
    for_each_case(|case| snapshot(&case.path, &case.outcome()));
    for listed in case::tools() {
        let problems = listed.problems();
        let lines = problems.iter().map(|problem| {
            let severity = match problem.severity {
                Severity::Error => "error",
                Severity::Warning => "warning",
            };
            format!("{severity} {}: {problem}\n", problem.code.name())
        });
        snapshot(&listed.path, &lines.collect::<String>());
    }
}

fn snapshot(path: &Path, text: &str) {
    let whole = case::root().join(path);
    let mut settings = insta::Settings::new();
    settings.set_snapshot_path(whole.parent().unwrap());
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    let stem = whole.file_name().and_then(|name| name.to_str()).unwrap();
    settings.bind(|| insta::assert_snapshot!(stem, text));
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
    for case in case::all() {
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
    let names = (codes.map(|code| code.name()))
        .chain(Layer::ALL.iter().map(|layer| layer.name()))
        .chain(FieldStatus::ALL.iter().map(|status| status.name()));
    let missing: Vec<_> = names.filter(|name| !found.contains(name)).collect();
    assert!(missing.is_empty(), "without a case: {missing:?}");
}

#[test]
fn every_file_belongs_to_a_case() {
    let calls = case::all().into_iter().map(|case| case.path);
    let tools = case::tools().into_iter().map(|listed| listed.path);
    let cases: Vec<_> = calls.chain(tools).collect();
    for path in case::files() {
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

//! Reads every case of `corpus/tools`, checks its verdict, compares what came of it with the outcome
//! that stands in the case, and checks the laws on the case and on every prefix of it.
//!
//! The part `reply` holds the arguments of a call, and `call` what is known of it, if there is anything to
//! know: the name of the tool that was called and why the model stopped writing. The part `tool` has the
//! members of `Tool`, see `tool.rs`. The first folder is the verdict. In `unusable` and `warned` the tool is
//! the case.

mod case;
mod extensions;
mod tool;

use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};

use llmjson::laws;
use llmjson::{
    report::IssueCode,
    tools::{BindError, FieldStatus, Layer, Severity},
};

use case::{Case, Listed};

use crate::{cases, outcomes_stay};

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
        match case.verdict()[1] {
            "bound" => {
                let report = bound.unwrap_or_else(|error| panic!("{name}: {error}"));
                assert_eq!(report.issues(), [], "{name}");
            }
            "refused" => match bound.expect_err(&name) {
                BindError::Arguments(report) => {
                    let codes = report.issues().iter().map(|issue| issue.code.name());
                    // The file is named for one of the issues.
                    let code = case.verdict()[2];
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
    for listed in case::tools() {
        let (name, registry) = (listed.source.name(), &listed.registry);
        let (wanted, code) = match listed.source.verdict()[..] {
            [_, "unusable", code] => (Severity::Error, code),
            [_, "warned", code] => (Severity::Warning, code),
            ref path => panic!("{path:?} promises nothing"),
        };
        assert_eq!(
            registry.is_err(),
            wanted == Severity::Error,
            "{name}: {registry:?}"
        );
        // The file is named for one of the lints.
        let lints = listed.lints();
        let found = lints
            .iter()
            .any(|lint| lint.severity == wanted && lint.code.name() == code);
        assert!(found, "{name}: {lints:?}");
    }
}

#[test]
fn snapshots_stay() {
    outcomes_stay(&case::files(), |source| match source.get("reply") {
        Some(_) => Case::of(source).outcome(),
        None => lints(&Listed::of(source)),
    });
}

fn lints(listed: &Listed) -> String {
    let lints = listed.lints();
    let lines = lints.iter().map(|lint| {
        let severity = lint.severity.name();
        format!("{severity} {}: {lint}\n", lint.code.name())
    });
    lines.collect()
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
fn every_part_is_read() {
    for file in cases::read_all() {
        let parts: &[_] = match (file.is_in("tools"), file.is_in("calls")) {
            (true, _) => &["reply", "tool", "call", "outcome"],
            (_, true) => &["reply", "tools", "policy", "outcome"],
            _ if file.is_in("field") => &["reply", "rule", "reports", "expected", "accept"],
            _ => &["reply", "schema", "policy", "rule", "accept", "outcome"],
        };
        for case in &file.cases {
            let unread = case.parts().find(|part| !parts.contains(part));
            assert_eq!(unread, None, "{}", case.name());
        }
    }
}

//! Reads every case of `corpus/calls`, and compares the calls that were found with the outcome that stands
//! in the case. A file is named for the family that its cases are written in; in `none` there are no calls.
//! To write outcomes: `INSTA_UPDATE=always cargo test -p llmjson --all-features --test tools text_calls`.

use std::collections::BTreeSet;

use llmjson::syntax::{JsonOut, JsonText, Raw};
use llmjson::{Policy, laws};
use llmjson::{
    report::Issue,
    tools::{CallReader, Family, Registry, TextCall, TextCalls, ToolList, calls_in},
};
use serde_json::Value;

use crate::cases::{self, Case, CaseFile};
use crate::policy;

pub(crate) fn files() -> Vec<CaseFile> {
    let mut files = cases::read_all();
    files.retain(|file| file.is_in("calls"));
    files
}

pub(crate) fn reply(case: &Case) -> &str {
    case.get("reply").expect("a case has a reply")
}

pub(crate) fn registry(case: &Case) -> Registry {
    let policy = case.get("policy");
    registry_under(case, &policy.map_or_else(Policy::tool, policy::read))
}

fn registry_under(case: &Case, policy: &Policy) -> Registry {
    let tools = case.get("tools").expect("a case has tools");
    let builder = match tools.trim() {
        "[]" => Registry::builder(),
        tools => {
            let list = ToolList::parse(tools).expect("the list is right");
            let list = list.with_each(|tool| tool.with_policy(policy.clone()));
            Registry::builder().register_tools(list)
        }
    };
    builder.build().expect("the tools are right")
}

/// The calls, a line for each, those that are only shown, and the text around them.
fn outcome(found: &TextCalls) -> String {
    let mut out = String::new();
    for call in found.calls() {
        out.push_str(&written_call(call));
        out.push('\n');
    }
    for shown in found.not_run() {
        let (name, reason, span) = (shown.name(), shown.reason().name(), shown.span());
        let name = Value::from(name);
        out.push_str(&format!(
            "not_run {name} {reason} [{},{}]\n",
            span.start, span.end
        ));
    }
    for (name, text) in [
        ("content", found.content()),
        ("reasoning", found.reasoning()),
    ] {
        if !text.is_empty() {
            out.push_str(&format!("{name} {}\n", Value::from(text)));
        }
    }
    out
}

fn written_call(call: &TextCall) -> String {
    let unknown = call.unknown().map(|unknown| unknown.issue());
    let issues: Vec<&Issue> = match call.report() {
        Some(report) => report.issues().iter().collect(),
        None => unknown.iter().collect(),
    };
    let span = call.span();
    JsonText::object_of(|out| {
        out.member("name", call.name());
        out.member("arguments", Raw(call.arguments()));
        if let Some(id) = call.id() {
            out.member("id", id);
        }
        out.member("span", [span.start, span.end]);
        out.member("family", call.family().name());
        out.member("ok", call.is_ok());
        out.member("complete", call.is_complete());
        out.member("certainty", call.certainty().name());
        out.list("issues", issues, |issue, out| {
            out.string(issue.code.name());
        });
    })
}

#[test]
fn outcomes_stay() {
    let checked = files()
        .into_iter()
        .map(|file| file.check_outcomes(|case| outcome(&calls_in(reply(case), &registry(case)))));
    let changed: Vec<_> = checked.filter_map(Result::err).collect();
    assert!(changed.is_empty(), "other outcomes:\n{}", changed.concat());
}

#[test]
fn files_are_verdicts() {
    let mut missing: BTreeSet<_> = Family::all().map(Family::name).collect();
    for file in files() {
        for case in &file.cases {
            let found = calls_in(reply(case), &registry(case));
            match case.verdict()[..] {
                ["calls", "none", _] => assert!(found.calls().is_empty(), "{}", case.name()),
                ["calls", family] => {
                    let of_family = found.calls().iter();
                    if of_family.clone().any(|call| call.family().name() == family) {
                        missing.remove(family);
                    }
                }
                ref path => panic!("{path:?} promises nothing"),
            }
        }
    }
    assert!(missing.is_empty(), "families without a case: {missing:?}");
}

#[test]
fn laws_hold_for_every_prefix() {
    for file in files() {
        for case in &file.cases {
            let (text, registry) = (reply(case), registry(case));
            for (cut, _) in text.char_indices() {
                laws::every_text_with_calls(&text[..cut], &registry);
            }
            laws::every_text_with_calls(text, &registry);
            laws::prose_around_changes_no_marked_call(text, &registry);
        }
    }
}

/// Under every preset the JSON of a call is bound as it is alone: whole texts, and some that were cut.
#[test]
fn arguments_are_bound_as_alone_under_every_preset() {
    for file in files() {
        for case in &file.cases {
            let text = reply(case);
            for (number, registry) in under_every_preset(case).iter().enumerate() {
                let cuts = text.char_indices().map(|(cut, _)| cut);
                let cuts = cuts.skip(number).step_by(11).chain([text.len()]);
                for text in cuts.map(|cut| &text[..cut]) {
                    laws::arguments_are_bound_as_alone(text, &calls_in(text, registry));
                }
            }
        }
    }
}

pub(crate) fn under_every_preset(case: &Case) -> Vec<Registry> {
    let presets = Policy::PRESETS.iter();
    let policies = presets.map(|preset| Policy::named(preset).expect("it is a preset"));
    policies
        .map(|policy| registry_under(case, &policy))
        .collect()
}

#[test]
fn streams_give_the_same_calls() {
    for file in files() {
        for case in &file.cases {
            laws::every_stream_of_calls(reply(case), &registry(case));
            laws::calls_are_announced_once(reply(case), &registry(case));
        }
    }
}

#[test]
fn a_family_that_is_named_is_found() {
    for file in files() {
        for case in &file.cases {
            let (text, registry) = (reply(case), registry(case));
            let found = calls_in(text, &registry);
            let calls = found.calls().iter();
            for call in calls.filter(|call| case.verdict()[1] == call.family().name()) {
                let reader = CallReader::new(&registry).with_family(call.family());
                let named = reader.read(text);
                let again = |one: &TextCall| {
                    (one.span(), one.arguments()) == (call.span(), call.arguments())
                };
                let name = case.name();
                assert!(named.calls().iter().any(again), "{name}: {call:?}");
            }
        }
    }
}

/// Values between tags and in literals hold no carriage returns of line ends, at once or in pieces.
#[test]
fn carriage_returns_of_line_ends_are_no_part_of_values() {
    let calls = |text: &str, registry: &Registry| -> Vec<_> {
        let found = calls_in(text, registry);
        let calls = found.calls().iter();
        let calls = calls.filter(|call| call.source().is_none());
        calls
            .map(|call| (call.name().to_owned(), call.arguments().to_owned()))
            .collect()
    };
    for file in files() {
        for case in &file.cases {
            let (text, registry) = (reply(case), registry(case));
            if text.contains('\r') || !text.contains('\n') {
                continue;
            }
            let other = text.replace('\n', "\r\n");
            let name = case.name();
            assert_eq!(calls(&other, &registry), calls(text, &registry), "{name}");
            laws::every_stream_of_calls(&other, &registry);
        }
    }
}

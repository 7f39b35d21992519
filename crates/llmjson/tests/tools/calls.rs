//! The six calls of the example, their results and reports, and checks by the caller.

#[path = "../../examples/tools.rs"]
#[allow(dead_code)]
mod example;

use example::{
    Corrected, Payment, Project, Sms, ambiguous, corrected, inexact, misnamed, model,
    no_alternative, registry, stringly_typed,
};
use llmjson::{
    report::{Issue, IssueCode},
    tools::{BindError, Contract, FieldStatus, Layer, Tool},
};
use serde_json::{Value, json};

/// Returns the issues of a call that the model can correct.
fn issues<T>(error: &BindError<T>) -> &[Issue] {
    assert!(error.is_retryable(), "{error}");
    error.report().expect("there is such a tool").issues()
}

fn sms(priority: u8) -> Sms {
    Sms {
        phone_number: "13120057004".to_owned(),
        text: "On my way".to_owned(),
        priority,
    }
}

#[test]
fn a_member_is_bound_by_a_part_of_the_field_name() {
    let bound = misnamed(&registry().unwrap()).unwrap();
    assert_eq!(bound.value, sms(3));
    let report = &bound.report;
    assert!(report.is_ok() && report.has_repairs() && !report.is_uncertain());
    let repairs = report.repairs();
    let [field] = &repairs[..] else {
        panic!("{repairs:?}");
    };
    assert_eq!(
        field.input_path.as_ref().unwrap().to_string(),
        "$input.phone"
    );
    assert_eq!(
        field.field_path.as_ref().unwrap().to_string(),
        "$input.phoneNumber"
    );
    assert_eq!(
        (field.layer, field.status),
        (Some(Layer::DerivedKey), FieldStatus::Repaired)
    );
    let history = r#"{"phoneNumber":"13120057004","text":"On my way","priority":3}"#;
    assert_eq!(report.canonical_arguments(), history);
}

#[test]
fn a_number_in_a_string_is_coerced() {
    let bound = stringly_typed(&registry().unwrap()).unwrap();
    assert_eq!(bound.value, sms(3));
    let repairs = bound.report.repairs();
    let [field] = &repairs[..] else {
        panic!("{repairs:?}");
    };
    assert_eq!(
        (field.layer, field.status),
        (Some(Layer::Exact), FieldStatus::Coerced)
    );
    assert_eq!(
        (field.before.as_deref(), field.after.as_deref()),
        (Some("\"3\""), Some("3"))
    );
}

#[test]
fn an_ambiguous_name_is_rejected_with_both_candidates() {
    let error = ambiguous(&registry().unwrap()).unwrap_err();
    let [issue] = issues(&error) else {
        panic!("{error}");
    };
    assert_eq!(issue.code, IssueCode::AmbiguousField);
    assert_eq!(issue.candidates, ["phoneExtension", "phoneNumber"]);
    let explanation = error.explain();
    assert!(
        explanation.contains("`phoneExtension` or `phoneNumber`"),
        "{explanation}"
    );
}

#[test]
fn exact_matching_accepts_exact_names_only() {
    let tools = registry().unwrap();
    let error = inexact(&tools).unwrap_err();
    let [unknown, missing] = issues(&error) else {
        panic!("{error}");
    };
    assert_eq!(
        (unknown.code, missing.code),
        (IssueCode::UnknownField, IssueCode::MissingRequired)
    );
    assert_eq!(unknown.candidates, ["accountNumber"]);
    let suggestion = unknown.suggestion.as_deref().unwrap();
    assert!(suggestion.contains("accountNumber"), "{suggestion}");
    // Values are still coerced.
    let bound = tools.bind::<Payment>("pay", r#"{"accountNumber": "4711", "cents": "1200"}"#);
    assert_eq!(bound.unwrap().value.cents, 1200);
}

#[test]
fn at_least_one_field_of_a_group_is_required() {
    let tools = registry().unwrap();
    let error = no_alternative(&tools).unwrap_err();
    let [issue] = issues(&error) else {
        panic!("{error}");
    };
    assert_eq!(
        (issue.code, issue.path.to_string().as_str()),
        (IssueCode::MissingGroup, "$input")
    );
    assert_eq!(issue.candidates, ["projectName", "projectId"]);
    for given in [
        r#"{"project_id": "7"}"#,
        r#"{"projectName": "moon", "projectId": null}"#,
        r#"{"projectName": "moon", "projectId": "7"}"#,
    ] {
        assert!(
            tools.bind::<Project>("open_project", given).is_ok(),
            "{given}"
        );
    }
}

#[test]
fn all_issues_are_reported_at_once_and_the_second_call_succeeds() {
    let tools = registry().unwrap();
    let Corrected { bound, error } = corrected(&tools, model).unwrap();
    assert_eq!(bound.value, sms(9));
    assert!(!bound.report.has_repairs());
    let error = error.expect("the first call is wrong");
    let codes: Vec<_> = issues(&error)
        .iter()
        .map(|issue| issue.code.name())
        .collect();
    assert_eq!(codes.len(), 3, "{codes:?}");
    for code in ["out_of_range", "unknown_field", "missing_required"] {
        assert!(codes.contains(&code), "{codes:?}");
    }
    // The valid part of the arguments is kept.
    let report = error.report().unwrap();
    assert!(
        report
            .canonical_arguments()
            .starts_with(r#"{"phoneNumber":"13120057004""#)
    );

    let text = error.explain();
    let table: [(Value, Value); 3] = [
        (
            error.to_mcp_result(),
            json!({"content": [{"type": "text", "text": text}], "isError": true}),
        ),
        (
            error.to_openai_message("call_1"),
            json!({"role": "tool", "tool_call_id": "call_1", "content": text}),
        ),
        (
            error.to_anthropic_block("toolu_1"),
            json!({"type": "tool_result", "tool_use_id": "toolu_1", "content": text, "is_error": true}),
        ),
    ];
    for (answer, wanted) in table {
        assert_eq!(answer, wanted);
    }
}

#[test]
fn issues_of_the_caller_are_added_to_the_report() {
    let schema = json!({"type": "object", "properties": {
        "city": {"type": "string"},
        "guests": {"type": "array", "items": {"type": "object", "properties": {"0": {"type": "string"}}}}
    }});
    let contract = Contract::new(Tool::new("book", "Books a room."), &schema).unwrap();
    let arguments = r#"{"City": "Atlantis", "guests": [{"0": "Ada"}]}"#;
    let bind = || contract.bind_value(arguments).unwrap();
    assert!(bind().check(|_, _| ()).is_ok());
    // The path that the caller gives, and the path of the issue.
    let table = [
        ("city", "$input.city"),
        ("/city", "$input.city"),
        ("$input.city", "$input.city"),
        ("/guests/0", "$input.guests[0]"),
        ("/guests/0/0", "$input.guests[0][\"0\"]"),
        ("", "$input"),
    ];
    for (place, path) in table {
        let refused = bind().check(|value, issues| {
            assert_eq!(value["city"], "Atlantis");
            issues.reject(place, "This is not to be had.");
        });
        let error = refused.unwrap_err();
        let [issue] = issues(&error) else {
            panic!("{error}");
        };
        let found = (issue.code, issue.path.to_string());
        assert_eq!(found, (IssueCode::CheckFailed, path.to_owned()), "{place}");
        let report = error.report().unwrap();
        assert!(!report.is_ok() && report.has_repairs());
        let rejected = report.fields().into_iter();
        let rejected = rejected.filter(|field| field.status == FieldStatus::Rejected);
        assert_eq!(rejected.count(), usize::from(path != "$input"), "{place}");
        let explanation = error.explain();
        assert!(
            explanation.contains("This is not to be had."),
            "{explanation}"
        );
        let marked = format!("[{{\"path\":{}", json!(path));
        assert!(explanation.contains(&marked), "{explanation}");
    }
}

#[test]
fn the_example_prints_all_six_calls() {
    let story = example::story().unwrap();
    for number in 1..=6 {
        assert!(
            story
                .lines()
                .any(|line| line.starts_with(&format!("{number}. "))),
            "{story}"
        );
    }
    assert!(story.contains("The second call: Sms"), "{story}");
}

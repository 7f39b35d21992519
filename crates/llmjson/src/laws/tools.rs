//! Laws of the arguments of every call.

use llmjson_syntax::{Kind, ValueRef};
use serde_json::Value;

use crate::tools::{BindReport, Contract};
use llmjson_reply::DeserializeExt;

/// Checks all laws of a text as the arguments of a call.
///
/// # Panics
///
/// If one of the laws does not hold.
pub fn every_call(text: &str, contract: &Contract) {
    report_is_consistent(text, contract);
    canonical_arguments_are_bound_unchanged(text, contract);
    texts_and_values_bind_alike(text, contract);
}

/// Checks that there are issues exactly if the arguments cannot be used, that each is reported, and
/// that the same call gives the same report.
///
/// # Panics
///
/// If the law does not hold.
pub fn report_is_consistent(text: &str, contract: &Contract) {
    let report = contract.report(text);
    let issues = report.issues();
    assert_eq!(issues.is_empty(), report.is_ok(), "{issues:?} for {text:?}");
    let again = contract.report(text);
    assert_eq!(issues, again.issues(), "{text:?} twice");
    assert_eq!(shown(&report), shown(&again), "{text:?} twice");
    let bound = contract.bind_value(text);
    assert_eq!(
        bound.is_ok(),
        report.is_ok() && !report.is_uncertain() && value_of(&report).is_some(),
        "{bound:?} for {text:?}"
    );
    // Every issue has a place among the members, except issues about the arguments as a whole.
    let fields = report.fields();
    for issue in issues.iter().filter(|issue| !issue.path.steps().is_empty()) {
        let places = |field: &crate::tools::FieldEntry| {
            [field.field_path.as_ref(), field.input_path.as_ref()].contains(&Some(&issue.path))
        };
        assert!(fields.iter().any(places), "{issue:?} for {text:?}");
    }
}

/// Checks that bound arguments are bound again unchanged.
///
/// # Panics
///
/// If the law does not hold.
pub fn canonical_arguments_are_bound_unchanged(text: &str, contract: &Contract) {
    let report = contract.report(text);
    if !report.is_ok() {
        return;
    }
    let canonical = report.canonical_arguments();
    let again = contract.report(&*canonical);
    assert_eq!(again.issues(), [], "{canonical} from {text:?}");
    assert!(!again.has_repairs(), "{canonical} from {text:?}");
    assert_eq!(again.canonical_arguments(), canonical, "from {text:?}");
}

/// Checks that a value is bound in the same way as its text.
///
/// # Panics
///
/// If the law does not hold.
pub fn texts_and_values_bind_alike(text: &str, contract: &Contract) {
    let Ok(value) = serde_json::from_str::<Value>(text) else {
        return;
    };
    if value.is_null() {
        return;
    }
    // A value may have its members in another order, has no repeated keys, and does not preserve
    // every digit of its numbers.
    let written = value.to_string();
    let of_value = contract.report(&value);
    let of_written = match &value {
        Value::String(inner) => contract.report(&**inner),
        _ => contract.report(&*written),
    };
    assert_eq!(shown(&of_value), shown(&of_written), "{written}");
    // As a value, a string is its own content.
    if value.is_string() || !loses_nothing(text, &written) {
        return;
    }
    let of_text = contract.report(text);
    assert_eq!(of_text.is_ok(), of_value.is_ok(), "{text}");
    assert_eq!(of_text.has_repairs(), of_value.has_repairs(), "{text}");
    assert_eq!(value_of(&of_text), value_of(&of_value), "{text}");
    assert_eq!(places(&of_text), places(&of_value), "{text}");
}

/// Returns `true` if a text is equivalent to the JSON written for its value.
fn loses_nothing(text: &str, written: &str) -> bool {
    let [text, written] = [text, written].map(llmjson_syntax::parse);
    let [mut before, mut after] = [Vec::new(), Vec::new()];
    for (document, numbers) in [(&text, &mut before), (&written, &mut after)] {
        if let Some(root) = document.root() {
            collect_numbers(root, numbers);
        }
        numbers.sort_unstable();
    }
    text.notes().is_empty() && before == after
}

fn collect_numbers(value: ValueRef<'_>, numbers: &mut Vec<String>) {
    match value.kind() {
        Kind::Number => numbers.push(value.to_json()),
        Kind::Array => value
            .items()
            .for_each(|item| collect_numbers(item, numbers)),
        Kind::Object => {
            let members = value.members();
            members.for_each(|(_, member)| collect_numbers(member, numbers));
        }
        _ => {}
    }
}

/// Returns the path and code of each issue, in the order of the paths.
fn places(report: &BindReport) -> Vec<(String, &'static str)> {
    let issues = report.issues().iter();
    let mut places: Vec<_> = issues
        .map(|issue| (issue.path.to_string(), issue.code.name()))
        .collect();
    places.sort_unstable();
    places
}

/// All parts of a report, as JSON, and the feedback for the model.
fn shown(report: &BindReport) -> (String, String, String) {
    let serialized = serde_json::to_string(report);
    (
        serialized.expect("a report can be written"),
        report.canonical_arguments(),
        report.explain(),
    )
}

/// The arguments as a value, unless one of their numbers cannot be converted.
fn value_of(report: &BindReport) -> Option<Value> {
    report.document().deserialize().ok()
}

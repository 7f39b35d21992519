//! Values that break off within calls whose markers are whole: such a call runs under no careful policy.

use llmjson::Policy;
use llmjson::tools::{Registry, Tool, calls_in};
use llmjson_testutil::table::{Rows, lines, rows_of};

/// The rows of the tests.
const FILE: &str = include_str!("cut_values.txt");

const VALUE: &str =
    r#"{"only": "a b", "and": {"days": [1, 20, 3.5], "on": [{"x": "y"}]}, "or": ["c", "d"]}"#;

/// Notations that show where a value ends: what stands before it and behind it.
static CLOSED: Rows<2> = Rows::new(|| rows_of(FILE, "closed"));

/// Notations in which the brackets of the value are all that shows it.
static OPEN: Rows<2> = Rows::new(|| rows_of(FILE, "open"));

fn registry(policy: Policy) -> Registry {
    let schema = r#"{"type": "object", "properties": {"filter": {"type": "object"}}}"#;
    let tool = Tool::new("find_items", "Finds.").with_policy(policy);
    let registry = Registry::builder().register_schema(tool, schema).build();
    registry.expect("a small schema")
}

fn runs(before: &str, value: &str, behind: &str, registry: &Registry) -> bool {
    let text = [before, value, behind].concat();
    let found = calls_in(&text, registry);
    found.calls().iter().any(|call| call.is_ok())
}

#[test]
fn a_cut_value_runs_under_no_careful_policy() {
    let (tool, exact) = (registry(Policy::tool()), registry(Policy::exact()));
    for [before, behind] in CLOSED.iter().chain(&*OPEN) {
        assert!(
            runs(before, VALUE, behind, &exact),
            "{before}{VALUE}{behind}"
        );
        for (cut, _) in VALUE.char_indices().skip(1) {
            let value = &VALUE[..cut];
            let shown = || format!("{before}{value}{behind}");
            assert!(!runs(before, value, behind, &exact), "exact: {}", shown());
            let is_closed = CLOSED.contains(&[*before, *behind]);
            assert!(
                !is_closed || !runs(before, value, behind, &tool),
                "tool: {}",
                shown()
            );
        }
    }
}

/// A piece of the value is left out, or replaced by three dots.
#[test]
fn what_was_left_out_runs_not_under_exact() {
    let exact = registry(Policy::exact());
    for value in lines(FILE, "values") {
        for [before, behind] in CLOSED.iter().chain(&*OPEN) {
            assert!(
                !runs(before, value, behind, &exact),
                "{before}{value}{behind}"
            );
        }
        let arguments = format!(r#"{{"filter": {value}}}"#);
        let contract = exact.get("find_items").expect("the tool");
        assert!(!contract.report(&*arguments).is_ok(), "{arguments}");
    }
}

//! Values that break off within calls whose markers are whole: such a call runs under no careful policy.

use llmjson::Policy;
use llmjson::tools::{Registry, Tool, calls_in};

const VALUE: &str =
    r#"{"only": "a b", "and": {"days": [1, 20, 3.5], "on": [{"x": "y"}]}, "or": ["c", "d"]}"#;

/// Notations that show where a value ends: what stands before it and behind it.
const CLOSED: &[(&str, &str)] = &[
    (
        "<tool_call>\n<function=find_items>\n<parameter=filter>\n",
        "\n</parameter>\n</function>\n</tool_call>",
    ),
    (
        "<function_calls>\n<invoke name=\"find_items\">\n<parameter name=\"filter\">",
        "</parameter>\n</invoke>\n</function_calls>",
    ),
    (
        "<｜DSML｜function_calls>\n<｜DSML｜invoke name=\"find_items\">\n<｜DSML｜parameter name=\"filter\" string=\"false\">",
        "</｜DSML｜parameter>\n</｜DSML｜invoke>\n</｜DSML｜function_calls>",
    ),
    (
        "]<]minimax[>[<tool_call>\n]<]minimax[>[<invoke name=\"find_items\">]<]minimax[>[<filter>",
        "]<]minimax[>[</filter>]<]minimax[>[</invoke>\n]<]minimax[>[</tool_call>",
    ),
    (
        "<|open|>tools<|sep|><|open|>call tool=\"find_items\" index=\"1\"<|sep|><|open|>argument key=\"filter\" type=\"object\"<|sep|>",
        "<|close|>argument<|sep|><|close|>call<|sep|><|close|>tools<|sep|>",
    ),
    (
        "<tool_call>find_items\n<arg_key>filter</arg_key>\n<arg_value>",
        "</arg_value>\n</tool_call>",
    ),
    ("<find_items><filter>", "</filter></find_items>"),
    (
        "<|tool_call_start|>[find_items(filter=",
        ")]<|tool_call_end|>",
    ),
];

/// Notations in which the brackets of the value are all that shows it.
const OPEN: &[(&str, &str)] = &[
    (
        "<tool_call>\n{\"name\": \"find_items\", \"arguments\": {\"filter\": ",
        "}}\n</tool_call>",
    ),
    ("<function=find_items>{\"filter\": ", "}</function>"),
    (
        "<|channel|>commentary to=functions.find_items <|constrain|>json<|message|>{\"filter\": ",
        "}<|call|>",
    ),
    (
        "<start_function_call>call:find_items{filter:",
        "}<end_function_call>",
    ),
];

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
    for (before, behind) in CLOSED.iter().chain(OPEN) {
        assert!(
            runs(before, VALUE, behind, &exact),
            "{before}{VALUE}{behind}"
        );
        for (cut, _) in VALUE.char_indices().skip(1) {
            let value = &VALUE[..cut];
            let shown = || format!("{before}{value}{behind}");
            assert!(!runs(before, value, behind, &exact), "exact: {}", shown());
            let is_closed = CLOSED.contains(&(before, behind));
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
    for value in [
        r#"{"only": "a", ...}"#,
        r#"{"only": ...}"#,
        r#"{"only": [1, ..., 9]}"#,
        r#"{"only": "a", "and": , "or": 1}"#,
        r#"{"only": "a", "and": }"#,
        r#"{"only": "a", "and"}"#,
        r#"{"only": {"and": }, "or": 1}"#,
        r#"{"only": undefined}"#,
    ] {
        for (before, behind) in CLOSED.iter().chain(OPEN) {
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

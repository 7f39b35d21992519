//! Response templates and the families that they describe.

use super::super::CallReader;
use super::Family;
use crate::Registry;

/// The member `tool_calls` of a template, a text, and the arguments read from it.
const TEMPLATES: &[(&str, &str, &str)] = &[
    (
        r#"{"open": "<|acme|>", "close": "<|acme_end|>", "content": "json"}"#,
        r#"<|acme|>{"name": "add", "arguments": {"a": 1}}<|acme_end|>"#,
        r#"{"a":1}"#,
    ),
    (
        r#"{"open_pattern": "<tool_call>\\s*<function=(?P<name>\\w+)>", "content": "xml-inline",
            "content_args": {"tag_pattern": "<parameter=(?P<key>\\w+)>\\s*(?P<value>.*?)\\s*</parameter>"}}"#,
        "<tool_call>\n<function=add>\n<parameter=a>\n1\n</parameter>\n</function>\n</tool_call>",
        r#"{"a":1}"#,
    ),
    (
        r#"{"open_pattern": "<\\|acme:start\\|>(?P<name>[a-z]+)\n", "content": "xml-inline", "content_args":
            {"tag_pattern": "<\\|of:start\\|>(?P<key>.*?)<\\|of:value\\|>(?P<value>.*?)<\\|of:end\\|>"}}"#,
        "<|acme:start|>add\n<|of:start|>a<|of:value|>1<|of:end|>\n<|tool_call_end|>",
        r#"{"a":1}"#,
    ),
    (
        r#"{"open_pattern": "<\\|acme>call:(?P<name>\\w+)", "content": "json",
            "content_args": {"string_delims": [["<|q|>", "<|q|>"]]}}"#,
        r#"<|acme>call:add{a:1,b:<|q|>"x"<|q|>}<acme|>"#,
        r#"{"a":1,"b":"\"x\""}"#,
    ),
    (
        r#"{"open_pattern": "<function=(?P<name>\\w+)>", "close": "</function>", "content": "json"}"#,
        r#"<function=add>{"a": 1}</function>"#,
        r#"{"a":1}"#,
    ),
    (
        r#"{"open_pattern": "<\\|channel\\|>commentary to=functions\\.(?P<name>\\w+).*?<\\|message\\|>",
            "close": "<|call|>", "content": "json"}"#,
        r#"<|channel|>commentary to=functions.add <|constrain|>json<|message|>{"a": 1}<|call|>"#,
        r#"{"a":1}"#,
    ),
];

fn template(calls: &str) -> String {
    format!(r#"{{"start_anchor": "x", "fields": {{"tool_calls": {calls}}}}}"#)
}

#[test]
fn templates_are_read() {
    let registry = Registry::builder().build().unwrap();
    for (calls, text, arguments) in TEMPLATES {
        let family = Family::from_response_schema("acme", &template(calls)).unwrap();
        assert_eq!(family.name(), "acme");
        let found = CallReader::new(&registry).with_family(family).read(text);
        let read: Vec<_> = found
            .calls()
            .iter()
            .map(|one| (one.name(), one.arguments()))
            .collect();
        assert_eq!(read, [("add", *arguments)], "{calls}");
    }
}

#[test]
fn a_schema_with_patterns_is_read() {
    let schema = r#"{"x-regex": "(?:<acme_call>(?P<tool_calls>.*?)</acme_call>)?", "properties": {"tool_calls":
        {"x-regex-iterator": "^(.*)$", "items": {"properties": {"function": {"properties": {"name":
        {"x-regex": "^(\\w+)"}, "arguments": {"x-regex-key-value":
        "<of_key>(?P<key>\\w+)</of_key><of_value>(?P<value>.*?)</of_value>"}}}}}}}}"#;
    let family = Family::from_response_schema("acme", schema).unwrap();
    let registry = Registry::builder().build().unwrap();
    let text = "<acme_call>add<of_key>a</of_key><of_value>1</of_value></acme_call>";
    let found = CallReader::new(&registry).with_family(family).read(text);
    assert_eq!(found.calls()[0].arguments(), r#"{"a":1}"#);
    let others = CallReader::new(&registry).read(text);
    assert!(others.calls().is_empty());
}

#[test]
fn what_cannot_be_said_is_told() {
    for (calls, error) in [
        (
            r#"{"open": "CALL:", "content": "json"}"#,
            "open: the marker \"CALL:\" is no tag",
        ),
        (
            r#"{"open": "<a_call>"}"#,
            "fields.tool_calls.content: no arguments",
        ),
        (
            r#"{"open_pattern": "<a>|<b>", "content": "json"}"#,
            "no alternatives are read",
        ),
        (
            r#"{"open_pattern": "<ab?>(?P<name>x)", "content": "json"}"#,
            "may be missing",
        ),
        (
            r#"{"content": "json"}"#,
            "expected `open` or `open_pattern`",
        ),
        ("[1]", "expected `open`"),
    ] {
        let told = Family::from_response_schema("acme", &template(calls)).unwrap_err();
        assert!(told.to_string().contains(error), "{told}");
    }
    assert!(Family::from_response_schema("acme", "{").is_err());
}

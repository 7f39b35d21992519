//! What `bind` prints of a call, what `batch` answers to the same, and how they end.

use crate::support::{Ran, Scratch, run};
use serde_json::{Value, json};

/// One tool in each shape that lists of tools have.
const TOOLS: &str = r#"[
  {"type": "function", "function": {"name": "send_sms", "description": "Sends a text message.",
    "parameters": {"type": "object",
      "properties": {"phoneNumber": {"type": "string"}, "priority": {"type": "integer", "minimum": 0}},
      "required": ["phoneNumber", "priority"]}}},
  {"name": "weather", "description": "Tells the weather.",
    "input_schema": {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}},
  {"name": "add", "inputSchema": {"type": "object",
    "properties": {"a": {"type": "number"}, "b": {"type": "number"}}, "required": ["a", "b"]}},
  {"name": "stop", "parameters": {"type": "object", "properties": {}}}
]"#;

fn bind(tools: &str, tool: &str, more: &[&str], arguments: &str) -> Ran {
    let tools = Scratch::new(tools);
    let args = ["bind", "--tools", tools.path(), "--tool", tool];
    run(&[&args[..], more].concat(), arguments)
}

fn json_of(ran: &Ran) -> Value {
    serde_json::from_str(&ran.out).unwrap_or_else(|error| panic!("{error}: {ran:?}"))
}

/// What is written by hand here has the members that the library serializes.
#[test]
fn issues_and_fields_have_the_members_of_the_library() {
    use llmjson::tools::{Contract, Tool};

    let schema = r#"{"type": "object", "properties": {"n": {"type": "integer", "examples": [1, 2]}},
        "required": ["n"]}"#;
    let arguments = r#"{"n": "many", "m": 1}"#;
    let contract = Contract::new(Tool::new("count", ""), schema).expect("the tool can be used");
    let report = contract.report(arguments);
    let list = format!(r#"[{{"name": "count", "parameters": {schema}}}]"#);
    let answer = json_of(&bind(&list, "count", &[], arguments));
    let serialized = serde_json::to_value(&report).expect("reports are JSON");
    for name in ["issues", "fields", "ok", "tool", "certainty", "complete"] {
        assert_eq!(answer[name], serialized[name], "{name}");
    }
    assert_eq!(answer["explanation"], report.explain());
}

/// The answer of `batch` to one line, without the time.
fn answer(more: &[&str], line: &Value) -> Value {
    let ran = run(&[&["batch", "-j", "1"], more].concat(), line.to_string());
    let mut answer = json_of(&ran);
    if let Some(answer) = answer.as_object_mut() {
        answer.remove("ns");
    }
    answer
}

#[test]
fn batch_answers_the_same() {
    let list: Value = serde_json::from_str(TOOLS).expect("this is JSON");
    let calls = [
        (
            "send_sms",
            r#"{"phone": "1312", "priority": "3", "extra": 1}"#,
        ),
        ("send_sms", r#"{"phone": "1312", "priority": "3"}"#),
        ("weather", "{'city': 'Oslo'"),
        ("weather", "no"),
        ("waether", "{}"),
    ];
    for (tool, input) in calls {
        let line = json!({"id": 1, "op": "bind", "tools": list, "tool": tool, "input": input});
        let in_batch = answer(&[], &line);
        let ran = bind(TOOLS, tool, &[], input);
        let alone = json_of(&ran);
        assert_eq!(in_batch["value"], alone["arguments"], "{input}");
        for name in [
            "ok",
            "complete",
            "certainty",
            "issues",
            "fields",
            "explanation",
        ] {
            assert_eq!(in_batch[name], alone[name], "{name} of {input}");
        }
        assert_eq!(in_batch["id"], 1);
        assert_eq!(in_batch.get("error").is_some(), in_batch["value"].is_null());
    }
}

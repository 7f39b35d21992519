//! What `calls` prints of the calls in a reply, what `batch` answers to the same, and how they end.

use crate::support::{Ran, Scratch, run};
use serde_json::{Value, json};

const TOOLS: &str = r#"[{"name": "weather", "description": "Tells the weather.",
  "parameters": {"type": "object", "properties": {"city": {"type": "string"}, "days": {"type": "integer"}},
    "required": ["city"]}}]"#;

const REPLY: &str = "<think>Oslo.</think>Let me see.\n<tool_call>\n<function=weather>\n\
    <parameter=city>\nOslo\n</parameter>\n<parameter=days>\n3\n</parameter>\n</function>\n</tool_call>";

fn calls(args: &[&str], reply: &str) -> Ran {
    let tools = Scratch::new(TOOLS);
    run(&[&["calls", "--tools", tools.path()], args].concat(), reply)
}

fn batch(args: &[&str], line: &Value) -> Value {
    let ran = run(&[&["batch"], args].concat(), line.to_string());
    serde_json::from_str(&ran.out).unwrap_or_else(|error| panic!("{error}: {ran:?}"))
}

#[test]
fn each_call_is_printed_on_a_line() {
    let ran = calls(&[], REPLY);
    let line = concat!(
        r#"{"name":"weather","arguments":{"city":"Oslo","days":3},"span":[32,141],"#,
        r#""family":"qwen3-coder","ok":true,"complete":true,"certainty":"certain","repairs":[],"issues":[]}"#,
        "\n"
    );
    assert_eq!((ran.code, &*ran.out, &*ran.err), (Some(0), line, ""));
    let several = r#"[TOOL_CALLS] [{"name": "weather", "arguments": {"city": "Oslo"}, "id": "a1"},
        {"name": "weather", "arguments": {"city": "Rome"}}]"#;
    let ran = calls(&[], several);
    let lines: Vec<Value> = (ran.out.lines())
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let shown = lines
        .iter()
        .map(|call| (&call["arguments"]["city"], &call["id"]));
    let wanted = [(json!("Oslo"), json!("a1")), (json!("Rome"), Value::Null)];
    assert!(
        shown.eq(wanted.iter().map(|(city, id)| (city, id))),
        "{ran:?}"
    );
}

#[test]
fn the_exit_code_says_whether_all_can_be_run() {
    // Reply, exit code, a part of the output.
    let table = [
        ("It is cold.", 0, ""),
        (
            r#"<tool_call>{"name": "weather", "arguments": {}}</tool_call>"#,
            1,
            r#""code":"missing_required""#,
        ),
        // What the model is told.
        (
            r#"<tool_call>{"name": "weather", "arguments": {}}</tool_call>"#,
            1,
            "`city` is missing. Expected: string.",
        ),
        (
            r#"<tool_call>{"name": "waether", "arguments": {"city": "Oslo"}}</tool_call>"#,
            1,
            r#""code":"unknown_tool""#,
        ),
        (
            r#"<tool_call>{"name": "weather", "arguments": {"city": "Os"#,
            1,
            r#""complete":false"#,
        ),
    ];
    for (reply, code, part) in table {
        let ran = calls(&[], reply);
        assert_eq!((ran.code, &*ran.err), (Some(code), ""), "{reply}");
        assert!(ran.out.contains(part), "{}", ran.out);
    }
    let ran = calls(&["--family", "klingon"], REPLY);
    assert_eq!(ran.code, Some(2), "{ran:?}");
    let tools = Scratch::new(r#"[{"name": "a", "parameters": {"type": "text"}}]"#);
    let ran = run(&["calls", "--tools", tools.path()], REPLY);
    assert_eq!(ran.code, Some(2), "{ran:?}");
}

#[test]
fn a_family_may_be_named_and_tools_left_out() {
    let reply = r#"[TOOL_CALLS]add[ARGS]{"a": 1}"#;
    let ran = run(&["calls", "--family", "mistral"], reply);
    let start = r#"{"name":"add","arguments":{"a":1},"span":[0,29],"family":"mistral","ok":true"#;
    assert!(ran.code == Some(0) && ran.out.starts_with(start), "{ran:?}");
    let ran = run(&["calls", "--family", "kimi"], reply);
    assert_eq!((ran.code, &*ran.out), (Some(0), ""));
    let families = ["calls", "--family", "glm-4.6", "--family", "Mistral-Small"];
    assert!(run(&families, reply).out.starts_with(start));
}

#[test]
fn events_are_printed_as_the_text_comes() {
    let ran = calls(&["--stream"], REPLY);
    let lines: Vec<Value> = (ran.out.lines())
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(
        lines[0],
        json!({"event": "started", "call": 0, "name": "weather"})
    );
    let (last, events) = lines.split_last().unwrap();
    assert_eq!(last["arguments"], json!({"city": "Oslo", "days": 3}));
    let text = |event: &Value| event["text"].as_str().unwrap_or_default().to_owned();
    let arguments: String = events.iter().map(text).collect();
    assert_eq!(arguments, r#"{"city":"Oslo","days":3}"#);
    assert_eq!(
        events.last().unwrap(),
        &json!({"event": "finished", "call": 0, "complete": true, "ok": true})
    );
}

#[test]
fn batch_finds_the_same_calls() {
    let tools: Value = serde_json::from_str(TOOLS).unwrap();
    let line = json!({"id": 7, "op": "calls", "tools": tools, "input": REPLY});
    let found = batch(&[], &line);
    let wanted = json!([{"name": "weather", "arguments": {"city": "Oslo", "days": 3}}]);
    assert_eq!(
        (&found["id"], &found["ok"], &found["value"]),
        (&json!(7), &json!(true), &wanted)
    );
    assert_eq!(found["content"], "Let me see.\n");
    assert_eq!(found["reasoning"], "Oslo.");
    let printed: Value = serde_json::from_str(&calls(&[], REPLY).out).unwrap();
    assert_eq!(found["calls"], json!([printed]));
    // Tools by the option, and none at all.
    let file = Scratch::new(TOOLS);
    let line = json!({"op": "calls", "input": REPLY});
    let by_option = batch(&["--tools", file.path()], &line);
    assert_eq!(by_option["value"], wanted);
    let any = json!({"op": "calls", "tools": [], "input": REPLY});
    assert_eq!(batch(&[], &any)["value"], wanted);
}

#[test]
fn batch_leaves_out_what_cannot_be_called() {
    let tools: Value = serde_json::from_str(TOOLS).unwrap();
    // Input, the value, the number of calls.
    let table = [
        ("It is cold.", json!([]), 0),
        (
            r#"<tool_call>{"name": "waether", "arguments": {}}</tool_call>"#,
            json!([]),
            1,
        ),
        (
            r#"<tool_call>{"name": "weather", "arguments": {"ci"#,
            json!([]),
            1,
        ),
        (
            r#"<tool_call>{"name": "weather", "arguments": {"city": 5}}</tool_call>"#,
            json!([{"name": "weather", "arguments": {"city": "5"}}]),
            1,
        ),
    ];
    for (input, value, count) in table {
        let line = json!({"op": "calls", "tools": tools, "input": input});
        let found = batch(&[], &line);
        assert_eq!(found["value"], value, "{input}");
        assert_eq!(found["calls"].as_array().unwrap().len(), count, "{input}");
    }
    let line = json!({"op": "calls", "input": REPLY, "family": "klingon"});
    let error = batch(&[], &line)["error"].to_string();
    assert!(
        error.contains("family: ") && error.contains("klingon"),
        "{error}"
    );
}

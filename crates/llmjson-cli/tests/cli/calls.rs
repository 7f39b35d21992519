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

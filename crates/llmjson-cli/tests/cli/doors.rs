//! The command line has the outcomes that every door has: `crates/llmjson/tests/doors.json`.

use serde_json::{Value, json};

use crate::support::{Scratch, run};

const TABLE: &str = include_str!("../../../llmjson/tests/doors.json");

#[test]
fn batch_answers_as_the_table_says() {
    let table: Value = serde_json::from_str(TABLE).expect("JSON");
    let (mut lines, mut expected) = (String::new(), Vec::new());
    for row in table["rows"].as_array().expect("rows") {
        let schema = &table["types"][row["type"].as_str().expect("a type")];
        for (policy, outcome) in row["policies"].as_object().expect("outcomes") {
            let line = json!({"input": row["input"], "schema": schema, "policy": policy});
            lines.push_str(&format!("{line}\n"));
            expected.push((line, outcome));
        }
    }
    let ran = run(&["batch"], &lines);
    assert_eq!(ran.out.lines().count(), expected.len());
    for (answer, (line, outcome)) in ran.out.lines().zip(expected) {
        let answer: Value = serde_json::from_str(answer).expect("an answer");
        for name in ["ok", "value", "complete", "certainty"] {
            assert_eq!(answer[name], outcome[name], "{name}: {line}");
        }
        let records = |name: &str, members: &[&str]| -> Value {
            let records = answer[name].as_array().expect("records").iter();
            let words = |one: &Value| -> Vec<String> {
                let members = members.iter();
                members
                    .map(|name| one[name].as_str().unwrap_or_default().to_owned())
                    .collect()
            };
            records
                .map(|one| Value::from(words(one).join(" ")))
                .collect()
        };
        let coercions = records("coercions", &["kind", "class", "path"]);
        assert_eq!(coercions, outcome["coercions"], "{line}");
        assert_eq!(
            records("violations", &["path"]),
            outcome["violations"],
            "{line}"
        );
    }
}

#[test]
fn parse_accepts_a_truncated_value_only_on_request() {
    let operations: Value =
        serde_json::from_str(include_str!("../../../../docs/operations.json")).expect("JSON");
    let schema = r#"{"properties": {"a": {"type": "integer"}}}"#;
    let tool =
        Scratch::new(r#"{"name": "t", "inputSchema": {"properties": {"a": {"type": "integer"}}}}"#);
    let row = r#"{"input": "{\"a\": 1"}"#;
    for operation in operations.as_array().expect("rows") {
        let Some(name) = operation["command"].as_str() else {
            continue;
        };
        let (args, input): (Vec<&str>, &str) = match name {
            // It needs a server: `Retry::run` is what it calls.
            "ask" => continue,
            "batch" => (vec!["batch"], row),
            "bind" => (
                vec!["bind", "--tools", tool.path(), "--tool", "t"],
                r#"{"a": 1"#,
            ),
            "stream" => (vec!["stream", "--schema", schema], r#"{"a": 1"#),
            _ => (name.split(' ').collect(), r#"{"a": 1"#),
        };
        let refused = operation["truncated"] == "refused" || name == "parse --report";
        let ran = run(&args, input);
        assert_eq!(ran.code, Some(i32::from(refused)), "{name}: {}", ran.err);
        if !matches!(name, "bind" | "stream") {
            let ran = run(&[&args[..], &["--allow-truncated"]].concat(), input);
            assert_eq!(ran.code, Some(0), "{name}: {}", ran.err);
            assert!(!ran.err.contains("warning"), "{name}: {}", ran.err);
        }
    }
}

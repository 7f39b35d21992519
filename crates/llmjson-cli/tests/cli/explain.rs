//! What `explain` shows. The pictures stand in `snapshots`; with `UPDATE_SNAPSHOTS` set they are
//! written anew.

use std::path::Path;

use crate::support::{Scratch, run};

const SCHEMA: &str = r#"{
  "type": "object",
  "properties": {"city": {"type": "string"}, "days": {"type": "integer"}, "paid": {"type": "boolean"}},
  "required": ["city", "days", "paid"]
}"#;

fn check(name: &str, shown: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/cli/snapshots")
        .join(name);
    if std::env::var_os("UPDATE_SNAPSHOTS").is_some() {
        std::fs::write(&path, shown).expect("a snapshot can be written");
    }
    let wanted = std::fs::read_to_string(&path).expect("there is a snapshot");
    assert_eq!(shown, wanted, "{name}");
}

#[test]
fn small_replies_are_drawn_whole() {
    let schema = Scratch::new(SCHEMA);
    let reply = "Sure!\n```json\n{\n  city: 'Rome\x1b[31m',\n  \"days\": \"3\",\n  \"paid\": \"maybe\",\n}\n```\n";
    let ran = run(&["explain", "--schema", schema.path()], reply);
    assert_eq!((ran.code, ran.err.as_str()), (Some(1), ""));
    check("small.txt", &ran.out);
}

#[test]
fn what_a_policy_does_not_allow_is_said() {
    let schema = Scratch::new(SCHEMA);
    let reply = "{city: 'Rome', \"days\": \"3\", \"paid\": \"yes\"";
    let ran = run(
        &["explain", "--policy", "tool", "--schema", schema.path()],
        reply,
    );
    assert_eq!((ran.code, ran.err.as_str()), (Some(1), ""));
    check("tool.txt", &ran.out);
    // What was whole is not, if the model was cut off.
    let ran = run(
        &["explain", "--policy", "tool", "--finish-reason", "length"],
        "[1, 2]",
    );
    assert_eq!(ran.code, Some(1));
    assert!(ran.out.contains("cut off"), "{}", ran.out);
}

#[test]
fn of_large_replies_only_the_marks_are_drawn() {
    let mut reply = format!("{{\"a\": \"{}\", b: 1,\n", "x".repeat(5_000));
    reply.push_str(&"\"c\": [1, 2],\n".repeat(3));
    reply.push_str(&"\n".repeat(200));
    reply.push_str("'d': True}");
    let ran = run(&["explain"], &reply);
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
    check("large.txt", &ran.out);
}

#[test]
fn what_is_shown_is_bounded() {
    let objects = "{'é': \"\u{202e}\t\", },".repeat(20_000);
    let deep = format!("{}{}", "[".repeat(500), "'x'".repeat(30_000));
    let lines = "{a:\n1,\n},\n".repeat(20_000);
    for reply in [format!("[{objects}]"), deep, format!("[{lines}]")] {
        let ran = run(&["explain"], &reply);
        assert!(ran.out.len() < 50_000, "{}", ran.out.len());
        let hidden = |character: char| {
            character != '\n' && character.is_control() || character == '\u{202e}'
        };
        assert!(!ran.out.contains(hidden));
    }
}

#[test]
fn without_a_value_it_says_so() {
    let ran = run(&["explain"], "");
    let wanted = "standard input\n  the text is empty: there is no value to read\n";
    assert_eq!((ran.code, ran.out.as_str()), (Some(1), wanted));
}

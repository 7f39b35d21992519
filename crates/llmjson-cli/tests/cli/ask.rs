//! What `llmjson ask` sends and prints, and how it ends.

#[path = "../../../llmjson/tests/support/server.rs"]
mod server;
use std::io::Write as _;

use crate::support::{Ran, Scratch, command};
use serde_json::json;
use server::{Answer, Server};

const SCHEMA: &str = r#"{"type": "object", "properties": {"days": {"type": "integer", "minimum": 1}}, "required": ["days"]}"#;
const KEY: &str = "sk-not-to-be-seen-anywhere";

/// Asks the server, with more arguments and with something on standard input.
fn ask(url: &str, more: &[&str], input: &str) -> Ran {
    let schema = Scratch::new(SCHEMA);
    let args = [
        "ask",
        "--base-url",
        url,
        "--model",
        "m",
        "--schema",
        schema.path(),
    ];
    let mut child = command(&[&args[..], more].concat())
        .env("OPENAI_API_KEY", KEY)
        .env("NO_PROXY", "127.0.0.1")
        .spawn()
        .unwrap();
    child
        .stdin
        .take()
        .unwrap()
        .write_all(input.as_bytes())
        .unwrap();
    let ran = Ran::from(child.wait_with_output().unwrap());
    assert!(!ran.out.contains(KEY) && !ran.err.contains(KEY), "{ran:?}");
    ran
}

#[test]
fn a_model_is_asked_until_it_fits() {
    let server = Server::new(vec![
        Answer::text("{\"days\": 0}", Some("stop")),
        Answer::text("```json\n{days: '3'}\n```", Some("stop")),
    ]);
    let ran = ask(&server.url(), &["--system", "Be terse.", "Oslo"], "");
    let said = [
        "llmjson: reply 1 cannot be used (validation)",
        "\"days\": 0 // ❌ [",
    ];
    ran.ended(0, "{\"days\":3}\n", &said);
    assert!(ran.err.starts_with(said[0]), "{}", ran.err);
    assert!(ran.err.ends_with("llmjson: used reply 2\n"), "{}", ran.err);

    let seen = server.seen();
    let system = seen[0]["messages"][0]["content"].as_str().unwrap();
    assert!(
        system.starts_with("Be terse.\n\nAnswer with one JSON value"),
        "{system}"
    );
    assert_eq!(
        seen[0]["messages"][1],
        json!({"role": "user", "content": "Oslo"})
    );
    assert_eq!(
        (seen[0].get("response_format"), &seen[0]["model"]),
        (None, &json!("m"))
    );
    assert!(
        server
            .last_head()
            .contains(&format!("authorization: bearer {KEY}"))
    );
}

#[test]
fn the_prompt_may_come_from_standard_input_and_the_value_over_lines() {
    let server = Server::new(vec![Answer::text("{\"days\": 2}", Some("stop"))]);
    let args = ["--structured", "--max-tokens", "99", "--pretty", "-"];
    let ran = ask(&server.url(), &args, "Two days in Rome.\n");
    ran.ended(0, "{\n  \"days\": 2\n}\n", &[]);
    assert_eq!(ran.err, "");
    let seen = server.seen();
    assert_eq!(
        seen[0]["messages"],
        json!([{"role": "user", "content": "Two days in Rome.\n"}])
    );
    assert_eq!(seen[0]["response_format"]["type"], json!("json_schema"));
    assert_eq!(seen[0]["max_tokens"], json!(99));
}

#[test]
fn calls_of_tools_are_asked_for_until_they_can_be_run() {
    let tools = Scratch::new(
        r#"[{"name": "send", "description": "Sends.", "parameters": {"type": "object", "properties":
            {"to": {"type": "string"}, "count": {"type": "integer"}}, "required": ["to"]}}]"#,
    );
    let asked = |server: &Server, more: &[&str]| {
        let url = server.url();
        let args = [
            "ask",
            "--base-url",
            &url,
            "--model",
            "m",
            "--tools",
            tools.path(),
        ];
        let mut command = command(&[&args[..], more, &["Write to Ann."]].concat());
        let child = command.env("NO_PROXY", "127.0.0.1").spawn().unwrap();
        Ran::from(child.wait_with_output().unwrap())
    };
    let call = |id: &str, arguments: &str| json!({"id": id, "type": "function", "function": {"name": "send", "arguments": arguments}});
    let reply = |message: serde_json::Value, finish: &str| {
        let body = json!({"choices": [{"index": 0, "message": message, "finish_reason": finish}]});
        Answer::json("200 OK", "", &body)
    };
    let calls = |calls: Vec<serde_json::Value>| {
        reply(
            json!({"role": "assistant", "content": null, "tool_calls": calls}),
            "tool_calls",
        )
    };
    // One of two lacks what is required; then both can be run.
    let server = Server::new(vec![
        calls(vec![
            call("a", "{\"to\": \"Ann\"}"),
            call("b", "{\"count\": 1}"),
        ]),
        calls(vec![
            call("c", "{to: 'Ann', count: '2'}"),
            call("d", "{\"to\": \"Bob\"}"),
        ]),
    ]);
    let ran = asked(&server, &[]);
    let wanted = "{\"name\":\"send\",\"arguments\":{\"to\":\"Ann\",\"count\":2},\"id\":\"c\"}\n\
        {\"name\":\"send\",\"arguments\":{\"to\":\"Bob\"},\"id\":\"d\"}\n";
    ran.ended(0, wanted, &["reply 1 cannot be used"]);
    let seen = server.seen();
    assert_eq!(seen[0]["tools"][0]["function"]["name"], json!("send"));
    let told = seen[1]["messages"].as_array().unwrap();
    assert_eq!(told.len(), 4);
    assert_eq!(
        (&told[2]["role"], &told[2]["tool_call_id"]),
        (&json!("tool"), &json!("a"))
    );
    let explained = told[3]["content"].as_str().unwrap();
    assert!(
        told[3]["tool_call_id"] == json!("b") && explained.contains("to"),
        "{explained}"
    );

    // A call that the server left in the text, and one that never fits.
    let text = |text: &str| reply(json!({"role": "assistant", "content": text}), "stop");
    let in_text = "<tool_call>{\"name\": \"send\", \"arguments\": {\"to\": \"Ann\"}}</tool_call>";
    let ran = asked(&Server::new(vec![text(in_text)]), &[]);
    let wanted = "{\"name\":\"send\",\"arguments\":{\"to\":\"Ann\"}}\n";
    ran.ended(0, wanted, &[]);
    let server = Server::new(vec![text(&in_text.replace("\"to\"", "\"x\""))]);
    let ran = asked(&server, &["--retries", "1"]);
    ran.ended(1, "", &["none of 2 replies could be used"]);
    assert_eq!(server.seen()[1]["messages"][2]["role"], json!("user"));

    // No call at all, and no server.
    let ran = asked(&Server::new(vec![text("I would rather talk.")]), &[]);
    let told = "llmjson: the model called no tool: I would rather talk.\n";
    assert_eq!((ran.code, &*ran.err), (Some(1), told));
    let error = json!({"error": {"message": "busy"}});
    let ran = asked(
        &Server::new(vec![Answer::json("400 Bad Request", "", &error)]),
        &[],
    );
    assert_eq!(ran.code, Some(2), "{}", ran.err);
    let ran = asked(&Server::new(vec![text("")]), &["--schema", "{}"]);
    assert_eq!(ran.code, Some(2), "{}", ran.err);
}

#[test]
fn it_ends_as_the_other_commands_do() {
    // No reply fits.
    let server = Server::new(vec![Answer::text("No.\u{1b}2J", Some("stop"))]);
    let ran = ask(&server.url(), &["--retries", "1", "Oslo"], "");
    let said = "max_retries_reached after 2 replies: the reply holds no JSON value";
    ran.ended(1, "", &[said]);
    assert_eq!(server.seen().len(), 2);

    // A policy that does not allow what it takes.
    let server = Server::new(vec![Answer::text("{days: 1}", Some("stop"))]);
    let ran = ask(
        &server.url(),
        &["--retries", "0", "--policy", "strict", "Oslo"],
        "",
    );
    assert_eq!(ran.code, Some(1), "{}", ran.err);
    assert!(ran.err.contains("(unquoted_key)"), "{}", ran.err);

    // The model will not.
    let refusal = Answer::stream(&[json!({"refusal": "I won't."})], Some("stop"));
    let ran = ask(&Server::new(vec![refusal]).url(), &["Oslo"], "");
    assert_eq!(
        (ran.code, &*ran.err),
        (Some(1), "llmjson: the model will not answer: I won't.\n")
    );

    // The server will not, and repeats the key.
    let error = json!({"error": {"message": format!("no such key: {KEY}")}});
    let server = Server::new(vec![Answer::json("401 Unauthorized", "", &error)]);
    let ran = ask(&server.url(), &["Oslo"], "");
    let told = "llmjson: the server: HTTP 401: no such key: [secret]\n";
    assert_eq!((ran.code, &*ran.err), (Some(2), told));

    // The structured request is refused, and busy servers are waited for.
    let refused = json!({"error": {"message": "no response_format here"}});
    let busy = json!({"error": {"message": "busy"}});
    let server = Server::new(vec![
        Answer::json("400 Bad Request", "", &refused),
        Answer::json("429 Too Many Requests", "retry-after-ms: 10\r\n", &busy),
        Answer::text("{\"days\": 1}", Some("stop")),
    ]);
    let ran = ask(&server.url(), &["--structured", "Oslo"], "");
    let rejected = "put the schema into the prompt, since the server rejected it: HTTP 400: no response_format";
    let said = [rejected, "HTTP 429: busy; retrying in 0.0 s"];
    ran.ended(0, "{\"days\":1}\n", &said);

    for (url, told) in [
        ("ftp://h", "--base-url: the address is not an HTTP URL"),
        ("http://127.0.0.1:1", "the server: connecting failed"),
    ] {
        let ran = ask(url, &["Oslo"], "");
        ran.ended(2, "", &[told]);
    }
}

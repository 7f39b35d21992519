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

#[test]
fn arguments_are_bound() {
    // Tool, arguments, what they are bound to.
    let table = [
        (
            "send_sms",
            r#"{"phone": "1312", "priority": "3"}"#,
            r#"{"phoneNumber":"1312","priority":3}"#,
        ),
        (
            "weather",
            "```json\n{'City': 'Oslo',}\n```",
            r#"{"city":"Oslo"}"#,
        ),
        (
            "add",
            r#"{"a": 12345678901234567890.10, "b": "1.50"}"#,
            r#"{"a":12345678901234567890.10,"b":1.50}"#,
        ),
        ("stop", "", "{}"),
        ("stop", "null", "{}"),
        ("weather", r#""{\"city\": \"Rome\"}""#, r#"{"city":"Rome"}"#),
    ];
    for (tool, arguments, bound) in table {
        let ran = bind(TOOLS, tool, &[], arguments);
        assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{arguments}");
        let start = format!(r#"{{"tool":"{tool}","ok":true,"arguments":{bound},"complete":true,"#);
        assert!(ran.out.starts_with(&start), "{}", ran.out);
        let answer = json_of(&ran);
        assert_eq!(
            (&answer["issues"], &answer["explanation"]),
            (&json!([]), &Value::Null)
        );
    }
}

#[test]
fn a_tool_is_found_by_another_spelling_but_not_under_exact() {
    let arguments = r#"{"city": "Rome"}"#;
    let ran = bind(TOOLS, "Weather", &[], arguments);
    let answer = json_of(&ran);
    assert_eq!(
        (&answer["tool"], &answer["called"]),
        (&json!("weather"), &json!("Weather"))
    );
    assert_eq!(
        (&answer["ok"], &answer["certainty"]),
        (&json!(true), &json!("likely"))
    );
    let ran = bind(TOOLS, "Weather", &["--policy", "exact"], arguments);
    assert_eq!(json_of(&ran)["issues"][0]["code"], "unknown_tool");
}

#[test]
fn everything_is_printed() {
    let arguments = r#"{phone: "1312", "priority": -98765432109876543210, "extra": 1.10}"#;
    let ran = bind(TOOLS, "send_sms", &[], arguments);
    assert_eq!((ran.code, ran.err.as_str()), (Some(1), ""));
    let start = concat!(
        r#"{"tool":"send_sms","ok":false,"#,
        r#""arguments":{"phoneNumber":"1312","priority":-98765432109876543210,"extra":1.10},"#,
        r#""complete":true,"certainty":"likely","issues":["#,
        r#"{"code":"out_of_range","path":"$input.priority","pointer":"/priority","message":""#,
    );
    assert!(ran.out.starts_with(start), "{}", ran.out);
    let parts = [
        r#""expected":"integer & Minimum<0>","received":-98765432109876543210,"examples":[],"candidates":[],"suggestion":""#,
        r#","retryable":true},{"code":"unknown_field","path":"$input.extra","pointer":"/extra","message":""#,
        r#""expected":"undefined","received":1.10,"examples":[],"candidates":[],"suggestion":""#,
        r#","retryable":true}],"explanation":""#,
    ];
    for part in parts {
        assert!(ran.out.contains(part), "{part} in {}", ran.out);
    }
    let fields = concat!(
        r#""fields":[{"input_path":"$input.phone","field_path":"$input.phoneNumber","#,
        r#""layer":"derived_key","status":"repaired","before":null,"after":null,"candidates":[],"#,
        r#""changes":["derived_key"],"score":null,"runner_up":null},"#,
    );
    assert!(ran.out.contains(fields), "{}", ran.out);
    let repairs = concat!(
        r#""repairs":[{"kind":"unquoted_key","class":"certain","start":1,"end":6,"line":1,"#,
        r#""column":2,"sentence":""#,
    );
    assert!(ran.out.contains(repairs), "{}", ran.out);
    let explanation = json_of(&ran)["explanation"].to_string();
    assert!(explanation.contains("$input.extra"), "{explanation}");
    let pretty = bind(TOOLS, "send_sms", &["--pretty"], arguments);
    assert!(
        pretty.out.starts_with("{\n  \"tool\": \"send_sms\",\n"),
        "{}",
        pretty.out
    );
    assert_eq!(json_of(&pretty), json_of(&ran));
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

#[test]
fn policies_and_finish_reasons_are_kept() {
    // Options, arguments, code of the first issue.
    let table: [(&[&str], &str, &str); 5] = [
        (
            &["--policy", "exact"],
            r#"{"City": "Oslo"}"#,
            "missing_required",
        ),
        (
            &["--policy", "exact"],
            r#"{"city": "Oslo", "city": "Rome"}"#,
            "duplicate_field",
        ),
        (
            &["--finish-reason", "length"],
            r#"{"city": "Oslo"}"#,
            "truncated",
        ),
        (&[], r#"{"city": "Oslo"#, "truncated"),
        (&[], "I do not know.", "invalid_json"),
    ];
    for (more, arguments, code) in table {
        let ran = bind(TOOLS, "weather", more, arguments);
        let answer = json_of(&ran);
        assert_eq!(ran.code, Some(1), "{arguments}");
        let codes: Vec<_> = answer["issues"]
            .as_array()
            .expect("a list")
            .iter()
            .collect();
        assert!(
            codes.iter().any(|issue| issue["code"] == code),
            "{arguments}: {answer}"
        );
    }
    let cut = bind(
        TOOLS,
        "weather",
        &["--policy", "lenient"],
        r#"{"city": "Oslo"#,
    );
    assert_eq!(
        (cut.code, &json_of(&cut)["complete"]),
        (Some(0), &json!(false))
    );
}

#[test]
fn bytes_cut_in_half_are_a_cut_call() {
    let tools = Scratch::new(TOOLS);
    let args = ["bind", "--tools", tools.path(), "--tool", "weather"];
    let ran = run(&args, b"{\"city\": \"Troms\xC3");
    let answer = json_of(&ran);
    assert_eq!(answer["issues"][0]["code"], "truncated");
    assert_eq!(answer["arguments"], json!({"city": "Troms"}));
}

#[test]
fn a_tool_that_is_none_has_neighbours() {
    let ran = bind(TOOLS, "send_sns", &[], "{}");
    assert_eq!((ran.code, ran.err.as_str()), (Some(1), ""));
    let answer = json_of(&ran);
    assert_eq!(
        (&answer["ok"], &answer["arguments"]),
        (&json!(false), &Value::Null)
    );
    let issue = &answer["issues"][0];
    assert_eq!(
        (&issue["code"], &issue["retryable"]),
        (&json!("unknown_tool"), &json!(false))
    );
    assert_eq!(issue["candidates"], json!(["send_sms"]));
    let explanation = answer["explanation"].as_str().expect("a text");
    assert!(explanation.contains("send_sms"), "{explanation}");
}

#[test]
fn tools_that_cannot_be_used_do_not_disturb_the_others() {
    let list = r#"[
        {"name": "bad", "parameters": {"type": "text"}},
        {"name": "good", "parameters": {"type": "object", "properties": {"n": {"type": "integer"}}}}
    ]"#;
    let ran = bind(list, "good", &[], r#"{"n": "1"}"#);
    assert_eq!(
        (ran.code, &json_of(&ran)["arguments"]),
        (Some(0), &json!({"n": 1}))
    );
    assert!(ran.err.contains("warning: bad, /type: "), "{}", ran.err);
    let ran = bind(list, "bad", &[], "{}");
    assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""));
    assert!(ran.err.contains("bad, /type: "), "{}", ran.err);
    assert!(
        ran.err.contains("the tool \"bad\" cannot be used"),
        "{}",
        ran.err
    );
}

#[test]
fn lists_that_cannot_be_used_are_errors() {
    for list in ["", "{", "3", r#"[{"description": "no name"}]"#] {
        let ran = bind(list, "any", &[], "{}");
        assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""), "{list}");
        assert!(!ran.err.is_empty(), "{list}");
    }
    let ran = bind("[3, {}]", "any", &[], "{}");
    let reasons: Vec<_> = ran.err.lines().collect();
    assert_eq!(reasons.len(), 2, "{}", ran.err);
    assert!(
        reasons[0].contains("/0: ") && reasons[1].contains("/1: "),
        "{}",
        ran.err
    );
    let ran = run(&["bind", "--tools", "-", "--tool", "any"], "[]");
    assert_eq!(ran.code, Some(2));
    assert!(
        ran.err
            .contains("cannot provide both the tools and the input"),
        "{}",
        ran.err
    );
    assert_eq!(run(&["bind", "--tool", "any"], "[]").code, Some(2));
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

#[test]
fn batch_reads_what_a_call_needs() {
    let file = Scratch::new(TOOLS);
    let schema = json!({"type": "object", "properties": {"phoneNumber": {"type": "string"}}});
    let list = json!([{"name": "call", "parameters": schema}]);
    // Options, members of the line, members of the answer.
    let table: [(&[&str], Value, Value); 9] = [
        (
            &["--tools", file.path()],
            json!({"tool": "weather", "input": {"city": "Oslo"}}),
            json!({"ok": true, "value": {"city": "Oslo"}}),
        ),
        (
            &["--tools", file.path()],
            json!({"schema": schema, "input": "{\"phone\": \"1\"}"}),
            json!({"ok": true, "value": {"phoneNumber": "1"}}),
        ),
        (
            &[],
            json!({"schema": schema, "tool": "call", "input": {"call": {"phone_number": "1"}}}),
            json!({"ok": true, "value": {"phoneNumber": "1"}}),
        ),
        (
            &[],
            json!({"schema": schema, "aliases": {"phoneNumber": ["tel"]}, "input": {"tel": "1"}}),
            json!({"ok": true, "value": {"phoneNumber": "1"}}),
        ),
        (
            &[],
            json!({"tools": list, "tool": "call", "input": {"phone": "1"}, "mode": "exact"}),
            json!({"ok": false, "value": {"phone": "1"}}),
        ),
        (
            &["--policy", "exact"],
            json!({"tools": list, "tool": "call", "input": {"phone": "1"}}),
            json!({"ok": false, "value": {"phone": "1"}}),
        ),
        (
            &[],
            json!({"tools": list, "tool": "call", "input": {"x": 1}, "unknown": "ignore"}),
            json!({"ok": true, "value": {}}),
        ),
        (
            &[],
            json!({"tools": list, "tool": "call", "input": {"x": 1}, "unknown": "keep"}),
            json!({"ok": true, "value": {"x": 1}}),
        ),
        (
            &["--finish-reason", "length"],
            json!({"tools": list, "tool": "call", "input": null}),
            json!({"ok": false, "value": {}, "complete": false}),
        ),
    ];
    for (more, mut line, wanted) in table {
        line["op"] = json!("bind");
        let found = answer(more, &line);
        for (name, value) in wanted.as_object().expect("an object") {
            assert_eq!(&found[name], value, "{name} of {line}: {found}");
        }
    }
}

#[test]
fn batch_says_what_a_call_lacks() {
    let list = json!([{"name": "call", "parameters": {"type": "object"}}]);
    let broken = json!([{"name": "call", "parameters": {"type": "text"}}]);
    // Line, error.
    let table = [
        (
            json!({"input": "{}"}),
            "missing tools: neither the line nor an option gives tools or a schema",
        ),
        (
            json!({"input": "{}", "tools": list}),
            "tool: missing, expected the name of a tool",
        ),
        (
            json!({"input": "{}", "tools": list, "tool": 1}),
            "tool: expected the name of a tool as a string",
        ),
        (
            json!({"input": "{}", "tools": 1, "tool": "call"}),
            "expected a tool object, found number",
        ),
        (
            json!({"input": "{}", "tools": broken, "tool": "call"}),
            "the tool \"call\" cannot be used: call, /type: ",
        ),
        (
            json!({"input": "{}", "tools": list, "tool": "call", "mode": "loose"}),
            "mode: \"loose\" is not one of exact, layered",
        ),
        (
            json!({"input": "{}", "tools": list, "tool": "call", "unknown": "hide"}),
            "unknown: \"hide\" is not one of reject, ignore, keep",
        ),
        (
            json!({"input": "{}", "schema": {"type": "text"}}),
            "there is no type \"text\"",
        ),
    ];
    for (mut line, error) in table {
        line["op"] = json!("bind");
        let found = answer(&[], &line);
        let said = found["error"].as_str().expect("an error");
        assert!(said.contains(error), "{line}: {said}");
        assert_eq!(found["line"], 1);
    }
}

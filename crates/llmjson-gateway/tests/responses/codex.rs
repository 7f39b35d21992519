//! Tools as Codex has them, structured text, and what is asked again.

use llmjson_gateway::chat::{Finished, Step};
use llmjson_gateway::{Outcome, Report, Treatment};
use serde_json::{Value, json};

use crate::given::*;
use crate::support::{reply_of, stream_of};

/// Tools as Codex has them: one in a namespace, and one that takes a text.
fn codex_tools() -> Value {
    let mut spawn = weather();
    spawn["name"] = "spawn".into();
    let exec = json!({"type": "custom", "name": "exec", "description": "Runs code.",
        "format": {"type": "grammar", "syntax": "lark", "definition": "start: /.+/"}});
    json!([weather(), {"type": "namespace", "name": "agents", "description": "", "tools": [spawn]},
        {"type": "namespace", "name": "functions", "description": "", "tools": [exec]}])
}

#[test]
fn tools_of_namespaces_and_custom_tools_are_functions_in_chat() {
    let chat = in_chat(
        json!({"tools": codex_tools(), "tool_choice": {"type": "allowed_tools", "mode": "required",
        "tools": [{"type": "function", "namespace": "agents", "name": "spawn"}]}}),
    );
    let names: Vec<&Value> = chat["tools"]
        .as_array()
        .expect("tools")
        .iter()
        .map(|tool| &tool["function"]["name"])
        .collect();
    assert_eq!(names, ["weather", "agents__spawn", "functions__exec"]);
    let exec = &chat["tools"][2]["function"];
    assert_eq!(exec["parameters"]["required"], json!(["input"]));
    assert!(
        exec["description"]
            .as_str()
            .expect("a text")
            .ends_with("(lark):\nstart: /.+/"),
        "{exec}"
    );
    let allowed = &chat["tool_choice"]["allowed_tools"];
    assert_eq!(allowed["tools"][0]["function"]["name"], "agents__spawn");
    // Tools among the input are tools too.
    let input = json!([{"type": "additional_tools", "role": "developer", "tools": codex_tools()}, {"role": "user", "content": "Go."}]);
    assert_eq!(in_chat(json!({"input": input}))["tools"], chat["tools"]);
    let (_, param) = refusal(json!({"tools": [weather(), weather()]}));
    assert_eq!(param, "tools[1].name");
}

#[test]
fn calls_of_codex_tools_come_back_as_theirs() {
    let asked = request(json!({"tools": codex_tools(), "stream": true}));
    let expected = json!([
        ["agents", "spawn", ARGUMENTS, null],
        ["functions", "exec", null, "let a = \"1\";\n"]
    ]);
    let chat = json!({"role": "assistant", "content": null, "tool_calls": [
        {"index": 0, "id": "call_1", "type": "function", "function": {"name": "agents__spawn", "arguments": "{city: 'Oslo', days: '3'}"}},
        {"index": 1, "id": "call_2", "type": "function",
            "function": {"name": "functions__exec", "arguments": "{\"input\": \"let a = \\\"1\\\";\\n\",}"}}]});
    let (body, _) = whole(true, &asked, &reply_of(chat.clone(), "tool_calls"));
    let response: Value = serde_json::from_slice(&body).expect("JSON");
    assert_eq!(json!(said(&response)), expected);
    assert_eq!(response["output"][1]["type"], "custom_tool_call");
    let (out, _) = streamed(true, &asked, &stream_of([chat], "tool_calls"));
    assert_eq!(json!(said(&accumulated(&out))), expected);

    // A server that has the dialect, but folds the namespace into the name.
    let spawn = call("agents.spawn", "{city: 'Oslo', days: '3'}");
    let exec = json!({"id": "ctc_1", "type": "custom_tool_call", "status": "completed", "call_id": "call_2",
        "namespace": "functions", "name": "exec", "input": "let a = \"1\";\n"});
    let (body, _) = whole(false, &asked, &native(&[spawn.clone(), exec.clone()]));
    let response: Value = serde_json::from_slice(&body).expect("JSON");
    assert_eq!(json!(said(&response)), expected, "{response}");
    let (out, _) = streamed(false, &asked, &native_stream(&[spawn, exec.clone()]));
    assert_eq!(json!(said(&accumulated(&out))), expected);

    let clean = native_stream(&[exec]);
    let (out, report) = streamed(false, &asked, &clean);
    assert!(
        out == clean && report == Report::default(),
        "{}",
        String::from_utf8_lossy(&out)
    );
    let text = "<tool_call>{\"name\": \"functions__exec\", \"arguments\": {\"input\": \"go()\"}}</tool_call>";
    let (out, _) = streamed(false, &asked, &native_stream(&[message(text)]));
    let last = said(&accumulated(&out)).pop();
    assert_eq!(last, Some(json!(["functions", "exec", null, "go()"])));
}

#[test]
fn structured_text_becomes_its_json() {
    let format =
        json!({"format": {"type": "json_schema", "name": "t", "schema": weather()["parameters"]}});
    let asked = request(json!({"text": format, "stream": true}));
    let damaged = [
        "```json\n{'city': 'Oslo', days: \"3\",}\n```",
        "Here: {\"city\": \"Oslo\", \"days\": \"3\"}",
    ];
    for text in damaged {
        let (body, report) = whole(false, &asked, &native(&[message(text)]));
        assert_eq!(report.outcome(), Outcome::Repaired);
        let response: Value = serde_json::from_slice(&body).expect("JSON");
        assert_eq!(said(&response), [ARGUMENTS]);
        let (out, _) = streamed(false, &asked, &native_stream(&[message(text)]));
        let streamed_text = said(&accumulated(&out));
        assert_eq!(streamed_text, [ARGUMENTS]);
        let chat = json!({"role": "assistant", "content": text});
        let (out, _) = streamed(true, &asked, &stream_of([chat], "stop"));
        assert_eq!(said(&accumulated(&out)), [ARGUMENTS]);
    }
    let clean = native_stream(&[message(ARGUMENTS)]);
    assert!(streamed(false, &asked, &clean).0 == clean);
}

#[test]
fn a_policy_in_a_tool_is_taken_out() {
    let mut tools = codex_tools();
    tools[0]["x-llmjson-policy"] = "exact".into();
    tools[1]["tools"][0]["x-llmjson-policy"] = "exact".into();
    let asked = request(json!({"tools": tools}));
    let exchange = begin(false, &asked, &Treatment::default().with_seed(1));
    let sent: Value = serde_json::from_slice(exchange.request()).expect("JSON");
    assert_eq!(sent["tools"], codex_tools());
    let (_, report) = whole(false, &asked, &native(&[call("Weather", ARGUMENTS)]));
    assert_eq!(report.outcome(), Outcome::Refused);
    let (_, report) = whole(
        true,
        &asked,
        &reply_of(
            json!({"tool_calls": [{"id": "c", "type": "function",
        "function": {"name": "agents__Spawn", "arguments": ARGUMENTS}}]}),
            "tool_calls",
        ),
    );
    assert_eq!(report.outcome(), Outcome::Refused);
}

/// The next request, and the reply that the client gets in the end.
fn asked_again(speaks_chat: bool, replies: [&[u8]; 2]) -> (Value, Vec<u8>, Report) {
    let mut exchange = begin(
        speaks_chat,
        &with_tools(),
        &Treatment::default().with_seed(1).with_retries(1),
    );
    let Step::Ask { body } = exchange.reply(replies[0]) else {
        panic!("does not ask again");
    };
    let Step::Answer {
        body: answer,
        report,
    } = exchange.reply(replies[1])
    else {
        panic!("asks again");
    };
    (serde_json::from_slice(&body).expect("JSON"), answer, report)
}

#[test]
fn the_upstream_is_asked_again_in_its_own_dialect() {
    let (wrong, right) = (r#"{"days":3}"#, ARGUMENTS);
    let items = |arguments: &str| [message("I look."), call("weather", arguments)];
    let (asked, answer, report) =
        asked_again(false, [&native(&items(wrong)), &native(&items(right))]);
    assert_eq!(report.retries(), 1);
    let input = asked["input"].as_array().expect("items");
    assert_eq!(input[0], json!({"role": "user", "content": "Oslo?"}));
    assert_eq!(input[1], json!({"role": "assistant", "content": "I look."}));
    let kinds: Vec<&Value> = input[2..].iter().map(|item| &item["type"]).collect();
    assert_eq!(kinds, ["function_call", "function_call_output"]);
    assert_eq!(
        (&input[2]["call_id"], &input[3]["call_id"]),
        (&json!("call_1"), &json!("call_1"))
    );
    let response: Value = serde_json::from_slice(&answer).expect("JSON");
    assert_eq!(
        response["usage"],
        json!({"input_tokens": 10, "output_tokens": 12, "total_tokens": 22})
    );

    let mut stream = begin(
        false,
        &with_tools(),
        &Treatment::default().with_seed(1).with_retries(1),
    )
    .stream();
    let mut out = Vec::new();
    stream.push(&native_stream(&items(wrong)), &mut out);
    let Finished::Ask(body) = stream.finish(true, &mut out) else {
        panic!("does not ask again");
    };
    assert_eq!(serde_json::from_slice::<Value>(&body).expect("JSON"), asked);
    stream.push(&native_stream(&items(right)), &mut out);
    assert!(matches!(stream.finish(true, &mut out), Finished::Done(_)));
    let response = accumulated(&out);
    assert_eq!(
        json!(said(&response)),
        json!(["I look.", [null, "weather", ARGUMENTS, null]])
    );
    assert_eq!(response["usage"]["output_tokens"], 12);

    let chat = |arguments: &str| {
        json!({"role": "assistant", "content": "I look.", "tool_calls": [{"index": 0, "id": "call_1",
        "type": "function", "function": {"name": "weather", "arguments": arguments}}]})
    };
    let (asked, answer, _) = asked_again(
        true,
        [
            &reply_of(chat(wrong), "tool_calls"),
            &reply_of(chat(right), "tool_calls"),
        ],
    );
    assert_eq!(asked["messages"].as_array().expect("messages").len(), 3);
    let response: Value = serde_json::from_slice(&answer).expect("JSON");
    assert_eq!(response["usage"]["output_tokens"], 10);
    let mut stream = begin(
        true,
        &with_tools(),
        &Treatment::default().with_seed(1).with_retries(1),
    )
    .stream();
    let mut out = Vec::new();
    stream.push(&stream_of([chat(wrong)], "tool_calls"), &mut out);
    let Finished::Ask(_) = stream.finish(true, &mut out) else {
        panic!("does not ask again");
    };
    stream.push(&stream_of([chat(right)], "tool_calls"), &mut out);
    assert!(matches!(stream.finish(true, &mut out), Finished::Done(_)));
    assert_eq!(
        json!(said(&accumulated(&out))),
        json!(["I look.", [null, "weather", ARGUMENTS, null]])
    );
}

//! Responses: requests said in chat, replies and streams of both kinds of upstreams, as a client puts them together.

mod support;

use llmjson_gateway::chat::{Finished, Step};
use llmjson_gateway::dialect::{Dialect, Exchange};
use llmjson_gateway::{Cache, Outcome, Report, Treatment};
use llmjson_wire::sse::FrameDecoder;
use serde_json::{Value, json};
use support::{reply_of, stream_of};

/// A tool as the client has it, of the name and with the parameters `city` and `days`.
fn weather() -> Value {
    json!({"type": "function", "name": "weather", "parameters": {"type": "object", "properties": {
        "city": {"type": "string"}, "days": {"type": "integer"}}, "required": ["city"]}})
}

fn request(more: Value) -> Vec<u8> {
    let mut request = json!({"model": "small", "input": "Oslo?"});
    let members = more.as_object().expect("members").clone();
    request.as_object_mut().expect("an object").extend(members);
    request.to_string().into_bytes()
}

fn begin(speaks_chat: bool, request: &[u8], treatment: &Treatment) -> Exchange {
    let cache = Cache::new(8);
    match Exchange::begin(Dialect::Responses, speaks_chat, request, treatment, &cache) {
        Ok(exchange) => exchange,
        Err(refused) => panic!("{}", String::from_utf8_lossy(&refused.body)),
    }
}

/// The request in chat.
fn in_chat(more: Value) -> Value {
    let exchange = begin(true, &request(more), &Treatment::default());
    serde_json::from_slice(exchange.request()).expect("JSON")
}

/// The message with which a request is refused, and the member.
fn refusal(more: Value) -> (String, String) {
    let cache = Cache::new(8);
    let begun = Exchange::begin(
        Dialect::Responses,
        true,
        &request(more),
        &Treatment::default(),
        &cache,
    );
    let refused = begun.expect_err("a request that chat cannot say");
    assert_eq!(refused.status, 400);
    let body: Value = serde_json::from_slice(&refused.body).expect("JSON");
    let text = |name: &str| body["error"][name].as_str().expect(name).to_owned();
    (text("message"), text("param"))
}

fn whole(speaks_chat: bool, request: &[u8], reply: &[u8]) -> (Vec<u8>, Report) {
    let mut exchange = begin(speaks_chat, request, &Treatment::default());
    match exchange.reply(reply) {
        Step::Answer { body, report } => (body, report),
        Step::Ask { .. } => panic!("asks again"),
    }
}

fn streamed(speaks_chat: bool, request: &[u8], reply: &[u8]) -> (Vec<u8>, Report) {
    let of_length = |length: usize| {
        let mut stream = begin(speaks_chat, request, &Treatment::default()).stream();
        let mut out = Vec::new();
        for piece in reply.chunks(length) {
            stream.push(piece, &mut out);
        }
        match stream.finish(true, &mut out) {
            Finished::Done(report) => (out, report),
            Finished::Ask(_) => panic!("asks again"),
        }
    };
    let first = of_length(1);
    for length in [7, 100, 1_000_000] {
        let other = of_length(length);
        assert!(
            first.0 == other.0 && first.1 == other.1,
            "pieces of {length}"
        );
    }
    first
}

/// The events of a stream.
fn events(stream: &[u8]) -> Vec<Value> {
    let mut decoder = FrameDecoder::new();
    decoder.push(stream);
    decoder.finish();
    let mut events = Vec::new();
    while let Some(frame) = decoder.next_frame() {
        let frame = frame.expect("a frame");
        let event: Value = serde_json::from_slice(frame.data).expect("events are JSON");
        assert_eq!(
            frame.event,
            event["type"].as_str().map(str::as_bytes),
            "{event}"
        );
        events.push(event);
    }
    events
}

/// The response that a client makes of the events, which keep their order: numbers follow one another, each text is
/// what its pieces say, and the last event has the items as they came.
fn accumulated(stream: &[u8]) -> Value {
    let (mut items, mut texts): (Vec<Value>, Vec<String>) = (Vec::new(), Vec::new());
    let mut done = Vec::new();
    for (at, event) in events(stream).into_iter().enumerate() {
        assert_eq!(event["sequence_number"], at, "{event}");
        let kind = event["type"].as_str().expect("a type");
        let place = event["output_index"].as_u64().unwrap_or_default() as usize;
        match kind {
            "response.output_item.added" => {
                assert_eq!(place, items.len(), "items come in their order: {event}");
                items.push(event["item"].clone());
                texts.push(String::new());
                done.push(false);
            }
            "response.output_item.done" => {
                assert!(
                    !std::mem::replace(&mut done[place], true),
                    "an item ends once: {event}"
                );
                let item = &event["item"];
                assert_eq!(item["id"], items[place]["id"]);
                let text = ["arguments", "input"]
                    .into_iter()
                    .find_map(|name| item[name].as_str());
                let text = text.or(item["content"][0]["text"].as_str());
                let text = text.or(item["content"][0]["refusal"].as_str());
                assert_eq!(text.unwrap_or_default(), texts[place], "{event}");
                items[place] = item.clone();
            }
            "response.completed" | "response.incomplete" => {
                assert!(done.iter().all(|done| *done), "{done:?} {items:#?}");
                assert_eq!(event["response"]["output"], json!(items));
                return event["response"].clone();
            }
            _ if kind.ends_with(".delta") => {
                assert!(!done[place], "{event}");
                assert_eq!(event["item_id"], items[place]["id"]);
                texts[place].push_str(event["delta"].as_str().expect("a piece"));
            }
            _ if kind.ends_with(".done") => {
                assert_eq!(event["item_id"], items[place]["id"]);
                let names = ["text", "arguments", "input", "refusal"];
                let text = names.into_iter().find_map(|name| event[name].as_str());
                let text = text
                    .or(event["part"]["text"].as_str())
                    .or(event["part"]["refusal"].as_str());
                assert_eq!(text, Some(&*texts[place]), "{event}");
            }
            _ => {}
        }
    }
    panic!("no end: {}", String::from_utf8_lossy(stream));
}

/// What a reply says, however it came: messages and calls.
fn said(response: &Value) -> Vec<Value> {
    let items = response["output"].as_array().expect("items");
    let said =
        items
            .iter()
            .filter(|item| item["type"] != "reasoning")
            .map(|item| match &item["type"] {
                kind if kind == "message" => item["content"][0]["text"].clone(),
                _ => json!([
                    item["namespace"],
                    item["name"],
                    item["arguments"],
                    item["input"]
                ]),
            });
    said.collect()
}

/// A native reply with items.
fn native(items: &[Value]) -> Vec<u8> {
    json!({"id": "resp_1", "object": "response", "created_at": 1, "status": "completed", "model": "small",
        "output": items, "usage": {"input_tokens": 5, "output_tokens": 6, "total_tokens": 11}})
    .to_string()
    .into_bytes()
}

fn message(text: &str) -> Value {
    json!({"id": "msg_1", "type": "message", "status": "completed", "role": "assistant",
        "content": [{"type": "output_text", "text": text, "annotations": []}]})
}

fn call(name: &str, arguments: &str) -> Value {
    json!({"id": "fc_1", "type": "function_call", "status": "completed", "call_id": "call_1", "name": name,
        "arguments": arguments})
}

/// The stream of a native reply with items, in pieces of some bytes.
fn native_stream(items: &[Value]) -> Vec<u8> {
    let mut out = String::new();
    let mut sequence = 0;
    let mut event = |kind: &str, more: Value| {
        let mut event = json!({"type": kind, "sequence_number": sequence});
        sequence += 1;
        event
            .as_object_mut()
            .expect("an object")
            .extend(more.as_object().expect("members").clone());
        out.push_str(&format!("event: {kind}\ndata: {event}\n\n"));
    };
    let response: Value = serde_json::from_slice(&native(&[])).expect("JSON");
    let mut begun = response.clone();
    begun["status"] = "in_progress".into();
    event("response.created", json!({"response": begun}));
    event("response.in_progress", json!({"response": begun}));
    for (place, item) in items.iter().enumerate() {
        let place = json!({"output_index": place, "item_id": item["id"]});
        let with = |more: Value| {
            let mut all = place.clone();
            all.as_object_mut()
                .expect("an object")
                .extend(more.as_object().expect("members").clone());
            all
        };
        let kind = item["type"].as_str().expect("a type");
        let (name, text) = match kind {
            "message" => ("output_text", item["content"][0]["text"].as_str()),
            "function_call" => ("function_call_arguments", item["arguments"].as_str()),
            "custom_tool_call" => ("custom_tool_call_input", item["input"].as_str()),
            _ => ("reasoning_text", item["content"][0]["text"].as_str()),
        };
        let mut empty = item.clone();
        for name in ["arguments", "input"] {
            if let Some(text) = empty.get_mut(name) {
                *text = "".into();
            }
        }
        if let Some(content) = empty.get_mut("content") {
            *content = json!([]);
        }
        event(
            "response.output_item.added",
            json!({"output_index": place["output_index"], "item": empty}),
        );
        let is_part = !kind.ends_with("call");
        let mut part = item["content"][0].clone();
        part["text"] = "".into();
        if is_part {
            event(
                "response.content_part.added",
                with(json!({"content_index": 0, "part": part})),
            );
        }
        for piece in support::pieces(text.expect("a text"), 7) {
            let index = if is_part {
                json!({"content_index": 0, "delta": piece})
            } else {
                json!({"delta": piece})
            };
            event(&format!("response.{name}.delta"), with(index));
        }
        let member = match kind {
            "function_call" => "arguments",
            "custom_tool_call" => "input",
            _ => "text",
        };
        event(
            &format!("response.{name}.done"),
            with(json!({"content_index": 0, member: text})),
        );
        if is_part {
            event(
                "response.content_part.done",
                with(json!({"content_index": 0, "part": item["content"][0]})),
            );
        }
        event(
            "response.output_item.done",
            json!({"output_index": place["output_index"], "item": item}),
        );
    }
    let ended: Value = serde_json::from_slice(&native(items)).expect("JSON");
    event("response.completed", json!({"response": ended}));
    out.into_bytes()
}

const TEXT_CALL: &str = "Let me see.\n<tool_call>\n{\"name\": \"weather\", \"arguments\": {city: 'Oslo', \"days\": \"3\"}}\n</tool_call>";
const ARGUMENTS: &str = r#"{"city":"Oslo","days":3}"#;

fn with_tools() -> Vec<u8> {
    request(json!({"tools": [weather()], "stream": true}))
}

#[test]
fn a_native_reply_that_needs_nothing_is_the_same() {
    let thought = json!({"id": "rs_1", "type": "reasoning", "summary": [], "content": [{"type": "reasoning_text", "text": "Hm, Oslo."}]});
    let replies = [
        vec![message("It is sunny, 3 < 4.")],
        vec![call("weather", ARGUMENTS)],
        vec![thought, message("See: [1]."), call("weather", ARGUMENTS)],
        vec![
            json!({"id": "ws_1", "type": "web_search_call", "status": "completed", "content": [{"type": "x", "text": ""}]}),
            message("Done."),
        ],
        vec![],
    ];
    for items in replies {
        let reply = native(&items);
        let (body, report) = whole(false, &with_tools(), &reply);
        assert!(
            body == reply && report == Report::default(),
            "{}",
            String::from_utf8_lossy(&body)
        );
        let reply = native_stream(&items);
        let (out, report) = streamed(false, &with_tools(), &reply);
        assert!(
            out == reply && report == Report::default(),
            "{}",
            String::from_utf8_lossy(&out)
        );
    }
}

#[test]
fn calls_and_arguments_of_a_native_reply_are_corrected() {
    let thought = json!({"id": "rs_1", "type": "reasoning", "summary": [], "content": [{"type": "reasoning_text", "text": "Hm."}]});
    let rows = [
        (
            vec![call("weather", "{city: 'Oslo', \"days\": \"3\",}")],
            json!([[null, "weather", ARGUMENTS, null]]),
        ),
        (
            vec![call("Weather", ARGUMENTS)],
            json!([[null, "weather", ARGUMENTS, null]]),
        ),
        (
            vec![thought.clone(), message(TEXT_CALL)],
            json!(["Let me see.\n", [null, "weather", ARGUMENTS, null]]),
        ),
        (
            vec![
                message("Two calls."),
                call("weather", "{'city': 'Oslo', days: 3,}"),
                call("weather", ARGUMENTS),
            ],
            json!([
                "Two calls.",
                [null, "weather", ARGUMENTS, null],
                [null, "weather", ARGUMENTS, null]
            ]),
        ),
    ];
    for (mut items, expected) in rows {
        for (at, item) in items.iter_mut().enumerate() {
            item["id"] = format!("{}{at}", item["id"].as_str().unwrap_or_default()).into();
        }
        let (body, report) = whole(false, &with_tools(), &native(&items));
        assert_ne!(report.outcome(), Outcome::Unchanged);
        let response: Value = serde_json::from_slice(&body).expect("JSON");
        assert_eq!(
            json!(said(&response)),
            expected,
            "{}",
            String::from_utf8_lossy(&body)
        );
        let (out, report) = streamed(false, &with_tools(), &native_stream(&items));
        assert_ne!(report.outcome(), Outcome::Unchanged);
        let response = accumulated(&out);
        assert_eq!(
            json!(said(&response)),
            expected,
            "{}",
            String::from_utf8_lossy(&out)
        );
    }
}

#[test]
fn a_reply_of_chat_becomes_a_response() {
    let rows = [
        (
            json!({"role": "assistant", "content": "Hello."}),
            "stop",
            json!(["Hello."]),
        ),
        (
            json!({"role": "assistant", "reasoning_content": "Hm.", "content": TEXT_CALL}),
            "stop",
            json!(["Let me see.\n", [null, "weather", ARGUMENTS, null]]),
        ),
        (
            json!({"role": "assistant", "content": null, "tool_calls": [{"index": 0, "id": "call_1", "type": "function",
                "function": {"name": "weather", "arguments": "{city: 'Oslo', \"days\": \"3\",}"}}]}),
            "tool_calls",
            json!([[null, "weather", ARGUMENTS, null]]),
        ),
    ];
    for (message, finish, expected) in rows {
        let (body, _) = whole(true, &with_tools(), &reply_of(message.clone(), finish));
        let response: Value = serde_json::from_slice(&body).expect("JSON");
        assert_eq!(json!(said(&response)), expected, "{response}");
        assert_eq!(response["status"], "completed");
        assert_eq!(response["usage"]["input_tokens"], 10);
        assert_eq!(response["tools"], json!([weather()]));
        let (out, _) = streamed(true, &with_tools(), &stream_of([message], finish));
        assert_eq!(
            json!(said(&accumulated(&out))),
            expected,
            "{}",
            String::from_utf8_lossy(&out)
        );
    }
}

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
    // Those among the input are tools too.
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
    let exchange = begin(false, &asked, &Treatment::default());
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
        &Treatment::default().with_retries(1),
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

    let mut stream = begin(false, &with_tools(), &Treatment::default().with_retries(1)).stream();
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
    let mut stream = begin(true, &with_tools(), &Treatment::default().with_retries(1)).stream();
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

#[test]
fn a_reply_that_a_limit_cut_is_incomplete() {
    for (finish, reason) in [
        ("length", "max_output_tokens"),
        ("content_filter", "content_filter"),
    ] {
        let message = json!({"role": "assistant", "content": "Hel"});
        let (body, _) = whole(true, &with_tools(), &reply_of(message.clone(), finish));
        let response: Value = serde_json::from_slice(&body).expect("JSON");
        assert_eq!(response["status"], "incomplete");
        assert_eq!(response["incomplete_details"]["reason"], reason);
        let (out, _) = streamed(true, &with_tools(), &stream_of([message], finish));
        let response = accumulated(&out);
        assert_eq!(response["incomplete_details"]["reason"], reason);
        assert_eq!(response["output"][0]["status"], "incomplete");
    }
}

#[test]
fn a_stream_that_breaks_off_ends_with_an_error_event() {
    let chat = stream_of([json!({"content": "Hel"})], "stop");
    let rows = [
        (true, chat),
        (false, native_stream(&[message("Hello there.")])),
    ];
    for (speaks_chat, reply) in rows {
        let mut stream = begin(speaks_chat, &with_tools(), &Treatment::default()).stream();
        let mut out = Vec::new();
        stream.push(&reply[..reply.len() / 2], &mut out);
        let Finished::Done(report) = stream.finish(false, &mut out) else {
            panic!("asks again");
        };
        assert_eq!(report.outcome(), Outcome::Failed);
        let events = events(&out);
        let last = events.last().expect("an event");
        assert_eq!(
            (&last["type"], &last["code"]),
            (&json!("error"), &json!("stream_cut"))
        );
        assert!(
            events
                .iter()
                .all(|event| event["type"] != "response.completed")
        );
    }
}

#[test]
fn input_becomes_messages() {
    let input = json!([
        {"type": "message", "role": "developer", "content": [{"type": "input_text", "text": "Be short."}]},
        {"role": "user", "content": "Oslo?"},
        {"type": "reasoning", "id": "rs_1", "summary": [{"type": "summary_text", "text": "Look."}], "encrypted_content": "x"},
        {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "I look."}]},
        {"type": "function_call", "call_id": "c1", "name": "weather", "arguments": "{\"city\":\"Oslo\"}"},
        {"type": "custom_tool_call", "call_id": "c2", "namespace": "functions", "name": "exec", "input": "a\n\"b\""},
        {"type": "function_call_output", "call_id": "c1", "output": "3"},
        {"type": "custom_tool_call_output", "call_id": "c2", "output": [{"type": "input_text", "text": "4"}]},
        {"role": "user", "content": [
            {"type": "input_text", "text": "And this?"},
            {"type": "input_image", "image_url": "data:image/png;base64,AA==", "detail": "low"}]}
    ]);
    let chat = in_chat(json!({"instructions": "You are kind.", "input": input}));
    assert_eq!(
        chat["messages"],
        json!([
            {"role": "system", "content": "You are kind.\n\nBe short."},
            {"role": "user", "content": "Oslo?"},
            {"role": "assistant", "reasoning_content": "Look.", "content": "I look.", "tool_calls": [
                {"id": "c1", "type": "function", "function": {"name": "weather", "arguments": "{\"city\":\"Oslo\"}"}},
                {"id": "c2", "type": "function", "function": {"name": "functions__exec", "arguments": "{\"input\":\"a\\n\\\"b\\\"\"}"}}]},
            {"role": "tool", "tool_call_id": "c1", "content": "3"},
            {"role": "tool", "tool_call_id": "c2", "content": "4"},
            {"role": "user", "content": [
                {"type": "text", "text": "And this?"},
                {"type": "image_url", "image_url": {"url": "data:image/png;base64,AA==", "detail": "low"}}]}
        ])
    );
    assert_eq!(
        in_chat(json!({}))["messages"],
        json!([{"role": "user", "content": "Oslo?"}])
    );
}

#[test]
fn members_are_said_in_chat() {
    let chat = in_chat(json!({
        "max_output_tokens": 9, "reasoning": {"effort": "low", "summary": "auto"}, "parallel_tool_calls": false,
        "store": false, "include": ["reasoning.encrypted_content"], "metadata": {"a": "b"}, "stream": true,
        "tools": [weather()], "tool_choice": {"type": "function", "name": "weather"},
        "text": {"verbosity": "low", "format": {"type": "json_schema", "name": "t", "strict": true, "schema": {"type": "object"}}}
    }));
    let mut tool = weather();
    let members = tool.as_object_mut().expect("an object");
    members.remove("type");
    let expected = json!({
        "model": "small", "messages": [{"role": "user", "content": "Oslo?"}], "max_tokens": 9, "reasoning_effort": "low",
        "parallel_tool_calls": false, "stream": true, "stream_options": {"include_usage": true},
        "tools": [{"type": "function", "function": tool}],
        "tool_choice": {"type": "function", "function": {"name": "weather"}}, "verbosity": "low",
        "response_format": {"type": "json_schema", "json_schema": {"name": "t", "strict": true, "schema": {"type": "object"}}}
    });
    assert_eq!(chat, expected);
}

#[test]
fn what_chat_cannot_say_is_refused_by_name() {
    let rows = [
        (
            json!({"previous_response_id": "resp_1"}),
            "previous_response_id",
        ),
        (json!({"conversation": "conv_1"}), "conversation"),
        (json!({"background": true}), "background"),
        (json!({"store": true}), "store"),
        (json!({"prompt": {"id": "p"}}), "prompt"),
        (
            json!({"include": ["message.output_text.logprobs"]}),
            "include[0]",
        ),
        (
            json!({"tools": [weather(), {"type": "web_search"}]}),
            "tools[1].type \"web_search\"",
        ),
        (
            json!({"tool_choice": {"type": "file_search"}}),
            "tool_choice.type \"file_search\"",
        ),
        (
            json!({"input": [{"type": "item_reference", "id": "x"}]}),
            "input[0].type \"item_reference\"",
        ),
        (
            json!({"input": [{"role": "user", "content": [{"type": "input_image", "file_id": "f"}]}]}),
            "input[0].content[0]",
        ),
        (
            json!({"input": [{"type": "function_call_output", "call_id": "c", "output": [{"type": "input_image", "image_url": "x"}]}]}),
            "input[0].output",
        ),
        (
            json!({"text": {"format": {"type": "grammar"}}}),
            "text.format.type \"grammar\"",
        ),
        (json!({"seed": 3}), "seed"),
    ];
    for (more, param) in rows {
        let (message, of) = refusal(more);
        assert_eq!(of, param, "{message}");
        assert!(message.contains("expected"), "{message}");
    }
}

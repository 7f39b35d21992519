//! The calls and the ends of streams.

use llmjson_gateway::chat::Finished;
use llmjson_gateway::{Outcome, Treatment};
use serde_json::{Value, json};

use crate::support::{self, accumulated, begin, calls_of, content_of, pieces, stream_of};
use crate::{request, step, weather};

#[test]
fn entries_of_calls_are_read_one_by_one() {
    let entry = |index: Option<u32>, id: Option<&str>, name: &str, arguments: Value| {
        let mut entry = json!({"type": "function", "function": {"arguments": arguments}});
        if !name.is_empty() {
            entry["function"]["name"] = name.into();
        }
        if let Some(index) = index {
            entry["index"] = index.into();
        }
        if let Some(id) = id {
            entry["id"] = id.into();
        }
        entry
    };
    let oslo = ("get_weather", json!({"city": "Oslo", "days": 3}));
    let bergen = ("get_weather", json!({"city": "Bergen"}));
    let (first, second) = ("{\"city\": \"Oslo\", ", "\"days\": \"3\"}");
    let both = "{\"city\": \"Oslo\", \"days\": 3}";
    let other = "{\"city\": \"Bergen\"}";
    let (zero, weather_tool) = (Some(0), "get_weather");
    let table = [
        // An object, and not a string.
        (
            vec![vec![entry(zero, Some("a"), weather_tool, oslo.1.clone())]],
            1,
        ),
        // Two pieces of one call in one event.
        (
            vec![vec![
                entry(zero, Some("a"), weather_tool, json!(first)),
                entry(zero, None, "", json!(second)),
            ]],
            1,
        ),
        // Two calls of one index: with ids, with empty ones, and without.
        (
            vec![
                vec![entry(zero, Some("a"), weather_tool, json!(both))],
                vec![entry(zero, Some("b"), weather_tool, json!(other))],
            ],
            2,
        ),
        (
            vec![
                vec![entry(zero, Some(""), weather_tool, json!(both))],
                vec![entry(zero, Some(""), weather_tool, json!(other))],
            ],
            2,
        ),
        (
            vec![vec![
                entry(None, Some("a"), weather_tool, json!(both)),
                entry(None, Some("b"), weather_tool, json!(other)),
            ]],
            2,
        ),
        // A name in pieces, and one that comes each time with another id.
        (
            vec![
                vec![entry(zero, Some("a"), "get_", json!(""))],
                vec![entry(zero, None, "weather", json!(""))],
                vec![entry(zero, None, "", json!(both))],
            ],
            1,
        ),
        (
            vec![
                vec![entry(zero, Some("a"), weather_tool, json!(first))],
                vec![entry(zero, Some("b"), weather_tool, json!(second))],
            ],
            1,
        ),
    ];
    for (events, number) in table {
        let deltas = events.iter().map(|calls| json!({ "tool_calls": calls }));
        let reply = stream_of(deltas, "tool_calls");
        let (out, _) = support::streamed(&request(weather()), &Treatment::default(), &reply, 50);
        // A client goes by the index alone.
        let mut calls: Vec<(String, String)> = Vec::new();
        for event in String::from_utf8_lossy(&out).lines() {
            let event = event.strip_prefix("data: ").unwrap_or_default();
            let event: Value = serde_json::from_str(event).unwrap_or_default();
            let entries = &event["choices"][0]["delta"]["tool_calls"];
            for entry in entries.as_array().into_iter().flatten() {
                let index = entry["index"].as_u64().expect("an index") as usize;
                calls.resize(calls.len().max(index + 1), Default::default());
                let function = &entry["function"];
                calls[index].0 += function["name"].as_str().unwrap_or_default();
                calls[index].1 += function["arguments"].as_str().expect("a string");
            }
        }
        let expected = [&oslo, &bergen];
        let shown = String::from_utf8_lossy(&out);
        assert_eq!(calls.len(), number, "{shown}");
        for ((name, arguments), (expected, value)) in calls.iter().zip(expected) {
            let arguments: Value = serde_json::from_str(arguments).expect(&shown);
            assert_eq!((&**name, &arguments), (*expected, value), "{shown}");
        }
    }
}

#[test]
fn text_in_quotations_does_not_wait_for_calls() {
    let code = "def f(x):\n    y = {\"a\": [1, 2], 'b': {3}}\n    return y[x] if x < 2 else [z for z in y]\n";
    for (open, close) in [
        ("So:\n```python\n[0]\n", "```\n"),
        ("<think>\n", "</think>\n"),
    ] {
        let mut stream = begin(&request(weather()), &Treatment::default()).stream();
        step(&mut stream, json!({ "content": open }));
        for piece in pieces(&code.repeat(3), 5) {
            let out = step(&mut stream, json!({ "content": piece }));
            assert!(!out.is_empty(), "{piece:?} waits after {open:?}");
        }
        // A call behind them is one.
        let call = "<tool_call>{\"name\": \"get_weather\", \"arguments\": {\"city\": \"Oslo\"}}</tool_call>";
        let mut out = Vec::new();
        let deltas = [json!({"content": close}), json!({"content": call})];
        stream.push(&stream_of(deltas, "stop"), &mut out);
        assert_eq!(calls_of(&accumulated(&out)).len(), 1, "{open:?}");
    }
}

#[test]
fn a_stream_ends_as_json_or_with_an_error() {
    let call = |arguments: &str| {
        json!({"tool_calls": [{"index": 0, "id": "c", "type": "function",
            "function": {"name": "get_weather", "arguments": arguments}}]})
    };
    let schema = json!({"type": "object", "properties": {"city": {"type": "string"}}});
    let format = json!({"response_format":
        {"type": "json_schema", "json_schema": {"name": "x", "schema": schema}}});
    let content = |text: &str| json!({ "content": text });
    for (asked, delta, code) in [
        (
            weather(),
            call("{\"city\":\"Oslo\",\"days\":1"),
            "open_json",
        ),
        (format.clone(), content("{\"city\":\"Os"), "open_json"),
        (
            format,
            content("{\"city\":\"Oslo\"}\n\nSorry, the right one is:\n{\"city\":\"Bergen\"}"),
            "superseded",
        ),
    ] {
        // The last reply is complete.
        let finish = if code == "superseded" {
            "stop"
        } else {
            "length"
        };
        let reply = stream_of([delta], finish);
        let (out, report) = support::streamed(&request(asked), &Treatment::default(), &reply, 60);
        let out = String::from_utf8(out).expect("UTF-8");
        let (_, end) = out.rsplit_once("data: ").expect("an event");
        assert!(
            end.starts_with("{\"error\":") && end.contains(code),
            "{out}"
        );
        assert!(report.reasons().any(|(reason, _)| reason == code), "{out}");
    }
}

#[test]
fn a_call_of_the_server_is_not_made_twice_and_others_come_behind() {
    let tool = |name: &str| {
        json!({"type": "function", "function": {"name": name, "parameters":
            {"type": "object", "properties": {"n": {"type": "integer"}}}}})
    };
    let request = request(json!({"tools": [tool("one"), tool("two")]}));
    let call = |index: usize, name: &str, arguments: &str| {
        json!({"tool_calls": [{"index": index, "id": format!("c{index}"), "type": "function",
            "function": {"name": name, "arguments": arguments}}]})
    };
    let text = "<tool_call>{\"name\": \"one\", \"arguments\": {\"n\": 1}}</tool_call>";
    let deltas = [
        json!({ "content": text }),
        call(0, "one", "{\"n\": 1}"),
        call(1, "two", "{n: \"2\""),
    ];
    let reply = stream_of(deltas, "stop");
    let (out, report) = support::streamed(&request, &Treatment::default(), &reply, 9);
    let reply = accumulated(&out);
    let calls = calls_of(&reply);
    let expected = [("one", "{\"n\": 1}"), ("two", "{\"n\":2}")];
    let expected = expected.map(|(name, arguments)| (name.to_owned(), arguments.to_owned()));
    assert_eq!(calls, expected, "{}", String::from_utf8_lossy(&out));
    assert_eq!(content_of(&reply), text, "it stays text");
    assert_eq!(report.outcome(), Outcome::Repaired);
}

#[test]
fn calls_in_texts_are_announced_in_the_order_in_which_they_begin() {
    let tool = |name: &str| json!({"type": "function", "function": {"name": name, "parameters": {"type": "object"}}});
    let request = request(json!({"tools": [tool("get_weather"), tool("book")]}));
    let text = "<function_calls>get_weather(city='San Francisco', metric='celsius')\n\
        book(name='John Doe', age=37, address={'city': 'San Francisco'}, names=['John', 'Johnny'])</function_calls>";
    for length in 1..text.len() {
        let mut stream = begin(&request, &Treatment::default()).stream();
        let deltas = pieces(text, length)
            .into_iter()
            .map(|piece| json!({"content": piece}));
        let mut out = Vec::new();
        stream.push(&stream_of(deltas, "stop"), &mut out);
        let Finished::Done(report) = stream.finish(true, &mut out) else {
            panic!("{length}");
        };
        let calls = calls_of(&accumulated(&out));
        let names: Vec<&str> = calls.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["get_weather", "book"], "{length}");
        assert_eq!(report.outcome(), Outcome::Extracted, "{length}");
    }
}

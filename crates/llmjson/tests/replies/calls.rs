//! Arguments of tool calls while they come.

use llmjson::{Policy, Schema, arguments, stream::Deltas};
use llmjson_wire::Accumulator;
use serde_json::json;

fn schema_of(name: &str) -> Option<Schema> {
    let schema = json!({
        "type": "object",
        "properties": {"city": {"type": "string"}, "days": {"type": "integer"}},
        "required": ["city"]
    });
    (name == "trip").then(|| Schema::compile(&schema).unwrap())
}

fn push(reply: &mut Accumulator, calls: &serde_json::Value) {
    let chunk = json!({"choices": [{"index": 0, "delta": {"tool_calls": calls}}]});
    reply.push_text(&chunk.to_string()).unwrap();
}

#[test]
fn each_call_grows_on_its_own_and_ends_as_if_it_had_come_at_once() {
    let texts = [
        r#"{"city": "Oslo", "days": "3"}"#,
        r#"{"x": [1, 2, {"y": "zoë"}]}"#,
        "",
    ];
    for size in 1..9 {
        let mut reply = Accumulator::new();
        let mut calls = Deltas::new(schema_of);
        push(
            &mut reply,
            &json!([
                {"index": 0, "id": "a", "function": {"name": "trip", "arguments": ""}},
                {"index": 1, "id": "b", "function": {"name": "other"}},
                {"index": 2, "id": "c", "function": {"name": "third", "arguments": ""}},
            ]),
        );
        calls.update(reply.tool_calls());
        let mut shown = Vec::new();
        let characters = texts.map(|text| text.chars().collect::<Vec<_>>());
        let rounds = characters
            .iter()
            .map(Vec::len)
            .max()
            .unwrap()
            .div_ceil(size);
        for round in 0..rounds {
            for (index, text) in characters.iter().enumerate() {
                let piece: String = text.iter().skip(round * size).take(size).collect();
                push(
                    &mut reply,
                    &json!([{"index": index, "function": {"arguments": piece}}]),
                );
            }
            calls.update(reply.tool_calls());
            // Nothing new is nothing new.
            calls.update(reply.tool_calls());
            let value = calls.get(0).unwrap().value();
            shown.push(value.map_or_else(String::new, |value| value.to_json()));
        }
        if size == 1 {
            assert!(shown.contains(&r#"{"city":"Os"}"#.to_owned()), "{shown:?}");
        }
        assert!(calls.get_mut(1).unwrap().events().len() > 2);
        let finished = calls.finish(Some("tool_calls"));
        for ((call, text), name) in finished.iter().zip(texts).zip(["trip", "other", "third"]) {
            let whole = arguments(text, schema_of(name).as_ref());
            assert_eq!(call.name, name);
            assert_eq!(call.parsed.to_json(), whole.to_json());
            assert!(call.parsed.conforms() && call.parsed.is_complete());
        }
        assert_eq!(
            finished[0].parsed.to_json().unwrap(),
            r#"{"city":"Oslo","days":3}"#
        );
        assert_eq!(finished[2].parsed.to_json().unwrap(), "{}");
    }
}

#[test]
fn a_reply_that_was_cut_off_cuts_its_last_call() {
    let mut reply = Accumulator::new();
    push(
        &mut reply,
        &json!([
            {"index": 0, "id": "a", "function": {"name": "trip", "arguments": "{\"city\": \"Oslo\"}"}},
            {"index": 1, "id": "b", "function": {"name": "trip", "arguments": "{\"city\": \"Ber"}},
        ]),
    );
    let mut calls = Deltas::new(schema_of).with_policy(Policy::tool());
    calls.update(reply.tool_calls());
    assert_eq!(
        calls.calls()[1].value().unwrap().to_json(),
        r#"{"city":"Ber"}"#
    );
    let finished = calls.finish(Some("length"));
    assert!(finished[0].parsed.conforms());
    assert_eq!(finished[1].parsed.refused()[0].name(), "truncated");

    // A reply that is another one altogether changes nothing.
    let mut calls = Deltas::new(schema_of);
    calls.update(reply.tool_calls());
    calls.update(Accumulator::new().tool_calls());
    assert_eq!(calls.finish(None).len(), 2);
}

#[test]
fn arguments_wait_for_the_name() {
    let mut reply = Accumulator::new();
    push(
        &mut reply,
        &json!([{"index": 0, "function": {"arguments": "{\"days\": \"3\", "}}]),
    );
    let mut calls = Deltas::new(schema_of);
    calls.update(reply.tool_calls());
    assert!(calls.get(0).unwrap().value().is_none());
    push(
        &mut reply,
        &json!([{"index": 0, "function": {"name": "trip", "arguments": "\"city\": "}}]),
    );
    calls.update(reply.tool_calls());
    assert_eq!(
        calls.get(0).unwrap().value().unwrap().to_json(),
        r#"{"days":3}"#
    );
}

//! What chunks add up to.

use llmjson_testutil::table::{lines, list, rows_of};
use std::sync::mpsc;

use llmjson_wire::{Accumulator, Content, Names, StreamChunk};
use serde_json::{Value, json};

/// The rows of the tests.
const FILE: &str = include_str!("accumulate.txt");

/// A reply of deltas of the first choice.
fn of_deltas(deltas: &[&str]) -> Accumulator {
    of_deltas_into(Accumulator::new(), deltas)
}

fn of_deltas_into(mut reply: Accumulator, deltas: &[&str]) -> Accumulator {
    for delta in deltas {
        reply
            .push_text(&format!(r#"{{"choices":[{{"index":0,"delta":{delta}}}]}}"#))
            .unwrap();
    }
    reply
}

/// A reply of pieces of tool calls.
fn of_calls(pieces: &[&str]) -> Accumulator {
    let deltas: Vec<String> = pieces
        .iter()
        .map(|piece| format!(r#"{{"tool_calls":[{piece}]}}"#))
        .collect();
    of_deltas(&deltas.iter().map(String::as_str).collect::<Vec<_>>())
}

fn message(reply: &Accumulator) -> String {
    serde_json::to_string(&reply.message().unwrap()).unwrap()
}

fn calls(reply: &Accumulator) -> Value {
    let calls = reply.tool_calls().iter();
    Value::from_iter(
        calls.map(|call| json!([call.index(), call.id(), call.name(), call.arguments()])),
    )
}

#[test]
fn texts_are_joined_and_of_roles_the_first_wins() {
    for [deltas, wanted] in rows_of(FILE, "texts are joined and of roles the first wins") {
        let deltas = list(deltas);
        let reply = of_deltas(&deltas);
        match deltas.len() {
            0 => assert_eq!((reply.message(), reply.text()), (None, "")),
            _ => assert_eq!(message(&reply), wanted),
        }
    }
    let mixed = of_deltas(&[r#"{"content":[{"type":"thinking"}]}"#, r#"{"content":"a"}"#]);
    assert_eq!(mixed.message().unwrap().content, Content::from("a"));
    assert_eq!(
        mixed.choice(0).unwrap().parts()[0].as_str(),
        r#"{"type":"thinking"}"#
    );
}

#[test]
fn pieces_find_their_calls() {
    let table: &[(&[&str], Value)] = &[
        // By index, in the order in which they were first seen.
        (
            &[
                r#"{"index":1,"id":"b","function":{"name":"g"}},{"index":0,"id":"a","function":{"name":"f"}}"#,
                r#"{"index":0,"function":{"arguments":"{}"}}"#,
                r#"{"index":1,"function":{"arguments":"[]"}}"#,
            ],
            json!([[1, "b", "g", "[]"], [0, "a", "f", "{}"]]),
        ),
        // By id alone; a new one opens a call after the highest.
        (
            &[
                r#"{"index":3,"id":"a","function":{"name":"f","arguments":"{"}}"#,
                r#"{"id":"b","function":{"name":"g","arguments":"["}}"#,
                r#"{"id":"a","function":{"arguments":"}"}},{"id":"b","function":{"arguments":"]"}}"#,
            ],
            json!([[3, "a", "f", "{}"], [4, "b", "g", "[]"]]),
        ),
        // By neither: the call before, or the first.
        (
            &[
                r#"{"function":{"name":"f","arguments":"{"}}"#,
                r#"{"id":"","function":{"arguments":"}"}}"#,
            ],
            json!([[0, "", "f", "{}"]]),
        ),
        // Names and ids are the last that are not empty, arguments are joined.
        (
            &[
                r#"{"index":0,"id":"a","type":"function","function":{"name":"f","arguments":""}}"#,
                r#"{"index":0,"id":"","function":{"name":"","arguments":null}}"#,
                r#"{"index":0,"id":"a2","function":{"name":"f","arguments":"{\"k\":"}}"#,
                r#"{"index":0,"function":{"name":null,"arguments":"1}"}}"#,
            ],
            json!([[0, "a2", "f", "{\"k\":1}"]]),
        ),
        // Arguments that are JSON themselves.
        (
            &[r#"{"id":"a","function":{"name":"f","arguments":{"k": 1.0}}}"#],
            json!([[0, "a", "f", "{\"k\": 1.0}"]]),
        ),
        // Servers that give every call the same index.
        (
            &[
                r#"{"index":0,"id":"a","function":{"name":"f","arguments":"{}"}}"#,
                r#"{"index":0,"id":"b","function":{"name":"f","arguments":"{\"k\""}}"#,
                r#"{"index":0,"function":{"arguments":":2}"}}"#,
            ],
            json!([[0, "a", "f", "{}"], [1, "b", "f", "{\"k\":2}"]]),
        ),
        (
            &[
                r#"{"index":0,"id":"a","function":{"name":"f"}},{"index":0,"id":"b","function":{"name":"g"}}"#,
            ],
            json!([[0, "a", "f", ""], [1, "b", "g", ""]]),
        ),
        // With a new id, whether the call before is whole or not; with empty ids, after a whole one.
        (
            &[
                r#"{"index":0,"id":"a","function":{"name":"f","arguments":"{\"k\": 1"}}"#,
                r#"{"index":0,"id":"b","function":{"name":"f","arguments":""}}"#,
                r#"{"index":0,"id":"c","function":{"name":"g","arguments":"[]"}}"#,
                r#"{"index":0,"id":"b","function":{"arguments":"{}"}}"#,
            ],
            json!([
                [0, "a", "f", "{\"k\": 1"],
                [1, "b", "f", "{}"],
                [2, "c", "g", "[]"]
            ]),
        ),
        (
            &[
                r#"{"index":0,"id":"","function":{"name":"f","arguments":"{}"}}"#,
                r#"{"index":0,"id":"","function":{"name":"f","arguments":"{\"k\": 1}"}}"#,
            ],
            json!([[0, "", "f", "{}"], [1, "", "f", "{\"k\": 1}"]]),
        ),
        // A server that gives each piece a new id and the name.
        (
            &[
                r#"{"index":0,"id":"a","function":{"name":"f","arguments":"{\"k\": "}}"#,
                r#"{"index":0,"id":"b","function":{"name":"f","arguments":"{\"n\": 1}"}}"#,
                r#"{"index":0,"id":"c","function":{"name":"f","arguments":"}"}}"#,
            ],
            json!([[0, "c", "f", "{\"k\": {\"n\": 1}}"]]),
        ),
        // After the highest index of all comes the lowest that is free.
        (
            &[
                r#"{"index":4294967295,"id":"a"}"#,
                r#"{"id":"b"}"#,
                r#"{"id":"c"}"#,
            ],
            json!([
                [4_294_967_295_u32, "a", "", ""],
                [0, "b", "", ""],
                [1, "c", "", ""]
            ]),
        ),
    ];
    for (pieces, wanted) in table {
        assert_eq!(calls(&of_calls(pieces)), *wanted, "{pieces:?}");
    }
}

#[test]
fn each_entry_of_a_chunk_adds_to_one_text() {
    let mut reply = Accumulator::new();
    let of = |reply: &Accumulator| -> Vec<_> {
        let additions = reply.additions().iter();
        additions
            .map(|one| (one.choice, one.call, one.new.clone()))
            .collect()
    };
    reply
        .push_text(r#"{"choices":[{"index":0,"delta":{"content":"Hm","tool_calls":[{"index":0,"function":{"name":"f","arguments":"{"}},{"index":0,"function":{"arguments":"}"}},{"index":4,"function":{"name":"g"}}]}},{"index":1,"delta":{"content":"a"}}]}"#)
        .expect("a chunk");
    let calls = [
        (0, Some((0, 0)), 0..1),
        (0, Some((1, 0)), 1..2),
        (0, Some((2, 1)), 0..0),
    ];
    let wanted = [&[(0, None, 0..2)][..], &calls, &[(1, None, 0..1)]].concat();
    assert_eq!(of(&reply), wanted);
    // Chunks that differ only in their text are not parsed.
    for (piece, from) in [("b", 2), ("c", 3)] {
        let chunk = format!(r#"{{"choices":[{{"index":0,"delta":{{"content":"{piece}"}}}}]}}"#);
        reply.push_text(&chunk).expect("a chunk");
        assert_eq!(of(&reply), [(0, None, from..from + 1)]);
    }
}

#[test]
fn a_call_is_written_with_its_index_and_its_form() {
    let reply = of_calls(&[
        r#"{"id":"a","type":"function","function":{"name":"f","arguments":{"k": 1.0},"y":2},"x":1.0}"#,
    ]);
    let wanted = r#"{"tool_calls":[{"index":0,"id":"a","type":"function","function":{"name":"f","arguments":{"k": 1.0},"y":2},"x":1.0}]}"#;
    assert_eq!(message(&reply), wanted);
    // Two pieces of JSON are no JSON: they are text then.
    let reply = of_calls(&[
        r#"{"function":{"arguments":{"a":1}}}"#,
        r#"{"function":{"arguments":{"b":2}}}"#,
    ]);
    assert!(message(&reply).contains(r#""arguments":"{\"a\":1}{\"b\":2}""#));
    // What was cut off is there.
    let reply = of_calls(&[r#"{"index":0,"function":{"name":"f","arguments":"{\"a\": [1, "}}"#]);
    assert_eq!(reply.tool_calls()[0].arguments(), "{\"a\": [1, ");
    assert!(reply.finish_reason().is_none());
}

#[test]
fn names_in_pieces_are_joined_on_request() {
    let pieces = [
        r#"{"tool_calls":[{"index":0,"function":{"name":"get_"}}]}"#,
        r#"{"tool_calls":[{"index":0,"function":{"name":"weather"}}]}"#,
    ];
    for names in [Names::Joined, Names::Grown] {
        let reply = of_deltas_into(Accumulator::new().with_names(names), &pieces);
        assert_eq!(reply.tool_calls()[0].name(), "get_weather");
    }
    let again = [
        pieces[0],
        r#"{"tool_calls":[{"index":0,"function":{"name":"get_weather","arguments":"{"}}]}"#,
        r#"{"tool_calls":[{"index":0,"function":{"name":"get_weather_2","arguments":"}"}}]}"#,
    ];
    let reply = of_deltas_into(Accumulator::new().with_names(Names::Grown), &again);
    assert_eq!(reply.tool_calls()[0].name(), "get_weather");
    assert_eq!(of_deltas(&pieces).tool_calls()[0].name(), "weather");
}

#[test]
fn a_replaced_extra_is_told_once() {
    let (sender, told) = mpsc::channel();
    let mut reply = Accumulator::new().on_conflict(move |conflict| {
        let change = (conflict.before.to_string(), conflict.after.to_string());
        sender
            .send((conflict.scope.to_string(), conflict.key.to_owned(), change))
            .unwrap();
    });
    for (number, sig) in ["1", "1.0", "1.0", r#"{"a":1}"#].iter().enumerate() {
        let call = format!(r#"{{"index":2,"sig":{sig},"function":{{"fsig":{sig}}}}}"#);
        let delta = format!(r#"{{"tool_calls":[{call}],"sig":{sig},"same":null}}"#);
        let choices = format!(
            r#"[{{"index":0,"delta":{delta},"csig":{sig}}},{{"index":1,"delta":{{"sig":{sig}}}}}]"#
        );
        reply
            .push_text(&format!(r#"{{"choices":{choices},"p":{number}}}"#))
            .unwrap();
    }
    let told: Vec<_> = told.try_iter().collect();
    for scope in lines(FILE, "a replaced extra is told once") {
        let changes: Vec<_> = told.iter().filter(|(told, ..)| told == scope).collect();
        assert_eq!(
            changes.len(),
            if scope == "chunk" { 3 } else { 2 },
            "{scope}: {told:?}"
        );
    }
    assert_eq!(told.len(), 13);
    let of_message = |told: &&(String, String, _)| told.0 == "message";
    let first = told.iter().find(of_message).unwrap();
    assert_eq!(
        (first.1.as_str(), &first.2),
        ("sig", &("1".to_owned(), "1.0".to_owned()))
    );
    let response = serde_json::to_string(&reply.response()).unwrap();
    for part in lines(FILE, "a replaced extra is told once 2") {
        assert!(response.contains(part), "{part}: {response}");
    }
}

#[test]
fn choices_stand_beside_each_other() {
    let mut reply = Accumulator::new();
    for chunk in lines(FILE, "choices stand beside each other") {
        reply.push_text(chunk).unwrap();
    }
    assert_eq!(
        (reply.text(), reply.finish_reason()),
        ("ac", Some("length"))
    );
    assert_eq!(reply.choice(1).map(|choice| choice.text()), Some("bd"));
    let response = r#"{"id":"r","object":"chat.completion","created":7,"model":"m","choices":[{"index":0,"message":{"content":"ac"},"finish_reason":"length"},{"index":1,"message":{"content":"bd"}}],"usage":{"total_tokens":2}}"#;
    assert_eq!(serde_json::to_string(&reply.response()).unwrap(), response);
    // Where only another choice came, it is the first.
    let mut reply = Accumulator::new();
    reply
        .push_text(r#"{"choices":[{"index":3,"delta":{"content":"x"}}]}"#)
        .unwrap();
    assert_eq!(reply.text(), "x");
}

#[test]
fn a_message_counts_where_there_is_no_delta() {
    let mut reply = Accumulator::new();
    reply
        .push_text(r#"{"choices":[{"message":{"role":"assistant","content":"a"}}]}"#)
        .unwrap();
    reply
        .push_text(r#"{"choices":[{"delta":{"content":"b"},"message":{"content":"b"}}]}"#)
        .unwrap();
    assert_eq!(message(&reply), r#"{"role":"assistant","content":"ab"}"#);
}

#[test]
fn logprobs_are_joined() {
    let mut reply = Accumulator::new();
    for logprobs in lines(FILE, "logprobs are joined") {
        reply
            .push_text(&format!(
                r#"{{"choices":[{{"delta":{{}},"logprobs":{logprobs}}}]}}"#
            ))
            .unwrap();
    }
    let choice = reply.choice(0).unwrap().to_choice();
    assert_eq!(
        choice.logprobs.unwrap().as_str(),
        r#"{"content":[{"t":1.0},3, 4],"refusal":[2]}"#
    );
}

#[test]
fn what_is_no_chunk_changes_nothing() {
    let mut reply = of_deltas(&[r#"{"content":"a"}"#]);
    let before = reply.response();
    for text in lines(FILE, "what is no chunk changes nothing") {
        assert!(reply.push_text(text).is_err(), "{text}");
    }
    assert_eq!(reply.response(), before);
    reply.push(&StreamChunk::default());
    assert_eq!(reply.response(), before);
}

/// A reply can be put together on any thread.
#[test]
fn an_accumulator_can_be_sent() {
    fn sent<T: Send>(_: &T) {}
    sent(&Accumulator::new());
}

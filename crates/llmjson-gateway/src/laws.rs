//! Properties of replies that hold for all input, as functions that panic if they do not hold.

use llmjson_wire::laws::pieces;
use llmjson_wire::sse::FrameDecoder;
use serde_json::{Value, json};

use crate::chat::{Exchange, Finished, Step};
use crate::{Cache, HEADER_BYTES_MAX, Outcome, Report, Treatment};

/// The tools of the requests.
fn tools() -> Value {
    let function = |name: &str, schema: Value| json!({"type": "function", "function": {"name": name, "parameters": schema}});
    json!([
        function(
            "get_weather",
            json!({"type": "object", "properties": {
                "city": {"type": "string"}, "location": {"type": "string"}, "days": {"type": "integer"}
            }})
        ),
        function(
            "add",
            json!({"type": "object", "properties": {
            "a": {"type": "integer"}, "b": {"type": "integer"}
        }, "required": ["a"]})
        ),
        function("now", json!({})),
    ])
}

/// A request, and how its reply is treated; the number chooses.
fn begin(kind: u8) -> Exchange {
    let mut request =
        json!({"model": "law", "messages": [{"role": "user", "content": "Go."}], "stream": true});
    let schema = json!({"type": "object", "properties": {
        "city": {"type": "string"}, "days": {"type": "integer"}, "tags": {"type": "array", "items": {"type": "string"}}
    }});
    if kind % 4 != 1 {
        request["tools"] = tools();
    }
    if kind % 4 == 1 || kind % 4 == 2 {
        request["response_format"] =
            json!({"type": "json_schema", "json_schema": {"name": "x", "schema": schema}});
    }
    let mut treatment = Treatment::default();
    if kind % 4 == 3 {
        treatment = treatment.with_certainty(Some(llmjson::syntax::Class::Likely));
    }
    let request = request.to_string();
    match Exchange::begin(request.as_bytes(), &treatment, &Cache::new(0)) {
        Ok(exchange) => exchange,
        Err(refused) => panic!("{}", String::from_utf8_lossy(&refused.body)),
    }
}

/// Checks that the client gets the same however the bytes of a stream are cut into pieces, that all that is written
/// are events, and that a stream with nothing to report is the same byte for byte.
///
/// The pieces have the given lengths, repeated in a cycle; 0 stands for 1.
///
/// # Panics
///
/// If that does not hold.
pub fn a_stream_is_the_same_in_any_pieces(bytes: &[u8], lengths: &[u8], kind: u8) {
    let (whole, report) = passed(kind, [bytes]);
    let (cut, other) = passed(kind, pieces(bytes, lengths));
    let shown = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert!(
        cut == whole,
        "{} in pieces is {}",
        shown(&cut),
        shown(&whole)
    );
    assert_eq!(other, report, "the report in pieces");
    a_report_is_bounded(&report);
    if report == Report::default() {
        assert!(whole == bytes, "{} is not {}", shown(&whole), shown(bytes));
    }
}

/// Checks that a text of a model comes out as the same calls and content whole and streamed, unless the stream says that
/// it has been superseded, that arguments and structured content are JSON where they were changed, and that what was
/// sent is a part of the whole at every moment.
///
/// # Panics
///
/// If that does not hold.
pub fn a_text_comes_out_alike(text: &str, lengths: &[u8], kind: u8) {
    let reply = json!({"id": "r", "choices": [{"index": 0, "finish_reason": "stop",
        "message": {"role": "assistant", "content": text}}]});
    let reply = reply.to_string();
    let (body, report) = a_whole_reply_stays_one(reply.as_bytes(), kind);
    let mut stream = String::new();
    let mut rest = text;
    let mut lengths = lengths
        .iter()
        .map(|length| usize::from((*length).max(1)))
        .cycle();
    while !rest.is_empty() {
        let end = rest.ceil_char_boundary(lengths.next().unwrap_or(1));
        let delta = json!({"content": &rest[..end]});
        let chunk =
            json!({"id": "r", "choices": [{"index": 0, "delta": delta, "finish_reason": null}]});
        stream.push_str(&format!("data: {chunk}\n\n"));
        rest = &rest[end..];
    }
    let last = json!({"id": "r", "choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]});
    stream.push_str(&format!("data: {last}\n\ndata: [DONE]\n\n"));
    let (out, streamed) = passed(kind, [stream.as_bytes()]);
    a_report_is_bounded(&streamed);
    assert!(out.ends_with(b"data: [DONE]\n\n"), "the end is the last");
    let reply = accumulated(&out);
    if streamed.outcome() == Outcome::Superseded {
        return;
    }
    assert_eq!(
        streamed.outcome(),
        report.outcome(),
        "streamed and whole: {text:?}"
    );
    let whole: Value = serde_json::from_slice(&body).unwrap_or_default();
    let message = &whole["choices"][0]["message"];
    let calls = |message: &Value| -> Vec<(Value, Option<Value>)> {
        let calls = message["tool_calls"].as_array().into_iter().flatten();
        let of = |call: &Value| {
            let function = &call["function"];
            let arguments = function["arguments"].as_str().unwrap_or_default();
            (
                function["name"].clone(),
                serde_json::from_str(arguments).ok(),
            )
        };
        calls.map(of).collect()
    };
    assert_eq!(
        calls(&reply),
        calls(message),
        "streamed and whole: {text:?}"
    );
    let said = |message: &Value| message["content"].as_str().unwrap_or_default().to_owned();
    let (one, other) = (said(&reply), said(message));
    let value = |text: &str| serde_json::from_str::<Value>(text).ok();
    let is_alike =
        one.trim() == other.trim() || value(&one).is_some_and(|one| Some(one) == value(&other));
    assert!(is_alike, "{one:?} streamed, {other:?} whole of {text:?}");
}

/// Checks that a whole reply that needs nothing is the same byte for byte, that JSON stays JSON, and that nothing but
/// its choices changes. Returns what the client gets.
///
/// # Panics
///
/// If that does not hold.
pub fn a_whole_reply_stays_one(body: &[u8], kind: u8) -> (Vec<u8>, Report) {
    let Step::Answer { body: out, report } = begin(kind).reply(body) else {
        panic!("nothing is asked again");
    };
    a_report_is_bounded(&report);
    if report.outcome() == Outcome::Unchanged {
        assert!(out == body, "{} was changed", String::from_utf8_lossy(body));
    }
    let value = |bytes: &[u8]| serde_json::from_slice::<Value>(bytes).ok();
    if let Some(mut before) = value(body) {
        let mut after = value(&out).expect("JSON stays JSON");
        for value in [&mut before, &mut after] {
            if let Some(members) = value.as_object_mut() {
                members.remove("choices");
            }
        }
        assert_eq!(before, after, "nothing but choices changes");
    }
    (out, report)
}

fn a_report_is_bounded(report: &Report) {
    let header = report.header();
    assert!(
        header.len() <= HEADER_BYTES_MAX && header.is_ascii(),
        "{header}"
    );
    assert!(!header.contains(['\r', '\n']), "{header}");
    let json = report.to_json();
    assert!(
        serde_json::from_str::<Value>(&json).is_ok() && !json.contains('\n'),
        "{json}"
    );
}

fn passed<'b>(kind: u8, pieces: impl IntoIterator<Item = &'b [u8]>) -> (Vec<u8>, Report) {
    let mut stream = begin(kind).stream();
    let mut out = Vec::new();
    for piece in pieces {
        stream.push(piece, &mut out);
    }
    match stream.finish(true, &mut out) {
        Finished::Done(report) => (out, report),
        Finished::Ask(_) => panic!("nothing is asked again"),
    }
}

/// The message that a client makes of a stream, whose events are all JSON.
fn accumulated(stream: &[u8]) -> Value {
    let mut decoder = FrameDecoder::new();
    decoder.push(stream);
    decoder.finish();
    let (mut content, mut calls): (String, Vec<Value>) = (String::new(), Vec::new());
    while let Some(frame) = decoder.next_frame() {
        let frame = frame.expect("a frame");
        let chunk: Value = serde_json::from_slice(frame.data).expect("events are JSON");
        let delta = &chunk["choices"][0]["delta"];
        content.push_str(delta["content"].as_str().unwrap_or_default());
        for piece in delta["tool_calls"].as_array().into_iter().flatten() {
            let index = piece["index"].as_u64().expect("an index") as usize;
            assert!(index <= calls.len(), "calls come in their order");
            if index == calls.len() {
                assert!(piece["id"].is_string(), "a call begins with its id");
                calls.push(
                    json!({"function": {"name": piece["function"]["name"], "arguments": ""}}),
                );
            }
            let arguments = &mut calls[index]["function"]["arguments"];
            let so_far = arguments.as_str().unwrap_or_default();
            let new = piece["function"]["arguments"].as_str().unwrap_or_default();
            *arguments = format!("{so_far}{new}").into();
        }
    }
    json!({"content": content, "tool_calls": calls})
}

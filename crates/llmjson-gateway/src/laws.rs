//! Properties of replies that hold for all input, as functions that panic if they do not.

mod responses;
mod shapes;

use llmjson_wire::laws::pieces;
use llmjson_wire::sse::FrameDecoder;
use serde_json::{Value, json};

use crate::chat::{Finished, Step};
use crate::dialect::{Dialect, Exchange};
pub use shapes::a_stream_says_what_the_whole_reply_says;
use shapes::{calls_of, content_of};

use crate::{Cache, HEADER_BYTES_MAX, Outcome, Report, Treatment};

/// The dialects of clients, and whether the upstream supports only chat.
const WAYS: [(Dialect, bool); 5] = [
    (Dialect::Chat, false),
    (Dialect::Messages, false),
    (Dialect::Messages, true),
    (Dialect::Responses, false),
    (Dialect::Responses, true),
];

/// The combination that a number chooses.
fn way_of(kind: u8) -> (Dialect, bool) {
    WAYS[usize::from(kind / 4) % WAYS.len()]
}

/// The dialect of the upstream.
fn spoken(kind: u8) -> Dialect {
    match way_of(kind) {
        (_, true) => Dialect::Chat,
        (dialect, false) => dialect,
    }
}

/// Returns `true` if the upstream is asked again, for each of several choices if the dialect has
/// them. Its reply is the same.
fn asks_again(kind: u8) -> bool {
    kind / 20 % 2 == 1
}

/// The tools of the requests.
fn tools(dialect: Dialect) -> Value {
    let function = |name: &str, schema: Value| match dialect {
        Dialect::Chat => {
            json!({"type": "function", "function": {"name": name, "parameters": schema}})
        }
        Dialect::Messages => json!({"name": name, "input_schema": schema}),
        Dialect::Responses => json!({"type": "function", "name": name, "parameters": schema}),
    };
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

/// A request with the treatment of its reply, chosen by the number.
fn begin(kind: u8) -> Exchange {
    begin_with(kind, false)
}

/// A request as for [`begin`], under the policy `exact` if requested.
fn begin_with(kind: u8, is_exact: bool) -> Exchange {
    let mut request =
        json!({"model": "law", "messages": [{"role": "user", "content": "Go."}], "stream": true});
    let schema = json!({"type": "object", "properties": {
        "city": {"type": "string"}, "days": {"type": "integer"}, "tags": {"type": "array", "items": {"type": "string"}}
    }});
    let (dialect, speaks_chat) = way_of(kind);
    if dialect == Dialect::Responses {
        request = json!({"model": "law", "input": "Go.", "stream": true});
    }
    if kind % 4 != 1 {
        request["tools"] = tools(dialect);
    }
    if kind % 4 == 1 || kind % 4 == 2 {
        let format = json!({"type": "json_schema", "schema": schema});
        match dialect {
            Dialect::Chat => {
                request["response_format"] =
                    json!({"type": "json_schema", "json_schema": {"name": "x", "schema": schema}});
            }
            Dialect::Messages => request["output_config"] = json!({ "format": format }),
            Dialect::Responses => {
                let format = json!({"type": "json_schema", "name": "x", "schema": schema});
                request["text"] = json!({ "format": format });
            }
        }
    }
    let mut treatment = Treatment::default().with_seed(1);
    if is_exact {
        treatment = treatment.with_policy(llmjson::Policy::exact());
    }
    if kind % 4 == 3 {
        treatment = treatment.with_certainty(Some(llmjson::syntax::Class::Likely));
    }
    if asks_again(kind) {
        treatment = treatment.with_retries(1);
        if dialect == Dialect::Chat {
            request["n"] = json!(2);
        }
    }
    let request = request.to_string();
    let (request, cache) = (request.as_bytes(), Cache::new(0));
    match Exchange::begin(dialect, speaks_chat, request, &treatment, &cache) {
        Ok(exchange) => exchange,
        Err(refused) => panic!("{}", String::from_utf8_lossy(&refused.body)),
    }
}

/// Checks that the client's output does not depend on how the bytes of a stream are split into
/// pieces, that it consists of events, and that a stream with nothing to report is unchanged.
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
    if report == Report::default() && !way_of(kind).1 {
        assert!(whole == bytes, "{} is not {}", shown(&whole), shown(bytes));
    }
}

/// Checks that a model's text gives the same calls and content whole and streamed, unless the
/// stream ends with an error because it was superseded or JSON was left open, that changed
/// arguments and structured content are JSON, and that the output at every moment is a prefix of
/// the whole.
///
/// # Panics
///
/// If that does not hold.
pub fn a_text_comes_out_alike(text: &str, lengths: &[u8], kind: u8) {
    let kind = kind % 20;
    let reply = reply_of(text, spoken(kind)).to_string();
    let (body, report) = a_whole_reply_stays_one(reply.as_bytes(), kind);
    let mut parts = Vec::new();
    let mut rest = text;
    let mut lengths = lengths
        .iter()
        .map(|length| usize::from((*length).max(1)))
        .cycle();
    while !rest.is_empty() {
        let end = rest.ceil_char_boundary(lengths.next().unwrap_or(1));
        parts.push(&rest[..end]);
        rest = &rest[end..];
    }
    let stream = stream_of(&parts, spoken(kind));
    let (out, streamed) = passed(kind, [stream.as_bytes()]);
    a_report_is_bounded(&streamed);
    if streamed.reasons().any(|(code, _)| code == "open_json") {
        assert_eq!(report.outcome(), Outcome::Refused, "an error: {text:?}");
        return;
    }
    if streamed.outcome() == Outcome::Superseded {
        return;
    }
    let (dialect, _) = way_of(kind);
    let reply = received(dialect, &out, text.is_empty());
    assert_eq!(
        streamed.outcome(),
        report.outcome(),
        "streamed and whole: {text:?}"
    );
    for call in reply["tool_calls"].as_array().into_iter().flatten() {
        let has_id = dialect != Dialect::Chat || call["id"].is_string();
        assert!(has_id, "a call has an id");
    }
    let whole: Value = serde_json::from_slice(&body).unwrap_or_default();
    let (message, blank) = (message_in(dialect, &whole), json!(""));
    let (one, other) = (calls_of(&reply, &blank), calls_of(&message, &blank));
    assert_eq!(one, other, "streamed and whole: {text:?}");
    let (one, other) = (content_of(&reply), content_of(&message));
    assert_eq!(one, other, "streamed and whole: {text:?}");
}

/// Checks that a whole reply that needs no change is the same byte for byte, that JSON stays JSON,
/// and that only its choices change. Returns the client's output.
///
/// # Panics
///
/// If that does not hold.
pub fn a_whole_reply_stays_one(body: &[u8], kind: u8) -> (Vec<u8>, Report) {
    let mut exchange = begin(kind);
    let (out, report) = loop {
        match exchange.reply(body) {
            Step::Answer { body, report } => break (body, report),
            Step::Refuse { rejection, report } => break (rejection.body, report),
            Step::Ask { body } => a_request_is_json(&body, kind),
        }
    };
    a_report_is_bounded(&report);
    if way_of(kind).1 {
        serde_json::from_slice::<Value>(&out).expect("what is written is JSON");
        return (out, report);
    }
    if report.outcome() == Outcome::Unchanged && report.retries() == 0 {
        assert!(out == body, "{} was changed", String::from_utf8_lossy(body));
    }
    let value = |bytes: &[u8]| serde_json::from_slice::<Value>(bytes).ok();
    if let Some(mut before) = value(body) {
        let mut after = value(&out).expect("JSON stays JSON");
        for value in [&mut before, &mut after] {
            if let Some(members) = value.as_object_mut() {
                for name in ["choices", "content", "stop_reason", "output"] {
                    members.remove(name);
                }
                if asks_again(kind) {
                    members.remove("usage");
                }
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

fn a_request_is_json(body: &[u8], kind: u8) {
    assert!(asks_again(kind), "nothing is asked again");
    serde_json::from_slice::<Value>(body).expect("a request is JSON");
}

fn passed<'b>(
    kind: u8,
    pieces: impl IntoIterator<Item = &'b [u8], IntoIter: Clone>,
) -> (Vec<u8>, Report) {
    passed_by(|| begin(kind), kind, pieces)
}

fn passed_by<'b>(
    begin: impl Fn() -> Exchange,
    kind: u8,
    pieces: impl IntoIterator<Item = &'b [u8], IntoIter: Clone>,
) -> (Vec<u8>, Report) {
    let mut stream = begin().stream();
    let (mut out, pieces) = (Vec::new(), pieces.into_iter());
    loop {
        for piece in pieces.clone() {
            stream.push(piece, &mut out);
        }
        match stream.finish(true, &mut out) {
            Finished::Done(report) => return (out, report),
            Finished::Ask(body) => a_request_is_json(&body, kind),
        }
    }
}

/// A whole reply that is plain text.
fn reply_of(text: &str, dialect: Dialect) -> Value {
    match dialect {
        Dialect::Chat => json!({"id": "r", "choices": [{"index": 0, "finish_reason": "stop",
            "message": {"role": "assistant", "content": text}}]}),
        Dialect::Messages => json!({"id": "r", "type": "message", "role": "assistant",
            "content": [{"type": "text", "text": text}], "stop_reason": "end_turn"}),
        Dialect::Responses => responses::reply_of(text),
    }
}

/// A text reply as a stream, with the text in parts.
fn stream_of(parts: &[&str], dialect: Dialect) -> String {
    match dialect {
        Dialect::Responses => responses::stream_of(parts),
        Dialect::Chat | Dialect::Messages => shapes::stream_of(parts, dialect),
    }
}

/// The message that a client assembles from a stream.
fn received(dialect: Dialect, stream: &[u8], is_empty: bool) -> Value {
    match dialect {
        Dialect::Chat => accumulated(stream),
        Dialect::Messages => accumulated_messages(stream, is_empty),
        Dialect::Responses => responses::accumulated(stream, is_empty),
    }
}

/// The chat message that corresponds to a whole reply.
fn message_in(dialect: Dialect, reply: &Value) -> Value {
    match dialect {
        Dialect::Chat => reply["choices"][0]["message"].clone(),
        Dialect::Messages => message_of(reply),
        Dialect::Responses => responses::message_of(reply),
    }
}

/// The chat message that corresponds to a whole Messages reply.
fn message_of(reply: &Value) -> Value {
    let (mut content, mut calls) = (String::new(), Vec::new());
    for block in reply["content"].as_array().into_iter().flatten() {
        match block["type"].as_str() {
            Some("text") => content.push_str(block["text"].as_str().expect("a text")),
            Some("tool_use") => {
                assert!(block["id"].is_string(), "a call has an id");
                let arguments = block["input"].to_string();
                calls.push(json!({"function": {"name": block["name"], "arguments": arguments}}));
            }
            _ => {}
        }
    }
    json!({"content": content, "tool_calls": calls})
}

/// The message that a client assembles from a Messages stream, in which the blocks follow one
/// another.
fn accumulated_messages(stream: &[u8], is_empty: bool) -> Value {
    let mut decoder = FrameDecoder::new();
    decoder.push(stream);
    decoder.finish();
    let mut blocks: Vec<Value> = Vec::new();
    let (mut inputs, mut open, mut kinds) = (Vec::new(), None, Vec::new());
    while let Some(frame) = decoder.next_frame() {
        let frame = frame.expect("a frame");
        let event: Value = serde_json::from_slice(frame.data).expect("events are JSON");
        let kind = event["type"].as_str().expect("a type").to_owned();
        assert_eq!(frame.event, Some(kind.as_bytes()));
        let index = event["index"].as_u64().map(|index| index as usize);
        match &*kind {
            "content_block_start" => {
                assert_eq!((open, index), (None, Some(blocks.len())), "blocks in order");
                open = index;
                blocks.push(event["content_block"].clone());
                inputs.push(String::new());
            }
            "content_block_delta" => {
                assert!(open.is_some() && open == index, "a delta of the open block");
                let (block, input) = (blocks.last_mut(), inputs.last_mut());
                let (block, input) = block.zip(input).expect("a block");
                let text = block["text"].as_str().unwrap_or_default().to_owned();
                match event["delta"]["text"].as_str() {
                    Some(more) => block["text"] = (text + more).into(),
                    None => input.push_str(event["delta"]["partial_json"].as_str().expect("JSON")),
                }
            }
            "content_block_stop" => {
                assert!(open.is_some() && open == index, "the end of the open block");
                open = None;
            }
            _ => kinds.push(kind),
        }
    }
    kinds.retain(|kind| kind != "ping");
    assert_eq!(kinds, ["message_start", "message_delta", "message_stop"]);
    for (block, input) in blocks.iter_mut().zip(&inputs) {
        if block["type"] == "tool_use" && !input.trim().is_empty() {
            block["input"] = serde_json::from_str(input).unwrap_or_default();
        } else if block["type"] == "text" {
            assert!(
                is_empty || block["text"] != "",
                "no block is empty: {}",
                String::from_utf8_lossy(stream)
            );
        }
    }
    message_of(&json!({ "content": blocks }))
}

/// The message that a client assembles from a stream whose events are all JSON.
fn accumulated(stream: &[u8]) -> Value {
    assert!(stream.ends_with(b"data: [DONE]\n\n"), "the end is the last");
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
                let function = json!({"name": piece["function"]["name"], "arguments": ""});
                calls.push(json!({"id": piece["id"], "function": function}));
            }
            let arguments = &mut calls[index]["function"]["arguments"];
            let so_far = arguments.as_str().unwrap_or_default();
            let new = piece["function"]["arguments"].as_str().unwrap_or_default();
            *arguments = format!("{so_far}{new}").into();
        }
    }
    json!({"content": content, "tool_calls": calls})
}

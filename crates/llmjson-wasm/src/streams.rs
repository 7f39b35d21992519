//! Streamed replies.

use std::cell::RefCell;

#[cfg(feature = "schema")]
use llmjson::stream::Stream;
#[cfg(not(feature = "schema"))]
use llmjson_syntax::Stream;
use llmjson_syntax::{Change, Event, JsonOut, JsonText, Kind, ToJson};
use wasm_bindgen::JsError;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::kept::{Kept, keep, take, with};

thread_local! {
    static STREAMS: RefCell<Kept<Box<Stream>>> = const { RefCell::new(Kept::new()) };
}

/// Opens a stream without a schema, and returns its number.
#[cfg(not(feature = "schema"))]
#[wasm_bindgen]
#[must_use]
pub fn stream_new() -> u32 {
    keep(&STREAMS, Box::new(Stream::new()))
}

/// Opens a stream whose value is coerced if there is a schema, and returns its number.
#[cfg(feature = "schema")]
#[wasm_bindgen]
#[must_use]
pub fn stream_coerced(schema: u32, policy: u32) -> u32 {
    let policy = crate::policies::policy(policy, None);
    let stream = Stream::new(crate::replies::schema(schema).as_ref()).with_policy(policy);
    keep(&STREAMS, Box::new(stream))
}

/// Frees a stream.
#[wasm_bindgen]
pub fn stream_free(number: u32) {
    take(&STREAMS, number);
}

/// Takes a piece, and returns the changes.
///
/// # Errors
///
/// If the stream has ended.
#[wasm_bindgen]
pub fn stream_push(number: u32, piece: &str) -> Result<String, JsError> {
    let events = with(&STREAMS, number, |stream| {
        stream.push(piece);
        stream.events()
    });
    Ok(written(&events.ok_or_else(ended)?))
}

/// Ends a stream: returns whether the shown value is superseded (`!` or `.`), the answer as in
/// `raw_read` or `read`, a line feed, and the last changes.
///
/// # Errors
///
/// If the stream has ended.
#[wasm_bindgen]
pub fn stream_finish(number: u32) -> Result<String, JsError> {
    let finished = take(&STREAMS, number).ok_or_else(ended)?.finish();
    #[cfg(feature = "schema")]
    let answer = crate::replies::shown(&finished.parsed);
    #[cfg(not(feature = "schema"))]
    let answer = {
        let document = &finished.document;
        let json = document.to_json();
        crate::answer(
            json.is_some(),
            document.truncation(),
            document.certainty(),
            json,
        )
    };
    let mark = if finished.superseded { '!' } else { '.' };
    Ok(format!("{mark}{answer}\n{}", written(&finished.events)))
}

fn ended() -> JsError {
    JsError::new("the stream has ended")
}

/// Writes events as `[name, path, value]`.
fn written(events: &[Event]) -> String {
    JsonText::written(|out| {
        out.array(events, |event, out| {
            out.open(Kind::Array);
            event.change.name().put(out);
            event.path.to_string().put(out);
            match &event.change {
                Change::Passed(text) | Change::Appended(text) => text.put(out),
                Change::Opened(kind) => kind.name().put(out),
                Change::Value(json) => out.json(json),
                _ => {}
            }
            out.close(Kind::Array);
        })
    })
}

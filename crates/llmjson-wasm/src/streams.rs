//! Replies that are still coming.

use std::cell::RefCell;

use llmjson_syntax::{Change, Event, JsonOut, JsonText, Kind, Stream, ToJson};
use wasm_bindgen::JsError;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::answer;
use crate::kept::{Kept, keep, take, with};

/// One of them is large; a stream is made once for a reply.
enum Coming {
    Plain(Box<Stream>),
    #[cfg(feature = "schema")]
    Coerced(Box<llmjson::stream::ReplyStream>),
}

thread_local! {
    static STREAMS: RefCell<Kept<Coming>> = const { RefCell::new(Kept::new()) };
}

/// Opens a stream without a schema, and returns its number.
#[wasm_bindgen]
#[must_use]
pub fn stream_new() -> u32 {
    keep(&STREAMS, Coming::Plain(Box::new(Stream::new())))
}

/// Opens a stream whose value is coerced, and returns its number.
#[cfg(feature = "schema")]
#[wasm_bindgen]
#[must_use]
pub fn stream_coerced(schema: u32, policy: u32) -> u32 {
    use llmjson::stream::ReplyStream;

    let policy = crate::policies::policy(policy, None);
    let coming = match crate::replies::schema(schema) {
        Some(schema) => Coming::Coerced(Box::new(ReplyStream::with_policy(&schema, &policy))),
        None => Coming::Plain(Box::new(Stream::new().with_limits(policy.limits()))),
    };
    keep(&STREAMS, coming)
}

/// Frees a stream.
#[wasm_bindgen]
pub fn stream_free(number: u32) {
    take(&STREAMS, number);
}

/// Takes in a piece, and returns what it has changed.
///
/// # Errors
///
/// If the stream has ended.
#[wasm_bindgen]
pub fn stream_push(number: u32, piece: &str) -> Result<String, JsError> {
    let events = with(&STREAMS, number, |coming| match coming {
        Coming::Plain(stream) => {
            stream.push(piece);
            stream.events()
        }
        #[cfg(feature = "schema")]
        Coming::Coerced(stream) => {
            stream.push(piece);
            stream.events()
        }
    });
    Ok(written(&events.ok_or_else(ended)?))
}

/// Ends a stream: whether what was shown is superseded (`!` or `.`), the answer as of `raw_read` or
/// `read`, a line feed, and what the end has changed.
///
/// # Errors
///
/// If the stream has ended.
#[wasm_bindgen]
pub fn stream_finish(number: u32) -> Result<String, JsError> {
    let (superseded, answer, events) = match take(&STREAMS, number).ok_or_else(ended)? {
        Coming::Plain(stream) => {
            let finished = stream.finish();
            let document = &finished.document;
            let json = document.to_json();
            let (ok, complete) = (json.is_some(), document.is_complete());
            let shown = answer(ok, complete, document.certainty(), json);
            (finished.superseded, shown, finished.events)
        }
        #[cfg(feature = "schema")]
        Coming::Coerced(stream) => {
            let finished = stream.finish();
            let shown = crate::replies::shown(&finished.parsed);
            (finished.superseded, shown, finished.events)
        }
    };
    let mark = if superseded { '!' } else { '.' };
    Ok(format!("{mark}{answer}\n{}", written(&events)))
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

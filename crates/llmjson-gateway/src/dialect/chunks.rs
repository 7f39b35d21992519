//! Chunks of chat completions, as which the machine takes the events of a dialect.

use llmjson::syntax::{Raw, json_object};

/// Returns a chunk that adds to a text.
pub(crate) fn said(name: &str, text: &str) -> String {
    chunk(&json_object!(name: text))
}

/// Returns a chunk that adds to a call, and begins it with an id and a name.
pub(crate) fn called(index: u64, first: Option<(String, String)>, arguments: &str) -> String {
    let (id, name) = first.unzip();
    chunk(&json_object!({
        "tool_calls": [{
            "index": index,
            "id"?: &id,
            "type"?: id.as_ref().map(|_| "function"),
            "function": { "name"?: name, "arguments": arguments },
        }],
    }))
}

fn chunk(delta: &str) -> String {
    json_object!({ "choices": [{ "index": 0_u32, "delta": Raw(delta) }] })
}

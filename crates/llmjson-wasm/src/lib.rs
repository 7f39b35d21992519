//! llmjson for JavaScript.
//!
//! Text goes in and text comes out: the JavaScript around this module converts it to objects with
//! `JSON.parse`, which is faster than creating them one by one. Schemas, policies, tools and
//! streams are known by numbers, so that no JavaScript object can point into a dropped instance.
//! Records are not kept: a request for them parses the text again.

mod kept;
#[cfg(feature = "playground")]
mod playground;
#[cfg(feature = "schema")]
mod policies;
mod raw;
#[cfg(feature = "schema")]
mod replies;
mod streams;
#[cfg(feature = "schema")]
mod tools;

#[cfg(feature = "playground")]
pub use playground::playground_ask;
#[cfg(feature = "schema")]
pub use policies::{policy_allows_reading, policy_free, policy_new};
pub use raw::{raw_edits, raw_read, raw_repair, raw_report};
#[cfg(feature = "schema")]
pub use replies::{all, annotate, feedback, read, report, schema_free, schema_new};
#[cfg(feature = "schema")]
pub use streams::stream_coerced;
#[cfg(not(feature = "schema"))]
pub use streams::stream_new;
pub use streams::{stream_finish, stream_free, stream_push};
#[cfg(feature = "schema")]
pub use tools::{
    calls_finish, calls_free, calls_new, calls_push, tools_bind, tools_calls, tools_free,
    tools_names, tools_new,
};

use llmjson_syntax::{Class, Truncation};
#[cfg(feature = "schema")]
use wasm_bindgen::JsError;

/// The head of an answer: whether the value is usable, whether it is complete or what is missing,
/// and how certain it is. Its JSON follows, if there is a value.
fn answer(ok: bool, cut: Option<Truncation>, certainty: Class, json: Option<String>) -> String {
    let json = json.unwrap_or_default();
    let mut out = String::with_capacity(json.len() + 3);
    out.push(if ok { '+' } else { '-' });
    out.push(match cut {
        None => '+',
        Some(Truncation::ClosersOnly) => ')',
        Some(_) => '-',
    });
    out.push(match certainty {
        Class::Certain => 'c',
        Class::Likely => 'l',
        _ => 'g',
    });
    out.push_str(&json);
    out
}

#[cfg(feature = "schema")]
fn failed(error: impl std::fmt::Display) -> JsError {
    JsError::new(&error.to_string())
}

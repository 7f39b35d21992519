//! Who is measured: one line per contender, a closure from a text to whether it was read.
//!
//! A contender keeps what its users would keep between calls (a parser's buffers) and drops the
//! value it made within the call, since its users must.

use llmjson::DeserializeExt;
use std::hint::black_box;

use jiter::{JsonValue, PartialMode};
use llmjson_syntax::cursor::{EntryKind, Source};
use llmjson_syntax::{Parser, ValueRef};
use serde_json_plain::Value;

/// Reads a text and drops what it read; says whether there was something.
pub(crate) type Run = Box<dyn FnMut(&str) -> bool>;

/// One way from a text to a value.
pub(crate) struct Contender {
    /// The row's name, which `--instructions` takes.
    pub(crate) name: &'static str,
    /// What is not done yet when the call returns, though its user will need some of it.
    pub(crate) later: &'static str,
    /// Makes the closure that is timed.
    pub(crate) start: fn() -> Run,
    /// What the contender read, for the check that comes before any timing.
    pub(crate) value: fn(&str) -> Option<Value>,
}

/// What everything on clean text is compared with.
pub(crate) const SERDE_JSON: Contender = Contender {
    name: "serde_json",
    later: "nothing",
    start: || Box::new(|text| keep(plain(text))),
    value: plain,
};

/// What everything on damaged text is compared with.
pub(crate) const LLM_JSON: Contender = Contender {
    name: "llm_json",
    later: "nothing",
    start: || Box::new(|text| keep(llm_json::loads(text, &Default::default()).ok())),
    value: |text| plain(&llm_json::loads(text, &Default::default()).ok()?.to_string()),
};

/// Our parser, its buffers kept from call to call.
pub(crate) const LLMJSON: Contender = Contender {
    name: "llmjson",
    later: "numbers, escapes",
    start: || {
        let mut parser = Parser::new();
        Box::new(move |text| {
            let document = parser.parse(text);
            let found = black_box(&document).root().is_some();
            parser.recycle(document);
            found
        })
    },
    value: ours,
};

/// Our parser without kept buffers: a new one for each text.
pub(crate) const LLMJSON_FRESH: Contender = Contender {
    name: "llmjson-fresh",
    later: "numbers, escapes",
    start: || Box::new(|text| keep(Some(llmjson_syntax::parse(text)))),
    value: ours,
};

/// What users call: a reply, no schema, the usual policy.
pub(crate) const LLMJSON_REPLY: Contender = Contender {
    name: "llmjson-reply",
    later: "numbers, escapes",
    start: || Box::new(|text| keep(Some(llmjson::parse(text, None)))),
    value: |text| plain(&llmjson::parse(text, None).to_json()?),
};

/// Our parser, then every number converted and every name and string decoded.
pub(crate) const LLMJSON_READ: Contender = Contender {
    name: "llmjson-read",
    later: "nothing",
    start: || {
        let mut parser = Parser::new();
        Box::new(move |text| {
            let document = parser.parse(text);
            let found = document.root().map(read).is_some();
            parser.recycle(document);
            found
        })
    },
    value: ours,
};

/// Our parser, then a `serde_json::Value` made of what it read.
pub(crate) const LLMJSON_VALUE: Contender = Contender {
    name: "llmjson-value",
    later: "nothing",
    start: || {
        let mut parser = Parser::new();
        Box::new(move |text| {
            let document = parser.parse(text);
            let found = keep(document.root().and_then(|root| root.to_value().ok()));
            parser.recycle(document);
            found
        })
    },
    value: |text| {
        let document = llmjson_syntax::parse(text);
        plain(&document.to_value().ok()?.to_string())
    },
};

/// Our parser as a strict one: whatever needed a repair is refused.
pub(crate) const LLMJSON_STRICT: Contender = Contender {
    name: "llmjson-strict",
    later: "numbers, escapes",
    start: || {
        let mut parser = Parser::new();
        Box::new(move |text| {
            let document = parser.parse(text);
            let strict = document.is_complete() && document.repairs().is_empty();
            let found = strict && black_box(&document).root().is_some();
            parser.recycle(document);
            found
        })
    },
    value: |text| {
        let document = llmjson_syntax::parse(text);
        let strict = document.is_complete() && document.repairs().is_empty();
        plain(&document.to_json().filter(|_| strict)?)
    },
};

/// sonic-rs: numbers converted and strings decoded, strings borrowed from its copy of the text.
pub(crate) const SONIC_RS: Contender = Contender {
    name: "sonic-rs",
    later: "nothing",
    start: || Box::new(|text| keep(sonic_rs::from_str::<sonic_rs::Value>(text).ok())),
    value: |text| {
        let value: sonic_rs::Value = sonic_rs::from_str(text).ok()?;
        plain(&sonic_rs::to_string(&value).ok()?)
    },
};

/// simd-json's tape with its buffers kept: numbers converted and strings decoded, in a copy of the text that it writes into.
pub(crate) const SIMD_JSON: Contender = Contender {
    name: "simd-json",
    later: "nothing",
    start: || {
        let (mut bytes, mut buffers) = (Vec::new(), simd_json::Buffers::default());
        Box::new(move |text| {
            bytes.clear();
            bytes.extend_from_slice(text.as_bytes());
            keep(simd_json::to_tape_with_buffers(&mut bytes, &mut buffers).ok())
        })
    },
    value: |text| {
        let value = simd_json::to_owned_value(&mut text.as_bytes().to_vec()).ok()?;
        plain(&simd_json::prelude::Writable::encode(&value))
    },
};

/// jiter, reading what is there of a text that was cut off.
pub(crate) const JITER: Contender = Contender {
    name: "jiter",
    later: "nothing",
    start: || Box::new(|text| keep(jiter_value(text))),
    value: |text| jiter_value(text).as_ref().map(from_jiter),
};

/// jsonrepair-rs writes repaired text, which serde_json then reads.
pub(crate) const JSONREPAIR_RS: Contender = Contender {
    name: "jsonrepair-rs",
    later: "nothing",
    start: || {
        Box::new(|text| {
            keep(
                jsonrepair_rs::jsonrepair(text)
                    .ok()
                    .and_then(|text| plain(&text)),
            )
        })
    },
    value: |text| plain(&jsonrepair_rs::jsonrepair(text).ok()?),
};

/// Every contender, for the command line.
pub(crate) const ALL: [&Contender; 11] = [
    &SERDE_JSON,
    &SONIC_RS,
    &SIMD_JSON,
    &JITER,
    &LLM_JSON,
    &JSONREPAIR_RS,
    &LLMJSON,
    &LLMJSON_FRESH,
    &LLMJSON_READ,
    &LLMJSON_VALUE,
    &LLMJSON_STRICT,
];

/// Lets the optimizer neither skip making the value nor dropping it.
fn keep<T>(value: Option<T>) -> bool {
    black_box(&value).is_some()
}

pub(crate) fn plain(text: &str) -> Option<Value> {
    serde_json_plain::from_str(text).ok()
}

pub(crate) fn ours(text: &str) -> Option<Value> {
    plain(&llmjson_syntax::parse(text).to_json()?)
}

/// Converts and decodes everything.
fn read(value: ValueRef<'_>) {
    for entry in Source::of(value).walk() {
        drop(black_box(entry.name()));
        match entry.kind() {
            EntryKind::Null | EntryKind::Array | EntryKind::Object => {}
            EntryKind::False | EntryKind::True => drop(black_box(entry.kind())),
            EntryKind::Integer => drop(black_box(entry.as_i64())),
            EntryKind::Float => drop(black_box(entry.as_f64())),
            EntryKind::String => drop(black_box(entry.decoded())),
        }
    }
}

pub(crate) fn jiter_value(text: &str) -> Option<JsonValue<'_>> {
    JsonValue::parse_with_config(text.as_bytes(), false, PartialMode::TrailingStrings).ok()
}

fn from_jiter(value: &JsonValue<'_>) -> Value {
    match value {
        JsonValue::Null => Value::Null,
        JsonValue::Bool(value) => (*value).into(),
        JsonValue::Int(value) => (*value).into(),
        JsonValue::BigInt(value) => plain(&value.to_string()).unwrap_or_default(),
        // By way of its text, as all others, so that all round alike.
        JsonValue::Float(value) => plain(&Value::from(*value).to_string()).unwrap_or_default(),
        JsonValue::Str(value) => value.to_string().into(),
        JsonValue::Array(items) => items.iter().map(from_jiter).collect(),
        JsonValue::Object(members) => members
            .iter()
            .map(|(name, value)| (name.to_string(), from_jiter(value)))
            .collect(),
    }
}

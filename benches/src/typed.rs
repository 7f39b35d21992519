//! The records of the lists as a Rust type, and who reads a text into it.

use llmjson::DeserializeExt;
use std::hint::black_box;

use llmjson_syntax::Parser;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json_plain::Value;

use crate::contenders::Contender;

/// Who reads a text into a Rust type, the base first.
pub(crate) const READERS: [&Contender; 7] = [
    &SERDE_JSON_TYPED,
    &SERDE_JSON_ROUNDTRIP_TYPED,
    &SERDE_JSON_VALUE_TYPED,
    &SONIC_RS_TYPED,
    &LLMJSON_TYPED,
    &LLMJSON_SHAPE_TYPED,
    &LLMJSON_DOCUMENT_TYPED,
];

#[derive(Serialize, Deserialize, JsonSchema)]
struct Orders {
    total: u64,
    orders: Vec<Order>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct Order {
    id: u64,
    order_number: String,
    customer_name: String,
    email: String,
    status: Status,
    quantity: u32,
    unit_price: f64,
    discount: Option<f64>,
    is_gift: bool,
    created_at: String,
    tags: Vec<String>,
    latitude: f64,
    note: String,
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Status {
    Open,
    Paid,
    Shipped,
    Returned,
}

/// serde_json straight into the type.
const SERDE_JSON_TYPED: Contender = Contender {
    name: "serde_json-typed",
    later: "nothing",
    start: || Box::new(|text| found(direct(text))),
    value: |text| written(direct(text)),
};

/// serde_json with exact floats, as it is in every program that has jsonschema in it.
const SERDE_JSON_ROUNDTRIP_TYPED: Contender = Contender {
    name: "serde_json-roundtrip-typed",
    later: "nothing",
    start: || Box::new(|text| found(serde_json::from_str(text).ok())),
    value: |text| written(serde_json::from_str(text).ok()),
};

/// serde_json by way of its `Value`.
const SERDE_JSON_VALUE_TYPED: Contender = Contender {
    name: "serde_json-value-typed",
    later: "nothing",
    start: || Box::new(|text| found(by_value(text))),
    value: |text| written(by_value(text)),
};

/// sonic-rs straight into the type.
const SONIC_RS_TYPED: Contender = Contender {
    name: "sonic-rs-typed",
    later: "nothing",
    start: || Box::new(|text| found(sonic_rs::from_str(text).ok())),
    value: |text| written(sonic_rs::from_str(text).ok()),
};

/// What takes damaged replies too.
const LLMJSON_TYPED: Contender = Contender {
    name: "llmjson-typed",
    later: "nothing",
    start: || Box::new(|text| found(llmjson::from_str(text).ok())),
    value: |text| written(llmjson::from_str(text).ok()),
};

/// What repairs the shape of valid JSON.
const LLMJSON_SHAPE_TYPED: Contender = Contender {
    name: "llmjson-shape-typed",
    later: "nothing",
    start: || Box::new(|text| found(llmjson::compat::shape::from_str(text).ok())),
    value: |text| written(llmjson::compat::shape::from_str(text).ok()),
};

/// By way of our document, as for a text that needs repairs; the parser is kept.
const LLMJSON_DOCUMENT_TYPED: Contender = Contender {
    name: "llmjson-document-typed",
    later: "nothing",
    start: || {
        let mut parser = Parser::new();
        Box::new(move |text| {
            let document = parser.parse(text);
            let found = found(document.deserialize().ok());
            parser.recycle(document);
            found
        })
    },
    value: |text| written(llmjson_syntax::parse(text).deserialize().ok()),
};

fn direct(text: &str) -> Option<Orders> {
    serde_json_plain::from_str(text).ok()
}

fn by_value(text: &str) -> Option<Orders> {
    serde_json_plain::from_value(serde_json_plain::from_str(text).ok()?).ok()
}

fn found(orders: Option<Orders>) -> bool {
    black_box(&orders).is_some()
}

/// By way of its text, as all others, so that all round alike.
fn written(orders: Option<Orders>) -> Option<Value> {
    serde_json_plain::from_str(&serde_json_plain::to_string(&orders?).ok()?).ok()
}

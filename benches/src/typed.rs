//! The records of the lists as a Rust type, and who reads a text into it.

use std::hint::black_box;

use llmjson_syntax::Parser;
use serde::{Deserialize, Serialize};
use serde_json_plain::Value;

use crate::contenders::Contender;

/// Who reads a text into a Rust type, the base first.
pub(crate) const READERS: [&Contender; 4] = [
    &SERDE_JSON_TYPED,
    &SERDE_JSON_VALUE_TYPED,
    &SONIC_RS_TYPED,
    &LLMJSON_TYPED,
];

#[derive(Serialize, Deserialize)]
struct Orders {
    total: u64,
    orders: Vec<Order>,
}

#[derive(Serialize, Deserialize)]
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

#[derive(Serialize, Deserialize)]
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

/// Our parser, its buffers kept from call to call, and then the type.
const LLMJSON_TYPED: Contender = Contender {
    name: "llmjson-typed",
    later: "nothing",
    start: || {
        let mut parser = Parser::new();
        Box::new(move |text| {
            let document = parser.parse(text);
            let found = found(llmjson::from_document(&document).ok());
            parser.recycle(document);
            found
        })
    },
    value: |text| written(llmjson::from_str(text).ok()),
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

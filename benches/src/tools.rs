//! The arguments of a tool call bound to a Rust type, and those who read them into it.

use std::hint::black_box;

use llmjson::tools::{Registry, Tool};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json_plain::Value;

use crate::contenders::Contender;

/// The arguments as they should be; what serde_json reads.
pub(crate) const CLEAN: &str = r#"{"customer_name": "Ada Lovelace", "email": "ada@example.org", "street": "12 St James's Square", "city": "London", "zip_code": "SW1Y 4JH", "quantity": 3, "unit_price": 19.75, "express": true, "notes": "Leave it with the neighbour if nobody opens the door.", "tags": ["books", "gift", "fragile"]}"#;

/// The same arguments as models write them.
pub(crate) const CALLS: [(&str, &str); 4] = [
    ("clean", CLEAN),
    (
        "a text",
        r#"{"customer_name": "Ada Lovelace", "email": "ada@example.org", "street": "12 St James's Square", "city": "London", "zip_code": "SW1Y 4JH", "quantity": "3", "unit_price": 19.75, "express": true, "notes": "Leave it with the neighbour if nobody opens the door.", "tags": ["books", "gift", "fragile"]}"#,
    ),
    (
        "a name, a text",
        r#"{"customer_name": "Ada Lovelace", "email": "ada@example.org", "street": "12 St James's Square", "city": "London", "zip": "SW1Y 4JH", "quantity": "3", "unit_price": 19.75, "express": true, "notes": "Leave it with the neighbour if nobody opens the door.", "tags": ["books", "gift", "fragile"]}"#,
    ),
    (
        "2 names, 3 texts",
        r#"{"customerName": "Ada Lovelace", "email": "ada@example.org", "street": "12 St James's Square", "city": "London", "zip": "SW1Y 4JH", "quantity": "3", "unit_price": "19.75", "express": "true", "notes": "Leave it with the neighbour if nobody opens the door.", "tags": ["books", "gift", "fragile"],}"#,
    ),
];

#[derive(Serialize, Deserialize, JsonSchema)]
struct Order {
    customer_name: String,
    email: String,
    street: String,
    city: String,
    zip_code: String,
    quantity: u32,
    unit_price: f64,
    express: bool,
    notes: Option<String>,
    tags: Vec<String>,
}

/// serde_json straight into the type.
pub(crate) const SERDE_JSON_ARGUMENTS: Contender = Contender {
    name: "serde_json-arguments",
    later: "nothing",
    start: || Box::new(|text| black_box(direct(text)).is_some()),
    value: |text| written(direct(text)),
};

/// The registry, which is made once.
pub(crate) const LLMJSON_BIND: Contender = Contender {
    name: "llmjson-bind",
    later: "the report's entries",
    start: || {
        let registry = registry();
        Box::new(move |text| black_box(bound(&registry, text)).is_some())
    },
    value: |text| written(bound(&registry(), text)),
};

fn direct(text: &str) -> Option<Order> {
    serde_json_plain::from_slice(text.as_bytes()).ok()
}

fn bound(registry: &Registry, text: &str) -> Option<Order> {
    let bound = registry.bind::<Order>("order", text).ok()?;
    Some(bound.value)
}

fn registry() -> Registry {
    let tool = Tool::new("order", "Orders books.");
    let builder = Registry::builder().register::<Order>(tool);
    builder.build().expect("the tool can be used")
}

fn written(order: Option<Order>) -> Option<Value> {
    serde_json_plain::to_value(order?).ok()
}

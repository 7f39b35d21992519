//! The loop that llmjson is made for: read a reply, validate it, write feedback, read the next one.
//!
//! The model is a script here: first replies that are damaged and wrong, then the corrected ones.
//! Run with `cargo run -p llmjson --example feedback_loop`.

#![expect(clippy::print_stdout, reason = "an example talks to a person")]

use llmjson::{Schema, stringify};
use serde_json::json;

const ROUNDS_MAX: usize = 3;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let order = Schema::compile(&json!({
        "type": "object",
        "properties": {
            "order": {
                "type": "object",
                "properties": {
                    "payment": {
                        "oneOf": [{"$ref": "#/$defs/card"}, {"$ref": "#/$defs/bank"}],
                        "discriminator": {"propertyName": "type"}
                    },
                    "product": {
                        "type": "object",
                        "properties": {
                            "name": {"type": "string"},
                            "price": {"type": "number", "minimum": 0},
                            "quantity": {"type": "integer", "minimum": 1}
                        },
                        "required": ["name", "price", "quantity"]
                    },
                    "customer": {
                        "type": "object",
                        "properties": {
                            "name": {"type": "string"},
                            "email": {"type": "string", "format": "email"},
                            "vip": {"type": "boolean"}
                        },
                        "required": ["name", "email", "vip"]
                    }
                },
                "required": ["payment", "product", "customer"]
            }
        },
        "required": ["order"],
        "$defs": {
            "card": {
                "type": "object",
                "properties": {"type": {"const": "card"}, "cardNumber": {"type": "string"}},
                "required": ["type", "cardNumber"]
            },
            "bank": {
                "type": "object",
                "properties": {"type": {"const": "bank"}, "account": {"type": "string"}},
                "required": ["type", "account"]
            }
        }
    }))?;
    talk(
        "order",
        &order,
        &[
            "Here you go!\n```json\n{order: {\n  payment: \"{\\\"type\\\": \\\"card\\\", \\\"cardNumber\\\": 4111111111111111\",\n  \
         product: {name: 'Desk lamp', price: -39.9, quantity: 2.5,},\n  \
         customer: {name: \"Ada\", email: \"ada at example\", vip: \"yes\"}\n}}\n```",
            "{\"order\": {\"payment\": {\"type\": \"card\", \"cardNumber\": \"4111111111111111\"}, \"product\": \
         {\"name\": \"Desk lamp\", \"price\": 39.9, \"quantity\": 2}, \"customer\": {\"name\": \"Ada\", \
         \"email\": \"ada@example.com\", \"vip\": true}}}",
        ],
    );

    let member = Schema::compile(&json!({
        "type": "object",
        "properties": {
            "id": {"type": "string", "format": "uuid"},
            "email": {"type": "string", "format": "email"},
            "age": {"type": "integer", "exclusiveMinimum": 19, "maximum": 100}
        },
        "required": ["id", "email", "age"]
    }))?;
    talk(
        "member",
        &member,
        &[
            "{\"id\": \"not-a-uuid\", \"email\": \"somebody@example.com\", \"age\": \"nineteen\"",
            "{\"id\": \"7f9c24e8-3b12-4fef-91d0-5d2f64c2a111\", \"email\": \"somebody@example.com\", \"age\": \"20\"}",
        ],
    );
    Ok(())
}

/// Reads one reply after the other until one fits.
fn talk(what: &str, schema: &Schema, replies: &[&str]) {
    println!("== {what}");
    for (round, reply) in replies.iter().take(ROUNDS_MAX).enumerate() {
        let parsed = llmjson::parse(reply, Some(schema));
        for repair in parsed.repairs() {
            println!("   read: {}", repair.kind.sentence());
        }
        for coercion in parsed.coercions() {
            println!(
                "   made fit: {} at {}",
                coercion.kind.sentence(),
                coercion.path
            );
        }
        match parsed.into_result() {
            Ok(document) => {
                println!(
                    "round {}: {}",
                    round + 1,
                    document.to_json().unwrap_or_default()
                );
                return;
            }
            Err(failure) => {
                println!("round {}: {failure}", round + 1);
                println!("{}", stringify(&failure));
            }
        }
    }
    println!("no reply fitted");
}

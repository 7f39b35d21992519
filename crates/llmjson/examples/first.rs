//! Parses a reply against a schema, and prints the value with the changes made to get it.
//!
//! ```sh
//! cargo run -p llmjson-book
//! ```
//!
//! `llmjson-book` builds it without the dev-dependencies of this crate; `cargo run -p llmjson --example first` works too.

#![allow(clippy::print_stdout)]

use llmjson::{Policy, Schema};

const SCHEMA: &str = r#"{
    "type": "object",
    "properties": {
        "city": {"type": "string"},
        "days": {"type": "integer", "minimum": 1},
        "stops": {"type": "array", "items": {"type": "string"}}
    },
    "required": ["city", "days"]
}"#;

const REPLIES: [&str; 2] = [
    "Sure! Here is the plan:\n```json\n{city: 'Oslo', \"days\": \"3\", \"stops\": \"Hamar\",}\n```",
    r#"{"city": "Oslo", "days": 0}"#,
];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let schema = Schema::from_text(SCHEMA)?;
    for reply in REPLIES {
        println!("--- the model wrote\n{reply}\n");
        let parsed = Policy::lenient().parse(reply, Some(&schema));
        for repair in parsed.repairs() {
            println!("{}, {}", repair.kind.sentence(), repair.class.name());
        }
        for coercion in parsed.coercions() {
            let (what, class) = (coercion.kind.sentence(), coercion.class.name());
            println!("{}: {what}, {class}", coercion.path);
        }
        match parsed.into_result() {
            Ok(document) => println!("\nthe value: {}\n", document.to_json().unwrap_or_default()),
            Err(failure) => println!("the model is told:\n{}", llmjson::stringify(&failure)),
        }
    }
    Ok(())
}

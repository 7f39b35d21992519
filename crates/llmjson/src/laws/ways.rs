//! All ways to parse a text, each with its measured cost. A test uses them to search for texts that
//! violate the law of work, and the benchmarks to find uncounted work.

use std::rc::Rc;

use llmjson_schema::Schema;
use llmjson_syntax::laws::work::{
    Cost, cost_of_parse, cost_of_parse_all, cost_of_stream, cost_of_stream_all,
};

use super::{
    calls::{cost_of_call_stream, cost_of_calls},
    work::{cost_of_arguments, cost_of_coerced_stream, cost_with_schema},
};
use crate::tools::{Registry, Tool};

/// Lengths of the pieces of a streamed text.
const PIECES: [usize; 4] = [1, 7, 64, usize::MAX];

/// Schemas that exercise different readings: similar names, unions with and without a tag, strings,
/// numbers, nested objects.
const SCHEMAS: [(&str, &str); 5] = [
    (
        "record",
        r##"{"type":"object","properties":{"a":{"type":"integer"},"note":{"type":"string"},"tags":{"type":"array","items":{"type":"string"}},"next":{"$ref":"#"}},"required":["a"],"additionalProperties":false}"##,
    ),
    (
        "tagged",
        r##"{"oneOf":[{"type":"object","properties":{"a":{"const":"a"},"x":{"$ref":"#"}},"required":["a","x"]},{"type":"object","properties":{"a":{"const":"b"},"y":{"type":"string"}},"required":["a","y"]},{"type":"array","items":{"$ref":"#"}}]}"##,
    ),
    (
        "untagged",
        r##"{"anyOf":[{"type":"array","items":{"$ref":"#"}},{"type":"object","properties":{"a":{"$ref":"#"}},"required":["a"]},{"type":"object","additionalProperties":{"type":"number"}},{"type":"boolean"},{"enum":["word","true",1,null]}]}"##,
    ),
    (
        "list",
        r#"{"type":"array","items":{"type":["integer","boolean"]},"uniqueItems":true}"#,
    ),
    ("text", r#"{"type":"string","pattern":"^[a-z]+$"}"#),
];

/// The parameters of the tool whose calls are searched for.
const PARAMETERS: &str = r#"{"type":"object","properties":{"query":{"type":"string"},"limit":{"type":"integer"},"tags":{"type":"array","items":{"type":"string"}}},"required":["query"]}"#;

/// One way to parse a text.
pub struct Way {
    /// The name shown in a table of results.
    pub name: String,
    cost: Box<dyn Fn(&str) -> Cost>,
}

impl Way {
    /// Creates a way with this name.
    pub fn new(name: impl Into<String>, cost: impl Fn(&str) -> Cost + 'static) -> Self {
        Self {
            name: name.into(),
            cost: Box::new(cost),
        }
    }

    /// Parses a text and returns the cost.
    #[must_use]
    pub fn cost(&self, text: &str) -> Cost {
        (self.cost)(text)
    }
}

/// Returns all ways.
///
/// # Panics
///
/// If one of the schemas here is invalid.
#[must_use]
pub fn ways() -> Vec<Way> {
    let mut ways = without_a_schema();
    ways.extend(with_schemas());
    ways.extend(for_calls());
    ways
}

fn without_a_schema() -> Vec<Way> {
    let mut ways = vec![
        Way::new("parse", cost_of_parse),
        Way::new("parse_all", cost_of_parse_all),
    ];
    for length in PIECES {
        let shown = match length {
            usize::MAX => "whole".to_owned(),
            _ => format!("by {length}"),
        };
        let one = move |text: &str| cost_of_stream(text, || length);
        let all = move |text: &str| cost_of_stream_all(text, || length);
        ways.push(Way::new(format!("stream {shown}"), one));
        ways.push(Way::new(format!("stream all {shown}"), all));
    }
    ways
}

fn with_schemas() -> Vec<Way> {
    let mut ways = Vec::new();
    for (name, schema) in SCHEMAS {
        let schema = Rc::new(Schema::from_text(schema).expect("the schemas above are right"));
        let of_parse = Rc::clone(&schema);
        let cost = move |text: &str| cost_with_schema(text, &of_parse);
        ways.push(Way::new(format!("parse {name}"), cost));
        if name == SCHEMAS[0].0 {
            let of_arguments = Rc::clone(&schema);
            let cost = move |text: &str| cost_of_arguments(text, &of_arguments);
            ways.push(Way::new(format!("arguments {name}"), cost));
            let cost = move |text: &str| cost_of_coerced_stream(text, &schema, || 7);
            ways.push(Way::new(format!("stream {name} by 7"), cost));
        }
    }
    ways
}

fn for_calls() -> Vec<Way> {
    let search = Tool::new("search", "Searches.");
    let registry = Registry::builder().register_schema(search, PARAMETERS);
    let registry = registry.build();
    let registry = Rc::new(registry.expect("one tool has no rival"));
    let of_text = Rc::clone(&registry);
    let mut ways = vec![Way::new("calls", move |text: &str| {
        cost_of_calls(text, &of_text)
    })];
    for length in [7, 64] {
        let registry = Rc::clone(&registry);
        let cost = move |text: &str| cost_of_call_stream(text, &registry, || length);
        ways.push(Way::new(format!("calls by {length}"), cost));
    }
    ways
}

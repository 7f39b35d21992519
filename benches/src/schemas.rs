//! Schemas of several kinds, and who compiles them.

use std::fmt::Write as _;
use std::hint::black_box;

use llmjson_schema::Schema;
use serde_json_plain::Value;

use crate::contenders::Contender;
use crate::orders;

/// The names of the schemas.
pub(crate) const SCHEMAS: [&str; 6] = ["tool", "order", "tree", "flat100", "enum500", "defs200"];

/// Who compiles, the base first.
pub(crate) const COMPILERS: [&Contender; 3] = [
    &Contender {
        name: "compile-jsonschema",
        later: "nothing",
        start: || {
            let mut parsed = None;
            Box::new(move |text| {
                let schema = parsed.get_or_insert_with(|| value(text));
                black_box(&validator(schema));
                true
            })
        },
        value: |text| Some(validator(&value(text)).is_valid(&instance(text)).into()),
    },
    &Contender {
        name: "compile-llmjson",
        later: "what nobody has asked for yet",
        start: || {
            let mut parsed = None;
            Box::new(move |text| {
                let schema = parsed.get_or_insert_with(|| value(text));
                black_box(Schema::compile(schema)).is_ok()
            })
        },
        value: |text| judged(text, &Schema::compile(&value(text)).ok()?),
    },
    &Contender {
        name: "compile-llmjson-text",
        later: "what nobody has asked for yet",
        start: || Box::new(|text| black_box(Schema::from_text(text)).is_ok()),
        value: |text| judged(text, &Schema::from_text(text).ok()?),
    },
];

fn value(text: &str) -> serde_json::Value {
    serde_json::from_str(text).expect("the schema is JSON")
}

fn validator(schema: &serde_json::Value) -> jsonschema::Validator {
    let options = jsonschema::options().should_validate_formats(true);
    options.build(schema).expect("the schema is valid")
}

/// Something that the schema is asked about, so that its judges can be compared.
fn instance(text: &str) -> serde_json::Value {
    (text.len() % 2).to_string().into()
}

fn judged(text: &str, schema: &Schema) -> Option<Value> {
    let text = instance(text).to_string();
    let document = llmjson_syntax::parse(&text);
    Some(schema.is_valid(document.root()?).into())
}

/// The text of a schema.
pub(crate) fn schema(name: &str) -> String {
    match name {
        "order" => orders::SCHEMA.to_owned(),
        "tree" => TREE.to_owned(),
        "flat100" => listed(100, r#"{"type":"object","properties":{"#, "}}", |number| {
            format!(
                "\"field_{number}\":{{\"type\":[\"string\",\"null\"],\"maxLength\":100,\
                 \"description\":\"what is told about it\"}}"
            )
        }),
        "enum500" => listed(500, r#"{"enum":["#, "]}", |number| {
            format!("\"value_{number}\"")
        }),
        "defs200" => listed(200, r##"{"$ref":"#/$defs/d0","$defs":{"##, "}}", |number| {
            let next = (number + 1) % 200;
            format!(
                "\"d{number}\":{{\"type\":\"object\",\"properties\":{{\"kind\":{{\"const\":\"k{number}\"}},\
                 \"next\":{{\"$ref\":\"#/$defs/d{next}\"}},\"x\":{{\"type\":\"array\",\
                 \"items\":{{\"type\":\"number\"}}}}}},\"required\":[\"kind\"]}}"
            )
        }),
        _ => r#"{"type":"object","properties":{"city":{"type":"string"},"unit":{"enum":["C","F"]},"days":{"type":"integer"}},"required":["city"]}"#.to_owned(),
    }
}

/// So many parts between a beginning and an end.
fn listed(count: usize, open: &str, close: &str, part: impl Fn(usize) -> String) -> String {
    let mut text = open.to_owned();
    for number in 0..count {
        let comma = if number > 0 { "," } else { "" };
        write!(text, "{comma}{}", part(number)).expect("writing to a string does not fail");
    }
    text + close
}

const TREE: &str = r##"{"$ref": "#/$defs/node", "$defs": {
  "node": {"anyOf": [{"$ref": "#/$defs/add"}, {"$ref": "#/$defs/mul"}, {"$ref": "#/$defs/leaf"}]},
  "add": {"type": "object", "required": ["op", "left", "right"],
    "properties": {"op": {"const": "add"}, "left": {"$ref": "#/$defs/node"}, "right": {"$ref": "#/$defs/node"}}},
  "mul": {"type": "object", "required": ["op", "left", "right"],
    "properties": {"op": {"const": "mul"}, "left": {"$ref": "#/$defs/node"}, "right": {"$ref": "#/$defs/node"}}},
  "leaf": {"type": "object", "required": ["op", "value"],
    "properties": {"op": {"const": "leaf"}, "value": {"type": "number"}}}}}"##;

//! Values that nest unions deeply, with one wrong leaf or without.

use llmjson_schema::{CoerceOptions, Schema};
use llmjson_syntax::Parser;

use crate::contenders::Contender;
use crate::orders::judge;
use crate::schemas;

/// The names of the texts.
pub(crate) const NESTED: [&str; 4] = ["list500", "list500-wrong", "tree200", "tree200-wrong"];

/// Who judges. Others cannot be asked: serde_json goes no deeper than 128 levels.
pub(crate) const JUDGES: [&Contender; 2] = [
    &Contender {
        name: "llmjson+validate",
        later: "numbers, escapes",
        start: || {
            let (mut schema, mut parser) = (None, Parser::new());
            Box::new(move |text| {
                let schema = schema.get_or_insert_with(|| schema_of(text));
                judge(schema, &mut parser, None, text).is_some()
            })
        },
        value: |text| judge(&schema_of(text), &mut Parser::new(), None, text).map(Into::into),
    },
    &Contender {
        name: "llmjson+coerce+validate",
        later: "numbers, escapes",
        start: || {
            let (mut schema, mut parser) = (None, Parser::new());
            let options = CoerceOptions::default();
            Box::new(move |text| {
                let schema = schema.get_or_insert_with(|| schema_of(text));
                judge(schema, &mut parser, Some(&options), text).is_some()
            })
        },
        value: |text| {
            let options = CoerceOptions::default();
            judge(&schema_of(text), &mut Parser::new(), Some(&options), text).map(Into::into)
        },
    },
];

/// The text of that name.
pub(crate) fn text(name: &str) -> String {
    let (name, wrong) = match name.strip_suffix("-wrong") {
        Some(name) => (name, true),
        None => (name, false),
    };
    let leaf = if wrong { r#""x""# } else { "1" };
    let (open, core, levels) = match name {
        "tree200" => (
            r#"{"op":"mul","left":{"op":"leaf","value":1},"right":"#,
            format!(r#"{{"op":"leaf","value":{leaf}}}"#),
            200,
        ),
        _ => (
            r#"{"value":1,"next":"#,
            format!(r#"{{"value":{leaf},"next":null}}"#),
            499,
        ),
    };
    format!("{}{core}{}", open.repeat(levels), "}".repeat(levels))
}

/// The schema that a text is judged by.
fn schema_of(text: &str) -> Schema {
    let schema = match text.starts_with(r#"{"op""#) {
        true => schemas::schema("tree"),
        false => LIST.to_owned(),
    };
    Schema::from_text(&schema).expect("the schema is valid")
}

const LIST: &str = r##"{"$ref": "#/$defs/node", "$defs": {"node": {
  "type": "object", "required": ["value", "next"],
  "properties": {"value": {"type": "integer"}, "next": {"anyOf": [{"$ref": "#/$defs/node"}, {"type": "null"}]}}}}}"##;

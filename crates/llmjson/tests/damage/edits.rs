//! Edits at random: signs and words put in, taken out or exchanged between the tokens of a document, which no
//! operator describes.

use serde_json::json;

use crate::draft::{Draft, Kind, Token};
use crate::value::{Value, document};
use llmjson_testutil::Rng;

/// Signs that have a meaning in JSON or near it.
const SIGNS: &[&str] = &[
    "{", "}", "[", "]", ":", ",", "\"", "'", "(", ")", "=", ";", "<", ">", "/", "\\", "x", "0",
    "-", ".", "\n", "`", "*", "#",
];

/// Words that may slip in anywhere.
const WORDS: &[&str] = &[
    "and",
    "value",
    "null",
    "the",
    "note",
    "end",
    "json",
    "see above",
    "x1",
    "true",
    "item",
    "ok",
];

/// What was done to a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Edit {
    Delete,
    Insert,
    Replace,
    Word,
    Run,
    Two,
    Three,
}

impl Edit {
    pub(crate) const ALL: [(&'static str, Self); 7] = [
        ("a sign taken out", Self::Delete),
        ("a sign put in", Self::Insert),
        ("a sign exchanged", Self::Replace),
        ("a stray word", Self::Word),
        ("a run of signs", Self::Run),
        ("two edits", Self::Two),
        ("three edits", Self::Three),
    ];
}

/// An edited document, what it means, and a schema that its value has.
pub(crate) struct Edited {
    pub(crate) text: String,
    pub(crate) truth: Value,
    pub(crate) schema: serde_json::Value,
}

/// A document edited in this way, which is no JSON any more.
pub(crate) fn edited(edit: Edit, seed: u64) -> Edited {
    let attempt = |step: u64| {
        let mut rng = Rng::new(seed * 1000 + step + 900_000_000);
        let value = document(&mut rng);
        let mut tokens = Draft::new(&value, &mut rng).tokens;
        let edits = match edit {
            Edit::Two => 2,
            Edit::Three => 3,
            _ => 1,
        };
        for _ in 0..edits {
            let one = match edit {
                Edit::Two | Edit::Three => Edit::ALL[rng.below(5)].1,
                _ => edit,
            };
            apply(one, &mut tokens, &mut rng);
        }
        let text: String = tokens.iter().map(|token| token.raw.as_str()).collect();
        let is_json = serde_json::from_str::<serde::de::IgnoredAny>(&text).is_ok();
        (!is_json).then(|| Edited {
            text,
            schema: schema_of(&value),
            truth: value,
        })
    };
    let edited = (0..1000).find_map(attempt);
    edited.expect("some edit makes a document something else than JSON")
}

fn apply(edit: Edit, tokens: &mut Vec<Token>, rng: &mut Rng) {
    let at = rng.below(tokens.len());
    let sign = rng.pick(SIGNS);
    match edit {
        Edit::Insert => insert(tokens, at, sign.to_owned()),
        Edit::Word => insert(tokens, at, format!(" {} ", rng.pick(WORDS))),
        Edit::Run => {
            let count = rng.between(2, 4);
            insert(tokens, at, (0..count).map(|_| rng.pick(SIGNS)).collect());
        }
        _ => {
            let with = if edit == Edit::Delete { "" } else { sign };
            exchange(tokens, rng, with);
        }
    }
}

fn insert(tokens: &mut Vec<Token>, at: usize, raw: String) {
    let like = tokens[at].clone();
    tokens.insert(at, Token::noise(raw, &like));
}

/// Writes something else in place of a sign of JSON: a bracket, a comma, a colon, a quote.
fn exchange(tokens: &mut [Token], rng: &mut Rng, with: &str) {
    loop {
        let at = rng.below(tokens.len());
        let raw = &mut tokens[at].raw;
        match tokens[at].kind {
            // An edit may have taken the quote before a letter of several bytes.
            Kind::Key | Kind::Text
                if raw.len() > 1 && raw.ends_with('"') && raw.is_char_boundary(1) =>
            {
                let place = if rng.chance(50) { 0 } else { raw.len() - 1 };
                return raw.replace_range(place..=place, with);
            }
            Kind::OpenObject
            | Kind::CloseObject
            | Kind::OpenArray
            | Kind::CloseArray
            | Kind::Colon
            | Kind::Comma
                if !raw.is_empty() =>
            {
                return with.clone_into(raw);
            }
            _ => {}
        }
    }
}

/// A schema that declares what a value has, and no more.
pub(crate) fn schema_of(value: &Value) -> serde_json::Value {
    match value {
        Value::Null => json!({}),
        Value::Bool(_) => json!({ "type": "boolean" }),
        Value::Number(_) => json!({ "type": "number" }),
        Value::Text(_) => json!({ "type": "string" }),
        Value::Array(items) => {
            let mut kinds: Vec<serde_json::Value> = Vec::new();
            for item in items.iter().map(schema_of) {
                if !kinds.contains(&item) {
                    kinds.push(item);
                }
            }
            match &kinds[..] {
                [] => json!({ "type": "array" }),
                [one] => json!({ "type": "array", "items": one }),
                _ => json!({ "type": "array", "items": { "anyOf": kinds } }),
            }
        }
        Value::Object(members) => {
            let properties = members
                .iter()
                .map(|(name, value)| (name.clone(), schema_of(value)));
            let properties: serde_json::Map<_, _> = properties.collect();
            let required: Vec<_> = members.iter().map(|(name, _)| name).collect();
            json!({ "type": "object", "properties": properties, "required": required })
        }
    }
}

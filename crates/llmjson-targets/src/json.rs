//! JSON values to be written: members in order, numbers as text.

use llmjson_syntax::{ObjectWriter, write_string};

use super::arena::{Arena, Ix, Value};

/// A JSON value.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Json {
    Null,
    Bool(bool),
    /// The number's text.
    Number(String),
    Text(String),
    List(Vec<Json>),
    Object(Members),
}

/// The members of an object, in order.
pub(super) type Members = Vec<(String, Json)>;

impl Json {
    pub(super) fn text(text: &str) -> Self {
        Self::Text(text.to_owned())
    }

    pub(super) fn texts<'t>(texts: impl IntoIterator<Item = &'t str>) -> Self {
        Self::List(texts.into_iter().map(Self::text).collect())
    }

    pub(super) fn object<const N: usize>(members: [(&str, Self); N]) -> Self {
        Self::Object(
            members
                .map(|(name, value)| (name.to_owned(), value))
                .to_vec(),
        )
    }

    /// Returns an object schema with one member, which is required.
    pub(super) fn wrapper(name: &str, value: Self) -> Members {
        let members = [
            ("type", Self::text("object")),
            ("properties", Self::object([(name, value)])),
            ("required", Self::texts([name])),
        ];
        members
            .map(|(name, value)| (name.to_owned(), value))
            .to_vec()
    }

    pub(super) fn get(&self, name: &str) -> Option<&Self> {
        match self {
            Self::Object(members) => {
                let mut members = members.iter();
                members.find_map(|(one, value)| (one == name).then_some(value))
            }
            _ => None,
        }
    }

    pub(super) fn to_text(&self) -> String {
        let mut out = String::new();
        self.write(&mut out);
        out
    }

    fn write(&self, out: &mut String) {
        match self {
            Self::Null => out.push_str("null"),
            Self::Bool(value) => out.push_str(if *value { "true" } else { "false" }),
            Self::Number(text) => out.push_str(text),
            Self::Text(text) => write_string(text, out),
            Self::List(items) => {
                out.push('[');
                for (at, item) in items.iter().enumerate() {
                    if at > 0 {
                        out.push(',');
                    }
                    item.write(out);
                }
                out.push(']');
            }
            Self::Object(members) => {
                let mut object = ObjectWriter::open(out);
                for (name, value) in members {
                    value.write(object.member(name));
                }
                object.close();
            }
        }
    }
}

/// Copies a value from the original schema.
pub(super) fn of(arena: &Arena, ix: Ix) -> Json {
    match arena.get(ix) {
        Value::Null => Json::Null,
        Value::Bool(value) => Json::Bool(*value),
        Value::Number(text) => Json::Number(text.to_string()),
        Value::Text(text) => Json::text(text),
        Value::List(items) => Json::List(items.iter().map(|item| of(arena, *item)).collect()),
        Value::Object(members) => {
            let members = members.iter();
            Json::Object(
                members
                    .map(|(name, value)| (name.to_string(), of(arena, *value)))
                    .collect(),
            )
        }
    }
}

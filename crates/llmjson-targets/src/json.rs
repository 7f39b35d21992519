//! JSON values to be written: members in order, numbers as text.

use llmjson_syntax::{JsonOut, JsonText, ToJson};

use llmjson_schema::internal::source::{NodeIx as Ix, Source, Written};

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
        JsonText::of(self)
    }
}

impl ToJson for Json {
    fn put<O: JsonOut>(&self, out: &mut O) {
        match self {
            Self::Null => out.null(),
            Self::Bool(value) => out.boolean(*value),
            Self::Number(text) => out.number(text),
            Self::Text(text) => out.string(text),
            Self::List(items) => items[..].put(out),
            Self::Object(members) => out.object(|out| {
                for (name, value) in members {
                    out.member(name, value);
                }
            }),
        }
    }
}

/// Copies a value from the original schema.
pub(super) fn of(source: &Source, ix: Ix) -> Json {
    match source.get(ix) {
        Written::Null => Json::Null,
        Written::Bool(value) => Json::Bool(value),
        Written::Number(text) => Json::Number(text.to_owned()),
        Written::Text(text) => Json::text(text),
        Written::List(items) => Json::List(items.iter().map(|item| of(source, *item)).collect()),
        Written::Object => {
            let members = source.members(ix);
            let members = members.map(|(name, value)| (name.to_owned(), of(source, value)));
            Json::Object(members.collect())
        }
    }
}

/// Writes a value of the original schema.
pub(super) fn text_of(source: &Source, ix: Ix) -> String {
    of(source, ix).to_text()
}

/// Returns the text of a string that is not empty.
pub(super) fn non_empty_text(source: &Source, ix: Ix) -> Option<&str> {
    source.text(ix).filter(|text| !text.is_empty())
}

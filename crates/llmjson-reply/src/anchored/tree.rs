//! Values found by the notation readers, and their conversion to a document.

use std::ops::Range;

use llmjson_syntax::internal::{Builder, is_json_number};
use llmjson_syntax::{JsonOut, Kind, Span, ToJson, parse};

use super::place::{Key, Place, Places};

/// A place in the text.
pub(super) type Part = Range<usize>;

/// A value. Containers are nested at most as deep as readers allow.
#[derive(Clone, Debug)]
pub(super) enum Value {
    Null,
    /// A word, number or string as written, without quotes.
    Plain(Part),
    /// A string as written.
    Text(Part),
    /// A string in another form.
    Made(String),
    /// A value in JSON.
    Json(Part),
    List(Vec<Value>),
    Object(Vec<Member>),
}

/// A member of an object.
pub(super) type Member = (Name, Value);

/// A key, usually taken from the text, with its number if that is known.
#[derive(Clone, Debug)]
pub(super) enum Name {
    At(Span, Option<Key>),
    /// The schema's key of a member that the text does not name.
    Known(String),
}

impl Name {
    pub(super) fn at(part: Part, key: Option<Key>) -> Self {
        Self::At(span(&part), key)
    }

    pub(super) fn of<'n>(&'n self, text: &'n str) -> &'n str {
        match self {
            Self::At(part, _) => &text[part.range()],
            Self::Known(name) => name,
        }
    }
}

impl Value {
    /// Returns the number of members of all objects whose keys the schema has at their place, and
    /// the number of others. In an array, the item with the most counts.
    pub(super) fn count<'s>(
        &self,
        text: &str,
        place: Place<'s>,
        places: &Places<'s>,
    ) -> (usize, usize) {
        match self {
            Self::Object(_) if place.is_open() => (0, 0),
            Self::Object(members) => {
                members
                    .iter()
                    .fold((0, 0), |(known, other), (name, value)| {
                        let member = places.find_name(place, name, text);
                        let own = usize::from(member.is_some());
                        let inner = value.count(text, member.unwrap_or_default(), places);
                        (known + own + inner.0, other + 1 - own + inner.1)
                    })
            }
            Self::List(items) => {
                let place = place.item();
                items.iter().fold((0, 0), |(known, other), item| {
                    let (more, others) = item.count(text, place, places);
                    (known.max(more), other.max(others))
                })
            }
            _ => (0, 0),
        }
    }

    /// Returns the number of scalars.
    pub(super) fn leaves(&self) -> usize {
        match self {
            Self::List(items) => items.iter().map(Self::leaves).sum(),
            Self::Object(members) => members.iter().map(|(_, value)| value.leaves()).sum(),
            Self::Null => 0,
            Self::Made(made) if made.is_empty() => 0,
            _ => 1,
        }
    }

    /// Passes the value to a builder.
    pub(super) fn put(&self, text: &str, out: &mut Builder<'_>) {
        match self {
            Self::Null => out.null(),
            Self::Plain(part) => put_plain(part, text, out),
            Self::Text(part) => out.string_at(span(part)),
            Self::Made(made) => out.string(made),
            Self::Json(part) => match parse(&text[part.clone()]).root() {
                Some(root) => root.put(out),
                None => out.string_at(span(part)),
            },
            Self::List(items) => {
                out.open(Kind::Array);
                items.iter().for_each(|item| item.put(text, out));
                out.close(Kind::Array);
            }
            Self::Object(members) => {
                out.open(Kind::Object);
                for (name, value) in members {
                    match name {
                        Name::At(part, _) => out.name_at(*part),
                        Name::Known(name) => out.name(name),
                    }
                    value.put(text, out);
                }
                out.close(Kind::Object);
            }
        }
    }
}

pub(super) fn span(part: &Part) -> Span {
    // Longer texts are rejected before they are read.
    let offset = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
    Span::new(offset(part.start), offset(part.end))
}

/// Passes a word as the keyword or number with that JSON spelling, otherwise as a string.
fn put_plain(part: &Part, text: &str, out: &mut Builder<'_>) {
    match &text[part.clone()] {
        "true" => out.boolean(true),
        "false" => out.boolean(false),
        "null" | "~" | "" => out.null(),
        word if is_json_number(word.trim_end()) => out.number_at(span(part)),
        _ => out.string_at(span(part)),
    }
}

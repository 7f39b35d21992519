//! The type of the column of values, as it follows from a schema.

use std::collections::HashMap;
use std::sync::Arc;

use arrow_schema::{DataType, Field, Fields};
use llmjson::syntax::Kind;
use llmjson::{Outline, Schema};

use crate::options::Output;

/// Depth in the schema from which on values are JSON text.
const DEPTH_MAX: usize = 64;
/// Number of subschemas after which all further ones are JSON text.
const SUBSCHEMAS_MAX: usize = 20_000;

/// The type of values at one place.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum ValueType {
    /// Null alone.
    Nothing,
    Bool,
    Int,
    Float,
    Text,
    /// Numbers digit for digit, and texts.
    Exact,
    List(Box<ValueType>),
    /// Members in the order of the schema.
    Struct(Vec<(Arc<str>, ValueType)>),
    /// Values of any type: JSON text, as are the next two.
    Any,
    /// Objects of which no member is declared.
    OpenObject,
    /// Values of several types that no other type holds.
    Mixed,
}

impl ValueType {
    /// The type of the values of a schema.
    pub(crate) fn of(schema: Option<&Schema>, output: Output) -> Self {
        match schema {
            Some(schema) if output == Output::Struct => {
                let mut reader = OutlineReader {
                    path: Vec::new(),
                    left: SUBSCHEMAS_MAX,
                };
                reader.read(schema.outline())
            }
            _ => Self::Any,
        }
    }

    pub(crate) fn data_type(&self) -> DataType {
        match self {
            Self::Bool => DataType::Boolean,
            Self::Int => DataType::Int64,
            Self::Float => DataType::Float64,
            Self::List(items) => DataType::List(item_field(items.data_type())),
            Self::Struct(members) => {
                let members = members.iter();
                let fields =
                    members.map(|(name, member)| Field::new(&**name, member.data_type(), true));
                DataType::Struct(Fields::from_iter(fields))
            }
            Self::Nothing
            | Self::Text
            | Self::Exact
            | Self::Any
            | Self::OpenObject
            | Self::Mixed => DataType::Utf8,
        }
    }

    /// The type that holds the values of both.
    fn or(self, other: Self) -> Self {
        match (self, other) {
            (one, other) if one == other => one,
            (Self::Nothing, other) | (other, Self::Nothing) => other,
            (Self::Any, _) | (_, Self::Any) => Self::Any,
            (Self::List(one), Self::List(other)) => Self::List(Box::new(one.or(*other))),
            (Self::Struct(one), Self::Struct(other)) => joined(one, other, Self::or),
            (Self::OpenObject, Self::Struct(_)) | (Self::Struct(_), Self::OpenObject) => {
                Self::OpenObject
            }
            (Self::Int, Self::Float) | (Self::Float, Self::Int) => Self::Float,
            (one, other) if one.is_text_or_number() && other.is_text_or_number() => Self::Exact,
            _ => Self::Mixed,
        }
    }

    /// The type of the values that are of both.
    fn and(self, other: Self) -> Self {
        match (self, other) {
            (one, other) if one == other => one,
            (Self::Any, other) | (other, Self::Any) => other,
            (Self::List(one), Self::List(other)) => Self::List(Box::new(one.and(*other))),
            (Self::Struct(one), Self::Struct(other)) => joined(one, other, Self::and),
            (Self::OpenObject, object @ Self::Struct(_))
            | (object @ Self::Struct(_), Self::OpenObject) => object,
            (Self::Mixed, other) | (other, Self::Mixed) => other,
            (Self::Int, Self::Float) | (Self::Float, Self::Int) => Self::Int,
            (Self::Exact, other) | (other, Self::Exact) if other.is_text_or_number() => other,
            _ => Self::Nothing,
        }
    }

    fn is_text_or_number(&self) -> bool {
        matches!(self, Self::Text | Self::Exact | Self::Int | Self::Float)
    }
}

/// The field of the items of a list, named as Arrow's libraries do.
pub(crate) fn item_field(items: DataType) -> Arc<Field> {
    Arc::new(Field::new_list_field(items, true))
}

/// The members of both. What both have is of the type that `join` says.
fn joined(
    mut members: Vec<(Arc<str>, ValueType)>,
    others: Vec<(Arc<str>, ValueType)>,
    join: impl Fn(ValueType, ValueType) -> ValueType,
) -> ValueType {
    let places = members.iter().zip(0..);
    let places: HashMap<_, usize> = places.map(|((name, _), at)| (name.clone(), at)).collect();
    for (name, other) in others {
        match places.get(&name) {
            Some(&at) => {
                let own = std::mem::replace(&mut members[at].1, ValueType::Nothing);
                members[at].1 = join(own, other);
            }
            None => members.push((name, other)),
        }
    }
    ValueType::Struct(members)
}

/// Reads types out of a schema.
struct OutlineReader {
    /// The subschemas around the one that is being read.
    path: Vec<u32>,
    /// Number of subschemas that are still read.
    left: usize,
}

impl OutlineReader {
    fn read(&mut self, outline: Outline<'_>) -> ValueType {
        let is_recursive = self.path.contains(&outline.id());
        if is_recursive || self.left == 0 || self.path.len() >= DEPTH_MAX {
            return ValueType::Any;
        }
        self.left -= 1;
        self.path.push(outline.id());
        let mut found = self.read_own(outline);
        for part in outline.parts() {
            found = found.and(self.read(part));
        }
        let branches = outline.branches().map(|branch| self.read(branch));
        if let Some(union) = branches.reduce(ValueType::or) {
            found = found.and(union);
        }
        self.path.pop();
        found
    }

    /// The type that a subschema asks for without its parts and branches.
    fn read_own(&mut self, outline: Outline<'_>) -> ValueType {
        if outline.takes_all() {
            // Without `type` the keywords about objects and lists tell what is meant.
            return match self.read_object(outline) {
                ValueType::OpenObject if outline.items().is_some() => self.read_list(outline),
                ValueType::OpenObject => ValueType::Any,
                object => object,
            };
        }
        let kinds = [
            Kind::Bool,
            Kind::Number,
            Kind::String,
            Kind::Array,
            Kind::Object,
        ];
        let kinds = kinds.into_iter().filter(|kind| outline.takes(*kind));
        let types = kinds.map(|kind| match kind {
            Kind::Null => ValueType::Nothing,
            Kind::Bool => ValueType::Bool,
            Kind::Number if outline.format() == Some("decimal") => ValueType::Exact,
            Kind::Number if outline.takes_fractions() => ValueType::Float,
            Kind::Number => ValueType::Int,
            Kind::String => ValueType::Text,
            Kind::Array => self.read_list(outline),
            Kind::Object => self.read_object(outline),
        });
        types.reduce(ValueType::or).unwrap_or(ValueType::Nothing)
    }

    fn read_object(&mut self, outline: Outline<'_>) -> ValueType {
        let properties = outline.properties();
        let members: Vec<_> = properties
            .map(|(name, property)| (Arc::from(name), self.read(property)))
            .collect();
        match members.is_empty() {
            true => ValueType::OpenObject,
            false => ValueType::Struct(members),
        }
    }

    fn read_list(&mut self, outline: Outline<'_>) -> ValueType {
        let rest = outline.items();
        let items = outline.prefix().chain(rest).map(|items| self.read(items));
        // Where no more items are allowed, nothing is said of what they are.
        let mut items = items.filter(|items| *items != ValueType::Nothing);
        let first = items.next();
        let is_alike = items.all(|other| first.as_ref() == Some(&other));
        match (first, rest.is_some() || outline.prefix().len() > 0) {
            (Some(first), _) if is_alike => ValueType::List(Box::new(first)),
            (Some(_), _) => ValueType::Mixed,
            (None, true) => ValueType::List(Box::new(ValueType::Nothing)),
            (None, false) => ValueType::List(Box::new(ValueType::Any)),
        }
    }
}

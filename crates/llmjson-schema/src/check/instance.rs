//! A document as the instance that `jsonschema` validates: borrowed in place, nothing copied.
//!
//! Errors are written elsewhere, from the document itself, so the copy of the instance that every
//! error of `jsonschema` would keep is always `null` here.

use std::borrow::Cow;

use jsonschema::JsonType;
use jsonschema::json::{self, Json, JsonNumber, NodeIdentity};
use llmjson_syntax::{Items, Kind, Members, ValueRef};
use serde_json::{Number, Value};

use crate::base::equality;
use crate::ir::bounds::string_length;
use crate::ir::shape;

/// Tells `jsonschema` that instances are documents.
pub(crate) struct Tape;

/// A value of a document, or the name of a member where `propertyNames` judges names.
#[derive(Clone, Copy)]
pub(crate) enum Instance<'d> {
    Value(ValueRef<'d>),
    Text(&'d str),
}

impl Json for Tape {
    type Node<'a> = Instance<'a>;
    type PreparedKey = Box<str>;
    type StringBuffer = ();

    // A lookup goes over the members, so one pass over them is worth it from the second on.
    const KEYS_PER_LOOKUP: usize = 8;

    fn prepare_key(key: &str) -> Box<str> {
        key.into()
    }

    fn with_string_node<T>((): &mut (), text: &str, f: impl FnOnce(Instance<'_>) -> T) -> T {
        f(Instance::Text(text))
    }
}

impl<'a> json::Node<'a, Tape> for Instance<'a> {
    type Object = Container<'a>;
    type Array = Container<'a>;
    type Number = NumberText<'a>;

    #[inline]
    fn as_object(&self) -> Option<Container<'a>> {
        match self {
            Self::Value(value) if value.kind() == Kind::Object => Some(Container(*value)),
            _ => None,
        }
    }

    #[inline]
    fn as_array(&self) -> Option<Container<'a>> {
        match self {
            Self::Value(value) if value.kind() == Kind::Array => Some(Container(*value)),
            _ => None,
        }
    }

    #[inline]
    fn as_string(&self) -> Option<Cow<'a, str>> {
        match self {
            Self::Value(value) => value.as_str(),
            Self::Text(text) => Some(Cow::Borrowed(text)),
        }
    }

    #[inline]
    fn as_number(&self) -> Option<NumberText<'a>> {
        match self {
            Self::Value(value) => value.as_number().map(|_| NumberText(*value)),
            Self::Text(_) => None,
        }
    }

    #[inline]
    fn as_boolean(&self) -> Option<bool> {
        match self {
            Self::Value(value) => value.as_bool(),
            Self::Text(_) => None,
        }
    }

    #[inline]
    fn is_null(&self) -> bool {
        matches!(self, Self::Value(value) if value.is_null())
    }

    #[inline]
    fn is_number(&self) -> bool {
        matches!(self, Self::Value(value) if value.kind() == Kind::Number)
    }

    #[inline]
    fn is_string(&self) -> bool {
        match self {
            Self::Value(value) => value.kind() == Kind::String,
            Self::Text(_) => true,
        }
    }

    #[inline]
    fn json_type(&self) -> JsonType {
        match self {
            Self::Text(_) => JsonType::String,
            Self::Value(value) => match value.kind() {
                Kind::Null => JsonType::Null,
                Kind::Bool => JsonType::Boolean,
                Kind::Number => JsonType::Number,
                Kind::String => JsonType::String,
                Kind::Array => JsonType::Array,
                Kind::Object => JsonType::Object,
            },
        }
    }

    fn string_length(&self) -> Option<u64> {
        match self {
            Self::Value(value) => string_length(*value),
            Self::Text(text) => Some(text.chars().count() as u64),
        }
    }

    fn equals_value(&self, expected: &Value) -> bool {
        match self {
            Self::Value(value) => equals(*value, expected),
            Self::Text(text) => expected.as_str() == Some(text),
        }
    }

    fn to_value(&self) -> Cow<'a, Value> {
        Cow::Owned(Value::Null)
    }

    #[inline]
    fn identity(&self) -> Option<NodeIdentity> {
        Some(match self {
            Self::Value(value) => {
                NodeIdentity::tagged(value.document_address(), value.id().index() as u32)
            }
            Self::Text(text) => NodeIdentity::tagged(text.as_ptr() as usize, u32::MAX),
        })
    }

    #[inline]
    fn container_identity(&self) -> Option<NodeIdentity> {
        match self {
            Self::Value(value) if matches!(value.kind(), Kind::Array | Kind::Object) => {
                self.identity()
            }
            _ => None,
        }
    }
}

/// Returns `true` if a value is the one that a schema names. Goes as deep as the schema's value
/// does.
fn equals(value: ValueRef<'_>, expected: &Value) -> bool {
    match expected {
        Value::Null => value.is_null(),
        Value::Bool(expected) => value.as_bool() == Some(*expected),
        Value::String(expected) => match value.raw_str() {
            Some((raw, false)) => raw == expected,
            Some((_, true)) => value.as_str().as_deref() == Some(expected),
            None => false,
        },
        Value::Number(expected) => value
            .as_number()
            .is_some_and(|text| equality::number(text, expected)),
        Value::Array(expected) => {
            let mut pairs = value.items().zip(expected);
            value.kind() == Kind::Array
                && value.len() == expected.len()
                && pairs.all(|(item, expected)| equals(item, expected))
        }
        Value::Object(expected) => {
            let is_expected = |(name, member): (Cow<'_, str>, _)| {
                let expected = expected.get(&*name);
                expected.is_some_and(|expected| equals(member, expected))
            };
            value.kind() == Kind::Object
                && value.len() == expected.len()
                && value.members().all(is_expected)
        }
    }
}

/// A number, kept as text until it is needed.
#[derive(Clone, Copy)]
pub(crate) struct NumberText<'d>(ValueRef<'d>);

impl JsonNumber for NumberText<'_> {
    #[inline]
    fn as_u64(&self) -> Option<u64> {
        self.0.as_u64()
    }

    #[inline]
    fn as_i64(&self) -> Option<i64> {
        self.0.as_i64()
    }

    /// A number beyond all doubles is infinite, which compares with every bound as the number does. It is
    /// only compared: numbers are equal by their text.
    #[inline]
    fn as_f64(&self) -> Option<f64> {
        Some(self.0.as_f64().unwrap_or_else(|| {
            let negative = self.as_str().starts_with('-');
            if negative {
                f64::NEG_INFINITY
            } else {
                f64::INFINITY
            }
        }))
    }

    fn as_str(&self) -> Cow<'_, str> {
        Cow::Borrowed(self.0.as_number().unwrap_or_default())
    }

    fn to_number(&self) -> Cow<'_, Number> {
        let number = self
            .as_u64()
            .map(Number::from)
            .or_else(|| self.as_i64().map(Number::from));
        let number = number.or_else(|| self.0.as_f64().and_then(Number::from_f64));
        Cow::Owned(number.unwrap_or_else(|| 0.into()))
    }

    #[inline]
    fn is_integer(&self) -> bool {
        shape::is_integer(self.0)
    }
}

/// An object or an array.
#[derive(Clone, Copy)]
pub(crate) struct Container<'d>(ValueRef<'d>);

impl<'a> json::Object<'a, Tape> for Container<'a> {
    type Node = Instance<'a>;
    type MemberName = Cow<'a, str>;
    type MembersIter = MemberInstances<'a>;

    #[inline]
    fn len(&self) -> usize {
        self.0.len()
    }

    #[inline]
    fn get(&self, key: &Box<str>) -> Option<Instance<'a>> {
        self.0.get(key).map(Instance::Value)
    }

    #[inline]
    fn members(&self) -> MemberInstances<'a> {
        MemberInstances(self.0.members())
    }
}

impl<'a> json::Array<'a, Tape> for Container<'a> {
    type Node = Instance<'a>;
    type ElementsIter = ItemInstances<'a>;

    #[inline]
    fn len(&self) -> usize {
        self.0.len()
    }

    #[inline]
    fn elements(&self) -> ItemInstances<'a> {
        ItemInstances(self.0.items())
    }

    fn is_unique(&self) -> bool {
        equality::is_unique(self.0)
    }
}

pub(crate) struct MemberInstances<'d>(Members<'d>);

impl<'d> Iterator for MemberInstances<'d> {
    type Item = (Cow<'d, str>, Instance<'d>);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        self.0
            .next()
            .map(|(name, value)| (name, Instance::Value(value)))
    }
}

pub(crate) struct ItemInstances<'d>(Items<'d>);

impl<'d> Iterator for ItemInstances<'d> {
    type Item = Instance<'d>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        self.0.next().map(Instance::Value)
    }
}

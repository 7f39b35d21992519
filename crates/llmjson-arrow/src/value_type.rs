//! The type of the column of values, as it follows from a schema.

use std::collections::HashMap;
use std::sync::Arc;

use arrow_schema::{DataType, Field, TimeUnit};
use llmjson::syntax::Kind;
use llmjson::{Schema, internal::Outline};

use crate::moment::{PRECISION, SCALE};
use crate::options::Output;

/// Depth in the schema from which on values are JSON text.
const DEPTH_MAX: usize = 64;
/// Number of subschemas after which all further ones are JSON text.
const SUBSCHEMAS_MAX: usize = 20_000;

pub(crate) const UTC: &str = "UTC";
pub(crate) const UUID_BYTES: i32 = 16;
/// The name of the extension that readers know UUIDs by.
const UUID: [&str; 2] = ["ARROW:extension:name", "arrow.uuid"];
/// The pattern by which pydantic describes the text of a decimal; what follows are its bounds.
const DECIMAL_PATTERN: &str = r"^(?!^[-+.]*$)[+-]?0*";

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
    Date,
    Time,
    Moment,
    Decimal,
    Uuid,
    /// One of some texts.
    Enum(Arc<[Box<str>]>),
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
            Some(schema) if output != Output::Json => {
                let mut reader = OutlineReader {
                    is_typed: output == Output::Typed,
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
            Self::Date => DataType::Date32,
            Self::Time => DataType::Time64(TimeUnit::Microsecond),
            Self::Moment => DataType::Timestamp(TimeUnit::Microsecond, Some(UTC.into())),
            Self::Decimal => DataType::Decimal128(PRECISION, SCALE),
            Self::Uuid => DataType::FixedSizeBinary(UUID_BYTES),
            Self::Enum(_) => DataType::Dictionary(DataType::Int32.into(), DataType::Utf8.into()),
            Self::List(items) => DataType::List(items.item_field()),
            Self::Struct(members) => {
                let members = members.iter();
                DataType::Struct(members.map(|(name, member)| member.field(name)).collect())
            }
            Self::Nothing
            | Self::Text
            | Self::Exact
            | Self::Any
            | Self::OpenObject
            | Self::Mixed => DataType::Utf8,
        }
    }

    /// The field of a column of that type.
    pub(crate) fn field(&self, name: &str) -> Field {
        let field = Field::new(name, self.data_type(), true);
        match self {
            Self::Uuid => field.with_metadata(HashMap::from([UUID.map(str::to_owned).into()])),
            _ => field,
        }
    }

    /// The field of the items of a list, named as Arrow's libraries do.
    pub(crate) fn item_field(&self) -> Arc<Field> {
        Arc::new(self.field(Field::LIST_FIELD_DEFAULT_NAME))
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
            (Self::Decimal, Self::Int | Self::Float) | (Self::Int | Self::Float, Self::Decimal) => {
                Self::Decimal
            }
            (one, other) if one.is_text() && other.is_text() => Self::Text,
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
            (Self::Text, other) | (other, Self::Text) if other.is_text() => other,
            (Self::Decimal, other) | (other, Self::Decimal) if other.is_text_or_number() => {
                Self::Decimal
            }
            (one, other) if one.is_text() && other.is_text() => Self::Text,
            _ => Self::Nothing,
        }
    }

    fn is_text_or_number(&self) -> bool {
        self.is_text() || matches!(self, Self::Exact | Self::Decimal | Self::Int | Self::Float)
    }

    fn is_text(&self) -> bool {
        matches!(
            self,
            Self::Text | Self::Date | Self::Time | Self::Moment | Self::Uuid | Self::Enum(_)
        )
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
    /// `true` if texts of known formats have types of their own.
    is_typed: bool,
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
        // Pydantic says what a decimal is beside the number or text that it may be.
        let is_decimal = self.is_typed && outline.format() == Some("decimal");
        match found {
            ValueType::Exact | ValueType::Float | ValueType::Int if is_decimal => {
                ValueType::Decimal
            }
            found => found,
        }
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
            Kind::Number if outline.format() == Some("decimal") => match self.is_typed {
                true => ValueType::Decimal,
                false => ValueType::Exact,
            },
            Kind::Number if outline.takes_fractions() => ValueType::Float,
            Kind::Number => ValueType::Int,
            Kind::String if self.is_typed => read_text(outline),
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

/// The type of texts: of some formats one of Arrow's own.
fn read_text(outline: Outline<'_>) -> ValueType {
    match outline.format() {
        Some("date") => return ValueType::Date,
        Some("time") => return ValueType::Time,
        Some("date-time") => return ValueType::Moment,
        Some("uuid") => return ValueType::Uuid,
        Some("decimal") => return ValueType::Decimal,
        _ => {}
    }
    let is_decimal = |pattern: &str| pattern.starts_with(DECIMAL_PATTERN);
    if outline.pattern().is_some_and(is_decimal) {
        return ValueType::Decimal;
    }
    match outline.texts() {
        Some(texts) => ValueType::Enum(texts.map(Box::from).collect()),
        None => ValueType::Text,
    }
}

//! Conversion between documents and [`serde_json::Value`].

mod json_value;

pub use json_value::JsonValue;

use std::borrow::Cow;
use std::fmt;

use crate::base::path::{Path, Step};
use llmjson_syntax::cursor::{Entry, EntryKind, Source};
use llmjson_syntax::internal::decimal;
use llmjson_syntax::{Document, Limits, Parser, ValueRef};
use serde_json::{Map, Number, Value};

/// Deeper values are not converted, because dropping and comparing a [`Value`] uses stack for every
/// level.
const DEPTH_MAX: usize = 512;

/// Converts a value to a [`serde_json::Value`].
///
/// Integers that fit 64 bits stay exact; any other number becomes the nearest double, as when
/// `serde_json` reads it. Members keep their order with serde_json's feature `preserve_order`, and
/// are sorted by key without it. Takes time linear in the value, and call stack in proportion to
/// its depth, which is limited.
///
/// # Errors
///
/// If a number is too large for a double (`1e999`), or containers nest deeper than 512 levels.
///
/// ```
/// let document = llmjson_syntax::parse(r#"{"id": 7, "tags": ["a"]}"#);
/// let value = llmjson_schema::to_value(document.root().expect("there is a value"))?;
/// assert_eq!(value, serde_json::json!({"id": 7, "tags": ["a"]}));
/// # Ok::<(), llmjson_schema::ConvertError>(())
/// ```
pub fn to_value(value: ValueRef<'_>) -> Result<Value, ConvertError> {
    convert(&Source::of(value).entry(), DEPTH_MAX).map_err(|failure| {
        let mut path = Path::root();
        let Failure { what, steps } = *failure;
        steps.into_iter().rev().for_each(|step| path.push(step));
        ConvertError { path, what }
    })
}

/// Converts a value to a document that owns its text.
///
/// If the value nests deeper than 512 levels, the document has no value, and
/// [`limit`](Document::limit) says so.
///
/// ```
/// let document = llmjson_schema::document_from_value(&serde_json::json!({"id": 7}));
/// assert_eq!(document.to_json().as_deref(), Some(r#"{"id":7}"#));
/// ```
#[must_use]
pub fn document_from_value(value: &Value) -> Document<'static> {
    let limits = Limits::DEFAULT.with_input_bytes(u32::MAX);
    Parser::new()
        .with_limits(limits)
        .parse(&value.to_string())
        .into_owned()
}

/// The reason why a value could not be converted, and the path to it from the innermost container
/// outwards.
struct Failure {
    what: What,
    steps: Vec<Step>,
}

impl Failure {
    #[cold]
    fn new(what: What) -> Box<Self> {
        let steps = Vec::new();
        Box::new(Self { what, steps })
    }

    #[cold]
    fn below(mut self: Box<Self>, step: Step) -> Box<Self> {
        self.steps.push(step);
        self
    }
}

/// Converts one value; `depth` containers may still be entered. Scalars need no call.
#[inline]
fn convert(entry: &Entry<'_, '_>, depth: usize) -> Result<Value, Box<Failure>> {
    match entry.kind() {
        EntryKind::Null => Ok(Value::Null),
        EntryKind::False => Ok(Value::Bool(false)),
        EntryKind::True => Ok(Value::Bool(true)),
        EntryKind::String => Ok(Value::String(owned(entry.decoded()))),
        EntryKind::Integer => match short_integer(entry.raw()) {
            Some(number) => Ok(Value::Number(number)),
            None => number(entry).map(Value::Number),
        },
        EntryKind::Float => number(entry).map(Value::Number),
        EntryKind::Array | EntryKind::Object if depth == 0 => Err(Failure::new(What::Depth)),
        EntryKind::Array => array(entry, depth - 1),
        EntryKind::Object => object(entry, depth - 1),
    }
}

#[inline(never)]
fn array(entry: &Entry<'_, '_>, depth: usize) -> Result<Value, Box<Failure>> {
    let mut values = Vec::with_capacity(entry.len());
    for item in entry.children() {
        let value = convert(&item, depth).map_err(|failure| {
            let index = u32::try_from(values.len()).unwrap_or(u32::MAX);
            failure.below(Step::Index(index))
        })?;
        values.push(value);
    }
    Ok(Value::Array(values))
}

#[inline(never)]
fn object(entry: &Entry<'_, '_>, depth: usize) -> Result<Value, Box<Failure>> {
    let mut members = Map::new();
    for member in entry.children() {
        let value = convert(&member, depth)
            .map_err(|failure| failure.below(Step::Member((*member.name()).into())))?;
        members.insert(owned(member.name()), value);
    }
    Ok(Value::Object(members))
}

#[inline]
fn owned(text: Cow<'_, str>) -> String {
    match text {
        Cow::Borrowed(text) => text.to_owned(),
        Cow::Owned(text) => text,
    }
}

/// A whole number of up to 18 digits; `-0` is none.
#[inline]
fn short_integer(text: &str) -> Option<Number> {
    let number = decimal::short_integer(text.as_bytes())?;
    match u64::try_from(number) {
        Ok(0) if text.len() > 1 => None,
        Ok(number) => Some(number.into()),
        Err(_) => Some(number.into()),
    }
}

#[inline(never)]
fn number(entry: &Entry<'_, '_>) -> Result<Number, Box<Failure>> {
    let text = entry.raw();
    let exact = entry.kind() == EntryKind::Integer && text != "-0";
    let exact = exact.then(|| integer(text)).flatten();
    let number = exact.or_else(|| entry.as_f64().and_then(Number::from_f64));
    number.ok_or_else(|| Failure::new(What::Number(text.to_owned())))
}

fn integer(text: &str) -> Option<Number> {
    let unsigned = text.parse::<u64>().ok().map(Number::from);
    unsigned.or_else(|| text.parse::<i64>().ok().map(Number::from))
}

/// The error for a value that [`to_value`] cannot convert.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConvertError {
    path: Path,
    what: What,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum What {
    Number(String),
    Depth,
}

impl ConvertError {
    /// Returns the path of the value.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns `true` if containers nest too deep, and `false` if a number is too large for a
    /// double.
    #[must_use]
    pub fn is_too_deep(&self) -> bool {
        self.what == What::Depth
    }

    /// Returns the message without the path.
    #[must_use]
    pub fn message(&self) -> String {
        self.what.to_string()
    }
}

impl fmt::Display for ConvertError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at {}", self.what, self.path)
    }
}

impl fmt::Display for What {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(text) => write!(f, "number {text} does not fit a double"),
            Self::Depth => write!(f, "containers nest deeper than {DEPTH_MAX}"),
        }
    }
}

impl std::error::Error for ConvertError {}

#[cfg(test)]
mod tests {
    use super::*;

    fn converted(text: &str) -> Result<Value, ConvertError> {
        to_value(
            llmjson_syntax::parse(text)
                .root()
                .expect("there is a value"),
        )
    }

    #[test]
    fn valid_json_converts_as_serde_json_reads_it() {
        let texts = [
            "null",
            "[]",
            "{}",
            "[[],{},[[{}]],{\"a\":[]}]",
            r#"{"a":{"b":[1,-2,3.5,1e3,"x\ny"],"c":null},"d":true,"":false}"#,
            "[0,-0,0.0,-0.0,18446744073709551615,18446744073709551616,-9223372036854775808]",
            "[-9223372036854775809,1e-400,0.1,123456789012345678901234567890]",
        ];
        for text in texts {
            let wanted: Value = serde_json::from_str(text).expect("valid");
            assert_eq!(converted(text), Ok(wanted.clone()), "{text}");
            let document = document_from_value(&wanted);
            assert_eq!(document.to_json(), Some(wanted.to_string()));
        }
    }

    #[test]
    fn numbers_that_do_not_fit_are_errors() {
        let error = converted(r#"{"a": [1, {"b": -1e999}]}"#).expect_err("too large");
        assert_eq!(
            error.to_string(),
            "number -1e999 does not fit a double at $input.a[1].b"
        );
    }

    #[test]
    fn depth_is_limited() {
        let nested = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
        assert!(converted(&nested(512)).is_ok());
        let objects = format!("{}null{}", "{\"a\":".repeat(512), "}".repeat(512));
        assert!(converted(&objects).is_ok());
        let text = nested(600);
        let limits = Limits::DEFAULT.with_depth(1000);
        let document = Parser::new().with_limits(limits).parse(&text);
        let error = to_value(document.root().expect("a value")).expect_err("too deep");
        assert!(
            error
                .to_string()
                .starts_with("containers nest deeper than 512 at $input[0][0]")
        );
    }
}

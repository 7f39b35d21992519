//! Between documents and [`serde_json::Value`].

use std::fmt;

use crate::path::{Path, Step};
use llmjson_syntax::{Document, Items, Kind, Limits, Members, Parser, ValueRef};
use serde_json::{Map, Number, Value};

/// Values that nest deeper are not converted, because dropping and comparing a [`Value`] takes
/// stack for every level.
const DEPTH_MAX: usize = 512;

/// Converts a value to a [`serde_json::Value`].
///
/// Integers that fit 64 bits stay exact. Any other number becomes the nearest double, as it does
/// when `serde_json` reads it. Takes time linear in the value, and no stack for its depth.
///
/// # Errors
///
/// A number that no double is near to (`1e999`), and more than 512 levels.
///
/// ```
/// let document = llmjson_syntax::parse(r#"{"id": 7, "tags": ["a"]}"#);
/// let value = llmjson_schema::to_value(document.root().expect("there is a value"))?;
/// assert_eq!(value, serde_json::json!({"id": 7, "tags": ["a"]}));
/// # Ok::<(), llmjson_schema::ConvertError>(())
/// ```
pub fn to_value(value: ValueRef<'_>) -> Result<Value, ConvertError> {
    let mut open: Vec<Open<'_>> = Vec::new();
    let mut at = Some(value);
    loop {
        let done = match at.take() {
            Some(value) => match value.kind() {
                Kind::Array => {
                    let values = Vec::with_capacity(value.len());
                    open.push(Open::Array(value.items(), values));
                    None
                }
                Kind::Object => {
                    open.push(Open::Object(
                        value.members(),
                        Map::with_capacity(value.len()),
                        String::new(),
                    ));
                    None
                }
                _ => Some(scalar(value).map_err(|what| ConvertError::new(what, &open))?),
            },
            None => None,
        };
        if open.len() > DEPTH_MAX {
            return Err(ConvertError::new(What::Depth, &open[..DEPTH_MAX]));
        }
        let mut done = done;
        // Puts what is done into what holds it, until something is to be read next.
        while at.is_none() {
            let Some(level) = open.last_mut() else {
                return Ok(done.unwrap_or_default());
            };
            if let Some(done) = done.take() {
                level.put(done);
            }
            at = level.next();
            if at.is_none() {
                done = open.pop().map(Open::close);
            }
        }
    }
}

/// Makes a document of a value, for what works on documents. It owns its text.
///
/// A value that nests deeper than 512 levels makes a document without a value that says so in
/// [`limit`](Document::limit).
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

/// A container that is being filled.
enum Open<'d> {
    Array(Items<'d>, Vec<Value>),
    /// With the name of the member that is read at the moment.
    Object(Members<'d>, Map<String, Value>, String),
}

impl<'d> Open<'d> {
    fn next(&mut self) -> Option<ValueRef<'d>> {
        match self {
            Self::Array(items, _) => items.next(),
            Self::Object(members, _, name) => {
                let (next, value) = members.next()?;
                *name = next.into_owned();
                Some(value)
            }
        }
    }

    fn put(&mut self, value: Value) {
        match self {
            Self::Array(_, values) => values.push(value),
            Self::Object(_, map, name) => {
                map.insert(std::mem::take(name), value);
            }
        }
    }

    fn close(self) -> Value {
        match self {
            Self::Array(_, values) => Value::Array(values),
            Self::Object(_, map, _) => Value::Object(map),
        }
    }

    fn step(&self) -> Step {
        match self {
            Self::Array(_, values) => Step::Index(u32::try_from(values.len()).unwrap_or(u32::MAX)),
            Self::Object(_, _, name) => Step::Member(name.as_str().into()),
        }
    }
}

fn scalar(value: ValueRef<'_>) -> Result<Value, What> {
    if let Some(text) = value.as_str() {
        return Ok(Value::String(text.into_owned()));
    }
    if let Some(value) = value.as_bool() {
        return Ok(Value::Bool(value));
    }
    let Some(text) = value.as_number() else {
        return Ok(Value::Null);
    };
    let exact = if text == "-0" { None } else { integer(value) };
    (exact.or_else(|| value.as_f64().and_then(Number::from_f64)))
        .map(Value::Number)
        .ok_or_else(|| What::Number(text.to_owned()))
}

fn integer(value: ValueRef<'_>) -> Option<Number> {
    if !value.is_integer_text() {
        return None;
    }
    (value.as_u64().map(Number::from)).or_else(|| value.as_i64().map(Number::from))
}

/// A value that [`to_value`] cannot convert.
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
    fn new(what: What, open: &[Open<'_>]) -> Self {
        let mut path = Path::root();
        open.iter().for_each(|level| path.push(level.step()));
        Self { path, what }
    }

    /// Where in the value.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl fmt::Display for ConvertError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.what {
            What::Number(text) => write!(f, "number {text} does not fit a double")?,
            What::Depth => write!(f, "containers nest deeper than {DEPTH_MAX}")?,
        }
        write!(f, " at {}", self.path)
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

//! The functions that parse one text.

use std::borrow::Cow;

use llmjson::policy::FinishReason;
use llmjson::syntax::Parser;
use pyo3::prelude::*;
use pyo3::types::PyString;

use crate::input::{Input, OffsetMap};
use crate::interrupt;
use crate::origin::Origin;
use crate::parsed::Parsed;
use crate::policy::{allowing_truncated, salvaging};
use crate::schema::{Schema, schema_given};
use crate::value::python_to_json;

/// Parses a reply and coerces its value to the schema.
///
/// `text` is str, bytes, bytearray or memoryview; bytes are UTF-8, UTF-16 or UTF-32. `schema` is
/// anything that `Schema` accepts. `policy` is a preset name or a `Policy`. `finish_reason` is why
/// the model stopped: with `length` and similar reasons the value counts as truncated.
/// `parse_float`, such as `decimal.Decimal`, is called with the text of each number that has a
/// fraction or an exponent. With `salvage`, list items and optional members that do not conform are
/// dropped, each with a record in `coercions`, as with `Policy(invalid="drop")`. `context` and
/// `strict` are passed to the validators of a pydantic type.
///
/// Any text gives a result: see `Parsed.ok`. Bytes that are not text raise UnicodeDecodeError, an
/// invalid schema raises SchemaError. Parsing a long text can be interrupted.
///
/// >>> import llmjson
/// >>> schema = {"type": "object", "properties": {"city": {"type": "string"}, "days": {"type": "integer"}}}
/// >>> parsed = llmjson.parse("Sure: {city: 'Oslo', days: \"3\"}", schema)
/// >>> parsed.value
/// {'city': 'Oslo', 'days': 3}
/// >>> [repair.kind for repair in parsed.repairs], parsed.coercions[0].path
/// (['surrounding_text', 'unquoted_key', 'other_quotes', 'unquoted_key'], '$input.days')
#[pyfunction]
#[pyo3(signature = (text, schema=None, *, policy=None, finish_reason=None, parse_float=None, salvage=false, context=None,
    strict=None))]
#[expect(clippy::too_many_arguments, reason = "each is a keyword")]
pub(crate) fn parse(
    text: &Bound<'_, PyAny>,
    schema: Option<&Bound<'_, PyAny>>,
    policy: Option<&Bound<'_, PyAny>>,
    finish_reason: Option<String>,
    parse_float: Option<Bound<'_, PyAny>>,
    salvage: bool,
    context: Option<Bound<'_, PyAny>>,
    strict: Option<bool>,
) -> PyResult<Parsed> {
    let salvaged = match salvage {
        true => Some(salvaging(text.py(), policy, "lenient")?),
        false => None,
    };
    let policy = salvaged.as_ref().or(policy);
    let schema = schema_given(schema, context, strict)?;
    let asked = Asked::of("parse", text, schema, policy, finish_reason, parse_float);
    asked.read(text, |text, schema, policy| policy.parse(text, schema))
}

/// Parses the arguments of a tool call. Unlike `parse`, reads blank text and `null` as `{}` if
/// nothing is required, and uses the policy `tool` by default. Truncated arguments are not `ok`
/// unless `allow_truncated` is set.
///
/// >>> import llmjson
/// >>> llmjson.arguments("").value
/// {}
/// >>> llmjson.arguments("{to: 'Ann', amount: 1").ok
/// False
#[pyfunction]
#[pyo3(signature = (text, schema=None, *, policy=None, finish_reason=None, parse_float=None, allow_truncated=false,
    context=None, strict=None))]
#[expect(clippy::too_many_arguments, reason = "each is a keyword")]
pub(crate) fn arguments(
    text: &Bound<'_, PyAny>,
    schema: Option<&Bound<'_, PyAny>>,
    policy: Option<&Bound<'_, PyAny>>,
    finish_reason: Option<String>,
    parse_float: Option<Bound<'_, PyAny>>,
    allow_truncated: bool,
    context: Option<Bound<'_, PyAny>>,
    strict: Option<bool>,
) -> PyResult<Parsed> {
    let allowing = match allow_truncated {
        true => Some(allowing_truncated(text.py(), policy, "tool")?),
        false => None,
    };
    let policy = allowing.as_ref().or(policy);
    let schema = schema_given(schema, context, strict)?;
    let asked = Asked::of(
        "arguments",
        text,
        schema,
        policy,
        finish_reason,
        parse_float,
    );
    asked.read(text, |text, schema, policy| policy.arguments(text, schema))
}

/// Parses each value that a reply may mean, in text order.
///
/// >>> import llmjson
/// >>> [parsed.value for parsed in llmjson.parse_all("First {a: 1}, then {a: 2}.")]
/// [{'a': 1}, {'a': 2}]
#[pyfunction]
#[pyo3(signature = (text, schema=None, *, policy=None, finish_reason=None, parse_float=None, context=None,
    strict=None))]
pub(crate) fn parse_all(
    text: &Bound<'_, PyAny>,
    schema: Option<&Bound<'_, PyAny>>,
    policy: Option<&Bound<'_, PyAny>>,
    finish_reason: Option<String>,
    parse_float: Option<Bound<'_, PyAny>>,
    context: Option<Bound<'_, PyAny>>,
    strict: Option<bool>,
) -> PyResult<Vec<Parsed>> {
    let py = text.py();
    let schema = schema_given(schema, context, strict)?;
    let asked = Asked::of(
        "parse_all",
        text,
        schema,
        policy,
        finish_reason,
        parse_float,
    );
    let (schema, policy, input) = asked.parts(text)?;
    let kept = Input::kept(text)?;
    let found: Vec<_> = interrupt::read(py, input.text.len(), &policy, |policy| {
        let found = policy.parse_all(&input.text, schema);
        let found = found.into_iter();
        found
            .map(|one| Box::new(one.into_parsed().into_owned()))
            .collect()
    })?;
    let each = found.into_iter().enumerate().map(|(index, inner)| {
        let index = Some(index);
        let origin = Origin {
            index,
            given: kept.clone_ref(py),
            ..asked.origin.clone_ref(py)
        };
        Parsed::new(inner, origin, input.places.clone())
    });
    Ok(each.collect())
}

/// Coerces a value of plain Python objects to the schema.
///
/// >>> import llmjson
/// >>> llmjson.coerce({"days": "3"}, {"properties": {"days": {"type": "integer"}}}).value
/// {'days': 3}
#[pyfunction]
#[pyo3(signature = (value, schema, *, policy=None, parse_float=None, context=None, strict=None))]
pub(crate) fn coerce(
    value: &Bound<'_, PyAny>,
    schema: &Bound<'_, PyAny>,
    policy: Option<&Bound<'_, PyAny>>,
    parse_float: Option<Bound<'_, PyAny>>,
    context: Option<Bound<'_, PyAny>>,
    strict: Option<bool>,
) -> PyResult<Parsed> {
    // The value may change later; its text does not.
    let text = python_to_json(value)?;
    let given = PyString::new(value.py(), &text).into_any();
    let schema = schema_given(Some(schema), context, strict)?;
    let asked = Asked::of("coerce", &given, schema, policy, None, parse_float);
    let policy = asked.policy()?;
    let inner = interrupt::read(value.py(), text.len(), &policy, |policy| {
        let coerced = match asked.schema() {
            Some(schema) => policy.coerce(
                Parser::new().with_limits(policy.limits()).parse(&text),
                schema,
            ),
            None => policy.parse(&text, None),
        };
        Box::new(coerced.into_owned())
    })?;
    Ok(Parsed::new(inner, asked.origin, OffsetMap::default()))
}

/// The arguments shared by all parsing functions.
struct Asked {
    origin: Origin,
}

impl Asked {
    fn of(
        call: &'static str,
        given: &Bound<'_, PyAny>,
        schema: Option<Bound<'_, Schema>>,
        policy: Option<&Bound<'_, PyAny>>,
        finish_reason: Option<String>,
        parse_float: Option<Bound<'_, PyAny>>,
    ) -> Self {
        let origin = Origin {
            call,
            given: given.clone().unbind(),
            index: None,
            unread: None,
            schema: schema.map(Bound::unbind),
            policy: policy.map(|policy| policy.clone().unbind()),
            finish_reason,
            parse_float: parse_float.filter(|one| !one.is_none()).map(Bound::unbind),
        };
        Self { origin }
    }

    fn schema(&self) -> Option<&llmjson::Schema> {
        self.origin.schema.as_ref().map(|one| &one.get().inner)
    }

    fn policy(&self) -> PyResult<llmjson::Policy> {
        Python::attach(|py| self.origin.policy(py))
    }

    /// Returns the schema, the policy and the text.
    fn parts<'a>(
        &'a self,
        given: &'a Bound<'_, PyAny>,
    ) -> PyResult<(Option<&'a llmjson::Schema>, llmjson::Policy, Input<'a>)> {
        let input = Input::of(given)?;
        let mut policy = self.policy()?;
        if input.is_cut {
            policy = policy.with_finish_reason(FinishReason::Length);
        }
        Ok((self.schema(), policy, input))
    }

    fn read(
        self,
        given: &Bound<'_, PyAny>,
        read: impl for<'t> Fn(
            &'t str,
            Option<&llmjson::Schema>,
            &llmjson::Policy,
        ) -> llmjson::Parsed<'t>
        + Sync,
    ) -> PyResult<Parsed> {
        let (schema, policy, input) = self.parts(given)?;
        let text: &Cow<'_, str> = &input.text;
        let inner = interrupt::read(given.py(), text.len(), &policy, |policy| {
            Box::new(read(text, schema, policy).into_owned())
        })?;
        let places = input.places;
        let origin = Origin {
            given: Input::kept(given)?,
            ..self.origin
        };
        Ok(Parsed::new(inner, origin, places))
    }
}

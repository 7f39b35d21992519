//! One line of a batch: what is to be done with which input.

use llmjson::{Document, FinishReason, Kind, Policy, Schema, ValueRef};

use crate::input::{read_json, without_mark};

use super::{Settings, aliases};

/// What to do with an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Op {
    Parse,
    Arguments,
    Coerce,
    Validate,
    Stringify,
}

impl Op {
    fn read(value: Option<ValueRef<'_>>) -> Result<Self, String> {
        let Some(value) = value else {
            return Ok(Self::Parse);
        };
        Ok(match value.as_str().as_deref() {
            Some("parse") => Self::Parse,
            Some("arguments") => Self::Arguments,
            Some("coerce") => Self::Coerce,
            Some("validate") => Self::Validate,
            Some("stringify") => Self::Stringify,
            _ => {
                let known = "parse, arguments, coerce, validate, stringify";
                return Err(format!("op: there is no {}, only {known}", clipped(value)));
            }
        })
    }
}

/// A line that can be worked on.
#[derive(Debug)]
pub(super) struct Task {
    pub(super) op: Op,
    /// The text of a reply, or of a JSON value.
    pub(super) input: String,
    pub(super) schema: Option<Schema>,
    /// Whether members that the schema does not declare are violations.
    pub(super) equals: bool,
    pub(super) policy: Policy,
}

/// Reads the text of a line.
///
/// # Errors
///
/// Why it is no JSON object.
pub(super) fn read(text: &str) -> Result<Document<'_>, String> {
    let document = read_json(without_mark(text))?;
    match document.root().map(ValueRef::kind) {
        Some(Kind::Object) => Ok(document),
        other => {
            let found = other.map_or("nothing", Kind::name);
            Err(format!("a JSON object is asked for, this is {found}"))
        }
    }
}

impl Task {
    /// Reads the members of a line.
    ///
    /// # Errors
    ///
    /// Which member cannot be used, and why.
    pub(super) fn read(line: &Document<'_>, settings: &Settings) -> Result<Self, String> {
        let root = line.root().ok_or("a JSON object is asked for")?;
        let member = |name: &str| root.get(name).filter(|value| !value.is_null());
        let op = Op::read(member("op"))?;
        let policy = read_policy(member("policy"), member("finish_reason"), settings)?;
        let equals = match member("equals") {
            None => false,
            Some(value) => value
                .as_bool()
                .ok_or("equals: true or false is asked for")?,
        };
        let key = &settings.input_key;
        let input = root
            .get(key)
            .ok_or_else(|| format!("there is no member {key:?}"))?;
        let input = match op {
            Op::Parse | Op::Arguments => match input.as_str() {
                Some(text) => text.into_owned(),
                None => {
                    let found = input.kind().name();
                    return Err(format!("{key}: a string is asked for, this is {found}"));
                }
            },
            Op::Coerce | Op::Validate | Op::Stringify => input.to_json(),
        };
        let schema = read_schema(line, root, settings)?;
        if schema.is_none() && (matches!(op, Op::Coerce | Op::Validate) || equals) {
            return Err(format!(
                "there is no schema, neither as {:?} nor given for all lines",
                settings.schema_key
            ));
        }
        Ok(Self {
            op,
            input,
            schema,
            equals,
            policy,
        })
    }
}

fn read_policy(
    name: Option<ValueRef<'_>>,
    finish_reason: Option<ValueRef<'_>>,
    settings: &Settings,
) -> Result<Policy, String> {
    let policy = match name {
        None => settings.policy.clone(),
        Some(name) => {
            let known = name.as_str().and_then(|name| Policy::named(&name));
            let refuse = || {
                let known = Policy::PRESETS.join(", ");
                format!("policy: there is no {}, only {known}", clipped(name))
            };
            known.ok_or_else(refuse)?
        }
    };
    match finish_reason.map(|reason| reason.as_str()) {
        None => Ok(policy),
        Some(Some(reason)) => Ok(policy.with_finish_reason(FinishReason::named(&reason))),
        Some(None) => Err("finish_reason: a string is asked for".to_owned()),
    }
}

fn read_schema(
    line: &Document<'_>,
    root: ValueRef<'_>,
    settings: &Settings,
) -> Result<Option<Schema>, String> {
    let written;
    let text = match root
        .get(&settings.schema_key)
        .filter(|value| !value.is_null())
    {
        None => settings.schema.as_deref(),
        // The line is strict JSON, so the part of it that holds the schema is too.
        Some(value) => match (value.kind(), value.span()) {
            (Kind::Object, Some(span)) => line.text().get(span.range()),
            _ => {
                written = value.to_json();
                Some(written.as_str())
            }
        },
    };
    let other_names = root.get("aliases").filter(|value| !value.is_null());
    match (text, other_names) {
        (None, None) => Ok(None),
        (None, Some(_)) => Err("aliases: there is no schema to add them to".to_owned()),
        (Some(text), None) => settings.schemas.get(text).map(Some),
        (Some(text), Some(other_names)) => {
            let text = aliases::add(text, other_names)?;
            settings.schemas.get(&text).map(Some)
        }
    }
}

/// A value for a message.
fn clipped(value: ValueRef<'_>) -> String {
    let json = value.to_json();
    match json.char_indices().nth(40) {
        Some((end, _)) => format!("{}…", &json[..end]),
        None => json,
    }
}

//! One line of a batch: an operation and its input.

use std::borrow::Cow;

use llmjson::tools::{Families, Family, MatchingMode};
use llmjson::{
    Policy, Schema,
    policy::{FinishReason, Handling, Undeclared},
    syntax::{Class, Document, JsonOut as _, JsonText, Kind, Parser, ValueRef},
};

use crate::findings::write_repair;
use crate::input::{JSON_LIMITS, read_json, read_leniently, without_mark};
use crate::tools::{Rules, Tools};

use super::aliases;
use super::settings::{Place, Settings};

/// The operation on an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Op {
    Parse,
    Arguments,
    Bind,
    Calls,
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
            Some("bind") => Self::Bind,
            Some("calls") => Self::Calls,
            Some("coerce") => Self::Coerce,
            Some("validate") => Self::Validate,
            Some("stringify") => Self::Stringify,
            _ => {
                let known = "parse, arguments, bind, calls, coerce, validate, stringify";
                return Err(format!("op: {} is not one of {known}", clipped(value)));
            }
        })
    }
}

/// A valid line.
#[derive(Debug)]
pub(super) struct Task {
    pub(super) op: Op,
    /// The text of a reply, or of a JSON value.
    pub(super) input: String,
    pub(super) schema: Option<Schema>,
    /// The call to bind, with the op `bind`.
    pub(super) call: Option<Call>,
    /// The tools whose calls are to be found, with the op calls.
    pub(super) tools: Option<(Tools, Option<Families>)>,
    /// `true` if members that the schema does not declare are violations.
    pub(super) equals: bool,
    pub(super) policy: Policy,
}

/// A call of a tool.
#[derive(Debug)]
pub(super) struct Call {
    pub(super) tools: Tools,
    /// The name of the tool.
    pub(super) name: String,
    /// `true` if the input is the text of a value rather than a reply.
    pub(super) is_value: bool,
    pub(super) finish: Option<FinishReason>,
}

/// A row that was read.
pub(super) struct Row<'l> {
    pub(super) document: Document<'l>,
    /// The repairs of a line that is damaged, as JSON, and the class of the least sure of them.
    pub(super) mended: Option<(String, Class)>,
    /// `true` if the line breaks off.
    is_cut: bool,
}

/// Reads the text of a line.
///
/// # Errors
///
/// The reason why it is not a JSON object.
pub(super) fn read<'l>(text: &'l str, settings: &Settings) -> Result<Row<'l>, String> {
    let text = without_mark(text);
    let document = match read_json(text) {
        Ok(document) => document,
        Err(error) => return mend(text, settings).ok_or(error),
    };
    match document.root().map(ValueRef::kind) {
        Some(Kind::Object) => Ok(Row {
            document,
            mended: None,
            is_cut: false,
        }),
        other => {
            let found = other.map_or("nothing", Kind::name);
            Err(format!("expected a JSON object, found {found}"))
        }
    }
}

/// Reads a line that is damaged, if that leaves no guess and the text of a reply is in it.
fn mend(text: &str, settings: &Settings) -> Option<Row<'static>> {
    let damaged = read_leniently(text);
    let root = damaged.root().filter(|root| root.kind() == Kind::Object)?;
    settings.text.of(root)?;
    let repairs = damaged.repairs();
    let class = repairs.iter().map(|one| one.class).max()?;
    if class == Class::Guess {
        return None;
    }
    let repairs = JsonText::object_of(|out| out.objects("line_repairs", repairs, write_repair));
    Some(Row {
        document: Parser::new()
            .with_limits(JSON_LIMITS)
            .parse_owned(root.to_json()),
        mended: Some((repairs, class)),
        is_cut: !damaged.is_complete(),
    })
}

impl Task {
    /// Reads the members of a line.
    ///
    /// # Errors
    ///
    /// Which member cannot be used, and why.
    pub(super) fn read(row: &Row<'_>, settings: &Settings) -> Result<Self, String> {
        let line = &row.document;
        let root = line.root().ok_or("expected a JSON object")?;
        let member = |name: &str| root.get(name).filter(|value| !value.is_null());
        let op = Op::read(member("op"))?;
        let finish = match row.is_cut {
            true => Some(FinishReason::Length),
            false => read_finish(root, settings)?,
        };
        let mut policy = read_policy(member("policy"), settings)?;
        if let Some(finish) = &finish {
            policy = policy.with_finish_reason(finish.clone());
        }
        // `ok` says whether the policy allows the value, and `complete` whether it is truncated.
        if policy.truncated() == Handling::Accept {
            policy = policy.allow_truncated();
        }
        let equals = match member("equals") {
            None => false,
            Some(value) => value.as_bool().ok_or("equals: expected true or false")?,
        };
        let key = &settings.text;
        let input = key
            .of(root)
            .filter(|text| !settings.openai || !text.is_null());
        let input = input.ok_or_else(|| missing(root, settings))?;
        let is_text = input.kind() == Kind::String;
        let text = match op {
            Op::Parse | Op::Arguments | Op::Calls if !is_text => {
                let found = input.kind().name();
                return Err(format!("{key}: expected a string, found {found}"));
            }
            Op::Parse | Op::Arguments | Op::Bind | Op::Calls => input.as_str(),
            Op::Coerce | Op::Validate | Op::Stringify => None,
        };
        let input = text.map_or_else(|| input.to_json(), Cow::into_owned);
        let mut call = None;
        let mut schema = None;
        let mut tools = None;
        match op {
            Op::Calls => tools = Some(read_tools(line, root, settings)?),
            Op::Bind => call = Some(Call::read(line, root, !is_text, finish, settings)?),
            _ => schema = read_schema(line, root, settings)?,
        }
        if schema.is_none() && (matches!(op, Op::Coerce | Op::Validate) || equals) {
            return Err(format!(
                "missing schema: expected a member {:?} or the option --schema",
                settings.schema_from.0
            ));
        }
        Ok(Self {
            op,
            input,
            schema,
            call,
            tools,
            equals,
            policy,
        })
    }
}

impl Call {
    fn read(
        line: &Document<'_>,
        root: ValueRef<'_>,
        is_value: bool,
        finish: Option<FinishReason>,
        settings: &Settings,
    ) -> Result<Self, String> {
        let member = |name: &str| root.get(name).filter(|value| !value.is_null());
        let name = match member("tool") {
            None => None,
            Some(name) => Some(
                name.as_str()
                    .ok_or("tool: expected the name of a tool as a string")?,
            ),
        };
        let rules = read_rules(root, settings)?;
        let list = match member("tools") {
            Some(list) => Some(written(line, list)),
            None => settings.tools.as_deref().map(Cow::Borrowed),
        };
        // A schema in the line is closer than the tools for all lines.
        let own = member("tools").is_some()
            || settings.schema_from.of(root).is_none_or(ValueRef::is_null);
        let (tools, name) = match (list.filter(|_| own), name) {
            (Some(list), Some(name)) => (settings.schemas.tools(&list, &rules)?, name),
            (Some(_), None) => return Err("tool: missing, expected the name of a tool".to_owned()),
            (None, name) => {
                let schema = schema_text(line, root, settings)?;
                let schema = schema.ok_or(
                    "missing tools: neither the line nor an option gives tools or a schema",
                )?;
                let name = name.unwrap_or(Cow::Borrowed("tool"));
                (settings.schemas.tool(&name, &schema, &rules)?, name)
            }
        };
        Ok(Self {
            tools,
            name: name.into_owned(),
            is_value,
            finish,
        })
    }
}

/// The tools whose calls are to be found, and the family that writes them, if one is named.
fn read_tools(
    line: &Document<'_>,
    root: ValueRef<'_>,
    settings: &Settings,
) -> Result<(Tools, Option<Families>), String> {
    let member = |name: &str| root.get(name).filter(|value| !value.is_null());
    let list = match member("tools") {
        Some(list) => Some(written(line, list)),
        None => settings.tools.as_deref().map(Cow::Borrowed),
    };
    let tools = match list {
        Some(list) => (settings.schemas).any_tools(&list, &read_rules(root, settings)?)?,
        None => Tools::none(),
    };
    let own = member("family_schema").map(|schema| {
        let family = Family::from_response_schema("family_schema", &written(line, schema));
        family
            .map(Families::from)
            .map_err(|error| format!("family_schema: {error}"))
    });
    let own = own.transpose()?;
    let Some(names) = member("family") else {
        return Ok((tools, own));
    };
    let read = |name: ValueRef<'_>| {
        let name = name.as_str().ok_or("family: expected a string")?;
        name.parse::<Families>()
            .map_err(|error| format!("family: {error}"))
    };
    let families = match names.kind() {
        Kind::Array => names
            .items()
            .map(read)
            .try_fold(Families::default(), |all, one| one.map(|one| all.and(one)))?,
        _ => read(names)?,
    };
    Ok((tools, Some(own.map_or(families, |own| families.and(own)))))
}

/// Reads the rules by which a call is bound.
fn read_rules(root: ValueRef<'_>, settings: &Settings) -> Result<Rules, String> {
    let member = |name: &str| root.get(name).filter(|value| !value.is_null());
    let mut rules = Rules::default();
    let policy = member("policy").and_then(|name| name.as_str().map(Cow::into_owned));
    if let Some(policy) = policy.or_else(|| settings.policy_name.clone()) {
        rules.policy = policy;
    }
    if let Some(mode) = member("mode") {
        rules.mode = Some(match mode.as_str().as_deref() {
            Some("exact") => MatchingMode::Exact,
            Some("layered") => MatchingMode::Layered,
            _ => {
                let found = clipped(mode);
                return Err(format!("mode: {found} is not one of exact, layered"));
            }
        });
    }
    if let Some(unknown) = member("unknown") {
        rules.unknown = Some(match unknown.as_str().as_deref() {
            Some("reject") => Undeclared::Reject,
            Some("ignore") => Undeclared::Drop,
            Some("keep") => Undeclared::KeepForbidden,
            _ => {
                let known = "reject, ignore, keep";
                let found = clipped(unknown);
                return Err(format!("unknown: {found} is not one of {known}"));
            }
        });
    }
    Ok(rules)
}

fn read_policy(name: Option<ValueRef<'_>>, settings: &Settings) -> Result<Policy, String> {
    let Some(name) = name else {
        return Ok(settings.policy.clone());
    };
    let known = name.as_str().and_then(|name| Policy::named(&name));
    let refuse = || {
        let known = Policy::PRESETS.join(", ");
        format!("policy: {} is not one of {known}", clipped(name))
    };
    Ok(settings.asked.of(known.ok_or_else(refuse)?))
}

/// Reads the reason why the model stopped; without one in the line, uses the option's.
fn read_finish(root: ValueRef<'_>, settings: &Settings) -> Result<Option<FinishReason>, String> {
    let place = &settings.finish_from;
    match place.of(root).filter(|reason| !reason.is_null()) {
        None => Ok(settings.finish.clone()),
        Some(reason) => match reason.as_str() {
            Some(reason) => Ok(Some(FinishReason::named(&reason))),
            None => Err(format!("{place}: expected a string")),
        },
    }
}

/// Says that a row has no text. A row of OpenAI's says why.
fn missing(root: ValueRef<'_>, settings: &Settings) -> String {
    let said = [
        "/error/message",
        "/response/body/error/message",
        "/response/body/choices/0/message/refusal",
    ];
    let said = said.iter().find_map(|place| root.pointer(place)?.as_str());
    match said.filter(|_| settings.openai) {
        Some(said) => format!("there is no text: {said}"),
        None => format!(
            "missing member {:?}{}",
            settings.text.0,
            settings.text.hint()
        ),
    }
}

fn read_schema(
    line: &Document<'_>,
    root: ValueRef<'_>,
    settings: &Settings,
) -> Result<Option<Schema>, String> {
    let text = schema_text(line, root, settings)?;
    text.map(|text| settings.schemas.get(&text)).transpose()
}

/// The members of a line that say nothing to this program.
pub(super) fn others<'l>(
    line: &'l Document<'_>,
    settings: &Settings,
) -> Vec<(Cow<'l, str>, Cow<'l, str>)> {
    let Some(root) = line.root() else {
        return Vec::new();
    };
    let known = [
        &settings.text,
        &settings.id,
        &settings.schema_from,
        &settings.finish_from,
    ];
    let known = known.map(Place::member);
    let members = root.members();
    let others = members.filter(|(name, _)| {
        let name = &**name;
        !known.contains(&Some(name)) && !READ.contains(&name) && !WRITTEN.contains(&name)
    });
    others
        .map(|(name, value)| (name, written(line, value)))
        .collect()
}

/// Members of an input line.
const READ: &[&str] = &[
    "id",
    "op",
    "equals",
    "aliases",
    "policy",
    "finish_reason",
    "tools",
    "tool",
    "mode",
    "unknown",
    "family",
    "family_schema",
];

/// Members of an output line.
const WRITTEN: &[&str] = &[
    "file",
    "line",
    "ok",
    "value",
    "complete",
    "certainty",
    "repairs",
    "coercions",
    "violations",
    "refused",
    "line_repairs",
    "ns",
    "error",
    "feedback",
    "issues",
    "fields",
    "explanation",
    "calls",
    "content",
    "reasoning",
];

/// The schema of a line, with the other names that it gives.
fn schema_text<'l>(
    line: &'l Document<'_>,
    root: ValueRef<'l>,
    settings: &'l Settings,
) -> Result<Option<Cow<'l, str>>, String> {
    let member = |name: &str| root.get(name).filter(|value| !value.is_null());
    let own = settings.schema_from.of(root);
    let text = match own.filter(|value| !value.is_null()) {
        None => settings.schema.as_deref().map(Cow::Borrowed),
        // A cell of a table holds the text of one.
        Some(value) => match value
            .as_str()
            .filter(|text| text.trim_start().starts_with('{'))
        {
            Some(text) => Some(text),
            None => Some(written(line, value)),
        },
    };
    match (text, member("aliases")) {
        (text, None) => Ok(text),
        (None, Some(_)) => Err("aliases: there is no schema to add them to".to_owned()),
        (Some(text), Some(other_names)) => Ok(Some(Cow::Owned(aliases::add(&text, other_names)?))),
    }
}

/// A value of a line as it is written there. The line is strict JSON, so a part of it is too.
fn written<'l>(line: &'l Document<'_>, value: ValueRef<'_>) -> Cow<'l, str> {
    let span = match value.kind() {
        Kind::Object | Kind::Array => value.span(),
        _ => None,
    };
    let text = span.and_then(|span| line.text().get(span.range()));
    text.map_or_else(|| Cow::Owned(value.to_json()), Cow::Borrowed)
}

/// A value for a message.
fn clipped(value: ValueRef<'_>) -> String {
    let json = value.to_json();
    match json.char_indices().nth(40) {
        Some((end, _)) => format!("{}…", &json[..end]),
        None => json,
    }
}

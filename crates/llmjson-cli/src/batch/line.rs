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

/// The operations by name.
const OPS: &[(&str, Op)] = &[
    ("parse", Op::Parse),
    ("arguments", Op::Arguments),
    ("bind", Op::Bind),
    ("calls", Op::Calls),
    ("coerce", Op::Coerce),
    ("validate", Op::Validate),
    ("stringify", Op::Stringify),
];

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
        let root = row.document.root().ok_or("expected a JSON object")?;
        let fields = Fields { root, settings };
        let op = fields.choice("op", OPS)?.unwrap_or(Op::Parse);
        let finish = match row.is_cut {
            true => Some(FinishReason::Length),
            false => fields.finish()?,
        };
        let mut policy = fields.policy()?;
        if let Some(finish) = &finish {
            policy = policy.with_finish_reason(finish.clone());
        }
        // `ok` says whether the policy allows the value, and `complete` whether it is truncated.
        if policy.truncated() == Handling::Accept {
            policy = policy.allow_truncated();
        }
        let equals = match fields.member("equals") {
            None => false,
            Some(value) => value.as_bool().ok_or("equals: expected true or false")?,
        };
        let key = &settings.text;
        let input = key.of(root);
        let input = input.filter(|text| !settings.openai || !text.is_null());
        let input = input.ok_or_else(|| fields.missing())?;
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
            Op::Calls => tools = Some(fields.tools()?),
            Op::Bind => call = Some(fields.call(!is_text, finish)?),
            _ => {
                let text = fields.schema_text()?;
                schema = text.map(|text| settings.schemas.get(&text)).transpose()?;
            }
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

/// The members of a line, and the settings for all lines.
#[derive(Clone, Copy)]
struct Fields<'l> {
    root: ValueRef<'l>,
    settings: &'l Settings,
}

impl<'l> Fields<'l> {
    /// Returns a member that is not null.
    fn member(self, name: &str) -> Option<ValueRef<'l>> {
        self.root.get(name).filter(|value| !value.is_null())
    }

    /// Reads a member that has one of several names.
    fn choice<T: Copy>(self, member: &str, all: &[(&str, T)]) -> Result<Option<T>, String> {
        let Some(given) = self.member(member) else {
            return Ok(None);
        };
        let name = given.as_str();
        let found = all.iter().find(|(one, _)| name.as_deref() == Some(one));
        found.map(|(_, value)| Some(*value)).ok_or_else(|| {
            let known: Vec<&str> = all.iter().map(|(one, _)| *one).collect();
            unknown_name(member, given, &known)
        })
    }

    /// The call, and the tools or the schema to bind it by.
    fn call(self, is_value: bool, finish: Option<FinishReason>) -> Result<Call, String> {
        let name = self.member("tool").map(|name| {
            let text = name.as_str();
            text.ok_or("tool: expected the name of a tool as a string")
        });
        let (name, rules, schemas) = (name.transpose()?, self.rules()?, &self.settings.schemas);
        // A schema in the line is closer than the tools for all lines.
        let own = self.member("tools").is_some()
            || (self.settings.schema_from.of(self.root)).is_none_or(ValueRef::is_null);
        let (tools, name) = match (self.tools_text().filter(|_| own), name) {
            (Some(list), Some(name)) => (schemas.tools(&list, &rules)?, name),
            (Some(_), None) => return Err("tool: missing, expected the name of a tool".to_owned()),
            (None, name) => {
                let schema = self.schema_text()?;
                let schema = schema.ok_or(
                    "missing tools: neither the line nor an option gives tools or a schema",
                )?;
                let name = name.unwrap_or(Cow::Borrowed("tool"));
                (schemas.tool(&name, &schema, &rules)?, name)
            }
        };
        Ok(Call {
            tools,
            name: name.into_owned(),
            is_value,
            finish,
        })
    }

    fn tools_text(self) -> Option<Cow<'l, str>> {
        let own = self.member("tools").map(written);
        own.or_else(|| self.settings.tools.as_deref().map(Cow::Borrowed))
    }

    /// The tools whose calls are to be found, and the family that writes them, if one is named.
    fn tools(self) -> Result<(Tools, Option<Families>), String> {
        let tools = match self.tools_text() {
            Some(list) => self.settings.schemas.any_tools(&list, &self.rules()?)?,
            None => Tools::none(),
        };
        let own = self.member("family_schema").map(|schema| {
            let family = Family::from_response_schema("family_schema", &written(schema));
            let family = family.map(Families::from);
            family.map_err(|error| format!("family_schema: {error}"))
        });
        let own = own.transpose()?;
        let Some(names) = self.member("family") else {
            return Ok((tools, own));
        };
        let read = |name: ValueRef<'_>| {
            let name = name.as_str().ok_or("family: expected a string")?;
            let families = name.parse::<Families>();
            families.map_err(|error| format!("family: {error}"))
        };
        let families = match names.kind() {
            Kind::Array => (names.items().map(read))
                .try_fold(Families::default(), |all, one| one.map(|one| all.and(one)))?,
            _ => read(names)?,
        };
        Ok((tools, Some(own.map_or(families, |own| families.and(own)))))
    }

    /// Reads the rules by which a call is bound.
    fn rules(self) -> Result<Rules, String> {
        let mut rules = Rules::default();
        let policy = self
            .member("policy")
            .and_then(|name| Some(name.as_str()?.into_owned()));
        if let Some(policy) = policy.or_else(|| self.settings.policy_name.clone()) {
            rules.policy = policy;
        }
        let modes = [
            ("exact", MatchingMode::Exact),
            ("layered", MatchingMode::Layered),
        ];
        rules.mode = self.choice("mode", &modes)?;
        let unknown = [
            ("reject", Undeclared::Reject),
            ("ignore", Undeclared::Drop),
            ("keep", Undeclared::KeepForbidden),
        ];
        rules.unknown = self.choice("unknown", &unknown)?;
        Ok(rules)
    }

    fn policy(self) -> Result<Policy, String> {
        let Some(name) = self.member("policy") else {
            return Ok(self.settings.policy.clone());
        };
        let known = name.as_str().and_then(|name| Policy::named(&name));
        let known = known.ok_or_else(|| unknown_name("policy", name, Policy::PRESETS))?;
        Ok(self.settings.asked.of(known))
    }

    /// Reads the reason why the model stopped; without one in the line, uses the option's.
    fn finish(self) -> Result<Option<FinishReason>, String> {
        let place = &self.settings.finish_from;
        let Some(reason) = place.of(self.root).filter(|reason| !reason.is_null()) else {
            return Ok(self.settings.finish.clone());
        };
        let reason = reason.as_str().map(|reason| FinishReason::named(&reason));
        reason
            .map(Some)
            .ok_or_else(|| format!("{place}: expected a string"))
    }

    /// Says that a row has no text. A row of OpenAI's says why.
    fn missing(self) -> String {
        let said = [
            "/error/message",
            "/response/body/error/message",
            "/response/body/choices/0/message/refusal",
        ];
        let said = said
            .iter()
            .find_map(|place| self.root.pointer(place)?.as_str());
        let place = &self.settings.text;
        match said.filter(|_| self.settings.openai) {
            Some(said) => format!("there is no text: {said}"),
            None => format!("missing member {:?}{}", place.0, place.hint()),
        }
    }

    /// The schema of a line, with the other names that it gives.
    fn schema_text(self) -> Result<Option<Cow<'l, str>>, String> {
        let own = self.settings.schema_from.of(self.root);
        let text = match own.filter(|value| !value.is_null()) {
            None => self.settings.schema.as_deref().map(Cow::Borrowed),
            Some(value) => {
                // A cell of a table holds the text of one.
                let cell = value.as_str();
                let cell = cell.filter(|text| text.trim_start().starts_with('{'));
                cell.or_else(|| Some(written(value)))
            }
        };
        match (text, self.member("aliases")) {
            (text, None) => Ok(text),
            (None, Some(_)) => Err("aliases: there is no schema to add them to".to_owned()),
            (Some(text), Some(names)) => Ok(Some(Cow::Owned(aliases::add(&text, names)?))),
        }
    }
}

fn unknown_name(member: &str, given: ValueRef<'_>, known: &[&str]) -> String {
    format!(
        "{member}: {} is not one of {}",
        clipped(given),
        known.join(", ")
    )
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
    others.map(|(name, value)| (name, written(value))).collect()
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

/// A value of a line as it is written there. The line is strict JSON, so a part of it is too.
fn written(value: ValueRef<'_>) -> Cow<'_, str> {
    let span = match value.kind() {
        Kind::Object | Kind::Array => value.span(),
        _ => None,
    };
    let text = span.and_then(|span| value.document_text().get(span.range()));
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

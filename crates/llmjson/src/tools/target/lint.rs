//! Going through a schema as it was given and telling what of it is not taken.

use super::findings::Findings;
use super::given::{Given, Ix, ROOT, Value};
use super::links::{Holds, Links, holds, is_reference};
use super::rules::Fate;
use super::types::Types;
use super::{Lint, LintSeverity, SchemaTarget};

pub(super) fn lint(target: SchemaTarget, given: &Given, links: &Links) -> Vec<Lint> {
    let mut linter = Linter {
        target,
        given,
        links,
        levels: vec![0; given.len()],
        is_dropped: vec![false; given.len()],
        sums: Sums::default(),
        found: Findings::new(given),
    };
    linter.root();
    for &schema in &links.schemas {
        linter.schema(schema);
    }
    linter.whole();
    linter.found.into_lints()
}

struct Linter<'g> {
    target: SchemaTarget,
    given: &'g Given,
    links: &'g Links,
    /// How many objects each subschema is in, itself included.
    levels: Vec<u16>,
    /// What keywords hold that are left out, and the subschemas in it.
    is_dropped: Vec<bool>,
    sums: Sums,
    found: Findings<'g>,
}

/// What is counted over a whole schema.
#[derive(Debug, Default)]
struct Sums {
    properties: usize,
    enum_values: usize,
    name_chars: usize,
    optional: usize,
    unions: usize,
}

impl Linter<'_> {
    fn refuse(&mut self, at: Ix, keyword: &str, message: impl Into<String>) {
        self.found
            .add(LintSeverity::Refused, at, keyword, message.into());
    }

    /// What is asked of the root alone.
    fn root(&mut self) {
        if !self.target.wants_object() {
            return;
        }
        let title = self.target.title();
        let said = self.given.member(ROOT, "type");
        let types = said.map_or(Types::NONE, |ix| Types::said(self.given, ix));
        if types != Types::OBJECT {
            let message = format!(
                "{title} wants \"type\": \"object\" at the root: where the schema asks \
                                   for something else, that is put into an object"
            );
            self.refuse(said.unwrap_or(ROOT), "type", message);
        }
        if self.target.takes_union_at_root() {
            return;
        }
        for keyword in ["anyOf", "oneOf", "allOf", "$ref"] {
            if let Some(at) = self.given.member(ROOT, keyword) {
                let message = format!(
                    "{title} takes no {keyword} at the root: a union is put into \
                                       an object, anything else is written out"
                );
                self.refuse(at, keyword, message);
            }
        }
    }

    fn schema(&mut self, schema: Ix) {
        let given = self.given;
        let around = self.links.within(schema);
        let level = around.map_or(0, |around| self.levels[around as usize]);
        if self.is_in_dropped(schema, around) {
            self.is_dropped[schema as usize] = true;
            return;
        }
        let types = self.types(schema);
        let is_object = given.member(schema, "properties").is_some()
            || types.is_some_and(|types| types.has(Types::OBJECT));
        self.levels[schema as usize] = level + u16::from(is_object);
        for (keyword, value) in given.members(schema) {
            self.is_dropped[*value as usize] |= self.drops(keyword);
            self.keyword(keyword, *value);
        }
        if usize::from(level) == self.target.limits().levels && is_object {
            let (title, most) = (self.target.title(), self.target.limits().levels);
            let message = format!(
                "{title} takes no more than {most} levels of objects: what is deeper is \
                                   asked for as JSON text"
            );
            self.refuse(schema, "properties", message);
        }
        self.kinds(schema, types);
        if is_object {
            self.object(schema);
        }
        self.reference(schema);
        self.union(schema, types);
    }

    /// Whether rendering takes nothing over of what a keyword holds.
    fn drops(&self, keyword: &str) -> bool {
        let is_rewritten = matches!(
            keyword,
            "oneOf" | "allOf" | "prefixItems" | "additionalItems" | "additionalProperties"
        );
        let holds = holds(keyword).is_some_and(|holds| holds != Holds::Definitions);
        !is_rewritten && holds && !self.target.takes(keyword)
    }

    /// Whether a subschema is in one, or under a keyword, that is left out.
    fn is_in_dropped(&self, schema: Ix, around: Option<Ix>) -> bool {
        let Some(around) = around else { return false };
        let parent = self.given.parent(schema);
        let holder = if parent == around { schema } else { parent };
        self.is_dropped[around as usize] || self.is_dropped[holder as usize]
    }

    /// What `type` says, if it is there.
    fn types(&self, schema: Ix) -> Option<Types> {
        let said = self.given.member(schema, "type")?;
        Some(Types::said(self.given, said))
    }

    fn keyword(&mut self, keyword: &str, value: Ix) {
        let (fate, then) = self.target.fate(keyword);
        let title = self.target.title();
        let shown = shown(keyword);
        match fate {
            Fate::Taken => self.content(keyword, value),
            Fate::Ignored => {
                let message = format!("{title} takes no notice of {shown}: {then}");
                self.found
                    .add(LintSeverity::Ignored, value, keyword, message);
            }
            Fate::Refused => self.refuse(
                value,
                keyword,
                format!("{title} does not take {shown}: {then}"),
            ),
        }
    }

    /// What a keyword that is taken may hold.
    fn content(&mut self, keyword: &str, value: Ix) {
        let (given, target, title) = (self.given, self.target, self.target.title());
        match keyword {
            "type" => self.type_names(value),
            "enum" => self.values(value),
            "const" if given.is_container(value) && target != SchemaTarget::Mcp => {
                let message =
                    format!("{title} takes no objects and lists as constants: it is left out");
                self.refuse(value, keyword, message);
            }
            "const" => self.sums.name_chars += chars(given, value),
            "pattern"
                if given
                    .text(value)
                    .is_some_and(|text| !target.takes_pattern(text)) =>
            {
                let message = format!(
                    "{title} takes no such regular expression: it is said in the \
                                       description"
                );
                self.refuse(value, keyword, message);
            }
            "minItems" if target == SchemaTarget::Anthropic && !is_few(given, value) => {
                let message =
                    format!("{title} takes no minItems but 0 and 1: it is said in the description");
                self.refuse(value, keyword, message);
            }
            "items" if matches!(given.get(value), Value::List(_)) => {
                let message = format!(
                    "{title} takes no list of items: it is written as prefixItems or \
                                       as any of them"
                );
                self.refuse(value, keyword, message);
            }
            "exclusiveMinimum" | "exclusiveMaximum" if given.number(value).is_none() => {
                let message = format!("{title} wants a number here: the bound is written as one");
                self.refuse(value, keyword, message);
            }
            "format" => self.format(value),
            _ => {}
        }
    }

    fn type_names(&mut self, value: Ix) {
        let (given, title) = (self.given, self.target.title());
        let is_list = matches!(given.get(value), Value::List(_));
        if is_list && !self.target.takes_type_lists() {
            let message = format!(
                "{title} takes one type: others are written as anyOf, and null as nullable"
            );
            self.refuse(value, "type", message);
        }
        let one = [value];
        let names = if is_list { given.items(value) } else { &one };
        let is_upper = |ix: &Ix| {
            let name = given.text(*ix).unwrap_or_default();
            name.bytes().any(|byte| byte.is_ascii_uppercase())
        };
        if self.target != SchemaTarget::GeminiOpenApi && names.iter().any(is_upper) {
            let message = format!("{title} wants types in lower case: they are written so");
            self.refuse(value, "type", message);
        }
    }

    fn format(&mut self, value: Ix) {
        let (given, target) = (self.given, self.target);
        let schema = given.parent(value);
        let of_text = self
            .types(schema)
            .is_none_or(|types| types.has(Types::STRING));
        let taken = target.formats(of_text);
        let format = given.text(value).unwrap_or_default();
        if taken.is_some_and(|taken| !taken.contains(&format)) {
            let message = format!(
                "{} does not take this format: {}",
                target.title(),
                target.fate("format").1
            );
            self.refuse(value, "format", message);
        }
    }

    /// What an enum holds.
    fn values(&mut self, value: Ix) {
        let (given, target, title) = (self.given, self.target, self.target.title());
        let values = given.items(value);
        let bounds = target.limits();
        let of_all: usize = values.iter().map(|ix| chars(given, *ix)).sum();
        let before = self.sums.enum_values;
        self.sums.enum_values += values.len();
        self.sums.name_chars += of_all;
        if !values.iter().all(|ix| target.takes_value(given, *ix)) {
            let message = format!(
                "{title} takes no {} as allowed values: they are said in the \
                                   description",
                target.untaken_values()
            );
            self.refuse(value, "enum", message);
        }
        if values.len() > bounds.large_enum && of_all > bounds.large_enum_chars {
            let message = format!(
                "{title} takes no more than {} characters of more than {} values: \
                                   the enum is left out",
                bounds.large_enum_chars, bounds.large_enum
            );
            self.refuse(value, "enum", message);
        } else if before <= bounds.enum_values && self.sums.enum_values > bounds.enum_values {
            let message = format!(
                "{title} takes no more than {} allowed values in all: from here on \
                                   enums are left out",
                bounds.enum_values
            );
            self.refuse(value, "enum", message);
        }
    }

    /// Whether the type is said where it has to be.
    fn kinds(&mut self, schema: Ix, types: Option<Types>) {
        let (given, title) = (self.given, self.target.title());
        // Whether there may be other members or items is no question of types.
        let is_flag =
            matches!(given.get(schema), Value::Bool(_)) && self.links.is_required(schema).is_none();
        if !self.target.wants_type() || is_flag {
            return;
        }
        let members = given.members(schema);
        let is_other =
            |name: &str| is_reference(name) || matches!(name, "anyOf" | "oneOf" | "allOf");
        if types.is_none() && !members.iter().any(|(name, _)| is_other(name)) {
            let message = format!(
                "{title} wants a type everywhere: it is taken from the other \
                                   keywords, or any scalar is asked for"
            );
            self.refuse(schema, "type", message);
        }
        let is_list = types.is_some_and(|types| types.has(Types::ARRAY));
        if is_list
            && !members
                .iter()
                .any(|(name, _)| matches!(&**name, "items" | "prefixItems"))
        {
            let message =
                format!("{title} wants to know the items of a list: any scalar is asked for");
            self.refuse(schema, "items", message);
        }
    }

    fn object(&mut self, schema: Ix) {
        let (given, target, title) = (self.given, self.target, self.target.title());
        let properties = given
            .member(schema, "properties")
            .map_or(&[][..], |ix| given.members(ix));
        self.sums.properties += properties.len();
        self.sums.name_chars += properties
            .iter()
            .map(|(name, _)| name.chars().count())
            .sum::<usize>();
        let others = given.member(schema, "additionalProperties");
        if target.closes_objects() && !others.is_some_and(|ix| given.is(ix, false)) {
            let then = match properties.is_empty() && schema != ROOT {
                true => "the object is asked for as JSON text",
                false => "it is written so",
            };
            let message =
                format!("{title} wants \"additionalProperties\": false in every object: {then}");
            self.refuse(others.unwrap_or(schema), "additionalProperties", message);
        }
        if target == SchemaTarget::GeminiOpenApi && properties.is_empty() && schema != ROOT {
            let message =
                format!("{title} wants objects to declare members: it is asked for as JSON text");
            self.refuse(schema, "properties", message);
        }
        let optional = properties
            .iter()
            .filter(|(_, ix)| self.links.is_required(*ix) == Some(false));
        let optional: Vec<Ix> = optional.map(|(_, ix)| *ix).collect();
        self.sums.optional += optional.len();
        if target == SchemaTarget::OpenAiStrict {
            for member in optional {
                let message = format!(
                    "{title} wants every member to be required: this one becomes \
                                       required and may be null"
                );
                self.refuse(member, "required", message);
            }
        }
        self.undeclared(schema);
    }

    /// Names that are required and not declared.
    fn undeclared(&mut self, schema: Ix) {
        let given = self.given;
        let Some(required) = given
            .member(schema, "required")
            .filter(|_| self.target.declares_members())
        else {
            return;
        };
        let properties = given
            .member(schema, "properties")
            .map_or(&[][..], |ix| given.members(ix));
        let declared: std::collections::HashSet<&str> =
            properties.iter().map(|(name, _)| &**name).collect();
        for &name in given.items(required) {
            if given
                .text(name)
                .is_some_and(|text| !declared.contains(text))
            {
                let message = format!(
                    "{} wants required members to be declared: it is declared as any \
                                       scalar",
                    self.target.title()
                );
                self.refuse(name, "required", message);
            }
        }
    }

    fn reference(&mut self, schema: Ix) {
        let (given, target, title) = (self.given, self.target, self.target.title());
        let members = given.members(schema);
        let Some((keyword, value)) = members.iter().find(|(name, _)| is_reference(name)) else {
            return;
        };
        if target == SchemaTarget::Mcp || !target.takes(keyword) {
            return;
        }
        let text = given.text(*value).unwrap_or_default();
        let is_plain = text == "#"
            || ["#/$defs/", "#/definitions/"].iter().any(|start| {
                text.strip_prefix(start)
                    .is_some_and(|name| !name.contains('/'))
            });
        if !is_plain {
            let message =
                format!("{title} takes references to $defs alone: what it leads to is put there");
            self.refuse(*value, keyword, message);
        }
        if members.iter().any(|(name, _)| !name.starts_with('$'))
            && !target.takes_beside_reference()
        {
            let message = format!(
                "{title} takes nothing beside a reference: the reference is put into \
                                   an anyOf, or what it leads to is written out"
            );
            self.refuse(*value, keyword, message);
        }
        let recursive = self
            .links
            .target(schema)
            .is_some_and(|ix| self.links.is_recursive(ix));
        if recursive && !target.takes_recursion() {
            let message = format!(
                "{title} takes no schema that nests in itself: a few levels are written \
                                   out, and deeper ones asked for as JSON text"
            );
            self.refuse(*value, keyword, message);
        }
        if target == SchemaTarget::GeminiJson && self.links.returns_at_once(schema) {
            let message = format!(
                "{title} takes recursion by way of optional members alone: the member \
                                   becomes optional, or JSON text is asked for"
            );
            self.refuse(*value, keyword, message);
        }
    }

    fn union(&mut self, schema: Ix, types: Option<Types>) {
        let is_union = types.is_some_and(|types| types.count() > 1)
            || ["anyOf", "oneOf"]
                .iter()
                .any(|name| self.given.member(schema, name).is_some());
        if is_union && self.links.is_required(schema).is_some() {
            self.sums.unions += 1;
        }
    }

    /// What is limited over the whole schema.
    fn whole(&mut self) {
        let (title, bounds) = (self.target.title(), self.target.limits());
        let Sums {
            properties,
            name_chars,
            optional,
            unions,
            ..
        } = self.sums;
        let table = [
            (
                properties,
                bounds.properties,
                "properties",
                "properties in a schema",
            ),
            (
                name_chars,
                bounds.name_chars,
                "properties",
                "characters of names and allowed values",
            ),
            (
                optional,
                bounds.optional,
                "required",
                "optional members in all tools of a request",
            ),
            (
                unions,
                bounds.unions,
                "anyOf",
                "members that are unions in all tools of a request",
            ),
        ];
        for (count, most, keyword, what) in table {
            if count > most {
                let message =
                    format!("{title} takes no more than {most} {what}: there are {count}");
                self.refuse(ROOT, keyword, message);
            }
        }
    }
}

/// A keyword as messages show it; those that nobody knows may be long.
fn shown(keyword: &str) -> String {
    const SHOWN_MAX: usize = 40;
    if keyword.len() > SHOWN_MAX {
        "this keyword".to_owned()
    } else {
        format!("`{keyword}`")
    }
}

/// Whether a count is 0 or 1.
pub(super) fn is_few(given: &Given, count: Ix) -> bool {
    matches!(given.number(count), Some("0" | "1"))
}

/// The characters of an allowed value.
pub(super) fn chars(given: &Given, value: Ix) -> usize {
    match given.get(value) {
        Value::Text(text) => text.chars().count(),
        Value::Number(text) => text.len(),
        _ => 4,
    }
}

//! Values that were written as text, between the tags of a parameter.

use std::borrow::Cow;
use std::collections::HashMap;

use llmjson_syntax::{Class, Document, Kind, ValueRef, write_string};

use super::super::contract::Contract;
use super::super::registry::Registry;
use super::draft::resolve;
use super::families::Families;
use super::tag::normalized;
use super::{Budget, CallReading};

/// Maximum number of references that are followed from a property to its type.
const STEPS_MAX: usize = 16;

/// The type of a parameter, as the schema or the tag says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Takes {
    /// A string; `null` too, if so.
    Text { or_null: bool },
    /// No string.
    Json,
    /// A string, or JSON of one of these types.
    Either(Types),
    /// Unknown: neither the schema nor the tag says.
    Anything,
}

impl Takes {
    /// Returns what a value takes whose type stands beside it: `<arg_type>string</arg_type>`.
    pub(super) fn by_hint(hint: &str) -> Self {
        match hint {
            "string" | "str" => Self::Text { or_null: false },
            "" => Self::Anything,
            _ => Self::Json,
        }
    }
}

/// Writes the value that a text between tags at a place of the reply stands for, and returns how sure that is.
pub(super) fn write(
    text: &str,
    takes: Takes,
    place: (usize, usize),
    out: &mut String,
    read: &mut CallReading,
    budget: &mut Budget,
) -> Class {
    let trimmed = text.trim();
    let is_text = match takes {
        Takes::Text { or_null } => !(or_null && matches!(trimmed, "null" | "None")),
        Takes::Json | Takes::Either(_) | Takes::Anything => false,
    };
    if let Takes::Either(types) = takes {
        let (other, kind) = match trimmed {
            "True" => ("true", Kind::Bool),
            "False" => ("false", Kind::Bool),
            "None" => ("null", Kind::Null),
            _ => (trimmed, json_kind(trimmed, budget).unwrap_or(Kind::String)),
        };
        match types.holds(kind, other) {
            true => out.push_str(other),
            false => write_string(text, out),
        }
        return Class::Certain;
    }
    let constant = match trimmed {
        "True" => Some("true"),
        "False" => Some("false"),
        "None" | "null" => Some("null"),
        _ => None,
    };
    let is_json = !is_text && constant.is_none() && is_json(trimmed, budget);
    match constant {
        _ if is_text => write_string(text, out),
        Some(constant) => out.push_str(constant),
        None if is_json => out.push_str(trimmed),
        // The format says that a text is written as JSON has it.
        None if takes == Takes::Json
            && trimmed.starts_with('"')
            && json_kind(trimmed, budget) == Some(Kind::String) =>
        {
            out.push_str(trimmed);
        }
        // Damaged JSON, where the schema asks for some.
        None if takes == Takes::Json && trimmed.starts_with(['{', '[']) => {
            let document = budget.read(trimmed);
            match document.to_json() {
                Some(json) => {
                    out.push_str(&json);
                    read.add(&CallReading::of(&document, place));
                }
                None => write_string(text, out),
            }
        }
        None => write_string(text, out),
    }
    // Neither the schema nor the tag says that it is no string.
    let is_inferred = takes == Takes::Anything && (constant.is_some() || is_json);
    if is_inferred {
        Class::Likely
    } else {
        Class::Certain
    }
}

/// Returns a text whose lines end in line feeds alone, as XML reads them.
pub(super) fn with_plain_line_ends(text: &str) -> Cow<'_, str> {
    match text.contains("\r\n") {
        true => Cow::Owned(text.replace("\r\n", "\n")),
        false => Cow::Borrowed(text),
    }
}

/// Decodes the five entities of XML.
pub(super) fn unescaped(text: &str) -> String {
    let entities = [
        ("&lt;", "<"),
        ("&gt;", ">"),
        ("&quot;", "\""),
        ("&apos;", "'"),
    ];
    let mut text = text.to_owned();
    for (entity, character) in entities {
        text = text.replace(entity, character);
    }
    text.replace("&amp;", "&")
}

/// Returns `true` if a text that goes on is surely no constant and no JSON.
pub(super) fn is_surely_text(begin: &str, takes: Takes) -> bool {
    // A closer may have begun.
    let closer = begin.rfind('<').filter(|at| !begin[*at..].contains('>'));
    let begin = begin[..closer.unwrap_or(begin.len())].trim_start();
    let constants = ["true", "false", "null", "True", "False", "None"];
    let may_be_constant = constants
        .iter()
        .any(|one| one.starts_with(begin.trim_end()));
    match takes {
        Takes::Text { or_null: false } => true,
        Takes::Text { or_null: true } => !begin.is_empty() && !may_be_constant,
        Takes::Json => false,
        Takes::Either(_) | Takes::Anything => {
            let is_number = |one: char| one.is_ascii_digit() || "+-.eE".contains(one);
            let may_be_number = begin.starts_with(|one: char| one == '-' || one.is_ascii_digit())
                && begin.trim_end().chars().all(is_number);
            !begin.is_empty()
                && !may_be_constant
                && !may_be_number
                && !begin.starts_with(['{', '[', '"'])
        }
    }
}

/// Returns `true` if a text is strict JSON and no string.
fn is_json(text: &str, budget: &mut Budget) -> bool {
    text.starts_with(|one: char| one.is_ascii_digit() || "{[-tf".contains(one))
        && json_kind(text, budget).is_some_and(|kind| kind != Kind::String)
}

/// Returns what a text is as strict JSON.
fn json_kind(text: &str, budget: &mut Budget) -> Option<Kind> {
    if !text.starts_with(|one: char| one.is_ascii_digit() || "{[-tfn\"".contains(one)) {
        return None;
    }
    let document = budget.read(text);
    let is_strict = document.repairs().is_empty() && document.is_complete();
    document.root().filter(|_| is_strict).map(ValueRef::kind)
}

/// The knowledge of a registry's tools about the arguments of their calls.
pub(super) struct Schemas<'r> {
    registry: &'r Registry,
    /// The families whose calls are looked for, if they are named.
    pub(super) only: Option<Families>,
    known: Known,
}

/// The schemas of the tools that were asked for, by name.
pub(super) type Known = HashMap<String, Option<Properties>>;

impl<'r> Schemas<'r> {
    pub(super) const fn new(registry: &'r Registry, only: Option<Families>, known: Known) -> Self {
        Self {
            registry,
            only,
            known,
        }
    }

    pub(super) fn into_known(self) -> Known {
        self.known
    }

    /// Returns `true` if the registry has tools.
    pub(super) fn has_tools(&self) -> bool {
        self.registry.contracts().len() > 0
    }

    /// Returns `true` if a tool has exactly this name.
    pub(super) fn has(&self, tool: &str) -> bool {
        self.registry.get(tool).is_some()
    }

    /// Returns `true` if a tool has this name.
    pub(super) fn knows(&self, tool: &str) -> bool {
        resolve(self.registry, tool).is_some()
    }

    /// Returns the length of the tool's name in a name that ends in one of its arguments: `weathercity`.
    pub(super) fn tool_and_argument(&mut self, name: &str, budget: &mut Budget) -> Option<usize> {
        let registry = self.registry;
        budget.charge(registry.contracts().len());
        let tools = registry.contracts().map(Contract::name);
        let tools = tools.filter(|tool| name.len() > tool.len() && name.starts_with(tool));
        let mut tools = tools.filter(|tool| self.declares(tool, &name[tool.len()..]));
        let length = tools.next()?.len();
        tools.next().is_none().then_some(length)
    }

    /// Returns what an argument of a tool takes.
    pub(super) fn takes(&mut self, tool: &str, name: &str) -> Takes {
        let properties = self.of(tool);
        properties.map_or(Takes::Anything, |properties| properties.takes(name))
    }

    /// Returns `true` if a tool declares an argument of this name.
    pub(super) fn declares(&mut self, tool: &str, name: &str) -> bool {
        let properties = self.of(tool);
        properties.is_some_and(|properties| properties.property(name).is_some())
    }

    /// Returns `true` if nothing says that a tool takes arguments.
    pub(super) fn takes_nothing(&mut self, tool: &str) -> bool {
        !self.has_tools() || self.knows(tool) && self.name_at(tool, 0).is_none()
    }

    /// Returns the name of the argument that a tool declares at a place.
    pub(super) fn name_at(&mut self, tool: &str, place: usize) -> Option<String> {
        self.of(tool)?.name_at(place)
    }

    fn of(&mut self, tool: &str) -> Option<&Properties> {
        if !self.known.contains_key(tool) {
            let contract = resolve(self.registry, tool);
            let properties = contract.map(Properties::of);
            self.known.insert(tool.to_owned(), properties);
        }
        self.known.get(tool)?.as_ref()
    }
}

/// The schema of a tool, read for the types of its properties.
pub(super) struct Properties {
    schema: Document<'static>,
}

impl Properties {
    pub(super) fn of(contract: &Contract) -> Self {
        let schema = llmjson_syntax::parse(contract.schema().as_json()).into_owned();
        Self { schema }
    }

    /// Returns what a property takes.
    pub(super) fn takes(&self, name: &str) -> Takes {
        let Some(property) = self.property(name) else {
            return Takes::Anything;
        };
        let mut types = Types::default();
        self.add_types(property, STEPS_MAX, &mut types);
        let others = types.without(&["string", "null"]);
        match types.contains("string") {
            true if others != Types::default() => Takes::Either(types),
            true => Takes::Text {
                or_null: types.contains("null"),
            },
            false if others != Types::default() => Takes::Json,
            false => Takes::Anything,
        }
    }

    /// Returns the name of the property that stands at a place.
    pub(super) fn name_at(&self, place: usize) -> Option<String> {
        let (name, _) = self.all()?.members().nth(place)?;
        Some(name.into_owned())
    }

    fn all(&self) -> Option<ValueRef<'_>> {
        self.schema.root()?.get("properties")
    }

    fn property(&self, name: &str) -> Option<ValueRef<'_>> {
        let all = self.all()?;
        all.get(name).or_else(|| {
            let name = normalized(name);
            let mut members = all.members();
            members.find_map(|(one, property)| (normalized(&one) == name).then_some(property))
        })
    }

    fn add_types(&self, schema: ValueRef<'_>, steps: usize, types: &mut Types) {
        if steps == 0 {
            return;
        }
        if let Some(reference) = schema.get("$ref").and_then(|one| one.as_str()) {
            let pointer = reference.strip_prefix('#').unwrap_or_default();
            if let Some(target) = self.schema.root().and_then(|root| root.pointer(pointer)) {
                self.add_types(target, steps - 1, types);
            }
        }
        match schema.get("type") {
            Some(one) if one.kind() == Kind::Array => {
                for one in one.items() {
                    types.add(&one.as_str().unwrap_or_default());
                }
            }
            Some(one) => types.add(&one.as_str().unwrap_or_default()),
            None => {}
        }
        let values = schema.get("enum").into_iter().flat_map(|one| one.items());
        for value in values.chain(schema.get("const")) {
            types.add(value.kind().name());
        }
        for keyword in ["anyOf", "oneOf", "allOf"] {
            for branch in schema.get(keyword).into_iter().flat_map(|one| one.items()) {
                self.add_types(branch, steps - 1, types);
            }
        }
    }
}

/// The types that a schema names.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Types(u8);

impl Types {
    const NAMES: [&str; 7] = [
        "string", "null", "boolean", "integer", "number", "object", "array",
    ];

    fn bit(name: &str) -> u8 {
        let mut names = Self::NAMES.iter();
        let place = names.position(|one| one.eq_ignore_ascii_case(name));
        1 << place.unwrap_or(Self::NAMES.len())
    }

    fn add(&mut self, name: &str) {
        self.0 |= Self::bit(name);
    }

    fn contains(self, name: &str) -> bool {
        self.0 & Self::bit(name) != 0
    }

    fn without(self, names: &[&str]) -> Self {
        Self(
            names
                .iter()
                .fold(self.0, |bits, name| bits & !Self::bit(name)),
        )
    }

    /// Returns `true` if JSON of a kind is of one of the types, and no string.
    fn holds(self, kind: Kind, json: &str) -> bool {
        match kind {
            Kind::String => false,
            Kind::Number if self.contains("number") => true,
            Kind::Number => self.contains("integer") && !json.contains(['.', 'e', 'E']),
            Kind::Bool => self.contains("boolean"),
            Kind::Null => self.contains("null"),
            Kind::Object => self.contains("object"),
            _ => self.contains("array"),
        }
    }
}

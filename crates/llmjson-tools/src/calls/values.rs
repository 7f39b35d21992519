//! Values written as text between the tags of a parameter.

use std::borrow::Cow;

use llmjson_schema::internal::Outline;
use llmjson_syntax::{Class, Kind, write_string};

use super::super::contract::Contract;
use super::super::registry::Registry;
use super::draft::resolve;
use super::families::Families;
use super::tag::normalized;
use super::{Budget, CallReading};

/// Maximum number of references that are followed from a property to its types.
const STEPS_MAX: usize = 8;

/// The type of a parameter, according to the schema or the tag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Takes {
    /// A string, with a flag for null.
    Text { or_null: bool },
    /// A type other than a string.
    Json,
    /// A string, or JSON of one of these types.
    Either(Types),
    /// Unknown: neither the schema nor the tag states it.
    Anything,
}

impl Takes {
    /// Returns the type of a value with an adjacent type hint: `<arg_type>string</arg_type>`.
    pub(super) fn by_hint(hint: &str) -> Self {
        match hint {
            "string" | "str" => Self::Text { or_null: false },
            "" => Self::Anything,
            _ => Self::Json,
        }
    }
}

/// Writes the value that a text between tags at a place of the reply represents, and returns its
/// class.
pub(super) fn write(
    text: &str,
    takes: Takes,
    place: (usize, usize),
    out: &mut String,
    read: &mut CallReading,
    budget: &mut Budget,
) -> Class {
    let trimmed = text.trim();
    let json = match takes {
        Takes::Text { or_null } => {
            let is_null = or_null && matches!(trimmed, "null" | "None");
            is_null.then_some("null")
        }
        Takes::Either(types) => {
            let json = as_json(trimmed, budget);
            json.and_then(|(json, kind)| types.holds(kind, json).then_some(json))
        }
        // The format says that a text is JSON.
        Takes::Json => as_json(trimmed, budget).map(|(json, _)| json),
        Takes::Anything => {
            let json = as_json(trimmed, budget).filter(|(_, kind)| *kind != Kind::String);
            json.map(|(json, _)| json)
        }
    };
    if let Some(json) = json {
        out.push_str(json);
        // Neither the schema nor the tag excludes a string.
        return match takes {
            Takes::Anything => Class::Likely,
            _ => Class::Certain,
        };
    }
    // Malformed JSON, where the schema requires JSON.
    if takes == Takes::Json && trimmed.starts_with(['{', '[']) {
        let document = budget.read(trimmed);
        if let Some(json) = document.to_json() {
            out.push_str(&json);
            read.add(&CallReading::of(&document, place));
            return Class::Certain;
        }
    }
    write_string(text, out);
    Class::Certain
}

/// Returns a text whose lines end only in line feeds, as XML reads them.
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

/// Returns `true` if an unfinished text is certainly neither a constant nor JSON.
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

/// Returns a text as strict JSON, with its kind: `null` for `None`.
pub(super) fn as_json<'t>(text: &'t str, budget: &mut Budget) -> Option<(&'t str, Kind)> {
    match text {
        "true" | "True" => return Some(("true", Kind::Bool)),
        "false" | "False" => return Some(("false", Kind::Bool)),
        "null" | "None" => return Some(("null", Kind::Null)),
        _ => {}
    }
    if !text.starts_with(|one: char| one.is_ascii_digit() || "{[-\"".contains(one)) {
        return None;
    }
    let document = budget.read(text);
    let is_strict = document.repairs().is_empty() && document.is_complete();
    let root = document.root().filter(|_| is_strict)?;
    Some((text, root.kind()))
}

/// The tools of a registry, as a source of information about the arguments of their calls.
#[derive(Clone, Copy)]
pub(super) struct Schemas<'r> {
    pub(super) registry: &'r Registry,
    /// The families whose calls are searched for, if they are named.
    pub(super) only: Option<Families>,
}

impl<'r> Schemas<'r> {
    /// Returns `true` if the registry has tools.
    pub(super) fn has_tools(self) -> bool {
        self.registry.contracts().len() > 0
    }

    /// Returns `true` if a tool has exactly this name.
    pub(super) fn has(self, tool: &str) -> bool {
        self.registry.get(tool).is_some()
    }

    /// Returns `true` if a tool has this name.
    pub(super) fn knows(self, tool: &str) -> bool {
        resolve(self.registry, tool).is_some()
    }

    /// Returns the length of the tool's name in a name that ends in one of its arguments: `weathercity`.
    pub(super) fn tool_and_argument(self, name: &str, budget: &mut Budget) -> Option<usize> {
        budget.charge(self.registry.contracts().len());
        let tools = self.registry.contracts().map(Contract::name);
        let tools = tools.filter(|tool| name.len() > tool.len() && name.starts_with(tool));
        let mut tools = tools.filter(|tool| self.declares(tool, &name[tool.len()..]));
        let length = tools.next()?.len();
        tools.next().is_none().then_some(length)
    }

    /// Returns the type that an argument of a tool accepts.
    pub(super) fn takes(self, tool: &str, name: &str) -> Takes {
        let Some(schema) = self.property(tool, name) else {
            return Takes::Anything;
        };
        let takes = |kind| any(schema, STEPS_MAX, &|one| one.takes(kind));
        let others = OTHERS.map(takes);
        match (takes(Kind::String), others[1..].contains(&true)) {
            (true, true) => {
                let fractions = any(schema, STEPS_MAX, &|one| one.takes_fractions());
                Takes::Either(Types(others, fractions))
            }
            (true, false) => Takes::Text { or_null: others[0] },
            (false, true) => Takes::Json,
            (false, false) => Takes::Anything,
        }
    }

    /// Returns `true` if a tool declares an argument of this name.
    pub(super) fn declares(self, tool: &str, name: &str) -> bool {
        self.property(tool, name).is_some()
    }

    /// Returns `true` if a tool may be without arguments, as far as is known.
    pub(super) fn takes_nothing(self, tool: &str) -> bool {
        !self.has_tools() || self.knows(tool) && self.name_at(tool, 0).is_none()
    }

    /// Returns the name of the argument that a tool declares at an index.
    pub(super) fn name_at(self, tool: &str, place: usize) -> Option<&'r str> {
        let (name, _) = self.properties(tool).nth(place)?;
        Some(name)
    }

    fn property(self, tool: &str, name: &str) -> Option<Outline<'r>> {
        let mut exact = self.properties(tool).filter(|(one, _)| *one == name);
        let found = exact.next().or_else(|| {
            let name = normalized(name);
            self.properties(tool)
                .find(|(one, _)| normalized(one) == name)
        });
        found.map(|(_, property)| property)
    }

    fn properties(self, tool: &str) -> impl Iterator<Item = (&'r str, Outline<'r>)> {
        let contract = resolve(self.registry, tool).into_iter();
        contract.flat_map(|contract| contract.schema().outline().properties())
    }
}

/// The kinds of values other than strings.
const OTHERS: [Kind; 5] = [
    Kind::Null,
    Kind::Bool,
    Kind::Number,
    Kind::Object,
    Kind::Array,
];

/// Two sets: the [other](OTHERS) kinds of a type, and whether the type allows fractions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Types([bool; OTHERS.len()], bool);

impl Types {
    /// Returns `true` if JSON of a kind has one of the types, and is not a string.
    fn holds(self, kind: Kind, json: &str) -> bool {
        let mut kinds = OTHERS.iter().zip(self.0);
        let is_whole = self.1 || !json.contains(['.', 'e', 'E']);
        kinds.any(|(one, takes)| takes && *one == kind) && (kind != Kind::Number || is_whole)
    }
}

/// Returns `true` if a condition holds for a schema or one of its parts.
fn any(schema: Outline<'_>, steps: usize, is_one: &dyn Fn(Outline<'_>) -> bool) -> bool {
    let mut parts = schema.parts().chain(schema.branches());
    !schema.takes_all() && is_one(schema)
        || steps > 0 && parts.any(|part| any(part, steps - 1, is_one))
}

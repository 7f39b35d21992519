//! Other names of fields that a type declares for serde (`#[serde(alias = "…")]`), which are not in
//! the schema that schemars derives.
//!
//! What serde derives tells all names of a struct's fields when it asks for one, and refuses a field
//! that comes twice by its proper name. So a name that the schema does not have is given twice.
//!
//! ```text
//! deserialize_struct("Sms", ["phone_number", "phone", "text"], …)
//!   {"phone": "", "phone": …}   ->  duplicate field `phone_number`
//! ```
//!
//! `probe` follows the fields down to a struct, `filler` makes up the values that are needed on the
//! way. Of types that cannot be asked so nothing is found.

mod filler;
mod probe;

use std::collections::{BTreeMap, HashSet};

use llmjson_syntax::{Kind, NodeId, ValueRef};
use serde::de::DeserializeOwned;

use super::contract::{ALIASES, Insertions};
use super::extend::guarded;
use probe::{Answer, Question, Step};

/// Fields are followed that far into each other.
const DEPTH_MAX: usize = 8;

/// A type is asked so often, at most.
const QUESTIONS_MAX: usize = 10_000;

/// References and parts are followed that far.
const STEPS_MAX: usize = 32;

/// Texts of which one may do where a type reads itself from a text.
const TEXTS: &[&str] = &[
    "",
    "1",
    "2000-01-01T00:00:00Z",
    "2000-01-01",
    "00000000-0000-0000-0000-000000000001",
    "127.0.0.1",
    "https://example.com/",
];

/// The schema of a type with the other names that serde knows, as its text; nothing if there are
/// none.
pub(super) fn into_schema<T: DeserializeOwned>(schema: &str) -> Option<String> {
    let document = llmjson_syntax::parse(schema);
    let root = document.root()?;
    let mut search = Search {
        root,
        seen: HashSet::new(),
        found: BTreeMap::new(),
        questions: QUESTIONS_MAX,
    };
    let mut open = vec![(Vec::new(), root)];
    while let Some((path, value)) = open.pop() {
        search.look::<T>(&path, value, &mut open);
    }
    let mut insertions = Insertions::default();
    for (property, names) in search.found.into_values() {
        insertions.add(property, &[(ALIASES, names)]);
    }
    insertions.apply(schema)
}

/// The names that lead to a field.
type Names = Vec<String>;

struct Search<'d> {
    root: ValueRef<'d>,
    /// The objects that were looked at.
    seen: HashSet<NodeId>,
    /// Properties and their other names, as JSON.
    found: BTreeMap<NodeId, (ValueRef<'d>, Vec<String>)>,
    questions: usize,
}

impl<'d> Search<'d> {
    /// Looks at the struct in a field, and notes the fields within it.
    fn look<T: DeserializeOwned>(
        &mut self,
        path: &[String],
        schema: ValueRef<'d>,
        open: &mut Vec<(Names, ValueRef<'d>)>,
    ) {
        let Some(Answer::Fields(fields, steps)) = self.ask::<T>(path, Question::Fields) else {
            return;
        };
        let object = self.object(schema, &steps);
        let Some(object) = object.filter(|object| self.seen.insert(object.id())) else {
            return;
        };
        let Some(properties) = object.get("properties") else {
            return;
        };
        for name in fields {
            match properties.get(name) {
                None => self.find_alias::<T>(path, name, properties),
                Some(property) if path.len() < DEPTH_MAX => {
                    let mut path = path.to_vec();
                    path.push((*name).to_owned());
                    open.push((path, property));
                }
                Some(_) => {}
            }
        }
    }

    fn find_alias<T: DeserializeOwned>(
        &mut self,
        path: &[String],
        name: &'static str,
        properties: ValueRef<'d>,
    ) {
        let mut texts = TEXTS.iter();
        let proper = texts.find_map(|text| {
            let question = Question::ProperName { name, text };
            match self.ask::<T>(path, question)? {
                Answer::ProperName(proper) => Some(proper),
                Answer::Fields(..) => None,
            }
        });
        let Some(property) = proper.and_then(|proper| properties.get(proper)) else {
            return;
        };
        let known = property.get(ALIASES);
        let known = known
            .into_iter()
            .flat_map(|known| known.items().chain([known]));
        let mut known = known.filter_map(ValueRef::as_str);
        if !known.any(|known| known == name) {
            let (_, names) =
                (self.found.entry(property.id())).or_insert_with(|| (property, Vec::new()));
            names.push(serde_json::Value::from(name).to_string());
        }
    }

    /// What a type answers, unless it panics.
    fn ask<T: DeserializeOwned>(&mut self, path: &[String], question: Question) -> Option<Answer> {
        self.questions = self.questions.checked_sub(1)?;
        guarded(|| probe::ask::<T>(path, question)).ok()?
    }

    /// The schema of the struct in a field, behind references, null, lists and maps.
    fn object(&self, schema: ValueRef<'d>, steps: &[Step]) -> Option<ValueRef<'d>> {
        let mut schema = self.resolve(schema)?;
        for step in steps {
            let inner = match step {
                Step::Items => schema.get("items")?,
                Step::Values => values(schema)?,
            };
            schema = self.resolve(inner)?;
        }
        Some(schema)
    }

    fn resolve(&self, mut schema: ValueRef<'d>) -> Option<ValueRef<'d>> {
        let is_null = |branch: &ValueRef<'_>| {
            let name = branch.get("type").and_then(ValueRef::as_str);
            name.as_deref() == Some("null")
        };
        for _ in 0..STEPS_MAX {
            if let Some(reference) = schema.get("$ref").and_then(ValueRef::as_str) {
                schema = self.at(&reference)?;
                continue;
            }
            let lists = ["allOf", "anyOf", "oneOf"].iter();
            let list = lists.filter_map(|word| schema.get(word)).next();
            let Some(list) = list.filter(|_| schema.get("properties").is_none()) else {
                return Some(schema);
            };
            let mut branches = list.items().filter(|branch| !is_null(branch));
            schema = match (branches.next(), branches.next()) {
                (Some(only), None) => only,
                _ => return None,
            };
        }
        None
    }

    fn at(&self, reference: &str) -> Option<ValueRef<'d>> {
        let pointer = reference.strip_prefix('#')?;
        let mut steps = pointer.split('/').skip(1);
        steps.try_fold(self.root, |value, step| {
            let step = step.replace("~1", "/").replace("~0", "~");
            match value.kind() {
                Kind::Array => value.item(step.parse().ok()?),
                _ => value.get(&step),
            }
        })
    }
}

/// The schema of a map's values. Names that are numbers are a pattern.
fn values(map: ValueRef<'_>) -> Option<ValueRef<'_>> {
    let of_all = map.get("additionalProperties");
    let of_all = of_all.filter(|values| values.kind() == Kind::Object);
    let of_pattern = || Some(map.get("patternProperties")?.members().next()?.1);
    of_all.or_else(of_pattern)
}

#[cfg(test)]
mod tests;

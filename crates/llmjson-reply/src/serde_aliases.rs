//! Detects serde aliases of fields (`#[serde(alias = "…")]`), which schemars does not add to the
//! schema.
//!
//! A derived `Deserialize` passes all names of a struct's fields, aliases included, to
//! `deserialize_struct`, and its error for a duplicate field states the field's own name. So each name
//! that is not in the schema is passed twice.
//!
//! ```text
//! deserialize_struct("Sms", ["phone_number", "phone", "text"], …)
//!   {"phone": "", "phone": …}   ->  duplicate field `phone_number`
//! ```
//!
//! `probe` is a deserializer that leads to a struct, and `filler` provides the values of its fields.
//! Types that do not deserialize as derived structs have no detectable aliases.

mod filler;
mod probe;

use std::collections::{BTreeMap, HashSet};

use llmjson_syntax::{Kind, NodeId, ValueRef};
use serde::de::Deserialize;

use crate::guarded::guarded;
use crate::insert::{ALIASES, Insertions};
use crate::pointer::Pointers;
use probe::{ProbeResult, Question, Step};

/// The maximum nesting depth of structs.
const DEPTH_MAX: usize = 8;

/// The maximum number of times a type is deserialized.
const QUESTIONS_MAX: usize = 10_000;

/// The maximum number of references and subschemas followed in a row.
const STEPS_MAX: usize = 32;

/// Probe values for types that deserialize from a string.
const TEXTS: &[&str] = &[
    "",
    "1",
    "2000-01-01T00:00:00Z",
    "2000-01-01",
    "00000000-0000-0000-0000-000000000001",
    "127.0.0.1",
    "https://example.com/",
];

/// Returns the text of a type's schema with its serde aliases added; `None` if it has none.
pub(crate) fn into_schema<T: Deserialize<'static>>(schema: &str) -> Option<String> {
    let document = llmjson_syntax::parse(schema);
    let root = document.root()?;
    let mut search = AliasSearch {
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

/// The names of the fields on the way to a struct.
type FieldPath = Vec<String>;

struct AliasSearch<'d> {
    root: ValueRef<'d>,
    /// The schemas of structs already searched.
    seen: HashSet<NodeId>,
    /// Properties and their aliases, as JSON.
    found: BTreeMap<NodeId, (ValueRef<'d>, Vec<String>)>,
    questions: usize,
}

impl<'d> AliasSearch<'d> {
    /// Finds the aliases in the struct at a path, and queues its fields.
    fn look<T: Deserialize<'static>>(
        &mut self,
        path: &[String],
        schema: ValueRef<'d>,
        open: &mut Vec<(FieldPath, ValueRef<'d>)>,
    ) {
        let Some(ProbeResult::Fields(fields, steps)) = self.ask::<T>(path, Question::Fields) else {
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

    fn find_alias<T: Deserialize<'static>>(
        &mut self,
        path: &[String],
        name: &'static str,
        properties: ValueRef<'d>,
    ) {
        let mut texts = TEXTS.iter();
        let proper = texts.find_map(|text| {
            let question = Question::FieldName { name, text };
            match self.ask::<T>(path, question)? {
                ProbeResult::FieldName(proper) => Some(proper),
                ProbeResult::Fields(..) => None,
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

    /// Deserializes the type once; returns `None` if it panics.
    fn ask<T: Deserialize<'static>>(
        &mut self,
        path: &[String],
        question: Question,
    ) -> Option<ProbeResult> {
        self.questions = self.questions.checked_sub(1)?;
        guarded(|| probe::ask::<T>(path, question)).ok()?
    }

    /// Returns the schema of the struct within a field, behind references, null, arrays and maps.
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
                schema = Pointers::default().find(self.root, reference.strip_prefix('#')?)?;
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
}

/// Returns the schema of a map's values; schemars uses a pattern for keys that are numbers.
fn values(map: ValueRef<'_>) -> Option<ValueRef<'_>> {
    let of_all = map.get("additionalProperties");
    let of_all = of_all.filter(|values| values.kind() == Kind::Object);
    let of_pattern = || Some(map.get("patternProperties")?.members().next()?.1);
    of_all.or_else(of_pattern)
}

#[cfg(test)]
mod tests;

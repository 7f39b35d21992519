//! References within a schema, and whether its root takes the arguments of a call.

use std::collections::HashMap;

use llmjson_syntax::{Kind, ValueRef};

use super::places::Place;
use super::{Findings, Places, ProblemCode};

const TYPES: &[&str] = &[
    "null", "boolean", "integer", "number", "string", "array", "object",
];

/// References and parts are followed that far from the root.
const STEPS_MAX: usize = 64;

pub(super) fn check(places: &Places<'_>, findings: &mut Findings<'_>) {
    check_targets(places, findings);
    if !takes(places, 0, Kind::Object, STEPS_MAX, &mut HashMap::new()) {
        let message = "the arguments of a call are an object, which the schema does not take";
        findings.error(ProblemCode::Schema, String::new(), message.to_owned());
    }
    let mut known = HashMap::new();
    for (at, place) in places.iter() {
        let Some(names) = place.schema.get("propertyNames") else {
            continue;
        };
        let names = places.at_node(names.id());
        let mut takes_texts = |names| takes(places, names, Kind::String, STEPS_MAX, &mut known);
        if names.is_some_and(|names| !takes_texts(names)) {
            let message = "names of members are strings, which `propertyNames` does not take";
            let pointer = places.pointer(at) + "/propertyNames";
            findings.error(ProblemCode::Schema, pointer, message.to_owned());
        }
    }
}

/// Each reference that leads nowhere; compiling stops at the first one. Where a schema has names
/// of its own for its parts, only compiling knows.
fn check_targets(places: &Places<'_>, findings: &mut Findings<'_>) {
    let mut all = places.iter();
    if all.any(|(_, place)| place.schema.get("$id").is_some()) {
        return;
    }
    for at in places.references() {
        let reference = places.get(at).schema.get("$ref");
        let Some(reference) = reference.and_then(ValueRef::as_str) else {
            continue;
        };
        if places.target(at).is_none() && reference.starts_with("#/") {
            let pointer = places.pointer(at) + "/$ref";
            if !findings.has_error_at(&pointer) {
                let message = format!("`{}` leads nowhere", super::findings::shown(&reference));
                findings.error(ProblemCode::Schema, pointer, message);
            }
        }
    }
}

/// Whether a schema may take values of a kind, as far as its types and values tell. What is known
/// of a place is kept.
fn takes(
    places: &Places<'_>,
    at: usize,
    kind: Kind,
    steps: usize,
    known: &mut HashMap<usize, bool>,
) -> bool {
    if steps == 0 {
        return true;
    }
    if let Some(known) = known.get(&at) {
        return *known;
    }
    // One that leads back to itself says nothing by that.
    known.insert(at, true);
    let schema = places.get(at).schema;
    let mut takes = |part: usize| takes(places, part, kind, steps - 1, known);
    let mut takes_part = |part: ValueRef<'_>| places.at_node(part.id()).is_none_or(&mut takes);
    let mut all = schema.get("allOf").into_iter().flat_map(ValueRef::items);
    let result = takes_itself(places.get(at), kind)
        && all.all(&mut takes_part)
        && ["anyOf", "oneOf"].into_iter().all(|word| {
            let branches = schema.get(word).filter(|list| !list.is_empty());
            branches.is_none_or(|branches| branches.items().any(&mut takes_part))
        })
        && places.target(at).is_none_or(&mut takes);
    known.insert(at, result);
    result
}

fn takes_itself(place: &Place<'_>, kind: Kind) -> bool {
    if place.schema.as_bool() == Some(false) {
        return false;
    }
    let is_named = |name: ValueRef<'_>| {
        let name = name.as_str().unwrap_or_default();
        let is = |kind: &str| name.eq_ignore_ascii_case(kind);
        // What is no type at all is another problem.
        is(kind.name()) || !TYPES.iter().any(|one| is(one))
    };
    let by_type = match place.schema.get("type") {
        Some(types) if types.kind() == Kind::Array => types.items().any(is_named),
        Some(name) => is_named(name),
        None => true,
    };
    let by_enum = place.schema.get("enum").is_none_or(|values| {
        let mut values = values.items();
        values.any(|value| value.kind() == kind)
    });
    let by_const = place.schema.get("const");
    by_type && by_enum && by_const.is_none_or(|value| value.kind() == kind)
}

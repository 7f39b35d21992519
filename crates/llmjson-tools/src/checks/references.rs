//! References within a schema, and whether its root allows an object.

use std::collections::HashMap;

use llmjson_syntax::{Kind, ValueRef};

use super::findings::Findings;
use super::subschemas::Subschema;
use super::subschemas::Subschemas;
use llmjson_targets::LintCode;

const TYPES: &[&str] = &[
    "null", "boolean", "integer", "number", "string", "array", "object",
];

/// The maximum number of references and subschemas followed in a row.
const STEPS_MAX: usize = 64;

pub(super) fn check(subschemas: &Subschemas<'_>, findings: &mut Findings<'_>) {
    check_targets(subschemas, findings);
    if !allows(subschemas, 0, Kind::Object, STEPS_MAX, &mut HashMap::new()) {
        let message = "the schema must allow an object, as arguments are an object";
        findings.error(LintCode::Schema, String::new(), message.to_owned());
    }
    let mut known = HashMap::new();
    for (at, subschema) in subschemas.iter() {
        let Some(names) = subschema.schema.get("propertyNames") else {
            continue;
        };
        let names = subschemas.at_node(names.id());
        let mut allow_strings =
            |names| allows(subschemas, names, Kind::String, STEPS_MAX, &mut known);
        if names.is_some_and(|names| !allow_strings(names)) {
            let message = "`propertyNames` must allow strings, as names are strings";
            let pointer = subschemas.pointer(at) + "/propertyNames";
            findings.error(LintCode::Schema, pointer, message.to_owned());
        }
    }
}

/// Checks that each reference can be resolved, as compiling stops at the first error.
fn check_targets(subschemas: &Subschemas<'_>, findings: &mut Findings<'_>) {
    for at in subschemas.references() {
        let reference = subschemas.get(at).schema.get("$ref");
        let Some(reference) = reference.and_then(ValueRef::as_str) else {
            continue;
        };
        if subschemas.target(at).is_none() {
            let pointer = subschemas.pointer(at) + "/$ref";
            if !findings.has_error_at(&pointer) {
                let message = format!(
                    "`{}` cannot be resolved",
                    super::findings::shown(&reference)
                );
                findings.error(LintCode::Schema, pointer, message);
            }
        }
    }
}

/// Returns `true` if a schema may allow values of a kind, judging by `type`, `enum`, `const` and
/// combinators. Results are cached in `known`.
fn allows(
    subschemas: &Subschemas<'_>,
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
    // A recursive reference adds no constraint.
    known.insert(at, true);
    let schema = subschemas.get(at).schema;
    let mut allows = |part: usize| allows(subschemas, part, kind, steps - 1, known);
    let mut allows_part =
        |part: ValueRef<'_>| subschemas.at_node(part.id()).is_none_or(&mut allows);
    let mut all = schema.get("allOf").into_iter().flat_map(ValueRef::items);
    let result = allows_itself(subschemas.get(at), kind)
        && all.all(&mut allows_part)
        && ["anyOf", "oneOf"].into_iter().all(|word| {
            let branches = schema.get(word).filter(|list| !list.is_empty());
            branches.is_none_or(|branches| branches.items().any(&mut allows_part))
        })
        && subschemas.target(at).is_none_or(&mut allows);
    known.insert(at, result);
    result
}

fn allows_itself(subschema: &Subschema<'_>, kind: Kind) -> bool {
    if subschema.schema.as_bool() == Some(false) {
        return false;
    }
    let is_named = |name: ValueRef<'_>| {
        let name = name.as_str().unwrap_or_default();
        let is = |kind: &str| name.eq_ignore_ascii_case(kind);
        // Unknown types are reported elsewhere.
        is(kind.name()) || !TYPES.iter().any(|one| is(one))
    };
    let by_type = match subschema.schema.get("type") {
        Some(types) if types.kind() == Kind::Array => types.items().any(is_named),
        Some(name) => is_named(name),
        None => true,
    };
    let by_enum = subschema.schema.get("enum").is_none_or(|values| {
        let mut values = values.items();
        values.any(|value| value.kind() == kind)
    });
    let by_const = subschema.schema.get("const");
    by_type && by_enum && by_const.is_none_or(|value| value.kind() == kind)
}

//! What no value can satisfy.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::collections::{HashMap, HashSet};

use llmjson_syntax::{Kind, ValueRef};

use super::findings::shown;
use super::places::{About, Place, escaped};
use super::{Findings, Places, ProblemCode};

/// Least and most of the same thing.
const RANGES: &[(&str, &str)] = &[
    ("minimum", "maximum"),
    ("minLength", "maxLength"),
    ("minItems", "maxItems"),
    ("minProperties", "maxProperties"),
    ("minContains", "maxContains"),
];

/// Bounds of which one at least is not itself allowed.
const OPEN_RANGES: &[(&str, &str)] = &[
    ("exclusiveMinimum", "maximum"),
    ("minimum", "exclusiveMaximum"),
    ("exclusiveMinimum", "exclusiveMaximum"),
];

pub(super) fn check(places: &Places<'_>, findings: &mut Findings<'_>) {
    for (at, place) in places.iter().filter(|(_, place)| !place.is_conditional) {
        check_ranges(places, at, place.schema, findings);
        check_values(places, at, place.schema, findings);
        check_members(places, at, place.schema, findings);
    }
    check_required(places, findings);
}

fn check_ranges(places: &Places<'_>, at: usize, schema: ValueRef<'_>, findings: &mut Findings<'_>) {
    let mut refuse = |(least, most): (&str, &str), what: &str| {
        let bound = |word| schema.get(word).map(ValueRef::to_json).unwrap_or_default();
        let message = format!(
            "`{least}` {} is {what} `{most}` {}",
            shown(&bound(least)),
            shown(&bound(most))
        );
        findings.error(ProblemCode::Contradiction, places.pointer(at), message);
    };
    for range in RANGES {
        // Of older schemas, a bound may say in another keyword that it is not itself allowed.
        let words = ["exclusiveMinimum", "exclusiveMaximum"].into_iter();
        let is_flagged = |word| schema.get(word).and_then(ValueRef::as_bool) == Some(true);
        let is_open = range.0 == "minimum" && words.into_iter().any(is_flagged);
        match order(schema, *range) {
            Some(Ordering::Greater) => refuse(*range, "above"),
            Some(Ordering::Equal) if is_open => refuse(*range, "not below"),
            _ => {}
        }
    }
    for range in OPEN_RANGES {
        if matches!(
            order(schema, *range),
            Some(Ordering::Greater | Ordering::Equal)
        ) {
            refuse(*range, "not below");
        }
    }
}

/// How two bounds compare, if both are there. Counts may be written as strings.
fn order(schema: ValueRef<'_>, (least, most): (&str, &str)) -> Option<Ordering> {
    let text = |word: &str| {
        let value = schema.get(word)?;
        value
            .as_number()
            .map(Cow::Borrowed)
            .or_else(|| value.as_str())
    };
    let (least, most) = (text(least)?, text(most)?);
    if let (Ok(least), Ok(most)) = (least.parse::<i128>(), most.parse::<i128>()) {
        return Some(least.cmp(&most));
    }
    let number = |text: &str| text.parse::<f64>().ok();
    number(&least)?.partial_cmp(&number(&most)?)
}

fn check_values(places: &Places<'_>, at: usize, schema: ValueRef<'_>, findings: &mut Findings<'_>) {
    let Some(values) = schema.get("enum").filter(|list| list.kind() == Kind::Array) else {
        return;
    };
    let pointer = || places.pointer(at) + "/enum";
    if values.is_empty() {
        let message = "`enum` has no values".to_owned();
        return findings.error(ProblemCode::Contradiction, pointer(), message);
    }
    let Some(types) = schema.get("type") else {
        return;
    };
    let names: Vec<_> = match types.kind() {
        Kind::Array => types.items().filter_map(ValueRef::as_str).collect(),
        _ => types.as_str().into_iter().collect(),
    };
    let is_nullable = schema.get("nullable").and_then(ValueRef::as_bool) == Some(true);
    let is_of_type = |value: ValueRef<'_>| {
        let has = |name: &str| names.iter().any(|one| one.eq_ignore_ascii_case(name));
        match value.kind() {
            Kind::Null => is_nullable || has("null"),
            Kind::Bool => has("boolean"),
            Kind::Number => has("number") || has("integer"),
            kind => has(kind.name()),
        }
    };
    if !values.items().any(is_of_type) {
        let message = format!("no value of `enum` is of the type {}", types.to_json());
        findings.error(ProblemCode::Contradiction, pointer(), message);
    }
}

/// An object that has to have more members than it may.
fn check_members(
    places: &Places<'_>,
    at: usize,
    schema: ValueRef<'_>,
    findings: &mut Findings<'_>,
) {
    let count = |word: &str| schema.get(word).and_then(ValueRef::as_u64);
    let required = || schema.get("required").map_or(0, ValueRef::len) as u64;
    if let Some(most) = count("maxProperties").filter(|most| *most < required()) {
        let message = format!("more members are required than `maxProperties` {most} allows");
        findings.error(ProblemCode::Contradiction, places.pointer(at), message);
    }
    let is_closed = schema
        .get("additionalProperties")
        .and_then(ValueRef::as_bool)
        == Some(false)
        && schema.get("patternProperties").is_none();
    let declared = || schema.get("properties").map_or(0, ValueRef::len) as u64;
    if let Some(least) = count("minProperties").filter(|least| is_closed && *least > declared()) {
        let message = format!("fewer members are declared than `minProperties` {least} asks for");
        findings.error(ProblemCode::Contradiction, places.pointer(at), message);
    }
}

/// What the schemas about one value declare together.
#[derive(Default)]
struct Declared<'s> {
    names: HashSet<Cow<'s, str>>,
    /// Whether there may be declared members that are not among the names.
    is_open: bool,
}

/// Members that are required, and declared nowhere.
fn check_required(places: &Places<'_>, findings: &mut Findings<'_>) {
    let mut declared: HashMap<usize, Declared<'_>> = HashMap::new();
    for (_, place) in places.iter() {
        let of_value = declared.entry(place.head).or_default();
        let names = place.schema.get("properties").into_iter();
        let names = names.flat_map(ValueRef::members).map(|(name, _)| name);
        of_value.names.extend(names);
        of_value.is_open |= is_open(place.schema);
    }
    // A part of another schema may require what that declares.
    for at in places.references() {
        let place = places.get(at);
        let is_part = place.about == About::Same || place.schema.len() > 1;
        if let Some(target) = places.target(at).filter(|_| is_part && at != 0) {
            declared.entry(places.get(target).head).or_default().is_open = true;
        }
    }
    for (at, place) in places.iter().filter(|(_, place)| !place.is_conditional) {
        let Some(required) = place.schema.get("required") else {
            continue;
        };
        let Some(declared) = declared.get(&place.head).filter(|one| !one.is_open) else {
            continue;
        };
        for name in required.items().filter_map(ValueRef::as_str) {
            if !declared.names.contains(&name) {
                refuse_required(places, (at, place), &name, declared, findings);
            }
        }
    }
}

#[cold]
fn refuse_required(
    places: &Places<'_>,
    (at, place): (usize, &Place<'_>),
    name: &str,
    declared: &Declared<'_>,
    findings: &mut Findings<'_>,
) {
    let own = place.schema.get("properties").into_iter();
    let own = own.flat_map(ValueRef::members).map(|(name, _)| name);
    let meant = match findings.is_full() {
        true => String::new(),
        false => {
            let mut names: Vec<_> = own.chain(declared.names.iter().cloned()).collect();
            names.dedup();
            super::declared::did_you_mean(name, names.iter().map(|name| &**name))
        }
    };
    let message = format!("`{}` is required and not declared{meant}", shown(name));
    findings.error(
        ProblemCode::Contradiction,
        places.pointer(at) + &escaped("required"),
        message,
    );
}

/// Whether a schema declares members by other means than their names.
fn is_open(schema: ValueRef<'_>) -> bool {
    let mut members = schema.members();
    members.any(|(word, value)| match &*word {
        "$ref" | "$dynamicRef" | "$recursiveRef" | "patternProperties" => true,
        "additionalProperties" | "unevaluatedProperties" => value.kind() == Kind::Object,
        _ => false,
    })
}

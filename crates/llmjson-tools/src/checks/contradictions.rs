//! Constraints that no value satisfies.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::collections::{HashMap, HashSet};

use llmjson_syntax::{Kind, ValueRef};

use super::findings::{Findings, shown};
use super::subschemas::Subschema;
use super::subschemas::Subschemas;
use llmjson_schema::internal::source::Applies;
use llmjson_targets::LintCode;

/// Lower and upper bounds.
const RANGES: &[(&str, &str)] = &[
    ("minimum", "maximum"),
    ("minLength", "maxLength"),
    ("minItems", "maxItems"),
    ("minProperties", "maxProperties"),
    ("minContains", "maxContains"),
];

/// Lower and upper bounds of which at least one is exclusive.
const OPEN_RANGES: &[(&str, &str)] = &[
    ("exclusiveMinimum", "maximum"),
    ("minimum", "exclusiveMaximum"),
    ("exclusiveMinimum", "exclusiveMaximum"),
];

pub(super) fn check(subschemas: &Subschemas<'_>, findings: &mut Findings<'_>) {
    let mut check = Check {
        subschemas,
        findings,
    };
    for (at, subschema) in asserted(subschemas) {
        check.ranges(at, subschema.schema);
        check.values(at, subschema.schema);
        check.members(at, subschema.schema);
    }
    check.required();
}

/// Returns the subschemas that the value must satisfy.
fn asserted<'a, 's>(
    subschemas: &'a Subschemas<'s>,
) -> impl Iterator<Item = (usize, &'a Subschema<'s>)> {
    let all = subschemas.iter();
    all.filter(|(_, subschema)| !subschema.is_conditional)
}

struct Check<'a, 's, 't> {
    subschemas: &'a Subschemas<'s>,
    findings: &'a mut Findings<'t>,
}

impl Check<'_, '_, '_> {
    fn refuse(&mut self, at: usize, place: &str, message: String) {
        let pointer = self.subschemas.pointer(at) + place;
        self.findings
            .error(LintCode::Contradiction, pointer, message);
    }

    fn ranges(&mut self, at: usize, schema: ValueRef<'_>) {
        let mut refuse = |(least, most): (&str, &str), what: &str| {
            let bound = |word| shown(&schema.get(word).map(ValueRef::to_json).unwrap_or_default());
            let (from, to) = (bound(least), bound(most));
            self.refuse(at, "", format!("`{least}` {from} is {what} `{most}` {to}"));
        };
        for range in RANGES {
            // In draft 4, a boolean keyword makes a bound exclusive.
            let words = ["exclusiveMinimum", "exclusiveMaximum"].into_iter();
            let is_flagged = |word| schema.get(word).and_then(ValueRef::as_bool) == Some(true);
            let is_open = range.0 == "minimum" && words.into_iter().any(is_flagged);
            match order(schema, *range) {
                Some(Ordering::Greater) => refuse(*range, "greater than"),
                Some(Ordering::Equal) if is_open => refuse(*range, "not less than"),
                _ => {}
            }
        }
        for range in OPEN_RANGES {
            if order(schema, *range).is_some_and(Ordering::is_ge) {
                refuse(*range, "not less than");
            }
        }
    }

    fn values(&mut self, at: usize, schema: ValueRef<'_>) {
        let Some(values) = schema.get("enum").filter(|list| list.kind() == Kind::Array) else {
            return;
        };
        if values.is_empty() {
            let message = "`enum` has no values".to_owned();
            return self.refuse(at, "/enum", message);
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
            let message = format!("no value of `enum` has the type {}", types.to_json());
            self.refuse(at, "/enum", message);
        }
    }

    /// Checks the number of required and declared members.
    fn members(&mut self, at: usize, schema: ValueRef<'_>) {
        let count = |word: &str| schema.get(word).and_then(ValueRef::as_u64);
        let required = || schema.get("required").map_or(0, ValueRef::len) as u64;
        if let Some(most) = count("maxProperties").filter(|most| *most < required()) {
            let message =
                format!("there are more required members than `maxProperties` {most} allows");
            self.refuse(at, "", message);
        }
        let others = schema
            .get("additionalProperties")
            .and_then(ValueRef::as_bool);
        let is_closed = others == Some(false) && schema.get("patternProperties").is_none();
        let declared = || schema.get("properties").map_or(0, ValueRef::len) as u64;
        if let Some(least) = count("minProperties").filter(|least| is_closed && *least > declared())
        {
            let message =
                format!("there are fewer declared members than `minProperties` {least} requires");
            self.refuse(at, "", message);
        }
    }

    fn required(&mut self) {
        let subschemas = self.subschemas;
        let mut declared: HashMap<usize, Declared<'_>> = HashMap::new();
        for (_, subschema) in subschemas.iter() {
            let of_value = declared.entry(subschema.head).or_default();
            of_value.names.extend(properties(subschema));
            of_value.is_open |= is_open(subschema.schema);
        }
        // A subschema that is applied by reference may require what the referrer declares.
        for at in subschemas.references() {
            let subschema = subschemas.get(at);
            let is_part = subschema.applies == Applies::InPlace || subschema.schema.len() > 1;
            if let Some(target) = subschemas.target(at).filter(|_| is_part && at != 0) {
                let head = subschemas.get(target).head;
                declared.entry(head).or_default().is_open = true;
            }
        }
        for (at, subschema) in asserted(subschemas) {
            let required = subschema.schema.get("required");
            let declared = declared.get(&subschema.head).filter(|one| !one.is_open);
            let (Some(required), Some(declared)) = (required, declared) else {
                continue;
            };
            for name in required.items().filter_map(ValueRef::as_str) {
                if !declared.names.contains(&name) {
                    self.refuse_required(at, &name, declared);
                }
            }
        }
    }

    #[cold]
    fn refuse_required(&mut self, at: usize, name: &str, declared: &Declared<'_>) {
        let mut hint = String::new();
        if !self.findings.is_full() {
            let own = properties(self.subschemas.get(at));
            let mut names: Vec<_> = own.chain(declared.names.iter().cloned()).collect();
            names.dedup();
            hint = super::fields::did_you_mean(name, names.iter().map(|name| &**name));
        }
        let message = format!("`{}` is required but not declared{hint}", shown(name));
        self.refuse(at, "/required", message);
    }
}

fn properties<'s>(subschema: &Subschema<'s>) -> impl Iterator<Item = Cow<'s, str>> + use<'s> {
    let properties = subschema.schema.get("properties").into_iter();
    properties.flat_map(ValueRef::members).map(|(name, _)| name)
}

/// Compares two bounds, if both are present. Counts may be strings.
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

/// The members that all subschemas for one value declare.
#[derive(Default)]
struct Declared<'s> {
    names: HashSet<Cow<'s, str>>,
    /// `true` if other members may be declared too.
    is_open: bool,
}

/// Returns `true` if a schema may declare members other than in `properties`.
fn is_open(schema: ValueRef<'_>) -> bool {
    let mut members = schema.members();
    members.any(|(word, value)| match &*word {
        "$ref" | "$dynamicRef" | "$recursiveRef" | "patternProperties" => true,
        "additionalProperties" | "unevaluatedProperties" => value.kind() == Kind::Object,
        _ => false,
    })
}

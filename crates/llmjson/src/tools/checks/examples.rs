//! Examples and defaults that do not fit the schema they stand in.
//!
//! All of them are tried at once: a schema that has each as a member, described by a reference to
//! the schema it stands in, is compiled once for a tool that has any.

use std::collections::BTreeMap;
use std::fmt::Write;

use llmjson_schema::{CoercionKind, Path, Schema, Step, Violation};
use llmjson_syntax::{Kind, ValueRef, write_string};

use super::findings::{shown, shown_to};
use super::places::escaped;
use super::{Findings, Places, ProblemCode};
use crate::reply;
use crate::tools::tool::Tool;

/// The name under which the schema is known to the one around it.
const NAME: &str = "urn:llmjson:tool";

/// What is expected is told in so many letters.
const EXPECTED_MAX: usize = 300;

/// A value that a schema gives for itself.
struct Given<'s> {
    value: ValueRef<'s>,
    /// The schema it stands in.
    schema: String,
    /// The keyword it stands in, and at which place of its list.
    place: String,
    sort: Sort,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Sort {
    Example,
    Default,
}

impl Sort {
    const fn name(self) -> &'static str {
        match self {
            Self::Example => "example",
            Self::Default => "default",
        }
    }
}

pub(super) fn check(tool: &Tool, places: &Places<'_>, findings: &mut Findings<'_>) {
    let given = all(places);
    if given.is_empty() {
        return;
    }
    let root = places.get(0).schema;
    let Ok(schema) = Schema::from_text(&schema_of(root, &given)) else {
        return;
    };
    let mut values = String::from("{");
    for (at, one) in given.iter().enumerate() {
        let comma = if at == 0 { "" } else { "," };
        let _ = write!(values, "{comma}\"{at}\":{}", one.value.to_json());
    }
    values.push('}');
    let document = llmjson_syntax::parse(&values);
    let policy = tool.settled_policy();
    let fitted = reply::fit(document, Some(&schema), &policy);
    let index = |path: &Path| match path.steps().first() {
        Some(Step::Member(name)) => name.parse::<usize>().ok(),
        _ => None,
    };
    let violations = fitted.violations().iter();
    let violations: BTreeMap<usize, &Violation> = violations
        .rev()
        .filter_map(|violation| Some((index(&violation.path)?, violation)))
        .collect();
    // A whole number written as 3.0 fits as it is.
    let coercions = fitted.coercions().iter();
    let coercions = coercions.filter(|one| one.kind != CoercionKind::IntegralFloat);
    let coercions: BTreeMap<usize, &str> = coercions
        .rev()
        .filter_map(|coercion| Some((index(&coercion.path)?, coercion.kind.name())))
        .collect();
    for (at, one) in given.iter().enumerate() {
        let place = one.schema.clone() + &one.place;
        let value = shown(&one.value.to_json());
        let name = one.sort.name();
        if let Some(violation) = violations.get(&at) {
            let message = misfit(name, &value, violation);
            // Generators write null for none, and an extension may put a value right.
            let is_none = one.sort == Sort::Default && one.value.is_null();
            let is_extended = !tool.extensions.bind_nothing();
            match is_none || is_extended {
                true => findings.warning(ProblemCode::Example, place, message),
                false => findings.error(ProblemCode::Example, place, message),
            }
        } else if let Some(kind) = coercions.get(&at) {
            let message = format!("the {name} {value} fits only once it is put right ({kind})");
            match one.sort {
                Sort::Example => findings.warning(ProblemCode::Example, place, message),
                // It is put in as it is.
                Sort::Default => findings.error(ProblemCode::Example, place, message),
            }
        }
    }
}

fn misfit(name: &str, value: &str, violation: &Violation) -> String {
    let steps = violation.path.steps();
    let steps = steps.iter().skip(1).map(|step| match step {
        Step::Member(name) => escaped(name),
        Step::Index(index) => format!("/{index}"),
    });
    let within: String = steps.collect();
    let within = match within.is_empty() {
        true => within,
        false => format!(" at {}", shown(&within)),
    };
    let expected = shown_to(&violation.expected, EXPECTED_MAX);
    format!("the {name} {value} does not fit{within}: {expected} is expected")
}

/// All examples and defaults of a schema.
fn all<'s>(places: &Places<'s>) -> Vec<Given<'s>> {
    let mut given = Vec::new();
    for (at, place) in places.iter() {
        let mut push = |value, place: String, sort| {
            let schema = places.pointer(at);
            given.push(Given {
                value,
                schema,
                place,
                sort,
            });
        };
        for (word, value) in place.schema.members() {
            match &*word {
                "default" => push(value, escaped(&word), Sort::Default),
                "example" => push(value, escaped(&word), Sort::Example),
                "examples" if value.kind() == Kind::Array => {
                    for (at, item) in value.items().enumerate() {
                        push(item, format!("/examples/{at}"), Sort::Example);
                    }
                }
                _ => {}
            }
        }
    }
    given
}

/// A schema with a member for each value.
fn schema_of(root: ValueRef<'_>, given: &[Given<'_>]) -> String {
    let own = root.get("$id").and_then(ValueRef::as_str);
    let own = own.filter(|id| !id.split('#').next().unwrap_or_default().is_empty());
    let name = own.as_deref().unwrap_or(NAME);
    let name = name.split('#').next().unwrap_or(NAME);
    let mut out = String::from(r#"{"type":"object","properties":{"#);
    for (at, one) in given.iter().enumerate() {
        let comma = if at == 0 { "" } else { "," };
        let _ = write!(out, r#"{comma}"{at}":{{"$ref":"#);
        write_string(&format!("{name}#{}", encoded(&one.schema)), &mut out);
        out.push('}');
    }
    let members = (0..given.len()).map(|at| format!("\"{at}\""));
    let members = members.collect::<Vec<_>>().join(",");
    let _ = write!(out, r#"}},"required":[{members}],"$defs":{{"tool":{{"#);
    if own.is_none() {
        out.push_str(r#""$id":"#);
        write_string(NAME, &mut out);
    }
    for (word, value) in root.members() {
        if own.is_none() && word == "$id" {
            continue;
        }
        if !out.ends_with('{') {
            out.push(',');
        }
        write_string(&word, &mut out);
        out.push(':');
        value.write_json(&mut out);
    }
    out.push_str("}}}");
    out
}

/// A pointer as the fragment of a URI.
fn encoded(pointer: &str) -> String {
    let mut out = String::with_capacity(pointer.len());
    for byte in pointer.bytes() {
        match byte {
            b'/' | b'-' | b'.' | b'_' | b'~' | b'$' => out.push(char::from(byte)),
            byte if byte.is_ascii_alphanumeric() => out.push(char::from(byte)),
            byte => {
                let _ = write!(out, "%{byte:02X}");
            }
        }
    }
    out
}

//! Examples and defaults that do not satisfy their subschema.
//!
//! All of them are validated at once, by a schema that has each as a member with a reference to its
//! subschema. It is compiled once, and only for tools with examples or defaults.

use std::collections::BTreeMap;
use std::fmt::Write;

use llmjson_schema::{CoercionKind, Path, Schema, Step, Violation};
use llmjson_syntax::{JsonOut, JsonText, Kind, ValueRef};

use super::findings::{Findings, shown, shown_to};
use super::subschemas::Subschemas;
use crate::tool::Tool;
use llmjson_reply::internal::{self, escaped};
use llmjson_targets::LintCode;

/// The `$id` given to a schema without one.
const NAME: &str = "urn:llmjson:tool";

/// The maximum length of an expectation in a message, in characters.
const EXPECTED_MAX: usize = 300;

/// An example or default in a schema.
struct Sample<'s> {
    value: ValueRef<'s>,
    /// JSON Pointer to the subschema.
    schema: String,
    /// JSON Pointer from the subschema to the value.
    suffix: String,
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

pub(super) fn check(tool: &Tool, subschemas: &Subschemas<'_>, findings: &mut Findings<'_>) {
    let samples = all(subschemas);
    if samples.is_empty() {
        return;
    }
    let root = subschemas.get(0).schema;
    let Ok(schema) = Schema::from_text(&schema_of(root, &samples)) else {
        return;
    };
    let values = JsonText::object_of(|out| {
        for (at, one) in samples.iter().enumerate() {
            out.member(&at.to_string(), one.value);
        }
    });
    let document = llmjson_syntax::parse(&values);
    let policy = tool.settled_policy();
    let fitted = internal::fit(document, Some(&schema), &policy);
    let index = |path: &Path| match path.steps().first() {
        Some(Step::Member(name)) => name.parse::<usize>().ok(),
        _ => None,
    };
    let violations = fitted.violations().iter();
    let violations: BTreeMap<usize, &Violation> = violations
        .rev()
        .filter_map(|violation| Some((index(&violation.path)?, violation)))
        .collect();
    // An integer written as 3.0 is valid.
    let coercions = fitted.coercions().iter();
    let coercions = coercions.filter(|one| one.kind != CoercionKind::IntegralFloat);
    let coercions: BTreeMap<usize, &str> = coercions
        .rev()
        .filter_map(|coercion| Some((index(&coercion.path)?, coercion.kind.name())))
        .collect();
    for (at, one) in samples.iter().enumerate() {
        let pointer = one.schema.clone() + &one.suffix;
        let value = shown(&one.value.to_json());
        let name = one.sort.name();
        let (message, is_wrong) = if let Some(violation) = violations.get(&at) {
            // An extension may coerce a value.
            let is_wrong = tool.extensions.bind_nothing();
            (mismatch(name, &value, violation), is_wrong)
        } else if let Some(kind) = coercions.get(&at) {
            let message = format!("the {name} {value} is valid only after coercion ({kind})");
            (message, false)
        } else {
            continue;
        };
        // A default is an annotation: a default that does not match is never inserted.
        match is_wrong && one.sort == Sort::Example {
            true => findings.error(LintCode::Example, pointer, message),
            false => findings.warning(LintCode::Example, pointer, message),
        }
    }
}

fn mismatch(name: &str, value: &str, violation: &Violation) -> String {
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
    format!("the {name} {value} does not match the schema{within}: expected {expected}")
}

fn all<'s>(subschemas: &Subschemas<'s>) -> Vec<Sample<'s>> {
    let mut samples = Vec::new();
    for (at, subschema) in subschemas.iter() {
        let mut push = |value, suffix: String, sort| {
            let schema = subschemas.pointer(at);
            samples.push(Sample {
                value,
                schema,
                suffix,
                sort,
            });
        };
        for (word, value) in subschema.schema.members() {
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
    samples
}

/// Builds a schema with a member for each sample.
fn schema_of(root: ValueRef<'_>, samples: &[Sample<'_>]) -> String {
    let own = root.get("$id").and_then(ValueRef::as_str);
    let own = own.filter(|id| !id.split('#').next().unwrap_or_default().is_empty());
    let name = own.as_deref().unwrap_or(NAME);
    let name = name.split('#').next().unwrap_or(NAME);
    JsonText::object_of(|out| {
        out.member("type", "object");
        out.object_in("properties", |out| {
            for (at, one) in samples.iter().enumerate() {
                let target = format!("{name}#{}", encoded(&one.schema));
                out.object_in(&at.to_string(), |out| out.member("$ref", target));
            }
        });
        let names = (0..samples.len()).map(|at| at.to_string());
        out.list("required", names, |name, out| out.string(&name));
        out.object_in("$defs", |out| {
            out.object_in("tool", |out| {
                if own.is_none() {
                    out.member("$id", NAME);
                }
                let members = root.members();
                members
                    .filter(|(word, _)| own.is_some() || *word != "$id")
                    .for_each(|(word, value)| out.member(&word, value));
            });
        });
    })
}

/// Encodes a JSON Pointer as a URI fragment.
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

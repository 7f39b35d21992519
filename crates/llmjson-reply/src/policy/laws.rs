//! Laws of every reply under every policy.

use llmjson_schema::{CoercionKind, Refusal, Schema, Undeclared};
use llmjson_syntax::{NoteKind, RepairKind};
use serde_json::Value;

use super::{Handling, Policy};
use crate::Parsed;

/// Checks all laws of a text, with and without a schema, under every preset.
///
/// # Panics
///
/// If one of the laws does not hold.
pub fn every_policy(text: &str, schema: Option<&Schema>) {
    for name in Policy::PRESETS {
        let policy = Policy::named(name).expect("presets have these names");
        policy_is_kept(text, schema, &policy);
    }
    strict_is_serde_json(text, schema);
    what_is_strict_is_the_same_everywhere(text, schema);
}

/// Checks that a conforming value was parsed and coerced only as the policy allows; all refusals
/// are reported, and otherwise there are none.
///
/// # Panics
///
/// If the law does not hold.
pub fn policy_is_kept(text: &str, schema: Option<&Schema>, policy: &Policy) {
    let parsed = policy.parse(text, schema);
    let recovered =
        policy.recovers_strings() && !parsed.is_complete() && parsed.refused().is_empty();
    let more = recovered.then(|| policy.for_recovered());
    let policy = more.as_ref().unwrap_or(policy);
    let coercions = parsed.coercions().iter();
    for one in coercions.filter(|one| one.kind != CoercionKind::RecordsCapped) {
        let allowed = policy.allows_coercion_as(one.kind, one.class);
        assert!(allowed, "{} ({}) for {text:?}", one.kind, one.class);
    }
    let refused = parsed.refused();
    for repair in parsed.repairs() {
        let refusal = Refusal::Repair(*repair);
        let allowed = policy.allows_repair_as(repair.kind, repair.class);
        assert_eq!(!allowed, refused.contains(&refusal), "{repair:?}, {text:?}");
    }
    let cut = refused.iter().any(|one| one.name() == "truncated");
    let refuses_cut = policy.truncated() == Handling::Refuse;
    assert_eq!(cut, refuses_cut && !parsed.is_complete(), "{text:?}");
    let twice = parsed
        .notes()
        .iter()
        .any(|note| note.kind == NoteKind::DuplicateKey);
    let refuses_twice = policy.duplicate_keys() == Handling::Refuse;
    if twice && refuses_twice {
        assert!(!refused.is_empty(), "{text:?} has a name twice");
    }
    if let (Some(schema), Some(root), Undeclared::Reject) =
        (schema, parsed.value(), policy.undeclared())
    {
        let asked = policy.asks(schema);
        let strangers = !asked.violations(root, Undeclared::Reject).is_empty();
        assert_eq!(strangers, !parsed.violations().is_empty(), "{text:?}");
    }
    refusals_are_told(parsed, text);
}

/// A failure caused by a refusal reports it first, with its position, and the feedback mentions it.
fn refusals_are_told(parsed: Parsed<'_>, text: &str) {
    let refused = parsed.refused().to_vec();
    let (has_value, conforms) = (parsed.value().is_some(), parsed.conforms());
    for refusal in &refused {
        let span = refusal.span();
        let inside = span.start <= span.end && span.end as usize <= text.len();
        assert!(inside, "{refusal} lies outside of {text:?}");
    }
    let is_complete = parsed.is_complete();
    assert_eq!(
        parsed.clone().into_result().is_ok(),
        conforms && is_complete,
        "{text:?}"
    );
    if conforms {
        assert!(refused.is_empty(), "{text:?}");
        return;
    }
    let failure = parsed.into_failure();
    if let (Some(first), true) = (refused.first(), has_value) {
        assert_eq!(
            failure.reason(),
            &crate::feedback::Reason::Refused(*first),
            "{text:?}"
        );
        assert!(failure.to_string().contains(first.name()), "{failure}");
        assert!(!failure.annotations().is_empty(), "{text:?}");
    }
}

/// Checks that the strict policy accepts exactly what `serde_json` reads and satisfies the schema.
///
/// # Panics
///
/// If the law does not hold.
pub fn strict_is_serde_json(text: &str, schema: Option<&Schema>) {
    let policy = Policy::strict();
    let schema = schema.map(|schema| policy.asks(schema));
    let parsed = policy.parse(text, schema);
    let value = match serde_json::from_str::<Value>(text) {
        // Numbers beyond every double stay strings here, and deeper values are read.
        Err(error) if is_limit(&error) => return,
        other => other.ok(),
    };
    let accepted = value.is_some()
        && parsed
            .value()
            .is_some_and(|root| schema.is_none_or(|schema| schema.is_valid(root)));
    assert_eq!(
        parsed.conforms(),
        accepted,
        "{:?}, {text:?}",
        parsed.refused()
    );
    assert_eq!(parsed.coercions(), [], "{text:?}");
    if accepted {
        let read = parsed.value().map(llmjson_schema::to_value);
        assert_eq!(read, value.map(Ok), "{text:?}");
    }
}

/// Returns `true` if the error is a limit of `serde_json`.
pub fn is_limit(error: &serde_json::Error) -> bool {
    let message = error.to_string();
    ["number out of range", "recursion limit exceeded"]
        .iter()
        .any(|limit| message.starts_with(limit))
}

/// Checks that every preset accepts a value that the strict policy accepts without undeclared
/// members and repeated keys, as the same value; only whole numbers may lose their fraction, and an
/// object encoded as a string may be parsed where the policy allows it.
///
/// # Panics
///
/// If the law does not hold.
pub fn what_is_strict_is_the_same_everywhere(text: &str, schema: Option<&Schema>) {
    let strict = Policy::strict().parse(text, schema);
    let (Some(root), true) = (strict.value(), strict.conforms()) else {
        return;
    };
    let known = schema.is_none_or(|schema| schema.violations(root, Undeclared::Reject).is_empty());
    if !known || !strict.notes().is_empty() {
        return;
    }
    for name in Policy::PRESETS {
        let policy = Policy::named(name).expect("presets have these names");
        let parsed = policy.parse(text, schema);
        assert!(parsed.conforms(), "{name} refuses {text:?}");
        let kinds = parsed.coercions().iter().map(|one| one.kind);
        if kinds.clone().any(|kind| {
            !matches!(
                kind,
                CoercionKind::IntegralFloat | CoercionKind::DoubleEncoded
            )
        }) {
            panic!("{name} changes {text:?}");
        }
        if kinds.count() == 0 {
            assert_eq!(parsed.to_json(), strict.to_json(), "{name}, {text:?}");
        }
    }
    assert!(
        strict
            .repairs()
            .iter()
            .all(|one| one.kind == RepairKind::RecordsCapped)
    );
}

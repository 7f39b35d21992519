//! What each folder and file of the corpus promises.

use llmjson::{
    Parsed, Policy,
    report::{CoercionKind, FormatNote},
};
use serde_json::Value;

use crate::case::Case;

/// Checks a case against its folder and file.
pub(crate) fn check(case: &Case) {
    let (name, parsed) = (case.name(), case.parse());
    let kinds = Kinds::of(&parsed);
    match case.verdict()[..] {
        ["unchanged", _] => {
            let value: Value = serde_json::from_str(&case.text)
                .unwrap_or_else(|error| panic!("{name} is no strict JSON: {error}"));
            let read = parsed.value().map(llmjson::DeserializeExt::to_value);
            assert_eq!(read.and_then(Result::ok), Some(value), "{name}");
            assert!(
                kinds.repairs.is_empty() && parsed.is_complete(),
                "{name}: {kinds:?}"
            );
        }
        ["no_value", _] => assert_eq!(parsed.to_json(), None, "{name} has a value"),
        ["repaired", kind] => assert!(kinds.repairs.contains(&kind), "{name}: {kinds:?}"),
        ["noted", kind] => assert!(kinds.notes.contains(&kind), "{name}: {kinds:?}"),
        // What the documentation shows: anything, as long as the outcome stays.
        ["demo", _] => assert!(parsed.value().is_some(), "{name} has no value"),
        ["truncated", _] => {
            assert!(parsed.value().is_some(), "{name} has no value");
            assert!(!parsed.is_complete(), "{name} counts as complete");
        }
        ["coerced", kind] => {
            assert!(case.schema.is_some(), "{name} needs a schema");
            assert!(kinds.coercions.contains(&kind), "{name}: {kinds:?}");
            assert!(parsed.conforms(), "{name}: {:?}", parsed.violations());
        }
        ["refused", kind] => {
            assert!(case.schema.is_some(), "{name} needs a schema");
            let known = CoercionKind::ALL.iter().any(|one| one.name() == kind);
            assert!(known, "there is no kind {kind}");
            assert!(!kinds.coercions.contains(&kind), "{name}: {kinds:?}");
        }
        ["invalid", keyword] => {
            assert!(case.schema.is_some(), "{name} needs a schema");
            let keywords = parsed
                .violations()
                .iter()
                .map(|violation| violation.keyword);
            let keywords: Vec<_> = keywords.collect();
            assert!(keywords.contains(&keyword), "{name}: {keywords:?}");
        }
        ["policy", preset, "allowed"] => {
            assert!(
                Policy::named(preset).is_some(),
                "there is no preset {preset}"
            );
            assert!(parsed.conforms(), "{name}: {:?}", parsed.refused());
        }
        ["policy", preset, "refused"] => {
            assert!(
                Policy::named(preset).is_some(),
                "there is no preset {preset}"
            );
            assert!(!parsed.conforms(), "{name} is allowed");
            let mut presets = Policy::PRESETS
                .iter()
                .filter_map(|name| Policy::named(name));
            let elsewhere =
                presets.any(|policy| policy.parse(&case.text, case.schema.as_ref()).conforms());
            assert!(elsewhere, "{name} is refused whatever the policy");
        }
        ref path => panic!("{name}: {path:?} promises nothing"),
    }
}

/// The names of the notes about a reply.
fn notes(parsed: &Parsed<'_>) -> Vec<&'static str> {
    let formats = parsed.format_notes().iter().map(|_| FormatNote::NAME);
    let notes = parsed.notes().iter().map(|one| one.kind.name());
    notes.chain(formats).collect()
}

/// The kinds of all records of a reply.
#[derive(Debug)]
struct Kinds {
    repairs: Vec<&'static str>,
    notes: Vec<&'static str>,
    coercions: Vec<&'static str>,
}

impl Kinds {
    fn of(parsed: &Parsed<'_>) -> Self {
        Self {
            repairs: parsed.repairs().iter().map(|one| one.kind.name()).collect(),
            notes: notes(parsed),
            coercions: parsed
                .coercions()
                .iter()
                .map(|one| one.kind.name())
                .collect(),
        }
    }
}

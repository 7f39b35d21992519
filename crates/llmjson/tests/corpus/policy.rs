//! The policy of a case: a preset, and what is different from it.

use llmjson::{
    Policy,
    policy::{FinishReason, FormatStrictness, Handling, Undeclared},
    report::CoercionKind,
    syntax::RepairKind,
};
use serde::Deserialize;

/// What the part `policy` of a case holds.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, default)]
struct File {
    preset: String,
    /// Names of kinds of repairs and coercions.
    allow: Vec<String>,
    deny: Vec<String>,
    /// `keep`, `keep_forbidden`, `drop` or `reject`.
    undeclared: Option<String>,
    /// Whether what was cut off, or a name that comes twice, is accepted.
    truncated: Option<bool>,
    duplicate_keys: Option<bool>,
    /// `meant`, `letter` or `as_written`.
    formats: Option<String>,
    finish_reason: Option<String>,
    /// Whether a reply that broke off in a string is read.
    recovered_strings: bool,
    /// Whether objects become text, and text in a union a container.
    containers_as_text: bool,
    texts_as_containers: bool,
    /// How many steps below the root may change.
    depth: Option<u32>,
    input_bytes: Option<u32>,
    candidates: Option<u32>,
    work: Option<u32>,
    digits: Option<u32>,
}

impl Default for File {
    fn default() -> Self {
        Self {
            preset: "lenient".to_owned(),
            allow: Vec::new(),
            deny: Vec::new(),
            undeclared: None,
            truncated: None,
            duplicate_keys: None,
            formats: None,
            finish_reason: None,
            recovered_strings: false,
            containers_as_text: false,
            texts_as_containers: false,
            depth: None,
            input_bytes: None,
            candidates: None,
            work: None,
            digits: None,
        }
    }
}

/// Reads the policy of a case.
pub(crate) fn read(text: &str) -> Policy {
    let file: File = serde_json::from_str(text).expect("a policy is an object of known members");
    let mut policy = Policy::named(&file.preset).expect("a policy begins with a preset");
    for kind in &file.allow {
        policy = match kind_named(kind) {
            Kind::Repair(kind) => policy.allow_repair(kind),
            Kind::Coercion(kind) => policy.allow_coercion(kind),
        };
    }
    for kind in &file.deny {
        policy = match kind_named(kind) {
            Kind::Repair(kind) => policy.deny_repair(kind),
            Kind::Coercion(kind) => policy.deny_coercion(kind),
        };
    }
    policy = match file.undeclared.as_deref() {
        None => policy,
        Some("keep") => policy.with_undeclared(Undeclared::Keep),
        Some("keep_forbidden") => policy.with_undeclared(Undeclared::KeepForbidden),
        Some("drop") => policy.with_undeclared(Undeclared::Drop),
        Some("reject") => policy.with_undeclared(Undeclared::Reject),
        Some(other) => panic!("undeclared members cannot be {other:?}"),
    };
    if let Some(name) = &file.formats {
        let formats: FormatStrictness = name.parse().expect("formats have these names");
        policy = policy.with_formats(formats);
    }
    let handling = |accepted| match accepted {
        true => Handling::Accept,
        false => Handling::Refuse,
    };
    if let Some(accepted) = file.truncated {
        policy = policy.with_truncated(handling(accepted));
    }
    if let Some(accepted) = file.duplicate_keys {
        policy = policy.with_duplicate_keys(handling(accepted));
    }
    if file.recovered_strings {
        policy = policy.with_recovered_strings(Handling::Accept);
    }
    if file.containers_as_text {
        policy = policy.with_containers_as_text(Handling::Accept);
    }
    if file.texts_as_containers {
        policy = policy.with_texts_as_containers(Handling::Accept);
    }
    if let Some(depth) = file.depth {
        policy = policy.with_reach(1, depth);
    }
    let mut limits = policy.limits();
    limits.input_bytes = file.input_bytes.unwrap_or(limits.input_bytes);
    limits.work = file.work.unwrap_or(limits.work);
    limits.digits = file.digits.unwrap_or(limits.digits);
    limits.candidates = file.candidates.unwrap_or(limits.candidates);
    policy = policy.with_limits(limits);
    match file.finish_reason {
        Some(name) => policy.with_finish_reason(FinishReason::named(&name)),
        None => policy,
    }
}

enum Kind {
    Repair(RepairKind),
    Coercion(CoercionKind),
}

fn kind_named(name: &str) -> Kind {
    let repair = RepairKind::ALL.iter().find(|kind| kind.name() == name);
    let coercion = CoercionKind::ALL.iter().find(|kind| kind.name() == name);
    match (repair, coercion) {
        (Some(kind), _) => Kind::Repair(*kind),
        (None, Some(kind)) => Kind::Coercion(*kind),
        (None, None) => panic!("there is no kind {name:?}"),
    }
}

//! Limits that were reached.

use llmjson_schema::{Coercion, CoercionKind, Violation};
use llmjson_syntax::{Document, RepairKind};

/// A limit that was reached while reading the value or fitting it to the schema.
///
/// ```
/// # use llmjson_reply as llmjson;
/// use llmjson::{Policy, syntax::Limits};
///
/// let policy = Policy::lenient().with_limits(Limits::DEFAULT.with_depth(2));
/// let parsed = policy.parse("[[[1]]]", None);
/// let reached = parsed.limits_reached();
/// assert_eq!(reached[0].name, "depth");
/// assert_eq!(reached[0].sentence, "containers nest deeper than 2 at byte 2");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ReachedLimit {
    /// The name of the limit: a field of [`Limits`](llmjson_syntax::Limits), or `pattern_steps`.
    pub name: &'static str,
    /// A description for people: lower case, without a full stop.
    pub sentence: String,
}

/// Returns every limit that was reached, each once.
pub(super) fn reached(
    document: &Document<'_>,
    coercions: &[Coercion],
    violations: &[Violation],
) -> Vec<ReachedLimit> {
    let mut all: Vec<ReachedLimit> = Vec::new();
    let mut add = |name, sentence: &str| {
        if !all.iter().any(|one| one.name == name) {
            let sentence = sentence.to_owned();
            all.push(ReachedLimit { name, sentence });
        }
    };
    if let Some(limit) = document.limit() {
        add(limit.name(), &limit.to_string());
    }
    for kind in document.repairs().iter().map(|repair| repair.kind) {
        match kind {
            RepairKind::CandidatesCapped => add("candidates", kind.sentence()),
            RepairKind::WorkCapped => add("work", kind.sentence()),
            RepairKind::RecordsCapped => add("records", kind.sentence()),
            _ => {}
        }
    }
    let capped = CoercionKind::RecordsCapped;
    if coercions.iter().any(|one| one.kind == capped) {
        add("records", capped.sentence());
    }
    for keyword in violations.iter().map(|one| one.keyword) {
        match keyword {
            "depth" => add("depth", "the value nests too deeply to be checked"),
            "work" => add("work", "the value takes too much work to be checked"),
            "digits" => add("digits", "a number has more digits than are compared"),
            "pattern_steps" => add("pattern_steps", "matching a pattern takes too many steps"),
            "violations_capped" => add("records", "there are more violations than are listed"),
            _ => {}
        }
    }
    all
}

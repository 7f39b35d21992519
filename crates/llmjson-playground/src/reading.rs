//! The reading of a reply: its value, its repairs, and the verdicts of the presets.

use std::hint::black_box;
use std::time::{Duration, Instant};

use llmjson::syntax::{OffsetIndex, OffsetUnit, RepairKind};
use llmjson::{Parsed, Policy, Schema};
use llmjson_page::{Reply, misfits, part, words};
use serde_json::{Value, json};

/// Reads a reply: the value, in how far it can be trusted, and the feedback if it does not fit.
pub(crate) fn read(reply: &str, schema: Option<&Schema>, policy: &Policy) -> Value {
    let parsed = policy.parse(reply, schema);
    let shown = shown(&parsed, schema);
    json!({
        "ok": parsed.conforms(),
        "complete": parsed.is_complete(),
        "certainty": parsed.value().map(|_| parsed.certainty().name()),
        "summary": words::summary(&shown),
        "value": parsed.value().map(|value| value.to_json_pretty()),
        "misfits": misfits(&shown),
        "feedback": feedback(&parsed),
        "counts": {
            "repairs": parsed.repairs().len(),
            "changes": parsed.coercions().len(),
            "violations": parsed.violations().len(),
            "refused": parsed.refused().len(),
        },
        "marks": marks(&parsed, reply),
        "version": env!("CARGO_PKG_VERSION"),
    })
}

/// Maximum number of marks in the editor.
const MARKS_MAX: usize = 1_000;

/// Returns the places of the repairs, in text order: offsets as JavaScript counts, and the class.
fn marks(parsed: &Parsed<'_>, reply: &str) -> Value {
    let offsets = OffsetIndex::new(reply, OffsetUnit::Utf16);
    // The marks are of the value, and not of the text around it.
    let repairs = parsed.repairs().iter();
    let shown = repairs.filter(|one| one.kind != RepairKind::SurroundingText);
    let mut marks: Vec<_> = shown
        .take(MARKS_MAX)
        .map(|one| {
            let [start, end] = [one.span.start, one.span.end].map(|at| offsets.offset(at));
            (start, end, one.class.name())
        })
        .collect();
    marks.sort_unstable();
    json!(marks)
}

/// Returns the text of a reply with every repair made: strict JSON, with the white space of the reply.
pub(crate) fn repaired(reply: &str, schema: Option<&Schema>, policy: &Policy) -> Value {
    let parsed = policy.parse(reply, schema);
    json!({"text": parsed.document().repaired_text().ok()})
}

/// Reads a reply and prints its value, `rounds` times, so that a coarse clock can tell how long it takes: the caller's,
/// or, where there is one, that of this machine, in milliseconds for one round.
pub(crate) fn time(reply: &str, schema: Option<&Schema>, policy: &Policy, rounds: usize) -> Value {
    let read = || {
        let parsed = policy.parse(black_box(reply), schema);
        black_box(parsed.value().map(|value| value.to_json()));
    };
    if cfg!(target_arch = "wasm32") {
        (0..rounds).for_each(|_| read());
        return json!({});
    }
    let begun = Instant::now();
    let mut done = 0_u32;
    while done == 0 || begun.elapsed() < TIMED {
        read();
        done += 1;
    }
    json!({"took": begun.elapsed().as_secs_f64() * 1e3 / f64::from(done)})
}

/// The time after which no further round begins.
const TIMED: Duration = Duration::from_millis(10);

/// Shows what was changed, as a part of a page.
pub(crate) fn repairs(reply: &str, schema: Option<&Schema>, policy: &Policy) -> Value {
    let parsed = policy.parse(reply, schema);
    json!({"html": part(&shown(&parsed, schema))})
}

/// Reads a reply under each preset.
pub(crate) fn policies(reply: &str, schema: Option<&Schema>) -> Value {
    let presets = Policy::PRESETS.iter().map(|name| {
        let policy = Policy::named(name).expect("it is the name of a preset");
        let parsed = policy.parse(reply, schema);
        let refused = parsed.refused().iter();
        let refused = refused.map(|one| json!({"name": one.name(), "sentence": one.sentence()}));
        let violations = parsed.violations().iter();
        let violations = violations
            .map(|one| json!({"path": one.path.to_string(), "expected": one.expected.to_string()}));
        json!({
            "name": name,
            "ok": parsed.conforms(),
            "complete": parsed.is_complete(),
            "certainty": parsed.value().map(|_| parsed.certainty().name()),
            "value": parsed.value().map(|value| value.to_json_pretty()),
            "refused": refused.take(LISTED_MAX).collect::<Vec<_>>(),
            "violations": violations.take(LISTED_MAX).collect::<Vec<_>>(),
        })
    });
    json!({"presets": presets.collect::<Vec<_>>()})
}

/// Maximum number of entries in a list.
const LISTED_MAX: usize = 20;

fn shown<'p>(parsed: &'p Parsed<'p>, schema: Option<&Schema>) -> Reply<'p> {
    let mut shown = Reply::of(parsed);
    shown.has_schema = schema.is_some();
    shown
}

fn feedback(parsed: &Parsed<'_>) -> Option<String> {
    let failure = || parsed.clone().into_failure();
    (!parsed.conforms()).then(|| llmjson::stringify(&failure()))
}

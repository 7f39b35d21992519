//! Laws of every reply, with and without a schema. Called by the tests over the corpus and
//! by the fuzz targets.
//!
//! Laws that concern only parsing are in `llmjson_syntax::laws`; laws that need `serde_json` to
//! compare with, or all three layers together, are here.

mod calls;
mod stream;
mod target;
mod tools;
mod ways;
mod whole;
mod work;

pub use calls::{
    arguments_are_bound_as_alone, calls_are_announced_once, calls_are_bound_again,
    cost_of_call_stream, cost_of_calls, events_of_calls_are_in_order, every_stream_of_calls,
    every_text_with_calls, no_content_is_invented, prose_around_changes_no_marked_call,
    spans_of_calls_are_in_order, splits_of_calls, text_before_hides_no_call,
    work_of_calls_is_bounded,
};
pub use stream::{
    a_coerced_stream_grows_into_the_whole, events_build_what_is_shown, every_coerced_stream,
    every_stream, random_lengths,
};
pub use target::{every_target, rendered_is_taken, what_fits_fits_the_rendered};
pub use tools::{
    canonical_arguments_are_bound_unchanged, every_call, report_is_consistent,
    texts_and_values_bind_alike,
};
pub use ways::{Way, ways};
pub use whole::{a_whole_value_is_read, json_is_not_a_string};
pub use work::{
    cost_of_arguments, cost_of_coerced_stream, cost_with_schema,
    work_of_coerced_streams_is_bounded, work_with_schema_is_bounded,
};

use llmjson_schema::laws::first_block_reads_back;
use llmjson_schema::laws::{
    coercion_is_deterministic, coercion_is_idempotent, what_fits_is_unchanged,
};
use llmjson_schema::laws::{fitting_is_both, work_is_bounded};
use llmjson_schema::{AnnotateOptions, CoercionKind, Schema, Undeclared, annotate, to_value};
use llmjson_syntax::{Document, Parser, laws};
use serde_json::Value;

pub use llmjson_mcp::laws::*;
pub use llmjson_reply::internal::laws::*;

use crate::{ErrorKind, Parsed, Policy, from_str, parse, syntax::NoteKind};

/// Checks all laws of any text without a schema. It does not include [`records_lead_to_the_value`],
/// which holds for texts that are damaged in a few places, but not yet for any bytes.
///
/// # Panics
///
/// If one of the laws does not hold.
pub fn every_text(text: &str) {
    laws::printed_value_reads_back(text);
    laws::spans_lie_in_the_text(text);
    laws::values_lie_within_each_other(text);
    laws::reading_is_deterministic(text);
    laws::everything_is_accounted_for(text);
    laws::the_fast_path_changes_nothing(text);
    laws::candidates_are_in_order(text);
    laws::nothing_of_a_larger_text_stands_outside(text);
    laws::work_is_bounded(text);
    strict_json_unchanged(text);
    serde_reads_the_same(text);
}

/// Checks all laws of a text with a schema.
///
/// # Panics
///
/// If one of the laws does not hold.
pub fn every_text_with_schema(text: &str, schema: &Schema) {
    coercion_is_idempotent(text, schema);
    fitting_is_both(text, schema);
    work_is_bounded(text, schema);
    coercion_is_deterministic(text, schema);
    verdict_and_violations_agree(text, schema);
    what_fits_stays(text, schema);
    valid_stays_valid(text, schema);
    feedback_reads_back(text, schema);
    a_whole_value_is_read(text, schema);
    json_is_not_a_string(text, schema);
    work_with_schema_is_bounded(text, schema);
}

/// Checks that `serde_json` and this crate read strict JSON as the same value: without repairs,
/// notes, truncation or alternative values, in the same member order and with all digits of
/// numbers.
///
/// # Panics
///
/// If the law does not hold.
pub fn strict_json_unchanged(text: &str) {
    let Ok(value) = serde_json::from_str::<Value>(text) else {
        return;
    };
    let document = llmjson_syntax::parse(text);
    assert_eq!(document.repairs(), [], "{text:?} is strict JSON");
    assert!(document.is_complete(), "{text:?} is strict JSON");
    assert_eq!(document.reading_count(), 1, "{text:?} is strict JSON");
    let allowed = [NoteKind::DuplicateKey, NoteKind::ControlEscape];
    let mut notes = document.notes().iter();
    assert!(
        notes.all(|note| allowed.contains(&note.kind)),
        "{text:?} is strict JSON"
    );
    let root = document.root().expect("strict JSON has a value");
    assert_eq!(
        to_value(root).as_ref(),
        Ok(&value),
        "{text:?} is strict JSON"
    );
    // Escapes and line separators are written in one of several ways.
    let plain = !text.contains(['\\', '\u{2028}', '\u{2029}']);
    if document.notes().is_empty() && plain {
        assert_eq!(
            root.to_json(),
            without_space(text),
            "{text:?} is strict JSON"
        );
    }
}

/// Checks that removing or correcting everything on record turns a text into JSON, from which
/// `serde_json` reads the value: see [`laws::records_lead_to_the_value`].
///
/// # Panics
///
/// If the law does not hold.
pub fn records_lead_to_the_value(text: &str) {
    let Some(json) = laws::records_lead_to_the_value(text) else {
        return;
    };
    let document = llmjson_syntax::parse(text);
    let Some(Ok(value)) = document.root().map(to_value) else {
        return;
    };
    match serde_json::from_str::<Value>(&json) {
        Ok(read) => assert_eq!(read, value, "{json:?}, applied from {text:?}"),
        // `serde_json` supports fewer levels and smaller numbers.
        Err(error) => assert!(is_limit(&error), "{error} in {json:?}, from {text:?}"),
    }
}

/// Checks that an array or an object that ends before its last byte is never considered complete.
///
/// # Panics
///
/// If the law does not hold for a prefix of the text, which has to be strict JSON.
pub fn a_cut_is_noticed(text: &str) {
    if serde_json::from_str::<Value>(text).is_err() || !text.starts_with(['{', '[']) {
        return;
    }
    let text = text.trim_end();
    for (cut, _) in text.char_indices() {
        let prefix = &text[..cut];
        let document = llmjson_syntax::parse(prefix);
        let noticed = document.root().is_none() || !document.is_complete();
        assert!(noticed, "{prefix:?} is cut off");
    }
}

/// Checks that a Rust type is read from the value that the document shows, from a truncated one
/// only where that is allowed, and not at all where it would use too much stack.
///
/// # Panics
///
/// If the law does not hold.
pub fn serde_reads_the_same(text: &str) {
    let document = llmjson_syntax::parse(text);
    let mut read = from_str::<Value>(text);
    if !document.is_complete() {
        assert!(read.is_err(), "{text:?} is truncated");
        read = Policy::lenient().allow_truncated().from_str(text);
    }
    if read
        .as_ref()
        .is_err_and(|error| error.kind() == ErrorKind::Limit)
    {
        return;
    }
    match document.root().map(to_value) {
        Some(Ok(value)) => assert_eq!(read.ok(), Some(value), "read from {text:?}"),
        Some(Err(_)) | None => assert!(read.is_err(), "{read:?} read from {text:?}"),
    }
}

/// Checks that there are violations exactly if the value does not satisfy the schema, and a failure
/// exactly if there are violations or there is no value.
///
/// # Panics
///
/// If the law does not hold.
pub fn verdict_and_violations_agree(text: &str, schema: &Schema) {
    let parsed = parse(text, Some(schema));
    let valid = parsed.value().is_some_and(|root| schema.is_valid(root));
    let fits = parsed.value().is_some() && parsed.violations().is_empty();
    assert_eq!(valid, fits, "{:?} for {text:?}", parsed.violations());
    assert_eq!(parsed.conforms(), fits);
    assert_eq!(
        parsed.clone().into_result().is_ok(),
        fits && parsed.is_complete()
    );
    let shown = |parsed: Parsed<'_>| format!("{parsed:?}");
    assert_eq!(
        shown(parsed),
        shown(parse(text, Some(schema))),
        "{text:?} twice"
    );
}

/// Checks that a value that satisfies the schema and has no undeclared members is unchanged, except
/// integers that lose their fraction, and times that get their seconds and `T`.
///
/// # Panics
///
/// If the law does not hold.
pub fn what_fits_stays(text: &str, schema: &Schema) {
    let document = expecting(text, schema);
    let Some(root) = document.root() else { return };
    let alone = document.reading_count_with_drafts() <= 1;
    if !alone || !schema.violations(root, Undeclared::Reject).is_empty() {
        return;
    }
    let parsed = parse(text, Some(schema));
    if parsed.coercions().iter().any(|one| {
        matches!(
            one.kind,
            CoercionKind::IntegralFloat | CoercionKind::WrittenTime
        )
    }) {
        return;
    }
    // If no keys are expected, a damaged text may be read as another value, which need not fit.
    if let Some(json) = document.to_json() {
        what_fits_is_unchanged(&json, schema);
    }
    assert_eq!(parsed.to_json(), document.to_json(), "{text:?} fits");
    assert_eq!(parsed.coercions(), [], "{text:?} fits");
}

/// Parses a text with a schema's keys expected.
fn expecting<'t>(text: &'t str, schema: &Schema) -> Document<'t> {
    let mut parser = Parser::new().with_names(schema.names().clone());
    parser.parse(text)
}

/// Checks that no coercion makes a conforming value violate the schema.
///
/// # Panics
///
/// If the law does not hold.
pub fn valid_stays_valid(text: &str, schema: &Schema) {
    let document = expecting(text, schema);
    if document.root().is_some_and(|root| schema.is_valid(root)) {
        let parsed = parse(text, Some(schema));
        assert!(parsed.conforms(), "{:?} for {text:?}", parsed.violations());
    }
}

/// Checks that the feedback shows the value that was read and every annotation, even if its size is
/// limited.
///
/// # Panics
///
/// If the law does not hold.
pub fn feedback_reads_back(text: &str, schema: &Schema) {
    let parsed = parse(text, Some(schema));
    if parsed.conforms() {
        return;
    }
    let failure = parsed.into_failure();
    let _sentence = failure.to_string();
    let (root, annotations) = (failure.document().root(), &failure.annotations());
    first_block_reads_back(root, annotations);
    let options = AnnotateOptions::new().with_schema(schema);
    let whole = annotate(root, annotations, &options.with_max_bytes(usize::MAX));
    let written = |max_bytes| {
        let feedback = failure.feedback(max_bytes);
        let lead = "The reply holds no JSON value.\n\n";
        let block = feedback.strip_prefix(lead).filter(|_| root.is_none());
        block.unwrap_or(&feedback).to_owned()
    };
    assert_eq!(written(Some(usize::MAX)), whole, "{text:?} twice");
    let bounded = annotate(root, annotations, &options);
    assert_eq!(written(None), bounded, "{text:?} bounded");
    // A path in the data would be counted as an annotation.
    if !text.contains("$input") {
        let marks =
            ["\"path\":\"$input", "\"path\": \"$input"].map(|mark| whole.matches(mark).count());
        assert_eq!(marks.iter().sum::<usize>(), annotations.len(), "{whole}");
    }
    let limit = 400;
    let short = failure.feedback(Some(limit));
    assert!(short.len() <= limit, "{} bytes: {short}", short.len());
}

/// Returns the text of strict JSON without the white space between its tokens.
fn without_space(text: &str) -> String {
    let mut inside = false;
    let kept = text.chars().filter(|char| {
        inside ^= *char == '"';
        inside || !matches!(char, ' ' | '\t' | '\n' | '\r')
    });
    kept.collect()
}

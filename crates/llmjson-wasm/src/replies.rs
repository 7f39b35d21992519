//! Replies with schemas.

use std::cell::RefCell;

use llmjson::feedback::{AnnotateOptions, Annotation, AnnotationPath, annotate as annotated};
use llmjson::policy::AllowedRepairs;
use llmjson::syntax::{Document, JsonOut, JsonText, Limits, Parser};
use llmjson::{Parsed, Policy, Schema};
use serde_json::Value;
use wasm_bindgen::JsError;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::kept::{Kept, keep, take, with};
use crate::policies::policy;
use crate::{answer, failed};

thread_local! {
    static SCHEMAS: RefCell<Kept<Schema>> = const { RefCell::new(Kept::new()) };
}

/// Limits for parsing JSON that JavaScript itself has written.
const OWN: Limits = Limits::DEFAULT.with_input_bytes(u32::MAX - 1);

/// Compiles a schema, and returns its number.
///
/// # Errors
///
/// If it is not a schema.
#[wasm_bindgen]
pub fn schema_new(text: &str) -> Result<u32, JsError> {
    let schema = Schema::from_text(text).map_err(failed)?;
    Ok(keep(&SCHEMAS, schema))
}

/// Frees a schema.
#[wasm_bindgen]
pub fn schema_free(number: u32) {
    take(&SCHEMAS, number);
}

/// Returns the schema with a number; none has 0.
pub(crate) fn schema(number: u32) -> Option<Schema> {
    with(&SCHEMAS, number, |schema| schema.clone())
}

/// Parses a text like the calls `parse`, `arguments` and `coerce`: see `answer`. If `whole`, a
/// truncated value is refused.
///
/// # Errors
///
/// If the value to be coerced cannot be parsed.
#[wasm_bindgen]
pub fn read(
    call: &str,
    text: &str,
    schema: u32,
    policy: u32,
    finish_reason: Option<String>,
    whole: bool,
) -> Result<String, JsError> {
    with_parsed(call, text, schema, policy, finish_reason, whole, shown)
}

/// Returns the report on a text, as printed by `llmjson parse --report`.
///
/// # Errors
///
/// See `read`.
#[wasm_bindgen]
pub fn report(
    call: &str,
    text: &str,
    schema: u32,
    policy: u32,
    finish_reason: Option<String>,
    whole: bool,
) -> Result<String, JsError> {
    with_parsed(call, text, schema, policy, finish_reason, whole, |parsed| {
        parsed.report().to_json()
    })
}

/// Returns feedback for the model; `None` if the value conforms.
///
/// # Errors
///
/// See `read`.
#[wasm_bindgen]
pub fn feedback(
    call: &str,
    text: &str,
    schema: u32,
    policy: u32,
    finish_reason: Option<String>,
    whole: bool,
) -> Result<Option<String>, JsError> {
    with_parsed(call, text, schema, policy, finish_reason, whole, |parsed| {
        let failure = || parsed.clone().into_failure();
        (!parsed.conforms()).then(|| llmjson::stringify(&failure()))
    })
}

fn with_parsed<R>(
    call: &str,
    text: &str,
    number: u32,
    policy_number: u32,
    finish_reason: Option<String>,
    whole: bool,
    act: impl FnOnce(&Parsed<'_>) -> R,
) -> Result<R, JsError> {
    let schema = schema(number);
    let policy = policy(policy_number, finish_reason.as_deref());
    let mut parsed = match (call, &schema) {
        ("coerce", Some(schema)) => policy.coerce(own(text)?, schema),
        ("arguments", schema) => policy.arguments(text, schema.as_ref()),
        (_, schema) => policy.parse(text, schema.as_ref()),
    };
    refuse_truncated(&mut parsed, whole);
    Ok(act(&parsed))
}

/// Refuses a truncated value that conforms, if `whole`.
fn refuse_truncated(parsed: &mut Parsed<'_>, whole: bool) {
    if whole && parsed.conforms() {
        parsed.refused = AllowedRepairs::ALL
            .without_truncated()
            .refusals(parsed.document());
    }
}

/// Parses JSON that JavaScript itself has written.
fn own(text: &str) -> Result<Document<'_>, JsError> {
    let document = Parser::new().with_limits(OWN).parse(text);
    if let Some(limit) = document.limit() {
        return Err(failed(limit));
    }
    if document.root().is_none() || !document.repairs().is_empty() {
        return Err(JsError::new("the value is none of JSON"));
    }
    Ok(document)
}

pub(crate) fn shown(parsed: &Parsed<'_>) -> String {
    answer(
        parsed.conforms(),
        parsed.truncation(),
        parsed.certainty(),
        parsed.to_json(),
    )
}

/// Returns every value of a text: its position, the answer of `read` for it, and its report.
#[wasm_bindgen]
#[must_use]
pub fn all(text: &str, number: u32, policy_number: u32, whole: bool) -> String {
    let schema = schema(number);
    let policy: Policy = policy(policy_number, None);
    let candidates = policy.parse_all(text, schema.as_ref());
    JsonText::written(|out| {
        out.array(candidates, |candidate, out| {
            let span = candidate.span();
            let mut parsed = candidate.into_parsed();
            refuse_truncated(&mut parsed, whole);
            out.object(|out| {
                out.member("start", span.start);
                out.member("end", span.end);
                out.member("answer", shown(&parsed));
                if !parsed.conforms() {
                    let failure = parsed.clone().into_failure();
                    out.member("feedback", llmjson::stringify(&failure));
                }
                out.member("report", parsed.report());
            });
        })
    })
}

/// Writes annotations next to a value: `[{"path", "expected", "description"}]`.
///
/// # Errors
///
/// If the value or the annotations cannot be parsed.
#[wasm_bindgen]
pub fn annotate(value: &str, annotations: &str, number: u32) -> Result<String, JsError> {
    let document = own(value)?;
    let annotations: Vec<Value> = serde_json::from_str(annotations).map_err(failed)?;
    let text = |annotation: &Value, name: &str| annotation.get(name)?.as_str().map(str::to_owned);
    let annotations: Vec<Annotation> = annotations
        .iter()
        .map(|annotation| {
            let path = AnnotationPath::parse(&text(annotation, "path").unwrap_or_default());
            let expected = text(annotation, "expected").unwrap_or_default();
            let made = Annotation::new(path, expected);
            match text(annotation, "description") {
                Some(description) => made.with_description(description),
                None => made,
            }
        })
        .collect();
    let schema = schema(number);
    let mut options = AnnotateOptions::default();
    options.schema = schema.as_ref();
    Ok(annotated(document.root(), &annotations, &options))
}

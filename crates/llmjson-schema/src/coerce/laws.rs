//! Laws of every value and every schema. Called by the tests over the corpus and by the fuzz
//! targets.

use llmjson_syntax::parse;

use super::{CoerceOptions, coerce};
use crate::base::report::{Coercion, CoercionKind};
use crate::schema::Schema;

/// Checks that coercing a coerced value changes nothing.
///
/// # Panics
///
/// If the law does not hold.
pub fn coercion_is_idempotent(text: &str, schema: &Schema) {
    let mut document = parse(text);
    let options = CoerceOptions::default();
    coerce(&mut document, schema, &options);
    let Some(json) = document.to_json() else {
        return;
    };
    let mut again = parse(&json);
    let coercions = coerce(&mut again, schema, &options);
    assert_eq!(
        again.to_json().as_deref(),
        Some(&*json),
        "coerced from {text:?}"
    );
    assert_eq!(
        coercions.len(),
        0,
        "{coercions:?} for {json:?}, coerced from {text:?}"
    );
}

/// Checks that a fitting value, which the caller must pass, keeps its node, unless a time in it has
/// its format only leniently.
///
/// # Panics
///
/// If the law does not hold.
pub fn what_fits_is_unchanged(text: &str, schema: &Schema) {
    let mut document = parse(text);
    let before = document.root().map(|root| root.id());
    let coercions = coerce(&mut document, schema, &CoerceOptions::default());
    let is_time = |one: &Coercion| one.kind == CoercionKind::WrittenTime;
    assert!(coercions.iter().all(is_time), "{coercions:?} for {text:?}");
    if coercions.is_empty() {
        assert_eq!(document.root().map(|root| root.id()), before, "{text:?}");
    }
}

/// Checks that the same value, schema and options give the same result.
///
/// # Panics
///
/// If the law does not hold.
pub fn coercion_is_deterministic(text: &str, schema: &Schema) {
    let run = || {
        let mut document = parse(text);
        let coercions = coerce(&mut document, schema, &CoerceOptions::default());
        format!("{:?} {coercions:?}", document.root())
    };
    assert_eq!(run(), run(), "{text:?}");
}

//! Laws of replies in other notations than JSON.

use llmjson_schema::Schema;
use llmjson_syntax::RepairKind;
use llmjson_syntax::laws::work::Cost;

use crate::{Parsed, Policy};

/// Checks all laws of a text that may be in another notation: reading it twice gives the same
/// result, the work is bounded, records of notations lie in the text and in order, the value
/// satisfies the schema, and a text whose JSON satisfies it is not read as another notation.
///
/// # Panics
///
/// If one of the laws does not hold.
pub fn every_notation(text: &str, schema: &Schema) {
    let policy = Policy::lenient();
    let parsed = policy.parse(text, Some(schema));
    cost_of_notations(text, schema).is_bounded("notations", text);
    let again = policy.parse(text, Some(schema));
    assert_eq!(parsed.to_json(), again.to_json(), "{text:?}");
    assert_eq!(parsed.repairs(), again.repairs(), "{text:?}");
    let json = policy.deny_repair(RepairKind::Notation);
    let json = json.parse(text, Some(schema));
    if json.conforms() {
        assert!(!is_notation(&parsed), "{text:?} has JSON that conforms");
        assert_eq!(parsed.to_json(), json.to_json(), "{text:?}");
    }
    if is_notation(&parsed) {
        assert!(parsed.conforms(), "{text:?} was read for nothing");
        records_are_in_order(text, &parsed);
    }
}

fn is_notation(parsed: &Parsed<'_>) -> bool {
    let mut records = parsed.repairs().iter();
    records.any(|one| one.kind == RepairKind::Notation)
}

fn records_are_in_order(text: &str, parsed: &Parsed<'_>) {
    let around = [RepairKind::SurroundingText, RepairKind::Notation];
    let records = parsed.repairs().iter();
    let mut end = 0;
    for record in records.filter(|one| around.contains(&one.kind)) {
        let span = record.span.range();
        let part = text.get(span.clone());
        assert!(
            part.is_some_and(|part| !part.is_empty()),
            "{record:?}, {text:?}"
        );
        assert!(span.start >= end, "{record:?} overlaps in {text:?}");
        assert_eq!(record.detail.is_some(), record.kind == RepairKind::Notation);
        end = span.end;
    }
}

/// Returns the cost of reading a text with a schema, including notations other than JSON.
#[must_use]
pub fn cost_of_notations(text: &str, schema: &Schema) -> Cost {
    let parsed = Policy::lenient().parse(text, Some(schema));
    Cost {
        work: parsed.document().work().spent(),
        bytes: text.len() + schema.as_json().len(),
        pieces: 0,
    }
}

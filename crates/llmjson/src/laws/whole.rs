//! A complete value is parsed as itself, regardless of its surrounding text.

use llmjson_schema::Schema;
use llmjson_syntax::RepairKind;

use crate::parse;

/// Checks that a reply conforms if a strict JSON object or array in it begins a line or a fence,
/// lies outside reasoning, quotations and comments, and satisfies the schema: damage next to it is
/// preferred only if that conforms too. A value that repeats the schema is not an answer.
///
/// # Panics
///
/// If the law does not hold.
pub fn a_whole_value_is_read(text: &str, schema: &Schema) {
    let parsed = parse(text, Some(schema));
    let document = parsed.document();
    if parsed.conforms() || document.limit().is_some() || document.work().is_used_up() {
        return;
    }
    let mut found = llmjson_syntax::parse(text);
    for span in found.whole_values() {
        let part = llmjson_syntax::parse(&text[span.range()]);
        let strict = part.root().filter(|_| part.repairs().is_empty());
        let conforms = strict.is_some_and(|root| schema.is_valid(root));
        let repeats = || {
            !parse(&text[span.range()], Some(schema))
                .refused()
                .is_empty()
        };
        assert!(!conforms || repeats(), "{span:?} of {text:?} conforms");
    }
}

/// Checks that a reply which is a JSON object or array is not read as a string, if the schema
/// accepts values of its kind.
///
/// # Panics
///
/// If the law does not hold.
pub fn json_is_not_a_string(text: &str, schema: &Schema) {
    let document = llmjson_syntax::parse(text);
    let root = document.root().filter(|root| schema.takes(root.kind()));
    if root.is_some_and(|root| !root.is_empty()) && document.repairs().is_empty() {
        let parsed = parse(text, Some(schema));
        let mut kinds = parsed.repairs().iter().map(|repair| repair.kind);
        assert!(
            !kinds.any(|kind| kind == RepairKind::UnquotedString),
            "{text:?}"
        );
    }
}

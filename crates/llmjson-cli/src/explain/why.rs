//! The reasons that speak against each of the values of a reply.

use std::fmt::Write as _;

use llmjson::syntax::parse;

/// Returns the values of a reply with several, the cheapest first, and why each is less likely the answer.
pub(super) fn values(text: &str) -> String {
    let values = parse(text).weighed_values();
    if values.is_empty() {
        return "the reply has not several values to choose from\n".to_owned();
    }
    let mut out = "values of the reply without a schema, the cheapest first\n".to_owned();
    for value in values {
        let (start, end) = (value.span.start, value.span.end);
        let _ = writeln!(out, "  price {:>4}, the bytes {start}..{end}:", value.price);
        for term in value.terms {
            let _ = writeln!(
                out,
                "    {:>4} {}: {}",
                term.price, term.name, term.sentence
            );
        }
    }
    out
}

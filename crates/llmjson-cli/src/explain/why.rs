//! The readings that were weighed at a place of the reply, and its values.

use std::fmt::Write as _;

use llmjson::Schema;
use llmjson::syntax::{Span, why};

/// Returns the readings of a span, the cheapest first, each with its price and moves, and the margin between
/// the first two.
pub(super) fn weighed(text: &str, schema: Option<&Schema>, span: Span) -> String {
    let names = schema.map(|schema| &**schema.names());
    let readings = why::readings(text, names, span);
    let mut out = format!(
        "readings of the bytes {}..{}, the cheapest first\n",
        span.start, span.end
    );
    for reading in &readings {
        let moves = reading.moves.iter();
        let moves: Vec<_> = moves
            .map(|(name, place)| format!("{name} at {}..{}", place.start, place.end))
            .collect();
        let moves = match moves.is_empty() {
            true => "as it stands".to_owned(),
            false => moves.join(", "),
        };
        let _ = writeln!(
            out,
            "  price {:>3}, up to {}: {moves}",
            reading.price, reading.end
        );
    }
    match readings.as_slice() {
        [] => out.push_str("  none: there is no bracket, or the account of work is used up\n"),
        [_] => out.push_str("no rival\n"),
        [first, second, ..] => {
            let _ = writeln!(out, "margin {}", second.price - first.price);
        }
    }
    out += &values(text);
    out
}

/// Returns the values of a reply with several, the cheapest first, and why each is less likely the answer.
fn values(text: &str) -> String {
    let values = llmjson::syntax::parse(text).weighed_values();
    let mut out = String::new();
    if !values.is_empty() {
        out.push_str("values of the reply without a schema, the cheapest first\n");
    }
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

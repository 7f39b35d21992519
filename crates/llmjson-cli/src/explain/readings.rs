//! The readings that were weighed at a place of the reply.

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
    out
}

//! The costs of the values of a reply, and of its sources.

use std::fmt::Write as _;

use llmjson::syntax::internal::SOURCES;
use llmjson::syntax::parse;

/// Returns the values of a reply that has several, cheapest first, with the reasons for their costs.
pub(super) fn values(text: &str) -> String {
    let values = parse(text).weighed_values();
    if values.is_empty() {
        return "the reply does not have several values to choose from\n".to_owned();
    }
    let mut out = "values of the reply without a schema, cheapest first\n".to_owned();
    for value in values {
        let (start, end) = (value.span.start, value.span.end);
        let _ = writeln!(out, "  cost {:>4}, bytes {start}..{end}:", value.price);
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

/// Returns the table of sources.
pub(super) fn sources() -> String {
    let mut out = "| source | cost | needs | undoes |\n|---|---|---|---|\n".to_owned();
    for source in SOURCES {
        let (name, cost, undoes) = (source.name, source.cost, source.undoes);
        let needs: Vec<String> = source
            .needs
            .iter()
            .map(|byte| format!("{byte:02X}"))
            .collect();
        let _ = writeln!(out, "| {name} | {cost} | {} | {undoes} |", needs.join(" "));
    }
    out
}

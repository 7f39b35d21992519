//! The shortest reply that comes out as a long one does, for a report of a bug.
//!
//! Pieces are taken out while the outcome stays the same, large ones first: lines, then words and signs, then
//! characters. `{"a": 1, "b": [1, 2,], "c": "x"}`, with a comma too many, becomes `{2,}`.

use std::collections::BTreeSet;

use llmjson::{Policy, Schema};
use serde_json::{Value, json};

use crate::replay::pieces;

/// Maximum number of texts that are tried.
const TRIES_MAX: usize = 4_000;
/// Maximum number of bytes that are read for it.
const BYTES_MAX: usize = 20_000_000;
/// Of so few pieces, runs of each length are tried at each place.
const EACH_PLACE_MAX: usize = 40;
/// A text is not taken apart by characters if it is longer.
const BY_CHARACTERS_MAX: usize = 400;

pub(crate) fn answer(reply: &str, schema: Option<&Schema>, policy: &Policy) -> Value {
    let wanted = outcome(reply, schema, policy);
    let (mut tries, mut bytes) = (0, 0);
    let mut same = |text: &str| {
        tries += 1;
        bytes += text.len();
        tries <= TRIES_MAX && bytes <= BYTES_MAX && outcome(text, schema, policy) == wanted
    };
    let by_lines = without(reply.split_inclusive('\n').collect(), &mut same);
    let by_pieces = without(pieces(&by_lines), &mut same);
    let shortest = match by_pieces.len() <= BY_CHARACTERS_MAX {
        true => without(by_pieces.split_inclusive(|_| true).collect(), &mut same),
        false => by_pieces,
    };
    json!({"reply": shortest, "outcome": wanted.into_iter().collect::<Vec<_>>()})
}

/// What became of a reply, but for its value: how it ended, and the kinds of what was done and is wrong.
fn outcome(reply: &str, schema: Option<&Schema>, policy: &Policy) -> BTreeSet<String> {
    let parsed = llmjson::parse_with(reply, schema, policy);
    let ended = match (parsed.value().is_some(), parsed.is_complete()) {
        (false, _) => "no value",
        (true, true) => "a value",
        (true, false) => "a value, cut off",
    };
    let repairs = parsed.repairs().iter();
    let coercions = parsed.coercions().iter();
    let violations = parsed.violations().iter();
    let refused = parsed.refused().iter();
    [ended.to_owned()]
        .into_iter()
        .chain(repairs.map(|one| format!("repair {} ({})", one.kind.name(), one.class.name())))
        .chain(coercions.map(|one| format!("coercion {} ({})", one.kind.name(), one.class.name())))
        .chain(violations.map(|one| format!("violation {} at {}", one.keyword, one.path)))
        .chain(refused.map(|one| format!("refused {}", one.name())))
        .collect()
}

/// Takes out whichever pieces can go, in runs that get shorter, until none can.
fn without(mut pieces: Vec<&str>, same: &mut impl FnMut(&str) -> bool) -> String {
    loop {
        let before = pieces.len();
        take_out(&mut pieces, same);
        if pieces.len() == before {
            return pieces.concat();
        }
    }
}

fn take_out(pieces: &mut Vec<&str>, same: &mut impl FnMut(&str) -> bool) {
    let mut length = pieces.len().div_ceil(2);
    while length > 0 {
        let mut at = 0;
        while at < pieces.len() {
            let end = (at + length).min(pieces.len());
            let rest = [&pieces[..at], &pieces[end..]].concat();
            match same(&rest.concat()) {
                true => *pieces = rest,
                // What belongs together need not begin at a multiple of the length.
                false if pieces.len() <= EACH_PLACE_MAX => at += 1,
                false => at = end,
            }
        }
        length = match pieces.len() <= EACH_PLACE_MAX {
            true => length.min(pieces.len()).saturating_sub(1),
            false => length / 2,
        };
    }
}

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
/// Maximum number of pieces for which runs of each length are tried at each place.
const EACH_PLACE_MAX: usize = 40;
/// A text is not taken apart by characters if it is longer.
const BY_CHARACTERS_MAX: usize = 400;

pub(crate) fn answer(reply: &str, schema: Option<&Schema>, policy: &Policy) -> Value {
    let mut search = MinimalSearch {
        schema,
        policy,
        wanted: outcome(reply, schema, policy),
        tries: 0,
        bytes: 0,
    };
    let by_lines = search.without(reply.split_inclusive('\n').collect());
    let by_pieces = search.without(pieces(&by_lines));
    let shortest = match by_pieces.len() <= BY_CHARACTERS_MAX {
        true => search.without(by_pieces.split_inclusive(|_| true).collect()),
        false => by_pieces,
    };
    json!({"reply": shortest, "outcome": search.wanted.into_iter().collect::<Vec<_>>()})
}

/// Returns the outcome of a reply without its value: how it ended, and the kinds of repairs, coercions and errors.
fn outcome(reply: &str, schema: Option<&Schema>, policy: &Policy) -> BTreeSet<String> {
    let parsed = policy.parse(reply, schema);
    let ended = match (parsed.value().is_some(), parsed.is_complete()) {
        (false, _) => "no value",
        (true, true) => "a value",
        (true, false) => "a value, truncated",
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

/// The search for the shortest reply with an outcome.
struct MinimalSearch<'a> {
    schema: Option<&'a Schema>,
    policy: &'a Policy,
    wanted: BTreeSet<String>,
    tries: usize,
    bytes: usize,
}

impl MinimalSearch<'_> {
    /// Returns `true` if a text has the outcome; `None` once too much was tried.
    fn has_outcome(&mut self, text: &str) -> Option<bool> {
        self.tries += 1;
        self.bytes += text.len();
        (self.tries <= TRIES_MAX && self.bytes <= BYTES_MAX)
            .then(|| outcome(text, self.schema, self.policy) == self.wanted)
    }

    /// Takes out whichever pieces can go, in runs that get shorter, until none can.
    fn without(&mut self, mut pieces: Vec<&str>) -> String {
        loop {
            let before = pieces.len();
            let is_spent = self.take_out(&mut pieces).is_none();
            if is_spent || pieces.len() == before {
                return pieces.concat();
            }
        }
    }

    /// Returns `None` once too much was tried: each try copies the text.
    fn take_out(&mut self, pieces: &mut Vec<&str>) -> Option<()> {
        let mut length = pieces.len().div_ceil(2);
        while length > 0 {
            let mut at = 0;
            while at < pieces.len() {
                let end = (at + length).min(pieces.len());
                let rest = [&pieces[..at], &pieces[end..]].concat();
                match self.has_outcome(&rest.concat())? {
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
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_tried_has_an_end() {
        // Nothing has this outcome, so that every run of pieces would be tried.
        let reply = "word ".repeat(40_000) + "{a: 1}";
        let mut search = MinimalSearch {
            schema: None,
            policy: &Policy::default(),
            wanted: BTreeSet::new(),
            tries: 0,
            bytes: 0,
        };
        let kept = search.without(pieces(&reply));
        assert_eq!(kept, reply);
        let tries_of_this_length = BYTES_MAX / (reply.len() / 2);
        assert!(search.tries <= tries_of_this_length + 2, "{}", search.tries);
    }
}

//! A single allowed value in prose, for classification: `TWO` in `The answer is TWO.`
//!
//! Opt-in, and a guess: the prose may mean something else. The value must be a whole word and the
//! only allowed value in the text. If two names overlap, the longer one counts (`not spam` is not
//! `spam`). A value in a negated sentence is not read.

use super::choice::{places, tokens};
use crate::ir::shape::{Shape, Types};

/// Length beyond which strings are not searched.
const PROSE_BYTES_MAX: usize = 64 * 1024;

/// Maximum number of allowed values that are searched for.
const LITERALS_MAX: usize = 64;

/// Words of negation; the last is the end of `isn't`.
const DENIALS: [&str; 8] = [
    "not", "no", "never", "neither", "nor", "cannot", "without", "t",
];

/// Returns the only allowed value in a string, at a place that allows some of these types: an
/// allowed string, or `true` or `false`.
pub(super) fn only_value<'l>(text: &str, shape: &'l Shape, wanted: Types) -> Option<&'l str> {
    let literals = shape.literals.as_ref();
    let truths = [("true", "true"), ("false", "false")];
    let takes_truth = literals.is_none() && wanted.meets(Types::BOOLEAN);
    let truths = truths.into_iter().filter(|_| takes_truth);
    let is_text = |(_, text): &(&str, &str)| literals.is_none_or(|all| all.has_text(text));
    let names = shape.names().filter(is_text).chain(truths);
    let mut names: Vec<(&str, &str)> = names.take(LITERALS_MAX + 1).collect();
    let is_any_text = literals.is_none() && wanted.meets(Types::STRING);
    if text.len() > PROSE_BYTES_MAX || names.len() > LITERALS_MAX || is_any_text {
        return None;
    }
    names.sort_by_key(|(name, _)| std::cmp::Reverse(name.len()));
    let mut only = None;
    let sentences = text
        .split(". ")
        .flat_map(|text| text.split(['!', '?', ';', '\n']));
    for sentence in sentences {
        let (_, tokens) = tokens(sentence);
        let mut is_named = vec![false; tokens.len()];
        let mut says_it = false;
        for (name, value) in &names {
            for place in places(&tokens, name) {
                let own = &mut is_named[place];
                if own.contains(&true) {
                    continue;
                }
                own.fill(true);
                says_it = true;
                if only.is_some_and(|only| only != *value) {
                    return None;
                }
                only = Some(*value);
            }
        }
        let mut others = tokens
            .iter()
            .zip(&is_named)
            .filter(|(_, is_named)| !**is_named);
        if says_it && others.any(|(token, _)| DENIALS.contains(&&*token.text)) {
            return None;
        }
    }
    only
}

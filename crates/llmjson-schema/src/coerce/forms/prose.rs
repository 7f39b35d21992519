//! The one allowed value in a text, for classification: `TWO` in `The answer is TWO.`
//!
//! Made only on request, and a guess: prose may mean something else. The value has to stand there as a whole word or
//! number and as the only one of its kind. Of two names that overlap the longer one counts (`not spam` is no `spam`). A
//! sentence that denies it says nothing. What a word is, and where a name stands, is asked of `choice`, which reads texts
//! that hold little else.

use serde_json::Value;

use super::choice::Folded;
use super::number;
use crate::base::equality;
use crate::ir::shape::{Shape, Types};

/// Length beyond which texts are not looked through.
const PROSE_BYTES_MAX: usize = 64 * 1024;

/// Maximum number of allowed values that are looked for.
const LITERALS_MAX: usize = 256;

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Meaning<'l> {
    Text(&'l str),
    Boolean(bool),
    Number(String),
}

/// The only allowed value in a text, at a place that takes some of these types.
pub(super) fn only_value<'l>(text: &str, shape: &'l Shape, wanted: Types) -> Option<Meaning<'l>> {
    let literals = shape.literals.as_deref();
    let truths = [("true", "true"), ("false", "false")];
    let truths = truths
        .iter()
        .copied()
        .filter(|_| literals.is_none() && wanted.meets(Types::BOOLEAN));
    // The name of a number is none that prose has.
    let is_text = |(_, text): &(&str, &str)| {
        let texts = shape.literals.as_ref();
        texts.is_none_or(|literals| literals.has_text(text))
    };
    let named = shape.names().filter(is_text).chain(truths);
    let names: Vec<(&str, &str)> = named.take(LITERALS_MAX + 1).collect();
    let is_any_text = literals.is_none() && wanted.meets(Types::STRING);
    if text.len() > PROSE_BYTES_MAX || names.len() > LITERALS_MAX || is_any_text {
        return None;
    }
    let takes_number = |number: &String| match literals {
        Some(literals) => {
            let mut numbers = literals.iter().filter_map(Value::as_number);
            numbers.any(|known| equality::number(number, known))
        }
        None => wanted.has(Types::NUMBER) || number::integral(number).is_some(),
    };
    let looks_for_numbers = match literals {
        Some(literals) => literals.iter().any(Value::is_number),
        None => wanted.meets(Types::NUMBER),
    };
    let folded = Folded::of(text);
    let mut named = folded.names_in(names);
    // A value in another number may be something else.
    named.retain(|one| !one.is_plural);
    let mut is_named = vec![false; folded.tokens.len()];
    for one in &named {
        is_named[one.tokens.clone()].fill(true);
    }
    let meaning = |text: &'l str| match (text, literals) {
        ("true", None) => Meaning::Boolean(true),
        ("false", None) => Meaning::Boolean(false),
        _ => Meaning::Text(text),
    };
    let named = named
        .iter()
        .map(|one| (one.tokens.start, meaning(one.value)));
    let mut found: Vec<(usize, Meaning<'l>)> = named.collect();
    if looks_for_numbers {
        let read = |text: &str| match number::plain(text) {
            Some(number) => Some(number.into_owned()),
            None => number::grouped(text).map(|grouped| grouped.number),
        };
        // `top 5` holds 5, but stands for itself.
        let numbers = folded
            .written_numbers()
            .into_iter()
            .filter(|(at, _)| !is_named[*at]);
        found.extend(numbers.filter_map(|(at, text)| Some((at, Meaning::Number(read(&text)?)))));
    }
    found.sort_by_key(|(at, _)| *at);
    let (_, only) = found.first()?.clone();
    let is_said = found.iter().all(|(_, meaning)| *meaning == only);
    // `It is not TWO.`
    let mut tokens = folded.tokens.iter().enumerate();
    let mut is_denied = false;
    while tokens.len() > 0 {
        let (mut says_no, mut says_it) = (false, false);
        // A sentence, which a point within a number or a name does not end.
        for (at, token) in tokens.by_ref() {
            says_no |= token.denies() && !is_named[at];
            says_it |= found.binary_search_by_key(&at, |(at, _)| *at).is_ok();
            if token.ends_sentence() {
                break;
            }
        }
        is_denied |= says_no && says_it;
    }
    (is_said
        && !is_denied
        && match &only {
            Meaning::Number(number) => takes_number(number),
            _ => true,
        })
    .then_some(only)
}

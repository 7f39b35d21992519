//! Properly closed strings, in texts that are damaged elsewhere.

use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

use crate::{Document, Kind, parse};

/// The characters that are inserted, one at a time.
const PUT_IN: [char; 7] = ['{', '}', '[', ']', ',', ':', '\\'];

/// Number of damaged places per text, spread evenly.
const PLACES: usize = 48;

/// Number of strings on either side of a damaged place that may be read differently: no other
/// string between them and the damage shows where they end.
const NEAR: usize = 3;

/// Checks that a string of valid JSON stays closed if one character elsewhere is missing, or there
/// is a surplus bracket, comma, colon or backslash: no string of the value then contains part of
/// it, or all of it and more.
///
/// The check excludes the strings next to the damage, missing quotes where strings contain escaped
/// ones, and surplus quotes: those may be read as the beginning of a string that continues to the
/// next quote of their kind. Does nothing for text that is not valid JSON.
///
/// # Panics
///
/// If the law does not hold.
pub fn closed_strings_stay_closed(text: &str) {
    each_damage(text, |damaged, closed| {
        if let Some(string) = reopened(&parse(damaged), closed) {
            panic!("{string:?} in {damaged:?}, from {text:?}");
        }
    });
}

/// Calls back with each damaged text and the strings in it that must stay closed.
fn each_damage(text: &str, mut check: impl FnMut(&str, &[Range<usize>])) {
    let document = parse(text);
    let is_container = |kind| matches!(kind, Kind::Array | Kind::Object);
    let valid = document.repairs().is_empty() && document.is_complete();
    let Some(root) = document
        .root()
        .filter(|root| valid && is_container(root.kind()))
    else {
        return;
    };
    let inside = root.span().map_or(0..0, |span| span.range());
    let strings = strings(&document);
    let places: Vec<usize> = text[inside.clone()]
        .char_indices()
        .map(|(at, _)| inside.start + at)
        .collect();
    let step = places.len().div_ceil(PLACES).max(1);
    // Not always the same part of a repetition.
    for (number, &at) in places
        .iter()
        .enumerate()
        .filter(|(number, _)| number * 7 % step == 0)
    {
        let Some(there) = text[at..].chars().next() else {
            continue;
        };
        let put_in = PUT_IN[number % PUT_IN.len()];
        let ambiguous = there == '"' && text.contains("\\\"");
        for (out, new) in [(there.len_utf8(), None), (0, Some(put_in))] {
            if ambiguous && new.is_none() {
                continue;
            }
            let mut damaged = String::with_capacity(text.len() + 1);
            damaged.push_str(&text[..at]);
            damaged.extend(new);
            damaged.push_str(&text[at + out..]);
            check(
                &damaged,
                &away(&strings, at, out, damaged.len() + out - text.len()),
            );
        }
    }
}

/// Returns the places, after the damage, of the strings that are not next to it.
fn away(strings: &[Range<usize>], at: usize, out: usize, new: usize) -> Vec<Range<usize>> {
    let before = strings.partition_point(|string| string.end < at);
    let behind = strings.partition_point(|string| string.start <= at);
    let before = &strings[..before.saturating_sub(NEAR)];
    let behind = strings.get(behind + NEAR..).unwrap_or_default();
    let moved = |at: usize| at + new - out;
    let behind = behind
        .iter()
        .map(|string| moved(string.start)..moved(string.end));
    before.iter().cloned().chain(behind).collect()
}

/// Returns the keys and strings of a document that its text contains, in order.
fn strings(document: &Document<'_>) -> Vec<Range<usize>> {
    let mut strings = Vec::new();
    let mut left: Vec<_> = document.root().into_iter().collect();
    while let Some(value) = left.pop() {
        if value.kind() == Kind::String {
            strings.extend(value.span().map(|span| span.range()));
        }
        left.extend(value.items());
        for (name, member) in value.members().keyed() {
            strings.extend(name.span().map(|span| span.range()));
            left.push(member);
        }
    }
    strings.sort_by_key(|string| string.start);
    strings
}

/// A string in the result that contains part of a closed one, or all of it and more.
fn reopened(document: &Document<'_>, closed: &[Range<usize>]) -> Option<String> {
    strings(document).into_iter().find_map(|string| {
        let from = closed.partition_point(|other| other.end <= string.start);
        let other = closed.get(from).filter(|other| other.start < string.end)?;
        (*other != string).then(|| String::from(&document.text()[string]))
    })
}

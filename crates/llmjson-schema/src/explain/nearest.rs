//! The allowed value that a misspelled one was probably meant to be.

use std::cell::Cell;
use std::collections::HashMap;

use llmjson_syntax::Work;

use crate::base::edits::{CHARACTERS, CharacterMasks, folded};
use crate::ir::shape::ShapeId;

/// Maximum number of candidates that are examined.
const CANDIDATES: usize = 256;
/// Number of cached answers, since models repeat their mistakes.
const ANSWERS: usize = 64;

/// Finds the intended names for one report, within a bound on the work: a step is an examined
/// candidate, or a compared character. Twenty words take about two hundred steps.
#[derive(Debug, Default)]
pub(crate) struct Suggestions {
    known: HashMap<(List, Box<str>), Option<Box<str>>>,
}

/// The set of candidates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum List {
    /// The values that a shape allows.
    Values(ShapeId),
    /// The tags of its union.
    Tags(ShapeId),
    /// The keys of the members that it declares.
    Members(ShapeId),
}

impl Suggestions {
    /// Returns the candidate with the fewest edits, if it is close and unique. Case does not count.
    pub(crate) fn nearest<'c>(
        &mut self,
        list: List,
        text: &str,
        candidates: impl IntoIterator<Item = &'c str>,
        work: &Cell<Work>,
    ) -> Option<String> {
        if text.len() > 4 * CHARACTERS {
            return None;
        }
        let key = (list, Box::from(text));
        if let Some(known) = self.known.get(&key) {
            return known.as_deref().map(str::to_owned);
        }
        // Finding violations matters more than suggesting fixes, so suggestions may spend at most
        // half the remaining budget.
        let mut account = work.get();
        let may_take = usize::try_from(account.left() / 2).unwrap_or(usize::MAX);
        let mut left = may_take;
        let found = nearest(text, candidates, &mut left);
        account.charge(may_take - left);
        work.set(account);
        if self.known.len() < ANSWERS && left > 0 {
            self.known.insert(key, found.map(Into::into));
        }
        found.map(str::to_owned)
    }
}

/// Returns the nearest candidate, or nothing once no steps are left.
fn nearest<'c>(
    text: &str,
    candidates: impl IntoIterator<Item = &'c str>,
    steps: &mut usize,
) -> Option<&'c str> {
    let text = folded(text)?;
    let places = CharacterMasks::of(&text);
    let mut best: Option<(usize, &str)> = None;
    let mut is_tie = false;
    for candidate in candidates.into_iter().take(CANDIDATES) {
        *steps = steps.saturating_sub(1);
        // Letters take up to four bytes. In ASCII, each byte is a letter.
        let is_long = candidate.len() > 4 * CHARACTERS;
        if is_long || candidate.is_ascii() && is_too_far(text.len(), candidate.len()) {
            continue;
        }
        let Some(other) = folded(candidate) else {
            continue;
        };
        if is_too_far(text.len(), other.len()) {
            continue;
        }
        *steps = steps.saturating_sub(other.len());
        if *steps == 0 {
            return None;
        }
        let edits = places.distance(&other);
        if edits > limit(text.len(), other.len()) || edits >= text.len().max(other.len()) {
            continue;
        }
        match best {
            Some((least, _)) if edits > least => {}
            Some((least, _)) if edits == least => is_tie = true,
            _ => (best, is_tie) = (Some((edits, candidate)), false),
        }
    }
    best.filter(|_| !is_tie && *steps > 0)
        .map(|(_, candidate)| candidate)
}

/// Returns the maximum number of edits between strings of those lengths.
fn limit(left: usize, right: usize) -> usize {
    (left.max(right) / 3).max(1)
}

/// Returns `true` if strings of those lengths always differ by more than that.
fn is_too_far(left: usize, right: usize) -> bool {
    left.abs_diff(right) > limit(left, right)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn suggested<'c>(text: &str, candidates: &[&'c str]) -> Option<&'c str> {
        nearest(text, candidates.iter().copied(), &mut { 1 << 18 })
    }

    #[test]
    fn a_misspelling_finds_the_value_that_was_meant() {
        let colours = ["red", "green", "dark blue", "light blue"];
        let cases = [
            ("gren", Some("green")),
            ("GREEN", Some("green")),
            ("dark_blue", Some("dark blue")),
            ("rd", Some("red")),
            ("rde", Some("red")),
            ("blue", None),
            ("yellow", None),
            ("", None),
        ];
        for (text, expected) in cases {
            assert_eq!(suggested(text, &colours), expected, "{text}");
        }
        assert_eq!(suggested("GRÖSE", &["größe", "länge"]), Some("größe"));
    }

    #[test]
    fn two_values_equally_near_are_none() {
        assert_eq!(suggested("cot", &["cat", "cut"]), None);
    }

    #[test]
    fn a_report_has_so_many_suggestions() {
        const STEPS: usize = 1 << 18;
        let listed: Vec<String> = (0..300).map(|at| format!("{at:040}")).collect();
        let listed: Vec<&str> = listed.iter().map(String::as_str).collect();
        let mut suggestions = Suggestions::default();
        let text = |at: usize| {
            let mut text = format!("{:040}", 7);
            let letter = ["x", "y", "z"][at / 30];
            text.replace_range(at % 30..=at % 30, letter);
            text
        };
        let work = Cell::new(Work::for_bytes(1, STEPS - 1024));
        let of = |suggestions: &mut Suggestions, at| {
            let (list, candidates) = (List::Values(ShapeId(0)), listed.iter().copied());
            suggestions.nearest(list, &text(at), candidates, &work)
        };
        let mut given = 0;
        while of(&mut suggestions, given).is_some() {
            given += 1;
            assert!(given < STEPS / (CANDIDATES * 40));
        }
        assert!(given > 10, "{given}");
        // What was said once can be said again.
        assert!(of(&mut suggestions, 0).is_some() && of(&mut suggestions, given + 1).is_none());
        assert!(!work.get().is_used_up());
    }
}

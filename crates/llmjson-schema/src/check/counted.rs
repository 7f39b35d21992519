//! Regular expressions with large counts, matched state by state, so that the cost is known.
//!
//! `^(a{1,200}){1,200}$` has an automaton of 40,000 states, any of which may be active: an engine
//! takes a second per fifty characters. Here each visited state is charged, and no state is visited
//! beyond the budget.

use std::cell::Cell;
use std::mem;
use std::sync::Mutex;

use llmjson_syntax::Work;
use regex_automata::nfa::thompson::{NFA, State, WhichCaptures};
use regex_automata::util::primitives::StateID;

/// Number of states that are examined in a step of a budget.
const STATES_PER_STEP: u64 = 16;

/// A pattern as an automaton.
pub(super) struct Counted {
    automaton: NFA,
    /// The sets of the last search, kept to reuse the allocation.
    spare: Mutex<Option<[States; 2]>>,
}

impl Counted {
    /// Creates the automaton of a pattern, if there is one.
    pub(super) fn new(translated: &str) -> Option<Self> {
        let config = NFA::config().which_captures(WhichCaptures::None);
        let automaton = NFA::compiler().configure(config).build(translated).ok()?;
        let spare = Mutex::default();
        Some(Self { automaton, spare })
    }

    /// Returns whether a string matches, or `None` if that would exceed the budget, which is then
    /// exhausted.
    pub(super) fn matches(&self, text: &str, work: &Cell<Work>) -> Option<bool> {
        let mut account = work.get();
        let allowed = account.left().saturating_mul(STATES_PER_STEP);
        let spare = self
            .spare
            .try_lock()
            .ok()
            .and_then(|mut spare| spare.take());
        let states = || States::new(self.automaton.states().len());
        let [now, next] = spare.unwrap_or_else(|| [states(), states()]);
        let mut search = Search {
            automaton: &self.automaton,
            text: text.as_bytes(),
            now,
            next,
            open: Vec::new(),
            found: false,
            left: allowed,
        };
        let matches = search.run();
        let spent = match matches {
            Some(_) => (allowed - search.left) / STATES_PER_STEP,
            None => account.left() + 1,
        };
        if let Ok(mut spare) = self.spare.try_lock() {
            *spare = Some([search.now, search.next]);
        }
        account.charge(usize::try_from(spent).unwrap_or(usize::MAX));
        work.set(account);
        matches
    }
}

/// One run of an automaton along a string.
struct Search<'p> {
    automaton: &'p NFA,
    text: &'p [u8],
    /// The states active at a place of the string, and those at the next.
    now: States,
    next: States,
    open: Vec<StateID>,
    /// `true` once a state was reached in which the text matches.
    found: bool,
    /// Number of states that may still be examined.
    left: u64,
}

impl Search<'_> {
    fn run(&mut self) -> Option<bool> {
        let automaton = self.automaton;
        self.next.clear();
        self.enter(automaton.start_unanchored(), 0)?;
        for (at, &byte) in self.text.iter().enumerate() {
            mem::swap(&mut self.now, &mut self.next);
            self.next.clear();
            if self.found || self.now.all.is_empty() {
                break;
            }
            for index in 0..self.now.all.len() {
                let goes_on = match automaton.state(self.now.all[index]) {
                    State::ByteRange { trans } => trans.matches_byte(byte).then_some(trans.next),
                    State::Sparse(states) => states.matches_byte(byte),
                    State::Dense(states) => states.matches_byte(byte),
                    _ => None,
                };
                if let Some(state) = goes_on {
                    self.enter(state, at + 1)?;
                }
            }
        }
        Some(self.found)
    }

    /// Enters a state, and all states reachable without a byte.
    fn enter(&mut self, state: StateID, at: usize) -> Option<()> {
        self.open.push(state);
        while let Some(state) = self.open.pop() {
            self.left = self.left.checked_sub(1)?;
            if !self.next.insert(state) {
                continue;
            }
            match self.automaton.state(state) {
                State::Union { alternates } => self.open.extend(alternates.iter().copied()),
                State::BinaryUnion { alt1, alt2 } => self.open.extend([*alt1, *alt2]),
                State::Capture { next, .. } => self.open.push(*next),
                State::Look { look, next } => {
                    let looks = self.automaton.look_matcher();
                    if looks.matches(*look, self.text, at) {
                        self.open.push(*next);
                    }
                }
                State::Match { .. } => self.found = true,
                _ => {}
            }
        }
        Some(())
    }
}

/// A set of states.
struct States {
    all: Vec<StateID>,
    /// The place of each state in the list, if it is there.
    places: Vec<u32>,
}

impl States {
    fn new(count: usize) -> Self {
        Self {
            all: Vec::new(),
            places: vec![0; count],
        }
    }

    fn insert(&mut self, state: StateID) -> bool {
        let place = &mut self.places[state.as_usize()];
        let is_new = self.all.get(*place as usize) != Some(&state);
        if is_new {
            *place = self.all.len() as u32;
            self.all.push(state);
        }
        is_new
    }

    fn clear(&mut self) {
        self.all.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn matches_are_those_of_the_engine() {
        let patterns = [
            "^(a{1,20}){1,20}$",
            "a{3}b",
            "^(?:[^,]+,){0,9}[^,]+$",
            "(?-u:\\b)ab?c*",
            "^.{2,5}$",
            "x|^$|é+$",
        ];
        let texts = [
            "",
            "a",
            "aaab",
            "a,b,c",
            "abc ab",
            "é",
            "aéxé",
            "äöü",
            "aaaaaaaaaa",
            ",",
            "zz\nzz",
        ];
        for pattern in patterns {
            let engine = regex::Regex::new(pattern).expect("a pattern");
            let counted = Counted::new(pattern).expect("a pattern");
            for text in texts {
                let work = Cell::new(Work::for_bytes(10, text.len()));
                let matches = counted.matches(text, &work);
                assert_eq!(matches, Some(engine.is_match(text)), "{pattern} {text}");
            }
        }
    }

    #[test]
    fn what_an_account_does_not_allow_is_not_looked_at() {
        let counted = Counted::new("^(a{1,200}){1,200}$").expect("a pattern");
        let work = Cell::new(Work::for_bytes(10, 1_600));
        assert_eq!(counted.matches(&"a".repeat(1_600), &work), None);
        assert!(work.get().is_used_up());
        let work = Cell::new(Work::for_bytes(10, 1_600));
        assert_eq!(counted.matches("aaaaaaaa", &work), Some(true));
        assert!(!work.get().is_used_up());
    }
}

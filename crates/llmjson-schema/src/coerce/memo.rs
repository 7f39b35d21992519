//! Memoized answers, so that the branches of nested unions do not repeat questions.

use llmjson_syntax::NodeId;

use super::outcome::Outcome;
use crate::base::hash::NearMap;
use crate::ir::shape::ShapeId;

/// A question: a value, a shape, and the flags of the call that affect the answer.
pub(super) type Key = (NodeId, ShapeId, u8);

/// The answers. Within unions most answers are that a value does not fit, several for each value,
/// so such an answer takes no more memory than its question.
#[derive(Default)]
pub(super) struct Memo {
    /// The index of each answer; `UNFIT` for a value that stays unchanged and does not agree.
    places: NearMap<Key, u32>,
    outcomes: Vec<Outcome>,
}

const UNFIT: u32 = u32::MAX;

impl Memo {
    pub(super) fn get(&self, key: Key) -> Option<Outcome> {
        let place = *self.places.get(&key)?;
        let known = self.outcomes.get(place as usize);
        Some(known.copied().unwrap_or(Outcome::unfit(key.0)))
    }

    pub(super) fn len(&self) -> usize {
        self.places.len()
    }

    pub(super) fn put(&mut self, key: Key, outcome: Outcome) {
        let place = if outcome == Outcome::unfit(key.0) {
            UNFIT
        } else {
            self.outcomes.push(outcome);
            self.outcomes.len() as u32 - 1
        };
        self.places.insert(key, place);
    }
}

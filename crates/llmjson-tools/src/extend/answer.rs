//! Selects one of a matcher's candidates.

use std::collections::HashSet;

use super::super::layer::Layer;
use super::FieldCandidate;

/// The result of a matcher for one undeclared member.
pub(super) enum MatcherAnswer {
    Nothing,
    /// The index of the field that matches, the layer, the score, and the index and score of the
    /// runner-up.
    One(usize, Layer, f64, Option<(usize, f64)>),
    /// The indices of fields whose scores are within the margin.
    Several(Vec<usize>),
}

/// Tolerance in the comparison of scores, for errors of rounding.
const ROUNDING: f64 = 1e-9;

impl MatcherAnswer {
    /// Ranks candidates for a slice of `open` fields. If a field has several candidates, the one
    /// with the highest score counts.
    pub(super) fn of(
        candidates: Vec<FieldCandidate>,
        open: usize,
        threshold: f64,
        margin: f64,
        layer: Layer,
    ) -> Self {
        let mut ranked: Vec<(usize, f64)> = candidates
            .into_iter()
            .filter(|one| one.field < open && one.score > 0.0)
            .map(|one| (one.field, one.score.min(1.0)))
            .collect();
        ranked.sort_by(|one, other| other.1.total_cmp(&one.1).then(one.0.cmp(&other.0)));
        let mut seen = HashSet::new();
        ranked.retain(|(field, _)| seen.insert(*field));
        match ranked[..] {
            [(_, score), ..] if score + ROUNDING < threshold => Self::Nothing,
            [] => Self::Nothing,
            [(field, score)] => Self::One(field, layer, score, None),
            [(field, score), next, ..] if score - next.1 + ROUNDING >= margin => {
                Self::One(field, layer, score, Some(next))
            }
            [(_, best), ..] => {
                let near = |(_, score): &&(usize, f64)| best - score + ROUNDING < margin;
                let near = ranked.iter().take_while(near);
                Self::Several(near.map(|(field, _)| *field).collect())
            }
        }
    }
}

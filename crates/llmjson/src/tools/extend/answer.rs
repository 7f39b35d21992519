//! Which of the candidates of a matcher is clear enough.

use std::collections::HashSet;

use super::super::report::Layer;
use super::Candidate;

/// What a matcher makes of a name.
pub(super) enum Answer {
    Nothing,
    /// One member, how well it fits, and the next best.
    One(usize, Layer, f64, Option<(usize, f64)>),
    /// Several fit about as well.
    Several(Vec<usize>),
}

/// Scores that differ by no more are the same.
const ROUNDING: f64 = 1e-9;

impl Answer {
    pub(super) fn of(
        candidates: Vec<Candidate>,
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

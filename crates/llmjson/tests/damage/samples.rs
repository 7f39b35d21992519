//! Documents, damaged in the ways that operators describe.

use crate::draft::{Draft, Text};
use crate::operators::{ALL, Operator, Stage, clash};
use crate::value::{Value, document};
use llmjson_testutil::Rng;

/// A damaged document and what it means.
pub(crate) struct Sample {
    pub(crate) names: Vec<&'static str>,
    pub(crate) text: Text,
    pub(crate) truth: Value,
    pub(crate) complete: Option<bool>,
}

/// A document damaged in these ways, if there is a place for each.
fn damaged(seed: u64, operators: &[&Operator]) -> Option<Sample> {
    let mut rng = Rng::new(seed);
    let mut draft = Draft::new(&document(&mut rng), &mut rng);
    let mut names = Vec::new();
    for operator in operators {
        names.push(operator.name);
        (operator.apply)(&mut draft, &mut rng)?;
    }
    Some(Sample {
        names,
        text: draft.text(),
        truth: draft.truth(),
        complete: draft.complete,
    })
}

/// A document with this damage; the seed goes on until one has a place for it.
pub(crate) fn single(operator: &Operator, seed: u64) -> Sample {
    let samples = (0..1000).find_map(|step| damaged(seed * 1000 + step, &[operator]));
    samples.expect("some document has a place for this damage")
}

/// A document with damage of two to four kinds that go together.
pub(crate) fn combined(seed: u64) -> Sample {
    let sample = |step: u64| {
        let mut rng = Rng::new(seed * 1000 + step + 500_000_000);
        let count = rng.between(2, 4);
        let mut chosen: Vec<&Operator> = Vec::new();
        while chosen.len() < count {
            let operator = &ALL[rng.below(ALL.len())];
            let once = |other: &&Operator| {
                other.name == operator.name
                    || clash(other.name, operator.name)
                    || other.stage == operator.stage && other.stage != Stage::Inside
            };
            if !chosen.iter().any(once) {
                chosen.push(operator);
            }
        }
        chosen.sort_by_key(|operator| operator.stage);
        damaged(seed * 1000 + step, &chosen)
    };
    (0..1000)
        .find_map(sample)
        .expect("some document has a place for this damage")
}

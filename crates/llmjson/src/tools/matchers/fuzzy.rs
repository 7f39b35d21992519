//! Names of which few letters differ.

use llmjson_schema::similar::{edit_distance, normal_name};
use llmjson_syntax::ValueRef;

use crate::tools::extend::{Candidate, FieldMatcher};
use crate::tools::field::Field;
use crate::tools::report::Layer;

/// Finds members whose names differ in few letters: typing errors.
///
/// The score is 1 less the share of the letters that have to be inserted, deleted, replaced or
/// swapped with their neighbours, case and separators aside. Names of more than 64 letters are not
/// looked at.
///
/// Of several matchers this one is best asked first, then [`Semantic`](super::Semantic), then
/// [`Contextual`](super::Contextual).
///
/// ```
/// use llmjson::tools::{BindError, Contract, Extensions, Fuzzy, Tool};
///
/// let matcher = Fuzzy::new().with_threshold(0.7);
/// let tool = Tool::new("weather", "Tells the weather.")
///     .with_extensions(Extensions::new().with_matcher(matcher));
/// let schema = r#"{"type": "object", "properties": {
///     "city": {"type": "string"}, "days": {"type": "integer"}
/// }}"#;
/// let contract = Contract::new(tool, schema)?;
/// let bound = contract.bind_value(r#"{"ctiy": "Oslo"}"#).or_else(BindError::accept_uncertain)?;
/// assert_eq!(bound.value["city"], "Oslo");
/// assert_eq!(bound.report.uncertain()[0].score, Some(0.75));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
#[must_use]
pub struct Fuzzy {
    threshold: f64,
    margin: f64,
}

/// The share of a name that has to be right: one letter may be wrong in a name of five.
const THRESHOLD: f64 = 0.8;

const MARGIN: f64 = 0.1;

impl Default for Fuzzy {
    fn default() -> Self {
        Self {
            threshold: THRESHOLD,
            margin: MARGIN,
        }
    }
}

impl Fuzzy {
    /// A score of 0.8 is enough if it is ahead of the next one by 0.1.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the least score that is enough, from 0 to 1.
    pub fn with_threshold(mut self, threshold: f64) -> Self {
        self.threshold = threshold;
        self
    }

    /// Sets how far the best score has to be ahead of the next one.
    pub fn with_margin(mut self, margin: f64) -> Self {
        self.margin = margin;
        self
    }
}

impl FieldMatcher for Fuzzy {
    fn name(&self) -> &str {
        Layer::Fuzzy.name()
    }

    fn candidates(&self, name: &str, _: ValueRef<'_>, open: &[Field<'_>]) -> Vec<Candidate> {
        let name = normal_name(name);
        let score = |field: &Field<'_>| score(&name, &normal_name(&field.name()));
        let scores = open.iter().map(score).enumerate();
        let scores = scores.filter_map(|(field, score)| Some((field, score?)));
        scores
            .map(|(field, score)| Candidate { field, score })
            .collect()
    }

    fn threshold(&self) -> f64 {
        self.threshold
    }

    fn margin(&self) -> f64 {
        self.margin
    }

    fn layer(&self) -> Layer {
        Layer::Fuzzy
    }
}

/// How much of a name is right, if any of it is.
fn score(name: &str, other: &str) -> Option<f64> {
    let length = name.chars().count().max(other.chars().count());
    let edits = edit_distance(name, other)?;
    (edits < length).then(|| 1.0 - edits as f64 / length as f64)
}

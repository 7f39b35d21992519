//! Matches names that differ in few letters.

use llmjson_schema::internal::similar::{are_apart, edit_distance, normal_name};
use llmjson_syntax::ValueRef;

use crate::field::Field;
use crate::layer::Layer;

/// Matches fields whose names differ in few letters, such as typos.
///
/// The score is 1 minus the number of edits divided by the length of the longer name. An edit is an
/// insertion, deletion or replacement of a letter or a swap of two adjacent letters; case and
/// separators are ignored. Names of more than 64 letters have no score. Names of several words stay below the
/// threshold if a word differs by more than a typo: `timeout_s` and `timeout_ms`.
///
/// Add it before [`Semantic`](super::Semantic) and [`Contextual`](super::Contextual).
///
/// ```
/// # mod llmjson { pub mod tools { pub use llmjson_tools::*; } }
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

/// The default threshold: one edit in a name of five letters.
const THRESHOLD: f64 = 0.8;

/// The highest score of names that mean something else, as a part of the threshold.
const APART: f64 = 0.9;

/// The default margin.
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
    /// Creates a matcher with a threshold of 0.8 and a margin of 0.1.
    pub fn new() -> Self {
        Self::default()
    }

    fn scorer(&self, name: &str, _: ValueRef<'_>) -> impl Fn(&Field<'_>) -> Option<f64> {
        let (written, name) = (name.to_owned(), normal_name(name));
        let below = APART * self.threshold;
        move |field| {
            let declared = field.name();
            let score = score(&name, &normal_name(&declared))?;
            // `timeout_s` and `timeout_ms` differ in one letter, but in more than a spelling.
            let is_apart = are_apart(&written, &declared);
            Some(if is_apart { score.min(below) } else { score })
        }
    }
}

impl_matcher!(Fuzzy, Layer::Fuzzy);

/// Returns the score of two normalized names, or `None` if they have no letter in common or are too long.
fn score(name: &str, other: &str) -> Option<f64> {
    let length = name.chars().count().max(other.chars().count());
    let edits = edit_distance(name, other)?;
    (edits < length).then(|| 1.0 - edits as f64 / length as f64)
}

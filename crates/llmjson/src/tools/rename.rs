//! Members that a matcher gave other names, and those that it could not decide.

use llmjson_schema::Path;

use super::report::Layer;

/// A member that a matcher gave another name.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Renamed {
    /// Where it stands now.
    pub(super) path: Path,
    /// The name it came under.
    pub(super) input: String,
    pub(super) layer: Layer,
    /// How well the name fits, from 0 to 1.
    pub(super) score: f64,
    /// The next best member, and how well that fits.
    pub(super) runner_up: Option<(String, f64)>,
    /// Whether it was taken out, because another name for the same member says the same.
    pub(super) is_repeated: bool,
}

/// A member that a matcher gave no other name because several come into question.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Unsettled {
    /// Where it stands.
    pub(super) path: Path,
    /// The members that it may stand for.
    pub(super) candidates: Vec<String>,
    /// Whether there is one, which others may stand for as well.
    pub(super) has_rivals: bool,
}

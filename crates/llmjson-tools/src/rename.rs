//! Members that matchers renamed, and members with several candidates.

use llmjson_schema::Path;

use super::layer::Layer;

/// A member that a matcher renamed.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Renamed {
    /// Path of the member under its new name.
    pub(super) path: Path,
    /// The name in the call.
    pub(super) input: String,
    pub(super) layer: Layer,
    /// Score of the match, from 0 to 1.
    pub(super) score: f64,
    /// The second-best field and its score.
    pub(super) runner_up: Option<(String, f64)>,
    /// `true` if it was dropped, because another name for the same field has the same value.
    pub(super) is_repeated: bool,
}

/// A member for which a matcher found several candidates.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Unsettled {
    /// Path of the member.
    pub(super) path: Path,
    /// The candidates.
    pub(super) candidates: Vec<String>,
    /// `true` if there is one candidate, which other names match as well.
    pub(super) has_rivals: bool,
}

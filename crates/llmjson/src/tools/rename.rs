//! Members that a matcher gave other names.

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
}

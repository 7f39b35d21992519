//! Values that extensions changed.

use std::borrow::Cow;

use llmjson_schema::Path;
use llmjson_syntax::NodeId;

/// A value that an extension changed.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Changed {
    /// Where it stands.
    pub(super) path: Path,
    /// What was done.
    pub(super) name: Cow<'static, str>,
    pub(super) before: NodeId,
    pub(super) after: NodeId,
    /// How many of the coercions on record came before.
    pub(super) after_coercions: usize,
}

//! Values changed by extensions.

use std::borrow::Cow;

use llmjson_schema::Path;
use llmjson_syntax::NodeId;

/// A value that an extension changed.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Changed {
    /// Path of the value.
    pub(super) path: Path,
    /// Name of the change.
    pub(super) name: Cow<'static, str>,
    pub(super) before: NodeId,
    pub(super) after: NodeId,
    /// Number of coercions that were recorded before.
    pub(super) after_coercions: usize,
}

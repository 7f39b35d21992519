//! The outcome of coercing one value: the new node, whether it conforms, and the changes made.

use llmjson_syntax::NodeId;

use super::log::Changes;

/// The outcome of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Outcome {
    pub(super) node: NodeId,
    /// `true` if the value has the type and is one of the constants required by the shape.
    pub(super) agrees: bool,
    /// `true` if this also holds for everything in it, as far as the walk checks.
    pub(super) conforms: bool,
    pub(super) changes: Changes,
}

impl Outcome {
    /// The value unchanged, which does not agree.
    pub(super) fn unfit(node: NodeId) -> Self {
        Self {
            node,
            agrees: false,
            conforms: false,
            changes: Changes::none(),
        }
    }

    /// The value unchanged, which agrees, whatever its content.
    pub(super) fn agreeing(node: NodeId) -> Self {
        Self {
            agrees: true,
            ..Self::unfit(node)
        }
    }

    /// The value unchanged, which conforms.
    pub(super) fn fit(node: NodeId) -> Self {
        Self {
            conforms: true,
            ..Self::agreeing(node)
        }
    }

    /// Returns `true` if the value fits and nothing was changed.
    pub(super) fn is_exact(&self) -> bool {
        self.conforms && self.changes == Changes::none()
    }
}

//! Results of fast checks on one document's values, so that none is checked twice.

use llmjson_syntax::NodeId;

use crate::ir::shape::ShapeId;

/// The results for values, each under the shape under which it was looked at last.
#[derive(Debug, Default)]
pub(crate) struct Findings {
    /// The findings by the numbers of their nodes, as far as something was noted.
    found: Vec<Finding>,
}

/// The result for one value.
#[derive(Clone, Copy, Debug)]
struct Finding {
    /// The shape, and a bit that is set if only undeclared members may be the reason.
    shape: u32,
    look: Look,
}

impl Finding {
    const NOTHING: Self = Self {
        shape: u32::MAX,
        look: Look::FAILS,
    };
    const STRANGE: u32 = 1 << 31;

    fn is_under(self, shape: ShapeId) -> bool {
        self.shape & !Self::STRANGE == shape.0
    }
}

/// The end of a look at a value. A number, because looks are quick.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Look(u32);

impl Look {
    pub(super) const FITS: Self = Self(u32::MAX);
    pub(super) const FAILS: Self = Self(u32::MAX - 1);
    /// A failure of which more than that was noted already.
    pub(super) const NOTED: Self = Self(u32::MAX - 2);

    /// Returns the failure at a child. All children before that one fit.
    #[inline]
    pub(super) fn fails_at(child: NodeId) -> Self {
        Self(child.index() as u32)
    }

    pub(super) fn of(fits: bool) -> Self {
        if fits { Self::FITS } else { Self::FAILS }
    }
}

/// The cause for which a value may have failed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum FailureCause {
    Any,
    /// Maybe only undeclared members.
    MayBeUndeclared,
}

impl Findings {
    /// Returns `true` if nothing is known yet.
    pub(super) fn is_empty(&self) -> bool {
        self.found.is_empty()
    }

    /// Makes room for the findings about a document of `nodes` nodes.
    pub(super) fn make_room(&mut self, nodes: usize) {
        self.found.reserve(nodes + nodes / 8);
    }

    /// Returns whether a value fits, if that is known.
    #[inline]
    pub(crate) fn known(&self, node: NodeId, shape: ShapeId) -> Option<bool> {
        let found = self.found.get(node.index())?;
        found.is_under(shape).then_some(found.look == Look::FITS)
    }

    /// The children of a container that are known to fit.
    pub(super) fn settled(&self, node: NodeId, shape: ShapeId) -> Settled {
        let found = self.found.get(node.index());
        let found = found.filter(|found| found.is_under(shape));
        Settled(found.map_or(Look::FAILS, |found| found.look))
    }

    /// Notes how a look at a value ended.
    pub(super) fn note(&mut self, node: NodeId, shape: ShapeId, look: Look, cause: FailureCause) {
        let at = node.index();
        if look == Look::NOTED || at >= NODES_MAX {
            return;
        }
        if at >= self.found.len() {
            self.found.resize(at + 1, Finding::NOTHING);
        }
        let shape = shape.0
            | match cause {
                FailureCause::MayBeUndeclared => Finding::STRANGE,
                FailureCause::Any => 0,
            };
        self.found[at] = Finding { shape, look };
    }

    /// The findings of checks that allow undeclared members.
    pub(crate) fn welcoming(mut self) -> Self {
        for found in &mut self.found {
            if found.shape & Finding::STRANGE != 0 {
                *found = Finding::NOTHING;
            }
        }
        self
    }
}

/// Nodes of a draft have numbers from here on: nothing is noted of them.
const NODES_MAX: usize = 1 << 31;

/// The children at the beginning of a container that are known to fit.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Settled(Look);

impl Settled {
    /// The start, at which no child is known to fit.
    pub(crate) const NONE: Self = Self(Look::FAILS);

    /// Returns `true` if the next child, to be asked of each in turn, is known to fit.
    #[inline]
    pub(crate) fn has(&mut self, child: NodeId) -> bool {
        if self.0 == Look::fails_at(child) {
            self.0 = Look::FAILS;
        }
        self.0 != Look::FAILS
    }
}

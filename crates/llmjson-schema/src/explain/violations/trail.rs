//! The steps to the current place, which become a path only if a violation is reported there.

use crate::base::path::{Path, Step};
use crate::check::walk::Place;

/// The steps to the current place.
#[derive(Default)]
pub(super) struct Trail<'d> {
    steps: Vec<Place<'d>>,
    /// The first of them as a path.
    path: Path,
    written: usize,
}

impl<'d> Trail<'d> {
    /// Enters a child.
    pub(super) fn push(&mut self, place: Place<'d>) {
        self.steps.push(place);
    }

    /// Leaves the child.
    pub(super) fn leave(&mut self) {
        self.steps.pop();
        if self.written > self.steps.len() {
            self.written = self.steps.len();
            self.path.leave();
        }
    }

    /// Returns the path to the current place.
    pub(super) fn path(&mut self) -> &Path {
        for place in &self.steps[self.written..] {
            self.path.push(match place {
                Place::Member(key) => Step::Member(key.decoded().into()),
                Place::Item(at) => Step::Index(*at),
            });
        }
        self.written = self.steps.len();
        &self.path
    }
}

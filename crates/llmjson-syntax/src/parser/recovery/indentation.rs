//! Closers that are missing or wrong, as the lines behind a value show.

use crate::base::repair::RepairKind;
use crate::parser::state::reader::Reader;
use crate::parser::state::step::Container;
use crate::scan::peek;
use crate::tape::NONE;

/// Maximum number of containers around the innermost one that are looked at.
const OUTWARDS_MAX: usize = 64;

impl Reader<'_> {
    /// Closes the container that is open behind a value that ends at `end`, if the lines show that
    /// it should have been closed before `byte` at `k`. Returns the offset at which reading goes
    /// on.
    #[cold]
    #[inline(never)]
    pub(crate) fn closed_by_line(
        &mut self,
        here: Container,
        end: usize,
        (byte, k): (u8, usize),
    ) -> Option<(Container, usize)> {
        if self.look.work_is_used_up() {
            return None;
        }
        if matches!(byte, b'}' | b']') {
            let Some(column) = self.look.column(k) else {
                return self.extra_in_line(here, k);
            };
            let own = self.closer_column(here.current)?;
            // A `]` in the column where `}` belongs is the wrong bracket.
            if column == own && byte != self.closer_of(here.current) {
                self.repair(RepairKind::WrongCloser, k, k + 1);
                return Some((self.close(here, k + 1), k + 1));
            }
            let outer = |container| {
                self.closer_of(container) == byte && self.closer_column(container) == Some(column)
            };
            // A closer further left than the own one closes a container around: the own closer is missing.
            let closed = column < own && self.any_outer(here, outer);
            self.misindented |= column != own && !closed;
            return closed.then(|| (self.close_unclosed(here, end), end));
        }
        let child = if byte == b',' {
            self.look.skip_space(k + 1).1
        } else {
            k
        };
        let column = self.look.column(child)?;
        let outer = |container| self.child_column(container) == Some(column);
        let own = self.child_column(here.current)?;
        let closed =
            peek(self.look.bytes, child) != 0 && column < own && self.any_outer(here, outer);
        self.misindented |= column != own && !closed;
        closed.then(|| (self.close_unclosed(here, end), end))
    }

    /// A closer at `k` behind something else on its line is one too many if the next child is
    /// indented like those of the container that is open, which stand on lines of their own.
    fn extra_in_line(&mut self, here: Container, k: usize) -> Option<(Container, usize)> {
        let own = self.child_column(here.current)?;
        let (byte, next) = self.look.skip_space(k + 1);
        let child = if byte == b',' {
            self.look.skip_space(next + 1).1
        } else {
            next
        };
        let continues = !matches!(peek(self.look.bytes, child), b'}' | b']' | 0);
        (continues && self.look.column(child) == Some(own)).then(|| {
            self.repair(RepairKind::ExtraCloser, k, k + 1);
            (here, k + 1)
        })
    }

    fn any_outer(&self, here: Container, is: impl Fn(u32) -> bool) -> bool {
        let outer = core::iter::successors(Some(here.current), |&container| {
            let parent = self.tape.nodes[container as usize].next;
            (parent != NONE).then_some(parent)
        });
        outer.skip(1).take(OUTWARDS_MAX).any(|container| {
            self.look.charge(1);
            is(container)
        })
    }
}

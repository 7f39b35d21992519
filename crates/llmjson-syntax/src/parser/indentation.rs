//! Closers that are missing or wrong, found by how lines are indented.
//!
//! Brackets alone often leave open which closer was left out. Where each child stands on a line of
//! its own the lines tell: a member that is indented like those of an outer object is one of them,
//! and a closer on its own line closes the container whose line is indented like it. Reading asks
//! only when closers did not match, in a second reading. That counts if all lines agree with it, or if
//! it takes no more repairs.

use crate::base::repair_set::RepairSet;
use crate::parser::look::lines::LINES_AHEAD;
use crate::parser::state::checkpoint::Checkpoint;
use crate::parser::state::reader::Reader;
use crate::parser::state::step::{Container, KeySpan, ValueEnd};

/// Maximum number of closers at the end of a text that are looked at.
const CLOSERS_MAX: usize = 64;

/// Number of closers of a value that did not match: inside it, and at its end, where they are
/// missing.
#[derive(Clone, Copy, Default)]
struct Misfits {
    inside: usize,
    at_end: usize,
}

impl Misfits {
    fn count(self) -> usize {
        self.inside + self.at_end
    }
}

impl Reader<'_> {
    /// Reads the value at `start` again by its lines, if closers did not match in the first reading
    /// and the lines may tell more.
    pub(crate) fn by_indentation(
        &mut self,
        start: usize,
        read: ValueEnd,
        before: &Checkpoint,
    ) -> ValueEnd {
        let surplus = matches!(self.look.skip_space(read.end).0, b'}' | b']');
        if !surplus && !RepairSet::MISFITS.among(&self.tape.repairs[before.repairs..]) {
            return read;
        }
        let mut misfits = self.misfits(before.repairs);
        misfits.inside += usize::from(surplus);
        if self.look.work_is_used_up()
            || self.limit.is_some()
            || !self.ends_on_its_line(start, read.end, before.nodes)
        {
            return read;
        }
        let after = self.checkpoint();
        let nodes = self.tape.nodes.split_off(before.nodes);
        let repairs = self.tape.repairs.split_off(before.repairs);
        let notes = self.tape.notes.split_off(before.notes);
        let replaced = self.tape.replaced.split_off(before.replaced);
        let counted = self.tape.counted.clone();
        self.counters = before.counters;
        self.misindented = false;
        let again = self.value_by_indentation(start);
        let nodes_moved = nodes.len() + self.tape.nodes.len() - before.nodes;
        self.look
            .charge(again.end.saturating_sub(start) + nodes_moved);
        // Brackets that make sense of more of the text are right.
        let shorter = read.complete && again.end < read.end;
        let fewer = self.misfits(before.repairs).count() <= misfits.count();
        if again.complete && self.limit.is_none() && !shorter && (fewer || !self.misindented) {
            // If every closer fits, the brackets say that the text ends inside the value, and it may.
            self.counters.cut |= misfits.inside == 0;
            return again;
        }
        self.counters = after.counters;
        self.limit = None;
        self.tape.nodes.truncate(before.nodes);
        self.tape.nodes.extend(nodes);
        self.tape.side.truncate(after.side);
        self.tape.repairs.truncate(before.repairs);
        self.tape.repairs.extend(repairs);
        self.tape.notes.truncate(before.notes);
        self.tape.notes.extend(notes);
        self.tape.replaced.truncate(before.replaced);
        self.tape.replaced.extend(replaced);
        self.tape.counted = counted;
        read
    }

    /// Reads the value at `start` by lines.
    fn value_by_indentation(&mut self, start: usize) -> ValueEnd {
        self.begin(start);
        let (outside, none) = (Container::OUTSIDE, KeySpan::NONE);
        self.read_from::<false, true>(
            (outside.current, outside.count),
            outside.object,
            (none.start, none.end),
            none.flags,
            start,
        )
    }

    /// Returns the number of closers that did not match in what was recorded since.
    fn misfits(&self, repairs: usize) -> Misfits {
        let mut misfits = Misfits::default();
        for repair in &self.tape.repairs[repairs..] {
            misfits.inside += usize::from(RepairSet::MISFITS_INSIDE.contain(repair.kind));
            misfits.at_end += usize::from(RepairSet::MISFITS_AT_END.contain(repair.kind));
        }
        misfits
    }

    /// Returns `true` if the children of the root stand on lines of their own, and a closer like
    /// its own does so where its line begins: a text that was cut has none.
    fn ends_on_its_line(&self, start: usize, end: usize, root: usize) -> bool {
        let Some(node) = self.tape.nodes.get(root) else {
            return false;
        };
        if !node.is_container() || node.start as usize != start {
            return false;
        }
        let (Some(_), Some(column)) = (
            self.child_column(root as u32),
            self.look.column_of_line(start),
        ) else {
            return false;
        };
        let closer = self.closer_of(root as u32);
        let end = self.look.bytes.len().min(end + LINES_AHEAD);
        let rest = &self.look.bytes[start..end];
        self.look.charge_search(rest.len());
        memchr::memrchr_iter(closer, rest)
            .take(CLOSERS_MAX)
            .any(|at| self.look.column(start + at) == Some(column))
    }
}

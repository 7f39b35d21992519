//! Closers that are missing or wrong, found by how lines are indented.
//!
//! Brackets alone often leave open which closer was left out. Where each child stands on a line of
//! its own the lines tell: a member that is indented like those of an outer object is one of them,
//! and a closer on its own line closes the container whose line is indented like it. Reading asks
//! only when closers did not match, in a second reading. That counts if all lines agree with it, or if
//! it takes no more repairs.

use crate::base::repair::RepairKind;
use crate::base::repair_set::RepairSet;
use crate::parser::look::Look;
use crate::parser::state::checkpoint::Checkpoint;
use crate::parser::state::reader::Reader;
use crate::parser::state::step::{Container, KeySpan, ValueEnd};
use crate::scan::peek;
use crate::tape::NONE;

/// Maximum indentation that is measured; a deeper one says nothing.
const COLUMNS_MAX: usize = 256;

/// The lines of a string without its closing quote, and those behind a value that seemed to end, are
/// looked at in so many bytes.
const LINES_AHEAD: usize = 4096;

/// Maximum number of lines of such a string that are looked at.
const NEWLINES_MAX: usize = 64;

/// Maximum number of containers around the innermost one that are looked at.
const OUTWARDS_MAX: usize = 64;

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
            .take(OUTWARDS_MAX)
            .any(|at| self.look.column(start + at) == Some(column))
    }

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
            if column == own && byte != self.closer_of(here.current) {
                self.repair(RepairKind::WrongCloser, k, k + 1);
                return Some((self.close(here, k + 1), k + 1));
            }
            let outer = |container| {
                self.closer_of(container) == byte && self.closer_column(container) == Some(column)
            };
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

    /// Returns the offsets at which a string ends at the end of a line and at which reading goes
    /// on, if no quote closes it before `to`, its inside begins at `start`, and the next line
    /// begins like the next child of its container or like the closer.
    pub(crate) fn ends_by_line(
        &self,
        here: Container,
        start: usize,
        to: usize,
    ) -> Option<(usize, usize)> {
        let own = self.child_column(here.current)?;
        let inside = &self.look.bytes[start..to.min(start + LINES_AHEAD)];
        self.look.charge_search(inside.len());
        // With quotes in it the string is looked at once for each of them; they tell more.
        if memchr::memchr(b'"', inside).is_some() {
            return None;
        }
        let newlines = memchr::memchr_iter(b'\n', inside).take(NEWLINES_MAX);
        newlines.map(|at| start + at).find_map(|newline| {
            let (byte, k) = self.look.skip_space(newline + 1);
            let column = self.look.column(k)?;
            let text = self.look.text[start..newline].trim_end();
            if byte == self.closer_of(here.current) {
                let closes = self.closer_column(here.current) == Some(column);
                let end = start + text.len();
                return (closes && self.look.balance_of(text.as_bytes()) == 0)
                    .then_some((end, end));
            }
            let text = text.strip_suffix(',')?;
            let next = if here.object {
                self.look.key_ahead(k)
            } else {
                self.look.value_ahead(k) && !self.look.key_ahead(k)
            };
            (column == own && next && self.look.balance_of(text.as_bytes()) == 0)
                .then_some((start + text.trim_end().len(), start + text.len()))
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

    /// The column in which children of that container begin, if the first one has its own line.
    fn child_column(&self, container: u32) -> Option<usize> {
        let opener = self.tape.nodes.get(container as usize)?.start as usize;
        let window = self.look.bytes.get(opener + 1..)?;
        let space = |byte: &&u8| byte.is_ascii_whitespace();
        let length = window.iter().take(COLUMNS_MAX).take_while(space).count();
        self.look.charge_search(length);
        let newline = memchr::memrchr(b'\n', &window[..length])?;
        (length < COLUMNS_MAX).then_some(length - newline - 1)
    }

    /// The column in which the closer of that container belongs, if it has its own line.
    fn closer_column(&self, container: u32) -> Option<usize> {
        let node = self.tape.nodes.get(container as usize)?;
        match node.next {
            NONE => self.look.column_of_line(node.start as usize),
            parent => self.child_column(parent),
        }
    }
}

impl Look<'_> {
    /// The column of what stands at `at`, if nothing stands before it on its line.
    pub(crate) fn column(&self, at: usize) -> Option<usize> {
        let before = &self.bytes[at.saturating_sub(COLUMNS_MAX)..at];
        let newline = memchr::memrchr(b'\n', before)?;
        let indent = &before[newline + 1..];
        self.charge_search(COLUMNS_MAX);
        indent
            .iter()
            .all(u8::is_ascii_whitespace)
            .then_some(indent.len())
    }

    /// Returns the indentation of the line of `at`.
    fn column_of_line(&self, at: usize) -> Option<usize> {
        let from = at.saturating_sub(COLUMNS_MAX);
        let before = &self.bytes[from..at];
        let line = match memchr::memrchr(b'\n', before) {
            Some(newline) => &before[newline + 1..],
            None if from == 0 => before,
            None => return None,
        };
        let space = |byte: &&u8| byte.is_ascii_whitespace();
        Some(line.iter().take_while(space).count())
    }
}

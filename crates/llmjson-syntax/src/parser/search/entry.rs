//! The position at which the search begins.

use alloc::vec::Vec;

use crate::base::expected_names::ExpectedValue;
use crate::base::repair::RepairKind;
use crate::parser::look::habits::value_ends_with;
use crate::parser::state::reader::Reader;
use crate::parser::state::step::Container;
use crate::scan::peek;
use crate::tape::{NONE, Node, Tag, flag};

/// Number of bytes from the beginning of a value within which the search rereads it as a whole.
const FROM_START: usize = 1 << 7;

/// Maximum number of members and items to go back for the entry.
pub(crate) const BACK: usize = 32;

/// Steps per byte, in addition to these, from which on a text counts as expensive.
const DEAR_STEPS: usize = 8;
const DEAR_BYTES: usize = 1 << 10;

/// Number of nodes whose columns are compared.
const COLUMNS: usize = 128;

/// Number of bytes before a place in which a line must end for columns to be compared.
const LINES_LOOK: usize = 512;

/// Number of bytes before a member on its line that are examined.
const LINE_LOOK: usize = 200;

/// The known facts about the members or items of a container.
struct Members {
    /// Index of the node after them.
    end: usize,
    column: Option<usize>,
    /// The expectation of the object, or of the items of the array.
    expected: ExpectedValue,
}

/// The node at which the search begins, its place, and the containers around it.
pub(crate) struct Entry {
    pub(crate) node: usize,
    pub(crate) at: usize,
    /// The containers around it, the outermost first, with the number of children before it,
    /// including a child that contains it.
    pub(crate) around: Vec<(u32, u32)>,
}

impl Reader<'_> {
    /// Finds the node at which the search begins: the root, if it is nearby, or one member earlier.
    pub(crate) fn entry(&mut self, here: Container, doubt: usize) -> Entry {
        let (root, start) = (self.value_node, self.value_start);
        let mut entries = (root + 1..self.tape.nodes.len()).rev().take(BACK);
        let mut entry = || {
            entries.find_map(|node| {
                self.look.charge(1);
                Some((node, self.enters(node)?))
            })
        };
        let read = doubt.saturating_sub(start);
        let dear = self.look.work.get().spent() > (DEAR_STEPS * (read + DEAR_BYTES)) as u64;
        let (node, at) = match read <= FROM_START {
            true => (root, start),
            false => match (entry(), entry()) {
                // The search that ended earlier has decided the text before that place. In an
                // expensive text it is not read again.
                (_, Some(second)) if second.0 < self.scratch.left.0 && dear => self.scratch.left,
                (_, Some(second)) => second,
                // No nearby place is valid JSON: reading continues where the last search ended.
                _ => self.scratch.left,
            },
        };
        self.entry_at(here, node, at)
    }

    /// Returns the entry at a node that begins at `at`.
    pub(crate) fn entry_at(&mut self, here: Container, node: usize, at: usize) -> Entry {
        let around = self.around(here, node as u32, at);
        Entry { node, at, around }
    }

    /// Returns the offset at which a node begins, with its key, if the search may enter there: the
    /// node and the token before it are valid JSON, or its comma is missing like others.
    fn enters(&self, index: usize) -> Option<usize> {
        let at = self.place_of(index)?;
        let node = &self.tape.nodes[index];
        let bracket = || matches!(self.look.bytes.get(at), Some(b'{' | b'['));
        let before = &self.look.bytes[..at];
        let usual = node.key_end != 0 || !node.is_container() || bracket();
        let lacks_comma = || {
            let sign = (RepairKind::MissingComma, value_ends_with(before));
            node.key_end != 0 && self.scratch.habits.slips.learned(sign).is_some()
        };
        let begins = matches!(before.trim_ascii_end().last(), Some(b',' | b'{' | b'['));
        (usual && (begins || lacks_comma())).then_some(at)
    }

    /// Returns the containers around a node that begins at `at`, the outermost first, open or
    /// closed, with the number of children before it. The node may not exist yet, when a container
    /// was closed after that place.
    fn around(&mut self, here: Container, index: u32, at: usize) -> Vec<(u32, u32)> {
        let mut around = Vec::new();
        let mut open = here.current;
        while open != NONE {
            if open < index {
                around.push((open, 0));
            }
            open = self.tape.nodes[open as usize].next;
        }
        around.reverse();
        self.look.charge(around.len());
        if around.is_empty() && index as usize > self.value_node {
            around.push((self.value_node as u32, 0));
        }
        for i in 0..around.len() {
            let next = around.get(i + 1).map(|one| one.0);
            around[i].1 = match next {
                // An open container counts its open child.
                Some(_) => self.tape.count(around[i].0),
                None => 0,
            };
        }
        while let Some(last) = around.last_mut() {
            let (mut child, mut inner) = (last.0 + 1, None);
            // The children before an earlier entry were counted at that time.
            let known = &mut self.scratch.counted;
            known.truncate(known.partition_point(|one| one.0 <= last.0 && one.1 <= index));
            if let Some(&(container, before, count)) = known.last()
                && container == last.0
            {
                (child, last.1) = (before, count);
                known.pop();
            }
            while child < index {
                self.look.charge(1);
                last.1 += 1;
                let after = self.tape.after(child);
                let node = &self.tape.nodes[child as usize];
                if after > index || node.is_container() && node.end as usize > at {
                    inner = Some(child);
                    break;
                }
                child = after;
            }
            let before = inner.unwrap_or(index);
            let count = last.1 - u32::from(inner.is_some());
            self.scratch.counted.push((last.0, before, count));
            match inner {
                Some(inner) => around.push((inner, 0)),
                None => break,
            }
        }
        around
    }

    /// Returns the node before the first misplaced one after those checked earlier, with its place
    /// and the place of the misplaced node, which is in another column than the members of its
    /// container, or has a key that belongs to another object.
    ///
    /// Checked at closers that do not match, a colon in an array, and the end: a closer is missing,
    /// or there is a surplus one, somewhere before.
    pub(crate) fn misplaced(
        &self,
        here: Container,
        doubt: usize,
    ) -> Option<((usize, usize), usize)> {
        let closer = match self.look.beyond_space(doubt) {
            (b'}' | b']', _) => true,
            (b':', _) => !here.object,
            (_, at) => at >= self.look.bytes.len(),
        };
        let near = doubt.saturating_sub(LINES_LOOK)..doubt;
        self.look.charge(LINES_LOOK / 16);
        let lines = || memchr::memchr(b'\n', &self.look.bytes[near]).is_some();
        if !closer || self.expected_root() == ExpectedValue::ANY && !lines() {
            return None;
        }
        let mut open: Vec<Members> = Vec::new();
        let mut entry = None;
        let nodes = self.tape.nodes.len();
        let mut around = match nodes - self.value_node > COLUMNS {
            true => ExpectedValue::ANY,
            false => self.expected_root(),
        };
        for index in self.value_node.max(nodes.saturating_sub(COLUMNS))..nodes {
            self.look.charge(1);
            let node = &self.tape.nodes[index];
            while open.last().is_some_and(|members| members.end <= index) {
                open.pop();
            }
            let place = self.place_of(index);
            if let Some(members) = open.last_mut() {
                around = members.expected;
                if let Some(place) = place
                    && self.is_misplaced(members, node, place)
                    && place > self.scratch.columns
                {
                    return entry.map(|entry| (entry, place));
                }
            }
            if let Some(at) = self.enters(index) {
                entry = Some((index, at));
            }
            if node.is_container() {
                let next = node.next as usize;
                open.push(Members {
                    end: if next > index { next } else { usize::MAX },
                    column: None,
                    expected: self.expected_inside(around, node),
                });
            }
        }
        None
    }

    /// Returns `true` if a node at `place` is in another column than the members before it, or has a
    /// key of another object.
    fn is_misplaced(&self, members: &mut Members, node: &Node, place: usize) -> bool {
        if let Some(column) = self.column(place)
            && *members.column.get_or_insert(column) != column
        {
            return true;
        }
        let Some(name) = self.place_of_name(node) else {
            return false;
        };
        let narrowed = members.expected.narrowed(name.within);
        members.expected = narrowed.unwrap_or(members.expected);
        narrowed.is_none()
    }

    /// Returns the column of a token that begins its line.
    fn column(&self, at: usize) -> Option<usize> {
        let line = &self.look.bytes[at.saturating_sub(LINE_LOOK)..at];
        let blank = line.trim_ascii_end().len();
        let line = memchr::memrchr(b'\n', &line[blank..])?;
        Some(at.min(LINE_LOOK) - blank - line - 1)
    }

    /// Returns the offset at which a node begins, including its key.
    pub(crate) fn place_of(&self, index: usize) -> Option<usize> {
        let node = &self.tape.nodes[index];
        let quoted = |start: u32| {
            let start = start as usize;
            let quote = start.checked_sub(1).map(|at| peek(self.look.bytes, at));
            start - usize::from(matches!(quote, Some(b'"' | b'\'')))
        };
        if node.key_end != 0 {
            (!node.has(flag::KEY_SIDE)).then(|| quoted(node.key_start))
        } else if node.has(flag::SIDE) && !node.is_container() {
            None
        } else if node.tag == Tag::String {
            Some(quoted(node.start))
        } else {
            Some(node.start as usize)
        }
    }
}

//! Changes of a stream since the last call.

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;
use core::mem;
use core::ops::Range;

use crate::stream::piece::Decoded;
use crate::stream::pointer::Pointer;
use crate::tape::{Node, Tag, Tape};
use crate::view::{Key, Kind, ValueRef};

/// One change of a stream's value. Applied in order, the changes yield what
/// [`Stream::document`](crate::Stream::document) shows. With a schema, a member may be reported
/// after members that follow it in the text.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Event {
    /// The path of the changed value.
    pub path: Pointer,
    /// The change.
    pub change: Change,
}

impl Event {
    /// Creates a change that discards everything shown so far.
    #[must_use]
    pub fn superseded() -> Self {
        Self {
            path: Pointer::default(),
            change: Change::Superseded,
        }
    }
}

/// A change of a value.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Change {
    /// Text outside of the value: prose, fences, tags.
    Passed(String),
    /// A container or string has begun, empty, and replaces the previous value there.
    Opened(Kind),
    /// The next part of a string, decoded.
    Appended(String),
    /// A complete number, boolean or null, as JSON; it replaces the previous value there.
    Value(String),
    /// A container has been closed.
    Closed,
    /// The value is final: no later text can change it.
    Settled,
    /// The text has ended, and its value differs from the shown one: see
    /// [`Finished`](crate::Finished).
    Superseded,
}

impl Change {
    /// Returns the stable name in snake_case.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::Passed(_) => "passed",
            Self::Opened(_) => "opened",
            Self::Appended(_) => "appended",
            Self::Value(_) => "value",
            Self::Closed => "closed",
            Self::Settled => "settled",
            Self::Superseded => "superseded",
        }
    }
}

/// The part of the tape seen at the last inspection.
#[derive(Clone, Debug, Default)]
pub(super) struct Look {
    /// `true` if changes have been requested.
    pub(super) taken: bool,
    pub(super) passed: usize,
    /// Offset at which the value seemed to end, and the offset up to which the text after it has
    /// been passed on.
    pub(super) passed_behind: Option<(usize, usize)>,
    pub(super) nodes: usize,
    /// The open containers: index, path, children.
    open: Vec<(u32, Pointer, usize)>,
    /// The path of the last value seen.
    path: Pointer,
    /// The value that was not settled yet, and its path.
    unsettled: Option<(u32, Pointer)>,
    string: Decoded,
    /// Events to be emitted before all others.
    pub(super) pending: Vec<Event>,
}

/// A view of the tape: its value begins at node `base`, and at most one value of it is not settled.
pub(super) struct Sight<'d> {
    pub(super) tape: &'d Tape,
    pub(super) text: &'d str,
    pub(super) base: u32,
    pub(super) unsettled: Option<u32>,
    pub(super) root_closed: bool,
}

impl Look {
    /// Passes on the text before the value.
    pub(super) fn pass_before(&mut self, text: &str, before: usize, out: &mut Vec<Event>) {
        if self.passed < before {
            pass(text, self.passed, before, out);
            self.passed = before;
        }
    }

    /// Passes on the text after the value, which ended at `end`.
    pub(super) fn pass_behind(&mut self, text: &str, end: usize, out: &mut Vec<Event>) {
        let (from, to) = self.passed_behind.unwrap_or((end, end));
        pass(text, to, text.len(), out);
        self.passed_behind = Some((from, text.len()));
    }

    /// Appends the changes of the value since the last inspection.
    pub(super) fn take(&mut self, sight: &Sight<'_>, out: &mut Vec<Event>) {
        self.go_on(sight, out);
        let nodes = sight.after(0);
        self.see(sight, self.nodes as u32..nodes, 0, out);
        self.nodes = nodes as usize;
    }

    /// Appends the events of these nodes, the first of which is a child of the innermost open
    /// container. The `kept` outermost containers stay open.
    fn see(&mut self, sight: &Sight<'_>, nodes: Range<u32>, kept: usize, out: &mut Vec<Event>) {
        for index in nodes.clone() {
            self.close_before(sight, index, kept, out);
            self.open(sight, index, out);
        }
        self.close_before(sight, nodes.end, kept, out);
    }

    /// Appends the changes in an open container, node `at` of `old`, which is now the root of
    /// `sight`: members may have been added among the known ones. Returns `true` if the container
    /// was known at all.
    pub(super) fn complete(
        &mut self,
        old: (&Tape, &str),
        at: u32,
        sight: &Sight<'_>,
        out: &mut Vec<Event>,
    ) -> bool {
        let Some(level) = self.open.iter().position(|(index, ..)| *index == at) else {
            return false;
        };
        let mut open = self.open.split_off(level);
        let mut levels = Vec::new();
        let mut place = 0;
        for (container, ..) in &mut open {
            let children = self.align(old, mem::replace(container, place), sight, place);
            let last = children.iter().rfind(|(_, seen)| *seen);
            let last = last.map_or(place, |(child, _)| *child);
            levels.push((mem::replace(&mut place, last), children));
        }
        let mut around = mem::replace(&mut self.open, open);
        if let Some((index, _)) = &mut self.unsettled {
            *index = place;
        }
        self.go_on(sight, out);
        // A container that ends together with a nested one stays open until its own members have
        // arrived.
        while let Some((place, children)) = levels.pop() {
            let around = levels.len();
            for (child, _) in children.iter().filter(|(_, seen)| !seen) {
                self.see(sight, *child..sight.after(*child), around + 1, out);
            }
            self.close_before(sight, sight.after(place), around, out);
        }
        around.append(&mut self.open);
        self.open = around;
        true
    }

    /// The children of the container at `place`, and those of them that were seen in `container` of
    /// `old`.
    fn align(
        &self,
        (old, text): (&Tape, &str),
        container: u32,
        sight: &Sight<'_>,
        place: u32,
    ) -> Vec<(u32, bool)> {
        let named = sight.node(place).tag == Tag::Object;
        let mut next = container + 1;
        let mut children = Vec::new();
        let mut child = place + 1;
        while child < sight.after(place) {
            let key = || Key::of(sight.tape, sight.text, sight.base + child).decoded();
            let seen = (next as usize) < self.nodes
                && (!named || Key::of(old, text, next).decoded() == key());
            if seen {
                next = old.after(next);
            }
            children.push((child, seen));
            child = sight.after(child);
        }
        children
    }

    /// Appends the text before `until` that has not been emitted.
    pub(super) fn pass_rest(&self, text: &str, until: usize, out: &mut Vec<Event>) {
        let (behind, to) = self.passed_behind.unwrap_or((until, until));
        pass(text, self.passed, behind.min(until), out);
        pass(text, to, until, out);
    }

    /// Appends more of the last string, and settles the value that was unsettled.
    fn go_on(&mut self, sight: &Sight<'_>, out: &mut Vec<Event>) {
        let Some((index, path)) = self.unsettled.take() else {
            return;
        };
        let node = sight.node(index);
        if node.tag == Tag::String {
            self.append(sight, index, &path, out);
        }
        if sight.is_unsettled(index) {
            self.unsettled = Some((index, path));
        } else {
            let change = Change::Settled;
            out.push(Event { path, change });
        }
    }

    /// Closes the containers that end before node `index`, except for the outermost `kept`.
    fn close_before(&mut self, sight: &Sight<'_>, index: u32, kept: usize, out: &mut Vec<Event>) {
        while self.open.len() > kept
            && let Some(&(container, ..)) = self.open.last()
        {
            let closed = if container == 0 {
                sight.root_closed
            } else {
                !sight.tape.is_open(sight.base + container)
            };
            if !closed || sight.after(container) > index {
                return;
            }
            if let Some((_, path, _)) = self.open.pop() {
                self.path = path;
            }
            self.settle_inside(container, out);
            let path = self.path.clone();
            let change = Change::Closed;
            out.push(Event { path, change });
            self.settle(sight, container, out);
        }
    }

    /// Settles a value inside a container that has been closed, or before a value that has begun.
    fn settle_inside(&mut self, container: u32, out: &mut Vec<Event>) {
        if let Some((_, path)) = self.unsettled.take_if(|(index, _)| *index > container) {
            let change = Change::Settled;
            out.push(Event { path, change });
        }
    }

    /// Reports that a value is settled, now or later.
    fn settle(&mut self, sight: &Sight<'_>, index: u32, out: &mut Vec<Event>) {
        let path = self.path.clone();
        if sight.is_unsettled(index) {
            self.unsettled = Some((index, path));
        } else {
            let change = Change::Settled;
            out.push(Event { path, change });
        }
    }

    fn open(&mut self, sight: &Sight<'_>, index: u32, out: &mut Vec<Event>) {
        self.settle_inside(0, out);
        self.step_into(sight, index);
        let node = sight.node(index);
        let value = ValueRef::new(sight.tape, sight.text, sight.base + index);
        let path = self.path.clone();
        match node.tag {
            Tag::Object | Tag::Array => {
                let change = Change::Opened(value.kind());
                out.push(Event { path, change });
                self.open.push((index, mem::take(&mut self.path), 0));
            }
            Tag::String => {
                let change = Change::Opened(Kind::String);
                self.string = Decoded::nothing_of(value);
                out.push(Event {
                    path: path.clone(),
                    change,
                });
                self.append(sight, index, &path, out);
                self.settle(sight, index, out);
            }
            _ => {
                let change = Change::Value(value.to_json());
                out.push(Event { path, change });
                self.settle(sight, index, out);
            }
        }
    }

    /// Makes the path point to node `index`, the next child of the innermost open container.
    fn step_into(&mut self, sight: &Sight<'_>, index: u32) {
        let Some((container, path, children)) = self.open.last_mut() else {
            self.path = Pointer::default();
            return;
        };
        self.path = if sight.node(*container).tag == Tag::Object {
            path.member(&Key::of(sight.tape, sight.text, sight.base + index).decoded())
        } else {
            path.item(*children)
        };
        *children += 1;
    }

    /// Emits the part of a string that has not been emitted.
    fn append(&mut self, sight: &Sight<'_>, index: u32, path: &Pointer, out: &mut Vec<Event>) {
        let value = ValueRef::new(sight.tape, sight.text, sight.base + index);
        let piece = self.string.rest(value);
        if !piece.is_empty() {
            out.push(Event {
                path: path.clone(),
                change: Change::Appended(piece),
            });
        }
    }
}

pub(super) fn pass(text: &str, from: usize, to: usize, out: &mut Vec<Event>) {
    if from < to {
        out.push(Event {
            path: Pointer::default(),
            change: Change::Passed(text[from..to].to_owned()),
        });
    }
}

impl<'d> Sight<'d> {
    fn node(&self, index: u32) -> &'d Node {
        &self.tape.nodes[(self.base + index) as usize]
    }

    /// Returns the index of the node after the subtree of `index`.
    fn after(&self, index: u32) -> u32 {
        self.tape.after(self.base + index) - self.base
    }

    fn is_unsettled(&self, index: u32) -> bool {
        // The root is settled only by the end of the text.
        self.unsettled == Some(index) || index == 0 && !self.root_closed
    }
}

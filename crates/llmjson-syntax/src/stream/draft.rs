//! A value that is written down step by step and can be looked at at any time: what a schema makes
//! of a stream.

use alloc::vec::Vec;

use super::events::{Event, Look, Sight};
use super::prefix::begins;
use crate::document::Document;
use crate::node::{NONE, Tape, flag};
use crate::view::{Entries, Key, ValueRef};

/// A growing value over the text of a stream. Each step adds at the end; nothing is taken back.
#[doc(hidden)]
#[derive(Clone, Debug)]
pub struct Draft {
    tape: Tape,
    /// The innermost open container.
    open: u32,
    /// The last node is a string that is still growing.
    growing: bool,
    /// Names and values come from another text than that of the stream.
    foreign: (bool, bool),
    look: Look,
}

impl Default for Draft {
    fn default() -> Self {
        Self {
            tape: Tape::default(),
            open: NONE,
            growing: false,
            foreign: (false, false),
            look: Look::default(),
        }
    }
}

impl Draft {
    /// The value so far. `text` is that of the stream.
    #[must_use]
    pub fn root<'d>(&'d self, text: &'d str) -> Option<ValueRef<'d>> {
        (self.tape.root != NONE).then(|| ValueRef::new(&self.tape, text, 0))
    }

    /// Says whether names and values that are added from here on come from another text than that
    /// of the stream.
    pub fn set_foreign(&mut self, names: bool, values: bool) {
        self.foreign = (names, values);
    }

    /// How many containers are open.
    #[must_use]
    pub fn depth(&self) -> usize {
        let mut at = self.open;
        let mut depth = 0;
        while let Some(node) = self.tape.nodes.get(at as usize) {
            (at, depth) = (node.next, depth + 1);
        }
        depth
    }

    /// Begins a container under the key of a member of the stream's own value.
    pub fn open(&mut self, key: Option<Key<'_>>, like: ValueRef<'_>) {
        let at = self.tape.nodes.len() as u32;
        let mut node = *like.node();
        self.name(&mut node, key);
        node.flags &= flag::KEY_ESCAPED | flag::KEY_SIDE;
        (node.count, node.next) = (0, self.open);
        if like.node().has(flag::SIDE) || self.foreign.1 {
            (node.start, node.end) = (0, 0);
            node.flags |= flag::SIDE;
        }
        self.push(node);
        self.open = at;
    }

    /// Closes the innermost container, whose text ends where that of `like` does.
    pub fn close(&mut self, like: ValueRef<'_>) {
        let after = self.tape.nodes.len() as u32;
        let node = &mut self.tape.nodes[self.open as usize];
        let parent = node.next;
        node.next = after;
        if !node.has(flag::SIDE) {
            node.end = like.node().end;
        }
        self.open = parent;
        self.growing = false;
    }

    /// Adds a whole value, or a string that is still growing.
    pub fn copy(&mut self, key: Option<Key<'_>>, value: ValueRef<'_>, growing: bool) {
        let mut stack: Vec<Entries<'_>> = Vec::new();
        let mut next = Some((key, value));
        loop {
            if let Some((key, value)) = next.take() {
                if value.node().is_container() {
                    self.open(key, value);
                    stack.push(value.entries());
                } else {
                    self.scalar(key, value);
                }
            }
            let Some(entries) = stack.last_mut() else {
                break;
            };
            next = entries.next();
            if next.is_none() {
                stack.pop();
                let after = self.tape.nodes.len() as u32;
                let node = &mut self.tape.nodes[self.open as usize];
                let parent = core::mem::replace(&mut node.next, after);
                self.open = parent;
                if stack.is_empty() {
                    break;
                }
            }
        }
        self.growing = growing;
    }

    /// Lets the string that was added last grow to what it is now.
    pub fn grow(&mut self, value: ValueRef<'_>, growing: bool) {
        let new = value.node();
        self.growing = growing;
        let Some(node) = self.tape.nodes.last() else {
            return;
        };
        let same = new.end - new.start == node.end - node.start;
        let side = if self.foreign.1 {
            flag::SIDE
        } else {
            new.flags & flag::SIDE
        };
        if same && node.flags & flag::SIDE == side {
            let node = self.tape.nodes.last_mut().expect("just seen");
            node.flags = node.flags & !flag::TRUNCATED | new.flags & flag::TRUNCATED;
            return;
        }
        let (mut start, mut end) = (new.start, new.end);
        if self.foreign.1 {
            let shown = (node.end - node.start) as usize;
            start = node.start;
            (_, end) = (self.tape).put_side(value.raw().get(shown..).unwrap_or_default());
        } else if new.has(flag::SIDE) {
            (start, end) = self.tape.put_side(value.raw());
        }
        let values = flag::ESCAPED | flag::TRUNCATED | flag::SIDE;
        if let Some(node) = self.tape.nodes.last_mut() {
            (node.start, node.end) = (start, end);
            node.flags = node.flags & !values | new.flags & values | side;
        }
    }

    /// Makes the innermost container, which is open, the whole of `value`, and closes it. `false`
    /// if `value` does not go on from what it holds.
    pub fn complete(&mut self, value: ValueRef<'_>, text: &str) -> bool {
        let container = ValueRef::new(&self.tape, text, self.open);
        if container.kind() != value.kind() {
            return false;
        }
        let mut rest = value.entries();
        let same = container.entries().all(|(name, held)| {
            rest.next().is_some_and(|(other, new)| {
                name.map(Key::decoded) == other.map(Key::decoded) && held.to_json() == new.to_json()
            })
        });
        if !same {
            return false;
        }
        for (key, child) in rest {
            self.copy(key, child, false);
        }
        let after = self.tape.nodes.len() as u32;
        let node = &mut self.tape.nodes[self.open as usize];
        let parent = core::mem::replace(&mut node.next, after);
        self.open = parent;
        self.growing = false;
        true
    }

    /// Whether a value is what this holds, or more of it.
    #[must_use]
    pub fn goes_on_in(&self, text: &str, value: Option<ValueRef<'_>>) -> bool {
        let Some(value) = value else {
            return self.tape.root == NONE;
        };
        let last = (self.tape.nodes.len() as u32).checked_sub(1);
        let growing = last.filter(|_| self.growing);
        begins((&self.tape, text), growing, value)
    }

    /// A whole value.
    #[must_use]
    pub fn of(value: ValueRef<'_>) -> Self {
        let mut whole = Self::default();
        whole.copy(None, value, false);
        whole
    }

    pub(super) fn tape(&self) -> &Tape {
        &self.tape
    }

    /// What has changed since the last look. `before` and `end` tell where the value stands in the
    /// text.
    pub fn events(&mut self, text: &str, before: usize, end: Option<usize>) -> Vec<Event> {
        let mut events = Vec::new();
        self.look.taken = true;
        self.look.pass_before(text, before, &mut events);
        if self.tape.root != NONE {
            let last = self.tape.nodes.len() as u32 - 1;
            let sight = Sight {
                tape: &self.tape,
                text,
                base: 0,
                unsettled: self.growing.then_some(last),
                root_closed: false,
            };
            self.look.take(&sight, &mut events);
        }
        if let Some(end) = end {
            self.look.pass_behind(text, end, &mut events);
        }
        events
    }

    /// Whether somebody has asked for events.
    #[must_use]
    pub fn is_followed(&self) -> bool {
        self.look.taken
    }

    /// What the whole value has that was not given out yet. Nothing if nobody has looked.
    #[must_use]
    pub fn last_events(self, whole: &Document<'_>, superseded: bool) -> Vec<Event> {
        let Self { look, .. } = self;
        look.rest(whole, true, superseded)
    }

    fn scalar(&mut self, key: Option<Key<'_>>, value: ValueRef<'_>) {
        let like = value.node();
        let mut node = *like;
        node.flags &= flag::SIDE | flag::ESCAPED | flag::TRUNCATED;
        self.name(&mut node, key);
        // The text comes last, so that it can grow where it stands.
        if like.has(flag::SIDE) || self.foreign.1 {
            (node.start, node.end) = self.tape.put_side(value.raw());
            node.flags |= flag::SIDE;
        }
        self.push(node);
    }

    fn name(&mut self, node: &mut crate::node::Node, key: Option<Key<'_>>) {
        let keys = flag::KEY_ESCAPED | flag::KEY_SIDE;
        node.flags &= !keys;
        (node.key_start, node.key_end) = (0, 0);
        let Some(key) = key else {
            return;
        };
        let (raw, escaped) = key.raw_name();
        match key.span().filter(|_| !self.foreign.0) {
            Some(span) => (node.key_start, node.key_end) = (span.start, span.end),
            None => {
                (node.key_start, node.key_end) = self.tape.put_side(raw);
                node.flags |= flag::KEY_SIDE;
            }
        }
        if escaped {
            node.flags |= flag::KEY_ESCAPED;
        }
    }

    fn push(&mut self, node: crate::node::Node) {
        if let Some(parent) = self.tape.nodes.get_mut(self.open as usize) {
            parent.count = parent.count.saturating_add(1);
        }
        self.tape.make_room(1);
        self.tape.nodes.push(node);
        self.tape.root = 0;
        self.growing = false;
    }
}

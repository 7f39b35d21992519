//! A value that is written step by step and can be viewed at any time: a stream's value after
//! coercion.

use alloc::boxed::Box;
use alloc::vec::Vec;

use crate::document::Document;
use crate::stream::events::{Event, Look, Sight};
pub use crate::stream::growth::{Continuation, Foreign, Growth};
use crate::stream::prefix::begins;
use crate::stream::single::Stream;
use crate::tape::{COUNT_MAX, DRAFT, NONE, Node, Tag, Tape, flag, saturate};
use crate::view::{Entries, Key, NodeId, ValueRef};

/// A growing value over the text of a stream. Each step adds to the end, or inserts an object's
/// held-back member; nothing is retracted.
///
/// Parts that equal the stream's own value are not stored twice: once a container is closed and
/// unchanged, one reference node replaces all its nodes. To view the draft, it is therefore
/// attached to that value: see [`Stream::exchange_draft`].
#[derive(Clone, Debug)]
pub struct Draft {
    tape: Box<Tape>,
    /// `true` if there is a value.
    begun: bool,
    /// The innermost open container.
    open: u32,
    /// `true` if the last node is a string that is still growing.
    growing: bool,
    /// The added parts, from here on, whose text is not the stream's.
    pub foreign: Foreign,
    look: Look,
}

impl Default for Draft {
    fn default() -> Self {
        Self {
            tape: Box::default(),
            begun: false,
            open: NONE,
            growing: false,
            foreign: Foreign::default(),
            look: Look::default(),
        }
    }
}

impl Draft {
    #[inline]
    pub(super) fn exchange(&mut self, beside: &mut Box<Tape>) {
        core::mem::swap(&mut self.tape, beside);
    }

    /// Returns the number of open containers.
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
        if like.node().has(flag::SIDE) || self.foreign.values {
            (node.start, node.end) = (0, 0);
            node.flags |= flag::SIDE;
        }
        self.push(node);
        self.open = at;
    }

    /// Closes the innermost container, whose text ends where the text of `like` does.
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

    /// Closes the innermost container, which has the same content as `like`, a closed container of
    /// the stream's own value. Returns whether this is still true: after a duplicate key, `like`
    /// shows only the last member.
    pub fn close_unchanged(&mut self, like: ValueRef<'_>) -> bool {
        let pointed = self.close_with(like);
        if !pointed {
            self.close(like);
        }
        pointed || !like.node().has(flag::DUPLICATES)
    }

    /// Closes the innermost container and replaces it by a closed container of the stream's own
    /// value. Returns `false` if that is not possible; it then stays open.
    pub fn close_with(&mut self, like: ValueRef<'_>) -> bool {
        let at = self.open as usize;
        if like.node().has(flag::DUPLICATES) || !self.may_point(at) {
            return false;
        }
        self.close(like);
        self.tape.nodes.truncate(at + 1);
        self.point(at, like);
        true
    }

    /// Adds a complete value of the stream, unchanged and under its own key.
    pub fn take_over(&mut self, key: Option<Key<'_>>, value: ValueRef<'_>) {
        if !value.node().is_container() || self.look.taken {
            return self.copy(key, value, Growth::Whole);
        }
        let at = self.tape.nodes.len();
        self.open(key, value);
        if self.may_point(at) {
            self.close(value);
            self.point(at, value);
            return;
        }
        self.copy_children(value);
    }

    /// Returns `true` if a reference may replace that node. A caller that follows the events needs
    /// contiguous nodes, and a view takes the key from the side text of the value it shows.
    fn may_point(&self, at: usize) -> bool {
        !self.look.taken && at > 0 && !self.tape.nodes[at].has(flag::KEY_SIDE)
    }

    fn point(&mut self, at: usize, like: ValueRef<'_>) {
        let node = &mut self.tape.nodes[at];
        node.tag = Tag::Reference;
        node.next = like.index;
    }

    /// Replaces all nodes from `from` on that refer to the stream's own value by copies.
    fn expand(&mut self, from: usize, stream: &Stream) {
        let points = |node: &Node| node.tag == Tag::Reference;
        if !self.tape.nodes.iter().skip(from).any(points) {
            return;
        }
        let Document {
            text, tape: own, ..
        } = stream.document();
        let old = self.tape.nodes.split_off(from);
        let counted = &mut self.tape.counted;
        let counted = counted.split_off(counted.partition_point(|one| (one.index as usize) < from));
        let (open, growing) = (core::mem::replace(&mut self.open, NONE), self.growing);
        self.foreign = Foreign::default();
        let mut moved = Vec::with_capacity(old.len() + 1);
        for node in &old {
            moved.push(self.tape.nodes.len() as u32);
            if points(node) {
                let key = Key::of(own, text, node.next);
                self.copy(
                    Some(key),
                    ValueRef::new(own, text, node.next),
                    Growth::Whole,
                );
            } else {
                self.tape.nodes.push(*node);
            }
        }
        moved.push(self.tape.nodes.len() as u32);
        let place = |index: u32| match (index as usize).checked_sub(from) {
            Some(at) => moved.get(at).copied().unwrap_or(index),
            None => index,
        };
        for (node, at) in old.iter().zip(&moved) {
            if node.is_container() {
                self.tape.nodes[*at as usize].next = place(node.next);
            }
        }
        for one in counted {
            if (one.index as usize) < from + old.len() {
                let index = place(one.index);
                self.tape.put_count(index, one.all, one.shown);
            }
        }
        (self.open, self.growing) = (place(open), growing);
    }

    /// Adds a complete value, or a string that is still growing.
    pub fn copy(&mut self, key: Option<Key<'_>>, value: ValueRef<'_>, growth: Growth) {
        if value.node().is_container() {
            self.open(key, value);
            self.copy_children(value);
        } else {
            self.scalar(key, value);
        }
        self.growing = growth == Growth::Growing;
    }

    /// Adds the content of a container to the innermost one, and closes that.
    fn copy_children(&mut self, value: ValueRef<'_>) {
        let mut stack: Vec<Entries<'_>> = alloc::vec![value.entries()];
        while let Some(entries) = stack.last_mut() {
            match entries.next() {
                Some((key, child)) if child.node().is_container() => {
                    self.open(key, child);
                    stack.push(child.entries());
                }
                Some((key, child)) => self.scalar(key, child),
                None => {
                    stack.pop();
                    let after = self.tape.nodes.len() as u32;
                    let node = &mut self.tape.nodes[self.open as usize];
                    self.open = core::mem::replace(&mut node.next, after);
                }
            }
        }
        self.growing = false;
    }

    /// Appends the new text of the string that was added last.
    pub fn grow(&mut self, value: ValueRef<'_>, growth: Growth) {
        let new = value.node();
        self.growing = growth == Growth::Growing;
        let Some(node) = self.tape.nodes.last_mut() else {
            return;
        };
        let same = new.end - new.start == node.end - node.start;
        let side = if self.foreign.values {
            flag::SIDE
        } else {
            new.flags & flag::SIDE
        };
        if same && node.flags & flag::SIDE == side {
            node.flags = node.flags & !flag::TRUNCATED | new.flags & flag::TRUNCATED;
            return;
        }
        let (mut start, mut end) = (new.start, new.end);
        if self.foreign.values {
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

    /// Returns `true` if no later text can change a shown value. The draft must be attached to the
    /// value of that stream.
    #[must_use]
    pub fn is_settled(&self, value: ValueRef<'_>, stream: &Stream) -> bool {
        let id = value.id().0;
        let tape = &stream.document.tape;
        let last = || (tape.draft.as_ref()).map_or(0, |draft| draft.nodes.len() as u32);
        // The target of the draft is closed.
        id < DRAFT || !(tape.is_open(id) || self.growing && id - DRAFT + 1 == last())
    }

    /// Returns the first child of the shown value, or the child after `previous`.
    #[must_use]
    pub fn child_after<'s>(
        &self,
        previous: Option<NodeId>,
        stream: &'s Stream,
    ) -> Option<ValueRef<'s>> {
        let Document { text, tape, .. } = &stream.document;
        let draft = tape.draft.as_ref()?;
        let at = previous.map_or(DRAFT + 1, |child| tape.after(child.0));
        let is_there = (at.wrapping_sub(DRAFT) as usize) < draft.nodes.len();
        is_there.then(|| ValueRef::new(tape, text, at))
    }

    /// Makes the open innermost container equal to `value`, and closes it unless it is the root.
    /// Returns `false` if `value` does not continue its content.
    pub fn complete(&mut self, value: ValueRef<'_>, stream: &Stream) -> bool {
        self.expand(self.open as usize + 1, stream);
        let (at, text) = (self.open, stream.text());
        let growing = self.growing.then(|| self.tape.nodes.len() as u32 - 1);
        if !begins(ValueRef::new(&self.tape, text, at), growing, value) {
            return false;
        }
        let mut pending = core::mem::take(&mut self.look.pending);
        let seen = self.look.taken && {
            let whole = Self::of(value);
            let sight = Sight {
                tape: &whole.tape,
                text: value.text,
                base: 0,
                unsettled: None,
                root_closed: at > 0,
            };
            (self.look).complete((&self.tape, text), at, &sight, &mut pending)
        };
        self.look.pending = pending;
        self.fill(value, text);
        if seen {
            self.look.nodes = self.tape.nodes.len();
        }
        if at > 0 {
            let after = self.tape.nodes.len() as u32;
            self.open = core::mem::replace(&mut self.tape.nodes[at as usize].next, after);
        }
        self.growing = false;
        true
    }

    /// Adds the missing part of `value` to the innermost container. The nodes after the first of
    /// these are written once more.
    fn fill(&mut self, value: ValueRef<'_>, text: &str) {
        let (mut at, mut kept) = (self.open + 1, 0);
        let mut rest = value.entries().peekable();
        let known = self.tape.nodes.len() - usize::from(self.growing);
        while (at as usize) < known {
            let held = Key::of(&self.tape, text, at).decoded();
            let same =
                |(key, _): &(Option<Key<'_>>, _)| key.is_none_or(|key| key.decoded() == held);
            if rest.next_if(same).is_none() {
                break;
            }
            (at, kept) = (self.tape.after(at), kept + 1);
        }
        if (at as usize) < self.tape.nodes.len() {
            self.tape.nodes.truncate(at as usize);
            let counted = &mut self.tape.counted;
            counted.truncate(counted.partition_point(|one| one.index < at));
            self.tape.set_count(self.open, kept);
        }
        for (key, child) in rest {
            self.copy(key, child, Growth::Whole);
        }
    }

    /// Returns `true` if a value equals this one or continues it. The draft is attached to the
    /// value that the stream has shown, or else to that value; if it has no text, the value's text
    /// is used.
    #[must_use]
    pub fn continues_in(&self, own: Option<&Document<'_>>, value: Option<ValueRef<'_>>) -> bool {
        let Some(value) = value.filter(|_| self.begun) else {
            return !self.begun;
        };
        let tape = own.map_or(value.tape, |own| &own.tape);
        let text = text_of(own, value.text);
        let Some(draft) = &tape.draft else {
            return false;
        };
        let last = DRAFT + draft.nodes.len() as u32 - 1;
        let growing = self.growing.then_some(last);
        begins(ValueRef::new(tape, text, DRAFT), growing, value)
    }

    /// Creates a draft of a complete value.
    #[must_use]
    pub fn of(value: ValueRef<'_>) -> Self {
        let mut whole = Self::default();
        whole.copy(None, value, Growth::Whole);
        whole
    }

    pub(super) fn tape(&self) -> &Tape {
        &self.tape
    }

    /// Returns the changes since the last call.
    pub fn events(&mut self, stream: &Stream) -> Vec<Event> {
        let (text, before, end) = (stream.text(), stream.passed(), stream.end());
        let mut events = Vec::new();
        if !self.look.taken {
            self.expand(0, stream);
        }
        self.look.taken = true;
        self.look.pass_before(text, before, &mut events);
        events.append(&mut self.look.pending);
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

    /// Returns `true` if events have been requested.
    #[must_use]
    pub fn is_followed(&self) -> bool {
        self.look.taken
    }

    /// Returns the changes of the complete value that were not delivered yet; empty if events were
    /// never requested.
    #[must_use]
    pub fn last_events(
        self,
        own: Option<&Document<'_>>,
        whole: &Document<'_>,
        continuation: Continuation,
    ) -> Vec<Event> {
        let beside = own.unwrap_or(whole).tape.draft.as_deref();
        let draft = (beside.unwrap_or(&self.tape), text_of(own, &whole.text));
        self.look.rest(whole, Some(draft), continuation)
    }

    fn scalar(&mut self, key: Option<Key<'_>>, value: ValueRef<'_>) {
        let like = value.node();
        let mut node = *like;
        node.flags &= flag::SIDE | flag::ESCAPED | flag::TRUNCATED;
        self.name(&mut node, key);
        // The text is last, so that it can grow in place.
        if like.has(flag::SIDE) || self.foreign.values {
            (node.start, node.end) = self.tape.put_side(value.raw());
            node.flags |= flag::SIDE;
        }
        self.push(node);
    }

    fn name(&mut self, node: &mut Node, key: Option<Key<'_>>) {
        let keys = flag::KEY_ESCAPED | flag::KEY_SIDE;
        node.flags &= !keys;
        (node.key_start, node.key_end) = (0, 0);
        let Some(key) = key else {
            return;
        };
        let (raw, escaped) = key.raw_name();
        match key.span().filter(|_| !self.foreign.names) {
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

    /// The innermost container has one more child than its node records.
    #[cold]
    fn count_one_more(&mut self, before: u16) {
        let known = self.tape.counted(self.open);
        let known = known.filter(|_| before == COUNT_MAX);
        let count = known.map_or(u32::from(COUNT_MAX), |count| count as u32 + 1);
        self.tape.put_count(self.open, count, count);
    }

    fn push(&mut self, node: Node) {
        if let Some(parent) = self.tape.nodes.get_mut(self.open as usize) {
            let before = parent.count;
            parent.count = saturate(u32::from(before) + 1);
            if parent.count == COUNT_MAX {
                self.count_one_more(before);
            }
        }
        self.tape.make_room(1);
        self.tape.nodes.push(node);
        self.tape.root = 0;
        self.begun = true;
        self.growing = false;
    }
}

impl Stream {
    /// Joins a draft to the value, so that it can be viewed; a second call separates them.
    #[inline]
    pub fn exchange_draft(&mut self, draft: &mut Draft) {
        let beside = self.document.tape.draft.get_or_insert_default();
        draft.exchange(beside);
    }

    /// Returns the value so far of the attached draft.
    #[must_use]
    pub fn drafted(&self) -> Option<ValueRef<'_>> {
        let Document { text, tape, .. } = &self.document;
        let draft = tape.draft.as_ref()?;
        (draft.root != NONE).then(|| ValueRef::new(tape, text, DRAFT))
    }
}

/// Returns the text under a draft: the text of its document, unless the whole value has it.
fn text_of<'d>(own: Option<&'d Document<'_>>, whole: &'d str) -> &'d str {
    own.map(Document::text)
        .filter(|text| !text.is_empty())
        .unwrap_or(whole)
}

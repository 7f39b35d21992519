//! Containers whose opening bracket is missing, as a closer further on shows.

use crate::base::repair::RepairKind;
use crate::parser::look::brackets::CLOSERS_AHEAD;
use crate::parser::state::reader::Reader;
use crate::parser::state::step::{AfterStep, Container, KeySpan, KeyStep, scalar};
use crate::tape::{Node, Tag, flag};

impl Reader<'_> {
    /// The value read last is the first name of an object without its brace, for a colon follows it
    /// at `colon`: `{"a": "b": 1}, "c": 2}`.
    pub(crate) fn unopened_object(&mut self, here: Container, colon: usize) -> Option<AfterStep> {
        let last = self.tape.nodes.len() - 1;
        let name = self.tape.nodes[last];
        let quoted = name.tag == Tag::String && !name.has(flag::SIDE) && self.quote_before(colon);
        if here.count == 0 || !quoted || !self.look.value_ahead(colon + 1) {
            return None;
        }
        self.scratch.pause.looked_to = colon + CLOSERS_AHEAD;
        if !self.opener_is_missing(here, b'}', colon + 1)
            || self.counters.depth >= self.limits.depth
        {
            return None;
        }
        // `{"a": "b": 1}, "c": 2}`: the value read last becomes the first name of the object.
        let key = KeySpan::of(&name);
        let inside = self.put_in(here, last, Tag::Object);
        self.tape.nodes.truncate(last + 1);
        Some(AfterStep::Member(inside, key, colon + 1))
    }

    /// The item at `k`, where an object expects a name, and the value before the comma belong to a
    /// list without its bracket: `{"a": 1, 2], "b": 3}`.
    pub(crate) fn unopened_list(&mut self, here: Container, k: usize) -> Option<KeyStep> {
        let last = self.tape.nodes.len() - 1;
        let value = self.tape.nodes[last];
        let before = self.look.text_before(k).strip_suffix(',')?.trim_end();
        let scalar = here.count > 0 && !value.is_container() && !value.has(flag::SIDE);
        // A value inside a container that was closed, or with other text behind it, is none of them.
        let quoted = usize::from(value.tag == Tag::String && before.ends_with('"'));
        if !scalar || !self.last_is_open() || value.end as usize + quoted != before.len() {
            return None;
        }
        // `{"a": 1, 2], "b": 3}`: the closers that follow close one list more than was opened.
        let missing = self.growing || self.opener_is_missing(here, b']', k);
        if !missing || self.counters.depth >= self.limits.depth || !self.may_rearrange() {
            return None;
        }
        self.counters.reopened += 1;
        let mut inside = self.put_in(here, last, Tag::Array);
        inside.count = 1;
        Some(KeyStep::Item(inside, k))
    }

    /// Returns `true` if the closers from `at` on close one container more than is open, the first
    /// of them what `closer` closes.
    fn opener_is_missing(&mut self, here: Container, closer: u8, at: usize) -> bool {
        self.closes_first(closer, Some(here.current), at) == Some(true)
            && !self.closers_match(Some(here.current), at)
    }

    /// Puts the scalar at `index`, the last child of the innermost container, in a container of its
    /// own under the same name.
    fn put_in(&mut self, here: Container, index: usize, tag: Tag) -> Container {
        let child = self.tape.nodes[index];
        let begin = child.start as usize;
        let quote =
            usize::from(child.tag == Tag::String && self.look.bytes[..begin].ends_with(b"\""));
        let keys = flag::KEY_ESCAPED | flag::KEY_SIDE;
        let container = Node {
            key_start: child.key_start,
            key_end: child.key_end,
            next: here.current,
            flags: child.flags & keys,
            ..scalar(KeySpan::NONE, tag, begin - quote, begin - quote)
        };
        self.tape.nodes[index] = container;
        let (key_start, key_end) = (0, 0);
        let flags = child.flags & !keys;
        self.tape.nodes.push(Node {
            key_start,
            key_end,
            flags,
            ..child
        });
        self.tape.set_count(here.current, here.count);
        self.counters.depth += 1;
        self.repair(RepairKind::MissingOpener, begin - quote, begin - quote);
        Container {
            current: index as u32,
            object: tag == Tag::Object,
            count: 0,
        }
    }
}

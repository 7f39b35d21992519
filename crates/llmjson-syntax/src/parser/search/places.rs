//! The schema's expectations: an object holds only keys of one object of the schema, and a member
//! only values of its kinds.

use core::ops::Range;

use crate::base::expected_names::{ExpectedValue, Place};
use crate::parser::search::beam::Search;
use crate::parser::search::moves::bracket::CLOSE_AT_ONCE;
use crate::parser::search::price;
use crate::parser::search::reading::{Event, Kind, Reading, SearchContainer, Want};
use crate::parser::state::reader::Reader;
use crate::tape::{Node, Tag, flag};

/// Number of members before the entry whose keys say which object the container is.
const MEMBERS_LOOK: usize = 16;

impl Search<'_> {
    /// Returns what the value at the position of a hypothesis may be.
    fn expected(&self, reading: &Reading) -> ExpectedValue {
        let around = self.frame(reading);
        match around.kind.has_names() {
            true => reading.expected,
            false => around.expected,
        }
    }

    /// Returns a container that is opened at the position of a hypothesis.
    pub(crate) fn container(&self, reading: &Reading, kind: Kind) -> SearchContainer {
        let expected = self.expected(reading);
        SearchContainer {
            parent: reading.frame,
            kind,
            closer: kind.usual_closer(),
            open: reading.at,
            column: -1,
            indent: 0,
            before: 0,
            expected: match kind {
                Kind::Array | Kind::Loose => expected.item(),
                _ => expected,
            },
        }
    }

    /// Returns the cost of a container where the schema has other kinds of values.
    pub(crate) fn price_of_kind(&self, reading: &Reading, kind: Kind) -> u32 {
        match self.expected(reading).forbids(kind.has_names()) {
            true => price::OTHER_KIND,
            false => 0,
        }
    }

    /// Returns the cost of a text without quotes where the schema has only containers: it may be
    /// one in another notation.
    pub(crate) fn price_of_text(&self, reading: &Reading) -> u32 {
        match self.expected(reading).forbids_scalar() {
            true => price::OTHER_KIND,
            false => 0,
        }
    }

    /// Returns `true` if the last value is an array that cannot be an item of the expected array:
    /// it is the array itself.
    pub(crate) fn is_whole_list(&self, reading: &Reading) -> bool {
        let closed = matches!(self.trail[reading.trail as usize].event, Event::Close(..));
        // Nothing is expected after an object, whose keys have replaced the last one.
        closed && self.expected(reading).item().forbids(false)
    }

    /// Returns the hypothesis with a key. A key of another object costs extra: `"days"` in
    /// `{"to": {"city": "Rome", "days": 3}`, where the schema has it next to `"to"`.
    pub(crate) fn with_name(&mut self, reading: Reading, event: Event) -> Reading {
        let mut named = self.with(reading, event);
        named.expected = ExpectedValue::ANY;
        let (Some(names), Event::Name(place, ..)) = (self.text.names, event) else {
            return named;
        };
        let name = self.text.text.get(place.start as usize..place.end as usize);
        let Some(place) = name.and_then(|name| names.place(name)) else {
            return named;
        };
        named.expected = place.value;
        let frame = self.frame(&named);
        match frame.expected.narrowed(place.within) {
            None => named.cost += price::FOREIGN_NAME,
            Some(expected) if expected != frame.expected => {
                named.frame = self.intern(SearchContainer { expected, ..frame });
            }
            Some(_) => {}
        }
        named
    }

    /// Returns the objects of the key at `at`, if this container is none of them.
    pub(crate) fn objects_elsewhere(&self, frame: u32, at: usize) -> Option<u64> {
        let names = self.text.names?;
        let (name, _) = self.text.name_at(at)?;
        let within = names.place(&self.text.text[name])?.within;
        let here = self.frames[frame as usize].expected;
        here.narrowed(within).is_none().then_some(within)
    }

    /// Forks where the key at this position belongs to an outer object: the containers inside that
    /// were not closed.
    pub(crate) fn close_for_name(&mut self, reading: Reading) {
        let at = reading.at as usize;
        let Some(within) = self.objects_elsewhere(reading.frame, at) else {
            return;
        };
        let mut outer = reading;
        for _ in 0..CLOSE_AT_ONCE {
            if self.outermost(&outer) {
                return;
            }
            outer = self.close_missing(outer);
            let frame = self.frame(&outer);
            let known = frame.kind.has_names() && frame.expected != ExpectedValue::ANY;
            if known && frame.expected.narrowed(within).is_some() {
                let outer = self.comma_behind_closed(reading, outer);
                return self.go(outer, at, Want::Name);
            }
        }
    }
}

impl Reader<'_> {
    /// Returns what the whole value may be.
    pub(crate) fn expected_root(&self) -> ExpectedValue {
        self.look
            .names
            .map_or(ExpectedValue::ANY, |names| names.root())
    }

    /// Returns where the key of a node belongs, if that is known.
    pub(crate) fn place_of_name(&self, node: &Node) -> Option<Place> {
        let name = (node.key_end != 0 && !node.has(flag::KEY_SIDE))
            .then(|| &self.look.text[node.key_start as usize..node.key_end as usize])?;
        self.look.charge(1);
        self.look.names?.place(name)
    }

    /// Returns the expectation of an object, or of the items of an array, from the expectation
    /// `around` of the container around it.
    pub(crate) fn expected_inside(&self, around: ExpectedValue, node: &Node) -> ExpectedValue {
        let expected = match self.place_of_name(node) {
            Some(place) => place.value,
            None if node.key_end != 0 => ExpectedValue::ANY,
            None => around,
        };
        match node.tag {
            Tag::Array => expected.item(),
            _ => expected,
        }
    }

    /// Returns an expectation without the objects that lack a key of the members among these nodes.
    pub(crate) fn narrowed(
        &self,
        expected: ExpectedValue,
        children: Range<usize>,
    ) -> ExpectedValue {
        let (mut expected, mut child) = (expected, children.start);
        for _ in 0..MEMBERS_LOOK {
            if child >= children.end || self.look.names.is_none() {
                break;
            }
            let place = self.place_of_name(&self.tape.nodes[child]);
            let narrowed = place.and_then(|place| expected.narrowed(place.within));
            expected = narrowed.unwrap_or(expected);
            child = self.tape.after(child as u32) as usize;
        }
        expected
    }
}

//! Stretches of a value that are read again: where they begin and end, and what the search made of them.

use alloc::vec::Vec;
use core::cmp::Ordering;
use core::ops::Range;

use crate::base::repair::Repair;
use crate::parser::look::Look;
use crate::parser::search::beam::Search;
use crate::parser::search::reading::{
    Event, Kind, Move, QUOTED_NAME, Reading, SearchContainer, Want,
};
use crate::parser::search::referee::{self, Evidence, Read};
use crate::parser::search::text::Text;
use crate::parser::state::checkpoint::Checkpoint;
use crate::parser::state::reader::Reader;
use crate::parser::state::step::ValueEnd;
use crate::tape::{Node, Tag, flag};

#[cfg(test)]
mod reader_tests;
#[cfg(test)]
mod tests;

/// A stretch begins with the value if that is so close.
const FROM_START: usize = 1 << 7;

/// Doubtful repairs that are so close are of one stretch.
const CLOSE_BY: usize = 256;

/// A part of the work that is left which no stretch may take.
const SHARE: usize = 4;

/// A stretch that the search reads otherwise, and cheaper.
pub(crate) struct Segment {
    /// The nodes in it, counted from the root of the value.
    pub(crate) nodes: Range<usize>,
    /// The stretch of the text that it covers.
    pub(crate) text: Range<usize>,
    pub(crate) events: Vec<Event>,
    /// `true` if the value ends with it.
    pub(crate) ended: bool,
}

/// A value that has been read, to be looked at again.
struct Value<'a> {
    text: &'a str,
    nodes: &'a [Node],
    /// The number of the first node.
    base: usize,
    start: usize,
    /// The container around each node.
    parents: Vec<usize>,
    repairs: &'a [Repair],
}

const OUTSIDE: usize = usize::MAX;

impl<'a> Value<'a> {
    /// Returns the container around each node: outside, 0, 0 of the nodes of `[1, 2]`.
    fn parents(nodes: &[Node], base: usize) -> Vec<usize> {
        let mut parents = Vec::with_capacity(nodes.len());
        let mut here = OUTSIDE;
        for (i, node) in nodes.iter().enumerate() {
            while here != OUTSIDE && nodes[here].next as usize <= base + i {
                here = parents[here];
            }
            parents.push(here);
            if node.is_container() {
                here = i;
            }
        }
        parents
    }

    /// Returns the offset at which a node begins in the text, with its name and the quote of that,
    /// if it has its usual form: 1 of the member in `{"a": 2}`.
    fn place(&self, index: usize) -> Option<usize> {
        let node = &self.nodes[index];
        let parent = self.parents[index];
        let named = parent != OUTSIDE && self.nodes[parent].tag == Tag::Object;
        let bytes = self.text.as_bytes();
        let quoted = |start: usize| {
            let quote = start.checked_sub(1).map(|at| bytes[at]);
            start - usize::from(matches!(quote, Some(b'"' | b'\'')))
        };
        if named {
            return (!node.has(flag::KEY_SIDE)).then(|| quoted(node.key_start as usize));
        }
        let start = node.start as usize;
        match node.tag {
            Tag::Object | Tag::Array => {
                matches!(bytes.get(start), Some(b'{' | b'[')).then_some(start)
            }
            _ if node.has(flag::SIDE) => None,
            Tag::String => Some(quoted(start)),
            _ => Some(start),
        }
    }

    /// Returns the offset at which a stretch begins with this node, if one may: it stands as JSON has
    /// it, and so do the containers around it. 4 for the last item of `[1, 2]`, none for that of `[1 2]`.
    fn begins(&self, index: usize) -> Option<usize> {
        let at = self.place(index)?;
        let before = self.text[..at].trim_end().as_bytes().last();
        let mut around = self.parents[index];
        while around != OUTSIDE {
            let node = &self.nodes[around];
            let bracket = if node.tag == Tag::Object { b'{' } else { b'[' };
            if self.text.as_bytes().get(node.start as usize) != Some(&bracket) {
                return None;
            }
            around = self.parents[around];
        }
        matches!(before, Some(b',' | b'{' | b'[')).then_some(at)
    }

    /// Returns the number of containers around a node: 1 around each item of `[1, 2]`.
    fn depth(&self, index: usize) -> usize {
        let mut around = self.parents[index];
        let mut depth = 0;
        while around != OUTSIDE {
            depth += 1;
            around = self.parents[around];
        }
        depth
    }

    /// Returns the open containers around a node, the outermost first: the root and a list around each item
    /// of `[1, 2]`.
    fn frames(&self, text: &Text<'_>, index: usize) -> Vec<SearchContainer> {
        let mut around = Vec::new();
        let mut at = self.parents[index];
        while at != OUTSIDE {
            around.push(at);
            at = self.parents[at];
        }
        let root = SearchContainer {
            parent: 0,
            kind: Kind::Root,
            closer: 0,
            open: 0,
            column: -1,
            indent: -1,
        };
        let mut frames = Vec::from([root]);
        for &container in around.iter().rev() {
            let node = &self.nodes[container];
            let object = node.tag == Tag::Object;
            let child = (container + 1 < index)
                .then(|| self.place(container + 1))
                .flatten();
            let column = child.and_then(|child| text.first_on_line(child));
            frames.push(SearchContainer {
                parent: frames.len() as u32 - 1,
                kind: if object { Kind::Object } else { Kind::Array },
                closer: if object { b'}' } else { b']' },
                open: node.start,
                column: column.unwrap_or(-1),
                indent: text.line_indent(node.start as usize),
            });
        }
        frames
    }

    /// Returns `true` if the containers around a node are those that a reading has open: with the list of
    /// `[1, 2]` open, around its items.
    fn agrees(&self, search: &Search<'_>, reading: &Reading, index: usize) -> bool {
        let (mut frame, mut around) = (search.frame(reading), self.parents[index]);
        while frame.kind != Kind::Root && around != OUTSIDE {
            search.charge(1);
            let node = &self.nodes[around];
            let object = node.tag == Tag::Object;
            // Round brackets may yet turn out to be those of a list.
            let open = frame.open == node.start && frame.kind != Kind::Call;
            if !open || frame.kind.has_names() != object {
                return false;
            }
            frame = search.frames[frame.parent as usize];
            around = self.parents[around];
        }
        frame.kind == Kind::Root && around == OUTSIDE
    }

    /// Returns the nodes of a stretch as the search would have come to them, kinds and places: a list (1), two
    /// scalars (4) and a closer (2) of `[1, 2]`.
    fn events(&self, nodes: Range<usize>) -> Vec<(u8, u32, u32)> {
        let mut events = Vec::new();
        let mut here = self.parents.get(nodes.start).copied().unwrap_or(OUTSIDE);
        for i in nodes.start..=nodes.end {
            while here != OUTSIDE && self.nodes[here].next as usize <= self.base + i {
                events.push((2, 0, 0));
                here = self.parents[here];
            }
            let Some(node) = self.nodes.get(i).filter(|_| i < nodes.end) else {
                break;
            };
            if here != OUTSIDE && self.nodes[here].tag == Tag::Object {
                events.push(match node.has(flag::KEY_SIDE) {
                    true => (3, 0, ANYWHERE),
                    false => (3, node.key_start, node.key_end),
                });
            }
            events.push(match node.tag {
                Tag::Object => (0, 0, 0),
                Tag::Array => (1, 0, 0),
                Tag::Null if node.start == node.end => (6, 0, 0),
                _ if node.has(flag::SIDE) => (4, 0, ANYWHERE),
                _ => (4, node.start, node.end),
            });
            if node.is_container() {
                here = i;
            }
        }
        events
    }
}

impl Reader<'_> {
    /// Stretches of the value that begins at `start` which the search reads otherwise, and cheaper.
    pub(crate) fn segments(
        &self,
        start: usize,
        read: ValueEnd,
        before: &Checkpoint,
    ) -> Vec<Segment> {
        let nodes = &self.tape.nodes[before.nodes..];
        let repairs = &self.tape.repairs[before.repairs..];
        self.look.charge(nodes.len() + repairs.len());
        let value = Value {
            text: self.look.text,
            nodes,
            base: before.nodes,
            start,
            parents: Value::parents(nodes, before.nodes),
            repairs,
        };
        let mut doubtful: Vec<_> = (repairs.iter())
            .filter(|repair| referee::is_doubtful(repair))
            .map(|repair| repair.span.range())
            .collect();
        if self.look.goes_on_behind(read.end, before) {
            doubtful.push(read.end.saturating_sub(1)..read.end);
        }
        doubtful.sort_by_key(|span| span.start);
        let (mut segments, mut next, mut from) = (Vec::new(), 0, 0);
        while next < doubtful.len() && !self.look.work_is_used_up() {
            let Some((segment, nodes_end, end)) =
                self.segment(&value, read, &doubtful[next..], from)
            else {
                break;
            };
            segments.extend(segment);
            from = nodes_end;
            while doubtful.get(next).is_some_and(|span| span.start < end) {
                next += 1;
            }
        }
        segments
    }

    /// The stretch around the first of these doubtful places, not before node `from`: what the search
    /// makes of it, if that is cheaper, and where it ends.
    fn segment(
        &self,
        value: &Value<'_>,
        read: ValueEnd,
        doubtful: &[Range<usize>],
        from: usize,
    ) -> Option<(Option<Segment>, usize, usize)> {
        let (entry, at) = self.look.entry(value, doubtful[0].start, from)?;
        self.look.charge(value.depth(entry));
        let text = Text::new(self.look.text, self.look.names);
        let frames = value.frames(&text, entry);
        let frame = frames.len() as u32 - 1;
        let want = frames[frame as usize].kind.member();
        let left = usize::try_from(self.look.work.get().left()).unwrap_or(usize::MAX);
        let mut search = Search::new(text, left - left / SHARE, frames);
        search.live.push(Reading {
            at: at as u32,
            cost: 0,
            frame,
            trail: 0,
            want,
            ragged: 0,
            made: if want == Want::Name { QUOTED_NAME } else { 0 },
            open: None,
            value: 0,
            margin: 1000,
            met_margin: 1000,
        });
        let met = run(&mut search, value, doubtful, entry);
        self.look.charge(search.spent());
        if search.is_spent() {
            return None;
        }
        let (reading, nodes_end, end) = match met {
            Some(met) => met,
            None => (search.best()?, value.nodes.len(), usize::MAX),
        };
        let ended = met.is_none();
        let path = path(&search, &reading);
        let events: Vec<_> = path.iter().filter_map(Event::value).collect();
        self.look.charge(nodes_end - entry + value.repairs.len());
        let same = agree(&events, &value.events(entry..nodes_end))
            && (!ended || reading.at as usize == read.end);
        let paid = value.repairs.iter().filter(|repair| {
            let start = repair.span.start as usize;
            (at..end).contains(&start)
        });
        let around = value.depth(entry);
        let fits = around + deepest(&path) <= self.limits.depth as usize;
        // A text that breaks off inside the value and closes nothing there was cut: what it leaves out is
        // not behind the value.
        let cut = ended && !read.complete && !search.text.closed_behind(at);
        let mut found = None;
        if !same && fits && !cut {
            let compared = Read {
                repairs: paid,
                evidence: self.evidence(value, entry..nodes_end),
                end: if ended {
                    read.end.cmp(&(reading.at as usize))
                } else {
                    Ordering::Equal
                },
                text: self.look.text,
            };
            if referee::prefers_search(compared, reading.cost, &path) {
                found = Some(Segment {
                    nodes: entry..nodes_end,
                    text: at..end,
                    events: path,
                    ended,
                });
            }
        }
        Some((found, nodes_end, end))
    }

    /// Collects the evidence of the texts of these nodes for the reader.
    fn evidence(&self, value: &Value<'_>, nodes: Range<usize>) -> Evidence {
        let mut evidence = Evidence::default();
        for node in value.nodes[nodes]
            .iter()
            .filter(|node| node.tag == Tag::String)
        {
            let text = if node.has(flag::SIDE) {
                &self.tape.side
            } else {
                self.look.text
            };
            let span = node.start as usize..node.end as usize;
            self.look.charge(span.len() / 16);
            evidence.take(text.as_bytes().get(span).unwrap_or_default());
        }
        evidence
    }
}

impl Look<'_> {
    /// Returns `true` if what stands behind a value that has ended goes on with it: behind the first brace of
    /// `{"a": 1}, "b": 2}`.
    ///
    /// Asked of the first value of a reply alone: behind each of a row of values stands the next one.
    pub(crate) fn goes_on_behind(&self, end: usize, before: &Checkpoint) -> bool {
        let (byte, at) = self.skip_space(end);
        // The next of several values stands right behind this one or on another line.
        let space = &self.bytes[end..at];
        let apart = !space.is_empty() && memchr::memchr(b'\n', space).is_none();
        let next = matches!(byte, b'{' | b'[') && !apart || at >= self.bytes.len();
        if before.nodes > 0 || next || self.work_is_used_up() {
            return false;
        }
        let text = Text::new(self.text, self.names);
        let search = Search::new(text, 0, Vec::new());
        let goes_on = search.rest_goes_on(end);
        self.charge(search.spent());
        goes_on
    }

    /// Finds the node with which a stretch around `doubt` begins, and where that stands: the root, if it is
    /// close (0 and 0 for a doubt at 4 in `[1, "b]`), or one member before.
    fn entry(&self, value: &Value<'_>, doubt: usize, from: usize) -> Option<(usize, usize)> {
        let root = || (from == 0).then_some((0, value.start));
        if from == 0 && doubt.saturating_sub(value.start) <= FROM_START {
            return root();
        }
        let behind = value.nodes.partition_point(|node| {
            let at = if node.has(flag::SIDE) {
                0
            } else {
                node.start as usize
            };
            at <= doubt
        });
        let mut found = None;
        for index in (from.max(1)..behind.min(value.nodes.len())).rev() {
            self.charge(1 + value.depth(index));
            if self.work_is_used_up() {
                return None;
            }
            if let Some(at) = value.begins(index) {
                let second = found.is_some();
                found = Some((index, at));
                if second {
                    break;
                }
            }
        }
        found.or_else(root)
    }
}

/// The end of a text that was put aside, which tells no place.
const ANYWHERE: u32 = u32::MAX;

/// Returns `true` if the search came to the same value as the reader, apart from texts that were put aside.
fn agree(events: &[(u8, u32, u32)], nodes: &[(u8, u32, u32)]) -> bool {
    let same = |(event, node): (&(u8, u32, u32), &(u8, u32, u32))| {
        event == node || node.2 == ANYWHERE && event.0 == node.0
    };
    events.len() == nodes.len() && events.iter().zip(nodes).all(same)
}

/// Returns the maximum number of containers that are open at once on a path, besides those around
/// it: 2 of `[{}, []]`.
fn deepest(path: &[Event]) -> usize {
    let (mut open, mut most) = (0isize, 0);
    for event in path {
        match event {
            Event::Object(_) | Event::Array(_) => open += 1,
            Event::Close(..) => open -= 1,
            _ => {}
        }
        most = most.max(open);
    }
    most.unsigned_abs()
}

/// Runs the search until one reading is left that stands where a node of the value does, with the
/// same containers open around it. Returns that reading, the node and its place; `None` if the
/// value ended before.
fn run(
    search: &mut Search<'_>,
    value: &Value<'_>,
    doubtful: &[Range<usize>],
    entry: usize,
) -> Option<(Reading, usize, usize)> {
    let (mut index, mut doubt) = (entry + 1, 0);
    let mut clear = doubtful[0].end;
    loop {
        if let [reading] = &search.live[..]
            && search.ended.iter().all(|ended| ended.cost > reading.cost)
            && reading.open.is_none()
            && reading.want == search.frame(reading).kind.member()
            && reading.at as usize >= clear
        {
            let at = search.text.trivia(reading.at as usize).0;
            while let Some(span) = doubtful
                .get(doubt)
                .filter(|span| span.start < at + CLOSE_BY)
            {
                clear = clear.max(span.end);
                doubt += 1;
            }
            while index < value.nodes.len() && value.place(index).is_none_or(|place| place < at) {
                search.charge(1);
                index += 1;
            }
            let meets = index < value.nodes.len() && value.place(index) == Some(at);
            if clear <= at && meets && value.agrees(search, reading, index) {
                return Some((*reading, index, at));
            }
        }
        if search.is_spent() || !search.advance() {
            return None;
        }
    }
}

/// Returns the events of a reading, from its beginning.
fn path(search: &Search<'_>, reading: &Reading) -> Vec<Event> {
    let mut path = Vec::new();
    let mut at = reading.trail;
    while at != 0 {
        let step = search.trail[at as usize];
        path.push(step.event);
        at = step.before;
    }
    search.charge(path.len());
    path.reverse();
    with_lists(path)
}

/// Opens each list that was seen to be one behind its first item, before that item: that of `"p", "q"`.
fn with_lists(mut path: Vec<Event>) -> Vec<Event> {
    while let Some(list) = path.iter().position(|event| *event == Event::List) {
        let mut depth = 0;
        let first = path[..list].iter().rposition(|event| {
            match event {
                Event::Close(..) => depth += 1,
                Event::Object(_) | Event::Array(_) => depth -= 1,
                _ => {}
            }
            let value = matches!(event.value(), Some((0 | 1 | 4 | 6, ..)));
            depth == 0 && value
        });
        let mut first = first.unwrap_or(list);
        // `"p" + "q", "r"`: the value begins with its first piece.
        while path[..first]
            .iter()
            .rev()
            .take_while(|event| matches!(event, Event::Made(..)))
            .any(|event| matches!(event, Event::Made(Move::Join, ..)))
        {
            let before = path[..first].iter();
            first = before
                .clone()
                .rposition(|event| matches!(event, Event::Text(..)))
                .unwrap_or(0);
        }
        let at = path[first].place().unwrap_or(0);
        path[first..=list].rotate_right(1);
        path[first] = Event::Array(at);
    }
    path
}

//! From the strict loop to the search and back.
//!
//! The loop hands over at the first thing that leaves a choice. The search begins one member before it, since what
//! was read last may have ended too soon, and reads on until one reading is left that stands where a member or
//! item begins. What it did is written in place of the nodes behind its entry, and the loop goes on.

use alloc::vec::Vec;

use crate::base::repair::{Class, NoteKind, RepairKind};
use crate::parser::look::Look;
use crate::parser::search::beam::Search;
use crate::parser::search::build::Written;
use crate::parser::search::reading::{
    Event, Kind, Move, QUOTED_NAME, Reading, SearchContainer, UNRIVALLED, Want,
};
use crate::parser::search::text::Text;
use crate::parser::state::reader::Reader;
use crate::parser::state::step::{Container, ValueEnd};
use crate::scan::peek;
use crate::tape::{NONE, Node, Tag, flag};

/// A value that began so few bytes before is read from its beginning.
const FROM_START: usize = 1 << 7;

/// Members and items that are gone back for the entry, at most.
const BACK: usize = 32;

/// A part of the work that is left which no search may take.
const SHARE: usize = 4;

/// The place at which the loop goes on.
pub(crate) enum Handed {
    /// A member or item comes next.
    Child(Container, usize),
    End(ValueEnd),
}

/// The node with which the search begins, its place, and the containers around it that have been closed.
struct Entry {
    node: usize,
    at: usize,
}

impl Reader<'_> {
    /// Reads on by the search from about one member before `doubt`, the first place at which the text leaves a
    /// choice, within the innermost container `here`.
    #[cold]
    #[inline(never)]
    pub(crate) fn hand_over(&mut self, here: Container, doubt: usize) -> Handed {
        self.scratch.signatures.forget();
        let entry = self.entry(doubt);
        let here = self.go_back(here, &entry);
        self.search_from(here, entry.at, doubt)
    }

    /// Reads on by the search from `at` on, where a member or item of `here` begins, until `doubt` lies behind.
    pub(crate) fn search_from(&mut self, here: Container, at: usize, doubt: usize) -> Handed {
        let text = Text::new(self.look.text, self.look.names);
        let frames = self.frames(&text, here);
        let frame = frames.len() as u32 - 1;
        let want = frames[frame as usize].kind.member();
        let left = usize::try_from(self.look.work.get().left()).unwrap_or(usize::MAX);
        let mut search = Search::new(text, left - left / SHARE, frames);
        search.live.push(Reading {
            made: self.scratch.habits | if want == Want::Name { QUOTED_NAME } else { 0 },
            ..Reading::new(at, frame, want)
        });
        let found = run(&mut search, doubt);
        self.look.charge(search.spent());
        let Some(reading) = found else {
            return Handed::End(self.give_up(here, at));
        };
        self.scratch.habits = reading.made;
        let path = search.path(&reading);
        self.look.charge(path.len());
        let first = self.tape.repairs.len();
        let mut written = Written::new(here);
        self.play(&mut written, &path);
        self.judge(first, reading.margin);
        let end = reading.at as usize;
        if reading.want == Want::Done {
            let complete = !is_cut(&path);
            return Handed::End(ValueEnd { end, complete });
        }
        Handed::Child(written.here, end)
    }

    /// Lowers the class of repairs that were made where another reading was about as likely.
    fn judge(&mut self, first: usize, margin: u32) {
        for repair in &mut self.tape.repairs[first..] {
            if margin < 5 {
                repair.class = Class::Guess;
            } else if margin >= 12 && repair.class == Class::Guess {
                repair.class = Class::Likely;
            }
        }
    }

    /// Ends the value at `at` since the work that it may cost is used up.
    fn give_up(&mut self, here: Container, at: usize) -> ValueEnd {
        self.repair(RepairKind::WorkCapped, at, self.look.bytes.len());
        self.counters.capped = true;
        self.finish(here, at)
    }

    /// Finds the node with which the search begins: the root, if it is close, or one member before.
    fn entry(&self, doubt: usize) -> Entry {
        let (root, start) = (self.value_node, self.value_start);
        let whole = Entry {
            node: root,
            at: start,
        };
        if doubt.saturating_sub(start) <= FROM_START {
            return whole;
        }
        let mut found = None;
        let last = self.tape.nodes.len();
        for node in (root + 1..last).rev().take(BACK) {
            self.look.charge(1);
            if let Some(at) = self.begins(node) {
                let second = found.is_some();
                found = Some(Entry { node, at });
                if second {
                    break;
                }
            }
        }
        found.unwrap_or(whole)
    }

    /// Returns the offset at which a node begins with its name, if the search may begin with it: it and what stands
    /// before it are as JSON has them.
    fn begins(&self, index: usize) -> Option<usize> {
        let node = &self.tape.nodes[index];
        let bytes = self.look.bytes;
        let quoted = |start: usize| {
            let quote = start.checked_sub(1).map(|at| bytes[at]);
            start - usize::from(matches!(quote, Some(b'"' | b'\'')))
        };
        let start = node.start as usize;
        let at = if node.key_end != 0 {
            (!node.has(flag::KEY_SIDE)).then(|| quoted(node.key_start as usize))?
        } else if node.is_container() {
            matches!(bytes.get(start), Some(b'{' | b'[')).then_some(start)?
        } else if node.has(flag::SIDE) {
            return None;
        } else if node.tag == Tag::String {
            quoted(start)
        } else {
            start
        };
        let before = bytes[..at].trim_ascii_end().last();
        matches!(before, Some(b',' | b'{' | b'[')).then_some(at)
    }

    /// Takes back the nodes from the entry on, and opens the containers around it. Returns the innermost one.
    fn go_back(&mut self, here: Container, entry: &Entry) -> Container {
        let index = entry.node as u32;
        // The innermost open container before the entry.
        let mut open = here.current;
        while open != NONE && open >= index {
            open = self.tape.nodes[open as usize].next;
        }
        let mut around = Container::OUTSIDE;
        let mut inner = open;
        if open == NONE && entry.node > self.value_node {
            inner = self.value_node as u32;
            self.open_closed(inner, NONE, index);
        }
        while inner != NONE {
            let (mut child, mut count) = (inner + 1, 0);
            let mut next = NONE;
            while child < index {
                self.look.charge(1);
                count += 1;
                let after = self.tape.after(child);
                if after > index {
                    next = child;
                    break;
                }
                child = after;
            }
            around = Container {
                current: inner,
                object: self.is_object(inner),
                count,
            };
            self.tape.set_count(inner, count);
            if next != NONE {
                self.open_closed(next, inner, index);
            }
            inner = next;
        }
        self.tape.take_back(entry.node);
        let at = entry.at as u32;
        let first = self.first_repair.min(self.tape.repairs.len());
        let mut kept = first;
        for i in first..self.tape.repairs.len() {
            if self.tape.repairs[i].span.start < at {
                self.tape.repairs.swap(kept, i);
                kept += 1;
            }
        }
        self.tape.repairs.truncate(kept);
        self.tape.notes.retain(|note| note.span.start < at);
        self.counters.depth = 0;
        let mut open = around.current;
        while open != NONE {
            self.counters.depth += 1;
            open = self.tape.nodes[open as usize].next;
        }
        around
    }

    /// Opens a container again that was closed, for the children before `end`.
    fn open_closed(&mut self, container: u32, parent: u32, end: u32) {
        let node = &mut self.tape.nodes[container as usize];
        (node.next, node.end) = (parent, 0);
        if !node.has(flag::DUPLICATES) {
            node.flags &= !flag::TRUNCATED;
            return;
        }
        node.flags &= !(flag::TRUNCATED | flag::DUPLICATES);
        let mut names = Vec::new();
        let mut child = container + 1;
        while child < end {
            let node = &mut self.tape.nodes[child as usize];
            node.flags &= !(flag::SHADOWED | flag::REPLACED);
            names.push(node.key_start);
            child = self.tape.after(child);
        }
        self.tape.notes.retain(|note| {
            note.kind != NoteKind::DuplicateKey || names.binary_search(&note.span.start).is_err()
        });
    }

    /// Returns the open containers as the search has them, the outermost first.
    fn frames(&self, text: &Text<'_>, here: Container) -> Vec<SearchContainer> {
        let mut around = Vec::new();
        let mut at = here.current;
        while at != NONE {
            around.push(at);
            at = self.tape.nodes[at as usize].next;
        }
        self.look.charge(around.len());
        let mut frames = Vec::from([SearchContainer::ROOT]);
        for (&container, child) in around.iter().rev().zip(
            around
                .iter()
                .rev()
                .skip(1)
                .map(|&child| Some(child))
                .chain([None]),
        ) {
            let node = &self.tape.nodes[container as usize];
            let first = container + 1;
            let known = child.is_some() || here.count > 0;
            let column = (known && (first as usize) < self.tape.nodes.len())
                .then(|| self.place_of(first as usize))
                .flatten()
                .and_then(|place| text.first_on_line(place));
            let (kind, closer) = kind_of(node, peek(self.look.bytes, node.start as usize));
            frames.push(SearchContainer {
                parent: frames.len() as u32 - 1,
                kind,
                closer,
                open: node.start,
                column: column.unwrap_or(-1),
                indent: text.line_indent(node.start as usize),
            });
        }
        frames
    }

    /// Returns the offset at which a node begins, with its name.
    fn place_of(&self, index: usize) -> Option<usize> {
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

/// Returns what a container is to the search, by its tag and the byte that opens it: other brackets close with
/// their own kind.
fn kind_of(node: &Node, byte: u8) -> (Kind, u8) {
    let object = node.tag == Tag::Object;
    let bracketed = if object { Kind::Object } else { Kind::Array };
    match byte {
        b'{' => (bracketed, b'}'),
        b'[' => (bracketed, b']'),
        b'(' => (bracketed, b')'),
        _ if object => (Kind::Implicit, b'}'),
        _ => (Kind::Loose, b']'),
    }
}

/// Runs the search until one reading is left that stands behind `doubt` where a member or item begins, in
/// containers that the loop knows, or until the value has ended. `None` if that costs more than is allowed.
fn run(search: &mut Search<'_>, doubt: usize) -> Option<Reading> {
    loop {
        if let [reading] = search.live[..]
            && search.ended.iter().all(|ended| ended.cost > reading.cost)
            && reading.open.is_none()
            && reading.at as usize > doubt
            && reading.want == search.frame(&reading).kind.member()
            && search.may_leave(&reading)
        {
            return Some(reading);
        }
        if search.is_spent() {
            return None;
        }
        if !search.advance() {
            return search.best_with_margin();
        }
    }
}

/// Returns `true` if the text ends inside of what was read.
fn is_cut(path: &[Event]) -> bool {
    let cut = |event: &Event| {
        matches!(
            event,
            Event::DropName | Event::Close(_, true) | Event::Bare(_, _, true)
        )
    };
    path.iter().any(cut)
}

impl Search<'_> {
    /// Returns `true` if all that is open is written in the tape, with brackets of its own.
    fn may_leave(&self, reading: &Reading) -> bool {
        let mut frame = self.frame(reading);
        while frame.kind != Kind::Root {
            self.charge(1);
            if !matches!(frame.kind, Kind::Object | Kind::Array) {
                return false;
            }
            frame = self.frames[frame.parent as usize];
        }
        // Containers that were implied lie within others; the usual ones are told by their brackets.
        reading.frame != 0
    }

    /// Returns what a reading read and did, in order.
    fn path(&self, reading: &Reading) -> Vec<Event> {
        let mut path = Vec::new();
        let mut at = reading.trail;
        while at != 0 {
            let step = self.trail[at as usize];
            path.push(step.event);
            at = step.before;
        }
        path.reverse();
        with_lists(path)
    }

    /// Returns the cheapest of the readings that ended, with its lead over those of another value.
    fn best_with_margin(&self) -> Option<Reading> {
        let mut best = self.best()?;
        for other in &self.ended {
            if other.value != best.value {
                best.margin = best.margin.min(other.cost - best.cost);
            }
        }
        Some(best)
    }
}

impl Look<'_> {
    /// Returns `true` if what stands behind a value that has ended goes on with it: behind the first brace of
    /// `{"a": 1}, "b": 2}`.
    ///
    /// Asked of the first value of a reply alone: behind each of a row of values stands the next one.
    pub(crate) fn goes_on_behind(&self, end: usize, first: bool) -> bool {
        let (byte, at) = self.skip_space(end);
        // The next of several values stands right behind this one or on another line.
        let space = &self.bytes[end..at];
        let apart = !space.is_empty() && memchr::memchr(b'\n', space).is_none();
        let next = matches!(byte, b'{' | b'[') && !apart || at >= self.bytes.len();
        if !first || next || self.work_is_used_up() {
            return false;
        }
        let text = Text::new(self.text, self.names);
        let search = Search::new(text, 0, Vec::new());
        let goes_on = search.rest_goes_on(end);
        self.charge(search.spent());
        goes_on
    }
}

impl Reading {
    /// Creates a reading that begins at `at`, within the container `frame`.
    pub(crate) fn new(at: usize, frame: u32, want: Want) -> Self {
        Self {
            at: at as u32,
            cost: 0,
            frame,
            trail: 0,
            want,
            ragged: 0,
            made: 0,
            open: None,
            value: 0,
            margin: UNRIVALLED,
        }
    }
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

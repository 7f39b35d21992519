//! The transition from the strict loop to the search and back.
//!
//! The loop hands over at the first ambiguity. The search begins one member earlier, since the last
//! token may have ended too soon, and continues until a single hypothesis is left at the beginning
//! of a member or item. Its result replaces the nodes after the entry, and the loop continues.

use alloc::vec::Vec;

use crate::base::expected_names::ExpectedValue;
use crate::base::repair::{NoteKind, Repair, RepairKind};
use crate::parser::search::beam::Search;
use crate::parser::search::build::Written;
use crate::parser::search::entry::{BACK, Entry};
use crate::parser::search::reading::{
    Event, Kind, Move, QUOTED_NAME, Reading, SearchContainer, Want,
};
use crate::parser::search::run::{is_cut, run, unquoted};
use crate::parser::search::text::Text;
use crate::parser::state::pause::{Await, MARGIN, TOLD};
use crate::parser::state::reader::Reader;
use crate::parser::state::step::{Container, ValueEnd};
use crate::scan::peek;
use crate::tape::{NONE, Node, Tag, flag};

/// Number of records of one member that may be out of the text's order.
const UNORDERED: usize = 32;

/// Minimum distance in bytes between places before which columns are compared.
const SCANS: usize = 32;

/// The fraction of the remaining work that no search may use.
const SHARE: usize = 4;

/// The place at which the loop continues.
pub(crate) enum Handed {
    /// A member or item comes next.
    Child(Container, usize),
    /// A comma or a closer comes next.
    After(Container, usize),
    End(ValueEnd),
}

/// The outcome of a search.
struct Found {
    reading: Reading,
    path: Vec<Event>,
    /// `true` if it was stopped because its work budget was used up.
    capped: bool,
}

impl Reader<'_> {
    /// Continues by search from about one member before `doubt`, the first ambiguous place, within
    /// the innermost container `here`.
    #[cold]
    #[inline(never)]
    pub(crate) fn hand_over(&mut self, here: Container, doubt: usize) -> Handed {
        self.scratch.signatures.forget();
        let scanned = self.scratch.scanned + SCANS;
        let misplaced = (doubt >= scanned)
            .then(|| {
                let misplaced = self.misplaced(here, doubt);
                misplaced.or_else(|| self.unclosed_row(doubt))
            })
            .flatten();
        if doubt >= scanned {
            self.scratch.scanned = doubt;
        }
        let (entry, doubt) = match misplaced {
            Some(((node, at), place)) => {
                self.scratch.columns = place;
                (self.entry_at(here, node, at), place)
            }
            None => (self.entry(here, doubt), doubt),
        };
        let found = self.search_from(&entry, doubt, usize::MAX);
        let here = self.go_back(&entry);
        match found {
            Some(found) => self.write(here, &found).0,
            None => Handed::End(self.give_up(here, entry.at)),
        }
    }

    /// Hands over to the search while more text may arrive. Returns `None`, so that reading pauses,
    /// if that text may change the meaning or contradict parts of the value already shown.
    #[cold]
    #[inline(never)]
    pub(crate) fn hand_over_growing(&mut self, here: Container, doubt: usize) -> Option<Handed> {
        let length = self.look.bytes.len();
        if doubt + MARGIN > length || self.look.work_is_used_up() {
            // A string in other quotes, an unquoted key or a comment may be recognized earlier.
            let told = match peek(self.look.bytes, doubt) {
                b'\'' | b'/' | b'#' | b'a'..=b'z' | b'A'..=b'Z' => TOLD,
                _ => MARGIN,
            };
            self.scratch.pause.wait = Await::Length((doubt + told).max(length + 1));
            return None;
        }
        let entry = self.entry(here, doubt);
        let found = self.search_from(&entry, doubt, length - MARGIN);
        let found = found.filter(|found| found.reading.want != Want::Done);
        let Some(found) = found else {
            self.scratch.pause.until_more(entry.at, length);
            return None;
        };
        if !self.keeps_shown(&entry, &found.path) {
            self.scratch.pause.wait = Await::Never;
            return None;
        }
        self.scratch.signatures.forget();
        let here = self.go_back(&entry);
        let (handed, last) = self.write(here, &found);
        (self.scratch.pause.last, self.scratch.pause.odd) = (last, true);
        self.scratch.pause.doubtful = None;
        Some(handed)
    }

    /// Reads the members of the open, empty object without braces, from `at` on.
    pub(crate) fn read_implied(&mut self, here: Container, at: usize) -> Handed {
        let entry = Entry {
            node: self.tape.nodes.len(),
            at,
            around: Vec::from([(here.current, 0)]),
        };
        match self.search_from(&entry, at, usize::MAX) {
            Some(found) => self.write(here, &found).0,
            None => Handed::End(self.give_up(here, at)),
        }
    }

    /// Searches from the entry until `doubt` is passed. Returns `None` if that costs too much, or
    /// needs the text after `known`.
    fn search_from(&mut self, entry: &Entry, doubt: usize, known: usize) -> Option<Found> {
        self.count_rows();
        let mut text = Text::new(self.look.text, self.look.names);
        text.habits = self.scratch.habits;
        if known != usize::MAX {
            text.grows();
        }
        let frames = self.frames(&text, entry);
        let frame = frames.len() as u32 - 1;
        let want = frames[frame as usize].kind.member();
        let work = self.look.work.get();
        let left = usize::try_from(work.left()).unwrap_or(usize::MAX);
        let mut search = Search::new(text, left - left / SHARE, frames);
        search.stop = work.stop();
        search.live.push(Reading {
            made: self.scratch.habits.moves | self.habit_of_names(entry, want),
            ..Reading::new(entry.at, frame, want)
        });
        let mut found = run(&mut search, doubt, known);
        let capped = found.is_none() && known == usize::MAX;
        if capped {
            found = search.cut_short();
        }
        let path = found.map(|reading| search.path(&reading));
        self.look.charge(search.spent());
        let (reading, path) = found.zip(path)?;
        self.look.charge(path.len());
        Some(Found {
            reading,
            path,
            capped,
        })
    }

    /// Returns the spelling of the keys before the entry: quoted, unless the last one was not.
    fn habit_of_names(&self, entry: &Entry, want: Want) -> u64 {
        let names = self.tape.nodes[self.value_node..]
            .iter()
            .take(entry.node - self.value_node)
            .rev();
        let last = names.take(BACK).find(|node| node.key_end != 0);
        let quoted = last.is_none_or(|node| {
            let before = (node.key_start as usize).checked_sub(1);
            before.is_some_and(|at| matches!(peek(self.look.bytes, at), b'"' | b'\''))
        });
        match quoted {
            true if want == Want::Name || last.is_some() => QUOTED_NAME,
            true => 0,
            false => 1 << Move::UnquotedKey as u64,
        }
    }

    /// Writes the result of the search. Returns the place at which the loop continues, and the last
    /// child of the innermost container.
    fn write(&mut self, here: Container, found: &Found) -> (Handed, u32) {
        let Found {
            reading,
            path,
            capped,
        } = found;
        self.scratch.habits.moves = reading.made;
        self.scratch.unquoted = unquoted(path).unwrap_or(self.scratch.unquoted);
        let first = self.tape.repairs.len();
        let mut written = Written::new(here);
        self.play(&mut written, path);
        self.judge(first, reading.margin);
        self.learn(first);
        let end = (reading.at as usize).max(self.value_start + 1);
        if *capped {
            self.repair(RepairKind::WorkCapped, end, self.look.bytes.len());
        }
        if reading.want == Want::Done {
            let complete = !is_cut(path);
            return (Handed::End(ValueEnd { end, complete }), NONE);
        }
        self.scratch.left = (self.tape.nodes.len(), end);
        (Handed::Child(written.here, end), written.last)
    }

    /// Ends the value at `at` because its work budget is used up.
    fn give_up(&mut self, here: Container, at: usize) -> ValueEnd {
        self.repair(RepairKind::WorkCapped, at, self.look.bytes.len());
        self.finish(here, at)
    }

    /// Removes the nodes from the entry on, and reopens the containers around it. Returns the
    /// innermost one.
    fn go_back(&mut self, entry: &Entry) -> Container {
        let index = entry.node as u32;
        let mut here = Container::OUTSIDE;
        for &(container, count) in &entry.around {
            let node = &self.tape.nodes[container as usize];
            let closed = node.next > container && node.next != NONE;
            if closed {
                self.open_closed(container, here.current, index);
            }
            self.tape.set_count(container, count);
            here = Container {
                current: container,
                object: self.is_object(container),
                count,
            };
        }
        self.counters.depth = entry.around.len() as u32;
        let forgotten = self.tape.forget_replaced(|first| first >= index);
        let pause = &mut self.scratch.pause;
        pause.replaced = pause.replaced.min(self.tape.replaced.len());
        self.scratch.forgotten.extend(forgotten);
        self.tape.take_back(entry.node);
        let at = entry.at as u32;
        let first = self.first_repair.min(self.tape.repairs.len());
        // A token missing directly before the entry belongs to the node before it.
        let lacks = |one: &Repair| {
            matches!(
                one.kind,
                RepairKind::MissingComma | RepairKind::MissingCloser
            ) && (one.span.start, one.span.end) == (at, at)
        };
        let before = |one: &Repair| one.span.start < at || lacks(one);
        let from = self.recorded_before(&self.tape.repairs[first..], before);
        let recent = self.tape.repairs.split_off(first + from);
        self.tape.repairs.extend(recent.into_iter().filter(before));
        let from = self.recorded_before(&self.tape.notes, |one| one.span.start < at);
        let recent = self.tape.notes.split_off(from);
        let kept = recent.into_iter().filter(|one| one.span.start < at);
        self.tape.notes.extend(kept);
        let pause = &mut self.scratch.pause;
        pause.notes = pause.notes.min(self.tape.notes.len());
        here
    }

    /// Returns the number of records that certainly lie before a place: records are in the order of
    /// the members, and nearly so within a member.
    fn recorded_before<T>(&self, records: &[T], before: impl Fn(&T) -> bool) -> usize {
        let (mut from, mut older) = (records.len(), 0);
        while from > 0 && older < UNORDERED {
            from -= 1;
            older = if before(&records[from]) { older + 1 } else { 0 };
        }
        self.look.charge((records.len() - from) / 4);
        from
    }

    /// Reopens a closed container for the children before `end`.
    fn open_closed(&mut self, container: u32, parent: u32, end: u32) {
        let node = &mut self.tape.nodes[container as usize];
        (node.next, node.end) = (parent, 0);
        let repeats = node.has(flag::DUPLICATES);
        node.flags &= !(flag::TRUNCATED | flag::DUPLICATES);
        if !repeats {
            return;
        }
        let (mut names, mut firsts) = (Vec::new(), Vec::new());
        let mut child = container + 1;
        while child < end {
            let node = &mut self.tape.nodes[child as usize];
            if node.has(flag::REPLACED) {
                firsts.push(child);
            }
            node.flags &= !(flag::SHADOWED | flag::REPLACED);
            names.push(node.key_start);
            child = self.tape.after(child);
        }
        self.look.charge(names.len() + self.tape.notes.len());
        let gone = |first: u32| firsts.binary_search(&first).is_ok();
        let forgotten = self.tape.forget_replaced(gone);
        self.scratch.forgotten.extend(forgotten);
        self.tape.notes.retain(|note| {
            note.kind != NoteKind::DuplicateKey || names.binary_search(&note.span.start).is_err()
        });
    }

    /// Returns the containers around the entry as used by the search, the outermost first.
    fn frames(&self, text: &Text<'_>, entry: &Entry) -> Vec<SearchContainer> {
        self.look.charge(entry.around.len());
        let mut frames = Vec::from([SearchContainer {
            expected: self.expected_root(),
            ..SearchContainer::ROOT
        }]);
        for &(container, count) in &entry.around {
            let node = &self.tape.nodes[container as usize];
            let first = (count > 0).then(|| self.place_of(container as usize + 1));
            let column = first.flatten().and_then(|place| text.first_on_line(place));
            let (kind, mut closer) = kind_of(node, peek(self.look.bytes, node.start as usize));
            // `f("a": 1)`
            let call = || self.look.text_before(node.start as usize).ends_with('(');
            if kind == Kind::Implicit && container as usize == self.value_node && call() {
                closer = b')';
            }
            let around = frames
                .last()
                .map_or(ExpectedValue::ANY, |frame| frame.expected);
            let expected = self.expected_inside(around, node);
            frames.push(SearchContainer {
                parent: frames.len() as u32 - 1,
                kind,
                closer,
                open: node.start,
                column: column.unwrap_or(-1),
                indent: text.line_indent(node.start as usize),
                before: count,
                expected: self.narrowed(expected, container as usize + 1..entry.node),
            });
        }
        frames
    }

    /// Returns `true` if the value that a stream has shown after the entry is a beginning of the
    /// search's result.
    fn keeps_shown(&self, entry: &Entry, path: &[Event]) -> bool {
        let pause = &self.scratch.pause;
        let mut found = path.iter().filter_map(Event::value);
        let mut open: Vec<u32> = entry.around.iter().map(|one| one.0).collect();
        let nodes = &self.tape.nodes;
        let growing = pause.resumed.map(|node| (pause.shown, node));
        let shown = (entry.node..pause.shown.min(nodes.len())).map(|i| (i, nodes[i]));
        for (i, node) in shown.chain(growing) {
            while let Some(&inner) = open.last()
                && self.tape.after(inner) as usize <= i
                && (inner as usize) >= entry.node
            {
                open.pop();
                if found.next() != Some((2, 0, 0)) {
                    return false;
                }
            }
            if node.key_end != 0 {
                let name = found.next();
                let same = name == Some((3, node.key_start, node.key_end));
                let aside = node.has(flag::KEY_SIDE) && matches!(name, Some((3, ..)));
                if !(same || aside) {
                    return false;
                }
            }
            let same = match (node.tag, found.next()) {
                (Tag::Object, Some((0, ..))) | (Tag::Array, Some((1, ..))) => true,
                (Tag::Object | Tag::Array, _) => false,
                (_, Some((4, ..))) if node.has(flag::SIDE) => true,
                (Tag::String, Some((4, start, end))) if i == pause.shown => {
                    start == node.start && end >= node.end
                }
                (_, Some((4, start, end))) => (start, end) == (node.start, node.end),
                (Tag::Null, Some((6, ..))) => node.start == node.end,
                _ => false,
            };
            if !same {
                return false;
            }
            if node.is_container() {
                open.push(i as u32);
            }
        }
        // Containers shown as closed stay closed, except the root.
        while let Some(inner) = open.pop()
            && inner != pause.here.current
            && inner as usize != self.value_node
        {
            if found.next() != Some((2, 0, 0)) {
                return false;
            }
        }
        true
    }
}

/// Returns the search's kind of a container, from its tag and opening byte: other brackets close
/// with their own kind.
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

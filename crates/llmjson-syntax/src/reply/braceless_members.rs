//! Members without braces around them.

use crate::base::repair::RepairKind;
use crate::base::repair_set::{RepairSet, has_guess};
use crate::parser::search::hand_over::Handed;
use crate::parser::state::reader::Reader;
use crate::parser::state::step::{Container, KeySpan, ValueEnd, scalar};
use crate::reply::found::ReplySearch;
use crate::tape::{NONE, Tag, flag};

/// Maximum number of places of a reply that are tried as the beginning of members without braces.
const TRIES_MAX: u32 = 8;

impl Reader<'_> {
    /// Reads members without braces at the quote at `at`, if they begin there: on a separate line
    /// or after a tag. A single one does not count in prose. Returns the offset at which the search
    /// continues.
    pub(crate) fn bare_members(&mut self, found: &mut ReplySearch, at: usize) -> Option<usize> {
        let before = self.look.text[..at].trim_end_matches([' ', '\t', '\u{feff}']);
        let alone = before.is_empty() || before.ends_with(['\n', '(']);
        let tried = found.tried_members >= TRIES_MAX || self.look.work_is_used_up();
        if !alone && !before.ends_with('>') || tried {
            return None;
        }
        let text = before.trim_end();
        let fenced = self.look.fence_before(&found.zones.marks, at).is_some();
        let deliberate = text.is_empty() || text.ends_with('>') || fenced;
        let value = self.look.key_end(at)?;
        let plain = self.look.begins_value(value);
        if !deliberate && !plain {
            return None;
        }
        if self.look.skip_space(value).1 >= self.look.bytes.len() {
            return None;
        }
        found.tried_members += 1;
        let root = self.tape.nodes.len();
        let (repairs, notes) = (self.tape.repairs.len(), self.tape.notes.len());
        let read = self.read_unbracketed(Tag::Object, at);
        let guessed = has_guess(&self.tape.repairs[repairs..]);
        let node = self.tape.nodes[root];
        let enough = match node.count {
            0 | 1 => deliberate && plain,
            2 => deliberate || !guessed,
            _ => true,
        };
        if !enough {
            self.look.charge(read.end - at);
            self.take_value_back(root, repairs, notes);
            return None;
        }
        self.begin_place(found, at);
        let candidate = self.candidate(at, read, root, repairs, notes);
        found.add(self.look, candidate);
        Some(read.end.max(at + 1))
    }

    /// Reads the members or items that begin at `start` like those of a container:
    /// `"a": 1, "b": 2`. The end of the text may replace the missing bracket.
    pub(crate) fn read_unbracketed(&mut self, tag: Tag, start: usize) -> ValueEnd {
        self.begin(start);
        let (root, repairs) = (self.tape.nodes.len(), self.tape.repairs.len());
        self.first_repair = repairs;
        let mut node = scalar(KeySpan::NONE, tag, start, start);
        node.next = NONE;
        self.tape.nodes.push(node);
        self.counters.depth += 1;
        let object = tag == Tag::Object;
        if object {
            self.repair(RepairKind::MissingBraces, start, start);
        }
        let here = Container {
            current: root as u32,
            object,
            count: 0,
        };
        let mut read = match self.read_implied(here, start) {
            Handed::Child(here, at) | Handed::After(here, at) => self.finish(here, at),
            Handed::End(read) => read,
        };
        // The end of the text replaces the bracket that is missing there too, unless the text ended
        // inside a member.
        let ends = self.tape.repairs[repairs..].iter();
        let unclosed = ends
            .filter(|one| RepairSet::UNFINISHED.has(one.kind))
            .count();
        // `f("a": 1)`: the parenthesis belongs to the call.
        let call = self.look.text_before(start).ends_with('(');
        if call && unclosed == 0 && self.look.bytes[..read.end].ends_with(b")") {
            read.end -= 1;
            self.tape.nodes[root].end -= 1;
        }
        let own = match object {
            true => RepairKind::UnclosedObject,
            false => RepairKind::UnclosedArray,
        };
        let bracket = self.tape.repairs.iter().rposition(|one| one.kind == own);
        if let Some(bracket) = bracket.filter(|&at| at >= repairs)
            && !read.complete
            && (unclosed == 1 || !object)
        {
            self.tape.repairs.remove(bracket);
            self.tape.nodes[root].flags &= !flag::TRUNCATED;
            read.complete = unclosed == 1;
        }
        read
    }
}

//! The search for the values of a reply.

use alloc::vec::Vec;
use core::ops::Range;

use crate::base::repair::{Repair, RepairKind};
use crate::base::repair_set::{RepairSet, has_guess};
use crate::base::span::Span;
use crate::parser::look::Look;
use crate::parser::search::text::Text;
use crate::parser::state::reader::Reader;
use crate::parser::state::step::ValueEnd;
use crate::reply::found::ReplySearch;
use crate::scan::skip_space;
use crate::tape::readings::{Reading, Readings};
use crate::tape::{NONE, Tag};
use crate::zones::zone::Zones;

/// The opening brackets that may begin a value.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Opener {
    /// Brackets that the content of a value follows.
    Plausible,
    /// The other brackets too, if they are separate from prose.
    Apart,
}

impl Reader<'_> {
    /// Reads a part of the reply, which begins with a value or with the reply. The text before it is
    /// only context, and the text after it says nothing about the value. Returns `true` if the text of the value is complete.
    pub(crate) fn reply_in(&mut self, part: Range<usize>) -> bool {
        let whole = self.look;
        self.look.text = &whole.text[..part.end];
        self.look.bytes = &whole.bytes[..part.end];
        let complete = match part.start {
            0 => self.reply(),
            start => {
                let complete = self.search(None, start);
                self.finish_reply();
                complete
            }
        };
        self.look = whole;
        if part.start > 0 && self.tape.root != NONE {
            // The abandoned value before it is not a part of this one.
            let is_before = |one: &&mut Repair| one.span.end as usize <= part.start;
            for one in self.tape.repairs.iter_mut().filter(is_before) {
                *one = Repair::new(RepairKind::SurroundingText, one.span);
            }
            let end = self.look.text[..part.start].trim_end().len();
            let start = self.look.skip_space(0).1;
            self.repair(RepairKind::ChosenValue, start, end);
            self.sort_repairs();
        }
        let (_, rest) = self.look.skip_space(part.end);
        let end = self.look.text.trim_ascii_end().len();
        if rest < end && self.tape.root != NONE {
            self.repair(RepairKind::SurroundingText, rest, end);
        }
        complete
    }

    /// Reads the whole reply. Returns `true` if the text of the value is complete.
    pub(crate) fn reply(&mut self) -> bool {
        let (byte, k) = skip_space(self.look.bytes, 0);
        if k >= self.look.bytes.len() {
            return true;
        }
        let complete = match byte {
            b'{' | b'[' => {
                self.first_repair = 0;
                let read = self.value(k);
                if self.limit.is_none()
                    && read.complete
                    && self.tape.repairs.is_empty()
                    && skip_space(self.look.bytes, read.end).1 >= self.look.bytes.len()
                {
                    self.tape.root = 0;
                    true
                } else {
                    self.read_again(k, read)
                }
            }
            // `42`, `"x"`, `true`
            _ if self.strict_scalar(k) => true,
            _ => self.search(None, 0),
        };
        self.finish_reply();
        complete
    }

    fn finish_reply(&mut self) {
        if self.limit.is_some() {
            self.tape.root = NONE;
        }
        self.tape.replaced.sort_unstable();
        if self.counters.unrecorded && self.tape.root != NONE {
            let kind = RepairKind::RecordsCapped;
            let span = Span::of(0, self.look.bytes.len());
            self.tape.repairs.push(Repair::new(kind, span));
        }
    }

    /// The value at the beginning is not the whole text, or is damaged.
    #[cold]
    #[inline(never)]
    fn read_again(&mut self, k: usize, read: ValueEnd) -> bool {
        // Words in brackets are read as an array, in braces as an empty object.
        let listed = self.tape.nodes.first().is_some_and(|root| {
            let closed = || self.look.bytes[..read.end].ends_with(b"}");
            root.tag == Tag::Array || root.count == 0 && closed()
        });
        // `[Note] Here is: {"a": 1}`: words in brackets before prose are a label.
        let label = || self.look.word_in_brackets(k) && !self.look.words_are_value(k, read.end);
        let field = || self.look.field_mark_at(k).is_some();
        let ended = || {
            let left = self.left_behind(&mut ReplySearch::default(), k, read, 0);
            left.is_some()
        };
        if self.limit.is_none() && (listed && (label() || field()) || ended()) {
            self.look.charge(read.end - k);
            self.tape.clear();
            return self.search(None, 0);
        }
        if self.settled(read) {
            self.tape.root = 0;
            self.sort_repairs();
            return true;
        }
        if self.tape.nodes.is_empty() {
            return self.search(None, 0);
        }
        let first = self.candidate(k, read, 0, 0, 0);
        self.search(Some(first), 0)
    }

    /// Returns `true` if the value at the beginning is the whole text and none of its records
    /// suggests another reading: no guess, no mismatched closer.
    fn settled(&self, read: ValueEnd) -> bool {
        self.limit.is_none()
            && read.complete
            && !self.counters.cut
            && !RepairSet::MISFITS.among(&self.tape.repairs)
            && !has_guess(&self.tape.repairs)
            && skip_space(self.look.bytes, read.end).1 >= self.look.bytes.len()
    }

    /// Looks for values in a reply that is not JSON as a whole, from a value at `start` on if that is
    /// not 0. `first` has already been read.
    #[cold]
    #[inline(never)]
    fn search(&mut self, first: Option<Reading>, start: usize) -> bool {
        let mut found = ReplySearch::default();
        let mut at = start;
        if let Some(first) = first {
            at = first.span.end as usize;
            found.add(self.look, first);
        } else if start > 0 {
            found.ask(self.look, |zones| zones.begin());
            found.pass_marks(self.look, 0, start);
            at = self.value_here(&mut found, start);
        // `"He said "no""`: a whole string with inner damage. Brackets in it open no values.
        } else if self.string_alone(&mut found)
            && let Some(complete) = self.scalar_reply(&mut found)
        {
            return complete;
        // `Point(x=1)` without other text.
        } else if let Some(call) = self.look.call_alone() {
            at = self.value_here(&mut found, call);
        } else {
            found.zones = Zones::default();
            found.ask(self.look, |zones| zones.begin());
        }
        self.find_values(&mut found, at, Opener::Plausible);
        // `Oslo is the capital [1].`: a citation number.
        if self.look.only_citations(&found.candidates) {
            found.candidates.clear();
            found.doubtful = false;
        }
        let mut thoughts = self.take_thoughts(&mut found);
        if found.candidates.is_empty() && self.limit.is_none() {
            if let Some(complete) = self.scalar_reply(&mut found) {
                return complete;
            }
            if found.doubtful {
                found.zones = Zones::default();
                self.find_values(&mut found, start, Opener::Apart);
                thoughts = self.take_thoughts(&mut found);
            }
        }
        if self.limit.is_some() || found.candidates.is_empty() || self.look.is_stopped() {
            self.readings = Readings {
                all: thoughts,
                chosen: NONE,
                repairs: core::mem::take(&mut self.tape.repairs),
                notes: core::mem::take(&mut self.tape.notes),
                capped: found.capped,
                ..Readings::default()
            };
            return true;
        }
        self.choose(found)
    }

    /// Removes the values found if all of them are in reasoning and the answer is in words.
    fn take_thoughts(&self, found: &mut ReplySearch) -> Vec<Reading> {
        if self.only_thoughts(found) {
            core::mem::take(&mut found.candidates)
        } else {
            Vec::new()
        }
    }

    /// Reads a value at each place from `at` on where one may begin.
    fn find_values(&mut self, found: &mut ReplySearch, mut at: usize, opener: Opener) {
        let most = self.limits.candidates as usize;
        // Beyond the limit places are dropped: they are only examined while enough work is left for
        // the text after them.
        let goes_on = |found: &ReplySearch, look: Look<'_>| {
            let has_room = found.places.len() < most || look.has_half_its_work();
            has_room && !look.is_stopped()
        };
        while at < self.look.bytes.len() && most > 0 && goes_on(found, self.look) {
            let byte = self.look.bytes[at];
            match byte {
                b'`' | b'~' | b'/' | b'<' | b'['
                    if let Some(mark) = found.pass_mark(self.look, at) =>
                {
                    at = mark.end;
                }
                // `(1, 2)`: a Python tuple. Within a line it is a remark in prose.
                b'(' if self.look.line_begins(at) && self.look.tuple_ahead(at) => {
                    at = self.value_here(found, at);
                }
                // `"a": 1, "b": 2`: members without braces.
                b'"' => at = self.bare_members(found, at).unwrap_or(at + 1),
                b'{' | b'[' if self.look.work_is_used_up() => {
                    found.capped = found.capped.or(Some((RepairKind::WorkCapped, at as u32)));
                    at = if self.look.plausible_without_looking(at) {
                        self.value_here(found, at)
                    } else {
                        at + 1
                    };
                }
                // `[[ ## answer ## ]]`: a field mark, the format of DSPy.
                b'[' if let Some(end) = self.look.field_mark_at(at) => at = end,
                b'{' | b'[' => {
                    if self.look.plausible(at) {
                        at = self.value_here(found, at);
                        continue;
                    }
                    found.doubtful = true;
                    at = match opener {
                        Opener::Apart if self.look.stands_apart(at) => self.words_here(found, at),
                        _ => at + 1,
                    };
                }
                _ => at = self.look.next_mark(at + 1),
            }
            if self.limit.is_some() {
                return;
            }
        }
        if most > 0 && at < self.look.bytes.len() {
            found.capped = found
                .capped
                .or(Some((RepairKind::CandidatesCapped, at as u32)));
        }
        found.pass_marks(self.look, at, self.look.bytes.len());
        // Reasoning may be the only content of a reply apart from a number or a word.
        if found.candidates.is_empty() {
            found.ask(self.look, |zones| zones.go_to(at));
        }
    }

    /// Reads words in brackets, which are a value only at the end of their line.
    fn words_here(&mut self, found: &mut ReplySearch, start: usize) -> usize {
        let (before, place) = (found.candidates.len(), found.zones.place);
        let end = self.value_here(found, start);
        if !self.look.words_are_value(start, end) {
            found.candidates.truncate(before);
            // `[thinking]` may begin a zone.
            found.zones.place = place;
        }
        end
    }

    fn value_here(&mut self, found: &mut ReplySearch, start: usize) -> usize {
        let root = self.tape.nodes.len();
        let (repairs, notes) = (self.tape.repairs.len(), self.tape.notes.len());
        self.begin_place(found, start);
        // A draft in a reasoning block ends with the block, whatever it leaves open.
        let thought = found.ask(self.look, |zones| zones.end_of_thought(start));
        let bound = self.look.bound_before_whole(found, start);
        let end = thought.into_iter().chain(bound).min();
        let end = end.unwrap_or(self.look.bytes.len());
        self.first_repair = repairs;
        let mut read = self.read_until(end, |reader| reader.value(start));
        let left = self.left_behind(found, start, read, root);
        if let Some(end) = left {
            self.take_value_back(root, repairs, notes);
            read = self.read_until(end, |reader| reader.value(start));
        }
        // `{{city name}}`: the content of the brackets is not a value.
        let passed_over = |repair: &Repair| repair.kind == RepairKind::StrayText;
        let hollow = self.tape.nodes.len() == root + 1
            && self.tape.nodes[root].is_container()
            && self.tape.repairs[repairs..].iter().any(passed_over);
        if hollow {
            self.take_value_back(root, repairs, notes);
        }
        if self.tape.nodes.len() > root {
            let mut candidate = self.candidate(start, read, root, repairs, notes);
            candidate.swallows = left.is_some() || bound.is_some() && self.is_damaged();
            found.add(self.look, candidate);
        }
        read.end.max(start + 1)
    }

    /// Returns `true` if all values found are in reasoning blocks and an answer in words follows:
    /// in `<think>{"a": 1}</think> No.` none of them is the answer. In `{"a": 1}</think> Done.` a
    /// stray tag follows the value.
    fn only_thoughts(&self, found: &ReplySearch) -> bool {
        let all = &found.candidates;
        !found.is_unopened
            && all.iter().all(|one| one.thought)
            && !all.is_empty()
            && !found.ends_in_reasoning(self.look)
    }
}

impl Look<'_> {
    /// Returns the offset of a call with members that is the whole reply: `Point(x=1)`.
    pub(crate) fn call_alone(&self) -> Option<usize> {
        let (_, k) = self.skip_space(0);
        let whole = self.bytes.trim_ascii_end();
        let whole = whole.strip_suffix(b";").unwrap_or(whole);
        if !whole.trim_ascii_end().ends_with(b")") {
            return None;
        }
        let text = Text::new(self.text, self.names);
        let bracket = text.head(k).filter(|&at| text.at(at) == b'(')?;
        let end = self.end_of_brackets(bracket)?;
        let rest = self.bytes[end..].trim_ascii_start();
        let rest = rest.strip_prefix(b";").unwrap_or(rest);
        // `f("a": 1)` only lacks braces.
        let name = text.trivia(bracket + 1).0;
        let colon = |(_, end): (_, usize)| text.at(text.space(end).0) == b':';
        let quoted = text.at(name) == b'"' && text.name_at(name).is_some_and(colon);
        let named = text.name_ahead(name) && !quoted;
        (named && rest.trim_ascii_start().is_empty()).then_some(k)
    }
}

//! The search for the values of a reply.

use alloc::vec::Vec;

use crate::base::repair::{Class, Note, Repair, RepairKind};
use crate::base::repair_set::{RepairSet, has_guess};
use crate::base::span::Span;
use crate::parser::look::Look;
use crate::parser::search::text::Text;
use crate::parser::state::reader::Reader;
use crate::parser::state::step::ValueEnd;
use crate::parser::words::encoding::Encoding;
use crate::reply::found::ReplySearch;
use crate::scan::{mark_from, peek, skip_space};
use crate::tape::readings::{Reading, Readings, Records};
use crate::tape::{NONE, Tag, flag};

/// The opening brackets that are taken to begin a value.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Opener {
    /// Brackets behind which the inside of a value follows.
    Plausible,
    /// The others too, if they stand apart from prose.
    Apart,
}

impl Reader<'_> {
    /// Reads the whole reply. Returns whether the text of the value ended as it should.
    pub(crate) fn reply(&mut self) -> bool {
        let (byte, k) = skip_space(self.look.bytes, 0);
        if k >= self.look.bytes.len() {
            return true;
        }
        let complete = match byte {
            b'{' | b'[' => {
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
            _ => self.search(None),
        };
        if self.limit.is_some() {
            self.tape.root = NONE;
        }
        self.tape.replaced.sort_unstable();
        if self.counters.unrecorded && self.tape.root != NONE {
            let kind = RepairKind::RecordsCapped;
            let span = Span::of(0, self.look.bytes.len());
            self.tape.repairs.push(Repair::new(kind, span));
        }
        complete
    }

    /// The value that begins the text is not the whole of it, or is damaged.
    #[cold]
    #[inline(never)]
    fn read_again(&mut self, k: usize, read: ValueEnd) -> bool {
        // Words in brackets are read as a list, in braces as an object of nothing.
        let listed = self.tape.nodes.first().is_some_and(|root| {
            let closed = || self.look.bytes[..read.end].ends_with(b"}");
            root.tag == Tag::Array || root.count == 0 && closed()
        });
        // `[Note] Here is: {"a": 1}`: words in brackets before prose are a label.
        let label = || self.look.word_in_brackets(k) && !self.look.words_are_value(k, read.end);
        let field = || self.look.field_mark_at(k).is_some();
        let coded = || self.look.encoding_at(k).is_some();
        if self.limit.is_none() && (coded() || listed && (label() || field())) {
            self.look.charge(read.end - k);
            self.tape.clear();
            return self.search(None);
        }
        if self.settled(read) {
            self.tape.root = 0;
            self.sort_repairs();
            return true;
        }
        if self.tape.nodes.is_empty() {
            return self.search(None);
        }
        let first = self.candidate(k, read, 0, 0, 0);
        self.search(Some(first))
    }

    /// Returns `true` if the value that begins the text is all of it and nothing in its
    /// records asks for another reading: no guess, no closer that does not match.
    fn settled(&self, read: ValueEnd) -> bool {
        self.limit.is_none()
            && read.complete
            && !self.counters.cut
            && !RepairSet::MISFITS.among(&self.tape.repairs)
            && !has_guess(&self.tape.repairs)
            && skip_space(self.look.bytes, read.end).1 >= self.look.bytes.len()
    }

    /// Looks for values in a reply that is not JSON as a whole. `first` has been read already.
    #[cold]
    #[inline(never)]
    fn search(&mut self, first: Option<Reading>) -> bool {
        let mut found = ReplySearch::default();
        // `◁think▷{"a": 1}◁/think▷{"a": 2}`: marks that are no tags.
        found.zones.begin_with(self.look.thought_of_first_line());
        let mut at = 0;
        if let Some(first) = first {
            at = match self.without_marks(&mut found, &first) {
                Some(end) => end,
                None => {
                    let end = first.span.end as usize;
                    found.add(first);
                    end
                }
            };
        // `"He said "no""`: a string as a whole, damaged inside. Brackets in it open no values.
        } else if let Some(complete) = self.quoted_whole() {
            return complete;
        // A string and nothing else in a fence or before a comment, likewise.
        } else if self.look.string_alone()
            && let Some(complete) = self.scalar_reply(&found)
        {
            return complete;
        // `Point(x=1)` and nothing else.
        } else if let Some(call) = self.look.call_alone() {
            at = self.value_here(&mut found, call);
        // `…</think>` without its opening tag: what stands before it was thought, not answered.
        } else if let Some(end) = self.look.unopened_reasoning() {
            found.zones.thought = Some(0);
            found.zones.thought_end = Some(end);
        }
        self.find_values(&mut found, at, Opener::Plausible);
        // `Oslo is the capital [1].`: the number of a source.
        if self.look.only_citations(&found.candidates) {
            found.candidates.clear();
            found.doubtful = false;
        }
        let mut thoughts = self.take_thoughts(&mut found);
        if found.candidates.is_empty() && self.limit.is_none() {
            if let Some(complete) = self.scalar_reply(&found) {
                return complete;
            }
            if found.doubtful {
                found.zones.begin_with(self.look.thought_of_first_line());
                self.find_values(&mut found, 0, Opener::Apart);
                thoughts.append(&mut self.take_thoughts(&mut found));
            }
        }
        if self.limit.is_some() || found.candidates.is_empty() {
            self.readings = Readings {
                all: thoughts,
                open: 0,
                drafts: 0,
                chosen: NONE,
                repairs: core::mem::take(&mut self.tape.repairs),
                notes: core::mem::take(&mut self.tape.notes),
                capped: found.capped,
            };
            return true;
        }
        self.choose(found)
    }

    /// Takes out the values found where all of them were thought and the answer is in words.
    fn take_thoughts(&self, found: &mut ReplySearch) -> Vec<Reading> {
        if self.look.only_thoughts(found) {
            core::mem::take(&mut found.candidates)
        } else {
            Vec::new()
        }
    }

    /// Reads a value wherever one may begin in the text from `at` on.
    fn find_values(&mut self, found: &mut ReplySearch, mut at: usize, opener: Opener) {
        while at < self.look.bytes.len() && found.apart < self.limits.candidates {
            let byte = self.look.bytes[at];
            found.zones.go_to(at);
            match byte {
                b'`' | b'~' | b'/' | b'<' | b'['
                    if let Some(end) = found.pass_mark(self.look, at) =>
                {
                    at = end;
                }
                // `(1, 2)`: a tuple of Python. Amid a line it is a remark of prose.
                b'(' if self.look.line_begins(at) && self.look.tuple_ahead(at) => {
                    at = self.value_here(found, at);
                }
                // `"a": 1, "b": 2`: members without the braces around them.
                b'"' => at = self.bare_members(found, at).unwrap_or(at + 1),
                // `&#123;&quot;a&quot;: 1&#125;`: all of it was written as HTML, the bracket too.
                b'&' if self.look.entity_opens(at) => {
                    let read = self.reencoded_at(found, at, Encoding::Entities);
                    at = read.unwrap_or(at + 1);
                }
                // `\"{…}\"`: a string in a string, which the reply has lost.
                b'\\' if matches!(peek(self.look.bytes, at + 1), b'"') => {
                    at = self.escaped_document(found, at);
                }
                b'{' | b'[' if self.look.work_is_used_up() => {
                    found.capped = found.capped.or(Some(at as u32));
                    at = if self.look.plausible_without_looking(at) {
                        self.value_here(found, at)
                    } else {
                        at + 1
                    };
                }
                // `[[ ## answer ## ]]`: the mark of a field, as DSPy has models write it.
                b'[' if let Some(end) = self.look.field_mark_at(at) => at = end,
                b'{' | b'[' => {
                    if let Some(next) = self.coded_container(found, at) {
                        at = next;
                        continue;
                    }
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
        found.zones.go_to(at);
    }

    /// Reads words in brackets, which are a value only with nothing behind them on their line.
    fn words_here(&mut self, found: &mut ReplySearch, start: usize) -> usize {
        let before = found.candidates.len();
        let end = self.value_here(found, start);
        if !self.look.words_are_value(start, end) {
            found.candidates.truncate(before);
        }
        end
    }

    fn value_here(&mut self, found: &mut ReplySearch, start: usize) -> usize {
        let root = self.tape.nodes.len();
        let (repairs, notes) = (self.tape.repairs.len(), self.tape.notes.len());
        let thought = found.zones.thought.is_some();
        let last = found.candidates.last();
        // Values one after another are one place, however many there are.
        if !last.is_some_and(|last| self.follows(last, start, thought)) {
            found.apart += 1;
        }
        // A draft in a block of reasoning ends with the block, whatever it leaves open.
        let (text, whole) = (self.look.text, self.look.bytes);
        if let Some(end) = found.zones.end_of_thought(self.look, start) {
            self.look.text = &text[..end];
            self.look.bytes = &whole[..end];
        }
        self.first_repair = repairs;
        let read = self.value(start);
        (self.look.text, self.look.bytes) = (text, whole);
        // `{{city name}}`: nothing of what stands in the brackets is a value.
        let passed_over = |repair: &Repair| repair.kind == RepairKind::StrayText;
        let hollow = self.tape.nodes.len() == root + 1
            && self.tape.nodes[root].is_container()
            && self.tape.repairs[repairs..].iter().any(passed_over);
        if hollow {
            self.tape.take_back(root);
            self.tape.repairs.truncate(repairs);
            self.tape.notes.truncate(notes);
        }
        if self.tape.nodes.len() > root {
            let candidate = self.candidate(start, read, root, repairs, notes);
            if let Some(end) = self.without_marks(found, &candidate) {
                return end;
            }
            self.whole_inside(found, &candidate);
            found.add(candidate);
        }
        read.end.max(start + 1)
    }

    /// A value that never closes may be an accident of prose, and the answer stand inside it:
    /// then the whole containers directly in it are values of their own.
    fn whole_inside(&mut self, found: &mut ReplySearch, outer: &Reading) {
        if outer.complete {
            return;
        }
        // Where the text is cut, another notation is a guess as well: `x = [('a', 1), ('b',`.
        let doubtful =
            |one: &Repair| one.class == Class::Guess && one.kind.class() != Class::Certain;
        let guessed = self.tape.repairs[outer.repairs.range()]
            .iter()
            .any(doubtful);
        let prose = matches!(
            self.tape
                .repairs
                .get(outer.repairs.start())
                .map(|repair| repair.kind),
            Some(RepairKind::UnquotedKey | RepairKind::StrayText | RepairKind::UnquotedString)
        );
        if self.look.stands_apart(outer.span.start as usize) || !(guessed || prose) {
            return;
        }
        let mut index = outer.root + 1;
        let mut noted = outer.notes.start();
        while (index as usize) < self.tape.nodes.len() {
            let node = self.tape.nodes[index as usize];
            if node.is_container() && !node.has(flag::TRUNCATED | flag::SIDE) {
                let span = Span::new(node.start, node.end);
                let within = |at: Span| at.start >= span.start && at.end <= span.end;
                let repairs = &self.tape.repairs[outer.repairs.range()];
                // That the text ended is said of the value around this one.
                let inside = |r: &Repair| {
                    let end = matches!(
                        r.kind,
                        RepairKind::UnclosedObject | RepairKind::UnclosedArray
                    );
                    within(r.span) && !end
                };
                let first = repairs.iter().position(inside).unwrap_or(repairs.len());
                let last = repairs.iter().rposition(inside);
                let count = last.map_or(0, |last| last + 1 - first);
                let start = outer.repairs.start() + first;
                // What is noted of a container is noted when it is closed.
                let rest = &self.tape.notes[noted..outer.notes.end()];
                let inside = |note: &Note| within(note.span);
                let first = noted + rest.iter().position(inside).unwrap_or(0);
                let rest = &self.tape.notes[first..outer.notes.end()];
                noted = first + rest.iter().take_while(|note| inside(note)).count();
                let repairs = Records::of(start..start + count);
                let notes = Records::of(first..noted);
                found.add(Reading::new(index, span, repairs, notes));
                if found.candidates.len() + 1 >= self.limits.candidates as usize {
                    return;
                }
            }
            index = self.tape.after(index);
        }
    }
}

impl Look<'_> {
    /// Returns the offset of a call with members that is all of the reply: `Point(x=1)`.
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
        // `f("a": 1)` lacks braces alone.
        let name = text.trivia(bracket + 1).0;
        let colon = |(_, end): (_, usize)| text.at(text.space(end).0) == b':';
        let quoted = text.at(name) == b'"' && text.name_at(name).is_some_and(colon);
        let named = text.name_ahead(name) && !quoted;
        (named && rest.trim_ascii_start().is_empty()).then_some(k)
    }

    /// Returns whether the values found stand in blocks of reasoning, all of them, and an answer in words follows:
    /// `<think>{"a": 1}</think> No.` has none that is the answer.
    fn only_thoughts(&self, found: &ReplySearch) -> bool {
        let all = &found.candidates;
        all.iter().all(|one| one.thought)
            && !all.is_empty()
            && !self.ends_in_reasoning(found.zones.thought.is_some())
    }

    /// Finds the next byte from `at` on that may begin a value or something around one: 3 in `so {"a": 1}`, from 0
    /// on. Without one it is the end of the text.
    fn next_mark(&self, at: usize) -> usize {
        mark_from(self.bytes, at, |byte| {
            let quotes = (byte == b'"') | (byte == b'`') | (byte == b'~');
            let brackets = (byte | 0x20 == b'{') | (byte == b'(') | (byte == b'<');
            quotes | brackets | (byte == b'/') | (byte == b'&') | (byte == b'\\')
        })
    }
}

#[cfg(test)]
mod tests {
    use alloc::format;
    use alloc::string::String;

    use super::*;
    use crate::parser::look::{answers, ask};
    use crate::zones::marks::Around;

    fn reading(thought: bool) -> Reading {
        let none = Records::of(0..0);
        Reading {
            thought,
            ..Reading::new(0, Span::of(0, 1), none, none)
        }
    }

    #[test]
    fn values_are_only_thoughts_before_an_answer_in_words() {
        let answered = "<think>{\"a\": 1}</think> No.";
        for (text, thoughts, thinking, expected) in [
            (answered, &[true, true][..], None, true),
            (answered, &[true, false], None, false),
            (answered, &[false, true], None, false),
            (answered, &[], None, false),
            (answered, &[true], Some(0), false),
            ("<think>{\"a\": 1}</think>", &[true], None, false),
            ("{\"a\": 1}", &[true], None, false),
        ] {
            let found = ReplySearch {
                candidates: thoughts.iter().map(|&thought| reading(thought)).collect(),
                zones: Around {
                    thought: thinking,
                    ..Around::default()
                },
                ..ReplySearch::default()
            };
            let is = ask(text, |look| look.only_thoughts(&found));
            assert_eq!(is, expected, "{text} {thoughts:?} {thinking:?}");
        }
    }

    #[test]
    fn the_next_mark_is_found() {
        answers(
            |look| look.next_mark(0),
            &[
                ("so {\"a\": 1}", 3),
                ("{", 0),
                ("no mark", 7),
                ("", 0),
                ("é {", 3),
            ],
        );
        assert_eq!(ask("{{", |look| look.next_mark(1)), 1);
        assert_eq!(ask("{", |look| look.next_mark(1)), 1);
        assert_eq!(ask("{", |look| look.next_mark(2)), 2);
    }

    /// Blocks of 16 bytes are looked at as a whole, and what is left byte by byte.
    #[test]
    fn marks_are_found_at_any_place() {
        for byte in 0u8..0x80 {
            let sign = char::from(byte);
            let is_mark = "\"`~{[(</&\\".contains(sign);
            for place in [1, 5, 16, 17, 33, 36] {
                let mut text = "a".repeat(place);
                text.push(sign);
                text += &"a".repeat(38 - place);
                let expected = if is_mark { place } else { text.len() };
                let found = ask(&text, |look| look.next_mark(1));
                assert_eq!(found, expected, "{sign:?} at {place}");
            }
        }
        let two: String = format!("{}{{{}[", "a".repeat(20), "a".repeat(3));
        assert_eq!(ask(&two, |look| look.next_mark(0)), 20);
    }
}

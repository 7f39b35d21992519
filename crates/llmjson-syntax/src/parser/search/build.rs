//! Turns what the search found into nodes of the tape.

use alloc::vec::Vec;

use core::mem;

use crate::base::repair::{Class, NoteKind, Repair, RepairKind};
use crate::parser::look::trivia::trivia_at;
use crate::parser::recovery::encoding::Encoding;
use crate::parser::recovery::grouped_digits::{grouped, ungrouped};
use crate::parser::search::reading::{Event, Move, StringPlace, TextRole};
use crate::parser::search::segment::Segment;
use crate::parser::search::text::Quote;
use crate::parser::state::checkpoint::Checkpoint;
use crate::parser::state::reader::Reader;
use crate::parser::state::step::{Container, KeySpan, ValueEnd, ValueStep, scalar};
use crate::parser::strings::concatenation::append;
use crate::tape::{COUNT_MAX, NONE, Node, Tag, flag, saturate};

/// The flags of a node that do not follow from the nodes in it.
const OWN: u8 = flag::ESCAPED | flag::KEY_ESCAPED | flag::SIDE | flag::KEY_SIDE | flag::TRUNCATED;

/// A value that is written anew, part by part.
struct Rebuilt {
    here: Container,
    key: KeySpan,
    /// The repair of the next text's quote, if that is missing or of another kind.
    quote: Option<RepairKind>,
    /// `true` if the next text is a further piece of the one before.
    joins: bool,
}

impl Reader<'_> {
    /// Reads the doubtful stretches of the value at `start` a second time, and keeps what is cheaper.
    pub(crate) fn reconsider(
        &mut self,
        start: usize,
        read: ValueEnd,
        before: &Checkpoint,
    ) -> ValueEnd {
        let repairs = &self.tape.repairs[before.repairs..];
        let doubtful = repairs.iter().any(super::referee::is_doubtful)
            || self.look.goes_on_behind(read.end, before);
        if !doubtful
            || self.limit.is_some()
            || self.counters.unrecorded
            || self.look.work_is_used_up()
        {
            return read;
        }
        let segments = self.segments(start, read, before);
        if segments.is_empty() {
            return read;
        }
        self.rebuild(read, before, &segments)
    }

    fn rebuild(&mut self, read: ValueEnd, before: &Checkpoint, segments: &[Segment]) -> ValueEnd {
        let base = before.nodes;
        let nodes = self.tape.nodes[base..].to_vec();
        let mut repairs = self.tape.repairs[before.repairs..].to_vec();
        repairs.sort_by_key(|repair| repair.span.start);
        self.look.charge(nodes.len() + repairs.len());
        self.tape.take_back(base);
        self.tape.repairs.truncate(before.repairs);
        let notes = self.tape.notes.split_off(before.notes);
        let kept = notes
            .into_iter()
            .filter(|note| note.kind != NoteKind::DuplicateKey);
        self.tape.notes.extend(kept);
        self.counters.depth = before.counters.depth;
        self.scratch.signatures.forget();
        let mut records = repairs.into_iter().peekable();
        let mut made = Rebuilt {
            here: Container::OUTSIDE,
            key: KeySpan::NONE,
            quote: None,
            joins: false,
        };
        let mut open: Vec<usize> = Vec::new();
        let (mut segments, mut skip_to) = (segments.iter().peekable(), 0);
        for i in 0..=nodes.len() {
            while let Some(&top) = open.last()
                && nodes[top].next as usize <= base + i
            {
                open.pop();
                if i > skip_to {
                    made.here = self.close(made.here, nodes[top].end as usize);
                }
            }
            if let Some(segment) = segments.next_if(|segment| segment.nodes.start == i) {
                let from = segment.text.start;
                while let Some(kept) = records.next_if(|one| (one.span.start as usize) < from) {
                    self.keep_record(kept);
                }
                while records
                    .next_if(|one| (one.span.start as usize) < segment.text.end)
                    .is_some()
                {}
                let first = self.tape.repairs.len();
                self.play(&mut made, &segment.events);
                // The reader came to something else: each of them is a guess.
                for repair in &mut self.tape.repairs[first..] {
                    repair.class = Class::Guess;
                }
                if segment.ended {
                    // The reader may have run into the end of the text; the search has not.
                    self.counters.cut = before.counters.cut;
                    self.counters.unclosed_from = before.counters.unclosed_from;
                    let end = segment.events.iter().rev().find_map(|event| match event {
                        Event::Close(end, _) => Some(*end as usize),
                        Event::Text(place, ..) => Some(place.next as usize),
                        _ => None,
                    });
                    return ValueEnd {
                        end: end.unwrap_or(read.end),
                        complete: true,
                    };
                }
                skip_to = segment.nodes.end;
            }
            let Some(node) = nodes.get(i) else { break };
            if i >= skip_to {
                self.copy(&mut made, node);
            }
            if node.is_container() {
                open.push(i);
            }
        }
        for kept in records {
            self.keep_record(kept);
        }
        read
    }

    fn keep_record(&mut self, repair: Repair) {
        let span = repair.span.range();
        self.repair_as(repair.kind, repair.class, span.start, span.end);
    }

    /// Writes a node that stays as it is.
    fn copy(&mut self, made: &mut Rebuilt, node: &Node) {
        let mut node = *node;
        node.flags &= OWN;
        if node.is_container() {
            made.key = KeySpan {
                start: node.key_start,
                end: node.key_end,
                flags: node.flags & (flag::KEY_ESCAPED | flag::KEY_SIDE),
            };
            self.open_container(made, node.tag, node.start as usize);
            let last = self.tape.nodes.len() - 1;
            self.tape.nodes[last].flags |= node.flags & flag::TRUNCATED;
        } else {
            self.tape.nodes.push(node);
            made.here.count += 1;
        }
        made.key = KeySpan::NONE;
    }

    fn open_container(&mut self, made: &mut Rebuilt, tag: Tag, at: usize) {
        let here = made.here;
        if here.current != NONE {
            let count = here.count + 1;
            let parent = &mut self.tape.nodes[here.current as usize];
            parent.count = saturate(count);
            if parent.count == COUNT_MAX {
                self.tape.put_count(here.current, count, count);
            }
        }
        self.counters.depth += 1;
        let mut node = scalar(made.key, tag, at, 0);
        node.next = here.current;
        made.key = KeySpan::NONE;
        made.here = Container {
            current: self.tape.nodes.len() as u32,
            object: tag == Tag::Object,
            count: 0,
        };
        self.tape.nodes.push(node);
    }

    fn push_scalar(&mut self, made: &mut Rebuilt, node: Node) {
        self.tape.nodes.push(node);
        made.here.count += 1;
        made.key = KeySpan::NONE;
    }

    /// Writes what a reading of the search did.
    fn play(&mut self, made: &mut Rebuilt, events: &[Event]) {
        for event in events {
            match *event {
                Event::Start => {}
                Event::Object(at) => self.open_container(made, Tag::Object, at as usize),
                Event::Array(at) => self.open_container(made, Tag::Array, at as usize),
                Event::Close(end, _) => made.here = self.close(made.here, end as usize),
                Event::Name(place, quote, inner) => {
                    let node = self.play_text(made, place, quote, inner, TextRole::Name);
                    made.key = KeySpan::of(&node);
                }
                Event::Text(place, quote, inner) => {
                    let node = self.play_text(made, place, quote, inner, TextRole::Value);
                    match mem::take(&mut made.joins) {
                        true => self.join_piece(&node, place.next as usize),
                        false => self.push_scalar(made, node),
                    }
                }
                Event::Bare(start, end, _) => {
                    let (start, end) = (start as usize, end as usize);
                    let mut node = scalar(made.key, Tag::Null, start, end);
                    let text = self.look.text;
                    let whole = grouped(text.as_bytes(), start).is_some_and(|one| one.end == end);
                    let word = &text.as_bytes()[start..end];
                    let cut = word.iter().all(|c| c.is_ascii_digit() || *c == b',');
                    if whole || cut && word[0] != b'0' && word.contains(&b',') {
                        let digits = ungrouped(&text[start..end]);
                        node.tag = crate::scan::number::number_tag(&digits);
                        (node.start, node.end) = self.tape.put_side(&digits);
                        node.flags |= flag::SIDE;
                        self.push_scalar(made, node);
                        continue;
                    }
                    if let ValueStep::Scalar(node, _) = self.word(node, start, end, end) {
                        self.push_scalar(made, node);
                    }
                }
                Event::Null(at) => {
                    let node = scalar(made.key, Tag::Null, at as usize, at as usize);
                    self.push_scalar(made, node);
                }
                // Has been turned into the opening of a list.
                Event::List => {}
                // Of a value that the text breaks off in, which is not written anew.
                Event::DropName => made.key = KeySpan::NONE,
                Event::Made(what, from, to) => {
                    self.play_move(made, what, from as usize, to as usize)
                }
            }
        }
    }

    /// The node of a text in quotes, or one of whose quotes one is missing.
    fn play_text(
        &mut self,
        made: &mut Rebuilt,
        place: StringPlace,
        quote: Quote,
        inner: u8,
        role: TextRole,
    ) -> Node {
        let [begin, start, end, next] =
            [place.begin, place.start, place.end, place.next].map(|at| at as usize);
        match (quote, made.quote) {
            (Quote::Bare, Some(RepairKind::MissingQuote)) => {
                self.repair(RepairKind::MissingQuote, start, start);
            }
            (Quote::Bare, _) if made.joins => {}
            (Quote::Bare, _) => self.repair(RepairKind::UnquotedKey, start, end),
            (Quote::Double, _) => {}
            (Quote::Doubled, _) => self.repair(RepairKind::DoubledQuote, begin, next),
            (Quote::Escaped | Quote::EscapedTwice, _) => {
                self.repair(RepairKind::InvalidEscape, begin, start);
                self.repair(RepairKind::InvalidEscape, end, next);
            }
            (Quote::Raw | Quote::RawSingle, _) => {
                self.repair(RepairKind::RawEscape, start, end);
            }
            (Quote::Entity, _) => self.repair(RepairKind::HtmlEntities, begin, next),
            _ => self.repair(RepairKind::OtherQuotes, begin, next),
        }
        if quote != Quote::Bare {
            match made.quote {
                Some(RepairKind::MissingQuote) => self.repair(RepairKind::MissingQuote, end, end),
                Some(kind) => self.repair(kind, end, next),
                None => {}
            }
        }
        made.quote = None;
        if inner > 0 && quote != Quote::Bare {
            self.repair(RepairKind::InnerQuote, start, end);
        }
        if self.look.bytes[begin].is_ascii_alphabetic() && quote != Quote::Bare {
            self.repair(RepairKind::Wrapper, begin, begin + 1);
        }
        let mut node = scalar(made.key, Tag::String, start, end);
        if role == TextRole::Name {
            node.flags = 0;
        }
        if quote == Quote::Entity && role == TextRole::Value {
            let text = Encoding::Entities
                .decode(&self.look.text[start..end], usize::MAX)
                .text;
            (node.start, node.end) = self.tape.put_side(&text);
            node.flags |= flag::SIDE;
            return node;
        }
        if quote != Quote::Bare && !quote.is_raw() {
            node.flags |= self.inspect_all(start, end);
            if role == TextRole::Value {
                self.keep_pattern(&mut node, next);
            }
        }
        node
    }

    /// Appends a piece to the text that was written last.
    fn join_piece(&mut self, piece: &Node, next: usize) {
        let last = self.tape.nodes.len() - 1;
        self.record_join(last, next, RepairKind::JoinedStrings.class());
        self.move_aside(last);
        let text = &self.look.text[piece.start as usize..piece.end as usize];
        append(self.tape, text, piece.escaping());
        let end = self.tape.side.len() as u32;
        let node = &mut self.tape.nodes[last];
        (node.end, node.next) = (end, next as u32);
    }

    fn play_move(&mut self, made: &mut Rebuilt, what: Move, from: usize, to: usize) {
        let kind = match what {
            Move::Comment => RepairKind::Comment,
            Move::OddSpace => {
                let mut at = from;
                while at < to {
                    at = match trivia_at(self.look.text, at) {
                        Some((kind, end)) => {
                            self.repair(kind, at, end);
                            end
                        }
                        None => at + 1,
                    };
                }
                return;
            }
            Move::ExtraComma if from == to => {
                if let Some(comma) = self.last_comma(from) {
                    self.repair(RepairKind::ExtraComma, comma.start, comma.end);
                }
                return;
            }
            Move::ExtraComma => RepairKind::ExtraComma,
            Move::MissingComma => RepairKind::MissingComma,
            Move::MissingColon => RepairKind::MissingColon,
            Move::OddSeparator => RepairKind::OddSeparator,
            Move::SwappedSeparator => {
                let sign = self.look.text[from..]
                    .chars()
                    .next()
                    .map_or(1, char::len_utf8);
                return self.repair(RepairKind::OddSeparator, from, from + sign);
            }
            Move::StraySign | Move::StrayText | Move::StrayQuote => {
                let end = from + self.look.text[from..to].trim_end().len();
                return self.pass_over(from, end);
            }
            Move::Ellipsis => RepairKind::Ellipsis,
            Move::MissingValue => RepairKind::MissingValue,
            Move::MissingCloser => RepairKind::MissingCloser,
            Move::WrongCloser => RepairKind::WrongCloser,
            Move::ExtraCloser => RepairKind::ExtraCloser,
            Move::MissingOpener => RepairKind::MissingOpener,
            Move::ExtraOpener => RepairKind::ExtraOpener,
            Move::MissingQuote => {
                made.quote = Some(RepairKind::MissingQuote);
                return;
            }
            Move::SignForQuote => RepairKind::MismatchedQuotes,
            Move::MismatchedQuotes => {
                made.quote = Some(RepairKind::MismatchedQuotes);
                return;
            }
            Move::Tuple => RepairKind::Tuple,
            Move::Set => RepairKind::Set,
            Move::BracketedMembers => RepairKind::BracketedMembers,
            Move::Wrapper => RepairKind::Wrapper,
            Move::OddName => RepairKind::UnquotedKey,
            Move::Unbracketed => RepairKind::UnbracketedList,
            Move::Token => RepairKind::TemplateToken,
            Move::Join => {
                made.joins = true;
                return;
            }
            Move::SmashedQuote => RepairKind::MissingQuote,
            Move::GroupedDigits => RepairKind::GroupedDigits,
            // Recorded with the text, the container or the value they belong to.
            Move::UnquotedString
            | Move::UnquotedKey
            | Move::OtherQuotes
            | Move::DoubledQuote
            | Move::InnerQuote
            | Move::Unclosed
            | Move::CutMember => return,
        };
        self.repair(kind, from, to);
    }
}

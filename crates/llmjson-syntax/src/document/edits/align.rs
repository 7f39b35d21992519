//! Converts the parts of a value to the edits that make its text strict JSON.
//!
//! Each part has its position in the text. In the gap between two parts, white space and JSON's
//! separators are kept; everything else is removed, and missing text is inserted. So the result is
//! always strict JSON of the value.

use alloc::borrow::Cow;
use alloc::vec::Vec;
use core::mem::take;
use core::ops::Range;

use crate::base::repair::{Repair, RepairKind};
use crate::base::repair_set::RepairSet;
use crate::base::span::Span;
use crate::document::Document;
use crate::document::edits::options::{Comments, EditOptions};
use crate::document::edits::parts::{Part, parts};
use crate::tape::{Tag, Tape};
use crate::view::ValueRef;

/// JSON white space.
pub(super) const SPACE: [char; 4] = [' ', '\t', '\n', '\r'];

/// Number of records at one place that are compared.
pub(super) const MOST_NEAR: usize = 16;

/// The purpose of a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// A key or value is rewritten as JSON.
    Token,
    /// Text that is removed.
    Out,
    /// An inserted or changed separator or value.
    Sign,
    /// An inserted or changed bracket of the container of that number.
    Bracket(u32),
}

/// A change of the text.
#[derive(Clone, Debug)]
pub(crate) struct Change {
    pub(crate) start: usize,
    pub(crate) end: usize,
    /// The end of the gap in which text is inserted, or removed without a record; otherwise the end
    /// of the white space and quotes after the change.
    pub(crate) until: usize,
    pub(crate) text: Cow<'static, str>,
    pub(crate) role: Role,
}

pub(super) struct Aligner<'d> {
    pub(super) text: &'d str,
    pub(super) tape: &'d Tape,
    pub(super) records: &'d [Repair],
    pub(super) options: EditOptions,
    /// The array that several values of the reply form.
    several: Option<u32>,
    /// Offset up to which the text has been processed.
    pub(super) at: usize,
    /// The first record that does not begin before the gap.
    pub(super) next: usize,
    /// Offset after the last retained comment that extends to the end of its line.
    pub(super) line: Option<usize>,
    /// Offset after the text kept or inserted last, and the number of changes at that moment.
    kept: (usize, usize),
    /// The separators, brackets and values before the next part that are missing in the text.
    pub(super) needs: Vec<(Cow<'static, str>, Role)>,
    pub(super) changes: Vec<Change>,
}

/// Number of changes that are held back before they are emitted.
const HELD: usize = 1024;

/// Emits the changes that turn the text of a document into strict JSON of its value, in order.
pub(super) fn align(document: &Document<'_>, options: EditOptions, mut give: impl FnMut(Change)) {
    let root = document.root_read().map(|root| root.0);
    let mut options = options;
    // Comments around a string or word may as well be words next to it.
    if root.is_none_or(|root| !document.tape.node(root).is_container()) {
        options.comments = Comments::Drop;
    }
    let several = root.filter(|&root| {
        let node = document.tape.node(root);
        let place = Span::new(node.start, node.end);
        let several = |one: &Repair| one.kind == RepairKind::SeveralValues && one.span == place;
        node.tag == Tag::Array && document.repairs().iter().any(several)
    });
    let mut aligner = Aligner {
        text: document.text(),
        tape: &document.tape,
        records: document.repairs(),
        options,
        several,
        at: 0,
        next: 0,
        line: None,
        kept: (0, 0),
        needs: Vec::new(),
        changes: Vec::new(),
    };
    let mut parts = parts(document, options.unfinished).peekable();
    let mut before = None;
    while let Some(part) = parts.next() {
        aligner.part(before, part, parts.peek());
        before = Some(part);
        // Nothing is inserted any more before the text kept last.
        if aligner.kept.1 >= HELD {
            aligner.changes.drain(..aligner.kept.1).for_each(&mut give);
            aligner.kept.1 = 0;
        }
    }
    if before.is_some() {
        aligner.gap(aligner.text.len(), false);
    }
    aligner.changes.into_iter().for_each(give);
}

impl Aligner<'_> {
    fn part(&mut self, before: Option<Part>, part: Part, next: Option<&Part>) {
        let sign = match (before, part) {
            (None | Some(Part::Open(_)), _) | (_, Part::Close(_)) => None,
            (Some(Part::Key(_)), _) => Some((Cow::Borrowed(":"), Role::Sign)),
            _ => Some((Cow::Borrowed(","), Role::Sign)),
        };
        self.needs.extend(sign);
        match part {
            Part::Open(index) => self.open(index, next),
            Part::Close(index) => self.close(index, next),
            Part::Key(index) => self.key(index),
            Part::Value(index) => self.value(ValueRef::new(self.tape, self.text, index)),
            Part::Cut(span) => self.cut_member(span),
        }
    }

    fn open(&mut self, index: u32, next: Option<&Part>) {
        let node = self.tape.node(index);
        let sign = Cow::Borrowed(if node.tag == Tag::Object { "{" } else { "[" });
        let (at, role) = (node.start as usize, Role::Bracket(index));
        // Several values become one array: its brackets enclose the whole text, which keeps its
        // lines.
        if self.several == Some(index) {
            self.put(0..0, Cow::Borrowed("[\n"), role);
            self.changes[0].until = at;
            return;
        }
        let shared =
            matches!(next, Some(Part::Open(child)) if self.tape.node(*child).start == node.start);
        let found = self.text.as_bytes().get(at);
        // `"a": 1, "b": 2` without braces, or `{"a": "b": 1}`: the text has no bracket for this
        // container.
        if shared || at < self.at || !matches!(found, Some(b'{' | b'[' | b'(')) {
            self.needs.push((sign, role));
        } else {
            self.put(at..at + 1, sign, role);
        }
    }

    fn close(&mut self, index: u32, next: Option<&Part>) {
        let node = self.tape.node(index);
        let sign = if node.tag == Tag::Object { "}" } else { "]" };
        let role = Role::Bracket(index);
        if self.several == Some(index) {
            let end = self.text.len();
            self.gap(end, false);
            return self.put(end..end, Cow::Borrowed("\n]"), role);
        }
        let end = node.end as usize;
        // `[{"a": [1}]`: several containers may end at one bracket. It closes the matching one.
        let shared =
            matches!(next, Some(Part::Close(outer)) if self.tape.node(*outer).end == node.end);
        let found = end
            .checked_sub(1)
            .filter(|at| *at >= self.at && !self.is_passed_over(*at));
        let found = found.map(|at| self.text.as_bytes()[at]);
        if found == Some(sign.as_bytes()[0]) || !shared && matches!(found, Some(b'}' | b']' | b')'))
        {
            self.put(end - 1..end, Cow::Borrowed(sign), role);
        } else {
            self.needs.push((Cow::Borrowed(sign), role));
        }
    }

    /// Returns `true` if a record says that the text around this character is removed:
    /// `{"a": 1, "b": "[]`.
    fn is_passed_over(&self, at: usize) -> bool {
        let before = |one: &Repair| (one.span.start as usize) < at;
        let before = &self.records[..self.records.partition_point(before)];
        let mut near = before.iter().rev().take(MOST_NEAR);
        near.any(|one| one.span.end as usize > at && role_of(one.kind) == Role::Out)
    }

    /// Writes the next part at its place.
    pub(super) fn put(&mut self, place: Range<usize>, text: Cow<'static, str>, role: Role) {
        self.gap(place.start, false);
        if self.text[place.clone()] != *text {
            // `"a "b"`: only the record shows to which of the keys a quote belongs.
            let near = |sign: char| sign == '"' || SPACE.contains(&sign);
            let behind = self.text[place.end..].trim_start_matches(near);
            let until = self.text.len() - behind.len();
            self.change(place.clone(), until, text, role);
        }
        self.keep(place);
    }

    /// Keeps the next part unchanged.
    pub(super) fn keep(&mut self, place: Range<usize>) {
        self.gap(place.start, false);
        self.at = place.end;
        self.kept = (self.at, self.changes.len());
        let ahead = &self.records[self.next..];
        let before = |one: &&Repair| (one.span.start as usize) < place.end;
        self.next += ahead.iter().take_while(before).count();
    }

    pub(super) fn change(
        &mut self,
        place: Range<usize>,
        until: usize,
        text: Cow<'static, str>,
        role: Role,
    ) {
        let Range { start, end } = place;
        let text = self.behind_comment(start, text);
        self.changes.push(Change {
            start,
            end,
            until,
            text,
            role,
        });
    }

    /// Goes through the text up to `until`, where the next part begins, and inserts the missing
    /// tokens. If `until` is the end of a part, it stops where that part begins.
    pub(super) fn gap(&mut self, until: usize, inside: bool) {
        let bytes = self.text.as_bytes();
        while self.at < until {
            if SPACE.contains(&(bytes[self.at] as char)) {
                self.at += 1;
                continue;
            }
            let record = self.record_here(until);
            let sign = match record {
                None => bytes[self.at] as char,
                Some(record) if record.kind == RepairKind::OddSeparator => ';',
                Some(_) => ' ',
            };
            if let Some(needed) = self.needed(sign) {
                self.flush(needed, until);
                let (text, role) = self.needs.remove(0);
                let end = record.map_or(self.at + 1, |record| record.span.end as usize);
                if self.text[self.at..end] != *text {
                    self.change(self.at..end, end, text, role);
                }
                self.at = end;
                self.kept = (end, self.changes.len());
                continue;
            }
            if inside && record.is_none_or(|one| role_of(one.kind) == Role::Token) {
                break;
            }
            if record.is_some_and(|record| self.keep_comment(&record)) {
                continue;
            }
            let to = record.map_or(until, |record| record.span.end as usize);
            let mut odd = match record {
                None => self.odd(until),
                Some(_) => &self.text[self.at..to],
            };
            let mut spaces = 0;
            match record.map(|record| record.kind) {
                // A no-break space between tokens becomes a plain one, which keeps the columns.
                Some(RepairKind::OddSpace) if self.at > 0 => spaces = odd.chars().count(),
                // Text after the bracket of a call is kept.
                Some(RepairKind::Wrapper) => odd = odd.trim_end_matches(SPACE),
                _ => {}
            }
            let (place, text) = (self.at..self.at + odd.len(), " ".repeat(spaces));
            self.at = place.end;
            self.change(place, to, Cow::Owned(text), Role::Out);
        }
        self.flush(self.needs.len(), until);
    }

    /// Returns the record of text at this place that ends before the next part.
    fn record_here(&mut self, until: usize) -> Option<Repair> {
        while let Some(record) = self.records.get(self.next) {
            let (start, end) = (record.span.start as usize, record.span.end as usize);
            if start > self.at {
                return None;
            }
            if end > self.at && end <= until {
                return Some(*record);
            }
            self.next += 1;
        }
        None
    }

    /// Removes the text up to `until` that JSON does not allow here and that has no record: `and`
    /// in `1 and 2`.
    fn odd(&self, until: usize) -> &str {
        let next = self.records.get(self.next);
        let next = next.map_or(until, |record| until.min(record.span.start as usize));
        let odd = &self.text[self.at..next];
        let first = odd.chars().next().map_or(0, char::len_utf8);
        let length = odd[first..].find([',', ':', '\n']);
        odd[..length.map_or(odd.len(), |length| first + length)].trim_end_matches(SPACE)
    }

    /// Returns the number of the first pending token, if it is this character; a semicolon matches
    /// any.
    fn needed(&self, sign: char) -> Option<usize> {
        let fits = |text: &str| match sign {
            ',' | ':' => text.starts_with(sign),
            ';' => matches!(text, "," | ":"),
            _ => false,
        };
        self.needs.iter().position(|(text, _)| fits(text))
    }

    /// Inserts the first `count` pending tokens: closers and separators after the text kept last,
    /// and everything from the first opener or value on at this place.
    fn flush(&mut self, count: usize, until: usize) {
        if count == 0 {
            return;
        }
        let behind = |(text, _): &&(Cow<'_, str>, Role)| text.starts_with([',', ':', '}', ']']);
        let behind = self.needs[..count].iter().take_while(behind).count();
        let ((kept, mark), at) = (self.kept, self.at);
        let made = |place: usize, (text, role)| Change {
            start: place,
            end: place,
            until: until.max(place),
            text,
            role,
        };
        let needs = self.needs.drain(..behind).map(|need| made(kept, need));
        self.changes.splice(mark..mark, needs);
        self.kept.1 += behind;
        if behind < count {
            let first = take(&mut self.needs[0].0);
            self.needs[0].0 = self.behind_comment(at, first);
            let needs = self.needs.drain(..count - behind);
            self.changes.extend(needs.map(|need| made(at, need)));
            self.kept = (at, self.changes.len());
        }
    }
}

/// Returns the kind of change that a record of this kind accounts for.
pub(super) fn role_of(kind: RepairKind) -> Role {
    use RepairKind as Kind;
    match kind {
        kind if RepairSet::RECODED.has(kind) => Role::Token,
        Kind::MissingComma | Kind::MissingColon | Kind::OddSeparator => Role::Sign,
        Kind::MissingValue => Role::Sign,
        Kind::RecordsCapped | Kind::CandidatesCapped | Kind::WorkCapped => Role::Out,
        Kind::ExtraCloser | Kind::ExtraOpener | Kind::Wrapper => Role::Out,
        Kind::CutEscape | Kind::CutNumber | Kind::CutMember => Role::Out,
        Kind::MissingBraces | Kind::SeveralValues | Kind::UnbracketedList => Role::Bracket(0),
        kind if kind < Kind::UnclosedObject => Role::Out,
        kind if kind < Kind::UnquotedKey => Role::Bracket(0),
        _ => Role::Token,
    }
}

//! Evidence in the form of the text around a value that it may be a part of something else.
//!
//! `{}name": 1}` has half a name and a closer outside of its value. If the only record of these
//! characters is that they are text, the value is a guess.

use alloc::vec::Vec;
use core::ops::Range;

use crate::base::repair::{Class, NoteKind, Repair, RepairKind};
use crate::base::span::Span;
use crate::parser::look::quotes::quote_at;
use crate::parser::look::{LOOK_AHEAD, Look};
use crate::parser::state::reader::Reader;
use crate::scan::{mark_from, peek};
use crate::zones::context::is_among_members;

impl Reader<'_> {
    /// Makes a guess of the text around a value, which begins at `begin` including the calls around
    /// it, if its form shows that the value is part of something else.
    pub(crate) fn doubt_outside(&mut self, value: Span, begin: usize) {
        let look = self.look;
        let is_text = |one: &Repair| one.kind == RepairKind::SurroundingText;
        let before = (self.tape.repairs.iter())
            .rposition(|one| is_text(one) && one.span.end as usize <= begin);
        let mut behind = self.tape.repairs.iter();
        let behind = behind.position(|one| is_text(one) && one.span.start >= value.end);
        let mut stray: Vec<usize> = Vec::new();
        stray.extend(before.filter(|_| look.part_before(begin)));
        let end = value.end as usize;
        stray.extend(behind.filter(|_| look.part_behind(end)));
        let mut outside = Outside {
            // Among several values a key may belong to any of them.
            names: self.readings.all.is_empty(),
            ..Outside::new(look)
        };
        let others = self.other_values(value);
        let mut others = &others[..];
        for at in 0..self.tape.repairs.len() {
            let one = self.tape.repairs[at];
            if one.kind == RepairKind::ExtraCloser && one.span.start >= value.end {
                outside.close(one.span.start as usize);
            }
            if !is_text(&one) {
                continue;
            }
            let mut from = one.span.start;
            while let Some((other, rest)) = others.split_first()
                && other.start < one.span.end
            {
                if other.start > from {
                    outside.read(from as usize..other.start as usize, at);
                }
                from = from.max(other.end);
                others = rest;
            }
            if from < one.span.end {
                outside.read(from as usize..one.span.end as usize, at);
            }
        }
        stray.append(&mut outside.stray());
        for at in stray {
            let one = &mut self.tape.repairs[at];
            *one = Repair::new(RepairKind::StrayText, one.span);
        }
        if let Some(at) = before.or(behind)
            && is_among_members(&look.text[..begin], &look.text[end..])
        {
            self.tape.repairs[at].class = Class::Guess;
        }
    }

    /// Returns the spans of the rejected values, in the order of the text.
    fn other_values(&self, value: Span) -> Vec<Span> {
        let apart = |one: &Span| one.end <= value.start || one.start >= value.end;
        let chosen = self
            .tape
            .repairs
            .iter()
            .filter_map(|one| (one.kind == RepairKind::ChosenValue).then_some(one.span));
        let noted = self.tape.notes.iter();
        let noted = noted.filter_map(|one| (one.kind == NoteKind::OtherValue).then_some(one.span));
        let mut all: Vec<Span> = chosen.chain(noted).filter(apart).collect();
        all.sort_unstable_by_key(|one| one.start);
        all
    }
}

/// The evidence against the value found outside it so far. Texts are read in order and numbered.
pub(crate) struct Outside<'t> {
    look: Look<'t>,
    /// `true` if a complete quoted key with its colon counts against the value, not only half of
    /// one.
    names: bool,
    /// The texts with a key, half of one, or a closer without its opener.
    stray: Vec<usize>,
    /// Number of open braces and brackets, and the text with the outermost one.
    open: [(usize, usize); 2],
}

/// The current line.
struct Line {
    start: usize,
    /// Number of double quotes so far.
    quotes: usize,
}

impl Line {
    const fn at(start: usize) -> Self {
        Self { start, quotes: 0 }
    }
}

impl<'t> Outside<'t> {
    /// Creates a scan of the text outside a value.
    pub(crate) const fn new(look: Look<'t>) -> Self {
        Self {
            look,
            names: false,
            stray: Vec::new(),
            open: [(0, 0); 2],
        }
    }

    /// Reads the text in `range`, of this number.
    pub(crate) fn read(&mut self, range: Range<usize>, number: usize) {
        let bytes = &self.look.bytes[..range.end];
        self.look.charge_search(range.len());
        let mut line = Line::at(range.start);
        let mut at = range.start;
        loop {
            at = mark_from(bytes, at, is_mark);
            let Some(byte) = bytes.get(at).filter(|_| !self.look.is_stopped()) else {
                return;
            };
            self.look.charge(1);
            match byte {
                b'\n' => line = Line::at(at + 1),
                b'"' => {
                    line.quotes += 1;
                    if line.quotes % 2 == 1 && self.opens_half_a_name(&line, at, range.end) {
                        self.stray.push(number);
                    }
                }
                b':' | b'=' => self.sign(&line, at, number),
                _ => self.bracket(at, number),
            }
            at += 1;
        }
    }

    /// Returns the numbers of the texts with half a key, a key with its colon, or a bracket without
    /// its partner.
    pub(crate) fn stray(mut self) -> Vec<usize> {
        let open = self.open.iter().filter(|(count, _)| *count > 0);
        self.stray.extend(open.map(|(_, number)| number));
        self.stray
    }

    fn bracket(&mut self, at: usize, number: usize) {
        let bytes = self.look.bytes;
        let before = at.checked_sub(1).map_or(0, |before| bytes[before]);
        // A character that is mentioned: "I added the missing `}`".
        if matches!(before, b'`' | b'"' | b'\'') && peek(bytes, at + 1) == before {
            return;
        }
        // The beginning of a color.
        if before == 0x1B {
            return;
        }
        if matches!(bytes[at], b'}' | b']') {
            if !self.close(at) {
                self.stray.push(number);
            }
            return;
        }
        let (count, text) = &mut self.open[usize::from(bytes[at] == b'[')];
        if *count == 0 {
            *text = number;
        }
        *count += 1;
    }

    /// Closes the partner of the closer at `at`. Returns `false` if there is none.
    pub(crate) fn close(&mut self, at: usize) -> bool {
        let (count, _) = &mut self.open[usize::from(self.look.bytes[at] == b']')];
        let open = *count > 0;
        *count -= usize::from(open);
        open
    }

    /// Returns `true` if the quote at `at` opens a key that is not closed on its line: `"name: 1`.
    fn opens_half_a_name(&self, line: &Line, at: usize, end: usize) -> bool {
        let text = &self.look.text[..end];
        let before = text[line.start..at].trim_end_matches([' ', '\t']);
        let rest = &text[at + 1..];
        let name = rest.find(|c: char| !is_letter(c)).unwrap_or(rest.len());
        let begins = before.is_empty() || before.ends_with(['{', '[', ',']);
        begins
            && (rest[name..].starts_with(": ") || &rest[name..] == ":")
            && name > 0
            // `"Answer: [1]`: a quotation, since keys rarely begin with a capital.
            && !rest.starts_with(char::is_uppercase)
            && memchr::memchr2(b'"', b'\n', rest.as_bytes())
                .is_none_or(|at| rest.as_bytes()[at] == b'\n')
    }

    /// Examines the colon or equals sign at `at`.
    fn sign(&mut self, line: &Line, at: usize, number: usize) {
        let text = self.look.text;
        let before = text[line.start..at].trim_end_matches([' ', '\t', '*', '_']);
        if let Some(name) = ends_a_name(before, line.quotes)
            && (self.names || name == Name::Half)
        {
            self.stray.push(number);
        }
    }
}

const fn is_mark(byte: u8) -> bool {
    let bracket = (byte | 0x20 == b'{') | (byte | 0x20 == b'}');
    bracket | (byte == b'"') | (byte == b':') | (byte == b'=') | (byte == b'\n')
}

fn is_letter(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '-' | '.')
}

/// A quoted key.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Name {
    Whole,
    /// A key with only its closing quote.
    Half,
}

/// Returns the key that ends with the quote at the end of a text and is followed by a colon, such
/// as `"name"` and `name"`, but none for `he said "name"`. `quotes` is the number of double quotes
/// on the line so far.
fn ends_a_name(text: &str, quotes: usize) -> Option<Name> {
    let (close, _) = text.char_indices().next_back()?;
    let quote = quote_at(text, close)?;
    let word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-');
    let rest = text[..close].trim_end_matches(word);
    let name = &text[rest.len()..close];
    let open = rest.char_indices().next_back().map_or(0, |(at, _)| at);
    if quote_at(rest, open).is_some() {
        let before = rest[..open].trim_end_matches(['`', '*', ' ', '\t', '+']);
        let begins = before.is_empty() || before.ends_with(['{', '[', ',']);
        return begins.then_some(Name::Whole);
    }
    // After digits the quote means inches.
    let counted = name.bytes().all(|byte| byte.is_ascii_digit());
    let opened = match quote {
        '"' => quotes.is_multiple_of(2),
        '\'' => rest.rfind('\'').is_some(),
        _ => true,
    };
    (!counted && !opened).then_some(Name::Half)
}

impl Look<'_> {
    /// Returns `true` if the text before a value looks like part of a larger one, as `"a":` does: a
    /// quoted key with its colon, a key and an arrow, a comma after a bracket, the quote of a
    /// string that contains the value.
    fn part_before(&self, begin: usize) -> bool {
        let before = self.text_before(begin);
        let opened = before.strip_suffix(['"', '\'']);
        if let Some(before) = opened.filter(|_| before.len() == begin) {
            return before.trim_end().ends_with([':', '=']);
        }
        let arrow = before.strip_suffix("=>").map(str::trim_end);
        let named = arrow
            .or_else(|| before.strip_suffix([':', '=']))
            .is_some_and(|name| {
                let name = name.trim_end().trim_end_matches(['*', '_']);
                let last = name.char_indices().next_back().map_or(0, |(at, _)| at);
                quote_at(name, last).is_some()
            });
        let listed = before
            .strip_suffix(',')
            .is_some_and(|text| text.trim_end().ends_with(['"', '}', ']']));
        let word = |name: &str| name.ends_with(|c: char| c.is_alphanumeric() || c == '_');
        named || listed || arrow.is_some_and(word)
    }

    /// Returns `true` if the text after a value looks like part of a larger one, as `, "b": 2`
    /// does: a comma or closer and a string, bracket or key, or a quoted key.
    fn part_behind(&self, end: usize) -> bool {
        let (mut byte, mut k) = self.beyond_space(end);
        let begin = k;
        let mut comma = false;
        while matches!(byte, b',' | b'}' | b']' | b';') && k - begin < LOOK_AHEAD {
            comma |= byte == b',';
            (byte, k) = self.beyond_space(k + 1);
        }
        let quote = quote_at(self.text, k).is_some();
        if k == begin {
            return quote && self.key_ahead(k);
        }
        matches!(byte, b'{' | b'[') || quote || comma && self.name_ahead(k)
    }
}

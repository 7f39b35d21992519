//! Moves that open and close containers.

use crate::base::expected_names::ExpectedValue;
use crate::parser::search::beam::Search;
use crate::parser::search::price;
use crate::parser::search::reading::{Event, Kind, Move, NextLine, Reading, SearchContainer, Want};
use crate::parser::search::run::begins_value;

/// Maximum number of containers that are closed or skipped at once.
pub(crate) const CLOSE_AT_ONCE: usize = 5;

impl Search<'_> {
    /// Opens a container at a bracket that JSON does not use for it.
    pub(crate) fn open_other(&mut self, reading: Reading, kind: Kind, closer: u8, by: (Move, u32)) {
        let at = reading.at as usize;
        let made = self.made(reading, by.0, (at, at + 1), by.1);
        let opened = self.open(made, kind, 1);
        let frame = self.intern(SearchContainer {
            closer,
            ..self.frame(&opened)
        });
        self.out.push(Reading { frame, ..opened });
    }

    /// `"tags": "p", "q", "b": 1`, `(1, 2)`: a second value shows that the previous one was the
    /// first item of an array.
    pub(crate) fn list_around(&mut self, reading: Reading, at: usize, kind: Kind, by: (Move, u32)) {
        // Containers that were opened before the search are already on the tape.
        if !self.is_read_here(&reading) {
            return;
        }
        let frame = self.frame(&reading);
        let (parent, closer, open) = match kind {
            Kind::Array => (frame.parent, frame.closer, frame.open),
            _ => (reading.frame, kind.usual_closer(), reading.at),
        };
        let made = self.made(reading, by.0, (at, at), by.1);
        let made = self.with(made, Event::List);
        let frame = self.intern(SearchContainer {
            parent,
            closer,
            open,
            indent: self.text.line_indent(at),
            ..self.container(&reading, kind)
        });
        self.go(Reading { frame, ..made }, at, Want::Value);
    }

    /// Returns `true` if the last value began within this search.
    fn is_read_here(&self, reading: &Reading) -> bool {
        let (mut at, mut depth) = (reading.trail, 0);
        while at != 0 {
            let step = self.trail[at as usize];
            if begins_value(&step.event, &mut depth) {
                return true;
            }
            self.charge(1);
            at = step.before;
        }
        false
    }

    /// Handles a closer where a value is expected: the array ends, the closer is a surplus one or a
    /// wrong opener, or the value is missing.
    pub(crate) fn closer_for_value(&mut self, reading: Reading) {
        let at = reading.at as usize;
        // `[]`: a value is optional directly after the opener.
        if reading.want == Want::ValueOrEnd {
            return self.closer(reading);
        }
        // `[1, ]`: a surplus comma before the closer.
        if !self.frame(&reading).kind.has_names() {
            let made = self.made(reading, Move::ExtraComma, (at, at), 0);
            return self.closer(made);
        }
        // `"status": ]`: the bracket before it is missing.
        let kind = if self.text.at(at) == b'}' {
            Kind::Object
        } else {
            Kind::Array
        };
        let made = self.made(
            reading,
            Move::MissingOpener,
            (at, at),
            price::MISSING_OPENER_EMPTY,
        );
        let opened = self.open(made, kind, 0);
        let closed = self.close(opened, at + 1);
        self.out.push(closed);
        // `"a": ] 1`: the closer is a slip before the value.
        if self.text.value_starts(self.text.trivia(at + 1).0) {
            let made = self.made(
                reading,
                Move::ExtraCloser,
                (at, at + 1),
                price::EXTRA_CLOSER,
            );
            self.go(made, at + 1, Want::Value);
        }
        self.missing_value(reading, Want::Next);
    }

    /// Opens a container at its bracket.
    pub(crate) fn open_here(&mut self, reading: Reading, kind: Kind) {
        let opened = self.open(reading, kind, 1);
        self.out.push(opened);
    }

    /// Opens a container whose bracket has this length, which is 0 if it is missing.
    pub(crate) fn open(&mut self, reading: Reading, kind: Kind, length: usize) -> Reading {
        let at = reading.at as usize;
        let frame = self.intern(SearchContainer {
            indent: self.text.line_indent(at),
            ..self.container(&reading, kind)
        });
        let (event, want) = if kind.has_names() {
            (Event::Object(reading.at), Want::NameOrEnd)
        } else {
            (Event::Array(reading.at), Want::ValueOrEnd)
        };
        let cost = reading.cost + self.price_of_kind(&reading, kind);
        let opened = self.with(Reading { cost, ..reading }, event);
        Reading {
            frame,
            at: (at + length) as u32,
            want,
            ..opened
        }
    }

    /// Handles a key with a colon where a value is expected: a container was not closed, or not
    /// opened.
    pub(crate) fn name_for_value(&mut self, reading: Reading, line: NextLine) {
        let at = reading.at as usize;
        let kind = self.frame(&reading).kind;
        if let Some(colon) = self.repeated_key(&reading) {
            // `"title": "title": "Hello"`
            let value = colon + self.text.colon(colon).unwrap_or(0);
            let made = self.made(reading, Move::StrayText, (at, value), price::REPEATED_NAME);
            self.go(made, value, Want::Value);
        }
        // `{"a": [1, "b": 2}`: the array was not closed before the next member of the outer object.
        if matches!(kind, Kind::Array | Kind::Loose) {
            // `"items": [` with a member after it: an array without items is rare, except in
            // `"items": [, "b": 1`.
            let before = self.text.bytes[..at].trim_ascii_end();
            let empty = matches!(reading.want, Want::ValueOrEnd) && !before.ends_with(b",");
            let cost = reading.cost + if empty { price::EMPTY_BEFORE_NAME } else { 0 };
            self.close_for(Reading { cost, ..reading }, Kind::has_names, Want::Name);
        }
        if kind.has_names() && line == NextLine::New {
            // `"a":`, with the next member on the next line.
            let made = self.null(reading, price::MISSING_VALUE_LINE);
            self.go(made, at, Want::Name);
        }
        // `[{"a": 1}, "a": 2}]`: the brace before the key is missing.
        if kind != Kind::Root {
            // `["a": 1, "b": ["c": 2]]`: Swift writes all dictionaries in this form.
            let first = reading.want == Want::ValueOrEnd;
            let again = first && reading.made & (1 << Move::MissingOpener as u64) != 0;
            let cost = price::MISSING_OPENER >> u32::from(again);
            let made = self.made(reading, Move::MissingOpener, (at, at), cost);
            // `"c": "a ":" b"`: keys do not end with a space.
            let spaced = self.text.opens(at).and_then(|(quote, length)| {
                let end = self.text.next_quote(quote, at + length)?;
                Some(self.text.at(end - 1) == b' ')
            });
            let mut made = made;
            if spaced == Some(true) {
                made.cost += price::ODD_NAME;
            }
            let opened = self.open(made, Kind::Implicit, 0);
            self.go(opened, at, Want::Name);
        }
    }

    /// Closes containers up to the innermost outer one of another kind.
    pub(crate) fn close_for(&mut self, reading: Reading, fits: fn(Kind) -> bool, want: Want) {
        let mut closed = reading;
        for _ in 0..CLOSE_AT_ONCE {
            if self.outermost(&closed) {
                return;
            }
            closed = self.close_missing(closed);
            if fits(self.frame(&closed).kind) {
                let closed = self.comma_behind_closed(reading, closed);
                return self.go(closed, reading.at as usize, want);
            }
        }
    }

    /// Returns the hypothesis that continues after missing closers. The comma is missing too unless
    /// it was read before them.
    pub(crate) fn comma_behind_closed(&mut self, before: Reading, closed: Reading) -> Reading {
        // `[1, "b": 2`: the comma has been read already.
        if matches!(before.want, Want::Name | Want::Value) {
            return closed;
        }
        let at = before.at as usize;
        self.made(closed, Move::MissingComma, (at, at), 0)
    }

    /// Returns `true` if no container is open around the innermost one.
    pub(crate) fn outermost(&self, reading: &Reading) -> bool {
        let frame = self.frame(reading);
        frame.kind == Kind::Root || self.kind(frame.parent) == Kind::Root
    }

    /// Closes the innermost container, whose closer is missing.
    pub(crate) fn close_missing(&mut self, reading: Reading) -> Reading {
        let at = reading.at as usize;
        let closed = if self.frame(&reading).kind.is_implied() {
            reading
        } else {
            self.made(
                reading,
                Move::MissingCloser,
                (at, at),
                price::MISSING_CLOSER,
            )
        };
        self.close(closed, at)
    }

    /// Closes the innermost container, which ends at `end`.
    pub(crate) fn close(&mut self, reading: Reading, end: usize) -> Reading {
        let parent = self.frame(&reading).parent;
        let called = self.frame(&reading).kind == Kind::Call;
        let cost = reading.cost + self.price_of_row(&reading);
        let reading = Reading { cost, ..reading };
        let closed = match called && reading.want == Want::Value {
            // `"a": f(...)`: the parentheses are empty.
            true => self.null(reading, price::MISSING_VALUE),
            false if called => reading,
            false => self.with(reading, Event::Close(end as u32, false)),
        };
        // The key of the member around an object is no longer known.
        let expected = match self.frame(&closed).kind.has_names() {
            true => ExpectedValue::ANY,
            false => closed.expected,
        };
        self.after_value(Reading {
            frame: parent,
            at: end as u32,
            expected,
            ..closed
        })
    }
}

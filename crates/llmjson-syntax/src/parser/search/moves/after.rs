//! Moves behind a value: commas, closers, columns.

use crate::parser::search::beam::Search;
use crate::parser::search::moves::value::CLOSE_AT_ONCE;
use crate::parser::search::price;
use crate::parser::search::reading::{
    Kind, Move, NextLine, RAGGED, Reading, SearchContainer, Want,
};
use crate::parser::search::text::Quote;

/// Closers behind a value that are one too many, looked past.
const SURPLUS_LOOK: usize = 16;

impl Search<'_> {
    pub(crate) fn after(&mut self, reading: Reading, line: NextLine) {
        let at = reading.at as usize;
        let named = self.frame(&reading).kind.has_names();
        let more = self.frame(&reading).kind.member();
        if let Some(length) = self.text.comma(at) {
            let made = if self.text.at(at) == b',' {
                reading
            } else {
                self.made(
                    reading,
                    Move::OddSeparator,
                    (at, at + length),
                    price::ODD_SEPARATOR,
                )
            };
            return self.go(made, at + length, more);
        }
        // `[1, 2}`, `{"a": 1]`: all ways to close are weighed, as the column and what follows tell.
        if self.text.closer(at) {
            return self.closer(reading);
        }
        // `{"a": 1: "b": 2}`: a colon in place of the comma, or more of a text.
        if self.text.at(at) == b':' {
            let cost = price::SWAPPED_SEPARATOR;
            let made = self.made(reading, Move::SwappedSeparator, (at, at + 1), cost);
            self.go(made, at + 1, more);
            return self.drop_here(reading);
        }
        // `{"a": 1 "b": 2}`, `[1 2]`: the comma is missing; at a quote alone, that may be too many.
        let opens = self.text.opens(at);
        let starts = if named {
            self.text.name_ahead(at)
        } else {
            self.text.value_starts(at)
        };
        if starts || opens.is_some() {
            return self.missing_comma(reading, more, (line, starts));
        }
        // `[{"a": 1 {"a": 2}]`: no name begins with a bracket, so this object is to be closed.
        if named && matches!(self.text.at(at), b'{' | b'[') {
            self.close_for(reading, |kind| !kind.has_names(), Want::Value);
        }
        if line == NextLine::New && !named {
            let made = self.made(reading, Move::MissingComma, (at, at), price::MISSING_COMMA);
            self.go(made, at, more);
        }
        self.drop_here(reading);
    }

    /// A value or quote stands where a comma belongs.
    fn missing_comma(&mut self, reading: Reading, more: Want, (line, starts): (NextLine, bool)) {
        let at = reading.at as usize;
        let cost = match (line, starts) {
            (NextLine::New, true) => price::MISSING_COMMA_LINE,
            (NextLine::New, false) | (NextLine::Same, true) => price::MISSING_COMMA,
            _ => 2 * price::MISSING_COMMA,
        };
        let opens = self.text.opens(at);
        let behind_quote = at > 0 && self.text.closes(Quote::Double, at - 1) > 0;
        let glued = if opens.is_none() && behind_quote {
            price::GLUED
        } else {
            0
        };
        let made = self.made(reading, Move::MissingComma, (at, at), cost + glued);
        self.go(made, at, more);
        if let Some((_, length)) = opens {
            let cost = price::DOUBLED_QUOTE * if length == 3 { 3 } else { 1 };
            let made = self.made(reading, Move::StrayQuote, (at, at + length), cost);
            self.go(made, at + length, Want::Next);
        }
    }

    /// A closer: that of this container, of one further out, a wrong one, or one too many.
    pub(crate) fn closer(&mut self, reading: Reading) {
        let at = reading.at as usize;
        let sign = self.text.at(at);
        let frame = self.frame(&reading);
        let told = frame.column >= 0 && frame.column != RAGGED;
        let column = self.text.first_on_line(at).filter(|_| told);
        let fits = frame.kind.closer() == sign;
        let off = |frame: &SearchContainer| column.is_some_and(|column| column != frame.indent);
        if fits {
            let closed = self.close(reading, at + 1);
            self.push_indented(closed, off(&frame));
            if !off(&frame) && !self.misfits_behind(frame.parent, at + 1) {
                return;
            }
        }
        // Closers are missing before this one.
        let mut outer = reading;
        for _ in 0..CLOSE_AT_ONCE {
            if self.outermost(&outer) {
                break;
            }
            outer = self.close_missing(outer);
            let frame = self.frame(&outer);
            if frame.kind.closer() == sign {
                let closed = self.close(outer, at + 1);
                self.push_indented(closed, off(&frame));
                if !off(&frame) {
                    break;
                }
            }
        }
        if !fits && frame.kind != Kind::Root {
            let cost = price::WRONG_CLOSER + if off(&frame) { price::INDENT } else { 0 };
            let made = self.made(reading, Move::WrongCloser, (at, at + 1), cost);
            let closed = self.close(made, at + 1);
            self.out.push(closed);
        }
        let made = self.made(
            reading,
            Move::ExtraCloser,
            (at, at + 1),
            price::EXTRA_CLOSER,
        );
        let want = match reading.want {
            want @ (Want::Name | Want::Value) => want,
            _ => Want::Next,
        };
        self.go(made, at + 1, want);
    }

    /// A reading that closed a container whose closer may not stand where its line tells.
    fn push_indented(&mut self, mut closed: Reading, off: bool) {
        if off {
            closed.cost += price::INDENT >> closed.ragged.min(3);
        }
        self.out.push(closed);
    }

    /// Returns `true` if what stands behind a closer cannot go on in the container around it.
    fn misfits_behind(&self, parent: u32, at: usize) -> bool {
        let (mut next, line) = self.text.trivia(at);
        let kind = self.kind(parent);
        // Surplus closers behind the whole: what stands behind them tells.
        while kind == Kind::Root && self.text.closer(next) && next < at + SURPLUS_LOOK {
            next = self.text.trivia(next + 1).0;
        }
        if self.text.ends(next) {
            return false;
        }
        if let Some(length) = self.text.comma(next) {
            let member = self.text.trivia(next + length).0;
            let column = self.frames[parent as usize].column;
            let told = column >= 0 && column != RAGGED;
            if told
                && self
                    .text
                    .first_on_line(member)
                    .is_some_and(|here| here != column)
            {
                return true;
            }
            return match kind {
                // `{"a": 1}, "b": 2`: another member follows, so the closer was one too many.
                Kind::Root => {
                    self.text.name_ahead(member) || self.text.value_starts(member) && !line
                }
                // `[{"a": 1}, "b": 2}]`: no name belongs in a list.
                Kind::Array => self.text.name_ahead(member),
                _ => {
                    !self.text.may_name(member)
                        && !self.text.closer(member)
                        && !self.text.ends(member)
                }
            };
        }
        let byte = self.text.at(next);
        match kind {
            Kind::Root if self.text.closer(next) => byte != b'}',
            Kind::Root => self.text.name_ahead(next) && self.text.opens(next).is_some(),
            _ if self.text.closer(next) => byte != kind.closer(),
            _ => !line,
        }
    }

    /// Members of a container stand in one column. One that does not may belong further out.
    pub(crate) fn member_column(&mut self, reading: Reading) -> Reading {
        let Some(column) = self.text.first_on_line(reading.at as usize) else {
            return reading;
        };
        let frame = self.frame(&reading);
        if frame.column == column || frame.column == RAGGED {
            return reading;
        }
        if frame.column < 0 {
            let frame = self.intern(SearchContainer { column, ..frame });
            return Reading { frame, ..reading };
        }
        let mut outer = reading;
        for _ in 0..CLOSE_AT_ONCE {
            if self.outermost(&outer) {
                break;
            }
            outer = self.close_missing(outer);
            let frame = self.frame(&outer);
            if frame.column == column {
                let want = frame.kind.member();
                let outer = self.comma_behind_closed(reading, outer);
                self.go(outer, reading.at as usize, want);
                break;
            }
        }
        // It costs once for each container, and less each time: where columns vary, they tell nothing.
        let frame = self.intern(SearchContainer {
            column: RAGGED,
            ..frame
        });
        Reading {
            cost: reading.cost + (price::INDENT >> reading.ragged.min(3)),
            frame,
            ragged: reading.ragged.saturating_add(1),
            ..reading
        }
    }
}

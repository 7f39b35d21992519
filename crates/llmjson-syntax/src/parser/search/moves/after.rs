//! Moves after a value: commas, closers, indentation.

use crate::parser::search::beam::Search;
use crate::parser::search::moves::bracket::CLOSE_AT_ONCE;
use crate::parser::search::moves::value::makes_array;
use crate::parser::search::price;
use crate::parser::search::reading::{
    Event, Kind, Move, NextLine, RAGGED, Reading, SearchContainer, StringPlace, TextRole, Want,
};
use crate::parser::search::text::quotes::Quote;
use crate::parser::words::grouped_digits::grouped;

/// Number of events to go back for the key of a member.
const NAME_LOOK: usize = 64;

/// Number of bytes with surplus closers after a value that are looked past.
const SURPLUS_LOOK: usize = 16;

impl Search<'_> {
    pub(crate) fn after(&mut self, reading: Reading, line: NextLine) {
        let at = reading.at as usize;
        let named = self.frame(&reading).kind.has_names();
        if let Some(length) = self.text.comma(at) {
            return self.comma(reading, length);
        }
        // `[1, 2}`, `{"a": 1]`: all ways to close are weighed by the column and the following text.
        if self.closes(reading.frame, at) {
            return self.closer(reading);
        }
        self.aside(reading);
        let frame = self.frame(&reading);
        // `2 (two)`
        if let Some(end) = self.text.remark(at) {
            let made = self.made(reading, Move::StrayText, (at, end), price::REMARK);
            return self.go(made, end, Want::Next);
        }
        // `[1 | 2]`: between items a bar separates them.
        let is_list = matches!(frame.kind, Kind::Array | Kind::Loose);
        if is_list && self.text.at(at) == b'|' && self.text.value_starts(self.text.space(at + 1).0)
        {
            return self.comma(reading, 1);
        }
        // `"a" | "b" | null`
        if let Some(end) = self.text.alternative(at) {
            if self.expects_list(&reading) {
                let by = (Move::Unbracketed, price::UNBRACKETED_EXPECTED);
                return self.list_around(reading, at + 1, Kind::Loose, by);
            }
            let made = self.made(reading, Move::StrayText, (at, end), price::ALTERNATIVE);
            return self.go(made, end, Want::Next);
        }
        // `"p".to_string()`: method calls of a program mean nothing.
        if let Some(end) = self.text.methods(at) {
            let made = self.made(reading, Move::Wrapper, (at, end), price::CALL);
            return self.go(made, end, Want::Next);
        }
        if self.piece(reading) {
            return;
        }
        // `{"a": 1: "b": 2}`: a colon in place of the comma, or more of a string.
        if self.text.at(at) == b':' {
            let cost = price::SWAPPED_SEPARATOR;
            let made = self.made(reading, Move::SwappedSeparator, (at, at + 1), cost);
            self.member(made, at + 1);
            return self.drop_here(reading);
        }
        // `{"a": 1 "b": 2}`, `[1 2]`: the comma is missing; a lone quote may be a surplus one.
        let opens = self.text.opens(at);
        let starts = if named {
            self.text.name_ahead(at)
        } else {
            self.text.value_starts(at)
        };
        if starts || opens.is_some() {
            return self.missing_comma(reading, (line, starts));
        }
        if named {
            self.anchored(reading);
        }
        // `[{"a": 1 {"a": 2}]`: keys do not begin with a bracket, so this object must be closed.
        if named && matches!(self.text.at(at), b'{' | b'[') {
            self.row(reading);
            self.close_for(reading, |kind| !kind.has_names(), Want::Value);
        }
        if line == NextLine::New && !named {
            let made = self.made(reading, Move::MissingComma, (at, at), price::MISSING_COMMA);
            self.member(made, at);
        }
        self.drop_here(reading);
    }

    /// Reads a comma of this length after a value.
    fn comma(&mut self, reading: Reading, length: usize) {
        let at = reading.at as usize;
        let next = self.text.trivia(at + length).0;
        let reading = self.beyond_row(reading, next);
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
        // `"tags": "p", "q", "b": 1`.
        let expected = self.text.names.is_some() && self.expects_list(&reading);
        let word = expected && self.text.char_at(next).is_alphanumeric();
        if self.frame(&reading).kind.has_names()
            && (!self.behind_groups(&reading) || expected)
            && (word || self.text.value_starts(next))
            && !self.text.name_ahead(next)
        {
            let by = (Move::Unbracketed, self.price_of_list(&reading, next));
            self.list_around(made, at + length, Kind::Loose, by);
        }
        self.member(made, at + length);
    }

    /// Reads the beginning of another member or item at `at`.
    fn member(&mut self, reading: Reading, at: usize) {
        let frame = self.frame(&reading);
        if frame.kind != Kind::Call {
            return self.go(reading, at, frame.kind.member());
        }
        // `(1, 2)`: parentheses with a second value enclose an array, unless a call name precedes
        // them.
        if makes_array(self.called(frame.open as usize)) {
            self.list_around(reading, at, Kind::Array, (Move::Tuple, price::TUPLE));
        }
    }

    /// `"p" + "q"`, `("p" "q")`: pieces of one string. Returns `true` if nothing else is likely.
    fn piece(&mut self, reading: Reading) -> bool {
        let at = reading.at as usize;
        let sign = usize::from(self.joins(at));
        let operand = self.text.trivia(at + sign).0;
        if sign == 1
            && self.behind_text(&reading)
            && let Some(end) = self.text.operand(operand)
        {
            // `"p" + name`: the value of the variable is unknown, so it remains as written.
            let made = self.made(reading, Move::Join, (at, operand), price::JOIN_NAME);
            let [start, end] = [operand as u32, end as u32];
            let place = StringPlace {
                begin: start,
                start,
                end,
                next: end,
            };
            let read = self.with(made, Event::Text(place, Quote::Bare, 0));
            self.go(read, end as usize, Want::Next);
            return true;
        }
        let glued = sign == 0 && self.joins_bare(self.frame(&reading).kind, at);
        if (sign == 1 || glued)
            && self.behind_text(&reading)
            && let Some((quote, length)) = self.text.opens(operand)
        {
            let cost = if glued { price::JOIN_BARE } else { price::JOIN };
            let made = self.made(reading, Move::Join, (at, operand), cost);
            let at = operand as u32;
            self.quoted(Reading { at, ..made }, quote, length, TextRole::Value);
            // `("p" "q")` among rows of two items: the comma is missing.
            let called = self.frame(&reading).kind == Kind::Call && !self.in_odd_row(reading.frame);
            return sign == 1 || called;
        }
        false
    }

    /// Returns `true` if an array is expected as the value of the current member.
    pub(crate) fn expects_list(&self, reading: &Reading) -> bool {
        (self.text.names.zip(self.last_name(reading)))
            .is_some_and(|(names, name)| names.is_list(name))
    }

    /// Returns the cost of an array without brackets, whose second item is at `next`.
    fn price_of_list(&self, reading: &Reading, next: usize) -> u32 {
        let expected = self.expects_list(reading) && !self.is_whole_list(reading);
        // In the column of the members a string is more likely a key without a value.
        let here = self.text.first_on_line(next);
        let column = self.frame(reading).column;
        let aside = here.is_some_and(|here| here != column) && column >= 0;
        // `"items": null, "version", "n": 1`: the items of an array have the same type.
        let alike = self.behind_text(reading) && !self.text.space_opens(next);
        let plural = alike
            && self.last_name(reading).is_some_and(|name| {
                name.ends_with('s') && !["ss", "us", "is"].iter().any(|end| name.ends_with(end))
            });
        // `"Ada Smith"`, `"2"` are unlikely keys.
        let name = |(quote, length): (Quote, usize)| {
            let end = self.text.next_quote(quote, next + length)?;
            let inside = &self.text.text[next + length..end];
            Some(inside.starts_with(|c: char| c.is_lowercase()) && !inside.contains(' '))
        };
        match self.text.opens(next).and_then(name) {
            _ if expected => price::UNBRACKETED_EXPECTED,
            Some(true) if !aside && !plural => price::UNBRACKETED_TEXT,
            Some(false) if !alike => price::UNBRACKETED_TEXT,
            _ => price::UNBRACKETED,
        }
    }

    /// Returns the key of the last member.
    fn last_name(&self, reading: &Reading) -> Option<&str> {
        let (mut at, mut depth) = (reading.trail, 0);
        for _ in 0..NAME_LOOK {
            let step = self.trail[at as usize];
            match step.event {
                Event::Close(..) => depth += 1,
                Event::Object(_) | Event::Array(_) => depth -= 1,
                Event::Name(place, ..) if depth == 0 => {
                    return self.text.text.get(place.start as usize..place.end as usize);
                }
                Event::Start => return None,
                _ => {}
            }
            at = step.before;
        }
        None
    }

    /// Returns `true` if the last value is the first or a later group of a number: `1,234`, but not
    /// `1,23` or `1,234,5`.
    fn behind_groups(&self, reading: &Reading) -> bool {
        let Event::Bare(start, ..) = self.trail[reading.trail as usize].event else {
            return false;
        };
        grouped(self.text.bytes, start as usize).is_some_and(|number| {
            let more = self.text.at(number.end) == b',';
            !(more && self.text.at(number.end + 1).is_ascii_digit())
        })
    }

    /// Returns `true` if the last value is a quoted string.
    fn behind_text(&self, reading: &Reading) -> bool {
        let mut at = reading.trail;
        while let Event::Made(Move::Comment | Move::OddSpace, ..) = self.trail[at as usize].event {
            at = self.trail[at as usize].before;
        }
        // `name + "q"`: a variable, since a string is concatenated to it.
        if let Event::Made(Move::Join, ..) = self.trail[at as usize].event {
            at = self.trail[at as usize].before;
            return matches!(self.trail[at as usize].event, Event::Bare(..));
        }
        matches!(self.trail[at as usize].event, Event::Text(..))
    }

    /// Handles a value or quote where a comma is expected.
    fn missing_comma(&mut self, reading: Reading, (line, starts): (NextLine, bool)) {
        let at = reading.at as usize;
        let cost = match (line, starts) {
            (NextLine::New, true) => price::MISSING_COMMA_LINE,
            (NextLine::New, false) | (NextLine::Same, true) => price::MISSING_COMMA,
            _ => 2 * price::MISSING_COMMA,
        };
        let opens = self.text.opens(at);
        let behind_quote = at > 0 && self.text.closes(Quote::Double, at - 1) > 0;
        // `["x"""]`: rather, quotes in a string, unless they are around a key.
        let is_key = self.frame(&reading).kind.has_names() && self.text.name_ahead(at);
        let glued = if behind_quote && !(opens.is_some() && is_key) {
            price::GLUED
        } else {
            0
        };
        let another = self.beyond_row(reading, at);
        let made = self.made(another, Move::MissingComma, (at, at), cost + glued);
        self.member(made, at);
        if let Some((_, length)) = opens {
            let cost = price::DOUBLED_QUOTE * if length == 3 { 3 } else { 1 };
            let made = self.made(reading, Move::StrayQuote, (at, at + length), cost);
            self.go(made, at + length, Want::Next);
        }
    }

    /// Handles a closer: of this container, of an outer one, a wrong one, or a surplus one.
    pub(crate) fn closer(&mut self, reading: Reading) {
        let at = reading.at as usize;
        let sign = self.text.at(at);
        let frame = self.frame(&reading);
        let told = frame.column >= 0 && frame.column != RAGGED;
        let column = self.text.first_on_line(at).filter(|_| told);
        let fits = frame.closer == sign;
        let off = |frame: &SearchContainer| column.is_some_and(|column| column != frame.indent);
        if fits {
            let closed = self.close(reading, at + 1);
            self.push_indented(closed, off(&frame));
            if !off(&frame) && !self.misfits_behind(frame.parent, at + 1) {
                return;
            }
        }
        // Handles missing closers before this one.
        let mut outer = reading;
        for _ in 0..CLOSE_AT_ONCE {
            if self.outermost(&outer) {
                break;
            }
            outer = self.close_missing(outer);
            let frame = self.frame(&outer);
            if frame.closer == sign {
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
        // `[1, }, 2]`: without the closer the comma before it is valid.
        let mut passed = reading;
        let last = self.trail[reading.trail as usize];
        if let Event::Made(Move::ExtraComma, from, to) = last.event
            && from == to
        {
            passed.trail = last.before;
        }
        // `[{"a": 1}, "a": 2}]`: a key of this object is repeated, so that the closer ends it.
        let comma = self.text.comma(self.text.trivia(at + 1).0);
        let next = comma.map(|length| self.text.trivia(self.text.trivia(at + 1).0 + length).0);
        let again = next
            .and_then(|next| self.text.name_at(next))
            .is_some_and(|(name, _)| self.has_name(&reading, &self.text.text[name]));
        let cost = price::EXTRA_CLOSER + if again { price::REPEATED_NAME } else { 0 };
        let made = self.made(passed, Move::ExtraCloser, (at, at + 1), cost);
        let want = match reading.want {
            want @ (Want::Name | Want::Value) => want,
            _ => Want::Next,
        };
        self.go(made, at + 1, want);
    }

    /// Adds a hypothesis that closed a container whose closer may not match the indentation of its
    /// line.
    fn push_indented(&mut self, mut closed: Reading, off: bool) {
        if off {
            closed.cost += price::INDENT >> closed.ragged.min(3);
        }
        self.out.push(closed);
    }

    /// Returns `true` if the token after a closer cannot follow in the outer container.
    fn misfits_behind(&self, parent: u32, at: usize) -> bool {
        let (mut next, line) = self.text.trivia(at);
        let kind = self.kind(parent);
        // Surplus closers after the whole value: the text after them decides.
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
                // `{"a": 1}, "b": 2`: another member follows, so the closer was a surplus one.
                Kind::Root => {
                    self.text.name_ahead(member) || self.text.value_starts(member) && !line
                }
                // `[{"a": 1}, "b": 2}]`: keys do not belong in an array.
                Kind::Array | Kind::Loose | Kind::Call => self.text.name_ahead(member),
                _ if self.objects_elsewhere(parent, member).is_some() => true,
                _ => {
                    !self.text.may_name(member)
                        && !self.closes(parent, member)
                        && !self.text.ends(member)
                }
            };
        }
        let byte = self.text.at(next);
        match kind {
            Kind::Root if self.text.closer(next) => byte != b'}',
            Kind::Root => self.text.name_ahead(next) && self.text.opens(next).is_some(),
            _ if self.closes(parent, next) => byte != self.frames[parent as usize].closer,
            _ => !line,
        }
    }

    /// The members of a container share one column. A member outside it may belong further out.
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
        // The cost applies once per container and falls each time: varying columns prove nothing.
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

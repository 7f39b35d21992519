//! Parses indentation-based notations: YAML, and informal `name: value` lines.

use super::headings::says_farewell;
use super::key::{Key, bullet, key_of, without_marks};
use super::place::{Place, Places};
use super::region::Line;
use super::scalars::{Spelling, bracket_end, is_json, quoted};
use super::tree::{Name, Part, Seen, Value, add};
use super::{DEPTH, Source, table};

/// A reader of lines by their columns.
pub(super) struct Indented<'r, 's> {
    pub(super) text: &'r str,
    pub(super) places: &'r Places<'s>,
    pub(super) lines: Vec<Line>,
    /// The next line.
    pub(super) next: usize,
    /// The line after the last one.
    pub(super) stop: usize,
    pub(super) spelling: Spelling,
    /// Brackets or quotes were unclosed at the end: no others are searched for.
    pub(super) unclosed: bool,
    /// An unknown key after a blank line at the root ends the value.
    pub(super) open_ended: bool,
    /// Lines were read as the continuation of a string to which they may not belong.
    pub(super) doubtful: bool,
}

impl<'r, 's> Indented<'r, 's> {
    pub(super) fn over(source: &Source<'r, 's>, lines: Vec<Line>, spelling: Spelling) -> Self {
        Self {
            text: source.text,
            places: source.places,
            stop: lines.len(),
            lines,
            next: 0,
            spelling,
            unclosed: false,
            open_ended: false,
            doubtful: false,
        }
    }

    /// Reads the value that begins at the next line.
    pub(super) fn node(&mut self, place: Place<'s>, depth: usize) -> Option<Value> {
        self.skip();
        let line = self.line()?;
        if depth >= DEPTH {
            return None;
        }
        let (column, content) = (line.column, line.text(self.text));
        if bullet(content, self.spelling.marks).is_some() {
            return Some(self.list(column, place, depth));
        }
        if content.starts_with('|') && self.spelling.marks {
            return table::nested(self, place).map(|(_, value)| value);
        }
        if self.key().is_some() {
            return Some(self.object(column, place, depth));
        }
        let part = line.at..line.end;
        Some(self.value(part, column, place, depth, true))
    }

    /// Returns the next line. Each access is charged; once the work budget is exhausted, there is
    /// none.
    pub(super) fn line(&self) -> Option<&Line> {
        let line = self.lines[..self.stop].get(self.next);
        self.places
            .charge(line.map_or(0, |line| line.end - line.at));
        line.filter(|_| !self.places.is_used_up())
    }

    fn key(&self) -> Option<Key> {
        let line = self.line()?;
        let known = |name: &str| self.places.knows(name);
        let key = key_of(self.text, line.at..line.end, self.spelling.marks, known);
        key.or_else(|| {
            // Reads a key without a value, whose content is in deeper columns.
            let below = self.lines[..self.stop].get(self.next + 1)?;
            let part = without_marks(self.text, line.at..line.end);
            let is_name = self.spelling.marks && below.column > line.column && !below.is_blank();
            (is_name && known(&self.text[part.clone()])).then_some(Key {
                name: part,
                rest: line.end,
            })
        })
    }

    /// Skips blank lines and comments.
    pub(super) fn skip(&mut self) {
        while let Some(line) = self.line() {
            let content = line.text(self.text);
            let comment = self
                .spelling
                .comment
                .is_some_and(|sign| content.starts_with(sign));
            let comment = comment || self.spelling.separators && content.starts_with("//");
            let border = matches!(content, "---" | "..." | "***" | "___");
            if !(line.is_blank() || comment || border) {
                return;
            }
            self.next += 1;
        }
    }

    fn list(&mut self, column: usize, place: Place<'s>, depth: usize) -> Value {
        let mut items = Vec::new();
        loop {
            let before = self.next;
            self.skip();
            let Some(line) = self.lines[..self.stop].get_mut(self.next) else {
                break;
            };
            let content = line.text(self.text);
            let length = match bullet(content, self.spelling.marks) {
                Some(length) if line.column == column => length,
                _ => {
                    self.next = before;
                    break;
                }
            };
            line.at += length;
            line.column += length;
            if line.is_blank() {
                self.next += 1;
                items.push(self.below(column, place.item(), depth));
            } else {
                items.push(self.node(place.item(), depth + 1).unwrap_or(Value::Null));
            }
        }
        Value::List(items)
    }

    /// Reads the content below a key or bullet in that column, or null if there is none.
    fn below(&mut self, column: usize, place: Place<'s>, depth: usize) -> Value {
        let before = self.next;
        self.skip();
        if self.line().is_some_and(|line| line.column > column) {
            return self.node(place, depth + 1).unwrap_or(Value::Null);
        }
        self.next = before;
        Value::Null
    }

    fn object(&mut self, column: usize, place: Place<'s>, depth: usize) -> Value {
        let (mut members, mut seen) = (Vec::new(), Seen::default());
        let declared = place.has_members();
        loop {
            let before = self.next;
            self.skip();
            let parted = self.next > before;
            let line = self.line();
            let here = line.is_some_and(|line| line.column == column);
            if line.is_some_and(|line| line.text(self.text).starts_with('|'))
                && self.spelling.marks
                && let Some((Some(name), value)) = table::nested(self, place)
                && !seen.has(&name)
            {
                add(
                    &mut members,
                    self.text,
                    (Name::Known(name), value),
                    &mut seen,
                );
                continue;
            }
            let line = self.line().cloned();
            let key = match here {
                true => self.key(),
                false => None,
            };
            let key = key.or_else(|| {
                self.listed(line?, column, place, &seen)
                    .filter(|_| depth > 0)
            });
            let Some(key) = key else {
                self.next = before;
                break;
            };
            let name = &self.text[key.name.clone()];
            let is_own = self.places.has(place, name);
            let foreign = self.open_ended && declared && !is_own && (parted || depth > 1);
            // Reads the next object of an array of consecutive objects.
            let again = depth == 0 && seen.has(name) && self.places.root.wants_list();
            if (foreign && !members.is_empty() && depth == 0) || again {
                self.next = before;
                break;
            }
            let end = self.lines[self.next].end;
            let child = self.places.member(place, name);
            let value = self.member(key.rest..end, column, (place, child), depth);
            add(
                &mut members,
                self.text,
                (Name::At(key.name), value),
                &mut seen,
            );
        }
        Value::Object(members)
    }

    /// Returns the key after a line's bullet, if it continues an object that began without a
    /// bullet.
    fn listed(&self, line: Line, column: usize, place: Place<'s>, seen: &Seen) -> Option<Key> {
        let length = bullet(line.text(self.text), self.spelling.marks)?;
        (self.spelling.marks && line.column >= column).then_some(())?;
        let known = |name: &str| self.places.has(place, name) && !seen.has(name);
        let key = key_of(self.text, line.at + length..line.end, true, known)?;
        known(&self.text[key.name.clone()]).then_some(key)
    }

    /// Reads the value of a member, of which `part` is on the line of its key.
    fn member(
        &mut self,
        part: Part,
        column: usize,
        (outer, place): (Place<'s>, Place<'s>),
        depth: usize,
    ) -> Value {
        let inner = self.text[part.clone()].trim();
        let comment = |sign: &str| {
            inner
                .strip_prefix(sign)
                .is_some_and(|rest| !rest.starts_with(char::is_alphanumeric))
        };
        if !inner.is_empty() && !self.spelling.comment.is_some_and(comment) {
            return self.value(part, column, place, depth, false);
        }
        self.next += 1;
        let before = self.next;
        self.skip();
        let Some(line) = self.line() else {
            return Value::Null;
        };
        let content = line.text(self.text);
        let same = line.column == column;
        let listed = bullet(content, self.spelling.marks).is_some() || content.starts_with('|');
        if line.column > column || same && listed {
            return self.node(place, depth + 1).unwrap_or(Value::Null);
        }
        if same && self.spelling.marks {
            let key = self.key();
            let name = key.as_ref().map(|key| &self.text[key.name.clone()]);
            // `Address:`, with its members below it in the same column.
            let inside = |name| self.places.has(place, name) && !self.places.has(outer, name);
            if place.wants_object() && name.is_some_and(inside) {
                let open = std::mem::replace(&mut self.open_ended, true);
                let value = self.object(column, place, depth + 1);
                self.open_ended = open;
                return value;
            }
            if key.is_none() && place.takes(llmjson_syntax::Kind::String) && self.next == before {
                return self.paragraph(line.at);
            }
        }
        self.next = before;
        Value::Null
    }

    /// Reads lines up to a blank one or a key as a string.
    fn paragraph(&mut self, start: usize) -> Value {
        let mut end = start;
        while let Some(line) = self.line()
            && !line.is_blank()
            && self.key().is_none()
        {
            end = line.end;
            self.next += 1;
        }
        self.spelling.read(self.text, start..end)
    }

    /// Reads a value that begins with `part` on the next line.
    fn value(
        &mut self,
        part: Part,
        column: usize,
        place: Place<'s>,
        depth: usize,
        alone: bool,
    ) -> Value {
        let part = super::scalars::trimmed(self.text, part);
        let part = self.without_tag(part);
        let inner = &self.text[part.clone()];
        let all = part.start
            ..self.lines[..self.stop]
                .last()
                .map_or(part.end, |line| line.end);
        if let Some(style) =
            block_style(inner).filter(|_| !self.spelling.marks || !inner.is_empty())
        {
            self.next += 1;
            return self.block(style, column, alone);
        }
        if inner.starts_with(['{', '[']) && !self.unclosed {
            let end = bracket_end(self.text, all.clone());
            self.places
                .charge(2 * (end.unwrap_or(all.end) - part.start));
            match end {
                Some(end) => {
                    if let Some(value) = self.bracketed(part.start..end, place, depth) {
                        return value;
                    }
                }
                None => self.unclosed = true,
            }
        }
        if inner.starts_with(['"', '\'']) && quoted(self.text, &part).is_none() && !self.unclosed {
            let found = quoted(self.text, &all);
            let end = found.as_ref().map_or(all.end, |(_, end)| *end);
            self.places.charge(end - part.start);
            match found {
                Some((value, end)) => {
                    self.pass(end);
                    return value;
                }
                None => self.unclosed = true,
            }
        }
        self.next += 1;
        let (value, from) = (self.spelling.read(self.text, part.clone()), self.next);
        if !matches!(value, Value::Plain(_)) {
            return value;
        }
        // Reads a long string that continues in deeper columns.
        let mut end = part.end;
        while let Some(line) = self.line()
            && line.column > column
            && !line.is_blank()
            && self.key().is_none()
            && bullet(line.text(self.text), self.spelling.marks).is_none()
        {
            end = line.end;
            self.next += 1;
        }
        let mut sign = " ";
        if self.next == from && self.goes_on(column, place) {
            (sign, self.doubtful) = ("\n", true);
            while self.goes_on(column, place) {
                end = self.lines[self.next].end;
                self.next += 1;
            }
        }
        if self.next == from {
            return value;
        }
        let joined = self.text[part.start..end].split('\n').map(str::trim);
        Value::Made(joined.collect::<Vec<_>>().join(sign))
    }

    /// Returns `true` if the next line continues a string that people write below its key, in the
    /// same column.
    fn goes_on(&self, column: usize, place: Place<'s>) -> bool {
        let line = self
            .line()
            .filter(|_| self.spelling.marks && place.wants_text());
        line.is_some_and(|line| {
            let content = line.text(self.text);
            line.column == column
                && content.starts_with(char::is_alphanumeric)
                && place.takes_any_text()
                && self.key().is_none()
                && bullet(content, true).is_none()
                && !says_farewell(content)
        })
    }

    /// Continues after the line of an offset.
    fn pass(&mut self, end: usize) {
        while self.line().is_some_and(|line| line.start < end) {
            self.next += 1;
        }
    }

    /// Skips a YAML tag or anchor before a value.
    fn without_tag(&self, part: Part) -> Part {
        let inner = &self.text[part.clone()];
        if self.spelling.marks || !(inner.starts_with("!!") || inner.starts_with('&')) {
            return part;
        }
        let length = inner.find(' ').unwrap_or(inner.len());
        super::scalars::trimmed(self.text, part.start + length..part.end)
    }

    /// Reads a container in brackets: JSON, or lines of keys and values in braces, or items line by
    /// line.
    fn bracketed(&mut self, part: Part, place: Place<'s>, depth: usize) -> Option<Value> {
        let line_end = self.lines[self.next].end;
        let last = self.text[part.end..].lines().next().unwrap_or_default();
        if !self.spelling.ends(last) && !last.trim_start().starts_with([']', '}']) {
            return None;
        }
        if is_json(self.text, part.clone()) || part.end <= line_end {
            self.pass(part.end);
            return Some(Value::Json(part));
        }
        let is_object = self.text[part.clone()].starts_with('{');
        self.next += 1;
        let inside = self.lines[self.next..self.stop].partition_point(|line| line.end < part.end);
        let stop = (self.next + inside + 1).min(self.stop);
        // The closing bracket is not one of the lines, but may be at the end of the last one.
        if let Some(last) = self.lines[..stop].last_mut() {
            let inner = self.text[last.at..(part.end - 1).max(last.at)].trim_end();
            last.end = last.at + inner.len();
        }
        let outer = std::mem::replace(&mut self.stop, stop);
        let spelling = self.spelling;
        self.spelling.separators = true;
        let open = std::mem::take(&mut self.open_ended);
        let value = match is_object {
            true => self.node(place, depth + 1),
            false => Some(self.items(place.item(), depth + 1)),
        };
        (self.spelling, self.open_ended) = (spelling, open);
        self.stop = outer;
        self.pass(part.end);
        value
    }

    /// Reads items line by line up to the end of the lines.
    fn items(&mut self, place: Place<'s>, depth: usize) -> Value {
        let mut items = Vec::new();
        loop {
            self.skip();
            let Some(line) = self.line() else {
                break;
            };
            let (part, column, before) = (line.at..line.end, line.column, self.next);
            items.push(match depth < DEPTH {
                true => self.value(part, column, place, depth, false),
                false => Value::Null,
            });
            self.next = self.next.max(before + 1);
        }
        Value::List(items)
    }

    /// Reads the lines of a block scalar below a key or bullet of that column.
    fn block(&mut self, style: char, column: usize, alone: bool) -> Value {
        let floor = if alone { 0 } else { column + 1 };
        let (first, mut base) = (self.next, None);
        while let Some(line) = self.line() {
            if !line.is_blank() {
                let own = line.at - line.start;
                if line.column < floor || base.is_some_and(|base| own < base) {
                    break;
                }
                base = base.or(Some(own));
            }
            self.next += 1;
        }
        let base = base.unwrap_or_default();
        let lines = self.lines[first..self.next].iter();
        let lines = lines.map(|line| match line.is_blank() {
            true => "",
            false => &self.text[line.start + base..line.end],
        });
        let mut out = String::new();
        for (index, line) in lines.enumerate() {
            let spaced = !(out.is_empty() || out.ends_with('\n'));
            match style {
                '>' if line.is_empty() => out.push('\n'),
                '>' if spaced => out.push(' '),
                '>' => {}
                _ if index > 0 => out.push('\n'),
                _ => {}
            }
            out.push_str(line);
        }
        Value::Made(out.trim_end_matches('\n').to_owned())
    }
}

/// Returns the indicator of a block scalar: `|` for `|-`.
fn block_style(inner: &str) -> Option<char> {
    let head = inner.split(" #").next().unwrap_or_default().trim_end();
    let sign = head
        .chars()
        .next()
        .filter(|sign| matches!(sign, '|' | '>'))?;
    let is_head = head.len() <= 3
        && head[1..]
            .chars()
            .all(|c| matches!(c, '-' | '+' | '0'..='9'));
    is_head.then_some(sign)
}

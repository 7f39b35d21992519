//! Replies without containers: one string, number or keyword, perhaps fenced, quoted otherwise, cut.

#[cfg(test)]
mod tests;

use alloc::vec::Vec;

use crate::base::repair::{Class, RepairKind};
use crate::base::span::Span;
use crate::parser::look::Look;
use crate::parser::look::quotes::{closers, quote_at};
use crate::parser::state::reader::Reader;
use crate::parser::state::step::{KeySpan, scalar};
use crate::parser::words::grouped_digits::grouped;
use crate::parser::words::word;
use crate::reply::found::ReplySearch;
use crate::scan;
use crate::scan::{escape, number, peek, skip_space};
use crate::tape::marks::{Mark, MarkKind};
use crate::tape::{Node, Tag, flag};

impl Reader<'_> {
    /// Reads a text that is one JSON scalar and nothing else.
    pub(crate) fn strict_scalar(&mut self, k: usize) -> bool {
        let bytes = self.look.bytes;
        let (node, end) = match bytes[k] {
            b'"' => match scan::quoted(bytes, k + 1) {
                // `"x"`: strict JSON, unless the string holds what JSON forbids.
                Some(quoted) if !quoted.suspect || self.allowed(k + 1, quoted.end) => {
                    let mut node = scalar(KeySpan::NONE, Tag::String, k + 1, quoted.end);
                    node.flags = quoted.flags;
                    (node, quoted.end + 1)
                }
                _ => return false,
            },
            // `42`
            b'-' | b'0'..=b'9' => match number::scan(bytes, k) {
                Some(number) => {
                    let tag = if number.float {
                        Tag::Float
                    } else {
                        Tag::Integer
                    };
                    (scalar(KeySpan::NONE, tag, k, number.end), number.end)
                }
                None => return false,
            },
            // `true`
            _ => match keyword(&bytes[k..]) {
                Some((tag, length)) => (scalar(KeySpan::NONE, tag, k, k + length), k + length),
                None => return false,
            },
        };
        if skip_space(bytes, end).1 < bytes.len() {
            return false;
        }
        self.tape.root = self.tape.nodes.len() as u32;
        self.tape.nodes.push(node);
        true
    }

    /// Returns whether a suspect string holds nothing that JSON forbids: `a\u00e9` does not, while a tab is forbidden.
    fn allowed(&mut self, start: usize, end: usize) -> bool {
        let (repairs, notes) = (self.tape.repairs.len(), self.tape.notes.len());
        self.inspect(start, end);
        let allowed = self.tape.repairs.len() == repairs;
        self.tape.repairs.truncate(repairs);
        self.tape.notes.truncate(notes);
        allowed
    }

    /// A text that is one string, damaged only inside.
    pub(crate) fn quoted_whole(&mut self) -> Option<bool> {
        let (byte, k) = self.look.skip_space(0);
        if byte != b'"' {
            return None;
        }
        let mut end = self.look.quoted_at(k + 1)?.end;
        if self.look.skip_space(end + 1).1 < self.look.bytes.len() {
            // A quote with more text right behind it is one inside, if another ends the line.
            let line = self.look.text[k..].trim_end();
            let next = peek(self.look.bytes, end + 1);
            let inner = !line.contains('\n')
                && line.ends_with('"')
                && (next.is_ascii_alphanumeric() || matches!(next, b']' | b'}' | b')'));
            if !inner {
                return None;
            }
            end = k + line.len() - 1;
            self.repair(RepairKind::InnerQuote, k + 1, end);
        }
        let mut node = scalar(KeySpan::NONE, Tag::String, k + 1, end);
        node.flags = self.inspect_all(k + 1, end);
        self.tape.root = self.tape.nodes.len() as u32;
        self.tape.nodes.push(node);
        Some(true)
    }

    /// A reply without containers: one scalar, perhaps fenced, quoted otherwise or cut.
    pub(crate) fn scalar_reply(&mut self, found: &mut ReplySearch) -> Option<bool> {
        self.readings.marks = core::mem::take(&mut found.zones.marks);
        // A block of reasoning that never ends holds no answer.
        let ended = found.zones.place.thought.is_none();
        let (start, end) = ended.then(|| self.bare_reply())??;
        let (mut byte, mut k) = self.look.skip_space(start);
        let recorded = self.tape.repairs.len();
        while k < end
            && let Some(next) = self.skip_trivia(k)
        {
            (byte, k) = self.look.skip_space(next);
        }
        if !self.nested {
            // `// so\n42`: the comment is recorded with all that stands around the value.
            self.tape.repairs.truncate(recorded);
        }
        if k >= end {
            return None;
        }
        let end = self.look.before_comments(k, end);
        let text = self.look.text[k..end].trim_end();
        let text = text.trim_end_matches([',', ';']).trim_end();
        let stop = k + text.len();
        let root = self.tape.nodes.len();
        if let Some(complete) = self.list_reply(k, stop) {
            return Some(complete);
        }
        let read = match quote_at(self.look.text, k) {
            Some(quote) => self.quoted_reply(k, stop, quote),
            // `+5`, `12:30`, `2025-01-01`
            None if byte.is_ascii_digit() || matches!(byte, b'-' | b'+' | b'.') => {
                self.number_reply(k, stop)
            }
            None => self.word_reply(k, stop),
        };
        let (node, complete) = read?;
        self.tape.nodes.push(node);
        self.tape.root = root as u32;
        self.record_around(Span::of(k, stop));
        Some(complete)
    }

    /// Returns whether one string in quotes is all of a reply but for a fence around it and comments behind it, as in
    /// `"a {" // b`.
    pub(crate) fn string_alone(&self, found: &mut ReplySearch) -> bool {
        let look = self.look;
        let (mut byte, mut k) = look.skip_space(0);
        if let Some(fence) = found.pass_mark(look, k).filter(Mark::is_fence) {
            let line = memchr::memchr(b'\n', &look.bytes[fence.end..]).unwrap_or(0);
            (byte, k) = look.skip_space(fence.end + line);
        }
        let string = (byte == b'"').then(|| look.quoted_at(k + 1)).flatten();
        let Some(string) = string else {
            return false;
        };
        let mut at = look.skip_space(string.end + 1).1;
        while at < look.bytes.len()
            && let Some(mark) = found.pass_mark(look, at)
            && (mark.kind == MarkKind::Comment || mark.is_fence())
        {
            at = look.skip_space(mark.end).1;
        }
        at >= look.bytes.len()
    }

    /// Returns the part of the reply that is no fence and no reasoning, if there is just one: that from 8 on of
    /// `</think> 42`.
    fn bare_reply(&self) -> Option<(usize, usize)> {
        let (look, marks) = (self.look, &self.readings.marks[..]);
        let thoughts = marks.iter().rposition(Mark::ends_thought);
        let start = thoughts.map_or(0, |last| marks[last].end);
        let rest = &marks[thoughts.map_or(0, |last| last + 1)..];
        let k = look.skip_space(start).1;
        let Some(fence) = rest.first().filter(|one| one.is_fence() && one.start == k) else {
            return Some((start, look.bytes.len()));
        };
        let line = memchr::memchr(b'\n', &look.bytes[k..]).map(|line| k + line)?;
        let language = look.text[k..line].trim_start_matches(['`', '~']).trim();
        // A line such as ```` ```x = "a" ```` is code and not the name of a language.
        if language.contains([' ', '"']) {
            return None;
        }
        let mut closers = rest
            .iter()
            .filter(|one| one.is_fence() && one.start > fence.start);
        let Some(close) = closers.find(|one| look.line_begins(one.start)) else {
            return Some((line, look.bytes.len()));
        };
        let behind = look.text[close.start..].trim_matches(['\n', '`', '~', ' ', '\r', '\t']);
        behind.is_empty().then_some((line, close.start))
    }

    /// A string on its own: the last quote ends it. Without one the text was cut.
    fn quoted_reply(&mut self, k: usize, stop: usize, quote: char) -> Option<(Node, bool)> {
        let start = k + quote.len_utf8();
        let inside = self.look.text.get(start..stop)?;
        // `"a" + "b"`
        if let Some(joined) = self.joined_reply(k, stop, quote) {
            return Some(joined);
        }
        let closed = quote_at(
            inside,
            inside.char_indices().next_back().map_or(0, |(at, _)| at),
        );
        let escaped = inside.strip_suffix('"').is_some_and(|text| {
            text.bytes().rev().take_while(|&byte| byte == b'\\').count() % 2 == 1
        });
        if let Some(close) = closed.filter(|_| !escaped && !inside.is_empty()) {
            let end = stop - close.len_utf8();
            let inner = match quote {
                '"' if close != '"' => return None,
                '"' => self.look.closing_quote_from(start, start)?,
                _ => {
                    let found = self.look.next_quote(start, closers(quote));
                    found.map_or(end, |(at, _)| at)
                }
            };
            // Inner quotes: prose about a quotation is no string.
            if inner < end && self.look.text[start..end].contains("\n\n") {
                return None;
            }
            if quote != '"' {
                self.repair(RepairKind::OtherQuotes, k, stop);
            }
            if inner < end {
                let class = self.look.class_of_inner(inner);
                self.repair_as(RepairKind::InnerQuote, class, start, end);
            }
            let mut node = scalar(KeySpan::NONE, Tag::String, start, end);
            node.flags = self.inspect_all(start, end);
            return Some((node, true));
        }
        let inner = match quote {
            '"' => self
                .look
                .closing_quote_from(start, start)
                .is_some_and(|at| at < stop),
            _ => inside.contains(quote) && !escaped,
        };
        if inner {
            return None;
        }
        if quote != '"' {
            self.repair(RepairKind::OtherQuotes, k, start);
        }
        Some((self.cut_string(start, stop), false))
    }

    /// A string that the text was cut inside of: half an escape is no character.
    fn cut_string(&mut self, start: usize, stop: usize) -> Node {
        let end = start + escape::whole_escapes(&self.look.text[start..stop]);
        if end < stop {
            self.repair(RepairKind::CutEscape, end, stop);
        }
        self.repair(RepairKind::UnclosedString, end, end);
        let mut node = scalar(KeySpan::NONE, Tag::String, start, end);
        node.flags = self.inspect_all(start, end) | flag::TRUNCATED;
        node
    }

    /// `"a" + "b"`.
    fn joined_reply(&mut self, k: usize, stop: usize, quote: char) -> Option<(Node, bool)> {
        let (start, end, behind) = self.look.piece(k, quote)?;
        let (byte, plus) = self.look.skip_space(behind);
        let next = self.look.beyond_trivia(plus + 1).1;
        if byte != b'+' || next >= stop || quote_at(self.look.text, next).is_none() {
            return None;
        }
        let (repairs, notes) = (self.tape.repairs.len(), self.tape.notes.len());
        if quote != '"' {
            self.repair(RepairKind::OtherQuotes, k, behind);
        }
        let mut first = scalar(KeySpan::NONE, Tag::String, start, end);
        first.flags = self.inspect_all(start, end);
        self.tape.nodes.push(first);
        let joined = self.join_all(plus, stop);
        let node = self.tape.nodes.pop()?;
        if !joined {
            self.tape.repairs.truncate(repairs);
            self.tape.notes.truncate(notes);
        }
        joined.then_some((node, !node.has(flag::TRUNCATED)))
    }

    /// Appends the strings behind the sign at `plus` to the one read last. Tells whether they reach to `stop`.
    fn join_all(&mut self, plus: usize, stop: usize) -> bool {
        let last = self.tape.nodes.len() - 1;
        let mut next = self.behind_sign(plus);
        while let Some(quote) = quote_at(self.look.text, next) {
            let Some((start, inside_end, end)) = self.look.piece(next, quote) else {
                if quote != '"' {
                    self.repair(RepairKind::OtherQuotes, next, next + quote.len_utf8());
                }
                let piece = self.cut_string(next + quote.len_utf8(), stop);
                self.join_piece(last, &piece, stop);
                return true;
            };
            if quote != '"' {
                self.repair(RepairKind::OtherQuotes, next, end);
            }
            let mut piece = scalar(KeySpan::NONE, Tag::String, start, inside_end);
            piece.flags = self.inspect_all(start, inside_end);
            self.join_piece(last, &piece, end);
            let (byte, plus) = self.look.skip_space(end);
            if byte != b'+' || plus >= stop {
                return plus >= stop;
            }
            next = self.behind_sign(plus);
        }
        false
    }

    /// Returns the offset of what stands behind a sign, and records the comments before it.
    fn behind_sign(&mut self, sign: usize) -> usize {
        let mut at = skip_space(self.look.bytes, sign + 1).1;
        while let Some(next) = self.skip_trivia(at) {
            at = skip_space(self.look.bytes, next).1;
        }
        at
    }

    /// Scalars one after another, parted by commas or line breaks. `1,234` is one number.
    fn list_reply(&mut self, k: usize, stop: usize) -> Option<bool> {
        let text = &self.look.text[k..stop];
        if grouped(self.look.bytes, k).is_some_and(|number| number.end == stop) {
            return None;
        }
        let mut items = Vec::new();
        for part in text.split([',', '\n']) {
            let item = part.trim();
            let start = k + (item.as_ptr() as usize - text.as_ptr() as usize);
            let end = start + item.len();
            let node = if number::is_json(item) {
                scalar(
                    KeySpan::NONE,
                    crate::scan::number::number_tag(item),
                    start,
                    end,
                )
            } else {
                let (tag, _) =
                    keyword(item.as_bytes()).filter(|&(_, length)| length == item.len())?;
                scalar(KeySpan::NONE, tag, start, end)
            };
            items.push(node);
        }
        if items.len() < 2 {
            return None;
        }
        let mut list = scalar(KeySpan::NONE, Tag::Array, k, stop);
        let root = self.tape.nodes.len() as u32;
        self.tape.root = root;
        list.next = root + 1 + items.len() as u32;
        self.tape.nodes.push(list);
        self.tape.set_count(root, items.len() as u32);
        self.tape.nodes.extend(items);
        self.repair(RepairKind::SeveralValues, k, stop);
        self.record_around(Span::of(k, stop));
        Some(true)
    }

    fn number_reply(&mut self, k: usize, stop: usize) -> Option<(Node, bool)> {
        let text = &self.look.text[k..stop];
        if number::is_json(text) {
            let tag = crate::scan::number::number_tag(text);
            return Some((scalar(KeySpan::NONE, tag, k, stop), true));
        }
        if let Some(number) = word::cut_number(text) {
            self.repair(RepairKind::CutNumber, k + number.len(), stop);
            let tag = crate::scan::number::number_tag(number);
            let mut node = scalar(KeySpan::NONE, tag, k, k + number.len());
            node.flags = flag::TRUNCATED;
            return Some((node, false));
        }
        if !text.bytes().any(|byte| byte.is_ascii_digit()) {
            return None;
        }
        let number = grouped(self.look.bytes, k).filter(|number| number.end == stop);
        // `12:30` or `2025-01-01` is one value. `5 apples` is prose, which holds no value.
        let single = !text.contains([' ', '\n', ',', ':']) || number_like(text) || number.is_some();
        let node = scalar(KeySpan::NONE, Tag::Null, k, stop);
        let node = self.word(node, k, stop);
        if !single {
            self.tape.repairs.pop();
            return None;
        }
        // `1,234` may as well be two numbers.
        if number.is_some_and(|number| number.groups == 1 && !number.fraction)
            && let Some(last) = self.tape.repairs.last_mut()
        {
            last.class = Class::Guess;
        }
        Some((node, true))
    }

    fn word_reply(&mut self, k: usize, stop: usize) -> Option<(Node, bool)> {
        let text = &self.look.text[k..stop];
        let (word, kind) = word::classify(text);
        let tag = match word {
            word::Word::Null => Tag::Null,
            word::Word::Bool(true) => Tag::True,
            word::Word::Bool(false) => Tag::False,
            _ if kind == RepairKind::NotANumber => Tag::String,
            _ => return self.cut_or_wrapped(k, stop),
        };
        if !matches!(text, "null" | "true" | "false") {
            self.repair(kind, k, stop);
        }
        Some((scalar(KeySpan::NONE, tag, k, stop), true))
    }

    fn cut_or_wrapped(&mut self, k: usize, stop: usize) -> Option<(Node, bool)> {
        let text = &self.look.text[k..stop];
        // `tr`: the text ends, so more of the keyword may be missing.
        if let Some(tag) = word::cut_keyword(text).filter(|_| stop == self.look.bytes.len()) {
            self.repair(RepairKind::CutKeyword, k, stop);
            let mut node = scalar(KeySpan::NONE, tag, k, stop);
            node.flags = flag::TRUNCATED;
            return Some((node, false));
        }
        // `callback(2);`
        let name = text.find(|c: char| !c.is_ascii_alphanumeric() && c != '_')?;
        let inside = text[name..]
            .trim_start()
            .strip_prefix('(')?
            .strip_suffix(')')?;
        let value = inside.trim();
        let start = k + (value.as_ptr() as usize - text.as_ptr() as usize);
        let end = start + value.len();
        let first = *value.as_bytes().first()?;
        let node = if number::is_json(value) {
            scalar(
                KeySpan::NONE,
                crate::scan::number::number_tag(value),
                start,
                end,
            )
        } else if let Some((tag, length)) = keyword(value.as_bytes()) {
            if length != value.len() {
                return None;
            }
            scalar(KeySpan::NONE, tag, start, end)
        } else if first == b'"' && self.look.quoted_at(start + 1)?.end + 1 == end {
            let mut node = scalar(KeySpan::NONE, Tag::String, start + 1, end - 1);
            node.flags = self.inspect_all(start + 1, end - 1);
            node
        } else {
            return None;
        };
        self.repair(RepairKind::Wrapper, k, start);
        Some((node, true))
    }
}

impl Look<'_> {
    /// Returns the place of the inside of a text in quotes at `k`, and the offset behind it: 1, 2 and 3 of `'a'`.
    fn piece(&self, k: usize, quote: char) -> Option<(usize, usize, usize)> {
        let start = k + quote.len_utf8();
        if quote == '"' {
            return self.quoted_at(start).map(|it| (start, it.end, it.end + 1));
        }
        let (end, closer) = self.next_quote(start, closers(quote))?;
        Some((start, end, end + closer.len_utf8()))
    }

    /// Returns the certainty that the quote at `at` is one inside a string: likely in `'it's'`, and a guess in
    /// `'a' or 'b'`, where it may as well end a string.
    fn class_of_inner(&self, at: usize) -> Class {
        match self.text[at..].chars().nth(1) {
            Some(next) if next.is_alphanumeric() => RepairKind::InnerQuote.class(),
            _ => Class::Guess,
        }
    }

    /// Returns the offset before which a scalar at `k` ends, if nothing but comments stand behind it up to `end`: 2 for
    /// `7 // a`, not for `7 // 2`, which is a calculation.
    fn before_comments(&self, k: usize, end: usize) -> usize {
        let string = match quote_at(self.text, k) {
            Some('"') => self.quoted_at(k + 1).map(|quoted| quoted.end + 1),
            Some(quote) => {
                let close = self.next_quote(k + quote.len_utf8(), closers(quote));
                close.map(|(at, quote)| at + quote.len_utf8())
            }
            None => Some(k),
        };
        let Some(from) = string.filter(|&from| from < end) else {
            return end;
        };
        let mut signs = memchr::memchr2_iter(b'/', b'<', &self.bytes[from..end]);
        let first = signs.find_map(|at| Some((from + at, self.comment_apart(from + at)?)));
        let Some((comment, behind)) = first else {
            return end;
        };
        let calculates = || {
            let operand = self.text[comment..behind].trim_start_matches(['/', ' ']);
            operand.starts_with(|c: char| c.is_ascii_digit())
        };
        match self.beyond_trivia(behind).1 >= end && !calculates() {
            true => comment,
            false => end,
        }
    }
}

/// Returns the keyword at the beginning, and its length: 4 of `true`.
pub(crate) fn keyword(bytes: &[u8]) -> Option<(Tag, usize)> {
    match bytes {
        [b't', b'r', b'u', b'e', ..] => Some((Tag::True, 4)),
        [b'f', b'a', b'l', b's', b'e', ..] => Some((Tag::False, 5)),
        [b'n', b'u', b'l', b'l', ..] => Some((Tag::Null, 4)),
        _ => None,
    }
}

/// Returns whether a text of digits and signs may be one value, a date, a version, an identifier: `12:30` may, `5 kg`
/// may not.
fn number_like(text: &str) -> bool {
    text.len() <= 64
        && text
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b"-+.:/_".contains(&byte))
}

//! Replies without containers: one string, number or keyword, possibly fenced, in nonstandard
//! quotes, or truncated.

use crate::base::repair::{Class, Repair, RepairKind};
use crate::base::span::Span;
use crate::parser::look::Look;
use crate::parser::look::quotes::quote_at;
use crate::parser::state::reader::Reader;
use crate::parser::state::step::{KeySpan, scalar};
use crate::parser::words::grouped_digits::grouped;
use crate::parser::words::word;
use crate::reply::found::ReplySearch;
use crate::scan;
use crate::scan::{number, peek, skip_space};
use crate::tape::marks::{Mark, MarkKind, marks_before};
use crate::tape::{Node, Tag};

/// Maximum length of a word that is a number or a keyword.
const WORD_BYTES: usize = 64;

impl Reader<'_> {
    /// Reads a text that consists of one JSON scalar.
    pub(crate) fn strict_scalar(&mut self, k: usize) -> bool {
        let bytes = self.look.bytes;
        let (node, end) = match bytes[k] {
            b'"' => match scan::quoted(bytes, k + 1) {
                // `"x"`: strict JSON, unless the string contains characters that JSON forbids.
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

    /// Returns `true` if a suspect string contains nothing that JSON forbids: true for `a\u00e9`,
    /// false for a tab.
    fn allowed(&mut self, start: usize, end: usize) -> bool {
        let (repairs, notes) = (self.tape.repairs.len(), self.tape.notes.len());
        self.inspect(start, end);
        let allowed = self.tape.repairs.len() == repairs;
        self.tape.repairs.truncate(repairs);
        self.tape.notes.truncate(notes);
        allowed
    }

    /// Reads a reply without containers: one scalar or several, possibly fenced, truncated or in
    /// other quotes. It is read like the items of an array without brackets.
    pub(crate) fn scalar_reply(&mut self, found: &mut ReplySearch) -> Option<bool> {
        self.readings.marks = core::mem::take(&mut found.zones.marks);
        // A reasoning block that never ends contains no answer.
        let ended = found.zones.place.thought.is_none();
        let (start, end) = ended.then(|| self.bare_reply())??;
        let mut k = self.look.skip_space(start).1;
        let recorded = self.tape.repairs.len();
        while k < end
            && let Some(next) = self.skip_trivia(k)
        {
            k = self.look.skip_space(next).1;
        }
        // `// so\n42`: the comment is recorded with the rest of the text around the value.
        self.tape.repairs.truncate(recorded);
        if k >= end {
            return None;
        }
        let stop = self.look.end_of_scalar(&self.readings.marks, k, end);
        let (root, notes) = (self.tape.nodes.len(), self.tape.notes.len());
        let repairs = self.tape.repairs.len();
        let number = grouped(self.look.bytes, k).filter(|number| number.end == stop);
        let mut value = root;
        let complete = if let Some(number) = number {
            let node = self.word(scalar(KeySpan::NONE, Tag::Null, k, stop), k, stop);
            self.tape.nodes.push(node);
            // `1,234` may equally be two numbers.
            if number.groups == 1 && !number.fraction {
                self.tape.repairs.last_mut()?.class = Class::Guess;
            }
            true
        } else {
            if !self.look.may_be_scalar(k, stop) {
                return None;
            }
            let read = self.read_until(stop, |reader| reader.read_unbracketed(Tag::Array, k));
            // `true]`, `true]}`: the end of another array.
            let closed = &self.look.bytes[..self.tape.nodes[root].end as usize];
            let is_whole = read.end >= stop && !closed.ends_with(b"]");
            let taken = is_whole && self.are_scalars((root, repairs), (k, stop), read.complete);
            if taken && self.tape.nodes[root].count == 1 {
                value += 1;
            } else if taken {
                self.tape.repairs.truncate(repairs);
                self.repair(RepairKind::SeveralValues, k, stop);
            } else {
                self.take_value_back(root, repairs, notes);
                self.between_quotes(k, stop)?;
            }
            read.complete || !taken
        };
        self.tape.root = value as u32;
        self.record_around(Span::of(k, stop));
        Some(complete)
    }

    /// Reads a text that begins and ends with a quote as one string: `"a" "b"`, `` `a´ ``.
    fn between_quotes(&mut self, k: usize, stop: usize) -> Option<()> {
        let text = &self.look.text[k..stop];
        let open = quote_at(text, 0)?;
        let (last, _) = text.char_indices().next_back()?;
        let close = quote_at(text, last)?;
        let (start, end) = (k + open.len_utf8(), k + last);
        let inside = self.look.text.get(start..end)?;
        if inside.contains("\n\n") || open == '"' && close != '"' {
            return None;
        }
        if open != '"' {
            self.repair(RepairKind::OtherQuotes, k, stop);
        }
        if inside.contains([open, close]) {
            self.repair_as(RepairKind::InnerQuote, Class::Guess, start, end);
        }
        let mut node = scalar(KeySpan::NONE, Tag::String, start, end);
        node.flags = self.inspect_all(start, end);
        self.tape.nodes.push(node);
        Some(())
    }

    /// Returns `false` if the items of the array at `root` are words, containers, or part of a
    /// string.
    fn are_scalars(
        &self,
        (root, repairs): (usize, usize),
        (k, stop): (usize, usize),
        complete: bool,
    ) -> bool {
        let (list, text) = (self.tape.nodes[root], &self.look.text[k..stop]);
        let items = &self.tape.nodes[root + 1..];
        let (several, parted) = (list.count > 1, text.contains("\n\n"));
        self.look.charge_search(text.len());
        let refused = |one: &Repair| match one.kind {
            RepairKind::UnquotedString | RepairKind::StrayText => true,
            // `7 // 2`
            RepairKind::Comment => several || self.look.calculates(one.span.start as usize),
            // `1 2`, `'a' +`
            RepairKind::MissingComma => one.class == Class::Guess || !several,
            // If more text follows, a word is not truncated.
            RepairKind::CutKeyword => {
                stop < self.look.bytes.len() && word::classify(text).1 == RepairKind::UnquotedString
            }
            // `12:30` or `2025-01-01` is one value. `5 apples` is prose without a value.
            RepairKind::NumberAsText => {
                let is_long = text.len() > WORD_BYTES;
                is_long || text.contains([' ', '\n', ',', ':']) && !number_like(text)
            }
            // `"a" + b`: the text ends with a variable.
            RepairKind::JoinedStrings => complete && !text.ends_with(['"', '\'', '`', '”', '’']),
            // Prose about a quotation is not a string.
            RepairKind::InnerQuote => parted,
            RepairKind::UnclosedString => one.class == Class::Guess,
            _ => several,
        };
        // `set("a")`: the only item is an array in parentheses.
        let tuple = |one: &Node| !several && peek(self.look.bytes, one.start as usize) == b'(';
        let of_tuple = items
            .first()
            .is_some_and(|one| one.tag == Tag::Array && tuple(one));
        let nested = items[usize::from(of_tuple)..]
            .iter()
            .any(Node::is_container);
        list.count > 0 && !nested && !self.tape.repairs[repairs..].iter().any(refused)
    }

    /// Returns `true` if a reply is a single quoted string apart from a fence around it and
    /// comments after it, as in `"a {" // b`. Brackets in it open no values.
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
        // `"He said "no""`: a quote directly followed by more text is an inner one, if another one
        // ends the line.
        let line = look.text[k..].trim_end();
        let next = peek(look.bytes, string.end + 1);
        let inner = next.is_ascii_alphanumeric() || matches!(next, b']' | b'}' | b')');
        if inner && line.ends_with('"') && !line.contains('\n') {
            return true;
        }
        let mut at = look.skip_space(string.end + 1).1;
        while at < look.bytes.len()
            && let Some(mark) = found.pass_mark(look, at)
            && (mark.kind == MarkKind::Comment || mark.is_fence())
        {
            at = look.skip_space(mark.end).1;
        }
        at >= look.bytes.len()
    }

    /// Returns the part of the reply other than fences and reasoning, if there is exactly one: the
    /// part from 8 on in `</think> 42`.
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
        // A line such as ```` ```x = "a" ```` is code rather than the name of a language.
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
}

impl Look<'_> {
    /// Returns the end of the scalar that begins at `k`, without white space, separators and
    /// comments before `end`: at 1 of `7 // a`, but not of `7 // 2`, which is a calculation.
    fn end_of_scalar(&self, marks: &[Mark], k: usize, mut end: usize) -> usize {
        let mut marks = marks_before(marks, end);
        loop {
            let text = self.text[k..end].trim_end();
            let stop = k + text.trim_end_matches([',', ';']).trim_end().len();
            let Some((comment, rest)) = marks.split_last() else {
                return stop;
            };
            let behind = k + text.len();
            let is_last =
                comment.kind == MarkKind::Comment && (k + 1..behind).contains(&comment.start);
            if !is_last || comment.end < behind || self.calculates(comment.start) {
                return stop;
            }
            let before = self.text[k..comment.start].trim_end();
            let last = before.char_indices().next_back().map_or(0, |(at, _)| at);
            // `'a // b'`: the comment marker is within a string.
            if quote_at(before, 0).is_some() && (last == 0 || quote_at(before, last).is_none()) {
                return stop;
            }
            (end, marks) = (comment.start, rest);
        }
    }

    /// Returns `true` if the slashes of a comment may be a division: `// 2`.
    fn calculates(&self, at: usize) -> bool {
        let operand = self.text[at..].trim_start_matches(['/', ' ']);
        operand.starts_with(|c: char| c.is_ascii_digit())
    }

    /// Returns `true` if a text may be a scalar, judging by its beginning: a quote, a digit, a
    /// keyword, a call with one argument.
    fn may_be_scalar(&self, k: usize, stop: usize) -> bool {
        let text = &self.text[k..stop];
        let end = text.find(|c: char| !c.is_ascii_alphanumeric() && c != '_');
        let (name, rest) = text.split_at(end.unwrap_or(text.len()));
        let number = text.trim_start_matches(['-', '+', '.']);
        let word = |word: &str| word::classify(word).1 != RepairKind::UnquotedString;
        let cut = || rest.is_empty() && word::cut_keyword(name).is_some();
        let called = || rest.trim_start().starts_with('(') && rest.ends_with(')');
        quote_at(self.text, k).is_some()
            || number.starts_with(|c: char| c.is_ascii_digit())
            || !name.is_empty() && (word(name) || cut())
            || text.len() <= WORD_BYTES && word(text)
            || called()
    }
}

/// Returns the keyword at the beginning, and its length: 4 for `true`.
pub(crate) fn keyword(bytes: &[u8]) -> Option<(Tag, usize)> {
    match bytes {
        [b't', b'r', b'u', b'e', ..] => Some((Tag::True, 4)),
        [b'f', b'a', b'l', b's', b'e', ..] => Some((Tag::False, 5)),
        [b'n', b'u', b'l', b'l', ..] => Some((Tag::Null, 4)),
        _ => None,
    }
}

/// Returns `true` if a text of digits and punctuation may be one value, such as a date, a version
/// or an identifier: true for `12:30`, false for `5 kg`.
fn number_like(text: &str) -> bool {
    text.len() <= WORD_BYTES
        && text
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b"-+.:/_".contains(&byte))
}

//! The end of a string without an opening quote: before a delimiter that may follow, or at a quote.

use crate::parser::look::trivia::Sought;
use crate::parser::search::beam::Search;
use crate::parser::search::price;
use crate::parser::search::reading::{Move, OpenString, PASSED, Reading};

/// Number of bytes before and after a character in which a bracket of the string is searched for.
const LOOK: usize = 256;

impl Search<'_> {
    pub(crate) fn end_of_bare(&mut self, reading: Reading, open: OpenString) {
        let (from, start) = (open.from as usize, open.start as usize);
        let at = self.bare_stop(&open);
        self.charge((at - from) / 2);
        let end = start + self.text.text[start..at].trim_ascii_end().len();
        if self.text.ends(at) && !self.text.closed_behind(at) {
            return self.end(reading, open, (end, at), 0, None);
        }
        // `use ```x``` here`: a fence within a line counts as one character.
        let fence = self.text.starts(at, "```");
        let quote = self.text.opens(at).filter(|_| !fence);
        let behind = at + quote.map_or(0, |quote| quote.1);
        let good = self.follows(reading.frame, open.role, behind);
        // Prose has many characters that do not end it, but rarely closing brackets without an
        // opening one.
        let closer = matches!(self.text.at(at), b'}' | b']');
        let less = if closer { 0 } else { open.passed / 4 };
        let mut on = match self.text.at(at) {
            // An expected key follows.
            b' ' => price::OVER_EXPECTED,
            _ => price::BARE_GOES_ON >> less,
        };
        if quote.is_some() {
            // `"a": x", "b": 1`: the closing quote shows that the opening one is missing.
            if good {
                let by = Some(Move::MissingQuote);
                self.end(reading, open, (at, behind), price::MISSING_OPEN, by);
            }
            let named = self.frame(&reading).kind.has_names();
            let next = !open.is_name() && named && self.text.name_ahead(at);
            // `{"a": x "b": 1}`: the quote opens the next key, and the comma before it is missing.
            if open.is_name() && !good || next && end > start {
                self.end(reading, open, (end, at), 0, None);
            }
            on = match next {
                _ if open.is_name() => price::INNER_QUOTE,
                true => price::SWALLOWED,
                false => 1,
            };
            on += if good { price::MISSING_OPEN } else { 0 };
        } else if end > start {
            let words = open.is_name() && self.text.first(Sought::Space, start) < end;
            let cost = if words { price::NAME_OF_WORDS } else { 0 };
            self.end(reading, open, (end, at), cost, None);
            // `"a": x y, "b": 1`: the end of the unquoted string is clear, and no alternative is
            // tried. The same holds for an item where an array is expected.
            let comma = !open.is_name() && self.text.comma(at).is_some();
            if good || comma && self.expects_list(&reading) {
                return;
            }
            if self.text.at(at) == b'\n' {
                on += price::TEXT_OVER_LINE;
            }
        }
        if fence {
            on = price::FENCE_IN_TEXT;
        }
        let line = self.text.at(at) == b'\n';
        let next = match line {
            true => self.text.space(at).0,
            false if fence => at + 3,
            false => at + self.text.char_at(at).len_utf8(),
        } as u32;
        let open = OpenString {
            from: next,
            lines: open.lines || line,
            passed: (open.passed + 1).min(PASSED),
            inner: open.inner + u8::from(quote.is_some() && open.inner < u8::MAX),
            ..open
        };
        self.out.push(Reading {
            at: next,
            cost: reading.cost + on,
            open: Some(open),
            ..reading
        });
    }

    /// Returns `true` if a bracket is open in an unquoted string before `at`, of the kind that this
    /// byte closes if it is a closer.
    fn within_brackets(&self, start: usize, at: usize, byte: u8) -> bool {
        let inside = &self.text.bytes[start.max(at.saturating_sub(LOOK))..at];
        self.charge(inside.len() / 8);
        let open = |opener: u8, closer: u8| {
            let count = |byte: u8| memchr::memchr_iter(byte, inside).count();
            count(opener) > count(closer)
        };
        match byte {
            b')' => open(b'(', b')'),
            // Members within braces are not part of a string.
            b'}' => open(b'{', b'}') && memchr::memmem::find(inside, b"{\"").is_none(),
            b']' => open(b'[', b']'),
            _ => {
                let rest = &self.text.bytes[at..self.text.len().min(at + LOOK)];
                let closes = |closer: u8| {
                    let line = memchr::memchr2(b'\n', closer, rest);
                    line.is_some_and(|end| rest[end] == closer)
                };
                open(b'(', b')') && closes(b')') || byte == b';' && open(b'{', b'}') && closes(b'}')
            }
        }
    }

    /// Returns `true` if a comment directly after a word is not part of a pattern: `abc/*n*/,`, but
    /// not `a/*/b` or `a/**/b`.
    fn is_remark(&self, at: usize, end: usize) -> bool {
        let behind = self.text.space(end).0;
        self.text.char_at(at + 2).is_alphanumeric()
            && self.text.text[at..end].ends_with("*/")
            && (self.text.comma(behind).is_some() || self.text.closer(behind))
    }

    /// Returns the next character that may end an unquoted string.
    fn bare_stop(&self, open: &OpenString) -> usize {
        let (mut at, start) = (open.from as usize, open.start as usize);
        while at < self.text.len() {
            if at > start && self.text.at(at - 1) == b'\n' && self.text.ends(at) {
                break;
            }
            let byte = self.text.at(at);
            // `foo(1, 2)`, `words {in brackets}`: text up to the closing bracket is part of the
            // string.
            if matches!(byte, b',' | b';' | b')' | b'}' | b']')
                && self.within_brackets(start, at, byte)
            {
                at += 1;
                continue;
            }
            let stops = match byte {
                // `Rome days: 3`: an expected key, and its colon.
                b' ' if self.text.names.is_some() && at > start => {
                    self.text.expected_ahead(self.text.space(at).0)
                }
                b'\r' | 0x0b | 0x0c => true,
                b',' | b';' | b'}' | b']' | b'\n' | b'"' | b'\'' | b'`' | b')' => true,
                b':' | b'=' => open.is_name(),
                // `"a": x // y`: a comment. Without a space before it, as in `a/b` or `x#y`, the
                // character is text.
                b'/' | b'#' => {
                    let apart = at > start && matches!(self.text.at(at - 1), b' ' | b'\t');
                    let remark = at > start && self.text.at(at + 1) == b'*';
                    let comment = || self.text.comment(at);
                    (apart || remark)
                        && comment().is_some_and(|end| apart || self.is_remark(at, end))
                }
                b'<' => self.text.ends(at) && !self.text.closed_behind(at),
                0x80.. => {
                    self.text.opens(at).is_some()
                        || self.text.comma(at).is_some()
                        || self.text.colon(at).is_some()
                }
                _ => false,
            };
            if stops {
                break;
            }
            at += self.text.char_at(at).len_utf8();
        }
        at
    }
}

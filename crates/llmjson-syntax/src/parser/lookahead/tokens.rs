//! Looking ahead, a bounded number of bytes, at what stands somewhere: a name, a value, a closer.

use core::ops::Range;

use crate::parser::lookahead::LOOK_AHEAD;
use crate::parser::lookahead::quotes::{closers, quote_at};
use crate::parser::lookahead::trivia::odd_space_at;
use crate::parser::state::look::Look;
use crate::parser::state::reader::Reader;
use crate::parser::state::step::Container;
use crate::scan::peek;
use crate::tape::{NONE, Node, Tag, flag};

/// Number of bytes of a window that count as one step: most look-aheads end long before it does.
const WINDOW_BYTES_A_STEP: usize = 8;

/// Maximum number of bytes of the quotes that close a string: three of the longest.
const QUOTES_MAX: usize = 9;

impl Reader<'_> {
    /// Returns `true` if a container that `closer` closes is open.
    pub(crate) fn encloses(&self, here: Container, closer: u8) -> bool {
        let mut at = here.current;
        while let Some(node) = self.tape.nodes.get(at as usize) {
            self.look.charge(1);
            if self.closer_of(at) == closer {
                return true;
            }
            at = node.next;
        }
        false
    }

    /// The bracket that closes an open container: that of its opener, whatever it turned into.
    pub(crate) fn closer_of(&self, container: u32) -> u8 {
        let node = &self.tape.nodes[container as usize];
        match peek(self.look.bytes, node.start as usize) {
            b'[' => b']',
            b'(' => b')',
            b'{' if node.tag == Tag::Array && self.begins_with_item(container) => b']',
            b'{' => b'}',
            // No opener: it is missing, or stands elsewhere.
            _ if node.tag == Tag::Array => b']',
            _ => b'}',
        }
    }

    pub(crate) fn parent(&self, here: Container) -> Option<u32> {
        let parent = self.tape.nodes[here.current as usize].next;
        (parent != NONE).then_some(parent)
    }

    pub(crate) fn is_object(&self, container: u32) -> bool {
        self.tape.nodes[container as usize].tag == Tag::Object
    }

    /// Returns `true` if the last token before `k` ended with a quote, so that the string read last
    /// is a child of the innermost container and not of one that was closed in between.
    pub(crate) fn quote_before(&self, k: usize) -> bool {
        let before = self.look.text_before(k);
        let last = before.char_indices().next_back().map_or(0, |(at, _)| at);
        let quotes = before.get(self.last_text_end()..);
        quote_at(before, last).is_some()
            && self.last_is_open()
            && quotes.is_some_and(|quotes| {
                let mut other = quotes.char_indices().map(|(at, _)| quote_at(quotes, at));
                quotes.len() <= QUOTES_MAX && other.all(|quote| quote.is_some())
            })
    }

    /// Returns the offset at which the text of the scalar read last ends, without the quote that
    /// closes it; with it, if the string was put together.
    pub(crate) fn last_text_end(&self) -> usize {
        let end = |node: &Node| {
            if node.has(flag::SIDE) {
                node.next
            } else {
                node.end
            }
        };
        self.tape.nodes.last().map_or(0, end) as usize
    }

    /// Returns `true` if the innermost container is an object without its opening brace.
    pub(crate) fn without_brace(&self, here: Container) -> bool {
        let node = &self.tape.nodes[here.current as usize];
        here.object && node.next == NONE && peek(self.look.bytes, node.start as usize) == b'"'
    }
}

impl<'r> Look<'r> {
    /// The next bytes, as far as looking ahead goes.
    pub(crate) fn window(&self, start: usize) -> &str {
        let rest = self.text.get(start..).unwrap_or_default();
        let mut end = rest.len().min(LOOK_AHEAD);
        while !rest.is_char_boundary(end) {
            end -= 1;
        }
        self.charge(end / WINDOW_BYTES_A_STEP + 1);
        &rest[..end]
    }

    /// The first byte from `at` on that is no white space, the unusual kinds included.
    #[inline]
    pub(crate) fn beyond_space(&self, at: usize) -> (u8, usize) {
        let (byte, k) = self.skip_space(at);
        if byte < 0x80 {
            return (byte, k);
        }
        self.beyond_odd_space(k)
    }

    #[cold]
    fn beyond_odd_space(&self, at: usize) -> (u8, usize) {
        let (mut byte, mut k) = (peek(self.bytes, at), at);
        while byte >= 0x80
            && k - at < LOOK_AHEAD
            && let Some(space) = odd_space_at(self.text, k)
        {
            (byte, k) = self.skip_space(k + space.len_utf8());
        }
        (byte, k)
    }

    /// Returns `true` if a name and a colon stand at `k`, and then something.
    pub(crate) fn key_ahead(&self, k: usize) -> bool {
        self.key_end(k).is_some()
    }

    /// The offset just past the colon of the name at `k`.
    pub(crate) fn key_end(&self, k: usize) -> Option<usize> {
        let quoted = quote_at(self.text, k);
        let end = match quoted {
            Some(quote @ ('"' | '\'')) => {
                let rest = &self.bytes[k + 1..];
                let window = &rest[..rest.len().min(LOOK_AHEAD)];
                let end = memchr::memchr2(quote as u8, b'\n', window);
                self.charge_search(end.unwrap_or(window.len()));
                let end = end?;
                if window[end] == b'\n' {
                    return None;
                }
                k + 1 + end + 1
            }
            Some(quote) => {
                let start = k + quote.len_utf8();
                let window = self.window(start);
                let end = window.find(closers(quote))?;
                if window[..end].contains('\n') {
                    return None;
                }
                start + end + window[end..].chars().next()?.len_utf8()
            }
            None if let Some(value) = self.marked_key_end(k) => return Some(value),
            None => {
                if let Some((_, arrow)) = self.symbol_at(k) {
                    return Some(arrow + 2);
                }
                if let Some((_, _, sign, length)) = self.bracketed_name_at(k) {
                    return Some(sign + length);
                }
                let word = self.window(k);
                let name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$' | '-' | '.');
                let length = word.find(|c| !name(c)).unwrap_or(word.len());
                if length == 0 {
                    return None;
                }
                if self.marked_name_ahead(k) {
                    return self.key_end(k + 1);
                }
                k + length + usize::from(word[length..].starts_with(['"', '\'']))
            }
        };
        let (byte, colon) = self.beyond_space(end);
        if byte == b':' && quoted.is_some() {
            return Some(colon + 1);
        }
        let rest = self.text.get(colon..)?;
        let after = match byte {
            b':' => colon + 1,
            b'=' => colon + 1 + usize::from(rest.starts_with("=>")),
            _ if rest.starts_with('：') => colon + '：'.len_utf8(),
            _ => return None,
        };
        (quoted.is_some() || self.value_ahead(after)).then_some(after)
    }

    /// The name in quotes and square brackets at `k`, where its closing bracket and the sign behind that
    /// stand, and how long the sign is.
    pub(crate) fn bracketed_name_at(
        &self,
        k: usize,
    ) -> Option<(Range<usize>, usize, usize, usize)> {
        if peek(self.bytes, k) != b'[' {
            return None;
        }
        let (byte, quote) = self.beyond_space(k + 1);
        let window = self.window(quote + 1);
        let end = match byte {
            b'"' | b'\'' => quote + 1 + window.find([char::from(byte), '\\', '\n'])?,
            _ => return None,
        };
        let (closer, bracket) = self.beyond_space(end + 1);
        let (_, sign) = self.beyond_space(bracket + 1);
        let length = match peek(self.bytes, sign) {
            b':' => 1,
            b'=' => self.colon_like(sign)?,
            _ => return None,
        };
        let named = self.bytes[end] == byte && closer == b']';
        (named && self.value_ahead(sign + length)).then_some((
            quote + 1..end,
            bracket,
            sign,
            length,
        ))
    }

    /// Returns the length of the symbol of Ruby at `k`, and the offset of the arrow behind it.
    pub(crate) fn symbol_at(&self, k: usize) -> Option<(usize, usize)> {
        if peek(self.bytes, k) != b':' {
            return None;
        }
        let window = self.window(k + 1);
        let name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '?' | '!');
        let length = match window.strip_prefix('"') {
            Some(inside) => inside.find(['"', '\\', '\n'])? + 2,
            None => window.find(|c| !name(c)).filter(|&length| length > 0)?,
        };
        let arrow = k + 1 + length + window[length..].len() - window[length..].trim_start().len();
        self.bytes[arrow..]
            .starts_with(b"=>")
            .then_some((1 + length, arrow))
    }

    /// Returns `true` if a name in quotes and its colon stand behind a letter at `k` that marks a
    /// string, as Python 2 prints names: `u'name': 1`.
    pub(crate) fn marked_name_ahead(&self, k: usize) -> bool {
        let marked = matches!(
            self.bytes[k..],
            [b'b' | b'f' | b'r' | b'u', b'\'' | b'"', next, ..] if next != b':'
        );
        marked && self.key_ahead(k + 1)
    }

    /// Returns `true` if an unquoted name and a colon stand at `k`, whatever follows them.
    pub(crate) fn name_ahead(&self, k: usize) -> bool {
        let window = self.window(k);
        let name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$' | '-');
        let length = window.find(|c| !name(c)).unwrap_or(0);
        let rest = window[length..].trim_start_matches(' ');
        length > 0 && rest.starts_with(':') && !rest.starts_with("://")
    }

    /// Returns `true` if a value as JSON or its relatives write it stands after `at`.
    pub(crate) fn value_ahead(&self, at: usize) -> bool {
        let (byte, k) = self.beyond_space(at);
        match byte {
            b'{' | b'[' | b'(' => true,
            _ if quote_at(self.text, k).is_some() => true,
            0 => k >= self.bytes.len(),
            _ => {
                self.scalar_ahead(k)
                    || self.call_ahead(k)
                    || self.mark_length(k).is_some()
                    || self.typed_container(k).is_some()
            }
        }
    }

    /// Returns `true` if a value that ends properly begins with `byte` at `k`.
    pub(crate) fn value_follows(&self, byte: u8, k: usize) -> bool {
        match byte {
            b'{' | b'[' => true,
            b'"' => self.quoted_at(k + 1).is_some_and(|quoted| {
                let (byte, next) = self.beyond_space(quoted.end + 1);
                let ends = next >= self.bytes.len() || self.closing_mark_at(next);
                matches!(byte, b',' | b'}') || ends
            }),
            _ => self.scalar_ahead(k),
        }
    }

    /// Returns `true` if a call around a value stands at `k`: `ObjectId("…")`, `new Date(0)`.
    pub(crate) fn call_ahead(&self, k: usize) -> bool {
        let window = self.window(k);
        let window = window.strip_prefix("new ").unwrap_or(window);
        let name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.');
        let length = window.find(|c| !name(c)).unwrap_or(0);
        let value = |c: char| c.is_ascii_digit() || matches!(c, '"' | '\'' | '{' | '[');
        window.starts_with(|c: char| c.is_ascii_alphabetic())
            && window[length..]
                .strip_prefix('(')
                .is_some_and(|inside| inside.starts_with(value))
    }

    /// Returns `true` if a number or keyword stands at `k` and ends as one.
    pub(crate) fn scalar_ahead(&self, k: usize) -> bool {
        let word = self.window(k);
        let end = word
            .find([',', '}', ']', ')', ' ', '\n', '\r', '\t', ';', '，'])
            .unwrap_or(word.len());
        let word = &word[..end];
        let number = word
            .trim_start_matches(['-', '+', '.'])
            .starts_with(|c: char| c.is_ascii_digit());
        number
            || matches!(
                word,
                "true"
                    | "false"
                    | "null"
                    | "True"
                    | "False"
                    | "None"
                    | "undefined"
                    | "NaN"
                    | "Infinity"
                    | "-Infinity"
            )
    }

    /// Returns `true` if an item without quotes stands at `k`: its text ends before any quote does.
    pub(crate) fn bare_item_ahead(&self, k: usize) -> bool {
        let window = self.window(k);
        match window.find([',', ']', '\n', '"', '\'', ':']) {
            Some(end) => !window[end..].starts_with(['"', '\'', ':']),
            None => window.len() < LOOK_AHEAD,
        }
    }

    /// Returns the offset at which a text without quotes that begins at `k` ends: before a comma,
    /// brace or line break, or with the text. Brackets of calls in it are passed over; quotes stand
    /// in those alone.
    pub(crate) fn bare_text_end(&self, k: usize) -> Option<usize> {
        let window = self.window(k);
        let mut calls = 0u32;
        for (at, &byte) in window.as_bytes().iter().enumerate() {
            match byte {
                b'(' => calls += 1,
                b'[' if at > 0 => calls += 1,
                b')' | b']' if calls > 0 => calls -= 1,
                _ if calls > 0 && byte != b'\n' => {}
                b',' | b'}' | b'\n' => return (at > 0).then_some(k + at),
                b'{' | b'[' | b']' => return None,
                _ if quote_at(window, at).is_some() => return None,
                _ => {}
            }
        }
        (window.len() < LOOK_AHEAD).then_some(k + window.len())
    }

    /// Returns `true` if the name at `quote` has no spaces and is followed by a value that ends
    /// properly.
    pub(crate) fn tight_key(&self, quote: usize) -> bool {
        let window = self.window(self.beyond_quote(quote));
        window
            .find('"')
            .is_some_and(|end| !window[..end].contains(' '))
    }

    /// Returns `true` if a name without opening quote stands at `k`: `rating": 4,`.
    pub(crate) fn bare_key_after(&self, k: usize) -> bool {
        let window = self.window(k);
        let Some(end) = window.find('"') else {
            return false;
        };
        let name = &window[..end];
        let plain = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-');
        if name.is_empty() || !name.chars().all(plain) {
            return false;
        }
        let (byte, colon) = self.skip_space(k + end + 1);
        byte == b':' && self.value_ahead(colon + 1)
    }

    /// The offset behind the quote at `quote`.
    pub(crate) fn beyond_quote(&self, quote: usize) -> usize {
        quote + quote_at(self.text, quote).map_or(1, char::len_utf8)
    }
}

#[cfg(test)]
mod tests {
    use crate::parser::state::look::ask;

    #[test]
    fn key_end_is_past_the_colon() {
        for (text, end) in [
            (r#""a": 1"#, Some(4)),
            ("'a' : 1", Some(5)),
            ("“a”: 1", Some(8)),
            ("a: 1", Some(2)),
            ("a => 1", Some(4)),
            (r#"a": 1"#, Some(3)),
            ("a：1", Some(4)),
            // Behind a name in quotes its colon suffices; behind a bare one a value follows, or the end.
            (r#""a": ?"#, Some(4)),
            ("a: ?", None),
            ("a:", Some(2)),
            (r#""a" 1"#, None),
            ("\"a\n\": 1", None),
            ("", None),
        ] {
            assert_eq!(ask(text, |look| look.key_end(0)), end, "{text}");
        }
    }
}

//! The ends of texts without quotes: `{"a": one, two, "b": 1}`, `[f(x, y), z]`.

use crate::parser::look::Look;
use crate::parser::look::notice::ellipsis_at;
use crate::parser::look::quotes::{StringRole, quote_at};
use crate::parser::look::trivia::{colour_length, odd_space_at};
use crate::parser::state::reader::Reader;
use crate::parser::state::step::Container;
use crate::scan::peek;
use crate::tape::NONE;

impl Reader<'_> {
    /// Returns the offset at which a text without quotes that begins at `k` ends: before a
    /// separator, a closer or a line break. Brackets of calls inside it are passed over.
    pub(crate) fn bare_end(&self, here: Container, k: usize) -> usize {
        let mut calls = 0u32;
        let mut braces = 0u32;
        let mut at = k;
        while let Some(&byte) = self.look.bytes.get(at) {
            self.look.charge(1);
            match byte {
                b'\n' | b',' | b'}' | b']' if self.look.work_is_used_up() => break,
                _ if self.look.work_is_used_up() => {}
                b'\n' | b'\r' => match self.look.continues_below(here, at) {
                    Some(next) => {
                        at = next;
                        continue;
                    }
                    None => break,
                },
                // `"a": f(x, y), "b": 1`: the commas in brackets are part of the text.
                b'(' => calls += 1,
                b')' if calls > 0 => calls -= 1,
                // `"a": items[0], "b": 1`: an index, right behind a name.
                b'[' if calls > 0 || at > k && self.look.indexes(at) => calls += 1,
                b']' if calls > 0 => calls -= 1,
                // `"a": /users/{id}, "b": 1`: a placeholder.
                b'{' if at > k => braces += 1,
                b'}' if braces > 0 => braces -= 1,
                b'}' | b']' => break,
                // `(a, b)`: the bracket closes the list. Elsewhere it is text: `x :)`.
                b')' if self.counters.wrappers > 0 || self.encloses(here, b')') => break,
                b';' if braces > 0 => {}
                // `"a": hello, "b": 1`: a separator, unless no name follows: `"a": hello, world, "b": 1`.
                b',' | b';' if calls == 0 && !self.look.comma_in_prose(here, k, at) => break,
                // `{a: x: "b": 1}`: a colon in the place of the comma.
                b':' if at > k && here.object && self.look.quoted_key_ahead(at + 1) => break,
                // `"a": x <!-- y -->`: a comment of HTML.
                b'<' if self.look.bytes[at..].starts_with(b"<!--") => break,
                // `{"a": x<|im_end|>`: a token of the model that ended its reply.
                b'<' if at > k && self.look.bytes[at..].starts_with(b"<|") => break,
                b'<' | b'`' | b'~' if at > k && self.mark_ends_word(here, k, at) => break,
                // `"a": x` and then the colours of a terminal.
                0x1B if at > k && colour_length(&self.look.bytes[at..]).is_some() => break,
                // A comma of Chinese or Japanese text ends it as `,` does.
                0xEF if self.look.text[at..].starts_with('，') => break,
                0xE3 if self.look.text[at..].starts_with('、') => break,
                b' ' if self.look.names.is_some()
                    && here.object
                    && self.look.named_member(at + 1) =>
                {
                    break;
                }
                // `{"a": x "b": 1}`: the comma before the next member is missing.
                b'"' if at > k && here.object && self.look.key_ahead(at) => break,
                // `"a": x", "b": 1`: the closing quote, whose opening one is missing.
                b'"' if calls == 0 && at > k && self.quote_ends_word(here, at) => {
                    return at + 1;
                }
                // `"a": x // y`: a comment. In `https://x` no space stands before the slashes.
                b'/' if at > k
                    && self.look.bytes[at - 1] == b' '
                    && peek(self.look.bytes, at + 1) == b'/' =>
                {
                    break;
                }
                b'/' if peek(self.look.bytes, at + 1) == b'*'
                    && at > k
                    && self.look.is_block_comment(at) =>
                {
                    break;
                }
                // `{"a": x\n}`, with an escaped line break: the document was escaped, though not its quotes.
                b'\\' if peek(self.look.bytes, at + 1) == b'n' && here.current != NONE => break,
                _ => {}
            }
            at += 1;
        }
        at
    }

    /// Returns `true` if a quote inside an unquoted text closes it, its opening quote being left
    /// out.
    fn quote_ends_word(&self, here: Container, at: usize) -> bool {
        self.fits(
            here,
            if here.object {
                StringRole::Member
            } else {
                StringRole::Item
            },
            at + 1,
        )
    }
}

impl Look<'_> {
    /// Returns `true` if a member begins at `at` whose name has no quotes and is expected.
    pub(crate) fn named_member(&self, at: usize) -> bool {
        self.expected_at(at) && self.name_ahead(at)
    }

    /// Returns `true` if the bracket at `at` follows a name directly, as in `items[0]`.
    fn indexes(&self, at: usize) -> bool {
        self.bytes[at - 1].is_ascii_alphanumeric() || self.bytes[at - 1] == b'_'
    }

    /// Returns `true` if a comma inside an unquoted text that begins at `k` belongs to it: no name
    /// follows.
    fn comma_in_prose(&self, here: Container, k: usize, at: usize) -> bool {
        if !here.object || self.bytes[at] != b',' {
            return false;
        }
        let (byte, next) = self.skip_space(at + 1);
        let decimal = |byte: u8| byte.is_ascii_digit();
        // `"a": about 1,5 m`: a decimal comma.
        if next == at + 1 && decimal(byte) && decimal(self.bytes[at - 1]) {
            return true;
        }
        if byte == b'#' && self.bytes[k] == b'#' && next == at + 2 {
            // One more of several tags, with something behind it.
            let word = self.window(next + 1);
            let tag = |c: char| c.is_alphanumeric() || c == '_';
            let length = word.find(|c| !tag(c)).unwrap_or(0);
            return length > 0 && word[length..].starts_with([',', '}']);
        }
        let assigned = || {
            let before = self.text[..k].trim_end_matches(' ');
            before.ends_with('=') && self.key_ahead(next)
        };
        byte.is_ascii_alphabetic() && !self.name_ahead(next) && !assigned()
    }

    /// Returns the offset at which an unquoted text goes on behind the line break at `at`; `None`
    /// if a name or anything that may follow a value begins the next line that is not blank.
    fn continues_below(&self, here: Container, at: usize) -> Option<usize> {
        if !here.object {
            return None;
        }
        let (byte, next) = self.skip_space(at);
        let continues = (byte.is_ascii_alphabetic() || byte >= 0x80)
            && !self.name_ahead(next)
            && quote_at(self.text, next).is_none()
            && odd_space_at(self.text, next).is_none();
        continues.then_some(next)
    }

    /// Returns `true` if the slash and star at `k` begin a comment: one that ends on its line, with
    /// a separator, space or value behind it, or that white space parts from what is before it.
    pub(crate) fn is_block_comment(&self, k: usize) -> bool {
        let inside = self.window(k + 2);
        let line = &inside[..inside.find('\n').unwrap_or(inside.len())];
        // Comments do not stand in each other.
        let line = &line[..line.find("/*").unwrap_or(line.len())];
        match line.find("*/").map(|end| k + 2 + end + 2) {
            Some(end) => {
                let next = peek(self.bytes, end);
                let text = next.is_ascii_alphanumeric() || b"*._-/".contains(&next);
                !text || self.value_ahead(end) || ellipsis_at(self.text, end).is_some()
            }
            None => k > 0 && self.bytes[k - 1].is_ascii_whitespace() && line.starts_with(' '),
        }
    }
}

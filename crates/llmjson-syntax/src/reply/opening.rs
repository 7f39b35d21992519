//! Finds the bracket that opens the value in a streamed reply.
//!
//! The same marks count as in a complete reply: fences, tags, reasoning blocks, brackets in prose.
//! The result is the first bracket that certainly opens a container outside of reasoning. Anything
//! that only the complete text can show (a better value later, missing braces, a text that is
//! escaped as a whole) is decided at its end.

use crate::parser::look::{LOOK_AHEAD, Look};
use crate::parser::state::pause::Await;
use crate::parser::state::reader::Reader;
use crate::reply::found::ReplySearch;
use crate::scan::{number, peek, skip_space};
use crate::zones::marks::CHANNEL_OF_THOUGHTS;

/// The state of the search for the value.
#[derive(Clone, Debug)]
pub(crate) struct Opening {
    found: ReplySearch,
    /// All text before this offset is outside the value.
    pub(crate) at: usize,
    pub(crate) wait: Await,
}

impl Default for Opening {
    fn default() -> Self {
        Self {
            found: ReplySearch {
                is_open: true,
                ..ReplySearch::default()
            },
            at: 0,
            wait: Await::Byte(0),
        }
    }
}

impl Opening {
    /// Returns `true` if enough text has arrived to look again: `true` for ` a` when a byte is
    /// awaited, `false` for two spaces, which are not scanned again.
    pub(crate) fn is_ready(&mut self, text: &str) -> bool {
        match self.wait {
            Await::Length(length) => text.len() >= length,
            Await::Byte(from) => {
                let next = skip_space(text.as_bytes(), from).1;
                self.wait = Await::Byte(next);
                next < text.len()
            }
            _ => false,
        }
    }
}

impl Reader<'_> {
    /// Continues the search for the bracket that opens the value. Returns its offset, or `None` if
    /// more text is needed.
    pub(crate) fn find_opening(&mut self, opening: &mut Opening) -> Option<usize> {
        let length = self.look.bytes.len();
        if opening.at == 0
            && let Some(wait) = self.look.begins_otherwise()
        {
            opening.wait = wait;
            return None;
        }
        while opening.at < length {
            if self.look.work_is_used_up() {
                opening.wait = Await::Length(length + 1);
                return None;
            }
            let at = opening.at;
            let byte = self.look.bytes[at];
            let enough = at + LOOK_AHEAD <= length;
            match byte {
                b'[' if let Some(mark) = opening.found.pass_mark(self.look, at) => {
                    opening.at = mark.end;
                }
                b'{' | b'[' if opening.found.zones.place.thought.is_none() => {
                    if let Some(end) = self.look.field_mark_at(at) {
                        opening.at = end;
                        continue;
                    }
                    if self.look.is_carried(at) || self.look.follows_name(at) {
                        opening.wait = Await::Never;
                        return None;
                    }
                    match self.look.opens(at) {
                        None => {
                            opening.wait = Await::Length(length + 1);
                            return None;
                        }
                        Some(true) => return Some(at),
                        Some(false) => opening.at += 1,
                    }
                }
                b'`' | b'~' | b'/' | b'<' | b'(' | b'\\'
                    if !enough && !self.look.line_or_tag(at) =>
                {
                    opening.wait = Await::Length(length + 1);
                    return None;
                }
                b'/' | b'<' if let Some(end) = self.look.open_comment(at) => {
                    // Either its end or the evidence that it is not a fence has yet to arrive.
                    if end >= length {
                        opening.wait = Await::Length(length + 1 + (length - at) / 4);
                        return None;
                    }
                    opening.at = end;
                }
                b'(' if self.look.line_begins(at)
                    && opening.found.zones.place.thought.is_none()
                    && self.look.tuple_ahead(at) =>
                {
                    return Some(at);
                }
                b'\\' if peek(self.look.bytes, at + 1) == b'"' => {
                    opening.wait = Await::Never;
                    return None;
                }
                b'`' | b'~' | b'<' => {
                    let mark = opening.found.pass_mark(self.look, at);
                    opening.at = mark.map_or(at + 1, |mark| mark.end);
                }
                _ => opening.at += 1,
            }
        }
        opening.wait = Await::Length(length + 1);
        None
    }
}

impl Look<'_> {
    /// Returns the text to await before the value is looked for: the closing quote for `"a`, which
    /// may be a whole string or the key of a member without braces, and any byte after white space.
    fn begins_otherwise(&self) -> Option<Await> {
        let (byte, k) = self.skip_space(0);
        match byte {
            _ if k >= self.bytes.len() => Some(Await::Byte(k)),
            b'"' => Some(Await::Never),
            _ if self.may_begin_with_thought() => Some(Await::Never),
            _ => None,
        }
    }

    /// Returns `true` if the tag at `at`, or the line of the fence or comment there, is complete:
    /// `true` for `<b>`, `false` for `<b`.
    fn line_or_tag(&self, at: usize) -> bool {
        let rest = &self.bytes[at..];
        match rest[0] {
            // The content of the channel has yet to arrive.
            b'<' if CHANNEL_OF_THOUGHTS.as_bytes().starts_with(rest) => false,
            b'<' => {
                self.tag_token_at(at).is_some()
                    || rest.get(1).is_some_and(|next| {
                        !next.is_ascii_alphabetic() && !b"/|!".contains(next) && next.is_ascii()
                    })
            }
            b'`' | b'~' if rest.len() >= 3 && !self.fence_at(at) => true,
            b'/' if rest.len() >= 2 && !matches!(rest[1], b'/' | b'*') => true,
            b'\\' => rest.len() >= 2,
            _ => memchr::memchr(b'\n', rest).is_some(),
        }
    }

    /// Returns whether the bracket at `at` opens the value: `true` for `{"a": 1`, `false` for
    /// `{a b` within a line, `None` for `{"a"`, which is too short to decide.
    fn opens(&self, at: usize) -> Option<bool> {
        let length = self.bytes.len();
        let object = self.bytes[at] == b'{';
        let colour = self.text[..at].ends_with('\u{1b}');
        if colour || at + LOOK_AHEAD <= length && !self.plausible(at) {
            return Some(false);
        }
        let (byte, inside) = self.beyond_gaps(at + 1);
        let alone = self.stands_alone(at);
        let opens = match byte {
            _ if object => {
                let named = self.name_at(inside);
                // An unquoted key and a colon may be prose; a value makes it a member.
                if byte == b'"' || byte == b'\'' || named != Some(true) {
                    named
                } else {
                    let value = self.key_end(inside).map(|colon| self.skip_space(colon).1);
                    value.filter(|&value| value < length).map(|_| true)
                }
            }
            // An array that begins its line and whose first item has begun.
            b'"' if alone && inside + 1 < length => Some(true),
            b'{' if alone && matches!(self.skip_space(inside + 1).0, b'"' | b'\'') => Some(true),
            b'"' => {
                let end = self.closing_quote_from(inside + 1, inside + 1);
                end.map(|end| matches!(self.skip_space(end + 1).0, b',' | b']'))
            }
            // Nested brackets count as one lookahead.
            b'{' => self.opens(inside).filter(|opens| *opens),
            b'[' if self.may_be_field_mark(at) => None,
            b'[' if alone => Some(true),
            b'-' | b'0'..=b'9' => {
                let number = number::scan(self.bytes, inside);
                number.map(|number| self.skip_space(number.end).0 == b',')
            }
            _ => None,
        };
        match opens {
            Some(true) => Some(true),
            // Words in braces are prose.
            Some(false) if object && !alone && byte.is_ascii_alphabetic() => Some(false),
            _ if at + LOOK_AHEAD <= length => Some(alone || !self.is_trivial(at)),
            _ => None,
        }
    }

    /// Returns `true` if the first quote after the bracket at `at` shows a transport encoding of
    /// the value, so that it is read once it is complete: `true` for `{\"a\"`, `{&quot;`, `{""a""`.
    fn is_carried(&self, at: usize) -> bool {
        let (mut byte, mut k) = self.beyond_trivia(at + 1);
        if matches!(byte, b'{' | b'[') {
            (byte, k) = self.beyond_trivia(k + 1);
        }
        let behind = |at: usize| peek(self.bytes, at);
        match byte {
            b'&' => true,
            b'"' => behind(k + 1) == b'"' && !b" \t\r\n\0\":,]}".contains(&behind(k + 2)),
            _ => {
                let near = self.near(k);
                let quote = memchr::memchr(b'"', near);
                self.charge_search(quote.unwrap_or(near.len()));
                quote.is_some_and(|quote| near[..quote].ends_with(b"\\"))
            }
        }
    }

    /// Returns `true` if the bracket at `at` begins the value of a member without braces: `true` at
    /// 5 of `"a": {`.
    fn follows_name(&self, at: usize) -> bool {
        let before = self.text_before(at);
        before
            .strip_suffix(':')
            .is_some_and(|name| name.trim_end().ends_with('"'))
    }

    /// Returns `true` if the bracket at `at` begins its line, ignoring a tag: `true` at 3 of
    /// `<b>{`.
    fn stands_alone(&self, at: usize) -> bool {
        self.line_begins(at) || self.text_before(at).ends_with('>')
    }

    /// Returns `true` if the brackets at `at` are empty or contain one bare item, as brackets in
    /// prose do: `true` for `[a]`, `false` for `["a"]`.
    pub(crate) fn is_trivial(&self, at: usize) -> bool {
        let window = self.window(at + 1);
        let end = window.find([',', ':', '"', '\'', '{', '[', '}', ']']);
        end.is_none_or(|end| window[end..].starts_with(['}', ']']))
    }
}

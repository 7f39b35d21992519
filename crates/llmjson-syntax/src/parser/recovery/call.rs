//! Calls and names of types around values, as programs print them: `ObjectId("…")`, `Point(x=1)`,
//! `Point { x: 1 }`, `map[string]int{…}`, and letters before strings.

use crate::base::repair::{Class, RepairKind};
use crate::parser::look::brackets::CLOSERS_AHEAD;
use crate::parser::look::quotes::quote_at;
use crate::parser::look::types::Ends;
use crate::parser::look::{LOOK_AHEAD, Look};
use crate::parser::state::pause::MARGIN;
use crate::parser::state::reader::Reader;
use crate::parser::state::step::{AfterStep, Container, KeySpan, ValueStep, scalar};
use crate::scan;
use crate::scan::{number, peek};
use crate::tape::{NONE, Tag, flag};

/// Maximum number of words before a container that are taken for the name of its type; more are
/// text.
const NAME_WORDS_MAX: usize = 4;

/// Maximum depth of calls around one value.
const CALLS_MAX: u32 = 3;

/// Number of records that are searched for a call that is still open.
const RECORDS_LOOK: usize = 64;

/// Calls whose items are a list, whatever stands between their brackets.
const LISTS: [&str; 5] = ["array", "list", "tuple", "set", "frozenset"];

/// Calls that are an object even without anything between their brackets.
const OBJECTS: [&str; 4] = ["dict", "OrderedDict", "Counter", "defaultdict"];

impl Reader<'_> {
    /// A string at `k` with a letter or two before its quote, as Python marks its strings.
    pub(crate) fn marked_string(
        &mut self,
        here: Container,
        key: KeySpan,
        k: usize,
    ) -> Option<ValueStep> {
        let length = self.look.mark_length(k)?;
        let quote = char::from(self.look.bytes[k + length]);
        let start = k + length + 1;
        // `r"""x"""`: only the letter goes. The quotes are read as they are everywhere.
        if self.look.bytes[start..].starts_with(&[quote as u8; 2]) {
            self.repair(RepairKind::Wrapper, k, k + length);
            return Some(ValueStep::Again(k + length));
        }
        let window = self.look.window(start);
        let end = window.find([quote, '\n']);
        let coming = self.growing && end.is_none() && start + window.len() == self.look.bytes.len();
        let closed = end.is_some_and(|end| {
            let after = start + end + 1;
            let parted = matches!(
                peek(self.look.bytes, after),
                b',' | b'}' | b']' | b')' | b'\n'
            );
            window[end..].starts_with(quote) && (parted || self.fits(here, Self::role(here), after))
        });
        if !coming && !closed {
            return None;
        }
        let end = start + end.unwrap_or(window.len());
        self.repair(RepairKind::Wrapper, k, k + length);
        let marks = &self.look.bytes[k..k + length];
        let backslash = memchr::memchr(b'\\', &self.look.bytes[start..end]).is_some();
        // `f"x"`, `r"x"` without a backslash: the letter says nothing about the inside.
        if coming || !backslash || !marks.iter().any(|mark| mark.eq_ignore_ascii_case(&b'r')) {
            return Some(ValueStep::Again(k + length));
        }
        // The mark says that no backslash is an escape.
        if quote == '\'' {
            self.repair(RepairKind::OtherQuotes, start - 1, end + 1);
        }
        self.repair_as(RepairKind::RawEscape, Class::Likely, start, end);
        Some(ValueStep::Scalar(
            scalar(key, Tag::String, start, end),
            end + 1,
        ))
    }

    /// The offset inside the brackets of a call around a single value: `ObjectId("…")`.
    pub(crate) fn wrapper_at(&self, k: usize) -> Option<usize> {
        self.wrapper_around(k, CALLS_MAX)
    }

    fn wrapper_around(&self, k: usize, calls: u32) -> Option<usize> {
        let window = self.look.window(k);
        // `new Date("2025-01-01")`
        let (k, window) = match window.strip_prefix("new ") {
            Some(rest) => (k + 4, rest),
            None => (k, window),
        };
        let name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '$' | ':' | '!');
        let length = window.find(|c| !name(c))?;
        if length == 0
            || !window.as_bytes()[0].is_ascii_alphabetic() && window.as_bytes()[0] != b'_'
        {
            return None;
        }
        let rest = window[length..].trim_start();
        let inside = rest.strip_prefix('(')?;
        let at = k + (window.len() - inside.len());
        // `defaultdict(<class 'int'>, {'a': 1})`: the class is no argument that means anything.
        if let Some(next) = self.look.beyond_class(at) {
            return Some(next);
        }
        let first = inside.trim_start().chars().next()?;
        if matches!(first, '{' | '[') {
            // With more arguments it is no wrapper.
            let opener = at + (inside.len() - inside.trim_start().len());
            let end = self.look.beyond_container(opener);
            let more = end.is_some_and(|end| self.look.beyond_space(end).0 == b',');
            return (!more || self.counters.depth == 0).then_some(at);
        }
        let close = match quote_at(inside, inside.len() - inside.trim_start().len()) {
            Some(quote) => {
                // The string may be longer than looking ahead goes; it is read right afterwards.
                let text = self.look.text[at..].trim_start();
                let end = match quote {
                    '"' => {
                        let end = scan::closing_quote(text.as_bytes(), 1, 1);
                        self.look.charge_search(end.unwrap_or(text.len()));
                        end? + 1
                    }
                    _ => {
                        let inside = &text[quote.len_utf8()..];
                        let end = inside.find(quote);
                        self.look.charge(end.unwrap_or(inside.len()));
                        end? + 2 * quote.len_utf8()
                    }
                };
                text[end..].trim_start()
            }
            None => {
                let end = inside.find([')', ',', '(', '\n', ' ', '='])?;
                let word = &inside[..end];
                let plain = number::is_json(word) || matches!(word, "true" | "false" | "null");
                // `Some(Ok(1))`: calls in calls around one value.
                if !plain {
                    let begin = at + (inside.len() - inside.trim_start().len());
                    let typed = self.look.typed_container(begin);
                    let inner = || self.wrapper_around(begin, calls.checked_sub(1)?);
                    return typed.or_else(inner).map(|_| at);
                }
                inside[end..].trim_start()
            }
        };
        close.starts_with(')').then_some(at)
    }

    /// Returns `true` if a call around a value was opened inside the innermost container, as the
    /// last records tell.
    pub(crate) fn wrapper_inside(&self, here: Container) -> bool {
        let container = self.tape.nodes[here.current as usize].start;
        let last = self.tape.repairs[self.first_repair..].iter().rev();
        self.look.charge(RECORDS_LOOK.min(last.len()));
        last.take(RECORDS_LOOK).any(|repair| {
            let (start, end) = (repair.span.start, repair.span.end as usize);
            repair.kind == RepairKind::Wrapper
                && start > container
                && end > 0
                && self.look.bytes.get(end - 1) == Some(&b'(')
        })
    }

    /// Returns `true` if the type of a list, as Go writes it, was taken off before the brace at
    /// `opener`.
    pub(crate) fn list_type_before(&self, opener: usize) -> bool {
        self.tape.repairs.last().is_some_and(|last| {
            last.kind == RepairKind::Wrapper
                && last.span.end as usize == opener
                && self.look.bytes[last.span.start as usize] == b'['
        })
    }

    /// Returns the offset of the bracket of a call at `k` that holds named arguments, members with
    /// arrows or items: `Point(x=1)`, `array('a' => 1)`, `set()`. Nothing but a separator may
    /// follow the call.
    pub(crate) fn arguments_at(&mut self, k: usize) -> Option<usize> {
        let window = self.look.window(k);
        let name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.');
        let length = window.find(|c| !name(c)).filter(|&length| length > 0)?;
        let spaced = &window[..length] == "array" && window[length..].starts_with(' ');
        let bracket = k + length + usize::from(spaced);
        if peek(self.look.bytes, bracket) != b'(' || window.as_bytes()[0].is_ascii_digit() {
            return None;
        }
        // `set('a', 'b')`, `list()`: items, not members.
        let listed = LISTS.contains(&&window[..length]) && self.look.lists_plainly(bracket);
        if !listed && !self.look.members_in_call(bracket) {
            return None;
        }
        self.ends_within(bracket).then_some(bracket)
    }

    /// Returns `true` if the brackets from `opener` on are those of a value: a separator or nothing
    /// follows them, or they end beyond what is looked at.
    fn ends_within(&mut self, opener: usize) -> bool {
        let (looked_to, ends) = match self.look.end_of_brackets(opener) {
            Ends::At(end) => (end + MARGIN, self.look.parted(end)),
            Ends::Beyond if self.look.bytes.len() - opener < CLOSERS_AHEAD => (usize::MAX, true),
            Ends::Beyond => (opener, true),
            Ends::Nowhere => (opener, false),
        };
        let pause = &mut self.scratch.pause;
        pause.looked_to = pause.looked_to.max(looked_to);
        ends
    }

    /// Returns the offset of the container whose type is named at `k`, where a value stands.
    pub(crate) fn type_at(&mut self, k: usize) -> Option<usize> {
        let opener = self.look.typed_container(k)?;
        self.ends_within(opener).then_some(opener)
    }

    /// Lets a stream wait for the end of the round brackets at `k` that may turn out to hold a single
    /// text and not to be a list: one behind which no comma stands.
    pub(crate) fn await_brackets(&mut self, k: usize) {
        let (byte, at) = self.look.beyond_space(k + 1);
        if !self.growing || !matches!(byte, b'"' | b'\'') {
            return;
        }
        let window = self.look.window(at + 1);
        let end = window.find(char::from(byte)).map(|end| at + 1 + end + 1);
        let coming = at + 1 + window.len() == self.look.bytes.len();
        let looked_to = match end.map(|end| self.look.beyond_space(end)) {
            Some((b',', _)) => k,
            Some((_, next)) if next < self.look.bytes.len() => match self.look.end_of_brackets(k) {
                Ends::At(end) => end + MARGIN,
                Ends::Beyond if self.look.bytes.len() - k < CLOSERS_AHEAD => usize::MAX,
                Ends::Beyond | Ends::Nowhere => k,
            },
            Some(_) => usize::MAX,
            None if coming => usize::MAX,
            None => k,
        };
        let pause = &mut self.scratch.pause;
        pause.looked_to = pause.looked_to.max(looked_to);
    }

    /// Returns the offset of a call with members that is all of the reply.
    pub(crate) fn call_alone(&mut self) -> Option<usize> {
        let (_, k) = self.look.skip_space(0);
        let bracket = self.arguments_at(k)?;
        let Ends::At(end) = self.look.end_of_brackets(bracket) else {
            return None;
        };
        let rest = self.look.bytes[end..].trim_ascii_start();
        let rest = rest.strip_prefix(b";").unwrap_or(rest);
        (self.look.members_in_call(bracket) && rest.trim_ascii_start().is_empty()).then_some(k)
    }

    /// An empty list was read that turns out to be the type of the one at `k`: `[]string{"a"}`.
    pub(crate) fn type_of_list(&mut self, here: Container, k: usize) -> Option<AfterStep> {
        let last = self.tape.nodes.len() - 1;
        let node = self.tape.nodes[last];
        let empty = node.tag == Tag::Array && node.next as usize == last + 1;
        if !empty || node.end as usize != k || here.count == 0 || last == here.current as usize {
            return None;
        }
        let begin = node.start as usize;
        // `[]string{"x"}`: what was read as an empty list is the type of this one.
        let opener = self.look.typed_container(begin)?;
        self.tape.nodes.pop();
        self.repair(RepairKind::Wrapper, begin, opener);
        let here = Container {
            count: here.count - 1,
            ..here
        };
        let keys = node.flags & (flag::KEY_ESCAPED | flag::KEY_SIDE);
        let (start, end) = (node.key_start, node.key_end);
        let key = KeySpan {
            start,
            end,
            flags: keys,
        };
        Some(if here.object {
            AfterStep::Member(here, key, opener)
        } else {
            AfterStep::Child(here, opener)
        })
    }

    /// Text in a section of XML as a value.
    pub(crate) fn character_data(&mut self, key: KeySpan, k: usize) -> Option<ValueStep> {
        let start = k + "<![CDATA[".len();
        if !self.look.text.get(k..)?.starts_with("<![CDATA[") || self.look.work_is_used_up() {
            return None;
        }
        let length = memchr::memmem::find(&self.look.bytes[start..], b"]]>");
        self.look
            .charge_search(length.unwrap_or(self.look.bytes.len() - start));
        let length = length?;
        let end = start + length;
        self.repair(RepairKind::OtherQuotes, k, end + 3);
        if scan::has_control(&self.look.bytes[start..end]) {
            self.repair(RepairKind::ControlCharacter, start, end);
        }
        Some(ValueStep::Scalar(
            scalar(key, Tag::String, start, end),
            end + 3,
        ))
    }
}

impl Look<'_> {
    /// Returns the offset of the container before which words at `k` stand as the name of its type:
    /// `Point {"x": 1}`. A list needs a space before it, or it is an index.
    pub(crate) fn named_container(&self, here: Container, k: usize) -> Option<usize> {
        let window = self.window(k);
        let word = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | ' ');
        let words = &window[..window.find(|c| !word(c))?];
        let begins = words.starts_with(|c: char| c.is_ascii_alphabetic());
        let first = words.split(' ').next().unwrap_or_default();
        let keyword = matches!(first, "true" | "false" | "null");
        if !begins || keyword || words.split_whitespace().count() > NAME_WORDS_MAX {
            return None;
        }
        let opener = k + words.len();
        let (byte, inside) = self.beyond_space(opener + 1);
        let container = match self.bytes[opener] {
            // `Point {"x": 1}`: an object has to begin, since braces stand in texts too.
            b'{' => byte == b'"' && self.key_ahead(inside),
            // `Vec ["a"]`: `a[0]` without the space would be an index.
            b'[' if words.ends_with(' ') && here.current != NONE => match byte {
                b'"' => self.item_ahead(inside),
                b'{' => self.key_ahead(self.beyond_space(inside + 1).1),
                _ => false,
            },
            _ => false,
        };
        container.then_some(opener)
    }

    /// Returns the offset at which calls of methods end that follow a text at `k` before what may
    /// follow it: `"a".to_string(),`.
    pub(crate) fn methods_at(&self, k: usize) -> Option<usize> {
        let mut rest = self.window(k);
        let all = rest.len();
        while let Some(name) = rest.strip_prefix('.') {
            let part = |c: char| c.is_ascii_alphanumeric() || c == '_';
            let length = name.find(|c| !part(c)).filter(|&length| length > 0)?;
            rest = name[length..].strip_prefix("()")?;
        }
        let end = k + all - rest.len();
        (end > k && self.parted(end)).then_some(end)
    }

    /// Returns the offset of the value behind the class that a call names first:
    /// `defaultdict(<class 'int'>, {…})`.
    fn beyond_class(&self, at: usize) -> Option<usize> {
        let inside = self.window(at);
        let end = inside.strip_prefix("<class ")?.find('>')? + "<class ".len();
        let (byte, comma) = self.beyond_space(at + end + 1);
        let (byte, value) = (byte == b',').then(|| self.beyond_space(comma + 1))?;
        matches!(byte, b'{' | b'[').then_some(value)
    }

    /// Returns `true` if nothing or plain items stand behind the round bracket at `bracket`: `("a")`, not
    /// `(1)`.
    fn lists_plainly(&self, bracket: usize) -> bool {
        let (byte, at) = self.beyond_space(bracket + 1);
        let quote = matches!(byte, b'"' | b'\'');
        byte == b')'
            || quote
                && (self.closing_quote_from(at + 1, at + 1).is_some() && byte == b'"'
                    || byte == b'\'' && self.window(at + 1).contains('\''))
    }

    /// Returns `true` if the round bracket at `bracket` is that of a call with members, named arguments or
    /// names with arrows: that of `f(a=1)`, not of `f(1)`. An empty one holds members if its name says so:
    /// `dict()`.
    pub(crate) fn members_in_call(&self, bracket: usize) -> bool {
        let before = &self.bytes[bracket.saturating_sub(LOOK_AHEAD)..bracket];
        let before = if before.ends_with(b"array ") {
            &before[..before.len() - 1]
        } else {
            before
        };
        let part = |byte: &&u8| byte.is_ascii_alphanumeric() || b"_.".contains(byte);
        let length = before.iter().rev().take_while(part).count();
        self.charge(length);
        if length == 0 {
            return false;
        }
        let (byte, at) = self.beyond_space(bracket + 1);
        // `dict()`: empty brackets hold no names, so the name of the call decides.
        if byte == b')' {
            return OBJECTS.contains(&&self.text[bracket - length..bracket]);
        }
        let window = self.window(at);
        let quoted = quote_at(self.text, at).filter(|quote| matches!(quote, '"' | '\''));
        let end = match quoted {
            // `array('a' => 1)`
            Some(quote) => window[1..].find(quote).map(|end| end + 2),
            None => {
                let name = |c: char| c.is_alphanumeric() || c == '_';
                window.find(|c| !name(c)).filter(|&end| end > 0)
            }
        };
        let Some(rest) = end.map(|end| window[end..].trim_start_matches(' ')) else {
            return false;
        };
        rest.starts_with("=>")
            || quoted.is_none() && rest.starts_with('=') && !rest.starts_with("==")
    }
}

#[cfg(test)]
mod tests;

//! Members' names, also those that JSON would not accept, and what stands where a name should.

mod bare;
mod colon;
mod misquoted;
mod missing_colon;

use crate::base::repair::RepairKind;
use crate::parser::look::charged::STEPS_OF_RECOVERY;
use crate::parser::look::notice::ellipsis_at;
use crate::parser::look::quotes::{FoundString, StringRole, quote_at};
use crate::parser::recovery::unbracketed_list::BareItem;
use crate::parser::state::reader::Reader;
use crate::parser::state::step::{Container, KeySpan, KeyStep};
use crate::scan;
use crate::scan::{peek, skip_space};
use crate::tape::{Tag, flag};

impl Reader<'_> {
    /// Reads a member's name and its colon, whatever they look like.
    #[inline(never)]
    pub(crate) fn key(&mut self, here: Container, at: usize) -> KeyStep {
        let bytes = self.look.bytes;
        let (byte, k) = skip_space(bytes, at);
        if byte != b'"' {
            if (byte == b'\'' || byte.is_ascii_alphabetic())
                && let Some((key, next)) = self.plain_key(byte, k)
            {
                return KeyStep::Member(key, next);
            }
            return self.odd_key(here, byte, k);
        }
        let Some(quoted) = scan::quoted(bytes, k + 1) else {
            return self.odd_key(here, byte, k);
        };
        let flags = if quoted.flags == 0 {
            0
        } else {
            flag::KEY_ESCAPED
        };
        let key = KeySpan {
            start: k as u32 + 1,
            end: quoted.end as u32,
            flags,
        };
        let mut colon = quoted.end + 1;
        if peek(bytes, colon) != b':' {
            let (byte, next) = skip_space(bytes, colon);
            if byte != b':' {
                return self.name_without_colon(here, key, k, (byte, next), quoted.suspect);
            }
            colon = next;
        }
        if quoted.suspect {
            self.inspect(k + 1, quoted.end);
        }
        KeyStep::Member(key, colon + 1)
    }

    /// No double-quoted name stands at `k`, where an object expects one: perhaps one follows
    /// something else.
    #[cold]
    #[inline(never)]
    fn odd_key(&mut self, here: Container, mut byte: u8, mut k: usize) -> KeyStep {
        if byte == b'"' {
            // That no quote closes it took a look at all the rest.
            self.look.charge_search(self.look.bytes.len() - k);
        }
        self.look.charge(STEPS_OF_RECOVERY);
        let looks = !self.reads_without_looking(k);
        // `{"n": 1,234, "b": 2}`: the comma was no separator but groups digits.
        if looks
            && byte.is_ascii_digit()
            && let Some(keyed) = self.digits_continue(here, k)
        {
            return keyed;
        }
        let begin = k;
        loop {
            if k >= self.look.bytes.len() {
                return KeyStep::Nothing(here, k);
            }
            if let Some(end) = self.skip_trivia(k) {
                (byte, k) = self.look.skip_space(end);
                continue;
            }
            match byte {
                // `{"a": 1,, "b": 2}`.
                b',' | b';' => {
                    self.repair(RepairKind::ExtraComma, k, k + 1);
                    (byte, k) = self.look.skip_space(k + 1);
                }
                b'"' if !looks && scan::quoted(self.look.bytes, k + 1).is_some() => {
                    return self.key(here, k);
                }
                _ if !looks => return self.key_without_looking(here, byte, k),
                // `[]string{}` and `[][]int{{1}}`: the brace is that of a list, as its type says.
                b'}' | b'{' if here.count == 0 && self.opens_list(here) => {
                    return self.becomes_set(here, k);
                }
                b'}' | b']' => return self.unusual_key(here, byte, k),
                // `{"a": 1, ...}` and `{...base, "b": 2}`: members were left out.
                _ if ellipsis_at(self.look.text, k).is_some() => {
                    let length = self.look.ellipsis_length(k);
                    self.record_ellipsis(k, length);
                    (byte, k) = self.look.skip_space(k + length);
                    if byte == b',' {
                        (byte, k) = self.look.skip_space(k + 1);
                    }
                }
                // `{{"a": 1}}`: a template doubled its braces.
                b'{' if here.count == 0
                    && (!self.parent_is_array(here) || self.doubled_brace(here, k)) =>
                {
                    self.repair(RepairKind::ExtraOpener, k, k + 1);
                    (byte, k) = self.look.skip_space(k + 1);
                }
                // At the very beginning a fence is noise.
                b'`' | b'~' if here.count == 0 && self.look.fence_at(k) => {
                    let rest = &self.look.bytes[k..];
                    let line = memchr::memchr(b'\n', rest).unwrap_or(rest.len());
                    self.repair(RepairKind::CodeFence, k, k + line);
                    (byte, k) = self.look.skip_space(k + line);
                }
                // Something was passed over before a name.
                b'"' if k > begin && self.look.quoted_at(k + 1).is_some() => {
                    return self.key(here, k);
                }
                b'\'' | b'A'..=b'Z' | b'a'..=b'z' if k > begin => return self.key(here, k),
                _ => return self.unusual_key(here, byte, k),
            }
        }
    }

    /// Returns `true` if the innermost object is what the type of a list stands before.
    pub(crate) fn opens_list(&self, here: Container) -> bool {
        self.list_type_before(self.tape.nodes[here.current as usize].start as usize)
    }

    fn unusual_key(&mut self, here: Container, byte: u8, k: usize) -> KeyStep {
        match byte {
            // `{"a": 1, }`.
            b'}' | b']' | b')' => {
                if here.count > 0
                    && let Some(comma) = self.last_comma(k)
                {
                    self.repair(RepairKind::ExtraComma, comma.start, comma.end);
                }
                KeyStep::Nothing(here, k)
            }
            // `{["a"] = 1}`: a name as Lua and JavaScript compute it.
            b'[' if let Some(keyed) = self.bracketed_name(k) => keyed,
            // `{"a": [[1]], 2], "b": 3}`: an item of the list that a surplus closer ended.
            b'{' | b'[' if let Some(keyed) = self.item_for_name(here, k) => keyed,
            // `{**"a"**: 1}`: emphasis of Markdown.
            b'*' | b'_' | b'~' if let Some(keyed) = self.marked_key(k) => keyed,
            // `{"a": 1, {"b": 2}}`: the members of the inner braces are this object's, unless the
            // object was to be closed: `[{"a": 1, {"a": 2}]`.
            b'{' => self.brace_for_key(here, k),
            // `{"tags": ["a"], ["b"], "n": 1}`: one more value of the member before, so both are a
            // list.
            b'[' if let BareItem::List(list) = self.unbracketed_list(here, k) => {
                KeyStep::Item(list, k)
            }
            // `{"a": 1,` and then a fence or `</answer>`: the text of the value ends here.
            b'`' | b'~' if self.look.fence_at(k) => KeyStep::End(here, k),
            b'<' if let Some(found) = self.token_quoted(StringRole::Key, k) => {
                self.found_key(here, found)
            }
            b'<' if self.look.tag_at(k) => KeyStep::End(here, k),
            // `{\"a\": 1}`: the quotes of the name were escaped, though not in a string.
            b'\\' if peek(self.look.bytes, k + 1) == b'"' => {
                let end = self.look.escaped_quote(k + 2);
                match end.map(|end| (end, self.look.beyond_space(end + 2))) {
                    Some((end, (b':', colon))) => self.escaped_key(k, end, colon),
                    _ if self.look.key_ahead(k + 1) => {
                        // `{\"name": 1`: a backslash before a name in quotes.
                        self.repair(RepairKind::InvalidEscape, k, k + 1);
                        self.key(here, k + 1)
                    }
                    _ => self.bare_key(here, k + 1),
                }
            }
            _ => match quote_at(self.look.text, k) {
                // `{"a: 1}` with a quote that nothing closes, `{“a”: 1}` with others.
                Some(quote) => {
                    if quote == '"' {
                        return self.unclosed_key(here, k);
                    }
                    let found = self.odd_string(here, StringRole::Key, k, quote);
                    self.found_key(here, found)
                }
                // `{a: 1}`.
                None => self.bare_key(here, k),
            },
        }
    }

    /// `{` where a name should stand.
    fn brace_for_key(&mut self, here: Container, k: usize) -> KeyStep {
        if self.like_last_member(here, k)
            && let BareItem::List(list) = self.unbracketed_list(here, k)
        {
            return KeyStep::Item(list, k);
        }
        if self.parent_is_array(here) {
            // The object before it was never closed: `[{"a": 1, {"a": 2}]`.
            return KeyStep::Nothing(self.close_unclosed(here, k), k);
        }
        let root = self.parent(here).is_none() && here.count > 0;
        if root && self.look.key_ahead(self.look.beyond_trivia(k + 1).1) && self.values_match(k) {
            // The next of several objects begins.
            return KeyStep::Nothing(self.close_unclosed(here, k), k);
        }
        if let BareItem::List(list) = self.unbracketed_list(here, k) {
            return KeyStep::Item(list, k);
        }
        self.stray_for_key(here, k)
    }

    fn parent_is_array(&self, here: Container) -> bool {
        let parent = self.tape.nodes[here.current as usize].next;
        self.tape
            .nodes
            .get(parent as usize)
            .is_some_and(|node| node.tag == Tag::Array)
    }

    /// Returns `true` if the brace at `k` stands right behind that of the innermost object, and a
    /// name follows.
    fn doubled_brace(&self, here: Container, k: usize) -> bool {
        let opener = self.tape.nodes[here.current as usize].start as usize;
        opener + 1 == k && self.look.key_ahead(self.look.beyond_space(k + 1).1)
    }

    /// A name whose closing quote is missing to the end of the text.
    fn unclosed_key(&mut self, here: Container, k: usize) -> KeyStep {
        let window = self.look.window(k + 1);
        let name = window.find([':', '=', '：']).map(|sign| &window[..sign]);
        if let Some(name) = name.map(|name| name.trim_end_matches(' '))
            && !self.look.work_is_used_up()
            && !name.contains(['\n', ',', ' '])
        {
            let quoted = k + 1 + name.len();
            let end = self.look.before_odd_quote(k + 1, quoted);
            self.name_ends(k, end, quoted);
            if quoted == end {
                self.doubt_name(k, self.look.bytes.len());
            }
            let key = KeySpan {
                start: k as u32 + 1,
                end: end as u32,
                flags: 0,
            };
            let (byte, sign) = self.look.skip_space(quoted);
            return match self.look.colon_like(sign) {
                Some(length) if byte != b':' => {
                    self.repair(RepairKind::OddSeparator, sign, sign + length);
                    KeyStep::Member(key, sign + length)
                }
                _ => KeyStep::Member(key, sign + 1),
            };
        }
        // The text ended inside the name: nothing of the member is known.
        self.repair(RepairKind::CutMember, k, self.look.bytes.len());
        KeyStep::End(here, self.look.bytes.len())
    }

    /// A name in unusual quotes has been found; its colon comes next.
    fn found_key(&mut self, here: Container, found: FoundString) -> KeyStep {
        if found.flags & flag::TRUNCATED != 0 {
            self.repair(RepairKind::CutMember, found.start, found.end);
            return KeyStep::End(here, self.look.bytes.len());
        }
        let flags = if found.flags & flag::ESCAPED != 0 {
            flag::KEY_ESCAPED
        } else {
            0
        };
        let key = KeySpan {
            start: found.start as u32,
            end: found.end as u32,
            flags,
        };
        let (byte, k) = self.look.skip_space(found.next);
        if byte == b':' {
            return KeyStep::Member(key, k + 1);
        }
        self.odd_colon(here, key, found.begin, (byte, k))
    }

    /// The object turns out to be a list in curly brackets; the item at `k` is read as such.
    fn becomes_set(&mut self, here: Container, k: usize) -> KeyStep {
        let opener = self.tape.nodes[here.current as usize].start as usize;
        self.forget_repairs(k);
        self.repair(RepairKind::Set, opener, opener + 1);
        self.tape.nodes[here.current as usize].tag = Tag::Array;
        KeyStep::Item(
            Container {
                object: false,
                ..here
            },
            k,
        )
    }
}

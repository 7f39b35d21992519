//! Members' names, also those that JSON would not accept, and what stands where a name should.

mod misquoted;
mod missing_colon;

use core::ops::Range;

use crate::base::repair::{Class, Repair, RepairKind};
use crate::parser::lookahead::LOOK_AHEAD;
use crate::parser::lookahead::quotes::{FoundString, REST, StringRole, quote_at};
use crate::parser::lookahead::trivia::ellipsis_at;
use crate::parser::recovery::unbracketed_list::BareItem;
use crate::parser::state::reader::Reader;
use crate::parser::state::step::{Container, KeySpan, KeyStep, scalar};
use crate::scan;
use crate::scan::{peek, skip_space};
use crate::tape::{Tag, flag};

impl Reader<'_> {
    /// Reads a member's name and its colon, whatever they look like.
    #[inline(never)]
    pub(crate) fn key(&mut self, here: Container, at: usize) -> KeyStep {
        let bytes = self.bytes;
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

    /// No colon stands right behind a name. What is odd inside it is recorded if the name is the one
    /// that its quotes enclose: of others that is on record.
    #[cold]
    #[inline(never)]
    fn name_without_colon(
        &mut self,
        here: Container,
        key: KeySpan,
        k: usize,
        behind: (u8, usize),
        suspect: bool,
    ) -> KeyStep {
        let keyed = self.odd_colon(here, key, k, behind);
        if let KeyStep::Member(found, _) = &keyed
            && suspect
            && found.start == key.start
            && found.end == key.end
        {
            self.inspect(key.start as usize, key.end as usize);
        }
        keyed
    }

    /// No double-quoted name stands at `k`, where an object expects one: perhaps one follows
    /// something else.
    #[cold]
    #[inline(never)]
    fn odd_key(&mut self, here: Container, mut byte: u8, mut k: usize) -> KeyStep {
        if byte.is_ascii_digit()
            && let Some(keyed) = self.digits_continue(here, k)
        {
            return keyed;
        }
        let begin = k;
        loop {
            if k >= self.bytes.len() {
                return KeyStep::Nothing(here, k);
            }
            if let Some(end) = self.skip_trivia(k) {
                (byte, k) = skip_space(self.bytes, end);
                continue;
            }
            match byte {
                b',' | b';' => {
                    self.repair(RepairKind::ExtraComma, k, k + 1);
                    (byte, k) = skip_space(self.bytes, k + 1);
                }
                b'}' | b'{' if here.count == 0 && self.opens_list(here) => {
                    return self.becomes_set(here, k);
                }
                b'}' | b']' => return self.unusual_key(here, byte, k),
                _ if ellipsis_at(self.text, k).is_some() => {
                    let length = self.ellipsis_length(k);
                    self.record_ellipsis(k, length);
                    (byte, k) = skip_space(self.bytes, k + length);
                    if byte == b',' {
                        (byte, k) = skip_space(self.bytes, k + 1);
                    }
                }
                b'{' if here.count == 0
                    && (!self.parent_is_array(here) || self.doubled_brace(here, k)) =>
                {
                    self.repair(RepairKind::ExtraOpener, k, k + 1);
                    (byte, k) = skip_space(self.bytes, k + 1);
                }
                // At the very beginning a fence is noise.
                b'`' | b'~' if here.count == 0 && self.fence_at(k) => {
                    let rest = &self.bytes[k..];
                    let line = memchr::memchr(b'\n', rest).unwrap_or(rest.len());
                    self.repair(RepairKind::CodeFence, k, k + line);
                    (byte, k) = skip_space(self.bytes, k + line);
                }
                // Something was passed over before a name.
                b'"' if scan::quoted(self.bytes, k + 1).is_some() => return self.key(here, k),
                b'\'' | b'A'..=b'Z' | b'a'..=b'z' if k > begin => return self.key(here, k),
                _ => return self.unusual_key(here, byte, k),
            }
        }
    }

    /// Whether the innermost object is what the type of a list stands before.
    pub(crate) fn opens_list(&self, here: Container) -> bool {
        self.list_type_before(self.tape.nodes[here.current as usize].start as usize)
    }

    fn unusual_key(&mut self, here: Container, byte: u8, k: usize) -> KeyStep {
        match byte {
            b'}' | b']' | b')' => {
                if here.count > 0
                    && let Some(comma) = self.last_comma(k)
                {
                    self.repair(RepairKind::ExtraComma, comma.start, comma.end);
                }
                KeyStep::Nothing(here, k)
            }
            b'[' if let Some(keyed) = self.bracketed_name(k) => keyed,
            b'{' | b'[' if let Some(keyed) = self.item_for_name(here, k) => keyed,
            b'*' | b'_' | b'~' if let Some(keyed) = self.marked_key(k) => keyed,
            b'{' => self.brace_for_key(here, k),
            b'[' if let BareItem::List(list) = self.unbracketed_list(here, k) => {
                KeyStep::Item(list, k)
            }
            b'`' | b'~' if self.fence_at(k) => KeyStep::End(here, k),
            b'<' if self.tag_at(k) => KeyStep::End(here, k),
            b'\\' if peek(self.bytes, k + 1) == b'"' => {
                let end = self.escaped_quote(k + 2);
                match end.map(|end| (end, self.beyond_space(end + 2))) {
                    Some((end, (b':', colon))) => self.escaped_key(k, end, colon),
                    _ if self.key_ahead(k + 1) => {
                        // `{\"name": 1`: a backslash before a name in quotes.
                        self.repair(RepairKind::InvalidEscape, k, k + 1);
                        self.key(here, k + 1)
                    }
                    _ => self.bare_key(here, k + 1),
                }
            }
            _ => match quote_at(self.text, k) {
                Some(quote) => {
                    if quote == '"' {
                        return self.unclosed_key(here, k);
                    }
                    let found = self.odd_string(here, StringRole::Key, k, quote);
                    self.found_key(here, found)
                }
                None => self.bare_key(here, k),
            },
        }
    }

    /// A name in quotes and square brackets, as Lua and JavaScript write it: `["name"] = 1`.
    fn bracketed_name(&mut self, k: usize) -> Option<KeyStep> {
        let (name, bracket, sign, length) = self.bracketed_name_at(k)?;
        self.repair(RepairKind::Wrapper, k, k + 1);
        if self.bytes[name.end] == b'\'' {
            self.repair(RepairKind::OtherQuotes, name.start - 1, name.end + 1);
        }
        self.repair(RepairKind::Wrapper, bracket, bracket + 1);
        self.record_colon(sign, length);
        let key = KeySpan {
            start: name.start as u32,
            end: name.end as u32,
            flags: 0,
        };
        Some(KeyStep::Member(key, sign + length))
    }

    /// Records a name without quotes. One that holds signs which names do not have is a guess.
    fn unquoted_key(&mut self, start: usize, end: usize) {
        let sign =
            |c: char| !c.is_alphanumeric() && !matches!(c, '_' | '-' | '$' | '.' | ' ' | '@');
        let class = if self.text[start..end].contains(sign) {
            Class::Guess
        } else {
            RepairKind::UnquotedKey.class()
        };
        self.repair_as(RepairKind::UnquotedKey, class, start, end);
    }

    /// A symbol as Ruby prints names: `:name => 1`, `:"a b"=>1`.
    fn symbol(&mut self, k: usize) -> Option<KeyStep> {
        let (length, arrow) = self.symbol_at(k)?;
        let quoted = usize::from(peek(self.bytes, k + 1) == b'"');
        let (start, end) = (k + 1 + quoted, k + length - quoted);
        self.repair(RepairKind::Wrapper, k, k + 1);
        if quoted == 0 {
            self.unquoted_key(start, end);
        }
        self.repair(RepairKind::OddSeparator, arrow, arrow + 2);
        let key = KeySpan {
            start: start as u32,
            end: end as u32,
            flags: 0,
        };
        Some(KeyStep::Member(key, arrow + 2))
    }

    /// The comma before `k`, if it is the last token there. What stands between the two, comments and
    /// other commas, is on record.
    pub(crate) fn last_comma(&self, k: usize) -> Option<Range<usize>> {
        let mut records = self.tape.repairs.iter().rev().peekable();
        let mut end = k;
        loop {
            end = self.bytes[..end].trim_ascii_end().len();
            let before = records.next_if(|record| record.span.end as usize == end);
            match before {
                Some(before) => match before.kind {
                    RepairKind::OddSeparator => return Some(before.span.range()),
                    RepairKind::Comment
                    | RepairKind::OddSpace
                    | RepairKind::EscapedSpace
                    | RepairKind::ExtraComma => end = before.span.start as usize,
                    _ => return None,
                },
                None => {
                    let is_comma = end > 0 && self.bytes[end - 1] == b',';
                    return is_comma.then(|| end - 1..end);
                }
            }
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
        if root && self.key_ahead(self.beyond_trivia(k + 1).1) && self.values_match(k) {
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

    /// Whether the brace at `k` stands right behind that of the innermost object, and a name follows.
    fn doubled_brace(&self, here: Container, k: usize) -> bool {
        let opener = self.tape.nodes[here.current as usize].start as usize;
        opener + 1 == k && self.key_ahead(self.beyond_space(k + 1).1)
    }

    /// A name whose closing quote is missing to the end of the text.
    fn unclosed_key(&mut self, here: Container, k: usize) -> KeyStep {
        // To find that out took a look at all the rest.
        self.count_fruitless(k, REST);
        let window = self.window(k + 1);
        let name = window.find([':', '=', '：']).map(|sign| &window[..sign]);
        if let Some(name) = name.map(|name| name.trim_end_matches(' '))
            && !self.look_ahead_is_spent()
            && !name.contains(['\n', ',', ' '])
        {
            let quoted = k + 1 + name.len();
            let end = self.before_odd_quote(k + 1, quoted);
            self.name_ends(k, end, quoted);
            if quoted == end {
                self.doubt_name(k, self.bytes.len());
            }
            let key = KeySpan {
                start: k as u32 + 1,
                end: end as u32,
                flags: 0,
            };
            let (byte, sign) = skip_space(self.bytes, quoted);
            return match self.colon_like(sign) {
                Some(length) if byte != b':' => {
                    self.repair(RepairKind::OddSeparator, sign, sign + length);
                    KeyStep::Member(key, sign + length)
                }
                _ => KeyStep::Member(key, sign + 1),
            };
        }
        // The text ended inside the name: nothing of the member is known.
        self.repair(RepairKind::CutMember, k, self.bytes.len());
        KeyStep::End(here, self.bytes.len())
    }

    /// A name in unusual quotes has been found; its colon comes next.
    fn found_key(&mut self, here: Container, found: FoundString) -> KeyStep {
        if found.flags & flag::TRUNCATED != 0 {
            self.repair(RepairKind::CutMember, found.start, found.end);
            return KeyStep::End(here, self.bytes.len());
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
        let (byte, k) = skip_space(self.bytes, found.next);
        if byte == b':' {
            return KeyStep::Member(key, k + 1);
        }
        self.odd_colon(here, key, found.begin, (byte, k))
    }

    /// A name without quotes, or something else altogether.
    fn bare_key(&mut self, here: Container, k: usize) -> KeyStep {
        if self.marked_name_ahead(k) {
            self.repair(RepairKind::Wrapper, k, k + 1);
            return self.key(here, k + 1);
        }
        if let Some(keyed) = self.symbol(k) {
            return keyed;
        }
        let window = self.window(k);
        let escaped = window.starts_with('"');
        let end = window
            .char_indices()
            .find(|&(at, c)| {
                matches!(
                    c,
                    ':' | '=' | ',' | '}' | ']' | '\n' | '{' | '[' | '：' | '，'
                ) || at > 0 && matches!(c, '"' | '\'' | '“' | '”' | '‘')
            })
            .map_or(window.len(), |(at, _)| at);
        let stop = window[end..].chars().next();
        let name = window[..end].trim_end();
        let (start, stop_at) = (k, k + end);
        let name_end = start + name.len();
        if name.is_empty() || name.len() > 120 {
            return self.stray_for_key(here, k);
        }
        match stop {
            Some(':' | '=' | '：') if !escaped => {
                let words = name.split(' ').count();
                let named = words <= 2 && stop == Some(':') && self.value_ahead(stop_at + 1);
                if words > 1
                    && !named
                    && let Some(keyed) = self.previous_continues(here, k)
                {
                    return keyed;
                }
                self.unquoted_key(start, name_end);
                let key = KeySpan {
                    start: start as u32,
                    end: name_end as u32,
                    flags: 0,
                };
                let (byte, colon) = skip_space(self.bytes, stop_at);
                if byte == b':' {
                    return KeyStep::Member(key, colon + 1);
                }
                self.odd_colon(here, key, start, (byte, colon))
            }
            Some('"' | '\'') if !escaped && self.fits(here, StringRole::Key, stop_at + 1) => {
                // `a": 1`: the opening quote is missing.
                self.repair(RepairKind::MissingQuote, start, start);
                let key = KeySpan {
                    start: start as u32,
                    end: name_end as u32,
                    flags: 0,
                };
                let (byte, colon) = skip_space(self.bytes, stop_at + 1);
                if byte == b':' {
                    return KeyStep::Member(key, colon + 1);
                }
                self.odd_colon(here, key, start, (byte, colon))
            }
            _ => {
                // A quote behind it belongs to a text: `"6'4", 225 pounds"`.
                let quoted = matches!(stop, Some('"' | '\''));
                if !quoted && self.scalar_ahead(k) {
                    if let Some(keyed) = self.item_for_name(here, k) {
                        return keyed;
                    }
                    if let BareItem::List(list) = self.unbracketed_list(here, k) {
                        return KeyStep::Item(list, k);
                    }
                }
                if let Some(keyed) = self.previous_continues(here, k) {
                    return keyed;
                }
                self.bare_without_colon(here, start, name_end, stop_at, stop)
            }
        }
    }

    /// An unquoted text without a colon: an item of a set, a cut name, a name whose colon is
    /// missing, or noise.
    fn bare_without_colon(
        &mut self,
        here: Container,
        start: usize,
        end: usize,
        next: usize,
        stop: Option<char>,
    ) -> KeyStep {
        let name = &self.text[start..end];
        if let Some((word, value)) = name.split_once(' ')
            && matches!(stop, Some(',' | '}' | '\n'))
            && (here.count > 0
                || stop == Some(',') && self.name_ahead(skip_space(self.bytes, next + 1).1))
            && self.scalar_ahead(end - value.trim_start().len())
            && !value.trim_start().contains(' ')
        {
            let word_end = start + word.len();
            self.unquoted_key(start, word_end);
            self.repair(RepairKind::MissingColon, word_end, word_end);
            let key = KeySpan {
                start: start as u32,
                end: word_end as u32,
                flags: 0,
            };
            return KeyStep::Member(key, word_end);
        }
        match stop {
            None if next >= self.bytes.len() => {
                self.repair(RepairKind::CutMember, start, end);
                KeyStep::End(here, self.bytes.len())
            }
            Some(',' | '}') if here.count == 0 => self.becomes_set(here, start),
            Some('"' | '\'' | '“' | '‘' | '{' | '[') => {
                let name = &self.text[start..end];
                if name.contains(' ') || self.key_ahead(next) {
                    return self.stray_for_key(here, start);
                }
                self.unquoted_key(start, end);
                self.repair(RepairKind::MissingColon, end, end);
                let key = KeySpan {
                    start: start as u32,
                    end: end as u32,
                    flags: 0,
                };
                KeyStep::Member(key, next)
            }
            _ => self.stray_for_key(here, start),
        }
    }

    /// Passes over what is no name, up to where one may stand again.
    fn stray_for_key(&mut self, here: Container, k: usize) -> KeyStep {
        let rest = &self.text[k..];
        let first = rest.chars().next().map_or(0, char::len_utf8);
        let length = rest[first..]
            .find([',', '}', ']', '\n', '"'])
            .map_or(rest.len(), |at| at + first);
        self.pass_over(k, k + length);
        KeyStep::Nothing(here, k + length)
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

    /// Drops the records of what begins at `k`: what was found odd about an item as a name is found
    /// again.
    pub(crate) fn forget_repairs(&mut self, k: usize) {
        let repairs = &mut self.tape.repairs;
        let found = |last: &Repair| last.span.start >= k as u32;
        while repairs.len() > self.first_repair && repairs.last().is_some_and(found) {
            repairs.pop();
        }
    }

    /// A name has been read that begins, its quote included, at `begin`. No colon follows it:
    /// `byte` at `k` does.
    #[cold]
    #[inline(never)]
    pub(crate) fn odd_colon(
        &mut self,
        here: Container,
        key: KeySpan,
        begin: usize,
        (mut byte, mut k): (u8, usize),
    ) -> KeyStep {
        // What looks like a comment may be the text of a string whose quote ended this name.
        let name = &self.text[key.start as usize..key.end as usize];
        let comment = matches!(peek(self.bytes, key.end as usize + 1), b'#' | b'/');
        if (comment || name.trim_end().ends_with([':', '=']) && !matches!(byte, b',' | b'}'))
            && let Some(keyed) = self.misquoted_key(here, key, begin)
        {
            self.doubt_name(begin, k);
            return keyed;
        }
        while let Some(end) = self.skip_trivia(k) {
            (byte, k) = skip_space(self.bytes, end);
            if byte == b':' {
                return KeyStep::Member(key, k + 1);
            }
        }
        let (start, end) = (key.start as usize, key.end as usize);
        if k >= self.bytes.len() {
            if self.text[start..end].ends_with(',')
                && let Some(keyed) = self.misquoted_key(here, key, begin)
            {
                self.doubt_name(begin, k);
                return keyed;
            }
            self.repair(RepairKind::CutMember, start, end);
            return KeyStep::End(here, k);
        }
        if let Some(length) = self.colon_like(k) {
            self.repair(RepairKind::OddSeparator, k, k + length);
            return KeyStep::Member(key, k + length);
        }
        if matches!(byte, b',' | b'}' | b']')
            && let (b':', colon) = self.beyond_space(k + 1)
        {
            // `"name",: 1`, `"name"}: 1`
            let kind = match byte {
                b',' => RepairKind::ExtraComma,
                _ => RepairKind::ExtraCloser,
            };
            self.repair(kind, k, k + 1);
            return KeyStep::Member(key, colon + 1);
        }
        let comma = byte == b',' || self.comma_like(k).is_some();
        let alone = byte == b',' && self.member_ahead(k + 1);
        let set = here.count == 0 && comma && !alone;
        let mut closed = false;
        if matches!(byte, b',' | b'}') {
            match self.unbracketed_list(here, begin) {
                BareItem::List(list) => return KeyStep::Item(list, begin),
                BareItem::Name => closed = true,
                BareItem::Nothing => {}
            }
        }
        if byte == b',' && self.plain_name(key) && self.comma_for_colon(here, k) {
            // Behind a text both may be more of that member's value.
            let class = if closed { Class::Guess } else { Class::Likely };
            self.repair_as(RepairKind::OddSeparator, class, k, k + 1);
            return KeyStep::Member(key, k + 1);
        }
        if !alone
            && (comma || byte == b']')
            && let Some(keyed) = self.item_for_name(here, begin)
        {
            return keyed;
        }
        if !set && let Some(keyed) = self.misquoted_key(here, key, begin) {
            return keyed;
        }
        if self.plain_name(key) && self.value_follows(byte, k) {
            self.repair(RepairKind::MissingColon, k, k);
            return KeyStep::Member(key, k);
        }
        if alone && self.lone_name(here, begin, k) {
            return self.without_value(here, key, Class::Guess, k);
        }
        if !closed
            && !matches!(byte, b'}' | b']')
            && let Some(keyed) = self.previous_continues(here, begin)
        {
            return keyed;
        }
        match byte {
            _ if set => self.becomes_set(here, begin),
            b'}' if here.count == 0 => self.becomes_set(here, begin),
            _ if comma || matches!(byte, b'}' | b']') => {
                // Behind a text, or if it is no word, it may as well be more of that member's value.
                let kind = RepairKind::MissingValue;
                let sure = !closed && self.plain_name(key);
                let class = if sure { kind.class() } else { Class::Guess };
                self.without_value(here, key, class, k)
            }
            _ => {
                if let Some(keyed) = self.key_continues(key, byte) {
                    return keyed;
                }
                if byte == b'"' && k > end + 1 && self.key_ahead(k) {
                    // The next name stands there: this one lacks its value.
                    return self.without_value(here, key, Class::Guess, k);
                }
                // Such a name is rather more than a name.
                self.repair_as(RepairKind::MissingColon, Class::Guess, k, k);
                KeyStep::Member(key, k)
            }
        }
    }

    /// A name before `k` that lacks its value.
    fn without_value(&mut self, here: Container, key: KeySpan, class: Class, k: usize) -> KeyStep {
        self.inspect_all(key.start as usize, key.end as usize);
        self.repair_as(RepairKind::MissingValue, class, k, k);
        self.tape.nodes.push(scalar(key, Tag::Null, k, k));
        let count = here.count + 1;
        KeyStep::Nothing(Container { count, ..here }, k)
    }

    /// Whether a name and its value stand behind `at`.
    pub(crate) fn member_ahead(&self, at: usize) -> bool {
        let next = self.beyond_space(at).1;
        self.key_end(next)
            .is_some_and(|value| self.value_ahead(value))
    }

    /// Whether what stands in quotes at `begin`, with the comma before the next member at `comma`, is a
    /// name that lacks its value: it is expected, or on a line of its own, as the names before and
    /// behind it are. Otherwise the string before it may go on, or be the first of a list.
    fn lone_name(&self, here: Container, begin: usize, comma: usize) -> bool {
        if self.expected_at(begin) {
            return true;
        }
        let next = self.beyond_space(comma + 1).1;
        let name = self.tape.nodes.last().map(|last| last.key_start as usize);
        let before = name.and_then(|name| name.checked_sub(1));
        here.count > 0
            && self.last_is_open()
            && before.is_some_and(|before| {
                let column = self.column_of(before);
                column.is_some() && [begin, next].map(|k| self.column_of(k)) == [column; 2]
            })
    }

    /// How far what stands first on its line is indented.
    fn column_of(&self, k: usize) -> Option<usize> {
        let before = self.text.get(k.saturating_sub(LOOK_AHEAD)..k)?;
        let line = before.rsplit_once('\n')?.1;
        line.trim().is_empty().then_some(line.len())
    }

    /// A whole member was found in the name that begins at `begin`. If the text ends at `k`, right
    /// behind that name or inside it, that may be all there is.
    fn doubt_name(&mut self, begin: usize, k: usize) {
        if k >= self.bytes.len() {
            self.cut = true;
            self.unclosed_from = self.unclosed_from.min(begin);
        }
    }
}

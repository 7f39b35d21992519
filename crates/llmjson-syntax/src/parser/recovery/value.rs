//! Values that JSON would not accept, and what stands where a value should.

use crate::base::repair::RepairKind;
use crate::parser::look::Look;
use crate::parser::look::charged::STEPS_OF_RECOVERY;
use crate::parser::look::notice::{ellipsis_at, notice_at};
use crate::parser::look::quotes::{FoundString, StringRole, quote_at};
use crate::parser::recovery::encoding::{Encoding, entity};
use crate::parser::state::reader::Reader;
use crate::parser::state::step::{Container, KeySpan, ValueStep, scalar};
use crate::scan::peek;
use crate::scan::tag::QUOTE_TOKEN;
use crate::tape::{NONE, Tag, flag};

/// Maximum number of entities that are tried as the end of a string that begins with one.
const ENTITIES_MAX: usize = 32;

impl Reader<'_> {
    /// No JSON value stands at `k`, where one is expected under `key`.
    #[cold]
    #[inline(never)]
    pub(crate) fn odd_value(
        &mut self,
        here: Container,
        key: KeySpan,
        byte: u8,
        k: usize,
    ) -> ValueStep {
        if k >= self.look.bytes.len() {
            return self.no_more(here, key, k);
        }
        if byte == b'"' {
            // That no quote closes it took a look at all the rest.
            self.look.charge_search(self.look.bytes.len() - k);
        }
        if self.reads_without_looking(k) {
            return self.value_without_looking(here, key, byte, k);
        }
        let plain = match byte {
            // `{'a': 'x'}` and `[True, None]`: whole replies are in Python's words, so these two go
            // first.
            b'\'' => self.plain_quoted(here, key, k),
            b'T' | b'F' | b'N' => self.python_keyword(key, k),
            _ => None,
        };
        match plain {
            Some((node, next)) => ValueStep::Scalar(node, next),
            None => self.odder_value(here, key, byte, k),
        }
    }

    /// The same for what is not damaged in one of the most frequent ways.
    #[inline(never)]
    fn odder_value(&mut self, here: Container, key: KeySpan, byte: u8, k: usize) -> ValueStep {
        self.look.charge(STEPS_OF_RECOVERY);
        if let Some(notice) = self.notice_for_list(here) {
            return notice;
        }
        if matches!(byte, b'#' | b'/') && here.current != NONE {
            // `"a": #fff` is a text, `"a": # none yet` a comment: what follows on the line decides.
            if let Some(odd) = self.comment_for_value(here, key, k) {
                return odd;
            }
            if self.text_for_value(here, k) {
                return self.bare_value(here, key, k);
            }
        }
        if let Some(end) = self.skip_trivia(k) {
            return ValueStep::Again(end);
        }
        match byte {
            // `{"a":, "b": 2}`: the member gets null; `[1,, 2]`: a comma too many, since a list that
            // was meant to have null there says so.
            b',' => self.comma_for_value(here, key, k, 1),
            // `{"a": }` and `[1, ]`, likewise. `{"a":} "x", "b": 1}`: the value is still to come.
            b'}' | b']' | b')' => self.closer_for_value(here, key, k),
            // `[1，2]` with a comma of Chinese text, or a semicolon.
            _ if let Some(length) = self.look.comma_like(k) => {
                self.comma_for_value(here, key, k, length)
            }
            // `{:color => :red}`: a symbol of Ruby. Its colon is part of the notation, not of the
            // text.
            b':' if peek(self.look.bytes, k + 1).is_ascii_alphabetic()
                || !here.object && k + 1 >= self.look.bytes.len() =>
            {
                self.repair(RepairKind::Wrapper, k, k + 1);
                ValueStep::Again(k + 1)
            }
            // `{"a": : 1}`, `{"a": => 1}`: a separator was written twice.
            b':' | b'=' => {
                let length = 1 + usize::from(self.look.bytes[k..].starts_with(b"=>"));
                self.repair(RepairKind::OddSeparator, k, k + length);
                ValueStep::Again(k + length)
            }
            // `[(x) => 1]`: parameters of a function, which is text. As a tuple it would lose its
            // body.
            b'(' if self.look.arrow_ahead(k) => self.bare_value(here, key, k),
            // `dict(a=1)` and `('a' => 1)`: named items are members.
            b'(' if self.look.members_in_call(k) => {
                self.repair(RepairKind::BracketedMembers, k, k + 1);
                ValueStep::Open(Tag::Object, k + 1)
            }
            // `(1, 2)`: a tuple of Python is a list.
            b'(' => {
                self.await_brackets(k);
                self.repair(RepairKind::Tuple, k, k + 1);
                ValueStep::Open(Tag::Array, k + 1)
            }
            // `[1, 2, ...]`: more was left out, which is no item.
            _ if ellipsis_at(self.look.text, k).is_some() => self.ellipsis(here, key, k),
            // `&quot;x&quot;`: a string of HTML among others that are not.
            b'&' if let Some(odd) = self.entity_quoted(here, key, k) => odd,
            // A fence behind `{"a": ` ends the block that the reply stands in: its value was cut
            // off.
            b'`' | b'~' if self.closes_block(here, k) => self.no_more(here, key, k),
            // A fence that opens, with its language, holds the text of the member: `"code": ```sql`.
            b'`' if here.object && self.look.fence_at(k) => self.fenced_string(key, k),
            b'`' | b'~' if self.look.fence_at(k) => self.fence_for_value(here, key, k),
            b'<' if let Some(found) = self.token_quoted(Self::role(here), k) => {
                self.string(key, found)
            }
            // `{"a": </answer>`: the tag closes what stands around the value.
            b'<' if self.look.tag_at(k) => self.no_more(here, key, k),
            // `<![CDATA[x]]>`: as XML writes a text.
            b'<' if let Some(odd) = self.character_data(key, k) => odd,
            // `\"x\"`: both quotes were escaped, though not in a string; `\"x"`: only the first one
            // was.
            b'\\' if peek(self.look.bytes, k + 1) == b'"' => {
                if let Some(end) = self.look.escaped_quote(k + 2)
                    && self.fits(here, Self::role(here), end + 2)
                {
                    return self.escaped_quotes(key, k, end);
                }
                self.repair(RepairKind::InvalidEscape, k, k + 1);
                ValueStep::Again(k + 1)
            }
            _ => match quote_at(self.look.text, k) {
                // `{"a": "x, "b": 2}`: no quote that ends a string closes this one.
                Some('"') => {
                    let found = self.unclosed_string(here, Self::role(here), k + 1);
                    self.string(key, found)
                }
                // `'x'`, `“x”`, `«x»`.
                Some(quote) => {
                    let found = self.odd_string(here, Self::role(here), k, quote);
                    self.string(key, found)
                }
                // `{"a": hello world}`: a text without quotes, or a number that JSON does not have.
                None => self.bare_value(here, key, k),
            },
        }
    }

    /// A string at `k` between special tokens that stand for its quotes, without escapes: `<|"|>x<|"|>`.
    pub(crate) fn token_quoted(&mut self, role: StringRole, k: usize) -> Option<FoundString> {
        let inside = self.look.text[k..].strip_prefix(QUOTE_TOKEN)?;
        let length = memchr::memmem::find(inside.as_bytes(), QUOTE_TOKEN.as_bytes());
        self.look.charge_search(length.unwrap_or(inside.len()));
        let start = k + QUOTE_TOKEN.len();
        let (end, next, flags) = match length {
            Some(length) => (start + length, start + length + QUOTE_TOKEN.len(), 0),
            // A name that was cut is dropped with all that stands before it.
            None if role == StringRole::Key => return None,
            // The other one may be still to come.
            None => {
                self.scratch.pause.looked_to = usize::MAX;
                let end = self.look.bytes.len();
                self.repair(RepairKind::UnclosedString, end, end);
                (end, end, flag::TRUNCATED)
            }
        };
        self.repair(RepairKind::OtherQuotes, k, next);
        Some(FoundString {
            begin: k,
            start,
            end,
            next,
            flags,
        })
    }

    /// Takes back a list of which nothing has been read if its opener is the bracket of a notice
    /// that the text was cut: `[truncated]`. The name before it is taken back too, unless another
    /// member follows.
    fn notice_for_list(&mut self, here: Container) -> Option<ValueStep> {
        let list = *self.tape.nodes.get(here.current as usize)?;
        if here.object || here.current as usize + 1 != self.tape.nodes.len() || list.next == NONE {
            return None;
        }
        let opener = list.start as usize;
        let end = notice_at(self.look.text, opener)?;
        self.look.charge_search(end - opener);
        if self.growing {
            // It has been shown: the text is read again when all of it is there.
            self.counters.reopened += 1;
            return Some(ValueStep::Nothing(here, end));
        }
        self.tape.nodes.pop();
        self.counters.depth -= 1;
        let mut outer = Container {
            current: list.next,
            object: self.is_object(list.next),
            count: self.tape.count(list.next) - 1,
        };
        let goes_on = matches!(self.look.skip_space(end).0, b',' | b'}' | b']');
        let key = KeySpan {
            start: list.key_start,
            end: list.key_end,
            flags: list.flags & (flag::KEY_ESCAPED | flag::KEY_SIDE),
        };
        if outer.object && !goes_on {
            self.repair(RepairKind::CutMember, key.start as usize, end);
        } else {
            self.repair(RepairKind::Ellipsis, opener, end);
        }
        if outer.object && goes_on {
            self.repair(RepairKind::MissingValue, end, end);
            self.tape.nodes.push(scalar(key, Tag::Null, end, end));
            outer.count += 1;
        }
        self.tape.set_count(outer.current, outer.count);
        self.note_cut(end);
        Some(ValueStep::Nothing(outer, end))
    }

    /// Returns `true` if the fence at `k`, where a value is expected, closes the block around the
    /// text: nothing stands behind it, or it stands on a line of its own and no other fence closes
    /// what it would open.
    fn closes_block(&mut self, here: Container, k: usize) -> bool {
        if here.current == NONE || !self.look.closing_fence_at(k) {
            return false;
        }
        let fence = &self.look.text[k..k + 3];
        let signs = self.look.bytes[k..]
            .iter()
            .take_while(|&&byte| byte == fence.as_bytes()[0]);
        let behind = k + signs.count();
        if self.look.skip_space(behind).1 >= self.look.bytes.len() {
            return true;
        }
        let other = memchr::memmem::find(&self.look.bytes[behind..], fence.as_bytes());
        self.look
            .charge_search(other.unwrap_or(self.look.bytes.len() - behind));
        // `{"a":` and a fence on the line below, the last one so far.
        if other.is_none() {
            // It may be still to come.
            self.scratch.pause.looked_to = usize::MAX;
        }
        let closes = |at: usize| self.fits(here, Self::role(here), behind + at + fence.len());
        let line = self.look.text[..k]
            .trim_end_matches([' ', '\t'])
            .ends_with('\n');
        line && !other.is_some_and(closes)
    }

    fn comma_for_value(
        &mut self,
        here: Container,
        key: KeySpan,
        k: usize,
        length: usize,
    ) -> ValueStep {
        if here.object {
            self.repair(RepairKind::MissingValue, k, k);
            return ValueStep::Scalar(scalar(key, Tag::Null, k, k), k);
        }
        self.repair(RepairKind::ExtraComma, k, k + length);
        ValueStep::Again(k + length)
    }

    fn closer_for_value(&mut self, here: Container, key: KeySpan, k: usize) -> ValueStep {
        if here.object && self.look.value_and_member_behind(k + 1) {
            // `"name":} "x", "next": 1`
            self.repair(RepairKind::ExtraCloser, k, k + 1);
            return ValueStep::Again(k + 1);
        }
        if here.object {
            self.repair(RepairKind::MissingValue, k, k);
            return ValueStep::Scalar(scalar(key, Tag::Null, k, k), k);
        }
        // `[1, ]`: the comma is one too many. In `[]` there is none.
        if here.count > 0 {
            let comma = self.last_comma(k).unwrap_or(k..k);
            self.repair(RepairKind::ExtraComma, comma.start, comma.end);
        }
        ValueStep::Nothing(here, k)
    }

    /// Dots in place of a value, and the comma behind them.
    fn ellipsis(&mut self, here: Container, key: KeySpan, k: usize) -> ValueStep {
        let dots = self.look.ellipsis_length(k);
        self.record_ellipsis(k, dots);
        let (byte, next) = self.look.beyond_trivia(k + dots);
        if here.object {
            return ValueStep::Scalar(scalar(key, Tag::Null, k, k), k + dots);
        }
        // `[..., 1]`: the comma behind the dots goes with them.
        if byte == b',' {
            return ValueStep::Again(next + 1);
        }
        if matches!(byte, b']' | b'}' | b')') {
            return ValueStep::Nothing(here, k + dots);
        }
        ValueStep::Again(k + dots)
    }

    /// A fence where a value should stand: at the very beginning it is noise, else the end.
    fn fence_for_value(&mut self, here: Container, key: KeySpan, k: usize) -> ValueStep {
        if here.count > 0 {
            return self.no_more(here, key, k);
        }
        let line =
            memchr::memchr(b'\n', &self.look.bytes[k..]).map_or(self.look.bytes.len(), |at| k + at);
        self.repair(RepairKind::CodeFence, k, line);
        ValueStep::Again(line)
    }

    /// Code in a fence as a member's value: a string up to the closing fence. What stands behind
    /// the opening one on its line is the language.
    fn fenced_string(&mut self, key: KeySpan, k: usize) -> ValueStep {
        let rest = &self.look.bytes[k..];
        let close = memchr::memmem::find(&rest[3..], b"```").map(|at| at + 3);
        let line = memchr::memchr(b'\n', &rest[..close.unwrap_or(rest.len())]);
        // "a": ```x```, all on one line: no language.
        if let (Some(close), None) = (close, line) {
            return self.fenced_inline(key, k, k + close);
        }
        let line = line.map_or(rest.len(), |line| line + 1);
        let start = k + line;
        let close = memchr::memmem::find(&self.look.bytes[start..], b"```").map(|at| start + at);
        let (end, next) = close.map_or((self.look.bytes.len(), self.look.bytes.len()), |at| {
            (at, at + 3)
        });
        let trimmed = self.look.text[start..end].trim_end_matches([' ', '\t']);
        let trimmed = trimmed.strip_suffix('\n').unwrap_or(trimmed);
        self.repair(RepairKind::OtherQuotes, k, next);
        let end = start + trimmed.len();
        let mut node = scalar(key, Tag::String, start, end);
        if memchr::memchr(b'\n', &self.look.bytes[start..end]).is_some() {
            self.repair(RepairKind::ControlCharacter, start, end);
        }
        if close.is_none() {
            self.repair(RepairKind::UnclosedString, end, end);
            node.flags |= flag::TRUNCATED;
        }
        ValueStep::Scalar(node, next)
    }

    /// A string between escaped quotes, the first of which begins at `k`, the other at `end`.
    fn escaped_quotes(&mut self, key: KeySpan, k: usize, end: usize) -> ValueStep {
        self.repair(RepairKind::InvalidEscape, k, k + 1);
        self.repair(RepairKind::InvalidEscape, end, end + 1);
        let mut node = scalar(key, Tag::String, k + 2, end);
        node.flags |= self.inspect_all(k + 2, end);
        ValueStep::Scalar(node, end + 2)
    }

    /// Code in a fence on one line, `close` being where the closing fence begins. With a quote behind
    /// that the fences are part of a string without its opening quote.
    fn fenced_inline(&mut self, key: KeySpan, k: usize, close: usize) -> ValueStep {
        let next = close + 3;
        let mut node = scalar(key, Tag::String, k + 3, close);
        if peek(self.look.bytes, next) == b'"' {
            self.repair(RepairKind::MissingQuote, k, k);
            (node.start, node.end) = (k as u32, next as u32);
            node.flags |= self.inspect_all(k, next);
            return ValueStep::Scalar(node, next + 1);
        }
        self.repair(RepairKind::OtherQuotes, k, next);
        ValueStep::Scalar(node, next)
    }

    /// A string between quotes that are written as HTML entities.
    fn entity_quoted(&mut self, here: Container, key: KeySpan, k: usize) -> Option<ValueStep> {
        let (_, length) = entity(&self.look.text[k..]).filter(|&(c, _)| matches!(c, '"' | '\''))?;
        let sign = &self.look.text[k..k + length];
        let start = k + length;
        let place = Self::role(here);
        let ends = memchr::memmem::find_iter(&self.look.bytes[start..], sign).take(ENTITIES_MAX);
        let mut ends = ends.map(|at| start + at);
        let end = ends.find(|&end| self.fits(here, place, end + length));
        self.look
            .charge_search(end.unwrap_or(self.look.bytes.len()) - start);
        let end = end?;
        let coding = Encoding::Entities;
        self.repair(coding.kind(), k, end + length);
        let text = coding.decode(&self.look.text[start..end], usize::MAX).text;
        let mut node = scalar(key, Tag::String, 0, 0);
        (node.start, node.end) = self.tape.put_side(&text);
        node.flags |= flag::SIDE;
        node.next = (end + length) as u32;
        if text.contains('\\') {
            node.flags |= flag::ESCAPED;
        }
        Some(ValueStep::Scalar(node, end + length))
    }

    fn string(&mut self, key: KeySpan, found: FoundString) -> ValueStep {
        let mut node = scalar(key, Tag::String, found.start, found.end);
        node.flags |= found.flags;
        self.keep_pattern(&mut node, found.next);
        ValueStep::Scalar(node, found.next)
    }
}

impl Look<'_> {
    /// Returns `true` if a string in quotes begins at `at`, and behind it and a comma another member:
    /// `"x", "b": 1`.
    fn value_and_member_behind(&self, at: usize) -> bool {
        let (byte, k) = self.skip_space(at);
        let string = (byte == b'"').then(|| self.quoted_at(k + 1)).flatten();
        string.is_some_and(|quoted| {
            let (byte, comma) = self.skip_space(quoted.end + 1);
            byte == b',' && self.key_ahead(self.skip_space(comma + 1).1)
        })
    }

    /// Returns `true` if the round bracket at `k` holds the parameters of an arrow function: `(a) => 1`.
    fn arrow_ahead(&self, k: usize) -> bool {
        let window = self.window(k);
        let end = window.find([')', '"', '\'', '\n']);
        end.is_some_and(|end| {
            let arrow = window[end..].strip_prefix(')').map(str::trim_start);
            arrow.is_some_and(|rest| rest.starts_with("=>"))
        })
    }
}

#[cfg(test)]
mod tests {
    use crate::parser::look::ask;

    #[test]
    fn members_stand_behind_a_string() {
        for (text, expected) in [
            ("\"x\", \"b\": 1", true),
            (" \"x\" , \"b\": 1", true),
            ("\"x\", 1", false),
            ("\"x\"; \"b\": 1", false),
            ("\"x\"", false),
            ("1, \"b\": 1", false),
            ("", false),
        ] {
            assert_eq!(
                ask(text, |look| look.value_and_member_behind(0)),
                expected,
                "{text:?}"
            );
        }
    }

    #[test]
    fn parameters_stand_before_an_arrow() {
        for (text, expected) in [
            ("(a) => 1", true),
            ("(a, é)=>1", true),
            ("()=>", true),
            ("(a) 1", false),
            ("(\"a\") => 1", false),
            ("(a\n) => 1", false),
            ("(a", false),
            ("", false),
        ] {
            assert_eq!(ask(text, |look| look.arrow_ahead(0)), expected, "{text:?}");
        }
    }
}

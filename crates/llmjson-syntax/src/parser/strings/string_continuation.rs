//! A value that seemed to have ended goes on: more of a string, of a number, of a word.

use crate::base::repair::{Class, Repair, RepairKind};
use crate::base::span::Span;
use crate::parser::look::quotes::{StringRole, quote_at};
use crate::parser::look::{LOOK_AHEAD, Look};
use crate::parser::state::reader::Reader;
use crate::parser::state::step::{AfterStep, Container, KeyStep};
use crate::parser::strings::closing_quote::StringEnd;
use crate::scan::peek;
use crate::tape::{Tag, flag};

/// Maximum number of times a string is extended past a quote; each rescans the whole string. It is kept in the
/// `count` of the string's node, which has no children.
const EXTENSIONS_MAX: u16 = 128;

/// Maximum number of pieces of a string that are looked at.
const PIECES_MAX: usize = 16;

impl Reader<'_> {
    /// The value read last seems to go on at `k`: more of a string, of a number, of a word.
    pub(crate) fn last_continues(
        &mut self,
        here: Container,
        byte: u8,
        k: usize,
    ) -> Option<AfterStep> {
        let last = self.tape.nodes.len() - 1;
        let node = self.tape.nodes[last];
        match node.tag {
            Tag::String => self.string_continues(here, last, byte, k),
            Tag::Integer | Tag::Float | Tag::True | Tag::False | Tag::Null
                if !node.has(flag::SIDE) =>
            {
                self.word_continues(here, last, byte, k)
            }
            _ => None,
        }
    }

    fn string_continues(
        &mut self,
        here: Container,
        last: usize,
        byte: u8,
        k: usize,
    ) -> Option<AfterStep> {
        let node = self.tape.nodes[last];
        let role = Self::role(here);
        let quote = quote_at(self.look.text, k);
        let joins = matches!(byte, b'+' | b'.') && self.concatenates(here, role, k);
        // `"Dear " + name`: pieces of a string as a program puts them together.
        if joins && (self.quote_before(k) || self.bare_before(last, k)) {
            return Some(self.concatenate(here, last, k));
        }
        if !self.quote_before(k) {
            return None;
        }
        // `("a" "b")`: Python joins strings in round brackets.
        if let Some(quote) = quote.filter(|_| self.glued(here)) {
            return Some(self.join(here, last, k, quote));
        }
        if node.has(flag::SIDE) {
            return quote
                .filter(|_| here.object && !self.look.key_ahead(k))
                .map(|quote| self.join(here, last, k, quote));
        }
        let (start, first) = (node.start as usize, node.end as usize);
        // `"""a "b" c"""`: quotes inside need no escape.
        if let Some(next) = self.triple_quoted(here, last, k) {
            return Some(next);
        }
        let double = start > 0
            && peek(self.look.bytes, start - 1) == b'"'
            && peek(self.look.bytes, first) == b'"';
        // A string whose own quote is missing ends where the next one begins.
        let between = self.look.text.get(first + 1..k);
        let adjacent = double
            && node.count < EXTENSIONS_MAX
            && between.is_some_and(|text| text.trim().is_empty());
        if !adjacent {
            return quote
                .filter(|_| here.object && !self.look.key_ahead(k))
                .map(|quote| self.join(here, last, k, quote));
        }
        // `"a": "x" "b": 1`: the next member without its comma, not more of the string.
        if self.fits(here, role, first + 1) {
            return None;
        }
        // `"a": "x" | "y"`: the model copied the notation of a type. The first alternative is the value.
        if byte == b'|'
            && node.count == 0
            && let Some(end) = self.look.alternatives_end(k)
        {
            self.pass_over(k, end);
            return Some(AfterStep::Again(here, end));
        }
        // `"a": "{"b": 1}"`: the quotes belong to JSON inside of the string.
        if let Some(found) = self.unescaped_json(here, role, start, b'"') {
            let node = &mut self.tape.nodes[last];
            node.end = found.end as u32;
            node.flags = node.flags & !flag::ESCAPED | found.flags;
            return Some(AfterStep::Again(here, found.next));
        }
        // `"x": "a" "b", "y": 1`: whole strings up to the comma are pieces of one.
        if byte == b'"' && here.object && k > first + 1 && self.piece_ahead(here, role, k) {
            return Some(self.join(here, last, k, '"'));
        }
        // `["a" and more, "b"]`: words between a whole item and the next one.
        if !here.object
            && let Some(end) = self.look.words_before_item(first)
        {
            self.pass_over(k, end);
            return Some(AfterStep::Again(here, end));
        }
        self.continues_to_its_end(here, last, quote, k)
    }

    /// Looks for the true end of the string that seemed to end before `k`; `quote` is the one there.
    fn continues_to_its_end(
        &mut self,
        here: Container,
        last: usize,
        quote: Option<char>,
        k: usize,
    ) -> Option<AfterStep> {
        let role = Self::role(here);
        let node = self.tape.nodes[last];
        let (start, first) = (node.start as usize, node.end as usize);
        match self.true_end(here, role, start, first) {
            StringEnd::Closed(end) if end > first => {
                // `"x": ""a""`: not an empty string, since no other quote closes the text.
                if first == start && self.look.doubled_quote(start, end) {
                    return Some(self.drop_doubled(here, last, end));
                }
                if end == first + 1 && !self.look.bytes[first - 1].is_ascii_digit() {
                    // Inch marks follow digits; any other quote right before the last is one too many.
                    self.repair(RepairKind::DoubledQuote, first, end);
                    return Some(AfterStep::Again(here, end + 1));
                }
                self.extend_last(last, start, end);
                Some(AfterStep::Again(here, end + 1))
            }
            // `"a": "x" see below, "b": 1`: the spaces around the quote tell that it closes, and the words
            // are stray.
            StringEnd::MissingQuote(end, _) if end > k && self.look.words_behind(first, end) => {
                self.pass_over(k, end);
                Some(AfterStep::Again(here, end))
            }
            // `"a": "the "x" of y, "b": 1`: the quotes inside belong to the text, and the last one is
            // missing.
            StringEnd::MissingQuote(end, next) if end != start => {
                Some(self.end_before(here, last, first, (end, next)))
            }
            // `{"a": 1, "b": "x {"a": 1, "b": "y"}`: the model gave up and began its object again.
            StringEnd::Restart(brace) => Some(self.restart(here, brace)),
            StringEnd::Nowhere => {
                // Quotes inside, and the one that closes is missing.
                let found = self.unclosed_string(here, role, start);
                self.repair(RepairKind::InnerQuote, start, found.end);
                let node = &mut self.tape.nodes[last];
                node.end = found.end as u32;
                node.flags = node.flags & !flag::ESCAPED | found.flags;
                Some(AfterStep::Again(here, found.next))
            }
            _ => quote
                .filter(|_| here.object && k > first + 1)
                .map(|quote| self.join(here, last, k, quote)),
        }
    }

    /// Returns `true` if a string that follows the only item without a comma is more of it: in
    /// round brackets.
    fn glued(&self, here: Container) -> bool {
        let container = here.current as usize;
        !here.object
            && here.count == 1
            && self.closer_of(here.current) == b')'
            && container + 2 == self.tape.nodes.len()
    }

    /// The string at `last`, whose first quote stands at `first`, ends at `end` without a quote;
    /// reading goes on at `next`.
    pub(crate) fn end_before(
        &mut self,
        here: Container,
        last: usize,
        first: usize,
        (end, next): (usize, usize),
    ) -> AfterStep {
        let start = self.tape.nodes[last].start as usize;
        if end < first {
            // What is odd about the string is recorded anew, for what is left of it.
            let odd = Span::of(start, first);
            let repairs = &mut self.tape.repairs;
            let about = |last: &Repair| last.span == odd;
            while repairs.len() > self.first_repair && repairs.last().is_some_and(about) {
                repairs.pop();
            }
        }
        let text = self.look.before_odd_quote(start, end);
        self.repair(RepairKind::MissingQuote, text, end);
        let end = text;
        self.end_last(last, start, end);
        if end > first {
            self.repair(RepairKind::InnerQuote, start, end);
        }
        if next > end && peek(self.look.bytes, next - 1) == b'"' {
            return self.bare_member_after(here, next);
        }
        AfterStep::Again(here, next)
    }

    /// The innermost object begins once more at `brace`: what was read of it is dropped.
    fn restart(&mut self, here: Container, brace: usize) -> AfterStep {
        let object = here.current as usize;
        self.forget_duplicates(here.current);
        self.tape.take_back(object + 1);
        let begin = self.tape.nodes[object].start as usize;
        self.repair(RepairKind::StrayText, begin + 1, brace + 1);
        AfterStep::Child(Container { count: 0, ..here }, brace + 1)
    }

    /// Continues the string before the comma if what stands at `k` is no name: the quote that
    /// seemed to close it belongs to its text.
    pub(crate) fn previous_continues(&mut self, here: Container, k: usize) -> Option<KeyStep> {
        let last = self.tape.nodes.len() - 1;
        let node = self.tape.nodes[last];
        if here.count == 0
            || !self.last_is_open()
            || node.tag != Tag::String
            || node.has(flag::SIDE)
            || node.count >= EXTENSIONS_MAX
            || peek(self.look.bytes, node.end as usize) != b'"'
            || node.start == 0
            || peek(self.look.bytes, node.start as usize - 1) != b'"'
        {
            return None;
        }
        let (start, first) = (node.start as usize, node.end as usize);
        let between = self.look.text.get(first + 1..k)?;
        // `"a": "x", COMMENT "b": 1` or `"a": "x", etc., "b": 1`: stray words before a member. They do not
        // make the quote before them part of the text.
        if self.look.words_before_key(k)
            || node.count == 0 && self.look.word_for_member(k, self.last_name())
        {
            return None;
        }
        if !between
            .trim_matches([' ', '\n', '\r', '\t', ','])
            .is_empty()
        {
            return None;
        }
        let next = self.look.closing_quote_from(start, first + 1)?;
        let (end, next) = match self.true_end(here, StringRole::Member, start, next) {
            StringEnd::Closed(end) => (end, end + 1),
            StringEnd::MissingQuote(end, next) if end > k => (end, next),
            _ => return None,
        };
        // `"a": "one", and two", "b": 1`: no name follows the comma, so it belongs to the text.
        self.extend_last(last, start, end);
        Some(KeyStep::Nothing(here, next))
    }

    /// Lets the string at `last` go on up to `end`.
    pub(crate) fn extend_last(&mut self, last: usize, start: usize, end: usize) {
        self.repair(RepairKind::InnerQuote, start, end);
        self.end_last(last, start, end);
        let mut node = self.tape.nodes[last];
        node.count = node.count.saturating_add(1);
        self.keep_pattern(&mut node, end + 1);
        self.tape.nodes[last] = node;
    }

    fn end_last(&mut self, last: usize, start: usize, end: usize) {
        let flags = self.inspect_all(start, end);
        let node = &mut self.tape.nodes[last];
        node.end = end as u32;
        node.flags = node.flags & !flag::ESCAPED | flags;
    }

    /// A member whose name lost its opening quote begins at `k`.
    fn bare_member_after(&mut self, here: Container, k: usize) -> AfterStep {
        self.repair(RepairKind::MissingComma, k, k);
        AfterStep::Child(here, k)
    }

    fn drop_doubled(&mut self, here: Container, last: usize, end: usize) -> AfterStep {
        let start = self.tape.nodes[last].start as usize + 1;
        self.repair(RepairKind::DoubledQuote, start - 2, start - 1);
        self.tape.nodes[last].start = start as u32;
        let doubled = end > start && self.look.bytes[end - 1] == b'"';
        if doubled {
            self.repair(RepairKind::DoubledQuote, end - 1, end);
        }
        self.end_last(last, start, end - usize::from(doubled));
        AfterStep::Again(here, end + 1)
    }

    /// `"""text"""` was read as an empty string with a quote behind it.
    fn triple_quoted(&mut self, here: Container, last: usize, k: usize) -> Option<AfterStep> {
        let node = self.tape.nodes[last];
        let (start, end) = (node.start as usize, node.end as usize);
        let quote = *self.look.bytes.get(start.checked_sub(1)?)?;
        if start != end
            || k != end + 1
            || self.look.bytes.get(end) != Some(&quote)
            || self.look.bytes[k] != quote
        {
            return None;
        }
        let inside = k + 1;
        let closing = [quote; 3];
        let (end, next, truncated) =
            match memchr::memmem::find(&self.look.bytes[inside..], &closing) {
                Some(offset) => (inside + offset, inside + offset + 3, false),
                None => (self.look.bytes.len(), self.look.bytes.len(), true),
            };
        self.repair(RepairKind::OtherQuotes, start - 1, next);
        self.tape.nodes[last].start = inside as u32;
        self.end_last(last, inside, end);
        if truncated {
            self.repair(RepairKind::UnclosedString, end, end);
            self.tape.nodes[last].flags |= flag::TRUNCATED;
        }
        Some(AfterStep::Again(here, next))
    }

    /// Returns `true` if whole strings stand at `k`, parted by white space, that what follows
    /// closes: further pieces of the one before them.
    fn piece_ahead(&self, here: Container, role: StringRole, mut k: usize) -> bool {
        for _ in 0..PIECES_MAX {
            let Some(quoted) = self.look.quoted_at(k + 1).filter(|piece| piece.end > k + 1) else {
                return false;
            };
            let behind = quoted.end + 1;
            if self.fits(here, role, behind) {
                return true;
            }
            let (byte, next) = self.look.beyond_space(behind);
            if byte != b'"' || next == behind {
                return false;
            }
            k = next;
        }
        false
    }

    /// A number or keyword with more behind it on the same line: `5 apples`, `1/6`, `2 * 3`. It
    /// is read again, as text.
    fn word_continues(
        &mut self,
        here: Container,
        last: usize,
        byte: u8,
        k: usize,
    ) -> Option<AfterStep> {
        let node = self.tape.nodes[last];
        let between = self.look.text.get(node.end as usize..k)?;
        if !between.trim().is_empty() {
            return None;
        }
        let number = matches!(node.tag, Tag::Integer | Tag::Float);
        // `[1 2]`: two items without their comma.
        if !here.object && self.look.scalar_ahead(k) {
            return None;
        }
        // Digits apart from the number are more of a code, as of a telephone number.
        let more = number && here.object && byte.is_ascii_digit();
        let operator = more || number && matches!(byte, b'*' | b'/' | b'+' | b'-' | b'%' | b'^');
        let word = byte.is_ascii_alphabetic() && (here.object || number);
        // `{"a": 1 "b": 2}`: the next member without its comma. On a line of its own, too, a word is not part
        // of the number.
        if between.contains('\n') || !(operator || word) || here.object && self.look.key_ahead(k) {
            return None;
        }
        let (start, end) = (
            node.start as usize,
            self.bare_end(here, node.start as usize),
        );
        let end = start + self.look.text[start..end].trim_end().len();
        if end <= k {
            return None;
        }
        let text = &self.look.text[start..end];
        let unquoted = text.strip_suffix('"').filter(|text| !text.contains('"'));
        let node = &mut self.tape.nodes[last];
        node.tag = Tag::String;
        node.end = (start + unquoted.unwrap_or(text).len()) as u32;
        if unquoted.is_some() {
            // Only the opening quote is missing.
            self.repair(RepairKind::MissingQuote, start, start);
            let flags = self.inspect_all(start, end - 1);
            self.tape.nodes[last].flags |= flags;
        } else {
            let kind = RepairKind::NumberAsText;
            let class = if more { Class::Guess } else { kind.class() };
            self.repair_as(kind, class, start, end);
        }
        Some(AfterStep::Again(here, end))
    }
}

impl Look<'_> {
    /// Returns `true` if the quote at `quote` closes its string as the spaces around it tell, and what follows
    /// up to `end` holds no other quote: words that stand there by mistake, as in `a" by mistake`.
    fn words_behind(&self, quote: usize, end: usize) -> bool {
        let words = self.bytes.get(quote + 1..end);
        self.closes_by_space(quote)
            && words.is_some_and(|words| memchr::memchr2(b'"', b'\n', words).is_none())
    }

    /// Returns the offset of the comma before the next item at which the words behind the quote at `quote` end,
    /// which closes an item as the spaces around it tell: 5 of `"a" b, "c"]`.
    fn words_before_item(&self, quote: usize) -> Option<usize> {
        if !self.closes_by_space(quote) || self.bytes[quote - 1].is_ascii_digit() {
            return None;
        }
        let window = self.window(quote + 1);
        let length = window.find([',', ']', '"', '\'', '\n', ':', '{', '['])?;
        let end = quote + 1 + length;
        let next = self.beyond_space(end + 1).1;
        (self.bytes[end] == b',' && self.whole_item_ahead(next)).then_some(end)
    }

    /// Returns `true` if a quote follows a word directly, and white space follows the quote: `a" b`, not `a"b`.
    fn closes_by_space(&self, quote: usize) -> bool {
        quote > 0
            && !self.bytes[quote - 1].is_ascii_whitespace()
            && peek(self.bytes, quote + 1).is_ascii_whitespace()
    }

    /// Returns the offset at which the other values end that a member may have instead of the
    /// string before `k`, as types are written: `"a" | "b"`.
    fn alternatives_end(&self, k: usize) -> Option<usize> {
        let (mut byte, mut at, mut end) = (peek(self.bytes, k), k, k);
        while byte == b'|' && end - k < LOOK_AHEAD {
            end = self.item_end(self.beyond_space(at + 1).1)?;
            (byte, at) = self.beyond_space(end);
        }
        (end > k && matches!(byte, b',' | b'}' | b']')).then_some(end)
    }

    /// Returns `true` if the first of two quotes at the beginning was one too many: nothing but the last quote,
    /// which may be doubled too, closes the text, `"a"` behind the first one, not `"a" b"`.
    fn doubled_quote(&self, start: usize, end: usize) -> bool {
        let inside = &self.bytes[start + 1..end];
        memchr::memchr(b'"', inside.strip_suffix(b"\"").unwrap_or(inside)).is_none()
    }
}

#[cfg(test)]
mod tests {
    use crate::parser::look::ask;

    #[test]
    fn spaces_tell_that_quotes_close() {
        let closes = |text: &str| {
            ask(text, |look| {
                look.closes_by_space(text.find('"').expect("a quote"))
            })
        };
        assert!(closes("a\" b"));
        assert!(!closes("a \" b"));
        assert!(!closes("a\"b"));
        assert!(!closes("\" b"));
        let words = |text: &str| ask(text, |look| look.words_behind(1, text.len()));
        assert!(words("a\" by mistake"));
        assert!(!words("a\" by \"mistake"));
        assert!(!words("a\" by\nmistake"));
        assert!(!words("a\"by mistake"));
    }

    #[test]
    fn words_end_before_items() {
        let words = |text: &str| ask(text, |look| look.words_before_item(2));
        assert_eq!(words("\"a\" b, \"c\"]"), Some(5));
        assert_eq!(words("\"a\"b, \"c\"]"), None);
        assert_eq!(words("\"1\" b, \"c\"]"), None);
        assert_eq!(words("\"a\" b: \"c\"]"), None);
    }

    #[test]
    fn alternatives_end() {
        let end = |text: &str| ask(text, |look| look.alternatives_end(0));
        assert_eq!(end("| \"b\"}"), Some(5));
        assert_eq!(end("| \"b\" | 1, "), Some(9));
        assert_eq!(end("| \"b\" c"), None);
        assert_eq!(end(", \"b\""), None);
    }

    #[test]
    fn doubled_quotes_are_seen() {
        let doubled = |text: &str| ask(text, |look| look.doubled_quote(0, text.len()));
        assert!(doubled("\"a"));
        assert!(doubled("\"a\""));
        assert!(!doubled("\"a\" b\""));
    }
}

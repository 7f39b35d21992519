//! Text of a string that looks like a comment.

use crate::base::repair::RepairKind;
use crate::parser::state::pause::MARGIN;
use crate::parser::state::reader::Reader;
use crate::parser::state::step::{AfterStep, Container, KeySpan, ValueStep, scalar};
use crate::scan::peek;
use crate::tape::{Tag, flag};

impl Reader<'_> {
    /// Reads what looks like a comment at `k`, behind a value, as a continuation of the string
    /// before it.
    pub(crate) fn comment_in_text(
        &mut self,
        here: Container,
        byte: u8,
        k: usize,
    ) -> Option<AfterStep> {
        // `{a: "x,\nb: "// y"}`: the quote before the slashes opens the text of a member, whose name the
        // string before it has taken in.
        if let Some(next) = self.comment_of_member(here, k) {
            return Some(next);
        }
        let last = self.tape.nodes.last()?;
        let string = here.count > 0 && last.tag == Tag::String && self.quote_before(k);
        if !string || self.quote_of_comment(here, k).is_none() {
            return None;
        }
        self.last_continues(here, byte, k)
    }

    /// Reads what looks like a comment right behind the quote of a string that holds another member
    /// as the text of that member, whose opening quote seemed to close the string.
    fn comment_of_member(&mut self, here: Container, k: usize) -> Option<AfterStep> {
        let last = self.tape.nodes.len() - 1;
        let node = self.tape.nodes[last];
        let (start, first) = (node.start as usize, node.end as usize);
        if !here.object
            || here.count == 0
            || node.tag != Tag::String
            || node.has(flag::SIDE)
            || first + 1 != k
        {
            return None;
        }
        let next = self
            .look
            .bare_member_inside(start, first, self.last_name())?;
        let end = start + self.look.text[start..next].trim_end().len();
        Some(self.end_before(here, last, first, (end, next)))
    }

    /// Reads what looks like a comment at `k`, where a value is expected, as a string without its
    /// opening quote.
    pub(crate) fn comment_for_value(
        &mut self,
        here: Container,
        key: KeySpan,
        k: usize,
    ) -> Option<ValueStep> {
        let quote = self.quote_of_comment(here, k)?;
        self.repair(RepairKind::MissingQuote, k, k);
        let mut node = scalar(key, Tag::String, k, quote);
        node.flags |= self.inspect_all(k, quote);
        Some(ValueStep::Scalar(node, quote + 1))
    }

    /// Returns `true` if what looks like a comment at `k`, where a value is expected, is a text
    /// without quotes: `"color": #ff0000,`. It stands on the line of what it follows, nothing parts
    /// its sign from it, and what may follow a value follows it, where a comment would be followed
    /// by the value.
    pub(crate) fn text_for_value(&mut self, here: Container, k: usize) -> bool {
        let sign = match self.look.bytes[k..] {
            // `"color": #ff0000,`: white space behind the sign would make it a comment.
            [b'#', next, ..] if next.is_ascii_alphanumeric() || next >= 0x80 => b'#',
            // `"src": //cdn.example.com/x.js,`
            [b'/', b'/', next, ..] if next.is_ascii_alphanumeric() => b'/',
            // `"glob": /*.rs, "b": 1`: no space and no end of a comment, so it is a pattern of paths.
            [b'/', b'*', next, ..]
                if !next.is_ascii_whitespace() && !self.look.is_block_comment(k) =>
            {
                b'*'
            }
            _ => return false,
        };
        let before = self.look.text[..k].trim_end_matches([' ', '\t']);
        let awaited: &[char] = if here.object {
            &[':', '=', '>', '：']
        } else {
            &['[', ',', '(']
        };
        let on_line = before.ends_with(awaited);
        let listed = !here.object && self.last_begins_with(here, b'#');
        // `"a": \n #b\n 1`: on a line of its own it is a comment, and the value follows.
        if !on_line && !listed && (here.object || !before.ends_with('\n')) {
            return false;
        }
        let end = self.bare_end(here, k);
        let text = self.look.text[k..end].trim_end();
        // An address or pattern, rather than words.
        // `"a": //the default\n 1`
        if sign != b'#' && (text.contains(' ') || !text[2..].contains(['.', '/'])) {
            return false;
        }
        let (byte, next) = self.look.beyond_trivia(end);
        self.scratch.pause.looked_to = next + MARGIN;
        let below = self.look.bytes[end..next].contains(&b'\n');
        let comma = self.look.comma_like(next).or((byte == b',').then_some(1));
        match byte {
            _ if next >= self.look.bytes.len() => true,
            _ if let Some(length) = comma => {
                let (byte, next) = self.look.beyond_space(next + length);
                if here.object {
                    let ends = matches!(byte, b'}' | b'#' | b'/') || next >= self.look.bytes.len();
                    ends || self.look.key_ahead(next) || self.look.name_ahead(next)
                } else {
                    matches!(byte, b'#' | b']')
                        || (on_line || listed) && self.look.value_ahead(next)
                }
            }
            b'}' | b']' => here.object || listed || on_line && !below,
            _ => here.object && (self.look.key_ahead(next) || self.look.name_ahead(next)),
        }
    }

    /// Returns `true` if the item read last is a text without quotes that begins with this byte.
    fn last_begins_with(&self, here: Container, byte: u8) -> bool {
        let last = self.tape.nodes.last();
        here.count > 0
            && last.is_some_and(|node| {
                let text = node.tag == Tag::String && !node.has(flag::SIDE);
                text && node.start > 0
                    && peek(self.look.bytes, node.start as usize) == byte
                    && !matches!(self.look.bytes[node.start as usize - 1], b'"' | b'\'')
            })
    }
}

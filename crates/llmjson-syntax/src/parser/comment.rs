//! What looks like a comment and is the text of a string.

use crate::node::{Tag, flag};
use crate::parser::gap::gap_at;
use crate::parser::reader::{Here, KeySpan, Next, Odd, Reader, scalar};
use crate::repair::RepairKind;
use crate::scan::peek;

impl Reader<'_> {
    /// What looks like a comment at `k`, behind a value, goes on with the string before it.
    pub(in crate::parser) fn comment_in_text(
        &mut self,
        here: Here,
        byte: u8,
        k: usize,
    ) -> Option<Next> {
        if let Some(next) = self.comment_of_member(here, k) {
            return Some(next);
        }
        let last = self.tape.nodes.last()?;
        let string = here.count > 0 && last.tag == Tag::String && self.quote_before(k);
        if !string || self.quote_of_comment(here, k).is_none() {
            return None;
        }
        self.last_goes_on(here, byte, k)
    }

    /// Right behind the quote of a string that holds another member it is the text of that member,
    /// whose opening quote seemed to close the string.
    fn comment_of_member(&mut self, here: Here, k: usize) -> Option<Next> {
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
        let next = self.bare_member_inside(start, first, self.last_name_bare())?;
        let end = start + self.text[start..next].trim_end().len();
        Some(self.end_before(here, last, first, (end, next)))
    }

    /// What looks like a comment at `k`, where a value is expected, is a string without its opening
    /// quote.
    pub(in crate::parser) fn comment_for_value(
        &mut self,
        here: Here,
        key: KeySpan,
        k: usize,
    ) -> Option<Odd> {
        let quote = self.quote_of_comment(here, k)?;
        self.repair(RepairKind::MissingQuote, k, k);
        let mut node = scalar(key, Tag::String, k, quote);
        node.flags |= self.inspect_all(k, quote);
        Some(Odd::Scalar(node, quote + 1))
    }

    /// The quote that shows that what looks like a comment at `k` is the text of a string: the first
    /// one on its line, or the one right behind a comment that has an end, if what may follow a
    /// string follows it plainly.
    pub(in crate::parser) fn quote_of_comment(&self, here: Here, k: usize) -> Option<usize> {
        let quote = match (peek(self.bytes, k), peek(self.bytes, k + 1)) {
            (b'/', b'*') => gap_at(self.text, k)?.1,
            (b'#', _) | (b'/', b'/') => {
                let window = self.window(k).as_bytes();
                k + memchr::memchr2(b'"', b'\n', window)?
            }
            _ => return None,
        };
        let doubled = peek(self.bytes, quote + 1) == b'"';
        let after = quote + 1 + usize::from(doubled);
        (peek(self.bytes, quote) == b'"' && self.string_ends(here, after)).then_some(quote)
    }

    /// Whether a comma and a name or value, or a closer that fits, follow at `after`.
    fn string_ends(&self, here: Here, after: usize) -> bool {
        let (byte, k) = self.beyond_space(after);
        match byte {
            b',' => {
                let next = self.beyond_space(k + 1).1;
                if here.object {
                    self.key_ahead(next)
                } else {
                    self.value_ahead(next) && next < self.bytes.len()
                }
            }
            b'}' | b']' => self.closer_fits(here, k),
            _ => false,
        }
    }
}

//! Marks of emphasis around names and texts: `*"name"*: 1`, `**name**: 1`, `_"a"_`.

use crate::base::repair::{Class, RepairKind};
use crate::parser::lookahead::quotes::quote_at;
use crate::parser::state::look::Look;
use crate::parser::state::reader::Reader;
use crate::parser::state::step::{Container, KeySpan, KeyStep, ValueStep, scalar};
use crate::scan;
use crate::scan::peek;
use crate::tape::{Tag, flag};

/// Maximum number of marks of emphasis on either side: `***bold italics***`.
const MARKS_MAX: usize = 3;

/// A text between marks, with or without quotes.
#[derive(Clone, Copy)]
pub(crate) struct Marked {
    start: usize,
    end: usize,
    /// The offset behind the marks.
    next: usize,
    /// The offset behind the colon inside the marks or behind them, if there is one.
    value: Option<usize>,
}

impl Reader<'_> {
    /// A name between marks.
    pub(crate) fn marked_key(&mut self, k: usize) -> Option<KeyStep> {
        let value = self.look.marked_key_end(k)?;
        let marked = self.look.marked_at(k)?;
        if value == marked.next {
            // The colon stands before the last marks.
            let quote = marked.end + quote_at(self.look.text, marked.end).map_or(0, char::len_utf8);
            self.repair_as(RepairKind::OtherQuotes, Class::Likely, k, quote);
            self.repair_as(RepairKind::StrayText, Class::Likely, quote + 1, marked.next);
        } else {
            self.repair_as(RepairKind::OtherQuotes, Class::Likely, k, marked.next);
            let colon = self.look.beyond_space(marked.next).1;
            self.record_colon(colon, value - colon);
        }
        let flags = self.inspect_all(marked.start, marked.end);
        let key = KeySpan {
            start: marked.start as u32,
            end: marked.end as u32,
            flags: if flags == 0 { 0 } else { flag::KEY_ESCAPED },
        };
        Some(KeyStep::Member(key, value))
    }

    /// A text in quotes between marks.
    pub(crate) fn marked_value(
        &mut self,
        here: Container,
        key: KeySpan,
        k: usize,
    ) -> Option<ValueStep> {
        let marked = self.look.marked_at(k)?;
        let quoted = quote_at(self.look.text, marked.end).is_some() && marked.value.is_none();
        if !quoted || !self.fits(here, Self::role(here), marked.next) {
            return None;
        }
        self.repair_as(RepairKind::OtherQuotes, Class::Likely, k, marked.next);
        let mut node = scalar(key, Tag::String, marked.start, marked.end);
        node.flags |= self.inspect_all(marked.start, marked.end);
        Some(ValueStep::Scalar(node, marked.next))
    }
}

impl Look<'_> {
    /// The text between marks at `k`: in quotes, or one word between stars.
    fn marked_at(&self, k: usize) -> Option<Marked> {
        let mark = peek(self.bytes, k);
        if !matches!(mark, b'*' | b'_' | b'~') {
            return None;
        }
        let window = self.window(k).as_bytes();
        let count = window.iter().take_while(|&&byte| byte == mark).count();
        let begin = k + count;
        let inside = self.window(begin);
        let (start, end, mut next) = match inside.as_bytes().first()? {
            quote @ (b'"' | b'\'') => {
                let end = scan::find_near(inside.as_bytes(), 1, *quote, b'\n')?;
                if inside.as_bytes()[end] == b'\n' {
                    return None;
                }
                (begin + 1, begin + end, begin + end + 1)
            }
            _ if mark == b'*' => {
                let name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$' | '-');
                let end = begin + inside.find(|c| !name(c))?;
                (begin, end, end)
            }
            _ => return None,
        };
        let colon = peek(self.bytes, next) == b':';
        next += usize::from(colon);
        let closing = self.bytes.get(next..next + count)?;
        if count > MARKS_MAX || start == end || closing.iter().any(|&byte| byte != mark) {
            return None;
        }
        next += count;
        let (byte, behind) = self.beyond_space(next);
        let value = match byte {
            _ if colon => Some(next),
            b':' => Some(behind + 1),
            _ => self.colon_like(behind).map(|length| behind + length),
        };
        Some(Marked {
            start,
            end,
            next,
            value,
        })
    }

    /// The offset past the colon of the name between marks at `k`.
    pub(crate) fn marked_key_end(&self, k: usize) -> Option<usize> {
        let marked = self.marked_at(k)?;
        let value = marked.value?;
        let quoted = quote_at(self.text, marked.end).is_some();
        (quoted || self.value_ahead(value)).then_some(value)
    }
}

//! Marks of emphasis around names and texts: `*"name"*: 1`, `**name**: 1`, `_"a"_`.

use crate::base::repair::{Class, RepairKind};
use crate::parser::look::quotes::quote_at;
use crate::parser::state::reader::Reader;
use crate::parser::state::step::{Container, KeySpan, KeyStep, ValueStep, scalar};
use crate::tape::{Tag, flag};

impl Reader<'_> {
    /// A name between marks.
    pub(crate) fn marked_key(&mut self, k: usize) -> Option<KeyStep> {
        let value = self.look.marked_key_end(k)?;
        let marked = self.look.marked_at(k)?;
        // `**name:** 1`
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

//! Words that the end of the text cuts off, and names without a value.

use crate::base::repair::{Class, RepairKind};
use crate::parser::recovery::word;
use crate::parser::state::reader::Reader;
use crate::parser::state::step::{Container, KeySpan, KeyStep, ValueStep, scalar};
use crate::scan::number::number_tag;
use crate::tape::{NONE, Node, Tag, flag};

impl Reader<'_> {
    /// A word that touches the end of the text and may have been cut.
    pub(crate) fn cut_word(
        &mut self,
        here: Container,
        key: KeySpan,
        k: usize,
        end: usize,
    ) -> ValueStep {
        let text = &self.look.text[k..end];
        // `{"a": -`: a sign alone is no number.
        if text == "-" {
            self.repair(RepairKind::CutNumber, k, end);
            if here.object {
                self.repair(RepairKind::CutMember, key.start as usize, end);
            }
            return ValueStep::End(here, end);
        }
        // `{"a": tru`
        if let Some(tag) = word::cut_keyword(text) {
            self.repair(RepairKind::CutKeyword, k, end);
            let mut node = scalar(key, tag, k, end);
            node.flags |= flag::TRUNCATED;
            return ValueStep::Scalar(node, end);
        }
        // `{"a": 12.` or `{"a": 1e`: the digits so far are a number of their own.
        if let Some(number) = word::cut_number(text) {
            return self.unfinished_number(scalar(key, Tag::Null, k, k), k, number, end);
        }
        let mut node = scalar(key, Tag::Null, k, end);
        if here.current != NONE {
            node.flags |= flag::TRUNCATED;
        }
        self.word(node, k, end, end)
    }

    /// A number at `k` that the end of the value's text cuts off, up to `end`.
    pub(crate) fn unfinished_number(
        &mut self,
        mut node: Node,
        k: usize,
        number: &str,
        end: usize,
    ) -> ValueStep {
        let whole = k + number.len();
        self.repair(RepairKind::CutNumber, whole, end);
        (node.start, node.end) = (k as u32, whole as u32);
        node.tag = number_tag(number);
        node.flags |= flag::TRUNCATED;
        ValueStep::Scalar(node, end)
    }

    /// Returns `true` if nothing stands behind a word that ends at `end` but what ends the text of the value: a
    /// closing fence, tag or mark of a field.
    pub(crate) fn text_ends_behind(&mut self, end: usize) -> bool {
        let (_, k) = self.look.beyond_space(end);
        if k >= self.look.bytes.len() {
            // More may be still to come.
            self.scratch.pause.looked_to = usize::MAX;
            return true;
        }
        self.look.closing_mark_at(k) || self.look.field_mark_at(k).is_some()
    }

    /// The text of the value ends before a value: a name without one is dropped.
    pub(crate) fn no_more(&mut self, here: Container, key: KeySpan, k: usize) -> ValueStep {
        if here.object {
            self.repair(RepairKind::CutMember, key.start as usize, k);
        }
        ValueStep::End(here, k)
    }

    /// A name before `k` that lacks its value.
    pub(crate) fn without_value(
        &mut self,
        here: Container,
        key: KeySpan,
        class: Class,
        k: usize,
    ) -> KeyStep {
        self.inspect_all(key.start as usize, key.end as usize);
        self.repair_as(RepairKind::MissingValue, class, k, k);
        self.tape.nodes.push(scalar(key, Tag::Null, k, k));
        let count = here.count + 1;
        KeyStep::Nothing(Container { count, ..here }, k)
    }
}

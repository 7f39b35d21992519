//! Words that the end of the text cuts off, and names without a value.

use crate::base::repair::{Class, RepairKind};
use crate::parser::recovery::word;
use crate::parser::state::reader::Reader;
use crate::parser::state::step::{Container, KeySpan, KeyStep, ValueStep, scalar};
use crate::tape::{NONE, Tag, flag};

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

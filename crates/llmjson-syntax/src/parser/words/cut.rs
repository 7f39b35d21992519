//! Words truncated by the end of the text.

use crate::base::repair::RepairKind;
use crate::parser::state::reader::Reader;
use crate::parser::state::step::{KeySpan, scalar};
use crate::parser::words::word;
use crate::tape::{Node, Tag, flag};

impl Reader<'_> {
    /// Reads a word at the end of the text that may be truncated. A lone plus or minus is not a
    /// value.
    pub(crate) fn cut_word(&mut self, key: KeySpan, k: usize, end: usize) -> Option<Node> {
        let text = &self.look.text[k..end];
        // `{"a": -`
        if text == "-" {
            self.repair(RepairKind::CutNumber, k, end);
            if key.end > 0 {
                self.repair(RepairKind::CutMember, key.start as usize, end);
            }
            return None;
        }
        // `{"a": tru`
        if let Some(tag) = word::cut_keyword(text) {
            self.repair(RepairKind::CutKeyword, k, end);
            let mut node = scalar(key, tag, k, end);
            node.flags |= flag::TRUNCATED;
            return Some(node);
        }
        // `{"a": 12.` or `{"a": 1e`: the digits so far form a number by themselves.
        if let Some(number) = word::cut_number(text) {
            let node = scalar(key, Tag::Null, k, k);
            return Some(self.unfinished_number(node, k, number, end));
        }
        let mut node = scalar(key, Tag::Null, k, end);
        node.flags |= flag::TRUNCATED;
        Some(self.word(node, k, end))
    }
}

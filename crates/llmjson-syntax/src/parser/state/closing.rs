//! Closing containers.

use crate::base::repair::RepairKind;
use crate::parser::state::reader::Reader;
use crate::parser::state::step::Container;
use crate::tape::{COUNT_MAX, Tag, flag, saturate};

/// Number of most recent records that are searched for the record of an array.
const RECORDS_BACK: usize = 1024;

impl Reader<'_> {
    /// Closes the innermost container just before `end` and returns to its parent.
    #[inline(always)]
    pub(crate) fn close(&mut self, here: Container, end: usize) -> Container {
        if here.object {
            match here.count {
                0 => {}
                1 => self.scratch.signatures.pop(),
                count => self.find_duplicates(here.current, count),
            }
        }
        let next = self.tape.nodes.len() as u32;
        let node = &mut self.tape.nodes[here.current as usize];
        let parent = node.next;
        node.next = next;
        node.end = end as u32;
        node.count = saturate(here.count);
        if node.count == COUNT_MAX || node.has(flag::DUPLICATES) {
            self.close_counted(here);
        }
        self.counters.depth -= 1;
        match self.tape.nodes.get(parent as usize) {
            None => Container::OUTSIDE,
            Some(node) => {
                let object = node.tag == Tag::Object;
                let mut count = u32::from(node.count);
                if node.count == COUNT_MAX {
                    count = self.tape.count(parent);
                }
                Container {
                    current: parent,
                    object,
                    count,
                }
            }
        }
    }

    /// Records the number of children of a closed container, which its node does not contain.
    #[cold]
    #[inline(never)]
    fn close_counted(&mut self, here: Container) {
        if self.tape.nodes[here.current as usize].has(flag::DUPLICATES) {
            self.tape.count_shown(here.current, here.count);
        } else {
            self.tape.put_count(here.current, here.count, here.count);
        }
    }

    /// Ends an array without brackets at `end`, if the innermost container is one: its record
    /// extends from the first item to the last.
    pub(crate) fn end_unbracketed(&mut self, here: Container, end: usize) -> bool {
        let begin = self.tape.nodes[here.current as usize].start;
        if self.tape.repairs.len() >= self.limits.records as usize {
            return false;
        }
        if here.object || !self.begins_with_item(here.current) {
            return false;
        }
        let end = self.look.text[..end]
            .trim_end()
            .trim_end_matches(',')
            .trim_end()
            .len();
        let from = self
            .first_repair
            .max(self.tape.repairs.len().saturating_sub(RECORDS_BACK));
        let records = self.tape.repairs[from..].iter_mut().rev();
        self.look.charge(records.len());
        let record = { records }.find(|record| {
            record.kind == RepairKind::UnbracketedList && record.span.start == begin
        });
        match record {
            Some(record) => record.span.end = end as u32,
            None => return false,
        }
        true
    }
}

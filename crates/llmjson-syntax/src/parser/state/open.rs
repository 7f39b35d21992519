//! The open containers, their closers, and the last value.

use crate::parser::state::reader::Reader;
use crate::tape::{Tag, flag};

impl Reader<'_> {
    pub(crate) fn is_object(&self, container: u32) -> bool {
        self.tape.nodes[container as usize].tag == Tag::Object
    }

    /// Returns `true` if an array has no bracket, so that it begins with its first item.
    pub(crate) fn begins_with_item(&self, list: u32) -> bool {
        let node = &self.tape.nodes[list as usize];
        let item = self.tape.nodes.get(list as usize + 1);
        node.tag == Tag::Array
            && item.is_some_and(|item| {
                let begin = match item.tag {
                    Tag::String if !item.has(flag::SIDE) => self.look.begin_of(*item),
                    _ => item.start as usize,
                };
                begin == node.start as usize
            })
    }
}

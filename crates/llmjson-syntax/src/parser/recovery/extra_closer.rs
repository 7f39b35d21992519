//! Containers that were closed too early: one of their closers is too many, and more of them follows.

use crate::base::repair::RepairKind;
use crate::base::span::Span;
use crate::parser::look::quotes::quote_at;
use crate::parser::look::{LOOK_AHEAD, Look};
use crate::parser::state::closing::REOPENED_MAX;
use crate::parser::state::reader::Reader;
use crate::parser::state::step::{AfterStep, Container, KeySpan, KeyStep};
use crate::tape::{NONE, Tag, flag};

impl Reader<'_> {
    /// The root has been closed just before `end`, but more of it follows: surplus closers and
    /// then another member or item. Opens it again.
    #[cold]
    #[inline(never)]
    pub(crate) fn reopen(&mut self, root: u32, end: usize) -> Option<(Container, usize)> {
        let node = self.tape.nodes[root as usize];
        if self.look.work_is_used_up() {
            return None;
        }
        let (mut byte, mut k) = self.look.skip_space(end);
        // `{"a": "x "}", "b": 1}`: the bracket that closed the root belongs to a text.
        if byte == b'"' && k == end {
            return self.closer_in_string(root, end);
        }
        let mut surplus = end - 1;
        while matches!(byte, b'}' | b']') && k - end < LOOK_AHEAD {
            surplus = k;
            (byte, k) = self.look.skip_space(k + 1);
        }
        if byte == b'\\' {
            (byte, k) = self.look.beyond_trivia(k);
        }
        if self.counters.reopened >= REOPENED_MAX || byte != b',' && !self.name_behind(root, k) {
            return None;
        }
        // `{"a": {"x": 1}} "b": 2}`: a member without its comma.
        if byte != b',' {
            return Some((self.without_closers(root, end, surplus), surplus + 1));
        }
        let (byte, next) = self.look.beyond_trivia(k + 1);
        let more = match node.tag {
            // `{"a": 1}}, "b": 2}`: a name follows the comma.
            Tag::Object => {
                let name = self.look.key_ahead(next) || self.look.cut_name_ahead(next);
                quote_at(self.look.text, next).is_some() && name || self.name_behind(root, next)
            }
            _ => {
                // `[1]], [2]]`: a container behind two closers, or an item before another closer. `[1], [2]`
                // are two values.
                surplus >= end && matches!(byte, b'{' | b'[')
                    || self.closes_first(b']', None, next) == Some(true)
            }
        };
        if !more || !matches!(node.tag, Tag::Object | Tag::Array) {
            return None;
        }
        Some((self.without_closers(root, end, surplus), surplus + 1))
    }

    /// Opens the root again: its closer right before `end` and those behind it up to `surplus` close
    /// nothing now.
    fn without_closers(&mut self, root: u32, end: usize, surplus: usize) -> Container {
        let mut closer = end - 1;
        while closer <= surplus {
            self.repair(RepairKind::ExtraCloser, closer, closer + 1);
            closer = self.look.skip_space(closer + 1).1;
        }
        self.open_again(root)
    }

    /// Returns `true` if a member stands at `k`, behind the closer of the object `root`, and the
    /// next closer that nothing opens is that of an object: `{"a": {"x": 1}} "b": 2}`.
    fn name_behind(&mut self, root: u32, k: usize) -> bool {
        let member = self.is_object(root) && !self.look.work_is_used_up() && self.look.key_ahead(k);
        if !member {
            return false;
        }
        matches!(self.look.first_closer(k), Some((b'}', _)))
    }

    /// `"a "}", "b": 1`: the root was closed by a bracket that belongs to the text of its last
    /// string, as the quote behind it at `quote` and the name after that show.
    fn closer_in_string(&mut self, root: u32, quote: usize) -> Option<(Container, usize)> {
        let last = self.tape.nodes.len() - 1;
        let node = self.tape.nodes[last];
        let closed = node.tag == Tag::String
            && !node.has(flag::SIDE)
            && node.end as usize + 2 == quote
            && self.look.bytes[quote - 2] == b'"';
        let (byte, comma) = self.look.skip_space(quote + 1);
        let next = byte == b',' && self.look.key_ahead(self.look.skip_space(comma + 1).1);
        if !closed || !next || !self.is_object(root) || self.counters.reopened >= REOPENED_MAX {
            return None;
        }
        self.extend_last(last, node.start as usize, quote);
        self.end_with_last(root, quote - 1, quote + 1);
        Some((self.open_again(root), quote + 1))
    }

    /// The containers in `root` that were closed at `from` with no closer in the text, because a
    /// bracket seemed to close `root` there, end at `to`, where the string ends that is the last in them.
    fn end_with_last(&mut self, root: u32, from: usize, to: usize) {
        if self.last_is_open() {
            return;
        }
        let behind = self.tape.nodes.len() as u32;
        let records = self.tape.repairs.len() - self.first_repair;
        self.look.charge((behind - root) as usize + records);
        for node in &mut self.tape.nodes[root as usize + 1..] {
            if node.is_container() && node.next == behind && node.end as usize == from {
                node.end = to as u32;
            }
        }
        for repair in &mut self.tape.repairs[self.first_repair..] {
            if repair.kind == RepairKind::MissingCloser && repair.span.start as usize == from {
                repair.span = Span::of(to, to);
            }
        }
    }

    fn open_again(&mut self, root: u32) -> Container {
        let count = self.tape.count(root);
        self.forget_duplicates(root);
        self.counters.reopened += 1;
        self.tape.nodes[root as usize].next = NONE;
        self.counters.depth += 1;
        let node = &self.tape.nodes[root as usize];
        Container {
            current: root,
            object: node.tag == Tag::Object,
            count,
        }
    }

    /// The item at `k`, where an object expects a name, belongs to a list.
    pub(crate) fn item_for_name(&mut self, here: Container, k: usize) -> Option<KeyStep> {
        let list = self.reopen_list(here, k);
        list.or_else(|| self.unopened_list(here, k))
    }

    /// The item at `k` belongs to the list before the comma, which a surplus closer closed:
    /// `{"a": [[1]], 2], "b": 3}`.
    fn reopen_list(&mut self, here: Container, k: usize) -> Option<KeyStep> {
        let list = self.closed_before_comma(here, b']', k)?;
        if !self.growing && self.closes_first(b']', Some(here.current), k) == Some(false) {
            return None;
        }
        Some(KeyStep::Item(self.open_child(here, list)?, k))
    }

    /// The item read last is the name of a member, for a colon follows it at `colon`, and belongs to
    /// the object before the comma, which a surplus closer closed: `[{"a": {}}, "b": 1}, {}]`.
    pub(crate) fn reopen_object(
        &mut self,
        here: Container,
        colon: usize,
        length: usize,
    ) -> Option<AfterStep> {
        let name = *self.tape.nodes.last()?;
        let begin = self.look.begin_of(name);
        let object = self.closed_before_comma(here, b'}', begin)?;
        let value = colon + length;
        let list = self.parent(here).filter(|&outer| self.is_object(outer));
        let list_closed = list.is_some() && self.closers_match(list, value);
        let other =
            list_closed || self.closes_first(b'}', Some(here.current), value) == Some(false);
        if other && !self.growing && !self.look.ends_as_item(value) {
            return None;
        }
        let key = KeySpan::of(&name);
        let count = here.count - 1;
        let object = self.open_child(Container { count, ..here }, object)?;
        self.tape.nodes.pop();
        self.record_colon(colon, length);
        Some(AfterStep::Member(object, key, value))
    }

    /// The child of the innermost container that this closer closed right before the comma before
    /// `k`; before a name there may be none.
    fn closed_before_comma(&mut self, here: Container, closer: u8, k: usize) -> Option<u32> {
        let before = self.look.text_before(k);
        let before = match before.strip_suffix(',') {
            Some(before) => before.trim_end(),
            // `[{"a": {}} "b": 1}]`: a name tells by itself, also without the comma.
            None if closer == b'}' => before,
            None => return None,
        };
        let closed = before.as_bytes().last() == Some(&closer);
        if here.count == 0 || !closed || self.look.work_is_used_up() {
            return None;
        }
        let ends = |index: &u32| {
            let node = &self.tape.nodes[*index as usize];
            node.is_container() && node.end as usize == before.len()
        };
        let children = here.current + 1..self.tape.nodes.len() as u32;
        let last = children.end;
        let found = children.rev().find(ends);
        self.look
            .charge((last - found.unwrap_or(here.current)) as usize);
        // What was closed with no closer in the text, right behind that one, is around it. And a list
        // in curly brackets takes no members.
        found.filter(|&index| {
            self.tape.after(index) as usize != self.counters.implied_end
                && self.closer_of(index) == closer
                && self.is_object(index) == (closer == b'}')
        })
    }

    /// Opens the last child of the innermost container again.
    fn open_child(&mut self, here: Container, child: u32) -> Option<Container> {
        if !self.may_rearrange() {
            return None;
        }
        let end = self.tape.nodes[child as usize].end as usize;
        self.repair(RepairKind::ExtraCloser, end - 1, end);
        let open = self.open_again(child);
        self.tape.nodes[child as usize].next = here.current;
        self.tape.set_count(here.current, here.count);
        Some(open)
    }
}

impl Look<'_> {
    /// Returns `true` if the object that goes on at `at` is closed as an item is, before the end of a list or
    /// another object of it: `1}, {`, not `1}, "a"`.
    fn ends_as_item(&self, at: usize) -> bool {
        let Some((b'}', end)) = self.first_closer(at) else {
            return false;
        };
        match self.beyond_trivia(end) {
            (b']', _) => true,
            (b',', comma) => self.beyond_trivia(comma + 1).0 == b'{',
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::parser::look::ask;

    #[test]
    fn objects_end_before_the_next_item() {
        for (text, expected) in [
            (" 1}]", true),
            ("1}, {", true),
            ("1} /* x */ ]", true),
            ("1}, \"a\"", false),
            ("1}", false),
            ("1]]", false),
            ("", false),
        ] {
            assert_eq!(ask(text, |look| look.ends_as_item(0)), expected, "{text:?}");
        }
    }
}

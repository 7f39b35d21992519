//! Members whose value goes on as a list without brackets: `"tags": "a", "b", "n": 1`.
//!
//! Where an object expects a name, an item stands: a value that no colon follows, and behind it the
//! next name or the end of the object. A number, a keyword or a container there can be nothing else. A
//! string may as well be a name whose value is missing (`"title": "x", "subtitle", "n": 1`), or whose
//! colon was written as a comma (`"a": "x", "b", "y", "n": 1`): what speaks for either is weighed in
//! [`class_of_list`](Reader::class_of_list), and what is read is a guess. The string before the comma was properly
//! closed in any case.

use crate::base::repair::{Class, RepairKind};
use crate::parser::look::Look;
use crate::parser::look::items::{ITEMS_AHEAD, Items};
use crate::parser::look::quotes::quote_at;
use crate::parser::recovery::grouped_digits::grouped;
use crate::parser::state::reader::Reader;
use crate::parser::state::step::{Container, KeySpan, scalar};
use crate::scan::peek;
use crate::tape::{Node, Tag, flag};

/// A container with more nodes than this is not moved into a list.
const MOVED_MAX: usize = 1024;

/// The meaning of an item that stands where a name should.
pub(crate) enum BareItem {
    /// An item of a list without brackets, which is open now.
    List(Container),
    /// A name without its colon, and the string before it was closed.
    Name,
    /// Text that is neither, as far as it shows.
    Nothing,
}

impl Reader<'_> {
    /// The item at `k`, where an object expects a name, and the value before the comma are the first
    /// of a list without brackets.
    pub(crate) fn unbracketed_list(&mut self, here: Container, k: usize) -> BareItem {
        let Some(first) = self.value_before_comma(here, k) else {
            return BareItem::Nothing;
        };
        let Some(items) = self.look.items_ahead(k) else {
            return BareItem::Nothing;
        };
        let name = match self.tape.nodes[first as usize].tag {
            Tag::String => BareItem::Name,
            _ => BareItem::Nothing,
        };
        let Some(class) = self.class_of_list(first, k, &items) else {
            return name;
        };
        if self.counters.depth >= self.limits.depth || !self.may_enclose() {
            return name;
        }
        self.forget_repairs(k);
        let list = self.enclose(here, first as usize);
        let begin = self.tape.nodes[first as usize].start as usize;
        self.record_list(class, begin);
        BareItem::List(list)
    }

    /// Records a list without brackets that begins at `begin`, before what was corrected in its first
    /// item.
    fn record_list(&mut self, class: Class, begin: usize) {
        let records = self.tape.repairs.len();
        let item = self.tape.repairs[self.first_repair.min(records)..]
            .iter()
            .rev();
        let item = item
            .take_while(|record| record.span.start as usize >= begin)
            .count();
        self.repair_as(RepairKind::UnbracketedList, class, begin, begin);
        if self.tape.repairs.len() > records {
            self.tape.repairs[records - item..].rotate_right(1);
        }
    }

    /// Returns `true` if nodes may be put in a container of their own now. A stream has shown them:
    /// it waits for the end of the text.
    fn may_enclose(&mut self) -> bool {
        if self.growing {
            self.counters.reopened += 1;
        }
        !self.growing
    }

    /// The last member of the innermost object, if it ends right before the comma before `k`.
    fn value_before_comma(&mut self, here: Container, k: usize) -> Option<u32> {
        let before = self.look.text_before(k).strip_suffix(',')?.trim_end();
        if here.count == 0 || self.look.work_is_used_up() || !self.last_is_open() {
            return None;
        }
        let last = self.tape.nodes.len() - 1;
        let value = self.tape.nodes[last];
        if !before.ends_with(['}', ']']) {
            let quote = before.get(value.end as usize..)?;
            let quoted = value.tag == Tag::String
                && quote.chars().count() == 1
                && quote_at(quote, 0).is_some();
            // A null without a text was put in.
            let printed = value.tag != Tag::Null || value.start < value.end;
            let plain = printed && !value.is_container() && !value.has(flag::SIDE);
            return (plain && (quote.is_empty() || quoted)).then_some(last as u32);
        }
        let ends = |node: &Node| node.is_container() && node.end as usize == before.len();
        let children = &self.tape.nodes[here.current as usize + 1..];
        let moved = children.iter().rev().take(MOVED_MAX).position(ends);
        self.look
            .charge(moved.unwrap_or(children.len().min(MOVED_MAX)));
        moved.map(|moved| (last - moved) as u32)
    }

    /// Returns `true` if the first name of the object at `k` is that of the object before the
    /// comma, and not that of the innermost one.
    pub(crate) fn like_last_member(&mut self, here: Container, k: usize) -> bool {
        let Some(last) = self.value_before_comma(here, k) else {
            return false;
        };
        let (text, tape) = (self.look.text, &self.tape);
        let first_name = |object: u32| {
            let member = tape.nodes.get(object as usize + 1)?;
            let named =
                tape.nodes[object as usize].tag == Tag::Object && !member.has(flag::KEY_SIDE);
            text.get(member.key_start as usize..member.key_end as usize)
                .filter(|_| named)
        };
        let at = self.look.beyond_space(k + 1).1;
        let quote = quote_at(self.look.text, at).map_or(0, char::len_utf8);
        let name = self.look.window(at + quote);
        let begins = |object: u32| {
            let rest = first_name(object).and_then(|other| name.strip_prefix(other));
            rest.is_some_and(|rest| rest.starts_with(['"', '\'', ':', ' ']))
        };
        begins(last) && !begins(here.current)
    }

    /// Returns how certain it is that the member at `first` and the items at `k` are a list; `None`
    /// if a name without its value or colon is as likely.
    fn class_of_list(&mut self, first: u32, k: usize, items: &Items) -> Option<Class> {
        let member = self.tape.nodes[first as usize];
        let container = member.is_container();
        // `"a": 1, 2, "b": 3`: a number or container is no name, so only a list is left.
        if container || !items.first_text {
            // Containers follow containers of their kind, scalars scalars.
            let other = matches!(peek(self.look.bytes, k), b'{' | b'[');
            let same = !other || self.look.bytes[member.start as usize] == peek(self.look.bytes, k);
            // `100,200,300` may be one number, also where a list is expected.
            let number = grouped(self.look.bytes, member.start as usize).is_some();
            let class = match self.look.expects_list(&member) && !number {
                true => Class::Likely,
                false => Class::Guess,
            };
            return (container == other && same && !items.first_text).then_some(class);
        }
        // `"a": "x", "y", 1`: rather a name, whose colon was written as a comma.
        if member.tag != Tag::String || items.count == 2 && !items.second_text {
            return None;
        }
        if self.look.expects_list(&member) {
            return Some(Class::Likely);
        }
        let begin = self.look.beyond_quote(k);
        let quote = self.look.text[..items.first_end].chars().next_back();
        let end = items.first_end - quote.map_or(0, char::len_utf8);
        let end = end.max(begin);
        let item = KeySpan {
            start: begin as u32,
            end: end as u32,
            flags: 0,
        };
        // Names begin with letters.
        let number = matches!(self.look.bytes[begin], b'0'..=b'9' | b'-' | b'+');
        // `"a": "x", "two words", "b": 1`: no name looks so.
        if !self.look.plain_name(item) || number {
            return Some(Class::Guess);
        }
        if self
            .look
            .names
            .is_some_and(|names| names.contains(&self.look.text[begin..end]))
        {
            return None;
        }
        // Members' names that say that there are several.
        let mut weight = 2 * i32::from(self.look.says_several(&member));
        weight += if items.count > 2 { 3 } else { 0 };
        // Names begin alike, with small letters or capitals.
        let capital = self.look.bytes[begin].is_ascii_uppercase();
        let small = peek(self.look.bytes, member.key_start as usize).is_ascii_lowercase();
        weight += if capital && small { 2 } else { 0 };
        // Words beside a text of several words are names rather than items.
        weight -= if self.look.plain_name(KeySpan::of(&member)) {
            0
        } else {
            2
        };
        // Items share a line and the next name stands on another, or each name has its own.
        let line = self.look.bytes[member.end as usize..k].contains(&b'\n');
        let name = scalar(KeySpan::NONE, Tag::String, member.key_start as usize, 0);
        let columns = self
            .look
            .column(self.look.begin_of(name))
            .zip(self.look.column(k));
        let deeper = columns.is_some_and(|(name, item)| item > name);
        weight += match (line, items.line_behind) {
            (false, true) => 2,
            (true, true) if deeper => 3,
            (true, _) if items.count < 3 => -2,
            _ => 0,
        };
        let compound = |byte: &u8| *byte == b'_';
        weight -= if self.look.bytes[begin..end].iter().any(compound) {
            2
        } else {
            0
        };
        weight -= if self.names_elsewhere(k, items.first_end) {
            4
        } else {
            0
        };
        (weight > 0).then_some(Class::Guess)
    }

    /// Returns `true` if the string from `start` to `end`, quotes included, is a name with its
    /// colon somewhere near.
    fn names_elsewhere(&mut self, start: usize, end: usize) -> bool {
        let from = start.saturating_sub(ITEMS_AHEAD);
        let to = self.look.bytes.len().min(end + ITEMS_AHEAD);
        self.look.charge_search(to - from);
        let name = &self.look.bytes[start..end];
        let mut places = memchr::memmem::find_iter(&self.look.bytes[from..to], name);
        places.any(|at| self.look.beyond_space(from + at + name.len()).0 == b':')
    }

    /// Puts the member at `index`, the last one of the innermost object, in a list under its name.
    fn enclose(&mut self, here: Container, index: usize) -> Container {
        let child = self.tape.nodes[index];
        let begin = match child.tag {
            Tag::String => self.look.begin_of(child),
            _ => child.start as usize,
        };
        let keys = flag::KEY_ESCAPED | flag::KEY_SIDE;
        let moved = self.tape.nodes.len() - index;
        self.look
            .charge(moved + self.tape.replaced.len() + self.tape.counted.len());
        let list = Node {
            key_start: child.key_start,
            key_end: child.key_end,
            next: here.current,
            flags: child.flags & keys,
            ..scalar(KeySpan::NONE, Tag::Array, begin, begin)
        };
        self.tape.nodes.insert(index, list);
        for node in &mut self.tape.nodes[index + 1..] {
            if node.is_container() {
                node.next += 1;
            }
        }
        for (first, last) in &mut self.tape.replaced {
            if *first >= index as u32 {
                (*first, *last) = (*first + 1, *last + 1);
            }
        }
        for counted in &mut self.tape.counted {
            counted.index += u32::from(counted.index >= index as u32);
        }
        if self.counters.implied_end > index {
            self.counters.implied_end += 1;
        }
        let child = &mut self.tape.nodes[index + 1];
        (child.key_start, child.key_end) = (0, 0);
        child.flags &= !keys;
        self.tape.set_count(here.current, here.count);
        self.counters.depth += 1;
        Container {
            current: index as u32,
            object: false,
            count: 1,
        }
    }
}

impl Look<'_> {
    /// Returns `true` if the name of a member is a plural, as far as that shows, or says that it is a list: that
    /// of `"tags": 1` or `"itemList": 1`, not of `"status": 1`.
    fn says_several(&self, member: &Node) -> bool {
        let (start, end) = (member.key_start as usize, member.key_end as usize);
        if member.has(flag::KEY_SIDE) {
            return false;
        }
        let name = self.text.get(start..end).unwrap_or_default();
        let stem = name.strip_suffix(['s', 'S']).unwrap_or_default();
        let plural = stem.len() > 1 && !stem.ends_with(['s', 'S', 'u', 'U', 'i', 'I']);
        plural
            || ["list", "List", "array", "Array"]
                .iter()
                .any(|end| name.ends_with(end))
    }
}

#[cfg(test)]
mod tests {
    use crate::parser::look::ask;
    use crate::parser::state::step::{KeySpan, scalar};
    use crate::tape::{Tag, flag};

    fn says(name: &str, end: usize, flags: u8) -> bool {
        let key = KeySpan {
            start: 0,
            end: end as u32,
            flags,
        };
        ask(name, |look| {
            look.says_several(&scalar(key, Tag::String, 0, 0))
        })
    }

    #[test]
    fn plurals_say_that_there_are_several() {
        for name in [
            "tags",
            "TAGS",
            "abs",
            "itemlist",
            "itemList",
            "array",
            "itemArray",
        ] {
            assert!(says(name, name.len(), 0), "{name}");
        }
        for name in [
            "tag", "as", "s", "", "class", "CLASS", "status", "STATUS", "axis", "AXIS", "listing",
        ] {
            assert!(!says(name, name.len(), 0), "{name}");
        }
        assert!(!says("tags", 4, flag::KEY_SIDE));
        assert!(!says("tags", 5, 0));
    }
}

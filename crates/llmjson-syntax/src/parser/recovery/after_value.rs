//! Recovery behind a value where neither a comma nor the matching closer follows.

use crate::base::repair::{Repair, RepairKind};
use crate::parser::look::Look;
use crate::parser::look::charged::STEPS_OF_RECOVERY;
use crate::parser::look::notice::ellipsis_at;
use crate::parser::look::quotes::quote_at;
use crate::parser::state::reader::Reader;
use crate::parser::state::step::{AfterStep, Container, KeySpan, scalar};
use crate::tape::{NONE, Tag, flag};

impl Reader<'_> {
    /// `byte` at `k` follows a value in an open container.
    #[cold]
    #[inline(never)]
    pub(crate) fn odd_after(&mut self, here: Container, byte: u8, k: usize) -> AfterStep {
        if k >= self.look.bytes.len() {
            return AfterStep::End(here, k);
        }
        self.look.charge(STEPS_OF_RECOVERY);
        if self.reads_without_looking(k) {
            return self.after_without_looking(here, byte, k);
        }
        // `"x" # y", "b"`: the quote was part of a text that has a `#` in it. As a comment it would
        // hide the next member.
        if matches!(byte, b'#' | b'/')
            && let Some(next) = self.comment_in_text(here, byte, k)
        {
            return next;
        }
        if let Some(end) = self.skip_trivia(k) {
            return AfterStep::Again(here, end);
        }
        // `[]string{"a"}`: the empty list was the type of the one that follows.
        if byte.is_ascii_alphabetic()
            && let Some(next) = self.type_of_list(here, k)
        {
            return next;
        }
        // `"a".to_string(),`: a program was written, and its calls change no value.
        if byte == b'.'
            && let Some(end) = self.look.methods_at(k)
        {
            self.repair(RepairKind::Wrapper, k, end);
            return AfterStep::Again(here, end);
        }
        self.sign_after(here, byte, k)
    }

    /// Reads on at `byte`, at `k`, which is neither trivia nor part of the value before it: a closer of another kind,
    /// a mark, a sign for a comma or a colon, or more text.
    fn sign_after(&mut self, here: Container, byte: u8, k: usize) -> AfterStep {
        match byte {
            // `"f("x")"`: the bracket belongs to a text that has quotes in it.
            b')' if self.quoted_bracket(here, k) => {}
            // `"['"]+"`: so does this one, for text goes on right behind it.
            b'}' | b']' if self.runs_on(k) => {}
            // `[1, 2}`: closers of another kind, too many, or for a container further out.
            b'}' | b']' | b')' => return self.odd_closer(here, byte, k),
            // `"x', "<b>": 1`: the string ended sooner, at the other quote, so the sign is text of the
            // next one.
            b'`' | b'~' | b'<' if self.closed_elsewhere(here, k) => {}
            // `{"a": 1` and then a fence, `</answer>` or `[[ ## b ## ]]`: the block around the
            // value ends, so what is open is closed.
            b'`' | b'~' if self.look.fence_at(k) => return self.fence_after(here, k),
            b'<' if self.look.tag_at(k) => return self.end_at_mark(here, k),
            b'[' if self.look.field_mark_at(k).is_some() => return AfterStep::End(here, k),
            _ => {}
        }
        // `{"a": 1; "b": 2}`.
        if let Some(length) = self.look.comma_like(k) {
            self.repair(RepairKind::OddSeparator, k, k + length);
            return AfterStep::Child(here, k + length);
        }
        // `["a": 1]`: the item was a name. Members stand in square brackets, or the list was to be
        // closed before it: `{"x": [1, "y": 2}`.
        if !here.object
            && let Some(length) = if byte == b':' {
                Some(1)
            } else {
                self.look.colon_like(k)
            }
            && let Some(next) = self.name_in_list(here, k, length)
        {
            return next;
        }
        // `{"a": "b": 1}, "c": 2}`: the value was the first name of an object without its brace.
        if byte == b':'
            && here.object
            && let Some(next) = self.unopened_object(here, k)
        {
            return next;
        }
        // `{"a": 1: "b": 2}`: a colon in place of a comma.
        if byte == b':' && here.object && self.look.quoted_key_ahead(k + 1) {
            self.repair(RepairKind::OddSeparator, k, k + 1);
            return AfterStep::Child(here, k + 1);
        }
        // `{"a":` and on the next line `"b": 1}`: the value of the first member is missing.
        if byte == b':'
            && here.object
            && let Some(next) = self.name_for_value(here, k)
        {
            return next;
        }
        // `"say "hi" now"`: the string goes on. Before the closers are looked at again, since those
        // may stand in it.
        if here.count > 0
            && let Some(next) = self.last_continues(here, byte, k)
        {
            return next;
        }
        if matches!(byte, b'}' | b']' | b')') {
            return self.odd_closer(here, byte, k);
        }
        // `{"a": 1 ... }`: something was left out.
        if let Some(length) = ellipsis_at(self.look.text, k) {
            self.repair(RepairKind::Ellipsis, k, k + length);
            return AfterStep::Again(here, k + length);
        }
        // `"a": 1 (about one),`: a remark. Words without brackets are not passed over like this, for
        // they may be a text that lost its quotes.
        if let Some(end) = self.look.remark_end(k)
            && matches!(self.look.skip_space(end).0, b',' | b'}' | b']' | b')')
        {
            self.pass_over(k, end);
            return AfterStep::Again(here, end);
        }
        // `{"a": {"b": 1}", "c": 2}`: a quote that opens and closes nothing.
        if self.stray_quote(here, k) {
            self.repair(RepairKind::StrayText, k, k + 1);
            return AfterStep::Again(here, k + 1);
        }
        if here.object {
            self.after_member(here, byte, k)
        } else {
            self.after_item(here, byte, k)
        }
    }

    /// Returns `true` if the string read last, right before `k`, ends sooner, at a quote of the
    /// other kind.
    fn closed_elsewhere(&self, here: Container, k: usize) -> bool {
        self.tape.nodes.last().is_some_and(|last| {
            let (start, end) = (last.start as usize, last.end as usize);
            let string = last.tag == Tag::String && !last.has(flag::SIDE) && end + 1 == k;
            let other = || self.closed_by_other(here, Self::role(here), start, '\'');
            string && here.count > 0 && other().is_some_and(|other| other < end)
        })
    }

    /// A fence behind a value: noise if the closers that are missing follow it, else the end.
    fn fence_after(&mut self, here: Container, k: usize) -> AfterStep {
        let end = self.look.text[k..]
            .find(|c| c != '`' && c != '~')
            .map_or(self.look.bytes.len(), |l| k + l);
        let (byte, _) = self.look.skip_space(end);
        if byte == self.closer_of(here.current) {
            self.repair(RepairKind::CodeFence, k, end);
            return AfterStep::Again(here, end);
        }
        self.end_at_mark(here, k)
    }

    /// A fence or tag behind a value ends the text. Where it closes what stands around the value and
    /// the value before it is whole, nothing was cut off: only closers are missing.
    fn end_at_mark(&mut self, mut here: Container, k: usize) -> AfterStep {
        if !self.look.closing_mark_at(k) || !self.last_is_whole(k) {
            return AfterStep::End(here, k);
        }
        while here.current != NONE {
            if self.without_brace(here) {
                // Nothing but the end of its members can close it.
                return AfterStep::End(here, k);
            }
            here = self.close_unclosed(here, k);
        }
        AfterStep::Again(here, k)
    }

    /// Returns `true` if the value read last, which ends before `k`, has its end: a string its
    /// quote, a number all its digits, a keyword its letters.
    fn last_is_whole(&self, k: usize) -> bool {
        let whole = (self.tape.nodes.last()).is_some_and(|node| !node.has(flag::TRUNCATED));
        let end = self.look.text_before(k).len();
        let cut = |repair: &Repair| {
            repair.span.end as usize == end && repair.kind == RepairKind::ShortKeyword
        };
        whole && !self.look.text[..end].ends_with('.') && !self.tape.repairs.last().is_some_and(cut)
    }

    /// Returns `true` if the quote at `k`, right behind a container, belongs to nothing: what
    /// follows it may follow the container.
    fn stray_quote(&self, here: Container, k: usize) -> bool {
        let behind = k > 0 && matches!(self.look.bytes[k - 1], b'}' | b']');
        behind
            && matches!(self.look.bytes[k], b'"' | b'\'')
            && !self.last_is_scalar(k)
            && self.fits(here, Self::role(here), k + 1)
    }

    /// Returns `true` if the value read last is a scalar that ends at `end`.
    fn last_is_scalar(&self, end: usize) -> bool {
        let last = self.tape.nodes.last();
        last.is_some_and(|last| !last.is_container()) && self.last_text_end() >= end
    }

    fn after_member(&mut self, here: Container, byte: u8, k: usize) -> AfterStep {
        // `{"a": 1 "b": 2}`: the next member begins, its comma is missing.
        if self.look.key_ahead(k)
            || self.look.key_on_line(k)
            || byte == b'"'
            || quote_at(self.look.text, k).is_some()
        {
            self.repair(RepairKind::MissingComma, k, k);
            return AfterStep::Child(here, k);
        }
        // `[{"a": 1 {"a": 2}]`: the next item of the list around begins, so this one is to be
        // closed.
        if byte == b'{'
            && self
                .parent(here)
                .is_some_and(|parent| !self.is_object(parent))
        {
            return AfterStep::Again(self.close_unclosed(here, k), k);
        }
        if self.without_brace(here) {
            // Nothing but the end of its members can close it.
            return AfterStep::End(here, k);
        }
        self.stray_after(here, k)
    }

    fn after_item(&mut self, here: Container, byte: u8, k: usize) -> AfterStep {
        // `[1 = 2]`: as a further item `= 2` would be a text that was not written.
        if byte == b':' || byte == b'=' {
            return self.stray_after(here, k);
        }
        // `[{"a": 1} and {"a": 2}]`: the word joins the items.
        if let Some(end) = self.look.words_between(k) {
            self.repair(RepairKind::StrayText, k, end);
            return AfterStep::Again(here, end);
        }
        if let Some(joined) = self.join_pieces(here, k) {
            return joined;
        }
        // `[1 2]`.
        self.repair(RepairKind::MissingComma, k, k);
        AfterStep::Child(here, k)
    }

    /// The value read last turns out to be the next member's name, for it stands on a line of its
    /// own and a colon follows it at `colon`: the value before it is missing.
    fn name_for_value(&mut self, here: Container, colon: usize) -> Option<AfterStep> {
        let last = self.tape.nodes.len() - 1;
        let node = self.tape.nodes[last];
        let named = node.tag == Tag::String
            && !node.has(flag::SIDE | flag::KEY_SIDE)
            && self.quote_before(colon);
        let between = self
            .look
            .text
            .get(node.key_end as usize..node.start as usize)?;
        let (before, line) = between.rsplit_once('\n')?;
        let colon_only = before.trim_matches(['"', '\'']).trim() == ":";
        if !named || !colon_only || line.trim().chars().count() != 1 {
            return None;
        }
        let end = node.start as usize - line.len() - 1;
        self.repair(RepairKind::MissingValue, end, end);
        let null = &mut self.tape.nodes[last];
        (null.tag, null.start, null.end) = (Tag::Null, end as u32, end as u32);
        null.flags &= !flag::ESCAPED;
        Some(AfterStep::Member(here, KeySpan::of(&node), colon + 1))
    }

    /// The item read last turns out to be a name, for a colon follows it at `colon`: the list
    /// should have been closed before it, or members stand in square brackets.
    fn name_in_list(&mut self, here: Container, colon: usize, length: usize) -> Option<AfterStep> {
        let last = self.tape.nodes.len() - 1;
        let item = self.tape.nodes[last];
        let plain = item.tag == Tag::String && !item.has(flag::SIDE) && self.quote_before(colon);
        if here.count >= 2
            && plain
            && !self.in_unbracketed(here)
            && let Some(next) = self.reopen_object(here, colon, length)
        {
            return Some(next);
        }
        let outer = self.parent(here).filter(|&outer| self.is_object(outer));
        if outer.is_none() || here.count < 2 || !plain {
            return (here.count == 1).then(|| self.becomes_object(here, colon, length));
        }
        let before = self.look.begin_of(item);
        self.tape.nodes.truncate(last);
        let count = here.count - 1;
        let outer = self.close_unclosed(Container { count, ..here }, before);
        let key = KeySpan::of(&item);
        self.record_colon(colon, length);
        Some(AfterStep::Member(outer, key, colon + length))
    }

    /// `["a": 1]`: members in square brackets. The only item becomes an object whose first name
    /// it was.
    fn becomes_object(&mut self, here: Container, colon: usize, length: usize) -> AfterStep {
        let last = here.current as usize + 1;
        let item = self.tape.nodes[last];
        let only = last + 1 == self.tape.nodes.len() && item.tag == Tag::String;
        if !only || item.has(flag::SIDE) || self.counters.depth >= self.limits.depth {
            return self.stray_after(here, colon);
        }
        let list = &mut self.tape.nodes[here.current as usize];
        list.count = 1;
        let opener = list.start as usize;
        self.repair(RepairKind::BracketedMembers, opener, opener + 1);
        let key = KeySpan::of(&item);
        if self.look.bytes[colon..].starts_with(b"=>") {
            // As PHP writes it: the brackets are those of the object.
            let here = Container {
                object: true,
                count: 0,
                ..here
            };
            self.tape.nodes.truncate(last);
            let list = &mut self.tape.nodes[here.current as usize];
            (list.tag, list.count) = (Tag::Object, 0);
            self.record_colon(colon, length);
            return AfterStep::Member(here, key, colon + length);
        }
        let begin = self.look.begin_of(item);
        let mut object = scalar(KeySpan::NONE, Tag::Object, begin, begin);
        object.next = here.current;
        self.tape.nodes[last] = object;
        self.counters.depth += 1;
        self.record_colon(colon, length);
        AfterStep::Member(
            Container {
                current: last as u32,
                object: true,
                count: 0,
            },
            key,
            colon + length,
        )
    }
}

impl Look<'_> {
    /// Returns `true` if a line begins at `k` with a name and a colon: at 1 of `"\na: 1"`, not at 2 of
    /// `x a: 1`.
    fn key_on_line(&self, k: usize) -> bool {
        let before = self.text[..k].trim_end_matches([' ', '\t', '\r']);
        before.ends_with('\n') && self.name_ahead(k)
    }

    /// Returns the offset at which words end that stand between two containers of a list:
    /// `{…} and {…}`.
    pub(crate) fn words_between(&self, k: usize) -> Option<usize> {
        let last = self.text_before(k).trim_end_matches(',').trim_end();
        if !last.ends_with(['}', ']']) {
            return None;
        }
        let window = self.window(k);
        let word = |c: char| c.is_alphabetic() || c == ' ';
        let words = &window[..window.find(|c| !word(c))?];
        let next = window[words.len()..].starts_with(['{', '[']);
        let keyword = matches!(words.trim_end(), "true" | "false" | "null");
        (next && !keyword && words.ends_with(' ') && words.split_whitespace().count() <= 4)
            .then(|| k + words.trim_end().len())
    }
}

#[cfg(test)]
mod tests {
    use crate::parser::look::ask;

    #[test]
    fn names_stand_first_on_a_line() {
        for (text, at, expected) in [
            ("\na: 1", 1, true),
            ("\n  a: 1", 3, true),
            ("\n\ta:", 2, true),
            ("a: 1", 0, false),
            ("x a: 1", 2, false),
            ("\na", 1, false),
            ("\n", 1, false),
        ] {
            assert_eq!(ask(text, |look| look.key_on_line(at)), expected, "{text:?}");
        }
    }

    #[test]
    fn words_stand_between_containers() {
        for (text, at, expected) in [
            ("{} and {}", 3, Some(6)),
            ("[] or [1]", 3, Some(5)),
            ("{}, and {}", 4, Some(7)),
            ("{} a b c d {}", 3, Some(10)),
            ("{} a b c d e {}", 3, None),
            ("{} and x", 3, None),
            ("1 and {}", 2, None),
            ("{} true {}", 3, None),
            ("{} and{}", 3, None),
            ("{}", 2, None),
            ("", 0, None),
        ] {
            assert_eq!(
                ask(text, |look| look.words_between(at)),
                expected,
                "{text:?}"
            );
        }
    }
}

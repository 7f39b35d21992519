//! Recovery behind a name that has no colon.

use crate::base::repair::{Class, RepairKind};
use crate::parser::look::charged::STEPS_OF_RECOVERY;
use crate::parser::recovery::unbracketed_list::BareItem;
use crate::parser::state::reader::Reader;
use crate::parser::state::step::{Container, KeySpan, KeyStep};
use crate::scan::peek;

impl Reader<'_> {
    /// No colon stands right behind a name. What is odd inside it is recorded if the name is the one
    /// that its quotes enclose: of others that is on record.
    #[cold]
    #[inline(never)]
    pub(super) fn name_without_colon(
        &mut self,
        here: Container,
        key: KeySpan,
        k: usize,
        behind: (u8, usize),
        suspect: bool,
    ) -> KeyStep {
        let keyed = self.odd_colon(here, key, k, behind);
        if let KeyStep::Member(found, _) = &keyed
            && suspect
            && found.start == key.start
            && found.end == key.end
        {
            self.inspect(key.start as usize, key.end as usize);
        }
        keyed
    }

    /// A name has been read that begins, its quote included, at `begin`. No colon follows it:
    /// `byte` at `k` does.
    #[cold]
    #[inline(never)]
    pub(crate) fn odd_colon(
        &mut self,
        here: Container,
        key: KeySpan,
        begin: usize,
        (mut byte, mut k): (u8, usize),
    ) -> KeyStep {
        self.look.charge(STEPS_OF_RECOVERY);
        if self.reads_without_looking(k) {
            return self.colon_without_looking(here, key, (byte, k));
        }
        // What looks like a comment may be the text of a string whose quote ended this name.
        let name = &self.look.text[key.start as usize..key.end as usize];
        let comment = matches!(peek(self.look.bytes, key.end as usize + 1), b'#' | b'/');
        if (comment || name.trim_end().ends_with([':', '=']) && !matches!(byte, b',' | b'}'))
            && let Some(keyed) = self.misquoted_key(here, key, begin)
        {
            self.doubt_name(begin, k);
            return keyed;
        }
        while let Some(end) = self.skip_trivia(k) {
            (byte, k) = self.look.skip_space(end);
            if byte == b':' {
                return KeyStep::Member(key, k + 1);
            }
        }
        let (start, end) = (key.start as usize, key.end as usize);
        if k >= self.look.bytes.len() {
            if self.look.text[start..end].ends_with(',')
                && let Some(keyed) = self.misquoted_key(here, key, begin)
            {
                self.doubt_name(begin, k);
                return keyed;
            }
            self.repair(RepairKind::CutMember, start, end);
            return KeyStep::End(here, k);
        }
        // `{"a" = 1}`, `{"a" => 1}`, `{"a"：1}`.
        if let Some(length) = self.look.colon_like(k) {
            self.repair(RepairKind::OddSeparator, k, k + length);
            return KeyStep::Member(key, k + length);
        }
        if matches!(byte, b',' | b'}' | b']')
            && let (b':', colon) = self.look.beyond_space(k + 1)
        {
            // `"name",: 1`, `"name"}: 1`
            let kind = match byte {
                b',' => RepairKind::ExtraComma,
                _ => RepairKind::ExtraCloser,
            };
            self.repair(kind, k, k + 1);
            return KeyStep::Member(key, colon + 1);
        }
        self.name_before_other(here, key, begin, (byte, k))
    }

    /// Reads on behind a name that no sign for a colon follows: what looked like a name is a further value of the
    /// member before it, or it lacks its colon, its value or one of its quotes.
    fn name_before_other(
        &mut self,
        here: Container,
        key: KeySpan,
        begin: usize,
        (byte, k): (u8, usize),
    ) -> KeyStep {
        let comma = byte == b',' || self.look.comma_like(k).is_some();
        let alone = byte == b',' && self.look.member_ahead(k + 1);
        let set = here.count == 0 && comma && !alone;
        let mut closed = false;
        if matches!(byte, b',' | b'}') {
            match self.unbracketed_list(here, begin) {
                // `{"tags": "a", "b", "c": 1}`: what looked like a name is a further value of
                // `tags`.
                BareItem::List(list) => return KeyStep::Item(list, begin),
                BareItem::Name => closed = true,
                BareItem::Nothing => {}
            }
        }
        // `{"a", 1, "b": 2}`: a comma in place of the colon.
        if byte == b',' && self.look.plain_name(key) && self.look.comma_for_colon(here, k) {
            // Behind a text both may be more of that member's value.
            let class = if closed { Class::Guess } else { Class::Likely };
            self.repair_as(RepairKind::OddSeparator, class, k, k + 1);
            return KeyStep::Member(key, k + 1);
        }
        // `{"a": [[1]], "x"], "b": 3}`: an item of the list that a surplus closer ended.
        if !alone
            && (comma || byte == b']')
            && let Some(keyed) = self.item_for_name(here, begin)
        {
            return keyed;
        }
        // `{"a: "x", "b": 1}`: the name ended earlier, at a quote that is missing.
        if !set && let Some(keyed) = self.misquoted_key(here, key, begin) {
            return keyed;
        }
        // `{"a" 1}`.
        if self.look.plain_name(key) && self.look.value_follows(byte, k) {
            self.repair(RepairKind::MissingColon, k, k);
            return KeyStep::Member(key, k);
        }
        // `{"a": 1, "b", "c": 2}`: a name without its value; the next member is whole.
        if alone && self.lone_name(here, begin, k) {
            return self.without_value(here, key, Class::Guess, k);
        }
        // `{"a": "one", "two" three"}`: text of the string before the comma, whose quotes were not
        // escaped.
        if !closed
            && !matches!(byte, b'}' | b']')
            && let Some(keyed) = self.previous_continues(here, begin)
        {
            return keyed;
        }
        match byte {
            // `{"a", "b"}` and `{"a"}`: a set of Python is a list.
            _ if set => self.becomes_set(here, begin),
            b'}' if here.count == 0 => self.becomes_set(here, begin),
            _ if comma || matches!(byte, b'}' | b']') => {
                // Behind a text, or if it is no word, it may as well be more of that member's value.
                let kind = RepairKind::MissingValue;
                let sure = !closed && self.look.plain_name(key);
                let class = if sure { kind.class() } else { Class::Guess };
                self.without_value(here, key, class, k)
            }
            _ => self.name_before_value(here, key, (byte, k)),
        }
    }

    /// Reads on behind a name that neither a separator nor a closer follows, but `byte` at `k`.
    fn name_before_value(
        &mut self,
        here: Container,
        key: KeySpan,
        (byte, k): (u8, usize),
    ) -> KeyStep {
        if let Some(keyed) = self.key_continues(key, byte) {
            return keyed;
        }
        if byte == b'"' && k > key.end as usize + 1 && self.look.key_ahead(k) {
            // The next name stands there: this one lacks its value.
            return self.without_value(here, key, Class::Guess, k);
        }
        // Such a name is rather more than a name.
        self.repair_as(RepairKind::MissingColon, Class::Guess, k, k);
        KeyStep::Member(key, k)
    }
}

//! Values without quotes: where their text begins and ends.

use crate::base::repair::RepairKind;
use crate::parser::look::Look;
use crate::parser::look::charged::STEPS_OF_RECOVERY;
use crate::parser::state::reader::Reader;
use crate::parser::state::step::{Container, KeySpan, ValueStep, scalar};
use crate::scan::{number, peek};
use crate::tape::{NONE, Tag};

/// Words that may stand between a comma and the last item where people enumerate.
const CONNECTIVES: [&str; 9] = [
    "and", "or", "then", "also", "plus", "but", "so", "finally", "next",
];

impl Reader<'_> {
    /// A text without quotes.
    pub(crate) fn bare_value(&mut self, here: Container, key: KeySpan, k: usize) -> ValueStep {
        self.look.charge(STEPS_OF_RECOVERY);
        // `[{"a": 1}, and {"a": 2}]`, `["a", and "b"]`: a word that joins the items is none itself.
        if !here.object
            && here.current != NONE
            && let Some(end) = self.look.words_between(k)
        {
            self.repair(RepairKind::StrayText, k, end);
            return ValueStep::Again(end);
        }
        // `["a", and "b"]`: where the items are in quotes, a word between a comma and an item is none.
        if let Some(end) = self.word_between(here, k) {
            self.repair(RepairKind::StrayText, k, end);
            return ValueStep::Again(end);
        }
        // `r"a\b"`, `f'x'`: the letters say how the string is written.
        if let Some(odd) = self.marked_string(here, key, k) {
            return odd;
        }
        if let Some(odd) = self.marked_value(here, key, k) {
            return odd;
        }
        // `[a: 1, b: 2]`: members in square brackets, or `{"x": [1, b: 2}`: a list without its closer.
        if let Some(odd) = self.bare_name_in_list(here, k) {
            return odd;
        }
        // `Point(x=1)`: the call is an object of its arguments.
        if let Some(bracket) = self.arguments_at(k) {
            self.repair(RepairKind::Wrapper, k, bracket);
            return ValueStep::Again(bracket);
        }
        // `ObjectId("x")`: the call stands for its only argument.
        if let Some(inside) = self.wrapper_at(k) {
            self.repair(RepairKind::Wrapper, k, inside);
            self.counters.wrappers += 1;
            return ValueStep::Again(inside);
        }
        // `Point {"x": 1}`, `&Config{Name: "x"}`: the name of a type before its container.
        let named = self.look.named_container(here, k);
        if let Some(opener) = named.or_else(|| self.type_at(k)) {
            self.repair(RepairKind::Wrapper, k, opener);
            return ValueStep::Again(opener);
        }
        // `[1{"b": 2}]`, `1/* one */`: a number that something is attached to. With it the word
        // would be a text.
        if let Some(number) = number::scan(self.look.bytes, k)
            && matches!(
                peek(self.look.bytes, number.end),
                b'{' | b'[' | b')' | b'/' | b'#' | b'<' | 0x1B
            )
            && !self.look.slash_in_number(number.end)
        {
            return self.word(scalar(key, Tag::Null, k, k), k, number.end, number.end);
        }
        // `prefix + "y"`: joined texts, of which one has no quotes.
        if let Some(odd) = self.name_in_concatenation(here, key, k) {
            return odd;
        }
        let end = self.bare_end(here, k);
        let text = self.look.text[k..end].trim_end();
        let stop = k + text.len();
        // `{"a": tru`: the word touches the end of the text, so more of it may be missing.
        if end >= self.look.bytes.len() && text.len() == end - k {
            return self.cut_word(here, key, k, end);
        }
        if let Some(unquoted) = text
            .strip_suffix(['"', '”'])
            .filter(|text| !text.is_empty())
        {
            let end = k + unquoted.len();
            if peek(self.look.bytes, k) != b'/' {
                // Only the opening quote is missing.
                self.repair(RepairKind::MissingQuote, k, k);
                let mut node = scalar(key, Tag::String, k, end);
                node.flags |= self.inspect_all(k, end);
                return ValueStep::Scalar(node, stop);
            }
        }
        if text.is_empty() {
            // A character that begins nothing and ends the word at once.
            let length = self.look.text[k..].chars().next().map_or(1, char::len_utf8);
            self.repair(RepairKind::StrayText, k, k + length);
            return ValueStep::Again(k + length);
        }
        self.word(scalar(key, Tag::Null, k, stop), k, stop, stop)
    }

    /// Returns the offset at which a word ends that stands between the comma and the next item of a
    /// list whose items are not bare: `["a", and "b"]`.
    fn word_between(&self, here: Container, k: usize) -> Option<usize> {
        let before = self.look.text_before(k).strip_suffix(',')?;
        let last = self.tape.nodes.last()?;
        let before = before.trim_end();
        let bare = last.tag == Tag::String
            && !before.ends_with(['}', ']'])
            && !self.quote_before(before.len());
        if here.object || here.count == 0 || bare && self.last_is_open() {
            return None;
        }
        let window = self.look.window(k);
        let length = window.find(|c: char| !c.is_ascii_lowercase())?;
        let (byte, next) = self.look.beyond_space(k + length);
        let word = &window[..length];
        let keyword = matches!(word, "true" | "false" | "null");
        let item = match byte {
            b'"' => self.look.item_ahead(next),
            b'{' | b'[' => true,
            // A number on the same line may be part of a phrase.
            _ => {
                let line = self.look.bytes[k + length..next].contains(&b'\n');
                let scalar = self.look.window(next);
                let end = scalar.find([',', ']', '\n', ' ']).unwrap_or(scalar.len());
                (line || CONNECTIVES.contains(&word))
                    && self.look.scalar_ahead(next)
                    && matches!(self.look.beyond_space(next + end).0, b',' | b']')
            }
        };
        (length > 1 && !keyword && next > k + length && item).then_some(k + length)
    }

    /// A name without quotes and its colon in a list: members in square brackets, or the list
    /// should have been closed before it.
    fn bare_name_in_list(&mut self, here: Container, k: usize) -> Option<ValueStep> {
        let first = peek(self.look.bytes, k);
        if here.object || here.current == NONE || !(first.is_ascii_alphabetic() || first == b'_') {
            return None;
        }
        let colon = k + self.look.window(k).find(':')?;
        let value = peek(self.look.bytes, colon + 1);
        let apart = matches!(value, b' ' | b'\n' | b'"' | b'\'' | b'{' | b'[');
        if !apart || !self.look.name_ahead(k) || !self.look.value_ahead(colon + 1) {
            return None;
        }
        // `[a: 1]`: with nothing read yet, the bracket is the wrong one. Otherwise a list was not closed.
        if here.count == 0 {
            let opener = self.tape.nodes[here.current as usize].start as usize;
            self.repair(RepairKind::BracketedMembers, opener, opener + 1);
            return Some(ValueStep::Open(Tag::Object, k));
        }
        self.parent(here).filter(|&outer| self.is_object(outer))?;
        let comma = self.look.text_before(k).strip_suffix(',')?.len();
        if self.last_text_end() > comma {
            // The comma belongs to the text of the item before it.
            return None;
        }
        Some(ValueStep::Nothing(self.close_unclosed(here, comma), comma))
    }
}

impl Look<'_> {
    /// Returns `true` if a slash behind a number is part of a fraction or date, not of a comment: that of
    /// `1/2`, not those of `1//`.
    fn slash_in_number(&self, at: usize) -> bool {
        self.bytes[at] == b'/' && !matches!(peek(self.bytes, at + 1), b'/' | b'*')
    }
}

#[cfg(test)]
mod tests {
    use crate::parser::look::ask;

    #[test]
    fn slashes_stand_in_numbers_or_begin_comments() {
        for (text, expected) in [
            ("1/2", true),
            ("1/", true),
            ("1//", false),
            ("1/*", false),
            ("12", false),
        ] {
            assert_eq!(
                ask(text, |look| look.slash_in_number(1)),
                expected,
                "{text:?}"
            );
        }
    }
}

//! Names whose quotes are missing, doubled or in the wrong place.

use crate::base::repair::RepairKind;
use crate::parser::look::Look;
use crate::parser::state::reader::Reader;
use crate::parser::state::step::{Container, KeySpan, KeyStep};
use crate::scan::peek;
use crate::tape::flag;

impl Reader<'_> {
    /// A name with quotes inside: `"the "best" one": 1`.
    pub(crate) fn key_continues(&mut self, key: KeySpan, byte: u8) -> Option<KeyStep> {
        let (start, end) = (key.start as usize, key.end as usize);
        if !byte.is_ascii_alphanumeric() || peek(self.look.bytes, end) != b'"' {
            return None;
        }
        let window = self.look.window(end + 1);
        let (at, colon) = window.match_indices('"').find_map(|(at, _)| {
            let (byte, colon) = self.look.skip_space(end + 1 + at + 1);
            (byte == b':').then_some((end + 1 + at, colon))
        })?;
        let inside = &self.look.text[start..at];
        if inside.contains(['\n', ',', ':', '{', '}']) {
            return None;
        }
        self.repair(RepairKind::InnerQuote, start, at);
        let key = KeySpan {
            start: key.start,
            end: at as u32,
            flags: key.flags,
        };
        Some(KeyStep::Member(key, colon + 1))
    }

    /// A name with quotes in the wrong places: `"key: "value"`, `""key": 1`.
    pub(crate) fn misquoted_key(
        &mut self,
        here: Container,
        key: KeySpan,
        begin: usize,
    ) -> Option<KeyStep> {
        let (start, end) = (key.start as usize, key.end as usize);
        let name = &self.look.text[start..end];
        if name.is_empty() && self.look.bytes.get(start + 1).is_some_and(|b| *b != b'"') {
            // The opening quote was doubled; the name follows the second one.
            let k = end;
            if let Some((name_end, colon)) = self.look.doubly_quoted(k + 1) {
                self.repair(RepairKind::DoubledQuote, begin, start);
                self.repair(RepairKind::DoubledQuote, name_end, name_end + 1);
                let key = self.name_between(k + 1, name_end);
                return Some(KeyStep::Member(key, colon + 1));
            }
            if self.look.key_ahead(k) || self.look.key_ahead_bare(k + 1) {
                self.repair(RepairKind::DoubledQuote, begin, start);
                return Some(self.key(here, k));
            }
        }
        let trimmed = name.trim_end();
        if let Some(colon) = name.find([':', '='])
            && colon + 1 < trimmed.len()
        {
            // `"first: 30, "`: a whole member stands before the quote that ended this name.
            let sign = 1 + usize::from(name[colon..].starts_with("=>"));
            let quoted = start + name[..colon].trim_end().len();
            let end = self.look.before_odd_quote(start, quoted);
            let word = KeySpan {
                start: key.start,
                end: end as u32,
                flags: 0,
            };
            let value = start + colon + sign;
            if self.look.plain_name(word) && self.look.value_ahead(value) {
                self.name_ends(begin, end, quoted);
                if name.as_bytes()[colon] == b'=' {
                    self.repair(RepairKind::OddSeparator, start + colon, value);
                }
                return Some(KeyStep::Member(word, value));
            }
        }
        let sign = ["=>", ":", "="]
            .into_iter()
            .find(|sign| trimmed.ends_with(sign))?;
        let unquoted = trimmed.strip_suffix(sign)?.trim_end();
        if unquoted.is_empty() || unquoted.contains(['\n', '"']) {
            return None;
        }
        let (byte, value) = self.look.skip_space(end + 1);
        // Right behind the quote a word may be the text of a value that the quote opens.
        let apart = value > end + 1 || matches!(byte, b'{' | b'[' | b'"') || {
            let window = self.look.window(value);
            let length = window.find([',', '}', ']', '\n']).unwrap_or(window.len());
            !window[..length].contains(['"', ' '])
        };
        if trimmed == name && apart && self.look.value_follows(byte, value) {
            // `"key:" 1`: the colon stands before the quote.
            self.repair(RepairKind::MissingColon, start + unquoted.len(), end);
            let key = KeySpan {
                start: key.start,
                end: (start + unquoted.len()) as u32,
                flags: key.flags,
            };
            return Some(KeyStep::Member(key, value));
        }
        // The quote that ended this name opens its value.
        let quoted = start + unquoted.len();
        let name_end = self.look.before_odd_quote(start, quoted);
        self.name_ends(begin, name_end, quoted);
        if sign != ":" {
            let end = start + trimmed.len();
            self.repair(RepairKind::OddSeparator, end - sign.len(), end);
        }
        let key = KeySpan {
            start: key.start,
            end: name_end as u32,
            flags: key.flags,
        };
        Some(KeyStep::Member(key, end))
    }

    /// Records that the name whose quote is at `begin` ends at `end`, where a quote of another kind closes
    /// it, or none if `quoted`, where it stands, is no further.
    pub(crate) fn name_ends(&mut self, begin: usize, end: usize, quoted: usize) {
        if quoted > end {
            self.repair(RepairKind::MismatchedQuotes, begin, quoted);
        } else {
            self.repair(RepairKind::MissingQuote, end, end);
        }
    }

    /// A name between escaped quotes, the first of which begins at `k`, the other at `end`.
    pub(crate) fn escaped_key(&mut self, k: usize, end: usize, colon: usize) -> KeyStep {
        self.repair(RepairKind::InvalidEscape, k, k + 1);
        self.repair(RepairKind::InvalidEscape, end, end + 1);
        KeyStep::Member(self.name_between(k + 2, end), colon + 1)
    }

    /// The name from `start` to `end`, with a record of what is odd about it.
    fn name_between(&mut self, start: usize, end: usize) -> KeySpan {
        let flags = self.inspect_all(start, end);
        KeySpan {
            start: start as u32,
            end: end as u32,
            flags: if flags == 0 { 0 } else { flag::KEY_ESCAPED },
        }
    }
}

impl Look<'_> {
    /// Returns the offsets at which the name that begins at `k` ends at two quotes, and of the colon behind
    /// them: 1 and 3 of `a"": 1`.
    fn doubly_quoted(&self, k: usize) -> Option<(usize, usize)> {
        let window = self.window(k);
        let end = window.find('"')?;
        let (byte, colon) = self.skip_space(k + end + 2);
        let plain = !window[..end].contains(['\n', ',', '{', '}']);
        (plain && window[end..].starts_with("\"\"") && byte == b':').then_some((k + end, colon))
    }

    /// Returns `true` if a name that lacks its opening quote stands at `k`: `a": 1`, not `a" 1`.
    fn key_ahead_bare(&self, k: usize) -> bool {
        let window = self.window(k);
        window.find('"').is_some_and(|end| {
            !window[..end].contains(['\n', ',', '{', '}']) && self.skip_space(k + end + 1).0 == b':'
        })
    }
}

#[cfg(test)]
mod tests {
    use crate::parser::look::ask;

    #[test]
    fn names_end_at_two_quotes_before_their_colon() {
        for (text, expected) in [
            ("a\"\": 1", Some((1, 3))),
            ("a\"\" : 1", Some((1, 4))),
            ("a\": 1", None),
            ("a,b\"\": 1", None),
            ("a\"\"", None),
            ("a\"\" 1", None),
            ("", None),
        ] {
            assert_eq!(
                ask(text, |look| look.doubly_quoted(0)),
                expected,
                "{text:?}"
            );
        }
    }

    #[test]
    fn names_lack_their_opening_quote() {
        for (text, expected) in [
            ("a\": 1", true),
            ("a\" : 1", true),
            ("a b\": 1", true),
            ("é\":", true),
            ("a,b\": 1", false),
            ("a{\": 1", false),
            ("a\nb\": 1", false),
            ("a\" 1", false),
            ("a", false),
            ("", false),
        ] {
            assert_eq!(
                ask(text, |look| look.key_ahead_bare(0)),
                expected,
                "{text:?}"
            );
        }
    }
}

//! Which brackets in a reply open a value, and which belong to prose.

use crate::parser::gap::LOOK_AHEAD;
use crate::parser::quote::quote_at;
use crate::parser::reader::Reader;
use crate::parser::reply::scalar::keyword;
use crate::scan::{peek, skip_space};

impl Reader<'_> {
    /// Whether what follows an opening bracket looks like the inside of a value.
    pub(in crate::parser) fn plausible(&self, at: usize) -> bool {
        let object = self.bytes[at] == b'{';
        let (byte, k) = self.beyond_gaps(at + 1);
        if k >= self.bytes.len() {
            return true;
        }
        match byte {
            b'{' | b'[' => self.plausible_inner(k),
            b'"' | b'\'' | b'\\' => true,
            b'`' | b'~' => self.fence_at(k) || object && self.backtick_name(k),
            b'}' => object,
            b']' => !object,
            b'+' | b'-' | b'>' | b'|' | b'0'..=b'9' if object => {
                self.key_ahead(k) || self.set_ahead(k) || self.line_marks(at, at).is_some()
            }
            b',' | b'.' => !object || self.bytes[k..].starts_with(b"...") || byte == b',',
            _ if object => {
                let set = || self.stands_apart(at) && self.set_ahead(k);
                self.key_ahead(k) || quote_at(self.text, k).is_some() || set()
            }
            b'-' | b'+' | b'0'..=b'9' | b'(' => true,
            _ => quote_at(self.text, k).is_some() || self.list_ahead(k),
        }
    }

    /// Whether a name in backticks stands at `k`, and its colon or a value behind it.
    fn backtick_name(&self, k: usize) -> bool {
        let window = self.window(k + 1);
        let end = window.find(['`', '\n']).filter(|&end| end > 0);
        end.is_some_and(|end| {
            let next = skip_space(self.bytes, k + 1 + end + 1).0;
            window[end..].starts_with('`') && matches!(next, b':' | b'{' | b'[' | b'"' | b'`')
        })
    }

    /// One look at a bracket inside a bracket, so that runs of them cost no more than their length.
    fn plausible_inner(&self, k: usize) -> bool {
        let mut at = k;
        while matches!(peek(self.bytes, at), b'{' | b'[') && at - k < LOOK_AHEAD {
            at = skip_space(self.bytes, at + 1).1;
        }
        let object = self.bytes[k] == b'{';
        let byte = peek(self.bytes, at);
        !byte.is_ascii_alphabetic() || object && self.key_ahead(at) || self.list_ahead(at)
    }

    /// Whether a list without quotes stands at `k`: at least one comma or keyword before its end.
    fn list_ahead(&self, k: usize) -> bool {
        let window = self.window(k);
        let end = window.find([',', ']', '\n', '(']).unwrap_or(window.len());
        let word = window[..end].trim();
        window[end..].starts_with(',') && word.split(' ').count() <= 3
            || keyword(word.as_bytes()).is_some_and(|(_, length)| length == word.len())
            || matches!(word, "True" | "False" | "None" | "undefined")
            || window[end..].starts_with('(') && self.text[k..].starts_with(char::is_alphabetic)
    }

    fn set_ahead(&self, k: usize) -> bool {
        let window = self.window(k);
        let end = window.find([',', '}', '\n', '=']).unwrap_or(window.len());
        window[end..].starts_with([',', '=']) && window[..end].trim().split(' ').count() <= 2
    }

    /// Whether only white space stands before `at` on its line.
    pub(in crate::parser) fn line_begins(&self, at: usize) -> bool {
        let before = self.text[..at].trim_end_matches([' ', '\t']);
        before.is_empty() || before.ends_with('\n')
    }

    /// Whether a bracket begins its line, or follows a colon, a tag or a fence.
    pub(in crate::parser) fn stands_apart(&self, at: usize) -> bool {
        let before = self.text[..at].trim_end_matches([' ', '\t']);
        before.is_empty() || before.ends_with(['\n', ':', '>', '`'])
    }

    /// Whether the line ends at `at`, but for a tag, a fence, or separators at the end of the text.
    pub(in crate::parser) fn line_ends(&self, at: usize) -> bool {
        let rest = self.window(at).trim_start_matches([' ', '\t', '\r']);
        rest.starts_with(['\n', '<', '`']) || rest.trim_matches([',', ';', ' ']).is_empty()
    }

    /// Whether the bracket at `at` and the next one hold words alone, as those of labels in prose do.
    pub(in crate::parser) fn word_in_brackets(&self, at: usize) -> bool {
        let window = self.window(at + 1).trim_start();
        window.starts_with(char::is_alphabetic) && self.is_trivial(at)
    }

    /// Whether the round bracket at `at` opens a list of values: quotes, digits or brackets
    /// follow, and a comma or another bracket.
    pub(in crate::parser) fn tuple_ahead(&self, at: usize) -> bool {
        let window = self.window(at + 1).trim_start();
        window.starts_with(['"', '\'', '(', '[', '{', '-']) && window.contains([',', ')'])
            || window.starts_with(|c: char| c.is_ascii_digit()) && window.contains(',')
    }
}

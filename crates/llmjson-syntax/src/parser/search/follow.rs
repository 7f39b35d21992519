//! The follow sets: the characters that may follow a key or a value.

use crate::parser::search::beam::Search;
use crate::parser::search::reading::{Kind, NextLine, SearchContainer, TextRole};
use crate::parser::search::text::quotes::Quote;

/// Maximum number of consecutive closers that are examined.
const CLOSERS: usize = 8;

/// Number of bytes in which a quote is searched for after words.
const WORDS_LOOK: usize = 200;

impl Search<'_> {
    /// Returns `true` if the token at `at` may follow a key or a value in this container.
    pub(crate) fn follows(&self, frame: u32, role: TextRole, at: usize) -> bool {
        let of = frame << 1 | u32::from(role == TextRole::Name);
        self.follows
            .get(at, of, || self.may_follow(frame, role, at))
    }

    fn may_follow(&self, frame: u32, role: TextRole, at: usize) -> bool {
        self.charge(2);
        let (next, line) = self.text.trivia(at);
        let kind = self.kind(frame);
        // `"# Heading",`: a `#` or `//` directly after a quote does not begin a comment.
        if next > at && matches!(self.text.at(at), b'#' | b'/') && self.text.at(at + 1) != b'*' {
            return false;
        }
        if self.text.ends(next) {
            // A comment up to the end is not one if it skips quotes, and a mark ends nothing if the
            // open containers are closed at the end of the text.
            let quotes = memchr::memchr(b'"', &self.text.bytes[at.min(next)..next]);
            let later =
                next < self.text.len() && kind != Kind::Root && self.text.closed_behind(next);
            return role == TextRole::Value && quotes.is_none() && !later;
        }
        if role == TextRole::Name {
            return self.text.colon(next).is_some_and(|length| {
                let value = self.text.trivia(next + length).0;
                // `"a": **x**`: strings that begin with marks count too.
                let word = matches!(self.text.at(value), b'a'..=b'z' | b'A'..=b'Z' | b'*' | b'_' | b'~' | b'$' | b'@');
                word || self.text.value_starts(value) || self.text.ends(value)
            });
        }
        if kind == Kind::Root {
            return false;
        }
        // `"x", "b": 1`: the token after the comma must be valid in this container, since strings
        // contain commas too.
        if let Some(length) = self.text.comma(next) {
            return self.follows_comma(frame, next + length);
        }
        if self.closes(frame, next) {
            return self.closers_follow(frame, next);
        }
        // `"x" (a remark), "b": 1`
        if let Some(end) = self.text.remark(next).filter(|_| next > at) {
            return self.may_follow(frame, role, end);
        }
        // `"p" + "q"`, `("p" "q")`, `"p".trim()`.
        let glued = next > at && self.joins_bare(kind, next);
        if glued
            || self.text.alternative(next).is_some()
            || self.joins(next)
            || self.text.methods(next).is_some()
        {
            return true;
        }
        line && if kind.has_names() {
            self.text.name_ahead(next)
        } else {
            self.text.value_starts(next) && !self.text.name_ahead(next)
        }
    }

    /// Returns `true` if the token after a comma at `at` may follow in this container.
    fn follows_comma(&self, frame: u32, at: usize) -> bool {
        // `#a, #b, "n": 1`
        if self.is_tag(self.text.space(at).0) {
            return false;
        }
        let (next, _) = self.text.trivia(at);
        if self.text.ends(next)
            || self.text.ellipsis(next).is_some()
            || self.text.comma(next).is_some()
        {
            return true;
        }
        if self.closes(frame, next) {
            return self.closers_follow(frame, next);
        }
        if self.kind(frame).has_names() {
            // `"a": "x", NOTE "b": 1`
            let word = self.text.word(next);
            let behind = self.text.space(word).0;
            return self.text.may_name(next)
                || self.text.at(next).is_ascii_alphabetic()
                    && self.text.opens(behind).is_some()
                    && self.text.name_ahead(behind);
        }
        // `"a", b", "c"]`: in an array words may follow a comma, unless they run up to a quote:
        // they are part of a string.
        let word = self.text.opens(at).is_none()
            && self.text.at(next).is_ascii_alphabetic()
            && !self.quote_behind_words(next);
        let symbol = self.text.at(next) == b':' && self.text.at(next + 1).is_ascii_alphabetic();
        let value = word || symbol || self.text.value_starts(next) || self.text.at(next) == b'(';
        value && !self.text.name_ahead(next)
    }

    /// Returns `true` if the words at `at` run up to a quote, as they do within a quotation.
    fn quote_behind_words(&self, at: usize) -> bool {
        let near = self.text.bytes[at..].iter().take(WORDS_LOOK);
        let mut signs = near.filter(|c| matches!(c, b'"' | b',' | b'}' | b']' | b'\n'));
        signs.next() == Some(&b'"')
    }

    /// Returns `true` if there is a closer at `at`. A parenthesis counts only if it closes this
    /// container.
    pub(crate) fn closes(&self, frame: u32, at: usize) -> bool {
        let byte = self.text.at(at);
        self.text.closer(at) || byte == b')' && self.frames[frame as usize].closer == byte
    }

    /// Returns `true` if an operator at `at` concatenates the strings before and after it.
    pub(crate) fn joins(&self, at: usize) -> bool {
        let operand = self.text.trivia(at + 1).0;
        // `"p" . $name`
        let point = self.text.at(at) == b'.' && self.text.at(at + 1) == b' ';
        (self.text.at(at) == b'+' || point)
            && (self.text.opens(operand).is_some() || self.text.operand(operand).is_some())
    }

    /// Returns `true` if the string at `at` continues the previous one without an operator between
    /// them: in parentheses, or as a member's value, after which no other value may follow.
    pub(crate) fn joins_bare(&self, kind: Kind, at: usize) -> bool {
        let Some((quote, length)) = self.text.opens(at) else {
            return false;
        };
        // `['a ' 'b']`, `['a' ' b']`: the pieces of Python strings meet at white space.
        if kind == Kind::Array {
            let before = self.text.text[..at].trim_end();
            let spaced = before.ends_with(" '") || self.text.space_opens(at);
            return quote == Quote::Single && before.ends_with('\'') && spaced;
        }
        if kind == Kind::Call || !kind.has_names() {
            return kind == Kind::Call;
        }
        // `b"".join(x)`: the quotes of an empty string in code.
        let spaced = self.text.text[..at].ends_with(char::is_whitespace);
        let end = self.text.next_quote(quote, at + length).filter(|_| spaced);
        let Some(end) = end else {
            return false;
        };
        let behind = self.text.trivia(end + self.text.closes(quote, end)).0;
        self.text.comma(behind).is_some()
            || self.text.closer(behind)
            || self.text.opens(behind).is_some() && !self.text.name_ahead(behind)
    }

    /// Returns `true` if closers from `at` on close the open containers, and the token after them
    /// may follow there.
    fn closers_follow(&self, frame: u32, mut at: usize) -> bool {
        let mut frame = self.frames[frame as usize];
        for _ in 0..CLOSERS {
            if !self.text.closer(at) && (self.text.at(at) != b')' || frame.closer != b')') {
                break;
            }
            while frame.kind.is_implied() && frame.closer != self.text.at(at) {
                frame = self.frames[frame.parent as usize];
            }
            // `"x"}]`: closers without an open container do not end a string, and a surplus closer
            // after the whole value proves nothing.
            if frame.closer != self.text.at(at) {
                return frame.kind == Kind::Root;
            }
            frame = self.frames[frame.parent as usize];
            let (next, line) = self.text.trivia(at + 1);
            at = next;
            if let Some(follows) = self.follows_closer(frame, at, NextLine::new_if(line)) {
                return follows;
            }
        }
        true
    }

    /// Returns `Some(true)` if the token at `at`, after a closer, may follow there, and `None` if
    /// it is another closer.
    fn follows_closer(&self, frame: SearchContainer, at: usize, line: NextLine) -> Option<bool> {
        if self.text.ends(at) {
            return Some(true);
        }
        if frame.kind == Kind::Root {
            return Some(line == NextLine::New || self.text.opens(at).is_none());
        }
        let member = |at: usize| {
            if frame.kind.has_names() {
                self.text.may_name(at)
            } else {
                // `("a", 1), ("b", 2)`
                let row = self.text.at(at) == b'(';
                let value = row || self.text.value_starts(at) || self.text.head(at).is_some();
                value && !self.text.name_ahead(at)
            }
        };
        if let Some(length) = self.text.comma(at) {
            let next = self.text.trivia(at + length).0;
            return Some(self.text.closer(next) || self.text.ends(next) || member(next));
        }
        let named = frame.kind.has_names();
        (!self.text.closer(at)).then(|| {
            line == NextLine::New
                && if named {
                    self.text.name_ahead(at)
                } else {
                    self.text.value_starts(at)
                }
        })
    }
}

//! Words, keys and the punctuation between values.

use core::ops::Range;

use crate::parser::look::notice::notice_at;
use crate::parser::look::scalars::is_keyword;
use crate::parser::look::trivia::odd_space;
use crate::parser::search::text::quotes::Quote;
use crate::parser::search::text::{NEAR, Text};

/// The punctuation of sentences.
const SENTENCE_SIGNS: &[u8] = b" ,.:;'!?-\r";

/// Number of bytes before a key in which text is skipped.
const ANCHOR_LOOK: usize = 400;

/// Maximum length of a marker before a key on the same line, in bytes.
const MARKER: usize = 8;

/// Maximum number of consecutive stray characters that still count as a slip.
const SIGNS: usize = 4;

/// The bytes before which a word ends.
const WORD_STOPS: [bool; 256] = {
    let mut stops = [false; 256];
    let mut byte = 0;
    while byte <= b' ' {
        stops[byte as usize] = true;
        byte += 1;
    }
    let signs = b",:;{}[]()\"'`=<\\";
    let mut at = 0;
    while at < signs.len() {
        stops[signs[at] as usize] = true;
        at += 1;
    }
    stops
};

/// Maximum length of a type or call name before its bracket, in bytes.
const HEAD_LONG: usize = 60;

impl<'t> Text<'t> {
    /// Returns the offset after the method calls at `at` that follow a string: `"a".to_string()`.
    pub(crate) fn methods(&self, mut at: usize) -> Option<usize> {
        let from = at;
        while self.at(at) == b'.' {
            let rest = &self.bytes[at + 1..];
            let part = |c: &&u8| c.is_ascii_alphanumeric() || **c == b'_';
            let length = rest.iter().take(NEAR).take_while(part).count();
            if length == 0 || !self.starts(at + 1 + length, "()") {
                return None;
            }
            at += length + 3;
        }
        (at > from).then_some(at)
    }

    /// Returns the offset after a bar and a value at `at`: `| "b"`.
    pub(crate) fn alternative(&self, at: usize) -> Option<usize> {
        if self.at(at) != b'|' {
            return None;
        }
        let value = self.space(at + 1).0;
        if let Some((quote, length)) = self.opens(value) {
            let end = self.quote_near(quote, value + length)?;
            return Some(end + self.closes(quote, end));
        }
        self.value_starts(value)
            .then(|| self.word(value))
            .filter(|end| *end > value)
    }

    /// Returns the offset after a program's expression at `at`: `user.name`, `items[0]`, `str(n)`.
    pub(crate) fn operand(&self, at: usize) -> Option<usize> {
        if !(self.at(at).is_ascii_alphanumeric() || matches!(self.at(at), b'_' | b'$' | b'(')) {
            return None;
        }
        let rest = self.bytes[at..].iter().take(NEAR);
        let mut depth = 0;
        let length = rest.take_while(|c| {
            depth += i32::from(matches!(c, b'[' | b'('));
            let part =
                c.is_ascii_alphanumeric() || b"_$.[(".contains(c) || depth > 0 && **c != b'\n';
            depth -= i32::from(matches!(c, b']' | b')'));
            part && depth >= 0
        });
        Some(at + length.count())
    }

    /// Returns the offset at which the word at `at` ends: before white space, a quote or
    /// punctuation with a meaning.
    pub(crate) fn word(&self, at: usize) -> usize {
        let stops = |c: &u8| WORD_STOPS[*c as usize];
        let rest = self.bytes.get(at..).unwrap_or_default();
        let mut length = rest.iter().position(stops).unwrap_or(rest.len());
        if !rest[..length].is_ascii() {
            let word = self.text.get(at..at + length).unwrap_or_default();
            length = word.find(odd_space).unwrap_or(length);
        }
        // `2/*two*/`, and a fence: `true~~~`.
        let word = &rest[..length];
        if !word.iter().any(|c| matches!(c, b'/' | b'~')) {
            return at + length;
        }
        let comment = memchr::memmem::find(word, b"/*");
        let fence = memchr::memmem::find(word, b"~~~").filter(|at| *at > 0);
        at + comment.or(fence).unwrap_or(length)
    }

    /// Returns the length of the characters at `at` that mean nothing in JSON, such as `<` or `*/`,
    /// or 0 if there are more than a few.
    pub(crate) fn signs(&self, at: usize) -> usize {
        let rest = self.bytes.get(at..).unwrap_or_default().iter();
        let length = rest.take_while(|c| is_sign(**c)).take(SIGNS + 1).count();
        if length > SIGNS { 0 } else { length }
    }

    /// Returns `true` if a complete value other than a number begins at `at`, or a number separated
    /// from the text before it.
    pub(crate) fn whole_value_starts(&self, at: usize, apart: bool) -> bool {
        let number = matches!(self.at(at), b'-' | b'+' | b'.' | b'0'..=b'9');
        self.value_starts(at) && (apart || !number)
    }

    /// Returns the word at `at`.
    pub(crate) fn word_at(&self, at: usize) -> &'t str {
        self.text.get(at..self.word(at)).unwrap_or_default()
    }

    /// Returns the offset of the next quoted key, if it begins its line or follows a marker, and no
    /// other quote or brace is before it: 4 of `[1] "a": 1`.
    pub(crate) fn anchor(&self, at: usize) -> Option<usize> {
        let near = &self.bytes[at..self.len().min(at + ANCHOR_LOOK)];
        let length = memchr::memchr3(b'"', b'{', b'}', near).unwrap_or(0);
        self.charge(length / 16 + 1);
        let before = &near[..length];
        let balanced = |open, close| {
            let count = |byte| memchr::memchr_iter(byte, before).count();
            count(open) == count(close)
        };
        let marks = length <= MARKER && before.ends_with(b" ") && !before.contains(&b',');
        // `- a\n- b`, `1,234\n`: the items of a YAML list and numbers are data.
        let item = before.starts_with(b"- ") && before.iter().any(u8::is_ascii_alphabetic);
        let items = !marks && (item || before.first().is_some_and(u8::is_ascii_digit));
        let key = length > 0 && near[length] == b'"' && balanced(b'[', b']') && !items;
        let begins = || marks || self.first_on_line(at + length).is_some();
        // `Now the second part:\n"a": 1`: a sentence announces the members.
        let announces = || before.trim_ascii_end().ends_with(b":") && self.sentence(at).is_some();
        (key && begins() && (!self.name_ahead(at) || announces()) && self.name_ahead(at + length))
            .then_some(at + length)
    }

    /// Returns the offset of the token after a line of several words without quotes or brackets.
    pub(crate) fn sentence(&self, at: usize) -> Option<usize> {
        let near = self.bytes.get(at..self.len().min(at + ANCHOR_LOOK))?;
        let line = &near[..memchr::memchr(b'\n', near)?];
        self.charge(line.len() / 4);
        let letter = |byte: &u8| byte.is_ascii_alphabetic() || !byte.is_ascii();
        let usual =
            |byte: &u8| letter(byte) || byte.is_ascii_digit() || SENTENCE_SIGNS.contains(byte);
        let words = line.split(|byte| *byte == b' ');
        let words = words.filter(|word| word.first().is_some_and(letter));
        let is_sentence = line.first().is_some_and(letter) && words.count() > 2;
        (is_sentence && line.iter().all(usual)).then(|| self.space(at + line.len()).0)
    }

    /// Returns the offset of the string after the number of an item at `at`: 3 of `1. "a"`.
    pub(crate) fn numbered(&self, at: usize) -> Option<usize> {
        let digits = self.bytes[at.min(self.len())..].iter().take(MARKER);
        let point = at + digits.take_while(|byte| byte.is_ascii_digit()).count();
        let item = self.space(point + 1).0;
        let marked = matches!(self.at(point), b'.' | b')') && self.at(point + 1) == b' ';
        (point > at && marked && self.opens(item).is_some()).then_some(item)
    }

    /// Returns `true` if there is a word with a colon at `at`, and the word is an expected key.
    pub(crate) fn expected_ahead(&self, at: usize) -> bool {
        self.colon(self.word(at)).is_some() && self.expects(self.word_at(at))
    }

    /// Returns `true` if there is a key at `at`, with a colon nearby, or an expected key in quotes.
    pub(crate) fn name_ahead(&self, at: usize) -> bool {
        self.ahead.get(at, 0, || {
            let expected = || {
                let (quote, length) = self.opens_token(at)?;
                Some(self.expects(self.quoted_name(quote, at + length)?.0))
            };
            self.name_end(at).is_some() || self.names.is_some() && expected() == Some(true)
        })
    }

    /// Returns the offset after the colon of a key at `at`.
    pub(crate) fn name_end(&self, at: usize) -> Option<usize> {
        let end = match self.opens_token(at) {
            Some((quote, length)) => self.quoted_name(quote, at + length)?.1,
            None if let Some((_, _, next)) = self.odd_name(at) => next,
            None => {
                let end = self.word(at);
                if end == at || end - at > NEAR || self.at(at) == b'/' {
                    return None;
                }
                // Only the opening quote is missing.
                if matches!(self.at(end), b'"' | b'\'')
                    && let colon = self.space(end + 1).0
                    && let Some(length) = self.colon(colon)
                {
                    return Some(colon + length);
                }
                end
            }
        };
        let (colon, line) = self.space(end);
        let length = self.colon(colon)?;
        (!line && !self.starts(colon, "://")).then_some(colon + length)
    }

    /// Returns the range of a key at `at` written in Markdown or program syntax, and the offset
    /// after it: `*a*: 1`, `["a"]: 1`, `:a => 1`.
    pub(crate) fn odd_name(&self, at: usize) -> Option<(usize, usize, usize)> {
        let rest = self.bytes.get(at..)?;
        let name = |from: usize| {
            let near = self.bytes.get(from..).unwrap_or_default().iter().take(NEAR);
            let name = |c: &&u8| c.is_ascii_alphanumeric() || **c >= 0x80 || b"_$-?!".contains(c);
            from + near.take_while(name).count()
        };
        let quoted = |from: usize| {
            let (quote, length) = self.opens(from)?;
            let end = self.quote_near(quote, from + length)?;
            let one_line = !self.text[from..end].contains('\n') && end > from + length;
            one_line.then(|| (from + length, end, end + self.closes(quote, end)))
        };
        match rest.first()? {
            b'*' => {
                let marks = rest.iter().take_while(|c| **c == b'*').count();
                let (start, end) = (at + marks, name(at + marks));
                let colon = usize::from(self.at(end) == b':');
                let closed = self.bytes.get(end + colon..end + colon + marks);
                let closed = closed.is_some_and(|closed| closed.iter().all(|c| *c == b'*'));
                // `**a:** 1`: the colon may be within the marks.
                (closed && end > start && marks < 4).then_some((start, end, end + colon + marks))
            }
            b'[' => {
                let (start, end, next) = quoted(self.space(at + 1).0)?;
                let bracket = self.space(next).0;
                (self.at(bracket) == b']').then_some((start, end, bracket + 1))
            }
            b':' => {
                let (start, end, next) = match self.at(at + 1) {
                    b'"' => quoted(at + 1)?,
                    _ => (at + 1, name(at + 1), name(at + 1)),
                };
                let arrow = self.starts(self.space(next).0, "=>");
                (end > start && arrow).then_some((start, end, next))
            }
            _ => None,
        }
    }

    /// Returns the offset of the bracket that follows the name of a type or a call at `at`, as in
    /// `new Date(`, `map[string]int{` or `vec![`.
    pub(crate) fn head(&self, at: usize) -> Option<usize> {
        let from = at + if self.starts(at, "new ") { 4 } else { 0 };
        let rest = self.bytes.get(from..)?;
        let near = &rest[..rest.len().min(HEAD_LONG)];
        let mut i = near.iter().take_while(|c| matches!(c, b'&' | b'*')).count();
        // `[]string{`, `map[string]any{`: brackets that belong to the type.
        let inside = |i: usize, closer: u8| {
            let length = near[i..].iter().position(|c| *c == closer)?;
            let plain = |c: &u8| c.is_ascii_alphanumeric() || b".*, _".contains(c);
            near[i + 1..i + length]
                .iter()
                .all(plain)
                .then_some(i + length + 1)
        };
        let mut named = false;
        while let Some(&c) = near.get(i) {
            match c {
                // `map[string]interface{}{`
                b'{' if near[i..].starts_with(b"{}{") => i += 2,
                b'{' | b'(' if named => return self.headed(from, i),
                b'[' if near[..i].ends_with(b"!") || near[..i].ends_with(b" ") && named => {
                    return self.headed(from, i);
                }
                b'[' if i == 0 || near[..i].ends_with(b"map") || near[..i].ends_with(b"]") => {
                    i = inside(i, b']')?;
                }
                b'<' if named => i = inside(i, b'>')?,
                b' ' if named && matches!(near.get(i + 1), Some(b'{' | b'[' | b'(')) => i += 1,
                b'0'..=b'9' | b'.' | b':' | b'!' if named => i += 1,
                _ if c.is_ascii_alphabetic() || matches!(c, b'_' | b'$') => {
                    named = true;
                    i += 1;
                }
                _ => return None,
            }
        }
        None
    }

    /// Returns the offset of the bracket after a type or call name, unless that name is a value:
    /// `false [1]`.
    pub(crate) fn headed(&self, from: usize, length: usize) -> Option<usize> {
        let head = self.text.get(from..from + length)?;
        (!is_keyword(head.trim_end())).then_some(from + length)
    }

    /// Returns the quoted key whose content begins at `from`, and the offset after it.
    fn quoted_name(&self, quote: Quote, from: usize) -> Option<(&'t str, usize)> {
        let end = self.quote_near(quote, from)?;
        let inside = &self.text[from..end];
        let name = end > from && memchr::memchr(b'\n', inside.as_bytes()).is_none();
        name.then(|| (inside, end + self.closes(quote, end)))
    }

    /// Returns the range of the quoted key at `at`, and the offset after its quote.
    pub(crate) fn name_at(&self, at: usize) -> Option<(Range<usize>, usize)> {
        let (quote, length) = self.opens(at).filter(|_| self.name_ahead(at))?;
        let end = self.quote_near(quote, at + length)?;
        Some((at + length..end, end + self.closes(quote, end)))
    }

    /// Returns `true` if there may be a key at `at`: its colon follows, or the end of the text
    /// truncates it.
    pub(crate) fn may_name(&self, at: usize) -> bool {
        if self.name_ahead(at) {
            return true;
        }
        match self.opens(at) {
            Some((quote, length)) => match self.quote_near(quote, at + length) {
                Some(end) => self.space(end + self.closes(quote, end)).0 >= self.len(),
                None => self.len() - at <= NEAR && !self.text[at..].contains('\n'),
            },
            None => {
                let end = self.word(at);
                end > at && end >= self.len()
            }
        }
    }

    /// Returns the length of a colon or its substitute at `at`.
    #[inline]
    pub(crate) fn colon(&self, at: usize) -> Option<usize> {
        Some(match self.at(at) {
            b':' if self.at(at + 1) == b'=' => 2,
            b':' => 1,
            b'=' if self.at(at + 1) == b'>' => 2,
            b'=' => 1,
            b'-' if self.at(at + 1) == b'>' => 2,
            0x80.. => match self.char_at(at) {
                sign @ ('：' | '﹕' | '꞉') => sign.len_utf8(),
                _ => return None,
            },
            _ => return None,
        })
    }

    /// Returns the length of a comma or its substitute at `at`.
    #[inline]
    pub(crate) fn comma(&self, at: usize) -> Option<usize> {
        match self.at(at) {
            b',' | b';' => Some(1),
            c if c >= 0x80 => matches!(self.char_at(at), '，' | '；' | '、' | '﹐').then_some(3),
            _ => None,
        }
    }

    /// Returns the length of an ellipsis at `at` that replaces omitted text, with its label: `...`,
    /// `... [3 omitted]`, `...base`.
    pub(crate) fn ellipsis(&self, at: usize) -> Option<usize> {
        let sign = self.at(at + 1);
        let notice = match self.at(at) {
            b'.' | 0xe2 => true,
            b'[' | b'(' | b'<' => sign.is_ascii_alphanumeric() || matches!(sign, b'.' | 0xe2),
            _ => return None,
        };
        if notice && let Some(end) = notice_at(self.text, at) {
            return Some(end - at);
        }
        if self.starts(at, "...") {
            let dots = self.bytes[at..].iter();
            let dots = dots.take_while(|c| **c == b'.').count();
            let word = self.word(at + dots);
            let spread = word > at + dots && self.at(at + dots).is_ascii_alphabetic();
            return Some(if spread { word - at } else { dots });
        }
        self.starts(at, "…").then_some(3)
    }

    /// Returns `true` if a key is expected.
    pub(crate) fn expects(&self, name: &str) -> bool {
        self.names.is_some_and(|names| names.contains(name))
    }

    /// Returns `true` if a value begins at `at` that its first character or word identifies.
    pub(crate) fn value_starts(&self, at: usize) -> bool {
        match self.at(at) {
            b'{' | b'[' | b'-' | b'+' | b'.' | b'0'..=b'9' => true,
            // `("a", 1)`, if the value has such rows.
            b'(' => self.habits.rows.items().is_some(),
            c if c.is_ascii_alphabetic() => is_keyword(self.word_at(at)),
            _ => self.opens(at).is_some(),
        }
    }

    /// Returns `true` if a value, in JSON or similar notation, or nothing follows `at`:
    /// `ObjectId("a")`, but not `name`.
    pub(crate) fn begins_value(&self, at: usize) -> bool {
        let value = self.trivia(at).0;
        match self.at(value) {
            0 => value >= self.len(),
            b'(' => true,
            b'-' | b'+' | b'.' => {
                self.at(value + 1).is_ascii_digit() || self.word_at(value) == "-Infinity"
            }
            _ => {
                let word = || matches!(self.word_at(value), "NaN" | "Infinity");
                let quoted = self.opens_token(value).is_some();
                quoted || self.value_starts(value) || word() || self.typed_value(value)
            }
        }
    }

    /// Returns `true` if a value follows the name of its type or a call at `at`: `Point { x: 1 }`,
    /// `Date(0)`.
    pub(crate) fn typed_value(&self, at: usize) -> bool {
        self.head(at).is_some_and(|bracket| {
            let head = &self.text[at..bracket];
            let typed = |c: char| c.is_ascii_uppercase() || matches!(c, '[' | '&' | '*' | '!');
            let inside = self.trivia(bracket + 1).0;
            let value = self.value_starts(inside) || self.name_ahead(inside);
            match self.at(bracket) {
                b'(' => value,
                _ => head.contains(typed) && (value || self.closer(inside)),
            }
        })
    }

    /// Returns `true` if this byte closes a container.
    pub(crate) fn closer(&self, at: usize) -> bool {
        matches!(self.at(at), b'}' | b']')
    }
}

/// Returns `true` if a byte is punctuation that cannot begin a value and means nothing between
/// values.
pub(crate) fn is_sign(byte: u8) -> bool {
    matches!(
        byte,
        b'<' | b'>'
            | b'*'
            | b'#'
            | b'/'
            | b'\\'
            | b'='
            | b';'
            | b'('
            | b')'
            | b'|'
            | b'~'
            | b'^'
            | b'&'
            | b'.'
            | b'`'
    )
}

//! The bytes of a text by their kind: space, comments, quotes, words. Decides nothing.

use core::cell::Cell;

use crate::base::expected_names::ExpectedNames;
use crate::parser::look::scalars::is_keyword;
use crate::scan::{self, peek};

/// Bytes that are looked at for a name, a column, a pair of quotes.
const NEAR: usize = 120;

/// Maximum number of signs in a row that may be a slip.
const SIGNS: usize = 4;

/// Bytes before a place that are looked at for the beginning of its line.
const LINE_LOOK: usize = 256;

/// Kinds of quotes. `Bare` is a text without any.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Quote {
    Bare,
    Double,
    Single,
    Backtick,
    Curly,
    CurlySingle,
    Guillemet,
    TripleDouble,
    TripleSingle,
    /// A double quote written twice.
    Doubled,
}

/// The text that is read, what is known of it as a whole, and what was looked at so far.
pub(crate) struct Text<'t> {
    pub(crate) text: &'t str,
    pub(crate) bytes: &'t [u8],
    pub(crate) names: Option<&'t ExpectedNames>,
    /// Offset of the last closer, if the text ends with it but for a fence.
    last_closer: usize,
    /// The work of looking at the text, in steps.
    pub(crate) work: Cell<usize>,
}

impl<'t> Text<'t> {
    pub(crate) fn new(text: &'t str, names: Option<&'t ExpectedNames>) -> Self {
        let trimmed = text.trim_end().trim_end_matches("```").trim_end();
        let closed = trimmed.ends_with(['}', ']']);
        Self {
            text,
            bytes: text.as_bytes(),
            names,
            last_closer: if closed { trimmed.len() } else { 0 },
            work: Cell::new(0),
        }
    }

    pub(crate) fn charge(&self, steps: usize) {
        self.work.set(self.work.get() + steps);
    }

    pub(crate) fn len(&self) -> usize {
        self.bytes.len()
    }

    pub(crate) fn at(&self, at: usize) -> u8 {
        peek(self.bytes, at)
    }

    pub(crate) fn char_at(&self, at: usize) -> char {
        let rest = self.text.get(at..).unwrap_or_default();
        rest.chars().next().unwrap_or('\0')
    }

    fn starts(&self, at: usize, what: &str) -> bool {
        let rest = self.bytes.get(at..).unwrap_or_default();
        rest.starts_with(what.as_bytes())
    }

    /// The column of `at` if it is the first on a line behind the first.
    pub(crate) fn first_on_line(&self, at: usize) -> Option<i32> {
        let from = at.saturating_sub(LINE_LOOK);
        let line = from + memchr::memrchr(b'\n', &self.bytes[from..at])? + 1;
        let before = &self.bytes[line..at];
        let blank = before.iter().all(|c| matches!(c, b' ' | b'\t' | b'\r'));
        blank.then_some((at - line) as i32)
    }

    /// The indentation of the line of `at`.
    pub(crate) fn line_indent(&self, at: usize) -> i32 {
        let from = at.saturating_sub(LINE_LOOK);
        let line = memchr::memrchr(b'\n', &self.bytes[from..at]).map_or(0, |n| from + n + 1);
        let blank = self.bytes[line..].iter();
        blank.take_while(|c| matches!(c, b' ' | b'\t')).count() as i32
    }

    /// Returns the offset behind white space of all kinds, and `true` if a line ended in it.
    pub(crate) fn space(&self, mut at: usize) -> (usize, bool) {
        let mut line = false;
        loop {
            match self.at(at) {
                b'\n' => {
                    line = true;
                    at += 1;
                }
                b' ' | b'\t' | b'\r' => at += 1,
                c if c >= 0x80 => match self.char_at(at) {
                    c if c.is_whitespace() || matches!(c, '\u{feff}' | '\u{200b}' | '\u{2060}') => {
                        at += c.len_utf8();
                    }
                    _ => return (at, line),
                },
                _ => return (at, line),
            }
        }
    }

    /// Returns the offset at which a comment at `at` ends.
    pub(crate) fn comment(&self, at: usize) -> Option<usize> {
        let rest = self.bytes.get(at..).unwrap_or_default();
        let until = |end: &[u8], from: usize| {
            let found = memchr::memmem::find(&rest[from..], end);
            found.map_or(self.len(), |n| at + from + n + end.len())
        };
        if rest.starts_with(b"//") || rest.starts_with(b"#") {
            return Some(memchr::memchr(b'\n', rest).map_or(self.len(), |n| at + n));
        }
        if rest.starts_with(b"/*") {
            return Some(until(b"*/", 2));
        }
        rest.starts_with(b"<!--").then(|| until(b"-->", 4))
    }

    /// Returns the offset behind space and comments, and `true` if a line ended in them.
    pub(crate) fn trivia(&self, mut at: usize) -> (usize, bool) {
        let mut line = false;
        loop {
            let (next, ended) = self.space(at);
            line |= ended;
            let comment = match self.at(next) {
                b'/' | b'#' | b'<' => self.comment(next),
                _ => None,
            };
            match comment {
                Some(end) => {
                    self.charge((end - next) / 16);
                    line |= self.at(next) == b'#' || self.at(next + 1) == b'/';
                    at = end;
                }
                None => return (next, line),
            }
        }
    }

    /// Returns `true` if the value can only have ended before `at`: the text ends, or a mark that
    /// closes what is around it stands there.
    pub(crate) fn ends(&self, at: usize) -> bool {
        if at >= self.len() {
            return true;
        }
        let mark = at == 0
            || matches!(
                self.bytes[at - 1],
                b'\n' | b' ' | b'\t' | b'}' | b']' | b')' | b'"' | b'\'' | b'0'..=b'9'
            );
        mark && (self.starts(at, "```") || self.starts(at, "~~~"))
            || self.starts(at, "</")
            || self.starts(at, "<|")
    }

    /// Returns `true` if the whole text ends with a closer, behind `at`.
    pub(crate) fn closed_behind(&self, at: usize) -> bool {
        self.last_closer > at + 1
    }

    /// The quote that opens at `at`, and its length.
    pub(crate) fn opens(&self, at: usize) -> Option<(Quote, usize)> {
        Some(match self.at(at) {
            b'"' if self.starts(at, "\"\"\"") => (Quote::TripleDouble, 3),
            b'\'' if self.starts(at, "'''") => (Quote::TripleSingle, 3),
            b'"' => (Quote::Double, 1),
            b'\'' => (Quote::Single, 1),
            b'`' if !self.starts(at, "```") => (Quote::Backtick, 1),
            c if c >= 0x80 => match self.char_at(at) {
                '“' | '”' | '„' | '＂' => (Quote::Curly, 3),
                '‘' | '’' | '‚' => (Quote::CurlySingle, 3),
                '«' => (Quote::Guillemet, 2),
                _ => return None,
            },
            _ => return None,
        })
    }

    /// The length of a quote at `at` that may close a text in these quotes, or 0.
    pub(crate) fn closes(&self, quote: Quote, at: usize) -> usize {
        match (quote, self.opens(at)) {
            (Quote::Doubled, Some((Quote::Double | Quote::TripleDouble, _))) => {
                1 + usize::from(self.at(at + 1) == b'"')
            }
            (Quote::TripleDouble | Quote::TripleSingle, Some((other, length)))
                if other == quote =>
            {
                length
            }
            (Quote::TripleDouble | Quote::TripleSingle, _) => 0,
            (Quote::Double, Some((Quote::TripleDouble, _)))
            | (Quote::Single, Some((Quote::TripleSingle, _))) => 1,
            (Quote::Guillemet, _) if self.char_at(at) == '»' => 2,
            (_, Some((other, length))) if other == quote => length,
            _ => 0,
        }
    }

    /// The next sign from `at` on at which a text in these quotes may end. Escapes are passed over.
    pub(crate) fn next_quote(&self, quote: Quote, at: usize) -> Option<usize> {
        self.next_quote_before(self.len(), quote, at)
    }

    /// The same, close by.
    fn quote_near(&self, quote: Quote, at: usize) -> Option<usize> {
        self.next_quote_before(self.len().min(at + NEAR + 1), quote, at)
    }

    fn next_quote_before(&self, limit: usize, quote: Quote, mut at: usize) -> Option<usize> {
        let first = match quote {
            Quote::Double | Quote::TripleDouble | Quote::Doubled => b'"',
            Quote::Single | Quote::TripleSingle => b'\'',
            Quote::Backtick => b'`',
            Quote::Guillemet => 0xc2,
            _ => 0xe2,
        };
        let from = at;
        loop {
            let Some(found) = scan::find_near(&self.bytes[..limit], at, first, b'\\') else {
                self.charge(limit.saturating_sub(from) / 16);
                return None;
            };
            if self.bytes[found] == b'\\' {
                at = found + 2;
            } else if self.closes(quote, found) > 0 {
                self.charge((found - from) / 16);
                return Some(found);
            } else {
                at = found + 1;
            }
        }
    }

    /// Returns the offset at which the word at `at` ends: before space, quotes and signs that mean
    /// something.
    pub(crate) fn word(&self, at: usize) -> usize {
        let stops = |c: &u8| c.is_ascii_whitespace() || b",:;{}[]()\"'`=<\\".contains(c);
        let rest = self.bytes.get(at..).unwrap_or_default();
        at + rest.iter().position(stops).unwrap_or(rest.len())
    }

    /// The length of signs at `at` that mean nothing in JSON, such as `<` or `*/`; 0 if they are more than a few.
    pub(crate) fn signs(&self, at: usize) -> usize {
        let rest = self.bytes.get(at..).unwrap_or_default().iter();
        let length = rest.take_while(|c| is_sign(**c)).take(SIGNS + 1).count();
        if length > SIGNS { 0 } else { length }
    }

    /// Returns `true` if a whole value other than a number begins at `at`, or a number apart from
    /// what is before.
    pub(crate) fn whole_value_starts(&self, at: usize, apart: bool) -> bool {
        let number = matches!(self.at(at), b'-' | b'+' | b'.' | b'0'..=b'9');
        self.value_starts(at) && (apart || !number)
    }

    /// The text of the word at `at`.
    pub(crate) fn word_at(&self, at: usize) -> &'t str {
        self.text.get(at..self.word(at)).unwrap_or_default()
    }

    /// Returns `true` if a name and a colon stand at `at`, close by.
    pub(crate) fn name_ahead(&self, at: usize) -> bool {
        let end = match self.opens(at) {
            Some((quote, length)) => match self.quoted_name(quote, at + length) {
                Some((end, true)) if end > 0 => return true,
                Some((end, _)) => end,
                None => return false,
            },
            None => {
                let end = self.word(at);
                if end == at || end - at > NEAR || self.at(at) == b'/' {
                    return false;
                }
                // Only the opening quote is missing.
                if matches!(self.at(end), b'"' | b'\'')
                    && self.colon(self.space(end + 1).0).is_some()
                {
                    return true;
                }
                end
            }
        };
        let (colon, line) = self.space(end);
        let path = self.starts(colon, "://");
        !line && !path && self.colon(colon).is_some()
    }

    /// Returns the offset behind the quoted name whose text begins at `from`, and `true` if the
    /// name is expected.
    fn quoted_name(&self, quote: Quote, from: usize) -> Option<(usize, bool)> {
        let end = self.quote_near(quote, from)?;
        if end == from {
            return None;
        }
        let inside = &self.text[from..end];
        if inside.contains('\n') {
            return None;
        }
        let known = self.names.is_some_and(|names| names.contains(inside));
        Some((end + self.closes(quote, end), known))
    }

    /// Returns `true` if a name may stand at `at`: with its colon, or cut off by the end of the
    /// text.
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

    /// The length of a colon at `at`, or of what stands for one.
    pub(crate) fn colon(&self, at: usize) -> Option<usize> {
        Some(match self.at(at) {
            b':' if self.at(at + 1) == b'=' => 2,
            b':' => 1,
            b'=' if self.at(at + 1) == b'>' => 2,
            b'=' => 1,
            b'-' if self.at(at + 1) == b'>' => 2,
            0xef if self.starts(at, "：") => 3,
            _ => return None,
        })
    }

    /// The length of a comma at `at`, or of what stands for one.
    pub(crate) fn comma(&self, at: usize) -> Option<usize> {
        match self.at(at) {
            b',' | b';' => Some(1),
            c if c >= 0x80 => matches!(self.char_at(at), '，' | '；' | '、').then_some(3),
            _ => None,
        }
    }

    /// The length of dots at `at` for what was left out.
    pub(crate) fn ellipsis(&self, at: usize) -> Option<usize> {
        if self.starts(at, "...") {
            let dots = self.bytes[at..].iter();
            return Some(dots.take_while(|c| **c == b'.').count());
        }
        self.starts(at, "…").then_some(3)
    }

    /// Returns `true` if a name is expected.
    pub(crate) fn expects(&self, name: &str) -> bool {
        self.names.is_some_and(|names| names.contains(name))
    }

    /// Returns `true` if a value may begin at `at` that shows it by its first sign or word.
    pub(crate) fn value_starts(&self, at: usize) -> bool {
        let sign = matches!(self.at(at), b'{' | b'[' | b'-' | b'+' | b'.' | b'0'..=b'9');
        sign || self.opens(at).is_some() || is_keyword(self.word_at(at))
    }

    /// Returns `true` if this byte closes a container.
    pub(crate) fn closer(&self, at: usize) -> bool {
        matches!(self.at(at), b'}' | b']')
    }
}

/// Returns `true` if a byte is a sign that begins no value and means nothing between values.
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

//! Quotation marks that open and close strings.

use crate::parser::search::text::{NEAR, Part, Text};
use crate::scan;
/// Kinds of quotes. `Bare` is an unquoted string.
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
    /// Quotes written twice: `""x""`, `''x''`, `““x””`.
    Doubled,
    DoubledSingle,
    DoubledCurly,
    DoubledCurlySingle,
    Acute,
    /// The quotes of vertical text: `〝x〟`.
    Prime,
    Corner,
    WhiteCorner,
    /// A double quote after a prefix that makes backslashes literal: `r"\d"`.
    Raw,
    RawSingle,
    /// A quote after backslashes: `\"x\"`.
    Escaped,
    EscapedTwice,
    /// A double quote within backticks: `` `"x"` ``.
    Ticked,
    /// A quote within marks of emphasis: `**"x"**`.
    Emphasized,
    /// A special token of a model in place of a quote: `<|"|>x<|"|>`.
    Token,
    CharacterData,
    Fence,
    /// A double quote around JSON with unescaped quotes.
    Json,
}

impl Quote {
    /// Returns the doubled form of this quote, if writers double it.
    pub(crate) fn twice(self) -> Option<Self> {
        Some(match self {
            Self::Double => Self::Doubled,
            Self::Single => Self::DoubledSingle,
            Self::Curly => Self::DoubledCurly,
            Self::CurlySingle => Self::DoubledCurlySingle,
            _ => return None,
        })
    }

    /// Returns the single form of a doubled quote.
    pub(crate) fn once(self) -> Option<Self> {
        Some(match self {
            Self::Doubled => Self::Double,
            Self::DoubledSingle => Self::Single,
            Self::DoubledCurly => Self::Curly,
            Self::DoubledCurlySingle => Self::CurlySingle,
            _ => return None,
        })
    }

    /// Returns `true` if backslashes in it are literal.
    pub(crate) fn is_raw(self) -> bool {
        matches!(
            self,
            Self::Raw
                | Self::RawSingle
                | Self::CharacterData
                | Self::Fence
                | Self::Json
                | Self::Token
        )
    }
}

/// Quotes of several characters: the opening ones and the closing ones, the longest first.
const QUOTES: &[(Quote, &[&str], &[&str])] = &[
    (Quote::CharacterData, &["<![CDATA["], &["]]>"]),
    (Quote::Token, TOKEN_QUOTES, TOKEN_QUOTES),
    (Quote::Ticked, &["`\""], &["\"`"]),
    (Quote::EscapedTwice, &["\\\\\""], &["\\\\\""]),
    (Quote::Escaped, &["\\\"", "\\'"], &["\\\"", "\\'"]),
    (Quote::Curly, &["“", "”", "„", "＂"], &["”", "“", "＂"]),
    (Quote::CurlySingle, &["‘", "’", "‚"], &["’", "‘"]),
    (Quote::Guillemet, &["«", "»"], &["»", "«"]),
    (Quote::Prime, &["〝"], &["〞", "〟"]),
    (Quote::Corner, &["「"], &["」"]),
    (Quote::WhiteCorner, &["『"], &["』"]),
    (Quote::Acute, &["´"], &["´"]),
];

/// Special tokens that replace a quote.
pub(crate) const TOKEN_QUOTES: &[&str] = &["<|\"|>", "<|\">", "<|'|>"];

/// Returns `true` if the number of double quotes is odd.
pub(crate) fn odd_quotes(bytes: &[u8]) -> bool {
    memchr::memchr_iter(b'"', bytes).count() % 2 == 1
}

impl Text<'_> {
    /// Returns the quote that opens at `at`, and its length.
    #[inline]
    pub(crate) fn opens(&self, at: usize) -> Option<(Quote, usize)> {
        match self.at(at) {
            b'"' | b'\'' | b'`' | b'\\' | b'<' | b'*' | b'_' | b'~' | 0xc2.. => self.quote_at(at),
            _ => None,
        }
    }

    fn quote_at(&self, at: usize) -> Option<(Quote, usize)> {
        let three = |sign: u8| self.at(at + 1) == sign && self.at(at + 2) == sign;
        Some(match self.at(at) {
            b'"' if three(b'"') => (Quote::TripleDouble, 3),
            b'\'' if three(b'\'') => (Quote::TripleSingle, 3),
            b'"' => (Quote::Double, 1),
            b'\'' => (Quote::Single, 1),
            b'`' if self.starts(at, "`\"") => (Quote::Ticked, 2),
            b'`' if !self.starts(at, "```") => (Quote::Backtick, 1),
            b'\\' | b'<' | 0xc2 | 0xe2 | 0xe3 | 0xef => {
                let opens = |signs: &&str| self.starts(at, signs);
                return QUOTES.iter().find_map(|(quote, open, _)| {
                    Some((*quote, open.iter().find(|signs| opens(signs))?.len()))
                });
            }
            b'*' | b'_' | b'~' => match self.marks(at) {
                0 => return None,
                marks => (Quote::Emphasized, marks + 1),
            },
            _ => return None,
        })
    }

    /// Returns the quote that opens a key or value at `at`. A letter may precede it, as in the
    /// string prefixes of programming languages: `u'x'`, `rb"x"`.
    pub(crate) fn opens_token(&self, at: usize) -> Option<(Quote, usize)> {
        if !self.at(at).is_ascii_alphabetic() && self.at(at) != b'@' {
            return self.opens(at);
        }
        let letter = |c: u8| b"bBfFrRuU@".contains(&c);
        let length = match (self.at(at), self.at(at + 1)) {
            (mark, b'"' | b'\'') if letter(mark) => 1,
            (mark, second) if letter(mark) && letter(second) => 2,
            _ => return self.opens(at),
        };
        let sign = self.at(at + length);
        let inside = self
            .bytes
            .get(at + length + 1..)
            .filter(|_| matches!(sign, b'"' | b'\''))?;
        // `b", "c"`: the quote after the letter closes a string.
        let end = memchr::memchr2(sign, b'\n', &inside[..inside.len().min(NEAR)]);
        let three = inside.starts_with(&[sign; 2]);
        let closed = three
            || end.map_or(
                !matches!(inside.first(), Some(b']' | b'}' | b',' | b':')),
                |end| {
                    let behind = inside.get(end + 1).copied().unwrap_or(b',');
                    inside[end] == sign && b",}]): \n".contains(&behind)
                },
            );
        let raw = self.bytes[at..at + length]
            .iter()
            .any(|c| c.eq_ignore_ascii_case(&b'r'));
        let (quote, signs) = self.opens(at + length).filter(|_| closed)?;
        let quote = match quote {
            Quote::Double if raw => Quote::Raw,
            Quote::Single if raw => Quote::RawSingle,
            quote => quote,
        };
        Some((quote, length + signs))
    }

    /// Returns `true` if a string at `at` begins with a space.
    pub(crate) fn space_opens(&self, at: usize) -> bool {
        self.opens(at)
            .is_some_and(|(_, length)| self.at(at + length) == b' ')
    }

    /// Returns the range of the code in a fence at `at`, and the offset after the fence.
    pub(crate) fn fenced(&self, at: usize) -> Option<(usize, usize, usize)> {
        if !self.starts(at, "```") {
            return None;
        }
        let close = at + 3 + memchr::memmem::find(&self.bytes[at + 3..], b"```")?;
        self.charge((close - at) / 16);
        // The rest of the opening fence's line is the language, unless it is the whole code.
        let inside = &self.text[at + 3..close];
        let start = inside.find('\n').map_or(at + 3, |line| at + 4 + line);
        let code = self.text[start..close].trim_end_matches([' ', '\t']);
        let code = code.strip_suffix('\n').unwrap_or(code);
        Some((start, start + code.len(), close + 3))
    }

    /// Returns the number of emphasis marks at `at` before a quote, or 0: 2 for `**"a"**`.
    pub(crate) fn marks(&self, at: usize) -> usize {
        let rest = self.bytes.get(at..).unwrap_or_default();
        let mark = rest.first().copied().unwrap_or(0);
        let marks = rest.iter().take(4).take_while(|c| **c == mark).count();
        match rest.get(marks) {
            Some(b'"' | b'\'') if marks < 4 => marks,
            _ => 0,
        }
    }

    /// Returns the length of a quote at `at` that may close a string in these quotes, or 0.
    #[inline]
    pub(crate) fn closes(&self, quote: Quote, at: usize) -> usize {
        match quote {
            Quote::Double | Quote::Raw => usize::from(self.at(at) == b'"'),
            Quote::Single | Quote::RawSingle => usize::from(self.at(at) == b'\''),
            Quote::Bare => 0,
            _ => self.closes_odd(quote, at),
        }
    }

    /// Returns the offset after a closing quote of more than one byte.
    fn closes_odd(&self, quote: Quote, at: usize) -> usize {
        match quote {
            Quote::Emphasized => {
                let colon = usize::from(self.at(at + 1) == b':');
                let rest = self.bytes.get(at + 1 + colon..).unwrap_or_default().iter();
                let marks = rest
                    .take(3)
                    .take_while(|c| matches!(c, b'*' | b'_' | b'~'))
                    .count();
                let quote = matches!(self.at(at), b'"' | b'\'') && marks > 0;
                if quote { 1 + colon + marks } else { 0 }
            }
            Quote::TripleDouble | Quote::TripleSingle | Quote::Backtick => match self.opens(at) {
                Some((other, length)) if other == quote => length,
                _ => 0,
            },
            _ => match (QUOTES.iter().find(|(one, ..)| *one == quote), quote.once()) {
                (Some((_, _, close)), _) => {
                    let signs = close.iter().find(|signs| self.starts(at, signs));
                    signs.map_or(0, |signs| signs.len())
                }
                (None, Some(once)) => match self.closes(once, at) {
                    0 => 0,
                    length => length + self.closes(once, at + length),
                },
                (None, None) => 0,
            },
        }
    }

    /// Returns the part of a string in these quotes from `from` to the next character that may end
    /// it.
    pub(crate) fn part(&self, quote: Quote, from: usize) -> Option<Part> {
        let part = self.parts.get(from, quote as u32, || {
            let end = self.next_quote(quote, from)?;
            let inside = &self.bytes[from..end];
            Some(Part {
                end,
                behind: end + self.closes(quote, end),
                odd: odd_quotes(inside),
                lines: memchr::memchr(b'\n', inside).is_some(),
            })
        });
        let end = part.map_or(self.len(), |part| part.end);
        self.charge((end - from) / 8);
        part
    }

    /// Returns the next character from `at` on that may end a string in these quotes. Escapes are
    /// skipped.
    pub(crate) fn next_quote(&self, quote: Quote, at: usize) -> Option<usize> {
        self.next_quote_before(self.len(), quote, at)
    }

    /// Returns it only if it is nearby.
    pub(crate) fn quote_near(&self, quote: Quote, at: usize) -> Option<usize> {
        self.next_quote_before(self.len().min(at + NEAR + 1), quote, at)
    }

    pub(crate) fn next_quote_before(
        &self,
        limit: usize,
        quote: Quote,
        mut at: usize,
    ) -> Option<usize> {
        let once = quote.once().unwrap_or(quote);
        let first = match once {
            Quote::Double | Quote::TripleDouble | Quote::Raw | Quote::Ticked => b'"',
            Quote::Single | Quote::TripleSingle | Quote::RawSingle => b'\'',
            Quote::Backtick => b'`',
            Quote::Guillemet | Quote::Acute => 0xc2,
            Quote::Prime | Quote::Corner | Quote::WhiteCorner => 0xe3,
            Quote::Escaped | Quote::EscapedTwice => b'\\',
            Quote::Token => b'<',
            Quote::CharacterData => b']',
            Quote::Emphasized => b'"',
            _ => 0xe2,
        };
        let escapes = !matches!(quote, Quote::Escaped | Quote::EscapedTwice) && !quote.is_raw();
        let from = at;
        loop {
            let found = match once {
                // Either of two characters closes it.
                Quote::Curly => {
                    let near = self.bytes.get(at..limit).unwrap_or_default();
                    memchr::memchr3(0xe2, 0xef, b'\\', near).map(|n| at + n)
                }
                _ => scan::find_near(&self.bytes[..limit], at, first, b'\\'),
            };
            let Some(found) = found else {
                self.charge(limit.saturating_sub(from) / 16);
                return None;
            };
            if self.bytes[found] == b'\\' && escapes {
                at = found + 2;
            } else if quote == Quote::Escaped && self.at(found + 1) == b'\\' {
                // `\\\"` within escaped quotes is a quote of the content.
                at = found + 2 + if self.at(found + 2) == b'\\' { 2 } else { 0 };
            } else if self.closes(quote, found) > 0 {
                self.charge((found - from) / 16);
                return Some(found);
            } else {
                at = found + 1;
            }
        }
    }
}

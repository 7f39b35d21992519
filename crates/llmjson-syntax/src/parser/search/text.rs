//! The bytes of a text by their kind: space, comments, quotes, words. Decides nothing.

use core::cell::Cell;
use core::ops::Range;

use crate::base::expected_names::ExpectedNames;
use crate::base::repair::RepairKind;
use crate::base::work::Work;
use crate::parser::look::Look;
use crate::parser::look::notice::{notice_at, notice_behind};
use crate::parser::look::scalars::is_keyword;
use crate::parser::look::trivia::{odd_space, trivia_at};
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
    /// Quotes written twice: `""x""`, `''x''`, `““x””`.
    Doubled,
    DoubledSingle,
    DoubledCurly,
    DoubledCurlySingle,
    Acute,
    Corner,
    WhiteCorner,
    /// A double quote behind a mark that says that no backslash is an escape: `r"\d"`.
    Raw,
    RawSingle,
    /// A quote behind backslashes: `\"x\"`.
    Escaped,
    EscapedTwice,
    Entity,
    /// A double quote within backticks: `` `"x"` ``.
    Ticked,
    /// A quote within marks of emphasis: `**"x"**`.
    Emphasized,
    /// A special token of a model in place of a quote: `<|"|>x<|"|>`.
    Token,
    CharacterData,
    Fence,
    /// A double quote around JSON, none of whose quotes were escaped.
    Json,
}

/// The quotes that a writer doubles, and what they are then.
const DOUBLED: &[(Quote, Quote)] = &[
    (Quote::Double, Quote::Doubled),
    (Quote::Single, Quote::DoubledSingle),
    (Quote::Curly, Quote::DoubledCurly),
    (Quote::CurlySingle, Quote::DoubledCurlySingle),
];

impl Quote {
    /// Returns the kind of this quote written twice.
    pub(crate) fn twice(self) -> Option<Self> {
        DOUBLED.iter().find(|one| one.0 == self).map(|one| one.1)
    }

    /// Returns the quote that is written twice.
    pub(crate) fn once(self) -> Option<Self> {
        DOUBLED.iter().find(|one| one.1 == self).map(|one| one.0)
    }

    /// Returns `true` if no backslash in it is an escape.
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

/// Quotes of several signs: those that open, and those that close. Longer ones stand first.
const QUOTES: &[(Quote, &[&str], &[&str])] = &[
    (Quote::CharacterData, &["<![CDATA["], &["]]>"]),
    (Quote::Token, TOKEN_QUOTES, TOKEN_QUOTES),
    (Quote::Ticked, &["`\""], &["\"`"]),
    (Quote::EscapedTwice, &["\\\\\""], &["\\\\\""]),
    (Quote::Escaped, &["\\\"", "\\'"], &["\\\"", "\\'"]),
    (Quote::Entity, &["&quot;", "&#34;"], &["&quot;", "&#34;"]),
    (Quote::Curly, &["“", "”", "„", "＂"], &["”", "“", "＂"]),
    (Quote::CurlySingle, &["‘", "’", "‚"], &["’", "‘"]),
    (Quote::Guillemet, &["«", "»"], &["»", "«"]),
    (Quote::Corner, &["「"], &["」"]),
    (Quote::WhiteCorner, &["『"], &["』"]),
    (Quote::Acute, &["´"], &["´"]),
];

/// Special tokens that stand for a quote.
const TOKEN_QUOTES: &[&str] = &["<|\"|>", "<|\">", "<|'|>"];

/// Special tokens, and closing tags of dialogs, which mean nothing between the tokens of a value.
const TOKENS: &[&str] = &[
    "</s>",
    "<s>",
    "<pad>",
    "<eos>",
    "<bos>",
    "<unk>",
    "<end_of_turn>",
    "<start_of_turn>",
    "[/INST]",
    "[INST]",
];

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

/// Number of answers that are kept.
const KEPT: usize = 32;

/// Special tokens in a row that are looked past, at most.
const TOKENS_IN_A_ROW: usize = 16;

/// The longest special token, in bytes.
const TOKEN_LONG: usize = 40;

/// The longest name of a type or call before its bracket, in bytes.
const HEAD_LONG: usize = 60;

/// The text that is read, what is known of it as a whole, and what was looked at so far.
pub(crate) struct Text<'t> {
    pub(crate) text: &'t str,
    pub(crate) bytes: &'t [u8],
    pub(crate) names: Option<&'t ExpectedNames>,
    /// Offset of the last closer, if the text ends with it but for a fence.
    last_closer: usize,
    /// The work of looking at the text, in steps.
    pub(crate) work: Cell<usize>,
    /// Places at which a name was looked for last, since every reading asks, and whether there is one.
    ahead: [Cell<(usize, bool)>; KEPT],
}

impl<'t> Text<'t> {
    pub(crate) fn new(text: &'t str, names: Option<&'t ExpectedNames>) -> Self {
        // `"hello wor... [truncated]`: behind a notice that the text was cut nothing stands.
        let text = notice_behind(text).map_or(text, |end| &text[..end]);
        let trimmed = text.trim_end().trim_end_matches("```").trim_end();
        let closed = trimmed.ends_with(['}', ']']);
        Self {
            text,
            bytes: text.as_bytes(),
            names,
            last_closer: if closed { trimmed.len() } else { 0 },
            work: Cell::new(0),
            ahead: [const { Cell::new((usize::MAX, false)) }; KEPT],
        }
    }

    /// Marks that text is still to come: how it ends says nothing.
    pub(crate) fn grows(&mut self) {
        self.last_closer = 0;
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

    pub(crate) fn starts(&self, at: usize, what: &str) -> bool {
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
    #[inline]
    pub(crate) fn space(&self, at: usize) -> (usize, bool) {
        match self.at(at) {
            b'!'..=b'[' | b']'..=b'~' => (at, false),
            _ => self.spaces(at),
        }
    }

    fn spaces(&self, mut at: usize) -> (usize, bool) {
        let mut line = false;
        loop {
            match self.at(at) {
                b'\n' => {
                    line = true;
                    at += 1;
                }
                b' ' | b'\t' | b'\r' => at += 1,
                // `\n`, a no-break space, `ESC[31m`.
                ..b' ' | b'\\' | 0x80.. => match trivia_at(self.text, at) {
                    Some((RepairKind::OddSpace, end)) => at = end,
                    Some((RepairKind::EscapedSpace, end)) => {
                        line |= self.at(at + 1) == b'n';
                        at = end;
                    }
                    _ => return (at, line),
                },
                _ => return (at, line),
            }
        }
    }

    /// Returns the offset at which a comment at `at` ends.
    pub(crate) fn comment(&self, at: usize) -> Option<usize> {
        // `#ff0000`: a colour.
        let digits = self
            .bytes
            .get(at + 1..)?
            .iter()
            .take_while(|c| c.is_ascii_hexdigit())
            .count();
        let ends = !self.char_at(at + 1 + digits).is_alphanumeric();
        if self.at(at) == b'#' && matches!(digits, 3 | 6 | 8) && ends {
            return None;
        }
        // `//cdn.example.org/x.js`: an address.
        let host = |c: &&u8| c.is_ascii_alphanumeric() || b"-.".contains(c);
        let address = self.bytes.get(at + 2..).unwrap_or_default();
        let length = address.iter().take(NEAR).take_while(host).count();
        if self.starts(at, "//")
            && address[..length].contains(&b'.')
            && self.at(at + 2 + length) == b'/'
        {
            return None;
        }
        match trivia_at(self.text, at) {
            Some((RepairKind::Comment, end)) => Some(end),
            _ => None,
        }
    }

    /// Returns the offset behind a remark in round brackets at `at`, on one line: `(two)`.
    pub(crate) fn remark(&self, at: usize) -> Option<usize> {
        let rest = self
            .bytes
            .get(at..)
            .filter(|rest| rest.first() == Some(&b'('))?;
        let near = &rest[1..rest.len().min(NEAR)];
        let end = near.iter().position(|c| b"()\n\"".contains(c))?;
        (near[end] == b')' && end > 0).then_some(at + end + 2)
    }

    /// Returns the offset behind a special token of a model at `at`, unless the text ends behind it and those that
    /// follow: `"a":<pad> 1`.
    pub(crate) fn token(&self, at: usize) -> Option<usize> {
        let end = self.token_here(at)?;
        let (mut next, mut seen) = (self.space(end).0, 0);
        while let Some(end) = self.token_here(next) {
            seen += 1;
            if seen > TOKENS_IN_A_ROW {
                return None;
            }
            next = self.space(end).0;
        }
        let json = b",:{}[]\"'<-0123456789".contains(&self.at(next));
        let goes_on = json || is_keyword(self.word_at(next)) || self.name_ahead(next);
        (goes_on && next < self.len() && !self.ends(next)).then_some(end)
    }

    /// Returns the offset behind a special token of a model, whatever stands behind it.
    fn token_here(&self, at: usize) -> Option<usize> {
        if !matches!(self.at(at), b'<' | b'[')
            || TOKEN_QUOTES.iter().any(|one| self.starts(at, one))
        {
            return None;
        }
        let listed = TOKENS.iter().find(|token| self.starts(at, token));
        // `<|im_end|>`, `<｜end▁of▁sentence｜>`.
        let barred = || {
            let (bar, end) = match self.char_at(at + 1) {
                '|' => ("<|", "|>"),
                '｜' => ("<｜", "｜>"),
                _ => return None,
            };
            let inside = self.text.get(at + bar.len()..)?;
            let near = &inside.as_bytes()[..inside.len().min(TOKEN_LONG + end.len())];
            let length = memchr::memmem::find(near, end.as_bytes())?;
            let name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '▁');
            let named = inside[..length].chars().all(name);
            named.then_some(bar.len() + length + end.len())
        };
        let length = listed.map(|token| token.len()).or_else(barred)?;
        Some(at + length)
    }

    /// Returns the offset behind space and comments, and `true` if a line ended in them.
    pub(crate) fn trivia(&self, mut at: usize) -> (usize, bool) {
        let mut line = false;
        loop {
            let (next, ended) = self.space(at);
            line |= ended;
            let comment = match self.at(next) {
                b'/' | b'#' => self.comment(next),
                b'<' => self.comment(next).or_else(|| self.token(next)),
                b'[' if self.at(next + 1) == b'/' || self.at(next + 1) == b'I' => self.token(next),
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
        // `[[ ## answer ## ]]`
        if self.bytes[at] == b'[' && self.starts(at, "[[ ## ") {
            return true;
        }
        if !matches!(self.bytes[at], b'`' | b'~' | b'<') {
            return false;
        }
        let mark = at == 0
            || matches!(
                self.bytes[at - 1],
                b'\n' | b' ' | b'\t' | b'}' | b']' | b')' | b'"' | b'\'' | b'0'..=b'9'
            );
        let before = &self.bytes[..at];
        let keyword = [&b"true"[..], b"false", b"null"];
        let mark = mark || keyword.iter().any(|word| before.ends_with(word));
        mark && (self.starts(at, "```") || self.starts(at, "~~~"))
            || self.starts(at, "</") && self.token(at).is_none()
            || self.starts(at, "<|") && self.opens(at).is_none() && self.token(at).is_none()
    }

    /// Returns `true` if a fence or tag at `at` closes what stands around the value.
    pub(crate) fn closing_mark(&self, at: usize) -> bool {
        let account = Cell::new(Work::default());
        Look::new(self.text, &account).closing_mark_at(at)
    }

    /// Returns `true` if a fence stands at `at` and nothing behind it.
    pub(crate) fn fence_ends(&self, at: usize) -> bool {
        let rest = self.bytes.get(at..).unwrap_or_default();
        let fence = rest.iter().take_while(|c| matches!(c, b'`' | b'~')).count();
        fence > 2 && self.space(at + fence).0 >= self.len()
    }

    /// Returns `true` if the whole text ends with a closer, behind `at`.
    pub(crate) fn closed_behind(&self, at: usize) -> bool {
        self.last_closer > at + 1
    }

    /// The quote that opens at `at`, and its length.
    pub(crate) fn opens(&self, at: usize) -> Option<(Quote, usize)> {
        let three = |sign: u8| self.at(at + 1) == sign && self.at(at + 2) == sign;
        Some(match self.at(at) {
            b'"' if three(b'"') => (Quote::TripleDouble, 3),
            b'\'' if three(b'\'') => (Quote::TripleSingle, 3),
            b'"' => (Quote::Double, 1),
            b'\'' => (Quote::Single, 1),
            b'`' if self.starts(at, "`\"") => (Quote::Ticked, 2),
            b'`' if !self.starts(at, "```") => (Quote::Backtick, 1),
            b'\\' | b'<' | b'&' | 0xc2 | 0xe2 | 0xe3 | 0xef => {
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

    /// The same where a value or name belongs: a letter may stand before the quote, as programs mark their
    /// strings: `u'x'`, `rb"x"`.
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
        // `b", "c"`: the quote behind the letter closes a text.
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

    /// Returns the offset behind calls of methods at `at`, which follow a text: `"a".to_string()`.
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

    /// Returns the offset behind a bar and a value at `at`: `| "b"`.
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

    /// Returns the offset behind a name of a program at `at`: `user.name`, `items[0]`, `str(n)`.
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

    /// Returns `true` if a text at `at` begins with a space.
    pub(crate) fn space_opens(&self, at: usize) -> bool {
        self.opens(at)
            .is_some_and(|(_, length)| self.at(at + length) == b' ')
    }

    /// Returns the place of the code in a fence at `at`, and the offset behind the fence.
    pub(crate) fn fenced(&self, at: usize) -> Option<(usize, usize, usize)> {
        if !self.starts(at, "```") {
            return None;
        }
        let close = at + 3 + memchr::memmem::find(&self.bytes[at + 3..], b"```")?;
        self.charge((close - at) / 16);
        // The rest of the line of the opening fence is the language, unless it is all.
        let inside = &self.text[at + 3..close];
        let start = inside.find('\n').map_or(at + 3, |line| at + 4 + line);
        let code = self.text[start..close].trim_end_matches([' ', '\t']);
        let code = code.strip_suffix('\n').unwrap_or(code);
        Some((start, start + code.len(), close + 3))
    }

    /// Returns `true` if the colon of a name stands within marks of emphasis before `at`: `**a:** 1`.
    pub(crate) fn colon_before(&self, at: usize) -> bool {
        let before = self.bytes[..at].trim_ascii_end();
        let marks = before
            .iter()
            .rev()
            .take_while(|c| matches!(c, b'*' | b'_' | b'~'))
            .count();
        marks > 0 && before[..before.len() - marks].ends_with(b":")
    }

    /// Returns `true` if a lone word of digits and commas goes to the end of the text: `1,234,5`.
    pub(crate) fn cut_in_groups(&self, at: usize) -> bool {
        let rest = &self.bytes[at..];
        let comma = memchr::memchr(b',', rest).is_some_and(|comma| (1..4).contains(&comma))
            && rest[0] != b'0';
        comma && rest.len() < NEAR && rest.iter().all(|c| c.is_ascii_digit() || *c == b',')
    }

    /// The number of marks of emphasis at `at` before a quote, or 0: 2 of `**"a"**`.
    fn marks(&self, at: usize) -> usize {
        let rest = self.bytes.get(at..).unwrap_or_default();
        let mark = rest.first().copied().unwrap_or(0);
        let marks = rest.iter().take(4).take_while(|c| **c == mark).count();
        match rest.get(marks) {
            Some(b'"' | b'\'') if marks < 4 => marks,
            _ => 0,
        }
    }

    /// The length of a quote at `at` that may close a text in these quotes, or 0.
    pub(crate) fn closes(&self, quote: Quote, at: usize) -> usize {
        match quote {
            Quote::Double | Quote::Raw => return usize::from(self.at(at) == b'"'),
            Quote::RawSingle => return usize::from(self.at(at) == b'\''),
            Quote::Emphasized => {
                let colon = usize::from(self.at(at + 1) == b':');
                let rest = self.bytes.get(at + 1 + colon..).unwrap_or_default().iter();
                let marks = rest
                    .take(3)
                    .take_while(|c| matches!(c, b'*' | b'_' | b'~'))
                    .count();
                let quote = matches!(self.at(at), b'"' | b'\'') && marks > 0;
                return if quote { 1 + colon + marks } else { 0 };
            }
            Quote::Single | Quote::Backtick | Quote::Bare => {}
            _ => {
                let signs = QUOTES.iter().find(|(one, ..)| *one == quote);
                let closes = |(_, _, close): &(Quote, &[&str], &[&str])| {
                    close
                        .iter()
                        .find(|signs| self.starts(at, signs))
                        .map(|signs| signs.len())
                };
                if let Some(signs) = signs {
                    return closes(signs).unwrap_or(0);
                }
                if let Some(once) = quote.once() {
                    return match self.closes(once, at) {
                        0 => 0,
                        length => length + self.closes(once, at + length),
                    };
                }
            }
        }
        match (quote, self.opens(at)) {
            (Quote::TripleDouble | Quote::TripleSingle, Some((other, length)))
                if other == quote =>
            {
                length
            }
            (Quote::TripleDouble | Quote::TripleSingle, _) => 0,
            (Quote::Single, Some((Quote::TripleSingle, _))) => 1,
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
        let once = quote.once().unwrap_or(quote);
        let first = match once {
            Quote::Double | Quote::TripleDouble | Quote::Raw | Quote::Ticked => b'"',
            Quote::Single | Quote::TripleSingle | Quote::RawSingle => b'\'',
            Quote::Backtick => b'`',
            Quote::Guillemet | Quote::Acute => 0xc2,
            Quote::Corner | Quote::WhiteCorner => 0xe3,
            Quote::Escaped | Quote::EscapedTwice => b'\\',
            Quote::Entity => b'&',
            Quote::Token => b'<',
            Quote::CharacterData => b']',
            Quote::Emphasized => b'"',
            _ => 0xe2,
        };
        let escapes = !matches!(quote, Quote::Escaped | Quote::EscapedTwice) && !quote.is_raw();
        let from = at;
        loop {
            let found = match once {
                // Two kinds of sign close it.
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
                // `\\\"` within escaped quotes is a quote of the text.
                at = found + 2 + if self.at(found + 2) == b'\\' { 2 } else { 0 };
            } else if quote == Quote::DoubledSingle
                && self.at(found - 1).is_ascii_alphanumeric()
                && self.at(found + 1).is_ascii_alphanumeric()
            {
                // `''it's''`: an apostrophe.
                at = found + 1;
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

    /// Returns `true` if a word and a colon stand at `at`, and the word is a name that is expected.
    pub(crate) fn expected_ahead(&self, at: usize) -> bool {
        self.colon(self.word(at)).is_some() && self.expects(self.word_at(at))
    }

    /// Returns `true` if a name and a colon stand at `at`, close by.
    pub(crate) fn name_ahead(&self, at: usize) -> bool {
        let kept = &self.ahead[at % KEPT];
        let (place, found) = kept.get();
        if place == at {
            return found;
        }
        let found = self.is_name_ahead(at);
        kept.set((at, found));
        found
    }

    fn is_name_ahead(&self, at: usize) -> bool {
        let end = match self.opens_token(at) {
            Some((quote, length)) => match self.quoted_name(quote, at + length) {
                Some((end, true)) if end > 0 => return true,
                Some((end, _)) => end,
                None => return false,
            },
            None if let Some((_, _, next)) = self.odd_name(at) => next,
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
        !line && !path && (self.colon(colon).is_some() || self.colon_before(end))
    }

    /// Returns the place of a name at `at` that is written as Markdown or a program writes it, and the
    /// offset behind it: `*a*: 1`, `["a"]: 1`, `:a => 1`.
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
                // `**a:** 1`: the colon may stand within the marks.
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

    /// Returns the offset of the bracket before which the name of a type or a call stands at `at`: that of
    /// `new Date(`, `map[string]int{`, `vec![`.
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

    /// Returns the offset of the bracket behind a head, unless that is a value: `false [1]`.
    fn headed(&self, from: usize, length: usize) -> Option<usize> {
        let head = self.text.get(from..from + length)?;
        (!is_keyword(head.trim_end())).then_some(from + length)
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

    /// Returns the place of the name in quotes at `at`, and the offset behind its quote.
    pub(crate) fn name_at(&self, at: usize) -> Option<(Range<usize>, usize)> {
        let (quote, length) = self.opens(at).filter(|_| self.name_ahead(at))?;
        let end = self.quote_near(quote, at + length)?;
        Some((at + length..end, end + self.closes(quote, end)))
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
            0x80.. => match self.char_at(at) {
                sign @ ('：' | '﹕' | '꞉') => sign.len_utf8(),
                _ => return None,
            },
            _ => return None,
        })
    }

    /// The length of a comma at `at`, or of what stands for one.
    pub(crate) fn comma(&self, at: usize) -> Option<usize> {
        match self.at(at) {
            b',' | b';' => Some(1),
            c if c >= 0x80 => matches!(self.char_at(at), '，' | '；' | '、' | '﹐').then_some(3),
            _ => None,
        }
    }

    /// The length of dots at `at` for what was left out, with the name of it: `...`, `... [3 omitted]`,
    /// `...base`.
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

//! White space, comments and markup between tokens and after the last one.

use core::cell::Cell;

use crate::base::work::Work;
use crate::parser::look::Look;
use crate::parser::look::scalars::is_keyword;
use crate::parser::look::trivia::comment_end;
use crate::parser::search::text::quotes::TOKEN_QUOTES;
use crate::parser::search::text::{NEAR, Text};
use crate::scan::tag::{TOKENS, is_element, tag};

/// Maximum number of consecutive special tokens that are skipped.
const TOKENS_IN_A_ROW: usize = 16;

/// Number of bytes before a closing fence or tag that are searched for the opening one.
const MARK_LOOK: usize = 1 << 10;

/// Maximum length of a special token, in bytes.
const TOKEN_LONG: usize = 40;

impl Text<'_> {
    /// Returns the offset at which a comment at `at` ends.
    pub(crate) fn comment(&self, at: usize) -> Option<usize> {
        // `#ff0000`: a color.
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
        // `//cdn.example.org/x.js`: a URL.
        let host = |c: &&u8| c.is_ascii_alphanumeric() || b"-.".contains(c);
        let address = self.bytes.get(at + 2..).unwrap_or_default();
        let length = address.iter().take(NEAR).take_while(host).count();
        if self.starts(at, "//")
            && address[..length].contains(&b'.')
            && self.at(at + 2 + length) == b'/'
        {
            return None;
        }
        comment_end(self.text, at, |sought, from| self.first(sought, from))
    }

    /// Returns the offset after a remark in parentheses at `at`, on one line: `(two)`.
    pub(crate) fn remark(&self, at: usize) -> Option<usize> {
        let rest = self
            .bytes
            .get(at..)
            .filter(|rest| rest.first() == Some(&b'('))?;
        let near = &rest[1..rest.len().min(NEAR)];
        let end = near.iter().position(|c| b"()\n\"".contains(c))?;
        (near[end] == b')' && end > 0).then_some(at + end + 2)
    }

    /// Returns the offset after a special token of a model at `at`, unless only such tokens follow
    /// up to the end of the text: `"a":<pad> 1`.
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

    /// Returns the offset after a special token of a model, regardless of the text that follows.
    pub(crate) fn token_here(&self, at: usize) -> Option<usize> {
        if !matches!(self.at(at), b'<' | b'[')
            || TOKEN_QUOTES.iter().any(|one| self.starts(at, one))
        {
            return None;
        }
        // An element of a page has the name of the token `<s>`, but is not between the tokens of a value.
        let mut tokens = TOKENS.iter().chain(&["<s>"]);
        let listed = tokens.find(|token| self.starts(at, token));
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

    /// Returns the offset after white space and comments, and `true` if they contain a line break.
    #[inline]
    pub(crate) fn trivia(&self, at: usize) -> (usize, bool) {
        match self.at(at) {
            // These bytes begin neither white space nor comments nor special tokens.
            b'!' | b'"' | b'$'..=b'.' | b'0'..=b';' | b'='..=b'Z' | b']'..=b'~' => (at, false),
            _ => self.beyond.get(at, 0, || self.beyond_trivia(at)),
        }
    }

    fn beyond_trivia(&self, mut at: usize) -> (usize, bool) {
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

    /// Returns `true` if the value can only have ended before `at`: the text ends, or a closing
    /// mark of the surrounding markup is there.
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
        let fence = || {
            let rest = self.text[at..].trim_start_matches(['`', '~']);
            self.len() - at - rest.len() > 2 && !rest.starts_with(char::is_alphabetic)
        };
        mark && fence() && !self.closes_code(at)
            || self.starts(at, "</") && self.token(at).is_none() && !self.closes_markup(at)
            || self.starts(at, "<|") && self.opens(at).is_none() && self.token(at).is_none()
    }

    /// Returns `true` if the closing tag at `at` belongs to markup inside a string: the tag that opens its element is
    /// not directly before a value, or it is an element of HTML.
    fn closes_markup(&self, at: usize) -> bool {
        let Some((_, name, _)) = tag(self.text, at) else {
            return false;
        };
        let opens = alloc::format!("<{name}");
        let near = self.near_before(at);
        let inside = near.rmatch_indices(&opens).find_map(|(before, _)| {
            let (_, same, end) = tag(near, before)?;
            (same == name).then_some(&near[end..])
        });
        match inside {
            Some(inside) => !inside.trim_start().starts_with(['{', '[', '`', '"']),
            None => is_element(name),
        }
    }

    /// Returns `true` if the fence at `at` closes code inside a string: the last fence before it opens it, and not a
    /// value.
    fn closes_code(&self, at: usize) -> bool {
        let near = self.near_before(at);
        let Some((before, opened)) = near.rsplit_once("```") else {
            return false;
        };
        let (language, code) = opened.split_once('\n').unwrap_or_default();
        // `[package]`: TOML, which begins like an array.
        let is_value = code.trim_start().starts_with('{') || language.starts_with("json");
        // A fence that no bracket precedes is around the value.
        let inside = near.len() < at || before.contains(['{', '[']);
        inside && language.starts_with(char::is_alphabetic) && !is_value
    }

    /// Returns the text shortly before `at`.
    fn near_before(&self, at: usize) -> &str {
        let from = self.text.ceil_char_boundary(at.saturating_sub(MARK_LOOK));
        self.charge((at - from) / 16);
        &self.text[from..at]
    }

    /// Returns `true` if a fence or tag at `at` closes the markup around the value.
    pub(crate) fn closing_mark(&self, at: usize) -> bool {
        let account = Cell::new(Work::default());
        Look::new(self.text, &account).closing_mark_at(at)
    }

    /// Returns `true` if the text ends with a fence at `at`.
    pub(crate) fn fence_ends(&self, at: usize) -> bool {
        let rest = self.bytes.get(at..).unwrap_or_default();
        let fence = rest.iter().take_while(|c| matches!(c, b'`' | b'~')).count();
        fence > 2 && self.space(at + fence).0 >= self.len()
    }

    /// Returns `true` if the whole text ends with a closer, after `at`.
    pub(crate) fn closed_behind(&self, at: usize) -> bool {
        self.last_closer > at + 1
    }
}

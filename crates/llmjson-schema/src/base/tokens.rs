//! Values split into tokens: runs of digits, runs of letters, and single other characters.

use std::borrow::Cow;
use std::ops::RangeInclusive;

use smallvec::SmallVec;

use super::fold::{digit, fold};

/// The sort of a character. Adjacent characters of one sort are one token, except symbols.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sort {
    /// A digit of the script with that zero.
    Digit(char),
    Letter,
    Symbol,
    /// Between tokens, and in none of them.
    Space,
}

/// Returns the sort that a character has in a number, a date or a phrase.
pub(crate) fn sort(letter: char) -> Sort {
    match digit(letter) {
        Some((_, zero)) => Sort::Digit(zero),
        None if letter.is_whitespace() => Sort::Space,
        // A combining accent belongs to its letter.
        None if letter.is_alphabetic() || ('\u{300}'..='\u{36f}').contains(&letter) => Sort::Letter,
        None => Sort::Symbol,
    }
}

/// A part of a text.
#[derive(Clone, Debug)]
pub(crate) struct Token<'t> {
    /// The folded text.
    pub(crate) text: Cow<'t, str>,
    pub(crate) raw: &'t str,
    /// The index of its first byte.
    pub(crate) start: usize,
}

impl Token<'_> {
    /// Returns the index of the first byte after it.
    pub(crate) fn end(&self) -> usize {
        self.start + self.raw.len()
    }

    pub(crate) fn is_number(&self) -> bool {
        self.text.starts_with(|first: char| first.is_ascii_digit())
    }
}

pub(crate) type Tokens<'t> = SmallVec<[Token<'t>; 8]>;

/// Returns the tokens of a text whose characters are of these sorts.
pub(crate) fn tokens(text: &str, sort: impl Fn(char) -> Sort) -> Tokens<'_> {
    let (mut tokens, mut start) = (Tokens::new(), 0);
    let mut letters = text.chars().peekable();
    let mut end = 0;
    while let Some(letter) = letters.next() {
        end += letter.len_utf8();
        let own = sort(letter);
        if own != Sort::Symbol && letters.peek().is_some_and(|next| sort(*next) == own) {
            continue;
        }
        let raw = &text[start..end];
        if own != Sort::Space {
            let text = fold(raw);
            tokens.push(Token { text, raw, start });
        }
        start = end;
    }
    tokens
}

/// A place among the tokens of a text.
#[derive(Clone, Copy)]
pub(crate) struct Cursor<'t> {
    tokens: &'t [Token<'t>],
    at: usize,
}

impl<'t> Cursor<'t> {
    pub(crate) fn new(tokens: &'t [Token<'t>]) -> Self {
        Self { tokens, at: 0 }
    }

    /// Returns the folded text of a token from here, or `""` after the last one.
    pub(crate) fn peek(&self, ahead: usize) -> &'t str {
        self.tokens
            .get(self.at + ahead)
            .map_or("", |token| &token.text)
    }

    pub(crate) fn is_number(&self, ahead: usize) -> bool {
        self.tokens
            .get(self.at + ahead)
            .is_some_and(Token::is_number)
    }

    pub(crate) fn is_at_end(&self) -> bool {
        self.at >= self.tokens.len()
    }

    pub(crate) fn step(&mut self) {
        self.at += 1;
    }

    /// Takes the next token if it is a number whose count of digits is in the range.
    pub(crate) fn take_number(&mut self, digits: RangeInclusive<usize>) -> Option<i64> {
        let number = self.peek(0);
        let is_one = self.is_number(0) && digits.contains(&number.len());
        is_one.then(|| self.step())?;
        number.parse().ok()
    }

    /// Takes the next token if it is this one.
    pub(crate) fn skip(&mut self, token: &str) -> bool {
        let is = self.peek(0) == token;
        self.at += usize::from(is);
        is
    }

    /// Takes the next token if it is one of these, which are separated by spaces.
    pub(crate) fn skip_any(&mut self, tokens: &str) -> bool {
        let is = super::fold::is_in(tokens, self.peek(0));
        self.at += usize::from(is);
        is
    }
}

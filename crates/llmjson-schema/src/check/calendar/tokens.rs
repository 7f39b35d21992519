//! Dates and times cut into numbers, words and signs.

use std::ops::RangeInclusive;

/// A part of a text in lower case. White space parts others and is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Token<'t> {
    Number(&'t str),
    Word(&'t str),
    Sign(char),
}

/// The parts of a text; nothing if it holds signs that no date has.
pub(super) fn tokens(text: &str) -> Option<Vec<Token<'_>>> {
    let mut tokens = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let run = |is: fn(char) -> bool| rest.find(|letter| !is(letter)).unwrap_or(rest.len());
        let length = if first.is_ascii_digit() {
            let length = run(|letter| letter.is_ascii_digit());
            tokens.push(Token::Number(&rest[..length]));
            length
        } else if first.is_alphabetic() {
            let length = run(char::is_alphabetic);
            tokens.push(Token::Word(&rest[..length]));
            length
        } else if matches!(first, '/' | '-' | '.' | ',' | ':' | '+' | '(' | ')') {
            tokens.push(Token::Sign(first));
            1
        } else if matches!(first, '−' | '–') {
            tokens.push(Token::Sign('-'));
            first.len_utf8()
        } else if first.is_whitespace() {
            first.len_utf8()
        } else {
            return None;
        };
        rest = &rest[length..];
    }
    Some(tokens)
}

/// A place among tokens.
pub(super) struct Cursor<'t> {
    tokens: &'t [Token<'t>],
}

impl<'t> Cursor<'t> {
    pub(super) fn new(tokens: &'t [Token<'t>]) -> Self {
        Self { tokens }
    }

    pub(super) fn peek(&self, ahead: usize) -> Option<Token<'t>> {
        self.tokens.get(ahead).copied()
    }

    pub(super) fn word(&self) -> Option<&'t str> {
        match self.peek(0) {
            Some(Token::Word(word)) => Some(word),
            _ => None,
        }
    }

    pub(super) fn number(&self) -> Option<&'t str> {
        match self.peek(0) {
            Some(Token::Number(number)) => Some(number),
            _ => None,
        }
    }

    pub(super) fn sign(&self, ahead: usize) -> Option<char> {
        match self.peek(ahead) {
            Some(Token::Sign(sign)) => Some(sign),
            _ => None,
        }
    }

    pub(super) fn is_at_end(&self) -> bool {
        self.tokens.is_empty()
    }

    pub(super) fn step(&mut self) {
        self.tokens = self.tokens.get(1..).unwrap_or_default();
    }

    /// Where it stands, to return to.
    pub(super) fn mark(&self) -> &'t [Token<'t>] {
        self.tokens
    }

    pub(super) fn return_to(&mut self, mark: &'t [Token<'t>]) {
        self.tokens = mark;
    }

    /// The next token if it is a number of so many digits.
    pub(super) fn take_number(&mut self, digits: RangeInclusive<usize>) -> Option<i64> {
        let number = self
            .number()
            .filter(|number| digits.contains(&number.len()))?;
        self.step();
        number.parse().ok()
    }

    pub(super) fn skip_word(&mut self, word: &str) -> bool {
        let is = self.word() == Some(word);
        if is {
            self.step();
        }
        is
    }

    pub(super) fn skip_sign(&mut self, sign: char) -> bool {
        let is = self.sign(0) == Some(sign);
        if is {
            self.step();
        }
        is
    }
}

//! Dates and times split into numbers, words and separators.

use std::ops::RangeInclusive;

use smallvec::SmallVec;

/// A part of a text in lower case. White space parts others and is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Token<'t> {
    Number(&'t str),
    Word(&'t str),
    Sign(char),
}

/// The tokens of a date, of which most have no more than these.
pub(super) type Tokens<'t> = SmallVec<[Token<'t>; 24]>;

/// The parts of a text; `None` if it has characters that no date has.
pub(super) fn tokens(text: &str) -> Option<Tokens<'_>> {
    let mut tokens = Tokens::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let run = |is: fn(&u8) -> bool| rest.bytes().take_while(is).count();
        let length = if first.is_ascii_digit() {
            let length = run(u8::is_ascii_digit);
            tokens.push(Token::Number(&rest[..length]));
            length
        } else if first.is_alphabetic() {
            let length = rest.find(|letter: char| !letter.is_alphabetic());
            let length = length.unwrap_or(rest.len());
            tokens.push(Token::Word(&rest[..length]));
            length
        } else if matches!(first, '/' | '-' | '.' | ',' | ':' | '+') {
            tokens.push(Token::Sign(first));
            1
        } else if matches!(first, '−' | '\u{2010}'..='\u{2015}') {
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

    /// Returns the place to come back to.
    pub(super) fn mark(&self) -> &'t [Token<'t>] {
        self.tokens
    }

    pub(super) fn return_to(&mut self, mark: &'t [Token<'t>]) {
        self.tokens = mark;
    }

    /// Takes the next token if it is a number whose count of digits is in the range.
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

//! Dates and times split into numbers, words and signs.

use std::ops::RangeInclusive;

use smallvec::SmallVec;

/// A place among the parts of a text in lower case: runs of digits, runs of letters, and signs.
/// White space parts others and is none.
#[derive(Clone)]
pub(super) struct Cursor<'t> {
    tokens: SmallVec<[&'t str; 24]>,
    at: usize,
}

/// The sort of a character; `None` if no date has it.
fn sort(letter: char) -> Option<char> {
    Some(match letter {
        '0'..='9' => '0',
        '/' | '-' | '.' | ',' | ':' | '+' | '(' | ')' => letter,
        _ if letter.is_alphabetic() => 'a',
        _ if letter.is_whitespace() => ' ',
        _ => return None,
    })
}

impl<'t> Cursor<'t> {
    pub(super) fn new(text: &'t str) -> Option<Self> {
        let (mut tokens, mut rest) = (SmallVec::new(), text);
        while let Some(first) = rest.chars().next() {
            let own = sort(first)?;
            let end = match own {
                '0' | 'a' => rest.find(|letter| sort(letter) != Some(own)),
                _ => Some(first.len_utf8()),
            };
            let (token, after) = rest.split_at(end.unwrap_or(rest.len()));
            if own != ' ' {
                tokens.push(token);
            }
            rest = after;
        }
        Some(Self { tokens, at: 0 })
    }

    /// A token from here; nothing after the last one.
    pub(super) fn peek(&self, ahead: usize) -> &'t str {
        self.tokens
            .get(self.at + ahead)
            .copied()
            .unwrap_or_default()
    }

    pub(super) fn is_number(&self, ahead: usize) -> bool {
        self.peek(ahead)
            .starts_with(|first: char| first.is_ascii_digit())
    }

    pub(super) fn is_at_end(&self) -> bool {
        self.at >= self.tokens.len()
    }

    pub(super) fn step(&mut self) {
        self.at += 1;
    }

    /// Takes the next token if it is a number whose count of digits is in the range.
    pub(super) fn take_number(&mut self, digits: RangeInclusive<usize>) -> Option<i64> {
        let number = self.peek(0);
        let is_one = self.is_number(0) && digits.contains(&number.len());
        is_one.then(|| self.step())?;
        number.parse().ok()
    }

    pub(super) fn skip(&mut self, token: &str) -> bool {
        let is = self.peek(0) == token;
        self.at += usize::from(is);
        is
    }
}

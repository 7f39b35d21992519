//! Evidence in the lines of a text, without which most sources need not search it.

use memchr::{memchr, memchr2};

use crate::parser::look::scalars::is_number;
use crate::reply::sources::wraps;
use crate::scan::lines;

/// Evidence in the lines of every text of a source.
#[derive(Clone, Copy, Debug)]
pub(super) enum Lines {
    /// No evidence.
    Any,
    /// A line that begins like none of JSON, or a special token.
    Words,
    /// Evidence of `Words`, or a line that holds a whole object.
    Events,
    /// A line that ends within a string or a word.
    Broken,
}

/// Evidence in the lines of a text.
#[derive(Default)]
pub(super) struct Glance {
    has_words: bool,
    has_objects: bool,
    is_broken: bool,
}

impl Glance {
    /// Looks at a text.
    pub(super) fn of(text: &str) -> Self {
        let bytes = text.as_bytes();
        let has = |one, other| memchr2(one, other, bytes).is_some();
        let mut glance = Self::default();
        // A value other than a scalar has a bracket or a quote.
        if !has(b'{', b'[') && !has(b'"', b'(') {
            return glance;
        }
        glance.has_words = may_have_tokens(bytes);
        // An escaped quote is one of its string.
        let mut may_break = memchr(b'\\', bytes).is_some();
        let is_one_line = memchr(b'\n', bytes).is_none();
        let mut was_word = false;
        for line in lines(text) {
            let line = line.as_bytes();
            let is_odd = || {
                let quotes = line.iter().map(|byte| u8::from(*byte == b'"'));
                quotes.fold(0, |odd, quote| odd ^ quote) > 0
            };
            may_break |= !is_one_line && (was_word && is_of_word(&line[0]) || is_odd());
            let line = line.trim_ascii_end();
            let is_blank = |byte: &&u8| matches!(byte, b' ' | b'\t');
            let inside = &line[line.iter().take_while(is_blank).count()..];
            was_word = inside.last().is_some_and(is_of_word);
            glance.has_objects |= inside.starts_with(b"{") && inside.ends_with(b"}");
            glance.has_words |= !begins_in_json(inside);
        }
        let may_break = may_break && has(b'{', b'[');
        glance.is_broken = may_break && wraps::breaks_within(text);
        glance
    }

    /// Returns `true` if a source may have a text of this one.
    pub(super) fn shows(&self, lines: Lines) -> bool {
        match lines {
            Lines::Any => true,
            Lines::Words => self.has_words,
            Lines::Events => self.has_words || self.has_objects,
            Lines::Broken => self.is_broken,
        }
    }
}

/// Returns `true` if a line begins with a token of JSON, or is empty.
fn begins_in_json(line: &[u8]) -> bool {
    match line.first() {
        None | Some(b'"' | b'{' | b'}' | b'[' | b']') => true,
        // `2. {` is an item of a list.
        Some(b'-' | b'0'..=b'9') => {
            let is_end = |byte: &u8| matches!(byte, b' ' | b',' | b']' | b'}');
            let number = line.split(is_end).next().unwrap_or_default();
            !number.ends_with(b".") && str::from_utf8(number).is_ok_and(is_number)
        }
        _ => false,
    }
}

fn is_of_word(byte: &u8) -> bool {
    byte.is_ascii_alphanumeric() || !byte.is_ascii()
}

/// Returns `true` if a text may contain special tokens: `<|user|>`, `[INST]`, `]~b]user`.
fn may_have_tokens(bytes: &[u8]) -> bool {
    let is_name = |byte: &u8| byte.is_ascii_alphabetic() || matches!(byte, b'/' | b'~');
    memchr(b'<', bytes).is_some()
        || memchr::memchr2_iter(b'[', b']', bytes).any(|at| bytes.get(at + 1).is_some_and(is_name))
}

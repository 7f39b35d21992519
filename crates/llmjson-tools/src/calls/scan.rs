//! The scanners of arguments between tags and of strings between marks; [`Brackets`] is the one of
//! JSON. A stream pauses where more text may change what a scanner sees, and stops at each possible
//! end. A reader of whole texts judges the same ends.
//!
//! [`Brackets`]: super::json::Brackets

use super::budget::Budget;
use super::ends::is_end;
use super::pieces::next_tag;
use super::tag::{PREFIX, Tag};

/// The words with which the names of tags begin that begin or end an argument.
const OWN: &[&str] = &["param", "arg", "function", "invoke", "call"];

/// The purpose of the text at a position.
pub(super) enum Next {
    /// Part of the argument, with its length in bytes.
    Text(usize),
    /// Unknown until more text arrives.
    Wait,
    /// A possible end of the argument.
    End,
}

/// The tags around an argument.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Tags {
    /// Their normalized names.
    pub(super) names: Vec<String>,
    /// `true` if any marker at the end of a call also ends the argument.
    pub(super) ends_with_call: bool,
}

impl Tags {
    /// Returns the next tag at which the argument may end.
    pub(super) fn find<'t>(
        &self,
        text: &'t str,
        mut at: usize,
        budget: &mut Budget,
    ) -> Option<Tag<'t>> {
        while let Some(tag) = next_tag(text, at, budget) {
            if self.may_end_at(&tag) {
                return Some(tag);
            }
            at = tag.end;
        }
        None
    }

    pub(super) fn next(&self, text: &str, at: usize) -> Next {
        let rest = &text[at..];
        match rest.as_bytes()[0] {
            b'<' => tag_at(text, at, |tag| self.may_end_at(tag)),
            // The first bracket of a closer may be lost.
            b'/' => begun(rest, "/parameter>"),
            b']' => begun(rest, PREFIX),
            _ => Next::Text(rest.find(['<', ']', '/']).unwrap_or(rest.len())),
        }
    }

    /// Returns `true` if a tag is one of those around the argument, or may be a damaged one.
    fn may_end_at(&self, tag: &Tag<'_>) -> bool {
        let name = tag.normalized();
        let is_own = |name: &String| {
            let is_like = |one: &String| {
                name.starts_with(&**one) || name.len() > 2 && one.starts_with(&**name)
            };
            OWN.iter().any(|word| name.starts_with(word))
                || name.ends_with("toolcall")
                || self.names.iter().any(is_like)
        };
        self.ends_with_call && is_end(&name) || is_own(&name) || is_own(&tag.local_name())
    }
}

/// A bracket, which may begin a tag at which an argument may end.
pub(super) fn tag_at(text: &str, at: usize, may_end: impl Fn(&Tag<'_>) -> bool) -> Next {
    // A tag is short.
    let budget = &mut Budget::new(u32::MAX, text.len(), 0);
    match Tag::read(text, at, budget) {
        Ok(tag) if may_end(&tag) => Next::End,
        Ok(tag) if tag.end == text.len() && !tag.raw.ends_with(['>', ']']) => Next::Wait,
        Err(miss) if miss.goes_on => Next::Wait,
        _ => Next::Text(1),
    }
}

/// A character that begins the end of an argument, if the others follow.
fn begun(rest: &str, end: &str) -> Next {
    match rest.starts_with(end) {
        true => Next::End,
        false if end.starts_with(rest) => Next::Wait,
        false => Next::Text(1),
    }
}

/// The mark on both sides of a string, which may have the escapes of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Marks {
    pub(super) mark: &'static str,
    pub(super) has_escapes: bool,
}

/// The strings of JSON.
pub(super) const QUOTES: Marks = Marks {
    mark: "\"",
    has_escapes: true,
};

/// A part of a string.
pub(super) enum Part {
    Text(usize),
    /// A backslash and the character that it escapes.
    Escape,
    /// The mark that closes the string.
    Mark,
}

impl Marks {
    /// Returns the part of the string at a position, or `None` if it is not known yet.
    pub(super) fn part(self, text: &str, at: usize) -> Option<Part> {
        let rest = text.get(at..).unwrap_or_default();
        let first = self.mark.as_bytes().first().copied().unwrap_or(b'"');
        if rest.starts_with(self.mark) {
            return Some(Part::Mark);
        }
        // At the end of the text, this includes an empty rest.
        if self.mark.starts_with(rest) || self.has_escapes && rest == "\\" {
            return None;
        }
        if self.has_escapes && rest.starts_with('\\') {
            return Some(Part::Escape);
        }
        let length = memchr::memchr2(b'\\', first, &rest.as_bytes()[1..]);
        Some(Part::Text(length.map_or(rest.len(), |length| 1 + length)))
    }

    /// Returns the position of the mark that closes the string which begins at a position.
    pub(super) fn end(self, text: &str, mut at: usize) -> Option<usize> {
        loop {
            at += match self.part(text, at)? {
                Part::Mark => return Some(at),
                Part::Escape => 1 + text[at + 1..].chars().next().map_or(0, char::len_utf8),
                Part::Text(length) => length,
            };
        }
    }
}

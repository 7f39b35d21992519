//! Fences, tags and special tokens in a reply.

use alloc::vec::Vec;
use core::ops::Range;

use crate::parser::reader::Reader;
use crate::parser::reply::Search;
use crate::scan::peek;

/// A special token's name has fewer bytes than this.
const SPECIAL_MAX: usize = 80;

impl Reader<'_> {
    /// Passes over a code fence and the language behind it.
    pub(in crate::parser) fn pass_fence(&mut self, found: &mut Search, at: usize) -> usize {
        let mark = self.bytes[at];
        let length = self.bytes[at..]
            .iter()
            .take_while(|&&byte| byte == mark)
            .count();
        found.fence = match found.fence {
            Some(_) => None,
            None => Some(at),
        };
        let language =
            |byte: &&u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'_');
        at + length
            + self.bytes[at + length..]
                .iter()
                .take_while(language)
                .count()
    }

    /// Passes over `<` and, where it begins a tag that matters, the tag.
    pub(in crate::parser) fn pass_tag(&mut self, found: &mut Search, at: usize) -> usize {
        let Some((closing, name, end)) = tag(self.text, at) else {
            return at + 1;
        };
        if is_reasoning(name) {
            if closing {
                if found.thinking.is_none() {
                    // The opening tag is not in the text: all before was reasoning.
                    for candidate in &mut found.candidates {
                        candidate.thought = true;
                    }
                }
                found.thinking = None;
            } else {
                found.thinking = found.thinking.or(Some(at));
            }
        }
        end
    }

    /// Where reasoning ends whose opening tag is not in the text: the first closing tag on a line of
    /// its own, if no opening one stands before it.
    pub(in crate::parser) fn unopened_reasoning(&self) -> Option<usize> {
        for at in memchr::memchr_iter(b'<', self.bytes) {
            let Some((closing, name, end)) = tag(self.text, at) else {
                continue;
            };
            if is_reasoning(name) {
                let line =
                    self.line_begins(at) && matches!(peek(self.bytes, end), 0 | b'\n' | b'\r');
                return (closing && line).then_some(at);
            }
        }
        None
    }

    /// Where the open block of reasoning around `at` ends, if it does.
    pub(in crate::parser) fn reasoning_end(&self, found: &mut Search, at: usize) -> Option<usize> {
        found.thinking?;
        if let Some(end) = found.thinking_end.filter(|&end| end > at) {
            return Some(end);
        }
        let mut from = at;
        while let Some(next) = memchr::memmem::find(&self.bytes[from..], b"</") {
            from += next;
            if tag(self.text, from).is_some_and(|(_, name, _)| is_reasoning(name)) {
                found.thinking_end = Some(from);
                return Some(from);
            }
            from += 2;
        }
        // It goes on to the end of the text; nobody needs to look for that again.
        found.thinking_end = Some(self.bytes.len());
        None
    }

    pub(in crate::parser) fn last_reasoning(&self) -> Option<usize> {
        last_reasoning(self.text)
    }
}

/// Where the last block of reasoning ends.
fn last_reasoning(text: &str) -> Option<usize> {
    let mut last = None;
    for at in memchr::memchr_iter(b'<', text.as_bytes()) {
        if let Some((true, name, end)) = tag(text, at)
            && is_reasoning(name)
        {
            last = Some(end);
        }
    }
    last
}

/// Where the reasoning ends with which a text begins: 0 if it begins with none.
pub(crate) fn leading_thoughts(text: &str) -> usize {
    let start = text.len() - text.trim_start().len();
    match tag(text, start) {
        Some((false, name, _)) if is_reasoning(name) => last_reasoning(text).unwrap_or(0),
        _ => 0,
    }
}

/// The tags of reasoning in a text, such as `<think>` and `</think>`, in their order: whether each
/// closes a block, and where it stands. What they enclose, and whether some stand in strings of a
/// value, is for the caller to see.
///
/// ```
/// let tags = llmjson_syntax::reasoning_tags("<b><think>Hm.</think> [1]");
/// assert_eq!(tags, [(false, 3..10), (true, 13..21)]);
/// ```
#[must_use]
pub fn reasoning_tags(text: &str) -> Vec<(bool, Range<usize>)> {
    let mut tags = Vec::new();
    for at in memchr::memchr_iter(b'<', text.as_bytes()) {
        if let Some((closing, name, end)) = tag(text, at)
            && is_reasoning(name)
        {
            tags.push((closing, at..end));
        }
    }
    tags
}

/// A tag or special token at `at`: whether it closes, its name, and where it ends.
pub(in crate::parser) fn tag(text: &str, at: usize) -> Option<(bool, &str, usize)> {
    let rest = text.get(at..)?.strip_prefix('<')?;
    if let Some(special) = rest.strip_prefix('|').or_else(|| rest.strip_prefix('｜')) {
        let window = &special.as_bytes()[..special.len().min(SPECIAL_MAX)];
        let end = memchr::memchr(b'>', window)?;
        return Some((
            false,
            &special[..end],
            at + (rest.len() - special.len()) + 1 + end + 1,
        ));
    }
    let (closing, rest) = match rest.strip_prefix('/') {
        Some(rest) => (true, rest),
        None => (false, rest),
    };
    let name_end =
        rest.find(|c: char| !c.is_ascii_alphanumeric() && !matches!(c, '_' | '-' | ':' | '.'))?;
    if name_end == 0 || !rest.as_bytes()[0].is_ascii_alphabetic() {
        return None;
    }
    let mut window = rest.len().min(200);
    while !rest.is_char_boundary(window) {
        window -= 1;
    }
    let end = rest[..window].find('>')?;
    if rest[..end].contains(['<', '{', '\n']) {
        return None;
    }
    Some((
        closing,
        &rest[..name_end],
        at + 1 + usize::from(closing) + end + 1,
    ))
}

/// The name of the tag or special token that ends just before `at`, white space aside.
pub(crate) fn tag_before(text: &str, at: usize) -> Option<&str> {
    let before = text.get(..at)?.trim_end();
    let mut from = before.len().saturating_sub(200);
    while !before.is_char_boundary(from) {
        from += 1;
    }
    let start = from + before[from..].rfind('<')?;
    let (closing, name, end) = tag(text, start)?;
    (end == before.len() && !closing && !is_reasoning(name)).then_some(name)
}

pub(in crate::parser) fn is_reasoning(name: &str) -> bool {
    [
        "think",
        "thinking",
        "thought",
        "thoughts",
        "reasoning",
        "reflection",
        "analysis",
        "scratchpad",
    ]
    .iter()
    .any(|known| name.eq_ignore_ascii_case(known))
}

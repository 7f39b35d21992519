//! Fences, tags and special tokens in a reply.

use crate::parser::look::Look;
use crate::parser::state::reader::Reader;
use crate::reply::found::ReplySearch;
use crate::scan::peek;
use crate::scan::tag::is_reasoning;

impl Reader<'_> {
    /// Passes over a code fence and the language behind it.
    pub(crate) fn pass_fence(&mut self, found: &mut ReplySearch, at: usize) -> usize {
        let mark = self.look.bytes[at];
        let length = self.look.bytes[at..]
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
            + self.look.bytes[at + length..]
                .iter()
                .take_while(language)
                .count()
    }

    /// Passes over `<` and, where it begins a tag that matters, the tag.
    pub(crate) fn pass_tag(&mut self, found: &mut ReplySearch, at: usize) -> usize {
        let Some((closing, name, end)) = self.look.tag_token_at(at) else {
            return at + 1;
        };
        if is_reasoning(name) {
            if closing {
                // `…{"a": 1}</think>{"a": 2}`: chat templates often put the opening tag into the prompt.
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
}

impl Look<'_> {
    /// Returns the offset at which reasoning ends whose opening tag is not in the text: behind the
    /// first closing tag on a line of its own, if no opening one stands before it.
    pub(crate) fn unopened_reasoning(&self) -> Option<usize> {
        for at in memchr::memchr_iter(b'<', self.bytes) {
            let Some((closing, name, end)) = self.tag_token_at(at) else {
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

    /// Returns the offset at which the open block of reasoning around `at` ends, if it does.
    pub(crate) fn reasoning_end(&self, found: &mut ReplySearch, at: usize) -> Option<usize> {
        found.thinking?;
        if let Some(end) = found.thinking_end.filter(|&end| end > at) {
            return Some(end);
        }
        let mut from = at;
        while let Some(next) = memchr::memmem::find(&self.bytes[from..], b"</") {
            from += next;
            if self
                .tag_token_at(from)
                .is_some_and(|(_, name, _)| is_reasoning(name))
            {
                found.thinking_end = Some(from);
                return Some(from);
            }
            from += 2;
        }
        // It goes on to the end of the text, which need not be looked for again.
        found.thinking_end = Some(self.bytes.len());
        None
    }

    pub(crate) fn last_reasoning(&self) -> Option<usize> {
        let mut last = None;
        for at in memchr::memchr_iter(b'<', self.bytes) {
            if let Some((true, name, end)) = self.tag_token_at(at)
                && is_reasoning(name)
            {
                last = Some(end);
            }
        }
        last
    }
}

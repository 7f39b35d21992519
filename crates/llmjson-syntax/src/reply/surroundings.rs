//! A record of everything in a reply that is not its value.

#[cfg(test)]
mod tests;

use alloc::vec::Vec;

use crate::base::repair::{Class, Repair, RepairKind};
use crate::base::span::Span;
use crate::parser::look::Look;
use crate::parser::state::reader::Reader;
use crate::scan::{find_near, mark_from};
use crate::zones::marks::Mark;

/// Maximum number of calls around a value that are looked for.
const CALLS_MAX: usize = 8;

/// The side of a value on which a text stands.
#[derive(Clone, Copy)]
enum Side {
    Before,
    Behind {
        /// Number of calls around the value that are open.
        calls: usize,
    },
}

impl Reader<'_> {
    /// Records what stands around the value, piece by piece, and how far it speaks against the value.
    pub(crate) fn record_around(&mut self, value: Span) {
        if self.nested {
            return;
        }
        let inside = self.tape.repairs.len();
        let mut repairs = self.tape.repairs.iter();
        let damaged = repairs.any(|repair| repair.kind != RepairKind::ChosenValue);
        let amid = damaged && self.look.amid_prose(value);
        let (begin, calls) = self.record_calls(value);
        self.record_text(0, begin, Side::Before);
        // What stands before the value comes before what was corrected in it.
        let before = self.tape.repairs.len() - inside;
        if before > 0 {
            self.tape.repairs.rotate_right(before);
        }
        if amid
            && let Some(last) = self.tape.repairs[..before].last_mut()
            && last.kind == RepairKind::SurroundingText
        {
            // What stands in a sentence and is no strict JSON may be no JSON at all.
            last.class = last.class.max(Class::Likely);
        }
        let end = value.end as usize;
        self.record_text(end, self.look.bytes.len(), Side::Behind { calls });
        self.doubt_outside(value, begin);
    }

    /// Records what stands around a value that was found by its brackets alone: whatever is no
    /// fence, tag or reasoning is text.
    pub(crate) fn record_apart(&mut self, value: Span) {
        for (start, end) in [
            (0, value.start as usize),
            (value.end as usize, self.look.bytes.len()),
        ] {
            let mut at = start.max(self.record_first_thought(start, end));
            while at < end {
                let k = self.look.skip_space(at).1;
                if k >= end {
                    break;
                }
                at = self.record_mark(k, end);
            }
        }
    }

    /// Records the reasoning with which the text begins and whose marks are no tags. Returns where it ends.
    fn record_first_thought(&mut self, start: usize, end: usize) -> usize {
        let thought = self.look.thought_of_first_line();
        let Some(thought) = thought.filter(|thought| start <= thought.start && thought.start < end)
        else {
            return 0;
        };
        let close = thought.end.min(end);
        self.repair(RepairKind::ReasoningBlock, thought.start, close);
        close
    }

    fn record_fence(&mut self, k: usize, end: usize) -> usize {
        let line = find_near(&self.look.bytes[..end], k, b'\n', b'\n').unwrap_or(end);
        self.repair(RepairKind::CodeFence, k, line);
        line
    }

    /// Records calls directly around the value: `callback({…})`. Returns where the first begins,
    /// and their number.
    fn record_calls(&mut self, value: Span) -> (usize, usize) {
        let behind = &self.look.bytes[value.end as usize..];
        let closers = behind.iter().filter(|byte| !byte.is_ascii_whitespace());
        let closed = closers.take_while(|&&byte| byte == b')').count();
        let name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '$');
        let (mut begin, mut calls) = (value.start as usize, 0);
        for _ in 0..closed.min(CALLS_MAX) {
            let before = self.look.text_before(begin);
            let Some(before) = before.strip_suffix('(').map(str::trim_end) else {
                break;
            };
            let start = before.trim_end_matches(name).len();
            if start == before.len() {
                break;
            }
            self.repair(RepairKind::Wrapper, start, begin);
            calls += 1;
            begin = start;
        }
        (begin, calls)
    }

    fn record_text(&mut self, start: usize, end: usize, side: Side) {
        let mut at = start;
        let first = self.tape.repairs.len();
        let (mut directly, mut calls) = match side {
            Side::Before => (false, 0),
            Side::Behind { calls } => (true, calls),
        };
        at = at.max(self.record_first_thought(start, end));
        let missing = |one: &Repair| one.kind == RepairKind::MissingCloser;
        let unclosed = self.tape.repairs.iter().any(missing);
        // Closers that were passed over on the way to the end of the value are recorded.
        let behind =
            |one: &&Repair| one.kind == RepairKind::ExtraCloser && one.span.start as usize >= start;
        let recorded = self.tape.repairs.iter().filter(behind);
        let mut recorded: Vec<u32> = recorded.map(|one| one.span.start).collect();
        recorded.sort_unstable();
        while at < end {
            let (byte, k) = self.look.skip_space(at);
            if k >= end {
                return;
            }
            if self.tape.repairs.len() >= self.limits.records as usize {
                self.counters.unrecorded = true;
                return;
            }
            if byte == b'#' {
                at = self.plain_text(k, end);
                continue;
            }
            if let Some(next) = self.skip_trivia(k) {
                at = next;
                continue;
            }
            at = match byte {
                // `{"a": 1}}`: closers right behind the value are part of its damage. Further on they are
                // text.
                b'}' | b']' | b')' if directly => {
                    if calls > 0 && byte == b')' {
                        calls -= 1;
                    } else if recorded.binary_search(&(k as u32)).is_err() {
                        let class = if unclosed {
                            Class::Guess
                        } else {
                            RepairKind::ExtraCloser.class()
                        };
                        self.repair_as(RepairKind::ExtraCloser, class, k, k + 1);
                    }
                    at = k + 1;
                    continue;
                }
                // `{"a": 1};`, as at the end of a statement.
                b',' | b';' if directly => {
                    self.repair(RepairKind::ExtraComma, k, k + 1);
                    k + 1
                }
                b'<' | b'[' if matches!(side, Side::Before) => {
                    let next = self.record_mark(k, end);
                    self.record_unopened(first, (k, next));
                    next
                }
                _ => self.record_mark(k, end),
            };
            directly = false;
        }
    }

    /// Records as one block what stands before a mark that ends reasoning whose beginning is not in the text. `first`
    /// is its first record.
    fn record_unopened(&mut self, first: usize, (tag, end): (usize, usize)) {
        if let Some(Mark::ThoughtEnd(_)) = self.look.mark_at(tag) {
            let start = self.look.skip_space(0).1;
            self.tape.repairs.truncate(first);
            self.repair(RepairKind::ReasoningBlock, start, end);
        }
    }

    /// Records the mark at `k`, with the block of reasoning that it begins, or the text there.
    fn record_mark(&mut self, k: usize, end: usize) -> usize {
        let next = match self.look.mark_at(k) {
            Some(Mark::Fence(_)) => return self.record_fence(k, end),
            Some(Mark::Tag(next) | Mark::ThoughtEnd(next)) => {
                // The value may stand inside the tag.
                let next = next.min(end);
                self.repair(RepairKind::TemplateToken, k, next);
                return next;
            }
            Some(Mark::Thought(next)) => next.min(end),
            Some(Mark::Comment(_)) | None => return self.plain_text(k, end),
        };
        let close = self.look.closing_reasoning(next);
        let close = close.map_or(end, |mark| mark.end.min(end));
        self.repair(RepairKind::ReasoningBlock, k, close);
        close
    }

    /// Records text up to the next fence, tag or comment.
    fn plain_text(&mut self, k: usize, end: usize) -> usize {
        let mut at = k + 1;
        while at < end {
            at = mark_from(&self.look.bytes[..end], at, |byte| {
                (byte == b'`') | (byte == b'<') | (byte == b'/') | (byte == b'[')
            });
            if at < end && self.look.mark_at(at).is_some() {
                break;
            }
            at = end.min(at + 1);
        }
        while !self.look.text.is_char_boundary(at) {
            at += 1;
        }
        let text = self.look.bytes[k..at].trim_ascii_end();
        let length = match text.last() {
            Some(b'!'..=b'~') => text.len(),
            // Perhaps white space that ASCII does not know.
            _ => self.look.text[k..at].trim_end().len(),
        };
        self.repair(RepairKind::SurroundingText, k, k + length);
        at
    }
}

impl Look<'_> {
    /// Returns whether words stand right before a value, on its line: in `as {"a": 1}`, not in `as: {"a": 1}`.
    fn amid_prose(&self, value: Span) -> bool {
        let start = value.start as usize;
        let before = self.text[..start].trim_end_matches([' ', '\t']);
        before.ends_with(char::is_alphanumeric) && !self.stands_apart(start)
    }
}

//! Records everything in a reply that is not its value.

use alloc::vec::Vec;

use crate::base::repair::{Class, Repair, RepairKind};
use crate::base::span::Span;
use crate::parser::look::Look;
use crate::parser::state::reader::Reader;
use crate::reply::found::ReplySearch;
use crate::scan::find_near;
use crate::tape::marks::{Mark, MarkKind, marks_from};

/// Maximum number of nested calls around a value that are searched for.
const CALLS_MAX: usize = 8;

/// The side of a value on which a text lies.
#[derive(Clone, Copy)]
enum Side {
    Before,
    Behind {
        /// Number of open calls around the value.
        calls: usize,
    },
}

impl Reader<'_> {
    /// Records the text around the value, piece by piece, with the doubt that it casts on the
    /// value.
    pub(crate) fn record_around(&mut self, value: Span) {
        let length = self.look.bytes.len();
        let inside = self.tape.repairs.len();
        let mut repairs = self.tape.repairs.iter();
        let damaged = repairs.any(|repair| repair.kind != RepairKind::ChosenValue);
        let amid = damaged && self.look.amid_prose(value);
        let (begin, calls) = self.record_calls(value);
        self.record_text(0, begin, Side::Before);
        // Records of the text before the value precede those of repairs in it.
        let before = self.tape.repairs.len() - inside;
        if before > 0 {
            self.tape.repairs.rotate_right(before);
        }
        if amid
            && let Some(last) = self.tape.repairs[..before].last_mut()
            && last.kind == RepairKind::SurroundingText
        {
            // Text in a sentence that is not strict JSON may not be JSON at all.
            last.class = last.class.max(Class::Likely);
        }
        let end = value.end as usize;
        self.record_text(end, length, Side::Behind { calls });
        self.doubt_outside(value, begin);
    }

    /// Records the text around a value that was found only by its brackets: anything other than a
    /// fence, tag or reasoning is text.
    pub(crate) fn record_apart(&mut self, value: Span) {
        let length = self.look.bytes.len();
        let sides = [(0, value.start as usize), (value.end as usize, length)];
        let mut found = ReplySearch::default();
        for (start, end) in sides {
            found.zones.go_behind(start);
            found.pass_marks(self.look, start, end);
            found.ask(self.look, |zones| zones.go_to(end));
        }
        self.readings.marks = found.zones.marks;
        for (start, end) in sides {
            let mut at = start;
            while at < end {
                let k = self.look.skip_space(at).1;
                if k >= end {
                    break;
                }
                at = self.record_mark(k, end);
            }
        }
    }

    /// Records calls directly around the value: `callback({…})`. Returns the offset of the first,
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
        let missing = |one: &Repair| one.kind == RepairKind::MissingCloser;
        let unclosed = self.tape.repairs.iter().any(missing);
        // Closers that were skipped on the way to the end of the value are recorded.
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
            let thought = self.passed_mark(k).filter(|mark| !mark.is_trivia());
            if thought.is_none()
                && let Some(next) = self.skip_trivia(k)
            {
                at = next;
                continue;
            }
            at = match byte {
                // `{"a": 1}}`: closers directly after the value are part of its damage. Further
                // away they are text.
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
                // `{"a": 1};`, the end of a statement.
                b',' | b';' if directly => {
                    self.repair(RepairKind::ExtraComma, k, k + 1);
                    k + 1
                }
                _ => {
                    let next = self.record_mark(k, end);
                    let ends = thought.is_some_and(|mark| mark.kind == MarkKind::ThoughtEnd);
                    // Reasoning whose beginning is missing is one block.
                    if ends && matches!(side, Side::Before) {
                        let start = self.look.skip_space(0).1;
                        self.tape.repairs.truncate(first);
                        self.repair(RepairKind::ReasoningBlock, start, next);
                    }
                    next
                }
            };
            directly = false;
        }
    }

    /// Returns the mark that begins at a place.
    fn passed_mark(&self, k: usize) -> Option<Mark> {
        let next = marks_from(&self.readings.marks, k).first();
        next.filter(|mark| mark.start == k).copied()
    }

    /// Records the mark at `k`, with the reasoning block that it begins, or the text there.
    fn record_mark(&mut self, k: usize, end: usize) -> usize {
        let mark = self.passed_mark(k);
        // The value may be inside the mark.
        let next = mark.map_or(k, |mark| mark.end.min(end));
        let (kind, next) = match mark.map(|mark| mark.kind) {
            Some(MarkKind::Fence | MarkKind::FenceEnd) => {
                let line = find_near(&self.look.bytes[..end], k, b'\n', b'\n');
                (RepairKind::CodeFence, line.unwrap_or(end))
            }
            Some(MarkKind::Tag | MarkKind::ThoughtEnd) => (RepairKind::TemplateToken, next),
            Some(MarkKind::Reasoning) => (RepairKind::ReasoningBlock, next),
            Some(MarkKind::Thought) => {
                let mut ends = marks_from(&self.readings.marks, next).iter();
                let close = ends.find(|mark| mark.kind == MarkKind::ThoughtEnd);
                let close = close.map_or(end, |mark| mark.end.min(end));
                (RepairKind::ReasoningBlock, close)
            }
            Some(MarkKind::Comment) | None => return self.plain_text(k, end),
        };
        self.repair(kind, k, next);
        next
    }

    /// Records the text up to the next mark.
    fn plain_text(&mut self, k: usize, end: usize) -> usize {
        let next = marks_from(&self.readings.marks, k + 1).first();
        let mut at = next.map_or(end, |mark| mark.start.min(end));
        while !self.look.text.is_char_boundary(at) {
            at += 1;
        }
        let text = self.look.bytes[k..at].trim_ascii_end();
        let length = match text.last() {
            Some(b'!'..=b'~') => text.len(),
            // Possibly non-ASCII white space.
            _ => self.look.text[k..at].trim_end().len(),
        };
        self.repair(RepairKind::SurroundingText, k, k + length);
        at
    }
}

impl Look<'_> {
    /// Returns `true` if words directly precede a value on its line: in `as {"a": 1}`, but not in
    /// `as: {"a": 1}`.
    fn amid_prose(&self, value: Span) -> bool {
        let start = value.start as usize;
        let before = self.text[..start].trim_end_matches([' ', '\t']);
        before.ends_with(char::is_alphanumeric) && !self.stands_apart(start)
    }
}

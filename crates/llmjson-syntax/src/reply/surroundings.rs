//! A record of everything in a reply that is not its value.

#[cfg(test)]
mod tests;

use crate::base::repair::{Class, Repair, RepairKind};
use crate::base::span::Span;
use crate::parser::look::quotes::quote_at;
use crate::parser::look::{LOOK_AHEAD, Look};
use crate::parser::state::reader::Reader;
use crate::scan::tag::is_reasoning;
use crate::scan::{find_near, peek};

/// Maximum number of calls around a value that are looked for.
const CALLS_MAX: usize = 8;

/// The side of a value on which a text stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Before,
    Behind,
}

impl Reader<'_> {
    /// Records what stands around the value, piece by piece.
    pub(crate) fn record_around(&mut self, value: Span) {
        if self.nested {
            return;
        }
        let inside = self.tape.repairs.len();
        let mut repairs = self.tape.repairs.iter();
        let damaged = repairs.any(|repair| repair.kind != RepairKind::ChosenValue);
        let amid = damaged && self.look.amid_prose(value);
        let begin = self.record_calls(value);
        let first = self.tape.repairs.len();
        self.record_text(0, begin, Side::Before);
        if self.look.part_before(begin)
            && let Some(last) = self.tape.repairs[first..].last_mut()
            && last.kind == RepairKind::SurroundingText
        {
            *last = Repair::new(RepairKind::StrayText, last.span);
        }
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
        let behind = self.tape.repairs.len();
        self.record_text(end, self.look.bytes.len(), Side::Behind);
        if self.look.part_behind(end) || self.look.string_goes_on(end) {
            let mut repairs = self.tape.repairs[behind..].iter_mut();
            let text = repairs.find(|repair| repair.kind == RepairKind::SurroundingText);
            if let Some(text) = text {
                *text = Repair::new(RepairKind::StrayText, text.span);
            }
        }
    }

    /// Casts doubt on the only value of a reply if text that was passed over holds names of
    /// members: perhaps the answer is there and could not be read. `inside` records are about the
    /// value.
    pub(crate) fn doubt_text(&mut self, inside: usize) {
        if self.tape.repairs.len() == inside {
            return;
        }
        let text = self.look.text;
        let root = self.tape.nodes.get(self.tape.root as usize);
        let small = root.is_some_and(|root| root.count <= 1);
        for repair in &mut self.tape.repairs {
            let passed = text.get(repair.span.range()).unwrap_or_default();
            let part = || holds_name(passed) || holds_half_name(passed, small);
            if repair.kind == RepairKind::SurroundingText && part() {
                *repair = Repair::new(RepairKind::StrayText, repair.span);
            }
        }
    }

    /// Records what stands around a value that was found by its brackets alone: whatever is no
    /// fence, tag or reasoning is text.
    pub(crate) fn record_apart(&mut self, value: Span) {
        for (start, end) in [
            (0, value.start as usize),
            (value.end as usize, self.look.bytes.len()),
        ] {
            let mut at = start;
            while at < end {
                let (byte, k) = self.look.skip_space(at);
                at = match byte {
                    _ if k >= end => break,
                    b'`' | b'~' if self.look.fence_at(k) => self.record_fence(k, end),
                    b'<' => self.record_tag(k, end),
                    _ => self.plain_text(k, end),
                };
            }
        }
    }

    fn record_fence(&mut self, k: usize, end: usize) -> usize {
        let line = find_near(&self.look.bytes[..end], k, b'\n', b'\n').unwrap_or(end);
        self.repair(RepairKind::CodeFence, k, line);
        line
    }

    /// Records calls directly around the value: `callback({…})`. Returns where the first begins.
    fn record_calls(&mut self, value: Span) -> usize {
        let behind = &self.look.bytes[value.end as usize..];
        let closers = behind.iter().filter(|byte| !byte.is_ascii_whitespace());
        let closed = closers.take_while(|&&byte| byte == b')').count();
        let name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '$');
        let mut begin = value.start as usize;
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
            self.counters.wrappers += 1;
            begin = start;
        }
        begin
    }

    fn record_text(&mut self, start: usize, end: usize, side: Side) {
        let mut at = start;
        let mut directly = side == Side::Behind;
        let missing = |one: &Repair| one.kind == RepairKind::MissingCloser;
        let unclosed = self.tape.repairs.iter().any(missing);
        // Closers that were passed over on the way to the end of the value are recorded.
        let extra = |one: &Repair| (one.kind == RepairKind::ExtraCloser).then_some(one.span.end);
        let recorded = self.tape.repairs.iter().filter_map(extra).max();
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
                b'`' | b'~' if self.look.fence_at(k) => self.record_fence(k, end),
                // `{"a": 1}}`: closers right behind the value are part of its damage. Further on they are
                // text.
                b'}' | b']' | b')' if directly => {
                    if self.counters.wrappers > 0 && byte == b')' {
                        self.counters.wrappers -= 1;
                    } else if recorded.is_none_or(|end| end as usize <= k) {
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
                b'<' => self.record_tag(k, end),
                _ => self.plain_text(k, end),
            };
            directly = false;
        }
    }

    fn record_tag(&mut self, k: usize, end: usize) -> usize {
        let Some((closing, name, next)) = self.look.tag_token_at(k) else {
            return self.plain_text(k, end);
        };
        // The value may stand inside the tag.
        let next = next.min(end);
        if !is_reasoning(name) || closing {
            self.repair(RepairKind::TemplateToken, k, next);
            return next;
        }
        let close = memchr::memmem::find(&self.look.bytes[next..end], b"</").map(|at| next + at);
        let close = close
            .and_then(|at| self.look.tag_token_at(at))
            .map_or(end, |(_, _, end)| end);
        self.repair(RepairKind::ReasoningBlock, k, close.min(end));
        close.min(end)
    }

    /// Records text up to the next fence, tag or comment.
    fn plain_text(&mut self, k: usize, end: usize) -> usize {
        let mut at = k + 1;
        while at < end {
            let rest = &self.look.bytes[at..end];
            at += memchr::memchr3(b'`', b'<', b'/', rest).unwrap_or(rest.len());
            match peek(self.look.bytes, at) {
                b'`' if self.look.fence_at(at) => break,
                b'<' if self.look.tag_token_at(at).is_some() => break,
                b'<' | b'/' if self.look.comment_apart(at).is_some() => break,
                _ => at = end.min(at + 1),
            }
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

    /// Returns whether what stands before a value looks like a part of a larger one, as `"a":` does: a name in quotes
    /// and its colon, a name and an arrow, a comma behind a bracket, the quote of a text that the value is part of.
    fn part_before(&self, begin: usize) -> bool {
        let before = self.text_before(begin);
        let opened = before.strip_suffix(['"', '\'']);
        if let Some(before) = opened.filter(|_| before.len() == begin) {
            return before.trim_end().ends_with([':', '=']);
        }
        let arrow = before.strip_suffix("=>").map(str::trim_end);
        let named = arrow
            .or_else(|| before.strip_suffix([':', '=']))
            .is_some_and(|name| {
                let name = name.trim_end().trim_end_matches(['*', '_']);
                let last = name.char_indices().next_back().map_or(0, |(at, _)| at);
                quote_at(name, last).is_some()
            });
        let listed = before
            .strip_suffix(',')
            .is_some_and(|text| text.trim_end().ends_with(['"', '}', ']']));
        let word = |name: &str| name.ends_with(|c: char| c.is_alphanumeric() || c == '_');
        named || listed || arrow.is_some_and(word)
    }

    /// Returns whether what stands behind a value looks like a part of a larger one, as `, "b": 2` does: a comma or
    /// closer and a string, bracket or name, or a name in quotes on its own.
    fn part_behind(&self, end: usize) -> bool {
        let (mut byte, mut k) = self.beyond_space(end);
        let begin = k;
        let mut comma = false;
        while matches!(byte, b',' | b'}' | b']' | b';') && k - begin < LOOK_AHEAD {
            comma |= byte == b',';
            (byte, k) = self.beyond_space(k + 1);
        }
        let quote = quote_at(self.text, k).is_some();
        if k == begin {
            return quote && self.key_ahead(k);
        }
        matches!(byte, b'{' | b'[') || quote || comma && self.name_ahead(k)
    }

    /// Returns whether the string right before the closers of the value that ends at `end` may go on behind them:
    /// `{"a": "b"}` does in `{"a": "b"} c"}`. A quote and the same closers stand there, or a quote that the string
    /// escapes opens a quotation which none of it closes, and more text follows on the line.
    fn string_goes_on(&self, end: usize) -> bool {
        let closer = |c: char| matches!(c, '}' | ']') || c.is_whitespace();
        let before = self.text[..end].trim_end_matches(closer);
        let Some(string) = before.strip_suffix('"') else {
            return false;
        };
        let closers = self.text[before.len()..end].split_whitespace();
        self.charge_search(end - before.len());
        let behind = &self.text[end..];
        let part = behind.split("```").next().unwrap_or_default().trim_end();
        let mut rest = part;
        let mut missing = true;
        for closers in closers.rev() {
            match rest.strip_suffix(closers) {
                Some(before) => rest = before.trim_end(),
                None => missing = false,
            }
        }
        self.charge_search(part.len());
        if missing && rest.ends_with('"') && !rest.contains(['{', '[']) {
            return true;
        }
        let line = behind.split('\n').next().unwrap_or_default().trim_start();
        let near = &string.as_bytes()[string.len().saturating_sub(LOOK_AHEAD)..];
        let escaped = |at: &usize| *at > 0 && near[at - 1] == b'\\';
        let quotes = memchr::memrchr_iter(b'"', near).take_while(escaped);
        // Behind a digit it is the sign for inches.
        let inches = |at: &usize| *at > 1 && near[at - 2].is_ascii_digit();
        let opens = quotes.filter(|at| !inches(at)).count() % 2 == 1;
        opens && line.starts_with(|c: char| c.is_alphanumeric() || c == '"')
    }
}

/// Returns whether a text holds the second half of a name in quotes with its colon, as `{}name": 1}` does behind the
/// value, or with `whole` the name as a whole anywhere: a small value may be a part of what it is a name of.
fn holds_half_name(text: &str, whole: bool) -> bool {
    let mut quotes = 0;
    let mut pieces = text.split('"').peekable();
    while let Some(piece) = pieces.next() {
        // A line break ends what a quote on its line has opened.
        quotes = 1 + if piece.contains('\n') { 0 } else { quotes };
        let inches = piece.ends_with(|c: char| c.is_ascii_digit());
        let named = pieces
            .peek()
            .is_some_and(|next| next.trim_start().starts_with(':'));
        if named && (quotes % 2 == 1 && !inches || whole) {
            return true;
        }
    }
    false
}

/// Returns whether a line of a text, or a bracket in it, begins with a name in quotes and the sign behind it, as
/// `{"a": 1` does, while `not "a": 1` does not.
fn holds_name(text: &str) -> bool {
    let signs = text.match_indices([':', '=']);
    signs.into_iter().any(|(sign, _)| {
        let name = text[..sign].trim_end();
        let close = name.char_indices().next_back().map_or(0, |(at, _)| at);
        if quote_at(name, close).is_none() {
            return false;
        }
        let from = name[..close].rfind(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '-')));
        from.is_some_and(|open| {
            let before = name[..open].trim_end_matches(['`', '*', ' ', '\t']);
            let begins = before.is_empty() || before.ends_with(['\n', '{', '[', ',']);
            quote_at(name, open).is_some() && begins
        })
    })
}

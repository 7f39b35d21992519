//! The marks of zones in the text around a reply's values: fences, comments, reasoning, tags and
//! special tokens.
//!
//! They are collected on the way to the next place where a value may begin, and kept in order, so
//! that later queries need no further access to the text.

use alloc::vec::Vec;
use core::ops::Range;

use crate::base::limits::Limits;
use crate::base::span::Span;
use crate::parser::look::Look;
use crate::scan::peek;
use crate::scan::tag::{closer_of, special_token, tag};
use crate::tape::marks::{Mark, MarkKind, marks_before};
use crate::zones::elements::is_result;
use crate::zones::pass::Pass;
use crate::zones::thought::{BEGIN_OF_THOUGHT, END_OF_THOUGHT, thought_tag};
use crate::zones::turns::{ANSWER_BYTES, is_answered};
use crate::zones::zone::{Asker, Fence, Place, ZoneKind, Zones};

/// The Harmony channel for reasoning, and the tokens that end it:
/// `<|channel|>analysis<|message|>Hm.<|end|>`.
const CHANNEL: &str = "<|channel|>";
pub(crate) const CHANNEL_OF_THOUGHTS: &str = "<|channel|>analysis<|message|>";
const CHANNEL_ENDS: [&str; 5] = [CHANNEL, "<|end|>", "<|start|>", "<|call|>", "<|return|>"];

/// The work budget of a reply.
pub(crate) struct Account<'r>(pub(crate) Look<'r>);

impl Asker for Account<'_> {
    fn charge(&mut self, steps: usize) {
        self.0.charge(steps);
    }

    fn is_used_up(&mut self) -> bool {
        self.0.work_is_used_up()
    }
}

impl Pass<'_, '_, Account<'_>> {
    /// Skips the mark at a place, which opens or closes a zone. Returns it, and `true` if it ends
    /// reasoning whose beginning is missing.
    pub(crate) fn mark(&mut self, at: usize) -> Option<(Mark, bool)> {
        let Place {
            thought, channel, ..
        } = self.zones.place;
        // Reasoning need not be code, and its end does not close a comment.
        let mut mark = self.asker.0.mark_at(at, channel, thought.is_none())?;
        // The lines of an incomplete text are examined once it is complete.
        if !self.is_open {
            self.go_to(at);
        }
        let place = &mut self.zones.place;
        let mut is_unopened = false;
        match mark.kind {
            MarkKind::Fence => match place.fence {
                Some((line, fence))
                    if let Some(end) = fence.closes_value(self.text, at, (line, place.value)) =>
                {
                    (mark.kind, mark.end) = (MarkKind::FenceEnd, end);
                    place.fence = None;
                }
                // Markers of another fence in it are text, since its content may have nested
                // fences. If its end is missing, or it was an end itself, another one may begin on
                // a line.
                Some((_, fence))
                    if fence.count_at(self.text, at).is_none() || !self.asker.0.line_begins(at) =>
                {
                    return None;
                }
                _ => {
                    // The end of a line is searched for once for all fences in it.
                    let (from, line) = place.line;
                    let bytes = self.text.as_bytes();
                    let is_end = line == bytes.len() || bytes.get(line) == Some(&b'\n');
                    if !is_end || !(from..line).contains(&at) {
                        let rest = &bytes[at..];
                        let length = memchr::memchr(b'\n', rest).unwrap_or(rest.len());
                        self.asker.0.charge_search(length);
                        place.line = (at, at + length);
                    }
                    let line = place.line.1;
                    place.fence = Fence::of_signs(&self.text[at..]).map(|fence| (line, fence));
                }
            },
            MarkKind::Thought | MarkKind::ThoughtEnd => is_unopened = place.think(mark, self.text),
            // `<tool_response>`: the model did not write its content.
            MarkKind::Tag if !self.is_open => {
                let tag = &self.text[mark.start..mark.end];
                let is_begun = !tag.starts_with("</") && is_result(tag);
                let closer = is_begun.then(|| closer_of(tag)).flatten();
                if let Some(end) = closer.and_then(|closer| self.find_closer(mark.end, closer)) {
                    self.set(mark.start, end, ZoneKind::Element);
                }
            }
            _ => {}
        }
        let place = &mut self.zones.place;
        place.until = place.until.max(mark.end);
        self.zones.marks.push(mark);
        Some((mark, is_unopened))
    }

    /// Returns `true` if a place is in reasoning.
    pub(crate) fn is_thought(&mut self, at: usize) -> bool {
        let zone = self.zone_at(at);
        self.zones.place.thought.is_some()
            || zone.is_some_and(|zone| zone.kind == ZoneKind::Thought)
    }

    /// Returns `true` if a place is in text of other speakers, or in text laid out in lines.
    pub(crate) fn is_shown(&mut self, at: usize) -> bool {
        use ZoneKind::{Data, Element, Log, Quotation, Turn};
        let zone = self.zone_at(at);
        zone.is_some_and(|zone| match zone.kind {
            Quotation | Log | Data => true,
            Turn => {
                let said = &self.text[zone.start..at];
                self.asker.charge(said.len().min(ANSWER_BYTES));
                !is_answered(said)
            }
            // `<tool_response>`
            Element => {
                let tag = self.text[zone.start..]
                    .split('>')
                    .next()
                    .unwrap_or_default();
                is_result(tag)
            }
            _ => false,
        })
    }

    /// Returns the end of the reasoning around a place, if it ends: 4 of `Hm. </think>` while it is
    /// open. The end is stored, so that the text is scanned once.
    pub(crate) fn end_of_thought(&mut self, at: usize) -> Option<usize> {
        let zone = self
            .zone_at(at)
            .filter(|zone| zone.kind == ZoneKind::Thought);
        if let Some(zone) = zone {
            return Some(zone.end);
        }
        let place = &mut self.zones.place;
        place.thought?;
        if let Some(end) = place.thought_end.filter(|&end| end > at) {
            return Some(end);
        }
        let mut next = at;
        let end = loop {
            match self.asker.0.thought_from(next, place.channel) {
                Some(mark) if mark.kind == MarkKind::Thought => next = mark.end,
                end => break end.map(|end| end.start),
            }
        };
        // Without a mark it continues to the end of the text.
        place.thought_end = end.or(Some(self.text.len()));
        end
    }

    /// Opens the reasoning with which the text begins if its opening tag is missing, as before the
    /// `</think>` of `Hm.\n</think>`: the closing tag is on a separate line, and no other mark of
    /// reasoning precedes it. Returns `true` if the text has a mark of reasoning.
    pub(crate) fn begin(&mut self) -> bool {
        let mark = self.asker.0.thought_from(0, false);
        let is_marked = mark.is_some();
        let mark = mark.filter(|mark| mark.kind == MarkKind::ThoughtEnd);
        if let Some(Mark { start, end, .. }) = mark
            && self.asker.0.line_begins(start)
            && matches!(peek(self.asker.0.bytes, end), 0 | b'\n' | b'\r')
        {
            let place = &mut self.zones.place;
            (place.thought, place.thought_end) = (Some(0), Some(start));
        // `Hm.◁/think▷`
        } else if let Some(end) = self.find(0, END_OF_THOUGHT)
            && !self.text[..end].contains(BEGIN_OF_THOUGHT)
        {
            self.set_thought(0, end);
        }
        is_marked
    }
}

impl Look<'_> {
    /// Returns the next mark of reasoning from a place on.
    fn thought_from(&self, mut at: usize, channel: bool) -> Option<Mark> {
        loop {
            let rest = &self.bytes[at..];
            let sign = memchr::memchr2(b'<', b'[', rest);
            self.charge_search(sign.unwrap_or(rest.len()));
            let mark = self.mark_at(at + sign?, channel, false);
            let thought =
                |mark: &Mark| matches!(mark.kind, MarkKind::Thought | MarkKind::ThoughtEnd);
            if mark.as_ref().is_some_and(thought) {
                return mark;
            }
            at += sign? + 1;
        }
    }

    /// Returns the mark at `at`, outside any value: a fence that ends at 7 of ````
    /// ```json ````, a tag that ends at 3 of `<b>`, but none for `< b`. In the reasoning `channel`
    /// its tokens end it.
    fn mark_at(&self, at: usize, channel: bool, comments: bool) -> Option<Mark> {
        let (kind, end) = match self.bytes[at] {
            b'`' | b'~' if self.fence_at(at) => (MarkKind::Fence, self.end_of_language(at)),
            b'/' if comments => (MarkKind::Comment, self.comment_apart(at)?),
            b'<' if comments && let Some(end) = self.comment_apart(at) => (MarkKind::Comment, end),
            b'<' => {
                let (closes, name, end) = self.tag_token_at(at)?;
                let raw = &self.text[at..end];
                match thought_tag(raw, name, closes) {
                    Some(true) => (MarkKind::ThoughtEnd, end),
                    Some(false) => (MarkKind::Thought, end),
                    None if self.text[at..].starts_with(CHANNEL_OF_THOUGHTS) => {
                        (MarkKind::Thought, at + CHANNEL_OF_THOUGHTS.len())
                    }
                    None if channel && CHANNEL_ENDS.contains(&raw) => (MarkKind::ThoughtEnd, end),
                    None => (MarkKind::Tag, end),
                }
            }
            b'[' => match self.thought_at(at) {
                Some((true, end)) => (MarkKind::ThoughtEnd, end),
                Some((false, end)) => (MarkKind::Thought, end),
                None => (MarkKind::Tag, special_token(self.text, at)?),
            },
            _ => return None,
        };
        Some(Mark {
            kind,
            start: at,
            end,
        })
    }

    /// Returns the end of the language after the fence at `at`: 7 for ```` ```json ````.
    fn end_of_language(&self, at: usize) -> usize {
        let rest = &self.bytes[at..];
        let signs = rest.iter().take_while(|&&byte| byte == rest[0]).count();
        let language =
            |byte: &&u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'_');
        at + signs + rest[signs..].iter().take_while(language).count()
    }

    /// Returns the end of the comment that begins at `at`, outside any value: 7 for `/* a */ 1`.
    /// Its content is not a value. A comment within a line follows a space or the last character of
    /// a value, unlike the slashes of `https://`.
    pub(crate) fn comment_apart(&self, at: usize) -> Option<usize> {
        let end = self.open_comment(at)?;
        let comment = &self.text[at..end];
        let closed =
            comment.starts_with("//") || comment.ends_with("*/") || comment.ends_with("-->");
        (closed || self.line_begins(at)).then_some(end)
    }

    /// Returns the end of an unclosed comment, which is the end of the text, wherever the comment
    /// begins: 3 for `/*a`.
    pub(crate) fn open_comment(&self, at: usize) -> Option<usize> {
        let sign = &self.bytes[at..];
        let html = sign.starts_with(b"<!--");
        let begins = html || sign.starts_with(b"//") || sign.starts_with(b"/*");
        if !begins || self.work_is_used_up() {
            return None;
        }
        let before = self.text[..at].chars().next_back();
        let apart = |c: char| c.is_whitespace() || "}]),;".contains(c);
        (html || before.is_none_or(apart))
            .then(|| self.trivia_at(at))?
            .map(|(_, end)| end)
    }
}

impl Place {
    /// Begins or ends reasoning. Returns `true` if its beginning is missing.
    fn think(&mut self, mark: Mark, text: &str) -> bool {
        if mark.kind == MarkKind::Thought {
            self.channel = self.thought.is_none() && text[mark.start..].starts_with(CHANNEL);
            self.thought = self.thought.or(Some(mark.start));
            return false;
        }
        self.channel = false;
        self.thought.take().is_none()
    }
}

/// Finds only the marks of reasoning, regardless of the rest of a text. `value_at` returns the end
/// of the value that contains a mark, if any: in a value it is text.
fn marks_of_thoughts(text: &str, mut value_at: impl FnMut(usize) -> Option<usize>) -> Vec<Mark> {
    let account = Limits::DEFAULT.account(text.len());
    let (look, mut zones) = (Look::new(text, &account), Zones::default());
    let mut asker = Account(look);
    let mut pass = Pass::new(&mut zones, text, &mut asker, false);
    let begin = text.len() - text.trim_start().len();
    let line = look.window(begin).lines().next();
    let is_marked = pass.thought_of_line(begin, line.unwrap_or_default()) || pass.begin();
    if let Some(start) = zones.place.thought {
        let (kind, end) = (MarkKind::Thought, start);
        zones.marks.push(Mark { kind, start, end });
    }
    let mut at = zones.marks.last().map_or(0, |mark| mark.end);
    while is_marked && let Some(mark) = look.thought_from(at, zones.place.channel) {
        if let Some(end) = value_at(mark.start).filter(|end| *end > mark.start) {
            at = end;
            continue;
        }
        at = mark.end;
        zones.place.think(mark, text);
        zones.marks.push(mark);
    }
    zones.marks
}

/// Returns the reasoning parts of a text, by their marks. A part without a beginning begins with
/// the text, and one without an end ends with it. `value_at` returns the end of the value that
/// contains a mark, if any: there the mark is plain text.
///
/// ```
/// use llmjson_syntax::internal::zones::thoughts;
///
/// let text = "<think>[1]?</think> {\"a\": \"<think>\"}";
/// assert_eq!(thoughts(text, |at| (at > 19).then_some(text.len())), [0..19]);
/// ```
pub fn thoughts(text: &str, value_at: impl FnMut(usize) -> Option<usize>) -> Vec<Range<usize>> {
    let (mut all, mut open) = (Vec::new(), None);
    for mark in marks_of_thoughts(text, value_at) {
        match mark.kind {
            MarkKind::Thought => open = open.or(Some(mark.start)),
            MarkKind::Reasoning => all.push(mark.start..mark.end),
            _ => {
                let start = open.take().unwrap_or_else(|| {
                    all.clear();
                    0
                });
                all.push(start..mark.end);
            }
        }
    }
    all.extend(open.map(|start| start..text.len()));
    all
}

/// Returns the end of the reasoning with which a text begins, or 0 if it begins with none: a lone
/// closing mark within a line is a mention. Marks in `value` are text.
pub(crate) fn leading_thoughts(text: &str, value: Span) -> usize {
    let value = value.range();
    let marks = marks_of_thoughts(text, |at| value.contains(&at).then_some(value.end));
    let begin = text.len() - text.trim_start().len();
    let is_leading = |first: &Mark| first.kind != MarkKind::ThoughtEnd && first.start <= begin;
    let last = marks.iter().rfind(|mark| mark.ends_thought());
    let last = last.filter(|_| marks.first().is_some_and(is_leading));
    last.map_or(0, |mark| mark.end)
}

/// Returns the name of the opening tag or special token that ends just before a place, ignoring
/// white space: `answer` at 9 of `<answer> 1`.
pub(crate) fn tag_before<'t>(marks: &[Mark], text: &'t str, place: usize) -> Option<&'t str> {
    let last = marks_before(marks, place).last()?;
    let is_near = || text[last.end..place].trim_start().is_empty();
    let (closes, name, _) = tag(text, last.start).filter(|_| last.kind == MarkKind::Tag)?;
    (!closes && last.end <= place && is_near()).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::Account;
    use crate::parser::look::ask;
    use crate::tape::marks::MarkKind;
    use crate::zones::pass::Pass;
    use crate::zones::zone::Zones;

    #[test]
    fn comments_stand_outside_of_values() {
        for (text, at, end) in [
            ("// a\n1", 0, Some(4)),
            ("/* a */ 1", 0, Some(7)),
            ("<!-- a --> 1", 0, Some(10)),
            ("{} // a", 3, Some(7)),
            ("[]/* a */", 2, Some(9)),
            ("as <!-- a -->", 3, Some(13)),
            ("/* a", 0, Some(4)),
            ("{} /* a", 3, None),
            ("as <!-- a", 3, None),
            ("https://a", 6, None),
            ("src/* a */", 3, None),
            ("*/* a */", 1, None),
            ("/a", 0, None),
            ("# a", 0, None),
            ("<a>", 0, None),
        ] {
            assert_eq!(ask(text, |look| look.comment_apart(at)), end, "{text:?}");
        }
        assert_eq!(ask("{} /* a", |look| look.open_comment(3)), Some(7));
        assert_eq!(ask("a/* a", |look| look.open_comment(1)), None);
    }

    /// Passes the marks of a text. Returns the kind and end of each.
    fn marks(text: &str) -> alloc::vec::Vec<(MarkKind, usize)> {
        let mut zones = Zones::default();
        ask(text, |look| {
            let mut account = Account(look);
            let mut pass = Pass::new(&mut zones, text, &mut account, false);
            let mut at = 0;
            while at < text.len() {
                at = pass.mark(at).map_or(at + 1, |(mark, _)| mark.end);
            }
        });
        let marks = zones.marks.iter();
        marks.map(|mark| (mark.kind, mark.end)).collect()
    }

    #[test]
    fn marks_are_passed_in_their_order() {
        use MarkKind::{Fence, FenceEnd, Reasoning, Tag, Thought, ThoughtEnd};
        for (text, expected) in [
            ("```json\n```", &[(Fence, 7), (FenceEnd, 11)][..]),
            ("````c++ x\n~~~\n```\n````", &[(Fence, 7), (FenceEnd, 22)]),
            (" ~~~a-b_c+\n```\n~~~~", &[(Fence, 10), (FenceEnd, 19)]),
            ("```x\na `` b\n```", &[(Fence, 4), (FenceEnd, 15)]),
            (
                "```\n```json\n```",
                &[(Fence, 3), (Fence, 11), (FenceEnd, 15)],
            ),
            ("a < b <b>[1]</b>", &[(Tag, 9), (Tag, 16)]),
            (
                "<think>[2]<THINK></think>",
                &[(Thought, 7), (Thought, 17), (ThoughtEnd, 25)],
            ),
            (
                "<|channel|>analysis<|message|>Hm<|end|><|start|>assistant<|channel|>final",
                &[(Thought, 30), (ThoughtEnd, 39), (Tag, 48), (Tag, 68)],
            ),
            ("◁think▷Hm◁/think▷<b>", &[(Reasoning, 25), (Tag, 28)]),
        ] {
            assert_eq!(marks(text), expected, "{text:?}");
        }
    }

    #[test]
    fn reasoning_ends_are_looked_for_once() {
        let mut zones = Zones::default();
        let end = |zones: &mut Zones, at| {
            let text = "[1] Hm. </think> [2]";
            ask(text, |look| {
                Pass::new(zones, text, &mut Account(look), false).end_of_thought(at)
            })
        };
        assert_eq!(end(&mut zones, 0), None);
        zones.place.thought = Some(0);
        assert_eq!(end(&mut zones, 0), Some(8));
        // What has been found counts up to there.
        zones.place.thought_end = Some(5);
        assert_eq!(end(&mut zones, 4), Some(5));
        assert_eq!(end(&mut zones, 5), Some(8));
        assert_eq!(end(&mut zones, 9), None);
        assert_eq!(zones.place.thought_end, Some(20));
    }
}

//! The pass over a text that finds its zones.

use alloc::borrow::ToOwned;
use alloc::string::String;

use memchr::{memchr, memchr2, memmem};

use crate::base::work::steps_of_search;
use crate::zones::fence::{count_of, is_underline};
use crate::zones::zone::{Asker, Fence, Holds, MarkAt, Zone, ZoneKind, Zones};

/// Maximum number of closers that are remembered as missing.
const MISSING_MAX: usize = 24;

/// The comments of markup languages, with their ends.
const COMMENTS: [(&str, &str); 2] = [("<!--", "-->"), ("<![CDATA[", "]]>")];

/// A pass over a text, which continues where the last one ended.
#[derive(Debug)]
pub struct Pass<'z, 't, A> {
    pub(crate) zones: &'z mut Zones,
    pub(crate) text: &'t str,
    pub(crate) asker: &'z mut A,
    /// `true` if more text may arrive.
    pub(crate) is_open: bool,
}

impl<'z, 't, A: Asker> Pass<'z, 't, A> {
    /// Creates a pass that continues from a known state.
    pub const fn new(zones: &'z mut Zones, text: &'t str, asker: &'z mut A, is_open: bool) -> Self {
        Self {
            zones,
            text,
            asker,
            is_open,
        }
    }

    /// Returns the zone that contains a position.
    pub fn zone_at(&mut self, start: usize) -> Option<Zone> {
        self.go_to(start);
        let last = self.zones.place.last;
        last.filter(|zone| zone.start <= start && start < zone.end)
    }

    /// Moves past a position: the text before it opens no zone.
    pub fn go_behind(&mut self, end: usize) {
        let place = &mut self.zones.place;
        place.until = place.until.max(end);
        place.last = place.last.filter(|zone| zone.end <= end);
    }

    /// Moves past a value: its content opens no zone.
    pub fn pass_value(&mut self, start: usize, end: usize) {
        self.asker.charge(steps_of_search(end - start));
        self.zones.place.until = self.zones.place.until.max(end);
    }

    /// Finds the markup comment or character data section that begins at a position: `<!-- … -->`
    /// and `<![CDATA[ … ]]>`.
    pub fn comment(&mut self, start: usize) -> bool {
        let rest = &self.text[start..];
        let mut begun = COMMENTS.iter().filter(|(begin, _)| rest.starts_with(begin));
        let Some((_, end)) = begun.next() else {
            return false;
        };
        if self.zone_at(start).is_some() {
            return false;
        }
        let close = self.find(start, end);
        if close.is_none() {
            self.wait_for(end);
        }
        let end = close.unwrap_or(self.text.len());
        self.set(start, end, ZoneKind::Comment);
        true
    }

    /// Returns the end of the next of these words.
    pub(crate) fn find(&mut self, from: usize, word: &str) -> Option<usize> {
        let rest = &self.text.as_bytes()[from..];
        // Most texts do not contain its first byte, and searching for a word needs preparation.
        let found = memchr(word.as_bytes()[0], rest)
            .and_then(|first| Some(first + memmem::find(&rest[first..], word.as_bytes())?));
        self.asker
            .charge(steps_of_search(found.unwrap_or(rest.len())));
        if found.is_none() {
            self.asker.reach_end();
        }
        found.map(|at| from + at + word.len())
    }

    /// Returns where the next such closer ends. A missing closer is searched for only once.
    pub fn find_closer(&mut self, from: usize, closer: String) -> Option<usize> {
        let missing = &self.zones.missing;
        self.asker.charge(1 + missing.len() / 4);
        if missing.len() >= MISSING_MAX || missing.contains(&closer) {
            self.asker.reach_end();
            return None;
        }
        let end = self.find(from, &closer);
        if end.is_none() {
            self.zones.missing.push(closer);
        }
        end
    }

    /// Says that nothing is known before a word has arrived.
    pub fn wait_for(&mut self, word: &str) {
        self.asker.reach_end();
        if self.is_open && self.zones.awaited.is_none() {
            self.zones.awaited = Some(word.to_owned());
        }
    }

    /// Marks a part of the text as a zone, and continues after it.
    pub fn set(&mut self, start: usize, end: usize, kind: ZoneKind) {
        let is_followed = self.is_followed(end);
        self.keep(start, end, kind, is_followed);
    }

    /// Takes a part of the text for a zone whose calls are not made, even at the end of the reply.
    pub fn set_aside(&mut self, start: usize, end: usize, kind: ZoneKind) {
        self.keep(start, end, kind, true);
    }

    /// Searches for it in the same way with a fence.
    fn set_fence(&mut self, start: usize, end: usize, holds: Holds) {
        let is_followed = holds != Holds::Calls && self.is_followed(end);
        self.keep(start, end, ZoneKind::Fence, is_followed);
        if let Some(zone) = &mut self.zones.place.last {
            zone.holds = holds;
        }
    }

    /// Records a turn of another speaker after which the model speaks: the whole text is a
    /// transcript.
    pub(crate) fn set_transcript(&mut self, start: usize) {
        self.keep(start, self.text.len(), ZoneKind::Turn, true);
    }

    const fn keep(&mut self, start: usize, end: usize, kind: ZoneKind, is_followed: bool) {
        self.zones.place.until = end;
        self.zones.place.last = Some(Zone {
            start,
            end,
            kind,
            holds: Holds::Shown,
            is_followed,
        });
    }

    /// Returns `true` if a zone is followed by more than tokens or further fences.
    fn is_followed(&mut self, end: usize) -> bool {
        if let Some((from, until, is_followed)) = self.zones.place.followed
            && (from..=until).contains(&end)
        {
            return is_followed;
        }
        let (until, is_followed) = self.look_behind(end);
        self.zones.place.followed = Some((end, until, is_followed));
        is_followed
    }

    /// Searches for the first text other than tokens and fences. Returns its offset, and `true` if
    /// there is any.
    fn look_behind(&mut self, end: usize) -> (usize, bool) {
        let mut at = end;
        loop {
            let rest = self.text[at..].trim_start();
            at = self.text.len() - rest.len();
            if rest.is_empty() {
                self.asker.reach_end();
                return (at, false);
            }
            if let Some(fence) = Fence::at(rest, self.asker.marks()) {
                match fence.end(self.text, at, self.asker) {
                    Some(end) => at = end,
                    None => {
                        self.asker.reach_end();
                        return (at, rest.trim_start_matches(fence.sign).contains('\n'));
                    }
                }
                continue;
            }
            let mark = self.asker.mark_at(self.text, at);
            if let MarkAt::Ends(end) = mark {
                at = end;
                continue;
            }
            // "``" may become a fence, and `<|im_e` a token.
            let is_cut = rest.trim_start_matches(['`', '~']).is_empty();
            if is_cut || mark == MarkAt::Begun {
                self.asker.reach_end();
            }
            return (at, true);
        }
    }

    /// Looks for zones up to a place, line by line.
    pub(crate) fn go_to(&mut self, start: usize) {
        let text = self.text;
        // A fence that a reply has opened is one zone.
        if self.zones.place.fence.is_some() {
            self.zones.place.until = self.zones.place.until.max(start);
        }
        let mut end = 0;
        while self.zones.place.until < start && !self.asker.is_used_up() {
            let from = self.zones.place.until;
            let is_begin = from == 0 || text.as_bytes()[from - 1] == b'\n';
            self.asker.charge(1);
            // A line is examined once, regardless of the number of places queried and of its spans.
            if is_begin || end < from {
                let line = match is_begin {
                    true => &text.as_bytes()[from..],
                    false => &text.as_bytes()[from..start],
                };
                let length = memchr(b'\n', line).unwrap_or(line.len());
                self.asker.charge(steps_of_search(length));
                end = from + length;
            }
            if is_begin && self.block(from, &text[from..end]) {
                continue;
            }
            if self.spans(from, end.min(start)) {
                continue;
            }
            self.zones.place.until = match end < start {
                true => end + 1,
                false => start,
            };
        }
    }

    /// A zone that begins with a line.
    fn block(&mut self, from: usize, line: &'t str) -> bool {
        let inner = line.trim_start_matches([' ', '\t', '>']);
        let inner = without_bullet(inner);
        let at = from + line.len() - inner.len();
        if let Some((end, kind)) = self.set_off(from, line, inner) {
            self.set(from, end, kind);
            return true;
        }
        if self.thought_of_line(from, line) {
            return true;
        }
        if let Some((end, kind)) = self.lines_of_others(from, line) {
            self.set(from, end, kind);
            return true;
        }
        let is_title = is_underline(&self.text[..from], line);
        if let Some(fence) = Fence::at(inner, self.asker.marks()).filter(|_| !is_title) {
            let end = fence.end(self.text, at, self.asker);
            match end {
                None if fence.holds == Holds::Calls => self.asker.may_go_on(),
                None => self.wait_for(if fence.sign == '~' { "~~~" } else { "```" }),
                Some(_) => {}
            }
            self.set_fence(at, end.unwrap_or(self.text.len()), fence.holds);
            return true;
        }
        self.speech(from, line, inner)
    }

    /// Returns the end of lines of one kind that begin at a place.
    pub(crate) fn lines(&mut self, from: usize, mut is_one: impl FnMut(&str) -> bool) -> usize {
        let mut end = from;
        let mut lines = self.text[from..].split_inclusive('\n').peekable();
        while let Some(line) = lines.next_if(|line| is_one(line)) {
            end += line.len();
        }
        self.asker.charge(end - from);
        if end == self.text.len() {
            self.asker.reach_end();
        }
        end
    }

    /// Inline code, between equally many backticks on both sides.
    fn spans(&mut self, from: usize, stop: usize) -> bool {
        let text = self.text;
        let Some(open) = memchr(b'`', &text.as_bytes()[from..stop]) else {
            return false;
        };
        let open = from + open;
        let ticks = count_of(&text[open..], '`');
        match self.end_of_span(open + ticks, ticks) {
            Ok(end) => self.set(open, end, ZoneKind::Code),
            // Text that has yet to arrive may close it.
            Err(true) if self.is_open => self.set(open, text.len(), ZoneKind::Code),
            Err(_) => self.zones.place.until = open + ticks,
        }
        true
    }

    /// Returns the end of code after `ticks` backticks: in its line, or in its paragraph if a call
    /// begins directly after them. The error is `true` if the end of the text was reached.
    fn end_of_span(&mut self, from: usize, ticks: usize) -> Result<usize, bool> {
        let rest = &self.text[from..];
        let begins = rest
            .trim_start()
            .starts_with(['<', '[', ']', '{', '>', '｜', '`']);
        let mut at = 0;
        while let Some(found) = memchr2(b'`', b'\n', &rest.as_bytes()[at..]) {
            self.asker.charge(steps_of_search(found));
            at += found;
            if rest.as_bytes()[at] == b'\n' {
                if !begins || rest[at + 1..].starts_with('\n') {
                    return Err(false);
                }
                at += 1;
                continue;
            }
            let count = count_of(&rest[at..], '`');
            at += count;
            if count == ticks {
                return Ok(from + at);
            }
        }
        self.asker.charge(steps_of_search(rest.len() - at));
        self.asker.reach_end();
        Err(true)
    }
}

/// Returns a line without its list marker.
pub(crate) fn without_bullet(line: &str) -> &str {
    let digits = line.trim_start_matches(|one: char| one.is_ascii_digit());
    let rest = match line.len() - digits.len() {
        0 => line.strip_prefix(['-', '*', '+']),
        _ => digits.strip_prefix(['.', ')']),
    };
    let rest = rest.filter(|rest| rest.starts_with(' '));
    rest.map_or(line, str::trim_start)
}

//! Calls that are quoted or drafted and must not run.

use llmjson_syntax::internal::zones::begins_turn;
use llmjson_syntax::internal::zones::context::{Use, is_in_sentence, of_call, shows_example};
use llmjson_syntax::steps_of_search;

use super::reasoning::may_end_thought;
use super::{CallSearch, NEAR, State};
use crate::calls::found::NotRunReason;

/// The role of a call in the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Standing {
    Made,
    /// Quoted at the end of the reply, where it may be intended nevertheless: a guess.
    Shown,
    /// Quoted, and listed as such.
    LeftOut,
}

/// Number of bytes before a quotation that are searched for words about it.
const LEAD_BYTES: usize = 120;

/// The number of bytes before and after a call that are read of its line.
const LINE_BYTES: usize = 200;

/// Returns a text without the tags and tokens that end it: `The page says <tool_call>`.
fn without_openers(mut text: &str) -> &str {
    loop {
        let tag = text.trim_end();
        let open = match tag.as_bytes().last() {
            Some(b'>') => tag.rfind('<'),
            Some(b']') => tag.rfind('['),
            _ => None,
        };
        match open {
            // The words of an element that has ended do not lead to a call: `<think>…</think>`.
            Some(open) if tag[open..].starts_with("</") => return "",
            Some(open) if !tag[open..].contains(['\n', '"']) => text = &tag[..open],
            _ => return text,
        }
    }
}

/// Returns a text without the closing tags and tokens that begin it.
fn without_closers(mut text: &str) -> &str {
    loop {
        let tag = text.trim_start();
        let is_token = tag.starts_with("<|") || tag.starts_with("<｜");
        let ends = |tag: &str| {
            ["end", "close", "|call|", "▁end"]
                .iter()
                .any(|word| tag.contains(word))
        };
        let is_closer = tag.starts_with("</")
            || tag.starts_with("[/")
            || is_token && tag.find('>').is_some_and(|close| ends(&tag[..close]));
        match tag.find(['>', ']']).filter(|_| is_closer) {
            Some(close) => text = &tag[close + 1..],
            None => return text,
        }
    }
}

impl<'t> CallSearch<'t, '_> {
    /// Skips the quotation that contains a position, if the reply continues after it.
    pub(super) fn is_left_out(&mut self, start: usize) -> bool {
        if self.is_inside {
            return false;
        }
        let (place, budget) = (self.state.zones.place, self.budget);
        let had_awaited = self.state.zones.awaited.is_some();
        let Some(zone) = self.zones().zone_at(start) else {
            return false;
        };
        // A fence may separate a marker from its call, which does not wait for the fence's end.
        let opener = self.opener_of(start);
        if opener.is_some_and(|(from, _)| from <= zone.start) {
            self.state.zones.place = place;
            self.state.zones.awaited = self.state.zones.awaited.take().filter(|_| had_awaited);
            self.budget.reached_end = budget.reached_end;
            self.budget.goes_on = budget.goes_on;
            return false;
        }
        if !zone.is_left_out() {
            return false;
        }
        let reason = zone.kind;
        // Log lines end where something else begins.
        self.is_decided = reason != NotRunReason::Log && !self.budget.reached_end;
        let end = self.look_inside(zone.start, zone.end, reason);
        self.state.at = self.state.at.max(end);
        self.state.opener = None;
        true
    }

    /// Determines the role of a call in the text. A call that is not made is skipped.
    pub(super) fn standing(&mut self, start: usize, end: usize) -> Standing {
        if self.is_inside {
            return Standing::Made;
        }
        if let Some((stop, reason)) = self.quotation(start, end) {
            self.zones().set(start, stop, reason);
        }
        let verdict = match self.zones().zone_at(start) {
            None => self.on_line(start, end),
            Some(_) => Use::Answer,
        };
        if verdict == Use::Aside {
            self.zones().set_aside(start, end, NotRunReason::Report);
        }
        let is_thought = self
            .state
            .zones
            .place
            .thought
            .is_some_and(|from| from <= start);
        let Some(zone) = self.zones().zone_at(start) else {
            return match is_thought || verdict == Use::Ambiguous {
                true => Standing::Shown,
                false => Standing::Made,
            };
        };
        if zone.is_left_out() || zone.is_shown() && self.is_introduced(zone.start) {
            let reason = zone.kind;
            let stop = self.look_inside(zone.start.min(start), zone.end.max(end), reason);
            self.state.at = self.state.at.max(stop);
            self.state.opener = None;
            return Standing::LeftOut;
        }
        let is_alone = || self.text[..zone.start].trim().is_empty();
        match is_thought || zone.is_shown() && !(zone.may_hold_data() && is_alone()) {
            true => Standing::Shown,
            false => Standing::Made,
        }
    }

    /// Returns the words before a call on its line, without tags and tokens.
    fn said_before(&mut self, start: usize) -> &'t str {
        let text = self.text;
        let near = text.floor_char_boundary(start.saturating_sub(LINE_BYTES));
        let last = self.state.calls.last().map_or(0, |last| last.span.1);
        let before = without_openers(&text[near.max(last.min(start))..start]);
        let before = before.rsplit('\n').next().unwrap_or_default();
        // `<|close|>response<|sep|>`: a token and its label.
        let said = before.rsplit("|>").next().unwrap_or_default();
        let is_label = said.len() < before.len() && !said.contains(char::is_whitespace);
        self.budget.charge(steps_of_search(start - near));
        let is_message = begins_turn(text, start) || text[start..].starts_with("<|channel|>");
        if is_label || is_message { "" } else { said }
    }

    /// Returns `true` if the text after a call may continue a sentence before it.
    pub(super) fn is_in_sentence(&mut self, start: usize) -> bool {
        is_in_sentence(self.said_before(start))
    }

    /// Judges a call by the words on its line.
    fn on_line(&mut self, start: usize, end: usize) -> Use {
        let text = self.text;
        let said = self.said_before(start);
        if !is_in_sentence(said) {
            return Use::Answer;
        }
        let far = text.ceil_char_boundary(text.len().min(end + LINE_BYTES));
        let rest = without_closers(&text[end..far]);
        let end = far - rest.len();
        let line = rest.find('\n').unwrap_or(rest.len());
        self.budget.charge(steps_of_search(line));
        self.budget.reached_end |= end + line == text.len();
        of_call(said, &rest[..line])
    }

    /// Returns `true` if the step at a place met a code fence or reasoning that does not end in the
    /// text: calls in it are not made.
    pub(super) fn is_open_quotation(&mut self, start: usize) -> bool {
        // Reasoning begins after its tag. Further marks may end it, and a fence in it.
        let from = self.state.pending.max(start);
        self.budget.charge(steps_of_search(self.text.len() - from));
        if may_end_thought(&self.text.as_bytes()[from..]) {
            return false;
        }
        if self.state.zones.place.thought.is_some() && from > start {
            return true;
        }
        let end = self.text.len();
        let Some(zone) = self.zones().zone_at(start).filter(|zone| zone.end == end) else {
            return false;
        };
        let is_alone = || self.text[..zone.start].trim().is_empty();
        zone.kind == NotRunReason::Fence && zone.is_shown() && !(zone.may_hold_data() && is_alone())
    }

    /// Lists the calls in a part of the text, none of which is made. Returns its end, or the end of
    /// the last call.
    pub(super) fn look_inside(&mut self, from: usize, stop: usize, reason: NotRunReason) -> usize {
        // A stream looks where it certainly ends.
        let is_near = self.is_open && !self.is_decided && self.text.len() - stop < NEAR;
        if self.is_inside || self.is_trial || is_near || self.is_open && self.budget.reached_end {
            // A call that begins in it may end after it.
            self.is_doubtful |= self.is_open && reason == NotRunReason::Log;
            return stop;
        }
        let (text, is_part) = (self.text, !self.text[..stop].ends_with('\n'));
        let part = if is_part { &text[..stop] } else { text };
        let zones = self.state.zones.mark();
        let state = State {
            at: from,
            pending: from,
            zones: std::mem::take(&mut self.state.zones),
            ..State::default()
        };
        let mut inner = Self {
            is_inside: true,
            is_continued: self.is_continued,
            length: self.length,
            words: self.words,
            ..Self::new(part, self.schemas, self.budget, state)
        };
        if !is_part {
            inner.firsts = self.firsts;
        }
        inner.budget.begin_quotation(stop - from);
        while let Some(start) = inner.next() {
            // A call may continue on the next lines, after its marker.
            let opener = inner.state.opener.as_ref().map(|(_, end)| *end);
            let read = inner.state.calls.last().map_or(0, |last| last.span.1);
            let is_next = |end| end > read && start <= end + NEAR;
            let is_next = |end| is_next(end) && !text[end..start].contains("\n\n");
            let is_beyond = start >= stop && !opener.is_some_and(is_next);
            if is_beyond || inner.budget.is_used_up() {
                break;
            }
            inner.step(start);
            inner.state.at = inner.state.at.max(start + 1);
        }
        if !is_part {
            self.firsts = inner.firsts;
        }
        self.is_continued = inner.is_continued;
        self.budget = inner.budget.restored(self.budget);
        self.state.zones = inner.state.zones;
        self.state.zones.put_back(zones);
        let calls = inner.state.calls;
        let end = calls.last().map_or(stop, |last| last.span.1.max(stop));
        let calls = calls.into_iter().map(|draft| draft.left_out(text, reason));
        self.state.not_run.extend(inner.state.not_run);
        self.state.not_run.extend(calls);
        end
    }

    /// Returns `true` if words introduce a quotation as an example.
    fn is_introduced(&mut self, start: usize) -> bool {
        let from = self
            .text
            .floor_char_boundary(start.saturating_sub(LEAD_BYTES));
        let from = self
            .text
            .floor_char_boundary(from.max(self.state.pending.min(start)));
        let lead = self.text[from..start].trim_end();
        self.budget.charge(steps_of_search(lead.len()));
        shows_example(lead)
    }
}

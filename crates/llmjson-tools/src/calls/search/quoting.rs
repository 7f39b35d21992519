//! Zones of the text for calls: the marks used by model families, and the effect of a zone on a
//! call.

use llmjson_syntax::internal::zones::{
    Asker, Element, MarkAt, Marks, Pass, closing_run, last_own_fence, opening_line, own_fence,
};

use super::CallSearch;
use crate::calls::Budget;
use crate::calls::family::Family;
use crate::calls::is_noise;
use crate::calls::tag::{Tag, normalized};

/// The marks of all families.
pub(super) const MARKS: &Marks = &Marks {
    own_fences: &[
        "tool_code",
        "tool_call",
        "tool_calls",
        "tool",
        "function_call",
    ],
};

impl Asker for Budget {
    fn charge(&mut self, steps: usize) {
        self.charge(steps);
    }

    fn is_used_up(&mut self) -> bool {
        self.is_used_up()
    }

    fn reach_end(&mut self) {
        self.reached_end = true;
    }

    fn may_go_on(&mut self) {
        self.goes_on = true;
    }

    fn marks(&self) -> &'static Marks {
        MARKS
    }

    fn mark_at(&mut self, text: &str, at: usize) -> MarkAt {
        match Tag::read(text, at, self) {
            Ok(tag) if is_noise(&tag.normalized()) || tag.is_closing => MarkAt::Ends(tag.end),
            Err(miss) if miss.goes_on => MarkAt::Begun,
            _ => MarkAt::Content,
        }
    }

    fn begins_calls(&self, name: &str) -> bool {
        Family::opens(&normalized(name), None)
    }
}

impl<'t> Tag<'t> {
    /// Returns the zones' information about a tag.
    pub(super) fn outline(&self) -> Element<'t> {
        Element {
            start: self.start,
            raw: self.raw,
            name: self.name,
            is_closing: self.is_closing,
            is_empty: self.is_empty(),
        }
    }
}

impl<'t> CallSearch<'t, '_> {
    /// Returns the pass over the text that finds its zones.
    pub(super) const fn zones(&mut self) -> Pass<'_, 't, Budget> {
        Pass::new(
            &mut self.state.zones,
            self.text,
            &mut self.budget,
            self.is_open,
        )
    }

    /// An element that may contain text of other speakers.
    pub(super) fn element(&mut self, tag: &Tag<'t>) {
        if !self.is_inside {
            self.zones().zone_of_element(tag.outline());
        }
    }

    /// Returns the end of the fence whose whole text is a call.
    pub(super) fn behind_fence(&self, start: usize, end: usize) -> usize {
        let Some(words) = own_fence(&self.text[start..], MARKS) else {
            return end;
        };
        if self.text[(start + words).min(end)..end].ends_with("```") {
            return end;
        }
        let rest = self.text[end..].trim_start_matches([')', ' ', '\n', '\r']);
        let closer = closing_run(rest);
        closer.map_or(end, |length| self.text.len() - rest.len() + length)
    }
}

/// Returns the offset of the last code fence in a text, if calls are or will be written in it.
#[doc(hidden)]
#[must_use]
pub fn begun_fence(text: &str) -> Option<usize> {
    last_own_fence(text, MARKS)
}

/// Returns `true` if the words between a marker and its call are the opening line of a code fence.
pub(super) fn is_fence_line(between: &str) -> bool {
    let between = between.trim();
    opening_line(between) == Some(between.len())
}

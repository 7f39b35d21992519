//! Reasoning between tags, in which calls are drafts.

use llmjson_syntax::internal::zones::{END_OF_THOUGHT, closer_of_thought, thought_tag};
use llmjson_syntax::steps_of_search;

use super::CallSearch;
use crate::calls::Budget;
use crate::calls::found::NotRunReason;
use crate::calls::tag::Tag;

impl<'t> CallSearch<'t, '_> {
    /// The end of reasoning.
    pub(super) fn end_of_reasoning(&mut self, tag: Tag<'t>) {
        self.state.opener = None;
        if self.is_inside {
            return;
        }
        if self.is_trial || self.is_open && self.budget.reached_end {
            // Not restored: the draft calls are known once it is no longer tentative.
            self.budget.reached_end = true;
            let may_be_drafts =
                self.state.reasoning.is_empty() || self.state.zones.place.thought.is_some();
            self.is_doubtful |= may_be_drafts && !self.state.calls.is_empty();
            return;
        }
        self.is_decided = true;
        self.keep_until(tag.start);
        self.pass_thought(tag.end);
        let begin = self.state.zones.place.thought.take();
        // Text before the end of unopened reasoning is also reasoning.
        let from = match self.state.reasoning.is_empty() {
            true => Some(0),
            false => begin,
        };
        if let Some(from) = from {
            let text = self.text;
            let drafts = self
                .state
                .calls
                .extract_if(.., |draft| draft.span.0 >= from);
            let drafts = drafts.map(|draft| draft.left_out(text, NotRunReason::Thought));
            self.state.not_run.extend(drafts);
        }
        if self.state.reasoning.is_empty() {
            self.state.reasoning = std::mem::take(&mut self.state.content);
        }
    }

    /// The beginning of reasoning. Calls in it are drafts.
    pub(super) fn reasoning(&mut self, tag: Tag<'t>, name: &str) {
        self.state.opener = None;
        if self.is_inside {
            return;
        }
        self.keep_until(tag.start);
        // `<|channel>thought` and a line feed.
        let is_channel =
            matches!(name, "channel" | "unused94") && self.text[tag.end..].starts_with("thought\n");
        let lead = if is_channel { "thought\n".len() } else { 0 };
        let closer = closer_of_thought(tag.raw, name);
        let length = closer.len();
        match self.zones().find_closer(tag.end, closer.clone()) {
            Some(end) => {
                let end = self.end_of_nested(&tag, end, &closer);
                self.is_decided = !self.budget.reached_end;
                self.thought(tag.end + lead, end - length, end);
            }
            None => {
                // `the <think> tag`: a mention.
                let before = &self.text[..tag.start];
                let word = before.strip_suffix(' ').unwrap_or_default();
                if !word.ends_with(char::is_alphanumeric) {
                    self.state.zones.place.thought =
                        self.state.zones.place.thought.or(Some(tag.start));
                    self.state.pending = tag.end;
                }
                // As long as its end may arrive, it does not count.
                self.is_doubtful |= self.is_open;
                self.zones().wait_for(&closer);
            }
        }
    }

    /// Returns the end of reasoning that contains further openers: the last closer, as far as no opener precedes it.
    fn end_of_nested(&mut self, tag: &Tag<'t>, end: usize, closer: &str) -> usize {
        let text = self.text;
        let mut end = end;
        self.budget.charge(steps_of_search(end - tag.end));
        let mut nested = text[tag.end..end].matches(tag.raw).count();
        while nested > 0
            && let Some(next) = self.zones().find_closer(end, closer.to_owned())
            && !text[end..next].contains(tag.raw)
        {
            (end, nested) = (next, nested - 1);
        }
        end
    }

    /// Marks a part of the text as reasoning, and continues after it.
    pub(super) fn thought(&mut self, from: usize, stop: usize, behind: usize) {
        self.state
            .reasoning
            .push_str(&self.text[from.min(stop)..stop]);
        self.look_inside(from.min(stop), stop, NotRunReason::Thought);
        self.pass_thought(behind);
    }

    /// Continues after reasoning: its content opens no quotation.
    fn pass_thought(&mut self, end: usize) {
        self.state.at = end;
        self.state.pending = end;
        self.zones().go_behind(end);
    }
}

/// Maximum number of bytes by which [`may_end_thought`] recognizes a mark.
pub(in crate::calls) const END_BYTES_MAX: usize = 8;

/// Returns `true` if a text has a mark that may end reasoning of any family, or begin another turn.
pub(in crate::calls) fn may_end_thought(text: &[u8]) -> bool {
    const ENDS: &[&str] = &[
        "</", "<|", "<｜", "[/", "<close", "<end", "<start_", "<stop", "<unused",
    ];
    let mut at = 0;
    while let Some(found) = memchr::memchr3(b'<', b'[', b'|', &text[at..]) {
        at += found;
        let rest = &text[at..];
        if rest.starts_with(b"|>") || ENDS.iter().any(|end| rest.starts_with(end.as_bytes())) {
            return true;
        }
        at += 1;
    }
    memchr::memmem::find(text, &END_OF_THOUGHT.as_bytes()[..3]).is_some()
}

/// Returns `true` if a marker begins reasoning.
pub(in crate::calls) fn is_thought(marker: &str) -> bool {
    let mut budget = Budget::new(u32::MAX, marker.len(), 0);
    let tag = Tag::look(marker, 0, &mut budget);
    tag.is_some_and(|tag| end_or_beginning(&tag) == Some(false))
}

/// Returns `Some(true)` if a tag ends reasoning, and `Some(false)` if it begins it.
pub(super) fn end_or_beginning(tag: &Tag<'_>) -> Option<bool> {
    thought_tag(tag.raw, tag.name, tag.is_closing)
}

//! Reasoning between tags, in which calls are drafts.

use llmjson_syntax::steps_of_search;

use super::CallSearch;
use crate::calls::tag::Tag;

impl<'t> CallSearch<'t, '_> {
    /// The end of reasoning.
    pub(super) fn end_of_reasoning(&mut self, tag: Tag<'t>) {
        self.opener = None;
        if self.is_trial || self.is_open && self.budget.reached_end {
            // Not to be put back. Which calls are drafts is known when it is not tried any more.
            self.budget.reached_end = true;
            self.is_doubtful |= self.reasoning.is_empty() && !self.calls.is_empty();
            return;
        }
        self.is_decided = true;
        self.keep_until(tag.start);
        self.pending = tag.end;
        // What stands before the end of reasoning that has no beginning is reasoning too.
        if self.reasoning.is_empty() {
            self.calls.clear();
            self.reasoning = std::mem::take(&mut self.content);
        }
    }

    /// The beginning of reasoning. Calls in it are drafts.
    pub(super) fn reasoning(&mut self, tag: Tag<'t>, name: &str) {
        self.opener = None;
        self.keep_until(tag.start);
        let closer = closer_of(tag.raw, name);
        let rest = &self.text[tag.end..];
        // `<|channel>thought` and a line feed.
        let is_channel = name == "channel" && rest.starts_with("thought\n");
        let lead = if is_channel { "thought\n".len() } else { 0 };
        let end = match self.unclosed.contains(&closer) {
            true => None,
            false => memchr::memmem::find(rest.as_bytes(), closer.as_bytes()),
        };
        let looked = end.unwrap_or(rest.len());
        self.budget.charge(steps_of_search(looked));
        match end {
            Some(end) => {
                self.reasoning.push_str(&rest[lead..end]);
                self.at = tag.end + end + closer.len();
                self.pending = self.at;
                self.is_decided = true;
            }
            None => {
                self.budget.wait_for(closer);
                self.unclosed.push(closer);
                self.pending = tag.end;
            }
        }
    }
}

/// Returns `Some(true)` if a tag ends reasoning, and `Some(false)` if it begins it.
pub(super) fn end_or_beginning(tag: &Tag<'_>, name: &str) -> Option<bool> {
    match name {
        "think" | "thinking" | "thought" | "reasoning" | "seedthink" | "longcatthink" => {
            Some(tag.is_closing)
        }
        "startthinking" | "innerprefix" | "openthink" => Some(false),
        "closethink" | "endthinking" | "beginfinalresponse" | "innersuffix" => Some(true),
        // Gemma: `<|channel>thought … <channel|>`.
        "channel" if tag.raw == "<channel|>" => Some(true),
        "channel" if tag.raw == "<|channel>" => Some(false),
        _ => None,
    }
}

pub(super) fn closer_of(raw: &str, name: &str) -> &'static str {
    match name {
        "think" if raw.starts_with('[') => "[/THINK]",
        "think" => "</think>",
        "thinking" => "</thinking>",
        "thought" => "</thought>",
        "reasoning" => "</reasoning>",
        "seedthink" => "</seed:think>",
        "longcatthink" => "</longcat_think>",
        "innerprefix" => "<|inner_suffix|>",
        "openthink" => "<|close|>think<|sep|>",
        "startthinking" => "<|END_THINKING|>",
        _ => "<channel|>",
    }
}

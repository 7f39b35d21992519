//! Reasoning between tags, in which calls are drafts.

use llmjson_syntax::thought_tag;

use super::CallSearch;
use super::quoting_tags::closer_of;
use crate::calls::Budget;
use crate::calls::found::NotRunReason;
use crate::calls::tag::Tag;

impl<'t> CallSearch<'t, '_> {
    /// The end of reasoning.
    pub(super) fn end_of_reasoning(&mut self, tag: Tag<'t>) {
        self.opener = None;
        if self.is_inside {
            return;
        }
        if self.is_trial || self.is_open && self.budget.reached_end {
            // Not to be put back. Which calls are drafts is known when it is not tried any more.
            self.budget.reached_end = true;
            let may_be_drafts = self.reasoning.is_empty() || self.thought.is_some();
            self.is_doubtful |= may_be_drafts && !self.calls.is_empty();
            return;
        }
        self.is_decided = true;
        self.keep_until(tag.start);
        self.pass_thought(tag.end);
        let begin = self.thought.take();
        // What stands before the end of reasoning that has no beginning is reasoning too.
        let from = match self.reasoning.is_empty() {
            true => Some(0),
            false => begin,
        };
        if let Some(from) = from {
            let text = self.text;
            let drafts = self.calls.extract_if(.., |draft| draft.span.0 >= from);
            let drafts = drafts.map(|draft| draft.left_out(text, NotRunReason::Thought));
            self.not_run.extend(drafts);
        }
        if self.reasoning.is_empty() {
            self.reasoning = std::mem::take(&mut self.content);
        }
    }

    /// The beginning of reasoning. Calls in it are drafts.
    pub(super) fn reasoning(&mut self, tag: Tag<'t>, name: &str) {
        self.opener = None;
        if self.is_inside {
            return;
        }
        self.keep_until(tag.start);
        // `<|channel>thought` and a line feed.
        let is_channel =
            matches!(name, "channel" | "unused94") && self.text[tag.end..].starts_with("thought\n");
        let lead = if is_channel { "thought\n".len() } else { 0 };
        let closer = end_of(tag.raw, name);
        let length = closer.len();
        match self.find_closer(tag.end, closer.clone()) {
            Some(end) => {
                self.is_decided = !self.budget.reached_end;
                self.thought(tag.end + lead, end - length, end);
            }
            None => {
                // `the <think> tag`: a word about it.
                let before = &self.text[..tag.start];
                let word = before.strip_suffix(' ').unwrap_or_default();
                if !word.ends_with(char::is_alphanumeric) {
                    self.thought = self.thought.or(Some(tag.start));
                    self.pending = tag.end;
                }
                // As long as its end may come, it is none.
                self.is_doubtful |= self.is_open;
                self.wait_for(&closer);
            }
        }
    }

    /// A line with which reasoning begins whose marks are no tags: `◁think▷` and `◁/think▷`, or `analysis` and
    /// `assistantfinal`, which Harmony leaves where its tokens are lost.
    pub(super) fn thought_of_line(&mut self, from: usize, line: &str) -> bool {
        let (end, is_sure) = match marked_closer(line) {
            Some((closer, is_sure)) => {
                let end = self.find_closer(from, closer.clone());
                if end.is_none() {
                    self.wait_for(&closer);
                }
                (end, is_sure)
            }
            None => match begins_analysis(line) {
                Some(is_sure) => (self.end_of_analysis(from), is_sure),
                None => return false,
            },
        };
        match end {
            Some(end) => self.quote_shown(from, end, NotRunReason::Thought),
            // As long as its end may come.
            None if is_sure || self.is_open => self.thought = self.thought.or(Some(from)),
            None => {}
        }
        end.is_some()
    }

    /// Returns where the thoughts end with which a message begins whose tokens are lost.
    fn end_of_analysis(&mut self, from: usize) -> Option<usize> {
        let ends = ["assistantfinal", "assistantcommentary"].map(|end| {
            let found = self.find_closer(from, end.to_owned());
            found.map(|found| found - end.len())
        });
        ends.into_iter().flatten().min()
    }

    /// Takes a part of the text for reasoning, and goes on behind it.
    pub(super) fn thought(&mut self, from: usize, stop: usize, behind: usize) {
        self.reasoning.push_str(&self.text[from.min(stop)..stop]);
        self.look_inside(from.min(stop), stop, NotRunReason::Thought);
        self.pass_thought(behind);
    }

    /// Goes on behind reasoning: what it holds opens no quotation.
    fn pass_thought(&mut self, end: usize) {
        self.at = end;
        self.pending = end;
        self.pass_quotes_until(end);
    }
}

/// Returns `true` if a marker begins thoughts.
pub(in crate::calls) fn is_thought(marker: &str) -> bool {
    let mut budget = Budget::new(u32::MAX, marker.len(), 0);
    let tag = Tag::look(marker, 0, &mut budget);
    tag.is_some_and(|tag| end_or_beginning(&tag) == Some(false))
}

/// Returns `Some(true)` if a tag ends reasoning, and `Some(false)` if it begins it.
pub(super) fn end_or_beginning(tag: &Tag<'_>) -> Option<bool> {
    thought_tag(tag.raw, tag.name, tag.is_closing)
}

/// Returns whether a line surely begins with the name of the channel of thoughts, if it may at all: `analysisWe need …`,
/// `analysis we need …`.
fn begins_analysis(line: &str) -> Option<bool> {
    let rest = line.strip_prefix("assistant").unwrap_or(line);
    let rest = rest.strip_prefix("analysis")?;
    let is_sure = rest.starts_with(char::is_uppercase) || rest.starts_with(" to=");
    (is_sure || rest.trim_end().is_empty() || rest.starts_with(' ')).then_some(is_sure)
}

/// Returns what closes the reasoning that a line begins with a word between other marks than those of tags, and
/// whether these marks have no other use: `◁think▷`, `【think】`, but `[thinking]` may be a label.
fn marked_closer(line: &str) -> Option<(String, bool)> {
    const MARKS_BYTES_MAX: usize = 6;
    let is_word = |one: char| one.is_ascii_alphabetic() || one == '_' || one == ' ';
    let is_mark = |one: char| !one.is_alphanumeric() && !one.is_whitespace();
    let is_plain = |one: char| "*_`#>-+.\"'".contains(one) || !is_mark(one);
    let line = line.trim_start();
    let (open, rest) = line.split_at(line.find(is_plain)?);
    if open.is_empty() || open.len() > MARKS_BYTES_MAX {
        return None;
    }
    let (word, rest) = rest.split_at(rest.find(|one| !is_word(one))?);
    let close = rest.chars().take(open.chars().count());
    let close: String = close.take_while(|one| is_mark(*one)).collect();
    if word.is_empty() || close.is_empty() {
        return None;
    }
    let is_thought = thought_tag("", word, false).is_some();
    is_thought.then(|| (format!("{open}/{word}{close}"), !open.is_ascii()))
}

/// Returns the closer of a tag with which reasoning begins.
fn end_of(raw: &str, name: &str) -> String {
    match name {
        "innerprefix" => "<|inner_suffix|>".to_owned(),
        "openthink" => "<|close|>think<|sep|>".to_owned(),
        "channel" => "<channel|>".to_owned(),
        "unused94" => "<unused95>".to_owned(),
        "longcatthink" => "</longcat_think>".to_owned(),
        "seedthink" => "</seed:think>".to_owned(),
        "think" if raw.starts_with('[') => "[/THINK]".to_owned(),
        _ => closer_of(raw).unwrap_or_default(),
    }
}

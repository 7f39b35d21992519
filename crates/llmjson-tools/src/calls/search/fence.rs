//! The lines that open and close code fences.

use llmjson_syntax::steps_of_search;
use memchr::memmem;

use super::{CallSearch, FENCE};
use crate::calls::budget::Budget;
use crate::calls::found::NotRunReason;
use crate::calls::json::is_name;

/// The kind of a quotation, which decides what it may hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A fence in which formats write their calls.
    OwnFence,
    /// A fence that may hold any data.
    DataFence,
    Shown(NotRunReason),
}

impl Kind {
    /// Returns why a call that stands in it is not run.
    pub(super) const fn reason(self) -> NotRunReason {
        match self {
            Self::OwnFence | Self::DataFence => NotRunReason::Fence,
            Self::Shown(reason) => reason,
        }
    }
}

/// Words behind a fence with which calls begin.
const OWN_FENCES: &[&str] = &[
    "tool_code",
    "tool_call",
    "tool_calls",
    "tool",
    "function_call",
];

/// Words behind a fence that say nothing about what it holds.
const DATA_FENCES: &[&str] = &["", "json", "jsonc", "json5", "xml", "tool_use"];

/// The most words behind a fence that are looked at.
const INFO_BYTES_MAX: usize = 256;

impl CallSearch<'_, '_> {
    /// Returns where the fence ends of which a call is the whole text.
    pub(super) fn behind_fence(&self, start: usize, end: usize) -> usize {
        if !self.text[start..].starts_with(FENCE) {
            return end;
        }
        if self.text[start + FENCE.len()..end].ends_with("```") {
            return end;
        }
        let rest = self.text[end..].trim_start_matches([')', ' ', '\n', '\r']);
        let rest = rest.strip_prefix("```");
        rest.map_or(end, |rest| self.text.len() - rest.len())
    }
}

/// Returns where the words end that open a fence in which calls are written.
pub(super) fn own_fence(line: &str) -> Option<usize> {
    let fence = Fence::at(line).filter(|fence| fence.kind == Kind::OwnFence)?;
    let info = line[fence.length..].split('\n').next().unwrap_or_default();
    let word = info.trim_start();
    let lead = info.len() - word.len();
    // The name of the tool may stand behind the word.
    let word = word.split_whitespace().next().unwrap_or_default();
    Some(fence.length + lead + word.len())
}

/// Returns `true` if words behind a fence say that calls are written in it: the name of the tool
/// may follow.
fn is_own(info: &str) -> bool {
    let mut words = info.split_whitespace();
    let word = words.next().unwrap_or_default();
    OWN_FENCES.contains(&word) && words.next().is_none_or(is_name) && words.next().is_none()
}

/// The line that opens a code fence.
pub(super) struct Fence {
    pub(super) sign: char,
    length: usize,
    pub(super) kind: Kind,
}

impl Fence {
    pub(super) fn at(line: &str) -> Option<Self> {
        let sign = line.chars().next().filter(|one| "`~".contains(*one))?;
        let length = count_of(line, sign);
        let near = line.floor_char_boundary((length + INFO_BYTES_MAX).min(line.len()));
        let info = line[length..near].split('\n').next().unwrap_or_default();
        if length < 3 || sign == '`' && info.contains('`') {
            return None;
        }
        let info = info.trim().to_ascii_lowercase();
        let kind = match &*info {
            _ if sign == '~' || length > 3 => Kind::Shown(NotRunReason::Fence),
            info if is_own(info) => Kind::OwnFence,
            info if DATA_FENCES.contains(&info) => Kind::DataFence,
            _ => Kind::Shown(NotRunReason::Fence),
        };
        Some(Self { sign, length, kind })
    }

    /// Returns the end of the line that closes the fence that begins at a place.
    pub(super) fn end(&self, text: &str, start: usize, budget: &mut Budget) -> Option<usize> {
        let signs: String = std::iter::repeat_n(self.sign, 3).collect();
        let mut at = start + self.length;
        while let Some(found) = memmem::find(&text.as_bytes()[at..], signs.as_bytes()) {
            budget.charge(steps_of_search(found));
            at += found;
            let count = count_of(&text[at..], self.sign);
            let before = text[..at].trim_end_matches([' ', '\t', '>']);
            let rest = &text[at + count..];
            let line = &rest[..rest.find('\n').unwrap_or(rest.len())];
            at += count;
            if before.ends_with('\n') && count >= self.length && line.trim().is_empty() {
                // "```" may go on with the words of another fence.
                let is_cut = at + line.len() == text.len();
                budget.reached_end |= is_cut && self.kind != Kind::OwnFence;
                budget.goes_on |= is_cut;
                return Some(at);
            }
        }
        budget.charge(steps_of_search(text.len() - at));
        None
    }
}

/// Returns how often a text begins with a sign.
pub(super) fn count_of(text: &str, sign: char) -> usize {
    text.len() - text.trim_start_matches(sign).len()
}

/// Returns `true` if the words between a marker and its call are the opening line of a code fence.
pub(super) fn is_fence_line(between: &str) -> bool {
    let between = between.trim();
    between.starts_with("```") && !between[3..].contains(['\n', '`'])
}

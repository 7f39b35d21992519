//! The lines that open and close code fences.

use alloc::string::String;

use memchr::memmem;

use crate::base::work::steps_of_search;
use crate::zones::lexicon::DATA_FENCES;
use crate::zones::zone::{Asker, Fence, Holds, Marks};

/// The most words behind a fence that are looked at, in bytes.
const INFO_BYTES_MAX: usize = 256;

/// Returns the end of the words that open a fence for calls.
#[must_use]
pub fn own_fence(line: &str, marks: &Marks) -> Option<usize> {
    let fence = Fence::at(line, marks).filter(|fence| fence.holds == Holds::Calls)?;
    let info = line[fence.length..].split('\n').next().unwrap_or_default();
    let word = info.trim_start();
    let lead = info.len() - word.len();
    // The name of the tool may stand behind the word.
    let word = word.split_whitespace().next().unwrap_or_default();
    Some(fence.length + lead + word.len())
}

/// Returns `true` if words behind a fence say that calls are written in it: the name of the tool
/// may follow.
fn is_own(info: &str, marks: &Marks) -> bool {
    let is_part = |one: char| one.is_alphanumeric() || "_-./:".contains(one);
    let mut words = info.split_whitespace();
    let word = words.next().unwrap_or_default();
    let is_name = |word: &str| word.chars().all(is_part);
    marks.own_fences.contains(&word) && words.next().is_none_or(is_name) && words.next().is_none()
}

impl Fence {
    /// Returns the fence with which a line begins.
    #[must_use]
    pub fn at(line: &str, marks: &Marks) -> Option<Self> {
        let run = fence_run(line)?;
        let (length, sign) = (run.len(), if run.starts_with('~') { '~' } else { '`' });
        let near = line.floor_char_boundary((length + INFO_BYTES_MAX).min(line.len()));
        let info = line[length..near].split('\n').next().unwrap_or_default();
        if sign == '`' && info.contains('`') {
            return None;
        }
        let info = info.trim().to_ascii_lowercase();
        let holds = match &*info {
            _ if sign == '~' || length > 3 => Holds::Shown,
            info if is_own(info, marks) => Holds::Calls,
            info if DATA_FENCES.contains(&info) => Holds::Data,
            _ => Holds::Shown,
        };
        Some(Self {
            sign,
            length,
            holds,
        })
    }

    /// Returns the fence whose signs begin a text, whatever stands before and behind them: a value may stand in its line.
    pub(crate) fn of_signs(text: &str) -> Option<Self> {
        let run = fence_run(text)?;
        Some(Self {
            sign: if run.starts_with('~') { '~' } else { '`' },
            length: run.len(),
            holds: Holds::Data,
        })
    }

    /// Returns where the signs at a place end, if they close the fence for sure: as many as it has, on a line of their
    /// own. Within a fence calls are shown, so nothing less ends one that holds some.
    fn closes(self, text: &str, at: usize) -> Option<usize> {
        let end = at + self.count_at(text, at)?;
        let before = text[..at].trim_end_matches([' ', '\t', '>']);
        let line = || text[end..].split('\n').next().unwrap_or_default();
        (before.ends_with('\n') && line().trim().is_empty()).then_some(end)
    }

    /// Returns where the signs at a place end, if they close a fence around values whose line ends at `line`. They may
    /// stand in that line, right behind a value that ends at `value`, and before other text: `{"a": 1}` and three signs,
    /// but those of `print("```")` are of the code, and a language behind them begins another fence.
    pub(crate) fn closes_value(
        self,
        text: &str,
        at: usize,
        (line, value): (usize, usize),
    ) -> Option<usize> {
        let end = at + self.count_at(text, at)?;
        let is_closer = text[end..].chars().next().is_none_or(char::is_whitespace)
            || value <= at && text[..at].trim_end().len() <= value
            || at < line;
        is_closer.then_some(end)
    }

    /// Returns the number of signs at a place, if they are those of the fence and not fewer.
    pub(crate) fn count_at(self, text: &str, at: usize) -> Option<usize> {
        Some(count_of(&text[at..], self.sign)).filter(|count| *count >= self.length)
    }

    /// Returns the end of the line that closes the fence that begins at a place.
    pub(crate) fn end(self, text: &str, start: usize, asker: &mut impl Asker) -> Option<usize> {
        let signs: String = core::iter::repeat_n(self.sign, 3).collect();
        let mut at = start + self.length;
        while let Some(found) = memmem::find(&text.as_bytes()[at..], signs.as_bytes()) {
            asker.charge(steps_of_search(found));
            at += found;
            if let Some(end) = self.closes(text, at) {
                // "```" may go on with the words of another fence.
                if text[end..].trim_start_matches([' ', '\t', '\r']).is_empty() {
                    asker.may_go_on();
                    if self.holds != Holds::Calls {
                        asker.reach_end();
                    }
                }
                return Some(end);
            }
            at += count_of(&text[at..], self.sign);
        }
        asker.charge(steps_of_search(text.len() - at));
        None
    }
}

/// The fewest signs that make a fence.
const SIGNS_MIN: usize = 3;

/// Returns the run of fence characters with which a text begins, whatever follows them.
#[must_use]
pub fn fence_run(text: &str) -> Option<&str> {
    let sign = text.chars().next().filter(|one| "`~".contains(*one))?;
    let length = count_of(text, sign);
    (length >= SIGNS_MIN).then(|| &text[..length])
}

/// Returns how often a text begins with a sign.
pub(crate) fn count_of(text: &str, sign: char) -> usize {
    text.len() - text.trim_start_matches(sign).len()
}

//! The lines that open and close code fences.

use alloc::string::String;

use memchr::memmem;

use crate::base::work::steps_of_search;
use crate::zones::lexicon::DATA_FENCES;
use crate::zones::zone::{Asker, Fence, Holds, Marks};

/// Maximum length in bytes of the words after a fence that are examined.
const INFO_BYTES_MAX: usize = 256;

/// Returns the end of the words that open a fence for calls.
#[must_use]
pub fn own_fence(line: &str, marks: &Marks) -> Option<usize> {
    let fence = Fence::at(line, marks).filter(|fence| fence.holds == Holds::Calls)?;
    let info = line[fence.length..].split('\n').next().unwrap_or_default();
    let word = info.trim_start();
    let lead = info.len() - word.len();
    // The name of the tool may follow the word.
    let word = word.split_whitespace().next().unwrap_or_default();
    Some(fence.length + lead + word.len())
}

/// Returns `true` if the words after a fence announce calls in it. The name of the tool may follow.
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

    /// Returns the fence with which a text begins, regardless of the text before and after it: a
    /// value may be on its line.
    pub(crate) fn of_signs(text: &str) -> Option<Self> {
        let run = fence_run(text)?;
        Some(Self {
            sign: if run.starts_with('~') { '~' } else { '`' },
            length: run.len(),
            holds: Holds::Data,
        })
    }

    /// Returns the end of the fence marker at a place, if it certainly closes the fence: it is as
    /// long as the opening one and on a separate line. A fence may show calls with shorter markers,
    /// which do not end it.
    fn closes(self, text: &str, at: usize) -> Option<usize> {
        let end = at + self.count_at(text, at)?;
        let before = text[..at].trim_end_matches([' ', '\t', '>']);
        let line = || text[end..].split('\n').next().unwrap_or_default();
        (before.ends_with('\n') && line().trim().is_empty()).then_some(end)
    }

    /// Returns the end of the fence marker at a place, if it closes a fence around values whose
    /// line ends at `line`. It may be on that line, directly after a value that ends at `value`,
    /// and before other text: `{"a": 1}` and three backticks. The marker in `print("```")` belongs
    /// to the code, and one with a language begins another fence.
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

    /// Returns the number of fence characters at a place, if they match the fence and are not
    /// fewer.
    pub(crate) fn count_at(self, text: &str, at: usize) -> Option<usize> {
        Some(count_of(&text[at..], self.sign)).filter(|count| *count >= self.length)
    }

    /// Returns the end of the line that closes the fence at a place.
    pub(crate) fn end(self, text: &str, start: usize, asker: &mut impl Asker) -> Option<usize> {
        let signs: String = core::iter::repeat_n(self.sign, 3).collect();
        let mut at = start + self.length;
        while let Some(found) = memmem::find(&text.as_bytes()[at..], signs.as_bytes()) {
            asker.charge(steps_of_search(found));
            at += found;
            if let Some(end) = self.closes(text, at) {
                // "```" may be followed by the words of another fence.
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

/// Returns `true` if a line of tildes underlines the title before it, which is not longer.
pub(crate) fn is_underline(before: &str, line: &str) -> bool {
    let line = line.trim_end();
    if !line.starts_with("~~~~") || !line.trim_start_matches('~').is_empty() {
        return false;
    }
    let title = before.strip_suffix('\n').unwrap_or(before);
    let title = title.trim_end_matches('\r');
    let near = title.floor_char_boundary(title.len().saturating_sub(4 * line.len() + 1));
    let title = title[near..].rsplit('\n').next().unwrap_or_default();
    (1..=line.len()).contains(&title.chars().count())
        && title.ends_with(|one: char| !one.is_whitespace() && one != ':' && one != '~')
}

/// Minimum number of characters of a fence.
const SIGNS_MIN: usize = 3;

/// Returns the run of fence characters with which a text begins, whatever follows them.
#[must_use]
pub fn fence_run(text: &str) -> Option<&str> {
    let sign = text.chars().next().filter(|one| "`~".contains(*one))?;
    let length = count_of(text, sign);
    (length >= SIGNS_MIN).then(|| &text[..length])
}

/// Returns the number of times that a character is repeated at the beginning of a text.
pub(crate) fn count_of(text: &str, sign: char) -> usize {
    text.len() - text.trim_start_matches(sign).len()
}

//! The lines that open and close code fences.

use alloc::string::String;

use memchr::memmem;

use crate::base::work::steps_of_search;
use crate::zones::lexicon::DATA_FENCES;
use crate::zones::zone::{Asker, Fence, Holds, Marks};

/// Maximum length in bytes of the words after a fence that are examined.
const INFO_BYTES_MAX: usize = 256;

/// The characters that may precede a fence on its line.
const BEFORE_FENCES: [char; 3] = [' ', '\t', '>'];

/// The role of a line among the code fences of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FenceLine<'t> {
    /// Opens a fence, with these words after its characters.
    Opens(&'t str),
    /// Closes the open fence.
    Closes,
    /// Any other line, in the open fence or outside of fences.
    Content,
}

/// The code fences of a text, line by line.
#[derive(Clone, Copy, Debug, Default)]
pub struct Fences {
    open: Option<Fence>,
    /// `true` before the first fence of a part that may begin in one.
    may_be_inside: bool,
}

impl Fences {
    /// Returns the state for a part of a text that may begin in a fence: a fence without words
    /// closes it.
    pub(crate) const fn of_part() -> Self {
        Self {
            open: None,
            may_be_inside: true,
        }
    }

    /// Takes the next line, and returns its role. The fence may be indented or quoted.
    pub fn line<'t>(&mut self, line: &'t str) -> FenceLine<'t> {
        // Most lines begin with another character.
        let begin = line
            .bytes()
            .find(|byte| !matches!(byte, b' ' | b'\t' | b'>'));
        if !matches!(begin, Some(b'`' | b'~')) {
            return FenceLine::Content;
        }
        let line = line.trim_start_matches(BEFORE_FENCES);
        if let Some(fence) = self.open {
            if !fence.is_closed_by(line) {
                return FenceLine::Content;
            }
            self.open = None;
            return FenceLine::Closes;
        }
        let Some((fence, info)) = Fence::opened_by(line) else {
            return FenceLine::Content;
        };
        if core::mem::take(&mut self.may_be_inside) && info.is_empty() {
            return FenceLine::Closes;
        }
        self.open = Some(fence);
        FenceLine::Opens(info)
    }

    /// Returns `true` between the lines that open and close a fence.
    #[must_use]
    pub const fn is_open(&self) -> bool {
        self.open.is_some()
    }
}

/// Returns the length of the line that opens a fence at the beginning of a text, with its line
/// feed.
#[must_use]
pub fn opening_line(text: &str) -> Option<usize> {
    Fence::opened_by(text)?;
    Some(text.find('\n').map_or(text.len(), |end| end + 1))
}

/// Returns the length of the characters that close a fence after a value, at the beginning of a
/// text. A word after them opens another fence.
#[must_use]
pub fn closing_run(text: &str) -> Option<usize> {
    let length = fence_run(text)?.len();
    (!text[length..].starts_with(char::is_alphanumeric)).then_some(length)
}

/// Returns the offset of the last fence in a text, if calls are or will be written in it: its words
/// may be incomplete.
#[must_use]
pub fn last_own_fence(text: &str, marks: &Marks) -> Option<usize> {
    let at = text.rfind("```")?;
    let begun = text[at..].trim_start_matches('`');
    let is_begun = || marks.own_fences.iter().any(|word| word.starts_with(begun));
    (own_fence(&text[at..], marks).is_some() || is_begun()).then_some(at)
}

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
        let (fence, info) = Self::opened_by(line)?;
        let info = info.to_ascii_lowercase();
        let holds = match &*info {
            _ if fence.sign == '~' || fence.length > 3 => Holds::Shown,
            info if is_own(info, marks) => Holds::Calls,
            info if DATA_FENCES.contains(&info) => Holds::Data,
            _ => Holds::Shown,
        };
        Some(Self { holds, ..fence })
    }

    /// Returns the fence that a line opens, and the words after its characters.
    fn opened_by(line: &str) -> Option<(Self, &str)> {
        let fence = Self::of_signs(line)?;
        let near = line.floor_char_boundary((fence.length + INFO_BYTES_MAX).min(line.len()));
        let info = &line[fence.length..near];
        let info = info.split('\n').next().unwrap_or_default();
        let is_code = fence.sign == '`' && info.contains('`');
        (!is_code).then_some((fence, info.trim()))
    }

    /// Returns `true` if a line closes the fence: it consists of as many of its characters, or
    /// more.
    #[must_use]
    pub fn is_closed_by(self, line: &str) -> bool {
        let count = count_of(line, self.sign);
        count >= self.length && line[count..].trim().is_empty()
    }

    /// Returns the fence with which a text begins, regardless of the text before and after it: a
    /// value may be on its line.
    #[must_use]
    pub fn of_signs(text: &str) -> Option<Self> {
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
        let before = text[..at].trim_end_matches(BEFORE_FENCES);
        let line = || text[at..].split('\n').next().unwrap_or_default();
        (before.ends_with('\n') && self.is_closed_by(line())).then_some(end)
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

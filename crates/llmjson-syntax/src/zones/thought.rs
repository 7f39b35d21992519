//! The marks around reasoning, of any model family, as data: tags, tokens, bracketed words.

use alloc::borrow::{Cow, ToOwned};
use alloc::format;
use alloc::string::String;

use crate::parser::look::charged::TAG_STEPS;
use crate::parser::look::{LOOK_AHEAD, Look};
use crate::scan::tag::{closer_of, tag};
use crate::tape::marks::{Mark, MarkKind};
use crate::zones::lexicon::{BESIDE_THOUGHTS, ENDS_OF_THOUGHTS, THOUGHTS, WordList};
use crate::zones::pass::Pass;
use crate::zones::zone::{Asker, ZoneKind};

/// Names without such words, reduced to letters and digits: the first half begins reasoning, the
/// second ends it. Gemma writes `<unused94>` where its tokens have no names.
static BEGINNINGS: WordList = WordList::new("startthinking innerprefix openthink unused94");
static ENDINGS: WordList =
    WordList::new("closethink endthinking beginfinalresponse innersuffix unused95");

/// Names that a closing tag closes.
static PAIRED: WordList = WordList::new("seedthink longcatthink");

/// Marks in other brackets, or with bars that distinguish the beginning: Magistral's, and Gemma's
/// `<|channel>thought … <channel|>`.
const MARKS: [(&str, bool); 4] = [
    ("[THINK]", false),
    ("[/THINK]", true),
    ("<|channel>", false),
    ("<channel|>", true),
];

/// The marks around Kimi's reasoning, which are not tags. The first is often in the prompt.
pub(crate) const BEGIN_OF_THOUGHT: &str = "◁think▷";
/// The mark that ends it.
pub const END_OF_THOUGHT: &str = "◁/think▷";

/// Closers whose names differ from those of the marks they close, reduced to letters and digits.
const CLOSERS: [(&str, &str); 6] = [
    ("innerprefix", "<|inner_suffix|>"),
    ("openthink", "<|close|>think<|sep|>"),
    ("channel", "<channel|>"),
    ("unused94", "<unused95>"),
    ("longcatthink", "</longcat_think>"),
    ("seedthink", "</seed:think>"),
];

/// The words at the beginning of messages that follow reasoning and have lost their tokens.
const ENDS_OF_ANALYSIS: [&str; 2] = ["assistantfinal", "assistantcommentary"];

/// Maximum length in bytes of the marks around a word that are not brackets.
const MARKS_BYTES_MAX: usize = 6;

/// Returns whether a tag or token ends or begins reasoning: `Some(true)` for `</think>`,
/// `Some(false)` for `<|begin_of_thought|>`. `name` is the text between its brackets, bars and
/// slash.
#[must_use]
pub fn thought_tag(raw: &str, name: &str, is_closing: bool) -> Option<bool> {
    if let Some((_, ends)) = MARKS.iter().find(|(mark, _)| *mark == raw) {
        return Some(*ends);
    }
    // Most names are one word.
    let is_plain = name.bytes().all(|byte| byte.is_ascii_alphanumeric());
    if is_plain && THOUGHTS.has(name) {
        return Some(is_closing || ENDS_OF_THOUGHTS.has(name));
    }
    let parts = || {
        name.split(|one: char| !one.is_alphanumeric())
            .filter(|part| !part.is_empty())
    };
    let begins_so = |word: &str| THOUGHTS.has(word);
    let ends = |word: &str| ENDS_OF_THOUGHTS.has(word);
    if !is_plain && parts().any(begins_so) {
        // The prefix before a colon or bar is a namespace, unless it is the relevant word itself.
        let spaced = name
            .trim_end_matches(['|', '｜'])
            .contains([':', '|', '｜']);
        let space = usize::from(spaced && !parts().take(1).all(begins_so));
        let all = parts()
            .skip(space)
            .all(|word| begins_so(word) || BESIDE_THOUGHTS.has(word));
        if all {
            return Some(is_closing || parts().skip(space).any(ends));
        }
    }
    let letters = match is_plain {
        true => Cow::Borrowed(name),
        false => name.chars().filter(|one| one.is_alphanumeric()).collect(),
    };
    match () {
        () if BEGINNINGS.has(&letters) => Some(false),
        () if ENDINGS.has(&letters) => Some(true),
        () => PAIRED.has(&letters).then_some(is_closing),
    }
}

/// Returns `true` if the mark at a place ends reasoning, or `false` if it begins it, with the
/// mark's end: `true` and 8 for `</think>`.
pub(crate) fn thought_at(text: &str, at: usize) -> Option<(bool, usize)> {
    let rest = text.get(at..)?;
    if rest.starts_with('[') {
        let (mark, ends) = MARKS.iter().find(|(mark, _)| rest.starts_with(mark))?;
        return Some((*ends, at + mark.len()));
    }
    let (closing, name, end) = tag(text, at)?;
    Some((thought_tag(&text[at..end], name, closing)?, end))
}

/// Returns the beginning of the first line that is not blank.
fn first_line(text: &str) -> &str {
    let text = text.trim_start();
    let near = &text[..text.floor_char_boundary(LOOK_AHEAD.min(text.len()))];
    near.lines().next().unwrap_or_default()
}

impl Look<'_> {
    /// Returns `true` if the mark at `at` ends reasoning, or `false` if it begins it, with the
    /// mark's end: `true` and 8 for `</think>`.
    pub(crate) fn thought_at(&self, at: usize) -> Option<(bool, usize)> {
        let found = thought_at(self.text, at);
        self.charge(TAG_STEPS + found.map_or(0, |(_, end)| end - at) / 4);
        found
    }

    /// Returns `true` if a stream may still begin with such reasoning, so that nothing in it is
    /// shown.
    pub(crate) fn may_begin_with_thought(&self) -> bool {
        let line = first_line(self.text);
        let is_marked = || marked_closer(line).is_some_and(|(_, is_sure)| is_sure);
        begins_analysis(line) == Some(true) || is_marked()
    }
}

impl<A: Asker> Pass<'_, '_, A> {
    /// Finds a line that begins reasoning without tags: `◁think▷` and `◁/think▷`, or `analysis` and
    /// `assistantfinal`, which Harmony leaves where its tokens are lost.
    pub(crate) fn thought_of_line(&mut self, from: usize, line: &str) -> bool {
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
            Some(end) => {
                self.set_thought(from, end);
            }
            // As long as its end may arrive.
            None if is_sure || self.is_open => {
                self.zones.place.thought = self.zones.place.thought.or(Some(from));
            }
            None => {}
        }
        end.is_some()
    }

    /// Marks a part of the text as reasoning without tags.
    pub(crate) fn set_thought(&mut self, start: usize, end: usize) {
        self.set(start, end, ZoneKind::Thought);
        self.zones.marks.push(Mark {
            kind: MarkKind::Reasoning,
            start,
            end,
        });
    }

    /// Returns the end of the reasoning at the beginning of a message that has lost its tokens.
    fn end_of_analysis(&mut self, from: usize) -> Option<usize> {
        let ends = ENDS_OF_ANALYSIS.map(|end| {
            let found = self.find_closer(from, end.to_owned());
            found.map(|found| found - end.len())
        });
        ends.into_iter().flatten().min()
    }
}

/// Returns whether a line certainly begins with the name of the reasoning channel, if it may at
/// all: `analysisWe need …`, `analysis we need …`.
fn begins_analysis(line: &str) -> Option<bool> {
    let rest = line.strip_prefix("assistant").unwrap_or(line);
    let rest = rest.strip_prefix("analysis")?;
    let is_sure = rest.starts_with(char::is_uppercase) || rest.starts_with(" to=");
    (is_sure || rest.trim_end().is_empty() || rest.starts_with(' ')).then_some(is_sure)
}

/// Returns the closer of the reasoning that a line begins with a word between marks other than
/// tags, and `true` if these marks have no other use: `◁think▷`, `【think】`, but `[thinking]` may be
/// a label.
fn marked_closer(line: &str) -> Option<(String, bool)> {
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

/// Returns the closer for a tag that begins reasoning. `name` consists of the letters and digits of
/// its name.
#[must_use]
pub fn closer_of_thought(raw: &str, name: &str) -> String {
    let closer = CLOSERS.iter().find(|(begin, _)| *begin == name);
    match closer {
        Some((_, closer)) => (*closer).to_owned(),
        None if name == "think" && raw.starts_with('[') => "[/THINK]".to_owned(),
        None => closer_of(raw).unwrap_or_default(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_of_all_families_begin_and_end_reasoning() {
        for (text, expected) in [
            ("<think>", Some(false)),
            ("</think>", Some(true)),
            ("<THINKING>", Some(false)),
            ("<seed:think>", Some(false)),
            ("</seed:think>", Some(true)),
            ("<mm:think>", Some(false)),
            ("<longcat_think>", Some(false)),
            ("</longcat_think>", Some(true)),
            ("<|begin_of_thought|>", Some(false)),
            ("<|end_of_thought|>", Some(true)),
            ("<|START_THINKING|>", Some(false)),
            ("<|END_THINKING|>", Some(true)),
            ("<|inner_prefix|>", Some(false)),
            ("<|inner_suffix|>", Some(true)),
            ("<think_fast>", Some(false)),
            ("<inner_monologue>", Some(false)),
            ("<|channel>", Some(false)),
            ("<channel|>", Some(true)),
            ("<unused94>", Some(false)),
            ("[THINK]", Some(false)),
            ("[/THINK]", Some(true)),
            ("<|channel|>", None),
            ("<channel>", None),
            ("<thinker>", None),
            ("<think_tank>", None),
            ("<b>", None),
            ("[think]", None),
            ("< think>", None),
        ] {
            let whole = |(ends, end)| {
                assert_eq!(end, text.len(), "{text}");
                ends
            };
            assert_eq!(thought_at(text, 0).map(whole), expected, "{text}");
        }
    }
}

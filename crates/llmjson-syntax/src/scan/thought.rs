//! The marks around reasoning, of whatever family of models, as data: tags, tokens, words in brackets.

use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

use crate::scan::tag::tag;

/// Words of which one stands in the name of a tag around reasoning: `<think>`, `<seed:think>`,
/// `<|begin_of_thought|>`, `<think_fast>`.
const WORDS: &str = "think thinking thought thoughts reasoning reflection scratchpad monologue \
    analysis rationale antthinking cot";

/// Words that may stand beside it.
const BESIDE: &str = "begin start end close open stop of inner internal chain deep fast faster \
    block content my self model assistant step process";

/// The words among them with which reasoning ends.
const ENDS: &str = "end close stop";

/// Names that are no such words, by their letters and digits: the first half begins reasoning, the second ends it. Gemma
/// writes `<unused94>` where its tokens have no names.
const BEGINNINGS: &str = "startthinking innerprefix openthink unused94";
const ENDINGS: &str = "closethink endthinking beginfinalresponse innersuffix unused95";

/// Names that a closing tag closes.
const PAIRED: &str = "seedthink longcatthink";

/// Marks in other brackets, or with bars that tell which one begins: Magistral's, and Gemma's
/// `<|channel>thought … <channel|>`.
const MARKS: [(&str, bool); 4] = [
    ("[THINK]", false),
    ("[/THINK]", true),
    ("<|channel>", false),
    ("<channel|>", true),
];

/// Returns whether a tag or token, which is written so, ends reasoning, or begins it: `Some(true)` for `</think>`,
/// `Some(false)` for `<|begin_of_thought|>`. `name` is what stands between its brackets, bars and slash.
#[doc(hidden)]
#[must_use]
pub fn thought_tag(raw: &str, name: &str, is_closing: bool) -> Option<bool> {
    if let Some((_, ends)) = MARKS.iter().find(|(mark, _)| *mark == raw) {
        return Some(*ends);
    }
    let is = |words: &str, word: &str| words.split(' ').any(|one| one.eq_ignore_ascii_case(word));
    let parts = || {
        name.split(|one: char| !one.is_alphanumeric())
            .filter(|part| !part.is_empty())
    };
    let begins_so = |word: &str| is(WORDS, word);
    let ends = |word: &str| is(ENDS, word);
    if parts().any(begins_so) {
        // What stands before a sign is a namespace, unless it says what the rest is about.
        let spaced = name
            .trim_end_matches(['|', '｜'])
            .contains([':', '|', '｜']);
        let space = usize::from(spaced && !parts().take(1).all(begins_so));
        let all = parts()
            .skip(space)
            .all(|word| begins_so(word) || is(BESIDE, word));
        if all {
            return Some(is_closing || parts().skip(space).any(ends));
        }
    }
    // No name of these is longer.
    let letters = name
        .chars()
        .filter(|one| one.is_alphanumeric())
        .take(24)
        .collect::<String>();
    match () {
        () if letters.is_empty() => None,
        () if is(BEGINNINGS, &letters) => Some(false),
        () if is(ENDINGS, &letters) => Some(true),
        () => is(PAIRED, &letters).then_some(is_closing),
    }
}

/// Returns whether the mark at a place ends reasoning, or begins it, and where it ends itself: `true` and 8 for
/// `</think>`.
pub(crate) fn thought_at(text: &str, at: usize) -> Option<(bool, usize)> {
    let rest = text.get(at..)?;
    if rest.starts_with('[') {
        let (mark, ends) = MARKS.iter().find(|(mark, _)| rest.starts_with(mark))?;
        return Some((*ends, at + mark.len()));
    }
    let (closing, name, end) = tag(text, at)?;
    Some((thought_tag(&text[at..end], name, closing)?, end))
}

/// Returns the marks of reasoning from a place on, in their order.
pub(crate) fn thoughts(text: &str, from: usize) -> impl Iterator<Item = (bool, Range<usize>)> {
    let marks = memchr::memchr2_iter(b'<', b'[', text.as_bytes().get(from..).unwrap_or_default());
    marks.filter_map(move |at| {
        let (ends, end) = thought_at(text, from + at)?;
        Some((ends, from + at..end))
    })
}

/// The name of the tag or special token that ends just before `at`, white space aside.
pub(crate) fn tag_before(text: &str, at: usize) -> Option<&str> {
    let before = text.get(..at)?.trim_end();
    let mut from = before.len().saturating_sub(200);
    while !before.is_char_boundary(from) {
        from += 1;
    }
    let start = from + before[from..].rfind('<')?;
    let (closing, name, end) = tag(text, start)?;
    let plain = end == before.len() && !closing;
    (plain && thought_tag(&before[start..], name, closing).is_none()).then_some(name)
}

/// Returns the offset at which the reasoning ends with which a text begins: 0 if it begins with
/// none.
pub(crate) fn leading_thoughts(text: &str) -> usize {
    let start = text.len() - text.trim_start().len();
    let last = || thoughts(text, start).filter(|(ends, _)| *ends).last();
    let begins = matches!(thought_at(text, start), Some((false, _)));
    begins.then(last).flatten().map_or(0, |(_, mark)| mark.end)
}

/// Returns the marks of reasoning in a text, such as `<think>` and `</think>`, in their order:
/// whether each closes a block, and where it stands. What they enclose, and whether some stand in
/// strings of a value, is for the caller to see.
///
/// ```
/// let tags = llmjson_syntax::reasoning_tags("<b><think>Hm.</think> [1]");
/// assert_eq!(tags, [(false, 3..10), (true, 13..21)]);
/// ```
#[must_use]
pub fn reasoning_tags(text: &str) -> Vec<(bool, Range<usize>)> {
    thoughts(text, 0).collect()
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

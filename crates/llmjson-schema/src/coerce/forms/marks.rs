//! Markup on values: citations after them, dashes of all kinds, Markdown.

use std::borrow::Cow;

use llmjson_syntax::Class;

use super::unit;
use crate::base::fold::{fold, is_dash, is_in};
use crate::base::words;
use crate::ir::names::marks::INLINE;

/// Maximum length in bytes of a citation between its brackets.
const CITATION_BYTES_MAX: usize = 32;

/// A value without its markup.
#[derive(Debug, PartialEq)]
pub(super) struct Bare<'t> {
    pub(super) text: Cow<'t, str>,
    /// The best class that a reading of it can have.
    pub(super) class: Class,
}

/// Removes markup of a number or a date: the citation after it, and dashes that are not hyphens.
pub(super) fn bare(text: &str) -> Bare<'_> {
    let (text, class) = without_citations(text.trim());
    Bare {
        text: with_hyphens(text),
        class,
    }
}

/// Returns the text before citations: `73 [1][2]`, `73【4†source】`. Text in plain brackets could be
/// something else.
fn without_citations(text: &str) -> (&str, Class) {
    let is_number = |text: &str| {
        let digits = text.trim().trim_start_matches('^');
        (1..=3).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_digit())
    };
    let (mut rest, mut class) = (text, Class::Certain);
    // `73*`, with a footnote
    if let Some(before) = text.strip_suffix(['*', '†', '‡'])
        && before.ends_with(char::is_numeric)
    {
        (rest, class) = (before, Class::Guess);
    }
    while let Some(((before, inside), sure)) = cited(rest) {
        let is_citation = match sure {
            Class::Likely => inside.starts_with(|first: char| first.is_ascii_digit()),
            _ => inside.split(',').all(is_number),
        };
        if !is_citation || before.is_empty() || inside.len() > CITATION_BYTES_MAX {
            break;
        }
        (rest, class) = (before.trim_end(), class.max(sure));
    }
    (rest, class)
}

/// The text before a citation at the end of a text, the text inside the brackets of the citation,
/// and its class.
fn cited(text: &str) -> Option<((&str, &str), Class)> {
    match text.strip_suffix('】') {
        Some(text) => Some((text.rsplit_once('【')?, Class::Likely)),
        None => Some((text.strip_suffix(']')?.rsplit_once('[')?, Class::Guess)),
    }
}

/// Replaces dashes by hyphens, except a dash that begins a list item: `– 5`.
pub(super) fn with_hyphens(text: &str) -> Cow<'_, str> {
    let is_item = text.starts_with(is_dash) && text.chars().nth(1).is_none_or(char::is_whitespace);
    match text.contains(is_dash) && !is_item {
        true => Cow::Owned(text.replace(is_dash, "-")),
        false => Cow::Borrowed(text),
    }
}

/// The marks around a text that say nothing about it, of Markdown and TeX, and quotes; and
/// brackets, which may say something.
const AROUND: &str =
    "** **|__ __|`` ``|` `|* *|_ _|\\boxed{ }|\\text{ }|\\( \\)|$ $|“ ”|„ “|‘ ’|« »|\" \"|' '";
const BRACKETS: &str = "< >|{ }|( )|[ ]";

/// More HTML tags whose content is the value itself.
const BLOCKS: &str = "p div time a data td";

/// The texts inside the marks that surround a text, for each kind of mark.
fn within<'t>(text: &'t str, marks: &'static str) -> impl Iterator<Item = (&'t str, &'static str)> {
    let pairs = marks.split('|').filter_map(|pair| pair.split_once(' '));
    pairs.filter_map(move |(open, close)| {
        let inner = text.strip_prefix(open)?.strip_suffix(close)?;
        Some((inner, close))
    })
}

/// The text inside the outermost mark around it: `**5**`, `\boxed{5}`, but not `*a* and *b*`.
fn inside(text: &str) -> Option<&str> {
    let mut all = within(text, AROUND);
    all.find(|(inner, close)| !inner.contains(close))
        .map(|(inner, _)| inner)
}

/// The text inside the outermost brackets around it: `<x>`, `(x)`.
fn in_brackets(text: &str) -> Option<&str> {
    within(text, BRACKETS).next().map(|(inner, _)| inner)
}

/// A string without surrounding marks, brackets and a full stop.
pub(super) fn trimmed(mut text: &str) -> &str {
    loop {
        let inner = text.trim().trim_end_matches(['.', '!']);
        let inner = inside(inner)
            .or_else(|| in_brackets(inner))
            .unwrap_or(inner);
        if inner.len() == text.len() {
            return text;
        }
        text = inner;
    }
}

/// The strings inside neutral markup, from the outermost in: `**5**`, `<b>5</b>`, `\boxed{5}`, and
/// after the member's own name: `Score: 5`. An address may also be in brackets, or the target of a
/// link.
pub(super) fn unmarked(
    text: &str,
    is_address: bool,
    is_own_name: impl Fn(&str) -> bool,
) -> impl Iterator<Item = (&str, Class)> {
    let mut rest = (text.trim(), Class::Likely);
    let layers = std::iter::from_fn(move || {
        let (text, class) = rest;
        let labelled = || {
            let (label, value) = text.split_once([':', '='])?;
            let label = label.trim_matches(['*', '_', '`', ' ']);
            // `**Score:** 5`
            let value = value.trim_start_matches(['*', '_']);
            // `count += 5`
            let is_name = label.ends_with(char::is_alphanumeric) && is_own_name(label);
            let is_own = label.is_empty() && text.starts_with('=') || is_name;
            is_own.then_some(value)
        };
        let link = || is_address.then(|| target(text).or_else(|| link(text)))?;
        let marked = || inside(text).or_else(|| in_tag(text)).or_else(labelled);
        let bracketed = || is_address.then(|| in_brackets(text))?;
        let (inner, sure) = link().or_else(|| {
            let inner = marked()
                .or_else(bracketed)
                .map(|inner| (inner, Class::Likely));
            inner.or_else(|| Some((before_note(text)?, Class::Guess)))
        })?;
        let inner = inner.trim();
        rest = (inner, class.max(sure));
        (!inner.is_empty()).then_some(rest)
    });
    layers.take(LAYERS_MAX)
}

/// Maximum number of marks around a string; more mean something else.
const LAYERS_MAX: usize = 4;

/// Returns the text before a note in brackets: `5 (estimated)`. The note may not take back, limit or
/// count what is before it.
fn before_note(text: &str) -> Option<&str> {
    let (before, note) = text.strip_suffix(')')?.rsplit_once(" (")?;
    let is_word = |letter: char| letter.is_alphabetic() || " -',.".contains(letter);
    // `15:30 (UTC)`: a code says more than a note.
    let is_small = |letter: char| letter.is_alphabetic() && !letter.is_uppercase();
    let is_note = note.chars().all(is_word)
        && note.contains(is_small)
        && !note.split(' ').any(|word| words::is_limit(&fold(word)))
        && !note.split(' ').all(|word| words::counts(&fold(word)))
        && unit::named(note).is_empty();
    is_note.then_some(before)
}

/// Returns the content of an HTML element: `<b>5</b>`, `<time datetime="…">2026-03-05</time>`.
fn in_tag(text: &str) -> Option<&str> {
    let (open, rest) = text.strip_prefix('<')?.split_once('>')?;
    let tag = open.split_ascii_whitespace().next()?;
    let rest = rest.strip_suffix('>')?.strip_suffix(tag)?;
    let inner = rest.strip_suffix("</")?;
    let tag = tag.to_ascii_lowercase();
    let is_mark = is_in(INLINE, &tag) || is_in(BLOCKS, &tag);
    (is_mark && !inner.contains("</")).then_some(inner)
}

/// Returns the target of an HTML link: `<a href="https://x">X</a>`.
fn target(text: &str) -> Option<(&str, Class)> {
    let (open, _) = text.strip_prefix("<a ")?.split_once('>')?;
    let (_, quoted) = open.split_once("href=")?;
    let quote = quoted.chars().next().filter(|sign| "\"'".contains(*sign))?;
    let target = quoted[1..].split_once(quote)?.0;
    text.ends_with("</a>").then_some((target, Class::Likely))
}

/// The target of a link of Markdown. Its text should be another name for the same place.
fn link(text: &str) -> Option<(&str, Class)> {
    let inner = text.strip_prefix('[')?.strip_suffix(')')?;
    let (label, target) = inner.split_once("](")?;
    let is_same = target.ends_with(label) && !label.is_empty();
    Some((target, if is_same { Class::Likely } else { Class::Guess }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_taken_off() {
        for (text, expected, class) in [
            ("73 [1]", "73", Class::Guess),
            ("73[1][2]", "73", Class::Guess),
            ("73 [1, 2]", "73", Class::Guess),
            ("73 [^4]", "73", Class::Guess),
            ("73【4†source】", "73", Class::Likely),
            ("–5", "-5", Class::Certain),
            ("−5", "-5", Class::Certain),
            ("2026‑03‑05", "2026-03-05", Class::Certain),
        ] {
            let expected = Bare {
                text: expected.into(),
                class,
            };
            assert_eq!(bare(text), expected, "{text}");
        }
        for text in [
            "[1]", "73 [kg]", "73 [a1]", "1. 85", "– 5", "73】", "5 [1234]",
        ] {
            let expected = Bare {
                text: text.into(),
                class: Class::Certain,
            };
            assert_eq!(bare(text), expected, "{text}");
        }
    }

    #[test]
    fn marks_of_markdown_have_something_within() {
        let last = |text| unmarked(text, true, |_| false).last();
        for (text, inner, class) in [
            ("<x>", "x", Class::Likely),
            ("`<x>`", "x", Class::Likely),
            ("**{x}**", "x", Class::Likely),
            ("[https://x](https://x)", "https://x", Class::Likely),
            ("[x](https://x)", "https://x", Class::Likely),
            ("[here](https://x)", "https://x", Class::Guess),
        ] {
            assert_eq!(last(text), Some((inner, class)), "{text}");
        }
        for text in ["x", "<x", "x>", "a <x>", "[x](y) z", ""] {
            assert_eq!(last(text), None, "{text}");
        }
    }
}

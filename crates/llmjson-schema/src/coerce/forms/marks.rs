//! Markup on values: citations after them, dashes of all kinds, Markdown.

use std::borrow::Cow;

use llmjson_syntax::Class;

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
    let (mut rest, mut class) = (text, Class::Certain);
    loop {
        let (open, cited) = match rest.chars().next_back() {
            Some('】') => ('【', Class::Likely),
            Some(']') => ('[', Class::Guess),
            _ => break,
        };
        let Some(start) = rest.rfind(open).filter(|start| *start > 0) else {
            break;
        };
        let inside = rest[start..].trim_start_matches(open);
        let inside = inside.trim_end_matches([']', '】']);
        let is_number = |text: &str| {
            let digits = text.trim().trim_start_matches('^');
            (1..=3).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_digit())
        };
        let is_citation = match open {
            '【' => inside.starts_with(|first: char| first.is_ascii_digit()),
            _ => inside.split(',').all(is_number),
        };
        if !is_citation || inside.len() > CITATION_BYTES_MAX {
            break;
        }
        (rest, class) = (rest[..start].trim_end(), class.max(cited));
    }
    (rest, class)
}

/// Returns `true` if a character is a dash that represents a hyphen or a minus.
pub(super) fn is_dash(sign: char) -> bool {
    matches!(
        sign,
        '\u{2010}'..='\u{2015}' | '−' | '\u{fe58}' | '\u{fe63}' | '\u{ff0d}'
    )
}

/// Replaces dashes by hyphens, except a dash that begins a list item: `– 5`.
pub(super) fn with_hyphens(text: &str) -> Cow<'_, str> {
    let is_item = text.starts_with(is_dash) && text.chars().nth(1).is_none_or(char::is_whitespace);
    match text.contains(is_dash) && !is_item {
        true => Cow::Owned(text.replace(is_dash, "-")),
        false => Cow::Borrowed(text),
    }
}

/// Neutral markup around a string: Markdown, TeX, and quotes.
const MARKUP: [(&str, &str); 16] = [
    ("**", "**"),
    ("__", "__"),
    ("``", "``"),
    ("`", "`"),
    ("*", "*"),
    ("_", "_"),
    ("\\boxed{", "}"),
    ("\\text{", "}"),
    ("\\(", "\\)"),
    ("$", "$"),
    ("“", "”"),
    ("„", "“"),
    ("‘", "’"),
    ("«", "»"),
    ("\"", "\""),
    ("'", "'"),
];

/// HTML tags whose content is the value itself.
const TAGS: [&str; 14] = [
    "b", "strong", "i", "em", "u", "code", "mark", "span", "p", "div", "time", "a", "data", "td",
];

/// Returns the strings inside neutral markup, from the outermost in: `**5**`, `<b>5</b>`,
/// `\boxed{5}`, and after the name of their own place: `Score: 5`.
pub(super) fn unmarked(
    text: &str,
    is_own_name: impl Fn(&str) -> bool,
) -> impl Iterator<Item = (&str, Class)> {
    let mut rest = (text.trim(), Class::Likely);
    let mut left = LAYERS_MAX;
    std::iter::from_fn(move || {
        let (text, class) = rest;
        left = left.checked_sub(1)?;
        let around = MARKUP.iter().find_map(|(open, close)| {
            let inner = text.strip_prefix(open)?.strip_suffix(close)?;
            // `*a* and *b*`
            (!inner.contains(close)).then_some(inner)
        });
        let labelled = || {
            let (label, value) = text.split_once([':', '='])?;
            let label = label.trim_matches(['*', '_', '`', ' ']);
            // `**Score:** 5`
            let value = value.trim_start_matches(['*', '_']);
            let is_own = label.is_empty() && text.starts_with('=') || is_own_name(label);
            is_own.then_some(value)
        };
        let inner = around.or_else(|| in_tag(text)).or_else(labelled)?.trim();
        rest = (inner, class);
        (!inner.is_empty()).then_some(rest)
    })
}

/// Maximum number of marks around a string; more mean something else.
const LAYERS_MAX: usize = 4;

/// Returns the content of an HTML element: `<b>5</b>`, `<time datetime="…">2026-03-05</time>`.
fn in_tag(text: &str) -> Option<&str> {
    let (open, rest) = text.strip_prefix('<')?.split_once('>')?;
    let tag = open.split_ascii_whitespace().next()?;
    let inner = rest
        .strip_suffix('>')?
        .strip_suffix(tag)?
        .strip_suffix("</")?;
    let is_known = TAGS.iter().any(|known| tag.eq_ignore_ascii_case(known));
    (is_known && !inner.contains("</")).then_some(inner)
}

/// Returns the target of an HTML link: `<a href="https://x">X</a>`.
fn target(text: &str) -> Option<&str> {
    let (open, _) = text.strip_prefix("<a ")?.split_once('>')?;
    let (_, quoted) = open.split_once("href=")?;
    let quote = quoted.chars().next().filter(|sign| "\"'".contains(*sign))?;
    Some(quoted[1..].split_once(quote)?.0).filter(|_| text.ends_with("</a>"))
}

/// Returns the strings inside the markup around a whole string, from the outermost in: `<x>`,
/// `{x}`, `` `x` ``, `**x**`. For a link, it is the target.
pub(super) fn within(text: &str) -> impl Iterator<Item = (&str, Class)> {
    const AROUND: [(&str, &str); 8] = [
        ("<", ">"),
        ("`", "`"),
        ("**", "**"),
        ("{", "}"),
        ("(", ")"),
        ("[", "]"),
        ("\"", "\""),
        ("'", "'"),
    ];
    let text = text.trim();
    let linked = target(text).map(|target| (target, Class::Likely));
    let mut rest = (text, Class::Likely);
    let marked = std::iter::from_fn(move || {
        let (text, class) = rest;
        let inner = AROUND
            .iter()
            .find_map(|(open, close)| text.strip_prefix(open)?.strip_suffix(close));
        rest = match inner {
            Some(inner) if !inner.contains("](") => (inner.trim(), class),
            _ => {
                let (label, target) = text
                    .strip_prefix('[')?
                    .strip_suffix(')')?
                    .split_once("](")?;
                // Another name of the same place, or only words.
                let same = label == target || target.ends_with(label) && !label.is_empty();
                (target, if same { class } else { Class::Guess })
            }
        };
        Some(rest)
    });
    linked.into_iter().chain(marked)
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
        let last = |text| within(text).last();
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

//! Pages: a reply as HTML.

use crate::base::repair::RepairKind;
use crate::parser::words::entities::entity;
use crate::reply::channel::decoded::DecodedText;
use crate::reply::channel::signs::{Means, rewritten};

/// Maximum length of a tag that is removed.
const TAG_BYTES: usize = 200;

/// HTML elements around text on web pages.
const INLINE: &[&str] = &[
    "span", "code", "pre", "b", "i", "em", "strong", "font", "a", "u", "s", "mark", "samp", "tt",
    "kbd", "var", "button", "svg", "path", "wbr",
];

/// HTML elements that begin or end a line.
const BLOCKS: &[&str] = &[
    "br",
    "p",
    "div",
    "tr",
    "td",
    "li",
    "ul",
    "ol",
    "table",
    "tbody",
    "section",
    "article",
    "body",
    "html",
    "figure",
    "blockquote",
    "h1",
    "h2",
    "h3",
];

/// Decodes HTML entities: `{&quot;a&quot;: 1}`.
pub(crate) fn entities(text: &str) -> Option<DecodedText> {
    rewritten(RepairKind::HtmlEntities, text, entity_at)
}

/// Removes tags and decodes entities: `{<br>&nbsp;"a": <span class="s">1</span>}`.
pub(crate) fn markup(text: &str) -> Option<DecodedText> {
    // The place of a tag in a string differs from one before a token.
    let mut tags = memchr::memchr_iter(b'<', text.as_bytes()).filter(|at| {
        let before = text[..*at].trim_end();
        let begins = before.is_empty() || before.ends_with(['{', '[', ',', ':']);
        begins && tag_at(text, *at).is_some()
    });
    tags.next()?;
    rewritten(RepairKind::HtmlEntities, text, |text, at| {
        entity_at(text, at).or_else(|| tag_at(text, at))
    })
}

fn entity_at(text: &str, at: usize) -> Option<(Means, usize)> {
    if text.as_bytes()[at] != b'&' {
        return None;
    }
    let (character, length) = entity(&text[at..])?;
    let character = if character == '\u{a0}' {
        ' '
    } else {
        character
    };
    Some((Means::Char(character), length))
}

fn tag_at(text: &str, at: usize) -> Option<(Means, usize)> {
    let rest = text[at..].strip_prefix('<')?;
    let rest = rest.strip_prefix('/').unwrap_or(rest);
    let near = &rest.as_bytes()[..rest.len().min(TAG_BYTES)];
    let name = near
        .iter()
        .take_while(|byte| byte.is_ascii_alphanumeric())
        .count();
    let end = memchr::memchr2(b'>', b'<', near).filter(|end| near[*end] == b'>')?;
    let name = &rest[..name];
    let is_one = |all: &[&str]| all.iter().any(|one| one.eq_ignore_ascii_case(name));
    let means = match () {
        () if is_one(INLINE) => Means::Nothing,
        () if is_one(BLOCKS) => Means::Char('\n'),
        () => return None,
    };
    Some((means, text.len() - at - rest.len() + end + 1))
}

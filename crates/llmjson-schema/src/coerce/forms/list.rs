//! Lists in a sentence: `a, b and c`.

use llmjson_syntax::Class;

use crate::base::fold::fold;
use crate::base::words;

/// Maximum number of parts that are examined.
const PARTS_MAX: usize = 256;
/// Length beyond which strings are prose.
const BYTES_MAX: usize = 4096;
/// Maximum number of words of an item that may be any string; more form a sentence.
const WORDS_MAX: usize = 3;

/// The characters between the items of a list, and between alternatives.
pub(super) const COMMAS: &[char] = &[',', ';', '\n', '、', '，'];
pub(super) const BARS: &[char] = &['/', '|', '+'];

/// Returns the parts of a string between some characters, or `and` after commas, if all of them
/// are items.
pub(super) fn parts<'t>(
    text: &'t str,
    signs: &[char],
    is_item: impl Fn(&str) -> bool,
) -> Option<Vec<&'t str>> {
    let text = text.trim();
    let bare = text.strip_suffix('.').unwrap_or(text);
    let bare = bare.strip_prefix("both ").unwrap_or(bare);
    let mut parts = Vec::new();
    for (at, part) in split(bare, signs)?.into_iter().enumerate() {
        // `a, b, and c`
        let part = part.strip_prefix("and ").unwrap_or(part);
        let part = item(part, at + 1)
            .filter(|_| text.contains('\n'))
            .unwrap_or(part);
        let is_one = signs != COMMAS || is_item(part);
        let mut joints = part.match_indices(' ').filter(|(at, _)| {
            let word = part[at + 1..].split(' ').next().unwrap_or_default();
            !is_one && words::is_joint(&fold(word)) && part.len() > at + 1 + word.len()
        });
        match joints.next() {
            Some((at, _)) => {
                let (_, last) = part[at + 1..].split_once(' ').unwrap_or_default();
                parts.extend([part[..at].trim(), last.trim()]);
            }
            None => parts.push(part),
        }
    }
    (parts.len() > 1 && parts.iter().all(|part| is_item(part))).then_some(parts)
}

/// Returns the items of a string that may be any strings: lines with a bullet or number before
/// each, or a few words between bars or semicolons, which is less certain.
pub(super) fn texts(text: &str) -> Option<(Vec<&str>, Class)> {
    let text = text.trim();
    if text.contains('\n') {
        let lines = split(text, &['\n'])?.into_iter();
        let lines = lines.filter(|line| !line.is_empty());
        let items: Option<Vec<&str>> = (1..).zip(lines).map(|(at, line)| item(line, at)).collect();
        let items =
            items.filter(|items| items.len() > 1 && items.iter().all(|item| !item.is_empty()));
        return Some((items?, Class::Likely));
    }
    let sign = if text.contains('|') { '|' } else { ';' };
    let parts = split(text.trim_matches(sign), &[sign])?;
    let is_short = |part: &&str| !part.is_empty() && part.split(' ').count() <= WORDS_MAX;
    (parts.len() > 2 && parts.iter().all(is_short)).then_some((parts, Class::Guess))
}

fn split<'t>(text: &'t str, signs: &[char]) -> Option<Vec<&'t str>> {
    if text.len() > BYTES_MAX {
        return None;
    }
    let parts = text.split(signs).map(str::trim).take(PARTS_MAX + 1);
    Some(parts.collect()).filter(|parts: &Vec<_>| parts.len() <= PARTS_MAX)
}

/// Returns a line without the bullet or its number before it.
fn item(line: &str, number: usize) -> Option<&str> {
    let numbered = || {
        line.strip_prefix(&*number.to_string())?
            .strip_prefix(['.', ')'])
    };
    let rest = line.strip_prefix(['-', '*', '•', '–']).or_else(numbered)?;
    rest.strip_prefix([' ', '\t']).map(str::trim)
}

//! Lists in a sentence: `a, b and c`.

use llmjson_syntax::Class;

/// Maximum number of parts that are examined.
const PARTS_MAX: usize = 256;
/// Length beyond which strings are prose.
const BYTES_MAX: usize = 4096;

/// Returns the parts of a string between commas, semicolons, line breaks and `and`, or nothing if
/// there is only one.
pub(super) fn parts(text: &str) -> Option<Vec<&str>> {
    let text = text.trim();
    if text.len() > BYTES_MAX {
        return None;
    }
    let text = text.strip_suffix('.').unwrap_or(text);
    let text = text.strip_prefix("both ").unwrap_or(text);
    let is_bullets = text.contains('\n');
    // Most texts hold none of the words, which cost more to look for than bytes.
    let is_joined = text.contains(" and ") || text.contains('&');
    let mut parts: Vec<&str> = Vec::new();
    for part in text
        .split([',', ';', '\n'])
        .map(str::trim)
        .take(PARTS_MAX + 1)
    {
        // `a, b, and c`, and `- a` on a separate line
        let part = part.strip_prefix("and ").unwrap_or(part);
        let item = part.strip_prefix(['-', '*', '•']).filter(|_| is_bullets);
        let item = item.filter(|item| item.starts_with(char::is_whitespace));
        let part = item.unwrap_or(part).trim();
        match is_joined {
            // `a, b and c`, `a & b`
            true => parts.extend(part.split(" and ").flat_map(|part| part.split(" & "))),
            false => parts.push(part),
        }
    }
    parts.iter_mut().for_each(|part| *part = part.trim());
    is_list(&parts).then_some(parts)
}

/// Splits alternatives separated by slashes.
pub(super) fn alternatives(text: &str) -> Option<Vec<&str>> {
    let parts = text.split(['/', '|', '+']).map(str::trim);
    let parts: Vec<&str> = parts.take(PARTS_MAX + 1).collect();
    (text.len() <= BYTES_MAX && is_list(&parts)).then_some(parts)
}

/// Returns the items of a string that may be any strings: lines with a bullet or number before
/// each, or a few words between bars or semicolons, which is less certain.
pub(super) fn texts(text: &str) -> Option<(Vec<&str>, Class)> {
    let text = text.trim();
    if text.len() > BYTES_MAX {
        return None;
    }
    if text.contains('\n') {
        let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
        let bullet = text.chars().next()?;
        let items = (1..).zip(lines).map(|(number, line)| {
            let rest = match bullet {
                '-' | '*' | '•' | '–' => line.strip_prefix(bullet)?,
                _ => {
                    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
                    let is_next = line[..digits].parse() == Ok(number);
                    line[digits..]
                        .strip_prefix(['.', ')'])
                        .filter(|_| is_next)?
                }
            };
            rest.strip_prefix([' ', '\t']).map(str::trim)
        });
        let items: Option<Vec<&str>> = items.collect();
        return items
            .filter(|items| is_list(items))
            .map(|items| (items, Class::Likely));
    }
    let sign = if text.contains('|') { '|' } else { ';' };
    let parts = text.trim_matches(sign).split(sign).map(str::trim);
    let parts: Vec<&str> = parts.take(PARTS_MAX + 1).collect();
    let are_short = parts
        .iter()
        .all(|part| part.split(' ').count() <= WORDS_MAX);
    (parts.len() > 2 && are_short && is_list(&parts)).then_some((parts, Class::Guess))
}

/// Maximum number of words of an item; more form a sentence.
const WORDS_MAX: usize = 3;

fn is_list(parts: &[&str]) -> bool {
    (2..=PARTS_MAX).contains(&parts.len()) && parts.iter().all(|part| !part.is_empty())
}

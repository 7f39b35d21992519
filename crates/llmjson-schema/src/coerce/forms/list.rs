//! Lists in a sentence: `a, b and c`.

/// Maximum number of parts that are looked at.
const PARTS_MAX: usize = 256;
/// Length beyond which texts are prose.
const BYTES_MAX: usize = 4096;

/// The parts of a text between commas, semicolons, line ends and `and`; nothing if there is one only.
pub(super) fn parts(text: &str) -> Option<Vec<&str>> {
    let text = text.trim();
    if text.len() > BYTES_MAX {
        return None;
    }
    let text = text.strip_suffix('.').unwrap_or(text);
    let text = text.strip_prefix("both ").unwrap_or(text);
    let coarse = text.split([',', ';', '\n']).map(str::trim);
    // `a, b, and c`, and `- a` on a line of its own
    let coarse = coarse.map(|part| part.strip_prefix("and ").unwrap_or(part));
    let is_bullets = text.contains('\n');
    let coarse = coarse.map(|part| match is_bullets {
        true => part
            .strip_prefix(['-', '*', '•'])
            .filter(|rest| rest.starts_with(char::is_whitespace))
            .map_or(part, str::trim),
        false => part,
    });
    // Most parts hold none of the words, which cost more to look for than bytes.
    let mut parts: Vec<&str> = Vec::new();
    for part in coarse.take(PARTS_MAX + 1) {
        match part.contains(' ') && (text.contains(" and ") || text.contains('&')) {
            // `a, b and c`, `a & b`
            true => parts.extend(part.split(" and ").flat_map(|part| part.split(" & "))),
            false => parts.push(part),
        }
    }
    parts.iter_mut().for_each(|part| *part = part.trim());
    is_list(&parts).then_some(parts)
}

/// The same between strokes.
pub(super) fn alternatives(text: &str) -> Option<Vec<&str>> {
    let text = text.trim();
    if text.len() > BYTES_MAX {
        return None;
    }
    let parts: Vec<&str> = text
        .split(['/', '|', '+'])
        .map(str::trim)
        .take(PARTS_MAX + 1)
        .collect();
    is_list(&parts).then_some(parts)
}

fn is_list(parts: &[&str]) -> bool {
    (2..=PARTS_MAX).contains(&parts.len()) && parts.iter().all(|part| !part.is_empty())
}

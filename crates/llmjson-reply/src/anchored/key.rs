//! Bullets, labels and marks of Markdown around values.

use super::tree::Part;

/// The delimiters between a label and its value, and the maximum length of a label.
const SIGNS: &[&str] = &[":", "：", "=", " - ", " – ", " — ", " -> ", " → "];
const LABEL_BYTES: usize = 64;

/// Returns the label at the beginning of a line, and the beginning of its value: `Answer` for
/// `**Answer:** 42`.
pub(super) fn label(text: &str, part: Part) -> Option<(Part, usize)> {
    let line = &text[part.clone()];
    let begun = line.trim_start_matches(|c: char| !c.is_alphanumeric());
    let head = &begun[..begun.floor_char_boundary(LABEL_BYTES)];
    let found = SIGNS
        .iter()
        .filter_map(|sign| Some((head.find(sign)?, sign.len())));
    let (at, length) = found.min()?;
    let start = part.end - begun.len();
    let name = begun[..at].trim_end_matches(['*', '_', '`', ' ']);
    let rest = begun[at + length..].trim_start_matches(['*', '_', '`']);
    // Marks around the value itself stay.
    let rest = if begun[at + length..].starts_with(' ') {
        &begun[at + length..]
    } else {
        rest
    };
    Some((start..start + name.len(), part.end - rest.len()))
}

/// Returns the length of a bullet or number at the beginning of a line, with the space after it.
pub(super) fn bullet(line: &str) -> Option<usize> {
    let length = match line.chars().next()? {
        sign @ ('-' | '*' | '+' | '•' | '–' | '◦' | '▪' | '‣' | '·') => sign.len_utf8(),
        '0'..='9' => {
            let digits = line.bytes().take_while(u8::is_ascii_digit).count();
            let closed = line[digits..].starts_with(['.', ')']) && digits <= 3;
            closed.then_some(digits + 1)?
        }
        _ => return None,
    };
    let rest = &line[length..];
    let spaces = rest.len() - rest.trim_start_matches([' ', '\t']).len();
    (rest.is_empty() || spaces > 0).then_some(length + spaces)
}

/// Returns a value without marks around the whole of it: `Anna` for `**Anna**`, `` `Anna` `` and
/// `*Anna*`.
pub(super) fn without_marks(text: &str, part: Part) -> Part {
    let inner = &text[part.clone()];
    // The marks before the key close after the value: `**Name: Anna**`.
    if let Some(text) = inner.strip_suffix("**").filter(|text| !text.contains("**")) {
        return part.start..part.start + text.trim_end().len();
    }
    let stripped = ["**", "__", "`", "*", "_"].iter().find_map(|mark| {
        let inside = inner.strip_prefix(mark)?.strip_suffix(mark)?;
        (!inside.is_empty() && !inside.contains(mark)).then_some(mark.len())
    });
    match stripped {
        Some(length) => part.start + length..part.end - length,
        None => part,
    }
}

//! Names at the beginning of lines, and the punctuation around names and values.

use super::tree::Part;

/// Maximum length of a key in bytes, and maximum number of its words.
const NAME_BYTES: usize = 64;
const NAME_WORDS: usize = 6;

/// A key and the beginning of its value.
pub(super) struct Key {
    pub(super) name: Part,
    pub(super) rest: usize,
}

/// Delimiters other than a colon that may separate a known key from its value.
const SIGNS: &[&str] = &[
    " = ", "=", " => ", " -> ", " → ", " – ", " — ", " - ", " ..", "\t", "  ",
];

/// Returns `true` if a character is an emoji or similar symbol, which people put before keys.
fn is_picture(c: char) -> bool {
    matches!(c, '\u{2300}'..='\u{23ff}' | '\u{25a0}'..='\u{27bf}' | '\u{2b00}'..='\u{2bff}' | '\u{fe0f}' | '\u{1f000}'..='\u{1faff}')
}

/// Returns the key at the beginning of a line that is followed by a colon: `name` for `name: Anna`.
/// With `marks`, it may be emphasized; a known key may be followed by another delimiter.
pub(super) fn key_of(
    text: &str,
    part: Part,
    marks: bool,
    known: impl Fn(&str) -> bool,
) -> Option<Key> {
    let line = &text[part.clone()];
    let mut from = 0;
    if marks {
        let is_mark = |c: char| "*_`# ".contains(c) || is_picture(c);
        from = line.len() - line.trim_start_matches(is_mark).len();
    }
    let begun = &line[from..];
    let first = begun.chars().next()?;
    let absolute = |name: &str, rest: usize| {
        let start = name.as_ptr() as usize - text.as_ptr() as usize;
        let name = start..start + name.len();
        Key {
            name,
            rest: part.start + rest,
        }
    };
    if matches!(first, '"' | '\'') {
        let close = 1 + begun[1..].find(first)?;
        let behind = begun[close + 1..].trim_start();
        let sign = [":", "=>", "="]
            .iter()
            .find(|sign| behind.starts_with(**sign))?;
        let name = begun.get(1..close).filter(|name| !name.is_empty())?;
        return Some(absolute(name, line.len() - behind.len() + sign.len()));
    }
    if !(first.is_alphanumeric() || "_$@".contains(first)) {
        return None;
    }
    let colon = colon_of(begun, marks);
    if let Some((at, length)) = colon {
        let mut rest = from + at + length;
        let name = trim_marks(&begun[..at], marks);
        if is_name(name) {
            if marks {
                let before = line[..from].trim_matches(is_picture);
                rest += opened_before(before, &line[rest..]);
            }
            return Some(absolute(name, rest));
        }
    }
    // `address {`
    if let Some(name) = begun.strip_suffix('{').map(str::trim_end)
        && is_name(name)
        && !name.contains(' ')
    {
        return Some(absolute(name, line.len() - 1));
    }
    if !marks {
        return None;
    }
    let head = &begun[..begun.floor_char_boundary(2 * NAME_BYTES)];
    SIGNS.iter().find_map(|sign| {
        let at = head.find(sign)?;
        let name = trim_marks(begun[..at].trim_end_matches('.'), true);
        let rest = begun[at + sign.len()..].trim_start_matches('.');
        (is_name(name) && known(name)).then(|| absolute(name, line.len() - rest.len()))
    })
}

/// Returns the position and length of the colon after a key.
fn colon_of(line: &str, marks: bool) -> Option<(usize, usize)> {
    let head = &line[..line.floor_char_boundary(2 * NAME_BYTES)];
    head.match_indices([':', '：']).find_map(|(at, colon)| {
        let behind = &line[at + colon.len()..];
        let ends = behind.is_empty() || behind.starts_with([' ', '\t']) || colon != ":";
        let marked = marks && behind.starts_with(['*', '_', '`']);
        (ends || marked).then_some((at, colon.len()))
    })
}

/// Returns the length of the marks at the beginning of a value that close those before its key: 2
/// for `**name:** Anna`.
fn opened_before(before: &str, behind: &str) -> usize {
    let open = before.trim_start_matches('#').trim();
    match !open.is_empty() && behind.starts_with(open) {
        true => open.len(),
        false => 0,
    }
}

fn trim_marks(name: &str, marks: bool) -> &str {
    match marks {
        true => name.trim().trim_end_matches(['*', '_', '`']).trim_end(),
        false => name.trim(),
    }
}

/// Returns `true` if a text may be a key: a few words without punctuation that is unusual in keys.
pub(super) fn is_name(name: &str) -> bool {
    let odd = |c: char| "{}[]<>\"|;!?,=*`".contains(c);
    !name.is_empty()
        && name.len() <= NAME_BYTES
        && !name.contains(odd)
        && name.split_whitespace().count() <= NAME_WORDS
        && !name.contains("://")
}

/// Returns the length of a bullet or number at the beginning of a line, with the space after it;
/// with `marks`, bullets other than a hyphen count too.
pub(super) fn bullet(line: &str, marks: bool) -> Option<usize> {
    let length = match line.chars().next()? {
        '-' => 1,
        sign @ ('*' | '+' | '•' | '–' | '◦' | '▪' | '‣' | '·') if marks => {
            sign.len_utf8()
        }
        '0'..='9' if marks => {
            let digits = line.bytes().take_while(u8::is_ascii_digit).count();
            let closed = line[digits..].starts_with(['.', ')']) && digits <= 3;
            closed.then_some(digits + 1)?
        }
        _ => return None,
    };
    let rest = &line[length..];
    match rest.is_empty() {
        true => Some(length),
        false => {
            let spaces = rest.len() - rest.trim_start_matches([' ', '\t']).len();
            (spaces > 0).then_some(length + spaces)
        }
    }
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

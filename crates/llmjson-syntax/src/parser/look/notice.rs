//! Ellipses for omitted text, and truncation notices: `... [truncated]`, `[Response truncated…]`,
//! `(12 lines omitted)`.

use crate::scan::{peek, skip_space};

/// Maximum length of a notice in bytes.
pub(crate) const NOTICE_MAX: usize = 96;

/// Words of notices in brackets, or after an ellipsis.
const WORDS: [&str; 5] = ["truncated", "cut off", "cut short", "clipped", "omitted"];

/// Returns the offset at which the truncation notice at `at` ends, words in brackets or after an
/// ellipsis on one line: 15 of `... [truncated]`. A notice is followed by the end of the text, or
/// of an item.
pub(crate) fn notice_at(text: &str, at: usize) -> Option<usize> {
    let line = line_from(text, at);
    let dots = ellipsis_at(line, 0).unwrap_or(0);
    let gap = line[dots..].len() - line[dots..].trim_start_matches(' ').len();
    let begin = dots + gap;
    let closer = match line.as_bytes().get(begin)? {
        b'[' => Some(']'),
        b'(' => Some(')'),
        b'<' => Some('>'),
        // `... output truncated`: after an ellipsis the words need no bracket.
        _ if dots > 0 => None,
        _ => return None,
    };
    let words = &line[begin + usize::from(closer.is_some())..];
    let length = match closer {
        Some(closer) => words.find(closer)?,
        None => words.trim_end().len(),
    };
    let behind = line.len() - words.len() + length + usize::from(closer.is_some());
    let rest = line[behind..].trim_start_matches(' ');
    let end = match ellipsis_at(rest, 0) {
        Some(dots) => line.len() - rest.len() + dots,
        None => behind,
    };
    (says_cut(&words[..length]) && ends_there(text, at + end)).then_some(at + end)
}

/// Returns the offset at which a notice begins that ends a text, with the dots and white space before it: 9 of
/// `hello wor... [truncated]`.
pub(crate) fn notice_behind(text: &str) -> Option<usize> {
    let trimmed = text.trim_end();
    // Most texts end in one of these, and no notice does.
    if trimmed.ends_with(['}', '"', '`']) {
        return None;
    }
    let mut from = trimmed.len().saturating_sub(NOTICE_MAX);
    while !trimmed.is_char_boundary(from) {
        from += 1;
    }
    let tail = &trimmed[from..];
    let begins = |at: &usize| match tail.as_bytes()[*at] {
        b'.' => !tail[..*at].ends_with('.'),
        b'[' | b'(' | b'<' => *at == 0 || tail[..*at].ends_with([' ', '\n']),
        0xe2 => tail[*at..].starts_with('…') && !tail[..*at].ends_with('…'),
        _ => false,
    };
    let mut starts = (0..tail.len()).filter(begins);
    let at = starts.find(|at| notice_at(tail, *at) == Some(tail.len()))?;
    Some(trimmed[..from + at].trim_end().len())
}

/// Returns the length of an ellipsis at `at`: 4 for `....`.
pub(crate) fn ellipsis_at(text: &str, at: usize) -> Option<usize> {
    match text.as_bytes().get(at..)? {
        dotted @ [b'.', b'.', b'.', ..] => {
            Some(dotted.iter().take_while(|&&byte| byte == b'.').count())
        }
        [0..0x80, ..] | [] => None,
        _ => text.get(at..)?.starts_with('…').then_some('…'.len_utf8()),
    }
}

/// Returns the line from `at` on, limited to the length of a notice: `b c` from 2 of `"a\nb c\nd"`
/// on.
fn line_from(text: &str, at: usize) -> &str {
    let rest = text.get(at..).unwrap_or_default();
    let mut end = rest.len().min(NOTICE_MAX);
    while !rest.is_char_boundary(end) {
        end -= 1;
    }
    let line = &rest[..end];
    line.find('\n').map_or(line, |end| &line[..end])
}

/// Returns `true` if these are words, among them one of a truncation notice: `12 lines omitted`,
/// but not `truncated, whole`.
fn says_cut(words: &str) -> bool {
    let other = |c: char| "\"{}[]()<>`=,\\".contains(c);
    let says = |word: &str| {
        let parts = words.as_bytes().windows(word.len());
        parts
            .into_iter()
            .any(|part| part.eq_ignore_ascii_case(word.as_bytes()))
    };
    !words.contains(other) && WORDS.into_iter().any(says)
}

/// Returns `true` if the text ends at `at`, apart from white space and a mark around the value, or
/// an item does: before ` ]`, but not before ` a`.
fn ends_there(text: &str, at: usize) -> bool {
    let bytes = text.as_bytes();
    let (byte, next) = skip_space(bytes, at);
    match byte {
        _ if next >= bytes.len() => true,
        b',' | b']' | b'}' => true,
        b'`' | b'~' => bytes[next..].starts_with(&[byte; 3]),
        b'<' => matches!(peek(bytes, next + 1), b'/' | b'|'),
        _ => false,
    }
}

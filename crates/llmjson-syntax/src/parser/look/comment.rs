//! The meaning of comments: omitted text, or members that lost their own line.

use crate::parser::look::LOOK_AHEAD;
use crate::parser::look::notice::ellipsis_at;
use crate::scan::{closing_quote, number, peek, skip_space};

/// Maximum length in bytes of a comment about omitted content.
const ELISION_MAX: usize = 80;

/// Words of comments about omitted content.
const LEFT_OUT: [&str; 12] = [
    "unchanged",
    "rest of the",
    "the rest",
    "remaining items",
    "remaining fields",
    "remaining rows",
    "omitted",
    "and so on",
    "for brevity",
    "more items",
    "more entries",
    "same as before",
];

/// Returns `true` if a comment says that content was omitted: `// ... 7 more`,
/// `/* rest unchanged */`.
pub(crate) fn says_elision(comment: &str) -> bool {
    let signs = |c: char| matches!(c, '/' | '*' | '#' | '<' | '!' | '-' | '>') || c.is_whitespace();
    let words = comment.trim_matches(signs);
    if ellipsis_at(words, 0).is_some() {
        return true;
    }
    let says = |word: &str| {
        let bytes = words.as_bytes();
        let mut parts = bytes.windows(word.len()).enumerate();
        parts.any(|(at, part)| {
            let ends = !peek(bytes, at + word.len()).is_ascii_alphanumeric();
            ends && part.eq_ignore_ascii_case(word.as_bytes())
        })
    };
    let counted = || {
        let number = words.trim_start_matches("and ").split(' ').next();
        number.is_some_and(number::is_json) && says(" more")
    };
    let dotted = || words.ends_with("...") || words.ends_with('…');
    words.len() <= ELISION_MAX
        && (LEFT_OUT.into_iter().any(says) || counted() || dotted() && says("more"))
}

/// Returns the offset at which a comment up to the end of its line, at `at..end`, ends before
/// members that lost the line break before them: `// first, "b": 2`. The rest of the line consists
/// of such members only, and the comment is not first on its line. `quote` is the offset of the
/// first double quote or line end from `at` on.
pub(crate) fn ends_before_member(text: &str, at: usize, end: usize, quote: usize) -> Option<usize> {
    let comment = &text[at..end];
    let quote = quote - at;
    if quote >= comment.len() {
        return None;
    }
    let before = comment[..quote].trim_end();
    let comma = before.strip_suffix(',');
    // Closers before the comma close the containers around the comment.
    let words = comma.unwrap_or(before).trim_end_matches(['}', ']', ' ']);
    let near = &text.as_bytes()[at.saturating_sub(LOOK_AHEAD)..at];
    let behind = near.trim_ascii_end();
    // A comment on a separate line may contain members that were commented out.
    let below = near[behind.len()..].contains(&b'\n') || behind.is_empty();
    // Without a comma after the comment, the members have the one before it, and nothing else may
    // end the comment.
    let parted = comma.is_some() || end == text.len() && matches!(behind.last(), Some(b',' | b'{'));
    (parted && !below && words.contains(char::is_alphabetic) && only_members(&comment[quote..]))
        .then(|| at + if comma.is_some() { words.len() } else { quote })
}

/// Returns `true` if a text consists of members with plain values, up to a bracket that opens or
/// closes or to another comment: `"b": 2, "c": "x"}`, but not `"b", too`.
fn only_members(text: &str) -> bool {
    let bytes = text.as_bytes();
    let mut at = 0;
    while peek(bytes, at) == b'"' {
        let Some(name) = closing_quote(bytes, at + 1, at + 1) else {
            return false;
        };
        let (byte, colon) = skip_space(bytes, name + 1);
        let (first, value) = skip_space(bytes, colon + 1);
        let end = match first {
            // `// see "b", too`: a quotation, not a member.
            _ if byte != b':' => return false,
            b'{' | b'[' => return true,
            b'"' => closing_quote(bytes, value + 1, value + 1).map(|end| end + 1),
            _ => {
                let part = |byte: &u8| byte.is_ascii_alphanumeric() || b".+-".contains(byte);
                let length = bytes[value.min(bytes.len())..]
                    .iter()
                    .take_while(|b| part(b))
                    .count();
                let word = &text[value..value + length];
                let plain = number::is_json(word) || ["true", "false", "null"].contains(&word);
                plain.then_some(value + length)
            }
        };
        let Some(end) = end else {
            return false;
        };
        let (byte, next) = skip_space(bytes, end);
        match byte {
            _ if next >= bytes.len() => return true,
            b'}' | b']' | b'#' => return true,
            b'/' => return peek(bytes, next + 1) == b'/',
            b',' => at = skip_space(bytes, next + 1).1,
            _ => return false,
        }
    }
    at > 0 && (at >= bytes.len() || matches!(bytes[at], b'}' | b']' | b'#' | b'/'))
}

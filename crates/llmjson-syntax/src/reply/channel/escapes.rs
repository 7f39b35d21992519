//! Values with another layer of escaping: as the inside of a string, or as a field of a CSV file.

use crate::base::repair::RepairKind;
use crate::reply::channel::decoded::DecodedText;
use crate::reply::channel::signs::{Means, has_any, rewritten};

/// Decodes escaped quotes and brackets in a reply whose other characters are unescaped:
/// `{\u0022a\u0022: 1}`.
pub(crate) fn unicode_escapes(text: &str) -> Option<DecodedText> {
    if !has_any(text, QUOTE_ESCAPES) {
        return None;
    }
    rewritten(RepairKind::EscapedDocument, text, |text, at| {
        let digits = text[at..].strip_prefix("\\u")?.get(..4)?;
        let code = u32::from_str_radix(digits, 16).ok()?;
        Some((Means::Char(char::from_u32(code)?), 6))
    })
}

/// Decodes a reply in which every character was escaped that JSON escapes in strings.
pub(crate) fn escapes(text: &str) -> Option<DecodedText> {
    has_any(text, QUOTE_ESCAPES).then(|| unescaped(text, 0))
}

/// Removes the backslashes of a reply in which only the quotes are escaped: `{\\"a\\": 1}`. The
/// text before the value was not escaped.
pub(crate) fn backslashes(text: &str) -> Option<DecodedText> {
    Some(unescaped(text, first_escaped(text)?))
}

fn unescaped(text: &str, start: usize) -> DecodedText {
    let mut taken = DecodedText::of(RepairKind::EscapedDocument);
    taken.push(0, &text[..start]);
    taken.push_unescaped(start, &text[start..]);
    taken.end(text.len());
    taken
}

/// Returns the offset of a value's first bracket whose first quote is escaped, or of an escaped
/// quote that begins the text.
fn first_escaped(text: &str) -> Option<usize> {
    let start = text.len() - text.trim_start().len();
    if text[start..].starts_with("\\\"") {
        return Some(start);
    }
    outermost(text).find(|at| is_escaped(&text[at + 1..]))
}

/// Returns the places of the brackets that open outermost values.
fn outermost(text: &str) -> impl Iterator<Item = usize> {
    let mut depth = 0usize;
    let brackets = text
        .bytes()
        .enumerate()
        .filter(|(_, byte)| b"{[}]".contains(byte));
    brackets.filter_map(move |(at, byte)| {
        let opens = matches!(byte, b'{' | b'[');
        depth = if opens {
            depth + 1
        } else {
            depth.saturating_sub(1)
        };
        (opens && depth == 1).then_some(at)
    })
}

/// Returns `true` if the first quote of a value is escaped, at a place where a string opens or
/// closes: `a: \\"x\\"`.
fn is_escaped(inside: &str) -> bool {
    let Some(quote) = inside.find(['"', '\'', '`', '}', ']']) else {
        return false;
    };
    let before = inside[..quote].trim_end_matches('\\');
    // `\\\\"`: the backslash itself is escaped, and the quote is not.
    if (quote - before.len()).is_multiple_of(2) {
        return false;
    }
    let bare = before.trim_end();
    let opens = bare.is_empty() || bare.ends_with(['{', '[', ',', ':']);
    let line = || {
        ["\\n", "\\t", "\\r"]
            .iter()
            .any(|sign| bare.ends_with(sign))
    };
    let closes = || {
        inside[quote + 1..]
            .trim_start()
            .starts_with([':', ',', ']', '}'])
    };
    inside[quote..].starts_with('"') && (opens || line() || closes())
}

/// Undoes the doubled quotes of CSV fields, `"{""a"": 1}"`: between two quotes, which are removed
/// too, or up to the end.
pub(crate) fn doubled_quotes(text: &str) -> Option<DecodedText> {
    let bytes = text.as_bytes();
    let mut taken = DecodedText::of(RepairKind::CsvQuotes);
    let (mut at, mut plain) = (0, 0);
    for bracket in outermost(text) {
        if bracket < at || !begins_doubled(&text[bracket + 1..]) {
            continue;
        }
        let is_field = bracket > plain && bytes[bracket - 1] == b'"';
        let start = bracket - usize::from(is_field);
        taken.push(plain, &text[plain..start]);
        (plain, at) = (bracket, text.len());
        let mut quotes = memchr::memchr_iter(b'"', &bytes[bracket..]).map(|quote| bracket + quote);
        while let Some(quote) = quotes.next() {
            let doubled = bytes.get(quote + 1) == Some(&b'"');
            if doubled || is_field {
                taken.push(plain, &text[plain..quote + usize::from(doubled)]);
                plain = quote + 1 + usize::from(doubled);
            }
            if doubled {
                quotes.next();
            } else if is_field {
                at = plain;
                break;
            }
        }
    }
    if plain == 0 {
        return None;
    }
    taken.push(plain, &text[plain..]);
    taken.end(text.len());
    Some(taken)
}

/// Returns `true` if the content of a value begins with a key or string in doubled quotes:
/// `""a"": 1`.
fn begins_doubled(inside: &str) -> bool {
    let inside = inside.trim_start_matches(|sign: char| "{[ \t\r\n".contains(sign));
    let Some((name, behind)) = inside
        .strip_prefix("\"\"")
        .and_then(|rest| rest.split_once('"'))
    else {
        return false;
    };
    let odd = |sign: char| ":,\\\n".contains(sign);
    let ends = behind.strip_prefix('"').map(str::trim_start);
    let ends = ends.is_some_and(|rest| rest.starts_with([':', ',', ']']));
    ends && !name.trim().is_empty() && !name.contains(odd)
}

/// Decodes escaped quotes and brackets.
const QUOTE_ESCAPES: &[&str] = &["\\u0022", "\\u007b", "\\u007B"];

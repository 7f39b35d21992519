//! Program text: a reply in a string literal, or in several concatenated ones.

use crate::base::repair::RepairKind;
use crate::reply::channel::decoded::DecodedText;
use crate::reply::channel::parts::is_cut;

/// Joins the literals of a program that contain a value, and decodes their escapes:
/// `'{"a":' + ' "it\'s"}'`.
pub(crate) fn literals(text: &str) -> Option<DecodedText> {
    let first = opening(text)?;
    let quote = text.as_bytes()[first];
    let mut taken = DecodedText::of(RepairKind::EscapedDocument);
    taken.push(0, &text[..first]);
    let (mut at, mut count, mut escapes) = (first, 0, false);
    let mut end = first;
    loop {
        let length = literal(&text[at + 1..], quote)?;
        let inside = &text[at + 1..at + 1 + length];
        // A shell has no escapes between single quotes, and a program does not escape double ones
        // there.
        let bare = |at: usize| at == 0 || inside.as_bytes()[at - 1] != b'\\';
        let quotes = || inside.match_indices("\\\"").any(|(at, _)| bare(at));
        if text[at + length + 2..].starts_with("\\'") || quote == b'\'' && quotes() {
            return None;
        }
        escapes |= inside.contains('\\');
        let begun = taken.text.len();
        taken.push_unescaped(at + 1, inside);
        // None of several literals contains all of a value.
        let part = &taken.text[begun..];
        let is_part = || part.contains(['{', '[']) && !is_cut(part);
        if count == 0 && next(text, at + length + 2, quote).is_some() && is_part() {
            return None;
        }
        count += 1;
        end = end.max(at + length + 2);
        match next(text, end, quote) {
            Some(next) => at = next,
            None => break,
        }
    }
    taken.push(end, &text[end..]);
    taken.end(text.len());
    (count > 1 || quote == b'\'' && escapes).then_some(taken)
}

/// Returns the place of the first quote if a value begins directly after it.
fn opening(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    // Within a value it is a string.
    let brace = memchr::memchr(b'{', bytes).unwrap_or(bytes.len());
    let mut quotes = memchr::memchr2_iter(b'"', b'\'', &bytes[..brace]);
    quotes.find(|at| {
        let rest = text[at + 1..].trim_start_matches([' ', '\n']);
        let rest = rest.strip_prefix("\\n").unwrap_or(rest);
        let begins = rest.starts_with(['{', '[']) && bytes[at + 1] != b'\n';
        // Words precede the value in an assigned literal that continues.
        let goes_on = || {
            let end = at + 2 + literal(&text[at + 1..], bytes[*at])?;
            next(text, end, bytes[*at])
        };
        let assigned = text[..*at].trim_end().ends_with(['=', '(']);
        begins || assigned && goes_on().is_some()
    })
}

/// Returns the length of a literal up to its closing quote on the same line.
fn literal(inside: &str, quote: u8) -> Option<usize> {
    let mut at = 0;
    while let Some(found) = memchr::memchr3(quote, b'\\', b'\n', &inside.as_bytes()[at..]) {
        match inside.as_bytes()[at + found] {
            b'\\' => at = (at + found + 2).min(inside.len()),
            b'\n' => return None,
            _ => return Some(at + found),
        }
    }
    None
}

/// Returns the place of the next literal, together with the connection to the previous one: blanks,
/// an operator, the number of a chunk.
fn next(text: &str, end: usize, quote: u8) -> Option<usize> {
    let joins = |sign: char| sign.is_whitespace() || "+\\.&,".contains(sign);
    let rest = &text[end..];
    let behind = rest.trim_start_matches(joins);
    // `0:"…"` in the lines of a stream.
    let numbered = behind.trim_start_matches(|sign: char| sign.is_ascii_digit());
    let numbered = numbered
        .strip_prefix(':')
        .filter(|_| rest.starts_with('\n'));
    let behind = numbered.unwrap_or(behind);
    (behind.len() < rest.len() && behind.as_bytes().first() == Some(&quote))
        .then(|| text.len() - behind.len())
}

//! Decoders of values with another layer of escaping: as the inside of a string, as a field of a
//! CSV file, or for Markdown.

use core::ops::Range;

use crate::reply::sources::map::{Derived, Means, rewritten};

/// Escaped quotes and brackets.
const QUOTE_CODES: &[&str] = &["\\u0022", "\\u007b", "\\u007B"];

/// Characters that Markdown and LaTeX escape.
const MARKS: &[u8] = b"_*[]{}()#+-.!|<>~$%&=`";

/// The escape of a backslash in LaTeX.
const BACKSLASH: &str = "\\textbackslash{}";

/// Returns the part of a text from its first bracket to its last one.
fn bracketed(text: &str) -> Option<Range<usize>> {
    let first = memchr::memchr2(b'{', b'[', text.as_bytes())?;
    let last = memchr::memrchr2(b'}', b']', text.as_bytes()).map_or(text.len(), |last| last + 1);
    (first < last).then_some(first..last)
}

/// Removes the backslashes of a reply that is the inside of a string: `{\\"a\\": \\"b\\"}`. The text
/// before the value may not be escaped.
pub(crate) fn backslashes(text: &str) -> Option<Derived> {
    let start = text.len() - text.trim_start().len();
    let start = match text[start..].starts_with("\\\"") {
        true => start,
        false if QUOTE_CODES.iter().any(|code| text.contains(code)) => 0,
        false => {
            let part = bracketed(text)?;
            let start = part.start;
            let (quotes, bare) = escaped(&text.as_bytes()[part], *b"\"\"");
            // The last quotes may close a string around the value.
            if quotes == 0 || bare > 1 + quotes / 8 || !is_delimiter(&text[start..]) {
                return None;
            }
            start
        }
    };
    let mut derived = Derived::default();
    derived.push(0, &text[..start]);
    derived.push_unescaped(start, &text[start..]);
    Some(derived.finish(text, text.len()))
}

/// Returns `true` if the first double quote of a value begins a string, and is not a part of one in
/// other quotes: `{“a”: “\"”}`.
fn is_delimiter(value: &str) -> bool {
    let quote = memchr::memchr(b'"', value.as_bytes()).unwrap_or(value.len());
    let bare = |c: char| c.is_alphanumeric() || c.is_whitespace() || "{}[],:.-_\\/*#".contains(c);
    value[..quote].chars().all(bare)
}

/// Returns the numbers of quotes or brackets that a backslash escapes, and of those without one
/// before them. The brackets of commands do not count: `\\boxed{`.
fn escaped(bytes: &[u8], signs: [u8; 2]) -> (usize, usize) {
    memchr::memchr2_iter(signs[0], signs[1], bytes).fold((0, 0), |(escaped, bare), at| {
        let run = bytes[..at].iter().rev().take_while(|byte| **byte == b'\\');
        let run = run.take(64).count();
        let command = at > 0 && bytes[at] != b'"' && bytes[at - 1].is_ascii_alphabetic();
        (escaped + run % 2, bare + usize::from(run == 0 && !command))
    })
}

/// Undoes the doubled quotes of CSV fields, `"{""a"": 1}"`, with the quotes around them.
pub(crate) fn doubled_quotes(text: &str) -> Option<Derived> {
    let part = bracketed(text)?;
    let bytes = text.as_bytes();
    let inside = bytes[part.start..]
        .trim_ascii_start()
        .get(1..)?
        .trim_ascii_start();
    let inside = inside
        .strip_prefix(b"{")
        .unwrap_or(inside)
        .trim_ascii_start();
    if !inside.starts_with(b"\"\"") || inside.get(2).is_none_or(|byte| b":,]} \"".contains(byte)) {
        return None;
    }
    let (mut pairs, mut single) = (0, 0);
    let derived = rewritten(text, |text, at| {
        let is_quote = bytes[at] == b'"' && at + 1 >= part.start && at <= part.end;
        if !is_quote {
            return None;
        }
        if bytes.get(at + 1) == Some(&b'"') {
            pairs += 1;
            return Some((Means::Char('"'), 2));
        }
        let opens = text[at + 1..].starts_with(['{', '[']);
        let closes = text[..at].ends_with(['}', ']']);
        single += usize::from(!opens && !closes);
        (opens || closes).then_some((Means::Nothing, 1))
    });
    derived.filter(|_| pairs > 4 * single)
}

/// Removes the backslashes that protect characters from Markdown or LaTeX: `\{"a\_b": \[1\]\}`.
pub(crate) fn markdown(text: &str) -> Option<Derived> {
    let bytes = text.as_bytes();
    // Each brace is escaped, or otherwise each bracket: in `{"a": "\\[x\\]"}`, only a formula is.
    let of_braces = Some(escaped(bytes, *b"{{")).filter(|found| *found != (0, 0));
    let (brackets, bare) = of_braces.unwrap_or_else(|| escaped(bytes, *b"[["));
    if brackets == 0 || bare > 0 {
        return None;
    }
    // If backslashes are doubled, a letter has no single one before it.
    let (mut doubled, mut at) = (true, 0);
    while let Some(next) = memchr::memchr(b'\\', &bytes[at..]) {
        let sign = bytes.get(at + next + 1).copied().unwrap_or_default();
        let known = sign == b'\\' || MARKS.contains(&sign);
        doubled &= known || text[at + next..].starts_with(BACKSLASH);
        // `\d`, `\(`: a regular expression rather than Markdown.
        if !known && !b"\"/bfnrtu".contains(&sign) {
            return None;
        }
        at += next + 2;
    }
    rewritten(text, |text, at| {
        let sign = *text.as_bytes()[at..].strip_prefix(b"\\")?.first()?;
        if text[at..].starts_with(BACKSLASH) {
            return Some((Means::Char('\\'), BACKSLASH.len()));
        }
        let plain = sign == b'\\' && doubled || MARKS.contains(&sign);
        plain.then_some((Means::Char(sign as char), 2))
    })
}

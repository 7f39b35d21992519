//! Diffs between two versions of a reply, with a marker before each added or removed line.

use alloc::vec::Vec;

use crate::base::repair::RepairKind;
use crate::parser::look::scalars::is_number;
use crate::reply::channel::decoded::DecodedText;
use crate::scan::peek;

#[cfg(test)]
mod tests;

/// Removes the diff markers from blocks of lines, and from blocks with both markers also the
/// removed lines. A block ends at an empty line or at one that is neither JSON nor marked.
pub(crate) fn changes(text: &str) -> Option<DecodedText> {
    let mut taken = DecodedText::of(RepairKind::LinePrefixes);
    let (mut at, mut any) = (0, false);
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let is_hunk = |line: &str| line.starts_with("@@");
    let of_block = |line: &&str| {
        !line.trim().is_empty() && (is_hunk(line) || is_marked(line) || is_json_line(line))
    };
    for block in lines.chunk_by(|one, next| of_block(one) && of_block(next)) {
        let marks = |sign: u8| {
            let mut lines = block.iter();
            lines.any(|line| line.as_bytes()[0] == sign && is_marked(line))
        };
        let (adds, removes) = (marks(b'+'), marks(b'-'));
        // `+    print("hello", "world")` is within a string: its lines keep their markers.
        let mut marked = block.iter().filter(|line| is_marked(line));
        let is_value = (adds || removes) && marked.all(|line| is_json_line(&line[1..]));
        any |= is_value;
        for line in block {
            let mark = usize::from(is_value && is_marked(line));
            // Markdown lists have a dash before each line, but no removed lines.
            let out = mark > 0 && adds && line.starts_with('-');
            if !(out || is_value && is_hunk(line)) {
                taken.push(at + mark, &line[mark..]);
            }
            at += line.len();
        }
    }
    taken.end(text.len());
    any.then_some(taken)
}

/// Returns `true` if a line begins with a valid JSON token: a bracket, a key with its colon, or a
/// scalar before a comma, a closer or the end of the line. `"a": 1` does, `"a" b` does not.
fn is_json_line(line: &str) -> bool {
    let line = line.trim();
    let ends = |rest: &str| match rest.as_bytes() {
        [] | [b'}' | b']' | b':', ..] => true,
        [b',', ..] => {
            let next = rest[1..].trim_start();
            next.is_empty() || next.starts_with(|c: char| "\"{[-0123456789tfn".contains(c))
        }
        _ => false,
    };
    match line.as_bytes() {
        [] | [b'{' | b'}' | b'[' | b']', ..] => true,
        [b'"', rest @ ..] => {
            let mut escaped = false;
            let end = rest.iter().position(|byte| {
                let closes = *byte == b'"' && !escaped;
                escaped = *byte == b'\\' && !escaped;
                closes
            });
            end.is_some_and(|end| ends(line[end + 2..].trim_start()))
        }
        _ => {
            let end = line.find([',', '}', ']', ' ']).unwrap_or(line.len());
            let (word, rest) = line.split_at(end);
            let scalar = matches!(
                word,
                "true" | "false" | "null" | "NaN" | "Infinity" | "-Infinity"
            ) || is_number(word);
            scalar && ends(rest.trim_start())
        }
    }
}

/// Returns `true` if a line begins like a line of a diff: a marker, followed by white space or a
/// token, `+ "a": 1`. `+1` does not.
fn is_marked(line: &str) -> bool {
    let next = peek(line.as_bytes(), 1);
    matches!(line.as_bytes().first(), Some(b'+' | b'-'))
        && (matches!(next, 0..=b' ' | b'"' | b'\'' | b'{' | b'}' | b'[' | b']')
            || next.is_ascii_alphabetic())
}

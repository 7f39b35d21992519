//! Answers in several parts: a truncated value that continues in the next fence, turn or message.

use alloc::vec;
use alloc::vec::Vec;

use crate::base::repair::RepairKind;
use crate::reply::channel::decoded::DecodedText;
use crate::zones::turns::{parts_at, turn_in};

/// Maximum number of bytes of the previous part that a part repeats.
const OVERLAP_MAX: usize = 4096;

/// Minimum number of characters that a part repeats: fewer may be accidental.
const OVERLAP_MIN: usize = 12;

/// Joins the parts of a reply, without the text between them.
pub(crate) fn joined(text: &str) -> Option<DecodedText> {
    let parts = fenced(text).or_else(|| parted(text))?;
    // Neither a question that the model made up nor its answer is a part.
    let first = parts.first()?.1;
    if turn_in(text, first.saturating_sub(1)..parts.last()?.1).is_some() {
        return None;
    }
    let mut taken = DecodedText::of(RepairKind::JoinedParts);
    let first = parts.first()?.0;
    taken.push(0, &text[..first]);
    let begun = beginning(&text[first..]);
    let mut before: Option<&str> = None;
    for &(start, end) in &parts {
        let part = text[start..end].trim_end_matches(['\n', '\r']);
        let blank = part.len() - part.trim_start_matches(['\n', '\r']).len();
        let (start, part) = (start + blank, &part[blank..]);
        // Only a truncated part can continue.
        if before.is_none() && !is_cut(part) {
            return None;
        }
        let mut repeated = 0;
        if let Some(before) = before {
            let space = part.len() - part.trim_start().len();
            // A part that restarts the value is not a continuation.
            if part[space..].starts_with(['{', '[']) && begun == beginning(&part[space..]) {
                return None;
            }
            let found = overlap(before, part);
            let spaced = overlap(before, &part[space..]);
            repeated = if spaced > 0 && found == 0 {
                space + spaced
            } else {
                found
            };
        }
        taken.push(start + repeated, &part[repeated..]);
        before = Some(part);
    }
    let last = parts.last()?.1;
    taken.push(last, "\n");
    taken.push(last, &text[last..]);
    taken.end(text.len());
    Some(taken)
}

/// Returns `true` if a text ends within a string or a container.
pub(super) fn is_cut(part: &str) -> bool {
    let (mut depth, mut quoted, mut escaped) = (0i32, false, false);
    for byte in part.bytes() {
        match byte {
            b'"' if !escaped => quoted = !quoted,
            b'{' | b'[' if !quoted => depth += 1,
            b'}' | b']' if !quoted => depth -= 1,
            _ => {}
        }
        escaped = byte == b'\\' && !escaped;
    }
    quoted || depth > 0
}

/// Returns the first characters of a text without white space: a bracket and a key.
fn beginning(text: &str) -> Vec<char> {
    let signs = text.chars().filter(|sign| !sign.is_whitespace());
    signs.take(8).collect()
}

/// Returns the places of the fenced texts, if there are several.
fn fenced(text: &str) -> Option<Vec<(usize, usize)>> {
    let mut parts = Vec::new();
    let (mut at, mut open) = (0, None);
    for line in text.split_inclusive('\n') {
        let mark = line.trim();
        if mark.starts_with("```") {
            match open {
                None => open = Some(at + line.len()),
                Some(_) if mark != "```" => return None,
                Some(start) => {
                    parts.push((start, at));
                    open = None;
                }
            }
        }
        at += line.len();
    }
    if let Some(start) = open {
        parts.push((start, text.len()));
    }
    (parts.len() > 1).then_some(parts)
}

/// Returns the places of the parts between notices and turns.
fn parted(text: &str) -> Option<Vec<(usize, usize)>> {
    let mut parts = Vec::new();
    let (mut at, mut start, mut end) = (0, 0, None);
    for line in text.split_inclusive('\n') {
        if parts_at(line) {
            end = end.or(Some(at));
            start = at + line.len();
        } else if let Some(end) = end.take() {
            parts.push(end);
            parts.push(start);
        }
        at += line.len();
    }
    if parts.is_empty() {
        return None;
    }
    let last = end.unwrap_or(text.len());
    let mut places = vec![(0, 0)];
    for pair in parts.chunks(2) {
        let open = places.len() - 1;
        places[open].1 = pair[0];
        places.push((pair[1], last));
    }
    Some(places)
}

/// Returns the length of the longest suffix of `before` with which `part` begins, in linear time,
/// or 0 if the match may be accidental.
fn overlap(before: &str, part: &str) -> usize {
    let tail = &before.as_bytes()[before.len().saturating_sub(OVERLAP_MAX)..];
    let head = &part.as_bytes()[..part.len().min(OVERLAP_MAX)];
    if head.is_empty() {
        return 0;
    }
    // The longest proper suffix of each prefix of the part that is also a prefix.
    let mut border = vec![0; head.len()];
    let mut length = 0;
    for at in 1..head.len() {
        while length > 0 && head[at] != head[length] {
            length = border[length - 1];
        }
        length += usize::from(head[at] == head[length]);
        border[at] = length;
    }
    length = 0;
    for byte in tail {
        while length > 0 && (length == head.len() || head[length] != *byte) {
            length = border[length - 1];
        }
        length += usize::from(head[length] == *byte);
    }
    let repeated = part.get(..length).unwrap_or_default();
    match repeated.chars().count() {
        OVERLAP_MIN.. => length,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::overlap;

    #[test]
    fn overlaps_are_found() {
        assert_eq!(
            overlap("{\"a\": 1, \"my boats\": [", "\"my boats\": [1]"),
            13
        );
        assert_eq!(overlap("abcabcabcabcabc", "abcabcabcabcabcd"), 15);
        assert_eq!(overlap("{\"a\": 1", "1}"), 0);
        assert_eq!(overlap("", "x"), 0);
        assert_eq!(overlap("x", ""), 0);
    }
}

//! Streams that were resumed a little before the place at which they broke off: the text before
//! that place occurs twice in succession, and strict JSON ends there.

use alloc::borrow::Cow;
use alloc::vec::Vec;
use core::ops::Range;

use smallvec::SmallVec;

use crate::reply::sources::map::Derived;
use crate::scan::{has_control, quoted, skip_space};

/// Number of bytes before the end of strict JSON that are searched for repeated text, and maximum
/// length of such text.
const LOOK: usize = 1024;

/// Number of bytes after the end of strict JSON in which a repeat may begin. Further away it did not
/// end the JSON.
const BEHIND: usize = 64;

/// Minimum number of bytes that are repeated: fewer may be accidental.
const REPEAT_MIN: usize = 8;

/// Maximum number of bytes of white space between the two.
const GAP_MAX: usize = 4;

/// Maximum number of repeats that are removed.
const REPEATS_MAX: usize = 8;

/// Maximum number of places that are tried for each.
const TRIED_MAX: usize = 3;

/// Removes text that repeats the text before it, where that makes more of a reply strict JSON.
pub(crate) fn without_repeats(text: &str) -> Option<Derived> {
    let start = memchr::memchr2(b'{', b'[', text.as_bytes())?;
    let mut bytes = Cow::Borrowed(text.as_bytes());
    let mut removed: Vec<Range<usize>> = Vec::new();
    let mut end = strict_end(&bytes, start);
    while removed.len() < REPEATS_MAX {
        let mut found = repeats(&bytes, end);
        found.sort_by_key(|repeat| usize::MAX - repeat.len());
        let better = found.into_iter().take(TRIED_MAX).filter_map(|repeat| {
            let mut rest = bytes.to_vec();
            rest.drain(repeat.clone());
            let new = strict_end(&rest, start);
            let before = end.min(repeat.end) - end.min(repeat.start);
            let gains = new > end - before && new > repeat.start;
            gains.then_some((new, repeat, rest))
        });
        let Some((new, repeat, rest)) = better.max_by_key(|(new, ..)| *new) else {
            break;
        };
        (bytes, end) = (Cow::Owned(rest), new);
        removed.push(repeat);
    }
    if removed.is_empty() {
        return None;
    }
    // Each place is one in the text without the repeats that were removed before.
    let mut derived = Derived::default();
    let whole = 0..text.len();
    let mut kept = alloc::vec![whole];
    for repeat in removed {
        kept = without(&kept, &repeat);
    }
    for part in &kept {
        derived.push(part.start, text.get(part.clone())?);
    }
    let last = kept.last()?.end;
    Some(derived.finish(text, last))
}

/// Removes a range of the text that consists of these parts.
fn without(parts: &[Range<usize>], range: &Range<usize>) -> Vec<Range<usize>> {
    let mut left = Vec::with_capacity(parts.len() + 1);
    let mut before = 0;
    for part in parts {
        let place = |at: usize| part.start + at.clamp(before, before + part.len()) - before;
        let (from, to) = (place(range.start), place(range.end));
        left.extend(
            [part.start..from, to..part.end]
                .into_iter()
                .filter(|one| !one.is_empty()),
        );
        before += part.len();
    }
    left
}

/// Returns the places near `end` of texts that repeat the text directly before them.
fn repeats(bytes: &[u8], end: usize) -> Vec<Range<usize>> {
    let from = end.saturating_sub(LOOK);
    let near = &bytes[from..bytes.len().min(end + BEHIND)];
    // Each place after `from`, or 0 for none, by the first bits of a hash of the text there.
    let bits = near.len().next_power_of_two().trailing_zeros() + 1;
    let mut places: SmallVec<[u16; 1 << 9]> = smallvec::smallvec![0; 1 << bits];
    let mut found: Vec<Range<usize>> = Vec::new();
    // The distance of the last repeat, and its end.
    let mut last = (0, 0);
    let words = (from..).zip(near.array_windows::<REPEAT_MIN>());
    // Indentation is alike everywhere.
    for (at, word) in words.filter(|(_, word)| !word.starts_with(b"    ")) {
        let hash = u64::from_le_bytes(*word).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let place = &mut places[(hash >> (64 - bits)) as usize];
        let before = usize::from(*place);
        *place = (at - from + 1) as u16;
        let Some(before) = before.checked_sub(1).map(|before| from + before) else {
            continue;
        };
        let distance = at - before;
        let is_known = last.0 == distance && at < last.1;
        if distance < REPEAT_MIN || is_known || near[before - from..][..REPEAT_MIN] != *word {
            continue;
        }
        let same = |at: &usize| bytes[*at] == bytes[*at - distance];
        // Text that repeats the text directly before it is as long as the distance.
        let half = distance.saturating_sub(GAP_MAX + REPEAT_MIN) / 2;
        let (left, right) = (at.saturating_sub(half), at + REPEAT_MIN - 1 + half);
        let is_left = left >= from + distance && same(&left);
        if !(is_left || right < bytes.len() && same(&right)) {
            continue;
        }
        let begin = at - (from + distance..at).rev().take_while(same).count();
        let stop = at + (at..bytes.len().min(at + LOOK)).take_while(same).count();
        last = (distance, stop);
        let length = distance.min(stop - begin);
        let gap = begin + length - distance..begin;
        let is_gap = gap.len() <= GAP_MAX && bytes[gap].trim_ascii().is_empty();
        let repeat = begin + length - distance..begin + length;
        if is_gap && length >= REPEAT_MIN && !is_item(&bytes[repeat.clone()]) {
            found.push(repeat);
        }
    }
    found
}

/// Returns `true` for a whole string with the comma beside it, and for brackets in indented lines:
/// items and brackets may be equal.
fn is_item(repeat: &[u8]) -> bool {
    let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || !byte.is_ascii();
    if !repeat.iter().any(is_word) {
        return true;
    }
    let is_outside = |byte: &u8| matches!(byte, b' ' | b',');
    let start = repeat.iter().take_while(|byte| is_outside(byte)).count();
    let end = repeat.len()
        - repeat
            .iter()
            .rev()
            .take_while(|byte| is_outside(byte))
            .count();
    let string = repeat.get(start..end).unwrap_or_default();
    string.len() > 1
        && string.starts_with(b"\"")
        && memchr::memchr(b'"', &string[1..]) == Some(string.len() - 2)
}

/// Returns the offset up to which the text from `start` on is strict JSON.
fn strict_end(bytes: &[u8], start: usize) -> usize {
    let mut open: Vec<u8> = Vec::new();
    let mut at = start;
    // The bytes that may follow: a key is a string, and a value begins in any other way.
    let (mut is_key, mut want) = (false, b'v');
    loop {
        let (byte, place) = skip_space(bytes, at);
        let innermost = open.last().copied().unwrap_or(0);
        let closes = byte != 0 && byte == innermost + 2 && want != b':';
        at = match (want, byte) {
            (b',' | b'v', b'}' | b']') if closes => {
                open.pop();
                want = b',';
                place + 1
            }
            (b':', b':') => {
                (is_key, want) = (false, b'v');
                place + 1
            }
            (b',', b',') if innermost != 0 => {
                (is_key, want) = (innermost == b'{', b'v');
                place + 1
            }
            (b'v', b'"') => match quoted(bytes, place + 1) {
                Some(string) if string.suspect && has_control(&bytes[place..string.end]) => {
                    let control = bytes[place..].iter().position(|byte| *byte < b' ');
                    return place + control.unwrap_or_default();
                }
                Some(string) => {
                    want = if is_key { b':' } else { b',' };
                    is_key = false;
                    string.end + 1
                }
                None => return place,
            },
            (b'v', b'{' | b'[') if !is_key => {
                open.push(byte);
                is_key = byte == b'{';
                place + 1
            }
            (b'v', b'-' | b'0'..=b'9' | b't' | b'f' | b'n') if !is_key => {
                want = b',';
                let word = |byte: &&u8| byte.is_ascii_alphanumeric() || b"+-.".contains(byte);
                place + bytes[place..].iter().take_while(word).count()
            }
            _ => return place,
        };
        if open.is_empty() {
            return at;
        }
    }
}

//! Answers in several parts: a truncated value that continues in the next fence, turn or message,
//! or that restarts, and turns that the model made up after its answer.

use alloc::vec;
use alloc::vec::Vec;
use core::ops::Range;

use crate::reply::sources::map::Derived;
use crate::reply::sources::state::is_cut;
use crate::scan::lines;
use crate::zones::fence::{FenceLine, Fences, fence_run};
use crate::zones::lexicon::{DATA_FENCES, Word, words};
use crate::zones::sentences::{Sentence, sentences};
use crate::zones::turns::{begins_with_other, ends_in_turn, parts_at, turn_in};

/// Maximum number of bytes of the previous part that a part repeats.
const OVERLAP_MAX: usize = 4096;

/// Minimum number of bytes that a part repeats: fewer may be accidental.
const OVERLAP_MIN: usize = 12;

/// Number of bytes before a restart that are searched for words about it.
const WORDS_BYTES: usize = 160;

/// Maximum number of places with the same beginning that are not restarts.
const OTHERS_MAX: usize = 8;

/// Number of characters in which two beginnings of one value agree.
const SIGNS: usize = 8;

/// Joins the parts of a reply, without the text between them.
pub(crate) fn joined(text: &str) -> Option<Derived> {
    let parts = fenced(text).or_else(|| parted(text))?;
    let (first, last) = (parts.first()?.clone(), parts.last()?.end);
    // Neither a question that the model made up nor its answer is a part.
    if turn_in(text, first.end.saturating_sub(1)..last).is_some() {
        return None;
    }
    let mut derived = Derived::default();
    derived.push(0, &text[..first.start]);
    let begun = &text[first.start..];
    let mut before: Option<&str> = None;
    for part in parts {
        let whole = text[part.clone()].trim_end_matches(['\n', '\r']);
        let inside = whole.trim_start_matches(['\n', '\r']);
        let start = part.start + whole.len() - inside.len();
        let repeated = match before {
            // Only a truncated part can continue.
            None if !is_cut(inside) => return None,
            None => 0,
            Some(before) => {
                let bare = inside.trim_start();
                // A part that restarts the value is not a continuation.
                if bare.starts_with(['{', '[']) && begins_alike(bare, begun) {
                    return None;
                }
                match (overlap(before, inside), overlap(before, bare)) {
                    (0, spaced) if spaced > 0 => inside.len() - bare.len() + spaced,
                    (found, _) => found,
                }
            }
        };
        derived.push(start + repeated, &inside[repeated..]);
        before = Some(inside);
    }
    derived.push(last, "\n");
    Some(derived.finish(text, last))
}

/// Returns the places of the fenced texts, if there are several.
fn fenced(text: &str) -> Option<Vec<Range<usize>>> {
    memchr::memchr2(b'`', b'~', text.as_bytes())?;
    let (mut parts, mut fences) = (Vec::new(), Fences::default());
    let (mut at, mut start, mut first) = (0, 0, None);
    for line in lines(text) {
        let next = at + line.len();
        match fences.line(line) {
            // Code in a string, in another language than the value.
            FenceLine::Opens(info)
                if *first.get_or_insert(info) != info && !DATA_FENCES.contains(&info) =>
            {
                return None;
            }
            FenceLine::Opens(_) => start = next,
            FenceLine::Closes => parts.push(start..at),
            FenceLine::Content => {}
        }
        at = next;
    }
    parts.extend(fences.is_open().then_some(start..at));
    (parts.len() > 1).then_some(parts)
}

/// Returns the places of the parts between notices and turns, if there are several.
fn parted(text: &str) -> Option<Vec<Range<usize>>> {
    let mut parts: Vec<Range<usize>> = vec![Range::default()];
    let (mut at, mut between) = (0, false);
    for line in lines(text) {
        let next = at + line.len();
        match parts_at(line) {
            true => between = true,
            false if between => {
                parts.push(at..next);
                between = false;
            }
            false => parts.last_mut()?.end = next,
        }
        at = next;
    }
    (parts.len() > 1).then_some(parts)
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
    let mut borders = vec![0; head.len()];
    let step = |borders: &[usize], mut length: usize, byte: u8| {
        while length > 0 && (length == head.len() || head[length] != byte) {
            length = borders[length - 1];
        }
        length + usize::from(head[length] == byte)
    };
    for at in 1..head.len() {
        borders[at] = step(&borders, borders[at - 1], head[at]);
    }
    let length = tail
        .iter()
        .fold(0, |length, byte| step(&borders, length, *byte));
    match part.is_char_boundary(length) && length >= OVERLAP_MIN {
        true => length,
        false => 0,
    }
}

/// Returns `true` if two texts begin with the same characters other than white space: a bracket, a
/// key and more.
fn begins_alike(one: &str, other: &str) -> bool {
    let [one, other] = [one, other].map(|text| {
        let signs = text.chars().filter(|sign| !sign.is_whitespace());
        signs.take(SIGNS)
    });
    one.eq(other)
}

/// Returns the part of a reply before a turn that the model made up: after a value, in a reply that
/// does not begin with a turn.
pub(crate) fn before_turn(text: &str) -> Option<Derived> {
    let first = memchr::memchr2(b'{', b'[', text.as_bytes())?;
    // An echoed prompt with turns, which holds an example.
    let is_prompt = || !text[..first].trim().is_empty() && ends_in_turn(text);
    if first > 0 && (begins_with_other(text) || turn_in(text, 0..first).is_some() || is_prompt()) {
        return None;
    }
    let turn = turn_in(text, first..text.len())?;
    Some(Derived::part(text, 0..text[..turn].trim_end().len()))
}

/// Returns the part of a reply from the last restart of its value on: after words that announce it,
/// in the middle of a token, or where all before it is repeated.
pub(crate) fn from_restart(text: &str) -> Option<Derived> {
    let bytes = text.as_bytes();
    let start = memchr::memchr2(b'{', b'[', bytes)?;
    let again = memchr::memchr_iter(bytes[start], &bytes[start + 1..]);
    let places = again.map(|at| start + 1 + at);
    let same = places.filter(|at| begins_alike(&text[*at..], &text[start..]));
    let (mut last, mut others) = (start, 0);
    for at in same {
        match restarts(text, last, at) {
            true => last = at,
            false if others == OTHERS_MAX => break,
            false => others += 1,
        }
    }
    (last > start).then(|| Derived::part(text, last..text.len()))
}

/// Returns `true` if the value at `start` is abandoned and begins again at a place.
fn restarts(text: &str, start: usize, at: usize) -> bool {
    let mut begun = text[start..at].trim_end();
    // The value may begin again in another fence.
    while let Some((before, line)) = begun.rsplit_once('\n')
        && fence_run(line).is_some()
    {
        begun = before.trim_end();
    }
    if !is_cut(begun) {
        return false;
    }
    // A value may contain another one with the same beginning, but not with the same members.
    let in_token = !begun.ends_with([':', ',', '[', '{', '(']);
    if begun.len() >= OVERLAP_MIN
        && (in_token || begun.contains(','))
        && text[at..].starts_with(begun)
    {
        return true;
    }
    if !begun.ends_with(|sign: char| sign.is_alphabetic() || ".:!?…".contains(sign)) {
        return false;
    }
    let from = begun.ceil_char_boundary(begun.len().saturating_sub(WORDS_BYTES));
    let near = &begun[from..];
    // Words on a line between the two, or words of regret after the unfinished value.
    let line = near.rsplit_once('\n').map(|(_, line)| line);
    let is_line = line.is_some_and(|line| !line.contains(['"', '\'', '{', '[']) && is_prose(line));
    let open = near
        .rfind(['"', '{', '[', '}', ']'])
        .map_or(0, |sign| sign + 1);
    is_line || sentences(&near[open..]).any(|one| Sentence::of(one).corrects())
}

/// Returns `true` if a line is prose: two words of letters and a delimiter at its end.
fn is_prose(line: &str) -> bool {
    let is_word = |word: &Word<'_>| word.text.chars().all(char::is_alphabetic);
    let ends = line.ends_with(['.', ':', '!', '?', '…', '：', '。']);
    ends && words(line).filter(is_word).count() >= 2
}

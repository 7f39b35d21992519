//! The places in a text at which the schema's keys are written, and the punctuation around them.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::rc::Rc;

use super::place::{Key, NAME_MAX, Places, normal};
use super::region::Line;

/// Maximum number of words of a key, and of bytes around a key that may be part of the notation.
const WORDS: usize = 5;
pub(super) const AROUND: usize = 32;

/// A key of the schema in the text.
#[derive(Clone, Debug)]
pub(super) struct Anchor {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) key: Key,
    /// The beginning of the path before it: of `order.` in `order.total = 3`.
    pub(super) head: usize,
    /// The punctuation between the key and its value, without white space and quotes.
    pub(super) sign: Rc<str>,
    /// The words before it on its line, if they are few: `set `.
    pub(super) lead: Option<Rc<str>>,
    /// The number of its sign and, if it has one, of its lead, for grouping.
    pub(super) written: (u32, Option<u32>),
    /// The column of its line, its own, and the number of open brackets before it.
    pub(super) column: usize,
    pub(super) inset: usize,
    pub(super) depth: usize,
    /// The key closes a value, as in `</name>` and `END name`.
    pub(super) closes: bool,
    /// The key is part of the path before another key, as `order` is in `order.total`.
    pub(super) path: bool,
    /// The anchor that closes its value.
    pub(super) close: Option<usize>,
}

impl Anchor {
    /// Returns `true` if nothing but punctuation precedes it on its line.
    pub(super) fn leads(&self) -> bool {
        self.lead.as_deref() == Some("")
    }
}

/// Finds the keys in some lines.
pub(super) fn anchors(text: &str, lines: &[Line], places: &Places<'_>) -> Vec<Anchor> {
    let (mut all, mut depth, mut numbers) = (Vec::new(), 0_usize, Numbers::default());
    for line in lines {
        let content = &text[line.at..line.end];
        places.charge(8 * content.len());
        let (mut at, mut counted, mut inset) = (0, 0, line.column);
        while at < content.len() {
            let rest = &content[at..];
            let Some(word) = rest.chars().next() else {
                break;
            };
            if !word.is_alphanumeric() {
                at += word.len_utf8();
                continue;
            }
            let run = run_of(rest);
            let found = places.may_begin(&rest[..run]).then(|| key_at(rest, places));
            match found.flatten() {
                Some((key, length)) if is_apart(&content[..at]) => {
                    depth = open_after(&content[counted..at], depth);
                    inset += content[counted..at].chars().count();
                    counted = at;
                    let place = (key, at..at + length);
                    let one = anchor(text, line, place, (inset, depth), &mut numbers);
                    let outer = all
                        .iter_mut()
                        .rev()
                        .take_while(|outer: &&mut Anchor| outer.start >= one.head);
                    outer.for_each(|outer| outer.path = true);
                    all.push(one);
                    at += length;
                }
                _ => at += run,
            }
        }
        depth = open_after(&content[counted..], depth);
    }
    pair(&mut all);
    all.shrink_to_fit();
    all
}

/// Texts that anchors share, with their numbers.
#[derive(Default)]
struct Numbers(BTreeMap<Rc<str>, u32>);

impl Numbers {
    fn of(&mut self, text: &str) -> (Rc<str>, u32) {
        if let Some((text, number)) = self.0.get_key_value(text) {
            return (Rc::clone(text), *number);
        }
        let (text, number) = (Rc::from(text), self.0.len() as u32);
        self.0.insert(Rc::clone(&text), number);
        (text, number)
    }
}

/// Returns the length of the word at the beginning of a text.
fn run_of(text: &str) -> usize {
    let ascii = { text.bytes() }
        .take_while(u8::is_ascii_alphanumeric)
        .count();
    match text.as_bytes().get(ascii) {
        Some(byte) if !byte.is_ascii() => text
            .find(|c: char| !c.is_alphanumeric())
            .unwrap_or(text.len()),
        _ => ascii,
    }
}

/// Returns `true` if no word of an identifier precedes.
fn is_apart(before: &str) -> bool {
    let outer = before.trim_end_matches('_');
    outer.len() == before.len() || !outer.ends_with(char::is_alphanumeric)
}

/// Returns the longest key at the beginning of a text, and its length.
fn key_at(text: &str, places: &Places<'_>) -> Option<(Key, usize)> {
    let (mut end, mut found, mut name) = (0, None, Cow::Borrowed(""));
    for _ in 0..WORDS {
        let run = run_of(&text[end..]);
        if run == 0 {
            break;
        }
        let word = normal(&text[end..end + run]);
        match name.is_empty() {
            true => name = word,
            false => name.to_mut().push_str(&word),
        }
        end += run;
        let rest = &text[end..];
        let inner = rest.trim_start_matches('_');
        let is_whole = inner.len() == rest.len() || !inner.starts_with(char::is_alphanumeric);
        let (key, goes_on) = places.keys_from(&name);
        if let Some(key) = key.filter(|_| is_whole && end <= NAME_MAX) {
            found = Some((key, end));
        }
        if !goes_on || !rest.starts_with([' ', '_', '-', '.']) {
            break;
        }
        end += 1;
    }
    found
}

fn open_after(part: &str, depth: usize) -> usize {
    part.bytes().fold(depth, |depth, byte| match byte {
        b'(' | b'[' | b'{' => depth + 1,
        b')' | b']' | b'}' => depth.saturating_sub(1),
        _ => depth,
    })
}

fn anchor(
    text: &str,
    line: &Line,
    (key, part): (Key, std::ops::Range<usize>),
    (inset, depth): (usize, usize),
    numbers: &mut Numbers,
) -> Anchor {
    let (start, end) = (line.at + part.start, line.at + part.end);
    let before = &text[line.at..start];
    let head = path_before(before).map_or(start, |length| start - length);
    let before = &text[line.at..head];
    let marks = before.trim_end_matches(|c: char| !c.is_alphanumeric());
    // `2. `
    let counted =
        !marks.is_empty() && marks.len() <= 3 && marks.bytes().all(|byte| byte.is_ascii_digit());
    let lead = match marks.is_empty() || counted {
        true => Some(""),
        false => Some(before).filter(|before| {
            before.len() <= AROUND && !marks.contains(|c: char| "=:;,.!?".contains(c))
        }),
    };
    let closing = before[marks.len()..].trim_start();
    let word = marks
        .rsplit(|c: char| !c.is_alphanumeric())
        .next()
        .unwrap_or_default();
    let closes = closing.ends_with('/')
        || ["end", "close"]
            .iter()
            .any(|end| word.eq_ignore_ascii_case(end));
    let sign = sign_after(&text[end..text.floor_char_boundary(end + AROUND)]);
    let (sign, number) = numbers.of(&sign);
    let (lead, lead_number) = lead.map(|lead| numbers.of(lead)).unzip();
    Anchor {
        start,
        end,
        key,
        head,
        written: (number, lead_number),
        sign,
        lead,
        column: line.column,
        inset: inset - text[head..start].chars().count(),
        depth,
        closes,
        path: false,
        close: None,
    }
}

/// Returns the length of a path at the end of a line so far: of `items[0].` and `$order['`.
fn path_before(before: &str) -> Option<usize> {
    let is_path = |c: char| c.is_alphanumeric() || "_.[]'\"->/".contains(c);
    let near = &before[before.ceil_char_boundary(before.len().saturating_sub(2 * AROUND))..];
    let path = &near[near.trim_end_matches(is_path).len()..];
    let path = path.trim_start_matches(|c: char| !c.is_alphanumeric());
    let joint = path.trim_end_matches(['[', '\'', '"', '>', '.', '/']);
    let sign = &path[joint.len()..];
    let joined = !sign.is_empty()
        && (joint.ends_with('-') || !sign.starts_with(['"', '\'', '>']))
        && !sign.ends_with("[/");
    (joined && !joint.is_empty()).then_some(path.len())
}

/// Returns the punctuation between a key and its value, up to the first space after it and without
/// quotes, marks and opening brackets. If there is none, returns the white space.
pub(super) fn sign_after(after: &str) -> Cow<'_, str> {
    // Most signs are single characters.
    if let [b':' | b'=' | b'>' | b',' | b';' | b')' | b'|', rest @ ..] = after.as_bytes()
        && rest
            .first()
            .is_none_or(|next| next.is_ascii_alphanumeric() || next.is_ascii_whitespace())
    {
        return Cow::Borrowed(&after[..1]);
    }
    let mut sign = String::new();
    if after.starts_with(" . ") {
        return Cow::Borrowed(" .");
    }
    let counted = after
        .strip_prefix('[')
        .and_then(|rest| rest.split_once(']'));
    let counted = counted.filter(|(count, _)| count.parse::<usize>().is_ok());
    // `[3]:` of an array with its length.
    let after = counted.map_or(after, |(_, rest)| rest);
    for mark in after.chars().take_while(|c| !c.is_alphanumeric()) {
        match mark {
            '\n' => break,
            _ if mark.is_whitespace() && sign.is_empty() => {}
            _ if mark.is_whitespace() => break,
            '"' | '\'' | '`' | '*' | '_' | '“' => {}
            '.' if sign == ".." => {}
            _ if mark != '.' && sign.ends_with(mark) => {}
            _ => sign.push(mark),
        }
    }
    let kept = sign
        .trim_end_matches(|c: char| "([{<-#$€£+&!".contains(c))
        .len();
    if kept > 0 {
        sign.truncate(kept);
        return Cow::Owned(sign);
    }
    if !sign.is_empty() {
        return Cow::Owned(sign);
    }
    let ends = after.trim_start_matches([' ', '\t', '\r', '*', '_']);
    match ends.strip_prefix('\n').map(str::trim_start) {
        Some(below) if below.starts_with(": ") => "\n:".into(),
        Some(_) => "\n".into(),
        None if ends.is_empty() => "\n".into(),
        None => String::from(after.chars().next().unwrap_or('\n')).into(),
    }
}

/// Pairs the keys before values with the keys that close the values.
fn pair(all: &mut [Anchor]) {
    if !all.iter().any(|one| one.closes) {
        return;
    }
    let mut open: BTreeMap<Key, Vec<usize>> = BTreeMap::new();
    for index in (0..all.len()).rev() {
        let ends = open.entry(all[index].key).or_default();
        match all[index].closes {
            true => ends.push(index),
            false => all[index].close = ends.pop(),
        }
    }
}

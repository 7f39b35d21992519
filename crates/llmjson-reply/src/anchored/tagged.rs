//! The arguments of a tool call between tags, whose call was taken off: `<parameter=key>value</parameter>`,
//! `<key>name</key><value>text</value>`. One sample suffices, because each value has its own closing tag.

use super::anchors::Anchor;
use super::delimiters::Delimiters;
use super::induced::Induced;
use super::tree::{Member, Name, Part, Value};
use super::{Found, Source, shaped};

/// The beginnings of opening and of closing tags, and their ends. The ones with bars are Kimi's.
const TAGS: [[&str; 3]; 2] = [["<|open|>", "<|close|>", "<|sep|>"], ["<", "</", ">"]];

/// The text before every tag of MiniMax.
const PREFIX: &str = "]<]minimax[>[";

/// Words in the names of tags around a key.
const KEYS: [&str; 3] = ["key", "name", "arg"];

/// A word in the names of tags around a type, which may precede a value.
const TYPE: &str = "type";

/// Maximum length of a tag, in bytes.
const TAG_BYTES_MAX: usize = 200;

/// A tag.
#[derive(Clone, Copy)]
struct Tag<'r> {
    /// The name as written, with its namespace and bars.
    name: &'r str,
    start: usize,
    end: usize,
    closes: bool,
}

/// Reads the members of an object whose keys are in tags or between them.
pub(super) fn read(source: &Source<'_, '_>) -> Option<Found> {
    let (text, places, region) = source.parts();
    let part = region.lines.first()?.at..region.lines.last()?.end;
    if !text[part.clone()].contains('<') || places.root.wants_list() {
        return None;
    }
    let reader = Induced::new(source, &region.lines);
    let mut members: Vec<Member> = Vec::new();
    let (mut at, mut begin) = (part.start, None);
    for (index, anchor) in reader.anchors.iter().enumerate() {
        if anchor.start < at || !reader.has(places.root, index) {
            continue;
        }
        let Some((first, opener)) = opener(text, anchor) else {
            continue;
        };
        let (value, end) = value(text, opener, part.end, places)?;
        let place = reader.member(places.root, index);
        let value = match place.wants_text() {
            true => Value::Text(value),
            false => reader.value(value, place, &Delimiters::default(), 1)?,
        };
        members.push((Name::at(anchor.start..anchor.end, Some(anchor.key)), value));
        begin = begin.or(Some(first));
        at = end;
    }
    let value = Value::Object(members);
    Some(shaped(source, value, begin?..at, None))
}

/// Returns the beginning of the tags before a value, and the last of them.
fn opener<'r>(text: &'r str, key: &Anchor) -> Option<(usize, Tag<'r>)> {
    let before = &text[..key.start];
    if let Some(tag) = tag_around(text, key.start) {
        let is_attribute = text[tag.start..key.start].contains('=');
        // `<city>`, where a prefix shows that it is part of a call.
        let is_element =
            tag.name == &text[key.start..key.end] && text[..tag.start].ends_with(PREFIX);
        return (!tag.closes && (is_attribute || is_element)).then_some((tag.start, tag));
    }
    let end = before.trim_end().len();
    let inner = before.trim_end().strip_suffix('>')?.len();
    let outer = tag_around(text, inner).filter(|tag| tag.end == end && !tag.closes)?;
    let is_key = KEYS.iter().any(|word| outer.name.contains(word));
    let mut next = tag_at(text, key.end)?;
    if next.closes {
        (next.name == outer.name).then_some(())?;
        next = tag_at(text, next.end)?;
    }
    if next.name.contains(TYPE) {
        let end = next.end + text[next.end..].find(['<', '\n'])?;
        let closer =
            tag_at(text, end).filter(|closer| closer.closes && closer.name == next.name)?;
        next = tag_at(text, closer.end)?;
    }
    (is_key && !next.closes).then_some((outer.start, next))
}

/// Returns the part of a value, and the end of its closing tag.
fn value(
    text: &str,
    opener: Tag<'_>,
    stop: usize,
    places: &super::Places<'_>,
) -> Option<(Part, usize)> {
    // The tags of one format begin alike: `<|arg:value|>x<|arg:end|>`.
    let family = |tag: Tag<'_>| tag.name.split(':').next() == opener.name.split(':').next();
    let has_bars = opener.name.starts_with('|');
    let mut at = opener.end;
    let closer = loop {
        let next = at + text.get(at..stop)?.find('<')?;
        places.charge(next - at + TAG_BYTES_MAX / 8);
        at = next + 1;
        let Some(tag) = tag_at(text, next) else {
            continue;
        };
        let is_own = tag.closes && tag.name == opener.name || has_bars && family(tag);
        let behind = text.get(tag.end..stop)?.trim_start();
        if is_own && (behind.is_empty() || behind.starts_with(['<', ']'])) {
            break tag;
        }
    };
    let inner = &text[opener.end..closer.start];
    let inner = inner.strip_suffix(PREFIX).unwrap_or(inner);
    let begun = inner.strip_prefix('\n').unwrap_or(inner);
    let start = opener.end + inner.len() - begun.len();
    let inner = match begun.len() < inner.len() {
        true => begun.strip_suffix('\n').unwrap_or(begun),
        false => begun,
    };
    Some((start..start + inner.len(), closer.end))
}

/// Returns the tag that a position is inside of.
fn tag_around(text: &str, at: usize) -> Option<Tag<'_>> {
    let near = text.floor_char_boundary(at.saturating_sub(TAG_BYTES_MAX));
    let begun = |[open, close, _]: [&str; 3]| {
        let start = text[near..at].rfind(open).max(text[near..at].rfind(close));
        tag_at(text, near + start?).filter(|tag| tag.end > at)
    };
    TAGS.into_iter().find_map(begun)
}

/// Returns the tag that begins at a position, after white space and a prefix.
fn tag_at(text: &str, at: usize) -> Option<Tag<'_>> {
    let rest = text[at..].trim_start();
    let rest = rest.strip_prefix(PREFIX).unwrap_or(rest);
    let start = text.len() - rest.len();
    TAGS.into_iter().find_map(|[open, close, end]| {
        let closing = rest.strip_prefix(close);
        let inner = closing.or_else(|| rest.strip_prefix(open))?;
        let near = &inner[..inner.floor_char_boundary(TAG_BYTES_MAX.min(inner.len()))];
        let length = near.find(end)?;
        let written = &near[..length];
        let name = written.split([' ', '=', '\n']).next().unwrap_or_default();
        let is_name = name.contains(char::is_alphabetic) && !written.contains('<');
        is_name.then_some(Tag {
            name,
            start,
            end: text.len() - inner.len() + length + end.len(),
            closes: closing.is_some(),
        })
    })
}

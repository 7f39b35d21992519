//! Calls whose arguments are pairs of keys and values: `<arg_key>key</arg_key><arg_value>value</arg_value>`,
//! and `key=value`.

use llmjson_syntax::{Class, write_string};

use super::family::{Family, Shape};
use super::tag::Tag;
use super::values::{self, Schemas};
use super::{Draft, Looks, is_end, skip};

/// The longest name of an argument, in bytes.
const KEY_BYTES_MAX: usize = 128;

/// The tags of a pair.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Key,
    Value,
}

/// Whether a tag is one of a pair, and which.
fn part(tag: &Tag<'_>) -> Option<Part> {
    match &*tag.normalized() {
        "argkey" | "longcatargkey" => Some(Part::Key),
        "argvalue" | "longcatargvalue" => Some(Part::Value),
        _ => None,
    }
}

/// Whether a pair begins whose first tag was lost: `key</arg_key>`.
pub(super) fn starts_pair(rest: &str) -> bool {
    let end = rest.floor_char_boundary(KEY_BYTES_MAX.min(rest.len()));
    let key = rest[..end].split_once('<');
    key.is_some_and(|(key, tag)| {
        let closers = ["/arg_key>", "/longcat_arg_key>"];
        !key.is_empty()
            && !key.contains(char::is_whitespace)
            && closers.iter().any(|closer| tag.starts_with(closer))
    })
}

/// Reads `<arg_key>key</arg_key><arg_value>value</arg_value>` in turn. One tag of a pair may be lost.
pub(super) fn pairs(
    text: &str,
    name: &str,
    start: usize,
    schemas: &mut Schemas<'_>,
    looks: &mut Looks,
) -> Option<(Draft, usize, Shape)> {
    let mut draft = Draft::default();
    draft.set_name(name);
    let mut json = String::from("{");
    let mut at = start;
    loop {
        let from = skip(text, at);
        let tag = Tag::look(text, from, looks);
        let opener = tag.filter(|tag| part(tag) == Some(Part::Key) && !tag.is_closing);
        if opener.is_none() && !starts_pair(&text[from..]) {
            break;
        }
        let key = until(text, opener.map_or(from, |tag| tag.end), Part::Key, looks);
        let from_value = skip(text, key.end);
        let tag = Tag::look(text, from_value, looks);
        let tag = tag.filter(|tag| part(tag) == Some(Part::Value) && !tag.is_closing);
        let is_damaged = opener.is_none() || tag.is_none() || !key.is_closed;
        let value = until(text, tag.map_or(key.end, |tag| tag.end), Part::Value, looks);
        if tag.is_none() && value.text.trim().is_empty() && !value.is_closed {
            draft.complete = false;
            at = value.end;
            break;
        }
        draft.complete &= value.end < text.len() || value.is_closed;
        if is_damaged {
            draft.class = draft.class.max(Class::Likely);
        }
        let key = key.text.trim();
        if json.len() > 1 {
            json.push(',');
        }
        write_string(key, &mut json);
        json.push(':');
        looks.charge(value.end - at);
        let takes = schemas.takes(&draft.name, key);
        let own = match is_damaged {
            true => value.text.trim(),
            false => value.text,
        };
        let sure = values::write(own, takes, &mut json, &mut draft.read, looks);
        draft.class = draft.class.max(sure);
        at = value.end;
        if value.is_closed {
            draft.settled = json.len();
        }
    }
    json.push('}');
    draft.arguments = json;
    end_call(text, at, &mut draft, looks);
    Some((draft, at, Shape::Pairs))
}

/// Says of a call whether its text is whole: a marker has to end it.
fn end_call(text: &str, at: usize, draft: &mut Draft, looks: &mut Looks) {
    let at = skip(text, at);
    match Tag::look(text, at, looks) {
        Some(tag) if tag.is_closing || is_end(&tag.normalized()) => {}
        Some(tag) if Family::opens(&tag.normalized(), None) => {
            draft.class = draft.class.max(Class::Likely);
        }
        _ => {
            looks.reached_end |= text.len() - at < super::stream::MARKER_BYTES_MAX;
            draft.complete &= at < text.len();
            draft.is_partly_read |= at < text.len();
        }
    }
}

/// A key or a value.
struct Piece<'t> {
    text: &'t str,
    end: usize,
    is_closed: bool,
}

/// Reads up to the tag that closes a part. Without it, the part ends before the next one or the end of the
/// call.
fn until<'t>(text: &'t str, start: usize, wanted: Part, looks: &mut Looks) -> Piece<'t> {
    let mut at = start;
    while let Some(found) = memchr::memchr(b'<', &text.as_bytes()[at..]) {
        at += found;
        let Some(tag) = Tag::look(text, at, looks) else {
            at += 1;
            continue;
        };
        let part = part(&tag);
        if tag.is_closing && part == Some(wanted) {
            return Piece {
                text: &text[start..at],
                end: tag.end,
                is_closed: true,
            };
        }
        let is_closer = tag.is_closing && Family::opens(&tag.normalized(), None) && {
            let after = text[tag.end..].trim_start();
            // Within a value the marker is a word.
            after.is_empty() || after.starts_with('<')
        };
        let is_next = match wanted {
            Part::Key => part.is_some(),
            Part::Value => part == Some(Part::Key) && !tag.is_closing,
        };
        if is_next || is_closer {
            return Piece {
                text: text[start..at].trim_end(),
                end: at,
                is_closed: false,
            };
        }
        at += 1;
    }
    looks.reached_end = true;
    Piece {
        text: &text[start..],
        end: text.len(),
        is_closed: false,
    }
}

/// Reads `key=value key="value"` up to a marker that ends the call.
pub(super) fn signs(
    text: &str,
    name: &str,
    start: usize,
    schemas: &mut Schemas<'_>,
    looks: &mut Looks,
) -> Option<(Draft, usize)> {
    let mut draft = Draft {
        class: Class::Likely,
        ..Draft::default()
    };
    draft.set_name(name);
    let mut json = String::from("{");
    let mut at = start;
    let end = loop {
        at = skip(text, at);
        if let Some(tag) = Tag::look(text, at, looks) {
            let ends = tag.is_closing || is_end(&tag.normalized());
            break (ends && json.len() > 1).then_some(at)?;
        }
        let rest = &text[at..];
        let length = rest.find(|one: char| !(one.is_alphanumeric() || "_-.".contains(one)))?;
        let key = &rest[..length];
        let value = rest[length..].strip_prefix('=').filter(|_| length > 0)?;
        let quote = value.chars().next().filter(|one| "\"'".contains(*one));
        let (value, behind) = match quote {
            Some(quote) => value[1..].split_once(quote)?,
            None => value.split_at(value.find(|one: char| one.is_whitespace() || one == '<')?),
        };
        let after = text.len() - behind.len();
        looks.charge(after - at);
        if json.len() > 1 {
            json.push(',');
        }
        write_string(key, &mut json);
        json.push(':');
        let takes = schemas.takes(&draft.name, key);
        values::write(value, takes, &mut json, &mut draft.read, looks);
        at = after;
    };
    json.push('}');
    draft.arguments = json;
    Some((draft, end))
}

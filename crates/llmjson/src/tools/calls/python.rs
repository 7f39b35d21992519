//! Calls that are written as in Python: `[name(key=value), …]`.

use llmjson_syntax::{Class, Kind, write_string};

use super::json::is_name;
use super::values::Schemas;
use super::{Draft, Looks, Reading};

/// Reads one call or a list of calls that begins at `start`, and returns where it ends.
pub(super) fn calls(
    text: &str,
    start: usize,
    schemas: &mut Schemas<'_>,
    looks: &mut Looks,
) -> Option<(Vec<Draft>, usize)> {
    let mut at = start;
    let is_list = text[at..].starts_with('[');
    if is_list {
        at = skip(text, at + 1);
    }
    let mut found = Vec::new();
    loop {
        let (draft, end) = call(text, at, schemas, looks)?;
        let is_complete = draft.complete;
        found.push(draft);
        at = skip(text, end);
        match text[at..].chars().next() {
            Some(',' | ';') if is_list => at = skip(text, at + 1),
            Some(']') if is_list => return Some((found, at + 1)),
            _ if !is_list && begins(text, at) && text[end..at].contains('\n') => {}
            // Calls in a row are taken together, or none of them.
            Some(',' | ';') if begins(text, skip(text, at + 1)) => at = skip(text, at + 1),
            Some(',') if !is_list => return None,
            _ if !is_list => return Some((found, end)),
            None => {
                mark_incomplete(&mut found);
                return Some((found, at));
            }
            _ if !is_complete => return Some((found, at)),
            _ => {
                // The list is not closed, but its last call is.
                found.last_mut()?.class = Class::Likely;
                return Some((found, at));
            }
        }
        if is_list && text[at..].starts_with(']') {
            return Some((found, at + 1));
        }
    }
}

fn mark_incomplete(found: &mut [Draft]) {
    if let Some(last) = found.last_mut() {
        last.class = last.class.max(Class::Likely);
    }
}

/// Whether a call in Python's form begins here: a name, then a bracket.
pub(super) fn begins(text: &str, start: usize) -> bool {
    let (name, end) = name_at(text, start);
    is_name(name) && text[end..].starts_with('(')
}

fn name_at(text: &str, start: usize) -> (&str, usize) {
    let rest = &text[start..];
    let is_part = |one: char| one.is_alphanumeric() || "_.-:".contains(one);
    let length = rest.find(|one: char| !is_part(one)).unwrap_or(rest.len());
    let starts_well = rest.starts_with(|one: char| one.is_alphabetic() || one == '_');
    let length = if starts_well { length } else { 0 };
    (&rest[..length], start + length)
}

fn call(
    text: &str,
    start: usize,
    schemas: &mut Schemas<'_>,
    looks: &mut Looks,
) -> Option<(Draft, usize)> {
    let (name, open) = name_at(text, start);
    if !is_name(name) || !text[open..].starts_with('(') {
        return None;
    }
    // One JSON text is written of the arguments, and read as leniently as any.
    let mut json = String::from("{");
    let mut at = skip(text, open + 1);
    let mut complete = true;
    let mut whole = None;
    let mut place = 0;
    let mut is_open = false;
    loop {
        if text[at..].starts_with(')') {
            at += 1;
            break;
        }
        if at >= text.len() {
            complete = false;
            break;
        }
        let (key, after) = name_at(text, at);
        let after = skip(text, after);
        let is_named = !key.is_empty()
            && text[after..].starts_with(['=', ':'])
            && !text[after..].starts_with("==");
        let value_start = if is_named { skip(text, after + 1) } else { at };
        if looks.ends_search() {
            return None;
        }
        let value_end = value_end(text, value_start);
        looks.charge(value_end - at);
        looks.reached_end |= value_end == text.len();
        let value = text[value_start..value_end].trim_end();
        if is_named {
            push_member(&mut json, key, value);
        } else if place == 0 && value.starts_with('{') {
            whole = Some(value);
        } else {
            push_member(&mut json, &schemas.name_at(name, place)?, value);
        }
        place += 1;
        at = skip(text, value_end);
        if text[at..].starts_with(',') {
            at = skip(text, at + 1);
        } else if text[at..].starts_with(']') {
            is_open = true;
            break;
        } else if !text[at..].starts_with(')') {
            complete = false;
            break;
        }
    }
    json.push('}');
    let document = looks.read(match whole {
        Some(whole) if place == 1 => whole,
        _ => &json,
    });
    let root = document.root().filter(|root| root.kind() == Kind::Object)?;
    let mut arguments = String::new();
    root.write_json(&mut arguments);
    let draft = Draft {
        name: name.to_owned(),
        arguments,
        class: if is_open {
            Class::Likely
        } else {
            Class::Certain
        },
        read: Reading::of(&document).without_dialect(),
        complete: complete && document.is_complete(),
        ..Draft::default()
    };
    Some((draft, at))
}

fn push_member(json: &mut String, name: &str, value: &str) {
    if json.len() > 1 {
        json.push(',');
    }
    write_string(name, json);
    json.push(':');
    json.push_str(value);
}

/// Returns where a literal ends: before the comma or bracket that is not inside of it.
fn value_end(text: &str, start: usize) -> usize {
    let bytes = text.as_bytes();
    let mut depth = 0_u32;
    let mut at = start;
    while at < bytes.len() {
        match bytes[at] {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' if depth > 0 => depth -= 1,
            b')' | b']' | b'}' | b',' if depth == 0 => return at,
            quote @ (b'"' | b'\'') => at = literal_end(bytes, at, quote),
            _ => {}
        }
        at += 1;
    }
    bytes.len()
}

/// Returns where the quote stands that closes a string, also one with three quotes.
fn literal_end(bytes: &[u8], open: usize, quote: u8) -> usize {
    let triple = [quote; 3];
    let is_triple = bytes[open..].starts_with(&triple);
    let mut at = open + if is_triple { 3 } else { 1 };
    while at < bytes.len() {
        if bytes[at] == b'\\' {
            at += 2;
            continue;
        }
        if is_triple && bytes[at..].starts_with(&triple) {
            return at + 2;
        }
        if !is_triple && bytes[at] == quote {
            return at;
        }
        at += 1;
    }
    bytes.len()
}

fn skip(text: &str, at: usize) -> usize {
    let rest = &text[at.min(text.len())..];
    text.len() - rest.trim_start().len()
}

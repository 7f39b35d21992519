//! Calls that begin with the name of the tool: `name[ARGS]{…}`, `name<sep>{…}`, a name and a line with
//! JSON, pairs of keys and values, and `call:name{…}`.

use llmjson_syntax::{Class, write_string};

use super::family::Shape;
use super::json::{NAME_BYTES_MAX, is_name};
use super::tag::Tag;
use super::values::{self, Takes};
use super::{Draft, Looks, Reading, arguments_at, is_end, skip};

/// Reads a name and its arguments, and returns where they end.
pub(super) fn call(
    text: &str,
    start: usize,
    alone: bool,
    is_known: &dyn Fn(&str) -> bool,
    takes: &mut dyn FnMut(&str, &str) -> Takes,
    looks: &mut Looks,
) -> Option<(Draft, usize, Shape)> {
    let (mut name, mut at) = name_at(text, start, looks)?;
    let mut draft = Draft::default();
    let mut has_separator = false;
    loop {
        let before = at;
        at = skip(text, at);
        let rest = &text[at..];
        if let Some(fenced) = rest.strip_prefix("```") {
            let line = fenced.find('\n').map_or(fenced.len(), |end| end + 1);
            at += 3 + line;
            continue;
        }
        if rest.starts_with('{') {
            let (read, end) = arguments_at(text, at, looks)?;
            let after = skip(text, end);
            let end = if text[after..].starts_with("```") {
                after + 3
            } else {
                end
            };
            let id = draft.id;
            draft = Draft { id, ..read };
            draft.set_name(name);
            return Some((draft, end, Shape::Named));
        }
        let tag = Tag::look(text, at, looks);
        match tag.as_ref().map(|tag| tag.normalized()).as_deref() {
            Some("toolsep") if name == "function" => {
                (name, at) = name_at(text, tag?.end, looks)?;
                has_separator = true;
                continue;
            }
            Some("callid") => {
                let (id, end) = name_at(text, tag?.end, looks)?;
                draft.id = Some(id.to_owned());
                at = end;
                has_separator = true;
                continue;
            }
            Some("args" | "toolsep" | "toolcallargumentbegin" | "content" | "message") => {
                at = tag?.end;
                has_separator = true;
                continue;
            }
            Some("argkey") => return pairs(text, name, at, takes, looks),
            _ => {}
        }
        // No arguments: only where a marker ends the call, or nothing else could be meant.
        if !alone && !has_separator {
            return None;
        }
        let ends = tag.is_some_and(|tag| tag.is_closing || is_end(&tag.normalized()));
        if ends
            || (rest.is_empty() || text[before..at].contains('\n'))
                && (is_known(name) || has_separator)
            || rest.is_empty() && name.contains('_')
        {
            // In prose a word may stand between two markers.
            if text[..start].ends_with(' ') && !is_known(name) && !has_separator {
                return None;
            }
            draft.arguments.push_str("{}");
            draft.set_name(name);
            return Some((draft, before, Shape::Pairs));
        }
        return None;
    }
}

/// Returns the length of a name that ends before one of these characters, or is too long.
fn name_length(text: &str, start: usize, ends: &[char], looks: &mut Looks) -> usize {
    let stop = text.len().min(start + NAME_BYTES_MAX + 1);
    let begin = &text[start..text.floor_char_boundary(stop)];
    let end = begin.find(ends);
    looks.reached_end |= end.is_none() && stop == text.len();
    let length = end.unwrap_or(begin.len());
    looks.charge(length);
    length
}

/// Returns the word at a place: the name of a tool, or an id.
fn name_at<'t>(text: &'t str, start: usize, looks: &mut Looks) -> Option<(&'t str, usize)> {
    let start = skip(text, start);
    let length = name_length(text, start, &['<', '[', '{', '\n', '(', ' '], looks);
    let name = text[start..start + length].trim_end();
    is_name(name).then_some((name, start + length))
}

/// `<arg_key>key</arg_key><arg_value>value</arg_value>` in turn.
fn pairs(
    text: &str,
    name: &str,
    start: usize,
    takes: &mut dyn FnMut(&str, &str) -> Takes,
    looks: &mut Looks,
) -> Option<(Draft, usize, Shape)> {
    let mut draft = Draft::default();
    draft.set_name(name);
    let mut json = String::from("{");
    let mut at = start;
    loop {
        let key_start = skip(text, at);
        let tag = Tag::look(text, key_start, looks).filter(|tag| tag.normalized() == "argkey");
        let Some(tag) = tag.filter(|tag| !tag.is_closing) else {
            break;
        };
        let (key, after, _) = until(text, tag.end, "</arg_key>");
        let value_start = skip(text, after);
        let tag = Tag::look(text, value_start, looks).filter(|tag| tag.normalized() == "argvalue");
        let Some(tag) = tag.filter(|tag| !tag.is_closing) else {
            draft.complete = false;
            at = after;
            break;
        };
        let (value, after, is_closed) = until(text, tag.end, "</arg_value>");
        draft.complete &= is_closed;
        if json.len() > 1 {
            json.push(',');
        }
        write_string(key.trim(), &mut json);
        json.push(':');
        looks.charge(after - key_start);
        let takes = takes(&draft.name, key.trim());
        let sure = values::write(value, takes, &mut json, &mut draft.read, looks);
        draft.class = draft.class.max(sure);
        at = after;
    }
    json.push('}');
    draft.arguments = json;
    Some((draft, at, Shape::Pairs))
}

/// Returns the text up to a closing tag, where it ends, and whether the tag is there. Without it, the
/// text ends before the next key or the end of the call.
fn until<'t>(text: &'t str, start: usize, closer: &str) -> (&'t str, usize, bool) {
    let mut at = start;
    while let Some(found) = memchr::memchr(b'<', &text.as_bytes()[at..]) {
        at += found;
        let rest = &text[at..];
        if rest.starts_with(closer) {
            return (&text[start..at], at + closer.len(), true);
        }
        let ends = rest.strip_prefix("</tool_call>").is_some_and(|after| {
            let after = after.trim_start();
            // Within a value the marker is a word.
            after.is_empty() || after.starts_with('<')
        });
        if ends || rest.starts_with("<arg_key>") {
            return (text[start..at].trim_end(), at, true);
        }
        at += 1;
    }
    (&text[start..], text.len(), false)
}

/// The marks around a string in the braces of Gemma's calls.
const QUOTES: &[&str] = &["<|\"|>", "<escape>"];

/// Reads `call:name{key:value}`, and returns where it ends.
pub(super) fn braces(text: &str, start: usize, looks: &mut Looks) -> Option<(Draft, usize)> {
    let rest = text[start..].strip_prefix("call:")?;
    let open = name_length(text, text.len() - rest.len(), &['{'], looks);
    if !rest[open..].starts_with('{') {
        return None;
    }
    let mut draft = Draft::default();
    let name = rest[..open].trim();
    if !is_name(name) {
        return None;
    }
    draft.set_name(name);
    let mut at = start + "call:".len() + open;
    let mut json = String::new();
    let mut depth = 0_u32;
    loop {
        let rest = &text[at..];
        if let Some(quote) = QUOTES.iter().find(|quote| rest.starts_with(**quote)) {
            let inner = &rest[quote.len()..];
            let end = inner.find(quote);
            write_string(&inner[..end.unwrap_or(inner.len())], &mut json);
            at += quote.len() + end.map_or(inner.len(), |end| end + quote.len());
            continue;
        }
        let Some(one) = rest.chars().next() else {
            draft.complete = depth == 0;
            break;
        };
        if one == '<' && Tag::look(text, at, looks).is_some() {
            break;
        }
        depth = match one {
            '{' | '[' => depth + 1,
            '}' | ']' => depth.saturating_sub(1),
            _ => depth,
        };
        json.push(one);
        at += one.len_utf8();
        if depth == 0 {
            break;
        }
    }
    looks.charge(at - start);
    let document = looks.read(&json);
    draft.arguments = document.to_json()?;
    // Names without quotes are how these calls are written.
    draft.read = Reading::of(&document).without_dialect();
    draft.read.certainty = match document.is_complete() {
        true => Class::Certain,
        false => Class::Likely,
    };
    Some((draft, at))
}

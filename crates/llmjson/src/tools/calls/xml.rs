//! Calls that are written with tags: a tag that names the tool, and one for each parameter.

use llmjson_syntax::{Class, Kind, steps_of_search, write_string};
use memchr::memchr;

use super::family::Escapes;
use super::tag::{Tag, may_become_tag};
use super::values::{self, Takes};
use super::{Draft, Looks, arguments_at};

/// Reads the call whose tag this is, and returns where it ends.
pub(super) fn call<'t>(
    text: &'t str,
    tag: Tag<'t>,
    escapes: Escapes,
    takes: &mut dyn FnMut(&str, &str) -> Takes,
    looks: &mut Looks,
) -> Option<(Draft, usize)> {
    let name = tag.attribute("name")?.trim();
    if !super::json::is_name(name) {
        return None;
    }
    let mut draft = Draft {
        name: name.to_owned(),
        ..Draft::default()
    };
    if !tag.raw.ends_with('>') {
        draft.class = Class::Likely;
    }
    let mut json = String::from("{");
    let (mut count, mut wrapped) = (0, None);
    let mut at = tag.end;
    let end = loop {
        at = super::skip(text, at);
        if text[at..].starts_with('{') && json.len() == 1 {
            let (read, end) = arguments_at(text, at, looks)?;
            draft = Draft {
                name: draft.name,
                ..read
            };
            at = super::skip(text, end);
            // The bracket of the tag stands behind the arguments.
            at += usize::from(text[at..].starts_with('>'));
            match Tag::look(text, at, looks).filter(|tag| tag.is_closing) {
                Some(closer) => break closer.end,
                None => break end,
            }
        }
        let Some(next) = next_tag(text, at, looks) else {
            draft.complete = false;
            looks.reached_end = true;
            break text.len();
        };
        if let Some(key) = next.parameter() {
            let value = value(text, next, looks);
            if json.len() > 1 {
                json.push(',');
            }
            write_string(key, &mut json);
            json.push(':');
            let by_schema = takes(name, key);
            let is_declared = by_schema != Takes::Anything;
            let takes = match next.attribute("string") {
                _ if is_declared => by_schema,
                Some("true") => Takes::Text { or_null: false },
                Some("false") => Takes::Json,
                _ => by_schema,
            };
            let decoded = match escapes {
                Escapes::Entities => unescaped(value.text),
                Escapes::None => value.text.to_owned(),
            };
            let sure = values::write(&decoded, takes, &mut json, &mut draft.read, looks);
            draft.class = draft.class.max(sure);
            count += 1;
            let is_wrapper = count == 1 && !is_declared && WRAPPERS.contains(&key);
            wrapped = is_wrapper.then(|| object(&decoded, looks)).flatten();
            if value.is_closed && wrapped.is_none() {
                draft.settled = json.len();
            }
            draft.complete &= value.is_closed || value.end < text.len();
            if !value.is_closed {
                draft.class = draft.class.max(Class::Likely);
            }
            at = value.end;
        } else if next.is_closing && matches!(&*next.local_name(), "function" | "invoke") {
            // Words instead of arguments are words about a call.
            if count == 0 && !text[at..next.start].trim().is_empty() {
                return None;
            }
            break next.end;
        } else if next.is_closing && matches!(&*next.local_name(), "parameter" | "param") {
            at = next.end;
        } else {
            // The closing tag of the call is missing.
            draft.class = draft.class.max(Class::Likely);
            break next.start;
        }
    };
    if draft.arguments.is_empty() {
        json.push('}');
        draft.arguments = wrapped.unwrap_or(json);
    }
    Some((draft, end))
}

/// Names of parameters that hold all arguments, where the tool does not declare them.
const WRAPPERS: &[&str] = &["arguments", "parameters", "input", "args", "kwargs"];

/// Returns the JSON text of an object that is strict JSON, as it is: names may come twice.
fn object(text: &str, looks: &mut Looks) -> Option<String> {
    let document = looks.read(text.trim());
    let is_strict = document.repairs().is_empty() && document.is_complete();
    let root = document
        .root()
        .filter(|root| is_strict && root.kind() == Kind::Object);
    root.map(|_| text.trim().to_owned())
}

/// A value between tags.
struct Value<'t> {
    text: &'t str,
    end: usize,
    is_closed: bool,
}

/// Reads the value after the tag of a parameter.
fn value<'t>(text: &'t str, tag: Tag<'t>, looks: &mut Looks) -> Value<'t> {
    let mut first: Option<Tag<'t>> = None;
    let mut end_of_call = None;
    // Tags of the value itself that look like those of parameters and of calls.
    let (mut inner, mut inner_calls) = (0_u32, 0_u32);
    let mut at = tag.end;
    while let Some(next) = next_tag(text, at, looks) {
        let local = next.local_name();
        let after = text[next.end..].trim_start();
        let is_last = after.is_empty() || after.starts_with('<');
        if next.is_closing && matches!(&*local, "parameter" | "param" | "arg" | "argument") {
            if inner > 0 {
                inner -= 1;
            } else if is_last && inner_calls == 0 {
                return closed(
                    text,
                    tag,
                    first.filter(|_| after.is_empty()).unwrap_or(next),
                );
            }
            first = first.or(Some(next));
        }
        let begins_line = text[..next.start]
            .trim_end_matches(' ')
            .ends_with(['\n', '>']);
        let mut is_end = next.is_closing && matches!(&*local, "function" | "invoke");
        inner_calls += u32::from(next.is_call());
        if is_end && inner_calls > 0 {
            inner_calls -= 1;
            is_end = false;
        }
        if is_end {
            end_of_call = end_of_call.or(Some(next.start));
        }
        let is_parameter = next.parameter().is_some() && begins_line && inner_calls == 0;
        inner += u32::from(is_parameter && !next.is_dressed_like(&tag));
        if is_end && (is_last || begins_line) || is_parameter && next.is_dressed_like(&tag) {
            return match first {
                Some(closer) => closed(text, tag, closer),
                None => Value {
                    text: trimmed(&text[tag.end..next.start]),
                    end: next.start,
                    is_closed: false,
                },
            };
        }
        at = next.end;
        if first.is_some() && looks.ends_search() {
            break;
        }
    }
    looks.reached_end = true;
    let end = end_of_call.unwrap_or(text.len());
    match first {
        Some(closer) => closed(text, tag, closer),
        None => Value {
            text: trimmed(&text[tag.end..end]),
            end,
            is_closed: false,
        },
    }
}

fn closed<'t>(text: &'t str, tag: Tag<'t>, closer: Tag<'t>) -> Value<'t> {
    Value {
        text: trimmed(&text[tag.end..closer.start]),
        end: closer.end,
        is_closed: true,
    }
}

/// A line of its own for the value is no part of it.
pub(super) fn trimmed(value: &str) -> &str {
    let value = value.strip_prefix('\n').unwrap_or(value);
    value.strip_suffix('\n').unwrap_or(value)
}

fn next_tag<'t>(text: &'t str, mut at: usize, looks: &mut Looks) -> Option<Tag<'t>> {
    while let Some(found) = memchr(b'<', text.as_bytes().get(at..)?) {
        looks.charge(steps_of_search(found));
        if looks.is_used_up() {
            return None;
        }
        at += found;
        if let Some(tag) = Tag::look(text, at, looks) {
            return Some(tag);
        }
        looks.reached_end |= may_become_tag(text, at, looks);
        at += 1;
    }
    looks.charge(steps_of_search(text.len() - at));
    None
}

/// Decodes the five entities of XML.
fn unescaped(text: &str) -> String {
    let entities = [
        ("&lt;", "<"),
        ("&gt;", ">"),
        ("&quot;", "\""),
        ("&apos;", "'"),
    ];
    let mut text = text.to_owned();
    for (entity, character) in entities {
        text = text.replace(entity, character);
    }
    text.replace("&amp;", "&")
}

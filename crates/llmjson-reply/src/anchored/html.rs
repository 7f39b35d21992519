//! Tables and lists of HTML: their text line by line, which the notation of the schema's keys is
//! induced from.

use std::cell::OnceCell;

use llmjson_syntax::internal::entity;

use super::tree::{Name, Part, Value};
use super::{Found, Source, induced, region};

/// Reads the tables and lists of a reply.
pub(super) fn read(source: &Source<'_, '_>) -> Option<Found> {
    let Source {
        text,
        places,
        region: lines,
        ..
    } = *source;
    let part = lines.lines.first()?.start..lines.lines.last()?.end;
    let inner = &text[part.clone()];
    let outer = ["table", "ul", "ol", "dl", "tr", "li"];
    let is_outer = |(at, _): &(usize, &str)| {
        let name = inner[at + 1..]
            .split(|c: char| !c.is_ascii_alphanumeric())
            .next();
        name.is_some_and(|name| outer.contains(&name))
    };
    let (first, _) = inner.match_indices('<').find(is_outer)?;
    let part = part.start + first..part.end;
    places.charge(4 * part.len());
    let (mut flat, mut at, mut last) = (String::new(), part.start, part.start);
    while let Some((tag, name)) = next_tag(text, at..part.end) {
        push(&mut flat, &text[at..tag.start]);
        at = tag.end;
        let (opens, name) = (!name.starts_with('/'), name.trim_start_matches('/'));
        flat.push_str(match (name, opens) {
            ("li", true) => "\n- ",
            ("tr" | "dt" | "p" | "h1" | "h2" | "h3", true) | ("br", _) => "\n",
            ("td" | "th", true) => "| ",
            ("td" | "th", false) | ("dd", true) => " | ",
            _ => "",
        });
        last = if opens { last } else { tag.end };
    }
    let inner = region::whole(&flat);
    let source = Source {
        text: &flat,
        region: &inner,
        anchors: &OnceCell::new(),
        ..*source
    };
    let mut found = induced::read(&source).or_else(|| super::scalar::items(&source))?;
    found.value = detached(&found.value, &flat);
    found.span = part.start..last;
    found.notation = None;
    Some(found)
}

/// Adds a text on one line, without entities.
fn push(flat: &mut String, text: &str) {
    let text = unescaped(text);
    let mut words = text.split_whitespace().peekable();
    if text.starts_with(char::is_whitespace) && words.peek().is_some() {
        flat.push(' ');
    }
    flat.push_str(&words.collect::<Vec<_>>().join(" "));
    if text.ends_with(' ') {
        flat.push(' ');
    }
}

/// Returns a value whose strings are not in the reply.
fn detached(value: &Value, text: &str) -> Value {
    match value {
        Value::Plain(part) | Value::Text(part) | Value::Json(part) => {
            Value::Made(text[part.clone()].to_owned())
        }
        Value::List(items) => Value::List(items.iter().map(|item| detached(item, text)).collect()),
        Value::Object(members) => {
            let members = members.iter().map(|(name, value)| {
                (Name::Known(name.of(text).to_owned()), detached(value, text))
            });
            Value::Object(members.collect())
        }
        other => other.clone(),
    }
}

/// Returns the place of the next tag, and its name: `/td` for `</td>`.
fn next_tag(text: &str, part: Part) -> Option<(Part, &str)> {
    let mut at = part.start;
    loop {
        let start = at + text[at..part.end].find('<')?;
        let rest = &text[start + 1..part.end];
        let begins = rest
            .trim_start_matches('/')
            .starts_with(char::is_alphabetic);
        at = start + 1;
        if begins
            && let Some(length) = rest
                .find(['<', '>'])
                .filter(|at| rest[*at..].starts_with('>'))
        {
            let name = rest[..length]
                .split([' ', '\n', '\t'])
                .next()
                .unwrap_or_default();
            return Some((start..start + 1 + length + 1, name));
        }
    }
}

/// Replaces entities with their characters.
pub(super) fn unescaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('&') {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        let (sign, length) = entity(rest).unwrap_or(('&', 1));
        out.push(sign);
        rest = &rest[length..];
    }
    out.push_str(rest);
    out
}

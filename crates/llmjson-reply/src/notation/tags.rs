//! XML and HTML-like tags.

use super::place::{Place, Places};
use super::scalars::trimmed;
use super::tree::{Member, Name, Part, Seen, Value, add};
use super::{DEPTH, Found, Source, shaped};

/// Elements of HTML that stand within a text.
const INLINE: &[&str] = &[
    "a", "b", "br", "code", "em", "i", "mark", "p", "small", "span", "strong", "sub", "sup", "u",
];

/// Reads the elements of a reply whose names are those of the schema, or the element around them.
pub(super) fn read(source: &Source<'_, '_>) -> Option<Found> {
    const LANGUAGES: &[&str] = &["html", "xhtml", "xml", "markdown", "md"];
    let Source { text, places, region, .. } = *source;
    (region.is_open() || region.is(LANGUAGES)).then_some(())?;
    let part = region.lines.first()?.start..region.lines.last()?.end;
    if places.is_nameless() || !text[part.clone()].contains("</") && !text[part.clone()].contains("/>") {
        return None;
    }
    let mut reader = Tags {
        text,
        places,
        end: part.end,
        at: part.start,
    };
    let root = places.root;
    let mut found: Vec<(Part, Part, Value)> = Vec::new();
    while let Some(tag) = reader.next_tag() {
        if tag.kind != TagKind::Open && tag.kind != TagKind::Empty {
            continue;
        }
        let name = &text[tag.name.clone()];
        let own = places.has(root, name);
        let place = if own { places.member(root, name) } else { root };
        // An element without an end is none.
        let start = tag.start;
        let (at, name) = (reader.at, tag.name.clone());
        match reader.element(tag, place, 0) {
            Some(value) => found.push((start..reader.at, name, value)),
            None => reader.at = at,
        }
    }
    let own = |(_, name, _): &&(Part, Part, Value)| places.has(root, &text[name.clone()]);
    if found.iter().any(|one| own(&one)) && !root.wants_list() {
        found.retain(|one| own(&one));
        let span = found.first()?.0.start..found.last()?.0.end;
        let (mut members, mut seen) = (Vec::new(), Seen::default());
        for (_, name, value) in found {
            add(&mut members, text, (Name::At(name), value), &mut seen);
        }
        return Some(shaped(source, Value::Object(members), span));
    }
    found.retain(|(_, _, value)| value.count(text, root, places).0 > 0 || within(value, root, places, text));
    let span = found.first()?.0.start..found.last()?.0.end;
    let value = match found.len() {
        1 => found.pop()?.2,
        _ if root.wants_list() => Value::List(found.into_iter().map(|(_, _, value)| value).collect()),
        _ => found.swap_remove(0).2,
    };
    Some(shaped(source, value, span))
}

/// Returns whether an element of one inner name holds objects of the root's items.
fn within<'s>(value: &Value, root: Place<'s>, places: &Places<'s>, text: &str) -> bool {
    let Value::Object(members) = value else {
        return false;
    };
    let named = |value: &Value| value.count(text, root, places).0 > 0 || value.count(text, root.item(), places).0 > 0;
    members.len() == 1 && members.iter().any(|(_, value)| named(value))
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum TagKind {
    Open,
    Close,
    Empty,
}

struct Tag {
    kind: TagKind,
    start: usize,
    name: Part,
    attributes: Part,
}

struct Tags<'r, 's> {
    text: &'r str,
    places: &'r Places<'s>,
    end: usize,
    at: usize,
}

impl<'s> Tags<'_, 's> {
    /// Goes behind the next tag.
    fn next_tag(&mut self) -> Option<Tag> {
        loop {
            let rest = self.text.get(self.at..self.end)?;
            let start = self.at + rest.find('<')?;
            let inner = &self.text[start + 1..self.end];
            for (open, close) in [("!--", "-->"), ("![CDATA[", "]]>"), ("?", "?>"), ("!", ">")] {
                if let Some(rest) = inner.strip_prefix(open) {
                    let length = rest.find(close).map_or(inner.len(), |at| open.len() + at + close.len());
                    self.at = start + 1 + length;
                }
            }
            if self.at > start {
                continue;
            }
            self.at = start + 1;
            let is_close = inner.starts_with('/');
            let from = start + 1 + usize::from(is_close);
            let name = &self.text[from..self.end];
            let odd = |c: char| !(c.is_alphanumeric() || "_-.:".contains(c));
            let length = name.find(odd).unwrap_or(name.len());
            let first = name.starts_with(|c: char| c.is_alphabetic() || c == '_');
            let Some(close) = name[length..].find(['<', '>']).filter(|_| first && length <= 64) else {
                continue;
            };
            if !name[length + close..].starts_with('>') || !name[length..].starts_with(['>', '/', ' ', '\n', '\t']) {
                continue;
            }
            self.at = from + length + close + 1;
            let attributes = from + length..from + length + close;
            let is_empty = self.text[attributes.clone()].ends_with('/');
            let kind = match (is_close, is_empty) {
                (true, _) => TagKind::Close,
                (_, true) => TagKind::Empty,
                _ => TagKind::Open,
            };
            return Some(Tag {
                kind,
                start,
                name: from..from + length,
                attributes,
            });
        }
    }

    /// Reads an element behind its opening tag; `None` if it does not end.
    fn element(&mut self, tag: Tag, place: Place<'s>, depth: usize) -> Option<Value> {
        if depth >= DEPTH {
            return None;
        }
        let place_of_items = if place.wants_list() { place.item() } else { place };
        let (mut members, mut seen) = (Vec::new(), Seen::default());
        for (name, value) in self.attributes(&tag.attributes) {
            if self.places.has(place_of_items, name.of(self.text)) {
                add(&mut members, self.text, (name, value), &mut seen);
            }
        }
        let name = self.text[tag.name.clone()].to_owned();
        let start = self.at;
        if tag.kind == TagKind::Empty {
            return Some(match members.is_empty() {
                true => Value::Null,
                false => Value::Object(members),
            });
        }
        let mut children = 0;
        loop {
            let inner = self.next_tag()?;
            let inner_name = &self.text[inner.name.clone()];
            if inner.kind == TagKind::Close {
                if !inner_name.eq_ignore_ascii_case(&name) {
                    // Another element ends that is open around this one, or none does.
                    if children > 0 && !INLINE.contains(&inner_name) {
                        return None;
                    }
                    continue;
                }
                let text = trimmed(self.text, start..inner.start);
                return Some(match members.is_empty() || children == 0 && place.wants_scalar() {
                    true => self.content(text, place),
                    false => Value::Object(members),
                });
            }
            if place.wants_scalar() || INLINE.contains(&inner_name) && !self.places.knows(inner_name) {
                continue;
            }
            let child = self.places.member(place, inner_name);
            let own = self.places.has(place, inner_name);
            // An element around the items of a list, or one of them.
            let child = match own {
                true => child,
                false if place.wants_list() && self.places.has(place.item(), inner_name) => {
                    self.places.member(place.item(), inner_name)
                }
                false if place.wants_list() => place.item(),
                false => child,
            };
            let name = Name::At(inner.name.clone());
            let at = self.at;
            match self.element(inner, child, depth + 1) {
                Some(value) => {
                    children += 1;
                    add(&mut members, self.text, (name, value), &mut seen);
                }
                None if self.at >= self.end => return None,
                None => self.at = at,
            }
        }
    }

    /// The text of an element.
    fn content(&self, part: Part, place: Place<'s>) -> Value {
        let inner = &self.text[part.clone()];
        if let Some(data) = inner.strip_prefix("<![CDATA[").and_then(|rest| rest.strip_suffix("]]>")) {
            let start = part.start + "<![CDATA[".len();
            return Value::Text(start..start + data.len());
        }
        if inner.is_empty() {
            return match place.wants_text() {
                true => Value::Made(String::new()),
                false if place.wants_list() => Value::List(Vec::new()),
                false => Value::Null,
            };
        }
        match inner.contains('&') {
            true => Value::Made(unescaped(inner)),
            false => Value::Plain(part),
        }
    }

    fn attributes(&self, part: &Part) -> Vec<Member> {
        let mut all = Vec::new();
        let mut at = part.start;
        while let Some(equals) = self.text[at..part.end].find('=') {
            let name = trimmed(self.text, at..at + equals);
            let rest = &self.text[at + equals + 1..part.end];
            let quote = rest.trim_start().chars().next().filter(|sign| matches!(sign, '"' | '\''));
            let Some(quote) = quote else {
                break;
            };
            let open = at + equals + 1 + rest.find(quote).unwrap_or_default() + 1;
            let Some(close) = self.text[open..part.end].find(quote) else {
                break;
            };
            let inner = &self.text[open..open + close];
            let value = match inner.contains('&') {
                true => Value::Made(unescaped(inner)),
                false => Value::Plain(open..open + close),
            };
            all.push((Name::At(name), value));
            at = open + close + 1;
        }
        all
    }
}

/// Entities as the signs that they stand for.
fn unescaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('&') {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        let name = rest[1..].split(';').next().filter(|name| name.len() <= 8).unwrap_or_default();
        let sign = match name {
            "lt" => Some('<'),
            "gt" => Some('>'),
            "amp" => Some('&'),
            "quot" => Some('"'),
            "apos" => Some('\''),
            "nbsp" => Some('\u{a0}'),
            _ => number(name),
        };
        match sign.filter(|_| rest[1 + name.len()..].starts_with(';')) {
            Some(sign) => {
                out.push(sign);
                rest = &rest[name.len() + 2..];
            }
            None => {
                out.push('&');
                rest = &rest[1..];
            }
        }
    }
    out.push_str(rest);
    out
}

fn number(name: &str) -> Option<char> {
    let digits = name.strip_prefix('#')?;
    let code = match digits.strip_prefix(['x', 'X']) {
        Some(digits) => u32::from_str_radix(digits, 16).ok()?,
        None => digits.parse().ok()?,
    };
    char::from_u32(code)
}

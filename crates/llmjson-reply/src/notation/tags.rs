//! XML and HTML-like tags, and the tags of tool calls that name arguments: `<parameter=key>`,
//! `<parameter name="key">`, `<arg_key>key</arg_key><arg_value>`.

use super::place::{Place, Places};
use super::scalars::trimmed;
use super::tree::{Member, Name, Part, Seen, Value, add};
use super::{DEPTH, Found, Source, shaped};

/// HTML elements that occur inside a text.
const INLINE: &[&str] = &[
    "a", "b", "br", "code", "em", "i", "mark", "p", "small", "span", "strong", "sub", "sup", "u",
];

/// Reads the elements of a reply whose names are keys of the schema, or the element around them.
pub(super) fn read(source: &Source<'_, '_>) -> Option<Found> {
    let (text, places, region) = source.parts();
    let part = region.lines.first()?.start..region.lines.last()?.end;
    if places.is_nameless()
        || !text[part.clone()].contains("</") && !text[part.clone()].contains("/>")
    {
        return None;
    }
    let reader = Tags::of(text, places, part);
    let root = places.root;
    let mut found: Vec<(Part, Part, Value)> = Vec::new();
    let mut at = 0;
    while at < reader.tags.len() {
        let tag = &reader.tags[at];
        let name = tag.key.clone();
        let own = places.has(root, &text[name.clone()]);
        let place = if own {
            places.member(root, &text[name.clone()])
        } else {
            root
        };
        let last = tag.last;
        if let Some(value) = reader.element(at, place, 0) {
            found.push((tag.start..reader.tags[last].end, name, value));
        }
        at = last + 1;
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
    // Reads objects of the root or its items, or an element around them.
    let counts = |value: &Value| {
        value.count(text, root, places).0 > 0 || value.count(text, root.item(), places).0 > 0
    };
    found.retain(|(_, _, value)| match value {
        Value::Object(members) => {
            counts(value) || matches!(&members[..], [(_, inner)] if counts(inner))
        }
        _ => counts(value),
    });
    let span = found.first()?.0.start..found.last()?.0.end;
    let mut values = found.into_iter().map(|(_, _, value)| value);
    let value = match root.wants_list() && values.len() > 1 {
        true => Value::List(values.collect()),
        false => values.next()?,
    };
    Some(shaped(source, value, span))
}

struct Tag {
    start: usize,
    end: usize,
    name: Part,
    /// The key of the member that the element holds: its name, unless the tag gives another one.
    key: Part,
    attributes: Part,
    is_close: bool,
    /// The tag that ends the element, or the tag itself if the element is empty or has no end.
    last: usize,
}

impl Tag {
    fn is_empty(&self, text: &str) -> bool {
        text[self.attributes.clone()].ends_with('/')
    }

    /// Returns `true` if the tag is from a tool call.
    fn is_keyed(&self) -> bool {
        self.key != self.name
    }

    /// Takes the key from the attribute of an argument's tag.
    fn take_key(mut self, text: &str) -> Self {
        let given = trimmed(text, self.attributes.clone());
        let named = text[given.clone()].trim_start_matches("name").trim_start();
        let is_argument = is_argument(&text[self.name.clone()]);
        if let Some(value) = named.strip_prefix('=').filter(|_| is_argument) {
            let key = value.trim_start();
            let inner = key.trim_start_matches(['"', '\'']);
            let length = inner.find(['"', '\'']).unwrap_or(inner.len());
            let start = given.end - inner.len();
            self.key = start..start + length;
            self.attributes.start = self.attributes.end;
        }
        self
    }
}

/// Returns `true` if elements of that name hold an argument.
fn is_argument(name: &str) -> bool {
    ["param", "arg"]
        .iter()
        .any(|word| local(name).starts_with(word))
}

/// Returns an element's name without its namespace.
fn local(name: &str) -> &str {
    name.rsplit([':', '｜']).next().unwrap_or_default()
}

pub(super) struct Tags<'r, 's> {
    pub(super) text: &'r str,
    places: &'r Places<'s>,
    tags: Vec<Tag>,
}

impl<'r, 's> Tags<'r, 's> {
    /// Finds all tags of a part, and pairs them.
    pub(super) fn of(text: &'r str, places: &'r Places<'s>, part: Part) -> Self {
        let (mut tags, mut open): (Vec<Tag>, Vec<usize>) = (Vec::new(), Vec::new());
        // The key of the pair that just began.
        let mut key = None;
        let mut at = part.start;
        while let Some(mut tag) = next_tag(text, &mut at, part.end) {
            places.charge(DEPTH);
            let index = tags.len();
            tag.last = index;
            let name = &text[tag.name.clone()];
            if tag.is_close {
                let near = open.iter().rev().take(DEPTH);
                let depth = near.take_while(|&&other| {
                    let other: &Tag = &tags[other];
                    !text[other.name.clone()].eq_ignore_ascii_case(name)
                });
                let depth = depth.count();
                if depth < open.len().min(DEPTH) {
                    open.truncate(open.len() - depth);
                    if let Some(first) = open.pop() {
                        tags[first].last = index;
                        let is_key = local(name).ends_with("_key") && first + 1 == index;
                        key = is_key.then(|| trimmed(text, tags[first].end..tag.start));
                    }
                }
            } else {
                let pair = key.take().filter(|_| local(name).ends_with("_value"));
                tag.key = pair.unwrap_or(tag.key);
                if !tag.is_empty(text) {
                    open.push(index);
                }
            }
            tags.push(tag);
        }
        Self { text, places, tags }
    }

    pub(super) fn len(&self) -> usize {
        self.tags.len()
    }

    pub(super) fn name(&self, index: usize) -> &'r str {
        &self.text[self.tags[index].name.clone()]
    }

    /// Returns the name of a tag that opens an element.
    pub(super) fn opened(&self, index: usize) -> Option<&'r str> {
        (!self.tags[index].is_close).then(|| self.name(index))
    }

    /// Returns the tag that ends the element of a tag.
    pub(super) fn last(&self, index: usize) -> usize {
        self.tags[index].last
    }

    pub(super) fn span(&self, index: usize) -> Part {
        self.tags[index].start..self.tags[index].end
    }

    /// Reads the element of a tag; `None` if it does not end.
    fn element(&self, index: usize, place: Place<'s>, depth: usize) -> Option<Value> {
        let tag = &self.tags[index];
        self.places.charge(tag.end - tag.start);
        let is_empty = tag.is_empty(self.text);
        if depth >= DEPTH || tag.is_close || tag.last == index && !is_empty {
            return None;
        }
        let place_of_items = if place.wants_list() {
            place.item()
        } else {
            place
        };
        let (mut members, mut seen) = (Vec::new(), Seen::default());
        for (name, value) in self.attributes(&tag.attributes) {
            if self.places.has(place_of_items, name.of(self.text)) {
                add(&mut members, self.text, (name, value), &mut seen);
            }
        }
        let (mut at, mut children) = (index + 1, 0);
        while at < tag.last && !place.wants_scalar() {
            let inner = &self.tags[at];
            let name = &self.text[inner.key.clone()];
            let is_inline = INLINE.contains(&name) && !self.places.knows(name);
            let child = self.child(place, name);
            if !is_inline && let Some(value) = self.element(at, child, depth + 1) {
                children += 1;
                let name = Name::At(inner.key.clone());
                add(&mut members, self.text, (name, value), &mut seen);
            }
            at = inner.last + 1;
        }
        if children > 0 || !members.is_empty() && !place.wants_scalar() {
            return Some(Value::Object(members));
        }
        let end = self.tags[tag.last].start.max(tag.end);
        if tag.is_keyed() && place.wants_text() {
            return Some(Value::Text(within_lines(self.text, tag.end..end)));
        }
        let text = trimmed(self.text, tag.end..end);
        Some(self.content(text, place))
    }

    /// Returns the place of an element within one of a place: a member, or an item if the outer one
    /// is an array.
    fn child(&self, place: Place<'s>, name: &str) -> Place<'s> {
        match place.wants_list() && !self.places.has(place, name) {
            true if self.places.has(place.item(), name) => self.places.member(place.item(), name),
            true => place.item(),
            false => self.places.member(place, name),
        }
    }

    /// Returns the text of an element.
    fn content(&self, part: Part, place: Place<'s>) -> Value {
        let inner = &self.text[part.clone()];
        if let Some(data) = inner
            .strip_prefix("<![CDATA[")
            .and_then(|rest| rest.strip_suffix("]]>"))
        {
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
            let quote = rest
                .trim_start()
                .chars()
                .next()
                .filter(|sign| matches!(sign, '"' | '\''));
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

/// Removes the line ends next to the tags around a value.
fn within_lines(text: &str, part: Part) -> Part {
    let inner = &text[part.clone()];
    let begun = inner.strip_prefix('\n').unwrap_or(inner);
    let ended = begun.strip_suffix('\n').unwrap_or(begun);
    let start = part.start + (inner.len() - begun.len());
    start..start + ended.len()
}

/// Advances past the next tag before `end`.
fn next_tag(text: &str, at: &mut usize, end: usize) -> Option<Tag> {
    loop {
        let start = *at + text.get(*at..end)?.find('<')?;
        let inner = &text[start + 1..end];
        *at = start + 1;
        let apart = [("!--", "-->"), ("![CDATA[", "]]>"), ("?", "?>"), ("!", ">")];
        let apart = apart
            .iter()
            .find_map(|(open, close)| Some((inner.strip_prefix(open)?, open.len(), close)));
        if let Some((rest, open, close)) = apart {
            let length = rest
                .find(close)
                .map_or(inner.len(), |at| open + at + close.len());
            *at = start + 1 + length;
            continue;
        }
        let is_close = inner.starts_with('/');
        let from = start + 1 + usize::from(is_close);
        let name = &text[from..end];
        let odd = |c: char| !(c.is_alphanumeric() || "_-.:｜".contains(c));
        let length = name.find(odd).unwrap_or(name.len());
        let begins =
            name.starts_with(|c: char| c.is_alphabetic() || "_｜".contains(c)) && length <= 64;
        let rest = &name[length..];
        let is_key = rest.starts_with('=') && is_argument(&name[..length]);
        let close = rest
            .find(['<', '>'])
            .filter(|_| begins && (is_key || rest.starts_with(['>', '/', ' ', '\n', '\t'])));
        let Some(close) = close.filter(|close| rest[*close..].starts_with('>')) else {
            continue;
        };
        *at = from + length + close + 1;
        let tag = Tag {
            start,
            end: *at,
            name: from..from + length,
            key: from..from + length,
            attributes: from + length..from + length + close,
            is_close,
            last: 0,
        };
        return Some(tag.take_key(text));
    }
}

/// Returns a text without its tags; a line break replaces a tag that produces one.
pub(super) fn without_tags(text: &str) -> String {
    let (mut out, mut at, mut from) = (String::new(), 0, 0);
    while let Some(tag) = next_tag(text, &mut at, text.len()) {
        out.push_str(&text[from..tag.start]);
        if text[tag.name].eq_ignore_ascii_case("br") {
            out.push('\n');
        }
        from = tag.end;
    }
    out.push_str(&text[from..]);
    out.trim().to_owned()
}

/// Replaces entities with their characters.
pub(super) fn unescaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('&') {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        let name = rest[1..]
            .split(';')
            .next()
            .filter(|name| name.len() <= 8)
            .unwrap_or_default();
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

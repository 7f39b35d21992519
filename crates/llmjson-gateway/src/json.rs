//! Strict JSON as received, and values that can be changed.

use std::borrow::Cow;
use std::ops::Range;

use llmjson::syntax::{
    Document, JsonOut, JsonText, Kind, Limits, Parser, Raw, RepairKind, ToJson, ValueRef,
    write_string,
};

/// Parses strict JSON; `None` if the text is not strict JSON or not UTF-8.
pub(crate) fn read(text: &[u8]) -> Option<Document<'_>> {
    let text = std::str::from_utf8(text).ok()?;
    let limits = Limits::DEFAULT.with_input_bytes(u32::MAX);
    let document = Parser::new().with_limits(limits).parse(text);
    let root = document.root()?;
    // Half of a surrogate pair is valid JSON, though not valid text.
    let mut repairs = document.repairs().iter();
    let is_strict =
        document.is_complete() && repairs.all(|one| one.kind == RepairKind::LoneSurrogate);
    let begins = place(root).is_some_and(|place| text[..place.start].trim().is_empty());
    (is_strict && begins && root.kind() == Kind::Object).then_some(document)
}

/// Returns the byte range of a value in its text, including quotes and brackets.
pub(crate) fn place(value: ValueRef<'_>) -> Option<Range<usize>> {
    let span = value.span()?;
    let (start, end) = (span.start as usize, span.end as usize);
    match value.kind() {
        Kind::String => Some(start.checked_sub(1)?..end + 1),
        _ => Some(start..end),
    }
}

/// Returns a value as written.
pub(crate) fn written(value: ValueRef<'_>) -> &str {
    let text = place(value).and_then(|place| value.document_text().get(place));
    text.unwrap_or("null")
}

/// Returns a member that is not null.
pub(crate) fn member<'d>(object: ValueRef<'d>, name: &str) -> Option<ValueRef<'d>> {
    object.get(name).filter(|value| !value.is_null())
}

/// Returns a member that is a string.
pub(crate) fn text(object: ValueRef<'_>, name: &str) -> Option<String> {
    Some(object.get(name)?.as_str()?.into_owned())
}

/// Returns a member that is not null, as written.
pub(crate) fn raw<'d>(object: ValueRef<'d>, name: &str) -> Option<Raw<'d>> {
    member(object, name).map(|value| Raw(written(value)))
}

/// Returns a member as written; an empty string if it is missing or null.
pub(crate) fn raw_text<'d>(object: ValueRef<'d>, name: &str) -> Raw<'d> {
    raw(object, name).unwrap_or(Raw(r#""""#))
}

/// Returns the given members that an object has, as written.
pub(crate) fn raws<'d>(
    object: ValueRef<'d>,
    names: &'static [&'static str],
) -> impl Iterator<Item = (&'static str, Raw<'d>)> {
    let members = names.iter();
    members.filter_map(move |name| Some((*name, raw(object, name)?)))
}

/// Returns the items of a member that is an array.
pub(crate) fn items<'d>(
    object: ValueRef<'d>,
    name: &str,
) -> impl Iterator<Item = ValueRef<'d>> + use<'d> {
    let list = object.get(name).filter(|list| list.kind() == Kind::Array);
    list.into_iter().flat_map(ValueRef::items)
}

/// Returns the first choice of a chat completion, or of a chunk.
pub(crate) fn choice(chat: ValueRef<'_>) -> Option<ValueRef<'_>> {
    items(chat, "choices").next()
}

/// Returns the calls of a chat message, or of a delta.
pub(crate) fn calls(message: ValueRef<'_>) -> impl Iterator<Item = ValueRef<'_>> {
    items(message, "tool_calls")
}

/// A JSON value that can be changed. Everything else in its text stays as received.
#[derive(Clone, Debug, Default)]
pub(crate) struct Node<'t> {
    text: Cow<'t, str>,
    /// The members or items, and the text after the last one, once something in it is needed.
    parts: Option<(Vec<Part<'t>>, Cow<'t, str>)>,
    is_changed: bool,
}

/// A member of an object, or an item of an array.
#[derive(Clone, Debug)]
struct Part<'t> {
    /// The comma before it, with its white space.
    gap: Cow<'t, str>,
    /// The quoted key and the colon; empty for an item.
    key: Cow<'t, str>,
    value: Node<'t>,
}

impl<'t> Node<'t> {
    /// Takes strict JSON.
    pub(crate) fn of(text: impl Into<Cow<'t, str>>) -> Self {
        Self {
            text: text.into(),
            parts: None,
            is_changed: false,
        }
    }

    /// Takes strict JSON that was not received.
    pub(crate) fn new(text: String) -> Self {
        Self {
            is_changed: true,
            ..Self::of(text)
        }
    }

    /// Returns the members or items, which are read on first use.
    fn parts(&mut self) -> &mut Vec<Part<'t>> {
        let text = &self.text;
        let (parts, _) = self.parts.get_or_insert_with(|| {
            let cut = |place: Range<usize>| match text {
                Cow::Borrowed(text) => Cow::Borrowed(&text[place]),
                Cow::Owned(text) => Cow::Owned(text[place].to_owned()),
            };
            let (mut parts, mut end) = (Vec::new(), opener_end(text));
            for (key, value) in parts_of(text) {
                parts.push(Part {
                    gap: cut(end..key),
                    key: cut(key..value.start),
                    value: Self::of(cut(value.clone())),
                });
                end = value.end;
            }
            (parts, cut(end..text.len()))
        });
        parts
    }

    fn member(&mut self, name: &str) -> Option<&mut Self> {
        // The last duplicate key wins.
        let mut parts = self.parts().iter_mut().rev();
        parts
            .find(|part| is_key(&part.key, name))
            .map(|part| &mut part.value)
    }

    /// Returns a member that is not null.
    pub(crate) fn get(&mut self, name: &str) -> Option<&mut Self> {
        self.member(name).filter(|value| value.text != "null")
    }

    /// Returns the first of these members that is not null.
    pub(crate) fn get_any(&mut self, names: &[&str]) -> Option<&mut Self> {
        let name = names.iter().find(|name| self.get(name).is_some())?;
        self.get(name)
    }

    pub(crate) fn is_array(&self) -> bool {
        self.text.trim_start().starts_with('[')
    }

    /// Returns the items of an array.
    pub(crate) fn items(&mut self) -> impl Iterator<Item = &mut Self> {
        let is_array = self.is_array();
        let parts = self.parts().iter_mut().filter(move |_| is_array);
        parts.map(|part| &mut part.value)
    }

    /// Returns an item of an array.
    pub(crate) fn item(&mut self, place: usize) -> Option<&mut Self> {
        self.items().nth(place)
    }

    /// Returns the text of a string.
    pub(crate) fn text(&self) -> Option<String> {
        serde_json::from_str(&self.text).ok()
    }

    /// Replaces the value.
    pub(crate) fn replace(&mut self, json: impl Into<Cow<'t, str>>) {
        let json = json.into();
        if self.text != json {
            *self = Self::of(json);
            self.is_changed = true;
        }
    }

    /// Sets a member of an object, or adds it after the others.
    pub(crate) fn set(&mut self, name: &str, json: impl Into<Cow<'t, str>>) {
        let is_object = self.text.trim_start().starts_with('{');
        match self.member(name) {
            Some(value) => value.replace(json),
            None if is_object => self.add(Cow::Owned(string(name) + ":"), json.into()),
            // A scalar has no members.
            None => {}
        }
    }

    /// Sets a member to a string.
    pub(crate) fn set_text(&mut self, name: &str, text: &str) {
        self.set(name, string(text));
    }

    /// Sets the value at a place of the text to a string. Returns `false` if something in the text
    /// was read or changed before, since the place may have moved.
    pub(crate) fn set_text_at(&mut self, place: Range<usize>, text: &str) -> bool {
        let is_as_received = self.parts.is_none() && !self.is_changed;
        if is_as_received {
            let json = string(text);
            self.is_changed = self.text.get(place.clone()) != Some(&*json);
            self.text.to_mut().replace_range(place, &json);
        }
        is_as_received
    }

    /// Adds an item to an array.
    pub(crate) fn push(&mut self, json: impl Into<Cow<'t, str>>) {
        if self.is_array() {
            self.add(Cow::Borrowed(""), json.into());
        }
    }

    fn add(&mut self, key: Cow<'t, str>, json: Cow<'t, str>) {
        let parts = self.parts();
        parts.push(Part {
            gap: Cow::Borrowed(if parts.is_empty() { "" } else { "," }),
            key,
            value: Self::of(json),
        });
        self.is_changed = true;
    }

    /// Removes the items that a function, which may change them, rejects.
    pub(crate) fn retain(&mut self, mut keep: impl FnMut(&mut Self) -> bool) {
        self.keep(|part| keep(&mut part.value));
    }

    /// Removes members of an object.
    pub(crate) fn remove(&mut self, names: &[&str]) {
        self.keep(|part| !names.iter().any(|name| is_key(&part.key, name)));
    }

    /// Removes parts; the part after them follows the part before them.
    fn keep(&mut self, mut keep: impl FnMut(&mut Part<'t>) -> bool) {
        let (before, mut gap) = (self.parts().len(), None);
        self.parts().retain_mut(|part| {
            let is_kept = keep(part);
            let own = part.gap.clone();
            if !is_kept {
                gap.get_or_insert(own);
            } else if let Some(gap) = gap.take() {
                part.gap = gap;
            }
            is_kept
        });
        self.is_changed |= self.parts().len() < before;
    }

    /// Returns `true` if something in it was changed.
    pub(crate) fn is_changed(&self) -> bool {
        let mut parts = self.parts.iter().flat_map(|(parts, _)| parts);
        self.is_changed || parts.any(|part| part.value.is_changed())
    }

    /// Returns the text as received.
    pub(crate) fn as_received(&self) -> &str {
        &self.text
    }

    /// Returns its text.
    pub(crate) fn written(&self) -> Cow<'_, str> {
        match &self.parts {
            Some((parts, end)) if self.is_changed() => {
                let mut out = self.text[..opener_end(&self.text)].to_owned();
                for part in parts {
                    out.extend([&*part.gap, &part.key, &part.value.written()]);
                }
                Cow::Owned(out + end)
            }
            _ => Cow::Borrowed(&self.text),
        }
    }

    /// Returns its text as bytes.
    pub(crate) fn into_bytes(self) -> Vec<u8> {
        self.written().into_owned().into_bytes()
    }
}

/// Returns where the bracket that opens a container ends.
fn opener_end(text: &str) -> usize {
    let rest = text.trim_start();
    text.len() - rest.len() + usize::from(rest.starts_with(['{', '[']))
}

/// Returns `true` if a quoted key before its colon has a name.
fn is_key(key: &str, name: &str) -> bool {
    let inner = key.strip_prefix('"').unwrap_or_default();
    match inner.contains('\\') {
        true => {
            let key = key.trim_end().strip_suffix(':').unwrap_or_default();
            serde_json::from_str::<String>(key).is_ok_and(|key| key == name)
        }
        false => inner
            .strip_prefix(name)
            .is_some_and(|rest| rest.starts_with('"')),
    }
}

/// Returns where the keys of strict JSON begin, and the places of their values. An item begins with
/// its value, and a scalar has no parts.
fn parts_of(text: &str) -> Vec<(usize, Range<usize>)> {
    let bytes = text.as_bytes();
    let trimmed = |from: usize, to: usize| {
        let part = &text[from..to];
        let start = from + part.len() - part.trim_start().len();
        start..start + part.trim().len()
    };
    let (mut parts, mut depth, mut at) = (Vec::new(), 0_usize, 0);
    let (mut key, mut from) = (None, 0);
    while at < bytes.len() {
        match bytes[at] {
            b'"' => at = string_end(bytes, at),
            b'{' | b'[' => {
                depth += 1;
                from = if depth == 1 { at + 1 } else { from };
            }
            b':' if depth == 1 => (key, from) = (Some(trimmed(from, at).start), at + 1),
            byte @ (b'}' | b']' | b',') => {
                if depth == 1 {
                    let value = trimmed(from, at);
                    if !value.is_empty() {
                        parts.push((key.take().unwrap_or(value.start), value));
                    }
                    from = at + 1;
                }
                depth = depth.saturating_sub(usize::from(byte != b','));
            }
            _ => {}
        }
        at += 1;
    }
    parts
}

/// Returns the place of the quote that ends a string.
fn string_end(bytes: &[u8], start: usize) -> usize {
    let mut at = start + 1;
    while let Some(found) = memchr::memchr2(b'"', b'\\', bytes.get(at..).unwrap_or_default()) {
        at += found;
        if bytes[at] == b'"' {
            return at;
        }
        at += 2;
    }
    bytes.len()
}

/// Returns a text as a JSON string.
pub(crate) fn string(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    write_string(text, &mut out);
    out
}

/// An array of JSON texts.
#[derive(Clone, Copy)]
pub(crate) struct Texts<'l>(pub(crate) &'l [String]);

impl ToJson for Texts<'_> {
    fn put<O: JsonOut>(&self, out: &mut O) {
        out.array(self.0, |item, out| out.json(item));
    }
}

/// Returns an array of JSON texts, if it is not empty.
pub(crate) fn some(items: &[String]) -> Option<Texts<'_>> {
    (!items.is_empty()).then_some(Texts(items))
}

/// Returns an array of JSON texts.
pub(crate) fn list(items: &[String]) -> String {
    JsonText::of(&Texts(items))
}

/// Returns `true` if a text is strict JSON and nothing else.
pub(crate) fn is_json(text: &str) -> bool {
    serde_json::from_str::<serde::de::IgnoredAny>(text).is_ok()
}

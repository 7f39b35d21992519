//! Strict JSON by its positions in the text, and texts with replaced parts.

use std::ops::Range;

use llmjson::syntax::{Document, Kind, Limits, Parser, RepairKind, ValueRef, write_string};

/// A range of bytes of a text, and its replacement.
pub(crate) type Splice = (Range<usize>, String);

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

/// The change that sets a member of an object, or adds it after the others.
pub(crate) fn set(object: ValueRef<'_>, name: &str, json: &str) -> Option<Splice> {
    if let Some(value) = object.get(name) {
        return Some((place(value)?, json.to_owned()));
    }
    let last = object.members().last();
    let (after, comma) = match last {
        Some((_, last)) => (place(last)?.end, ","),
        None => (place(object)?.start + 1, ""),
    };
    Some((after..after, format!("{comma}\"{name}\":{json}")))
}

/// The change that adds items, as JSON, to an array in an object.
pub(crate) fn append(object: ValueRef<'_>, name: &str, items: &[String]) -> Option<Splice> {
    let list = object.get(name)?;
    if list.kind() != Kind::Array {
        return None;
    }
    let end = place(list)?.end - 1;
    let comma = if list.is_empty() { "" } else { "," };
    Some((end..end, format!("{comma}{}", items.join(","))))
}

/// The changes that remove members from an object.
pub(crate) fn without(object: ValueRef<'_>, names: &[&str]) -> Vec<Splice> {
    let members: Option<Vec<(bool, Range<usize>)>> = object
        .members()
        .keyed()
        .map(|(key, value)| {
            let start = (key.span()?.start as usize).checked_sub(1)?;
            let is_one = names.iter().any(|name| key.is(name));
            Some((is_one, start..place(value)?.end))
        })
        .collect();
    let (Some(members), Some(whole)) = (members, place(object)) else {
        return Vec::new();
    };
    let mut splices = Vec::new();
    let mut last_kept = whole.start + 1;
    for (at, (is_one, member)) in members.iter().enumerate() {
        if !is_one {
            last_kept = member.end;
            continue;
        }
        let is_kept_behind = members[at..].iter().any(|(is_one, _)| !is_one);
        let end = members
            .get(at + 1)
            .map_or(member.end, |(_, next)| next.start);
        match is_kept_behind {
            true => splices.push((member.start..end, String::new())),
            // No remaining member follows, so the comma before is removed too.
            false => {
                let end = members.last().map_or(member.end, |(_, last)| last.end);
                splices.push((last_kept..end, String::new()));
                break;
            }
        }
    }
    splices
}

/// Returns a text with replaced parts, which must not overlap.
pub(crate) fn spliced(text: &str, mut splices: Vec<Splice>) -> String {
    splices.sort_by_key(|(place, _)| (place.start, place.end));
    let (mut out, mut from) = (String::with_capacity(text.len()), 0);
    for (place, instead) in splices {
        if place.start < from {
            // An overlapping change is inside a part that was already replaced.
            continue;
        }
        out.push_str(&text[from..place.start]);
        out.push_str(&instead);
        from = place.end;
    }
    out.push_str(&text[from..]);
    out
}

/// Returns a text as a JSON string.
pub(crate) fn string(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    write_string(text, &mut out);
    out
}

/// Returns `true` if a text is strict JSON and nothing else.
pub(crate) fn is_json(text: &str) -> bool {
    serde_json::from_str::<serde::de::IgnoredAny>(text).is_ok()
}

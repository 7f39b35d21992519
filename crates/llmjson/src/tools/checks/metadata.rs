//! Keywords that say more about fields, and are not as they have to be.

use llmjson_syntax::{Document, Kind, NoteKind, ValueRef};

use super::findings::shown;
use super::places::escaped;
use super::{Findings, Places, ProblemCode, Severity};
use crate::tools::contract::REQUIRED_ANY;

/// So many names that come twice are looked for.
const REPEATED_MAX: usize = 100;

pub(super) fn check(places: &Places<'_>, schema: &Document<'_>, findings: &mut Findings<'_>) {
    for (at, place) in places.iter() {
        for (word, value) in place.schema.members() {
            if let Some((severity, message)) = fault(&word, value, at == 0) {
                let pointer = places.pointer(at) + &escaped(&word);
                let message = format!("`{word}` {message}");
                match severity {
                    Severity::Error => findings.error(ProblemCode::Metadata, pointer, message),
                    Severity::Warning => findings.warning(ProblemCode::Metadata, pointer, message),
                }
            }
        }
    }
    check_repeated(schema, findings);
}

fn fault(word: &str, value: ValueRef<'_>, is_root: bool) -> Option<(Severity, &'static str)> {
    let is_text = value.kind() == Kind::String;
    match word {
        "x-alias" | "x-aliases" if !are_aliases(value) => {
            Some((Severity::Error, "has to be a list of strings"))
        }
        "examples" if value.kind() != Kind::Array => Some((Severity::Error, "has to be a list")),
        REQUIRED_ANY if !are_groups(value) => {
            Some((Severity::Error, "has to be a list of lists of strings"))
        }
        REQUIRED_ANY if !is_root => Some((Severity::Warning, "counts at the root alone")),
        "description" | "title" if !is_text => {
            Some((Severity::Warning, "is no string and is passed over"))
        }
        _ => None,
    }
}

/// One name or several; of the values of an enum an object of them.
fn are_aliases(value: ValueRef<'_>) -> bool {
    let are_texts = |value: ValueRef<'_>| match value.kind() {
        Kind::String => true,
        Kind::Array => value.items().all(|item| item.kind() == Kind::String),
        _ => false,
    };
    match value.kind() {
        Kind::Object => value.members().all(|(_, others)| are_texts(others)),
        _ => are_texts(value),
    }
}

fn are_groups(value: ValueRef<'_>) -> bool {
    let is_text = |item: ValueRef<'_>| item.kind() == Kind::String;
    let is_group = |group: ValueRef<'_>| group.kind() == Kind::Array && group.items().all(is_text);
    value.kind() == Kind::Array && value.items().all(is_group)
}

/// Members of the text that come twice: of two fields of the same name only one counts.
fn check_repeated(schema: &Document<'_>, findings: &mut Findings<'_>) {
    let notes = schema.notes().iter();
    let repeated = notes.filter(|note| note.kind == NoteKind::DuplicateKey);
    for note in repeated.take(REPEATED_MAX) {
        let name = schema.text().get(note.span.start as usize..);
        let name = name.unwrap_or_default().trim_start_matches('"');
        let name = name.split('"').next().unwrap_or_default();
        let pointer = container_at(schema, note.span.start);
        let message = format!("the name `{}` comes twice", shown(name));
        match pointer.ends_with("/properties") {
            true => findings.error(ProblemCode::Names, pointer, message),
            false => findings.warning(ProblemCode::Schema, pointer, message),
        }
    }
}

/// JSON Pointer to the innermost container around a place of the text.
fn container_at(schema: &Document<'_>, offset: u32) -> String {
    let mut pointer = String::new();
    let Some(mut value) = schema.root() else {
        return pointer;
    };
    let is_within = |value: ValueRef<'_>| {
        let span = value.span();
        let is_container = matches!(value.kind(), Kind::Object | Kind::Array);
        is_container && span.is_some_and(|span| span.start <= offset && offset < span.end)
    };
    loop {
        let items = (0u32..).zip(value.items());
        let items = items.map(|(at, item)| (at.to_string().into(), item));
        let mut parts = items.chain(value.members());
        match parts.find(|(_, part)| is_within(*part)) {
            Some((name, part)) => {
                pointer.push_str(&escaped(&name));
                value = part;
            }
            None => return pointer,
        }
    }
}

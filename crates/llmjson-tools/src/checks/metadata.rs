//! Malformed annotations and malformed keywords of this crate.

use llmjson_syntax::{Document, Kind, NoteKind, ValueRef};

use super::findings::{Findings, shown};
use super::subschemas::Subschemas;
use crate::contract::REQUIRED_ANY;
use llmjson_reply::internal::escaped;
use llmjson_targets::{LintCode, Severity};

/// The maximum number of duplicate names reported.
const REPEATED_MAX: usize = 100;

pub(super) fn check(
    subschemas: &Subschemas<'_>,
    schema: &Document<'_>,
    findings: &mut Findings<'_>,
) {
    for (at, subschema) in subschemas.iter() {
        for (word, value) in subschema.schema.members() {
            if let Some((severity, message)) = fault(&word, value, at == 0) {
                let pointer = subschemas.pointer(at) + &escaped(&word);
                let message = format!("`{word}` {message}");
                findings.add(severity, LintCode::Metadata, pointer, message);
            }
        }
    }
    check_repeated(schema, findings);
}

fn fault(word: &str, value: ValueRef<'_>, is_root: bool) -> Option<(Severity, &'static str)> {
    let is_text = value.kind() == Kind::String;
    match word {
        "x-alias" | "x-aliases" if !are_aliases(value) => Some((
            Severity::Error,
            "must be a string, an array of strings, or an object of those",
        )),
        "examples" if value.kind() != Kind::Array => Some((Severity::Error, "must be an array")),
        REQUIRED_ANY if !are_groups(value) => {
            Some((Severity::Error, "must be an array of arrays of strings"))
        }
        REQUIRED_ANY if !is_root => Some((Severity::Warning, "is only supported at the root")),
        "description" | "title" if !is_text => {
            Some((Severity::Warning, "must be a string; it is ignored"))
        }
        _ => None,
    }
}

/// Returns `true` if a value is an alias, an array of aliases, or an object of those for the values
/// of an `enum`.
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

/// Checks for duplicate keys; only one of two fields with the same name is used.
fn check_repeated(schema: &Document<'_>, findings: &mut Findings<'_>) {
    let notes = schema.notes().iter();
    let repeated = notes.filter(|note| note.kind == NoteKind::DuplicateKey);
    for note in repeated.take(REPEATED_MAX) {
        let name = schema.text().get(note.span.start as usize..);
        let name = name.unwrap_or_default().trim_start_matches('"');
        let name = name.split('"').next().unwrap_or_default();
        let pointer = container_at(schema, note.span.start);
        let message = format!("the name `{}` is duplicated", shown(name));
        match pointer.ends_with("/properties") {
            true => findings.error(LintCode::Names, pointer, message),
            false => findings.warning(LintCode::Schema, pointer, message),
        }
    }
}

/// Returns the JSON Pointer to the innermost object or array around an offset.
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

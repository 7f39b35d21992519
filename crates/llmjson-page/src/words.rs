//! Descriptions of what happened to a reply: the same words for terminals, pages and notebooks.

use llmjson::Failure;
use llmjson::syntax::{Document, NodeId};
use llmjson::{
    report::{Coercion, CoercionKind, Found, Step, Violation},
    syntax::Class,
};

use crate::Reply;
use crate::shown::picture_text;

/// A value or a description within a line is cut at this length.
const CLIP_CHARS: usize = 80;

/// Returns in one line what became of a reply.
#[must_use]
pub fn summary(reply: &Reply<'_>) -> String {
    let document = reply.document;
    if reply.root().is_none() {
        return Failure::new(document.clone(), None, Vec::new()).to_string();
    }
    let mut summary = format!("{} bytes", document.text().len());
    if document.repairs().is_empty() && reply.coercions.is_empty() {
        summary.push_str(", read as they stand");
    } else {
        summary.push_str(", read with changes, the value is ");
        summary.push_str(match reply.certainty() {
            Class::Guess => "a guess",
            class => class.name(),
        });
    }
    if !reply.is_complete {
        summary.push_str(", truncated");
    }
    if !reply.refused.is_empty() {
        summary.push_str("; the policy does not allow this reading");
    }
    if reply.has_schema {
        summary.push_str(match reply.is_unfit() {
            false => "; the value fits the schema",
            true => "; the value does not fit the schema",
        });
    }
    summary
}

/// Returns a value before and after a change; of a name that was changed, the name.
#[must_use]
pub fn before_and_after(coercion: &Coercion, document: &Document<'_>) -> (String, String) {
    let is_named = matches!(
        coercion.kind,
        CoercionKind::KeySpelling | CoercionKind::KeyAlias | CoercionKind::DerivedKey
    );
    if let Some(Step::Member(after)) = coercion.path.steps().last()
        && is_named
    {
        let before = document.name_read(coercion.before);
        return (clip(&before), clip(after));
    }
    let after = coercion.after.map(|after| short(document, after));
    let before = short(document, coercion.before);
    (before, after.unwrap_or_else(|| "nothing".to_owned()))
}

/// Returns what was found where something else is expected.
#[must_use]
pub fn found_of(violation: &Violation, document: &Document<'_>) -> String {
    match violation.found {
        Found::Value(found) => short(document, found),
        Found::Missing => "nothing".to_owned(),
    }
}

/// Returns a value for a line: what holds others is only named.
fn short(document: &Document<'_>, id: NodeId) -> String {
    let value = document.node(id);
    if value.is_empty() {
        return clip(&value.to_json());
    }
    match value.len() {
        1 => format!("{} of 1", value.kind().name()),
        count => format!("{} of {count}", value.kind().name()),
    }
}

/// Returns the beginning of a text on one line, in which every character shows.
#[must_use]
pub fn clip(text: &str) -> String {
    match text.char_indices().nth(CLIP_CHARS) {
        Some((end, _)) => format!("{}…", picture_text(&text[..end])),
        None => picture_text(text),
    }
}

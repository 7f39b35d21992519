//! Truncated values within text that continues.

use llmjson_syntax::{Class, Document, RepairKind, Span};

/// The number of bytes after a repair in which the next delimiter is searched.
const NEAR: usize = 256;

/// Returns the place at which a value within arguments breaks off:
/// `{"filter": {"only": "a", "and": }}`, `{"list": [1, 2}`. The last bracket of the arguments
/// themselves may be missing at the end.
pub(super) fn in_arguments(document: &Document<'_>) -> Option<Span> {
    of(document, 1)
}

/// Returns `true` if a separate value breaks off: the text between the tags of an argument.
pub(super) fn in_value(document: &Document<'_>) -> bool {
    of(document, 0).is_some()
}

/// Returns the place at which a value breaks off, which may lack a number of brackets at its end.
fn of(document: &Document<'_>, most: usize) -> Option<Span> {
    let text = document.text();
    let mut open = 0;
    let cut = document.repairs().iter().find(|repair| {
        let next = next_sign(text, repair.span);
        let is_before_closer = matches!(next, None | Some('}' | ']' | ')'));
        match repair.kind {
            RepairKind::UnclosedString
            | RepairKind::CutEscape
            | RepairKind::CutKeyword
            | RepairKind::CutNumber
            | RepairKind::CutMember => true,
            RepairKind::MissingValue | RepairKind::ShortKeyword => is_before_closer,
            // Inner brackets are closed before outer ones.
            RepairKind::MissingCloser | RepairKind::UnclosedObject | RepairKind::UnclosedArray => {
                open += 1;
                open > most || matches!(next, Some('}' | ']' | ')' | '"' | '\''))
            }
            RepairKind::RecordsCapped => true,
            _ => false,
        }
    });
    let end = Span::at(u32::try_from(text.len()).unwrap_or(u32::MAX));
    let cut = cut.map(|repair| repair.span);
    cut.or_else(|| (open > 0 && !lacks_closers_alone(document)).then_some(end))
}

/// Returns `true` if only brackets at the end of a value are doubtful: `{"only": "a"`. Returns
/// `false` if more is missing: `{"only": "a",`.
pub(super) fn lacks_closers_alone(document: &Document<'_>) -> bool {
    document.repairs().iter().all(|repair| match repair.kind {
        RepairKind::MissingCloser | RepairKind::UnclosedObject | RepairKind::UnclosedArray => true,
        RepairKind::UnclosedString | RepairKind::CutEscape | RepairKind::CutKeyword => false,
        RepairKind::CutMember | RepairKind::ExtraComma => false,
        _ => repair.class == Class::Certain,
    })
}

/// Returns the next character after a position, ignoring commas; `None` at the end.
fn next_sign(text: &str, span: Span) -> Option<char> {
    let rest = text.get(span.end as usize..)?;
    let near = &rest[..rest.floor_char_boundary(NEAR.min(rest.len()))];
    let mut signs = near.chars();
    signs.find(|one| !one.is_whitespace() && *one != ',')
}

//! Beginnings of JSON.

use alloc::string::String;

use super::{Inspections, is_beginning_of};
use crate::{Class, Kind, NoteKind, Repair, RepairKind, Stream, parse};

/// The lenient syntax that the main loop reads.
const LENIENT: [RepairKind; 4] = [
    RepairKind::Comment,
    RepairKind::ExtraComma,
    RepairKind::OddSpace,
    RepairKind::UnquotedKey,
];

/// The part of a value left unfinished by the end of a text.
const UNFINISHED: [RepairKind; 7] = [
    RepairKind::UnclosedObject,
    RepairKind::UnclosedArray,
    RepairKind::UnclosedString,
    RepairKind::CutMember,
    RepairKind::CutKeyword,
    RepairKind::CutNumber,
    RepairKind::CutEscape,
];

/// Checks that each prefix of valid JSON, possibly with comments, unquoted keys and surplus commas,
/// is read as truncated: its value is a beginning of the whole value, none of it was searched for,
/// and a stream has shown no more than that. Only closers or a colon at the very end of an open
/// string may reveal a forgotten quote. Does nothing for other text, for repeated keys, and where
/// the columns of members show that a closer is missing.
///
/// # Panics
///
/// If the law does not hold.
pub fn beginnings_are_truncated(text: &str) {
    let whole = parse(text);
    let is_container = |kind| matches!(kind, Kind::Array | Kind::Object);
    let root = whole.root().filter(|root| is_container(root.kind()));
    let Some(span) = root.and_then(|root| root.span()) else {
        return;
    };
    let behind = |one: &Repair| text[one.span.end as usize..].trim_start();
    let trailing = |one: &Repair| behind(one).starts_with(['}', ']']);
    let is_lenient = |one: &Repair| match one.kind {
        RepairKind::ExtraComma => trailing(one),
        RepairKind::Comment => is_plain(&text[one.span.range()]),
        kind => LENIENT.contains(&kind) && one.class == Class::Certain,
    };
    let lenient = whole.repairs().iter().all(is_lenient);
    let again = whole
        .notes()
        .iter()
        .any(|one| one.kind == NoteKind::DuplicateKey);
    if !whole.is_complete() || !lenient || again || !text[..span.start as usize].trim().is_empty() {
        return;
    }
    let mut inspections = Inspections::within(text, 300);
    let mut stream = Stream::new();
    let mut shown: Option<String> = None;
    let mut pushed = 0;
    for at in (span.start as usize + 1..span.end as usize).filter(|at| text.is_char_boundary(*at)) {
        let at_gap = |one: &Repair| {
            let is_gap = matches!(one.kind, RepairKind::Comment | RepairKind::OddSpace);
            is_gap && one.span.start < at as u32 && at as u32 <= one.span.end
        };
        if !inspections.is_due(at) || within_word(text, at) || whole.repairs().iter().any(at_gap) {
            continue;
        }
        let part = &text[..at];
        stream.push(&text[pushed..at]);
        pushed = at;
        let document = parse(part);
        // Columns may show that a closer is missing, a quote before closers may be a surplus one,
        // and a truncation notice is shown until it ends.
        let told = |one: &Repair| {
            matches!(
                one.kind,
                RepairKind::MissingCloser | RepairKind::StrayText | RepairKind::Ellipsis
            )
        };
        if document.repairs().iter().any(told) {
            continue;
        }
        let value = document.to_json();
        assert!(!document.is_complete(), "{part:?} gives {value:?}");
        let begins = value
            .as_deref()
            .is_some_and(|value| is_beginning_of(value, whole.root()));
        assert!(begins, "{value:?} read from {part:?}");
        let reveals = part.trim_end().ends_with(['}', ']', '`', '>', ':']);
        for repair in document.repairs() {
            let kind = repair.kind;
            let known = UNFINISHED.contains(&kind) || LENIENT.contains(&kind);
            let forgotten = kind == RepairKind::MissingQuote && reveals;
            assert!(known || forgotten, "{repair:?} in {part:?}");
        }
        shown = stream.document().to_json().or(shown);
        let kept = shown
            .as_deref()
            .is_none_or(|shown| is_beginning_of(shown, document.root()));
        assert!(kept, "{shown:?} was taken back in {part:?}");
    }
}

/// Returns `true` if a number may be split at `at`, so that its first half is another value.
fn within_word(text: &str, at: usize) -> bool {
    let part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '+');
    let before = text[..at].trim_end_matches(part).len();
    text[before..at].starts_with(|c: char| c.is_ascii_digit() || c == '-')
        && text[at..].starts_with(part)
}

/// Returns `true` if a comment is unambiguous: `// first`, but not `#1` or `// "a": 1`.
fn is_plain(comment: &str) -> bool {
    let begins = ["// ", "/*", "# "]
        .iter()
        .any(|sign| comment.starts_with(sign));
    begins && !comment.contains(['"', '}', ']'])
}

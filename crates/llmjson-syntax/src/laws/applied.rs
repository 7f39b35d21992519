//! The law that every change is recorded.

use alloc::string::String;
use core::ops::Range;

use crate::base::repair_set::RepairSet;
use crate::document::edits::{Change, Role, changes};
use crate::laws::comments::comments_stay;
use crate::{Comments, Document, EditOptions, Repair, RepairKind, Unfinished, parse};

/// Checks that the edits turn a text into strict JSON of its value, and that each edit has a
/// record. Returns that JSON, for comparison with another parser, or `None` without a value.
///
/// A rewritten string keeps the letters and digits of the text. No letter or digit separates a
/// change from its record, unless another change of that record covers it. Three things may be
/// further away: a comma, the brackets of a call or container, and the text between several values
/// that are read as one array. With its comments kept, the text is the same JSON with comments.
///
/// # Panics
///
/// If the law does not hold.
pub fn records_lead_to_the_value(text: &str) -> Option<String> {
    let document = parse(text);
    let root = document.root()?;
    let repaired = document.repaired_text().expect("there is a value");
    let repaired = repaired.into_owned();
    let again = parse(&repaired);
    assert_eq!(
        again.repairs(),
        [],
        "{repaired:?}, made from {text:?}: {document:?}"
    );
    assert_eq!(
        again.to_json(),
        Some(root.to_json()),
        "{repaired:?}, made from {text:?}: {document:?}"
    );
    let completed = document.repaired_text_with(Unfinished::Complete);
    let completed = completed.expect("there is a value").into_owned();
    assert_eq!(
        parse(&completed).repairs(),
        [],
        "{completed:?}, completed from {text:?}: {document:?}"
    );
    changes_are_on_record(&document, EditOptions::default());
    changes_are_on_record(&document, Comments::Keep.into());
    comments_stay(&document, &repaired);
    Some(repaired)
}

/// Checks that changes are in the order of the text, each near its record.
fn changes_are_on_record(document: &Document<'_>, options: EditOptions) {
    let text = document.text();
    let changes = changes(document, options);
    let (mut end, mut before) = (0, usize::MAX);
    for (change, record) in &changes {
        let place = change.start..change.end;
        assert!(end <= change.start, "{change:?} overlaps in {text:?}");
        assert!(text.get(place).is_some(), "{change:?} in {text:?}");
        let follows = end == change.start && before == *record;
        (end, before) = (change.end, *record);
        assert!(
            (follows || is_near(change, *record, document)) && is_written(change, document),
            "{change:?} is not on record in {text:?}: {document:?}"
        );
    }
}

/// Returns `true` if only punctuation separates a change from its record, or the change may be
/// further away.
fn is_near(change: &Change, record: usize, document: &Document<'_>) -> bool {
    let records = document.repairs();
    let Some(record) = records.get(record) else {
        return false;
    };
    let (start, end) = (record.span.start as usize, record.span.end as usize);
    let between = match start > change.until {
        true => change.until..start,
        false => end.min(change.start)..change.start,
    };
    let part = |part: Range<usize>| document.text().get(part).unwrap_or_default();
    let far = |one: &Repair| {
        matches!(
            one.kind,
            RepairKind::RecordsCapped | RepairKind::SeveralValues
        )
    };
    let sign = part(change.start..change.end).trim_matches([',', ')', ']', '}']);
    !part(between).contains(char::is_alphanumeric)
        || matches!(change.role, Role::Bracket(_))
        || change.role == Role::Out && sign.is_empty()
        || records.iter().any(far)
}

/// Returns `true` if the records account for the text that a change rewrites.
fn is_written(change: &Change, document: &Document<'_>) -> bool {
    let records = document.repairs();
    let recoded = records.iter().any(|one| {
        RepairSet::RECODED.has(one.kind)
            && (one.span.start as usize) < change.end
            && one.span.end as usize > change.start
    });
    if recoded || change.role != Role::Token {
        return true;
    }
    // `"a" /* more */ + "b"`: a comment or token between pieces has a separate record.
    let (mut text, mut at) = (String::new(), change.start);
    let apart = |one: &&Repair| matches!(one.kind, RepairKind::Comment | RepairKind::TemplateToken);
    for one in records.iter().filter(apart) {
        let (start, end) = (one.span.start as usize, one.span.end as usize);
        if start >= at && end <= change.end {
            text.push_str(&document.text()[at..start]);
            at = end;
        }
    }
    text.push_str(&document.text()[at..change.end]);
    stands_in(&change.text, &text)
}

/// Returns `true` if a string and its source text have the same letters and digits, in the same
/// order. The characters represented by escapes and the spelling of a number or keyword are not
/// compared; a fence around a string may name a language.
fn stands_in(written: &str, text: &str) -> bool {
    let fenced = text.starts_with("```") || text.starts_with("~~~");
    let spelled = !written.starts_with('"');
    let data = text.strip_prefix("<![CDATA[").unwrap_or(text);
    if spelled || fenced || written.contains('\\') || text.contains('\\') {
        return true;
    }
    let letters = |text: &str| {
        text.chars()
            .filter(|c| c.is_alphanumeric())
            .collect::<String>()
    };
    [text, data]
        .iter()
        .any(|text| letters(written) == letters(text))
}

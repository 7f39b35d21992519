//! The law that nothing is invented in silence.

use alloc::string::String;

use crate::document::edits::{Recorded, Role, applied, changes};
use crate::{Document, Repair, RepairKind, Unfinished, parse};

/// Checks that a text with its edits made is strict JSON of its value, and that each edit is on
/// record. Returns that JSON, for a comparison with another reader; `None` without a value.
///
/// A string that is written anew has the letters and digits that stand there. What goes or is put in stands beside
/// its record, or in the same gap. Three things may stand further off: a comma, the brackets of a call or container,
/// and what stands between several values that are read as one list.
///
/// # Panics
///
/// If the law does not hold.
pub fn records_lead_to_the_value(text: &str) -> Option<String> {
    let document = parse(text);
    let root = document.root()?;
    let changes = changes(&document, Unfinished::Drop);
    let repaired = applied(text, &changes).into_owned();
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
    let mut end = 0;
    for recorded in &changes {
        let (change, _) = recorded;
        let place = change.start..change.end;
        assert!(end <= change.start, "{change:?} overlaps in {text:?}");
        assert!(text.get(place).is_some(), "{change:?} in {text:?}");
        end = change.end;
        assert!(
            is_on_record(recorded, &document),
            "{change:?} is not on record in {text:?}: {document:?}"
        );
    }
    Some(repaired)
}

/// Returns `true` if a record accounts for a change and for the text that it writes anew.
fn is_on_record((change, record): &Recorded, document: &Document<'_>) -> bool {
    let records = document.repairs();
    let Some(record) = records.get(*record) else {
        return false;
    };
    let touches =
        record.span.start as usize <= change.until && record.span.end as usize >= change.start;
    let follows = match change.role {
        Role::Bracket(_) => true,
        Role::Out => {
            let gone = &document.text()[change.start..change.end];
            gone.trim_matches([',', ')', ']', '}']).is_empty()
        }
        _ => false,
    };
    let far = |one: &Repair| {
        matches!(
            one.kind,
            RepairKind::RecordsCapped | RepairKind::SeveralValues
        )
    };
    if !touches && !follows && !records.iter().any(far) {
        return false;
    }
    let recoded = matches!(
        record.kind,
        RepairKind::EscapedDocument
            | RepairKind::HtmlEntities
            | RepairKind::CsvQuotes
            | RepairKind::LineMarks
    );
    if recoded || change.role != Role::Token {
        return true;
    }
    // `"a" /* more */ + "b"`: a comment between pieces is on a record of its own.
    let (mut text, mut at) = (String::new(), change.start);
    for one in records.iter().filter(|one| one.kind == RepairKind::Comment) {
        let (start, end) = (one.span.start as usize, one.span.end as usize);
        if start >= at && end <= change.end {
            text.push_str(&document.text()[at..start]);
            at = end;
        }
    }
    text.push_str(&document.text()[at..change.end]);
    stands_in(&change.text, &text)
}

/// Returns `true` if a string and the text that it was read from have the same letters and digits,
/// in the same order. What escapes stand for is not compared, nor how a number or keyword is
/// spelled; a fence around a string may name a language.
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

//! The law that comments which are kept do not affect the value.

use alloc::string::String;

use crate::{Comments, Document, EditOptions, RepairKind, Unfinished, parse};

/// Checks that a text with its comments kept is JSON with comments, and that removing them yields
/// the text written without comments, up to white space.
pub(super) fn comments_stay(document: &Document<'_>, without: &str) {
    let text = document.text();
    let kept = document.repaired_text_with(Comments::Keep);
    let kept = kept.expect("there is a value").into_owned();
    assert_eq!(
        signs(&without_comments(&kept)),
        signs(without),
        "{kept:?}, made from {text:?}: {document:?}"
    );
    let options = EditOptions::from(Comments::Keep).with_unfinished(Unfinished::Complete);
    let completed = document.repaired_text_with(options);
    let completed = completed.expect("there is a value").into_owned();
    assert_eq!(
        parse(&without_comments(&completed)).repairs(),
        [],
        "{completed:?}, completed from {text:?}: {document:?}"
    );
}

/// Checks that a text with its comments kept is read as the same value, with comments as the only
/// records.
///
/// # Panics
///
/// If the law does not hold.
pub fn kept_comments_read_back(text: &str) {
    let document = &parse(text);
    let Ok(kept) = document.repaired_text_with(Comments::Keep) else {
        return;
    };
    let again = parse(&kept);
    let value = |document: &Document<'_>| document.root().map(|root| root.to_json());
    let is_comment = |kind| kind == RepairKind::Comment;
    assert!(
        again.repairs().iter().all(|one| is_comment(one.kind)),
        "{kept:?}, made from {text:?}: {again:?}"
    );
    assert_eq!(
        value(&again),
        value(document),
        "{kept:?}, made from {text:?}: {document:?}"
    );
}

/// Returns JSON with comments without its comments, as any parser of it reads it.
fn without_comments(text: &str) -> String {
    let (mut left, mut rest) = (String::new(), text);
    while let Some(sign) = rest.chars().next() {
        let length = match sign {
            '"' => {
                let mut escaped = false;
                let end = rest[1..].find(|sign| {
                    let ends = sign == '"' && !escaped;
                    escaped = sign == '\\' && !escaped;
                    ends
                });
                end.expect("a string ends") + 2
            }
            '/' if rest.starts_with("/*") => {
                let end = rest[2..].find("*/").expect("a comment ends");
                rest = &rest[end + 4..];
                continue;
            }
            '/' if rest.starts_with("//") => {
                rest = &rest[rest.find(['\n', '\r']).unwrap_or(rest.len())..];
                continue;
            }
            _ => sign.len_utf8(),
        };
        left.push_str(&rest[..length]);
        rest = &rest[length..];
    }
    left
}

/// Returns a text without JSON white space.
fn signs(text: &str) -> String {
    text.replace([' ', '\t', '\n', '\r'], "")
}

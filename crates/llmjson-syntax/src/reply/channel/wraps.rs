//! Lines that were cut where a column was full.

use crate::base::repair::{Class, RepairKind};
use crate::reply::channel::decoded::DecodedText;

/// The least number of lines that show a column.
const FULL_MIN: usize = 2;

/// Columns from here on are where terminals, mails and pages cut lines.
const COLUMN: usize = 20;

/// Joins the lines that end at the last column, at least one of them amid a word: lines may be equally long for other
/// reasons.
pub(crate) fn columns(text: &str) -> Option<DecodedText> {
    let length = |line: &str| line.trim_end_matches('\r').chars().count();
    let width = text.lines().map(length).max()?;
    let (mut full, mut amid) = (0, false);
    for (line, next) in text.lines().zip(text.lines().skip(1)) {
        if length(line) == width {
            full += 1;
            let ends = line.ends_with(char::is_alphanumeric);
            amid |= ends && next.starts_with(char::is_alphanumeric) || is_end_of_string(next);
        }
    }
    // One long line shows no column.
    if width < COLUMN || full < FULL_MIN || !amid {
        return None;
    }
    let mut taken = DecodedText::of(RepairKind::CarriedText);
    if full == FULL_MIN {
        taken.class = Class::Guess;
    }
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let bare = line.trim_end_matches(['\n', '\r']);
        taken.push(at, if length(bare) == width { bare } else { line });
        at += line.len();
    }
    taken.end(text.len());
    Some(taken)
}

/// Returns whether a line begins with the quote that closes a text: `",`.
fn is_end_of_string(line: &str) -> bool {
    let behind = line.strip_prefix('"').map(str::trim_end);
    behind.is_some_and(|rest| rest.is_empty() || rest.starts_with([',', ':', '}', ']']))
}

//! Lines of fields with a head: CSV and its kin, and listings in columns.

use super::scalars::{Spelling, trimmed};
use super::table::{Rows, value_of};
use super::tree::{Name, Part, Value};
use super::{Found, Source, shaped};

/// The signs between fields. Two spaces part the columns of a listing.
const SIGNS: &[&str] = &[",", ";", "\t", "|", "  "];

const FIELDS: Spelling = Spelling {
    marks: false,
    comment: None,
    separators: false,
    doubled: true,
};

/// Reads the first lines of fields whose head has names of the schema.
pub(super) fn read(source: &Source<'_, '_>) -> Option<Found> {
    let Source { text, places, region, .. } = *source;
    let named = region.is(&["csv", "tsv", "psv"]);
    (named || region.is_open()).then_some(())?;
    if places.is_nameless() {
        return None;
    }
    let end = region.lines.last()?.end;
    for line in &region.lines {
        let content = line.text(text);
        for sign in SIGNS {
            let fields = content.matches(sign).count() + 1;
            let first = content.split(sign).next().unwrap_or_default();
            let first = first.trim_matches(['"', ' ', '#', '\u{feff}']);
            if (fields < 2 && !named) || !places.knows(first) && !places.knows(content.rsplit(sign).next()?.trim_matches(['"', ' '])) {
                continue;
            }
            let (rows, last) = rows_at(text, line.at..end, sign);
            let Some((name, value)) = value_of(text, &rows, places.root, places, FIELDS) else {
                continue;
            };
            let value = match name {
                Some(name) => Value::Object(vec![(Name::Known(name), value)]),
                None => value,
            };
            return Some(shaped(source, value, line.at..last));
        }
    }
    None
}

/// Returns the rows of fields from a place on, and where the last one ends.
fn rows_at(text: &str, part: Part, sign: &str) -> (Rows, usize) {
    let (mut rows, mut at, mut last): (Rows, _, _) = (Vec::new(), part.start, part.start);
    while at < part.end {
        let (row, end) = row(text, at..part.end, sign);
        let is_rule = text[at..end].trim_matches(['-', '=', ' ', '+', '\r']).is_empty();
        at = end + 1;
        if is_rule && !text[last..end].trim().is_empty() {
            continue;
        }
        if rows.first().is_some_and(|head| head.len() != row.len()) {
            break;
        }
        if row.len() == 1 && text[row[0].clone()].is_empty() {
            break;
        }
        rows.push(row);
        last = end;
    }
    (rows, last)
}

/// The fields of one row, and where it ends: a line, or more where a line break stands in quotes.
fn row(text: &str, part: Part, sign: &str) -> (Vec<Part>, usize) {
    let inner = &text[part.clone()];
    let (mut fields, mut from, mut at, mut is_quoted) = (Vec::new(), 0, 0, false);
    let bytes = inner.as_bytes();
    while at < bytes.len() {
        match bytes[at] {
            b'"' if is_quoted || inner[from..at].trim().is_empty() => is_quoted = !is_quoted,
            b'"' if inner[from..].trim_start().starts_with('"') => is_quoted = true,
            b'\n' if !is_quoted => break,
            _ if !is_quoted && inner[at..].starts_with(sign) => {
                fields.push(trimmed(text, part.start + from..part.start + at));
                at += sign.len();
                if sign == "  " {
                    at = inner.len() - inner[at..].trim_start_matches(' ').len();
                }
                from = at;
                continue;
            }
            _ => at += inner[at..].chars().next().map_or(1, char::len_utf8) - 1,
        }
        at += 1;
    }
    if is_quoted && inner[from..at].contains('\n') {
        // The quote closes nowhere: the row is its line.
        at = inner.find('\n').unwrap_or(inner.len());
        from = from.min(at);
    }
    fields.push(trimmed(text, part.start + from..part.start + at));
    (fields, part.start + at)
}

//! Lines of fields with a header: CSV and similar formats, and column listings.

use super::key::is_name;
use super::scalars::{Spelling, trimmed};
use super::table::{Rows, named, value_of};
use super::tree::Part;
use super::{Found, Source, shaped};

/// The delimiters between fields. Two spaces separate the columns of a listing.
const SIGNS: &[&str] = &[",", ";", "\t", "|", "  "];

const FIELDS: Spelling = Spelling {
    doubled: true,
    ..Spelling::PLAIN
};

/// Maximum number of lines that are tried as headers.
const HEADS_MAX: usize = 4;

/// Reads the first lines of fields whose header has keys of the schema.
pub(super) fn read(source: &Source<'_, '_>) -> Option<Found> {
    let (text, places, region) = source.parts();
    let end = region.lines.last()?.end;
    let heads = region
        .lines
        .iter()
        .flat_map(|line| SIGNS.iter().map(move |sign| (line, *sign)));
    let heads = heads.filter(|(line, sign)| {
        let is_table = line.text(text).starts_with('|');
        places.charge(line.end - line.start);
        let (head, _) = row(text, line.at..line.end, sign, true);
        let known = head.iter().filter(|name| {
            let name = text[(*name).clone()].trim_matches(['"', '#', ' ', '\u{feff}']);
            is_name(name) && places.knows(name)
        });
        !is_table && 2 * known.count() > head.len() && (head.len() > 1 || source.named)
    });
    heads.take(HEADS_MAX).find_map(|(line, sign)| {
        let Listing { rows, last, short } = rows_at(text, line.at..end, sign);
        places.charge(last - line.at);
        let (name, value) = value_of(text, &rows, places.root, places, FIELDS)?;
        let mut found = shaped(source, named(name, value), line.at..last);
        found.doubtful |= short;
        Some(found)
    })
}

/// Reads the rows of fields from a place on.
struct Listing {
    rows: Rows,
    /// The end of the last one.
    last: usize,
    /// Fields were missing at the end of a row.
    short: bool,
}

fn rows_at(text: &str, part: Part, sign: &str) -> Listing {
    let (mut rows, mut at, mut last): (Rows, _, _) = (Vec::new(), part.start, part.start);
    let mut short = false;
    // After an unclosed quote, quotes are ordinary characters.
    let mut quotes = true;
    while at < part.end {
        let line = text[at..part.end]
            .find('\n')
            .map_or(part.end, |length| at + length);
        let (mut fields, mut end) =
            row(text, at..if quotes { part.end } else { line }, sign, quotes);
        if end == part.end && end > line {
            quotes = false;
            (fields, end) = row(text, at..line, sign, quotes);
        }
        let row = fields;
        let is_rule = text[at..end]
            .trim_matches(['-', '=', ' ', '+', '|', ':', '\r'])
            .is_empty();
        at = end + 1;
        if is_rule && !text[last..end].trim().is_empty() {
            continue;
        }
        let head = rows.first().map_or(row.len(), Vec::len);
        if row.len() > head || row.len() < head && row.len() < 2 {
            break;
        }
        short |= row.len() < head;
        if row.len() == 1 && text[row[0].clone()].is_empty() {
            break;
        }
        rows.push(row);
        last = end;
    }
    Listing { rows, last, short }
}

/// Returns the fields of one row, and its end: after one line, or more if a line break is inside
/// quotes.
fn row(text: &str, part: Part, sign: &str, quotes: bool) -> (Vec<Part>, usize) {
    let inner = &text[part.clone()];
    let (mut fields, mut from, mut at, mut is_quoted) = (Vec::new(), 0, 0, false);
    let bytes = inner.as_bytes();
    while at < bytes.len() {
        match bytes[at] {
            b'"' if quotes && (is_quoted || begins(&inner[from..at])) => is_quoted = !is_quoted,
            b'\n' if !is_quoted => break,
            _ if !is_quoted && bytes[at..].starts_with(sign.as_bytes()) => {
                fields.push(trimmed(text, part.start + from..part.start + at));
                at += sign.len();
                if sign == "  " {
                    at = inner.len() - inner[at..].trim_start_matches(' ').len();
                }
                from = at;
                continue;
            }
            _ => {}
        }
        at += 1;
    }
    fields.push(trimmed(text, part.start + from..part.start + at));
    (fields, part.start + at)
}

/// Returns `true` if a quote after this part of a field opens or reopens it: `"a ""b"""`.
fn begins(before: &str) -> bool {
    let before = before.trim_start();
    before.is_empty() || before.starts_with('"') && before.ends_with('"')
}

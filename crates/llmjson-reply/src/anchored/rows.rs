//! Lines of cells below a header with keys of the schema: tables of Markdown and of consoles, CSV
//! and other delimited fields, column listings.

use llmjson_syntax::Notation;

use super::induced::Induced;
use super::place::Place;
use super::scalars::{self, trimmed};
use super::tree::{Name, Part, Value};

/// Maximum number of lines that are tried as headers.
const HEADS_MAX: usize = 8;

/// Objects, one from each row, the place of the table, and whether a row lacks cells.
pub(super) struct Rows {
    pub(super) items: Vec<Value>,
    pub(super) part: Part,
    pub(super) short: bool,
    pub(super) notation: Notation,
}

/// Reads the first table in a part whose header has keys of the place.
pub(super) fn rows<'s>(reader: &Induced<'_, 's>, part: &Part, place: Place<'s>) -> Option<Rows> {
    let text = reader.text;
    let own = reader.own(part, place);
    let (mut tried, mut next) = (0, part.start);
    for &index in &own {
        let one = &reader.anchors[index];
        if one.start < next {
            continue;
        }
        let start = text[part.start..one.start]
            .rfind('\n')
            .map_or(part.start, |at| part.start + at + 1);
        let end = text[one.start..part.end]
            .find('\n')
            .map_or(part.end, |at| one.start + at);
        next = end;
        tried += 1;
        if tried > HEADS_MAX {
            break;
        }
        let before = text[start..one.start].trim_end_matches(['"', '*', '`', '#', ' ', '\t']);
        let after = text[one.end..end].trim_start_matches(['"', '*', '`']);
        // `{sku,qty}:`
        let listed = before.ends_with(['{', '(']);
        let from = if listed { start + before.len() } else { start };
        let to = match listed {
            true => text[from..end].find(['}', ')']).map_or(end, |at| from + at),
            false => end,
        };
        let Some(sign) = sign_of(after) else { continue };
        let head: Vec<Part> = Line {
            text,
            sign,
            quotes: true,
        }
        .cells(from..to)
        .0;
        let names: Vec<Option<Part>> = head.iter().map(|cell| name(text, cell)).collect();
        let known = names
            .iter()
            .flatten()
            .filter(|name| reader.places.find(place, &text[(*name).clone()]).is_some())
            .count();
        let word = |name: &Part| text[name.clone()].contains(char::is_alphanumeric);
        if known < 2
            || 2 * known <= names.iter().flatten().filter(|name| word(name)).count()
            || to < end && !text[to + 1..end].trim_start_matches(':').trim().is_empty()
        {
            continue;
        }
        let begin = if listed { one.head.min(from) } else { start };
        if let Some(mut rows) = below(reader, end..part.end, sign, &names) {
            rows.part.start = begin;
            return Some(rows);
        }
    }
    None
}

/// Returns the delimiter after the first cell of a header.
fn sign_of(after: &str) -> Option<&str> {
    let trimmed = after.trim_start_matches([' ', '\t']);
    let gap = &after[..after.len() - trimmed.len()];
    let mark = trimmed.chars().next()?;
    match (gap, mark) {
        _ if gap.contains('\t') => Some("\t"),
        (_, '|' | '│' | '┃' | '¦' | ',' | ';' | '/' | '~' | '^' | '&') => {
            Some(&trimmed[..mark.len_utf8()])
        }
        _ if gap.len() > 1 && (mark.is_alphanumeric() || mark == '"') => Some("  "),
        _ => None,
    }
}

/// Returns the key in a cell of a header.
fn name(text: &str, cell: &Part) -> Option<Part> {
    let inner = &text[cell.clone()];
    let name = inner.trim_matches(['"', '\'', '*', '_', '`', '#', ':', ' ', '\u{feff}']);
    let start = cell.start + (name.as_ptr() as usize - inner.as_ptr() as usize);
    (!name.is_empty()).then_some(start..start + name.len())
}

/// Reads the rows below a header.
fn below(reader: &Induced<'_, '_>, part: Part, sign: &str, names: &[Option<Part>]) -> Option<Rows> {
    let text = reader.text;
    let mut line = Line {
        text,
        sign,
        quotes: true,
    };
    let barred = matches!(sign, "|" | "│" | "┃");
    let mut rows = Rows {
        items: Vec::new(),
        part: part.clone(),
        short: false,
        notation: if barred {
            Notation::Table
        } else {
            Notation::Csv
        },
    };
    let columns = names.iter().cloned().map(|name| {
        let name = name.filter(|name| text[name.clone()].contains(char::is_alphanumeric))?;
        let key = reader.places.key(&text[name.clone()]);
        Some(Name::at(name, key))
    });
    let columns: Vec<Option<Name>> = columns.collect();
    let mut at = part.start + 1;
    while at < part.end {
        let stop = text[at..part.end]
            .find('\n')
            .map_or(part.end, |length| at + length);
        let (mut cells, mut end) = line.cells(at..part.end);
        if end == part.end && end > stop {
            // After an unclosed quote, quotes are ordinary characters.
            line.quotes = false;
            (cells, end) = line.cells(at..stop);
        }
        let content = &text[at..end];
        at = end + 1;
        let border = |c: char| "+-=:─━═┌┬┐├┼┤└┴┘╒╤╕╞╪╡╘╧╛┏┳┓┡╇┩┗┻┛|│┃ \r".contains(c);
        if content.trim().is_empty() {
            if rows.items.is_empty() && barred {
                continue;
            }
            break;
        }
        if content.chars().all(border) {
            rows.part.end = end;
            continue;
        }
        if cells.len() > names.len() || cells.len() < 2 || barred && cells.len() < names.len() {
            break;
        }
        rows.short |= cells.len() < names.len();
        let mut members = Vec::with_capacity(cells.len());
        let named = columns.iter().zip(cells);
        members.extend(named.filter_map(|(name, cell)| Some((name.clone()?, value(text, cell)))));
        rows.items.push(Value::Object(members));
        rows.part.end = end;
    }
    (!rows.items.is_empty()).then_some(rows)
}

/// Reads a cell: two double quotes are one within quotes, and a bar has a backslash before it.
fn value(text: &str, cell: Part) -> Value {
    let inner = &text[cell.clone()];
    let inside = inner
        .strip_prefix('"')
        .and_then(|inner| inner.strip_suffix('"'));
    match inside {
        Some(inside) if inside.contains("\"\"") => Value::Made(inside.replace("\"\"", "\"")),
        Some(_) => Value::Text(cell.start + 1..cell.end - 1),
        None if inner.contains('\\') && inner.contains("\\|") => {
            Value::Made(inner.replace("\\|", "|"))
        }
        None => scalars::read(text, cell),
    }
}

struct Line<'r> {
    text: &'r str,
    sign: &'r str,
    quotes: bool,
}

impl Line<'_> {
    /// Returns the cells of one row, and its end: after one line, or more if a line break is inside
    /// quotes.
    fn cells(&self, part: Part) -> (Vec<Part>, usize) {
        let Self { text, sign, quotes } = *self;
        let inner = &text[part.clone()];
        let bytes = inner.as_bytes();
        let bar = !matches!(sign, "," | ";" | "\t" | "  ");
        let first = sign.as_bytes()[0];
        let (mut cells, mut is_quoted) = (Vec::new(), false);
        let begun = inner.trim_start_matches([' ', '\t']);
        let begun = begun.strip_prefix(sign).filter(|_| bar).unwrap_or(begun);
        let mut at = inner.len() - begun.len();
        let mut from = at;
        while at < bytes.len() {
            match bytes[at] {
                b'"' if quotes && (is_quoted || begins(&inner[from..at])) => is_quoted = !is_quoted,
                b'\n' if !is_quoted => break,
                b'\\' if bar => at += 1,
                byte if byte == first && !is_quoted && inner[at..].starts_with(sign) => {
                    cells.push(trimmed(text, part.start + from..part.start + at));
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
        let at = at.min(inner.len());
        let last = trimmed(text, part.start + from..part.start + at);
        if !(bar && last.is_empty()) {
            cells.push(last);
        }
        (cells, part.start + at)
    }
}

/// Returns `true` if a quote after this part of a cell opens or reopens it: `"a ""b"""`.
fn begins(before: &str) -> bool {
    let before = before.trim_start();
    before.is_empty() || before.starts_with('"') && before.ends_with('"')
}

//! Markdown tables, and tables drawn by consoles.

use super::indented::Indented;
use super::place::{Place, Places};
use super::region::Line;
use super::scalars::{Spelling, trimmed};
use super::tree::{Member, Name, Part, Value};
use super::{Found, Source, shaped};

/// The characters between cells.
const BARS: [char; 3] = ['|', '│', '┃'];

const CELLS: Spelling = Spelling {
    bars: true,
    ..Spelling::MARKS
};

/// Rows of cells, the first of which is the header.
pub(super) type Rows = Vec<Vec<Part>>;

/// Reads the first table of a reply with keys of the schema.
pub(super) fn read(source: &Source<'_, '_>) -> Option<Found> {
    let (text, places, region) = source.parts();
    let mut next = 0;
    while next < region.lines.len() {
        let (rows, count) = rows_at(text, &region.lines[next..]);
        let lengths = region.lines[next..].iter().take(count + 1);
        places.charge(lengths.map(|line| line.end - line.start + 1).sum());
        let lines = &region.lines[next..next + count];
        next += count.max(1);
        if let Some((name, value)) = value_of(text, &rows, places.root, places, CELLS) {
            let span = lines.first()?.at..lines.last()?.end;
            return Some(shaped(source, named(name, value), span));
        }
    }
    None
}

/// Returns a value, or the object of which it is the only member.
pub(super) fn named(name: Option<String>, value: Value) -> Value {
    match name {
        Some(name) => Value::Object(vec![(Name::Known(name), value)]),
        None => value,
    }
}

/// Reads the table that begins at the next line of a reader, with the key of the member whose array
/// it is.
pub(super) fn nested<'s>(
    reader: &mut Indented<'_, 's>,
    place: Place<'s>,
) -> Option<(Option<String>, Value)> {
    let (rows, count) = rows_at(reader.text, &reader.lines[reader.next..reader.stop]);
    let value = value_of(reader.text, &rows, place, reader.places, CELLS)?;
    reader.next += count;
    Some(value)
}

/// Returns the rows of a table and the number of its lines.
fn rows_at(text: &str, lines: &[Line]) -> (Rows, usize) {
    let mut rows: Rows = Vec::new();
    let mut count = 0;
    for line in lines {
        let content = line.text(text);
        let border = |c: char| "+-=:─━═┌┬┐├┼┤└┴┘╒╤╕╞╪╡╘╧╛┏┳┓┡╇┩┗┻┛|│┃ ".contains(c);
        if !line.is_blank()
            && content.chars().all(border)
            && content.contains(['-', '─', '━', '═', '='])
        {
            count += 1;
            continue;
        }
        if !content.contains(BARS) {
            break;
        }
        let row = cells(text, line.at..line.end);
        if rows.first().is_some_and(|head| head.len() != row.len()) {
            break;
        }
        rows.push(row);
        count += 1;
    }
    (rows, count)
}

/// Returns the cells of a line.
fn cells(text: &str, part: Part) -> Vec<Part> {
    let inner = &text[part.clone()];
    let inner = inner.strip_prefix(BARS).unwrap_or(inner);
    let start = part.end - inner.len();
    let inner = inner.strip_suffix(BARS).unwrap_or(inner);
    let (mut all, mut from) = (Vec::new(), 0);
    let bars = inner
        .match_indices(BARS)
        .filter(|(at, _)| !inner[..*at].ends_with('\\'));
    let ends = bars.map(|(at, bar)| (at, at + bar.len()));
    for (end, next) in ends.chain([(inner.len(), inner.len())]) {
        all.push(trimmed(text, start + from..start + end));
        from = next;
    }
    all
}

/// Returns the value of rows with a header, or of two columns of keys and values, and the key of
/// its member unless it is the whole value.
pub(super) fn value_of<'s>(
    text: &str,
    rows: &[Vec<Part>],
    place: Place<'s>,
    places: &Places<'s>,
    spelling: Spelling,
) -> Option<(Option<String>, Value)> {
    let (head, rows) = rows.split_first()?;
    let known = |place: Place<'s>| {
        let names = head.iter().map(|cell| CELLS.read(text, cell.clone()));
        let known = names.filter(|name| match name {
            Value::Plain(part) | Value::Text(part) => places.has(place, &text[part.clone()]),
            _ => false,
        });
        known.count()
    };
    let enough = |count: usize| count > 0 && 2 * count > head.len();
    let list = || {
        let names = names(text, head);
        let rows = rows.iter().map(|row| object(text, &names, row, spelling));
        Value::List(rows.collect())
    };
    if !rows.is_empty() && place.takes(llmjson_syntax::Kind::Array) && enough(known(place.item())) {
        return Some((None, list()));
    }
    if rows.len() == 1 && head.len() > 1 && enough(known(place)) {
        return Some((None, object(text, &names(text, head), &rows[0], spelling)));
    }
    if let Some((name, list_place)) = places.only_list(place).filter(|_| !rows.is_empty())
        && enough(known(list_place.item()))
    {
        return Some((Some(name.to_owned()), list()));
    }
    let pairs = [head].into_iter().chain(rows);
    let pairs = pairs.filter_map(|row| match &row[..] {
        [name, value, ..] => Some((marked(text, name)?, value)),
        _ => None,
    });
    let mut members: Vec<Member> = Vec::new();
    for (name, value) in pairs.filter(|_| head.len() == 2) {
        let is_known = places.has(place, &text[name.clone()]);
        if is_known
            && members
                .iter()
                .all(|(old, _)| old.of(text) != &text[name.clone()])
        {
            members.push((Name::At(name), spelling.read(text, value.clone())));
        }
    }
    let all = rows.len();
    (members.len() > 1 && members.len() >= all).then_some((None, Value::Object(members)))
}

/// Returns the place of a key without the marks around it.
fn marked(text: &str, cell: &Part) -> Option<Part> {
    let name = match CELLS.read(text, cell.clone()) {
        Value::Plain(part) | Value::Text(part) => part,
        _ => return None,
    };
    let length = text[name.clone()].trim_end_matches([':', ' ']).len();
    Some(name.start..name.start + length)
}

/// Returns the keys of the columns. A column without a header word numbers the rows.
fn names(text: &str, head: &[Part]) -> Vec<Option<Part>> {
    let is_word = |name: &Part| text[name.clone()].contains(char::is_alphanumeric);
    let names = head.iter().map(|cell| marked(text, cell).filter(is_word));
    names.collect()
}

fn object(text: &str, names: &[Option<Part>], row: &[Part], spelling: Spelling) -> Value {
    let cells = names.iter().zip(row).filter_map(|(name, cell)| {
        let name = Name::At(name.clone()?);
        Some((name, spelling.read(text, cell.clone())))
    });
    Value::Object(cells.collect())
}

//! Tables and lists of HTML.

use super::place::Place;
use super::scalars::{Spelling, trimmed};
use super::table::{Rows, named, value_of};
use super::tags::Tags;
use super::tree::{Part, Value};
use super::{Found, Source, shaped};

const TEXTS: Spelling = Spelling {
    tags: true,
    ..Spelling::PLAIN
};

/// The elements that contain rows or items.
const OUTER: &[&str] = &["table", "ul", "ol", "dl"];

/// Reads the first table or list with keys of the schema, or one of scalars if the schema expects
/// it.
pub(super) fn read(source: &Source<'_, '_>) -> Option<Found> {
    let (text, places, region) = source.parts();
    let part = region.lines.first()?.start..region.lines.last()?.end;
    if !text[part.clone()].contains("</") {
        return None;
    }
    let tags = Tags::of(text, places, part.clone());
    let root = places.root;
    // An element without an end extends to the end of the text, and there may be many.
    let mut elements = (0..tags.len()).take_while(|_| !places.is_used_up());
    elements.find_map(|index| {
        let name = tags.opened(index).filter(|name| OUTER.contains(name))?;
        let (cells, span) = rows(&tags, index);
        places.charge(16 * span.len());
        let value = match name {
            "table" | "dl" => value_of(text, &cells, root, places, TEXTS),
            _ => {
                let pairs: Option<Rows> = cells.iter().map(|row| pair(text, row)).collect();
                let pairs = pairs.and_then(|rows| value_of(text, &rows, root, places, TEXTS));
                pairs.or_else(|| Some((None, items(text, &cells, root)?)))
            }
        };
        let (name, value) = value?;
        Some(shaped(source, named(name, value), span))
    })
}

/// Returns the cells of an element row by row, and the place of the element.
fn rows(tags: &Tags<'_, '_>, outer: usize) -> (Rows, Part) {
    let (text, last) = (tags.text, tags.last(outer));
    // An element without an end extends to the end of the text.
    let last = if last == outer { tags.len() - 1 } else { last };
    let (mut rows, mut cell): (Rows, _) = (Vec::new(), None);
    for index in outer + 1..last + 1 {
        let name = tags.name(index);
        if !matches!(name, "tr" | "td" | "th" | "dt" | "dd" | "li") && index != last {
            continue;
        }
        let tag = tags.span(index);
        if let (Some(start), Some(row)) = (cell.take(), rows.last_mut()) {
            row.push(stripped(text, start..tag.start));
        }
        if tags.opened(index).is_some() {
            if matches!(name, "tr" | "dt" | "li") || rows.is_empty() {
                rows.push(Vec::new());
            }
            cell = (name != "tr").then_some(tag.end);
        }
    }
    rows.retain(|row| !row.is_empty());
    (rows, tags.span(outer).start..tags.span(last).end)
}

/// Returns a part without the tags at its ends.
fn stripped(text: &str, part: Part) -> Part {
    let mut part = trimmed(text, part);
    while let Some(at) = text[part.clone()]
        .starts_with('<')
        .then(|| text[part.clone()].find('>'))
    {
        let Some(at) = at else { break };
        part = trimmed(text, part.start + at + 1..part.end);
    }
    while let Some(at) = text[part.clone()]
        .ends_with('>')
        .then(|| text[part.clone()].rfind('<'))
    {
        let Some(at) = at else { break };
        part = trimmed(text, part.start..part.start + at);
    }
    part
}

/// Returns the key and the value of an item.
fn pair(text: &str, row: &[Part]) -> Option<Vec<Part>> {
    let [item] = row else {
        return None;
    };
    let inner = &text[item.clone()];
    let outside =
        |at: &usize| inner[..*at].matches('<').count() == inner[..*at].matches('>').count();
    let mut colons = inner.match_indices(':').map(|(at, _)| at).take(2);
    let at = item.start + colons.find(outside)?;
    let value = stripped(text, at + 1..item.end);
    Some(vec![stripped(text, item.start..at), value])
}

/// Returns the items of a list of scalars.
fn items(text: &str, rows: &[Vec<Part>], place: Place<'_>) -> Option<Value> {
    if !place.wants_list() || place.is_tuple() || place.item().takes(llmjson_syntax::Kind::Object) {
        return None;
    }
    let items = rows.iter().flatten();
    let items: Vec<_> = items.map(|item| TEXTS.read(text, item.clone())).collect();
    (!items.is_empty()).then_some(Value::List(items))
}

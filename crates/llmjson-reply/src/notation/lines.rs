//! Readers for names and values by indentation: YAML, lines as people write them, and names and
//! values in braces.

use llmjson_syntax::Kind;

use super::indented::Indented;
use super::key::{bullet, key_of};
use super::place::Place;
use super::region::Line;
use super::scalars::{Spelling, trimmed};
use super::tree::Value;
use super::{Found, Source, shaped};

const YAML: Spelling = Spelling {
    comment: Some("#"),
    ..Spelling::PLAIN
};

const BLOCKS: Spelling = Spelling {
    separators: true,
    ..YAML
};

/// The languages of fences with keys and values in braces.
#[rustfmt::skip]
pub(super) const BLOCK_LANGUAGES: &[&str] = &[
    "cson", "hjson", "json", "json5", "pbtxt", "proto", "prototext", "textpb", "textproto",
];

/// Reads YAML.
pub(super) fn yaml(source: &Source<'_, '_>) -> Option<Found> {
    (source.named || !has_braces(source)).then_some(())?;
    by_columns(source, YAML, source.named)
}

/// Reads lines of keys and values, also as a Markdown list.
pub(super) fn read(source: &Source<'_, '_>) -> Option<Found> {
    by_columns(source, Spelling::MARKS, false)
}

/// Reads keys and values in braces: protocol buffer text, HJSON, CSON.
pub(super) fn blocks(source: &Source<'_, '_>) -> Option<Found> {
    (source.named || has_braces(source)).then_some(())?;
    by_columns(source, BLOCKS, source.named)
}

/// Returns `true` if a line ends with an opening bracket.
fn has_braces(source: &Source<'_, '_>) -> bool {
    let mut lines = source.region.filled().map(|line| line.text(source.text));
    lines.any(|line| line.ends_with(['{', '[']) || line.ends_with("'''"))
}

fn by_columns(source: &Source<'_, '_>, spelling: Spelling, named: bool) -> Option<Found> {
    let (text, places, region) = source.parts();
    if places.is_nameless() {
        return None;
    }
    let (first, place) = begin(source, spelling, named)?;
    let mut lines = region.lines[first..].to_vec();
    if !named && region.language.is_none() {
        level(&mut lines);
    }
    if spelling.marks {
        lines = lines
            .into_iter()
            .flat_map(|line| parted(source, line))
            .collect();
    }
    let mut reader = Indented::over(source, lines, spelling);
    reader.open_ended = !named;
    let mut value = reader.node(place, 0)?;
    if place.wants_list() {
        value = rest_of_list(&mut reader, value);
    }
    let read = &reader.lines[..reader.next.min(reader.stop)];
    let last = read.iter().rposition(|line| !line.is_blank())?;
    // Text on the very next line may belong to the last value.
    let follows = reader.lines[last + 1..].first();
    let follows = follows.filter(|line| !line.is_blank() && !is_rule(line.text(text)));
    let span = region.lines[first].at..reader.lines[last].end;
    let mut found = shaped(source, value, span);
    found.doubtful |= reader.doubtful || follows.is_some();
    Some(found)
}

fn is_rule(content: &str) -> bool {
    content.chars().all(|c| "-=*_.`~]})>".contains(c))
}

/// Splits a line into members, if a key of the schema follows each of the delimiters:
/// `Name: Anna; Age: 3`.
fn parted(source: &Source<'_, '_>, line: Line) -> Vec<Line> {
    let Source { text, places, .. } = *source;
    let known = |name: &str| places.knows(name);
    let parts = [";", "|", ","].iter().find_map(|sign| {
        let mut parts: Vec<Line> = Vec::new();
        let mut at = line.at;
        for piece in line.text(text).split(sign) {
            let part = trimmed(text, at..at + piece.len());
            at += piece.len() + sign.len();
            places.charge(part.len());
            let key = key_of(text, part.clone(), true, known)?;
            known(&text[key.name]).then_some(())?;
            parts.push(Line {
                start: part.start,
                at: part.start,
                end: part.end,
                ..line
            });
        }
        (parts.len() > 1).then_some(parts)
    });
    parts.unwrap_or_else(|| vec![line])
}

/// Reads an array whose objects follow one another, separated by blank lines.
fn rest_of_list(reader: &mut Indented<'_, '_>, first: Value) -> Value {
    if !matches!(first, Value::Object(_)) {
        return first;
    }
    let mut items = vec![first];
    loop {
        let before = reader.next;
        reader.skip();
        let Some(line) = reader.line() else {
            break;
        };
        let known = |name: &str| reader.places.knows(name);
        let key = key_of(reader.text, line.at..line.end, reader.spelling.marks, known);
        let named = key.is_some_and(|key| known(&reader.text[key.name]));
        match reader.node(reader.places.root, 0).filter(|_| named) {
            Some(value @ Value::Object(_)) if reader.next > before => items.push(value),
            _ => {
                reader.next = before;
                break;
            }
        }
    }
    match items.len() {
        1 => items.pop().unwrap_or(Value::Null),
        _ => Value::List(items),
    }
}

/// Returns the first line of the value, and its place: the root, or its only array of objects.
fn begin<'s>(
    source: &Source<'_, 's>,
    spelling: Spelling,
    named: bool,
) -> Option<(usize, Place<'s>)> {
    let (text, places, region) = source.parts();
    let known = |name: &str| places.knows(name);
    let named_at = |line: &Line| {
        let content = line.text(text);
        places.charge(content.len());
        let length = bullet(content, spelling.marks).unwrap_or_default();
        let key = key_of(text, line.at + length..line.end, spelling.marks, known);
        key.map(|key| text[key.name].to_owned())
    };
    let root = places.root;
    let comment = |content: &str| {
        let mut signs = spelling.comment.into_iter();
        content.starts_with("---") || signs.any(|sign| content.starts_with(sign))
    };
    let filled = region.lines.iter().enumerate();
    let mut filled = filled.filter(|(_, line)| !line.is_blank() && !comment(line.text(text)));
    if named {
        return filled.next().map(|(index, _)| (index, root));
    }
    let list = places.only_list(root).map(|(_, list)| list);
    let mut before: Option<(usize, &Line)> = None;
    for (index, line) in filled {
        let name = named_at(line);
        let Some(name) = name.as_deref().filter(|name| known(name)) else {
            before = Some((index, line));
            continue;
        };
        // `person:` around it, or the bare bullet of a list.
        let inner =
            |at: &Line| at.column < line.column && (named_at(at).is_some() || at.text(text) == "-");
        if let Some((outer, _)) = before.filter(|(_, at)| inner(at)) {
            return Some((outer, root));
        }
        let listed = bullet(line.text(text), spelling.marks).is_some();
        let wanted = |name: &str| places.has(root, name) || places.has(root.item(), name);
        return match list.filter(|list| listed && places.has(list.item(), name)) {
            _ if wanted(name) => Some((index, root)),
            Some(list) => Some((index, list)),
            None => (!root.takes(Kind::Object) || root.has_members()).then_some((index, root)),
        };
    }
    None
}

/// Removes the common indentation of all lines.
fn level(lines: &mut [Line]) {
    let common = lines.iter().filter(|line| !line.is_blank());
    let common = common.map(|line| line.column).min().unwrap_or_default();
    for line in lines {
        line.column = line.column.saturating_sub(common);
    }
}

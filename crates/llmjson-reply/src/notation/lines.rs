//! The readers of names and values by columns: YAML, lines as people write them, and names and values in braces.

use llmjson_syntax::Kind;

use super::indented::Indented;
use super::key::{bullet, key_of};
use super::region::Line;
use super::scalars::Spelling;
use super::tree::Value;
use super::{Found, Source, shaped};

const YAML: Spelling = Spelling {
    marks: false,
    comment: Some("#"),
    separators: false,
    doubled: false,
};

const LINES: Spelling = Spelling {
    marks: true,
    comment: None,
    separators: false,
    doubled: false,
};

const BLOCKS: Spelling = Spelling {
    marks: false,
    comment: Some("#"),
    separators: true,
    doubled: false,
};

/// Reads YAML.
pub(super) fn yaml(source: &Source<'_, '_>) -> Option<Found> {
    let is_yaml = source.region.is(&["yaml", "yml"]);
    (is_yaml || source.region.is_open() && !has_braces(source)).then_some(())?;
    by_columns(source, YAML, is_yaml)
}

/// Reads lines of names and values, also as a Markdown list.
pub(super) fn read(source: &Source<'_, '_>) -> Option<Found> {
    let open = source.region.is_open() || source.region.is(&["markdown", "md", "yaml", "yml"]);
    open.then_some(())?;
    by_columns(source, LINES, false)
}

/// Reads names and values in braces: text of protocol buffers, HJSON, CSON.
pub(super) fn blocks(source: &Source<'_, '_>) -> Option<Found> {
    const LANGUAGES: &[&str] = &[
        "cson",
        "hjson",
        "json",
        "json5",
        "pbtxt",
        "proto",
        "prototext",
        "textpb",
        "textproto",
    ];
    let named = source.region.is(LANGUAGES);
    (named || source.region.is_open()).then_some(())?;
    (named || has_braces(source)).then_some(())?;
    by_columns(source, BLOCKS, named)
}

/// Returns whether a line ends with an opening bracket.
fn has_braces(source: &Source<'_, '_>) -> bool {
    let mut lines = source
        .region
        .lines
        .iter()
        .map(|line| line.text(source.text));
    lines.any(|line| line.ends_with(['{', '[']) || line.ends_with("'''"))
}

fn by_columns(source: &Source<'_, '_>, spelling: Spelling, named: bool) -> Option<Found> {
    let Source {
        text,
        places,
        region,
        ..
    } = *source;
    if places.is_nameless() {
        return None;
    }
    let first = begin(source, spelling, named)?;
    let mut lines = region.lines[first..].to_vec();
    if !named && region.language.is_none() {
        level(&mut lines);
    }
    let mut reader = Indented {
        text,
        places,
        stop: lines.len(),
        lines,
        next: 0,
        spelling,
        unclosed: false,
        open_ended: !named,
    };
    let mut value = reader.node(places.root, 0)?;
    if places.root.wants_list() {
        value = rest_of_list(&mut reader, value);
    }
    let last = region.lines[first..][..reader.next].iter();
    let last = last.rev().find(|line| !line.is_blank())?;
    let span = region.lines[first].at..last.end;
    Some(shaped(source, value, span))
}

/// Lines of one list whose objects stand one after another, blank lines between them.
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

/// Returns the first line of the value.
fn begin(source: &Source<'_, '_>, spelling: Spelling, named: bool) -> Option<usize> {
    let Source {
        text,
        places,
        region,
        ..
    } = *source;
    let known = |name: &str| places.knows(name);
    let named_at = |line: &Line| {
        let content = line.text(text);
        let length = bullet(content, spelling.marks).unwrap_or_default();
        let key = key_of(text, line.at + length..line.end, spelling.marks, known);
        key.map(|key| text[key.name].to_owned())
    };
    let root = places.root;
    let mut filled = region.lines.iter().enumerate();
    let mut filled = filled.by_ref().filter(|(_, line)| {
        let content = line.text(text);
        !line.is_blank()
            && !content.starts_with("---")
            && !spelling
                .comment
                .is_some_and(|sign| content.starts_with(sign))
    });
    if named {
        return filled.next().map(|(index, _)| index);
    }
    let wanted = |name: &str| places.has(root, name) || places.has(root.item(), name);
    let mut before: Option<(usize, &Line)> = None;
    for (index, line) in filled {
        let name = named_at(line);
        if let Some(name) = name.as_deref().filter(|name| known(name)) {
            // `person:` around it, or the bare bullet of a list.
            let inner = |at: &Line| {
                at.column < line.column && (named_at(at).is_some() || at.text(text) == "-")
            };
            return match before.filter(|(_, at)| inner(at)) {
                Some((outer, _)) => Some(outer),
                None => (wanted(name) || !root.takes(Kind::Object) || root.has_members())
                    .then_some(index),
            };
        }
        before = Some((index, line));
    }
    None
}

/// Takes the white space away that all lines have in common.
fn level(lines: &mut [Line]) {
    let common = lines.iter().filter(|line| !line.is_blank());
    let common = common.map(|line| line.column).min().unwrap_or_default();
    for line in lines {
        line.column = line.column.saturating_sub(common);
    }
}

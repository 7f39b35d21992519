//! TOML, INI and properties.

use super::key::is_name;
use super::place::Places;
use super::scalars::{Spelling, bracket_end, quoted, trimmed};
use super::tree::{Member, Name, Part, Seen, Value, add};
use super::{DEPTH, Found, Source, shaped};

/// Reads lines of `name = value` and tables.
pub(super) fn read(source: &Source<'_, '_>) -> Option<Found> {
    let (text, places, region) = source.parts();
    (!places.is_nameless()).then_some(())?;
    places.charge(3 * (region.lines.last()?.end - region.lines.first()?.start));
    let is_entry = |line: &super::region::Line| {
        let part = line.at..line.end;
        let comment = line.text(text).starts_with(['#', ';']);
        !comment && (entry(text, part.clone()).is_some() || header(text, part).is_some())
    };
    let first = region.lines.iter().position(is_entry)?;
    let mut reader = Toml {
        text,
        places,
        end: region.lines.last()?.end,
        unclosed: false,
        root: Vec::new(),
        table: (Vec::new(), false),
        members: Vec::new(),
        seen: Seen::default(),
    };
    let mut last = region.lines[first].at;
    for line in &region.lines[first..] {
        let content = line.text(text);
        if line.at < last || line.is_blank() || content.starts_with(['#', ';']) {
            continue;
        }
        if let Some((path, is_list)) = header(text, line.at..line.end) {
            reader.close()?;
            reader.table = (path, is_list);
            last = line.end;
        } else if let Some((path, rest)) = entry(text, line.at..line.end) {
            last = reader.value(path, rest..line.end)?;
        } else {
            break;
        }
    }
    reader.close()?;
    let value = Value::Object(reader.root);
    let span = region.lines[first].at..last;
    Some(shaped(source, value, span))
}

/// Returns the path of a table, and `true` if it is an item of an array: `a.b` for `[[a.b]]`.
fn header(text: &str, part: Part) -> Option<(Vec<Part>, bool)> {
    let line = &text[part.clone()];
    let line = line.split(" #").next().unwrap_or_default().trim_end();
    let inner = line.strip_prefix('[')?.strip_suffix(']')?;
    let list = inner
        .strip_prefix('[')
        .and_then(|inner| inner.strip_suffix(']'));
    let start = part.start + 1 + usize::from(list.is_some());
    let path = path(text, start..start + list.unwrap_or(inner).len())?;
    Some((path, list.is_some()))
}

/// Returns the path of a line with a key and a value, and the beginning of the value.
fn entry(text: &str, part: Part) -> Option<(Vec<Part>, usize)> {
    let equals = text[part.clone()].find('=')?;
    let behind = &text[part.start + equals + 1..part.end];
    if behind.starts_with(['=', '>']) {
        return None;
    }
    let path = path(text, part.start..part.start + equals)?;
    Some((path, part.start + equals + 1))
}

fn path(text: &str, part: Part) -> Option<Vec<Part>> {
    let (mut all, mut start) = (Vec::new(), part.start);
    for segment in text[part].split('.') {
        let place = trimmed(text, start..start + segment.len());
        start += segment.len() + 1;
        let place = match quoted(text, &place) {
            Some((Value::Text(inner), _)) => inner,
            _ => place,
        };
        let name = &text[place.clone()];
        (is_name(name) && !name.contains(['(', ')', ':', '$', '&'])).then(|| all.push(place))?;
    }
    (all.len() < DEPTH).then_some(all)
}

struct Toml<'r, 's> {
    text: &'r str,
    places: &'r Places<'s>,
    end: usize,
    unclosed: bool,
    root: Vec<Member>,
    /// The path of the open table, and `true` if it is an item of an array.
    table: (Vec<Part>, bool),
    members: Vec<Member>,
    seen: Seen,
}

impl Toml<'_, '_> {
    /// Reads a value, and returns its end.
    fn value(&mut self, path: Vec<Part>, part: Part) -> Option<usize> {
        const SPELLING: Spelling = Spelling {
            comment: Some("#"),
            ..Spelling::PLAIN
        };
        let part = trimmed(self.text, part);
        let inner = &self.text[part.clone()];
        let all = part.start..self.end;
        let (mut value, mut end) = (None, part.end);
        if !self.unclosed && inner.starts_with("\"\"\"") || inner.starts_with("'''") {
            match quoted(self.text, &all) {
                Some((text, to)) => (value, end) = (Some(text), to),
                None => self.unclosed = true,
            }
        } else if !self.unclosed && inner.starts_with(['[', '{']) {
            match bracket_end(self.text, all) {
                Some(to) => (value, end) = (Some(Value::Json(part.start..to)), to),
                None => self.unclosed = true,
            }
        }
        let value = value.unwrap_or_else(|| SPELLING.read(self.text, part));
        match &path[..] {
            [name] => add(
                &mut self.members,
                self.text,
                (Name::At(name.clone()), value),
                &mut self.seen,
            ),
            _ => {
                self.may_insert(self.members.len())?;
                insert(&mut self.members, self.text, &path, value);
            }
        }
        Some(end)
    }

    /// Charges an iteration over members; returns `None` if no more are allowed.
    fn may_insert(&self, members: usize) -> Option<()> {
        self.places.charge(16 * members);
        (!self.places.is_used_up()).then_some(())
    }

    /// Inserts the open table at its place.
    fn close(&mut self) -> Option<()> {
        self.may_insert(self.root.len())?;
        let members = std::mem::take(&mut self.members);
        self.seen = Seen::default();
        let (path, is_list) = &self.table;
        if path.is_empty() {
            self.root = members;
            return Some(());
        }
        let table = Value::Object(members);
        let table = if *is_list {
            Value::List(vec![table])
        } else {
            table
        };
        insert(&mut self.root, self.text, path, table);
        Some(())
    }
}

/// Inserts a value at a path. For arrays on the way, the last item is used; existing values are
/// extended.
fn insert(members: &mut Vec<Member>, text: &str, path: &[Part], value: Value) {
    let Some((first, rest)) = path.split_first() else {
        return;
    };
    let found = members
        .iter()
        .rposition(|(name, _)| name.of(text) == &text[first.clone()]);
    let at = found.unwrap_or_else(|| {
        let empty = Value::Object(Vec::new());
        members.push((Name::At(first.clone()), empty));
        members.len() - 1
    });
    let mut old = &mut members[at].1;
    if rest.is_empty() {
        match (old, value) {
            (Value::List(items), Value::List(more)) => items.extend(more),
            (Value::Object(inner), Value::Object(more)) if found.is_some() => inner.extend(more),
            (old, value) => *old = value,
        }
        return;
    }
    if let Value::List(items) = old {
        if items.is_empty() {
            items.push(Value::Object(Vec::new()));
        }
        let last = items.len() - 1;
        old = &mut items[last];
    }
    if !matches!(old, Value::Object(_)) {
        *old = Value::Object(Vec::new());
    }
    if let Value::Object(inner) = old {
        insert(inner, text, rest, value);
    }
}

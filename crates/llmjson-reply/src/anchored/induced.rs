//! A reader for any notation. The schema's keys are anchors, and the delimiters before a key, between
//! a key and its value, and after a value are induced from the text around the anchors.

use std::cell::Cell;
use std::rc::Rc;

use llmjson_schema::internal::similar::normal_name;
use llmjson_syntax::Notation;
use llmjson_syntax::internal::lines;

use super::anchors::{AROUND, Anchor, anchors, sign_after};
use super::delimiters::Delimiters;
use super::place::{Key, Place, Places};
use super::region::{Line, Region};
use super::tree::{Member, Name, Part, Value};
use super::{DEPTH, Found, Source, rows, shaped};

/// A reader of a piece of text.
pub(super) struct Induced<'r, 's> {
    pub(super) text: &'r str,
    pub(super) places: &'r Places<'s>,
    pub(super) anchors: Rc<Vec<Anchor>>,
    /// The end of the part that was read.
    reached: Cell<usize>,
    pub(super) doubtful: Cell<bool>,
    /// The number of keys that the schema does not have.
    unknown: Cell<usize>,
    notation: Cell<Option<Notation>>,
}

/// Reads the value of a region. The piece with the most scalars is used; arrays are joined.
pub(super) fn read(source: &Source<'_, '_>) -> Option<Found> {
    let (text, places, region) = source.parts();
    (!places.is_nameless()).then_some(())?;
    let read = |lines: &[Line]| {
        let reader = Induced::new(source, lines);
        let part = lines.first()?.at..lines.last()?.end;
        let (value, start) = reader.root(&part)?;
        let span = start..reader.reached.get().max(start);
        let mut found = shaped(source, value, span, reader.notation.get());
        found.doubtful |= reader.doubtful.get();
        found.unknown = reader.unknown.get();
        Some(found)
    };
    pieces(text, region)
        .filter_map(read)
        .reduce(|mut one, other| {
            match (&mut one.value, other.value) {
                (Value::List(items), Value::List(more)) => {
                    items.extend(more);
                    one.span.end = other.span.end;
                    one.doubtful |= other.doubtful;
                    one.unknown += other.unknown;
                }
                (value, more) if value.leaves() < more.leaves() => {
                    one = Found {
                        value: more,
                        ..other
                    };
                }
                _ => {}
            }
            one
        })
}

/// Returns the lines of a region that follow one another in the text.
fn pieces<'r>(text: &str, region: &'r Region) -> impl Iterator<Item = &'r [Line]> {
    // The marks of a quotation are not lines of the region.
    let gap = |c: char| c.is_whitespace() || c == '>';
    let follows = move |one: &Line, next: &Line| text[one.end..next.start].chars().all(gap);
    let chunks = region.lines.chunk_by(follows);
    chunks.filter(|lines| lines.iter().any(|line| !line.is_blank()))
}

impl<'r, 's> Induced<'r, 's> {
    /// Creates a reader of some lines of the region.
    pub(super) fn new(source: &Source<'r, 's>, lines: &[Line]) -> Self {
        let (text, places, region) = source.parts();
        let find = || Rc::new(anchors(text, lines, places));
        let anchors = match lines.len() == region.lines.len() {
            // Several readers look for them.
            true => Rc::clone(source.anchors.get_or_init(find)),
            false => find(),
        };
        Self {
            text,
            places,
            anchors,
            reached: Cell::new(0),
            doubtful: Cell::new(false),
            unknown: Cell::new(0),
            notation: Cell::new(None),
        }
    }
}

impl<'s> Induced<'_, 's> {
    /// Reads the value, and returns its beginning.
    fn root(&self, part: &Part) -> Option<(Value, usize)> {
        let root = self.places.root;
        if root.wants_list() {
            let (items, start) = self.records(part, root.item(), None, 0)?;
            return Some((Value::List(items), start));
        }
        let list = self.places.only_list(root);
        if let Some((mut value, start)) = self.object(part, root, None, 0) {
            // The rows below belong to the member that the text does not name.
            if let (Value::Object(members), Some((name, list))) = (&mut value, list)
                && members
                    .iter()
                    .all(|(old, _)| normal_name(old.of(self.text)) != normal_name(name))
                && let Some(rows) = rows::rows(self, &(self.reached.get()..part.end), list.item())
            {
                self.take(&rows);
                members.push((Name::Known(name.to_owned()), Value::List(rows.items)));
            }
            return Some((value, start));
        }
        self.reached.set(0);
        self.unknown.set(0);
        self.notation.set(None);
        if let Some(mut rows) = rows::rows(self, part, root).filter(|rows| rows.items.len() == 1) {
            self.take(&rows);
            return Some((rows.items.pop()?, rows.part.start));
        }
        let (name, list) = list?;
        let (items, start) = self.records(part, list.item(), None, 0)?;
        let member = (Name::Known(name.to_owned()), Value::List(items));
        Some((Value::Object(vec![member]), start))
    }

    fn take(&self, rows: &rows::Rows) {
        self.reached.set(self.reached.get().max(rows.part.end));
        self.doubtful.set(self.doubtful.get() | rows.short);
        self.notation
            .set(self.notation.get().or(Some(rows.notation)));
    }

    /// Returns the anchors of an object in a part, without those within the value of another one.
    pub(super) fn own(&self, part: &Part, place: Place<'s>) -> Vec<usize> {
        let first = self.anchors.partition_point(|one| one.start < part.start);
        let stop = self.anchors.partition_point(|one| one.end <= part.end);
        let (mut own, mut next) = (Vec::new(), part.start);
        for index in first..stop {
            let one = &self.anchors[index];
            if one.start < next || one.closes || !self.has(place, index) {
                continue;
            }
            own.push(index);
            next = self.close(index, part.end).map_or(next, |close| close.end);
        }
        own
    }

    /// Returns the anchor that closes the value of another one, up to a place.
    pub(super) fn close(&self, index: usize, end: usize) -> Option<&Anchor> {
        let close = &self.anchors[self.anchors[index].close?];
        (close.end <= end).then_some(close)
    }

    /// Reads the object whose members are in a part, and returns its beginning.
    pub(super) fn object(
        &self,
        part: &Part,
        place: Place<'s>,
        outer: Option<&Delimiters>,
        depth: usize,
    ) -> Option<(Value, usize)> {
        self.places.charge(2 * part.len());
        if depth >= DEPTH || self.places.is_used_up() {
            return None;
        }
        let own = self.own(part, place);
        let mut core = self.outermost(self.group(&own, outer)?, &own, place);
        let mut signs = self.signs_within(&core, place, outer);
        let alike = core.clone();
        self.add_missing(&own, &mut core, place);
        let first = &self.anchors[*core.first()?];
        self.name_notation(first, &core, &signs);
        let mut values = self.parts(&core, part, place, &mut signs);
        if values
            .iter()
            .any(|part| self.text[part.clone()].trim().is_empty())
        {
            // Equal values are not words of the notation.
            signs = self.signs(&alike, place, false);
            values = self.parts(&core, part, place, &mut signs);
        }
        let end = values.last().map_or(first.end, |part| part.end);
        let members = self.members(&core, values, (place, depth), &signs)?;
        let line = self.line_before(first, part).trim_start();
        let marks = line.trim_end_matches(|c: char| !c.is_alphanumeric());
        let open = &line[marks.len()..];
        // The name of a type before a bracket may belong to the notation.
        let opens = open.starts_with(['(', '[', '{', '<', '.', ':', '@', '#', '!', '|']);
        let words = marks.split_whitespace().count();
        let own = first.leads() || words == 0 || signs.before.ends_with(line);
        if depth == 0 && first.lead.is_none() && !own && (!opens || words > 4) {
            return None;
        }
        let open = if own || opens && words == 1 {
            line
        } else {
            open
        };
        let rest = self.text[end..part.end.max(end)].trim_start();
        let rest = rest.strip_prefix(&*signs.after).unwrap_or(rest);
        let closers = [')', ']', '}', '>', ';', ',', '|', '"', '\'', '\n', ' '];
        let tail = rest.trim_start_matches(closers);
        let closed =
            part.end.max(end) - rest.len() + rest[..rest.len() - tail.len()].trim_end().len();
        self.reached.set(self.reached.get().max(closed.max(end)));
        self.count_unknown(first, end, &signs);
        Some((Value::Object(members), first.head - open.len()))
    }

    fn name_notation(&self, first: &Anchor, core: &[usize], signs: &Delimiters) {
        let mut opened = core
            .iter()
            .map(|&one| usize::from(*self.anchors[one].sign == *"{"));
        let depth = first.depth + opened.by_ref().sum::<usize>();
        let notation = signs.notation(first.leads(), depth);
        self.notation.set(self.notation.get().or(Some(notation)));
    }

    /// Returns the text before a key on its line, within a part.
    fn line_before(&self, one: &Anchor, part: &Part) -> &str {
        let before = &self.text[part.start.min(one.head)..one.head];
        &before[before.rfind('\n').map_or(0, |at| at + 1)..]
    }

    /// Returns the places of the values after some keys.
    fn parts(
        &self,
        core: &[usize],
        part: &Part,
        place: Place<'s>,
        signs: &mut Delimiters,
    ) -> Vec<Part> {
        let mut found: Vec<(usize, Option<usize>)> = Vec::new();
        for (at, &index) in core.iter().enumerate() {
            let start = self.value_start(index, signs);
            let pair = (index, core.get(at + 1).copied());
            let end = self.value_end(pair, (start, part.end), signs);
            let inner = self
                .text
                .get(start..end.unwrap_or(start))
                .unwrap_or_default();
            let broken = inner.trim().contains('\n') && self.member(place, index).wants_scalar();
            signs.inline &= !broken;
            found.push((start, end));
        }
        let parts = found
            .into_iter()
            .zip(core)
            .map(|((start, end), &index)| match end {
                Some(end) => start..end.max(start),
                None => self.last(start..part.end.max(start), self.member(place, index), signs),
            });
        parts.collect()
    }

    /// Reads the values of an object's members.
    fn members(
        &self,
        core: &[usize],
        values: Vec<Part>,
        (place, depth): (Place<'s>, usize),
        signs: &Delimiters,
    ) -> Option<Vec<Member>> {
        let mut members: Vec<Member> = Vec::new();
        // Each key with the number of its member, sorted.
        let mut seen: Vec<(Key, usize)> = Vec::new();
        for (part, &index) in values.into_iter().zip(core) {
            let one = &self.anchors[index];
            self.reached.set(self.reached.get().max(part.end));
            let inner = self.member(place, index);
            let value = self.value(part, inner, signs, depth + 1)?;
            let known = match seen.binary_search_by_key(&one.key, |(key, _)| *key) {
                Ok(known) => seen[known].1,
                Err(place) => {
                    seen.insert(place, (one.key, members.len()));
                    members.push((Name::at(one.start..one.end, Some(one.key)), value));
                    continue;
                }
            };
            // An array by its repeated key.
            let old = &mut members[known].1;
            if !inner.wants_list() {
                return None;
            }
            let mut items = match std::mem::replace(old, Value::Null) {
                Value::List(items) => items,
                single => vec![single],
            };
            match value {
                Value::List(more) => items.extend(more),
                single => items.push(single),
            }
            *old = Value::List(items);
        }
        Some(members)
    }

    /// Counts the lines of an object that are written like its members and have other keys.
    fn count_unknown(&self, first: &Anchor, end: usize, signs: &Delimiters) {
        let text = self.text;
        if !first.leads() || signs.sign == "\n" {
            return;
        }
        let mut at = first.start;
        for (count, line) in lines(&text[at..]).enumerate() {
            let begin = at;
            at += line.len();
            if begin > end {
                break;
            }
            let column = line.len() - line.trim_ascii_start().len();
            if count == 0 || column > first.column {
                continue;
            }
            let line = line.trim_end_matches(['\r', '\n']);
            let start = begin + line.len() - words_of(line).len();
            let known = self.anchors.partition_point(|one| one.start < start);
            let known = self.anchors.get(known);
            let known = known.is_some_and(|one| one.start < begin + line.len() && one.leads());
            if !known && is_pair(line, &signs.sign) {
                self.unknown.set(self.unknown.get() + 1);
            }
        }
    }

    /// Reads the objects of an array: rows of a table, or one from each place of the first key on.
    pub(super) fn records(
        &self,
        part: &Part,
        item: Place<'s>,
        outer: Option<&Delimiters>,
        depth: usize,
    ) -> Option<(Vec<Value>, usize)> {
        self.places.charge(2 * part.len());
        if depth >= DEPTH || self.places.is_used_up() {
            return None;
        }
        if let Some(rows) = rows::rows(self, part, item) {
            self.take(&rows);
            return Some((rows.items, rows.part.start));
        }
        let own = self.own(part, item);
        let core = self.group(&own, outer)?;
        let least = core.iter().map(|&one| self.anchors[one].depth).min()?;
        // An object may contain another one with the same keys in brackets.
        let nested = own
            .iter()
            .any(|&one| !self.member(item, one).wants_scalar());
        let outer_of = |&one: &usize| !nested || self.anchors[one].depth == least;
        let core: Vec<usize> = core.into_iter().filter(outer_of).collect();
        let first = &self.anchors[*core.first()?];
        let is_head = |one: &usize| self.anchors[*one].key == first.key;
        let heads: Vec<usize> = core.iter().copied().filter(is_head).collect();
        if heads.len() < 2 {
            let (value, start) = self.object(part, item, outer, depth + 1)?;
            return Some((vec![value], start));
        }
        // The text before a first key ends the previous object.
        let inner = core.iter().copied().filter(|one| !is_head(one));
        let sample: Vec<usize> = heads[..1].iter().copied().chain(inner).collect();
        let signs = self.signs_within(&sample, item, outer);
        self.name_notation(first, &core, &signs);
        let bounds = self.bounds(&heads, part);
        let (mut items, mut begin) = (Vec::new(), None);
        for (start, end) in bounds {
            let (value, start) =
                self.object(&(start..end.max(start)), item, Some(&signs), depth + 1)?;
            begin = begin.or(Some(start));
            items.push(value);
        }
        Some((items, begin?))
    }

    /// Returns the beginnings and ends of an array's objects: from the line of its first key, if
    /// that leads, up to the next object, or its title.
    fn bounds(&self, heads: &[usize], part: &Part) -> Vec<(usize, usize)> {
        let start = |&index: &usize| {
            let one = &self.anchors[index];
            if one.leads() {
                one.head - self.line_before(one, part).len()
            } else {
                one.head
            }
        };
        let starts: Vec<usize> = heads.iter().map(start).collect();
        let leads = self.anchors[heads[0]].leads();
        let title = leads.then(|| self.title_above(starts[0])).flatten();
        let ends = starts.iter().skip(1).map(|&next| match title {
            Some(_) if self.title_above(next) == title => {
                let text = self.text[..next].trim_end();
                text.rfind('\n').map_or(next, |line| line + 1)
            }
            _ => next,
        });
        starts.iter().copied().zip(ends.chain([part.end])).collect()
    }

    /// Returns the beginning of the line above a place, its marks or its first word, unless it has
    /// a key.
    fn title_above(&self, at: usize) -> Option<&str> {
        let line = self.text[..at].trim_end();
        let start = line.rfind('\n').map_or(0, |at| at + 1);
        let key = self.anchors.partition_point(|one| one.start < start);
        let key = self.anchors.get(key).filter(|one| one.start < at);
        if key.is_some_and(|one| one.leads() && !one.sign.trim().is_empty()) {
            return None;
        }
        let line = line[start..].trim_start();
        let marks = line.trim_start_matches(|c: char| !c.is_alphanumeric());
        let word = line
            .find(|c: char| !c.is_alphabetic())
            .unwrap_or(line.len());
        let length = if marks.len() < line.len() {
            line.len() - marks.len()
        } else {
            word
        };
        (length > 0).then_some(&line[..length])
    }
}

fn words_of(line: &str) -> &str {
    line.trim_start_matches(|c: char| !c.is_alphanumeric())
}

/// Returns `true` if a line has a few words before the given punctuation, and text after it.
pub(super) fn is_pair(line: &str, sign: &str) -> bool {
    let begun = words_of(line);
    let word = |c: char| c.is_alphanumeric() || "_-. ".contains(c);
    let name = begun[..begun.find(|c| !word(c)).unwrap_or(begun.len())].trim_end();
    let after = &begun[name.len()..];
    !name.is_empty()
        && name.split(' ').count() <= 4
        && after.contains(char::is_alphanumeric)
        && sign_after(&after[..after.floor_char_boundary(AROUND)]) == sign
}

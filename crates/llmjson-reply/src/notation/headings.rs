//! Parses headings as keys whose values are the text, list or subheadings below them.

use super::indented::Indented;
use super::key::is_name;
use super::place::Place;
use super::region::Line;
use super::scalars::{Spelling, trimmed};
use super::table::named;
use super::tree::{Name, Part, Seen, Value, add};
use super::{DEPTH, Found, Source, shaped};

/// Reads headings with keys of the schema and the text under them.
pub(super) fn read(source: &Source<'_, '_>) -> Option<Found> {
    let (text, places, region) = source.parts();
    let lines = &region.lines;
    let heads = (0..lines.len()).filter_map(|index| {
        places.charge(lines[index].end - lines[index].start);
        underlined(source, index).or_else(|| head(text, index, &lines[index]))
    });
    let heads: Vec<Head> = heads.collect();
    let reader = Headings {
        source,
        heads: &heads,
    };
    let own = |head: &Head| places.has(places.root, &text[head.name.clone()]);
    let (value, first, end) = match heads.iter().position(own) {
        Some(first) => {
            let (value, end) = reader.object(first, lines.len(), places.root, 0);
            (value, first, end)
        }
        None => {
            let list = places.only_list(places.root);
            let (name, list) = list.map_or((None, places.root), |(name, list)| (Some(name), list));
            let (value, first, end) = reader.items(0, lines.len(), list)?;
            (named(name.map(str::to_owned), value), first, end)
        }
    };
    let last = lines[..end].iter().rfind(|line| !line.is_blank())?;
    let span = region.lines[heads[first].line].at..last.end;
    Some(shaped(source, value, span))
}

struct Head {
    line: usize,
    /// The first line below it.
    below: usize,
    level: usize,
    name: Part,
}

/// Returns the heading on a line: `## Name` or `**Name**`.
fn head(text: &str, index: usize, line: &Line) -> Option<Head> {
    let content = line.text(text);
    let hashes = content.len() - content.trim_start_matches('#').len();
    let (level, inner) = match hashes {
        0 => {
            let bold = content.trim_end_matches(':').strip_prefix("**")?;
            (7, bold.trim_end_matches(':').strip_suffix("**")?)
        }
        1..=6 if content[hashes..].starts_with(' ') => (hashes, &content[hashes..]),
        _ => return None,
    };
    let inner = inner.trim_matches(['*', '_', '`', ' ', ':']);
    // `1. Name`
    let number = inner.trim_start_matches(|c: char| c.is_ascii_digit());
    let inner = match number.strip_prefix(['.', ')']) {
        Some(rest) if number.len() < inner.len() => rest.trim_start(),
        _ => inner,
    };
    let start = inner.as_ptr() as usize - text.as_ptr() as usize;
    is_name(inner).then_some(Head {
        line: index,
        below: index + 1,
        level,
        name: start..start + inner.len(),
    })
}

/// Returns the heading on a line that is underlined.
fn underlined(source: &Source<'_, '_>, index: usize) -> Option<Head> {
    let text = source.text;
    let [line, rule] = source.region.lines.get(index..index + 2)? else {
        return None;
    };
    let rule = rule.text(text);
    let level = ['=', '-']
        .iter()
        .position(|sign| rule.chars().all(|c| c == *sign))?;
    let is_head = rule.len() > 2 && source.places.knows(line.text(text));
    is_head.then_some(Head {
        line: index,
        below: index + 2,
        level: level + 1,
        name: line.at..line.end,
    })
}

struct Headings<'r, 's> {
    source: &'r Source<'r, 's>,
    heads: &'r [Head],
}

/// Maximum number of headings that are tried as the first of an array.
const HEADS_MAX: usize = 4;

/// The beginnings of the paragraph with which models end a reply, in lower case.
const FAREWELLS: &[&str] = &[
    "feel free",
    "hope ",
    "i hope",
    "if you",
    "is there",
    "let me know",
    "note",
    "please let",
    "please note",
    "would you",
];

/// Returns `true` if a line begins the paragraph with which models end a reply.
pub(super) fn says_farewell(line: &str) -> bool {
    let line = line.to_lowercase();
    FAREWELLS.iter().any(|begin| line.starts_with(begin))
}

impl<'s> Headings<'_, 's> {
    /// Returns the end of the text under the last heading of a reply, if more paragraphs follow
    /// than belong to it.
    fn end_of_text(&self, lines: &[Line], place: Place<'s>) -> Option<usize> {
        let text = self.source.text;
        let parted = |at: &usize| *at > 0 && lines[*at - 1].is_blank() && !lines[*at].is_blank();
        let mut begins = (0..lines.len()).filter(parted);
        let says_farewell = |at: &usize| says_farewell(lines[*at].text(text));
        let first = lines.iter().position(|line| !line.is_blank())?;
        let stop = match place.wants_text() {
            true => begins.find(|at| *at > first && says_farewell(at))?,
            false => begins.find(|at| *at > first)?,
        };
        let before = lines[..stop].iter().rev().find(|line| !line.is_blank());
        before.map(|line| line.end)
    }

    /// Returns the next heading that is not in the section of another heading.
    fn next(&self, at: usize) -> usize {
        let level = self.heads[at].level;
        let mut later = self.heads[at + 1..].iter();
        let next = later.position(|other| other.level <= level);
        next.map_or(self.heads.len(), |next| at + 1 + next)
    }

    /// Returns the line of a heading, or the line after the last one if there is none.
    fn line(&self, at: usize, stop: usize) -> usize {
        self.heads.get(at).map_or(stop, |head| head.line.min(stop))
    }

    /// Reads the objects of an array, one under each heading of a level from one of the first on,
    /// and returns the heading of the first one and the line at which they end.
    fn items(&self, from: usize, stop: usize, list: Place<'s>) -> Option<(Value, usize, usize)> {
        (list.wants_list() && list.item().has_members()).then_some(())?;
        let read = |at: usize| {
            let value = self.body(at, self.line(self.next(at), stop), list.item(), 1);
            let (text, places, _) = self.source.parts();
            (value.count(text, list.item(), places).0 > 0).then_some(value)
        };
        let mut begins = (from..self.heads.len()).take(HEADS_MAX);
        let (first, item) = begins.find_map(|at| Some((at, read(at)?)))?;
        let (mut items, mut at) = (vec![item], self.next(first));
        let level = self.heads[first].level;
        let is_one = |head: &&Head| head.level == level && head.line < stop;
        while self.heads.get(at).filter(is_one).is_some() {
            items.push(read(at)?);
            at = self.next(at);
        }
        Some((Value::List(items), first, self.line(at, stop)))
    }

    /// Reads the headings of one level from `first` on up to a line, and returns their end.
    fn object(&self, first: usize, stop: usize, place: Place<'s>, depth: usize) -> (Value, usize) {
        let (text, places, _) = self.source.parts();
        let (mut members, mut seen) = (Vec::new(), Seen::default());
        let (mut at, level) = (first, self.heads[first].level);
        while let Some(head) = self
            .heads
            .get(at)
            .filter(|head| head.line < stop && head.level >= level)
        {
            let until = self.line(self.next(at), stop);
            let name = head.name.clone();
            let value = self.body(at, until, places.member(place, &text[name.clone()]), depth);
            add(&mut members, text, (Name::At(name), value), &mut seen);
            at = self.next(at);
        }
        (Value::Object(members), self.line(at, stop))
    }

    /// Reads the text under a heading up to a line.
    fn body(&self, at: usize, until: usize, place: Place<'s>, depth: usize) -> Value {
        let (text, places, region) = self.source.parts();
        let from = self.heads[at].below.min(until);
        let inner = self.heads.get(at + 1).filter(|head| head.line < until);
        if let Some(inner) = inner.filter(|_| !place.wants_scalar() && depth < DEPTH)
            && places.has(place, &text[inner.name.clone()])
        {
            return self.object(at + 1, until, place, depth + 1).0;
        }
        if let Some((value, ..)) = inner.and_then(|_| self.items(at + 1, until, place)) {
            return value;
        }
        let lines = &region.lines[from..until];
        places.charge(lines.last().map_or(0, |line| line.end - lines[0].start));
        if places.is_used_up() {
            return Value::Null;
        }
        let filled = || lines.iter().filter(|line| !line.is_blank());
        let (Some(first), Some(last)) = (filled().next(), filled().next_back()) else {
            return Value::Null;
        };
        if place.wants_scalar() {
            let end = match until == region.lines.len() && region.language.is_none() {
                true => self.end_of_text(lines, place).unwrap_or(last.end),
                false => last.end,
            };
            return Spelling::MARKS.read(text, trimmed(text, first.at..end));
        }
        let mut reader = Indented::over(self.source, lines.to_vec(), Spelling::MARKS);
        reader.node(place, 1).unwrap_or(Value::Null)
    }
}

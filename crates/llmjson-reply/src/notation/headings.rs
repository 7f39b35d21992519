//! Headings of names with a text, a list or further headings under each.

use super::indented::Indented;
use super::key::is_name;
use super::place::Place;
use super::region::Line;
use super::scalars::{Spelling, trimmed};
use super::tree::{Name, Part, Seen, Value, add};
use super::{DEPTH, Found, Source, shaped};

const SPELLING: Spelling = Spelling {
    marks: true,
    comment: None,
    separators: false,
    doubled: false,
};

/// Reads headings with names of the schema and what stands under them.
pub(super) fn read(source: &Source<'_, '_>) -> Option<Found> {
    let Source {
        text,
        places,
        region,
        ..
    } = *source;
    let open = region.is_open() || region.is(&["markdown", "md"]);
    if !open || places.is_nameless() || !places.root.has_members() {
        return None;
    }
    let heads: Vec<Head> = region
        .lines
        .iter()
        .enumerate()
        .filter_map(|(index, line)| head(text, index, line))
        .collect();
    let first = heads
        .iter()
        .position(|head| places.has(places.root, &text[head.name.clone()]))?;
    let level = heads[first].level;
    let reader = Headings {
        source,
        heads: &heads,
    };
    let (value, end) = reader.object(first, level, region.lines.len(), places.root, 0);
    let last = region.lines[..end]
        .iter()
        .rev()
        .find(|line| !line.is_blank())?;
    let span = region.lines[heads[first].line].at..last.end;
    Some(shaped(source, value, span))
}

struct Head {
    line: usize,
    level: usize,
    name: Part,
}

/// Returns the heading that a line is: `## Name` or `**Name**`.
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
        level,
        name: start..start + inner.len(),
    })
}

struct Headings<'r, 's> {
    source: &'r Source<'r, 's>,
    heads: &'r [Head],
}

/// The beginnings of the paragraph with which models end a reply, in small letters.
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

impl<'s> Headings<'_, 's> {
    /// Returns where the text under the last heading of a reply ends, if more paragraphs follow than it has.
    fn end_of_text(&self, lines: &[Line], place: Place<'s>) -> Option<usize> {
        let text = self.source.text;
        let parted = |at: &usize| *at > 0 && lines[*at - 1].is_blank() && !lines[*at].is_blank();
        let mut begins = (0..lines.len()).filter(parted);
        let says_farewell = |at: &usize| {
            let line = lines[*at].text(text).to_lowercase();
            FAREWELLS.iter().any(|begin| line.starts_with(begin))
        };
        let first = lines.iter().position(|line| !line.is_blank())?;
        let stop = match place.wants_text() {
            true => begins.find(|at| *at > first && says_farewell(at))?,
            false => begins.find(|at| *at > first)?,
        };
        let before = lines[..stop].iter().rev().find(|line| !line.is_blank());
        before.map(|line| line.end)
    }

    /// Reads the headings of one level from `first` on up to a line, and returns where they end.
    fn object(
        &self,
        first: usize,
        level: usize,
        stop: usize,
        place: Place<'s>,
        depth: usize,
    ) -> (Value, usize) {
        let Source { text, places, .. } = *self.source;
        let (mut members, mut seen) = (Vec::new(), Seen::default());
        let mut at = first;
        let mut end = stop;
        while let Some(head) = self.heads.get(at).filter(|head| head.line < stop) {
            if head.level < level {
                end = head.line;
                break;
            }
            let next = self.heads[at + 1..]
                .iter()
                .position(|other| other.level <= head.level);
            let next = next.map_or(self.heads.len(), |next| at + 1 + next);
            let until = self
                .heads
                .get(next)
                .map_or(stop, |head| head.line.min(stop));
            let name = &text[head.name.clone()];
            let value = self.body(at, until, places.member(place, name), depth);
            add(
                &mut members,
                text,
                (Name::At(head.name.clone()), value),
                &mut seen,
            );
            at = next;
        }
        (Value::Object(members), end)
    }

    /// Reads what stands under a heading up to a line.
    fn body(&self, at: usize, until: usize, place: Place<'s>, depth: usize) -> Value {
        let Source {
            text,
            places,
            region,
            ..
        } = *self.source;
        let from = self.heads[at].line + 1;
        let inner = self.heads.get(at + 1).filter(|head| head.line < until);
        if let Some(inner) = inner.filter(|_| !place.wants_scalar() && depth < DEPTH)
            && places.has(place, &text[inner.name.clone()])
        {
            return self.object(at + 1, inner.level, until, place, depth + 1).0;
        }
        let lines = &region.lines[from..until];
        let filled = || lines.iter().filter(|line| !line.is_blank());
        let (Some(first), Some(last)) = (filled().next(), filled().next_back()) else {
            return Value::Null;
        };
        if place.wants_scalar() {
            let end = match until == region.lines.len() && region.language.is_none() {
                true => self.end_of_text(lines, place).unwrap_or(last.end),
                false => last.end,
            };
            return SPELLING.read(text, trimmed(text, first.at..end));
        }
        let mut reader = Indented {
            text,
            places,
            lines: lines.to_vec(),
            next: 0,
            stop: lines.len(),
            spelling: SPELLING,
            unclosed: false,
            open_ended: false,
        };
        reader.node(place, 1).unwrap_or(Value::Null)
    }
}

//! The readings that the search compared for a byte range of the reply, side by side.

use std::fmt::Write as _;

use llmjson::Schema;
use llmjson::syntax::internal::why::{self, Weighed};
use llmjson::syntax::{Document, JsonOut, JsonText, OffsetIndex, OffsetUnit, Span};

use super::{is_around, lines};
use crate::terminal::picture_text;

/// Number of readings that are shown side by side.
const COLUMNS: usize = 3;

/// Columns of the terminal between two readings.
const GAP: usize = 2;

/// Maximum number of lines for a reading's value, and for its moves.
const LINES: usize = 12;

/// The readings of a byte range of a reply.
pub(super) struct Readings<'t> {
    text: &'t str,
    span: Span,
    /// The cheapest first.
    all: Vec<Weighed>,
}

/// Returns the damaged range of a document: from its first repair to its last, without repairs around the value.
pub(super) fn damaged(document: &Document<'_>) -> Option<Span> {
    let repairs = document.repairs().iter();
    let inside = repairs.filter(|one| !is_around(one.kind));
    inside.map(|one| one.span).reduce(|all, one| Span {
        start: all.start.min(one.start),
        end: all.end.max(one.end),
    })
}

impl<'t> Readings<'t> {
    pub(super) fn of(text: &'t str, schema: Option<&Schema>, span: Span) -> Self {
        let names = schema.map(|schema| &**schema.names());
        let all = why::readings(text, names, span);
        Self { text, span, all }
    }

    /// Returns how much more the best reading with another value costs than the cheapest reading.
    fn margin(&self) -> Option<u32> {
        let (first, others) = self.all.split_first()?;
        let mut rivals = others.iter().filter(|one| one.value != first.value);
        rivals.next().map(|rival| rival.price - first.price)
    }

    /// Returns one JSON object, with offsets in these units.
    pub(super) fn object(&self, unit: OffsetUnit) -> String {
        let offsets = OffsetIndex::new(self.text, unit);
        JsonText::object_of(|out| {
            out.member("start", offsets.offset(self.span.start));
            out.member("end", offsets.offset(self.span.end));
            out.member("margin", self.margin());
            out.objects("readings", &self.all, |one, out| {
                out.member("cost", one.price);
                out.member("end", offsets.offset(one.end as u32));
                out.member("value", &one.value);
                out.objects("moves", &one.moves, |(name, place), out| {
                    out.member("move", name);
                    out.member("start", offsets.offset(place.start));
                    out.member("end", offsets.offset(place.end));
                });
            });
        })
    }

    /// Returns the best readings side by side, and the costs of the others.
    pub(super) fn table(&self, width: usize) -> String {
        let Span { start, end } = self.span;
        let mut out = format!("readings of bytes {start}..{end}, cheapest first\n\n");
        let shown = &self.all[..self.all.len().min(COLUMNS)];
        let wide = width / shown.len().max(1) - GAP;
        let columns: Vec<Vec<String>> = shown.iter().map(|one| column(one, wide)).collect();
        let lines = columns.iter().map(Vec::len).max().unwrap_or(0);
        for line in 0..lines {
            let mut row = String::new();
            for column in &columns {
                let cell = column.get(line).map_or("", String::as_str);
                let blank = (wide + GAP).saturating_sub(lines::width_of(cell));
                let _ = write!(row, "{cell}{}", " ".repeat(blank));
            }
            let _ = writeln!(out, "{}", row.trim_end());
        }
        let others: Vec<_> = (self.all.iter().skip(COLUMNS))
            .map(|one| one.price.to_string())
            .collect();
        if !others.is_empty() {
            let _ = writeln!(out, "\nothers: cost {}", others.join(", "));
        }
        let _ = match self.margin() {
            _ if shown.is_empty() => {
                writeln!(
                    out,
                    "none: there is no bracket, or the work budget is exhausted"
                )
            }
            Some(margin) => writeln!(out, "\nmargin {margin}"),
            None => writeln!(out, "\nno reading has another value"),
        };
        out
    }
}

/// Returns the lines of a reading: its cost, its value for the range, and its moves.
fn column(one: &Weighed, wide: usize) -> Vec<String> {
    let mut column = vec![format!("cost {}, up to {}", one.price, one.end)];
    column.extend(folded(&picture_text(&one.value), wide));
    let moves = one.moves.iter();
    let moves: Vec<_> = moves
        .map(|(name, place)| format!("{name} at {}..{}", place.start, place.end))
        .collect();
    column.extend(moves.iter().take(LINES).map(|one| lines::clip(one, wide)));
    match moves.len() {
        0 => column.push("unchanged".to_owned()),
        all if all > LINES => column.push(format!("and {} more", all - LINES)),
        _ => {}
    }
    column
}

/// Wraps a text at a width, with an ellipsis after the last line shown.
fn folded(text: &str, wide: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for character in text.chars() {
        let last = lines.last().map_or(0, |line| lines::width_of(line));
        if last + lines::width_of(character.encode_utf8(&mut [0; 4])) > wide {
            lines.push(String::new());
        }
        if let Some(line) = lines.last_mut() {
            line.push(character);
        }
    }
    if lines.len() > LINES {
        lines.truncate(LINES);
        lines.push("…".to_owned());
    }
    lines
}

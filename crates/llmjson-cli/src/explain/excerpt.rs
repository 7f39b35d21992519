//! Excerpts of a text with marks at the places of repairs.
//!
//! A small text is drawn whole. In a large text only the lines with marks are drawn, and in a long line only the
//! part near a mark, so the size of the output is bounded by the number of marks. Every character is made visible.
//! Marks show their tone by their character and their colour.

use std::fmt::Write as _;
use std::ops::Range;

use llmjson::syntax::Class;

use crate::terminal::push_picture;

use super::lines::{clip, width_of};

/// A text that is not longer is drawn whole.
const WHOLE_BYTES_MAX: usize = 4_000;
const WHOLE_LINES_MAX: usize = 80;
/// Columns that are drawn before the first mark of a piece of a long line.
const BEFORE_COLUMNS: usize = 16;
/// A mark is not longer.
const MARK_BYTES_MAX: usize = 400;

/// The subject of a mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Tone {
    /// A note, which is not a repair.
    Note,
    Certain,
    Likely,
    Guess,
}

impl Tone {
    pub(super) const ALL: [Self; 4] = [Self::Certain, Self::Likely, Self::Guess, Self::Note];

    pub(super) fn of(class: Class) -> Self {
        match class {
            Class::Certain => Self::Certain,
            Class::Likely => Self::Likely,
            Class::Guess => Self::Guess,
        }
    }

    /// Returns its name, the character that underlines, and the color.
    pub(super) const fn look(self) -> (&'static str, char, &'static str) {
        match self {
            Self::Note => ("note", '·', "\x1b[36m"),
            Self::Certain => ("certain", '─', "\x1b[32m"),
            Self::Likely => ("likely", '~', "\x1b[33m"),
            Self::Guess => ("guess", '^', "\x1b[31m"),
        }
    }
}

/// A label about a part of a text.
#[derive(Clone, Debug)]
pub(super) struct ExcerptMark {
    pub(super) span: Range<usize>,
    pub(super) label: String,
    pub(super) tone: Tone,
}

/// Draws the text with the marks, which are in the order of their places, in lines of `columns` columns.
pub(super) fn draw(text: &str, marks: Vec<ExcerptMark>, columns: usize) -> String {
    let mut out = String::new();
    if text.trim().is_empty() {
        return out;
    }
    let marks: Vec<ExcerptMark> = marks
        .into_iter()
        .map(|mark| on_one_line(text, mark))
        .collect();
    let whole = text.len() <= WHOLE_BYTES_MAX && text.lines().count() <= WHOLE_LINES_MAX;
    let last_mark = marks.last().map_or(0, |mark| mark.span.start);
    let last = if whole { text.len() } else { last_mark };
    let digits = (text[..last].matches('\n').count() + 1).to_string().len();
    let columns = columns.saturating_sub(digits + 3).max(20);
    let (mut next, mut number, mut start, mut drawn) = (0, 1, 0, 0);
    while start < text.len() {
        let end = text[start..].find('\n').map_or(text.len(), |at| start + at);
        let here = marks[next..]
            .iter()
            .take_while(|mark| mark.span.start <= end);
        let here = &marks[next..next + here.count()];
        if whole || !here.is_empty() {
            if drawn + 1 < number {
                writeln!(out, "{:digits$} ⋮", "").expect("writing to a string does not fail");
            }
            drawn = number;
            let mut gutter = Gutter { number, digits };
            for piece in pieces(text, start..end, here, columns) {
                piece.draw(text, &mut gutter, columns, &mut out);
            }
        }
        next += here.len();
        if next == marks.len() && !whole {
            break;
        }
        (start, number) = (end + 1, number + 1);
    }
    out
}

/// The text before a line: its number, once.
struct Gutter {
    number: usize,
    digits: usize,
}

impl Gutter {
    fn put_number(&self, out: &mut String) {
        self.put(&self.number.to_string(), out);
    }

    fn put(&self, number: &str, out: &mut String) {
        let digits = self.digits;
        write!(out, "\x1b[2m{number:digits$} │\x1b[0m ")
            .expect("writing to a string does not fail");
    }
}

/// A part of a line that is drawn, with the marks in it.
struct LinePiece<'m> {
    span: Range<usize>,
    cut: (bool, bool),
    marks: &'m [ExcerptMark],
}

/// The parts of a line that fit: all of it, or one around each group of marks.
fn pieces<'m>(
    text: &str,
    line: Range<usize>,
    marks: &'m [ExcerptMark],
    columns: usize,
) -> Vec<LinePiece<'m>> {
    let fits = room(text, line.start, line.end, columns) == line.end;
    if fits || marks.is_empty() {
        let span = match fits {
            true => line.clone(),
            false => line.start..room(text, line.start, line.end, columns - 1),
        };
        let cut = (false, span.end < line.end);
        return vec![LinePiece { span, cut, marks }];
    }
    let (mut pieces, mut from): (Vec<LinePiece<'m>>, usize) = (Vec::new(), 0);
    while let Some(first) = marks.get(from) {
        let mut start = line.start;
        let before = text[line.start..first.span.start].char_indices().rev();
        if let Some((at, _)) = before.take(BEFORE_COLUMNS).last() {
            start += at;
        }
        let mut end = room(text, start, line.end, columns - 2);
        // A line that nearly fits is shown up to its end.
        if end == line.end {
            start = fill(text, line.start, end, columns - 2);
            end = line.end;
        }
        let inside = marks[from..]
            .iter()
            .take_while(|mark| mark.span.start < end || mark.span.start == start);
        let to = from + inside.count().max(1);
        let (span, cut) = (start..end, (start > line.start, end < line.end));
        pieces.push(LinePiece {
            span,
            cut,
            marks: &marks[from..to],
        });
        from = to;
    }
    pieces
}

/// Returns the offset at which a text from `start` on ends that takes no more than this many
/// columns.
fn room(text: &str, start: usize, end: usize, columns: usize) -> usize {
    let mut left = columns;
    for (at, character) in text[start..end].char_indices() {
        match left.checked_sub(columns_of(character)) {
            Some(rest) => left = rest,
            None => return start + at,
        }
    }
    end
}

/// Returns the start of the text before `end` that fills these columns.
fn fill(text: &str, start: usize, end: usize, columns: usize) -> usize {
    let mut left = columns;
    let mut begin = end;
    for (at, character) in text[start..end].char_indices().rev() {
        match left.checked_sub(columns_of(character)) {
            Some(rest) => (left, begin) = (rest, start + at),
            None => break,
        }
    }
    begin
}

fn columns_of(character: char) -> usize {
    if (' '..='~').contains(&character) {
        return 1;
    }
    let mut shown = String::new();
    push_picture(character, &mut shown);
    width_of(&shown)
}

impl LinePiece<'_> {
    fn draw(&self, text: &str, gutter: &mut Gutter, columns: usize, out: &mut String) {
        let Range { start, end } = self.span.clone();
        let mut shown = String::from(if self.cut.0 { "…" } else { "" });
        let mut column = usize::from(self.cut.0);
        // The column of each byte of the piece.
        let mut places = Vec::with_capacity(end - start + 1);
        for character in text[start..end].chars() {
            places.extend(std::iter::repeat_n(column, character.len_utf8()));
            column += columns_of(character);
            push_picture(character, &mut shown);
        }
        places.push(column);
        shown.push_str(if self.cut.1 { "…" } else { "" });
        gutter.put_number(out);
        out.push_str(shown.trim_end());
        out.push('\n');
        let place = |offset: usize| places[offset.clamp(start, end) - start];
        for row in rows(self.marks) {
            let spans = row.iter().map(|mark| {
                let from = place(mark.span.start);
                from..place(mark.span.end).max(from + 1)
            });
            draw_row(row[0], spans, row.len(), gutter, columns, out);
        }
    }
}

/// Returns the marks by row. Adjacent marks with the same label share a row.
fn rows(marks: &[ExcerptMark]) -> Vec<Vec<&ExcerptMark>> {
    let mut rows: Vec<Vec<&ExcerptMark>> = Vec::new();
    for mark in marks {
        let row = rows.iter_mut().find(|row| {
            let last = row[row.len() - 1];
            row[0].label == mark.label
                && row[0].tone == mark.tone
                && (last.span == mark.span
                    || last.span.end.max(last.span.start + 1) <= mark.span.start)
        });
        match row {
            Some(row) => row.push(mark),
            None => rows.push(vec![mark]),
        }
    }
    rows
}

/// Draws the underlines of a row, and the label after them, or below if there is no room.
fn draw_row(
    mark: &ExcerptMark,
    spans: impl Iterator<Item = Range<usize>>,
    count: usize,
    gutter: &mut Gutter,
    columns: usize,
    out: &mut String,
) {
    let (_, sign, colour) = mark.tone.look();
    let (mut signs, mut at, mut first) = (String::new(), 0, None);
    for span in spans {
        if first.is_some() && span.end <= at {
            continue;
        }
        let from = span.start.max(at);
        signs.extend(std::iter::repeat_n(' ', from - at));
        let length = span.end.saturating_sub(from).max(1);
        signs.extend(std::iter::repeat_n(sign, length));
        at = from + length;
        first.get_or_insert(from);
    }
    let label = match count {
        1 => mark.label.clone(),
        _ => format!("{} ×{count}", mark.label),
    };
    let label = clip(&label, columns);
    let length = width_of(&label);
    gutter.put("", out);
    let first = first.unwrap_or(0);
    let line = if at + 1 + length <= columns {
        format!("{signs} {label}")
    } else if length < first {
        // Before the first underline if there is more room.
        let indent = first - 1 - length;
        format!("{:indent$}{label}{}", "", &signs[first - 1..])
    } else {
        writeln!(out, "{colour}{signs}\x1b[0m").expect("writing to a string does not fail");
        gutter.put("", out);
        let indent = first.min(columns - length);
        format!("{:indent$}{label}", "")
    };
    writeln!(out, "{colour}{line}\x1b[0m").expect("writing to a string does not fail");
}

/// The mark on the first line that it covers with more than white space.
fn on_one_line(text: &str, mark: ExcerptMark) -> ExcerptMark {
    let ExcerptMark {
        span,
        mut label,
        tone,
    } = mark;
    let end = text.floor_char_boundary(span.end);
    let start = text.floor_char_boundary(span.start).min(end);
    let covered = text[start..end].trim();
    let start = if covered.is_empty() {
        // White space at the end of the text has no separate line.
        start.min(text.trim_end().len())
    } else {
        covered.as_ptr() as usize - text.as_ptr() as usize
    };
    let first = covered.lines().next().unwrap_or_default();
    if first.len() < covered.len() {
        let more = covered.matches('\n').count();
        let s = if more == 1 { "" } else { "s" };
        label.push_str(&format!(", with the next {more} line{s}"));
    }
    let end = text.floor_char_boundary(start + first.len().min(MARK_BYTES_MAX));
    ExcerptMark {
        span: start..end,
        label,
        tone,
    }
}

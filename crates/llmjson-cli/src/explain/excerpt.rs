//! Drawing the places of a text with what was done there.
//!
//! A small text is drawn whole. Of a large one only the lines with marks are, and of a long line
//! only what is near a mark, so the picture is bounded by the number of marks. Every character is
//! made to show.

use std::ops::Range;

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};
use llmjson::Class;

use crate::terminal::push_picture;

/// A text that is not longer is drawn whole.
const WHOLE_BYTES_MAX: usize = 4_000;
const WHOLE_LINES_MAX: usize = 80;
const WHOLE_LINE_BYTES_MAX: usize = 160;
/// Marks of a long line are drawn together if they are this near.
const PIECE_BYTES_MAX: usize = 120;
const PIECE_MARKS_MAX: usize = 6;
/// How much is drawn around marks of a long line.
const AROUND_BYTES: usize = 40;

/// Something to say about a part of a text.
#[derive(Clone, Debug)]
pub(super) struct Mark {
    pub(super) span: Range<usize>,
    pub(super) label: String,
    /// How sure a repair is; `None` for notes.
    pub(super) class: Option<Class>,
}

/// A part of the text that is drawn, with marks in it.
struct Piece {
    span: Range<usize>,
    line: usize,
    marks: Vec<Mark>,
}

/// Draws the text with the marks, which are in the order of their places.
pub(super) fn draw(text: &str, marks: Vec<Mark>, renderer: &Renderer) -> String {
    if text.trim().is_empty() {
        return String::new();
    }
    let pieces = pieces(text, marks);
    let digits = pieces.last().map_or(1, |piece| {
        let last = piece.line + text[piece.span.clone()].matches('\n').count();
        last.to_string().len()
    });
    let mut picture = String::new();
    for piece in pieces {
        let drawn = piece.draw(text, renderer);
        if !picture.is_empty() {
            picture.push_str(&" ".repeat(digits));
            picture.push_str(" ⋮\n");
        }
        picture.push_str(&drawn);
        picture.push('\n');
    }
    picture
}

fn pieces(text: &str, marks: Vec<Mark>) -> Vec<Piece> {
    let lines = || text.split('\n');
    let whole = text.len() <= WHOLE_BYTES_MAX
        && lines().count() <= WHOLE_LINES_MAX
        && lines().all(|line| line.len() <= WHOLE_LINE_BYTES_MAX);
    let mut marks = marks.into_iter().map(|mark| on_one_line(text, mark));
    if whole {
        return vec![Piece { span: 0..text.len(), line: 1, marks: marks.collect() }];
    }
    let mut pieces: Vec<Piece> = Vec::new();
    let (mut line, mut counted) = (1, 0);
    for mark in marks.by_ref() {
        line += text.get(counted..mark.span.start).unwrap_or_default().matches('\n').count();
        counted = counted.max(mark.span.start);
        let around = around(text, &mark.span);
        match pieces.last_mut() {
            Some(piece) if piece.takes(line, &around) => {
                piece.span.end = piece.span.end.max(around.end);
                piece.marks.push(mark);
            }
            _ => pieces.push(Piece { span: around, line, marks: vec![mark] }),
        }
    }
    pieces
}

impl Piece {
    /// Whether a part of that line is near enough.
    fn takes(&self, line: usize, around: &Range<usize>) -> bool {
        self.line == line
            && self.marks.len() < PIECE_MARKS_MAX
            && around.start >= self.span.start
            && around.end - self.span.start <= PIECE_BYTES_MAX + 2 * AROUND_BYTES
    }

    fn draw(&self, text: &str, renderer: &Renderer) -> String {
        let Range { start, end } = self.span.clone();
        let cut_before = start > 0 && text.as_bytes()[start - 1] != b'\n';
        let cut_behind = end < text.len() && text.as_bytes()[end] != b'\n';
        let mut shown = String::from(if cut_before { "…" } else { "" });
        // Where each byte of the piece is in what is shown.
        let mut places = Vec::with_capacity(end - start + 1);
        for character in text[start..end].chars() {
            places.extend(std::iter::repeat_n(shown.len(), character.len_utf8()));
            match character {
                '\n' => shown.push('\n'),
                _ => push_picture(character, &mut shown),
            }
        }
        places.push(shown.len());
        shown.push_str(if cut_behind { "…" } else { "" });
        let place = |offset: usize| places[offset.clamp(start, end) - start];
        let worst = self.marks.iter().filter_map(|mark| mark.class).max();
        let annotations = self.marks.iter().map(|mark| {
            let kind = if mark.class == worst && worst > Some(Class::Certain) {
                AnnotationKind::Primary
            } else {
                AnnotationKind::Context
            };
            let span = place(mark.span.start)..place(mark.span.end);
            kind.span(span).label(mark.label.as_str())
        });
        let level = match worst {
            Some(Class::Guess) => Level::ERROR,
            Some(Class::Likely) => Level::WARNING,
            _ => Level::INFO,
        };
        let snippet = Snippet::source(shown.as_str()).line_start(self.line).fold(false);
        let group = Group::with_level(level).element(snippet.annotations(annotations));
        renderer.render(&[group])
    }
}

/// The mark on the first line that it covers with more than white space.
fn on_one_line(text: &str, mark: Mark) -> Mark {
    let Mark { span, mut label, class } = mark;
    let end = boundary(text, span.end);
    let start = boundary(text, span.start).min(end);
    let covered = text[start..end].trim();
    let start = if covered.is_empty() { start } else { covered.as_ptr() as usize - text.as_ptr() as usize };
    let first = covered.lines().next().unwrap_or_default();
    if first.len() < covered.len() {
        let more = covered.matches('\n').count();
        let s = if more == 1 { "" } else { "s" };
        label.push_str(&format!(", with the next {more} line{s}"));
    }
    let end = boundary(text, start + first.len().min(PIECE_BYTES_MAX));
    Mark { span: start..end, label, class }
}

/// What is drawn of a line because of a mark on it.
fn around(text: &str, span: &Range<usize>) -> Range<usize> {
    let line_start = text[..span.start].rfind('\n').map_or(0, |newline| newline + 1);
    let line_end = text[span.end..].find('\n').map_or(text.len(), |length| span.end + length);
    let (mut start, mut end) = (line_start, line_end);
    if line_end - line_start > PIECE_BYTES_MAX {
        start = boundary(text, start.max(span.start.saturating_sub(AROUND_BYTES)));
        end = boundary(text, end.min(span.end + AROUND_BYTES));
    }
    start..end
}

/// The nearest place before an offset that is not inside a character.
fn boundary(text: &str, offset: usize) -> usize {
    let mut offset = offset.min(text.len());
    while !text.is_char_boundary(offset) {
        offset -= 1;
    }
    offset
}

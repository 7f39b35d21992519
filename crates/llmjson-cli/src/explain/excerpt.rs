//! Excerpts of a text with marks at the places of repairs.
//!
//! A small text is drawn whole. Of a large one only the lines with marks are, and of a long line
//! only what is near a mark, so the picture is bounded by the number of marks. Every character is
//! made to show.

use std::ops::Range;

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};
use llmjson::report::Class;

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
/// A mark is not longer.
const MARK_BYTES_MAX: usize = 80;
/// Marks on short lines are drawn together if no more lines than this lie between them.
const BETWEEN_LINES_MAX: usize = 2;

/// A remark about a part of a text.
#[derive(Clone, Debug)]
pub(super) struct Mark {
    pub(super) span: Range<usize>,
    pub(super) label: String,
    /// The class of a repair; `None` for notes.
    pub(super) class: Option<Class>,
}

/// A part of the text that is drawn, with marks in it.
struct Piece {
    span: Range<usize>,
    /// From 1.
    first_line: usize,
    last_line: usize,
    /// Whether no line in it is cut.
    whole_lines: bool,
    marks: Vec<Mark>,
}

/// Draws the text with the marks, which are in the order of their places.
pub(super) fn draw(text: &str, marks: Vec<Mark>, renderer: &Renderer) -> String {
    if text.trim().is_empty() {
        return String::new();
    }
    let pieces = pieces(text, marks);
    let digits = pieces
        .iter()
        .map(|piece| piece.last_line)
        .max()
        .unwrap_or(1)
        .to_string()
        .len();
    let mut picture = String::new();
    for piece in pieces {
        let drawn = piece.draw(text, renderer);
        // The first line is for the name of a file, which there is none of.
        let drawn = drawn
            .split_once('\n')
            .map_or(drawn.as_str(), |(_, rest)| rest);
        if !picture.is_empty() {
            picture.push_str(&" ".repeat(digits));
            picture.push_str(" ⋮\n");
        }
        picture.push_str(drawn);
        picture.push('\n');
    }
    picture
}

fn pieces(text: &str, marks: Vec<Mark>) -> Vec<Piece> {
    let lines = || text.split('\n');
    let whole = text.len() <= WHOLE_BYTES_MAX
        && lines().count() <= WHOLE_LINES_MAX
        && lines().all(|line| line.len() <= WHOLE_LINE_BYTES_MAX);
    let marks = marks.into_iter().map(|mark| on_one_line(text, mark));
    if whole {
        return vec![Piece {
            span: 0..text.len(),
            first_line: 1,
            last_line: lines().count(),
            whole_lines: true,
            marks: marks.collect(),
        }];
    }
    let mut pieces: Vec<Piece> = Vec::new();
    let (mut line, mut counted) = (1, 0);
    for mark in marks {
        line += text
            .get(counted..mark.span.start)
            .unwrap_or_default()
            .matches('\n')
            .count();
        counted = counted.max(mark.span.start);
        let (around, whole_line) = around(text, &mark.span);
        match pieces.last_mut() {
            Some(piece) if piece.takes(text, line, &mark, &around, whole_line) => {
                piece.span.end = piece.span.end.max(around.end);
                piece.last_line = line;
                piece.marks.push(mark);
            }
            _ => pieces.push(Piece {
                span: around,
                first_line: line,
                last_line: line,
                whole_lines: whole_line,
                marks: vec![mark],
            }),
        }
    }
    pieces
}

impl Piece {
    /// Returns whether a mark on that line, drawn with so much around it, is near enough.
    fn takes(
        &self,
        text: &str,
        line: usize,
        mark: &Mark,
        around: &Range<usize>,
        whole_line: bool,
    ) -> bool {
        if self.whole_lines && whole_line {
            let between = text.get(self.span.end..around.start).unwrap_or_default();
            return line <= self.last_line + 1 + BETWEEN_LINES_MAX
                && between.len() <= BETWEEN_LINES_MAX * PIECE_BYTES_MAX;
        }
        self.last_line == line
            && !self.whole_lines
            && !whole_line
            && self.marks.len() < PIECE_MARKS_MAX
            && mark.span.start >= self.span.start
            && mark.span.start - self.span.start <= PIECE_BYTES_MAX
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
        let snippet = Snippet::source(shown.as_str())
            .line_start(self.first_line)
            .fold(false);
        let group = Group::with_level(level).element(snippet.annotations(annotations));
        renderer.render(&[group])
    }
}

/// The mark on the first line that it covers with more than white space.
fn on_one_line(text: &str, mark: Mark) -> Mark {
    let Mark {
        span,
        mut label,
        class,
    } = mark;
    let end = boundary(text, span.end);
    let start = boundary(text, span.start).min(end);
    let covered = text[start..end].trim();
    let start = if covered.is_empty() {
        start
    } else {
        covered.as_ptr() as usize - text.as_ptr() as usize
    };
    let first = covered.lines().next().unwrap_or_default();
    if first.len() < covered.len() {
        let more = covered.matches('\n').count();
        let s = if more == 1 { "" } else { "s" };
        label.push_str(&format!(", with the next {more} line{s}"));
    }
    let end = boundary(text, start + first.len().min(MARK_BYTES_MAX));
    Mark {
        span: start..end,
        label,
        class,
    }
}

/// What is drawn of a line because of a mark on it, and whether that is the whole line.
fn around(text: &str, span: &Range<usize>) -> (Range<usize>, bool) {
    let line_start = text[..span.start]
        .rfind('\n')
        .map_or(0, |newline| newline + 1);
    let line_end = text[span.end..]
        .find('\n')
        .map_or(text.len(), |length| span.end + length);
    if line_end - line_start <= PIECE_BYTES_MAX {
        return (line_start..line_end, true);
    }
    let start = boundary(
        text,
        line_start.max(span.start.saturating_sub(AROUND_BYTES)),
    );
    let end = boundary(text, line_end.min(span.end + AROUND_BYTES));
    (start..end, false)
}

/// The nearest place before an offset that is not inside a character.
fn boundary(text: &str, offset: usize) -> usize {
    let mut offset = offset.min(text.len());
    while !text.is_char_boundary(offset) {
        offset -= 1;
    }
    offset
}

//! The text of a reply with its repairs marked in place.
//!
//! Marks and the places of names and values are elements within each other. Where two of them
//! overlap, the one that begins later goes on behind the other. A long text is cut into blocks, which
//! a browser lays out when they come into view; elements go on from one block to the next.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fmt::Write as _;
use std::ops::Range;

use llmjson::syntax::Class;

use crate::Reply;
use crate::leaves::Leaves;
use crate::shown::escape;

/// Maximum number of repairs and notes that are marked, the least sure ones first.
const MARKS_MAX: usize = 2_000;
/// Elements are not nested deeper.
const DEPTH_MAX: usize = 12;
/// A block of the text is not longer, except for its last line.
const BLOCK_BYTES: usize = 16_000;
/// The same for a block whose last line does not end.
const BLOCK_BYTES_MAX: usize = 64_000;

/// A note about a part of the text.
#[derive(Clone, Debug)]
pub(crate) struct Mark {
    pub(crate) span: Range<usize>,
    /// `certain`, `likely`, `guess` or `note`.
    pub(crate) tone: &'static str,
    pub(crate) about: String,
}

/// The marks of a reply in the order of the text, and how many there is no room for.
pub(crate) fn marks(reply: &Reply<'_>) -> (Vec<Mark>, usize) {
    let document = reply.document;
    let text = document.text();
    let repairs = document.repairs().iter().map(|one| {
        let (kind, class) = (one.kind, one.class);
        let about = format!("{} ({kind}, {class})", kind.sentence());
        (rank(class), one.span, class.name(), about)
    });
    let notes = reply.notes().into_iter().map(|one| {
        let about = format!("{} ({}, note)", one.sentence, one.name);
        (3, one.span, "note", about)
    });
    let mut all: Vec<_> = repairs.chain(notes).collect();
    let given = all.len();
    all.sort_by_key(|(rank, ..)| *rank);
    all.truncate(MARKS_MAX);
    let left_out = given - all.len();
    let mut marks: Vec<Mark> = all
        .into_iter()
        .map(|(_, span, tone, about)| {
            let end = text.floor_char_boundary(span.end as usize);
            let start = text.floor_char_boundary(span.start as usize).min(end);
            let span = start..end;
            Mark { span, tone, about }
        })
        .collect();
    marks.sort_by_key(|mark| (mark.span.start, Reverse(mark.span.end)));
    // One element for all that is said about one place; the least sure comes first.
    marks.dedup_by(|next, mark| {
        let is_same = next.span == mark.span;
        if is_same {
            mark.about = format!("{}; {}", mark.about, next.about);
        }
        is_same
    });
    (marks, left_out)
}

fn rank(class: Class) -> u8 {
    match class {
        Class::Guess => 0,
        Class::Likely => 1,
        Class::Certain => 2,
    }
}

/// The subject of an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum About {
    /// A name or value, by its number.
    Leaf(usize),
    /// A mark, by its number.
    Mark(usize),
}

/// The part of an element: one that crosses another or a block is written in several.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum ElementPart {
    First,
    Continued,
}

/// An element that is open.
#[derive(Clone, Copy)]
struct OpenElement {
    end: usize,
    about: About,
}

/// Appends the text with its marks. The ids of the marks begin with the prefix.
pub(crate) fn put_text(
    text: &str,
    marks: &[Mark],
    leaves: &Leaves,
    prefix: &str,
    out: &mut String,
) {
    let mut writer = TextWriter {
        text,
        marks,
        leaves,
        prefix,
        out,
        at: 0,
        block: 0,
        open: Vec::new(),
    };
    // By beginning; empty ones first, then the longest; names and values around marks.
    let mut waiting = BinaryHeap::new();
    let mut wait = |start: usize, end: usize, about: About, part: ElementPart| {
        let is_empty = start == end;
        waiting.push(Reverse((start, !is_empty, Reverse(end), about, part)));
    };
    for leaf in leaves
        .places
        .iter()
        .filter(|leaf| leaves.linked[leaf.value])
    {
        wait(
            leaf.start,
            leaf.end,
            About::Leaf(leaf.value),
            ElementPart::First,
        );
    }
    for (number, mark) in marks.iter().enumerate() {
        wait(
            mark.span.start,
            mark.span.end,
            About::Mark(number),
            ElementPart::First,
        );
    }
    writer.out.push_str("<div class=\"block\">");
    while let Some(Reverse((start, filled, Reverse(mut end), about, part))) = waiting.pop() {
        writer.close_up_to(start);
        writer.write_up_to(start);
        if writer.open.len() >= DEPTH_MAX {
            continue;
        }
        if let Some(around) = writer.open.last()
            && around.end < end
        {
            waiting.push(Reverse((
                around.end,
                filled,
                Reverse(end),
                about,
                ElementPart::Continued,
            )));
            end = around.end;
        }
        writer.open(about, part);
        writer.open.push(OpenElement { end, about });
    }
    writer.close_up_to(text.len());
    writer.write_up_to(text.len());
    while let Some(open) = writer.open.pop() {
        writer.close(open.about);
    }
    writer.out.push_str("</div>");
}

struct TextWriter<'a> {
    text: &'a str,
    marks: &'a [Mark],
    leaves: &'a Leaves,
    prefix: &'a str,
    out: &'a mut String,
    /// Offset up to which the text is written.
    at: usize,
    /// Offset at which the block begins.
    block: usize,
    open: Vec<OpenElement>,
}

impl TextWriter<'_> {
    /// Closes what ends here or before.
    fn close_up_to(&mut self, start: usize) {
        while let Some(open) = self.open.last().copied()
            && open.end <= start
        {
            self.write_up_to(open.end);
            self.close(open.about);
            self.open.pop();
        }
    }

    fn write_up_to(&mut self, end: usize) {
        while self.at < end {
            let room = BLOCK_BYTES.saturating_sub(self.at - self.block);
            let text = &self.text[self.at..end];
            let from = text.floor_char_boundary(room);
            if from == text.len() {
                escape(text, self.out);
                self.at = end;
                return;
            }
            let most = BLOCK_BYTES_MAX.saturating_sub(self.at - self.block);
            let most = text.floor_char_boundary(most.max(4)).max(from);
            let line = text[from..most].find('\n').map(|at| from + at + 1);
            if line.is_none() && most == text.len() {
                escape(text, self.out);
                self.at = end;
                return;
            }
            let until = line.unwrap_or(most);
            escape(&text[..until], self.out);
            self.at += until;
            self.next_block();
        }
    }

    fn next_block(&mut self) {
        for open in self.open.iter().rev() {
            self.out.push_str(closing(open.about));
        }
        self.out.push_str("</div><div class=\"block\">");
        for open in self.open.clone() {
            self.open(open.about, ElementPart::Continued);
        }
        self.block = self.at;
    }

    /// Opens an element, or the part with which it goes on.
    fn open(&mut self, about: About, part: ElementPart) {
        let number = match about {
            About::Leaf(value) => {
                write!(self.out, "<span data-l=\"v{value}\">").expect("a string takes it");
                return;
            }
            About::Mark(number) => number,
        };
        let mark = &self.marks[number];
        let tone = mark.tone;
        write!(self.out, "<mark class=\"{tone}\" data-l=\"r{number}").expect("a string takes it");
        let leaf = self.leaves.at(mark.span.start, mark.span.end);
        if let Some(leaf) = leaf.filter(|leaf| self.leaves.linked[leaf.value]) {
            write!(self.out, " v{}", leaf.value).expect("a string takes it");
        }
        self.out.push('"');
        if part == ElementPart::First {
            let prefix = self.prefix;
            write!(self.out, " id=\"{prefix}r{number}\" tabindex=\"0\"")
                .expect("a string takes it");
        }
        self.out.push_str(" aria-description=\"");
        escape(&mark.about, self.out);
        self.out.push_str("\">");
    }

    fn close(&mut self, about: About) {
        self.out.push_str(closing(about));
    }
}

fn closing(about: About) -> &'static str {
    match about {
        About::Leaf(_) => "</span>",
        About::Mark(_) => "</mark>",
    }
}

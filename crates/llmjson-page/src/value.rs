//! The value, foldable, with what was changed and what is wrong beside each part.
//!
//! Without the notes its text is the value as it is printed over several lines.

use std::fmt::Write as _;

use llmjson::syntax::{Key, ValueRef, write_string};

use crate::leaves::{Inside, Leaves, container};
use crate::shown::{escape, escaped};

/// A container with more values within, about which nothing is said, is folded.
const UNFOLDED_MAX: usize = 400;
/// Minimum number of values within one that can be folded in a large value, which is not linked as
/// a whole.
const FOLDABLE_MIN: usize = 50;
/// A block of the value, which a browser lays out when it comes into view, is not longer, except for its
/// last member.
const BLOCK_BYTES: usize = 16_000;

struct ShownContainer<'d> {
    inside: Inside<'d>,
    is_object: bool,
    is_foldable: bool,
    /// Offset in the page at which its last block begins, if it has any.
    block: Option<usize>,
    /// The number of the container.
    number: usize,
    separator: Separator,
}

/// Appends the value.
pub(crate) fn put_value(root: ValueRef<'_>, leaves: &Leaves, out: &mut String) {
    let mut writer = ValueWriter {
        leaves,
        said: said(leaves),
        next: 0,
        open: Vec::new(),
        out,
    };
    writer.enter(None, root, Separator::Nothing);
    while let Some(level) = writer.open.last_mut() {
        let Some((key, value)) = level.inside.next() else {
            writer.leave();
            continue;
        };
        let end = leaves.ends[writer.next];
        let separator = match end == leaves.ends[level.number] {
            true => Separator::Nothing,
            false => Separator::Comma,
        };
        if let Some(block) = &mut level.block
            && writer.out.len() - *block > BLOCK_BYTES
        {
            writer.out.push_str("</div><div class=\"block\">");
            *block = writer.out.len();
        }
        writer.enter(key, value, separator);
    }
}

/// Returns the lines, from 0, on which a value that is printed over several lines does not fit, with what is said there.
pub(crate) fn misfits(root: ValueRef<'_>, leaves: &Leaves) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    let mut open: Vec<Inside<'_>> = Vec::new();
    let (mut line, mut number, mut next) = (0, 0, Some(root));
    loop {
        if let Some(value) = next {
            let notes = leaves.notes.get(&number).into_iter().flatten();
            let wrong = notes.filter(|note| note.tone == "wrong");
            found.extend(wrong.map(|note| (line, note.text.clone())));
            line += 1;
            // What is empty stands on one line.
            if leaves.ends[number] > number + 1
                && let Some(is_object) = container(value)
            {
                open.push(Inside::of(value, is_object));
            }
            number += 1;
        }
        let Some(inside) = open.last_mut() else {
            return found;
        };
        next = inside.next().map(|(_, value)| value);
        if next.is_none() {
            line += 1;
            open.pop();
        }
    }
}

/// Returns the number of notes about the values before each one.
fn said(leaves: &Leaves) -> Vec<usize> {
    let mut sum = 0;
    let mut sums = vec![0];
    for number in 0..leaves.ends.len() {
        sum += leaves.notes.get(&number).map_or(0, Vec::len);
        sums.push(sum);
    }
    sums
}

struct ValueWriter<'a, 'd> {
    leaves: &'a Leaves,
    said: Vec<usize>,
    /// The number of the next value.
    next: usize,
    open: Vec<ShownContainer<'d>>,
    out: &'a mut String,
}

impl<'d> ValueWriter<'_, 'd> {
    fn enter(&mut self, key: Option<Key<'_>>, value: ValueRef<'d>, separator: Separator) {
        let number = self.next;
        self.next += 1;
        let is_linked = self.leaves.linked[number];
        let depth = self.open.len();
        self.out.extend(std::iter::repeat_n("  ", depth));
        let is_object = container(value);
        let within = self.leaves.ends[number] - number - 1;
        let is_foldable = within > 0 && (is_linked || depth == 0 || within >= FOLDABLE_MIN);
        if is_foldable {
            let is_told = self.said[self.leaves.ends[number]] > self.said[number + 1];
            let is_open = depth == 0 || is_told || within <= UNFOLDED_MAX;
            // The indentation belongs to the line that stays when it is folded.
            let line = self.out.len() - 2 * depth;
            self.out.truncate(line);
            self.out.push_str(match is_open {
                true => "<details open><summary>",
                false => "<details><summary>",
            });
            self.out.extend(std::iter::repeat_n("  ", depth));
        }
        if is_linked {
            write!(self.out, "<span data-l=\"v{number}\">").expect("a string takes it");
        }
        if let Some(key) = key {
            let mut name = String::new();
            write_string(&key.decoded(), &mut name);
            if is_linked {
                let name = escaped(&name);
                write!(self.out, "<b>{name}</b>: ").expect("a string takes it");
            } else {
                escape(&name, self.out);
                self.out.push_str(": ");
            }
        }
        let Some(is_object) = is_object.filter(|_| within > 0) else {
            escape(&value.to_json(), self.out);
            if is_linked {
                self.out.push_str("</span>");
            }
            self.end_line(number, separator);
            return;
        };
        self.out.push(if is_object { '{' } else { '[' });
        if is_linked {
            self.out.push_str("</span>");
        }
        self.notes(number);
        if is_foldable {
            let what = if is_object { "members" } else { "items" };
            let count = value.len();
            write!(self.out, "<i data-count=\"{count} {what}\"></i>").expect("a string takes it");
        }
        self.out.push('\n');
        let mut block = None;
        if is_foldable {
            self.out.push_str("</summary>");
            if within > UNFOLDED_MAX {
                self.out.push_str("<div class=\"block\">");
                block = Some(self.out.len());
            }
        }
        self.open.push(ShownContainer {
            block,
            inside: Inside::of(value, is_object),
            is_object,
            is_foldable,
            number,
            separator,
        });
    }

    fn leave(&mut self) {
        let Some(level) = self.open.pop() else { return };
        if level.block.is_some() {
            self.out.push_str("</div>");
        }
        self.out.extend(std::iter::repeat_n("  ", self.open.len()));
        self.out.push(if level.is_object { '}' } else { ']' });
        self.out.push_str(level.separator.text());
        if level.is_foldable {
            self.out.push_str("</details>");
        }
    }

    fn end_line(&mut self, number: usize, separator: Separator) {
        self.out.push_str(separator.text().trim_end());
        self.notes(number);
        self.out.push('\n');
    }

    fn notes(&mut self, number: usize) {
        for note in self.leaves.notes.get(&number).into_iter().flatten() {
            let (tone, text) = (note.tone, escaped(&note.text));
            write!(
                self.out,
                "<small class=\"{tone}\" data-l=\"v{number}\">{text}</small>"
            )
            .expect("a string takes it");
        }
    }
}

/// The text behind a value.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Separator {
    Comma,
    /// The value is the last one.
    Nothing,
}

impl Separator {
    const fn text(self) -> &'static str {
        match self {
            Self::Comma => ",\n",
            Self::Nothing => "\n",
        }
    }
}

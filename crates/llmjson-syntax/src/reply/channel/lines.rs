//! Margins: prefixes and suffixes that logs, terminals, comments, tables and boxes add to each line
//! of a reply.

use alloc::vec::Vec;
use core::ops::Range;

use crate::base::repair::RepairKind;
use crate::reply::channel::decoded::DecodedText;
use crate::reply::channel::parts::is_cut;

/// Maximum length of a margin.
const MARGIN_BYTES: usize = 160;

/// Minimum number of lines whose ends suffice to identify a margin.
const LINES_MIN: usize = 3;

/// The lines between two margins.
struct Block<'t> {
    /// The place in the text at which the first line begins.
    start: usize,
    margin: &'t str,
    /// Each line with its end, and the length of its margin.
    lines: Vec<(&'t str, usize)>,
    /// The margin at the end of each line.
    behind: &'t str,
}

/// Removes the text before the first bracket of a value that repeats, apart from digits, before
/// each line below, and the text that repeats at the end of all these lines.
pub(crate) fn margins(text: &str) -> Option<DecodedText> {
    let block = block(text)?;
    let mut taken = DecodedText::of(RepairKind::LinePrefixes);
    let above = &text[..block.start];
    let starred = block.margin.trim() == "*";
    let opened = above.trim_end().strip_suffix("/*").filter(|_| starred);
    taken.push(0, opened.unwrap_or(above));
    let mut at = block.start;
    for &(line, before) in &block.lines {
        let body = line.trim_end();
        let inside = body.get(before..).unwrap_or_default();
        let inside = inside.strip_suffix(block.behind).unwrap_or(inside);
        let end = &line[line.trim_end_matches(['\n', '\r']).len()..];
        // Boxes pad their lines with blanks.
        taken.push(at + before, inside.trim_end());
        taken.push(at + line.len() - end.len(), end);
        at += line.len();
    }
    taken.push(at, &text[at..]);
    taken.end(text.len());
    Some(taken)
}

/// Returns `true` if each line of the value in `span` begins with the margin of its first line,
/// even inside a string: `> {"a": "one` and `> two"}`. List markers are part of the text, and so
/// are words that only one line repeats.
pub(crate) fn in_margins(text: &str, span: Range<usize>) -> bool {
    let line = memchr::memrchr(b'\n', &text.as_bytes()[..span.start]).map_or(0, |at| at + 1);
    let (margin, value) = (&text[line..span.start], &text[span]);
    let number = |sign: char| sign.is_ascii_digit() || matches!(sign, '.' | ')');
    let marker = matches!(
        margin.trim().trim_matches(number),
        "" | "-" | "*" | "+" | "•"
    );
    let mut lines = value.lines().skip(1).peekable();
    let words = margin.contains(char::is_alphabetic) && value.lines().nth(LINES_MIN - 1).is_none();
    let shown = margin.len() <= MARGIN_BYTES && !marker && !words && lines.peek().is_some();
    shown && lines.all(|line| margin_of(margin, line).is_some())
}

/// Finds the first lines that share a margin and contain a value of several lines.
fn block(text: &str) -> Option<Block<'_>> {
    let mut start = 0;
    while let Some(found) = memchr::memchr2(b'{', b'[', &text.as_bytes()[start..]) {
        let line = memchr::memrchr(b'\n', &text.as_bytes()[..start + found]).map_or(0, |at| at + 1);
        let rest = &text[line..];
        let length = memchr::memchr(b'\n', rest.as_bytes()).map_or(rest.len(), |end| end + 1);
        start = line + length;
        let Some(open) = opener(&rest[..length]) else {
            continue;
        };
        // An array of complete values has no margin.
        if is_cut(&rest[open..length]) {
            let (block, end) = block_at(rest, line, open);
            if block.is_some() {
                return block;
            }
            start = start.max(line + end);
        }
        // A value without a margin is already as written.
        if open == 0 {
            return None;
        }
    }
    None
}

/// Returns the place of the bracket that opens the value of a line, which is not part of the line's
/// margin: `[INFO] {`.
fn opener(line: &str) -> Option<usize> {
    let near = &line.as_bytes()[..line.len().min(MARGIN_BYTES)];
    let mut brackets = memchr::memchr2_iter(b'{', b'[', near);
    brackets.find(|at| {
        let rest = line[at + 1..].trim_start();
        let begins = rest.is_empty() || rest.starts_with(['"', '{', '[', '}', ']', '\'']);
        begins || near[*at] == b'{' && !rest.starts_with(char::is_alphanumeric)
    })
}

/// Reads the lines from `start` on that have the same margin as the bracket at `open`. Also returns
/// the number of bytes in lines with this margin.
fn block_at(rest: &str, start: usize, open: usize) -> (Option<Block<'_>>, usize) {
    let margin = &rest[..open];
    let mut read = 0;
    let mut lines: Vec<(&str, usize)> = Vec::new();
    let mut behind: Option<&str> = None;
    for line in rest.split_inclusive('\n') {
        let Some(before) = margin_of(margin, line) else {
            break;
        };
        let inside = line.trim_end().get(before..).unwrap_or_default();
        if !inside.trim().is_empty() {
            let ends = behind.map_or(inside, |other| common_end(other, inside));
            behind = Some(ends);
        }
        lines.push((line, before));
        if margin.trim().is_empty() && lines.len() > 1 && behind.is_none_or(str::is_empty) {
            return (None, read);
        }
        read += line.len();
    }
    let behind = behind.map_or("", sign_of_margin);
    let shown = match margin.trim().is_empty() {
        true => lines.len() >= LINES_MIN && !behind.is_empty(),
        false => lines.len() > 1,
    };
    let block = shown.then_some(Block {
        start,
        margin,
        lines,
        behind,
    });
    (block, read)
}

/// Returns the length of a line's margin if it equals this one except for digits and the blanks
/// before them.
fn margin_of(margin: &str, line: &str) -> Option<usize> {
    let (one, two) = (margin.as_bytes(), line.trim_end().as_bytes());
    let (mut here, mut there) = (0, 0);
    while here < one.len() {
        let blanks = |bytes: &[u8], at: usize| {
            let blank = |byte: &&u8| matches!(byte, b' ' | b'\t');
            bytes[at..].iter().take_while(blank).count()
        };
        let digits = |bytes: &[u8], at: usize| {
            let digit = |byte: &&u8| byte.is_ascii_digit();
            bytes[at..].iter().take_while(digit).count()
        };
        let (skipped, others) = (here + blanks(one, here), there + blanks(two, there));
        let numbers = (digits(one, skipped), digits(two, others));
        if numbers.0 > 0 && numbers.1 > 0 {
            (here, there) = (skipped + numbers.0, others + numbers.1);
        } else if there == two.len() {
            // Trailing blanks of a margin are lost on otherwise empty lines.
            return margin[here..].trim().is_empty().then_some(there);
        } else if one[here] == two[there] {
            (here, there) = (here + 1, there + 1);
        } else {
            return None;
        }
    }
    line.is_char_boundary(there).then_some(there)
}

/// Returns the common suffix of two texts.
fn common_end<'t>(one: &'t str, two: &str) -> &'t str {
    let pairs = one.bytes().rev().zip(two.bytes().rev());
    let mut start = one.len() - pairs.take_while(|(one, two)| one == two).count();
    while !one.is_char_boundary(start) {
        start += 1;
    }
    &one[start..]
}

/// Returns the end of the lines if it can be a margin: no punctuation of a value.
fn sign_of_margin(end: &str) -> &str {
    let end = end.trim();
    let of_values = |sign: char| "{}]\",:".contains(sign);
    let begins = end.starts_with(|sign: char| !sign.is_alphanumeric() && sign != '.');
    if begins && end.len() <= MARGIN_BYTES && !end.contains(of_values) {
        end
    } else {
        ""
    }
}

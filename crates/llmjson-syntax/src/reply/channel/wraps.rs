//! Lines that were wrapped at a fixed width.

use alloc::vec::Vec;

use crate::base::repair::{Class, RepairKind};
use crate::reply::channel::decoded::DecodedText;

/// Minimum column at which terminals, emails and web pages wrap lines.
const COLUMN: usize = 20;

/// Columns at which programs wrap lines by default.
const USUAL: &[usize] = &[
    40, 50, 60, 64, 65, 70, 72, 74, 75, 76, 77, 78, 79, 80, 90, 100, 110, 120, 132, 140, 160, 200,
];

/// A line without its line break.
struct Line<'t> {
    /// The offset in the text.
    at: usize,
    text: &'t str,
    width: usize,
}

/// The character lost where a line was wrapped.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Lost {
    Nothing,
    Blank,
}

/// Joins lines that were wrapped at a column within a string or a token, if several are full. No
/// string may be open at the end of a shorter line: the lines that a writer broke vary in length.
pub(crate) fn columns(text: &str) -> Option<DecodedText> {
    at_column(text, &lines(text)).filter(|taken| taken.class < Class::Guess)
}

/// Joins lines of which only one was wrapped, or which were wrapped at blanks.
pub(crate) fn guessed(text: &str) -> Option<DecodedText> {
    let lines = lines(text);
    at_column(text, &lines).or_else(|| within_string(&lines).then(|| by_words(text, &lines))?)
}

fn at_column(text: &str, lines: &[Line<'_>]) -> Option<DecodedText> {
    if !within_string(lines) {
        return None;
    }
    let wide = || !text.is_ascii() && text.chars().any(is_wide);
    by_signs(text, lines).or_else(|| wide().then(|| by_signs(text, &in_columns(lines)))?)
}

fn lines(text: &str) -> Vec<Line<'_>> {
    let mut at = 0;
    let line = |line: &'_ str| {
        let place = at;
        at += line.len();
        place
    };
    let places = text.split_inclusive('\n').map(line);
    let lines = places.zip(text.split_inclusive('\n')).map(|(at, line)| {
        let text = line.trim_end_matches(['\n', '\r']);
        let width = text.chars().count();
        Line { at, text, width }
    });
    lines.collect()
}

/// Returns the lines with their widths on a screen.
fn in_columns<'t>(lines: &[Line<'t>]) -> Vec<Line<'t>> {
    let width = |text: &str| {
        text.chars()
            .map(|sign| 1 + usize::from(is_wide(sign)))
            .sum()
    };
    let line = |line: &Line<'t>| Line {
        at: line.at,
        text: line.text,
        width: width(line.text),
    };
    lines.iter().map(line).collect()
}

/// Returns `true` if a character is two columns wide.
fn is_wide(sign: char) -> bool {
    matches!(sign, '\u{1100}'..='\u{115f}' | '\u{2e80}'..='\u{a4cf}' | '\u{ac00}'..='\u{d7a3}'
        | '\u{f900}'..='\u{faff}' | '\u{fe30}'..='\u{fe6f}' | '\u{ff00}'..='\u{ff60}'
        | '\u{1f300}'..='\u{1faff}' | '\u{20000}'..='\u{3fffd}')
}

/// Joins lines that were wrapped after any character: those that reach the last column, and those
/// that lost a blank there.
fn by_signs(text: &str, lines: &[Line<'_>]) -> Option<DecodedText> {
    let last = lines.iter().map(|line| line.width).max()?;
    let is_full = |line: &&Line<'_>| line.width == last;
    let full = lines[..lines.len() - 1].iter().filter(is_full).count();
    // The sides of a box are not part of the text within it.
    let boxed = |line: &Line<'_>| {
        let side = |sign: char| matches!(sign, '|' | '│' | '┃' | '║');
        line.width == last && line.text.starts_with(side) && line.text.ends_with(side)
    };
    if last < COLUMN || lines.iter().any(boxed) {
        return None;
    }
    let lost = |line: &Line<'_>, next: &Line<'_>| {
        let blank = next.text.starts_with(|sign: char| !sign.is_whitespace());
        let wide = || next.text.starts_with(is_wide);
        // Lines broken by the writer are indented: code, lists.
        if next.text.starts_with("  ") && full < 4 {
            return None;
        }
        match last - line.width {
            0 => Some(Lost::Nothing),
            1 if wide() && line.width < line.text.len() => Some(Lost::Nothing),
            1 if full > 2 && blank => Some(Lost::Blank),
            _ => None,
        }
    };
    let (mut taken, inside) = joined(text, lines, lost)?;
    // A single long line does not reveal a column.
    let usual = USUAL.contains(&last);
    if full < 2
        && (!usual
            || !lines
                .windows(2)
                .any(|pair| is_full(&&pair[0]) && cuts(pair)))
    {
        return None;
    }
    if full < 2 || full == 2 && !usual || inside == 0 {
        taken.class = Class::Guess;
    }
    Some(taken)
}

/// Returns `true` if the break between two lines is within a word, or beside a blank.
fn cuts(pair: &[Line<'_>]) -> bool {
    let lower = |sign: char| sign.is_alphanumeric() && !sign.is_uppercase();
    let word = pair[0].text.ends_with(char::is_alphanumeric) && pair[1].text.starts_with(lower);
    let indented = pair[1].text.starts_with("  ");
    let blank = pair[0].text.ends_with(' ') || pair[1].text.starts_with(' ') && !indented;
    word || blank || pair[1].text.starts_with('"')
}

/// Joins lines that were wrapped at blanks because the next word did not fit. The lost white space
/// is a guess.
fn by_words(text: &str, lines: &[Line<'_>]) -> Option<DecodedText> {
    let last = lines.iter().map(|line| line.width).max()?;
    if last < 2 * COLUMN {
        return None;
    }
    let lost = |line: &Line<'_>, next: &Line<'_>| {
        let word = next.text.trim_start().split([' ', '\t']).next()?;
        let full = line.width + 1 + word.chars().count() > last;
        let kept = line.text.ends_with(' ');
        full.then_some(if kept { Lost::Nothing } else { Lost::Blank })
    };
    let (mut taken, inside) = joined(text, lines, lost)?;
    taken.class = Class::Guess;
    let full = lines
        .windows(2)
        .filter(|pair| lost(&pair[0], &pair[1]).is_some())
        .count();
    // A single line wrapped within a string needs others as evidence.
    (inside > 1 || full > 1 && 2 * full + 2 > lines.len()).then_some(taken)
}

/// Joins the lines between which `lost` determines the lost character, if they end within a string
/// or a token, and counts the strings. Returns `None` if a string contains another line break.
fn joined(
    text: &str,
    lines: &[Line<'_>],
    lost: impl Fn(&Line<'_>, &Line<'_>) -> Option<Lost> + Copy,
) -> Option<(DecodedText, usize)> {
    let mut taken = DecodedText::of(RepairKind::TransportEncoding);
    let mut place = Place::default();
    let (mut inside, mut joined, mut indent) = (0, 0, 0);
    for (at, line) in lines.iter().enumerate() {
        place.pass(line.text);
        taken.push(line.at + indent, &line.text[indent..]);
        indent = 0;
        let end = line.at + line.text.len();
        let Some(next) = lines.get(at + 1) else {
            taken.push(end, &text[end..]);
            break;
        };
        let token = |sign: char| sign.is_alphanumeric() || matches!(sign, '.' | '-' | '+');
        let amid = place.depth > 0 && line.text.ends_with(token) && next.text.starts_with(token);
        match lost(line, next) {
            None if place.quoted => return None,
            Some(sign) if place.quoted => {
                inside += 1;
                if sign == Lost::Blank {
                    taken.push(end, " ");
                    indent = next.text.len() - next.text.trim_start().len();
                }
            }
            Some(Lost::Nothing) if amid && !place.comment => joined += 1,
            _ => {
                place.comment = false;
                taken.push(end, &text[end..next.at]);
            }
        }
    }
    taken.end(text.len());
    (inside + joined > 0).then_some((taken, inside))
}

/// Returns `true` if a line ends within a string, or within a word of a value.
fn within_string(lines: &[Line<'_>]) -> bool {
    let mut place = Place::default();
    lines.windows(2).any(|pair| {
        place.pass(pair[0].text);
        place.comment = false;
        let ends = pair[0].text.ends_with(|sign: char| sign.is_alphanumeric());
        let begins = pair[1]
            .text
            .starts_with(|sign: char| sign.is_alphanumeric());
        place.quoted || place.depth > 0 && ends && begins
    })
}

/// A place in the lines, with the strings and brackets open there.
#[derive(Default)]
struct Place {
    depth: usize,
    quoted: bool,
    escaped: bool,
    comment: bool,
}

impl Place {
    fn pass(&mut self, line: &str) {
        let bytes = line.as_bytes();
        for (at, byte) in bytes.iter().enumerate() {
            if self.comment {
                return;
            }
            let escaped = core::mem::take(&mut self.escaped);
            match byte {
                b'"' if !escaped && self.depth > 0 => self.quoted = !self.quoted,
                b'\\' => self.escaped = self.quoted && !escaped,
                b'{' | b'[' if !self.quoted => self.depth += 1,
                b'}' | b']' if !self.quoted => self.depth = self.depth.saturating_sub(1),
                b'/' if !self.quoted && self.depth > 0 => {
                    self.comment = bytes.get(at + 1) == Some(&b'/');
                }
                _ => {}
            }
        }
    }
}

//! Lines that were wrapped because they reached the last column.

use alloc::vec::Vec;

use crate::reply::sources::frames::{common_end, in_frames};
use crate::reply::sources::map::Derived;
use crate::reply::sources::state::State;

/// Minimum column at which terminals, emails and web pages wrap lines.
const COLUMN: usize = 20;

/// Maximum length of a mark at which a line continues, and of an indentation after it.
const MARK_BYTES: usize = 8;

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

/// The text that a wrapped line lost, and the marks around the break.
#[derive(Clone, Copy, Default)]
struct Break<'t> {
    blank: bool,
    /// The mark at the end of the line.
    mark: &'t str,
    /// The number of bytes of indentation of the next line.
    indent: usize,
}

/// Returns `true` if any line ends within a string or a word of a value.
pub(crate) fn breaks_within(text: &str) -> bool {
    let mut state = State::default();
    let word = |sign: char| sign.is_alphanumeric();
    let mut at = 0;
    while let Some(end) = memchr::memchr(b'\n', &text.as_bytes()[at..]) {
        let line = text[at..at + end].trim_end_matches('\r');
        at += end + 1;
        state.pass(line);
        state.comment = false;
        let cut = || line.ends_with(word) && text[at..].starts_with(word);
        let is_last = at == text.len();
        if !is_last && (state.quoted || state.depth > 0 && cut()) {
            return true;
        }
    }
    false
}

/// Joins lines that were wrapped at a column within a string or a token, if several are full. No
/// string may be open at the end of a shorter line: the lines that a writer broke vary in length.
pub(crate) fn columns(text: &str) -> Option<Derived> {
    let lines = lines(text)?;
    let last = lines.iter().map(|line| line.width).max()?;
    let full = lines[..lines.len() - 1]
        .iter()
        .filter(|line| line.width == last)
        .count();
    let marks = marks(&lines, |line| line.width + 1 >= last);
    let usual = USUAL.contains(&last);
    // The sides of a box are not part of the text within it.
    let side = |sign: char| matches!(sign, '|' | '│' | '┃' | '║');
    let boxed = |line: &Line<'_>| line.text.starts_with(side) && line.text.ends_with(side);
    // A single long line does not reveal a column, unless it ends within a word or beside a blank.
    let cuts = |pair: &[Line<'_>]| {
        let (line, next) = (pair[0].text, pair[1].text);
        let lower = |sign: char| sign.is_alphanumeric() && !sign.is_uppercase();
        let hanging = next.trim_start();
        let word = line.ends_with(char::is_alphanumeric) && hanging.starts_with(lower);
        let blank = line.ends_with(' ') || next.starts_with(' ') && !next.starts_with("  ");
        pair[0].width == last && (word || blank || next.starts_with('"'))
    };
    let is_column = full > 1 || usual && lines.windows(2).any(cuts);
    if last < COLUMN || !is_column || lines.iter().any(|line| line.width == last && boxed(line)) {
        return None;
    }
    let lost = |line: &Line<'_>, next: &Line<'_>| {
        let indent = if next.text.len() > marks.indent {
            marks.indent
        } else {
            0
        };
        // Lines broken by the writer are indented: code, lists.
        if next.text.starts_with("  ") && (2..4).contains(&full) && indent == 0 {
            return None;
        }
        let mark = if line.text.ends_with(marks.mark) {
            marks.mark
        } else {
            ""
        };
        let unspaced = next.text.starts_with(|sign: char| !sign.is_whitespace());
        match last - line.width {
            0 => Some(Break {
                mark,
                indent,
                blank: false,
            }),
            1 if full > 2 && unspaced => Some(Break {
                blank: true,
                ..Break::default()
            }),
            _ => None,
        }
    };
    let (mut derived, inside) = joined(text, &lines, lost)?;
    let marked = inside > 1 && !marks.mark.trim().is_empty();
    derived.is_guess = !marked && (full < 2 || full == 2 && !usual) || inside == 0;
    Some(derived)
}

/// Returns the lines of a text, unless all of them are in frames.
fn lines(text: &str) -> Option<Vec<Line<'_>>> {
    let open = memchr::memchr2(b'{', b'[', text.as_bytes())?;
    if in_frames(text, open, text.trim_end().len()) {
        return None;
    }
    let places = text.split_inclusive('\n').scan(0, |at, whole| {
        *at += whole.len();
        Some((*at - whole.len(), whole.trim_end_matches(['\n', '\r'])))
    });
    let line = |(at, text): (usize, _)| Line {
        at,
        text,
        width: str::chars(text).count(),
    };
    Some(places.map(line).collect())
}

/// Returns the mark with which all wrapped strings end, and the indentation after the breaks.
fn marks<'t>(lines: &[Line<'t>], is_full: impl Fn(&Line<'_>) -> bool) -> Break<'t> {
    let mut state = State::default();
    let broken = lines.windows(2).filter(|pair| {
        state.pass(pair[0].text);
        state.comment = false;
        state.quoted && is_full(&pair[0])
    });
    let broken: Vec<&[Line<'_>]> = broken.collect();
    let ends = broken.iter().map(|pair| pair[0].text);
    let Some(mark) = ends.reduce(common_end) else {
        return Break::default();
    };
    // A single line may end with its own punctuation.
    let own = if broken.len() > 1 {
        "\""
    } else {
        "\" .,;:!?)]}>'"
    };
    let sign = |sign: char| !sign.is_alphanumeric() && !own.contains(sign);
    let mark = &mark[mark.trim_end_matches(sign).len()..];
    // A single blank belongs to the text.
    let only = broken[0][1].text;
    let is_blank = broken.len() == 1 && only.starts_with(' ') && !only.starts_with("  ");
    let indents = broken
        .iter()
        .map(|pair| pair[1].text.len() - pair[1].text.trim_start().len());
    Break {
        mark: if mark.len() <= MARK_BYTES { mark } else { "" },
        indent: indents
            .min()
            .filter(|indent| *indent <= MARK_BYTES && !is_blank)
            .unwrap_or_default(),
        blank: false,
    }
}

/// Joins lines that were wrapped at blanks because the next word did not fit. The lost white space
/// is a guess.
pub(crate) fn words(text: &str) -> Option<Derived> {
    let lines = lines(text)?;
    let last = lines
        .iter()
        .map(|line| line.width)
        .max()
        .filter(|last| *last >= 2 * COLUMN)?;
    let lost = |line: &Line<'_>, next: &Line<'_>| {
        let bare = next.text.trim_start();
        let indent = next.text.len() - bare.len();
        let word = bare.split([' ', '\t']).next()?.chars().count();
        let blank = !line.text.ends_with(' ');
        (line.width + 1 + word > last).then_some(Break {
            blank,
            indent,
            mark: "",
        })
    };
    let (mut derived, inside) = joined(text, &lines, lost)?;
    derived.is_guess = true;
    let full = lines
        .windows(2)
        .filter(|pair| lost(&pair[0], &pair[1]).is_some())
        .count();
    // A single line wrapped within a string needs others as evidence.
    (inside > 1 || full > 1 && 2 * full + 2 > lines.len()).then_some(derived)
}

/// Joins the lines between which `lost` finds a break, if they end within a string or a token, and
/// counts the strings. Returns `None` if a string contains another line break.
fn joined<'t>(
    text: &str,
    lines: &[Line<'t>],
    lost: impl Fn(&Line<'t>, &Line<'t>) -> Option<Break<'t>>,
) -> Option<(Derived, usize)> {
    let mut derived = Derived::default();
    let mut state = State::default();
    let (mut inside, mut joined, mut indent) = (0, 0, 0);
    for (at, line) in lines.iter().enumerate() {
        let begin = line.at + core::mem::take(&mut indent);
        let Some(next) = lines.get(at + 1) else {
            derived.push(begin, &text[begin..]);
            break;
        };
        let found = lost(line, next);
        let mark = found.map_or(0, |found| found.mark.len());
        let end = (line.at + line.text.len() - mark).max(begin);
        state.pass(&text[begin..end]);
        let token = |sign: char| sign.is_alphanumeric() || matches!(sign, '.' | '-' | '+');
        let within = state.depth > 0 && line.text.ends_with(token) && next.text.starts_with(token);
        match found {
            None if state.quoted => return None,
            Some(found) if state.quoted || mark > 0 || within && !found.blank && !state.comment => {
                inside += usize::from(state.quoted);
                joined += 1;
                derived.push(begin, &text[begin..end]);
                indent = found.indent;
                if found.blank && state.quoted {
                    derived.push(end, " ");
                }
            }
            _ => derived.push(begin, &text[begin..next.at]),
        }
        state.comment = false;
    }
    (joined > 0).then(|| (derived.finish(text, text.len()), inside))
}

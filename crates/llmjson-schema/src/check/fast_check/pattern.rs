//! Patterns of the simplest kind, matched without an engine: `^[A-Z]{2}-[0-9]{4}$`.
//!
//! A sequence of ASCII characters and classes with counts, from the beginning of the string, for
//! which greedy matching is always right: so one pass decides.

use std::sync::Arc;

use crate::base::formats::FormatStrictness;
use crate::check::format::Format;

/// Number of pieces beyond which patterns are left to the engine: each piece takes a table.
const PIECES_MAX: usize = 32;
/// Counts up to this one are far below what any engine takes.
const COUNT_MAX: usize = 256;

/// The plain check that decides a keyword about texts without an engine.
#[derive(Clone, Debug)]
pub(crate) enum Plain {
    /// A pattern, which this decides.
    Pattern(Simple),
    /// A format, which this decides for all texts or for most.
    Format(Format, FormatStrictness),
}

impl Plain {
    /// The pattern, if it is simple.
    pub(crate) fn pattern(pattern: &str) -> Option<Self> {
        Simple::new(pattern).map(Self::Pattern)
    }

    /// Returns whether a string satisfies the keyword, if that is decidable here.
    pub(crate) fn tells(&self, text: &str) -> Option<bool> {
        match self {
            Self::Pattern(pattern) => Some(pattern.matches(text.as_bytes())),
            Self::Format(format, formats) => format.tells(text.as_bytes(), *formats),
        }
    }

    /// Returns `true` if a string is valid and coercion would not rewrite it.
    pub(crate) fn settles(&self, text: &str) -> Option<bool> {
        match self {
            Self::Pattern(pattern) => Some(pattern.matches(text.as_bytes())),
            Self::Format(format, formats) => format.settles(text.as_bytes(), *formats),
        }
    }
}

/// A pattern that one pass over a text decides.
#[derive(Clone, Debug)]
pub(crate) struct Simple {
    runs: Arc<[Run]>,
    /// `true` if the text has to end with the pattern.
    to_end: bool,
}

/// A run of characters of one class, with its minimum and maximum length.
#[derive(Debug)]
struct Run {
    /// `true` for the bytes that belong to the class.
    class: [bool; 256],
    least: usize,
    most: usize,
}

/// A run while the pattern is being read.
#[derive(Clone, Copy, Debug)]
struct PatternRun {
    /// One bit for each ASCII character.
    class: u128,
    least: usize,
    most: usize,
}

impl Simple {
    /// `None` if the pattern is not that simple.
    pub(super) fn new(pattern: &str) -> Option<Self> {
        let (pieces, to_end) = Self::read(pattern)?;
        let runs = pieces.iter().map(|piece| Run {
            class: table(piece.class),
            least: piece.least,
            most: piece.most,
        });
        Some(Self {
            runs: runs.collect(),
            to_end,
        })
    }

    /// Returns `true` if a pattern is that simple and accepted by any engine.
    pub(crate) fn compiles(pattern: &str) -> bool {
        Self::read(pattern).is_some_and(|(pieces, _)| {
            let mut counts = pieces.iter().flat_map(|piece| [piece.least, piece.most]);
            counts.all(|count| count <= COUNT_MAX || count == usize::MAX)
        })
    }

    /// The pieces of a pattern, and whether the text has to end with it.
    fn read(pattern: &str) -> Option<(Vec<PatternRun>, bool)> {
        let mut rest = pattern.strip_prefix('^')?.as_bytes();
        let mut pieces: Vec<PatternRun> = Vec::new();
        let mut to_end = false;
        while let Some((&byte, after)) = rest.split_first() {
            if byte == b'$' {
                to_end = after.is_empty().then_some(true)?;
                break;
            }
            let (class, after) = class(rest)?;
            let (least, most, after) = counts(after)?;
            pieces.push(PatternRun { class, least, most });
            rest = after;
            if pieces.len() > PIECES_MAX {
                return None;
            }
        }
        decides(&pieces).then_some((pieces, to_end))
    }

    /// Returns `true` if a text matches.
    pub(super) fn matches(&self, text: &[u8]) -> bool {
        let mut rest = text;
        for run in &*self.runs {
            let most = rest.len().min(run.most);
            let other = rest[..most]
                .iter()
                .position(|&byte| !run.class[usize::from(byte)]);
            let length = other.unwrap_or(most);
            if length < run.least {
                return false;
            }
            rest = &rest[length..];
        }
        !self.to_end || rest.is_empty()
    }
}

/// A set of ASCII characters as a table.
fn table(mut class: u128) -> [bool; 256] {
    let mut table = [false; 256];
    while class != 0 {
        table[class.trailing_zeros() as usize] = true;
        class &= class - 1;
    }
    table
}

/// Returns `true` if what a piece takes can never be what a later one needs.
fn decides(pieces: &[PatternRun]) -> bool {
    pieces.iter().enumerate().all(|(at, piece)| {
        let mut later = pieces[at + 1..].iter();
        piece.least == piece.most
            || later.try_fold((), |(), next| {
                // After a piece that needs a character, the next one cannot be reached.
                match (next.class & piece.class == 0, next.least > 0) {
                    (false, _) => Err(false),
                    (true, true) => Err(true),
                    (true, false) => Ok(()),
                }
            }) != Err(false)
    })
}

const DIGITS: u128 = range(b'0', b'9');
const WORD: u128 = DIGITS | range(b'a', b'z') | range(b'A', b'Z') | 1 << b'_';

const fn range(first: u8, last: u8) -> u128 {
    let (mut set, mut byte) = (0, first);
    while byte <= last {
        set |= 1 << byte;
        byte += 1;
    }
    set
}

/// The class or character that a pattern begins with, and the rest of the pattern.
fn class(pattern: &[u8]) -> Option<(u128, &[u8])> {
    let (&byte, rest) = pattern.split_first()?;
    match byte {
        b'[' => set(rest),
        b'\\' => escaped(rest),
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' => Some((1 << byte, rest)),
        b'-' | b'_' | b':' | b'/' | b'@' | b' ' | b',' | b';' | b'=' | b'#' | b'%' | b'"' => {
            Some((1 << byte, rest))
        }
        _ => None,
    }
}

fn escaped(pattern: &[u8]) -> Option<(u128, &[u8])> {
    let (&byte, rest) = pattern.split_first()?;
    let class = match byte {
        b'd' => DIGITS,
        b'w' => WORD,
        b'.' | b'-' | b'/' | b'+' | b'*' | b'?' | b'(' | b')' | b'[' | b']' | b'{' | b'}'
        | b'|' | b'^' | b'$' | b'\\' => 1 << byte,
        _ => return None,
    };
    Some((class, rest))
}

/// The inside of square brackets.
fn set(pattern: &[u8]) -> Option<(u128, &[u8])> {
    let (mut class, mut rest) = (0, pattern);
    loop {
        let (&byte, after) = rest.split_first()?;
        rest = after;
        match byte {
            b']' if class != 0 => return Some((class, rest)),
            b'\\' => {
                let (one, after) = escaped(rest)?;
                if after.first() == Some(&b'-') && after.get(1) != Some(&b']') {
                    return None;
                }
                (class, rest) = (class | one, after);
            }
            b'-' if class == 0 || rest.first() == Some(&b']') => class |= 1 << b'-',
            b'[' | b']' | b'^' | b'-' | b'&' | b'~' | 0..=31 | 127.. => return None,
            first => match rest {
                [b'-', last, after @ ..] if *last != b']' => {
                    let alike = |kind: fn(&u8) -> bool| kind(&first) && kind(last);
                    let plain = alike(u8::is_ascii_digit)
                        || alike(u8::is_ascii_lowercase)
                        || alike(u8::is_ascii_uppercase);
                    if !plain || first > *last {
                        return None;
                    }
                    (class, rest) = (class | range(first, *last), after);
                }
                _ => class |= 1 << first,
            },
        }
    }
}

/// Returns the minimum and maximum repetitions of a piece, and the rest of the pattern.
fn counts(pattern: &[u8]) -> Option<(usize, usize, &[u8])> {
    let (least, most, rest) = match pattern {
        [b'*', rest @ ..] => (0, usize::MAX, rest),
        [b'+', rest @ ..] => (1, usize::MAX, rest),
        [b'?', rest @ ..] => (0, 1, rest),
        [b'{', rest @ ..] => {
            let end = rest.iter().position(|&byte| byte == b'}')?;
            let inside = std::str::from_utf8(&rest[..end]).ok()?;
            let number = |text: &str| {
                let digits = text.bytes().all(|byte| byte.is_ascii_digit());
                text.parse::<usize>().ok().filter(|_| digits)
            };
            let (least, most) = match inside.split_once(',') {
                None => (number(inside)?, number(inside)?),
                Some((least, "")) => (number(least)?, usize::MAX),
                Some((least, most)) => (number(least)?, number(most)?),
            };
            (least, most, &rest[end + 1..])
        }
        _ => return Some((1, 1, pattern)),
    };
    // A further mark would make the piece lazy or possessive, or be an error.
    let more = matches!(rest.first(), Some(b'*' | b'+' | b'?' | b'{'));
    (least <= most && !more).then_some((least, most, rest))
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use llmjson_syntax::Work;

    use super::*;
    use crate::check::regular::Pattern;

    #[test]
    fn simple_patterns_match_as_the_engine_says() {
        let patterns = [
            "^[A-Z]{2}-[0-9]{4}$",
            r"^\d{4}-\d{2}-\d{2}$",
            r"^\w+$",
            r"^[a-z][a-z0-9_-]*$",
            r"^[a-z]*[0-9]?$",
            r"^\+?[0-9]{3,15}$",
            "^AB",
            "^[a-z]{2,}-?[A-Z]+",
            r"^v[0-9]+\.[0-9]+\.[0-9]+$",
            "^$",
            "^",
            "^[-a]+$",
            "^[a-]+$",
            "^#[0-9a-fA-F]{6}$",
        ];
        let texts = [
            "",
            "AB-1234",
            "AB-12345",
            "ab-1234",
            "AB",
            "ABC",
            "a",
            "a-b_c9",
            "9",
            "2024-01-31",
            "2024-01-31\n",
            "+123456",
            "123",
            "+12",
            "xy-Z",
            "xyZ",
            "x-Z",
            "v1.22.3",
            "v1.2",
            "größe",
            "aé",
            "é",
            "--a",
            "#00ffAA",
            "#00ffAG",
            "٣٣٣",
            "abc1",
            "abc12",
            " a",
        ];
        for pattern in patterns {
            let simple = Simple::new(pattern).expect(pattern);
            let engine = Pattern::new(pattern);
            let work = Cell::new(Work::for_bytes(1_000, 1_000));
            for text in texts {
                let expected = engine.matches(text, &work);
                assert_eq!(
                    simple.matches(text.as_bytes()),
                    expected,
                    "{pattern} on {text:?}"
                );
            }
        }
    }

    #[test]
    fn other_patterns_are_left_to_the_engine() {
        let patterns = [
            "[A-Z]",
            "^a|b$",
            "^(a)$",
            "^.$",
            "^[^a]$",
            r"^\s$",
            "^a+?$",
            "^[a-z]+z$",
            "^a*b?a$",
            "^a$b",
            r"^\bx",
            "^[a&&b]$",
            "^[[:alpha:]]$",
            r"^[\d-z]$",
            "^é$",
            "^a{,3}$",
            r"^\p{L}$",
            "^[z-a]$",
            "^[A-z]$",
            "^[]$",
            "^a**$",
        ];
        for pattern in patterns {
            assert!(Simple::new(pattern).is_none(), "{pattern}");
        }
    }
}

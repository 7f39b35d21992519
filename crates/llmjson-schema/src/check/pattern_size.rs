//! An estimate of the memory for a pattern's automaton, without building it: the parts of the
//! pattern, multiplied by their counts.

use std::borrow::Cow;

/// A character, or a class of ASCII characters.
const CHARACTER: usize = 36;
/// A branch point of an alternative or repetition.
const CHOICE: usize = 80;
/// A class of nearly all characters, in UTF-8.
const WIDE: usize = 1_200;
/// A class of characters with a Unicode property.
const PROPERTY: usize = 48_000;

/// The memory in bytes: usually accurate within a factor of two, and far off only for unusual
/// patterns.
pub(crate) fn size(pattern: &str) -> usize {
    measure(pattern, false)
}

/// The maximum number of states of a pattern's automaton that may be active at once. In
/// `^.{1,500}$`, where the place at which a count begins is known, it is one of a few.
pub(super) fn breadth(pattern: &str) -> usize {
    measure(pattern, true) / CHARACTER
}

/// An open part of a pattern: the whole, or a group.
struct OpenPart {
    /// The memory for its content so far.
    sum: usize,
    /// The memory for its last piece.
    last: usize,
    /// `true` if its last piece is one character of the text.
    is_single: bool,
    /// `true` if it matches no characters of the text.
    looks: bool,
}

impl OpenPart {
    fn new(looks: bool) -> Self {
        Self {
            sum: CHARACTER,
            last: 0,
            is_single: false,
            looks,
        }
    }
}

/// The states of a wide class that may be active at once: a character has at most four bytes.
const BYTES: usize = 4 * CHARACTER;

/// Returns the memory for a pattern; `once` counts a counted character once where its place is
/// known, and of a class only the states that may be active at once.
fn measure(pattern: &str, once: bool) -> usize {
    let choice = if once { CHARACTER } else { CHOICE };
    let widest = if once { BYTES } else { usize::MAX };
    let mut rest = pattern;
    let mut open = vec![OpenPart::new(false)];
    // Whether the place in the text at which the current top-level piece begins is known.
    let mut is_placed = once && pattern.starts_with('^') && !pattern.contains('|');
    while let Some(first) = rest.chars().next() {
        let depth = open.len();
        let part = open.last_mut().expect("the pattern itself");
        let mut is_single = false;
        let piece = match first {
            '(' => {
                let looks = ["(?=", "(?!", "(?<=", "(?<!"];
                open.push(OpenPart::new(
                    looks.iter().any(|look| rest.starts_with(look)),
                ));
                rest = &rest[1..];
                continue;
            }
            ')' => {
                rest = &rest[1..];
                match open.pop_if(|_| depth > 1) {
                    Some(inner) => {
                        is_placed &= inner.looks || depth > 2;
                        inner.sum
                    }
                    None => 0,
                }
            }
            '{' if let Some((count, after)) = counts(rest) => {
                let most = count.1.unwrap_or(count.0.saturating_add(1)).max(1);
                let choices = most.saturating_sub(count.0) as usize;
                let more = part.last.saturating_mul(most as usize - 1);
                let more = more.saturating_add(choices.saturating_mul(choice));
                if depth > 1 || !is_placed || !part.is_single {
                    part.sum = part.sum.saturating_add(more);
                    part.last = part.last.saturating_add(more);
                }
                is_placed &= depth > 1 || count.1 == Some(count.0);
                rest = after;
                continue;
            }
            '*' | '+' | '?' | '^' | '$' => {
                is_placed &= depth > 1 || matches!(first, '^' | '$');
                rest = &rest[1..];
                continue;
            }
            _ => {
                let length = piece(rest);
                let (piece, after) = rest.split_at(length);
                rest = after;
                is_single = true;
                size_of(piece).min(widest)
            }
        };
        let part = open.last_mut().expect("the pattern itself");
        (part.sum, part.last) = (part.sum.saturating_add(piece), piece);
        part.is_single = is_single;
    }
    open.iter()
        .fold(0, |all, part| all.saturating_add(part.sum))
}

/// Returns the pattern with counts of one or two: an engine accepts one exactly if it accepts the
/// other, memory aside.
pub(crate) fn shrunk(pattern: &str) -> Cow<'_, str> {
    if !pattern.contains('{') {
        return Cow::Borrowed(pattern);
    }
    let mut shrunk = String::with_capacity(pattern.len());
    let mut rest = pattern;
    while !rest.is_empty() {
        let (length, after) = match counts(rest) {
            Some(((least, most), after)) if most.is_none_or(|most| least <= most) => {
                let inside = &rest[..rest.len() - after.len()];
                let few = match most {
                    None => format!("{{{},}}", least.min(1)),
                    Some(most) if inside.contains(',') => {
                        format!("{{{},{}}}", least.min(1), most.min(2))
                    }
                    Some(most) => format!("{{{}}}", most.min(2)),
                };
                shrunk.push_str(&few);
                (0, after)
            }
            _ => (piece(rest), rest),
        };
        shrunk.push_str(&rest[..length]);
        rest = &after[length..];
    }
    Cow::Owned(shrunk)
}

/// Returns the counts at the beginning of a pattern, the maximum if there is one, and the rest.
fn counts(pattern: &str) -> Option<((u32, Option<u32>), &str)> {
    let (inside, after) = pattern.strip_prefix('{')?.split_once('}')?;
    let number = |text: &str| {
        let digits = text.bytes().all(|byte| byte.is_ascii_digit());
        text.parse::<u32>().ok().filter(|_| digits)
    };
    let counts = match inside.split_once(',') {
        None => (number(inside)?, Some(number(inside)?)),
        Some((least, "")) => (number(least)?, None),
        Some((least, most)) => (number(least)?, Some(number(most)?)),
    };
    Some((counts, after))
}

/// Returns the length of the character, escape or class at the beginning of a pattern.
fn piece(pattern: &str) -> usize {
    let mut chars = pattern.char_indices();
    let end = match chars.next() {
        Some((_, '\\')) => match chars.next() {
            Some((_, 'p' | 'P' | 'u' | 'x')) if pattern[2..].starts_with('{') => {
                pattern.find('}').map(|at| at + 1)
            }
            _ => chars.next().map(|(at, _)| at),
        },
        Some((_, '[')) => {
            let (mut escaped, mut end) = (false, None);
            for (at, character) in chars {
                if character == ']' && !escaped && at > 1 {
                    end = Some(at + 1);
                    break;
                }
                escaped = character == '\\' && !escaped;
            }
            end
        }
        _ => chars.next().map(|(at, _)| at),
    };
    end.unwrap_or(pattern.len())
}

/// Returns the memory for one such piece.
fn size_of(piece: &str) -> usize {
    let properties = piece.matches("\\p").count() + piece.matches("\\P").count();
    let has = |classes: [&str; 2]| classes.iter().any(|class| piece.contains(class));
    let mut wide = usize::from(piece == "." || piece.starts_with("[^") || has(["\\D", "\\W"]));
    // White space is in ten ranges.
    wide += 2 * usize::from(has(["\\S", "\\s"]));
    CHARACTER + 4 * (piece.len() - 1) + properties * PROPERTY + wide * WIDE
}

#[cfg(test)]
mod tests {
    use jsonschema::PatternOptions;
    use serde_json::json;

    use super::*;

    fn fits(pattern: &str, room: usize) -> bool {
        let limited = PatternOptions::fancy_regex().size_limit(room);
        let options = jsonschema::options().with_pattern_options(limited);
        options.build(&json!({ "pattern": pattern })).is_ok()
    }

    #[test]
    fn the_room_is_about_what_an_engine_takes() {
        for pattern in [
            "a{1000}",
            "^[0-9]{1000}[a-z]{1000}$",
            "(a{200}){200}",
            "^([a-z]{1,100}-){0,100}x1$",
            "^[^a]{1,100}$",
            "^.{1,500}$",
            "\\p{L}",
            "^[\\p{L} '-]{1,50}$",
            "^(\\S+\\.){5,20}\\w{2,40}$",
        ] {
            let room = size(pattern);
            assert!(
                fits(pattern, room * 3 / 2),
                "{room} is too little for {pattern}"
            );
            assert!(!fits(pattern, room / 3), "{room} is too much for {pattern}");
        }
    }

    #[test]
    fn counts_shrink() {
        for (pattern, expected) in [
            ("^a{100}$", "^a{2}$"),
            ("(a{2,30}){5,}|b{0,1}", "(a{1,2}){1,}|b{0,1}"),
            ("[a{30}]{30}", "[a{30}]{2}"),
            ("\\{30}a{3,2}{", "\\{30}a{3,2}{"),
            ("\\p{L}{1,50}é{0}", "\\p{L}{1,2}é{0}"),
            ("a{99999999999}", "a{99999999999}"),
            ("[]", "[]"),
        ] {
            assert_eq!(shrunk(pattern), expected, "{pattern}");
            assert!(size(&shrunk(pattern)) <= size(pattern), "{pattern}");
        }
    }
}

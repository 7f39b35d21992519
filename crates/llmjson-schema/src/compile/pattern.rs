//! Checks whether the patterns of a schema can be used, before any is run.
//!
//! Compiling a pattern is the dearest part of compiling a schema, and most patterns are plain:
//! those are only looked through here, and compiled when a text has to be matched. All others are
//! compiled by the engine that will run them.

use std::collections::HashSet;

use serde_json::{Value, json};

use crate::base::error::SchemaError;
use crate::normal::Normal;
use crate::normal::tree::NodeIx;

/// Fails with a pattern that cannot be used.
pub(super) fn check(normal: &Normal) -> Result<(), SchemaError> {
    let tree = &normal.tree;
    let mut seen = HashSet::new();
    let mut patterns: Vec<(NodeIx, &str)> = Vec::new();
    for &schema in &normal.references.schemas {
        for (keyword, value) in tree.members(schema) {
            match keyword {
                "pattern" => patterns.extend(tree.text(value).map(|pattern| (value, pattern))),
                "patternProperties" => {
                    let members = tree.members(value);
                    patterns.extend(members.map(|(pattern, value)| (value, pattern)));
                }
                _ => {}
            }
        }
    }
    patterns.retain(|&(_, pattern)| !is_plain(pattern) && seen.insert(pattern));
    if patterns.is_empty() {
        return Ok(());
    }
    let all = patterns
        .iter()
        .map(|(_, pattern)| json!({ "pattern": pattern }));
    let schema = json!({ "allOf": all.collect::<Vec<Value>>() });
    let Err(error) = crate::check::external::options().build(&schema) else {
        return Ok(());
    };
    // The place of the pattern in the list is the second step of the error's path.
    let path = error.instance_path().as_str();
    let at = path
        .split('/')
        .nth(2)
        .and_then(|step| step.parse::<usize>().ok())
        .unwrap_or(0);
    let (node, pattern) = patterns[at.min(patterns.len() - 1)];
    Err(tree.error(node, format!("{pattern:?} is not a regular expression")))
}

/// How long a plain pattern may be, and how much all its counts may come to: far below what any
/// engine takes.
const PLAIN_BYTES_MAX: usize = 256;
const PLAIN_COUNT_MAX: usize = 256;

/// Returns whether a pattern is surely a regular expression: ASCII characters, dots, classes of
/// characters and ranges, `\d`, `\w`, `\s` and escaped signs, groups, looks ahead, alternatives,
/// and counts that are not counted again.
fn is_plain(pattern: &str) -> bool {
    if pattern.len() > PLAIN_BYTES_MAX || !pattern.is_ascii() {
        return false;
    }
    let mut rest = pattern.as_bytes();
    // Of each open group, whether it only looks ahead: such a one is not repeated.
    let mut groups: Vec<bool> = Vec::new();
    // Whether there is something before that may be repeated.
    let mut repeatable = false;
    // Whether the present group or alternative holds nothing yet.
    let mut is_empty = true;
    let mut counted = 1usize;
    while let Some((&byte, after)) = rest.split_first() {
        rest = after;
        let was_empty = std::mem::replace(&mut is_empty, matches!(byte, b'(' | b'|'));
        if byte == b')' {
            is_empty = was_empty;
        }
        match byte {
            b'(' => {
                let looks;
                (rest, looks) = match after {
                    [b'?', b':', after @ ..] => (after, false),
                    [b'?', b'=' | b'!', after @ ..] => (after, true),
                    [b'?' | b'*' | b'+' | b'{', ..] => return false,
                    _ => (after, false),
                };
                groups.push(looks);
                repeatable = false;
            }
            b')' => {
                // An empty group, or a group that ends with an empty alternative, may be odd.
                let Some(looks) = groups.pop().filter(|_| !is_empty) else {
                    return false;
                };
                repeatable = !looks;
            }
            b'|' | b'^' | b'$' => repeatable = false,
            b'*' | b'+' | b'?' | b'{' => {
                let Some((most, after)) = count(byte, rest).filter(|_| repeatable) else {
                    return false;
                };
                counted = counted.saturating_mul(most.max(1));
                rest = after;
                repeatable = false;
            }
            b'[' => match class(rest) {
                Some(after) => (rest, repeatable) = (after, true),
                None => return false,
            },
            b'\\' => match rest {
                [escaped, after @ ..] if is_plain_escape(*escaped) => {
                    (rest, repeatable) = (after, true);
                }
                _ => return false,
            },
            b']' | b'}' | 0..=31 | 127.. => return false,
            _ => repeatable = true,
        }
    }
    groups.is_empty() && counted <= PLAIN_COUNT_MAX
}

/// What comes of a count, and what stands behind it. Only `{` counts; the others loop.
fn count(byte: u8, rest: &[u8]) -> Option<(usize, &[u8])> {
    let (most, rest) = match byte {
        b'{' => {
            let end = rest.iter().position(|&byte| byte == b'}')?;
            let text = std::str::from_utf8(&rest[..end]).ok()?;
            let (least, most) = text.split_once(',').unwrap_or((text, text));
            let is_number =
                |text: &str| text.len() <= 3 && text.bytes().all(|byte| byte.is_ascii_digit());
            if least.is_empty() || !is_number(least) || !is_number(most) {
                return None;
            }
            let least: usize = least.parse().ok()?;
            let most = if most.is_empty() {
                least
            } else {
                most.parse().ok()?
            };
            if least > most {
                return None;
            }
            (most, &rest[end + 1..])
        }
        _ => (1, rest),
    };
    Some((most, rest.strip_prefix(b"?").unwrap_or(rest)))
}

/// What stands behind a class of characters, from behind its `[` on.
fn class(rest: &[u8]) -> Option<&[u8]> {
    let mut rest = rest.strip_prefix(b"^").unwrap_or(rest);
    let mut is_empty = true;
    loop {
        let (&first, after) = rest.split_first()?;
        let (first, after) = match first {
            b']' if is_empty => return None,
            b']' => return Some(after),
            b'\\' => {
                let (&escaped, after) = after.split_first()?;
                is_plain_escape(escaped).then_some(())?;
                let one = (!escaped.is_ascii_alphanumeric()).then_some(escaped);
                (one, after)
            }
            // A sign here may begin a class in a class or an operation between classes.
            b'[' | b'&' | b'~' | b'^' | 0..=31 => return None,
            b'-' if !after.starts_with(b"]") => return None,
            byte => (Some(byte), after),
        };
        is_empty = false;
        rest = match after {
            [b'-', b']', ..] => &after[1..],
            [b'-', last, after @ ..] => {
                let is_range =
                    last.is_ascii_alphanumeric() && first.is_some_and(|first| first <= *last);
                is_range.then_some(after)?
            }
            _ => after,
        };
    }
}

fn is_plain_escape(byte: u8) -> bool {
    matches!(
        byte,
        b'd' | b'D' | b'w' | b'W' | b's' | b'S' | b'n' | b'r' | b't'
    ) || matches!(
        byte,
        b'.' | b'-'
            | b'/'
            | b'\\'
            | b'+'
            | b'*'
            | b'?'
            | b'('
            | b')'
            | b'['
            | b']'
            | b'{'
            | b'}'
            | b'|'
            | b'^'
            | b'$'
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_patterns_are_regular_expressions() {
        let plain = [
            "",
            "^[A-Z]{2,5}-[0-9]{4}$",
            "^\\d{5}(-\\d{4})?$",
            "a|b|(c|d)+",
            "^(?:x|[^y_])*?$",
            "[\\w.+-]+@[\\w-]+\\.[a-z]{2,}",
            "[a-z-]",
            "x{3}",
            "^.*\\.json$",
            "^(?=.*[A-Z])(?!.*\\s).{8,}$",
            "[\\d\\s]",
            "a{0,1}?",
            "\\(\\)\\[\\]\\{\\}",
            "#[0-9a-fA-F]{6}",
        ];
        for pattern in plain {
            assert!(is_plain(pattern), "{pattern}");
            let schema = json!({ "pattern": pattern });
            assert!(
                crate::check::external::options().build(&schema).is_ok(),
                "{pattern}"
            );
        }
    }

    #[test]
    fn whatever_is_not_plain_is_left_to_the_engine() {
        let others = [
            "(",
            ")",
            "[",
            "[]",
            "a**",
            "*a",
            "a{2}{3}",
            "(?=a)*",
            "(?<=a)",
            "(?<n>a)",
            "\\1",
            "\\p{L}",
            "\\b",
            "é",
            "a{1000}",
            "x{",
            "]",
            "}",
            "[z-a]",
            "[[a]]",
            "[a&&b]",
            "^*",
            "a|*",
            "(a{200}){200}",
            "[\\d-z]",
            "a{3,2}",
            "\\",
        ];
        for pattern in others {
            assert!(!is_plain(pattern), "{pattern}");
        }
    }

    /// Patterns of random signs: each that is taken for plain is one that the engine takes.
    #[test]
    fn what_is_taken_for_plain_compiles() {
        const PIECES: &[&str] = &[
            "a", "b", "[", "]", "(", ")", "(?:", "(?=", "(?!", "|", "*", "+", "?", "{2}", "{1,3}",
            "{2,}", "-", "^", "$", "\\d", "\\.", "\\w", ".", "[a-z]", "[^0-9]", "[\\w-]", ",", "0",
            "-9", "\\", "]]",
        ];
        let mut state = 7u64;
        let mut plain = 0;
        for _ in 0..20_000 {
            let mut pattern = String::new();
            for _ in 0..6 {
                state = state
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1_442_695_040_888_963_407);
                pattern.push_str(PIECES[(state >> 33) as usize % PIECES.len()]);
            }
            if is_plain(&pattern) {
                plain += 1;
                let schema = json!({ "pattern": pattern });
                assert!(
                    crate::check::external::options().build(&schema).is_ok(),
                    "{pattern}"
                );
            }
        }
        assert!(plain > 500, "only {plain} were plain");
    }
}

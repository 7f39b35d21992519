//! Checks whether a schema's patterns can be used, before any is run.
//!
//! Compiling patterns is the most expensive part of compiling a schema. Most patterns are simple
//! and need no engine. For the others, the engine decides whether it accepts them. Patterns with
//! large counts are tried with small counts instead: `^([a-z]{1,100}-){0,100}$` takes a megabyte,
//! which is not spent before a reply needs it. The total memory of all patterns is bounded.

use std::borrow::Cow;
use std::collections::HashSet;

use crate::base::error::SchemaError;
use crate::check::fast_check::Simple;
use crate::check::pattern_size::{shrunk, size};
use crate::check::regular::Pattern;
use crate::normal::tree::{NodeIx, Tree};
use llmjson_syntax::Work;

/// Engines that take more room are not built here.
const LARGE: usize = 64 << 10;
/// Number of bytes that the engines of any schema may take together, when replies need them.
const ROOM: usize = 16 << 20;
/// The number of bytes that they may also take per byte of the schema.
const ROOM_PER_BYTE: usize = 512;
/// Room of that many bytes counts as one step of building an engine.
const BYTES_PER_STEP: usize = 32;
/// The number of steps by which the budget may be exceeded.
const OVERDRAFT: u64 = 1 << 15;

/// Fails with a pattern that cannot be used.
pub(super) fn check(tree: &Tree, work: &mut Work) -> Result<(), SchemaError> {
    let mut seen = HashSet::new();
    let mut patterns: Vec<(NodeIx, &str)> = Vec::new();
    for &schema in tree.references.schemas() {
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
    patterns.retain(|&(_, pattern)| seen.insert(pattern) && !Simple::compiles(pattern));
    if patterns.is_empty() {
        return Ok(());
    }
    let mut room = ROOM + ROOM_PER_BYTE * tree.size();
    let mut steps = work.left() + OVERDRAFT;
    for &(node, pattern) in &patterns {
        let whole = size(pattern);
        let (asked, built) = match whole > LARGE {
            true => (shrunk(pattern), size(&shrunk(pattern))),
            false => (Cow::Borrowed(pattern), whole),
        };
        let cost = built / BYTES_PER_STEP;
        if whole > room || cost as u64 > steps {
            let message = format!("{pattern:?} is too large, together with the patterns before it");
            return Err(tree.error(node, message));
        }
        room -= whole;
        steps -= cost as u64;
        work.charge(cost);
        if Pattern::is_endless(pattern) {
            let message =
                format!("{pattern:?} has too many states that may be the present one at once");
            return Err(tree.error(node, message));
        }
        if !Pattern::compiles(&asked) {
            return Err(tree.error(node, format!("{pattern:?} is not a regular expression")));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::Schema;

    fn engine_takes(pattern: &str) -> bool {
        let schema = json!({ "pattern": pattern });
        jsonschema::options().build(&schema).is_ok()
    }

    #[test]
    fn patterns_compile_if_the_engine_takes_them() {
        let patterns = [
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
            "^a{100000000}$",
            "^[0-9]{1000}[a-z]{1000}$",
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
        for pattern in patterns {
            let compiled = Schema::compile(&json!({ "pattern": pattern })).is_ok();
            assert_eq!(compiled, engine_takes(pattern), "{pattern}");
        }
    }

    /// Patterns of random signs: each that is taken without the engine is one that it takes.
    #[test]
    fn what_is_taken_for_simple_compiles() {
        const PIECES: &[&str] = &[
            "a", "b", "[", "]", "(", ")", "(?:", "(?=", "(?!", "|", "*", "+", "?", "{2}", "{1,3}",
            "{2,}", "-", "^", "$", "\\d", "\\.", "\\w", ".", "[a-z]", "[^0-9]", "[\\w-]", ",", "0",
            "-9", "\\", "]]",
        ];
        let mut state = 7u64;
        let mut simple = 0;
        for _ in 0..40_000 {
            let mut pattern = "^".to_owned();
            for _ in 0..4 {
                state = state
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1_442_695_040_888_963_407);
                pattern.push_str(PIECES[(state >> 33) as usize % PIECES.len()]);
            }
            if Simple::compiles(&pattern) {
                simple += 1;
                assert!(engine_takes(&pattern), "{pattern}");
            }
        }
        assert!(simple > 500, "only {simple} were simple");
    }
}

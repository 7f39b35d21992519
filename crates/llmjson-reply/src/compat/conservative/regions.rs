//! The balanced regions of a text: from an opening bracket to its closing bracket.

use std::ops::Range;

/// Returns the balanced regions of a text, including nested ones, in the order in which they begin.
///
/// A region extends from `{` or `[` to the bracket that closes it. Only brackets of the same kind
/// count, and only outside of strings, whose quotes are counted from the opening bracket. An
/// unclosed bracket begins no region. Takes linear time.
///
/// ```
/// # use llmjson_reply as llmjson;
/// use llmjson::compat::conservative::regions;
///
/// let text = r#"oops {open, then {"a": "}{"} and [1]"#;
/// let found: Vec<_> = regions(text).into_iter().map(|at| &text[at]).collect();
/// assert_eq!(found, [r#"{"a": "}{"}"#, "[1]"]);
/// ```
#[must_use]
pub fn regions(text: &str) -> Vec<Range<usize>> {
    let mut found = regions_between(b'{', b'}', text.as_bytes());
    found.append(&mut regions_between(b'[', b']', text.as_bytes()));
    found.sort_unstable_by_key(|region| region.start);
    found
}

const NONE: usize = usize::MAX;

/// The regions between brackets of one kind, computed backwards, so that the closing position of
/// every later opener is known when an opener is found.
fn regions_between(open: u8, close: u8, bytes: &[u8]) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    // The offset after the next unmatched closer, for each place outside strings.
    let mut ends = vec![NONE; bytes.len() + 1];
    let end_after = |ends: &[usize], at: usize| ends.get(at).copied().unwrap_or(NONE);
    // The offset after the next quote that ends a string, if one is open there.
    let mut string_end = NONE;
    for (at, &byte) in bytes.iter().enumerate().rev() {
        ends[at] = if byte == b'"' {
            let end = end_after(&ends, string_end);
            if !is_escaped(bytes, at) {
                string_end = at + 1;
            }
            end
        } else if byte == close {
            at + 1
        } else if byte == open && ends[at + 1] != NONE {
            found.push(at..ends[at + 1]);
            end_after(&ends, ends[at + 1])
        } else {
            ends[at + 1]
        };
    }
    found
}

/// Returns `true` if the quote at `at` is part of an escape, assuming that a string is open there.
fn is_escaped(bytes: &[u8], at: usize) -> bool {
    let before = bytes[..at].iter().rev();
    before.take_while(|byte| **byte == b'\\').count() % 2 == 1
}

//! A code fence around a whole reply.

use std::ops::Range;

use llmjson_syntax::internal::zones::fence_run;

/// Returns a reply without surrounding white space, a code fence at its beginning, and one at its
/// end.
///
/// Any info string is removed with the fence. A closing fence is on a separate line and at least as
/// long as the opening one. Either fence may be missing. Use it for text that is not JSON already:
/// a fence inside a JSON string is not a fence around the reply.
///
/// ```
/// # use llmjson_reply as llmjson;
/// use llmjson::compat::conservative::clean;
///
/// assert_eq!(clean("```json\n{\"a\": 1}\n```\n"), "{\"a\": 1}");
/// assert_eq!(clean("~~~JSON\r\n[1]"), "[1]");
/// ```
#[must_use]
pub fn clean(text: &str) -> &str {
    let (inner, opener) = match opening(trim(text)) {
        Some((inner, opener)) => (inner, Some(opener)),
        None => (trim(text), None),
    };
    trim(without_closing(inner, opener))
}

/// Returns the range of the cleaned text in a reply.
pub(crate) fn clean_span(text: &str) -> Range<usize> {
    let inner = clean(text);
    // The rest is a slice of the text, so its address gives its offset.
    let start = inner.as_ptr() as usize - text.as_ptr() as usize;
    start..start + inner.len()
}

fn trim(text: &str) -> &str {
    text.trim_matches(|letter: char| letter.is_whitespace() || letter == '\u{feff}')
}

/// The text after an opening fence, and that fence.
fn opening(text: &str) -> Option<(&str, &str)> {
    let fence = fence_run(text)?;
    let rest = &text[fence.len()..];
    let line = rest.find('\n').map_or(rest, |end| &rest[..end]);
    // Content may follow the info string on the line of the fence.
    let inner = match line.find(['{', '[', '"']) {
        Some(start) => &rest[start..],
        None => &rest[line.len()..],
    };
    Some((inner, fence))
}

/// Returns the text without its last line if that is a fence which may close the opening one.
fn without_closing<'t>(text: &'t str, opener: Option<&str>) -> &'t str {
    let text = text.trim_end();
    let start = text.rfind('\n').map_or(0, |at| at + 1);
    let line = text[start..].trim_start();
    match (fence_run(line), opener) {
        (Some(fence), _) if fence.len() < line.len() => text,
        (Some(fence), None) if fence.len() < text.len() => &text[..start],
        (Some(fence), Some(opener)) if fence.starts_with(opener) => &text[..start],
        _ => text,
    }
}

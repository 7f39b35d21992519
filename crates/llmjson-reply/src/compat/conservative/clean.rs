//! A code fence around a whole reply.

use std::ops::Range;

use llmjson_syntax::internal::zones::Fence;

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
fn opening(text: &str) -> Option<(&str, Fence)> {
    let fence = Fence::of_signs(text)?;
    let line = text.find('\n').map_or(text, |end| &text[..end]);
    // Content may follow the info string on the line of the fence.
    let content = line.find(['{', '[', '"']).unwrap_or(line.len());
    Some((&text[content..], fence))
}

/// Returns the text without its last line if that is a fence which may close the opening one.
fn without_closing(text: &str, opener: Option<Fence>) -> &str {
    let text = text.trim_end();
    let start = text.rfind('\n').map_or(0, |at| at + 1);
    let line = text[start..].trim_start();
    let fence = opener.or_else(|| Fence::of_signs(line));
    match fence.is_some_and(|fence| fence.is_closed_by(line)) {
        true => &text[..start],
        false => text,
    }
}

//! Strings that may hold JSON.

/// Returns `true` if a string begins like embedded JSON: with an opening bracket, a quote or a code
/// fence.
pub(crate) fn may_hold_json(text: &str) -> bool {
    is_fenced(text) || text.trim_start().starts_with(['{', '[', '(', '"'])
}

/// Returns `true` if a string begins with a code fence.
pub(crate) fn is_fenced(text: &str) -> bool {
    let text = text.trim_start();
    text.starts_with("```") || text.starts_with("~~~")
}

//! Strings that may hold JSON.

use llmjson_syntax::internal::zones::fence_run;

/// Returns `true` if a string begins like embedded JSON: with an opening bracket, a quote or a code
/// fence.
pub(crate) fn may_hold_json(text: &str) -> bool {
    is_fenced(text) || text.trim_start().starts_with(['{', '[', '(', '"'])
}

/// Returns `true` if a string begins with a code fence.
pub(crate) fn is_fenced(text: &str) -> bool {
    fence_run(text.trim_start()).is_some()
}

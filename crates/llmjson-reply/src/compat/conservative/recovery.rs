//! Recovery from the only truncation that this preset repairs: inside a string that is a member's
//! value in the outermost object.
//!
//! Closing anything deeper would produce a record that may be incomplete.

use llmjson_syntax::{Document, Parser};

/// Parses a reply that was truncated inside a string of its outermost object: the string and the
/// object are closed.
///
/// Escaped line breaks at the end of the string are dropped, because models often write many before
/// they reach the token limit; any other text is kept, including raw line breaks and spaces. Half
/// an escape, half a surrogate pair and, in bytes, half a character are dropped too. The rest must
/// be strict JSON.
///
/// Returns `None` for any other reply: one that ended outside of a string, in a key or in a nested
/// string, or is not an object.
///
/// ```
/// # use llmjson_reply as llmjson;
/// use llmjson::compat::conservative::recover;
///
/// let document = recover(r#"{"page": "the end\n\n\n"#).expect("it broke off in a string");
/// assert_eq!(document.to_json().as_deref(), Some(r#"{"page":"the end"}"#));
/// assert!(!document.is_complete());
/// assert!(recover(r#"{"page": {"text": "the e"#).is_none());
/// ```
#[must_use]
pub fn recover<'t>(reply: &'t (impl AsRef<[u8]> + ?Sized)) -> Option<Document<'t>> {
    let bytes = reply.as_ref();
    let text = match std::str::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) if error.error_len().is_some() => return None,
        Err(error) => std::str::from_utf8(&bytes[..error.valid_up_to()]).ok()?,
    };
    let start = text.len() - text.trim_start().len();
    let document = Parser::new().parse_cut(text, start..text.len());
    document.root().is_some().then_some(document)
}

//! The head of an HTTP request that carries a message.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use hyper::header::{ACCEPT, HeaderMap, HeaderName, HeaderValue};

use super::message::is_without_sessions;
use crate::server::headers::media_type;
use crate::server::refusal::Refusal;

/// The header with the id of a session.
pub(super) const SESSION: HeaderName = HeaderName::from_static("mcp-session-id");
/// The header with the version of the protocol.
pub(super) const VERSION: HeaderName = HeaderName::from_static("mcp-protocol-version");
/// The header with the last event that a client has read.
pub(super) const LAST_EVENT: HeaderName = HeaderName::from_static("last-event-id");

pub(super) const EVENTS: &str = "text/event-stream";
pub(super) const JSON: &str = "application/json";

/// The prefix and suffix of a value that is encoded because it is not valid in a header.
const ENCODED: (&str, &str) = ("=?base64?", "?=");

/// Returns a header as text.
pub(super) fn text<'h>(headers: &'h HeaderMap, name: &HeaderName) -> Option<&'h str> {
    headers.get(name)?.to_str().ok()
}

/// Returns `true` if a client declares a version without sessions.
pub(super) fn speaks_without_sessions(headers: &HeaderMap) -> bool {
    text(headers, &VERSION).is_some_and(is_without_sessions)
}

/// Returns `true` if a client accepts a media type.
pub(super) fn accepts(headers: &HeaderMap, kind: &str) -> bool {
    let mut values = headers.get_all(ACCEPT).iter().peekable();
    let all = kind.split_once('/').map_or("", |(all, _)| all);
    values.peek().is_none()
        || values
            .filter_map(|value| value.to_str().ok())
            .flat_map(|value| value.split(','))
            .map(|one| one.split(';').next().unwrap_or_default().trim())
            .any(|one| {
                one.eq_ignore_ascii_case(kind)
                    || one == "*/*"
                    || one
                        .strip_suffix("/*")
                        .is_some_and(|one| one.eq_ignore_ascii_case(all))
            })
}

/// Refuses a body that is not declared as JSON: a page from another host can send any other type
/// without a preflight request.
pub(super) fn check_json(headers: &HeaderMap) -> Result<(), Refusal> {
    match media_type(headers).eq_ignore_ascii_case(JSON) {
        true => Ok(()),
        false => Err(Refusal::new(
            "no_json",
            "the body has another Content-Type, expected application/json without Content-Encoding",
        )),
    }
}

/// Refuses a message whose headers contradict it.
pub(super) fn check_mirrored(
    headers: &HeaderMap,
    mirrored: &[(String, String)],
) -> Result<(), Refusal> {
    let differs = mirrored
        .iter()
        .find(|(name, value)| decoded(headers, name).as_deref() != Some(value));
    let Some((name, _)) = differs else {
        return Ok(());
    };
    let message = format!("the header {name} is missing, or differs from the message");
    Err(Refusal::new("header_mismatch", message))
}

/// Replaces headers that repeat the original message by headers that repeat the sent one. A header
/// that did not match is left for the server to refuse.
pub(super) fn replace_mirrored(
    headers: &mut HeaderMap,
    before: &[(String, String)],
    after: &[(String, String)],
) {
    let find = |all: &[(String, String)], name: &str| {
        let mut all = all.iter();
        all.find(|(one, _)| one == name)
            .map(|(_, value)| value.clone())
    };
    for (name, value) in before {
        if decoded(headers, name).as_ref() == Some(value) && find(after, name).is_none() {
            headers.remove(name.as_str());
        }
    }
    for (name, value) in after {
        let old = find(before, name);
        let had = decoded(headers, name);
        if had == old {
            set(headers, name, value);
        }
    }
}

/// Sets a header that repeats a string.
pub(super) fn set(headers: &mut HeaderMap, name: &str, value: &str) {
    let is_plain = value.bytes().all(|byte| matches!(byte, b' '..=b'~'))
        && value.trim() == value
        && !is_encoded(value);
    let value = match is_plain {
        true => value.to_owned(),
        false => format!("{}{}{}", ENCODED.0, STANDARD.encode(value), ENCODED.1),
    };
    if let (Ok(name), Ok(value)) = (HeaderName::try_from(name), HeaderValue::try_from(value)) {
        headers.insert(name, value);
    }
}

/// Returns the string that a header repeats, if it appears there once.
fn decoded(headers: &HeaderMap, name: &str) -> Option<String> {
    let mut values = headers.get_all(name).iter();
    let value = values.next().filter(|_| values.next().is_none())?;
    let value = value.to_str().ok()?;
    let inner = value
        .strip_prefix(ENCODED.0)
        .and_then(|rest| rest.strip_suffix(ENCODED.1));
    match inner {
        None => Some(value.to_owned()),
        Some(inner) => String::from_utf8(STANDARD.decode(inner).ok()?).ok(),
    }
}

fn is_encoded(value: &str) -> bool {
    value.starts_with(ENCODED.0) && value.ends_with(ENCODED.1)
}

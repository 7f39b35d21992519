//! Headers between a client and an upstream.

use std::collections::hash_map::RandomState;
use std::hash::BuildHasher as _;

use hyper::header::{
    ACCEPT_ENCODING, AUTHORIZATION, CONNECTION, CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_TYPE,
    COOKIE, ETAG, EXPECT, HOST, HeaderMap, HeaderName, HeaderValue, PROXY_AUTHENTICATE,
    PROXY_AUTHORIZATION, TE, TRAILER, TRANSFER_ENCODING, UPGRADE, VIA,
};

/// The header that ties lines in logs and reports to one request.
pub(super) const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");
/// The header of a whole reply that reports the changes made to it.
pub(super) const LLMJSON: HeaderName = HeaderName::from_static("x-llmjson");

/// The header by which a client marks repetitions of one request.
pub(super) const IDEMPOTENCY_KEY: HeaderName = HeaderName::from_static("idempotency-key");

/// The header of all requests to Anthropic's API.
pub(super) const ANTHROPIC_VERSION: HeaderName = HeaderName::from_static("anthropic-version");

/// The header of Anthropic's keys.
pub(super) const X_API_KEY: HeaderName = HeaderName::from_static("x-api-key");

/// The headers that identify a client.
pub(super) const CREDENTIALS: [HeaderName; 4] = [
    AUTHORIZATION,
    COOKIE,
    HeaderName::from_static("api-key"),
    X_API_KEY,
];

/// Hop-by-hop headers (RFC 9110, 7.6.1), in addition to the headers named by `Connection`.
const HOP_BY_HOP: [HeaderName; 9] = [
    CONNECTION,
    PROXY_AUTHENTICATE,
    PROXY_AUTHORIZATION,
    TE,
    TRAILER,
    TRANSFER_ENCODING,
    UPGRADE,
    HeaderName::from_static("keep-alive"),
    HeaderName::from_static("proxy-connection"),
];

/// Checksums of a body, which become invalid after a change.
const OF_BODY: [HeaderName; 7] = [
    CONTENT_ENCODING,
    CONTENT_LENGTH,
    ETAG,
    HeaderName::from_static("content-digest"),
    HeaderName::from_static("content-md5"),
    HeaderName::from_static("digest"),
    HeaderName::from_static("repr-digest"),
];

const REQUEST_ID_BYTES_MAX: usize = 128;

/// Removes headers that apply to a single connection.
pub(super) fn remove_hop_by_hop(headers: &mut HeaderMap) {
    let named: Vec<HeaderName> = connection_options(headers)
        .filter_map(|name| HeaderName::try_from(name).ok())
        .collect();
    named
        .iter()
        .chain(&HOP_BY_HOP)
        .for_each(|name| drop(headers.remove(name)));
}

/// Converts a client's headers for an upstream.
pub(super) fn for_upstream(mut headers: HeaderMap) -> HeaderMap {
    remove_hop_by_hop(&mut headers);
    // The upstream's own host is sent, and the expectation was already answered.
    for name in [HOST, EXPECT] {
        headers.remove(name);
    }
    headers
}

/// Converts headers for a body that is read here, and whose reply will be too.
pub(super) fn for_treated(headers: HeaderMap) -> HeaderMap {
    let mut headers = for_upstream(headers);
    headers.remove(CONTENT_LENGTH);
    headers.insert(ACCEPT_ENCODING, HeaderValue::from_static("identity"));
    headers
}

/// The value of `Via` in one server's requests: a unique pseudonym, even on the same machine.
pub(super) fn new_via() -> HeaderValue {
    let via = format!("1.1 llmjson-{:016x}", RandomState::new().hash_one(()));
    HeaderValue::try_from(via).expect("it is visible characters")
}

/// Returns `true` if a request has passed through the server with this pseudonym.
pub(super) fn has_passed(headers: &HeaderMap, via: &HeaderValue) -> bool {
    let values = headers.get_all(VIA).iter();
    let mut passed = values.flat_map(|value| value.as_bytes().split(|byte| *byte == b','));
    passed.any(|one| one.trim_ascii() == via.as_bytes())
}

/// Converts the key of a Messages client to the form that chat completion servers accept.
pub(super) fn for_chat(headers: &mut HeaderMap) {
    headers.remove(ANTHROPIC_VERSION);
    let key = headers.remove(X_API_KEY);
    let value = key.and_then(|key| {
        let value = [b"Bearer ", key.as_bytes()].concat();
        let mut value = HeaderValue::from_bytes(&value).ok()?;
        value.set_sensitive(true);
        Some(value)
    });
    if let Some(value) = value {
        headers.entry(AUTHORIZATION).or_insert(value);
    }
}

/// Removes the headers that describe the original body.
pub(super) fn forget_body(headers: &mut HeaderMap) {
    OF_BODY.iter().for_each(|name| drop(headers.remove(name)));
}

/// Returns `true` if a body has any content encoding.
pub(super) fn is_encoded(headers: &HeaderMap) -> bool {
    encodings(headers).next().is_some()
}

/// Returns the encodings of a body, in the order in which they were applied.
pub(super) fn encodings(headers: &HeaderMap) -> impl Iterator<Item = String> {
    let values = headers.get_all(CONTENT_ENCODING).iter();
    let names = values.flat_map(|value| value.as_bytes().split(|byte| *byte == b','));
    let names = names.map(|name| String::from_utf8_lossy(name.trim_ascii()).to_ascii_lowercase());
    names.filter(|name| !matches!(name.as_str(), "" | "identity"))
}

/// Returns the media type of a body, without its parameters.
pub(super) fn media_type(headers: &HeaderMap) -> &str {
    let kind = headers
        .get(CONTENT_TYPE)
        .and_then(|kind| kind.to_str().ok());
    kind.unwrap_or_default()
        .split(';')
        .next()
        .unwrap_or_default()
        .trim()
}

/// Returns `true` if a client asks to switch to another protocol. `h2c` is an offer that may be
/// ignored (RFC 9113, 3.1): HTTP/2 is only spoken with clients that begin with it.
pub(super) fn asks_for_upgrade(headers: &HeaderMap) -> bool {
    let is_upgrade = |name: &str| name.eq_ignore_ascii_case("upgrade");
    connection_options(headers).any(is_upgrade)
        && headers
            .get_all(UPGRADE)
            .iter()
            .any(|value| !value.as_bytes().eq_ignore_ascii_case(b"h2c"))
}

/// Returns the id that a client gave its request, if it is safe to log.
pub(super) fn request_id(headers: &HeaderMap) -> Option<&str> {
    let id = headers.get(REQUEST_ID)?.to_str().ok()?;
    let is_plain = id.bytes().all(|byte| byte.is_ascii_graphic());
    (is_plain && (1..=REQUEST_ID_BYTES_MAX).contains(&id.len())).then_some(id)
}

fn connection_options(headers: &HeaderMap) -> impl Iterator<Item = &str> {
    let values = headers.get_all(CONNECTION).iter();
    values
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .map(str::trim)
}

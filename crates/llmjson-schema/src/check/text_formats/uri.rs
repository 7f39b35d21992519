//! URIs (RFC 3986) and IRIs (RFC 3987), absolute ones and references.

use std::net::Ipv6Addr;

/// The extent of a URI.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum UriExtent {
    /// A URI that begins with its scheme.
    Whole,
    /// A reference, which may lack the beginning.
    Reference,
}

/// Returns `true` if a string is a URI, or a reference to one if that is the extent.
pub(super) fn is_uri(text: &str, extent: UriExtent) -> bool {
    if !has_whole_escapes(text) {
        return false;
    }
    let (rest, fragment) = text.split_once('#').unwrap_or((text, ""));
    let (rest, query) = rest.split_once('?').unwrap_or((rest, ""));
    let (scheme, rest) = match rest.split_once(':') {
        Some((scheme, after)) if is_scheme(scheme) => (Some(scheme), after),
        _ => (None, rest),
    };
    if extent == UriExtent::Whole && scheme.is_none() {
        return false;
    }
    let path = match rest.strip_prefix("//") {
        Some(after) => {
            let end = after.find('/').unwrap_or(after.len());
            if !is_authority(&after[..end]) {
                return false;
            }
            &after[end..]
        }
        // Text before a colon would be read as a scheme.
        None if scheme.is_none() && rest.split('/').next().is_some_and(|one| one.contains(':')) => {
            return false;
        }
        None => rest,
    };
    consists_of(path, b":@/") && consists_of(query, b":@/?") && consists_of(fragment, b":@/?")
}

/// Checks an IRI, which may contain letters of all scripts.
pub(super) fn is_iri(text: &str, extent: UriExtent) -> bool {
    if text.is_ascii() {
        return is_uri(text, extent);
    }
    let mut plain = String::with_capacity(text.len());
    let (mut in_query, mut in_fragment) = (false, false);
    for character in text.chars() {
        in_fragment |= character == '#';
        in_query |= character == '?';
        plain.push(match character {
            _ if character.is_ascii() => character,
            // A character that is allowed wherever letters are, except in schemes.
            _ if is_letter(character) => '~',
            _ if is_private(character) && in_query && !in_fragment => '~',
            _ => return false,
        });
    }
    is_uri(&plain, extent)
}

/// Returns `true` if two digits follow each percent sign.
pub(super) fn has_whole_escapes(text: &str) -> bool {
    let mut parts = text.split('%').map(str::as_bytes);
    let is_hex = |part: &[u8]| {
        part.iter()
            .take(2)
            .filter(|b| b.is_ascii_hexdigit())
            .count()
            == 2
    };
    parts.next().is_some() && parts.all(is_hex)
}

/// Returns `true` if a string consists of characters allowed in host names, and some more
/// characters.
fn consists_of(text: &str, more: &[u8]) -> bool {
    const SIGNS: &[u8] = b"-._~!$&'()*+,;=%";
    text.bytes()
        .all(|byte| byte.is_ascii_alphanumeric() || SIGNS.contains(&byte) || more.contains(&byte))
}

fn is_scheme(text: &str) -> bool {
    let is_sign = |byte: u8| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte);
    text.starts_with(|first: char| first.is_ascii_alphabetic()) && text.bytes().all(is_sign)
}

/// A host, with an optional user before it and port after it.
fn is_authority(text: &str) -> bool {
    let (user, host) = text.split_once('@').unwrap_or(("", text));
    if !consists_of(user, b":") {
        return false;
    }
    let (name, port) = match host
        .strip_prefix('[')
        .map(|literal| literal.split_once(']'))
    {
        Some(Some((literal, port))) if is_address(literal) => ("", port),
        Some(_) => return false,
        None => host.split_at(host.find(':').unwrap_or(host.len())),
    };
    let is_port = |port: &str| port.bytes().all(|byte| byte.is_ascii_digit());
    consists_of(name, b"") && (port.is_empty() || port.strip_prefix(':').is_some_and(is_port))
}

/// An IPv6 address, or an address of a future version.
fn is_address(text: &str) -> bool {
    let Some((version, address)) = text
        .strip_prefix(['v', 'V'])
        .and_then(|v| v.split_once('.'))
    else {
        return text.parse::<Ipv6Addr>().is_ok();
    };
    let is_version = !version.is_empty() && version.bytes().all(|b| b.is_ascii_hexdigit());
    is_version && !address.is_empty() && !address.contains('%') && consists_of(address, b":")
}

/// `ucschar` of RFC 3987.
fn is_letter(character: char) -> bool {
    matches!(
        u32::from(character),
        0xA0..=0xD7FF | 0xF900..=0xFDCF | 0xFDF0..=0xFFEF | 0x1_0000..=0xD_FFFD | 0xE_1000..=0xE_FFFD
    ) && u32::from(character) & 0xFFFE != 0xFFFE
}

/// `iprivate` of RFC 3987.
fn is_private(character: char) -> bool {
    matches!(
        u32::from(character),
        0xE000..=0xF8FF | 0xF_0000..=0xF_FFFD | 0x10_0000..=0x10_FFFD
    )
}

//! Formats of strings without a lenient variant, one function for each. `jsonschema` calls the same
//! functions, so the verdicts agree.
//!
//! - `host`: host names and addresses, mail addresses
//! - `uri`: URIs and IRIs, and references to them

mod host;
#[cfg(test)]
mod tests;
mod uri;

use std::net::{Ipv4Addr, Ipv6Addr};

use uri::UriExtent;

/// Returns whether a string has a format.
pub(crate) type Test = fn(&str) -> bool;

/// The formats and their tests. Host names in other scripts (`idn-hostname`, `idn-email`) are not
/// checked: that requires tables that nothing else needs.
pub(crate) const TESTS: [(&str, Test); 12] = [
    ("email", host::is_email),
    ("hostname", host::is_hostname),
    ("ipv4", |text| text.parse::<Ipv4Addr>().is_ok()),
    ("ipv6", |text| text.parse::<Ipv6Addr>().is_ok()),
    ("iri", |text| uri::is_iri(text, UriExtent::Whole)),
    ("iri-reference", |text| {
        uri::is_iri(text, UriExtent::Reference)
    }),
    ("json-pointer", is_json_pointer),
    ("regex", jsonschema_regex::is_valid_ecma_regex),
    ("relative-json-pointer", is_relative_json_pointer),
    ("uri", |text| uri::is_uri(text, UriExtent::Whole)),
    ("uri-reference", |text| {
        uri::is_uri(text, UriExtent::Reference)
    }),
    ("uri-template", is_uri_template),
];

/// Returns the test for the format of that name.
pub(crate) fn test(name: &str) -> Option<Test> {
    let mut tests = TESTS.iter();
    tests.find(|(own, _)| *own == name).map(|(_, test)| *test)
}

/// Steps after slashes; `~` only as `~0` or `~1`.
fn is_json_pointer(text: &str) -> bool {
    let mut parts = text.split('~');
    let begins = text.is_empty() || text.starts_with('/');
    begins && parts.next().is_some() && parts.all(|part| part.starts_with(['0', '1']))
}

/// An integer, followed by `#` or a pointer.
fn is_relative_json_pointer(text: &str) -> bool {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let (number, rest) = text.split_at(digits);
    let is_whole = digits > 0 && (number == "0" || !number.starts_with('0'));
    is_whole && (rest == "#" || is_json_pointer(rest))
}

/// Text and expressions in braces (RFC 6570, all levels).
fn is_uri_template(text: &str) -> bool {
    let mut rest = text;
    while let Some(at) = rest.find(['{', '}']) {
        let (literal, expression) = rest.split_at(at);
        let Some((inside, after)) = expression[1..].split_once('}') else {
            return false;
        };
        if expression.starts_with('}') || !is_literal(literal) || !is_expression(inside) {
            return false;
        }
        rest = after;
    }
    is_literal(rest)
}

fn is_literal(text: &str) -> bool {
    let excluded = |byte: u8| byte <= b' ' || byte == 0x7F || br#""<>\^`|"#.contains(&byte);
    uri::has_whole_escapes(text) && !text.bytes().any(excluded)
}

/// Variables separated by commas, after an optional operator.
fn is_expression(text: &str) -> bool {
    const OPERATORS: &[char] = &['+', '#', '.', '/', ';', '?', '&', '=', ',', '!', '@', '|'];
    let variables = text.strip_prefix(OPERATORS).unwrap_or(text);
    variables.split(',').all(|variable| {
        let name = match variable.split_once(':') {
            Some((name, length)) => {
                let is_length = (1..=4).contains(&length.len())
                    && length.bytes().all(|byte| byte.is_ascii_digit())
                    && !length.starts_with('0');
                if !is_length {
                    return false;
                }
                name
            }
            None => variable.strip_suffix('*').unwrap_or(variable),
        };
        let is_sign = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'%');
        let is_part = |part: &str| !part.is_empty() && part.bytes().all(is_sign);
        uri::has_whole_escapes(name) && name.split('.').all(is_part)
    })
}

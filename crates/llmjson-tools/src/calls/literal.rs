//! Quoted literals, with programming-language syntax that the parser does not know.

/// Writes the content of a literal with the quotes and escapes of the parser: `'it\'s'`, `\x41`,
/// `\U0001f600`.
pub(super) fn push_literal(inner: &str, quote: &str, json: &mut String) {
    let is_single = quote == "'";
    json.push_str(if is_single { "\"" } else { quote });
    let mut rest = inner;
    while let Some(at) = rest.find(['\\', '"']) {
        json.push_str(&rest[..at]);
        let escape = &rest[at..];
        let (digits, length) = match escape.as_bytes() {
            [b'"', ..] => (0, 1),
            [_, b'x', ..] => (2, 4),
            [_, b'U', ..] => (8, 10),
            _ => (0, 1 + escape[1..].chars().next().map_or(0, char::len_utf8)),
        };
        let number = escape.get(2..2 + digits).filter(|_| digits > 0);
        let number = number.and_then(|digits| u32::from_str_radix(digits, 16).ok());
        rest = &escape[length.min(escape.len())..];
        match number.and_then(char::from_u32) {
            Some(one) => {
                for unit in one.encode_utf16(&mut [0; 2]) {
                    json.push_str(&format!("\\u{unit:04x}"));
                }
            }
            None if is_single && escape.starts_with('"') => json.push_str("\\\""),
            None if is_single && escape.starts_with("\\'") => json.push('\''),
            None => {
                let length = if digits > 0 { 2 } else { length };
                json.push_str(&escape[..length]);
                rest = &escape[length..];
            }
        }
    }
    json.push_str(rest);
    json.push_str(if is_single { "\"" } else { quote });
}

/// Returns a text without the escape that its end truncates.
pub(super) fn without_half_escape(inner: &str) -> &str {
    let begin = inner.rfind('\\').filter(|at| {
        let before = &inner[..*at];
        let slashes = before.len() - before.trim_end_matches('\\').len();
        let escape = &inner[at + 1..];
        let length = match escape.as_bytes().first() {
            Some(b'u') => 5,
            Some(b'U') => 9,
            Some(b'x') => 3,
            _ => 1,
        };
        slashes.is_multiple_of(2) && escape.len() < length
    });
    &inner[..begin.unwrap_or(inner.len())]
}

/// Returns the end of a literal, after its quotes.
pub(super) fn literal_end(literal: &str, quote: &str) -> Option<usize> {
    let bytes = literal.as_bytes();
    let mut at = quote.len();
    while let Some(found) = memchr::memchr2(b'\\', quote.as_bytes()[0], bytes.get(at..)?) {
        at += found;
        if bytes[at] == b'\\' {
            at += 2;
        } else if bytes[at..].starts_with(quote.as_bytes()) {
            return Some(at + quote.len());
        } else {
            at += 1;
        }
    }
    None
}

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
        let escape = &inner[*at..];
        slashes.is_multiple_of(2)
            && escape_length(escape).is_some_and(|length| length > escape.len())
    });
    &inner[..begin.unwrap_or(inner.len())]
}

/// Returns the length of the escape at the beginning of a text, or `None` if it is unusual.
pub(super) fn escape_length(rest: &str) -> Option<usize> {
    let (length, digits) = match rest.as_bytes() {
        [_, b'u', digits @ ..] => (6, digits),
        [_, b'U', digits @ ..] => (10, digits),
        [_, b'x', digits @ ..] => (4, digits),
        [_, one, ..] => return b"ntrbf\"'\\/\n".contains(one).then_some(2),
        _ => return Some(2),
    };
    let digits = &digits[..digits.len().min(length - 2)];
    digits.iter().all(u8::is_ascii_hexdigit).then_some(())?;
    // The first half of a character.
    let is_half = length == 6
        && matches!(
            digits,
            [b'd' | b'D', b'8' | b'9' | b'a' | b'b' | b'A' | b'B', ..]
        );
    let behind = rest.as_bytes().get(6..).unwrap_or_default();
    match is_half {
        true if behind.len() < 2 => b"\\u".starts_with(behind).then_some(12),
        true => behind.starts_with(b"\\u").then_some(12),
        false => Some(length),
    }
}

/// Decodes the escapes of a part of a literal.
pub(super) fn decoded(part: &str) -> String {
    let (mut text, mut rest) = (String::new(), part);
    while let Some(at) = rest.find('\\') {
        text.push_str(&rest[..at]);
        let length = escape_length(&rest[at..]).unwrap_or(2);
        let (escape, behind) = rest[at..].split_at(length);
        let mut quoted = String::new();
        push_literal(escape, "'", &mut quoted);
        let document = llmjson_syntax::parse(&quoted);
        text.extend(document.root().and_then(|root| root.as_str()));
        rest = behind;
    }
    text.push_str(rest);
    text
}

//! The beginnings of tokens.

use crate::scan::peek;

/// Returns `true` if a value, a key, a closer or a comment begins at `at`: `-1`, but not `-a`.
pub(super) fn token_at(bytes: &[u8], at: usize) -> bool {
    let rest = bytes.get(at..).unwrap_or_default();
    match peek(bytes, at) {
        b'-' => peek(bytes, at + 1).is_ascii_digit(),
        b't' | b'f' | b'n' => [&b"true"[..], b"false", b"null"]
            .iter()
            .any(|word| rest.starts_with(word)),
        byte => byte.is_ascii_digit() || b"\"'{}[]/#".contains(&byte),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_begin() {
        for text in [
            "-1", "1", "\"", "'", "{", "}", "[", "]", "/", "#", "true", "false", "null",
        ] {
            assert!(token_at(text.as_bytes(), 0), "{text}");
        }
        for text in ["-a", "-", "tru", "a", "None", ",", ":", ""] {
            assert!(!token_at(text.as_bytes(), 0), "{text}");
        }
        assert!(token_at(b"a 1", 2));
        assert!(!token_at(b"a", 2));
    }
}

//! Tokens: those that begin, and the special ones of chat templates that stand between others.

use crate::scan::tag::special_token;
use crate::scan::{peek, skip_space};

/// Maximum number of special tokens in a row that are looked at.
pub(crate) const TOKENS_MAX: usize = 16;

/// Returns the offset at which special tokens end that stand within a value, since that goes on behind them: 15 of
/// `[1, <|im_end|> 2]`, from 4 on. Behind a value a separator or closer has to follow, behind a separator another value.
pub(super) fn tokens_between(text: &str, at: usize) -> Option<usize> {
    let before = text.as_bytes()[..at].trim_ascii_end();
    let awaits = match before.last()? {
        b',' | b':' | b'{' | b'[' => true,
        // One of several tokens, which were looked at together.
        b'>' => return None,
        _ => false,
    };
    let mut end = special_token(text, at)?;
    for _ in 0..TOKENS_MAX {
        let (byte, next) = skip_space(text.as_bytes(), end);
        if let Some(another) = special_token(text, next) {
            end = another;
            continue;
        }
        let separator = matches!(byte, b',' | b'}' | b']');
        return (separator || awaits && token_at(text.as_bytes(), next)).then_some(end);
    }
    None
}

/// Returns `true` if a value, a name, a closer or a comment begins at `at`: `-1`, not `-a`.
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
    fn tokens_stand_within_values() {
        for (text, at, end) in [
            ("[1, <|im_end|>2]", 4, Some(14)),
            ("[1<pad> <pad>, 2]", 2, Some(13)),
            ("{\"a\": <\u{ff5c}end\u{ff5c}> \"b\"}", 6, Some(17)),
            ("{\"a\": 1</s>}", 7, Some(11)),
            ("[1[/INST], 2]", 2, Some(9)),
            ("[1<|im_end|> 2]", 2, None),
            ("[1<|im_end|>", 2, None),
            ("[1, <|im_end|> and", 4, None),
            ("[1</b>, 2]", 2, None),
            ("<pad>]", 0, None),
            ("[<|\"|>a<|\"|>]", 1, None),
        ] {
            assert_eq!(tokens_between(text, at), end, "{text}");
        }
    }

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

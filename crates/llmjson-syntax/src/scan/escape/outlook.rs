//! The possible meanings of the escapes in a string that has only partly arrived.

use crate::scan::escape::pieces::{KnownInside, hex4, length, meant_raw, of_language};

/// The meaning that further text may give to an escape.
pub(crate) enum Outlook {
    /// The same meaning as now. Its length, and `true` if it shows that the string is raw.
    Sure(usize, bool),
    /// Another meaning, if the string turns out to be raw. Its length.
    Doubtful(usize),
    /// Unknown: the escape is incomplete.
    Awaited,
}

/// Returns the meaning that more text may give to the escape at `at` in an incomplete string, which
/// is known to be `raw` or not.
pub(crate) fn outlook(inside: &str, at: usize, raw: bool) -> Outlook {
    let rest = &inside[at..];
    let Some(length) = length(rest).filter(|length| at + length < inside.len()) else {
        return Outlook::Awaited;
    };
    let escaped = rest[1..].chars().next().unwrap_or_default();
    let doubtful = match escaped {
        '"' | '/' | '\'' => false,
        '\\' | 'b' | 'f' | 'n' | 'r' | 't' => match meant_raw(inside, at, KnownInside::Beginning) {
            Some(doubtful) => doubtful,
            None => return Outlook::Awaited,
        },
        'x' | 'u' | 'U' | 'e' if of_language(inside, at).is_some() => true,
        'u' => return Outlook::Sure(length, length == 2),
        _ if escaped.is_alphanumeric() => return Outlook::Sure(length, true),
        _ => escaped.is_ascii_punctuation(),
    };
    if doubtful && !raw {
        Outlook::Doubtful(length)
    } else {
        Outlook::Sure(length, false)
    }
}

/// Returns the offset of the first escape whose meaning would change if more text showed the string
/// to be raw.
pub(crate) fn first_doubtful(inside: &str) -> Option<usize> {
    let (mut at, mut raw) = (0, false);
    loop {
        at += memchr::memchr(b'\\', inside.get(at..)?.as_bytes())?;
        match outlook(inside, at, raw) {
            Outlook::Sure(length, shown) => {
                at += length;
                raw |= shown;
            }
            Outlook::Doubtful(_) => return Some(at),
            Outlook::Awaited => return None,
        }
    }
}

/// Returns the length of a truncated string's content without half an escape or half a surrogate
/// pair at its end.
pub(crate) fn whole_escapes(inside: &str) -> usize {
    let bytes = inside.as_bytes();
    let tail = bytes.len().saturating_sub(12);
    // A backslash begins an escape if an even run of backslashes precedes it.
    let begins = |at: usize| {
        bytes[at] == b'\\'
            && bytes[..at]
                .iter()
                .rev()
                .take_while(|&&b| b == b'\\')
                .count()
                % 2
                == 0
    };
    let hex = |from: usize, to: usize| bytes[from..to].iter().all(u8::is_ascii_hexdigit);
    for at in tail..bytes.len() {
        if !begins(at) {
            continue;
        }
        let left = bytes.len() - at;
        let cut = match bytes.get(at + 1) {
            None => true,
            Some(b'x' | b'U') => length(&inside[at..]).is_none(),
            Some(b'u') if bytes.get(at + 2) == Some(&b'{') => length(&inside[at..]).is_none(),
            Some(b'u') if left < 6 => hex(at + 2, bytes.len()),
            Some(b'u') if left < 12 && hex(at + 2, at + 6) => {
                let high = hex4(inside, at + 2).is_some_and(|unit| unit & 0xFC00 == 0xD800);
                let rest = &bytes[at + 6..];
                let pair = rest.is_empty()
                    || rest == b"\\"
                    || rest.starts_with(b"\\u") && hex(at + 8, bytes.len());
                high && pair
            }
            Some(_) => false,
        };
        if cut {
            return at;
        }
    }
    bytes.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_an_escape_at_the_end_is_dropped() {
        let cases = [
            ("abc", 3),
            (r"a\n", 3),
            ("a\\", 1),
            (r"a\\", 3),
            (r"a\u", 1),
            (r"a\u00", 1),
            (r"a\u00e9", 7),
            (r"a\ud83d", 1),
            (r"a\ud83d\", 1),
            (r"a\ud83d\ude", 1),
            (r"a\ud83d\ude00", 13),
            (r"a\\u00", 6),
            (r"a\x", 1),
            (r"a\xe", 1),
            (r"a\xe9", 5),
            (r"a\xg", 4),
            (r"a\u{", 1),
            (r"a\u{1f60", 1),
            (r"a\u{1f600}", 10),
            (r"a\U0001f60", 1),
        ];
        for (inside, whole) in cases {
            assert_eq!(whole_escapes(inside), whole, "{inside}");
        }
    }
}

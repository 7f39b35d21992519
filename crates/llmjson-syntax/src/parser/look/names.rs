//! Keys further ahead, with their colons.

use crate::parser::look::Look;
use crate::scan;
use crate::scan::{peek, skip_space};

impl Look<'_> {
    /// Returns `Some(true)` if there is a plain key with its colon at `k`, quoted or not: `"a": 1`
    /// has one, `"a" 1` does not. Returns `None` if the text is too short to decide, as `"a"` is.
    pub(crate) fn name_at(&self, k: usize) -> Option<bool> {
        let length = self.bytes.len();
        let quote = peek(self.bytes, k);
        let end = match quote {
            b'"' => scan::closing_quote(self.bytes, k + 1, k + 1)? + 1,
            b'\'' => k + 1 + memchr::memchr(b'\'', self.bytes.get(k + 1..)?)? + 1,
            _ => {
                let name = |byte: &u8| byte.is_ascii_alphanumeric() || b"_$-".contains(byte);
                let name = self.bytes[k..].iter().take_while(|byte| name(byte)).count();
                if name == 0 && k < length {
                    return Some(false);
                }
                k + name
            }
        };
        let (byte, colon) = skip_space(self.bytes, end);
        (colon < length).then_some(byte == b':')
    }
}

#[cfg(test)]
mod tests {
    use crate::parser::look::answers;

    #[test]
    fn plain_names_have_their_colons() {
        answers(
            |look| look.name_at(0),
            &[
                ("\"a\": 1", Some(true)),
                ("\"a\\\"\" : 1", Some(true)),
                ("'a b':1", Some(true)),
                ("a-b_$1 :", Some(true)),
                ("\"a\" 1", Some(false)),
                ("'a' 1", Some(false)),
                ("a 1", Some(false)),
                ("é: 1", Some(false)),
                (": 1", Some(false)),
                ("\"a\"", None),
                ("\"a", None),
                ("'a", None),
                ("a ", None),
                ("", None),
            ],
        );
    }
}

//! Text that arrives in pieces of JSON strings.

/// A growing text.
///
/// A piece may end inside a character that is written as two escapes (`\ud83d\ude00`), because
/// servers split between tokens, not between characters. The first half waits for the second.
#[derive(Clone, Debug, Default)]
pub(crate) struct GrowingText {
    text: String,
    high: Option<u32>,
}

impl GrowingText {
    pub(crate) fn as_str(&self) -> &str {
        &self.text
    }

    /// The text, unless nothing ever arrived.
    pub(crate) fn to_text(&self) -> Option<String> {
        (!self.text.is_empty()).then(|| self.text.clone())
    }

    pub(crate) fn push(&mut self, piece: &str) {
        if !piece.is_empty() {
            self.give_up_half();
            self.text.push_str(piece);
        }
    }

    /// Appends the inside of a JSON string, which serde_json has already validated.
    pub(crate) fn push_escaped(&mut self, inner: &str) {
        let mut rest = inner;
        while let Some(place) = memchr::memchr(b'\\', rest.as_bytes()) {
            self.push(&rest[..place]);
            rest = self.push_escape(&rest[place + 1..]);
        }
        self.push(rest);
    }

    /// Appends the character of an escape, whose backslash has been consumed, and returns the rest.
    fn push_escape<'t>(&mut self, escape: &'t str) -> &'t str {
        let mut characters = escape.chars();
        let character = match characters.next() {
            Some('b') => '\u{8}',
            Some('f') => '\u{c}',
            Some('n') => '\n',
            Some('r') => '\r',
            Some('t') => '\t',
            Some('u') => {
                let digits = escape.get(1..5).unwrap_or_default();
                self.push_unit(u32::from_str_radix(digits, 16).unwrap_or(0xfffd));
                return escape.get(5..).unwrap_or_default();
            }
            Some(other) => other,
            None => return "",
        };
        self.give_up_half();
        self.text.push(character);
        characters.as_str()
    }

    /// Appends a UTF-16 code unit.
    fn push_unit(&mut self, unit: u32) {
        match (self.high.take(), unit) {
            (Some(high), 0xdc00..=0xdfff) => {
                let number = 0x10000 + ((high - 0xd800) << 10) + (unit - 0xdc00);
                self.text.push(char::from_u32(number).unwrap_or('\u{fffd}'));
            }
            (high, unit) => {
                self.high = high;
                self.give_up_half();
                match unit {
                    0xd800..=0xdbff => self.high = Some(unit),
                    _ => self.text.push(char::from_u32(unit).unwrap_or('\u{fffd}')),
                }
            }
        }
    }

    /// The second half did not arrive.
    fn give_up_half(&mut self) {
        if self.high.take().is_some() {
            self.text.push('\u{fffd}');
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_are_read_across_pieces() {
        // Pieces of a JSON string, and the text that they make.
        let table: &[(&[&str], &str)] = &[
            (&["a", "", "é"], "aé"),
            (&[r#"\"\\\/\b\f\n\r\t\u00e9"#], "\"\\/\u{8}\u{c}\n\r\té"),
            (&[r"\ud83d\ude00"], "😀"),
            (&[r"x\ud83d", r"\ude00y"], "x😀y"),
            (&[r"x\ud83d", "", r"\uDE00"], "x😀"),
            (&[r"\ud83d", "y"], "\u{fffd}y"),
            (&[r"\ud83d", r"\n"], "\u{fffd}\n"),
            (&[r"\ud83d\ud83d\ude00"], "\u{fffd}😀"),
            (&[r"\ude00", "z"], "\u{fffd}z"),
            (&[r"z\ud83d"], "z"),
        ];
        for (pieces, text) in table {
            let mut growing = GrowingText::default();
            pieces.iter().for_each(|piece| growing.push_escaped(piece));
            assert_eq!(growing.as_str(), *text, "{pieces:?}");
        }
    }
}

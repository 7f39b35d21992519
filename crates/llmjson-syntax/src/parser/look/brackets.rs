//! The ends of brackets.

use crate::parser::look::{LOOK_AHEAD, Look};
use crate::scan;

/// Number of bytes that are searched for the closers of brackets.
const CLOSERS_AHEAD: usize = 8 * LOOK_AHEAD;

impl Look<'_> {
    /// Returns the end of the brackets that open at `opener`, within the lookahead distance: 8 of
    /// `[1, (2)] 3`.
    pub(crate) fn end_of_brackets(&self, opener: usize) -> Option<usize> {
        let window = self.bytes.len().min(opener + CLOSERS_AHEAD);
        let mut open: smallvec::SmallVec<[u8; 32]> = smallvec::SmallVec::new();
        let mut at = opener;
        while at < window {
            let byte = self.bytes[at];
            at += 1;
            self.charge(1);
            match byte {
                b'"' => match self.closing_quote_within(at, window) {
                    Some(quote) => at = quote + 1,
                    None => return None,
                },
                b'\'' => match scan::single_quoted(&self.bytes[at..window], 0) {
                    Some(quoted) => {
                        self.charge_search(quoted.end);
                        at += quoted.end + 1;
                    }
                    None => {
                        self.charge_search(window - at);
                        return None;
                    }
                },
                b'{' => open.push(b'}'),
                b'[' => open.push(b']'),
                b'(' => open.push(b')'),
                b'}' | b']' | b')' if open.pop() != Some(byte) => return None,
                b'}' | b']' | b')' if open.is_empty() => return Some(at),
                _ => {}
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::CLOSERS_AHEAD;
    use crate::parser::look::ask;

    #[test]
    fn brackets_end() {
        let end = |text: &str| ask(text, |look| look.end_of_brackets(0));
        for (text, at) in [
            ("{}", 2),
            ("[1, (2)] 3", 8),
            ("{\"}\": 1}", 8),
            ("['\\'}', 1]", 10),
            ("f(1) a", 4),
        ] {
            assert_eq!(end(text), Some(at), "{text}");
        }
        for text in ["{", "{\"a", "['a", "[1, (2)", "", "{]", "[)", "(1}", "}"] {
            assert_eq!(end(text), None, "{text}");
        }
        let long = |spaces: usize| alloc::format!("[{}]", " ".repeat(spaces));
        assert_eq!(end(&long(CLOSERS_AHEAD)), None);
        assert_eq!(end(&long(CLOSERS_AHEAD - 2)), Some(CLOSERS_AHEAD));
    }
}

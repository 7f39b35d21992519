//! Quote signs, and what stands in quotes.

use crate::parser::look::Look;
use crate::scan;

/// Returns the quote signs that may close what `open` opened, the proper one first: `”` for `“`.
pub(crate) fn closers(open: char) -> &'static [char] {
    match open {
        '"' => &['"'],
        '\'' => &['\''],
        '“' | '”' | '„' | '«' | '»' => &['”', '“', '"', '»', '«'],
        '‘' | '’' | '‚' => &['’', '‘', '\''],
        '`' | '´' => &['`', '´', '\''],
        '「' => &['」'],
        '『' => &['』'],
        '＂' => &['＂', '"'],
        _ => &[],
    }
}

/// Returns the quote at `at`, if one stands there: `"` at 0 of `"a`.
pub(crate) fn quote_at(text: &str, at: usize) -> Option<char> {
    match text.as_bytes().get(at)? {
        b'"' => return Some('"'),
        b'\'' => return Some('\''),
        b'`' => return Some('`'),
        ..0x80 => return None,
        _ => {}
    }
    let quote = text.get(at..)?.chars().next()?;
    (!closers(quote).is_empty()).then_some(quote)
}

impl Look<'_> {
    /// Finds the next quote of these kinds from `at` on that no backslash escapes: the one at 4 of `a\'b'`.
    pub(crate) fn next_quote(&self, mut at: usize, kinds: &[char]) -> Option<(usize, char)> {
        let bytes = self.bytes;
        if let ['\''] = kinds {
            loop {
                let found = scan::find_near(bytes, at, b'\'', b'\\')?;
                if bytes[found] == b'\'' {
                    return Some((found, '\''));
                }
                // Of a longer character behind the backslash no byte looks like these.
                at = found + 2;
            }
        }
        loop {
            let rest = self.text.get(at..)?;
            let (found, c) = rest
                .char_indices()
                .find(|(_, c)| *c == '\\' || kinds.contains(c))?;
            if c != '\\' {
                return Some((at + found, c));
            }
            at += found + 1;
            at += self.text[at..].chars().next().map_or(0, char::len_utf8);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_of_any_script_are_closed_by_their_own() {
        for (text, expected) in [
            ("\"a", Some('"')),
            ("'", Some('\'')),
            ("`", Some('`')),
            ("“", Some('“')),
            ("‘", Some('‘')),
            ("´", Some('´')),
            ("「", Some('「')),
            ("『", Some('『')),
            ("＂", Some('＂')),
            ("a", None),
            ("é", None),
            ("」", None),
            ("", None),
        ] {
            assert_eq!(quote_at(text, 0), expected, "{text}");
            if let Some(quote) = expected {
                assert!(!closers(quote).is_empty());
            }
        }
        assert_eq!(quote_at("é", 1), None);
        assert_eq!(closers('“').first(), Some(&'”'));
        assert_eq!(closers('a'), &[] as &[char]);
    }
}

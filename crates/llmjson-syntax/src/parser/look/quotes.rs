//! Quotation marks, and quoted text.

/// Returns the quotation marks that may close a string opened by `open`, the proper one first: `”`
/// for `“`.
pub(crate) fn closers(open: char) -> &'static [char] {
    match open {
        '"' => &['"'],
        '\'' => &['\''],
        '“' | '”' | '„' | '«' | '»' => &['”', '“', '"', '»', '«'],
        '‘' | '’' | '‚' => &['’', '‘', '\''],
        '`' | '´' => &['`', '´', '\''],
        '〝' => &['〞', '〟'],
        '「' => &['」'],
        '『' => &['』'],
        '＂' => &['＂', '"'],
        _ => &[],
    }
}

/// Returns the quote at `at`, if there is one: `"` at 0 of `"a`.
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

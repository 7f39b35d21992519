//! Texts in which every character shows, and in which none is markup.

use std::fmt::Write as _;

/// Returns `true` if a terminal or browser acts on a character rather than showing it. Line feeds
/// are layout.
#[must_use]
pub fn is_hidden(character: char) -> bool {
    match character {
        '\n' => false,
        '\0'..='\x1f' | '\x7f'..='\u{9f}' => true,
        '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' => true,
        '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' => true,
        '\u{e0000}'..='\u{e007f}' => true,
        _ => false,
    }
}

/// Appends a character so that it shows: control characters as their pictures, other hidden ones
/// by number.
pub fn push_picture(character: char, out: &mut String) {
    match character {
        '\t' => out.push('→'),
        '\x7f' => out.push('␡'),
        '\n' | '\0'..='\x1f' => {
            // The pictures stand in the order of the characters that they show.
            out.push(char::from_u32(0x2400 + character as u32).unwrap_or('\u{fffd}'));
        }
        _ if is_hidden(character) => {
            let number = character as u32;
            write!(out, "<U+{number:04X}>").expect("writing to a string does not fail");
        }
        _ => out.push(character),
    }
}

/// Returns a text on one line in which every character shows.
#[must_use]
pub fn picture_text(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    text.chars()
        .for_each(|character| push_picture(character, &mut shown));
    shown
}

/// Appends a text as HTML, for an element or an attribute in double quotes: every character shows but
/// line feeds and tabs, which are layout, and none is markup.
pub(crate) fn escape(text: &str, out: &mut String) {
    let mut from = 0;
    for (at, character) in text.char_indices() {
        let entity = match character {
            '&' => "&amp;",
            '<' => "&lt;",
            '>' => "&gt;",
            '"' => "&quot;",
            '\'' => "&#39;",
            '\t' => continue,
            _ if is_hidden(character) => "",
            _ => continue,
        };
        out.push_str(&text[from..at]);
        from = at + character.len_utf8();
        if entity.is_empty() {
            let mut picture = String::new();
            push_picture(character, &mut picture);
            out.push_str(&picture.replace('<', "&lt;").replace('>', "&gt;"));
        } else {
            out.push_str(entity);
        }
    }
    out.push_str(&text[from..]);
}

/// Returns a text as HTML.
pub(crate) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 16);
    escape(text, &mut out);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_hidden_and_nothing_is_markup() {
        let table = [
            ("plain é 漢\n\t", "plain é 漢\n\t"),
            ("</script>&'\"", "&lt;/script&gt;&amp;&#39;&quot;"),
            ("\x1b[31m\r", "␛[31m␍"),
            ("a\u{202e}b", "a&lt;U+202E&gt;b"),
        ];
        for (text, html) in table {
            assert_eq!(escaped(text), html);
        }
    }
}

//! What makes a repair less sure than others of its kind, once a value has been read to its end.

use crate::Class;
use crate::parser::quote::quote_at;
use crate::parser::reader::Reader;
use crate::repair::RepairKind;
use crate::scan::peek;

impl Reader<'_> {
    /// Makes guesses of those records of a value, from the one at `first` on, that another damage would
    /// explain as well. `complete` tells whether the value's text ended as it should.
    pub(in crate::parser) fn weigh(&mut self, first: usize, complete: bool) {
        let repairs = &mut self.tape.repairs[first..];
        let colon = |one: &crate::Repair| one.kind == RepairKind::MissingColon;
        let no_colon = repairs.iter().any(colon);
        for repair in repairs {
            let inside = self.text.get(repair.span.range()).unwrap_or_default();
            let doubtful = match repair.kind {
                RepairKind::InnerQuote => {
                    let before = (repair.span.start as usize).saturating_sub(1);
                    let apostrophe = peek(self.bytes, before) == b'\'';
                    no_colon || holds_end_of_string(inside, apostrophe)
                }
                RepairKind::UnquotedString => no_colon || holds_structure(inside),
                RepairKind::UnquotedKey => inside.contains(|c: char| {
                    !(c.is_alphanumeric() || matches!(c, '_' | '-' | '$' | '.' | ' ' | '@'))
                }),
                // Brackets that do not pair within the value, and more that stay open at its end.
                RepairKind::ExtraCloser => !complete,
                _ => false,
            };
            if doubtful {
                repair.class = Class::Guess;
            }
        }
    }
}

/// Whether a string with quotes in it could have ended at one of them: a colon, a comma and another
/// quote, the end of its line or a closer stand behind it, or a line begins with it.
fn holds_end_of_string(text: &str, apostrophe: bool) -> bool {
    let mut line_begins = false;
    let mut chars = text.char_indices();
    while let Some((at, c)) = chars.next() {
        if c == '\\' {
            chars.next();
            line_begins = false;
            continue;
        }
        if quote_at(text, at).is_some() && (apostrophe || c != '\'') {
            let behind = &text[at + c.len_utf8()..];
            if line_begins || ends_there(behind) {
                return true;
            }
        }
        line_begins = c == '\n' || line_begins && c.is_whitespace();
    }
    false
}

fn ends_there(behind: &str) -> bool {
    let rest = behind.trim_start();
    if behind[..behind.len() - rest.len()].contains('\n') {
        return true;
    }
    match rest.as_bytes().first() {
        Some(b':' | b'"') => true,
        Some(b',' | b';') => {
            let next = rest[1..].trim_start();
            rest[1..].starts_with('\n') || quote_at(next, 0).is_some()
        }
        Some(b'}' | b']') => {
            let next = rest.trim_start_matches(['}', ']', ' ']);
            next.starts_with([',', '\n'])
        }
        _ => false,
    }
}

/// Whether a text without quotes holds what separates values: a bracket, a comma, the end of a line, or
/// a colon that is not within a word as in `https://` or `10:30`.
fn holds_structure(text: &str) -> bool {
    let bytes = text.as_bytes();
    bytes.iter().enumerate().any(|(at, byte)| match byte {
        b':' => bytes
            .get(at + 1)
            .is_none_or(|&next| next == b' ' || next == b'"'),
        _ => b"\"{}[]<>,\n".contains(byte),
    })
}

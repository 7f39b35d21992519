//! The fold under which other spellings are equal: without case, accents and the forms that other
//! scripts have for digits, hyphens and punctuation.

use std::borrow::Cow;

use llmjson_syntax::internal::zones::lexicon::place_of;

/// Returns a text in its folded form.
pub(crate) fn fold(text: &str) -> Cow<'_, str> {
    let is_plain = |byte: u8| byte.is_ascii() && !byte.is_ascii_uppercase();
    if text.bytes().all(is_plain) {
        return Cow::Borrowed(text);
    }
    let folded = |text: String, letter: char| match digit(letter) {
        Some((value, _)) => text + char::from(b'0' + value).encode_utf8(&mut [0; 4]),
        None if is_dash(letter) => text + "-",
        None if letter == '’' => text + "'",
        None if letter == '٫' => text + ".",
        None if letter == '٬' => text + ",",
        None => push_folded(text, letter),
    };
    Cow::Owned(text.chars().fold(String::with_capacity(text.len()), folded))
}

/// Returns `true` if a character is a dash that represents a hyphen or a minus.
pub(crate) fn is_dash(sign: char) -> bool {
    matches!(
        sign,
        '\u{2010}'..='\u{2015}' | '−' | '\u{fe58}' | '\u{fe63}' | '\u{ff0d}'
    )
}

/// Returns `true` if a name is one of these, separated by spaces.
pub(crate) fn is_in(names: &str, name: &str) -> bool {
    place_of(names, b" ", name).is_some()
}

/// Appends a letter in its folded form.
pub(crate) fn push_folded(mut text: String, letter: char) -> String {
    let letter = half_width(letter);
    if letter.is_ascii() {
        text.push(letter.to_ascii_lowercase());
    } else {
        for lower in letter.to_lowercase() {
            match plain_letter(lower) {
                Some(plain) => text.push_str(plain),
                None => text.push(lower),
            }
        }
    }
    text
}

/// Returns the ASCII equivalent of a full-width character.
fn half_width(letter: char) -> char {
    match letter {
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(letter as u32 - 0xfee0).unwrap_or(letter),
        _ => letter,
    }
}

/// Returns the Latin letter under an accent, or nothing for a combining accent.
fn plain_letter(letter: char) -> Option<&'static str> {
    const LETTERS: &[(&str, &str)] = &[
        ("àáâãäåāăąǎ", "a"),
        ("çćĉċč", "c"),
        ("ďđð", "d"),
        ("èéêëēĕėęěẽ", "e"),
        ("ĝğġģ", "g"),
        ("ĥħ", "h"),
        ("ìíîïĩīĭįıǐ", "i"),
        ("ĵ", "j"),
        ("ķ", "k"),
        ("ĺļľŀł", "l"),
        ("ñńņňŉ", "n"),
        ("òóôõöøōŏőǒ", "o"),
        ("ŕŗř", "r"),
        ("śŝşšș", "s"),
        ("ţťŧț", "t"),
        ("ùúûüũūŭůűųǔ", "u"),
        ("ŵ", "w"),
        ("ýÿŷ", "y"),
        ("źżž", "z"),
        ("ß", "ss"),
        ("æ", "ae"),
        ("œ", "oe"),
    ];
    if ('\u{300}'..='\u{36f}').contains(&letter) {
        return Some("");
    }
    LETTERS
        .iter()
        .find(|(accented, _)| accented.contains(letter))
        .map(|(_, plain)| *plain)
}

/// The first digits of the supported scripts.
const ZEROS: [char; 12] = [
    '0', '\u{660}', '\u{6f0}', '\u{966}', '\u{9e6}', '\u{a66}', '\u{ae6}', '\u{be6}', '\u{c66}',
    '\u{ce6}', '\u{e50}', '\u{ff10}',
];

/// Returns the value of a digit, and the zero of its script.
pub(crate) fn digit(letter: char) -> Option<(u8, char)> {
    if letter.is_ascii() {
        return letter.is_ascii_digit().then(|| (letter as u8 - b'0', '0'));
    }
    let zero = ZEROS.into_iter().rev().find(|zero| letter >= *zero)?;
    let value = u32::from(letter) - u32::from(zero);
    (value < 10).then_some((value as u8, zero))
}

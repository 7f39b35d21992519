//! Letters that are written otherwise and mean the same: ligatures, raised, circled and mathematical letters, half-width
//! Kana, Hangul in parts, Arabic letters by their place in a word, and letters with marks of their own behind them.
//!
//! A table of all that Unicode has (`unicode-normalization`) takes 62 KB compressed, which is why this one is ours.

use std::borrow::Cow;

/// Signs, and the letters that they stand for.
const SIGNS: &[(&str, &str)] = &[
    ("ﬀ", "ff"),
    ("ﬁ", "fi"),
    ("ﬂ", "fl"),
    ("ﬃ", "ffi"),
    ("ﬄ", "ffl"),
    ("ﬅﬆ", "st"),
    ("ĳ", "ij"),
    ("Ĳ", "IJ"),
    ("ǆ", "dž"),
    ("ǉ", "lj"),
    ("ǌ", "nj"),
    ("ſ", "s"),
    ("№", "No"),
    ("℡", "TEL"),
    ("™", "TM"),
    ("ª", "a"),
    ("ºₒ", "o"),
    ("ℓ", "l"),
    ("ⁿₙ", "n"),
    ("ⁱᵢ", "i"),
    ("ₐ", "a"),
    ("ₑ", "e"),
    ("ₓ", "x"),
    ("ₕ", "h"),
    ("ₖ", "k"),
    ("ₗ", "l"),
    ("ₘ", "m"),
    ("ₚ", "p"),
    ("ₛ", "s"),
    ("ₜ", "t"),
    ("¹", "1"),
    ("²", "2"),
    ("³", "3"),
    ("µ", "μ"),
    ("℃", "C"),
    ("℉", "F"),
    ("㎏", "kg"),
    ("㎎", "mg"),
    ("㎜", "mm"),
    ("㎝", "cm"),
    ("㎞", "km"),
    ("㎡", "m2"),
    ("㎥", "m3"),
    ("ℂ", "C"),
    ("ℍ", "H"),
    ("ℕ", "N"),
    ("ℙ", "P"),
    ("ℚ", "Q"),
    ("ℝ", "R"),
    ("ℤ", "Z"),
    ("ℎ", "h"),
    ("ℬ", "B"),
    ("ℰ", "E"),
    ("ℱ", "F"),
    ("ℋ", "H"),
    ("ℐ", "I"),
    ("ℒ", "L"),
    ("ℳ", "M"),
    ("ℛ", "R"),
    ("ℯ", "e"),
    ("ℊ", "g"),
    ("ℴ", "o"),
];

/// The half-width Kana from U+FF66 on.
const KANA: &str = "ヲァィゥェォャュョッーアイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワン";

/// The Arabic letters whose forms stand from U+FE80 on, one after the other, and how many forms each has.
const ARABIC: [(&str, u32); 8] = [
    ("ء", 1),
    ("آأؤإ", 2),
    ("ئ", 4),
    ("ا", 2),
    ("ب", 4),
    ("ة", 2),
    ("تثجحخ", 4),
    ("دذرز", 2),
];

/// The same from U+FEB1 on.
const MORE_ARABIC: [(&str, u32); 3] = [("سشصضطظعغفقكلمنه", 4), ("وى", 2), ("ي", 4)];

/// The consonants of Hangul from U+3131 on as they begin a syllable, by their offset from U+1100; those that only end one
/// have none.
const CONSONANTS: &[u8; 30] = b"AB.C..DEF.......GHI.JKLMNOPQRS";

/// Letters with a mark of their own behind them, and the letters that they make: Cyrillic and Greek ones.
const MARKED: &[(char, &str, &str)] = &[
    ('\u{306}', "иИуУ", "йЙўЎ"),
    ('\u{308}', "еЕіІιυ", "ёЁїЇϊϋ"),
    ('\u{301}', "гкαεηιουω", "ѓќάέήίόύώ"),
];

/// Returns a name with the letters that its signs stand for.
pub(super) fn compatible(name: &str) -> Cow<'_, str> {
    if name.is_ascii() {
        return Cow::Borrowed(name);
    }
    let mut out = String::with_capacity(name.len());
    for letter in name.chars() {
        if let Some(made) = out
            .chars()
            .next_back()
            .and_then(|last| composed(last, letter))
        {
            out.pop();
            out.push(made);
        } else if let Some((_, letters)) = SIGNS.iter().find(|(signs, _)| signs.contains(letter)) {
            out.push_str(letters);
        } else {
            out.push(plain(letter));
        }
    }
    Cow::Owned(out)
}

/// The letter that a raised, lowered, circled, mathematical or half-width one is.
fn plain(letter: char) -> char {
    let code = letter as u32;
    let from = |first: char, offset: u32| char::from_u32(first as u32 + offset).unwrap_or(letter);
    match code {
        0x2070..=0x2079 => from('0', code - 0x2070),
        0x2080..=0x2089 => from('0', code - 0x2080),
        0x2460..=0x2468 => from('1', code - 0x2460),
        0x24b6..=0x24cf => from('A', code - 0x24b6),
        0x24d0..=0x24e9 => from('a', code - 0x24d0),
        0x24ea => '0',
        0xff66..=0xff9d => KANA.chars().nth((code - 0xff66) as usize).unwrap_or(letter),
        0x3131..=0x314e => match CONSONANTS[(code - 0x3131) as usize] {
            b'.' => letter,
            at => from('\u{1100}', u32::from(at - b'A')),
        },
        0x314f..=0x3163 => from('\u{1161}', code - 0x314f),
        0xfe80..=0xfeb0 => by_forms(&ARABIC, code - 0xfe80).unwrap_or(letter),
        0xfeb1..=0xfef4 => by_forms(&MORE_ARABIC, code - 0xfeb1).unwrap_or(letter),
        0x1d400..=0x1d6a3 => match (code - 0x1d400) % 52 {
            capital @ 0..=25 => from('A', capital),
            small => from('a', small - 26),
        },
        0x1d7ce..=0x1d7ff => from('0', (code - 0x1d7ce) % 10),
        _ => letter,
    }
}

/// The letter that has a form at that place, where each has as many as are told.
fn by_forms(letters: &[(&str, u32)], mut at: u32) -> Option<char> {
    let mut all = letters
        .iter()
        .flat_map(|(letters, forms)| letters.chars().map(move |letter| (letter, *forms)));
    all.find_map(|(letter, forms)| {
        let is_here = at < forms;
        at = at.saturating_sub(forms);
        is_here.then_some(letter)
    })
}

/// The syllable of Hangul that a part makes of what is before it, as Unicode numbers them: consonant, vowel, consonant.
fn syllable(before: u32, part: u32) -> Option<char> {
    match (before, part) {
        (0x1100..=0x1112, 0x1161..=0x1175) => {
            char::from_u32(0xac00 + ((before - 0x1100) * 21 + part - 0x1161) * 28)
        }
        (0xac00..=0xd7a3, 0x11a8..=0x11c2) if (before - 0xac00).is_multiple_of(28) => {
            char::from_u32(before + part - 0x11a7)
        }
        _ => None,
    }
}

/// The letter that another one and a mark behind it make.
fn composed(letter: char, mark: char) -> Option<char> {
    let code = letter as u32;
    if let Some(made) = syllable(code, plain(mark) as u32) {
        return Some(made);
    }
    // Voiced Kana stand behind the ones without voice.
    let voiced = |offset: u32| char::from_u32(code + offset);
    let hiragana = if (0x30a0..0x3100).contains(&code) {
        code - 0x60
    } else {
        code
    };
    let is_h = (0x306f..=0x307b).contains(&hiragana) && (hiragana - 0x306f) % 3 == 0;
    let has_voice = is_h
        || (0x304b..=0x3062).contains(&hiragana) && hiragana % 2 == 1
        || matches!(hiragana, 0x3064 | 0x3066 | 0x3068);
    match mark {
        '\u{3099}' | 'ﾞ' if matches!(letter, 'う' | 'ウ') => {
            Some(if letter == 'う' { 'ゔ' } else { 'ヴ' })
        }
        '\u{3099}' | 'ﾞ' if has_voice => voiced(1),
        '\u{309a}' | 'ﾟ' if is_h => voiced(2),
        _ => {
            let (_, plain, made) = MARKED.iter().find(|(own, ..)| *own == mark)?;
            let at = plain.chars().position(|one| one == letter)?;
            made.chars().nth(at)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_stand_for_letters() {
        for (name, wanted) in [
            ("oﬃce", "office"),
            ("𝐧𝐚𝐦𝐞", "name"),
            ("𝙉𝟯", "N3"),
            ("ⓝame", "name"),
            ("x²", "x2"),
            ("ｶﾞｽ", "ガス"),
            ("ﾊﾟﾝ", "パン"),
            ("は\u{3099}", "ば"),
            ("и\u{306}", "й"),
            ("cafe\u{301}", "cafe\u{301}"),
            ("\u{110b}\u{1175}\u{1105}\u{1173}\u{11b7}", "이름"),
            ("ㅇㅣ", "이"),
            ("ﺍﺳﻢ", "اسم"),
            ("ﻲﻞ", "يل"),
        ] {
            assert_eq!(compatible(name), wanted);
        }
    }
}

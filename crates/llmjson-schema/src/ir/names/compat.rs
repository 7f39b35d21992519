//! Letters in other forms with the same meaning: ligatures, superscript, circled and mathematical
//! letters.
//!
//! A full Unicode table (`unicode-normalization`) takes 62 KB compressed, so this module has a
//! small one.

use std::borrow::Cow;

/// Symbols, and the letters that they represent.
const SIGNS: &str = "ﬀ=ff ﬁ=fi ﬂ=fl ﬃ=ffi ﬄ=ffl ﬅﬆ=st ĳ=ij Ĳ=IJ ǆ=dž ǉ=lj ǌ=nj ſ=s №=No ℡=TEL \
    ™=TM ª=a ºₒ=o ℓ=l ⁿₙ=n ⁱᵢ=i ₐ=a ₑ=e ₓ=x ₕ=h ₖ=k ₗ=l ₘ=m ₚ=p ₛ=s ₜ=t ¹=1 ²=2 ³=3 µ=μ ℃=C ℉=F \
    ㎏=kg ㎎=mg ㎜=mm ㎝=cm ㎞=km ㎡=m2 ㎥=m3 ℂ=C ℍ=H ℕ=N ℙ=P ℚ=Q ℝ=R ℤ=Z ℎ=h ℬ=B ℰ=E ℱ=F ℋ=H ℐ=I ℒ=L \
    ℳ=M ℛ=R ℯ=e ℊ=g ℴ=o";

/// Returns a name with its symbols replaced by the letters that they represent.
pub(super) fn compatible(name: &str) -> Cow<'_, str> {
    if name.is_ascii() {
        return Cow::Borrowed(name);
    }
    let mut out = String::with_capacity(name.len());
    for letter in name.chars() {
        match letters_of(letter) {
            Some(letters) => out.push_str(letters),
            None => out.push(plain(letter)),
        }
    }
    Cow::Owned(out)
}

/// Returns the letters that a symbol represents.
fn letters_of(symbol: char) -> Option<&'static str> {
    let (_, behind) = SIGNS.split_once(symbol).filter(|_| !symbol.is_ascii())?;
    let row = behind.split(' ').next()?;
    row.split_once('=').map(|(_, letters)| letters)
}

/// Returns the letter for its superscript, subscript, circled or mathematical variant.
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
        0x1d400..=0x1d6a3 => match (code - 0x1d400) % 52 {
            capital @ 0..=25 => from('A', capital),
            small => from('a', small - 26),
        },
        0x1d7ce..=0x1d7ff => from('0', (code - 0x1d7ce) % 10),
        _ => letter,
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
            ("cafe\u{301}", "cafe\u{301}"),
        ] {
            assert_eq!(compatible(name), wanted);
        }
    }
}

//! Numbers in words.

use crate::base::number_words::number_word;

/// A number at the beginning of a string.
pub(super) struct Written {
    pub(super) number: String,
    /// Number of bytes that it occupies.
    pub(super) length: usize,
}

/// The words of tens from thirty on.
const TENS: [&str; 7] = [
    "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety",
];

/// Returns the number below a hundred with which a string begins, and its length: `twelve`,
/// `thirty-one`.
fn below_hundred(text: &str) -> Option<(usize, usize)> {
    let word = |from: usize| {
        let rest = text.get(from..).unwrap_or_default();
        let length = rest.bytes().take_while(u8::is_ascii_alphabetic).count();
        &rest[..length]
    };
    let first = word(0);
    let ten = TENS.iter().position(|ten| first.eq_ignore_ascii_case(ten));
    let value = ten.map(|at| 10 * at + 30).or_else(|| number_word(first))?;
    let is_joined = value >= 20 && text[first.len()..].starts_with('-');
    let unit = if is_joined { word(first.len() + 1) } else { "" };
    match number_word(unit).filter(|unit| (1..10).contains(unit)) {
        Some(one) => Some((value + one, first.len() + 1 + unit.len())),
        None => Some((value, first.len())),
    }
}

/// Returns a number below a thousand, or dozens: `one hundred and five`, `a dozen`.
fn below_thousand(text: &str) -> Option<(usize, usize)> {
    let is = |at: usize, word: &str| {
        let found = text.get(at..at + word.len());
        let next = text.as_bytes().get(at + word.len());
        found.is_some_and(|found| found.eq_ignore_ascii_case(word))
            && !next.is_some_and(u8::is_ascii_alphabetic)
    };
    let (value, length) = match is(0, "a") {
        true => (1, 1),
        false => below_hundred(text)?,
    };
    if is(length, " dozen") {
        return Some((12 * value, length + " dozen".len()));
    }
    if !is(length, " hundred") || value > 9 {
        return (!is(0, "a")).then_some((value, length));
    }
    let length = length + " hundred".len();
    let start = length + if is(length, " and") { " and ".len() } else { 1 };
    let rest = text.get(start..).and_then(below_hundred);
    Some(match rest.filter(|(rest, _)| *rest > 0) {
        Some((rest, more)) => (100 * value + rest, start + more),
        None => (100 * value, length),
    })
}

/// Returns the integer below a thousand at the beginning of a string in words, possibly after a
/// word for minus: `twelve`, `minus five`.
pub(super) fn leading_word(text: &str) -> Option<Written> {
    let signed = ["minus ", "negative "].iter().find_map(|word| {
        let is_sign = text
            .get(..word.len())
            .is_some_and(|head| head.eq_ignore_ascii_case(word));
        is_sign.then_some(word.len())
    });
    let start = signed.unwrap_or(0);
    let rest = text.get(start..)?;
    let (value, length) = below_thousand(rest)?;
    let sign = if signed.is_some() && value > 0 {
        "-"
    } else {
        ""
    };
    Some(Written {
        number: format!("{sign}{value}"),
        length: start + length,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_begin_a_text_as_a_whole() {
        for (text, number, rest) in [
            ("twelve", "12", ""),
            ("Twenty.", "20", "."),
            ("minus five", "-5", ""),
            ("Negative Three kg", "-3", " kg"),
            ("zero", "0", ""),
            ("two million", "2", " million"),
            ("thirty", "30", ""),
            ("ninety-nine", "99", ""),
            ("Twenty-one kg", "21", " kg"),
            ("twenty one", "20", " one"),
            ("one hundred and five", "105", ""),
            ("two hundred", "200", ""),
            ("a hundred", "100", ""),
            ("a dozen", "12", ""),
        ] {
            let read = leading_word(text).unwrap_or_else(|| panic!("{text}"));
            assert_eq!(
                (&*read.number, &text[read.length..]),
                (number, rest),
                "{text}"
            );
        }
        for text in [
            "",
            "thirtieth",
            "twelfth",
            "minus",
            "a",
            "a dog",
            "hundred",
            "onerous",
            "minus 5",
        ] {
            assert!(leading_word(text).is_none(), "{text}");
        }
    }
}

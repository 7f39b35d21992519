//! Numbers without the digits of their value: in words, and as fractions.

use crate::base::number_words::number_word;

/// A number at the beginning of a text.
pub(super) struct Written {
    pub(super) number: String,
    /// Number of bytes of the text that it takes.
    pub(super) length: usize,
}

/// The words of tens from thirty on.
const TENS: [&str; 7] = [
    "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety",
];

/// The number below a hundred that a text begins with, and its length: `twelve`, `thirty-one`.
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

/// The same below a thousand, and dozens: `one hundred and five`, `a dozen`.
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

/// The whole number below a thousand whose words a text begins with, perhaps behind a word for the sign:
/// `twelve`, `minus five`.
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

/// Signs that are fractions.
const SIGNS: [(char, u32, u32); 18] = [
    ('½', 1, 2),
    ('⅓', 1, 3),
    ('⅔', 2, 3),
    ('¼', 1, 4),
    ('¾', 3, 4),
    ('⅕', 1, 5),
    ('⅖', 2, 5),
    ('⅗', 3, 5),
    ('⅘', 4, 5),
    ('⅙', 1, 6),
    ('⅚', 5, 6),
    ('⅐', 1, 7),
    ('⅛', 1, 8),
    ('⅜', 3, 8),
    ('⅝', 5, 8),
    ('⅞', 7, 8),
    ('⅑', 1, 9),
    ('⅒', 1, 10),
];

/// The divisors of usual fractions. Others are months and days, as in `12/25`, or a count of
/// something.
const DIVISORS: [u32; 14] = [2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 16, 20, 32, 64];

/// The divisors of more than one: `3/2`, but not `24/7`.
const SMALL_DIVISORS: [u32; 4] = [2, 3, 4, 8];

/// The fraction that a text begins with, perhaps behind whole ones: `1/2`, `½`, `1 1/2`, `1½`.
///
/// It is in lowest terms, which `8/10` and `2/4` are not: they are ratings, or counts of what is done.
pub(super) fn leading_fraction(text: &str) -> Option<Written> {
    let digits = |from: usize| {
        let rest = text.get(from..).unwrap_or_default();
        rest.bytes().take_while(u8::is_ascii_digit).count()
    };
    let first = digits(0);
    let mut next = text.get(first..)?.chars();
    let mut at = first;
    let mut sign = next.next()?;
    if sign == ' ' && first > 0 {
        at += 1;
        sign = next.next()?;
    }
    let named = |at: usize, (over, under): (u32, u32), whole: u32| Written {
        number: quotient(whole, over, under),
        length: at,
    };
    if let Some((_, over, under)) = SIGNS.iter().find(|(known, ..)| *known == sign) {
        let whole = number(&text[..first], 6)?;
        return Some(named(at + sign.len_utf8(), (*over, *under), whole));
    }
    let (whole, over, bar) = match at > first {
        true => {
            let over = digits(at);
            (&text[..first], &text[at..at + over], at + over)
        }
        false => ("", &text[..first], first),
    };
    let sign = text[bar..].chars().next()?;
    if !matches!(sign, '/' | '⁄') || over.is_empty() || over.starts_with('0') {
        return None;
    }
    let start = bar + sign.len_utf8();
    let end = start + digits(start);
    let (above, under) = (number(over, 2)?, number(&text[start..end], 2)?);
    let is_known = match above < under {
        true => DIVISORS.contains(&under),
        false => whole.is_empty() && SMALL_DIVISORS.contains(&under),
    };
    let is_lowest = (2..=under).all(|by| !above.is_multiple_of(by) || !under.is_multiple_of(by));
    (is_known && is_lowest).then(|| Some(named(end, (above, under), number(whole, 6)?)))?
}

/// The number that digits are, of which there are not too many; none of them are nothing.
fn number(digits: &str, most: usize) -> Option<u32> {
    match digits.len() {
        0 => Some(0),
        length if length <= most => digits.parse().ok(),
        _ => None,
    }
}

/// Whole ones and a fraction as a decimal number: all its digits, or as many as a double has.
fn quotient(whole: u32, over: u32, under: u32) -> String {
    const DECIMALS: u32 = 1_000_000;
    if !DECIMALS.is_multiple_of(under) {
        return (f64::from(whole) + f64::from(over) / f64::from(under)).to_string();
    }
    let whole = whole + over / under;
    let decimals = format!("{:06}", over % under * (DECIMALS / under));
    format!("{whole}.{}", decimals.trim_end_matches('0'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fractions_are_what_people_divide_by() {
        for (text, number, rest) in [
            ("1/2", "0.5", ""),
            ("1/3", "0.3333333333333333", ""),
            ("3/8 kg", "0.375", " kg"),
            ("5/64", "0.078125", ""),
            ("7/10", "0.7", ""),
            ("3/2", "1.5", ""),
            ("1 1/2", "1.5", ""),
            ("12 2/3", "12.666666666666666", ""),
            ("1½", "1.5", ""),
            ("2 ⅓", "2.3333333333333335", ""),
            ("⅛", "0.125", ""),
            ("1⁄4", "0.25", ""),
        ] {
            let read = leading_fraction(text).unwrap_or_else(|| panic!("{text}"));
            assert_eq!(
                (&*read.number, &text[read.length..]),
                (number, rest),
                "{text}"
            );
        }
        for text in [
            "", "1", "1/", "/2", "2/4", "8/10", "10/10", "24/7", "12/25", "0/2", "1/0", "1/1", "5",
            "1 2", "01/02", "100/200", "2 3/2", "1 ", "a/2",
        ] {
            assert!(leading_fraction(text).is_none(), "{text}");
        }
    }

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

//! Numbers without the digits of their value: in words, and as fractions.

use crate::base::number_words::number_word;

/// A number at the beginning of a text.
pub(super) struct Written {
    pub(super) number: String,
    /// How many bytes of the text it takes.
    pub(super) length: usize,
}

/// The whole number up to twenty whose word a text begins with, perhaps behind a word for the sign:
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
    let length = rest.bytes().take_while(u8::is_ascii_alphabetic).count();
    let word = &rest[..length];
    let value = number_word(word)?;
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

/// What people divide by. Others are months and days, as in `12/25`, or a count of something.
const DIVISORS: [u32; 14] = [2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 16, 20, 32, 64];

/// What more than one is divided by: `3/2`, but not `24/7`.
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
        ] {
            let read = leading_word(text).unwrap_or_else(|| panic!("{text}"));
            assert_eq!(
                (&*read.number, &text[read.length..]),
                (number, rest),
                "{text}"
            );
        }
        for text in ["", "thirty", "twelfth", "minus", "a", "onerous", "minus 5"] {
            assert!(leading_word(text).is_none(), "{text}");
        }
    }
}

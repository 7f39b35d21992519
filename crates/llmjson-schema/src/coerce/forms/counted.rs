//! Numbers whose meaning depends on their place: `7/10` where ten is the maximum, `3rd` for a rank,
//! `7 points` for `points`; and powers of ten.

use llmjson_syntax::Class;

use super::quantity::Quantity;
use super::{number, numeral};
use crate::base::words;
use crate::ir::names::fold::is_in;
use crate::ir::names::parts;

/// Length beyond which strings contain more.
const BYTES_MAX: usize = 48;

/// Last words of keys for ranks, and for numbered things.
const ORDERED: &str = "rank ranking place position number no num index order chapter section \
    volume part page step stage phase level issue id";

/// Words before a number that introduce it.
const BEFORE: &str = "# no. no nr. № number num.";

/// Words for the points of a rating.
const POINTS: &str = "star stars point points pts pt";

/// Returns the number that a string means at a place with that key and maximum, and its certainty.
pub(super) fn read(text: &str, name: &str, most: Option<&str>) -> Option<Quantity> {
    let (number, class) = counted(text.trim(), name, most)?;
    Some(Quantity::written(number, class))
}

fn counted(text: &str, name: &str, most: Option<&str>) -> Option<(String, Class)> {
    if text.is_empty() || text.len() > BYTES_MAX {
        return None;
    }
    if let Some(number) = power(text) {
        return Some((number, Class::Likely));
    }
    if let Some(number) = most.and_then(|most| out_of(text, most)) {
        return Some((number, Class::Likely));
    }
    let names = parts::words(name);
    let last = names.last()?;
    if let Some((number, thing)) = text.split_once(' ') {
        let is_own = is_one_of(thing, last) || most.is_some() && is_in(POINTS, thing);
        if let Some(number) = number::plain(number).filter(|_| is_own) {
            return Some((number.into_owned(), Class::Likely));
        }
    }
    if !is_in(ORDERED, last) {
        return None;
    }
    let folded = text.to_lowercase();
    // `Chapter 4`
    let own = BEFORE.split(' ').chain([&**last]);
    let mut bare = own.filter_map(|word| folded.strip_prefix(word).map(str::trim_start));
    let is_digits = |text: &str| text.len() < 10 && number::integral(text).is_some();
    if let Some(digits) =
        bare.find(|rest| rest.starts_with(|first: char| first.is_ascii_digit()) && is_digits(rest))
    {
        return Some((digits.to_owned(), Class::Likely));
    }
    let word = folded.strip_suffix(&**last).map_or(&*folded, str::trim_end);
    let place = words::ordinal(word).map(|place| place.to_string());
    if let Some(number) = place.or_else(|| ordinal(word)) {
        return Some((number, Class::Likely));
    }
    let is_roman = text.chars().all(|digit| "CLXVI".contains(digit));
    let mut numbers = (1..400).filter(|_| is_roman);
    let number = numbers.find(|number| roman(*number) == text)?;
    Some((number.to_string(), Class::Guess))
}

/// `10^6`, `2×10^3`, `1.5 x 10⁶`
fn power(text: &str) -> Option<String> {
    const RAISED: &str = "⁰¹²³⁴⁵⁶⁷⁸⁹";
    let (factor, rest) = match text.split_once(['×', 'x', '*', '·']) {
        Some((factor, rest)) => (factor.trim(), rest.trim()),
        None => ("1", text),
    };
    let rest = rest.strip_prefix("10")?;
    let exponent = match rest.strip_prefix("**").or_else(|| rest.strip_prefix('^')) {
        Some(exponent) => exponent.trim_matches(['{', '}']).replace('−', "-"),
        None => rest
            .chars()
            .map(|sign| match sign {
                '⁻' => Some('-'),
                _ => char::from_digit(RAISED.chars().position(|one| one == sign)? as u32, 10),
            })
            .collect::<Option<String>>()?,
    };
    let digits = exponent.strip_prefix('-').unwrap_or(&exponent);
    if !(1..=3).contains(&digits.len()) || factor.contains(['e', 'E']) {
        return None;
    }
    let number = number::plain(factor)?;
    let number = number::plain(&[&*number, "e", &exponent].concat())?.into_owned();
    number::integral(&number).or(Some(number))
}

/// `7/10` and `7 out of 10` where ten is the maximum, `★★★★☆` where five is.
fn out_of(text: &str, most: &str) -> Option<String> {
    let stars = text.chars().filter(|sign| *sign != '\u{fe0f}');
    if stars.clone().all(|sign| matches!(sign, '★' | '⭐' | '☆')) {
        let full = stars.clone().filter(|sign| *sign != '☆').count();
        return (stars.count().to_string() == most).then(|| full.to_string());
    }
    let text = text.trim_end_matches(|sign: char| sign.is_alphabetic() || sign == ' ');
    let (number, all) = (text.split_once('/')).or_else(|| text.split_once(" out of "))?;
    let (number, all) = (number::plain(number.trim())?, number::plain(all.trim())?);
    let is_all = all == number::plain(most)?;
    is_all.then(|| number.into_owned())
}

/// `3rd`
fn ordinal(word: &str) -> Option<String> {
    let numeral = numeral::leading(word)?;
    let end = match numeral.number.as_bytes() {
        [.., b'1', b'1'..=b'3'] => "th",
        [.., b'1'] => "st",
        [.., b'2'] => "nd",
        [.., b'3'] => "rd",
        _ => "th",
    };
    (word.get(numeral.length..) == Some(end)).then_some(numeral.number)
}

/// A Roman numeral in its usual form.
fn roman(number: u32) -> String {
    const DIGITS: [&str; 9] = ["C", "XC", "L", "XL", "X", "IX", "V", "IV", "I"];
    const VALUES: [u32; 9] = [100, 90, 50, 40, 10, 9, 5, 4, 1];
    let (mut rest, mut text) = (number, String::new());
    for (value, digit) in VALUES.into_iter().zip(DIGITS) {
        text += &digit.repeat((rest / value) as usize);
        rest %= value;
    }
    text
}

/// Returns `true` if a string is a word, or its singular or plural.
fn is_one_of(text: &str, word: &str) -> bool {
    let text = text.to_lowercase();
    let bare = |text: &str| text.strip_suffix('s').unwrap_or(text).to_owned();
    word.len() > 2 && word != "count" && bare(&text) == bare(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_place_says_what_a_number_counts() {
        for (text, name, most, wanted) in [
            ("10^6", "v", None, "1000000"),
            ("2×10^3", "v", None, "2000"),
            ("1.5 x 10⁶", "v", None, "1500000"),
            ("2 × 10⁻³", "v", None, "2e-3"),
            ("7/10", "score", Some("10"), "7"),
            ("8.5/10", "score", Some("10"), "8.5"),
            ("7 out of 10", "v", Some("10"), "7"),
            ("4/5 stars", "v", Some("5"), "4"),
            ("★★★★☆", "rating", Some("5"), "4"),
            ("4 stars", "rating", Some("5"), "4"),
            ("7 points", "points", None, "7"),
            ("5 items", "item_count", None, ""),
            ("#3", "rank", None, "3"),
            ("No. 5", "number", None, "5"),
            ("№ 5", "issue_number", None, "5"),
            ("3rd", "rank", None, "3"),
            ("11th place", "place", None, "11"),
            ("third", "position", None, "3"),
            ("IV", "chapter", None, "4"),
            ("Chapter 4", "chapter", None, "4"),
            ("XLIX", "volume", None, "49"),
            ("3th", "rank", None, ""),
            ("IIII", "chapter", None, ""),
            ("3rd", "amount", None, ""),
            ("#3", "amount", None, ""),
            ("7/10", "score", Some("20"), ""),
            ("7/10", "score", None, ""),
            ("★★★", "rating", Some("5"), ""),
            ("4 stars", "nights", None, ""),
            ("A12", "number", None, ""),
            ("5-6", "number", None, ""),
            ("3^10", "v", None, ""),
        ] {
            let read = read(text, name, most);
            assert_eq!(
                read.map_or(String::new(), |read| read.number),
                wanted,
                "{text}"
            );
        }
    }
}

//! Numbers whose meaning depends on their place: `7/10` where ten is the maximum, `3rd` for a rank,
//! `7 points` for `points`.

use llmjson_syntax::Class;

use super::hints::Hints;
use super::quantity::{self, Quantity};
use super::{number, numeral};
use crate::base::words;
use crate::ir::names::fold::is_in;
use crate::ir::names::parts::{self, is_one_of};

/// Length beyond which strings contain more.
const BYTES_MAX: usize = 48;

/// Last words of keys for ranks, and for numbered things.
const ORDERED: &str = "rank ranking place position number no num index order chapter section \
    volume part page step stage phase level issue id";

/// Words before a number that introduce it.
const BEFORE: &str = "# no. no nr. № number num.";

/// Words for the points of a rating.
const POINTS: &str = "star stars point points pts pt";

/// Returns the number that a string means at a place with that key and maximum.
pub(super) fn read(text: &str, name: &str, most: Option<&str>) -> Option<Quantity> {
    let text = text.trim();
    if text.is_empty() || text.len() > BYTES_MAX {
        return None;
    }
    if let Some(number) = most.and_then(|most| out_of(text, most)) {
        return Some(Quantity::written(number, Class::Likely));
    }
    let names = parts::words(name);
    let last = names.last()?;
    // `10,000 steps` for `steps`, `4.5 stars` out of a maximum.
    if let Some((number, thing)) = text.rsplit_once(' ') {
        let thing = thing.to_lowercase();
        let is_same = is_one_of(&thing, last) || is_one_of(last, &thing);
        let is_own = is_same && last.len() > 2 && last != "count";
        if (is_own || most.is_some() && is_in(POINTS, &thing))
            && let Some(read) = quantity::read(number, Hints::default)
        {
            return Some(read);
        }
    }
    let (number, class) = placed(text, last)?;
    Some(Quantity::written(number, class))
}

/// Returns the place in an order that a string means.
fn placed(text: &str, last: &str) -> Option<(String, Class)> {
    if !is_in(ORDERED, last) {
        return None;
    }
    let folded = text.to_lowercase();
    // `Chapter 4`
    let own = BEFORE.split(' ').chain([last]);
    let mut bare = own.filter_map(|word| folded.strip_prefix(word).map(str::trim_start));
    let is_digits = |text: &str| text.len() < 10 && number::integral(text).is_some();
    if let Some(digits) =
        bare.find(|rest| rest.starts_with(|first: char| first.is_ascii_digit()) && is_digits(rest))
    {
        return Some((digits.to_owned(), Class::Likely));
    }
    let word = folded.strip_suffix(last).map_or(&*folded, str::trim_end);
    let place = words::ordinal(word).map(|place| place.to_string());
    if let Some(number) = place.or_else(|| ordinal(word)) {
        return Some((number, Class::Likely));
    }
    let is_roman = text.chars().all(|digit| "CLXVI".contains(digit));
    let mut numbers = (1..400).filter(|_| is_roman);
    let number = numbers.find(|number| roman(*number) == text)?;
    Some((number.to_string(), Class::Guess))
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
    is_all.then_some(number)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_place_says_what_a_number_counts() {
        for (text, name, most, wanted) in [
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

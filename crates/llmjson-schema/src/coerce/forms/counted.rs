//! Numbers whose meaning depends on their place: `7/10` where ten is the maximum, `3rd` for a rank.

use llmjson_syntax::Class;

use super::number;
use super::quantity::Place;
use crate::base::fold::{fold, is_in};
use crate::base::tokens::{Token, sort, tokens};
use crate::base::words;

/// Last words of keys for ranks, and for numbered things.
const ORDERED: &str = "rank ranking place position number no num index order chapter section \
    volume part page step stage phase level issue id";

fn is_ordered(place: &Place<'_>) -> bool {
    place.own.last().is_some_and(|last| is_in(ORDERED, last))
}

/// Returns `true` if a word is for the points of a rating.
pub(super) fn is_point(word: &str) -> bool {
    is_in("star stars point points pts pt ⭐", word)
}

/// Returns `true` if a word before a number says that it is a place in an order: `#3`, `No. 3`.
pub(super) fn introduces(word: &Token<'_>, place: &Place<'_>) -> bool {
    is_ordered(place) && is_in("# no nr № number num 第", word.text.trim_end_matches('.'))
}

/// Returns how many words directly after a number say what it counts: the end of an ordinal, as in `3rd`,
/// or the maximum, as in `7/10` and `7 out of 10`.
pub(super) fn after(words: &[Token<'_>], number: &str, place: &Place<'_>) -> usize {
    let word = |at: usize| words.get(at).map_or("", |word| &*word.text);
    let is_ordinal = || {
        let end = match number.as_bytes() {
            [.., b'1', b'1'..=b'3'] => "th",
            [.., b'1'] => "st",
            [.., b'2'] => "nd",
            [.., b'3'] => "rd",
            _ => "th",
        };
        word(0) == end || is_in("º ª er eme e й я 位 위", word(0))
    };
    let joint = match word(0) {
        "out" if word(1) == "of" => 2,
        "/" | "of" | "von" | "sur" | "de" | "из" => 1,
        _ => 0,
    };
    let most = place.most.filter(|_| joint > 0).and_then(number::plain);
    match most {
        Some(most) if word(joint) == most => joint + 1,
        _ => usize::from(is_ordered(place) && is_ordinal()),
    }
}

/// Returns the number that a string without digits means at a place: `★★★★☆` where five is the maximum,
/// `third` and `IV` in an order.
pub(super) fn without_digits(text: &str, place: &Place<'_>) -> Option<(String, Class)> {
    let stars = text.chars().filter(|sign| *sign != '\u{fe0f}');
    if stars.clone().all(|sign| matches!(sign, '★' | '⭐' | '☆')) {
        let full = stars.clone().filter(|sign| *sign != '☆').count();
        let is_all = !text.is_empty() && place.most == Some(&*stars.count().to_string());
        return is_all.then(|| (full.to_string(), Class::Likely));
    }
    let words = tokens(text, sort);
    let mut others = words.iter().filter(|word| !place.is_own(&word.text));
    let word = others.next().filter(|_| is_ordered(place))?;
    if others.next().is_some() {
        return None;
    }
    if let Some(place) = words::ordinal(&fold(word.raw)) {
        return Some((place.to_string(), Class::Likely));
    }
    let is_roman = word.raw.chars().all(|digit| "CLXVI".contains(digit));
    let mut numbers = (1..400).filter(|_| is_roman);
    let number = numbers.find(|number| roman(*number) == word.raw)?;
    Some((number.to_string(), Class::Guess))
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
    use super::super::quantity;
    use super::*;
    use crate::ir::names::parts::words;

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
            ("5 items", "item_count", None, "5"),
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
            let own = words(name);
            let place = Place {
                own: &own,
                most,
                ..Place::UNKNOWN
            };
            let read = quantity::read(text, &place);
            assert_eq!(
                read.map_or(String::new(), |read| read.number),
                wanted,
                "{text}"
            );
        }
    }
}

//! Numbers in words, below a thousand.

use std::borrow::Cow;

use crate::base::tokens::{Sort, Token, sort, tokens};
use crate::base::words;

/// Characters that are each a number: `二十五`.
const CHARACTERS: &str = "零〇一二两三四五六七八九十百일이삼사오육칠팔구십백";

/// The number that a word is by itself, or in German as a unit before its ten: `einundzwanzig`.
fn number(word: &str) -> Option<usize> {
    let compound = || {
        let (unit, ten) = word.split_once("und")?;
        let (unit, ten) = (words::number(unit)?, words::number(ten)?);
        (unit < 10 && ten >= 20).then_some(unit + ten)
    };
    words::number(word).or_else(compound)
}

/// The number in words with which a text begins, and the text after it: `thirty-one`, `one hundred and five`,
/// `a dozen`, `vinte e cinco`.
pub(super) fn leading(text: &str) -> Option<(String, &str)> {
    let tokens = tokens(text, |letter| match CHARACTERS.contains(letter) {
        true => Sort::Symbol,
        false => sort(letter),
    });
    let is_character = |token: &Token<'_>| CHARACTERS.contains(token.raw);
    let word = |at: usize| {
        tokens
            .get(at)
            .map_or(Cow::default(), |token| token.text.clone())
    };
    let first = word(0);
    let one = Some(1).filter(|_| first == "a");
    let hundred = || words::is_hundred(&first).then_some(100);
    let mut value = one.or_else(|| number(&first)).or_else(hundred)?;
    let mut end = 1;
    loop {
        let is_joined = word(end) == "-" || words::is_joint(&word(end));
        let at = end + usize::from(is_joined);
        let Some(next) = tokens.get(at).filter(|next| !next.is_number()) else {
            break;
        };
        // `двадцать пять` and `二十五` need no word between them, `twenty one` may be two numbers.
        let is_close = is_joined || !next.raw.is_ascii();
        value = match number(&next.text) {
            Some(10) if is_character(next) && (1..10).contains(&(value % 100)) => {
                value + 9 * (value % 100)
            }
            Some(unit @ 1..10) if value >= 10 && value % 10 == 0 && is_character(next) => {
                value + unit
            }
            Some(unit @ 1..10) if is_close && value % 100 >= 20 && value % 10 == 0 => value + unit,
            Some(more @ 1..) if value >= 100 && value % 100 == 0 => value + more,
            _ if !is_joined && words::is_hundred(&next.text) && value < 10 => 100 * value,
            _ if !is_joined && next.text == "dozen" => {
                return Some(((12 * value).to_string(), &text[next.end()..]));
            }
            _ => break,
        };
        end = at + 1;
    }
    let last = &tokens[end - 1];
    let rest = &text[last.end()..];
    let is_whole =
        is_character(last) || !rest.starts_with(|next: char| next.is_alphanumeric() || next == '-');
    let is_number = is_whole
        && (one.is_none() || value > 1)
        && !(end == 1 && hundred().is_some() && !is_character(last));
    is_number.then(|| (value.to_string(), rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_begin_a_text_as_a_whole() {
        for (text, number, rest) in [
            ("twelve", "12", ""),
            ("Twenty.", "20", "."),
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
            ("fünfundzwanzig", "25", ""),
            ("trente et un", "31", ""),
            ("vinte e cinco", "25", ""),
            ("двадцать пять", "25", ""),
            ("二十五", "25", ""),
            ("百二十", "120", ""),
            ("三百", "300", ""),
            ("이십오", "25", ""),
            ("三千", "3", "千"),
        ] {
            let read = leading(text);
            assert_eq!(read, Some((number.to_owned(), rest)), "{text}");
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
            "twenty-first",
        ] {
            assert!(leading(text).is_none(), "{text}");
        }
    }
}

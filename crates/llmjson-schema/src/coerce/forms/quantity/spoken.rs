//! Numbers in words, in English below a thousand.

use crate::base::words;

/// The word with which a text begins, in lower case, and the text after it.
fn word(text: &str) -> (String, &str) {
    let end = text.find(|letter: char| !letter.is_alphabetic());
    let (word, rest) = text.split_at(end.unwrap_or(text.len()));
    (word.to_lowercase(), rest)
}

/// `twelve`, `thirty-one`
fn below_hundred(text: &str) -> Option<(usize, &str)> {
    let (first, rest) = word(text);
    let value = words::number(&first)?;
    let unit = rest.strip_prefix('-').filter(|_| value >= 20).map(word);
    Some(
        match unit.and_then(|(unit, rest)| Some((words::number(&unit)?, rest))) {
            Some((unit @ 1..10, rest)) => (value + unit, rest),
            _ => (value, rest),
        },
    )
}

/// `one hundred and five`, `a dozen`
fn below_thousand(text: &str) -> Option<(usize, &str)> {
    let (first, rest) = word(text);
    let is_one = first == "a";
    let (value, rest) = if is_one {
        (1, rest)
    } else {
        below_hundred(text)?
    };
    let (scale, after) = word(rest.strip_prefix(' ').unwrap_or_default());
    match &*scale {
        "dozen" => return Some((12 * value, after)),
        "hundred" if value < 10 => {}
        _ => return (!is_one).then_some((value, rest)),
    }
    let more = after.strip_prefix(' ').unwrap_or_default();
    match below_hundred(more.strip_prefix("and ").unwrap_or(more)) {
        Some((more @ 1.., rest)) => Some((100 * value + more, rest)),
        _ => Some((100 * value, after)),
    }
}

/// The number in words with which a text begins, possibly after a word for minus, and the text
/// after it.
pub(super) fn leading(text: &str) -> Option<(String, &str)> {
    let (first, rest) = word(text);
    let is_negative = matches!(&*first, "minus" | "negative");
    let text = if is_negative {
        rest.strip_prefix(' ')?
    } else {
        text
    };
    let (value, rest) = below_thousand(text)?;
    let sign = if is_negative && value > 0 { "-" } else { "" };
    Some((format!("{sign}{value}"), rest))
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
        ] {
            assert!(leading(text).is_none(), "{text}");
        }
    }
}

//! Numbers in words, in English below a thousand.

use crate::base::words;

/// The word with which a text begins, in lower case, and the text after it.
fn word(text: &str) -> (String, &str) {
    let end = text.find(|letter: char| !letter.is_alphabetic());
    let (word, rest) = text.split_at(end.unwrap_or(text.len()));
    (word.to_lowercase(), rest)
}

/// The number in words with which a text begins, possibly after a word for minus, and the text
/// after it: `minus five`, `thirty-one`, `one hundred and five`, `a dozen`.
pub(super) fn leading(text: &str) -> Option<(String, &str)> {
    let (first, rest) = word(text);
    let is_negative = matches!(&*first, "minus" | "negative");
    let text = rest
        .strip_prefix(' ')
        .filter(|_| is_negative)
        .unwrap_or(text);
    let (first, mut rest) = word(text);
    let one = Some(1).filter(|_| first == "a");
    let mut value = one.or_else(|| words::number(&first))?;
    loop {
        let gap = ["-", " and ", " "]
            .into_iter()
            .find(|gap| rest.starts_with(gap));
        let (next, after) = word(&rest[gap.map_or(0, str::len)..]);
        let number = words::number(&next);
        value = match (gap, &*next, number) {
            (Some("-"), _, Some(unit @ 1..10)) if value >= 20 && value % 10 == 0 => value + unit,
            (Some(" and " | " "), _, Some(more @ 1..)) if value > 0 && value % 100 == 0 => {
                value + more
            }
            (Some(" "), "hundred", _) if value < 10 => 100 * value,
            (Some(" "), "dozen", _) => return Some(((12 * value).to_string(), after)),
            _ => break,
        };
        rest = after;
    }
    let sign = if is_negative && value > 0 { "-" } else { "" };
    (one.is_none() || value > 1).then(|| (format!("{sign}{value}"), rest))
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

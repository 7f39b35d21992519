//! Numbers.

use super::{Form, NUMBER, form, none};
use llmjson_testutil::Rng;

/// A number with up to two decimals.
pub(super) fn decimal(rng: &mut Rng) -> String {
    let whole = rng.below(1000);
    match rng.below(3) {
        0 => whole.to_string(),
        1 => format!("{whole}.{}", rng.between(1, 9)),
        _ => format!("{whole}.{:02}", rng.between(1, 99)),
    }
}

pub(super) fn unit(rng: &mut Rng) -> Form {
    let number = decimal(rng);
    let sign = rng.pick(&["", "", "", "-"]);
    let (schema, before, behind) = rng.pick(&[
        (NUMBER, "", "kg"),
        (NUMBER, "", " km"),
        (NUMBER, "", " ms"),
        (NUMBER, "", "%"),
        (NUMBER, "", " °C"),
        (NUMBER, "", " GB"),
        (NUMBER, "", " minutes"),
        (NUMBER, "", " euros"),
        (NUMBER, "$", ""),
        (NUMBER, "€", ""),
        (NUMBER, "USD ", ""),
        (NUMBER, "", " EUR"),
        (NUMBER, "", " km/h"),
        (r#"{"type":"number","description":"Mass in kg"}"#, "", " kg"),
        (r#"{"type":"number","x-unit":"EUR"}"#, "€", ""),
    ]);
    form(
        schema,
        &format!("{sign}{before}{number}{behind}"),
        &format!("{sign}{number}"),
    )
}

pub(super) fn no_unit(rng: &mut Rng) -> Form {
    let number = decimal(rng);
    let (schema, behind) = rng.pick(&[
        (NUMBER, " apples"),
        (NUMBER, " of 5"),
        (NUMBER, " people"),
        (NUMBER, " kg or more"),
        (NUMBER, " ft 5 in"),
        (NUMBER, "-20 kg"),
        (NUMBER, " to 900 km"),
        (r#"{"type":"number","description":"Mass in kg"}"#, " lbs"),
        (r#"{"type":"number","x-unit":"EUR"}"#, " USD"),
        (r#"{"type":"number","maximum":1}"#, "%"),
    ]);
    none(schema, &format!("{number}{behind}"))
}

/// Digits in groups of three, or as in India.
pub(super) fn groups(number: &str, sign: &str, indian: bool) -> String {
    let mut out = String::new();
    let length = number.len();
    for (at, digit) in number.chars().enumerate() {
        let left = length - at;
        let ends = match indian {
            true => left == 3 || left > 3 && (left - 3).is_multiple_of(2),
            false => left.is_multiple_of(3),
        };
        if at > 0 && ends {
            out.push_str(sign);
        }
        out.push(digit);
    }
    out
}

pub(super) fn country(rng: &mut Rng) -> Form {
    let whole = rng.between(1_000_000, 999_999_999).to_string();
    let cents = format!("{:02}", rng.between(1, 99));
    let full = format!("{whole}.{cents}");
    let money = rng.pick(&["", " €", " EUR"]);
    let (text, meant) = match rng.below(6) {
        0 => (
            format!("{},{cents}{money}", groups(&whole, ".", false)),
            full,
        ),
        1 => (
            format!("{},{cents}{money}", groups(&whole, " ", false)),
            full,
        ),
        2 => (format!("{}.{cents}", groups(&whole, "'", false)), full),
        3 => (groups(&whole, ",", true), whole),
        4 => (groups(&whole, "_", false), whole),
        _ => (groups(&whole, " ", false), whole),
    };
    form(NUMBER, &text, &meant)
}

pub(super) fn no_number(rng: &mut Rng) -> Form {
    let (one, two) = (rng.between(2, 99), rng.between(100, 999));
    let text = match rng.below(14) {
        12 => format!("{one}{}", rng.pick(&["A", "B", "C", "F", "N", "V", "W"])),
        13 => format!("{two}{}{one}", rng.pick(&["A", "M", "k", "kg"])),
        0 => format!("{one}-{two}"),
        1 => format!("{one} of {two}"),
        2 => format!("{one}.{two}.{one}"),
        3 => format!("2026-{:02}-{:02}", rng.between(1, 12), rng.between(1, 28)),
        4 => format!("AB-{two}"),
        5 => format!("+1 {two} 555 {two}0"),
        6 => format!("{two}-{two}-{two}1"),
        7 => format!("X{two}"),
        8 => format!("{one}:{two}"),
        9 => format!("{one} or {two}"),
        10 => format!("at least {two}"),
        _ => format!("{one}, {two}, {one}"),
    };
    none(NUMBER, &text)
}

pub(super) fn script(rng: &mut Rng) -> Form {
    let zero = rng.pick(&['\u{660}', '\u{6f0}', '\u{966}', '\u{ff10}']);
    let number = decimal(rng);
    let digits = number.chars().map(|digit| match digit.to_digit(10) {
        Some(value) => char::from_u32(zero as u32 + value).unwrap_or(digit),
        None => digit,
    });
    form(NUMBER, &digits.collect::<String>(), &number)
}

pub(super) fn magnitude(rng: &mut Rng) -> Form {
    const WORDS: [&str; 6] = ["zero", "three", "seven", "twelve", "fifteen", "Twenty"];
    let count = rng.between(1, 99);
    let thousand = format!("{count}000");
    let million = format!("{count}000000");
    match rng.below(6) {
        0 => form(NUMBER, &format!("{count}k"), &thousand),
        1 => form(NUMBER, &format!("{count} million"), &million),
        2 => form(NUMBER, &format!("${count}M"), &million),
        3 => form(NUMBER, &format!("{count}.5M"), &format!("{count}500000")),
        4 => form(NUMBER, &format!("~{count}"), &count.to_string()),
        _ => {
            let (at, meant) = rng.pick(&[
                (0, "0"),
                (1, "3"),
                (2, "7"),
                (3, "12"),
                (4, "15"),
                (5, "20"),
            ]);
            form(r#"{"type":"integer"}"#, WORDS[at], meant)
        }
    }
}

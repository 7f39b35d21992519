//! The words that documents are made of: names, prose in several languages, and texts that look
//! like something else.

use llmjson_testutil::Rng;
use llmjson_testutil::table::{Lines, lines};

const FILE: &str = include_str!("texts.txt");

static NAMES: Lines = Lines::new(|| lines(FILE, "names"));
static ODD_NAMES: Lines = Lines::new(|| lines(FILE, "odd names"));
static LANGUAGES: Lines = Lines::new(|| lines(FILE, "languages"));
static TRICKY: Lines = Lines::new(|| lines(FILE, "tricky"));
/// Several lines, as a model writes them into a report.
static LINES: Lines = Lines::new(|| lines(FILE, "lines"));
static NUMBERS: Lines = Lines::new(|| lines(FILE, "numbers"));

pub(crate) fn number(rng: &mut Rng) -> String {
    if rng.chance(40) {
        rng.below(100_000).to_string()
    } else {
        rng.pick(&NUMBERS).to_owned()
    }
}

/// A name that none of `taken` is.
pub(crate) fn name(rng: &mut Rng, taken: &[String]) -> String {
    loop {
        let names = if rng.chance(93) { &NAMES } else { &ODD_NAMES };
        let base = rng.pick(names);
        let name = match rng.below(12) {
            0 => format!("{base}{}", rng.below(10)),
            _ => base.to_owned(),
        };
        if !taken.contains(&name) {
            return name;
        }
    }
}

/// Some words of one language, with a comma and a full stop now and then.
pub(crate) fn prose(rng: &mut Rng) -> String {
    let words: Vec<_> = rng.pick(&LANGUAGES).split(' ').collect();
    let count = rng.between(1, 12);
    let mut text = String::new();
    for index in 0..count {
        text.push_str(rng.pick(&words));
        if index + 1 < count {
            text.push_str(if rng.chance(12) { ", " } else { " " });
        }
    }
    if count > 3 && rng.chance(50) {
        text.push_str(rng.pick(&[".", "!", "?"]));
    }
    text
}

pub(crate) fn text(rng: &mut Rng) -> String {
    match rng.below(20) {
        0..=12 => prose(rng),
        13 => rng.pick(&LINES).to_owned(),
        14 => format!("{} {}", prose(rng), rng.pick(&TRICKY)),
        15 => format!("{}: {}", rng.pick(&NAMES), prose(rng)),
        _ => rng.pick(&TRICKY).to_owned(),
    }
}

/// Words and spaces only, so that no other reading is near.
pub(crate) fn words_only(text: &str) -> bool {
    let keyword = ["true", "false", "null", "none", "undefined", "nan"];
    text.split(' ')
        .all(|word| !word.is_empty() && word.chars().all(char::is_alphabetic))
        && !keyword.contains(&text.to_lowercase().as_str())
}

/// Prose without quotes, brackets, colons, escapes or line breaks.
pub(crate) fn plain(text: &str) -> bool {
    text.starts_with(char::is_alphabetic)
        && !text.ends_with([' ', ','])
        && text.chars().all(|c| {
            c.is_alphanumeric() || c > '\u{2fff}' || matches!(c, ' ' | ',' | '.' | '!' | '?' | '-')
        })
}

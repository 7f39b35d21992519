//! Damage to names, numbers and keywords.

use crate::draft::{Draft, Kind, Token};
use crate::texts::words_only;
use llmjson_testutil::Rng;

/// Names without quotes, where they are names as programs have them.
pub(crate) fn unquoted_keys(draft: &mut Draft, rng: &mut Rng) -> Option<()> {
    let plain = |token: &Token| {
        let first = token
            .meant
            .starts_with(|c: char| c.is_alphabetic() || c == '_' || c == '$');
        let rest = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$');
        token.kind == Kind::Key && first && token.meant.chars().all(rest)
    };
    let all = rng.chance(60);
    let at = draft.choose(rng, |_, token| plain(token))?;
    for index in 0..draft.tokens.len() {
        let token = &draft.tokens[index];
        if plain(token) && !token.touched && (all || index == at) {
            let raw = token.meant.clone();
            draft.write(index, raw);
        }
    }
    Some(())
}

/// A text of words without quotes.
pub(crate) fn unquoted_string(draft: &mut Draft, rng: &mut Rng) -> Option<()> {
    let at = draft.choose(rng, |_, token| {
        token.kind == Kind::Text && words_only(&token.meant)
    })?;
    let raw = draft.tokens[at].meant.clone();
    draft.write(at, raw);
    Some(())
}

/// A member's text without quotes that begins or goes on like a comment.
pub(crate) fn like_comments(draft: &mut Draft, rng: &mut Rng) -> Option<()> {
    let text = |_, token: &Token| token.kind == Kind::Text && token.in_object;
    let at = draft.choose(rng, text)?;
    let meant = rng.pick(&[
        "#ff0000",
        "#fff",
        "#general",
        "#42",
        "#grün",
        "**/*.rs",
        "src/**/*.ts",
        "*/*",
        "/*.js",
        "/**/*.md",
        "text/*",
        "//cdn.example.org/x.js",
        "https://a.example//b",
    ]);
    draft.replace(at, Kind::Text, meant, meant);
    Some(())
}

fn spell(
    draft: &mut Draft,
    rng: &mut Rng,
    spelling: impl Fn(&mut Rng, &str) -> String,
) -> Option<()> {
    let all = rng.chance(60);
    let at = draft.choose(rng, |_, token| token.kind == Kind::Keyword)?;
    for index in 0..draft.tokens.len() {
        let token = &draft.tokens[index];
        if token.kind == Kind::Keyword && !token.touched && (all || index == at) {
            let raw = spelling(rng, &token.meant.clone());
            draft.write(index, raw);
        }
    }
    Some(())
}

/// `True`, `None`, `NULL` and the like.
pub(crate) fn keywords(draft: &mut Draft, rng: &mut Rng) -> Option<()> {
    let upper = rng.chance(30);
    spell(draft, rng, |_, word| match word {
        _ if upper => word.to_uppercase(),
        "true" => "True".to_owned(),
        "false" => "False".to_owned(),
        _ => "None".to_owned(),
    })
}

/// A keyword that lost its last letter.
pub(crate) fn short_keyword(draft: &mut Draft, rng: &mut Rng) -> Option<()> {
    let at = draft.choose(rng, |_, token| token.kind == Kind::Keyword)?;
    let raw = &draft.tokens[at].meant;
    let raw = raw[..raw.len() - 1].to_owned();
    draft.write(at, raw);
    Some(())
}

fn replaced(draft: &mut Draft, rng: &mut Rng, kind: Kind, raw: &str, meant: &str) -> Option<()> {
    let at = draft.choose(rng, |_, token| {
        matches!(token.kind, Kind::Number | Kind::Keyword)
    })?;
    draft.replace(at, kind, raw, meant);
    Some(())
}

/// `undefined` means null.
pub(crate) fn undefined(draft: &mut Draft, rng: &mut Rng) -> Option<()> {
    replaced(draft, rng, Kind::Keyword, "undefined", "null")
}

/// What JSON has no number for stays text.
pub(crate) fn not_a_number(draft: &mut Draft, rng: &mut Rng) -> Option<()> {
    let word = rng.pick(&["NaN", "Infinity", "-Infinity"]);
    replaced(draft, rng, Kind::Text, word, word)
}

/// Numbers as other languages spell them.
pub(crate) fn other_number(draft: &mut Draft, rng: &mut Rng) -> Option<()> {
    let (raw, meant) = rng.pick(&[
        ("+1", "1"),
        ("+3.5", "3.5"),
        (".5", "0.5"),
        ("-.25", "-0.25"),
        ("1.", "1"),
        ("0x1F", "31"),
        ("1_000", "1000"),
        ("1_000_000", "1000000"),
    ]);
    replaced(draft, rng, Kind::Number, raw, meant)
}

/// Codes, dates and fractions are no numbers and stay text.
pub(crate) fn number_as_text(draft: &mut Draft, rng: &mut Rng) -> Option<()> {
    let text = rng.pick(&[
        "007",
        "2024-05-17",
        "10-20",
        "1/3",
        "0.0.1",
        "00123",
        "192.168.0.1",
        "5kg",
        "50%",
    ]);
    replaced(draft, rng, Kind::Text, text, text)
}

/// A name with its colon, but no value: null.
pub(crate) fn missing_value(draft: &mut Draft, rng: &mut Rng) -> Option<()> {
    let at = draft.choose(rng, |_, token| token.is_scalar() && token.in_object)?;
    draft.replace(at, Kind::Keyword, "", "null");
    Some(())
}

/// A member's number with a comma before each group of three digits.
pub(crate) fn grouped_digits(draft: &mut Draft, rng: &mut Rng) -> Option<()> {
    let fits = |token: &Token| {
        token.kind == Kind::Number
            && token.in_object
            && !token.touched
            && grouped(&token.raw) != token.raw
    };
    let all = rng.chance(50);
    let at = draft.choose(rng, |_, token| fits(token))?;
    for index in 0..draft.tokens.len() {
        if fits(&draft.tokens[index]) && (all || index == at) {
            let raw = grouped(&draft.tokens[index].raw);
            draft.write(index, raw);
        }
    }
    Some(())
}

fn grouped(number: &str) -> String {
    let digits = number.trim_start_matches('-');
    let whole = digits
        .find(|c: char| !c.is_ascii_digit())
        .unwrap_or(digits.len());
    let mut out = number[..number.len() - digits.len()].to_owned();
    if digits[whole..].contains(['e', 'E']) {
        return number.to_owned();
    }
    for (at, digit) in digits[..whole].chars().enumerate() {
        if at > 0 && (whole - at) % 3 == 0 {
            out.push(',');
        }
        out.push(digit);
    }
    out + &digits[whole..]
}

//! Sentences after a value that contradict a member: "`age` should be 3", "Change `age` to 3."
//!
//! They count only if they differ from the value: a sentence that repeats the value does not
//! contradict it.

use crate::parser::look::quotes::{closers, quote_at};
use crate::reply::lexicon::{CHANGES, Cue};
use crate::reply::words::Sentence;
use crate::view::{Kind, ValueRef};
use crate::zones::lexicon::is_one_of;

/// Maximum number of names of a value that are looked for.
const NAMES_MAX: usize = 16;

/// Maximum number of words between a name and its other value.
const FAR: usize = 8;

/// Returns whether a sentence of a text gives a member of the value another value.
pub(crate) fn contradicts(sentence: &Sentence<'_>, text: &str, value: ValueRef<'_>) -> bool {
    let scalars = (1..sentence.len()).filter_map(|at| Some((at, scalar_at(sentence, at, text)?)));
    let mut scalars = scalars.peekable();
    // Most sentences have none.
    if scalars.peek().is_none() {
        return false;
    }
    let regrets = sentence.has(&[Cue::Wrong, Cue::Correction, Cue::Regret, Cue::Retraction]);
    let told = (0..sentence.len()).find(|&at| {
        let first = at == 0 || matches!(sentence.word(at - 1), "please" | "then" | "just" | "and");
        first && is_one_of(CHANGES, sentence.word(at))
    });
    scalars.any(|(at, other)| {
        let between = between(sentence, at, text);
        let equated = ["=", "->", "→"].iter().any(|sign| between.contains(sign));
        let said = sentence.cues.iter().any(|one| {
            let is = one.cue == Cue::Should || one.cue == Cue::Is && regrets;
            one.end == at && is
        });
        let changed =
            told.is_some_and(|told| told < at) && matches!(sentence.word(at - 1), "to" | "with");
        let from = if equated {
            at - 1
        } else {
            at.saturating_sub(FAR)
        };
        let differs = |name: &str| {
            let mut members = value.members().take(NAMES_MAX);
            let member = members.find(|(other, _)| other.eq_ignore_ascii_case(name));
            member.is_some_and(|(_, member)| !is(member, other))
        };
        (equated || said || changed) && (from..at).any(|name| differs(sentence.word(name)))
    })
}

/// Returns what stands between the word at a place and the one before: ` = ` before the last word of `age = 3`.
fn between<'t>(words: &Sentence<'_>, at: usize, text: &'t str) -> &'t str {
    let (before, start) = (words.offset(at - 1), words.offset(at));
    let (Some(before), Some(start)) = (before, start) else {
        return "";
    };
    let end = before + words.word(at - 1).len();
    text.get(end..start).unwrap_or_default()
}

/// Returns the word at a place if it is written as a value: a number, a keyword, a text in quotes.
fn scalar_at<'t>(words: &Sentence<'_>, at: usize, text: &'t str) -> Option<&'t str> {
    let start = words.offset(at)?;
    let rest = &text[start..];
    let before = text[..start].char_indices().next_back();
    if let Some((open, sign)) = before
        && sign != ' '
        && let Some(quote) = quote_at(text, open)
    {
        return rest.find(closers(quote)).map(|end| &rest[..end]);
    }
    let word = words.word(at);
    let number = word.starts_with(|c: char| c.is_ascii_digit());
    if !number && !matches!(word, "true" | "false" | "null" | "none") {
        return None;
    }
    let end = rest.find(|c: char| c.is_whitespace() || matches!(c, ',' | ';' | ')' | '!' | '?'));
    Some(rest[..end.unwrap_or(rest.len())].trim_end_matches('.'))
}

/// Returns whether a member has a value, or one that begins with it.
fn is(member: ValueRef<'_>, other: &str) -> bool {
    match member.kind() {
        Kind::String => member.as_str().is_some_and(|text| text.contains(other)),
        Kind::Number => member
            .as_number()
            .is_some_and(|number| number.trim_start_matches('-') == other),
        Kind::Bool => member.as_bool() == Some(other.eq_ignore_ascii_case("true")),
        Kind::Null => ["null", "none"]
            .iter()
            .any(|null| other.eq_ignore_ascii_case(null)),
        _ => false,
    }
}

//! Strings that hold one allowed value and decoration: `P1 - High`, `✅ high`, `high priority`. The
//! rest of the string must be words and characters that add no meaning, except for prose.

use std::cmp::Reverse;
use std::ops::Range;

use llmjson_syntax::Class;
use smallvec::SmallVec;

use crate::ir::names::fold::{is_in, push_folded};
use crate::ir::shape::{Shape, Types};

/// Length beyond which strings are prose.
const BYTES_MAX: usize = 96;
/// Maximum number of allowed values that are searched for.
const NAMES_MAX: usize = 256;

/// Length beyond which prose is not searched.
const PROSE_BYTES_MAX: usize = 64 * 1024;

/// Maximum number of allowed values that are searched for in prose.
const LITERALS_MAX: usize = 64;

/// Words of negation; the last is the end of `isn't`.
const DENIALS: [&str; 8] = [
    "not", "no", "never", "neither", "nor", "cannot", "without", "t",
];

/// Words next to a value that only introduce it.
const IDLE: &str = "answer category choice class final grade importance is letter level my option priority \
    rating report request selected severity status the type urgency value";

/// Characters that only decorate. Others negate, compare or ask.
const SIGNS: &str = "*_`\"“”‘’「」『』«»'.,:;()[]{}|!•·→-–—✅✔☑🔴🟠🟡🟢🔵⚪⚫⭐🔥\u{fe0f}";

/// A value that was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Choice<'l> {
    pub(super) value: &'l str,
    pub(super) class: Class,
}

/// Returns the only value whose name occurs in a text, if the rest is decoration. `names` are pairs of a name and its
/// value; `own` returns the words of the member's name with hyphens between them, which add no meaning.
pub(super) fn read<'l>(
    text: &str,
    names: impl Iterator<Item = (&'l str, &'l str)>,
    own: impl FnOnce() -> String,
) -> Option<Choice<'l>> {
    if text.len() > BYTES_MAX {
        return None;
    }
    // `<Level.HIGH: 3>`, as Python shows it
    let inner = text
        .trim()
        .strip_prefix('<')
        .and_then(|text| text.strip_suffix('>'));
    let (lead, tokens) = tokens(inner.unwrap_or(text));
    let gaps = tokens.iter().map(|token| token.gap);
    let is_plain = |letter: char| letter.is_whitespace() || SIGNS.contains(letter);
    // `!high` and `-1` mean something else, and `high-` is incomplete.
    let is_open = lead.contains(['!', '.']) || lead.ends_with(['-', '–', '—']);
    let is_cut = tokens.last()?.gap.contains(['-', '–', '—']);
    if is_open || is_cut || !gaps.chain([lead]).flat_map(str::chars).all(is_plain) {
        return None;
    }
    let found = named(&tokens, &by_length(names, NAMES_MAX)?);
    let (place, value) = found.first()?;
    let is_same = |(_, other): &(Range<usize>, &str)| other == value;
    let own = own();
    let is_idle = |token: &Token<'_>| {
        is_in(IDLE, &token.text) || own.split('-').any(|word| word == token.text)
    };
    let rest = (0..tokens.len()).filter(|at| !found.iter().any(|(place, _)| place.contains(at)));
    // A code with a separator: `P1 - High`, `2. High`.
    let is_code = |at: &usize| {
        let gap = tokens[if *at < place.start { *at } else { at - 1 }].gap;
        !tokens[*at].is_word() && gap.contains(' ')
    };
    let mut words = rest.filter(|at| !is_code(at)).peekable();
    let class = if words.peek().is_none() {
        Class::Likely
    } else {
        Class::Guess
    };
    (found.iter().all(is_same) && words.all(|at| is_idle(&tokens[at])))
        .then_some(Choice { value, class })
}

/// Returns names with their values, the longest first, or `None` if there are too many.
fn by_length<'l>(
    names: impl Iterator<Item = (&'l str, &'l str)>,
    most: usize,
) -> Option<Vec<(&'l str, &'l str)>> {
    let mut names: Vec<_> = names.take(most + 1).collect();
    names.sort_by_key(|(name, _)| Reverse(name.len()));
    (names.len() <= most).then_some(names)
}

/// Returns the places of names with their values. Of names that overlap, the one of more words
/// counts.
fn named<'l>(tokens: &[Token<'_>], names: &[(&'l str, &'l str)]) -> Vec<(Range<usize>, &'l str)> {
    let (mut found, mut longest) = (Vec::new(), vec![0; tokens.len()]);
    for (name, value) in names {
        for place in places(tokens, name) {
            let own = &mut longest[place.clone()];
            if own.iter().all(|length| *length <= place.len()) {
                own.fill(place.len());
                found.push((place, *value));
            }
        }
    }
    found
}

/// Returns the only allowed value in prose, for classification: `TWO` in `The answer is TWO.`
///
/// Opt-in, and a guess: the prose may mean something else. The value must be a whole word, without
/// a negation in its sentence. Of names that overlap, the longer one counts: `not spam` is not
/// `spam`.
pub(super) fn only_value<'l>(text: &str, shape: &'l Shape, wanted: Types) -> Option<&'l str> {
    let literals = shape.literals.as_ref();
    let takes_truth = literals.is_none() && wanted.meets(Types::BOOLEAN);
    let truths = [("true", "true"), ("false", "false")].into_iter();
    let is_text = |(_, text): &(&str, &str)| literals.is_none_or(|all| all.has_text(text));
    let names = shape.names().filter(is_text);
    let names = by_length(names.chain(truths.filter(|_| takes_truth)), LITERALS_MAX)?;
    let is_any_text = literals.is_none() && wanted.meets(Types::STRING);
    if text.len() > PROSE_BYTES_MAX || is_any_text {
        return None;
    }
    let mut only = None;
    let sentences = text
        .split(". ")
        .flat_map(|text| text.split(['!', '?', ';', '\n']));
    for sentence in sentences {
        let (_, tokens) = tokens(sentence);
        let found = named(&tokens, &names);
        let mut is_known = vec![false; tokens.len()];
        found
            .iter()
            .for_each(|(place, _)| is_known[place.clone()].fill(true));
        let denies =
            |(token, is_known): (&Token<'_>, &bool)| !is_known && DENIALS.contains(&&*token.text);
        let is_denied = || tokens.iter().zip(&is_known).any(denies);
        if found
            .iter()
            .any(|(_, value)| *only.get_or_insert(*value) != *value)
            || !found.is_empty() && is_denied()
        {
            return None;
        }
    }
    only
}

/// Returns the places where a name occurs as a whole.
fn places(all: &[Token<'_>], name: &str) -> impl Iterator<Item = Range<usize>> {
    let (lead, name_tokens) = tokens(name);
    // The point of `.NET` is not decoration.
    let is_bare = lead.is_empty() && name_tokens.last().is_some_and(|last| last.gap.is_empty());
    let names: SmallVec<[(String, bool); 4]> = name_tokens
        .iter()
        .map(|token| match name.chars().nth(1) {
            // A single letter also occurs as a word in other strings.
            None => (token.raw.to_owned(), true),
            Some(_) => (token.text.clone(), false),
        })
        .collect();
    let length = names.len();
    let places = if is_bare { all.len() } else { 0 };
    (0..places).filter_map(move |start| {
        let own = all.get(start..start + length)?;
        let (last, others) = own.split_last()?;
        let is_same = |(token, (name, is_raw)): (&Token<'_>, &(String, bool))| match is_raw {
            true => token.raw == name,
            false => token.text == *name,
        };
        let joins = |gap: &str| {
            gap.chars()
                .all(|sign| sign.is_whitespace() || "-_./:".contains(sign))
        };
        let is_part = |gap: &str| matches!(gap, "." | "/" | "-") && start + length < all.len();
        let is_idle = |token: &Token<'_>| is_in(IDLE, &token.text);
        let next = all.get(start + length);
        // `high-priority` is a priority, `high-water` is not.
        let is_cut = start > 0 && matches!(all[start - 1].gap, "." | "/" | "-" | "_")
            || is_part(last.gap) && !next.is_some_and(is_idle);
        let is_name =
            own.iter().zip(&names).all(is_same) && others.iter().all(|one| joins(one.gap));
        (is_name && !is_cut).then(|| start..start + length)
    })
}

/// A run of letters and digits.
#[derive(Debug)]
struct Token<'t> {
    /// The token without case and accents.
    text: String,
    raw: &'t str,
    /// The text between this token and the next.
    gap: &'t str,
}

impl Token<'_> {
    /// Returns `true` if it is meaningful: a code such as `P1` and a single letter are not.
    fn is_word(&self) -> bool {
        self.text.chars().nth(1).is_some() && !self.text.contains(char::is_numeric)
    }
}

/// Returns the text before the first token of a string, and the tokens.
fn tokens(text: &str) -> (&str, SmallVec<[Token<'_>; 4]>) {
    let is_part = |letter: char| letter.is_alphanumeric() || "#+@&%".contains(letter);
    let split = |text: &str, parts: bool| {
        text.find(|letter| is_part(letter) != parts)
            .unwrap_or(text.len())
    };
    let text = text.trim();
    let (lead, mut rest) = text.split_at(split(text, false));
    let mut tokens = SmallVec::new();
    while !rest.is_empty() {
        let (raw, behind) = rest.split_at(split(rest, true));
        let (gap, next) = behind.split_at(split(behind, false));
        let text = match raw.is_ascii() {
            true => raw.to_ascii_lowercase(),
            false => raw.chars().fold(String::new(), push_folded),
        };
        tokens.push(Token { text, raw, gap });
        rest = next;
    }
    (lead, tokens)
}

#[cfg(test)]
mod tests {
    use super::*;

    const LEVELS: &[&str] = &["low", "medium", "high", "urgent", "in_progress", "not_high"];

    #[test]
    fn one_value_among_decoration_is_meant() {
        use Class::{Guess, Likely};
        for (text, values, wanted) in [
            ("P1 - High", LEVELS, Some(("high", Likely))),
            ("**high**", LEVELS, Some(("high", Likely))),
            ("✅ in progress.", LEVELS, Some(("in_progress", Likely))),
            ("not high!", LEVELS, Some(("not_high", Likely))),
            ("high priority", LEVELS, Some(("high", Guess))),
            ("High-priority", LEVELS, Some(("high", Guess))),
            ("Urgency: High", LEVELS, Some(("high", Guess))),
            ("Option C", &["A", "B", "C"], Some(("C", Guess))),
            ("not medium", LEVELS, None),
            ("non-urgent", LEVELS, None),
            ("high-water", LEVELS, None),
            ("low to high", LEVELS, None),
            ("high/urgent", LEVELS, None),
            ("high, low", LEVELS, None),
            ("higher", LEVELS, None),
            ("high?", LEVELS, None),
            ("!high", LEVELS, None),
            ("≥ medium", LEVELS, None),
            ("high-", LEVELS, None),
            ("", LEVELS, None),
            ("A problem", &["A", "B"], None),
            ("a", &["A", "B"], None),
            ("A-", &["A", "B"], None),
            ("-1", &["1", "2"], None),
            ("v1.2", &["v1", "v2"], None),
            ("net", &[".NET"], None),
        ] {
            let names = values.iter().map(|value| (*value, *value));
            let found = read(text, names, || "size".to_owned());
            let found = found.map(|choice| (choice.value, choice.class));
            assert_eq!(found, wanted, "{text}");
        }
    }
}

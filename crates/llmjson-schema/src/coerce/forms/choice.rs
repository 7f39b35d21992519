//! Strings that hold one allowed value and decoration: `P1 - High`, `✅ high`, `high priority`. The
//! rest of the string must be words and characters that add no meaning, except for prose.

use std::cmp::Reverse;
use std::ops::Range;

use crate::base::tokens::{Sort, Token, Tokens, tokens};
use crate::base::words;
use crate::ir::shape::{Shape, Types};
use llmjson_syntax::Class;

/// Length beyond which strings are prose.
const BYTES_MAX: usize = 96;
/// Maximum number of allowed values that are searched for.
const NAMES_MAX: usize = 256;

/// Length beyond which prose is not searched.
const PROSE_BYTES_MAX: usize = 64 * 1024;

/// Maximum number of allowed values that are searched for in prose.
const LITERALS_MAX: usize = 64;

/// Characters that only decorate. Others negate, compare or ask.
const SIGNS: &str = "*_`\"“”‘’「」『』«»'.,:;()[]{}|!•·→-–—✅✔☑🔴🟠🟡🟢🔵⚪⚫⭐🔥\u{fe0f}";

/// A value that was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Choice<'l> {
    pub(super) value: &'l str,
    pub(super) class: Class,
}

/// Separators between a value and an explanation of it.
const EXPLAINS: [&str; 9] = [" - ", " – ", " — ", ": ", " (", ") ", ", ", "; ", "\n"];

/// Returns the only value whose name occurs in a text, if the rest is decoration, or explains the value after it.
/// `names` are pairs of a name and its value; `own` returns the words of the member's name, which add no meaning.
pub(super) fn read<'l>(
    text: &str,
    names: impl Iterator<Item = (&'l str, &'l str)>,
    own: impl FnOnce() -> Vec<String>,
) -> Option<Choice<'l>> {
    if text.len() > BYTES_MAX {
        return None;
    }
    // `<Level.HIGH: 3>`, as Python shows it
    let inner = text
        .trim()
        .strip_prefix('<')
        .and_then(|text| text.strip_suffix('>'));
    let text = inner.unwrap_or(text);
    let (names, own) = (by_length(names, NAMES_MAX)?, own());
    decorated(&Phrase::of(text), &names, &own).or_else(|| {
        let starts = EXPLAINS.iter().filter_map(|mark| text.find(mark));
        let (head, rest) = text.split_at(starts.min()?);
        let (head, rest) = (Phrase::of(head), Phrase::of(rest));
        let choice = decorated(&head, &names, &own)?;
        // `high, not low`
        let takes_back =
            |word: &Token<'_>| words::is_limit(&word.text) || words::is_denial(&word.text);
        let mut others = named(&rest, &names).into_iter();
        let is_explained = !rest.words.iter().any(takes_back)
            && !rest.text.contains('?')
            && others.all(|(_, other)| other == choice.value);
        let class = Class::Guess;
        is_explained.then_some(Choice { class, ..choice })
    })
}

fn decorated<'l>(
    phrase: &Phrase<'_>,
    names: &[(&'l str, &'l str)],
    own: &[String],
) -> Option<Choice<'l>> {
    let words = &phrase.words;
    let is_plain = |letter: char| letter.is_whitespace() || SIGNS.contains(letter);
    // `!high` and `-1` mean something else, and `high-` is incomplete.
    let (lead, end) = (phrase.lead(), phrase.gap(words.len().checked_sub(1)?));
    let is_open = lead.contains(['!', '.']) || lead.ends_with(['-', '–', '—']);
    let gaps = (0..words.len()).map(|at| phrase.gap(at)).chain([lead]);
    if is_open || end.contains(['-', '–', '—']) || !gaps.flat_map(str::chars).all(is_plain) {
        return None;
    }
    let found = named(phrase, names);
    let (place, value) = found.first()?;
    let is_same = |(_, other): &(Range<usize>, &str)| other == value;
    let is_idle = |at: usize| {
        let word = &words[at].text;
        words::is_filler(word) || words::is_hedge(word) || own.iter().any(|own| own == word)
    };
    let rest = (0..words.len()).filter(|at| !found.iter().any(|(place, _)| place.contains(at)));
    // A code with a separator: `P1 - High`, `2. High`.
    let is_code = |at: &usize| {
        let gap = phrase.gap(if *at < place.start { *at } else { at - 1 });
        !is_word(&words[*at]) && gap.contains(' ')
    };
    let (codes, others): (Vec<usize>, Vec<usize>) = rest.partition(is_code);
    // `P1 - High`, but `bug #12` may be one of several.
    let is_sure = others.is_empty() && codes.iter().all(|at| *at < place.start);
    let class = if is_sure { Class::Likely } else { Class::Guess };
    (found.iter().all(is_same) && others.into_iter().all(is_idle))
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
fn named<'l>(phrase: &Phrase<'_>, names: &[(&'l str, &'l str)]) -> Vec<(Range<usize>, &'l str)> {
    let (mut found, mut longest) = (Vec::new(), vec![0; phrase.words.len()]);
    for (name, value) in names {
        for place in places(phrase, name) {
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
        let phrase = Phrase::of(sentence);
        let found = named(&phrase, &names);
        let mut is_known = vec![false; phrase.words.len()];
        found
            .iter()
            .for_each(|(place, _)| is_known[place.clone()].fill(true));
        let denies =
            |(word, is_known): (&Token<'_>, &bool)| !is_known && words::is_denial(&word.text);
        let is_denied = || phrase.words.iter().zip(&is_known).any(denies);
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
fn places(phrase: &Phrase<'_>, name: &str) -> impl Iterator<Item = Range<usize>> {
    let own = Phrase::of(name);
    // The point of `.NET` is not decoration.
    let length = own.words.len();
    let is_bare = length > 0 && own.lead().is_empty() && own.gap(length - 1).is_empty();
    // A single letter also occurs as a word in other strings.
    let is_letter = name.chars().nth(1).is_none();
    let places = if is_bare { phrase.words.len() } else { 0 };
    (0..places).filter_map(move |start| {
        let words = phrase.words.get(start..start + length)?;
        let is_same = |(word, own): (&Token<'_>, &Token<'_>)| match is_letter {
            true => word.raw == own.raw,
            false => word.text == own.text,
        };
        let joins = |at: usize| {
            let gap = phrase.gap(at);
            gap.chars()
                .all(|sign| sign.is_whitespace() || "-_./:".contains(sign))
        };
        let end = start + length;
        let is_part = end < phrase.words.len() && matches!(phrase.gap(end - 1), "." | "/" | "-");
        // `high-priority` is a priority, `high-water` is not.
        let is_cut = start > 0 && matches!(phrase.gap(start - 1), "." | "/" | "-" | "_")
            || is_part && !words::is_filler(&phrase.words[end].text);
        let is_name = words.iter().zip(&own.words).all(is_same) && (start..end - 1).all(joins);
        (is_name && !is_cut).then_some(start..end)
    })
}

/// A text with the words in it: runs of letters, digits and symbols that names contain.
struct Phrase<'t> {
    text: &'t str,
    words: Tokens<'t>,
}

impl<'t> Phrase<'t> {
    fn of(text: &'t str) -> Self {
        let text = text.trim();
        let is_part = |letter: char| letter.is_alphanumeric() || "#+@&%".contains(letter);
        let words = tokens(text, |letter| match is_part(letter) {
            true => Sort::Letter,
            false => Sort::Space,
        });
        Self { text, words }
    }

    /// Returns the text before the first word.
    fn lead(&self) -> &'t str {
        let first = self.words.first();
        &self.text[..first.map_or(self.text.len(), |word| word.start)]
    }

    /// Returns the text between a word and the next.
    fn gap(&self, at: usize) -> &'t str {
        let next = self.words.get(at + 1);
        &self.text[self.words[at].end()..next.map_or(self.text.len(), |word| word.start)]
    }
}

/// Returns `true` if a word is meaningful: a code such as `P1` and a single letter are not.
fn is_word(word: &Token<'_>) -> bool {
    word.text.chars().nth(1).is_some() && !word.text.contains(char::is_numeric)
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
            ("high (blocked)", LEVELS, Some(("high", Guess))),
            ("High: customers are blocked", LEVELS, Some(("high", Guess))),
            ("high, not low", LEVELS, None),
            ("high (unless fixed)", LEVELS, None),
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
            let found = read(text, names, || vec!["size".to_owned()]);
            let found = found.map(|choice| (choice.value, choice.class));
            assert_eq!(found, wanted, "{text}");
        }
    }
}

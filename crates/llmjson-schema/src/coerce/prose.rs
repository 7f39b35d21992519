//! The one allowed value in a text, for classification: `TWO` in `The answer is TWO.`
//!
//! Made only on request, and a guess: prose may mean something else. The value
//! has to stand there as a whole word or number and as the only one of its kind; the longer of two
//! that overlap counts (`not spam` is no `spam`). A sentence that denies it says nothing.

use llmjson_syntax::{Kind, NodeId};
use serde_json::Value;

use super::number;
use super::walk::{Call, Coercer};
use crate::base::equality;
use crate::ir::names::fold::push_folded;
use crate::ir::shape::{Shape, Types};

/// Length beyond which texts are not looked through.
const PROSE_BYTES_MAX: usize = 64 * 1024;

/// Maximum number of allowed values that are looked for.
const LITERALS_MAX: usize = 256;

/// An allowed value that stands in a text.
struct FoundLiteral<'l> {
    /// The range in the text, in characters.
    start: usize,
    end: usize,
    meaning: Meaning<'l>,
}

#[derive(Clone, Debug, PartialEq)]
enum Meaning<'l> {
    Text(&'l str),
    Boolean(bool),
    Number(String),
}

impl Coercer<'_, '_> {
    /// The only allowed value in a text which is the whole value.
    pub(super) fn value_in_prose(
        &mut self,
        call: Call,
        shape: &Shape,
        wanted: Types,
    ) -> Option<NodeId> {
        let value = self.value(call.node);
        if !call.has(Call::ROOT) || value.kind() != Kind::String {
            return None;
        }
        let text = value.as_str()?;
        if text.len() > PROSE_BYTES_MAX {
            return None;
        }
        let letters: Vec<char> = text.chars().collect();
        let meaning = only_value(&letters, shape, wanted)?;
        match meaning {
            Meaning::Text(text) => Some(self.editor.string(text)),
            Meaning::Boolean(truth) => Some(self.editor.boolean(truth)),
            Meaning::Number(text) => self.editor.number(&text),
        }
    }
}

fn only_value<'l>(letters: &[char], shape: &'l Shape, wanted: Types) -> Option<Meaning<'l>> {
    let mut found = Vec::new();
    let starts = (0..letters.len()).filter(|at| begins_word(letters, *at));
    let literals = shape.literals.as_deref();
    let names = names(shape).take(LITERALS_MAX + 1).collect::<Vec<_>>();
    if names.len() > LITERALS_MAX || (literals.is_none() && wanted.meets(Types::STRING)) {
        return None;
    }
    let truths = literals.is_none() && wanted.meets(Types::BOOLEAN);
    let numbers = match literals {
        Some(literals) => literals.iter().any(Value::is_number),
        None => wanted.meets(Types::NUMBER),
    };
    for start in starts {
        let texts = names.iter().filter_map(|(name, text)| {
            let end = spelled_at(letters, start, name)?;
            let meaning = Meaning::Text(text);
            Some(FoundLiteral {
                start,
                end,
                meaning,
            })
        });
        found.extend(texts.max_by_key(|found| found.end));
        if truths {
            let words = [("true", true), ("false", false)];
            found.extend(words.iter().filter_map(|(word, truth)| {
                let end = spelled_at(letters, start, word)?;
                let meaning = Meaning::Boolean(*truth);
                Some(FoundLiteral {
                    start,
                    end,
                    meaning,
                })
            }));
        }
        if numbers && let Some((number, end)) = number_at(letters, start) {
            let meaning = Meaning::Number(number);
            found.push(FoundLiteral {
                start,
                end,
                meaning,
            });
        }
    }
    // Within another one it is a part of that.
    let mut end = 0;
    found.retain(|one| {
        let apart = one.start >= end;
        end = end.max(one.end);
        apart
    });
    let first = found.first()?.meaning.clone();
    let same = found.iter().all(|one| one.meaning == first);
    if !same || found.iter().any(|one| is_denied(letters, one)) {
        return None;
    }
    match (&first, literals) {
        (Meaning::Number(text), Some(literals)) => {
            let mut numbers = literals.iter().filter_map(Value::as_number);
            numbers.any(|known| equality::number(text, known))
        }
        (Meaning::Number(text), None) => {
            wanted.has(Types::NUMBER) || number::integral(text).is_some()
        }
        _ => true,
    }
    .then_some(first)
}

/// The enumerated texts and their aliases, each with the text that is meant.
fn names(shape: &Shape) -> impl Iterator<Item = (&str, &str)> {
    let literals = shape.literals.as_deref().into_iter().flatten();
    let texts = literals.filter_map(Value::as_str).map(|text| (text, text));
    let aliases = shape.aliases.iter();
    texts.chain(aliases.map(|(alias, text)| (&**alias, &**text)))
}

/// Returns `true` if a letter belongs to a word wherever it stands.
fn is_word(letter: char) -> bool {
    letter.is_alphanumeric() || matches!(letter, '#' | '+' | '@' | '%' | '&')
}

/// Returns `true` if a sign holds two words together if it stands between them.
fn joins(letter: char) -> bool {
    matches!(letter, '-' | '.' | ',' | '_' | '/' | '\'' | '’')
}

fn begins_word(letters: &[char], at: usize) -> bool {
    let word = |at: usize| letters.get(at).copied().is_some_and(is_word);
    let before = at.checked_sub(1).map(|before| letters[before]);
    match before {
        None => true,
        Some(before) if is_word(before) => false,
        Some(before) if joins(before) => at < 2 || !word(at - 2),
        Some(_) => true,
    }
}

fn ends_word(letters: &[char], at: usize) -> bool {
    match letters.get(at) {
        None => true,
        Some(after) if is_word(*after) => false,
        Some(after) if joins(*after) => !letters.get(at + 1).copied().is_some_and(is_word),
        Some(_) => true,
    }
}

/// Returns the place at which a name ends that begins at a place, whatever its case, accents and
/// separators.
fn spelled_at(letters: &[char], start: usize, name: &str) -> Option<usize> {
    let separates = |letter: char| letter.is_whitespace() || matches!(letter, '-' | '_');
    let fold = |letter: char| push_folded(String::new(), letter);
    let name = name.trim();
    // A single letter is a word of its own in many languages.
    let exact = name.chars().nth(1).is_none();
    let (mut at, mut separated) = (start, false);
    for letter in name.chars() {
        if separates(letter) {
            separated = true;
            continue;
        }
        if std::mem::take(&mut separated) {
            let gap = letters[at..]
                .iter()
                .take_while(|letter| separates(**letter));
            at += gap.count();
        }
        let own = *letters.get(at)?;
        if own != letter && (exact || fold(own) != fold(letter)) {
            return None;
        }
        at += 1;
    }
    (at > start && ends_word(letters, at)).then_some(at)
}

/// The number that stands at a place as a whole word, and where that ends.
fn number_at(letters: &[char], start: usize) -> Option<(String, usize)> {
    let part = |letter: &char| is_word(*letter) || joins(*letter) || *letter == '$';
    let length = letters[start..]
        .iter()
        .take_while(|letter| part(letter))
        .count();
    let word: String = letters[start..start + length].iter().collect();
    let word = word.trim_end_matches(['.', ',', '-', '_', '/', '\'', '’']);
    let number = match number::plain(word) {
        Some(number) => number.into_owned(),
        None => number::grouped(word)?.number,
    };
    Some((number, start + word.chars().count()))
}

/// Returns `true` if something in the same sentence says no.
fn is_denied(letters: &[char], found: &FoundLiteral<'_>) -> bool {
    let ends = |letter: &char| matches!(letter, '.' | '!' | '?' | ';' | '\n');
    let start = letters[..found.start]
        .iter()
        .rposition(ends)
        .map_or(0, |at| at + 1);
    let end = letters[found.end..].iter().position(ends);
    let end = end.map_or(letters.len(), |length| found.end + length);
    let says_no = |part: &[char]| {
        let part: String = part.iter().collect::<String>().to_lowercase();
        part.split(|letter: char| !letter.is_alphanumeric() && !matches!(letter, '\'' | '’'))
            .any(|word| {
                matches!(
                    word,
                    "not" | "no" | "never" | "neither" | "nor" | "cannot" | "without"
                ) || word.ends_with("n't")
                    || word.ends_with("n’t")
            })
    };
    says_no(&letters[start..found.start]) || says_no(&letters[found.end..end])
}

//! Matches names that have the same meaning.

use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

use llmjson_schema::internal::similar::{is_neutral, says_something, words_of_name};
use llmjson_syntax::ValueRef;

use crate::field::Field;
use crate::layer::Layer;

/// Matches fields whose names have the same meaning, by synonym lists or by a function.
///
/// Names are compared word by word, in order; a synonym may consist of several words. If each word
/// of one name equals the corresponding word of the other or is a synonym of it, the score is 0.95
/// or more. If this holds only for the first or last words of the longer name, and its other words
/// are neutral (`number`, `path`, `text`), the score is 0.7 or more; words that mean little by
/// themselves (`id`, `value`) then have no score.
///
/// ```
/// # mod llmjson { pub mod tools { pub use llmjson_tools::*; } }
/// use llmjson::tools::{BindError, Contract, Extensions, Semantic, Tool};
///
/// let synonyms = Semantic::new()
///     .with_synonyms(["phone", "mobile", "tel"])
///     .with_synonyms(["postal code", "zip"]);
/// let tool = Tool::new("call", "Calls.").with_extensions(Extensions::new().with_matcher(synonyms));
/// let schema = r#"{"type": "object", "properties": {
///     "phoneNumber": {"type": "string"}, "homePostalCode": {"type": "string"}
/// }}"#;
/// let contract = Contract::new(tool, schema)?;
/// let bound = contract.bind_value(r#"{"mobile": "1312", "home_zip": "0150"}"#);
/// let bound = bound.or_else(BindError::accept_uncertain)?;
/// assert_eq!(
///     bound.report.canonical_arguments(),
///     r#"{"phoneNumber":"1312","homePostalCode":"0150"}"#
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
#[must_use]
pub struct Semantic {
    /// The index of each synonym's group, by the words of the synonym.
    lists: HashMap<Vec<String>, usize>,
    /// The index of the next group.
    next_list: usize,
    score: Option<Score>,
    threshold: f64,
    margin: f64,
}

/// Returns the similarity of an undeclared and a declared name, from 0 to 1.
type Score = Arc<dyn Fn(&str, &str) -> f64 + Send + Sync>;

/// The default threshold.
const THRESHOLD: f64 = 0.6;

/// The default margin.
const MARGIN: f64 = 0.1;

/// The score of a synonym; an equal word has 1.
const SYNONYM: f64 = 0.95;

/// Factor for the score of the first or last words of a name.
const PART: f64 = 0.74;

/// Maximum number of words of a synonym. Longer ones are never found in a name.
const WORDS_MAX: usize = 4;

impl Default for Semantic {
    fn default() -> Self {
        Self {
            lists: HashMap::new(),
            next_list: 0,
            score: None,
            threshold: THRESHOLD,
            margin: MARGIN,
        }
    }
}

impl Semantic {
    /// Creates a matcher without synonyms, with a threshold of 0.6 and a margin of 0.1.
    pub fn new() -> Self {
        Self::default()
    }

    /// Creates a matcher that calls a function with an undeclared and a declared name, in this order.
    ///
    /// The function returns the similarity of their meanings, from 0 to 1. The higher of this score
    /// and the synonym score counts.
    ///
    /// ```
    /// # mod llmjson { pub mod tools { pub use llmjson_tools::*; } }
    /// use llmjson::tools::{Contract, Extensions, Semantic, Tool};
    ///
    /// let near = |name: &str, field: &str| f64::from((name, field) == ("ort", "city"));
    /// let extensions = Extensions::new().with_matcher(Semantic::by(near));
    /// let tool = Tool::new("weather", "Tells the weather.").with_extensions(extensions);
    /// let schema = r#"{"type": "object", "properties": {"city": {"type": "string"}}}"#;
    /// let report = Contract::new(tool, schema)?.report(r#"{"ort": "Oslo"}"#);
    /// assert_eq!(report.canonical_arguments(), r#"{"city":"Oslo"}"#);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn by(score: impl Fn(&str, &str) -> f64 + Send + Sync + 'static) -> Self {
        Self {
            score: Some(Arc::new(score)),
            ..Self::default()
        }
    }

    /// Adds a list of synonyms. Lists that share a name are merged. Case and separators are
    /// ignored. Names of more than four words are never matched.
    pub fn with_synonyms<S: AsRef<str>>(mut self, names: impl IntoIterator<Item = S>) -> Self {
        let names = names.into_iter().map(|name| words_of_name(name.as_ref()));
        let names: Vec<_> = names.filter(|words| !words.is_empty()).collect();
        let list = self.next_list;
        self.next_list += 1;
        for words in names {
            let other = *self.lists.entry(words).or_insert(list);
            if other == list {
                continue;
            }
            for one in self.lists.values_mut().filter(|one| **one == other) {
                *one = list;
            }
        }
        self
    }

    fn scorer(&self, name: &str, _: ValueRef<'_>) -> impl Fn(&Field<'_>) -> Option<f64> {
        let parts = self.parts(name);
        move |field| {
            let declared = field.name();
            let words = match self.lists.is_empty() {
                true => None,
                false => by_words(&parts, &self.parts(&declared)),
            };
            let called = self.score.as_ref().map(|score| score(name, &declared));
            words.into_iter().chain(called).reduce(f64::max)
        }
    }

    /// Splits a name into words and synonyms of several words, the longest synonym first.
    fn parts(&self, name: &str) -> Vec<NamePart> {
        let words = words_of_name(name);
        let mut rest = &words[..];
        let mut parts = Vec::with_capacity(rest.len());
        while !rest.is_empty() {
            let lengths = (1..=rest.len().min(WORDS_MAX)).rev();
            let mut known = lengths.filter_map(|length| {
                let list = self.lists.get(&rest[..length])?;
                Some((length, Some(*list)))
            });
            let (length, list) = known.next().unwrap_or((1, None));
            let (words, others) = rest.split_at(length);
            let words = words.to_vec();
            parts.push(NamePart { words, list });
            rest = others;
        }
        parts
    }
}

/// A word of a name, or several words that are a synonym.
struct NamePart {
    words: Vec<String>,
    list: Option<usize>,
}

/// Returns the score of two names, or `None` if they do not match or have no synonyms.
fn by_words(name: &[NamePart], field: &[NamePart]) -> Option<f64> {
    let shorter = name.len().min(field.len());
    let at_end = |parts: &[NamePart]| parts.len() - shorter;
    if name.len() == field.len() {
        return alike(name, field);
    }
    let longer = if name.len() < field.len() {
        field
    } else {
        name
    };
    let part = |name: &[NamePart], field: &[NamePart], rest: &[NamePart]| {
        let is_telling = says_something(&words(name)) && says_something(&words(field));
        // `fee` may be a synonym of `amount`, but it is not `amount_cents`.
        let others = words(name);
        let is_same = words(rest).iter().all(|word| is_neutral(word, &others));
        alike(name, field).filter(|_| is_telling && is_same)
    };
    let end = || {
        let rest = &longer[..at_end(longer)];
        part(&name[at_end(name)..], &field[at_end(field)..], rest)
    };
    let score = match name.len() < field.len() {
        true => part(name, &field[..shorter], &field[shorter..]).or_else(end),
        false => end(),
    };
    score.map(|score| PART * score)
}

fn words(parts: &[NamePart]) -> Vec<String> {
    let words = parts.iter().flat_map(|part| &part.words);
    words.cloned().collect()
}

/// Returns the mean score of words compared one by one, or `None` if two differ or none is a synonym.
fn alike(name: &[NamePart], field: &[NamePart]) -> Option<f64> {
    let mut scores = 0.0;
    let mut has_synonyms = false;
    for (one, other) in name.iter().zip(field) {
        if one.words == other.words {
            scores += 1.0;
        } else if one.list.is_some() && one.list == other.list {
            scores += SYNONYM;
            has_synonyms = true;
        } else {
            return None;
        }
    }
    has_synonyms.then(|| scores / name.len() as f64)
}

impl_matcher!(Semantic, Layer::Semantic);

impl fmt::Debug for Semantic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Semantic")
            .field("synonyms", &self.lists.len())
            .field("threshold", &self.threshold)
            .field("margin", &self.margin)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_compared_word_by_word() {
        let semantic = Semantic::new()
            .with_synonyms(["phone", "mobile"])
            .with_synonyms(["no", "number"])
            .with_synonyms(["handset", "Mobile"])
            .with_synonyms(["postal code", "zip"]);
        let table = [
            ("mobile", "phone", Some(0.95)),
            ("handset", "phone", Some(0.95)),
            ("mobileNo", "phone_number", Some(0.95)),
            ("home_mobile", "homePhone", Some(0.975)),
            ("zip", "postalCode", Some(0.95)),
            ("mobile", "phone_number", Some(PART * 0.95)),
            ("my_mobile", "phone", None),
            ("text_mobile", "phone", Some(PART * 0.95)),
            // Equal words are matched by the built-in comparison.
            ("phone", "phone_number", None),
            // A word that means little on its own.
            ("no", "phone_number", None),
            ("no", "number", Some(0.95)),
            ("mobile_x", "phone_number", None),
            ("zip", "code", None),
            // A word that makes it another one.
            ("mobile", "old_phone", None),
            ("mobile_max", "phone", None),
        ];
        for (name, field, wanted) in table {
            let score = by_words(&semantic.parts(name), &semantic.parts(field));
            assert_eq!(score, wanted, "{name} for {field}");
        }
    }
}

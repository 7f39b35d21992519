//! Names of the same meaning.

use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

use llmjson_schema::similar::{says_something, words_of_name};
use llmjson_syntax::ValueRef;

use crate::tools::extend::{Candidate, FieldMatcher};
use crate::tools::field::Field;
use crate::tools::report::Layer;

/// Finds members whose names mean the same, by lists of synonyms or by a function of the caller's.
///
/// Names are compared word by word, in order; a synonym may be of several words. A name of which every
/// word is the same or a synonym has a score of nearly 1, one that is the beginning or end of another
/// 0.7, unless it is a word that says nothing alone (`id`, `value`).
///
/// ```
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
    /// The list that each synonym is in, by its words.
    lists: HashMap<Vec<String>, usize>,
    score: Option<Score>,
    threshold: f64,
    margin: f64,
}

/// How near an undeclared name and a declared one are.
type Score = Arc<dyn Fn(&str, &str) -> f64 + Send + Sync>;

const THRESHOLD: f64 = 0.6;

const MARGIN: f64 = 0.1;

/// What a synonym counts beside the word itself.
const SYNONYM: f64 = 0.95;

/// What the beginning or end of a name counts beside all of it.
const PART: f64 = 0.74;

/// Synonyms of more words are not looked for.
const WORDS_MAX: usize = 4;

impl Default for Semantic {
    fn default() -> Self {
        Self {
            lists: HashMap::new(),
            score: None,
            threshold: THRESHOLD,
            margin: MARGIN,
        }
    }
}

impl Semantic {
    /// Knows no synonyms. A score of 0.6 is enough if it is ahead of the next one by 0.1.
    pub fn new() -> Self {
        Self::default()
    }

    /// Asks a function how near two names are in meaning, from 0 to 1: first the undeclared name, then
    /// the declared one. Of that and the lists of synonyms the better score counts.
    ///
    /// ```
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

    /// Adds names that mean the same. Lists that share a name are one list. Case and separators make no
    /// difference; a name of more than four words is never found.
    pub fn with_synonyms<S: AsRef<str>>(mut self, names: impl IntoIterator<Item = S>) -> Self {
        let names = names.into_iter().map(|name| words_of_name(name.as_ref()));
        let names: Vec<_> = names.filter(|words| !words.is_empty()).collect();
        let list = self.lists.values().max().map_or(0, |last| last + 1);
        for words in names {
            let other = *self.lists.entry(words).or_insert(list);
            for one in self.lists.values_mut().filter(|one| **one == other) {
                *one = list;
            }
        }
        self
    }

    /// Sets the least score that is enough, from 0 to 1.
    pub fn with_threshold(mut self, threshold: f64) -> Self {
        self.threshold = threshold;
        self
    }

    /// Sets how far the best score has to be ahead of the next one.
    pub fn with_margin(mut self, margin: f64) -> Self {
        self.margin = margin;
        self
    }

    /// The words of a name, those together that are a synonym.
    fn parts(&self, name: &str) -> Vec<Part> {
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
            parts.push(Part { words, list });
            rest = others;
        }
        parts
    }
}

/// A word of a name, or several that are a synonym.
struct Part {
    words: Vec<String>,
    list: Option<usize>,
}

/// How near two names are by their words, if some are synonyms.
fn by_words(name: &[Part], field: &[Part]) -> Option<f64> {
    let shorter = name.len().min(field.len());
    let at_end = |parts: &[Part]| parts.len() - shorter;
    if name.len() == field.len() {
        return alike(name, field);
    }
    let part = |name: &[Part], field: &[Part]| {
        let is_telling = says_something(&words(name)) && says_something(&words(field));
        alike(name, field).filter(|_| is_telling)
    };
    let end = || part(&name[at_end(name)..], &field[at_end(field)..]);
    let score = match name.len() < field.len() {
        true => part(name, &field[..shorter]).or_else(end),
        false => end(),
    };
    score.map(|score| PART * score)
}

fn words(parts: &[Part]) -> Vec<String> {
    let words = parts.iter().flat_map(|part| &part.words);
    words.cloned().collect()
}

/// How near words are one by one, if some are synonyms.
fn alike(name: &[Part], field: &[Part]) -> Option<f64> {
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

impl FieldMatcher for Semantic {
    fn name(&self) -> &str {
        Layer::Semantic.name()
    }

    fn candidates(&self, name: &str, _: ValueRef<'_>, open: &[Field<'_>]) -> Vec<Candidate> {
        let parts = self.parts(name);
        let score = |(field, declared): (usize, &Field<'_>)| {
            let declared = declared.name();
            let words = match self.lists.is_empty() {
                true => None,
                false => by_words(&parts, &self.parts(&declared)),
            };
            let asked = self.score.as_ref().map(|score| score(name, &declared));
            let score = words.into_iter().chain(asked).fold(0.0, f64::max);
            Candidate { field, score }
        };
        open.iter().enumerate().map(score).collect()
    }

    fn threshold(&self) -> f64 {
        self.threshold
    }

    fn margin(&self) -> f64 {
        self.margin
    }

    fn layer(&self) -> Layer {
        Layer::Semantic
    }
}

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
            ("my_mobile", "phone", Some(PART * 0.95)),
            // The same words are the business of others.
            ("phone", "phone_number", None),
            // A word that says nothing alone.
            ("no", "phone_number", None),
            ("no", "number", Some(0.95)),
            ("mobile_x", "phone_number", None),
            ("zip", "code", None),
        ];
        for (name, field, wanted) in table {
            let score = by_words(&semantic.parts(name), &semantic.parts(field));
            assert_eq!(score, wanted, "{name} for {field}");
        }
    }
}

//! The sentences of a text, and the words and cues in them.

use smallvec::SmallVec;

use crate::zones::lexicon::{
    ABBREVIATIONS, Cue, EXAMPLE_ABBREVIATIONS, WORDS, Word, sign_of, words,
};

/// The maximum number of sentences after a span that are read.
const SENTENCES: usize = 4;

/// The cue of each word of a sentence.
pub(crate) type Cues = SmallVec<[Option<Cue>; WORDS]>;

/// A sentence with its words, which are found and looked up once.
pub(crate) struct Sentence<'t> {
    pub(crate) text: &'t str,
    pub(crate) words: SmallVec<[Word<'t>; WORDS]>,
    pub(crate) cues: Cues,
}

/// The first sentences of a text that have words.
pub(crate) type Said<'t> = SmallVec<[Sentence<'t>; SENTENCES]>;

impl<'t> Sentence<'t> {
    pub(crate) fn of(text: &'t str) -> Self {
        let words: SmallVec<_> = words(text).collect();
        let cues = words.iter().map(Word::cue).collect();
        Self { text, words, cues }
    }

    /// Returns `true` if the sentence corrects something: it contains a regret, a denial or an arrow.
    pub(crate) fn corrects(&self) -> bool {
        let text = self.text;
        let is_correction = |cue: &Option<Cue>| {
            matches!(
                cue,
                Some(Cue::Regret | Cue::Denial | Cue::Negation | Cue::Change)
            )
        };
        self.cues.iter().any(is_correction)
            || matches!(sign_of(text), Some(Cue::Denial | Cue::Regret))
            || (text.match_indices('>')).any(|(at, _)| text[..at].ends_with(['-', '=']))
            || !text.is_ascii() && text.contains(['→', '⇒'])
    }
}

/// Returns the sentences of a text, without the characters that end them.
pub(crate) fn sentences(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    core::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let may_end = |byte: &u8| matches!(byte, b'!' | b'?' | b';' | b'\n' | b'.' | 0x80..);
        let places = (0..rest.len()).filter(|&at| may_end(&rest.as_bytes()[at]));
        let mut ends = places.filter_map(|at| {
            let c = rest.get(at..)?.chars().next()?;
            let ends = match c {
                '.' => {
                    let next = rest[at + 1..].chars().next();
                    next.is_none_or(char::is_whitespace) && !is_short(&rest[..at])
                }
                _ => matches!(c, '!' | '?' | ';' | '\n' | '。' | '！' | '？' | '；'),
            };
            ends.then(|| (at, at + c.len_utf8()))
        });
        let (end, next) = ends.next().unwrap_or((rest.len(), rest.len()));
        let sentence = &rest[..end];
        rest = &rest[next..];
        Some(sentence)
    })
}

/// Returns the last sentence of a text that has words.
pub(crate) fn last_sentence(text: &str) -> &str {
    let all = sentences(text).filter(|one| words(one).next().is_some());
    all.last().unwrap_or_default()
}

/// Returns `true` if a text ends in an abbreviation that introduces an example: `e.g`.
pub(crate) fn is_abbreviation(text: &str) -> bool {
    let last = text.rsplit([' ', '(', '\n']).next().unwrap_or_default();
    EXAMPLE_ABBREVIATIONS.contains(&last)
}

/// Returns `true` if a full stop after the text belongs to its last word: `vs`.
pub(crate) fn is_short(text: &str) -> bool {
    let last = text.rsplit([' ', '(', '\n']).next().unwrap_or_default();
    is_abbreviation(last) || ABBREVIATIONS.contains(&last) || text.ends_with("..")
}

/// Returns the first sentences of a text that have words.
pub(crate) fn said(text: &str) -> Said<'_> {
    let all = sentences(text).map(Sentence::of);
    let spoken = all.filter(|one| !one.words.is_empty());
    spoken.take(SENTENCES).collect()
}

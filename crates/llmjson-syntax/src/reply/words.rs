//! The words around a value, split once, with the cues among them.

use alloc::string::String;
use alloc::vec::Vec;

use smallvec::SmallVec;

use crate::reply::lexicon::{self, Cue};

/// The number of words after which a sentence ends, whatever follows.
const WORDS_MAX: usize = 64;

/// The other apostrophe.
const CURLY: char = '’';

/// A sign behind a word, in the order of how much it parts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Mark {
    /// White space, a quote, a hyphen.
    #[default]
    None,
    /// A comma, a dash or a bracket.
    Comma,
    Colon,
    /// The end of a sentence or paragraph.
    End,
}

/// A word, by its place in the text in small letters.
#[derive(Clone, Copy, Debug)]
struct Word {
    start: u32,
    end: u32,
    /// The hash by which phrases are found that begin with it.
    hash: u32,
    mark: Mark,
}

/// The words of a text, with the signs between them, its sentences and their cues.
#[derive(Clone, Debug, Default)]
pub(crate) struct Words {
    /// The text in small letters, with apostrophes of one kind.
    text: String,
    /// The places in it of those that were of another kind, which is two bytes longer.
    curly: Vec<u32>,
    all: SmallVec<[Word; 24]>,
    cues: SmallVec<[FoundCue; 6]>,
    /// The ends of each sentence among the words and among the cues.
    ends: SmallVec<[(u32, u32); 4]>,
}

/// A cue among the words of a sentence: the places of its first word and of the one behind it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FoundCue {
    pub(crate) cue: Cue,
    pub(crate) start: usize,
    pub(crate) end: usize,
}

/// The words of one sentence.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Sentence<'w> {
    text: &'w str,
    curly: &'w [u32],
    words: &'w [Word],
    /// The cues in their order: `for example` and `the answer` of `For example, the answer`. Of phrases that begin
    /// at one word the longest counts, and no word counts in two.
    pub(crate) cues: &'w [FoundCue],
}

impl Words {
    /// Reads the words of a text: `it's`, `1.5` and `done` of `It’s 1.5, done`.
    pub(crate) fn of(text: &str) -> Self {
        let mut words = Self::default();
        if text.is_empty() {
            return words;
        }
        let mut small = text.to_ascii_lowercase();
        if !small.is_ascii() && small.contains(CURLY) {
            let places = small.match_indices(CURLY).enumerate();
            words.curly = places
                .map(|(index, (at, _))| (at - 2 * index) as u32)
                .collect();
            small = small.replace(CURLY, "'");
        }
        words.split(&small);
        words.text = small;
        words
    }

    fn split(&mut self, text: &str) {
        let bytes = text.as_bytes();
        let is_letter = |c: char| c.is_alphanumeric() || c == '_';
        let (mut at, mut before) = (0, ' ');
        while let Some(&byte) = bytes.get(at) {
            if byte == b' ' {
                (at, before) = (at + 1, ' ');
                continue;
            }
            let (mut end, mut hash) = plain_from(bytes, at, lexicon::HASH);
            if end == at {
                let c = match byte.is_ascii() {
                    true => byte as char,
                    false => text[at..].chars().next().unwrap_or(' '),
                };
                end = at + c.len_utf8();
                if !is_letter(c) {
                    self.sign(text, before, c, &text[end..]);
                    (at, before) = (end, c);
                    continue;
                }
                hash = lexicon::hash_of(&bytes[at..end]);
            }
            while bytes.get(end).is_some_and(|byte| *byte != b' ') {
                let mut rest = text[end..].chars();
                let Some(c) = rest.next() else { break };
                let joins =
                    matches!(c, '\'' | '.') && rest.next().is_some_and(char::is_alphanumeric);
                if !is_letter(c) && !joins {
                    break;
                }
                let from = end + c.len_utf8();
                hash = bytes[end..from]
                    .iter()
                    .fold(hash, |hash, byte| lexicon::hashed(hash, *byte));
                (end, hash) = plain_from(bytes, from, hash);
            }
            let from = self.ends.last().map_or(0, |end| end.0 as usize);
            let ended = self.all.last().is_some_and(|last| last.mark == Mark::End);
            if ended || self.all.len() - from >= WORDS_MAX {
                self.end_sentence(text);
            }
            self.all.push(Word {
                start: at as u32,
                end: end as u32,
                hash,
                mark: Mark::None,
            });
            (at, before) = (end, 'a');
        }
        self.end_sentence(text);
    }

    fn sign(&mut self, text: &str, before: char, sign: char, rest: &str) {
        let Some(last) = self.all.last_mut() else {
            return;
        };
        let mark = mark_of(before, sign, rest);
        if mark > last.mark {
            let word = &text[last.start as usize..last.end as usize];
            let short = matches!(word, "e.g" | "i.e" | "eg" | "ex" | "vs" | "no");
            if !(short && mark == Mark::End) {
                last.mark = mark;
            }
        }
    }

    /// Ends a sentence behind the last word, and finds its cues.
    fn end_sentence(&mut self, text: &str) {
        let from = self.ends.last().map_or(0, |end| end.0 as usize);
        let words = &self.all[from..];
        let mut at = 0;
        while at < words.len() {
            match cue_at(text, words, at) {
                Some(one) => {
                    at = one.end;
                    self.cues.push(one);
                }
                None => at += 1,
            }
        }
        self.ends
            .push((self.all.len() as u32, self.cues.len() as u32));
    }

    /// Returns the sentences: `Done` and `Here it is` of `Done. Here it is`.
    pub(crate) fn sentences(&self) -> impl DoubleEndedIterator<Item = Sentence<'_>> {
        let ends = |index: usize| (self.ends[index].0 as usize, self.ends[index].1 as usize);
        (0..self.ends.len()).map(move |index| {
            let (from, cue) = index.checked_sub(1).map_or((0, 0), ends);
            let (to, end) = ends(index);
            self.sentence(&self.all[from..to], &self.cues[cue..end])
        })
    }

    /// Returns all words, whatever parts them, without their cues.
    pub(crate) fn all(&self) -> Sentence<'_> {
        self.sentence(&self.all, &[])
    }

    fn sentence<'w>(&'w self, words: &'w [Word], cues: &'w [FoundCue]) -> Sentence<'w> {
        Sentence {
            text: &self.text,
            curly: &self.curly,
            words,
            cues,
        }
    }

    /// Returns the last sentence, whether or not it has come to its end: `Here it is` of `Done. Here it is`.
    pub(crate) fn last(&self) -> Sentence<'_> {
        self.sentences().next_back().unwrap_or_default()
    }
}

impl<'w> Sentence<'w> {
    /// Returns the number of words: 2 of `Here is:`.
    pub(crate) fn len(&self) -> usize {
        self.words.len()
    }

    /// Returns the word at a place, `is` at 1 of `Here is:`; empty where there is none.
    pub(crate) fn word(&self, at: usize) -> &'w str {
        let word = self.words.get(at);
        word.map_or("", |word| {
            &self.text[word.start as usize..word.end as usize]
        })
    }

    /// Returns where the word at a place stands in the text that was given: `is` at 5 of `Here is:`.
    pub(crate) fn offset(&self, at: usize) -> Option<usize> {
        let start = self.words.get(at)?.start;
        let curly = self.curly.iter().take_while(|place| **place < start);
        Some(start as usize + 2 * curly.count())
    }

    /// Returns the sign behind the word at a place: the colon at 1 of `Here is:`. Where there is none it is the end.
    pub(crate) fn mark(&self, at: usize) -> Mark {
        self.words.get(at).map_or(Mark::End, |word| word.mark)
    }

    /// Returns the strongest sign behind the words from one place to another, the last one excluded: the comma from 0
    /// to 1 of `Well, here:`.
    pub(crate) fn parted(&self, from: usize, to: usize) -> Mark {
        let words = self.words.get(from..to).unwrap_or_default();
        words.iter().map(|word| word.mark).max().unwrap_or_default()
    }

    /// Returns whether one of some cues is among the words.
    pub(crate) fn has(&self, wanted: &[Cue]) -> bool {
        self.cues.iter().any(|one| wanted.contains(&one.cue))
    }

    /// Returns the cue that the word at a place is on its own: a sample for `example`, none for `for`.
    pub(crate) fn cue_of(&self, at: usize) -> Option<Cue> {
        lexicon::cue_of(self.word(at))
    }

    /// Returns whether all words are cues that are wanted, numbers, or such as may stand in any label: with wanted
    /// samples those of `My example 2`, not of `An example of red`.
    pub(crate) fn is_only(&self, wanted: &[Cue]) -> bool {
        const ANYWHERE: &[Cue] = &[Cue::Filler, Cue::Subject, Cue::Answer, Cue::Choice];
        let number = |at| self.word(at).bytes().all(|byte| byte.is_ascii_digit());
        let mut next = 0;
        let all = self.cues.iter().all(|one| {
            let numbers = (next..one.start).all(number);
            next = one.end;
            numbers && (wanted.contains(&one.cue) || ANYWHERE.contains(&one.cue))
        });
        all && self.has(wanted) && (next..self.len()).all(number)
    }
}

/// Finds the longest phrase that begins at a place among words: `the answer` at 0 of `The answer is`.
fn cue_at(text: &str, words: &[Word], start: usize) -> Option<FoundCue> {
    let behind = |phrase: &[u8]| {
        let mut at = start;
        for part in phrase.split(|byte| *byte == b' ') {
            let word = words.get(at)?;
            if text.as_bytes()[word.start as usize..word.end as usize] != *part {
                return None;
            }
            at += 1;
        }
        Some(at)
    };
    let first = words[start].hash;
    let pair = words
        .get(start + 1)
        .map(|next| lexicon::paired(first, next.hash));
    let long = pair.and_then(|pair| lexicon::longest(pair, behind));
    let (cue, end) = long.or_else(|| lexicon::longest(first, behind))?;
    Some(FoundCue { cue, start, end })
}

/// The bytes of words in small letters.
static PLAIN: [bool; 256] = {
    let (mut all, mut byte) = ([false; 256], 0);
    while byte < 256 {
        let one = byte as u8;
        all[byte] = one.is_ascii_lowercase() || one.is_ascii_digit() || one == b'_';
        byte += 1;
    }
    all
};

/// Returns where the letters, digits and underscores of ASCII end that stand at a place, and the hash of a word that goes
/// on with them.
fn plain_from(bytes: &[u8], mut at: usize, mut hash: u32) -> (usize, u32) {
    while let Some(&byte) = bytes.get(at)
        && PLAIN[byte as usize]
    {
        hash = lexicon::hashed(hash, byte);
        at += 1;
    }
    (at, hash)
}

/// Returns how much a sign parts the words around it: a hyphen in `a - b` as a comma does, that in `a-b` not at all.
fn mark_of(before: char, sign: char, rest: &str) -> Mark {
    let line = || {
        let below = rest.trim_start_matches([' ', '\t', '\r', '>']);
        below.starts_with(['\n', '#', '*', '-', '|', '`', '<'])
            || below.starts_with(|c: char| c.is_ascii_digit())
            // A speaker, or what follows.
            || below.trim_start_matches(char::is_alphabetic).starts_with(':')
    };
    match sign {
        '!' | '.' | ';' | '?' | '…' | '。' | '！' | '？' => Mark::End,
        '\n' if line() => Mark::End,
        ':' | '：' => Mark::Colon,
        ',' | '(' | ')' | '—' | '–' | '，' | '、' => Mark::Comma,
        '-' if before == ' ' && rest.starts_with(' ') => Mark::Comma,
        _ => Mark::None,
    }
}

#[cfg(test)]
mod tests {
    use alloc::format;
    use alloc::string::ToString;

    use super::*;

    /// Returns the words with a sign for each mark.
    fn spelled(words: Sentence<'_>) -> String {
        let sign = |at| match words.mark(at) {
            Mark::None => " ",
            Mark::Comma => ", ",
            Mark::Colon => ": ",
            Mark::End => ". ",
        };
        let words = (0..words.len()).map(|at| words.word(at).to_string() + sign(at));
        words.collect::<String>().trim_end().to_string()
    }

    #[test]
    fn words_are_parted_by_signs() {
        for (text, expected) in [
            ("", ""),
            ("It’s 1.5, done", "it's 1.5, done"),
            ("Here's a_b", "here's a_b"),
            (".a 'b' \"c\"", "a b c"),
            ("e.g. a no. 5", "e.g a no 5"),
            ("no: no, yes.", "no: no, yes."),
            ("a.) b", "a. b"),
            ("a. b! c; d? e… f。g！h？i", "a. b. c. d. e. f. g. h. i"),
            ("a: b：c", "a: b: c"),
            ("a, b (c) d — e – f，g、h", "a, b, c, d, e, f, g, h"),
            ("a - b", "a, b"),
            ("a-b a -b a- b", "a b a b a b"),
            ("a\nb", "a b"),
            ("a\n > b", "a b"),
            ("a\n\nb", "a. b"),
            ("a\n # b", "a. b"),
            ("a\n* b\n- c\n| d\n`e\n<f", "a. b. c. d. e. f"),
            ("a\n1 b", "a. 1 b"),
            ("a\nUser: b", "a. user: b"),
        ] {
            assert_eq!(spelled(Words::of(text).all()), expected, "{text:?}");
        }
        let words = Words::of("Here is:");
        let words = words.all();
        assert_eq!(words.len(), 2);
        assert_eq!((words.word(1), words.mark(1)), ("is", Mark::Colon));
        assert_eq!((words.word(2), words.mark(2)), ("", Mark::End));
    }

    #[test]
    fn sentences_end_at_their_signs() {
        for (text, expected) in [
            ("Done. Here it is", &["done.", "here it is."][..]),
            ("a. b. c: d", &["a.", "b.", "c: d."]),
            ("a", &["a."]),
            ("", &[]),
        ] {
            let words = Words::of(text);
            let all: Vec<String> = words.sentences().map(spelled).collect();
            let all: Vec<String> = all
                .iter()
                .map(|one| one.trim_end_matches('.').into())
                .collect();
            let expected: Vec<&str> = expected
                .iter()
                .map(|one| one.trim_end_matches('.'))
                .collect();
            assert_eq!(all, expected, "{text}");
        }
        let long: String = (0..70).map(|at| format!("w{at} ")).collect();
        let words = Words::of(&long);
        let lengths: Vec<usize> = words.sentences().map(|one| one.len()).collect();
        assert_eq!(lengths, [64, 6]);
    }

    #[test]
    fn the_longest_phrases_are_cues() {
        for (text, expected) in [
            (
                "For example, the answer",
                &[(Cue::Example, 0, 2), (Cue::Outcome, 2, 4)][..],
            ),
            ("qua such as", &[(Cue::Example, 1, 3)]),
            ("such as it is qua", &[(Cue::Idiom, 0, 4)]),
            ("for qua 1 é zz", &[]),
            // No phrase goes over the end of a sentence.
            ("such. As it is", &[(Cue::Subject, 1, 2), (Cue::Is, 2, 3)]),
        ] {
            let words = Words::of(text);
            let cues = words.last().cues.iter();
            let found: Vec<_> = cues.map(|one| (one.cue, one.start, one.end)).collect();
            assert_eq!(found, expected, "{text}");
        }
    }
}

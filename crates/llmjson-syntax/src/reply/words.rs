//! The words of a text around a value, split once, with the cues among them.

use alloc::string::String;
use alloc::vec::Vec;

use crate::reply::lexicon::{self, Cue};

/// The number of words after which a sentence ends, whatever follows.
const WORDS_MAX: usize = 64;

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

/// A word in small letters, by its place among those of its text.
#[derive(Clone, Copy, Debug)]
struct Word {
    start: u32,
    end: u32,
    /// Offset in the text that was given.
    at: u32,
    /// The hash by which phrases are found that begin with it.
    hash: u32,
    mark: Mark,
}

/// The words of a text, with the signs between them, its sentences and their cues.
#[derive(Clone, Debug, Default)]
pub(crate) struct Words {
    /// The words in small letters, with a space before each.
    text: String,
    all: Vec<Word>,
    cues: Vec<FoundCue>,
    /// The ends of each sentence among the words and among the cues.
    ends: Vec<(usize, usize)>,
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
    words: &'w [Word],
    /// The cues in their order: `for example` and `the answer` of `For example, the answer`. Of phrases that begin
    /// at one word the longest counts, and no word counts in two.
    pub(crate) cues: &'w [FoundCue],
}

impl Words {
    /// Reads the words of a text: `it's`, `1.5` and `done` of `It’s 1.5, done`.
    pub(crate) fn of(text: &str) -> Self {
        let mut words = Self::default();
        // A word and the sign behind it are mostly longer.
        words.all.reserve(text.len() / 4);
        words.text.reserve(text.len() + text.len() / 4);
        let is_letter = |c: char| c.is_alphanumeric() || c == '_';
        let (mut at, mut before) = (0, ' ');
        while let Some(&byte) = text.as_bytes().get(at) {
            if byte == b' ' {
                (at, before) = (at + 1, ' ');
                continue;
            }
            let mut end = plain_from(text, at);
            if end == at {
                let c = text[at..].chars().next().unwrap_or(' ');
                end = at + c.len_utf8();
                if !is_letter(c) {
                    words.sign(before, c, &text[end..]);
                    (at, before) = (end, c);
                    continue;
                }
            }
            while end < text.len() && text.as_bytes()[end] != b' ' {
                let mut rest = text[end..].chars();
                let Some(c) = rest.next() else { break };
                let joins =
                    matches!(c, '\'' | '’' | '.') && rest.next().is_some_and(char::is_alphanumeric);
                if !is_letter(c) && !joins {
                    break;
                }
                end = plain_from(text, end + c.len_utf8());
            }
            words.word(&text[at..end], at);
            (at, before) = (end, 'a');
        }
        words.end_sentence();
        words
    }

    fn word(&mut self, word: &str, at: usize) {
        let from = self.ends.last().map_or(0, |end| end.0);
        let ended = self.all.last().is_some_and(|last| last.mark == Mark::End);
        if ended || self.all.len() - from >= WORDS_MAX {
            self.end_sentence();
        }
        self.text.push(' ');
        let start = self.text.len();
        // Apostrophes of all kinds are one.
        let mut rest = word;
        while !rest.is_ascii()
            && let Some((part, behind)) = rest.split_once('’')
        {
            self.text.push_str(part);
            self.text.push('\'');
            rest = behind;
        }
        self.text.push_str(rest);
        self.text[start..].make_ascii_lowercase();
        self.all.push(Word {
            start: start as u32,
            end: self.text.len() as u32,
            at: at as u32,
            hash: lexicon::hash_of(&self.text.as_bytes()[start..]),
            mark: Mark::None,
        });
    }

    fn sign(&mut self, before: char, sign: char, rest: &str) {
        let mark = match self.all.last() {
            Some(_) if sign != ' ' => mark_of(before, sign, rest),
            _ => return,
        };
        if let Some(last) = self.all.last_mut()
            && mark > last.mark
        {
            let word = &self.text[last.start as usize..last.end as usize];
            let short = matches!(word, "e.g" | "i.e" | "eg" | "ex" | "vs" | "no");
            if !(short && mark == Mark::End) {
                last.mark = mark;
            }
        }
    }

    /// Ends a sentence behind the last word, and finds its cues.
    fn end_sentence(&mut self) {
        let from = self.ends.last().map_or(0, |end| end.0);
        let (words, mut cues) = (&self.all[from..], core::mem::take(&mut self.cues));
        let sentence = Sentence::of(&self.text, words, &[]);
        let mut at = 0;
        while at < words.len() {
            match sentence.cue_at(at) {
                Some(one) => {
                    at = one.end;
                    cues.push(one);
                }
                None => at += 1,
            }
        }
        self.cues = cues;
        self.ends.push((self.all.len(), self.cues.len()));
    }

    /// Returns the sentences: `Done` and `Here it is` of `Done. Here it is`.
    pub(crate) fn sentences(&self) -> impl DoubleEndedIterator<Item = Sentence<'_>> {
        (0..self.ends.len()).map(|index| {
            let (from, cue) = index.checked_sub(1).map_or((0, 0), |last| self.ends[last]);
            let (to, end) = self.ends[index];
            let (words, cues) = (&self.all[from..to], &self.cues[cue..end]);
            Sentence::of(&self.text, words, cues)
        })
    }

    /// Returns all words, whatever parts them, without their cues.
    pub(crate) fn all(&self) -> Sentence<'_> {
        Sentence::of(&self.text, &self.all, &[])
    }

    /// Returns the last sentence, whether or not it has come to its end: `Here it is` of `Done. Here it is`.
    pub(crate) fn last(&self) -> Sentence<'_> {
        self.sentences().next_back().unwrap_or_default()
    }
}

impl<'w> Sentence<'w> {
    const fn of(text: &'w str, words: &'w [Word], cues: &'w [FoundCue]) -> Self {
        Self { text, words, cues }
    }

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
        self.words.get(at).map(|word| word.at as usize)
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

    /// Finds the longest phrase that begins at a place: `the answer` at 0 of `The answer is`.
    fn cue_at(&self, start: usize) -> Option<FoundCue> {
        let (word, end) = (self.words.get(start)?, self.words.last()?.end as usize);
        let rest = &self.text.as_bytes()[word.start as usize..end];
        let same = lexicon::beginning_with(word.hash).filter(|(phrase, _)| {
            rest.starts_with(phrase) && matches!(rest.get(phrase.len()), None | Some(b' '))
        });
        let (phrase, cue) = same.max_by_key(|(phrase, _)| phrase.len())?;
        let end = start + 1 + phrase.iter().filter(|byte| **byte == b' ').count();
        Some(FoundCue { cue, start, end })
    }
}

/// Returns where the letters, digits and underscores of ASCII end that stand at a place.
fn plain_from(text: &str, at: usize) -> usize {
    let rest = text.as_bytes()[at..].iter();
    let plain = |byte: &&u8| byte.is_ascii_alphanumeric() || **byte == b'_';
    at + rest.take_while(plain).count()
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
    fn the_strongest_sign_parts_words() {
        let words = Words::of("Well, here: it. is");
        let words = words.all();
        for (from, to, expected) in [
            (0, 0, Mark::None),
            (0, 1, Mark::Comma),
            (0, 2, Mark::Colon),
            (1, 3, Mark::End),
            (3, 4, Mark::None),
            (3, 2, Mark::None),
            (3, 9, Mark::None),
        ] {
            assert_eq!(words.parted(from, to), expected, "{from} to {to}");
        }
    }

    #[test]
    fn sentences_end_at_their_signs() {
        for (text, expected) in [
            ("Done. Here it is", &["done.", "here it is."][..]),
            ("a. b. c: d", &["a.", "b.", "c: d."]),
            ("a", &["a."]),
            ("", &[""]),
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

    #[test]
    fn labels_hold_only_what_is_wanted() {
        for (text, expected) in [
            ("My example 2", true),
            ("Example", true),
            ("1 example", true),
            ("example 1 example", true),
            ("the value of my example", true),
            ("An example of red", false),
            ("red example", false),
            ("example red example", false),
            ("example 1 if", false),
            ("if example", false),
            ("example 1.5", false),
            ("my value", false),
            ("", false),
        ] {
            let only = Words::of(text).last().is_only(&[Cue::Sample]);
            assert_eq!(only, expected, "{text}");
        }
    }
}

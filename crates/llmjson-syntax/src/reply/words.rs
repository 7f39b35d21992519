//! The words of a text around a value, in which cues are looked up.

use alloc::string::String;
use alloc::vec::Vec;

use crate::reply::cue_table::CUES;
use crate::reply::cues::Cue;

/// The number of words that a text is looked at in.
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

/// A word in lower case, by its place in the text of its sentence.
#[derive(Clone, Copy, Debug)]
struct Word {
    start: u32,
    end: u32,
    /// Offset in the text that was given.
    at: u32,
    mark: Mark,
}

/// The words of a text, with the signs between them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Words {
    text: String,
    all: Vec<Word>,
}

/// A cue among words: the places of its first word and of the one behind it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FoundCue {
    pub(crate) cue: Cue,
    pub(crate) start: usize,
    pub(crate) end: usize,
}

impl Words {
    /// Reads the words of a text: `it's`, `1.5` and `done` of `It’s 1.5, done`.
    pub(crate) fn of(text: &str) -> Self {
        let mut words = Self::default();
        let mut signs = text.char_indices().peekable();
        let (mut inside, mut before) = (false, ' ');
        while let Some((at, c)) = signs.next() {
            let next = signs.peek().map_or('\n', |(_, next)| *next);
            let joins = inside && next.is_alphanumeric() && matches!(c, '\'' | '’' | '.');
            if c.is_alphanumeric() || c == '_' || joins {
                words.letter(c, (!inside).then_some(at));
                inside = true;
            } else {
                words.sign(mark_of(before, c, &text[at + c.len_utf8()..]));
                inside = false;
            }
            before = c;
        }
        words
    }

    fn letter(&mut self, c: char, begins: Option<usize>) {
        if let Some(at) = begins {
            let (start, at) = (self.text.len() as u32, at as u32);
            let (end, mark) = (start, Mark::None);
            self.all.push(Word {
                start,
                end,
                at,
                mark,
            });
        }
        // Apostrophes of all kinds are one.
        let c = if c == '’' {
            '\''
        } else {
            c.to_ascii_lowercase()
        };
        self.text.push(c);
        if let Some(last) = self.all.last_mut() {
            last.end = self.text.len() as u32;
        }
    }

    fn sign(&mut self, mark: Mark) {
        let Some(last) = self.all.last().copied() else {
            return;
        };
        let short = matches!(
            self.word(self.all.len() - 1),
            "e.g" | "i.e" | "eg" | "ex" | "vs" | "no"
        );
        if let Some(word) = self.all.last_mut()
            && !(short && mark == Mark::End)
        {
            word.mark = last.mark.max(mark);
        }
    }

    /// Returns the number of words: 2 of `Here is:`.
    pub(crate) fn len(&self) -> usize {
        self.all.len()
    }

    /// Returns the word at a place, `is` at 1 of `Here is:`; empty where there is none.
    pub(crate) fn word(&self, at: usize) -> &str {
        let word = self.all.get(at);
        word.map_or("", |word| {
            &self.text[word.start as usize..word.end as usize]
        })
    }

    /// Returns where the word at a place stands in the text that was given: `is` at 5 of `Here is:`.
    pub(crate) fn offset(&self, at: usize) -> Option<usize> {
        self.all.get(at).map(|word| word.at as usize)
    }

    /// Returns the sign behind the word at a place: the colon at 1 of `Here is:`. Where there is none it is the end.
    pub(crate) fn mark(&self, at: usize) -> Mark {
        self.all.get(at).map_or(Mark::End, |word| word.mark)
    }

    /// Returns the strongest sign behind the words from one place to another, the last one excluded: the comma from 0
    /// to 1 of `Well, here:`.
    pub(crate) fn parted(&self, from: usize, to: usize) -> Mark {
        let words = self.all.get(from..to).unwrap_or_default();
        words.iter().map(|word| word.mark).max().unwrap_or_default()
    }

    /// Returns the words of the last sentence, whether or not it has come to its end: `Here it is` of
    /// `Done. Here it is`.
    pub(crate) fn last_sentence(mut self) -> Self {
        let last = self.all.len().saturating_sub(1);
        let ends = self.all[..last]
            .iter()
            .rposition(|word| word.mark == Mark::End);
        let from = ends
            .map_or(0, |end| end + 1)
            .max((last + 1).saturating_sub(WORDS_MAX));
        self.all.drain(..from);
        self
    }

    /// Returns the words of each sentence: `Done` and `Here it is` of `Done. Here it is`.
    pub(crate) fn sentences(&self) -> impl Iterator<Item = Self> {
        let words = &self.all[..self.all.len().min(WORDS_MAX)];
        let parts = words.split_inclusive(|word| word.mark == Mark::End);
        parts.map(|part| Self {
            text: self.text.clone(),
            all: part.to_vec(),
        })
    }

    /// Finds the cues among the words, in their order: `for example` and `the answer` in `For example, the answer`. Of
    /// phrases that begin at one word the longest counts, and no word counts in two.
    pub(crate) fn cues(&self) -> Vec<FoundCue> {
        let mut found = Vec::new();
        let mut at = 0;
        while at < self.all.len() {
            match self.cue_at(at) {
                Some(one) => {
                    at = one.end;
                    found.push(one);
                }
                None => at += 1,
            }
        }
        found
    }

    /// Returns the cue that the word at a place is on its own: a sample for `example`, none for `for`.
    pub(crate) fn cue_of(&self, at: usize) -> Option<Cue> {
        let mut same = beginning_with(self.word(at));
        same.find(|(phrase, _)| *phrase == self.word(at))
            .map(|(_, cue)| *cue)
    }

    /// Returns whether all words are cues that are wanted, numbers, or such as may stand in any label: with wanted
    /// samples those of `My example 2`, not of `An example of red`.
    pub(crate) fn is_only(&self, wanted: impl Fn(Cue) -> bool) -> bool {
        let number = |at| self.word(at).bytes().all(|byte| byte.is_ascii_digit());
        let (mut any, mut next) = (false, 0);
        for one in self.cues() {
            let filler = matches!(
                one.cue,
                Cue::Filler | Cue::Subject | Cue::Answer | Cue::Choice
            );
            if !(next..one.start).all(number) || !wanted(one.cue) && !filler {
                return false;
            }
            any |= wanted(one.cue);
            next = one.end;
        }
        any && (next..self.len()).all(number)
    }

    /// Finds the longest phrase of the table that begins at a place: `the answer` at 0 of `The answer is`.
    fn cue_at(&self, at: usize) -> Option<FoundCue> {
        let fits = |phrase: &str| {
            let mut words = phrase.split(' ').enumerate();
            words.all(|(index, part)| self.word(at + index) == part)
        };
        let fitting = beginning_with(self.word(at)).filter(|(phrase, _)| fits(phrase));
        let longest = fitting.max_by_key(|(phrase, _)| phrase.len());
        longest.map(|&(phrase, cue)| FoundCue {
            cue,
            start: at,
            end: at + phrase.split(' ').count(),
        })
    }
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

/// Indices at which the words with each letter begin in the table, and its length.
const LETTERS: [usize; 27] = {
    let mut letters = [0; 27];
    let mut at = 0;
    while at < CUES.len() {
        letters[(CUES[at].0.as_bytes()[0] - b'a') as usize + 1] = at + 1;
        at += 1;
    }
    let mut letter = 1;
    while letter < letters.len() {
        if letters[letter] == 0 {
            letters[letter] = letters[letter - 1];
        }
        letter += 1;
    }
    letters
};

/// Finds the phrases of the table that begin with a word: `such as` and `such as it is` for `such`.
fn beginning_with(word: &str) -> impl Iterator<Item = &'static (&'static str, Cue)> + use<'_> {
    let letter = word.bytes().next().filter(u8::is_ascii_lowercase);
    let same = letter.map_or(0..0, |letter| {
        let letter = usize::from(letter - b'a');
        LETTERS[letter]..LETTERS[letter + 1]
    });
    let same = &CUES[same];
    let from = same.partition_point(|(phrase, _)| first_word(phrase) < word);
    same[from..]
        .iter()
        .take_while(move |(phrase, _)| first_word(phrase) == word)
}

/// Returns the first word of a phrase: `such` of `such as`.
fn first_word(phrase: &str) -> &str {
    phrase.split(' ').next().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use alloc::format;
    use alloc::string::ToString;

    use super::*;

    /// Returns the words with a sign for each mark.
    fn spelled(words: &Words) -> String {
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
            assert_eq!(spelled(&Words::of(text)), expected, "{text:?}");
        }
        let words = Words::of("Here is:");
        assert_eq!(words.len(), 2);
        assert_eq!((words.word(1), words.mark(1)), ("is", Mark::Colon));
        assert_eq!((words.word(2), words.mark(2)), ("", Mark::End));
    }

    #[test]
    fn the_strongest_sign_parts_words() {
        let words = Words::of("Well, here: it. is");
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
            ("Done. Here it is", "here it is"),
            ("Done. Here it is.", "here it is."),
            ("a. b. c: d", "c: d"),
            ("a. b", "b"),
            ("a", "a"),
            ("", ""),
        ] {
            let last = Words::of(text).last_sentence();
            assert_eq!(spelled(&last), expected, "{text}");
        }
        for (count, kept) in [(63, 63), (64, 64), (65, 64), (70, 64)] {
            let text: String = (0..count).map(|at| format!("w{at} ")).collect();
            let last = Words::of(&text).last_sentence();
            assert_eq!(
                (last.len(), last.word(kept - 1)),
                (kept, &*format!("w{}", count - 1))
            );
            let first = Words::of(&text).sentences().next();
            assert_eq!(first.map(|one| one.len()), Some(kept));
        }
        let all: Vec<String> = Words::of("Done. Here it is. Or")
            .sentences()
            .map(|one| spelled(&one))
            .collect();
        assert_eq!(all, ["done.", "here it is.", "or"]);
        assert_eq!(Words::of("").sentences().count(), 0);
    }

    #[test]
    fn the_longest_phrases_are_cues() {
        let cues = |text| -> Vec<(Cue, usize, usize)> {
            let found = Words::of(text).cues();
            found
                .iter()
                .map(|one| (one.cue, one.start, one.end))
                .collect()
        };
        let both = [(Cue::Example, 0, 2), (Cue::Outcome, 2, 4)];
        assert_eq!(cues("For example, the answer"), both);
        assert_eq!(cues("qua such as"), [(Cue::Example, 1, 3)]);
        assert_eq!(cues("such as it is qua"), [(Cue::Idiom, 0, 4)]);
        assert_eq!(cues("for qua 1 é zz"), []);
        let alone = |text, at| Words::of(text).cue_of(at);
        assert_eq!(alone("for example", 1), Some(Cue::Sample));
        assert_eq!(alone("for example", 0), None);
        assert_eq!(alone("such as", 0), None);
        assert_eq!(alone("such as", 2), None);
        let such: Vec<&str> = beginning_with("such").map(|(phrase, _)| *phrase).collect();
        assert_eq!(such, ["such as", "such as it is"]);
        assert_eq!(beginning_with("suc").count(), 0);
        assert_eq!(first_word("such as"), "such");
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
            let only = Words::of(text).is_only(|cue| cue == Cue::Sample);
            assert_eq!(only, expected, "{text}");
        }
    }
}

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
    /// The last words of a text, or all of them.
    pub(crate) fn of(text: &str) -> Self {
        let mut words = Self::default();
        let mut signs = text.char_indices().peekable();
        let (mut inside, mut before) = (false, ' ');
        while let Some((at, c)) = signs.next() {
            let next = signs.peek().map_or('\n', |(_, next)| *next);
            let joins = inside && next.is_alphanumeric() && matches!(c, '\'' | '’' | '.');
            if c.is_alphanumeric() || c == '_' || joins {
                words.letter(c, !inside);
                inside = true;
            } else {
                words.sign(mark_of(before, c, &text[at + c.len_utf8()..]));
                inside = false;
            }
            before = c;
        }
        words
    }

    fn letter(&mut self, c: char, begins: bool) {
        if begins {
            let start = self.text.len() as u32;
            let (end, mark) = (start, Mark::None);
            self.all.push(Word { start, end, mark });
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

    pub(crate) fn len(&self) -> usize {
        self.all.len()
    }

    /// The word at a place; empty where there is none.
    pub(crate) fn word(&self, at: usize) -> &str {
        let word = self.all.get(at);
        word.map_or("", |word| {
            &self.text[word.start as usize..word.end as usize]
        })
    }

    /// The sign behind the word at a place.
    pub(crate) fn mark(&self, at: usize) -> Mark {
        self.all.get(at).map_or(Mark::End, |word| word.mark)
    }

    /// The strongest sign behind the words from one place to another, the last one excluded.
    pub(crate) fn parted(&self, from: usize, to: usize) -> Mark {
        let words = self.all.get(from..to).unwrap_or_default();
        words.iter().map(|word| word.mark).max().unwrap_or_default()
    }

    /// The words of the last sentence, whether or not it has come to its end.
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

    /// The words of each sentence.
    pub(crate) fn sentences(&self) -> impl Iterator<Item = Self> {
        let words = &self.all[..self.all.len().min(WORDS_MAX)];
        let parts = words.split_inclusive(|word| word.mark == Mark::End);
        parts.map(|part| Self {
            text: self.text.clone(),
            all: part.to_vec(),
        })
    }

    /// The cues among the words, in their order. Of phrases that begin at one word the longest
    /// counts, and no word counts in two.
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

    /// Returns the cue that the word at a place is on its own.
    pub(crate) fn cue_of(&self, at: usize) -> Option<Cue> {
        let mut same = beginning_with(self.word(at));
        same.find(|(phrase, _)| *phrase == self.word(at))
            .map(|(_, cue)| *cue)
    }

    /// Returns `true` if all words are cues that are wanted, or such as may stand in any label.
    pub(crate) fn is_only(&self, wanted: impl Fn(Cue) -> bool) -> bool {
        let (mut any, mut next) = (false, 0);
        for one in self.cues() {
            let filler = matches!(
                one.cue,
                Cue::Filler | Cue::Subject | Cue::Answer | Cue::Choice
            );
            if one.start != next || !wanted(one.cue) && !filler {
                let number = |at| self.word(at).bytes().all(|byte| byte.is_ascii_digit());
                if !(next..one.start).all(number) || !wanted(one.cue) && !filler {
                    return false;
                }
            }
            any |= wanted(one.cue);
            next = one.end;
        }
        any && (next..self.len()).all(|at| self.word(at).bytes().all(|byte| byte.is_ascii_digit()))
    }

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

/// Returns how much a sign parts the words around it.
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

/// The phrases of the table that begin with a word.
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

fn first_word(phrase: &str) -> &str {
    phrase.split(' ').next().unwrap_or_default()
}

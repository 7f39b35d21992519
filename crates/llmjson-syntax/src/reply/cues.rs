//! What words around a value say about it.
//!
//! They are English. In a text in another language only form counts: labels, fences, order, size.
//! What a sort of cue means for a value, and how near it has to stand, is said in `lead` and `doubt`.

use crate::reply::cue_table::CUES;

/// What a word or phrase around a value says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cue {
    /// An answer or a result.
    Answer,
    /// A correction of what stands before.
    Correction,
    /// An interjection or phrase that takes back what stands before.
    Retraction,
    /// A regret, which takes something back only with words that say what was wrong.
    Regret,
    /// What was wrong, in a sentence that begins with a regret.
    Wrong,
    /// What ought to stand in place of something.
    Should,
    /// The label of something that is no answer: a draft, the input, what was before.
    Draft,
    /// One of several choices.
    Choice,
    /// An example, announced as one.
    Example,
    /// The noun, which may be what was asked for.
    Sample,
    /// A comparison.
    Likeness,
    /// What would be the case.
    Condition,
    /// What is not the case, or not to be done.
    Negation,
    /// The beginning of a request to the reader.
    Plea,
    /// What a request asks the reader to do.
    Give,
    /// A whole request.
    Request,
    /// The value is what the reader asked for.
    Asked,
    /// An interval of numbers, in mathematics.
    Range,
    /// A command of a shell.
    Command,
    /// The answer or result, as one that there is only one of.
    Outcome,
    /// A clause of its own begins, which a cue before it says nothing about.
    Break,
    /// A verb that says what something is.
    Is,
    /// What a correction may begin with, behind a word of regret.
    Subject,
    /// A word that may stand in any label.
    Filler,
    /// A sentence that asks for something for form's sake only.
    Courtesy,
    /// A phrase that says nothing, though a word in it would.
    Idiom,
}

/// Where the words with each letter begin in the table, and where it ends.
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
pub(crate) fn beginning_with(
    word: &str,
) -> impl Iterator<Item = &'static (&'static str, Cue)> + use<'_> {
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

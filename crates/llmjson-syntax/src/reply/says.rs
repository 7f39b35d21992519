//! The meaning of one sentence next to a value, whatever the value is: it is an example, it says
//! what not to do, it is a request to the reader, or it retracts something.
//!
//! A cue in a sentence counts for the value after it, as in `something like {"a": 1}`, if no new
//! clause begins between them. Before a colon or on a separate line, fewer cues count:
//! `The best choice would be:` announces an answer. After a value, requests and retractions count.

use crate::base::repair::Class::{self, Guess, Likely};
use crate::reply::lexicon::Cue;
use crate::reply::words::{FoundCue, Mark, Sentence};

/// Maximum number of words between a cue and the value that it is about.
const FAR: usize = 8;
const NEAR: usize = 5;

/// The relation of a value to the words before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stance {
    /// A value inside their sentence, on their line.
    Inline,
    /// A value led in by a colon, a heading, a tag or an unfinished line.
    Led,
    /// A separate value, behind the end of a sentence or at the beginning.
    Apart,
}

/// The places of a cue, and of the value behind it, at which it casts doubt.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    /// The cue stands before a value in the same sentence.
    Inline,
    /// The same, as the first word.
    InlineFirst,
    /// The cue stands before a colon or a line of its own.
    Led,
    /// The cue is the first word before either.
    First,
}

use Place::{First, Inline, InlineFirst, Led};

/// A new clause begins between a cue and the value, the value was asked for, or the sentence says what it is: then
/// some cues cast no doubt.
const BROKEN: u8 = 1;
const ASKED: u8 = 2;
const SAID: u8 = 4;

const OPEN: u8 = BROKEN | ASKED;

/// The cues that cast doubt on a value behind them: where, how far before it, unless what, and how much.
const DOUBTS: &[(Cue, Place, usize, u8, Class)] = &[
    // `I made a sample {"a": 1} for it.`
    (Cue::Sample, Inline, NEAR, OPEN, Guess),
    (Cue::Sample, Led, NEAR, OPEN, Likely),
    // `something like {"a": 1}`
    (Cue::Likeness, Inline, NEAR, OPEN | SAID, Guess),
    (Cue::Likeness, Led, 2, OPEN, Likely),
    // `You could send {"a": 1}`
    (Cue::Condition, Inline, FAR, OPEN, Guess),
    // `It must look like {"a": 1}`
    (Cue::Rule, Inline, FAR, OPEN | SAID, Guess),
    // `Send {"a": 1} to the server`: the reader is told to.
    (Cue::Give, InlineFirst, FAR, OPEN, Guess),
    // `the draft {"a": 1}`
    (Cue::Draft, Inline, 1, ASKED | SAID, Likely),
    // `not {"a": 1}`
    (Cue::Negation, Inline, NEAR, BROKEN, Guess),
    // `Never do this:`, but not `I didn't change the rest:`.
    (Cue::Negation, First, 3, BROKEN, Guess),
];

/// Returns how far the sentence before a value speaks against it: `Bad example:` makes it a guess.
pub(crate) fn of_sentence(words: &Sentence<'_>, stance: Stance) -> Option<Class> {
    let cues = words.cues;
    let first = cues.first()?;
    if asks(words) {
        return Some(Class::Guess);
    }
    let inline = stance == Stance::Inline;
    // `Here is an example. {"a": 1}`: the sentence has ended, and is about something else.
    if stance == Stance::Apart {
        return None;
    }
    // `Bad example:` and nothing else.
    if !inline && first.start <= 2 && words.is_only(&[Cue::Sample, Cue::Wrong, Cue::Example]) {
        return Some(Class::Guess);
    }
    let last = words.len() - 1;
    let asked = if words.has(&[Cue::Asked]) { ASKED } else { 0 };
    let tells = |cue| cue == Cue::Example || DOUBTS.iter().any(|row| row.0 == cue);
    let telling = cues.iter().enumerate().filter(|(_, one)| tells(one.cue));
    let doubts = telling.filter_map(|(index, one)| {
        let (gap, behind) = (words.len() - one.end, &cues[index + 1..]);
        let next = |cue| behind.iter().any(|next| next.cue == cue);
        let broken = next(Cue::Break) || words.parted(one.end - 1, last) > Mark::None;
        let broken = if broken { BROKEN } else { 0 };
        let said = if next(Cue::Is) { SAID } else { 0 };
        let is = asked | broken | said;
        let definite = |other: &FoundCue| other.cue == Cue::Outcome && other.end == one.start;
        match one.cue {
            // A comma may follow `for example`.
            Cue::Example => {
                let colon = words.parted(one.end - 1, last) >= Mark::Colon;
                let clause = words.parted(one.end, last) > Mark::None;
                return (!colon && (inline || !clause)).then_some(Class::Guess);
            }
            // `The answer would be {"a": 1}`: there is only one answer, whatever verb introduces it, but not in `If none
            // is given, the answer would be …`
            Cue::Condition | Cue::Rule
                if cues[..index].iter().any(definite) && !supposes(words, &cues[..index]) =>
            {
                return None;
            }
            // `The best choice would be:`, but not `I would say:`.
            Cue::Condition if !inline => {
                let be = is & (BROKEN | ASKED) == 0 && gap == 1 && words.word(one.end) == "be";
                return be.then_some(Class::Likely);
            }
            _ => {}
        }
        let mut rows = DOUBTS.iter().filter(|row| row.0 == one.cue);
        let row = rows.find(|(_, place, far, unless, _)| {
            let stands = match place {
                Place::Inline => inline,
                Place::InlineFirst => inline && one.start == 0,
                Place::Led => !inline,
                Place::First => one.start == 0,
            };
            stands && gap <= *far && is & unless == 0
        });
        row.map(|row| row.4)
    });
    doubts.max()
}

/// Returns whether what follows a value in its sentence says that it is no answer: `would work`, `is not allowed`,
/// behind a `comma` `for example`.
pub(crate) fn rest_of_sentence(words: &Sentence<'_>, comma: bool) -> bool {
    let cues = words.cues;
    if words.has(&[Cue::Asked]) {
        return false;
    }
    // `… is just an example`
    let is = cues
        .first()
        .is_some_and(|one| one.cue == Cue::Is && one.start == 0);
    let called = cues.iter().find(|one| is && one.cue == Cue::Sample);
    if called.is_some_and(|one| one.start <= NEAR && words.parted(0, one.start) == Mark::None) {
        return true;
    }
    let about = cues.iter().find(|one| one.cue != Cue::Is);
    about.is_some_and(|one| {
        // `…, which was wrong`
        if one.cue == Cue::Wrong && one.start == 2 && words.word(0) == "which" {
            return true;
        }
        let near = one.start <= 1 && words.parted(0, one.start) == Mark::None;
        let said = matches!(one.cue, Cue::Condition | Cue::Negation | Cue::Wrong);
        near && (one.cue == Cue::Example || said && !comma)
    })
}

/// Returns whether a cue supposes something: `If none is given`, and not `may be`.
fn supposes(words: &Sentence<'_>, cues: &[FoundCue]) -> bool {
    let mut conditions = cues.iter().filter(|one| one.cue == Cue::Condition);
    conditions.any(|one| words.word(one.start) == "if")
}

/// Returns whether a sentence asks the reader for something, as `Please send more` does, and not just for form's sake,
/// as in `Please give feedback`.
pub(crate) fn asks(words: &Sentence<'_>) -> bool {
    let plea = || {
        words.cues.windows(2).any(|pair| {
            let near = pair[1].start - pair[0].end <= 1;
            // `Please share it with your team.`
            let given = matches!(words.word(pair[1].start), "give" | "share");
            let near = near && !(given && matches!(words.word(pair[1].end), "it" | "this"));
            pair[0].cue == Cue::Plea && pair[1].cue == Cue::Give && near
        })
    };
    !words.has(&[Cue::Courtesy])
        && !supposes(words, words.cues)
        && (words.has(&[Cue::Request]) || plea())
}

/// Returns whether a sentence takes back what stands before it: `Oops`, `that should be 1000`, `Sorry, a typo`. `names` tells of a word whether the value has a member of that name.
pub(crate) fn takes_back(words: &Sentence<'_>, names: impl Fn(&str) -> bool) -> bool {
    let cues = words.cues;
    if cues.is_empty() || supposes(words, cues) {
        return false;
    }
    let digit = |at: usize| words.word(at).starts_with(|c: char| c.is_ascii_digit());
    let parts = |one: &FoundCue| words.mark(one.end - 1) > Mark::None;
    // A name that is a word of the table is just that word: `a`, `range`.
    let named = |at: usize| words.cue_of(at).is_none() && names(words.word(at));
    let told = words.has(&[Cue::Wrong, Cue::Should, Cue::Correction]);
    let takes = cues.iter().any(|one| match one.cue {
        Cue::Retraction => true,
        // `that should be 1000`: a correction names the right value. `This should be fine` does not.
        Cue::Should => digit(one.end),
        // `Correction: …`
        Cue::Correction => one.start == 0 && parts(one),
        Cue::Regret => match words.word(one.start) {
            // `Wait, …` at the beginning, but not `please wait`.
            "wait" => one.start <= 1 && (parts(one) || told),
            // `Actually, that is wrong`, but not `Actually quite nice`.
            "actually" => {
                let about = |next: &FoundCue| next.start == one.end && next.cue == Cue::Subject;
                let about = cues.iter().any(about) || named(one.end);
                one.start <= 1 && (about || told)
            }
            _ => told,
        },
        _ => false,
    });
    let faulty =
        words.has(&[Cue::Wrong]) && !words.has(&[Cue::Negation, Cue::Idiom, Cue::Condition]);
    takes || faulty && (0..words.len()).any(named)
}

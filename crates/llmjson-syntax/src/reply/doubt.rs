//! Doubts from the words around a value, which may say that it is no answer: an example, what is
//! not to be done, what the reader is asked for, what is taken back.
//!
//! In a sentence a cue counts for the value behind it, as in `something like {"a": 1}`, as long as
//! no new clause begins between them. Before a colon or a line of its own fewer cues count: `The
//! best choice would be:` announces an answer. Behind a value count requests and what takes it back.

#[cfg(test)]
mod tests;

use crate::base::repair::{Class, Repair, RepairKind};
use crate::base::span::Span;
use crate::parser::state::reader::Reader;
use crate::reply::before::{Before, Stance};
use crate::reply::contradiction::contradicts;
use crate::reply::cues::Cue;
use crate::reply::foreign::is_data;

use crate::reply::words::{FoundCue, Mark, Words};
use crate::tape::readings::{Reading, Records};
use crate::view::ValueRef;

/// Number of bytes behind a value in which words about it are looked for.
const BEHIND_BYTES: usize = 400;

/// Maximum number of sentences behind a value that are looked at.
const SENTENCES_MAX: usize = 4;

/// Maximum number of names of a value that are looked for behind it.
const NAMES_MAX: usize = 16;

/// Maximum number of words between a cue and the value that it is about.
const FAR: usize = 8;
const NEAR: usize = 5;

impl Reader<'_> {
    /// Lowers the class of the text around a value that says, by its words or form, that the value is
    /// no answer. Other values stand before `from` and behind `to`.
    pub(crate) fn doubt_value(&mut self, value: &Reading, from: usize, to: usize) {
        if self.nested || self.look.work_is_used_up() {
            return;
        }
        let start = value.span.start as usize;
        self.doubt_parts(value);
        let before = self.look.before_value(from, start);
        let doubt = self.doubt_before(value, &before);
        let doubt = doubt.max(self.doubt_behind(value, &before, to));
        let Some((class, behind)) = doubt else {
            return;
        };
        let (start, end) = (value.span.start, value.span.end);
        let text = |kind| kind == RepairKind::SurroundingText;
        let mut repairs = self.tape.repairs.iter();
        let last = repairs.rposition(|one| text(one.kind) && one.span.end <= start);
        let mut repairs = self.tape.repairs.iter();
        let next = repairs.position(|one| text(one.kind) && one.span.start >= end);
        let place = if behind { next.or(last) } else { last.or(next) };
        if let Some(one) = place.and_then(|place| self.tape.repairs.get_mut(place)) {
            one.class = one.class.max(class);
        }
    }

    /// Makes a guess of the fences around a value that goes on in a second one, or began in a first one.
    fn doubt_parts(&mut self, value: &Reading) {
        if !value.fenced {
            return;
        }
        let span = value.span;
        let fence = |one: &&mut Repair| one.kind == RepairKind::CodeFence;
        let unfinished = |one: &Reading| one.fenced && !one.complete && one.span.end <= span.start;
        let members = |one: &Repair| one.kind == RepairKind::MissingBraces;
        let begun =
            self.readings.all.iter().any(unfinished) && self.tape.repairs.iter().any(members);
        let mut fences = self.tape.repairs.iter_mut().filter(fence);
        let next = match begun {
            // `{"a": 1,` in the first and `"b": 2}` in the second.
            true => fences.next(),
            false => {
                let mut fences = fences.filter(|one| one.span.start > span.start);
                match fences.next() {
                    // The value goes on behind the one that closes the first.
                    Some(one) if one.span.end < span.end => Some(one),
                    // The value ends there, and another one opens the second.
                    Some(_) if !value.complete => fences.next(),
                    _ => None,
                }
            }
        };
        let text = self.look.text;
        let data = |one: &&mut Repair| {
            let line = text.get(one.span.range()).unwrap_or_default();
            is_data(line.trim_matches(['`', '~', ' ', '\r']))
        };
        if let Some(next) = next.filter(data) {
            next.class = Class::Guess;
        }
    }

    /// Lowers the class of the text around the only value of a tape, which the caller has found.
    pub(crate) fn doubt_part(&mut self, span: Span) {
        let none = Records::of(0..0);
        let value = Reading {
            first: true,
            ..Reading::new(0, span, none, none)
        };
        let length = self.look.bytes.len();
        self.doubt_value(&value, 0, length);
    }

    /// Returns how far the words before a value, and its form, speak against it: a guess for `something like {"a": 1}`;
    /// with `false`, for the text before it.
    fn doubt_before(&self, value: &Reading, before: &Before<'_>) -> Option<(Class, bool)> {
        let words = Words::of(before.text).last_sentence();
        let class = of_sentence(&words, before.stance);
        let foreign = || {
            self.is_foreign(value, before, &words)
                .then_some(Class::Guess)
        };
        let class = class.max(foreign());
        // Brackets with nothing in them are part of what is said, unless they are what it is about.
        let cues = words.cues();
        let empty = before.stance == Stance::Inline
            && words.len() > 1
            && !is_announced(&cues)
            && !self.substantial(value.root);
        let class = class.max(empty.then_some(Class::Guess));
        let in_program = class.is_none() && self.look.in_program(value, before);
        let class = class.max(in_program.then_some(Class::Likely));
        class.map(|class| (class, false))
    }

    /// Returns how far the words behind a value speak against it: a guess for `{"a": 1} would also work`; with `true`,
    /// for the text behind it.
    fn doubt_behind(
        &self,
        value: &Reading,
        before: &Before<'_>,
        to: usize,
    ) -> Option<(Class, bool)> {
        let end = value.span.end as usize;
        let mut to = to
            .max(end)
            .min(end + BEHIND_BYTES)
            .min(self.look.bytes.len());
        while !self.look.text.is_char_boundary(to) {
            to -= 1;
        }
        let text = &self.look.text[end..to];
        self.look.charge(text.len());
        let text = text.find('{').map_or(text, |brace| &text[..brace]);
        let text = text.trim_start_matches(['`', '\'', '"', ')', '*']);
        let words = Words::of(text);
        // What follows the value in its own sentence is about it.
        let own = match before.fenced {
            true => None,
            false => own_sentence(text, before, &words),
        };
        // `{"a": 1} would also work.`: the rest of the sentence is about the value, and tells more than what
        // follows.
        if own == Some(Class::Guess) {
            return Some((Class::Guess, true));
        }
        let mut sentences = words.sentences().take(SENTENCES_MAX);
        let root = ValueRef::new(self.tape, self.look.text, value.root);
        let names = |word: &str| {
            let mut members = root.members().take(NAMES_MAX);
            members.any(|(name, _)| name.eq_ignore_ascii_case(word))
        };
        let against = sentences.any(|one| {
            takes_back(&one, names) || asks(&one, &one.cues()) || contradicts(&one, text, root)
        });
        match against {
            true => Some((Class::Guess, true)),
            false => own.map(|class| (class, true)),
        }
    }
}

/// Returns how far the sentence before a value speaks against it: `Bad example:` makes it a guess.
pub(crate) fn of_sentence(words: &Words, stance: Stance) -> Option<Class> {
    let cues = words.cues();
    let first = cues.first()?;
    let has = |cue| cues.iter().any(|one: &FoundCue| one.cue == cue);
    if asks(words, &cues) {
        return Some(Class::Guess);
    }
    let asked = has(Cue::Asked);
    let inline = stance == Stance::Inline;
    let only = || words.is_only(|cue| matches!(cue, Cue::Sample | Cue::Wrong | Cue::Example));
    // `Here is an example. {"a": 1}`: the sentence has ended, and is about something else.
    if stance == Stance::Apart {
        return None;
    }
    // `Bad example:` and nothing else.
    if !inline && first.start <= 2 && only() {
        return Some(Class::Guess);
    }
    let doubts = cues.iter().enumerate().rev().filter_map(|(index, one)| {
        let gap = words.len() - one.end;
        let behind = &cues[index + 1..];
        let broken = behind.iter().any(|next| next.cue == Cue::Break)
            || words.parted(one.end - 1, words.len() - 1) > Mark::None;
        let said = behind.iter().any(|next| next.cue == Cue::Is);
        let definite = |other: &FoundCue| other.cue == Cue::Outcome && other.end == one.start;
        // `If none is given, the answer would be …`
        let supposed = || {
            cues[..index]
                .iter()
                .any(|other| other.cue == Cue::Condition && words.word(other.start) == "if")
        };
        let open = !broken && !asked;
        match one.cue {
            // A comma may follow `for example`.
            Cue::Example => {
                let colon = words.parted(one.end - 1, words.len() - 1) >= Mark::Colon;
                let clause = words.parted(one.end, words.len() - 1) > Mark::None;
                (!colon && (inline || !clause)).then_some(Class::Guess)
            }
            // `I made a sample {"a": 1} for it.`
            Cue::Sample if open && inline && gap <= NEAR => Some(Class::Guess),
            Cue::Sample if open && gap <= NEAR => Some(Class::Likely),
            // `something like {"a": 1}`
            Cue::Likeness if open && !said && inline && gap <= NEAR => Some(Class::Guess),
            Cue::Likeness if open && !inline && gap <= 2 => Some(Class::Likely),
            // `The answer would be {"a": 1}`: there is only one answer, whatever verb introduces it.
            Cue::Condition | Cue::Rule if cues[..index].iter().any(definite) && !supposed() => None,
            // `You could send {"a": 1}`
            Cue::Condition if open && inline && gap <= FAR => Some(Class::Guess),
            // `The best choice would be:`, but not `I would say:`.
            Cue::Condition if open && gap == 1 && words.word(one.end) == "be" => {
                Some(Class::Likely)
            }
            // `It must look like {"a": 1}`
            Cue::Rule if open && !said && inline && gap <= FAR => Some(Class::Guess),
            // `Send {"a": 1} to the server`: the reader is told to.
            Cue::Give if open && inline && one.start == 0 && gap <= FAR => Some(Class::Guess),
            Cue::Draft if !asked && !said && inline && gap <= 1 => Some(Class::Likely),
            // `not {"a": 1}`
            Cue::Negation if !broken && inline && gap <= NEAR => Some(Class::Guess),
            // `Never do this:`, but not `I didn't change the rest:`.
            Cue::Negation if !broken && one.start == 0 && gap <= 3 => Some(Class::Guess),
            _ => None,
        }
    });
    doubts.max()
}

/// Returns how far the rest of its sentence speaks against a value: ` is not allowed.` makes it a guess. `text` is
/// all that stands behind it.
fn own_sentence(text: &str, before: &Before<'_>, words: &Words) -> Option<Class> {
    let next = text
        .strip_prefix([' ', ','])
        .filter(|next| next.starts_with(|c: char| c.is_lowercase() || c == ' '));
    let sign = text.find(['.', '!', '?', '\n', ':', ';', '(', '—', '–']);
    let asked = sign.is_some_and(|sign| text[sign..].starts_with('?'));
    // `Is it {"a": 1}?`
    if asked && (next.is_some() || text.starts_with('?')) {
        return Some(Class::Guess);
    }
    let own = || words.sentences().next().unwrap_or_default();
    // `{"a": 1} is not allowed.`
    if text.starts_with([' ', ',']) && rest_of_sentence(&own(), text.starts_with(',')) {
        return Some(Class::Guess);
    }
    // The sentence goes on, and may say anything.
    let goes_on = next.is_some() && !text.starts_with(',') && before.stance == Stance::Inline;
    let announced = goes_on && is_announced(&Words::of(before.text).last_sentence().cues());
    (goes_on && !announced).then_some(Class::Likely)
}

/// Returns whether what follows a value in its sentence says that it is no answer: `would work`, `is not allowed`,
/// behind a `comma` `for example`.
fn rest_of_sentence(words: &Words, comma: bool) -> bool {
    let cues = words.cues();
    if cues.iter().any(|one| one.cue == Cue::Asked) {
        return false;
    }
    // `… is just an example`
    let is = cues
        .first()
        .filter(|one| one.cue == Cue::Is && one.start == 0);
    let called = is.and_then(|_| cues.iter().find(|one| one.cue == Cue::Sample));
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

/// Returns whether a sentence hands something over, or speaks of what the writer did: `Here it is` does.
fn is_announced(cues: &[FoundCue]) -> bool {
    cues.iter().any(|one| {
        matches!(
            one.cue,
            Cue::Is | Cue::Answer | Cue::Asked | Cue::Outcome | Cue::Break | Cue::Writer
        )
    })
}

/// Returns whether a sentence asks the reader for something, as `Please send more` does, and not just for form's sake,
/// as in `Please give feedback`.
pub(crate) fn asks(words: &Words, cues: &[FoundCue]) -> bool {
    let courteous = cues.iter().any(|one| {
        one.cue == Cue::Courtesy || one.cue == Cue::Condition && words.word(one.start) == "if"
    });
    let whole = cues.iter().any(|one| one.cue == Cue::Request);
    let plea = || {
        cues.windows(2).any(|pair| {
            let near = pair[1].start - pair[0].end <= 1;
            // `Please share it with your team.`
            let given = matches!(words.word(pair[1].start), "give" | "share");
            let near = near && !(given && matches!(words.word(pair[1].end), "it" | "this"));
            pair[0].cue == Cue::Plea && pair[1].cue == Cue::Give && near
        })
    };
    !courteous && (whole || plea())
}

/// Returns whether a sentence takes back what stands before it: `Oops`, `that should be 1000`, `Sorry, a typo`. `names` tells of a word whether the value has a member of that name.
pub(crate) fn takes_back(words: &Words, names: impl Fn(&str) -> bool) -> bool {
    let cues = words.cues();
    let has = |wanted: &[Cue]| cues.iter().any(|one: &FoundCue| wanted.contains(&one.cue));
    if cues
        .iter()
        .any(|one| one.cue == Cue::Condition && words.word(one.start) == "if")
    {
        return false;
    }
    let digit = |at: usize| words.word(at).starts_with(|c: char| c.is_ascii_digit());
    let parts = |one: &FoundCue| words.mark(one.end - 1) > Mark::None;
    let corrects = cues.iter().any(|one| match one.cue {
        Cue::Retraction => true,
        // `that should be 1000`: a correction names the right value. `This should be fine` does not.
        Cue::Should => digit(one.end),
        // `Correction: …`
        Cue::Correction => one.start == 0 && parts(one),
        _ => false,
    });
    // A name that is a word of the table is just that word: `a`, `range`.
    let named = |at: usize| words.cue_of(at).is_none() && names(words.word(at));
    let told = has(&[Cue::Wrong, Cue::Should, Cue::Correction]);
    let regrets = cues.iter().any(|one| {
        let first = one.start <= 1;
        let next = cues.iter().find(|next| next.start == one.end);
        let about = next.is_some_and(|next| next.cue == Cue::Subject) || named(one.end);
        let said = match words.word(one.start) {
            // `Wait, …` at the beginning, but not `please wait`.
            "wait" => first && (parts(one) || told),
            // `Actually, that is wrong`, but not `Actually quite nice`.
            "actually" => first && (about || told),
            _ => told,
        };
        one.cue == Cue::Regret && said
    });
    let faulty = has(&[Cue::Wrong]) && !has(&[Cue::Negation, Cue::Idiom, Cue::Condition]);
    corrects || regrets || faulty && (0..words.len()).any(named)
}

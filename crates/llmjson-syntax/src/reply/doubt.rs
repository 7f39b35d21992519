//! Whether the words around a value say that it is no answer: an example, what is not to be done,
//! what the reader is asked for, what is taken back.
//!
//! In a sentence a cue counts for the value behind it, as in `something like {"a": 1}`, as long as
//! no new clause begins between them. Before a colon or a line of its own fewer cues count: `The
//! best choice would be:` announces an answer. Behind a value count requests and what takes it back.

use crate::base::repair::{Class, RepairKind};
use crate::parser::state::reader::Reader;
use crate::reply::cues::Cue;
use crate::reply::lead::{Before, Stance};
use crate::reply::words::{Found, Mark, Words};
use crate::scan::peek;
use crate::tape::readings::Reading;

/// Words are looked for in so many bytes behind a value.
const BEHIND_BYTES: usize = 400;

/// So many sentences behind a value are looked at.
const SENTENCES_MAX: usize = 4;

/// How many words may stand between a cue and the value that it is about.
const FAR: usize = 8;
const NEAR: usize = 5;

impl Reader<'_> {
    /// Lowers the class of the text around a value that says, by its words or form, that the value is
    /// no answer. Other values stand before `from` and behind `to`.
    pub(crate) fn doubt_value(&mut self, value: &Reading, from: usize, to: usize) {
        if self.nested || self.work_is_used_up() {
            return;
        }
        let start = value.span.start as usize;
        let before = self.before_value(from, start);
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

    /// What the words before a value, and its form, say against it; false, for the text before it.
    fn doubt_before(&self, value: &Reading, before: &Before<'_>) -> Option<(Class, bool)> {
        let words = Words::of(before.text).last_sentence();
        let class = of_sentence(&words, before.stance);
        let foreign = || {
            self.is_foreign(value, before, &words)
                .then_some(Class::Guess)
        };
        let class = class.max(foreign());
        class.map(|class| (class, false))
    }

    /// What the words behind a value say against it; true, for the text behind it.
    fn doubt_behind(
        &self,
        value: &Reading,
        before: &Before<'_>,
        to: usize,
    ) -> Option<(Class, bool)> {
        let end = value.span.end as usize;
        let mut to = to.max(end).min(end + BEHIND_BYTES).min(self.bytes.len());
        while !self.text.is_char_boundary(to) {
            to -= 1;
        }
        let text = &self.text[end..to];
        self.charge(text.len());
        let text = text.find('{').map_or(text, |brace| &text[..brace]);
        let text = text.trim_start_matches(['`', '\'', '"', ')', '*']);
        // What follows the value in its own sentence is about it.
        if !before.fenced && matches!(peek(text.as_bytes(), 0), b' ' | b',') {
            let own = Words::of(text).sentences().next().unwrap_or_default();
            if rest_of_sentence(&own, text.starts_with(',')) {
                return Some((Class::Guess, true));
            }
        }
        let words = Words::of(text);
        let mut sentences = words.sentences().take(SENTENCES_MAX);
        let against = sentences.any(|one| takes_back(&one) || asks(&one, &one.cues()));
        against.then_some((Class::Guess, true))
    }
}

/// What the sentence before a value says against it.
pub(crate) fn of_sentence(words: &Words, stance: Stance) -> Option<Class> {
    let cues = words.cues();
    let first = cues.first()?;
    let has = |cue| cues.iter().any(|one: &Found| one.cue == cue);
    if asks(words, &cues) {
        return Some(Class::Guess);
    }
    let asked = has(Cue::Asked);
    let inline = stance == Stance::Inline;
    let only = || words.is_only(|cue| matches!(cue, Cue::Sample | Cue::Wrong | Cue::Example));
    if stance == Stance::Apart {
        return None;
    }
    if !inline && !asked && first.start <= 2 && only() {
        return Some(Class::Guess);
    }
    let doubts = cues.iter().enumerate().rev().filter_map(|(index, one)| {
        let gap = words.len() - one.end;
        let behind = &cues[index + 1..];
        let broken = behind.iter().any(|next| next.cue == Cue::Break)
            || words.parted(one.end - 1, words.len() - 1) > Mark::None;
        let said = behind.iter().any(|next| next.cue == Cue::Is);
        let definite = |other: &Found| other.cue == Cue::Outcome && other.end == one.start;
        let open = !broken && !asked;
        match one.cue {
            // A comma may follow `for example`.
            Cue::Example => {
                let colon = words.parted(one.end - 1, words.len() - 1) >= Mark::Colon;
                let clause = words.parted(one.end, words.len() - 1) > Mark::None;
                (!colon && (inline || !clause)).then_some(Class::Guess)
            }
            Cue::Sample if open && inline && gap <= NEAR => Some(Class::Guess),
            Cue::Sample if open && gap <= NEAR => Some(Class::Likely),
            Cue::Likeness if open && !said && inline && gap <= NEAR => Some(Class::Guess),
            Cue::Likeness if open && gap <= 1 => Some(Class::Likely),
            Cue::Condition if cues[..index].iter().any(definite) => None,
            Cue::Condition if open && inline && gap <= FAR => Some(Class::Guess),
            Cue::Condition if open && gap <= 2 => Some(Class::Likely),
            Cue::Negation if !broken && inline && gap <= NEAR => Some(Class::Guess),
            Cue::Negation if !broken && one.start <= 2 && gap <= 3 => Some(Class::Guess),
            _ => None,
        }
    });
    doubts.max()
}

/// Returns whether what follows a value in its sentence says that it is no answer: `… would work`,
/// `… is not allowed`, `…, for example`.
fn rest_of_sentence(words: &Words, comma: bool) -> bool {
    let cues = words.cues();
    let about = cues.iter().find(|one| one.cue != Cue::Is);
    about.is_some_and(|one| {
        let near = one.start <= 1 && words.parted(0, one.start) == Mark::None;
        let said = matches!(one.cue, Cue::Condition | Cue::Negation | Cue::Wrong);
        near && (one.cue == Cue::Example || said && !comma)
    })
}

/// Returns whether a sentence asks the reader for something, and not just for form's sake.
fn asks(words: &Words, cues: &[Found]) -> bool {
    let courteous = cues.iter().any(|one| {
        one.cue == Cue::Courtesy || one.cue == Cue::Condition && words.word(one.start) == "if"
    });
    !courteous
        && cues.windows(2).any(|pair| {
            let near = pair[1].start - pair[0].end <= 1;
            pair[0].cue == Cue::Plea && pair[1].cue == Cue::Give && near
        })
}

/// Returns whether a sentence takes back what stands before it: `Oops`, `that should be 1000`,
/// `Sorry, I meant …`.
pub(crate) fn takes_back(words: &Words) -> bool {
    let cues = words.cues();
    let has = |wanted: &[Cue]| cues.iter().any(|one: &Found| wanted.contains(&one.cue));
    let digit = |at: usize| words.word(at).starts_with(|c: char| c.is_ascii_digit());
    if cues
        .iter()
        .any(|one| one.cue == Cue::Condition && words.word(one.start) == "if")
    {
        return false;
    }
    let corrects = cues.iter().any(|one| match one.cue {
        Cue::Retraction => true,
        Cue::Should => digit(one.end),
        Cue::Correction => one.start == 0 && words.mark(0) == Mark::Colon,
        _ => false,
    });
    let regrets = cues.first().is_some_and(|first| {
        let parts = words.mark(first.end - 1) > Mark::None;
        let next = cues.get(1).filter(|next| next.start == first.end);
        let about = next.is_some_and(|next| next.cue == Cue::Subject);
        let told = has(&[Cue::Wrong, Cue::Should, Cue::Correction]);
        let said = match words.word(first.start) {
            "wait" | "hmm" => parts,
            "actually" => about,
            _ => told && parts,
        };
        first.cue == Cue::Regret && first.start <= 1 && (said || told)
    });
    corrects || regrets
}

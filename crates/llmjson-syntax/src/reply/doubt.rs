//! Evidence in the words around a value, or in its form, that it is not an answer.

use core::ops::Range;

use crate::base::repair::{Class, Repair, RepairKind};
use crate::base::span::Span;
use crate::parser::state::reader::Reader;
use crate::reply::before::Before;
use crate::reply::contradiction::contradicts;
use crate::reply::correction::corrections;
use crate::reply::foreign::is_data;
use crate::reply::lexicon::Cue;
use crate::reply::says::{Stance, asks, of_sentence, rest_of_sentence, takes_back};
use crate::reply::words::{Sentence, Words};
use crate::tape::readings::{Reading, Records};
use crate::view::ValueRef;

/// Number of bytes behind a value in which words about it are looked for.
const BEHIND_BYTES: usize = 400;

/// Maximum number of sentences behind a value that are looked at.
const SENTENCES_MAX: usize = 4;

/// Maximum number of names of a value that are looked for behind it.
const NAMES_MAX: usize = 16;

impl Reader<'_> {
    /// Lowers the class of the text around a value that says, by its words or form, that the value is
    /// no answer. Other values stand before `from` and behind `to`.
    pub(crate) fn doubt_value(&mut self, value: &Reading, from: usize, to: usize) {
        if self.look.work_is_used_up() {
            return;
        }
        let start = value.span.start as usize;
        self.doubt_parts(value);
        let before = self.look.before_value(&self.readings.marks, from, start);
        let doubt = self.doubt_before(value, &before);
        let behind = self.text_behind(value, to);
        let words = Words::of(&self.look.text[behind.clone()]);
        let corrected =
            self.record_corrections(value, behind.start, &words, &self.look.text[behind.clone()]);
        let doubt = doubt.max(self.doubt_behind(
            value,
            &before,
            &self.look.text[behind],
            &words,
            corrected,
        ));
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
        let words = before.words.last();
        // Brackets with nothing in them are part of what is said, unless they are what it is about.
        let empty = || {
            before.stance == Stance::Inline
                && words.len() > 1
                && !words.has(ANNOUNCED)
                && !self.substantial(value.root)
        };
        let guessed = self.is_foreign(value, before, &words) || empty();
        let class = of_sentence(&words, before.stance).max(guessed.then_some(Class::Guess));
        let in_program = class.is_none() && self.in_program(value, before);
        let class = class.or(in_program.then_some(Class::Likely));
        class.map(|class| (class, false))
    }

    /// Returns the text behind a value in which words about it are looked for. Other values stand behind `to`.
    fn text_behind(&self, value: &Reading, to: usize) -> Range<usize> {
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
        let rest = text.trim_start_matches(['`', '\'', '"', ')', '*']);
        end + text.len() - rest.len()..end + text.len()
    }

    /// Records the corrections of a value in the text behind it. Returns whether there are any.
    fn record_corrections(
        &mut self,
        value: &Reading,
        start: usize,
        words: &Words,
        text: &str,
    ) -> bool {
        const TELLING: &[Cue] = &[
            Cue::Correction,
            Cue::Regret,
            Cue::Retraction,
            Cue::Should,
            Cue::Wrong,
        ];
        let arrow = || {
            ["->", "=>", "→", "⇒"]
                .iter()
                .any(|sign| text.contains(sign))
        };
        if !words.sentences().any(|one| one.has(TELLING)) && !arrow() {
            return false;
        }
        let root = ValueRef::new(self.tape, self.look.text, value.root);
        let found = corrections(text, root);
        for (from, to) in &found {
            self.repair(RepairKind::Correction, start + from, start + to);
        }
        !found.is_empty()
    }

    /// Returns how far the words behind a value speak against it: a guess for `{"a": 1} would also work`; with `true`,
    /// for the text behind it. What `corrected` it is on record.
    fn doubt_behind(
        &self,
        value: &Reading,
        before: &Before<'_>,
        text: &str,
        words: &Words,
        corrected: bool,
    ) -> Option<(Class, bool)> {
        // What follows the value in its own sentence is about it.
        let own = match before.fenced {
            true => None,
            false => own_sentence(text, before, words.sentences().next().unwrap_or_default()),
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
            let told = || takes_back(&one, names) || contradicts(&one, text, root);
            asks(&one) || !corrected && told()
        });
        match against {
            true => Some((Class::Guess, true)),
            false => own.map(|class| (class, true)),
        }
    }
}

/// The cues of a sentence that hands something over, or speaks of what the writer did: `Here it is`.
const ANNOUNCED: &[Cue] = &[
    Cue::Is,
    Cue::Answer,
    Cue::Asked,
    Cue::Outcome,
    Cue::Break,
    Cue::Writer,
];

/// Returns how far the rest of its sentence speaks against a value: ` is not allowed.` makes it a guess. `text` is
/// all that stands behind it.
fn own_sentence(text: &str, before: &Before<'_>, own: Sentence<'_>) -> Option<Class> {
    let next = text
        .strip_prefix([' ', ','])
        .filter(|next| next.starts_with(|c: char| c.is_lowercase() || c == ' '));
    let sign = text.find(['.', '!', '?', '\n', ':', ';', '(', '—', '–']);
    let asked = sign.is_some_and(|sign| text[sign..].starts_with('?'));
    // `Is it {"a": 1}?`, `{"a": 1} is not allowed.`
    if asked && (next.is_some() || text.starts_with('?'))
        || text.starts_with([' ', ',']) && rest_of_sentence(&own, text.starts_with(','))
    {
        return Some(Class::Guess);
    }
    // The sentence goes on, and may say anything.
    let goes_on = next.is_some() && !text.starts_with(',') && before.stance == Stance::Inline;
    (goes_on && !before.words.last().has(ANNOUNCED)).then_some(Class::Likely)
}

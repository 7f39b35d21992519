//! Turns that a model made up after its answer: the next question, and an answer to it.
//!
//! ```text
//! {"city": "Oslo"}
//!
//! ### Input: Rome
//! ### Response: {"city": "Rome"}
//! ```
//!
//! The first of these turns ends the reply: anything after it is text around the value. A reply
//! that begins with a turn is a transcript, whose turns are not made up.

use core::ops::Range;

use crate::base::repair_set::{RepairSet, has_guess};
use crate::base::span::Span;
use crate::parser::look::Look;
use crate::parser::state::reader::Reader;
use crate::parser::state::step::ValueEnd;
use crate::reply::found::ReplySearch;
use crate::scan::tag::special_token;
use crate::tape::marks::Mark;
use crate::tape::readings::Reading;
use crate::tape::{Tag, flag};
use crate::zones::lexicon::{ANSWERERS, MODELS, OTHERS, OTHERS_BESIDE_MODELS, is_one_of};
use crate::zones::speakers::speaker;

/// Names of the tokens that begin a turn and precede the speaker's name, letters only.
const BEGINNINGS: &str = "imstart startheaderid start startofturn turn";

/// Parts of the names of tokens that end a turn, letters only.
const ENDINGS: &str = "end eot eom stop";

/// Labels of the parts of a prompt, which begin a turn where an answer follows.
const PROMPTS: &str = "input inputs instruction instructions prompt";

/// Labels of the answers to them.
const RESPONSES: &str = "output outputs response";

/// The speakers whose name suffices to begin a turn.
const ASKERS: &str = "user human";

/// Words of a line which announces that a truncated text continues.
const NOTICES: &[&str] = &[
    "continued",
    "continue",
    "continuing",
    "cont",
    "cont'd",
    "to be continued",
    "continues",
    "please continue",
    "go on",
    "continued from above",
    "continued below",
    "next part",
];

/// Tokens that begin or end a turn.
const TOKENS: &[&str] = &[
    "<|im_start|>",
    "<|im_end|>",
    "<|user|>",
    "<|assistant|>",
    "<|eot_id|>",
];

/// The speakers whose turn may consist of a request to continue.
const SPEAKERS: &[&str] = &["user", "human", "assistant", "ai"];

/// Number of bytes after a part of a text that are searched for an answer.
const ANSWER_BYTES: usize = 4096;

/// Maximum number of turns within a value that are examined.
const TURNS_MAX: usize = 8;

/// Maximum length of a line that is searched for a speaker.
const LINE_BYTES: usize = 120;

/// Returns the offset of the first turn of another speaker in a part of a text.
pub(crate) fn turn_in(text: &str, part: Range<usize>) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut answers = Answers {
        text: &text[..text.floor_char_boundary(text.len().min(part.end + ANSWER_BYTES))],
        at: part.start,
        found: None,
    };
    let mut open = false;
    let mut at = part.start;
    while let Some(found) = memchr::memchr3(b'\n', b'<', b'[', &bytes[at..part.end]) {
        let sign = at + found;
        at = sign + 1;
        if bytes[sign] != b'\n' {
            if turn_token(text, sign) == Some(true) && !open && asks(text, sign) {
                return Some(sign);
            }
            continue;
        }
        let line = line_at(&text[..part.end], at);
        // A line inside another fence does not count.
        if line.trim_start().starts_with("```") {
            open = !open && line.trim().len() > 3;
        }
        if open || !speaks(line) {
            continue;
        }
        let who = speaker(line.trim_start()).unwrap_or_default();
        let alone = is_one_of(ASKERS, who) && who.starts_with(char::is_uppercase);
        let turn = at + line.len() - line.trim_start().len();
        if asks(text, turn) && (alone || answers.follow(at)) {
            return Some(turn);
        }
    }
    None
}

/// Returns `true` if a line announces that the answer continues, or begins a turn that says no
/// more.
pub(super) fn parts_at(line: &str) -> bool {
    // Most lines are members.
    if line.trim_start().starts_with('"') {
        return false;
    }
    let mark = |sign: char| "()[]{}*_.…-–—:#<>/!".contains(sign) || sign.is_whitespace();
    let is_one = |all: &[&str], word: &str| all.iter().any(|one| one.eq_ignore_ascii_case(word));
    let said = match line.split_once(':') {
        Some((speaker, said)) if is_one(SPEAKERS, speaker.trim_matches(mark)) => said,
        _ => line,
    };
    let bare = said.trim_matches(mark);
    let spoken = said.len() < line.len() && bare.is_empty();
    let begins = |token: &&str| line.trim_start().starts_with(*token);
    spoken || is_one(NOTICES, bare) || TOKENS.iter().any(begins)
}

/// Returns `true` if the turn at a place says more than a request to continue.
fn asks(text: &str, turn: usize) -> bool {
    let end = text.floor_char_boundary(text.len().min(turn + LINE_BYTES));
    let near = &text[turn..end];
    let line = near.lines().next().unwrap_or_default();
    if !line.starts_with('<') {
        return !parts_at(line);
    }
    // The question follows the token, or is on the lines below it.
    let said = near[line.len()..].split("<|").next().unwrap_or_default();
    let mut lines = said.lines().filter(|line| !line.trim().is_empty());
    let is_only = TOKENS.iter().any(|token| line.starts_with(token));
    !is_only || lines.clone().next().is_none() || lines.any(|line| !parts_at(line))
}

/// The lines of a text in which the model answers, as far as they have been searched for.
struct Answers<'t> {
    text: &'t str,
    at: usize,
    found: Option<usize>,
}

impl Answers<'_> {
    /// Returns `true` if the model answers after a place.
    fn follow(&mut self, place: usize) -> bool {
        self.at = self.at.max(place);
        while self.found.is_none_or(|found| found <= place) {
            let Some(end) = memchr::memchr(b'\n', &self.text.as_bytes()[self.at..]) else {
                return false;
            };
            self.at += end + 1;
            let line = line_at(self.text, self.at).trim_start();
            if speaker(line).is_some_and(is_answerer) {
                self.found = Some(self.at);
            }
        }
        true
    }
}

/// Returns the beginning of the line at a place.
fn line_at(text: &str, at: usize) -> &str {
    let rest = &text[at..];
    let near = &rest[..rest.floor_char_boundary(LINE_BYTES.min(rest.len()))];
    near.split('\n').next().unwrap_or_default()
}

/// Returns `true` if a speaker other than the model begins a line.
fn speaks(line: &str) -> bool {
    let line = line.trim_start();
    // Tags may be arbitrary elements.
    !line.starts_with('<')
        && speaker(line).is_some_and(|who| {
            [OTHERS, OTHERS_BESIDE_MODELS, PROMPTS]
                .iter()
                .any(|words| is_one_of(words, who))
        })
}

fn is_answerer(who: &str) -> bool {
    [MODELS, ANSWERERS, RESPONSES]
        .iter()
        .any(|words| is_one_of(words, who))
}

/// Returns whether the special token at a place begins the turn of another speaker, or `None` if
/// there is no token.
pub(crate) fn turn_token(text: &str, at: usize) -> Option<bool> {
    let end = special_token(text, at)?;
    let token = &text[at..end];
    if token.eq_ignore_ascii_case("[INST]") {
        return Some(true);
    }
    let parts = || token.split(|sign: char| !sign.is_ascii_alphanumeric());
    if parts().any(|part| is_one_of(ENDINGS, part)) || token.starts_with("</") {
        return Some(false);
    }
    if parts().any(|part| is_one_of(OTHERS, part)) {
        return Some(true);
    }
    let mut name = [0; 16];
    let letters = token.bytes().filter(u8::is_ascii_alphabetic);
    let count = letters.zip(&mut name).fold(0, |count, (letter, place)| {
        *place = letter.to_ascii_lowercase();
        count + 1
    });
    let name = core::str::from_utf8(&name[..count]).unwrap_or_default();
    let behind = text[end..].trim_start();
    let letters = behind.bytes().take_while(u8::is_ascii_alphabetic).count();
    let role = &behind[..letters];
    Some(is_one_of(BEGINNINGS, name) && is_one_of(OTHERS, role))
}

impl Reader<'_> {
    /// Drops the values after a turn that the model made up.
    pub(crate) fn end_at_turn(&mut self, found: &mut ReplySearch) {
        let Some(turn) = self.made_up(&found.candidates, &found.zones.marks) else {
            return;
        };
        found
            .candidates
            .retain(|one| (one.span.start as usize) < turn);
    }

    /// Returns the offset of a turn that the model made up after one of these values.
    fn made_up(&mut self, values: &[Reading], marks: &[Mark]) -> Option<usize> {
        let first = values.iter().map(|one| one.span.start).min()? as usize;
        let mut end = None;
        let mut turn = None;
        for one in values {
            let (start, stop) = (one.span.start as usize, one.span.end as usize);
            if let Some(end) = end.filter(|end| *end <= start) {
                turn = self.look.turn_in(end..start);
            }
            if turn.is_some() {
                break;
            }
            end = end.max(Some(stop));
        }
        let turn = turn?;
        if self.look.turn_before(first) {
            return None;
        }
        let before = values.iter().filter(|one| (one.span.start as usize) < turn);
        let mut before: alloc::vec::Vec<Reading> = before.cloned().collect();
        let kept = core::mem::replace(&mut self.readings.marks, marks.to_vec());
        self.read_leads(&mut before);
        self.readings.marks = kept;
        let answers = |one: &Reading| {
            !one.thought && !one.shown && !one.mentioned && self.substantial(one.root)
        };
        before.iter().any(answers).then_some(turn)
    }

    /// Returns the offset of a turn that the model made up after the chosen value.
    pub(crate) fn turn_behind(&self, value: Span) -> Option<usize> {
        let (mut at, length) = (value.end as usize, self.look.bytes.len());
        let others = self.readings.all.iter().map(|one| one.span);
        let mut others = others.filter(|one| one.start >= value.end);
        let found = loop {
            let next = others.next();
            let stop = next.map_or(length, |one| one.start as usize);
            if stop > at
                && let Some(found) = self.look.turn_in(at..stop)
            {
                break found;
            }
            at = at.max(next?.end as usize);
        };
        (!self.look.turn_before(value.start as usize)).then_some(found)
    }

    /// Returns `true` if a value was read to its end, without a guess and with matching brackets.
    pub(crate) fn is_sound(&self, read: ValueEnd) -> bool {
        let repairs = &self.tape.repairs[self.first_repair..];
        read.complete
            && !self.counters.cut
            && !RepairSet::MISFITS.among(repairs)
            && !has_guess(repairs)
    }

    /// Returns the offset of a turn within a damaged value: after its truncated part.
    pub(crate) fn turn_within(&self, start: usize, read: ValueEnd, root: usize) -> Option<usize> {
        let nodes = &self.tape.nodes[root.min(self.tape.nodes.len())..];
        let mut at = start;
        for _ in 0..TURNS_MAX {
            let turn = self.look.turn_in(at..read.end)?;
            self.look.charge_search(nodes.len());
            // A closed text may contain anything.
            let closed = nodes.iter().any(|node| {
                let inside = (node.start as usize) <= turn && turn < node.end as usize;
                node.tag == Tag::String
                    && inside
                    && !node.has(flag::SIDE | flag::TRUNCATED)
                    && self.look.closes_text(node.end as usize)
            });
            if !closed {
                let end = self.look.text[..turn].trim_end().len();
                return (!self.look.turn_before(start)).then_some(end.max(start + 1));
            }
            at = turn + 1;
        }
        None
    }
}

impl Look<'_> {
    fn turn_in(&self, part: Range<usize>) -> Option<usize> {
        self.charge_search(part.len());
        turn_in(self.text, part)
    }

    /// Returns `true` if a turn of another speaker precedes a place.
    fn turn_before(&self, place: usize) -> bool {
        let begins = place > 0 && speaks(line_at(self.text, 0));
        begins || self.turn_in(0..place).is_some()
    }

    /// Returns `true` if the quote at a place certainly closes a string: a comma or bracket
    /// follows.
    fn closes_text(&self, at: usize) -> bool {
        let behind = self.skip_space(at + 1).0;
        matches!(behind, b',' | b'}' | b']' | b':')
    }
}

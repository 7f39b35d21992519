//! Transcripts: lines of other speakers, and tool results.

use alloc::format;

use crate::zones::lexicon::{ANSWERERS, MODELS, OTHERS, OTHERS_BESIDE_MODELS, is_one_of};
use crate::zones::pass::Pass;
use crate::zones::zone::{Asker, ZoneKind};

impl<A: Asker> Pass<'_, '_, A> {
    /// `User: …` and `Observation: …`: a turn of another speaker in a transcript.
    pub(crate) fn speech(&mut self, from: usize, line: &str, inner: &str) -> bool {
        let Some(who) = speaker(inner) else {
            return false;
        };
        // `Observation: …`: the result of the tool, up to the next step of the model, or to a value
        // below the result.
        if who == "Observation" {
            let ends = ["Thought:", "Action:", "Final Answer:"];
            let mut is_label = inner.trim_end().ends_with(':');
            let mut begins = true;
            let end = self.lines(from, |line| {
                let is_value = line.starts_with(['{', '[']) && !is_label && !begins;
                is_label &= begins;
                begins = false;
                !is_value && !ends.iter().any(|end| line.starts_with(end))
            });
            self.set(from, end, ZoneKind::Turn);
            return true;
        }
        let is_other = is_one_of(OTHERS, who);
        if !is_other && !is_one_of(OTHERS_BESIDE_MODELS, who) {
            return false;
        }
        // `<user>` may begin an element.
        let is_tag = inner.starts_with('<');
        if is_tag && (self.is_open || self.find_closer(from, format!("</{who}>")).is_some()) {
            return false;
        }
        if !is_other {
            return self.is_answered(from, line, is_one_of("q question", who));
        }
        if !self.zones.place.model_is_missing {
            let rest = &self.text[from + line.len()..];
            self.asker.charge(rest.len());
            self.asker.reach_end();
            if speaks(rest, false) {
                self.set_transcript(from);
                return true;
            }
            self.zones.place.model_is_missing = true;
        }
        // A model may announce which tool it uses.
        let is_quoted = !who.eq_ignore_ascii_case("tool");
        if is_quoted {
            let end = self.lines(from, |line| !line.trim().is_empty());
            self.set(from, end, ZoneKind::Turn);
        }
        is_quoted
    }

    /// Quotes a turn if the model speaks after it: in its paragraph, or at the beginning of the
    /// next one.
    fn is_answered(&mut self, from: usize, line: &str, is_question: bool) -> bool {
        if from < self.zones.place.unanswered {
            return false;
        }
        let text = self.text;
        let end = self.lines(from, |line| !line.trim().is_empty());
        let next = text[end..].trim_start();
        let (first, is_whole) = match next.split_once('\n') {
            Some((first, _)) => (first, true),
            None => (next, false),
        };
        self.asker.charge(end - from + first.len());
        if speaks(&text[from + line.len()..end], is_question) || speaks(first, is_question) {
            self.set_transcript(from);
            return true;
        }
        if !is_whole && self.is_open {
            self.asker.reach_end();
            self.set(from, text.len(), ZoneKind::Turn);
        }
        self.zones.place.unanswered = end;
        !is_whole && self.is_open
    }
}

/// Returns `true` if the model speaks in one of several lines.
fn speaks(lines: &str, is_question: bool) -> bool {
    let is_model = |who| is_one_of(MODELS, who) || is_question && is_one_of(ANSWERERS, who);
    lines.split('\n').filter_map(speaker).any(is_model)
}

/// Returns the speaker of a line: `User: …`, `**User:** …`, `[User] …`, `<user> …`, `### User`, `User (10:31): …`.
pub(crate) fn speaker(line: &str) -> Option<&str> {
    let behind = |text: &str, signs: &[u8]| {
        let bytes = text.as_bytes();
        bytes
            .iter()
            .position(|one| !signs.contains(one))
            .unwrap_or(bytes.len())
    };
    let (marks, begin) = line.split_at(behind(line, b"*# _"));
    let bare = &begin[behind(begin, b"[<")..];
    let letters = bare
        .find(|c: char| !c.is_alphabetic())
        .unwrap_or(bare.len());
    let (who, rest) = bare.split_at(letters);
    if who.is_empty() {
        return None;
    }
    let rest = &rest[behind(rest, b"*_")..];
    let is_one = match rest.as_bytes() {
        [b']' | b'>', ..] => bare.len() < begin.len(),
        _ if bare.len() < begin.len() => false,
        [b':', ..] => true,
        _ if rest.starts_with('：') => true,
        [b' ', b'(' | b'[', ..] | [b'(' | b'[', ..] => is_time(rest),
        // A heading, or bold words: `### User`, `**User**`.
        _ => !marks.trim().is_empty() && rest.trim().is_empty(),
    };
    is_one.then_some(who)
}

/// Returns `true` if a text begins with a time in brackets followed by a colon: `(10:31):`.
fn is_time(text: &str) -> bool {
    let is_part = |one: char| one.is_ascii_digit() || ":-/. TZ([".contains(one);
    let rest = text.trim_start_matches(is_part);
    rest.strip_prefix([')', ']'])
        .is_some_and(|rest| rest.starts_with(':'))
}

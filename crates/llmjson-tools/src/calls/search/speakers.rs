//! Transcripts: lines in which others speak, and what a tool returned.

use super::CallSearch;
use super::leads::is_one_of;
use crate::calls::found::NotRunReason;

/// The speakers in a transcript, beside the model, and those that are such only where the model speaks behind
/// them: `Client: Acme` may be a fact.
const OTHERS: &str = "user human system tool customer";
const OTHERS_BESIDE_MODELS: &str = "client guest h operator person q question u visitor";

/// The names of the model in a transcript.
const MODELS: &str = "agent ai assistant bot chatbot model";

/// The same where a question stands before its answer.
const ANSWERS: &str = "a answer";

impl CallSearch<'_, '_> {
    /// `User: …` and `Observation: …`: a turn of another speaker in a transcript.
    pub(super) fn speech(&mut self, from: usize, line: &str, inner: &str) -> bool {
        let Some(who) = speaker(inner) else {
            return false;
        };
        // `Observation: …`: what the tool returned, up to the next step of the model.
        if who == "Observation" {
            let ends = ["Thought:", "Action:", "Final Answer:"];
            let end = self.lines(from, |line| !ends.iter().any(|end| line.starts_with(end)));
            self.quote_shown(from, end, NotRunReason::Turn);
            return true;
        }
        let is_other = is_one_of(OTHERS, who);
        if !is_other && !is_one_of(OTHERS_BESIDE_MODELS, who) {
            return false;
        }
        // `<user>` may begin an element.
        let is_tag = inner.starts_with('<');
        if is_tag && self.find_closer(from, format!("</{who}>")).is_some() {
            return false;
        }
        if !self.quotes.model_is_missing {
            let rest = &self.text[from + line.len()..];
            self.budget.charge(rest.len());
            self.budget.reached_end = true;
            let mut speakers = rest.split('\n').filter_map(speaker);
            let is_question = is_one_of("q question", who);
            let is_model = |who| is_one_of(MODELS, who) || is_question && is_one_of(ANSWERS, who);
            if speakers.any(is_model) {
                self.quote_transcript(from);
                return true;
            }
            self.quotes.model_is_missing = true;
        }
        // A model may say of itself which tool it takes.
        let is_quoted = is_other && !who.eq_ignore_ascii_case("tool");
        if is_quoted {
            let end = self.lines(from, |line| !line.trim().is_empty());
            self.quote_shown(from, end, NotRunReason::Turn);
        }
        is_quoted
    }
}

/// Returns who speaks in a line: `User: …`, `**User:** …`, `[User] …`, `<user> …`, `### User`, `User (10:31): …`.
fn speaker(line: &str) -> Option<&str> {
    let is_part = |one: char| one.is_ascii_alphabetic();
    let is_heading = line.starts_with('#');
    let begin = line.trim_start_matches(['*', '#', ' ', '_']);
    let bare = begin.trim_start_matches(['[', '<']);
    let (who, rest) = bare.split_at(bare.find(|one| !is_part(one)).unwrap_or(bare.len()));
    let rest = rest.trim_start_matches(['*', '_']);
    if who.is_empty() {
        return None;
    }
    let is_one = match bare.len() < begin.len() {
        true => rest.starts_with([']', '>']),
        false if rest.trim().is_empty() => is_heading || begin.len() < line.len(),
        false => rest.starts_with(':') || rest.strip_prefix([' ', '(', '[']).is_some_and(is_time),
    };
    is_one.then_some(who)
}

/// Returns `true` if a text begins with a time in brackets that a colon follows: `(10:31):`.
fn is_time(text: &str) -> bool {
    let is_part = |one: char| one.is_ascii_digit() || ":-/. TZ([".contains(one);
    let rest = text.trim_start_matches(is_part);
    rest.strip_prefix([')', ']'])
        .is_some_and(|rest| rest.starts_with(':'))
}

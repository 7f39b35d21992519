//! Turns: the lines and special tokens after which another speaker or the model speaks.
//!
//! ```text
//! {"city": "Oslo"}
//!
//! ### Input: Rome
//! ### Response: {"city": "Rome"}
//! ```
//!
//! A turn that follows the model's answer was made up by the model and ends the reply. A reply that begins with a turn
//! is a transcript.

use core::ops::Range;

use crate::base::work::steps_of_search;
use crate::scan::tag::{special_token, tag};
use crate::zones::fence::{FenceLine, Fences};
use crate::zones::lexicon::{
    CONTINUED, CONTINUES, ENDS_OF_TURNS, OBSERVATION, Role, STARTS_OF_TURNS, STEPS, TOKEN_ROLES,
    WordList, role_of, words,
};
use crate::zones::pass::Pass;
use crate::zones::zone::{Asker, ZoneKind};

/// Number of bytes before or after a part of a text that are searched for a turn.
pub(crate) const ANSWER_BYTES: usize = 4096;

/// Maximum length of a line that is searched for a speaker.
const LINE_BYTES: usize = 120;

/// Maximum number of words of a line which announces that a truncated text continues.
const NOTICE_WORDS: usize = 4;

/// The labels of questions.
static QUESTIONS: WordList = WordList::new("q question");

/// The delimiters of MiniMax's turns: `]~b]user`.
const BRACKETS: &str = "]~b]";

/// The token of Kimi's turns, and the text before the role: `<|open|>message role="user"<|sep|>`.
const ROLE_ATTRIBUTE: &str = "message role=\"";

/// Returns the speaker of a line: `User: …`, `**User:** …`, `[User] …`, `<user> …`, `### User`, `User (10:31): …`,
/// `]~b]user`.
pub(crate) fn speaker(line: &str) -> Option<&str> {
    let behind = |text: &str, signs: &[u8]| {
        let bytes = text.as_bytes();
        bytes
            .iter()
            .position(|one| !signs.contains(one))
            .unwrap_or(bytes.len())
    };
    if let Some(who) = line.strip_prefix(BRACKETS) {
        return Some(who.trim_end());
    }
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
        _ if rest.trim_start_matches(' ').starts_with([':', '：']) => true,
        [b' ', b'(' | b'[', ..] | [b'(' | b'[', ..] => is_time(rest),
        // A heading, or bold words: `### User`, `**User**`.
        _ => !marks.trim().is_empty() && rest.trim().is_empty(),
    };
    is_one.then_some(who)
}

/// Returns the role of the speaker of a line, which may be indented.
fn role_at(line: &str) -> Option<Role> {
    role_of(speaker(line.trim_start())?)
}

/// Returns `true` if a text begins with a time in brackets followed by a colon: `(10:31):`.
fn is_time(text: &str) -> bool {
    let is_part = |one: char| one.is_ascii_digit() || ":-/. TZ([".contains(one);
    let rest = text.trim_start_matches(is_part);
    rest.strip_prefix([')', ']'])
        .is_some_and(|rest| rest.starts_with(':'))
}

/// Returns the speaker of the turn that the token at a place begins, and the end of the token: `<|user|>`,
/// `<|im_start|>user`, `[INST]`, `<SPECIAL_11>User`. Its only word is a role, or the role follows it.
pub(crate) fn turn_token(text: &str, at: usize) -> Option<(Role, usize)> {
    let rest = &text[at..];
    let end = match rest.strip_prefix(BRACKETS) {
        Some(behind) => text.len() - behind.len(),
        None => special_token(text, at).or_else(|| end_of_token(text, at))?,
    };
    let token = &text[at..end];
    let parts = || {
        let parts = token.split(|sign: char| !sign.is_alphanumeric());
        parts.filter(|part| !part.is_empty())
    };
    if token[1..].starts_with('/') || parts().any(|part| ENDS_OF_TURNS.has(part)) {
        return None;
    }
    let role_in =
        |word: &str| role_of(word).or_else(|| TOKEN_ROLES.has(word).then_some(Role::Other));
    let mut named = parts().filter(|part| !STARTS_OF_TURNS.has(part));
    // Not a word: `<|"|>`.
    parts().next()?;
    if let Some(name) = named.next() {
        if let Some(role) = role_in(name) {
            return named.next().is_none().then_some((role, end));
        }
        // The role follows a token of an unknown template.
        let (role, behind) = word_after(text, end);
        let is_whole = behind.starts_with(['<', '"', '\n', '\r']) && role_of(role).is_some();
        return role_of(role).filter(|_| is_whole).map(|role| (role, end));
    }
    let (role, _) = word_after(text, end);
    match role_of(role) {
        _ if role.is_empty() => None,
        // `<|start|>functions.f`: a tool speaks.
        role => Some((role.unwrap_or(Role::Other), end)),
    }
}

/// Returns the words of a token without its role, which are the same in all turns of a template.
fn frame(token: &str) -> impl Iterator<Item = &str> {
    let parts = token.split(|sign: char| !sign.is_alphanumeric());
    parts.filter(|part| role_of(part).is_none() && !TOKEN_ROLES.has(part) && !part.is_empty())
}

/// Returns the end of a token that is not written in bars: `<|turn>`, `<SPECIAL_11>`.
fn end_of_token(text: &str, at: usize) -> Option<usize> {
    let (_, name, end) = tag(text, at)?;
    let is_name = |one: char| one.is_ascii_uppercase() || one.is_ascii_digit() || one == '_';
    let is_token = text[at..].starts_with("<|") || name.contains('_') && name.chars().all(is_name);
    is_token.then_some(end)
}

/// Returns the word after a place, and the text after it.
fn word_after(text: &str, at: usize) -> (&str, &str) {
    let rest = text[at..].trim_start();
    let rest = rest.strip_prefix(ROLE_ATTRIBUTE).unwrap_or(rest);
    rest.split_at(
        rest.find(|c: char| !c.is_alphabetic())
            .unwrap_or(rest.len()),
    )
}

/// Returns the offset of the first turn of another speaker in a part of a text, after which the model speaks if the
/// turn is not certainly one.
pub(crate) fn turn_in(text: &str, part: Range<usize>) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut answers = Answers {
        text: &text[..text.floor_char_boundary(text.len().min(part.end + ANSWER_BYTES))],
        at: part.start,
        found: None,
    };
    let mut fences = Fences::of_part();
    let mut at = part.start;
    while let Some(found) = memchr::memchr3(b'\n', b'<', b'[', &bytes[at..part.end]) {
        let sign = at + found;
        at = sign + 1;
        if bytes[sign] != b'\n' {
            let turn = turn_token(text, sign).filter(|(role, _)| *role == Role::Other);
            if let Some((_, end)) = turn
                && !fences.is_open()
                && says_more(&text[end..])
            {
                return Some(sign);
            }
            continue;
        }
        // Most lines are members or brackets, which begin neither a fence nor a turn.
        let begin = bytes[at..part.end]
            .iter()
            .find(|byte| !matches!(byte, b' ' | b'\t'));
        if matches!(begin, None | Some(b'"' | b'{' | b'}')) {
            continue;
        }
        let line = line_at(&text[..part.end], at);
        // A line in another fence does not count.
        let is_content = fences.line(line) == FenceLine::Content;
        let turn = line.trim_start();
        // Tags may be arbitrary elements.
        if !is_content || fences.is_open() || turn.starts_with('<') {
            continue;
        }
        let Some(who) = speaker(turn) else { continue };
        let found = match role_of(who) {
            Some(Role::Prompt) => answers.follow(at),
            Some(Role::Other | Role::Asker)
                if !says_more(&text[at + line.len()..]) && parts_at(line) =>
            {
                false
            }
            Some(Role::Other) if who.starts_with(char::is_uppercase) => true,
            Some(Role::Other | Role::Asker) => answers.follow(at),
            _ => false,
        };
        if found {
            return Some(at + line.len() - turn.len());
        }
    }
    None
}

/// Returns `true` if a line announces that the answer continues, or begins a turn that says no more.
pub(crate) fn parts_at(line: &str) -> bool {
    // Most lines are members or brackets.
    let begin = line.bytes().position(|byte| !matches!(byte, b' ' | b'\t'));
    let inner = &line.as_bytes()[begin.unwrap_or(0)..];
    let has_words = || {
        inner
            .iter()
            .any(|byte| byte.is_ascii_alphabetic() || !byte.is_ascii())
    };
    if matches!(inner.first(), Some(b'"' | b'{')) || !has_words() {
        return false;
    }
    let inner = line.trim_start();
    let said = match special_token(inner, 0) {
        Some(end) => &inner[end..],
        None if role_at(inner).is_some() => {
            inner.split_once([':', '：']).map_or("", |(_, said)| said)
        }
        None => {
            let has_value = memchr::memchr2(b'"', b'{', inner.as_bytes()).is_some();
            if has_value || !may_have_notice(inner) {
                return false;
            }
            let mut said = words(inner);
            let is_short = said.clone().nth(NOTICE_WORDS).is_none();
            return is_short && said.any(|word| is_notice_word(word.text));
        }
    };
    !says_more(said)
}

/// Returns `true` if a line contains the letters with which all such words begin.
fn may_have_notice(line: &str) -> bool {
    let begin = &CONTINUES.as_bytes()[..4];
    let mut places = memchr::memchr2_iter(b'c', b'C', line.as_bytes());
    places.any(|at| {
        let word = line.as_bytes().get(at..at + begin.len());
        word.is_some_and(|word| word.eq_ignore_ascii_case(begin))
    })
}

fn is_notice_word(word: &str) -> bool {
    let begin = word.get(..7).unwrap_or_default();
    begin.eq_ignore_ascii_case(CONTINUES) || CONTINUED.has(word)
}

/// Returns `true` if a turn says more than a role and a request to continue, before the model's next turn.
fn says_more(said: &str) -> bool {
    let near = &said[..said.floor_char_boundary(LINE_BYTES.min(said.len()))];
    for (at, line) in near.split(['\n', '<']).enumerate() {
        let line = line.rsplit("|>").next().unwrap_or_default();
        let mut said = words(line).peekable();
        let role = said.peek().and_then(|word| role_of(word.text));
        if at > 0 && role == Some(Role::Model) {
            return false;
        }
        let mut said = said.skip(usize::from(role.is_some()));
        if said.any(|word| !is_notice_word(word.text)) {
            return true;
        }
    }
    false
}

/// The search for lines in which the model answers.
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
            if role_at(line_at(self.text, self.at)).is_some_and(Role::answers) {
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

/// Returns `true` if a text begins with a turn of another speaker.
pub(crate) fn begins_with_other(text: &str) -> bool {
    let line = line_at(text, 0);
    let role = role_at(line).filter(|_| !line.trim_start().starts_with('<'));
    role.is_some_and(|role| !role.answers())
}

/// Returns `true` if the last turn in a text is one of the model, near its end.
pub(crate) fn is_answered(text: &str) -> bool {
    let near = &text[text.ceil_char_boundary(text.len().saturating_sub(ANSWER_BYTES))..];
    let last = near.rsplit('\n').find_map(role_at);
    last.is_some_and(Role::answers)
}

/// Returns `true` if a text ends with the label of a turn in which the model would answer: `Assistant:`.
pub(crate) fn ends_in_turn(text: &str) -> bool {
    let text = text.trim_end();
    let near = &text[text.ceil_char_boundary(text.len().saturating_sub(LINE_BYTES))..];
    let Some((_, line)) = near.rsplit_once('\n') else {
        return false;
    };
    line.ends_with([':', '：', '*', '#']) && role_at(line).is_some_and(Role::answers)
}

/// Returns `true` if a token at a place begins a turn.
#[must_use]
pub fn begins_turn(text: &str, at: usize) -> bool {
    turn_token(text, at).is_some()
}

impl<A: Asker> Pass<'_, '_, A> {
    /// Returns the end of another speaker's turn that a token begins: the model's next turn.
    pub(crate) fn turn(&mut self, start: usize) -> Option<usize> {
        let (_, mut at) = turn_token(self.text, start).filter(|(role, _)| *role == Role::Other)?;
        let bytes = self.text.as_bytes();
        let from = at;
        let token = &self.text[start..at];
        let end = loop {
            let Some(found) = memchr::memchr3(b'<', b'[', b']', &bytes[at..]) else {
                self.asker.reach_end();
                break bytes.len();
            };
            at += found;
            // A turn of another template is quoted by the speaker.
            let next = turn_token(self.text, at).filter(|(role, _)| *role == Role::Model);
            if next.is_some_and(|(_, end)| frame(&self.text[at..end]).eq(frame(token))) {
                break at;
            }
            at += 1;
        };
        self.asker.charge(end - from);
        Some(end)
    }

    /// Finds a turn of another speaker in a transcript: `User: …`, `Observation: …`.
    pub(crate) fn speech(&mut self, from: usize, line: &str, inner: &str) -> bool {
        let Some(who) = speaker(inner) else {
            return false;
        };
        // `Observation: …`: the result of the tool, up to the next step of the model, or to a value
        // below the result.
        if who == OBSERVATION {
            let mut is_label = inner.trim_end().ends_with(':');
            let mut begins = true;
            let end = self.lines(from, |line| {
                let is_value = line.starts_with(['{', '[']) && !is_label && !begins;
                is_label &= begins;
                begins = false;
                !is_value && !STEPS.iter().any(|step| line.starts_with(step))
            });
            self.set(from, end, ZoneKind::Turn);
            return true;
        }
        let role = match role_of(who) {
            Some(role @ (Role::Other | Role::Asker)) => role,
            // The model does not begin its own turn again.
            Some(Role::Model) if inner.starts_with(BRACKETS) && !self.begins_with_turn(from) => {
                self.set_transcript(from);
                return true;
            }
            _ => return false,
        };
        // `<user>` may begin an element.
        let is_tag = inner.starts_with('<');
        if is_tag && (self.is_open || self.find_closer(from, alloc::format!("</{who}>")).is_some())
        {
            return false;
        }
        if role == Role::Asker {
            return self.is_answered(from, line, QUESTIONS.has(who));
        }
        if !self.zones.place.model_is_missing {
            let rest = &self.text[from + line.len()..];
            self.asker.charge(steps_of_search(rest.len()) + rest.len());
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
    let mut roles = lines.split('\n').filter_map(role_at);
    roles.any(|role| role == Role::Model || is_question && role.answers())
}

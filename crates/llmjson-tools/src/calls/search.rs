//! Finds calls in a text: iterates over its markers, and reads the text after each.

mod bare;
mod body;
mod channel;
mod leads;
mod left_out;
mod progress;
mod prose;
mod quoting;
mod reasoning;

use llmjson_syntax::internal::zones::{END_OF_THOUGHT, Place, Zones};
use llmjson_syntax::{Class, Limits, steps_of_search};
use memchr::{memchr3, memmem};

use super::super::registry::Registry;
use super::families::Families;
use super::family::{Family, PYTHON, Shape};
use super::found::{NotRun, NotRunReason};
use super::tag::{Tag, key_of};
use super::values::Schemas;
use super::{Budget, CallDraft, brackets, is_end, is_noise, json, near, skip, span_of};
use body::{is_joined, is_surplus};
use left_out::Standing;
use prose::Prose;
use quoting::is_fence_line;

pub use quoting::begun_fence;
pub(super) use reasoning::{END_BYTES_MAX, is_thought, may_end_thought};

/// The beginning of fences in which calls are written.
const FENCE: &str = "```tool";

/// The beginning of lines that name a tool.
const ACTION: &str = "Action";

/// The beginning of lines that name a tool for Qwen's agents.
const AGENT: &str = "✿FUNCTION✿";

/// The beginning of calls in brackets.
const CALLING: &str = "[Calling tool:";

/// The number of bytes after a step beyond which text does not affect it.
const NEAR: usize = 64;

/// The place from which brackets and each word were last searched for, and the first match after
/// it.
type Firsts = [(usize, usize); 5];

const NOT_SEARCHED: Firsts = [(1, 0); 5];

/// The state of a search, which is kept while more text arrives.
#[derive(Default)]
pub(super) struct State {
    /// The offset at which the search continues.
    pub(super) at: usize,
    /// Offset from which on nothing is known about the text yet.
    pub(super) pending: usize,
    /// The name of a marker of calls that was just passed, until something else follows.
    pub(super) opener: Option<(String, usize)>,
    zones: Zones,
    /// Offset at which the unsearched text begins.
    pub(super) unsearched: Option<usize>,
    pub(super) calls: Vec<CallDraft>,
    pub(super) not_run: Vec<NotRun>,
    /// The text that is neither a call nor reasoning, in pieces.
    pub(super) content: String,
    pub(super) reasoning: String,
}

pub(super) struct CallSearch<'t, 'r> {
    text: &'t str,
    schemas: Schemas<'r>,
    /// The words with which something may begin, in addition to brackets.
    words: &'static [&'static str],
    /// `true` if more text may come.
    is_open: bool,
    /// `true` if the steps are undone, because more text may change them.
    is_trial: bool,
    budget: Budget,
    state: State,
    prose: Prose,
    firsts: Firsts,
    /// `true` if the text is part of another one in which no calls are made.
    is_inside: bool,
    /// The offset of a call that counts only while the text continues, and the zones known there.
    cut: Option<(usize, Place)>,
    /// `true` if more text cannot change the last step, however near its end is.
    is_decided: bool,
    /// `true` if the following calls may be found in another order.
    is_doubtful: bool,
    /// `true` if a call that begins in a quotation may continue after the end of the text.
    is_continued: bool,
    /// The length of the whole text.
    length: usize,
}

/// A search between two pieces of a text.
#[derive(Default)]
pub(super) struct Saved {
    pub(super) state: State,
    /// The work of the steps so far.
    pub(super) spent: u64,
    /// The part of it spent on text without markers.
    spent_on_prose: u64,
    /// The word before which nothing more is known: see [`Zones::awaited`].
    pub(super) awaited: Option<String>,
    /// `true` if a call before that word is not made.
    pub(super) is_quoted: bool,
    /// The offset of unfinished JSON that is not a call.
    pub(super) data: Option<usize>,
}

/// The state that one step may change, to be restored if more text may change the step.
struct StepState {
    pending: usize,
    opener: Option<(String, usize)>,
    zones: (Place, usize),
    unsearched: Option<usize>,
    calls: usize,
    not_run: usize,
    content: usize,
    reasoning: usize,
    budget: Budget,
}

impl<'t, 'r> CallSearch<'t, 'r> {
    /// Creates a search that continues where another one ended.
    pub(super) fn resume(
        text: &'t str,
        registry: &'r Registry,
        only: Option<Families>,
        saved: Saved,
    ) -> Self {
        let budget = Budget::new(steps_per_byte(registry), text.len(), saved.spent);
        let budget = budget.with_prose(saved.spent_on_prose);
        let rest = &text.as_bytes()[saved.state.at.min(text.len())..];
        let words: &[&str] = match memmem::find(rest, END_OF_THOUGHT.as_bytes()) {
            Some(_) => &[FENCE, ACTION, AGENT, END_OF_THOUGHT],
            None => &[FENCE, ACTION, AGENT],
        };
        let schemas = Schemas { registry, only };
        Self {
            words,
            ..Self::new(text, schemas, budget, saved.state)
        }
    }

    fn new(text: &'t str, schemas: Schemas<'r>, budget: Budget, state: State) -> Self {
        Self {
            text,
            words: &[],
            schemas,
            is_open: false,
            is_trial: false,
            budget,
            state,
            prose: Prose::default(),
            firsts: NOT_SEARCHED,
            is_inside: false,
            cut: None,
            is_decided: false,
            is_doubtful: false,
            is_continued: false,
            length: text.len(),
        }
    }

    /// Reads the text to its end.
    pub(super) fn read(mut self) -> (State, Budget) {
        while let Some(start) = self.next() {
            if self.budget.is_used_up() {
                self.state.unsearched.get_or_insert(start);
                break;
            }
            self.step(start);
            if self.budget.is_short {
                self.state.unsearched.get_or_insert(start);
            }
            self.state.at = self.state.at.max(start + 1);
        }
        if self.state.unsearched.is_none() {
            self.cut_call();
        }
        self.code();
        self.note_open();
        self.keep_until(self.text.len());
        (self.state, self.budget)
    }

    /// Returns the next place at which something may begin.
    fn next(&mut self) -> Option<usize> {
        let bracket = |rest: &[u8]| memchr3(b'<', b'[', b'{', rest);
        let mut first = self.first(0, bracket);
        for (number, word) in self.words.iter().enumerate() {
            let word = |rest: &[u8]| memmem::find(rest, word.as_bytes());
            first = first.min(self.first(number + 1, word));
        }
        match (first < self.text.len()).then_some(first) {
            Some(found) => {
                self.state.at = found;
                Some(found)
            }
            None => {
                // A word may have begun.
                let begun = if self.is_open { AGENT.len() - 1 } else { 0 };
                let end = self.text.len().saturating_sub(begun);
                self.state.at = self.text.floor_char_boundary(end).max(self.state.at);
                None
            }
        }
    }

    /// Returns the first match from here on, or the length of the text. The text before it is not
    /// searched again.
    fn first(&mut self, number: usize, find: impl Fn(&[u8]) -> Option<usize>) -> usize {
        let at = self.state.at;
        let (from, found) = self.firsts[number];
        if from <= at && at <= found {
            return found;
        }
        let rest = &self.text.as_bytes()[at..];
        let length = find(rest).unwrap_or(rest.len());
        self.budget.charge(steps_of_search(length));
        self.firsts[number] = (at, at + length);
        at + length
    }

    fn step(&mut self, start: usize) {
        self.is_decided = false;
        self.is_continued &= self.is_inside;
        match self.text.as_bytes()[start] {
            b'{' if !self.may_begin_object(start) => {}
            _ if self.is_left_out(start) => {}
            b'`' => self.fence(start),
            // `Action: f`, with `Action Input: {…}` below it: the ReAct format.
            b'A' => self.action(start, ACTION, &[ACTION, "Input"]),
            0xe2 if self.text[start..].starts_with(AGENT) => self.action(start, AGENT, &["✿ARGS✿"]),
            0xe2 => {
                let tag = Tag::of_words(self.text, start, start + END_OF_THOUGHT.len());
                self.end_of_reasoning(tag);
            }
            _ => self.bracket(start),
        }
        if self.is_inside && self.text.len() == self.length {
            let is_near = self.length - self.state.at.max(start) < NEAR;
            self.is_continued |= is_near || self.budget.reached_end;
        }
    }

    /// A tag, or bracketed text.
    fn bracket(&mut self, start: usize) {
        let text = self.text;
        if let Some(tag) = Tag::look(text, start, &mut self.budget) {
            return self.tag(tag);
        }
        if !self.is_inside && self.zones().comment(start) {
            return;
        }
        let is_list = match text.as_bytes()[start] {
            b'[' => true,
            b'{' => false,
            _ => return,
        };
        let inner = skip(text, start + 1);
        if text[start..].starts_with(CALLING) {
            let body = skip(text, start + CALLING.len());
            return self.python(body, Some((start, CALLING.to_owned())));
        }
        let is_call = is_list && brackets::begins(text, inner, &PYTHON, self.schemas);
        let is_object = !is_list || text[inner..].starts_with('{') && self.may_begin_object(inner);
        if !is_call && !is_object {
            return;
        }
        let opener = self.opener_of(start);
        if opener.is_some() {
            return match is_call {
                true => self.python(start, opener),
                false => self.json(start, opener),
            };
        }
        if !is_list && self.behind_name(start) {
            return;
        }
        // Text without a marker may exhaust only its own budget.
        if self.budget.is_prose_used_up() {
            return;
        }
        let before = self.budget.spent();
        match is_call {
            true => self.python(start, None),
            false => self.json(start, None),
        }
        self.budget.charge_prose(before);
    }

    /// The call marker directly before a position.
    fn opener_of(&self, start: usize) -> Option<(usize, String)> {
        if let Some((name, end)) = &self.state.opener {
            let between = &self.text[*end..start];
            let mark = between.bytes().next().filter(|one| b"\"'".contains(one));
            let before = &self.text.as_bytes()[..end.saturating_sub(name.len())];
            // `{{ "<tool_call>" }}{"name": …`: a string of a program.
            if mark.is_some() && before.last().copied() == mark {
                return None;
            }
            if is_joined(between) {
                return Some((self.state.pending.min(start), name.clone()));
            }
        }
        let before = self.text[..start].trim_end();
        let begins = |lead: &&str| lead.is_empty() || lead.ends_with('\n');
        if let Some(lead) = before.strip_suffix("tool_call>").filter(begins) {
            return Some((lead.len(), "<tool_call>".to_owned()));
        }
        if let Some(lead) = before.strip_suffix("functools") {
            return Some((lead.len(), "functools".to_owned()));
        }
        let near = before.len().saturating_sub(NEAR);
        let label = near + memmem::rfind(&before.as_bytes()[near..], b"Action:")?;
        let is_led = is_fence_line(&before[label + "Action:".len()..]);
        is_led.then(|| (label, "<|START_ACTION|>".to_owned()))
    }

    fn tag(&mut self, tag: Tag<'t>) {
        self.state.at = tag.end;
        let name = tag.normalized();
        if !self.is_inside && self.zones().zone_of_tag(tag.outline(), &name) {
            return;
        }
        let is_tool = !tag.is_closing && self.schemas.has(tag.name);
        // `<get_weather><city>Oslo</city></get_weather>`: the tag has the name of a tool. Short words such as
        // `<b>` are markup.
        if is_tool && (self.state.opener.is_some() || !tag.is_markup()) {
            let opener = self.state.opener.take();
            return self.xml(tag, opener);
        }
        if tag.is_markup() {
            if tag.is_closing {
                self.state.opener = None;
            }
            return self.element(&tag);
        }
        if let Some(closes) = reasoning::end_or_beginning(&tag) {
            return match closes {
                true => self.end_of_reasoning(tag),
                false => self.reasoning(tag, &name),
            };
        }
        if tag.is_call() {
            let opener = self.state.opener.take();
            return self.xml(tag, opener);
        }
        if name == "message" {
            return self.message(tag);
        }
        if tag.is_closing || is_end(&name) {
            if self
                .state
                .opener
                .as_ref()
                .is_some_and(|(opener, _)| key_of(opener) == name)
            {
                self.note_unread(tag.start, tag.end);
            }
            // Closers of calls are not content.
            if self.is_closer(&tag, &name) {
                self.keep_until(tag.start);
                self.state.pending = tag.end;
            }
            self.state.opener = None;
            return;
        }
        if Family::opens(&name, self.schemas.only) {
            if tag.attribute("name").is_some_and(|name| !name.is_empty()) {
                return self.xml(tag, Some((tag.raw.to_owned(), tag.start)));
            }
            self.opener(tag);
        } else if is_noise(&name) {
            self.keep_until(tag.start);
            self.state.pending = tag.end;
        } else {
            self.element(&tag);
        }
    }

    /// Lists the text after the marker of a call that was not read, if it names a tool.
    fn note_unread(&mut self, stop: usize, end_of_call: usize) {
        let Some((opener, end)) = self.state.opener.as_ref().filter(|_| !self.is_inside) else {
            return;
        };
        let inner = self.text[*end..stop].trim();
        let near = near(inner, 0, 2 * json::NAME_BYTES_MAX);
        self.budget.charge(near.len());
        let mut words = near.split(|one| !json::is_part(one));
        if let Some(tool) = words.find(|word| self.schemas.knows(word)) {
            self.state.not_run.push(NotRun {
                name: tool.to_owned(),
                arguments: inner.to_owned(),
                span: span_of((end - opener.len(), end_of_call)),
                family: self.family(Some(opener), Shape::Json),
                reason: NotRunReason::Unread,
            });
        }
    }

    /// Lists the text after a marker that begins its line and leads to no call.
    fn note_open(&mut self) {
        let Some((opener, end)) = self.state.opener.as_ref() else {
            return;
        };
        let before = self.text[..*end].strip_suffix(&**opener);
        let begins_line = before.is_some_and(|before| {
            let line = before.rsplit('\n').next().unwrap_or_default();
            line.trim().is_empty()
        });
        if self.state.calls.is_empty() && begins_line {
            self.note_unread(self.text.len(), self.text.len());
        }
    }

    /// Returns `true` if a closing tag belongs to calls, and not to the text: it directly follows a
    /// call, or is a special token.
    fn is_closer(&mut self, tag: &Tag<'t>, name: &str) -> bool {
        let is_about_calls = is_end(name) || is_noise(name) || Family::opens(name, None);
        if !is_about_calls && self.state.opener.is_none() {
            return false;
        }
        let between = &self.text[self.state.pending.min(tag.start)..tag.start];
        let is_behind = !self.state.calls.is_empty() && is_surplus(between);
        if is_behind {
            self.state.pending = tag.start;
        }
        is_behind || tag.raw.starts_with("<|") || tag.raw.starts_with("<｜") || is_noise(name)
    }

    /// Records calls, and the text before them as content.
    fn add(&mut self, drafts: Vec<CallDraft>, start: usize, end: usize, family: Family) {
        if self.schemas.only.is_some_and(|only| !only.write(family)) {
            return;
        }
        // A reply uses a single format: markers of another one are mentions.
        let first = self.state.calls.first().map(|draft| draft.family);
        let is_other = first.is_some_and(|first| {
            !Families::from(first).write(family) && !Families::from(family).write(first)
        });
        let is_shown = match self.standing(start, end) {
            Standing::LeftOut => return,
            standing => standing == Standing::Shown,
        };
        self.zones().pass_value(start, end);
        self.state.opener = None;
        self.cut = None;
        self.state.at = end;
        let mut drafts = drafts;
        for draft in &mut drafts {
            draft.family = family;
            draft.span = (start, end);
            draft.is_shown = is_shown;
            if is_other || is_shown {
                draft.class = Class::Guess;
            }
        }
        let text = self.text;
        let is_draft = self.is_thought_aside(start, end, family);
        drafts.retain(|draft| {
            let reason = match draft.is_done {
                true => NotRunReason::Result,
                false => NotRunReason::Thought,
            };
            let is_made = !draft.is_done && !is_draft;
            if !is_made {
                self.state.not_run.push(draft.left_out(text, reason));
            }
            is_made
        });
        if drafts.is_empty() {
            return;
        }
        self.keep_until(start);
        self.state.calls.append(&mut drafts);
        self.state.pending = self.behind_fence(start, end);
        self.state.at = self.state.pending;
    }

    fn keep_until(&mut self, end: usize) {
        if self.state.pending < end {
            let piece = &self.text[self.state.pending..end];
            // White space between calls is not content.
            if self.state.calls.is_empty() || !piece.trim().is_empty() {
                self.state.content.push_str(piece);
            }
            self.state.pending = end;
        }
    }
}

/// Returns the number of steps per byte that the most permissive tool allows.
pub(super) fn steps_per_byte(registry: &Registry) -> u32 {
    let limits = registry
        .contracts()
        .map(|contract| contract.policy().limits());
    let steps = limits.map(|limits| limits.work).max();
    steps.unwrap_or(Limits::DEFAULT.work)
}

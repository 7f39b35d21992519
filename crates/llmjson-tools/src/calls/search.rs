//! Finds calls in a text: goes over its markers, and reads what stands behind each.

mod bare;
mod body;
mod channel;
mod damaged;
mod fence;
mod progress;
mod quotes;
mod quoting_tags;
mod reasoning;
mod sample;

use llmjson_syntax::{Class, Limits};
use memchr::{memchr3, memmem};

use super::super::registry::Registry;
use super::families::Families;
use super::family::Family;
use super::tag::Tag;
use super::values::{Known, Schemas};
use super::{Budget, CallDraft, is_end, python, skip};
use quotes::Quotes;
use sample::Surroundings;

/// The beginning of fences in which calls are written.
const FENCE: &str = "```tool";

/// The beginning of lines that name a tool.
const ACTION: &str = "Action";

/// Number of bytes behind a step beyond which text has no part in it.
const NEAR: usize = 64;

/// The calls found in a text, and the work of finding them.
pub(super) struct FoundCalls {
    pub(super) calls: Vec<CallDraft>,
    /// The text that is neither call nor reasoning, in pieces.
    pub(super) content: String,
    pub(super) reasoning: String,
    /// Offset at which the text begins that was not searched.
    pub(super) unsearched: Option<usize>,
    pub(super) budget: Budget,
}

pub(super) struct CallSearch<'t, 'r> {
    text: &'t str,
    schemas: Schemas<'r>,
    only: Option<Families>,
    /// `true` if more text may come.
    is_open: bool,
    /// `true` if the steps are taken back, as more text may change them.
    is_trial: bool,
    budget: Budget,
    at: usize,
    /// Offset at which the text begins of which nothing is known yet.
    pending: usize,
    /// The name of a marker of calls that was just passed, until something else follows.
    opener: Option<(String, usize)>,
    around: Surroundings,
    quotes: Quotes,
    /// Ends of reasoning that do not come any more.
    unclosed: Vec<&'static str>,
    /// Offset of what is a call as long as the text goes on, and what was known there of its surroundings.
    cut: Option<(usize, Quotes, Surroundings)>,
    /// `true` if more text does not change the step that was taken, however near its end is.
    is_decided: bool,
    /// `true` if the calls that follow may be found in another order.
    is_doubtful: bool,
    calls: Vec<CallDraft>,
    content: String,
    reasoning: String,
}

/// The beginning of a text that is searched.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Beginning {
    /// Maybe the name of a tool.
    #[default]
    Unknown,
    /// Certainly not the name of a tool.
    NoName,
}

/// The state of a search between two pieces of a text.
#[derive(Default)]
pub(super) struct Saved {
    pub(super) at: usize,
    beginning: Beginning,
    pending: usize,
    opener: Option<(String, usize)>,
    around: Surroundings,
    quotes: Quotes,
    unclosed: Vec<&'static str>,
    /// The work of the steps so far.
    pub(super) spent: u64,
    /// The word before which nothing more is known: see [`Budget::awaited`].
    pub(super) awaited: Option<&'static str>,
    /// Offset of JSON that goes on and is no call.
    pub(super) data: Option<usize>,
    known: Known,
    pub(super) calls: Vec<CallDraft>,
    content: String,
    reasoning: String,
}

impl Saved {
    pub(super) const fn beginning(&self) -> Beginning {
        self.beginning
    }
}

/// The state that one step may change, to be put back where more text may change the step.
struct StepState {
    pending: usize,
    opener: Option<(String, usize)>,
    around: Surroundings,
    quotes: Quotes,
    unclosed: usize,
    calls: usize,
    content: usize,
    reasoning: usize,
    budget: Budget,
}

impl<'t, 'r> CallSearch<'t, 'r> {
    /// Creates a search that goes on where another one ended.
    pub(super) fn resume(
        text: &'t str,
        registry: &'r Registry,
        only: Option<Families>,
        saved: Saved,
    ) -> Self {
        let budget = Budget::new(steps_per_byte(registry), text.len(), saved.spent);
        Self {
            text,
            schemas: Schemas::new(registry, saved.known),
            only,
            is_open: false,
            is_trial: false,
            budget,
            at: saved.at,
            pending: saved.pending,
            opener: saved.opener,
            around: saved.around,
            quotes: saved.quotes,
            unclosed: saved.unclosed,
            cut: None,
            is_decided: false,
            is_doubtful: false,
            calls: saved.calls,
            content: saved.content,
            reasoning: saved.reasoning,
        }
    }

    /// Reads the text to its end.
    pub(super) fn read(mut self, beginning: Beginning) -> FoundCalls {
        let mut unsearched = None;
        if beginning == Beginning::Unknown {
            self.leading_name();
        }
        while let Some(start) = self.next() {
            if self.budget.is_used_up() {
                unsearched = Some(start);
                break;
            }
            self.step(start);
            self.at = self.at.max(start + 1);
        }
        if unsearched.is_none() {
            self.cut_call();
        }
        self.code();
        self.keep_until(self.text.len());
        FoundCalls {
            calls: self.calls,
            content: self.content,
            reasoning: self.reasoning,
            unsearched,
            budget: self.budget,
        }
    }

    /// Returns the next place at which something may begin.
    fn next(&mut self) -> Option<usize> {
        let rest = &self.text.as_bytes()[self.at..];
        let bracket = memchr3(b'<', b'[', b'{', rest);
        let rest = &rest[..bracket.unwrap_or(rest.len())];
        let words = [FENCE, ACTION].into_iter();
        let word = words.filter_map(|word| memmem::find(rest, word.as_bytes()));
        match word.min().or(bracket) {
            Some(found) => {
                self.at += found;
                Some(self.at)
            }
            None => {
                // A word may have begun.
                let begun = if self.is_open { FENCE.len() - 1 } else { 0 };
                let end = self.text.len().saturating_sub(begun);
                self.at = self.text.floor_char_boundary(end).max(self.at);
                None
            }
        }
    }

    fn step(&mut self, start: usize) {
        self.is_decided = false;
        let rest = &self.text[start..];
        match rest.as_bytes()[0] {
            b'`' => return self.fence(start),
            // `Action: f` and below it `Action Input: {…}`, as ReAct has them.
            b'A' => return self.action(start),
            _ => {}
        }
        if let Some(tag) = Tag::look(self.text, start, &mut self.budget) {
            return self.tag(tag);
        }
        if self.comment(start) {
            return;
        }
        let inner = skip(self.text, start + 1);
        let is_bracketed = self.text[start..].starts_with("[Calling tool:");
        let may_begin = match self.text.as_bytes()[start] {
            b'{' => true,
            b'[' => {
                is_bracketed
                    || self.text[inner..].starts_with('{')
                    || python::begins(self.text, inner, &self.schemas)
            }
            _ => false,
        };
        if !may_begin {
            return;
        }
        let opener = self.opener_of(start);
        // `For example: {"name": "f", "arguments": {…}}`: shown, not called.
        if opener.is_none() && self.is_sample(start) {
            return;
        }
        match self.text.as_bytes()[start] {
            b'{' if opener.is_none() && self.behind_arrows(start) => {}
            b'{' if opener.is_none() && self.behind_recipient(start) => {}
            b'{' => self.json(start, opener),
            b'[' => {
                if python::begins(self.text, inner, &self.schemas) {
                    self.python(start, opener);
                } else if is_bracketed {
                    self.python(
                        skip(self.text, start + "[Calling tool:".len()),
                        Some((start, "[Calling tool:".to_owned())),
                    );
                } else {
                    self.json(start, opener);
                }
            }
            _ => {}
        }
    }

    /// The marker of calls that stands directly before a place.
    fn opener_of(&mut self, start: usize) -> Option<(usize, String)> {
        if let Some((name, end)) = &self.opener {
            let between = &self.text[*end..start];
            // A fence or a few words may stand between a marker and its call.
            if between.trim().is_empty()
                || between.len() < 32 && !between.contains('\n')
                || is_fence_line(between)
            {
                return Some((self.pending.min(start), name.clone()));
            }
        }
        let before = self.text[..start].trim_end();
        let cut = before
            .strip_suffix("tool_call>")
            .filter(|before| before.is_empty() || before.ends_with('\n'))
            .map(str::len);
        let word = before.strip_suffix("functools").map(str::len);
        let line = before
            .strip_suffix("```json")
            .or_else(|| before.strip_suffix("```"));
        let action = line
            .and_then(|line| line.trim_end().strip_suffix("Action:"))
            .map(str::len);
        match (word, action) {
            _ if cut.is_some() => cut.map(|at| (at, "<tool_call>".to_owned())),
            (Some(at), _) => Some((at, "functools".to_owned())),
            (_, Some(at)) => Some((at, "<|START_ACTION|>".to_owned())),
            _ => None,
        }
    }

    fn tag(&mut self, tag: Tag<'t>) {
        self.at = tag.end;
        let name = tag.normalized();
        if self.quoting_tag(&tag, &name) {
            return;
        }
        let is_tool = !tag.is_closing && self.schemas.has(tag.name);
        // `<get_weather><city>Oslo</city></get_weather>`: the tag has the name of a tool. Short words such as
        // `<b>` are markup.
        if is_tool && (self.opener.is_some() || !tag.is_markup()) && !self.is_sample(tag.start) {
            let opener = self.opener.take();
            return self.xml(tag, opener);
        }
        if tag.is_markup() {
            if tag.is_closing {
                self.opener = None;
            }
            return;
        }
        if let Some(closes) = reasoning::end_or_beginning(&tag, &name) {
            return match closes {
                true => self.end_of_reasoning(tag),
                false => self.reasoning(tag, &name),
            };
        }
        if tag.is_call() && !self.is_sample(tag.start) {
            let opener = self.opener.take();
            return self.xml(tag, opener);
        }
        if name == "message" {
            return self.message(tag);
        }
        if matches!(&*name, "argkey" | "longcatargkey") && self.opener.is_none() {
            return self.behind_rest(tag);
        }
        if name == "args" && self.opener.is_none() {
            return self.behind_name(tag);
        }
        if tag.is_closing || is_end(&name) {
            // What closes calls is no content.
            if self.is_closer(&tag, &name) {
                self.keep_until(tag.start);
                self.pending = tag.end;
            }
            self.opener = None;
            return;
        }
        if Family::opens(&name, self.only) {
            if self.is_sample(tag.start) {
                return;
            }
            if tag.attribute("name").is_some_and(|name| !name.is_empty()) {
                return self.xml(tag, Some((tag.raw.to_owned(), tag.start)));
            }
            self.opener(tag);
        } else if is_noise(&name) {
            self.keep_until(tag.start);
            self.pending = tag.end;
        }
    }

    /// Returns `true` if a closing tag belongs to calls, and not to the text: it stands right
    /// behind one, or is a special token.
    fn is_closer(&mut self, tag: &Tag<'t>, name: &str) -> bool {
        let is_about_calls = is_end(name) || is_noise(name) || Family::opens(name, None);
        if !is_about_calls && self.opener.is_none() {
            return false;
        }
        let between = &self.text[self.pending.min(tag.start)..tag.start];
        let is_behind = !self.calls.is_empty() && is_surplus(between);
        if is_behind {
            self.pending = tag.start;
        }
        is_behind || tag.raw.starts_with("<|") || tag.raw.starts_with("<｜") || is_noise(name)
    }

    /// Notes calls down, and what stands before them as content.
    fn add(&mut self, drafts: Vec<CallDraft>, start: usize, end: usize, family: Family) {
        if self.only.is_some_and(|only| !only.write(family)) {
            return;
        }
        // A reply is written in one format: markers of another one are words about it.
        let first = self.calls.first().map(|draft| draft.family);
        let is_other = first.is_some_and(|first| {
            !Families::from(first).write(family) && !Families::from(family).write(first)
        });
        let is_shown = match self.quotation(start, end) {
            Some(true) => {
                self.at = self.quotes_end().max(end);
                return;
            }
            is_shown => is_shown.is_some() || self.is_shown_last(start),
        };
        self.pass_call(start, end);
        self.keep_until(start);
        for mut draft in drafts {
            draft.family = family;
            draft.is_shown = is_shown;
            if is_shown {
                draft.class = Class::Guess;
            }
            if is_other || !self.unclosed.is_empty() {
                // Reasoning that is not closed may hold a draft.
                draft.class = Class::Guess;
            }
            draft.span = (start, end);
            self.calls.push(draft);
        }
        self.pending = self.behind_fence(start, end);
        self.at = self.pending;
        self.opener = None;
        self.cut = None;
    }

    /// Returns where the fence ends of which a call is the whole text.
    fn behind_fence(&self, start: usize, end: usize) -> usize {
        if !self.text[start..].starts_with(FENCE) {
            return end;
        }
        if self.text[start + FENCE.len()..end].ends_with("```") {
            return end;
        }
        let rest = self.text[end..].trim_start_matches([')', ' ', '\n', '\r']);
        let rest = rest.strip_prefix("```");
        rest.map_or(end, |rest| self.text.len() - rest.len())
    }

    fn keep_until(&mut self, end: usize) {
        if self.pending < end {
            let piece = &self.text[self.pending..end];
            // White space between calls is no content.
            if self.calls.is_empty() || !piece.trim().is_empty() {
                self.content.push_str(piece);
            }
            self.pending = end;
        }
    }
}

/// Returns the steps for each byte that the tools allow, whichever of them allows the most.
pub(super) fn steps_per_byte(registry: &Registry) -> u32 {
    let limits = registry
        .contracts()
        .map(|contract| contract.policy().limits());
    let steps = limits.map(|limits| limits.work).max();
    steps.unwrap_or(Limits::DEFAULT.work)
}

/// Returns `true` if nothing but brackets that are too many stands between a call and what closes
/// it.
fn is_surplus(between: &str) -> bool {
    let is_bracket = |one: char| one.is_whitespace() || "]})`".contains(one);
    between.chars().all(is_bracket)
}

/// Returns `true` if a special token says nothing about calls and is no content either.
fn is_noise(name: &str) -> bool {
    matches!(
        name,
        "imend"
            | "eotid"
            | "eomid"
            | "eot"
            | "return"
            | "call"
            | "endofturntoken"
            | "chatbottoken"
            | "startresponse"
            | "endresponse"
            | "starttext"
            | "endtext"
            | "endoftext"
            | "endofsentence"
            | "beginofsentence"
            | "s"
            | "start"
            | "messagemodel"
            | "contenttext"
            | "endmessage"
            | "contentmodelendsampling"
            | "openresponse"
            | "closeresponse"
            | "closetools"
            | "openmessage"
            | "closemessage"
            | "endofmsg"
    )
}

/// Returns `true` if the words between a marker and its call are the opening line of a code fence.
fn is_fence_line(between: &str) -> bool {
    let between = between.trim();
    between.starts_with("```") && !between[3..].contains(['\n', '`'])
}

//! One choice of a reply while it comes: which part of its texts is decided, and what goes out instead.

use llmjson_wire::{CallState, ChoiceState};

use super::grow::Grow;
use super::judge::{Bound, Change, Given, GivenCall, Verdict, bind};
use super::request::Plan;
use super::splitter::{Piece, Splitter, pieces_of};
use super::tools::is_careful;
use super::whole::call_id;

/// A text of a choice: its content, or the arguments of a call.
#[derive(Debug, Default)]
pub(super) struct Part {
    mode: Mode,
    /// Number of bytes of the model's text that go out as they are.
    kept: usize,
    /// `true` if something else goes out behind them.
    is_other: bool,
    /// The text that goes out next instead.
    fresh: String,
}

#[derive(Debug, Default)]
enum Mode {
    /// All of the text is decided.
    #[default]
    Pass,
    /// All of it waits until the whole is judged.
    Held,
    Calls(Box<Splitter>),
    Json(Box<Grow>),
}

impl Part {
    /// Returns `true` if the text is decided up to a place.
    pub(super) fn is_ready(&self, to: usize) -> bool {
        match self.mode {
            Mode::Pass => true,
            Mode::Held => false,
            Mode::Calls(_) | Mode::Json(_) => self.is_other || to <= self.kept,
        }
    }

    /// Returns what goes out for a piece of the text.
    pub(super) fn take(&mut self, from: usize, to: usize, text: &str) -> String {
        let kept = if self.is_other { self.kept } else { text.len() };
        let end = to.min(kept).max(from.min(kept));
        let mut out = text.get(from.min(end)..end).unwrap_or_default().to_owned();
        if to > end && to > from {
            out.push_str(&std::mem::take(&mut self.fresh));
        }
        out
    }

    /// Returns the length of the beginning of a text that goes out as it is, whatever follows.
    pub(super) fn decided(&self, text: &str) -> usize {
        match self.mode {
            Mode::Pass => text.len(),
            Mode::Held => 0,
            Mode::Calls(_) | Mode::Json(_) => self.kept.min(text.len()),
        }
    }

    fn follow(&mut self, is_other: bool, kept: usize, fresh: &str) {
        self.is_other = is_other;
        self.kept = kept;
        self.fresh.push_str(fresh);
    }

    fn replace(&mut self, kept: usize, fresh: &str) {
        self.mode = Mode::Pass;
        self.follow(true, kept, fresh);
    }

    fn pass(&mut self) {
        self.mode = Mode::Pass;
    }
}

/// A choice while it comes.
#[derive(Debug)]
pub(super) struct Flow {
    pub(super) choice: u32,
    pub(super) content: Part,
    pub(super) calls: Vec<Part>,
    /// Pieces of `tool_calls` that the client is told next.
    pub(super) outbox: Vec<Piece>,
    /// Number of calls that were found in its texts.
    pub(super) lifted: usize,
    pub(super) is_finished: bool,
    /// `true` if what follows of it is not for the client, since it is asked for again.
    pub(super) is_left: bool,
    /// The calls in `tool_calls` that the client knows already, since they were found in the text before, by their places.
    pub(super) known: Vec<bool>,
    /// The indices of the calls in `tool_calls` as they came, by their places.
    pub(super) indices: Vec<usize>,
    /// Number of bytes of the content, and of the arguments of each call, that were seen.
    seen: (usize, Vec<usize>),
    /// `true` if the client has content of an earlier reply, which this one does not follow.
    is_mute: bool,
}

impl Flow {
    pub(super) fn new(plan: &Plan, choice: u32, is_mute: bool) -> Self {
        let mut content = Part::default();
        let splitter = || Splitter::new(plan).map(Box::new);
        content.mode = match (&plan.tools, plan.schema()) {
            (Some(_), Some(_)) => Mode::Held,
            (None, Some(_)) if plan.holds() || is_careful(&plan.policy) => Mode::Held,
            (None, Some(schema)) => Mode::Json(Box::new(Grow::new(Some(schema), &plan.policy))),
            (Some(_), None) if is_mute => Mode::Held,
            (Some(_), None) => splitter().map_or(Mode::Pass, Mode::Calls),
            (None, None) => Mode::Pass,
        };
        Self {
            choice,
            content,
            calls: Vec::new(),
            outbox: Vec::new(),
            lifted: 0,
            is_finished: false,
            is_left: false,
            known: Vec::new(),
            indices: Vec::new(),
            seen: (0, Vec::new()),
            is_mute,
        }
    }

    /// Takes in what is new of the choice. Returns what was new of its content, and of which calls.
    pub(super) fn push(&mut self, plan: &Plan, state: &ChoiceState, id: &str) -> News {
        let text = state.text();
        let content = (self.seen.0, text.len());
        self.seen.0 = text.len();
        if !state.tool_calls().is_empty() && self.lifted == 0 && plan.schema().is_none() {
            // Calls that the server found itself the model may have written besides.
            if matches!(self.content.mode, Mode::Calls(_)) {
                self.content.pass();
            }
        }
        if content.1 > content.0 {
            self.push_content(plan, (text, &text[content.0..]), id);
        }
        let mut calls = Vec::new();
        for (place, call) in state.tool_calls().iter().enumerate() {
            if place == self.calls.len() {
                self.indices.push(place);
                self.calls.push(part_of(plan, call.name()));
                self.known
                    .push(self.is_known(call.name(), &state.tool_calls()[..place]));
                self.seen.1.push(0);
            }
            let arguments = call.arguments();
            let seen = std::mem::replace(&mut self.seen.1[place], arguments.len());
            if arguments.len() > seen {
                calls.push((place, seen, arguments.len()));
                let part = &mut self.calls[place];
                if let Mode::Json(grow) = &mut part.mode {
                    grow.push(&arguments[seen..], arguments);
                    let fresh = grow.fresh();
                    let (is_other, kept) = (grow.is_other, grow.kept);
                    part.follow(is_other, kept, &fresh);
                }
            }
        }
        News { content, calls }
    }

    /// Returns the index that a call in `tool_calls` has for the client: behind those that were found in the text.
    pub(super) fn index_of(&self, place: usize) -> usize {
        let before = self.known.iter().take(place);
        let known = before.filter(|known| **known).count();
        let own = self.indices.get(place).copied().unwrap_or(place);
        own + self.lifted - known.min(self.lifted)
    }

    /// Returns `true` if a call of the server's own is one that was announced: it is not to run twice.
    fn is_known(&self, name: &str, before: &[CallState]) -> bool {
        let Mode::Calls(splitter) = &self.content.mode else {
            return false;
        };
        let earlier = before.iter().filter(|one| one.name() == name).count();
        earlier < splitter.announced_of(name)
    }

    fn push_content(&mut self, plan: &Plan, text: (&str, &str), id: &str) {
        match &mut self.content.mode {
            Mode::Calls(splitter) => {
                splitter.push(plan, text, (id, self.choice), &mut self.outbox);
                self.lifted = splitter.announced();
                let (is_other, kept) = (splitter.has_called, splitter.kept);
                self.content.follow(is_other, kept, "");
            }
            Mode::Json(grow) => {
                grow.push(text.1, text.0);
                let fresh = grow.fresh();
                let (is_other, kept) = (grow.is_other, grow.kept);
                self.content.follow(is_other, kept, &fresh);
            }
            Mode::Pass | Mode::Held => {}
        }
    }

    /// Lets the arguments of a call that came as JSON, and not in a string, go out as a string.
    pub(super) fn quote(&mut self, place: usize) {
        if let Some(part) = self.calls.get_mut(place)
            && let Mode::Json(grow) = &mut part.mode
        {
            grow.is_other = true;
            let fresh = grow.fresh();
            part.follow(true, 0, &fresh);
        }
    }

    /// Ends the choice as it was judged. Returns `true` if the client was told something else.
    pub(super) fn finish(
        &mut self,
        plan: &Plan,
        given: &Given,
        verdict: &Verdict,
        id: &str,
    ) -> bool {
        self.is_finished = true;
        let text = given.content.as_deref().unwrap_or_default();
        let instead = verdict
            .content
            .as_ref()
            .map(|one| one.as_deref().unwrap_or_default());
        let mut is_other = self.finish_content(plan, given, verdict, (text, instead), id);
        self.lifted = self.lifted.max(verdict.lifted.len());
        for (place, (part, call)) in self.calls.iter_mut().zip(&given.calls).enumerate() {
            let change = verdict.calls.get(place).cloned().unwrap_or_default();
            is_other |= finish_call(plan, part, call, &change);
        }
        for (at, call) in verdict.split.iter().enumerate() {
            let place = self.calls.len() + at;
            let id = call_id(id, self.choice, place);
            let piece = Piece::first(self.index_of(place), id, &call.name, &call.arguments);
            piece.add_to(&mut self.outbox);
        }
        is_other
    }

    fn finish_content(
        &mut self,
        plan: &Plan,
        given: &Given,
        verdict: &Verdict,
        (text, instead): (&str, Option<&str>),
        id: &str,
    ) -> bool {
        let mut mode = std::mem::take(&mut self.content.mode);
        let place = (id, self.choice);
        let told = match &mut mode {
            Mode::Calls(splitter) => splitter.finish(&verdict.lifted, place, &mut self.outbox),
            _ => {
                self.outbox
                    .extend(pieces_of(&verdict.lifted, id, self.choice));
                false
            }
        };
        if self.is_mute {
            self.content.replace(0, "");
            return told;
        }
        match mode {
            Mode::Calls(splitter) => {
                let kept = splitter.kept;
                match instead {
                    Some(rest) => {
                        let fresh = rest.strip_prefix(&text[..kept]);
                        let is_lost = fresh.is_none();
                        self.content.replace(kept, fresh.unwrap_or_default());
                        told | is_lost
                    }
                    // The text of an announced call was none after all, or does not bind.
                    None if splitter.has_called => {
                        self.content.replace(kept, "");
                        true
                    }
                    None => told,
                }
            }
            Mode::Json(mut grow) => {
                let parsed = instead.is_none().then(|| {
                    let parsed = super::judge::read_content(plan, text, given.finish.as_deref());
                    parsed.to_json().filter(|_| parsed.conforms())
                });
                let whole = instead.map(str::to_owned).or(parsed.flatten());
                let is_other = grow.finish(text, instead.is_none(), whole.as_deref());
                let fresh = grow.fresh();
                if grow.is_other {
                    self.content.replace(grow.kept, &fresh);
                }
                told | is_other
            }
            Mode::Held => {
                if let Some(instead) = instead {
                    self.content.replace(0, instead);
                }
                told
            }
            Mode::Pass => told,
        }
    }

    /// Ends the choice where it stands, since it is asked for again. Returns `true` if the client has some of its content.
    pub(super) fn leave(&mut self, text: &str) -> bool {
        let decided = self.content.decided(text);
        self.content.replace(decided, "");
        self.calls.iter_mut().for_each(|call| call.replace(0, ""));
        self.outbox.clear();
        self.is_finished = true;
        self.is_left = true;
        decided > 0
    }

    /// Gives up on what is not decided: it goes out as the model wrote it.
    pub(super) fn pass(&mut self) {
        self.is_finished = true;
        for part in std::iter::once(&mut self.content).chain(&mut self.calls) {
            if !part.is_other {
                part.pass();
            }
        }
    }

    /// Returns what goes out of the texts that was not taken, as a delta.
    pub(super) fn rest(&mut self) -> (String, Vec<Piece>) {
        let content = std::mem::take(&mut self.content.fresh);
        let mut calls = std::mem::take(&mut self.outbox);
        for place in 0..self.calls.len() {
            let fresh = std::mem::take(&mut self.calls[place].fresh);
            if self.known.get(place) != Some(&true) {
                Piece::of(self.index_of(place), fresh).add_to(&mut calls);
            }
        }
        (content, calls)
    }
}

/// The additions of a chunk to a choice, by the places in its texts.
#[derive(Debug, Default)]
pub(super) struct News {
    pub(super) content: (usize, usize),
    /// The place of each call that grew, and the part of its arguments that is new.
    pub(super) calls: Vec<(usize, usize, usize)>,
}

/// The arguments of a call in `tool_calls`.
fn part_of(plan: &Plan, name: &str) -> Part {
    let mut part = Part::default();
    let Some(tools) = &plan.tools else {
        return part;
    };
    if plan.holds() {
        part.mode = Mode::Held;
        return part;
    }
    let Ok(report) = tools.registry.report(name, "{}") else {
        return part;
    };
    let contract = report.contract();
    part.mode = match is_careful(contract.policy()) {
        true => Mode::Held,
        false => Mode::Json(Box::new(Grow::new(
            Some(contract.schema()),
            contract.policy(),
        ))),
    };
    part
}

fn finish_call(plan: &Plan, part: &mut Part, call: &GivenCall, change: &Change) -> bool {
    let text = call.arguments.as_str();
    match std::mem::take(&mut part.mode) {
        Mode::Json(mut grow) => {
            let whole = change
                .arguments
                .clone()
                .or_else(|| match bind(plan, call, None) {
                    Bound::Ok(bind) if grow.is_other => Some(bind.canonical_arguments()),
                    _ => None,
                });
            let is_other = grow.finish(text, change.arguments.is_none(), whole.as_deref());
            let fresh = grow.fresh();
            if grow.is_other {
                part.replace(grow.kept, &fresh);
            }
            is_other
        }
        _ => {
            if let Some(arguments) = &change.arguments {
                part.replace(0, arguments);
            }
            false
        }
    }
}

//! One choice of a streamed reply: which part of its texts is decided, and the replacements to
//! send.

use llmjson_wire::{Addition, CallState, ChoiceState};

use super::grow::Grow;
use super::judge::{Change, Given, GivenCall, Verdict, read_content};
use super::request::Plan;
use super::splitter::{Piece, Splitter, pieces_of};
use super::tools::{Tools, is_careful};
use crate::json;

/// The reason why a stream cannot end as its reply was judged.
#[derive(Clone, Copy, Debug)]
pub(super) enum Broken {
    /// The client has received another text.
    Superseded,
    /// The client would have unclosed JSON.
    Open,
}

/// The rest of a choice that is requested again.
#[derive(Debug)]
pub(super) struct Rest {
    pub(super) content: String,
    pub(super) calls: Vec<Piece>,
    pub(super) finish: Option<String>,
    /// `true` if the client has received some of its content.
    pub(super) is_begun: bool,
    /// The choice as the model wrote it.
    pub(super) given: Given,
}

/// A text of a choice: its content, or a call's arguments.
#[derive(Debug, Default)]
pub(super) struct Part {
    mode: Mode,
    /// The number of bytes of the model's text that are sent unchanged.
    kept: usize,
    /// `true` if replacement text follows them.
    is_other: bool,
    /// The replacement text to send next.
    fresh: String,
}

#[derive(Debug, Default)]
enum Mode {
    /// The whole text is decided.
    #[default]
    Pass,
    /// The whole text waits for the final judgement.
    Held,
    Calls(Box<Splitter>),
    Json(Box<Grow>),
}

impl Part {
    /// Returns `true` if the text is decided up to an offset.
    pub(super) fn is_ready(&self, to: usize) -> bool {
        match self.mode {
            Mode::Pass => true,
            Mode::Held => false,
            Mode::Calls(_) | Mode::Json(_) => self.is_other || to <= self.kept,
        }
    }

    /// Returns the text to send for a piece.
    pub(super) fn take(&mut self, from: usize, to: usize, text: &str) -> String {
        let kept = if self.is_other { self.kept } else { text.len() };
        let end = to.min(kept).max(from.min(kept));
        let mut out = text.get(from.min(end)..end).unwrap_or_default().to_owned();
        if to > end && to > from {
            out.push_str(&std::mem::take(&mut self.fresh));
        }
        out
    }

    /// Returns the length of the prefix that is sent unchanged, whatever follows.
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

/// The arguments of a call in `tool_calls`, and its name.
#[derive(Debug, Default)]
pub(super) struct CallPart {
    pub(super) arguments: Part,
    /// The name for the client, once settled: nothing of the call is sent before.
    pub(super) name: Option<String>,
    /// `true` once an entry had a name, which later entries must not repeat.
    pub(super) is_named: bool,
    index: usize,
    /// The number of bytes of the arguments that were processed.
    seen: usize,
}

impl CallPart {
    /// Returns `true` if an entry of the call is decided.
    pub(super) fn is_ready(&self, to: usize) -> bool {
        self.name.is_some() && self.arguments.is_ready(to)
    }

    /// Takes the new part of a call. A server may split a name, so a name is settled by arguments
    /// or by a further call.
    fn push(&mut self, plan: &Plan, call: &CallState, is_last: bool) {
        let arguments = call.arguments();
        self.index = call.index() as usize;
        if self.name.is_none() {
            if is_last && arguments.is_empty() && !is_only(plan, call.name()) {
                return;
            }
            self.name = Some(call.name().to_owned());
            self.arguments.mode = mode_of(plan, call.name());
        }
        if let Mode::Json(grow) = &mut self.arguments.mode
            && !grow.is_other
            && arguments.len() > self.seen
        {
            grow.push(&arguments[self.seen..], arguments);
            self.arguments.kept = grow.kept;
        }
        self.seen = arguments.len();
    }

    /// Holds all arguments after an offset, since they are JSON and not a string.
    pub(super) fn hold(&mut self, from: usize) {
        self.arguments.kept = self.arguments.kept.min(from);
        self.arguments.mode = Mode::Held;
    }

    /// Applies the verdict on the call.
    fn finish(&mut self, plan: &Plan, call: &GivenCall, change: &Change) -> Option<Broken> {
        self.name = Some(change.name.as_ref().unwrap_or(&call.name).clone());
        let part = &mut self.arguments;
        let (kept, said) = match &part.mode {
            Mode::Json(grow) => (grow.kept, grow.said()),
            _ => (part.kept, ""),
        };
        let Some(whole) = &change.arguments else {
            part.pass();
            let arguments = call.arguments.trim();
            let is_open = !arguments.is_empty() && !json::is_json(arguments);
            return (is_open && is_checked(plan, &call.name)).then_some(Broken::Open);
        };
        let rest = whole
            .strip_prefix(said)
            .filter(|_| kept == 0 || !said.is_empty());
        let Some(rest) = rest.map(str::to_owned) else {
            return Some(Broken::Superseded);
        };
        part.replace(kept, &rest);
        None
    }
}

/// Returns `true` if a tool has this name, and no other tool's name begins with it.
fn is_only(plan: &Plan, name: &str) -> bool {
    let Some(tools) = &plan.tools else {
        return true;
    };
    let mut names = tools.registry.contracts().map(|one| one.name());
    tools.registry.get(name).is_some() && names.all(|one| one == name || !one.starts_with(name))
}

/// Returns `true` unless the tool's schema is unusable, in which case its calls pass through.
fn is_checked(plan: &Plan, name: &str) -> bool {
    let is_known = |tools: &Tools| tools.registry.report(name, "{}").is_ok();
    (plan.tools.as_ref()).is_some_and(|tools| !tools.has_left_out || is_known(tools))
}

/// The form in which a call's arguments are sent.
fn mode_of(plan: &Plan, name: &str) -> Mode {
    let Some(tools) = &plan.tools else {
        return Mode::Pass;
    };
    if plan.holds() {
        return Mode::Held;
    }
    let Ok(report) = tools.registry.report(name, "{}") else {
        return Mode::Pass;
    };
    let contract = report.contract();
    match is_careful(contract.policy()) || report.called().is_some() {
        true => Mode::Held,
        false => Mode::Json(Box::new(Grow::new(
            Some(contract.schema()),
            contract.policy(),
        ))),
    }
}

/// A choice during streaming.
#[derive(Debug)]
pub(super) struct Flow {
    pub(super) choice: u32,
    pub(super) content: Part,
    pub(super) calls: Vec<CallPart>,
    /// The calls found in its texts, for its end.
    pub(super) extracted: Vec<Piece>,
    /// `true` if the finish reason becomes `tool_calls`.
    pub(super) ends_with_calls: bool,
    pub(super) is_finished: bool,
    /// `true` if the rest is not for the client, since the choice is requested again.
    pub(super) is_left: bool,
    /// `true` if the client has received content of an earlier reply that this one does not
    /// continue.
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
            extracted: Vec::new(),
            ends_with_calls: false,
            is_finished: false,
            is_left: false,
            is_mute,
        }
    }

    /// Takes the addition of one entry of a chunk.
    pub(super) fn push(&mut self, plan: &Plan, state: &ChoiceState, addition: &Addition) {
        let calls = state.tool_calls();
        if !calls.is_empty() && matches!(self.content.mode, Mode::Calls(_)) {
            // The model may have repeated calls that the server found itself.
            self.content.pass();
        }
        let Some((_, place)) = addition.call else {
            let text = &state.text()[..addition.new.end];
            return self.push_content(plan, text, &text[addition.new.start..]);
        };
        // The call before a new one is complete, including its name.
        let first = place.min(self.calls.len().saturating_sub(1));
        self.calls
            .resize_with(self.calls.len().max(place + 1), CallPart::default);
        for place in first..=place {
            self.calls[place].push(plan, &calls[place], place + 1 == calls.len());
        }
    }

    fn push_content(&mut self, plan: &Plan, text: &str, piece: &str) {
        if piece.is_empty() {
            return;
        }
        match &mut self.content.mode {
            Mode::Calls(splitter) => {
                splitter.push(plan, text, piece);
                self.content.kept = splitter.kept;
            }
            Mode::Json(grow) => {
                grow.push(piece, text);
                let fresh = grow.fresh();
                let (is_other, kept) = (grow.is_other, grow.kept);
                self.content.follow(is_other, kept, &fresh);
            }
            Mode::Pass | Mode::Held => {}
        }
    }

    /// Applies the verdict on the choice, or returns why the stream cannot.
    pub(super) fn finish(
        &mut self,
        plan: &Plan,
        given: &Given,
        verdict: &Verdict,
        id: &str,
    ) -> Option<Broken> {
        self.is_finished = true;
        self.ends_with_calls = verdict.ends_with_calls;
        self.extracted = pieces_of(plan, &verdict.extracted, id, (self.choice, 0));
        let instead = verdict
            .content
            .as_ref()
            .map(|one| one.as_deref().unwrap_or_default());
        let mut broken = self.finish_content(plan, given, instead);
        for (place, (part, call)) in self.calls.iter_mut().zip(&given.calls).enumerate() {
            let change = verdict.calls.get(place).cloned().unwrap_or_default();
            broken = broken.or(part.finish(plan, call, &change));
        }
        let next = self.calls.iter().map(|call| call.index + 1).max();
        let place = (self.choice, next.unwrap_or_default());
        self.extracted
            .extend(pieces_of(plan, &verdict.split, id, place));
        broken
    }

    fn finish_content(
        &mut self,
        plan: &Plan,
        given: &Given,
        instead: Option<&str>,
    ) -> Option<Broken> {
        let text = given.content.as_deref().unwrap_or_default();
        if self.is_mute {
            self.content.replace(0, "");
            return None;
        }
        match std::mem::take(&mut self.content.mode) {
            Mode::Json(mut grow) => {
                // Conforming content may have been begun in another spelling.
                let spelled = (instead.is_none() && grow.is_other).then(|| {
                    let parsed = read_content(plan, text, given.finish.as_deref());
                    parsed.to_json().filter(|_| parsed.conforms())
                });
                let spelled = spelled.flatten();
                let instead = instead.or(spelled.as_deref());
                let is_begun = !grow.said().is_empty();
                let is_other = grow.finish(text, instead);
                let fresh = grow.fresh();
                if grow.is_other {
                    self.content.replace(grow.kept, &fresh);
                }
                let is_open = is_begun && instead.is_none() && !json::is_json(text);
                match is_other {
                    true => Some(Broken::Superseded),
                    false => is_open.then_some(Broken::Open),
                }
            }
            Mode::Pass => None,
            Mode::Calls(_) | Mode::Held => {
                let instead = instead?;
                let kept = self.content.kept;
                let rest = instead.strip_prefix(&text[..kept]);
                self.content.replace(kept, rest.unwrap_or_default());
                rest.is_none().then_some(Broken::Superseded)
            }
        }
    }

    /// Ends the choice at its current position, since it is requested again. Returns the rest of
    /// it, with the verdict applied, in case that fails.
    pub(super) fn leave(&mut self, plan: &Plan, given: Given, verdict: &Verdict, id: &str) -> Rest {
        let text = given.content.as_deref().unwrap_or_default();
        let decided = self.content.decided(text);
        // A verdict that contradicts the sent text has no effect here.
        let _ = self.finish(plan, &given, verdict, id);
        let mut content = self.content.take(decided, text.len(), text);
        let mut calls: Vec<Piece> = (self.calls.iter_mut().zip(&given.calls))
            .map(|(part, call)| Piece {
                index: part.index,
                first: Some((call.id.clone(), part.name.clone().unwrap_or_default())),
                arguments: part
                    .arguments
                    .take(0, call.arguments.len(), &call.arguments),
            })
            .collect();
        let (more, others) = self.rest();
        content.push_str(&more);
        calls.extend(others);
        let finish = match self.ends_with_calls {
            true => Some("tool_calls".to_owned()),
            false => given.finish.clone(),
        };
        self.content = Part::default();
        self.content.replace(decided, "");
        for call in &mut self.calls {
            call.arguments.replace(0, "");
        }
        self.ends_with_calls = false;
        self.is_left = true;
        Rest {
            content,
            calls,
            finish,
            is_begun: decided > 0,
            given,
        }
    }

    /// Releases undecided text as the model wrote it.
    pub(super) fn pass(&mut self) {
        self.is_finished = true;
        for part in std::iter::once(&mut self.content)
            .chain(self.calls.iter_mut().map(|call| &mut call.arguments))
        {
            if !part.is_other {
                part.pass();
            }
        }
    }

    /// Returns the remaining text to send, and the calls found in it, as a delta.
    pub(super) fn rest(&mut self) -> (String, Vec<Piece>) {
        let content = std::mem::take(&mut self.content.fresh);
        let rests = self.calls.iter_mut().map(|call| Piece {
            index: call.index,
            first: None,
            arguments: std::mem::take(&mut call.arguments.fresh),
        });
        let mut calls: Vec<Piece> = rests.filter(|one| !one.arguments.is_empty()).collect();
        calls.append(&mut self.extracted);
        (content, calls)
    }
}

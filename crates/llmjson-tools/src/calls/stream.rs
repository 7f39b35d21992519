//! Calls in a text that is still arriving.

use llmjson_syntax::{InvalidUtf8, Span, Work, steps_of_search};
use serde::de::IgnoredAny;

use super::super::registry::Registry;
use super::draft::resolve;
use super::families::Families;
use super::json::{self, Brackets};
use super::live::{OpenArgument, so_far};
use super::search::{CallSearch, END_BYTES_MAX, Saved, may_end_thought, steps_per_byte};
use super::{Budget, CallDraft, CallEvent, Stage, TextCall, TextCalls, span_of};

/// Maximum number of bytes at the end of a text that may be the beginning of a marker.
pub(super) const MARKER_BYTES_MAX: usize = 48;

/// The number of steps per piece for re-reading unfinished calls, in addition to half of the budget
/// for a complete text.
const STEPS_PER_PIECE: u64 = 128;

/// The number of bytes after the known part of a text that are read piece by piece.
const NEW_BYTES_MAX: usize = 160;

/// Why a call is not run of whose arguments other text was shown.
const CHANGED: &str = "The arguments differ from those shown before.";

/// Why a call is not run that was announced and is none.
const NO_CALL: &str = "The text turned out not to be a call.";

/// Finds tool calls in streamed text.
///
/// A call is announced once its tool name is complete, unless something open around it may still
/// make it a quotation. Its arguments are shown as they arrive, except text that may be the
/// beginning of a closer. A call without a marker is announced only if a tool has its name. A call
/// is finished when its end has been read, and can then be run if it is
/// [ok](CallEvent::Finished::ok). Nothing that was announced is retracted. A call
/// inside an unclosed quotation or reasoning block (a fence, `<think>`) is announced at the end of
/// the text, if at all.
///
/// The calls equal those of [`calls_in`](super::calls_in), however the text is split into pieces,
/// with two exceptions. Drafts before an end-of-reasoning tag without an opening tag in the stream
/// are [superseded](CallEvent::Superseded). An object whose arguments are followed by the call's
/// result has already been announced, and is finished as not complete. [`finish`](Self::finish)
/// binds the calls.
///
/// ```
/// # mod llmjson { pub mod tools { pub use llmjson_tools::*; } pub mod stream { pub use llmjson_tools::CallEvent; } }
/// use llmjson::{stream::CallEvent, tools::{CallReader, Registry}};
///
/// let registry = Registry::builder().build()?;
/// let mut stream = CallReader::new(&registry).stream();
/// stream.push("Let me see.\n<tool_call>\n{\"name\": \"sea");
/// assert!(stream.events().is_empty());
/// stream.push("rch\", \"arguments\": {\"query\": \"tea in Os");
/// let text = r#"{"query": "tea in Os"#.to_owned();
/// assert_eq!(stream.events(), [
///     CallEvent::Started { call: 0, name: "search".to_owned() },
///     CallEvent::Arguments { call: 0, text },
/// ]);
/// stream.push("lo\"}}\n</tool_call>");
/// let finished = CallEvent::Finished { call: 0, complete: true, ok: true, reason: None, arguments: None };
/// assert_eq!(stream.events().last(), Some(&finished));
/// let finished = stream.finish();
/// assert_eq!(finished.calls()[0].arguments(), r#"{"query":"tea in Oslo"}"#);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Calls {
    registry: Registry,
    only: Option<Families>,
    text: String,
    /// The first bytes of a character.
    cut: Vec<u8>,
    saved: Saved,
    /// The length of the text at the last look.
    looked: usize,
    /// The length of the text up to which an [awaited](Saved::awaited) word has not arrived.
    unheard: usize,
    /// The unfinished [JSON](Saved::data), and its beginning.
    data: Option<(usize, Brackets)>,
    pieces: u64,
    /// The work of looks at unfinished calls.
    tries: u64,
    /// The approximate cost of the next such look.
    next_try: u64,
    /// All calls that were announced.
    shown: Vec<ShownCall>,
    /// The indices among them of the text's calls.
    places: Vec<usize>,
    /// The unfinished argument at the end of the text, and the index of its call among the shown
    /// ones.
    open: Option<(usize, OpenArgument)>,
    /// The length of the text at the end of the last one.
    stopped: usize,
    /// `true` if an unfinished call was announced.
    is_begun: bool,
    /// Number of calls that have ended.
    ended: usize,
    events: Vec<CallEvent>,
}

/// The part of a call that was shown.
struct ShownCall {
    /// The name as written.
    name: String,
    /// Offset at which it begins.
    place: usize,
    arguments: String,
    finished: bool,
    is_complete: bool,
}

impl Calls {
    pub(super) fn new(registry: &Registry, only: Option<Families>) -> Self {
        Self {
            registry: registry.clone(),
            only,
            text: String::new(),
            cut: Vec::new(),
            saved: Saved::default(),
            looked: 0,
            unheard: 0,
            data: None,
            pieces: 0,
            tries: 0,
            next_try: 0,
            shown: Vec::new(),
            places: Vec::new(),
            open: None,
            stopped: 0,
            is_begun: false,
            ended: 0,
            events: Vec::new(),
        }
    }

    /// Takes the next piece of the text.
    pub fn push(&mut self, piece: &str) {
        self.text.push_str(piece);
        self.pieces += 1;
        if self.follow() || self.waits() {
            return;
        }
        if self.follow_data() {
            return;
        }
        // New text is read at once. An unfinished call is re-read when it has grown by an eighth,
        // or when a possible closer or a part of one has arrived, as far as the budget allows.
        let begin = self.saved.state.at.min(self.text.len());
        let open = self.text.len() - begin;
        let grown = self.text.len() - self.looked;
        // Names do not end within a word.
        let is_word = |one: u8| one.is_ascii_alphanumeric() || one == b'_';
        let is_near = self.text.len() - begin.max(self.stopped) < NEW_BYTES_MAX;
        let new = &self.text.as_bytes()[self.looked..];
        let is_new = is_near && (self.is_begun || !new.iter().all(|one| is_word(*one)));
        let may_close = self.is_begun && new.iter().any(|one| b">})".contains(one));
        let allowed = self.allowed();
        let is_due = (is_new || grown > open / 8) && allowed > self.next_try;
        // Part of the budget is reserved for text other than possible ends.
        if is_due || may_close && allowed / 4 > self.next_try {
            self.look(allowed);
        }
    }

    /// Returns `true` if a quotation or reasoning continues, so that nothing in it is announced.
    fn waits(&mut self) -> bool {
        let Some(word) = &self.saved.awaited else {
            return false;
        };
        let from = (self.unheard + 1).saturating_sub(word.len());
        let new = &self.text.as_bytes()[from..];
        self.tries += steps_of_search(new.len()) as u64;
        let before = std::mem::replace(&mut self.unheard, self.text.len());
        if self.saved.is_quoted {
            let from = before.max(self.looked).saturating_sub(END_BYTES_MAX - 1);
            self.saved.is_quoted = !may_end_thought(&self.text.as_bytes()[from..]);
        }
        if memchr::memmem::find(new, word.as_bytes()).is_none() {
            return true;
        }
        self.saved.awaited = None;
        self.saved.is_quoted = false;
        self.look_soon();
        false
    }

    /// Schedules reading of the new text at once: the open part has ended.
    fn look_soon(&mut self) {
        self.next_try = 0;
        self.looked = self.saved.state.at.min(self.looked);
        self.stopped = self.text.len();
    }

    /// Scans JSON that is not a call to its end, and returns `true` if nothing new in it may begin
    /// a call.
    fn follow_data(&mut self) -> bool {
        let Some(begin) = self.saved.data else {
            return false;
        };
        let (_, mut brackets) = self
            .data
            .filter(|(at, _)| *at == begin)
            .unwrap_or((begin, Brackets::from(begin)));
        let new = &self.text.as_bytes()[brackets.at.min(self.text.len())..];
        self.tries += new.len() as u64;
        let is_plain = memchr::memchr2(b'<', b'`', new).is_none()
            && !json::may_name_tool(&self.text[begin..], &|name| {
                resolve(&self.registry, name).is_some()
            });
        let is_closed = brackets.close(self.text.as_bytes()).is_some();
        self.data = Some((begin, brackets));
        if is_closed {
            self.look_soon();
        }
        is_plain && !is_closed
    }

    /// Shows the new part of the argument at the end of the text, and returns `true` if the
    /// argument continues.
    fn follow(&mut self) -> bool {
        let Some((number, mut open)) = self.open.take() else {
            return false;
        };
        let mut new = String::new();
        self.tries += (self.text.len() - open.at.min(self.text.len())) as u64;
        let goes_on = open.advance(&self.text, &mut new);
        self.emit(number, new);
        match goes_on {
            true => self.open = Some((number, open)),
            false => self.stopped = self.text.len(),
        }
        goes_on
    }

    /// Returns the budget left for looks at unfinished calls.
    fn allowed(&self) -> u64 {
        let per_byte = steps_per_byte(&self.registry) / 2;
        let of_text = Work::for_bytes(per_byte, self.text.len()).left();
        (of_text + STEPS_PER_PIECE * self.pieces).saturating_sub(self.tries)
    }

    /// Returns the work of the search so far, in steps.
    #[must_use]
    pub fn work(&self) -> u64 {
        self.saved.spent + self.tries
    }

    /// Takes the next bytes of the text. A piece may end inside a character.
    ///
    /// # Errors
    ///
    /// If the bytes are not UTF-8, with the offset in the text. The text before that offset is
    /// accepted.
    pub fn push_bytes(&mut self, piece: &[u8]) -> Result<(), InvalidUtf8> {
        let mut bytes = std::mem::take(&mut self.cut);
        bytes.extend_from_slice(piece);
        let offset = self.text.len();
        match std::str::from_utf8(&bytes) {
            Ok(text) => self.push(text),
            Err(error) => {
                let valid = &bytes[..error.valid_up_to()];
                self.push(std::str::from_utf8(valid).unwrap_or_default());
                if error.error_len().is_some() {
                    let offset = offset + error.valid_up_to();
                    return Err(InvalidUtf8::at(offset));
                }
                self.cut = bytes.split_off(error.valid_up_to());
            }
        }
        Ok(())
    }

    /// Returns the events since this method was last called.
    pub fn events(&mut self) -> Vec<CallEvent> {
        std::mem::take(&mut self.events)
    }

    /// Returns the text so far.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns how many bytes have been searched conclusively: later text adds no call to this
    /// prefix beyond those in [`spans`](Self::spans). Trailing words, such as a function name whose
    /// bracket hasn't arrived, can still become part of a call.
    #[must_use]
    pub fn searched(&self) -> usize {
        let state = &self.saved.state;
        // A call after a marker begins with the marker.
        let at = match state.opener {
            Some(_) => state.pending.min(state.at),
            None => state.at,
        };
        at.min(self.text.len())
    }

    /// Returns `true` if the text so far ends inside a code fence or reasoning. A call there is not
    /// made, unless the text ends with it and the policy allows
    /// [`ThoughtValue`](llmjson_syntax::RepairKind::ThoughtValue).
    #[must_use]
    pub fn is_quoted(&self) -> bool {
        self.saved.awaited.is_some() && self.saved.is_quoted
    }

    /// Returns the offset at which a call begins, by the call index of its events, or `None` if
    /// there is no such call.
    #[must_use]
    pub fn start(&self, call: usize) -> Option<usize> {
        self.shown.get(call).map(|shown| shown.place)
    }

    /// Returns `true` if an announced call, by the call index of its events, is a call in the text
    /// so far.
    #[must_use]
    pub fn is_call(&self, call: usize) -> bool {
        self.places.contains(&call)
    }

    /// Returns the calls that have ended: the call index of their events, and their byte span.
    pub fn spans(&self) -> impl Iterator<Item = (usize, Span)> {
        let ended = self.places.iter().zip(&self.saved.state.calls);
        ended.map(|(place, draft)| (*place, span_of(draft.span)))
    }

    /// Ends the text and binds its calls. The result includes the [events](TextCalls::last_events)
    /// of calls decided only now.
    #[must_use]
    pub fn finish(self) -> TextCalls {
        let (mut calls, events) = self.finish_with_events();
        calls.last_events = events;
        calls
    }

    /// Ends the text, binds its calls, and also returns the last events.
    #[must_use]
    pub fn finish_with_events(mut self) -> (TextCalls, Vec<CallEvent>) {
        let saved = std::mem::take(&mut self.saved);
        let text = std::mem::take(&mut self.text);
        let registry = self.registry.clone();
        let search = CallSearch::resume(&text, &registry, self.only, saved);
        let (found, budget_before) = search.read();
        let mut budget = budget_before;
        let drafts = found.calls.clone();
        self.give_up_drafts(&drafts);
        self.give_up(drafts.len());
        let mut found = TextCalls::of((found, budget_before), &registry, &text);
        for ((call, draft), bound) in drafts.iter().enumerate().zip(&found.calls) {
            if !self.is_finished(call) {
                self.end(call, draft, &text, bound, &mut budget);
            }
        }
        self.tries += budget.spent() - budget_before.spent();
        found.work += self.tries;
        (found, self.events)
    }

    fn look(&mut self, allowed: u64) {
        self.looked = self.text.len();
        let saved = std::mem::take(&mut self.saved);
        let text = std::mem::take(&mut self.text);
        let registry = self.registry.clone();
        let search = CallSearch::resume(&text, &registry, self.only, saved);
        let progress = search.advance(allowed);
        let (saved, tried) = (progress.saved, progress.tried);
        let settled = saved.state.calls.len();
        self.give_up_drafts(&saved.state.calls);
        let mut budget = Budget::new(u32::MAX, text.len(), progress.spent);
        for call in self.ended..settled {
            self.bind(call, &saved.state.calls[call], &text, &mut budget);
        }
        self.ended = settled;
        self.is_begun = false;
        let tried = sure(&tried);
        for (place, draft) in tried.iter().enumerate() {
            if draft.stage == Stage::Ended {
                self.bind(settled + place, draft, &text, &mut budget);
                continue;
            }
            let Some((mut arguments, open)) = so_far(&text, draft, &mut budget) else {
                // Later calls wait too.
                break;
            };
            let is_last = place + 1 == tried.len();
            let mut goes_on = None;
            if let Some(mut open) = open {
                budget.charge(2 * (text.len() - open.at));
                if open.advance(&text, &mut arguments) && is_last {
                    goes_on = Some(open);
                }
            }
            let number = self.show(settled + place, draft, &arguments);
            self.is_begun = is_last;
            self.open = goes_on.map(|open| (number, open));
            if is_last && self.open.is_none() {
                self.stopped = self.stopped.max(saved.state.at);
            }
        }
        self.tries += budget.spent();
        // A step that was postponed for its cost would cost more.
        self.next_try = budget.spent() * if progress.is_short { 2 } else { 1 };
        self.saved = saved;
        self.text = text;
    }

    /// Shows a call and the new part of its arguments. Returns its index among the announced calls.
    fn show(&mut self, call: usize, draft: &CallDraft, arguments: &str) -> usize {
        let is_other = self.places.get(call).is_some_and(|number| {
            let shown = &self.shown[*number];
            let before = &*shown.arguments;
            let goes_on = arguments.starts_with(before) || before.starts_with(arguments);
            let is_there = goes_on || shown.place == draft.span.0;
            !(shown.finished || is_there && shown.name == draft.name)
        });
        if is_other {
            self.give_up(call);
        }
        if self.places.len() <= call {
            let number = self.shown.len();
            let name = draft.bound_name(&self.registry).to_owned();
            self.places.push(number);
            self.shown.push(ShownCall {
                name: draft.name.clone(),
                place: draft.span.0,
                arguments: String::new(),
                finished: false,
                is_complete: false,
            });
            self.events.push(CallEvent::Started { call: number, name });
        }
        let number = self.places[call];
        let shown = &mut self.shown[number];
        // The text before the name may turn out to be part of the call.
        shown.place = draft.span.0;
        let new = arguments.strip_prefix(&*shown.arguments);
        if let Some(new) = new.filter(|_| !shown.finished) {
            self.emit(number, new.to_owned());
        }
        number
    }

    /// Returns `true` if the end of a call in the text was reported.
    fn is_finished(&self, call: usize) -> bool {
        let number = self.places.get(call);
        number.is_some_and(|number| self.shown[*number].finished)
    }

    /// Binds a call whose end has been read, and reports its end.
    fn bind(&mut self, call: usize, draft: &CallDraft, text: &str, budget: &mut Budget) {
        if !self.is_finished(call) {
            let bound = draft.clone().bind(text, &self.registry, budget);
            self.end(call, draft, text, &bound, budget);
        }
    }

    /// Shows all of a call whose end has been read, and reports its end.
    fn end(
        &mut self,
        call: usize,
        draft: &CallDraft,
        text: &str,
        bound: &TextCall,
        budget: &mut Budget,
    ) {
        let arguments = draft.arguments.written(text);
        let number = self.show(call, draft, arguments);
        let is_same = self.shown[number].arguments == arguments;
        // The text is copied and compared.
        budget.charge(2 * steps_of_search(arguments.len()));
        let reason = match is_same {
            true => bound.refusal(),
            false => Some(CHANGED.to_owned()),
        };
        let is_other =
            is_same && reason.is_none() && !is_same_value(arguments, bound.arguments(), budget);
        let other = is_other.then(|| bound.arguments().to_owned());
        self.finished(number, is_same && bound.is_complete(), reason, other);
    }

    fn emit(&mut self, call: usize, text: String) {
        if !text.is_empty() {
            self.shown[call].arguments.push_str(&text);
            self.events.push(CallEvent::Arguments { call, text });
        }
    }

    /// Ends the announced calls beyond the first `calls`, which turned out to be different.
    fn give_up(&mut self, calls: usize) {
        for call in self.places.split_off(calls.min(self.places.len())) {
            self.open = self.open.take().filter(|(number, _)| *number != call);
            if self.shown[call].is_complete {
                self.events.push(CallEvent::Superseded { call });
            }
            self.finished(call, false, Some(NO_CALL.to_owned()), None);
        }
    }

    /// Ends the announced calls that were complete but turned out to be drafts within reasoning.
    fn give_up_drafts(&mut self, calls: &[CallDraft]) {
        let is_same = |at: &usize| {
            let place = calls.get(*at).map(|draft| draft.span.0);
            place == Some(self.shown[self.places[*at]].place)
        };
        // All calls after its beginning are drafts, including the last.
        if self.ended > 0 && !is_same(&(self.ended - 1)) {
            let kept = (0..self.ended).take_while(is_same).count();
            self.give_up(kept);
            self.ended = kept;
        }
    }

    fn finished(
        &mut self,
        call: usize,
        complete: bool,
        reason: Option<String>,
        arguments: Option<String>,
    ) {
        if !std::mem::replace(&mut self.shown[call].finished, true) {
            self.shown[call].is_complete = complete;
            self.events.push(CallEvent::Finished {
                call,
                complete,
                ok: reason.is_none(),
                reason,
                arguments,
            });
        }
    }
}

impl std::fmt::Debug for Calls {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Calls")
            .field("text", &self.text)
            .field("calls", &self.shown.len())
            .finish_non_exhaustive()
    }
}

/// Returns `true` if a text is strict JSON with the same value as another one.
fn is_same_value(written: &str, strict: &str, budget: &mut Budget) -> bool {
    if written == strict {
        return true;
    }
    // Reading damaged text would take long, and only show that it is damaged.
    budget.charge(written.len());
    if serde_json::from_str::<IgnoredAny>(written).is_err() {
        return false;
    }
    let (written, strict) = (budget.read(written), budget.read(strict));
    let is_strict = written.is_complete() && written.repairs().is_empty();
    is_strict && written.root() == strict.root()
}

/// Returns the calls that no further text can change. Text after an unfinished call may be part of
/// it.
fn sure(tried: &[CallDraft]) -> &[CallDraft] {
    let mut begun = None;
    let doubtful = tried.iter().position(|draft| {
        let is_behind = begun.is_some_and(|span| span != draft.span);
        if draft.stage == Stage::Begun {
            begun = Some(draft.span);
        }
        draft.stage == Stage::Doubtful || is_behind
    });
    &tried[..doubtful.unwrap_or(tried.len())]
}

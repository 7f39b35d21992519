//! Streamed replies.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use llmjson_wire::{Accumulator, CallState, ChoiceState, Names};

use super::chunk::Repeated;
use super::event::{Common, Flows, Pending};
use super::flow::{Flow, Rest};
use super::judge::judge;
use super::whole::{UNCHECKED, unchecked_message};
use super::{Exchange, Finished};
use crate::error::error_object;
use crate::received::{Events, Received};
use crate::report::{Outcome, Report};

/// A streamed reply: takes and returns bytes of server-sent events.
///
/// Unchanged events are sent byte for byte. A report that is not empty is sent as the last comment,
/// `: x-llmjson …`, before `[DONE]`.
#[derive(Debug)]
pub struct Stream {
    pub(super) exchange: Exchange,
    events: Events,
    pub(super) reply: Accumulator,
    pub(super) flows: Flows,
    pub(super) queue: VecDeque<Pending>,
    /// The number of bytes in the queue.
    pub(super) held: usize,
    pub(super) common: Common,
    /// The chunk that later chunks repeat with other text.
    pub(super) repeated: Option<Repeated>,
    pub(super) report: Report,
    /// The next requests, each with the index of the choice that it requests again.
    pub(super) asked: VecDeque<(u32, Vec<u8>)>,
    /// The choice that this reply is for, if not the first.
    pub(super) current: Option<u32>,
    /// The choice of the next reply, until it begins. Until then, this reply is kept in case the
    /// request fails.
    next: Option<u32>,
    /// The choices of several that are requested again, as sent if the request fails.
    pub(super) kept: BTreeMap<u32, Rest>,
    /// The event that ended a reply that is kept.
    done: Vec<u8>,
    /// The last usage of this reply that the client does not see.
    pub(super) usage: Option<String>,
    pub(super) state: State,
    /// The choices for which the client has received content of an earlier reply.
    pub(super) mute: BTreeSet<u32>,
    /// The last bytes that passed unchanged.
    passed: Vec<u8>,
}

const CUT: &str = "The upstream ended the reply before its end.";

/// The maximum number of bytes of the last event with its blank line: `data: [DONE]\r\n\r\n`.
const END_BYTES: usize = 16;

/// The state of a stream.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum State {
    #[default]
    Open,
    /// The rest of this reply is not for the client: another one is requested.
    Left,
    /// The upstream reported an error: the rest passes through.
    Failed,
    /// The report has been written.
    Reported,
    /// The gateway has written its own error, after which nothing follows.
    Closed,
}

impl Stream {
    pub(super) fn new(exchange: Exchange) -> Self {
        Self {
            events: events_of(&exchange),
            exchange,
            reply: new_reply(),
            flows: Flows::new(),
            queue: VecDeque::new(),
            held: 0,
            common: Common::default(),
            repeated: None,
            report: Report::default(),
            asked: VecDeque::new(),
            current: None,
            next: None,
            kept: BTreeMap::new(),
            done: Vec::new(),
            usage: None,
            state: State::Open,
            mute: BTreeSet::new(),
            passed: Vec::new(),
        }
    }

    /// Returns `true` if nothing in the reply is treated.
    pub(crate) fn is_idle(&self) -> bool {
        self.exchange.plan.is_idle()
    }

    /// Returns `true` if the output so far does not end inside an event. Treated replies are sent
    /// in whole events.
    #[cfg(feature = "server")]
    pub(crate) fn is_between_events(&self) -> bool {
        !self.is_idle() || !is_cut(&self.passed)
    }

    /// Returns `true` if a further reply may be requested.
    #[cfg(feature = "server")]
    pub(crate) const fn may_ask(&self) -> bool {
        self.exchange.may_ask()
    }

    /// Returns `true` if the output ended with the gateway's own error.
    pub(crate) fn is_closed(&self) -> bool {
        self.state == State::Closed
    }

    /// Returns the events of another stream of the upstream.
    pub(crate) fn events_of_upstream(&self) -> Events {
        events_of(&self.exchange)
    }

    /// Takes a piece of the upstream's body, and appends the client's output so far to `out`.
    pub fn push(&mut self, piece: &[u8], out: &mut Vec<u8>) {
        if self.exchange.plan.is_idle() {
            out.extend_from_slice(piece);
            self.passed
                .extend_from_slice(&piece[piece.len().saturating_sub(END_BYTES)..]);
            let more = self.passed.len().saturating_sub(END_BYTES);
            self.passed.drain(..more);
            return;
        }
        self.begin_again(out);
        self.events.push(piece);
        self.read(out);
    }

    /// Ends the reply. If it is not complete because the upstream failed, or if a complete body
    /// lacks its end, the client gets the dialect's error event and no invented end. After
    /// [`Finished::Ask`], pass the new reply to [`push`](Self::push), and call this again; if there
    /// is none, call [`keep`](Self::keep).
    pub fn finish(&mut self, complete: bool, out: &mut Vec<u8>) -> Finished {
        if self.exchange.plan.is_idle() {
            let is_ended = self.passed.trim_ascii_end().ends_with(b"data: [DONE]");
            if !complete && !is_ended && self.state == State::Open {
                // A separate event, not another line of the truncated one.
                if is_cut(&self.passed) {
                    out.extend_from_slice(b"\n\n");
                }
                self.fail(CUT, "stream_cut", out);
            }
            return Finished::Done(std::mem::take(&mut self.report));
        }
        self.begin_again(out);
        self.events.finish(complete);
        self.read(out);
        if self.state == State::Open {
            let is_ended = (self.reply.choices()).all(|choice| choice.finish_reason().is_some());
            match complete && is_ended {
                true => self.end(out),
                false => self.break_off(CUT, "stream_cut", out),
            }
        }
        if let Some((choice, body)) = self.asked.pop_front() {
            self.next = Some(choice);
            return Finished::Ask(body);
        }
        self.tell(out);
        Finished::Done(self.report.clone())
    }

    /// Ends with the replies so far, because the next one failed. `None` if none was requested.
    pub fn keep(&mut self, out: &mut Vec<u8>) -> Option<Finished> {
        self.next.take()?;
        self.exchange.give_up();
        // The requests that are not made after all.
        let unmade = u32::try_from(self.asked.len()).unwrap_or(u32::MAX);
        self.exchange.again.retries = self.exchange.again.retries.saturating_sub(unmade);
        self.asked.clear();
        self.state = State::Open;
        if !self.is_several() {
            self.end(out);
        }
        self.put_kept(out);
        if self.state == State::Open {
            self.tell(out);
            out.append(&mut self.done);
        }
        Some(Finished::Done(self.report.clone()))
    }

    /// Writes the choices that are not requested again after all, and the usage, which waited.
    fn put_kept(&mut self, out: &mut Vec<u8>) {
        for (choice, rest) in std::mem::take(&mut self.kept) {
            let (content, calls) = (&rest.content, &rest.calls);
            let event = (self.common).event(choice, content, calls, rest.finish.as_deref());
            put_own(&event, out);
            judge(&self.exchange.plan, &rest.given, &mut self.report);
        }
        let is_hidden = self.exchange.plan.is_several;
        if let Some(usage) = self.usage.take().filter(|_| is_hidden) {
            let usage = self.exchange.again.usage(&usage).unwrap_or(usage);
            put_own(self.common.usage(&usage), out);
        }
    }

    /// Returns `true` if a further reply was requested and has not begun.
    pub(crate) const fn is_asking(&self) -> bool {
        self.next.is_some()
    }

    /// Begins to read the further reply that was requested, if any.
    pub(crate) fn begin_again(&mut self, out: &mut Vec<u8>) {
        let Some(choice) = self.next.take() else {
            return;
        };
        if !self.is_several() {
            self.leave(out);
        }
        self.kept.remove(&choice);
        if let Some(usage) = self.usage.take() {
            self.exchange.again.add_usage(&usage);
        }
        self.current = Some(choice);
        self.events = events_of(&self.exchange);
        self.reply = new_reply();
        self.repeated = None;
        self.flows = Flows::new();
        self.queue = VecDeque::new();
        self.held = 0;
        if !self.exchange.plan.is_several {
            self.report = Report::default();
        }
        self.state = State::Open;
    }

    /// Returns `true` if this is the first reply to a request for several choices.
    pub(super) fn is_several(&self) -> bool {
        self.current.is_none() && self.exchange.plan.is_several
    }

    fn read(&mut self, out: &mut Vec<u8>) {
        loop {
            let block = match self.events.next() {
                None => return,
                Some(Ok(block)) => block,
                Some(Err(error)) => {
                    return self.break_off(&error.to_string(), "frame_too_large", out);
                }
            };
            let mut event = Received::of(&block);
            let is_error = block
                .frame
                .is_some_and(|frame| frame.event == Some(b"error"));
            let is_text = block
                .frame
                .map(|frame| std::str::from_utf8(frame.data).is_ok());
            let is_done = event.data.as_received().trim() == "[DONE]";
            match (self.state, is_text) {
                (State::Closed, _) => {}
                (State::Left, None) => out.append(&mut event.bytes),
                (State::Left, _) => drop(self.count_usage(event.data.as_received())),
                // No event follows the end.
                (State::Reported, Some(_)) => self.report.reason("after_end"),
                (State::Failed | State::Reported, _) => out.append(&mut event.bytes),
                (State::Open, Some(true)) if is_done => {
                    self.end(out);
                    if self.state == State::Open {
                        self.tell(out);
                        out.append(&mut event.bytes);
                    } else {
                        self.done = event.bytes;
                    }
                }
                (State::Open, Some(true)) if !is_error => self.take(event, out),
                (State::Open, Some(_)) if is_error => self.upstream_error(&event.bytes, out),
                (State::Open, is_text) => {
                    if is_text.is_some() {
                        self.report.reason("unreadable_event");
                    }
                    self.enqueue(event.into(), out);
                }
            }
        }
    }

    /// Takes an event with data.
    fn take(&mut self, event: Received, out: &mut Vec<u8>) {
        let mut pending = Pending::from(event);
        if let Some(choice) = self.current {
            pending.renumber(choice);
        }
        match self.read_chunk(&mut pending) {
            Ok(true) => {
                let bytes = std::mem::take(&mut pending.event.bytes);
                return self.upstream_error(&bytes, out);
            }
            Ok(false) => {}
            Err(()) => self.report.reason("unreadable_event"),
        }
        if let Some(message) = self.unchecked() {
            return self.break_off(&message, UNCHECKED, out);
        }
        self.enqueue(pending, out);
    }

    /// Returns the message about a call that cannot be checked, if there is one.
    fn unchecked(&self) -> Option<String> {
        self.exchange.unchecked().next()?;
        let calls = self.reply.choices().flat_map(ChoiceState::tool_calls);
        let names = calls.map(CallState::name);
        let mut reasons = names.filter_map(|name| self.exchange.plan.unchecked(name));
        reasons.next().map(unchecked_message)
    }

    fn enqueue(&mut self, pending: Pending, out: &mut Vec<u8>) {
        self.held += pending.event.bytes.len();
        self.queue.push_back(pending);
        self.drain(out);
        self.bound(self.held, out);
    }

    /// Ends the stream if too many bytes are held.
    pub(crate) fn bound(&mut self, held: usize, out: &mut Vec<u8>) {
        let most = self.exchange.plan.treatment.limits.held_bytes;
        if held > most && self.state == State::Open {
            self.give_up(&mut Vec::new());
            let message =
                format!("The gateway holds at most {most} bytes of a reply until they are judged.");
            self.fail(&message, "held_too_much", out);
        }
    }

    /// Writes the events whose parts are all decided.
    pub(super) fn drain(&mut self, out: &mut Vec<u8>) {
        while self
            .queue
            .front()
            .is_some_and(|front| front.is_ready(&self.flows))
        {
            let Some(front) = self.queue.pop_front() else {
                break;
            };
            self.held -= front.event.bytes.len();
            front.write(&mut self.flows, &self.reply, &self.common, out);
        }
    }

    /// Releases everything that may be sent without being judged.
    fn give_up(&mut self, out: &mut Vec<u8>) {
        if !self.exchange.plan.holds() {
            self.flows.values_mut().for_each(Flow::pass);
        }
        self.drain(out);
        self.queue.clear();
        self.asked.clear();
        self.held = 0;
    }

    fn upstream_error(&mut self, event: &[u8], out: &mut Vec<u8>) {
        self.give_up(out);
        out.extend_from_slice(event);
        self.report.raise(Outcome::Failed);
        self.report.reason("upstream_error");
        self.state = State::Failed;
    }

    /// Ends an open stream with an error, after everything that may be sent.
    pub(crate) fn break_off(&mut self, message: &str, code: &str, out: &mut Vec<u8>) {
        if self.state == State::Open {
            self.give_up(out);
            self.fail(message, code, out);
        }
    }

    /// Ends the stream with the gateway's own error.
    fn fail(&mut self, message: &str, code: &str, out: &mut Vec<u8>) {
        self.report.raise(Outcome::Failed);
        self.close(message, code, out);
    }

    /// Writes the gateway's own error, after which nothing follows.
    pub(super) fn close(&mut self, message: &str, code: &str, out: &mut Vec<u8>) {
        let error = error_object(message, "upstream_error", code, None);
        put_own(format!("data: {error}\n\n"), out);
        self.report.reason(code);
        self.tell(out);
        self.state = State::Closed;
    }

    /// Writes the report, unless it is empty.
    fn tell(&mut self, out: &mut Vec<u8>) {
        if matches!(self.state, State::Reported | State::Closed) {
            return;
        }
        self.exchange.again.note(&mut self.report);
        if self.report != Report::default() {
            put_own(format!(": x-llmjson {}\n\n", self.report.header()), out);
        }
        if self.state == State::Open {
            self.state = State::Reported;
        }
    }
}

/// Writes the gateway's own event or comment. The upstream's last event may lack its blank line.
pub(super) fn put_own(event: impl AsRef<[u8]>, out: &mut Vec<u8>) {
    if is_cut(out) {
        out.extend_from_slice(b"\n\n");
    }
    out.extend_from_slice(event.as_ref());
}

/// Returns `true` if the bytes do not end with a blank line, so that more text would belong to the
/// last event.
pub(crate) fn is_cut(bytes: &[u8]) -> bool {
    let last = bytes
        .strip_suffix(b"\n")
        .map(|rest| rest.strip_suffix(b"\r").unwrap_or(rest));
    let last = last.or_else(|| bytes.strip_suffix(b"\r"));
    !bytes.is_empty() && !last.is_some_and(|line| line.ends_with(b"\n") || line.ends_with(b"\r"))
}

fn new_reply() -> Accumulator {
    Accumulator::new().with_names(Names::Grown)
}

fn events_of(exchange: &Exchange) -> Events {
    Events::new(exchange.plan.treatment.limits.frame_bytes)
}

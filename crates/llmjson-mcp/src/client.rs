//! The direction from the client to the server.

use std::time::Duration;

use super::answer;
use super::call;
use super::mirror;
use super::server::forward_waiting;
use super::shared::{Asked, Id, LINE_BYTES_MAX, REQUESTS_MAX, Shared};
use super::skim::{Purpose, Skim};
use super::unchecked;
use llmjson_reply::Policy;

/// The direction from the client to the server.
#[derive(Debug)]
pub struct FromClient {
    shared: Shared,
    policy: Policy,
    skim: Skim,
    /// The line so far, until it is known whether it may be forwarded unchanged.
    held: Vec<u8>,
    fate: Fate,
    /// The requests in the line so far.
    requests: Vec<Id>,
}

/// The handling of the rest of a line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Fate {
    #[default]
    Unknown,
    /// Forwards it unchanged.
    Passes,
    /// Forwards nothing of the line, since it is too long to be checked.
    Refused,
}

impl FromClient {
    pub(super) fn new(shared: Shared, policy: Policy) -> Self {
        Self {
            shared,
            policy,
            skim: Skim::default(),
            held: Vec::new(),
            fate: Fate::default(),
            requests: Vec::new(),
        }
    }

    /// Processes the next bytes from the client, which may end anywhere. Appends the bytes for the server and
    /// the responses for the client to `out`.
    pub fn push(&mut self, bytes: &[u8], out: &mut Output) {
        for piece in bytes.split_inclusive(|&byte| byte == b'\n') {
            match piece.strip_suffix(b"\n") {
                None => self.part(piece, out),
                Some(line) => {
                    self.part(line, out);
                    self.end_line(b"\n", out);
                }
            }
        }
    }

    /// Ends the direction when the client has closed its output. A last line without a line break is
    /// processed like any other.
    pub fn finish(&mut self, out: &mut Output) {
        self.end_line(b"", out);
    }

    fn part(&mut self, piece: &[u8], out: &mut Output) {
        let (shared, requests, fate) = (&self.shared, &mut self.requests, self.fate);
        self.skim.feed(piece, |head| {
            let Some(id) = head.request() else {
                return;
            };
            let mut state = shared.lock();
            match state.ended() {
                Some(reason) => out.answer(&answer::server_ended(&id, reason)),
                None => {
                    if fate != Fate::Passes && requests.len() < REQUESTS_MAX {
                        requests.push(id.clone());
                    }
                    state.ask(id, Asked::Else);
                }
            }
        });
        match self.fate {
            Fate::Unknown => self.hold(piece, out),
            Fate::Passes => out.to_server.extend_from_slice(piece),
            Fate::Refused => {}
        }
    }

    /// Holds back a piece of a line, unless the handling of the line is already known.
    fn hold(&mut self, piece: &[u8], out: &mut Output) {
        self.held.extend_from_slice(piece);
        let is_long = self.held.len() > LINE_BYTES_MAX;
        let may_call = self.skim.purpose().map(is_about_tools);
        self.fate = match may_call {
            Some(false) => Fate::Passes,
            _ if !is_long => return,
            _ if unchecked::are_forwarded(&self.policy) => Fate::Passes,
            _ => Fate::Refused,
        };
        match self.fate {
            Fate::Passes => out.to_server.append(&mut self.held),
            _ => self.held = Vec::new(),
        }
    }

    fn end_line(&mut self, line_break: &[u8], out: &mut Output) {
        let line = std::mem::take(&mut self.held);
        let requests = std::mem::take(&mut self.requests);
        let reason = format!("it is longer than {LINE_BYTES_MAX} bytes");
        match self.fate {
            Fate::Unknown => {
                if !self.waits(&line, line_break, out) {
                    call::forward(line, line_break, &self.shared, &self.policy, out);
                }
            }
            Fate::Passes => {
                if self.skim.purpose().is_none_or(is_about_tools) {
                    let notice = format!("a message was forwarded unchecked, since {reason}");
                    out.notices.push(notice);
                }
                out.to_server.extend_from_slice(line_break);
            }
            Fate::Refused => {
                let notice = format!("a message was not forwarded, since {reason}");
                out.notices.push(notice);
                let answers =
                    unchecked::responses(requests, self.skim.is_batch(), &reason, &self.shared);
                answers.iter().for_each(|answer| out.answer(answer));
            }
        }
        self.skim = Skim::default();
        self.fate = Fate::Unknown;
    }

    /// Lets a line that calls tools wait for the tool list if there is none yet, and requests the
    /// list.
    fn waits(&self, line: &[u8], line_break: &[u8], out: &mut Output) -> bool {
        if !call::mentions_call(line) {
            return false;
        }
        let mut state = self.shared.lock();
        if state.ended().is_some() || !(state.awaits_own_list() || state.lacks_list()) {
            return false;
        }
        if state.lacks_list() {
            let request = state.ask_for_tools(call::meta(line));
            out.to_server.extend_from_slice(request.as_bytes());
        }
        state.wait([line, line_break].concat());
        true
    }

    /// Returns the HTTP headers that repeat parts of a message, as
    /// [`Session::mirrored`](super::Session::mirrored) does.
    #[must_use]
    pub fn mirrored(&self, message: &[u8]) -> Vec<(String, String)> {
        mirror::headers(message, &self.shared)
    }

    /// Returns `true` if a call waits for the tool list, so that the server must still receive
    /// lines from [`FromServer`](super::FromServer).
    #[must_use]
    pub fn awaits_list(&self) -> bool {
        self.shared.lock().awaits_own_list()
    }

    /// Returns the tool list that calls wait for, if any. After [`LIST_TIMEOUT`] the caller should
    /// [give it up](AwaitedList::give_up).
    #[must_use]
    pub fn awaited_list(&self) -> Option<AwaitedList> {
        let number = self.shared.lock().awaited_list()?;
        Some(AwaitedList {
            shared: self.shared.clone(),
            policy: self.policy.clone(),
            number,
        })
    }
}

/// The time that a server has to list all of its tools for a waiting call.
pub const LIST_TIMEOUT: Duration = Duration::from_secs(60);

/// A tool list that calls wait for.
#[derive(Clone, Debug)]
pub struct AwaitedList {
    shared: Shared,
    policy: Policy,
    number: u64,
}

impl AwaitedList {
    /// Returns the number of the list, which is unique in this connection.
    #[must_use]
    pub const fn number(&self) -> u64 {
        self.number
    }

    /// Ends the wait for the list, if it has not arrived: the calls are handled without it.
    pub fn give_up(&self, out: &mut Output) {
        if self.shared.lock().awaited_list() != Some(self.number) {
            return;
        }
        let notice = unchecked::not_listed(&self.shared, &self.policy);
        out.notices.push(notice);
        forward_waiting(&self.shared, &self.policy, out);
    }
}

/// The output of [`FromClient`] and [`FromServer`](super::FromServer), which append to it. The caller writes
/// and clears it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Output {
    /// The next bytes for the server.
    pub to_server: Vec<u8>,
    /// The next bytes for the client. Those of [`FromClient`] are whole lines, which
    /// [`Lines`](super::Lines) merges into the server's output.
    pub to_client: Vec<u8>,
    /// Messages for the operator: which calls were not checked, and why.
    pub notices: Vec<String>,
}

impl Output {
    pub(super) fn answer(&mut self, json: &str) {
        self.to_client.extend_from_slice(json.as_bytes());
        self.to_client.push(b'\n');
    }
}

/// Returns `true` if a message may be about tools: its method, as JSON, may start with `tools/`.
/// This includes methods with escapes or without an end.
pub(super) fn is_about_tools(purpose: &Purpose) -> bool {
    let Purpose::Method(method) = purpose else {
        return false;
    };
    method.starts_with(b"\"tools/") || !method.ends_with(b"\"") || method.contains(&b'\\')
}

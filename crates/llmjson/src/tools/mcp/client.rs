//! The direction from the client to the server.

use super::answer;
use super::call::{self, Judged};
use super::shared::{Asked, LINE_BYTES_MAX, Shared};
use super::skim::{Purpose, Skim};
use crate::policy::Policy;

/// The direction from the client to the server.
#[derive(Debug)]
pub struct FromClient {
    shared: Shared,
    policy: Policy,
    skim: Skim,
    /// The line so far, until it is known whether it may be forwarded unchanged.
    held: Vec<u8>,
    /// Whether the rest of the line is forwarded unchanged.
    passes: bool,
}

impl FromClient {
    pub(super) fn new(shared: Shared, policy: Policy) -> Self {
        Self {
            shared,
            policy,
            skim: Skim::default(),
            held: Vec::new(),
            passes: false,
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
        let shared = &self.shared;
        self.skim.feed(piece, |head| {
            let Some(id) = head.request() else {
                return;
            };
            let mut state = shared.lock();
            match state.ended() {
                Some(reason) => out.answer(&answer::server_ended(&id, reason)),
                None => state.ask(id, Asked::Else),
            }
        });
        if self.passes {
            out.to_server.extend_from_slice(piece);
            return;
        }
        self.held.extend_from_slice(piece);
        if self.is_forwarded() {
            self.passes = true;
            out.to_server.append(&mut self.held);
        }
    }

    /// Returns whether it is known that the line is forwarded unchanged.
    fn is_forwarded(&self) -> bool {
        if self.held.len() > LINE_BYTES_MAX {
            return true;
        }
        match self.skim.purpose() {
            None => false,
            Some(Purpose::Response) => true,
            Some(Purpose::Method(method)) => !may_be_about_tools(method),
        }
    }

    fn end_line(&mut self, line_break: &[u8], out: &mut Output) {
        let judged = match std::str::from_utf8(&self.held) {
            Ok(line) if !self.passes && self.shared.lock().ended().is_none() => {
                call::judge(line, &self.shared, &self.policy)
            }
            _ => Judged::default(),
        };
        for answer in judged.answers {
            out.answer(&answer);
        }
        match judged.instead {
            None => out.to_server.append(&mut self.held),
            Some(line) => out.to_server.extend_from_slice(line.as_bytes()),
        }
        if !judged.is_dropped {
            out.to_server.extend_from_slice(line_break);
        }
        self.held.clear();
        self.skim = Skim::default();
        self.passes = false;
    }
}

/// The output of [`FromClient`], which appends to both buffers. The caller writes and clears them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Output {
    /// The next bytes for the server.
    pub to_server: Vec<u8>,
    /// Whole lines for the client. [`Lines`](super::Lines) merges them into the output of the server.
    pub to_client: Vec<u8>,
}

impl Output {
    fn answer(&mut self, json: &str) {
        self.to_client.extend_from_slice(json.as_bytes());
        self.to_client.push(b'\n');
    }
}

/// Returns whether a method, as JSON, may start with `tools/`. One with escapes or without an end may.
fn may_be_about_tools(method: &[u8]) -> bool {
    method.starts_with(b"\"tools/") || !method.ends_with(b"\"") || method.contains(&b'\\')
}

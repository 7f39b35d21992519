//! What comes from the client.

use super::answer;
use super::call::{self, Judged};
use super::shared::{Asked, Shared};
use super::skim::{Purpose, Skim};
use super::{LINE_BYTES_MAX, Output};
use crate::policy::Policy;

/// The direction from the client to the server.
#[derive(Debug)]
pub struct FromClient {
    shared: Shared,
    policy: Policy,
    skim: Skim,
    /// The line so far, until it is known that nothing has to be done to it.
    held: Vec<u8>,
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

    /// Takes the next bytes from the client, which may end anywhere. `out` gets what the server is to be
    /// given, and answers for the client.
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

    /// Ends the direction: the client hung up. A last line without a line break is a line, too.
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
        if self.is_of_no_concern() {
            self.passes = true;
            out.to_server.append(&mut self.held);
        }
    }

    /// Whether it is clear already that the line is to be passed on.
    fn is_of_no_concern(&self) -> bool {
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

/// A method with escapes may be any.
fn may_be_about_tools(method: &[u8]) -> bool {
    method.starts_with(b"\"tools/") || !method.ends_with(b"\"") || method.contains(&b'\\')
}

//! The direction from the server to the client.

use super::answer;
use super::call;
use super::client::Output;
use super::list::{self, Learned};
use super::shared::{Asked, Id, LINE_BYTES_MAX, Shared};
use super::skim::Skim;
use super::unchecked;
use llmjson_reply::Policy;

/// Ends the wait for the tool list: waiting calls are forwarded or answered.
pub(super) fn forward_waiting(shared: &Shared, policy: &Policy, out: &mut Output) {
    let waiting = shared.lock().release();
    for mut line in waiting {
        let line_break = line.split_off(line.len() - usize::from(line.ends_with(b"\n")));
        call::forward(line, &line_break, shared, policy, out);
    }
}

/// The direction from the server to the client. Forwards the bytes unchanged, except the tool lists
/// that the proxy requested itself, and parses all tool lists.
#[derive(Debug)]
pub struct FromServer {
    shared: Shared,
    policy: Policy,
    skim: Skim,
    /// The line so far, if a request for tools was unanswered at its start.
    kept: Option<Vec<u8>>,
    /// `true` if the line is not forwarded before it is known whether it answers the proxy.
    withheld: bool,
    /// `true` if the current line has started.
    begun: bool,
    /// The responses to requests for tools in this line.
    lists: Vec<(Id, Asked)>,
}

impl FromServer {
    pub(super) fn new(shared: Shared, policy: Policy) -> Self {
        Self {
            shared,
            policy,
            skim: Skim::default(),
            kept: None,
            withheld: false,
            begun: false,
            lists: Vec::new(),
        }
    }

    /// Processes the next bytes from the server, which may end anywhere. Appends to `out` the bytes
    /// for the client, the proxy's own requests, and calls that waited for their answer, and a
    /// message for the operator for each list that is too long and each tool with an unusable
    /// schema.
    ///
    /// The caller must forward the bytes to the client only after this has returned, so that the contract of
    /// a tool is known before the client can call it.
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

    /// Ends the direction when the server has ended.
    ///
    /// Returns an error response, a line each, to every request that is still unanswered, in the order of
    /// the requests. Later requests of the client get the same error, which contains the reason.
    #[must_use]
    pub fn finish(&mut self, reason: &str, out: &mut Output) -> Vec<u8> {
        self.end_line(b"", out);
        let mut lines = Vec::new();
        for id in self.shared.lock().end(reason) {
            lines.extend_from_slice(answer::server_ended(&id, reason).as_bytes());
            lines.push(b'\n');
        }
        lines
    }

    /// Returns `true` if calls wait for the tool list that the proxy requested.
    #[must_use]
    pub fn awaits_list(&self) -> bool {
        self.shared.lock().awaits_own_list()
    }

    fn part(&mut self, piece: &[u8], out: &mut Output) {
        if !self.begun {
            self.begun = true;
            let state = self.shared.lock();
            self.kept = state.awaits_tools().then(Vec::new);
            self.withheld = state.is_owed_own_list();
        }
        let (shared, lists) = (&self.shared, &mut self.lists);
        self.skim.feed(piece, |head| {
            let Some(id) = head.response() else {
                return;
            };
            let asked = shared.lock().answer(&id);
            lists.extend(
                asked
                    .filter(|&asked| asked != Asked::Else)
                    .map(|asked| (id, asked)),
            );
        });
        if let Some(kept) = &mut self.kept {
            kept.extend_from_slice(piece);
        }
        if !self.withheld {
            out.to_client.extend_from_slice(piece);
        }
        if let Some(kept) = self.kept.take_if(|kept| kept.len() > LINE_BYTES_MAX)
            && !self.is_own()
            && std::mem::take(&mut self.withheld)
        {
            out.to_client.extend_from_slice(&kept);
        }
    }

    /// Returns `true` if the line is known to answer the proxy.
    fn is_own(&self) -> bool {
        let state = self.shared.lock();
        self.lists.iter().any(|(_, asked)| asked.is_own())
            || self.skim.id().is_some_and(|id| state.is_own(&id))
    }

    fn end_line(&mut self, line_break: &[u8], out: &mut Output) {
        let line = self.kept.take();
        let lists = std::mem::take(&mut self.lists);
        let is_own = self.withheld && lists.iter().any(|(_, asked)| asked.is_own());
        if !is_own {
            if let Some(line) = line.as_ref().filter(|_| self.withheld) {
                out.to_client.extend_from_slice(line);
            }
            out.to_client.extend_from_slice(line_break);
        }
        for (id, asked) in lists {
            let (shared, policy) = (&self.shared, &self.policy);
            let learned = list::learn(
                line.as_deref(),
                &id,
                asked,
                shared,
                policy,
                &mut out.notices,
            );
            if asked.is_own() {
                self.go_on(learned, out);
            }
        }
        self.skim = Skim::default();
        self.begun = false;
        self.withheld = false;
    }

    /// Requests the next page of the list for the proxy itself, or forwards the calls that waited
    /// for it.
    fn go_on(&mut self, learned: Learned, out: &mut Output) {
        match learned {
            Learned::More(next) => {
                let request = self.shared.lock().ask_for_next_page(&next);
                if let Some(request) = request {
                    out.to_server.extend_from_slice(request.as_bytes());
                    return;
                }
                let notice = unchecked::endless(&self.shared, &self.policy);
                out.notices.extend(notice);
            }
            Learned::Nothing => out
                .notices
                .push(unchecked::not_listed(&self.shared, &self.policy)),
            Learned::All => {}
        }
        forward_waiting(&self.shared, &self.policy, out);
    }
}

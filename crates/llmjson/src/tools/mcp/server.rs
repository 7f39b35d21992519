//! The direction from the server to the client.

use super::answer;
use super::list;
use super::shared::{Asked, Id, LINE_BYTES_MAX, Shared};
use super::skim::Skim;
use crate::policy::Policy;

/// The direction from the server to the client. Observes the bytes without changing them, and parses the
/// lists of tools.
#[derive(Debug)]
pub struct FromServer {
    shared: Shared,
    policy: Policy,
    skim: Skim,
    /// The line so far, if a request for tools was unanswered at its start.
    kept: Option<Vec<u8>>,
    /// Whether the current line has started.
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
            begun: false,
            lists: Vec::new(),
        }
    }

    /// Processes the next bytes from the server, which may end anywhere.
    ///
    /// The caller must forward the bytes to the client only after this has returned, so that the contract of
    /// a tool is known before the client can call it. Appends a message for the operator to `notices` for
    /// each list that is too long and each tool whose schema cannot be used.
    pub fn push(&mut self, bytes: &[u8], notices: &mut Vec<String>) {
        for piece in bytes.split_inclusive(|&byte| byte == b'\n') {
            match piece.strip_suffix(b"\n") {
                None => self.part(piece),
                Some(line) => {
                    self.part(line);
                    self.end_line(notices);
                }
            }
        }
    }

    /// Ends the direction when the server has ended.
    ///
    /// Returns an error response, a line each, to every request that is still unanswered, in the order of
    /// the requests. Later requests of the client get the same error, which contains the reason.
    #[must_use]
    pub fn finish(&mut self, reason: &str, notices: &mut Vec<String>) -> Vec<u8> {
        self.end_line(notices);
        let mut lines = Vec::new();
        for id in self.shared.lock().end(reason) {
            lines.extend_from_slice(answer::server_ended(&id, reason).as_bytes());
            lines.push(b'\n');
        }
        lines
    }

    fn part(&mut self, piece: &[u8]) {
        if !self.begun {
            self.begun = true;
            self.kept = self.shared.lock().awaits_tools().then(Vec::new);
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
        self.kept.take_if(|kept| kept.len() > LINE_BYTES_MAX);
    }

    fn end_line(&mut self, notices: &mut Vec<String>) {
        let line = self.kept.take();
        for (id, asked) in std::mem::take(&mut self.lists) {
            let Some(line) = &line else {
                notices.push(format!(
                    "a list of tools was not parsed, since it is longer than {LINE_BYTES_MAX} bytes"
                ));
                continue;
            };
            let page = list::read(line, &id, &self.shared, &self.policy, notices);
            if let Some(page) = page {
                self.shared.lock().learn(page.tools, asked, page.is_last);
            }
        }
        self.skim = Skim::default();
        self.begun = false;
    }
}

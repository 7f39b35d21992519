//! Chat completions.
//!
//! ```
//! use llmjson_gateway::chat::{Exchange, Step};
//! use llmjson_gateway::{Cache, Treatment};
//!
//! let request = br#"{"model":"small","messages":[{"role":"user","content":"Oslo?"}],"tools":[{"type":"function",
//!     "function":{"name":"weather","parameters":{"properties":{"days":{"type":"integer"}}}}}]}"#;
//! let mut exchange = Exchange::begin(request, &Treatment::default(), &Cache::new(16)).expect("a request");
//! assert_eq!(exchange.request(), request);
//!
//! let reply = br#"{"choices":[{"message":{"content":"<tool_call>{\"name\": \"weather\", \"arguments\": {days: \"3\"}}</tool_call>"},
//!     "finish_reason":"stop"}]}"#;
//! let Step::Answer { body, report } = exchange.reply(reply) else { unreachable!() };
//! let body = String::from_utf8(body).expect("JSON");
//! assert!(body.contains(r#""name":"weather","arguments":"{\"days\":3}""#));
//! assert!(body.contains(r#""content":null"#) && body.contains(r#""finish_reason":"tool_calls""#));
//! assert_eq!(report.outcome().name(), "extracted");
//! ```

mod again;
mod chunk;
mod end;
mod event;
mod flow;
mod grow;
mod judge;
mod prompt;
mod release;
mod request;
mod splitter;
mod stream;
mod tools;
mod whole;

use again::Again;
use request::Plan;

pub(crate) use request::Format;
pub use stream::Stream;
pub(crate) use stream::is_cut;
pub(crate) use tools::Tools;
use whole::Kept;
pub(crate) use whole::number_of;

use crate::report::Report;
use crate::{Cache, Rejection, Treatment};

/// One request for a chat completion, and what becomes of its reply.
#[derive(Debug)]
pub struct Exchange {
    plan: Plan,
    again: Again,
    /// The reply that stays where no further one comes.
    kept: Option<Kept>,
}

/// The next step with a whole reply.
#[derive(Debug)]
pub enum Step {
    /// The reply for the client, and its report.
    Answer {
        /// The body.
        body: Vec<u8>,
        /// The report of what was done to it.
        report: Report,
    },
    /// Ask the upstream again with this body; its reply goes to [`Exchange::reply`].
    Ask {
        /// The body of the request.
        body: Vec<u8>,
    },
    /// The client gets an error instead of the reply, which calls a tool whose calls cannot be checked.
    Refuse {
        /// The error.
        rejection: Rejection,
        /// The report.
        report: Report,
    },
}

/// The next step when a streamed reply has ended.
#[derive(Debug)]
pub enum Finished {
    /// All that the client gets has been written.
    Done(Report),
    /// Ask the upstream again with this body; the pieces of its reply, streamed again, go to the same
    /// [`Stream`].
    Ask(Vec<u8>),
}

impl Exchange {
    /// Reads a request. What needs no treatment passes untouched.
    ///
    /// # Errors
    ///
    /// A request that cannot be treated as asked, with the status and the body of the refusal: one with more tools than
    /// [`Limits::tools`](crate::Limits::tools), or with the name of an unknown policy in a tool.
    pub fn begin(request: &[u8], treatment: &Treatment, cache: &Cache) -> Result<Self, Rejection> {
        Ok(Self {
            plan: Plan::read(request, treatment, cache)?,
            again: Again::default(),
            kept: None,
        })
    }

    /// Returns the body for the upstream: the client's bytes, unless something had to change.
    #[must_use]
    pub fn request(&self) -> &[u8] {
        &self.plan.body
    }

    /// Returns the model that the request names.
    #[must_use]
    pub fn model(&self) -> Option<&str> {
        self.plan.model.as_deref()
    }

    /// Returns `true` if the request asks for a streamed reply.
    #[must_use]
    pub const fn is_streamed(&self) -> bool {
        self.plan.is_streamed
    }

    /// Returns the reasons for which calls are answered with an error, since they cannot be checked.
    pub fn unchecked(&self) -> impl Iterator<Item = &str> {
        self.plan.tools.iter().flat_map(|tools| tools.notices())
    }

    /// Takes a list of tools that cannot be read.
    pub(crate) fn leave_tools_unread(&mut self) {
        self.plan.leave_tools_unread();
    }

    /// Lets all of the reply be read, since it is written in another dialect, and the report name what was left out of
    /// the request.
    pub(crate) fn translated(mut self, dropped: Vec<String>) -> Self {
        self.plan.is_translated = true;
        self.again.dropped = dropped;
        self
    }

    /// Lets the last whole reply stay as it can be had, since the next one failed: it goes to [`reply`](Self::reply) again.
    pub const fn give_up(&mut self) {
        self.again.is_over = true;
    }

    /// Returns `true` if nothing of the reply is to be treated.
    pub(crate) fn is_idle(&self) -> bool {
        self.plan.is_idle()
    }

    /// Begins to take in a streamed reply.
    #[must_use]
    pub fn stream(self) -> Stream {
        Stream::new(self)
    }
}

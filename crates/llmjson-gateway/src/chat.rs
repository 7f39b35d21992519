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
pub(crate) use tools::{POLICY, Tools, remove_policies};
use whole::Kept;
pub(crate) use whole::number_of;

use crate::report::Report;
use crate::{Cache, Rejection, Treatment};

/// One chat completion request, and the treatment of its reply.
#[derive(Debug)]
pub struct Exchange {
    plan: Plan,
    again: Again,
    /// The reply to use if no further one arrives.
    kept: Option<Kept>,
}

/// The next step after a whole reply.
#[derive(Debug)]
pub enum Step {
    /// The reply for the client, and its report.
    Answer {
        /// The body.
        body: Vec<u8>,
        /// The report of the changes made to it.
        report: Report,
    },
    /// Ask the upstream again with this body; pass its reply to [`Exchange::reply`].
    Ask {
        /// The body of the request.
        body: Vec<u8>,
    },
    /// The client gets an error instead of the reply, which calls a tool whose calls cannot be
    /// checked.
    Refuse {
        /// The error.
        rejection: Rejection,
        /// The report.
        report: Report,
    },
}

/// The next step after a streamed reply has ended.
#[derive(Debug)]
pub enum Finished {
    /// The client's complete output has been written.
    Done(Report),
    /// Ask the upstream again with this body; pass the pieces of its streamed reply to the same
    /// [`Stream`].
    Ask(Vec<u8>),
}

impl Exchange {
    /// Reads a request. A request that needs no treatment passes unchanged.
    ///
    /// # Errors
    ///
    /// If the request cannot be treated as requested, with the status and the body of the refusal:
    /// it has more tools than [`Limits::tools`](crate::Limits::tools), or a tool names an unknown
    /// policy.
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

    /// Returns the reasons why calls are answered with an error because they cannot be checked.
    pub fn unchecked(&self) -> impl Iterator<Item = &str> {
        self.plan.tools.iter().flat_map(|tools| tools.notices())
    }

    /// Marks the tool list as unreadable.
    pub(crate) fn leave_tools_unread(&mut self) {
        self.plan.leave_tools_unread();
    }

    /// Makes the whole reply be read, since it is converted to another dialect, and lets the report
    /// name the members dropped from the request.
    pub(crate) fn translated(mut self, dropped: Vec<String>) -> Self {
        self.plan.is_translated = true;
        self.again.dropped = dropped;
        self
    }

    /// Takes the last whole reply unchanged, because the retry failed: pass it to
    /// [`reply`](Self::reply) again.
    pub const fn give_up(&mut self) {
        self.again.is_over = true;
    }

    /// Returns `true` if nothing in the reply is treated.
    pub(crate) fn is_idle(&self) -> bool {
        self.plan.is_idle()
    }

    /// Begins to read a streamed reply.
    #[must_use]
    pub fn stream(mut self) -> Stream {
        if !self.may_ask() {
            self.plan.body = Vec::new();
        }
        Stream::new(self)
    }

    /// Returns `true` if the body may be needed for a further request.
    pub(crate) const fn may_ask(&self) -> bool {
        self.plan.treatment.retries > 0
    }
}

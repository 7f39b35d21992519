//! A conversation as a state machine.
//!
//! A turn is handed out once and consumed with the reply, so a reply can only be fed to a request,
//! and nothing can be requested after the end.

use std::sync::Arc;

use llmjson_schema::Failure;
use serde::de::Deserialize;

use crate::retry::error::{RetryError, is_cut, reason_name};
use crate::retry::feedback::{Feedback, FeedbackKind, instruction};
use crate::retry::message::{ChatMessage, FeedbackPlace, Message, Role, push_reply, with_addition};
use crate::retry::reply::Reply;
use crate::retry::settings::{OnTruncation, SchemaIn, Settings};
use llmjson_reply::Parsed;
use llmjson_reply::policy::RetryStep;

/// The next step of a conversation.
#[derive(Clone, Debug)]
#[must_use]
pub enum Next<M = Message> {
    /// The model must be asked; then [feed](Turn::feed) its reply to the
    /// turn.
    NeedCompletion(Turn<M>),
    /// The conversation ended with a value.
    Done(Box<Answer>),
    /// The conversation ended without a value.
    Failed(RetryError),
}

/// The result of a conversation.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Answer {
    /// The conforming value, and the changes made to read it from the last reply.
    pub parsed: Parsed<'static>,
    /// The number of replies read.
    pub attempts: u32,
    /// `true` if the value is the caller's [fallback](crate::retry::Retry::with_fallback) rather
    /// than the model's.
    pub is_fallback: bool,
}

impl Answer {
    /// Reads the value into a Rust type. With [`Retry::with_type`](crate::retry::Retry::with_type),
    /// which has an example, the model is asked again if that fails.
    ///
    /// # Errors
    ///
    /// See [`Parsed::deserialize`].
    pub fn deserialize<'d, T: Deserialize<'d>>(&'d self) -> Result<T, crate::Error> {
        self.parsed.deserialize()
    }
}

/// A request for the model's next reply.
#[derive(Clone, Debug)]
pub struct Turn<M = Message> {
    settings: Arc<Settings>,
    original: Vec<M>,
    messages: Vec<M>,
    /// The number of replies.
    attempts: u32,
    structured: bool,
    /// `true` if the messages contain the schema.
    is_schema_told: bool,
    /// `true` if the finish reason of the last reply says that it was truncated.
    is_cut_by_limit: bool,
    feedback: Option<(FeedbackKind, String)>,
}

impl<M: ChatMessage> Turn<M> {
    pub(super) fn first(settings: &Arc<Settings>, original: Vec<M>) -> Self {
        let mut turn = Self {
            settings: Arc::clone(settings),
            messages: original.clone(),
            original,
            attempts: 0,
            structured: settings.schema_in == SchemaIn::Request,
            is_schema_told: false,
            is_cut_by_limit: false,
            feedback: None,
        };
        if settings.schema_in == SchemaIn::Prompt {
            turn.tell_schema();
        }
        turn
    }

    /// Returns the messages to send to the model: the initial ones, and feedback at its
    /// [place](crate::retry::FeedbackPlace) if there was a reply.
    #[must_use]
    pub fn messages(&self) -> &[M] {
        &self.messages
    }

    /// Returns the JSON Schema to send with the request if the server should enforce it, or `None`:
    /// see [`SchemaIn::Request`].
    #[must_use]
    pub fn structured_output(&self) -> Option<&str> {
        self.structured.then(|| self.settings.asked())
    }

    /// Returns `true` if the last reply reached its token limit. `ChatModel` then requests more.
    #[must_use]
    pub const fn needs_more_tokens(&self) -> bool {
        self.is_cut_by_limit
    }

    /// Returns the number of replies so far.
    #[must_use]
    pub const fn attempts(&self) -> u32 {
        self.attempts
    }

    /// Returns the kind and text of the feedback on the last reply, or `None` before the first
    /// reply.
    #[must_use]
    pub fn feedback(&self) -> Option<(FeedbackKind, &str)> {
        let (kind, text) = self.feedback.as_ref()?;
        Some((*kind, text))
    }

    /// Takes the model's reply and returns the next step: done, failed, or another turn.
    pub fn feed(mut self, reply: impl Into<Reply>) -> Next<M> {
        let reply = reply.into();
        if self.structured && reply.refuses_schema() {
            let step = RetryStep::WithoutStructuredOutput;
            self.settings
                .tell(step, "structured_output", self.attempts, None);
            self.structured = false;
            self.tell_schema();
            return Next::NeedCompletion(self);
        }
        let attempts = self.attempts + 1;
        let failure = match self.settings.read(&reply) {
            Ok(parsed) => {
                return Next::Done(Box::new(Answer {
                    parsed,
                    attempts,
                    is_fallback: false,
                }));
            }
            Err(failure) => failure,
        };
        let settings = Arc::clone(&self.settings);
        let cut_off = is_cut(&failure) || reply.is_cut_off();
        let cut = cut_off && settings.cut == OnTruncation::Fail;
        let reason = if cut_off {
            "truncated"
        } else {
            reason_name(&failure)
        };
        let tell = |step| settings.tell(step, reason, attempts, reply.model());
        let stopped = settings.stops(&reply);
        if attempts <= settings.max_retries && !cut && stopped.is_none() {
            tell(RetryStep::Retry);
            return Next::NeedCompletion(self.again(&failure, &reply, cut_off));
        }
        if let Some(parsed) = settings.fall_back(&reply) {
            tell(RetryStep::Fallback);
            return Next::Done(Box::new(Answer {
                parsed,
                attempts,
                is_fallback: true,
            }));
        }
        tell(RetryStep::GiveUp);
        let code = match stopped {
            Some(code) => code,
            None if cut => "truncated",
            None => "max_retries_reached",
        };
        Next::Failed(RetryError::of_reply(code, attempts, failure, reply))
    }

    /// The end of the conversation if the model gives no reply.
    pub(super) fn without_reply(
        &self,
        error: impl Into<Box<dyn std::error::Error + Send + Sync>>,
    ) -> RetryError {
        RetryError::of_model(error, self.attempts)
    }

    /// The next turn.
    fn again(mut self, failure: &Failure, reply: &Reply, cut_off: bool) -> Self {
        let settings = &self.settings;
        let place = settings.feedback_place;
        let goes_on = place == FeedbackPlace::AfterReply;
        // Otherwise each turn begins with the original messages.
        self.is_schema_told &= goes_on;
        let document = failure.document();
        let feedback = Feedback {
            failure,
            is_cut: cut_off || (document.root().is_some() && !document.is_complete()),
            schema: (!self.is_schema_told).then(|| settings.schema.as_json()),
            quotes: !goes_on && settings.shows_reply,
            shows_reply: settings.shows_reply,
            shape: settings.schema.expected(),
            annotated_bytes_max: settings.annotated_bytes_max,
        };
        let (kind, text) = feedback.write();
        if goes_on {
            push_reply(&mut self.messages, failure, reply.text());
            self.messages.push(M::from_text(Role::User, text.clone()));
        } else {
            self.messages = with_addition(&self.original, &text, place);
        }
        self.is_cut_by_limit = reply.is_cut_off();
        self.is_schema_told |= kind != FeedbackKind::Other;
        self.feedback = Some((kind, text));
        self.attempts += 1;
        self
    }

    /// States the schema in words, if the messages do not.
    fn tell_schema(&mut self) {
        if !self.is_schema_told {
            let text = instruction(self.settings.schema.as_json());
            self.messages = with_addition(&self.messages, &text, self.settings.feedback_place);
            self.is_schema_told = true;
        }
    }
}

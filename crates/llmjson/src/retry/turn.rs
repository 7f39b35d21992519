//! The state machine: what to say next, and what became of what was said.
//!
//! A turn is handed out once and given back with the reply. So nothing can be fed that was not asked
//! for, and nothing can be asked after the end.

use std::sync::Arc;

use llmjson_schema::Failure;

use crate::policy::{FinishReason, Handling};
use crate::reply::{Parsed, parse_with};
use crate::report::{RetryEvent, RetryStep};
use crate::retry::error::{is_cut, reason_name};
use crate::retry::feedback::{feedback, instruction};
use crate::retry::message::with_addition;
use crate::retry::{Cause, ChatMessage, Cut, FeedbackKind, Message, RetryError, Settings};

/// The next step of a conversation.
#[derive(Clone, Debug)]
pub enum Step<M = Message> {
    /// Ask the model, and [feed](Turn::feed) its reply.
    NeedCompletion(Turn<M>),
    /// The conversation is over, and there is a value.
    Done(Box<Answer>),
    /// The conversation is over without a value.
    Failed(Box<RetryError>),
}

/// The result of a conversation.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Answer {
    /// The value, which conforms, and what was done to get it from the last reply.
    pub parsed: Parsed<'static>,
    /// The number of replies.
    pub attempts: u32,
    /// Whether the value is the caller's [`Fallback`](crate::retry::Fallback) and not the model's.
    pub is_fallback: bool,
}

/// The reply of a model.
///
/// ```
/// use llmjson::policy::FinishReason;
/// use llmjson::retry::Reply;
///
/// let reply = Reply::new("[1, 2").with_finish_reason(FinishReason::Length);
/// assert_eq!(reply.text(), "[1, 2");
/// assert_eq!(Reply::from("[]").finish_reason(), None);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reply {
    text: String,
    finish: Option<FinishReason>,
    model: Option<String>,
}

impl Reply {
    /// Creates a reply without a finish reason.
    #[must_use]
    pub fn new(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            ..Self::default()
        }
    }

    /// Says why the model stopped writing.
    #[must_use]
    pub fn with_finish_reason(mut self, reason: FinishReason) -> Self {
        self.finish = Some(reason);
        self
    }

    /// Names the model that wrote the reply, for events.
    #[must_use]
    pub fn with_model(mut self, name: impl Into<String>) -> Self {
        self.model = Some(name.into());
        self
    }

    /// Returns the text of the reply.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns why the model stopped writing, if that is known.
    #[must_use]
    pub fn finish_reason(&self) -> Option<&FinishReason> {
        self.finish.as_ref()
    }

    /// Returns the name of the model that wrote the reply, if that is known.
    #[must_use]
    pub fn model(&self) -> Option<&str> {
        self.model.as_deref()
    }

    /// Whether the model says that it stopped before it was done. There may be no value then whose
    /// look tells.
    pub(super) fn is_cut_off(&self) -> bool {
        self.finish.as_ref().is_some_and(FinishReason::cuts_off)
    }
}

impl From<&str> for Reply {
    fn from(text: &str) -> Self {
        Self::new(text)
    }
}

impl From<String> for Reply {
    fn from(text: String) -> Self {
        Self::new(text)
    }
}

/// A request for a reply of the model.
#[derive(Clone, Debug)]
pub struct Turn<M = Message> {
    settings: Arc<Settings>,
    original: Vec<M>,
    messages: Vec<M>,
    /// The number of replies.
    attempts: u32,
    structured: bool,
    feedback: Option<(FeedbackKind, String)>,
}

impl<M: ChatMessage> Turn<M> {
    pub(super) fn first(settings: &Arc<Settings>, original: Vec<M>) -> Self {
        let turn = Self {
            settings: Arc::clone(settings),
            messages: Vec::new(),
            original,
            attempts: 0,
            structured: settings.structured,
            feedback: None,
        };
        let instruct = settings.instruction && !settings.structured;
        turn.say(instruct)
    }

    /// Returns what to send to the model: the messages that were given, and once there was a reply the
    /// feedback on the last one.
    #[must_use]
    pub fn messages(&self) -> &[M] {
        &self.messages
    }

    /// The JSON Schema to send along, where the model is to be held to it while it writes: see
    /// [`Retry::with_structured_output`](crate::retry::Retry::with_structured_output).
    #[must_use]
    pub fn structured_output(&self) -> Option<&str> {
        self.structured.then(|| self.settings.asked())
    }

    /// Returns the number of replies before this turn.
    #[must_use]
    pub const fn attempts(&self) -> u32 {
        self.attempts
    }

    /// Returns what the model is told about its last reply, and its kind; `None` before there
    /// was one.
    #[must_use]
    pub fn feedback(&self) -> Option<(FeedbackKind, &str)> {
        let (kind, text) = self.feedback.as_ref()?;
        Some((*kind, text))
    }

    /// Takes the model's reply and returns the next step.
    #[must_use]
    pub fn feed(self, reply: impl Into<Reply>) -> Step<M> {
        let reply = reply.into();
        let attempts = self.attempts + 1;
        let failure = match self.read(&reply) {
            Ok(parsed) => {
                return Step::Done(Box::new(Answer {
                    parsed,
                    attempts,
                    is_fallback: false,
                }));
            }
            Err(failure) => failure,
        };
        let settings = Arc::clone(&self.settings);
        let cut_off = is_cut(&failure) || reply.is_cut_off();
        let cut = cut_off && settings.cut == Cut::Fail;
        let reason = if cut_off {
            "truncated"
        } else {
            reason_name(&failure)
        };
        let tell = |step| settings.tell(step, reason, attempts, reply.model());
        if attempts <= settings.max_retries && !cut {
            tell(RetryStep::Retry);
            return Step::NeedCompletion(self.again(&failure, attempts));
        }
        if let Some(parsed) = settings.fall_back(&reply) {
            tell(RetryStep::Fallback);
            return Step::Done(Box::new(Answer {
                parsed,
                attempts,
                is_fallback: true,
            }));
        }
        tell(RetryStep::GiveUp);
        let cause = if cut {
            Cause::Truncated
        } else {
            Cause::MaxRetriesReached
        };
        Step::Failed(Box::new(RetryError {
            cause,
            attempts,
            failure,
            reply,
        }))
    }

    /// The model takes no requests with a schema in them: ask it without, and tell it the schema in
    /// words. That is no attempt, for there was no reply. Where there was no schema in the request,
    /// nothing changes.
    #[must_use]
    pub fn without_structured_output(mut self) -> Step<M> {
        if self.structured {
            let reason = "structured_output";
            let step = RetryStep::WithoutStructuredOutput;
            self.settings.tell(step, reason, self.attempts, None);
            self.structured = false;
            self = self.say(true);
        }
        Step::NeedCompletion(self)
    }

    /// Whether an error is answered by asking without structured output.
    pub(super) fn yields_to(&self, refused: bool) -> bool {
        self.structured && refused
    }

    /// Reads a reply; every one of them in the same way.
    #[expect(
        clippy::result_large_err,
        reason = "a failure holds the document; it is the result"
    )]
    fn read(&self, reply: &Reply) -> Result<Parsed<'static>, Failure<'static>> {
        let mut policy = self.settings.policy.clone();
        if self.settings.cut != Cut::AsPolicySays {
            policy = policy.with_truncated(Handling::Refuse);
        }
        if let Some(reason) = &reply.finish {
            policy = policy.with_finish_reason(reason.clone());
        }
        if let Some(model) = &reply.model {
            policy = policy.with_model(model);
        }
        let parsed = parse_with(&reply.text, Some(&self.settings.schema), &policy);
        if parsed.conforms() {
            return Ok(parsed.into_owned());
        }
        match parsed.into_result() {
            Err(failure) => Err(failure.into_owned()),
            Ok(_) => unreachable!("what does not conform is a failure"),
        }
    }

    /// The next turn. It begins with the messages that were given, so feedback never piles up.
    fn again(mut self, failure: &Failure<'_>, attempts: u32) -> Self {
        let settings = &self.settings;
        let kind = FeedbackKind::of(failure);
        let text = feedback(
            failure,
            settings.schema.as_json(),
            settings.annotated_bytes_max,
        );
        self.feedback = Some((kind, text));
        self.attempts = attempts;
        self.say(false)
    }

    /// Puts the messages together.
    fn say(mut self, instruct: bool) -> Self {
        let role = self.settings.feedback_role;
        self.messages = match &self.feedback {
            Some((_, text)) => with_addition(&self.original, text, role),
            None if instruct => {
                let text = instruction(self.settings.schema.as_json());
                with_addition(&self.original, &text, role)
            }
            None => self.original.clone(),
        };
        self
    }
}

impl Settings {
    fn tell(&self, step: RetryStep, reason: &'static str, attempts: u32, model: Option<&str>) {
        self.policy.tell_retry(&RetryEvent {
            step,
            reason,
            attempts,
            max_retries: self.max_retries,
            model: model.or(self.policy.about().model),
        });
    }
}

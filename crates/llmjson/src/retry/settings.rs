//! Settings of a conversation.

use std::sync::{Arc, OnceLock};
use std::time::Instant;

use llmjson_schema::{CoercionKind, Failure, Schema};
use serde_json::Value;

use crate::retry::check::{Check, Judge};
use crate::retry::message::FeedbackPlace;
use crate::retry::reply::Reply;
use llmjson_reply::Parsed;
use llmjson_reply::internal::read;
use llmjson_reply::{
    Policy,
    policy::{Handling, RetryEvent, RetryStep},
};
use llmjson_targets::SchemaTarget;

#[derive(Clone, Debug)]
pub(super) struct Settings {
    pub(super) schema: Schema,
    pub(super) policy: Policy,
    pub(super) max_retries: u32,
    pub(super) cut: OnTruncation,
    pub(super) judge: Option<Judge>,
    pub(super) checks: Vec<Check>,
    pub(super) feedback_place: FeedbackPlace,
    pub(super) schema_in: SchemaIn,
    pub(super) annotated_bytes_max: usize,
    pub(super) fallback: Option<Fallback>,
    /// `true` if an unusable reply is repeated, in the conversation or in the feedback.
    pub(super) shows_reply: bool,
    pub(super) deadline: Option<Instant>,
    pub(super) stop: Option<Stop>,
    /// The schema that servers are asked to enforce, if it is not the schema itself; written on
    /// first use.
    pub(super) rendered: OnceLock<Option<Box<str>>>,
}

/// Decides after an unusable reply whether to stop asking the model.
#[derive(Clone)]
pub(super) struct Stop(pub(super) Arc<dyn Fn(&Reply) -> bool + Send + Sync>);

impl std::fmt::Debug for Stop {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Stop(..)")
    }
}

/// The treatment of a truncated reply, detected from its text or its finish reason. If the policy
/// [allows](llmjson_reply::Policy::allow_truncated) the truncation, the reply is an answer. If only
/// closing brackets are missing and the finish reason is
/// [`Stop`](llmjson_reply::policy::FinishReason::Stop), the reply does not count as truncated: the
/// model finished and forgot them.
///
/// ```
/// use llmjson::Schema;
/// use llmjson::policy::FinishReason;
/// use llmjson::retry::{Message, Next, Reply, Retry};
///
/// let schema = Schema::from_text(r#"{"properties": {"city": {"type": "string"}}, "required": ["city"]}"#)?;
/// let turn = Retry::new(&schema).start(vec![Message::user("Where to?")]);
/// let said = |text: &str| Reply::new(text).with_finish_reason(FinishReason::Stop);
/// assert!(matches!(turn.clone().feed(said(r#"{"city": "Oslo""#)), Next::Done(_)));
///
/// let Next::NeedCompletion(turn) = turn.feed(said(r#"{"city": "Os"#)) else { unreachable!() };
/// assert!(turn.messages()[3].text.starts_with("Your previous answer was cut off"));
/// # Ok::<(), llmjson::SchemaError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum OnTruncation {
    /// Asks the model again, even if the value looks complete.
    #[default]
    Retry,
    /// Ends the conversation with an error: the next reply would be truncated at the same limit.
    Fail,
}

/// The place where the model sees the schema before its first reply.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SchemaIn {
    /// The caller's own messages. Nothing is added to them. Feedback includes the schema.
    Feedback,
    /// The prompt: at the end of every system or developer message, or in a separate system message
    /// if there is none. The default.
    #[default]
    Prompt,
    /// The request, as [structured output](crate::retry::Turn::structured_output) that the server
    /// enforces. If the server [rejects](Reply::structured_output_refused) these requests, the
    /// schema goes into the prompt instead.
    ///
    /// The schema is sent in the form that [OpenAI's strict
    /// mode](llmjson_targets::SchemaTarget::OpenAiStrict) accepts: all members are required, and
    /// the model writes null for an optional member that it leaves out. These nulls are dropped
    /// when the reply is read. The original schema is sent if strict mode cannot express every
    /// value that it allows, or if the policy denies the coercions that convert the reply back.
    ///
    /// ```
    /// use llmjson::Schema;
    /// use llmjson::retry::{Message, Next, Reply, Retry, SchemaIn};
    ///
    /// let schema = Schema::from_text(
    ///     r#"{"type": "object", "properties": {"city": {"type": "string"}, "days": {"type": "integer"}},
    ///         "required": ["city"]}"#,
    /// )?;
    /// let retry = Retry::new(&schema).with_schema_in(SchemaIn::Request);
    /// let turn = retry.start(vec![Message::user("Go")]);
    /// let sent = turn.structured_output().unwrap();
    /// assert!(sent.contains(r#""days":{"type":["integer","null"]}},"required":["city","days"]"#));
    ///
    /// let Next::Done(answer) = turn.clone().feed(r#"{"city": "Oslo", "days": null}"#) else { unreachable!() };
    /// assert_eq!(answer.parsed.to_json().as_deref(), Some(r#"{"city":"Oslo"}"#));
    ///
    /// let Next::NeedCompletion(turn) = turn.feed(Reply::structured_output_refused()) else { unreachable!() };
    /// assert_eq!((turn.structured_output(), turn.attempts()), (None, 0));
    /// assert!(turn.messages()[0].text.contains("satisfies this JSON Schema"));
    /// # Ok::<(), llmjson::SchemaError>(())
    /// ```
    Request,
}

/// The value to return if no reply can be used.
#[derive(Clone, Debug)]
pub(super) struct Fallback {
    pub(super) value: Value,
    /// The member that receives the text of the last reply.
    pub(super) text_in: Option<String>,
}

impl Settings {
    /// Returns the reason why the model is not asked again although it may be, if there is one.
    pub(super) fn stops(&self, reply: &Reply) -> Option<&'static str> {
        if self.stop.as_ref().is_some_and(|stop| stop.0(reply)) {
            return Some("stopped");
        }
        let is_late = self
            .deadline
            .is_some_and(|deadline| Instant::now() >= deadline);
        is_late.then_some("deadline_passed")
    }

    /// Returns the schema that servers are asked to enforce.
    pub(super) fn asked(&self) -> &str {
        let rendered = self.rendered.get_or_init(|| self.render());
        rendered.as_deref().unwrap_or_else(|| self.schema.as_json())
    }

    /// Returns the schema in the form for OpenAI's strict mode, if every value that satisfies it
    /// can be converted back to a value of the schema.
    fn render(&self) -> Option<Box<str>> {
        let rendered = SchemaTarget::OpenAiStrict.render(&self.schema);
        let allows = |kind| self.policy.allows_coercion(kind);
        let is_wrapped = rendered.wrapper().is_some();
        let leads_back = self.policy.reaches_everywhere()
            && allows(CoercionKind::DropNull)
            && (rendered.unsupported().is_empty() || allows(CoercionKind::TextToContainer))
            && (!is_wrapped || allows(CoercionKind::Envelope) && !self.schema.takes_scalar());
        (leads_back && !rendered.excludes_values()).then(|| rendered.as_json().into())
    }

    /// Returns the caller's value, if there is one and it conforms.
    pub(super) fn fall_back(&self, reply: &Reply) -> Option<Parsed<'static>> {
        let fallback = self.fallback.as_ref()?;
        let mut value = fallback.value.clone();
        let text = reply.text().trim();
        if let (Some(member), false) = (&fallback.text_in, text.is_empty())
            && let Value::Object(members) = &mut value
        {
            members.insert(member.clone(), Value::from(text));
        }
        let parsed = self.policy.coerce(value, &self.schema);
        parsed.conforms().then_some(parsed)
    }

    /// Reads a reply, each of them in the same way.
    pub(super) fn read(&self, reply: &Reply) -> Result<Parsed<'static>, Failure> {
        let mut policy = self.policy.clone();
        if !policy.allows_truncated() {
            policy = policy.with_truncated(Handling::Refuse);
        }
        if let Some(reason) = reply.finish_reason() {
            policy = policy.with_finish_reason(reason.clone());
        }
        if let Some(model) = reply.model() {
            policy = policy.with_model(model);
        }
        let mut parsed = read(reply.text(), Some(&self.schema), &policy);
        if let Some(judge) = &self.judge {
            (judge.0)(&mut parsed);
        }
        if parsed.conforms() {
            self.checks.iter().for_each(|check| check.run(&mut parsed));
        }
        policy.emit(&parsed);
        match parsed.conforms() {
            true => Ok(parsed.into_owned()),
            false => Err(parsed.into_failure()),
        }
    }

    pub(super) fn tell(
        &self,
        step: RetryStep,
        reason: &'static str,
        attempts: u32,
        model: Option<&str>,
    ) {
        let model = model.or(self.policy.model_name());
        let event = RetryEvent::new(step, reason, attempts, self.max_retries, model);
        self.policy.emit_retry(&event);
    }
}

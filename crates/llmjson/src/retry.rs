//! Asking a model until its reply is a value that fits.
//!
//! [`Retry`] is a state machine without IO: it says what to send, takes the reply, and says what
//! next. [`Retry::run`] and [`Retry::run_async`] are the loop around it over a [`Model`] or an
//! [`AsyncModel`]; with the feature `client`, `ChatModel` is both, for servers that speak OpenAI's
//! chat completions.
//!
//! ```
//! use llmjson::Schema;
//! use llmjson::retry::{Message, Retry, Step};
//!
//! let schema = Schema::from_text(
//!     r#"{"type": "object", "properties": {"days": {"type": "integer", "minimum": 1}}, "required": ["days"]}"#,
//! )?;
//! let messages = vec![Message::system("You plan trips."), Message::user("Paris, as JSON.")];
//!
//! let Step::NeedCompletion(turn) = Retry::new(&schema).start(messages) else { unreachable!() };
//! assert_eq!(turn.messages()[0].text, "You plan trips.");
//!
//! // The model answers, and what it says does not fit. It is told what is wrong.
//! let Step::NeedCompletion(turn) = turn.feed("```json\n{days: 0}\n```") else { unreachable!() };
//! let system = &turn.messages()[0].text;
//! assert!(system.starts_with("You plan trips.\n\nYour previous answer does not fit the schema."));
//! assert!(system.contains(r#""days": 0 // ❌ [{"path":"$input.days""#));
//!
//! let Step::Done(answer) = turn.feed("{'days': '3'}") else { unreachable!() };
//! assert_eq!(answer.parsed.to_json().as_deref(), Some(r#"{"days":3}"#));
//! assert_eq!(answer.attempts, 2);
//! # Ok::<(), llmjson::SchemaError>(())
//! ```

#[cfg(feature = "client")]
mod chat;
mod error;
mod feedback;
mod message;
mod model;
mod turn;
#[cfg(feature = "wire")]
mod wire;

use std::sync::{Arc, OnceLock};

use llmjson_schema::{CoercionKind, Schema};
use serde_json::Value;

use crate::policy::Policy;
use crate::reply::{Parsed, coerce_with};
use crate::tools::SchemaTarget;

#[cfg(feature = "client")]
pub use chat::{ChatError, ChatModel, Patience, Progress};
pub use error::{Cause, RetryError, RunError};
pub use feedback::{ANNOTATED_BYTES_MAX, FeedbackKind, QUOTED_CHARS_MAX};
pub use message::{ChatMessage, Message, Role};
pub use model::{AsyncModel, Model};
pub use turn::{Answer, Reply, Step, Turn};

/// The default number of times that a model is asked again.
pub const MAX_RETRIES: u32 = 2;

/// Settings for asking a model until its reply is a value that satisfies a schema. Cheap to clone.
///
/// The model is asked at most `1 + max_retries` times, and each reply is read in the same way. See the
/// [module](self).
#[derive(Clone, Debug)]
pub struct Retry {
    settings: Arc<Settings>,
}

#[derive(Clone, Debug)]
struct Settings {
    schema: Schema,
    policy: Policy,
    max_retries: u32,
    cut: Cut,
    feedback_role: Option<Role>,
    instruction: bool,
    structured: bool,
    annotated_bytes_max: usize,
    on_failure: OnFailure,
    /// The schema that servers are asked to hold the model to, if it is not the schema itself;
    /// written when it is first needed.
    rendered: OnceLock<Option<Box<str>>>,
}

/// What to do with a reply that was cut off, as its text or its finish reason shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Cut {
    /// Asks the model again, even if the value looks complete.
    #[default]
    Retry,
    /// Ends the conversation with an error, since the same limit would cut off the next reply too.
    Fail,
    /// Follows the policy: see [`Policy::with_truncated`].
    AsPolicySays,
}

/// What to do when no reply could be used.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub enum OnFailure {
    /// Returns an error.
    #[default]
    Error,
    /// Returns a value of the caller's instead. Observers are told.
    Fallback(Fallback),
}

/// A value that the caller provides for when no reply can be used.
///
/// ```
/// use llmjson::Schema;
/// use llmjson::retry::{Fallback, Message, Retry, Step};
///
/// let schema = Schema::from_text(
///     r#"{"type": "object", "properties": {"chat": {"type": "string"}, "mood": {"type": "string"}},
///         "required": ["chat", "mood"]}"#,
/// )?;
/// let fallback = Fallback::new(serde_json::json!({"chat": "", "mood": "unknown"})).with_text_in("chat");
/// let retry = Retry::new(&schema).with_max_retries(0).with_fallback(fallback);
/// let Step::NeedCompletion(turn) = retry.start(vec![Message::user("Hi")]) else { unreachable!() };
/// let Step::Done(answer) = turn.feed("Hello there!") else { unreachable!() };
/// assert!(answer.is_fallback);
/// let json = answer.parsed.to_json();
/// assert_eq!(json.as_deref(), Some(r#"{"chat":"Hello there!","mood":"unknown"}"#));
/// # Ok::<(), llmjson::SchemaError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Fallback {
    value: Value,
    text_in: Option<String>,
}

impl Fallback {
    /// Creates a fallback with this value. If it does not satisfy the schema, the result is an error.
    #[must_use]
    pub fn new(value: Value) -> Self {
        let text_in = None;
        Self { value, text_in }
    }

    /// Puts the text of the last reply, if there is one, into this member of the value.
    #[must_use]
    pub fn with_text_in(mut self, member: impl Into<String>) -> Self {
        self.text_in = Some(member.into());
        self
    }
}

impl Retry {
    /// Asks for a value that fits the schema: at most twice more, any repair allowed, an error if
    /// nothing helps.
    #[must_use]
    pub fn new(schema: &Schema) -> Self {
        let settings = Settings {
            schema: schema.clone(),
            policy: Policy::lenient(),
            max_retries: MAX_RETRIES,
            cut: Cut::default(),
            feedback_role: None,
            instruction: false,
            structured: false,
            annotated_bytes_max: ANNOTATED_BYTES_MAX,
            on_failure: OnFailure::Error,
            rendered: OnceLock::new(),
        };
        Self {
            settings: Arc::new(settings),
        }
    }

    /// Sets what may be done to a reply to get a value out of it. The policy's observer also hears
    /// of every retry.
    #[must_use]
    pub fn with_policy(self, policy: Policy) -> Self {
        self.with(|settings| settings.policy = policy)
    }

    /// Sets how often the model is asked again; 2 without this.
    #[must_use]
    pub fn with_max_retries(self, max_retries: u32) -> Self {
        self.with(|settings| settings.max_retries = max_retries)
    }

    /// Sets what becomes of replies that were cut off; without this the model is asked again.
    #[must_use]
    pub fn with_cut(self, cut: Cut) -> Self {
        self.with(|settings| settings.cut = cut)
    }

    /// Gives feedback in a message of its own with this role, at the end of the conversation.
    /// Without this it goes to the end of every message that governs the conversation, and into a
    /// system message of its own where there is none.
    #[must_use]
    pub fn with_feedback_role(self, role: Role) -> Self {
        self.with(|settings| settings.feedback_role = Some(role))
    }

    /// Tells the model the schema in words before its first reply, in the same place as feedback.
    /// Without this the first messages are those that were given.
    #[must_use]
    pub fn with_instruction(self) -> Self {
        self.with(|settings| settings.instruction = true)
    }

    /// Asks the server to hold the model to the schema first. Where it refuses such requests, the
    /// schema is told in words instead.
    ///
    /// What is sent is the schema as
    /// [OpenAI's strict mode takes it](crate::tools::SchemaTarget::OpenAiStrict): there all members
    /// are required, and optional ones are null where the model has nothing to say. Such nulls are
    /// dropped again when the reply is read. The schema is sent as it is where the strict mode could
    /// not ask for every value that it allows, or the policy does not allow what leads back from it.
    ///
    /// ```
    /// use llmjson::Schema;
    /// use llmjson::retry::{Message, Retry, Step};
    ///
    /// let schema = Schema::from_text(
    ///     r#"{"type": "object", "properties": {"city": {"type": "string"}, "days": {"type": "integer"}},
    ///         "required": ["city"]}"#,
    /// )?;
    /// let retry = Retry::new(&schema).with_structured_output();
    /// let Step::NeedCompletion(turn) = retry.start(vec![Message::user("Go")]) else { unreachable!() };
    /// let sent = turn.structured_output().unwrap();
    /// assert!(sent.contains(r#""days":{"type":["integer","null"]}},"required":["city","days"]"#));
    ///
    /// let Step::Done(answer) = turn.clone().feed(r#"{"city": "Oslo", "days": null}"#) else { unreachable!() };
    /// assert_eq!(answer.parsed.to_json().as_deref(), Some(r#"{"city":"Oslo"}"#));
    ///
    /// let Step::NeedCompletion(turn) = turn.without_structured_output() else { unreachable!() };
    /// assert_eq!((turn.structured_output(), turn.attempts()), (None, 0));
    /// assert!(turn.messages()[0].text.contains("satisfies this JSON Schema"));
    /// # Ok::<(), llmjson::SchemaError>(())
    /// ```
    #[must_use]
    pub fn with_structured_output(self) -> Self {
        self.with(|settings| settings.structured = true)
    }

    /// Sets how long the value with what is wrong beside it may be in feedback, about; what is valid
    /// is folded first. 16 KiB without this.
    #[must_use]
    pub fn with_annotated_bytes_max(self, bytes_max: usize) -> Self {
        self.with(|settings| settings.annotated_bytes_max = bytes_max)
    }

    /// Sets what to do when no reply could be used; without this there is an error.
    #[must_use]
    pub fn with_on_failure(self, on_failure: OnFailure) -> Self {
        self.with(|settings| settings.on_failure = on_failure)
    }

    /// Returns this value when no reply could be used.
    #[must_use]
    pub fn with_fallback(self, fallback: Fallback) -> Self {
        self.with_on_failure(OnFailure::Fallback(fallback))
    }

    /// Starts a conversation with these messages.
    #[must_use]
    pub fn start<M: ChatMessage>(&self, messages: Vec<M>) -> Step<M> {
        Step::NeedCompletion(Turn::first(&self.settings, messages))
    }

    fn with(mut self, set: impl FnOnce(&mut Settings)) -> Self {
        let settings = Arc::make_mut(&mut self.settings);
        set(settings);
        settings.rendered = OnceLock::new();
        self
    }
}

impl Settings {
    /// The schema that servers are asked to hold the model to.
    fn asked(&self) -> &str {
        let rendered = self.rendered.get_or_init(|| self.render());
        rendered.as_deref().unwrap_or_else(|| self.schema.as_json())
    }

    /// The schema as OpenAI's strict mode takes it, if whatever is written by it leads back to a
    /// value of the schema.
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

    /// The caller's value, if there is one and it conforms.
    fn fall_back(&self, reply: &Reply) -> Option<Parsed<'static>> {
        let OnFailure::Fallback(fallback) = &self.on_failure else {
            return None;
        };
        let mut value = fallback.value.clone();
        let text = reply.text().trim();
        if let (Some(member), false) = (&fallback.text_in, text.is_empty())
            && let Value::Object(members) = &mut value
        {
            members.insert(member.clone(), Value::from(text));
        }
        let parsed = coerce_with(value, &self.schema, &self.policy);
        parsed.conforms().then_some(parsed)
    }
}

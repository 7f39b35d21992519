//! Asking a model until its reply is a value that fits.
//!
//! [`Retry`] holds the settings, and a conversation is a state machine without IO: a [`Turn`] says what
//! to send, takes the reply, and returns the [`Next`] step. [`Retry::run`] and [`Retry::run_async`] are
//! the loop around it; with the feature `client`, `ChatModel` asks servers that speak OpenAI's chat
//! completions.
//!
//! ```
//! use llmjson::Schema;
//! use llmjson::retry::{Message, Next, Retry, Role};
//!
//! let schema = Schema::from_text(
//!     r#"{"type": "object", "properties": {"days": {"type": "integer", "minimum": 1}}, "required": ["days"]}"#,
//! )?;
//! let turn = Retry::new(&schema).start(vec![Message::user("Plan a trip, as JSON.")]);
//!
//! // The model answers, and what it says does not fit. It is told what is wrong.
//! let Next::NeedCompletion(turn) = turn.feed("```json\n{days: 0}\n```") else { unreachable!() };
//! let roles: Vec<_> = turn.messages().iter().map(|message| message.role).collect();
//! assert_eq!(roles, [Role::User, Role::Assistant, Role::User]);
//! let feedback = &turn.messages()[2].text;
//! assert!(feedback.starts_with("Your previous answer does not fit the schema."));
//! assert!(feedback.contains(r#""days": 0 // ❌ [{"path":"$input.days""#));
//!
//! let Next::Done(answer) = turn.feed("{'days': '3'}") else { unreachable!() };
//! assert_eq!(answer.parsed.to_json().as_deref(), Some(r#"{"days":3}"#));
//! assert_eq!(answer.attempts, 2);
//! # Ok::<(), llmjson::SchemaError>(())
//! ```

#[cfg(feature = "client")]
mod chat;
mod check;
mod error;
mod feedback;
mod message;
mod reply;
mod run;
mod turn;
#[cfg(feature = "wire")]
mod wire;

use std::sync::{Arc, OnceLock};

use llmjson_schema::{CoercionKind, Schema};
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::policy::Policy;
use crate::reply::{Parsed, coerce_with};
use crate::tools::{Complaints, SchemaTarget};
use check::Check;

#[cfg(feature = "client")]
pub use chat::{ChatError, ChatModel, Patience, Progress};
pub use error::{Cause, RetryError, RunError};
pub use feedback::{ANNOTATED_BYTES_MAX, FeedbackKind, QUOTED_CHARS_MAX};
pub use message::{ChatMessage, Message, Role};
pub use reply::Reply;
pub use turn::{Answer, Next, Turn};

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
    checks: Vec<Check>,
    feedback_place: FeedbackPlace,
    schema_in: SchemaIn,
    annotated_bytes_max: usize,
    fallback: Option<Fallback>,
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

/// Where feedback goes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum FeedbackPlace {
    /// At the end of the conversation: the reply as a message of the assistant, then the feedback as a
    /// message of the user. What was sent before stays as it was, so that prompt caches hold it, and the
    /// roles alternate, as chat templates ask for.
    #[default]
    AfterReply,
    /// At the end of every system or developer message, or in a system message of its own where there is
    /// none. Only the last reply is told of, and the conversation does not grow.
    System,
    /// In a message of its own with this role at the end of the messages that were given. Only the last
    /// reply is told of. The schema [in the prompt](SchemaIn::Prompt) goes to such a message, too.
    AtEnd(Role),
}

/// How the model learns the schema before its first reply.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SchemaIn {
    /// Not at all, but by the messages that were given. Feedback holds the schema.
    #[default]
    Feedback,
    /// In words, at the end of every system or developer message, or in a system message of its own
    /// where there is none.
    Prompt,
    /// In the request, as [structured output](Turn::structured_output): the server holds the model to
    /// it. Where it [refuses](Reply::structured_output_refused) such requests, the schema goes into
    /// the prompt instead.
    ///
    /// What is sent is the schema as
    /// [OpenAI's strict mode takes it](crate::tools::SchemaTarget::OpenAiStrict): there all members
    /// are required, and optional ones are null where the model has nothing to say. Such nulls are
    /// dropped again when the reply is read. The schema is sent as it is where the strict mode could
    /// not ask for every value that it allows, or the policy does not allow what leads back from it.
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

/// A value that the caller provides for when no reply can be used.
///
/// ```
/// use llmjson::Schema;
/// use llmjson::retry::{Fallback, Message, Next, Retry};
///
/// let schema = Schema::from_text(
///     r#"{"type": "object", "properties": {"chat": {"type": "string"}, "mood": {"type": "string"}},
///         "required": ["chat", "mood"]}"#,
/// )?;
/// let fallback = Fallback::new(serde_json::json!({"chat": "", "mood": "unknown"})).with_text_in("chat");
/// let retry = Retry::new(&schema).with_max_retries(0).with_fallback(fallback);
/// let Next::Done(answer) = retry.start(vec![Message::user("Hi")]).feed("Hello there!") else { unreachable!() };
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
    /// Checks are not made on it.
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
            checks: Vec::new(),
            feedback_place: FeedbackPlace::default(),
            schema_in: SchemaIn::default(),
            annotated_bytes_max: ANNOTATED_BYTES_MAX,
            fallback: None,
            rendered: OnceLock::new(),
        };
        Self {
            settings: Arc::new(settings),
        }
    }

    /// Asks for a value of a Rust type: one that fits the schema that the type derives, and that serde
    /// reads into it. [`Answer::deserialize`] returns it.
    ///
    /// ```
    /// use llmjson::retry::{Message, Retry};
    ///
    /// #[derive(serde::Deserialize, schemars::JsonSchema)]
    /// struct Trip {
    ///     city: String,
    ///     days: std::num::NonZeroU8,
    /// }
    ///
    /// let mut replies = ["{city: 'Oslo'}", "{city: 'Oslo', days: '3'}"].into_iter();
    /// let answer = Retry::of::<Trip>()?.run(
    ///     |_turn| replies.next().ok_or(std::fmt::Error),
    ///     vec![Message::user("A trip, please.")],
    /// )?;
    /// let trip: Trip = answer.deserialize()?;
    /// assert_eq!((trip.city.as_str(), trip.days.get(), answer.attempts), ("Oslo", 3, 2));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If the schema of the type cannot be used.
    #[cfg(feature = "schemars")]
    pub fn of<T>() -> Result<Self, llmjson_schema::SchemaError>
    where
        T: DeserializeOwned + schemars::JsonSchema + 'static,
    {
        Ok(Self::new(&crate::typed::schema::<T>()?).with_type::<T>())
    }

    /// Sets what may be done to a reply to get a value out of it. The policy's observer also hears
    /// of every retry.
    #[must_use]
    pub fn with_policy(self, policy: Policy) -> Self {
        self.with(|settings| settings.policy = policy)
    }

    /// Sets how often the model is asked again; [`MAX_RETRIES`] without this.
    #[must_use]
    pub fn with_max_retries(self, max_retries: u32) -> Self {
        self.with(|settings| settings.max_retries = max_retries)
    }

    /// Sets what becomes of replies that were cut off; without this the model is asked again.
    #[must_use]
    pub fn with_cut(self, cut: Cut) -> Self {
        self.with(|settings| settings.cut = cut)
    }

    /// Adds a check of the caller's own, for example whether a city exists. It sees the values that
    /// satisfy the schema, read into its type by serde. What it or serde rejects is a
    /// [violation](llmjson_schema::Violation) with the reason as what is expected: the model is told, and
    /// asked again. Several checks are all made, and what they reject is told together.
    ///
    /// ```
    /// use llmjson::Schema;
    /// use llmjson::retry::{Message, Next, Retry};
    ///
    /// #[derive(serde::Deserialize)]
    /// struct Trip {
    ///     city: String,
    /// }
    ///
    /// let schema = Schema::from_text(r#"{"properties": {"city": {"type": "string"}}, "required": ["city"]}"#)?;
    /// let retry = Retry::new(&schema).with_check(|trip: &Trip, complaints| {
    ///     if trip.city == "Atlantis" {
    ///         complaints.reject("/city", "There is no such city.");
    ///     }
    /// });
    /// let turn = retry.start(vec![Message::user("Where to?")]);
    /// let Next::NeedCompletion(turn) = turn.feed("{city: 'Atlantis'}") else { unreachable!() };
    /// let feedback = &turn.messages()[2].text;
    /// assert!(feedback.contains(
    ///     r#""city": "Atlantis" // ❌ [{"path":"$input.city","expected":"There is no such city."}]"#
    /// ));
    /// # Ok::<(), llmjson::SchemaError>(())
    /// ```
    #[must_use]
    pub fn with_check<T: DeserializeOwned>(
        self,
        check: impl Fn(&T, &mut Complaints<'_>) + Send + Sync + 'static,
    ) -> Self {
        self.with(|settings| settings.checks.push(Check::new(check)))
    }

    /// Adds the check that serde reads the value into this type, so that [`Answer::deserialize`] can
    /// return it.
    ///
    /// ```
    /// use llmjson::Schema;
    /// use llmjson::retry::{Message, Next, Retry};
    ///
    /// let schema = Schema::from_text(r#"{"type": "array", "items": {"type": "integer"}}"#)?;
    /// let turn = Retry::new(&schema).with_type::<Vec<u8>>().start(vec![Message::user("Go")]);
    /// let Next::NeedCompletion(turn) = turn.feed("[1, 300]") else { unreachable!() };
    /// assert!(turn.messages()[2].text.contains("- $input[1]: expected u8"));
    ///
    /// let Next::Done(answer) = turn.feed("[1, 30]") else { unreachable!() };
    /// assert_eq!(answer.deserialize::<Vec<u8>>()?, [1, 30]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn with_type<T: DeserializeOwned>(self) -> Self {
        self.with_check(|_: &T, _| ())
    }

    /// Removes the checks, also those of types.
    ///
    /// ```
    /// use llmjson::Schema;
    /// use llmjson::retry::{Message, Next, Retry};
    ///
    /// let retry = Retry::new(&Schema::from_text(r#"{"type": "integer"}"#)?).with_type::<u8>();
    /// let feed = |retry: &Retry| retry.start(vec![Message::user("Go")]).feed("300");
    /// assert!(matches!(feed(&retry), Next::NeedCompletion(_)));
    /// assert!(matches!(feed(&retry.without_checks()), Next::Done(_)));
    /// # Ok::<(), llmjson::SchemaError>(())
    /// ```
    #[must_use]
    pub fn without_checks(self) -> Self {
        self.with(|settings| settings.checks.clear())
    }

    /// Sets where feedback goes; [after the reply](FeedbackPlace::AfterReply) without this.
    ///
    /// ```
    /// use llmjson::Schema;
    /// use llmjson::retry::{FeedbackPlace, Message, Next, Retry};
    ///
    /// let retry = Retry::new(&Schema::from_text(r#"{"type": "integer"}"#)?)
    ///     .with_feedback_place(FeedbackPlace::System);
    /// let turn = retry.start(vec![Message::system("Be terse."), Message::user("How many?")]);
    /// let Next::NeedCompletion(turn) = turn.feed("Many.") else { unreachable!() };
    /// assert_eq!(turn.messages().len(), 2);
    /// assert!(turn.messages()[0].text.starts_with("Be terse.\n\nYour previous answer could not be read"));
    /// # Ok::<(), llmjson::SchemaError>(())
    /// ```
    #[must_use]
    pub fn with_feedback_place(self, place: FeedbackPlace) -> Self {
        self.with(|settings| settings.feedback_place = place)
    }

    /// Sets how the model learns the schema before its first reply; without this the messages that were
    /// given have to say what is wanted.
    #[must_use]
    pub fn with_schema_in(self, schema_in: SchemaIn) -> Self {
        self.with(|settings| settings.schema_in = schema_in)
    }

    /// Sets how long the value with what is wrong beside it may be in feedback, about, in bytes; what is
    /// valid is folded first. [`ANNOTATED_BYTES_MAX`] without this.
    #[must_use]
    pub fn with_annotated_bytes_max(self, bytes_max: usize) -> Self {
        self.with(|settings| settings.annotated_bytes_max = bytes_max)
    }

    /// Sets the value that is returned when no reply could be used.
    #[must_use]
    pub fn with_fallback(self, fallback: Fallback) -> Self {
        self.with(|settings| settings.fallback = Some(fallback))
    }

    /// Returns an error when no reply could be used, which is the default.
    #[must_use]
    pub fn without_fallback(self) -> Self {
        self.with(|settings| settings.fallback = None)
    }

    /// Starts a conversation with these messages.
    ///
    /// Where there is a reply already, [feed](Turn::feed) it to the turn: the model is asked only if it
    /// cannot be used.
    ///
    /// ```
    /// use llmjson::Schema;
    /// use llmjson::retry::{Message, Retry};
    ///
    /// let retry = Retry::new(&Schema::from_text(r#"{"type": "array", "items": {"type": "integer"}}"#)?);
    /// let at_hand = retry.start(vec![Message::user("Three numbers.")]).feed("Sure: 1, 2, 3");
    /// let answer = at_hand.run(|turn| match turn.attempts() {
    ///     1 => Ok("[1, 2, 3]"),
    ///     _ => Err(std::fmt::Error),
    /// })?;
    /// assert_eq!((answer.parsed.to_json().as_deref(), answer.attempts), (Some("[1,2,3]"), 2));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn start<M: ChatMessage>(&self, messages: Vec<M>) -> Turn<M> {
        Turn::first(&self.settings, messages)
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
        let fallback = self.fallback.as_ref()?;
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

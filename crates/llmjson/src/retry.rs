//! Asking a model until its reply satisfies a schema.
//!
//! [`Retry`] holds the settings. A conversation is a state machine without I/O: a [`Turn`] says
//! what to send, takes the reply, and returns the [`Next`] step. [`Retry::run`] and
//! [`Retry::run_async`] are the loop around it. With the feature `client`, `ChatModel` asks servers
//! that speak OpenAI's chat completions.
//!
//! ```
//! use llmjson::Schema;
//! use llmjson::retry::{Message, Next, Retry, Role};
//!
//! let schema = Schema::from_text(
//!     r#"{"type": "object", "properties": {"days": {"type": "integer", "minimum": 1}}, "required": ["days"]}"#,
//! )?;
//! let turn = Retry::new(&schema).start(vec![Message::user("Plan a trip.")]);
//!
//! // The reply does not satisfy the schema. The next turn holds the feedback.
//! let Next::NeedCompletion(turn) = turn.feed("```json\n{days: 0}\n```") else { unreachable!() };
//! let roles: Vec<_> = turn.messages().iter().map(|message| message.role).collect();
//! assert_eq!(roles, [Role::System, Role::User, Role::Assistant, Role::User]);
//! let feedback = &turn.messages()[3].text;
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
mod settings;
mod turn;
#[cfg(feature = "wire")]
mod wire;

use std::sync::{Arc, OnceLock};
use std::time::Instant;

use llmjson_reply::report::Issues;
use llmjson_schema::Schema;
use serde::de::DeserializeOwned;
use serde_json::Value;

use check::{Check, Judge};
use feedback::{ANNOTATED_BYTES_MAX, QUOTED_CHARS_MAX};
use llmjson_reply::{Parsed, Policy};
use settings::Settings;
use settings::{Fallback, Stop};

#[cfg(feature = "client")]
pub use chat::{Backoff, ChatError, ChatModel, Progress};
pub use error::RetryError;
pub use feedback::FeedbackKind;
pub use message::{ChatMessage, FeedbackPlace, Message, Role};
pub use reply::Reply;
pub use settings::{OnTruncation, SchemaIn};
pub use turn::{Answer, Next, Turn};

/// Settings for asking a model until its reply satisfies a schema. Cheap to clone.
///
/// The model is asked at most `1 + max_retries` times, and each reply is read under the same
/// policy. See the [module](self).
#[derive(Clone, Debug)]
pub struct Retry {
    settings: Arc<Settings>,
}

impl Retry {
    /// The default number of retries.
    pub const MAX_RETRIES: u32 = 2;

    /// The default maximum length, in bytes, of the annotated value.
    pub const ANNOTATED_BYTES_MAX: usize = ANNOTATED_BYTES_MAX;

    /// The maximum number of characters quoted from the previous reply.
    pub const QUOTED_CHARS_MAX: usize = QUOTED_CHARS_MAX;

    /// Creates settings for a schema: at most two retries, any repair allowed, and an error if no
    /// reply can be used.
    #[must_use]
    pub fn new(schema: &Schema) -> Self {
        let settings = Settings {
            schema: schema.clone(),
            policy: Policy::lenient(),
            max_retries: Self::MAX_RETRIES,
            cut: OnTruncation::default(),
            judge: None,
            checks: Vec::new(),
            feedback_place: FeedbackPlace::default(),
            schema_in: SchemaIn::default(),
            annotated_bytes_max: ANNOTATED_BYTES_MAX,
            fallback: None,
            shows_reply: true,
            deadline: None,
            stop: None,
            rendered: OnceLock::new(),
        };
        Self {
            settings: Arc::new(settings),
        }
    }

    /// Creates settings for a Rust type: the value must satisfy the schema that the type derives,
    /// and serde must read it into the type. [`Answer::deserialize`] returns it.
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
    /// If the type's schema is invalid.
    #[cfg(feature = "schemars")]
    pub fn of<T>() -> Result<Self, llmjson_schema::SchemaError>
    where
        T: DeserializeOwned + schemars::JsonSchema + 'static,
    {
        Ok(Self::new(&crate::typed::schema::<T>()?).with_type::<T>())
    }

    /// Sets the policy under which replies are read. The policy's observer is also notified of
    /// every retry.
    #[must_use]
    pub fn with_policy(self, policy: Policy) -> Self {
        self.with(|settings| settings.policy = policy)
    }

    /// Sets the maximum number of retries; the default is [`MAX_RETRIES`](Self::MAX_RETRIES).
    #[must_use]
    pub fn with_max_retries(self, max_retries: u32) -> Self {
        self.with(|settings| settings.max_retries = max_retries)
    }

    /// Sets what to do with truncated replies. By default, the model is asked again.
    #[must_use]
    pub fn with_truncation(self, cut: OnTruncation) -> Self {
        self.with(|settings| settings.cut = cut)
    }

    /// Adds a check, for example whether a city exists. It gets each value that satisfies the
    /// schema, read into its type by serde. A rejection by the check or by serde becomes a
    /// [violation](llmjson_schema::Violation) with the reason as its expectation, and goes into the
    /// feedback when the model is asked again. All checks run, and their violations are reported
    /// together.
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
    /// let retry = Retry::new(&schema).with_check(|trip: &Trip, issues| {
    ///     if trip.city == "Atlantis" {
    ///         issues.reject("/city", "There is no such city.");
    ///     }
    /// });
    /// let turn = retry.start(vec![Message::user("Where to?")]);
    /// let Next::NeedCompletion(turn) = turn.feed("{city: 'Atlantis'}") else { unreachable!() };
    /// let feedback = &turn.messages()[3].text;
    /// assert!(feedback.contains(
    ///     r#""city": "Atlantis" // ❌ [{"path":"$input.city","expected":"There is no such city."}]"#
    /// ));
    /// # Ok::<(), llmjson::SchemaError>(())
    /// ```
    #[must_use]
    pub fn with_check<T: DeserializeOwned>(
        self,
        check: impl Fn(&T, &mut Issues<'_>) + Send + Sync + 'static,
    ) -> Self {
        self.with(|settings| settings.checks.push(Check::new(check)))
    }

    /// Sets a function that judges each value before the checks run, and may replace the violations
    /// that the schema found. It is meant for bindings to other languages, whose types express more
    /// than their schemas.
    #[doc(hidden)]
    #[must_use]
    pub fn with_judge(self, judge: impl Fn(&mut Parsed<'_>) + Send + Sync + 'static) -> Self {
        self.with(|settings| settings.judge = Some(Judge(Arc::new(judge))))
    }

    /// Adds a check that serde reads the value into this type, so that [`Answer::deserialize`] can
    /// return it.
    ///
    /// ```
    /// use llmjson::Schema;
    /// use llmjson::retry::{Message, Next, Retry};
    ///
    /// let schema = Schema::from_text(r#"{"type": "array", "items": {"type": "integer"}}"#)?;
    /// let turn = Retry::new(&schema).with_type::<Vec<u8>>().start(vec![Message::user("Go")]);
    /// let Next::NeedCompletion(turn) = turn.feed("[1, 300]") else { unreachable!() };
    /// assert!(turn.messages()[3].text.contains("- $input[1]: expected integer (expected u8, found"));
    ///
    /// let Next::Done(answer) = turn.feed("[1, 30]") else { unreachable!() };
    /// assert_eq!(answer.deserialize::<Vec<u8>>()?, [1, 30]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn with_type<T: DeserializeOwned>(self) -> Self {
        self.with_check(|_: &T, _| ())
    }

    /// Removes all checks, including those for types.
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

    /// Sets where feedback goes. The default is [after the reply](FeedbackPlace::AfterReply).
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

    /// Leaves unusable replies out of the conversation: each turn has the initial messages,
    /// followed by feedback that names the errors without quoting the reply. Small models tend to
    /// copy text that they see.
    ///
    /// ```
    /// use llmjson::Schema;
    /// use llmjson::retry::{Message, Next, Retry};
    ///
    /// let schema = Schema::from_text(r#"{"properties": {"days": {"type": "integer"}}, "required": ["days"]}"#)?;
    /// let turn = Retry::new(&schema).without_reply().start(vec![Message::user("How long?")]);
    /// let Next::NeedCompletion(turn) = turn.feed(r#"{"days": "a fortnight"}"#) else { unreachable!() };
    /// assert_eq!(turn.messages().len(), 2);
    /// let feedback = &turn.messages()[1].text;
    /// assert!(feedback.contains("$input.days: expected integer") && !feedback.contains("fortnight"));
    /// # Ok::<(), llmjson::SchemaError>(())
    /// ```
    #[must_use]
    pub fn without_reply(self) -> Self {
        self.with(|settings| {
            settings.feedback_place = FeedbackPlace::AtEnd(Role::User);
            settings.shows_reply = false;
        })
    }

    /// Sets the time after which the model is not asked again: an unusable reply then ends the
    /// conversation with the fallback or with the error `deadline_passed`.
    #[must_use]
    pub fn with_deadline(self, deadline: Instant) -> Self {
        self.with(|settings| settings.deadline = Some(deadline))
    }

    /// Sets a condition that is checked for each unusable reply, for example on its [finish
    /// reason](Reply::finish_reason). If it returns `true`, the model is not asked again, and the
    /// conversation ends with the fallback or with the error `stopped`.
    ///
    /// ```
    /// use llmjson::policy::FinishReason;
    /// use llmjson::retry::{Message, Next, Reply, Retry};
    /// use llmjson::Schema;
    ///
    /// let retry = Retry::new(&Schema::from_text(r#"{"type": "integer"}"#)?)
    ///     .stopping_when(|reply| reply.finish_reason() == Some(&FinishReason::named("content_filter")));
    /// let filtered = Reply::new("I cannot").with_finish_reason(FinishReason::named("content_filter"));
    /// let Next::Failed(error) = retry.start(vec![Message::user("Go")]).feed(filtered) else { unreachable!() };
    /// assert_eq!((error.code(), error.attempts()), ("stopped", 1));
    /// # Ok::<(), llmjson::SchemaError>(())
    /// ```
    #[must_use]
    pub fn stopping_when(self, stop: impl Fn(&Reply) -> bool + Send + Sync + 'static) -> Self {
        self.with(|settings| settings.stop = Some(Stop(Arc::new(stop))))
    }

    /// Sets where the model sees the schema before its first reply. By default, the prompt of the
    /// first request contains it.
    #[must_use]
    pub fn with_schema_in(self, schema_in: SchemaIn) -> Self {
        self.with(|settings| settings.schema_in = schema_in)
    }

    /// Sets the approximate maximum length, in bytes, of the annotated value in feedback; valid
    /// parts are folded first. The default is [`ANNOTATED_BYTES_MAX`](Self::ANNOTATED_BYTES_MAX).
    #[must_use]
    pub fn with_annotated_bytes_max(self, bytes_max: usize) -> Self {
        self.with(|settings| settings.annotated_bytes_max = bytes_max)
    }

    /// Sets the value to return if no reply could be used. If it does not satisfy the schema, the
    /// result is an error. Checks are not applied to it.
    #[must_use]
    pub fn with_fallback(self, value: Value) -> Self {
        let text_in = None;
        self.with(|settings| settings.fallback = Some(Fallback { value, text_in }))
    }

    /// Sets a [fallback](Self::with_fallback) in which one member receives the text of the last
    /// reply, if there is one.
    ///
    /// ```
    /// use llmjson::Schema;
    /// use llmjson::retry::{Message, Next, Retry};
    ///
    /// let schema = Schema::from_text(
    ///     r#"{"type": "object", "properties": {"chat": {"type": "string"}, "mood": {"type": "string"}},
    ///         "required": ["chat", "mood"]}"#,
    /// )?;
    /// let retry = Retry::new(&schema)
    ///     .with_max_retries(0)
    ///     .with_fallback_text_in("chat", serde_json::json!({"chat": "", "mood": "unknown"}));
    /// let Next::Done(answer) = retry.start(vec![Message::user("Hi")]).feed("Hello there!") else { unreachable!() };
    /// assert!(answer.is_fallback);
    /// let json = answer.parsed.to_json();
    /// assert_eq!(json.as_deref(), Some(r#"{"chat":"Hello there!","mood":"unknown"}"#));
    /// # Ok::<(), llmjson::SchemaError>(())
    /// ```
    #[must_use]
    pub fn with_fallback_text_in(self, member: impl Into<String>, value: Value) -> Self {
        let text_in = Some(member.into());
        self.with(|settings| settings.fallback = Some(Fallback { value, text_in }))
    }

    /// Returns an error if no reply could be used. This is the default.
    #[must_use]
    pub fn without_fallback(self) -> Self {
        self.with(|settings| settings.fallback = None)
    }

    /// Starts a conversation with these messages.
    ///
    /// If you already have a reply, [feed](Turn::feed) it to the turn: the model is asked only if
    /// that reply cannot be used.
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

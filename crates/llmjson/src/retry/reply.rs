//! Replies of a model.

use llmjson_reply::policy::FinishReason;

/// The reply of a model, with its finish reason if that is known.
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
    refuses_schema: bool,
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

    /// Creates the reply of a server that rejects requests containing a schema. It does not count
    /// as an attempt: the next turn puts the schema into the prompt instead of the request. For a
    /// turn without [structured output](crate::retry::Turn::structured_output), it is an empty
    /// reply.
    #[must_use]
    pub fn structured_output_refused() -> Self {
        Self {
            refuses_schema: true,
            ..Self::default()
        }
    }

    /// Sets why the model stopped generating.
    #[must_use]
    pub fn with_finish_reason(mut self, reason: FinishReason) -> Self {
        self.finish = Some(reason);
        self
    }

    /// Sets the name of the model that wrote the reply, for tracing events.
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

    /// Returns why the model stopped generating, if known.
    #[must_use]
    pub fn finish_reason(&self) -> Option<&FinishReason> {
        self.finish.as_ref()
    }

    /// Returns the name of the model that wrote the reply, if known.
    #[must_use]
    pub fn model(&self) -> Option<&str> {
        self.model.as_deref()
    }

    pub(super) fn refuses_schema(&self) -> bool {
        self.refuses_schema
    }

    /// Returns `true` if the finish reason says that the reply was truncated, which its text may
    /// not show.
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

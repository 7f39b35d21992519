//! The reasons why a model stops generating.

use super::Policy;

/// The reason why a model stopped generating, as its API reports it.
///
/// ```
/// # use llmjson_reply as llmjson;
/// use llmjson::policy::FinishReason;
///
/// assert_eq!(FinishReason::named("max_tokens"), FinishReason::Length);
/// assert!(FinishReason::Length.cuts_off() && !FinishReason::named("stop").cuts_off());
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum FinishReason {
    /// The model finished.
    Stop,
    /// The token limit was reached; the text is truncated.
    Length,
    /// The model called tools.
    ToolCalls,
    /// A content filter removed text, so the text is truncated.
    ContentFilter,
    /// Another reason, by the name that the API uses.
    Other(String),
}

impl FinishReason {
    /// Returns the reason for a name used by the APIs of OpenAI, Anthropic, Google or Ollama,
    /// ignoring case.
    #[must_use]
    pub fn named(name: &str) -> Self {
        match &*name.to_ascii_lowercase() {
            "stop" | "end_turn" | "stop_sequence" | "eos" => Self::Stop,
            "length"
            | "max_tokens"
            | "max_output_tokens"
            | "model_length"
            | "model_context_window_exceeded" => Self::Length,
            "tool_calls" | "tool_use" | "function_call" => Self::ToolCalls,
            "content_filter" | "safety" | "recitation" | "prohibited_content" | "refusal" => {
                Self::ContentFilter
            }
            _ => Self::Other(name.to_owned()),
        }
    }

    /// Returns the name that OpenAI's API uses.
    #[must_use]
    pub fn name(&self) -> &str {
        match self {
            Self::Stop => "stop",
            Self::Length => "length",
            Self::ToolCalls => "tool_calls",
            Self::ContentFilter => "content_filter",
            Self::Other(name) => name,
        }
    }

    /// Returns `true` if the text ended before the model was finished.
    #[must_use]
    pub fn cuts_off(&self) -> bool {
        matches!(self, Self::Length | Self::ContentFilter)
    }
}

impl Policy {
    /// Sets why the model stopped generating. If the reason implies truncation, the value counts as
    /// truncated even if it looks complete. If the model [finished](FinishReason::Stop), a value in
    /// which only closing brackets are missing counts as complete, and each inserted bracket is a
    /// repair.
    ///
    /// ```
    /// # use llmjson_reply as llmjson;
    /// use llmjson::{Policy, policy::FinishReason};
    ///
    /// let policy = Policy::lenient().with_finish_reason(FinishReason::named("length"));
    /// assert!(!policy.parse("[1, 2]", None).is_complete());
    /// let policy = Policy::tool().with_finish_reason(FinishReason::Stop);
    /// assert!(policy.parse("[1, 2", None).conforms());
    /// ```
    #[must_use]
    pub fn with_finish_reason(mut self, reason: FinishReason) -> Self {
        self.finish = Some(reason);
        self
    }

    /// Removes the finish reason. None is known by default.
    #[must_use]
    pub fn without_finish_reason(mut self) -> Self {
        self.finish = None;
        self
    }
}

//! The reason why a model stopped writing.

use super::Policy;

/// The reason why a model stopped writing, as its interface says.
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
    /// The model was done.
    Stop,
    /// The limit on its length was reached; the text is cut off.
    Length,
    /// The model calls tools.
    ToolCalls,
    /// A filter removed text; what is left is cut off.
    ContentFilter,
    /// Another reason, under the name it came with.
    Other(String),
}

impl FinishReason {
    /// Returns the reason of this name in the interfaces of OpenAI, Anthropic, Google and Ollama,
    /// whatever its case.
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

    /// Returns the name in the interface of OpenAI.
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

    /// Returns `true` if the text ended before the model was done.
    #[must_use]
    pub fn cuts_off(&self) -> bool {
        matches!(self, Self::Length | Self::ContentFilter)
    }
}

impl Policy {
    /// Sets why the model stopped writing. If that cut the text off, the value counts as
    /// truncated even if it looks complete. If the model was [done](FinishReason::Stop), a value that lacks closing
    /// brackets alone is complete, and each of them is a repair.
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

    /// Sets that it is not known why the model stopped writing, which is the default.
    #[must_use]
    pub fn without_finish_reason(mut self) -> Self {
        self.finish = None;
        self
    }
}

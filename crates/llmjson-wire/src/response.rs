//! Responses: a complete reply, or a chunk of one.

use serde_json::Number;

use crate::message::Message;
use crate::object::wire;
use crate::raw::Raw;

wire! {
    /// A chat completion.
    ///
    /// ```
    /// use llmjson_wire::Response;
    ///
    /// let response: Response = serde_json::from_str(
    ///     r#"{"id":"r1","choices":[{"index":0,"message":{"role":"assistant","content":"hi"},
    ///         "finish_reason":"stop"}],"usage":{"prompt_tokens":3,"cost":1.5e-6}}"#,
    /// )?;
    /// let message = response.message().expect("there is a choice");
    /// assert_eq!(message.content.as_text(), Some("hi"));
    /// let usage = response.usage.as_ref().expect("it was sent");
    /// assert_eq!(usage.extras.get("cost").map(|raw| raw.as_str()), Some("1.5e-6"));
    /// # Ok::<(), serde_json::Error>(())
    /// ```
    pub struct Response {
        /// The id of this completion.
        id: Option<String> = "id",
        /// `chat.completion`.
        object: Option<String> = "object",
        /// The creation time, in seconds since 1970.
        created: Option<Number> = "created",
        /// The model that wrote it.
        model: Option<String> = "model",
        /// The replies.
        choices: Vec<Choice> = "choices",
        /// The token usage.
        usage: Option<Usage> = "usage",
        /// The configuration of the server.
        system_fingerprint: Option<String> = "system_fingerprint",
    }
}

impl Response {
    /// Returns the message of the choice with index 0, or of the first choice without an index.
    #[must_use]
    pub fn message(&self) -> Option<&Message> {
        let mut choices = self.choices.iter();
        let choice = choices.find(|choice| choice.index.unwrap_or(0) == 0)?;
        choice.message.as_ref()
    }
}

wire! {
    /// A chunk of a streamed chat completion.
    pub struct StreamChunk {
        /// The id of the completion.
        id: Option<String> = "id",
        /// `chat.completion.chunk`.
        object: Option<String> = "object",
        /// The creation time, in seconds since 1970.
        created: Option<Number> = "created",
        /// The model that writes it.
        model: Option<String> = "model",
        /// The additions to the replies; empty if a chunk contains only token usage.
        choices: Vec<Choice> = "choices",
        /// The token usage so far.
        usage: Option<Usage> = "usage",
        /// The configuration of the server.
        system_fingerprint: Option<String> = "system_fingerprint",
    }
}

wire! {
    /// One of the replies, or the part of it that a chunk adds.
    pub struct Choice {
        /// The index of the choice.
        index: Option<u32> = "index",
        /// The whole message, in a response.
        message: Option<Message> = "message",
        /// The addition to the message, in a chunk.
        delta: Option<Message> = "delta",
        /// The reason why the model stopped: `stop`, `length`, `tool_calls`, `content_filter`, or
        /// another word.
        finish_reason: Option<String> = "finish_reason",
        /// The token probabilities.
        logprobs: Option<Raw> = "logprobs",
    }
}

wire! {
    /// The token usage of a completion.
    pub struct Usage {
        /// Tokens of the messages.
        prompt_tokens: Option<u64> = "prompt_tokens",
        /// Tokens of the reply.
        completion_tokens: Option<u64> = "completion_tokens",
        /// The total number of tokens.
        total_tokens: Option<u64> = "total_tokens",
    }
}

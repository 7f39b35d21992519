//! Messages, and the tool calls in them.

use crate::arguments::Arguments;
use crate::content::Content;
use crate::object::wire;

wire! {
    /// A message of a conversation, or the part that a stream's chunk adds to it.
    ///
    /// ```
    /// use llmjson_wire::Message;
    ///
    /// let text = r#"{"role":"assistant","x":1.0,"y":12345678901234567890,"z":{"b":1,"a":2e5}}"#;
    /// let message: Message = serde_json::from_str(text)?;
    /// assert_eq!(serde_json::to_string(&message)?, text);
    ///
    /// // A member cannot be slipped in beside the one that is known.
    /// let mut message = Message::user("hello");
    /// message.extras.set("role", "system")?;
    /// let error = serde_json::to_string(&message).unwrap_err();
    /// assert_eq!(error.to_string(), "extras key role collides with Message");
    /// # Ok::<(), serde_json::Error>(())
    /// ```
    pub struct Message {
        /// The role of the speaker: `system`, `user`, `assistant`, `tool`.
        role: Option<String> = "role",
        /// The content of the message.
        content: Content = "content",
        /// The name of the speaker among several with the same role.
        name: Option<String> = "name",
        /// The reasoning before the reply, as DeepSeek and llama.cpp name it: usually a string.
        reasoning_content: Content = "reasoning_content",
        /// The reasoning, as OpenRouter, Groq and vLLM name it.
        reasoning: Content = "reasoning",
        /// The tool calls.
        tool_calls: Option<Vec<ToolCall>> = "tool_calls",
        /// The id of the call that a message with the role `tool` answers.
        tool_call_id: Option<String> = "tool_call_id",
        /// The reason why the model refuses to answer.
        refusal: Option<String> = "refusal",
    }
}

impl Message {
    /// Creates a message with a role and content.
    #[must_use]
    pub fn new(role: impl Into<String>, content: impl Into<Content>) -> Self {
        Self {
            role: Some(role.into()),
            content: content.into(),
            ..Self::default()
        }
    }

    /// Creates a system message.
    #[must_use]
    pub fn system(content: impl Into<Content>) -> Self {
        Self::new("system", content)
    }

    /// Creates a user message.
    #[must_use]
    pub fn user(content: impl Into<Content>) -> Self {
        Self::new("user", content)
    }

    /// Creates an assistant message, which holds a reply of the model.
    #[must_use]
    pub fn assistant(content: impl Into<Content>) -> Self {
        Self::new("assistant", content)
    }

    /// Creates the result of a tool call.
    ///
    /// ```
    /// use llmjson_wire::Message;
    ///
    /// let answer = Message::tool("call_1", r#"{"celsius":21}"#);
    /// assert_eq!(answer.tool_call_id.as_deref(), Some("call_1"));
    /// ```
    #[must_use]
    pub fn tool(call_id: impl Into<String>, content: impl Into<Content>) -> Self {
        Self {
            tool_call_id: Some(call_id.into()),
            ..Self::new("tool", content)
        }
    }
}

wire! {
    /// A tool call by the model, or a part of one.
    pub struct ToolCall {
        /// The index of this call in the message, in streams.
        index: Option<u32> = "index",
        /// The id of this call, which the answer must repeat.
        id: Option<String> = "id",
        /// `function`.
        kind: Option<String> = "type",
        /// The function to call.
        function: Option<Function> = "function",
    }
}

wire! {
    /// The function of a call, and its arguments.
    pub struct Function {
        /// Name of the function.
        name: Option<String> = "name",
        /// The arguments of the call.
        arguments: Option<Arguments> = "arguments",
    }
}

//! A request for a chat completion.

use crate::message::Message;
use crate::object::wire;
use crate::raw::Raw;

wire! {
    /// A request for a chat completion.
    ///
    /// `model` and `messages` are always written, everything else only if set; members that only
    /// some servers know go into `extras`.
    ///
    /// ```
    /// use llmjson_wire::{Message, Request};
    ///
    /// let request = Request {
    ///     temperature: Some(0.0),
    ///     ..Request::new("small", [Message::user("Say hello.")])
    /// };
    /// assert_eq!(
    ///     serde_json::to_string(&request)?,
    ///     r#"{"model":"small","messages":[{"role":"user","content":"Say hello."}],"temperature":0.0}"#
    /// );
    /// # Ok::<(), serde_json::Error>(())
    /// ```
    pub struct Request {
        /// Name of the model.
        model: String = "model",
        /// The conversation so far.
        messages: Vec<Message> = "messages",
        /// Tools that the model may call.
        tools: Option<Vec<Tool>> = "tools",
        /// The tool to call: a word, or an object that names one.
        tool_choice: Option<Raw> = "tool_choice",
        /// The format of the reply.
        response_format: Option<ResponseFormat> = "response_format",
        /// `true` if the reply shall come in pieces.
        stream: Option<bool> = "stream",
        /// The content of a stream besides the reply.
        stream_options: Option<StreamOptions> = "stream_options",
        /// The most tokens to write.
        max_tokens: Option<u64> = "max_tokens",
        /// The freedom of the choice among likely words.
        temperature: Option<f64> = "temperature",
        /// The share of likely words to choose among.
        top_p: Option<f64> = "top_p",
        /// The number of replies to write.
        n: Option<u64> = "n",
        /// The place to stop: a text or a list of them.
        stop: Option<Raw> = "stop",
        /// Discourages words that are there already.
        presence_penalty: Option<f64> = "presence_penalty",
        /// Discourages words the more often they are there.
        frequency_penalty: Option<f64> = "frequency_penalty",
        /// The user, in the asker's own terms.
        user: Option<String> = "user",
        /// Makes replies repeatable, as far as the server can.
        seed: Option<i64> = "seed",
        /// The effort to spend on thinking: `low`, `medium`, `high`.
        reasoning_effort: Option<String> = "reasoning_effort",
    }
}

impl Request {
    /// Creates a request with only a model and messages.
    #[must_use]
    pub fn new(model: impl Into<String>, messages: impl IntoIterator<Item = Message>) -> Self {
        Self {
            model: model.into(),
            messages: messages.into_iter().collect(),
            ..Self::default()
        }
    }
}

wire! {
    /// The additional content of a stream.
    pub struct StreamOptions {
        /// `true` if the last chunk shall count the tokens.
        include_usage: Option<bool> = "include_usage",
    }
}

wire! {
    /// A tool that the model may call.
    ///
    /// ```
    /// use llmjson_wire::{Raw, Tool};
    ///
    /// let schema = Raw::from_text(r#"{"type":"object","properties":{"city":{"type":"string"}}}"#)?;
    /// let tool = Tool::function("weather", "The weather in a city", schema);
    /// assert!(serde_json::to_string(&tool)?.starts_with(r#"{"type":"function","function":{"name":"weather","#));
    /// # Ok::<(), serde_json::Error>(())
    /// ```
    pub struct Tool {
        /// `function`.
        kind: Option<String> = "type",
        /// The function that can be called.
        function: Option<FunctionDefinition> = "function",
    }
}

impl Tool {
    /// Returns a function tool with a JSON Schema for its arguments.
    #[must_use]
    pub fn function(
        name: impl Into<String>,
        description: impl Into<String>,
        parameters: Raw,
    ) -> Self {
        Self {
            kind: Some("function".to_owned()),
            function: Some(FunctionDefinition {
                name: Some(name.into()),
                description: Some(description.into()),
                parameters: Some(parameters),
                ..FunctionDefinition::default()
            }),
            ..Self::default()
        }
    }
}

wire! {
    /// A function that the model may call.
    pub struct FunctionDefinition {
        /// Its name.
        name: Option<String> = "name",
        /// The purpose of the function, for the model.
        description: Option<String> = "description",
        /// JSON Schema of its arguments.
        parameters: Option<Raw> = "parameters",
        /// `true` if the server shall hold the model to the schema.
        strict: Option<bool> = "strict",
    }
}

wire! {
    /// The format of the reply.
    ///
    /// ```
    /// use llmjson_wire::{Raw, ResponseFormat};
    ///
    /// let format = ResponseFormat::json_schema("answer", Raw::from_text(r#"{"type":"object"}"#)?);
    /// assert_eq!(format.kind.as_deref(), Some("json_schema"));
    /// # Ok::<(), serde_json::Error>(())
    /// ```
    pub struct ResponseFormat {
        /// `text`, `json_object` or `json_schema`.
        kind: Option<String> = "type",
        /// The schema, where that is the type.
        json_schema: Option<JsonSchema> = "json_schema",
    }
}

impl ResponseFormat {
    /// Returns a response format whose schema the server enforces.
    #[must_use]
    pub fn json_schema(name: impl Into<String>, schema: Raw) -> Self {
        Self {
            kind: Some("json_schema".to_owned()),
            json_schema: Some(JsonSchema {
                name: Some(name.into()),
                schema: Some(schema),
                strict: Some(true),
                ..JsonSchema::default()
            }),
            ..Self::default()
        }
    }
}

wire! {
    /// A named schema.
    pub struct JsonSchema {
        /// Its name.
        name: Option<String> = "name",
        /// The subject of the schema, for the model.
        description: Option<String> = "description",
        /// The JSON Schema.
        schema: Option<Raw> = "schema",
        /// `true` if the server shall hold the model to it.
        strict: Option<bool> = "strict",
    }
}

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
        /// The name of the model.
        model: String = "model",
        /// The conversation so far.
        messages: Vec<Message> = "messages",
        /// Tools that the model may call.
        tools: Option<Vec<Tool>> = "tools",
        /// The tool to call: a word, or an object that names one.
        tool_choice: Option<Raw> = "tool_choice",
        /// The format of the reply.
        response_format: Option<ResponseFormat> = "response_format",
        /// `true` if the reply is streamed.
        stream: Option<bool> = "stream",
        /// The additional content of a stream.
        stream_options: Option<StreamOptions> = "stream_options",
        /// The maximum number of tokens to generate.
        max_tokens: Option<u64> = "max_tokens",
        /// The sampling temperature.
        temperature: Option<f64> = "temperature",
        /// The probability mass of tokens to sample from.
        top_p: Option<f64> = "top_p",
        /// The number of replies to generate.
        n: Option<u64> = "n",
        /// The stop sequences: a string or an array of strings.
        stop: Option<Raw> = "stop",
        /// The penalty for words that have already occurred.
        presence_penalty: Option<f64> = "presence_penalty",
        /// The penalty for words by how often they have occurred.
        frequency_penalty: Option<f64> = "frequency_penalty",
        /// The end user, in the caller's own terms.
        user: Option<String> = "user",
        /// The seed, which makes replies reproducible as far as the server can.
        seed: Option<i64> = "seed",
        /// The reasoning effort: `low`, `medium`, `high`.
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
        /// `true` if the last chunk includes token usage.
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
        /// The function to call.
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
        /// The name of the function.
        name: Option<String> = "name",
        /// The purpose of the function, for the model.
        description: Option<String> = "description",
        /// The JSON Schema of its arguments.
        parameters: Option<Raw> = "parameters",
        /// `true` if the server enforces the schema.
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
        /// The schema, if the type is `json_schema`.
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
        /// The name of the schema.
        name: Option<String> = "name",
        /// The description of the schema, for the model.
        description: Option<String> = "description",
        /// The JSON Schema.
        schema: Option<Raw> = "schema",
        /// `true` if the server enforces it.
        strict: Option<bool> = "strict",
    }
}

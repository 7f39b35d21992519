//! Models on servers that speak OpenAI's chat completions.
//!
//! This module retries an identical request when that can help: after a busy server, a lost
//! connection or a stream that ended early. Asking again with feedback, because of a reply's
//! content, is a separate concern.

mod error;
mod patience;

use std::fmt;

use llmjson_wire::client::{Client, ClientError};
use llmjson_wire::sse::Applied;
use llmjson_wire::{Accumulator, Message as WireMessage, Raw, Request, Response, ResponseFormat};

pub use error::ChatError;
pub use patience::Backoff;

use crate::retry::reply::Reply;
use crate::retry::turn::{Answer, Next, Turn};
use crate::retry::wire::said;
use crate::retry::{Retry, RetryError};
use llmjson_reply::policy::FinishReason;

/// The name under which schemas are sent.
const SCHEMA_NAME: &str = "answer";

/// A model on a server that speaks OpenAI's chat completions. [`run`](Self::run) asks it over
/// `llmjson_wire::client::Client`; with the feature `blocking`,
/// [`Retry::run`](crate::retry::Retry::run) does so over `llmjson_wire::client::blocking::Client`.
///
/// Replies are streamed by default. If the server is busy or the stream ends early, the same
/// request is sent again, as [`Backoff`] says; every other error is returned.
///
/// ```no_run
/// use llmjson::Schema;
/// use llmjson::retry::{ChatModel, Retry, SchemaIn};
/// use llmjson_wire::client::Client;
/// use llmjson_wire::{Message, Request};
///
/// # async fn example() -> Result<(), Box<dyn std::error::Error>> {
/// let schema = Schema::from_text(r#"{"type": "object", "properties": {"city": {"type": "string"}}}"#)?;
/// let client = Client::builder().base_url("http://127.0.0.1:8080/v1").build()?;
/// let mut model = ChatModel::new(client, Request::new("small", []));
/// let retry = Retry::new(&schema).with_schema_in(SchemaIn::Request);
/// let messages = vec![Message::user("Where is the tower?")];
/// let answer = model.run(&retry, messages).await?;
/// println!("{}", answer.parsed.to_json().unwrap_or_default());
/// # Ok(())
/// # }
/// ```
pub struct ChatModel<C = Client> {
    client: C,
    request: Request,
    patience: Backoff,
    is_streamed: bool,
    listener: Option<Listener>,
    response: Option<Response>,
}

type Listener = Box<dyn FnMut(Progress<'_>) + Send>;

/// The progress of a reply, as reported to a listener.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Progress<'a> {
    /// A request is sent. Discard the progress of any earlier reply.
    Begun,
    /// A new part of the reply arrived.
    Grown(&'a Accumulator),
    /// The request failed and is retried after this wait.
    Waiting(&'a ChatError, std::time::Duration),
    /// The server rejects requests that contain a schema. The model is asked again with the schema
    /// in the prompt.
    StructuredOutputRefused(&'a ChatError),
}

impl<C: fmt::Debug> fmt::Debug for ChatModel<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ChatModel")
            .field("client", &self.client)
            .field("request", &self.request)
            .field("patience", &self.patience)
            .finish_non_exhaustive()
    }
}

impl<C> ChatModel<C> {
    /// Creates a model that uses this client. The request holds everything except the messages:
    /// model, temperature, tools.
    #[must_use]
    pub fn new(client: C, request: Request) -> Self {
        Self {
            client,
            request,
            patience: Backoff::default(),
            is_streamed: true,
            listener: None,
            response: None,
        }
    }

    /// Sets how many times a failed request is retried, and how long to wait before each attempt.
    #[must_use]
    pub fn with_backoff(mut self, patience: Backoff) -> Self {
        self.patience = patience;
        self
    }

    /// Requests streamed replies. This is the default.
    #[must_use]
    pub fn with_stream(mut self) -> Self {
        self.is_streamed = true;
        self
    }

    /// Requests each reply as a whole instead of a stream.
    #[must_use]
    pub fn without_stream(mut self) -> Self {
        self.is_streamed = false;
        self
    }

    /// Sets a listener that is called as the reply grows.
    #[must_use]
    pub fn with_progress(mut self, listener: impl FnMut(Progress<'_>) + Send + 'static) -> Self {
        self.listener = Some(Box::new(listener));
        self
    }

    /// Removes the progress listener. There is none by default.
    #[must_use]
    pub fn without_progress(mut self) -> Self {
        self.listener = None;
        self
    }

    /// Returns the last response, with its token usage, or `None` before the first.
    #[must_use]
    pub fn response(&self) -> Option<&Response> {
        self.response.as_ref()
    }

    /// Returns the request of a turn. If the token limit truncated the last reply, the limit is
    /// doubled for each attempt so far, to at most eight times the original. Tool calls are not
    /// checked against the schema of the final answer.
    fn request_of(&self, turn: &Turn<WireMessage>) -> Result<Request, ChatError> {
        let mut request = Request {
            messages: turn.messages().to_vec(),
            ..self.request.clone()
        };
        if turn.needs_more_tokens() {
            let doubled = |most: u64| most.saturating_mul(1 << turn.attempts().min(3));
            request.max_tokens = request.max_tokens.map(doubled);
        }
        request.tools = request.tools.filter(|tools| !tools.is_empty());
        if let (Some(schema), None) = (turn.structured_output(), &request.tools) {
            let schema = Raw::from_text(schema).map_err(ClientError::Request)?;
            request.response_format = Some(ResponseFormat::json_schema(SCHEMA_NAME, schema));
        }
        Ok(request)
    }

    fn tell(&mut self, progress: Progress<'_>) {
        if let Some(listener) = &mut self.listener {
            listener(progress);
        }
    }

    /// Returns the time to wait before the request is sent again, or `None` if that would not help.
    fn wait(&mut self, tries: u32, error: &ChatError) -> Option<std::time::Duration> {
        let wait = self.patience.wait(tries, error)?;
        self.tell(Progress::Waiting(error, wait));
        Some(wait)
    }

    /// The result of a turn without a reply.
    fn without_reply(
        &mut self,
        turn: &Turn<WireMessage>,
        error: ChatError,
    ) -> Result<Reply, ChatError> {
        if turn.structured_output().is_none() || !error.is_about_the_request() {
            return Err(error);
        }
        self.tell(Progress::StructuredOutputRefused(&error));
        Ok(Reply::structured_output_refused())
    }

    /// Returns the reply of a stream once it has ended.
    fn streamed(&mut self, reply: &Accumulator, is_done: bool) -> Result<Reply, ChatError> {
        // Not every server sends both; a stream with neither was truncated.
        if !is_done && reply.finish_reason().is_none() {
            return Err(ChatError::CutOff);
        }
        self.answered(reply.response())
    }

    /// Returns the reply in a response.
    fn answered(&mut self, response: Response) -> Result<Reply, ChatError> {
        let mut choices = response.choices.iter();
        let choice = choices.find(|choice| choice.index.unwrap_or(0) == 0);
        let Some(message) = choice.and_then(|choice| choice.message.as_ref()) else {
            return Err(ChatError::NoAnswer);
        };
        let text = said(message);
        if text.trim().is_empty() {
            if let Some(refusal) = message.refusal.as_deref().filter(|text| !text.is_empty()) {
                return Err(ChatError::Declined(refusal.to_owned()));
            }
            if message
                .tool_calls
                .as_ref()
                .is_some_and(|calls| !calls.is_empty())
            {
                return Err(ChatError::CallsTools(Box::new(message.clone())));
            }
        }
        let finish = choice.and_then(|choice| choice.finish_reason.as_deref());
        let mut reply = Reply::new(text);
        if let Some(reason) = finish {
            reply = reply.with_finish_reason(FinishReason::named(reason));
        }
        let model = response.model.as_deref().filter(|name| !name.is_empty());
        if let Some(model) = model {
            reply = reply.with_model(model);
        }
        self.response = Some(response);
        Ok(reply)
    }
}

impl ChatModel<Client> {
    /// Asks the model until a reply conforms or the attempts are used.
    ///
    /// # Errors
    ///
    /// If the model gives no reply, or none that can be used.
    pub async fn run(
        &mut self,
        retry: &Retry,
        messages: Vec<WireMessage>,
    ) -> Result<Answer, RetryError> {
        let mut turn = retry.start(messages);
        loop {
            let reply = self.complete(&turn).await;
            turn = match turn.feed_result(reply)? {
                Next::NeedCompletion(turn) => turn,
                Next::Done(answer) => return Ok(*answer),
                Next::Failed(error) => return Err(error),
            };
        }
    }

    /// Sends a turn's request and returns the reply.
    ///
    /// # Errors
    ///
    /// If there is no reply, and repeating the request would not help.
    pub async fn complete(&mut self, turn: &Turn<WireMessage>) -> Result<Reply, ChatError> {
        let request = self.request_of(turn)?;
        let mut tries = 0;
        loop {
            let error = match self.ask(&request).await {
                Ok(reply) => return Ok(reply),
                Err(error) => error,
            };
            match self.wait(tries, &error) {
                Some(wait) => tokio::time::sleep(wait).await,
                None => return self.without_reply(turn, error),
            }
            tries += 1;
        }
    }

    async fn ask(&mut self, request: &Request) -> Result<Reply, ChatError> {
        self.tell(Progress::Begun);
        if !self.is_streamed {
            let response = self.client.chat(request).await?;
            return self.answered(response);
        }
        let mut stream = self.client.chat_stream(request).await?;
        let mut reply = Accumulator::new();
        while let Some(applied) = stream.next_into(&mut reply).await {
            if let Applied::Error(error) = applied? {
                return Err(ChatError::Stream(Box::new(error)));
            }
            self.tell(Progress::Grown(&reply));
        }
        self.streamed(&reply, stream.is_done())
    }
}

#[cfg(feature = "blocking")]
impl ChatModel<llmjson_wire::client::blocking::Client> {
    /// Sends a turn's request and returns the reply.
    ///
    /// # Errors
    ///
    /// If there is no reply, and repeating the request would not help.
    pub fn complete(&mut self, turn: &Turn<WireMessage>) -> Result<Reply, ChatError> {
        let request = self.request_of(turn)?;
        let mut tries = 0;
        loop {
            let error = match self.ask_and_wait(&request) {
                Ok(reply) => return Ok(reply),
                Err(error) => error,
            };
            match self.wait(tries, &error) {
                Some(wait) => std::thread::sleep(wait),
                None => return self.without_reply(turn, error),
            }
            tries += 1;
        }
    }

    fn ask_and_wait(&mut self, request: &Request) -> Result<Reply, ChatError> {
        self.tell(Progress::Begun);
        if !self.is_streamed {
            let response = self.client.chat(request)?;
            return self.answered(response);
        }
        let mut stream = self.client.chat_stream(request)?;
        let mut reply = Accumulator::new();
        while let Some(applied) = stream.next_into(&mut reply) {
            if let Applied::Error(error) = applied? {
                return Err(ChatError::Stream(Box::new(error)));
            }
            self.tell(Progress::Grown(&reply));
        }
        self.streamed(&reply, stream.is_done())
    }
}

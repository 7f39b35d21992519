//! The client for programs without an asynchronous runtime.
//!
//! It wraps the asynchronous client with its own runtime on the calling thread. Inside another
//! runtime it panics, because a blocking call would stall that one.

use std::fmt;
use std::sync::Arc;

use tokio::runtime::{Builder, Handle, Runtime};
use tokio::task::yield_now;

use crate::accumulate::Accumulator;
use crate::client::{self, BuildError, ClientBuilder, ClientError};
use crate::embeddings::{EmbeddingsRequest, EmbeddingsResponse};
use crate::request::Request;
use crate::response::Response;
use crate::sse::{Applied, StreamItem};

/// The number of turns that a connection's tasks get after a stream was dropped: one to notice that
/// the stream is no longer read, one to close it, and some to spare.
const CLOSING_ROUNDS: usize = 8;

/// Chat completions and embeddings from one server, with blocking calls.
///
/// ```no_run
/// use llmjson_wire::client::blocking::Client;
/// use llmjson_wire::{Accumulator, Message, Request};
///
/// let builder = llmjson_wire::client::Client::builder().base_url("http://127.0.0.1:8080/v1");
/// let client = Client::new(builder)?;
/// let request = Request::new("small", [Message::user("Say hello.")]);
/// let mut reply = Accumulator::new();
/// let mut stream = client.chat_stream(&request)?;
/// while let Some(applied) = stream.next_into(&mut reply) {
///     applied?;
/// }
/// println!("{}", reply.text());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Client {
    client: client::Client,
    runtime: Arc<Runtime>,
}

impl fmt::Debug for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.client.fmt(f)
    }
}

impl Client {
    /// Builds the client. Nothing is sent.
    ///
    /// # Errors
    ///
    /// See [`ClientBuilder::build`]. Also if the runtime cannot be created.
    pub fn new(builder: ClientBuilder) -> Result<Self, BuildError> {
        let client = builder.build()?;
        let runtime = Builder::new_current_thread().enable_all().build();
        let runtime = runtime.map_err(|error| BuildError::Transport(error.into()))?;
        Ok(Self {
            client,
            runtime: Arc::new(runtime),
        })
    }

    /// Requests a complete reply.
    ///
    /// # Errors
    ///
    /// See [`client::Client::chat`].
    pub fn chat(&self, request: &Request) -> Result<Response, ClientError> {
        self.runtime.block_on(self.client.chat(request))
    }

    /// Requests a streamed reply.
    ///
    /// # Errors
    ///
    /// See [`client::Client::chat_stream`].
    pub fn chat_stream(&self, request: &Request) -> Result<ChatStream, ClientError> {
        let stream = self.runtime.block_on(self.client.chat_stream(request))?;
        Ok(ChatStream {
            stream: Some(stream),
            runtime: Arc::clone(&self.runtime),
        })
    }

    /// Requests the embeddings of texts.
    ///
    /// # Errors
    ///
    /// See [`client::Client::embeddings`].
    pub fn embeddings(
        &self,
        request: &EmbeddingsRequest,
    ) -> Result<EmbeddingsResponse, ClientError> {
        self.runtime.block_on(self.client.embeddings(request))
    }
}

/// A streamed reply, with blocking calls.
///
/// Yields nothing more after an error or the end. Dropping it closes the connection.
#[derive(Debug)]
pub struct ChatStream {
    /// The stream, until this is dropped.
    stream: Option<client::ChatStream>,
    runtime: Arc<Runtime>,
}

impl ChatStream {
    /// Reads the next chunk into an accumulator.
    ///
    /// # Errors
    ///
    /// See [`client::ChatStream::next`].
    pub fn next_into(&mut self, reply: &mut Accumulator) -> Option<Result<Applied, ClientError>> {
        let stream = self.stream.as_mut()?;
        self.runtime.block_on(stream.next_into(reply))
    }

    /// Returns `true` if `[DONE]` was read.
    #[must_use]
    pub fn is_done(&self) -> bool {
        self.stream
            .as_ref()
            .is_some_and(client::ChatStream::is_done)
    }
}

impl Iterator for ChatStream {
    type Item = Result<StreamItem, ClientError>;

    fn next(&mut self) -> Option<Self::Item> {
        let stream = self.stream.as_mut()?;
        self.runtime.block_on(stream.next())
    }
}

/// A task of the runtime closes the connection, and tasks run only during a blocking call: without
/// this, the server would continue writing until the next request.
impl Drop for ChatStream {
    fn drop(&mut self) {
        // Inside another runtime, no call may block; the next request then closes the connection.
        if Handle::try_current().is_ok() {
            return;
        }
        let stream = self.stream.take();
        self.runtime.block_on(async {
            drop(stream);
            for _ in 0..CLOSING_ROUNDS {
                yield_now().await;
            }
        });
    }
}

//! A thin client: chat, streamed chat and embeddings over HTTP.
//!
//! It sends a request once and reads the response. It does not retry or follow redirects, and knows
//! no provider: build these on top. Every wait has a limit. The header with the key, and every
//! other header that you set, never appears in `Debug` output, errors or events; if a server
//! repeats one of them in the body of an error, it is redacted.
//!
//! ```no_run
//! use llmjson_wire::client::Client;
//! use llmjson_wire::{Accumulator, Message, Request};
//!
//! # async fn example() -> Result<(), Box<dyn std::error::Error>> {
//! let client = Client::builder()
//!     .base_url("http://127.0.0.1:8080/v1")
//!     .api_key(std::env::var("API_KEY")?)
//!     .build()?;
//! let request = Request::new("small", [Message::user("Say hello.")]);
//!
//! let response = client.chat(&request).await?;
//! println!("{:?}", response.message());
//!
//! let mut reply = Accumulator::new();
//! let mut stream = client.chat_stream(&request).await?;
//! while let Some(applied) = stream.next_into(&mut reply).await {
//!     applied?;
//!     println!("{}", reply.text());
//! }
//! # Ok(())
//! # }
//! ```

#[cfg(feature = "blocking")]
pub mod blocking;
mod builder;
mod error;
mod transport;

use std::fmt;
use std::sync::Arc;

use reqwest::Response as HttpResponse;
use reqwest::header::{ACCEPT, CACHE_CONTROL, CONTENT_TYPE, HeaderMap, HeaderValue};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::accumulate::Accumulator;
use crate::embeddings::{EmbeddingsRequest, EmbeddingsResponse};
use crate::error::{ApiError, decode_error, decode_frame, tells_an_error};
use crate::extras::Extras;
use crate::request::Request;
use crate::response::Response;
use crate::sse::{Applied, Decoder, SseError, StreamItem};

pub use builder::{
    BODY_BYTES_MAX, CONNECT_TIMEOUT, ClientBuilder, ERROR_BODY_BYTES_MAX, READ_TIMEOUT,
};
pub use error::{BuildError, ClientError, ErrorResponse};
#[cfg(feature = "reqwest")]
pub use reqwest;

use builder::Config;

/// Returns the TLS settings of every client: it trusts the certificate authorities that the
/// platform trusts.
///
/// # Errors
///
/// If TLS does not support these settings.
#[cfg(feature = "reqwest")]
pub fn tls() -> Result<rustls::ClientConfig, BuildError> {
    transport::tls()
}

/// Chat completions and embeddings from one server.
///
/// Cheap to clone; clones share their connections.
#[derive(Clone)]
pub struct Client {
    http: reqwest::Client,
    config: Arc<Config>,
}

impl fmt::Debug for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.config.fmt(f)
    }
}

impl Client {
    /// Returns a builder for the server, the key and the limits.
    pub fn builder() -> ClientBuilder {
        ClientBuilder::default()
    }

    /// Requests a complete reply. Sends `stream: false`, whatever the request says.
    ///
    /// # Errors
    ///
    /// See [`ClientError`]. A success response that holds only an error is also an error.
    pub async fn chat(&self, request: &Request) -> Result<Response, ClientError> {
        let request = Request {
            stream: Some(false),
            ..request.clone()
        };
        let url = self.config.chat_url()?;
        let response: Response = self.ask(url, &request).await?;
        Ok(response)
    }

    /// Requests a streamed reply. Sends `stream: true`, whatever the request says.
    ///
    /// # Errors
    ///
    /// See [`ClientError`]. If the server rejects the request, the error is returned here, not in
    /// the stream.
    pub async fn chat_stream(&self, request: &Request) -> Result<ChatStream, ClientError> {
        let request = Request {
            stream: Some(true),
            ..request.clone()
        };
        let mut headers = HeaderMap::new();
        headers.insert(ACCEPT, HeaderValue::from_static("text/event-stream"));
        headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-cache"));
        let url = self.config.chat_url()?;
        let mut response = self.send(url, &request, headers).await?;
        if let Some(other) = other_type(response.headers()) {
            let status = response.status().as_u16();
            let (body, _) = self.read_body(&mut response).await;
            return Err(self.not_a_stream(status, other, body));
        }
        Ok(ChatStream {
            response,
            config: Arc::clone(&self.config),
            decoder: Decoder::new().with_frame_bytes_max(self.config.frame_bytes_max),
            ended: false,
        })
    }

    /// Requests the embeddings of texts.
    ///
    /// # Errors
    ///
    /// See [`ClientError`].
    pub async fn embeddings(
        &self,
        request: &EmbeddingsRequest,
    ) -> Result<EmbeddingsResponse, ClientError> {
        self.ask(self.config.embeddings_url()?, request).await
    }

    async fn ask<T: ResponseBody>(
        &self,
        url: &str,
        request: &impl Serialize,
    ) -> Result<T, ClientError> {
        let mut headers = HeaderMap::new();
        headers.insert(ACCEPT, HeaderValue::from_static("application/json"));
        let mut response = self.send(url, request, headers).await?;
        let status = response.status().as_u16();
        let (body, whole) = self.read_body(&mut response).await;
        whole?;
        let answer: T = match serde_json::from_slice(&body) {
            Ok(answer) => answer,
            Err(error) => {
                let reason = error.to_string();
                let body = self.config.strike_out(body);
                return Err(ClientError::Malformed {
                    status,
                    reason,
                    body,
                });
            }
        };
        if answer.is_only_an_error() {
            let error = self.decode(status, body);
            let headers = response.headers().clone();
            return Err(ClientError::refused(error, headers));
        }
        Ok(answer)
    }

    /// Sends a request, and returns the response if it is a success.
    async fn send(
        &self,
        url: &str,
        request: &impl Serialize,
        mut headers: HeaderMap,
    ) -> Result<HttpResponse, ClientError> {
        let body = serde_json::to_vec(request).map_err(ClientError::Request)?;
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        headers.extend(self.config.headers.clone());
        let sent = self.http.post(url).headers(headers).body(body).send();
        let mut response = sent.await.map_err(ClientError::transport)?;
        if response.status().is_success() {
            return Ok(response);
        }
        let status = response.status().as_u16();
        // The received part of the body is decoded even if the rest never arrives.
        let (body, _) = self.read_body(&mut response).await;
        let error = self.decode(status, body);
        Err(ClientError::refused(error, response.headers().clone()))
    }

    /// Reads a body up to the limit, and returns whether that was all of it.
    async fn read_body(&self, response: &mut HttpResponse) -> (Vec<u8>, Result<(), ClientError>) {
        let bytes_max = match response.status().is_success() {
            true => self.config.body_bytes_max,
            false => self.config.body_bytes_max.min(ERROR_BODY_BYTES_MAX),
        };
        let mut body = Vec::new();
        loop {
            match response.chunk().await {
                Ok(None) => return (body, Ok(())),
                Ok(Some(bytes)) => {
                    let room = bytes_max - body.len();
                    if bytes.len() > room {
                        body.extend_from_slice(&bytes[..room]);
                        return (body, Err(ClientError::BodyTooLarge { bytes_max }));
                    }
                    body.extend_from_slice(&bytes);
                }
                Err(error) => return (body, Err(ClientError::transport(error))),
            }
        }
    }

    fn decode(&self, status: u16, body: Vec<u8>) -> ApiError {
        decode_error(status, &self.config.strike_out(body))
    }

    /// Converts a success that is not a stream to the error in it, or to the error that it is not a
    /// stream.
    fn not_a_stream(&self, status: u16, content_type: String, body: Vec<u8>) -> ClientError {
        let only_an_error = serde_json::from_slice::<Response>(&body)
            .is_ok_and(|response| response.is_only_an_error());
        if only_an_error {
            return ClientError::refused(self.decode(status, body), HeaderMap::new());
        }
        ClientError::ContentType {
            content_type,
            body: self.config.strike_out(body),
        }
    }
}

/// Returns the body of a success.
trait ResponseBody: DeserializeOwned {
    /// Returns `true` if the body contains only an error: some servers send one with a success
    /// status.
    fn is_only_an_error(&self) -> bool;
}

impl ResponseBody for Response {
    fn is_only_an_error(&self) -> bool {
        self.choices.is_empty() && holds_an_error(&self.extras)
    }
}

impl ResponseBody for EmbeddingsResponse {
    fn is_only_an_error(&self) -> bool {
        self.data.is_empty() && holds_an_error(&self.extras)
    }
}

fn holds_an_error(extras: &Extras) -> bool {
    extras
        .get("error")
        .is_some_and(|error| tells_an_error(error.as_str()))
}

/// Returns the content type, if it shows that the body is not an event stream.
fn other_type(headers: &HeaderMap) -> Option<String> {
    let full = String::from_utf8_lossy(headers.get(CONTENT_TYPE)?.as_bytes()).into_owned();
    let essence = full.split(';').next().unwrap_or_default().trim();
    (!essence.eq_ignore_ascii_case("text/event-stream")).then_some(full)
}

/// A streamed reply.
///
/// Yields nothing more after an error or the end. Dropping it closes the connection.
pub struct ChatStream {
    response: HttpResponse,
    config: Arc<Config>,
    decoder: Decoder,
    ended: bool,
}

/// Omits the address, which may contain a key.
impl fmt::Debug for ChatStream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ChatStream")
            .field("status", &self.response.status())
            .field("is_done", &self.is_done())
            .finish_non_exhaustive()
    }
}

impl ChatStream {
    /// Reads the next chunk, or an error that the server sends in the middle of the stream.
    ///
    /// # Errors
    ///
    /// If the connection is lost, if nothing arrives within the read timeout, or if the body is not
    /// a stream of chunks.
    pub async fn next(&mut self) -> Option<Result<StreamItem, ClientError>> {
        let item = self.advance(Decoder::next_item).await?;
        Some(item.map(|item| match item {
            StreamItem::Error(error) => StreamItem::Error(self.struck(error)),
            item => item,
        }))
    }

    /// Reads the next chunk into an accumulator.
    ///
    /// # Errors
    ///
    /// See [`next`](Self::next).
    pub async fn next_into(
        &mut self,
        reply: &mut Accumulator,
    ) -> Option<Result<Applied, ClientError>> {
        let applied = self.advance(|decoder| decoder.next_into(reply)).await?;
        Some(applied.map(|applied| match applied {
            Applied::Error(error) => Applied::Error(self.struck(error)),
            applied => applied,
        }))
    }

    /// Returns `true` if `[DONE]` was read. A stream that ends without it and without a finish
    /// reason was truncated.
    #[must_use]
    pub fn is_done(&self) -> bool {
        self.decoder.is_done()
    }

    /// Returns the headers of the response.
    #[must_use]
    pub fn headers(&self) -> &HeaderMap {
        self.response.headers()
    }

    /// An error from the middle of the stream, without secrets.
    fn struck(&self, error: ApiError) -> ApiError {
        decode_frame(&self.config.strike_out(error.body))
    }

    fn unreadable(&self, error: SseError) -> ClientError {
        ClientError::Sse(match error {
            SseError::Malformed {
                frame,
                reason,
                data,
            } => SseError::Malformed {
                frame,
                reason,
                data: String::from_utf8_lossy(&self.config.strike_out(data.into_bytes()))
                    .into_owned(),
            },
            error @ SseError::FrameTooLarge(_) => error,
        })
    }

    async fn advance<T>(
        &mut self,
        mut next: impl FnMut(&mut Decoder) -> Option<Result<T, SseError>>,
    ) -> Option<Result<T, ClientError>> {
        if self.ended {
            return None;
        }
        loop {
            if let Some(item) = next(&mut self.decoder) {
                self.ended = item.is_err();
                return Some(item.map_err(|error| self.unreadable(error)));
            }
            if self.decoder.is_over() {
                self.ended = true;
                return None;
            }
            match self.response.chunk().await {
                Ok(Some(bytes)) => self.decoder.push(&bytes),
                Ok(None) => self.decoder.finish(),
                Err(error) => {
                    self.ended = true;
                    return Some(Err(ClientError::transport(error)));
                }
            }
        }
    }
}

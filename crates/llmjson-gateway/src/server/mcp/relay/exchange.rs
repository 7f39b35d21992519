//! One message and its answer, or one event stream.

use std::time::Duration;

use http_body_util::BodyExt as _;
use hyper::body::Incoming;
use hyper::header::{HeaderMap, HeaderValue};
use hyper::{Response, StatusCode};
use llmjson_wire::sse::FrameDecoder;
use tokio::sync::mpsc::Sender;
use tokio::time::sleep;

use super::News;
use super::link::{Link, challenge, pause};
use crate::server::Body;
use crate::server::body::timed;
use crate::server::headers::{is_encoded, media_type};
use crate::server::mcp::answers;
use crate::server::mcp::message::{Head, on_one_line, settled_version};
use crate::server::mcp::request::{EVENTS, JSON};

/// The maximum number of attempts to resume an interrupted event stream without receiving an event.
const ATTEMPTS_MAX: u32 = 5;

/// The position reached in an event stream.
#[derive(Default)]
struct Place {
    last: Option<HeaderValue>,
    /// The retry delay set by the server.
    retry: Option<Duration>,
    /// `true` once the awaited response has arrived.
    is_answered: bool,
}

impl Link {
    /// Sends a message, and forwards the results. A request always gets an answer.
    pub(super) async fn exchange(
        &self,
        message: Vec<u8>,
        head: &Head,
        mirrored: &[(String, String)],
        news: &Sender<News>,
    ) {
        let id = head.id.as_deref().filter(|_| head.is_request());
        let is_first = head.is("initialize");
        let response = match self.post(message, mirrored, is_first).await {
            Ok(response) => response,
            Err(refusal) => return fail(id, &refusal.message, news).await,
        };
        if is_first && response.status().is_success() {
            self.settle_id(response.headers());
        }
        if !response.status().is_success() {
            return self.refuse(id, response, news).await;
        }
        if id.is_none() {
            return;
        }
        if is_encoded(response.headers()) {
            let message =
                "the answer of the MCP server is compressed, though that was not asked for";
            return fail(id, message, news).await;
        }
        let kind = media_type(response.headers()).to_ascii_lowercase();
        match &*kind {
            EVENTS => {
                let body = Some(response.into_body());
                self.events(body, id, is_first, news).await;
            }
            JSON => match self.whole(response).await {
                Ok(reply) => {
                    let reads = Head::read(&reply).is_some_and(|head| head.is_response());
                    if reads || reply.trim_ascii_start().starts_with(b"[") {
                        self.line(&reply, is_first, news).await;
                    } else {
                        let message = "the answer of the MCP server is no response";
                        fail(id, message, news).await;
                    }
                }
                Err(refusal) => fail(id, &refusal.message, news).await,
            },
            _ => {
                let message = "the MCP server gave no answer of JSON or events";
                fail(id, message, news).await;
            }
        }
    }

    /// Reads the stream for messages that belong to no request, as long as the server offers one.
    pub(super) async fn listen(&self, news: &Sender<News>) {
        if let Ok(body) = self.resume(None).await {
            self.events(body, None, false, news).await;
        }
    }

    /// Reads events, up to the answer to a request. If they are interrupted, they are requested
    /// again from after the last one.
    async fn events(
        &self,
        mut body: Option<Incoming>,
        id: Option<&str>,
        is_first: bool,
        news: &Sender<News>,
    ) {
        let (mut place, mut failures) = (Place::default(), 0);
        loop {
            let has_events = match body.take() {
                Some(body) => self.read(body, id, is_first, &mut place, news).await,
                None => false,
            };
            failures = if has_events { 0 } else { failures + 1 };
            if place.is_answered {
                return;
            }
            if id.is_some() && (place.last.is_none() || failures >= ATTEMPTS_MAX) {
                let message = "the events of the MCP server broke off before the response came";
                return fail(id, message, news).await;
            }
            sleep(pause(place.retry, failures)).await;
            body = match self.resume(place.last.as_ref()).await {
                Ok(body) => body,
                Err(response) if id.is_some() => return self.refuse(id, response, news).await,
                // The server offers no stream, or the session has ended.
                Err(_) => return,
            };
        }
    }

    /// Requests events from after the last one; `None` if that failed. If the server refuses, its
    /// answer is returned.
    async fn resume(
        &self,
        last: Option<&HeaderValue>,
    ) -> Result<Option<Incoming>, Response<Incoming>> {
        match self.get(last).await {
            Ok(response) if is_stream(&response) => Ok(Some(response.into_body())),
            Ok(response) if response.status().is_client_error() => Err(response),
            _ => Ok(None),
        }
    }

    /// Reads events until they end, or until a response arrives. Returns `true` if there were any.
    async fn read(
        &self,
        body: Incoming,
        id: Option<&str>,
        is_first: bool,
        place: &mut Place,
        news: &Sender<News>,
    ) -> bool {
        let mut body: Body = timed(body, &self.bounds);
        let mut decoder = FrameDecoder::new().with_frame_bytes_max(self.bounds.reply_bytes);
        let mut has_events = false;
        while let Some(Ok(frame)) = body.frame().await {
            decoder.push(&frame.into_data().unwrap_or_default());
            while let Some(block) = decoder.next_block() {
                let Ok(block) = block else {
                    tracing::warn!("a stream ends, since a message is too long (max-reply-bytes)");
                    return has_events;
                };
                place.take(block.bytes);
                let data = block.frame.map_or(&b""[..], |frame| frame.data);
                if data.trim_ascii().is_empty() {
                    continue;
                }
                has_events = true;
                let head = Head::read(data).unwrap_or_default();
                place.is_answered |= id.is_some() && head.is_response() && head.id.as_deref() == id;
                self.line(data, is_first, news).await;
                if place.is_answered {
                    return true;
                }
            }
        }
        has_events
    }

    async fn line(&self, message: &[u8], is_first: bool, news: &Sender<News>) {
        if let Some(version) = settled_version(message).filter(|_| is_first) {
            self.settle_version(&version);
        }
        let mut line = message.to_vec();
        on_one_line(&mut line);
        line.push(b'\n');
        drop(news.send(News::Line(line)).await);
    }

    /// Answers a request that the server refused, with the server's error if it sent one.
    async fn refuse(&self, id: Option<&str>, response: Response<Incoming>, news: &Sender<News>) {
        let status = response.status();
        let said = told(status, response.headers());
        let Some(id) = id else {
            return fail(None, &said, news).await;
        };
        let reply = self.whole(response).await;
        let own = reply
            .ok()
            .and_then(|reply| answers::as_response(id, &reply));
        match own {
            Some(response) => drop(news.send(News::Line((response + "\n").into())).await),
            None => fail(Some(id), &said, news).await,
        }
    }
}

impl Place {
    /// Reads the event fields that say how to resume after it.
    fn take(&mut self, block: &[u8]) {
        for line in block.split(|byte| matches!(byte, b'\n' | b'\r')) {
            let (name, value) = match line.iter().position(|byte| *byte == b':') {
                Some(at) => (&line[..at], &line[at + 1..]),
                None => (line, &b""[..]),
            };
            let value = value.strip_prefix(b" ").unwrap_or(value);
            match name {
                b"id" => {
                    self.last = HeaderValue::from_bytes(value)
                        .ok()
                        .filter(|id| !id.is_empty())
                }
                b"retry" => {
                    let time = std::str::from_utf8(value)
                        .ok()
                        .and_then(|time| time.parse().ok());
                    self.retry = time.map(Duration::from_millis).or(self.retry);
                }
                _ => {}
            }
        }
    }
}

fn is_stream(response: &Response<Incoming>) -> bool {
    response.status().is_success()
        && media_type(response.headers()).eq_ignore_ascii_case(EVENTS)
        && !is_encoded(response.headers())
}

/// A status for people, with its challenge.
fn told(status: StatusCode, headers: &HeaderMap) -> String {
    let challenge = challenge(headers).map(|challenge| format!(" ({challenge})"));
    let challenge = challenge.unwrap_or_default();
    format!("the MCP server answered with the status {status}{challenge}")
}

/// Answers a request with an error, and reports an error for any other message to the operator.
async fn fail(id: Option<&str>, message: &str, news: &Sender<News>) {
    match id {
        Some(id) => {
            let line = answers::failed(id, message) + "\n";
            drop(news.send(News::Line(line.into())).await);
        }
        None => tracing::warn!("could not deliver a message to the MCP server: {message}"),
    }
}

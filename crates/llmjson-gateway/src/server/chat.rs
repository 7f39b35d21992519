//! Requests in a dialect, each of which is read and its reply treated.

use std::sync::Arc;
use std::time::{Duration, Instant};

use hyper::body::{Bytes, Incoming};
use hyper::header::{CONTENT_TYPE, HeaderMap, HeaderValue, RETRY_AFTER};
use hyper::http::response::Parts;
use hyper::{Method, Request, Response, StatusCode, Uri};
use tokio::time::sleep;

use super::body::{Place, apart, read_request, timed, whole};
use super::headers::{
    self, IDEMPOTENCY_KEY, LLMJSON, for_chat, for_treated, forget_body, is_encoded, media_type,
};
use super::records::{BYPASSED, ERROR, Logged, Record};
use super::refusal::Refusal;
use super::stream::{Relay, Sent, Source};
use super::upstream::Upstream;
use super::{Body, Gateway, pass};
use crate::chat::Step;
use crate::dialect::{Dialect, Exchange};
use crate::error::message_of;
use crate::{Outcome, Report};

/// The size above which bodies are processed outside of the threads that serve connections.
const QUICK_BYTES: usize = 64 * 1024;

const JSON: HeaderValue = HeaderValue::from_static("application/json");

const EVENTS: HeaderValue = HeaderValue::from_static("text/event-stream");

/// A request that can be sent again with another body.
#[derive(Clone)]
pub(super) struct Ask {
    upstream: Arc<Upstream>,
    url: Uri,
    headers: HeaderMap,
    /// Held as long as the request may be sent again.
    _place: Arc<Place>,
}

impl Ask {
    fn new(
        upstream: Arc<Upstream>,
        exchange: &Exchange,
        uri: &Uri,
        headers: HeaderMap,
        place: Place,
    ) -> Result<Self, Refusal> {
        let mut headers = for_treated(headers);
        let url = match exchange.is_translated() {
            false => upstream.target(uri)?,
            // The query belongs to the dialect.
            true => {
                for_chat(&mut headers);
                upstream.target_of(&exchange.path(uri.path()), None)?
            }
        };
        Ok(Self {
            upstream,
            url,
            headers,
            _place: Arc::new(place),
        })
    }

    /// Sends the client's own body.
    async fn send(self, body: Bytes) -> Result<Response<Incoming>, Refusal> {
        let (url, body) = (self.url, Some(whole(body)));
        let sent = self.upstream.send(Method::POST, url, self.headers, body);
        sent.await
    }

    /// Sends another body than the client's. The client's key for repeated requests does not belong
    /// to it.
    pub(super) async fn send_other(
        mut self,
        body: impl Into<Bytes>,
    ) -> Result<Response<Incoming>, Refusal> {
        self.headers.remove(IDEMPOTENCY_KEY);
        self.send(body.into()).await
    }

    /// Releases the headers, which keep the buffer in which they were received.
    pub(super) fn forget(&mut self) {
        self.headers = HeaderMap::new();
    }

    /// Returns the refusal for an answer that is not a reply, and a message for the client, with the
    /// upstream's own, which may repeat a key.
    pub(super) async fn refused(&self, response: Response<Incoming>) -> (Refusal, String) {
        let status = response.status();
        let after = response.headers().get(RETRY_AFTER).cloned();
        let body = self.read(response).await.map(|(_, body)| body);
        let name = &self.upstream.name;
        let mut message = format!("the upstream {name} answered with status {status}");
        let refusal = Refusal::new("upstream_status", message.clone());
        if let Some(after) = after.as_ref().and_then(|after| after.to_str().ok()) {
            message.push_str(&format!(" (retry-after: {after})"));
        }
        if let Some(said) = message_of(&body.unwrap_or_default()) {
            message.push_str(&format!(": {said}"));
        }
        (refusal, message)
    }

    /// Reads a reply.
    pub(super) async fn read(
        &self,
        response: Response<Incoming>,
    ) -> Result<(Parts, Bytes), Refusal> {
        self.upstream.read(response).await
    }
}

/// Answers a request in a dialect.
pub(super) async fn answer(
    gateway: &Arc<Gateway>,
    request: Request<Incoming>,
    id: String,
    dialect: Dialect,
) -> Result<Response<Body>, Refusal> {
    let (mut parts, body) = request.into_parts();
    let headers = &mut parts.headers;
    let (body, place) = read_request(&gateway.bounds, &gateway.room, headers, body).await?;
    let (upstream, exchange, added) = begin(gateway, dialect, &body).await?;
    let name = Arc::clone(&upstream.name);
    let mut record = Record::new(id, parts.uri.path(), name, exchange.model());
    record.added = added;
    for reason in exchange.unchecked() {
        tracing::warn!(
            id = record.id,
            "calls are answered with an error, since {reason}"
        );
    }
    let ask = Ask::new(upstream, &exchange, &parts.uri, parts.headers, place)?;
    let asked = Asked {
        gateway: Arc::clone(gateway),
        dialect,
        ask,
        record: record.clone(),
    };
    let answered = asked.answer(exchange, body).await;
    let mut response = answered.unwrap_or_else(|refusal| {
        record.status = refusal.status.as_u16();
        record.cause = Some(refusal.message.clone());
        gateway.metrics.refused(refusal.code);
        record.tell(gateway, ERROR, ERROR, None);
        refusal.in_dialect(dialect).into_response()
    });
    response.extensions_mut().insert(Logged);
    Ok(response)
}

/// The handling of a reply.
pub(super) enum Reply {
    /// An upstream error, which passes unchanged.
    Failed,
    /// A reply that cannot be read, for this reason, and passes unchanged.
    Unread(&'static str),
    Stream,
    Whole,
}

impl Reply {
    pub(super) fn of(response: &Response<Incoming>, is_streamed: bool) -> Self {
        let kind = media_type(response.headers());
        let is_json = kind.eq_ignore_ascii_case("application/json");
        if !response.status().is_success() {
            Self::Failed
        } else if is_encoded(response.headers()) {
            Self::Unread("encoding")
        } else if kind.eq_ignore_ascii_case("text/event-stream") {
            Self::Stream
        } else if is_json || !is_streamed {
            Self::Whole
        } else {
            Self::Unread("media_type")
        }
    }
}

/// A request that was read.
struct Asked {
    gateway: Arc<Gateway>,
    dialect: Dialect,
    ask: Ask,
    record: Record,
}

impl Asked {
    /// Sends the request, and answers it.
    async fn answer(mut self, exchange: Exchange, body: Bytes) -> Result<Response<Body>, Refusal> {
        let ask = self.ask.clone();
        // The client's bytes are forwarded without a copy.
        let is_own = exchange.request() == body;
        let other = (!is_own).then(|| Bytes::copy_from_slice(exchange.request()));
        let mut asked: Sent = Box::pin(async move {
            match other {
                None => ask.send(body).await,
                Some(other) => ask.send_other(other).await,
            }
        });
        let response = tokio::select! {
            response = &mut asked => response?,
            // Comments keep the client waiting while the upstream is silent.
            () = sleep(self.gateway.bounds.keep_alive), if exchange.is_streamed() => {
                let mut response = Response::new(self.relayed(exchange, Source::Asks(asked)));
                response.headers_mut().insert(CONTENT_TYPE, EVENTS);
                return Ok(response);
            }
        };
        self.record.status = response.status().as_u16();
        let is_translated = exchange.is_translated();
        match Reply::of(&response, exchange.is_streamed()) {
            Reply::Failed => {
                self.tell(ERROR, ERROR, None);
                match is_translated {
                    true => self.failed(response).await,
                    false => Ok(pass::unread(response, &self.gateway.bounds)),
                }
            }
            Reply::Unread(_) if is_translated => {
                let name = &self.ask.upstream.name;
                let message = format!(
                    "the reply of the upstream {name} is compressed, or neither JSON nor events"
                );
                Err(Refusal::new("unreadable_reply", message))
            }
            Reply::Unread(reason) => Ok(self.unread(reason, response)),
            Reply::Stream => {
                let (mut parts, body) = response.into_parts();
                reply_headers(&mut parts.headers);
                let source = Source::Reads(timed(body, &self.gateway.bounds));
                Ok(Response::from_parts(parts, self.relayed(exchange, source)))
            }
            Reply::Whole => self.whole(exchange, response).await,
        }
    }

    fn relayed(self, exchange: Exchange, source: Source) -> Body {
        Relay::new(
            self.gateway,
            self.ask,
            exchange.stream(),
            source,
            self.record,
        )
        .into_body()
    }

    /// Treats replies until one goes to the client.
    async fn whole(
        mut self,
        mut exchange: Exchange,
        response: Response<Incoming>,
    ) -> Result<Response<Body>, Refusal> {
        let (mut parts, mut body) = self.ask.read(response).await?;
        self.record.whole(&body);
        loop {
            let (start, given) = (Instant::now(), body.clone());
            let step;
            (exchange, step) = work(body.len(), move || {
                let step = exchange.reply(&given);
                (exchange, step)
            })
            .await?;
            self.record.added += start.elapsed();
            let next = match step {
                Step::Ask { body } => body,
                Step::Refuse { rejection, report } => {
                    self.record.status = rejection.status;
                    self.tell("whole", report.outcome().name(), Some(&report));
                    let refusal = Refusal::from(rejection);
                    return Ok(refusal.into_response());
                }
                Step::Answer { body, report } => {
                    reply_headers(&mut parts.headers);
                    set_report(&mut parts.headers, &report);
                    if exchange.is_translated() {
                        parts.headers.insert(CONTENT_TYPE, JSON);
                        if report.outcome() == Outcome::Failed {
                            parts.status = StatusCode::BAD_GATEWAY;
                        }
                    }
                    self.record.status = parts.status.as_u16();
                    self.tell("whole", report.outcome().name(), Some(&report));
                    return Ok(Response::from_parts(parts, whole(body)));
                }
            };
            match self.again(next).await {
                Ok(read) => {
                    (parts, body) = read;
                    self.record.whole(&body);
                }
                Err(refusal) => {
                    stays(&self.record, &refusal);
                    exchange.give_up();
                }
            }
        }
    }

    async fn again(&self, body: Vec<u8>) -> Result<(Parts, Bytes), Refusal> {
        let response = self.ask.clone().send_other(body).await?;
        match Reply::of(&response, false) {
            Reply::Whole => self.ask.read(response).await,
            _ => Err(self.ask.refused(response).await.0),
        }
    }

    /// Converts an error of a chat upstream for a client that uses another dialect.
    async fn failed(&self, response: Response<Incoming>) -> Result<Response<Body>, Refusal> {
        let (mut parts, body) = self.ask.read(response).await?;
        let body = self.dialect.error(parts.status.as_u16(), &body);
        reply_headers(&mut parts.headers);
        parts.headers.insert(CONTENT_TYPE, JSON);
        Ok(Response::from_parts(parts, whole(body)))
    }

    /// Marks a reply as passed through without being read, with the reason.
    fn unread(&self, reason: &'static str, response: Response<Incoming>) -> Response<Body> {
        let mut response = pass::unread(response, &self.gateway.bounds);
        self.gateway.metrics.passed();
        self.tell(reason, BYPASSED, None);
        let value = HeaderValue::try_from(format!("outcome=bypassed; reason={reason}"));
        response
            .headers_mut()
            .insert(LLMJSON, value.expect("names are visible characters"));
        response
    }

    fn tell(&self, reply: &str, outcome: &str, report: Option<&Report>) {
        self.record.tell(&self.gateway, reply, outcome, report);
    }
}

/// Logs that a reply stays, because the next one failed.
pub(super) fn stays(record: &Record, refusal: &Refusal) {
    tracing::warn!(
        id = record.id,
        code = refusal.code,
        "the reply stays, since the next one failed: {}",
        refusal.message
    );
}

/// Removes reply headers that no longer apply to the treated reply.
fn reply_headers(headers: &mut HeaderMap) {
    headers::remove_hop_by_hop(headers);
    forget_body(headers);
}

fn set_report(headers: &mut HeaderMap, report: &Report) {
    // A report that is not a valid header value is still in the file.
    if let Ok(value) = HeaderValue::try_from(report.header()) {
        headers.insert(LLMJSON, value);
    }
}

async fn begin(
    gateway: &Arc<Gateway>,
    dialect: Dialect,
    body: &Bytes,
) -> Result<(Arc<Upstream>, Exchange, Duration), Refusal> {
    let start = Instant::now();
    let (shared, body) = (Arc::clone(gateway), body.clone());
    let begun = work(body.len(), move || {
        // The upstream determines the dialect of the request.
        let upstream = shared.upstream_of(&body)?;
        let speaks_chat = dialect != Dialect::Chat && upstream.speaks_chat;
        let (treatment, cache) = (&shared.treatment, &shared.cache);
        let exchange = Exchange::begin(dialect, speaks_chat, &body, treatment, cache)?;
        Ok((Arc::clone(upstream), exchange))
    });
    let begun: Result<_, Refusal> = begun.await?;
    let (upstream, exchange) = begun?;
    Ok((upstream, exchange, start.elapsed()))
}

/// Processes a body, here or, if it is long, outside of the threads that serve connections.
async fn work<T: Send + 'static>(
    bytes: usize,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, Refusal> {
    match bytes <= QUICK_BYTES {
        true => Ok(work()),
        false => apart(work).await,
    }
}

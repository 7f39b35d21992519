//! Requests in a dialect, each of which is read and its reply treated.

use std::sync::Arc;
use std::time::{Duration, Instant};

use hyper::body::{Bytes, Incoming};
use hyper::header::{CONTENT_TYPE, HeaderMap, HeaderValue};
use hyper::http::response::Parts;
use hyper::{Method, Request, Response, StatusCode, Uri};
use tokio::task::spawn_blocking;
use tokio::time::sleep;

use super::body::{Place, read_reply, read_request, timed, whole};
use super::headers::{self, LLMJSON, for_chat, for_treated, forget_body, is_encoded, media_type};
use super::records::Record;
use super::refusal::Refusal;
use super::stream::{Relay, Source};
use super::upstream::Upstream;
use super::{Body, Gateway, pass};
use crate::chat::Step;
use crate::dialect::{Dialect, Exchange};
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

    pub(super) async fn send(self, body: impl Into<Bytes>) -> Result<Response<Incoming>, Refusal> {
        let Self {
            upstream,
            url,
            headers,
            _place,
        } = self;
        upstream
            .send(Method::POST, url, headers, Some(whole(body)))
            .await
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
    let record = Record {
        id,
        model: exchange.model().map(str::to_owned),
    };
    for reason in exchange.unchecked() {
        tracing::warn!(
            id = record.id,
            "calls are answered with an error, since {reason}"
        );
    }
    let ask = Ask::new(upstream, &exchange, &parts.uri, parts.headers, place)?;
    // The client's bytes are forwarded without a copy.
    let sent = match exchange.request() {
        request if request == body => body.clone(),
        request => Bytes::copy_from_slice(request),
    };
    let mut asked = Box::pin(ask.clone().send(sent));
    let response = tokio::select! {
        response = &mut asked => response?,
        // Comments keep the client waiting while the upstream is silent.
        () = sleep(gateway.bounds.keep_alive), if exchange.is_streamed() => {
            let source = Source::Asks(asked);
            let relay = Relay::new(Arc::clone(gateway), ask, exchange.stream(), source, record, added);
            let mut response = Response::new(relay.into_body());
            response.headers_mut().insert(CONTENT_TYPE, EVENTS);
            return Ok(response);
        }
    };
    match Reply::of(&response, exchange.is_streamed()) {
        Reply::Failed if exchange.is_translated() => failed(gateway, dialect, response).await,
        Reply::Unread(_) if exchange.is_translated() => {
            let message = "the reply of the upstream is compressed, or neither JSON nor events";
            let status = StatusCode::BAD_GATEWAY;
            Err(Refusal::new(status, "unreadable_reply", message))
        }
        Reply::Failed => Ok(pass::unread(response, &gateway.bounds)),
        Reply::Unread(reason) => {
            let response = pass::unread(response, &gateway.bounds);
            Ok(unread(gateway, &record, reason, response))
        }
        Reply::Stream => {
            let (mut parts, body) = response.into_parts();
            reply_headers(&mut parts.headers);
            let source = Source::Reads(timed(body, &gateway.bounds));
            let relay = Relay::new(
                Arc::clone(gateway),
                ask,
                exchange.stream(),
                source,
                record,
                added,
            );
            Ok(Response::from_parts(parts, relay.into_body()))
        }
        Reply::Whole => {
            let asked = Asked {
                gateway: Arc::clone(gateway),
                ask,
                record,
            };
            asked.whole(exchange, response, added).await
        }
    }
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

/// A request that was read and sent, whose reply is not streamed.
struct Asked {
    gateway: Arc<Gateway>,
    ask: Ask,
    record: Record,
}

impl Asked {
    /// Treats replies until one goes to the client.
    async fn whole(
        &self,
        mut exchange: Exchange,
        response: Response<Incoming>,
        mut added: Duration,
    ) -> Result<Response<Body>, Refusal> {
        let (mut parts, mut body) = self.read(response).await?;
        loop {
            let (start, given) = (Instant::now(), body.clone());
            let step;
            (exchange, step) = work(body.len(), move || {
                let step = exchange.reply(&given);
                (exchange, step)
            })
            .await?;
            added += start.elapsed();
            let next = match step {
                Step::Ask { body } => body,
                Step::Refuse { rejection, report } => {
                    let outcome = report.outcome().name();
                    self.gateway.metrics.reply(outcome, &report, added);
                    let records = &self.gateway.records;
                    records.add(&self.record, "whole", Some(&report));
                    return Err(rejection.into());
                }
                Step::Answer { body, report } => {
                    let outcome = report.outcome().name();
                    self.gateway.metrics.reply(outcome, &report, added);
                    self.gateway
                        .records
                        .add(&self.record, "whole", Some(&report));
                    reply_headers(&mut parts.headers);
                    set_report(&mut parts.headers, &report);
                    if exchange.is_translated() {
                        parts.headers.insert(CONTENT_TYPE, JSON);
                        if report.outcome() == Outcome::Failed {
                            parts.status = StatusCode::BAD_GATEWAY;
                        }
                    }
                    return Ok(Response::from_parts(parts, whole(body)));
                }
            };
            match self.again(next).await {
                Ok(read) => (parts, body) = read,
                Err(refusal) => {
                    tracing::warn!(
                        id = self.record.id,
                        code = refusal.code,
                        "the reply stays, since the next one failed"
                    );
                    exchange.give_up();
                }
            }
        }
    }

    async fn again(&self, body: Vec<u8>) -> Result<(Parts, Bytes), Refusal> {
        let response = self.ask.clone().send(body).await?;
        match Reply::of(&response, false) {
            Reply::Whole => self.read(response).await,
            _ => {
                let message = "the upstream answered the next request with an error";
                Err(Refusal::new(
                    StatusCode::BAD_GATEWAY,
                    "retry_failed",
                    message,
                ))
            }
        }
    }

    async fn read(&self, response: Response<Incoming>) -> Result<(Parts, Bytes), Refusal> {
        let (parts, body) = response.into_parts();
        Ok((parts, read_reply(&self.gateway.bounds, body).await?))
    }
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

/// Marks a reply as passed through without being read, with the reason.
fn unread(
    gateway: &Gateway,
    record: &Record,
    reason: &'static str,
    mut response: Response<Body>,
) -> Response<Body> {
    gateway.metrics.passed();
    gateway.records.add(record, reason, None);
    tracing::warn!(
        id = record.id,
        reason,
        "the reply passed without being read"
    );
    let value = HeaderValue::try_from(format!("outcome=bypassed; reason={reason}"));
    response
        .headers_mut()
        .insert(LLMJSON, value.expect("names are visible characters"));
    response
}

/// Converts an error of a chat upstream for a client that uses another dialect.
async fn failed(
    gateway: &Gateway,
    dialect: Dialect,
    response: Response<Incoming>,
) -> Result<Response<Body>, Refusal> {
    let (mut parts, body) = response.into_parts();
    let body = read_reply(&gateway.bounds, body).await?;
    let body = dialect.error(parts.status.as_u16(), &body);
    reply_headers(&mut parts.headers);
    parts.headers.insert(CONTENT_TYPE, JSON);
    Ok(Response::from_parts(parts, whole(body)))
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
    if bytes <= QUICK_BYTES {
        return Ok(work());
    }
    let failed = "the gateway failed on this request";
    let failed = |_| Refusal::new(StatusCode::INTERNAL_SERVER_ERROR, "failed", failed);
    spawn_blocking(work).await.map_err(failed)
}

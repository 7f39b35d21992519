//! Chat completions: the request is read, and the reply is treated.

use std::sync::Arc;
use std::time::{Duration, Instant};

use http_body_util::{BodyExt as _, Full, LengthLimitError, Limited};
use hyper::body::{Bytes, Incoming};
use hyper::header::{CONTENT_LENGTH, HeaderMap, HeaderValue};
use hyper::{Method, Request, Response, StatusCode};
use llmjson_wire::client::reqwest::{self, Url};
use tokio::task::spawn_blocking;
use tower_http::timeout::{TimeoutBody, TimeoutError};

use super::headers::{self, LLMJSON, for_treated, forget_body, is_encoded, media_type};
use super::records::Record;
use super::refusal::Refusal;
use super::stream::Relay;
use super::upstream::{Upstream, timed};
use super::{Body, BoxError, Gateway, pass};
use crate::Report;
use crate::chat::{Exchange, Step};

/// Bodies that are longer are worked on beside the threads that serve connections.
const QUICK_BYTES: usize = 64 * 1024;

/// A request that can be sent again, with another body.
#[derive(Clone)]
pub(super) struct Ask {
    upstream: Arc<Upstream>,
    url: Url,
    headers: HeaderMap,
}

impl Ask {
    pub(super) async fn send(
        self,
        body: impl Into<reqwest::Body>,
    ) -> Result<Response<reqwest::Body>, Refusal> {
        let Self {
            upstream,
            url,
            headers,
        } = self;
        upstream
            .send(Method::POST, url, headers, Some(body.into()))
            .await
    }
}

/// Answers a request for a chat completion.
pub(super) async fn answer(
    gateway: &Arc<Gateway>,
    request: Request<Incoming>,
    id: String,
) -> Result<Response<Body>, Refusal> {
    if is_encoded(request.headers()) {
        let record = Record { id, model: None };
        let response = pass::answer(gateway, request).await?;
        return Ok(unread(gateway, &record, "request_encoding", response));
    }
    let (parts, body) = request.into_parts();
    let body = read_request(gateway, &parts.headers, body).await?;
    let (exchange, added) = begin(gateway, &body).await?;
    let record = Record {
        id,
        model: exchange.model().map(str::to_owned),
    };
    let upstream = Arc::clone(gateway.upstream(exchange.model()));
    let url = upstream.target(&parts.uri)?;
    let ask = Ask {
        upstream,
        url,
        headers: for_treated(parts.headers),
    };
    // The client's bytes are sent on without being copied.
    let body = match exchange.request() {
        request if request == body => body,
        request => Bytes::copy_from_slice(request),
    };
    let response = ask.clone().send(body).await?;
    match Reply::of(&response, exchange.is_streamed()) {
        Reply::Failed => Ok(pass::unread(response, &gateway.bounds)),
        Reply::Unread(reason) => {
            let response = pass::unread(response, &gateway.bounds);
            Ok(unread(gateway, &record, reason, response))
        }
        Reply::Stream => {
            let (mut parts, body) = response.into_parts();
            reply_headers(&mut parts.headers);
            let source = timed(body, &gateway.bounds);
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
        Reply::Whole => whole(gateway, ask, exchange, response, &record, added).await,
    }
}

/// The way that a reply is taken.
pub(super) enum Reply {
    /// An error of the upstream, which passes unchanged.
    Failed,
    /// It cannot be read, for this reason, and passes unchanged.
    Unread(&'static str),
    Stream,
    Whole,
}

impl Reply {
    pub(super) fn of(response: &Response<reqwest::Body>, is_streamed: bool) -> Self {
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

/// Treats whole replies, until one is for the client.
async fn whole(
    gateway: &Arc<Gateway>,
    ask: Ask,
    mut exchange: Exchange,
    mut response: Response<reqwest::Body>,
    record: &Record,
    mut added: Duration,
) -> Result<Response<Body>, Refusal> {
    loop {
        let (mut parts, body) = response.into_parts();
        let body = read_reply(gateway, body).await?;
        let start = Instant::now();
        let step;
        (exchange, step) = work(body.len(), move || {
            let step = exchange.reply(&body);
            (exchange, step)
        })
        .await?;
        added += start.elapsed();
        match step {
            Step::Answer { body, report } => {
                gateway.metrics.reply(&report, added);
                gateway.records.add(record, "whole", Some(&report));
                reply_headers(&mut parts.headers);
                set_report(&mut parts.headers, &report);
                let body = Full::from(body).map_err(|never| match never {});
                return Ok(Response::from_parts(parts, body.boxed_unsync()));
            }
            Step::Ask { body } => response = ask.clone().send(body).await?,
        }
        if !matches!(Reply::of(&response, false), Reply::Whole) {
            return Ok(pass::unread(response, &gateway.bounds));
        }
    }
}

/// Removes from the headers of a reply what is not true of the treated one.
fn reply_headers(headers: &mut HeaderMap) {
    headers::remove_hop_by_hop(headers);
    forget_body(headers);
}

fn set_report(headers: &mut HeaderMap, report: &Report) {
    // A report that is no header is still in the file.
    if let Ok(value) = HeaderValue::try_from(report.header()) {
        headers.insert(LLMJSON, value);
    }
}

/// Says of a reply that it passed without being read, and why.
fn unread(
    gateway: &Gateway,
    record: &Record,
    reason: &'static str,
    mut response: Response<Body>,
) -> Response<Body> {
    gateway.metrics.passed();
    gateway.records.add(record, reason, None);
    tracing::warn!(reason, "the reply passed without being read");
    let value = HeaderValue::try_from(format!("outcome=unread; reason={reason}"));
    response
        .headers_mut()
        .insert(LLMJSON, value.expect("names are visible characters"));
    response
}

async fn begin(gateway: &Arc<Gateway>, body: &Bytes) -> Result<(Exchange, Duration), Refusal> {
    let start = Instant::now();
    let (shared, body) = (Arc::clone(gateway), body.clone());
    let begun = work(body.len(), move || {
        Exchange::begin(&body, &shared.treatment, &shared.cache)
    });
    Ok((begun.await??, start.elapsed()))
}

/// Does work on a body, here or, if it is long, beside the threads that serve connections.
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

async fn read_request(
    gateway: &Gateway,
    headers: &HeaderMap,
    body: Incoming,
) -> Result<Bytes, Refusal> {
    let limit = gateway.bounds.request_bytes;
    let too_large = || {
        let message = format!("the request is longer than {limit} bytes (max-request-bytes)");
        Refusal::new(StatusCode::PAYLOAD_TOO_LARGE, "request_too_large", &message)
    };
    let promised = headers
        .get(CONTENT_LENGTH)
        .and_then(|length| length.to_str().ok()?.parse().ok());
    if promised.is_some_and(|length: usize| length > limit) {
        return Err(too_large());
    }
    let body = Limited::new(TimeoutBody::new(gateway.bounds.idle, body), limit)
        .collect()
        .await;
    body.map(|body| body.to_bytes())
        .map_err(|error| match Broken::of(&error) {
            Broken::TooLong => too_large(),
            Broken::TooSlow | Broken::Off => {
                let message =
                    "the body of the request broke off, or did not come in time (idle-timeout)";
                Refusal::new(StatusCode::REQUEST_TIMEOUT, "request_broke_off", message)
            }
        })
}

async fn read_reply(gateway: &Gateway, body: reqwest::Body) -> Result<Bytes, Refusal> {
    let limit = gateway.bounds.reply_bytes;
    let body = Limited::new(TimeoutBody::new(gateway.bounds.idle, body), limit)
        .collect()
        .await;
    body.map(|body| body.to_bytes())
        .map_err(|error| match Broken::of(&error) {
            Broken::TooLong => {
                let message = format!("the reply is longer than {limit} bytes (max-reply-bytes)");
                Refusal::new(StatusCode::BAD_GATEWAY, "reply_too_large", &message)
            }
            Broken::TooSlow => {
                let message = "the upstream stopped in its reply (idle-timeout)";
                Refusal::new(StatusCode::GATEWAY_TIMEOUT, "upstream_timeout", message)
            }
            Broken::Off => {
                let message = "the upstream broke off in its reply";
                Refusal::new(StatusCode::BAD_GATEWAY, "upstream_failed", message)
            }
        })
}

/// The reason why a body has no end.
enum Broken {
    TooLong,
    TooSlow,
    Off,
}

impl Broken {
    fn of(error: &BoxError) -> Self {
        // Both wrap the body, one around the other.
        let mut cause: Option<&(dyn std::error::Error + 'static)> = Some(&**error);
        while let Some(error) = cause {
            if error.is::<LengthLimitError>() {
                return Self::TooLong;
            }
            if error.is::<TimeoutError>() {
                return Self::TooSlow;
            }
            cause = error.source();
        }
        Self::Off
    }
}

//! Bodies with their limits.

use std::error::Error;

use http_body_util::{BodyExt as _, Full, LengthLimitError, Limited};
use hyper::StatusCode;
use hyper::body::{Bytes, Incoming};
use hyper::header::{CONTENT_LENGTH, HeaderMap};
use tower_http::timeout::{TimeoutBody, TimeoutError};

use super::Body;
use super::config::Bounds;
use super::refusal::Refusal;

/// A body that is at hand.
pub(super) fn whole(bytes: impl Into<Bytes>) -> Body {
    Full::new(bytes.into())
        .map_err(|never| match never {})
        .boxed_unsync()
}

/// A body that fails when nothing comes for a time.
pub(super) fn timed(body: Incoming, bounds: &Bounds) -> Body {
    TimeoutBody::new(bounds.idle, body).boxed_unsync()
}

/// Reads the body of a request.
pub(super) async fn read_request(
    bounds: &Bounds,
    headers: &HeaderMap,
    body: Incoming,
) -> Result<Bytes, Refusal> {
    let limit = bounds.request_bytes;
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
    let body = Limited::new(TimeoutBody::new(bounds.idle, body), limit)
        .collect()
        .await;
    body.map(|body| body.to_bytes())
        .map_err(|error| match Broken::of(&*error) {
            Broken::TooLong => too_large(),
            Broken::TooSlow | Broken::Off => request_broke_off(),
        })
}

/// Reads the body of a reply.
pub(super) async fn read_reply(bounds: &Bounds, body: Incoming) -> Result<Bytes, Refusal> {
    let limit = bounds.reply_bytes;
    let body = Limited::new(TimeoutBody::new(bounds.idle, body), limit)
        .collect()
        .await;
    body.map(|body| body.to_bytes())
        .map_err(|error| match Broken::of(&*error) {
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
pub(super) enum Broken {
    TooLong,
    TooSlow,
    Off,
}

impl Broken {
    pub(super) fn of(error: &(dyn Error + 'static)) -> Self {
        // Both wrap the body, one around the other.
        let mut cause = Some(error);
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

/// The refusal of a request whose body does not come.
pub(super) fn request_broke_off() -> Refusal {
    let message = "the body of the request broke off, or did not come in time (idle-timeout)";
    Refusal::new(StatusCode::REQUEST_TIMEOUT, "request_broke_off", message)
}

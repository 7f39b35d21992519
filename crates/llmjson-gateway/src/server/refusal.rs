//! The gateway's own answers: errors in the form of the dialect.

use hyper::header::{CONTENT_TYPE, HeaderValue};
use hyper::{Response, StatusCode};
use serde_json::json;

use super::Body;
use super::body::whole;
use crate::Rejection;
use crate::dialect::Dialect;

/// A request that no upstream answers, with the reason.
#[derive(Debug)]
pub(super) struct Refusal {
    pub(super) status: StatusCode,
    /// A short code, for programs and metrics.
    pub(super) code: &'static str,
    /// The message for people.
    pub(super) message: String,
    body: Vec<u8>,
}

impl Refusal {
    /// Creates a refusal with a message for people, which contains none of the request's headers.
    pub(super) fn new(code: &'static str, message: impl Into<String>) -> Self {
        let (status, message) = (status_of(code), message.into());
        let kind = match status.is_client_error() {
            true => "invalid_request_error",
            false => "gateway_error",
        };
        let error = json!({"message": message, "type": kind, "param": null, "code": code});
        let body = json!({ "error": error }).to_string().into_bytes();
        Self {
            status,
            code,
            message,
            body,
        }
    }

    /// Converts it to another dialect.
    pub(super) fn in_dialect(mut self, dialect: Dialect) -> Self {
        self.body = dialect.error(self.status.as_u16(), &self.body);
        self
    }

    pub(super) fn into_response(self) -> Response<Body> {
        answer(self.status, "application/json", self.body)
    }
}

/// Returns the HTTP status for the code of a refusal.
fn status_of(code: &str) -> StatusCode {
    match code {
        "unknown_host" | "unknown_origin" => StatusCode::FORBIDDEN,
        "no_path" | "unknown_session" => StatusCode::NOT_FOUND,
        "no_method" => StatusCode::METHOD_NOT_ALLOWED,
        "not_acceptable" => StatusCode::NOT_ACCEPTABLE,
        "request_broke_off" => StatusCode::REQUEST_TIMEOUT,
        "request_too_large" => StatusCode::PAYLOAD_TOO_LARGE,
        "no_json" | "request_encoding" => StatusCode::UNSUPPORTED_MEDIA_TYPE,
        "failed" | "no_random" => StatusCode::INTERNAL_SERVER_ERROR,
        "no_upgrade" => StatusCode::NOT_IMPLEMENTED,
        "not_started"
        | "reply_too_large"
        | "unreadable_reply"
        | "upstream_failed"
        | "upstream_status"
        | "upstream_unreachable" => StatusCode::BAD_GATEWAY,
        "no_room" | "too_many_connections" | "too_many_requests" | "too_many_sessions" => {
            StatusCode::SERVICE_UNAVAILABLE
        }
        "upstream_timeout" => StatusCode::GATEWAY_TIMEOUT,
        "loop" => StatusCode::LOOP_DETECTED,
        _ => StatusCode::BAD_REQUEST,
    }
}

impl From<Rejection> for Refusal {
    fn from(rejection: Rejection) -> Self {
        Self {
            status: StatusCode::from_u16(rejection.status).unwrap_or(StatusCode::BAD_REQUEST),
            code: "rejected",
            message: "the request is rejected, for the reason in the reply".to_owned(),
            body: rejection.body,
        }
    }
}

/// A short answer.
pub(super) fn answer(status: StatusCode, kind: &'static str, body: Vec<u8>) -> Response<Body> {
    let mut response = Response::new(whole(body));
    *response.status_mut() = status;
    let kind = HeaderValue::from_static(kind);
    response.headers_mut().insert(CONTENT_TYPE, kind);
    response
}

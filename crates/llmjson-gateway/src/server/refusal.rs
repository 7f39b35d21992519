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
    pub(super) fn new(status: StatusCode, code: &'static str, message: &str) -> Self {
        let kind = match status.is_client_error() {
            true => "invalid_request_error",
            false => "gateway_error",
        };
        let error = json!({"message": message, "type": kind, "param": null, "code": code});
        let body = json!({ "error": error }).to_string().into_bytes();
        let message = message.to_owned();
        Self {
            status,
            code,
            message,
            body,
        }
    }

    /// Creates the refusal of a request that has passed here before.
    pub(super) fn of_loop() -> Self {
        let message = "the request has passed this server before: the upstream leads back to it";
        Self::new(StatusCode::LOOP_DETECTED, "loop", message)
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

//! The proxy's own answers: errors as JSON-RPC messages.

use hyper::header::{ALLOW, CONTENT_TYPE, HeaderValue};
use hyper::{Response, StatusCode};
use llmjson::syntax::{Raw, json_object};
use serde_json::value::RawValue;
use serde_json::{Value, json};

use crate::server::Body;
use crate::server::refusal::{Refusal, answer};

/// The JSON-RPC code for an invalid request.
const INVALID_REQUEST: i32 = -32_600;
/// A code for a server error, from the range that JSON-RPC reserves for implementations.
const FAILED: i32 = -32_000;
/// The protocol's code for headers that contradict the message.
const HEADER_MISMATCH: i32 = -32_020;

/// A refusal as an answer, to a request with a known or unknown id.
pub(super) fn refused(refusal: &Refusal, id: Option<&str>) -> Response<Body> {
    let code = match (refusal.code, refusal.status.is_client_error()) {
        ("header_mismatch", _) => HEADER_MISMATCH,
        (_, true) => INVALID_REQUEST,
        _ => FAILED,
    };
    let body = error(id, code, &refusal.message, Some(refusal.code));
    let mut response = answer(refusal.status, "application/json", body.into_bytes());
    if refusal.status == StatusCode::METHOD_NOT_ALLOWED {
        let allowed = HeaderValue::from_static("GET, POST, DELETE");
        response.headers_mut().insert(ALLOW, allowed);
    }
    response
}

/// An error response to a request that the server did not answer.
pub(super) fn failed(id: &str, message: &str) -> String {
    error(Some(id), FAILED, message, None)
}

fn error(id: Option<&str>, code: i32, message: &str, name: Option<&str>) -> String {
    let id = id.and_then(|id| serde_json::from_str::<Box<RawValue>>(id).ok());
    let id = id.map_or_else(|| "null".to_owned(), |id| id.get().to_owned());
    let mut error = json!({"code": code, "message": message});
    if let Some(name) = name {
        error["data"] = json!({ "reason": name });
    }
    // Without an id it is null, as JSON-RPC requires.
    json_object!("jsonrpc": "2.0", "id": Raw(&id), "error": Raw(&error.to_string()))
}

/// Converts an error reply to a response to a request, or returns `None` if the reply is not an
/// error.
pub(super) fn as_response(id: &str, reply: &[u8]) -> Option<String> {
    let reply: Value = serde_json::from_slice(reply).ok()?;
    let error = reply.get("error").filter(|error| error.is_object())?;
    let id: Value = serde_json::from_str(id).ok()?;
    Some(json!({"jsonrpc": "2.0", "id": id, "error": error}).to_string())
}

/// A JSON answer.
pub(super) fn json(body: Vec<u8>) -> Response<Body> {
    answer(StatusCode::OK, "application/json", body)
}

/// An answer that a message was accepted.
pub(super) fn accepted() -> Response<Body> {
    empty(StatusCode::ACCEPTED)
}

/// An answer without a body.
pub(super) fn empty(status: StatusCode) -> Response<Body> {
    let mut response = answer(status, "text/plain", Vec::new());
    response.headers_mut().remove(CONTENT_TYPE);
    response
}

//! Answers of the proxy itself: errors as messages of JSON-RPC.

use hyper::header::{ALLOW, CONTENT_TYPE, HeaderValue};
use hyper::{Response, StatusCode};
use serde_json::value::RawValue;
use serde_json::{Value, json};

use crate::server::Body;
use crate::server::refusal::{Refusal, answer};

/// Code of JSON-RPC for a request that cannot be carried out as it is.
const INVALID_REQUEST: i32 = -32_600;
/// Code for an error of the server, from the range that JSON-RPC reserves for implementations.
const FAILED: i32 = -32_000;
/// Code of the protocol for headers that contradict the message.
const HEADER_MISMATCH: i32 = -32_020;

/// A refusal as an answer, to a request whose id is known or not.
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

/// An error response to a request whose server did not answer it.
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
    // Without an id it is null, as JSON-RPC asks for.
    format!(r#"{{"jsonrpc":"2.0","id":{id},"error":{error}}}"#)
}

/// The error of a reply as a response to a request, if the reply is one.
pub(super) fn as_response(id: &str, reply: &[u8]) -> Option<String> {
    let reply: Value = serde_json::from_slice(reply).ok()?;
    let error = reply.get("error").filter(|error| error.is_object())?;
    let id: Value = serde_json::from_str(id).ok()?;
    Some(json!({"jsonrpc": "2.0", "id": id, "error": error}).to_string())
}

/// An answer of JSON.
pub(super) fn json(body: Vec<u8>) -> Response<Body> {
    answer(StatusCode::OK, "application/json", body)
}

/// An answer that a message was taken.
pub(super) fn accepted() -> Response<Body> {
    empty(StatusCode::ACCEPTED)
}

/// An answer without a body.
pub(super) fn empty(status: StatusCode) -> Response<Body> {
    let mut response = answer(status, "text/plain", Vec::new());
    response.headers_mut().remove(CONTENT_TYPE);
    response
}

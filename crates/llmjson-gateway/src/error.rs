//! Refusals of requests, and errors in the dialect.

use llmjson::syntax::json_object;

use crate::json;

/// A rejected request, with its status code and the dialect's error body.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Rejection {
    /// The HTTP status code.
    pub status: u16,
    /// The body, as JSON.
    pub body: Vec<u8>,
}

impl Rejection {
    /// Creates the rejection of a request that cannot be treated as requested.
    pub(crate) fn of_request(param: &str, code: &str, message: &str) -> Self {
        let body = error_object(message, "invalid_request_error", code, Some(param));
        Self {
            status: 400,
            body: body.into_bytes(),
        }
    }
}

/// Returns an error in the format of the dialect.
pub(crate) fn error_object(message: &str, kind: &str, code: &str, param: Option<&str>) -> String {
    json_object!({
        "error": {
            "message": message,
            "type": kind,
            "param": param,
            "code": code,
        },
    })
}

/// Returns the message of an error in any dialect.
pub(crate) fn message_of(error: &[u8]) -> Option<String> {
    let document = json::read(error);
    let error = json::member(document.as_ref()?.root()?, "error")?;
    let text = error.as_str().map(std::borrow::Cow::into_owned);
    text.or_else(|| json::text(error, "message"))
}

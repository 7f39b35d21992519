//! Errors that servers send, in their various forms.
//!
//! This module reads bodies. Headers and connections belong to the client.

use std::fmt;

use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::value::RawValue;

use crate::extras::Extras;
use crate::object::{check_extras, wire};
use crate::raw::Raw;

/// The maximum number of bytes of a body that an error message quotes.
pub const QUOTED_BODY_BYTES_MAX: usize = 4096;

/// An error sent by a server.
///
/// Strings are empty if the server sent none. [`body`](Self::body) has the whole body, as received.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct ApiError {
    /// The HTTP status, or `None` for an error inside a stream.
    pub status: Option<u16>,
    /// The message.
    pub message: String,
    /// The kind of error, for example `invalid_request_error`.
    pub kind: String,
    /// The code: a word, or the digits of a number as received.
    pub code: String,
    /// The invalid parameter.
    pub param: String,
    /// The status in the body, which some servers write in words: `INVALID_ARGUMENT`.
    pub api_status: String,
    /// The remaining members of the error object, as received.
    pub extras: Extras,
    /// The whole body.
    pub body: Vec<u8>,
}

/// Reads the body of an unsuccessful response.
///
/// This never fails: a body that cannot be parsed is quoted, up to [`QUOTED_BODY_BYTES_MAX`] bytes
/// of it.
///
/// ```
/// use llmjson_wire::decode_error;
///
/// let body = br#"{"error":{"message":"bad input","type":"invalid_request_error","code":400}}"#;
/// let error = decode_error(400, body);
/// assert_eq!((error.message.as_str(), error.code.as_str()), ("bad input", "400"));
/// assert_eq!(error.to_string(), "HTTP 400: bad input (type invalid_request_error, code 400)");
///
/// // As Google says it, as FastAPI says it, and as a proxy says it.
/// let google = br#"[{"error":{"code":400,"message":"no","status":"INVALID_ARGUMENT"}}]"#;
/// assert_eq!(decode_error(400, google).api_status, "INVALID_ARGUMENT");
/// assert_eq!(decode_error(404, br#"{"detail":"Not Found"}"#).message, "Not Found");
/// assert_eq!(decode_error(503, b"<p>busy</p>").message, "HTTP 503: <p>busy</p>");
/// assert_eq!(decode_error(502, b"").message, "HTTP 502 with empty body");
/// ```
#[must_use]
pub fn decode_error(status: u16, body: &[u8]) -> ApiError {
    decode(Some(status), body)
}

/// Reads the data of a frame that is an error.
pub(crate) fn decode_frame(data: &[u8]) -> ApiError {
    decode(None, data)
}

/// Returns `true` if the value of a member `error` says anything.
pub(crate) fn tells_an_error(json: &str) -> bool {
    !matches!(json, "null" | "false" | "\"\"" | "{}")
}

fn decode(status: Option<u16>, body: &[u8]) -> ApiError {
    let text = String::from_utf8_lossy(body);
    let text = text.trim_start_matches('\u{feff}').trim();
    let mut error = read(text);
    if error.message.is_empty() {
        error.message = quote(status, text);
    }
    error.status = status;
    error.body = body.to_vec();
    error
}

/// The message for a body without one.
fn quote(status: Option<u16>, text: &str) -> String {
    let place = match status {
        Some(status) => format!("HTTP {status}"),
        None => "error in the stream".to_owned(),
    };
    match capped(text, QUOTED_BODY_BYTES_MAX) {
        "" => format!("{place} with empty body"),
        quoted if quoted.len() < text.len() => format!("{place}: {quoted}…"),
        quoted => format!("{place}: {quoted}"),
    }
}

/// Returns the beginning of a text, in whole characters.
pub(crate) fn capped(text: &str, bytes_max: usize) -> &str {
    &text[..text.floor_char_boundary(bytes_max)]
}

/// An empty message means that there is none.
fn read(text: &str) -> ApiError {
    let first: Option<Vec<&RawValue>> = text
        .starts_with('[')
        .then(|| serde_json::from_str(text).ok())
        .flatten();
    match first {
        Some(list) => list
            .first()
            .map_or_else(ApiError::default, |first| read_object(first.get())),
        None => read_object(text),
    }
}

wire! {
    /// The places in a body where an error may be.
    view struct Body<'a> {
        error: Option<&'a RawValue> = "error",
        detail: Option<&'a RawValue> = "detail",
        errors: Option<&'a RawValue> = "errors",
    }
}

fn read_object(text: &str) -> ApiError {
    let (Ok(body), Ok(bare)) = (
        serde_json::from_str::<Body<'_>>(text),
        ErrorObject::read(text),
    ) else {
        return ApiError::default();
    };
    let inner = body
        .error
        .and_then(|error| ErrorObject::read(error.get()).ok());
    if let Some(inner) = &inner
        && !inner.message.is_empty()
    {
        return inner.clone();
    }
    if !bare.message.is_empty() {
        return bare;
    }
    let message = body
        .error
        .filter(|error| !error.get().starts_with('{'))
        .map(text_of)
        .filter(|message| !message.is_empty())
        .or_else(|| body.detail.map(message_of))
        .or_else(|| body.errors.map(messages_of))
        .unwrap_or_default();
    // An error object without a message still says what kind of error it is.
    let error = inner.unwrap_or(bare);
    ApiError { message, ..error }
}

/// Returns the texts of an array of errors, joined.
fn messages_of(raw: &RawValue) -> String {
    match serde_json::from_str::<Vec<&RawValue>>(raw.get()) {
        Ok(list) => {
            let messages: Vec<String> = list.into_iter().map(message_of).collect();
            messages.join("; ")
        }
        Err(_) => message_of(raw),
    }
}

/// Returns the message of an object that has one, a string, or else the JSON.
fn message_of(raw: &RawValue) -> String {
    match ErrorObject::read(raw.get()) {
        Ok(error) if !error.message.is_empty() => error.message,
        _ => text_of(raw),
    }
}

/// Returns a string's text, nothing for `null`, and the JSON of anything else.
fn text_of(raw: &RawValue) -> String {
    let json = raw.get();
    if json == "null" {
        return String::new();
    }
    serde_json::from_str(json).unwrap_or_else(|_| json.to_owned())
}

wire! {
    /// The object that contains an error.
    view struct ErrorObject<'a> {
        message: Option<&'a RawValue> = "message",
        kind: Option<&'a RawValue> = "type",
        code: Option<&'a RawValue> = "code",
        param: Option<&'a RawValue> = "param",
        status: Option<&'a RawValue> = "status",
    }
}

impl ErrorObject<'_> {
    fn read(text: &str) -> Result<ApiError, serde_json::Error> {
        let object: ErrorObject<'_> = serde_json::from_str(text)?;
        let text = |raw: Option<&RawValue>| raw.map(text_of).unwrap_or_default();
        let mut extras = Extras::default();
        for (name, value) in object.extras {
            extras.push(name.into_owned(), Raw::from_raw(value));
        }
        Ok(ApiError {
            message: text(object.message),
            kind: text(object.kind),
            code: text(object.code),
            param: text(object.param),
            api_status: text(object.status),
            extras,
            ..ApiError::default()
        })
    }
}

impl fmt::Display for ApiError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.status {
            // A message that quotes the body begins with the status.
            Some(status) if !self.message.starts_with(&format!("HTTP {status}")) => {
                write!(f, "HTTP {status}: {}", self.message)?;
            }
            _ => f.write_str(&self.message)?,
        }
        let details = [
            ("type", &self.kind),
            ("code", &self.code),
            ("param", &self.param),
        ];
        let mut before = " (";
        for (name, text) in details {
            if !text.is_empty() {
                write!(f, "{before}{name} {text}")?;
                before = ", ";
            }
        }
        if before == ", " {
            f.write_str(")")
        } else {
            Ok(())
        }
    }
}

impl std::error::Error for ApiError {}

/// Writes an error object: members that are not empty, then the extras.
impl Serialize for ApiError {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let members = [
            ("message", &self.message),
            ("type", &self.kind),
            ("code", &self.code),
            ("param", &self.param),
            ("status", &self.api_status),
        ];
        check_extras(&self.extras, "ApiError", &members.map(|(name, _)| name))?;
        let mut map = serializer.serialize_map(None)?;
        for (name, text) in members {
            if !text.is_empty() {
                map.serialize_entry(name, text)?;
            }
        }
        for (name, value) in self.extras.iter() {
            map.serialize_entry(name, value)?;
        }
        map.end()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_form_gives_its_message() {
        // Status, body, message, type, code.
        let table = [
            (
                400,
                r#" {"error":{"message":"a","type":"t","code":400.0}}"#,
                "a",
                "t",
                "400.0",
            ),
            (
                400,
                r#"{"error":{"message":"a","code":null,"type":null}}"#,
                "a",
                "",
                "",
            ),
            (
                400,
                r#"{"error":{"message":"a","code":true}}"#,
                "a",
                "",
                "true",
            ),
            (
                400,
                r#"{"error":{"message":"a","code":{"n": 1}}}"#,
                "a",
                "",
                r#"{"n": 1}"#,
            ),
            (
                400,
                r#"{"error":{"message":"a","param":["x"]},"message":"b"}"#,
                "a",
                "",
                "",
            ),
            (400, r#"{"error":{"code":7},"message":"b"}"#, "b", "", ""),
            (400, r#"{"error":"plain","code":"c"}"#, "plain", "", "c"),
            (400, r#"{"error":"","detail":"d"}"#, "d", "", ""),
            (
                422,
                r#"{"detail":[{"loc":["a"],"msg":"m"}]}"#,
                r#"[{"loc":["a"],"msg":"m"}]"#,
                "",
                "",
            ),
            (422, r#"{"detail":{"message":"m","code":1}}"#, "m", "", ""),
            (
                422,
                r#"{"message":{"detail":[1]},"type":"t"}"#,
                r#"{"detail":[1]}"#,
                "t",
                "",
            ),
            (
                400,
                r#"{"errors":["a",{"message":"b"},{"c":1}]}"#,
                r#"a; b; {"c":1}"#,
                "",
                "",
            ),
            (400, r#"{"errors":{"message":"b"}}"#, "b", "", ""),
            (
                400,
                r#"[{"error":{"message":"a"}},{"error":{"message":"b"}}]"#,
                "a",
                "",
                "",
            ),
            (400, "[]", "HTTP 400: []", "", ""),
            (
                400,
                r#"{"error":{"code":7}}"#,
                r#"HTTP 400: {"error":{"code":7}}"#,
                "",
                "7",
            ),
            (
                400,
                r#"{"Message":"odd case"}"#,
                r#"HTTP 400: {"Message":"odd case"}"#,
                "",
                "",
            ),
            (401, " \n\t ", "HTTP 401 with empty body", "", ""),
            (401, "\u{feff}{\"message\":\"m\"}", "m", "", ""),
            (500, "\"just text\"", "HTTP 500: \"just text\"", "", ""),
        ];
        for (status, body, message, kind, code) in table {
            let error = decode_error(status, body.as_bytes());
            assert_eq!(
                (
                    error.message.as_str(),
                    error.kind.as_str(),
                    error.code.as_str()
                ),
                (message, kind, code),
                "{body}"
            );
            assert_eq!(
                (error.status, error.body.as_slice()),
                (Some(status), body.as_bytes())
            );
        }
    }

    #[test]
    fn a_quoted_body_is_cut_between_characters() {
        let body = "é".repeat(QUOTED_BODY_BYTES_MAX);
        let error = decode_error(500, format!("x{body}").as_bytes());
        let quoted = error.message.strip_prefix("HTTP 500: x").unwrap();
        assert_eq!(
            quoted,
            format!("{}…", "é".repeat(QUOTED_BODY_BYTES_MAX / 2 - 1))
        );
        let error = decode_error(500, b"\xffx");
        assert_eq!(
            (error.message.as_str(), error.body.as_slice()),
            ("HTTP 500: \u{fffd}x", &b"\xffx"[..])
        );
    }

    #[test]
    fn what_is_written_is_an_error_object() {
        let error = decode_error(
            429,
            br#"{"error":{"message":"m","wait":1.50,"code":"c"},"id":1}"#,
        );
        let json = serde_json::to_string(&error).unwrap();
        assert_eq!(json, r#"{"message":"m","code":"c","wait":1.50}"#);
        let mut error = error;
        error.extras.set("code", &1).unwrap();
        let refused = serde_json::to_string(&error).unwrap_err();
        assert_eq!(
            refused.to_string(),
            "extras key code collides with ApiError"
        );
    }
}

//! Errors of requests, and of building a client.

use std::fmt;
use std::time::Duration;

use reqwest::header::HeaderMap;

use crate::error::{ApiError, QUOTED_BODY_BYTES_MAX, capped};
use crate::sse::SseError;

/// An error of the HTTP library, which is not part of this interface.
type BoxError = Box<dyn std::error::Error + Send + Sync>;

/// The error of a failed request.
///
/// It includes the part of the body that was read, but no addresses or headers that were sent.
#[derive(Debug)]
#[non_exhaustive]
pub enum ClientError {
    /// The client was built without a URL for this request.
    NoUrl(&'static str),
    /// The request cannot be serialized: for example, an extra has the name of a known member.
    Request(serde_json::Error),
    /// The server rejected the request.
    Refused(Box<ErrorResponse>),
    /// The read or connect timeout expired.
    Timeout(BoxError),
    /// Connecting failed.
    Connect(BoxError),
    /// The connection was lost, or the response is not HTTP.
    Transport(BoxError),
    /// The status says success, but the body is not the expected JSON.
    Malformed {
        /// The HTTP status.
        status: u16,
        /// The problem with the body.
        reason: String,
        /// The body.
        body: Vec<u8>,
    },
    /// The status says success, but the body is not a stream of events.
    ContentType {
        /// The content type of the response.
        content_type: String,
        /// The body.
        body: Vec<u8>,
    },
    /// A body exceeds the maximum length.
    BodyTooLarge {
        /// The maximum length of a body, in bytes.
        bytes_max: usize,
    },
    /// The stream cannot be read any further.
    Sse(SseError),
}

/// A response with an unsuccessful status.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ErrorResponse {
    /// The error sent by the server.
    pub error: ApiError,
    headers: HeaderMap,
}

impl ErrorResponse {
    /// Returns the first response header with a name, ignoring case, if its value is a string.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name)?.to_str().ok()
    }

    /// Returns the names and values of the response headers; names are in lower case.
    pub fn headers(&self) -> impl Iterator<Item = (&str, &[u8])> {
        let headers = self.headers.iter();
        headers.map(|(name, value)| (name.as_str(), value.as_bytes()))
    }

    /// Returns how long the server asks to wait before the next request: `retry-after-ms`, or
    /// `retry-after` in seconds. A date, which needs a clock, is in the [header](Self::header).
    #[must_use]
    pub fn retry_after(&self) -> Option<Duration> {
        let number = |name| -> Option<f64> { self.header(name)?.trim().parse().ok() };
        let milliseconds = number("retry-after-ms").map(|number| number / 1000.0);
        let seconds = milliseconds.or_else(|| number("retry-after"))?;
        Duration::try_from_secs_f64(seconds).ok()
    }
}

impl ClientError {
    pub(crate) fn refused(error: ApiError, headers: HeaderMap) -> Self {
        Self::Refused(Box::new(ErrorResponse { error, headers }))
    }

    /// Addresses may contain a key, so they are removed.
    pub(crate) fn transport(error: reqwest::Error) -> Self {
        let error = error.without_url();
        if error.is_timeout() {
            Self::Timeout(error.into())
        } else if error.is_connect() {
            Self::Connect(error.into())
        } else {
            Self::Transport(error.into())
        }
    }

    /// Returns the server's error, if it rejected the request.
    #[must_use]
    pub fn api_error(&self) -> Option<&ApiError> {
        match self {
            Self::Refused(refusal) => Some(&refusal.error),
            _ => None,
        }
    }
}

impl fmt::Display for ClientError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoUrl(what) => write!(f, "the client has no URL for {what}"),
            Self::Request(error) => write!(f, "the request cannot be written: {error}"),
            Self::Refused(refusal) => refusal.error.fmt(f),
            Self::Timeout(error) => write!(f, "the server took too long: {}", causes(&**error)),
            Self::Connect(error) => write!(f, "connecting failed: {}", causes(&**error)),
            Self::Transport(error) => write!(f, "the connection was lost: {}", causes(&**error)),
            Self::Malformed {
                status,
                reason,
                body,
            } => {
                write!(
                    f,
                    "HTTP {status}, but the body is not the expected JSON: {reason}: "
                )?;
                f.write_str(&quoted(body))
            }
            Self::ContentType { content_type, body } => {
                write!(f, "expected a stream of events, found {content_type}: ")?;
                f.write_str(&quoted(body))
            }
            Self::BodyTooLarge { bytes_max } => {
                write!(f, "the body has more than {bytes_max} bytes")
            }
            Self::Sse(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for ClientError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Request(error) => Some(error),
            Self::Refused(refusal) => Some(&refusal.error),
            Self::Timeout(error) | Self::Connect(error) | Self::Transport(error) => Some(&**error),
            Self::Sse(error) => Some(error),
            Self::NoUrl(_)
            | Self::Malformed { .. }
            | Self::ContentType { .. }
            | Self::BodyTooLarge { .. } => None,
        }
    }
}

/// Returns the innermost cause: the outer ones only say that something failed.
fn causes(error: &(dyn std::error::Error + 'static)) -> String {
    let mut innermost = error;
    while let Some(source) = innermost.source() {
        innermost = source;
    }
    innermost.to_string()
}

fn quoted(body: &[u8]) -> String {
    let text = String::from_utf8_lossy(body);
    capped(&text, QUOTED_BODY_BYTES_MAX).to_owned()
}

/// The error of building a client.
#[derive(Debug)]
#[non_exhaustive]
pub enum BuildError {
    /// No URL is set.
    NoUrl,
    /// The URL does not have the scheme `http` or `https`. The message leaves the URL out, since it
    /// may contain a password.
    Url(String),
    /// The header with this name is invalid.
    Header(String),
    /// The connection cannot be set up, for example because of the TLS settings.
    Transport(BoxError),
}

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoUrl => f.write_str("neither a base URL nor the URL of an endpoint is set"),
            Self::Url(what) => write!(f, "the address is not an HTTP URL: {what}"),
            Self::Header(name) => write!(f, "the header {name:?} cannot be sent"),
            Self::Transport(error) => write!(f, "the connection cannot be set up: {error}"),
        }
    }
}

impl std::error::Error for BuildError {}

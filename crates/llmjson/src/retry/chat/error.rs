//! Errors of requests to a server.

use std::fmt;

use llmjson_wire::client::ClientError;
use llmjson_wire::{ApiError, Message as WireMessage};

/// A failure to get a reply from a server.
#[derive(Debug)]
#[non_exhaustive]
pub enum ChatError {
    /// The request failed.
    Client(ClientError),
    /// The server sent an error in the middle of the reply.
    Stream(Box<ApiError>),
    /// The stream ended before the reply was complete: without a finish reason and without
    /// `[DONE]`.
    CutOff,
    /// The response holds no message.
    NoAnswer,
    /// The model refuses to answer, with its reason.
    Declined(String),
    /// The model called tools instead of answering. Holds its message.
    CallsTools(Box<WireMessage>),
}

impl ChatError {
    /// Returns the error that the server sent, if there is one.
    #[must_use]
    pub fn api_error(&self) -> Option<&ApiError> {
        match self {
            Self::Client(error) => error.api_error(),
            Self::Stream(error) => Some(error),
            Self::CutOff | Self::NoAnswer | Self::Declined(_) | Self::CallsTools(_) => None,
        }
    }

    /// Returns `true` if the server may reject requests of this form. Servers name the rejected
    /// member in different ways, so every such status counts, except errors that are known to be
    /// about something else.
    pub(super) fn is_about_the_request(&self) -> bool {
        let Some(error) = self.api_error() else {
            return false;
        };
        let is_of_size = [&error.kind, &error.code, &error.message]
            .iter()
            .any(|text| text.contains("context"));
        matches!(error.status, Some(400 | 415 | 422 | 501)) && !is_of_size
    }
}

impl From<ClientError> for ChatError {
    fn from(error: ClientError) -> Self {
        Self::Client(error)
    }
}

impl fmt::Display for ChatError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Client(error) => error.fmt(f),
            Self::Stream(error) => write!(f, "the server broke off: {error}"),
            Self::CutOff => f.write_str(
                "the stream ended before the reply did, with neither a finish reason nor [DONE]",
            ),
            Self::NoAnswer => f.write_str("the response holds no message"),
            Self::Declined(why) => write!(f, "the model will not answer: {why}"),
            Self::CallsTools(message) => {
                let calls = message.tool_calls.as_ref().map_or(0, Vec::len);
                write!(
                    f,
                    "the model makes {calls} tool calls rather than giving its answer"
                )
            }
        }
    }
}

impl std::error::Error for ChatError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Client(error) => Some(error),
            Self::Stream(error) => Some(&**error),
            Self::CutOff | Self::NoAnswer | Self::Declined(_) | Self::CallsTools(_) => None,
        }
    }
}

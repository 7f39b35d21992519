//! The parts of a message that determine its route.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

/// The first version of the protocol without sessions.
const WITHOUT_SESSIONS: &str = "2026-07-28";
/// The first version in which a stream may begin with an event without data.
const WITH_FIRST_EVENT: &str = "2025-11-25";

/// The head of a message, which must be an object.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Head {
    /// The id as JSON, normalized.
    pub(super) id: Option<String>,
    /// `None` for a response.
    pub(super) method: Option<String>,
    /// The token under which progress on this request is reported.
    pub(super) progress: Option<String>,
    /// The token of the request whose progress this reports.
    pub(super) progress_of: Option<String>,
    /// The request that is cancelled.
    pub(super) cancels: Option<String>,
}

#[derive(Deserialize)]
struct Message<'a> {
    id: Option<Value>,
    #[serde(borrow)]
    method: Option<Cow<'a, str>>,
    #[serde(borrow)]
    params: Option<&'a RawValue>,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Params {
    #[serde(rename = "_meta")]
    meta: Option<Meta>,
    progress_token: Option<Value>,
    request_id: Option<Value>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Meta {
    progress_token: Option<Value>,
}

impl Head {
    /// Reads a JSON message.
    pub(super) fn read(json: &[u8]) -> Option<Self> {
        json.trim_ascii_start().strip_prefix(b"{")?;
        let message: Message<'_> = serde_json::from_slice(json).ok()?;
        let params = message
            .params
            .and_then(|params| serde_json::from_str::<Params>(params.get()).ok());
        let params = params.unwrap_or_default();
        let text = |value: Option<Value>| value.map(|value| value.to_string());
        let method = message.method.as_deref();
        let of = |name: &str, value| text(value).filter(|_| method == Some(name));
        Some(Self {
            progress: text(params.meta.and_then(|meta| meta.progress_token)),
            progress_of: of("notifications/progress", params.progress_token),
            cancels: of("notifications/cancelled", params.request_id),
            id: text(message.id),
            method: message.method.map(Cow::into_owned),
        })
    }

    /// Reads a client's message, which may be damaged like a model's tool call.
    pub(super) fn read_damaged(bytes: &[u8]) -> Option<Self> {
        Self::read(bytes).or_else(|| {
            let text = std::str::from_utf8(bytes).ok()?;
            let document = llmjson::syntax::parse(text);
            Self::read(document.root()?.to_json().as_bytes())
        })
    }

    pub(super) fn is_request(&self) -> bool {
        self.method.is_some() && self.id.is_some()
    }

    /// Returns `true` for a response to a request.
    pub(super) fn is_response(&self) -> bool {
        self.method.is_none() && self.id.is_some()
    }

    pub(super) fn is(&self, method: &str) -> bool {
        self.method.as_deref() == Some(method)
    }
}

/// Returns `true` for protocol versions in which requests are independent.
pub(super) fn is_without_sessions(version: &str) -> bool {
    version >= WITHOUT_SESSIONS
}

/// Returns `true` for versions whose clients accept an event without data.
pub(super) fn has_first_event(version: &str) -> bool {
    (WITH_FIRST_EVENT..WITHOUT_SESSIONS).contains(&version)
}

/// The version on which a response to `initialize` settles.
pub(super) fn settled_version(response: &[u8]) -> Option<String> {
    #[derive(Deserialize)]
    struct Response {
        result: Settled,
    }
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Settled {
        protocol_version: String,
    }
    let response: Response = serde_json::from_slice(response).ok()?;
    Some(response.result.protocol_version)
}

/// Puts a message on one line by replacing line breaks, which can occur only outside of strings,
/// with spaces.
pub(super) fn on_one_line(message: &mut [u8]) {
    for byte in message {
        if matches!(byte, b'\n' | b'\r') {
            *byte = b' ';
        }
    }
}

//! The server side: its URL, the request headers, and the session.

use std::time::Duration;

use hyper::body::{Bytes, Incoming};
use hyper::header::{ACCEPT, ACCEPT_ENCODING, CONTENT_TYPE, HeaderMap, HeaderValue};
use hyper::{Method, Response, Uri};

use crate::server::body::whole;
use crate::server::config::Bounds;
use crate::server::lock::Lock;
use crate::server::mcp::message::is_without_sessions;
use crate::server::mcp::request::{EVENTS, JSON, LAST_EVENT, SESSION, VERSION, set, text};
use crate::server::refusal::Refusal;
use crate::server::upstream::Upstream;

const ACCEPTED: &str = "application/json, text/event-stream";

/// The server, and the session parameters it has set.
pub(super) struct Link {
    upstream: Upstream,
    url: Uri,
    headers: HeaderMap,
    pub(super) bounds: Bounds,
    session: Lock<Settled>,
}

/// The parameters agreed at the start of a session.
#[derive(Clone, Debug, Default)]
struct Settled {
    id: Option<HeaderValue>,
    version: Option<HeaderValue>,
}

impl Link {
    pub(super) fn new(upstream: Upstream, url: Uri, headers: HeaderMap, bounds: Bounds) -> Self {
        Self {
            upstream,
            url,
            headers,
            bounds,
            session: Lock::default(),
        }
    }

    /// Reads a whole answer.
    pub(super) async fn whole(&self, response: Response<Incoming>) -> Result<Bytes, Refusal> {
        Ok(self.upstream.read(response).await?.1)
    }

    /// Stores the session parameters from the answer to `initialize`: the session id in its
    /// headers, and the version in its result.
    pub(super) fn settle_id(&self, headers: &HeaderMap) {
        if let Some(id) = headers.get(SESSION) {
            self.session.lock().id = Some(id.clone());
        }
    }

    pub(super) fn settle_version(&self, version: &str) {
        if let Ok(version) = HeaderValue::try_from(version) {
            self.session.lock().version = Some(version);
        }
    }

    /// The headers of a request, including those that repeat its message.
    fn headers(&self, mirrored: &[(String, String)]) -> HeaderMap {
        let mut headers = self.headers.clone();
        let version = mirrored.iter().find(|(name, _)| *name == VERSION.as_str());
        if version.is_some_and(|(_, version)| is_without_sessions(version)) {
            mirrored
                .iter()
                .for_each(|(name, value)| set(&mut headers, name, value));
        } else {
            let settled = self.session.lock();
            for (name, value) in [(SESSION, &settled.id), (VERSION, &settled.version)] {
                if let Some(value) = value {
                    headers.insert(name, value.clone());
                }
            }
        }
        // Answers are read here, so they must not be compressed.
        headers.insert(ACCEPT_ENCODING, HeaderValue::from_static("identity"));
        headers
    }

    /// Sends a message.
    pub(super) async fn post(
        &self,
        message: Vec<u8>,
        mirrored: &[(String, String)],
        is_first: bool,
    ) -> Result<Response<Incoming>, Refusal> {
        let mut headers = self.headers(mirrored);
        if is_first {
            headers.remove(SESSION);
            headers.remove(VERSION);
        }
        headers.insert(ACCEPT, HeaderValue::from_static(ACCEPTED));
        headers.insert(CONTENT_TYPE, HeaderValue::from_static(JSON));
        let url = self.url.clone();
        self.upstream
            .send(Method::POST, url, headers, Some(whole(message)))
            .await
    }

    /// Requests the stream for messages that belong to no request, or resumes a stream after an
    /// event.
    pub(super) async fn get(
        &self,
        after: Option<&HeaderValue>,
    ) -> Result<Response<Incoming>, Refusal> {
        let mut headers = self.headers(&[]);
        headers.insert(ACCEPT, HeaderValue::from_static(EVENTS));
        if let Some(after) = after {
            headers.insert(LAST_EVENT, after.clone());
        }
        let url = self.url.clone();
        self.upstream.send(Method::GET, url, headers, None).await
    }

    /// Ends the session, if there is one.
    pub(super) async fn end(&self) {
        if self.session.lock().id.is_none() {
            return;
        }
        let (url, headers) = (self.url.clone(), self.headers(&[]));
        // A server that does not end sessions says so, which is fine.
        drop(self.upstream.send(Method::DELETE, url, headers, None).await);
    }
}

/// The challenge of a server that requires authentication, for people.
pub(super) fn challenge(headers: &HeaderMap) -> Option<&str> {
    text(headers, &hyper::header::WWW_AUTHENTICATE)
}

/// The delay before a stream is requested again, as set by the server.
pub(super) fn pause(given: Option<Duration>, failures: u32) -> Duration {
    const USUAL: Duration = Duration::from_secs(1);
    const SHORTEST: Duration = Duration::from_millis(10);
    const LONGEST: Duration = Duration::from_secs(30);

    let first = given.unwrap_or(USUAL).clamp(SHORTEST, LONGEST);
    (first * 2_u32.pow(failures.min(5))).min(LONGEST)
}

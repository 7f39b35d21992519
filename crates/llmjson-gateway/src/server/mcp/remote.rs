//! Clients over HTTP in front of a server over HTTP: everything passes through, and tool calls are
//! read.

use std::collections::HashMap;
use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hash as _, Hasher as _};
use std::io;
use std::sync::Arc;
use std::time::Instant;

use hyper::body::{Bytes, Incoming};
use hyper::header::{AUTHORIZATION, COOKIE, HeaderMap, HeaderName};
use hyper::http::request::Parts;
use hyper::{Method, Request, Response, StatusCode};
use llmjson::Policy;
use llmjson_mcp::{Listed, Session, Treated};
use llmjson_wire::sse::FrameDecoder;
use tokio::sync::watch;
use tokio::time::timeout;

use super::answers;
use super::request::{EVENTS, JSON, LAST_EVENT, SESSION, check_json, replace_mirrored, set};
use super::settings::{Config, SessionLimits};
use crate::server::body::{Room, read_request, timed, whole};
use crate::server::config::UpstreamConfig;
use crate::server::headers::{for_treated, is_encoded, media_type, new_via};
use crate::server::lock::Lock;
use crate::server::refusal::Refusal;
use crate::server::upstream::Upstream;
use crate::server::{Body, pass};

mod learned;

use learned::Learning;

/// The headers by which servers distinguish clients.
const CREDENTIALS: [HeaderName; 4] = [
    SESSION,
    AUTHORIZATION,
    COOKIE,
    HeaderName::from_static("x-api-key"),
];

/// A server, and the tools of its sessions.
pub(super) struct Remote {
    pub(super) upstream: Upstream,
    room: Room,
    endpoint: String,
    policy: Policy,
    limits: SessionLimits,
    sessions: Lock<HashMap<u64, Kept>>,
    keys: RandomState,
    ended: watch::Sender<bool>,
}

/// The tools of a session.
#[derive(Clone)]
struct Kept {
    tools: Session,
    /// Held while the tool list is requested, so that it is requested once.
    listing: Arc<tokio::sync::Mutex<()>>,
    used: Instant,
}

/// A request for the tool list that may be cancelled.
struct Asking<'a>(Option<&'a Session>);

impl Drop for Asking<'_> {
    fn drop(&mut self) {
        if let Some(tools) = self.0 {
            tools.not_listed();
        }
    }
}

impl Remote {
    pub(super) fn new(config: &Config, server: &UpstreamConfig) -> io::Result<Self> {
        let bounds = config.limits.bounds;
        let upstream = Upstream::new(server, bounds, new_via()).map_err(io::Error::other)?;
        Ok(Self {
            upstream,
            room: Room::new(&bounds),
            endpoint: server.url.path().to_owned(),
            policy: config.policy.clone(),
            limits: config.limits,
            sessions: Lock::default(),
            keys: RandomState::new(),
            ended: watch::Sender::new(false),
        })
    }

    /// Ends the endless streams.
    pub(super) fn end_streams(&self) {
        self.ended.send_replace(true);
    }

    /// The key for a client's view: its session and its credentials.
    fn key(&self, headers: &HeaderMap) -> u64 {
        let mut hasher = self.keys.build_hasher();
        for name in &CREDENTIALS {
            let values: Vec<_> = headers.get_all(name).iter().collect();
            values.hash(&mut hasher);
        }
        hasher.finish()
    }

    /// Returns the session of a request. The least recently used sessions make room for a new one.
    fn session(&self, headers: &HeaderMap) -> Kept {
        let (key, now) = (self.key(headers), Instant::now());
        let mut sessions = self.sessions.lock();
        if !sessions.contains_key(&key) {
            sessions.retain(|_, kept| now - kept.used < self.limits.session);
            let mut bytes: usize = sessions.values().map(|kept| kept.tools.bytes()).sum();
            while sessions.len() >= self.limits.sessions || bytes > self.limits.cached_bytes {
                let oldest = sessions.iter().min_by_key(|(_, kept)| kept.used);
                let Some(oldest) = oldest.map(|(key, _)| *key) else {
                    break;
                };
                let oldest = sessions.remove(&oldest);
                bytes = bytes.saturating_sub(oldest.map_or(0, |kept| kept.tools.bytes()));
            }
        }
        let kept = sessions.entry(key).or_insert_with(|| Kept {
            tools: Session::new(self.policy.clone()),
            listing: Arc::default(),
            used: now,
        });
        if now - kept.used >= self.limits.session {
            kept.tools = Session::new(self.policy.clone());
        }
        kept.used = now;
        kept.clone()
    }

    /// Requests the tool list with the headers of a call, if the call needs it. If the server
    /// refuses that, its answer is returned for the call, since it may be a challenge.
    async fn list_first(
        &self,
        kept: &Kept,
        parts: &Parts,
        call: &[u8],
    ) -> Option<Response<Incoming>> {
        if !kept.tools.needs_list(call) {
            return None;
        }
        let _one = kept.listing.lock().await;
        let mut request = kept.tools.request_for_list(call)?;
        let mut asking = Asking(Some(&kept.tools));
        let listed = async {
            loop {
                match self.ask_for_list(kept, parts, request).await? {
                    Ok(Listed::Ask(next)) => request = next,
                    Ok(Listed::Done) => {
                        asking.0 = None;
                        return None;
                    }
                    Ok(_) => return None,
                    Err(response) => return Some(response),
                }
            }
        };
        let listed = timeout(self.limits.list, listed).await;
        listed.unwrap_or_else(|_| {
            tracing::warn!("the server did not list its tools in time (list-timeout)");
            None
        })
    }

    async fn ask_for_list(
        &self,
        kept: &Kept,
        parts: &Parts,
        request: String,
    ) -> Option<Result<Listed, Response<Incoming>>> {
        let mut headers = for_treated(parts.headers.clone());
        headers.remove(LAST_EVENT);
        let mirrored = headers
            .keys()
            .filter(|name| name.as_str() == "mcp-name" || name.as_str().starts_with("mcp-param-"));
        let mirrored: Vec<HeaderName> = mirrored.cloned().collect();
        mirrored.iter().for_each(|name| drop(headers.remove(name)));
        if headers.contains_key("mcp-method") {
            set(&mut headers, "mcp-method", "tools/list");
        }
        let url = self.upstream.same_path(&parts.uri).ok()?;
        let sent = self
            .upstream
            .send(Method::POST, url, headers, Some(whole(request)));
        let response = sent.await.ok()?;
        let kind = media_type(response.headers()).to_ascii_lowercase();
        if !response.status().is_success() {
            return Some(Err(response));
        }
        if is_encoded(response.headers()) {
            return None;
        }
        let mut notices = Vec::new();
        let listed = match &*kind {
            JSON => {
                let (_, reply) = self.upstream.read(response).await.ok()?;
                kept.tools.listed(&reply, &mut notices)
            }
            EVENTS => self.listed_in_events(kept, response, &mut notices).await?,
            _ => return None,
        };
        tell(notices);
        Some(Ok(listed))
    }

    async fn listed_in_events(
        &self,
        kept: &Kept,
        response: Response<Incoming>,
        notices: &mut Vec<String>,
    ) -> Option<Listed> {
        use http_body_util::BodyExt as _;

        let bounds = &self.limits.bounds;
        let mut body = timed(response.into_body(), bounds);
        let mut decoder = FrameDecoder::new().with_frame_bytes_max(bounds.reply_bytes);
        loop {
            while let Some(frame) = decoder.next_frame() {
                let listed = kept.tools.listed(frame.ok()?.data, notices);
                if listed != Listed::Other {
                    return Some(listed);
                }
            }
            let piece = body.frame().await?.ok()?.into_data().unwrap_or_default();
            decoder.push(&piece);
        }
    }

    async fn post(&self, mut parts: Parts, body: Incoming) -> Result<Response<Body>, Refusal> {
        if is_encoded(&parts.headers) {
            check_json(&HeaderMap::new())?;
        }
        let url = self.upstream.same_path(&parts.uri)?;
        let bounds = &self.limits.bounds;
        let (body, _place) = read_request(bounds, &self.room, &mut parts.headers, body).await?;
        let kept = self.session(&parts.headers);
        if let Some(refused) = self.list_first(&kept, &parts, &body).await {
            if refused.status() == StatusCode::NOT_FOUND {
                self.sessions.lock().remove(&self.key(&parts.headers));
            }
            return Ok(pass::unread(refused, bounds));
        }
        let mut notices = Vec::new();
        let treated = kept.tools.send(&body, &mut notices);
        tell(notices);
        let mut headers = for_treated(parts.headers);
        let sent = match treated {
            Treated::Answered(None) => return Ok(answers::accepted()),
            Treated::Answered(Some(answer)) => return Ok(answers::json(answer.into_bytes())),
            Treated::Changed(sent) => {
                if headers.contains_key("mcp-method") {
                    let before = kept.tools.mirrored(&body);
                    let after = kept.tools.mirrored(sent.as_bytes());
                    replace_mirrored(&mut headers, &before, &after);
                }
                Bytes::from(sent)
            }
            _ => body.clone(),
        };
        let asks_for_list = kept.tools.asks_for_list(&body);
        let key = self.key(&headers);
        let sent = self
            .upstream
            .send(Method::POST, url, headers, Some(whole(sent)));
        let response = sent.await.inspect_err(|_| kept.tools.failed(&body))?;
        if response.status() == StatusCode::NOT_FOUND {
            self.sessions.lock().remove(&key);
        }
        let is_read = asks_for_list && response.status().is_success();
        if asks_for_list && !is_read {
            kept.tools.failed(&body);
        }
        self.reply(response, kept, is_read).await
    }

    /// Passes a reply on after learning its tool list, if it may have one.
    async fn reply(
        &self,
        response: Response<Incoming>,
        kept: Kept,
        is_read: bool,
    ) -> Result<Response<Body>, Refusal> {
        let bounds = &self.limits.bounds;
        let kind = media_type(response.headers()).to_ascii_lowercase();
        if !is_read || is_encoded(response.headers()) {
            return Ok(pass::unread(response, bounds));
        }
        match &*kind {
            EVENTS => {
                let ended = self.ended.subscribe();
                let passed = pass::unread(response, bounds);
                Ok(passed.map(|body| Learning::new(body, kept.tools, bounds, ended).into_body()))
            }
            JSON => {
                let (parts, body) = self.upstream.read(response).await?;
                let mut notices = Vec::new();
                kept.tools.receive(&body, &mut notices);
                tell(notices);
                let mut passed = pass::as_it_came(Response::from_parts(parts, whole(body)));
                // The body's actual length is written by the HTTP library.
                passed.headers_mut().remove(hyper::header::CONTENT_LENGTH);
                Ok(passed)
            }
            _ => Ok(pass::unread(response, bounds)),
        }
    }

    async fn get(&self, parts: Parts) -> Result<Response<Body>, Refusal> {
        let url = self.upstream.same_path(&parts.uri)?;
        let kept = self.session(&parts.headers);
        let headers = for_treated(parts.headers);
        let response = self.upstream.send(Method::GET, url, headers, None).await?;
        let is_read = response.status().is_success();
        self.reply(response, kept, is_read).await
    }
}

/// Answers a request.
pub(super) async fn answer(
    remote: &Remote,
    request: Request<Incoming>,
) -> Result<Response<Body>, Refusal> {
    let is_endpoint = request.uri().path() == remote.endpoint;
    match *request.method() {
        Method::POST if is_endpoint => {
            let (parts, body) = request.into_parts();
            remote.post(parts, body).await
        }
        Method::GET if is_endpoint => remote.get(request.into_parts().0).await,
        _ => {
            let ends = (is_endpoint && *request.method() == Method::DELETE)
                .then(|| remote.key(request.headers()));
            let url = remote.upstream.same_path(request.uri())?;
            let bounds = &remote.limits.bounds;
            let response = pass::through(&remote.upstream, url, request, bounds).await?;
            if let Some(key) = ends.filter(|_| response.status().is_success()) {
                remote.sessions.lock().remove(&key);
            }
            Ok(response)
        }
    }
}

/// Tells the operator which calls were not checked.
pub(super) fn tell(notices: Vec<String>) {
    for notice in notices {
        tracing::warn!("{notice}");
    }
}

//! Clients over HTTP in front of a program. Each session has its own process, and so does each open
//! request in a protocol version without sessions.

use std::collections::HashMap;
use std::ffi::OsString;
use std::sync::Arc;

use hyper::body::{Bytes, Incoming};
use hyper::header::{CACHE_CONTROL, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue};
use hyper::{Method, Request, Response, StatusCode};
use llmjson::Policy;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

use super::PATH;
use super::answers;
use super::events::{Events, Gone, Reader, UNASKED, read_id};
use super::message::{Head, has_first_event};
use super::request::{
    EVENTS, JSON, LAST_EVENT, SESSION, VERSION, accepts, check_json, check_mirrored,
    speaks_without_sessions, text,
};
use super::settings::{Config, SessionLimits, Target};
use crate::server::Body;
use crate::server::body::{Room, read_request};
use crate::server::headers::is_encoded;
use crate::server::lock::Lock;
use crate::server::refusal::Refusal;

mod lent;
mod session;

use lent::Lent;
use session::Session;

/// A program, and its processes.
pub(super) struct Local {
    program: Vec<OsString>,
    policy: Policy,
    limits: SessionLimits,
    room: Room,
    sessions: Lock<Sessions>,
    places: Arc<Semaphore>,
}

#[derive(Default)]
struct Sessions {
    by_id: HashMap<String, Arc<Session>>,
    /// Processes that wait for a request in a protocol version without sessions.
    free: Vec<Arc<Session>>,
    is_over: bool,
}

impl Local {
    pub(super) fn new(config: &Config) -> Self {
        let program = match &config.target {
            Target::Program(program) => program.clone(),
            Target::Server(_) => Vec::new(),
        };
        Self {
            program,
            policy: config.policy.clone(),
            limits: config.limits,
            room: Room::new(&config.limits.bounds),
            sessions: Lock::default(),
            places: Arc::new(Semaphore::new(
                config.limits.sessions.min(u32::MAX as usize),
            )),
        }
    }

    /// Ends all sessions, and prevents new ones.
    pub(super) fn end_all(&self) {
        let mut sessions = self.sessions.lock();
        sessions.is_over = true;
        let free = std::mem::take(&mut sessions.free);
        sessions
            .by_id
            .values()
            .chain(&free)
            .for_each(|session| session.end());
    }

    /// Waits until all processes have ended.
    pub(super) async fn ended(&self) {
        let all = self.limits.sessions.min(u32::MAX as usize) as u32;
        // Processes that do not end are killed when this program exits.
        drop(timeout(self.limits.bounds.drain, self.places.acquire_many(all)).await);
    }

    /// Starts a process, which can be found by its id if it has one.
    fn start(self: &Arc<Self>, id: Option<String>) -> Result<Arc<Session>, Refusal> {
        let place = self.place()?;
        let session = Session::start(&self.program, id.clone(), self, place)?;
        let mut sessions = self.sessions.lock();
        if sessions.is_over {
            session.end();
        } else if let Some(id) = id {
            sessions.by_id.insert(id, Arc::clone(&session));
        }
        Ok(session)
    }

    fn place(&self) -> Result<OwnedSemaphorePermit, Refusal> {
        Arc::clone(&self.places).try_acquire_owned().map_err(|_| {
            let message = "there are as many sessions as there may be (max-sessions)";
            Refusal::new("too_many_sessions", message)
        })
    }

    /// Returns a process for a single request.
    fn free(self: &Arc<Self>) -> Result<Arc<Session>, Refusal> {
        let free = self.sessions.lock().free.pop();
        free.map_or_else(|| self.start(None), Ok)
    }

    /// Takes back a process after its request was answered.
    fn take_back(&self, session: Arc<Session>) {
        let mut sessions = self.sessions.lock();
        match sessions.is_over {
            true => session.end(),
            false => sessions.free.push(session),
        }
    }

    /// Removes a session that has ended.
    fn forget(&self, session: &Arc<Session>) {
        let mut sessions = self.sessions.lock();
        sessions.free.retain(|one| !Arc::ptr_eq(one, session));
        if let Some(id) = session.id() {
            sessions.by_id.remove(id);
        }
    }

    /// Finds the session named in a request.
    fn named(&self, headers: &HeaderMap) -> Result<Option<Arc<Session>>, Refusal> {
        let Some(id) = headers.get(SESSION) else {
            return Ok(None);
        };
        let found = id.to_str().ok().and_then(|id| {
            let sessions = self.sessions.lock();
            sessions.by_id.get(id).cloned()
        });
        found.map(Some).ok_or_else(|| {
            let message = "there is no such session, expected a new one to be initialized";
            Refusal::new("unknown_session", message)
        })
    }
}

/// Answers a request.
pub(super) async fn answer(
    local: &Arc<Local>,
    request: Request<Incoming>,
) -> Result<Response<Body>, Refusal> {
    if request.uri().path() != PATH {
        let message = format!("there is nothing at this path, expected {PATH}");
        return Err(Refusal::new("no_path", message));
    }
    let has_sessions = !speaks_without_sessions(request.headers());
    match *request.method() {
        Method::POST => post(local, request).await,
        Method::GET if has_sessions => get(local, request.headers()),
        Method::DELETE if has_sessions => {
            session_of(local, request.headers())?.end();
            Ok(answers::empty(StatusCode::NO_CONTENT))
        }
        _ => Err(Refusal::new(
            "no_method",
            "the method is not one of the protocol, expected POST, or with a session GET or DELETE",
        )),
    }
}

fn session_of(local: &Local, headers: &HeaderMap) -> Result<Arc<Session>, Refusal> {
    local.named(headers)?.ok_or_else(no_session)
}

fn no_session() -> Refusal {
    let message = "the request names no session, expected the header Mcp-Session-Id";
    Refusal::new("no_session", message)
}

fn get(local: &Local, headers: &HeaderMap) -> Result<Response<Body>, Refusal> {
    let session = session_of(local, headers)?;
    if !accepts(headers, EVENTS) {
        return Err(not_acceptable(
            "the client takes no events, expected text/event-stream in Accept",
        ));
    }
    let reader = match headers.get(LAST_EVENT) {
        None => session.listen(),
        Some(id) => {
            let id = id.to_str().ok().and_then(read_id);
            id.ok_or(Gone::Unknown)
                .and_then(|(stream, number)| session.resume(stream, number))
        }
    };
    let reader = reader.map_err(|gone| {
        let (code, message) = match gone {
            Gone::Unknown => ("unknown_event", "there is no such event in this session"),
            Gone::Forgotten => (
                "forgotten_event",
                "the events behind this one are not kept any more (max-replay-bytes)",
            ),
        };
        Refusal::new(code, message)
    })?;
    Ok(events(
        reader.into_body(local.limits.bounds.keep_alive, true),
    ))
}

async fn post(local: &Arc<Local>, request: Request<Incoming>) -> Result<Response<Body>, Refusal> {
    let (parts, body) = request.into_parts();
    let mut headers = parts.headers;
    check_json(&headers)?;
    if is_encoded(&headers) {
        check_json(&HeaderMap::new())?;
    }
    let takes_events = accepts(&headers, EVENTS);
    if !takes_events && !accepts(&headers, JSON) {
        return Err(not_acceptable(
            "the client takes no answer, expected application/json and text/event-stream in Accept",
        ));
    }
    let bounds = &local.limits.bounds;
    let (body, _place) = read_request(bounds, &local.room, &mut headers, body).await?;
    let Some(head) = Head::read_damaged(&body) else {
        let message = "the body is no message, expected one of JSON-RPC, and no batch";
        return Err(Refusal::new("no_message", message));
    };
    let told = match local.named(&headers) {
        Err(refusal) => Err(refusal),
        Ok(Some(session)) => tell(local, &session, &head, &headers, body).await,
        Ok(None) if speaks_without_sessions(&headers) => alone(local, &head, &headers, body).await,
        Ok(None) if head.is("initialize") => initialize(local, &head, &headers, body).await,
        Ok(None) => Err(no_session()),
    };
    // From here on, the request's id is known.
    Ok(told.unwrap_or_else(|refusal| {
        tracing::warn!(code = refusal.code, "refused");
        answers::refused(&refusal, head.id.as_deref())
    }))
}

/// Starts a session.
async fn initialize(
    local: &Arc<Local>,
    head: &Head,
    headers: &HeaderMap,
    body: Bytes,
) -> Result<Response<Body>, Refusal> {
    let id = new_id()?;
    let value = HeaderValue::try_from(&id).expect("an id is of digits");
    let session = local.start(Some(id))?;
    let mut response = tell(local, &session, head, headers, body).await?;
    response.headers_mut().insert(SESSION, value);
    Ok(response)
}

/// Sends a message to a session, and answers with the result.
async fn tell(
    local: &Local,
    session: &Arc<Session>,
    head: &Head,
    headers: &HeaderMap,
    body: Bytes,
) -> Result<Response<Body>, Refusal> {
    if !head.is_request() {
        session.send(body, local.limits.list).await?;
        return Ok(answers::accepted());
    }
    let version = text(headers, &VERSION).unwrap_or_default();
    let takes_events = accepts(headers, EVENTS);
    let has_first = takes_events && has_first_event(version);
    let reader = session.ask(head, takes_events, has_first, &local.limits)?;
    session.send(body, local.limits.list).await?;
    let keep_alive = local.limits.bounds.keep_alive;
    match takes_events {
        true => Ok(events(reader.into_body(keep_alive, true))),
        false => Ok(answers::json(last(reader, local).await?)),
    }
}

/// Answers a message outside of a session.
async fn alone(
    local: &Arc<Local>,
    head: &Head,
    headers: &HeaderMap,
    body: Bytes,
) -> Result<Response<Body>, Refusal> {
    if !head.is_request() {
        // Over HTTP the protocol has no such messages, and a process for them would have no reply.
        return Ok(answers::accepted());
    }
    let lent = Lent::new(local, local.free()?, head);
    if Head::read(&body).is_some() {
        let mirrored = lent.session().mirrored(&body).await;
        if let Err(refusal) = check_mirrored(headers, &mirrored) {
            lent.give_back();
            return Err(refusal);
        }
    }
    let takes_events = accepts(headers, EVENTS);
    let reader = lent
        .session()
        .ask(head, takes_events, false, &local.limits)?;
    lent.session().send(body, local.limits.list).await?;
    if takes_events {
        return Ok(events(lent.into_body(reader)));
    }
    let reply = last(reader, local).await?;
    lent.give_back();
    Ok(answers::json(reply))
}

/// Waits for the response, which is the last event of its stream.
async fn last(mut reader: Reader, local: &Local) -> Result<Vec<u8>, Refusal> {
    use super::events::Item;

    let mut last = None;
    while let Some(item) = reader.next(local.limits.bounds.keep_alive).await {
        if let Item::Event(_, data) = item {
            last = Some(data.to_vec());
        }
    }
    last.ok_or_else(ended)
}

fn events(body: Body) -> Response<Body> {
    let mut response = Response::new(body);
    let headers = response.headers_mut();
    for (name, value) in [
        (CONTENT_TYPE, EVENTS),
        (CACHE_CONTROL, "no-cache, no-transform"),
        (HeaderName::from_static("x-accel-buffering"), "no"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    response
}

fn not_acceptable(message: &str) -> Refusal {
    Refusal::new("not_acceptable", message)
}

/// The refusal of a message to a process that has ended.
fn ended() -> Refusal {
    let message = "the session has ended, expected a new one to be initialized";
    Refusal::new("unknown_session", message)
}

/// An id that cannot be guessed.
fn new_id() -> Result<String, Refusal> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).map_err(|_| {
        let message = "the system gives no random numbers for the id of a session";
        Refusal::new("no_random", message)
    })?;
    Ok(format!("{:032x}", u128::from_ne_bytes(bytes)))
}

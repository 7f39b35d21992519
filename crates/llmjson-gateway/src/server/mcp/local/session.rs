//! One process of a program, and the streams of its client.

use std::collections::HashMap;
use std::ffi::OsString;
use std::sync::Arc;
use std::time::{Duration, Instant};

use hyper::body::Bytes;
use llmjson::syntax::{Raw, json_object};
use llmjson_mcp::{AwaitedList, FromClient, FromServer, Output, Proxy};
use tokio::sync::{Notify, OwnedSemaphorePermit, mpsc};

use super::{Events, Gone, Local, Reader, UNASKED, ended};
use crate::server::lock::Lock;
use crate::server::mcp::message::{Head, on_one_line};
use crate::server::mcp::process::{self, Process};
use crate::server::mcp::remote::tell;
use crate::server::mcp::settings::SessionLimits;
use crate::server::refusal::Refusal;

/// A running process.
pub(in crate::server::mcp) struct Session {
    id: Option<String>,
    client: tokio::sync::Mutex<FromClient>,
    /// `None` once it must end.
    server: Lock<Option<mpsc::Sender<Bytes>>>,
    events: Arc<Events>,
    routes: Lock<Routes>,
    ends: Notify,
}

/// The streams to which messages belong.
struct Routes {
    /// The unanswered requests.
    open: HashMap<String, Open>,
    /// Their progress tokens.
    progress: HashMap<String, u64>,
    /// `true` once the client has opened the stream for messages that belong to no request.
    is_listened: bool,
    used: Instant,
}

struct Open {
    stream: u64,
    /// `true` if the client accepts other messages there, not only the response.
    takes_events: bool,
    progress: Option<String>,
}

impl Session {
    pub(super) fn start(
        program: &[OsString],
        id: Option<String>,
        local: &Arc<Local>,
        place: OwnedSemaphorePermit,
    ) -> Result<Arc<Self>, Refusal> {
        let (process, sender) = process::start(program).map_err(|error| {
            let message = format!("the program of the server cannot be started: {error}");
            Refusal::new("not_started", message)
        })?;
        let Proxy { client, server, .. } = Proxy::new(local.policy.clone());
        let session = Arc::new(Self {
            id,
            client: tokio::sync::Mutex::new(client),
            server: Lock::new(Some(sender)),
            events: Events::new(local.limits.replay_bytes),
            routes: Lock::new(Routes {
                open: HashMap::new(),
                progress: HashMap::new(),
                is_listened: false,
                used: Instant::now(),
            }),
            ends: Notify::new(),
        });
        let (driven, local) = (Arc::clone(&session), Arc::clone(local));
        tokio::spawn(async move {
            driven.drive(process, server, &local.limits).await;
            local.forget(&driven);
            drop(place);
        });
        Ok(session)
    }

    pub(super) fn id(&self) -> Option<&str> {
        self.id.as_deref()
    }

    /// Closes the input of the process, and kills it if it does not end.
    pub(super) fn end(&self) {
        self.server.lock().take();
        self.ends.notify_one();
    }

    /// Tells the process that a request is cancelled, and ends it.
    pub(super) fn cancel(&self, request: Option<&str>) {
        if let (Some(sender), Some(id)) = (&*self.server.lock(), request) {
            let line = json_object!({
                "jsonrpc": "2.0",
                "method": "notifications/cancelled",
                "params": {
                    "requestId": Raw(id),
                    "reason": "the client has gone away",
                },
            });
            // A process that reads nothing is killed without notice.
            drop(sender.try_send(Bytes::from(line + "\n")));
        }
        self.end();
    }

    /// The headers that a message must repeat.
    pub(super) async fn mirrored(&self, message: &[u8]) -> Vec<(String, String)> {
        self.client.lock().await.mirrored(message)
    }

    /// Opens the stream for the response to a request.
    pub(super) fn ask(
        &self,
        head: &Head,
        takes_events: bool,
        has_first: bool,
        limits: &SessionLimits,
    ) -> Result<Reader, Refusal> {
        let id = head.id.clone().unwrap_or_default();
        let mut routes = self.routes.lock();
        if routes.open.contains_key(&id) {
            let message = "the id is that of a request that is not answered yet";
            return Err(Refusal::new("id_in_use", message));
        }
        if routes.open.len() >= limits.bounds.connections {
            let message = "too many open requests (limit: max-connections)";
            return Err(Refusal::new("too_many_requests", message));
        }
        let stream = self.events.open();
        let reader = self.events.read(stream, None).map_err(|_| ended())?;
        if has_first {
            self.events.push(stream, Bytes::new());
        }
        let progress = head.progress.clone().filter(|_| takes_events);
        routes
            .progress
            .extend(progress.clone().map(|token| (token, stream)));
        let open = Open {
            stream,
            takes_events,
            progress,
        };
        routes.open.insert(id, open);
        routes.used = Instant::now();
        Ok(reader)
    }

    /// Reads the stream for messages that belong to no request.
    pub(super) fn listen(&self) -> Result<Reader, Gone> {
        self.routes.lock().is_listened = true;
        self.events.read(UNASKED, None)
    }

    /// Reads a stream from after an event.
    pub(super) fn resume(&self, stream: u64, number: u64) -> Result<Reader, Gone> {
        self.events.read(stream, Some(number))
    }

    /// Sends a message to the process.
    pub(super) async fn send(
        self: &Arc<Self>,
        message: Bytes,
        limit: Duration,
    ) -> Result<(), Refusal> {
        let mut line = message.to_vec();
        on_one_line(&mut line);
        line.push(b'\n');
        // Messages reach the process in the order in which they are treated.
        let mut client = self.client.lock().await;
        let sender = self.server.lock().clone().ok_or_else(ended)?;
        let mut out = Output::default();
        let before = client.awaited_list().map(|list| list.number());
        client.push(&line, &mut out);
        if let Some(list) = client.awaited_list()
            && before != Some(list.number())
        {
            let this = Arc::clone(self);
            tokio::spawn(async move { this.give_up_late(list, limit).await });
        }
        self.routes.lock().used = Instant::now();
        tell(out.notices);
        lines(&out.to_client).for_each(|line| self.deliver(line));
        if out.to_server.is_empty() {
            return Ok(());
        }
        sender.send(out.to_server.into()).await.map_err(|_| ended())
    }

    /// Limits how long calls wait for a tool list.
    async fn give_up_late(self: &Arc<Self>, list: AwaitedList, limit: Duration) {
        tokio::time::sleep(limit).await;
        let mut out = Output::default();
        list.give_up(&mut out);
        tell(out.notices);
        lines(&out.to_client).for_each(|line| self.deliver(line));
        self.answer(out.to_server);
    }

    /// Forwards the output of the process until it ends.
    async fn drive(
        self: &Arc<Self>,
        mut process: Process,
        mut server: FromServer,
        limits: &SessionLimits,
    ) {
        let (mut out, mut line) = (Output::default(), Vec::new());
        let (mut reason, mut is_ending) = (None, false);
        while reason.is_none() {
            let count = tokio::select! {
                count = process.read() => count,
                () = self.is_to_end(limits.session), if !is_ending => {
                    is_ending = true;
                    self.server.lock().take();
                    process.ends();
                    continue;
                }
            };
            if count == 0 {
                break;
            }
            server.push(process.said(count), &mut out);
            tell(std::mem::take(&mut out.notices));
            self.answer(std::mem::take(&mut out.to_server));
            for piece in out.to_client.split_inclusive(|byte| *byte == b'\n') {
                line.extend_from_slice(piece);
                let bytes_max = limits.bounds.reply_bytes;
                if line.trim_ascii_end().len() > bytes_max {
                    reason = Some(format!(
                        "a message is longer than {bytes_max} bytes (max-reply-bytes)"
                    ));
                    break;
                }
                if line.ends_with(b"\n") {
                    self.deliver(&line);
                    line.clear();
                }
            }
            out.to_client.clear();
            self.events.room().await;
        }
        self.server.lock().take();
        if reason.is_some() {
            process.ends();
        }
        let status = process.exited().await;
        let reason = reason.unwrap_or_else(|| match status {
            Ok(status) => status.to_string(),
            Err(error) => error.to_string(),
        });
        let answers = server.finish(&reason, &mut out);
        lines(&answers).for_each(|line| self.deliver(line));
        self.events.end();
    }

    /// Sends the process the answers to its own messages. This is not awaited, because the process
    /// may not read before more of its output is read.
    fn answer(self: &Arc<Self>, bytes: Vec<u8>) {
        if bytes.is_empty() {
            return;
        }
        if let Some(sender) = self.server.lock().clone() {
            tokio::spawn(async move { drop(sender.send(bytes.into()).await) });
        }
    }

    /// Waits until the session must end, or was idle for too long.
    async fn is_to_end(&self, unused: Duration) {
        let is_unused = async {
            loop {
                let until = {
                    let mut routes = self.routes.lock();
                    if !routes.open.is_empty() || self.events.is_read() {
                        routes.used = Instant::now();
                    }
                    routes.used + unused
                };
                if until <= Instant::now() {
                    return;
                }
                tokio::time::sleep_until(until.into()).await;
            }
        };
        tokio::select! {
            () = self.ends.notified() => {}
            () = is_unused => {}
        }
    }

    /// Puts a server message on its stream.
    fn deliver(&self, line: &[u8]) {
        let mut line = line.trim_ascii().to_vec();
        let Some(head) = Head::read(&line) else {
            if !line.is_empty() {
                tracing::warn!("what the server wrote was left out, since it is no message");
            }
            return;
        };
        on_one_line(&mut line);
        let mut routes = self.routes.lock();
        if head.is_response() {
            let open = head.id.and_then(|id| routes.open.remove(&id));
            let Some(open) = open else {
                return;
            };
            if let Some(token) = open.progress {
                routes.progress.remove(&token);
            }
            routes.used = Instant::now();
            drop(routes);
            self.events.push(open.stream, line.into());
            self.events.finish(open.stream);
            return;
        }
        let of_progress = head
            .progress_of
            .and_then(|token| routes.progress.get(&token).copied());
        // A client that does not listen receives it on a stream where it waits for something.
        let waiting = routes.open.values().filter(|open| open.takes_events);
        let last = waiting.map(|open| open.stream).max();
        let last = last.filter(|_| !routes.is_listened);
        drop(routes);
        let stream = of_progress.or(last).unwrap_or(UNASKED);
        self.events.push(stream, line.into());
    }
}

fn lines(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    bytes.split_inclusive(|byte| *byte == b'\n')
}

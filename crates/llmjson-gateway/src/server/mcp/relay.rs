//! A client on standard input in front of a server over HTTP: each message becomes a request, and
//! each reply a line.

use std::collections::HashMap;
use std::future::pending;
use std::io;
use std::sync::Arc;
use std::time::Duration;

use llmjson_mcp::{AwaitedList, FromClient, FromServer, Output, Proxy};
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _};
use tokio::sync::{mpsc, watch};
use tokio::task::{AbortHandle, JoinSet};
use tokio::time::{Instant, sleep_until, timeout};

use super::answers;
use super::message::Head;
use super::remote::tell;
use super::settings::{Config, Target};
use crate::server::headers::new_via;
use crate::server::upstream::Upstream;

mod exchange;
mod link;

use link::Link;

/// The size of the read buffer, in bytes.
const READ_BYTES: usize = 64 * 1024;
/// The maximum number of server lines that wait for the client.
const WAITING_MAX: usize = 64;
/// The time for the server to end the session.
const END_TIMEOUT: Duration = Duration::from_secs(5);

/// News from requests, for the client side.
pub(super) enum News {
    /// A server message, on one line with its line end.
    Line(Vec<u8>),
    /// A client request has ended, with any result.
    Over(String),
}

/// The client side.
struct Relay<W> {
    client: FromClient,
    server: FromServer,
    link: Arc<Link>,
    output: W,
    news: mpsc::Sender<News>,
    tasks: JoinSet<()>,
    /// The requests that have not ended.
    open: HashMap<String, AbortHandle>,
    /// Ready when the server has accepted the last message without an answer.
    taken: Option<watch::Receiver<()>>,
    /// `true` if the client uses a version with sessions and has initialized.
    has_session: bool,
    open_max: usize,
}

pub(super) async fn run(
    config: Config,
    mut input: impl AsyncRead + Unpin,
    output: impl AsyncWrite + Unpin,
) -> io::Result<()> {
    let Target::Server(server) = &config.target else {
        let message = "a program is no server over HTTP, expected a URL";
        return Err(io::Error::new(io::ErrorKind::InvalidInput, message));
    };
    let bounds = config.limits.bounds;
    let upstream = Upstream::new(server, bounds, new_via()).map_err(io::Error::other)?;
    let url = upstream.base().clone();
    let link = Link::new(upstream, url, config.headers, bounds);
    let (news, mut told) = mpsc::channel(WAITING_MAX);
    let Proxy { client, server, .. } = Proxy::new(config.policy);
    let mut relay = Relay {
        client,
        server,
        link: Arc::new(link),
        output,
        news,
        tasks: JoinSet::new(),
        open: HashMap::new(),
        taken: None,
        has_session: false,
        open_max: bounds.connections,
    };
    let mut buffer = vec![0; READ_BYTES];
    let mut out = Output::default();
    let mut listing = Listing::default();
    loop {
        listing.follow(&relay.client, config.limits.list);
        tokio::select! {
            () = listing.late() => listing.give_up(&mut out),
            count = input.read(&mut buffer) => match count {
                Ok(count) if count > 0 => relay.client.push(&buffer[..count], &mut out),
                _ => break,
            },
            Some(news) = told.recv() => relay.hear(news, &mut out),
        }
        relay.flush(&mut out).await?;
    }
    relay.client.finish(&mut out);
    relay.flush(&mut out).await?;
    let rest = async {
        while !relay.open.is_empty() || relay.client.awaits_list() {
            listing.follow(&relay.client, config.limits.list);
            tokio::select! {
                () = listing.late() => listing.give_up(&mut out),
                Some(news) = told.recv() => relay.hear(news, &mut out),
            }
            relay.flush(&mut out).await?;
        }
        // The last messages without an answer are still in flight.
        if let Some(mut taken) = relay.taken.take() {
            drop(taken.changed().await);
        }
        io::Result::Ok(())
    };
    match timeout(bounds.drain, rest).await {
        Ok(result) => result?,
        Err(_) => tracing::warn!("requests were given up at the end of the input (drain-timeout)"),
    }
    relay.tasks.shutdown().await;
    drop(timeout(END_TIMEOUT, relay.link.end()).await);
    Ok(())
}

/// Calls waiting for a tool list.
#[derive(Default)]
struct Listing(Option<(AwaitedList, Instant)>);

impl Listing {
    /// Starts waiting, if the client's side has.
    fn follow(&mut self, client: &FromClient, limit: Duration) {
        let list = client.awaited_list();
        let number = |list: &AwaitedList| list.number();
        if list.as_ref().map(number) != self.0.as_ref().map(|(list, _)| number(list)) {
            self.0 = list.map(|list| (list, Instant::now() + limit));
        }
    }

    /// Ready when the list is overdue.
    async fn late(&self) {
        match &self.0 {
            Some((_, until)) => sleep_until(*until).await,
            None => pending().await,
        }
    }

    fn give_up(&mut self, out: &mut Output) {
        if let Some((list, _)) = self.0.take() {
            list.give_up(out);
        }
    }
}

impl<W: AsyncWrite + Unpin> Relay<W> {
    fn hear(&mut self, news: News, out: &mut Output) {
        match news {
            News::Line(line) => self.server.push(&line, out),
            News::Over(id) => drop(self.open.remove(&id)),
        }
        while self.tasks.try_join_next().is_some() {}
    }

    /// Writes output for the client, and sends output for the server.
    async fn flush(&mut self, out: &mut Output) -> io::Result<()> {
        tell(std::mem::take(&mut out.notices));
        for line in std::mem::take(&mut out.to_server).split(|byte| *byte == b'\n') {
            if !line.trim_ascii().is_empty() {
                self.send(line.to_vec(), out);
            }
        }
        if !out.to_client.is_empty() {
            self.output.write_all(&out.to_client).await?;
            self.output.flush().await?;
            out.to_client.clear();
        }
        Ok(())
    }

    fn send(&mut self, line: Vec<u8>, out: &mut Output) {
        let head = Head::read(&line).unwrap_or_default();
        let id = head.id.clone().filter(|_| head.is_request());
        if let Some(id) = &id
            && self.open.len() >= self.open_max
        {
            let message = "too many open requests (limit: max-connections)";
            let answer = answers::failed(id, message) + "\n";
            return self.server.push(answer.as_bytes(), out);
        }
        self.has_session |= head.is("initialize");
        // Without a session, a request is cancelled by closing its connection.
        if let Some(cancelled) = head.cancels.as_ref().filter(|_| !self.has_session) {
            if let Some(request) = self.open.remove(cancelled) {
                request.abort();
            }
            return;
        }
        let mirrored = self.client.mirrored(&line);
        let (link, news) = (Arc::clone(&self.link), self.news.clone());
        let before = self.taken.clone();
        let taken = id.is_none().then(|| watch::channel(()));
        let (done, taken) = taken.unzip();
        let task = self.tasks.spawn(async move {
            // A message without an answer must be accepted before later messages are sent.
            if let Some(mut before) = before {
                drop(before.changed().await);
            }
            link.exchange(line, &head, &mirrored, &news).await;
            if let Some(id) = head.id.clone().filter(|_| head.is_request()) {
                drop(news.send(News::Over(id)).await);
            }
            drop(done);
            if head.is("notifications/initialized") {
                link.listen(&news).await;
            }
        });
        if let Some(id) = id {
            self.open.insert(id, task);
        }
        if taken.is_some() {
            self.taken = taken;
        }
    }
}

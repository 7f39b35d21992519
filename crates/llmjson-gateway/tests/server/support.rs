//! A gateway, the clients before it and the upstream behind it, each driven by the test step by step.
//!
//! All waits are ended by a guard, which only a failing test meets.

use std::future::Future;
use std::io::Write;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::pin::Pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Duration;

use llmjson_gateway::server::{Config, Settings, serve};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use tokio::time::timeout;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::prelude::*;

const GUARD: Duration = Duration::from_secs(60);

/// Waits, but not for ever.
pub(crate) async fn guarded<T>(what: impl Future<Output = T>) -> T {
    timeout(GUARD, what)
        .await
        .expect("it happens before the guard")
}

/// One side of a connection, byte for byte.
pub(crate) struct Wire {
    stream: TcpStream,
    read: Vec<u8>,
}

/// A request or a reply.
#[derive(Debug)]
pub(crate) struct Message {
    pub(crate) head: String,
    pub(crate) body: Vec<u8>,
    /// `false` if the connection ended first.
    pub(crate) is_whole: bool,
}

impl Message {
    pub(crate) fn first(&self) -> &str {
        self.head.lines().next().unwrap_or_default()
    }

    pub(crate) fn status(&self) -> u16 {
        let status = self
            .first()
            .split(' ')
            .nth(1)
            .and_then(|status| status.parse().ok());
        status.unwrap_or_else(|| panic!("no status: {:?}", self.head))
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.head.lines().skip(1).find_map(|line| {
            let (given, value) = line.split_once(':')?;
            given.eq_ignore_ascii_case(name).then_some(value.trim())
        })
    }

    pub(crate) fn text(&self) -> &str {
        std::str::from_utf8(&self.body).expect("the body is UTF-8")
    }

    /// The short name of an error of the gateway.
    pub(crate) fn code(&self) -> String {
        let body: serde_json::Value = serde_json::from_slice(&self.body).unwrap_or_default();
        body["error"]["code"]
            .as_str()
            .unwrap_or_default()
            .to_owned()
    }
}

impl Wire {
    pub(crate) fn new(stream: TcpStream) -> Self {
        stream.set_nodelay(true).expect("the option exists");
        Self {
            stream,
            read: Vec::new(),
        }
    }

    pub(crate) async fn send(&mut self, bytes: impl AsRef<[u8]>) {
        guarded(self.stream.write_all(bytes.as_ref()))
            .await
            .expect("the other side reads");
    }

    /// Sends as much as goes; the other side may have left.
    pub(crate) async fn try_send(&mut self, bytes: impl AsRef<[u8]>) -> bool {
        guarded(self.stream.write_all(bytes.as_ref())).await.is_ok()
    }

    /// Ends this side only.
    pub(crate) async fn shut(&mut self) {
        guarded(self.stream.shutdown()).await.expect("it is open");
    }

    /// Reads more; `false` at the end.
    async fn more(&mut self) -> bool {
        guarded(self.stream.read_buf(&mut self.read))
            .await
            .is_ok_and(|count| count > 0)
    }

    /// Reads until these bytes have come, and returns all up to them.
    pub(crate) async fn until(&mut self, end: &[u8]) -> Option<Vec<u8>> {
        loop {
            let at = self
                .read
                .windows(end.len())
                .position(|window| window == end);
            if let Some(at) = at {
                let rest = self.read.split_off(at + end.len());
                return Some(std::mem::replace(&mut self.read, rest));
            }
            if !self.more().await {
                return None;
            }
        }
    }

    /// Waits for the end of the connection, whatever comes before it.
    pub(crate) async fn closed(&mut self) {
        while self.more().await {
            self.read.clear();
        }
    }

    /// Reads a head, without the body.
    pub(crate) async fn head(&mut self) -> Message {
        let head = self.until(b"\r\n\r\n").await.unwrap_or_default();
        let head = String::from_utf8(head).expect("the head is ASCII");
        Message {
            head,
            body: Vec::new(),
            is_whole: false,
        }
    }

    /// Reads a request or a reply.
    pub(crate) async fn message(&mut self) -> Message {
        let mut message = self.head().await;
        if message.header("transfer-encoding") == Some("chunked") {
            while let Some(piece) = self.chunk().await {
                message.is_whole = piece.is_empty();
                if message.is_whole {
                    break;
                }
                message.body.extend(piece);
            }
            return message;
        }
        let promised = message
            .header("content-length")
            .map(|length| length.parse().expect("a length"));
        let length = promised.unwrap_or(0);
        while self.read.len() < length && self.more().await {}
        message.is_whole = self.read.len() >= length && !message.head.is_empty();
        let rest = self.read.split_off(length.min(self.read.len()));
        message.body = std::mem::replace(&mut self.read, rest);
        message
    }

    /// Reads the rest of a chunked body.
    pub(crate) async fn chunks(&mut self) -> String {
        let mut all = Vec::new();
        loop {
            match self.chunk().await.expect("the end is told") {
                end if end.is_empty() => return String::from_utf8(all).expect("UTF-8"),
                piece => all.extend(piece),
            }
        }
    }

    /// Reads a chunk of a chunked body: empty at its end, and `None` if the connection ended.
    pub(crate) async fn chunk(&mut self) -> Option<Vec<u8>> {
        let line = self.until(b"\r\n").await?;
        let length = std::str::from_utf8(&line).expect("a length").trim_end();
        let length = usize::from_str_radix(length, 16).expect("a length");
        while self.read.len() < length + 2 {
            if !self.more().await {
                return None;
            }
        }
        let rest = self.read.split_off(length + 2);
        let mut chunk = std::mem::replace(&mut self.read, rest);
        chunk.truncate(length);
        Some(chunk)
    }
}

/// An upstream, whose connections the test accepts and answers.
pub(crate) struct Upstream {
    listener: TcpListener,
}

impl Upstream {
    pub(crate) async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0")
            .await
            .expect("a port is free");
        Self { listener }
    }

    /// Starts one at the address of another that has ended, if that is free by now.
    pub(crate) async fn at(address: SocketAddr) -> Option<Self> {
        let listener = TcpListener::bind(address).await.ok()?;
        Some(Self { listener })
    }

    pub(crate) fn address(&self) -> SocketAddr {
        self.listener.local_addr().expect("it listens")
    }

    pub(crate) async fn accept(&self) -> Wire {
        let (stream, _) = guarded(self.listener.accept()).await.expect("it listens");
        Wire::new(stream)
    }

    /// Accepts a connection, and reads its request.
    pub(crate) async fn asked(&self) -> (Wire, Message) {
        let mut wire = self.accept().await;
        let request = wire.message().await;
        (wire, request)
    }
}

/// Ready when a server is to end.
pub(crate) type Ended = Pin<Box<dyn Future<Output = ()> + Send>>;

/// A gateway that ends with its test.
pub(crate) struct Gateway {
    pub(crate) address: SocketAddr,
    shutdown: Option<oneshot::Sender<()>>,
    served: JoinHandle<std::io::Result<()>>,
}

impl Gateway {
    /// Starts one in front of an upstream, with further lines of settings.
    pub(crate) async fn before(upstream: &Upstream, settings: &str) -> Self {
        Self::start(&format!(
            "upstream = 'http://{}/v1'\n{settings}",
            upstream.address()
        ))
        .await
    }

    pub(crate) async fn start(settings: &str) -> Self {
        let settings = Settings::from_toml(settings).expect("the settings are right");
        let config = Config::new(&settings).expect("the settings can be used");
        Self::serving(|listener, ended| serve(config, listener, ended)).await
    }

    /// Starts whatever serves on a listener until it is told to end.
    pub(crate) async fn serving<F>(serve: impl FnOnce(TcpListener, Ended) -> F) -> Self
    where
        F: Future<Output = std::io::Result<()>> + Send + 'static,
    {
        lines();
        let listener = TcpListener::bind("127.0.0.1:0")
            .await
            .expect("a port is free");
        let address = listener.local_addr().expect("it listens");
        let (shutdown, told) = oneshot::channel();
        let ended: Ended = Box::pin(async {
            // A test that has ended drops the other side.
            let _ = told.await;
        });
        let served = tokio::spawn(serve(listener, ended));
        Self {
            address,
            shutdown: Some(shutdown),
            served,
        }
    }

    pub(crate) async fn connect(&self) -> Wire {
        Wire::new(
            guarded(TcpStream::connect(self.address))
                .await
                .expect("it listens"),
        )
    }

    /// Sends a request on a connection of its own.
    pub(crate) async fn ask(&self, request: impl AsRef<[u8]>) -> Wire {
        let mut wire = self.connect().await;
        wire.send(request).await;
        wire
    }

    /// Tells it to end.
    pub(crate) fn end(&mut self) {
        drop(self.shutdown.take());
    }

    pub(crate) async fn ended(self) {
        guarded(self.served)
            .await
            .expect("no panic")
            .expect("no error");
    }
}

pub(crate) fn get(path: &str) -> String {
    format!("GET {path} HTTP/1.1\r\nhost: localhost\r\n\r\n")
}

pub(crate) fn post(path: &str, body: &str) -> String {
    let length = body.len();
    format!(
        "POST {path} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: {length}\r\n\r\n{body}"
    )
}

pub(crate) fn chat(body: &str) -> String {
    post("/v1/chat/completions", body)
}

/// A whole reply, the last on its connection.
pub(crate) fn ok(body: &str) -> String {
    let length = body.len();
    format!(
        "HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-type: application/json\r\ncontent-length: {length}\r\n\r\n{body}"
    )
}

/// The head of a streamed reply, the last on its connection.
pub(crate) const EVENTS: &str = "HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n";

/// A piece of a chunked body; the empty one ends it.
pub(crate) fn chunk(text: &str) -> String {
    format!("{:x}\r\n{text}\r\n", text.len())
}

/// A request that a plain chat sends, and its reply.
pub(crate) const ASK: &str = r#"{"model":"m","messages":[{"role":"user","content":"Hi"}]}"#;
pub(crate) const ASK_STREAM: &str =
    r#"{"model":"m","stream":true,"messages":[{"role":"user","content":"Hi"}]}"#;
pub(crate) const REPLY: &str = "{\"id\": \"1\",  \"choices\": [{\"index\":0,\"message\":{\"role\":\"assistant\",\"content\":\"Hello\"},\"finish_reason\":\"stop\"}]}\n";

/// A chunk of a streamed reply, with its frame.
pub(crate) fn delta(text: &str) -> String {
    format!("data: {{\"choices\":[{{\"index\":0,\"delta\":{{\"content\":\"{text}\"}}}}]}}\n\n")
}

/// A folder that goes when the test ends.
pub(crate) struct Folder(pub(crate) PathBuf);

impl Folder {
    pub(crate) fn new() -> Self {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = format!("llmjson-gateway-{}-{number}", std::process::id());
        Self(Path::new(env!("CARGO_TARGET_TMPDIR")).join(name))
    }

    pub(crate) fn lines(&self) -> Vec<serde_json::Value> {
        let text =
            std::fs::read_to_string(self.0.join("replies.jsonl")).expect("there are reports");
        text.lines()
            .map(|line| serde_json::from_str(line).expect("a line is JSON"))
            .collect()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // A folder that stays behind is in the one for that.
        drop(std::fs::remove_dir_all(&self.0));
    }
}

/// The log of all tests, which share their threads' work.
#[derive(Clone, Default)]
struct Lines(Arc<Mutex<Vec<u8>>>);

impl Write for Lines {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().expect("no panic").extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

fn lines() -> &'static Lines {
    static LINES: OnceLock<Lines> = OnceLock::new();
    LINES.get_or_init(|| {
        let lines = Lines::default();
        let writer = lines.clone();
        let layer = tracing_subscriber::fmt::layer()
            .with_ansi(false)
            .with_writer(move || writer.clone());
        let all = Targets::new().with_target("llmjson_gateway", tracing::Level::TRACE);
        let logs = tracing_subscriber::registry().with(layer).with(all);
        tracing::subscriber::set_global_default(logs).expect("there is no other");
        lines
    })
}

/// The log so far.
pub(crate) fn log() -> String {
    let lines = lines().0.lock().expect("no panic").clone();
    String::from_utf8(lines).expect("UTF-8")
}

/// The lines of the log with some text, once there is one.
pub(crate) async fn log_of(text: &str) -> Vec<String> {
    for _ in 0..1000 {
        let log = log();
        let lines: Vec<String> = log
            .lines()
            .filter(|line| line.contains(text))
            .map(str::to_owned)
            .collect();
        if !lines.is_empty() {
            return lines;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("{text} is not in the log");
}

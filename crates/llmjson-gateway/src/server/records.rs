//! Records of replies: a log line, the metrics, and a line of JSON in the report file.

use std::fs::{File, OpenOptions, create_dir_all};
use std::io::{self, Write as _};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use memchr::memmem;
use serde::Serialize;
use serde_json::value::RawValue;

use super::Gateway;
use super::lock::Lock;
use crate::{Outcome, Report};

const NAME: &str = "replies.jsonl";

/// The end of a streamed reply in which its usage is found.
const TAIL_BYTES: usize = 8192;

/// The longest name of a model in logs and metrics.
pub(super) const MODEL_BYTES_MAX: usize = 128;

/// The outcome of a reply whose client has disconnected.
pub(super) const CANCELLED: &str = "cancelled";
/// The outcome of a reply that is passed on without being read.
pub(super) const BYPASSED: &str = "bypassed";
/// The outcome of a request that is not read.
pub(super) const PASSED: &str = "passed";
/// The outcome of a request that the upstream answered with an error, or not at all.
pub(super) const ERROR: &str = "error";

/// The file, or `None` if reports are off.
#[derive(Debug, Default)]
pub(super) struct Records(Option<Lock<File>>);

/// The record of one reply, which is complete when the reply has ended.
#[derive(Clone, Debug)]
pub(super) struct Record {
    pub(super) id: String,
    pub(super) path: String,
    pub(super) model: Option<String>,
    /// The name of the upstream.
    pub(super) upstream: Arc<str>,
    /// The status that the client gets.
    pub(super) status: u16,
    /// The reason why the reply ended early.
    pub(super) cause: Option<String>,
    /// The time that the gateway worked on it.
    pub(super) added: Duration,
    begun: Instant,
    /// The time to the first event of a stream.
    pub(super) first: Option<Duration>,
    /// The tokens of all replies of the upstream.
    pub(super) tokens: Tokens,
    /// The tokens of the current one, if it is streamed.
    current: Tokens,
    tail: Vec<u8>,
}

/// The numbers of tokens that a reply reports.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Tokens {
    pub(super) input: Option<u64>,
    pub(super) output: Option<u64>,
}

/// Marks a response whose record is, or will be, logged by itself.
#[derive(Clone, Copy, Debug)]
pub(super) struct Logged;

#[derive(Serialize)]
struct Line<'a> {
    time: f64,
    request_id: &'a str,
    model: Option<&'a str>,
    upstream: &'a str,
    reply: &'a str,
    report: Option<Box<RawValue>>,
}

impl Tokens {
    /// Finds the last usage in a reply, by the names of all dialects.
    fn of(text: &[u8]) -> Self {
        Self {
            input: last_number(text, [b"\"prompt_tokens\"", b"\"input_tokens\""]),
            output: last_number(text, [b"\"completion_tokens\"", b"\"output_tokens\""]),
        }
    }

    fn or(self, other: Self) -> Self {
        Self {
            input: self.input.or(other.input),
            output: self.output.or(other.output),
        }
    }

    fn add(&mut self, other: Self) {
        let sum = |one: Option<u64>, other: Option<u64>| match (one, other) {
            (Some(one), Some(other)) => Some(one.saturating_add(other)),
            (one, other) => one.or(other),
        };
        self.input = sum(self.input, other.input);
        self.output = sum(self.output, other.output);
    }
}

/// Returns the number after the last of some member names.
fn last_number(text: &[u8], names: [&[u8]; 2]) -> Option<u64> {
    let ends = names.map(|name| memmem::rfind(text, name).map(|at| at + name.len()));
    let rest = text[ends.into_iter().flatten().max()?..].trim_ascii_start();
    let rest = rest.strip_prefix(b":")?.trim_ascii_start();
    let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
    std::str::from_utf8(&rest[..digits]).ok()?.parse().ok()
}

impl Record {
    pub(super) fn new(id: String, path: &str, upstream: Arc<str>, model: Option<&str>) -> Self {
        Self {
            id,
            path: path.to_owned(),
            model: model.map(str::to_owned),
            upstream,
            status: 200,
            cause: None,
            added: Duration::ZERO,
            begun: Instant::now(),
            first: None,
            tokens: Tokens::default(),
            current: Tokens::default(),
            tail: Vec::new(),
        }
    }

    /// Notes a whole reply of the upstream.
    pub(super) fn whole(&mut self, body: &[u8]) {
        self.tokens.add(Tokens::of(body));
    }

    /// Notes a piece of a streamed reply.
    pub(super) fn piece(&mut self, piece: &[u8]) {
        if self.first.is_none() && memmem::find(piece, b"data:").is_some() {
            self.first = Some(self.begun.elapsed());
            // Some servers report the input at the beginning.
            self.current = Tokens::of(piece);
        }
        self.tail
            .extend_from_slice(&piece[piece.len().saturating_sub(TAIL_BYTES)..]);
        if self.tail.len() > 2 * TAIL_BYTES {
            self.tail.drain(..self.tail.len() - TAIL_BYTES);
        }
    }

    /// Notes the end of a streamed reply.
    pub(super) fn end(&mut self) {
        let tail = std::mem::take(&mut self.tail);
        let current = std::mem::take(&mut self.current);
        self.tokens.add(Tokens::of(&tail).or(current));
    }

    /// Logs, counts and reports a reply that has ended. `reply` names how it was treated.
    pub(super) fn tell(
        &self,
        gateway: &Gateway,
        reply: &str,
        outcome: &str,
        report: Option<&Report>,
    ) {
        gateway.metrics.reply(self, outcome, report);
        // A reply that is an error says nothing about the model's.
        if outcome != ERROR {
            gateway.records.add(self, reply, report);
        }
        let is_bad = matches!(outcome, ERROR | BYPASSED) || outcome == Outcome::Failed.name();
        let (record, reply, outcome) = (self.clone(), reply.to_owned(), outcome.to_owned());
        let say = move || {
            let model = record.model.as_deref();
            macro_rules! line {
                ($level:ident) => {
                    tracing::$level!(
                        id = record.id,
                        path = record.path,
                        status = record.status,
                        model = model.filter(|model| model.len() <= MODEL_BYTES_MAX),
                        upstream = &*record.upstream,
                        reply,
                        outcome,
                        cause = record.cause.as_deref(),
                        seconds = record.begun.elapsed().as_secs_f64(),
                        first_seconds = record.first.map(|time| time.as_secs_f64()),
                        input_tokens = record.tokens.input,
                        output_tokens = record.tokens.output,
                        "answered"
                    )
                };
            }
            match is_bad {
                true => line!(warn),
                false => line!(info),
            }
        };
        // A separate task runs after the answer was written, so no client waits for the log.
        match tokio::runtime::Handle::try_current() {
            Ok(runtime) => drop(runtime.spawn(async move { say() })),
            Err(_) => say(),
        }
    }
}

impl Records {
    pub(super) fn open(folder: Option<&Path>) -> io::Result<Self> {
        let Some(folder) = folder else {
            return Ok(Self::default());
        };
        let open = || {
            create_dir_all(folder)?;
            let mut options = OpenOptions::new();
            options.create(true).append(true);
            // Reports contain member names and tool names, so only the owner may read them.
            #[cfg(unix)]
            std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
            options.open(folder.join(NAME))
        };
        let file = open().map_err(|error| {
            let place = folder.join(NAME);
            io::Error::new(
                error.kind(),
                format!("report-dir: {}: {error}", place.display()),
            )
        })?;
        Ok(Self(Some(Lock::new(file))))
    }

    /// Adds a line.
    fn add(&self, record: &Record, reply: &str, report: Option<&Report>) {
        let Some(file) = &self.0 else {
            return;
        };
        let now = SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .unwrap_or_default();
        let line = Line {
            time: now.as_secs_f64(),
            request_id: &record.id,
            model: record.model.as_deref(),
            upstream: &record.upstream,
            reply,
            report: report
                .map(|report| RawValue::from_string(report.to_json()).expect("it is JSON")),
        };
        let mut line = serde_json::to_string(&line).expect("a line is texts and numbers");
        line.push('\n');
        // A single write, so that lines of several processes don't mix.
        let mut file = file.lock();
        if let Err(error) = file.write_all(line.as_bytes()) {
            tracing::error!(%error, "the report cannot be written");
        }
    }
}

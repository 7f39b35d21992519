//! A streamed reply on its way to the client.

use std::pin::Pin;
use std::sync::Arc;
use std::time::{Duration, Instant};

use futures_util::stream::unfold;
use http_body_util::{BodyExt as _, StreamBody};
use hyper::Response;
use hyper::body::{Bytes, Frame, Incoming};
use tokio::time::sleep;

use super::body::timed;
use super::chat::{Ask, Reply};
use super::metrics::OpenStream;
use super::records::Record;
use super::refusal::Refusal;
use super::{Body, BoxError, Gateway};
use crate::Report;
use crate::chat::Finished;
use crate::dialect::Stream;

/// A comment, which readers of server-sent events ignore.
const WAITING: &[u8] = b": waiting\n\n";

/// The outcome of a reply whose client has disconnected.
pub(super) const CANCELLED: &str = "cancelled";

type Asked = Result<Response<Incoming>, Refusal>;

/// The treated bytes of an upstream, for one client. It works only when the client reads. If the
/// client disconnects, it is dropped together with the upstream request.
pub(super) struct Relay {
    gateway: Arc<Gateway>,
    ask: Ask,
    stream: Stream,
    source: Source,
    record: Record,
    added: Duration,
    /// The time at which the client last received something.
    told: Instant,
    _open: OpenStream,
}

pub(super) enum Source {
    Reads(Body),
    /// The upstream was asked and has not answered yet.
    Asks(Pin<Box<dyn Future<Output = Asked> + Send>>),
    Ended,
}

/// The next thing that happens.
enum Event {
    Piece(Bytes),
    End { complete: bool },
    Answered(Asked),
    Waits,
}

impl Relay {
    pub(super) fn new(
        gateway: Arc<Gateway>,
        ask: Ask,
        stream: Stream,
        source: Source,
        record: Record,
        added: Duration,
    ) -> Self {
        Self {
            _open: gateway.metrics.open_stream(),
            gateway,
            ask,
            stream,
            source,
            record,
            added,
            told: Instant::now(),
        }
    }

    pub(super) fn into_body(self) -> Body {
        StreamBody::new(unfold(self, Self::next)).boxed_unsync()
    }

    /// Waits until there is something to send to the client.
    async fn next(mut self) -> Option<(Result<Frame<Bytes>, BoxError>, Self)> {
        let mut out = Vec::new();
        while out.is_empty() {
            match self.event().await? {
                Event::Piece(piece) => {
                    let start = Instant::now();
                    self.stream.push(&piece, &mut out);
                    self.added += start.elapsed();
                    // Pieces may be held back for long, and the client must see that the stream is
                    // alive.
                    if out.is_empty() && self.told.elapsed() >= self.gateway.bounds.keep_alive {
                        out.extend_from_slice(WAITING);
                    }
                }
                Event::End { complete } => self.finish(complete, &mut out),
                Event::Answered(Ok(response))
                    if matches!(Reply::of(&response, true), Reply::Stream) =>
                {
                    let body = timed(response.into_body(), &self.gateway.bounds);
                    self.source = Source::Reads(body);
                }
                Event::Answered(answer) => {
                    let message = match answer {
                        Ok(response) => format!(
                            "The upstream answered with status {}, not with events.",
                            response.status()
                        ),
                        Err(refusal) => refusal.message,
                    };
                    self.stream.break_off(&message, "upstream_status", &mut out);
                    self.finish(false, &mut out);
                }
                Event::Waits => out.extend_from_slice(WAITING),
            }
        }
        self.told = Instant::now();
        Some((Ok(Frame::data(out.into())), self))
    }

    async fn event(&mut self) -> Option<Event> {
        match &mut self.source {
            Source::Ended => None,
            Source::Reads(body) => Some(tokio::select! {
                frame = body.frame() => match frame {
                    // A trailer is not part of the events.
                    Some(Ok(frame)) => Event::Piece(frame.into_data().unwrap_or_default()),
                    Some(Err(_)) => Event::End { complete: false },
                    None => Event::End { complete: true },
                },
                // Inside an event, a comment would become part of it.
                () = sleep(self.gateway.bounds.keep_alive), if self.stream.is_between_events() => Event::Waits,
            }),
            Source::Asks(asked) => Some(tokio::select! {
                asked = asked => Event::Answered(asked),
                () = sleep(self.gateway.bounds.keep_alive) => Event::Waits,
            }),
        }
    }

    fn finish(&mut self, complete: bool, out: &mut Vec<u8>) {
        let start = Instant::now();
        let finished = self.stream.finish(complete, out);
        self.added += start.elapsed();
        self.source = match finished {
            Finished::Ask(body) => Source::Asks(Box::pin(self.ask.clone().send(body))),
            Finished::Done(report) => {
                let reply = if complete { "streamed" } else { "broke_off" };
                self.tell(reply, report.outcome().name(), &report);
                Source::Ended
            }
        };
    }

    fn tell(&self, reply: &'static str, outcome: &'static str, report: &Report) {
        self.gateway.metrics.reply(outcome, report, self.added);
        self.gateway.records.add(&self.record, reply, Some(report));
        tracing::info!(id = self.record.id, reply, outcome, "the stream has ended");
    }
}

impl Drop for Relay {
    fn drop(&mut self) {
        if matches!(self.source, Source::Ended) {
            return;
        }
        // The client has disconnected: report the outcome up to that point.
        let report = match self.stream.finish(false, &mut Vec::new()) {
            Finished::Done(report) => report,
            Finished::Ask(_) => Report::default(),
        };
        self.tell(CANCELLED, CANCELLED, &report);
    }
}

//! A streamed reply on its way to the client.

use std::pin::Pin;
use std::sync::Arc;
use std::time::Instant;

use futures_util::stream::unfold;
use http_body_util::{BodyExt as _, StreamBody};
use hyper::Response;
use hyper::body::{Bytes, Frame, Incoming};
use tokio::time::sleep;

use super::body::{Broken, timed};
use super::chat::{Ask, Reply, stays};
use super::metrics::OpenStream;
use super::records::{CANCELLED, Record};
use super::refusal::Refusal;
use super::{Body, BoxError, Gateway};
use crate::Report;
use crate::chat::Finished;
use crate::dialect::Stream;

/// A comment, which readers of server-sent events ignore.
const WAITING: &[u8] = b": waiting\n\n";

/// A request that was sent, until it is answered.
pub(super) type Sent = Pin<Box<dyn Future<Output = Answer> + Send>>;

type Answer = Result<Response<Incoming>, Refusal>;

/// The treated bytes of an upstream, for one client. It works only when the client reads. If the
/// client disconnects, it is dropped together with the upstream request.
pub(super) struct Relay {
    gateway: Arc<Gateway>,
    ask: Ask,
    /// Boxed, since it is large and moves with each piece.
    stream: Box<Stream>,
    source: Source,
    record: Record,
    /// The time at which the client last received something.
    told: Instant,
    _open: OpenStream,
}

pub(super) enum Source {
    Reads(Body),
    /// The upstream was asked and has not answered yet.
    Asks(Sent),
    Ended,
}

/// The next thing that happens.
enum Event {
    Piece(Bytes),
    End { complete: bool },
    Answered(Answer),
    Waits,
}

impl Relay {
    pub(super) fn new(
        gateway: Arc<Gateway>,
        ask: Ask,
        stream: Stream,
        source: Source,
        record: Record,
    ) -> Self {
        let mut relay = Self {
            _open: gateway.metrics.open_stream(),
            gateway,
            ask,
            stream: Box::new(stream),
            source: Source::Ended,
            record,
            told: Instant::now(),
        };
        relay.begin(source);
        relay
    }

    /// Begins with a source. The request is only kept if it may be sent again.
    fn begin(&mut self, source: Source) {
        if matches!(source, Source::Reads(_)) && !self.stream.may_ask() {
            self.ask.forget();
        }
        self.source = source;
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
                    self.record.piece(&piece);
                    self.stream.push(&piece, &mut out);
                    self.record.added += start.elapsed();
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
                    self.begin(Source::Reads(body));
                }
                Event::Answered(answer) => {
                    let (refusal, message) = match answer {
                        Ok(response) => self.ask.refused(response).await,
                        Err(refusal) => {
                            let message = refusal.message.clone();
                            (refusal, message)
                        }
                    };
                    match self.stream.keep(&mut out) {
                        Some(finished) => {
                            stays(&self.record, &refusal);
                            self.ended(finished, true);
                        }
                        None => {
                            self.record.cause = Some(refusal.message);
                            self.stream.break_off(&message, refusal.code, &mut out);
                            self.finish(false, &mut out);
                        }
                    }
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
                    Some(Err(error)) => {
                        self.record.cause = Some(Broken::of(&*error).cause().to_owned());
                        Event::End { complete: false }
                    }
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
        self.record.added += start.elapsed();
        self.ended(finished, complete);
    }

    fn ended(&mut self, finished: Finished, complete: bool) {
        self.record.end();
        self.source = match finished {
            Finished::Ask(body) => Source::Asks(Box::pin(self.ask.clone().send_other(body))),
            Finished::Done(report) => {
                let reply = if complete { "streamed" } else { "broke_off" };
                self.tell(reply, report.outcome().name(), &report);
                Source::Ended
            }
        };
    }

    fn tell(&self, reply: &str, outcome: &str, report: &Report) {
        self.record
            .tell(&self.gateway, reply, outcome, Some(report));
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
        self.record.end();
        self.tell(CANCELLED, CANCELLED, &report);
    }
}

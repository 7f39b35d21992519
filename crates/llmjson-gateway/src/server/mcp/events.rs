//! The events of a session: each on one stream, in order, and kept for a while for replay.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;
use std::time::Duration;

use futures_util::stream::unfold;
use http_body_util::{BodyExt as _, StreamBody};
use hyper::body::{Bytes, Frame};
use tokio::sync::Notify;
use tokio::time::timeout;

use crate::server::lock::Lock;
use crate::server::{Body, BoxError};

/// The overhead counted for each event, in bytes.
const EVENT_BYTES: usize = 64;
/// The comment that keeps an idle stream alive.
const WAITING: &[u8] = b": waiting\n\n";

/// The stream for messages that belong to no request.
pub(super) const UNASKED: u64 = 0;

/// The streams of a session.
#[derive(Debug)]
pub(super) struct Events {
    state: Lock<State>,
    changed: Notify,
    bytes_max: usize,
}

#[derive(Debug, Default)]
struct State {
    streams: HashMap<u64, Stream>,
    opened: u64,
    /// The streams of the kept events, oldest first.
    order: VecDeque<u64>,
    bytes: usize,
    readers: u64,
    is_over: bool,
}

#[derive(Debug, Default)]
struct Stream {
    /// The number of the first kept event.
    first: u64,
    kept: VecDeque<Bytes>,
    /// The number of the first event that no reader has taken.
    unsent: u64,
    is_finished: bool,
    /// The current reader; there is at most one.
    reader: Option<u64>,
}

/// The reason why a stream cannot be read from a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Gone {
    /// No such stream or event is known.
    Unknown,
    /// The next events are no longer kept.
    Forgotten,
}

/// The next thing on a stream.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Item {
    Event(u64, Bytes),
    Waits,
}

impl Stream {
    fn next(&self) -> u64 {
        self.first + self.kept.len() as u64
    }
}

impl Events {
    pub(super) fn new(bytes_max: usize) -> Arc<Self> {
        let mut state = State::default();
        state.streams.insert(UNASKED, Stream::default());
        Arc::new(Self {
            state: Lock::new(state),
            changed: Notify::new(),
            bytes_max,
        })
    }

    /// Opens a stream for a request.
    pub(super) fn open(&self) -> u64 {
        let mut state = self.state.lock();
        state.opened += 1;
        let stream = state.opened;
        state.streams.insert(stream, Stream::default());
        stream
    }

    /// Adds an event.
    pub(super) fn push(&self, stream: u64, data: Bytes) {
        let mut state = self.state.lock();
        let bytes = data.len() + EVENT_BYTES;
        if let Some(found) = state.streams.get_mut(&stream) {
            found.kept.push_back(data);
            state.order.push_back(stream);
            state.bytes += bytes;
        }
        state.forget(self.bytes_max);
        drop(state);
        self.changed.notify_waiters();
    }

    /// Ends a stream, whose events are still kept.
    pub(super) fn finish(&self, stream: u64) {
        let mut state = self.state.lock();
        if let Some(stream) = state.streams.get_mut(&stream) {
            stream.is_finished = true;
        }
        state.close(stream);
        drop(state);
        self.changed.notify_waiters();
    }

    /// Ends all streams after their existing events.
    pub(super) fn end(&self) {
        self.state.lock().is_over = true;
        self.changed.notify_waiters();
    }

    /// Returns `true` while a client reads a stream.
    pub(super) fn is_read(&self) -> bool {
        let state = self.state.lock();
        state.streams.values().any(|stream| stream.reader.is_some())
    }

    /// Waits until readers have caught up enough to accept more events.
    pub(super) async fn room(&self) {
        loop {
            let mut changed = std::pin::pin!(self.changed.notified());
            changed.as_mut().enable();
            if self.has_room() {
                return;
            }
            changed.await;
        }
    }

    fn has_room(&self) -> bool {
        let state = self.state.lock();
        let waits = |stream: &Stream| stream.reader.is_some() && stream.unsent < stream.next();
        state.bytes <= self.bytes_max || !state.streams.values().any(waits)
    }

    /// Reads a stream from after an event, or from where the last reader stopped. An existing
    /// reader ends.
    pub(super) fn read(self: &Arc<Self>, stream: u64, after: Option<u64>) -> Result<Reader, Gone> {
        let mut state = self.state.lock();
        state.readers += 1;
        let number = state.readers;
        let found = state.streams.get_mut(&stream).ok_or(Gone::Unknown)?;
        let next = after.map_or(found.unsent, |after| after.saturating_add(1));
        if next > found.next() {
            return Err(Gone::Unknown);
        }
        if next < found.first {
            return Err(Gone::Forgotten);
        }
        found.reader = Some(number);
        drop(state);
        self.changed.notify_waiters();
        Ok(Reader {
            events: Arc::clone(self),
            stream,
            number,
            next,
        })
    }
}

impl State {
    /// Removes a stream that is finished and read.
    fn close(&mut self, stream: u64) {
        let is_spent = |stream: &Stream| {
            stream.is_finished && stream.kept.is_empty() && stream.reader.is_none()
        };
        if self.streams.get(&stream).is_some_and(is_spent) {
            self.streams.remove(&stream);
        }
    }

    /// Drops the oldest events, except those that a client is about to read.
    fn forget(&mut self, bytes_max: usize) {
        let mut at = 0;
        while self.bytes > bytes_max && at < self.order.len() {
            let stream = self.order[at];
            let Some(found) = self.streams.get_mut(&stream) else {
                self.order.remove(at);
                continue;
            };
            if found.reader.is_some() && found.unsent <= found.first {
                at += 1;
                continue;
            }
            self.order.remove(at);
            let event = found.kept.pop_front().unwrap_or_default();
            self.bytes -= event.len() + EVENT_BYTES;
            found.first += 1;
            found.unsent = found.unsent.max(found.first);
            self.close(stream);
        }
    }
}

/// A client that reads a stream.
#[derive(Debug)]
pub(super) struct Reader {
    events: Arc<Events>,
    stream: u64,
    number: u64,
    next: u64,
}

impl Reader {
    /// Waits for the next event. Returns `None` at the end of the stream, or if another client has
    /// taken over.
    pub(super) async fn next(&mut self, keep_alive: Duration) -> Option<Item> {
        loop {
            let mut changed = std::pin::pin!(self.events.changed.notified());
            changed.as_mut().enable();
            {
                let mut state = self.events.state.lock();
                let is_over = state.is_over;
                let stream = state.streams.get_mut(&self.stream)?;
                if stream.reader != Some(self.number) {
                    return None;
                }
                let at = self.next.checked_sub(stream.first)?;
                if let Some(data) = stream.kept.get(at as usize) {
                    let item = Item::Event(self.next, data.clone());
                    self.next += 1;
                    stream.unsent = stream.unsent.max(self.next);
                    state.forget(self.events.bytes_max);
                    drop(state);
                    self.events.changed.notify_waiters();
                    return Some(item);
                }
                if stream.is_finished || is_over {
                    return None;
                }
            }
            if timeout(keep_alive, changed).await.is_err() {
                return Some(Item::Waits);
            }
        }
    }

    /// Returns the events as a body. With ids they can be requested again.
    pub(super) fn into_body(self, keep_alive: Duration, has_ids: bool) -> Body {
        let stream = self.stream;
        let next = move |mut reader: Self| async move {
            let text = match reader.next(keep_alive).await? {
                Item::Event(number, data) => event(has_ids.then_some((stream, number)), &data),
                Item::Waits => WAITING.to_vec(),
            };
            Some((Ok::<_, BoxError>(Frame::data(Bytes::from(text))), reader))
        };
        StreamBody::new(unfold(self, next)).boxed_unsync()
    }
}

impl Drop for Reader {
    fn drop(&mut self) {
        let mut state = self.events.state.lock();
        if let Some(stream) = state.streams.get_mut(&self.stream)
            && stream.reader == Some(self.number)
        {
            stream.reader = None;
        }
        state.close(self.stream);
        state.forget(self.events.bytes_max);
        drop(state);
        self.events.changed.notify_waiters();
    }
}

/// The text of an event with a message.
fn event(id: Option<(u64, u64)>, data: &[u8]) -> Vec<u8> {
    let mut text = match id {
        Some((stream, number)) => format!("id: {stream}-{number}\n").into_bytes(),
        None => Vec::new(),
    };
    text.extend_from_slice(b"data: ");
    text.extend_from_slice(data);
    text.extend_from_slice(b"\n\n");
    text
}

/// Parses an event id: its stream, and its number there.
pub(super) fn read_id(id: &str) -> Option<(u64, u64)> {
    let (stream, number) = id.split_once('-')?;
    Some((stream.parse().ok()?, number.parse().ok()?))
}

//! Bodies with their limits.

use std::error::Error;
use std::io::{self, Read};
use std::sync::Arc;

use flate2::read::{MultiGzDecoder, ZlibDecoder};
use http_body_util::{BodyExt as _, Full, LengthLimitError, Limited};
use hyper::body::{Bytes, Incoming};
use hyper::header::{CONTENT_LENGTH, HeaderMap};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task::spawn_blocking;
use tokio::time::timeout;
use tower_http::timeout::{TimeoutBody, TimeoutError};
use zstd::stream::read::Decoder as ZstdDecoder;

use super::Body;
use super::config::Bounds;
use super::headers::{encodings, forget_body};
use super::refusal::Refusal;

/// The largest window of zstd that HTTP allows, as a power of two (RFC 9659).
const ZSTD_WINDOW_LOG: u32 = 23;

/// A body that is already in memory.
pub(super) fn whole(bytes: impl Into<Bytes>) -> Body {
    Full::new(bytes.into())
        .map_err(|never| match never {})
        .boxed_unsync()
}

/// A body that fails if nothing arrives for some time.
pub(super) fn timed(body: Incoming, bounds: &Bounds) -> Body {
    TimeoutBody::new(bounds.idle, body).boxed_unsync()
}

/// The memory for request bodies held at the same time, shared by all threads.
#[derive(Clone, Debug)]
pub(super) struct Room(Arc<Semaphore>);

/// A request's share of a [`Room`], until this is dropped.
pub(super) type Place = OwnedSemaphorePermit;

impl Room {
    pub(super) fn new(bounds: &Bounds) -> Self {
        let bytes = bounds.open_request_bytes.min(Semaphore::MAX_PERMITS);
        Self(Arc::new(Semaphore::new(bytes)))
    }

    fn take(&self, bytes: usize) -> Result<Place, Refusal> {
        let bytes = u32::try_from(bytes).unwrap_or(u32::MAX);
        let place = Arc::clone(&self.0).try_acquire_many_owned(bytes);
        place.map_err(|_| {
            let message = "too many bytes of open requests (limit: max-open-request-bytes)";
            Refusal::new("no_room", message)
        })
    }
}

/// Reads and decompresses the body of a request, and removes the headers that describe the
/// original.
pub(super) async fn read_request(
    bounds: &Bounds,
    room: &Room,
    headers: &mut HeaderMap,
    body: Incoming,
) -> Result<(Bytes, Place), Refusal> {
    let limit = bounds.request_bytes;
    let promised = headers
        .get(CONTENT_LENGTH)
        .and_then(|length| length.to_str().ok()?.parse().ok());
    if promised.is_some_and(|length: usize| length > limit) {
        return Err(request_too_large(limit));
    }
    let read = timeout(bounds.body, read_whole(bounds, room, body)).await;
    let (bytes, mut place) = read.map_err(|_| request_broke_off())??;
    let encodings: Vec<String> = encodings(headers).collect();
    if encodings.is_empty() {
        return Ok((bytes, place));
    }
    forget_body(headers);
    let bytes = apart(move || decode(&encodings, &bytes, limit)).await??;
    place.merge(room.take(bytes.len())?);
    Ok((bytes, place))
}

/// Does work outside of the threads that serve connections.
pub(super) async fn apart<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, Refusal> {
    let failed = |_| Refusal::new("failed", "the gateway failed on this request");
    spawn_blocking(work).await.map_err(failed)
}

async fn read_whole(
    bounds: &Bounds,
    room: &Room,
    body: Incoming,
) -> Result<(Bytes, Place), Refusal> {
    let body = Box::pin(TimeoutBody::new(bounds.idle, body));
    let mut body = Limited::new(body, bounds.request_bytes);
    let (mut pieces, mut place) = (Vec::new(), room.take(0)?);
    while let Some(frame) = body.frame().await {
        let frame = frame.map_err(|error| match Broken::of(&*error) {
            Broken::TooLong => request_too_large(bounds.request_bytes),
            Broken::TooSlow | Broken::Off => request_broke_off(),
        })?;
        let piece = frame.into_data().unwrap_or_default();
        place.merge(room.take(piece.len())?);
        pieces.push(piece);
    }
    let bytes = match <[Bytes; 1]>::try_from(pieces) {
        Ok([piece]) => piece,
        Err(pieces) => pieces.concat().into(),
    };
    Ok((bytes, place))
}

/// Decompresses a body with a single known encoding.
fn decode(encodings: &[String], body: &[u8], limit: usize) -> Result<Bytes, Refusal> {
    let refused = |what: &str| {
        let message = format!("the request {what}, expected gzip, deflate or zstd");
        Refusal::new("request_encoding", message)
    };
    let names: Vec<&str> = encodings.iter().map(String::as_str).collect();
    let decoded = match names[..] {
        ["gzip" | "x-gzip"] => read_up_to(limit, MultiGzDecoder::new(body)),
        ["deflate"] => read_up_to(limit, ZlibDecoder::new(body)),
        ["zstd"] => ZstdDecoder::new(body).and_then(|mut decoder| {
            decoder.window_log_max(ZSTD_WINDOW_LOG)?;
            read_up_to(limit, decoder)
        }),
        _ => return Err(refused("is compressed in another way")),
    };
    let decoded = decoded.map_err(|_| refused("cannot be decompressed"))?;
    match decoded.len() > limit {
        true => Err(request_too_large(limit)),
        false => Ok(decoded.into()),
    }
}

/// Reads at most one byte more than the limit.
fn read_up_to(limit: usize, from: impl Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    from.take(limit as u64 + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn request_too_large(limit: usize) -> Refusal {
    let message = format!("the request is longer than {limit} bytes (max-request-bytes)");
    Refusal::new("request_too_large", message)
}

/// Reads the body of an upstream's reply.
pub(super) async fn read_reply(
    bounds: &Bounds,
    upstream: &str,
    body: Incoming,
) -> Result<Bytes, Refusal> {
    let limit = bounds.reply_bytes;
    let body = Limited::new(TimeoutBody::new(bounds.idle, body), limit)
        .collect()
        .await;
    body.map(|body| body.to_bytes()).map_err(|error| {
        let (code, what) = match Broken::of(&*error) {
            Broken::TooLong => (
                "reply_too_large",
                format!("is longer than {limit} bytes (max-reply-bytes)"),
            ),
            Broken::TooSlow => ("upstream_timeout", "stopped (idle-timeout)".to_owned()),
            Broken::Off => ("upstream_failed", "broke off".to_owned()),
        };
        Refusal::new(code, format!("the reply of the upstream {upstream} {what}"))
    })
}

/// The reason why a body ended early.
pub(super) enum Broken {
    TooLong,
    TooSlow,
    Off,
}

impl Broken {
    /// Returns a short name for logs.
    pub(super) const fn cause(&self) -> &'static str {
        match self {
            Self::TooLong => "too_long",
            Self::TooSlow => "idle_timeout",
            Self::Off => "upstream_broke_off",
        }
    }

    pub(super) fn of(error: &(dyn Error + 'static)) -> Self {
        // Both errors may wrap the original one, one inside the other.
        let mut cause = Some(error);
        while let Some(error) = cause {
            if error.is::<LengthLimitError>() {
                return Self::TooLong;
            }
            if error.is::<TimeoutError>() {
                return Self::TooSlow;
            }
            cause = error.source();
        }
        Self::Off
    }
}

/// The refusal of a request whose body does not arrive.
pub(super) fn request_broke_off() -> Refusal {
    let message =
        "the body of the request broke off, or did not come in time (idle-timeout, body-timeout)";
    Refusal::new("request_broke_off", message)
}

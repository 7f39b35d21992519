//! Client connections: their number, their waits, and their end.

use std::convert::Infallible;
use std::io;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper::{Request, Response};
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto::Builder;
use hyper_util::server::graceful::{GracefulShutdown, Watcher};
use tokio::net::{TcpListener, TcpStream};
use tokio::runtime::Handle;
use tokio::sync::{OnceCell, OwnedSemaphorePermit, Semaphore};
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};
use tokio_io_timeout::TimeoutStream;

use super::Body;
use super::config::Bounds;
use super::refusal::Refusal;
use super::routes::HEALTH;

/// The pause before the next connection is accepted after one could not be, for lack of files or
/// memory.
const PAUSE: Duration = Duration::from_millis(50);

/// Open connections allowed beyond the limit, for health checks and for waiting requests.
const SPARE: usize = 128;
/// The maximum number of these with waiting requests; further ones are refused.
const WAITING: usize = 64;
/// Their time limit for sending a request.
const SPARE_HEADER: Duration = Duration::from_secs(5);

/// The slots for connections.
struct Places {
    /// One for each accepted connection.
    open: Arc<Semaphore>,
    /// One for each connection whose requests are answered.
    served: Arc<Semaphore>,
    waiting: Semaphore,
}

impl Places {
    fn new(bounds: &Bounds) -> Self {
        let served = bounds.connections.min(Semaphore::MAX_PERMITS - SPARE);
        Self {
            open: Arc::new(Semaphore::new(served + SPARE)),
            served: Arc::new(Semaphore::new(served)),
            waiting: Semaphore::new(WAITING),
        }
    }

    /// Takes a slot for a connection, or waits for one.
    async fn take(&self) -> Result<OwnedSemaphorePermit, Refusal> {
        if let Ok(place) = Arc::clone(&self.served).try_acquire_owned() {
            return Ok(place);
        }
        let refused = || {
            let message = "too many open connections (limit: max-connections)";
            Refusal::new("too_many_connections", message)
        };
        let _waits = self.waiting.try_acquire().map_err(|_| refused())?;
        let place = Arc::clone(&self.served).acquire_owned().await;
        place.map_err(|_| refused())
    }
}

/// A boxed future, because the compiler cannot see through all layers of futures.
pub(super) type Answer = Pin<Box<dyn Future<Output = Result<Response<Body>, Infallible>> + Send>>;

/// Serves until `shutdown` is ready, then drains. Connections are distributed round-robin over the
/// runtimes.
pub(super) async fn serve(
    bounds: Bounds,
    answers: &[(
        Handle,
        impl Fn(Request<Incoming>) -> Answer + Clone + Send + Sync + 'static,
    )],
    listener: TcpListener,
    shutdown: impl Future<Output = ()>,
) {
    let builder = builder(&bounds);
    let places = Arc::new(Places::new(&bounds));
    let drain = GracefulShutdown::new();
    let mut open = JoinSet::new();
    let mut shutdown = pin!(shutdown);
    for (runtime, answer) in answers.iter().cycle() {
        // Acquire the slot first: a client without a slot waits in the operating system's queue.
        let accepted = async {
            let place = Arc::clone(&places.open).acquire_owned().await;
            (place, listener.accept().await)
        };
        let (place, accepted) = tokio::select! {
            () = &mut shutdown => break,
            accepted = accepted => accepted,
        };
        while open.try_join_next().is_some() {}
        match accepted.and_then(|(stream, _)| stream.into_std()) {
            Ok(stream) => {
                let (answer, builder) = (answer.clone(), builder.clone());
                let (watcher, places) = (drain.watcher(), Arc::clone(&places));
                let served = async move {
                    let _place = place;
                    match TcpStream::from_std(stream) {
                        Ok(stream) => {
                            connection(bounds, places, answer, builder, stream, watcher).await;
                        }
                        Err(error) => pause(&error).await,
                    }
                };
                open.spawn_on(served, runtime);
            }
            Err(error) => pause(&error).await,
        }
    }
    drop(listener);
    tracing::info!("no new connections, open replies may end");
    if timeout(bounds.drain, drain.shutdown()).await.is_err() {
        tracing::warn!("replies were cut off, since they did not end in time (drain-timeout)");
    }
    open.shutdown().await;
}

async fn pause(error: &io::Error) {
    tracing::warn!(%error, "a connection cannot be accepted");
    // Losing one connection does not affect the others.
    if error.kind() != io::ErrorKind::ConnectionAborted {
        sleep(PAUSE).await;
    }
}

fn builder(bounds: &Bounds) -> Builder<TokioExecutor> {
    let mut builder = Builder::new(TokioExecutor::new());
    builder
        .http1()
        .timer(TokioTimer::new())
        .header_read_timeout(bounds.header)
        .max_buf_size(bounds.header_bytes as usize);
    builder
        .http2()
        .timer(TokioTimer::new())
        // A client that disappeared without closing does not answer.
        .keep_alive_interval(bounds.header)
        .max_header_list_size(bounds.header_bytes);
    builder
}

async fn connection(
    bounds: Bounds,
    places: Arc<Places>,
    answer: impl Fn(Request<Incoming>) -> Answer,
    mut builder: Builder<TokioExecutor>,
    stream: TcpStream,
    watcher: Watcher,
) {
    let mut header = bounds.header;
    if places.open.available_permits() < SPARE {
        header = header.min(SPARE_HEADER);
        builder.http1().header_read_timeout(header);
    }
    // Small pieces of a stream must not wait for each other.
    let _ = stream.set_nodelay(true);
    let mut stream = TimeoutStream::new(stream);
    // A client that stops reading loses its connection, and with it its requests to upstreams.
    stream.set_write_timeout(Some(bounds.idle));
    let seen = AtomicBool::new(false);
    let place = Arc::new(OnceCell::new());
    let service = service_fn(|request: Request<Incoming>| {
        seen.store(true, Ordering::Relaxed);
        let is_health = request.uri().path() == HEALTH;
        let answered = answer(request);
        let (place, places) = (Arc::clone(&place), Arc::clone(&places));
        async move {
            if !is_health && let Err(refusal) = place.get_or_try_init(|| places.take()).await {
                tracing::warn!(code = refusal.code, "{}", refusal.message);
                return Ok(refusal.into_response());
            }
            answered.await
        }
    });
    let io = TokioIo::new(Box::pin(stream));
    let mut served = pin!(watcher.watch(builder.serve_connection(io, service)));
    let ended = match timeout(header, served.as_mut()).await {
        Ok(ended) => ended,
        // Before the first bytes, hyper does not know which of its limits to apply.
        Err(_) if !seen.load(Ordering::Relaxed) => return,
        Err(_) => served.await,
    };
    if let Err(error) = ended {
        tracing::debug!(%error, "a connection ended early");
    }
}

//! Connections of clients: their number, their waits, and their end.

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
use tokio::sync::Semaphore;
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};
use tokio_io_timeout::TimeoutStream;

use super::Body;
use super::config::Bounds;

/// Time until a connection is accepted again after one could not be, for want of files or memory.
const PAUSE: Duration = Duration::from_millis(50);

/// A future of its own type, since the compiler cannot see through all layers of futures.
pub(super) type Answer = Pin<Box<dyn Future<Output = Result<Response<Body>, Infallible>> + Send>>;

/// Serves until `shutdown` is ready, and drains. Connections take turns among the runtimes on which requests are answered.
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
    let places = Arc::new(Semaphore::new(
        bounds.connections.min(Semaphore::MAX_PERMITS),
    ));
    let drain = GracefulShutdown::new();
    let mut open = JoinSet::new();
    let mut shutdown = pin!(shutdown);
    for (runtime, answer) in answers.iter().cycle() {
        // The place comes first: a client that finds none waits in the queue of the operating system.
        let accepted = async {
            let place = Arc::clone(&places).acquire_owned().await;
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
                let watcher = drain.watcher();
                let served = async move {
                    let _place = place;
                    match TcpStream::from_std(stream) {
                        Ok(stream) => connection(bounds, answer, &builder, stream, watcher).await,
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
    // Without one connection the others go on.
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
        // A client that is gone without a word does not answer.
        .keep_alive_interval(bounds.header)
        .max_header_list_size(bounds.header_bytes);
    builder
}

async fn connection(
    bounds: Bounds,
    answer: impl Fn(Request<Incoming>) -> Answer,
    builder: &Builder<TokioExecutor>,
    stream: TcpStream,
    watcher: Watcher,
) {
    // Small pieces of streams are not to wait for each other.
    let _ = stream.set_nodelay(true);
    let mut stream = TimeoutStream::new(stream);
    // A client that takes nothing any more ends its connection, and with it its requests to upstreams.
    stream.set_write_timeout(Some(bounds.idle));
    let seen = AtomicBool::new(false);
    let service = service_fn(|request| {
        seen.store(true, Ordering::Relaxed);
        answer(request)
    });
    let io = TokioIo::new(Box::pin(stream));
    let mut served = pin!(watcher.watch(builder.serve_connection(io, service)));
    let ended = match timeout(bounds.header, served.as_mut()).await {
        Ok(ended) => ended,
        // Before the first bytes hyper does not know which of its limits to apply.
        Err(_) if !seen.load(Ordering::Relaxed) => return,
        Err(_) => served.await,
    };
    if let Err(error) = ended {
        tracing::debug!(%error, "a connection ended early");
    }
}

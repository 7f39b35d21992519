//! Threads that serve connections. A connection stays on one thread, with everything it waits for.

use std::io;
use std::thread::{self, JoinHandle, available_parallelism};

use tokio::runtime::{Builder, Handle};
use tokio::sync::oneshot;
use tokio::task::yield_now;

/// The maximum number of threads: more are useless in front of model servers.
const THREADS_MAX: usize = 8;

/// Threads with one runtime each. Requests are never handed from one to another, which would cost
/// more than processing them.
pub(super) struct Workers(Vec<Worker>);

struct Worker {
    handle: Handle,
    /// Dropping or sending this ends the thread.
    end: oneshot::Sender<()>,
    thread: JoinHandle<()>,
}

impl Workers {
    /// Starts a thread for each core.
    pub(super) fn start() -> io::Result<Self> {
        let cores = available_parallelism().map_or(1, usize::from);
        let workers = (0..cores.min(THREADS_MAX)).map(|_| Worker::start());
        Ok(Self(workers.collect::<Result<_, _>>()?))
    }

    pub(super) fn handles(&self) -> impl Iterator<Item = &Handle> {
        self.0.iter().map(|worker| &worker.handle)
    }

    /// Ends the threads, and waits for them.
    pub(super) fn end(self) {
        for worker in self.0 {
            drop(worker.end);
            // A worker that panicked has also ended.
            let _ = worker.thread.join();
        }
    }
}

impl Worker {
    fn start() -> io::Result<Self> {
        let runtime = Builder::new_current_thread().enable_all().build()?;
        let handle = runtime.handle().clone();
        let (end, ended) = oneshot::channel::<()>();
        let thread = thread::Builder::new().name("gateway".to_owned());
        let thread = thread.spawn(move || {
            runtime.block_on(async {
                let _ = ended.await;
                // The last log lines are pending tasks.
                yield_now().await;
            });
        })?;
        Ok(Self {
            handle,
            end,
            thread,
        })
    }
}

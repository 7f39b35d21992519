//! Threads that serve. A connection stays on one of them, with all that it waits for.

use std::io;
use std::thread::{self, JoinHandle, available_parallelism};

use tokio::runtime::{Builder, Handle};
use tokio::sync::oneshot;
use tokio::task::yield_now;

/// The greatest number of threads: more have no use before servers of models.
const THREADS_MAX: usize = 8;

/// Threads with a runtime each: no request is handed from one to another, which costs more than all that is done for it.
pub(super) struct Workers(Vec<Worker>);

struct Worker {
    handle: Handle,
    /// The thread ends with this.
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
            // One that panicked has ended too.
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
                // The last lines of the log are tasks that wait.
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

//! Messages on standard error that nothing waits for: where the pipe is not read, service continues.

use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{SyncSender, TrySendError, sync_channel};
use std::thread;
use std::time::Duration;

use crate::terminal::message_line;

/// The number of messages that wait to be written; further ones are lost.
const WAITING_MAX: usize = 1024;
/// Time for the last messages to be written at the end.
const END_TIMEOUT: Duration = Duration::from_millis(500);

/// Standard error, which a thread writes to.
#[derive(Clone)]
pub(crate) struct Log {
    entries: SyncSender<Entry>,
    lost: Arc<AtomicUsize>,
}

enum Entry {
    Line(Vec<u8>),
    /// Tells the sender that all lines before this are written.
    End(SyncSender<()>),
}

impl Log {
    pub(crate) fn start() -> Self {
        let (entries, waiting) = sync_channel(WAITING_MAX);
        let lost = Arc::new(AtomicUsize::new(0));
        let log = Self {
            entries,
            lost: Arc::clone(&lost),
        };
        thread::spawn(move || {
            for entry in waiting {
                // Neither a closed standard error nor an end that waits no longer is a fault.
                let _ = match entry {
                    Entry::Line(line) => io::stderr().write_all(&line),
                    Entry::End(done) => done.send(()).map_err(io::Error::other),
                };
                let lost = lost.swap(0, Ordering::Relaxed);
                if lost > 0 {
                    let line = message_line(&format!(
                        "lost {lost} messages, because standard error was not read"
                    ));
                    let _ = io::stderr().write_all(line.as_bytes());
                }
            }
        });
        log
    }

    /// Writes one line for people.
    pub(crate) fn tell(&self, message: &str) {
        self.send(message_line(message).into_bytes());
    }

    /// Waits until all messages are written, for a bounded time.
    pub(crate) fn finish(&self) {
        let (done, ended) = sync_channel(1);
        if self.entries.try_send(Entry::End(done)).is_ok() {
            let _ = ended.recv_timeout(END_TIMEOUT);
        }
    }

    fn send(&self, line: Vec<u8>) {
        if let Err(TrySendError::Full(_)) = self.entries.try_send(Entry::Line(line)) {
            self.lost.fetch_add(1, Ordering::Relaxed);
        }
    }
}

impl Write for Log {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        self.send(line.to_vec());
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

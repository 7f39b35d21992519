//! Interrupts during parsing.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use llmjson::Policy;
use llmjson::syntax::Stop;
use pyo3::prelude::*;

/// The maximum length in bytes of a text that is parsed with the GIL held. Releasing and
/// reacquiring it costs as much as parsing a few hundred bytes.
const HELD_BYTES: usize = 1024;
/// The minimum length in bytes of a text that is parsed on another thread. Starting a thread takes
/// as long as parsing a few kilobytes.
const BYTES_MIN: usize = 64 * 1024;
/// The time between two checks whether Python wants the call to stop.
const PAUSE: Duration = Duration::from_millis(50);

/// Flags that no parse uses. They are never dropped; there are as many as concurrent parses.
static FREE: Mutex<Vec<&'static AtomicBool>> = Mutex::new(Vec::new());

/// Parses a text of length `bytes`, releasing the GIL unless it is short, and checks meanwhile
/// whether Python wants to stop.
///
/// A long text is parsed on another thread, since only the calling thread may check. The thread
/// does not outlive the call: after an interrupt, the rest of the text is read without lookahead,
/// and the thread is joined.
pub(crate) fn read<T: Send>(
    py: Python<'_>,
    bytes: usize,
    policy: &Policy,
    read: impl Fn(&Policy) -> T + Send + Sync,
) -> PyResult<T> {
    if bytes <= HELD_BYTES {
        return Ok(read(policy));
    }
    if bytes < BYTES_MIN {
        return Ok(py.detach(|| read(policy)));
    }
    let flag = FREE.try_lock().ok().and_then(|mut free| free.pop());
    let flag = flag.unwrap_or_else(|| Box::leak(Box::new(AtomicBool::new(false))));
    let limits = policy.limits().with_stop(Stop::new(flag));
    let policy = policy.clone().with_limits(limits);
    let result = py.detach(|| watched(&|| read(&policy), flag));
    flag.store(false, Ordering::Relaxed);
    if let Ok(mut free) = FREE.try_lock() {
        free.push(flag);
    }
    result
}

fn watched<T: Send>(read: &(impl Fn() -> T + Sync), flag: &AtomicBool) -> PyResult<T> {
    thread::scope(|scope| {
        let (sender, receiver) = channel();
        let work = move || {
            // Sending fails only if the call was interrupted and no longer waits for the result.
            let _ = sender.send(read());
        };
        // If no thread can be started, parse on this one.
        if thread::Builder::new().spawn_scoped(scope, work).is_err() {
            return Ok(read());
        }
        loop {
            match receiver.recv_timeout(PAUSE) {
                Ok(result) => return Ok(result),
                Err(RecvTimeoutError::Disconnected) => {
                    let reason = "reading the text failed";
                    return Err(pyo3::exceptions::PyRuntimeError::new_err(reason));
                }
                Err(RecvTimeoutError::Timeout) => {
                    if let Err(interrupt) = Python::attach(|py| py.check_signals()) {
                        flag.store(true, Ordering::Relaxed);
                        return Err(interrupt);
                    }
                }
            }
        }
    })
}

//! The process of a server on standard input and output.

use std::ffi::OsString;
use std::io;
use std::process::{ExitStatus, Stdio};
use std::time::Duration;

use hyper::body::Bytes;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::process::{Child, ChildStdin, ChildStdout, Command};
use tokio::sync::mpsc;
use tokio::time::{Instant, sleep_until, timeout};

/// The maximum number of messages that wait for a server to read them.
const WAITING_MAX: usize = 16;
/// The size of the read buffer, in bytes.
const READ_BYTES: usize = 64 * 1024;
/// The time for a server to exit after its input or output was closed, before it is killed.
const END_TIMEOUT: Duration = Duration::from_secs(2);

/// A running server.
pub(super) struct Process {
    child: Child,
    stdout: ChildStdout,
    buffer: Vec<u8>,
    /// The time at which it is killed, once its input is closed.
    deadline: Option<Instant>,
}

/// Starts a program. Messages are sent to its input until all senders are dropped.
pub(super) fn start(program: &[OsString]) -> io::Result<(Process, mpsc::Sender<Bytes>)> {
    let (name, arguments) = program.split_first().expect("the settings were checked");
    let mut child = Command::new(name)
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .kill_on_drop(true)
        .spawn()?;
    let stdin = child.stdin.take().expect("it is piped");
    let stdout = child.stdout.take().expect("it is piped");
    let (sender, receiver) = mpsc::channel(WAITING_MAX);
    tokio::spawn(write(stdin, receiver));
    let process = Process {
        child,
        stdout,
        buffer: vec![0; READ_BYTES],
        deadline: None,
    };
    Ok((process, sender))
}

async fn write(mut stdin: ChildStdin, mut messages: mpsc::Receiver<Bytes>) {
    let mut is_open = true;
    while let Some(message) = messages.recv().await {
        // If the server has closed its input, messages are still accepted, so that requests do not
        // wait.
        is_open = is_open && stdin.write_all(&message).await.is_ok();
    }
}

impl Process {
    /// Waits for output, and returns its length in bytes: 0 at the end. Cancel-safe.
    pub(super) async fn read(&mut self) -> usize {
        let read = self.stdout.read(&mut self.buffer);
        match self.deadline {
            None => read.await.unwrap_or(0),
            Some(deadline) => tokio::select! {
                count = read => count.unwrap_or(0),
                () = sleep_until(deadline) => 0,
            },
        }
    }

    /// Returns the first bytes of the last read.
    pub(super) fn said(&self, count: usize) -> &[u8] {
        &self.buffer[..count]
    }

    /// Starts the final deadline for its exit, after its input was closed.
    pub(super) fn ends(&mut self) {
        self.deadline
            .get_or_insert_with(|| Instant::now() + END_TIMEOUT);
    }

    /// Waits until it has exited, and kills it if it does not.
    pub(super) async fn exited(mut self) -> io::Result<ExitStatus> {
        let rest = self.deadline.map_or(END_TIMEOUT, |at| {
            at.saturating_duration_since(Instant::now())
        });
        match timeout(rest, self.child.wait()).await {
            Ok(status) => status,
            Err(_) => {
                self.child.kill().await?;
                self.child.wait().await
            }
        }
    }
}

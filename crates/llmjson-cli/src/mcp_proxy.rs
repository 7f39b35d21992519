//! `llmjson mcp-proxy`: runs an MCP server behind the proxy of [`llmjson_mcp`].
//!
//! Each direction has a thread that reads, processes and writes. If one side does not read, its thread
//! blocks and stops reading from the other side, so no data is queued. Both threads write to standard
//! output; [`Lines`] keeps their lines apart. Calls that waited for the list of tools are written by a
//! separate thread, since the server may not read before more of its output has been read.

use std::io::{self, IsTerminal, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use std::{process, thread};

use llmjson_mcp::{AwaitedList, FromClient, FromServer, LIST_TIMEOUT, Lines, Output, Proxy};

use crate::Verdict;
use crate::args::McpProxyArgs;
use crate::input::CommandError;
use crate::log::Log;
use crate::terminal::visible;

/// Size of the buffer for reading, in bytes.
const READ_BYTES: usize = 64 * 1024;
/// Time for a server to exit after it has closed its output while its client is still connected. After that
/// it is killed.
const END_TIMEOUT: Duration = Duration::from_secs(2);
/// Interval between checks whether the server has exited.
const END_POLL: Duration = Duration::from_millis(5);
/// Exit code of a program that was ended by a signal, less the number of the signal, as in shells.
const SIGNAL_BASE: i32 = 128;

/// Runs until the server exits, and exits with its exit code.
pub(crate) fn run(args: &McpProxyArgs) -> Result<Verdict, CommandError> {
    #[cfg(feature = "gateway")]
    if args.is_over_http() {
        return crate::mcp_http::run(args);
    }
    let (mut child, server_in, server_out) = start(args)?;
    let Proxy { client, server, .. } = Proxy::new(args.policy());
    let to_client = Arc::new(Mutex::new(ToClient::default()));
    let to_server = ToServer::new(server_in);
    let client_left = Arc::new(AtomicBool::new(false));
    let (answers, left) = (Arc::clone(&to_client), Arc::clone(&client_left));
    let (requests, log) = (to_server.clone(), Log::start());
    let told = log.clone();
    thread::spawn(move || relay_requests(client, &requests, &answers, &left, &told));
    let server = relay_answers(server, server_out, &to_server, &to_client, &log);
    let status = end(&mut child, &client_left);
    finish(server, &reason(&status), &to_client, &log);
    log.finish();
    process::exit(status.map_or(2, exit_code))
}

fn start(args: &McpProxyArgs) -> Result<(Child, ChildStdin, ChildStdout), CommandError> {
    let (program, arguments) = args.server.split_first().expect("one is required");
    let mut command = Command::new(program);
    command
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped());
    let child = command.spawn();
    let mut child = child.map_err(|error| CommandError::new(&program.to_string_lossy(), error))?;
    let server_in = child.stdin.take().expect("it is piped");
    let server_out = child.stdout.take().expect("it is piped");
    Ok((child, server_in, server_out))
}

/// The input of the server.
#[derive(Clone)]
struct ToServer {
    /// `None` after it was closed, by either side.
    pipe: Arc<Mutex<Option<ChildStdin>>>,
    closing: Arc<Mutex<Closing>>,
}

/// The state that decides when the input of the server is closed.
#[derive(Default)]
struct Closing {
    client_left: bool,
    /// The number of threads that write calls which waited.
    writing: usize,
}

impl ToServer {
    fn new(pipe: ChildStdin) -> Self {
        Self {
            pipe: Arc::new(Mutex::new(Some(pipe))),
            closing: Arc::default(),
        }
    }

    fn closing(&self) -> MutexGuard<'_, Closing> {
        self.closing.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn pipe(&self) -> MutexGuard<'_, Option<ChildStdin>> {
        self.pipe.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self, bytes: &[u8]) {
        // If the server has closed its input, requests are still read, so that the client does not block.
        self.pipe()
            .take_if(|server| server.write_all(bytes).is_err());
    }

    /// Processes output of the server, and writes the messages for the server that result from it in a separate thread.
    fn answered(&self, server: &mut FromServer, bytes: &[u8], out: &mut Output) {
        let mut closing = self.closing();
        let waited = server.awaits_list();
        server.push(bytes, out);
        if !waited {
            return;
        }
        closing.writing += 1;
        let (this, bytes) = (self.clone(), std::mem::take(&mut out.to_server));
        let is_last = !server.awaits_list();
        thread::spawn(move || {
            this.write(&bytes);
            this.close_if(|closing| {
                closing.writing -= 1;
                is_last
            });
        });
    }

    /// Writes the calls that waited for a list which did not come.
    fn given_up(&self, bytes: &[u8]) {
        self.write(bytes);
        self.close_if(|_| true);
    }

    /// Closes the input now that the client has left, unless calls still wait.
    fn leave(&self, client: &FromClient) {
        self.close_if(|closing| {
            closing.client_left = true;
            !client.awaits_list()
        });
    }

    /// Closes the input if nothing more will be written, after a change which allows that or not.
    fn close_if(&self, allows: impl FnOnce(&mut Closing) -> bool) {
        let mut closing = self.closing();
        let closes = allows(&mut closing) && closing.client_left && closing.writing == 0;
        drop(closing);
        if closes {
            self.pipe().take();
        }
    }
}

/// Standard output.
#[derive(Default)]
struct ToClient {
    lines: Lines,
    buffer: Vec<u8>,
    /// `true` if the client has closed it.
    left: bool,
}

impl ToClient {
    fn lock(this: &Mutex<Self>) -> MutexGuard<'_, Self> {
        this.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&mut self) {
        let mut stdout = io::stdout().lock();
        let written = match stdout.is_terminal() {
            true => stdout.write_all(visible(&String::from_utf8_lossy(&self.buffer)).as_bytes()),
            false => stdout.write_all(&self.buffer),
        };
        let written = written.and_then(|()| stdout.flush());
        self.left |= written.is_err();
        self.buffer.clear();
    }

    fn relay(&mut self, bytes: &[u8]) {
        self.lines.relay(bytes, &mut self.buffer);
        self.write();
    }

    fn insert(&mut self, lines: &[u8]) {
        self.lines.insert(lines, &mut self.buffer);
        self.write();
    }

    fn finish(&mut self, lines: &[u8]) {
        self.lines.finish(lines, &mut self.buffer);
        self.write();
    }
}

/// Forwards standard input to the server until standard input ends, and then closes the input of the server.
fn relay_requests(
    mut client: FromClient,
    to_server: &ToServer,
    to_client: &Arc<Mutex<ToClient>>,
    client_left: &AtomicBool,
    log: &Log,
) {
    let mut listing = None;
    let mut stdin = io::stdin().lock();
    let mut out = Output::default();
    let mut buffer = vec![0; READ_BYTES];
    loop {
        let count = read(&mut stdin, &mut buffer);
        match count {
            0 => client.finish(&mut out),
            _ => client.push(&buffer[..count], &mut out),
        }
        if let Some(list) = client.awaited_list()
            && listing.replace(list.number()) != Some(list.number())
        {
            let (to_server, to_client) = (to_server.clone(), Arc::clone(to_client));
            let log = log.clone();
            thread::spawn(move || give_up_late(&list, &to_server, &to_client, &log));
        }
        out.notices.drain(..).for_each(|notice| log.tell(&notice));
        if !out.to_client.is_empty() {
            ToClient::lock(to_client).insert(&out.to_client);
            out.to_client.clear();
        }
        to_server.write(&out.to_server);
        out.to_server.clear();
        if count == 0 {
            client_left.store(true, Ordering::Release);
            to_server.leave(&client);
            return;
        }
    }
}

/// Lets calls wait for a list of tools no longer than [`LIST_TIMEOUT`].
fn give_up_late(list: &AwaitedList, to_server: &ToServer, to_client: &Mutex<ToClient>, log: &Log) {
    thread::sleep(LIST_TIMEOUT);
    let mut out = Output::default();
    list.give_up(&mut out);
    if out == Output::default() {
        return;
    }
    out.notices.iter().for_each(|notice| log.tell(notice));
    ToClient::lock(to_client).insert(&out.to_client);
    to_server.given_up(&out.to_server);
}

/// Forwards the output of the server to standard output until the server closes it.
fn relay_answers(
    mut server: FromServer,
    mut server_out: ChildStdout,
    to_server: &ToServer,
    to_client: &Mutex<ToClient>,
    log: &Log,
) -> FromServer {
    let mut out = Output::default();
    let mut buffer = vec![0; READ_BYTES];
    loop {
        let count = read(&mut server_out, &mut buffer);
        if count == 0 {
            return server;
        }
        to_server.answered(&mut server, &buffer[..count], &mut out);
        out.notices.drain(..).for_each(|notice| log.tell(&notice));
        // If the client has closed standard output, the output of the server is still read, so that the
        // server does not block.
        let mut to_client = ToClient::lock(to_client);
        if !to_client.left {
            to_client.relay(&out.to_client);
        }
        out.to_client.clear();
    }
}

/// Reads the available bytes. Returns 0 at the end and on errors.
fn read(from: &mut impl Read, buffer: &mut [u8]) -> usize {
    loop {
        match from.read(buffer) {
            Ok(count) => return count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(_) => return 0,
        }
    }
}

/// Waits until a server that has closed its output exits. As long as its client is connected, it is killed
/// after [`END_TIMEOUT`]; after the client has left, it may take any time to shut down.
fn end(child: &mut Child, client_left: &AtomicBool) -> io::Result<ExitStatus> {
    let deadline = Instant::now() + END_TIMEOUT;
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(status);
        }
        if Instant::now() >= deadline && !client_left.load(Ordering::Acquire) {
            child.kill()?;
            return child.wait();
        }
        thread::sleep(END_POLL);
    }
}

fn finish(mut server: FromServer, reason: &str, to_client: &Mutex<ToClient>, log: &Log) {
    let mut out = Output::default();
    let lines = server.finish(reason, &mut out);
    out.notices.drain(..).for_each(|notice| log.tell(&notice));
    let mut to_client = ToClient::lock(to_client);
    to_client.relay(&out.to_client);
    to_client.finish(&lines);
}

fn reason(status: &io::Result<ExitStatus>) -> String {
    match status {
        Ok(status) => status.to_string(),
        Err(error) => error.to_string(),
    }
}

fn exit_code(status: ExitStatus) -> i32 {
    let signal = signal_of(status).map(|signal| SIGNAL_BASE + signal);
    status.code().or(signal).unwrap_or(2)
}

#[cfg(unix)]
fn signal_of(status: ExitStatus) -> Option<i32> {
    std::os::unix::process::ExitStatusExt::signal(&status)
}

#[cfg(not(unix))]
fn signal_of(_status: ExitStatus) -> Option<i32> {
    None
}

//! `llmjson gateway`: the server of [`llmjson_gateway`], with signals and messages.

use std::fs;
use std::io::{self, IsTerminal as _};
use std::net::SocketAddr;
use std::pin::Pin;

use llmjson_gateway::server::{Config, Settings, serve_reloading};
use tokio::net::TcpListener;
use tokio::runtime::{self, Runtime};
use tokio::sync::mpsc::unbounded_channel;
use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::prelude::*;

use crate::Verdict;
use crate::args::GatewayArgs;
use crate::input::CommandError;
use crate::log::Log;
use crate::terminal::write_out;

/// Serves until a signal ends the program.
pub(crate) fn run(args: &GatewayArgs) -> Result<Verdict, CommandError> {
    let config = config(args)?;
    let log = log(&args.log);
    let served = runtime("gateway")?.block_on(async {
        let mut hang_ups = HangUps::new().map_err(|error| CommandError::new("gateway", error))?;
        let (address, described) = (config.listen(), config.clone());
        let line = move |address| described.describe(address);
        listen("gateway", address, line, async |listener, ended| {
            let (reload, reloads) = unbounded_channel();
            let reloading = async {
                loop {
                    hang_ups.next().await;
                    let config = self::config(args).map_err(|error| error.to_string());
                    // If nothing receives it, the server has ended.
                    drop(reload.send(config));
                }
            };
            tokio::select! {
                served = serve_reloading(config, listener, reloads, ended) => served,
                () = reloading => Ok(()),
            }
        })
        .await
    });
    log.finish();
    served?;
    Ok(Verdict::Conforms)
}

/// Writes messages from a level on to standard error.
pub(crate) fn log(level: &str) -> Log {
    let level: LevelFilter = level.parse().expect("the argument was checked");
    // Libraries log header contents, which may be secret, so only our own messages are written.
    let own = Targets::new().with_target("llmjson_gateway", level);
    let log = Log::start();
    let writer = log.clone();
    let lines = tracing_subscriber::fmt::layer()
        .with_ansi(io::stderr().is_terminal())
        .with_writer(move || writer.clone());
    tracing_subscriber::registry().with(lines).with(own).init();
    log
}

/// Prepares for many connections.
pub(crate) fn runtime(command: &str) -> Result<Runtime, CommandError> {
    // Each reply needs two connections; where no more files are allowed, fewer are open at a time.
    let _ = rlimit::increase_nofile_limit(u64::MAX);
    let runtime = runtime::Builder::new_multi_thread().enable_all().build();
    runtime.map_err(|error| CommandError::new(command, error))
}

fn config(args: &GatewayArgs) -> Result<Config, CommandError> {
    let Some(path) = &args.config else {
        let config = Config::new(&args.settings);
        return config.map_err(|error| CommandError::new("gateway", error));
    };
    let wrong =
        |error: &dyn std::fmt::Display| CommandError::new(&path.display().to_string(), error);
    let text = fs::read_to_string(path).map_err(|error| wrong(&error))?;
    let file = Settings::from_toml(&text).map_err(|error| wrong(&error))?;
    Config::new(&args.settings.or(&file)).map_err(|error| wrong(&error))
}

/// Becomes ready when a signal ends the program.
pub(crate) type Ended = Pin<Box<dyn Future<Output = ()>>>;

/// Listens on an address, reports it with a line, and serves.
pub(crate) async fn listen(
    command: &str,
    address: SocketAddr,
    line: impl FnOnce(SocketAddr) -> String,
    serve: impl AsyncFnOnce(TcpListener, Ended) -> io::Result<()>,
) -> Result<(), CommandError> {
    let wrong = |error| CommandError::new(&address.to_string(), error);
    let listener = TcpListener::bind(address).await.map_err(wrong)?;
    let address = listener.local_addr().map_err(wrong)?;
    // Install the signal handler before reporting the address: a program that has read it may end this one.
    let ended = ended().map_err(wrong)?;
    write_out(&(line(address) + "\n"))?;
    let served = serve(listener, Box::pin(ended)).await;
    served.map_err(|error| CommandError::new(command, error))
}

/// Becomes ready when a signal ends the program.
#[cfg(unix)]
fn ended() -> io::Result<impl Future<Output = ()>> {
    use tokio::signal::unix::{SignalKind, signal};

    let (mut terminate, mut interrupt) = (
        signal(SignalKind::terminate())?,
        signal(SignalKind::interrupt())?,
    );
    Ok(async move {
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
        }
    })
}

/// Becomes ready when a signal ends the program.
#[cfg(not(unix))]
fn ended() -> io::Result<impl Future<Output = ()>> {
    Ok(async {
        // Without that signal the program is ended from outside.
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    })
}

/// The signals that ask for the configuration to be read again.
#[cfg(unix)]
struct HangUps(tokio::signal::unix::Signal);

#[cfg(unix)]
impl HangUps {
    fn new() -> io::Result<Self> {
        use tokio::signal::unix::{SignalKind, signal};

        signal(SignalKind::hangup()).map(Self)
    }

    async fn next(&mut self) {
        self.0.recv().await;
    }
}

/// Other systems have no such signal.
#[cfg(not(unix))]
struct HangUps;

#[cfg(not(unix))]
impl HangUps {
    fn new() -> io::Result<Self> {
        Ok(Self)
    }

    async fn next(&mut self) {
        std::future::pending().await
    }
}

//! A proxy for the Model Context Protocol over Streamable HTTP. [`serve`] answers on a listener in
//! front of a program or another server; [`relay`] connects a client on standard input and output
//! to a server.
//!
//! Messages are treated as in [`llmjson_mcp`]. In front of another server, requests and replies
//! pass with their headers, so that sessions, versions, keys and challenges are between client and
//! server, and only tool calls are read. In front of a program, each session has its own process,
//! and events are kept for replay.
//!
//! OAuth stays between client and server. A protected resource's metadata (RFC 9728) passes
//! unchanged, so its `resource` is the server's URL, and a client that compares it with the URL it
//! calls rejects it by name. The metadata is not rewritten, because clients request tokens with
//! that `resource` (RFC 8707), and a server must reject tokens for another one, such as this proxy.
//! Give clients their token, or put it into the settings for a client on standard input.

mod answers;
mod events;
mod local;
mod message;
mod process;
mod relay;
mod remote;
mod request;
mod settings;

use std::io;
use std::sync::Arc;

use hyper::body::Incoming;
use hyper::{Request, Response};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpListener;
use tokio::runtime::Handle;

pub use settings::{Config, Settings};

use super::Body;
use super::connections::{self, Answer};
use super::hosts::Hosts;
use super::refusal::Refusal;
use local::Local;
use remote::Remote;
use settings::Target;

/// The path at which a program is served.
const PATH: &str = "/mcp";

/// The server behind the proxy.
enum Served {
    Program(Arc<Local>),
    Server(Arc<Remote>),
}

/// Answers requests on a listener until `shutdown` is ready, and then until open replies have
/// ended, within the configured time.
///
/// # Errors
///
/// If the connection to the server cannot be set up, or if the settings have no address to listen
/// on.
pub async fn serve(
    config: Config,
    listener: TcpListener,
    shutdown: impl Future<Output = ()>,
) -> io::Result<()> {
    let bounds = config.limits.bounds;
    let hosts = Hosts {
        is_loopback: listener.local_addr()?.ip().is_loopback(),
        allowed: config.hosts.clone(),
    };
    let served = Arc::new(match &config.target {
        Target::Program(_) => Served::Program(Arc::new(Local::new(&config))),
        Target::Server(url) => Served::Server(Arc::new(Remote::new(&config, url)?)),
    });
    let answering = Arc::clone(&served);
    let answer = move |request| -> Answer {
        let (served, hosts) = (Arc::clone(&answering), hosts.clone());
        Box::pin(async move { Ok(answer(&served, &hosts, request).await) })
    };
    let ended = async {
        shutdown.await;
        // Endless streams are ended first, so that the drain does not wait for them.
        match &*served {
            Served::Program(local) => local.end_all(),
            Served::Server(remote) => remote.end_streams(),
        }
    };
    // Programs and sessions wait for each other, so all run on one runtime.
    connections::serve(bounds, &[(Handle::current(), answer)], listener, ended).await;
    if let Served::Program(local) = &*served {
        local.ended().await;
    }
    Ok(())
}

/// Passes messages between a client on standard input and output (or similar streams) and a
/// Streamable HTTP server, until the input ends and all requests are answered.
///
/// # Errors
///
/// If the connection cannot be set up, or if the settings name no server.
pub async fn relay(
    config: Config,
    input: impl AsyncRead + Unpin,
    output: impl AsyncWrite + Unpin,
) -> io::Result<()> {
    relay::run(config, input, output).await
}

async fn answer(served: &Served, hosts: &Hosts, request: Request<Incoming>) -> Response<Body> {
    let method = request.method().clone();
    // The query and the headers may contain a key, so neither is logged.
    let path = request.uri().path().to_owned();
    let answered = async {
        let via = match served {
            Served::Program(_) => None,
            Served::Server(remote) => Some(&remote.upstream.via),
        };
        hosts.check(&request, via)?;
        match served {
            Served::Program(local) => local::answer(local, request).await,
            Served::Server(remote) => remote::answer(remote, request).await,
        }
    };
    let response = answered.await.unwrap_or_else(|refusal: Refusal| {
        tracing::warn!(code = refusal.code, "refused");
        answers::refused(&refusal, None)
    });
    tracing::info!(%method, path, status = response.status().as_u16(), "answered");
    response
}

//! The server around the state machine: sockets, clock, files and limits.
//!
//! [`serve`] answers on a listener until shutdown. Requests in a dialect go through
//! [`crate::dialect`]; everything else passes through, as a stream unless its model chooses the
//! upstream. Upstreams are defined only by the [`Config`], and clients' keys appear in no log,
//! metric, report or error.

mod body;
mod chat;
mod config;
mod connections;
mod connector;
mod headers;
mod hosts;
mod lock;
pub mod mcp;
mod metrics;
mod models;
mod pass;
mod records;
mod refusal;
mod routes;
mod settings;
mod stream;
mod upstream;
mod workers;

use std::collections::hash_map::RandomState;
use std::hash::BuildHasher as _;
use std::io;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, PoisonError, RwLock};

use http_body_util::combinators::UnsyncBoxBody;
use hyper::body::Bytes;
use hyper::header::HeaderValue;
use llmjson::syntax::Document;
use tokio::net::TcpListener;
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};

pub use config::{Config, ConfigError};
pub use settings::{Settings, UpstreamSetting};

use body::Room;
use config::Bounds;
use connections::Answer;
use hosts::Hosts;
use metrics::Metrics;
use records::Records;
use refusal::Refusal;
use upstream::Upstream;
use workers::Workers;

use crate::{Cache, Treatment, json};

/// The body of an answer.
type Body = UnsyncBoxBody<Bytes, BoxError>;
type BoxError = Box<dyn std::error::Error + Send + Sync>;

/// The state for a thread's requests, most of it shared by all threads.
#[derive(Clone)]
struct Gateway {
    upstreams: Vec<Arc<Upstream>>,
    hosts: Hosts,
    treatment: Treatment,
    cache: Arc<Cache>,
    bounds: Bounds,
    metrics: Arc<Metrics>,
    records: Arc<Records>,
    room: Room,
    via: HeaderValue,
    /// The part of request ids that identifies this process.
    process: u64,
    requests: Arc<AtomicU64>,
}

/// Answers requests on a listener until `shutdown` is ready, and then until open replies have
/// ended, within the configured time. The requests are answered on separate threads.
///
/// # Errors
///
/// If the report file or the connection to an upstream cannot be set up.
pub async fn serve(
    config: Config,
    listener: TcpListener,
    shutdown: impl Future<Output = ()>,
) -> io::Result<()> {
    let (_, reloads) = unbounded_channel();
    serve_reloading(config, listener, reloads, shutdown).await
}

/// Serves like [`serve`], and replaces the configuration by each further configuration, which
/// also opens the report file again.
///
/// Replies that are open keep their configuration. The address, the limits on connections and heads,
/// and the size of open requests never change. A configuration that cannot be used, or an error
/// instead of one, is logged and changes nothing.
///
/// # Errors
///
/// See [`serve`].
pub async fn serve_reloading(
    config: Config,
    listener: TcpListener,
    mut reloads: UnboundedReceiver<Result<Config, String>>,
    shutdown: impl Future<Output = ()>,
) -> io::Result<()> {
    let gateway = Gateway::new(&config, listener.local_addr()?)?;
    let workers = Workers::start()?;
    let mut current = Vec::new();
    for _ in workers.handles() {
        let own = gateway.with_own_connections(&config)?;
        current.push(Arc::new(RwLock::new(Arc::new(own))));
    }
    let answers = workers.handles().zip(&current).map(|(handle, current)| {
        let current = Arc::clone(current);
        let answer = move |request| -> Answer {
            let gateway = Arc::clone(&current.read().unwrap_or_else(PoisonError::into_inner));
            Box::pin(routes::answer(gateway, request))
        };
        (handle.clone(), answer)
    });
    let answers: Vec<_> = answers.collect();
    let reload = async {
        while let Some(config) = reloads.recv().await {
            let reload = |config| {
                gateway
                    .reload(&config, &current)
                    .map_err(|error| error.to_string())
            };
            match config.and_then(reload) {
                Ok(()) => tracing::info!("the configuration is loaded again"),
                Err(error) => tracing::error!("the configuration stays: {error}"),
            }
        }
        std::future::pending::<()>().await;
    };
    tokio::select! {
        () = connections::serve(config.bounds, &answers, listener, shutdown) => {}
        () = reload => {}
    }
    workers.end();
    Ok(())
}

impl Gateway {
    fn new(config: &Config, address: SocketAddr) -> io::Result<Self> {
        let via = headers::new_via();
        Ok(Self {
            upstreams: upstreams(config, &via)?,
            hosts: Hosts {
                is_loopback: address.ip().is_loopback(),
                allowed: config.hosts.clone(),
            },
            treatment: config.treatment.clone(),
            cache: Arc::new(Cache::new(config.cached).with_bytes(config.cached_bytes)),
            bounds: config.bounds,
            metrics: Arc::new(Metrics::new()),
            records: Arc::new(Records::open(config.report_dir.as_deref())?),
            room: Room::new(&config.bounds),
            via,
            process: RandomState::new().hash_one(address),
            requests: Arc::default(),
        })
    }

    /// Applies another configuration to all threads.
    fn reload(&self, config: &Config, all: &[Arc<RwLock<Arc<Self>>>]) -> io::Result<()> {
        let new = Self {
            hosts: Hosts {
                allowed: config.hosts.clone(),
                ..self.hosts.clone()
            },
            treatment: config.treatment.clone(),
            cache: Arc::new(Cache::new(config.cached).with_bytes(config.cached_bytes)),
            bounds: config.bounds,
            records: Arc::new(Records::open(config.report_dir.as_deref())?),
            ..self.clone()
        };
        let new: io::Result<Vec<Self>> = all
            .iter()
            .map(|_| new.with_own_connections(config))
            .collect();
        for (one, new) in all.iter().zip(new?) {
            *one.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(new);
        }
        Ok(())
    }

    /// Returns the state for another thread, with its own connections to upstreams.
    fn with_own_connections(&self, config: &Config) -> io::Result<Self> {
        Ok(Self {
            upstreams: upstreams(config, &self.via)?,
            ..self.clone()
        })
    }

    /// The server for a model, or for a request without one.
    fn upstream(&self, model: Option<&str>) -> &Arc<Upstream> {
        let of_model = model.and_then(|model| self.upstreams.iter().find(|one| one.has(model)));
        let of_all = || self.upstreams.iter().find(|one| one.takes_all());
        of_model.or_else(of_all).unwrap_or(&self.upstreams[0])
    }

    /// The server for a request, by its body. If there are several servers, a request whose model
    /// cannot be read is refused.
    fn upstream_of(&self, body: &[u8]) -> Result<&Arc<Upstream>, Refusal> {
        if let [only] = &*self.upstreams {
            return Ok(only);
        }
        let document = json::read(body);
        let Some(root) = document.as_ref().and_then(Document::root) else {
            let message =
                "the request is not a JSON object in UTF-8, so that its model is not known";
            return Err(Refusal::new("unreadable", message));
        };
        Ok(self.upstream(json::text(root, "model").as_deref()))
    }

    fn new_id(&self) -> String {
        let number = self.requests.fetch_add(1, Ordering::Relaxed);
        format!("{:016x}-{number}", self.process)
    }
}

fn upstreams(config: &Config, via: &HeaderValue) -> io::Result<Vec<Arc<Upstream>>> {
    let upstreams = config.upstreams.iter();
    let upstreams =
        upstreams.map(|one| Upstream::new(one, config.bounds, via.clone()).map(Arc::new));
    upstreams
        .collect::<Result<_, _>>()
        .map_err(io::Error::other)
}

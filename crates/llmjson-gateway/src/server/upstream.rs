//! The servers that requests go to. They come from the configuration alone.

use std::time::Duration;

use hyper::header::HeaderMap;
use hyper::{Method, Response, StatusCode, Uri};
use llmjson_wire::client::reqwest::{self, Url};
use llmjson_wire::client::{BuildError, Client};
use tokio::time::timeout;

use super::body::{Broken, request_broke_off};
use super::config::{Bounds, UpstreamConfig};
use super::refusal::Refusal;

/// Servers close a connection that is idle after five seconds or more. One that is closed while a request goes out on it
/// costs that request.
const POOL_IDLE: Duration = Duration::from_secs(4);

/// One server.
#[derive(Debug)]
pub(super) struct Upstream {
    base: Url,
    models: Vec<String>,
    /// `true` if it has chat completions alone.
    pub(super) speaks_chat: bool,
    client: reqwest::Client,
    bounds: Bounds,
}

impl Upstream {
    pub(super) fn new(config: &UpstreamConfig, bounds: Bounds) -> Result<Self, BuildError> {
        let mut client = Client::builder()
            .connect_timeout(bounds.connect)
            // The waits have limits of their own here.
            .read_timeout(bounds.first_byte.max(bounds.idle));
        let host = config.url.host_str().unwrap_or_default();
        if is_loopback(host) {
            client = client.without_proxy();
        }
        let client = client.transport_settings()?.pool_idle_timeout(POOL_IDLE);
        Ok(Self {
            base: config.url.clone(),
            models: config.models.clone(),
            speaks_chat: config.speaks_chat,
            client: client
                .build()
                .map_err(|error| BuildError::Transport(error.into()))?,
            bounds,
        })
    }

    /// Returns `true` if this server has a model.
    pub(super) fn has(&self, model: &str) -> bool {
        self.models.iter().any(|pattern| matches(pattern, model))
    }

    /// Returns `true` if this server gets what belongs to no other.
    pub(super) fn takes_all(&self) -> bool {
        self.models.is_empty()
    }

    /// The address of a request: what follows `/v1` is appended to the base, any other path to its origin.
    pub(super) fn target(&self, uri: &Uri) -> Result<Url, Refusal> {
        self.target_of(uri.path(), uri.query())
    }

    /// The same for a path and a query.
    pub(super) fn target_of(&self, path: &str, query: Option<&str>) -> Result<Url, Refusal> {
        let path = checked_path(path)?;
        let mut url = self.base.clone();
        match path
            .strip_prefix("/v1")
            .filter(|rest| rest.is_empty() || rest.starts_with('/'))
        {
            Some(rest) => {
                url.set_path(&format!("{}{rest}", self.base.path().trim_end_matches('/')))
            }
            None => url.set_path(path),
        }
        let query = match (self.base.query(), query) {
            (Some(base), Some(asked)) => Some(format!("{base}&{asked}")),
            (base, asked) => base.or(asked).map(str::to_owned),
        };
        url.set_query(query.as_deref());
        Ok(url)
    }

    /// The address of a request whose path is the same there: that of the base with the base's own query, any other at its
    /// origin.
    pub(super) fn same_path(&self, uri: &Uri) -> Result<Url, Refusal> {
        let path = checked_path(uri.path())?;
        let mut url = self.base.clone();
        if path != self.base.path() {
            url.set_path(path);
            url.set_query(None);
        }
        if let Some(asked) = uri.query() {
            let query = url
                .query()
                .map_or(asked.to_owned(), |base| format!("{base}&{asked}"));
            url.set_query(Some(&query));
        }
        Ok(url)
    }

    /// Sends a request, and waits until its answer begins.
    pub(super) async fn send(
        &self,
        method: Method,
        url: Url,
        headers: HeaderMap,
        body: Option<reqwest::Body>,
    ) -> Result<Response<reqwest::Body>, Refusal> {
        let mut request = reqwest::Request::new(method, url);
        *request.headers_mut() = headers;
        *request.body_mut() = body;
        match timeout(self.bounds.first_byte, self.client.execute(request)).await {
            Ok(Ok(response)) => Ok(response.into()),
            Ok(Err(error)) => Err(unreachable(&error)),
            Err(_) => Err(Refusal::new(
                StatusCode::GATEWAY_TIMEOUT,
                "upstream_timeout",
                "the upstream did not begin to answer in time (first-byte-timeout)",
            )),
        }
    }
}

fn checked_path(path: &str) -> Result<&str, Refusal> {
    if stays_below(path) {
        return Ok(path);
    }
    let message =
        "the path of the request leads upwards, expected one without . and .. as segments";
    Err(Refusal::new(StatusCode::BAD_REQUEST, "bad_path", message))
}

fn unreachable(error: &reqwest::Error) -> Refusal {
    if matches!(Broken::of(error), Broken::TooSlow) {
        return request_broke_off();
    }
    // The error's own text holds the address, and with it what may be secret in its query.
    match (error.is_timeout(), error.is_connect()) {
        (true, _) => Refusal::new(
            StatusCode::GATEWAY_TIMEOUT,
            "upstream_timeout",
            "no connection to the upstream in time (connect-timeout)",
        ),
        (_, true) => Refusal::new(
            StatusCode::BAD_GATEWAY,
            "upstream_unreachable",
            "the upstream cannot be reached",
        ),
        _ => Refusal::new(
            StatusCode::BAD_GATEWAY,
            "upstream_failed",
            "the upstream closed the connection without an answer, or its answer is not HTTP",
        ),
    }
}

/// Returns `true` if a path has no segment that leads upwards, whichever way an upstream decodes it.
fn stays_below(path: &str) -> bool {
    if !path.contains(['.', '%']) {
        return true;
    }
    let decoded = path
        .to_ascii_lowercase()
        .replace("%2e", ".")
        .replace("%2f", "/")
        .replace("%5c", "\\");
    !decoded
        .split(['/', '\\'])
        .any(|segment| matches!(segment, "." | ".."))
}

/// Returns `true` if a host is this machine.
pub(super) fn is_loopback(host: &str) -> bool {
    let host = host.trim_start_matches('[').trim_end_matches(']');
    let address = host.parse::<std::net::IpAddr>();
    let name = host.trim_end_matches('.').to_ascii_lowercase();
    address.map_or(name == "localhost" || name.ends_with(".localhost"), |ip| {
        ip.is_loopback()
    })
}

/// Compares a name with a pattern in which `*` stands for any characters.
fn matches(pattern: &str, name: &str) -> bool {
    let Some((start, rest)) = pattern.split_once('*') else {
        return pattern == name;
    };
    let Some(mut name) = name.strip_prefix(start) else {
        return false;
    };
    let mut parts = rest.split('*').peekable();
    while let Some(part) = parts.next() {
        if parts.peek().is_none() {
            return name.ends_with(part);
        }
        match name.find(part) {
            Some(at) => name = &name[at + part.len()..],
            None => return false,
        }
    }
    true
}

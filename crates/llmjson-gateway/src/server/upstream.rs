//! The servers that requests go to. They are defined only by the configuration.

use std::error::Error as _;
use std::time::Duration;

use hyper::body::Incoming;
use hyper::header::{HeaderMap, HeaderValue, PROXY_AUTHORIZATION, VIA};
use hyper::{Method, Request, Response, StatusCode, Uri, Version};
use hyper_util::client::legacy::{Client, Error};
use hyper_util::rt::{TokioExecutor, TokioTimer};
use tokio::time::error::Elapsed;
use tokio::time::timeout;

use super::body::{Broken, request_broke_off};
use super::config::{Bounds, UpstreamConfig};
use super::connector::Connector;
use super::refusal::Refusal;
use super::{Body, BoxError};

/// Servers close an idle connection after five seconds or more. If that happens while a request is
/// sent on it, the request is lost.
const POOL_IDLE: Duration = Duration::from_secs(4);

/// One server.
pub(super) struct Upstream {
    base: Uri,
    models: Vec<String>,
    /// `true` if it supports only chat completions.
    pub(super) speaks_chat: bool,
    connector: Connector,
    client: Client<Connector, Body>,
    bounds: Bounds,
    /// The pseudonym by which a loop is detected.
    pub(super) via: HeaderValue,
}

impl Upstream {
    pub(super) fn new(
        config: &UpstreamConfig,
        bounds: Bounds,
        via: HeaderValue,
    ) -> Result<Self, BoxError> {
        let base: Uri = config.url.as_str().parse()?;
        let connector = Connector::new(&base, bounds.connect)?;
        let client = Client::builder(TokioExecutor::new())
            .pool_timer(TokioTimer::new())
            .pool_idle_timeout(POOL_IDLE)
            .build(connector.clone());
        Ok(Self {
            base,
            models: config.models.clone(),
            speaks_chat: config.speaks_chat,
            connector,
            client,
            bounds,
            via,
        })
    }

    /// The configured URL.
    pub(super) const fn base(&self) -> &Uri {
        &self.base
    }

    /// Returns `true` if this server has a model.
    pub(super) fn has(&self, model: &str) -> bool {
        self.models.iter().any(|pattern| matches(pattern, model))
    }

    /// Returns `true` if this server receives requests that belong to no other server.
    pub(super) fn takes_all(&self) -> bool {
        self.models.is_empty()
    }

    /// Returns the URL for a request: the part after `/v1` is appended to the base, any other path
    /// to its origin.
    pub(super) fn target(&self, uri: &Uri) -> Result<Uri, Refusal> {
        self.target_of(uri.path(), uri.query())
    }

    /// Returns the URL for a path and a query.
    pub(super) fn target_of(&self, path: &str, query: Option<&str>) -> Result<Uri, Refusal> {
        let path = checked_path(path)?;
        let below = path
            .strip_prefix("/v1")
            .filter(|rest| rest.is_empty() || rest.starts_with('/'));
        let front = below.map(|_| self.base.path().trim_end_matches('/'));
        let parts = [front.unwrap_or_default(), below.unwrap_or(path)];
        self.at(parts, [self.base.query(), query])
    }

    /// Returns the URL for a request with the same path at the server: the base's path keeps the
    /// base's query, any other path is at its origin.
    pub(super) fn same_path(&self, uri: &Uri) -> Result<Uri, Refusal> {
        let path = checked_path(uri.path())?;
        let own = self.base.query().filter(|_| path == self.base.path());
        self.at([path, ""], [own, uri.query()])
    }

    /// Returns a URL at the origin of this server.
    fn at(&self, path: [&str; 2], queries: [Option<&str>; 2]) -> Result<Uri, Refusal> {
        let mut text = path.concat();
        if text.is_empty() {
            text.push('/');
        }
        for (query, sign) in queries.into_iter().flatten().zip(['?', '&']) {
            text.push(sign);
            text.push_str(query);
        }
        let mut parts = self.base.clone().into_parts();
        let bad = |_| Refusal::new(StatusCode::BAD_REQUEST, "bad_path", "the path is too long");
        parts.path_and_query = Some(text.try_into().map_err(bad)?);
        Ok(Uri::from_parts(parts).expect("the base has a scheme and an authority"))
    }

    /// Sends a request, and waits until its answer begins.
    pub(super) async fn send(
        &self,
        method: Method,
        uri: Uri,
        headers: HeaderMap,
        body: Option<Body>,
    ) -> Result<Response<Incoming>, Refusal> {
        let mut request = Request::new(body.unwrap_or_default());
        *request.method_mut() = method;
        *request.uri_mut() = uri;
        *request.headers_mut() = headers;
        request.headers_mut().append(VIA, self.via.clone());
        if let Some(key) = self.connector.proxy_key() {
            request
                .headers_mut()
                .insert(PROXY_AUTHORIZATION, key.clone());
        }
        match timeout(self.bounds.first_byte, self.client.request(request)).await {
            Ok(Ok(mut response)) => {
                // An HTTP/1.0 upstream must not downgrade the client's connection.
                *response.version_mut() = Version::default();
                Ok(response)
            }
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

fn unreachable(error: &Error) -> Refusal {
    if matches!(Broken::of(error), Broken::TooSlow) {
        return request_broke_off();
    }
    let mut causes = std::iter::successors(error.source(), |cause| (*cause).source());
    let is_timeout = causes.any(|cause| cause.is::<Elapsed>());
    // The error's own text contains the URL, whose query may be secret.
    match (is_timeout, error.is_connect()) {
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

/// Returns `true` if no segment of a path leads upwards, however an upstream decodes it.
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

/// Matches a name against a pattern in which `*` stands for any characters.
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

//! The servers that requests go to. They are defined only by the configuration.

use std::error::Error as _;
use std::io;
use std::sync::Arc;
use std::time::Duration;

use hyper::body::{Bytes, Incoming};
use hyper::header::{AUTHORIZATION, HeaderMap, HeaderValue, PROXY_AUTHORIZATION, VIA};
use hyper::http::response::Parts;
use hyper::{Method, Request, Response, Uri, Version};
use hyper_util::client::legacy::{Client, Error};
use hyper_util::rt::{TokioExecutor, TokioTimer};
use tokio::time::error::Elapsed;
use tokio::time::timeout;

use super::body::{Broken, read_reply, request_broke_off};
use super::config::{Bounds, UpstreamConfig};
use super::connector::Connector;
use super::headers::{ANTHROPIC_VERSION, CREDENTIALS, X_API_KEY};
use super::refusal::Refusal;
use super::{Body, BoxError};
use crate::dialect::Dialect;

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
    /// The name in messages and metrics.
    pub(super) name: Arc<str>,
    /// The key for this server, which replaces the client's.
    key: Option<Key>,
}

/// A server's key, in the two forms of the header that holds it.
#[derive(Clone, Debug)]
pub(super) struct Key {
    bearer: HeaderValue,
    plain: HeaderValue,
}

impl Key {
    /// `None` if a header cannot hold it.
    pub(super) fn new(key: &str) -> Option<Self> {
        let value = |text: &str| {
            let mut value = HeaderValue::try_from(text).ok()?;
            value.set_sensitive(true);
            Some(value)
        };
        let (bearer, plain) = (value(&format!("Bearer {key}"))?, value(key)?);
        Some(Self { bearer, plain })
    }

    /// Replaces the client's keys.
    fn put(&self, headers: &mut HeaderMap, path: &str) {
        for name in &CREDENTIALS {
            headers.remove(name);
        }
        let is_messages = Dialect::of_path(path) == Some(Dialect::Messages);
        match is_messages || headers.contains_key(ANTHROPIC_VERSION) {
            true => headers.insert(X_API_KEY, self.plain.clone()),
            false => headers.insert(AUTHORIZATION, self.bearer.clone()),
        };
    }
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
            name: config.name.as_str().into(),
            key: config.key.clone(),
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
        let bad = |_| Refusal::new("bad_path", "the path is too long");
        parts.path_and_query = Some(text.try_into().map_err(bad)?);
        Ok(Uri::from_parts(parts).expect("the base has a scheme and an authority"))
    }

    /// Sends a request, and waits until its answer begins.
    pub(super) async fn send(
        &self,
        method: Method,
        uri: Uri,
        mut headers: HeaderMap,
        body: Option<Body>,
    ) -> Result<Response<Incoming>, Refusal> {
        let mut request = Request::new(body.unwrap_or_default());
        *request.method_mut() = method;
        if let Some(key) = &self.key {
            key.put(&mut headers, uri.path());
        }
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
            Ok(Err(error)) => Err(self.unreachable(&error)),
            Err(_) => {
                let what = "did not begin to answer in time (first-byte-timeout)";
                Err(self.refusal("upstream_timeout", what))
            }
        }
    }

    /// Reads a whole answer.
    pub(super) async fn read(
        &self,
        response: Response<Incoming>,
    ) -> Result<(Parts, Bytes), Refusal> {
        let (parts, body) = response.into_parts();
        Ok((parts, read_reply(&self.bounds, &self.name, body).await?))
    }

    fn refusal(&self, code: &'static str, what: &str) -> Refusal {
        Refusal::new(code, format!("the upstream {} {what}", self.name))
    }

    fn unreachable(&self, error: &Error) -> Refusal {
        if matches!(Broken::of(error), Broken::TooSlow) {
            return request_broke_off();
        }
        let causes = || std::iter::successors(error.source(), |cause| (*cause).source());
        if causes().any(|cause| cause.is::<Elapsed>()) {
            return self.refusal(
                "upstream_timeout",
                "accepts no connection in time (connect-timeout)",
            );
        }
        if !error.is_connect() {
            let what = "closed the connection without an answer, or its answer is not HTTP";
            return self.refusal("upstream_failed", what);
        }
        let proxy = self.connector.proxy_name();
        let by = proxy.map_or_else(String::new, |name| format!(" through the proxy {name}"));
        let what = format!("cannot be reached{by}: {}", cause_of(causes()));
        self.refusal("upstream_unreachable", &what)
    }
}

fn checked_path(path: &str) -> Result<&str, Refusal> {
    if stays_below(path) {
        return Ok(path);
    }
    let message =
        "the path of the request leads upwards, expected one without . and .. as segments";
    Err(Refusal::new("bad_path", message))
}

/// Names the cause of a connection that failed. The outer errors may contain the URL, whose query
/// may be secret.
fn cause_of<'e>(causes: impl Iterator<Item = &'e (dyn std::error::Error + 'static)>) -> String {
    let (mut phase, mut last) = ("", String::new());
    for cause in causes {
        let io = cause.downcast_ref::<io::Error>();
        let inner = io.and_then(io::Error::get_ref);
        last = inner.map_or_else(|| cause.to_string(), ToString::to_string);
        if io.is_some_and(|io| io.kind() == io::ErrorKind::ConnectionRefused) {
            return "the connection is refused".to_owned();
        }
        if last.contains("dns error") {
            phase = "its name is not found (DNS): ";
        } else if is_tls(&last) {
            phase = "TLS failed: ";
        }
    }
    format!("{phase}{last}")
}

/// Returns `true` for the messages of errors in TLS.
fn is_tls(message: &str) -> bool {
    ["certificate", "tls", "Tls", "TLS", "handshake"]
        .iter()
        .any(|word| message.contains(word))
        || message.contains("corrupt message")
        || message.contains("InvalidContentType")
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

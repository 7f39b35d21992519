//! Connections to an upstream: direct, or through the proxy that the environment names for it.

use std::io::{self, IoSlice};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use hyper::Uri;
use hyper::header::HeaderValue;
use hyper::http::uri::Scheme;
use hyper::rt::{Read, ReadBufCursor, Write};
use hyper_rustls::HttpsConnector;
use hyper_util::client::legacy::connect::proxy::Tunnel;
use hyper_util::client::legacy::connect::{Connected, Connection, HttpConnector};
use hyper_util::client::proxy::matcher::{Intercept, Matcher};
use llmjson_wire::client::{BuildError, tls};
use tokio::time::timeout;
use tower_service::Service;

use super::BoxError;
use super::upstream::is_loopback;

/// The idle time before a silent connection is probed, and the number of probes.
const KEEP_ALIVE: (Duration, u32) = (Duration::from_secs(15), 3);

type Https<C> = HttpsConnector<C>;

/// Connects to one server.
#[derive(Clone)]
pub(super) struct Connector {
    straight: Https<HttpConnector>,
    proxy: Option<Intercept>,
    through: Option<Https<Tunnel<Https<HttpConnector>>>>,
    limit: Duration,
}

impl Connector {
    pub(super) fn new(server: &Uri, limit: Duration) -> Result<Self, BuildError> {
        let tls = Arc::new(tls()?);
        let mut tcp = HttpConnector::new();
        tcp.enforce_http(false);
        tcp.set_nodelay(true);
        tcp.set_keepalive(Some(KEEP_ALIVE.0));
        tcp.set_keepalive_interval(Some(KEEP_ALIVE.0));
        tcp.set_keepalive_retries(Some(KEEP_ALIVE.1));
        let straight = Https::from((tcp, Arc::clone(&tls)));
        let proxy = (!is_loopback(server.host().unwrap_or_default()))
            .then(|| Matcher::from_system().intercept(server))
            .flatten();
        let tunnel = proxy
            .as_ref()
            .filter(|_| server.scheme() == Some(&Scheme::HTTPS));
        let through = tunnel.map(|proxy| {
            let tunnel = Tunnel::new(proxy.uri().clone(), straight.clone());
            let tunnel = match proxy.basic_auth() {
                Some(key) => tunnel.with_auth(key.clone()),
                None => tunnel,
            };
            Https::from((tunnel, tls))
        });
        Ok(Self {
            straight,
            proxy,
            through,
            limit,
        })
    }

    /// The host and port of the proxy, if there is one.
    pub(super) fn proxy_name(&self) -> Option<&str> {
        let authority = self.proxy.as_ref()?.uri().authority()?.as_str();
        // A user and a password may precede the host.
        authority.rsplit('@').next()
    }

    /// The header that authenticates to a proxy, for servers without TLS.
    pub(super) fn proxy_key(&self) -> Option<&HeaderValue> {
        let proxy = self.proxy.as_ref().filter(|_| self.through.is_none());
        proxy.and_then(Intercept::basic_auth)
    }
}

impl Service<Uri> for Connector {
    type Response = Wire;
    type Error = BoxError;
    type Future = Pin<Box<dyn Future<Output = Result<Wire, BoxError>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), BoxError>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, server: Uri) -> Self::Future {
        let (mut to, limit) = (self.clone(), self.limit);
        let connected = async move {
            let stream: Box<dyn Stream> = match (&to.proxy, &mut to.through) {
                (Some(_), Some(through)) => Box::new(through.call(server).await?),
                (Some(proxy), None) => Box::new(to.straight.call(proxy.uri().clone()).await?),
                (None, _) => Box::new(to.straight.call(server).await?),
            };
            let is_proxied = to.proxy.is_some() && to.through.is_none();
            Ok(Wire { stream, is_proxied })
        };
        Box::pin(async move { timeout(limit, connected).await? })
    }
}

trait Stream: Read + Write + Connection + Unpin + Send {}

impl<T: Read + Write + Connection + Unpin + Send> Stream for T {}

/// A connection.
pub(super) struct Wire {
    stream: Box<dyn Stream>,
    /// `true` if it leads to a proxy that expects absolute URLs.
    is_proxied: bool,
}

impl Connection for Wire {
    fn connected(&self) -> Connected {
        self.stream.connected().proxy(self.is_proxied)
    }
}

impl Read for Wire {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        out: ReadBufCursor<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(cx, out)
    }
}

impl Write for Wire {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(cx, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        parts: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write_vectored(cx, parts)
    }
}

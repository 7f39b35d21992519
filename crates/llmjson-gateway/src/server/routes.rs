//! The way of one request: what is answered here, what is treated, what passes.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Instant;

use hyper::body::Incoming;
use hyper::header::HeaderValue;
use hyper::{Method, Request, Response, StatusCode};
use tracing::Instrument as _;

use super::headers::{REQUEST_ID, asks_for_upgrade, request_id};
use super::metrics::TEXT;
use super::refusal::{Refusal, answer as short};
use super::{Body, Gateway, chat, pass};
use crate::dialect::Dialect;

/// Answers a request, whatever it is.
pub(super) async fn answer(
    gateway: Arc<Gateway>,
    request: Request<Incoming>,
) -> Result<Response<Body>, Infallible> {
    let id = request_id(request.headers()).map_or_else(|| gateway.new_id(), str::to_owned);
    let value = HeaderValue::try_from(&id).expect("ids are visible characters");
    // The query may hold a key, and headers do.
    let (method, path) = (request.method(), request.uri().path());
    let span = tracing::info_span!("request", id, %method, path);
    async {
        let start = Instant::now();
        let dialect = treated_dialect(&request);
        let answered = route(&gateway, request, id).await;
        let mut response = answered.unwrap_or_else(|refusal| {
            gateway.metrics.refused(refusal.code);
            tracing::warn!(code = refusal.code, "refused");
            refusal
                .in_dialect(dialect.unwrap_or(Dialect::Chat))
                .into_response()
        });
        tracing::info!(
            status = response.status().as_u16(),
            seconds = start.elapsed().as_secs_f64(),
            "answered"
        );
        response.headers_mut().entry(REQUEST_ID).or_insert(value);
        Ok(response)
    }
    .instrument(span)
    .await
}

async fn route(
    gateway: &Arc<Gateway>,
    mut request: Request<Incoming>,
    id: String,
) -> Result<Response<Body>, Refusal> {
    gateway.hosts.check_host(&request)?;
    if request.method() == Method::CONNECT || asks_for_upgrade(request.headers()) {
        let message = "upgrades of the protocol, such as to WebSocket, are not passed on";
        return Err(Refusal::new(
            StatusCode::NOT_IMPLEMENTED,
            "no_upgrade",
            message,
        ));
    }
    let path = request.uri().path();
    let is_get = matches!(*request.method(), Method::GET | Method::HEAD);
    match path {
        "/healthz" if is_get => return Ok(short(StatusCode::OK, "text/plain", b"ok\n".to_vec())),
        "/metrics" if is_get => {
            return Ok(short(
                StatusCode::OK,
                TEXT,
                gateway.metrics.text().into_bytes(),
            ));
        }
        _ => {}
    }
    let dialect = treated_dialect(&request);
    let value = HeaderValue::try_from(&id).expect("ids are visible characters");
    request.headers_mut().insert(REQUEST_ID, value);
    match dialect {
        Some(dialect) => chat::answer(gateway, request, id, dialect).await,
        None => pass::answer(gateway, request).await,
    }
}

/// The dialect of a request whose reply is treated.
fn treated_dialect(request: &Request<Incoming>) -> Option<Dialect> {
    let dialect = Dialect::of_path(request.uri().path());
    dialect.filter(|_| request.method() == Method::POST)
}

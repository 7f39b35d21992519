//! Routes a request: answered here, treated, or passed through.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Instant;

use hyper::body::Incoming;
use hyper::header::HeaderValue;
use hyper::{Method, Request, Response, StatusCode};

use super::headers::{REQUEST_ID, request_id};
use super::metrics::TEXT;
use super::records::{ERROR, Logged, PASSED};
use super::refusal::{Refusal, answer as short};
use super::{Body, Gateway, chat, pass};
use crate::dialect::Dialect;

/// The path of the health check.
pub(super) const HEALTH: &str = "/healthz";

/// Answers any request.
pub(super) async fn answer(
    gateway: Arc<Gateway>,
    request: Request<Incoming>,
) -> Result<Response<Body>, Infallible> {
    let start = Instant::now();
    let id = request_id(request.headers()).map_or_else(|| gateway.new_id(), str::to_owned);
    let value = HeaderValue::try_from(&id).expect("ids are visible characters");
    let (method, uri) = (request.method().clone(), request.uri().clone());
    let dialect = treated_dialect(&request);
    let mut cause = None;
    let answered = route(&gateway, request, &id).await;
    let mut response = answered.unwrap_or_else(|refusal| {
        gateway.metrics.refused(refusal.code);
        cause = Some(refusal.message.clone());
        refusal
            .in_dialect(dialect.unwrap_or(Dialect::Chat))
            .into_response()
    });
    response.headers_mut().entry(REQUEST_ID).or_insert(value);
    let (status, seconds) = (response.status().as_u16(), start.elapsed().as_secs_f64());
    if response.extensions_mut().remove::<Logged>().is_some() {
        return Ok(response);
    }
    // A separate task runs after the answer was written, so no client waits for the log.
    tokio::spawn(async move {
        // The query and the headers may contain a key, so neither is logged.
        let path = uri.path();
        let (outcome, cause) = (if cause.is_none() { PASSED } else { ERROR }, cause);
        let cause = cause.as_deref();
        tracing::info!(id, %method, path, status, outcome, cause, seconds, "answered");
    });
    Ok(response)
}

async fn route(
    gateway: &Arc<Gateway>,
    mut request: Request<Incoming>,
    id: &str,
) -> Result<Response<Body>, Refusal> {
    gateway.hosts.check(&request, Some(&gateway.via))?;
    let path = request.uri().path();
    let is_get = matches!(*request.method(), Method::GET | Method::HEAD);
    match path {
        HEALTH if is_get => return Ok(short(StatusCode::OK, "text/plain", b"ok\n".to_vec())),
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
    let value = HeaderValue::try_from(id).expect("ids are visible characters");
    request.headers_mut().insert(REQUEST_ID, value);
    match dialect {
        Some(dialect) => chat::answer(gateway, request, id.to_owned(), dialect).await,
        None => pass::answer(gateway, request).await,
    }
}

/// The dialect of a request whose reply is treated.
fn treated_dialect(request: &Request<Incoming>) -> Option<Dialect> {
    let dialect = Dialect::of_path(request.uri().path());
    dialect.filter(|_| request.method() == Method::POST)
}

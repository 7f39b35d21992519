//! Requests that pass: method, path, query, headers, and bodies as streams.

use hyper::body::{Body as _, Incoming};
use hyper::{Request, Response, Uri};

use super::body::timed;
use super::config::Bounds;
use super::headers::{for_upstream, remove_hop_by_hop};
use super::refusal::Refusal;
use super::upstream::Upstream;
use super::{Body, Gateway};

/// Passes a request on to the upstream for what belongs to no model, and its answer back.
pub(super) async fn answer(
    gateway: &Gateway,
    request: Request<Incoming>,
) -> Result<Response<Body>, Refusal> {
    let upstream = gateway.upstream(None);
    let url = upstream.target(request.uri())?;
    let response = through(upstream, url, request, &gateway.bounds).await?;
    gateway.metrics.passed();
    Ok(response)
}

/// Passes a request on to an address of an upstream, and its answer back.
pub(super) async fn through(
    upstream: &Upstream,
    url: Uri,
    request: Request<Incoming>,
    bounds: &Bounds,
) -> Result<Response<Body>, Refusal> {
    let (parts, body) = request.into_parts();
    let body = (!body.is_end_stream()).then(|| timed(body, bounds));
    let headers = for_upstream(parts.headers);
    let response = upstream.send(parts.method, url, headers, body).await?;
    Ok(unread(response, bounds))
}

/// An answer of an upstream as it came.
pub(super) fn unread(response: Response<Incoming>, bounds: &Bounds) -> Response<Body> {
    as_it_came(response.map(|body| timed(body, bounds)))
}

/// The same for a body that was read.
pub(super) fn as_it_came(response: Response<Body>) -> Response<Body> {
    let (mut parts, body) = response.into_parts();
    remove_hop_by_hop(&mut parts.headers);
    let mut passed = Response::new(body);
    *passed.status_mut() = parts.status;
    *passed.headers_mut() = parts.headers;
    passed
}

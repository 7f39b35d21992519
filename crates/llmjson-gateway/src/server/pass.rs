//! Requests that pass through: method, path, query, headers, and streamed bodies, unless they are
//! read for their model.

use hyper::body::{Body as _, Incoming};
use hyper::header::CONTENT_LENGTH;
use hyper::{Method, Request, Response, Uri};

use super::body::{read_request, timed, whole};
use super::config::Bounds;
use super::headers::{for_upstream, remove_hop_by_hop};
use super::refusal::Refusal;
use super::upstream::Upstream;
use super::{Body, Gateway, models};

/// The ends of paths whose requests name their model in a JSON body.
const WITH_MODEL: [&str; 18] = [
    "/completions",
    "/embeddings",
    "/embed",
    "/rerank",
    "/score",
    "/classify",
    "/pooling",
    "/moderations",
    "/messages/count_tokens",
    "/responses/compact",
    "/responses/input_tokens",
    "/images/generations",
    "/audio/speech",
    "/tokenize",
    "/detokenize",
    "/api/chat",
    "/api/generate",
    "/api/embeddings",
];

/// Passes a request on to its model's upstream, or to the default upstream, and returns the answer.
pub(super) async fn answer(
    gateway: &Gateway,
    request: Request<Incoming>,
) -> Result<Response<Body>, Refusal> {
    let path = request.uri().path().trim_end_matches('/');
    let is_several = gateway.upstreams.len() > 1;
    let response = match *request.method() {
        Method::GET if is_several && models::is_list(path) => {
            models::answer(gateway, request).await?
        }
        Method::POST if is_several && WITH_MODEL.iter().any(|end| path.ends_with(end)) => {
            by_model(gateway, request).await?
        }
        _ => {
            let upstream = gateway.upstream(models::named(path));
            let url = upstream.target(request.uri())?;
            through(upstream, url, request, &gateway.bounds).await?
        }
    };
    gateway.metrics.passed();
    Ok(response)
}

/// Passes on a request whose body names its model.
async fn by_model(
    gateway: &Gateway,
    request: Request<Incoming>,
) -> Result<Response<Body>, Refusal> {
    let (mut parts, body) = request.into_parts();
    let headers = &mut parts.headers;
    let (body, _place) = read_request(&gateway.bounds, &gateway.room, headers, body).await?;
    let upstream = gateway.upstream_of(&body)?;
    let url = upstream.target(&parts.uri)?;
    let mut headers = for_upstream(parts.headers);
    headers.remove(CONTENT_LENGTH);
    let response = upstream.send(parts.method, url, headers, Some(whole(body)));
    Ok(unread(response.await?, &gateway.bounds))
}

/// Passes a request on to a URL of an upstream, and returns the answer.
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

/// Passes an upstream's answer through unchanged.
pub(super) fn unread(response: Response<Incoming>, bounds: &Bounds) -> Response<Body> {
    as_it_came(response.map(|body| timed(body, bounds)))
}

/// Passes an answer through unchanged after its body was read.
pub(super) fn as_it_came(response: Response<Body>) -> Response<Body> {
    let (mut parts, body) = response.into_parts();
    remove_hop_by_hop(&mut parts.headers);
    let mut passed = Response::new(body);
    *passed.status_mut() = parts.status;
    *passed.headers_mut() = parts.headers;
    passed
}

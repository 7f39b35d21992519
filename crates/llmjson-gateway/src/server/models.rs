//! The model list, merged from the lists of all upstreams.

use std::sync::Arc;
use std::time::Duration;

use hyper::body::{Bytes, Incoming};
use hyper::header::HeaderMap;
use hyper::http::response::Parts;
use hyper::{Method, Request, Response, Uri};
use serde_json::Value;
use tokio::time::timeout;

use super::body::whole;
use super::headers::{CREDENTIALS, for_treated, forget_body};
use super::pass::as_it_came;
use super::refusal::Refusal;
use super::upstream::Upstream;
use super::{Body, Gateway};

/// The time that an upstream has to list its models, after which the list omits them.
const LIST_TIMEOUT: Duration = Duration::from_secs(10);

/// Returns `true` for the path of the model list.
pub(super) fn is_list(path: &str) -> bool {
    matches!(path, "/v1/models" | "/models")
}

/// Returns the model named in a path.
pub(super) fn named(path: &str) -> Option<&str> {
    let path = path.strip_prefix("/v1").unwrap_or(path);
    path.strip_prefix("/models/")
}

/// Answers with the default upstream's list, plus the models that requests reach on the others.
/// Those are queried without the client's keys, which may be meant only for the default upstream.
pub(super) async fn answer(
    gateway: &Gateway,
    request: Request<Incoming>,
) -> Result<Response<Body>, Refusal> {
    let (parts, _) = request.into_parts();
    let first = gateway.upstream(None);
    let others = gateway.upstreams.iter();
    let others: Vec<_> = others.filter(|one| !Arc::ptr_eq(one, first)).collect();
    let headers = for_treated(parts.headers);
    let mut without_keys = headers.clone();
    for name in &CREDENTIALS {
        without_keys.remove(name);
    }
    let asked = others.iter().map(|one| {
        let (one, uri, headers) = (Arc::clone(one), parts.uri.clone(), without_keys.clone());
        tokio::spawn(async move {
            let listed = ask(&one, &uri, headers);
            timeout(LIST_TIMEOUT, listed).await.ok()?.ok()
        })
    });
    let asked: Vec<_> = asked.collect();
    let (mut parts, body) = ask(first, &parts.uri, headers).await?;
    let mut list: Value = serde_json::from_slice(&body).unwrap_or_default();
    let mut is_changed = false;
    for (upstream, asked) in others.into_iter().zip(asked) {
        let listed = asked.await.ok().flatten();
        let listed = listed.filter(|(parts, _)| parts.status.is_success());
        let listed = listed.and_then(|(_, body)| serde_json::from_slice::<Value>(&body).ok());
        let Some(models) = listed.as_ref().and_then(|listed| listed["data"].as_array()) else {
            tracing::warn!("the upstream {} did not list its models", upstream.name);
            continue;
        };
        let reached = models.iter().filter(|model| {
            let id = model["id"].as_str();
            id.is_some_and(|id| Arc::ptr_eq(gateway.upstream(Some(id)), upstream))
        });
        let data = list.get_mut("data").and_then(Value::as_array_mut);
        if let Some(data) = data {
            let before = data.len();
            data.extend(reached.cloned());
            is_changed |= data.len() > before;
        }
    }
    let body = match is_changed {
        true => {
            forget_body(&mut parts.headers);
            list.to_string().into()
        }
        false => body,
    };
    Ok(as_it_came(Response::from_parts(parts, whole(body))))
}

async fn ask(
    upstream: &Upstream,
    uri: &Uri,
    headers: HeaderMap,
) -> Result<(Parts, Bytes), Refusal> {
    let url = upstream.target(uri)?;
    let response = upstream.send(Method::GET, url, headers, None).await?;
    upstream.read(response).await
}

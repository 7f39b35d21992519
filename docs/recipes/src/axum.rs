//! Handlers that take what a model wrote as their body: as a whole, and while it comes.

use std::ops::ControlFlow;
use std::pin::pin;

use axum::body::Body;
use axum::http::StatusCode;
use axum::routing::post;
use axum::{Json, Router};
use futures_util::StreamExt;
use llmjson::typed::{self, Partial};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Debug, Deserialize, Serialize, JsonSchema, Partial)]
pub struct Trip {
    pub city: String,
    pub days: u8,
}

pub fn app() -> Router {
    Router::new()
        .route("/trip", post(whole))
        .route("/growing", post(growing))
}

/// What is refused is answered with the feedback for the model.
type Refused = (StatusCode, String);

async fn whole(body: String) -> Result<Json<Trip>, Refused> {
    typed::from_str(&body).map(Json).map_err(refused)
}

/// Returns the trip, and the beginnings of its city as they came.
async fn growing(body: Body) -> Result<Json<(Vec<String>, Trip)>, Refused> {
    let stream = typed::Stream::<Trip>::new().map_err(refused)?;
    let mut steps = pin!(stream.follow(body.into_data_stream()));
    let mut cities = Vec::new();
    while let Some(step) = steps.next().await {
        match step.map_err(refused)? {
            ControlFlow::Continue(PartialTrip { city, .. }) => cities.extend(city),
            ControlFlow::Break(trip) => return Ok(Json((cities, trip))),
        }
    }
    Err((StatusCode::BAD_REQUEST, "there is no body".to_owned()))
}

fn refused(error: typed::Error) -> Refused {
    let feedback = error.feedback().unwrap_or_else(|| error.to_string());
    (StatusCode::UNPROCESSABLE_ENTITY, feedback)
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::Request;
    use tower::ServiceExt;

    async fn ask(path: &str, body: Body) -> (StatusCode, String) {
        let request = Request::post(path).body(body).unwrap();
        let response = app().oneshot(request).await.unwrap();
        let status = response.status();
        let body = axum::body::to_bytes(response.into_body(), 10_000)
            .await
            .unwrap();
        (status, String::from_utf8(body.into()).unwrap())
    }

    #[tokio::test]
    async fn bodies_are_read_leniently() {
        let (status, body) = ask("/trip", "Here: {city: 'Oslo', days: \"3\"}".into()).await;
        assert_eq!(
            (status, &*body),
            (StatusCode::OK, r#"{"city":"Oslo","days":3}"#)
        );
        let (status, body) = ask("/trip", "{city: 'Oslo'}".into()).await;
        assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY);
        assert!(body.contains("\"days\": undefined // ❌"), "{body}");

        // `ö` is cut in two.
        let pieces = [&b"{city: 'Malm\xc3"[..], b"\xb6', da", b"ys: 2}"];
        let pieces = pieces.map(|piece| Ok::<_, std::io::Error>(piece.to_vec()));
        let body = Body::from_stream(futures_util::stream::iter(pieces));
        let (status, body) = ask("/growing", body).await;
        assert_eq!(status, StatusCode::OK);
        let (cities, trip): (Vec<String>, Trip) = serde_json::from_str(&body).unwrap();
        assert_eq!((cities[0].as_str(), trip.city.as_str()), ("Malm", "Malmö"));
    }
}

//! A server that answers as a model's would, in the order of a script.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

use axum::Json;
use axum::Router;
use axum::extract::State;
use serde_json::{Value, json};

/// What was asked, and what is still to be answered.
#[derive(Clone, Default)]
pub(crate) struct Script(Arc<Mutex<(Vec<Value>, VecDeque<Value>)>>);

impl Script {
    /// Serves these answers, and returns the address.
    pub(crate) async fn serve(answers: impl IntoIterator<Item = Value>) -> (Self, String) {
        let script = Self::default();
        script.0.lock().unwrap().1.extend(answers);
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        let router = Router::new().fallback(answer).with_state(script.clone());
        tokio::spawn(async move { axum::serve(listener, router).await });
        (script, address)
    }

    /// Returns the bodies of all requests.
    pub(crate) fn asked(&self) -> Vec<Value> {
        self.0.lock().unwrap().0.clone()
    }
}

async fn answer(State(script): State<Script>, Json(asked): Json<Value>) -> Json<Value> {
    let mut script = script.0.lock().unwrap();
    script.0.push(asked);
    Json(script.1.pop_front().expect("an answer is left"))
}

/// An answer as OpenAI's chat completions write it.
pub(crate) fn completion(message: Value) -> Value {
    json!({
        "id": "chatcmpl-1", "object": "chat.completion", "created": 0, "model": "any",
        "choices": [{"index": 0, "message": message, "finish_reason": "stop", "logprobs": null}],
        "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
    })
}

//! Asking a model behind a server: what is sent, what is sent again, and what is passed on.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use crate::bare_retry;
use crate::server::{Answer as Response, Server};
use llmjson::Schema;
use llmjson::retry::{
    Answer, Backoff, ChatError, ChatModel, FeedbackPlace, Progress, Retry, RetryError, SchemaIn,
};
use llmjson_wire::client::{Client, ClientError, blocking};
use llmjson_wire::{Message, Raw, Request, Tool};
use serde_json::{Value, json};

const SCHEMA: &str =
    r#"{"type":"object","properties":{"age":{"type":"integer"}},"required":["age"]}"#;

fn schema() -> Schema {
    Schema::from_text(SCHEMA).unwrap()
}

fn builder(server: &Server) -> llmjson_wire::client::ClientBuilder {
    let builder = Client::builder().base_url(server.url()).without_proxy();
    builder.read_timeout(Duration::from_secs(5))
}

fn model(server: &Server) -> ChatModel<blocking::Client> {
    let client = blocking::Client::new(builder(server)).unwrap();
    let patience = Backoff::default().with_first_wait(Duration::from_millis(1));
    ChatModel::new(client, Request::new("m", [])).with_backoff(patience)
}

fn ask() -> Vec<Message> {
    vec![Message::system("Be terse."), Message::user("How old?")]
}

fn run(retry: &Retry, server: &Server) -> Result<Answer, RetryError> {
    let mut model = model(server);
    retry.run(|turn| model.complete(&turn), ask())
}

fn refusal(status: &str, headers: &str, message: &str) -> Response {
    let error = json!({"error": {"message": message, "type": "some_error"}});
    Response::json(status, headers, &error)
}

fn api_status(error: &RetryError) -> Option<u16> {
    let error = error.model_error::<ChatError>().expect("no reply");
    error.api_error().and_then(|error| error.status)
}

#[test]
fn a_reply_that_does_not_fit_is_answered_with_feedback() {
    let server = Server::new(vec![
        Response::text("{\"age\": \"old\"}", Some("stop")),
        Response::text("{\"age\": 3", Some("length")),
        Response::text("```json\n{age: '36'}\n```", Some("stop")),
    ]);
    let retry = bare_retry(&schema()).with_feedback_place(FeedbackPlace::System);
    let answer = run(&retry, &server).unwrap();
    assert_eq!(
        (answer.attempts, answer.parsed.to_json().unwrap()),
        (3, r#"{"age":36}"#.to_owned())
    );
    let seen = server.seen();
    assert_eq!(seen.len(), 3);
    assert_eq!(seen[0]["messages"], serde_json::to_value(ask()).unwrap());
    assert_eq!(
        (&seen[0]["stream"], &seen[0]["model"]),
        (&json!(true), &json!("m"))
    );
    assert_eq!(seen[0].get("response_format"), None);
    let feedback = seen[1]["messages"][0]["content"].as_str().unwrap();
    assert!(
        feedback.starts_with("Be terse.\n\nYour previous answer does not fit"),
        "{feedback}"
    );
    let feedback = seen[2]["messages"][0]["content"].as_str().unwrap();
    assert!(feedback.contains("(truncated)"), "{feedback}");
}

#[test]
fn the_conversation_grows_by_each_reply_and_its_feedback() {
    let server = Server::new(vec![
        Response::text("{\"age\": \"old\"}", Some("stop")),
        Response::text("", Some("stop")),
        Response::text("{\"age\": 36}", Some("stop")),
    ]);
    assert_eq!(run(&bare_retry(&schema()), &server).unwrap().attempts, 3);
    let seen = server.seen();
    let sent = |at: usize| seen[at]["messages"].as_array().unwrap().clone();
    // What was sent stays as it was, so that the prompt cache holds it.
    for at in [1, 2] {
        assert_eq!(sent(at)[..sent(at - 1).len()], sent(at - 1));
    }
    let roles: Vec<_> = sent(2).iter().map(|one| one["role"].clone()).collect();
    let pair = ["assistant", "user"];
    assert_eq!(roles, [["system", "user"], pair, pair].concat());
    assert_eq!(sent(2)[2]["content"], "{\"age\": \"old\"}");
    assert_eq!(sent(2)[4]["content"], "(no answer)");
}

#[test]
fn what_may_pass_is_sent_again_as_it_was() {
    let broken = json!({"content": "{\"age\""});
    let server = Server::new(vec![
        refusal("429 Too Many Requests", "retry-after-ms: 20\r\n", "busy"),
        Response::stream(&[broken], None),
        Response::text("{\"age\": 36}", Some("stop")),
    ]);
    let told = Arc::new(Mutex::new(Vec::new()));
    let log = Arc::clone(&told);
    let mut model = model(&server).with_progress(move |progress| {
        let told = match progress {
            Progress::Begun => "begun".to_owned(),
            Progress::Waiting(error, wait) => {
                assert!(wait < Duration::from_millis(40));
                format!("waiting: {error}")
            }
            Progress::Grown(reply) if reply.finish_reason().is_some() => reply.text().to_owned(),
            _ => return,
        };
        log.lock().unwrap().push(told);
    });
    let answer = bare_retry(&schema())
        .run(|turn| model.complete(&turn), ask())
        .unwrap();
    assert_eq!(answer.attempts, 1);
    let seen = server.seen();
    assert!(seen.len() == 3 && seen.iter().all(|one| *one == seen[0]));
    let cut =
        "waiting: the stream ended before the reply did, with neither a finish reason nor [DONE]";
    let busy = "waiting: HTTP 429: busy (type some_error)";
    let wanted = ["begun", busy, "begun", cut, "begun", "{\"age\": 36}"];
    assert_eq!(*told.lock().unwrap(), wanted);
    assert!(model.response().is_some());
}

#[test]
fn patience_ends() {
    let server = Server::new(vec![refusal("503 Service Unavailable", "", "down")]);
    let error = run(&bare_retry(&schema()), &server).unwrap_err();
    assert_eq!(
        (error.code(), api_status(&error)),
        ("llm_call_failed", Some(503))
    );
    assert_eq!(server.seen().len(), 3);
    // Longer than anybody wants to wait.
    let server = Server::new(vec![refusal(
        "429 Too Many Requests",
        "retry-after: 3600\r\n",
        "busy",
    )]);
    assert_eq!(
        api_status(&run(&bare_retry(&schema()), &server).unwrap_err()),
        Some(429)
    );
    assert_eq!(server.seen().len(), 1);
    let server = Server::new(vec![Response::stream(&[json!({"content": "{}"})], None)]);
    let error = run(&bare_retry(&schema()), &server).unwrap_err();
    assert!(
        matches!(error.model_error(), Some(ChatError::CutOff)),
        "{error}"
    );
}

#[test]
fn structured_output_yields_to_what_is_about_the_request_alone() {
    let retry = Retry::new(&schema()).with_schema_in(SchemaIn::Request);
    let good = Response::text("{\"age\": 36}", Some("stop"));
    let server = Server::new(vec![
        refusal(
            "400 Bad Request",
            "",
            "response_format json_schema is not supported",
        ),
        good.clone(),
    ]);
    assert_eq!(run(&retry, &server).unwrap().attempts, 1);
    let seen = server.seen();
    let mut sent: Value = serde_json::from_str(SCHEMA).unwrap();
    sent["additionalProperties"] = json!(false);
    assert_eq!(seen[0]["response_format"]["json_schema"]["schema"], sent);
    assert_eq!(seen[1].get("response_format"), None);
    let system = seen[1]["messages"][0]["content"].as_str().unwrap();
    assert!(system.contains(SCHEMA), "{system}");

    let too_long = refusal(
        "400 Bad Request",
        "",
        "the request exceeds the context size",
    );
    let no_key = refusal("401 Unauthorized", "", "no key");
    for (answer, status) in [(too_long, 400), (no_key, 401)] {
        let server = Server::new(vec![answer, good.clone()]);
        assert_eq!(api_status(&run(&retry, &server).unwrap_err()), Some(status));
        assert_eq!(server.seen().len(), 1);
    }

    // What is about the request is passed on where there was no schema in it.
    let server = Server::new(vec![refusal("400 Bad Request", "", "no such member")]);
    let error = run(&bare_retry(&schema()), &server).unwrap_err();
    assert_eq!((api_status(&error), server.seen().len()), (Some(400), 1));

    // Calls of tools are not held to the schema of the answer.
    let tool = Tool::function("f", "", Raw::from_text("{}").unwrap());
    let server = Server::new(vec![good]);
    let client = blocking::Client::new(builder(&server)).unwrap();
    for (tools, has_format, has_tools) in [(vec![tool], false, true), (vec![], true, false)] {
        let request = Request {
            tools: Some(tools),
            ..Request::new("m", [])
        };
        let mut model = ChatModel::new(client.clone(), request);
        retry.run(|turn| model.complete(&turn), ask()).unwrap();
        let seen = server.seen();
        let last = seen.last().unwrap();
        assert_eq!(last.get("response_format").is_some(), has_format);
        assert_eq!(last.get("tools").is_some(), has_tools);
    }
}

#[test]
fn what_is_no_reply_is_passed_on() {
    let retry = bare_retry(&schema());
    let call = json!({"tool_calls": [{"index": 0, "id": "c", "function": {"name": "f", "arguments": "{}"}}]});
    let server = Server::new(vec![Response::stream(&[call], Some("tool_calls"))]);
    let error = run(&retry, &server).unwrap_err();
    let Some(ChatError::CallsTools(message)) = error.model_error() else {
        panic!("{error}")
    };
    assert_eq!(message.tool_calls.as_ref().unwrap().len(), 1);

    let server = Server::new(vec![Response::stream(
        &[json!({"refusal": "I won't."})],
        Some("stop"),
    )]);
    let error = run(&retry, &server).unwrap_err();
    assert_eq!(
        error.to_string(),
        "llm_call_failed: the model will not answer: I won't."
    );

    let page = Response::json("200 OK", "", &json!("hello"));
    let error = run(&retry, &Server::new(vec![page])).unwrap_err();
    let Some(ChatError::Client(ClientError::ContentType { .. })) = error.model_error() else {
        panic!("{error}")
    };
}

#[test]
fn awaiting_and_replies_at_once_work_too() {
    let text = json!([{"type": "text", "text": "{\"age\":"}, {"type": "text", "text": "36}"}]);
    let whole = json!({"choices": [{"message": {"role": "assistant", "content": text}, "finish_reason": "stop"}]});
    let server = Server::new(vec![
        refusal("500 Internal Server Error", "", "oops"),
        Response::json("200 OK", "", &whole),
    ]);
    let patience = Backoff::default().with_first_wait(Duration::from_millis(1));
    let mut model = ChatModel::new(builder(&server).build().unwrap(), Request::new("m", []))
        .with_backoff(patience)
        .without_stream();
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    let answer = runtime.block_on(async move {
        let retry = bare_retry(&schema());
        let running = tokio::spawn(async move { model.run(&retry, ask()).await });
        running.await.unwrap().unwrap()
    });
    assert_eq!(answer.parsed.to_json().unwrap(), r#"{"age":36}"#);
    assert_eq!(server.seen()[1]["stream"], json!(false));
    assert!(server.last_head().contains("accept: application/json"));
}

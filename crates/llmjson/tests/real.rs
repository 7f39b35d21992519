//! Against servers that others wrote: llama.cpp's own with a model of random weights, and a mock
//! that breaks replies on purpose. `counterparts/run` beside this file starts them and names them in the
//! environment; where it does not, this says so and tests nothing.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use llmjson::retry::{
    Answer, Backoff, ChatError, ChatModel, OnTruncation, Retry, RetryError, SchemaIn,
};
use llmjson::{
    Policy, Schema,
    policy::{Observation, Observer, RetryEvent, RetryStep},
    stream::Deltas,
};
use llmjson_wire::client::{Client, ClientError, blocking};
use llmjson_wire::sse::Applied;
use llmjson_wire::{Accumulator, Message, Raw, Request, StreamOptions, Tool};
use serde_json::{Value, json};

/// How long to wait for the mock: less than it stalls, and more than a busy machine takes.
const MOCK_TIMEOUT: Duration = Duration::from_secs(3);

/// The token that opens a tool call, which the model of random weights would rarely choose.
const OPENS_A_CALL: u32 = 260;

const TRIP: &str = r#"{
    "type": "object",
    "properties": {
        "city": {"type": "string", "pattern": "^[a-zA-Z]{1,8}$"},
        "days": {"type": "integer", "minimum": 1, "maximum": 30}
    },
    "required": ["city", "days"]
}"#;

/// The address of a server, or a notice that there is none.
fn server(variable: &str) -> Option<String> {
    let url = std::env::var(variable).ok();
    if url.is_none() {
        let notice = format!("skipped: {variable} names no server; tests/counterparts/run does\n");
        std::io::stderr().write_all(notice.as_bytes()).unwrap();
    }
    url
}

fn trip() -> Schema {
    Schema::from_text(TRIP).unwrap()
}

fn client(base_url: &str, patience: Duration) -> blocking::Client {
    let builder = Client::builder().base_url(base_url).without_proxy();
    blocking::Client::new(builder.read_timeout(patience)).unwrap()
}

fn request() -> Request {
    Request {
        seed: Some(1),
        max_tokens: Some(400),
        ..Request::new("tiny", [Message::user("A trip, please.")])
    }
}

fn with_tool(mut request: Request) -> Request {
    let tool = Tool::function("book", "Books a trip", Raw::from_text(TRIP).unwrap());
    request.tools = Some(vec![tool]);
    request
}

/// Streams a reply to its end.
fn stream(
    client: &blocking::Client,
    request: &Request,
    mut look: impl FnMut(&Accumulator),
) -> Accumulator {
    let mut reply = Accumulator::new();
    let mut stream = client.chat_stream(request).unwrap();
    while let Some(applied) = stream.next_into(&mut reply) {
        assert!(matches!(applied.unwrap(), Applied::Chunk));
        look(&reply);
    }
    assert!(stream.is_done());
    reply
}

#[test]
fn a_model_of_llama_cpp() {
    let Some(url) = server("LLMJSON_LLAMA_URL") else {
        return;
    };
    let client = client(&url, Duration::from_secs(60));
    texts_and_usage(&client);
    calls_token_by_token(&client);
    refusals(&client);
    a_schema_that_the_server_holds_the_model_to(&client);
    replies_that_are_cut_off(&client);
}

fn texts_and_usage(client: &blocking::Client) {
    let mut request = request();
    request.stream_options = Some(StreamOptions {
        include_usage: Some(true),
        ..StreamOptions::default()
    });
    request.max_tokens = Some(12);
    let mut shown = String::new();
    let reply = stream(client, &request, |reply| {
        assert!(reply.text().starts_with(&shown));
        reply.text().clone_into(&mut shown);
    });
    let usage = reply.usage().unwrap();
    assert!(
        usage
            .completion_tokens
            .is_some_and(|tokens| tokens > 0 && tokens <= 12)
    );
    assert!(matches!(reply.finish_reason(), Some("length" | "stop")));
    // The same words at once, for the same seed.
    let whole = client.chat(&request).unwrap();
    assert_eq!(whole.message().unwrap().content.as_text(), Some(&*shown));
    // What the types do not know is kept.
    assert!(reply.response().extras.get("timings").is_some());
}

fn calls_token_by_token(client: &blocking::Client) {
    let mut request = with_tool(request());
    request.tool_choice = Some(Raw::from_text("\"required\"").unwrap());
    request
        .extras
        .set("logit_bias", &[[OPENS_A_CALL, 90]])
        .unwrap();
    request.max_tokens = Some(200);
    let mut calls = Deltas::new(|name| (name == "book").then(trip)).with_policy(Policy::tool());
    let (mut looks, mut shown) = (0, Vec::new());
    let reply = stream(client, &request, |reply| {
        calls.update(reply.tool_calls());
        looks += 1;
        if let Some(value) = calls.get(0).and_then(|call| call.value()) {
            shown.push(value.to_json());
        }
    });
    assert_eq!(reply.finish_reason(), Some("length"));
    assert!(looks > 40, "a token at a time: {looks}");
    shown.dedup();
    assert!(shown.len() > 4, "{shown:?}");
    let finished = calls.finish(reply.finish_reason());
    assert!(finished.len() > 1, "{finished:?}");
    let (cut, whole) = finished.split_last().unwrap();
    for call in whole {
        assert_eq!(call.name, "book");
        assert!(
            call.parsed.conforms() && call.parsed.repairs().is_empty(),
            "{call:?}"
        );
    }
    assert!(!cut.parsed.conforms(), "{cut:?}");
    assert!(
        cut.parsed
            .refused()
            .iter()
            .any(|refusal| refusal.name() == "truncated")
    );
    assert_eq!(whole[0].parsed.to_json().as_ref(), shown.last());
}

fn refusals(client: &blocking::Client) {
    let long = Request {
        messages: vec![Message::user("x".repeat(9000))],
        ..request()
    };
    let refusal = match client.chat_stream(&long) {
        Err(ClientError::Refused(refusal)) => refusal,
        other => panic!("{other:?}"),
    };
    let error = &refusal.error;
    assert_eq!((error.status, &*error.code), (Some(400), "400"));
    assert_eq!(error.kind, "exceed_context_size_error");
    assert_eq!(error.extras.get("n_ctx").unwrap().as_str(), "4096");

    // Too long a prompt is no refusal of structured output: it is passed on, and not sent again.
    let mut model = ChatModel::new(client.clone(), request());
    let retry = Retry::new(&trip()).with_schema_in(SchemaIn::Request);
    let error = retry
        .run(|turn| model.complete(&turn), long.messages)
        .unwrap_err();
    let Some(ChatError::Client(ClientError::Refused(_))) = error.model_error() else {
        panic!("{error}")
    };
}

fn a_schema_that_the_server_holds_the_model_to(client: &blocking::Client) {
    let mut model = ChatModel::new(client.clone(), request());
    let retry = Retry::new(&trip()).with_schema_in(SchemaIn::Request);
    let answer = retry
        .run(
            |turn| model.complete(&turn),
            vec![Message::user("A trip, please.")],
        )
        .unwrap();
    assert_eq!(answer.attempts, 1);
    assert!(answer.parsed.conforms() && answer.parsed.repairs().is_empty());

    // A schema that means something to us but not to the server is told in words. What a model of
    // random weights makes of words fits nothing. It is sent as it is, because strict mode could not
    // ask for its other members.
    let odd = r#"{"type": "object", "properties": {"a": {"type": "NUMBER"}}, "required": ["a"],
        "additionalProperties": true}"#;
    let told = Arc::new(Mutex::new(Vec::new()));
    let policy = Policy::lenient().with_observer(Ears(Arc::clone(&told)));
    let retry = Retry::new(&Schema::from_text(odd).unwrap())
        .with_schema_in(SchemaIn::Request)
        .with_policy(policy)
        .with_max_retries(1);
    let mut brief = request();
    brief.max_tokens = Some(30);
    let mut model = ChatModel::new(client.clone(), brief);
    let error = retry
        .run(
            |turn| model.complete(&turn),
            vec![Message::user("A number, please.")],
        )
        .unwrap_err();
    assert_eq!((error.code(), error.attempts()), ("max_retries_reached", 2));
    let steps = [
        RetryStep::WithoutStructuredOutput,
        RetryStep::Retry,
        RetryStep::GiveUp,
    ];
    assert_eq!(*told.lock().unwrap(), steps);
}

/// Hears what is done about replies.
struct Ears(Arc<Mutex<Vec<RetryStep>>>);

impl Observer for Ears {
    fn observe(&self, _: &Observation<'_>) {}

    fn observe_retry(&self, event: &RetryEvent<'_>) {
        self.0.lock().unwrap().push(event.step);
    }
}

fn replies_that_are_cut_off(client: &blocking::Client) {
    let brief = Request {
        max_tokens: Some(9),
        ..request()
    };
    let mut model = ChatModel::new(client.clone(), brief);
    let retry = Retry::new(&trip()).with_schema_in(SchemaIn::Request);
    // Each turn asks for more tokens than the one that was cut off.
    let answer = retry
        .run(|turn| model.complete(&turn), vec![Message::user("A trip.")])
        .unwrap();
    assert!(answer.attempts > 1 && answer.parsed.is_complete());
    let error = retry
        .with_truncation(OnTruncation::Fail)
        .run(|turn| model.complete(&turn), vec![Message::user("A trip.")])
        .unwrap_err();
    assert_eq!((error.code(), error.attempts()), ("truncated", 1));
}

/// Tells the mock what to do with the next requests, and asks once.
struct Mock {
    url: String,
    asked: usize,
}

impl Mock {
    fn plan(&self, behaviors: &Value) {
        let (status, body) = post(
            &self.url,
            "/_llmock/scenario",
            &json!({"behaviors": behaviors}),
        );
        assert_eq!(status, 201, "{body}");
    }

    /// Takes back what was planned and not used up.
    fn clear(&self) {
        let address = self.url.strip_prefix("http://").unwrap();
        let head = format!(
            "DELETE /_llmock/scenario HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\n\r\n"
        );
        assert_eq!(exchange(address, &head).0, 200);
    }

    /// Each prompt is another one, so that the mock tells a retry from a new request.
    fn ask(&mut self, retry: &Retry, request: Request) -> Result<Answer, RetryError> {
        self.asked += 1;
        let prompt = format!("Trip number {}, please.", self.asked);
        let patience = Backoff::default().with_first_wait(Duration::from_millis(200));
        let client = client(&format!("{}/v1", self.url), MOCK_TIMEOUT);
        let mut model = ChatModel::new(client, request).with_backoff(patience);
        retry.run(|turn| model.complete(&turn), vec![Message::user(prompt)])
    }
}

#[test]
fn a_mock_that_breaks_replies() {
    let Some(url) = server("LLMJSON_LLMOCK_URL") else {
        return;
    };
    let mut mock = Mock { url, asked: 0 };
    let good = json!({"type": "reply", "text": "Here you are: {city: 'Oslo', days: \"3\"}"});
    let retry = Retry::new(&trip());

    // Whatever breaks on the way: the request is sent again as it was, in its own time.
    for (trouble, times, waited) in [
        (
            json!({"type": "fail", "status": 429, "retry_after": 1.0}),
            1,
            1000,
        ),
        (json!({"type": "fail", "status": 503, "times": 2}), 2, 600),
        (
            json!({"type": "stream_fault", "kind": "disconnect"}),
            1,
            200,
        ),
        (json!({"type": "stream_fault", "kind": "truncate"}), 1, 200),
        (json!({"type": "stream_fault", "kind": "malformed"}), 1, 200),
        (
            json!({"type": "stream_fault", "kind": "stall", "stall_seconds": 8}),
            1,
            1000,
        ),
    ] {
        // Of a broken stream the reply is used up.
        let replies = vec![good.clone(); times + 1];
        let mut plan = vec![trouble.clone()];
        plan.extend(replies);
        mock.plan(&Value::from(plan));
        let begun = Instant::now();
        let answer = mock
            .ask(&retry, request())
            .unwrap_or_else(|error| panic!("{trouble}: {error}"));
        assert_eq!(
            answer.parsed.to_json().unwrap(),
            r#"{"city":"Oslo","days":3}"#,
            "{trouble}"
        );
        assert_eq!(answer.attempts, 1, "{trouble}");
        assert!(
            begun.elapsed() >= Duration::from_millis(waited),
            "{trouble}: {:?}",
            begun.elapsed()
        );
        mock.clear();
    }

    // What would fail again is passed on.
    for status in [401, 403, 404] {
        mock.plan(&json!([{"type": "fail", "status": status}]));
        let error = mock.ask(&retry, request()).unwrap_err();
        let error = error.model_error::<ChatError>().unwrap();
        assert_eq!(error.api_error().unwrap().status, Some(status));
    }

    // A refusal of structured output is answered with words.
    mock.plan(&json!([{"type": "fail", "status": 400}, good]));
    let structured = retry.clone().with_schema_in(SchemaIn::Request);
    assert_eq!(mock.ask(&structured, request()).unwrap().attempts, 1);

    // Replies that do not fit are answered with feedback.
    let bad = json!({"type": "reply", "text": "{\"city\": \"Oslo\", \"days\": 99}"});
    mock.plan(&json!([bad, {"type": "reply", "text": "No."}, good]));
    assert_eq!(mock.ask(&retry, request()).unwrap().attempts, 3);
    mock.plan(&json!([{"type": "reply", "text": "{\"city\": \"Oslo\", \"days\": 3}", "finish_reason": "length"}, good]));
    assert_eq!(mock.ask(&retry, request()).unwrap().attempts, 2);

    calls_of_the_mock(&mut mock, &retry);
}

fn calls_of_the_mock(mock: &mut Mock, retry: &Retry) {
    let call = json!({"name": "book", "arguments": {"city": "Zürich", "days": "4"}});
    mock.plan(&json!([{"type": "reply", "tool_calls": [call]}]));
    let error = mock.ask(retry, with_tool(request())).unwrap_err();
    let Some(ChatError::CallsTools(message)) = error.model_error() else {
        panic!("{error}")
    };
    let function = message.tool_calls.as_ref().unwrap()[0]
        .function
        .as_ref()
        .unwrap();
    let parsed = llmjson::arguments(function.arguments.as_ref().unwrap().as_str(), Some(&trip()));
    assert_eq!(parsed.to_json().unwrap(), r#"{"city":"Zürich","days":4}"#);

    mock.plan(&json!([{"type": "tool_fault", "kind": "malformed_arguments"}]));
    let mut calls = Deltas::new(|_| Some(trip())).with_policy(Policy::tool());
    let mut broken = with_tool(request());
    broken.messages = vec![Message::user("A trip with broken arguments.")];
    let reply = stream(
        &client(&format!("{}/v1", mock.url), MOCK_TIMEOUT),
        &broken,
        |reply| {
            calls.update(reply.tool_calls());
        },
    );
    let finished = calls.finish(reply.finish_reason());
    // Whatever the mock broke, it is seen.
    let broken = &finished[0].parsed;
    assert!(
        !broken.conforms() || !broken.repairs().is_empty(),
        "{broken:?}"
    );
}

fn post(url: &str, path: &str, body: &Value) -> (u16, String) {
    let address = url.strip_prefix("http://").unwrap();
    let body = body.to_string();
    let length = body.len();
    exchange(
        address,
        &format!(
            "POST {path} HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\n\
             content-type: application/json\r\ncontent-length: {length}\r\n\r\n{body}"
        ),
    )
}

fn exchange(address: &str, request: &str) -> (u16, String) {
    let mut connection = TcpStream::connect(address).unwrap();
    connection
        .set_read_timeout(Some(Duration::from_secs(10)))
        .unwrap();
    connection.write_all(request.as_bytes()).unwrap();
    let mut answer = String::new();
    connection.read_to_string(&mut answer).unwrap();
    let status = answer.split(' ').nth(1).unwrap().parse().unwrap();
    (status, answer)
}

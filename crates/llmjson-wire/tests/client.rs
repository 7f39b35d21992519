//! The client against a server that does everything wrong: nothing hangs, nothing that came is lost,
//! and each fault has its own error.

mod server;

use std::time::{Duration, Instant};

use llmjson_wire::client::blocking::Client;
use llmjson_wire::client::{Client as AsyncClient, ClientBuilder, ClientError};
use llmjson_wire::sse::{Applied, SseError};
use llmjson_wire::{Accumulator, EmbeddingsRequest, Message, Request};
use server::{Act, Server};

const KEY: &str = "sk-7f3a9c0e51";

/// Long enough for a busy machine, short enough to wait for.
const READ_TIMEOUT: Duration = Duration::from_millis(700);

const HELLO: &str = "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"Hel\"}}]}\n\n\
                     data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"lo\"},\"finish_reason\":\"stop\"}]}\n\n";

fn builder(server: &Server) -> ClientBuilder {
    AsyncClient::builder()
        .base_url(server.url())
        .api_key(KEY)
        .read_timeout(READ_TIMEOUT)
        .frame_bytes_max(64 * 1024)
        .body_bytes_max(256 * 1024)
        .without_proxy()
}

fn client(server: &Server) -> Client {
    Client::new(builder(server)).unwrap()
}

fn request() -> Request {
    Request::new("small", [Message::user("Say hello.")])
}

/// Streams a reply, and gives what came of it and how it ended.
fn stream(acts: Vec<Act>) -> (Accumulator, Result<bool, ClientError>) {
    let server = Server::new(acts);
    let mut reply = Accumulator::new();
    let mut stream = match client(&server).chat_stream(&request()) {
        Ok(stream) => stream,
        Err(error) => return (reply, Err(error)),
    };
    while let Some(applied) = stream.next_into(&mut reply) {
        if let Err(error) = applied {
            assert!(
                stream.next_into(&mut reply).is_none(),
                "an error is the end"
            );
            return (reply, Err(error));
        }
    }
    (reply, Ok(stream.is_done()))
}

fn chat(acts: Vec<Act>) -> Result<llmjson_wire::Response, ClientError> {
    client(&Server::new(acts)).chat(&request())
}

fn refused(acts: Vec<Act>) -> Box<llmjson_wire::client::ErrorResponse> {
    match chat(acts) {
        Err(ClientError::Refused(refusal)) => refusal,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_reply_at_once() {
    let server = Server::new(vec![Act::json(
        "200 OK",
        r#"{"choices":[{"index":0,"message":{"role":"assistant","content":"hi","x":1.0}}]}"#,
    )]);
    let asked = Request {
        stream: Some(true),
        ..request()
    };
    let response = client(&server).chat(&asked).unwrap();
    assert_eq!(response.message().unwrap().content.as_text(), Some("hi"));
    let seen = server.seen();
    assert!(
        seen.starts_with("POST /v1/chat/completions HTTP/1.1\r\n"),
        "{seen}"
    );
    let (head, body) = seen.split_once("\r\n\r\n").unwrap();
    let head = head.to_ascii_lowercase();
    for line in [
        "accept: application/json",
        "content-type: application/json",
        "authorization: bearer sk-7f3a9c0e51",
    ] {
        assert!(head.contains(line), "{line}: {head}");
    }
    assert_eq!(
        body,
        r#"{"model":"small","messages":[{"role":"user","content":"Say hello."}],"stream":false}"#
    );
}

#[test]
fn a_reply_in_pieces() {
    let whole = format!("{HELLO}data: [DONE]\n\n");
    let crlf = whole.replace('\n', "\r\n");
    let cr = whole.replace('\n', "\r");
    for text in [&whole, &crlf, &cr] {
        let all_at_once = vec![Act::events(), Act::Send(text.clone().into_bytes())];
        let byte_by_byte = vec![Act::events(), Act::Drip(text.clone().into_bytes())];
        let chunked = vec![
            Act::chunked_events(),
            Act::Chunk(text.clone().into_bytes()),
            Act::Chunk(vec![]),
        ];
        for acts in [all_at_once, byte_by_byte, chunked] {
            let (reply, end) = stream(acts);
            assert!(end.unwrap(), "it was done");
            assert_eq!(
                (reply.text(), reply.finish_reason()),
                ("Hello", Some("stop"))
            );
        }
    }
    let server = Server::new(vec![Act::events(), Act::Send(whole.into_bytes())]);
    client(&server).chat_stream(&request()).unwrap();
    let seen = server.seen().to_ascii_lowercase();
    for wanted in [
        "accept: text/event-stream",
        "cache-control: no-cache",
        "\"stream\":true",
    ] {
        assert!(seen.contains(wanted), "{wanted}: {seen}");
    }
}

#[test]
fn a_connection_that_is_lost_in_the_middle() {
    // The length says that more was to come, or the last chunk is missing.
    let by_length = vec![
        Act::head(
            "200 OK",
            "content-type: text/event-stream\r\ncontent-length: 9999",
        ),
        Act::Send(HELLO.into()),
    ];
    let by_chunk = vec![Act::chunked_events(), Act::Chunk(HELLO.into())];
    for acts in [by_length, by_chunk] {
        let (reply, end) = stream(acts);
        assert!(matches!(end, Err(ClientError::Transport(_))), "{end:?}");
        assert_eq!(reply.text(), "Hello", "what came is there");
    }
    // Without a length and chunks the end of the connection is the end of the body. The reply has no finish reason.
    let (reply, end) = stream(vec![Act::events(), Act::Send(HELLO.into())]);
    assert!(!end.unwrap());
    assert_eq!(reply.text(), "Hello");
    // Cut inside a frame.
    let (reply, end) = stream(vec![
        Act::events(),
        Act::Send(HELLO.as_bytes()[..100].into()),
    ]);
    assert!(
        matches!(
            end,
            Err(ClientError::Sse(SseError::Malformed { frame: 1, .. }))
        ),
        "{end:?}"
    );
    assert_eq!(reply.text(), "Hel");

    let lost = chat(vec![
        Act::head(
            "200 OK",
            "content-type: application/json\r\ncontent-length: 99",
        ),
        Act::Send(b"{\"choices\"".into()),
    ]);
    assert!(matches!(lost, Err(ClientError::Transport(_))), "{lost:?}");
    let lost = chat(vec![]);
    assert!(matches!(lost, Err(ClientError::Transport(_))), "{lost:?}");
    let cut = chat(vec![
        Act::head("200 OK", "content-type: application/json"),
        Act::Send(b"{\"choices\"".into()),
    ]);
    assert!(
        matches!(cut, Err(ClientError::Malformed { status: 200, .. })),
        "{cut:?}"
    );
    let cut = cut.unwrap_err().to_string();
    assert!(cut.ends_with(": {\"choices\""), "{cut}");
}

#[test]
fn a_server_that_stalls() {
    let start = Instant::now();
    let stalled = chat(vec![Act::Stall]);
    assert!(
        matches!(stalled, Err(ClientError::Timeout(_))),
        "{stalled:?}"
    );
    let (_, stalled) = stream(vec![Act::events(), Act::Stall]);
    assert!(
        matches!(stalled, Err(ClientError::Timeout(_))),
        "{stalled:?}"
    );
    let (reply, stalled) = stream(vec![Act::events(), Act::Send(HELLO.into()), Act::Stall]);
    assert!(
        matches!(stalled, Err(ClientError::Timeout(_))),
        "{stalled:?}"
    );
    assert_eq!(reply.text(), "Hello");
    // A refusal whose body never ends is a refusal.
    let head = Act::head("503 Service Unavailable", "content-type: text/plain");
    let refusal = refused(vec![head, Act::Send(b"busy".into()), Act::Stall]);
    assert_eq!(refusal.error.message, "HTTP 503: busy");
    assert!(start.elapsed() < 20 * READ_TIMEOUT);
}

#[test]
fn refusals_in_every_form() {
    let rate = r#"{"error":{"message":"slow down","type":"rate_limit_error","code":"rate_limit_exceeded"}}"#;
    let head = "content-type: application/json\r\nretry-after: 3\r\nx-request-id: r1";
    let refusal = refused(vec![
        Act::head("429 Too Many Requests", head),
        Act::Send(rate.into()),
    ]);
    assert_eq!(
        (refusal.error.status, refusal.error.code.as_str()),
        (Some(429), "rate_limit_exceeded")
    );
    assert_eq!(refusal.retry_after(), Some(Duration::from_secs(3)));
    assert_eq!(refusal.header("X-Request-Id"), Some("r1"));
    let head = "retry-after-ms: 1500\r\nretry-after: 99";
    let refusal = refused(vec![Act::head("429 Too Many Requests", head)]);
    assert_eq!(refusal.retry_after(), Some(Duration::from_millis(1500)));
    assert_eq!(refusal.error.message, "HTTP 429 with empty body");

    let page = "<html><h1>Internal Server Error</h1></html>";
    let head = Act::head("500 Internal Server Error", "content-type: text/html");
    let refusal = refused(vec![head.clone(), Act::Send(page.into())]);
    assert_eq!(refusal.error.message, format!("HTTP 500: {page}"));
    let (_, end) = stream(vec![head, Act::Send(page.into())]);
    assert_eq!(end.unwrap_err().to_string(), format!("HTTP 500: {page}"));

    let wrapped = r#"[{"error":{"code":400,"message":"no","status":"INVALID_ARGUMENT"}}]"#;
    let refusal = refused(vec![Act::json("400 Bad Request", wrapped)]);
    assert_eq!(refusal.error.api_status, "INVALID_ARGUMENT");
    assert_eq!(refusal.error.to_string(), "HTTP 400: no (code 400)");

    // Headers are not sent elsewhere.
    let head = Act::head(
        "307 Temporary Redirect",
        "location: http://127.0.0.1:9/other",
    );
    assert_eq!(refused(vec![head]).error.status, Some(307));
    // A success that is none.
    let refusal = refused(vec![Act::json("200 OK", rate)]);
    assert_eq!(
        (refusal.error.status, refusal.error.message.as_str()),
        (Some(200), "slow down")
    );
}

#[test]
fn what_is_no_stream_of_events() {
    let whole = r#"{"choices":[{"message":{"content":"hi"}}]}"#;
    let (_, end) = stream(vec![Act::json("200 OK", whole)]);
    let Err(ClientError::ContentType { content_type, body }) = end else {
        panic!("{end:?}");
    };
    assert_eq!(
        (content_type.as_str(), body.as_slice()),
        ("application/json", whole.as_bytes())
    );
    let (_, end) = stream(vec![Act::json("200 OK", r#"{"error":{"message":"m"}}"#)]);
    assert_eq!(end.unwrap_err().to_string(), "HTTP 200: m");
    // A body of that kind that never ends.
    let head = Act::head("200 OK", "content-type: text/plain");
    let (_, end) = stream(vec![head, Act::Endless(b"x".into())]);
    assert!(
        matches!(end, Err(ClientError::ContentType { .. })),
        "{end:?}"
    );
    // Nothing said, and the usual thing with a parameter and in other letters.
    for head in ["x: y", "Content-Type: TEXT/Event-Stream; charset=utf-8"] {
        let (reply, end) = stream(vec![Act::head("200 OK", head), Act::Send(HELLO.into())]);
        assert!(end.is_ok());
        assert_eq!(reply.text(), "Hello");
    }
}

#[test]
fn what_never_ends() {
    let (reply, end) = stream(vec![
        Act::events(),
        Act::Send(HELLO.into()),
        Act::Endless(b"data: x".into()),
    ]);
    assert!(
        matches!(end, Err(ClientError::Sse(SseError::FrameTooLarge(_)))),
        "{end:?}"
    );
    assert_eq!(reply.text(), "Hello");
    let end = chat(vec![
        Act::head("200 OK", "content-type: application/json"),
        Act::Endless(b" ".into()),
    ]);
    assert!(
        matches!(end, Err(ClientError::BodyTooLarge { bytes_max: 262_144 })),
        "{end:?}"
    );
    let head = Act::head("500 Internal Server Error", "content-type: text/plain");
    let refusal = refused(vec![head, Act::Endless(b"no".into())]);
    assert_eq!(refusal.error.body.len(), 256 * 1024);
}

#[test]
fn errors_in_the_middle_of_a_stream() {
    let told = format!(
        "{HELLO}event: error\ndata: {{\"error\":{{\"message\":\"over\",\"key\":\"{KEY}\"}}}}\n\n"
    );
    let server = Server::new(vec![Act::events(), Act::Send(told.into_bytes())]);
    let mut reply = Accumulator::new();
    let mut stream = client(&server).chat_stream(&request()).unwrap();
    let mut errors = Vec::new();
    while let Some(applied) = stream.next_into(&mut reply) {
        if let Applied::Error(error) = applied.unwrap() {
            errors.push(error);
        }
    }
    assert_eq!(
        (reply.text(), errors.len(), errors[0].status),
        ("Hello", 1, None)
    );
    assert_eq!(errors[0].message, "over");
    assert!(!format!("{errors:?} {stream:?}").contains(KEY));
}

#[test]
fn nothing_shows_the_key() {
    let echo = format!(r#"{{"error":{{"message":"bad key {KEY}","header":"Bearer {KEY}"}}}}"#);
    let error = chat(vec![Act::json("401 Unauthorized", &echo)]).unwrap_err();
    assert_eq!(error.to_string(), "HTTP 401: bad key [secret]");
    assert!(!format!("{error:?}").contains(KEY), "{error:?}");
    let server = Server::new(vec![Act::json("200 OK", &echo.replace(':', ""))]);
    let client = client(&server);
    let error = client.chat(&request()).unwrap_err();
    assert!(!format!("{error} {error:?} {client:?} {:?}", builder(&server)).contains(KEY));
    let (_, end) = stream(vec![
        Act::events(),
        Act::Send(format!("data: {KEY}\n\n").into()),
    ]);
    let error = end.unwrap_err();
    assert!(
        matches!(&error, ClientError::Sse(SseError::Malformed { data, .. }) if data == "[secret]")
    );

    // Nor does the error of an address with a key, on a port that is closed.
    let url = format!(
        "http://user:{KEY}@127.0.0.1:{}/?key={KEY}",
        server::closed_port()
    );
    let client = Client::new(builder(&server).base_url(url)).unwrap();
    let error = client.chat(&request()).unwrap_err();
    assert!(matches!(error, ClientError::Connect(_)), "{error:?}");
    assert!(
        !format!("{error} {error:?} {client:?}").contains(KEY),
        "{error:?}"
    );
    // TLS with a server that does not speak it.
    let url = server.url().replace("http://", "https://");
    let client = Client::new(builder(&server).base_url(url)).unwrap();
    let error = client.chat(&request()).unwrap_err();
    assert!(
        matches!(error, ClientError::Connect(_) | ClientError::Timeout(_)),
        "{error:?}"
    );
}

#[test]
fn vectors_of_texts() {
    let body = r#"{"object":"list","data":[{"index":0,"embedding":[0.5,-1.0]},{"index":1,"embedding":"AACAPwAAAL8="}]}"#;
    let server = Server::new(vec![Act::json("200 OK", body)]);
    let asked = EmbeddingsRequest::new("embed", ["a", "b"]);
    let response = client(&server).embeddings(&asked).unwrap();
    let vectors: Vec<Vec<f32>> = response
        .data
        .iter()
        .map(|datum| datum.embedding.as_ref().unwrap().to_floats().unwrap())
        .collect();
    assert_eq!(vectors, [[0.5, -1.0], [1.0, -0.5]]);
    assert!(server.seen().starts_with("POST /v1/embeddings "));
}

#[test]
fn a_request_that_cannot_be_written_is_not_sent() {
    let server = Server::new(vec![]);
    let mut asked = request();
    asked.extras.set("model", "other").unwrap();
    let error = client(&server).chat(&asked).unwrap_err();
    let said = "the request cannot be written: extras key model collides with Request";
    assert_eq!(error.to_string(), said);
}

/// An executor with several threads can spawn these futures.
#[test]
fn what_is_awaited_can_be_sent() {
    fn sent<T: Send>(_: T) {}
    let server = Server::new(vec![]);
    let client = builder(&server).build().unwrap();
    let asked = request();
    sent(client.chat(&asked));
    sent(async {
        let mut reply = Accumulator::new();
        let mut stream = client.chat_stream(&asked).await?;
        while let Some(applied) = stream.next_into(&mut reply).await {
            applied?;
        }
        Ok::<_, ClientError>(stream.next().await)
    });
}

#[test]
fn a_server_sees_at_once_that_a_stream_was_dropped() {
    use std::io::{Read as _, Write as _};

    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/v1", listener.local_addr().unwrap());
    let server = std::thread::spawn(move || {
        let (mut connection, _) = listener.accept().unwrap();
        let mut request = [0; 4096];
        let _ = connection.read(&mut request).unwrap();
        let events =
            "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\ndata: {\"choices\":[]}\n\n";
        connection.write_all(events.as_bytes()).unwrap();
        let wait = Some(Duration::from_secs(5));
        connection.set_read_timeout(wait).unwrap();
        // What is left of the request, and then the end.
        loop {
            match connection.read(&mut request) {
                Ok(0) => return true,
                Ok(_) => {}
                Err(error) => return error.kind() == std::io::ErrorKind::ConnectionReset,
            }
        }
    });
    let client = Client::new(AsyncClient::builder().base_url(url).without_proxy()).unwrap();
    let request = Request::new("m", [Message::user("hi")]);
    let mut stream = client.chat_stream(&request).unwrap();
    assert!(stream.next().unwrap().is_ok());
    drop(stream);
    // The server has seen the end of the connection.
    assert!(server.join().unwrap());
    drop(client);
}

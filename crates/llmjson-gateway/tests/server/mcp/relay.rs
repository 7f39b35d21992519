//! A client on standard input before a server over HTTP.

use llmjson::Policy;
use llmjson_gateway::server::mcp::{Config, Settings, relay};
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader, DuplexStream, duplex};
use tokio::task::JoinHandle;

use super::{LENGTHS, before, call, in_pieces, request, result, tools};
use crate::support::{EVENTS, Message, Upstream, Wire, chunk, guarded, ok};

/// A client, whose input and output the test has.
struct Client {
    input: Option<DuplexStream>,
    output: BufReader<DuplexStream>,
    ended: JoinHandle<std::io::Result<()>>,
}

impl Client {
    fn start(upstream: &Upstream, change: impl FnOnce(&mut Settings)) -> Self {
        let mut settings = before(upstream);
        change(&mut settings);
        let config = Config::new(&settings, Policy::tool(), &[]).expect("the settings can be used");
        let (input, read) = duplex(1 << 20);
        let (written, output) = duplex(1 << 20);
        Self {
            input: Some(input),
            output: BufReader::new(output),
            ended: tokio::spawn(relay(config, read, written)),
        }
    }

    async fn say(&mut self, line: &str) {
        let input = self.input.as_mut().expect("it is open");
        let line = format!("{line}\n");
        guarded(input.write_all(line.as_bytes()))
            .await
            .expect("it reads");
    }

    async fn hear(&mut self) -> String {
        let mut line = String::new();
        guarded(self.output.read_line(&mut line))
            .await
            .expect("UTF-8");
        line.trim_end().to_owned()
    }

    async fn end(mut self) -> String {
        self.input = None;
        guarded(self.ended)
            .await
            .expect("no panic")
            .expect("no error");
        let mut rest = String::new();
        while guarded(self.output.read_line(&mut rest))
            .await
            .is_ok_and(|count| count > 0)
        {}
        rest
    }
}

const INITIALIZED: &str = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;
const ACCEPTED: &str = "HTTP/1.1 202 Accepted\r\nconnection: close\r\ncontent-length: 0\r\n\r\n";
const NOT_ALLOWED: &str =
    "HTTP/1.1 405 Method Not Allowed\r\nconnection: close\r\ncontent-length: 0\r\n\r\n";

/// Begins a session, and returns the request for the stream of the server.
async fn begin(client: &mut Client, upstream: &Upstream) -> (Wire, Message) {
    client.say(&request(1, "initialize", "{}")).await;
    let (mut server, asked) = upstream.asked().await;
    assert_eq!(asked.first(), "POST /api/mcp?base=1 HTTP/1.1");
    assert_eq!(
        asked.header("accept"),
        Some("application/json, text/event-stream")
    );
    assert_eq!(asked.header("mcp-session-id"), None);
    let settled = result("1", r#"{"protocolVersion":"2025-06-18"}"#);
    let answer = ok(&settled).replace("\r\n\r\n", "\r\nmcp-session-id: s1\r\n\r\n");
    server.send(answer).await;
    assert_eq!(client.hear().await, settled);
    client.say(INITIALIZED).await;
    let (mut server, asked) = upstream.asked().await;
    assert_eq!(asked.text(), INITIALIZED);
    // The next message waits until this one is taken.
    client.say(&request(2, "tools/list", "{}")).await;
    server.send(ACCEPTED).await;
    let mut listening = None;
    for _ in 0..2 {
        let (mut server, asked) = upstream.asked().await;
        assert_eq!(asked.header("mcp-session-id"), Some("s1"));
        assert_eq!(asked.header("mcp-protocol-version"), Some("2025-06-18"));
        match asked.first().starts_with("GET") {
            true => listening = Some((server, asked)),
            false => server.send(ok(&tools("2", ""))).await,
        }
    }
    assert_eq!(client.hear().await, tools("2", ""));
    listening.expect("it listens")
}

#[tokio::test]
async fn messages_are_requests_and_answers_are_lines() {
    let upstream = Upstream::start().await;
    let mut client = Client::start(&upstream, |settings| {
        settings.header = vec!["Authorization: Bearer KEY".to_owned()];
    });
    let (mut listening, asked) = begin(&mut client, &upstream).await;
    assert_eq!(asked.header("authorization"), Some("Bearer KEY"));
    assert_eq!(asked.header("accept"), Some("text/event-stream"));
    // Messages of the server, on one line each.
    let note = "id: 9\nretry: 10\ndata: {\"jsonrpc\":\"2.0\",\ndata: \"method\":\"note\"}\n\n";
    listening.send(EVENTS.to_owned() + &chunk(note)).await;
    assert_eq!(client.hear().await, r#"{"jsonrpc":"2.0", "method":"note"}"#);
    drop(listening);
    let (mut listening, asked) = upstream.asked().await;
    assert_eq!(asked.header("last-event-id"), Some("9"));
    listening.send(NOT_ALLOWED).await;
    // A call is corrected, one that cannot be is answered here.
    client.say(&call(3, r#"{"city":"Oslo","days":"3"}"#)).await;
    let (mut server, asked) = upstream.asked().await;
    assert_eq!(asked.text(), call(3, r#"{"city_name":"Oslo","days":3}"#));
    let progress = "data: {\"method\":\"notifications/progress\"}\n\n";
    let answer = format!("data: {}\n\n", result("3", "{}"));
    server
        .send(EVENTS.to_owned() + &chunk(progress) + &chunk(&answer))
        .await;
    assert_eq!(
        client.hear().await,
        r#"{"method":"notifications/progress"}"#
    );
    assert_eq!(client.hear().await, result("3", "{}"));
    client.say(&call(4, "{}")).await;
    let answer = client.hear().await;
    assert!(answer.ends_with(r#""isError":true}}"#), "{answer}");
    // At the end the session is ended.
    let ended = tokio::spawn(client.end());
    let (mut server, asked) = upstream.asked().await;
    assert_eq!(asked.first(), "DELETE /api/mcp?base=1 HTTP/1.1");
    assert_eq!(asked.header("mcp-session-id"), Some("s1"));
    server.send(ACCEPTED).await;
    assert_eq!(guarded(ended).await.expect("no panic"), "");
}

#[tokio::test]
async fn events_that_break_off_are_gone_on_with() {
    let upstream = Upstream::start().await;
    let mut client = Client::start(&upstream, |_| {});
    let (mut listening, _) = begin(&mut client, &upstream).await;
    listening.send(NOT_ALLOWED).await;
    for end in [true, false] {
        client.say(&request(5, "x", "{}")).await;
        let (mut server, _) = upstream.asked().await;
        let first = "id: a-0\nretry: 10\ndata:\n\n";
        server
            .send(EVENTS.to_owned() + &chunk(first) + if end { "0\r\n\r\n" } else { "" })
            .await;
        drop(server);
        for number in 1..=2 {
            let (mut server, asked) = upstream.asked().await;
            assert!(asked.first().starts_with("GET"), "{}", asked.head);
            assert_eq!(
                asked.header("last-event-id"),
                Some(&*format!("a-{}", number - 1))
            );
            let data = match number {
                1 => "{\"method\":\"note\"}".to_owned(),
                _ => result("5", "{}"),
            };
            let event = format!("id: a-{number}\ndata: {data}\n\n");
            server.send(EVENTS.to_owned() + &chunk(&event)).await;
            drop(server);
            assert_eq!(client.hear().await, data);
        }
    }
    // Without an id there is nothing to go on behind.
    client.say(&request(6, "x", "{}")).await;
    let (mut server, _) = upstream.asked().await;
    server
        .send(EVENTS.to_owned() + &chunk("data: {\"method\":\"n\"}\n\n"))
        .await;
    drop(server);
    assert_eq!(client.hear().await, "{\"method\":\"n\"}");
    let answer = client.hear().await;
    assert!(
        answer.contains(r#""id":6"#) && answer.contains("broke off"),
        "{answer}"
    );
}

#[tokio::test]
async fn each_request_is_answered_whatever_the_server_does() {
    let upstream = Upstream::start().await;
    let mut client = Client::start(&upstream, |settings| {
        settings.header = vec!["X-Key: SECRET".to_owned()];
        settings.max_reply_bytes = Some(1000);
        settings.first_byte_timeout = Some(5.0);
    });
    let refused = |status: &str, body: &str| {
        let length = body.len();
        format!(
            "HTTP/1.1 {status}\r\nconnection: close\r\nwww-authenticate: Bearer scope=\"x\"\r\ncontent-length: {length}\r\n\r\n{body}"
        )
    };
    let own =
        r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32001,"message":"Session not found"}}"#;
    for (reply, said) in [
        (
            refused("401 Unauthorized", ""),
            "401 Unauthorized (Bearer scope=\\\"x\\\")",
        ),
        (
            refused("500 Internal Server Error", "oops"),
            "500 Internal Server Error",
        ),
        (refused("404 Not Found", own), "Session not found"),
        (ACCEPTED.to_owned(), "no answer"),
        (ok("{}"), "no response"),
        (
            ok(&result("7", &format!("\"{}\"", "x".repeat(1000)))),
            "max-reply-bytes",
        ),
        (
            "HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\nconnection: close\r\n\r\n".to_owned(),
            "compressed",
        ),
        ("nonsense\r\n\r\n".to_owned(), "not HTTP"),
        (String::new(), "closed the connection"),
    ] {
        client.say(&request(7, "x", "{}")).await;
        let (mut server, asked) = upstream.asked().await;
        assert_eq!(asked.header("x-key"), Some("SECRET"));
        server.send(&reply).await;
        drop(server);
        let answer = client.hear().await;
        let json: serde_json::Value = serde_json::from_str(&answer).expect("JSON");
        assert_eq!(json["id"], 7);
        assert!(
            json["error"]["code"].is_i64() && answer.contains(said),
            "{said}: {answer}"
        );
        assert!(!answer.contains("SECRET"));
    }
    let address = upstream.address();
    drop(upstream);
    client.say(&request(7, "x", "{}")).await;
    let answer = client.hear().await;
    assert!(
        answer.contains("cannot be reached") && !answer.contains(&address.to_string()),
        "{answer}"
    );
}

#[tokio::test]
async fn open_requests_have_a_number() {
    let upstream = Upstream::start().await;
    let mut client = Client::start(&upstream, |settings| {
        settings.max_connections = Some(2);
        settings.drain_timeout = Some(0.05);
    });
    let mut open = Vec::new();
    for id in 1..=2 {
        client.say(&request(id, "x", "{}")).await;
        open.push(upstream.asked().await);
    }
    client.say(&request(3, "x", "{}")).await;
    let answer = client.hear().await;
    assert!(
        answer.contains(r#""id":3"#) && answer.contains("max-connections"),
        "{answer}"
    );
    // Requests that are not answered at the end are given up after a time.
    assert_eq!(client.end().await, "");
    for (mut server, _) in open {
        server.closed().await;
    }
}

#[tokio::test]
async fn a_version_without_sessions_repeats_its_messages_in_headers() {
    let upstream = Upstream::start().await;
    let mut client = Client::start(&upstream, |_| {});
    let meta = r#""_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}"#;
    let called = |id: u32, arguments: &str| {
        request(
            id,
            "tools/call",
            &format!(r#"{{{meta},"name":"weather","arguments":{arguments}}}"#),
        )
    };
    client.say(&called(1, r#"{"city":"Tromsø"}"#)).await;
    let (mut server, asked) = upstream.asked().await;
    assert_eq!(asked.header("mcp-method"), Some("tools/list"));
    assert_eq!(asked.header("mcp-protocol-version"), Some("2026-07-28"));
    assert_eq!(asked.header("mcp-name"), None);
    server
        .send(ok(&tools(r#""llmjson-mcp-proxy/1""#, "")))
        .await;
    let (mut server, asked) = upstream.asked().await;
    assert_eq!(asked.text(), called(1, r#"{"city_name":"Tromsø"}"#));
    for (name, value) in [
        ("mcp-method", "tools/call"),
        ("mcp-name", "weather"),
        ("mcp-param-city", "=?base64?VHJvbXPDuA==?="),
        ("mcp-protocol-version", "2026-07-28"),
    ] {
        assert_eq!(asked.header(name), Some(value), "{name}");
    }
    // A request is cancelled by the end of its connection.
    let cancelled =
        r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}"#;
    client.say(cancelled).await;
    server.closed().await;
    client
        .say(&request(2, "ping", &format!("{{{meta}}}")))
        .await;
    let (mut server, _) = upstream.asked().await;
    server.send(ok(&result("2", "{}"))).await;
    assert_eq!(client.hear().await, result("2", "{}"));
    assert_eq!(client.end().await, "");
}

#[tokio::test]
async fn messages_in_any_pieces_are_sent_once_and_answered_once() {
    let upstream = Upstream::start().await;
    let mut client = Client::start(&upstream, |_| {});
    let (mut listening, _) = begin(&mut client, &upstream).await;
    listening.send(NOT_ALLOWED).await;
    for (id, length) in (3..).zip(LENGTHS) {
        let line = call(id, r#"{"city":"Oslo","days":"3"}"#) + "\n";
        let input = client.input.as_mut().expect("it is open");
        for piece in line.as_bytes().chunks(length) {
            guarded(input.write_all(piece)).await.expect("it reads");
        }
        let (mut server, asked) = upstream.asked().await;
        assert_eq!(asked.text(), call(id, r#"{"city_name":"Oslo","days":3}"#));
        let note = r#"{"method":"notifications/progress"}"#;
        let answer = result(&id.to_string(), "{}");
        // What follows the answer is no second one.
        let events = format!("data: {note}\n\ndata: {answer}\n\ndata: {answer}\n\n");
        server.send(in_pieces(&events, length)).await;
        assert_eq!(client.hear().await, note);
        assert_eq!(client.hear().await, answer);
    }
    let ended = tokio::spawn(client.end());
    let (mut server, asked) = upstream.asked().await;
    assert_eq!(asked.first(), "DELETE /api/mcp?base=1 HTTP/1.1");
    server.send(ACCEPTED).await;
    assert_eq!(guarded(ended).await.expect("no panic"), "");
}

#[tokio::test]
async fn calls_do_not_wait_for_a_list_for_ever() {
    let upstream = Upstream::start().await;
    let mut client = Client::start(&upstream, |settings| settings.list_timeout = Some(0.1));
    client.say(&call(1, "{}")).await;
    let (_server, asked) = upstream.asked().await;
    assert!(asked.text().contains("tools/list"), "{}", asked.text());
    let answer = client.hear().await;
    assert!(answer.contains(r#""isError":true"#), "{answer}");
}

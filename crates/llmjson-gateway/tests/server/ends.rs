//! The ends of things: clients that leave, upstreams that die, and the gateway's own.

use std::time::Duration;

use tokio::net::TcpStream;
use tokio::task::JoinSet;

use crate::support::{
    ASK, ASK_STREAM, EVENTS, Gateway, REPLY, Upstream, chat, chunk, delta, get, ok, post,
};

#[tokio::test]
async fn clients_that_leave_cancel_the_upstream() {
    let upstream = Upstream::start().await;
    let gateway = Gateway::before(&upstream, "").await;
    for (path, request) in [
        ("/v1/chat/completions", ASK),
        ("/v1/chat/completions", ASK_STREAM),
        ("/v1/responses", ASK_STREAM),
    ] {
        // Before the reply begins.
        let client = gateway.ask(post(path, request)).await;
        let (mut server, _) = upstream.asked().await;
        drop(client);
        server.closed().await;
        // In its middle.
        let mut client = gateway.ask(post(path, request)).await;
        let (mut server, _) = upstream.asked().await;
        match request == ASK {
            true => server.send(&ok(REPLY)[..150]).await,
            false => {
                server.send(EVENTS.to_owned() + &chunk(&delta("Hel"))).await;
                client.head().await;
                client.chunk().await.expect("a piece");
            }
        }
        drop(client);
        server.closed().await;
    }
}

#[tokio::test]
async fn upstreams_that_die_give_an_error() {
    let upstream = Upstream::start().await;
    let gateway = Gateway::before(&upstream, "").await;
    for start in [0, 10, 60, 150] {
        let mut client = gateway.ask(chat(ASK)).await;
        let (mut server, _) = upstream.asked().await;
        server.send(&ok(REPLY)[..start]).await;
        drop(server);
        let reply = client.message().await;
        assert_eq!(
            (reply.status(), &*reply.code()),
            (502, "upstream_failed"),
            "{start}"
        );
    }
    for junk in [
        "SSH-2.0-OpenSSH\r\n\r\n",
        "HTTP/1.1 200 OK\r\ncontent-length: x\r\n\r\n",
        "\0\0\0\0",
    ] {
        let mut client = gateway.ask(chat(ASK)).await;
        let (mut server, _) = upstream.asked().await;
        server.send(junk).await;
        server.shut().await;
        assert_eq!(client.message().await.status(), 502, "{junk:?}");
    }
    // A reply that passes unread is cut where it was cut.
    let mut client = gateway.ask(post("/v1/embeddings", ASK)).await;
    let (mut server, _) = upstream.asked().await;
    server.send(&ok(REPLY)[..150]).await;
    drop(server);
    let reply = client.message().await;
    assert!(reply.status() == 200 && !reply.is_whole && REPLY.starts_with(reply.text()));
}

#[tokio::test]
async fn streams_that_die_end_with_an_error_and_no_invented_end() {
    let upstream = Upstream::start().await;
    let gateway = Gateway::before(&upstream, "").await;
    let with_format = ASK_STREAM.replace(
        "\"m\"",
        "\"m\",\"response_format\":{\"type\":\"json_object\"}",
    );
    for (request, text) in [(ASK_STREAM, "Hel"), (&*with_format, "{\\\"a\\\": 1")] {
        for cut in ["", "2\r\nda", "zz\r\n", "0\r\n\r\n"] {
            let mut client = gateway.ask(chat(request)).await;
            let (mut server, _) = upstream.asked().await;
            server
                .send(EVENTS.to_owned() + &chunk(&delta(text)) + cut)
                .await;
            drop(server);
            let reply = client.message().await;
            assert!(reply.is_whole, "{cut:?}");
            // An end that is told passes where nothing is read.
            if cut != "0\r\n\r\n" || request == with_format {
                assert!(
                    reply.text().contains("data: {\"error\""),
                    "{cut:?}: {}",
                    reply.text()
                );
            }
            assert!(!reply.text().contains("finish_reason") && !reply.text().contains("[DONE]"));
        }
    }
}

#[tokio::test]
async fn events_that_are_no_utf_8_pass_as_they_are_and_are_told() {
    let upstream = Upstream::start().await;
    let gateway = Gateway::before(&upstream, "").await;
    let request = ASK_STREAM.replace(
        "\"m\"",
        "\"m\",\"response_format\":{\"type\":\"json_object\"}",
    );
    let damaged = b"data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"\xff\xfe\"}}]}\n\n";
    let mut client = gateway.ask(chat(&request)).await;
    let (mut server, _) = upstream.asked().await;
    server.send(EVENTS).await;
    let framed = [
        format!("{:x}\r\n", damaged.len()).as_bytes(),
        damaged,
        b"\r\n",
    ]
    .concat();
    server.send(framed).await;
    let stop = "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"{}\"},\"finish_reason\":\"stop\"}]}\n\n";
    server
        .send(chunk(stop) + &chunk("data: [DONE]\n\n") + &chunk(""))
        .await;
    let reply = client.message().await;
    assert!(
        reply.is_whole && reply.body.starts_with(damaged),
        "{reply:?}"
    );
    let rest = String::from_utf8_lossy(&reply.body);
    assert!(
        rest.contains("unreadable_event") && rest.contains("[DONE]"),
        "{rest}"
    );
}

const STRICT: &str = r#""response_format":{"type":"json_schema","json_schema":{"name":"n","schema":{"type":"object","required":["a"],"properties":{"a":{"type":"integer"}}}}}"#;

/// A whole reply with this content.
fn content(text: &str) -> String {
    REPLY.replace("Hello", &text.replace('"', "\\\""))
}

#[tokio::test]
async fn a_comment_keeps_a_stream_alive_while_the_upstream_is_asked_again() {
    let upstream = Upstream::start().await;
    let gateway = Gateway::before(&upstream, "retries = 1\nkeep-alive = 0.01").await;
    let request = ASK_STREAM.replace("\"m\"", &format!("\"m\",{STRICT}"));
    let stop = "data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n";
    let reply = |text: &str| EVENTS.to_owned() + &chunk(&delta(text)) + &chunk(stop) + &chunk("");
    for dies in [false, true] {
        let mut client = gateway.ask(chat(&request)).await;
        let (mut server, _) = upstream.asked().await;
        server.send(reply("{}")).await;
        let (mut server, asked) = upstream.asked().await;
        assert!(asked.text().contains("assistant"), "{}", asked.text());
        // It has not been answered yet.
        client.head().await;
        client.until(b": waiting\n\n").await.expect("a comment");
        match dies {
            true => drop(server),
            false => server.send(reply("{\\\"a\\\": 7}")).await,
        }
        client.until(b"\r\n").await.expect("the comment is a chunk");
        let rest = client.chunks().await;
        match dies {
            true => assert!(
                rest.contains("{}") && rest.ends_with("[DONE]\n\n"),
                "{rest}"
            ),
            false => assert!(rest.contains("7}") && rest.ends_with("\n\n"), "{rest}"),
        }
    }
}

#[tokio::test]
async fn comments_keep_a_stream_alive_while_the_upstream_is_silent() {
    let upstream = Upstream::start().await;
    let gateway = Gateway::before(&upstream, "keep-alive = 0.01").await;
    let tools = r#""m","tools":[{"type":"function","function":{"name":"f"}}]"#;
    let treated = ASK_STREAM.replace("\"m\"", tools);
    for request in [ASK_STREAM, &treated] {
        let mut client = gateway.ask(chat(request)).await;
        let (mut server, _) = upstream.asked().await;
        // Before the first byte.
        assert_eq!(client.head().await.status(), 200);
        let comment = client.chunk().await.expect("a comment");
        assert_eq!(comment, b": waiting\n\n");
        // Between two events, and not within one.
        let next = delta("there");
        let (begin, rest) = next.split_at(9);
        server
            .send(EVENTS.to_owned() + &chunk(&delta("Hello")) + &chunk(begin))
            .await;
        client.until(b"Hello\"}}]}\n\n").await.expect("an event");
        client.until(b"\r\n").await.expect("the event is a chunk");
        tokio::time::sleep(Duration::from_millis(50)).await;
        let end = "data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n";
        server.send(chunk(rest)).await;
        tokio::time::sleep(Duration::from_millis(50)).await;
        server
            .send(chunk(end) + &chunk("data: [DONE]\n\n") + &chunk(""))
            .await;
        let all = client.chunks().await;
        assert!(
            all.contains(": waiting\n\n") && all.contains("[DONE]"),
            "{all}"
        );
        for line in all.split("\n\n").filter(|line| line.contains("waiting")) {
            assert_eq!(line, ": waiting", "{all}");
        }
    }
    // The status of an error is lost by then.
    for answer in [
        "HTTP/1.1 500 No\r\nconnection: close\r\ncontent-length: 0\r\n\r\n",
        "",
    ] {
        let mut client = gateway.ask(chat(ASK_STREAM)).await;
        let (mut server, _) = upstream.asked().await;
        assert_eq!(client.head().await.status(), 200);
        server.send(answer).await;
        drop(server);
        let all = client.chunks().await;
        let (_, error) = all.rsplit_once("data: ").expect("an event");
        assert!(error.starts_with("{\"error\":"), "{all}");
        assert_eq!(error.contains("status 500"), !answer.is_empty(), "{all}");
    }
    // A whole reply has no comments.
    let mut client = gateway.ask(chat(ASK)).await;
    let (mut server, _) = upstream.asked().await;
    tokio::time::sleep(Duration::from_millis(50)).await;
    server.send(ok(REPLY)).await;
    assert_eq!(client.message().await.text(), REPLY);
}

#[tokio::test]
async fn a_reply_stays_where_the_next_one_fails() {
    let upstream = Upstream::start().await;
    let gateway = Gateway::before(&upstream, "retries = 2").await;
    let request = ASK.replace("\"m\"", &format!("\"m\",{STRICT}"));
    for second in [
        "",
        "HTTP/1.1 500 No\r\nconnection: close\r\ncontent-length: 0\r\n\r\n",
    ] {
        let mut client = gateway.ask(chat(&request)).await;
        let (mut server, _) = upstream.asked().await;
        server.send(ok(&content("{}"))).await;
        let (mut server, _) = upstream.asked().await;
        server.send(second).await;
        drop(server);
        let reply = client.message().await;
        assert_eq!((reply.status(), reply.text()), (200, &*content("{}")));
    }
    // So do all choices where the next reply to one of them fails.
    let several = request.replace("\"m\"", "\"m\",\"n\":2");
    let good = r#"{"index":1,"message":{"role":"assistant","content":"{\"a\": 1}"},"finish_reason":"stop"}"#;
    let both = content("{}").replacen("}]", &format!("}},{good}]"), 1);
    let mut client = gateway.ask(chat(&several)).await;
    let (mut server, _) = upstream.asked().await;
    server.send(ok(&both)).await;
    let (server, asked) = upstream.asked().await;
    assert!(asked.text().contains("\"n\":1"), "{}", asked.text());
    drop(server);
    let reply = client.message().await;
    assert_eq!((reply.status(), reply.text()), (200, &*both));
    // And one that does not fail is the reply.
    let mut client = gateway.ask(chat(&request)).await;
    let (mut server, _) = upstream.asked().await;
    server.send(ok(&content("{}"))).await;
    let (mut server, _) = upstream.asked().await;
    server.send(ok(&content("{\"a\": 1}"))).await;
    let reply = client.message().await;
    assert!(
        reply.text().contains("{\\\"a\\\":1}") || reply.text().contains("{\\\"a\\\": 1}"),
        "{}",
        reply.text()
    );
    assert!(
        reply
            .header("x-llmjson")
            .is_some_and(|report| report.contains("retries=1")),
        "{}",
        reply.head
    );
}

#[tokio::test]
async fn a_streamed_reply_stays_where_the_next_one_fails() {
    let upstream = Upstream::start().await;
    let gateway = Gateway::before(&upstream, "retries = 2").await;
    let request = ASK_STREAM.replace("\"m\"", &format!("\"m\",{STRICT}"));
    let request = chat(&request).replace("content-type", "idempotency-key: one\r\ncontent-type");
    let end = "data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n";
    let reply = delta("{}") + end;
    for second in [
        "",
        "HTTP/1.1 429 No\r\nconnection: close\r\nretry-after: 3\r\ncontent-length: 0\r\n\r\n",
        "HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-type: text/html\r\ncontent-length: 0\r\n\r\n",
    ] {
        let mut client = gateway.ask(&request).await;
        let (mut server, asked) = upstream.asked().await;
        assert_eq!(asked.header("idempotency-key"), Some("one"));
        server
            .send(EVENTS.to_owned() + &chunk(&reply) + &chunk(""))
            .await;
        let (mut server, asked) = upstream.asked().await;
        // The key stands for the client's own body.
        assert_eq!(asked.header("idempotency-key"), None);
        server.send(second).await;
        drop(server);
        let given = client.message().await;
        let text = given.text();
        assert!(given.is_whole && text.starts_with(&delta("{}")), "{text}");
        assert!(
            text.ends_with("data: [DONE]\n\n") && !text.contains("error"),
            "{text}"
        );
        assert!(
            text.contains(": x-llmjson outcome=refused; retries=1"),
            "{text}"
        );
    }
}

#[tokio::test]
async fn an_error_after_comments_says_what_the_upstream_says() {
    let upstream = Upstream::start().await;
    let gateway = Gateway::before(&upstream, "keep-alive = 0.05").await;
    let mut client = gateway.ask(chat(ASK_STREAM)).await;
    let (mut server, _) = upstream.asked().await;
    client.head().await;
    client.chunk().await.expect("a comment");
    let body = r#"{"error":{"message":"Slow down."}}"#;
    let length = body.len();
    let head = "HTTP/1.1 429 Too Many Requests\r\ncontent-type: application/json\r\nretry-after: 7";
    server
        .send(format!("{head}\r\ncontent-length: {length}\r\n\r\n{body}"))
        .await;
    let text = client.chunks().await;
    let said = format!(
        "the upstream http://{} answered with status 429 Too Many Requests (retry-after: 7): Slow down.",
        upstream.address()
    );
    assert!(text.contains(&said), "{text}");
}

#[tokio::test]
async fn open_replies_end_and_no_new_ones_begin() {
    let upstream = Upstream::start().await;
    let mut gateway = Gateway::before(&upstream, "").await;
    let address = gateway.address;
    let mut idle = gateway.ask(get("/healthz")).await;
    idle.message().await;
    let mut client = gateway.ask(chat(ASK_STREAM)).await;
    let (mut server, _) = upstream.asked().await;
    server.send(EVENTS.to_owned() + &chunk(&delta("Hel"))).await;
    client.head().await;
    client.chunk().await.expect("a piece");
    gateway.end();
    // The connection that is not in use is closed, and after it the listener.
    idle.closed().await;
    while TcpStream::connect(address).await.is_ok() {
        tokio::task::yield_now().await;
    }
    server
        .send(chunk(&delta("lo")) + &chunk("data: [DONE]\n\n") + &chunk(""))
        .await;
    let rest = client.chunks().await;
    assert!(
        rest.contains(&delta("lo")) && rest.contains("[DONE]"),
        "{rest}"
    );
    client.closed().await;
    gateway.ended().await;
}

#[tokio::test]
async fn replies_that_do_not_end_are_cut_off() {
    let upstream = Upstream::start().await;
    let mut gateway = Gateway::before(&upstream, "drain-timeout = 0.05").await;
    let mut client = gateway.ask(chat(ASK_STREAM)).await;
    let (mut server, _) = upstream.asked().await;
    server.send(EVENTS.to_owned() + &chunk(&delta("Hel"))).await;
    client.head().await;
    gateway.end();
    client.closed().await;
    server.closed().await;
    gateway.ended().await;
}

/// Answers each request on each connection, until it is dropped.
async fn answer_all(upstream: Upstream, replies: usize) {
    let mut open = JoinSet::new();
    for _ in 0..replies {
        let mut wire = upstream.accept().await;
        open.spawn(async move {
            while wire.message().await.is_whole {
                if !wire.try_send(ok(REPLY)).await {
                    return;
                }
            }
        });
    }
    // The rest is lost with the listener and the connections.
}

#[tokio::test(flavor = "multi_thread")]
async fn each_request_gets_an_answer_while_the_upstream_restarts() {
    const REQUESTS: usize = 1_000;
    let upstream = Upstream::start().await;
    let address = upstream.address();
    let gateway = Gateway::before(&upstream, "").await;
    let server = tokio::spawn(answer_all(upstream, 300));
    let mut asked = JoinSet::new();
    for number in 0..REQUESTS {
        let mut client = gateway.connect().await;
        asked.spawn(async move {
            let request = if number % 2 == 0 {
                chat(ASK)
            } else {
                post("/v1/embeddings", ASK)
            };
            client.send(request).await;
            let reply = client.message().await;
            assert!(reply.is_whole || reply.head.is_empty(), "{reply:?}");
            reply.status()
        });
    }
    server.await.expect("no panic");
    // Restarted at the same address.
    let listener = loop {
        match Upstream::at(address).await {
            Some(upstream) => break upstream,
            None => tokio::time::sleep(Duration::from_millis(1)).await,
        }
    };
    let server = tokio::spawn(answer_all(listener, usize::MAX));
    let statuses = asked.join_all().await;
    assert_eq!(statuses.len(), REQUESTS);
    assert!(
        statuses.iter().all(|status| matches!(status, 200 | 502)),
        "{statuses:?}"
    );
    // And afterwards all is well.
    let reply = gateway.ask(chat(ASK)).await.message().await;
    assert_eq!((reply.status(), reply.text()), (200, REPLY));
    server.abort();
}

#[tokio::test]
async fn http_2_is_spoken_with_those_that_begin_with_it() {
    use http_body_util::{BodyExt as _, Full};
    use hyper::body::Bytes;
    use hyper_util::rt::{TokioExecutor, TokioIo};

    let upstream = Upstream::start().await;
    let gateway = Gateway::before(&upstream, "").await;
    let stream = TcpStream::connect(gateway.address)
        .await
        .expect("it listens");
    let handshake =
        hyper::client::conn::http2::handshake(TokioExecutor::new(), TokioIo::new(stream));
    let (mut client, connection) = handshake.await.expect("HTTP/2");
    tokio::spawn(connection);
    let request = |path: &str, body: &'static str| {
        let uri = format!("http://localhost{path}");
        let request = hyper::Request::post(uri).body(Full::new(Bytes::from(body)));
        request.expect("a request")
    };
    // Two at a time on one connection, answered in the other order.
    let first = client.send_request(request("/v1/chat/completions", ASK));
    let (mut first_server, asked) = {
        tokio::pin!(first);
        let asked = tokio::select! {
            asked = upstream.asked() => asked,
            _ = &mut first => panic!("nothing was answered"),
        };
        let second = client.send_request(request("/v1/chat/completions", ASK_STREAM));
        let (mut server, _) = tokio::select! {
            asked = upstream.asked() => asked,
            _ = &mut first => panic!("nothing was answered"),
        };
        server
            .send(EVENTS.to_owned() + &chunk(&delta("Hi")) + &chunk(""))
            .await;
        let reply = second.await.expect("a reply");
        assert_eq!(reply.status(), 200);
        let body = reply
            .into_body()
            .collect()
            .await
            .expect("a body")
            .to_bytes();
        assert!(body.starts_with(delta("Hi").as_bytes()), "{body:?}");
        let (mut server, request) = asked;
        server.send(ok(REPLY)).await;
        let reply = first.await.expect("a reply");
        assert!(reply.headers().contains_key("x-llmjson"));
        assert_eq!(
            reply
                .into_body()
                .collect()
                .await
                .expect("a body")
                .to_bytes(),
            REPLY
        );
        (server, request)
    };
    assert_eq!(asked.first(), "POST /v1/chat/completions HTTP/1.1");
    first_server.closed().await;
    let other = hyper::Request::get("http://elsewhere.example/healthz").body(Full::default());
    let reply = client
        .send_request(other.expect("a request"))
        .await
        .expect("a reply");
    assert_eq!(reply.status(), 403);
}

//! The limits, each below, at and above.

use std::time::Duration;

use crate::support::{
    ASK, ASK_STREAM, EVENTS, Gateway, REPLY, Upstream, chat, chunk, delta, get, guarded, ok, post,
};

/// A request for a chat completion of this length.
fn request_of(length: usize) -> String {
    let start = r#"{"model":"m","messages":[],"x":""#;
    format!("{start}{}\"}}", "x".repeat(length - start.len() - 2))
}

#[tokio::test]
async fn requests_have_a_length() {
    let upstream = Upstream::start().await;
    let gateway = Gateway::before(&upstream, "max-request-bytes = 1000").await;
    let chunked = |body: &str| {
        let head = "POST /v1/chat/completions HTTP/1.1\r\nhost: localhost\r\ntransfer-encoding: chunked\r\n\r\n";
        let (first, second) = body.split_at(500);
        format!("{head}{}{}{}", chunk(first), chunk(second), chunk(""))
    };
    for length in [999, 1000, 1001] {
        let body = request_of(length);
        for request in [chat(&body), chunked(&body)] {
            let mut client = gateway.ask(request).await;
            if length <= 1000 {
                let (mut server, asked) = upstream.asked().await;
                assert_eq!(asked.text(), body);
                server.send(ok(REPLY)).await;
            }
            let reply = client.message().await;
            match length {
                1001 => assert_eq!((reply.status(), &*reply.code()), (413, "request_too_large")),
                _ => assert_eq!(reply.status(), 200),
            }
        }
    }
    // A request that is not read has no limit.
    let body = request_of(1_000_000);
    let mut client = gateway.ask(post("/v1/embeddings", &body)).await;
    let (mut server, asked) = upstream.asked().await;
    assert_eq!(asked.body.len(), 1_000_000);
    server.send(ok("{}")).await;
    assert_eq!(client.message().await.status(), 200);
}

#[tokio::test]
async fn replies_have_a_length() {
    let upstream = Upstream::start().await;
    let gateway = Gateway::before(&upstream, "max-reply-bytes = 1000").await;
    for length in [999, 1000, 1001, 1_000_000] {
        let mut client = gateway.ask(chat(ASK)).await;
        let (mut server, _) = upstream.asked().await;
        let body = format!("{REPLY}{}", " ".repeat(length - REPLY.len()));
        server.try_send(ok(&body)).await;
        let reply = client.message().await;
        match length {
            ..=1000 => assert_eq!((reply.status(), reply.text()), (200, &*body)),
            _ => assert_eq!((reply.status(), &*reply.code()), (502, "reply_too_large")),
        }
    }
}

#[tokio::test]
async fn frames_have_a_length() {
    let upstream = Upstream::start().await;
    let request = ASK_STREAM.replace(
        "\"m\"",
        "\"m\",\"response_format\":{\"type\":\"json_object\"}",
    );
    // A frame counts with the end of its line, without the empty line behind it.
    let frame = delta(&format!("{{}}{}", " ".repeat(900)));
    let length = frame.len() - 1;
    for (limit, is_read) in [(length + 1, true), (length, true), (length - 1, false)] {
        let gateway = Gateway::before(&upstream, &format!("max-frame-bytes = {limit}")).await;
        let mut client = gateway.ask(chat(&request)).await;
        let (mut server, _) = upstream.asked().await;
        let stop =
            "data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n";
        server
            .send(EVENTS.to_owned() + &chunk(&frame) + &chunk(stop) + &chunk(""))
            .await;
        let reply = client.message().await;
        assert_eq!(
            !reply.text().contains("frame_too_large"),
            is_read,
            "{}",
            reply.text()
        );
    }
    // One without an end is not collected.
    let gateway = Gateway::before(&upstream, "max-frame-bytes = 100000").await;
    let mut client = gateway.ask(chat(&request)).await;
    let (mut server, _) = upstream.asked().await;
    server.send(EVENTS).await;
    let flood = chunk(&"x".repeat(10_000));
    for _ in 0..1_000 {
        server.send(&flood).await;
    }
    client.until(b"frame_too_large").await.expect("an error");
}

#[tokio::test]
async fn a_line_of_100_mb_passes_unread_and_ends_a_stream_that_is_read() {
    const PIECES: usize = 100;
    let upstream = Upstream::start().await;
    let gateway = Gateway::before(&upstream, "").await;
    let piece = chunk(&"x".repeat(1_000_000));
    let read = ASK_STREAM.replace(
        "\"m\"",
        "\"m\",\"response_format\":{\"type\":\"json_object\"}",
    );
    for (path, request) in [
        ("/v1/chat/completions", &*read),
        ("/v1/chat/completions", ASK_STREAM),
        ("/v1/events", ASK_STREAM),
    ] {
        let mut client = gateway.ask(post(path, request)).await;
        let (mut server, _) = upstream.asked().await;
        let sends = tokio::spawn({
            let piece = piece.clone();
            async move {
                server.send(EVENTS.to_owned() + &chunk("data: ")).await;
                for _ in 0..PIECES {
                    server.send(&piece).await;
                }
                server.send(chunk("\n\n") + &chunk("")).await;
            }
        });
        client.head().await;
        let (mut length, mut last) = (0, Vec::new());
        while let Some(piece) = client.chunk().await.filter(|piece| !piece.is_empty()) {
            length += piece.len();
            last = piece;
        }
        let last = String::from_utf8_lossy(&last);
        match request == read {
            true => assert!(length < 1_000 && last.contains("frame_too_large"), "{last}"),
            false => assert_eq!(length, 6 + PIECES * 1_000_000 + 2, "{path}"),
        }
        drop(client);
        sends.abort();
    }
}

#[tokio::test]
async fn heads_have_a_length() {
    let upstream = Upstream::start().await;
    let gateway = Gateway::before(&upstream, "max-header-bytes = 10000").await;
    for (length, status) in [(9_000, 200), (20_000, 431)] {
        let request = get("/healthz").replace(
            "\r\n\r\n",
            &format!("\r\nx: {}\r\n\r\n", "x".repeat(length)),
        );
        let mut client = gateway.connect().await;
        client.try_send(request).await;
        assert_eq!(client.message().await.status(), status, "{length}");
    }
    // An upstream's head without an end is an error, too.
    let mut client = gateway.ask(chat(ASK)).await;
    let (mut server, _) = upstream.asked().await;
    server.send("HTTP/1.1 200 OK\r\n").await;
    while server
        .try_send(format!("x: {}\r\n", "x".repeat(10_000)))
        .await
    {}
    assert_eq!(client.message().await.status(), 502);
}

#[tokio::test]
async fn connections_have_a_number() {
    let upstream = Upstream::start().await;
    let gateway = Gateway::before(&upstream, "max-connections = 2").await;
    let mut first = gateway.ask(get("/healthz")).await;
    assert_eq!(first.message().await.status(), 200);
    let mut second = gateway.ask(get("/healthz")).await;
    assert_eq!(second.message().await.status(), 200);
    // These took no place: the question whether the gateway runs is always answered.
    let mut waits = Vec::new();
    for wire in [&mut first, &mut second] {
        wire.send(chat(ASK)).await;
        waits.push(upstream.asked().await.0);
    }
    // Both stay open, so the third waits until one is closed.
    let mut third = gateway.ask(chat(ASK)).await;
    let early = tokio::time::timeout(Duration::from_millis(50), third.message()).await;
    assert!(early.is_err(), "{early:?}");
    let mut health = gateway.ask(get("/healthz")).await;
    assert_eq!(health.message().await.status(), 200);
    drop(first);
    let (mut server, _) = upstream.asked().await;
    server.send(ok(REPLY)).await;
    assert_eq!(third.message().await.status(), 200);
    // Of many that wait the last are refused, and so cannot keep the others from the question.
    let mut waiting = Vec::new();
    for _ in 0..100 {
        waiting.push(gateway.ask(chat(ASK)).await);
    }
    let reply = waiting[99].message().await;
    assert_eq!(
        (reply.status(), &*reply.code()),
        (503, "too_many_connections")
    );
    let mut health = gateway.ask(get("/healthz")).await;
    assert_eq!(health.message().await.status(), 200);
}

#[tokio::test]
async fn all_requests_together_have_a_length() {
    let upstream = Upstream::start().await;
    let gateway = Gateway::before(&upstream, "max-open-request-bytes = 1500").await;
    let body = request_of(1000);
    let mut first = gateway.ask(chat(&body)).await;
    let (mut server, _) = upstream.asked().await;
    let reply = gateway.ask(chat(&body)).await.message().await;
    assert_eq!((reply.status(), &*reply.code()), (503, "no_room"));
    // A request takes up nothing after its reply.
    server.send(ok(REPLY)).await;
    assert_eq!(first.message().await.status(), 200);
    let mut second = gateway.ask(chat(&body)).await;
    let (mut server, _) = upstream.asked().await;
    server.send(ok(REPLY)).await;
    assert_eq!(second.message().await.status(), 200);
}

#[tokio::test]
async fn slow_bodies_have_a_time_in_all() {
    let upstream = Upstream::start().await;
    let gateway = Gateway::before(&upstream, "body-timeout = 0.3").await;
    let request = chat(ASK);
    let (head, rest) = request.split_at(request.len() - ASK.len());
    let mut client = gateway.ask(head).await;
    // No piece is late by itself.
    let mut pieces = rest.as_bytes().chunks(1);
    let sends = async {
        while client.try_send(pieces.next().unwrap_or(b" ")).await {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    drop(tokio::time::timeout(Duration::from_secs(1), sends).await);
    let reply = client.message().await;
    assert_eq!((reply.status(), &*reply.code()), (408, "request_broke_off"));
}

#[tokio::test]
async fn upstreams_have_a_time_to_begin() {
    let upstream = Upstream::start().await;
    let gateway = Gateway::before(&upstream, "first-byte-timeout = 0.05").await;
    let patient = Gateway::before(&upstream, "first-byte-timeout = 30").await;
    for path in ["/v1/chat/completions", "/v1/embeddings"] {
        let mut client = patient.ask(post(path, ASK)).await;
        let (mut server, _) = upstream.asked().await;
        tokio::time::sleep(Duration::from_millis(100)).await;
        server.send(ok(REPLY)).await;
        assert_eq!(client.message().await.status(), 200);
        let mut client = gateway.ask(post(path, ASK)).await;
        let (mut server, _) = upstream.asked().await;
        let reply = client.message().await;
        assert_eq!((reply.status(), &*reply.code()), (504, "upstream_timeout"));
        server.closed().await;
    }
}

#[tokio::test]
async fn upstreams_have_a_time_to_go_on() {
    let upstream = Upstream::start().await;
    let gateway = Gateway::before(&upstream, "idle-timeout = 0.05").await;
    // Each piece has the time anew.
    let patient = Gateway::before(&upstream, "idle-timeout = 0.5").await;
    let mut client = patient.ask(chat(ASK_STREAM)).await;
    let (mut server, _) = upstream.asked().await;
    server.send(EVENTS).await;
    for _ in 0..8 {
        tokio::time::sleep(Duration::from_millis(100)).await;
        server.send(chunk(&delta("Hel"))).await;
    }
    server.send(chunk("")).await;
    let reply = client.message().await;
    assert!(reply.is_whole && reply.text().matches("Hel").count() == 8);
    // A reply that is read: an error. One that passes: no end.
    for (path, request) in [
        ("/v1/chat/completions", ASK),
        ("/v1/chat/completions", ASK_STREAM),
        ("/v1/embeddings", ASK),
    ] {
        let mut client = gateway.ask(post(path, request)).await;
        let (mut server, _) = upstream.asked().await;
        match request == ASK {
            true => server.send(&ok(REPLY)[..150]).await,
            false => server.send(EVENTS.to_owned() + &chunk(&delta("Hel"))).await,
        }
        let reply = client.message().await;
        match (path, request == ASK) {
            ("/v1/embeddings", _) => assert!(reply.status() == 200 && !reply.is_whole),
            (_, true) => assert_eq!((reply.status(), &*reply.code()), (504, "upstream_timeout")),
            (_, false) => assert!(reply.text().starts_with(&delta("Hel")), "{}", reply.text()),
        }
        server.closed().await;
    }
}

#[tokio::test]
async fn clients_have_a_time_for_heads_and_bodies() {
    let upstream = Upstream::start().await;
    let gateway = Gateway::before(&upstream, "header-timeout = 0.05\nidle-timeout = 0.05").await;
    for start in [
        "",
        "P",
        "PRI * HTTP/2.0\r\n",
        "GET /healthz HT",
        "GET /healthz HTTP/1.1\r\nhost: localhost\r\n",
    ] {
        let mut client = gateway.ask(start).await;
        client.closed().await;
    }
    // One that has had its answer and asks for no more.
    let mut client = gateway.ask(get("/healthz")).await;
    assert_eq!(client.message().await.status(), 200);
    client.closed().await;
    let mut client = gateway.ask(&chat(ASK)[..120]).await;
    let reply = client.message().await;
    assert_eq!((reply.status(), &*reply.code()), (408, "request_broke_off"));
    let mut client = gateway.ask(&post("/v1/embeddings", ASK)[..120]).await;
    let mut server = upstream.accept().await;
    let reply = client.message().await;
    assert_eq!((reply.status(), &*reply.code()), (408, "request_broke_off"));
    server.closed().await;
}

#[tokio::test]
async fn clients_that_read_nothing_are_left() {
    let upstream = Upstream::start().await;
    let gateway = Gateway::before(&upstream, "idle-timeout = 0.5").await;
    for path in ["/v1/chat/completions", "/v1/responses"] {
        let _client = gateway.ask(post(path, ASK_STREAM)).await;
        let (mut server, _) = upstream.asked().await;
        server.send(EVENTS).await;
        // Bytes that are not taken are not taken in either, until the connection ends.
        let flood = chunk(&delta(&"x".repeat(10_000)));
        guarded(async { while server.try_send(&flood).await {} }).await;
    }
}

//! Requests and replies that pass, and the places that they go to.

use std::io::Write as _;

use flate2::Compression;
use flate2::write::{GzEncoder, ZlibEncoder};

use crate::support::{
    ASK, ASK_STREAM, EVENTS, Gateway, REPLY, Upstream, chat, chunk, delta, get, ok, post,
};

#[tokio::test]
async fn requests_and_replies_pass_byte_for_byte() {
    let upstream = Upstream::start().await;
    let gateway = Gateway::before(&upstream, "").await;
    for (path, target) in [
        (
            "/v1/chat/completions?a=b%20c",
            "/v1/chat/completions?a=b%20c",
        ),
        ("/v1/embeddings", "/v1/embeddings"),
        ("/api/chat", "/api/chat"),
    ] {
        let request = "{\"model\" : \"m\",\n \"messages\":[], \"odd\": 1.50}";
        let mut client = gateway.ask(post(path, request)).await;
        let (mut server, asked) = upstream.asked().await;
        assert_eq!(asked.first(), format!("POST {target} HTTP/1.1"));
        assert_eq!(asked.text(), request);
        assert_eq!(
            asked.header("host"),
            Some(upstream.address().to_string().as_str())
        );
        server.send(ok(REPLY)).await;
        let reply = client.message().await;
        assert_eq!((reply.status(), reply.text()), (200, REPLY), "{path}");
        assert!(reply.is_whole);
    }
}

#[tokio::test]
async fn streams_pass_piece_by_piece() {
    let upstream = Upstream::start().await;
    let gateway = Gateway::before(&upstream, "").await;
    for path in ["/v1/chat/completions", "/v1/responses"] {
        let mut client = gateway.ask(post(path, ASK_STREAM)).await;
        let (mut server, _) = upstream.asked().await;
        server.send(EVENTS).await;
        assert_eq!(
            client.head().await.header("content-type"),
            Some("text/event-stream")
        );
        let mut sent = String::new();
        let mut came = String::new();
        for text in ["Hel", "lo, ", "world"] {
            sent += &delta(text);
            server.send(chunk(&delta(text))).await;
            // The next piece is sent only after this one has come.
            while came.len() < sent.len() {
                came += &String::from_utf8(client.chunk().await.expect("a piece")).expect("UTF-8");
            }
            assert_eq!(came, sent);
        }
        server.send(chunk("data: [DONE]\n\n") + &chunk("")).await;
        loop {
            match client.chunk().await.expect("the end is told") {
                end if end.is_empty() => break,
                piece => came += &String::from_utf8(piece).expect("UTF-8"),
            }
        }
        let events: Vec<&str> = came
            .split("\n\n")
            .filter(|event| !event.starts_with(':'))
            .collect();
        assert_eq!(events.join("\n\n"), sent + "data: [DONE]\n\n", "{path}");
    }
}

#[tokio::test]
async fn bodies_of_requests_pass_as_streams() {
    let upstream = Upstream::start().await;
    let gateway = Gateway::before(&upstream, "").await;
    let head = "POST /v1/audio HTTP/1.1\r\nhost: localhost\r\ntransfer-encoding: chunked\r\n\r\n";
    let mut client = gateway.ask(head).await;
    client.send(chunk("one")).await;
    let mut server = upstream.accept().await;
    server.head().await;
    assert_eq!(server.chunk().await.as_deref(), Some(b"one".as_slice()));
    client.send(chunk("two") + &chunk("")).await;
    assert_eq!(server.chunk().await.as_deref(), Some(b"two".as_slice()));
    assert_eq!(server.chunk().await.as_deref(), Some(b"".as_slice()));
    server.send(ok("{}")).await;
    assert_eq!(client.message().await.text(), "{}");
}

#[tokio::test]
async fn headers_pass_but_those_of_one_connection() {
    let upstream = Upstream::start().await;
    let gateway = Gateway::before(&upstream, "").await;
    for path in ["/v1/chat/completions", "/v1/models"] {
        let length = ASK.len();
        let mut client = gateway
            .ask(format!(
                "POST {path} HTTP/1.1\r\nhost: localhost\r\ncontent-length: {length}\r\n\
                 authorization: Bearer key\r\nx-own: 1\r\nx-own: 2\r\nconnection: x-hop, keep-alive\r\nx-hop: 1\r\n\
                 keep-alive: timeout=5\r\nte: trailers\r\nproxy-authorization: Basic a\r\n\r\n{ASK}"
            ))
            .await;
        let (mut server, asked) = upstream.asked().await;
        for name in [
            "connection",
            "x-hop",
            "keep-alive",
            "te",
            "proxy-authorization",
        ] {
            assert_eq!(asked.header(name), None, "{path}: {name}");
        }
        assert_eq!(asked.header("authorization"), Some("Bearer key"));
        assert!(
            asked.head.contains("x-own: 1\r\nx-own: 2\r\n"),
            "{}",
            asked.head
        );
        server
            .send(
                "HTTP/1.1 200 OK\r\ncontent-length: 2\r\ncontent-type: application/json\r\nconnection: close, x-back\r\n\
                 x-back: 1\r\nkeep-alive: timeout=5\r\nx-kept: 1\r\nset-cookie: a=1\r\nset-cookie: b=2\r\n\r\n{}",
            )
            .await;
        let reply = client.message().await;
        assert_eq!(reply.text(), "{}");
        for name in ["x-back", "keep-alive"] {
            assert_eq!(reply.header(name), None, "{path}: {name}");
        }
        assert_eq!(reply.header("x-kept"), Some("1"));
        assert!(
            reply
                .head
                .contains("set-cookie: a=1\r\nset-cookie: b=2\r\n"),
            "{}",
            reply.head
        );
    }
}

#[tokio::test]
async fn paths_go_below_the_url_or_to_its_origin() {
    let upstream = Upstream::start().await;
    let base = format!(
        "upstream = 'http://{}/openai/v1/?version=1'",
        upstream.address()
    );
    let gateway = Gateway::start(&base).await;
    for (path, target) in [
        ("/v1/models", "/openai/v1/models?version=1"),
        (
            "/v1/models/org%2Fname?x=1",
            "/openai/v1/models/org%2Fname?version=1&x=1",
        ),
        ("/v1", "/openai/v1?version=1"),
        ("/v1beta/models", "/v1beta/models?version=1"),
        ("/api/tags", "/api/tags?version=1"),
        ("//elsewhere.example/x", "//elsewhere.example/x?version=1"),
        ("/v1/a...b/..c", "/openai/v1/a...b/..c?version=1"),
    ] {
        let mut client = gateway.ask(get(path)).await;
        let (mut server, asked) = upstream.asked().await;
        assert_eq!(asked.first(), format!("GET {target} HTTP/1.1"));
        server.send(ok("{}")).await;
        assert_eq!(client.message().await.status(), 200);
    }
}

#[tokio::test]
async fn errors_and_other_answers_pass_unchanged() {
    let upstream = Upstream::start().await;
    let gateway = Gateway::before(&upstream, "retries = 2").await;
    for request in [ASK, ASK_STREAM] {
        let mut client = gateway.ask(chat(request)).await;
        let (mut server, _) = upstream.asked().await;
        let body = "{\"error\": \"slow down\" }";
        let length = body.len();
        server
            .send(format!(
                "HTTP/1.1 429 Slow\r\nconnection: close\r\ncontent-type: application/json\r\nretry-after: 3\r\ncontent-length: {length}\r\n\r\n{body}"
            ))
            .await;
        let reply = client.message().await;
        assert_eq!((reply.status(), reply.text()), (429, body));
        assert_eq!(reply.header("retry-after"), Some("3"));
    }
    let mut client = gateway
        .ask("HEAD /v1/models HTTP/1.1\r\nhost: localhost\r\n\r\n")
        .await;
    let (mut server, asked) = upstream.asked().await;
    assert_eq!(asked.first(), "HEAD /v1/models HTTP/1.1");
    server
        .send("HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 40\r\n\r\n")
        .await;
    assert_eq!(client.head().await.header("content-length"), Some("40"));
    for answer in [
        "HTTP/1.1 204 None\r\nconnection: close\r\n\r\n",
        "HTTP/1.1 302 Found\r\nconnection: close\r\nlocation: http://a.example/\r\ncontent-length: 0\r\n\r\n",
    ] {
        let mut client = gateway
            .ask("DELETE /v1/files/1 HTTP/1.1\r\nhost: localhost\r\n\r\n")
            .await;
        let (mut server, asked) = upstream.asked().await;
        assert_eq!(asked.first(), "DELETE /v1/files/1 HTTP/1.1");
        server.send(answer).await;
        assert_eq!(
            client.message().await.first().split(' ').nth(1),
            answer.split(' ').nth(1)
        );
    }
}

#[tokio::test]
async fn models_choose_their_upstream() {
    let (first, second, third) = (
        Upstream::start().await,
        Upstream::start().await,
        Upstream::start().await,
    );
    let gateway = Gateway::start(&format!(
        "[[upstream]]\nurl = 'http://{}/a'\nmodels = ['qwen*', '*-coder-*b']\n\
         [[upstream]]\nurl = 'http://{}/b'\n[[upstream]]\nurl = 'http://{}/c'\nmodels = ['one']\n",
        first.address(),
        second.address(),
        third.address()
    ))
    .await;
    for (model, upstream, path) in [
        ("qwen3", &first, "/a"),
        ("x-coder-7b", &first, "/a"),
        ("x-coder-7", &second, "/b"),
        ("one", &third, "/c"),
        ("one1", &second, "/b"),
    ] {
        let request = format!(r#"{{"model":"{model}","messages":[]}}"#);
        let mut client = gateway.ask(chat(&request)).await;
        let (mut server, asked) = upstream.asked().await;
        assert_eq!(
            asked.first(),
            format!("POST {path}/chat/completions HTTP/1.1"),
            "{model}"
        );
        server.send(ok(REPLY)).await;
        assert_eq!(client.message().await.status(), 200);
    }
    // The model chooses on every path whose body names one, also in a compressed body.
    let body = r#"{"model":"qwen3"}"#;
    for path in [
        "/v1/completions",
        "/v1/embeddings",
        "/v1/embeddings/",
        "/v1/rerank",
        "/v1/messages",
        "/v1/messages/count_tokens",
        "/v1/responses",
        "/messages",
        "/responses",
        "/chat/completions",
    ] {
        let plain = post(path, body).into_bytes();
        for request in [plain, compressed(path, "gzip", &gzip(body))] {
            let mut client = gateway.ask(request).await;
            let (mut server, asked) = first.asked().await;
            let below = path.strip_prefix("/v1");
            let target = below.map_or(path.to_owned(), |below| format!("/a{below}"));
            assert_eq!(asked.first(), format!("POST {target} HTTP/1.1"));
            assert_eq!(
                (asked.text(), asked.header("content-encoding")),
                (body, None),
                "{path}"
            );
            server.send(ok("{}")).await;
            assert_eq!(client.message().await.status(), 200);
        }
        // A body that cannot be read goes nowhere.
        let reply = gateway.ask(post(path, "{\"model\"")).await.message().await;
        assert_eq!(reply.status(), 400, "{path}");
    }
    let mut client = gateway.ask(get("/v1/models/one")).await;
    let (mut server, asked) = third.asked().await;
    assert_eq!(asked.first(), "GET /c/models/one HTTP/1.1");
    server.send(ok("{}")).await;
    assert_eq!(client.message().await.status(), 200);
    // Each server lists the models that requests reach there.
    let keys = get("/v1/models").replace("\r\n\r\n", "\r\nauthorization: Bearer key\r\n\r\n");
    let mut client = gateway.ask(keys).await;
    let list = |ids: [&str; 2]| {
        let data = ids.map(|id| format!(r#"{{"id":"{id}","object":"model"}}"#));
        ok(&format!(
            r#"{{"object":"list","data":[{}]}}"#,
            data.join(",")
        ))
    };
    for (upstream, key, ids) in [
        (&first, None, ["qwen3", "other"]),
        (&second, Some("Bearer key"), ["other", "more"]),
        (&third, None, ["one", "qwen3"]),
    ] {
        let (mut server, asked) = upstream.asked().await;
        assert_eq!(asked.header("authorization"), key);
        server.send(list(ids)).await;
    }
    let listed: serde_json::Value =
        serde_json::from_slice(&client.message().await.body).expect("JSON");
    let ids = listed["data"].as_array().expect("a list").iter();
    let ids: Vec<_> = ids.map(|one| one["id"].as_str()).collect();
    assert_eq!(ids, ["other", "more", "qwen3", "one"].map(Some));
}

/// A request with a body that was compressed.
fn compressed(path: &str, encoding: &str, body: &[u8]) -> Vec<u8> {
    let head = post(path, &"x".repeat(body.len()));
    let head = head.trim_end_matches('x');
    let named = format!("content-encoding: {encoding}\r\ncontent-type");
    [head.replace("content-type", &named).as_bytes(), body].concat()
}

fn gzip(text: &str) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(text.as_bytes()).expect("memory is there");
    encoder.finish().expect("memory is there")
}

#[tokio::test]
async fn compressed_requests_are_read() {
    let upstream = Upstream::start().await;
    let gateway = Gateway::before(&upstream, "max-request-bytes = 1000").await;
    let mut zlib = ZlibEncoder::new(Vec::new(), Compression::default());
    zlib.write_all(ASK.as_bytes()).expect("memory is there");
    let zlib = zlib.finish().expect("memory is there");
    let zstd = zstd::encode_all(ASK.as_bytes(), 3).expect("memory is there");
    let path = "/v1/chat/completions";
    for (encoding, body) in [
        ("gzip", gzip(ASK)),
        ("X-GZIP", gzip(ASK)),
        ("deflate", zlib),
        ("identity, zstd", zstd),
    ] {
        let mut client = gateway.ask(compressed(path, encoding, &body)).await;
        let (mut server, asked) = upstream.asked().await;
        assert_eq!(
            (asked.text(), asked.header("content-encoding")),
            (ASK, None)
        );
        server.send(ok(REPLY)).await;
        let reply = client.message().await;
        assert_eq!(reply.header("x-llmjson"), Some("outcome=unchanged"));
    }
    for (encoding, body, status) in [
        ("br", gzip(ASK), 415),
        ("gzip, gzip", gzip(ASK), 415),
        ("gzip", ASK.as_bytes().to_vec(), 415),
        ("zstd", gzip(ASK), 415),
        ("gzip", gzip(&" ".repeat(100_000)), 413),
    ] {
        let reply = gateway.ask(compressed(path, encoding, &body)).await;
        let reply = { reply }.message().await;
        assert_eq!(reply.status(), status, "{encoding}");
    }
}

#[tokio::test]
async fn an_old_version_of_the_upstream_is_not_passed_on() {
    let upstream = Upstream::start().await;
    let gateway = Gateway::before(&upstream, "").await;
    for (path, request, reply) in [
        ("/v1/chat/completions", ASK, ok(REPLY)),
        ("/v1/embeddings", ASK, ok(REPLY)),
    ] {
        let mut client = gateway.ask(post(path, request)).await;
        let (mut server, _) = upstream.asked().await;
        server.send(reply.replace("HTTP/1.1", "HTTP/1.0")).await;
        assert_eq!(client.message().await.first(), "HTTP/1.1 200 OK", "{path}");
    }
}

#[tokio::test]
async fn a_loop_ends() {
    let upstream = Upstream::start().await;
    let gateway = Gateway::before(&upstream, "").await;
    let mut client = gateway.ask(chat(ASK)).await;
    let (mut server, asked) = upstream.asked().await;
    let via = asked.header("via").expect("a pseudonym").to_owned();
    server.send(ok(REPLY)).await;
    assert_eq!(client.message().await.status(), 200);
    for path in ["/v1/chat/completions", "/v1/models"] {
        let request = post(path, ASK).replace(
            "content-type",
            &format!("via: 1.0 fred, {via}\r\ncontent-type"),
        );
        let reply = gateway.ask(request).await.message().await;
        assert_eq!((reply.status(), &*reply.code()), (508, "loop"), "{path}");
    }
    // Another gateway is not this one.
    let other = Gateway::before(&upstream, "").await;
    let request = chat(ASK).replace("content-type", &format!("via: {via}\r\ncontent-type"));
    let mut client = other.ask(request).await;
    let (mut server, asked) = upstream.asked().await;
    assert!(
        asked.head.matches("llmjson-").count() == 2,
        "{}",
        asked.head
    );
    server.send(ok(REPLY)).await;
    assert_eq!(client.message().await.status(), 200);
}

#[tokio::test]
async fn compressed_replies_pass_untouched() {
    let upstream = Upstream::start().await;
    let gateway = Gateway::before(&upstream, "").await;
    // A compressed reply, though none was asked for.
    let mut client = gateway
        .ask(chat(ASK).replace("content-type", "accept-encoding: gzip, br\r\ncontent-type"))
        .await;
    let (mut server, asked) = upstream.asked().await;
    assert_eq!(asked.header("accept-encoding"), Some("identity"));
    server.send("HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-type: application/json\r\ncontent-encoding: gzip\r\ncontent-length: 4\r\n\r\nzzzz").await;
    let reply = client.message().await;
    assert_eq!(
        (reply.text(), reply.header("content-encoding")),
        ("zzzz", Some("gzip"))
    );
    assert_eq!(
        reply.header("x-llmjson"),
        Some("outcome=bypassed; reason=encoding")
    );
    // Elsewhere the client gets what it asked for.
    let mut client = gateway
        .ask("GET /v1/models HTTP/1.1\r\nhost: localhost\r\naccept-encoding: br\r\n\r\n")
        .await;
    let (mut server, asked) = upstream.asked().await;
    assert_eq!(asked.header("accept-encoding"), Some("br"));
    server.send(ok("{}")).await;
    client.message().await;
}

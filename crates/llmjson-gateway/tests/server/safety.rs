//! Limits of the power of a request, and refusals.

use crate::support::{
    ASK, ASK_STREAM, EVENTS, Folder, Gateway, REPLY, Upstream, chat, chunk, delta, get, log,
    log_of, ok,
};

#[tokio::test]
async fn paths_cannot_leave_the_upstream() {
    let upstream = Upstream::start().await;
    let gateway = Gateway::before(&upstream, "").await;
    for path in [
        "/v1/../admin",
        "/v1/%2e%2e/admin",
        "/v1/%2E./admin",
        "/v1/..%2fadmin",
        "/v1/x%2F..%5Cadmin",
        "/..",
        "/v1/./models",
        "/v1/../v1/chat/completions",
    ] {
        let reply = gateway.ask(get(path)).await.message().await;
        assert_eq!(
            (reply.status(), &*reply.code()),
            (400, "bad_path"),
            "{path}"
        );
        let request =
            chat(ASK).replace("/v1/chat/completions", &format!("{path}/chat/completions"));
        let reply = gateway.ask(request).await.message().await;
        assert_eq!(
            (reply.status(), &*reply.code()),
            (400, "bad_path"),
            "{path}"
        );
    }
    for target in [
        "http://elsewhere.example/v1/models",
        "http://127.0.0.1.elsewhere.example/",
    ] {
        let reply = gateway.ask(get(target)).await.message().await;
        assert_eq!(
            (reply.status(), &*reply.code()),
            (403, "unknown_host"),
            "{target}"
        );
    }
    // A whole address of this machine is as good as its path.
    let mut client = gateway.ask(get("http://127.0.0.1:1/v1/models")).await;
    let (mut server, asked) = upstream.asked().await;
    assert_eq!(asked.first(), "GET /v1/models HTTP/1.1");
    server.send(ok("{}")).await;
    assert_eq!(client.message().await.status(), 200);
}

#[tokio::test]
async fn on_this_machine_other_hosts_are_refused() {
    let upstream = Upstream::start().await;
    let gateway = Gateway::before(&upstream, "allow-host = ['gateway.example']").await;
    for host in [
        "localhost",
        "LOCALHOST:8377",
        "127.0.0.1:1",
        "[::1]:8377",
        "a.localhost",
        "gateway.example:1",
    ] {
        let mut client = gateway
            .ask(get("/healthz").replace("localhost", host))
            .await;
        assert_eq!(client.message().await.status(), 200, "{host}");
    }
    for host in [
        "elsewhere.example",
        "localhost.elsewhere.example:8377",
        "1.2.3.4",
        "",
        "localhost\r\nhost: a",
    ] {
        let mut client = gateway
            .ask(get("/healthz").replace("localhost", host))
            .await;
        assert_eq!(client.message().await.status(), 403, "{host}");
    }
}

#[tokio::test]
async fn on_this_machine_pages_of_other_hosts_are_refused() {
    let upstream = Upstream::start().await;
    let gateway = Gateway::before(&upstream, "allow-host = ['gateway.example']").await;
    let from = |origin: &str| {
        let kind = format!("origin: {origin}\r\ncontent-type");
        chat(ASK)
            .replace("content-type", &kind)
            .replace("application/json", "text/plain")
    };
    for origin in ["http://localhost:3000", "https://gateway.example"] {
        let mut client = gateway.ask(from(origin)).await;
        let (mut server, _) = upstream.asked().await;
        server.send(ok(REPLY)).await;
        assert_eq!(client.message().await.status(), 200, "{origin}");
    }
    for origin in [
        "https://elsewhere.example",
        "null",
        "http://localhost.elsewhere.example",
    ] {
        let reply = gateway.ask(from(origin)).await.message().await;
        assert_eq!(
            (reply.status(), &*reply.code()),
            (403, "unknown_origin"),
            "{origin}"
        );
    }
}

#[cfg(unix)]
#[tokio::test]
async fn reports_are_for_their_owner() {
    use std::os::unix::fs::PermissionsExt as _;

    let (folder, upstream) = (Folder::new(), Upstream::start().await);
    let _gateway =
        Gateway::before(&upstream, &format!("report-dir = '{}'", folder.0.display())).await;
    let file = loop {
        match std::fs::metadata(folder.0.join("replies.jsonl")) {
            Ok(file) => break file,
            Err(_) => tokio::task::yield_now().await,
        }
    };
    assert_eq!(file.permissions().mode() & 0o777, 0o600);
}

#[tokio::test]
async fn calls_that_cannot_be_checked_are_answered_with_an_error() {
    let upstream = Upstream::start().await;
    let odd = r#"{"type":"function","function":{"name":"pay","parameters":{"type":3}}}"#;
    let with = |tools: &str| ASK.replace("\"m\"", &format!("\"m\",\"tools\":{tools}"));
    let one = r#"{"name":"pay","arguments":"{}"}"#;
    let calls = format!(r#"[{{"index":0,"id":"a","type":"function","function":{one}}}]"#);
    let reply = format!(
        r#"{{"choices":[{{"message":{{"content":null,"tool_calls":{calls}}},"finish_reason":"tool_calls"}}]}}"#
    );
    let event =
        format!("data: {{\"choices\":[{{\"index\":0,\"delta\":{{\"tool_calls\":{calls}}}}}]}}\n\n");
    for (policy, is_checked) in [("tool", true), ("exact", true), ("lenient", false)] {
        let gateway = Gateway::before(&upstream, &format!("policy = '{policy}'")).await;
        for request in [
            with(&format!("[{odd}]")),
            with("{}"),
            ASK.replace('}', ",}"),
        ] {
            let mut client = gateway.ask(chat(&request)).await;
            let (mut server, _) = upstream.asked().await;
            server.send(ok(&reply)).await;
            let answer = client.message().await;
            match is_checked {
                true => assert_eq!((answer.status(), &*answer.code()), (400, "unchecked_call")),
                false => assert_eq!((answer.status(), answer.text()), (200, &*reply)),
            }
            let mut client = gateway.ask(chat(&request)).await;
            let (mut server, _) = upstream.asked().await;
            server
                .send(EVENTS.to_owned() + &chunk(&event) + &chunk(""))
                .await;
            let answer = client.message().await;
            assert_eq!(answer.text().contains(&event), !is_checked, "{request}");
            assert_eq!(answer.text().contains("unchecked_call"), is_checked);
        }
    }
}

#[tokio::test]
async fn upgrades_are_refused() {
    let upstream = Upstream::start().await;
    let gateway = Gateway::before(&upstream, "").await;
    let upgrade = "connection: keep-alive, Upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\n\r\n";
    let request = get("/v1/realtime").replace("\r\n\r\n", &format!("\r\n{upgrade}"));
    let reply = gateway.ask(request).await.message().await;
    assert_eq!((reply.status(), &*reply.code()), (501, "no_upgrade"));
    assert!(reply.text().contains("\"message\""), "{}", reply.text());
    let reply = gateway
        .ask("CONNECT localhost:1 HTTP/1.1\r\nhost: localhost:1\r\n\r\n")
        .await
        .message()
        .await;
    assert_eq!((reply.status(), &*reply.code()), (501, "no_upgrade"));
    // An offer of HTTP/2 is passed over.
    let offer =
        "connection: upgrade, http2-settings\r\nupgrade: h2c\r\nhttp2-settings: AAMAAABk\r\n\r\n";
    let request = get("/healthz").replace("\r\n\r\n", &format!("\r\n{offer}"));
    assert_eq!(gateway.ask(request).await.message().await.status(), 200);
}

#[tokio::test]
async fn requests_with_two_ends_are_refused() {
    let upstream = Upstream::start().await;
    let gateway = Gateway::before(&upstream, "").await;
    for fields in [
        "content-length: 2\r\ncontent-length: 3",
        "content-length: 2, 3",
        "content-length: +2",
        "transfer-encoding: chunked, identity",
        "transfer-encoding: xchunked",
        "content-length:\r\n 2",
        "content-length : 2",
        " content-length: 2",
    ] {
        for path in ["/v1/chat/completions", "/v1/embeddings"] {
            let mut client = gateway
                .ask(format!(
                    "POST {path} HTTP/1.1\r\nhost: localhost\r\n{fields}\r\n\r\n{{}}"
                ))
                .await;
            let reply = client.message().await;
            assert_eq!(reply.status(), 400, "{fields:?}");
            // The bytes that follow on the connection are no request any more.
            client.closed().await;
        }
    }
}

#[tokio::test]
async fn of_two_ends_that_may_stand_together_one_counts() {
    let upstream = Upstream::start().await;
    let gateway = Gateway::before(&upstream, "").await;
    // The length is ignored and not passed on (RFC 9112, 6.3); what is no chunked body then is refused.
    for fields in [
        "content-length: 2\r\ntransfer-encoding: chunked",
        "transfer-encoding: chunked\r\ncontent-length: 2",
    ] {
        let head = format!("POST /v1/embeddings HTTP/1.1\r\nhost: localhost\r\n{fields}\r\n\r\n");
        let mut client = gateway
            .ask(head.clone() + &chunk("{\"a\": 1}") + &chunk(""))
            .await;
        let (mut server, asked) = upstream.asked().await;
        assert_eq!(
            (asked.text(), asked.header("content-length")),
            ("{\"a\": 1}", None)
        );
        server.send(ok("{}")).await;
        assert_eq!(client.message().await.status(), 200);
        let head = head.replace("embeddings", "chat/completions");
        let mut client = gateway
            .ask(head + "{}GET /v1/models HTTP/1.1\r\n\r\n")
            .await;
        assert_eq!(client.message().await.status(), 408);
        client.closed().await;
    }
}

#[tokio::test]
async fn nothing_is_smuggled_behind_a_request() {
    let upstream = Upstream::start().await;
    let gateway = Gateway::before(&upstream, "").await;
    let more = get("/v1/smuggled");
    let chunked = chunk("{}") + &chunk("");
    let both = "content-length: 4\r\ntransfer-encoding: chunked";
    // What the head says, what follows it, and the body for the upstream, if it is asked.
    for (fields, follows, passed) in [
        (both, chunked.clone() + &more, Some("{}")),
        (both, chunk("") + &more, Some("")),
        (
            "transfer-encoding: chunked\r\ncontent-length: 400",
            chunked.clone() + &more,
            Some("{}"),
        ),
        (
            "transfer-encoding: chunked\r\ncontent-length: x",
            chunked.clone() + &more,
            Some("{}"),
        ),
        (
            "transfer-encoding: chunked\r\ntransfer-encoding: identity",
            chunked.clone() + &more,
            None,
        ),
        (
            "transfer-encoding: \x0bchunked",
            chunked.clone() + &more,
            None,
        ),
        (
            "transfer-encoding : chunked\r\ncontent-length: 2",
            "{}".to_owned() + &more,
            None,
        ),
        (
            "content-length: 2\r\ncontent-length: 400",
            "{}".to_owned() + &more,
            None,
        ),
        (
            "x: a\r\n content-length: 400\r\ncontent-length: 2",
            "{}".to_owned() + &more,
            None,
        ),
        (
            "x: a\rcontent-length: 400\r\ncontent-length: 2",
            "{}".to_owned() + &more,
            None,
        ),
        // A single line feed may end a line, and a length may be told twice (RFC 9112, 2.2 and 6.3).
        ("x: a\ncontent-length: 2", "{}".to_owned(), Some("{}")),
        (
            "content-length: 2\r\ncontent-length: 2",
            "{}".to_owned(),
            Some("{}"),
        ),
    ] {
        let head = format!("POST /v1/embeddings HTTP/1.1\r\nhost: localhost\r\n{fields}\r\n\r\n");
        let mut client = gateway.ask(head + &follows).await;
        if let Some(body) = passed {
            let (mut server, asked) = upstream.asked().await;
            assert_eq!(asked.first(), "POST /v1/embeddings HTTP/1.1", "{fields:?}");
            assert_eq!(asked.text(), body, "{fields:?}");
            let ends = ["content-length", "transfer-encoding"].map(|name| {
                let name = format!("\r\n{name}:");
                asked.head.to_ascii_lowercase().matches(&name).count()
            });
            assert!(
                matches!(ends, [0, 1] | [1, 0]),
                "{fields:?}: {}",
                asked.head
            );
            server.send(ok("{}")).await;
        }
        let status = if passed.is_some() { 200 } else { 400 };
        assert_eq!(client.message().await.status(), status, "{fields:?}");
        if follows.ends_with(&more) {
            client.closed().await;
        }
        // The next request that comes to the upstream is the next that a client has sent.
        let mut next = gateway.ask(get("/v1/next")).await;
        let (mut server, asked) = upstream.asked().await;
        assert_eq!(asked.first(), "GET /v1/next HTTP/1.1", "{fields:?}");
        server.send(ok("{}")).await;
        assert_eq!(next.message().await.status(), 200);
    }
}

#[tokio::test]
async fn keys_are_in_no_log_metric_report_or_error() {
    let (folder, upstream) = (Folder::new(), Upstream::start().await);
    let closed = Upstream::start().await.address();
    let gateway = Gateway::start(&format!(
        "report-dir = '{}'\n[[upstream]]\nurl = 'http://{}/v1?key=SECRET'\n\
         [[upstream]]\nurl = 'http://{closed}/v1?key=SECRET'\nmodels = ['gone']",
        folder.0.display(),
        upstream.address()
    ))
    .await;
    let keys = "authorization: Bearer SECRET\r\napi-key: SECRET\r\nx-api-key: SECRET\r\ncookie: a=SECRET\r\n\
                proxy-authorization: Basic SECRET\r\nx-request-id: kept-1\r\ncontent-type";
    let request = |body: &str| {
        let request = chat(body).replace("content-type", keys);
        request.replace("/completions HTTP", "/completions?api_key=SECRET HTTP")
    };
    let mut told = String::new();
    for body in [ASK, ASK_STREAM] {
        let mut client = gateway.ask(request(body)).await;
        let (mut server, asked) = upstream.asked().await;
        for name in ["authorization", "api-key", "x-api-key", "cookie"] {
            assert!(
                asked.header(name).is_some_and(|key| key.contains("SECRET")),
                "{name}"
            );
        }
        assert_eq!(asked.header("x-request-id"), Some("kept-1"));
        match body == ASK {
            true => server.send(ok(REPLY)).await,
            false => {
                server
                    .send(EVENTS.to_owned() + &chunk(&delta("Hi")) + &chunk(""))
                    .await
            }
        }
        let reply = client.message().await;
        assert_eq!(reply.header("x-request-id"), Some("kept-1"));
        told += &reply.head;
        told += reply.text();
    }
    // Errors: no upstream, one that dies, and a path that is refused.
    let mut client = gateway
        .ask(request(&ASK.replace("\"m\"", "\"gone\"")))
        .await;
    let reply = client.message().await;
    assert_eq!(
        (reply.status(), &*reply.code()),
        (502, "upstream_unreachable")
    );
    told += reply.text();
    let mut client = gateway.ask(request(ASK)).await;
    let (server, _) = upstream.asked().await;
    drop(server);
    let reply = client.message().await;
    assert_eq!((reply.status(), &*reply.code()), (502, "upstream_failed"));
    told += reply.text();
    let reply = gateway
        .ask(request(ASK).replace("/v1/", "/../"))
        .await
        .message()
        .await;
    told += reply.text();
    told += gateway.ask(get("/metrics")).await.message().await.text();
    let reports = folder.lines();
    assert_eq!(reports.len(), 2, "{reports:?}");
    told += &serde_json::to_string(&reports).expect("it was JSON");
    log_of("kept-1").await;
    let logs = log();
    assert!(
        logs.contains("kept-1") && logs.contains("/v1/chat/completions"),
        "{logs}"
    );
    assert!(!told.contains("SECRET"), "{told}");
    assert!(!logs.contains("SECRET"), "{logs}");
}

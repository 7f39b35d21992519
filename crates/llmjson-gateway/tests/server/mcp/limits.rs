//! The limits, each below, at and above.
#![cfg(unix)]

use std::time::Duration;

use super::{call, event, local, message, remote, request, result, tools};
use crate::support::{EVENTS, Gateway, Upstream, Wire, chunk, get, guarded, ok};

/// Begins a session with `cat`. Returns the stream of the first request, and the header that names the session.
async fn begun(proxy: &Gateway) -> (Wire, String) {
    let first = message("/mcp", "", &request(1, "initialize", "{}"));
    let mut first = proxy.ask(first).await;
    let head = first.head().await;
    let session = head.header("mcp-session-id").expect("an id");
    (first, format!("Mcp-Session-Id: {session}\r\n"))
}

/// A message of this length.
fn of(length: usize, id: &str) -> String {
    let start = format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"ping","x":""#);
    format!("{start}{}\"}}", "x".repeat(length - start.len() - 2))
}

#[tokio::test]
async fn messages_of_clients_have_a_length() {
    let upstream = Upstream::start().await;
    let remote = remote(&upstream, |settings| {
        settings.max_request_bytes = Some(1000)
    })
    .await;
    let local = local(&["cat"], |settings| settings.max_request_bytes = Some(1000)).await;
    for (length, status) in [(999, 200), (1000, 200), (1001, 413)] {
        let mut client = remote.ask(message("/api/mcp", "", &of(length, "1"))).await;
        if status == 200 {
            let (mut server, asked) = upstream.asked().await;
            assert_eq!(asked.body.len(), length);
            server.send(ok("{}")).await;
        }
        assert_eq!(client.message().await.status(), status);
        let body = of(length, "1").replace("ping\",\"x", "initialize\",\"y");
        let body = body.replacen("xxxxxx", "", 1);
        assert_eq!(body.len(), length);
        let mut client = local.ask(message("/mcp", "", &body)).await;
        assert_eq!(client.head().await.status(), status);
    }
}

#[tokio::test]
async fn lists_of_servers_have_a_length() {
    let upstream = Upstream::start().await;
    let list = tools("1", "");
    let event = format!("data: {list}\n\n");
    for (limit, is_read) in [
        (event.len(), true),
        (event.len() - 1, true),
        (list.len() - 1, false),
    ] {
        let proxy = remote(&upstream, |settings| settings.max_reply_bytes = Some(limit)).await;
        for is_event in [false, true] {
            let mut client = proxy
                .ask(message("/api/mcp", "", &request(1, "tools/list", "{}")))
                .await;
            let (mut server, _) = upstream.asked().await;
            server
                .send(match is_event {
                    true => EVENTS.to_owned() + &chunk(&event) + &chunk(""),
                    false => ok(&list),
                })
                .await;
            let reply = client.message().await;
            let came = reply.is_whole && reply.text().contains("weather");
            assert_eq!(came, is_read, "{limit}: {reply:?}");
        }
    }
}

#[tokio::test]
async fn messages_of_programs_have_a_length() {
    // `cat` gives the message back.
    let body = request(
        1,
        "initialize",
        &format!(r#"{{"x":"{}"}}"#, "x".repeat(1000)),
    );
    for (limit, is_read) in [
        (body.len() + 1, true),
        (body.len(), true),
        (body.len() - 1, false),
    ] {
        let proxy = local(&["cat"], |settings| settings.max_reply_bytes = Some(limit)).await;
        let mut stream = proxy.ask(message("/mcp", "", &body)).await;
        stream.head().await;
        let (_, first) = event(&mut stream).await.expect("an event");
        assert_eq!(first == body, is_read, "{first}");
        assert!(is_read || first.contains("max-reply-bytes"), "{first}");
    }
}

#[tokio::test]
async fn sessions_of_programs_have_a_number_and_a_time() {
    let proxy = local(&["cat"], |settings| {
        settings.max_sessions = Some(2);
        settings.session_timeout = Some(0.5);
    })
    .await;
    let begin = || proxy.ask(message("/mcp", "", &request(1, "initialize", "{}")));
    let ((mut first, headers), mut second) = (begun(&proxy).await, begin().await);
    assert_eq!(second.head().await.status(), 200);
    let reply = begin().await.message().await;
    assert_eq!(reply.status(), 503);
    assert!(reply.text().contains("max-sessions"), "{}", reply.text());
    // One that is in use stays; one that is not ends, and makes place.
    let mut done = proxy
        .ask(message("/mcp", &headers, &result("1", "{}")))
        .await;
    assert_eq!(done.message().await.status(), 202);
    while event(&mut first).await.is_some() {}
    guarded(async {
        while begin().await.head().await.status() == 503 {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    })
    .await;
    let mut gone = proxy
        .ask(message("/mcp", &headers, &request(2, "ping", "{}")))
        .await;
    assert_eq!(gone.message().await.status(), 404);
    assert!(event(&mut second).await.is_some());
}

#[tokio::test]
async fn events_are_kept_up_to_a_length() {
    // An event counts its data and 64 bytes.
    let note = r#"{"jsonrpc":"2.0","method":"note"}"#;
    let size = note.len() + 64;
    for (kept, expected) in [(3 * size, 200), (3 * size - 1, 400)] {
        let proxy = local(&["cat"], |settings| settings.max_replay_bytes = Some(kept)).await;
        let (mut first, headers) = begun(&proxy).await;
        event(&mut first).await;
        let get = get("/mcp").replace(
            "\r\n\r\n",
            &format!("\r\naccept: text/event-stream\r\n{headers}\r\n"),
        );
        let mut stream = proxy.ask(&get).await;
        stream.head().await;
        let mut ids = Vec::new();
        for _ in 0..4 {
            let mut said = proxy.ask(message("/mcp", &headers, note)).await;
            assert_eq!(said.message().await.status(), 202);
            let (id, data) = event(&mut stream).await.expect("it comes");
            assert_eq!(data, note);
            ids.push(id.expect("an id"));
        }
        drop(stream);
        // Behind the first one are three.
        let again = get.replace(
            "\r\n\r\n",
            &format!("\r\nLast-Event-ID: {}\r\n\r\n", ids[0]),
        );
        let mut stream = proxy.ask(again).await;
        let head = stream.head().await;
        assert_eq!(head.status(), expected, "{}", head.head);
        if expected == 200 {
            for id in &ids[1..] {
                assert_eq!(
                    event(&mut stream).await.expect("it comes").0.as_ref(),
                    Some(id)
                );
            }
        }
    }
}

#[tokio::test]
async fn lists_of_sessions_have_a_number_and_a_time() {
    let upstream = Upstream::start().await;
    let proxy = remote(&upstream, |settings| settings.max_sessions = Some(2)).await;
    for (session, is_known) in [
        ("a", false),
        ("b", false),
        ("a", true),
        ("c", false),
        ("a", true),
        ("b", false),
    ] {
        let headers = format!("Mcp-Session-Id: {session}\r\n");
        let mut client = proxy
            .ask(message(
                "/api/mcp",
                &headers,
                &call(1, r#"{"city":"Oslo"}"#),
            ))
            .await;
        let mut asked_for_list = false;
        loop {
            let (mut server, asked) = upstream.asked().await;
            if !asked.text().contains("tools/list") {
                server.send(ok(&result("1", "{}"))).await;
                break;
            }
            asked_for_list = true;
            server
                .send(ok(&tools(r#""llmjson-mcp-proxy/1""#, "")))
                .await;
        }
        client.message().await;
        assert_eq!(asked_for_list, !is_known, "{session}");
    }
    // A list that was not used for a time is asked for again.
    for (time, is_known) in [(60.0, true), (0.05, false)] {
        let proxy =
            super::remote(&upstream, |settings| settings.session_timeout = Some(time)).await;
        for number in 0..2 {
            let mut client = proxy
                .ask(message("/api/mcp", "", &call(1, r#"{"city":"Oslo"}"#)))
                .await;
            let (mut server, asked) = upstream.asked().await;
            let asked_for_list = asked.text().contains("tools/list");
            assert_eq!(asked_for_list, number == 0 || !is_known, "{time}");
            if asked_for_list {
                server
                    .send(ok(&tools(r#""llmjson-mcp-proxy/1""#, "")))
                    .await;
                (server, _) = upstream.asked().await;
            }
            server.send(ok(&result("1", "{}"))).await;
            client.message().await;
            tokio::time::sleep(Duration::from_millis(60)).await;
        }
    }
}

#[tokio::test]
async fn open_requests_have_a_number() {
    let proxy = local(&["cat"], |settings| settings.max_connections = Some(3)).await;
    let (first, headers) = begun(&proxy).await;
    drop(first);
    // Requests stay open without their connections: the first is one.
    for (id, status) in [(2, 200), (3, 200), (4, 503)] {
        let mut client = proxy
            .ask(message("/mcp", &headers, &request(id, "x", "{}")))
            .await;
        let head = client.head().await;
        assert_eq!(head.status(), status, "{}", head.head);
    }
}

#[tokio::test]
async fn waiting_streams_are_kept_alive() {
    let proxy = local(&["cat"], |settings| settings.keep_alive = Some(0.05)).await;
    let mut stream = proxy
        .ask(message("/mcp", "", &request(1, "initialize", "{}")))
        .await;
    stream.until(b": waiting\n\n").await.expect("a comment");
    stream.until(b": waiting\n\n").await.expect("a comment");
}

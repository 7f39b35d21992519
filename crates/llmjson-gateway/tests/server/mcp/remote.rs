//! Clients over HTTP before a server over HTTP.

use super::{LENGTHS, call, in_pieces, message, remote, request, result, tools};
use crate::support::{EVENTS, Upstream, chunk, get, ok};

const PATH: &str = "/api/mcp";

#[tokio::test]
async fn calls_are_corrected_and_all_else_passes_as_it_is() {
    let upstream = Upstream::start().await;
    let proxy = remote(&upstream, |_| {}).await;
    let headers = "Mcp-Session-Id: s1\r\nMCP-Protocol-Version: 2025-06-18\r\nAuthorization: Bearer KEY\r\nX-Other: 1\r\n";
    for body in [
        request(1, "initialize", "{}"),
        "{\n  \"jsonrpc\": \"2.0\",\n  \"method\": \"notifications/initialized\"\n}\n".to_owned(),
        "no JSON at all".to_owned(),
    ] {
        let mut client = proxy
            .ask(message(&format!("{PATH}?q=2"), headers, &body))
            .await;
        let (mut server, asked) = upstream.asked().await;
        assert_eq!(asked.first(), "POST /api/mcp?base=1&q=2 HTTP/1.1");
        assert_eq!(asked.text(), body);
        for (name, value) in [
            ("mcp-session-id", "s1"),
            ("mcp-protocol-version", "2025-06-18"),
            ("authorization", "Bearer KEY"),
            ("x-other", "1"),
            ("accept", "application/json, text/event-stream"),
        ] {
            assert_eq!(asked.header(name), Some(value), "{name}");
        }
        server
            .send(ok(&result("1", "{ }")).replace("\r\n\r\n", "\r\nmcp-session-id: s1\r\n\r\n"))
            .await;
        let reply = client.message().await;
        assert_eq!(reply.text(), result("1", "{ }"));
        assert_eq!(reply.header("mcp-session-id"), Some("s1"));
    }
    // The list is learned, and passes as it is.
    let mut client = proxy
        .ask(message(PATH, headers, &request(2, "tools/list", "{}")))
        .await;
    let (mut server, _) = upstream.asked().await;
    server.send(ok(&tools("2", ""))).await;
    assert_eq!(client.message().await.text(), tools("2", ""));
    let mut client = proxy
        .ask(message(
            PATH,
            headers,
            &call(3, r#"{ "cityName" : "Oslo","days":"3"}"#),
        ))
        .await;
    let (mut server, asked) = upstream.asked().await;
    assert_eq!(asked.text(), call(3, r#"{"city_name":"Oslo","days":3}"#));
    server.send(ok(&result("3", "{}"))).await;
    assert_eq!(client.message().await.text(), result("3", "{}"));
    // A call that cannot be corrected is answered here.
    let mut client = proxy
        .ask(message(PATH, headers, &call(4, r#"{"days":"soon"}"#)))
        .await;
    let reply = client.message().await;
    assert_eq!(reply.status(), 200);
    assert!(
        reply.text().contains(r#""id":4"#) && reply.text().ends_with(r#""isError":true}}"#),
        "{}",
        reply.text()
    );
}

#[tokio::test]
async fn each_session_has_its_own_list() {
    let upstream = Upstream::start().await;
    let proxy = remote(&upstream, |_| {}).await;
    let days = r#"{"city_name":"Oslo","days":"3"}"#;
    let mut asked_for_list = 0;
    for (headers, is_new) in [
        ("Mcp-Session-Id: s1\r\n", true),
        ("Mcp-Session-Id: s1\r\n", false),
        ("Mcp-Session-Id: s2\r\n", true),
        ("Mcp-Session-Id: s2\r\nAuthorization: Bearer A\r\n", true),
        ("Mcp-Session-Id: s2\r\nAuthorization: Bearer B\r\n", true),
        ("Mcp-Session-Id: s2\r\n", false),
        ("", true),
        ("", false),
    ] {
        let mut client = proxy.ask(message(PATH, headers, &call(1, days))).await;
        if is_new {
            // In two pages, the second as an event.
            asked_for_list += 1;
            let (mut server, asked) = upstream.asked().await;
            assert!(asked.text().contains("tools/list"), "{}", asked.text());
            let key = asked.header("authorization").map(str::to_owned);
            assert_eq!(headers.contains("Bearer"), key.is_some());
            let page = result(
                r#""llmjson-mcp-proxy/1""#,
                r#"{"tools":[],"nextCursor":"c"}"#,
            );
            server.send(ok(&page)).await;
            let (mut server, asked) = upstream.asked().await;
            assert!(asked.text().contains(r#""cursor":"c""#), "{}", asked.text());
            let page = tools(r#""llmjson-mcp-proxy/2""#, "");
            let event = format!(": hi\n\ndata: {{\"method\":\"x\"}}\n\ndata: {page}\n\n");
            server.send(EVENTS.to_owned() + &chunk(&event)).await;
            server.closed().await;
        }
        let (mut server, asked) = upstream.asked().await;
        assert!(
            asked.text().contains(r#""days":3"#),
            "{headers}: {}",
            asked.text()
        );
        server.send(ok(&result("1", "{}"))).await;
        assert_eq!(client.message().await.status(), 200);
    }
    assert_eq!(asked_for_list, 5);
    // A session that was ended is forgotten.
    let mut client = proxy
        .ask(
            get(PATH)
                .replace("GET", "DELETE")
                .replace("\r\n\r\n", "\r\nMcp-Session-Id: s1\r\n\r\n"),
        )
        .await;
    let (mut server, asked) = upstream.asked().await;
    assert_eq!(asked.first(), "DELETE /api/mcp?base=1 HTTP/1.1");
    server
        .send("HTTP/1.1 204 No Content\r\nconnection: close\r\n\r\n")
        .await;
    assert_eq!(client.message().await.status(), 204);
    let _client = proxy
        .ask(message(PATH, "Mcp-Session-Id: s1\r\n", &call(1, days)))
        .await;
    let (_server, asked) = upstream.asked().await;
    assert!(asked.text().contains("tools/list"), "{}", asked.text());
}

#[tokio::test]
async fn challenges_and_errors_pass_untouched() {
    let upstream = Upstream::start().await;
    let proxy = remote(&upstream, |_| {}).await;
    let challenge =
        r#"Bearer resource_metadata="https://mcp.example/.well-known/oauth-protected-resource""#;
    let refused = |status: &str, body: &str| {
        let length = body.len();
        format!(
            "HTTP/1.1 {status}\r\nconnection: close\r\nwww-authenticate: {challenge}\r\ncontent-length: {length}\r\n\r\n{body}"
        )
    };
    for status in [
        "401 Unauthorized",
        "403 Forbidden",
        "404 Not Found",
        "503 Service Unavailable",
    ] {
        let body = call(1, "{}");
        let mut client = proxy.ask(message(PATH, "", &body)).await;
        // The server's answer to the request for the list is the answer, and the next call asks for the list again.
        let (mut server, asked) = upstream.asked().await;
        assert!(asked.text().contains("tools/list"), "{}", asked.text());
        server.send(refused(status, "why not")).await;
        let reply = client.message().await;
        assert_eq!(reply.first(), format!("HTTP/1.1 {status}"));
        assert_eq!(reply.header("www-authenticate"), Some(challenge));
        assert_eq!(reply.text(), "why not");
    }
    // Metadata is found where the server has it.
    let path = "/.well-known/oauth-protected-resource/api/mcp";
    let mut client = proxy.ask(get(path)).await;
    let (mut server, asked) = upstream.asked().await;
    assert_eq!(asked.first(), format!("GET {path} HTTP/1.1"));
    server.send(ok("{}")).await;
    assert_eq!(client.message().await.text(), "{}");
}

#[tokio::test]
async fn streams_pass_with_their_ids_and_their_lists_are_learned() {
    let upstream = Upstream::start().await;
    let mut proxy = remote(&upstream, |_| {}).await;
    let headers = "Mcp-Session-Id: s1\r\n";
    let mut client = proxy
        .ask(message(PATH, headers, &request(2, "tools/list", "{}")))
        .await;
    let (mut server, _) = upstream.asked().await;
    let first = "id: 1-0\nretry: 5\ndata: \n\n";
    server.send(EVENTS.to_owned() + &chunk(first)).await;
    client.head().await;
    assert_eq!(client.chunk().await, Some(first.into()));
    // The stream breaks off, and is gone on with behind the last event.
    drop(server);
    client.closed().await;
    let again = get(PATH).replace(
        "\r\n\r\n",
        "\r\naccept: text/event-stream\r\nlast-event-id: 1-0\r\nMcp-Session-Id: s1\r\n\r\n",
    );
    let mut client = proxy.ask(again).await;
    let (mut server, asked) = upstream.asked().await;
    assert_eq!(asked.first(), "GET /api/mcp?base=1 HTTP/1.1");
    assert_eq!(asked.header("last-event-id"), Some("1-0"));
    let list = format!("id: 1-1\r\ndata: {}\r\n\r\n", tools("2", ""));
    let (start, end) = list.split_at(40);
    server
        .send(EVENTS.to_owned() + &chunk(start) + &chunk(end))
        .await;
    client.head().await;
    assert_eq!(client.chunk().await, Some(list.into()));
    let days = r#"{"city_name":"Oslo","days":"3"}"#;
    let _call = proxy.ask(message(PATH, headers, &call(3, days))).await;
    let (_called, asked) = upstream.asked().await;
    assert!(asked.text().contains(r#""days":3"#), "{}", asked.text());
    // The stream without an end does not hold up the end.
    proxy.end();
    while client.chunk().await.is_some_and(|piece| !piece.is_empty()) {}
}

#[tokio::test]
async fn events_in_any_pieces_are_the_same_and_each_message_is_sent_once() {
    let upstream = Upstream::start().await;
    let proxy = remote(&upstream, |_| {}).await;
    let given = r#"{"city":"Oslo","days":"3"}"#;
    let sent = call(3, r#"{"city_name":"Oslo","days":3}"#);
    for length in LENGTHS {
        for is_asked in [true, false] {
            let headers = format!("Mcp-Session-Id: {length}-{is_asked}\r\n");
            let list = request(2, "tools/list", "{}");
            let first = if is_asked {
                list.clone()
            } else {
                call(3, given)
            };
            let mut client = proxy.ask(message(PATH, &headers, &first)).await;
            let (mut server, asked) = upstream.asked().await;
            let read: serde_json::Value = serde_json::from_str(asked.text()).expect("JSON");
            assert!(read["method"] == "tools/list" && (!is_asked || asked.text() == list));
            let listed = tools(&read["id"].to_string(), "");
            let listed = format!(": hello\r\n\r\nid: 1-1\ndata: {listed}\n\n");
            server.send(in_pieces(&listed, length)).await;
            if is_asked {
                assert_eq!(client.message().await.text(), listed);
                client = proxy.ask(message(PATH, &headers, &call(3, given))).await;
            }
            let (mut server, asked) = upstream.asked().await;
            assert_eq!(asked.text(), sent);
            let note = r#"{"method":"notifications/progress"}"#;
            let events = format!("data: {note}\n\ndata: {}\r\n\r\n", result("3", "{}"));
            server.send(in_pieces(&events, length)).await;
            assert_eq!(client.message().await.text(), events);
        }
    }
}

#[tokio::test]
async fn headers_that_repeat_a_call_are_changed_with_it() {
    let upstream = Upstream::start().await;
    let proxy = remote(&upstream, |_| {}).await;
    let version = "MCP-Protocol-Version: 2026-07-28\r\n";
    let list = format!("{version}Mcp-Method: tools/list\r\n");
    let mut client = proxy
        .ask(message(PATH, &list, &request(1, "tools/list", "{}")))
        .await;
    let (mut server, _) = upstream.asked().await;
    server.send(ok(&tools("1", ""))).await;
    client.message().await;
    let cases = [
        // Names and values that were corrected.
        (
            "Weather",
            "Mcp-Name: Weather\r\n",
            r#"{"city":"Oslo"}"#,
            "weather",
            Some("Oslo"),
        ),
        (
            "weather",
            "Mcp-Name: weather\r\nMcp-Param-City: 4012\r\n",
            r#"{"city_name":4012,"days":"1"}"#,
            "weather",
            Some("4012"),
        ),
        (
            "weather",
            "Mcp-Name: =?base64?d2VhdGhlcg==?=\r\n",
            r#"{"city":"Tromsø"}"#,
            "weather",
            Some("=?base64?VHJvbXPDuA==?="),
        ),
        // One that was wrong before stays so, for the server to refuse.
        (
            "weather",
            "Mcp-Name: other\r\n",
            r#"{"city":"Oslo"}"#,
            "other",
            Some("Oslo"),
        ),
    ];
    for (tool, headers, arguments, name, city) in cases {
        let headers = format!("{version}Mcp-Method: tools/call\r\n{headers}");
        let body = call(2, arguments).replace("\"weather\"", &format!("\"{tool}\""));
        let mut client = proxy.ask(message(PATH, &headers, &body)).await;
        let (mut server, asked) = upstream.asked().await;
        assert!(
            asked.text().contains(r#""name":"weather""#),
            "{}",
            asked.text()
        );
        assert_eq!(asked.header("mcp-name"), Some(name), "{headers}");
        assert_eq!(asked.header("mcp-param-city"), city, "{headers}");
        server.send(ok(&result("2", "{}"))).await;
        client.message().await;
    }
}

#[tokio::test]
async fn pages_of_other_hosts_are_refused() {
    let upstream = Upstream::start().await;
    let proxy = remote(&upstream, |settings| {
        settings.allow_host = vec!["desk.example".to_owned()];
    })
    .await;
    for (header, status) in [
        ("Origin: http://localhost:3000", 200),
        ("Origin: http://127.0.0.1", 200),
        ("Origin: http://[::1]:8", 200),
        ("Origin: https://desk.example", 200),
        ("Origin: https://evil.example", 403),
        ("Origin: https://localhost.evil.example", 403),
        ("Origin: null", 403),
        (
            "Origin: http://localhost\r\nOrigin: http://evil.example",
            403,
        ),
        ("Upgrade: websocket\r\nConnection: upgrade", 501),
    ] {
        let mut client = proxy
            .ask(message(
                PATH,
                &format!("{header}\r\n"),
                &request(1, "ping", "{}"),
            ))
            .await;
        if status == 200 {
            let (mut server, _) = upstream.asked().await;
            server.send(ok(&result("1", "{}"))).await;
        }
        let reply = client.message().await;
        assert_eq!(reply.status(), status, "{header}");
        if status == 403 {
            assert!(
                reply.text().contains(r#""id":null"#) && reply.text().contains("unknown_origin")
            );
        }
    }
    // A name that was made to stand for this machine.
    let mut client = proxy
        .ask(get(PATH).replace("localhost", "evil.example"))
        .await;
    assert_eq!(client.message().await.status(), 403);
    let mut client = proxy.ask(get("/../etc")).await;
    assert_eq!(client.message().await.status(), 400);
}

#[tokio::test]
async fn a_batch_is_sent_whole_or_not_at_all() {
    let upstream = Upstream::start().await;
    let proxy = remote(&upstream, |_| {}).await;
    let mut client = proxy
        .ask(message(PATH, "", &request(1, "tools/list", "{}")))
        .await;
    let (mut server, _) = upstream.asked().await;
    server.send(ok(&tools("1", ""))).await;
    client.message().await;
    let batch = |second: &str| format!("[{},{}]", request(2, "ping", "{}"), call(3, second));
    let mut client = proxy
        .ask(message(PATH, "", &batch(r#"{"city":"Oslo"}"#)))
        .await;
    let (mut server, asked) = upstream.asked().await;
    assert_eq!(asked.text(), batch(r#"{"city_name":"Oslo"}"#));
    server.send(ok("[]")).await;
    assert_eq!(client.message().await.text(), "[]");
    let mut client = proxy.ask(message(PATH, "", &batch("{}"))).await;
    let reply: serde_json::Value =
        serde_json::from_str(client.message().await.text()).expect("JSON");
    assert_eq!(reply[0]["id"], 3);
    assert_eq!(reply[0]["result"]["isError"], true);
    assert_eq!(reply[1]["id"], 2);
    assert_eq!(reply[1]["error"]["code"], -32_600);
    // Nor are two messages that are no batch.
    let two = format!(
        "{}\n{}",
        request(4, "ping", "{}"),
        call(5, r#"{"city":"Oslo"}"#)
    );
    let mut client = proxy.ask(message(PATH, "", &two)).await;
    let reply = client.message().await;
    assert!(
        reply.text().contains("not one message alone"),
        "{}",
        reply.text()
    );
}

#[tokio::test]
async fn calls_do_not_wait_for_a_list_for_ever_nor_run_without_one() {
    let upstream = Upstream::start().await;
    let proxy = remote(&upstream, |settings| settings.list_timeout = Some(0.1)).await;
    let hangs = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 9\r\n\r\n";
    for begins in [String::new(), hangs.to_owned(), EVENTS.to_owned()] {
        let mut client = proxy.ask(message(PATH, "", &call(1, "{}"))).await;
        let (mut server, asked) = upstream.asked().await;
        assert!(asked.text().contains("tools/list"), "{}", asked.text());
        server.send(begins).await;
        let reply = client.message().await;
        assert!(
            reply.text().contains(r#""isError":true"#),
            "{}",
            reply.text()
        );
    }
}

#[tokio::test]
async fn a_loop_ends() {
    let upstream = Upstream::start().await;
    let proxy = remote(&upstream, |_| {}).await;
    let list = request(2, "tools/list", "{}");
    let mut client = proxy.ask(message(PATH, "", &list)).await;
    let (mut server, asked) = upstream.asked().await;
    let via = format!("via: {}\r\n", asked.header("via").expect("a pseudonym"));
    server.send(ok(&tools("2", ""))).await;
    assert_eq!(client.message().await.status(), 200);
    let reply = proxy.ask(message(PATH, &via, &list)).await.message().await;
    assert_eq!(reply.status(), 508);
}

#[tokio::test]
async fn the_tools_of_all_sessions_are_bounded_by_bytes() {
    let upstream = Upstream::start().await;
    // Room for the tools of one session: they count when a further session begins.
    let proxy = remote(&upstream, |settings| settings.max_cached_bytes = Some(300)).await;
    let headers = |session: u32| format!("Mcp-Session-Id: s{session}\r\n");
    for session in 1..=3 {
        let list = message(PATH, &headers(session), &request(2, "tools/list", "{}"));
        let mut client = proxy.ask(list).await;
        let (mut server, _) = upstream.asked().await;
        server.send(ok(&tools("2", ""))).await;
        assert_eq!(client.message().await.status(), 200);
    }
    let days = r#"{"city_name":"Oslo","days":3}"#;
    for (session, method) in [(2, "tools/call"), (1, "tools/list")] {
        let _call = proxy
            .ask(message(PATH, &headers(session), &call(3, days)))
            .await;
        let (_server, asked) = upstream.asked().await;
        assert!(asked.text().contains(method), "{}", asked.text());
    }
}

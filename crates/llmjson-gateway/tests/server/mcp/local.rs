//! Clients over HTTP before a program.
//!
//! The program is mostly `cat`: it gives back what reaches it, so that a client can put words into its mouth.
#![cfg(unix)]

use super::{call, event, local, message, request, result, tools};
use crate::support::{Gateway, Wire, get};

const PATH: &str = "/mcp";
const NONE: fn(&mut super::Settings) = |_| {};

/// A session of a client.
struct Session<'g> {
    proxy: &'g Gateway,
    headers: String,
}

impl<'g> Session<'g> {
    /// Begins one, in which `cat` gives back what is sent.
    async fn begin(proxy: &'g Gateway) -> Self {
        let mut stream = proxy
            .ask(message(PATH, "", &request(1, "initialize", "{}")))
            .await;
        let head = stream.head().await;
        assert_eq!(
            (head.status(), head.header("content-type")),
            (200, Some("text/event-stream"))
        );
        let id = head.header("mcp-session-id").expect("an id");
        assert!(
            id.len() == 32 && id.bytes().all(|byte| byte.is_ascii_hexdigit()),
            "{id}"
        );
        let session = Self {
            proxy,
            headers: format!("Mcp-Session-Id: {id}\r\nMCP-Protocol-Version: 2025-11-25\r\n"),
        };
        assert!(
            event(&mut stream)
                .await
                .is_some_and(|(_, data)| data.contains("initialize"))
        );
        session.say(&result("1", "{}")).await;
        assert!(
            event(&mut stream)
                .await
                .is_some_and(|(_, data)| data == result("1", "{}"))
        );
        assert_eq!(event(&mut stream).await, None);
        session
    }

    async fn ask(&self, body: &str) -> Wire {
        self.proxy.ask(message(PATH, &self.headers, body)).await
    }

    /// Sends what has no answer, and what `cat` makes a message of the server.
    async fn say(&self, body: &str) {
        let mut client = self.ask(body).await;
        let reply = client.message().await;
        assert_eq!((reply.status(), reply.text()), (202, ""));
    }

    async fn get(&self, headers: &str) -> Wire {
        let end = format!(
            "\r\naccept: text/event-stream\r\n{}{headers}\r\n",
            self.headers
        );
        self.proxy.ask(get(PATH).replace("\r\n\r\n", &end)).await
    }

    async fn end(&self) -> u16 {
        let request = get(PATH).replace("GET", "DELETE");
        let request = request.replace("\r\n\r\n", &format!("\r\n{}\r\n", self.headers));
        self.proxy.ask(request).await.message().await.status()
    }
}

#[tokio::test]
async fn calls_are_corrected_with_the_list_of_the_program() {
    let proxy = local(&["cat"], NONE).await;
    let session = Session::begin(&proxy).await;
    // The program is asked for its tools when the first call comes, which may be damaged and on several lines.
    let mut stream = session
        .ask("{\"jsonrpc\":\"2.0\",\"id\":2,\n\"method\":\"tools/call\",\"params\":{\"name\":\"weather\",\"arguments\":{\"city\":\"Oslo\",\"days\":\"3\",}}}")
        .await;
    stream.head().await;
    let (id, data) = event(&mut stream).await.expect("a first event");
    assert_eq!((id.as_deref(), &*data), (Some("2-0"), ""));
    let (_, asked) = event(&mut stream).await.expect("it asks");
    assert!(asked.contains("tools/list"), "{asked}");
    session.say(&tools(r#""llmjson-mcp-proxy/1""#, "")).await;
    let (_, called) = event(&mut stream).await.expect("it calls");
    assert_eq!(called, call(2, r#"{"city_name":"Oslo","days":3}"#));
    session.say(&result("2", "{}")).await;
    let (id, data) = event(&mut stream).await.expect("it answers");
    assert_eq!((id.as_deref(), &*data), (Some("2-3"), &*result("2", "{}")));
    assert_eq!(event(&mut stream).await, None);
    // A call that cannot be corrected is answered here.
    let mut stream = session.ask(&call(3, "{}")).await;
    stream.head().await;
    event(&mut stream).await;
    let (_, data) = event(&mut stream).await.expect("it answers");
    assert!(data.ends_with(r#""isError":true}}"#), "{data}");
    assert_eq!(event(&mut stream).await, None);
    // A client that takes no events gets JSON.
    let headers = format!("{}Accept: application/json\r\n", session.headers);
    let request = message(PATH, &headers, &call(4, "{}"));
    let request = request.replace("accept: application/json, text/event-stream\r\n", "");
    let reply = proxy.ask(request).await.message().await;
    assert_eq!(reply.header("content-type"), Some("application/json"));
    assert!(
        reply.text().ends_with(r#""isError":true}}"#),
        "{}",
        reply.text()
    );
}

#[tokio::test]
async fn messages_come_on_their_own_stream_and_again_after_a_break() {
    let proxy = local(&["cat"], NONE).await;
    let session = Session::begin(&proxy).await;
    let with_token = |id| {
        request(
            id,
            "x",
            &format!(r#"{{"_meta":{{"progressToken":"t{id}"}}}}"#),
        )
    };
    let (mut first, mut second) = (
        session.ask(&with_token(7)).await,
        session.ask(&with_token(8)).await,
    );
    for (stream, id) in [(&mut first, 7), (&mut second, 8)] {
        stream.head().await;
        event(stream).await;
        // `cat` asks back, and which of the requests that belongs to cannot be known.
        let _ = id;
    }
    let mut listening = session.get("").await;
    listening.head().await;
    let progress = |id: u32| {
        format!(
            r#"{{"jsonrpc":"2.0","method":"notifications/progress","params":{{"progressToken":"t{id}","progress":1}}}}"#
        )
    };
    let note = r#"{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}"#;
    session.say(&progress(7)).await;
    session.say(&progress(8)).await;
    session.say(note).await;
    let until = |text: String| async move { text };
    for (stream, text) in [
        (&mut first, until(progress(7)).await),
        (&mut second, until(progress(8)).await),
        (&mut listening, note.to_owned()),
    ] {
        while event(stream).await.expect("it comes").1 != text {}
    }
    // The connections break, and the answers come meanwhile.
    let (id, _) = {
        session.say(&progress(7)).await;
        event(&mut first).await.expect("it comes")
    };
    let last = id.expect("an id");
    drop((first, listening));
    session.say(&result("7", "{}")).await;
    session.say(note).await;
    for _ in 0..2 {
        let mut again = session.get(&format!("Last-Event-ID: {last}\r\n")).await;
        again.head().await;
        assert_eq!(
            event(&mut again).await.expect("it comes").1,
            result("7", "{}")
        );
        assert_eq!(event(&mut again).await, None);
    }
    let mut again = session.get("").await;
    again.head().await;
    assert_eq!(event(&mut again).await.expect("it comes").1, note);
    for unknown in ["999-0", "0-999", "x", ""] {
        let reply = session
            .get(&format!("Last-Event-ID: {unknown}\r\n"))
            .await
            .message()
            .await;
        assert_eq!(reply.status(), 400, "{unknown}");
        assert!(reply.text().contains("unknown_event"), "{}", reply.text());
    }
}

#[tokio::test]
async fn sessions_are_apart_and_end() {
    let mut proxy = local(&["cat"], NONE).await;
    let (one, two) = (Session::begin(&proxy).await, Session::begin(&proxy).await);
    let mut stream = two.get("").await;
    stream.head().await;
    let mut waiting = one.ask(&request(5, "x", "{}")).await;
    waiting.head().await;
    event(&mut waiting).await;
    assert_eq!(one.end().await, 204);
    // Requests that wait are answered.
    let (_, answer) = loop {
        let event = event(&mut waiting).await.expect("an answer");
        if event.1.contains("error") {
            break event;
        }
    };
    assert!(
        answer.contains("the MCP server ended before it answered"),
        "{answer}"
    );
    let reply = one.ask(&request(6, "x", "{}")).await.message().await;
    assert_eq!(reply.status(), 404);
    assert!(reply.text().contains(r#""id":6"#), "{}", reply.text());
    assert_eq!(one.end().await, 404);
    two.say(r#"{"method":"note"}"#).await;
    assert_eq!(
        event(&mut stream).await.expect("it comes").1,
        r#"{"method":"note"}"#
    );
    // The end of the proxy ends all of them.
    proxy.end();
    assert_eq!(event(&mut stream).await, None);
    proxy.ended().await;
}

#[tokio::test]
async fn what_is_no_request_of_the_protocol_is_refused() {
    let proxy = local(&["cat"], NONE).await;
    let session = Session::begin(&proxy).await;
    let ask = |request: String| async { proxy.ask(request).await.message().await };
    let headers = &*session.headers;
    let ping = request(1, "ping", "{}");
    let good = message(PATH, headers, &ping);
    for (request, status, reason) in [
        (message(PATH, "", &ping), 400, "no_session"),
        (
            message(PATH, "Mcp-Session-Id: x\r\n", &ping),
            404,
            "unknown_session",
        ),
        (message("/", headers, &ping), 404, "no_path"),
        (message(PATH, headers, "[]"), 400, "no_message"),
        (message(PATH, headers, "hello"), 400, "no_message"),
        (
            good.replace("application/json\r\n", "text/plain\r\n"),
            415,
            "no_json",
        ),
        (good.replace("POST", "PUT"), 405, "no_method"),
        (
            good.replace(
                "accept: application/json, text/event-stream",
                "accept: text/html",
            ),
            406,
            "not_acceptable",
        ),
        (
            message(PATH, &format!("{headers}Content-Encoding: gzip\r\n"), &ping),
            415,
            "no_json",
        ),
        (
            message(
                PATH,
                &format!("{headers}Origin: https://evil.example\r\n"),
                &ping,
            ),
            403,
            "unknown_origin",
        ),
        (get(PATH), 400, "no_session"),
        (get(PATH).replace("GET", "DELETE"), 400, "no_session"),
        (
            get(PATH).replace("\r\n\r\n", "\r\nMCP-Protocol-Version: 2026-07-28\r\n\r\n"),
            405,
            "no_method",
        ),
    ] {
        let reply = ask(request).await;
        assert_eq!(reply.status(), status, "{reason}: {}", reply.text());
        assert!(reply.text().contains(reason), "{}", reply.text());
        assert!(status != 405 || reply.header("allow").is_some());
    }
    let mut stream = session.ask(&ping).await;
    stream.head().await;
    let reply = session.ask(&ping).await.message().await;
    assert_eq!(reply.status(), 400);
    assert!(reply.text().contains("id_in_use"), "{}", reply.text());
    let broken = local(&["no-such-program-of-tests"], NONE).await;
    let reply = broken
        .ask(message(PATH, "", &request(1, "initialize", "{}")))
        .await;
    let mut reply = reply;
    let reply = reply.message().await;
    assert_eq!(reply.status(), 502);
    assert!(
        reply.text().contains("cannot be started"),
        "{}",
        reply.text()
    );
}

/// A server of the version without sessions, which tells in each answer which process it is.
const ALONE: &str = r#"
while IFS= read -r line; do
    case "$line" in
    *tools/list*) printf '{"jsonrpc":"2.0","id":"llmjson-mcp-proxy/1","result":{"tools":[]}}\n' ;;
    *wait*) ;;
    *cancelled*) exit ;;
    *) printf '{"method":"note"}\n{"jsonrpc":"2.0","id":1,"result":{"pid":%s}}\n' $$ ;;
    esac
done"#;

#[tokio::test]
async fn requests_without_sessions_have_a_process_alone() {
    let proxy = local(&["sh", "-c", ALONE], NONE).await;
    let headers =
        |method: &str| format!("MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: {method}\r\n");
    let ask = |method: &'static str| {
        let request = message(PATH, &headers(method), &request(1, method, "{}"));
        proxy.ask(request)
    };
    let process = |method| async move {
        let mut stream = ask(method).await;
        let head = stream.head().await;
        assert_eq!(head.header("mcp-session-id"), None);
        let (id, note) = event(&mut stream).await.expect("a note");
        assert_eq!((id, &*note), (None, r#"{"method":"note"}"#));
        let (_, answer) = event(&mut stream).await.expect("an answer");
        assert_eq!(event(&mut stream).await, None);
        answer
    };
    let first = process("x").await;
    assert_eq!(process("x").await, first);
    // One that waits has the process, until its client goes away.
    let mut waiting = ask("wait").await;
    waiting.head().await;
    let second = process("x").await;
    assert_ne!(second, first);
    drop(waiting);
    assert_eq!(process("x").await, second);
    // Headers that contradict the message.
    for wrong in [
        "MCP-Protocol-Version: 2026-07-28\r\n".to_owned(),
        headers("tools/call"),
    ] {
        let reply = proxy
            .ask(message(PATH, &wrong, &request(1, "x", "{}")))
            .await
            .message()
            .await;
        assert_eq!(reply.status(), 400);
        assert!(reply.text().contains("-32020"), "{}", reply.text());
    }
    assert_eq!(process("x").await, second);
}

#[tokio::test]
async fn calls_do_not_wait_for_a_list_for_ever() {
    // The program reads, and says nothing after the beginning.
    let start = result("1", "{}");
    let program = format!("read line; echo '{start}'; cat > /dev/null");
    let proxy = local(&["sh", "-c", &program], |settings| {
        settings.list_timeout = Some(0.1);
    })
    .await;
    let mut stream = proxy
        .ask(message(PATH, "", &request(1, "initialize", "{}")))
        .await;
    let id = stream.head().await;
    let id = id.header("mcp-session-id").expect("an id");
    let headers = format!("Mcp-Session-Id: {id}\r\nMCP-Protocol-Version: 2025-06-18\r\n");
    let mut client = proxy.ask(message(PATH, &headers, &call(2, "{}"))).await;
    client.head().await;
    let (_, data) = event(&mut client).await.expect("an answer");
    assert!(data.contains(r#""isError":true"#), "{data}");
}

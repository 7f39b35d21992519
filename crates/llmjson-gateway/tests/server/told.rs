//! The gateway's own account of its work.

use crate::support::{
    ASK, ASK_STREAM, EVENTS, Folder, Gateway, REPLY, Upstream, chat, chunk, delta, get, ok, post,
};

/// The value of a metric with its labels.
async fn metric(gateway: &Gateway, name: &str) -> String {
    let reply = gateway.ask(get("/metrics")).await.message().await;
    let kind = reply.header("content-type").expect("a type");
    assert!(kind.starts_with("application/openmetrics-text"), "{kind}");
    let line = reply
        .text()
        .lines()
        .find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
    line.unwrap_or_else(|| panic!("no {name}: {}", reply.text()))
        .to_owned()
}

#[tokio::test]
async fn replies_are_counted_and_reported() {
    let (folder, upstream) = (Folder::new(), Upstream::start().await);
    let settings = format!("report-dir = '{}'", folder.0.display());
    let gateway = Gateway::before(&upstream, &settings).await;
    assert_eq!(
        gateway.ask(get("/healthz")).await.message().await.text(),
        "ok\n"
    );
    let of = format!(
        "upstream=\"http://{}\",model=\"m\",status=\"200\"",
        upstream.address()
    );
    let replies = |outcome| format!("llmjson_gateway_replies_total{{{of},outcome=\"{outcome}\"}}");

    let mut client = gateway.ask(chat(ASK)).await;
    let (mut server, asked) = upstream.asked().await;
    server.send(ok(REPLY)).await;
    let reply = client.message().await;
    let report = reply.header("x-llmjson").expect("a report");
    assert!(report.contains("unchanged"), "{report}");
    // The id was made here, and is the same everywhere.
    let id = reply.header("x-request-id").expect("an id").to_owned();
    assert_eq!(asked.header("x-request-id"), Some(&*id));
    assert_eq!(metric(&gateway, &replies("unchanged")).await, "1");

    let mut client = gateway.ask(chat(ASK_STREAM)).await;
    let (mut server, _) = upstream.asked().await;
    server.send(EVENTS.to_owned() + &chunk(&delta("Hi"))).await;
    client.head().await;
    client.chunk().await.expect("a piece");
    assert_eq!(metric(&gateway, "llmjson_gateway_open_streams").await, "1");
    server.send(chunk("")).await;
    client.chunks().await;
    assert_eq!(metric(&gateway, "llmjson_gateway_open_streams").await, "0");
    assert_eq!(
        metric(&gateway, "llmjson_gateway_added_seconds_count").await,
        "2"
    );

    let mut client = gateway.ask(chat(ASK_STREAM)).await;
    let (mut server, _) = upstream.asked().await;
    server.send(EVENTS.to_owned() + &chunk(&delta("Hi"))).await;
    client.head().await;
    client.chunk().await.expect("a piece");
    drop(client);
    server.closed().await;

    assert_eq!(metric(&gateway, &replies("cancelled")).await, "1");

    let mut client = gateway.ask(post("/v1/embeddings", ASK)).await;
    let (mut server, _) = upstream.asked().await;
    server.send(ok("{}")).await;
    assert_eq!(client.message().await.header("x-llmjson"), None);
    assert_eq!(metric(&gateway, "llmjson_gateway_passed_total").await, "1");
    let reply = gateway.ask(get("/v1/..")).await.message().await;
    assert!(reply.header("x-request-id").is_some());
    assert_eq!(
        metric(&gateway, "llmjson_gateway_refused_total{code=\"bad_path\"}").await,
        "1"
    );

    let lines = folder.lines();
    let ways: Vec<&str> = lines
        .iter()
        .filter_map(|line| line["reply"].as_str())
        .collect();
    assert_eq!(ways, ["whole", "streamed", "cancelled"]);
    assert_eq!(lines[0]["request_id"], id);
    assert_eq!(lines[0]["model"], "m");
    assert_eq!(lines[0]["report"]["outcome"], "unchanged");
}

#[tokio::test]
async fn ids_that_cannot_stand_in_logs_are_replaced() {
    let upstream = Upstream::start().await;
    let gateway = Gateway::before(&upstream, "").await;
    for (given, is_kept) in [
        ("a-1", true),
        ("a b", false),
        ("", false),
        (&*"x".repeat(128), true),
        (&*"x".repeat(129), false),
    ] {
        let request =
            get("/healthz").replace("\r\n\r\n", &format!("\r\nx-request-id: {given}\r\n\r\n"));
        let reply = gateway.ask(request).await.message().await;
        let id = reply.header("x-request-id").expect("an id");
        assert_eq!(id == given, is_kept, "{given:?}: {id:?}");
    }
}

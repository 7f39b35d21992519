//! Operation: errors, the log, metrics, keys, and new configurations.

use llmjson_gateway::server::{Config, Settings, serve_reloading};
use tokio::sync::mpsc::unbounded_channel;

use crate::support::{
    ASK, ASK_STREAM, EVENTS, Folder, Gateway, REPLY, Upstream, chat, chunk, delta, get, log_of, ok,
    post,
};

/// A request with an id, by which its lines in the log are found.
fn with_id(request: &str, id: &str) -> String {
    request.replacen("\r\n", &format!("\r\nx-request-id: {id}\r\n"), 1)
}

#[tokio::test]
async fn errors_name_the_upstream_and_the_cause() {
    let plain = Upstream::start().await;
    let closed = Upstream::start().await.address();
    for (url, cause) in [
        (format!("http://{closed}"), "the connection is refused"),
        ("http://h.invalid".to_owned(), "its name is not found (DNS)"),
        (format!("https://{}", plain.address()), "TLS failed"),
    ] {
        let gateway = Gateway::start(&format!("upstream = '{url}/v1?key=SECRET'")).await;
        for (path, body) in [
            ("/v1/chat/completions", ASK),
            ("/v1/messages", ASK),
            ("/v1/models", "{}"),
        ] {
            let mut client = gateway.ask(post(path, body)).await;
            if url.starts_with("https") {
                let mut wire = plain.accept().await;
                wire.send("HTTP/1.1 400 No\r\n\r\n").await;
            }
            let reply = client.message().await;
            let text = reply.text();
            assert_eq!(reply.status(), 502, "{text}");
            let wanted = format!("the upstream {url} cannot be reached: {cause}");
            assert!(
                text.contains(&wanted) && !text.contains("SECRET"),
                "{wanted}: {text}"
            );
        }
    }
}

#[tokio::test]
async fn each_reply_has_one_line_in_the_log() {
    let upstream = Upstream::start().await;
    let closed = Upstream::start().await.address();
    let gateway = Gateway::start(&format!(
        "[[upstream]]\nurl = 'http://{0}/v1'\n[[upstream]]\nurl = 'http://{closed}/v1'\nmodels = ['gone']",
        upstream.address()
    ))
    .await;
    let name = format!("upstream=\"http://{}\"", upstream.address());
    let usage =
        "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":7,\"completion_tokens\":2}}\n\n";
    let end = format!(
        "{EVENTS}{}{}{}",
        chunk(&delta("Hi")),
        chunk(usage),
        chunk("")
    );
    let whole = REPLY.replace(
        "\"id\"",
        "\"usage\":{\"prompt_tokens\": 5,\"completion_tokens\": 1},\"id\"",
    );
    let gone = ASK.replace("\"m\"", "\"gone\"");
    let failed = "HTTP/1.1 429 No\r\nretry-after: 3\r\ncontent-length: 2\r\n\r\n{}";
    for (id, request, answer, said) in [
        (
            "log-whole",
            chat(ASK),
            Some(ok(&whole)),
            "status=200 model=\"m\" outcome=\"unchanged\" input_tokens=5 output_tokens=1 reply=\"whole\"",
        ),
        (
            "log-stream",
            chat(ASK_STREAM),
            Some(end),
            "status=200 model=\"m\" outcome=\"unchanged\" input_tokens=7 output_tokens=2 reply=\"streamed\" first_seconds=",
        ),
        (
            "log-failed",
            chat(ASK),
            Some(failed.to_owned()),
            "status=429 model=\"m\" outcome=\"error\"",
        ),
        (
            "log-gone",
            chat(&gone),
            None,
            "status=502 model=\"gone\" outcome=\"error\" cause=\"the upstream http",
        ),
        (
            "log-passed",
            get("/v1/models/m"),
            Some(ok("{}")),
            "status=200 outcome=\"passed\"",
        ),
        (
            "log-path",
            get("/v1/.."),
            None,
            "status=400 outcome=\"error\" cause=\"the path",
        ),
    ] {
        let mut client = gateway.ask(with_id(&request, id)).await;
        let is_asked = answer.is_some();
        if let Some(answer) = answer {
            let (mut server, _) = upstream.asked().await;
            server.send(answer).await;
        }
        client.message().await;
        let lines = log_of(id).await;
        let [line] = &lines[..] else {
            panic!("{id}: {lines:?}");
        };
        for part in said.split(' ') {
            assert!(line.contains(part), "{id}: {part}: {line}");
        }
        let is_read = is_asked && !id.contains("passed");
        assert!(line.contains(&name) == is_read, "{id}: {line}");
    }
}

#[tokio::test]
async fn metrics_tell_models_upstreams_and_tokens() {
    let upstream = Upstream::start().await;
    let gateway = Gateway::before(&upstream, "").await;
    let stream = "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"\\\"prompt_tokens\\\":99\"}}]}\n\n\
                  data: {\"choices\":[],\"usage\":{\"prompt_tokens\":7,\"completion_tokens\":2}}\n\ndata: [DONE]\n\n";
    let mut client = gateway.ask(chat(ASK_STREAM)).await;
    let (mut server, _) = upstream.asked().await;
    // A usage in pieces is found.
    let (one, other) = stream.split_at(stream.len() - 30);
    server
        .send(format!(
            "{EVENTS}{}{}{}",
            chunk(one),
            chunk(other),
            chunk("")
        ))
        .await;
    client.message().await;
    let mut client = gateway.ask(chat(&ASK.replace("\"m\"", r#""a\"b""#))).await;
    let (mut server, _) = upstream.asked().await;
    server
        .send("HTTP/1.1 503 No\r\nconnection: close\r\ncontent-length: 0\r\n\r\n")
        .await;
    client.message().await;
    let text = gateway.ask(get("/metrics")).await.message().await;
    let of = format!("upstream=\"http://{}\",model=\"m\"", upstream.address());
    let other = of.replace("model=\"m\"", r#"model="a\"b""#);
    for line in [
        format!("llmjson_gateway_replies_total{{{of},status=\"200\",outcome=\"unchanged\"}} 1"),
        format!("llmjson_gateway_replies_total{{{other},status=\"503\",outcome=\"error\"}} 1"),
        format!("llmjson_gateway_tokens_total{{{of},kind=\"input\"}} 7"),
        format!("llmjson_gateway_tokens_total{{{of},kind=\"output\"}} 2"),
        format!("llmjson_gateway_first_token_seconds_count{{{of}}} 1"),
    ] {
        assert!(
            text.text().lines().any(|one| one == line),
            "{line}: {}",
            text.text()
        );
    }
    // Clients may name any number of models.
    for number in 0..110 {
        let mut client = gateway
            .ask(chat(&ASK.replace("\"m\"", &format!("\"m{number}\""))))
            .await;
        let (mut server, _) = upstream.asked().await;
        server.send(ok(REPLY)).await;
        client.message().await;
    }
    let text = gateway.ask(get("/metrics")).await.message().await;
    let lines = text.text().lines();
    let count = lines
        .filter(|line| line.starts_with("llmjson_gateway_replies_total"))
        .count();
    assert!(
        count <= 102 && text.text().contains("model=\"other\""),
        "{count}"
    );
}

#[tokio::test]
async fn keys_of_upstreams_replace_those_of_clients() {
    let (one, other) = (Upstream::start().await, Upstream::start().await);
    // The tests' variables are set by cargo.
    let gateway = Gateway::start(&format!(
        "[[upstream]]\nurl = 'http://{}/v1'\nkey-env = 'CARGO_PKG_NAME'\n\
         [[upstream]]\nurl = 'http://{}/v1'\nmodels = ['own']",
        one.address(),
        other.address()
    ))
    .await;
    let keys =
        "authorization: Bearer CLIENT\r\nx-api-key: CLIENT\r\ncookie: CLIENT\r\ncontent-type";
    let anthropic = format!("anthropic-version: 2023-06-01\r\n{keys}");
    for (path, keys, bearer, plain) in [
        (
            "/v1/chat/completions",
            keys,
            Some("Bearer llmjson-gateway"),
            None,
        ),
        ("/v1/embeddings", keys, Some("Bearer llmjson-gateway"), None),
        ("/v1/messages", keys, None, Some("llmjson-gateway")),
        (
            "/v1/messages/count_tokens",
            &anthropic,
            None,
            Some("llmjson-gateway"),
        ),
    ] {
        let mut client = gateway
            .ask(post(path, ASK).replace("content-type", keys))
            .await;
        let (mut server, asked) = one.asked().await;
        assert_eq!(asked.header("authorization"), bearer, "{path}");
        assert_eq!(asked.header("x-api-key"), plain, "{path}");
        assert!(!asked.head.contains("CLIENT"), "{}", asked.head);
        server.send(ok("{}")).await;
        client.message().await;
        let request = post(path, &ASK.replace("\"m\"", "\"own\"")).replace("content-type", keys);
        let _client = gateway.ask(request).await;
        let (_, asked) = other.asked().await;
        assert_eq!(
            asked.header("authorization"),
            Some("Bearer CLIENT"),
            "{path}"
        );
    }
    let settings = "[[upstream]]\nurl = 'http://h/v1'\nkey-env = 'NO_SUCH_VARIABLE'";
    let error = Config::new(&Settings::from_toml(settings).expect("settings")).unwrap_err();
    assert_eq!(
        error.to_string(),
        "upstream: key-env: the variable \"NO_SUCH_VARIABLE\" is not set, expected one that holds a key"
    );
}

fn config(upstream: &Upstream, folder: &Folder) -> Config {
    let settings = format!(
        "upstream = 'http://{}/v1'\nreport-dir = '{}'",
        upstream.address(),
        folder.0.display()
    );
    Config::new(&Settings::from_toml(&settings).expect("settings")).expect("a configuration")
}

#[tokio::test]
async fn a_new_configuration_replaces_the_one_before() {
    let (one, other, folder) = (
        Upstream::start().await,
        Upstream::start().await,
        Folder::new(),
    );
    let (reload, reloads) = unbounded_channel();
    let first = config(&one, &folder);
    let gateway =
        Gateway::serving(|listener, ended| serve_reloading(first, listener, reloads, ended)).await;
    // A reply that is open stays where it is.
    let mut open = gateway.ask(chat(ASK)).await;
    let (mut server, _) = one.asked().await;
    std::fs::rename(folder.0.join("replies.jsonl"), folder.0.join("old")).expect("it is there");
    assert!(reload.send(Ok(config(&other, &folder))).is_ok());
    assert!(reload.send(Err("the file is wrong".to_owned())).is_ok());
    loop {
        let mut client = gateway.ask(chat(ASK)).await;
        let (mut server, is_new) = tokio::select! {
            (wire, _) = one.asked() => (wire, false),
            (wire, _) = other.asked() => (wire, true),
        };
        server.send(ok(REPLY)).await;
        assert_eq!(client.message().await.text(), REPLY);
        if is_new {
            break;
        }
    }
    server.send(ok(REPLY)).await;
    assert_eq!(open.message().await.text(), REPLY);
    assert_eq!(folder.lines().len(), 1);
    assert!(log_of("the file is wrong").await.len() == 1);
}

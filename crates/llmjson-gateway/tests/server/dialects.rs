//! Messages, for upstreams that have them and for those that speak chat alone.

use serde_json::{Value, json};

use crate::support::{EVENTS, Gateway, REPLY, Upstream, chunk, get, ok, post};

const PATH: &str = "/v1/messages?beta=true";
const CHAT: &str = "upstream-speaks = 'chat'";

fn request(more: Value) -> String {
    let schema = json!({"type": "object", "properties": {"days": {"type": "integer"}}, "required": ["days"]});
    let mut request = json!({"model": "m", "max_tokens": 9, "messages": [{"role": "user", "content": "Hi"}],
        "tools": [{"name": "rain", "input_schema": schema}]});
    for (name, value) in more.as_object().expect("members") {
        request[name] = value.clone();
    }
    request.to_string()
}

fn native(input: Value, reason: &str) -> String {
    json!({"id": "msg_1", "type": "message", "role": "assistant", "model": "m", "stop_reason": reason,
        "content": [{"type": "tool_use", "id": "toolu_1", "name": "rain", "input": input}],
        "usage": {"input_tokens": 3, "output_tokens": 4}})
    .to_string()
}

/// The events of a whole reply, each with its frame.
fn events(reply: &str) -> Vec<String> {
    let mut message: Value = serde_json::from_str(reply).expect("a reply");
    let mut block = message["content"][0].take();
    message["content"] = json!([]);
    let input = std::mem::replace(&mut block["input"], json!({})).to_string();
    let reason = message["stop_reason"].take();
    let delta = json!({"type": "input_json_delta", "partial_json": input});
    let events = [
        json!({"type": "message_start", "message": message}),
        json!({"type": "content_block_start", "index": 0, "content_block": block}),
        json!({"type": "content_block_delta", "index": 0, "delta": delta}),
        json!({"type": "content_block_stop", "index": 0}),
        json!({"type": "message_delta", "delta": {"stop_reason": reason}, "usage": {"output_tokens": 4}}),
        json!({"type": "message_stop"}),
    ];
    events.iter().map(named).collect()
}

fn named(event: &Value) -> String {
    let name = event["type"].as_str().expect("a type");
    format!("event: {name}\ndata: {event}\n\n")
}

fn value(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

#[tokio::test]
async fn messages_pass_byte_for_byte_or_are_corrected() {
    let upstream = Upstream::start().await;
    let gateway = Gateway::before(&upstream, "").await;
    let clean = native(json!({"days": 3}), "tool_use").replace(',', " ,  ");
    let damaged = native(json!({"days": "3"}), "tool_use");
    let corrected = damaged.replace("{\"days\":\"3\"}", "{\"days\":3}");
    let other = native(json!("{days: 3"), "max_tokens");
    for (came, expected, outcome) in [
        (&clean, &clean, "unchanged"),
        (&damaged, &corrected, "repaired"),
        (&other, &other, "refused"),
    ] {
        let request = request(json!({"odd": [1.50]})).replace(',', ",\n ");
        let mut client = gateway.ask(post(PATH, &request)).await;
        let (mut server, asked) = upstream.asked().await;
        assert_eq!(asked.first(), format!("POST {PATH} HTTP/1.1"));
        assert_eq!(asked.text(), request);
        server.send(ok(came)).await;
        let reply = client.message().await;
        assert_eq!((reply.status(), reply.text()), (200, &**expected));
        let report = reply.header("x-llmjson").expect("a report");
        assert!(report.contains(outcome), "{report}");
    }
    // Only requests for a message are read.
    for path in ["/v1/messages/count_tokens", "/v1/threads/t/messages"] {
        let mut client = gateway.ask(post(path, "{\"odd\" : 1}")).await;
        let (mut server, asked) = upstream.asked().await;
        assert_eq!(asked.first(), format!("POST {path} HTTP/1.1"));
        server.send(ok("{\"input_tokens\" : 3}")).await;
        let reply = client.message().await;
        assert_eq!(reply.header("x-llmjson"), None);
        assert_eq!(reply.text(), "{\"input_tokens\" : 3}");
    }
}

#[tokio::test]
async fn streamed_messages_pass_piece_by_piece() {
    let upstream = Upstream::start().await;
    let gateway = Gateway::before(&upstream, "").await;
    let mut client = gateway
        .ask(post(PATH, &request(json!({"stream": true}))))
        .await;
    let (mut server, _) = upstream.asked().await;
    server.send(EVENTS).await;
    client.head().await;
    let (mut sent, mut came) = (String::new(), String::new());
    let reply = native(json!({"days": 3}), "tool_use");
    let mut events = events(&reply);
    // A block of text before the call.
    let texts = ["It is ", "cold. "].map(|text| {
        json!({"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": text}})
    });
    let start = json!({"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}});
    let stop = json!({"type": "content_block_stop", "index": 0});
    let text = [vec![start], texts.to_vec(), vec![stop]].concat();
    let moved = |event: String| event.replace("\"index\":0", "\"index\":1");
    events = events.into_iter().map(moved).collect();
    events.splice(1..1, text.iter().map(named));
    for event in events {
        sent += &event;
        server.send(chunk(&event)).await;
        // Text comes before the next event is sent.
        while event.contains("text_delta") && came.len() < sent.len() {
            came += &String::from_utf8(client.chunk().await.expect("a piece")).expect("UTF-8");
        }
    }
    server.send(chunk("")).await;
    assert_eq!(came + &client.chunks().await, sent);
}

#[tokio::test]
async fn messages_are_asked_for_again() {
    let upstream = Upstream::start().await;
    let gateway = Gateway::before(&upstream, "retries = 1").await;
    let wrong = native(json!({"days": "soon"}), "tool_use");
    let right = native(json!({"days": 3}), "tool_use");
    for is_streamed in [false, true] {
        let request = request(json!({"stream": is_streamed}));
        let mut client = gateway.ask(post(PATH, &request)).await;
        for reply in [&wrong, &right] {
            let (mut server, asked) = upstream.asked().await;
            let messages = value(asked.text())["messages"].clone();
            let is_again = std::ptr::eq(reply, &right);
            assert_eq!(
                messages.as_array().map(Vec::len),
                Some(1 + 2 * usize::from(is_again))
            );
            if is_again {
                assert_eq!(messages[1]["content"][0]["input"], json!({"days": "soon"}));
                assert_eq!(messages[2]["content"][0]["tool_use_id"], "toolu_1");
            }
            match is_streamed {
                false => server.send(ok(reply)).await,
                true => {
                    let body = chunk(&events(reply).concat()) + &chunk("");
                    server.send(EVENTS.to_owned() + &body).await;
                }
            }
        }
        let reply = client.message().await;
        let text = reply.text();
        assert!(!text.contains("soon"), "{text}");
        // The usage is that of both.
        assert!(text.contains("\"output_tokens\":8"), "{text}");
        if is_streamed {
            assert_eq!(text.matches("event: message_start").count(), 1, "{text}");
            assert!(
                text.contains("retries=1") && text.contains("message_stop"),
                "{text}"
            );
        }
    }
}

#[tokio::test]
async fn an_upstream_that_speaks_chat_is_asked_in_chat() {
    let upstream = Upstream::start().await;
    let gateway = Gateway::before(&upstream, CHAT).await;
    let body = request(json!({"metadata": {"user_id": "u"}}));
    let length = body.len();
    let mut client = gateway
        .ask(format!(
            "POST {PATH} HTTP/1.1\r\nhost: localhost\r\nx-api-key: key\r\nanthropic-version: 2023-06-01\r\n\
             content-length: {length}\r\n\r\n{body}"
        ))
        .await;
    let (mut server, asked) = upstream.asked().await;
    assert_eq!(asked.first(), "POST /v1/chat/completions HTTP/1.1");
    assert_eq!(asked.header("authorization"), Some("Bearer key"));
    assert_eq!(asked.header("x-api-key"), None);
    let sent = value(asked.text());
    assert_eq!(sent["tools"][0]["function"]["name"], "rain");
    assert_eq!(
        sent["messages"][0],
        json!({"role": "user", "content": "Hi"})
    );
    let message = json!({"role": "assistant", "content": "<tool_call>{name: 'rain', arguments: {days: '3'}}</tool_call>"});
    let reply = json!({"id": "1", "model": "m", "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 3, "completion_tokens": 4}});
    server.send(ok(&reply.to_string())).await;
    let reply = client.message().await;
    let report = reply.header("x-llmjson").expect("a report");
    assert!(
        report.contains("extracted") && report.contains("dropped_metadata:1"),
        "{report}"
    );
    let reply = value(reply.text());
    assert_eq!(reply["content"][0]["type"], "tool_use", "{reply}");
    assert_eq!(reply["content"][0]["input"], json!({"days": 3}));
    assert_eq!(reply["stop_reason"], "tool_use");
    assert_eq!(reply["usage"]["output_tokens"], 4);

    let mut client = gateway
        .ask(post(PATH, &request(json!({"stream": true}))))
        .await;
    let (mut server, asked) = upstream.asked().await;
    assert_eq!(value(asked.text())["stream_options"]["include_usage"], true);
    server.send(EVENTS).await;
    client.head().await;
    for text in ["Hel", "lo"] {
        let event = json!({"id": "1", "choices": [{"index": 0, "delta": {"content": text}}]});
        server.send(chunk(&format!("data: {event}\n\n"))).await;
        // The text comes before the next is sent.
        let end = format!("\"text\":\"{text}\"}}}}\n\n");
        client.until(end.as_bytes()).await.expect("the text");
    }
    drop(server);
    let rest = client.until(b"0\r\n\r\n").await.expect("the end is told");
    let rest = String::from_utf8(rest).expect("UTF-8");
    assert!(
        rest.contains("event: error") && !rest.contains("message_stop"),
        "{rest}"
    );
}

#[tokio::test]
async fn errors_have_the_form_of_the_dialect() {
    let upstream = Upstream::start().await;
    let gateway = Gateway::before(&upstream, CHAT).await;
    let error = "{\"error\":{\"message\":\"slow down\",\"type\":\"x\"}}";
    let length = error.len();
    let limited = format!(
        "HTTP/1.1 429 Too Many Requests\r\nretry-after: 3\r\nconnection: close\r\ncontent-length: {length}\r\n\r\n{error}"
    );
    let page = "HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-encoding: gzip\r\ncontent-length: 2\r\n\r\nhi";
    for (answer, status, kind, told) in [
        (limited.as_str(), 429, "rate_limit_error", "slow down"),
        (page, 502, "api_error", "compressed"),
        (&ok("no JSON"), 502, "api_error", "no JSON"),
        ("no HTTP", 502, "api_error", "not HTTP"),
    ] {
        let mut client = gateway.ask(post(PATH, &request(json!({})))).await;
        let (mut server, _) = upstream.asked().await;
        server.send(answer).await;
        drop(server);
        let reply = client.message().await;
        assert_eq!(reply.status(), status, "{}", reply.text());
        let body = value(reply.text());
        assert_eq!(
            (&body["type"], &body["error"]["type"]),
            (&json!("error"), &json!(kind))
        );
        let message = body["error"]["message"].as_str().unwrap_or_default();
        assert!(message.contains(told), "{message}");
        if status == 429 {
            assert_eq!(reply.header("retry-after"), Some("3"));
        }
    }
}

#[tokio::test]
async fn what_chat_cannot_say_is_refused_by_name() {
    let upstream = Upstream::start().await;
    let gateway = Gateway::before(&upstream, CHAT).await;
    let document =
        json!({"type": "document", "source": {"type": "url", "url": "https://a.example"}});
    let refused = [
        (json!({"mcp_servers": [{}]}), "mcp_servers"),
        (
            json!({"tools": [{"type": "bash_20250124", "name": "bash"}]}),
            "tools[0].type \"bash_20250124\"",
        ),
        (
            json!({"tools": [{"name": "a", "defer_loading": true}]}),
            "tools[0].defer_loading",
        ),
        (
            json!({"tool_choice": {"type": "odd"}}),
            "tool_choice.type \"odd\"",
        ),
        (
            json!({"output_config": {"format": {"type": "xml"}}}),
            "output_config.format.type \"xml\"",
        ),
        (
            json!({"messages": [{"role": "user", "content": [{"type": "text", "text": "a"}, document]}]}),
            "messages[0].content[1].source",
        ),
        (
            json!({"messages": [{"role": "assistant", "content": [{"type": "server_tool_use"}]}]}),
            "messages[0].content[0].type \"server_tool_use\"",
        ),
        (
            json!({"messages": [{"role": "user", "content": [{"type": "image", "source": {"type": "file"}}]}]}),
            "messages[0].content[0].source",
        ),
        (
            json!({"messages": [{"role": "odd", "content": "a"}]}),
            "messages[0].role",
        ),
        (
            json!({"messages": [{"role": "user", "content": "a", "odd": 1}]}),
            "messages[0].odd",
        ),
        (
            json!({"tools": [{"name": "a", "x-llmjson-policy": "odd"}]}),
            "odd",
        ),
    ];
    for (more, named) in refused {
        let reply = gateway
            .ask(post(PATH, &request(more)))
            .await
            .message()
            .await;
        assert_eq!(reply.status(), 400, "{named}");
        let body = value(reply.text());
        assert_eq!(body["error"]["type"], "invalid_request_error");
        let message = body["error"]["message"].as_str().unwrap_or_default();
        assert!(
            message.contains(named) && message.contains("expected"),
            "{named}: {message}"
        );
    }
    let reply = gateway.ask(post(PATH, "no JSON")).await.message().await;
    assert_eq!(reply.status(), 400);
    assert!(reply.text().contains("no JSON object"), "{}", reply.text());
}

#[tokio::test]
async fn each_upstream_has_its_own_dialects() {
    let (one, other) = (Upstream::start().await, Upstream::start().await);
    let gateway = Gateway::start(&format!(
        "[[upstream]]\nurl = 'http://{}/v1'\nmodels = ['chat-*']\nspeaks = 'chat'\n\
         [[upstream]]\nurl = 'http://{}/v1'\n",
        one.address(),
        other.address()
    ))
    .await;
    for (model, upstream, path) in [
        ("chat-1", &one, "/v1/chat/completions"),
        ("m", &other, "/v1/messages"),
    ] {
        let request = request(json!({ "model": model }));
        let _client = gateway.ask(post("/v1/messages", &request)).await;
        let (_, asked) = upstream.asked().await;
        assert_eq!(asked.first(), format!("POST {path} HTTP/1.1"));
    }
    let reply = gateway.ask(get("/healthz")).await.message().await;
    assert_eq!(reply.status(), 200);
}

#[tokio::test]
async fn what_chat_cannot_say_is_dropped_on_request() {
    let upstream = Upstream::start().await;
    let gateway = Gateway::before(&upstream, &format!("{CHAT}\nunknown = 'drop'")).await;
    let more = json!({"mcp_servers": [{}], "tools": [{"type": "bash_20250124", "name": "bash"}]});
    let mut client = gateway.ask(post(PATH, &request(more))).await;
    let (mut server, asked) = upstream.asked().await;
    assert!(
        !asked.text().contains("bash") && !asked.text().contains("mcp"),
        "{}",
        asked.text()
    );
    server.send(ok(REPLY)).await;
    let report = client.message().await;
    let report = report.header("x-llmjson").unwrap_or_default();
    assert!(
        report.contains("dropped_mcp_servers:1") && report.contains("dropped_bash_20250124:1"),
        "{report}"
    );
}

#[tokio::test]
async fn conversations_that_the_server_would_store_name_the_setting() {
    let upstream = Upstream::start().await;
    for unknown in ["refuse", "drop"] {
        let settings = format!("{CHAT}\nunknown = '{unknown}'");
        let gateway = Gateway::before(&upstream, &settings).await;
        for body in [
            r#"{"model":"m","input":[{"role":"user","content":"a"},{"type":"item_reference","id":"fc_1"}]}"#,
            r#"{"model":"m","input":"a","previous_response_id":"resp_1"}"#,
            r#"{"model":"m","input":"a","conversation":"conv_1"}"#,
        ] {
            let reply = gateway
                .ask(post("/v1/responses", body))
                .await
                .message()
                .await;
            assert_eq!(reply.status(), 400, "{body}");
            let text = reply.text();
            assert!(
                text.contains("`store` is false") && text.contains("AI SDK"),
                "{text}"
            );
        }
    }
}

//! The SDK's own client before the lenient server, before the plain one, and before the plain one behind
//! the proxy: what models send instead of the arguments that a tool asks for.

#[path = "support/cases.rs"]
mod cases;
mod support;

use std::process::Command;

use rmcp::ServiceExt as _;
use rmcp::model::CallToolRequestParams;
use rmcp::transport::TokioChildProcess;
use serde_json::json;

use cases::{Client, call, cases, check, text_of};
use support::{PLAIN, behind_proxy};

/// The server that reads leniently.
const TOOLS: &str = env!("CARGO_BIN_EXE_mcp-tools");

/// A client that has asked for the tools, as clients do.
async fn client(server: Command) -> Client {
    let server = TokioChildProcess::new(tokio::process::Command::from(server));
    let client = ().serve(server.expect("the server starts")).await;
    let client = client.expect("the server introduces itself");
    let tools = client.list_all_tools().await.expect("it has tools");
    assert_eq!(tools.len(), 2);
    client
}

#[tokio::test]
async fn a_plain_server_refuses_what_models_send() {
    let client = client(Command::new(PLAIN)).await;
    for case in cases() {
        check(&client, &case, &case.plain).await;
    }
    client.cancel().await.expect("it ends");
}

#[tokio::test]
async fn the_extractor_takes_what_models_send_or_says_what_to_send() {
    let client = client(Command::new(TOOLS)).await;
    for case in cases() {
        check(&client, &case, &case.mended).await;
    }
    client.cancel().await.expect("it ends");
}

#[tokio::test]
async fn the_proxy_takes_what_models_send_or_says_what_to_send() {
    let client = client(behind_proxy([PLAIN])).await;
    for case in cases() {
        check(&client, &case, &case.mended).await;
    }
    client.cancel().await.expect("it ends");
}

#[tokio::test]
async fn many_calls_at_once_get_their_own_answers() {
    let client = client(behind_proxy([PLAIN])).await;
    let calls: Vec<_> = (0..200)
        .map(|number| {
            let arguments = match number % 3 {
                0 => json!({"city_name": number.to_string()}),
                1 => json!({"city": number}),
                _ => json!({"days": number}),
            };
            let peer = client.peer().clone();
            tokio::spawn(async move {
                let call = CallToolRequestParams::new("weather");
                let arguments = arguments.as_object().expect("it is one").clone();
                peer.call_tool(call.with_arguments(arguments)).await
            })
        })
        .collect();
    for (number, call) in calls.into_iter().enumerate() {
        let result = call.await.expect("no panic").expect("an answer");
        let text = text_of(&result);
        assert_eq!(result.is_error == Some(true), number % 3 == 2, "{text}");
        let expected = if number % 3 == 2 {
            format!("\"days\": {number}")
        } else {
            format!("{number}: ")
        };
        assert!(text.contains(&expected), "{number} is answered with {text}");
    }
    client.cancel().await.expect("it ends");
}

#[tokio::test]
async fn an_unknown_tool_is_left_to_the_server() {
    let client = client(behind_proxy([PLAIN])).await;
    let error = call(&client, "sing", &json!({}))
        .await
        .expect_err("there is no such tool");
    assert!(error.to_string().contains("-32602"), "{error}");
    client.cancel().await.expect("it ends");
}

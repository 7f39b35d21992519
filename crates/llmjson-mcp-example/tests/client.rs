//! The SDK's own client before the lenient server, before the plain one, and before the plain one behind
//! the proxy: what models send instead of the arguments that a tool asks for.

mod support;

use std::process::Command;

use rmcp::model::{CallToolRequestParams, CallToolResult};
use rmcp::service::{RoleClient, RunningService};
use rmcp::transport::TokioChildProcess;
use rmcp::{ServiceError, ServiceExt as _};
use serde_json::{Value, json};

use support::{PLAIN, behind_proxy};

/// The server that reads leniently.
const TOOLS: &str = env!("CARGO_BIN_EXE_mcp-tools");

/// What comes of a call.
#[derive(Debug, PartialEq, Eq)]
enum Came {
    /// A result with this text.
    Result(&'static str),
    /// A result with the error flag, and this in its text.
    Feedback(&'static str),
}

use Came::{Feedback, Result as Gives};

struct Case {
    tool: &'static str,
    arguments: Value,
    plain: Came,
    mended: Came,
}

fn case(tool: &'static str, arguments: Value, plain: Came, mended: Came) -> Case {
    Case {
        tool,
        arguments,
        plain,
        mended,
    }
}

fn cases() -> Vec<Case> {
    let weather = |arguments, plain, mended| case("weather", arguments, plain, mended);
    let message = |arguments, plain, mended| case("send_message", arguments, plain, mended);
    let oslo = "Oslo: 11 °C, for 1 days";
    let no_city = "missing field `city_name`";
    vec![
        weather(json!({"city_name": "Oslo"}), Gives(oslo), Gives(oslo)),
        weather(
            json!({"city_name": "Oslo", "days": 3, "units": "imperial", "topics": ["rain", "fog"]}),
            Gives("Oslo: 52 °F, for 3 days, no rain, no fog"),
            Gives("Oslo: 52 °F, for 3 days, no rain, no fog"),
        ),
        weather(
            json!({"city_name": "Oslo", "days": "3"}),
            Feedback("invalid type: string \"3\", expected u32"),
            Gives("Oslo: 11 °C, for 3 days"),
        ),
        weather(
            json!({"city_name": "Oslo", "days": 3.0}),
            Feedback("invalid type: floating point `3.0`, expected u32"),
            Gives("Oslo: 11 °C, for 3 days"),
        ),
        weather(json!({"city": "Oslo"}), Feedback(no_city), Gives(oslo)),
        weather(json!({"cityName": "Oslo"}), Feedback(no_city), Gives(oslo)),
        weather(
            json!({"arguments": {"city_name": "Oslo"}}),
            Feedback(no_city),
            Gives(oslo),
        ),
        weather(
            json!({"input": "{\"city_name\": \"Oslo\"}"}),
            Feedback(no_city),
            Gives(oslo),
        ),
        weather(
            json!({"city_name": "Oslo", "units": "Imperial"}),
            Feedback("unknown variant `Imperial`, expected `metric` or `imperial`"),
            Gives("Oslo: 52 °F, for 1 days"),
        ),
        weather(
            json!({"city_name": "Oslo", "topics": "[\"rain\"]"}),
            Feedback("expected a sequence"),
            Gives("Oslo: 11 °C, for 1 days, no rain"),
        ),
        weather(
            json!({"city_name": "Oslo", "topics": "rain"}),
            Feedback("expected a sequence"),
            Gives("Oslo: 11 °C, for 1 days, no rain"),
        ),
        weather(
            json!({"city_name": "Oslo", "topics": null}),
            Feedback("invalid type: null, expected a sequence"),
            Gives(oslo),
        ),
        weather(
            json!({"city_name": 4012}),
            Feedback("invalid type: integer `4012`, expected a string"),
            Gives("4012: 11 °C, for 1 days"),
        ),
        message(
            json!({"recipients": "Ada", "text": "Hello", "urgent": "true"}),
            Feedback("expected a sequence"),
            Gives("\"Hello\" goes to Ada at once"),
        ),
        weather(
            json!({}),
            Feedback(no_city),
            Feedback("`city_name` is missing"),
        ),
        weather(
            Value::Null,
            Feedback(no_city),
            Feedback("`city_name` is missing"),
        ),
        weather(
            json!({"city_name": "Oslo", "days": "soon"}),
            Feedback("invalid type: string \"soon\", expected u32"),
            Feedback("\"days\": \"soon\" // ❌"),
        ),
        weather(
            json!({"city_name": null, "units": "kelvin", "days": -1}),
            Feedback("invalid"),
            Feedback("\"units\": \"kelvin\""),
        ),
        message(
            json!({"recipients": ["Ada"], "text": {"body": ["Hello"]}}),
            Feedback("invalid type: map, expected a string"),
            Feedback("$input.text"),
        ),
    ]
}

type Client = RunningService<RoleClient, ()>;

/// A client that has asked for the tools, as clients do.
async fn client(server: Command) -> Client {
    let server = TokioChildProcess::new(tokio::process::Command::from(server));
    let client = ().serve(server.expect("the server starts")).await;
    let client = client.expect("the server introduces itself");
    let tools = client.list_all_tools().await.expect("it has tools");
    assert_eq!(tools.len(), 2);
    client
}

async fn call(
    client: &Client,
    tool: &'static str,
    arguments: &Value,
) -> Result<CallToolResult, ServiceError> {
    let call = CallToolRequestParams::new(tool);
    client
        .call_tool(match arguments {
            Value::Object(arguments) => call.with_arguments(arguments.clone()),
            _ => call,
        })
        .await
}

fn text_of(result: &CallToolResult) -> String {
    let texts = result
        .content
        .iter()
        .filter_map(|content| content.as_text());
    texts.map(|text| text.text.as_str()).collect()
}

async fn check(client: &Client, case: &Case, expected: &Came) {
    let result = call(client, case.tool, &case.arguments)
        .await
        .expect("an answer");
    let (text, arguments) = (text_of(&result), &case.arguments);
    let is_error = result.is_error == Some(true);
    match expected {
        Gives(given) => assert_eq!((text.as_str(), is_error), (*given, false), "{arguments}"),
        Feedback(part) => assert!(is_error && text.contains(part), "{arguments} gives {text}"),
    }
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

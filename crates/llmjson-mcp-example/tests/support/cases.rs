//! The arguments that models send, and the check of what comes of them.

use rmcp::ServiceError;
use rmcp::model::{CallToolRequestParams, CallToolResult};
use rmcp::service::{RoleClient, RunningService};
use serde_json::{Value, json};

/// What comes of a call.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Came {
    /// A result with this text.
    Result(&'static str),
    /// A result with the error flag, and this in its text.
    Feedback(&'static str),
}

use Came::{Feedback, Result as Gives};

pub(crate) struct Case {
    pub(crate) tool: &'static str,
    pub(crate) arguments: Value,
    pub(crate) plain: Came,
    pub(crate) mended: Came,
}

fn case(tool: &'static str, arguments: Value, plain: Came, mended: Came) -> Case {
    Case {
        tool,
        arguments,
        plain,
        mended,
    }
}

pub(crate) fn cases() -> Vec<Case> {
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

/// A client of the SDK.
pub(crate) type Client = RunningService<RoleClient, ()>;

pub(crate) async fn call(
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

pub(crate) fn text_of(result: &CallToolResult) -> String {
    let texts = result
        .content
        .iter()
        .filter_map(|content| content.as_text());
    texts.map(|text| text.text.as_str()).collect()
}

pub(crate) async fn check(client: &Client, case: &Case, expected: &Came) {
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

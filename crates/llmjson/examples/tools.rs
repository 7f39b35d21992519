//! Binds six calls with typical errors of models and prints the results. Run it with
//! `cargo run -p llmjson --example tools --features schemars,tools`.

#![allow(clippy::print_stdout)]

use std::error::Error;
use std::fmt::Write as _;

use llmjson::tools::{BindError, BindReport, Bound, ContractError, MatchingMode, Registry, Tool};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

#[derive(Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Sms {
    /// Number of the recipient, digits only.
    #[schemars(example = "13120057004")]
    pub(crate) phone_number: String,
    pub(crate) text: String,
    /// From 0 to 9.
    #[schemars(range(max = 9))]
    pub(crate) priority: u8,
}

#[derive(Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Dial {
    pub(crate) phone_number: Option<String>,
    pub(crate) phone_extension: Option<String>,
}

#[derive(Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Payment {
    pub(crate) account_number: String,
    pub(crate) cents: u64,
}

#[derive(Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Project {
    pub(crate) project_name: Option<String>,
    pub(crate) project_id: Option<String>,
}

/// The tools that the model may call.
pub(crate) fn registry() -> Result<Registry, ContractError> {
    Registry::builder()
        .register::<Sms>(Tool::new("send_sms", "Sends a text message."))
        .register::<Dial>(Tool::new("dial", "Dials a number or an extension."))
        .register::<Payment>(Tool::new("pay", "Pays an amount.").with_matching(MatchingMode::Exact))
        .register::<Project>(
            Tool::new("open_project", "Opens a project.")
                .with_required_any(["projectName", "projectId"]),
        )
        .build()
}

/// 1. The name is wrong, but it is the beginning of only one field's name.
pub(crate) fn misnamed(tools: &Registry) -> Result<Bound<Sms>, BindError<Sms>> {
    tools.bind(
        "send_sms",
        r#"{"phone": "13120057004", "text": "On my way", "priority": 3}"#,
    )
}

/// 2. A number is written as a string.
pub(crate) fn stringly_typed(tools: &Registry) -> Result<Bound<Sms>, BindError<Sms>> {
    tools.bind(
        "send_sms",
        r#"{"phoneNumber": "13120057004", "text": "On my way", "priority": "3"}"#,
    )
}

/// 3. The name is ambiguous, since two fields match it: the call is rejected.
pub(crate) fn ambiguous(tools: &Registry) -> Result<Bound<Dial>, BindError<Dial>> {
    tools.bind("dial", r#"{"phone": "4711"}"#)
}

/// 4. A tool that pays requires exact names, but the feedback suggests the right one.
pub(crate) fn inexact(tools: &Registry) -> Result<Bound<Payment>, BindError<Payment>> {
    tools.bind("pay", r#"{"account_number": "4711", "cents": "1200"}"#)
}

/// 5. At least one of several fields is required.
pub(crate) fn no_alternative(tools: &Registry) -> Result<Bound<Project>, BindError<Project>> {
    tools.bind("open_project", "{}")
}

/// 6. The feedback contains all issues at once, so the second call succeeds.
pub(crate) fn corrected(
    tools: &Registry,
    model: impl Fn(Option<&str>) -> String,
) -> Result<Corrected, BindError<Sms>> {
    let first = tools.bind("send_sms", &model(None));
    let error = match first {
        Err(error) if error.is_retryable() => error,
        first => return first.map(|bound| Corrected { bound, error: None }),
    };
    let second = model(Some(&error.explain()));
    Ok(Corrected {
        bound: tools.bind("send_sms", &second)?,
        error: Some(error),
    })
}

/// A call that succeeded at the first or second attempt.
pub(crate) struct Corrected {
    pub(crate) bound: Bound<Sms>,
    /// The error of the first attempt, if it failed.
    pub(crate) error: Option<BindError<Sms>>,
}

/// Simulates a model that follows the feedback.
pub(crate) fn model(explanation: Option<&str>) -> String {
    let Some(explanation) = explanation else {
        return r#"{"phone": "13120057004", "priority": "12", "urgent": true}"#.to_owned();
    };
    let told = ["`text`", "Maximum<9>", "`urgent`"];
    if told.iter().all(|what| explanation.contains(what)) {
        r#"{"phoneNumber": "13120057004", "text": "On my way", "priority": 9}"#.to_owned()
    } else {
        "I do not know what to do.".to_owned()
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    println!("{}", story()?);
    Ok(())
}

/// Returns the output of the example.
pub(crate) fn story() -> Result<String, Box<dyn Error>> {
    let tools = registry()?;
    let mut out = String::new();

    let bound = misnamed(&tools)?;
    writeln!(out, "1. {:?}\n{}", bound.value, changes(&bound.report))?;
    let bound = stringly_typed(&tools)?;
    writeln!(out, "2. {:?}\n{}", bound.value, changes(&bound.report))?;

    let explained = [
        ambiguous(&tools).map(drop).map_err(|error| error.explain()),
        inexact(&tools).map(drop).map_err(|error| error.explain()),
        no_alternative(&tools)
            .map(drop)
            .map_err(|error| error.explain()),
    ];
    for (number, explanation) in (3..).zip(explained) {
        let explanation = explanation.err().ok_or("this cannot be bound")?;
        writeln!(out, "{number}. {explanation}\n")?;
    }

    let Corrected { bound, error } = corrected(&tools, model)?;
    let error = error.ok_or("the first call cannot be bound")?;
    let answers: [(&str, Value); 3] = [
        ("MCP", error.to_mcp_result()),
        ("OpenAI", error.to_openai_message("call_1")),
        ("Anthropic", error.to_anthropic_block("toolu_1")),
    ];
    writeln!(out, "6. {}\n", error.explain())?;
    for (name, answer) in answers {
        writeln!(out, "{name}: {answer}")?;
    }
    writeln!(out, "\nThe second call: {:?}", bound.value)?;
    Ok(out)
}

/// Returns the repairs, a line each.
fn changes(report: &BindReport) -> String {
    let mut out = String::new();
    for field in report.repairs() {
        let place = |path: &Option<llmjson::report::Path>| path.as_ref().map(ToString::to_string);
        let from = place(&field.input_path).unwrap_or_default();
        let to = place(&field.field_path).unwrap_or_default();
        let _ = write!(out, "   {}: {from} -> {to}", field.status.name());
        if let (Some(before), Some(after)) = (&field.before, &field.after) {
            let _ = write!(out, ", {before} -> {after}");
        }
        out.push('\n');
    }
    out
}

//! The calls of tools in a reply, with their arguments bound.

use llmjson::syntax::parse;
use llmjson::tools::{BindError, BindReport, CallReader, NotRun, Registry, TextCall, UnknownTool};
use serde_json::{Value, json};

pub(crate) fn answer(reply: &str, tools: &Registry) -> Value {
    let found = CallReader::new(tools).read(reply);
    let calls: Vec<_> = found
        .calls()
        .iter()
        .map(|call| shown(call, reply))
        .collect();
    json!({
        "calls": calls,
        "notRun": found.not_run().iter().map(left_out).collect::<Vec<_>>(),
        "unsearched": found.unsearched().map(|rest| rest.start),
        "content": found.content(),
        "reasoning": found.reasoning(),
        "tools": tools.contracts().map(|contract| contract.name()).collect::<Vec<_>>(),
    })
}

fn shown(call: &TextCall, reply: &str) -> Value {
    let span = call.span();
    let bound = match (call.report(), call.unknown()) {
        (Some(report), _) => known(report),
        (None, Some(unknown)) => not_known(unknown.clone()),
        (None, None) => Value::Null,
    };
    json!({
        "name": call.name(),
        "family": call.family().name(),
        "ok": call.is_ok(),
        "complete": call.is_complete(),
        "certainty": call.certainty().name(),
        "written": reply.get(span.start as usize..span.end as usize),
        "arguments": pretty(call.arguments()),
        "bound": bound,
    })
}

fn left_out(shown: &NotRun) -> Value {
    json!({
        "name": shown.name(),
        "family": shown.family().name(),
        "reason": shown.reason().name(),
        "arguments": pretty(shown.arguments()),
    })
}

fn known(report: &BindReport) -> Value {
    let usable = report.is_ok() && !report.is_uncertain();
    json!({
        "arguments": report.document().to_json_pretty(),
        "feedback": (!usable).then(|| report.explain()),
    })
}

fn not_known(unknown: UnknownTool) -> Value {
    json!({"feedback": BindError::<Value>::UnknownTool(unknown).explain()})
}

/// Returns arguments as indented JSON, or as they are if they are not strict JSON.
fn pretty(arguments: &str) -> String {
    let document = parse(arguments);
    let strict = document.repairs().is_empty();
    let pretty = document.to_json_pretty().filter(|_| strict);
    pretty.unwrap_or_else(|| arguments.to_owned())
}

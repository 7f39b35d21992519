//! Tools that a model calls.

use std::cell::RefCell;

use llmjson::syntax::{JsonOut, JsonText, Kind, Raw, ToJson};
use llmjson::{
    stream::{CallEvent, Calls},
    tools::{
        Arguments, BindError, BindReport, CallReader, NotRun, Registry, TextCall, TextCalls,
        ToolList, UnknownTool,
    },
};
use serde_json::Value;
use wasm_bindgen::JsError;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::failed;
use crate::kept::{Kept, keep, take, with};
use crate::policies::policy;

thread_local! {
    static TOOLS: RefCell<Kept<Registry>> = const { RefCell::new(Kept::new()) };
    static CALLS: RefCell<Kept<Calls>> = const { RefCell::new(Kept::new()) };
}

/// Creates tools from a list in the format of OpenAI, Anthropic, Google or MCP.
///
/// # Errors
///
/// If it is not a tool list, or if a schema is invalid.
#[wasm_bindgen]
pub fn tools_new(tools: &str, policy_number: u32) -> Result<u32, JsError> {
    let list = ToolList::parse(tools).map_err(failed)?;
    let list = match policy_number {
        0 => list,
        number => list.with_each(|tool| tool.with_policy(policy(number, None))),
    };
    let registry = Registry::builder().register_tools(list).build();
    Ok(keep(&TOOLS, registry.map_err(failed)?))
}

/// Frees tools.
#[wasm_bindgen]
pub fn tools_free(number: u32) {
    take(&TOOLS, number);
}

/// Returns the tool names.
///
/// # Errors
///
/// If there are no tools with that number.
#[wasm_bindgen]
pub fn tools_names(number: u32) -> Result<String, JsError> {
    with(&TOOLS, number, |tools| {
        let names: Vec<_> = tools.contracts().map(|contract| contract.name()).collect();
        JsonText::of(&names[..])
    })
    .ok_or_else(gone)
}

/// Binds the arguments of a call.
///
/// # Errors
///
/// If there are no tools with that number.
#[wasm_bindgen]
pub fn tools_bind(
    number: u32,
    name: &str,
    arguments: &str,
    finish_reason: Option<String>,
) -> Result<String, JsError> {
    with(&TOOLS, number, |tools| {
        let mut arguments = Arguments::from(arguments);
        if let Some(reason) = &finish_reason {
            let reason = llmjson::policy::FinishReason::named(reason);
            arguments = arguments.with_finish_reason(reason);
        }
        JsonText::object_of(|out| match tools.report(name, arguments) {
            Ok(report) => write_known(&report, out),
            Err(unknown) => write_unknown(unknown, out),
        })
    })
    .ok_or_else(gone)
}

/// Finds the calls in a text.
///
/// # Errors
///
/// If there are no tools with that number.
#[wasm_bindgen]
pub fn tools_calls(number: u32, text: &str) -> Result<String, JsError> {
    with(&TOOLS, number, |tools| {
        found(&CallReader::new(tools).read(text))
    })
    .ok_or_else(gone)
}

/// Opens a stream that finds calls in streamed text.
///
/// # Errors
///
/// If there are no tools with that number.
#[wasm_bindgen]
pub fn calls_new(number: u32) -> Result<u32, JsError> {
    let stream = with(&TOOLS, number, |tools| CallReader::new(tools).stream());
    Ok(keep(&CALLS, stream.ok_or_else(gone)?))
}

/// Takes a piece, and returns the changes.
///
/// # Errors
///
/// If the stream has ended.
#[wasm_bindgen]
pub fn calls_push(number: u32, piece: &str) -> Result<String, JsError> {
    let events = with(&CALLS, number, |stream| {
        stream.push(piece);
        stream.events()
    });
    Ok(written(&events.ok_or_else(gone)?))
}

/// Ends a stream of calls: returns the changes and the findings.
///
/// # Errors
///
/// If the stream has ended.
#[wasm_bindgen]
pub fn calls_finish(number: u32) -> Result<String, JsError> {
    let stream = take(&CALLS, number).ok_or_else(gone)?;
    let (calls, events) = stream.finish_with_events();
    Ok(format!("[{},{}]", written(&events), found(&calls)))
}

/// Frees a stream of calls.
#[wasm_bindgen]
pub fn calls_free(number: u32) {
    take(&CALLS, number);
}

fn gone() -> JsError {
    JsError::new("the stream has ended, or the tools were freed")
}

fn write_known(report: &BindReport, out: &mut JsonText<'_>) {
    out.member("name", report.contract().name());
    if let Some(called) = report.called() {
        out.member("called", called);
    }
    out.member("known", true);
    out.member("ok", report.is_ok() && !report.is_uncertain());
    out.member("complete", report.is_complete());
    let root = report.document().root();
    out.member("certainty", root.map(|_| report.certainty().name()));
    if let Some(root) = root {
        out.member("arguments", root);
    }
    out.member("issues", report.issues());
    out.member("fields", &report.fields()[..]);
    if !report.is_ok() || report.is_uncertain() {
        out.member("feedback", report.explain());
    }
}

fn write_unknown(unknown: UnknownTool, out: &mut JsonText<'_>) {
    out.member("name", &unknown.name);
    out.member("known", false);
    out.member("ok", false);
    out.member("complete", true);
    out.member("certainty", None::<&str>);
    out.member("issues", [unknown.issue()]);
    out.member("fields", Raw("[]"));
    let error = BindError::<Value>::UnknownTool(unknown);
    out.member("feedback", error.explain());
}

fn found(calls: &TextCalls) -> String {
    JsonText::object_of(|out| {
        out.objects("calls", calls.calls(), write_call);
        out.objects("notRun", calls.not_run(), write_not_run);
        match calls.unsearched() {
            Some(rest) => out.object_in("unsearched", |out| {
                out.member("start", rest.start);
                out.member("end", rest.end);
            }),
            None => out.member("unsearched", None::<&str>),
        }
        out.member("content", calls.content());
        out.member("reasoning", calls.reasoning());
    })
}

fn write_not_run(shown: &NotRun, out: &mut JsonText<'_>) {
    out.member("name", shown.name());
    out.member("text", shown.arguments());
    out.member("start", shown.span().start);
    out.member("end", shown.span().end);
    out.member("family", shown.family().name());
    out.member("reason", shown.reason().name());
}

fn write_call(call: &TextCall, out: &mut JsonText<'_>) {
    out.member("name", call.name());
    if let Some(id) = call.id() {
        out.member("id", id);
    }
    out.member("text", call.arguments());
    out.member("start", call.span().start);
    out.member("end", call.span().end);
    out.member("family", call.family().name());
    out.member("ok", call.is_ok());
    out.member("complete", call.is_complete());
    out.member("certainty", call.certainty().name());
    match (call.report(), call.unknown()) {
        (Some(report), _) => out.object_in("binding", |out| write_known(report, out)),
        (None, Some(unknown)) => {
            out.object_in("binding", |out| write_unknown(unknown.clone(), out));
        }
        (None, None) => {}
    }
}

/// Writes events as `[name, call, new text]`.
fn written(events: &[CallEvent]) -> String {
    let tell =
        |out: &mut JsonText<'_>, name: &str, call: usize, what: &dyn Fn(&mut JsonText<'_>)| {
            out.open(Kind::Array);
            name.put(out);
            call.put(out);
            what(out);
            out.close(Kind::Array);
        };
    JsonText::written(|out| {
        out.array(events, |event, out| match event {
            CallEvent::Started { call, name } => tell(out, "started", *call, &|out| name.put(out)),
            CallEvent::Arguments { call, text } => {
                tell(out, "arguments", *call, &|out| text.put(out))
            }
            CallEvent::Finished {
                call,
                complete,
                ok,
                reason,
                arguments,
            } => tell(out, "finished", *call, &|out| {
                complete.put(out);
                ok.put(out);
                reason.put(out);
                arguments.put(out);
            }),
            CallEvent::Superseded { call } => tell(out, "superseded", *call, &|out| out.null()),
            _ => {}
        })
    })
}

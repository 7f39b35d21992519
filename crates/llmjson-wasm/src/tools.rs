//! Tools that a model calls.

use std::cell::RefCell;

use llmjson::syntax::{ObjectWriter, write_string};
use llmjson::tools::{
    Arguments, BindError, BindReport, CallEvent, CallReader, NotRun, Registry, TextCall,
    TextCallStream, TextCalls, ToolList, UnknownTool,
};
use serde_json::Value;
use wasm_bindgen::JsError;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::failed;
use crate::kept::{Kept, keep, take, with};
use crate::policies::policy;
use crate::raw::list;

thread_local! {
    static TOOLS: RefCell<Kept<Registry>> = const { RefCell::new(Kept::new()) };
    static CALLS: RefCell<Kept<TextCallStream>> = const { RefCell::new(Kept::new()) };
}

/// Makes tools of a list in OpenAI's, Anthropic's, Google's or MCP's form.
///
/// # Errors
///
/// If it is none, or one of its schemas is none.
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

/// Returns the names of tools.
///
/// # Errors
///
/// If there are none with that number.
#[wasm_bindgen]
pub fn tools_names(number: u32) -> Result<String, JsError> {
    with(&TOOLS, number, |tools| {
        let names: Vec<_> = tools.contracts().map(|contract| contract.name()).collect();
        list(&names, |name, out| write_string(name, out))
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
        let mut out = String::new();
        match tools.contract(name) {
            Ok(contract) => {
                let mut arguments = Arguments::from(arguments);
                if let Some(reason) = &finish_reason {
                    let reason = llmjson::policy::FinishReason::named(reason);
                    arguments = arguments.with_finish_reason(reason);
                }
                write_known(&contract.report(arguments), &mut out);
            }
            Err(unknown) => write_unknown(unknown, &mut out),
        }
        out
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

/// Opens a stream that finds calls in a text that comes in pieces.
///
/// # Errors
///
/// If there are no tools with that number.
#[wasm_bindgen]
pub fn calls_new(number: u32) -> Result<u32, JsError> {
    let stream = with(&TOOLS, number, |tools| CallReader::new(tools).stream());
    Ok(keep(&CALLS, stream.ok_or_else(gone)?))
}

/// Takes in a piece, and returns what changed.
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

/// Ends a stream of calls: what changed, and what was found.
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

fn write_known(report: &BindReport, out: &mut String) {
    let mut object = ObjectWriter::open(out);
    object.text("name", report.contract().name());
    object.boolean("known", true);
    object.boolean("ok", report.is_ok() && !report.is_uncertain());
    object.boolean("complete", report.is_complete());
    let root = report.document().root();
    match root {
        Some(root) => {
            object.text("certainty", report.certainty().name());
            root.write_json(object.member("arguments"));
        }
        None => object.member("certainty").push_str("null"),
    }
    object.list("issues", report.issues(), |issue, out| {
        out.push_str(&issue.to_json());
    });
    object.list("fields", report.fields(), |field, out| {
        out.push_str(&field.to_json());
    });
    if !report.is_ok() || report.is_uncertain() {
        object.text("feedback", &report.explain());
    }
    object.close();
}

fn write_unknown(unknown: UnknownTool, out: &mut String) {
    let mut object = ObjectWriter::open(out);
    object.text("name", &unknown.name);
    object.boolean("known", false);
    object.boolean("ok", false);
    object.boolean("complete", true);
    object.member("certainty").push_str("null");
    let issue = unknown.issue().to_json();
    object.member("issues").push_str(&format!("[{issue}]"));
    object.member("fields").push_str("[]");
    let error = BindError::<Value>::UnknownTool(unknown);
    object.text("feedback", &error.explain());
    object.close();
}

fn found(calls: &TextCalls) -> String {
    let mut out = String::new();
    let mut object = ObjectWriter::open(&mut out);
    object.list("calls", calls.calls(), write_call);
    object.list("notRun", calls.not_run(), write_not_run);
    match calls.unsearched() {
        Some(rest) => {
            let (start, end) = (rest.start, rest.end);
            let unsearched = format!("{{\"start\":{start},\"end\":{end}}}");
            object.member("unsearched").push_str(&unsearched);
        }
        None => object.member("unsearched").push_str("null"),
    }
    object.text("content", calls.content());
    object.text("reasoning", calls.reasoning());
    object.close();
    out
}

fn write_not_run(shown: &NotRun, out: &mut String) {
    let mut object = ObjectWriter::open(out);
    object.text("name", shown.name());
    object.text("text", shown.arguments());
    object.number("start", shown.span().start);
    object.number("end", shown.span().end);
    object.text("family", shown.family().name());
    object.text("reason", shown.reason().name());
    object.close();
}

fn write_call(call: &TextCall, out: &mut String) {
    let mut object = ObjectWriter::open(out);
    object.text("name", call.name());
    if let Some(id) = call.id() {
        object.text("id", id);
    }
    object.text("text", call.arguments());
    object.number("start", call.span().start);
    object.number("end", call.span().end);
    object.text("family", call.family().name());
    object.boolean("ok", call.is_ok());
    object.boolean("complete", call.is_complete());
    object.text("certainty", call.certainty().name());
    match (call.report(), call.unknown()) {
        (Some(report), _) => write_known(report, object.member("binding")),
        (None, Some(unknown)) => write_unknown(unknown.clone(), object.member("binding")),
        (None, None) => {}
    }
    object.close();
}

fn written(events: &[CallEvent]) -> String {
    let shown = events.iter().filter_map(|event| match event {
        CallEvent::Started { call, name } => Some(("started", call, quoted(name))),
        CallEvent::Arguments { call, text } => Some(("arguments", call, quoted(text))),
        CallEvent::Finished { call, complete } => Some(("finished", call, complete.to_string())),
        CallEvent::Superseded { call } => Some(("superseded", call, "null".to_owned())),
        _ => None,
    });
    let shown: Vec<_> = shown.collect();
    list(&shown, |(name, call, more), out| {
        out.push_str(&format!("[{},{call},{more}]", quoted(name)));
    })
}

fn quoted(text: &str) -> String {
    let mut out = String::new();
    write_string(text, &mut out);
    out
}

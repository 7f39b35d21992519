//! What to tell the model about a call that cannot be used.

use std::fmt::Write as _;

use serde_json::{Value, json};

use super::bind::{BindError, UnknownTool};
use super::issue::Issue;
use super::report::BindReport;

/// So many issues are listed; the others are counted, and stand in the arguments.
const LISTED_MAX: usize = 20;

/// So long the arguments with what is wrong beside them may be; what is right is folded first.
const MARKED_BYTES_MAX: usize = 16 * 1024;

/// What the model is told of a report.
pub(super) fn report(report: &BindReport) -> String {
    match &report.contract().extensions().reporter {
        None => usual(report),
        Some(reporter) => {
            super::extend::guarded(|| reporter.explain(report)).unwrap_or_else(|_| usual(report))
        }
    }
}

fn usual(report: &BindReport) -> String {
    let tool = report.contract().name();
    let issues = report.issues();
    let mut out = String::new();
    if issues.is_empty() {
        return uncertain(report);
    }
    let most = report.contract().policy().limits().feedback_bytes as usize;
    let marked = report.failure().feedback(Some(most.min(MARKED_BYTES_MAX)));
    let _ = writeln!(
        out,
        "The arguments of `{tool}` could not be used. Every place that is marked with ❌ has to be \
         put right:\n\n{marked}\n"
    );
    for (number, issue) in (1..).zip(issues.iter().take(LISTED_MAX)) {
        let _ = writeln!(out, "{number}. {}", line(issue));
    }
    if let Some(more) = issues
        .len()
        .checked_sub(LISTED_MAX)
        .filter(|more| *more > 0)
    {
        let _ = writeln!(out, "{more} more are marked above.");
    }
    let _ = write!(out, "\nCall `{tool}` again with the arguments put right.");
    out
}

/// One issue with all that helps and that its message does not say already.
fn line(issue: &Issue) -> String {
    let mut line = format!("{} ({}): {}", issue.path, issue.code, issue.message);
    let received = issue.received.as_deref().unwrap_or("nothing");
    let told = [
        ("Expected", issue.expected.as_str()),
        ("Received", received),
    ];
    for (label, text) in told {
        if !matches!(text, "" | "undefined" | "nothing") && !issue.message.contains(text) {
            let _ = write!(line, " {label}: {text}.");
        }
    }
    if let Some(example) = issue.examples.first() {
        let _ = write!(line, " Example: {example}.");
    }
    if let Some(suggestion) = &issue.suggestion {
        let _ = write!(line, " Fix: {suggestion}");
    }
    line
}

/// A call that was bound by way of a matcher that may be mistaken.
fn uncertain(report: &BindReport) -> String {
    let tool = report.contract().name();
    let mut out = format!("The arguments of `{tool}` were understood as:\n\n");
    let _ = writeln!(out, "{}\n", report.canonical_arguments());
    for field in report.uncertain() {
        let place = |path: &Option<_>| path.as_ref().map(ToString::to_string);
        let (from, to) = (place(&field.input_path), place(&field.field_path));
        let (from, to) = (from.unwrap_or_default(), to.unwrap_or_default());
        let _ = writeln!(out, "{from} was taken for {to}.");
    }
    let _ = write!(out, "\nIf that is not what was meant, call `{tool}` again.");
    out
}

/// What the model is told that called a tool which is none.
pub(super) fn unknown_tool(unknown: &UnknownTool) -> String {
    let mut message = unknown.to_string();
    if let Some(first) = message.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    if unknown.nearest.is_empty() {
        message.push('.');
    }
    message
}

impl<T> BindError<T> {
    /// The answer to an MCP client: the result of `tools/call`, with the error flag, so that the model
    /// sees it and can put its call right.
    #[must_use]
    pub fn to_mcp_result(&self) -> Value {
        json!({"content": [{"type": "text", "text": self.explain()}], "isError": true})
    }

    /// The answer to a call of OpenAI's chat completions: a message with the role `tool`.
    #[must_use]
    pub fn to_openai_message(&self, call_id: &str) -> Value {
        json!({"role": "tool", "tool_call_id": call_id, "content": self.explain()})
    }

    /// The answer to a call of Anthropic's messages: a block of type `tool_result`.
    #[must_use]
    pub fn to_anthropic_block(&self, tool_use_id: &str) -> Value {
        json!({
            "type": "tool_result",
            "tool_use_id": tool_use_id,
            "content": self.explain(),
            "is_error": true
        })
    }
}

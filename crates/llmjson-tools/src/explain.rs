//! Feedback for a model whose call cannot be bound.

use std::fmt::Write as _;

use serde_json::{Value, json};

use super::bind::{BindError, Bound};
use super::report::BindReport;
use llmjson_reply::internal::guarded;
use llmjson_reply::report::Issue;

/// Number of issues that are listed; further ones are counted, and marked in the arguments.
const LISTED_MAX: usize = 20;

/// Bytes of the marked arguments; valid parts are folded first.
const MARKED_BYTES_MAX: usize = 16 * 1024;

impl BindReport {
    /// Returns feedback for the model: the arguments with each error marked, and a numbered list of
    /// issues with suggestions. An [`IssueReporter`](super::IssueReporter) replaces it.
    #[must_use]
    pub fn explain(&self) -> String {
        match &self.contract().extensions().reporter {
            None => usual(self),
            Some(reporter) => guarded(|| reporter.explain(self)).unwrap_or_else(|_| usual(self)),
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

/// Returns one issue as a line, without repeating what its message says.
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

/// Returns the feedback for a call that an opt-in matcher bound.
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

impl<T> BindError<T> {
    /// Returns the feedback as an MCP tool result with `isError`, which clients show to the model.
    #[must_use]
    pub fn to_mcp_result(&self) -> Value {
        mcp_result(&self.explain(), true)
    }

    /// Returns the feedback as a message with the role `tool`, in the format of OpenAI's chat
    /// completions.
    #[must_use]
    pub fn to_openai_message(&self, call_id: &str) -> Value {
        openai_message(call_id, &self.explain())
    }

    /// Returns the feedback as a `tool_result` block, in the format of Anthropic's messages.
    #[must_use]
    pub fn to_anthropic_block(&self, tool_use_id: &str) -> Value {
        anthropic_block(tool_use_id, &self.explain(), true)
    }
}

/// The answer of a [dispatched](super::Registry::dispatch) call, in the providers' formats.
impl Bound<String> {
    /// Returns the answer as an MCP tool result.
    #[must_use]
    pub fn to_mcp_result(&self) -> Value {
        mcp_result(&self.value, false)
    }

    /// Returns the answer as a message with the role `tool`, in the format of OpenAI's chat
    /// completions.
    #[must_use]
    pub fn to_openai_message(&self, call_id: &str) -> Value {
        openai_message(call_id, &self.value)
    }

    /// Returns the answer as a `tool_result` block, in the format of Anthropic's messages.
    #[must_use]
    pub fn to_anthropic_block(&self, tool_use_id: &str) -> Value {
        anthropic_block(tool_use_id, &self.value, false)
    }
}

fn mcp_result(text: &str, is_error: bool) -> Value {
    json!({"content": [{"type": "text", "text": text}], "isError": is_error})
}

fn openai_message(call_id: &str, text: &str) -> Value {
    json!({"role": "tool", "tool_call_id": call_id, "content": text})
}

fn anthropic_block(tool_use_id: &str, text: &str, is_error: bool) -> Value {
    json!({
        "type": "tool_result",
        "tool_use_id": tool_use_id,
        "content": text,
        "is_error": is_error
    })
}

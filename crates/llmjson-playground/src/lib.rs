//! The playground: a page on which replies of language models are tried out.
//!
//! The page asks, and [`Playground::ask`] answers, JSON for JSON. The transport is up to the caller:
//! `llmjson playground` uses HTTP, and the page that is one file runs this code as a module of WebAssembly in a
//! worker. [`page`](page::page) writes both.
//!
//! It prints nothing, opens no files and opens no connections.

#![forbid(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]

mod again;
mod calls;
mod minimal;
pub mod page;
mod reading;
mod replay;

use llmjson::tools::{Registry, ToolList};
use llmjson::{Policy, Schema};
use serde::Deserialize;
use serde_json::{Value, json};

/// A question of the page.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Question {
    /// The name of the tab that asks.
    ask: String,
    reply: String,
    /// The text of a JSON Schema; none if blank.
    schema: String,
    /// A list of tools; none if blank.
    tools: String,
    /// The name of a preset.
    policy: String,
    /// The number of pieces that have come, of a reply that is replayed.
    at: usize,
    /// The number of times that a reply is read to be timed.
    rounds: usize,
}

/// The reason why a question has no answer: the part of the page that it is about, and what is wrong there.
struct QuestionError {
    part: &'static str,
    message: String,
}

impl QuestionError {
    fn new(part: &'static str, message: impl ToString) -> Self {
        Self {
            part,
            message: message.to_string(),
        }
    }
}

/// The engine behind the page. It keeps the schema and the tools of the last question, compiled.
///
/// ```
/// let mut playground = llmjson_playground::Playground::default();
/// let answer = playground.ask(r#"{"ask": "read", "reply": "Sure: {city: 'Oslo'}"}"#);
/// assert!(answer.contains(r#""certainty":"certain""#), "{answer}");
/// ```
#[derive(Debug, Default)]
pub struct Playground {
    schema: Option<(String, Option<Schema>)>,
    tools: Option<(String, String, Registry)>,
}

impl Playground {
    /// Answers a question. What cannot be answered has a `problem`.
    pub fn ask(&mut self, question: &str) -> String {
        let answer = serde_json::from_str(question)
            .map_err(|error| QuestionError::new("question", error))
            .and_then(|question| self.answer(&question));
        let answer = answer.unwrap_or_else(
            |QuestionError { part, message }| json!({"problem": {"part": part, "message": message}}),
        );
        answer.to_string()
    }

    fn answer(&mut self, question: &Question) -> Result<Value, QuestionError> {
        let reply = question.reply.as_str();
        let policy = policy(&question.policy)?;
        if question.ask == "calls" {
            return Ok(calls::answer(reply, self.tools(question, &policy)?));
        }
        let schema = self.schema(&question.schema)?;
        match question.ask.as_str() {
            "read" => Ok(reading::read(reply, schema, &policy)),
            "repaired" => Ok(reading::repaired(reply, schema, &policy)),
            "time" => Ok(reading::time(reply, schema, &policy, question.rounds)),
            "repairs" => Ok(reading::repairs(reply, schema, &policy)),
            "policies" => Ok(reading::policies(reply, schema)),
            "stream" => Ok(replay::answer(reply, schema, &policy, question.at)),
            "retry" => Ok(again::answer(reply, schema, policy)),
            "minimal" => Ok(minimal::answer(reply, schema, &policy)),
            other => {
                let message = format!("nothing is asked by {other:?}");
                Err(QuestionError::new("question", message))
            }
        }
    }

    fn schema(&mut self, text: &str) -> Result<Option<&Schema>, QuestionError> {
        if self.schema.as_ref().is_none_or(|(known, _)| known != text) {
            let schema = match text.trim() {
                "" => None,
                _ => Some(
                    Schema::from_text(text).map_err(|error| QuestionError::new("schema", error))?,
                ),
            };
            self.schema = Some((text.to_owned(), schema));
        }
        Ok(self.schema.as_ref().and_then(|(_, schema)| schema.as_ref()))
    }

    fn tools(&mut self, question: &Question, policy: &Policy) -> Result<&Registry, QuestionError> {
        let (text, name) = (&question.tools, &question.policy);
        let known = self.tools.as_ref();
        if known.is_none_or(|(tools, policy, _)| (tools, policy) != (text, name)) {
            let registry = registry(text, policy, name)?;
            self.tools = Some((text.clone(), name.clone(), registry));
        }
        Ok(&self.tools.as_ref().expect("they were put there").2)
    }
}

fn policy(name: &str) -> Result<Policy, QuestionError> {
    match name {
        "" => Ok(Policy::lenient()),
        _ => Policy::named(name)
            .ok_or_else(|| QuestionError::new("policy", format!("no policy is named {name:?}"))),
    }
}

/// The tools of a list. Where nothing stricter is asked for, each is bound under the policy of its own.
fn registry(text: &str, policy: &Policy, name: &str) -> Result<Registry, QuestionError> {
    let broken = |error: &dyn std::fmt::Display| QuestionError::new("tools", error);
    if text.trim().is_empty() {
        return Ok(Registry::default());
    }
    let list = ToolList::parse(text).map_err(|error| broken(&error))?;
    let list = match name {
        "" | "lenient" => list,
        _ => list.with_each(|tool| tool.with_policy(policy.clone())),
    };
    let built = Registry::builder().register_tools(list).build();
    built.map_err(|error| broken(&error))
}

/// Compiles the examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

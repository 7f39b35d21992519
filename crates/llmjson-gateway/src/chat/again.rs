//! Retries: the messages added to the client's, and the usage of all replies.

use std::collections::BTreeMap;

use llmjson::policy::FinishReason;
use llmjson::retry::{Message, Next, OnTruncation, Reply, Retry, SchemaIn, Turn};
use llmjson::syntax::{Document, json_object};
use serde_json::{Number, Value};

use super::judge::{Given, Wrong};
use super::request::Plan;
use crate::json::{self, Node};
use crate::report::Report;

/// The earlier unusable replies.
#[derive(Debug, Default)]
pub(super) struct Again {
    /// The number of retries.
    pub(super) retries: u32,
    /// The names of members dropped from the request, for the report.
    pub(super) dropped: Vec<String>,
    /// `true` once no further reply will be requested.
    pub(super) is_over: bool,
    /// The total usage of earlier replies.
    usage: Option<Value>,
    /// The further messages about each choice, by index.
    talks: BTreeMap<u32, Talk>,
}

/// The further messages about a choice.
#[derive(Debug, Default)]
struct Talk {
    /// The number of retries.
    retries: u32,
    /// The messages after the client's, as JSON.
    messages: Vec<String>,
    /// The conversation about structured content.
    turn: Option<Turn<Message>>,
}

impl Again {
    /// Returns the next request after an unusable choice; `None` if there is no retry. A reply that
    /// was truncated by its token limit would be truncated again.
    pub(super) fn ask(&mut self, plan: &Plan, given: &Given, wrong: &Wrong) -> Option<Vec<u8>> {
        let talk = self.talks.entry(given.choice).or_default();
        if self.is_over || talk.retries >= plan.treatment.retries || given.is_cut() {
            return None;
        }
        let body = talk.ask(plan, given, wrong)?;
        self.retries += 1;
        Some(body)
    }

    /// Adds the usage of a whole reply that the client does not see.
    pub(super) fn add_usage_of(&mut self, body: &[u8]) {
        let document = json::read(body);
        let root = document.as_ref().and_then(Document::root);
        if let Some(usage) = root.and_then(|root| json::member(root, "usage")) {
            self.add_usage(json::written(usage));
        }
    }

    /// Adds the usage of a reply that the client does not see.
    pub(super) fn add_usage(&mut self, usage: &str) {
        let Ok(usage) = serde_json::from_str::<Value>(usage) else {
            return;
        };
        self.usage = Some(match self.usage.take() {
            Some(before) => sum(before, usage),
            None => usage,
        });
    }

    /// Returns the usage of all replies, if there was an earlier one.
    pub(super) fn usage(&self, last: &str) -> Option<String> {
        let before = self.usage.clone()?;
        let last = serde_json::from_str::<Value>(last).ok()?;
        let both = if last.is_null() {
            before
        } else {
            sum(before, last)
        };
        Some(both.to_string())
    }

    pub(super) fn note(&self, report: &mut Report) {
        report.set_retries(self.retries);
        self.dropped.iter().for_each(|name| report.reason(name));
    }
}

impl Talk {
    fn ask(&mut self, plan: &Plan, given: &Given, wrong: &Wrong) -> Option<Vec<u8>> {
        let before = self.messages.len();
        match wrong {
            Wrong::Calls(told) => self.tell_calls(plan, given, told),
            Wrong::Text(feedback) => {
                let content = given.content.as_deref().unwrap_or_default();
                self.messages.push(message("assistant", content));
                self.messages.push(message("user", feedback));
            }
            Wrong::Content => self.tell_content(plan, given)?,
        }
        let body = self.body(plan);
        match body {
            Some(_) => self.retries += 1,
            None => self.messages.truncate(before),
        }
        body
    }

    /// Returns the coerced calls, and a tool message for each of them.
    fn tell_calls(&mut self, plan: &Plan, given: &Given, told: &[(String, Option<String>)]) {
        let id = |place: usize| match given.calls[place].id.as_str() {
            "" => plan.call_id("", given.choice, place),
            id => id.to_owned(),
        };
        let calls = told.iter().enumerate().map(|(place, told)| {
            let (name, arguments) = (&given.calls[place].name, &told.0);
            json_object!({
                "id": id(place),
                "type": "function",
                "function": { "name": name, "arguments": arguments },
            })
        });
        let calls = json_object!({
            "role": "assistant",
            "content": given.content.as_deref(),
            "tool_calls": json::Texts(&calls.collect::<Vec<_>>()),
        });
        self.messages.push(calls);
        for (place, (_, wrong)) in told.iter().enumerate() {
            const OTHER: &str =
                "Not run, since another call of the same reply could not be used. Call it again.";
            let text = wrong.as_deref().unwrap_or(OTHER);
            self.messages.push(json_object!({
                "role": "tool",
                "tool_call_id": id(place),
                "content": text,
            }));
        }
    }

    /// Returns the reply and the feedback, as the library's retry writes them.
    fn tell_content(&mut self, plan: &Plan, given: &Given) -> Option<()> {
        let turn = match self.turn.take() {
            Some(turn) => turn,
            None => Retry::new(plan.schema()?)
                .with_policy(plan.policy.clone())
                .with_max_retries(plan.treatment.retries)
                .with_truncation(OnTruncation::Fail)
                .with_schema_in(SchemaIn::Feedback)
                .start(Vec::new()),
        };
        let before = turn.messages().len();
        let mut reply = Reply::new(given.content.as_deref().unwrap_or_default());
        if let Some(finish) = given.finish.as_deref() {
            reply = reply.with_finish_reason(FinishReason::named(finish));
        }
        let Next::NeedCompletion(turn) = turn.feed(reply) else {
            return None;
        };
        let new = turn.messages()[before..].iter();
        self.messages
            .extend(new.map(|one| message(one.role.name(), &one.text)));
        self.turn = Some(turn);
        Some(())
    }

    /// The client's request with the further messages, for one choice.
    fn body(&self, plan: &Plan) -> Option<Vec<u8>> {
        let document = json::read(&plan.body)?;
        let mut body = Node::of(document.root()?.document_text());
        let messages = body.get("messages").filter(|list| list.is_array())?;
        self.messages
            .iter()
            .for_each(|message| messages.push(message));
        if plan.is_several {
            body.set("n", "1");
        }
        Some(body.into_bytes())
    }
}

fn message(role: &str, content: &str) -> String {
    json_object!("role": role, "content": content)
}

/// Adds the numbers of two objects by key.
fn sum(one: Value, other: Value) -> Value {
    match (one, other) {
        (Value::Object(mut all), Value::Object(others)) => {
            for (name, value) in others {
                let before = all.remove(&name).unwrap_or_default();
                all.insert(name, sum(before, value));
            }
            Value::Object(all)
        }
        (Value::Number(one), Value::Number(other)) => {
            let whole = one.as_i64().zip(other.as_i64());
            let whole = whole.and_then(|(one, other)| one.checked_add(other));
            let real = || Number::from_f64(one.as_f64()? + other.as_f64()?);
            let both = whole.map(Number::from).or_else(real);
            both.map_or(Value::Null, Value::Number)
        }
        (Value::Null, other) => other,
        (one, Value::Null) => one,
        (_, other) => other,
    }
}

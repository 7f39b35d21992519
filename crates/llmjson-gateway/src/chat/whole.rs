//! Whole replies.

use llmjson::syntax::{Document, Kind, ValueRef};

use super::judge::{Extracted, Given, GivenCall, Verdict, judge};
use super::request::Plan;
use super::splitter::pieces_of;
use super::{Exchange, Step};
use crate::Rejection;
use crate::json::{self, Node};
use crate::report::{Outcome, Report};

/// A reply that cannot be used without changes.
#[derive(Debug)]
pub(super) struct Kept {
    body: Vec<u8>,
    /// The index of the choice that is requested again, if it is one of several.
    place: Option<usize>,
}

impl Exchange {
    /// Takes the body of a successful whole reply. If there are several choices, each unusable one
    /// is requested again separately.
    pub fn reply(&mut self, body: &[u8]) -> Step {
        match self.kept.take() {
            None => self.treat(body),
            Some(kept) if self.again.is_over => self.treat(&kept.body),
            Some(Kept { body: first, place }) => {
                let Some(place) = place else {
                    self.again.add_usage_of(&first);
                    return self.treat(body);
                };
                self.again.add_usage_of(body);
                let both = with_choice(&first, place, body);
                self.treat(both.as_deref().unwrap_or(&first))
            }
        }
    }

    fn treat(&mut self, body: &[u8]) -> Step {
        let mut report = Report::default();
        self.again.note(&mut report);
        if self.plan.is_idle() {
            let body = body.to_vec();
            return Step::Answer { body, report };
        }
        let document = json::read(body);
        let Some(root) = document.as_ref().and_then(Document::root) else {
            report.raise(Outcome::Failed);
            report.reason("unreadable");
            let body = body.to_vec();
            return Step::Answer { body, report };
        };
        let mut reply = Node::of(root.document_text());
        let choices: Vec<ValueRef<'_>> = json::items(root, "choices").collect();
        let id = json::text(root, "id").unwrap_or_default();
        for (place, choice) in choices.iter().enumerate() {
            let Some((message, given)) = given_of(*choice, place) else {
                continue;
            };
            if let Some(refused) = self.refused(&given, &mut report) {
                return refused;
            }
            let verdict = judge(&self.plan, &given, &mut report);
            let wrong = verdict.wrong.as_ref();
            if let Some(asked) = wrong.and_then(|wrong| self.again.ask(&self.plan, &given, wrong)) {
                self.kept = Some(Kept {
                    body: body.to_vec(),
                    place: (choices.len() > 1).then_some(place),
                });
                return Step::Ask { body: asked };
            }
            if let Some(choice) = reply.get("choices").and_then(|list| list.item(place)) {
                change(&self.plan, choice, message, &given, &verdict, &id);
            }
        }
        let usage = root.get("usage").map_or("null", json::written);
        if let Some(usage) = self.again.usage(usage) {
            reply.set("usage", usage);
        }
        let body = reply.into_bytes();
        Step::Answer { body, report }
    }
}

impl Exchange {
    /// Rejects a choice with a call that cannot be checked.
    fn refused(&self, given: &Given, report: &mut Report) -> Option<Step> {
        let mut calls = given.calls.iter();
        let reason = calls.find_map(|call| self.plan.unchecked(&call.name))?;
        report.raise(Outcome::Failed);
        report.reason(UNCHECKED);
        Some(Step::Refuse {
            rejection: Rejection::of_request("tools", UNCHECKED, &unchecked_message(reason)),
            report: report.clone(),
        })
    }
}

/// The code of the error for a call that cannot be checked.
pub(super) const UNCHECKED: &str = "unchecked_call";

pub(super) fn unchecked_message(reason: &str) -> String {
    format!("The call of the model cannot be checked, since {reason}.")
}

/// Returns a reply with one choice replaced by a further reply's choice; `None` if there is none.
fn with_choice(first: &[u8], place: usize, further: &[u8]) -> Option<Vec<u8>> {
    let (first, further) = (json::read(first)?, json::read(further)?);
    let mut first = Node::of(first.root()?.document_text());
    let old = first.get("choices")?.item(place)?;
    let new = further.root()?.get("choices")?.items().next()?;
    let mut new = Node::of(json::written(new));
    let index = old.get("index").map(|index| index.written().into_owned());
    new.set("index", index.unwrap_or_else(|| place.to_string()));
    old.replace(new.written().into_owned());
    Some(first.into_bytes())
}

/// Reads a choice, with its message.
fn given_of(choice: ValueRef<'_>, place: usize) -> Option<(ValueRef<'_>, Given)> {
    let message = json::member(choice, "message").filter(|one| one.kind() == Kind::Object)?;
    let index = choice.get("index").and_then(ValueRef::as_u64);
    let index = index.unwrap_or(place as u64);
    let reasoning = ["reasoning_content", "reasoning"].into_iter();
    let reasoning = reasoning.filter_map(|name| json::text(message, name));
    let given = Given {
        choice: u32::try_from(index).unwrap_or(u32::MAX),
        content: json::text(message, "content"),
        reasoning: reasoning.into_iter().next().unwrap_or_default(),
        calls: json::calls(message).map(given_call).collect(),
        finish: json::text(choice, "finish_reason"),
        is_else: json::text(message, "refusal").is_some_and(|refusal| !refusal.is_empty())
            || json::member(message, "function_call").is_some()
            || json::member(message, "content").is_some_and(|one| one.kind() != Kind::String),
    };
    Some((message, given))
}

fn given_call(call: ValueRef<'_>) -> GivenCall {
    let function = call.get("function");
    let arguments = function.and_then(|function| json::member(function, "arguments"));
    let text = arguments.and_then(ValueRef::as_str);
    GivenCall {
        id: json::text(call, "id").unwrap_or_default(),
        name: function
            .and_then(|function| json::text(function, "name"))
            .unwrap_or_default(),
        is_json: arguments.is_some() && text.is_none(),
        arguments: match (text, arguments) {
            (Some(text), _) => text.into_owned(),
            (None, Some(value)) => json::written(value).to_owned(),
            (None, None) => String::new(),
        },
    }
}

/// Applies the verdict on a choice.
fn change(
    plan: &Plan,
    choice: &mut Node<'_>,
    message: ValueRef<'_>,
    given: &Given,
    verdict: &Verdict,
    id: &str,
) {
    if !verdict.extracted.is_empty() && verdict.content.is_some() {
        let rest = verdict.content.as_ref().and_then(Option::as_deref);
        leave_logprobs(choice, rest.unwrap_or_default());
    }
    if verdict.ends_with_calls {
        choice.set_text("finish_reason", "tool_calls");
    }
    let Some(own) = choice.get("message") else {
        return;
    };
    if let Some(calls) = own.get("tool_calls") {
        for (place, ((call, own), given)) in
            (json::calls(message).zip(calls.items()).zip(&given.calls)).enumerate()
        {
            let Some(function) = own
                .get("function")
                .filter(|_| call.get("function").is_some())
            else {
                continue;
            };
            let mut change = verdict.calls.get(place).cloned().unwrap_or_default();
            // Other dialects expect a string.
            if plan.is_translated && given.is_json && change.arguments.is_none() {
                change.arguments = Some(given.arguments.clone());
            }
            let members = [("name", &change.name), ("arguments", &change.arguments)];
            for (name, text) in members {
                if let Some(text) = text {
                    function.set_text(name, text);
                }
            }
        }
        let place = (given.choice, given.calls.len());
        for split in calls_json(plan, &verdict.split, id, place) {
            calls.push(split);
        }
    }
    match &verdict.content {
        Some(Some(content)) => own.set_text("content", content),
        Some(None) => own.set("content", "null"),
        None => {}
    }
    if !verdict.extracted.is_empty() {
        let calls = calls_json(plan, &verdict.extracted, id, (given.choice, 0));
        own.set("tool_calls", json::list(&calls));
    }
}

/// Changes the token probabilities of a text from which calls were extracted: only the tokens
/// before them are kept.
fn leave_logprobs(choice: &mut Node<'_>, mut rest: &str) {
    let Some(logprobs) = choice.get("logprobs") else {
        return;
    };
    let Some(tokens) = logprobs.get("content") else {
        return choice.set("logprobs", "null");
    };
    let mut is_before = true;
    tokens.retain(|token| {
        let text = token.get("token").and_then(|token| token.text());
        let left = text.and_then(|text| rest.strip_prefix(&*text));
        is_before &= left.is_some();
        rest = left.unwrap_or(rest);
        is_before
    });
}

/// Returns the calls in the format of `tool_calls`, from an index on.
fn calls_json(plan: &Plan, calls: &[Extracted], id: &str, place: (u32, usize)) -> Vec<String> {
    let calls = pieces_of(plan, calls, id, place).into_iter();
    calls.map(|call| call.to_json(None)).collect()
}

/// Returns a hash of a reply, a choice and an index.
pub(crate) fn number_of(reply: &str, choice: u32, place: usize) -> u64 {
    // FNV-1a
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    let numbers = [u64::from(choice), place as u64];
    let numbers = numbers.iter().flat_map(|number| number.to_le_bytes());
    for byte in reply.bytes().chain([0]).chain(numbers) {
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
    }
    hash
}

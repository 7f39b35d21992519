//! Whole replies.

use llmjson::syntax::{Document, JsonOut, JsonText, Kind, ValueRef};

use super::judge::{Extracted, Given, GivenCall, Verdict, judge};
use super::request::Plan;
use super::splitter::pieces_of;
use super::{Exchange, Step};
use crate::Rejection;
use crate::json::{self, Splice};
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
        let mut splices = Vec::new();
        let choices = json::member(root, "choices").filter(|list| list.kind() == Kind::Array);
        let choices: Vec<ValueRef<'_>> =
            choices.map_or_else(Vec::new, |list| list.items().collect());
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
            splices.extend(changes(&self.plan, *choice, message, &given, &verdict, &id));
        }
        let usage = root.get("usage").map_or("null", json::written);
        if let Some(usage) = self.again.usage(usage) {
            splices.extend(json::set(root, "usage", &usage));
        }
        let body = match splices.is_empty() {
            true => body.to_vec(),
            false => json::spliced(root.document_text(), splices).into_bytes(),
        };
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
    let old = first.root()?.get("choices")?.items().nth(place)?;
    let new = further.root()?.get("choices")?.items().next()?;
    let new = json::read(json::written(new).as_bytes())?;
    let index = old.get("index").map_or_else(
        || place.to_string(),
        |index| json::written(index).to_owned(),
    );
    let index = json::set(new.root()?, "index", &index)?;
    let new = json::spliced(new.root()?.document_text(), vec![index]);
    let splices = vec![(json::place(old)?, new)];
    Some(json::spliced(first.root()?.document_text(), splices).into_bytes())
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
        calls: calls_of(message).map(given_call).collect(),
        finish: json::text(choice, "finish_reason"),
        is_else: json::text(message, "refusal").is_some_and(|refusal| !refusal.is_empty())
            || json::member(message, "function_call").is_some()
            || json::member(message, "content").is_some_and(|one| one.kind() != Kind::String),
    };
    Some((message, given))
}

fn calls_of(message: ValueRef<'_>) -> impl Iterator<Item = ValueRef<'_>> {
    let calls = json::member(message, "tool_calls").filter(|calls| calls.kind() == Kind::Array);
    calls.into_iter().flat_map(ValueRef::items)
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

/// Returns the changes to a choice.
fn changes(
    plan: &Plan,
    choice: ValueRef<'_>,
    message: ValueRef<'_>,
    given: &Given,
    verdict: &Verdict,
    id: &str,
) -> Vec<Splice> {
    let mut splices = Vec::new();
    for (place, (call, given)) in calls_of(message).zip(&given.calls).enumerate() {
        let Some(function) = call.get("function") else {
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
                splices.extend(json::set(function, name, &json::string(text)));
            }
        }
    }
    if !verdict.split.is_empty()
        && let Some(calls) = json::member(message, "tool_calls").and_then(json::place)
    {
        let place = (given.choice, given.calls.len());
        let split = calls_json(plan, &verdict.split, id, place);
        let end = calls.end - 1;
        splices.push((end..end, format!(",{}", &split[1..split.len() - 1])));
    }
    if let Some(content) = &verdict.content {
        let content = content
            .as_deref()
            .map_or_else(|| "null".to_owned(), json::string);
        splices.extend(json::set(message, "content", &content));
    }
    if !verdict.extracted.is_empty() {
        if verdict.content.is_some() {
            let rest = verdict.content.as_ref().and_then(Option::as_deref);
            splices.extend(logprobs_left(choice, rest.unwrap_or_default()));
        }
        let calls = calls_json(plan, &verdict.extracted, id, (given.choice, 0));
        splices.extend(json::set(message, "tool_calls", &calls));
    }
    if verdict.ends_with_calls {
        splices.extend(json::set(choice, "finish_reason", "\"tool_calls\""));
    }
    splices
}

/// Changes the token probabilities of a text from which calls were extracted: only the tokens
/// before them are kept.
fn logprobs_left(choice: ValueRef<'_>, mut rest: &str) -> Option<Splice> {
    let logprobs = json::member(choice, "logprobs")?;
    let Some(tokens) = json::member(logprobs, "content") else {
        return json::set(choice, "logprobs", "null");
    };
    let kept = tokens.items().map_while(|token| {
        rest = rest.strip_prefix(&*token.get("token")?.as_str()?)?;
        Some(json::written(token))
    });
    let kept: Vec<&str> = kept.collect();
    Some((json::place(tokens)?, format!("[{}]", kept.join(","))))
}

/// Returns the calls in the format of `tool_calls`, from an index on.
fn calls_json(plan: &Plan, calls: &[Extracted], id: &str, (choice, first): (u32, usize)) -> String {
    let calls = pieces_of(plan, calls, id, (choice, first));
    JsonText::written(|out| out.array(&calls, |call, out| out.object(|out| call.put(out))))
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

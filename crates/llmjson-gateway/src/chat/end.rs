//! The end of a streamed reply: its choices are judged, and pending text is released.

use std::collections::BTreeSet;

use llmjson_wire::{ArgumentsForm, ChoiceState};

use super::flow::Broken;
use super::judge::{Given, GivenCall, judge};
use super::stream::{State, Stream, put_own};
use crate::report::Outcome;

const SUPERSEDED: &str = "The end of the reply contradicts what was sent of it.";

const OPEN: &str = "The reply ends within its JSON, which was not repaired.";

impl Stream {
    /// Ends a complete reply.
    pub(super) fn end(&mut self, out: &mut Vec<u8>) {
        let choices: Vec<u32> = self.flows.keys().copied().collect();
        let broken: Vec<Broken> = choices
            .iter()
            .filter_map(|choice| self.judge(*choice))
            .collect();
        if let Some(broken) = broken.first() {
            self.queue.clear();
            self.asked.clear();
            let (outcome, message, code) = match broken {
                Broken::Superseded => (Outcome::Superseded, SUPERSEDED, "superseded"),
                Broken::Open => (Outcome::Failed, OPEN, "open_json"),
            };
            self.report.raise(outcome);
            return self.close(message, code, out);
        }
        if self.state == State::Left {
            return;
        }
        let ended = self.end_last();
        if !self.asked.is_empty() {
            let mut queue = std::mem::take(&mut self.queue);
            for pending in &mut queue {
                if self.count_usage(pending.event.data.as_received()) {
                    pending.hide_usage();
                }
            }
            self.queue = queue;
        }
        self.drain(out);
        for choice in choices {
            let Some(flow) = self.flows.get_mut(&choice) else {
                continue;
            };
            let (content, calls) = flow.rest();
            let state = self.reply.choice(choice);
            let finish = match flow.ends_with_calls {
                true => Some("tool_calls"),
                false => state.and_then(ChoiceState::finish_reason),
            };
            let finish = finish.filter(|_| !ended.contains(&choice) && !flow.is_left);
            if !content.is_empty() || !calls.is_empty() || finish.is_some() {
                put_own(self.common.event(choice, &content, &calls, finish), out);
            }
        }
        if !self.asked.is_empty() {
            self.state = State::Left;
        }
    }

    /// Ends each choice once, after everything else in it. Returns the choices that a received
    /// event ends.
    fn end_last(&mut self) -> BTreeSet<u32> {
        // The choices with text after the event, and the choices that a later event ends.
        let (mut continued, mut ended) = (BTreeSet::new(), BTreeSet::new());
        let mut is_early = false;
        for pending in self.queue.iter_mut().rev() {
            let ends: BTreeSet<u32> = pending
                .finishes
                .iter()
                .map(|(choice, ..)| *choice)
                .collect();
            for choice in ends {
                if continued.contains(&choice) || !ended.insert(choice) {
                    is_early |= pending.go_on(choice);
                }
            }
            let texts = pending.slots.iter().filter(|slot| slot.from < slot.to);
            continued.extend(texts.map(|slot| slot.choice));
        }
        if is_early {
            self.report.reason("early_end");
        }
        ended
    }

    /// Judges a choice that has ended. Returns the reason if the stream cannot end this way.
    fn judge(&mut self, choice: u32) -> Option<Broken> {
        let (flow, state) = (self.flows.get_mut(&choice)).zip(self.reply.choice(choice))?;
        let given = given_of(state);
        let plan = &self.exchange.plan;
        let mut report = self.report.clone();
        let verdict = judge(plan, &given, &mut report);
        let is_several = plan.is_several && self.current.is_none();
        if let Some(wrong) = &verdict.wrong
            && (is_several || self.reply.choices().count() == 1)
            && let Some(body) = self.exchange.again.ask(plan, &given, wrong)
        {
            if !is_several {
                self.state = State::Left;
                self.asked.push_front((choice, body));
                return None;
            }
            self.asked.push_back((choice, body));
            let id = self.common.id();
            let rest = flow.leave(plan, given, &verdict, &id);
            if rest.is_begun {
                self.mute.insert(choice);
            }
            self.kept.insert(choice, rest);
            return None;
        }
        self.report = report;
        let id = self.common.id();
        flow.finish(plan, &given, &verdict, &id)
    }

    /// Abandons a reply whose end the client does not see: decided text is released, and everything
    /// else is dropped.
    pub(super) fn leave(&mut self, out: &mut Vec<u8>) {
        let last = self.usage.take();
        for flow in self.flows.values() {
            let text = self.reply.choice(flow.choice).map_or("", ChoiceState::text);
            let decided = flow.content.decided(text);
            if decided > 0 {
                self.mute.insert(flow.choice);
            }
            let mut slots = self.queue.iter().flat_map(|pending| &pending.slots);
            let first = slots.find(|slot| slot.choice == flow.choice && slot.call.is_none());
            let rest = first
                .and_then(|slot| text.get(slot.from..decided))
                .unwrap_or_default();
            if !rest.is_empty() {
                let event = self.common.event(flow.choice, rest, &[], None);
                put_own(&event, out);
            }
        }
        for pending in std::mem::take(&mut self.queue) {
            self.count_usage(pending.event.data.as_received());
        }
        self.usage = last.or(self.usage.take());
        self.held = 0;
    }
}

/// Reads the received part of a choice.
fn given_of(state: &ChoiceState) -> Given {
    let calls = state.tool_calls().iter().map(|call| {
        let function = call.to_tool_call().function;
        let arguments = function.and_then(|function| function.arguments);
        GivenCall {
            id: call.id().to_owned(),
            name: call.name().to_owned(),
            arguments: call.arguments().to_owned(),
            is_json: arguments.is_some_and(|one| one.form() == ArgumentsForm::Json),
        }
    });
    let text = state.text();
    Given {
        choice: state.index(),
        content: (!text.is_empty()).then(|| text.to_owned()),
        reasoning: state.reasoning().to_owned(),
        calls: calls.collect(),
        finish: state.finish_reason().map(str::to_owned),
        is_else: !state.refusal().is_empty()
            || !state.parts().is_empty()
            || state.to_message().extras.get("function_call").is_some(),
    }
}

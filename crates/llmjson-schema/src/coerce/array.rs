//! The items of an array.

use llmjson_syntax::Kind;

use super::log::{Changes, LogStep};
use super::state::{ArrayFrame, CONTAINERS, Call, Coercer, Fitness, Frame, Next, Outcome};
use crate::ir::shape::{ArrayRules, Types};

impl Coercer<'_, '_> {
    pub(super) fn array(&mut self, call: Call, rules: &ArrayRules) -> Next {
        let mut waiting = Vec::new();
        let mut fitness = Fitness::VALID;
        let mut count = 0;
        let mut settled = self.settled(call.node, call.shape);
        for (at, item) in (0u32..).zip(self.value(call.node).items()) {
            count += 1;
            let Some(shape) = rules.item(at as usize) else {
                continue;
            };
            if settled.has(item.id()) {
                self.settle(item, shape);
                continue;
            }
            if fitness.takes_in(self.quick_verdict(item, shape, &call)) {
                waiting.push((at, item.id(), shape));
            }
            if !fitness.conforms && call.has(Call::JUDGE) {
                return Next::Done(Outcome::agreeing(call.node));
            }
        }
        fitness.conforms &= rules.takes_count(count);
        let conforms = fitness.conforms;
        if waiting.is_empty() || (call.has(Call::JUDGE) && !conforms) {
            return Next::Done(Outcome {
                conforms,
                ..Outcome::agreeing(call.node)
            });
        }
        let is_other = waiting.first().is_some_and(|(at, node, _)| {
            *at == 0 && Types::of_value(self.value(*node)).meets(CONTAINERS)
        });
        if is_other && let Some(laid) = self.other_rows(call, rules) {
            return self.read_layout(call, laid);
        }
        waiting.reverse();
        self.next_item(Box::new(ArrayFrame {
            call,
            waiting,
            written: Vec::new(),
            fitness: Fitness {
                sure: fitness.sure && conforms,
                ..fitness
            },
            changes: Changes::none(),
        }))
    }

    fn next_item(&mut self, frame: Box<ArrayFrame>) -> Next {
        match frame.waiting.last() {
            Some(&(_, node, shape)) => {
                let mut call = frame.call.inside(node, shape);
                // An item is not a field, but an object among the items has fields.
                if self.options.plain_fields && self.value(node).kind() != Kind::Object {
                    call = call.with(Call::JUDGE);
                }
                self.wait(Frame::Array(frame), call)
            }
            None => Next::Done(self.finish_array(*frame)),
        }
    }

    pub(super) fn resume_array(&mut self, mut frame: Box<ArrayFrame>, outcome: Outcome) -> Next {
        let (at, node, shape) = frame.waiting.pop().expect("an item was asked about");
        self.took(&mut frame.fitness, &outcome, shape);
        if frame.call.has(Call::JUDGE) && !frame.fitness.conforms {
            return Next::Done(Outcome::agreeing(frame.call.node));
        }
        if outcome.node != node {
            frame.written.push((at, outcome.node));
        }
        let inner = self.log.below(LogStep::Index(at), outcome.changes);
        frame.changes = self.log.both(frame.changes, inner);
        self.next_item(frame)
    }

    fn finish_array(&mut self, frame: ArrayFrame) -> Outcome {
        let ArrayFrame { call, written, .. } = frame;
        let mut node = call.node;
        if !written.is_empty() {
            let mut items = Vec::with_capacity(self.value(node).len());
            items.extend(self.value(node).items().map(|item| item.id()));
            for (at, item) in written {
                items[at as usize] = item;
            }
            node = self.editor.array(&items);
            if frame.fitness.sure {
                self.settle_parts(node, call.shape);
            }
        }
        Outcome {
            node,
            agrees: true,
            conforms: frame.fitness.conforms,
            changes: frame.changes,
        }
    }
}

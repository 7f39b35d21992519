//! The items of an array.

use llmjson_syntax::{Kind, NodeId};

use super::log::{Cost, LogId, LogStep};
use super::member_scan::QuickVerdict;
use super::walk::{Call, Coercer, Frame, Next, Outcome};
use crate::ir::shape::{ArrayRules, ShapeId};

/// An array some of whose items have to be looked into.
pub(super) struct ArrayFrame {
    call: Call,
    /// Index, item and shape, the first one last.
    waiting: Vec<(u32, NodeId, ShapeId)>,
    /// The new nodes of items that changed.
    changes: Vec<(u32, NodeId)>,
    conforms: bool,
    /// `true` if all items that were settled so far are valid.
    sure: bool,
    cost: Cost,
    log: LogId,
}

impl Coercer<'_, '_> {
    pub(super) fn array(&mut self, call: Call, rules: &ArrayRules) -> Next {
        let mut waiting = Vec::new();
        let (mut conforms, mut sure) = (true, true);
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
            match self.quick_verdict(item, shape, &call) {
                QuickVerdict::Sure => {}
                QuickVerdict::Fits => sure = false,
                QuickVerdict::Unfit => (conforms, sure) = (false, false),
                QuickVerdict::Closer => waiting.push((at, item.id(), shape)),
            }
            if !conforms && call.has(Call::JUDGE) {
                return Next::Done(Outcome::agreeing(call.node));
            }
        }
        conforms &= rules.takes_count(count);
        if waiting.is_empty() || (call.has(Call::JUDGE) && !conforms) {
            return Next::Done(Outcome {
                conforms,
                ..Outcome::agreeing(call.node)
            });
        }
        waiting.reverse();
        let (changes, cost, log) = (Vec::new(), Cost::default(), LogId::EMPTY);
        self.next_item(Box::new(ArrayFrame {
            call,
            waiting,
            changes,
            conforms,
            sure: sure && conforms,
            cost,
            log,
        }))
    }

    fn next_item(&mut self, frame: Box<ArrayFrame>) -> Next {
        match frame.waiting.last() {
            Some(&(_, node, shape)) => {
                let mut call = frame.call.inside(node, shape);
                // An item is no field, but an object among them has fields.
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
        frame.conforms &= outcome.conforms;
        frame.sure = frame.sure && self.is_settled(outcome.node, shape);
        frame.cost = frame.cost.plus(outcome.cost);
        if frame.call.has(Call::JUDGE) && !frame.conforms {
            return Next::Done(Outcome::agreeing(frame.call.node));
        }
        if outcome.node != node {
            frame.changes.push((at, outcome.node));
        }
        let inner = self.log.below(LogStep::Index(at), outcome.log);
        frame.log = self.log.both(frame.log, inner);
        self.next_item(frame)
    }

    fn finish_array(&mut self, frame: ArrayFrame) -> Outcome {
        let ArrayFrame {
            call,
            changes,
            conforms,
            sure,
            cost,
            log,
            ..
        } = frame;
        let mut node = call.node;
        if !changes.is_empty() {
            let mut items = Vec::with_capacity(self.value(node).len());
            items.extend(self.value(node).items().map(|item| item.id()));
            for (at, item) in changes {
                items[at as usize] = item;
            }
            node = self.editor.array(&items);
            if sure {
                self.settle_parts(node, call.shape);
            }
        }
        Outcome {
            node,
            agrees: true,
            conforms,
            cost,
            log,
        }
    }
}

//! The walk: calls, outcomes, and the stack of frames.

use llmjson_syntax::{Editor, NodeId, Work};
use smallvec::SmallVec;

use super::log::Log;
use super::memo::Memo;
use super::options::CoerceOptions;
use super::state::{CONTAINERS, Call, Coercer, Frame, Next, Outcome, Parts, ShapePart, Walked};
use crate::base::hash::NumberMap;
use crate::base::undeclared::Undeclared;
use crate::check::fast_check::{Findings, PartChecks};
use crate::compile::WORK;
use crate::ir::shape::{Shape, ShapeId, Types};
use crate::schema::Compiled;

impl<'c, 't> Coercer<'c, 't> {
    pub(super) fn new(
        mut editor: Editor<'c, 't>,
        compiled: &'c Compiled,
        options: &'c CoerceOptions,
        findings: Findings,
    ) -> Self {
        let shapes = &compiled.shapes;
        let bytes = editor.document().text().len() + compiled.tree.size();
        editor.work_mut().raise(Work::for_bytes(WORK, bytes));
        let part_checks = (!options.changes_fitting())
            .then(|| PartChecks::new(shapes, compiled.keywords(), Undeclared::Reject, findings));
        Self {
            editor,
            shapes,
            compiled,
            options,
            log: Log::default(),
            frames: Vec::new(),
            members: Vec::new(),
            part_checks,
            memo: Memo::default(),
            joined: Vec::new(),
            declaring: Default::default(),
            classes: shapes.classes_of_many(&compiled.tree),
            inner: NumberMap::default(),
        }
    }

    /// Walks a value that should have one of the schema's shapes.
    pub(super) fn run_part(mut self, root: NodeId, shape: ShapeId, flags: u8) -> Walked<'c, 't> {
        let mask = Types::NONE;
        let call = Call {
            node: root,
            shape,
            mask,
            flags,
            level: 0,
            depth: 0,
            family: None,
        };
        let mut next = Next::Call(call);
        loop {
            next = match next {
                Next::Call(call) => self.enter(call),
                Next::Done(outcome) => match self.frames.pop() {
                    Some(frame) => self.resume(frame, outcome),
                    None => {
                        return Walked {
                            editor: self.editor,
                            outcome,
                            log: self.log,
                            joined: self.joined,
                            findings: self
                                .part_checks
                                .map(PartChecks::into_findings)
                                .unwrap_or_default(),
                        };
                    }
                },
            };
        }
    }

    fn resume(&mut self, frame: Frame, outcome: Outcome) -> Next {
        match frame {
            Frame::Object(frame) => self.resume_object(frame, outcome),
            Frame::Array(frame) => self.resume_array(frame, outcome),
            Frame::Union(frame) => self.resume_union(frame, outcome),
            Frame::Attempt(frame) => self.resume_attempt(frame, outcome),
            Frame::Parts(frame) => self.resume_parts(frame, outcome),
            Frame::Opened(frame) => self.resume_opened(&frame, outcome),
            Frame::Remember(key) => {
                self.memo.put(key, outcome);
                Next::Done(outcome)
            }
        }
    }

    fn enter(&mut self, mut call: Call) -> Next {
        #[cfg(test)]
        crate::steps::count();
        let shape = self.shapes.get(call.shape);
        let simple = shape.is_alone();
        // Fitting a value needs several passes over it and its children.
        let looks = if call.has(Call::JUDGE) { 1 } else { 4 };
        self.charge(looks * (1 + self.value(call.node).len()));
        if call.mask == Types::NONE {
            call.mask = self.shapes.types_of(call.shape);
        }
        if !simple && shape.types != Types::ALL {
            // Types next to a union hold for each of its branches.
            call.mask = call.mask.and(shape.types);
            if call.mask == Types::NONE {
                return Next::Done(Outcome::unfit(call.node));
            }
        }
        // An array of a million items would otherwise keep an answer for each.
        if !call.has(Call::REMEMBER) && self.memo.len() > ANSWERS_KEPT {
            self.forget();
        }
        if call.has(Call::REMEMBER) || !simple {
            // A walk that only judges tries nothing that the other flags could forbid.
            let flags = match call.flags & Call::JUDGE {
                0 => call.flags & (Call::NO_WRAP | Call::NO_ENVELOPE | Call::ROOT),
                judge => judge,
            };
            // The answer for one shape holds for all equivalent shapes.
            let class = self.classes.map(|classes| classes[call.shape.0 as usize]);
            let key = (call.node, class.map_or(call.shape, ShapeId), flags);
            if let Some(known) = self.memo.get(key) {
                return Next::Done(known);
            }
            if !simple && self.is_spent() {
                return Next::Done(Outcome::agreeing(call.node));
            }
            if !(simple && self.is_soon_answered(&call, shape)) {
                // If the call is repeated while it is still open, the walk is circular.
                self.memo.put(key, Outcome::unfit(call.node));
                self.frames.push(Frame::Remember(key));
            }
        }
        if simple {
            self.own(call)
        } else {
            self.parts(call, shape)
        }
    }

    /// Discards the answers, since they will not be needed again: outside unions each value is
    /// queried once. Open questions are kept.
    fn forget(&mut self) {
        self.memo = Memo::default();
        for frame in &self.frames {
            if let Frame::Remember(key) = frame {
                self.memo.put(*key, Outcome::unfit(key.0));
            }
        }
    }

    /// Returns `true` if a single check answers a question about a shape's own keywords, so that
    /// caching the answer would cost more than finding it again.
    fn is_soon_answered(&self, call: &Call, shape: &Shape) -> bool {
        let value = self.value(call.node);
        let found = Types::of_value(value);
        !found.meets(CONTAINERS)
            || call.has(Call::JUDGE)
                && (value.is_empty() || !call.mask.meets(found) || !shape.types.meets(found))
    }

    fn parts(&mut self, call: Call, shape: &'c Shape) -> Next {
        let restricts = shape.has_rules() || shape.union.is_none() && shape.types != Types::ALL;
        let mut parts: SmallVec<[ShapePart; 4]> = SmallVec::new();
        parts.extend(shape.also.iter().rev().map(|id| ShapePart::Shape(*id)));
        parts.extend(shape.union.is_some().then_some(ShapePart::Union));
        parts.extend(restricts.then_some(ShapePart::Own));
        if let ([ShapePart::Union], None) = (&parts[..], call.family) {
            return self.union(call);
        }
        // A conversion that satisfies one part but violates another is not made.
        let mask = call.mask.and(self.shapes.types_of(call.shape));
        if mask == Types::NONE {
            return Next::Done(Outcome::unfit(call.node));
        }
        let call = Call {
            mask,
            family: call.family.or(Some(call.shape)),
            ..call
        };
        let so_far = Outcome::fit(call.node);
        self.next_part(Box::new(Parts {
            call,
            parts,
            answered: 0,
            so_far,
            first: None,
        }))
    }

    fn next_part(&mut self, mut frame: Box<Parts>) -> Next {
        if self.is_spent() {
            return Next::Done(Outcome::agreeing(frame.call.node));
        }
        let part = match frame.parts.len().checked_sub(frame.answered + 1) {
            Some(at) => frame.parts[at],
            None => return self.after_parts(frame),
        };
        frame.answered += 1;
        let call = Call {
            node: frame.so_far.node,
            ..frame.call
        };
        self.frames.push(Frame::Parts(frame));
        match part {
            ShapePart::Own => self.own(call),
            ShapePart::Union => self.union(call),
            ShapePart::Shape(shape) => Next::Call(Call { shape, ..call }),
        }
    }

    fn resume_parts(&mut self, mut frame: Box<Parts>, outcome: Outcome) -> Next {
        let so_far = &mut frame.so_far;
        let takes = frame
            .call
            .mask
            .meets(Types::of_value(self.value(outcome.node)));
        so_far.conforms &= outcome.conforms;
        so_far.agrees &= outcome.agrees;
        if takes && !outcome.changes.is_empty() {
            so_far.node = outcome.node;
            so_far.changes = self.log.both(so_far.changes, outcome.changes);
        } else {
            so_far.changes = so_far.changes.at_cost_of(outcome.changes);
        }
        if frame.call.has(Call::JUDGE) && !frame.so_far.conforms {
            return Next::Done(frame.so_far);
        }
        self.next_part(frame)
    }

    /// Parts that undo each other's changes would do so without end: then nothing is changed.
    fn after_parts(&mut self, mut frame: Box<Parts>) -> Next {
        match frame.first {
            Some(first) if frame.so_far.changes.is_empty() => Next::Done(first),
            Some(_) => Next::Done(Outcome::unfit(frame.call.node)),
            None if frame.so_far.changes.is_empty() || frame.parts.len() == 1 => {
                Next::Done(frame.so_far)
            }
            None => {
                frame.first = Some(frame.so_far);
                frame.answered = 0;
                frame.so_far = Outcome::fit(frame.so_far.node);
                self.next_part(frame)
            }
        }
    }

    /// Rewrites a string that lacks the required form, or has it only leniently.
    fn other_form(&mut self, call: Call, shape: &Shape) -> Next {
        let reads = !call.has(Call::JUDGE) && self.options.reaches(call.depth);
        let read = reads.then(|| self.scalar(call, shape)).flatten();
        Next::Done(read.unwrap_or_else(|| Outcome {
            conforms: self.keeps(self.value(call.node), call.shape)
                && !self.is_no_decimal(self.value(call.node), shape),
            ..Outcome::agreeing(call.node)
        }))
    }

    /// Fits a value to a shape's own keywords.
    pub(super) fn own(&mut self, call: Call) -> Next {
        let shape = self.shapes.get(call.shape);
        let value = self.value(call.node);
        let found = Types::of_value(value);
        if !call.mask.meets(found) || !shape.agrees(value) {
            if call.has(Call::JUDGE) || !self.options.reaches(call.depth) {
                return Next::Done(Outcome::unfit(call.node));
            }
            return self.attempt(call);
        }
        if self.is_of_other_form(value, call.shape) {
            return self.other_form(call, shape);
        }
        match (&shape.object, &shape.array) {
            (Some(rules), _) if found == Types::OBJECT => self.object(call, rules),
            (_, Some(rules)) if found == Types::ARRAY => self.array(call, rules),
            _ => {
                let conforms = shape.is_within_bounds(value);
                Next::Done(Outcome {
                    conforms,
                    ..Outcome::agreeing(call.node)
                })
            }
        }
    }
}

/// Number of answers that are kept between one union and the next.
const ANSWERS_KEPT: usize = 4096;

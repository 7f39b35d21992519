//! The state of a walk: calls, their outcomes, and the frames that wait for one. The other modules
//! here act on it, and none of them knows another one's frame.

use std::collections::HashMap;
use std::ops::Range;

use llmjson_syntax::{Class, Editor, NewKey, NodeId, ValueRef};
use smallvec::SmallVec;

use super::log::{Changes, Log};
use super::memo::{Key, Memo};
use super::options::CoerceOptions;
pub(super) use super::outcome::Outcome;
use crate::base::hash::NumberMap;
use crate::base::report::CoercionKind;
use crate::check::fast_check::{Findings, PartChecks};
use crate::ir::names::Claim;
use crate::ir::shape::{ShapeId, Shapes, Types};
use crate::schema::Compiled;

pub(super) const CONTAINERS: Types = Types::ARRAY.or(Types::OBJECT);

/// A call: fit this value to this shape.
#[derive(Clone, Copy, Debug)]
pub(super) struct Call {
    pub(super) node: NodeId,
    pub(super) shape: ShapeId,
    /// Types allowed at the place as a whole, or `NONE` until they are known.
    pub(super) mask: Types,
    pub(super) flags: u8,
    /// Number of JSON strings in which the value was nested.
    pub(super) level: u8,
    pub(super) depth: u32,
    /// The shape of which this one is a part, because all parts together determine the declared
    /// members.
    pub(super) family: Option<ShapeId>,
}

impl Call {
    /// The flag to check only whether the value fits without changes.
    pub(super) const JUDGE: u8 = 1;
    /// The value is about to be wrapped in an array.
    pub(super) const NO_WRAP: u8 = 1 << 1;
    /// The value was already taken out of an envelope.
    pub(super) const NO_ENVELOPE: u8 = 1 << 2;
    /// The value is the document's.
    pub(super) const ROOT: u8 = 1 << 3;
    /// The call may be repeated: memoize the answer.
    pub(super) const REMEMBER: u8 = 1 << 4;
    /// The value's layout was already converted, or must stay unchanged.
    pub(super) const NO_LAYOUT: u8 = 1 << 5;
    /// A tag selects this branch of a union.
    pub(super) const TAGGED: u8 = 1 << 6;

    pub(super) fn has(&self, flag: u8) -> bool {
        self.flags & flag != 0
    }

    pub(super) fn with(self, flag: u8) -> Self {
        Self {
            flags: self.flags | flag,
            ..self
        }
    }

    /// Returns the call for a value one level deeper that is to replace this one.
    pub(super) fn deeper(self, node: NodeId) -> Self {
        Self {
            node,
            flags: self.flags & !Self::ROOT,
            depth: self.depth + 1,
            ..self
        }
    }

    /// Returns the call for something inside the value.
    pub(super) fn inside(&self, node: NodeId, shape: ShapeId) -> Self {
        let flags = self.flags & (Self::JUDGE | Self::REMEMBER);
        let (mask, family) = (Types::NONE, None);
        Self {
            node,
            shape,
            mask,
            flags,
            level: self.level,
            depth: self.depth + 1,
            family,
        }
    }
}

pub(super) enum Next {
    Call(Call),
    Done(Outcome),
}

/// A call that waits for the outcome of another one.
pub(super) enum Frame {
    Object(Box<ObjectFrame>),
    Array(Box<ArrayFrame>),
    Union(Box<UnionFrame>),
    Attempt(Attempt),
    /// Waits for the result of an object taken out of its envelope.
    Opened(Box<Opened>),
    Parts(Box<Parts>),
    /// Records an answer.
    Remember(Key),
}

/// The result of a quick check of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum QuickVerdict {
    /// Valid.
    Sure,
    /// Conforming, but to be judged.
    Fits,
    /// Nonconforming, and unchanged.
    Unfit,
    /// Undecided: a closer check is needed.
    Closer,
}

/// The extent to which a container fits, based on the children checked so far.
#[derive(Clone, Copy)]
pub(super) struct Fitness {
    pub(super) conforms: bool,
    /// `true` if all that was settled so far is valid.
    pub(super) sure: bool,
}

impl Fitness {
    pub(super) const VALID: Self = Self {
        conforms: true,
        sure: true,
    };
    pub(super) const UNFIT: Self = Self {
        conforms: false,
        sure: false,
    };

    /// Adds the check of a child, and returns `true` if the child needs a closer look.
    pub(super) fn takes_in(&mut self, verdict: QuickVerdict) -> bool {
        match verdict {
            QuickVerdict::Sure => {}
            QuickVerdict::Fits => self.sure = false,
            QuickVerdict::Unfit => *self = Self::UNFIT,
            QuickVerdict::Closer => return true,
        }
        false
    }
}

/// A shape that consists of several: its own keywords, its union, and further parts.
pub(super) struct Parts {
    pub(super) call: Call,
    pub(super) parts: SmallVec<[ShapePart; 4]>,
    /// Number of parts that have answered.
    pub(super) answered: usize,
    pub(super) so_far: Outcome,
    /// The result of the first round, while a second one verifies that it holds for all parts.
    pub(super) first: Option<Outcome>,
}

#[derive(Clone, Copy)]
pub(super) enum ShapePart {
    Own,
    Union,
    Shape(ShapeId),
}

/// An object with members to visit or rename.
pub(super) struct ObjectFrame {
    pub(super) call: Call,
    /// Members to visit, the first one last.
    pub(super) waiting: SmallVec<[Waiting; 4]>,
    /// The edits of members, in any order.
    pub(super) edits: SmallVec<[Edit; 4]>,
    /// Defaults of missing members.
    pub(super) filled: Vec<Filled>,
    /// Members that repeat another one, in the order of that.
    pub(super) twins: Vec<Twin>,
    pub(super) fitness: Fitness,
    /// The changes that are not part of the edits, whose cost counts in their place.
    pub(super) changes: Changes,
}

pub(super) struct Edit {
    pub(super) at: u32,
    /// The value that is kept, if there is one.
    pub(super) node: Option<NodeId>,
    pub(super) renamed: Option<u32>,
    /// The changes in it.
    pub(super) changes: Changes,
}

impl ObjectFrame {
    /// Returns the range of the members that repeat a renamed one.
    pub(super) fn twins_of(&self, of: u32) -> Range<usize> {
        let start = self.twins.partition_point(|twin| twin.of < of);
        let length = self.twins[start..].partition_point(|twin| twin.of == of);
        start..start + length
    }
}

/// A member to visit.
#[derive(Clone, Copy)]
pub(super) struct Waiting {
    /// The index of the member in the object, in its own order.
    pub(super) at: u32,
    pub(super) node: NodeId,
    pub(super) shape: ShapeId,
    /// All values with its key as one array.
    pub(super) joined: Option<NodeId>,
    /// The declared member that this one is renamed to.
    pub(super) renamed: Option<Claim>,
    /// `true` if it stays unchanged, whatever its violations.
    pub(super) kept: bool,
}

impl Waiting {
    pub(super) fn new(at: u32, node: NodeId, shape: ShapeId) -> Self {
        let (joined, renamed, kept) = (None, None, false);
        Self {
            at,
            node,
            shape,
            joined,
            renamed,
            kept,
        }
    }
}

/// A member that repeats the renamed one under another key.
#[derive(Clone, Copy)]
pub(super) struct Twin {
    /// The index of the renamed member.
    pub(super) of: u32,
    /// The index of this member.
    pub(super) at: u32,
    pub(super) node: NodeId,
}

/// An inserted default.
#[derive(Clone, Copy)]
pub(super) struct Filled {
    /// The index of the declared member.
    pub(super) slot: u32,
    pub(super) node: NodeId,
}

/// An array with items to visit.
pub(super) struct ArrayFrame {
    pub(super) call: Call,
    /// Index, item and shape, the first one last.
    pub(super) waiting: Vec<(u32, NodeId, ShapeId)>,
    /// The new nodes of changed items.
    pub(super) written: Vec<(u32, NodeId)>,
    pub(super) fitness: Fitness,
    pub(super) changes: Changes,
}

pub(super) type Branches = SmallVec<[ShapeId; 8]>;

/// A union whose branches are being tried.
pub(super) struct UnionFrame {
    pub(super) call: Call,
    /// The changes that led from the original value to the value of `call`.
    pub(super) changes: Changes,
    pub(super) round: Round,
    /// Branches still to try in this round, the next one last.
    pub(super) left: Branches,
    /// The value's type: branches that accept it are equivalent.
    pub(super) found: Types,
    /// The branch that the tag names, or the only one of the value's type, and its result.
    pub(super) meant: Option<ShapeId>,
    pub(super) meant_result: Option<Outcome>,
    /// `true` if the tag named it: then no other branch is tried.
    pub(super) tagged: bool,
    pub(super) best: Option<Outcome>,
    pub(super) tied: bool,
    /// `true` if a branch accepts the value unchanged, possibly with undeclared members.
    pub(super) valid: bool,
    /// Nonconforming results of this round, used if there is no other.
    pub(super) partial: SmallVec<[(ShapeId, Outcome); 4]>,
    /// The intended one among equivalent branches.
    pub(super) nearest: Option<Outcome>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Round {
    /// The intended branch.
    Meant,
    /// The search for a branch that fits without changes.
    Exact,
    /// The attempts with the branches of the value's type.
    Alike,
    /// The attempt with the only one of them that shares something with the value.
    Nearest,
    /// The attempts with the other branches.
    Rest,
    /// A branch fits without changes: find its defaults.
    Fill,
}

/// A value of the wrong type, with the row of the table that is being tried.
pub(super) struct Attempt {
    pub(super) call: Call,
    pub(super) row: usize,
    /// The change recorded if the row accepts it.
    pub(super) kind: CoercionKind,
    pub(super) class: Class,
    pub(super) opening: Option<Opening>,
    /// The outcome for the value as an array item, which is used unless a later row applies.
    pub(super) whole: Option<Outcome>,
    /// `true` if the value belongs to a branch of its shape's union.
    pub(super) for_union: bool,
}

impl Attempt {
    pub(super) fn new(call: Call, row: usize, kind: CoercionKind, class: Class) -> Self {
        Self {
            call,
            row,
            kind,
            class,
            opening: None,
            whole: None,
            for_union: false,
        }
    }

    /// The call for a value whose layout was converted.
    pub(super) fn laid(&mut self, (node, class): Laid) -> Offer {
        self.class = class;
        let flags = self.call.flags & !Call::ROOT;
        let laid = Call {
            node,
            flags,
            ..self.call
        };
        Offer::Own(laid.with(Call::NO_LAYOUT | Call::NO_ENVELOPE | Call::NO_WRAP))
    }
}

/// The value that a row offers.
pub(super) enum Offer {
    /// Another value in its place, for the same shape.
    Own(Call),
    /// A value for an inner shape.
    Inside(Call),
    /// The outcome.
    Done(Outcome),
}

/// A value that was parsed from a string.
#[derive(Clone, Copy)]
pub(super) struct InnerValue {
    pub(super) root: NodeId,
    pub(super) whole: bool,
    /// Strict JSON, complete.
    pub(super) sound: bool,
    /// No closer was inserted and no bare word was read as a string.
    pub(super) deliberate: bool,
}

/// An object whose envelope was opened.
pub(super) struct Opened {
    /// The call for the original object.
    pub(super) call: Call,
    pub(super) node: NodeId,
    pub(super) changes: Changes,
    /// `true` if the envelope is opened only for conforming content: because the original object
    /// may be valid, or because only its content suggests an envelope.
    pub(super) only_conforming: bool,
}

/// The content of an envelope, the string from which it was parsed, and the kind of this change.
#[derive(Clone, Copy)]
pub(super) struct Content {
    pub(super) node: NodeId,
    pub(super) text: Option<(NodeId, CoercionKind)>,
}

/// The method of unwrapping an array from an envelope.
#[derive(Clone, Copy)]
pub(super) struct Opening {
    pub(super) content: Content,
    pub(super) class: Class,
}

/// A change, its certainty, and the resulting value.
pub(super) type Read = (CoercionKind, Class, NodeId);

/// A value whose layout was converted, and the certainty that this was intended.
pub(super) type Laid = (NodeId, Class);

/// The first two parts of a shape that declare a member, by its key.
pub(super) type Declaring = HashMap<Box<str>, SmallVec<[ShapeId; 2]>>;

/// A walk: its output, its knowledge, and its pending frames.
pub(super) struct Coercer<'c, 't> {
    pub(super) editor: Editor<'c, 't>,
    pub(super) shapes: &'c Shapes,
    pub(super) compiled: &'c Compiled,
    pub(super) options: &'c CoerceOptions,
    pub(super) log: Log<'c>,
    pub(super) frames: Vec<Frame>,
    /// The members of an object being written; kept to reuse the allocation.
    pub(super) members: Vec<(NewKey<'c>, NodeId)>,
    /// The fast checks: a value that fits without changes is not visited, unless missing members in
    /// it may need defaults.
    pub(super) part_checks: Option<PartChecks<'c>>,
    pub(super) memo: Memo,
    /// The values of repeated keys, each collected in one array.
    pub(super) joined: Vec<SmallVec<[NodeId; 4]>>,
    /// The parts of a shape that declare the members with a key.
    pub(super) declaring: (Option<ShapeId>, Declaring),
    /// The classes of equivalent shapes, where they are useful.
    pub(super) classes: Option<&'c [u32]>,
    pub(super) inner: NumberMap<NodeId, Option<InnerValue>>,
}

impl Coercer<'_, '_> {
    pub(super) fn value(&self, node: NodeId) -> ValueRef<'_> {
        self.editor.document().node(node)
    }

    /// Charges the values that are examined.
    pub(super) fn charge(&mut self, steps: usize) {
        self.editor.work_mut().charge(steps);
    }

    /// Returns `true` if nothing more may be tried: a value that is not understood yet stays
    /// unchanged.
    pub(super) fn is_spent(&self) -> bool {
        self.editor.document().work().is_used_up()
    }

    /// Receives the outcome of a child.
    pub(super) fn took(&self, fitness: &mut Fitness, outcome: &Outcome, shape: ShapeId) {
        fitness.conforms &= outcome.conforms;
        fitness.sure = fitness.sure && self.is_settled(outcome.node, shape);
    }

    /// Puts a frame on the stack that waits for the answer to `call`.
    pub(super) fn wait(&mut self, frame: Frame, call: Call) -> Next {
        self.frames.push(frame);
        Next::Call(call)
    }

    /// Returns an outcome with one more change before it.
    pub(super) fn changed(
        &mut self,
        kind: CoercionKind,
        class: Class,
        before: NodeId,
        outcome: Outcome,
    ) -> Outcome {
        let change = (self.log).change_as(kind, class, before, Some(outcome.node));
        let changes = self.log.both(change, outcome.changes);
        Outcome { changes, ..outcome }
    }
}

/// The result of a walk.
pub(super) struct Walked<'c, 't> {
    pub(super) editor: Editor<'c, 't>,
    pub(super) outcome: Outcome,
    /// The log, of which the parts in the outcome are kept.
    pub(super) log: Log<'c>,
    /// The values of repeated keys that were collected in arrays.
    pub(super) joined: Vec<SmallVec<[NodeId; 4]>>,
    /// The findings about containers, including rewritten ones.
    pub(super) findings: Findings,
}

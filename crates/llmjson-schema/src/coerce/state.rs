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
    /// Types that the place as a whole could take; `NONE` until they have been found.
    pub(super) mask: Types,
    pub(super) flags: u8,
    /// Number of strings of JSON that the value was read out of.
    pub(super) level: u8,
    pub(super) depth: u32,
    /// The shape of which this one is a part, because all parts together say which members are
    /// declared.
    pub(super) family: Option<ShapeId>,
}

impl Call {
    /// The flag to check only whether the value fits without changes.
    pub(super) const JUDGE: u8 = 1;
    /// The value is about to be put into an array already.
    pub(super) const NO_WRAP: u8 = 1 << 1;
    /// The value came out of an envelope already.
    pub(super) const NO_ENVELOPE: u8 = 1 << 2;
    /// The value is the document's.
    pub(super) const ROOT: u8 = 1 << 3;
    /// The same call may be repeated: memoize the answer.
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

    /// The call for a value one level deeper that is to replace this one.
    pub(super) fn deeper(self, node: NodeId) -> Self {
        Self {
            node,
            flags: self.flags & !Self::ROOT,
            depth: self.depth + 1,
            ..self
        }
    }

    /// The call for something inside the value.
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
    /// Puts an answer on record.
    Remember(Key),
}

/// The result of one look at a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum QuickVerdict {
    /// Valid.
    Sure,
    /// Conforming, but to be judged.
    Fits,
    /// Nonconforming, and to stay.
    Unfit,
    /// Undecided: a closer check is needed.
    Closer,
}

/// The extent to which a container fits, as far as its children have been looked at.
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

    /// Takes in a look at a child, and returns whether that has to be looked into.
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

/// A shape that consists of several: its own keywords, its union, and the parts that must also
/// hold.
pub(super) struct Parts {
    pub(super) call: Call,
    pub(super) parts: SmallVec<[ShapePart; 4]>,
    /// Number of parts that have answered.
    pub(super) answered: usize,
    pub(super) so_far: Outcome,
    /// The result of the first round, while a second one makes sure that it holds for all parts.
    pub(super) first: Option<Outcome>,
}

#[derive(Clone, Copy)]
pub(super) enum ShapePart {
    Own,
    Union,
    Shape(ShapeId),
}

/// An object some of whose members have to be looked into or renamed.
pub(super) struct ObjectFrame {
    pub(super) call: Call,
    /// Members to look into, the first one last.
    pub(super) waiting: SmallVec<[Waiting; 4]>,
    /// The edits of members, in any order.
    pub(super) edits: SmallVec<[Edit; 4]>,
    /// Defaults of members that are missing.
    pub(super) filled: Vec<Filled>,
    /// Members that say once more what another one says, in the order of that.
    pub(super) twins: Vec<Twin>,
    pub(super) fitness: Fitness,
    /// The changes that are not in the edits, and whose cost counts where they are.
    pub(super) changes: Changes,
}

pub(super) struct Edit {
    pub(super) at: u32,
    /// The value that stays, if one does.
    pub(super) node: Option<NodeId>,
    pub(super) renamed: Option<u32>,
    /// The changes in it.
    pub(super) changes: Changes,
}

impl ObjectFrame {
    /// Returns the range of the members that say what a renamed one says.
    pub(super) fn twins_of(&self, of: u32) -> Range<usize> {
        let start = self.twins.partition_point(|twin| twin.of < of);
        let length = self.twins[start..].partition_point(|twin| twin.of == of);
        start..start + length
    }
}

/// A member to look into.
#[derive(Clone, Copy)]
pub(super) struct Waiting {
    /// The index of the member in the object, in its own order.
    pub(super) at: u32,
    pub(super) node: NodeId,
    pub(super) shape: ShapeId,
    /// All values of its name as one list.
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

/// A member that says under another name what the member that is renamed says.
#[derive(Clone, Copy)]
pub(super) struct Twin {
    /// The index of the member that is renamed.
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

/// An array some of whose items have to be looked into.
pub(super) struct ArrayFrame {
    pub(super) call: Call,
    /// Index, item and shape, the first one last.
    pub(super) waiting: Vec<(u32, NodeId, ShapeId)>,
    /// The new nodes of items that changed.
    pub(super) written: Vec<(u32, NodeId)>,
    pub(super) fitness: Fitness,
    pub(super) changes: Changes,
}

pub(super) type Branches = SmallVec<[ShapeId; 8]>;

/// A union whose branches are being tried.
pub(super) struct UnionFrame {
    pub(super) call: Call,
    /// The changes that led from the value that was asked about to the one of `call`.
    pub(super) changes: Changes,
    pub(super) round: Round,
    /// Branches still to try in this round, the next one last.
    pub(super) left: Branches,
    /// The value's type: branches that take it are alike.
    pub(super) found: Types,
    /// The branch that the tag names, or the only one of the value's type, and its result.
    pub(super) meant: Option<ShapeId>,
    pub(super) meant_result: Option<Outcome>,
    /// `true` if the tag named it: then no other branch is coerced to.
    pub(super) tagged: bool,
    pub(super) best: Option<Outcome>,
    pub(super) tied: bool,
    /// `true` if a branch accepts the value unchanged, possibly with undeclared members.
    pub(super) valid: bool,
    /// Results of this round that do not conform, for when none does.
    pub(super) partial: SmallVec<[(ShapeId, Outcome); 4]>,
    /// The intended one of the equivalent branches.
    pub(super) nearest: Option<Outcome>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Round {
    /// The branch that was meant.
    Meant,
    /// The search for a branch that fits untouched.
    Exact,
    /// The attempts with the branches of the value's type.
    Alike,
    /// The attempt with the only one of them that has something in common with the value.
    Nearest,
    /// The attempts with the other ones.
    Rest,
    /// A branch fits without changes; which defaults does it have?
    Fill,
}

/// A value of the wrong type, and the row of the table that is being tried for it.
pub(super) struct Attempt {
    pub(super) call: Call,
    pub(super) row: usize,
    /// The change that it is if the row takes it.
    pub(super) kind: CoercionKind,
    pub(super) class: Class,
    pub(super) opening: Option<Opening>,
    /// The outcome for the value as an array item, which is used unless a later row applies.
    pub(super) whole: Option<Outcome>,
    /// `true` if the value is for one of the branches of its shape's union.
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

/// The offer of a row for a value.
pub(super) enum Offer {
    /// Another value in its place, for the same shape.
    Own(Call),
    /// A value for a shape within.
    Inside(Call),
    /// The outcome.
    Done(Outcome),
}

/// A value that was read out of a string.
#[derive(Clone, Copy)]
pub(super) struct InnerValue {
    pub(super) root: NodeId,
    pub(super) whole: bool,
    /// Strict JSON, complete.
    pub(super) sound: bool,
    /// No closer had to be supplied and no bare word read as a string.
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

/// The content of an envelope, and the text that it was read out of, with the kind of change that
/// this is.
#[derive(Clone, Copy)]
pub(super) struct Content {
    pub(super) node: NodeId,
    pub(super) text: Option<(NodeId, CoercionKind)>,
}

/// The way in which an array is taken out of an envelope.
#[derive(Clone, Copy)]
pub(super) struct Opening {
    pub(super) content: Content,
    pub(super) class: Class,
}

/// A change, how sure it is, and the value that it gives.
pub(super) type Read = (CoercionKind, Class, NodeId);

/// A value whose layout was converted, and how certain it is that this was intended.
pub(super) type Laid = (NodeId, Class);

/// The first two parts of a shape that declare a member, by its name.
pub(super) type Declaring = HashMap<Box<str>, SmallVec<[ShapeId; 2]>>;

/// A walk: its output, its knowledge, and its pending frames.
pub(super) struct Coercer<'c, 't> {
    pub(super) editor: Editor<'c, 't>,
    pub(super) shapes: &'c Shapes,
    pub(super) compiled: &'c Compiled,
    pub(super) options: &'c CoerceOptions,
    pub(super) log: Log<'c>,
    pub(super) frames: Vec<Frame>,
    /// The members of an object that is being written; kept for its room.
    pub(super) members: Vec<(NewKey<'c>, NodeId)>,
    /// The fast checks: a value that fits without changes is not entered, unless missing members in
    /// it may have to be filled in.
    pub(super) part_checks: Option<PartChecks<'c>>,
    pub(super) memo: Memo,
    /// The values of names that came again, each of which was put into one list.
    pub(super) joined: Vec<SmallVec<[NodeId; 4]>>,
    /// The parts of a shape that declare the members of a name.
    pub(super) declaring: (Option<ShapeId>, Declaring),
    /// The classes of shapes that ask the same, where that is worth knowing.
    pub(super) classes: Option<&'c [u32]>,
    pub(super) inner: NumberMap<NodeId, Option<InnerValue>>,
}

impl Coercer<'_, '_> {
    pub(super) fn value(&self, node: NodeId) -> ValueRef<'_> {
        self.editor.document().value(node)
    }

    /// Charges what is looked at.
    pub(super) fn charge(&mut self, steps: usize) {
        self.editor.work_mut().charge(steps);
    }

    /// Returns `true` if nothing more may be tried: a value that is not understood yet stays
    /// unchanged.
    pub(super) fn is_spent(&self) -> bool {
        self.editor.document().work().is_used_up()
    }

    /// Takes the outcome of a child.
    pub(super) fn took(&self, fitness: &mut Fitness, outcome: &Outcome, shape: ShapeId) {
        fitness.conforms &= outcome.conforms;
        fitness.sure = fitness.sure && self.is_settled(outcome.node, shape);
    }

    /// Puts a frame on the stack that waits for the answer to `call`.
    pub(super) fn wait(&mut self, frame: Frame, call: Call) -> Next {
        self.frames.push(frame);
        Next::Call(call)
    }

    /// An outcome after one more change before it.
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
    /// The record, of which the parts in the outcome are kept.
    pub(super) log: Log<'c>,
    /// The values of names that came again, where they were put into one list.
    pub(super) joined: Vec<SmallVec<[NodeId; 4]>>,
    /// The findings about containers, including rewritten ones.
    pub(super) findings: Findings,
}

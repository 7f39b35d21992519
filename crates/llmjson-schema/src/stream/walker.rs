//! Goes along with a value that is coming, and writes down what the schema makes of it.

use llmjson_syntax::stream::draft::Draft;
use llmjson_syntax::stream::{Decoded, Raw};
use llmjson_syntax::{Key, Kind, Stream};
use smallvec::SmallVec;

use super::plan::{self, Child, Plan};
use crate::coerce::member_scan::is_text_null;
use crate::coerce::{CoerceOptions, TRIES, coerce_part};
use crate::ir::shape::ShapeId;
use crate::schema::Schema;

/// How many nodes may be put right while the text is coming, for each node of the value. Objects
/// that are held back within each other are gone over more than once; beyond this the rest waits
/// for the end.
const WORK_PER_NODE: usize = 8;

/// How deep JSON may be written into strings of JSON while it is coming; deeper waits for the end.
const LEVELS: u8 = 4;

/// Where what is made of a value is written down.
pub(super) struct Out<'o> {
    pub(super) draft: &'o mut Draft,
    pub(super) schema: &'o Schema,
    pub(super) options: &'o CoerceOptions,
    /// The name of the value, if it stands in a string that is a member, and whether that name
    /// comes from a string in its turn.
    pub(super) name: Option<(Key<'o>, bool)>,
}

/// Goes along with one stream.
#[derive(Clone, Debug)]
pub(super) struct Walker {
    pub(super) stream: Stream,
    root: ShapeId,
    frames: Vec<Frame>,
    /// The next node of the stream's value to be looked at.
    cursor: u32,
    /// A node that is being awaited, or is growing.
    awaited: Option<Awaited>,
    /// How many nodes have been put right.
    work: usize,
    /// How much may still be looked at to try the branches of large unions.
    tries: usize,
    /// Nothing more can be shown before the end.
    frozen: bool,
    /// How many strings the text comes out of.
    level: u8,
}

/// An open container of the stream's value.
#[derive(Clone, Debug)]
pub(super) struct Frame {
    /// Its node.
    pub(super) raw: u32,
    /// What it should be; anything if nobody says so.
    pub(super) shape: Option<ShapeId>,
    /// How many children have been looked at.
    pub(super) children: u32,
    /// Which declared members have come.
    seen: SmallVec<[u32; 8]>,
    /// From here on it waits for its end.
    held: bool,
    /// An object that waits for the tag which says what it should be.
    union: Option<ShapeId>,
    /// What is shown of it differs from what it holds.
    changed: bool,
}

impl Frame {
    fn new(raw: u32, shape: Option<ShapeId>) -> Self {
        Self {
            raw,
            shape,
            children: 0,
            seen: SmallVec::new(),
            held: false,
            union: None,
            changed: false,
        }
    }
}

#[derive(Clone, Debug)]
struct Awaited {
    raw: u32,
    shape: Option<ShapeId>,
    how: How,
}

#[derive(Clone, Debug)]
enum How {
    /// It is shown when it is whole.
    Whole,
    /// It is a text that is shown as it grows.
    Growing,
    /// It is a text that holds a container, which grows in its place.
    Inside(Box<Inside>),
}

/// A container that is read out of a string.
#[derive(Clone, Debug)]
struct Inside {
    walker: Walker,
    decoded: Decoded,
    /// How many containers are open when all in it are closed, or 0 before it has begun.
    depth: usize,
}

impl Walker {
    pub(super) fn new(stream: Stream, root: ShapeId) -> Self {
        Self {
            stream,
            root,
            frames: Vec::new(),
            cursor: 0,
            awaited: None,
            work: 0,
            tries: TRIES,
            frozen: false,
            level: 0,
        }
    }

    /// Writes down what has become certain.
    pub(super) fn advance(&mut self, out: &mut Out<'_>) {
        while !self.frozen && self.step(out) {}
    }

    /// Takes in one more node. Returns whether there may be more to do.
    fn step(&mut self, out: &mut Out<'_>) -> bool {
        if let Some(awaited) = self.awaited.take() {
            return self.go_on(awaited, out);
        }
        let Some(frame) = self.frames.last() else {
            return self.cursor == 0 && self.enter(Some(self.root), out);
        };
        let container = self.raw(frame.raw);
        // The root may turn out to go on behind what seemed to close it.
        if frame.raw > 0 && !container.open && container.after <= self.cursor {
            return self.leave(out);
        }
        if frame.held {
            if frame.raw == 0 || container.open {
                return false;
            }
            self.cursor = container.after;
            return true;
        }
        let Some(raw) = self.stream.raw(self.cursor) else {
            return false;
        };
        if frame.union.is_some() {
            return self.find_tag(out);
        }
        let list = container.value.kind() == Kind::Array;
        match plan::child(&out.schema.compiled.shapes, frame, list, &raw) {
            Child::Shape(shape) => self.enter(shape, out),
            Child::Hold => {
                self.hold();
                true
            }
        }
    }

    fn raw(&self, index: u32) -> Raw<'_> {
        self.stream.raw(index).expect("a node that has been seen")
    }

    fn hold(&mut self) {
        if let Some(frame) = self.frames.last_mut() {
            frame.held = true;
        }
    }

    /// Looks at the node under the cursor, for which a shape is known.
    fn enter(&mut self, shape: Option<ShapeId>, out: &mut Out<'_>) -> bool {
        let index = self.cursor;
        let Some(raw) = self.stream.raw(index) else {
            return false;
        };
        let shapes = &out.schema.compiled.shapes;
        let plan = plan::of(shapes, shape, &raw);
        if matches!(plan, Plan::Unclear) {
            return false;
        }
        if let Some(frame) = self.frames.last() {
            let object = self.raw(frame.raw).value.kind() == Kind::Object;
            let property = plan::property(shapes, frame.shape, object, &raw);
            // A null may have to go, and of a repeated name the last counts: the object decides.
            let null = object && raw.value.is_null() && !plan::takes_null(shapes, shape);
            if null || property.is_some_and(|property| frame.seen.contains(&property)) {
                self.hold();
                return true;
            }
            if let Some(frame) = self.frames.last_mut() {
                frame.seen.extend(property);
                frame.children += 1;
            }
        }
        let raw = self.raw(index);
        let how = match plan {
            Plan::Container(shape) => {
                self.open(index, shape, out);
                return true;
            }
            Plan::Tagged(union) => {
                let union = Some(union);
                let frame = Frame::new(index, union);
                self.frames.push(Frame { union, ..frame });
                self.cursor = index + 1;
                return true;
            }
            Plan::Text => {
                self.add(index, true, out);
                How::Growing
            }
            Plan::Inside(root) if self.level < LEVELS => How::Inside(Box::new(Inside {
                decoded: Decoded::nothing_of(raw.value),
                walker: Self {
                    level: self.level + 1,
                    ..Self::new(Stream::new().with_limits(out.options.limits), root)
                },
                depth: 0,
            })),
            Plan::Inside(_) | Plan::Unclear | Plan::Wait => How::Whole,
        };
        self.awaited = Some(Awaited {
            raw: index,
            shape,
            how,
        });
        true
    }

    /// What is shown in the innermost container differs from what it holds.
    fn mark_changed(&mut self) {
        if let Some(frame) = self.frames.last_mut() {
            frame.changed = true;
        }
    }

    /// Shows a container and goes into it.
    fn open(&mut self, index: u32, shape: Option<ShapeId>, out: &mut Out<'_>) {
        let raw = self.stream.raw(index).expect("it has been seen");
        let key = out.name_in(self.level, index, raw.key);
        out.draft.open(key, raw.value);
        self.frames.push(Frame::new(index, shape));
        self.cursor = index + 1;
    }

    /// Shows a node as it is.
    fn add(&mut self, index: u32, growing: bool, out: &mut Out<'_>) {
        let raw = self.stream.raw(index).expect("it has been seen");
        let key = out.name_in(self.level, index, raw.key);
        out.draft.copy(key, raw.value, growing);
    }

    fn go_on(&mut self, mut awaited: Awaited, out: &mut Out<'_>) -> bool {
        let Some(raw) = self.stream.raw(awaited.raw) else {
            self.awaited = Some(awaited);
            return false;
        };
        // The root is settled by the end of the text alone.
        let done = awaited.raw > 0 && !raw.open && raw.settled;
        let after = raw.after;
        match &mut awaited.how {
            How::Whole => {}
            How::Growing => {
                out.draft.set_foreign(self.level > 0, self.level > 0);
                out.draft.grow(raw.value, !done);
            }
            How::Inside(inside) => {
                let piece = inside.decoded.rest(raw.value);
                inside.walker.stream.push(&piece);
                let key = out.name_in(self.level, awaited.raw, raw.key);
                let mut within = Out {
                    draft: &mut *out.draft,
                    schema: out.schema,
                    options: out.options,
                    name: key.map(|key| (key, self.level > 0)),
                };
                let depth = within.draft.depth();
                inside.walker.advance(&mut within);
                if inside.depth == 0 && !inside.walker.frames.is_empty() {
                    inside.depth = depth + 1;
                }
            }
        }
        if !done {
            self.awaited = Some(awaited);
            return false;
        }
        if matches!(awaited.how, How::Whole) && self.may_go(&awaited, out) {
            // The object says whether it stays, for the text may stand for nothing.
            self.hold();
            return true;
        }
        self.cursor = after;
        match awaited.how {
            How::Whole => self.add_whole(awaited.raw, awaited.shape, out),
            How::Growing => {}
            How::Inside(inside) if inside.depth == 0 => {
                self.add_whole(awaited.raw, awaited.shape, out);
            }
            How::Inside(inside) => {
                self.mark_changed();
                let only_root = out.draft.depth() == inside.depth;
                match awaited.shape.filter(|_| only_root) {
                    Some(shape) => self.complete(awaited.raw, shape, out),
                    None => self.frozen = true,
                }
            }
        }
        true
    }

    /// Whether a value that is whole is a member that says null, where no text is asked for.
    fn may_go(&self, awaited: &Awaited, out: &Out<'_>) -> bool {
        let Some(frame) = self.frames.last() else {
            return false;
        };
        let shapes = &out.schema.compiled.shapes;
        is_text_null(self.raw(awaited.raw).value)
            && self.raw(frame.raw).value.kind() == Kind::Object
            && !plan::takes_text(shapes, awaited.shape)
    }

    /// Shows what the schema makes of a value that is whole.
    fn add_whole(&mut self, index: u32, shape: Option<ShapeId>, out: &mut Out<'_>) {
        let raw = self.raw(index);
        let compiled = &out.schema.compiled;
        match shape {
            Some(shape) if !compiled.part_surely_fits(raw.value, shape) => {
                self.put_right(index, shape, out);
            }
            _ => self.take_over(index, out),
        }
    }

    /// Shows a whole node as it is.
    fn take_over(&mut self, index: u32, out: &mut Out<'_>) {
        if self.level > 0 || index == 0 {
            return self.add(index, false, out);
        }
        let raw = self.raw(index);
        let key = out.name_in(0, index, raw.key);
        out.draft.take_over(key, raw.value);
    }

    /// Puts the subtree of a node right and shows it.
    fn put_right(&mut self, index: u32, shape: ShapeId, out: &mut Out<'_>) {
        if !self.may_work(index) {
            return;
        }
        let raw = self.stream.raw(index).expect("it has been seen");
        let mut part = self.stream.document().part(raw.value.id());
        let as_read = part.root().map(|root| root.id());
        let tries = &mut self.tries;
        coerce_part(&mut part, out.schema, out.options, shape, tries);
        if part.root().map(|root| root.id()) == as_read {
            return self.take_over(index, out);
        }
        let key = out.name_in(self.level, index, raw.key);
        if let Some(value) = part.root() {
            out.draft.copy(key, value, false);
        }
        self.mark_changed();
    }

    /// Puts the subtree of a node right, of which a part is shown in the innermost open container,
    /// and shows the rest.
    fn complete(&mut self, index: u32, shape: ShapeId, out: &mut Out<'_>) {
        if !self.may_work(index) {
            return;
        }
        let raw = self.stream.raw(index).expect("it has been seen");
        let mut part = self.stream.document().part(raw.value.id());
        let tries = &mut self.tries;
        coerce_part(&mut part, out.schema, out.options, shape, tries);
        out.draft.set_foreign(self.level > 0, self.level > 0);
        let goes_on = part
            .root()
            .is_some_and(|value| out.draft.complete(value, &self.stream));
        self.frozen |= !goes_on;
        self.mark_changed();
    }

    /// Whether the subtree of a node may be put right; not any more once that took too much.
    fn may_work(&mut self, index: u32) -> bool {
        let after = self.raw(index).after;
        self.work += (after - index) as usize;
        self.frozen |= self.work > WORK_PER_NODE * after as usize + 64;
        !self.frozen
    }

    /// The innermost container has been closed.
    fn leave(&mut self, out: &mut Out<'_>) -> bool {
        let Some(frame) = self.frames.last() else {
            return false;
        };
        let (index, held, union) = (frame.raw, frame.held, frame.union);
        let raw = self.stream.raw(index).expect("it has been seen");
        if !held && union.is_none() {
            let unchanged = if self.level > 0 || frame.changed {
                out.draft.close(raw.value);
                false
            } else {
                out.draft.close_unchanged(raw.value)
            };
            self.frames.pop();
            if !unchanged {
                self.mark_changed();
            }
            return true;
        }
        if !raw.settled {
            return false;
        }
        let shape = self.frames.pop().and_then(|frame| frame.shape);
        match shape {
            Some(shape) if union.is_some() => self.put_right(index, shape, out),
            Some(shape) => self.complete(index, shape, out),
            None => self.frozen = true,
        }
        true
    }

    /// Looks for the tag of an object whose union has to be told by it.
    fn find_tag(&mut self, out: &mut Out<'_>) -> bool {
        let Some((frame, raw)) = self.frames.last().zip(self.stream.raw(self.cursor)) else {
            return false;
        };
        let index = frame.raw;
        let shapes = &out.schema.compiled.shapes;
        let Some((union, tag)) = frame
            .union
            .and_then(|union| Some((union, plan::tag(shapes, union)?)))
        else {
            self.hold();
            return true;
        };
        if !raw.key.is(&tag.property) {
            if !raw.open {
                self.cursor = raw.after;
            }
            return !raw.open;
        }
        if raw.open || !raw.settled {
            return false;
        }
        match plan::branch(shapes, union, raw.value) {
            Some(branch) => {
                self.frames.pop();
                self.open(index, Some(branch), out);
            }
            None => self.hold(),
        }
        true
    }
}

impl<'o> Out<'o> {
    /// The name under which node `index` of a walker at that level is shown. Also tells the draft
    /// which texts name and value come from.
    fn name_in<'k>(&mut self, level: u8, index: u32, key: Key<'k>) -> Option<Key<'k>>
    where
        'o: 'k,
    {
        let (key, foreign) = if index > 0 {
            (Some(key), level > 0)
        } else {
            (
                self.name.map(|(key, _)| key),
                self.name.is_some_and(|(_, foreign)| foreign),
            )
        };
        self.draft.set_foreign(foreign, level > 0);
        key
    }
}

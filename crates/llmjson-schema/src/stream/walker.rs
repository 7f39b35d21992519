//! Walks along a streamed value, and writes its coerced form.

use llmjson_syntax::cursor::Source;
use llmjson_syntax::internal::stream::Decoded;
use llmjson_syntax::internal::stream::draft::{Draft, Foreign, Growth};
use llmjson_syntax::{Key, Kind, Stream, Work, steps_of_search};

use super::frame::{Member, StreamContainer};
use super::watched::WatchedString;
use crate::base::report::CoercionKind;
use crate::coerce::waits::{self, Expected, Showing};
use crate::coerce::{CoerceOptions, coerce_part, rules};
use crate::ir::shape::{ShapeId, Types};
use crate::schema::Schema;

/// The work of correcting a node: writing a copy, coercing it, comparing it with the shown value,
/// and writing it there.
const STEPS_PER_NODE: usize = 4;

/// Maximum nesting depth of JSON in JSON strings that is shown while it arrives; deeper levels wait
/// for the end.
const LEVELS: u8 = 4;

/// The output for coerced values.
pub(super) struct Out<'o> {
    pub(super) draft: &'o mut Draft,
    pub(super) schema: &'o Schema,
    pub(super) options: &'o CoerceOptions,
    /// The key of the value, if it is inside a string that is a member, and whether the key is from
    /// a string as well.
    pub(super) name: Option<(Key<'o>, bool)>,
    /// The budget of the whole stream. Nested objects that are held back are processed more than
    /// once; if that exhausts the budget, the correction waits for more text.
    pub(super) work: &'o mut Work,
}

/// A walk along one stream.
#[derive(Clone, Debug)]
pub(super) struct Walker {
    pub(super) stream: Stream,
    root: ShapeId,
    pub(super) frames: Vec<StreamContainer>,
    /// The next node of the stream's value to visit.
    cursor: u32,
    /// A node that is being awaited, or is growing.
    awaited: Option<Awaited>,
    /// `true` if nothing more can be shown before the end.
    frozen: bool,
    /// Number of strings in which the text is nested.
    pub(super) level: u8,
}

#[derive(Clone, Debug)]
struct Awaited {
    raw: u32,
    shape: Option<ShapeId>,
    /// The index among the declared members, if it is one.
    slot: Option<u32>,
    how: How,
}

#[derive(Clone, Debug)]
enum How {
    /// A value that is shown once it is complete.
    Whole,
    /// A string that is shown as it grows.
    Growing,
    /// A string that may hold a missing member after its own value.
    Watched(Box<WatchedString>),
    /// A string that contains a container, which grows in its place.
    Inside(Box<InnerContainer>),
    /// Undecided until the end of its object.
    Held,
}

/// A container that is parsed from a string.
#[derive(Clone, Debug)]
struct InnerContainer {
    walker: Walker,
    decoded: Decoded,
    /// Number of open containers once all those in it are closed, or 0 before it has begun.
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
            frozen: false,
            level: 0,
        }
    }

    /// Writes the parts of the value that have become certain.
    pub(super) fn advance(&mut self, out: &mut Out<'_>) {
        while !self.frozen && !self.waits() && self.step(out).is_some() {}
    }

    /// Returns `true` if the awaited node is shown once it is complete, and is not complete.
    fn waits(&self) -> bool {
        self.awaited.as_ref().is_some_and(|awaited| {
            let raw = self.stream.raw(awaited.raw).filter(|_| awaited.raw > 0);
            matches!(awaited.how, How::Whole | How::Held) && raw.is_some_and(|raw| !raw.is_whole())
        })
    }

    /// Visits one more node. Returns `None` if there is nothing more to do now.
    fn step(&mut self, out: &mut Out<'_>) -> Option<()> {
        if let Some(awaited) = self.awaited.take() {
            return self.go_on(awaited, out);
        }
        let Some(frame) = self.frames.last_mut() else {
            (self.cursor == 0).then_some(())?;
            return self.enter(Some(self.root), None, out);
        };
        let container = self.stream.raw(frame.raw)?;
        if !container.open && container.after <= self.cursor {
            return self.leave(out);
        }
        if frame.held {
            let index = frame.raw;
            return self.pass_by(index);
        }
        let raw = self.stream.raw(self.cursor)?;
        if frame.union.is_some() {
            return self.find_tag(out);
        }
        let is_list = container.value.kind() == Kind::Array;
        let told = (&*out.schema.compiled, out.options);
        let expected = frame.expected(told, is_list, &raw, out.work);
        match expected {
            Expected::Shape(shape, slot) => self.enter(shape, slot, out),
            Expected::Unclear => None,
            Expected::Held => self.hold_back(),
        }
    }

    /// Moves past a node once it is complete.
    fn pass_by(&mut self, index: u32) -> Option<()> {
        let raw = self.stream.raw(index)?;
        self.cursor = (index > 0 && !raw.open).then_some(raw.after)?;
        Some(())
    }

    /// Skips the member under the cursor, which its object shows at its end.
    fn hold_back(&mut self) -> Option<()> {
        self.frames.last_mut()?.late = true;
        self.awaited = Some(Awaited {
            raw: self.cursor,
            shape: None,
            slot: None,
            how: How::Held,
        });
        Some(())
    }

    /// Visits the node under the cursor, whose shape is known.
    fn enter(
        &mut self,
        shape: Option<ShapeId>,
        slot: Option<u32>,
        out: &mut Out<'_>,
    ) -> Option<()> {
        let index = self.cursor;
        let raw = self.stream.raw(index)?;
        let shapes = &out.schema.compiled.shapes;
        let showing = waits::showing(shapes, shape, &raw);
        if matches!(showing, Showing::Unclear) {
            return None;
        }
        if let Some(frame) = self.frames.last_mut() {
            frame.children += 1;
            if self.stream.raw(frame.raw)?.value.kind() == Kind::Object {
                // For a duplicate key, the last value wins: the object decides.
                let repeated = match slot {
                    Some(slot) => frame.member(slot) != Member::Nothing,
                    None => !frame.is_new(&raw.key().decoded()),
                };
                let kind = raw.value.kind();
                // `"[1]"` is the whole array.
                let held = repeated
                    || !matches!(showing, Showing::Inside(_))
                        && waits::is_for_object(shapes, out.options, shape, kind);
                if let Some(slot) = slot {
                    frame.set_member(slot, if held { Member::Held } else { Member::Shown });
                }
                if held {
                    return self.hold_back();
                }
            }
        }
        let lacks = slot.is_some() && self.may_lack(out);
        let raw = self.stream.raw(index)?;
        let how = match showing {
            Showing::Container(shape) => return self.open(index, shape, out),
            Showing::Tagged(union) => {
                let mut frame = StreamContainer::new(index, Some(union));
                frame.union = Some(union);
                self.frames.push(frame);
                self.cursor = index + 1;
                return Some(());
            }
            Showing::Text if lacks => {
                let decoded = Decoded::nothing_of(raw.value);
                How::Watched(Box::new(WatchedString::new(decoded)))
            }
            Showing::Text => {
                self.add(index, Growth::Growing, out)?;
                How::Growing
            }
            Showing::Inside(root) if self.level < LEVELS => How::Inside(Box::new(InnerContainer {
                decoded: Decoded::nothing_of(raw.value),
                walker: Self {
                    level: self.level + 1,
                    ..Self::new(Stream::new().with_limits(out.options.limits), root)
                },
                depth: 0,
            })),
            Showing::Inside(_) | Showing::Unclear | Showing::Whole => How::Whole,
        };
        self.awaited = Some(Awaited {
            raw: index,
            shape,
            slot,
            how,
        });
        Some(())
    }

    /// Marks that the shown content of the innermost container differs from its actual content.
    fn mark_changed(&mut self) {
        if let Some(frame) = self.frames.last_mut() {
            frame.changed = true;
        }
    }

    /// Shows a container and enters it.
    fn open(&mut self, index: u32, shape: Option<ShapeId>, out: &mut Out<'_>) -> Option<()> {
        let raw = self.stream.raw(index)?;
        let key = out.name_in(self.level, index, raw.key());
        out.draft.open(key, raw.value);
        self.frames.push(StreamContainer::new(index, shape));
        self.cursor = index + 1;
        Some(())
    }

    /// Shows a node unchanged.
    pub(super) fn add(&mut self, index: u32, growth: Growth, out: &mut Out<'_>) -> Option<()> {
        let raw = self.stream.raw(index)?;
        let key = out.name_in(self.level, index, raw.key());
        out.draft.copy(key, raw.value, growth);
        Some(())
    }

    fn go_on(&mut self, mut awaited: Awaited, out: &mut Out<'_>) -> Option<()> {
        let Some(raw) = self.stream.raw(awaited.raw) else {
            self.awaited = Some(awaited);
            return None;
        };
        // The root is settled only by the end of the text.
        let done = awaited.raw > 0 && raw.is_whole();
        let after = raw.after;
        match &mut awaited.how {
            How::Whole | How::Held => {}
            How::Growing => {
                out.draft.foreign = foreign_at(self.level);
                let growth = match done {
                    true => Growth::Whole,
                    false => Growth::Growing,
                };
                out.draft.grow(raw.value, growth);
            }
            How::Watched(text) => {
                if !self.show_watched((awaited.raw, done), text, out)? {
                    return Some(());
                }
            }
            How::Inside(inside) => {
                let piece = inside.decoded.rest(raw.value);
                inside.walker.stream.push(&piece);
                let key = out.name_in(self.level, awaited.raw, raw.key());
                let mut within = Out {
                    draft: &mut *out.draft,
                    schema: out.schema,
                    options: out.options,
                    name: key.map(|key| (key, self.level > 0)),
                    work: &mut *out.work,
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
            return None;
        }
        let corrects = !matches!(awaited.how, How::Growing | How::Watched(_) | How::Held);
        if corrects && out.work.is_used_up() {
            self.awaited = Some(awaited);
            return None;
        }
        self.cursor = after;
        match awaited.how {
            How::Growing | How::Watched(_) | How::Held => Some(()),
            // The object decides whether it is kept, since the string may mean nothing.
            How::Whole if self.may_go(&awaited, out)? => {
                self.frames.last_mut()?.late = true;
                Some(())
            }
            How::Whole => self.add_whole(awaited.raw, awaited.shape, out),
            How::Inside(inside) if inside.depth == 0 => {
                self.add_whole(awaited.raw, awaited.shape, out)
            }
            How::Inside(inside) => {
                let only_root = out.draft.depth() == inside.depth;
                match awaited.shape.filter(|_| only_root) {
                    Some(shape) => self.complete(awaited.raw, Some(shape), out),
                    None => self.freeze(),
                }
            }
        }
    }

    /// Returns `true` if a complete value is a member that means null, where no string is expected.
    /// In that case it has not been shown.
    fn may_go(&mut self, awaited: &Awaited, out: &Out<'_>) -> Option<bool> {
        let shapes = &out.schema.compiled.shapes;
        let raw = self.stream.raw(awaited.raw)?;
        let Some(frame) = self.frames.last_mut() else {
            return Some(false);
        };
        let object = self.stream.raw(frame.raw)?.value.kind() == Kind::Object;
        let goes = object && waits::may_go(out.options, shapes, awaited.shape, raw.value);
        if let Some(slot) = awaited.slot.filter(|_| goes) {
            frame.set_member(slot, Member::Held);
        }
        Some(goes)
    }

    /// Stops showing anything before the end.
    fn freeze(&mut self) -> Option<()> {
        self.frozen = true;
        None
    }

    /// Shows the coerced form of a complete value.
    fn add_whole(&mut self, index: u32, shape: Option<ShapeId>, out: &mut Out<'_>) -> Option<()> {
        let raw = self.stream.raw(index)?;
        let compiled = &out.schema.compiled;
        match shape {
            Some(shape) if !compiled.part_surely_fits(raw.value, shape) => {
                self.put_right(index, shape, out)
            }
            _ => self.take_over(index, out),
        }
    }

    /// Shows a complete node unchanged.
    fn take_over(&mut self, index: u32, out: &mut Out<'_>) -> Option<()> {
        if self.level > 0 || index == 0 {
            return self.add(index, Growth::Whole, out);
        }
        let raw = self.stream.raw(index)?;
        let key = out.name_in(0, index, raw.key());
        out.draft.take_over(key, raw.value);
        Some(())
    }

    /// Corrects the subtree of a node and shows it.
    fn put_right(&mut self, index: u32, shape: ShapeId, out: &mut Out<'_>) -> Option<()> {
        self.charge(index, out.work)?;
        let raw = self.stream.raw(index)?;
        let mut part = self.stream.document().part(raw.value.id());
        let as_read = part.root().map(|root| root.id());
        coerce_part(&mut part, out.schema, out.options, shape, out.work);
        if part.root().map(|root| root.id()) == as_read {
            return self.take_over(index, out);
        }
        let key = out.name_in(self.level, index, raw.key());
        if let Some(value) = part.root() {
            out.draft.copy(key, value, Growth::Whole);
        }
        self.mark_changed();
        Some(())
    }

    /// Corrects the subtree of a node, part of which is shown in the innermost open container, and
    /// shows the rest. Without a shape no correction is needed.
    fn complete(&mut self, index: u32, shape: Option<ShapeId>, out: &mut Out<'_>) -> Option<()> {
        self.charge(index, out.work)?;
        let raw = self.stream.raw(index)?;
        let mut part = self.stream.document().part(raw.value.id());
        if let Some(shape) = shape {
            coerce_part(&mut part, out.schema, out.options, shape, out.work);
        }
        out.draft.foreign = foreign_at(self.level);
        let goes_on = part
            .root()
            .is_some_and(|value| out.draft.complete(value, &self.stream));
        self.mark_changed();
        if goes_on { Some(()) } else { self.freeze() }
    }

    /// Charges the cost of correcting the subtree of a node.
    fn charge(&self, index: u32, work: &mut Work) -> Option<()> {
        let raw = self.stream.raw(index)?;
        let nodes = (raw.after - index) as usize;
        let bytes = Source::of(raw.value).entry().extent();
        work.charge(STEPS_PER_NODE * nodes + steps_of_search(bytes));
        Some(())
    }

    /// The innermost container has been closed.
    fn leave(&mut self, out: &mut Out<'_>) -> Option<()> {
        let frame = self.frames.last_mut()?;
        let (index, shape, changed) = (frame.raw, frame.shape, frame.changed);
        let raw = self.stream.raw(index)?;
        if index == 0 {
            if frame.late && out.work.is_used_up() {
                return None;
            }
            // Text after its end, if the value continues there, is shown once the text has ended.
            let late = std::mem::take(&mut frame.late) && self.level == 0;
            let shape = shape.filter(|_| {
                let kind = CoercionKind::DropUndeclared;
                late && !rules::holds_back(out.options, kind, Types::OBJECT)
            })?;
            frame.held = true;
            return self.complete(index, Some(shape), out);
        }
        if frame.union.is_some() || frame.late {
            (raw.settled && !out.work.is_used_up()).then_some(())?;
            let union = frame.union;
            self.frames.pop();
            return match union {
                Some(union) => self.put_right(index, union, out),
                None => self.complete(index, shape, out),
            };
        }
        let unchanged = if self.level > 0 || changed {
            out.draft.close(raw.value);
            false
        } else {
            out.draft.close_unchanged(raw.value)
        };
        self.frames.pop();
        if !unchanged {
            self.mark_changed();
        }
        Some(())
    }

    /// Looks for the tag of an object that selects its union branch.
    fn find_tag(&mut self, out: &mut Out<'_>) -> Option<()> {
        let frame = self.frames.last_mut()?;
        let raw = self.stream.raw(self.cursor)?;
        let index = frame.raw;
        let shapes = &out.schema.compiled.shapes;
        let union = frame.union?;
        let tag = (shapes.get(union).union.as_ref()).and_then(|union| union.tag.as_ref());
        let is_tag = tag.is_some_and(|tag| raw.key().is(&tag.property));
        if !is_tag {
            return self.pass_by(self.cursor);
        }
        if raw.open || !raw.settled {
            return None;
        }
        match waits::branch(shapes, union, raw.value) {
            Some(branch) => {
                self.frames.pop();
                self.open(index, Some(branch), out)
            }
            None => {
                frame.held = true;
                Some(())
            }
        }
    }
}

/// Returns the parts of a walker's values at that level that are not from the stream's text.
pub(super) const fn foreign_at(level: u8) -> Foreign {
    Foreign {
        names: level > 0,
        values: level > 0,
    }
}

impl<'o> Out<'o> {
    /// Returns the key under which node `index` of a walker at that level is shown. Also sets the
    /// source texts of key and value in the draft.
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
        self.draft.foreign = Foreign {
            names: foreign,
            values: level > 0,
        };
        key
    }
}

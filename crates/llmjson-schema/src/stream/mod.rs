//! What a schema makes of a text that is still coming.
//!
//! The value is written down once more as it comes, each part when it is certain what the schema
//! makes of it: a scalar once it is settled, a text that may be any text as it grows, a container
//! of the wanted type with its first member. What only the whole of an object can tell (a name that
//! nobody declared, a null that may have to go, an untagged union) holds that object back from
//! there until it is closed; then it is put right as in a whole value. What the whole reply amounts
//! to is told at its end by the same functions as for any reply.

mod plan;

use llmjson_syntax::stream::Raw;
use llmjson_syntax::stream::draft::Draft;
use llmjson_syntax::{Document, Event, Finished, InvalidUtf8, Limits, Stream, ValueRef};
use smallvec::SmallVec;

use crate::coerce::{CoerceOptions, coerce_part};
use crate::schema::Schema;
use crate::shape::ShapeId;
use plan::{Child, Plan};

/// How many nodes may be put right while the text is coming, for each node of the value. Objects
/// that are held back within each other are gone over more than once; beyond this the rest waits
/// for the end.
const WORK_PER_NODE: usize = 8;

/// Reads a text that comes in pieces, and shows at any time what the schema makes of it so far.
///
/// Nothing that was shown is taken back before the end. What it costs depends on what has come,
/// not on the whole.
///
/// ```
/// use llmjson_schema::{CoerceOptions, CoercedStream, Schema};
///
/// let schema = Schema::from_text(
///     r#"{"type": "object", "properties": {
///         "city": {"type": "string"}, "days": {"type": "integer"},
///         "level": {"enum": ["low", "high"]}}}"#,
/// )?;
/// let mut stream = CoercedStream::new(&schema, CoerceOptions::default());
/// let mut shown = Vec::new();
/// for piece in ["{\"city\": \"Par", "is\", \"days\": \"1", "2\", \"level\": \"H", "igh\"", "}"] {
///     stream.push(piece);
///     shown.extend(stream.value().map(|value| value.to_json()));
/// }
/// assert_eq!(shown, [
///     r#"{"city":"Par"}"#,
///     r#"{"city":"Paris"}"#,
///     r#"{"city":"Paris","days":12}"#,
///     r#"{"city":"Paris","days":12}"#,
///     r#"{"city":"Paris","days":12,"level":"high"}"#,
/// ]);
/// # Ok::<(), llmjson_schema::SchemaError>(())
/// ```
#[derive(Clone, Debug)]
pub struct CoercedStream {
    stream: Stream,
    schema: Schema,
    options: CoerceOptions,
    draft: Draft,
    frames: Vec<Frame>,
    /// The next node of the stream's value to be looked at.
    cursor: u32,
    /// A node that is being awaited, or a text that is growing.
    awaited: Option<Awaited>,
    /// How many nodes have been put right.
    work: usize,
    /// Nothing more can be shown before the end.
    frozen: bool,
}

/// An open container of the stream's value.
#[derive(Clone, Debug)]
struct Frame {
    /// Its node.
    raw: u32,
    /// What it should be; anything if nobody says so.
    shape: Option<ShapeId>,
    /// How many children have been looked at.
    children: u32,
    /// Which declared members have come.
    seen: SmallVec<[u32; 8]>,
    /// From here on it waits for its end.
    held: bool,
    /// An object that waits for the tag which says what it should be.
    union: Option<ShapeId>,
}

#[derive(Clone, Copy, Debug)]
struct Awaited {
    raw: u32,
    shape: Option<ShapeId>,
    /// It is a text that is shown as it grows.
    growing: bool,
}

/// What a stream with a schema amounts to: see [`CoercedStream::finish`].
#[derive(Debug)]
pub struct Shown {
    draft: Draft,
    text: String,
}

impl CoercedStream {
    /// An empty text, of which the schema wants to make something.
    #[must_use]
    pub fn new(schema: &Schema, options: CoerceOptions) -> Self {
        Self {
            stream: Stream::new().with_limits(options.limits),
            schema: schema.clone(),
            options,
            draft: Draft::default(),
            frames: Vec::new(),
            cursor: 0,
            awaited: None,
            work: 0,
            frozen: false,
        }
    }

    /// The same stream with other limits for reading.
    #[must_use]
    pub fn with_limits(self, limits: Limits) -> Self {
        let stream = self.stream.with_limits(limits);
        Self { stream, ..self }
    }

    /// Takes in the next piece of the text.
    pub fn push(&mut self, piece: &str) {
        self.stream.push(piece);
        self.advance();
    }

    /// Takes in the next piece of a text in UTF-8, which may end within a character.
    ///
    /// # Errors
    ///
    /// If the bytes are not UTF-8, as [`Stream::push_bytes`] says.
    pub fn push_bytes(&mut self, piece: &[u8]) -> Result<(), InvalidUtf8> {
        let result = self.stream.push_bytes(piece);
        self.advance();
        result
    }

    /// What the schema makes of the text so far; `None` before a value has begun.
    #[must_use]
    pub fn value(&self) -> Option<ValueRef<'_>> {
        self.draft.root(self.stream.text())
    }

    /// The text as it comes, and its value before any coercion.
    #[must_use]
    pub fn stream(&self) -> &Stream {
        &self.stream
    }

    /// What has changed since the last look, in order.
    pub fn events(&mut self) -> Vec<Event> {
        let (before, end) = (self.stream.passed(), self.stream.end());
        self.draft.events(self.stream.text(), before, end)
    }

    /// What is shown now, to be compared with what comes later.
    #[must_use]
    pub fn shown(&self) -> Shown {
        Shown {
            draft: self.draft.clone(),
            text: self.stream.text().to_owned(),
        }
    }

    /// The text has ended. Gives the whole reply as it was read, without coercion, and what was
    /// shown of it, to be compared with what the schema makes of the whole.
    #[must_use]
    pub fn finish(self) -> (Finished, Shown) {
        let text = self.stream.text().to_owned();
        let draft = self.draft;
        (self.stream.finish(), Shown { draft, text })
    }

    fn advance(&mut self) {
        while !self.frozen && self.step() {}
    }

    /// Takes in one more node. Returns whether there may be more to do.
    fn step(&mut self) -> bool {
        if let Some(awaited) = self.awaited {
            return self.go_on(awaited);
        }
        if let Some(frame) = self.frames.last() {
            let container = self.raw(frame.raw);
            // The root may turn out to go on behind what seemed to close it.
            if frame.raw > 0 && !container.open && container.after <= self.cursor {
                return self.leave(container.settled);
            }
            if frame.held {
                if frame.raw == 0 || container.open {
                    return false;
                }
                self.cursor = container.after;
                return true;
            }
        } else if self.cursor > 0 {
            return false;
        }
        let Some(raw) = self.stream.raw(self.cursor) else {
            return false;
        };
        let Some(frame) = self.frames.last() else {
            let root = self.schema.compiled.shapes.root;
            return self.enter(Some(root), raw.value.is_null());
        };
        if frame.union.is_some() {
            return self.find_tag();
        }
        match self.child(frame, &raw) {
            Child::Shape(shape) => self.enter(shape, raw.value.is_null()),
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
    fn enter(&mut self, shape: Option<ShapeId>, null: bool) -> bool {
        let index = self.cursor;
        let raw = self.raw(index);
        let plan = plan::of(&self.schema.compiled.shapes, shape, &raw);
        let in_object = (self.frames.last())
            .is_some_and(|frame| self.raw(frame.raw).value.kind() == llmjson_syntax::Kind::Object);
        if null && in_object && !plan::takes_null(&self.schema.compiled.shapes, shape) {
            // It may have to go, which its object decides.
            self.hold();
            return true;
        }
        if let (Some(frame), Some(property)) = (self.frames.last(), self.property(&raw)) {
            if frame.seen.contains(&property) {
                self.hold();
                return true;
            }
            if let Some(frame) = self.frames.last_mut() {
                frame.seen.push(property);
            }
        }
        if let Some(frame) = self.frames.last_mut() {
            frame.children += 1;
        }
        match plan {
            Plan::Container(shape) => {
                self.open(index, shape, None);
                true
            }
            Plan::Tagged(union) => {
                self.frames.push(Frame {
                    raw: index,
                    shape: Some(union),
                    children: 0,
                    seen: SmallVec::new(),
                    held: false,
                    union: Some(union),
                });
                self.cursor = index + 1;
                true
            }
            Plan::Text => {
                self.add(index, true);
                self.awaited = Some(Awaited {
                    raw: index,
                    shape,
                    growing: true,
                });
                true
            }
            Plan::Wait => {
                self.awaited = Some(Awaited {
                    raw: index,
                    shape,
                    growing: false,
                });
                true
            }
        }
    }

    /// Shows a container and goes into it.
    fn open(&mut self, index: u32, shape: Option<ShapeId>, union: Option<ShapeId>) {
        let Some(raw) = self.stream.raw(index) else {
            return;
        };
        let key = (index > 0).then_some(raw.key);
        self.draft.open(key, raw.value);
        self.frames.push(Frame {
            raw: index,
            shape,
            children: 0,
            seen: SmallVec::new(),
            held: false,
            union,
        });
        self.cursor = index + 1;
    }

    /// Shows a node as it is.
    fn add(&mut self, index: u32, growing: bool) {
        if let Some(raw) = self.stream.raw(index) {
            let key = (index > 0).then_some(raw.key);
            self.draft.copy(key, raw.value, growing);
        }
    }

    fn go_on(&mut self, awaited: Awaited) -> bool {
        let Some(raw) = self.stream.raw(awaited.raw) else {
            return false;
        };
        let done = !raw.open && raw.settled;
        if awaited.growing {
            self.draft.grow(raw.value, !done);
        }
        if !done {
            return false;
        }
        self.awaited = None;
        self.cursor = raw.after;
        if !awaited.growing {
            self.add_whole(awaited);
        }
        true
    }

    /// Shows what the schema makes of a value that is whole.
    fn add_whole(&mut self, awaited: Awaited) {
        let raw = self.raw(awaited.raw);
        let Some(shape) = awaited.shape else {
            self.add(awaited.raw, false);
            return;
        };
        if self.schema.compiled.part_surely_fits(raw.value, shape) {
            self.add(awaited.raw, false);
            return;
        }
        let Some(part) = self.put_right(awaited.raw, shape) else {
            return;
        };
        let raw = self.stream.raw(awaited.raw).expect("it has been seen");
        let key = (awaited.raw > 0).then_some(raw.key);
        if let Some(value) = part.root() {
            self.draft.copy(key, value, false);
        }
    }

    /// What the schema makes of the subtree of a node; nothing once that took too much.
    fn put_right(&mut self, index: u32, shape: ShapeId) -> Option<Document<'static>> {
        let raw = self.raw(index);
        let size = (raw.after - index) as usize;
        let after = raw.after as usize;
        let id = raw.value.id();
        self.work += size;
        if self.work > WORK_PER_NODE * after + 64 {
            self.frozen = true;
            return None;
        }
        let mut part = self.stream.document().part(id);
        coerce_part(&mut part, &self.schema, &self.options, shape);
        Some(part.into_owned())
    }

    /// The innermost container has been closed.
    fn leave(&mut self, settled: bool) -> bool {
        let Some(frame) = self.frames.last() else {
            return false;
        };
        let index = frame.raw;
        if !frame.held && frame.union.is_none() {
            let raw = self.stream.raw(index).expect("it has been seen");
            self.draft.close(raw.value);
            self.frames.pop();
            return true;
        }
        if !settled {
            return false;
        }
        let frame = self.frames.pop().expect("there is one");
        let (waits, shape) = (frame.union.is_some(), frame.shape);
        let Some(shape) = shape else {
            self.frozen = true;
            return false;
        };
        let Some(part) = self.put_right(index, shape) else {
            return false;
        };
        let Some(value) = part.root() else {
            self.frozen = true;
            return false;
        };
        if waits {
            let raw = self.stream.raw(index).expect("it has been seen");
            let key = (index > 0).then_some(raw.key);
            self.draft.copy(key, value, false);
        } else if !self.draft.complete(value, self.stream.text()) {
            self.frozen = true;
        }
        true
    }

    /// Looks for the tag of an object whose union has to be told by it.
    fn find_tag(&mut self) -> bool {
        let Some(frame) = self.frames.last() else {
            return false;
        };
        let (index, union) = (frame.raw, frame.union);
        let Some(raw) = self.stream.raw(self.cursor) else {
            return false;
        };
        let shapes = &self.schema.compiled.shapes;
        let Some(tag) = union.and_then(|union| plan::tag(shapes, union)) else {
            self.hold();
            return true;
        };
        if !raw.key.is(&tag.property) {
            if raw.open {
                return false;
            }
            self.cursor = raw.after;
            return true;
        }
        if raw.open || !raw.settled {
            return false;
        }
        match plan::branch(shapes, union, raw.value) {
            Some(branch) => {
                self.frames.pop();
                self.open(index, Some(branch), None);
            }
            None => self.hold(),
        }
        true
    }
}

impl Shown {
    /// Whether a value is what was shown, or more of it; otherwise who showed it has to set it
    /// aside.
    #[must_use]
    pub fn goes_on_in(&self, value: Option<ValueRef<'_>>) -> bool {
        self.draft.goes_on_in(&self.text, value)
    }

    /// What the value has that was not given out by [`CoercedStream::events`] yet. Nothing if
    /// nobody has asked for events.
    #[must_use]
    pub fn last_events(self, value: Option<ValueRef<'_>>) -> Vec<Event> {
        let superseded = !self.goes_on_in(value);
        self.draft.last_events(value, superseded)
    }
}

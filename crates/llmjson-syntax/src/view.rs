//! Copyable views of a document's values.

use alloc::borrow::Cow;
use core::fmt;

use crate::node::{Node, Tag, Tape, flag};
use crate::{Span, escape, number};

/// What a value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// `null`
    Null,
    /// `true` or `false`
    Bool,
    /// A number, kept as text.
    Number,
    /// A string.
    String,
    /// A list of values.
    Array,
    /// Named values.
    Object,
}

impl Kind {
    /// The name that JSON Schema uses: `null`, `boolean`, `number`, `string`, `array`, `object`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Bool => "boolean",
            Self::Number => "number",
            Self::String => "string",
            Self::Array => "array",
            Self::Object => "object",
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Names a value of one document; cheap to keep, compare and sort. Values that were read have
/// ascending numbers in reading order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(pub(crate) u32);

impl NodeId {
    /// The number behind the name.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// A view of one value of a document: two words and an index, copied freely.
///
/// ```
/// let document = llmjson_syntax::parse(r#"{"name": "Ada", "born": 1815}"#);
/// let root = document.root().expect("there is a value");
/// assert_eq!(root.get("name").and_then(|name| name.as_str()).as_deref(), Some("Ada"));
/// assert_eq!(root.get("born").and_then(|born| born.as_i64()), Some(1815));
/// ```
#[derive(Clone, Copy)]
pub struct ValueRef<'d> {
    pub(crate) tape: &'d Tape,
    pub(crate) text: &'d str,
    pub(crate) index: u32,
}

impl<'d> ValueRef<'d> {
    pub(crate) fn new(tape: &'d Tape, text: &'d str, index: u32) -> Self {
        let node = &tape.nodes[index as usize];
        // References are written by coercion only, and always to a node that is none.
        let index = if node.tag == Tag::Reference {
            node.next
        } else {
            index
        };
        Self { tape, text, index }
    }

    #[inline]
    pub(crate) fn node(self) -> &'d Node {
        &self.tape.nodes[self.index as usize]
    }

    /// The name of this value within its document.
    #[inline]
    #[must_use]
    pub fn id(self) -> NodeId {
        NodeId(self.index)
    }

    /// What this value is.
    #[inline]
    #[must_use]
    pub fn kind(self) -> Kind {
        match self.node().tag {
            Tag::Null => Kind::Null,
            Tag::False | Tag::True => Kind::Bool,
            Tag::Integer | Tag::Float => Kind::Number,
            Tag::String => Kind::String,
            Tag::Array => Kind::Array,
            Tag::Object => Kind::Object,
            Tag::Reference => unreachable!("a view never stands on a reference"),
        }
    }

    /// Where the value stands in the text: of a string the inside without its quotes, of a
    /// container from its opening bracket to just past its closer.
    ///
    /// `None` if it stands nowhere, because it had to be decoded or put together first (a string
    /// glued from pieces, a value read out of a stringified one) or was made by coercion.
    #[must_use]
    pub fn span(self) -> Option<Span> {
        let node = self.node();
        if self.tape.is_open(self.index) {
            return Some(Span::of(node.start as usize, self.text.len()));
        }
        (!node.has(flag::SIDE)).then(|| Span::new(node.start, node.end))
    }

    /// Whether the text of this value ended as it should. A container is complete if it was
    /// closed and all that it holds is complete.
    #[must_use]
    pub fn is_complete(self) -> bool {
        // What is cut off is last in everything that holds it, so one path has to be looked at.
        let mut at = self;
        loop {
            if at.node().has(flag::TRUNCATED) || at.tape.is_open(at.index) {
                return false;
            }
            match at.children().last() {
                Some(child) => at = Self::new(self.tape, self.text, child),
                None => return true,
            }
        }
    }

    /// Whether this is `null`.
    #[inline]
    #[must_use]
    pub fn is_null(self) -> bool {
        self.node().tag == Tag::Null
    }

    /// The value of `true` or `false`.
    #[inline]
    #[must_use]
    pub fn as_bool(self) -> Option<bool> {
        match self.node().tag {
            Tag::True => Some(true),
            Tag::False => Some(false),
            _ => None,
        }
    }

    /// The text of a string, borrowed unless it has escapes to decode.
    #[inline]
    #[must_use]
    pub fn as_str(self) -> Option<Cow<'d, str>> {
        (self.node().tag == Tag::String).then(|| self.decoded())
    }

    #[inline]
    fn decoded(self) -> Cow<'d, str> {
        let raw = self.raw();
        if self.node().has(flag::ESCAPED) {
            Cow::Owned(escape::decode(raw))
        } else {
            Cow::Borrowed(raw)
        }
    }

    /// The text of a number, spelled as JSON wants it, digit for digit as it was written.
    #[inline]
    #[must_use]
    pub fn as_number(self) -> Option<&'d str> {
        matches!(self.node().tag, Tag::Integer | Tag::Float).then(|| self.raw())
    }

    /// A number's exact value if it is whole and fits: `42`, `42.0` and `4.2e1` are all 42.
    #[inline]
    #[must_use]
    pub fn as_i64(self) -> Option<i64> {
        number::integer(self.as_number()?).and_then(|value| value.try_into().ok())
    }

    /// A number's exact value if it is whole, not negative and fits.
    #[inline]
    #[must_use]
    pub fn as_u64(self) -> Option<u64> {
        number::integer(self.as_number()?).and_then(|value| value.try_into().ok())
    }

    /// A number's exact value if it is whole and fits 128 bits.
    #[inline]
    #[must_use]
    pub fn as_i128(self) -> Option<i128> {
        number::integer(self.as_number()?)
    }

    /// The double nearest to a number; `None` where that would be infinite.
    #[inline]
    #[must_use]
    pub fn as_f64(self) -> Option<f64> {
        number::float(self.as_number()?)
    }

    /// Whether this is a number written without fraction and exponent.
    #[inline]
    #[must_use]
    pub fn is_integer_text(self) -> bool {
        self.node().tag == Tag::Integer
    }

    /// Number of items, or of members with different names; 0 for what holds nothing.
    #[inline]
    #[must_use]
    pub fn len(self) -> usize {
        let node = self.node();
        if !node.is_container() {
            0
        } else if node.count == u16::MAX || node.has(flag::DUPLICATES) {
            self.children().count()
        } else {
            usize::from(node.count)
        }
    }

    /// Whether this holds nothing.
    #[inline]
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.children().next().is_none()
    }

    /// The items of an array, in order; none for anything else.
    #[inline]
    #[must_use]
    pub fn items(self) -> Items<'d> {
        let children = if self.node().tag == Tag::Array {
            self.children()
        } else {
            self.nothing()
        };
        Items { children }
    }

    /// The members of an object, in the order of the text; none for anything else. Of members of
    /// the same name the last one counts, in the place of the first.
    #[inline]
    #[must_use]
    pub fn members(self) -> Members<'d> {
        let children = if self.node().tag == Tag::Object {
            self.children()
        } else {
            self.nothing()
        };
        Members { children }
    }

    /// The member of that name. Looks at one member after the other: to read many members of one
    /// object, go over [`members`](Self::members) once.
    #[must_use]
    pub fn get(self, name: &str) -> Option<Self> {
        self.members().find_key(name)
    }

    /// The item at that place, from 0.
    #[must_use]
    pub fn item(self, index: usize) -> Option<Self> {
        self.items().nth(index)
    }

    /// The value's own bytes: of a string the inside before decoding, of a container nothing if
    /// it does not stand in the text.
    #[inline]
    pub(crate) fn raw(self) -> &'d str {
        let node = self.node();
        let source = if node.has(flag::SIDE) {
            &self.tape.side
        } else {
            self.text
        };
        source
            .get(node.start as usize..node.end as usize)
            .unwrap_or_default()
    }

    /// The inside of a string as it stands in the source, and whether it has escapes to decode.
    #[doc(hidden)]
    #[inline]
    #[must_use]
    pub fn raw_str(self) -> Option<(&'d str, bool)> {
        let node = self.node();
        (node.tag == Tag::String).then(|| (self.raw(), node.has(flag::ESCAPED)))
    }

    fn nothing(self) -> Children<'d> {
        Children {
            tape: self.tape,
            text: self.text,
            at: 0,
            end: 0,
        }
    }

    #[inline]
    fn children(self) -> Children<'d> {
        let end = if self.node().is_container() {
            self.tape.after(self.index)
        } else {
            self.index
        };
        Children {
            tape: self.tape,
            text: self.text,
            at: self.index + 1,
            end,
        }
    }

    /// A number that differs between documents that exist at the same time.
    #[doc(hidden)]
    #[must_use]
    pub fn document_address(self) -> usize {
        core::ptr::from_ref(self.tape) as usize
    }
}

/// Shows the value as JSON.
impl fmt::Debug for ValueRef<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.to_json())
    }
}

/// Indices of the shown children of a container.
#[derive(Clone, Copy)]
struct Children<'d> {
    tape: &'d Tape,
    text: &'d str,
    at: u32,
    end: u32,
}

impl Iterator for Children<'_> {
    type Item = u32;

    #[inline]
    fn next(&mut self) -> Option<u32> {
        self.next_node().map(|(index, _)| index)
    }
}

impl<'d> Children<'d> {
    #[inline]
    fn next_node(&mut self) -> Option<(u32, &'d Node)> {
        while self.at < self.end {
            let index = self.at;
            let node = &self.tape.nodes[index as usize];
            self.at = self.tape.after_node(index, node);
            if !node.has(flag::SHADOWED) {
                return Some((index, node));
            }
        }
        None
    }

    /// The value that a child shows: its own, or that of the node that stands for it.
    #[inline]
    fn value_at(&self, index: u32, node: &'d Node) -> ValueRef<'d> {
        let Self { tape, text, .. } = *self;
        if node.tag != Tag::Reference && !node.has(flag::REPLACED) {
            return ValueRef { tape, text, index };
        }
        self.stand_in(index, node)
    }

    #[cold]
    fn stand_in(&self, index: u32, node: &'d Node) -> ValueRef<'d> {
        let shown = if node.has(flag::REPLACED) {
            self.tape.replacement(index)
        } else {
            index
        };
        ValueRef::new(self.tape, self.text, shown)
    }
}

/// The items of an array. See [`ValueRef::items`].
#[derive(Clone, Copy)]
pub struct Items<'d> {
    children: Children<'d>,
}

impl<'d> Iterator for Items<'d> {
    type Item = ValueRef<'d>;

    #[inline]
    fn next(&mut self) -> Option<ValueRef<'d>> {
        let (index, node) = self.children.next_node()?;
        Some(self.children.value_at(index, node))
    }
}

/// The members of an object. See [`ValueRef::members`].
#[derive(Clone, Copy)]
pub struct Members<'d> {
    children: Children<'d>,
}

impl<'d> Members<'d> {
    /// The next member with its key as it stands in the source.
    #[inline]
    fn next_raw(&mut self) -> Option<(Key<'d>, ValueRef<'d>)> {
        let (index, node) = self.children.next_node()?;
        let key = Key::of_node(self.children.tape, self.children.text, index, node);
        Some((key, self.children.value_at(index, node)))
    }

    fn find_key(mut self, name: &str) -> Option<ValueRef<'d>> {
        loop {
            let (key, value) = self.next_raw()?;
            if key.is(name) {
                return Some(value);
            }
        }
    }

    /// The next member with its undecoded key, for who keeps the iterator and needs its type.
    #[doc(hidden)]
    #[inline]
    pub fn next_keyed(&mut self) -> Option<(Key<'d>, ValueRef<'d>)> {
        self.next_raw()
    }

    /// The members with undecoded keys, for who compares many of them.
    #[inline]
    pub fn keyed(self) -> impl Iterator<Item = (Key<'d>, ValueRef<'d>)> {
        let mut members = self;
        core::iter::from_fn(move || members.next_raw())
    }
}

impl<'d> Iterator for Members<'d> {
    type Item = (Cow<'d, str>, ValueRef<'d>);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        let (key, value) = self.next_raw()?;
        Some((key.decoded(), value))
    }
}

/// A member's name as it stands in the source; cut out and decoded only when asked.
#[derive(Clone, Copy)]
pub struct Key<'d> {
    source: &'d str,
    start: u32,
    end: u32,
    node: u32,
    escaped: bool,
    side: bool,
}

impl<'d> Key<'d> {
    #[inline]
    pub(crate) fn of(tape: &'d Tape, text: &'d str, index: u32) -> Self {
        Self::of_node(tape, text, index, &tape.nodes[index as usize])
    }

    #[inline]
    fn of_node(tape: &'d Tape, text: &'d str, index: u32, node: &Node) -> Self {
        let side = node.has(flag::KEY_SIDE);
        Self {
            source: if side { &tape.side } else { text },
            start: node.key_start,
            end: node.key_end,
            node: index,
            escaped: node.has(flag::KEY_ESCAPED),
            side,
        }
    }

    #[inline]
    fn raw(self) -> &'d str {
        self.source
            .get(self.start as usize..self.end as usize)
            .unwrap_or_default()
    }

    /// The name as it stands in the source, and whether it has escapes to decode.
    pub(crate) fn raw_name(self) -> (&'d str, bool) {
        (self.raw(), self.escaped)
    }

    /// The name, borrowed unless it has escapes to decode.
    #[inline]
    #[must_use]
    pub fn decoded(self) -> Cow<'d, str> {
        if self.escaped {
            Cow::Owned(escape::decode(self.raw()))
        } else {
            Cow::Borrowed(self.raw())
        }
    }

    /// Whether this is that name.
    #[inline]
    #[must_use]
    pub fn is(self, name: &str) -> bool {
        if self.escaped {
            return escape::decode(self.raw()) == name;
        }
        // Most names that are compared differ in length; bytes need no look at where characters end.
        let (start, end) = (self.start as usize, self.end as usize);
        end.wrapping_sub(start) == name.len()
            && self.source.as_bytes().get(start..end) == Some(name.as_bytes())
    }

    /// Where the name stands in the text, without its quotes; `None` if it stands nowhere.
    #[must_use]
    pub fn span(self) -> Option<Span> {
        (!self.side).then(|| Span::new(self.start, self.end))
    }

    /// The member itself, for [`Editor`](crate::Editor).
    #[must_use]
    pub fn member(self) -> MemberId {
        MemberId(self.node)
    }
}

/// Names a member of an object of one document: the place that holds its key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemberId(pub(crate) u32);

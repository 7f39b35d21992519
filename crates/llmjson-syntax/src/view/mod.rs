//! Copyable views of a document's values.

mod children;
pub mod cursor;
mod equal;
mod index;
pub(crate) mod json;
mod key;
mod native;
pub(crate) mod write;

pub(crate) use children::Entries;
pub use children::{Items, Members};
pub use index::ValueIndex;
pub use key::{Key, MemberId};

use alloc::borrow::Cow;
use children::Children;
use core::fmt;

use crate::base::limits::Limits;
use crate::base::named::named;
use crate::base::span::Span;
use crate::scan::{escape, number};
use crate::tape::{COUNT_MAX, Node, Tag, Tape, flag};

/// The kind of a value.
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
    /// A sequence of values.
    Array,
    /// A collection of members: keys with values.
    Object,
}

// The names match those of JSON Schema.
named!(Kind:
    "null" => Null,
    "boolean" => Bool,
    "number" => Number,
    "string" => String,
    "array" => Array,
    "object" => Object,
);

/// The id of a value of one document; cheap to keep, compare and sort. Parsed values have ascending
/// ids in reading order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(pub(crate) u32);

impl NodeId {
    /// Returns the id as a number.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// A view of one value of a document: two words and an index, cheap to copy.
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
        let node = tape.node(index);
        // Only coercion writes references, and always to a node that is not a reference.
        let index = if node.tag == Tag::Reference {
            node.next
        } else {
            index
        };
        Self { tape, text, index }
    }

    #[inline(always)]
    pub(crate) fn node(self) -> &'d Node {
        self.tape.node(self.index)
    }

    /// Returns the id of this value within its document.
    #[inline]
    #[must_use]
    pub fn id(self) -> NodeId {
        NodeId(self.index)
    }

    /// Returns the kind of this value.
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

    /// Returns the span of the value in the text: for a string, its inside without quotes; for a
    /// container, from its opening bracket to just past its closing bracket.
    ///
    /// `None` if it is not in the text, because it had to be decoded or assembled first (a string
    /// concatenated from pieces, a value read from a JSON string) or was made by coercion.
    #[must_use]
    pub fn span(self) -> Option<Span> {
        let node = self.node();
        if self.tape.is_open(self.index) {
            return Some(Span::of(node.start as usize, self.text.len()));
        }
        (!node.has(flag::SIDE)).then(|| Span::new(node.start, node.end))
    }

    /// Returns `true` if this value is not truncated. A container is complete if it was closed and
    /// all its children are complete.
    #[must_use]
    pub fn is_complete(self) -> bool {
        // A truncated value is last in each of its containers, so that a single path suffices.
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

    /// Returns `true` if this is `null`.
    #[inline]
    #[must_use]
    pub fn is_null(self) -> bool {
        self.node().tag == Tag::Null
    }

    /// Returns the value of `true` or `false`, or `None` for other kinds.
    #[inline]
    #[must_use]
    pub fn as_bool(self) -> Option<bool> {
        match self.node().tag {
            Tag::True => Some(true),
            Tag::False => Some(false),
            _ => None,
        }
    }

    /// Returns the text of a string, borrowed unless it has escapes to decode, or `None` for other
    /// kinds.
    #[inline]
    #[must_use]
    pub fn as_str(self) -> Option<Cow<'d, str>> {
        (self.node().tag == Tag::String).then(|| self.decoded())
    }

    #[inline(always)]
    pub(crate) fn decoded(self) -> Cow<'d, str> {
        let raw = self.raw();
        if self.node().has(flag::ESCAPED) {
            Cow::Owned(escape::decode(raw))
        } else {
            Cow::Borrowed(raw)
        }
    }

    /// Returns a number as valid JSON text, with every digit as written, or `None` for other kinds.
    #[inline]
    #[must_use]
    pub fn as_number(self) -> Option<&'d str> {
        matches!(self.node().tag, Tag::Integer | Tag::Float).then(|| self.raw())
    }

    /// Returns a number's exact value if it is an integer in range: `42`, `42.0` and `4.2e1` are
    /// all 42.
    #[inline]
    #[must_use]
    pub fn as_i64(self) -> Option<i64> {
        number::whole(self.as_number()?)
    }

    /// Returns a number's exact value if it is a nonnegative integer in range.
    #[inline]
    #[must_use]
    pub fn as_u64(self) -> Option<u64> {
        number::unsigned(self.as_number()?)
    }

    /// Returns a number's exact value if it is an integer that fits 128 bits.
    #[inline]
    #[must_use]
    pub fn as_i128(self) -> Option<i128> {
        number::integer(self.as_number()?)
    }

    /// Returns the double nearest to a number, or `None` if that would be infinite.
    #[inline]
    #[must_use]
    pub fn as_f64(self) -> Option<f64> {
        number::float(self.as_number()?)
    }

    /// Returns `true` if this is a number written without a fraction or an exponent.
    #[doc(hidden)]
    #[inline]
    #[must_use]
    pub fn is_integer_text(self) -> bool {
        self.node().tag == Tag::Integer
    }

    /// Returns the number of items, or of members with distinct keys; 0 for scalars.
    #[inline]
    #[must_use]
    pub fn len(self) -> usize {
        let node = self.node();
        if !node.is_container() {
            0
        } else if node.count >= COUNT_MAX || node.has(flag::DUPLICATES) {
            let counted = self.tape.counted_of(self.index);
            counted.unwrap_or_else(|| self.children().count())
        } else {
            usize::from(node.count)
        }
    }

    /// Returns `true` if there are no items or members.
    #[inline]
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.children().next().is_none()
    }

    /// Returns the items of an array, in order; empty for other kinds.
    #[inline]
    #[must_use]
    pub fn items(self) -> Items<'d> {
        Items::of(self)
    }

    /// Returns the members of an object, in text order; empty for other kinds. The last duplicate
    /// key wins, in the position of the first.
    #[inline]
    #[must_use]
    pub fn members(self) -> Members<'d> {
        Members::of(self)
    }

    /// Returns `true` if this is the value of a member whose key occurred before.
    #[doc(hidden)]
    #[must_use]
    pub fn came_again(self) -> bool {
        self.node().has(flag::SHADOWED)
    }

    /// Returns the members of an object as written, including all duplicates.
    #[doc(hidden)]
    pub fn members_written(self) -> impl Iterator<Item = (Cow<'d, str>, Self)> {
        self.members().written()
    }

    /// Returns the member with that key, or the item at that index, by linear search: to read many
    /// members of one object, iterate over [`members`](Self::members) once.
    ///
    /// ```
    /// let document = llmjson_syntax::parse("{stops: ['Hamar', 'Lillehammer']}");
    /// let stops = document.value().and_then(|trip| trip.get("stops"));
    /// assert_eq!(stops.and_then(|stops| stops.get(1)).map(|stop| stop == "Lillehammer"), Some(true));
    /// ```
    #[must_use]
    pub fn get(self, index: impl ValueIndex) -> Option<Self> {
        index.of(self)
    }

    /// Returns the item at an index, from 0.
    #[must_use]
    pub fn item(self, index: usize) -> Option<Self> {
        self.items().nth(index)
    }

    /// Returns the value's source bytes: for a string the undecoded content, for a container
    /// nothing if it is not in the text.
    #[inline(always)]
    pub(crate) fn raw(self) -> &'d str {
        let node = self.node();
        if node.has(flag::SIDE) {
            return self.raw_beside();
        }
        let range = node.start as usize..node.end as usize;
        self.text.get(range).unwrap_or_default()
    }

    #[cold]
    #[inline(never)]
    fn raw_beside(self) -> &'d str {
        let node = self.node();
        let range = node.start as usize..node.end as usize;
        let side = self.tape.side_of(self.index);
        side.get(range).unwrap_or_default()
    }

    /// Returns the inside of a string as written in the source, and whether it has escapes to
    /// decode.
    #[doc(hidden)]
    #[inline]
    #[must_use]
    pub fn raw_str(self) -> Option<(&'d str, bool)> {
        let node = self.node();
        (node.tag == Tag::String).then(|| (self.raw(), node.has(flag::ESCAPED)))
    }

    #[inline]
    fn children(self) -> Children<'d> {
        Children::of(self)
    }

    /// Returns the children of a container, with the keys of an object, or none for a scalar.
    pub(crate) fn entries(self) -> Entries<'d> {
        Entries::of(self)
    }

    /// Returns the text of the whole document.
    #[doc(hidden)]
    #[must_use]
    pub fn document_text(self) -> &'d str {
        self.text
    }

    /// Returns the maximum number of digits of a number that is compared with others.
    #[doc(hidden)]
    #[must_use]
    pub fn digits_compared(self) -> u32 {
        Limits::digits_compared(self.tape.digits)
    }

    /// Returns the limit on the digits of compared numbers if this number exceeds it: see
    /// [`Limits::digits`](Limits::digits).
    #[doc(hidden)]
    #[inline]
    #[must_use]
    pub fn too_many_digits(self) -> Option<u32> {
        let number = self.as_number()?;
        let most = self.tape.digits;
        Limits::are_too_many(most, number).then_some(most)
    }

    /// Returns the number of nodes of the whole document, including nodes written after parsing: no
    /// more than a few per byte of its text.
    #[doc(hidden)]
    #[must_use]
    pub fn document_nodes(self) -> usize {
        self.tape.nodes.len()
    }

    /// Returns the length in bytes of the text that the document was parsed from.
    #[doc(hidden)]
    #[must_use]
    pub fn document_bytes(self) -> usize {
        self.text.len()
    }

    /// Returns a number that is unique among documents that exist at the same time.
    #[doc(hidden)]
    #[must_use]
    pub fn document_address(self) -> usize {
        core::ptr::from_ref(self.tape) as usize
    }
}

/// Formats the value as JSON.
impl fmt::Debug for ValueRef<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.to_json())
    }
}

/// Formats the value as compact JSON, or with `{:#}` as JSON over several lines.
impl fmt::Display for ValueRef<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match f.alternate() {
            true => f.write_str(&self.to_json_pretty()),
            false => f.write_str(&self.to_json()),
        }
    }
}

//! Traversal of all or much of a document: each value is looked up once and passed on.
//!
//! A [`ValueRef`] looks up its node for every query. If every value gets several, as in conversion,
//! validation or aggregation, that is most of the cost; an [`Entry`] keeps the node. Begin with a
//! [`Source`], which the entries borrow. Then either go from container to container with
//! [`Entry::children`], or iterate over everything in text order with [`Source::walk`], which needs
//! neither recursion nor a stack: a container precedes its children and says how many they are.
//!
//! ```
//! use llmjson_syntax::cursor::{EntryKind, Source};
//!
//! let document = llmjson_syntax::parse(r#"{"name": "Ada", "scores": [1, 2.5, -4]}"#);
//! let source = Source::of(document.root().expect("there is a value"));
//! let (mut sum, mut letters) = (0.0, 0);
//! for entry in source.walk() {
//!     letters += entry.name().len();
//!     match entry.kind() {
//!         EntryKind::Integer | EntryKind::Float => sum += entry.as_f64().unwrap_or_default(),
//!         EntryKind::String => letters += entry.decoded().len(),
//!         EntryKind::Array => assert_eq!(entry.len(), 3),
//!         _ => {}
//!     }
//! }
//! assert_eq!((sum, letters), (-0.5, 13));
//! ```

mod walk;

pub use walk::Walk;

use alloc::borrow::Cow;

use crate::base::span::Span;
use crate::scan::{escape, number};
use crate::tape::{COUNT_MAX, Node, Tag, Tape, flag};
use crate::view::{NodeId, ValueRef};

/// The kind of an entry: like [`Kind`](crate::Kind), with the distinctions that cost nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum EntryKind {
    /// `null`
    Null,
    /// `false`
    False,
    /// `true`
    True,
    /// A number written only with digits and an optional minus sign.
    Integer,
    /// A number with a fraction or an exponent.
    Float,
    /// A string.
    String,
    /// A sequence of values.
    Array,
    /// A collection of members: keys with values.
    Object,
}

/// The source of entries: a value, with the data that all entries of its document share, so that an
/// entry is small.
#[derive(Clone, Copy)]
pub struct Source<'d> {
    tape: &'d Tape,
    text: &'d str,
    root: u32,
}

/// One value with its key in its object.
#[derive(Clone, Copy)]
pub struct Entry<'s, 'd> {
    source: &'s Source<'d>,
    /// Holds the key.
    member: &'d Node,
    /// Holds the value. It is the same node unless coercion or a repeated key replaced it.
    node: &'d Node,
    index: u32,
}

/// The children of one container, in order.
#[derive(Clone, Copy)]
pub struct Cursor<'s, 'd> {
    source: &'s Source<'d>,
    at: u32,
    end: u32,
}

impl<'d> Source<'d> {
    /// Creates the source for a value, whose [`entry`](Self::entry) is the start.
    #[inline]
    #[must_use]
    pub fn of(value: ValueRef<'d>) -> Self {
        let ValueRef { tape, text, index } = value;
        Self {
            tape,
            text,
            root: index,
        }
    }

    /// Returns the value, without a key.
    #[inline]
    #[must_use]
    pub fn entry(&self) -> Entry<'_, 'd> {
        let node = self.tape.node(self.root);
        Entry {
            source: self,
            member: node,
            node,
            index: self.root,
        }
    }
}

impl<'s, 'd> Entry<'s, 'd> {
    /// Returns the value as a [`ValueRef`].
    #[inline]
    #[must_use]
    pub fn value(&self) -> ValueRef<'d> {
        let Source { tape, text, .. } = *self.source;
        ValueRef {
            tape,
            text,
            index: self.index,
        }
    }

    /// Returns the id of the value within its document.
    #[inline]
    #[must_use]
    pub fn id(&self) -> NodeId {
        NodeId(self.index)
    }

    /// Returns the kind of the value.
    #[inline]
    #[must_use]
    pub fn kind(&self) -> EntryKind {
        match self.node.tag {
            // Entries never refer to a reference.
            Tag::Null | Tag::Reference => EntryKind::Null,
            Tag::False => EntryKind::False,
            Tag::True => EntryKind::True,
            Tag::Integer => EntryKind::Integer,
            Tag::Float => EntryKind::Float,
            Tag::String => EntryKind::String,
            Tag::Array => EntryKind::Array,
            Tag::Object => EntryKind::Object,
        }
    }

    /// Returns the text of a scalar; for a string, its inside without quotes and before decoding.
    #[inline]
    #[must_use]
    pub fn raw(&self) -> &'d str {
        let range = self.node.start as usize..self.node.end as usize;
        self.side_or_text().get(range).unwrap_or_default()
    }

    /// Returns the text as bytes, which can be sliced without regard to character boundaries.
    #[inline]
    #[must_use]
    pub fn bytes(&self) -> &'d [u8] {
        let range = self.node.start as usize..self.node.end as usize;
        self.side_or_text()
            .as_bytes()
            .get(range)
            .unwrap_or_default()
    }

    #[inline]
    fn side_or_text(&self) -> &'d str {
        if self.node.has(flag::SIDE) {
            self.source.tape.side_of(self.index)
        } else {
            self.source.text
        }
    }

    /// Returns the exact value of a number that is an integer in range, as [`ValueRef::as_i64`]
    /// does.
    #[inline]
    #[must_use]
    pub fn as_i64(&self) -> Option<i64> {
        match self.node.tag {
            Tag::Integer => number::short_integer(self.bytes()).or_else(|| self.value().as_i64()),
            _ => self.value().as_i64(),
        }
    }

    /// Returns the double nearest to a number, as [`ValueRef::as_f64`] does.
    #[inline]
    #[must_use]
    pub fn as_f64(&self) -> Option<f64> {
        match self.node.tag {
            Tag::Integer | Tag::Float => {
                number::quick_float(self.bytes()).or_else(|| self.value().as_f64())
            }
            _ => None,
        }
    }

    /// Returns the span of the value in the text, as [`ValueRef::span`] does.
    #[inline]
    #[must_use]
    pub fn span(&self) -> Option<Span> {
        let node = self.node;
        (!node.has(flag::SIDE)).then(|| Span::new(node.start, node.end))
    }

    /// Returns the span of the key in the text, without its quotes.
    #[inline]
    #[must_use]
    pub fn name_span(&self) -> Option<Span> {
        let node = self.member;
        (!node.has(flag::KEY_SIDE)).then(|| Span::new(node.key_start, node.key_end))
    }

    /// Returns `true` if the key has escapes to decode.
    #[inline]
    #[must_use]
    pub fn has_escaped_name(&self) -> bool {
        self.member.has(flag::KEY_ESCAPED)
    }

    /// Returns `true` if the inside of a string has escapes to decode.
    #[inline]
    #[must_use]
    pub fn is_escaped(&self) -> bool {
        self.node.has(flag::ESCAPED)
    }

    /// Returns the text of a string.
    #[inline(always)]
    #[must_use]
    pub fn decoded(&self) -> Cow<'d, str> {
        if self.is_escaped() {
            decode(self.raw())
        } else {
            Cow::Borrowed(self.raw())
        }
    }

    /// Returns the key as written in the source, and whether it has escapes to decode.
    #[inline]
    #[must_use]
    pub fn name_bytes(&self) -> (&'d [u8], bool) {
        let range = self.member.key_start as usize..self.member.key_end as usize;
        let bytes = self.name_source().as_bytes().get(range);
        let escaped = self.member.has(flag::KEY_ESCAPED);
        (bytes.unwrap_or_default(), escaped)
    }

    /// Returns a member's decoded key, or an empty string for other values.
    #[inline(always)]
    #[must_use]
    pub fn name(&self) -> Cow<'d, str> {
        let range = self.member.key_start as usize..self.member.key_end as usize;
        let raw = self.name_source().get(range).unwrap_or_default();
        if self.member.has(flag::KEY_ESCAPED) {
            decode(raw)
        } else {
            Cow::Borrowed(raw)
        }
    }

    #[inline]
    fn name_source(&self) -> &'d str {
        if self.member.has(flag::KEY_SIDE) {
            self.source.tape.side_of(self.index)
        } else {
            self.source.text
        }
    }

    /// Returns the children of a container; empty for a scalar.
    #[inline]
    #[must_use]
    pub fn children(&self) -> Cursor<'s, 'd> {
        Cursor {
            source: self.source,
            at: self.index + 1,
            end: self.source.tape.after_node(self.index, self.node),
        }
    }

    /// Returns the number of children, as [`ValueRef::len`] does.
    #[inline]
    #[must_use]
    pub fn len(&self) -> usize {
        if self.node.count < COUNT_MAX && !self.node.has(flag::DUPLICATES) {
            // Zero for a scalar.
            usize::from(self.node.count)
        } else {
            self.value().len()
        }
    }

    /// Returns `true` if there are no children.
    #[inline]
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the number of bytes that the value was parsed from, or an upper bound if it was
    /// assembled from several places.
    #[must_use]
    pub fn extent(&self) -> usize {
        match self.node.tag {
            Tag::Array | Tag::Object if !self.node.has(flag::SIDE) => {
                self.node.end.saturating_sub(self.node.start) as usize
            }
            Tag::Array | Tag::Object => self.document_extent(),
            _ => self.bytes().len(),
        }
    }

    /// Returns the number of nodes of the document.
    #[must_use]
    pub fn nodes(&self) -> usize {
        self.source.tape.nodes.len()
    }

    /// Returns the extent of the whole document.
    #[inline]
    #[must_use]
    pub fn document_extent(&self) -> usize {
        let Source { tape, text, .. } = *self.source;
        text.len() + tape.side.len() + tape.nodes.len()
    }
}

/// Decodes a string with escapes. It is a separate function because most strings have none and are
/// returned unchanged.
#[inline(never)]
fn decode(raw: &str) -> Cow<'_, str> {
    Cow::Owned(escape::decode(raw))
}

impl<'s, 'd> Iterator for Cursor<'s, 'd> {
    type Item = Entry<'s, 'd>;

    #[inline(always)]
    fn next(&mut self) -> Option<Entry<'s, 'd>> {
        if self.at >= self.end {
            return None;
        }
        let index = self.at;
        let node = self.source.tape.node(index);
        self.at = self.source.tape.after_node(index, node);
        if node.flags & (flag::SHADOWED | flag::REPLACED) != 0 || node.tag == Tag::Reference {
            return self.next_elsewhere(index, node);
        }
        Some(Entry {
            source: self.source,
            member: node,
            node,
            index,
        })
    }
}

impl<'s, 'd> Cursor<'s, 'd> {
    /// Returns the next entry if a node is not shown, or shows the value of another one.
    #[cold]
    #[inline(never)]
    fn next_elsewhere(&mut self, mut index: u32, mut node: &'d Node) -> Option<Entry<'s, 'd>> {
        while node.has(flag::SHADOWED) {
            if self.at >= self.end {
                return None;
            }
            index = self.at;
            node = self.source.tape.node(index);
            self.at = self.source.tape.after_node(index, node);
        }
        Some(self.stand_in(index, node))
    }

    /// Returns an entry whose value belongs to another node.
    #[cold]
    fn stand_in(&self, index: u32, member: &'d Node) -> Entry<'s, 'd> {
        let Source { tape, text, .. } = *self.source;
        let shown = if member.has(flag::REPLACED) {
            tape.replacement(index)
        } else {
            index
        };
        let index = ValueRef::new(tape, text, shown).index;
        Entry {
            source: self.source,
            member,
            node: tape.node(index),
            index,
        }
    }
}

//! The items of a streamed array, each delivered once complete.

use std::ops::Range;

use llmjson_schema::Schema;
use llmjson_syntax::internal::stream::Raw;
use llmjson_syntax::{InvalidUtf8, Kind, NodeId, Span, ValueRef};

use super::lasting::LastingViolation;
use super::reply::{Finished, Inner, Stream};
use crate::policy::Policy;
use crate::reply::Parsed;

/// Parses a streamed array and delivers each item, validated and with a separate report, once no
/// later text can change it.
///
/// Together, the items equal the complete reply's items, unless
/// [`superseded`](Finished::superseded) says that its end changed the array.
///
/// ```
/// # use llmjson_reply as llmjson;
/// use llmjson::{Schema, stream::Items};
///
/// let list = Schema::from_text(r#"{"type": "array", "items": {"properties": {"n": {"type": "integer"}}}}"#)?;
/// let item = Schema::from_text(r#"{"properties": {"n": {"type": "integer"}}}"#)?;
/// let mut stream = Items::new(Some(&list), Some(&item));
/// stream.push("Here: [{n: \"1\"}, {\"n\": 2}, {\"n");
/// let items = stream.items();
/// assert_eq!(items[0].parsed.to_json().as_deref(), Some(r#"{"n":1}"#));
/// assert_eq!((items[0].start, items[0].parsed.coercions().len()), (Some(7), 1));
/// stream.push("\": 3}]");
/// let (rest, whole) = stream.finish();
/// assert_eq!((items.len(), rest.len()), (2, 1));
/// assert!(whole.parsed.conforms());
/// # Ok::<(), llmjson::SchemaError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Items {
    list: Stream,
    item: Option<Schema>,
}

/// The items that were returned.
#[derive(Clone, Debug, Default)]
pub(super) struct Given {
    count: usize,
    last: Option<NodeId>,
    /// The node of the next item as parsed, if the array was parsed as one.
    read: Option<u32>,
}

/// An item of a streamed array.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Item {
    /// The index in the array.
    pub index: usize,
    /// The offset in the reply at which the item's text begins; positions in the report are
    /// relative to it. `None` if the item does not appear in the reply in this form: the report
    /// then refers to the item's JSON.
    pub start: Option<usize>,
    /// The item, coerced to the item schema.
    pub parsed: Parsed<'static>,
}

impl Items {
    /// Creates an empty stream from the schemas of the array and of its items, if given.
    #[must_use]
    pub fn new(list: Option<&Schema>, item: Option<&Schema>) -> Self {
        Self {
            list: Stream::new(list),
            item: item.cloned(),
        }
    }

    /// Returns an empty stream that reads the array and each item under a policy.
    #[must_use]
    pub fn with_policy(self, policy: Policy) -> Self {
        let list = self.list.with_policy(policy);
        Self { list, ..self }
    }

    /// Takes the next piece of the reply.
    pub fn push(&mut self, piece: &str) {
        self.list.push(piece);
    }

    /// Takes the next piece of the reply as UTF-8 bytes. A piece may end inside a character.
    ///
    /// # Errors
    ///
    /// If the bytes are not UTF-8.
    pub fn push_bytes(&mut self, piece: &[u8]) -> Result<(), InvalidUtf8> {
        self.list.push_bytes(piece)
    }

    /// Returns the stream of the whole array.
    #[must_use]
    pub fn list(&self) -> &Stream {
        &self.list
    }

    /// Returns the violations that later text cannot resolve: see [`Stream::violations`].
    pub fn violations(&mut self) -> &[LastingViolation] {
        self.list.violations()
    }

    /// Returns the items completed since the last call.
    pub fn items(&mut self) -> Vec<Item> {
        self.list.items(self.item.as_ref())
    }

    /// Ends the reply, and returns the remaining items and the result of the whole.
    #[must_use]
    pub fn finish(self) -> (Vec<Item>, Finished) {
        self.list.finish_items(self.item.as_ref())
    }
}

impl Stream {
    /// Returns the array items completed since the last call, each coerced to the item schema: see
    /// [`Items`].
    pub fn items(&mut self, schema: Option<&Schema>) -> Vec<Item> {
        let mut items = Vec::new();
        let is_list = |value: &ValueRef<'_>| value.kind() == Kind::Array;
        if self.value().filter(is_list).is_none() {
            return items;
        }
        while let Some((value, read)) = self.next_item() {
            // A value coerced from a string may come from a part of it.
            let span = read.map_or(value.span(), |read| read.value.span());
            let place = (self.given.count, span);
            let text = self.stream().text();
            items.push(item_of(value, text, place, schema, &self.policy));
            self.given = Given {
                count: self.given.count + 1,
                last: Some(value.id()),
                read: read.map(|read| read.after),
            };
        }
        items
    }

    /// Returns the complete items, from an index on, of the array at a JSON Pointer in the value,
    /// each coerced to the item schema.
    #[must_use]
    pub fn items_in(&self, list: &str, from: usize, schema: Option<&Schema>) -> Vec<Item> {
        let list = self.value().and_then(|value| value.pointer(list));
        let list = list.filter(|list| list.kind() == Kind::Array);
        let items = list.into_iter().flat_map(ValueRef::items).enumerate();
        let text = self.stream().text();
        items
            .skip(from)
            .take_while(|(_, value)| self.is_settled(*value))
            .map(|(index, value)| item_of(value, text, (index, value.span()), schema, &self.policy))
            .collect()
    }

    /// Ends the reply, and returns the items that [`items`](Self::items) has not returned and the
    /// result of the whole.
    #[must_use]
    pub fn finish_items(self, schema: Option<&Schema>) -> (Vec<Item>, Finished) {
        let (from, policy) = (self.given.count, self.policy.clone());
        let reply = self.finish();
        let items = reply.parsed.items_from(from, schema, &policy);
        (items, reply)
    }

    /// Returns the next item if it is complete, and its repairs.
    fn next_item(&self) -> Option<(ValueRef<'_>, Option<Raw<'_>>)> {
        let read = self.stream().raw(self.given.read.unwrap_or(1));
        let Inner::Coerced(stream) = &self.inner else {
            let read = read?;
            return self
                .is_settled(read.value)
                .then_some((read.value, Some(read)));
        };
        let value = stream.child_after(self.given.last)?;
        let read = read.filter(|_| self.is_read_as_list());
        stream.is_settled(value).then_some((value, read))
    }

    fn is_read_as_list(&self) -> bool {
        let root = self.stream().document().root();
        root.is_some_and(|root| root.kind() == Kind::Array)
    }
}

impl Parsed<'_> {
    /// Returns an array's items from an index on, each coerced to the item schema. There are none
    /// if the value is not an array.
    #[must_use]
    pub fn items_from(&self, from: usize, schema: Option<&Schema>, policy: &Policy) -> Vec<Item> {
        self.items_in("", from, schema, policy)
    }

    /// Returns the items from an index on of the array at a JSON Pointer.
    #[must_use]
    pub fn items_in(
        &self,
        list: &str,
        from: usize,
        schema: Option<&Schema>,
        policy: &Policy,
    ) -> Vec<Item> {
        let list = self.value().and_then(|value| value.pointer(list));
        let list = list.filter(|list| list.kind() == Kind::Array);
        let items = list.into_iter().flat_map(ValueRef::items).enumerate();
        let text = self.document().text();
        items
            .skip(from)
            .map(|(index, value)| item_of(value, text, (index, value.span()), schema, policy))
            .collect()
    }
}

/// Returns the item with its own text, if that text parses the same by itself; otherwise with its
/// JSON.
fn item_of(
    value: ValueRef<'_>,
    text: &str,
    (index, span): (usize, Option<Span>),
    schema: Option<&Schema>,
    policy: &Policy,
) -> Item {
    let json = value.to_json();
    let own = span.map(|span| span.start as usize..span.end as usize);
    let own = own.map(|range| with_quotes(text, range));
    let own = own.and_then(|range| Some((range.start, text.get(range)?)));
    let read = own.map(|(start, own)| (start, policy.parse(own, schema)));
    match read {
        Some((start, parsed)) if parsed.to_json().as_deref() == Some(&*json) => Item {
            index,
            start: Some(start),
            parsed: parsed.into_owned(),
        },
        _ => Item {
            index,
            start: None,
            parsed: policy.parse(&json, schema).into_owned(),
        },
    }
}

/// Returns the place of a string including its quotes.
fn with_quotes(text: &str, range: Range<usize>) -> Range<usize> {
    let bytes = text.as_bytes();
    let before = range.start.checked_sub(1).and_then(|at| bytes.get(at));
    match (before, bytes.get(range.end)) {
        (Some(opens @ (b'"' | b'\'')), Some(closes)) if opens == closes => {
            range.start - 1..range.end + 1
        }
        _ => range,
    }
}

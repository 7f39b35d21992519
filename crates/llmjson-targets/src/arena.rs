//! An arena of JSON values that preserves the order of members and the text of numbers, and knows the
//! parent of each value. Nothing here is recursive.

use std::collections::{HashMap, VecDeque};
use std::fmt::Write as _;

use llmjson_syntax::{Kind, Limits, Parser, ValueRef};

use super::json;
use llmjson_reply::pointer::{escaped, unescaped};

/// The index of a value in its arena. The root is 0.
pub(super) type Ix = u32;

pub(super) const ROOT: Ix = 0;

/// A JSON value; containers hold the indices of their children.
#[derive(Debug)]
pub(super) enum Value {
    Null,
    Bool(bool),
    /// The number's text.
    Number(Box<str>),
    Text(Box<str>),
    List(Vec<Ix>),
    Object(Vec<(Box<str>, Ix)>),
}

#[derive(Debug)]
struct Node {
    value: Value,
    parent: Ix,
    /// The index among the children of the parent.
    step: u32,
}

/// All values of a schema.
#[derive(Debug)]
pub(super) struct Arena {
    nodes: Vec<Node>,
    /// The approximate size of each value: one, one more for every [`BYTES_COUNTED`] bytes of text, and
    /// the sizes of its children.
    sizes: Vec<u32>,
}

/// How many bytes of text count as one value.
const BYTES_COUNTED: usize = 64;

impl Arena {
    /// Reads the text of a schema that compiled.
    pub(super) fn read(text: &str) -> Self {
        let limits = Limits::DEFAULT.with_input_bytes(u32::MAX - 1);
        let document = Parser::new().with_limits(limits).parse(text);
        let mut arena = Self {
            nodes: Vec::new(),
            sizes: Vec::new(),
        };
        arena.add(ROOT, 0);
        let mut left: VecDeque<_> = document
            .root()
            .map(|root| (root, ROOT))
            .into_iter()
            .collect();
        while let Some((value, ix)) = left.pop_front() {
            let value = arena.take(value, ix, &mut left);
            arena.nodes[ix as usize].value = value;
        }
        arena.measure();
        arena
    }

    /// Computes the sizes. Children come after their parents.
    fn measure(&mut self) {
        self.sizes = vec![1; self.nodes.len()];
        for ix in (0..self.nodes.len()).rev() {
            let own = match &self.nodes[ix].value {
                Value::Number(text) | Value::Text(text) => text.len() / BYTES_COUNTED,
                Value::Object(members) => {
                    let names = members.iter().map(|(name, _)| name.len() / BYTES_COUNTED);
                    names.sum()
                }
                _ => 0,
            };
            self.sizes[ix] = self.sizes[ix].saturating_add(own as u32);
            if ix > 0 {
                let (size, parent) = (self.sizes[ix], self.nodes[ix].parent as usize);
                self.sizes[parent] = self.sizes[parent].saturating_add(size);
            }
        }
    }

    /// Returns the approximate size of a value.
    pub(super) fn size(&self, ix: Ix) -> usize {
        self.sizes[ix as usize] as usize
    }

    fn add(&mut self, parent: Ix, step: usize) -> Ix {
        let ix = self.nodes.len() as Ix;
        self.nodes.push(Node {
            value: Value::Null,
            parent,
            step: step as u32,
        });
        ix
    }

    fn take<'d>(
        &mut self,
        value: ValueRef<'d>,
        ix: Ix,
        left: &mut VecDeque<(ValueRef<'d>, Ix)>,
    ) -> Value {
        match value.kind() {
            Kind::Null => Value::Null,
            Kind::Bool => Value::Bool(value.as_bool() == Some(true)),
            Kind::Number => Value::Number(value.as_number().unwrap_or("0").into()),
            Kind::String => Value::Text(value.as_str().unwrap_or_default().into()),
            Kind::Array => {
                let items = value.items().enumerate().map(|(step, item)| {
                    let child = self.add(ix, step);
                    left.push_back((item, child));
                    child
                });
                Value::List(items.collect())
            }
            Kind::Object => {
                let members = value.members().enumerate().map(|(step, (name, member))| {
                    let child = self.add(ix, step);
                    left.push_back((member, child));
                    (Box::from(&*name), child)
                });
                Value::Object(members.collect())
            }
        }
    }

    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    pub(super) fn get(&self, ix: Ix) -> &Value {
        &self.nodes[ix as usize].value
    }

    pub(super) fn parent(&self, ix: Ix) -> Ix {
        self.nodes[ix as usize].parent
    }

    /// Returns the members of an object; empty for other values.
    pub(super) fn members(&self, ix: Ix) -> &[(Box<str>, Ix)] {
        match self.get(ix) {
            Value::Object(members) => members,
            _ => &[],
        }
    }

    /// Returns the items of an array; empty for other values.
    pub(super) fn items(&self, ix: Ix) -> &[Ix] {
        match self.get(ix) {
            Value::List(items) => items,
            _ => &[],
        }
    }

    /// Returns the member with a name, by linear search.
    pub(super) fn member(&self, ix: Ix, name: &str) -> Option<Ix> {
        let mut members = self.members(ix).iter();
        members.find_map(|(one, value)| (**one == *name).then_some(*value))
    }

    /// Returns the members of the object that a keyword of a schema holds.
    pub(super) fn members_in(&self, schema: Ix, keyword: &str) -> &[(Box<str>, Ix)] {
        let value = self.member(schema, keyword);
        value.map_or(&[], |ix| self.members(ix))
    }

    /// Returns the items of the array that a keyword of a schema holds.
    pub(super) fn items_in(&self, schema: Ix, keyword: &str) -> &[Ix] {
        let value = self.member(schema, keyword);
        value.map_or(&[], |ix| self.items(ix))
    }

    /// Returns the strings in the array that a keyword of a schema holds.
    pub(super) fn texts_in(&self, schema: Ix, keyword: &str) -> impl Iterator<Item = &str> {
        self.texts(self.items_in(schema, keyword))
    }

    /// Returns the strings among some values.
    pub(super) fn texts(&self, values: &[Ix]) -> impl Iterator<Item = &str> {
        values.iter().filter_map(|ix| self.text(*ix))
    }

    /// Returns whether a keyword of a schema is a boolean with this value.
    pub(super) fn has_flag(&self, schema: Ix, keyword: &str, value: bool) -> bool {
        let flag = self.member(schema, keyword);
        flag.is_some_and(|ix| self.is(ix, value))
    }

    pub(super) fn text(&self, ix: Ix) -> Option<&str> {
        match self.get(ix) {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }

    /// Returns the text of a string that is not empty.
    pub(super) fn non_empty_text(&self, ix: Ix) -> Option<&str> {
        self.text(ix).filter(|text| !text.is_empty())
    }

    pub(super) fn number(&self, ix: Ix) -> Option<&str> {
        match self.get(ix) {
            Value::Number(number) => Some(number),
            _ => None,
        }
    }

    pub(super) fn is(&self, ix: Ix, value: bool) -> bool {
        matches!(self.get(ix), Value::Bool(is) if *is == value)
    }

    pub(super) fn is_container(&self, ix: Ix) -> bool {
        matches!(self.get(ix), Value::List(_) | Value::Object(_))
    }

    pub(super) fn json(&self, ix: Ix) -> String {
        json::of(self, ix).to_text()
    }

    pub(super) fn pointer(&self, ix: Ix) -> String {
        let mut way = Vec::new();
        let mut at = ix;
        while at != ROOT {
            way.push(at);
            at = self.parent(at);
        }
        let mut pointer = String::new();
        for at in way.into_iter().rev() {
            let node = &self.nodes[at as usize];
            match self.get(node.parent) {
                Value::Object(members) => {
                    let name = &members[node.step as usize].0;
                    pointer.push_str(&escaped(name));
                }
                _ => write!(pointer, "/{}", node.step).expect("writing to a string does not fail"),
            }
        }
        pointer
    }

    /// Returns the approximate length of the pointer of a value, in bytes.
    pub(super) fn pointer_len(&self, ix: Ix) -> usize {
        let (mut at, mut length) = (ix, 0);
        while at != ROOT {
            let node = &self.nodes[at as usize];
            length += match self.get(node.parent) {
                Value::Object(members) => members[node.step as usize].0.len() + 1,
                _ => 4,
            };
            at = node.parent;
        }
        length
    }
}

/// Resolves JSON Pointers, with hash tables for large objects.
pub(super) struct Finder<'g> {
    arena: &'g Arena,
    tables: HashMap<Ix, HashMap<&'g str, Ix>>,
}

/// Objects with more members than this get a hash table.
const TABLE_FROM: usize = 16;

impl<'g> Finder<'g> {
    pub(super) fn new(arena: &'g Arena) -> Self {
        let tables = HashMap::new();
        Self { arena, tables }
    }

    /// Resolves a JSON Pointer relative to a value.
    pub(super) fn at(&mut self, from: Ix, pointer: &str) -> Option<Ix> {
        let mut at = from;
        for step in pointer.split('/').skip(1) {
            let step = unescaped(step);
            at = match self.arena.get(at) {
                Value::List(items) => *items.get(step.parse::<usize>().ok()?)?,
                _ => self.member(at, &step)?,
            };
        }
        Some(at)
    }

    fn member(&mut self, ix: Ix, name: &str) -> Option<Ix> {
        let members = self.arena.members(ix);
        if members.len() <= TABLE_FROM {
            return self.arena.member(ix, name);
        }
        let table = self.tables.entry(ix).or_insert_with(|| {
            let members = members.iter();
            members.map(|(name, value)| (&**name, *value)).collect()
        });
        table.get(name).copied()
    }
}

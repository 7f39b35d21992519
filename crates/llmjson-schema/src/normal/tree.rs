//! A schema as given, and rewritten in place: an arena of JSON nodes that keep member order, number
//! texts and their original positions.
//!
//! Nothing here recurses, and reading stops at the limits below, because untrusted servers may
//! supply schemas.

use std::collections::HashMap;
use std::sync::OnceLock;

use llmjson_syntax::{Kind, Span, ValueRef};
use serde_json::{Map, Number, Value};

use super::place::{NodePlace, Step};
use super::reference::References;
use crate::base::error::SchemaError;

/// Maximum number of bytes of keys, strings and numbers in a schema.
pub(crate) const SCHEMA_BYTES_MAX: usize = 5_000_000;
/// Maximum number of JSON values in a schema.
pub(crate) const SCHEMA_NODES_MAX: usize = 1_000_000;
/// Maximum depth of the JSON of a schema.
pub(crate) const SCHEMA_DEPTH_MAX: u32 = 256;
/// Maximum number of bytes of pointers that are written out for the subschemas of one schema.
pub(crate) const POINTER_BYTES_MAX: usize = 64_000_000;

/// The index of a node in its tree.
pub type NodeIx = u32;

/// One JSON value. Containers refer to their children; strings and keys are ranges in the shared
/// text.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Json {
    Null,
    Bool(bool),
    /// The number's text.
    Number(Span),
    String(Span),
    Array(Vec<NodeIx>),
    Object(Vec<(Span, NodeIx)>),
}

/// All nodes of a schema. Node 0 is the root, before and after rewriting.
#[derive(Debug, Default)]
pub(crate) struct Tree {
    pub(super) nodes: Vec<Json>,
    /// The position of each node in the schema as given. An inserted node has the position of the
    /// one it replaces.
    pub(super) source: Vec<Option<NodePlace>>,
    /// The position of each node after rewriting, known after [`settle`](Self::settle).
    pub(super) places: Vec<Option<NodePlace>>,
    /// `true` if anything was rewritten.
    pub(crate) is_rewritten: bool,
    /// All keys, strings and numbers, concatenated.
    pub(super) texts: String,
    /// The subschemas and their references, once they have been found.
    pub(crate) references: References,
    /// The schema in the form for validators, written on first use.
    pub(super) value: OnceLock<Value>,
}

/// The root of a tree.
pub const ROOT: NodeIx = 0;

impl Tree {
    pub(crate) fn from_value(value: &Value) -> Result<Self, SchemaError> {
        Self::read(Given::Value(value))
    }

    pub(crate) fn from_document(root: ValueRef<'_>) -> Result<Self, SchemaError> {
        Self::read(Given::Document(root))
    }

    fn read(root: Given<'_>) -> Result<Self, SchemaError> {
        const USUAL: usize = 256;
        let mut tree = Self {
            nodes: Vec::with_capacity(USUAL),
            source: Vec::with_capacity(USUAL),
            texts: String::with_capacity(USUAL * 8),
            ..Self::default()
        };
        tree.add(Json::Null, None);
        let mut open = vec![(root, ROOT, 1u32)];
        while let Some((given, parent, depth)) = open.pop() {
            tree.check_limits(parent, depth, given.len())?;
            let mut child = |tree: &mut Self, given, step| {
                let child = tree.add(Json::Null, Some(NodePlace { parent, step }));
                open.push((given, child, depth + 1));
                child
            };
            let json = match given.kind() {
                Kind::Null => Json::Null,
                Kind::Bool => Json::Bool(given.is_true()),
                Kind::Number => Json::Number(tree.read_number(given, parent)?),
                Kind::String => Json::String(match given {
                    Given::Value(value) => tree.put(value.as_str().unwrap_or_default()),
                    Given::Document(value) => tree.put(&value.as_str().unwrap_or_default()),
                }),
                Kind::Array => {
                    let mut items = Vec::with_capacity(given.len());
                    given.for_each_item(|item| {
                        let step = Step::Index(items.len());
                        items.push(child(&mut tree, item, step));
                    });
                    Json::Array(items)
                }
                Kind::Object => {
                    let mut members = Vec::with_capacity(given.len());
                    given.for_each_member(|name, value| {
                        let name = tree.put(name);
                        members.push((name, child(&mut tree, value, Step::Member(name))));
                    });
                    Json::Object(members)
                }
            };
            tree.nodes[parent as usize] = json;
            if tree.texts.len() > SCHEMA_BYTES_MAX {
                let message = format!("the schema is longer than {SCHEMA_BYTES_MAX} bytes");
                return Err(SchemaError::of_whole(message));
            }
        }
        Ok(tree)
    }

    fn read_number(&mut self, given: Given<'_>, node: NodeIx) -> Result<Span, SchemaError> {
        match given {
            Given::Value(number) => Ok(self.put(&number.to_string())),
            Given::Document(value) => {
                let text = value.as_number().unwrap_or_default();
                // `Value`, in which validators read the schema, cannot represent others.
                if !is_small(text) && serde_json::from_str::<Number>(text).is_err() {
                    return Err(self.error(node, format!("{text} is out of range")));
                }
                Ok(self.put(text))
            }
        }
    }

    fn check_limits(&self, parent: NodeIx, depth: u32, children: usize) -> Result<(), SchemaError> {
        if depth >= SCHEMA_DEPTH_MAX && children > 0 {
            let message = format!("the schema nests deeper than {SCHEMA_DEPTH_MAX}");
            return Err(self.error(parent, message));
        }
        if self.nodes.len() + children > SCHEMA_NODES_MAX {
            let message = format!("the schema holds more than {SCHEMA_NODES_MAX} values");
            return Err(SchemaError::of_whole(message));
        }
        Ok(())
    }

    /// Adds a text, to which nodes can refer.
    pub(super) fn put(&mut self, text: &str) -> Span {
        // Text beyond the byte limit is rejected before it is read.
        let start = self.texts.len() as u32;
        self.texts.push_str(text);
        Span::new(start, self.texts.len() as u32)
    }

    /// A text that was added.
    pub(crate) fn at(&self, text: Span) -> &str {
        &self.texts[text.start as usize..text.end as usize]
    }

    fn add(&mut self, json: Json, source: Option<NodePlace>) -> NodeIx {
        let ix = NodeIx::try_from(self.nodes.len()).expect("the limit on nodes is far below");
        self.nodes.push(json);
        self.source.push(source);
        ix
    }

    pub(crate) fn len(&self) -> usize {
        self.nodes.len()
    }

    pub(crate) fn get(&self, ix: NodeIx) -> &Json {
        &self.nodes[ix as usize]
    }

    pub(crate) fn set(&mut self, ix: NodeIx, json: Json) {
        self.is_rewritten = true;
        self.nodes[ix as usize] = json;
    }

    /// Inserts a node in place of `like`, at whose position messages about it point.
    pub(crate) fn insert_like(&mut self, like: NodeIx, json: Json) -> NodeIx {
        self.add(json, self.source[like as usize])
    }

    /// Returns the members of an object, with their keys.
    pub(crate) fn members(
        &self,
        ix: NodeIx,
    ) -> impl ExactSizeIterator<Item = (&str, NodeIx)> + Clone {
        let members = match self.get(ix) {
            Json::Object(members) => &members[..],
            _ => &[],
        };
        members.iter().map(|&(name, value)| (self.at(name), value))
    }

    fn members_mut(&mut self, ix: NodeIx) -> Option<&mut Vec<(Span, NodeIx)>> {
        self.is_rewritten = true;
        match &mut self.nodes[ix as usize] {
            Json::Object(members) => Some(members),
            _ => None,
        }
    }

    /// Removes all members of an object.
    pub(super) fn take_members(&mut self, ix: NodeIx) -> Vec<(Span, NodeIx)> {
        self.members_mut(ix).map(std::mem::take).unwrap_or_default()
    }

    /// Removes the member with that key from an object.
    pub(super) fn take(&mut self, ix: NodeIx, name: &str) -> Option<NodeIx> {
        let value = self.member(ix, name)?;
        self.remove(ix, value);
        Some(value)
    }

    /// Removes a member from an object.
    pub(super) fn remove(&mut self, ix: NodeIx, value: NodeIx) {
        if let Some(members) = self.members_mut(ix) {
            members.retain(|(_, own)| *own != value);
        }
    }

    /// Renames a member, replacing any member with the new key.
    pub(super) fn rename(&mut self, ix: NodeIx, from: &str, to: &str) {
        if let Some(value) = self.member(ix, from) {
            self.take(ix, to);
            let name = self.put(to);
            let mut members = self.members_mut(ix).into_iter().flatten();
            if let Some(member) = members.find(|(_, own)| *own == value) {
                member.0 = name;
            }
        }
    }

    pub(super) fn push(&mut self, ix: NodeIx, name: &str, value: NodeIx) {
        let name = self.put(name);
        self.members_mut(ix)
            .into_iter()
            .for_each(|members| members.push((name, value)));
    }

    pub(crate) fn items(&self, ix: NodeIx) -> &[NodeIx] {
        match self.get(ix) {
            Json::Array(items) => items,
            _ => &[],
        }
    }

    pub(crate) fn member(&self, ix: NodeIx, name: &str) -> Option<NodeIx> {
        let Json::Object(members) = self.get(ix) else {
            return None;
        };
        // Most keys differ in length.
        let is = |key: Span| key.len() == name.len() && self.at(key) == name;
        let found = members.iter().find(|(key, _)| is(*key));
        found.map(|&(_, value)| value)
    }

    /// Returns `true` if an object has a member with any of these keys.
    pub(crate) fn has(&self, ix: NodeIx, names: &[&str]) -> bool {
        self.members(ix).any(|(name, _)| names.contains(&name))
    }

    /// Returns the content of a string.
    pub(crate) fn text(&self, ix: NodeIx) -> Option<&str> {
        match self.get(ix) {
            Json::String(text) => Some(self.at(*text)),
            _ => None,
        }
    }

    /// Returns the text of a number.
    pub(crate) fn number(&self, ix: NodeIx) -> Option<&str> {
        match self.get(ix) {
            Json::Number(text) => Some(self.at(*text)),
            _ => None,
        }
    }

    pub(crate) fn error(&self, ix: NodeIx, message: impl Into<String>) -> SchemaError {
        SchemaError {
            pointer: self.source_pointer(ix),
            message: message.into(),
        }
    }

    /// Returns the number of bytes of keys, strings and numbers together.
    pub(crate) fn bytes(&self) -> usize {
        self.texts.len()
    }

    /// Returns the approximate length of the schema, at most the length of its text.
    pub(crate) fn size(&self) -> usize {
        self.texts.len() + self.nodes.len()
    }

    /// Returns the node as a `Value`, with some texts replaced.
    ///
    /// Children follow their parents in a vector built first, and values are assembled from its
    /// end, so that depth costs no stack.
    pub(crate) fn to_value(&self, ix: NodeIx, texts: &HashMap<NodeIx, String>) -> Value {
        let mut order = vec![ix];
        let mut at = 0;
        while at < order.len() {
            match self.get(order[at]) {
                Json::Array(items) => order.extend(items),
                Json::Object(members) => order.extend(members.iter().map(|&(_, value)| value)),
                _ => {}
            }
            at += 1;
        }
        // In breadth-first order, the children of a later node are later: going backwards, the
        // values built last that were not used yet are this node's children, last child first.
        let mut ready = std::collections::VecDeque::new();
        for &ix in order.iter().rev() {
            let value = match self.get(ix) {
                Json::Null => Value::Null,
                Json::Bool(value) => Value::Bool(*value),
                Json::String(text) => match texts.get(&ix) {
                    Some(other) => Value::String(other.clone()),
                    None => Value::String(self.at(*text).to_owned()),
                },
                Json::Number(text) => {
                    let number = serde_json::from_str::<Number>(self.at(*text));
                    Value::Number(number.expect("only numbers that a Value can hold were read"))
                }
                Json::Array(items) => {
                    let mut values: Vec<Value> = ready.drain(..items.len()).collect();
                    values.reverse();
                    Value::Array(values)
                }
                Json::Object(members) => {
                    let values = ready.drain(..members.len()).rev();
                    let names = members.iter().map(|(name, _)| self.at(*name).to_owned());
                    Value::Object(names.zip(values).collect::<Map<_, _>>())
                }
            };
            ready.push_back(value);
        }
        ready.pop_back().unwrap_or_default()
    }
}

/// A value of a schema to be read.
#[derive(Clone, Copy)]
enum Given<'g> {
    Value(&'g Value),
    Document(ValueRef<'g>),
}

impl<'g> Given<'g> {
    fn kind(self) -> Kind {
        match self {
            Self::Document(value) => value.kind(),
            Self::Value(Value::Null) => Kind::Null,
            Self::Value(Value::Bool(_)) => Kind::Bool,
            Self::Value(Value::Number(_)) => Kind::Number,
            Self::Value(Value::String(_)) => Kind::String,
            Self::Value(Value::Array(_)) => Kind::Array,
            Self::Value(Value::Object(_)) => Kind::Object,
        }
    }

    fn is_true(self) -> bool {
        match self {
            Self::Document(value) => value.as_bool() == Some(true),
            Self::Value(value) => *value == Value::Bool(true),
        }
    }

    fn len(self) -> usize {
        match self {
            Self::Document(value) => value.len(),
            Self::Value(Value::Array(items)) => items.len(),
            Self::Value(Value::Object(members)) => members.len(),
            Self::Value(_) => 0,
        }
    }

    fn for_each_item(self, call: impl FnMut(Self)) {
        match self {
            Self::Document(value) => value.items().map(Self::Document).for_each(call),
            Self::Value(value) => {
                let items = value.as_array().into_iter().flatten();
                items.map(Self::Value).for_each(call);
            }
        }
    }

    fn for_each_member(self, mut call: impl FnMut(&str, Self)) {
        match self {
            Self::Document(value) => {
                let members = value.members();
                members.for_each(|(name, value)| call(&name, Self::Document(value)));
            }
            Self::Value(value) => {
                let members = value.as_object().into_iter().flatten();
                members.for_each(|(name, value)| call(name, Self::Value(value)));
            }
        }
    }
}

/// Returns `true` if a number is written in digits only, and in few enough to fit any integer type.
fn is_small(number: &str) -> bool {
    const FEW: usize = 18;
    number.len() <= FEW && number.bytes().all(|byte| byte.is_ascii_digit())
}

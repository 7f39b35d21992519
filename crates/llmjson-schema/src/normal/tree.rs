//! A schema as it was given, held so that it can be rewritten: an arena of JSON nodes that keep
//! member order and number texts, and remember where each of them stood.
//!
//! Nothing here recurses, and reading stops at the limits below, because schemas come from
//! strangers.

use std::collections::HashMap;

use llmjson_syntax::{Document, Kind, ValueRef};
use serde_json::{Map, Number, Value};

use super::place::{Place, Source};
use super::word::{About, Known, Word};
use crate::base::error::SchemaError;

/// The most bytes of names, strings and numbers that a schema may hold.
pub(crate) const SCHEMA_BYTES_MAX: usize = 5_000_000;
/// The most JSON values that a schema may hold.
pub(crate) const SCHEMA_NODES_MAX: usize = 1_000_000;
/// How deep the JSON of a schema may nest.
pub(crate) const SCHEMA_DEPTH_MAX: u32 = 256;
/// The most bytes of pointers that are written out for the subschemas of one schema.
pub(crate) const POINTER_BYTES_MAX: usize = 64_000_000;

/// Names a node in its tree.
pub(crate) type NodeIx = u32;

/// One JSON value; containers name their children.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Json {
    Null,
    Bool(bool),
    /// The number's text.
    Number(Word),
    String(Word),
    Array(Vec<NodeIx>),
    Object(Vec<(Word, NodeIx)>),
}

/// All nodes of a schema. Node 0 is the root, before and after rewriting.
#[derive(Debug, Default)]
pub(crate) struct Tree {
    pub(super) nodes: Vec<Json>,
    /// Where a node stands; while something is rewritten, and before [`settle`](Self::settle), where
    /// it stood.
    pub(super) places: Vec<Place>,
    /// Where a node stood in the schema as it was given, written down if something is rewritten. A
    /// node that was put in has the place of the one it stands for.
    pub(super) source: Option<Vec<Option<Source>>>,
    bytes: usize,
}

pub(crate) const ROOT: NodeIx = 0;

impl Tree {
    /// An empty tree that takes nearly any schema without growing. What is left over is given back
    /// by [`settle`](Self::settle).
    fn with_room() -> Self {
        const USUAL: usize = 1024;
        Self {
            nodes: Vec::with_capacity(USUAL),
            places: Vec::with_capacity(USUAL),
            source: None,
            bytes: 0,
        }
    }

    pub(crate) fn from_value(value: &Value) -> Result<Self, SchemaError> {
        let mut tree = Self::with_room();
        let root = scalar(value);
        let mut open = Vec::new();
        if root.is_none() {
            open.push((value, ROOT, 1u32));
        }
        tree.push(root.unwrap_or(Json::Null), Place::NOWHERE)?;
        while let Some((value, parent, depth)) = open.pop() {
            // Lists are long where scalars are in them.
            let mut add = |tree: &mut Self, value, at| {
                let child = scalar(value);
                let is_open = child.is_none();
                let ix = tree.push(child.unwrap_or(Json::Null), Place { parent, at })?;
                if is_open {
                    open.push((value, ix, depth + 1));
                }
                Ok(ix)
            };
            let json = match value {
                Value::Array(items) => {
                    tree.check_depth(parent, depth, items.len())?;
                    let mut children = Vec::with_capacity(items.len());
                    for (item, at) in items.iter().zip(0..) {
                        children.push(add(&mut tree, item, at)?);
                    }
                    Json::Array(children)
                }
                Value::Object(members) => {
                    tree.check_depth(parent, depth, members.len())?;
                    let mut children = Vec::with_capacity(members.len());
                    for ((name, value), at) in members.iter().zip(0..) {
                        tree.count_bytes(name.len())?;
                        children.push((Word::new(name), add(&mut tree, value, at)?));
                    }
                    Json::Object(children)
                }
                _ => continue,
            };
            tree.nodes[parent as usize] = json;
        }
        Ok(tree)
    }

    /// Reads what the document holds. `None` of a document is for the caller to refuse.
    pub(crate) fn from_document(document: &Document<'_>) -> Result<Self, SchemaError> {
        let mut tree = Self::with_room();
        let mut open: Vec<(ValueRef<'_>, NodeIx, u32)> = Vec::new();
        if let Some(root) = document.root() {
            open.push((root, ROOT, 1));
            tree.push(Json::Null, Place::NOWHERE)?;
        }
        while let Some((value, parent, depth)) = open.pop() {
            let json = match value.kind() {
                Kind::Null => Json::Null,
                Kind::Bool => Json::Bool(value.as_bool().unwrap_or_default()),
                Kind::Number => {
                    let text = value.as_number().unwrap_or_default();
                    // `Value`, as which validators read the schema, has no room for others.
                    if !is_small(text) && serde_json::from_str::<Number>(text).is_err() {
                        return Err(tree.error(parent, format!("{text} is out of range")));
                    }
                    tree.count_bytes(text.len())?;
                    Json::Number(Word::number(text))
                }
                Kind::String => {
                    let text = value.as_str().unwrap_or_default();
                    tree.count_bytes(text.len())?;
                    Json::String(Word::new(&text))
                }
                Kind::Array => {
                    let length = value.len();
                    tree.check_depth(parent, depth, length)?;
                    let mut children = Vec::with_capacity(length);
                    for (item, at) in value.items().zip(0..) {
                        let child = tree.push(Json::Null, Place { parent, at })?;
                        children.push(child);
                        open.push((item, child, depth + 1));
                    }
                    Json::Array(children)
                }
                Kind::Object => {
                    let length = value.len();
                    tree.check_depth(parent, depth, length)?;
                    let mut children = Vec::with_capacity(length);
                    for ((key, value), at) in value.members().zip(0..) {
                        tree.count_bytes(key.len())?;
                        let child = tree.push(Json::Null, Place { parent, at })?;
                        children.push((Word::new(&key), child));
                        open.push((value, child, depth + 1));
                    }
                    Json::Object(children)
                }
            };
            tree.nodes[parent as usize] = json;
        }
        Ok(tree)
    }

    fn check_depth(&self, parent: NodeIx, depth: u32, children: usize) -> Result<(), SchemaError> {
        if depth < SCHEMA_DEPTH_MAX || children == 0 {
            return Ok(());
        }
        let message = format!("the schema nests deeper than {SCHEMA_DEPTH_MAX}");
        Err(self.error(parent, message))
    }

    /// Adds a node while reading. Containers are put in when their children are there.
    #[inline]
    fn push(&mut self, json: Json, place: Place) -> Result<NodeIx, SchemaError> {
        if self.nodes.len() >= SCHEMA_NODES_MAX {
            return Err(too_many_values());
        }
        if let Json::String(text) | Json::Number(text) = &json {
            self.count_bytes(text.len())?;
        }
        Ok(self.add(json, place))
    }

    fn add(&mut self, json: Json, place: Place) -> NodeIx {
        let ix = NodeIx::try_from(self.nodes.len()).expect("the limit on nodes is far below");
        self.nodes.push(json);
        self.places.push(place);
        ix
    }

    #[inline]
    fn count_bytes(&mut self, more: usize) -> Result<(), SchemaError> {
        self.bytes += more;
        if self.bytes > SCHEMA_BYTES_MAX {
            return Err(too_many_bytes());
        }
        Ok(())
    }

    pub(crate) fn len(&self) -> usize {
        self.nodes.len()
    }

    pub(crate) fn get(&self, ix: NodeIx) -> &Json {
        &self.nodes[ix as usize]
    }

    pub(crate) fn set(&mut self, ix: NodeIx, json: Json) {
        self.nodes[ix as usize] = json;
    }

    /// Puts in a node that stands for `like`, which is where messages about it point.
    pub(crate) fn insert_like(&mut self, like: NodeIx, json: Json) -> NodeIx {
        let source = (self.source.as_mut()).expect("where nodes stood is noted before they change");
        source.push(source[like as usize].clone());
        self.add(json, Place::NOWHERE)
    }

    pub(crate) fn members(&self, ix: NodeIx) -> &[(Word, NodeIx)] {
        match self.get(ix) {
            Json::Object(members) => members,
            _ => &[],
        }
    }

    pub(crate) fn members_mut(&mut self, ix: NodeIx) -> Option<&mut Vec<(Word, NodeIx)>> {
        match &mut self.nodes[ix as usize] {
            Json::Object(members) => Some(members),
            _ => None,
        }
    }

    pub(crate) fn items(&self, ix: NodeIx) -> &[NodeIx] {
        match self.get(ix) {
            Json::Array(items) => items,
            _ => &[],
        }
    }

    pub(crate) fn member(&self, ix: NodeIx, name: &str) -> Option<NodeIx> {
        self.members(ix)
            .iter()
            .find(|(key, _)| key.is(name))
            .map(|&(_, value)| value)
    }

    /// The member whose name is known beforehand.
    #[inline]
    pub(crate) fn under(&self, ix: NodeIx, name: Known) -> Option<NodeIx> {
        let mut members = self.members(ix).iter();
        members
            .find(|(key, _)| key.is_known(name))
            .map(|&(_, value)| value)
    }

    /// What the members of a node are about.
    pub(crate) fn about(&self, ix: NodeIx) -> About {
        let names = self.members(ix).iter().map(|(name, _)| name);
        names.fold(About::NOTHING, |all, name| all.or(name.about()))
    }

    pub(crate) fn text(&self, ix: NodeIx) -> Option<&str> {
        match self.get(ix) {
            Json::String(text) => Some(text),
            _ => None,
        }
    }

    pub(crate) fn error(&self, ix: NodeIx, message: impl Into<String>) -> SchemaError {
        SchemaError {
            pointer: self.source_pointer(ix),
            message: message.into(),
        }
    }

    /// How many bytes names, texts and numbers have together.
    pub(crate) fn bytes(&self) -> usize {
        self.bytes
    }

    /// The node as a `Value`, with other texts in place of some.
    ///
    /// Children come after their parents in a list made first, and values are put together from
    /// its end, so that depth costs no stack.
    pub(crate) fn to_value(&self, ix: NodeIx, texts: &HashMap<NodeIx, String>) -> Value {
        match self.get(ix) {
            Json::String(text) if texts.is_empty() => return Value::String((**text).to_owned()),
            Json::Null => return Value::Null,
            Json::Bool(value) => return Value::Bool(*value),
            _ => {}
        }
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
        // Breadth first, the children of a later node come later: going backwards, the values
        // made last that nobody took yet are this node's children, last child first.
        let mut ready = std::collections::VecDeque::new();
        for &ix in order.iter().rev() {
            let value = match self.get(ix) {
                Json::Null => Value::Null,
                Json::Bool(value) => Value::Bool(*value),
                Json::String(text) => match texts.get(&ix) {
                    Some(other) => Value::String(other.clone()),
                    None => Value::String((**text).to_owned()),
                },
                Json::Number(text) => {
                    let number = serde_json::from_str::<Number>(text);
                    Value::Number(number.expect("only numbers that a Value can hold were read"))
                }
                Json::Array(items) => {
                    let mut values: Vec<Value> = ready.drain(..items.len()).collect();
                    values.reverse();
                    Value::Array(values)
                }
                Json::Object(members) => {
                    let values = ready.drain(..members.len()).rev();
                    let names = members.iter().map(|(name, _)| (**name).to_owned());
                    Value::Object(names.zip(values).collect::<Map<_, _>>())
                }
            };
            ready.push_back(value);
        }
        ready.pop_back().unwrap_or_default()
    }
}

/// What holds nothing else.
fn scalar(value: &Value) -> Option<Json> {
    Some(match value {
        Value::Null => Json::Null,
        Value::Bool(value) => Json::Bool(*value),
        Value::Number(number) => Json::Number(match number.as_u64() {
            Some(whole) => digits(whole),
            None => Word::number(&number.to_string()),
        }),
        Value::String(text) => Json::String(Word::new(text)),
        Value::Array(_) | Value::Object(_) => return None,
    })
}

/// A whole number as `Number` writes it.
fn digits(mut whole: u64) -> Word {
    const MOST: usize = 20;
    let mut digits = [0; MOST];
    let mut at = MOST;
    loop {
        at -= 1;
        digits[at] = b'0' + (whole % 10) as u8;
        whole /= 10;
        if whole == 0 {
            break;
        }
    }
    Word::number(std::str::from_utf8(&digits[at..]).expect("digits are a text"))
}

/// Whether a number is written with so few digits, and nothing else, that it has room anywhere.
fn is_small(number: &str) -> bool {
    const FEW: usize = 18;
    number.len() <= FEW && number.bytes().all(|byte| byte.is_ascii_digit())
}

#[cold]
fn too_many_values() -> SchemaError {
    SchemaError {
        pointer: String::new(),
        message: format!("the schema holds more than {SCHEMA_NODES_MAX} values"),
    }
}

#[cold]
fn too_many_bytes() -> SchemaError {
    SchemaError {
        pointer: String::new(),
        message: format!("the schema is longer than {SCHEMA_BYTES_MAX} bytes"),
    }
}

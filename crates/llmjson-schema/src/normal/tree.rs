//! A schema as it was given, held so that it can be rewritten: an arena of JSON nodes that keep
//! member order and number texts, and remember where each of them stood.
//!
//! Nothing here recurses, and reading stops at the limits below, because schemas come from
//! strangers.

use std::collections::HashMap;

use llmjson_syntax::{Document, Kind, ValueRef};
use serde_json::{Map, Number, Value};

use super::word::Word;
use crate::schema::SchemaError;

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
    Number(Box<str>),
    String(Word),
    Array(Vec<NodeIx>),
    Object(Vec<(Word, NodeIx)>),
}

/// Where a node stood: in which parent, and under what.
#[derive(Clone, Debug)]
struct Place {
    parent: Option<NodeIx>,
    step: PlaceStep,
}

#[derive(Clone, Debug)]
enum PlaceStep {
    Root,
    Member(Word),
    Index(u32),
}

/// Where a node stands now: in which parent, as which of its members or items.
#[derive(Clone, Copy, Debug)]
struct Now {
    parent: NodeIx,
    at: u32,
}

impl Now {
    /// Nothing leads there.
    const NOWHERE: Self = Self {
        parent: NodeIx::MAX,
        at: 0,
    };
}

/// All nodes of a schema. Node 0 is the root, before and after rewriting.
#[derive(Debug, Default)]
pub(crate) struct Tree {
    nodes: Vec<Json>,
    /// Where a node stood in the schema as it was given. A node that was put in has the place of
    /// the one it stands for.
    source: Vec<Place>,
    /// Where a node stands after rewriting.
    normal: Vec<Now>,
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
            source: Vec::with_capacity(USUAL),
            normal: Vec::new(),
            bytes: 0,
        }
    }

    pub(crate) fn from_value(value: &Value) -> Result<Self, SchemaError> {
        let mut tree = Self::with_room();
        let mut open = vec![(value, tree.add_root(), 1u32)];
        while let Some((value, ix, depth)) = open.pop() {
            let json = match value {
                Value::Array(items) => {
                    let mut children = Vec::with_capacity(items.len());
                    for item in items {
                        let child = tree.add_child(ix, index_step(children.len()), depth)?;
                        children.push(child);
                        // Lists are long where scalars are in them.
                        match scalar(item) {
                            Some(json) => tree.fill(child, json)?,
                            None => open.push((item, child, depth + 1)),
                        }
                    }
                    Json::Array(children)
                }
                Value::Object(members) => {
                    let mut children = Vec::with_capacity(members.len());
                    for (name, value) in members {
                        let name = Word::new(name);
                        let step = PlaceStep::Member(name.clone());
                        let child = tree.add_child(ix, step, depth)?;
                        children.push((name, child));
                        match scalar(value) {
                            Some(json) => tree.fill(child, json)?,
                            None => open.push((value, child, depth + 1)),
                        }
                    }
                    Json::Object(children)
                }
                other => scalar(other).unwrap_or(Json::Null),
            };
            tree.fill(ix, json)?;
        }
        Ok(tree)
    }

    /// Reads what the document holds. `None` of a document is for the caller to refuse.
    pub(crate) fn from_document(document: &Document<'_>) -> Result<Self, SchemaError> {
        let mut tree = Self::with_room();
        let mut open: Vec<(ValueRef<'_>, NodeIx, u32)> = Vec::new();
        if let Some(root) = document.root() {
            open.push((root, tree.add_root(), 1));
        }
        while let Some((value, ix, depth)) = open.pop() {
            let json = match value.kind() {
                Kind::Null => Json::Null,
                Kind::Bool => Json::Bool(value.as_bool().unwrap_or_default()),
                Kind::Number => {
                    let text = value.as_number().unwrap_or_default();
                    // `Value`, as which validators read the schema, has no room for others.
                    if serde_json::from_str::<Number>(text).is_err() {
                        return Err(tree.error(ix, format!("{text} is out of range")));
                    }
                    Json::Number(text.into())
                }
                Kind::String => Json::String(Word::new(&value.as_str().unwrap_or_default())),
                Kind::Array => {
                    let mut children = Vec::with_capacity(value.len());
                    for item in value.items() {
                        let child = tree.add_child(ix, index_step(children.len()), depth)?;
                        children.push(child);
                        open.push((item, child, depth + 1));
                    }
                    Json::Array(children)
                }
                Kind::Object => {
                    let mut children = Vec::with_capacity(value.len());
                    for (key, value) in value.members() {
                        let name = Word::new(&key);
                        let step = PlaceStep::Member(name.clone());
                        let child = tree.add_child(ix, step, depth)?;
                        children.push((name, child));
                        open.push((value, child, depth + 1));
                    }
                    Json::Object(children)
                }
            };
            tree.fill(ix, json)?;
        }
        Ok(tree)
    }

    fn add_root(&mut self) -> NodeIx {
        self.push(
            Json::Null,
            Place {
                parent: None,
                step: PlaceStep::Root,
            },
        )
    }

    fn add_child(
        &mut self,
        parent: NodeIx,
        step: PlaceStep,
        depth: u32,
    ) -> Result<NodeIx, SchemaError> {
        if depth >= SCHEMA_DEPTH_MAX {
            let message = format!("the schema nests deeper than {SCHEMA_DEPTH_MAX}");
            return Err(SchemaError {
                pointer: self.source_pointer(parent),
                message,
            });
        }
        if self.nodes.len() >= SCHEMA_NODES_MAX {
            let message = format!("the schema holds more than {SCHEMA_NODES_MAX} values");
            return Err(SchemaError {
                pointer: String::new(),
                message,
            });
        }
        if let PlaceStep::Member(name) = &step {
            self.count_bytes(name.len())?;
        }
        Ok(self.push(
            Json::Null,
            Place {
                parent: Some(parent),
                step,
            },
        ))
    }

    fn push(&mut self, json: Json, place: Place) -> NodeIx {
        let ix = NodeIx::try_from(self.nodes.len()).expect("the limit on nodes is far below");
        self.nodes.push(json);
        self.source.push(place);
        ix
    }

    fn fill(&mut self, ix: NodeIx, json: Json) -> Result<(), SchemaError> {
        match &json {
            Json::String(text) => self.count_bytes(text.len())?,
            Json::Number(text) => self.count_bytes(text.len())?,
            _ => {}
        }
        self.nodes[ix as usize] = json;
        Ok(())
    }

    fn count_bytes(&mut self, more: usize) -> Result<(), SchemaError> {
        self.bytes += more;
        if self.bytes > SCHEMA_BYTES_MAX {
            let message = format!("the schema is longer than {SCHEMA_BYTES_MAX} bytes");
            return Err(SchemaError {
                pointer: String::new(),
                message,
            });
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
        let place = self.source[like as usize].clone();
        self.push(json, place)
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

    /// JSON Pointer to where the node stood in the schema as it was given.
    pub(crate) fn source_pointer(&self, ix: NodeIx) -> String {
        let mut steps = Vec::new();
        let mut place = &self.source[ix as usize];
        while let Some(parent) = place.parent {
            steps.push(&place.step);
            place = &self.source[parent as usize];
        }
        write_pointer(&steps)
    }

    /// JSON Pointer to where the node stands now. Known after [`settle`](Self::settle).
    pub(crate) fn normal_pointer(&self, ix: NodeIx) -> String {
        let mut steps = Vec::new();
        let mut at = ix;
        while let Some((parent, name)) = self.normal_parent(at) {
            steps.push(match name {
                Some(name) => PlaceStep::Member(name.clone()),
                None => PlaceStep::Index(self.normal[at as usize].at),
            });
            at = parent;
        }
        write_pointer(&steps.iter().collect::<Vec<_>>())
    }

    /// How many bytes names, texts and numbers have together.
    pub(crate) fn bytes(&self) -> usize {
        self.bytes
    }

    /// How many bytes the pointer to where the node stood has at most, with its signs escaped.
    pub(crate) fn pointer_bytes(&self, ix: NodeIx) -> usize {
        const INDEX: usize = 8;
        let (mut bytes, mut place) = (0, &self.source[ix as usize]);
        while let Some(parent) = place.parent {
            bytes += match &place.step {
                PlaceStep::Member(name) => 1 + 3 * name.len(),
                PlaceStep::Root | PlaceStep::Index(_) => INDEX,
            };
            place = &self.source[parent as usize];
        }
        bytes
    }

    /// The parent and the name under which the node stands now; nothing for the root and for what
    /// nothing leads to any more.
    pub(crate) fn normal_parent(&self, ix: NodeIx) -> Option<(NodeIx, Option<&Word>)> {
        let Now { parent, at } = *self.normal.get(ix as usize)?;
        let name = match self.nodes.get(parent as usize)? {
            Json::Object(members) => Some(&members[at as usize].0),
            _ => None,
        };
        Some((parent, name))
    }

    /// Finds out where each node stands after rewriting.
    pub(crate) fn settle(&mut self) {
        self.nodes.shrink_to_fit();
        self.source.shrink_to_fit();
        self.normal = vec![Now::NOWHERE; self.nodes.len()];
        let mut open = vec![ROOT];
        while let Some(parent) = open.pop() {
            let mut place = |child: NodeIx, at: u32| {
                self.normal[child as usize] = Now { parent, at };
                if let Json::Array(_) | Json::Object(_) = self.nodes[child as usize] {
                    open.push(child);
                }
            };
            match &self.nodes[parent as usize] {
                Json::Array(items) => {
                    let items = items.iter().zip(0u32..);
                    items.for_each(|(&item, at)| place(item, at));
                }
                Json::Object(members) => {
                    let members = members.iter().zip(0u32..);
                    members.for_each(|((_, value), at)| place(*value, at));
                }
                _ => {}
            }
        }
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
        Value::Number(number) => Json::Number(number.to_string().into()),
        Value::String(text) => Json::String(Word::new(text)),
        Value::Array(_) | Value::Object(_) => return None,
    })
}

fn index_step(index: usize) -> PlaceStep {
    PlaceStep::Index(u32::try_from(index).expect("the limit on nodes is far below"))
}

fn write_pointer(steps: &[&PlaceStep]) -> String {
    let mut pointer = String::new();
    for step in steps.iter().rev() {
        pointer.push('/');
        match step {
            PlaceStep::Root => {}
            PlaceStep::Index(index) => pointer.push_str(&index.to_string()),
            PlaceStep::Member(name) => {
                for c in name.chars() {
                    match c {
                        '~' => pointer.push_str("~0"),
                        '/' => pointer.push_str("~1"),
                        _ => pointer.push(c),
                    }
                }
            }
        }
    }
    pointer
}

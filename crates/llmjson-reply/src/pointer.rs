//! JSON Pointers: their syntax, and finding the values that they refer to.

use std::borrow::Cow;
use std::collections::HashMap;

use llmjson_syntax::{Kind, NodeId, ValueRef};

/// Objects and arrays with more children than this get a hash table.
const TABLE_FROM: usize = 16;

/// Formats one reference token of a JSON Pointer, with its slash.
pub fn escaped(step: &str) -> String {
    format!("/{}", step.replace('~', "~0").replace('/', "~1"))
}

/// Returns the key that a reference token of a JSON Pointer refers to.
pub fn unescaped(step: &str) -> String {
    step.replace("~1", "/").replace("~0", "~")
}

/// Decodes the percent escapes of a URI fragment; invalid ones are kept.
pub fn decoded(fragment: &str) -> String {
    if !fragment.contains('%') {
        return fragment.to_owned();
    }
    let mut out = Vec::new();
    let mut rest = fragment.as_bytes();
    while let [first, others @ ..] = rest {
        let digits = others.get(..2).filter(|_| *first == b'%');
        let digits = digits.and_then(|digits| std::str::from_utf8(digits).ok());
        match digits.and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            Some(byte) => {
                out.push(byte);
                rest = &others[2..];
            }
            None => {
                out.push(*first);
                rest = others;
            }
        }
    }
    String::from_utf8(out).unwrap_or_else(|_| fragment.to_owned())
}

/// Resolves JSON Pointers in time linear in their length.
#[derive(Debug, Default)]
pub struct Pointers<'s> {
    tables: HashMap<NodeId, HashMap<Cow<'s, str>, ValueRef<'s>>>,
}

impl<'s> Pointers<'s> {
    /// Returns the value within `root` that a pointer refers to, if there is one.
    pub fn find(&mut self, root: ValueRef<'s>, pointer: &str) -> Option<ValueRef<'s>> {
        if pointer.is_empty() {
            return Some(root);
        }
        let mut value = root;
        for step in pointer.strip_prefix('/')?.split('/') {
            let step = unescaped(step);
            value = if value.len() > TABLE_FROM {
                let table = self.tables.entry(value.id());
                *table.or_insert_with(|| parts(value)).get(step.as_str())?
            } else if value.kind() == Kind::Array {
                value.item(step.parse().ok()?)?
            } else {
                value.get(&step)?
            };
        }
        Some(value)
    }
}

fn parts<'s>(value: ValueRef<'s>) -> HashMap<Cow<'s, str>, ValueRef<'s>> {
    let items = (0u32..).zip(value.items());
    let items = items.map(|(at, item)| (Cow::Owned(at.to_string()), item));
    items.chain(value.members()).collect()
}

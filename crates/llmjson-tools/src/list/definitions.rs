//! The targets of references in a schema, copied into it under the same pointers.

use std::collections::{BTreeMap, BTreeSet};

use llmjson_syntax::{JsonOut, JsonText, Kind, Raw, ValueRef};

use llmjson_reply::internal::{Pointers, decoded, unescaped};

/// The maximum number of bytes copied for all schemas of a document.
const DEFINITIONS_MAX: usize = 100_000_000;

/// The maximum number of references followed in a row.
const STEPS_MAX: usize = 32;

/// Resolves references within a document.
pub(super) struct References<'d> {
    root: ValueRef<'d>,
    pointers: Pointers<'d>,
    left: usize,
}

/// The parts of a document that a schema refers to, by JSON Pointer.
#[derive(Default)]
pub(super) struct Definitions {
    parts: BTreeMap<String, String>,
}

impl<'d> References<'d> {
    pub(super) fn of(root: ValueRef<'d>) -> Self {
        Self {
            root,
            pointers: Pointers::default(),
            left: DEFINITIONS_MAX,
        }
    }

    /// Follows the references of a value.
    pub(super) fn resolve(&mut self, mut value: ValueRef<'d>) -> Option<ValueRef<'d>> {
        for _ in 0..STEPS_MAX {
            let Some(reference) = value.get("$ref").and_then(ValueRef::as_str) else {
                return Some(value);
            };
            value = self.find(&reference)?;
        }
        None
    }

    fn find(&mut self, reference: &str) -> Option<ValueRef<'d>> {
        let pointer = reference.strip_prefix('#');
        let pointer = pointer.filter(|pointer| !pointer.is_empty())?;
        self.pointers.find(self.root, &decoded(pointer))
    }

    /// Collects the targets of all references in some schemas; returns `None` if they exceed the limit.
    pub(super) fn collect(&mut self, schemas: &[ValueRef<'d>]) -> Option<Definitions> {
        let mut definitions = Definitions::default();
        let mut seen = BTreeSet::new();
        let mut open = schemas.to_vec();
        while let Some(value) = open.pop() {
            for (name, inner) in value.members() {
                let targets: Vec<_> = match (&*name, inner.kind()) {
                    ("$ref", Kind::String) => vec![inner],
                    ("mapping", Kind::Object) => inner.members().map(|(_, to)| to).collect(),
                    _ => Vec::new(),
                };
                for target in targets.into_iter().filter_map(ValueRef::as_str) {
                    self.add(&target, &mut seen, &mut definitions, &mut open)?;
                }
                open.push(inner);
            }
            open.extend(value.items());
        }
        definitions.drop_inner();
        Some(definitions)
    }

    /// Adds the target of a reference. An unresolved reference is reported when the schema is
    /// compiled.
    fn add(
        &mut self,
        reference: &str,
        seen: &mut BTreeSet<String>,
        definitions: &mut Definitions,
        open: &mut Vec<ValueRef<'d>>,
    ) -> Option<()> {
        if seen.contains(reference) {
            return Some(());
        }
        seen.insert(reference.to_owned());
        if let Some(target) = self.find(reference) {
            let text = super::written(target);
            self.left = self.left.checked_sub(text.len())?;
            let pointer = decoded(reference.trim_start_matches('#'));
            definitions.parts.insert(pointer, text);
            open.push(target);
        }
        Some(())
    }
}

impl Definitions {
    /// Removes parts that other parts contain.
    fn drop_inner(&mut self) {
        let pointers: BTreeSet<String> = self.parts.keys().cloned().collect();
        self.parts.retain(|pointer, _| {
            let mut ends = pointer.match_indices('/').map(|(end, _)| end);
            !ends.any(|end| pointers.contains(&pointer[..end]))
        });
    }

    /// Writes the parts as members of an object.
    pub(super) fn write(self, out: &mut JsonText<'_>) {
        let mut tree = Tree::default();
        for (pointer, text) in self.parts {
            let mut at = &mut tree;
            for step in pointer.split('/').skip(1) {
                at = at.children.entry(unescaped(step)).or_default();
            }
            at.text = text;
        }
        tree.write_children(out);
    }
}

/// Parts by the steps of their pointers.
#[derive(Default)]
struct Tree {
    children: BTreeMap<String, Tree>,
    text: String,
}

impl Tree {
    fn write_children(self, out: &mut JsonText<'_>) {
        for (name, child) in self.children {
            match child.children.is_empty() {
                true => out.member(&name, Raw(&child.text)),
                false => out.object_in(&name, |out| child.write_children(out)),
            }
        }
    }
}

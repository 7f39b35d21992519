//! What the references of a schema lead to, carried along with it under the same pointers.

use std::collections::{BTreeMap, BTreeSet};

use llmjson_syntax::{Kind, ValueRef, write_string};

use crate::tools::checks::Pointers;

/// So many bytes are carried along with all schemas of a document together.
const CARRIED_MAX: usize = 100_000_000;

/// References lead that far to what they mean, at most.
const STEPS_MAX: usize = 32;

/// Looks up references in a document.
pub(super) struct Library<'d> {
    root: ValueRef<'d>,
    pointers: Pointers<'d>,
    left: usize,
}

/// The parts of a document that a schema needs.
#[derive(Default)]
pub(super) struct Carried {
    parts: BTreeMap<String, String>,
}

impl<'d> Library<'d> {
    pub(super) fn of(root: ValueRef<'d>) -> Self {
        Self {
            root,
            pointers: Pointers::default(),
            left: CARRIED_MAX,
        }
    }

    /// What a value stands for once its references are followed.
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
        let pointer = reference
            .strip_prefix('#')
            .filter(|pointer| !pointer.is_empty())?;
        self.pointers.find(self.root, pointer)
    }

    /// Everything that the references of some schemas lead to; `None` if that is too much.
    pub(super) fn carry(&mut self, schemas: &[ValueRef<'d>]) -> Option<Carried> {
        let mut carried = Carried::default();
        let mut seen = BTreeSet::new();
        let mut open = schemas.to_vec();
        while let Some(value) = open.pop() {
            for (name, inner) in value.members() {
                let reference = match (&*name, inner.kind()) {
                    ("$ref", Kind::String) => inner.as_str(),
                    ("mapping", Kind::Object) => {
                        let targets = inner.members().filter_map(|(_, to)| to.as_str());
                        for target in targets {
                            self.add(&target, &mut seen, &mut carried, &mut open)?;
                        }
                        None
                    }
                    _ => None,
                };
                if let Some(reference) = reference {
                    self.add(&reference, &mut seen, &mut carried, &mut open)?;
                }
                open.push(inner);
            }
            open.extend(value.items());
        }
        carried.drop_inner();
        Some(carried)
    }

    /// Notes what a reference leads to; nothing for those that lead nowhere, which whoever compiles
    /// the schema finds.
    fn add(
        &mut self,
        reference: &str,
        seen: &mut BTreeSet<String>,
        carried: &mut Carried,
        open: &mut Vec<ValueRef<'d>>,
    ) -> Option<()> {
        if seen.contains(reference) {
            return Some(());
        }
        seen.insert(reference.to_owned());
        if let Some(target) = self.find(reference) {
            let text = super::written(target);
            self.left = self.left.checked_sub(text.len())?;
            let pointer = reference.trim_start_matches('#').to_owned();
            carried.parts.insert(pointer, text);
            open.push(target);
        }
        Some(())
    }
}

impl Carried {
    /// Parts of parts come along with those.
    fn drop_inner(&mut self) {
        let pointers: BTreeSet<String> = self.parts.keys().cloned().collect();
        self.parts.retain(|pointer, _| {
            let mut ends = pointer.match_indices('/').map(|(end, _)| end);
            !ends.any(|end| pointers.contains(&pointer[..end]))
        });
    }

    /// Writes the parts as members of an object that goes on.
    pub(super) fn write(self, out: &mut String) {
        let mut tree = Tree::default();
        for (pointer, text) in self.parts {
            let mut at = &mut tree;
            for step in pointer.split('/').skip(1) {
                let step = step.replace("~1", "/").replace("~0", "~");
                at = at.children.entry(step).or_default();
            }
            at.text = text;
        }
        for (name, child) in tree.children {
            out.push(',');
            write_string(&name, out);
            out.push(':');
            child.write(out);
        }
    }
}

/// Parts by their places.
#[derive(Default)]
struct Tree {
    children: BTreeMap<String, Tree>,
    text: String,
}

impl Tree {
    fn write(self, out: &mut String) {
        if self.children.is_empty() {
            return out.push_str(&self.text);
        }
        let mut separator = '{';
        for (name, child) in self.children {
            out.push(std::mem::replace(&mut separator, ','));
            write_string(&name, out);
            out.push(':');
            child.write(out);
        }
        out.push('}');
    }
}

//! Applies patches after the value: JSON Patch (RFC 6902) and merge patches (RFC 7396).

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;

use crate::base::repair::{Class, Repair, RepairKind};
use crate::base::span::Span;
use crate::document::Document;
use crate::document::edit::{Editor, NewKey};
use crate::reply::choose::is_patch;
use crate::view::{Key, Kind, MemberId, NodeId, ValueRef};

/// The maximum nesting depth that a patch may address or build.
const LEVELS_MAX: usize = 256;

/// The maximum number of steps a patch may take: per byte of the text, plus a minimum.
const STEPS_OF_BYTE: usize = 16;
const STEPS_MIN: usize = 65_536;

/// A value that is being patched.
#[derive(Clone)]
enum Part {
    /// A value of the document.
    Kept(NodeId),
    /// An array or an object with its children; items have no names.
    Open(Kind, Vec<(Name, Self)>),
}

/// The key of a member, and the node in the document to which the key belongs.
#[derive(Clone, Default)]
struct Name {
    text: String,
    old: Option<MemberId>,
}

impl Document<'_> {
    /// Applies the JSON Patches (RFC 6902) and merge patches (RFC 7396) that follow the value, and
    /// returns how many were applied. Their records become [likely](Class::Likely). Patches are
    /// atomic: a patch that addresses a missing member, or whose `test` fails, changes nothing.
    ///
    /// ```
    /// let mut document = llmjson_syntax::parse("{\"name\": \"Ann\", \"age\": 34}\nMerge patch:\n{\"age\": 35}");
    /// assert_eq!(document.apply_patches(), 1);
    /// assert_eq!(document.to_json().as_deref(), Some("{\"name\":\"Ann\",\"age\":35}"));
    /// ```
    pub fn apply_patches(&mut self) -> usize {
        // Records refer to the original reply, the patches to the decoded text.
        let Some(root) = self.root().filter(|_| self.readings.source.is_none()) else {
            return 0;
        };
        let mut value = Part::Kept(root.id());
        let mut applied = 0;
        for at in 0..self.tape.repairs.len() {
            let Repair { kind, span, .. } = self.tape.repairs[at];
            if kind == RepairKind::Correction
                && !self.work.is_used_up()
                && let Some(next) = self.patched(&value, span)
            {
                value = next;
                applied += 1;
                self.tape.repairs[at].class = Class::Likely;
            }
        }
        if applied > 0 {
            let root = value.write(&mut self.edit());
            self.edit().set_root(root);
        }
        applied
    }

    /// Returns the value with the patch at a span, if the patch applies completely.
    fn patched(&mut self, value: &Part, span: Span) -> Option<Part> {
        let patch = self.readings.all.iter().find(|one| one.span == span)?;
        let patch = self.node(NodeId(patch.root));
        let mut work = Change {
            document: self,
            // A copy of a copy may be large.
            room: self.tape.nodes.len(),
            steps: value.spread(),
            most: STEPS_OF_BYTE * self.text.len() + STEPS_MIN,
        };
        let next = if !is_patch(patch) {
            let mut value = value.clone();
            work.merge(&mut value, patch).map(|()| value)
        } else if patch.kind() == Kind::Array {
            let mut steps = patch.items();
            steps.try_fold(value.clone(), |value, step| work.step(value, step))
        } else {
            work.step(value.clone(), patch)
        };
        let steps = work.steps;
        self.work.charge(steps);
        next
    }
}

/// The application of one patch.
struct Change<'d, 't> {
    document: &'d Document<'t>,
    /// Number of values that may still be copied.
    room: usize,
    /// Number of steps taken so far, and the maximum.
    steps: usize,
    most: usize,
}

impl Change<'_, '_> {
    /// Unpacks the children of a value.
    fn open(&mut self, value: &mut Part) {
        if let Part::Kept(id) = *value
            && let view = self.document.node(id)
            && matches!(view.kind(), Kind::Array | Kind::Object)
        {
            let name = |key: Key<'_>| Name {
                text: key.decoded().into_owned(),
                old: Some(key.member()),
            };
            let children = view.entries();
            let children = children
                .map(|(key, value)| (key.map(name).unwrap_or_default(), Part::Kept(value.id())));
            *value = Part::Open(view.kind(), children.collect());
        }
        self.steps += 2 * value.children().len();
    }

    /// Changes the target of a path in a value by `change`, which receives the container and the
    /// last step.
    fn change<T>(
        &mut self,
        value: &mut Part,
        path: &[String],
        change: impl FnOnce(&mut Part, &str) -> Option<T>,
    ) -> Option<T> {
        let (last, before) = path.split_last()?;
        let mut at = value;
        for step in before {
            self.open(at);
            at = at.child(step)?;
        }
        self.open(at);
        change(at, last)
    }

    /// Returns a copy of the value at a path.
    fn copy(&mut self, value: &mut Part, path: &[String]) -> Option<Part> {
        let found = match path {
            [] => value.clone(),
            _ => self.change(value, path, |at, last| at.child(last).cloned())?,
        };
        self.room = self.room.checked_sub(found.size(self.document))?;
        Some(found)
    }

    /// Returns a value after one operation of a JSON Patch.
    fn step(&mut self, mut value: Part, step: ValueRef<'_>) -> Option<Part> {
        if self.steps > self.most {
            return None;
        }
        self.steps += 1;
        let operation = step.get("op")?.as_str()?;
        let path = pointer(&step.get("path")?.as_str()?)?;
        let from = || pointer(&step.get("from")?.as_str()?);
        let new = match &*operation {
            "test" => {
                let found = self.copy(&mut value, &path)?;
                return found.is(self.document, step.get("value")?).then_some(value);
            }
            "remove" => {
                self.change(&mut value, &path, Part::remove)?;
                return Some(value);
            }
            "add" | "replace" => Part::Kept(step.get("value")?.id()),
            "move" => {
                let from = from()?;
                // A value cannot be moved into itself.
                if path.len() > from.len() && path.starts_with(&from) {
                    return None;
                }
                self.change(&mut value, &from, Part::remove)?
            }
            "copy" => self.copy(&mut value, &from()?)?,
            _ => return None,
        };
        self.steps += new.spread();
        if path.len() + new.levels() > LEVELS_MAX {
            return None;
        }
        if path.is_empty() {
            return Some(new);
        }
        self.change(&mut value, &path, |at, last| match &*operation {
            "replace" => at.child(last).map(|child| *child = new),
            _ => at.insert(last, new),
        })?;
        Some(value)
    }

    /// Changes a value by a merge patch.
    fn merge(&mut self, value: &mut Part, patch: ValueRef<'_>) -> Option<()> {
        if patch.kind() != Kind::Object {
            *value = Part::Kept(patch.id());
            return Some(());
        }
        self.open(value);
        if !matches!(value, Part::Open(Kind::Object, _)) {
            *value = Part::Open(Kind::Object, Vec::new());
        }
        for (key, member) in patch.members().keyed() {
            self.steps += value.children().len();
            let name = key.decoded();
            if member.is_null() {
                value.remove(&name);
                continue;
            }
            if value.child(&name).is_none() {
                value.insert(&name, Part::Open(Kind::Object, Vec::new()))?;
            }
            self.merge(value.child(&name)?, member)?;
        }
        Some(())
    }
}

impl Part {
    fn children(&self) -> &[(Name, Self)] {
        match self {
            Self::Open(_, children) => children,
            Self::Kept(_) => &[],
        }
    }

    /// Returns the index of the child at that key or index.
    fn place(&self, step: &str) -> Option<usize> {
        let mut children = self.children().iter();
        match self {
            Self::Open(Kind::Array, items) => index(step).filter(|at| *at < items.len()),
            _ => children.position(|(name, _)| name.text == step),
        }
    }

    /// Returns the child at that key or index.
    fn child(&mut self, step: &str) -> Option<&mut Self> {
        let place = self.place(step)?;
        match self {
            Self::Open(_, children) => Some(&mut children[place].1),
            Self::Kept(_) => None,
        }
    }

    /// Inserts a child: before the item at that index, at the end for `-`, or as the value of the
    /// member with that key.
    fn insert(&mut self, step: &str, new: Self) -> Option<()> {
        let place = self.place(step);
        let Self::Open(kind, children) = self else {
            return None;
        };
        let text = step.to_owned();
        match place {
            Some(at) if *kind == Kind::Object => children[at].1 = new,
            Some(at) => children.insert(at, (Name::default(), new)),
            None if *kind == Kind::Object || step == "-" || index(step)? == children.len() => {
                children.push((Name { text, old: None }, new));
            }
            None => return None,
        }
        Some(())
    }

    /// Removes a child.
    fn remove(&mut self, step: &str) -> Option<Self> {
        let place = self.place(step)?;
        match self {
            Self::Open(_, children) => Some(children.remove(place).1),
            Self::Kept(_) => None,
        }
    }

    /// Returns the number of unpacked values.
    fn spread(&self) -> usize {
        let children = self.children().iter();
        1 + children.map(|(_, one)| one.spread()).sum::<usize>()
    }

    /// Returns the number of unpacked levels.
    fn levels(&self) -> usize {
        let children = self.children().iter();
        children.map(|(_, one)| 1 + one.levels()).max().unwrap_or(0)
    }

    /// Returns the number of values in this one, including itself.
    fn size(&self, document: &Document<'_>) -> usize {
        let children = self.children().iter();
        match self {
            Self::Kept(id) => (document.tape.after(id.0) - id.0) as usize,
            _ => 1 + children.map(|(_, one)| one.size(document)).sum::<usize>(),
        }
    }

    /// Returns `true` if this is the same value as another one.
    fn is(&self, document: &Document<'_>, other: ValueRef<'_>) -> bool {
        let Self::Open(kind, children) = self else {
            return matches!(self, Self::Kept(id) if document.node(*id) == other);
        };
        let mut items = other.items();
        let mut is = |(name, one): &(Name, Self)| {
            let other = match kind {
                Kind::Array => items.next(),
                _ => other.get(&name.text),
            };
            other.is_some_and(|other| one.is(document, other))
        };
        *kind == other.kind() && children.len() == other.len() && children.iter().all(&mut is)
    }

    /// Writes the value into the document.
    fn write(&self, editor: &mut Editor<'_, '_>) -> NodeId {
        let (kind, children) = match self {
            Self::Kept(id) => return *id,
            Self::Open(kind, children) => (kind, children),
        };
        let values = children.iter().map(|(_, one)| one.write(editor));
        let values: Vec<NodeId> = values.collect();
        if *kind == Kind::Array {
            return editor.array(&values);
        }
        let names = children.iter().map(|(name, _)| {
            let new = NewKey::Text(&name.text);
            name.old.map_or(new, NewKey::Same)
        });
        let members: Vec<_> = names.zip(values).collect();
        editor.object(&members)
    }
}

/// Returns the index that a step represents: digits without a leading zero.
fn index(step: &str) -> Option<usize> {
    let plain = step == "0" || !step.starts_with(['0', '+']);
    plain.then(|| step.parse().ok())?
}

/// Returns the steps of a JSON Pointer (RFC 6901), or `None` if it is invalid.
fn pointer(text: &str) -> Option<Vec<String>> {
    if text.is_empty() {
        return Some(Vec::new());
    }
    let steps = text.strip_prefix('/')?.split('/');
    let decoded = |step: &str| step.replace("~1", "/").replace("~0", "~");
    let steps: Vec<_> = steps.take(LEVELS_MAX + 1).map(decoded).collect();
    (steps.len() <= LEVELS_MAX).then_some(steps)
}

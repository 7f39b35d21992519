//! Applies patches after the value: JSON Patch (RFC 6902) and merge patches (RFC 7396).

use alloc::borrow::{Cow, ToOwned};
use alloc::string::String;
use alloc::vec::Vec;

use crate::base::repair::{Class, Repair, RepairKind};
use crate::base::span::Span;
use crate::document::Document;
use crate::document::edit::{Editor, NewKey};
use crate::reply::choose::is_patch;
use crate::view::{Kind, MemberId, NodeId, ValueRef};

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
    Array(Vec<Self>),
    Object(Vec<(Name, Self)>),
}

/// The key of a member, and the node in the document to which the key belongs.
#[derive(Clone)]
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
        let next = if !is_patch(&self.tape, &self.text, patch.id().0) {
            work.merged(Some(value.clone()), patch)
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
    /// Returns a value with its children unpacked.
    fn opened(&mut self, value: Part) -> Part {
        let Part::Kept(id) = value else {
            return value;
        };
        let view = self.document.node(id);
        self.steps += view.len();
        match view.kind() {
            Kind::Array => Part::Array(view.items().map(|item| Part::Kept(item.id())).collect()),
            Kind::Object => {
                let members = view.members().keyed();
                let member = |(key, value): (crate::view::Key<'_>, ValueRef<'_>)| {
                    let name = Name {
                        text: key.decoded().into_owned(),
                        old: Some(key.member()),
                    };
                    (name, Part::Kept(value.id()))
                };
                Part::Object(members.map(member).collect())
            }
            _ => value,
        }
    }

    /// Changes the target of a path in a value by `change`, which receives the container and the
    /// last step.
    fn change<T>(
        &mut self,
        value: &mut Part,
        path: &[Cow<'_, str>],
        change: impl FnOnce(&mut Part, &str) -> Option<T>,
    ) -> Option<T> {
        let (last, before) = path.split_last()?;
        let mut at = value;
        for step in before {
            self.open_in_place(at);
            at = at.child(step)?;
        }
        self.open_in_place(at);
        change(at, last)
    }

    fn open_in_place(&mut self, at: &mut Part) {
        let closed = core::mem::replace(at, Part::Array(Vec::new()));
        *at = self.opened(closed);
        self.steps += at.count();
    }

    /// Returns a copy of the value at a path.
    fn copy(&mut self, value: &mut Part, path: &[Cow<'_, str>]) -> Option<Part> {
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
        let given = || Some(Part::Kept(step.get("value")?.id()));
        let from = || pointer(&step.get("from")?.as_str()?);
        match &*operation {
            "test" => {
                let found = self.copy(&mut value, &path)?;
                let wanted = step.get("value")?;
                return found.is(self.document, wanted).then_some(value);
            }
            "replace" if path.is_empty() => return given(),
            "add" if path.is_empty() => return given(),
            "replace" => {
                let given = given()?;
                self.change(&mut value, &path, |at, last| {
                    *at.child(last)? = given;
                    Some(())
                })?;
            }
            "add" => {
                let given = given()?;
                self.change(&mut value, &path, |at, last| at.insert(last, given))?;
            }
            "remove" => {
                self.change(&mut value, &path, Part::remove)?;
            }
            "move" => {
                let from = from()?;
                // A value cannot be moved into itself.
                if path.len() > from.len() && path.starts_with(&from) {
                    return None;
                }
                let moved = self.change(&mut value, &from, Part::remove)?;
                self.steps += moved.spread();
                if path.len() + moved.levels() > LEVELS_MAX {
                    return None;
                }
                match path.is_empty() {
                    true => return Some(moved),
                    false => self.change(&mut value, &path, |at, last| at.insert(last, moved))?,
                }
            }
            "copy" => {
                let copied = self.copy(&mut value, &from()?)?;
                self.steps += copied.spread();
                if path.len() + copied.levels() > LEVELS_MAX {
                    return None;
                }
                match path.is_empty() {
                    true => return Some(copied),
                    false => self.change(&mut value, &path, |at, last| at.insert(last, copied))?,
                }
            }
            _ => return None,
        }
        Some(value)
    }

    /// Returns a value after a merge patch.
    fn merged(&mut self, value: Option<Part>, patch: ValueRef<'_>) -> Option<Part> {
        if patch.kind() != Kind::Object {
            return Some(Part::Kept(patch.id()));
        }
        let opened = value.map(|value| self.opened(value));
        let mut members = match opened {
            Some(Part::Object(members)) => members,
            _ => Vec::new(),
        };
        for (key, member) in patch.members().keyed() {
            self.steps += members.len();
            let text = key.decoded().into_owned();
            let at = members.iter().position(|(name, _)| name.text == text);
            match at {
                Some(at) if member.is_null() => _ = members.remove(at),
                Some(at) => members[at].1 = self.merged(Some(members[at].1.clone()), member)?,
                None if member.is_null() => {}
                None => {
                    let old = Some(key.member());
                    let merged = self.merged(None, member)?;
                    members.push((Name { text, old }, merged));
                }
            }
        }
        Some(Part::Object(members))
    }
}

impl Part {
    /// Returns the child at that key or index.
    fn child(&mut self, step: &str) -> Option<&mut Self> {
        match self {
            Self::Array(items) => items.get_mut(index(step)?),
            Self::Object(members) => {
                let mut members = members.iter_mut();
                members
                    .find(|(name, _)| name.text == step)
                    .map(|(_, value)| value)
            }
            _ => None,
        }
    }

    /// Inserts a child: before the item at that index, at the end for `-`, or as the value of the
    /// member with that key.
    fn insert(&mut self, step: &str, new: Self) -> Option<()> {
        match self {
            Self::Array(items) => {
                let at = if step == "-" {
                    items.len()
                } else {
                    index(step)?
                };
                (at <= items.len()).then(|| items.insert(at, new))
            }
            Self::Object(members) => {
                match members.iter_mut().find(|(name, _)| name.text == step) {
                    Some((_, value)) => *value = new,
                    None => members.push((
                        Name {
                            text: step.to_owned(),
                            old: None,
                        },
                        new,
                    )),
                }
                Some(())
            }
            _ => None,
        }
    }

    /// Removes a child.
    fn remove(&mut self, step: &str) -> Option<Self> {
        match self {
            Self::Array(items) => {
                let at = index(step)?;
                (at < items.len()).then(|| items.remove(at))
            }
            Self::Object(members) => {
                let at = members.iter().position(|(name, _)| name.text == step)?;
                Some(members.remove(at).1)
            }
            _ => None,
        }
    }

    const fn count(&self) -> usize {
        match self {
            Self::Array(items) => items.len(),
            Self::Object(members) => members.len(),
            _ => 0,
        }
    }

    /// Returns the children, if they are unpacked.
    fn children(&self) -> impl Iterator<Item = &Self> {
        let (items, members) = match self {
            Self::Array(items) => (&items[..], &[][..]),
            Self::Object(members) => (&[][..], &members[..]),
            _ => (&[][..], &[][..]),
        };
        items.iter().chain(members.iter().map(|(_, value)| value))
    }

    /// Returns the number of unpacked values.
    fn spread(&self) -> usize {
        1 + self.children().map(Self::spread).sum::<usize>()
    }

    /// Returns the number of unpacked levels.
    fn levels(&self) -> usize {
        self.children()
            .map(|one| 1 + one.levels())
            .max()
            .unwrap_or(0)
    }

    /// Returns the number of values in this one, including itself.
    fn size(&self, document: &Document<'_>) -> usize {
        match self {
            Self::Kept(id) => (document.tape.after(id.0) - id.0) as usize,
            _ => 1 + self.children().map(|one| one.size(document)).sum::<usize>(),
        }
    }

    /// Returns `true` if this is the same value as another one.
    fn is(&self, document: &Document<'_>, other: ValueRef<'_>) -> bool {
        match self {
            Self::Kept(id) => document.node(*id) == other,
            Self::Array(items) => {
                let same = other.kind() == Kind::Array && items.len() == other.len();
                same && items
                    .iter()
                    .zip(other.items())
                    .all(|(one, other)| one.is(document, other))
            }
            Self::Object(members) => {
                let same = other.kind() == Kind::Object && members.len() == other.len();
                let is = |(name, one): &(Name, Self)| {
                    other
                        .get(&name.text)
                        .is_some_and(|other| one.is(document, other))
                };
                same && members.iter().all(is)
            }
        }
    }

    /// Writes the value into the document.
    fn write(&self, editor: &mut Editor<'_, '_>) -> NodeId {
        match self {
            Self::Kept(id) => *id,
            Self::Array(items) => {
                let items: Vec<NodeId> = items.iter().map(|one| one.write(editor)).collect();
                editor.array(&items)
            }
            Self::Object(members) => {
                let values: Vec<NodeId> =
                    members.iter().map(|(_, one)| one.write(editor)).collect();
                let key = |(name, _): &'_ (Name, Self)| name.old;
                let keys = members.iter().zip(&values).map(|(member, value)| {
                    let new = NewKey::Text(&member.0.text);
                    (key(member).map_or(new, NewKey::Same), *value)
                });
                let members: Vec<_> = keys.collect();
                editor.object(&members)
            }
        }
    }
}

/// Returns the index that a step represents: digits without a leading zero.
fn index(step: &str) -> Option<usize> {
    let plain = step == "0" || !step.starts_with(['0', '+']);
    plain.then(|| step.parse().ok())?
}

/// Returns the steps of a JSON Pointer (RFC 6901), or `None` if it is invalid.
fn pointer(text: &str) -> Option<Vec<Cow<'static, str>>> {
    if text.is_empty() {
        return Some(Vec::new());
    }
    let steps = text.strip_prefix('/')?.split('/');
    let decoded = |step: &str| Cow::Owned(step.replace("~1", "/").replace("~0", "~"));
    let steps: Vec<_> = steps.take(LEVELS_MAX + 1).map(decoded).collect();
    (steps.len() <= LEVELS_MAX).then_some(steps)
}

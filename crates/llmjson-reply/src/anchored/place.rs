//! The places of a schema, looked up by names whose spelling may differ.

use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::rc::Rc;

use llmjson_schema::Schema;
use llmjson_schema::internal::Outline;
use llmjson_schema::internal::similar::normal_name;
use llmjson_syntax::{Kind, Work, steps_of_search};

use super::tree::Name;

/// Maximum number of subschemas that are examined for one place.
const PARTS_MAX: usize = 32;

/// Maximum length in bytes of a possible key of the schema: the header of a table is looked up for
/// each row.
pub(super) const NAME_MAX: usize = 256;

/// The number of a normalized key of the schema.
pub(super) type Key = u32;

/// The members of one place.
struct Members<'s> {
    /// The members sorted by their normalized keys.
    by_name: Vec<(String, Place<'s>)>,
    /// The members sorted by the numbers of their keys.
    by_key: Vec<(Key, Place<'s>)>,
}

/// The keys of a schema and the places below its root.
pub(super) struct Places<'s> {
    pub(super) root: Place<'s>,
    /// The normalized keys and aliases at any depth, sorted.
    names: Vec<String>,
    /// Bits of the characters after each ASCII character in the keys that begin with it, and bit 0
    /// if there are any.
    seconds: [u32; 128],
    /// The members by the number of the subschema of their place.
    members: RefCell<Vec<Option<Rc<Members<'s>>>>>,
    /// The work budget to which every access to the text is charged.
    work: Cell<Work>,
}

/// One place of a schema; a place that it does not describe is unknown.
#[derive(Clone, Copy, Default)]
pub(super) struct Place<'s> {
    outline: Option<Outline<'s>>,
    /// A bit for each kind of value that is not allowed here.
    refused: u8,
}

impl<'s> Places<'s> {
    pub(super) fn of(schema: &'s Schema, work: Work) -> Self {
        let mut names: Vec<String> = schema.names().iter().map(normal_name).collect();
        names.sort_unstable();
        names.dedup();
        let mut seconds = [0; 128];
        for name in &names {
            let name = name.as_bytes();
            if let Some(bits) = name
                .first()
                .and_then(|one| seconds.get_mut(usize::from(*one)))
            {
                *bits |= bit(name.get(1)) | 1;
            }
        }
        Self {
            root: Place::of(schema.outline()),
            seconds,
            names,
            members: RefCell::default(),
            work: Cell::new(work),
        }
    }

    pub(super) fn work(&self) -> Work {
        self.work.get()
    }

    pub(super) fn set_work(&self, work: Work) {
        self.work.set(work);
    }

    /// Charges the examination of that number of bytes of the text.
    pub(super) fn charge(&self, bytes: usize) {
        let mut work = self.work.get();
        work.charge(steps_of_search(bytes));
        self.work.set(work);
    }

    /// Returns `true` if the work budget is exhausted. Results from then on do not count.
    pub(super) fn is_used_up(&self) -> bool {
        self.work.get().is_used_up()
    }

    /// Returns `true` if a key of the schema may begin with a word. Most words of a text begin like
    /// no key.
    pub(super) fn may_begin(&self, word: &str) -> bool {
        match word.as_bytes() {
            [first, rest @ ..] if word.is_ascii() => {
                let bits = self.seconds[usize::from(first.to_ascii_lowercase())];
                bits & bit(rest.first()) != 0
            }
            word => !word.is_empty(),
        }
    }

    /// Returns the key with this normal form, and whether any other key begins with it.
    pub(super) fn keys_from(&self, normal: &str) -> (Option<Key>, bool) {
        let at = self.names.partition_point(|name| **name < *normal);
        let is_key = self.names.get(at).is_some_and(|name| name == normal);
        let next = self.names.get(at + usize::from(is_key));
        let goes_on = next.is_some_and(|name| name.starts_with(normal));
        (is_key.then_some(at as Key), goes_on)
    }

    /// Returns the number of a key of the schema.
    pub(super) fn key(&self, name: &str) -> Option<Key> {
        let name = Some(name).filter(|name| name.len() <= NAME_MAX)?;
        self.keys_from(&normal(name)).0
    }

    /// Returns `true` if the schema has no keys, so that only scalars and arrays of them are
    /// possible.
    pub(super) fn is_nameless(&self) -> bool {
        self.names.is_empty()
    }

    /// Returns the place of a member, or `None` if an object at a place has none with that key.
    pub(super) fn find(&self, place: Place<'s>, name: &str) -> Option<Place<'s>> {
        if name.len() > NAME_MAX {
            return None;
        }
        self.charge(name.len());
        let (normal, members) = (normal(name), self.members_of(place)?);
        let found = members
            .by_name
            .binary_search_by(|(one, _)| (**one).cmp(&normal));
        Some(members.by_name[found.ok()?].1)
    }

    /// Returns the place of a member with this key.
    pub(super) fn find_key(&self, place: Place<'s>, key: Key) -> Option<Place<'s>> {
        self.charge(1);
        let members = self.members_of(place)?;
        let found = members.by_key.binary_search_by_key(&key, |(one, _)| *one);
        Some(members.by_key[found.ok()?].1)
    }

    /// Returns the place of a member with this name in a text.
    pub(super) fn find_name(&self, place: Place<'s>, name: &Name, text: &str) -> Option<Place<'s>> {
        match name {
            Name::At(_, Some(key)) => self.find_key(place, *key),
            name => self.find(place, name.of(text)),
        }
    }

    fn members_of(&self, place: Place<'s>) -> Option<Rc<Members<'s>>> {
        let (mut all, at) = (self.members.borrow_mut(), place.outline?.id() as usize);
        if all.len() <= at {
            all.resize(at + 1, None);
        }
        // The last property of the first part that has a key counts.
        let named = || {
            let mut by_name = Vec::new();
            for part in place.parts() {
                let own = part.properties().rev();
                by_name.extend(own.map(|(name, one)| (normal_name(name), Place::of(one))));
            }
            by_name.sort_by(|(one, _), (other, _)| one.cmp(other));
            by_name.dedup_by(|(later, _), (first, _)| later == first);
            let numbered = by_name
                .iter()
                .filter_map(|(name, one)| Some((self.keys_from(name).0?, *one)));
            let by_key = numbered.collect();
            Rc::new(Members { by_name, by_key })
        };
        Some(Rc::clone(all[at].get_or_insert_with(named)))
    }

    /// Returns the member of an object that is an array of objects, if there is exactly one.
    pub(super) fn only_list(&self, place: Place<'s>) -> Option<(&'s str, Place<'s>)> {
        let parts = place.parts();
        let mut lists = parts.iter().flat_map(|part| part.properties());
        let mut lists = lists
            .by_ref()
            .map(|(name, one)| (name, Place::of(one)))
            .filter(|(_, one)| one.wants_list() && one.item().has_members());
        match (lists.next(), lists.next()) {
            (Some(one), None) => Some(one),
            _ => None,
        }
    }
}

fn bit_of(kind: Kind) -> u8 {
    Kind::ALL
        .iter()
        .position(|one| *one == kind)
        .map_or(0, |at| 1 << at)
}

/// Returns a name in its normal form. Most names have it.
pub(super) fn normal(name: &str) -> Cow<'_, str> {
    let is_normal = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    match name.bytes().all(is_normal) {
        true => Cow::Borrowed(name),
        false => Cow::Owned(normal_name(name)),
    }
}

/// Returns the bit of a letter or digit in any case, which others share, or bit 0 for the end of a
/// word.
fn bit(byte: Option<&u8>) -> u32 {
    byte.map_or(1, |byte| 2 << (byte.to_ascii_lowercase() % 31))
}

impl<'s> Place<'s> {
    fn of(outline: Outline<'s>) -> Self {
        let refused = Kind::ALL.iter().filter(|kind| !takes(outline, **kind, 4));
        Self {
            outline: Some(outline),
            refused: refused.fold(0, |bits, kind| bits | bit_of(*kind)),
        }
    }

    /// Returns the subschema with all its parts, including branches.
    fn parts(self) -> Vec<Outline<'s>> {
        let mut all: Vec<Outline<'s>> = self.outline.into_iter().collect();
        let mut at = 0;
        while at < all.len() && all.len() < PARTS_MAX {
            let part = all[at];
            at += 1;
            for more in part.parts().chain(part.branches()) {
                if all.len() < PARTS_MAX && all.iter().all(|one| one.id() != more.id()) {
                    all.push(more);
                }
            }
        }
        all
    }

    /// Returns `true` if a value of that kind is allowed here, or nothing is known.
    pub(super) fn takes(self, kind: Kind) -> bool {
        self.refused & bit_of(kind) == 0
    }

    /// Returns `true` if only an array or null is allowed here.
    pub(super) fn wants_list(self) -> bool {
        self.takes(Kind::Array) && !self.takes(Kind::Object) && !self.takes(Kind::String)
    }

    /// Returns `true` if only an object or null is allowed here.
    pub(super) fn wants_object(self) -> bool {
        self.takes(Kind::Object) && !self.takes(Kind::Array) && !self.takes(Kind::String)
    }

    /// Returns `true` if no container is allowed here.
    pub(super) fn wants_scalar(self) -> bool {
        !self.takes(Kind::Object) && !self.takes(Kind::Array)
    }

    /// Returns `true` if only a number or null is allowed here.
    pub(super) fn wants_number(self) -> bool {
        self.wants_scalar() && !self.takes(Kind::String) && self.takes(Kind::Number)
    }

    /// Returns `true` if any string is allowed here.
    pub(super) fn takes_any_text(self) -> bool {
        self.takes(Kind::String) && self.parts().iter().all(|part| part.texts().is_none())
    }

    /// Returns `true` if the schema declares that null is allowed here.
    pub(super) fn declares_null(self) -> bool {
        self.outline.is_some_and(|outline| !outline.takes_all()) && self.takes(Kind::Null)
    }

    /// Returns `true` if only a string or null is allowed here.
    pub(super) fn wants_text(self) -> bool {
        self.wants_scalar()
            && self.takes(Kind::String)
            && !self.takes(Kind::Number)
            && !self.takes(Kind::Bool)
    }

    /// Returns `true` if an object here has declared members.
    pub(super) fn has_members(self) -> bool {
        (self.parts().iter()).any(|part| part.properties().len() > 0)
    }

    /// Returns `true` if only a boolean or null is allowed here.
    pub(super) fn wants_truth(self) -> bool {
        self.wants_scalar() && !self.takes(Kind::String) && !self.takes(Kind::Number)
    }

    /// Returns `true` if the members of an object here are unknown.
    pub(super) fn is_open(self) -> bool {
        !self.has_members()
    }

    /// Returns the place of an array's items.
    pub(super) fn item(self) -> Self {
        let parts = self.parts();
        let mut items = parts
            .iter()
            .filter_map(|part| part.items().or_else(|| part.prefix().next()));
        items.next().map(Self::of).unwrap_or_default()
    }

    /// Returns `true` if an array here has items at fixed places.
    pub(super) fn is_tuple(self) -> bool {
        self.parts().iter().any(|part| part.prefix().len() > 0)
    }
}

fn takes(outline: Outline<'_>, kind: Kind, depth: usize) -> bool {
    if depth == 0 {
        return true;
    }
    let mut branches = outline.branches().peekable();
    outline.takes(kind)
        && outline.parts().all(|part| takes(part, kind, depth - 1))
        && (branches.peek().is_none() || branches.any(|one| takes(one, kind, depth - 1)))
}

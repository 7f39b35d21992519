//! The places of a schema, looked up by names whose spelling may differ.

use std::cell::{Cell, RefCell};
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use llmjson_schema::Schema;
use llmjson_schema::internal::Outline;
use llmjson_schema::internal::similar::normal_name;
use llmjson_syntax::{Kind, Work, steps_of_search};

/// Maximum number of subschemas that are looked at for one place.
const PARTS_MAX: usize = 32;

/// Bytes of the longest key that may be one of the schema's: the head of a table is asked for in each row.
const NAME_MAX: usize = 256;

/// The members of one subschema by their normal names.
type Members<'s> = Rc<HashMap<String, Outline<'s>>>;

/// The names of a schema and the places below its root.
pub(super) struct Places<'s> {
    pub(super) root: Place<'s>,
    /// The normal forms of the names and aliases at any depth.
    names: HashSet<String>,
    members: RefCell<HashMap<u32, Members<'s>>>,
    /// The work budget to which every access to the text is charged.
    work: Cell<Work>,
}

/// One place of a schema; nothing is known of a place that it does not describe.
#[derive(Clone, Copy)]
pub(super) struct Place<'s>(Option<Outline<'s>>);

impl<'s> Places<'s> {
    pub(super) fn of(schema: &'s Schema, work: Work) -> Self {
        Self {
            root: Place(Some(schema.outline())),
            names: schema.names().iter().map(normal_name).collect(),
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

    /// Charges a look at that number of bytes of the text.
    pub(super) fn charge(&self, bytes: usize) {
        let mut work = self.work.get();
        work.charge(steps_of_search(bytes));
        self.work.set(work);
    }

    /// Returns whether the work budget is exhausted. Results from then on do not count.
    pub(super) fn is_used_up(&self) -> bool {
        self.work.get().is_used_up()
    }

    /// Returns whether the schema has a member of that name at any depth.
    pub(super) fn knows(&self, name: &str) -> bool {
        let is_short = name.len() <= NAME_MAX && !self.names.is_empty();
        is_short && self.names.contains(&normal_name(name))
    }

    /// Returns whether the schema has no names, so that only scalars and lists of them can be meant.
    pub(super) fn is_nameless(&self) -> bool {
        self.names.is_empty()
    }

    /// Returns whether an object at a place has a member of that name.
    pub(super) fn has(&self, place: Place<'s>, name: &str) -> bool {
        self.find(place, name).is_some()
    }

    /// Returns the place of a member.
    pub(super) fn member(&self, place: Place<'s>, name: &str) -> Place<'s> {
        Place(self.find(place, name))
    }

    fn find(&self, place: Place<'s>, name: &str) -> Option<Outline<'s>> {
        if name.len() > NAME_MAX {
            return None;
        }
        let normal = normal_name(name);
        self.charge(normal.len());
        let mut parts = place.parts().into_iter();
        parts.find_map(|part| self.members_of(part).get(&normal).copied())
    }

    fn members_of(&self, part: Outline<'s>) -> Members<'s> {
        let known = self.members.borrow().get(&part.id()).cloned();
        known.unwrap_or_else(|| {
            let named = part
                .properties()
                .map(|(name, one)| (normal_name(name), one));
            let members = Rc::new(named.collect::<HashMap<_, _>>());
            self.members
                .borrow_mut()
                .insert(part.id(), Rc::clone(&members));
            members
        })
    }

    /// Returns the one member of an object that is a list of objects, if there is just one.
    pub(super) fn only_list(&self, place: Place<'s>) -> Option<(&'s str, Place<'s>)> {
        let parts = place.parts();
        let mut lists = parts.iter().flat_map(|part| part.properties());
        let mut lists = lists
            .by_ref()
            .map(|(name, one)| (name, Place(Some(one))))
            .filter(|(_, one)| one.wants_list() && one.item().has_members());
        match (lists.next(), lists.next()) {
            (Some(one), None) => Some(one),
            _ => None,
        }
    }
}

impl<'s> Place<'s> {
    /// The subschema with all that it consists of, branches included.
    fn parts(self) -> Vec<Outline<'s>> {
        let mut all: Vec<Outline<'s>> = self.0.into_iter().collect();
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

    /// Returns whether a value of that kind is allowed here; `true` if nothing is known.
    pub(super) fn takes(self, kind: Kind) -> bool {
        self.0.is_none_or(|outline| takes(outline, kind, 4))
    }

    /// Returns whether only an array or null is allowed here.
    pub(super) fn wants_list(self) -> bool {
        self.takes(Kind::Array) && !self.takes(Kind::Object) && !self.takes(Kind::String)
    }

    /// Returns whether only an object or null is allowed here.
    pub(super) fn wants_object(self) -> bool {
        self.takes(Kind::Object) && !self.takes(Kind::Array) && !self.takes(Kind::String)
    }

    /// Returns whether no container is allowed here.
    pub(super) fn wants_scalar(self) -> bool {
        self.0.is_some() && !self.takes(Kind::Object) && !self.takes(Kind::Array)
    }

    /// Returns whether only a number or null is allowed here.
    pub(super) fn wants_number(self) -> bool {
        self.wants_scalar() && !self.takes(Kind::String) && self.takes(Kind::Number)
    }

    /// Returns whether any string is allowed here.
    pub(super) fn takes_any_text(self) -> bool {
        self.takes(Kind::String) && self.parts().iter().all(|part| part.texts().is_none())
    }

    /// Returns whether the schema declares that null is allowed here.
    pub(super) fn declares_null(self) -> bool {
        self.0.is_some_and(|outline| !outline.takes_all()) && self.takes(Kind::Null)
    }

    /// Returns whether only a string or null is allowed here.
    pub(super) fn wants_text(self) -> bool {
        self.wants_scalar()
            && self.takes(Kind::String)
            && !self.takes(Kind::Number)
            && !self.takes(Kind::Bool)
    }

    /// Returns whether an object here has members of declared names.
    pub(super) fn has_members(self) -> bool {
        (self.parts().iter()).any(|part| part.properties().len() > 0)
    }

    /// Returns whether only a boolean or null is allowed here.
    pub(super) fn wants_truth(self) -> bool {
        self.wants_scalar() && !self.takes(Kind::String) && !self.takes(Kind::Number)
    }

    /// Returns whether nothing is known of the members of an object here.
    pub(super) fn is_open(self) -> bool {
        !self.has_members()
    }

    /// Returns the place of the items of a list.
    pub(super) fn item(self) -> Self {
        let parts = self.parts();
        Self(
            parts
                .iter()
                .find_map(|part| part.items().or_else(|| part.prefix().next())),
        )
    }

    /// Returns whether a list here has items at fixed places.
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

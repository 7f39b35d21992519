//! The keys that an object's members may have: declared names, aliases, other spellings, names with
//! a type or other mark, and parts of names.

mod compat;
pub(crate) mod fold;
pub(crate) mod marks;
pub(crate) mod parts;

use std::collections::HashMap;
use std::sync::OnceLock;

use smallvec::SmallVec;

use crate::base::report::NameMatch;
use parts::Parts;

/// Maximum length in bytes of a key that may stand for another one. A longer one is prose, and it
/// may be repeated in each row of a table.
pub(crate) const NAME_MAX: usize = 256;

/// Positions among an object's declared members.
pub(crate) type Slots = SmallVec<[u32; 2]>;

/// The way in which a key leads to a declared member.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Claim {
    /// A declared alias of the member.
    Alias(u32),
    /// Another spelling of the member's key or of an alias.
    Spelling(u32),
    /// A part of the member's key, or the reverse.
    Derived(u32),
}

impl Claim {
    pub(crate) fn slot(self) -> u32 {
        match self {
            Self::Alias(slot) | Self::Spelling(slot) | Self::Derived(slot) => slot,
        }
    }

    /// Returns how far the name is from the member's own; of several names, the nearest wins.
    pub(crate) fn rank(self) -> u8 {
        match self {
            Self::Alias(_) => 0,
            Self::Spelling(_) => 1,
            Self::Derived(_) => 2,
        }
    }
}

/// The alternative keys of an object's declared members.
#[derive(Clone, Debug, Default)]
pub(crate) struct Names {
    aliases: HashMap<Box<str>, Slots>,
    spellings: HashMap<String, Slots>,
    /// The titles of members, for keys that are nothing else.
    titles: HashMap<String, Slots>,
    /// Parts of keys, computed on first use.
    parts: OnceLock<Parts>,
}

impl Names {
    /// The member keys, given with their aliases and titles.
    pub(crate) fn of<'n>(
        members: impl Iterator<Item = (&'n str, &'n [Box<str>], Option<&'n str>)>,
    ) -> Self {
        let mut names = Self::default();
        for (slot, (name, aliases, title)) in (0u32..).zip(members) {
            for alias in aliases {
                push(&mut names.aliases, alias.clone(), slot);
            }
            for name in aliases.iter().map(|alias| &**alias).chain([name]) {
                let normal = member_key(name);
                if !normal.is_empty() {
                    push(&mut names.spellings, normal, slot);
                }
            }
            if let Some(title) = title {
                push(&mut names.titles, member_key(title), slot);
            }
        }
        names
    }

    /// Returns the member that an undeclared key represents.
    pub(crate) fn claim(&self, name: &str) -> Option<Claim> {
        if name.len() > NAME_MAX {
            return None;
        }
        if let Some(slots) = self.aliases.get(name) {
            return only(slots).map(Claim::Alias);
        }
        let slots = self
            .spelled(&member_key(name))
            .or_else(|| self.marked(name));
        only(slots?).map(Claim::Spelling)
    }

    /// Returns the members that a key represents without its decorations: `age (integer)`.
    fn marked(&self, name: &str) -> Option<&Slots> {
        let bare = marks::bare(name)?;
        (self.aliases.get(bare)).or_else(|| self.spelled(&member_key(bare)))
    }

    /// Returns the members with that key or title in another spelling.
    fn spelled(&self, key: &str) -> Option<&Slots> {
        self.spellings.get(key).or_else(|| self.titles.get(key))
    }

    /// Returns the only one of the open members of whose key this is a part, or the reverse. The name
    /// need not [stand for](parts::stands_for) it.
    pub(crate) fn derive<'n>(
        &self,
        members: impl Iterator<Item = &'n str>,
        name: &str,
        is_open: impl Fn(u32) -> bool,
    ) -> Option<Claim> {
        let slots = self.parts(members).matches(name);
        let mut open = slots.into_iter().filter(|slot| is_open(*slot));
        let first = open.next()?;
        open.next().is_none().then_some(Claim::Derived(first))
    }

    /// Returns `true` if an undeclared name may turn out to stand for one of the open members.
    pub(crate) fn may_claim<'n>(
        &self,
        members: impl Iterator<Item = &'n str>,
        name: &str,
        is_open: impl Fn(u32) -> bool,
    ) -> bool {
        match self.claim(name) {
            Some(claim) => is_open(claim.slot()),
            None => (self.parts(members).matches(name).into_iter()).any(is_open),
        }
    }

    /// Returns all members that a key may represent by the nearest match, and the kind of match.
    pub(crate) fn meant<'n>(
        &self,
        members: impl Iterator<Item = &'n str>,
        name: &str,
    ) -> Option<(NameMatch, Slots)> {
        if name.len() > NAME_MAX {
            return None;
        }
        if let Some(slots) = self.aliases.get(name) {
            return Some((NameMatch::Alias, slots.clone()));
        }
        if let Some(slots) = self
            .spelled(&member_key(name))
            .or_else(|| self.marked(name))
        {
            return Some((NameMatch::Spelling, slots.clone()));
        }
        let slots = self.parts(members).matches(name);
        (!slots.is_empty()).then_some((NameMatch::Derived, slots))
    }

    /// Returns the only member that shares its first or last words with a key, which is not
    /// sufficient evidence.
    pub(crate) fn resembled<'n>(
        &self,
        members: impl Iterator<Item = &'n str>,
        name: &str,
    ) -> Option<u32> {
        self.parts(members).resembles(name)
    }

    fn parts<'n>(&self, members: impl Iterator<Item = &'n str>) -> &Parts {
        self.parts.get_or_init(|| Parts::of(members))
    }
}

/// Returns a member's key in the form in which other spellings are equal.
pub(crate) fn member_key(name: &str) -> String {
    fold::normal_key(&compat::compatible(name))
}

/// Maximum number of members with the same spelling that are stored; they are never distinguished.
const SAME_MAX: usize = 8;

fn push<K: std::hash::Hash + Eq>(names: &mut HashMap<K, Slots>, name: K, slot: u32) {
    let slots = names.entry(name).or_default();
    if slots.last() != Some(&slot) && slots.len() < SAME_MAX {
        slots.push(slot);
    }
}

fn only(slots: &Slots) -> Option<u32> {
    match slots[..] {
        [slot] => Some(slot),
        _ => None,
    }
}

//! Members at the wrong level: `a.b`, `a_b` and `a[0].b` for nested members, the members of an
//! object, or of an array's only item, next to it, and members inside an undeclared object.

use llmjson_syntax::{Class, Kind, NewKey, NodeId};

use smallvec::SmallVec;

use super::numbered::Numbered;
use super::roles::is_note_of_list;
use crate::base::report::CoercionKind;
use crate::coerce::envelope::is_other_thing;
use crate::coerce::member_scan::MemberScan;
use crate::coerce::state::Laid;
use crate::coerce::state::{Call, Coercer};
use crate::ir::names::parts::words;
use crate::ir::shape::{Additional, ObjectRules, Types};

/// The new place of a member.
enum MemberPlace {
    /// Its present place, under its key.
    Stays,
    /// The missing member at that slot, under the remaining key.
    Into(usize, String),
    /// An item of the array at that slot, under the remaining key, if there is one.
    Item(usize, usize, String),
    /// The object's members replace it.
    Opens,
    /// The missing member at that slot, which it is itself.
    Becomes(usize),
    /// No clear place, although others have one.
    Unclear,
}

/// The numbers at which the items of arrays begin, by the slot of the array.
type Starts = SmallVec<[(usize, usize); 2]>;

/// The maximum number of members examined; larger objects are not converted.
const MEMBERS_MAX: usize = 4096;

impl<'c> Coercer<'c, '_> {
    /// Rearranges the members of an incomplete object, if others belong there.
    pub(in crate::coerce) fn other_members(
        &mut self,
        call: Call,
        rules: &'c ObjectRules,
        scan: &MemberScan,
    ) -> Option<Laid> {
        if scan.complete || scan.others.len() > MEMBERS_MAX || !self.may_lay_out(call) {
            return None;
        }
        let missing = self.missing(call, rules, scan);
        if missing.is_empty() {
            return None;
        }
        self.charge(self.value(call.node).len() + scan.others.len() * missing.len());
        let mut others = scan.others.iter().peekable();
        let members: Vec<(String, NodeId, bool)> = (0u32..)
            .zip(self.value(call.node).members())
            .map(|(at, (name, value))| {
                let is_other = others.next_if(|(other, _)| *other == at).is_some();
                (name.into_owned(), value.id(), is_other)
            })
            .collect();
        let is_open = matches!(rules.additional, Additional::Open(_));
        let may_open = scan.present.contains(&true) && !is_open;
        let mut starts = Starts::new();
        let mut places: Vec<MemberPlace> = members
            .iter()
            .map(
                |(name, node, is_other)| match *is_other && rules.names().claim(name).is_none() {
                    true => self
                        .item_place(name, rules, &missing, &mut starts)
                        .unwrap_or_else(|| self.place_of((name, *node), rules, &missing, may_open)),
                    false => MemberPlace::Stays,
                },
            )
            .collect();
        if !is_open {
            self.place_only(&members, &mut places, rules, &missing);
        }
        let stay = places.iter().zip(&members);
        let left = stay
            .filter(|(place, (.., other))| *other && matches!(place, MemberPlace::Stays))
            .count();
        let is_unclear = |place: &MemberPlace| matches!(place, MemberPlace::Unclear);
        if places.iter().any(is_unclear)
            || places
                .iter()
                .all(|place| matches!(place, MemberPlace::Stays))
        {
            return None;
        }
        let node = self.put_in_place(&members, &places, rules, &missing)?;
        let becomes = |place: &MemberPlace| matches!(place, MemberPlace::Becomes(_));
        let class = if left == 0 && !places.iter().any(becomes) {
            Class::Likely
        } else {
            Class::Guess
        };
        self.options
            .allows_as(CoercionKind::OtherLayout, class)
            .then_some((node, class))
    }

    /// Returns the required members that are absent, even in another spelling.
    fn missing(&self, call: Call, rules: &ObjectRules, scan: &MemberScan) -> Vec<usize> {
        let mut present = scan.present.clone();
        for (name, _) in self.value(call.node).members() {
            if let Some(claim) = rules.names().claim(&name) {
                present[claim.slot() as usize] = true;
            }
        }
        rules.lacks(|slot| present[slot]).collect()
    }

    /// Returns the place in a missing array of a member whose key has the number of an item:
    /// `step_1`.
    fn item_place(
        &self,
        name: &str,
        rules: &ObjectRules,
        missing: &[usize],
        starts: &mut Starts,
    ) -> Option<MemberPlace> {
        let found = Numbered::of(name)?;
        let slot = missing.iter().copied().find(|&slot| {
            let property = &rules.properties[slot];
            let is_list = self.shapes.types_of(property.shape) == Types::ARRAY;
            is_list && found.is_item_of(&property.name)
        })?;
        let of = self
            .shapes
            .get(rules.properties[slot].shape)
            .array
            .as_deref()?
            .item(0)?;
        let rest = match &found.rest[..] {
            [] => String::new(),
            rest => {
                let inner = self.shapes.get(of).object.as_deref();
                let rest = rest.join("_");
                match inner.is_some_and(|inner| self.is_declared(inner, &rest)) {
                    true => rest,
                    false => return Some(MemberPlace::Unclear),
                }
            }
        };
        let known = starts
            .iter()
            .find(|(of, _)| *of == slot)
            .map(|(_, start)| *start);
        let start = known.unwrap_or_else(|| {
            starts.push((slot, found.number.min(1)));
            found.number.min(1)
        });
        Some(MemberPlace::Item(
            slot,
            found.number.checked_sub(start)?,
            rest,
        ))
    }

    /// Checks whether the only member without a place is the only missing array, under another key.
    fn place_only(
        &self,
        members: &[(String, NodeId, bool)],
        places: &mut [MemberPlace],
        rules: &ObjectRules,
        missing: &[usize],
    ) {
        let [slot] = missing else { return };
        let property = &rules.properties[*slot];
        let mut free = members
            .iter()
            .zip(places)
            .filter(|((name, _, is_other), place)| {
                *is_other && matches!(place, MemberPlace::Stays) && !is_note_of_list(name)
            });
        let (Some(((name, node, _), place)), None) = (free.next(), free.next()) else {
            return;
        };
        let shape = self.shapes.get(property.shape);
        let item = shape.array.as_deref().and_then(|list| list.item(0));
        let is_record = item.is_some_and(|item| {
            let rules = self.shapes.get(item).object.as_deref();
            rules.is_some_and(|rules| rules.lacks(|_| false).next().is_some())
        });
        let value = self.value(*node);
        let is_list = value.kind() == Kind::Array && !value.is_empty();
        // A separate key that shares a word with the declared one means something else:
        // `deleted_users`.
        let (own, declared) = (words(name), words(&property.name));
        let says_nothing =
            ["items", "list", "values", "entries", "elements", "array"].contains(&&**name);
        let is_another =
            is_record && !own.iter().any(|word| declared.contains(word)) && own.len() == 1;
        if is_list && !is_other_thing(name) && (says_nothing || is_another) {
            *place = MemberPlace::Becomes(*slot);
        }
    }

    fn place_of(
        &mut self,
        (name, node): (&str, NodeId),
        rules: &ObjectRules,
        missing: &[usize],
        may_open: bool,
    ) -> MemberPlace {
        // An array takes the object formed by its members as its only item.
        let inside = |coercer: &Self, slot: usize, name: &str| {
            let shape = coercer.shapes.get(rules.properties[slot].shape);
            let item = shape.array.as_deref().and_then(|list| list.item(0));
            let shape = item.map_or(shape, |item| coercer.shapes.get(item));
            shape
                .object
                .as_deref()
                .is_some_and(|inner| coercer.is_declared(inner, name))
        };
        if let Some((slot, rest)) = missing.iter().find_map(|&slot| {
            let rest = name.strip_prefix(&*rules.properties[slot].name)?;
            Some((slot, rest)).filter(|(_, rest)| rest.starts_with(['.', '[', '_', '/']))
        }) {
            // `items[0].name`
            if let Some((index, rest)) = indexed(rest) {
                return MemberPlace::Item(slot, index, rest.to_owned());
            }
            let path = &rest[1..];
            if rest.starts_with(['.', '/']) && !path.is_empty() || inside(self, slot, path) {
                return MemberPlace::Into(slot, path.to_owned());
            }
        }
        let mut slots = missing
            .iter()
            .copied()
            .filter(|slot| inside(self, *slot, name));
        // `{"name": "Ann"}` next to a missing `user`, which declares `name`: only one missing
        // member could hold it.
        if let (Some(slot), None) = (slots.next(), slots.next()) {
            return MemberPlace::Into(slot, name.to_owned());
        }
        let value = self.value(node);
        // Without a declared member next to it, it is an envelope or something else altogether.
        let holds = value.kind() == Kind::Object
            && may_open
            && !is_other_thing(name)
            && !value.is_empty()
            && value.members().all(|(name, _)| {
                let is_missing = |slot: &usize| *rules.properties[*slot].name == *name;
                missing.iter().any(is_missing)
            });
        match holds {
            true => MemberPlace::Opens,
            false => MemberPlace::Stays,
        }
    }

    /// Writes the object with each member in its place.
    fn put_in_place(
        &mut self,
        members: &[(String, NodeId, bool)],
        places: &[MemberPlace],
        rules: &ObjectRules,
        missing: &[usize],
    ) -> Option<NodeId> {
        let mut written: Vec<(String, NodeId)> = Vec::new();
        for ((name, node, _), place) in members.iter().zip(places) {
            match place {
                MemberPlace::Stays => written.push((name.clone(), *node)),
                MemberPlace::Opens => {
                    let inner = self.value(*node).members();
                    written.extend(inner.map(|(name, value)| (name.into_owned(), value.id())));
                }
                MemberPlace::Becomes(slot) => {
                    written.push((rules.properties[*slot].name.to_string(), *node));
                }
                MemberPlace::Into(..) | MemberPlace::Item(..) | MemberPlace::Unclear => {}
            }
        }
        for &slot in missing {
            let mut inner: Vec<(&str, NodeId)> = Vec::new();
            let mut items: Vec<Vec<(&str, NodeId)>> = Vec::new();
            for ((_, node, _), place) in members.iter().zip(places) {
                match place {
                    MemberPlace::Into(at, name) if *at == slot => inner.push((name, *node)),
                    MemberPlace::Item(at, index, name) if *at == slot => {
                        // Items are in order, without gaps.
                        if *index > items.len() || *index + 1 < items.len() {
                            return None;
                        }
                        if *index == items.len() {
                            items.push(Vec::new());
                        }
                        items[*index].push((name, *node));
                    }
                    _ => {}
                }
            }
            let name = rules.properties[slot].name.to_string();
            match (inner.is_empty(), items.is_empty()) {
                (true, true) => {}
                (false, true) => written.push((name, self.object_with(&inner)?)),
                (true, false) => {
                    let nodes: Option<Vec<NodeId>> = items
                        .iter()
                        .map(|item| match item[..] {
                            [("", only)] => Some(only),
                            _ => self.object_with(item),
                        })
                        .collect();
                    written.push((name, self.editor.array(&nodes?)));
                }
                (false, false) => return None,
            }
        }
        let members: Vec<(&str, NodeId)> = written
            .iter()
            .map(|(name, node)| (&**name, *node))
            .collect();
        self.object_with(&members)
    }

    /// Returns an object of these members, or nothing if a key is repeated or invalid.
    pub(super) fn object_with(&mut self, members: &[(&str, NodeId)]) -> Option<NodeId> {
        let mut names: Vec<&str> = members.iter().map(|(name, _)| *name).collect();
        names.sort_unstable();
        let twice = names.windows(2).any(|pair| pair[0] == pair[1]);
        if twice || names.first().is_some_and(|name| name.is_empty()) {
            return None;
        }
        let members: Vec<_> = members
            .iter()
            .map(|(name, node)| (NewKey::Text(name), *node))
            .collect();
        Some(self.editor.object(&members))
    }
}

/// Returns the index at the beginning of a path, and the rest of the path.
fn indexed(path: &str) -> Option<(usize, &str)> {
    let (index, rest) = path.strip_prefix('[')?.split_once(']')?;
    let is_index =
        !index.is_empty() && index.len() <= 4 && index.bytes().all(|byte| byte.is_ascii_digit());
    let index = is_index.then(|| index.parse().ok())??;
    match rest.strip_prefix('.') {
        Some(rest) if !rest.is_empty() => Some((index, rest)),
        _ if rest.is_empty() || rest.starts_with('[') => Some((index, rest)),
        _ => None,
    }
}

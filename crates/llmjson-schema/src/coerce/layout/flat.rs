//! Members that stand a level too high or too deep: `a.b`, `a_b` and `a[0].b` for nested ones, the
//! members of an object beside it, and members within an object that is not declared.

use llmjson_syntax::{Class, Kind, NewKey, NodeId};

use crate::base::report::CoercionKind;
use crate::coerce::envelope::is_other_thing;
use crate::coerce::member_scan::MemberScan;
use crate::coerce::state::Laid;
use crate::coerce::state::{Call, Coercer};
use crate::ir::shape::{Additional, ObjectRules, Types};

/// The new place of a member.
enum MemberPlace {
    /// The place where it is, under its name.
    Stays,
    /// The missing member at that slot, under the name that is left.
    Into(usize, String),
    /// An item of the list at that slot, under the name that is left, if one is.
    Item(usize, usize, String),
    /// Its members take its place.
    Opens,
}

/// Maximum number of members that are looked at; more are not laid out anew.
const MEMBERS_MAX: usize = 4096;

impl<'c> Coercer<'c, '_> {
    /// Lays out the members of an object that lacks some, if others belong there.
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
        let places: Vec<MemberPlace> = members
            .iter()
            .map(
                |(name, node, is_other)| match *is_other && rules.names().claim(name).is_none() {
                    true => self.place_of((name, *node), rules, &missing, may_open),
                    false => MemberPlace::Stays,
                },
            )
            .collect();
        let stay = places.iter().zip(&members);
        let left = stay
            .filter(|(place, (.., other))| *other && matches!(place, MemberPlace::Stays))
            .count();
        if places
            .iter()
            .all(|place| matches!(place, MemberPlace::Stays))
        {
            return None;
        }
        let node = self.put_in_place(&members, &places, rules, &missing)?;
        let class = if left == 0 {
            Class::Likely
        } else {
            Class::Guess
        };
        self.options
            .allows_as(CoercionKind::OtherLayout, class)
            .then_some((node, class))
    }

    /// The required members that are not there, not even in another spelling.
    fn missing(&self, call: Call, rules: &ObjectRules, scan: &MemberScan) -> Vec<usize> {
        let mut present = scan.present.clone();
        for (name, _) in self.value(call.node).members() {
            if let Some(claim) = rules.names().claim(&name) {
                present[claim.slot() as usize] = true;
            }
        }
        rules.lacks(|slot| present[slot]).collect()
    }

    fn place_of(
        &mut self,
        (name, node): (&str, NodeId),
        rules: &ObjectRules,
        missing: &[usize],
        may_open: bool,
    ) -> MemberPlace {
        let inside = |coercer: &Self, slot: usize, name: &str| {
            let shape = coercer.shapes.get(rules.properties[slot].shape);
            shape
                .object
                .as_deref()
                .is_some_and(|inner| coercer.is_declared(inner, name))
        };
        if let Some((slot, rest)) = missing.iter().find_map(|&slot| {
            let rest = name.strip_prefix(&*rules.properties[slot].name)?;
            Some((slot, rest)).filter(|(_, rest)| rest.starts_with(['.', '[', '_', '/']))
        }) {
            let is_list = !self
                .shapes
                .types_of(rules.properties[slot].shape)
                .meets(Types::OBJECT);
            // `items[0].name`, `items.0.name`
            let index = indexed(rest).or_else(|| numbered(rest).filter(|_| is_list));
            if let Some((index, rest)) = index {
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
        // `{"name": "Ann"}` beside a missing `user`, which declares `name`: only one member is missing that
        // could hold it.
        if let (Some(slot), None) = (slots.next(), slots.next()) {
            return MemberPlace::Into(slot, name.to_owned());
        }
        let value = self.value(node);
        // Without a declared member beside it, it is an envelope or something else altogether.
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
                MemberPlace::Into(..) | MemberPlace::Item(..) => {}
            }
        }
        for &slot in missing {
            let mut inner: Vec<(&str, NodeId)> = Vec::new();
            let mut items: Vec<Vec<(&str, NodeId)>> = Vec::new();
            for ((_, node, _), place) in members.iter().zip(places) {
                match place {
                    MemberPlace::Into(at, name) if *at == slot => inner.push((name, *node)),
                    MemberPlace::Item(at, index, name) if *at == slot => {
                        // Items come in their order, none left out.
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

    /// An object of these members; nothing if a name is there twice, or is none.
    fn object_with(&mut self, members: &[(&str, NodeId)]) -> Option<NodeId> {
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

/// The same without brackets: `.0`, `.0.name`.
fn numbered(path: &str) -> Option<(usize, &str)> {
    let path = path.strip_prefix('.')?;
    let (index, rest) = path.split_once('.').unwrap_or((path, ""));
    let is_index =
        !index.is_empty() && index.len() <= 4 && index.bytes().all(|byte| byte.is_ascii_digit());
    let rest = (rest.is_empty() == (path == index)).then_some(rest)?;
    Some((is_index.then(|| index.parse().ok())??, rest))
}

/// The index that a path begins with, and what is left of the path.
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

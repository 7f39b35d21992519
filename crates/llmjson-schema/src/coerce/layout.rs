//! Data in another layout: a numbered map for an array, pairs for a map.
//!
//! Each layout is converted to the schema's layout without losing a declared member, and the result
//! is kept if it conforms and the original value does not. `places` finds members outside of their
//! places, `markup` splits members from strings, `reply` removes the wrappers that frameworks put
//! around a whole reply.

mod affixes;
mod held;
mod list;
pub(super) mod markup;
mod numbered;
mod places;
mod reply;
pub(crate) mod roles;
mod tables;
pub(super) mod tags;

use llmjson_syntax::{Class, Kind, NewKey, NodeId, ValueRef};

use self::roles::{is_note, is_pair_name, is_pair_value};
use super::forms::words::{is_nothing, is_sentence};
use super::rules::{CONVERSIONS, LAYOUT};
use super::state::{CONTAINERS, Call, Coercer, Laid};
use crate::base::embedded::may_hold_json;
use crate::base::report::CoercionKind;
use crate::ir::shape::{Additional, ObjectRules, Types};

impl<'c> Coercer<'c, '_> {
    /// Converts a value of the wrong type to the layout of its place.
    pub(super) fn other_layout(&mut self, call: Call, wanted: Types) -> Option<Laid> {
        if !self.may_lay_out(call) {
            return None;
        }
        let kind = self.value(call.node).kind();
        self.charge(1 + self.value(call.node).len());
        let rules = self.shapes.get(call.shape).object.as_deref();
        let laid = match kind {
            Kind::Object if wanted.meets(Types::ARRAY) && !call.has(Call::NO_WRAP) => self
                .reply_within(call, Types::ARRAY)
                .or_else(|| self.value_in_object(call))
                .or_else(|| self.list_of_object(call))
                .or_else(|| self.rows_of_object(call)),
            // `{"value": 5}` for `5`
            Kind::Object if !call.mask.meets(CONTAINERS) => self.value_in_object(call),
            // `[["a", 1], ["b", 2]]`, `[{"key": "a", "value": 1}]` or `[{"a": 1}, {"b": 2}]` for `{"a": 1, "b": 2}`
            Kind::Array if wanted.meets(Types::OBJECT) => {
                let rules = rules?;
                self.reply_within(call, Types::OBJECT)
                    .or_else(|| self.own_tagging(call, rules))
                    .or_else(|| self.object_of_items(call, rules))
                    .or_else(|| self.object_of_one(call, rules))
            }
            // A single change makes it ambiguous: a value that would become an item is not a member
            // either.
            Kind::Number | Kind::Bool | Kind::String
                if wanted.meets(Types::OBJECT) && !call.has(Call::NO_WRAP) =>
            {
                self.object_of_one(call, rules?)
            }
            _ => None,
        };
        laid.filter(|(_, class)| self.options.allows_as(CoercionKind::OtherLayout, *class))
    }

    /// Returns `true` if a value's layout may be converted: without a tag, none of several
    /// alternatives is clearly intended.
    pub(super) fn may_lay_out(&self, call: Call) -> bool {
        CONVERSIONS[LAYOUT].rule.is_open(&call, self.options)
            && !call.has(Call::NO_LAYOUT)
            && call.depth < self.options.limits.depth
            && !self.is_spent()
            && (call.has(Call::TAGGED) || !self.has_other_branches(call))
    }

    /// Reads an array of pairs of keys and values, or of objects with some members each, as one
    /// object: `[{"key": "a", "value": 1}]`, `[{"a": 1}, {"b": 2}]`.
    fn object_of_items(&mut self, call: Call, rules: &ObjectRules) -> Option<Laid> {
        let value = self.value(call.node);
        let is_map = is_map(rules);
        let is_name = |name: &str| is_map || self.is_declared(rules, name);
        // An object that declares the parts of a pair is one of them, unless all pairs contain its
        // members.
        let is_own = |(name, _): &(String, NodeId)| rules.declares(name);
        let is_one = value
            .item(0)?
            .members()
            .any(|(name, _)| rules.declares(&name));
        let records = self.records(value, is_name);
        let records = records.filter(|records| !is_one || records.iter().all(is_own));
        let members = records.or_else(|| {
            let is_part = |item: ValueRef<'_>| {
                let fits = !is_map || item.len() == 1;
                item.kind() == Kind::Object && !item.is_empty() && fits
            };
            let are_parts = (2..=RECORDS_MAX).contains(&value.len()) && value.items().all(is_part);
            let inner = value
                .items()
                .flat_map(ValueRef::members)
                .filter(|_| are_parts);
            let inner =
                inner.map(|(name, one)| is_name(&name).then(|| (name.into_owned(), one.id())));
            inner
                .collect::<Option<Vec<_>>>()
                .filter(|members| !members.is_empty())
        })?;
        self.charge(members.len());
        Some((self.object_with(&members)?, Class::Likely))
    }

    /// Returns the names and values in an array of pairs: `[["a", 1]]`, or objects that have a name
    /// and a value under the same keys, `[{"key": "a", "value": 1}]`.
    fn records(
        &self,
        value: ValueRef<'_>,
        is_name: impl Fn(&str) -> bool,
    ) -> Option<Vec<(String, NodeId)>> {
        let first = value.item(0).filter(|_| value.len() <= RECORDS_MAX)?;
        let keys = match first.kind() {
            Kind::Object => Some(pair_keys(first)?),
            Kind::Array => None,
            _ => return None,
        };
        let parts = |item: ValueRef<'_>| {
            let (name, one) = match &keys {
                Some((name, one)) => (item.get(name)?, item.get(one)?),
                None if item.len() == 2 => (item.item(0)?, item.item(1)?),
                None => return None,
            };
            let name = name.as_str().filter(|name| is_name(name))?;
            Some((name.into_owned(), one.id()))
        };
        value.items().map(parts).collect()
    }

    /// Returns an object around the value in its place, as the only member that the object
    /// requires: an array for an array, a scalar for a scalar. A string is a guess.
    fn object_of_one(&mut self, call: Call, rules: &'c ObjectRules) -> Option<Laid> {
        let mut required = rules.lacks(|_| false);
        let property = &rules.properties[required.next()?];
        if required.next().is_some() || !rules.required_undeclared.is_empty() {
            return None;
        }
        let types = self.shapes.types_of(property.shape);
        let value = self.value(call.node);
        let found = Types::of_value(value);
        // A string may yet be read as the number that it represents.
        let is_one = types.meets(found)
            || found.meets(Types::NUMBER) && types.meets(Types::INTEGER)
            || found == Types::STRING && !types.meets(CONTAINERS);
        if call.mask.meets(found) || !is_one {
            return None;
        }
        let class = match value.kind() {
            Kind::String if value.as_str().is_none_or(|text| is_no_member(&text)) => return None,
            Kind::String => Class::Guess,
            // An item that is such an object is taken out of the array.
            Kind::Array if value.items().any(|item| item.get(&property.name).is_some()) => {
                return None;
            }
            _ => Class::Likely,
        };
        let members = [(NewKey::Text(&property.name), call.node)];
        Some((self.editor.object(&members), class))
    }

    /// Returns `true` if a call concerns one of several branches of a union, not counting null.
    fn has_other_branches(&self, call: Call) -> bool {
        let union = self.union_around(call);
        union.is_some_and(|id| self.leaves_choice(id))
    }

    /// Returns `true` if a key is declared, possibly in another spelling.
    fn is_declared(&self, rules: &ObjectRules, name: &str) -> bool {
        rules.declares(name) || rules.names().claim(name).is_some()
    }

    fn item_rules(&self, call: Call) -> Option<&'c ObjectRules> {
        let id = self.shapes.get(call.shape).array.as_deref()?.items?;
        self.shapes.get(id).object.as_deref()
    }
}

/// Returns `true` if a string is not the value of a member: it means that there is none, is a
/// container that could not be read as the object, or is a sentence.
fn is_no_member(text: &str) -> bool {
    let text = text.trim();
    may_hold_json(text) || is_nothing(text) || is_sentence(text)
}

/// Maximum number of records of an array that stands for an object.
const RECORDS_MAX: usize = 100_000;

/// Maximum number of members of a record.
const RECORD_MAX: usize = 16;

/// Returns the keys under which a record has a name and a value, next to notes.
fn pair_keys(record: ValueRef<'_>) -> Option<(String, String)> {
    let members = || record.members().take(RECORD_MAX + 1).map(|(name, _)| name);
    let mut names = members().filter(|name| is_pair_name(name));
    let name = names.next().filter(|_| record.len() <= RECORD_MAX)?;
    let mut others = members().filter(|other| *other != name && !is_note(other));
    let other = members().find(|other| is_pair_value(other));
    let other = other.or_else(|| others.next())?;
    let is_only = others.all(|one| one == other);
    is_only.then(|| (name.into_owned(), other.into_owned()))
}

/// Returns `true` if any key is a member's.
fn is_map(rules: &ObjectRules) -> bool {
    rules.properties.is_empty() && matches!(rules.additional, Additional::Open(_))
}

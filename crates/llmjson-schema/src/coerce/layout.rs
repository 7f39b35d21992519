//! Data in another layout: a numbered map for an array, pairs for a map.
//!
//! Each layout is converted to the schema's layout without losing a declared member, and the result
//! is kept if it conforms and the original value does not. `flat` handles the layouts of an
//! object's members, `markup` members inside strings, `reply` the wrappers that frameworks put around a whole reply.

mod flat;
mod held;
mod list;
mod map;
pub(super) mod markup;
mod numbered;
mod reply;
pub(super) mod roles;
pub(super) mod tags;

use llmjson_syntax::{Class, Kind, NewKey, NodeId, ValueRef};

use super::forms::words::{is_nothing, is_sentence};
use super::rules::{CONVERSIONS, LAYOUT};
use super::state::{CONTAINERS, Call, Coercer, Laid};
use crate::base::embedded::may_hold_json;
use crate::base::report::CoercionKind;
use crate::ir::shape::{Additional, ObjectRules, Types};

/// Keys of the two parts of a pair.
const PAIRS: [(&str, &str); 4] = [
    ("key", "value"),
    ("name", "value"),
    ("k", "v"),
    ("field", "value"),
];

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
                .or_else(|| self.list_of_object(call)),
            // `{"value": 5}` for `5`
            Kind::Object if !call.mask.meets(CONTAINERS) => self.value_in_object(call),
            // `[["a", 1], ["b", 2]]`, `[{"key": "a", "value": 1}]` or `[{"a": 1}, {"b": 2}]` for `{"a": 1, "b": 2}`
            Kind::Array if wanted.meets(Types::OBJECT) => {
                let rules = rules?;
                self.reply_within(call, Types::OBJECT)
                    .or_else(|| self.own_tagging(call, rules))
                    .or_else(|| self.object_of_pairs(call, rules))
                    .or_else(|| self.object_of_objects(call, rules))
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

    /// Reads pairs of keys and values as an object.
    fn object_of_pairs(&mut self, call: Call, rules: &ObjectRules) -> Option<Laid> {
        let value = self.value(call.node);
        let pairs: Option<Vec<(String, NodeId)>> = value.items().map(pair).collect();
        let pairs = pairs.filter(|pairs| !pairs.is_empty())?;
        // An object that declares the parts of a pair is one of them, unless all pairs contain its
        // members.
        let first = value.item(0)?;
        let is_named = |(name, _): &(String, NodeId)| rules.declares(name);
        if first.members().all(|(name, _)| rules.declares(&name)) && first.kind() == Kind::Object
            || first.members().any(|(name, _)| rules.declares(&name)) && !pairs.iter().all(is_named)
        {
            return None;
        }
        let mut names: Vec<&str> = pairs.iter().map(|(name, _)| &**name).collect();
        let is_map = rules.properties.is_empty() && matches!(rules.additional, Additional::Open(_));
        let fits = is_map || names.iter().all(|name| self.is_declared(rules, name));
        names.sort_unstable();
        if names.windows(2).any(|pair| pair[0] == pair[1]) {
            return None;
        }
        let members: Vec<_> = pairs
            .iter()
            .map(|(name, node)| (NewKey::Text(name), *node))
            .collect();
        Some((self.editor.object(&members), class_of(fits)))
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

/// Returns the class of a layout whose keys are all declared, or not.
fn class_of(fits: bool) -> Class {
    match fits {
        true => Class::Likely,
        false => Class::Guess,
    }
}

/// Returns the key and the value of a pair: an object of the two, or an array.
fn pair(item: ValueRef<'_>) -> Option<(String, NodeId)> {
    let (name, value) = match item.kind() {
        Kind::Array if item.len() == 2 => (item.item(0)?, item.item(1)?),
        Kind::Object if item.len() == 2 => {
            let parts = |(name, value): (&str, &str)| Some((item.get(name)?, item.get(value)?));
            PAIRS.into_iter().find_map(parts)?
        }
        _ => return None,
    };
    Some((name.as_str()?.into_owned(), value.id()))
}

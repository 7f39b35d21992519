//! Lists that stand for objects: of objects with some of the members each, of records with their names in them.

use llmjson_syntax::{Kind, NewKey, NodeId, ValueRef};

use super::class_of;
use crate::coerce::state::{Call, Coercer, Laid};
use crate::ir::names::fold::is_one_of;
use crate::ir::shape::{Additional, ObjectRules, Types};
use llmjson_syntax::Class;

/// Names of the member of a record that names it, in their normal form.
const KEYS: [&str; 8] = ["name", "id", "key", "title", "label", "code", "field", "k"];

/// Maximum number of records of a list.
const RECORDS_MAX: usize = 100_000;

impl<'c> Coercer<'c, '_> {
    /// `[{"a": 1}, {"b": 2}]` for `{"a": 1, "b": 2}`
    pub(super) fn object_of_objects(&mut self, call: Call, rules: &ObjectRules) -> Option<Laid> {
        let value = self.value(call.node);
        let is_map = is_map(rules);
        let is_part = |item: ValueRef<'_>| {
            let fits = !is_map || item.len() == 1;
            item.kind() == Kind::Object && !item.is_empty() && fits
        };
        if value.len() < 2 || value.len() > RECORDS_MAX || !value.items().all(is_part) {
            return None;
        }
        let mut members: Vec<(String, NodeId)> = Vec::new();
        for item in value.items() {
            members.extend(
                item.members()
                    .map(|(name, one)| (name.into_owned(), one.id())),
            );
        }
        self.charge(members.len());
        if !is_map
            && !members
                .iter()
                .all(|(name, _)| self.is_declared(rules, name))
        {
            return None;
        }
        let members: Vec<(&str, NodeId)> = (members.iter())
            .map(|(name, one)| (&**name, *one))
            .collect();
        Some((self.object_with(&members)?, Class::Likely))
    }

    /// `[{"name": "Ann", "age": 3}]` for `{"Ann": {"age": 3}}`, `[{"word": "a", "count": 1}]` for `{"a": 1}`
    pub(super) fn map_of_records(&mut self, call: Call, rules: &ObjectRules) -> Option<Laid> {
        let Additional::Open(shape) = rules.additional else {
            return None;
        };
        let value = self.value(call.node);
        if !rules.properties.is_empty() || value.is_empty() || value.len() > RECORDS_MAX {
            return None;
        }
        let types = self.shapes.types_of(shape);
        let inner = self.shapes.get(shape).object.as_deref();
        let is_record = types == Types::OBJECT;
        let first: Vec<_> = value.item(0)?.members().collect();
        let mut keys = first.iter().filter(|(name, one)| {
            let is_named = is_one_of(&KEYS, name);
            let is_other = !is_record && first.len() == 2 && !types.meets(Types::STRING);
            one.kind() == Kind::String && (is_named || is_other)
        });
        let (key, _) = keys.next()?;
        let is_inside = inner.is_some_and(|inner| inner.declares(key));
        if keys.next().is_some() || is_inside || !is_record && first.len() != 2 {
            return None;
        }
        let mut records = Vec::new();
        for item in value.items() {
            let name = item.get(key)?.as_str()?.into_owned();
            let rest = item.members().filter(|(name, _)| name != key);
            let rest: Vec<_> = rest
                .map(|(name, one)| (name.into_owned(), one.id()))
                .collect();
            records.push((name, rest));
        }
        self.charge(records.len());
        let mut members: Vec<(&str, NodeId)> = Vec::new();
        for (name, rest) in &records {
            let node = match rest[..] {
                [(_, only)] if !is_record => only,
                _ if !is_record => return None,
                _ => {
                    let rest: Vec<_> = rest.iter().map(|(name, one)| (&**name, *one)).collect();
                    self.object_with(&rest)?
                }
            };
            members.push((&**name, node));
        }
        Some((self.object_with(&members)?, Class::Guess))
    }

    /// `{"Ann": {"age": 3}}` for `[{"name": "Ann", "age": 3}]`, `{"a": 1}` for `[{"word": "a", "count": 1}]` where the
    /// items have no other members.
    pub(super) fn records_of_map(&mut self, call: Call, rules: &ObjectRules) -> Option<Laid> {
        let mut keys = rules.properties.iter().filter(|property| {
            let is_text = self.shapes.types_of(property.shape).meets(Types::STRING);
            property.required && is_text && is_one_of(&KEYS, &property.name)
        });
        let key = keys.next()?;
        let mut others = rules.properties.iter().filter(|one| one.name != key.name);
        let other = others.next()?;
        let is_pair = others.next().is_none() && other.required;
        let value = self.value(call.node);
        let is_record =
            |one: ValueRef<'_>| one.kind() == Kind::Object && one.get(&key.name).is_none();
        let records = value.members().all(|(_, one)| is_record(one));
        if keys.next().is_some() || !records && !is_pair || value.len() > RECORDS_MAX {
            return None;
        }
        let members = value.members();
        let members: Vec<_> = members
            .map(|(name, one)| (name.into_owned(), one.id()))
            .collect();
        let mut items = Vec::new();
        for (name, node) in members {
            let name = self.editor.string(&name);
            let mut item = vec![(NewKey::Text(&key.name), name)];
            match records {
                true => {
                    let inner = self.value(node).members().keyed();
                    item.extend(inner.map(|(key, one)| (NewKey::Same(key.member()), one.id())));
                }
                false => item.push((NewKey::Text(&other.name), node)),
            }
            items.push(self.editor.object(&item));
        }
        Some((self.editor.array(&items), class_of(records)))
    }
}

/// Returns `true` if any name is a member's.
fn is_map(rules: &ObjectRules) -> bool {
    rules.properties.is_empty() && matches!(rules.additional, Additional::Open(_))
}

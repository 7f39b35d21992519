//! Arrays of objects in place of one object, each with some of its members.

use llmjson_syntax::{Class, Kind, NodeId, ValueRef};

use crate::coerce::state::{Call, Coercer, Laid};
use crate::ir::shape::{Additional, ObjectRules};

/// Maximum number of records of a list.
const RECORDS_MAX: usize = 100_000;

impl Coercer<'_, '_> {
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
}

/// Returns `true` if any key is a member's.
fn is_map(rules: &ObjectRules) -> bool {
    rules.properties.is_empty() && matches!(rules.additional, Additional::Open(_))
}

//! Replies inside a wrapper added by a server or a framework.

use llmjson_syntax::internal::provider::{Holds, ITEM, paths};
use llmjson_syntax::{Class, Kind, ValueRef};

use super::roles::is_thought_part;
use crate::coerce::state::Laid;
use crate::coerce::state::{Call, Coercer};
use crate::ir::shape::Types;

/// Maximum number of items that are examined.
const ITEMS_MAX: usize = 64;

impl Coercer<'_, '_> {
    /// Returns the value in the reply that an object at the root contains as a string.
    pub(in crate::coerce) fn reply_within(&mut self, call: Call, wanted: Types) -> Option<Laid> {
        if !call.has(Call::ROOT) || !self.may_lay_out(call) {
            return None;
        }
        let value = self.value(call.node);
        let rules = self.shapes.get(call.shape).object.as_deref();
        let declares = |name: &str| rules.is_some_and(|rules| rules.declares(name));
        let named = value
            .members()
            .fold(0, |bits, (name, _)| bits | bit_of(&name));
        let is_open = |path: &&str| {
            let first = path.split(' ').next().unwrap_or_default();
            (first == ITEM || named & bit_of(first) != 0) && !declares(first)
        };
        let text = paths(|one| matches!(one, Holds::Text | Holds::AnyText))
            .filter(is_open)
            .find_map(|path| text_at(value, path));
        if let Some(node) = text.map(|text| text.id()) {
            self.charge(ITEMS_MAX);
            let (root, _) = self.container_in_text(Call { node, ..call }, wanted)?;
            return Some((root, Class::Likely));
        }
        let has_name = declares("name");
        let is_call = |one| one == Holds::Call || has_name && one == Holds::NamedCall;
        let calls = paths(is_call).filter(is_open);
        let mut found = calls
            .map(|path| call_at(value, path))
            .filter(|found| !found.is_empty());
        let found = found.next()?;
        let [(holder, arguments)] = found[..] else {
            return None;
        };
        let names = ["name", "function.name", "functionCall.name"];
        let name = names.iter().find_map(|name| holder.get(name));
        if name.is_some_and(|name| self.names_other_tool("name", name)) {
            return None;
        }
        let (node, is_there) = (arguments.id(), Types::of_value(arguments).meets(wanted));
        self.charge(ITEMS_MAX);
        let root = match is_there {
            true => node,
            false => self.container_in_text(Call { node, ..call }, wanted)?.0,
        };
        Some((root, Class::Likely))
    }
}

/// Returns a bit for a name, which few others share: most paths begin with the name of no member.
fn bit_of(name: &str) -> u64 {
    let first = name.bytes().next().map_or(0, usize::from);
    1 << ((first + 7 * name.len()) % 64)
}

fn text_at<'d>(value: ValueRef<'d>, path: &str) -> Option<ValueRef<'d>> {
    let (step, rest) = path.split_once(' ').unwrap_or((path, ""));
    match step {
        "" => (value.kind() == Kind::String).then_some(value),
        ITEM => value
            .items()
            .take(ITEMS_MAX)
            .filter(|part| !is_thought_part(*part))
            .find_map(|item| text_at(item, rest)),
        name => text_at(value.get(name)?, rest),
    }
}

/// Returns the calls to whose arguments a path leads, each with the container of the arguments.
fn call_at<'d>(value: ValueRef<'d>, path: &str) -> Vec<(ValueRef<'d>, ValueRef<'d>)> {
    match path.split_once(' ') {
        Some((ITEM, rest)) => {
            let items = value.items().take(ITEMS_MAX);
            items.flat_map(|item| call_at(item, rest)).collect()
        }
        Some((name, rest)) => {
            let inner = value.get(name);
            inner.map_or_else(Vec::new, |inner| call_at(inner, rest))
        }
        None => value
            .get(path)
            .map(|one| (value, one))
            .into_iter()
            .collect(),
    }
}

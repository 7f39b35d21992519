//! Objects in place of arrays.

use llmjson_syntax::{Class, Kind, NodeId, ValueRef};

use super::numbered::are_numbered;
use crate::base::report::CoercionKind;
use crate::coerce::state::{Call, Coercer, Laid};

/// Length beyond which strings are not read as an array.
const TEXT_MAX: usize = 16 * 1024;

/// Maximum number of bytes before an array of strings.
const LEAD_MAX: usize = 48;

impl Coercer<'_, '_> {
    /// An array of strings written as a string, where this string could also be an item: it must
    /// have a quote or a comma that shows an array, and be closed unless its items are quoted.
    pub(in crate::coerce) fn list_in_text(&mut self, call: Call) -> Option<NodeId> {
        let is_allowed = self
            .options
            .allows_as(CoercionKind::DamagedTextToContainer, Class::Guess);
        if !is_allowed || self.is_spent() {
            return None;
        }
        let text = self.value(call.node).as_str()?.trim().to_owned();
        // `{'a', 'b'}` and `('a', 'b')` are arrays of other languages.
        let start = text
            .find(['[', '{', '('])
            .filter(|start| *start <= LEAD_MAX)?;
        if text.len() > TEXT_MAX || !self.takes_text_items(call.shape) {
            return None;
        }
        let list = &text[start..];
        let is_quoted = list[1..].trim_start().starts_with(['"', '\'']);
        let is_closed = list.ends_with([']', '}', ')']);
        let is_list = is_quoted && (is_closed || start == 0)
            || is_closed && list.contains(',') && text.starts_with('[');
        if !is_list || call.level >= self.options.text_levels {
            return None;
        }
        let node = match start {
            0 => call.node,
            _ => self.editor.string(list),
        };
        let root = self
            .inner(node, call.depth)
            .filter(|inner| inner.whole)?
            .root;
        let value = self.value(root);
        let is_text = |item: ValueRef<'_>| item.kind() == Kind::String;
        (value.kind() == Kind::Array && !value.is_empty() && value.items().all(is_text))
            .then_some(root)
    }

    /// Returns the array that an object with numbered keys represents: `{"1": "a", "2": "b"}`,
    /// `{"item_1": "a", "item_2": "b"}`.
    pub(super) fn list_of_object(&mut self, call: Call) -> Option<Laid> {
        let rules = self.item_rules(call);
        let value = self.value(call.node);
        let is_item = |name: &str| rules.is_some_and(|rules| rules.declares(name));
        if value.is_empty()
            || value.members().any(|(name, _)| is_item(&name))
            || !are_numbered(value)
        {
            return None;
        }
        let items: Vec<_> = value.members().map(|(_, item)| item.id()).collect();
        Some((self.editor.array(&items), Class::Likely))
    }
}

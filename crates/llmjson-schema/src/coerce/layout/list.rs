//! Objects that stand for lists.

use llmjson_syntax::{Class, Kind, NewKey, NodeId, ValueRef};

use super::{PAIRS, class_of};
use crate::base::report::CoercionKind;
use crate::coerce::state::Laid;
use crate::coerce::state::{Call, Coercer};
use crate::ir::shape::{ObjectRules, Types};

/// Names of the parts of a table.
const HEADS: [&str; 3] = ["columns", "headers", "header"];
const ROWS: [&str; 3] = ["rows", "data", "values"];

/// Length beyond which texts are not taken for a list.
const TEXT_MAX: usize = 16 * 1024;

/// Maximum number of bytes before a list of texts.
const LEAD_MAX: usize = 48;

/// Number of cells beyond the values in the text beyond which they are no table.
const CELLS_MAX: usize = 1_000_000;

impl Coercer<'_, '_> {
    /// A list of texts that was written as a text, where such a text could be an item: it has to say
    /// by a quote or a comma that it is a list, and to be closed unless its items are in quotes.
    pub(in crate::coerce) fn list_in_text(&mut self, call: Call) -> Option<NodeId> {
        let is_allowed = self
            .options
            .allows_as(CoercionKind::DamagedTextToContainer, Class::Guess);
        if !is_allowed || self.is_spent() {
            return None;
        }
        let text = self.value(call.node).as_str()?.trim().to_owned();
        let start = text.find('[').filter(|start| *start <= LEAD_MAX)?;
        if text.len() > TEXT_MAX || !self.takes_text_items(call.shape) {
            return None;
        }
        let list = &text[start..];
        let is_quoted = list[1..].trim_start().starts_with(['"', '\'']);
        let is_closed = list.ends_with(']');
        let is_list =
            is_quoted && (is_closed || start == 0) || is_closed && list.contains(',') && start == 0;
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

    /// The list that an object stands for.
    pub(super) fn list_of_object(&mut self, call: Call) -> Option<Laid> {
        let rules = self.item_rules(call).map(|(_, rules)| rules);
        if self.value(call.node).is_empty() {
            return None;
        }
        if let Some(rules) = rules
            && let Some(laid) = self.rows(call, rules).or_else(|| self.columns(call, rules))
        {
            return Some(laid);
        }
        let value = self.value(call.node);
        let is_item = |name: &str| rules.is_some_and(|rules| rules.declares(name));
        if value.members().any(|(name, _)| is_item(&name)) {
            return None;
        }
        // `{"1": "a", "2": "b"}`, `{"item_1": "a", "item_2": "b"}`: a numbered map for a list.
        if are_numbered(value) {
            let items: Vec<_> = value.members().map(|(_, item)| item.id()).collect();
            return Some((self.editor.array(&items), Class::Likely));
        }
        match rules {
            Some(rules) => self.pairs(call, rules),
            None => self.lists_of_two(call),
        }
    }

    /// The pairs of a map as lists of a name and a value, where an item is one.
    fn lists_of_two(&mut self, call: Call) -> Option<Laid> {
        let item = self.shapes.get(call.shape).array.as_deref()?.items?;
        let [name, _] = self.shapes.get(item).array.as_deref()?.prefix[..] else {
            return None;
        };
        if !self.shapes.types_of(name).meets(Types::STRING) {
            return None;
        }
        Some(self.items_of_pairs(call, |coercer, name, value| {
            coercer.editor.array(&[name, value])
        }))
    }

    /// A list with an item for each member of a map, in which its name is a text.
    fn items_of_pairs(
        &mut self,
        call: Call,
        item: impl Fn(&mut Self, NodeId, NodeId) -> NodeId,
    ) -> Laid {
        let members = self.value(call.node).members();
        let members = members.map(|(name, value)| (name.into_owned(), value.id()));
        let mut items = Vec::new();
        for (name, value) in members.collect::<Vec<_>>() {
            let name = self.editor.string(&name);
            items.push(item(self, name, value));
        }
        (self.editor.array(&items), Class::Likely)
    }

    /// A table by its columns' names and its rows.
    fn rows(&mut self, call: Call, rules: &ObjectRules) -> Option<Laid> {
        let value = self.value(call.node);
        let part = |names: &[&str]| names.iter().find_map(|name| value.get(name));
        let (head, rows) = (part(&HEADS)?, part(&ROWS)?);
        if value.len() != 2 || head.kind() != Kind::Array || rows.kind() != Kind::Array {
            return None;
        }
        // `{"columns": ["a"], "rows": [[1], [2]]}`
        let names: Option<Vec<String>> = head
            .items()
            .map(|name| Some(name.as_str()?.into_owned()))
            .collect();
        let names = names.filter(|names| are_distinct(names))?;
        let cells = |row: ValueRef<'_>| {
            let is_row = row.kind() == Kind::Array && row.len() == names.len();
            is_row.then(|| row.items().map(|cell| cell.id()).collect())
        };
        let rows: Option<Vec<Vec<NodeId>>> = rows.items().map(cells).collect();
        Some(self.write_rows(&names, &rows?, rules))
    }

    /// A table by its columns, where no member of a row is a list itself.
    fn columns(&mut self, call: Call, rules: &ObjectRules) -> Option<Laid> {
        let value = self.value(call.node);
        let length = value.members().next()?.1.len();
        let is_column =
            |column: ValueRef<'_>| column.kind() == Kind::Array && column.len() == length;
        if length == 0 || !value.members().all(|(_, column)| is_column(column)) {
            return None;
        }
        let names: Vec<String> = value.members().map(|(name, _)| name.into_owned()).collect();
        // `{"a": [1, 2], "b": [3, 4]}`: one list for each member of the rows.
        let columns: Vec<Vec<NodeId>> = value
            .members()
            .map(|(_, column)| column.items().map(|cell| cell.id()).collect())
            .collect();
        for name in &names {
            let slot = rules
                .find(name)
                .or_else(|| Some(rules.names().claim(name)?.slot() as usize))?;
            if self
                .shapes
                .types_of(rules.properties[slot].shape)
                .meets(Types::ARRAY)
            {
                return None;
            }
        }
        let row = |at: usize| columns.iter().map(|column| column[at]).collect();
        let rows: Vec<Vec<NodeId>> = (0..length).map(row).collect();
        Some(self.write_rows(&names, &rows, rules))
    }

    fn write_rows(&mut self, names: &[String], rows: &[Vec<NodeId>], of: &ObjectRules) -> Laid {
        let fits = names.iter().all(|name| self.is_declared(of, name));
        self.charge(names.len().saturating_mul(rows.len()).min(CELLS_MAX));
        let mut items = Vec::with_capacity(rows.len());
        for row in rows {
            let members: Vec<_> = names
                .iter()
                .map(|name| NewKey::Text(name))
                .zip(row.iter().copied())
                .collect();
            items.push(self.editor.object(&members));
        }
        (self.editor.array(&items), class_of(fits))
    }

    /// The pairs of a map, where an item is one.
    fn pairs(&mut self, call: Call, rules: &ObjectRules) -> Option<Laid> {
        let is_pair = |(name, value): &(&str, &str)| rules.requires(name) && rules.requires(value);
        let (key, content) = PAIRS.into_iter().find(is_pair)?;
        Some(self.items_of_pairs(call, |coercer, name, value| {
            let pair = [(NewKey::Text(key), name), (NewKey::Text(content), value)];
            coercer.editor.object(&pair)
        }))
    }
}

fn are_distinct(names: &[String]) -> bool {
    let mut sorted: Vec<&String> = names.iter().collect();
    sorted.sort_unstable();
    !names.is_empty() && sorted.windows(2).all(|pair| pair[0] != pair[1])
}

/// Returns `true` if the names of an object count from 0 or 1: `1`, `2`, or `item_1`, `item_2`.
fn are_numbered(value: ValueRef<'_>) -> bool {
    let mut first = None;
    (0u64..).zip(value.members()).all(|(at, (name, _))| {
        let stem = name.trim_end_matches(|letter: char| letter.is_ascii_digit());
        let number = name[stem.len()..].parse::<u64>().ok();
        let Some(number) = number.filter(|_| !name[stem.len()..].starts_with("00")) else {
            return false;
        };
        let (known, start) = first.get_or_insert_with(|| (stem.to_owned(), number));
        *known == stem && *start <= 1 && start.checked_add(at) == Some(number)
    })
}

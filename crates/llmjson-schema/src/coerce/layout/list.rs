//! Objects that stand for lists.

use llmjson_syntax::{Class, Kind, NewKey, NodeId, ValueRef};

use super::numbered::are_numbered;
use super::{PAIRS, class_of};
use crate::base::report::CoercionKind;
use crate::coerce::state::Laid;
use crate::coerce::state::{CONTAINERS, Call, Coercer};
use crate::ir::shape::{ArrayRules, ObjectRules, ShapeId, Types};

/// Names of the parts of a table.
const HEADS: [&str; 8] = [
    "columns",
    "headers",
    "header",
    "head",
    "fields",
    "column_names",
    "columnNames",
    "cols",
];
const ROWS: [&str; 5] = ["rows", "data", "values", "records", "body"];

/// The name of the numbers of rows.
const INDEX: &str = "index";

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
            Some(rules) => self
                .pairs(call, rules)
                .or_else(|| self.records_of_map(call, rules)),
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
        let parts = 2 + usize::from(
            value
                .get(INDEX)
                .is_some_and(|index| index.len() == rows.len()),
        );
        if value.len() != parts || head.kind() != Kind::Array || rows.kind() != Kind::Array {
            return None;
        }
        // `{"columns": ["a"], "rows": [[1], [2]]}`
        let names = head_of(head)?;
        let rows = cells_of(rows.items(), names.len())?;
        Some(self.write_rows(&names, &rows, rules))
    }

    /// Lays out the items of a list, none of which is one as it stands: a list in the list, or rows under their head.
    pub(in crate::coerce) fn other_items(&mut self, call: Call, of: &ArrayRules) -> Option<Laid> {
        let value = self.value(call.node);
        let first = value.item(0)?;
        let item = of.item(0)?;
        if call.has(Call::JUDGE)
            || !matches!(first.kind(), Kind::Array | Kind::Object)
            || !self.options.reaches(call.depth)
            || !self.may_lay_out(call)
        {
            return None;
        }
        let takes_lists = self.shapes.types_of(item).meets(Types::ARRAY);
        let laid = match first.kind() {
            _ if takes_lists => None,
            Kind::Array if value.len() == 1 => {
                let mut inner = first;
                while let Some(only) = inner.item(0)
                    && inner.len() == 1
                    && only.kind() == Kind::Array
                {
                    inner = only;
                }
                Some((inner.id(), Class::Likely))
            }
            Kind::Array => {
                let rules = self.shapes.get(item).object.as_deref()?;
                let names = head_of(first)?;
                let rows = cells_of(value.items().skip(1), names.len())?;
                let fits = names.iter().all(|name| self.is_declared(rules, name));
                fits.then(|| self.write_rows(&names, &rows, rules))
            }
            _ if value.len() == 1 => self.list_in_item(call, item, first.id()),
            _ => None,
        };
        laid.filter(|(_, class)| self.options.allows_as(CoercionKind::OtherLayout, *class))
    }

    /// `[{"items": [1, 2]}]` for `[1, 2]`
    fn list_in_item(&mut self, call: Call, item: ShapeId, node: NodeId) -> Option<Laid> {
        let rules = self.shapes.get(item).object.as_deref()?;
        let mut names = self.value(node).members().map(|(name, _)| name);
        if names.any(|name| self.is_declared(rules, &name)) {
            return None;
        }
        let mask = Types::ARRAY;
        let (inner, opening) = self.array_in_envelope(Call { node, mask, ..call })?;
        Some((inner, opening.class))
    }

    /// A table by its columns, where no member of a row is a list itself.
    fn columns(&mut self, call: Call, rules: &ObjectRules) -> Option<Laid> {
        let value = self.value(call.node);
        let length = value.members().next()?.1.len();
        // `{"a": {"0": 1, "1": 2}}`: the same with the numbers of the rows.
        let is_numbered = |column: ValueRef<'_>| {
            let first = column.members().next();
            first.is_some_and(|(name, _)| name == "0") && are_numbered(column)
        };
        let is_column = |column: ValueRef<'_>| {
            column.len() == length && (column.kind() == Kind::Array || is_numbered(column))
        };
        if length == 0 || !value.members().all(|(_, column)| is_column(column)) {
            return None;
        }
        let names: Vec<String> = value.members().map(|(name, _)| name.into_owned()).collect();
        // `{"a": [1, 2], "b": [3, 4]}`: one list for each member of the rows.
        let columns: Vec<Vec<NodeId>> = value
            .members()
            .map(|(_, column)| {
                let cells = column.members().map(|(_, cell)| cell);
                cells.chain(column.items()).map(|cell| cell.id()).collect()
            })
            .collect();
        for name in &names {
            let slot = rules
                .find(name)
                .or_else(|| Some(rules.names().claim(name)?.slot() as usize))?;
            if self
                .shapes
                .types_of(rules.properties[slot].shape)
                .meets(CONTAINERS)
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

/// The names of a table's columns.
fn head_of(head: ValueRef<'_>) -> Option<Vec<String>> {
    let names = head.items().map(|name| Some(name.as_str()?.into_owned()));
    let names: Option<Vec<String>> = names.collect();
    names.filter(|names| are_distinct(names))
}

/// The cells of rows that all have as many.
fn cells_of<'d>(
    rows: impl Iterator<Item = ValueRef<'d>>,
    length: usize,
) -> Option<Vec<Vec<NodeId>>> {
    let cells = |row: ValueRef<'_>| {
        let is_row = row.kind() == Kind::Array && row.len() == length;
        is_row.then(|| row.items().map(|cell| cell.id()).collect())
    };
    rows.map(cells).collect()
}

fn are_distinct(names: &[String]) -> bool {
    let mut sorted: Vec<&String> = names.iter().collect();
    sorted.sort_unstable();
    !names.is_empty() && sorted.windows(2).all(|pair| pair[0] != pair[1])
}

//! Tables: columns, names with rows, and rows under their keys, for arrays of objects.

use llmjson_syntax::{Class, Kind, NodeId, ValueRef};

use super::numbered::are_numbered;
use super::roles::{is_identity, is_note_of_list, is_other_thing};
use crate::coerce::state::{CONTAINERS, Call, Coercer, Laid};
use crate::ir::shape::{ArrayRules, ObjectRules, Types};

/// Maximum number of cells of a table.
const CELLS_MAX: usize = 1 << 20;

/// The members of each row.
type Rows = Vec<Vec<(String, NodeId)>>;

impl<'c> Coercer<'c, '_> {
    /// Returns the array of objects that an object of columns or of rows represents.
    pub(super) fn rows_of_object(&mut self, call: Call) -> Option<Laid> {
        let rules = self.item_rules(call)?;
        let value = self.value(call.node);
        let rows = self.columns(value, rules);
        let rows = rows.or_else(|| self.named_rows(value, rules));
        let rows = rows.map(|rows| (rows, Class::Likely));
        let (rows, class) = rows.or_else(|| self.keyed_rows(call, rules))?;
        let items = self.written_rows(&rows)?;
        Some((self.editor.array(&items), class))
    }

    /// Returns the object that the only row under a row of names represents: `{"columns": ["a", "b"],
    /// "rows": [[1, 2]]}`.
    pub(super) fn only_row(&mut self, call: Call, rules: &ObjectRules) -> Option<Laid> {
        let value = self.value(call.node);
        let rows = self.named_rows(value, rules).filter(|_| value.len() > 1)?;
        match self.written_rows(&rows)?[..] {
            [only] => Some((only, Class::Likely)),
            _ => None,
        }
    }

    /// Returns the items of an array that has another kind of them: rows under a row of names, and
    /// objects that hold one scalar each.
    pub(in crate::coerce) fn other_rows(&mut self, call: Call, rules: &ArrayRules) -> Option<Laid> {
        let value = self.value(call.node);
        let first = value.item(0).filter(|_| value.len() > 1)?;
        let item = rules.items.filter(|_| self.may_lay_out(call))?;
        let types = self.shapes.types_of(item);
        match first.kind() {
            Kind::Array if types == Types::OBJECT => {
                let rules = self.shapes.get(item).object.as_deref()?;
                let names = self.names_in(first, rules)?;
                let rows = rows(&names, value.items().skip(1))?;
                let items = self.written_rows(&rows)?;
                Some((self.editor.array(&items), Class::Likely))
            }
            Kind::Object if !types.meets(CONTAINERS) && first.len() == 1 => {
                let (name, _) = first.members().next()?;
                let inner = |item: ValueRef<'_>| {
                    let inner = item.get(&name).filter(|_| item.len() == 1)?;
                    (!Types::of_value(inner).meets(CONTAINERS)).then(|| inner.id())
                };
                let items: Option<Vec<NodeId>> = value.items().map(inner).collect();
                let items = items.filter(|_| !is_other_thing(&name))?;
                drop(name);
                Some((self.editor.array(&items), Class::Guess))
            }
            _ => None,
        }
    }

    /// `{"a": [1, 2], "b": [3, 4]}`, also with numbered keys instead of arrays.
    fn columns(&self, value: ValueRef<'_>, rules: &ObjectRules) -> Option<Rows> {
        let is_column = |one: ValueRef<'_>, name: &str| {
            let property = rules.property(name);
            let is_list =
                property.is_some_and(|own| self.shapes.types_of(own.shape).meets(Types::ARRAY));
            let is_numbered = || one.kind() == Kind::Object && are_numbered(one);
            !is_list && (one.kind() == Kind::Array || is_numbered())
        };
        let (_, first) = value.members().next()?;
        let height = first.len();
        if height == 0 || height.saturating_mul(value.len()) > CELLS_MAX {
            return None;
        }
        let mut rows: Rows = vec![Vec::new(); height];
        for (name, column) in value.members() {
            if column.len() != height
                || !is_column(column, &name)
                || !self.is_declared(rules, &name)
            {
                return None;
            }
            let cells = column.items().chain(column.members().map(|(_, cell)| cell));
            for (row, cell) in rows.iter_mut().zip(cells) {
                row.push((name.to_string(), cell.id()));
            }
        }
        Some(rows)
    }

    /// `{"columns": ["a", "b"], "rows": [[1, 3], [2, 4]]}`
    fn named_rows(&self, value: ValueRef<'_>, rules: &ObjectRules) -> Option<Rows> {
        let (mut names, mut cells) = (None, None);
        for (name, one) in value.members() {
            let own = self.names_in(one, rules).filter(|_| names.is_none());
            match one.kind() {
                Kind::Array if own.is_some() => names = own,
                _ if is_note_of_list(&name) => {}
                Kind::Array if cells.is_none() => cells = Some(one),
                _ => return None,
            }
        }
        let (names, cells) = (names?, cells?);
        // `{"keys": ["a", "b"], "values": [1, 2]}`
        let is_row = cells
            .items()
            .all(|cell| !Types::of_value(cell).meets(CONTAINERS));
        match is_row {
            true => rows(&names, [cells].into_iter()),
            false => rows(&names, cells.items()),
        }
    }

    /// `{"x": {"a": 1}, "y": {"a": 2}}` for objects whose only other string is the key, and
    /// `{"x": 1, "y": 2}` for objects of a string and one more member.
    fn keyed_rows(&mut self, call: Call, rules: &ObjectRules) -> Option<(Rows, Class)> {
        let value = self.value(call.node);
        let (_, first) = value.members().next().filter(|_| value.len() > 1)?;
        let mut lacking = rules.lacks(|slot| first.get(&rules.properties[slot].name).is_some());
        let key = &rules.properties[lacking.next()?];
        let only = lacking.next();
        if lacking.next().is_some()
            || !is_identity(&key.name)
            || self.shapes.types_of(key.shape) != Types::STRING
        {
            return None;
        }
        let is_number = |name: &str| !name.contains(char::is_alphabetic);
        let is_row = |row: ValueRef<'_>| match only {
            Some(_) => !Types::of_value(row).meets(CONTAINERS.or(Types::NULL)),
            None => {
                let is_own = |name: &str| *name != *key.name && self.is_declared(rules, name);
                row.kind() == Kind::Object && row.members().all(|(name, _)| is_own(&name))
            }
        };
        if !value
            .members()
            .all(|(name, row)| is_row(row) && !is_number(&name))
        {
            return None;
        }
        let (key, only) = (&*key.name, only.map(|slot| &*rules.properties[slot].name));
        let cells = |row: ValueRef<'_>| match only {
            Some(only) => vec![(only.to_owned(), row.id())],
            None => row
                .members()
                .map(|(name, cell)| (name.into_owned(), cell.id()))
                .collect(),
        };
        let rows = value
            .members()
            .map(|(name, row)| (name.into_owned(), cells(row)));
        let rows: Vec<(String, Vec<_>)> = rows.collect();
        drop(lacking);
        let rows = rows.into_iter().map(|(name, mut cells)| {
            cells.insert(0, (key.to_owned(), self.editor.string(&name)));
            cells
        });
        let class = if only.is_some() {
            Class::Guess
        } else {
            Class::Likely
        };
        Some((rows.collect(), class))
    }

    /// Returns the names in an array, if all are declared.
    fn names_in(&self, value: ValueRef<'_>, rules: &ObjectRules) -> Option<Vec<String>> {
        let name = |item: ValueRef<'_>| {
            let name = item.as_str().filter(|name| self.is_declared(rules, name))?;
            Some(name.into_owned())
        };
        let names: Option<Vec<String>> = value.items().map(name).collect();
        names.filter(|names| names.len() > 1)
    }

    /// Writes each row as an object.
    fn written_rows(&mut self, rows: &Rows) -> Option<Vec<NodeId>> {
        self.charge(rows.iter().map(Vec::len).sum());
        let rows = rows.iter().map(|row| self.object_with(row));
        rows.collect::<Option<Vec<_>>>()
            .filter(|rows| !rows.is_empty())
    }
}

/// Returns the members of rows that have a cell for each name.
fn rows<'d>(names: &[String], rows: impl Iterator<Item = ValueRef<'d>>) -> Option<Rows> {
    let cells = |row: ValueRef<'_>| {
        let fits = row.kind() == Kind::Array && row.len() == names.len();
        let cells = names.iter().cloned().zip(row.items().map(|cell| cell.id()));
        fits.then(|| cells.collect())
    };
    rows.map(cells).collect()
}

//! The table of the families.

use std::sync::OnceLock;

use super::{Pairs, Row, Shape};

/// A section for each family; the first lines describe them.
const TABLE: &str = include_str!("rows.txt");

/// Returns a row for each family.
pub(super) fn rows() -> &'static [Row] {
    static ROWS: OnceLock<Vec<Row>> = OnceLock::new();
    ROWS.get_or_init(|| TABLE.split("\n== ").filter_map(read).collect())
}

/// Reads a section; `None` if it describes no family.
fn read(section: &'static str) -> Option<Row> {
    let (head, example) = section.split_once("\n\n")?;
    let mut lines = head.lines();
    let (name, shape) = lines.next()?.split_once(": ")?;
    let mut row = Row::new(name, Shape::named(shape)?);
    row.example = example.trim_end();
    for line in lines {
        match line.split_once(' ').unwrap_or((line, "")) {
            ("models", models) => row.models = models,
            ("open", marker) => row.open.push(marker),
            ("entities", _) => row.has_entities = true,
            ("default", _) => row.is_default = true,
            ("space", space) => row.space = Some(space),
            ("lead", lead) => row.lead = Some(lead),
            ("pairs", names) => {
                let mut names = names.split(' ');
                let hint = "";
                let (key, value, end) = (names.next()?, names.next()?, names.next()?);
                row.pairs = Pairs {
                    key,
                    hint,
                    value,
                    end,
                };
            }
            _ => {}
        }
    }
    Some(row)
}

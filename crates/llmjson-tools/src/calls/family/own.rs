//! Rows that were read, and are kept as long as the process runs.

use std::sync::{PoisonError, RwLock};

use super::super::response::FamilyError;
use super::{Escapes, Family, GEMMA, PAIRS, Pairs, ROWS, Row, Shape, Signs};

/// A row that was read, and not written here.
pub(in crate::calls) struct OwnRow {
    pub(in crate::calls) name: String,
    pub(in crate::calls) shape: Shape,
    pub(in crate::calls) open: Vec<String>,
    /// The normalized names of the tags around keys, around values and behind them.
    pub(in crate::calls) pairs: Option<[String; 3]>,
    /// The marks around texts.
    pub(in crate::calls) marks: Vec<String>,
}

/// The rows that were read so far, each with the text that it comes from.
static OWN: RwLock<Vec<(&'static Row, String)>> = RwLock::new(Vec::new());

/// The most rows that may be read.
pub(in crate::calls) const OWN_MAX: usize = 16;

/// Returns the row that was read at a place.
pub(super) fn row(at: usize) -> Option<&'static Row> {
    let rows = OWN.read().unwrap_or_else(PoisonError::into_inner);
    rows.get(at).map(|(row, _)| *row)
}

impl Family {
    /// Returns the family of a row that was read from a text.
    pub(in crate::calls) fn own(row: OwnRow, text: &str) -> Result<Self, FamilyError> {
        let mut rows = OWN.write().unwrap_or_else(PoisonError::into_inner);
        let mut known = rows.iter();
        let at = known.position(|(known, from)| known.name == row.name && from == text);
        if at.is_none() && rows.len() == OWN_MAX {
            let what = format!("a process may have {OWN_MAX} families of its own");
            return Err(FamilyError::new(&row.name, what));
        }
        let at = at.unwrap_or_else(|| {
            let marks: Vec<&'static str> = row.marks.into_iter().map(kept).collect();
            let open: Vec<&'static str> = row.open.into_iter().map(kept).collect();
            let signs = Signs {
                marks: Vec::leak(marks),
                ..GEMMA
            };
            let pairs = row.pairs.map(|[key, value, end]| Pairs {
                key: kept(key),
                hint: "",
                value: kept(value),
                end: kept(end),
            });
            let row = Row {
                name: kept(row.name),
                shape: row.shape,
                open: Vec::leak(open),
                example: "",
                escapes: Escapes::None,
                pairs: pairs.unwrap_or(PAIRS),
                signs: Box::leak(Box::new(signs)),
            };
            rows.push((Box::leak(Box::new(row)), text.to_owned()));
            rows.len() - 1
        });
        Ok(Self((ROWS.len() + at) as u8))
    }
}

/// Keeps a text as long as the process runs.
fn kept(text: String) -> &'static str {
    Box::leak(text.into_boxed_str())
}

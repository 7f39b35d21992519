//! Rows read at run time, which are kept until the process exits.

use std::sync::{PoisonError, RwLock};

use super::super::response::FamilyError;
use super::{Family, Row};

/// The rows read so far, each with its source text.
static OWN: RwLock<Vec<(&'static Row, String)>> = RwLock::new(Vec::new());

/// Maximum number of rows that may be read.
pub(in crate::calls) const OWN_MAX: usize = 16;

/// Returns the row that was read at an index.
pub(super) fn row(at: usize) -> Option<&'static Row> {
    let rows = OWN.read().unwrap_or_else(PoisonError::into_inner);
    rows.get(at).map(|(row, _)| *row)
}

impl Family {
    /// Returns the family of a row of this name, which is parsed on first use.
    pub(in crate::calls) fn own(
        name: &str,
        text: &str,
        read: impl FnOnce() -> Result<Row, FamilyError>,
    ) -> Result<Self, FamilyError> {
        let mut rows = OWN.write().unwrap_or_else(PoisonError::into_inner);
        let mut known = rows.iter();
        let at = match known.position(|(known, from)| known.name == name && from == text) {
            Some(at) => at,
            None if rows.len() == OWN_MAX => {
                let what = format!("a process may have {OWN_MAX} families of its own");
                return Err(FamilyError::new(name, what));
            }
            None => {
                rows.push((Box::leak(Box::new(read()?)), text.to_owned()));
                rows.len() - 1
            }
        };
        Ok(Self((super::rows().len() + at) as u8))
    }
}

/// Keeps a text for the lifetime of the process.
pub(in crate::calls) fn kept(text: String) -> &'static str {
    Box::leak(text.into_boxed_str())
}

//! The ways in which the writer of a value writes one thing again and again, as counts. The search
//! and the reading of strings decide what follows from them.

use crate::base::repair::{Class, RepairKind};
use crate::parser::look::rows::Rows;

/// The counts of one value.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Habits {
    /// The moves that the search made, as bits.
    pub(crate) moves: u64,
    /// The rows without damage.
    pub(crate) rows: Rows,
    /// The evidence on escapes.
    pub(crate) escapes: Escapes,
    /// The damage that the search has found.
    pub(crate) slips: Slips,
}

/// Evidence for strings that were not escaped, counted over all strings of a value.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Escapes {
    /// Strings with an escape that is impossible in JSON, or a formula in escaped brackets.
    pub(crate) raw: usize,
    /// Raw strings with a control word, such as `\\cdot`.
    pub(crate) latex: usize,
    /// Paths without a root, with an escape that is impossible or occurs in no text: `src\\main`.
    pub(crate) paths: usize,
    /// Control words of LaTeX whose first letters form an escape.
    pub(crate) words: usize,
    /// Escapes that separate the names of a path with a drive.
    pub(crate) drives: usize,
}

/// Maximum number of kinds of damage that are counted.
const SLIPS: usize = 6;

/// Number of finds of the search after which damage is lenient syntax.
const FINDS: u8 = 2;

/// A kind of damage, with a byte that it concerns.
type Sign = (RepairKind, u8);

/// Damage that the search has found, how often, and its class.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Slips([Option<(Sign, u8, Class)>; SLIPS]);

impl Slips {
    /// Counts a find. Damage of different classes is a guess, or is not counted again.
    pub(crate) fn count(&mut self, sign: Sign, class: Class) {
        let known = |slip: &&mut Option<(Sign, u8, Class)>| slip.is_none_or(|slip| slip.0 == sign);
        match self.0.iter_mut().find(known) {
            Some(Some((_, finds, known))) if *finds > 0 => {
                let worse = class.max(*known);
                let alike = *known == class || worse == Class::Guess;
                *finds = if alike { finds.saturating_add(1) } else { 0 };
                *known = worse;
            }
            Some(slip @ None) => *slip = Some((sign, 1, class)),
            _ => {}
        }
    }

    /// Returns the class of damage that was found often enough to be a habit.
    pub(crate) fn learned(&self, sign: Sign) -> Option<Class> {
        let slip = self.0.iter().flatten().find(|slip| slip.0 == sign);
        slip.filter(|slip| slip.1 >= FINDS).map(|slip| slip.2)
    }
}

/// Returns the last byte of a text that ends with a value, or 0 for a number or keyword.
pub(crate) fn value_ends_with(before: &[u8]) -> u8 {
    match before.trim_ascii_end().last() {
        Some(&byte) if !byte.is_ascii_alphanumeric() => byte,
        _ => 0,
    }
}

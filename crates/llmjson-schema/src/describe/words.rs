//! Descriptions of each shape of a schema, cached once written.

use std::sync::{Mutex, OnceLock, PoisonError};

use super::expected;
use crate::base::text::SharedText;
use crate::check::keywords::Broken;
use crate::ir::shape::{ShapeId, Shapes};

/// The words about a shape at each of its violations, built on first use. They are cached with the
/// schema: many small values may violate the same rule, and building the words takes longer than
/// finding the violation.
#[derive(Debug, Default)]
pub(crate) struct Words {
    /// The type that the shape expects.
    pub(crate) whole: OnceLock<SharedText>,
    /// The advice about an optional member.
    pub(crate) optional: OnceLock<SharedText>,
    /// The advice about a missing member.
    pub(crate) missing: OnceLock<SharedText>,
    /// The place of the shape in the schema.
    pub(crate) pointer: OnceLock<SharedText>,
    /// The requirements of its rules, one by one.
    rules: Mutex<Vec<(Broken, SharedText)>>,
}

impl Words {
    /// Returns the requirement of a rule of the shape.
    pub(crate) fn rule(&self, shapes: &Shapes, shape: ShapeId, broken: Broken) -> SharedText {
        let mut rules = self.rules.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, words)) = rules.iter().find(|(rule, _)| *rule == broken) {
            return words.clone();
        }
        let words = SharedText::from(expected::rule(shapes, shape, broken));
        rules.push((broken, words.clone()));
        words
    }
}

//! The `patternProperties` of an object that match a key.
//!
//! Models repeat the same keys, and coercion, validation and streams all query them, so the answers
//! for recent keys are cached with the schema.

use std::cell::Cell;
use std::collections::HashMap;
use std::fmt;
use std::sync::Mutex;

use llmjson_syntax::Work;
use smallvec::SmallVec;

use crate::check::keywords::{CheckId, KeywordChecks};

/// Number of cached keys; when it is exceeded, the cache is cleared.
const NAMES_MAX: usize = 64;
/// Length beyond which keys are not cached.
const NAME_BYTES_MAX: usize = 64;
/// Maximum number of patterns whose answers are not cached: running them is faster than a lookup.
const FEW: usize = 2;

/// Number of steps charged for matching a key with a pattern.
pub(crate) const PATTERN: usize = 4;

/// The indices of patterns, in order.
pub(crate) type PatternIndexes = SmallVec<[u32; 4]>;

/// The patterns for the keys of an object.
#[derive(Default)]
pub(crate) struct NamePatterns {
    checks: Box<[CheckId]>,
    known: Mutex<HashMap<Box<str>, PatternIndexes>>,
}

impl NamePatterns {
    pub(crate) fn new(checks: impl Iterator<Item = CheckId>) -> Self {
        Self {
            checks: checks.collect(),
            known: Mutex::default(),
        }
    }

    /// The indices of the patterns that a key matches. Charged results are not cached, so that a
    /// key costs the same each time.
    pub(crate) fn matching(
        &self,
        keywords: &KeywordChecks,
        name: &str,
        work: &Cell<Work>,
    ) -> PatternIndexes {
        let is_charged = |check: &CheckId| keywords.is_charged(*check);
        if self.checks.len() <= FEW
            || name.len() > NAME_BYTES_MAX
            || self.checks.iter().any(is_charged)
        {
            return self.find(keywords, name, work);
        }
        // A thread that would have to wait computes the answer itself.
        if let Ok(known) = self.known.try_lock()
            && let Some(places) = known.get(name)
        {
            return places.clone();
        }
        let places = self.find(keywords, name, work);
        if let Ok(mut known) = self.known.try_lock() {
            if known.len() >= NAMES_MAX {
                known.clear();
            }
            known.insert(name.into(), places.clone());
        }
        places
    }

    fn find(&self, keywords: &KeywordChecks, name: &str, work: &Cell<Work>) -> PatternIndexes {
        let checks = (0u32..).zip(&self.checks);
        let matching = checks.filter(|(_, check)| keywords.holds(**check, name, work));
        matching.map(|(at, _)| at).collect()
    }
}

impl fmt::Debug for NamePatterns {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("NamePatterns")
            .field("checks", &self.checks)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::Schema;

    #[test]
    fn a_name_that_comes_again_matches_what_it_matched() {
        let schema = r#"{"patternProperties": {"^x[0-9]+$": {}, "a|b": {}, "(?=x)x1": {}, "^x": {},
            "^y$": {}}}"#;
        let schema = Schema::from_text(schema).expect("a schema");
        let (shapes, keywords) = (&schema.compiled.shapes, schema.compiled.keywords());
        let patterns = &keywords.plan(shapes.root).names;
        let work = Cell::default();
        for _ in 0..2 {
            for (name, expected) in [
                ("x12", &[0, 2, 3][..]),
                ("xa", &[1, 3]),
                ("y", &[4]),
                ("", &[]),
                ("é", &[]),
            ] {
                assert_eq!(
                    patterns.matching(keywords, name, &work).as_slice(),
                    expected,
                    "{name}"
                );
            }
        }
        for at in 0..2 * NAMES_MAX {
            assert_eq!(patterns.matching(keywords, &format!("x{at}"), &work)[0], 0);
        }
        assert!(patterns.known.lock().expect("no panic").len() <= NAMES_MAX);
    }
}

//! Schemas that were compiled, by their text: in most batches there is only a handful.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex};

use llmjson::{Schema, Undeclared};

use super::pool::locked;

/// So many schemas are kept, the last ones that came.
const SCHEMAS_MAX: usize = 1_024;
/// Together their texts are at most this long.
const BYTES_MAX: usize = 16_000_000;

type Compiled = Result<Schema, String>;

/// A bounded cache, shared between threads.
#[derive(Default)]
pub(super) struct Schemas {
    kept: Mutex<Kept>,
}

#[derive(Default)]
struct Kept {
    compiled: HashMap<Arc<str>, Compiled>,
    /// Oldest first.
    order: VecDeque<Arc<str>>,
    bytes: usize,
}

impl Schemas {
    /// The compiled schema.
    ///
    /// # Errors
    ///
    /// What is wrong with the schema and where.
    pub(super) fn get(&self, text: &str) -> Compiled {
        if let Some(compiled) = locked(&self.kept).compiled.get(text) {
            return compiled.clone();
        }
        // Outside of the lock: others need not wait. Two threads may do the same work once.
        let compiled = Schema::from_text(text).map_err(|error| error.to_string());
        if let Ok(schema) = &compiled {
            prepare(schema);
        }
        locked(&self.kept).insert(text, compiled.clone());
        compiled
    }

    /// Keeps a schema that was compiled elsewhere.
    pub(super) fn keep(&self, text: &str, schema: Schema) {
        prepare(&schema);
        locked(&self.kept).insert(text, Ok(schema));
    }
}

/// Has the schema make what it makes on first use, so that no measurement of a line includes it.
fn prepare(schema: &Schema) {
    let document = llmjson::syntax::parse("null");
    if let Some(root) = document.root() {
        // Only what it leaves behind is wanted.
        let _ = schema.violations(root, Undeclared::Allow);
    }
}

impl Kept {
    fn insert(&mut self, text: &str, compiled: Compiled) {
        let key: Arc<str> = text.into();
        if self.compiled.insert(Arc::clone(&key), compiled).is_some() {
            return;
        }
        self.bytes += key.len();
        self.order.push_back(key);
        while self.order.len() > SCHEMAS_MAX || self.bytes > BYTES_MAX {
            let Some(oldest) = self.order.pop_front() else {
                return;
            };
            self.bytes -= oldest.len();
            self.compiled.remove(&oldest);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cache_stays_bounded() {
        let schemas = Schemas::default();
        for number in 0..SCHEMAS_MAX + 10 {
            assert!(schemas.get(&format!("{{\"minimum\":{number}}}")).is_ok());
        }
        assert!(
            schemas
                .get("{\"type\":\"int\"}")
                .is_err_and(|error| error.contains("/type"))
        );
        let kept = locked(&schemas.kept);
        assert_eq!(
            (kept.order.len(), kept.compiled.len()),
            (SCHEMAS_MAX, SCHEMAS_MAX)
        );
        assert!(!kept.compiled.contains_key("{\"minimum\":0}"));
    }

    #[test]
    fn long_schemas_are_let_go_earlier() {
        let schemas = Schemas::default();
        for number in 0..9 {
            let padding = " ".repeat(2_000_000);
            assert!(
                schemas
                    .get(&format!("{{\"minimum\":{number}}}{padding}"))
                    .is_ok()
            );
        }
        assert!(locked(&schemas.kept).bytes <= BYTES_MAX);
    }
}

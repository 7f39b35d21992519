//! Access to `jsonschema`: the verdict on a whole value, and on one subschema of it.
//!
//! Validators are compiled when they are first needed and kept. Only verdicts are requested: the
//! crate's passes that collect errors take exponential time on failing nested unions.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use jsonschema::{Draft, Registry, ValidationOptions};
use llmjson_syntax::ValueRef;
use serde_json::{Value, json};

use crate::base::formats::Formats;
use crate::check::engine::Engine;
use crate::check::format::Format;
use crate::check::instance::{Instance, Tape};
use crate::check::text_formats;
use crate::normal::fragment;

/// The address of the schema for references to a part of it.
const SCHEMA_URI: &str = "urn:llmjson:schema";

/// Returns the options of every validator: one dialect, formats asserted, nothing fetched. All of
/// them are over documents, because each further representation would be compiled into the binary
/// again.
pub(crate) fn options<'i>() -> ValidationOptions<'i, Arc<dyn jsonschema::Retrieve>, Tape> {
    jsonschema::options_for::<Tape>()
        .with_draft(Draft::Draft202012)
        .should_validate_formats(true)
        .offline()
}

/// The same with the formats that are decided here.
pub(crate) fn options_with<'i>(
    formats: Formats,
) -> ValidationOptions<'i, Arc<dyn jsonschema::Retrieve>, Tape> {
    let tests = text_formats::TESTS.into_iter();
    let options = tests.fold(options(), |options, (name, test)| {
        options.with_format(name, test)
    });
    let decided = Format::DECIDED.into_iter();
    decided.fold(options, |options, (name, format)| {
        let has = move |text: &str| format.tells(text.as_bytes(), formats).unwrap_or_default();
        options.with_format(name, has)
    })
}

/// Validators for the parts of one schema.
#[derive(Default)]
pub(crate) struct ExternalValidator {
    formats: Formats,
    whole: OnceLock<Engine>,
    /// The schema by its name, for those that refer to a part of it: gone over once, not for each part.
    named: OnceLock<Option<Arc<Registry<'static>>>>,
    parts: Mutex<HashMap<Box<str>, Arc<Engine>>>,
}

impl ExternalValidator {
    pub(crate) fn new(formats: Formats) -> Self {
        Self {
            formats,
            ..Self::default()
        }
    }

    /// Returns `true` if a value satisfies the whole schema, integer widths aside.
    pub(crate) fn is_valid(&self, normal: &Value, value: ValueRef<'_>) -> bool {
        let whole = self
            .whole
            .get_or_init(|| Engine::new(normal, None, self.formats));
        whole.is_valid(Instance::Value(value))
    }

    /// Returns `true` if a value satisfies the subschema at that pointer of the normalised schema.
    pub(crate) fn part_holds(&self, normal: &Value, pointer: &str, instance: Instance<'_>) -> bool {
        let part = {
            let mut parts = self.parts.lock().unwrap_or_else(PoisonError::into_inner);
            match parts.get(pointer) {
                Some(part) => Arc::clone(part),
                None => {
                    let named = self.named.get_or_init(|| named(normal));
                    let probe = json!({ "$ref": format!("{SCHEMA_URI}{}", fragment(pointer)) });
                    let part = Arc::new(Engine::new(&probe, named.clone(), self.formats));
                    parts.insert(pointer.into(), Arc::clone(&part));
                    part
                }
            }
        };
        part.is_valid(instance)
    }
}

/// The schema, which has no other names, under one.
fn named(normal: &Value) -> Option<Arc<Registry<'static>>> {
    let named = Registry::new().add(SCHEMA_URI, normal.clone()).ok()?;
    named.prepare().ok().map(Arc::new)
}

impl fmt::Debug for ExternalValidator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ExternalValidator").finish_non_exhaustive()
    }
}

//! One validator of `jsonschema`, whose patterns may take as many steps as everywhere
//! (see [`regular`](super::regular)).

use std::sync::{Arc, OnceLock};

use jsonschema::{PatternOptions, Registry, ValidationOptions, Validator};
use llmjson_syntax::{Kind, ValueRef};
use serde_json::Value;

use crate::base::formats::Formats;
use crate::check::external::options_with;
use crate::check::instance::{Instance, Tape};
use crate::check::regular::ALLOWED;

/// A compiled schema. If it cannot be compiled nothing satisfies it, because it is unknown what
/// does.
pub(crate) struct Engine {
    linear: Option<Validator<Tape>>,
    /// The schema that the validators below are compiled of; null if all patterns are linear.
    schema: Value,
    formats: Formats,
    /// The schemas that the schema refers to.
    named: Option<Arc<Registry<'static>>>,
    stepping: [OnceLock<Option<Validator<Tape>>>; ALLOWED.len()],
}

impl Engine {
    pub(crate) fn new(
        schema: &Value,
        named: Option<Arc<Registry<'static>>>,
        formats: Formats,
    ) -> Self {
        let linear = with(named.as_deref(), formats).with_pattern_options(PatternOptions::regex());
        let linear = linear.build(schema).ok();
        let schema = match linear {
            Some(_) => Value::Null,
            None => schema.clone(),
        };
        Self {
            linear,
            schema,
            formats,
            named,
            stepping: Default::default(),
        }
    }

    pub(crate) fn is_valid(&self, instance: Instance<'_>) -> bool {
        let validator = match &self.linear {
            Some(linear) => Some(linear),
            None => self.stepping(instance),
        };
        validator.is_some_and(|validator| validator.is_valid(instance))
    }

    /// The validator that goes step by step through texts as long as the longest one.
    fn stepping(&self, instance: Instance<'_>) -> Option<&Validator<Tape>> {
        let bytes = match instance {
            Instance::Text(text) => text.len(),
            Instance::Value(value) => longest_text(value),
        };
        let allowed = ALLOWED.iter().position(|(most, _)| bytes <= *most);
        let at = allowed.expect("the last one is for all lengths");
        let steps = ALLOWED[at].1;
        let validator = self.stepping[at].get_or_init(|| {
            let patterns = PatternOptions::fancy_regex().backtrack_limit(steps);
            with(self.named.as_deref(), self.formats)
                .with_pattern_options(patterns)
                .build(&self.schema)
                .ok()
        });
        validator.as_ref()
    }
}

fn with<'r>(
    named: Option<&'r Registry<'r>>,
    formats: Formats,
) -> ValidationOptions<'r, Arc<dyn jsonschema::Retrieve>, Tape> {
    match named {
        Some(named) => options_with(formats).with_registry(named),
        None => options_with(formats),
    }
}

/// Returns the length of the longest text or name within a value, in bytes.
fn longest_text(value: ValueRef<'_>) -> usize {
    let mut longest = 0;
    let mut open = vec![value];
    while let Some(value) = open.pop() {
        match value.kind() {
            Kind::String => {
                let text = value.raw_str().map_or(0, |(text, _)| text.len());
                longest = longest.max(text);
            }
            Kind::Array => open.extend(value.items()),
            Kind::Object => {
                for (key, member) in value.members().keyed() {
                    longest = longest.max(key.decoded().len());
                    open.push(member);
                }
            }
            Kind::Null | Kind::Bool | Kind::Number => {}
        }
    }
    longest
}

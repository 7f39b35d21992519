//! Compiled schemas and lists of tools.

use llmjson::{Schema, policy::Undeclared};

use crate::tools::{Rules, Tools};

use super::cache::Cache;

type Compiled<T> = Result<T, String>;

/// Compiled schemas and lists of tools, shared between threads.
#[derive(Default)]
pub(super) struct Schemas {
    schemas: Cache<Compiled<Schema>>,
    tools: Cache<Compiled<Tools>>,
}

impl Schemas {
    /// Returns the compiled schema.
    ///
    /// # Errors
    ///
    /// The problem with the schema and its place.
    pub(super) fn get(&self, text: &str) -> Compiled<Schema> {
        self.schemas.get_or_make(text, || {
            let schema = Schema::from_text(text).map_err(|error| error.to_string())?;
            prepare(&schema);
            Ok(schema)
        })
    }

    /// Keeps a schema that was compiled elsewhere.
    pub(super) fn keep(&self, text: &str, schema: Schema) {
        prepare(&schema);
        self.schemas.keep(text, Ok(schema));
    }

    /// Returns the tools of an array.
    ///
    /// # Errors
    ///
    /// The reasons why the text is not an array of tools.
    pub(super) fn tools(&self, list: &str, rules: &Rules) -> Compiled<Tools> {
        self.compiled_tools(&format!("{rules:?}\n{list}"), || Tools::read(list, rules))
    }

    /// Returns the tools of an array that may be empty.
    ///
    /// # Errors
    ///
    /// The reasons why the text is not an array of tools.
    pub(super) fn any_tools(&self, list: &str, rules: &Rules) -> Compiled<Tools> {
        self.compiled_tools(&format!("{rules:?}\nany {list}"), || {
            Tools::read_any(list, rules)
        })
    }

    /// Returns a single tool, whose arguments a schema describes.
    ///
    /// # Errors
    ///
    /// The problem with the schema and its place.
    pub(super) fn tool(&self, name: &str, schema: &str, rules: &Rules) -> Compiled<Tools> {
        self.compiled_tools(&format!("{rules:?}\n{name:?}\n{schema}"), || {
            Tools::of_schema(name, schema, rules)
        })
    }

    fn compiled_tools(&self, key: &str, make: impl FnOnce() -> Compiled<Tools>) -> Compiled<Tools> {
        self.tools.get_or_make(key, || {
            let tools = make().map_err(|reasons| reasons.replace('\n', "; "))?;
            for contract in tools.contracts() {
                prepare(contract.schema());
            }
            Ok(tools)
        })
    }
}

/// Prepares what a schema makes on first use, so that no measurement of a line includes it.
fn prepare(schema: &Schema) {
    let document = llmjson::syntax::parse("null");
    if let Some(root) = document.root() {
        // The call only fills the schema's caches.
        let _ = schema.violations(root, Undeclared::Keep);
    }
}

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
    /// The compiled schema.
    ///
    /// # Errors
    ///
    /// What is wrong with the schema and where.
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

    /// The tools of a list.
    ///
    /// # Errors
    ///
    /// Why the text is no list of tools.
    pub(super) fn tools(&self, list: &str, rules: &Rules) -> Compiled<Tools> {
        self.compiled_tools(&format!("{rules:?}\n{list}"), || Tools::read(list, rules))
    }

    /// The tools of a list that may be empty.
    ///
    /// # Errors
    ///
    /// Why the text is no list of tools.
    pub(super) fn any_tools(&self, list: &str, rules: &Rules) -> Compiled<Tools> {
        self.compiled_tools(&format!("{rules:?}\nany {list}"), || {
            Tools::read_any(list, rules)
        })
    }

    /// The one tool whose arguments a schema describes.
    ///
    /// # Errors
    ///
    /// What is wrong with the schema and where.
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
        // Only what it leaves behind is wanted.
        let _ = schema.violations(root, Undeclared::Keep);
    }
}

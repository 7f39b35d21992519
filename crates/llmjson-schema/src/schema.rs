//! A schema that was compiled once to be used many times.

use std::fmt;
use std::sync::{Arc, OnceLock};

use serde_json::Value;

use crate::compile::compile;
use crate::normal::normalise;
use crate::normal::tree::{SCHEMA_BYTES_MAX, Tree};
use crate::rules::Judge;
use crate::shape::{Shapes, Types};

/// A compiled JSON Schema. Cheap to clone, shared between threads.
#[derive(Clone)]
pub struct Schema {
    pub(crate) compiled: Arc<Compiled>,
}

impl fmt::Debug for Schema {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Schema")
            .field(&format_args!("{}", self.compiled.normal))
            .finish()
    }
}

/// Everything known about a schema.
#[derive(Debug)]
pub(crate) struct Compiled {
    /// The schema as it was given.
    json: Box<str>,
    /// The schema as one 2020-12 schema, whatever dialect it was written in.
    pub(crate) normal: Value,
    pub(crate) shapes: Shapes,
    /// What validating needs besides, made when it is first needed.
    pub(crate) judge: OnceLock<Judge>,
}

impl Schema {
    /// Compiles a schema.
    ///
    /// Read are JSON Schema from draft 4 to 2020-12 and what OpenAPI 3.0 and the makers of
    /// language models made of it (`nullable`, upper-case types). References stay within the
    /// schema; remote ones are not fetched. `Value` keeps neither the order of members nor every
    /// digit of a number: [`from_text`](Self::from_text) does.
    ///
    /// ```
    /// use llmjson_schema::Schema;
    ///
    /// let schema = serde_json::json!({"type": "object", "properties": {"age": {"type": "int"}}});
    /// let error = Schema::compile(&schema).unwrap_err();
    /// assert_eq!(error.to_string(), "there is no type \"int\" at /properties/age/type of the schema");
    /// ```
    ///
    /// # Errors
    ///
    /// If a keyword holds what it cannot hold, a reference leads nowhere or in a circle, a pattern
    /// is no regular expression, or the schema is too large: more than 5,000,000 bytes, 1,000,000
    /// values, 256 levels, or 10,000 subschemas for one value.
    pub fn compile(schema: &Value) -> Result<Self, SchemaError> {
        let tree = Tree::from_value(schema)?;
        Self::from_tree(tree, || schema.to_string())
    }

    /// Compiles a schema from its text, which has to be strict JSON. Members keep their order,
    /// numbers every digit.
    ///
    /// ```
    /// use llmjson_schema::Schema;
    ///
    /// assert!(Schema::from_text(r#"{"type": "object", "required": ["id"]}"#).is_ok());
    /// ```
    ///
    /// # Errors
    ///
    /// If the text is not strict JSON, and for the reasons of [`compile`](Self::compile).
    pub fn from_text(text: &str) -> Result<Self, SchemaError> {
        let refuse = |message: String| SchemaError {
            pointer: String::new(),
            message,
        };
        if text.len() > SCHEMA_BYTES_MAX {
            let message = format!("the schema is longer than {SCHEMA_BYTES_MAX} bytes");
            return Err(refuse(message));
        }
        let document = llmjson_syntax::parse(text);
        if let Some(limit) = document.limit() {
            return Err(refuse(limit.to_string()));
        }
        if let Some(repair) = document.repairs().first() {
            let place = repair.span.start;
            let why = repair.kind;
            return Err(refuse(format!(
                "the text is not strict JSON ({why} at byte {place})"
            )));
        }
        if document.root().is_none() {
            return Err(refuse("the text is not strict JSON".to_owned()));
        }
        Self::from_tree(Tree::from_document(&document)?, || text.trim().to_owned())
    }

    /// The schema as it was given, as JSON text.
    ///
    /// ```
    /// use llmjson_schema::Schema;
    ///
    /// let schema = Schema::from_text(" {\"type\": \"integer\"}\n")?;
    /// assert_eq!(schema.as_json(), r#"{"type": "integer"}"#);
    /// # Ok::<(), llmjson_schema::SchemaError>(())
    /// ```
    #[must_use]
    pub fn as_json(&self) -> &str {
        &self.compiled.json
    }

    /// What the schema asks for at its root, in typia's words.
    #[must_use]
    pub fn expected(&self) -> String {
        let shapes = &self.compiled.shapes;
        crate::expected::whole(shapes, shapes.root)
    }

    /// Whether a string, number, keyword or enumerated value may satisfy the root.
    #[must_use]
    pub fn takes_scalar(&self) -> bool {
        let shapes = &self.compiled.shapes;
        let scalars = Types(Types::ALL.0 & !Types::ARRAY.or(Types::OBJECT).0);
        let root = shapes.get(shapes.root);
        let branches = root
            .union
            .as_ref()
            .map_or(&[][..], |union| &union.branches[..]);
        if branches.is_empty() {
            return root.types.meets(scalars) && root.types != Types::ALL;
        }
        branches
            .iter()
            .any(|&branch| shapes.get(branch).types.meets(scalars))
    }

    /// The text is asked for only once the schema is known to nest no deeper than it may.
    fn from_tree(tree: Tree, json: impl FnOnce() -> String) -> Result<Self, SchemaError> {
        let normal = normalise(tree)?;
        let shapes = compile(&normal)?;
        let compiled = Compiled {
            json: json().into_boxed_str(),
            normal: normal.value,
            shapes,
            judge: OnceLock::new(),
        };
        Ok(Self {
            compiled: Arc::new(compiled),
        })
    }
}

/// A schema that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SchemaError {
    /// JSON Pointer to what is wrong, in the schema as it was given.
    pub pointer: String,
    /// What is wrong: lower case, without a full stop.
    pub message: String,
}

impl fmt::Display for SchemaError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let place = if self.pointer.is_empty() {
            "the root"
        } else {
            &self.pointer
        };
        write!(f, "{} at {place} of the schema", self.message)
    }
}

impl std::error::Error for SchemaError {}

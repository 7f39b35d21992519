//! Schemas, compiled once and used many times.

mod serde;
mod wrapped;

use std::collections::HashSet;
use std::fmt;
use std::sync::{Arc, OnceLock};

use llmjson_syntax::{ExpectedNames, Kind, Work};
use serde_json::Value;

use crate::base::error::SchemaError;
use crate::base::formats::FormatStrictness;
use crate::base::schema_note::SchemaNote;
use crate::base::undeclared::Undeclared;
use crate::base::wording::Wording;
use crate::check::keywords::KeywordChecks;
use crate::compile::compile;
use crate::describe::words::Words;
use crate::ir::shape::{ObjectRules, Shapes, Types};
use crate::normal::tree::{SCHEMA_BYTES_MAX, Tree};
use crate::normal::{Forbidding, given, normalise};
use crate::source::Source;

/// A compiled JSON Schema. Cheap to clone, shared between threads.
#[derive(Clone)]
pub struct Schema {
    pub(crate) compiled: Arc<Compiled>,
}

/// Compiles a schema as [`from_text`](Schema::from_text) does.
///
/// ```
/// use llmjson_schema::Schema;
///
/// let schema: Schema = r#"{"maximum": 1.50}"#.parse()?;
/// assert_eq!(schema.as_json(), r#"{"maximum": 1.50}"#);
/// assert!("{".parse::<Schema>().is_err());
/// # Ok::<(), llmjson_schema::SchemaError>(())
/// ```
impl std::str::FromStr for Schema {
    type Err = SchemaError;

    fn from_str(text: &str) -> Result<Self, SchemaError> {
        Self::from_text(text)
    }
}

impl fmt::Debug for Schema {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Schema")
            .field(&format_args!("{}", self.compiled.tree.value()))
            .finish()
    }
}

/// A compiled schema, with data derived from it on first use.
#[derive(Debug)]
pub(crate) struct Compiled {
    /// The schema as given; written on first use if that is still possible then.
    json: OnceLock<Arc<str>>,
    /// The work of compiling it.
    work: Work,
    /// The schema as one 2020-12 schema, whatever dialect it was written in.
    pub(crate) tree: Arc<Tree>,
    pub(crate) shapes: Shapes,
    /// The parts for validation, built on first use.
    pub(crate) keywords: OnceLock<KeywordChecks>,
    /// The descriptions of each of the shapes.
    pub(crate) words: OnceLock<Box<[Words]>>,
    /// The names of all properties, collected on first use.
    pub(crate) names: OnceLock<Arc<ExpectedNames>>,
    /// The schema that forbids no members, built on first use, or nothing if this one forbids none.
    opened: OnceLock<Option<Schema>>,
    /// The schemas with the other treatments of formats, in their order, each built on first use,
    /// or nothing if there is no difference.
    otherwise: [OnceLock<Option<Schema>>; 3],
    /// The schema in the other wording, built on first use.
    worded: OnceLock<Schema>,
    /// The notes about the schema's wrappers.
    wrappers: Vec<SchemaNote>,
    /// All notes, including those about unknown keywords; computed on first use.
    notes: OnceLock<Vec<SchemaNote>>,
    /// The second validator, for the law that both agree.
    #[cfg(feature = "laws")]
    pub(crate) judge: OnceLock<Option<jsonschema::Validator>>,
    /// The strictness of formats.
    pub(crate) formats: FormatStrictness,
    /// The treatment of the keywords that forbid members.
    forbidding: Forbidding,
}

impl Schema {
    /// Compiles a schema.
    ///
    /// Accepts JSON Schema drafts 4 to 2020-12, and the dialects of OpenAPI 3.0 and of model
    /// providers (`nullable`, upper-case types). `$schema` selects the draft. Without it, keywords
    /// have their 2020-12 meaning, and keywords that only older drafts define have the meaning
    /// there. In drafts 4 to 7, keywords next to a `$ref` are ignored. References must stay within
    /// the schema; remote ones are not fetched. Formats are asserted; `idn-hostname`, `idn-email`,
    /// `contentEncoding`, `contentMediaType` and `contentSchema` are not checked. If given a tool
    /// or a response format (`{"name": …, "input_schema": …}`), its schema is used, and
    /// [`notes`](Self::notes) says so. A `Value` keeps neither the members' order nor every digit
    /// of a number: [`from_text`](Self::from_text) does.
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
    /// If a keyword has an invalid value, a reference is unresolved or circular, a dynamic
    /// reference has several anchors of the same name as possible targets, `$schema` names an
    /// unknown dialect, a pattern is not a regular expression, a keyword requires the feature
    /// `full` (`unevaluatedProperties`, `unevaluatedItems`), a schema that is not empty has no
    /// effect (a Zod type, a misspelled keyword and no correct one, unknown keywords only), or the
    /// schema is too large: more than 5,000,000 bytes, 1,000,000 values, 256 levels, 10,000
    /// subschemas for one value, or patterns that take more than 16 MiB plus 512 bytes per byte of
    /// the schema once a reply needs them.
    pub fn compile(schema: &Value) -> Result<Self, SchemaError> {
        let mut tree = Tree::from_value(schema)?;
        let wrappers = given::wrappers(&tree);
        let mut inner = schema;
        for (name, _) in &wrappers {
            inner = inner.get(name).unwrap_or(inner);
        }
        if !wrappers.is_empty() {
            tree = Tree::from_value(inner)?;
        }
        let compile = || {
            let tree = normalise(tree, Forbidding::Stays)?;
            // The depth is now known to be bounded.
            let json = tree.is_rewritten.then(|| inner.to_string());
            Self::new(tree, json.as_deref(), Forbidding::Stays)
        };
        Self::within(wrappers, compile())
    }

    /// Returns the schema as written, with its subschemas and references.
    #[doc(hidden)]
    #[must_use]
    pub fn source(&self) -> Source {
        Source::from_text(self.as_json()).expect("it compiled within the same limits")
    }

    /// Compiles a schema from text, which must be strict JSON. Members keep their order, and
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
    /// If the text is not strict JSON, or for the reasons of [`compile`](Self::compile).
    pub fn from_text(text: &str) -> Result<Self, SchemaError> {
        let refuse = |message: String| SchemaError::of_whole(message);
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
        let Some(root) = document.root() else {
            return Err(refuse("the text is not strict JSON".to_owned()));
        };
        let mut tree = Tree::from_document(root)?;
        let wrappers = given::wrappers(&tree);
        let mut json = text.trim();
        if !wrappers.is_empty() {
            let mut inner = root;
            for (name, _) in &wrappers {
                inner = inner.get(name).unwrap_or(inner);
            }
            tree = Tree::from_document(inner)?;
            json = inner.span().map_or(json, |span| &text[span.range()]);
        }
        let compile = || {
            let tree = normalise(tree, Forbidding::Stays)?;
            Self::new(tree, Some(json), Forbidding::Stays)
        };
        Self::within(wrappers, compile())
    }

    /// Returns the schema as given, as JSON text.
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
        let compiled = &self.compiled;
        (compiled.json).get_or_init(|| compiled.tree.as_given().into())
    }

    /// Returns the work done to compile the schema, beyond reading it.
    ///
    /// ```
    /// let work = |text| llmjson_schema::Schema::from_text(text).map(|schema| schema.work().spent());
    /// assert_eq!(work(r#"{"type": "string"}"#), Ok(0));
    /// assert!(work(r##"{"minLength": 1, "$ref": "#/$defs/a", "$defs": {"a": {}}}"##)? > 0);
    /// # Ok::<(), llmjson_schema::SchemaError>(())
    /// ```
    #[doc(hidden)]
    #[must_use]
    pub fn work(&self) -> Work {
        self.compiled.work
    }

    /// Returns the same schema without any `additionalProperties: false` and
    /// `unevaluatedProperties: false`. Compiled once.
    ///
    /// ```
    /// use llmjson_schema::Schema;
    ///
    /// let schema = Schema::from_text(
    ///     r#"{"properties": {"a": {"type": "integer"}}, "additionalProperties": false}"#,
    /// )?;
    /// let value = serde_json::json!({"a": 1, "b": 2});
    /// assert!(schema.validate(&value).is_err());
    /// assert!(schema.opened().validate(&value).is_ok());
    /// # Ok::<(), llmjson_schema::SchemaError>(())
    /// ```
    #[doc(hidden)]
    #[must_use]
    pub fn opened(&self) -> &Self {
        let opened = self.compiled.opened.get_or_init(|| {
            let Compiled { tree, .. } = &*self.compiled;
            let mut schemas = tree.references.schemas().iter();
            if !schemas.any(|schema| tree.forbids_others(*schema)) {
                return None;
            }
            // A schema that compiled also compiles without these keywords.
            self.again(Forbidding::Goes)
        });
        opened.as_ref().unwrap_or(self)
    }

    /// Returns the schema that a value with such members has to satisfy.
    pub(crate) fn allowing(&self, undeclared: Undeclared) -> &Self {
        match undeclared {
            Undeclared::KeepForbidden => self.opened(),
            Undeclared::Keep | Undeclared::Drop | Undeclared::Reject => self,
        }
    }

    /// Returns the same schema with this format strictness; the default is
    /// [lenient](FormatStrictness::Lenient). Built once.
    #[must_use]
    pub fn with_formats(&self, formats: FormatStrictness) -> &Self {
        let compiled = &*self.compiled;
        if compiled.formats == formats {
            return self;
        }
        let otherwise = compiled.otherwise[formats as usize].get_or_init(|| {
            let tree = &compiled.tree;
            let mut schemas = tree.references.schemas().iter();
            if !schemas.any(|schema| tree.has_free_format(*schema)) {
                return None;
            }
            Some(self.variant(formats, self.wording()))
        });
        otherwise.as_ref().unwrap_or(self)
    }

    /// Returns the same schema with this wording of expectations in violations. Built once.
    #[must_use]
    pub fn with_wording(&self, wording: Wording) -> &Self {
        if self.wording() == wording {
            return self;
        }
        let Compiled {
            worded, formats, ..
        } = &*self.compiled;
        worded.get_or_init(|| self.variant(*formats, wording))
    }

    fn wording(&self) -> Wording {
        self.compiled.shapes.wording
    }

    /// Compiles the same schema again, sharing nothing with this one. Use one per thread: with a
    /// shared schema, each parsed text updates the reference counts, and the processors wait for
    /// each other.
    #[doc(hidden)]
    #[must_use]
    pub fn unshared(&self) -> Self {
        let own = self.again(self.compiled.forbidding);
        own.unwrap_or_else(|| self.clone())
    }

    /// Returns `true` if two handles share one compiled schema.
    #[doc(hidden)]
    #[must_use]
    pub fn is_same(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.compiled, &other.compiled)
    }

    /// Returns the expectation of the schema's root, in typia's notation or in [another
    /// wording](Self::with_wording).
    #[must_use]
    pub fn expected(&self) -> String {
        let shapes = &self.compiled.shapes;
        crate::describe::expected::whole(shapes, shapes.root)
    }

    /// Returns `true` if the root may accept a scalar: a string, number, keyword or enumerated
    /// value.
    #[doc(hidden)]
    #[must_use]
    pub fn takes_scalar(&self) -> bool {
        let shapes = &self.compiled.shapes;
        let types = shapes.types_of(shapes.root);
        // A schema without types does not expect a scalar, though it accepts any.
        let is_silent = types == Types::ALL && shapes.get(shapes.root).is_alone();
        !is_silent && types.meets(Types::ALL.without(Types::ARRAY.or(Types::OBJECT)))
    }

    /// Returns `true` if a value of this kind may satisfy the root.
    #[doc(hidden)]
    #[must_use]
    pub fn takes(&self, kind: Kind) -> bool {
        let shapes = &self.compiled.shapes;
        shapes.types_of(shapes.root).meets(Types::of(kind))
    }

    /// Returns `true` if the root requires an array and does not allow an object.
    #[doc(hidden)]
    #[must_use]
    pub fn wants_array(&self) -> bool {
        let types = self.compiled.shapes.types_of(self.compiled.shapes.root);
        types.meets(Types::ARRAY) && !types.meets(Types::OBJECT)
    }

    /// Returns `true` if a violation in a part of a value does not depend on other parts: the
    /// schema has no condition (`if`, `dependentSchemas`) on other parts.
    #[doc(hidden)]
    #[must_use]
    pub fn judges_parts_alone(&self) -> bool {
        let shapes = &self.compiled.shapes.shapes;
        shapes.iter().all(|shape| shape.conditions.is_empty())
    }

    /// Returns the keys that a root object may have, in schema order, including all parts and
    /// branches of the root.
    ///
    /// ```
    /// use llmjson_schema::Schema;
    ///
    /// let schema = Schema::from_text(r#"{"properties": {"to": {}, "cc": {}}}"#)?;
    /// assert_eq!(schema.members(), ["to", "cc"]);
    /// # Ok::<(), llmjson_schema::SchemaError>(())
    /// ```
    #[must_use]
    pub fn members(&self) -> Vec<&str> {
        let mut known = HashSet::new();
        let properties = self.objects().flat_map(|rules| &rules.properties);
        let names = properties.map(|property| &*property.name);
        names.filter(|name| known.insert(*name)).collect()
    }

    /// Returns `true` if a root object may have a member with this key or a declared alias of it.
    #[doc(hidden)]
    #[must_use]
    pub fn knows_member(&self, name: &str) -> bool {
        self.objects().any(|rules| {
            let mut properties = rules.properties.iter();
            rules.declares(name)
                || properties.any(|property| property.aliases.iter().any(|alias| **alias == *name))
        })
    }

    /// Returns the object rules of the root and of all its parts.
    fn objects(&self) -> impl Iterator<Item = &ObjectRules> {
        let shapes = &self.compiled.shapes;
        let parts = shapes.parts_of(shapes.root);
        parts.filter_map(|id| shapes.get(id).object.as_deref())
    }

    /// Returns the names and aliases of all properties at any depth, which guide a parser.
    ///
    /// ```
    /// use llmjson_schema::Schema;
    ///
    /// let schema = Schema::compile(&serde_json::json!({"properties": {"city": {"type": "string"}}}))?;
    /// assert!(schema.names().contains("city"));
    /// # Ok::<(), llmjson_schema::SchemaError>(())
    /// ```
    #[doc(hidden)]
    #[must_use]
    pub fn names(&self) -> &Arc<ExpectedNames> {
        self.compiled.names.get_or_init(|| {
            // A key that only conditions mention is not expected in a value.
            let objects = (self.compiled.shapes.shapes.iter()).filter(|shape| !shape.asked);
            let objects = objects.filter_map(|shape| shape.object.as_ref());
            let properties = objects.flat_map(|object| &object.properties);
            let named = properties.flat_map(|one| {
                let names = core::iter::once(&one.name).chain(&one.aliases);
                names.map(|name| (name, one.shape))
            });
            let (mut names, mut lists, mut others) = (Vec::new(), Vec::new(), HashSet::new());
            for (name, shape) in named {
                names.push(name.clone());
                if self.compiled.shapes.wants_list(shape) {
                    lists.push(name.clone());
                } else {
                    others.insert(name);
                }
            }
            // A name with another meaning in another place proves nothing.
            lists.retain(|name| !others.contains(name));
            let names = ExpectedNames::new(names).with_lists(lists);
            Arc::new(self.compiled.shapes.place(names))
        })
    }

    /// Returns this schema with other formats or another wording, on which its shapes do not depend.
    fn variant(&self, formats: FormatStrictness, wording: Wording) -> Self {
        let old = &*self.compiled;
        let mut shapes = old.shapes.clone();
        shapes.wording = wording;
        let compiled = Compiled {
            json: old.json.clone(),
            wrappers: old.wrappers.clone(),
            formats,
            ..Compiled::new(Arc::clone(&old.tree), shapes, old.work, old.forbidding)
        };
        Self {
            compiled: Arc::new(compiled),
        }
    }

    /// The schema compiled again from its text.
    fn again(&self, forbidding: Forbidding) -> Option<Self> {
        let text = self.as_json();
        let tree = Tree::from_document(llmjson_syntax::parse(text).root()?).ok()?;
        let tree = normalise(tree, forbidding).ok()?;
        let mut schema = Self::new(tree, Some(text), forbidding).ok()?;
        let compiled = Arc::get_mut(&mut schema.compiled)?;
        compiled.wrappers.clone_from(&self.compiled.wrappers);
        compiled.formats = self.compiled.formats;
        compiled.shapes.wording = self.wording();
        Some(schema)
    }

    fn new(tree: Tree, json: Option<&str>, forbidding: Forbidding) -> Result<Self, SchemaError> {
        let tree = Arc::new(tree);
        let (shapes, work) = compile(&tree)?;
        let compiled = Compiled {
            json: json
                .map(|json| OnceLock::from(Arc::from(json)))
                .unwrap_or_default(),
            ..Compiled::new(tree, shapes, work, forbidding)
        };
        Ok(Self {
            compiled: Arc::new(compiled),
        })
    }
}

impl Compiled {
    fn new(tree: Arc<Tree>, shapes: Shapes, work: Work, forbidding: Forbidding) -> Self {
        Self {
            json: OnceLock::new(),
            work,
            tree,
            shapes,
            keywords: OnceLock::new(),
            words: OnceLock::new(),
            names: OnceLock::new(),
            opened: OnceLock::new(),
            otherwise: Default::default(),
            worded: OnceLock::new(),
            wrappers: Vec::new(),
            notes: OnceLock::new(),
            #[cfg(feature = "laws")]
            judge: OnceLock::new(),
            formats: FormatStrictness::Lenient,
            forbidding,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_schema_of_its_own_says_the_same() {
        let text =
            r#"{"properties": {"b": {"type": "integer"}, "a": {}}, "additionalProperties": false}"#;
        let schema = Schema::from_text(text).expect("a schema");
        let value = serde_json::json!({"b": 1, "c": 2});
        for (schema, accepts) in [(&schema, false), (schema.opened(), true)] {
            let own = schema.unshared();
            assert!(!own.is_same(schema));
            assert_eq!((own.as_json(), own.members()), (text, vec!["b", "a"]));
            assert_eq!(schema.validate(&value).is_ok(), accepts);
            assert_eq!(own.validate(&value).is_ok(), accepts);
        }
    }
}

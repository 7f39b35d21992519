//! Writing a schema in the dialects that are in use for language models.

use crate::spec::{Convention, Object, Schema, Spec};
use llmjson_testutil::{Rng, Tree as Json};

/// In which words a schema says what it says.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Dialect {
    /// `nullable: true`, as OpenAPI 3.0 and Gemini have it.
    nullable_flag: bool,
    upper_case_types: bool,
    /// `definitions` and lists in `items`, as before 2020-12.
    older: bool,
    /// Enumerated texts each with words of its own, as schemars writes them.
    documented_choices: bool,
    /// `oneOf` rather than `anyOf`.
    one_of: bool,
    /// With a mapping, with `x-` before it, or not at all.
    discriminator: Option<&'static str>,
    /// Objects in two parts.
    all_of: bool,
    /// Constants as lists of one.
    const_as_enum: bool,
}

impl Dialect {
    pub(crate) fn any(rng: &mut Rng) -> Self {
        let gemini = rng.chance(15);
        Self {
            nullable_flag: gemini || rng.chance(25),
            upper_case_types: gemini,
            older: rng.chance(30),
            documented_choices: rng.chance(25),
            one_of: rng.chance(50),
            discriminator: rng.pick(&[None, None, Some("discriminator"), Some("x-discriminator")]),
            all_of: rng.chance(20),
            const_as_enum: rng.chance(40),
        }
    }

    /// The text of a schema.
    pub(crate) fn write(self, schema: &Schema) -> String {
        let writer = Writer {
            dialect: self,
            convention: schema.convention,
        };
        let mut root = writer.spec(&schema.root);
        if !schema.definitions.is_empty() {
            let definitions = schema.definitions.iter().enumerate();
            let definitions =
                definitions.map(|(at, spec)| (format!("Definition{at}"), writer.spec(spec)));
            root.push(self.definitions(), Json::Object(definitions.collect()));
        }
        root.write()
    }

    fn definitions(self) -> &'static str {
        if self.older { "definitions" } else { "$defs" }
    }
}

struct Writer {
    dialect: Dialect,
    convention: Convention,
}

impl Writer {
    fn typed(&self, name: &str) -> Json {
        let name = match self.dialect.upper_case_types {
            true => name.to_uppercase(),
            false => name.to_owned(),
        };
        Json::object([("type", Json::Text(name))])
    }

    fn spec(&self, spec: &Spec) -> Json {
        match spec {
            Spec::Boolean => self.typed("boolean"),
            Spec::Integer(width) => {
                let mut json = self.typed("integer");
                if let Some(width) = width {
                    json.push("format", Json::text(*width));
                }
                json
            }
            Spec::Number => self.typed("number"),
            Spec::Text => self.typed("string"),
            Spec::Choice(texts) => self.choice(texts),
            Spec::List(item) => {
                let mut json = self.typed("array");
                json.push("items", self.spec(item));
                json
            }
            Spec::Tuple(items) => {
                let mut json = self.typed("array");
                let keyword = if self.dialect.older {
                    "items"
                } else {
                    "prefixItems"
                };
                let count = items.len();
                let items = items.iter().map(|item| self.spec(item));
                json.push(keyword, Json::Array(items.collect()));
                json.push("minItems", Json::number(count));
                json.push("maxItems", Json::number(count));
                json
            }
            Spec::Map(item) => {
                let mut json = self.typed("object");
                json.push("additionalProperties", self.spec(item));
                json
            }
            Spec::Object(object) => self.object(object, None),
            Spec::Nullable(inner) => self.nullable(inner),
            Spec::Either(branches) => self.union(branches.iter().map(|one| self.spec(one))),
            Spec::Tagged(tag, branches) => {
                let tag = self.convention.write(tag);
                let objects = branches.iter();
                let objects =
                    objects.map(|(value, object)| self.object(object, Some((&tag, value))));
                let mut union = self.union(objects);
                if let Some(keyword) = self.dialect.discriminator {
                    union.push(
                        keyword,
                        Json::object([("propertyName", Json::Text(tag.clone()))]),
                    );
                }
                union
            }
            Spec::Forms(objects) => self.union(objects.iter().map(|one| self.object(one, None))),
            Spec::Definition(at) => {
                let place = self.dialect.definitions();
                Json::object([("$ref", Json::Text(format!("#/{place}/Definition{at}")))])
            }
        }
    }

    fn choice(&self, texts: &[&str]) -> Json {
        if self.dialect.documented_choices {
            let one = |text: &&str| {
                Json::object([
                    ("description", Json::text("What it means.")),
                    ("type", Json::text("string")),
                    ("const", Json::text(*text)),
                ])
            };
            return Json::object([("oneOf", Json::Array(texts.iter().map(one).collect()))]);
        }
        let mut json = self.typed("string");
        json.push("enum", Json::texts(texts));
        json
    }

    fn nullable(&self, inner: &Spec) -> Json {
        let mut json = self.spec(inner);
        if self.dialect.nullable_flag {
            // Where a reference stands, other words beside it were once passed over.
            if matches!(inner, Spec::Definition(_)) {
                json = Json::object([("allOf", Json::Array(vec![json]))]);
            }
            json.push("nullable", Json::Bool(true));
            return json;
        }
        if inner.is_scalar()
            && !matches!(inner, Spec::Choice(_))
            && let Json::Object(members) = &mut json
            && let Some((_, Json::Text(name))) = members.first()
        {
            members[0].1 = Json::texts([name.as_str(), "null"]);
            return json;
        }
        Json::object([("anyOf", Json::Array(vec![json, self.typed("null")]))])
    }

    fn union(&self, branches: impl Iterator<Item = Json>) -> Json {
        let keyword = if self.dialect.one_of {
            "oneOf"
        } else {
            "anyOf"
        };
        Json::object([(keyword, Json::Array(branches.collect()))])
    }

    fn object(&self, object: &Object, tag: Option<(&String, &str)>) -> Json {
        let mut properties = Json::object([]);
        let mut required = match object.names(self.convention) {
            Json::Array(names) => names,
            other => panic!("{other:?} is no list"),
        };
        if let Some((name, value)) = tag {
            let constant = match self.dialect.const_as_enum {
                true => Json::object([
                    ("type", Json::text("string")),
                    ("enum", Json::texts([value])),
                ]),
                false => Json::object([("const", Json::text(value))]),
            };
            properties.push(name, constant);
            required.insert(0, Json::text(name.as_str()));
        }
        for member in &object.members {
            let name = self.convention.write(member.name);
            properties.push(&name, self.spec(&member.spec));
        }
        let mut json = self.typed("object");
        if object.closed {
            json.push("additionalProperties", Json::Bool(false));
        }
        if self.dialect.all_of && !object.closed {
            let part = Json::object([("required", Json::Array(required))]);
            let whole = Json::object([("properties", properties)]);
            json.push("allOf", Json::Array(vec![whole, part]));
            return json;
        }
        if self.dialect.upper_case_types
            && let Json::Object(members) = &properties
        {
            let names = members.iter().map(|(name, _)| name.as_str());
            json.push("propertyOrdering", Json::texts(names));
        }
        json.push("properties", properties);
        json.push("required", Json::Array(required));
        json
    }
}

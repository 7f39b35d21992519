//! Values that a schema was made for, and what is known about each place in them.

use crate::spec::{Name, Object, Schema, Spec, Takes};
use llmjson_testutil::{Rng, Tree as Json};

/// A value at its place.
#[derive(Clone, Debug)]
pub(crate) struct Instance {
    /// What the place takes besides.
    pub(crate) takes: Takes,
    pub(crate) body: Body,
}

#[derive(Clone, Debug)]
pub(crate) enum Body {
    Null,
    Boolean(bool),
    Number(String),
    Text(String),
    /// One of several texts.
    Choice(&'static str),
    List(List),
    Object(Members),
}

#[derive(Clone, Debug)]
pub(crate) struct List {
    pub(crate) items: Vec<Instance>,
    /// Whether a number of items is asked for.
    pub(crate) is_tuple: bool,
    /// What an item may be; of a tuple, the first one.
    pub(crate) item: Takes,
}

#[derive(Clone, Debug)]
pub(crate) struct Members {
    pub(crate) members: Vec<(Named, Instance)>,
    /// Names of optional members that are not there and may not be null.
    pub(crate) absent: Vec<Named>,
    /// Those of them that may not be a text either.
    pub(crate) absent_no_text: Vec<Named>,
    /// Whether the schema requires any member.
    pub(crate) requires_any: bool,
    /// Whether members may have any name.
    pub(crate) is_map: bool,
    /// All names that may stand here.
    pub(crate) known: Vec<Named>,
}

/// A name, as its words where it is one that the schema declares.
#[derive(Clone, Debug)]
pub(crate) struct Named {
    pub(crate) written: String,
    pub(crate) words: Option<Name>,
}

/// A value that satisfies the schema.
pub(crate) fn instance(schema: &Schema, rng: &mut Rng) -> Instance {
    Maker { schema, rng }.make(&schema.root, 6)
}

impl Instance {
    /// The value as it should come out.
    pub(crate) fn truth(&self) -> Json {
        match &self.body {
            Body::Null => Json::Null,
            Body::Boolean(truth) => Json::Bool(*truth),
            Body::Number(number) => Json::number(number),
            Body::Text(text) => Json::text(text),
            Body::Choice(text) => Json::text(*text),
            Body::List(list) => Json::Array(list.items.iter().map(Self::truth).collect()),
            Body::Object(object) => {
                let members = object.members.iter();
                Json::Object(
                    members
                        .map(|(name, value)| (name.written.clone(), value.truth()))
                        .collect(),
                )
            }
        }
    }
}

struct Maker<'m> {
    schema: &'m Schema,
    rng: &'m mut Rng,
}

/// Texts as they occur, among them such as look like something else.
const TEXTS: &[&str] = &[
    "Ada Lovelace",
    "a",
    "hello, world",
    "Grüße",
    "5 apples",
    "2024-01-02",
    "13120057004",
    "42",
    "3.50",
    "true",
    "yes",
    "50%",
    "1,234",
    "Main Street 1\nParis",
    "say \"hi\"",
    "https://example.org/?q={x}",
    "C:\\Users",
    "none",
    "[Name.esp",
    "{name}",
];

const WHOLE: &[&str] = &[
    "0",
    "7",
    "42",
    "100",
    "1234",
    "65536",
    "1234567",
    "12345678901234567890",
    BEYOND_DOUBLES,
];

/// No double is near it.
const BEYOND_DOUBLES: &str = concat!(
    "12345678901234567890123456789012345678901234567890123456789012345678901234567890",
    "12345678901234567890123456789012345678901234567890123456789012345678901234567890",
    "12345678901234567890123456789012345678901234567890123456789012345678901234567890",
    "12345678901234567890123456789012345678901234567890123456789012345678901234567890",
);

const SMALL: &[&str] = &["0", "7", "42", "200"];

const FRACTIONS: &[&str] = &["0.5", "3.14", "-2.75", "19.99", "1234.50", "1e-3"];

impl Maker<'_> {
    fn make(&mut self, spec: &Spec, depth: usize) -> Instance {
        let takes = Takes::of(spec, self.schema);
        let body = self.body(spec, depth);
        Instance { takes, body }
    }

    fn body(&mut self, spec: &Spec, depth: usize) -> Body {
        match spec {
            Spec::Boolean => Body::Boolean(self.rng.chance(50)),
            Spec::Integer(Some("uint8")) => Body::Number(self.rng.pick(SMALL).to_owned()),
            Spec::Integer(Some(_)) => {
                let sign = if self.rng.chance(30) { "-" } else { "" };
                let number = self.rng.pick(&WHOLE[1..7]);
                Body::Number(format!("{sign}{number}"))
            }
            Spec::Integer(None) => Body::Number(self.rng.pick(WHOLE).to_owned()),
            Spec::Number => {
                let numbers = self.rng.pick(&[WHOLE, FRACTIONS]);
                Body::Number(self.rng.pick(numbers).to_owned())
            }
            Spec::Text => Body::Text(self.rng.pick(TEXTS).to_owned()),
            Spec::Choice(texts) => Body::Choice(self.rng.pick(texts)),
            Spec::List(item) => self.list(item, depth),
            Spec::Tuple(items) => {
                let item = Takes::of(&items[0], self.schema);
                let items = items.iter().map(|one| self.make(one, depth)).collect();
                Body::List(List {
                    items,
                    is_tuple: true,
                    item,
                })
            }
            Spec::Map(item) => self.map(item, depth),
            Spec::Object(object) => self.object(object, None, depth),
            Spec::Nullable(_) if depth == 0 || self.rng.chance(30) => Body::Null,
            Spec::Nullable(inner) => self.body(inner, depth),
            Spec::Either(branches) => {
                let branch = self.rng.below(branches.len());
                self.body(&branches[branch], depth)
            }
            Spec::Tagged(tag, branches) => {
                let (value, object) = &branches[self.rng.below(branches.len())];
                self.object(object, Some((tag, value)), depth)
            }
            Spec::Forms(objects) => {
                let form = self.rng.below(objects.len());
                self.object(&objects[form], None, depth)
            }
            Spec::Definition(at) => {
                let schema = self.schema;
                self.body(&schema.definitions[*at], depth.saturating_sub(1))
            }
        }
    }

    fn list(&mut self, item: &Spec, depth: usize) -> Body {
        let count = match depth {
            0 => 0,
            _ => self.rng.pick(&[0, 1, 1, 1, 2, 3, 4]),
        };
        let takes = Takes::of(item, self.schema);
        let items = (0..count).map(|_| self.make(item, depth - 1)).collect();
        Body::List(List {
            items,
            is_tuple: false,
            item: takes,
        })
    }

    fn map(&mut self, item: &Spec, depth: usize) -> Body {
        const KEYS: &[&str] = &["alpha", "Beta", "gamma ray", "delta_4", "ε"];
        let count = if depth == 0 { 0 } else { self.rng.below(4) };
        let members = KEYS[..count].iter().map(|key| {
            let written = (*key).to_owned();
            (
                Named {
                    written,
                    words: None,
                },
                self.make(item, depth - 1),
            )
        });
        Body::Object(Members {
            members: members.collect(),
            absent: Vec::new(),
            absent_no_text: Vec::new(),
            requires_any: false,
            is_map: true,
            known: Vec::new(),
        })
    }

    fn object(&mut self, object: &Object, tag: Option<(Name, &'static str)>, depth: usize) -> Body {
        let convention = self.schema.convention;
        let named = |words: Name| Named {
            written: convention.write(words),
            words: Some(words),
        };
        let mut members = Vec::new();
        let (mut absent, mut absent_no_text) = (Vec::new(), Vec::new());
        let mut known = Vec::new();
        let mut requires_any = tag.is_some();
        if let Some((words, value)) = tag {
            let takes = Takes {
                choice: true,
                ..Takes::default()
            };
            let body = Body::Choice(value);
            members.push((named(words), Instance { takes, body }));
            known.push(named(words));
        }
        for member in &object.members {
            let name = named(member.name);
            known.push(name.clone());
            requires_any |= member.required;
            // Where depth runs out only what has to be there is.
            let there = member.required || (depth > 0 && self.rng.chance(60));
            if there {
                let value = self.make(&member.spec, depth.saturating_sub(1));
                members.push((name, value));
            } else {
                let takes = Takes::of(&member.spec, self.schema);
                if !takes.null {
                    if !takes.text && !takes.choice {
                        absent_no_text.push(name.clone());
                    }
                    absent.push(name);
                }
            }
        }
        Body::Object(Members {
            members,
            absent,
            absent_no_text,
            requires_any,
            is_map: false,
            known,
        })
    }
}

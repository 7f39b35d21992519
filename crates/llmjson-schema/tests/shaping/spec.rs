//! Schemas made at random, as people write them for language models: what a value may be.
//!
//! A schema is built so that a value that was damaged in a known way has one reading. Names of one
//! object differ in their letters and not in their spelling alone, as do enumerated texts; the
//! branches of a union differ in their JSON type, in a tag, or each requires a member of its own.

use llmjson_testutil::{Rng, Tree as Json};

/// What a value may be.
#[derive(Clone, Debug)]
pub(crate) enum Spec {
    Boolean,
    Integer(Option<&'static str>),
    Number,
    Text,
    /// One of several texts.
    Choice(Vec<&'static str>),
    List(Box<Spec>),
    Tuple(Vec<Spec>),
    /// Members of any name and one kind.
    Map(Box<Spec>),
    Object(Object),
    Nullable(Box<Spec>),
    /// Told apart by their JSON types.
    Either(Vec<Spec>),
    /// Told apart by the constant that a member holds.
    Tagged(Name, Vec<(&'static str, Object)>),
    /// Told apart by the members they require.
    Forms(Vec<Object>),
    /// A definition.
    Definition(usize),
}

/// What an object may hold.
#[derive(Clone, Debug)]
pub(crate) struct Object {
    pub(crate) members: Vec<Member>,
    /// Whether it says that there are no others.
    pub(crate) closed: bool,
}

#[derive(Clone, Debug)]
pub(crate) struct Member {
    pub(crate) name: Name,
    pub(crate) required: bool,
    pub(crate) spec: Spec,
}

/// The words of a name, to be written in one convention or another.
pub(crate) type Name = &'static [&'static str];

/// How the words of a name are put together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Convention {
    Camel,
    Pascal,
    Snake,
    Kebab,
    Words,
    Upper,
}

impl Convention {
    pub(crate) const ALL: [Self; 6] = [
        Self::Camel,
        Self::Pascal,
        Self::Snake,
        Self::Kebab,
        Self::Words,
        Self::Upper,
    ];

    pub(crate) fn write(self, name: Name) -> String {
        let title = |word: &str| word[..1].to_uppercase() + &word[1..];
        let titles: Vec<String> = name.iter().map(|word| title(word)).collect();
        match self {
            Self::Camel => name[0].to_owned() + &titles[1..].concat(),
            Self::Pascal => titles.concat(),
            Self::Snake => name.join("_"),
            Self::Kebab => name.join("-"),
            Self::Words => titles.join(" "),
            Self::Upper => name.join("_").to_uppercase(),
        }
    }
}

/// A schema, its definitions, and how it is written.
#[derive(Clone, Debug)]
pub(crate) struct Schema {
    pub(crate) root: Spec,
    pub(crate) definitions: Vec<Spec>,
    pub(crate) convention: Convention,
}

const NAMES: &[Name] = &[
    &["id"],
    &["title"],
    &["phone", "number"],
    &["first", "name"],
    &["created", "at"],
    &["total", "amount"],
    &["is", "active"],
    &["tags"],
    &["zip", "code"],
    &["shipping", "address"],
    &["unit", "price"],
    &["page", "count"],
    &["next", "step"],
    &["owner"],
    &["max", "retry", "count"],
    &["city"],
    &["score"],
    &["file", "path"],
    &["comment"],
    &["line", "items"],
];

/// Members that only one form of a union has.
const OWN: &[Name] = &[
    &["radius"],
    &["side", "length"],
    &["query", "text"],
    &["account", "holder"],
];

const TAGS: &[Name] = &[&["kind"], &["event", "type"], &["op"]];

const CHOICES: &[&[&str]] = &[
    &["low", "medium", "high"],
    &["in_progress", "done", "on_hold"],
    &["Card", "Bank Transfer", "Cash"],
    &["NORTH", "SOUTH_EAST", "WEST"],
    &["v1", "v2"],
    &["text/plain", "text/html", "image/svg"],
];

const TAG_VALUES: &[&str] = &[
    "create",
    "update_item",
    "requests.get",
    "delete",
    "sendMail",
    "wait-for-input",
];

const WIDTHS: &[Option<&str>] = &[None, None, Some("int32"), Some("uint8"), Some("int64")];

/// A schema whose root is an object, or now and then a list.
pub(crate) fn schema(rng: &mut Rng) -> Schema {
    let convention = rng.pick(&[Convention::Camel, Convention::Snake, Convention::Kebab]);
    let mut maker = Maker {
        rng,
        definitions: 0,
    };
    let depth = maker.rng.between(1, 4);
    let count = maker.rng.below(3);
    maker.definitions = count;
    let definitions = (0..count).map(|_| maker.definition()).collect();
    let root = match maker.rng.below(10) {
        0 => Spec::List(Box::new(maker.spec(depth))),
        1 => maker.union(depth),
        _ => Spec::Object(maker.object(depth, 2)),
    };
    Schema {
        root,
        definitions,
        convention,
    }
}

struct Maker<'r> {
    rng: &'r mut Rng,
    /// How many definitions there are to refer to.
    definitions: usize,
}

impl Maker<'_> {
    fn spec(&mut self, depth: usize) -> Spec {
        if depth == 0 || self.rng.chance(55) {
            return self.scalar();
        }
        match self.rng.below(12) {
            0..=3 => Spec::Object(self.object(depth - 1, 1)),
            4..=6 => Spec::List(Box::new(self.item(depth - 1))),
            7 => Spec::Map(Box::new(self.spec(depth - 1))),
            8 => {
                let count = self.rng.between(2, 3);
                Spec::Tuple((0..count).map(|_| self.scalar()).collect())
            }
            9 => self.union(depth - 1),
            10 => match self.rng.chance(50) {
                true => Spec::Nullable(Box::new(Spec::Object(self.object(depth - 1, 1)))),
                false => Spec::Nullable(Box::new(self.plain_scalar())),
            },
            _ if self.definitions > 0 => Spec::Definition(self.rng.below(self.definitions)),
            _ => self.scalar(),
        }
    }

    fn item(&mut self, depth: usize) -> Spec {
        match self.rng.chance(50) {
            true => self.plain_scalar(),
            false => self.spec(depth),
        }
    }

    fn plain_scalar(&mut self) -> Spec {
        match self.rng.below(8) {
            0..=2 => Spec::Text,
            3..=4 => Spec::Integer(self.rng.pick(WIDTHS)),
            5 => Spec::Number,
            6 => Spec::Boolean,
            _ => Spec::Choice(self.rng.pick(CHOICES).to_vec()),
        }
    }

    fn scalar(&mut self) -> Spec {
        match self.rng.below(12) {
            0 => Spec::Nullable(Box::new(self.plain_scalar())),
            1 if self.rng.chance(50) => Spec::Either(vec![Spec::Integer(None), Spec::Boolean]),
            1 => Spec::Either(vec![Spec::Integer(None), Spec::Text]),
            _ => self.plain_scalar(),
        }
    }

    fn union(&mut self, depth: usize) -> Spec {
        match self.rng.below(4) {
            0 => Spec::Either(vec![
                self.plain_scalar(),
                Spec::Object(self.object(depth, 1)),
            ]),
            1 => {
                let own = [0, 1].map(|at| OWN[2 * at + self.rng.below(2)]);
                let forms = own.map(|name| {
                    let mut object = self.object(depth, 0);
                    let spec = self.plain_scalar();
                    let required = true;
                    object.members.insert(
                        0,
                        Member {
                            name,
                            required,
                            spec,
                        },
                    );
                    object
                });
                Spec::Forms(forms.into())
            }
            _ => {
                let tag = self.rng.pick(TAGS);
                let count = self.rng.between(2, 4);
                let first = self.rng.below(TAG_VALUES.len());
                let branch = |maker: &mut Self, at: usize| {
                    let value = TAG_VALUES[(first + at) % TAG_VALUES.len()];
                    (value, maker.object(depth, 0))
                };
                Spec::Tagged(tag, (0..count).map(|at| branch(self, at)).collect())
            }
        }
    }

    fn object(&mut self, depth: usize, least: usize) -> Object {
        let count = self.rng.between(least, 5);
        let first = self.rng.below(NAMES.len());
        let step = self.rng.pick(&[1, 3, 7, 9]);
        let members = (0..count).map(|at| Member {
            name: NAMES[(first + at * step) % NAMES.len()],
            required: self.rng.chance(60),
            spec: self.spec(depth),
        });
        let members = members.collect();
        Object {
            members,
            closed: self.rng.chance(40),
        }
    }

    /// A definition that may lead back to definitions where a value may end.
    fn definition(&mut self) -> Spec {
        let mut object = self.object(1, 1);
        for member in &mut object.members {
            // A definition that required itself would have no value.
            if matches!(member.spec, Spec::Definition(_)) {
                member.spec = Spec::Text;
            }
        }
        let itself = Spec::Definition(self.rng.below(self.definitions));
        let spec = match self.rng.below(3) {
            0 => Spec::Nullable(Box::new(itself)),
            1 => Spec::List(Box::new(itself)),
            _ => Spec::Text,
        };
        let required = self.rng.chance(50);
        object.members.push(Member {
            name: &["child", "node"],
            required,
            spec,
        });
        Spec::Object(object)
    }
}

/// Which kinds of JSON values a place takes.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Takes {
    pub(crate) null: bool,
    pub(crate) boolean: bool,
    pub(crate) number: bool,
    /// Numbers with a fraction.
    pub(crate) fraction: bool,
    /// Any text.
    pub(crate) text: bool,
    /// Some texts.
    pub(crate) choice: bool,
    pub(crate) list: bool,
    pub(crate) object: bool,
}

impl Takes {
    pub(crate) fn of(spec: &Spec, schema: &Schema) -> Self {
        let mut takes = Self::default();
        takes.add(spec, schema);
        takes
    }

    fn add(&mut self, spec: &Spec, schema: &Schema) {
        match spec {
            Spec::Boolean => self.boolean = true,
            Spec::Integer(_) => self.number = true,
            Spec::Number => (self.number, self.fraction) = (true, true),
            Spec::Text => self.text = true,
            Spec::Choice(_) => self.choice = true,
            Spec::List(_) | Spec::Tuple(_) => self.list = true,
            Spec::Map(_) | Spec::Object(_) | Spec::Tagged(..) | Spec::Forms(_) => {
                self.object = true;
            }
            Spec::Nullable(inner) => {
                self.null = true;
                self.add(inner, schema);
            }
            Spec::Either(branches) => branches.iter().for_each(|one| self.add(one, schema)),
            Spec::Definition(at) => self.add(&schema.definitions[*at], schema),
        }
    }
}

impl Spec {
    /// A value of some kind, for places where any will do.
    pub(crate) fn is_scalar(&self) -> bool {
        matches!(
            self,
            Self::Boolean | Self::Integer(_) | Self::Number | Self::Text | Self::Choice(_)
        )
    }
}

impl Object {
    /// The names as the schema writes them.
    pub(crate) fn names(&self, convention: Convention) -> Json {
        let required = self.members.iter().filter(|member| member.required);
        Json::texts(required.map(|member| convention.write(member.name)))
    }
}

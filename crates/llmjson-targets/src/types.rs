//! Sets of JSON types.

use llmjson_schema::internal::source::{NodeIx as Ix, Source, Written};

/// A set of JSON types.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Types(u8);

/// All types.
impl Default for Types {
    fn default() -> Self {
        Self::ALL
    }
}

impl Types {
    pub(super) const NONE: Self = Self(0);
    pub(super) const NULL: Self = Self(1);
    pub(super) const BOOLEAN: Self = Self(1 << 1);
    pub(super) const INTEGER: Self = Self(1 << 2);
    /// Includes integers.
    pub(super) const NUMBER: Self = Self(1 << 2 | 1 << 3);
    pub(super) const STRING: Self = Self(1 << 4);
    pub(super) const ARRAY: Self = Self(1 << 5);
    pub(super) const OBJECT: Self = Self(1 << 6);
    /// All types except objects and arrays.
    pub(super) const SCALARS: Self = Self((1 << 5) - 1);
    pub(super) const ALL: Self = Self((1 << 7) - 1);

    /// All single types with their names, in the order in which they are written.
    const NAMES: [(Self, &'static str); 7] = [
        (Self::OBJECT, "object"),
        (Self::ARRAY, "array"),
        (Self::STRING, "string"),
        (Self::NUMBER, "number"),
        (Self::INTEGER, "integer"),
        (Self::BOOLEAN, "boolean"),
        (Self::NULL, "null"),
    ];

    /// Returns the type with a name, ignoring ASCII case.
    pub(super) fn named(name: &str) -> Self {
        let mut names = Self::NAMES.iter();
        let found = names.find(|(_, one)| one.eq_ignore_ascii_case(name));
        found.map_or(Self::NONE, |(types, _)| *types)
    }

    /// Returns the types in the value of the keyword `type`.
    pub(super) fn named_in(source: &Source, ix: Ix) -> Self {
        match source.get(ix) {
            Written::Text(name) => Self::named(name),
            _ => {
                let names = source.texts(source.items(ix));
                names.fold(Self::NONE, |types, name| types.or(Self::named(name)))
            }
        }
    }

    pub(super) fn of(source: &Source, ix: Ix) -> Self {
        match source.get(ix) {
            Written::Null => Self::NULL,
            Written::Bool(_) => Self::BOOLEAN,
            Written::Number(text)
                if text
                    .bytes()
                    .all(|byte| byte == b'-' || byte.is_ascii_digit()) =>
            {
                Self::INTEGER
            }
            Written::Number(_) => Self::NUMBER,
            Written::Text(_) => Self::STRING,
            Written::List(_) => Self::ARRAY,
            Written::Object => Self::OBJECT,
        }
    }

    pub(super) const fn null_if(is_nullable: bool) -> Self {
        if is_nullable { Self::NULL } else { Self::NONE }
    }

    pub(super) const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    pub(super) const fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    pub(super) const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    pub(super) const fn has(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    pub(super) const fn meets(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// Iterates over the types, with `number` covering `integer`.
    pub(super) fn each(self) -> impl Iterator<Item = (Self, &'static str)> {
        let mut left = self;
        Self::NAMES.into_iter().filter(move |(types, _)| {
            let is_one = left.has(*types);
            if is_one {
                left = left.without(*types);
            }
            is_one
        })
    }

    pub(super) fn count(self) -> usize {
        self.each().count()
    }

    pub(super) fn name(self) -> &'static str {
        self.each().next().map_or("nothing", |(_, name)| name)
    }
}

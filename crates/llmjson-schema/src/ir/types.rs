//! Shape ids, sets of JSON types, and the numbers that are integers.

use llmjson_syntax::internal::decimal::Decimal;
use llmjson_syntax::{Kind, ValueRef};

/// The ID of a shape in its arena.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct ShapeId(pub(crate) u32);

/// A set of JSON types.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Types(pub(crate) u8);

impl Types {
    /// The set of types to which a kind of value belongs.
    #[inline]
    pub(crate) const fn of(kind: Kind) -> Self {
        match kind {
            Kind::Null => Self::NULL,
            Kind::Bool => Self::BOOLEAN,
            Kind::Number => Self::NUMBER,
            Kind::String => Self::STRING,
            Kind::Array => Self::ARRAY,
            Kind::Object => Self::OBJECT,
        }
    }

    pub(crate) const NULL: Self = Self(1);
    pub(crate) const BOOLEAN: Self = Self(1 << 1);
    /// Whole numbers only; `NUMBER` includes this bit.
    pub(crate) const INTEGER: Self = Self(1 << 2);
    pub(crate) const NUMBER: Self = Self(1 << 2 | 1 << 3);
    pub(crate) const STRING: Self = Self(1 << 4);
    pub(crate) const ARRAY: Self = Self(1 << 5);
    pub(crate) const OBJECT: Self = Self(1 << 6);
    pub(crate) const ALL: Self = Self(0x7F);
    /// The types of a value in place of an array; it may still be null.
    pub(crate) const NOT_ARRAY: Self = Self(0x7F & !(1 | 1 << 5));
    pub(crate) const NONE: Self = Self(0);

    /// Returns the smallest type of a value. A whole number written with a fraction is a number
    /// here rather than an integer, because it must be rewritten without it.
    pub(crate) fn of_value(value: ValueRef<'_>) -> Self {
        match value.kind() {
            Kind::Number if value.is_integer_text() && value.too_many_digits().is_none() => {
                Self::INTEGER
            }
            Kind::Number => Self(Self::NUMBER.0 & !Self::INTEGER.0),
            kind => Self::of(kind),
        }
    }

    /// Returns `true` if a value has one of these types, according to JSON Schema.
    #[inline]
    pub(crate) fn admits(self, value: ValueRef<'_>) -> bool {
        self.has(Self::of(value.kind()))
            || value.kind() == Kind::Number && self.has(Self::INTEGER) && is_integer(value)
    }

    pub(crate) const fn has(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    pub(crate) const fn meets(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    pub(crate) const fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    pub(crate) const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    pub(crate) const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }
}

/// Returns `true` if a number is an integer within the limit on compared digits, including those
/// from an exponent.
#[inline]
pub(crate) fn is_integer(number: ValueRef<'_>) -> bool {
    let Some(text) = number.as_number() else {
        return false;
    };
    if number.is_integer_text() && text.len() <= DIGITS_ALWAYS {
        return true;
    }
    number.too_many_digits().is_none() && {
        let decimal = Decimal::new(text);
        decimal.is_whole() && !is_too_long(number, decimal)
    }
}

/// Number of digits that no limit forbids.
const DIGITS_ALWAYS: usize = 40;

/// Returns `true` if a number would be an integer if it had fewer digits.
pub(crate) fn is_too_long_integer(number: ValueRef<'_>) -> bool {
    number.as_number().is_some_and(|text| {
        let decimal = Decimal::new(text);
        decimal.is_whole() && is_too_long(number, decimal)
    })
}

fn is_too_long(number: ValueRef<'_>, decimal: Decimal<'_>) -> bool {
    let most = number.digits_compared();
    number.too_many_digits().is_some() || decimal.scale().1 > i64::from(most)
}

//! Rules that a value decides by itself: its type, its constant, the bounds of its number, its
//! length. Numbers are compared exactly.

use std::cmp::Ordering;

use llmjson_syntax::ValueRef;
use llmjson_syntax::internal::decimal::{self, short_integer};

use crate::ir::shape::{ArrayRules, NumberRules, ObjectRules, Shape, is_integer};

/// A keyword for the bounds of numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum NumberKeyword {
    Minimum,
    Maximum,
    ExclusiveMinimum,
    ExclusiveMaximum,
}

impl NumberKeyword {
    pub(crate) const ALL: [Self; 4] = [
        Self::Minimum,
        Self::Maximum,
        Self::ExclusiveMinimum,
        Self::ExclusiveMaximum,
    ];

    /// Returns `true` if it is a lower bound.
    pub(crate) fn is_lower(self) -> bool {
        matches!(self, Self::Minimum | Self::ExclusiveMinimum)
    }

    /// Returns `true` if a number that compares so with the bound satisfies it.
    fn admits(self, order: Ordering) -> bool {
        match self {
            Self::Minimum => order.is_ge(),
            Self::Maximum => order.is_le(),
            Self::ExclusiveMinimum => order.is_gt(),
            Self::ExclusiveMaximum => order.is_lt(),
        }
    }
}

/// A bound of numbers: an exact JSON number.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Bound {
    pub(crate) text: Box<str>,
    /// The bound as a machine integer, if it is short and whole.
    pub(crate) short: Option<i64>,
}

impl Bound {
    pub(crate) fn new(text: &str) -> Self {
        Self {
            text: text.into(),
            short: short_integer(text.as_bytes()),
        }
    }

    /// Compares a number with it.
    fn compare(&self, text: &str, short: Option<i64>) -> Ordering {
        let by_words = self.short.and_then(|bound| match short {
            Some(value) => Some(value.cmp(&bound)),
            None => by_whole_part(text, bound),
        });
        by_words.unwrap_or_else(|| decimal::compare(text, &self.text))
    }
}

/// Compares a number like `12.5` with an integer by its integral part, which is decisive unless the
/// two are equal.
fn by_whole_part(text: &str, bound: i64) -> Option<Ordering> {
    let (whole, fraction) = text.split_once('.')?;
    if !fraction.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    Some(short_integer(whole.as_bytes())?.cmp(&bound)).filter(|order| order.is_ne())
}

impl NumberRules {
    pub(crate) fn bound(&self, keyword: NumberKeyword) -> Option<&Bound> {
        self.bounds[keyword as usize].as_ref()
    }

    /// Returns the bounds that a number violates.
    pub(crate) fn broken_bounds(&self, value: ValueRef<'_>) -> impl Iterator<Item = NumberKeyword> {
        let text = value.as_number().unwrap_or_default();
        let short = short_integer(text.as_bytes());
        NumberKeyword::ALL.into_iter().filter(move |&keyword| {
            let bound = self.bound(keyword);
            bound.is_some_and(|bound| !keyword.admits(bound.compare(text, short)))
        })
    }

    /// Returns `true` if a number is whole and too large for the expected integer type.
    pub(crate) fn is_too_wide(&self, value: ValueRef<'_>) -> bool {
        let Some((_, low, high)) = self.width.as_ref().filter(|_| is_integer(value)) else {
            return false;
        };
        let number = value.as_i128();
        !number.is_some_and(|number| (*low..=*high).contains(&number))
    }
}

impl Shape {
    /// Returns `true` if a value has an allowed type and is an allowed constant. A whole number
    /// written with a fraction does not count as an integer.
    pub(crate) fn agrees(&self, value: ValueRef<'_>) -> bool {
        let literals = self.literals.as_ref();
        self.types.meets(crate::ir::shape::Types::of_value(value))
            && literals.is_none_or(|literals| literals.has(value))
    }

    /// Returns `true` if a scalar is within bounds. Patterns and formats are not checked: this only
    /// helps to choose between the branches of a union.
    pub(crate) fn is_within_bounds(&self, value: ValueRef<'_>) -> bool {
        if let (Some(rules), true) = (&self.number, value.as_number().is_some()) {
            return value.too_many_digits().is_none()
                && rules.broken_bounds(value).next().is_none()
                && !rules.is_too_wide(value);
        }
        let Some(rules) = self.string.as_ref() else {
            return true;
        };
        (rules.min_length.is_none() && rules.max_length.is_none())
            || string_length(value)
                .is_none_or(|length| is_within(rules.min_length, rules.max_length, length))
    }
}

impl ArrayRules {
    pub(crate) fn takes_count(&self, count: usize) -> bool {
        is_within(self.min_items, self.max_items, count as u64)
    }
}

impl ObjectRules {
    pub(crate) fn takes_count(&self, count: usize) -> bool {
        is_within(self.min_properties, self.max_properties, count as u64)
    }
}

fn is_within(least: Option<u64>, most: Option<u64>, count: u64) -> bool {
    least.is_none_or(|least| count >= least) && most.is_none_or(|most| count <= most)
}

/// Returns the length of a string in Unicode scalar values.
#[inline]
pub(crate) fn string_length(value: ValueRef<'_>) -> Option<u64> {
    let (raw, escaped) = value.raw_str()?;
    Some(match (escaped, raw.is_ascii()) {
        (false, true) => raw.len() as u64,
        (false, false) => raw.chars().count() as u64,
        (true, _) => value.as_str()?.chars().count() as u64,
    })
}

#[cfg(test)]
mod tests {
    use llmjson_syntax::parse;

    use crate::coerce::CoerceOptions;
    use crate::{Schema, Undeclared, fit};

    /// Returns `true` if a number satisfies a schema, as every part says: the quick look, the
    /// validator, what is said to be wrong, and coercion.
    fn holds(schema: &str, number: &str) -> bool {
        let schema = Schema::from_text(schema).expect("a schema");
        let mut document = parse(number);
        let root = document.root().expect("a number");
        let is_valid = schema.is_valid(root);
        let violations = schema.violations(root, Undeclared::Keep);
        assert_eq!(is_valid, violations.is_empty(), "{number}: {violations:?}");
        let (coercions, left) = fit(
            &mut document,
            &schema,
            &CoerceOptions::default(),
            Undeclared::Keep,
        );
        assert_eq!(
            is_valid,
            left.is_empty() && coercions.is_empty(),
            "{number}: {coercions:?}"
        );
        is_valid
    }

    #[test]
    fn numbers_are_held_against_rules_by_their_exact_value() {
        for (schema, right, wrong) in [
            (
                r#"{"minimum": 9007199254740993}"#,
                &["9007199254740993", "9007199254740992.5e0"][..1],
                &["9007199254740992", "9007199254740992.9"][..],
            ),
            (
                r#"{"maximum": 9007199254740992}"#,
                &["9007199254740992", "9007199254740991.9", "-1e400"],
                &["9007199254740993", "9007199254740992.1", "1e400"],
            ),
            (
                r#"{"minimum": 0}"#,
                &[
                    "0",
                    "-0",
                    "1e-400",
                    "1e300",
                    "1e400",
                    "1e400000000",
                    "1e-99999999999999999999",
                ],
                &["-1e-400", "-1e400", "-1e400000000"],
            ),
            (
                r#"{"exclusiveMaximum": 1e308}"#,
                &["9e307", "-1e309", "99e306", "0.1e308"],
                &[
                    "1e308",
                    "10e307",
                    "100000000000000000001e288",
                    "1e309",
                    "1e99999999999999999999",
                ],
            ),
            (
                r#"{"exclusiveMinimum": 0.3}"#,
                &["0.30000000000000004", "0.3000000000000000001"],
                &["0.3", "3e-1", "0.29999999999999999999"],
            ),
            (
                r#"{"exclusiveMaximum": 0.3}"#,
                &["0.29999999999999999999"],
                &["0.3", "0.30000000000000004"],
            ),
            (
                r#"{"multipleOf": 0.1}"#,
                &["0.3", "1e300", "7", "-0.7", "0"],
                &["0.30000000000000004", "0.35", "1e-7"],
            ),
            (
                r#"{"multipleOf": 3}"#,
                &[
                    "9007199254740993",
                    "3e0",
                    "90071992547409930",
                    "-6",
                    "3e400",
                    "12e400000000",
                    "0e5",
                ],
                &[
                    "9007199254740992",
                    "1e20",
                    "1e400",
                    "1e-400",
                    "10.5",
                    "3e-1",
                    "4e400000000",
                ],
            ),
            (
                r#"{"multipleOf": 1e-7}"#,
                &["1e-7", "0.35", "3e-6", "1e400"],
                &["1e-8", "0.12345678", "1.5e-7", "1e-400000000"],
            ),
            (
                r#"{"multipleOf": 2e3}"#,
                &["4000", "2e3", "1e4", "1e400", "-6e3"],
                &["3000", "2", "2001", "1e3", "2e2"],
            ),
            (
                r#"{"enum": [0.3, 9007199254740993]}"#,
                &["0.3", "0.30", "9007199254740993", "9007199254740993.0"],
                &[
                    "0.30000000000000004",
                    "0.3000000000000000001",
                    "9007199254740992",
                    "9007199254740994",
                    "1e400",
                ],
            ),
        ] {
            for number in right {
                assert!(holds(schema, number), "{number} and {schema}");
            }
            for number in wrong {
                assert!(!holds(schema, number), "{number} and {schema}");
            }
        }
    }

    #[test]
    fn integers_are_whole_numbers_of_so_many_digits() {
        let schema = Schema::from_text(r#"{"type": ["integer", "null"]}"#).expect("a schema");
        let long = "1".repeat(400);
        let longest = "1".repeat(4_096);
        let (too_long, signed) = (format!("{longest}1"), format!("-{long}"));
        let right = [
            "-0", "1e3", "1.5e1", "1e400", "2.0", "1e4095", &long, &longest, &signed,
        ];
        let wrong = ["1e-1", "1.5", "1e-400", "1e4097", "1e400000000", &too_long];
        for (number, is_right) in right
            .map(|one| (one, true))
            .into_iter()
            .chain(wrong.map(|one| (one, false)))
        {
            let document = parse(number);
            let root = document.root().expect("a number");
            let violations = schema.violations(root, Undeclared::Keep);
            assert_eq!(
                (schema.is_valid(root), violations.is_empty()),
                (is_right, is_right),
                "{number}"
            );
            let of_digits = violations.iter().any(|one| one.keyword == "digits");
            let is_whole = !number.contains(['.', '-']);
            assert_eq!(of_digits, !is_right && is_whole, "{number}");
        }
    }
}

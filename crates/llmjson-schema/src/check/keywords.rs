//! The rules of one subschema for one value, apart from its children: types, constants, bounds,
//! lengths, patterns, formats, counts. Prepared once per schema.

use std::cell::Cell;
use std::collections::HashMap;

use llmjson_syntax::internal::decimal::Decimal;
use llmjson_syntax::{Kind, ValueRef, Work};
use smallvec::SmallVec;

use crate::base::equality;
use crate::base::formats::FormatStrictness;
use crate::check::fast_check::Quick;
use crate::check::patterns::NamePatterns;
use crate::check::text_check::Check;
use crate::ir::bounds::{NumberKeyword, string_length};
use crate::ir::shape::{
    NumberRules, ObjectRules, Shape, ShapeId, Shapes, StringRules, Types, is_too_long_integer,
};

/// The data for validating against one schema, in addition to its shapes.
#[derive(Debug)]
pub(crate) struct KeywordChecks {
    plans: Vec<Plan>,
    checks: Vec<Check>,
    /// `true` if an integer width is expected anywhere.
    #[cfg(any(test, feature = "laws"))]
    pub(crate) has_widths: bool,
    /// `true` if there is a union of which exactly one branch has to hold.
    pub(crate) has_exclusive: bool,
}

/// Names a check of a judge.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CheckId(u32);

/// The prepared parts of a shape.
#[derive(Debug, Default)]
pub(crate) struct Plan {
    pub(crate) quick: Quick,
    pub(crate) pattern: Option<CheckId>,
    pub(crate) format: Option<CheckId>,
    /// The patterns for member names.
    pub(crate) names: NamePatterns,
    /// A bit for each property that is required.
    pub(crate) required: Bits,
}

/// One bit for each property of an object.
pub(crate) type Bits = SmallVec<[u64; 2]>;

/// A rule that a value breaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Broken {
    Type,
    Literals,
    Bound(NumberKeyword),
    MultipleOf,
    Width,
    /// A number has too many digits to be compared.
    Digits,
    MinLength,
    MaxLength,
    Pattern,
    Format,
    MinItems,
    MaxItems,
    UniqueItems,
    MinProperties,
    MaxProperties,
}

impl Broken {
    /// The keyword that usually has this rule.
    pub(crate) fn keyword(self) -> &'static str {
        match self {
            Self::Type => "type",
            Self::Literals => "enum",
            Self::Bound(NumberKeyword::Minimum) => "minimum",
            Self::Bound(NumberKeyword::Maximum) => "maximum",
            Self::Bound(NumberKeyword::ExclusiveMinimum) => "exclusiveMinimum",
            Self::Bound(NumberKeyword::ExclusiveMaximum) => "exclusiveMaximum",
            Self::MultipleOf => "multipleOf",
            Self::Digits => "digits",
            Self::Width | Self::Format => "format",
            Self::MinLength => "minLength",
            Self::MaxLength => "maxLength",
            Self::Pattern => "pattern",
            Self::MinItems => "minItems",
            Self::MaxItems => "maxItems",
            Self::UniqueItems => "uniqueItems",
            Self::MinProperties => "minProperties",
            Self::MaxProperties => "maxProperties",
        }
    }
}

impl KeywordChecks {
    pub(crate) fn new(shapes: &Shapes, formats: FormatStrictness) -> Self {
        let mut checks = Checks {
            formats,
            ..Checks::default()
        };
        let plans = shapes.shapes.iter();
        let plans = plans.map(|shape| checks.plan(shapes, shape)).collect();
        let is_exclusive = |shape: &Shape| shape.union.as_ref().is_some_and(|u| u.exclusive);
        #[cfg(any(test, feature = "laws"))]
        let has_width = |shape: &Shape| shape.number.as_ref().is_some_and(|n| n.width.is_some());
        Self {
            plans,
            checks: checks.list,
            #[cfg(any(test, feature = "laws"))]
            has_widths: shapes.shapes.iter().any(has_width),
            has_exclusive: shapes.shapes.iter().any(is_exclusive),
        }
    }

    #[inline]
    pub(crate) fn plan(&self, id: ShapeId) -> &Plan {
        &self.plans[id.0 as usize]
    }

    #[inline]
    pub(crate) fn holds(&self, check: CheckId, text: &str, work: &Cell<Work>) -> bool {
        self.checks[check.0 as usize].holds(text, work)
    }

    /// Returns `true` if a string is valid and coercion would not rewrite it.
    #[inline]
    pub(crate) fn settles(&self, check: CheckId, text: &str, work: &Cell<Work>) -> bool {
        self.checks[check.0 as usize].settles(text, work)
    }

    /// Returns `true` if looking at a text is charged.
    pub(crate) fn is_charged(&self, check: CheckId) -> bool {
        self.checks[check.0 as usize].is_charged()
    }

    /// Returns the number of steps that the pattern of a shape was allowed on a text, if they were
    /// not enough.
    pub(crate) fn ran_out(&self, id: ShapeId, value: ValueRef<'_>) -> Option<usize> {
        let check = self.plan(id).pattern?;
        self.checks[check.0 as usize].ran_out(&value.as_str()?)
    }

    /// Returns `true` if a value satisfies all rules that do not concern its children. Patterns are
    /// charged.
    #[inline]
    pub(crate) fn keeps(
        &self,
        id: ShapeId,
        shape: &Shape,
        value: ValueRef<'_>,
        work: &Cell<Work>,
    ) -> bool {
        let mut any = Any(false);
        self.check(id, shape, value, &mut any, work);
        !any.0
    }

    /// All rules that a value breaks.
    pub(crate) fn broken(
        &self,
        id: ShapeId,
        shape: &Shape,
        value: ValueRef<'_>,
        work: &Cell<Work>,
    ) -> SmallVec<[Broken; 2]> {
        let mut broken = SmallVec::new();
        self.check(id, shape, value, &mut broken, work);
        broken
    }

    #[inline]
    fn check(
        &self,
        id: ShapeId,
        shape: &Shape,
        value: ValueRef<'_>,
        broken: &mut impl Sink,
        work: &Cell<Work>,
    ) {
        if !shape.types.admits(value) {
            let too_long = shape.types.has(Types::INTEGER) && is_too_long_integer(value);
            return broken.add(if too_long {
                Broken::Digits
            } else {
                Broken::Type
            });
        }
        if let Some(literals) = &shape.literals
            && !literals.has(value)
        {
            return broken.add(Broken::Literals);
        }
        match value.kind() {
            Kind::Number => {
                if let Some(rules) = &shape.number {
                    number(rules, value, broken);
                }
            }
            Kind::String => {
                if let Some(rules) = &shape.string {
                    self.string(rules, self.plan(id), value, broken, work);
                }
            }
            Kind::Array => {
                if let Some(rules) = &shape.array {
                    let least = (rules.min_items, Broken::MinItems);
                    let most = (rules.max_items, Broken::MaxItems);
                    count(|| value.len() as u64, least, most, broken);
                    if rules.unique && !equality::is_unique(value) {
                        broken.add(Broken::UniqueItems);
                    }
                }
            }
            Kind::Object => {
                if let Some(rules) = &shape.object {
                    let least = (rules.min_properties, Broken::MinProperties);
                    let most = (rules.max_properties, Broken::MaxProperties);
                    count(|| value.len() as u64, least, most, broken);
                }
            }
            Kind::Null | Kind::Bool => {}
        }
    }

    fn string(
        &self,
        rules: &StringRules,
        plan: &Plan,
        value: ValueRef<'_>,
        broken: &mut impl Sink,
        work: &Cell<Work>,
    ) {
        let least = (rules.min_length, Broken::MinLength);
        let most = (rules.max_length, Broken::MaxLength);
        let length = || string_length(value).unwrap_or_default();
        count(length, least, most, broken);
        for (check, rule) in [
            (plan.format, Broken::Format),
            (plan.pattern, Broken::Pattern),
        ] {
            if broken.has_enough() {
                return;
            }
            if let Some(check) = check
                && !value
                    .as_str()
                    .is_some_and(|text| self.holds(check, &text, work))
            {
                // `z.email()` has a format and a long pattern for it: only the format is reported.
                return broken.add(rule);
            }
        }
    }
}

fn number(rules: &NumberRules, value: ValueRef<'_>, broken: &mut impl Sink) {
    if value.too_many_digits().is_some() {
        return broken.add(Broken::Digits);
    }
    for keyword in rules.broken_bounds(value) {
        broken.add(Broken::Bound(keyword));
    }
    if rules.is_too_wide(value) {
        broken.add(Broken::Width);
    }
    if broken.has_enough() {
        return;
    }
    if let Some(divisor) = &rules.multiple_of
        && !is_multiple(divisor, value)
    {
        broken.add(Broken::MultipleOf);
    }
}

fn is_multiple(divisor: &str, value: ValueRef<'_>) -> bool {
    let number = Decimal::new(value.as_number().unwrap_or_default());
    let told = number.is_multiple_of(Decimal::new(divisor));
    // A divisor of more than 19 digits is as exact as doubles are.
    told.unwrap_or_else(|| {
        let numbers = value.as_f64().zip(divisor.parse::<f64>().ok());
        numbers.is_some_and(|(number, divisor)| number % divisor == 0.0)
    })
}

/// The receiver of the rules that a value breaks.
trait Sink {
    fn add(&mut self, rule: Broken);

    /// Returns `true` if more rules would not make a difference.
    fn has_enough(&self) -> bool;
}

impl Sink for SmallVec<[Broken; 2]> {
    fn add(&mut self, rule: Broken) {
        self.push(rule);
    }

    fn has_enough(&self) -> bool {
        false
    }
}

/// A sink that notes if there is any.
struct Any(bool);

impl Sink for Any {
    #[inline]
    fn add(&mut self, _: Broken) {
        self.0 = true;
    }

    #[inline]
    fn has_enough(&self) -> bool {
        self.0
    }
}

/// Reports whether a count is too small or too large; irrelevant counts are not computed.
#[inline]
fn count(
    count: impl Fn() -> u64,
    (least, below): (Option<u64>, Broken),
    (most, above): (Option<u64>, Broken),
    broken: &mut impl Sink,
) {
    if least.is_none() && most.is_none() {
        return;
    }
    let count = count();
    if least.is_some_and(|least| count < least) {
        broken.add(below);
    }
    if most.is_some_and(|most| count > most) {
        broken.add(above);
    }
}

/// The checks of a schema while they are gathered, each once.
#[derive(Default)]
struct Checks {
    formats: FormatStrictness,
    list: Vec<Check>,
    known: HashMap<(&'static str, Box<str>), CheckId>,
}

impl Checks {
    fn pattern(&mut self, pattern: &str) -> CheckId {
        self.add("pattern", pattern, || Some(Check::pattern(pattern)))
            .expect("every pattern is checked")
    }

    /// The check that consists of a keyword and its argument, if there is one.
    fn add(
        &mut self,
        keyword: &'static str,
        argument: &str,
        check: impl FnOnce() -> Option<Check>,
    ) -> Option<CheckId> {
        if let Some(known) = self.known.get(&(keyword, argument.into())) {
            return Some(*known);
        }
        let id = CheckId(self.list.len() as u32);
        self.list.push(check()?);
        self.known.insert((keyword, argument.into()), id);
        Some(id)
    }

    fn plan(&mut self, shapes: &Shapes, shape: &Shape) -> Plan {
        let mut plan = Plan::default();
        if let Some(rules) = &shape.string {
            plan.pattern = rules.pattern.as_deref().map(|one| self.pattern(one));
            let decimal = rules.is_decimal().then_some("decimal");
            let (format, formats) = (decimal.or(rules.format.as_deref()), self.formats);
            plan.format =
                format.and_then(|name| self.add("format", name, || Check::format(name, formats)));
        }
        if let Some(rules) = &shape.object {
            let names = rules.patterns.iter();
            let names = names.map(|(one, _)| self.pattern(one));
            plan.names = NamePatterns::new(names);
            plan.required = required(rules);
        }
        plan.quick = Quick::new(shapes, shape, &plan);
        plan
    }
}

fn required(rules: &ObjectRules) -> Bits {
    let mut bits: Bits = SmallVec::from_elem(0, rules.properties.len().div_ceil(64));
    for (at, property) in rules.properties.iter().enumerate() {
        if property.required {
            bits[at / 64] |= 1 << (at % 64);
        }
    }
    bits
}

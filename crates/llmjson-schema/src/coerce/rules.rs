//! The table of all coercions: the input of each, when it is tried, its result and cost, and how
//! long a stream waits to rule it out.
//!
//! Rules about a value are tried in table order. A result counts if it has the type, and is one of
//! the constants, that the schema requires; the first is applied. Rules about an object's members
//! are read together with it (`object`, `envelope`), since a key may stand for a member that
//! arrives later. The README of this crate prints the table.

use llmjson_syntax::Class;

use super::options::CoerceOptions;
use super::state::{Attempt, CONTAINERS, Call, Coercer, Offer, Read};
use crate::base::report::CoercionKind::{self, *};
use crate::ir::shape::{Shape, Types};

/// The common part of all rules.
pub(super) struct Rule {
    pub(super) kinds: &'static [CoercionKind],
    /// The types of values that it reads.
    from: Types,
    /// The types of places for which it reads them.
    to: Types,
    guard: Guard,
    /// The class of the change, which is its cost, if it always differs from the class of its kind.
    cost: Option<Class>,
    waits: Waits,
}

/// The conditions of a rule, all of which must hold.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Guard(u8);

/// The guard without conditions.
const ALWAYS: Guard = Guard(0);
/// The first of its kinds is allowed in its usual class. Other guards check each reading, which may
/// be less certain.
const ALLOWED: Guard = Guard(1);
/// Fields that are not plain may also change: the preset `shape` excludes guesses from words and
/// layouts.
const ALL_FIELDS: Guard = Guard(1 << 1);
/// The value is the whole reply: elsewhere words around a value are part of the string.
const WHOLE: Guard = Guard(1 << 2);
/// A single item is not wrapped in an array while it is about to be.
const UNWRAPPED: Guard = Guard(1 << 3);

impl Guard {
    const fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    const fn asks(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }
}

/// The text that must have arrived to decide whether a rule changes a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Waits {
    /// The first character: a string that begins as JSON is shown as its content.
    Beginning,
    /// The value.
    Value,
    /// The object of which the value is a member.
    Object,
    /// The whole reply.
    Reply,
}

impl Rule {
    const fn new(
        kinds: &'static [CoercionKind],
        (from, to): (Types, Types),
        guard: Guard,
        cost: Option<Class>,
        waits: Waits,
    ) -> Self {
        Self {
            kinds,
            from,
            to,
            guard,
            cost,
            waits,
        }
    }

    /// Returns the class of a change of one of its kinds.
    pub(super) fn class_of(&self, kind: CoercionKind) -> Class {
        self.cost.unwrap_or(kind.class())
    }

    /// Returns `true` if it reads values of a type for places of another.
    pub(super) fn reads(&self, found: Types, wanted: Types) -> bool {
        self.from.meets(found) && self.to.meets(wanted)
    }

    /// Returns `true` if it is tried for a value that it reads.
    pub(super) fn is_open(&self, call: &Call, options: &CoerceOptions) -> bool {
        (!self.guard.asks(ALLOWED) || options.allows(self.kinds[0]))
            && (!self.guard.asks(ALL_FIELDS) || !options.plain_fields)
            && (!self.guard.asks(WHOLE) || call.has(Call::ROOT))
            && (!self.guard.asks(UNWRAPPED) || !call.has(Call::NO_WRAP))
    }
}

/// A rule that reads one scalar as another.
pub(super) struct ScalarRule {
    pub(super) rule: Rule,
    pub(super) read: for<'c> fn(&mut Coercer<'c, '_>, Call, &Shape, Types) -> Option<Read>,
}

/// A rule that looks for a value of the right type in or around another one.
pub(super) struct Conversion {
    pub(super) rule: Rule,
    pub(super) offer: for<'c> fn(&mut Coercer<'c, '_>, &mut Attempt, Types) -> Option<Offer>,
    pub(super) takes: Takes,
    pub(super) gives: Gives,
    /// The number of later rows that are skipped if this one has read the value without success.
    pub(super) rules_out: usize,
}

/// The extent to which an offered value must fit.
#[derive(Clone, Copy)]
pub(super) enum Takes {
    /// The value fits by its own type.
    Agreeing,
    /// The value fits in every part.
    Conforming,
    /// The value fits in every part; a container may need more changes first.
    Near,
    /// The value fits without changes.
    Exact,
}

/// The result that a conversion makes from the accepted value.
#[derive(Clone, Copy)]
pub(super) enum Gives {
    Value,
    /// The only item of an array.
    Item,
}

const NULL: Types = Types::NULL;
const TRUTH: Types = Types::BOOLEAN;
const NUMBER: Types = Types::NUMBER;
const INTEGER: Types = Types::INTEGER;
const TEXT: Types = Types::STRING;
const LIST: Types = Types::ARRAY;
const OBJECT: Types = Types::OBJECT;
/// The types of values that a word in prose can express.
const WORD: Types = Types::BOOLEAN.or(Types::STRING);
const SCALAR: Types = Types::ALL.without(CONTAINERS);
/// The types that an item of an array may have.
const ITEM: Types = Types::NOT_ARRAY;
const ANY: Types = Types::ALL;
const NONE: Types = Types::NONE;

macro_rules! scalars {
    ($($method:ident: $from:ident => $to:ident, $guard:expr, [$($kind:ident)*];)*) => {
        &[$(ScalarRule {
            rule: Rule::new(&[$($kind),*], ($from, $to), $guard, USUAL, Waits::Value),
            read: |coercer, call, shape, wanted| coercer.$method(call, shape, wanted),
        }),*]
    };
}

/// Rules for scalars. The simplest interpretation of a string is tried first, prose last.
pub(super) static SCALAR_RULES: &[ScalarRule] = scalars! {
    text: TEXT => SCALAR, ALWAYS, [TextToNumber GroupedNumber GroupedNumberGuess TextToBoolean WordToBoolean
                                   TextToNull WordToNull EnumSpelling EnumAlias];
    form: TEXT => SCALAR, ALL_FIELDS, [UnitNumber WrittenNumber WrittenTime DecoratedChoice MarkedText];
    prose: TEXT => WORD, ALLOWED.and(WHOLE), [ValueFromProse];
    comma_in_number: LIST => NUMBER, ALL_FIELDS, [WrittenNumber GroupedNumberGuess];
    // Before the number is kept as a string: 1718000000 for a `date-time` is a point in time rather
    // than a string of digits.
    time_in_number: NUMBER => TEXT, ALLOWED.and(ALL_FIELDS), [WrittenTime];
    truth_in_number: NUMBER => TRUTH, ALL_FIELDS, [WordToBoolean];
    whole: NUMBER => INTEGER, ALWAYS, [IntegralFloat];
    number_as_text: NUMBER => TEXT, ALWAYS, [NumberToText];
    truth_as_text: TRUTH => TEXT, ALWAYS, [BooleanToText];
    // OpenAI's own format has arguments as JSON in a string; schemas of such fields have
    // `contentMediaType`.
    json_text: CONTAINERS => TEXT, ALWAYS, [ContainerToText];
};

macro_rules! conversions {
    ($($method:ident: $from:ident => $to:ident, $guard:expr, $takes:ident $gives:ident, costs $cost:expr,
        waits for $waits:ident, rules out $out:literal, [$($kind:ident)*];)*) => {
        &[$(Conversion {
            rule: Rule::new(&[$($kind),*], ($from, $to), $guard, $cost, Waits::$waits),
            offer: |coercer, attempt, wanted| coercer.$method(attempt, wanted),
            takes: Takes::$takes,
            gives: Gives::$gives,
            rules_out: $out,
        }),*]
    };
}

/// The cost of the kind.
const USUAL: Option<Class> = None;
const GUESS: Option<Class> = Some(Class::Guess);
const ITEMS: Guard = UNWRAPPED.and(ALLOWED);
const ALL_ITEMS: Guard = UNWRAPPED.and(ALL_FIELDS);

/// Rules for values inside or around the expected one. JSON that is a container of another kind
/// than the expected one is neither a damaged array nor another layout.
pub(super) static CONVERSIONS: &[Conversion] = conversions! {
    json_in_text:  TEXT => CONTAINERS, ALWAYS, Agreeing Value, costs USUAL, waits for Beginning, rules out 2,
        [TextToContainer DamagedTextToContainer];
    texts_in_text: TEXT => LIST, ALL_FIELDS, Conforming Value, costs GUESS, waits for Value, rules out 0,
        [DamagedTextToContainer];
    laid_anew:     ANY => ANY, ALLOWED.and(ALL_FIELDS), Conforming Value, costs USUAL, waits for Value, rules out 0,
        [OtherLayout];
    comma_list:    TEXT => LIST, ITEMS, Conforming Value, costs USUAL, waits for Value, rules out 0, [CommaListToArray];
    written_list:  TEXT => LIST, ITEMS.and(ALL_FIELDS), Conforming Value, costs USUAL, waits for Value, rules out 0,
        [WrittenList];
    item:          ITEM => LIST, ITEMS, Conforming Item, costs USUAL, waits for Value, rules out 0, [WrapInArray];
    held:          OBJECT => LIST, ALL_ITEMS, Conforming Value, costs USUAL, waits for Value, rules out 0, [Envelope];
    placeholder:   OBJECT => LIST, ITEMS, Exact Item, costs USUAL, waits for Value, rules out 0, [UnwrapPlaceholder];
    wrong_item:    ITEM => LIST, UNWRAPPED, Conforming Item, costs USUAL, waits for Value, rules out 0, [WrapInArray];
    only:          LIST => ANY, ALLOWED, Near Value, costs USUAL, waits for Value, rules out 0, [UnwrapArray];
};

/// The index of the row for other layouts, which an object may begin with.
pub(super) const LAYOUT: usize = 2;

/// Rules about members and opt-in rules, which are applied with their object or at the end. They
/// are tried if their kind is allowed.
static MEMBERS: [Rule; 10] = [
    member(
        &[KeyAlias, KeySpelling, DerivedKey],
        ANY,
        ANY,
        Waits::Object,
    ),
    member(&[Envelope], CONTAINERS, CONTAINERS, Waits::Object),
    member(&[SplitMarkup], TEXT, ANY, Waits::Object),
    member(&[DropNull], NULL, ANY, Waits::Object),
    member(&[RepeatedKey], ITEM, LIST, Waits::Object),
    member(&[Default], NONE, ANY, Waits::Object),
    member(&[DoubleEncoded], TEXT, OBJECT, Waits::Reply),
    member(&[DropUndeclared], ANY, NONE, Waits::Reply),
    member(&[DropInvalid], ANY, NONE, Waits::Reply),
    member(&[ReplaceInvalid], ANY, NULL, Waits::Reply),
];

const fn member(kinds: &'static [CoercionKind], from: Types, to: Types, waits: Waits) -> Rule {
    Rule::new(kinds, (from, to), ALLOWED, USUAL, waits)
}

/// Returns the text that must have arrived to determine the first rule's result for a value that
/// does not fit its place. Later rows do not count: `"{` for an object is read as one, or as
/// nothing.
pub(super) fn waits_of(found: Types, wanted: Types) -> Waits {
    let mut rules = CONVERSIONS.iter().map(|row| &row.rule);
    let first = rules.find(|rule| rule.reads(found, wanted));
    first.map_or(Waits::Value, |rule| rule.waits)
}

/// Returns `true` if a kind of change, if allowed, holds a value of that type back until its whole
/// object or the reply has arrived.
pub(crate) fn holds_back(options: &CoerceOptions, kind: CoercionKind, found: Types) -> bool {
    let mut rules = MEMBERS.iter().filter(|rule| rule.kinds.contains(&kind));
    options.allows(kind) && rules.any(|rule| rule.from.meets(found) && rule.waits > Waits::Value)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all() -> impl Iterator<Item = &'static Rule> {
        let scalars = SCALAR_RULES.iter().map(|row| &row.rule);
        let conversions = CONVERSIONS.iter().map(|row| &row.rule);
        scalars.chain(conversions).chain(&MEMBERS)
    }

    fn words(types: Types) -> String {
        let names = [
            (Types::NULL, "null"),
            (Types::BOOLEAN, "boolean"),
            (Types::NUMBER, "number"),
            (Types::INTEGER, "integer"),
            (Types::STRING, "string"),
            (Types::ARRAY, "array"),
            (Types::OBJECT, "object"),
        ];
        match types {
            Types::ALL => return "any".to_owned(),
            Types::NONE => return "nothing".to_owned(),
            _ => {}
        }
        let has = |one: &&(Types, &str)| {
            types.has(one.0) && !(one.0 == Types::INTEGER && types.has(Types::NUMBER))
        };
        let names: Vec<_> = names.iter().filter(has).map(|(_, name)| *name).collect();
        names.join(", ")
    }

    fn table() -> String {
        let mut table = String::from(
            "| kind | reads | for | only if | class | streams wait for | effect |\n|---|---|---|---|---|---|---|\n",
        );
        for rule in all() {
            let waits = match rule.waits {
                Waits::Beginning => "its first character",
                Waits::Value => "the value",
                Waits::Object => "the enclosing object",
                Waits::Reply => "the reply",
            };
            let guards = [
                (WHOLE, "it is the whole reply"),
                (ALL_FIELDS, "not limited to plain fields"),
                (UNWRAPPED, "not already being wrapped"),
            ];
            let guards = guards.iter().filter(|(guard, _)| rule.guard.asks(*guard));
            let guards: Vec<_> = guards.map(|(_, words)| *words).collect();
            let guards = guards.join(", ");
            for kind in rule.kinds {
                let class = rule.class_of(*kind).name();
                let request = if kind.is_opt_in() { ", on request" } else { "" };
                table += &format!(
                    "| `{kind}` | {} | {} | {guards} | {class}{request} | {waits} | {} |\n",
                    words(rule.from),
                    words(rule.to),
                    kind.sentence()
                );
            }
        }
        table
    }

    #[test]
    fn every_kind_is_in_the_table() {
        for kind in CoercionKind::ALL
            .iter()
            .filter(|kind| !matches!(kind, RecordsCapped | ReadByType))
        {
            assert!(all().any(|rule| rule.kinds.contains(kind)), "{kind}");
        }
    }

    #[test]
    fn the_readme_has_the_table() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/README.md");
        let readme = std::fs::read_to_string(path).expect("the README");
        let start = readme.find("| kind | reads |").expect("the table");
        let length = readme[start..].find("\n\n").map_or(0, |length| length + 1);
        if std::env::var_os("UPDATE_SNAPSHOTS").is_some() {
            let new = [&readme[..start], &table(), &readme[start + length..]].concat();
            std::fs::write(path, new).expect("the README");
        } else {
            assert_eq!(&readme[start..start + length], table());
        }
    }
}

//! The table of all coercions: what each reads, what it makes of it, and what a stream waits for before it is sure
//! that none is made.
//!
//! Rules about a value are tried from the first row to the last, and the first that gives something which has the
//! type and is one of the constants that the schema asks for is the one. Rules about the members of an object are
//! read together with it (`object`, `envelope`), since a name may be meant for a member that comes later.
//! The README of this crate prints the table.

use super::conversions::{Attempt, Offer};
use super::forms::Read;
use super::options::CoerceOptions;
use super::walk::{CONTAINERS, Call, Coercer};
use crate::base::report::CoercionKind::{self, *};
use crate::ir::shape::{Shape, Types};

/// The part that all rules have in common.
pub(super) struct Rule {
    pub(super) kinds: &'static [CoercionKind],
    /// The types of values that it reads.
    from: Types,
    /// The types of places that it reads them for.
    to: Types,
    waits: Waits,
}

/// The text that has to be there before it is known whether a rule changes a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Waits {
    /// The value.
    Value,
    /// The object of which the value is a member.
    Object,
    /// The whole reply.
    Reply,
}

impl Rule {
    const fn new(kinds: &'static [CoercionKind], from: Types, to: Types, waits: Waits) -> Self {
        Self {
            kinds,
            from,
            to,
            waits,
        }
    }

    /// Returns `true` if it reads values of a type for places of another.
    pub(super) fn reads(&self, found: Types, wanted: Types) -> bool {
        self.from.meets(found) && self.to.meets(wanted)
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
    /// The flag of calls for which it is not tried.
    pub(super) unless: u8,
    pub(super) offer: for<'c> fn(&mut Coercer<'c, '_>, &mut Attempt, Types) -> Option<Offer>,
    pub(super) takes: Takes,
    pub(super) gives: Gives,
    /// The number of rows behind it that are not tried where it has read the value without success.
    pub(super) rules_out: usize,
}

/// The extent to which an offered value has to fit.
#[derive(Clone, Copy)]
pub(super) enum Takes {
    /// The value fits by its own type.
    Agreeing,
    /// The value fits in every part.
    Conforming,
    /// The value fits in every part, if it is a container perhaps after more changes.
    Near,
    /// The value fits as it is.
    Exact,
}

/// The result that a conversion makes of the value it has taken.
#[derive(Clone, Copy)]
pub(super) enum Gives {
    Value,
    /// The only item of a list.
    Item,
}

const NULL: Types = Types::NULL;
const TRUTH: Types = Types::BOOLEAN;
const NUMBER: Types = Types::NUMBER;
const INTEGER: Types = Types::INTEGER;
const TEXT: Types = Types::STRING;
const LIST: Types = Types::ARRAY;
const OBJECT: Types = Types::OBJECT;
const SCALAR: Types = Types::ALL.without(CONTAINERS);
/// The types that an item of a list may have.
const ITEM: Types = Types::NOT_ARRAY;
const ANY: Types = Types::ALL;
const NONE: Types = Types::NONE;

macro_rules! scalars {
    ($($method:ident: $from:ident => $to:ident, [$($kind:ident)*];)*) => {
        &[$(ScalarRule {
            rule: Rule::new(&[$($kind),*], $from, $to, Waits::Value),
            read: |coercer, call, shape, wanted| coercer.$method(call, shape, wanted),
        }),*]
    };
}

/// Rules for scalars. Of a text its plainest reading is tried first, prose last.
pub(super) static SCALAR_RULES: &[ScalarRule] = scalars! {
    text: TEXT => SCALAR, [TextToNumber GroupedNumber GroupedNumberGuess TextToBoolean WordToBoolean
                           TextToNull WordToNull EnumSpelling EnumAlias];
    form: TEXT => SCALAR, [UnitNumber WrittenNumber WrittenTime DecoratedChoice];
    prose: TEXT => SCALAR, [ValueFromProse];
    time_in_number: NUMBER => TEXT, [WrittenTime];
    whole: NUMBER => INTEGER, [IntegralFloat];
    number_as_text: NUMBER => TEXT, [NumberToText];
    truth_as_text: TRUTH => TEXT, [BooleanToText];
    json_text: CONTAINERS => TEXT, [ContainerToText];
};

macro_rules! conversions {
    ($($method:ident: $from:ident => $to:ident, $takes:ident $gives:ident, unless $unless:expr, rules out $out:literal,
        [$($kind:ident)*];)*) => {
        &[$(Conversion {
            rule: Rule::new(&[$($kind),*], $from, $to, Waits::Value),
            unless: $unless,
            offer: |coercer, attempt, wanted| coercer.$method(attempt, wanted),
            takes: Takes::$takes,
            gives: Gives::$gives,
            rules_out: $out,
        }),*]
    };
}

/// A single item is not put into a list while it is about to be.
const WRAPPED: u8 = Call::NO_WRAP;

/// Rules for values that stand in or around what is wanted. JSON that is a container of another kind than the wanted
/// one is neither a list with damage nor another layout.
pub(super) static CONVERSIONS: &[Conversion] = conversions! {
    json_in_text:  TEXT => CONTAINERS, Agreeing Value,   unless 0,       rules out 2,
                                       [TextToContainer DamagedTextToContainer];
    texts_in_text: TEXT => LIST,       Conforming Value, unless 0,       rules out 0, [DamagedTextToContainer];
    laid_anew:     ANY => ANY,         Conforming Value, unless 0,       rules out 0, [OtherLayout];
    comma_list:    TEXT => LIST,       Conforming Value, unless WRAPPED, rules out 0, [CommaListToArray];
    written_list:  TEXT => LIST,       Conforming Value, unless WRAPPED, rules out 0, [WrittenList];
    item:          ITEM => LIST,       Conforming Item,  unless WRAPPED, rules out 0, [WrapInArray];
    held:          OBJECT => LIST,     Conforming Value, unless WRAPPED, rules out 0, [Envelope];
    placeholder:   OBJECT => LIST,     Exact Item,       unless WRAPPED, rules out 0, [UnwrapPlaceholder];
    wrong_item:    ITEM => LIST,       Conforming Item,  unless WRAPPED, rules out 0, [WrapInArray];
    only:          LIST => ANY,        Near Value,       unless 0,       rules out 0, [UnwrapArray];
};

/// The place of the row for other layouts, which an object may begin with.
pub(super) const LAYOUT: usize = 2;

/// Rules about members and about what is made on request, which are read with their object or at the end.
static MEMBERS: [Rule; 8] = [
    Rule::new(
        &[KeyAlias, KeySpelling, DerivedKey],
        ANY,
        ANY,
        Waits::Object,
    ),
    Rule::new(&[Envelope], CONTAINERS, CONTAINERS, Waits::Object),
    Rule::new(&[DropNull], NULL, ANY, Waits::Object),
    Rule::new(&[RepeatedName], ITEM, LIST, Waits::Object),
    Rule::new(&[Default], NONE, ANY, Waits::Object),
    Rule::new(&[DoubleEncoded], TEXT, OBJECT, Waits::Reply),
    Rule::new(&[DropUndeclared], ANY, NONE, Waits::Reply),
    Rule::new(&[DropInvalid], ANY, NONE, Waits::Reply),
];

/// Returns `true` if a kind of change, where it is allowed, holds a member back until more than its value has come.
pub(crate) fn holds_back(options: &CoerceOptions, kind: CoercionKind) -> bool {
    let mut rules = MEMBERS.iter().filter(|rule| rule.kinds.contains(&kind));
    options.allows(kind) && rules.any(|rule| rule.waits != Waits::Value)
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
            (Types::STRING, "text"),
            (Types::ARRAY, "list"),
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
            "| kind | reads | for | class | a stream waits for | what it does |\n|---|---|---|---|---|---|\n",
        );
        for rule in all() {
            let waits = match rule.waits {
                Waits::Value => "the value",
                Waits::Object => "the object around it",
                Waits::Reply => "the reply",
            };
            for kind in rule.kinds {
                let class = kind.class().name();
                let request = if kind.is_opt_in() { ", on request" } else { "" };
                table += &format!(
                    "| `{kind}` | {} | {} | {class}{request} | {waits} | {} |\n",
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
            .filter(|kind| **kind != RecordsCapped)
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

//! Reads only strict JSON, perhaps in a code fence or among prose, where asking again is better than a
//! doubtful value.
//!
//! [`Policy::conservative`](crate::Policy::conservative) puts the pieces together:
//!
//! 1. The reply as it stands, if it is strict JSON; else without the fence around it ([`clean`]).
//! 2. If that is wanted, a reply that broke off in a string of its outermost object ([`recover`]).
//! 3. The balanced regions of the reply ([`regions`]) in their order, up to the limit on
//!    candidates: the first that is strict JSON and fits the schema is the value. None that begins
//!    in a block of reasoning. Other objects among them are on record; where one of those fits too,
//!    the choice is a guess ([`Parsed::certainty`](crate::Parsed::certainty)).
//!
//! Nothing inside a value is repaired. To fit, declared aliases of names count, a text that is a
//! number or boolean as a whole becomes one, a null for an optional member is dropped, members that
//! are not declared are dropped, one envelope named `arguments` may be opened, and an object that was
//! written as text, once or twice, may be read. An object of whose members the schema knows none is
//! not the expected one.

mod clean;
mod recovery;
mod regions;

pub use clean::clean;
pub use recovery::recover;
pub use regions::regions;

pub(crate) use clean::clean_span;

use llmjson_schema::{AllowedRepairs, CoercionKind, Undeclared};
use llmjson_syntax::RepairKind;

use crate::compat::{bind_object, in_order};
use crate::policy::{FormatStrictness, Policy};

/// Returns the policy [`Policy::conservative`], made of the one that allows nothing.
pub(crate) fn changed(mut strict: Policy) -> Policy {
    let allowed = AllowedRepairs::NONE
        .with(RepairKind::CodeFence)
        .with(RepairKind::SurroundingText)
        .with(RepairKind::ReasoningBlock)
        .with(RepairKind::TemplateToken)
        .with(RepairKind::ChosenValue);
    strict.coercion = strict
        .coercion
        .with(CoercionKind::TextToNumber)
        .with(CoercionKind::TextToBoolean)
        .with(CoercionKind::DropNull)
        .with(CoercionKind::KeyAlias)
        .with(CoercionKind::Envelope)
        .with(CoercionKind::DoubleEncoded);
    strict.ways.find = Some(in_order::find);
    strict.ways.fit = Some(bind_object::bind);
    strict
        .with_formats(FormatStrictness::Lenient)
        .with_allowed_repairs(allowed)
        .with_undeclared(Undeclared::Drop)
}

//! Parses only strict JSON, possibly in a code fence or in prose, for programs that would rather
//! ask again than use a doubtful value.
//!
//! [`Policy::conservative`](crate::Policy::conservative) tries in order:
//!
//! 1. The whole reply, if it is strict JSON, or else the reply without the fence around it
//!    ([`clean`]).
//! 2. If enabled, a reply truncated inside a string of its outermost object ([`recover`]).
//! 3. The balanced regions of the reply ([`regions`]) in order, up to the limit on candidates,
//!    except those that begin in a reasoning block: the first that is strict JSON and satisfies the
//!    schema is the value. Other objects among them are recorded; if another one also satisfies the
//!    schema, the choice is a guess ([`Parsed::certainty`](crate::Parsed::certainty)).
//!
//! Nothing inside a value is repaired. To fit the schema, declared aliases are accepted, a string
//! that is entirely a number or boolean is converted, a null for an optional member and undeclared
//! members are dropped, one envelope named `arguments` is unwrapped, and an object written as a
//! string, once or twice, is parsed. An object without any declared member is not the expected one.

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

/// Returns the policy [`Policy::conservative`], derived from the policy that allows nothing.
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

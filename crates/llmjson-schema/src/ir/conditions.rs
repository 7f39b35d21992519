//! Keywords that depend on whether other subschemas hold: `not`, `if`, `contains`, `propertyNames`,
//! `dependentRequired`, `dependentSchemas`, `unevaluatedProperties`, `unevaluatedItems`.

use llmjson_syntax::Kind;

use crate::ir::evaluation::EvaluationId;
use crate::ir::types::ShapeId;
use crate::normal::tree::NodeIx;

/// One such keyword.
#[derive(Clone, Debug)]
pub(crate) struct Condition {
    /// The subschema that has it.
    pub(crate) node: NodeIx,
    pub(crate) rule: Rule,
}

/// A member, and the members that must be present if it is.
pub(crate) type Needs = (Box<str>, Box<[Box<str>]>);

/// The requirement of a condition on the value of its place.
#[derive(Clone, Debug)]
pub(crate) enum Rule {
    Not(ShapeId),
    If {
        test: ShapeId,
        then: Option<ShapeId>,
        otherwise: Option<ShapeId>,
    },
    Contains {
        item: ShapeId,
        least: u64,
        most: Option<u64>,
    },
    /// A shape that all keys must fit.
    Names(ShapeId),
    /// The members that must be present if one is.
    Members(Vec<Needs>),
    /// Shapes that an object must fit if a member is present.
    Schemas(Vec<(Box<str>, ShapeId)>),
    /// A shape for the members of an object or the items of an array that no other keyword
    /// evaluates.
    Leftovers {
        of: Kind,
        evaluated: EvaluationId,
        rest: ShapeId,
    },
}

//! Keywords that are decided by whether other subschemas hold: `not`, `if`, `contains`,
//! `propertyNames`, `dependentRequired`, `dependentSchemas`.

use crate::ir::shape::{Shape, ShapeId};
use crate::normal::tree::NodeIx;

/// One such keyword.
#[derive(Clone, Debug)]
pub(crate) struct Condition {
    /// The subschema that has it.
    pub(crate) node: NodeIx,
    pub(crate) rule: Rule,
}

/// A member, and the members that have to be there if it is.
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
    /// A shape that the names of all members have to fit.
    Names(ShapeId),
    /// The members that have to be there if one is.
    Members(Vec<Needs>),
    /// Shapes that an object has to fit if a member is there.
    Schemas(Vec<(Box<str>, ShapeId)>),
}

impl Shape {
    /// The shapes that its conditions ask about, whether about its own value or what is in it.
    pub(crate) fn asked(&self) -> impl Iterator<Item = ShapeId> {
        self.conditions.iter().flat_map(|condition| {
            let mut all = Vec::new();
            match &condition.rule {
                Rule::Not(shape) | Rule::Names(shape) | Rule::Contains { item: shape, .. } => {
                    all.push(*shape);
                }
                Rule::If {
                    test,
                    then,
                    otherwise,
                } => all.extend([Some(*test), *then, *otherwise].into_iter().flatten()),
                Rule::Members(_) => {}
                Rule::Schemas(schemas) => all.extend(schemas.iter().map(|(_, shape)| *shape)),
            }
            all
        })
    }
}

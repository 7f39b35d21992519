//! What a subschema looks at of the members and items of its value: `unevaluatedProperties` and `unevaluatedItems` are
//! about what it and the subschemas that hold in its place leave over (JSON Schema 2020-12, core, section 11).

use crate::ir::shape::ShapeId;

/// Names an evaluation of a schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct EvaluationId(pub(crate) u32);

/// What one subschema looks at.
#[derive(Clone, Debug, Default)]
pub(crate) struct Evaluation {
    /// The names in `properties`, sorted.
    pub(crate) names: Box<[Box<str>]>,
    /// The patterns for names, each as a shape of texts.
    pub(crate) patterns: Box<[ShapeId]>,
    /// `true` if no member is left over: the subschema has `additionalProperties`, or leaves them over itself.
    pub(crate) all_members: bool,
    /// Number of items at the beginning that have a subschema of their own.
    pub(crate) prefix: usize,
    /// `true` if no item is left over.
    pub(crate) all_items: bool,
    /// `contains`: the items that fit it are looked at.
    pub(crate) contains: Option<ShapeId>,
    /// What other subschemas look at in its place, if they do.
    pub(crate) parts: Vec<(When, EvaluationId)>,
}

/// When a part of a subschema counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum When {
    /// The value does not fit without it: `$ref`, `allOf`.
    Always,
    /// The value fits a branch or the subschema of `if`.
    Fits(ShapeId),
    /// The value does not fit the subschema of `if`: `else`.
    Misfits(ShapeId),
    /// A member is there: `dependentSchemas`.
    Has(Box<str>),
}

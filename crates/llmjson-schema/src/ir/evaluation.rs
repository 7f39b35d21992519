//! Evaluations: the members and items of a value that a subschema evaluates.
//! `unevaluatedProperties` and `unevaluatedItems` apply to the rest, after the subschema and the
//! subschemas that hold in its place (JSON Schema 2020-12, core, section 11).

use crate::ir::types::ShapeId;

/// The ID of an evaluation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct EvaluationId(pub(crate) u32);

/// The members and items that one subschema evaluates.
#[derive(Clone, Debug, Default)]
pub(crate) struct Evaluation {
    /// The keys in `properties`, sorted.
    pub(crate) names: Box<[Box<str>]>,
    /// The patterns for keys, each as a shape of strings.
    pub(crate) patterns: Box<[ShapeId]>,
    /// `true` if no member is left over: the subschema has `additionalProperties`, or
    /// `unevaluatedProperties` itself.
    pub(crate) all_members: bool,
    /// The number of leading items with their own subschema.
    pub(crate) prefix: usize,
    /// `true` if no item is left over.
    pub(crate) all_items: bool,
    /// `contains`: the items that fit it are evaluated.
    pub(crate) contains: Option<ShapeId>,
    /// The evaluations of other subschemas for the same value, each with its condition.
    pub(crate) parts: Vec<(When, EvaluationId)>,
}

/// The condition of a part of a subschema.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum When {
    /// The value does not fit without it: `$ref`, `allOf`.
    Always,
    /// The value fits a branch or the subschema of `if`.
    Fits(ShapeId),
    /// The value does not fit the subschema of `if`: `else`.
    Misfits(ShapeId),
    /// A member is present: `dependentSchemas`.
    Has(Box<str>),
}

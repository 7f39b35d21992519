//! The members that an object declares if its schema has several parts.
//!
//! In strict mode, a member that no subschema declares is a violation. A value that must satisfy
//! several shapes at once (`allOf`, a union next to properties) may have the members of any of
//! them, so the check runs once, for the outermost shape.

use std::cell::Cell;

use llmjson_syntax::Work;

use crate::check::keywords::KeywordChecks;
use crate::check::patterns::PATTERN;
use crate::ir::shape::{Additional, Shape, ShapeId, Shapes};

/// The shape responsible for the undeclared members of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scope {
    /// The current shape.
    Own,
    /// An enclosing shape, of which it is a part.
    Within,
    /// None, here and below: only whether a subschema holds is relevant.
    Asked,
}

impl Scope {
    /// Returns the responsible shape in a part of a shape.
    #[inline]
    pub(crate) fn of_part(self) -> Self {
        match self {
            Self::Own | Self::Within => Self::Within,
            Self::Asked => Self::Asked,
        }
    }

    /// Returns the responsible shape for the members of a value.
    #[inline]
    pub(crate) fn of_child(self) -> Self {
        match self {
            Self::Own | Self::Within => Self::Own,
            Self::Asked => Self::Asked,
        }
    }
}

/// Returns the responsible shape inside the branches of a union: each branch for itself if there is
/// only the union, otherwise the shape with the union.
pub(crate) fn scope_of_branches(shape: &Shape, scope: Scope) -> Scope {
    if scope == Scope::Asked || shape.object.is_none() && shape.also.is_empty() {
        scope
    } else {
        Scope::Within
    }
}

/// Returns `true` if a shape or one of its parts allows a member with that key. The work is
/// charged.
pub(crate) fn allows(
    shapes: &Shapes,
    keywords: &KeywordChecks,
    id: ShapeId,
    name: &str,
    work: &Cell<Work>,
) -> bool {
    let mut speaks = false;
    for part in shapes.parts_of(id) {
        let rules = shapes.get(part).object.as_deref();
        let mut left = work.get();
        left.charge(1 + rules.map_or(0, |rules| PATTERN * rules.patterns.len()));
        work.set(left);
        // Members that could not be checked are treated as declared.
        if left.is_used_up() {
            return true;
        }
        let Some(rules) = rules else { continue };
        speaks = true;
        let names = &keywords.plan(part).names;
        if rules.declares(name)
            || matches!(rules.additional, Additional::Open(_))
            // A required member is implicitly declared.
            || rules.requires(name)
            || !rules.patterns.is_empty() && !names.matching(keywords, name, work).is_empty()
        {
            return true;
        }
    }
    // If no part mentions members, all are allowed.
    !speaks
}

//! The types that a shape takes, its union and its further parts included.

use super::walk::Coercer;
use crate::ir::shape::{ShapeId, Types};

/// Depth to which unions within unions are looked into.
const DEPTH: u32 = 32;

impl Coercer<'_, '_> {
    /// The types that a shape takes, all its parts together. Found out once for each shape.
    pub(super) fn types_of(&mut self, id: ShapeId) -> Types {
        self.find_types(id, DEPTH)
    }

    fn find_types(&mut self, id: ShapeId, depth: u32) -> Types {
        let shape = self.shapes.get(id);
        if shape.union.is_none() && shape.also.is_empty() {
            return shape.types;
        }
        if depth == 0 {
            return Types::ALL;
        }
        if let Some(known) = self.types.get(&id) {
            return *known;
        }
        // A shape that leads back to itself restricts nothing by that.
        self.types.insert(id, Types::ALL);
        let mut types = shape.types;
        if let Some(union) = &shape.union {
            let branches = union.branches.iter();
            let either = branches.fold(Types::NONE, |either, branch| {
                either.or(self.find_types(*branch, depth - 1))
            });
            types = types.and(either);
        }
        for also in &shape.also {
            types = types.and(self.find_types(*also, depth - 1));
        }
        self.types.insert(id, types);
        types
    }

    /// Returns `true` if `null` is allowed.
    pub(super) fn takes_null(&mut self, id: ShapeId) -> bool {
        self.types_of(id).meets(Types::NULL)
    }
}

//! The places of the schema's keys: the object that has a key, and the objects that its value may
//! be. A parser uses them to place missing brackets.

use llmjson_syntax::{ExpectedNames, ExpectedValue};

use crate::ir::shape::{Additional, ObjectRules, Shape, ShapeId, Shapes, Types};

/// Number of shapes that are searched for the objects of one value.
const SHAPES_LOOK: usize = 16;

/// Depth of arrays in arrays whose items are told apart.
const DEPTH: usize = 2;

impl Shapes {
    /// Adds to the names of the schema where they belong, and the number of items in its rows.
    ///
    /// Shapes that apply to one value (its parts, the branches of its union) are one object, since
    /// each may declare some of its members.
    pub(crate) fn place(&self, names: ExpectedNames) -> ExpectedNames {
        let names = names.with_items(self.items_of_rows());
        let Some(objects) = self.objects() else {
            return names;
        };
        let bit = |id: ShapeId| objects[id.0 as usize];
        let shapes = || self.shapes.iter().zip(&objects);
        let rules = || shapes().filter_map(|(shape, &bit)| Some((shape.object.as_deref()?, bit)));
        // A key of any name may be in an object with patterns or additional members.
        let open = rules().filter(|(rules, _)| is_open(rules));
        let open = open.fold(0, |open, (_, bit)| open | bit);
        let members = rules().flat_map(|(rules, within)| {
            let properties = rules.properties.iter();
            properties.flat_map(move |property| {
                let value = self.expected(property.shape, bit, DEPTH);
                let names = core::iter::once(&property.name).chain(&property.aliases);
                names.map(move |name| (&**name, within | open, value))
            })
        });
        names.with_places(self.expected(self.root, bit, DEPTH), members)
    }

    /// Returns the object that each shape is part of, as a bit, or 0 for none. Returns `None` if
    /// there are too many for the bits.
    fn objects(&self) -> Option<Vec<u64>> {
        let mut first: Vec<usize> = (0..self.shapes.len()).collect();
        for (at, shape) in self.shapes.iter().enumerate() {
            for part in shape.in_place() {
                let (one, other) = (root(&mut first, at), root(&mut first, part.0 as usize));
                first[other] = one;
            }
        }
        let (mut bits, mut next) = (vec![0; first.len()], 1_u64);
        for (at, shape) in self.shapes.iter().enumerate() {
            let bit = &mut bits[root(&mut first, at)];
            if shape.object.is_some() && !shape.asked && *bit == 0 {
                *bit = next;
                next = next.checked_mul(2)?;
            }
        }
        Some(
            (0..first.len())
                .map(|at| bits[root(&mut first, at)])
                .collect(),
        )
    }

    /// Returns what a value of a shape may be. The items of arrays are followed to this depth.
    fn expected(
        &self,
        shape: ShapeId,
        bit: impl Fn(ShapeId) -> u64 + Copy,
        depth: usize,
    ) -> ExpectedValue {
        let types = self.types_of(shape);
        let mut expected = match types.without(Types::ARRAY.or(Types::OBJECT)) != Types::NONE {
            true => ExpectedValue::SCALAR,
            false => ExpectedValue::NONE,
        };
        let (mut objects, mut items) = (0, None);
        let mut open = vec![shape];
        for _ in 0..SHAPES_LOOK {
            let Some(id) = open.pop() else { break };
            objects |= bit(id);
            let shape = self.get(id);
            // Pairs may stand for the members of any name.
            if shape.object.as_deref().is_some_and(is_open) {
                expected = expected.or(ExpectedValue::NONE.array());
            }
            let array = shape.array.iter().filter(|_| depth > 0);
            let array = array.flat_map(|rules| rules.prefix.iter().chain(&rules.items));
            for &item in array.take(SHAPES_LOOK) {
                let item = self.expected(item, bit, depth - 1);
                items = Some(items.map_or(item, |items: ExpectedValue| items.or(item)));
            }
            open.extend(shape.in_place());
        }
        if !open.is_empty() {
            return ExpectedValue::ANY;
        }
        if types.meets(Types::OBJECT) {
            let objects = if objects == 0 { u64::MAX } else { objects };
            expected = expected.or(ExpectedValue::object(objects));
        }
        if types.meets(Types::ARRAY) {
            expected = expected.or(items.unwrap_or(ExpectedValue::NONE).array());
        }
        expected
    }

    /// Returns the number of items that all arrays in arrays have, if the schema fixes it.
    fn items_of_rows(&self) -> Option<usize> {
        let outer = self
            .shapes
            .iter()
            .filter_map(|shape| shape.array.as_deref());
        let rows = outer.flat_map(|rules| rules.prefix.iter().chain(&rules.items));
        let mut rows = rows
            .map(|&id| self.get(id))
            .filter(|shape| shape.array.is_some());
        let fixed = |shape: &Shape| {
            let rules = shape.array.as_deref()?;
            let most = rules.max_items?;
            (rules.min_items == Some(most)).then_some(most as usize)
        };
        let first = fixed(rows.next()?)?;
        rows.all(|row| fixed(row) == Some(first)).then_some(first)
    }
}

/// Returns `true` if an object may have members of any name.
fn is_open(rules: &ObjectRules) -> bool {
    !rules.patterns.is_empty() || matches!(rules.additional, Additional::Open(_))
}

/// Returns the shape that stands for those connected to the one at `at`.
fn root(first: &mut [usize], mut at: usize) -> usize {
    while first[at] != at {
        first[at] = first[first[at]];
        at = first[at];
    }
    at
}

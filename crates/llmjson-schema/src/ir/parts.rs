//! The parts of a shape, and their combined meaning.
//!
//! A compound shape has parts that must also hold (`allOf`, references next to other keywords) and
//! branches of which one must hold (`anyOf`, `oneOf`). The compiler rejects schemas in which a
//! shape applies to the same value again without end, so parts of parts end at a bounded depth.

use smallvec::SmallVec;

use crate::base::hash::NumberSet;
use crate::ir::shape::{Additional, ObjectRules, Shape, ShapeId, Shapes, Types};

impl Shape {
    /// Returns `true` if only some strings are accepted: allowed values, or a format.
    pub(crate) fn is_text_of_some_form(&self) -> bool {
        self.literals.is_some() || self.string.as_deref().is_some_and(|rules| rules.has_form())
    }

    /// Returns `true` if only its own keywords must hold: it has neither parts nor a union.
    #[inline]
    pub(crate) fn is_alone(&self) -> bool {
        self.union.is_none() && self.also.is_empty()
    }

    /// Returns the branches of its union.
    pub(crate) fn branches(&self) -> &[ShapeId] {
        self.union.as_ref().map_or(&[], |union| &union.branches)
    }

    /// Returns the shapes that it applies to its own value.
    pub(crate) fn in_place(&self) -> impl DoubleEndedIterator<Item = ShapeId> {
        self.also.iter().chain(self.branches()).copied()
    }
}

impl Shapes {
    /// Returns the types that a shape accepts, considering all its parts.
    pub(crate) fn types_of(&self, id: ShapeId) -> Types {
        let shape = self.get(id);
        match shape.is_alone() {
            true => shape.types,
            // Streams and unions query them repeatedly, so all are computed at once.
            false => self.types.get_or_init(|| self.find_types())[id.0 as usize],
        }
    }

    fn find_types(&self) -> Box<[Types]> {
        let mut known = vec![None; self.shapes.len()];
        for at in 0..self.shapes.len() {
            self.types_within(ShapeId(at as u32), &mut known);
        }
        known
            .into_iter()
            .map(|types| types.unwrap_or(Types::ALL))
            .collect()
    }

    fn types_within(&self, id: ShapeId, known: &mut [Option<Types>]) -> Types {
        if let Some(types) = known[id.0 as usize] {
            return types;
        }
        let shape = self.get(id);
        // Conditions that must also hold narrow, alternatives widen:
        // `{"type": ["string", "null"], "anyOf": […]}`.
        let mut types = shape.types;
        if shape.union.is_some() {
            let branches = shape.branches().iter();
            let either = branches.map(|branch| self.types_within(*branch, known));
            types = types.and(either.fold(Types::NONE, Types::or));
        }
        for part in &shape.also {
            types = types.and(self.types_within(*part, known));
        }
        known[id.0 as usize] = Some(types);
        types
    }

    /// Returns `true` if only an array is expected, possibly with null.
    pub(crate) fn wants_list(&self, id: ShapeId) -> bool {
        let types = self.types_of(id);
        types.has(Types::ARRAY) && !types.meets(Types::NOT_ARRAY)
    }

    /// Returns the shape and all of its parts, each once, in the order of the schema.
    pub(crate) fn parts_of(&self, id: ShapeId) -> Parts<'_> {
        let (open, seen) = (SmallVec::from_slice(&[id]), NumberSet::default());
        Parts {
            shapes: self,
            open,
            seen,
        }
    }
}

/// The parts of a shape, itself first: see [`Shapes::parts_of`].
pub(crate) struct Parts<'s> {
    shapes: &'s Shapes,
    /// The next one last.
    open: SmallVec<[ShapeId; 8]>,
    seen: NumberSet<ShapeId>,
}

impl Iterator for Parts<'_> {
    type Item = ShapeId;

    fn next(&mut self) -> Option<ShapeId> {
        loop {
            let id = self.open.pop()?;
            let shape = self.shapes.get(id);
            // Most shapes have no parts, and nothing must be remembered about them.
            if shape.is_alone() && self.open.is_empty() && self.seen.is_empty() {
                return Some(id);
            }
            if self.seen.insert(id) {
                self.open.extend(shape.in_place().rev());
                return Some(id);
            }
        }
    }
}

/// The shapes that a value may be intended to fit, with all their parts, tracked along with the
/// value, whether it is valid or not. If several branches of a union are possible, all are kept.
#[derive(Clone, Default)]
pub(crate) struct MeantShapes {
    ids: SmallVec<[ShapeId; 1]>,
    /// Maximum number that is kept: nested unions may have more, and each is queried about every
    /// member.
    most: usize,
    /// `true` if there were more.
    pub(crate) is_cut: bool,
}

impl MeantShapes {
    fn of(shapes: &Shapes, ids: impl IntoIterator<Item = ShapeId>, most: usize) -> Self {
        let mut meant = Self {
            most,
            ..Self::default()
        };
        for id in ids.into_iter().flat_map(|id| shapes.parts_of(id)) {
            if meant.ids.len() == most {
                meant.is_cut = true;
                return meant;
            }
            if !meant.ids.contains(&id) {
                meant.ids.push(id);
            }
        }
        meant
    }

    /// Returns the shapes that the value itself may be intended to fit, at most that many.
    pub(crate) fn root(shapes: &Shapes, most: usize) -> Self {
        Self::of(shapes, [shapes.root], most)
    }

    pub(crate) fn len(&self) -> usize {
        self.ids.len()
    }

    /// Returns the shapes that a member may be intended to fit.
    pub(crate) fn member(&self, shapes: &Shapes, name: &str) -> Self {
        let mut ids: SmallVec<[ShapeId; 4]> = SmallVec::new();
        for rules in self.objects(shapes) {
            if let Some(property) = rules.property(name) {
                ids.push(property.shape);
                continue;
            }
            ids.extend(rules.patterns.iter().map(|(_, shape)| *shape));
            if let Additional::Open(shape) = rules.additional {
                ids.push(shape);
            }
        }
        Self::of(shapes, ids, self.most)
    }

    /// Returns the shapes that an item may be intended to fit.
    pub(crate) fn item(&self, shapes: &Shapes, index: usize) -> Self {
        let lists = self
            .ids
            .iter()
            .filter_map(|id| shapes.get(*id).array.as_deref());
        Self::of(
            shapes,
            lists.filter_map(|rules| rules.item(index)),
            self.most,
        )
    }

    pub(crate) fn objects<'s>(&self, shapes: &'s Shapes) -> impl Iterator<Item = &'s ObjectRules> {
        let ids = self.ids.iter();
        ids.filter_map(|id| shapes.get(*id).object.as_deref())
    }

    /// Returns `true` if one of them requires a member.
    pub(crate) fn require(&self, shapes: &Shapes, name: &str) -> bool {
        self.objects(shapes).any(|rules| rules.requires(name))
    }

    /// Returns the minimum number of items that one of them requires, and `true` if the index of an
    /// item determines its meaning.
    pub(crate) fn list(&self, shapes: &Shapes) -> (u64, bool) {
        let lists = self
            .ids
            .iter()
            .filter_map(|id| shapes.get(*id).array.as_deref());
        lists.fold((0, false), |(least, is_placed), rules| {
            let own = rules.min_items.unwrap_or(0);
            (least.max(own), is_placed || !rules.prefix.is_empty())
        })
    }
}

//! The structure of a compiled schema's values, for code that derives types of another system from
//! it. References are resolved, and dialects read as one.

use llmjson_syntax::Kind;

use crate::ir::shape::{Shape, ShapeId, Types};
use crate::schema::{Compiled, Schema};

impl Schema {
    /// Returns the structure of the values, from the root on.
    #[must_use]
    pub fn outline(&self) -> Outline<'_> {
        let compiled = &*self.compiled;
        Outline {
            compiled,
            id: compiled.shapes.root,
        }
    }
}

/// The structure that one subschema asks for: copied freely.
///
/// A value fits what the subschema itself says, all of its [`parts`](Self::parts), and one of its
/// [`branches`](Self::branches) if there are any.
///
/// ```
/// use llmjson_schema::Schema;
/// use llmjson_syntax::Kind;
///
/// let schema = Schema::from_text(
///     r##"{"properties": {"next": {"$ref": "#"}, "n": {"type": ["integer", "null"]}}}"##,
/// )?;
/// let root = schema.outline();
/// let properties: Vec<_> = root.properties().collect();
/// assert_eq!(properties[0].1.id(), root.id());
/// let (name, number) = properties[1];
/// assert_eq!(name, "n");
/// assert!(number.takes(Kind::Number) && number.takes(Kind::Null) && !number.takes(Kind::String));
/// assert!(!number.takes_fractions());
/// # Ok::<(), llmjson_schema::SchemaError>(())
/// ```
#[derive(Clone, Copy)]
pub struct Outline<'s> {
    compiled: &'s Compiled,
    id: ShapeId,
}

impl<'s> Outline<'s> {
    /// Returns a number that is the same for the same subschema, so that a subschema that leads back
    /// to itself can be told.
    #[must_use]
    pub fn id(self) -> u32 {
        self.id.0
    }

    /// Returns `true` if values of that kind are allowed by `type`, `enum` and `const`. Of numbers,
    /// whether any are.
    #[must_use]
    pub fn takes(self, kind: Kind) -> bool {
        self.shape().types.meets(Types::of(kind))
    }

    /// Returns `true` if values of every kind are allowed by `type`, `enum` and `const`.
    #[must_use]
    pub fn takes_all(self) -> bool {
        self.shape().types == Types::ALL
    }

    /// Returns `true` if numbers with a fraction are allowed.
    #[must_use]
    pub fn takes_fractions(self) -> bool {
        let types = self.shape().types.and(Types::NUMBER);
        types != Types::INTEGER && types != Types::NONE
    }

    /// Returns the `format`, as written.
    #[must_use]
    pub fn format(self) -> Option<&'s str> {
        let tree = &self.compiled.normal.tree;
        tree.text(tree.member(self.shape().node, "format")?)
    }

    /// Returns the `pattern`, as written.
    #[must_use]
    pub fn pattern(self) -> Option<&'s str> {
        self.shape().string.as_ref()?.pattern.as_deref()
    }

    /// Returns the texts among the values that `enum` and `const` allow, if they are there.
    pub fn texts(self) -> Option<impl Iterator<Item = &'s str>> {
        let literals = self.shape().literals.as_ref()?;
        Some(literals.shown().filter_map(|(value, _)| value.as_str()))
    }

    /// Returns the declared members of objects and their subschemas, in the order of the schema.
    pub fn properties(self) -> impl ExactSizeIterator<Item = (&'s str, Self)> {
        let properties = self.shape().object.as_ref();
        let properties = properties.map_or(&[][..], |rules| &rules.properties);
        (properties.iter()).map(move |property| (&*property.name, self.at(property.shape)))
    }

    /// Returns what the items of a list have to be, if anything is said about them.
    #[must_use]
    pub fn items(self) -> Option<Self> {
        let items = self.shape().array.as_ref()?.items?;
        Some(self.at(items))
    }

    /// Returns what the first items of a list have to be, one by one.
    pub fn prefix(self) -> impl ExactSizeIterator<Item = Self> {
        let prefix = self.shape().array.as_ref();
        let prefix = prefix.map_or(&[][..], |rules| &rules.prefix);
        prefix.iter().map(move |&id| self.at(id))
    }

    /// Returns the subschemas of which a value has to fit one, if there are any.
    pub fn branches(self) -> impl ExactSizeIterator<Item = Self> {
        (self.shape().branches().iter()).map(move |&id| self.at(id))
    }

    /// Returns the member that tells the branches apart, its values with the places of their branches, and whether the
    /// schema declares it; `None` if none does.
    #[cfg(test)]
    pub(crate) fn tag(self) -> Option<(&'s str, impl Iterator<Item = (&'s str, u32)>, bool)> {
        let tag = self.shape().union.as_ref()?.tag.as_ref()?;
        let branches = tag.branches.iter().map(|(value, at)| (&**value, *at));
        Some((&tag.property, branches, tag.declared))
    }

    /// Returns the subschemas that a value has to fit too.
    pub fn parts(self) -> impl ExactSizeIterator<Item = Self> {
        self.shape().also.iter().map(move |&id| self.at(id))
    }

    fn shape(self) -> &'s Shape {
        self.compiled.shapes.get(self.id)
    }

    fn at(self, id: ShapeId) -> Self {
        Self { id, ..self }
    }
}

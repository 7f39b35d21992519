//! The structure of a compiled schema's values, for code that derives another system's types from
//! it. References are resolved, and all dialects look the same.

use llmjson_syntax::Kind;

use crate::ir::shape::{Shape, ShapeId, Types};
use crate::schema::{Compiled, Schema};

impl Schema {
    /// Returns the structure of the schema's root.
    #[must_use]
    pub fn outline(&self) -> Outline<'_> {
        let compiled = &*self.compiled;
        Outline {
            compiled,
            id: compiled.shapes.root,
        }
    }
}

/// The structure of one subschema. Cheap to copy.
///
/// A value conforms if it satisfies the subschema itself, all of its [`parts`](Self::parts), and
/// one of its [`branches`](Self::branches) if there are any.
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
    /// Returns an identifier for this subschema. Outlines with equal ids are the same subschema, so
    /// ids detect recursion.
    #[must_use]
    pub fn id(self) -> u32 {
        self.id.0
    }

    /// Returns `true` if `type`, `enum` and `const` allow values of this kind. For numbers, returns
    /// whether they allow any.
    #[must_use]
    pub fn takes(self, kind: Kind) -> bool {
        self.shape().types.meets(Types::of(kind))
    }

    /// Returns `true` if `type`, `enum` and `const` allow values of every kind.
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

    /// Returns the strings that `enum` and `const` allow, or `None` if neither is present.
    pub fn texts(self) -> Option<impl Iterator<Item = &'s str>> {
        let literals = self.shape().literals.as_ref()?;
        Some(literals.shown().filter_map(|(value, _)| value.as_str()))
    }

    /// Returns the declared properties and their subschemas, in schema order.
    pub fn properties(self) -> impl ExactSizeIterator<Item = (&'s str, Self)> {
        let properties = self.shape().object.as_ref();
        let properties = properties.map_or(&[][..], |rules| &rules.properties);
        (properties.iter()).map(move |property| (&*property.name, self.at(property.shape)))
    }

    /// Returns the subschema of array items, or `None` if there is none.
    #[must_use]
    pub fn items(self) -> Option<Self> {
        let items = self.shape().array.as_ref()?.items?;
        Some(self.at(items))
    }

    /// Returns the subschemas of an array's first items, one by one.
    pub fn prefix(self) -> impl ExactSizeIterator<Item = Self> {
        let prefix = self.shape().array.as_ref();
        let prefix = prefix.map_or(&[][..], |rules| &rules.prefix);
        prefix.iter().map(move |&id| self.at(id))
    }

    /// Returns the subschemas of which a value must satisfy one, if there are any.
    pub fn branches(self) -> impl ExactSizeIterator<Item = Self> {
        (self.shape().branches().iter()).map(move |&id| self.at(id))
    }

    /// Returns the member that distinguishes the branches, its values with the indices of their
    /// branches, and `true` if the schema declares it, or `None` if no member does.
    #[cfg(test)]
    pub(crate) fn tag(self) -> Option<(&'s str, impl Iterator<Item = (&'s str, u32)>, bool)> {
        let tag = self.shape().union.as_ref()?.tag.as_ref()?;
        let branches = tag.branches.iter().map(|(value, at)| (&**value, *at));
        Some((&tag.property, branches, tag.declared))
    }

    /// Returns the subschemas that a value must also satisfy.
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

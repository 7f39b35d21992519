//! The structure of a compiled schema's values, for code that derives another system's types from
//! it. References are resolved, and all dialects look the same.

use llmjson_syntax::Kind;

use crate::base::path::{Path, Step};
use crate::describe::expected;
use crate::ir::shape::{Shape, ShapeId, Types};
use crate::schema::{Compiled, Schema};

impl Schema {
    /// Returns the structure of the schema's root.
    #[doc(hidden)]
    #[must_use]
    pub fn outline(&self) -> Outline<'_> {
        let compiled = &*self.compiled;
        Outline {
            compiled,
            id: compiled.shapes.root,
        }
    }
}

/// The maximum number of subschemas that are searched for the child of a value.
const CHILDREN_MAX: usize = 64;

impl Schema {
    /// Returns the expectation for the value at a path, or `None` if the schema has none or several
    /// there.
    ///
    /// ```
    /// use llmjson_schema::{Path, Schema};
    ///
    /// let schema = Schema::from_text(
    ///     r#"{"properties": {"stops": {"items": {"type": "string", "format": "date"}}}}"#,
    /// )?;
    /// let path = Path::root().member("stops").index(3);
    /// assert_eq!(schema.expected_at(&path).as_deref(), Some(r#"string & Format<"date">"#));
    /// assert_eq!(schema.expected_at(&Path::root().member("other")), None);
    /// # Ok::<(), llmjson_schema::SchemaError>(())
    /// ```
    #[must_use]
    pub fn expected_at(&self, path: &Path) -> Option<String> {
        let mut found = vec![self.outline()];
        for step in path.steps() {
            let next = found.iter().flat_map(|one| one.children(step));
            let mut next: Vec<_> = next.take(CHILDREN_MAX).collect();
            next.dedup_by_key(|one| one.id());
            found = next;
        }
        let first = found.first()?.expected();
        let others = found.iter().skip(1);
        let is_alone = others.map(|one| one.expected()).all(|other| other == first);
        is_alone.then_some(first)
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
        let tree = &self.compiled.tree;
        tree.text(tree.member(self.shape().node, "format")?)
    }

    /// Returns the `title`, as written.
    #[must_use]
    pub fn title(self) -> Option<&'s str> {
        let tree = &self.compiled.tree;
        tree.text(tree.member(self.shape().node, "title")?)
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
    pub fn properties(
        self,
    ) -> impl ExactSizeIterator<Item = (&'s str, Self)> + DoubleEndedIterator {
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

    /// Returns the expectation of this subschema, in the schema's wording.
    fn expected(self) -> String {
        expected::whole(&self.compiled.shapes, self.id)
    }

    /// Returns the subschemas of a child, those in parts and branches too, at most
    /// [`CHILDREN_MAX`].
    fn children(self, step: &Step) -> Vec<Self> {
        let (mut open, mut children) = (vec![self], Vec::new());
        let mut left = CHILDREN_MAX;
        while let Some(one) = open.pop()
            && left > 0
        {
            left -= 1;
            open.extend(one.parts().chain(one.branches()).take(left));
            let shape = one.shape();
            let child = match step {
                Step::Member(name) => {
                    let object = shape.object.as_ref();
                    object.and_then(|rules| Some(rules.property(name)?.shape))
                }
                Step::Index(at) => {
                    let array = shape.array.as_ref();
                    array.and_then(|rules| rules.item(*at as usize))
                }
            };
            children.extend(child.map(|id| one.at(id)));
        }
        children
    }

    fn shape(self) -> &'s Shape {
        self.compiled.shapes.get(self.id)
    }

    fn at(self, id: ShapeId) -> Self {
        Self { id, ..self }
    }
}

//! The treatment of members that a schema does not declare.

/// The treatment of members that an object's schema neither declares nor explicitly allows
/// (`additionalProperties` is `true` or a schema).
///
/// ```
/// use llmjson_schema::{Schema, Undeclared};
///
/// let schema = Schema::from_text(r#"{"properties": {"a": {}}, "additionalProperties": false}"#)?;
/// let document = llmjson_syntax::parse(r#"{"b": 1}"#);
/// let root = document.root().expect("there is a value");
/// assert_eq!(schema.violations(root, Undeclared::Keep).len(), 1);
/// assert_eq!(schema.violations(root, Undeclared::KeepForbidden).len(), 0);
/// # Ok::<(), llmjson_schema::SchemaError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Undeclared {
    /// Keeps them, as JSON Schema does; if the schema forbids them, each is a violation.
    #[default]
    Keep,
    /// Keeps them, even if the schema forbids them.
    KeepForbidden,
    /// Removes each, with a record
    /// ([`CoercionKind::DropUndeclared`](crate::CoercionKind::DropUndeclared)), even if the schema
    /// forbids it. Validation without coercion treats this as [`Keep`](Self::Keep).
    Drop,
    /// Reports each as a violation that expects `undefined`.
    Reject,
}

llmjson_syntax::named!(Undeclared:
    "keep" => Keep,
    "keep_forbidden" => KeepForbidden,
    "drop" => Drop,
    "reject" => Reject,
);

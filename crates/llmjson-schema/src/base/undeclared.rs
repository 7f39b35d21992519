//! The treatment of members that a schema does not declare.

/// The treatment of members that an object's schema neither declares nor opens itself for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Undeclared {
    /// Allows them, as JSON Schema does.
    #[default]
    Allow,
    /// Reports each as a violation that expects `undefined`. An object that the schema opens
    /// (`additionalProperties` is `true` or a schema) may still hold any.
    Reject,
}

//! What to think of members that a schema does not declare.

/// What to think of members that an object's schema neither declares nor opens itself for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Undeclared {
    /// They may be there, as JSON Schema has it.
    #[default]
    Allow,
    /// Each is a violation that expects `undefined`. An object that the schema opens
    /// (`additionalProperties` is `true` or a schema) may still hold any.
    Reject,
}

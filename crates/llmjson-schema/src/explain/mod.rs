//! Explaining why a value does not satisfy a schema: violations in words.

pub(crate) mod formats;
pub(crate) mod nearest;
pub(crate) mod validate;
pub(crate) mod violations;

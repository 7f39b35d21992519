//! Explains why a value does not satisfy a schema: violations in words.

pub(crate) mod formats;
#[cfg(feature = "full")]
mod judge;
pub(crate) mod nearest;
pub(crate) mod validate;
pub(crate) mod violations;

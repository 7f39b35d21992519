//! Why a value does not satisfy a schema: violations in words.

pub(crate) mod collect;
pub(crate) mod nearest;
pub(crate) mod validate;

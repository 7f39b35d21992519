//! What exists for users of other systems.

pub(crate) mod bind_object;
pub mod conservative;
pub(crate) mod in_order;
pub mod shape;

//! The part that exists for users of other systems: two presets whose ways from a reply to its value are not the
//! usual one, and the functions that go with them.
//!
//! [`shape`] decodes strictly, but for four small repairs of fields. [`conservative`] reads strict JSON in
//! the order of the text, and binds one object. Neither takes part in the search for what damaged text
//! meant, so nothing else imports this module: the presets of [`Policy`](crate::Policy) hand its ways over.

mod bind_object;
pub mod conservative;
mod in_order;
mod setters;
pub mod shape;

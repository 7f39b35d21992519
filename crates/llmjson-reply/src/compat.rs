//! Compatibility with other systems: two presets that find a reply's value in their own way, and
//! the functions that go with them.
//!
//! [`shape`] decodes strictly, except for four small field repairs. [`conservative`] reads strict
//! JSON in text order and binds one object. Neither takes part in the recovery search for damaged
//! text, so nothing else imports this module: the presets of [`Policy`](crate::Policy) pass the
//! functions in.

mod bind_object;
pub mod conservative;
mod in_order;
mod setters;
pub mod shape;

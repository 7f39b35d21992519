//! Types shared by every layer: positions, records, limits.

pub(crate) mod expected_names;
pub(crate) mod limits;
#[macro_use]
pub(crate) mod named;
pub(crate) mod offsets;
pub mod provider;
pub(crate) mod repair;
pub(crate) mod repair_set;
#[cfg(feature = "serde")]
mod serialize;
pub(crate) mod span;
pub(crate) mod unknown_name;
pub(crate) mod work;

//! The compiled form of a schema: shapes, their members by key, and tables for unions and allowed
//! values.

pub(crate) mod bounds;
pub(crate) mod branches;
pub(crate) mod classes;
pub(crate) mod conditions;
pub(crate) mod evaluation;
pub(crate) mod literals;
pub(crate) mod names;
pub(crate) mod parts;
pub(crate) mod places;
pub(crate) mod shape;
pub(crate) mod spelling;
pub(crate) mod types;

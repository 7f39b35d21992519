//! Replies as text, in pieces and as Rust types, and what policies and limits say of them.

#[cfg(feature = "wire")]
mod calls;
mod conservative;
mod de;
mod held;
mod limits;
mod observe;
#[cfg(all(feature = "derive", feature = "futures"))]
mod partial;
mod policy;
mod seeds;
#[cfg(feature = "schemars")]
mod shape;
mod stability;
mod streams;
#[cfg(feature = "schemars")]
mod typed;
#[cfg(feature = "schemars")]
mod types;
mod whole;

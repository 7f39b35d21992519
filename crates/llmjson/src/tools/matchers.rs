//! Matchers of names that are ready to use, none of which is asked unless somebody says so.

mod contextual;
mod fuzzy;
mod semantic;

pub use contextual::Contextual;
pub use fuzzy::Fuzzy;
pub use semantic::Semantic;
